#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/buf.h"
#include "model/base/shellwords.h"

struct split {
	const char *text;
	const char *words[5]; /* as Python 3.11's shlex.split gives them */
};

static void split__agrees_with_a_posix_shell(void **state)
{
	static const struct split splits[] = {
		{ "", { NULL } },
		{ " \t\r\n", { NULL } },
		{ "profile dev", { "profile", "dev" } },
		{ " profile\t\"a b\" ", { "profile", "a b" } },
		{ "a\"b c\"d 'e'f", { "ab cd", "ef" } },
		{ "'' \"\"", { "", "" } },
		{ "'a\\b' \"a\\b\" \"\\\"\\\\\" a\\b", { "a\\b", "a\\b", "\"\\", "ab" } },
		{ "a\\ b c", { "a b", "c" } },
		{ "a # b;c $HOME", { "a", "#", "b;c", "$HOME" } },
		{ "one\ntwo\\\nthree", { "one", "two\nthree" } },
		{ "caf\xC3\xA9\xC2\xA0x", { "caf\xC3\xA9\xC2\xA0x" } },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(splits); i++) {
		struct shellwords words;
		struct err err = { 0 };
		size_t expected = 0;
		assert_true(shellwords_split(&words, splits[i].text, &err));
		for (; splits[i].words[expected]; expected++) {
			assert_true(expected < words.count);
			assert_string_equal(words.items[expected], splits[i].words[expected]);
		}
		assert_int_equal(words.count, expected);
		assert_true(words.count == 0 || !words.items[words.count]);
		shellwords_release(&words);
	}
	shellwords_release(NULL);
}

static void split__fails__when_a_quote_does_not_end(void **state)
{
	static const struct {
		const char *text, *expected;
	} bad[] = {
		{ "profile \"dev", "a quote (\") does not end" },
		{ "it's", "a quote (') does not end" },
		{ "a \"b\\", "a quote (\") does not end" },
		{ "a b\\", "a \\ stands at the end" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct shellwords words;
		struct err err = { 0 };
		assert_false(shellwords_split(&words, bad[i].text, &err));
		assert_int_equal(err.code, ERR_CONFIG);
		assert_string_equal(err_text(&err), bad[i].expected);
		assert_int_equal(words.count, 0);
		assert_null(words.items);
		err_clear(&err);
	}
}

static void split__fails__above_the_ceiling(void **state)
{
	struct shellwords words;
	struct err err = { 0 };
	struct buf text;
	(void)state;
	buf_init(&text, 4 * SHELLWORDS_MAX);
	for (size_t i = 0; i < SHELLWORDS_MAX; i++)
		buf_add_text(&text, "x ");
	assert_true(shellwords_split(&words, buf_text(&text), &err));
	assert_int_equal(words.count, SHELLWORDS_MAX);
	shellwords_release(&words);
	buf_add_text(&text, "x");
	assert_false(shellwords_split(&words, buf_text(&text), &err));
	assert_string_equal(err_text(&err), "has more than 1024 words");
	err_clear(&err);
	buf_release(&text);
}

/* As Python's shlex.quote writes them. */
static void quoted__is_one_word__and_bare_where_it_may_be(void **state)
{
	static const struct {
		const char *text, *expected;
	} rows[] = {
		{ "us-east-1", "us-east-1" },
		{ "a/b:c@d%e+f,g.h_i", "a/b:c@d%e+f,g.h_i" },
		{ "", "''" },
		{ "a b", "'a b'" },
		{ "it's", "'it'\\''s'" },
		{ "$x", "'$x'" },
		{ "~", "'~'" },
		{ "a\nb", "'a\nb'" },
		{ "\xC3\xA9", "'\xC3\xA9'" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out;
		buf_init(&out, 100);
		shellwords_add_quoted(&out, rows[i].text);
		assert_string_equal(buf_text(&out), rows[i].expected);
		buf_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split__agrees_with_a_posix_shell),
		cmocka_unit_test(split__fails__when_a_quote_does_not_end),
		cmocka_unit_test(quoted__is_one_word__and_bare_where_it_may_be),
		cmocka_unit_test(split__fails__above_the_ceiling),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
