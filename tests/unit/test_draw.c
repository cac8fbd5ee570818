#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "model/base/attr.h"
#include "model/base/text.h"
#include "tests/offscreen.h"
#include "tui/chart.h"

#define COLUMNS 24
#define LINES   6

static int setup(void **state)
{
	*state = offscreen_new(COLUMNS, LINES);
	return 0;
}

static int setup_ascii(void **state)
{
	*state = offscreen_open(
		&(struct offscreen_options){ .columns = COLUMNS, .lines = LINES, .ascii = true });
	return 0;
}

static int teardown(void **state)
{
	offscreen_free(*state);
	return 0;
}

static void text__is_cut_and_padded__to_its_rectangle(void **state)
{
	struct surface *out = offscreen_surface(*state);

	draw_text(out, (struct rect){ 0, 0, 24, 1 }, STYLE_TEXT, "xxxxxxxxxxxxxxxxxxxxxxxx");
	draw_text(out, (struct rect){ 2, 0, 6, 1 }, STYLE_FAILED, "abc");
	assert_string_equal(offscreen_line(*state, 0), "xxabc   xxxxxxxxxxxxxxxx");
	draw_text(out, (struct rect){ 2, 0, 6, 1 }, STYLE_FAILED, "abcdefgh");
	assert_string_equal(offscreen_line(*state, 0), "xxabcde…xxxxxxxxxxxxxxxx");
	draw_text_right(out, (struct rect){ 2, 0, 6, 1 }, STYLE_FAILED, "$12");
	assert_string_equal(offscreen_line(*state, 0), "xx   $12xxxxxxxxxxxxxxxx");
	draw_text_right(out, (struct rect){ 2, 0, 6, 1 }, STYLE_FAILED, "1234567");
	assert_string_equal(offscreen_line(*state, 0), "xx12345…xxxxxxxxxxxxxxxx");
	for (int x = 0; x < COLUMNS; x++)
		assert_int_equal(offscreen_has_style(*state, x, 0, STYLE_FAILED), x >= 2 && x < 8);
}

static void text__is_formatted__within_its_limit(void **state)
{
	struct surface *out = offscreen_surface(*state);
	char text[3000];

	draw_textf(out, (struct rect){ 0, 0, 20, 1 }, STYLE_TEXT, "%d of %s", 43, "512");
	assert_string_equal(offscreen_line(*state, 0), "43 of 512");
	for (size_t i = 0; i + 2 < sizeof(text); i += 2)
		memcpy(text + i, "é", 2);
	text[sizeof(text) - 2] = '\0';
	draw_textf(out, (struct rect){ 0, 0, 20, 1 }, STYLE_TEXT, "a%s", text);
	assert_string_equal(offscreen_line(*state, 0), "aéééééééééééééééééé…");
}

/* What may come from outside, each with what may stand on the screen for it. */
static const struct {
	const char *text, *shown, *ascii;
} hostile[] = {
	{ "a\x1b[31mb", "a·[31mb", "a?[31mb" },
	{ "a\xc2\x9b"
	  "31mb",
	  "a·31mb", "a?31mb" },
	{ "a\xe2\x80\xae"
	  "b",
	  "a·b", "a?b" },
	{ "a\xe2\x81\xa6"
	  "b",
	  "a·b", "a?b" },
	{ "a\nb\rc\td", "a·b·c·d", "a?b?c?d" },
	{ "a\xe2\x80\xa8"
	  "b",
	  "a·b", "a?b" },
	{ "a\x7f\x01"
	  "b",
	  "a··b", "a??b" },
	{ "a\xff\xfe"
	  "b",
	  "a\xef\xbf\xbd\xef\xbf\xbd"
	  "b",
	  "a??b" },
	{ "a\xed\xa0\x80"
	  "b",
	  "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
	  "b",
	  "a???b" },
	{ "a\xe8\xae", "a\xef\xbf\xbd\xef\xbf\xbd", "a??" },
	{ "a\x1b]0;title\x07"
	  "b",
	  "a·]0;title·b", "a?]0;title?b" },
	{ "训练", "训练", "??" },
	{ "e\xcc\x81", "e\xcc\x81", "e?" },
	{ "a–b×c…", "a–b×c…", "a-bxc~" },
	{ "●✓▸↑", "●✓▸↑", "*+>^" },
};

static void text__is_harmless__whatever_it_is(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(hostile); i++) {
		draw_text(offscreen_surface(*state), (struct rect){ 0, 0, 20, 1 }, STYLE_TEXT,
			  hostile[i].text);
		assert_string_equal(offscreen_line(*state, 0), hostile[i].shown);
		assert_string_equal(offscreen_line(*state, 1), "");
	}
}

static void text__is_ascii_alone__with_ascii(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(hostile); i++) {
		draw_text(offscreen_surface(*state), (struct rect){ 0, 0, 20, 1 }, STYLE_TEXT,
			  hostile[i].text);
		assert_string_equal(offscreen_line(*state, 0), hostile[i].ascii);
	}
}

/* There curses turns wrapping off, and a terminal may put the mark in the place of its base. */
static void text__has_no_mark__in_the_lower_right_corner(void **state)
{
	static const char text[] = "éa\xcc\x81z\xcc\x81";
	struct surface *out = offscreen_surface(*state);

	draw_text(out, (struct rect){ 0, LINES - 1, COLUMNS, 1 }, STYLE_TEXT, "");
	draw_text(out, (struct rect){ COLUMNS - 3, LINES - 2, 3, 1 }, STYLE_TEXT, text);
	draw_text(out, (struct rect){ COLUMNS - 3, LINES - 1, 3, 1 }, STYLE_TEXT, text);
	const char *line = offscreen_line(*state, LINES - 2);
	assert_string_equal(line + COLUMNS - 3, text);
	line = offscreen_line(*state, LINES - 1);
	assert_string_equal(line + COLUMNS - 3, "éa\xcc\x81z");
}

/* Case 114. Emoji and invisible characters: one mark or nothing in a cell, never a column too many.
 */
static void text__keeps_its_columns__with_doubtful_widths(void **state)
{
	static const char *const texts[] = {
		"train-✅-ok",
		"train-⚠-warn",
		"train-⚠\xef\xb8\x8f-warn",
		"👨\xe2\x80\x8d👩\xe2\x80\x8d👦-family",
		"étude",
		"אבג-rtl",
		"zero\xe2\x80\x8bwidth",
		"\xcc\x81lone mark",
		"ｆｕｌｌ",
		"ﷺ",
		"a\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86\xcc\x87\xcc\x88z",
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		offscreen_clear(*state);
		draw_text(offscreen_surface(*state), (struct rect){ 0, 0, 18, 1 }, STYLE_TEXT,
			  texts[i]);
		draw_text(offscreen_surface(*state), (struct rect){ 18, 0, 1, 1 }, STYLE_TEXT, "|");
		const char *line = offscreen_line(*state, 0);
		assert_int_equal(line[strlen(line) - 1], '|');
		assert_int_equal(text_width(line), 19);
	}
}

/* U+4DC0 is one column for us; for C libraries it is one or two, by their age. Where curses would
 * shift what follows, a mark takes its place. */
static void page_line__marks__what_curses_measures_otherwise(void **state)
{
	bool agreed = wcwidth(0x4DC0) == 1;

	draw_page_line(offscreen_surface(*state), (struct rect){ 0, 0, 20, 1 }, STYLE_TEXT,
		       "a\xe4\xb7\x80"
		       "b ⚠ c");
	assert_string_equal(offscreen_line(*state, 0), agreed ? "a䷀b ⚠ c" : "a?b ⚠ c");
}

/* Whether only cells inside `at` and the surface have changed. */
static void assert_inside(struct offscreen *off, struct rect at, const char *what)
{
	for (int y = 0; y < LINES; y++)
		for (int x = 0; x < COLUMNS; x++) {
			bool in = x >= at.x && x < at.x + at.w && y >= at.y && y < at.y + at.h;
			if (!in && offscreen_attributes(off, x, y) != 0)
				fail_msg("%s leaves %d,%d %dx%d at %d,%d", what, at.x, at.y, at.w,
					 at.h, x, y);
		}
}

static void shapes__never_leave_their_rectangle__wherever_it_lies(void **state)
{
	static const int16_t values[] = { 0, 125, 250, 375, 500, 625, 750, 875, 1000, 9000, -1 };
	struct surface *out = offscreen_surface(*state);

	for (int x = -6; x <= COLUMNS + 2; x += 2)
		for (int y = -3; y <= LINES + 1; y++)
			for (int w = -1; w <= 9; w++)
				for (int h = 0; h <= 4; h += 2) {
					struct rect at = { x, y, w, h };
					offscreen_clear(*state);
					draw_text(out, at, STYLE_TEXT, "训练任务训练任务");
					draw_text_right(out, at, STYLE_TEXT, "x训练");
					draw_page_line(out, at, STYLE_TEXT, "⚠⚠⚠训练训练");
					draw_textf(out, at, STYLE_TEXT, "%s", "\x1b[9999Cx");
					assert_inside(*state, at, "text");
					(void)draw_wrapped(out, at, STYLE_TEXT,
							   "训练 任务训\n\n练任 务");
					assert_inside(*state, at, "wrapped");
					draw_frame(out, at, "训练", "任务 of 训", true);
					assert_inside(*state, at, "frame");
					chart_bar(out, at, 700);
					chart_sparkline(out, at, values, 11);
					chart_plot(out, at, STYLE_BAR, values, 11);
					draw_highlight(out, at, STYLE_SELECTED);
					assert_inside(*state, at, "bar");
					draw_clear(out, at);
					assert_inside(*state, at, "clear");
				}
}

static void text__never_splits_a_wide_character__at_an_edge(void **state)
{
	struct surface *out = offscreen_surface(*state);
	struct rect right = { COLUMNS - 3, 0, 8, 1 }, left = { -1, 1, 8, 1 };

	draw_text(out, right, STYLE_TEXT, "训练任务");
	assert_string_equal(offscreen_line(*state, 0), "                     训");
	assert_int_equal(offscreen_attributes(*state, COLUMNS - 1, 0),
			 offscreen_style(*state, STYLE_TEXT));
	draw_text(out, left, STYLE_TEXT, "训练任务");
	assert_string_equal(offscreen_line(*state, 1), " 练任务");
	/* Drawing over one half takes the other with it. */
	draw_text(out, (struct rect){ 0, 2, 4, 1 }, STYLE_TEXT, "训练");
	draw_text(out, (struct rect){ 1, 2, 1, 1 }, STYLE_TEXT, "x");
	assert_string_equal(offscreen_line(*state, 2), " x练");
	/* An odd width leaves room for an ellipsis, not for half of one. */
	draw_text(out, (struct rect){ 0, 3, 4, 1 }, STYLE_TEXT, "训练任务");
	assert_string_equal(offscreen_line(*state, 3), "训…");
}

static void wrapped__tells_the_lines__it_would_need(void **state)
{
	struct surface *out = offscreen_surface(*state);
	const char *text = "the quick brown fox\njumps\n\nover";

	assert_int_equal(draw_wrapped(out, (struct rect){ 0, 0, 10, 3 }, STYLE_TEXT, text), 5);
	assert_string_equal(offscreen_text(*state), "the quick\nbrown fox\njumps\n\n\n\n");
	assert_int_equal(draw_wrapped(out, (struct rect){ 0, 0, 10, 6 }, STYLE_TEXT, text), 5);
	assert_string_equal(offscreen_line(*state, 4), "over");
	assert_int_equal(draw_wrapped(out, (struct rect){ 0, 0, 10, 6 }, STYLE_TEXT, ""), 0);
	assert_int_equal(draw_wrapped(out, (struct rect){ 0, 0, 0, 6 }, STYLE_TEXT, "x"), 0);
}

static void frame__has_title_note_and_focus__without_colour(void **state)
{
	struct surface *out = offscreen_surface(*state);

	draw_frame(out, (struct rect){ 0, 0, 24, 3 }, "Jobs", "3 of 5", true);
	assert_string_equal(offscreen_text(*state), "┌*Jobs ──────── 3 of 5 ┐\n"
						    "│                      │\n"
						    "└──────────────────────┘\n\n\n\n");
}

static void frame__drops_the_note_then_cuts_the_title__when_narrow(void **state)
{
	struct surface *out = offscreen_surface(*state);

	draw_frame(out, (struct rect){ 0, 0, 16, 2 }, "Jobs", "3 of 5", false);
	assert_string_equal(offscreen_line(*state, 0), "┌ Jobs ────────┐");
	draw_frame(out, (struct rect){ 0, 2, 7, 2 }, "Preferences", NULL, false);
	assert_string_equal(offscreen_line(*state, 2), "┌ Pr… ┐");
	draw_frame(out, (struct rect){ 0, 4, 3, 2 }, "Jobs", "x", true);
	assert_string_equal(offscreen_line(*state, 4), "┌─┐");
}

static void frame__is_ascii__with_ascii(void **state)
{
	draw_frame(offscreen_surface(*state), (struct rect){ 0, 0, 24, 3 }, "Jobs", "3 of 5",
		   false);
	assert_string_equal(offscreen_text(*state), "+ Jobs -------- 3 of 5 +\n"
						    "|                      |\n"
						    "+----------------------+\n\n\n\n");
	chart_bar(offscreen_surface(*state), (struct rect){ 0, 4, 10, 1 }, 500);
	assert_string_equal(offscreen_line(*state, 4), "#####-----");
	static const int16_t steps[] = { CHART_HOLE, 0, 143, 286, 429, 572, 715, 858, 1000 };
	chart_sparkline(offscreen_surface(*state), (struct rect){ 0, 5, 9, 1 }, steps, 9);
	assert_string_equal(offscreen_line(*state, 5), " .:-=+*#@");
}

static void bar__is_full__only_at_its_end(void **state)
{
	static const struct {
		int permille;
		const char *shown;
	} rows[] = { { -5, "░░░░░░░░░░" },   { 0, "░░░░░░░░░░" },    { 99, "░░░░░░░░░░" },
		     { 100, "▓░░░░░░░░░" },  { 555, "▓▓▓▓▓░░░░░" },  { 999, "▓▓▓▓▓▓▓▓▓░" },
		     { 1000, "▓▓▓▓▓▓▓▓▓▓" }, { 99999, "▓▓▓▓▓▓▓▓▓▓" } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		chart_bar(offscreen_surface(*state), (struct rect){ 0, 0, 10, 1 },
			  rows[i].permille);
		assert_string_equal(offscreen_line(*state, 0), rows[i].shown);
	}
}

/* A value of 0 has the lowest bar; more values than columns are means. */
static void sparkline__tells_a_value_from_a_hole(void **state)
{
	static const int16_t values[] = { CHART_HOLE, 0, 142, 143, 500, 999, 1000, 2000 };
	static const int16_t shared[] = { 0, 1000, CHART_HOLE, 400 };
	struct surface *out = offscreen_surface(*state);
	chart_sparkline(out, (struct rect){ 0, 0, 10, 1 }, values, ARRAY_LEN(values));
	assert_string_equal(offscreen_line(*state, 0), " ▁▁▂▄▇██");
	chart_sparkline(out, (struct rect){ 0, 1, 2, 1 }, shared, ARRAY_LEN(shared));
	assert_string_equal(offscreen_line(*state, 1), "▄▃");
}

/* Dots worked out by hand: a cell is two by four of them, U+2800 and their bits. */
static void plot__is_a_line__with_gaps_where_nothing_is_known(void **state)
{
	static const struct {
		int16_t values[4];
		int count, columns;
		const char *shown;
	} rows[] = {
		{ { 0, 333, 667, 1000 }, 4, 2, "⡠⠊" },
		{ { 0, 1000 }, 2, 1, "⡸" },                          /* joined */
		{ { 1000, CHART_HOLE, CHART_HOLE, 0 }, 4, 2, "⠁⢀" }, /* parted */
		{ { 0, 1000, 500, 500 }, 4, 1, "⡗" }, /* from the least to the most */
		{ { 1000 }, 1, 3, "⠉⠉⠉" },
		{ { CHART_HOLE }, 1, 2, "" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		offscreen_clear(*state);
		chart_plot(offscreen_surface(*state), (struct rect){ 0, 0, rows[i].columns, 1 },
			   STYLE_BAR, rows[i].values, rows[i].count);
		assert_string_equal(offscreen_line(*state, 0), rows[i].shown);
	}
	offscreen_clear(*state);
	chart_plot(offscreen_surface(*state), (struct rect){ 0, 0, 2, 2 }, STYLE_BAR,
		   rows[0].values, 4);
	/* Eight dots high: rows 7, 5, 2 and 0 from above, joined upwards. */
	assert_string_equal(offscreen_line(*state, 0), " ⡜");
	assert_string_equal(offscreen_line(*state, 1), "⡰⠁");
}

static void plot__has_two_dots_a_cell__with_ascii(void **state)
{
	static const int16_t values[] = { 0, 1000, 499, CHART_HOLE, 0, 1000, 1000 };
	chart_plot(offscreen_surface(*state), (struct rect){ 0, 0, 4, 1 }, STYLE_BAR, values, 4);
	assert_string_equal(offscreen_line(*state, 0), ".'.");
	chart_plot(offscreen_surface(*state), (struct rect){ 0, 1, 1, 1 }, STYLE_BAR, values, 2);
	assert_string_equal(offscreen_line(*state, 1), ":");
}

static void highlight__keeps_the_text__and_changes_its_look(void **state)
{
	struct surface *out = offscreen_surface(*state);

	draw_text(out, (struct rect){ 0, 0, 10, 1 }, STYLE_RUNNING, "训练 running");
	draw_highlight(out, (struct rect){ 2, 0, 5, 1 }, STYLE_SELECTED);
	assert_string_equal(offscreen_line(*state, 0), "训练 runn…");
	assert_true(offscreen_has_style(*state, 0, 0, STYLE_RUNNING));
	assert_true(offscreen_has_style(*state, 2, 0, STYLE_SELECTED));
	assert_true(offscreen_has_style(*state, 6, 0, STYLE_SELECTED));
	assert_true(offscreen_has_style(*state, 7, 0, STYLE_RUNNING));
}

static void cursor__is_asked_for__each_frame_anew(void **state)
{
	int x, y;

	assert_false(offscreen_cursor(*state, &x, &y));
	draw_cursor(offscreen_surface(*state), 3, 2);
	assert_true(offscreen_cursor(*state, &x, &y));
	assert_int_equal(x, 3);
	assert_int_equal(y, 2);
	draw_cursor(offscreen_surface(*state), COLUMNS, 2);
	assert_false(offscreen_cursor(*state, &x, &y));
	draw_cursor(offscreen_surface(*state), 3, 2);
	offscreen_clear(*state);
	assert_false(offscreen_cursor(*state, &x, &y));
}

/* Every mark is one column, in both sets. */
static void glyphs__take_one_column__each(void **state)
{
	for (int glyph = 0; glyph < GLYPH_COUNT; glyph++)
		assert_int_equal(text_width(
					 draw_glyph(offscreen_surface(*state), (enum glyph)glyph)),
				 1);
}

/* Case 124: a role must be told apart from plain text without colours where its word alone does
 * not. */
static void style__uses_attributes_alone__without_colours(void **state)
{
	static const enum style told[] = { STYLE_SELECTED, STYLE_ERROR,  STYLE_WARNING,
					   STYLE_FAILED,   STYLE_COLUMN, STYLE_TITLE_FOCUS };
	static const char *const terms[] = { "vt100", "xterm-256color" };

	(void)state;
	for (size_t t = 0; t < ARRAY_LEN(terms); t++) {
		struct offscreen *off = offscreen_open(&(struct offscreen_options){
			.columns = 10, .lines = 2, .term = terms[t], .no_color = t == 1 });
		for (int style = 0; style < STYLE_COUNT; style++) {
			unsigned attributes = offscreen_style(off, (enum style)style);
			draw_text(offscreen_surface(off), (struct rect){ 0, 0, 4, 1 },
				  (enum style)style, "abcd");
			assert_int_equal(offscreen_attributes(off, 0, 0), attributes);
			assert_int_equal(attributes & 0xff00u, 0); /* no pair */
		}
		for (size_t i = 0; i < ARRAY_LEN(told); i++)
			assert_int_not_equal(offscreen_style(off, told[i]),
					     offscreen_style(off, STYLE_TEXT));
		offscreen_free(off);
	}
}

static void style__has_a_pair_for_each_role__with_8_colours_and_with_256(void **state)
{
	static const char *const terms[] = { "xterm", "linux", "xterm-256color", "tmux-256color",
					     "screen" };

	(void)state;
	for (size_t t = 0; t < ARRAY_LEN(terms); t++) {
		struct offscreen *off = offscreen_open(
			&(struct offscreen_options){ .columns = 10, .lines = 2, .term = terms[t] });
		for (int style = 0; style < STYLE_COUNT; style++)
			assert_int_not_equal(offscreen_style(off, (enum style)style) & 0xff00u, 0);
		assert_int_not_equal(offscreen_style(off, STYLE_FAILED),
				     offscreen_style(off, STYLE_RUNNING));
		offscreen_free(off);
	}
}

#define DRAW_TEST(name)  cmocka_unit_test_setup_teardown(name, setup, teardown)
#define ASCII_TEST(name) cmocka_unit_test_setup_teardown(name, setup_ascii, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DRAW_TEST(text__is_cut_and_padded__to_its_rectangle),
		DRAW_TEST(text__is_formatted__within_its_limit),
		DRAW_TEST(text__is_harmless__whatever_it_is),
		ASCII_TEST(text__is_ascii_alone__with_ascii),
		DRAW_TEST(text__has_no_mark__in_the_lower_right_corner),
		DRAW_TEST(text__keeps_its_columns__with_doubtful_widths),
		DRAW_TEST(page_line__marks__what_curses_measures_otherwise),
		DRAW_TEST(shapes__never_leave_their_rectangle__wherever_it_lies),
		ASCII_TEST(shapes__never_leave_their_rectangle__wherever_it_lies),
		DRAW_TEST(text__never_splits_a_wide_character__at_an_edge),
		DRAW_TEST(wrapped__tells_the_lines__it_would_need),
		DRAW_TEST(frame__has_title_note_and_focus__without_colour),
		DRAW_TEST(frame__drops_the_note_then_cuts_the_title__when_narrow),
		ASCII_TEST(frame__is_ascii__with_ascii),
		DRAW_TEST(bar__is_full__only_at_its_end),
		DRAW_TEST(sparkline__tells_a_value_from_a_hole),
		DRAW_TEST(plot__is_a_line__with_gaps_where_nothing_is_known),
		ASCII_TEST(plot__has_two_dots_a_cell__with_ascii),
		DRAW_TEST(highlight__keeps_the_text__and_changes_its_look),
		DRAW_TEST(cursor__is_asked_for__each_frame_anew),
		DRAW_TEST(glyphs__take_one_column__each),
		ASCII_TEST(glyphs__take_one_column__each),
		cmocka_unit_test(style__uses_attributes_alone__without_colours),
		cmocka_unit_test(style__has_a_pair_for_each_role__with_8_colours_and_with_256),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
