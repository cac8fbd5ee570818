#include "tui/style.h"

#include <curses.h>

#define PLAIN (-1) /* the terminal's own colour */

/* Colours twice: of the eight that every colour terminal has, and of the 256, middling shades
 * there, so that they read on a dark and on a light background alike. The attributes without
 * colours keep the roles apart that sit side by side. */
struct look {
	short few, many; /* foreground */
	short few_back, many_back;
	attr_t with_colour, without_colour;
};

#define PLAIN_BACK .few_back = PLAIN, .many_back = PLAIN

static const struct look looks[STYLE_COUNT] = {
	[STYLE_TEXT] = { .few = PLAIN, .many = PLAIN, PLAIN_BACK },
	[STYLE_DIM] = { .few = PLAIN, .many = 244, PLAIN_BACK },
	[STYLE_BORDER] = { .few = PLAIN, .many = 244, PLAIN_BACK },
	[STYLE_BORDER_FOCUS] = { .few = COLOR_CYAN,
				 .many = 31,
				 PLAIN_BACK,
				 .with_colour = A_BOLD,
				 .without_colour = A_BOLD },
	[STYLE_TITLE] = { .few = PLAIN, .many = PLAIN, PLAIN_BACK },
	[STYLE_TITLE_FOCUS] = { .few = COLOR_CYAN,
				.many = 31,
				PLAIN_BACK,
				.with_colour = A_BOLD,
				.without_colour = A_BOLD },
	[STYLE_HEADER] = { .few = PLAIN,
			   .many = PLAIN,
			   PLAIN_BACK,
			   .with_colour = A_BOLD,
			   .without_colour = A_BOLD },
	[STYLE_FOOTER] = { .few = PLAIN, .many = 244, PLAIN_BACK },
	[STYLE_FOOTER_KEY] = { .few = COLOR_CYAN,
			       .many = 31,
			       PLAIN_BACK,
			       .with_colour = A_BOLD,
			       .without_colour = A_BOLD },
	[STYLE_COLUMN] = { .few = PLAIN,
			   .many = PLAIN,
			   PLAIN_BACK,
			   .with_colour = A_UNDERLINE,
			   .without_colour = A_UNDERLINE },
	[STYLE_SELECTED] = { .few = PLAIN,
			     .many = PLAIN,
			     PLAIN_BACK,
			     .with_colour = A_REVERSE,
			     .without_colour = A_REVERSE },
	[STYLE_PENDING] = { .few = COLOR_MAGENTA, .many = 166, PLAIN_BACK },
	[STYLE_STARTING] = { .few = COLOR_CYAN, .many = 31, PLAIN_BACK },
	[STYLE_RUNNING] = { .few = COLOR_GREEN, .many = 28, PLAIN_BACK },
	[STYLE_DONE] = { .few = PLAIN, .many = 244, PLAIN_BACK },
	[STYLE_FAILED] = { .few = COLOR_RED,
			   .many = 160,
			   PLAIN_BACK,
			   .with_colour = A_BOLD,
			   .without_colour = A_BOLD },
	[STYLE_STOPPED] = { .few = PLAIN, .many = 244, PLAIN_BACK },
	[STYLE_GOOD] = { .few = COLOR_GREEN, .many = 28, PLAIN_BACK },
	[STYLE_WARNING] = { .few = COLOR_MAGENTA,
			    .many = 166,
			    PLAIN_BACK,
			    .with_colour = A_BOLD,
			    .without_colour = A_BOLD },
	[STYLE_ERROR] = { .few = COLOR_WHITE,
			  .many = 231,
			  .few_back = COLOR_RED,
			  .many_back = 160,
			  .with_colour = A_BOLD,
			  .without_colour = A_BOLD | A_REVERSE },
	[STYLE_MONEY] = { .few = COLOR_GREEN, .many = 28, PLAIN_BACK },
	[STYLE_DRAFT] = { .few = COLOR_MAGENTA,
			  .many = 133,
			  PLAIN_BACK,
			  .with_colour = A_BOLD,
			  .without_colour = A_BOLD },
	[STYLE_BAR] = { .few = COLOR_CYAN, .many = 31, PLAIN_BACK },
	[STYLE_BAR_EMPTY] = { .few = PLAIN, .many = 244, PLAIN_BACK },
	[STYLE_QUESTION] = { .few = PLAIN,
			     .many = PLAIN,
			     PLAIN_BACK,
			     .with_colour = A_BOLD,
			     .without_colour = A_BOLD },
	[STYLE_INK_STRONG] = { .few = PLAIN,
			       .many = PLAIN,
			       PLAIN_BACK,
			       .with_colour = A_BOLD,
			       .without_colour = A_BOLD },
	[STYLE_INK_DIM] = { .few = PLAIN, .many = 244, PLAIN_BACK },
	[STYLE_INK_RED] = { .few = COLOR_RED, .many = 160, PLAIN_BACK },
	[STYLE_INK_GREEN] = { .few = COLOR_GREEN, .many = 28, PLAIN_BACK },
	[STYLE_INK_YELLOW] = { .few = COLOR_YELLOW, .many = 136, PLAIN_BACK },
	[STYLE_INK_BLUE] = { .few = COLOR_BLUE, .many = 33, PLAIN_BACK },
	[STYLE_INK_MAGENTA] = { .few = COLOR_MAGENTA, .many = 133, PLAIN_BACK },
	[STYLE_INK_CYAN] = { .few = COLOR_CYAN, .many = 31, PLAIN_BACK },
};

static short pair_of(enum style style)
{
	return (short)(style + 1);
}

void style_start(bool no_color)
{
	if (no_color || !has_colors() || start_color() != OK || COLOR_PAIRS <= STYLE_COUNT)
		return;
	bool own = use_default_colors() == OK;
	bool many = COLORS >= 256;

	for (int i = 0; i < STYLE_COUNT; i++) {
		short front = many ? looks[i].many : looks[i].few;
		short back = many ? looks[i].many_back : looks[i].few_back;
		if (!own && front == PLAIN)
			front = COLOR_WHITE;
		if (!own && back == PLAIN)
			back = COLOR_BLACK;
		(void)init_pair(pair_of((enum style)i), front, back);
	}
}

unsigned style_attributes(enum style style)
{
	short front, back;

	if (style < 0 || style >= STYLE_COUNT)
		style = STYLE_TEXT;
	/* Fails where style_start left colours alone: curses itself remembers the choice. */
	if (COLOR_PAIRS <= STYLE_COUNT || pair_content(pair_of(style), &front, &back) != OK)
		return looks[style].without_colour;
	return looks[style].with_colour | (unsigned)COLOR_PAIR(pair_of(style));
}
