/* Roles, not colours: drawing code says what a thing is; a theme says how it looks. */
#ifndef GPUQ_STYLE_H
#define GPUQ_STYLE_H

#include <stdbool.h>

enum style {
	STYLE_TEXT,
	STYLE_DIM,
	STYLE_BORDER,
	STYLE_BORDER_FOCUS,
	STYLE_TITLE,
	STYLE_TITLE_FOCUS,
	STYLE_HEADER,
	STYLE_FOOTER,
	STYLE_FOOTER_KEY,
	STYLE_COLUMN, /* a table's head */
	STYLE_SELECTED,
	STYLE_PENDING,
	STYLE_STARTING,
	STYLE_RUNNING,
	STYLE_DONE,
	STYLE_FAILED,
	STYLE_STOPPED,
	STYLE_GOOD,
	STYLE_WARNING,
	STYLE_ERROR,
	STYLE_MONEY,
	STYLE_DRAFT,
	STYLE_BAR,
	STYLE_BAR_EMPTY,
	STYLE_QUESTION,
	/* The colours that text from outside brings along: they say what it says. */
	STYLE_INK_STRONG,
	STYLE_INK_DIM,
	STYLE_INK_RED,
	STYLE_INK_GREEN,
	STYLE_INK_YELLOW,
	STYLE_INK_BLUE,
	STYLE_INK_MAGENTA,
	STYLE_INK_CYAN,
	STYLE_COUNT,
};

/* Sets up colour pairs for the running screen; without colours only attributes are used. */
void style_start(bool no_color);

/* The curses attributes of a role (chtype as unsigned). */
unsigned style_attributes(enum style style);

#endif
