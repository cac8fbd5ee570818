/* What terminfo says of the terminal in use, as plain bytes. */
#ifndef GPUQ_CAPABILITY_H
#define GPUQ_CAPABILITY_H

#include "model/base/buf.h"
#include "tui/input.h"

/* Appends a string capability without its padding; nothing if the terminal has none. */
void capability_add(struct buf *out, const char *name);

/* What to write when we come (beyond what curses does by itself) and when we go. `lines` is the
 * window's: without an alternate screen the cursor leaves at its end. */
void capability_enter(struct buf *out, bool alternate_screen);
void capability_leave(struct buf *out, int lines);
/* Whether the terminal has a mouse to tell of: others may print what asks for it. */
bool capability_has_mouse(void);

/* Lets the whole window scroll: curses sets a region by the size that it believes in when it
 * starts, and a line feed at its end would scroll. Moves the cursor: the screen is drawn anew. */
void capability_whole_window(struct buf *out, int lines);

/* Teaches the decoder the terminal's keys. */
void capability_keys(struct input *input);

/* Whether terminfo knows a terminal of this name. Curses, which could tell too, does not free all
 * that it began with when it says no. */
bool capability_known(const char *name, int fd);

/* The same, and of a known one whether its cursor can be placed, and how many colours it has (0 =
 * none). Not while a screen is open. */
bool capability_look(const char *name, int fd, bool *has_cursor, int *colours);

/* Whether the cursor can be placed: without it there is no screen (TERM=dumb). */
bool capability_has_screen(void);

/* The window's size where the terminal does not know it; 80 x 24 where terminfo does not. */
void capability_size(int *columns, int *lines);

#endif
