#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/text.h"
#include "tests/offscreen.h"
#include "tui/pager.h"
#include "tui/wrap.h"

/* Wraps text, lines joined by '|'. */
static const char *wrapped(const char *text, int columns)
{
	static char all[1024];
	size_t at = 0, len = strlen(text), used = 0;

	while (at < len) {
		size_t next;
		size_t bytes = wrap_line(text + at, len - at, columns, &next);
		assert_true(next > 0 && bytes <= next && used + bytes + 2 < sizeof(all));
		if (at > 0)
			all[used++] = '|';
		memcpy(all + used, text + at, bytes);
		used += bytes;
		at += next;
	}
	all[used] = '\0';
	return all;
}

static void wrap__breaks_at_blanks__and_cuts_long_words(void **state)
{
	(void)state;
	assert_string_equal(wrapped("the quick brown fox", 9), "the quick|brown fox");
	assert_string_equal(wrapped("the quick brown fox", 10), "the quick|brown fox");
	assert_string_equal(wrapped("the quick brown fox", 8), "the|quick|brown|fox");
	assert_string_equal(wrapped("internationalisation of", 10), "internatio|nalisation|of");
	assert_string_equal(wrapped("a internationalisation", 5), "a|inter|natio|nalis|ation");
	assert_string_equal(wrapped("one   two", 4), "one|two");
	assert_string_equal(wrapped("  indented text", 10), "  indented|text");
	assert_string_equal(wrapped("  indentation", 6), "  inde|ntatio|n");
	assert_string_equal(wrapped("trailing   ", 8), "trailing");
	assert_string_equal(wrapped("训练任务", 4), "训练|任务");
	assert_string_equal(wrapped("训练任务", 5), "训练|任务");
	assert_string_equal(wrapped("训练", 1), "训|练");
	assert_string_equal(wrapped("ab", 0), "a|b");
	assert_string_equal(wrapped("e\xcc\x81"
				    "e\xcc\x81",
				    1),
			    "e\xcc\x81|e\xcc\x81");
}

static void wrap__loses_nothing_but_blanks__at_any_width(void **state)
{
	static const char text[] = "  one twothree  训练任务 four   fiv é six ";
	char squeezed[128], out[128];

	(void)state;
	for (int columns = 1; columns < 50; columns++) {
		size_t a = 0, b = 0;
		const char *lines = wrapped(text, columns);
		for (const char *at = text; *at; at++)
			if (*at != ' ')
				squeezed[a++] = *at;
		for (const char *at = lines; *at; at++)
			if (*at != ' ' && *at != '|')
				out[b++] = *at;
		assert_int_equal(a, b);
		assert_memory_equal(squeezed, out, a);
	}
}

static const char lines10[] = "l0\nl1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nl9";

static void draw__shows_a_window__that_scrolls_to_its_ends(void **state)
{
	struct offscreen *off = offscreen_new(10, 4);
	struct surface *out = offscreen_surface(off);
	struct rect at = { 1, 0, 8, 4 };
	struct pager pager = { 0 };

	(void)state;
	pager_draw(&pager, out, at, lines10);
	assert_string_equal(offscreen_text(off), " l0\n l1\n l2\n l3\n");
	assert_int_equal(pager.lines, 10);
	pager_scroll(&pager, 3);
	pager_draw(&pager, out, at, lines10);
	assert_string_equal(offscreen_text(off), " l3\n l4\n l5\n l6\n");
	pager_scroll(&pager, LONG_MAX);
	assert_int_equal(pager.top, 6);
	pager_scroll(&pager, LONG_MIN);
	assert_int_equal(pager.top, 0);
	pager_to_end(&pager);
	pager_draw(&pager, out, at, lines10);
	assert_string_equal(offscreen_text(off), " l6\n l7\n l8\n l9\n");
	/* The text became shorter under it. */
	pager_draw(&pager, out, at, "l0\nl1\n");
	assert_string_equal(offscreen_text(off), " l0\n l1\n\n\n");
	assert_int_equal(pager.top, 0);
	offscreen_free(off);
}

static void end__stays_in_sight__until_scrolled(void **state)
{
	struct offscreen *off = offscreen_new(10, 4);
	struct pager pager = { 0 };

	(void)state;
	pager_to_end(&pager);
	pager_draw(&pager, offscreen_surface(off), (struct rect){ 0, 0, 10, 4 }, lines10);
	assert_int_equal(pager.top, 6); /* typed ahead of the first draw */
	pager_draw(&pager, offscreen_surface(off), (struct rect){ 0, 0, 10, 4 },
		   "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n");
	assert_int_equal(pager.top, 8); /* two more came in */
	pager_scroll(&pager, -1);
	pager_draw(&pager, offscreen_surface(off), (struct rect){ 0, 0, 10, 4 },
		   "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
	assert_int_equal(pager.top, 7);
	offscreen_free(off);
}

static void draw__keeps_empty_lines_and_tabs__and_wraps(void **state)
{
	struct offscreen *off = offscreen_new(12, 7);
	struct pager pager = { 0 };

	(void)state;
	pager_draw(&pager, offscreen_surface(off), (struct rect){ 0, 0, 12, 7 },
		   "a\n\n\tb\none two three four\n\n");
	assert_string_equal(offscreen_text(off), "a\n\n        b\none two\nthree four\n\n\n");
	assert_int_equal(pager.lines, 6);
	offscreen_free(off);
}

static void draw__shows_all_characters__but_no_controls(void **state)
{
	struct offscreen *off = offscreen_new(40, 2);
	struct pager pager = { 0 };

	(void)state;
	pager_draw(&pager, offscreen_surface(off), (struct rect){ 0, 0, 40, 2 },
		   "a\x1b[2Jb\rc\xc2\x9b"
		   "d\xe2\x80\xae"
		   "e\xff"
		   "f\x7f"
		   "g 训练 ⚠ h");
	const char *line = offscreen_line(off, 0);
	assert_string_equal(line, "a·[2Jb·c·d·e\xef\xbf\xbd"
				  "f·g 训练 ⚠ h");
	offscreen_free(off);
}

static void draw__survives__any_size_and_an_empty_text(void **state)
{
	struct offscreen *off = offscreen_new(20, 8);
	struct pager pager = { 0 };

	(void)state;
	for (int w = -1; w <= 20; w++)
		for (int h = -1; h <= 8; h++) {
			pager_draw(&pager, offscreen_surface(off), (struct rect){ 0, 0, w, h },
				   "训练任务 internationalisation\n\n\n训");
			pager_scroll(&pager, 2);
		}
	pager_draw(&pager, offscreen_surface(off), (struct rect){ 0, 0, 20, 8 }, "");
	assert_int_equal(pager.lines, 0);
	assert_int_equal(pager.top, 0);
	assert_string_equal(offscreen_text(off), "\n\n\n\n\n\n\n\n");
	offscreen_free(off);
}

/* --- search --- */

/* Draws 4 lines of 10 columns; tells the top line. */
static size_t draw(struct offscreen *off, struct pager *pager, const char *text)
{
	offscreen_clear(off);
	pager_draw(pager, offscreen_surface(off), (struct rect){ 0, 0, 10, 4 }, text);
	return pager->top;
}

static void assert_marked(struct offscreen *off, int y, const char *cells)
{
	for (int x = 0; cells[x]; x++)
		assert_int_equal(offscreen_has_style(off, x, y, STYLE_SELECTED), cells[x] == '#');
}

static const char lines20[] = "l0\nl1 key\nl2\nl3\nl4\nl5\nl6\nl7\nl8 Key\nl9\n"
			      "l10\nl11\nl12\nl13\nl14 KEY key\nl15\nl16\nl17\nl18\nl19\n";

static void search__goes_from_match_to_match__round_the_end(void **state)
{
	struct offscreen *off = offscreen_new(10, 4);
	struct pager pager = { 0 };

	(void)state;
	draw(off, &pager, lines20);
	pager_step(&pager, 1); /* nothing is searched for */
	assert_int_equal(draw(off, &pager, lines20), 0);
	assert_int_equal(pager.matches, 0);
	pager_find(&pager, "key");
	assert_int_equal(draw(off, &pager, lines20), 0); /* line 1 is in sight */
	assert_int_equal(pager.matches, 4);
	assert_int_equal(pager.match, 1);
	assert_marked(off, 1, "...###....");
	assert_marked(off, 2, "..........");
	pager_step(&pager, 1);
	assert_int_equal(draw(off, &pager, lines20), 7); /* line 8 with one before it */
	assert_int_equal(pager.match, 2);
	pager_step(&pager, 1);
	assert_int_equal(draw(off, &pager, lines20), 13);
	assert_marked(off, 1,
		      "....###..."); /* eleven columns: the second one is on the line below */
	assert_marked(off, 2, "###.......");
	pager_step(&pager, 1);
	pager_step(&pager, 1); /* one draw, one step */
	assert_int_equal(draw(off, &pager, lines20), 13);
	assert_int_equal(pager.match, 4);
	pager_step(&pager, 1);
	assert_int_equal(draw(off, &pager, lines20), 0);
	assert_int_equal(pager.match, 1);
	pager_step(&pager, -1);
	draw(off, &pager, lines20);
	assert_int_equal(pager.match, 4);
	offscreen_free(off);
}

static void search__begins_at_what_is_in_sight__after_scrolling(void **state)
{
	struct offscreen *off = offscreen_new(10, 4);
	struct pager pager = { 0 };

	(void)state;
	draw(off, &pager, lines20);
	pager_scroll(&pager, 5);
	pager_find(&pager, "key");
	draw(off, &pager, lines20);
	assert_int_equal(pager.match, 2);
	pager_scroll(&pager, 100); /* beyond all of them: round the end */
	pager_find(&pager, "l1 key");
	draw(off, &pager, lines20);
	assert_int_equal(pager.match, 1);
	assert_int_equal(pager.matches, 1);
	pager_find(&pager, "key");
	draw(off, &pager, lines20);
	pager_scroll(&pager, 6); /* the first is out of sight: n looks below */
	pager_step(&pager, 1);
	draw(off, &pager, lines20);
	assert_int_equal(pager.match, 2);
	pager_scroll(&pager, 3); /* lines 10 to 13: N looks above */
	pager_step(&pager, -1);
	draw(off, &pager, lines20);
	assert_int_equal(pager.match, 2);
	offscreen_free(off);
}

static void search__heeds_capitals__only_where_some_are_typed(void **state)
{
	struct offscreen *off = offscreen_new(10, 4);
	struct pager pager = { 0 };

	(void)state;
	pager_find(&pager, "Key");
	draw(off, &pager, lines20);
	assert_int_equal(pager.matches, 1);
	assert_int_equal(pager.top, 7);
	pager_find(&pager, "KEY");
	draw(off, &pager, lines20);
	assert_int_equal(pager.matches, 1);
	pager_find(&pager, "none of it");
	draw(off, &pager, lines20);
	assert_int_equal(pager.matches, 0);
	assert_int_equal(pager.match, 0);
	pager_step(&pager, 1);
	draw(off, &pager, lines20);
	assert_int_equal(pager.match, 0);
	pager_find(&pager, "");
	draw(off, &pager, lines20);
	assert_int_equal(pager.matches, 0);
	offscreen_free(off);
}

/* A match that is broken between two lines is one match, marked on both. */
static void search__finds_over_a_break__and_wide_characters(void **state)
{
	static const char text[] = "训练 job of team red and blue\n";
	struct offscreen *off = offscreen_new(10, 4);
	struct pager pager = { 0 };

	(void)state;
	pager_find(&pager, "of team red");
	draw(off, &pager, text);
	assert_string_equal(offscreen_text(off), "训练 job\nof team\nred and\nblue\n");
	assert_int_equal(pager.matches, 1);
	assert_marked(off, 0, "..........");
	assert_marked(off, 1, "#######...");
	assert_marked(off, 2, "###.......");
	pager_find(&pager, "job");
	draw(off, &pager, text);
	assert_marked(off, 0, ".....###..");
	pager_find(&pager, "练");
	draw(off, &pager, text);
	assert_marked(off, 0, "..##......");
	offscreen_free(off);
}

static void search__is_bounded__for_long_words_and_texts(void **state)
{
	struct offscreen *off = offscreen_new(10, 4);
	struct pager pager = { 0 };
	char word[600];

	(void)state;
	for (size_t i = 0; i + 3 < sizeof(word); i += 3)
		memcpy(word + i, "训", 3);
	word[597] = '\0';
	pager_find(&pager, word); /* cut between characters */
	assert_int_equal(strlen(pager.find), 255);
	draw(off, &pager, word);
	assert_int_equal(pager.matches, 2);
	for (int i = 0; i < 5; i++) {
		pager_step(&pager, 1);
		draw(off, &pager, i % 2 ? "" : word);
	}
	offscreen_free(off);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrap__breaks_at_blanks__and_cuts_long_words),
		cmocka_unit_test(wrap__loses_nothing_but_blanks__at_any_width),
		cmocka_unit_test(draw__shows_a_window__that_scrolls_to_its_ends),
		cmocka_unit_test(end__stays_in_sight__until_scrolled),
		cmocka_unit_test(draw__keeps_empty_lines_and_tabs__and_wraps),
		cmocka_unit_test(draw__shows_all_characters__but_no_controls),
		cmocka_unit_test(draw__survives__any_size_and_an_empty_text),
		cmocka_unit_test(search__goes_from_match_to_match__round_the_end),
		cmocka_unit_test(search__begins_at_what_is_in_sight__after_scrolling),
		cmocka_unit_test(search__heeds_capitals__only_where_some_are_typed),
		cmocka_unit_test(search__finds_over_a_break__and_wide_characters),
		cmocka_unit_test(search__is_bounded__for_long_words_and_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
