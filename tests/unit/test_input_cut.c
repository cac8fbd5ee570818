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

/* sequences; what terminals send is taken from their manuals, not from our table */

struct sample {
	const char *bytes, *name;
};

static const struct sample samples[] = {
	/* xterm: normal, application and numeric forms, modifiers 2 to 8 */
	{ "\x1b[A", "Up" },
	{ "\x1b[B", "Down" },
	{ "\x1b[C", "Right" },
	{ "\x1b[D", "Left" },
	{ "\x1b[H", "Home" },
	{ "\x1b[F", "End" },
	{ "\x1bOA", "Up" },
	{ "\x1bOB", "Down" },
	{ "\x1bOC", "Right" },
	{ "\x1bOD", "Left" },
	{ "\x1bOH", "Home" },
	{ "\x1bOF", "End" },
	{ "\x1b[1;2A", "S-Up" },
	{ "\x1b[1;3A", "A-Up" },
	{ "\x1b[1;3B", "A-Down" },
	{ "\x1b[1;4A", "A-S-Up" },
	{ "\x1b[1;5A", "C-Up" },
	{ "\x1b[1;6A", "C-S-Up" },
	{ "\x1b[1;7A", "C-A-Up" },
	{ "\x1b[1;8A", "C-A-S-Up" },
	{ "\x1b[1;9A", "A-Up" },
	{ "\x1b[5A", "C-Up" },
	{ "\x1bO5A", "C-Up" },
	{ "\x1bO1;5D", "C-Left" },
	{ "\x1b[Z", "S-Tab" },
	{ "\x1b[2~", "Insert" },
	{ "\x1b[3~", "Delete" },
	{ "\x1b[5~", "PgUp" },
	{ "\x1b[6~", "PgDn" },
	{ "\x1b[3;5~", "C-Delete" },
	{ "\x1b[5;3~", "A-PgUp" },
	{ "\x1bOP", "F1" },
	{ "\x1bOQ", "F2" },
	{ "\x1bOR", "F3" },
	{ "\x1bOS", "F4" },
	{ "\x1b[1;2P", "S-F1" },
	{ "\x1b[1;5R", "C-F3" },
	{ "\x1b[15~", "F5" },
	{ "\x1b[17~", "F6" },
	{ "\x1b[18~", "F7" },
	{ "\x1b[19~", "F8" },
	{ "\x1b[20~", "F9" },
	{ "\x1b[21~", "F10" },
	{ "\x1b[23~", "F11" },
	{ "\x1b[24~", "F12" },
	{ "\x1b[24;2~", "S-F12" },
	{ "\x1bOM", "Enter" },
	{ "\x1bOj", "*" },
	{ "\x1bOk", "+" },
	{ "\x1bOm", "-" },
	{ "\x1bOn", "." },
	{ "\x1bOo", "/" },
	{ "\x1bOp", "0" },
	{ "\x1bOy", "9" },
	{ "\x1bOX", "=" },
	/* vt220 and rxvt */
	{ "\x1b[1~", "Home" },
	{ "\x1b[4~", "End" },
	{ "\x1b[7~", "Home" },
	{ "\x1b[8~", "End" },
	{ "\x1b[11~", "F1" },
	{ "\x1b[12~", "F2" },
	{ "\x1b[13~", "F3" },
	{ "\x1b[14~", "F4" },
	{ "\x1b[a", "S-Up" },
	{ "\x1b[b", "S-Down" },
	{ "\x1bOa", "C-Up" },
	{ "\x1bOd", "C-Left" },
	{ "\x1b[3$", "S-Delete" },
	{ "\x1b[3^", "C-Delete" },
	{ "\x1b[3@", "C-S-Delete" },
	{ "\x1b[15^", "C-F5" },
	/* Linux console */
	{ "\x1b[[A", "F1" },
	{ "\x1b[[B", "F2" },
	{ "\x1b[[E", "F5" },
	/* Alt by a leading ESC: rxvt, PuTTY */
	{ "\x1b\x1b[A", "A-Up" },
	{ "\x1b\x1bOA", "A-Up" },
	{ "\x1b\x1b[3~", "A-Delete" },
};

static void sequence__is_its_key__whole(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
		typed_feed(*state, samples[i].bytes, 0);
		assert_string_equal(typed_names(*state, 0), samples[i].name);
		typed_feed(*state, "j", 0);
		assert_string_equal(typed_names(*state, 0), "j");
	}
}

/* cut sequences */

static const int gaps_ms[] = { 10, 40, 150 };

/* Only Esc keys, or nothing. */
static bool is_esc_or_nothing(const char *names)
{
	while (strncmp(names, "Esc", 3) == 0)
		names += names[3] == ' ' ? 4 : 3;
	return *names == '\0';
}

/* Cut at `cut` with a gap; the loop asks for keys whenever it said it would. Then "j", which has
 * to come out as itself. */
static const char *names_of_cut(const char *bytes, size_t len, size_t cut, int gap_ms)
{
	struct input *input = input_new();
	static char all[4096];
	int64_t now = 5000;

	input_feed(input, bytes, cut, now);
	int added = snprintf(all, sizeof(all), "%s", typed_names(input, now));
	int64_t wait = input_wait_ms(input, now);
	if (wait >= 0 && wait < gap_ms)
		added += snprintf(all + added, sizeof(all) - (size_t)added, "%s%s",
				  added ? " " : "", typed_names(input, now + wait));
	now += gap_ms;
	input_feed(input, bytes + cut, len - cut, now);
	const char *rest = typed_names(input, now);
	added += snprintf(all + added, sizeof(all) - (size_t)added, "%s%s",
			  added && *rest ? " " : "", rest);
	assert_true(added >= 0 && (size_t)added < sizeof(all));
	/* Nothing of it is left to be seen later. */
	assert_string_equal(typed_names(input, now + 30), "");
	typed_feed(input, "j", now + 31);
	assert_string_equal(typed_names(input, now + 31), "j");
	input_free(input);
	return all;
}

static void check_cuts(const char *bytes, const char *name)
{
	size_t len = strlen(bytes);

	for (size_t cut = 1; cut < len; cut++) {
		for (size_t g = 0; g < ARRAY_LEN(gaps_ms); g++) {
			const char *names = names_of_cut(bytes, len, cut, gaps_ms[g]);
			bool own = strcmp(names, name) == 0;
			/* After a lone ESC it depends on Esc's 25 ms; later the key is whole. */
			bool lone = cut == 1 || (cut == 2 && bytes[1] == '\x1b');
			if (lone && gaps_ms[g] >= INPUT_ESC_MS
				    ? !is_esc_or_nothing(names) || !*names
				    : !own)
				fail_msg("%s cut at %zu by %d ms: %s", name, cut, gaps_ms[g],
					 names);
		}
	}
}

static void cut__is_the_key_or_esc__for_what_terminals_send(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(samples); i++)
		if (strncmp(samples[i].bytes, ESC ESC, 2) != 0)
			check_cuts(samples[i].bytes, samples[i].name);
}

/* ESC ESC [ A is Alt-Up; after a gap its first ESC is Esc, and what comes then is whole. */
static void cut__leaves_the_bare_key__when_only_the_alt_prefix_is_cut_off(void **state)
{
	(void)state;
	assert_string_equal(names_of_cut("\x1b\x1b[A", 4, 1, 10), "A-Up");
	assert_string_equal(names_of_cut("\x1b\x1b[A", 4, 1, 40), "Esc Up");
	assert_string_equal(names_of_cut("\x1b\x1b[A", 4, 2, 40), "Esc Esc");
	assert_string_equal(names_of_cut("\x1b\x1b[A", 4, 3, 150), "A-Up");
}

/* Feeds ESC, a prefix, up to two numbers and a last byte; false if that is not just one key. */
static bool make_key(struct input *input, const char *prefix, int numbers, int a, int b, char last,
		     char bytes[32], char name[64])
{
	char middle[16] = "";

	if (numbers == 1)
		assert_true(snprintf(middle, sizeof(middle), "%d", a) > 0);
	if (numbers == 2)
		assert_true(snprintf(middle, sizeof(middle), "%d;%d", a, b) > 0);
	assert_in_range(snprintf(bytes, 32, "\x1b%s%s%c", prefix, middle, last), 3, 31);
	typed_feed(input, bytes, 0);
	assert_in_range(snprintf(name, 64, "%s", typed_names(input, 0)), 0, 63);
	input_discard(input);
	return *name && !strchr(name, ' ');
}

/* Every sequence of every form that the decoder takes for a key, in the samples or not. */
static void cut__is_the_key_or_esc__for_every_sequence_in_the_table(void **state)
{
	static const struct {
		const char *prefix;
		int numbers, a_max, b_max;
	} forms[] = { { "[", 0, 0, 0 },  { "O", 0, 0, 0 },   { "[[", 0, 0, 0 }, { "[", 1, 40, 0 },
		      { "O", 1, 20, 0 }, { "[", 2, 40, 17 }, { "O", 2, 2, 17 } };
	char bytes[32], name[64];
	int found = 0;

	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		for (char last = 0x20; last < 0x7f; last++)
			for (int a = 0; a <= forms[i].a_max; a++)
				for (int b = 0; b <= forms[i].b_max; b++)
					if (make_key(*state, forms[i].prefix, forms[i].numbers, a,
						     b, last, bytes, name)) {
						check_cuts(bytes, name);
						found++;
					}
	/* At least 20 numbers by 16 modifiers by 4 ends, and 11 letters by 16 by 2. */
	assert_true(found >= 20 * 16 * 4 + 11 * 16 * 2);
}

/* What a link of single bytes does. */
static void cut__is_the_key_or_esc__when_each_byte_comes_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
		if (strncmp(samples[i].bytes, ESC ESC, 2) == 0)
			continue;
		for (size_t g = 0; g < ARRAY_LEN(gaps_ms); g++) {
			struct input *input = input_new();
			char all[256] = "";
			int64_t now = 0;
			for (const char *at = samples[i].bytes; *at; at++) {
				input_feed(input, at, 1, now);
				now += gaps_ms[g];
				const char *names = typed_names(input, now);
				if (*names)
					assert_true(snprintf(all, sizeof(all), "%s", names) > 0);
			}
			if (gaps_ms[g] < INPUT_ESC_MS)
				assert_string_equal(all, samples[i].name);
			else
				assert_string_equal(all, "Esc");
			input_free(input);
		}
	}
}

static void late__is_swallowed_to_its_end__but_no_further(void **state)
{
	static const char *const rows[] = {
		"[A", "OP", "[1;5A", "[24~", "[[A", "[M !!", "[<0;1;2M"
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int64_t now = (int64_t)i * 10000;
		typed_feed(*state, ESC, now);
		assert_string_equal(typed_names(*state, now + 25), "Esc");
		typed_feed(*state, rows[i], now + 25 + INPUT_LATE_MS - 1);
		assert_string_equal(typed_names(*state, now + 330), "");
		typed_feed(*state, "q", now + 331);
		assert_string_equal(typed_names(*state, now + 331), "q");
	}
}

static void late__ends__when_the_rest_never_comes(void **state)
{
	typed_feed(*state, ESC, 0);
	assert_string_equal(typed_names(*state, 25), "Esc");
	typed_feed(*state, "[", 100);
	assert_int_equal(input_wait_ms(*state, 100), 300);
	assert_string_equal(typed_names(*state, 400), "");
	typed_feed(*state, "q", 401);
	assert_string_equal(typed_names(*state, 401), "q");
	/* "ESC [ 1" has been sent by no finger: the rest is waited for longer. */
	typed_feed(*state, "\x1b[1", 1000);
	typed_feed(*state, ";5A", 2900);
	assert_string_equal(typed_names(*state, 2900), "C-Up");
	typed_feed(*state, "\x1b[1", 4000);
	assert_string_equal(typed_names(*state, 6000), "");
	typed_feed(*state, "q", 6001);
	assert_string_equal(typed_names(*state, 6001), "q");
}

static void paste__is_the_same__cut_anywhere_with_any_delay(void **state)
{
	static const char text[] = "\x1b[200~X\x1b[yy\xc3\xa9\x1b[201~";
	static const int gaps[] = { 0, 10, 40, 150, 299, 1500 };
	size_t len = sizeof(text) - 1;

	(void)state;
	for (size_t cut = 1; cut < len; cut++) {
		for (size_t g = 0; g < ARRAY_LEN(gaps); g++) {
			/* After Esc the rest is waited for no longer than INPUT_LATE_MS. */
			if (cut == 1 && gaps[g] > 299)
				continue;
			const char *names = names_of_cut(text, len, cut, gaps[g]);
			const char *wanted = cut == 1 && gaps[g] >= INPUT_ESC_MS
						     ? "Esc Paste(X\x1b[yyé)"
						     : "Paste(X\x1b[yyé)";
			if (strcmp(names, wanted) != 0)
				fail_msg("cut at %zu by %d ms: %s", cut, gaps[g], names);
		}
	}
}

#define INPUT_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		INPUT_TEST(sequence__is_its_key__whole),
		cmocka_unit_test(cut__is_the_key_or_esc__for_what_terminals_send),
		cmocka_unit_test(cut__leaves_the_bare_key__when_only_the_alt_prefix_is_cut_off),
		INPUT_TEST(cut__is_the_key_or_esc__for_every_sequence_in_the_table),
		cmocka_unit_test(cut__is_the_key_or_esc__when_each_byte_comes_alone),
		INPUT_TEST(late__is_swallowed_to_its_end__but_no_further),
		INPUT_TEST(late__ends__when_the_rest_never_comes),
		cmocka_unit_test(paste__is_the_same__cut_anywhere_with_any_delay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
