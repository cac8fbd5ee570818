#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/text.h"
#include "tests/offscreen.h"
#include "tui/past.h"
#include "tui/prompt.h"

static enum prompt_result press(struct prompt *prompt, const char *name)
{
	struct key key = { 0 };

	assert_true(key_parse(name, &key));
	return prompt_feed(prompt, key, NULL);
}

static void type(struct prompt *prompt, const char *text)
{
	for (; *text; text++)
		assert_int_equal(prompt_feed(prompt, (struct key){ .code = (unsigned char)*text },
					     NULL),
				 PROMPT_MORE);
}

/* The text with '|' where the cursor is. */
static const char *shown(const struct prompt *prompt)
{
	static char text[PROMPT_SIZE + 1];

	memcpy(text, prompt->text, prompt->cursor);
	text[prompt->cursor] = '|';
	memcpy(text + prompt->cursor + 1, prompt->text + prompt->cursor,
	       strlen(prompt->text + prompt->cursor) + 1);
	assert_int_equal(prompt->len, strlen(prompt->text));
	return text;
}

static void start__puts_the_cursor_last__after_the_initial_text(void **state)
{
	struct prompt prompt;

	(void)state;
	prompt_start(&prompt, "filter: ", "p5");
	assert_string_equal(prompt.label, "filter: ");
	assert_string_equal(shown(&prompt), "p5|");
	prompt_start(&prompt, "", NULL);
	assert_string_equal(shown(&prompt), "|");
}

static void keys__edit__as_in_a_shell(void **state)
{
	static const struct {
		const char *key, *after;
	} rows[] = {
		{ "Left", "one two thre|e" },
		{ "x", "one two threx|e" },
		{ "Backspace", "one two thre|e" },
		{ "Delete", "one two thre|" },
		{ "Delete", "one two thre|" },
		{ "Home", "|one two thre" },
		{ "Left", "|one two thre" },
		{ "Backspace", "|one two thre" },
		{ "Right", "o|ne two thre" },
		{ "C-e", "one two thre|" },
		{ "Right", "one two thre|" },
		{ "C-w", "one two |" },
		{ "C-w", "one |" },
		{ "End", "one |" },
		{ "Space", "one  |" },
		{ "Left", "one | " },
		{ "Left", "one|  " },
		{ "C-k", "one|" },
		{ "Up", "one|" },
		{ "Tab", "one|" },
		{ "A-x", "one|" },
		{ "C-x", "one|" },
		{ "F5", "one|" },
		{ "S-Left", "one|" },
		{ "C-u", "|" },
		{ "C-w", "|" },
	};
	struct prompt prompt;

	(void)state;
	prompt_start(&prompt, "", "one two three");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(press(&prompt, rows[i].key), PROMPT_MORE);
		assert_string_equal(shown(&prompt), rows[i].after);
	}
}

static void keys__move_over_whole_characters__with_their_marks(void **state)
{
	struct prompt prompt;

	(void)state;
	prompt_start(&prompt, "", "a训e\xcc\x81z");
	(void)press(&prompt, "Left");
	(void)press(&prompt, "Left");
	assert_string_equal(shown(&prompt), "a训|e\xcc\x81z");
	(void)press(&prompt, "Delete");
	assert_string_equal(shown(&prompt), "a训|z");
	(void)press(&prompt, "Backspace");
	assert_string_equal(shown(&prompt), "a|z");
	(void)press(&prompt, "é");
	assert_string_equal(shown(&prompt), "aé|z");
}

static void keys__end_it__by_enter_or_by_leaving(void **state)
{
	struct prompt prompt;

	(void)state;
	prompt_start(&prompt, "", "x");
	assert_int_equal(press(&prompt, "Enter"), PROMPT_DONE);
	assert_int_equal(press(&prompt, "Esc"), PROMPT_CANCEL);
	assert_int_equal(press(&prompt, "C-c"), PROMPT_CANCEL);
	assert_int_equal(press(&prompt, "C-g"), PROMPT_CANCEL);
	assert_string_equal(shown(&prompt), "x|");
}

static void paste__goes_in_without_its_controls__and_never_enters(void **state)
{
	struct key paste = { .code = KEY_CODE_PASTE };
	struct prompt prompt;

	(void)state;
	prompt_start(&prompt, "", "<>");
	(void)press(&prompt, "Left");
	assert_int_equal(prompt_feed(&prompt, paste,
				     "a\r\n\tb\x1b[31m\x7f\xc2\x9b\xe2\x80\xae\xff\x03"
				     "c\xe2\x80\xa8"),
			 PROMPT_MORE);
	assert_string_equal(shown(&prompt), "<ab[31mc|>");
	assert_int_equal(prompt_feed(&prompt, paste, NULL), PROMPT_MORE);
}

static void text__is_bounded__and_never_cut_within_a_character(void **state)
{
	struct key paste = { .code = KEY_CODE_PASTE };
	struct prompt prompt;
	char text[PROMPT_SIZE * 2 + 1];

	(void)state;
	prompt_start(&prompt, "", "");
	for (size_t i = 0; i < sizeof(text) - 1; i += 2)
		memcpy(text + i, "é", 2);
	text[sizeof(text) - 1] = '\0';
	(void)prompt_feed(&prompt, paste, text);
	assert_int_equal(prompt.len, PROMPT_SIZE - 2);
	assert_int_equal(prompt.text[PROMPT_SIZE - 2], '\0');
	type(&prompt, "abc");
	assert_int_equal(prompt.len, PROMPT_SIZE - 1);
	assert_int_equal(prompt.text[PROMPT_SIZE - 2], 'a');
	/* A label that is too long, likewise: 63 bytes hold 31 of them. */
	prompt_start(&prompt, text, text);
	assert_int_equal(strlen(prompt.label), 62);
}

static void draw__shows_label_text_and_cursor__in_its_line(void **state)
{
	struct offscreen *off = offscreen_new(30, 3);
	struct prompt prompt;
	int x, y;

	(void)state;
	prompt_start(&prompt, "filter: ", "p5 训x");
	(void)press(&prompt, "Left");
	prompt_draw(&prompt, offscreen_surface(off), (struct rect){ 2, 1, 20, 1 });
	assert_string_equal(offscreen_text(off), "\n  filter: p5 训x\n\n");
	assert_true(offscreen_cursor(off, &x, &y));
	assert_int_equal(x, 2 + 8 + 5);
	assert_int_equal(y, 1);
	offscreen_free(off);
}

/* What is wrong is seen without colours; what is missing at the end, in the cell behind it. */
static void draw__shows__the_part_that_is_wrong(void **state)
{
	static const struct {
		size_t at, len;
		int from, to; /* columns of the text that look otherwise than the first one */
	} rows[] = { { 3, 2, 3, 5 }, { 6, 1, 6, 7 }, { 4, 99, 4, 6 } };
	struct prompt prompt;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct offscreen *off = offscreen_new(30, 1);
		prompt_start(&prompt, "f: ", "ab wat");
		prompt.wrong_at = rows[i].at;
		prompt.wrong_len = rows[i].len;
		prompt_draw(&prompt, offscreen_surface(off), (struct rect){ 0, 0, 30, 1 });
		for (int x = 0; x < 10; x++)
			assert_int_equal(offscreen_has_style(off, 3 + x, 0, STYLE_ERROR),
					 x >= rows[i].from && x < rows[i].to);
		offscreen_free(off);
	}
}

/* As a shell has it: back to the oldest, and forth to what was being typed. */
static void past__goes_back_and_forth__and_keeps_what_is_typed(void **state)
{
	struct past past = { 0 };
	struct prompt prompt;
	struct key up = { 0 }, down = { 0 };
	char line[32];

	(void)state;
	assert_true(key_parse("Up", &up) && key_parse("C-n", &down));
	past_add(&past, "one");
	past_add(&past, "two");
	past_add(&past, "");
	past_add(&past, "one"); /* each once: it is the newest now */
	assert_int_equal(past.count, 2);
	prompt_start(&prompt, "f: ", "typed");
	past_begin(&past);
	assert_false(past_feed(&past, &prompt, (struct key){ .code = 'x' }));
	assert_true(past_feed(&past, &prompt, down));
	assert_string_equal(shown(&prompt), "typed|");
	assert_true(past_feed(&past, &prompt, up));
	assert_string_equal(shown(&prompt), "one|");
	assert_true(past_feed(&past, &prompt, up));
	assert_true(past_feed(&past, &prompt, up)); /* there is no older one */
	assert_string_equal(shown(&prompt), "two|");
	assert_true(past_feed(&past, &prompt, down));
	assert_true(past_feed(&past, &prompt, down));
	assert_string_equal(shown(&prompt), "typed|");
	for (int i = 0; i < 2 * PAST_MAX; i++) {
		assert_true(snprintf(line, sizeof(line), "%d", i) > 0);
		past_add(&past, line);
	}
	assert_int_equal(past.count, PAST_MAX);
	assert_string_equal(past.lines[PAST_MAX - 1], "99");
	past_release(&past);
}

static void draw__scrolls__so_that_the_cursor_stays_in(void **state)
{
	struct offscreen *off = offscreen_new(30, 1);
	struct prompt prompt;
	int x, y;

	(void)state;
	prompt_start(&prompt, "n: ", "");
	for (int length = 0; length < 60; length++) {
		for (int w = 1; w <= 30; w++) {
			offscreen_clear(off);
			prompt_draw(&prompt, offscreen_surface(off), (struct rect){ 0, 0, w, 1 });
			assert_true(offscreen_cursor(off, &x, &y));
			assert_in_range(x, 0, w - 1);
			assert_true(text_width(offscreen_line(off, 0)) <= w);
		}
		type(&prompt, "x");
	}
	offscreen_clear(off);
	prompt_start(&prompt, "n: ", "0123456789");
	prompt_draw(&prompt, offscreen_surface(off), (struct rect){ 0, 0, 8, 1 });
	assert_string_equal(offscreen_line(off, 0), "n: 6789");
	offscreen_free(off);
}

static void words__are_walked__by_alt_and_ctrl(void **state)
{
	struct prompt prompt;

	(void)state;
	prompt_start(&prompt, "", "one  two");
	(void)prompt_feed(&prompt, (struct key){ .code = 'b', .mods = KEY_ALT }, NULL);
	assert_int_equal(prompt.cursor, 5);
	(void)prompt_feed(&prompt, (struct key){ .code = KEY_CODE_LEFT, .mods = KEY_CTRL }, NULL);
	assert_int_equal(prompt.cursor, 0);
	(void)prompt_feed(&prompt, (struct key){ .code = 'f', .mods = KEY_ALT }, NULL);
	assert_int_equal(prompt.cursor, 3);
	(void)prompt_feed(&prompt, (struct key){ .code = KEY_CODE_RIGHT, .mods = KEY_CTRL }, NULL);
	assert_int_equal(prompt.cursor, 8);
	assert_string_equal(prompt.text, "one  two");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words__are_walked__by_alt_and_ctrl),
		cmocka_unit_test(start__puts_the_cursor_last__after_the_initial_text),
		cmocka_unit_test(keys__edit__as_in_a_shell),
		cmocka_unit_test(keys__move_over_whole_characters__with_their_marks),
		cmocka_unit_test(keys__end_it__by_enter_or_by_leaving),
		cmocka_unit_test(paste__goes_in_without_its_controls__and_never_enters),
		cmocka_unit_test(text__is_bounded__and_never_cut_within_a_character),
		cmocka_unit_test(draw__shows_label_text_and_cursor__in_its_line),
		cmocka_unit_test(draw__shows__the_part_that_is_wrong),
		cmocka_unit_test(past__goes_back_and_forth__and_keeps_what_is_typed),
		cmocka_unit_test(draw__scrolls__so_that_the_cursor_stays_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
