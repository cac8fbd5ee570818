#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/typed.h"
#include "tui/input.h"

static int setup(void **state)
{
	*state = input_new();
	return *state == NULL;
}

static int teardown(void **state)
{
	input_free(*state);
	return 0;
}

/* names */

static void name__survives__parse_and_format(void **state)
{
	static const char *const names[] = { "j",    "J",     "C-d",     "A-Up",   "S-Tab",
					     "F5",   "F12",   "Space",   "Enter",  "Esc",
					     "PgUp", "PgDn",  "C-A-x",   "-",      "C--",
					     "A--",  "é",     "C-Space", "$",      "C-S-Up",
					     "A-F7", "Paste", "S",       "A-S-End" };
	char out[KEY_NAME_SIZE];
	struct key key;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		assert_true(key_parse(names[i], &key));
		key_format(key, out);
		assert_string_equal(out, names[i]);
	}
	assert_true(key_parse("A-C-x", &key));
	key_format(key, out);
	assert_string_equal(out, "C-A-x");
}

static void name__is_refused__when_no_terminal_sends_it(void **state)
{
	static const char *const names[] = { "",    "C-",     "jj",    "up",  "S-j",  "C-D",
					     "F13", "F0",     "C-C-x", " ",   "\x7f", "\x80",
					     "\t",  "Ctrl-x", "A-",    "C-A-" };
	struct key key;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_false(key_parse(names[i], &key));
}

/* plain bytes */

static void bytes__become_keys__as_typed(void **state)
{
	static const struct {
		const char *bytes, *names;
	} rows[] = {
		{ "jX$ ", "j X $ Space" },
		{ "\r", "Enter" },
		{ "\n", "Enter" },
		{ "\t", "Tab" },
		{ "\x7f", "Backspace" },
		{ "\b", "Backspace" },
		{ "\x01\x03\x04\x1a", "C-a C-c C-d C-z" },
		{ "\x1c\x1d\x1e\x1f", "C-\\ C-] C-^ C-_" },
		{ "\xc3\xa9\xe8\xae\xad\xf0\x9f\x98\x80", "é 训 😀" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		typed_feed(*state, rows[i].bytes, 0);
		assert_string_equal(typed_names(*state, 0), rows[i].names);
	}
	input_feed(*state, "\0", 1, 0);
	assert_string_equal(typed_names(*state, 0), "C-Space");
	assert_int_equal(input_wait_ms(*state, 0), -1);
}

static void utf8__is_put_together__across_reads(void **state)
{
	static const char *const bytes[] = { "\xf0", "\x9f", "\x98", "\x80" };

	for (size_t i = 0; i < ARRAY_LEN(bytes); i++)
		typed_feed(*state, bytes[i], (int64_t)i * 1000);
	assert_string_equal(typed_names(*state, 4000), "😀");
}

static void utf8__is_a_bad_key__when_broken(void **state)
{
	/* Overlong, surrogate, lone continuation, cut by ASCII, C1 control, beyond Unicode. */
	static const char *const rows[] = {
		"\xc0\xaf",     "\xed\xa0\x80", "\x80",
		"\xe8\xae",     "\xc2\x9b",     "\xf4\x90\x80\x80",
		"\xff\xfe\xfd", "\xe0\x80\x80", "\xf8\x88\x80\x80\x80"
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		typed_feed(*state, rows[i], 0);
		typed_feed(*state, "k", 0);
		const char *names = typed_names(*state, 0);
		size_t bad = 0;
		for (; strncmp(names, "Bad ", 4) == 0; bad++)
			names += 4;
		assert_string_equal(names, "k");
		assert_true(bad > 0);
	}
}

/* Esc and Alt */

/* Case 116. */
static void esc__acts__after_25_ms(void **state)
{
	typed_feed(*state, ESC, 100);
	assert_string_equal(typed_names(*state, 100), "");
	assert_int_equal(input_wait_ms(*state, 100), 25);
	assert_int_equal(input_wait_ms(*state, 110), 15);
	assert_string_equal(typed_names(*state, 124), "");
	assert_string_equal(typed_names(*state, 125), "Esc");
	assert_int_equal(input_wait_ms(*state, 125), -1);
}

static void esc__is_alt__with_a_byte_within_25_ms(void **state)
{
	typed_feed(*state, ESC "x", 0);
	assert_string_equal(typed_names(*state, 0), "A-x");
	typed_feed(*state, ESC, 100);
	typed_feed(*state, "X", 124);
	assert_string_equal(typed_names(*state, 124), "A-X");
	typed_feed(*state, ESC, 200);
	typed_feed(*state, "x", 225);
	assert_string_equal(typed_names(*state, 225), "Esc x");
	typed_feed(*state, ESC "\xc3\xa9" ESC "\r" ESC "\x7f", 1000);
	assert_string_equal(typed_names(*state, 1000), "A-é A-Enter A-Backspace");
}

static void esc__is_not_lost__before_bytes_that_are_no_character(void **state)
{
	static const struct {
		const char *bytes, *names;
	} rows[] = {
		{ ESC "\x92y", "Esc Bad y" },         { ESC "\xffy", "Esc Bad y" },
		{ ESC "\xc3y", "Esc Bad y" },         { ESC "\xc2\x9by", "Esc Bad y" },
		{ ESC "\xed\xa0\x80y", "Esc Bad y" }, { ESC "\xe2" ESC "y", "Esc Bad A-y" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		typed_feed(*state, rows[i].bytes, 1000);
		assert_string_equal(typed_names(*state, 1000), rows[i].names);
	}
}

static void esc__counts__when_pressed_twice(void **state)
{
	typed_feed(*state, ESC, 0);
	typed_feed(*state, ESC, 30);
	assert_string_equal(typed_names(*state, 60), "Esc Esc");
	typed_feed(*state, ESC ESC, 1000);
	assert_string_equal(typed_names(*state, 1030), "Esc Esc");
	typed_feed(*state, ESC ESC ESC, 2000);
	assert_string_equal(typed_names(*state, 2030), "Esc Esc Esc");
	typed_feed(*state, ESC "\x03\x03", 3000);
	assert_string_equal(typed_names(*state, 3000), "Esc C-c C-c");
}

static void esc__lets_other_keys_through__at_once(void **state)
{
	typed_feed(*state, ESC, 0);
	assert_string_equal(typed_names(*state, 25), "Esc");
	typed_feed(*state, "j", 26);
	assert_string_equal(typed_names(*state, 26), "j");
	/* A key in between ends the wait for a late sequence. */
	typed_feed(*state, "[A", 30);
	assert_string_equal(typed_names(*state, 30), "[ A");
	typed_feed(*state, ESC, 1000);
	assert_string_equal(typed_names(*state, 1325), "Esc");
	typed_feed(*state, "[A", 1325);
	assert_string_equal(typed_names(*state, 1325), "[ A");
}

/* sequences */

static void sequence__is_swallowed_whole__when_unknown(void **state)
{
	static const char *const rows[] = {
		"\x1b[E",                           /* keypad 5 */
		"\x1b[<0;35;12M",                   /* mouse, SGR */
		"\x1b[<0;35;12m",                   /* and its release */
		"\x1b[M !!",                        /* mouse, X10 */
		"\x1b[Mqqq",                        /* the same: no q may come out */
		"\x1b[32;10;20M",                   /* mouse, urxvt */
		"\x1b[I",                           /* focus */
		"\x1b[O",                           /* and lost */
		"\x1b[?1;2c",                       /* device attributes */
		"\x1b[>0;276;0c",                   /* secondary */
		"\x1b[12;40R",                      /* cursor position */
		"\x1b[?2026;2$y",                   /* mode report */
		"\x1b[105;5u",                      /* CSI u */
		"\x1b[27;5;105~",                   /* modifyOtherKeys */
		"\x1b[25~",                         /* F13 */
		"\x1b[99~",                         /* nobody's */
		"\x1b[1;2;3A",                      /* too many */
		"\x1b[1;77A",                       /* no such modifier */
		"\x1b[2;5A",                        /* not 1 */
		"\x1b[99999999999~",                /* too large */
		"\x1bO!",                           /* no such */
		"\x1b[201~",                        /* end of no paste */
		"\x1b]11;rgb:0000/0000/0000\x07",   /* colour report, BEL */
		"\x1b]11;rgb:0000/0000/0000\x1b\\", /* and with ST */
		"\x1bP>|tmux 3.3a\x1b\\",           /* version report */
		"\x1b[ q",                          /* blanks belong to it */
		"\x1b[111111111111111111111111111111111111111111111111111111111111111111111111111A",
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		typed_feed(*state, rows[i], 0);
		typed_feed(*state, "j", 0);
		assert_string_equal(typed_names(*state, 0), "j");
	}
}

static void alt__is_not_taken_for_a_report__when_it_stays_alone(void **state)
{
	typed_feed(*state, ESC "]", 0);
	assert_string_equal(typed_names(*state, 24), "");
	assert_string_equal(typed_names(*state, 25), "A-]");
	typed_feed(*state, "P", 26);
	assert_string_equal(typed_names(*state, 26), "P");
}

static void control__works__within_a_cut_sequence(void **state)
{
	static const char *const cuts[] = { "\x1b[",  "\x1b[1;",  "\x1bO",
					    "\x1b[[", "\x1b]11;", "\x1b[M!" };

	for (size_t i = 0; i < ARRAY_LEN(cuts); i++) {
		typed_feed(*state, cuts[i], 0);
		typed_feed(*state, "\x03\x03", 100);
		assert_string_equal(typed_names(*state, 100), "C-c C-c");
	}
	typed_feed(*state, "\x1b[1;", 1000);
	typed_feed(*state, "\x1b[B", 1100);
	assert_string_equal(typed_names(*state, 1100), "Down");
}

static void terminfo__teaches__what_no_grammar_knows(void **state)
{
	struct key up = { KEY_CODE_UP, 0 }, home = { KEY_CODE_HOME, 0 }, f1 = { KEY_CODE_F1, 0 };

	input_add_sequence(*state,
			   "\x1b"
			   "A",
			   up);                      /* vt52 */
	input_add_sequence(*state, "\x1b&h9", home); /* hp-like, four bytes */
	input_add_sequence(*state, "\x1b[192z", f1); /* sun */
	input_add_sequence(*state, "\b", up);        /* one byte: never */
	input_add_sequence(*state, "\x01@\r", up);   /* not by ESC: never */
	input_add_sequence(*state, NULL, up);
	typed_feed(*state,
		   "\x1b"
		   "A\x1b&h9\x1b[192z\b\x01@\r",
		   0);
	assert_string_equal(typed_names(*state, 0), "Up Home F1 Backspace C-a @ Enter");
	typed_feed(*state, ESC, 1000);
	typed_feed(*state, "A", 1100);
	assert_string_equal(typed_names(*state, 1100), "Esc");
	typed_feed(*state, ESC, 2000);
	typed_feed(*state, "&", 2100);
	typed_feed(*state, "h9", 2200);
	assert_string_equal(typed_names(*state, 2200), "Esc");
	typed_feed(*state, "\x1b&h8j", 3000);
	assert_string_equal(typed_names(*state, 3000), "j");
}

/* pastes */

static void paste__is_one_key__with_its_text(void **state)
{
	typed_feed(*state, "a\x1b[200~Xyyyy\x1b[201~b", 0);
	assert_string_equal(typed_names(*state, 0), "a Paste(Xyyyy) b");
	typed_feed(*state, "\x1b[200~\x1b[201~", 0);
	assert_string_equal(typed_names(*state, 0), "Paste()");
	typed_feed(*state, "\x1b[200~1\x1b[201~\x1b[200~2\x1b[201~", 0);
	assert_string_equal(typed_names(*state, 0), "Paste(1) Paste(2)");
}

static void paste__keeps_what_looks_like_keys__as_text(void **state)
{
	typed_feed(*state, "\x1b[200~a\x1b[A\x03\r\x1b[201\x1b[201x\x1b\x1b[201~j", 0);
	assert_string_equal(typed_names(*state, 0), "Paste(a\x1b[A\x03\r\x1b[201\x1b[201x\x1b) j");
}

static void paste__opens_late__after_esc(void **state)
{
	typed_feed(*state, ESC, 0);
	assert_string_equal(typed_names(*state, 200), "Esc");
	typed_feed(*state, "[2", 250);
	typed_feed(*state, "00~yes", 400);
	assert_string_equal(typed_names(*state, 500), "");
	typed_feed(*state, "\x1b", 600);
	typed_feed(*state, "[201~", 700);
	assert_string_equal(typed_names(*state, 700), "Paste(yes)");
}

static void paste__ends__after_two_seconds_of_silence(void **state)
{
	typed_feed(*state, "\x1b[200~ab", 0);
	typed_feed(*state, "cd", 1900);
	assert_int_equal(input_wait_ms(*state, 1900), 2000);
	assert_string_equal(typed_names(*state, 3899), "");
	assert_string_equal(typed_names(*state, 3900), "Paste(abcd)");
	typed_feed(*state, "j", 3901);
	assert_string_equal(typed_names(*state, 3901), "j");
}

/* The rest of an end that came too late must not become commands. */
static void paste__swallows_its_end__when_it_comes_after_the_silence(void **state)
{
	static const char end[] = "\x1b[201~";

	(void)state;
	for (size_t cut = 1; cut < sizeof(end) - 1; cut++) {
		struct input *input = input_new();
		typed_feed(input, "\x1b[200~ab", 0);
		input_feed(input, end, cut, 10);
		assert_string_equal(typed_names(input, 2010), "Paste(ab)");
		typed_feed(input, end + cut, 2200);
		typed_feed(input, "j", 2201);
		assert_string_equal(typed_names(input, 2201), "j");
		input_free(input);
	}
}

static void paste__is_cut_at_its_ceiling__and_swallowed_beyond(void **state)
{
	struct key key;

	typed_feed(*state, "\x1b[200~a", 0);
	for (unsigned i = 0; i < INPUT_PASTE_MAX; i++)
		typed_feed(*state, "\xc3\xa9", 0);
	typed_feed(*state, "SSS\x1b[201~j", 0);
	assert_true(input_next(*state, 0, &key));
	assert_int_equal(key.code, KEY_CODE_PASTE);
	size_t len = strlen(input_paste(*state));
	assert_true(len <= INPUT_PASTE_MAX && len >= INPUT_PASTE_MAX - 2);
	assert_int_equal((unsigned char)input_paste(*state)[len - 1] == 0xa9, len % 2);
	assert_string_equal(typed_names(*state, 0), "j");
}

/* throwing away */

static void discard__drops_keys__queued_or_half_read(void **state)
{
	/* A paste that only opens afterwards is a paste; it answers nothing either. */
	static const char *const rows[][3] = {
		{ "yyy", "", "" },
		{ "\x1b[1;", "5A", "" },
		{ "\x1b[", "24~", "" },
		{ "\x1bO", "P", "" },
		{ "\x1b", "[A", "" },
		{ "\x1b[20", "0~yy\x1b[201~", "Paste(yy)" },
		{ "\x1b[200~y", "y\x1b[201~", "" },
		{ "\xe8\xae", "\xad", "Bad" },
		{ "\x1b[M", "yyy", "" },
		{ "\x1b]11;", "y\x07", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int64_t now = (int64_t)i * 10000;
		typed_feed(*state, rows[i][0], now);
		input_discard(*state);
		assert_string_equal(typed_names(*state, now + 30), "");
		typed_feed(*state, rows[i][1], now + 40);
		assert_string_equal(typed_names(*state, now + 41), rows[i][2]);
		typed_feed(*state, "j", now + 50);
		assert_string_equal(typed_names(*state, now + 50), "j");
	}
}

static void flood__is_bounded__and_never_mixed_up(void **state)
{
	struct key key;
	size_t count = 0;

	for (int i = 0; i < 100000; i++)
		typed_feed(*state, "j", 0);
	while (input_next(*state, 0, &key)) {
		assert_int_equal(key.code, 'j');
		count++;
	}
	assert_int_equal(count, 4096);
}

/* Any bytes at any times: no crash, no hang, and the machine comes to rest. */
static void noise__comes_to_rest__whatever_it_is(void **state)
{
	static const char alphabet[] =
		"\x1b\x1b\x1b[[O]PM~;$^01259ABZmy\x07\x03\\\xc3\xa9\xf0\x80 q";
	struct key key;
	uint32_t seed = 99;
	int64_t now = 0;

	for (int i = 0; i < 400000; i++) {
		seed = seed * 1664525 + 1013904223;
		char byte = alphabet[(seed >> 16) % (sizeof(alphabet) - 1)];
		if ((seed >> 9 & 7) == 0)
			now += seed >> 20 & 255;
		input_feed(*state, &byte, 1, now);
		if ((seed >> 12 & 15) == 0)
			while (input_next(*state, now, &key))
				continue;
		if ((seed >> 8 & 1023) == 0)
			input_discard(*state);
	}
	now += 10000;
	(void)input_next(*state, now, &key);
	while (input_next(*state, now, &key))
		continue;
	assert_int_equal(input_wait_ms(*state, now), -1);
	typed_feed(*state, "j", now + 1000);
	assert_string_equal(typed_names(*state, now + 1000), "j");
}

#define INPUT_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(name__survives__parse_and_format),
		cmocka_unit_test(name__is_refused__when_no_terminal_sends_it),
		INPUT_TEST(bytes__become_keys__as_typed),
		INPUT_TEST(utf8__is_put_together__across_reads),
		INPUT_TEST(utf8__is_a_bad_key__when_broken),
		INPUT_TEST(esc__acts__after_25_ms),
		INPUT_TEST(esc__is_alt__with_a_byte_within_25_ms),
		INPUT_TEST(esc__is_not_lost__before_bytes_that_are_no_character),
		INPUT_TEST(esc__counts__when_pressed_twice),
		INPUT_TEST(esc__lets_other_keys_through__at_once),
		INPUT_TEST(sequence__is_swallowed_whole__when_unknown),
		INPUT_TEST(alt__is_not_taken_for_a_report__when_it_stays_alone),
		INPUT_TEST(control__works__within_a_cut_sequence),
		INPUT_TEST(terminfo__teaches__what_no_grammar_knows),
		INPUT_TEST(paste__is_one_key__with_its_text),
		INPUT_TEST(paste__keeps_what_looks_like_keys__as_text),
		INPUT_TEST(paste__opens_late__after_esc),
		INPUT_TEST(paste__ends__after_two_seconds_of_silence),
		cmocka_unit_test(paste__swallows_its_end__when_it_comes_after_the_silence),
		INPUT_TEST(paste__is_cut_at_its_ceiling__and_swallowed_beyond),
		INPUT_TEST(discard__drops_keys__queued_or_half_read),
		INPUT_TEST(flood__is_bounded__and_never_mixed_up),
		INPUT_TEST(noise__comes_to_rest__whatever_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
