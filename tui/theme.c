#include "tui/theme.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "model/base/attr.h"

/* What is said by a colour; a word, a letter or a mark beside it says the same. */
enum ink {
	INK_PLAIN,
	INK_DIM,
	INK_ACCENT,
	INK_GOOD,
	INK_STARTING,
	INK_WAIT,
	INK_BAD,
	INK_DRAFT,
	INK_ALERT, /* stands on the next */
	INK_ALERT_GROUND,
	INK_LIVE, /* of production; stands on the next */
	INK_LIVE_GROUND,
	/* of text from outside */
	INK_RED,
	INK_GREEN,
	INK_YELLOW,
	INK_BLUE,
	INK_MAGENTA,
	INK_CYAN,
	INK_COUNT
};

struct role {
	enum ink front, back; /* back INK_PLAIN: the theme's ground */
	unsigned traits;
};

static const struct role roles[STYLE_COUNT] = {
	[STYLE_TEXT] = { INK_PLAIN, INK_PLAIN, 0 },
	[STYLE_DIM] = { INK_DIM, INK_PLAIN, 0 },
	[STYLE_BORDER] = { INK_DIM, INK_PLAIN, 0 },
	[STYLE_BORDER_FOCUS] = { INK_ACCENT, INK_PLAIN, LOOK_BOLD },
	[STYLE_TITLE] = { INK_PLAIN, INK_PLAIN, 0 },
	[STYLE_TITLE_FOCUS] = { INK_ACCENT, INK_PLAIN, LOOK_BOLD },
	[STYLE_HEADER] = { INK_PLAIN, INK_PLAIN, LOOK_BOLD },
	[STYLE_FOOTER] = { INK_DIM, INK_PLAIN, 0 },
	[STYLE_FOOTER_KEY] = { INK_ACCENT, INK_PLAIN, LOOK_BOLD },
	[STYLE_COLUMN] = { INK_PLAIN, INK_PLAIN, LOOK_UNDERLINE },
	[STYLE_SELECTED] = { INK_PLAIN, INK_PLAIN, LOOK_REVERSE },
	[STYLE_PENDING] = { INK_WAIT, INK_PLAIN, 0 },
	[STYLE_STARTING] = { INK_STARTING, INK_PLAIN, 0 },
	[STYLE_RUNNING] = { INK_GOOD, INK_PLAIN, 0 },
	[STYLE_DONE] = { INK_DIM, INK_PLAIN, 0 },
	[STYLE_FAILED] = { INK_BAD, INK_PLAIN, LOOK_BOLD },
	[STYLE_STOPPED] = { INK_DIM, INK_PLAIN, 0 },
	[STYLE_GOOD] = { INK_GOOD, INK_PLAIN, 0 },
	[STYLE_WARNING] = { INK_WAIT, INK_PLAIN, LOOK_BOLD },
	[STYLE_ERROR] = { INK_ALERT, INK_ALERT_GROUND, LOOK_BOLD },
	[STYLE_MONEY] = { INK_GOOD, INK_PLAIN, 0 },
	[STYLE_DRAFT] = { INK_DRAFT, INK_PLAIN, LOOK_BOLD },
	[STYLE_BAR] = { INK_ACCENT, INK_PLAIN, 0 },
	[STYLE_BAR_EMPTY] = { INK_DIM, INK_PLAIN, 0 },
	[STYLE_QUESTION] = { INK_PLAIN, INK_PLAIN, LOOK_BOLD },
	[STYLE_PRODUCTION] = { INK_LIVE, INK_LIVE_GROUND, LOOK_BOLD },
	[STYLE_INK_STRONG] = { INK_PLAIN, INK_PLAIN, LOOK_BOLD },
	[STYLE_INK_DIM] = { INK_DIM, INK_PLAIN, 0 },
	[STYLE_INK_RED] = { INK_RED, INK_PLAIN, 0 },
	[STYLE_INK_GREEN] = { INK_GREEN, INK_PLAIN, 0 },
	[STYLE_INK_YELLOW] = { INK_YELLOW, INK_PLAIN, 0 },
	[STYLE_INK_BLUE] = { INK_BLUE, INK_PLAIN, 0 },
	[STYLE_INK_MAGENTA] = { INK_MAGENTA, INK_PLAIN, 0 },
	[STYLE_INK_CYAN] = { INK_CYAN, INK_PLAIN, 0 },
};

struct tint {
	short colours[DEPTH_COUNT];
	unsigned traits; /* beside those of the role */
};

struct theme_row {
	const char *name;
	short ground;     /* that the inks are made for */
	bool owns_ground; /* paints it, whatever the terminal's own is */
	struct tint inks[INK_COUNT];
};

#define OWN TINT(COLOUR_OWN, COLOUR_OWN, COLOUR_OWN)
#define TINT(few, sixteen, many)          \
	{                                 \
		{ few, sixteen, many }, 0 \
	}

/*
 * The first sixteen are as the terminal's owner has set them: no bright black, which is the
 * background of some palettes. The others are fixed. dark is what nobody has chosen, so that its
 * 256 colours are middling shades, which read on a light terminal too. high-contrast keeps to
 * what tells apart for every eye: light blue, yellow and white (after Okabe and Ito).
 */
static const struct theme_row themes[THEME_COUNT] = {
	[THEME_MONO] = { .name = "mono",
			 .inks = { [INK_PLAIN] = OWN,
				   [INK_DIM] = OWN,
				   [INK_ACCENT] = OWN,
				   [INK_GOOD] = OWN,
				   [INK_STARTING] = OWN,
				   [INK_WAIT] = OWN,
				   [INK_BAD] = OWN,
				   [INK_DRAFT] = OWN,
				   [INK_ALERT] = { { COLOUR_OWN, COLOUR_OWN, COLOUR_OWN },
						   LOOK_REVERSE },
				   [INK_ALERT_GROUND] = OWN,
				   [INK_LIVE] = { { COLOUR_OWN, COLOUR_OWN, COLOUR_OWN },
						  LOOK_REVERSE },
				   [INK_LIVE_GROUND] = OWN,
				   [INK_RED] = OWN,
				   [INK_GREEN] = OWN,
				   [INK_YELLOW] = OWN,
				   [INK_BLUE] = OWN,
				   [INK_MAGENTA] = OWN,
				   [INK_CYAN] = OWN } },
	[THEME_DARK] = { .name = "dark",
			 .ground = 16,
			 .inks = { [INK_PLAIN] = OWN,
				   [INK_DIM] = TINT(COLOUR_OWN, COLOUR_OWN, 244),
				   [INK_ACCENT] = TINT(6, 6, 31),
				   [INK_GOOD] = TINT(2, 2, 29),
				   [INK_STARTING] = TINT(6, 6, 31),
				   [INK_WAIT] = TINT(5, 5, 166),
				   [INK_BAD] = TINT(1, 9, 196),
				   [INK_DRAFT] = TINT(5, 5, 133),
				   [INK_ALERT] = TINT(7, 15, 231),
				   [INK_ALERT_GROUND] = TINT(1, 1, 160),
				   [INK_LIVE] = TINT(7, 15, 231),
				   [INK_LIVE_GROUND] = TINT(5, 5, 90),
				   [INK_RED] = TINT(1, 9, 196),
				   [INK_GREEN] = TINT(2, 2, 29),
				   [INK_YELLOW] = TINT(3, 3, 136),
				   [INK_BLUE] = TINT(6, 12, 33),
				   [INK_MAGENTA] = TINT(5, 5, 133),
				   [INK_CYAN] = TINT(6, 6, 31) } },
	[THEME_LIGHT] = { .name = "light",
			  .ground = 231,
			  .inks = { [INK_PLAIN] = OWN,
				    [INK_DIM] = TINT(COLOUR_OWN, COLOUR_OWN, 242),
				    [INK_ACCENT] = TINT(4, 4, 25),
				    [INK_GOOD] = TINT(4, 4, 28),
				    [INK_STARTING] = TINT(COLOUR_OWN, COLOUR_OWN, 25),
				    [INK_WAIT] = TINT(5, 5, 130),
				    [INK_BAD] = TINT(1, 1, 124),
				    [INK_DRAFT] = TINT(5, 5, 127),
				    [INK_ALERT] = TINT(7, 15, 231),
				    [INK_ALERT_GROUND] = TINT(1, 1, 160),
				    [INK_LIVE] = TINT(7, 15, 231),
				    [INK_LIVE_GROUND] = TINT(5, 5, 90),
				    [INK_RED] = TINT(1, 1, 124),
				    [INK_GREEN] = TINT(COLOUR_OWN, COLOUR_OWN, 28),
				    [INK_YELLOW] = TINT(COLOUR_OWN, COLOUR_OWN, 94),
				    [INK_BLUE] = TINT(4, 4, 25),
				    [INK_MAGENTA] = TINT(5, 5, 127),
				    [INK_CYAN] = TINT(COLOUR_OWN, COLOUR_OWN, 24) } },
	[THEME_HIGH_CONTRAST] = { .name = "high-contrast",
				  .ground = 16,
				  .owns_ground = true,
				  .inks = { [INK_PLAIN] = TINT(7, 15, 231),
					    [INK_DIM] = TINT(7, 7, 252),
					    [INK_ACCENT] = TINT(6, 14, 117),
					    [INK_GOOD] = TINT(6, 14, 117),
					    [INK_STARTING] = TINT(7, 15, 231),
					    [INK_WAIT] = TINT(3, 11, 227),
					    [INK_BAD] = { { 7, 15, 217 }, LOOK_UNDERLINE },
					    [INK_DRAFT] = TINT(2, 10, 218),
					    [INK_ALERT] = TINT(0, 0, 16),
					    [INK_ALERT_GROUND] = TINT(3, 11, 227),
					    [INK_LIVE] = TINT(0, 0, 16),
					    [INK_LIVE_GROUND] = TINT(6, 14, 117),
					    [INK_RED] = TINT(7, 15, 217),
					    [INK_GREEN] = TINT(2, 10, 120),
					    [INK_YELLOW] = TINT(3, 11, 227),
					    [INK_BLUE] = TINT(6, 14, 117),
					    [INK_MAGENTA] = TINT(7, 15, 218),
					    [INK_CYAN] = TINT(6, 14, 123) } },
};

enum depth depth_of(int colours)
{
	return colours >= 256 ? DEPTH_256 : colours >= 16 ? DEPTH_16 : DEPTH_8;
}

const char *theme_name(enum theme theme)
{
	return theme < THEME_COUNT ? themes[theme].name : NULL;
}

bool theme_find(const char *name, enum theme *theme)
{
	for (int i = 0; i < THEME_COUNT; i++)
		if (strcasecmp(themes[i].name, name) == 0) {
			*theme = (enum theme)i;
			return true;
		}
	return false;
}

enum theme theme_guess(const char *colorfgbg)
{
	const char *back = colorfgbg ? strrchr(colorfgbg, ';') : NULL;
	/* White and light grey; what is no number is "default", which may be any. */
	bool light = back && (strcmp(back, ";15") == 0 || strcmp(back, ";7") == 0);
	return light ? THEME_LIGHT : THEME_DARK;
}

short theme_ground(enum theme theme)
{
	return themes[theme].ground;
}

struct look theme_look(enum theme theme, enum depth depth, enum style style)
{
	const struct theme_row *row = &themes[theme];
	const struct role *role = &roles[style];
	const struct tint *front = &row->inks[role->front], *back = &row->inks[role->back];
	struct look look = { .front = front->colours[depth],
			     .back = back->colours[depth],
			     .traits = role->traits | front->traits };
	if (role->back == INK_PLAIN && !row->owns_ground)
		look.back = COLOUR_OWN;
	else if (role->back == INK_PLAIN) /* black is the first of the few */
		look.back = depth == DEPTH_256 ? row->ground : 0;
	return look;
}
