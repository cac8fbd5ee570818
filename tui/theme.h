/*
 * Themes: how each role of style.h looks. A role has an ink and traits; a theme is one row of inks,
 * each for terminals of 8, 16 and 256 colours. Without curses: style.c asks for looks and makes
 * pairs of them.
 */
#ifndef GPUQ_THEME_H
#define GPUQ_THEME_H

#include <stdbool.h>

#include "tui/style.h"

enum depth { DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_COUNT };

/* That of a terminal with so many colours. */
enum depth depth_of(int colours);

enum { LOOK_BOLD = 1, LOOK_UNDERLINE = 2, LOOK_REVERSE = 4 };

#define COLOUR_OWN (-1) /* the terminal's own */

struct look {
	short front, back; /* numbers of xterm's palette, or COLOUR_OWN */
	unsigned traits;
};

/* "high-contrast"; a name of none gives NULL and false. */
const char *theme_name(enum theme theme);
bool theme_find(const char *name, enum theme *theme);

/* What COLORFGBG (of rxvt, Konsole and others: "15;0", its last part the background) hints at: dark
 * where it says nothing. NULL: it is not set. */
enum theme theme_guess(const char *colorfgbg);

/* All of THEME_MONO is in the terminal's own colours. */
struct look theme_look(enum theme theme, enum depth depth, enum style style);

/* The number of the colour that the theme stands on, for the looks whose back is COLOUR_OWN: that
 * of a terminal for which it is made. High contrast brings its own. */
short theme_ground(enum theme theme);

#endif
