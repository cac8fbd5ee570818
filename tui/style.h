/* Roles, not colours: drawing code says what a thing is; a theme says how it looks. */
#ifndef GPUQ_STYLE_H
#define GPUQ_STYLE_H

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
	STYLE_PRODUCTION, /* the bar of a profile whose mistakes cost most */
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

/* tui/theme.h has their looks. */
enum theme { THEME_MONO, THEME_DARK, THEME_LIGHT, THEME_HIGH_CONTRAST, THEME_COUNT };

/* Sets the running screen up for a theme, at the start and again for another one; returns the one
 * that it has now: mono where there are no colours. */
enum theme style_start(enum theme wanted);

/* The curses attributes of a role in the theme that style_start returned (chtype as unsigned). */
unsigned style_attributes(enum theme theme, enum style style);

#endif
