/*
 * Bytes from the terminal become keys and pastes. A pure machine over bytes and a clock: no
 * curses, no descriptor. It knows xterm, vt, rxvt and linux sequences besides those of terminfo.
 *
 * A lone ESC becomes the Esc key after INPUT_ESC_MS. For INPUT_LATE_MS after that a '[' or 'O'
 * starts a late sequence (a slow link cut an arrow key in two), which is swallowed to its end;
 * a late "[200~" still opens a paste. Nothing of a cut sequence is ever a key of its own; the rest
 * of one of the mouse, which no finger begins, is waited for longer than a paste's.
 */
#ifndef GPUQ_INPUT_H
#define GPUQ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"
#include "tui/mouse.h"

#define INPUT_ESC_MS    25  /* product.md: Esc acts at once */
#define INPUT_LATE_MS   300 /* product.md: late sequences */
#define INPUT_PASTE_MAX (64u << 10)

enum key_code { /* above Unicode */
		KEY_CODE_FIRST = 0x110000,
		KEY_CODE_UP,
		KEY_CODE_DOWN,
		KEY_CODE_LEFT,
		KEY_CODE_RIGHT,
		KEY_CODE_HOME,
		KEY_CODE_END,
		KEY_CODE_PAGE_UP,
		KEY_CODE_PAGE_DOWN,
		KEY_CODE_INSERT,
		KEY_CODE_DELETE,
		KEY_CODE_BACKSPACE,
		KEY_CODE_TAB,
		KEY_CODE_ENTER,
		KEY_CODE_ESC,
		KEY_CODE_F1, /* F1..F12 follow one another */
		KEY_CODE_F12 = KEY_CODE_F1 + 11,
		KEY_CODE_PASTE, /* the text is in input_paste() */
		KEY_CODE_BAD,   /* bytes that are no character: no command, but a key was pressed */
		KEY_CODE_MOUSE, /* what it did is in input_mouse() */
};

enum { KEY_SHIFT = 1, KEY_ALT = 2, KEY_CTRL = 4 };

struct key {
	uint32_t code; /* a code point, or enum key_code */
	unsigned mods; /* KEY_SHIFT only with special keys; "X" is code 'X', mods 0 */
};

#define KEY_NAME_SIZE 24
/* "j", "C-d", "A-Up", "S-Tab", "F5", "Space", "Enter"; out holds KEY_NAME_SIZE bytes. */
void key_format(struct key key, char out[KEY_NAME_SIZE]);
/* Reads such a name; false if it is none. */
bool key_parse(const char *name, struct key *key);
bool key_equal(struct key a, struct key b);
/* A code point below KEY_CODE_FIRST as UTF-8; returns the bytes (1 to 4). */
size_t key_encode(uint32_t code, char bytes[4]);

struct input;
struct input *input_new(void);
void input_free(struct input *input);

/* Adds a sequence of terminfo (kcuu1...) for the terminal in use; ignored if NULL or one byte. */
void input_add_sequence(struct input *input, const char *bytes, struct key key);

/* Feeds what was read at now_ms (monotonic). */
void input_feed(struct input *input, const char *bytes, size_t len, int64_t now_ms);

/* Takes the next key, if one is ready at now_ms. A paste comes as one KEY_CODE_PASTE. */
bool input_next(struct input *input, int64_t now_ms, struct key *key);

/* Milliseconds until input_next may have more without new bytes; negative = nothing pending. */
int64_t input_wait_ms(const struct input *input, int64_t now_ms);

/* Whether sequences of the mouse are handed out (as KEY_CODE_MOUSE) or swallowed; off at first. */
void input_mouse_on(struct input *input, bool on);
/* What the mouse did by the last input_next. */
struct mouse input_mouse(const struct input *input);

/* The text of the last paste, cut at INPUT_PASTE_MAX; borrowed until the next input_next. */
const char *input_paste(const struct input *input);

/* Throws away what is queued or half read (a question about AWS does, before it opens). */
void input_discard(struct input *input);

#endif
