#include "tui/style.h"

#include <curses.h>

#include "tui/theme.h"

static short pair_of(enum style style)
{
	return (short)(style + 1);
}

/* Of a terminal that has no colours of its own to go back to. */
static short front_of(short colour, bool has_own)
{
	return (short)(colour == COLOUR_OWN && !has_own ? COLOR_WHITE : colour);
}

static short back_of(short colour, bool has_own)
{
	return (short)(colour == COLOUR_OWN && !has_own ? COLOR_BLACK : colour);
}

enum theme style_start(enum theme wanted)
{
	enum theme theme = wanted;

	if (theme == THEME_MONO || !has_colors() || start_color() != OK ||
	    COLOR_PAIRS <= STYLE_COUNT)
		theme = THEME_MONO;
	bool has_own = theme != THEME_MONO && use_default_colors() == OK;
	for (int i = 0; theme != THEME_MONO && i < STYLE_COUNT; i++) {
		struct look look = theme_look(theme, depth_of(COLORS), (enum style)i);
		(void)init_pair(pair_of((enum style)i), front_of(look.front, has_own),
				back_of(look.back, has_own));
	}
	/* What nothing is drawn on is the theme's ground too. */
	(void)bkgdset((chtype)' ' | style_attributes(theme, STYLE_TEXT));
	return theme;
}

unsigned style_attributes(enum theme theme, enum style style)
{
	static const struct {
		unsigned trait, attribute;
	} traits[] = { { LOOK_BOLD, A_BOLD },
		       { LOOK_UNDERLINE, A_UNDERLINE },
		       { LOOK_REVERSE, A_REVERSE } };

	if (style < 0 || style >= STYLE_COUNT)
		style = STYLE_TEXT;
	/* Traits are the same whatever the colours are. */
	unsigned has = theme_look(theme, DEPTH_8, style).traits, attributes = 0;
	for (size_t i = 0; i < sizeof(traits) / sizeof(traits[0]); i++)
		if (has & traits[i].trait)
			attributes |= traits[i].attribute;
	if (theme != THEME_MONO)
		attributes |= (unsigned)COLOR_PAIR(pair_of(style));
	return attributes;
}
