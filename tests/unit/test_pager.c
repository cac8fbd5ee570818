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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrap__breaks_at_blanks__and_cuts_long_words),
		cmocka_unit_test(wrap__loses_nothing_but_blanks__at_any_width),
		cmocka_unit_test(draw__shows_a_window__that_scrolls_to_its_ends),
		cmocka_unit_test(draw__keeps_empty_lines_and_tabs__and_wraps),
		cmocka_unit_test(draw__shows_all_characters__but_no_controls),
		cmocka_unit_test(draw__survives__any_size_and_an_empty_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
