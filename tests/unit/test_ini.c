/* The ini grammar: what is read, what is noted, and how far a slip reaches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/ini.h"
#include "model/base/mem.h"
#include "tests/anytext.h"

static void parse(struct ini *ini, const char *text, unsigned flags)
{
	struct err err = { 0 };
	if (!ini_parse(ini, "config", text, strlen(text), flags, &err))
		fail_msg("refused: %s", err_text(&err));
	assert_int_equal(err.code, ERR_NONE);
}

static const struct ini_key *key_of(const struct ini *ini, const char *section, const char *key)
{
	const struct ini_section *found = ini_find_section(ini, section);
	if (!found)
		fail_msg("no section %s", section);
	return ini_find_key(found, key);
}

static void assert_value(const struct ini *ini, const char *section, const char *key,
			 const char *expected)
{
	const struct ini_key *found = key_of(ini, section, key);
	if (!found)
		fail_msg("no key %s in %s", key, section);
	assert_string_equal(found->value, expected);
}

static void assert_described(const struct ini *ini, const struct ini_problem *problem,
			     const char *expected)
{
	struct buf text;
	buf_init(&text, 4096);
	ini_describe_problem(ini, problem, &text);
	assert_string_equal(buf_text(&text), expected);
	buf_release(&text);
}

static void assert_problem(const struct ini *ini, size_t index, enum ini_severity severity,
			   const char *expected)
{
	assert_true(index < ini->problem_count);
	assert_int_equal(ini->problems[index].severity, severity);
	assert_described(ini, &ini->problems[index], expected);
}

static void value__is_cut_and_trimmed__at_the_first_mark(void **state)
{
	static const char text[] = "[default]\n"
				   "Region=us-east-1\n"
				   "colon : a=b\n"
				   "equals \t= \tx : y \t\n"
				   "percent = %(region)s $HOME\n"
				   "two words = v\n"
				   "empty =\n"
				   "wide\xC2\xA0=\xC2\xA0v\xE3\x80\x80\n"
				   "last = no newline";
	struct ini ini;
	(void)state;
	parse(&ini, text, 0);
	assert_int_equal(ini.count, 1);
	assert_int_equal(ini.sections[0].count, 8);
	assert_value(&ini, "default", "region", "us-east-1");
	assert_null(key_of(&ini, "default", "Region"));
	assert_value(&ini, "default", "colon", "a=b");
	assert_value(&ini, "default", "equals", "x : y");
	assert_value(&ini, "default", "percent", "%(region)s $HOME");
	assert_value(&ini, "default", "two words", "v");
	assert_value(&ini, "default", "empty", "");
	assert_value(&ini, "default", "wide", "v");
	assert_value(&ini, "default", "last", "no newline");
	assert_int_equal(key_of(&ini, "default", "last")->line, 9);
	assert_int_equal(ini.problem_count, 0);
	ini_release(&ini);
	assert_null(ini.bytes);
	ini_release(&ini);
	ini_release(NULL);
}

static void comment__is_a_whole_line__and_nothing_else(void **state)
{
	static const char text[] = "# one\n"
				   "[default] # two\n"
				   "  ; three\n"
				   "url = https://x/start/#\n"
				   "# four \xFF\xFE in Latin-1\n"
				   "region = us-east-1 # five\n"
				   "output = json ;six\n";
	struct ini ini;
	(void)state;
	parse(&ini, text, 0);
	assert_value(&ini, "default", "url", "https://x/start/#");
	assert_value(&ini, "default", "region", "us-east-1 # five");
	assert_value(&ini, "default", "output", "json ;six");
	assert_int_equal(ini.found[INI_DAMAGE], 0);
	assert_int_equal(ini.problem_count, 2);
	assert_problem(
		&ini, 0, INI_NOTE,
		"config, line 6, [default] region: a # or ; behind a value is part of it, as "
		"in the AWS CLI; other AWS tools cut the value there");
	assert_int_equal(ini.problems[1].line, 7);
	ini_release(&ini);
}

static void quotes__belong_to_the_value__and_are_noted(void **state)
{
	struct ini ini;
	(void)state;
	parse(&ini, "[default]\nregion = \"us-east-1\"\noutput = 'json\nx = \"", 0);
	assert_value(&ini, "default", "region", "\"us-east-1\"");
	assert_int_equal(ini.problem_count, 1);
	assert_problem(&ini, 0, INI_NOTE,
		       "config, line 2, [default] region: quotes around a value are part of it");
	ini_release(&ini);
}

static void line__ends_with_any_mark__and_a_bom_is_skipped(void **state)
{
	static const char *const texts[] = { "\xEF\xBB\xBF[a]\nx = 1\n[b]\ny = 2\n",
					     "[a]\r\nx = 1\r\n[b]\r\ny = 2\r\n",
					     "[a]\rx = 1\r[b]\ry = 2" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct ini ini;
		parse(&ini, texts[i], 0);
		assert_int_equal(ini.count, 2);
		assert_value(&ini, "a", "x", "1");
		assert_value(&ini, "b", "y", "2");
		assert_int_equal(key_of(&ini, "b", "y")->line, 4);
		assert_int_equal(ini.problem_count, 0);
		ini_release(&ini);
	}
}

static void header__runs_to_the_last_bracket__and_keeps_its_blanks(void **state)
{
	struct ini ini;
	(void)state;
	parse(&ini, "  [profile a]\n[ b ]x\n[c] # d]\n[Default]\n", 0);
	assert_int_equal(ini.count, 4);
	assert_string_equal(ini.sections[0].name, "profile a");
	assert_string_equal(ini.sections[1].name, " b ");
	assert_string_equal(ini.sections[2].name, "c] # d");
	assert_string_equal(ini.sections[3].name, "Default");
	assert_null(ini_find_section(&ini, "default"));
	ini_release(&ini);
}

static void value__goes_on__while_lines_are_indented_deeper(void **state)
{
	static const char text[] = "[a]\n"
				   "  first = one\n"
				   "     two\n"
				   "\n"
				   "# between\n"
				   "\tthree\n"
				   "     four \n"
				   "\n"
				   "  second = 2\n";
	struct ini ini;
	(void)state;
	parse(&ini, text, 0);
	/* A tab is one character of indentation: `three` is shallower than its key, so no part of
	 * the value; what is deeper than it goes with it. */
	assert_int_equal(ini.sections[0].count, 1);
	assert_value(&ini, "a", "first", "one\ntwo");
	assert_int_equal(ini.found[INI_DAMAGE], 1);
	ini_release(&ini);
	parse(&ini, "[a]\nk = one\n\n# between\n\ttwo\n \n", 0);
	assert_value(&ini, "a", "k", "one\n\ntwo");
	assert_int_equal(ini.problem_count, 0);
	ini_release(&ini);
}

static void line__is_noted__when_indentation_hides_it(void **state)
{
	struct ini ini;
	(void)state;
	parse(&ini, "[a]\nregion = us-east-1\n  output = json\n [b]\n  arn:x/y=z\n", 0);
	assert_int_equal(ini.count, 1);
	assert_value(&ini, "a", "region", "us-east-1\noutput = json\n[b]\narn:x/y=z");
	assert_int_equal(ini.problem_count, 2);
	assert_problem(&ini, 0, INI_NOTE,
		       "config, line 3, [a] region: this indented line is part of the value above "
		       "it");
	assert_int_equal(ini.problems[1].line, 4);
	ini_release(&ini);
}

static void nested__lines_stand_under_a_key_without_value(void **state)
{
	static const char text[] = "[services dev]\n"
				   "S3 =\n"
				   "  endpoint_url = http://127.0.0.1:9000\n"
				   "\n"
				   "  # comment\n"
				   "  Signature = a = b\n"
				   "sagemaker =\n"
				   "\tendpoint_url = http://old\n"
				   "\tendpoint_url =http://127.0.0.1:5000 \n"
				   "plain = x\n";
	struct ini ini;
	const struct ini_key *s3, *found;
	(void)state;
	parse(&ini, text, 0);
	assert_int_equal(ini.problem_count, 0);
	assert_int_equal(ini.sections[0].count, 3);
	s3 = key_of(&ini, "services dev", "s3");
	assert_string_equal(s3->value, "");
	assert_int_equal(s3->nested_count, 2);
	assert_string_equal(ini_find_nested(&ini, s3, "endpoint_url")->value,
			    "http://127.0.0.1:9000");
	assert_string_equal(ini_find_nested(&ini, s3, "Signature")->value, "a = b");
	assert_null(ini_find_nested(&ini, s3, "signature"));
	found = ini_find_nested(&ini, key_of(&ini, "services dev", "sagemaker"), "endpoint_url");
	assert_string_equal(found->value, "http://127.0.0.1:5000");
	assert_int_equal(found->line, 9);
	assert_null(ini_find_nested(&ini, key_of(&ini, "services dev", "plain"), "x"));
	assert_null(ini_find_nested(&ini, NULL, "x"));
	ini_release(&ini);
}

static void twice__is_merged__and_the_last_value_holds(void **state)
{
	static const char text[] = "[a]\nx = 1\nY = 2\n[b]\n[a]\ny =\n  n = 3\nz = 4\n";
	struct ini ini;
	(void)state;
	parse(&ini, text, 0);
	assert_int_equal(ini.count, 2);
	assert_int_equal(ini.sections[0].line, 1);
	assert_int_equal(ini.sections[0].last_line, 5);
	assert_int_equal(ini.sections[0].count, 3);
	assert_value(&ini, "a", "x", "1");
	assert_value(&ini, "a", "z", "4");
	assert_string_equal(ini_find_nested(&ini, key_of(&ini, "a", "y"), "n")->value, "3");
	assert_int_equal(key_of(&ini, "a", "y")->line, 6);
	assert_int_equal(ini.found[INI_DAMAGE], 0);
	assert_int_equal(ini.problem_count, 2);
	assert_problem(&ini, 0, INI_NOTE,
		       "config, line 5, [a]: this section stood above already; both are read as "
		       "one, but the AWS CLI refuses such a file");
	assert_problem(&ini, 1, INI_NOTE,
		       "config, line 6, [a] y: is set twice in this section; this one holds, but "
		       "the AWS CLI refuses such a file");
	ini_release(&ini);
}

struct slip {
	const char *line; /* in a section between two good ones; `  more` follows */
	size_t damages;
	const char *text; /* of its problem */
};

static void slip__damages_its_section_alone(void **state)
{
	static const struct slip slips[] = {
		{ "no mark here", 1, "config, line 5, [bad]: this line is no `key = value`" },
		{ " -continued", 1, "config, line 5, [bad]: this line is no `key = value`" },
		{ "= value", 1, "config, line 5, [bad]: this line has no key" },
		{ "s3 =\n  a @ b", 2,
		  "config, line 6, [bad] s3: this line under it is no `name = value`" },
		{ "x = caf\xE9", 1, "config, line 5, [bad]: this line is not UTF-8 text" },
		{ "[bad", 2, "config, line 5, [bad]: this header has no ]" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(slips); i++) {
		struct buf text;
		struct ini ini;
		buf_init(&text, 4096);
		buf_addf(&text, "[one]\nx = 1\n\n[bad]\n%s\n  more\nz = 3\n  four\n[two]\ny = 2\n",
			 slips[i].line);
		parse(&ini, buf_text(&text), 0);
		assert_described(&ini, &ini_find_section(&ini, "bad")->damage, slips[i].text);
		assert_int_equal(ini.found[INI_DAMAGE], slips[i].damages);
		assert_int_equal(ini_find_section(&ini, "one")->damage.line, 0);
		assert_int_equal(ini_find_section(&ini, "two")->damage.line, 0);
		assert_value(&ini, "one", "x", "1");
		assert_value(&ini, "bad", "z", "3\nfour");
		assert_value(&ini, "two", "y", "2");
		ini_release(&ini);
		buf_release(&text);
	}
}

/* The keys under a header that is not closed belong to no profile above it. */
static void header__is_a_damaged_section__when_it_is_not_closed(void **state)
{
	struct ini ini;
	(void)state;
	parse(&ini, "[default]\nregion = us-east-1\n[profile prod\nregion = eu-west-1\n[]\na = b\n",
	      0);
	assert_int_equal(ini.count, 3);
	assert_value(&ini, "default", "region", "us-east-1");
	assert_int_equal(ini.sections[0].damage.line, 0);
	assert_value(&ini, "profile prod", "region", "eu-west-1");
	assert_int_equal(ini.sections[1].damage.line, 3);
	assert_string_equal(ini.sections[2].name, "");
	assert_int_equal(ini.sections[2].damage.line, 5);
	assert_problem(&ini, 1, INI_DAMAGE, "config, line 5: this header holds no name");
	ini_release(&ini);
}

static void keys_above_a_header__are_a_section__only_on_demand(void **state)
{
	static const char text[] = "refresh = 5s\n\n[keys]\nq = quit\n";
	struct ini ini;
	(void)state;
	parse(&ini, text, 0);
	assert_int_equal(ini.count, 1);
	assert_problem(&ini, 0, INI_DAMAGE,
		       "config, line 1: this line stands before the first [section]");
	ini_release(&ini);
	parse(&ini, text, INI_KEYS_FIRST);
	assert_int_equal(ini.count, 2);
	assert_int_equal(ini.problem_count, 0);
	assert_value(&ini, "", "refresh", "5s");
	assert_value(&ini, "keys", "q", "quit");
	ini_release(&ini);
	parse(&ini, "x = one\n  two\n", INI_KEYS_FIRST);
	assert_value(&ini, "", "x", "one\ntwo");
	ini_release(&ini);
}

/* What a line that set nothing may have meant to set: its first word, of a key's characters. */
static void strays__are_kept_by_their_first_word(void **state)
{
	static const char text[] = "Refresh 5\n  since = 1d\n[a]\nx = 1\n  y-z: 2\nn =\n  m = 1\n"
				   "# no 1\n\"q\"\n";
	static const struct {
		const char *word;
		size_t section, line;
	} expected[] = { { "refresh", 0, 1 }, { "since", 0, 2 }, { "y-z", 1, 5 }, { "m", 1, 7 } };
	struct ini ini;
	(void)state;
	parse(&ini, text, INI_KEYS_FIRST);
	assert_int_equal(ini.stray_count, ARRAY_LEN(expected));
	for (size_t i = 0; i < ini.stray_count; i++) {
		assert_string_equal(ini.strays[i].word, expected[i].word);
		assert_int_equal(ini.strays[i].section, expected[i].section);
		assert_int_equal(ini.strays[i].line, expected[i].line);
	}
	ini_release(&ini);
	parse(&ini, text, 0);
	assert_int_equal(ini.stray_count, 0);
	ini_release(&ini);
}

/* A secret on a line of its own looks like a key; neither it nor a value is ever shown. */
static void problem__shows_no_secret(void **state)
{
	static const char secret[] = "wjalrxutnfemik7mdengbpxrficyexamplekeyab";
	static const char text[] =
		"[default]\n"
		"aws_secret_access_key = wjalrxutnfemik7mdengbpxrficyexamplekeyab # mine\n"
		"aws_secret_access_key = \"wjalrxutnfemik7mdengbpxrficyexamplekeyab\"\n"
		"wjalrxutnfemik7mdengbpxrficyexamplekeyab=\n"
		"wjalrxutnfemik7mdengbpxrficyexamplekeyab=\n"
		"wjalrxutnfemik7mdengbpxrficyexamplekeyab\n";
	struct ini ini;
	(void)state;
	parse(&ini, text, 0);
	assert_int_equal(ini.problem_count, 5);
	for (size_t i = 0; i < ini.problem_count; i++) {
		struct buf shown;
		buf_init(&shown, 4096);
		ini_describe_problem(&ini, &ini.problems[i], &shown);
		assert_null(strstr(buf_text(&shown), secret));
		buf_release(&shown);
	}
	assert_string_equal(ini.problems[0].key, "aws_secret_access_key");
	ini_release(&ini);
}

static void assert_refused(const char *text, size_t len, const char *expected)
{
	struct err err = { 0 };
	struct ini ini;
	assert_false(ini_parse(&ini, "/etc/config", text, len, 0, &err));
	assert_int_equal(err.code, ERR_CONFIG);
	assert_string_equal(err.subject, "/etc/config");
	assert_string_equal(err_text(&err), expected);
	assert_int_equal(ini.count, 0);
	err_clear(&err);
	ini_release(&ini);
}

static void file__is_refused__when_it_is_no_text(void **state)
{
	static const char utf16[] = "is saved as UTF-16; save it as UTF-8";
	(void)state;
	assert_refused("\xFF\xFE[\0a\0]\0", 8, utf16);
	assert_refused("\xFE\xFF\0[\0a\0]", 8, utf16);
	assert_refused("[\0a\0]\0", 6, utf16);
	assert_refused("\0[\0a\0]", 6, utf16);
	assert_refused("[a]\nx = \0", 9, "is no config file: it holds a NUL byte");
}

static void file__is_refused__above_a_ceiling(void **state)
{
	struct buf text;
	struct ini ini;
	(void)state;
	buf_init(&text, INI_TEXT_MAX + 1);
	for (size_t i = 0; i < INI_TEXT_MAX / 16; i++)
		buf_add_text(&text, "# fifteen bytes\n");
	parse(&ini, buf_text(&text), 0);
	ini_release(&ini);
	buf_add_text(&text, "#");
	assert_refused(buf_text(&text), text.len, "has more than 1048576 bytes");
	buf_clear(&text);
	for (size_t i = 0; i < INI_LINES_MAX; i++)
		buf_add_text(&text, "\n");
	parse(&ini, buf_text(&text), 0);
	ini_release(&ini);
	buf_add_text(&text, "x");
	assert_refused(buf_text(&text), text.len, "has more than 100000 lines");
	buf_clear(&text);
	for (size_t i = 0; i < INI_SECTIONS_MAX; i++)
		buf_addf(&text, "[profile %zu]\n", i);
	parse(&ini, buf_text(&text), 0);
	assert_int_equal(ini.count, INI_SECTIONS_MAX);
	ini_release(&ini);
	buf_add_text(&text, "[one more]");
	assert_refused(buf_text(&text), text.len, "has more than 4096 sections");
	buf_release(&text);
}

static void section__is_damaged__when_keys_are_too_many(void **state)
{
	struct buf text;
	struct ini ini;
	(void)state;
	buf_init(&text, INI_TEXT_MAX);
	buf_add_text(&text, "[a]\n");
	for (size_t i = 0; i <= INI_KEYS_MAX; i++)
		buf_addf(&text, "k%zu = v\n", i);
	parse(&ini, buf_text(&text), 0);
	assert_int_equal(ini.sections[0].count, INI_KEYS_MAX);
	assert_int_equal(ini.sections[0].damage.line, INI_KEYS_MAX + 2);
	ini_release(&ini);
	buf_release(&text);
}

static void problems__are_counted__when_there_is_no_more_room(void **state)
{
	struct buf text;
	struct ini ini;
	(void)state;
	buf_init(&text, INI_TEXT_MAX);
	buf_add_text(&text, "[a]\n");
	for (size_t i = 0; i < 200; i++)
		buf_add_text(&text, "k = \"v\"\n");
	for (size_t i = 0; i < 100; i++)
		buf_add_text(&text, "bad\n");
	buf_add_text(&text, "[late]\nbad\n");
	parse(&ini, buf_text(&text), 0);
	assert_int_equal(ini.found[INI_NOTE], 399);
	assert_int_equal(ini.found[INI_DAMAGE], 101);
	assert_int_equal(ini.problem_count, 2 * INI_PROBLEMS_MAX);
	assert_int_equal(ini_find_section(&ini, "late")->damage.line, 303);
	ini_release(&ini);
	buf_release(&text);
}

static void problem__is_added__by_who_reads_the_sections(void **state)
{
	struct ini ini;
	(void)state;
	parse(&ini, "[keys]\nfly = away\n", 0);
	ini_add_problem(&ini, INI_NOTE, &ini.sections[0], 2, "fly", "nobody knows this key");
	assert_int_equal(ini.sections[0].damage.line, 0);
	ini_add_problem(&ini, INI_DAMAGE, NULL, 1, "fly", "what");
	ini_add_problem(&ini, INI_DAMAGE, &ini.sections[0], 1, "", "worse");
	assert_problem(&ini, 0, INI_NOTE, "config, line 2, [keys] fly: nobody knows this key");
	assert_problem(&ini, 1, INI_DAMAGE, "config, line 1, fly: what");
	assert_string_equal(ini.sections[0].damage.text, "worse");
	ini_release(&ini);
}

/* Any text that is not refused: what is found lies in it, and lines have an order. */
static void any_text__is_read_within_its_bounds(void **state)
{
	uint32_t seed = 7;
	(void)state;
	for (int round = 0; round < 3000; round++) {
		char text[400];
		struct err err = { 0 };
		struct ini ini;
		size_t len = anytext_fill(&seed, text, sizeof(text));
		for (size_t i = 0; i < len; i++)
			if (anytext_random(&seed) % 4 == 0)
				text[i] = "[]=:#; \n"[anytext_random(&seed) % 8];
		if (ini_parse(&ini, "any", text, len, round % 2 ? INI_KEYS_FIRST : 0, &err)) {
			assert_true(ini.used <= ini.size);
			for (size_t i = 1; i < ini.count; i++)
				assert_true(ini.sections[i].line > ini.sections[i - 1].line);
		}
		err_clear(&err);
		ini_release(&ini);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(value__is_cut_and_trimmed__at_the_first_mark),
		cmocka_unit_test(comment__is_a_whole_line__and_nothing_else),
		cmocka_unit_test(quotes__belong_to_the_value__and_are_noted),
		cmocka_unit_test(line__ends_with_any_mark__and_a_bom_is_skipped),
		cmocka_unit_test(header__runs_to_the_last_bracket__and_keeps_its_blanks),
		cmocka_unit_test(value__goes_on__while_lines_are_indented_deeper),
		cmocka_unit_test(line__is_noted__when_indentation_hides_it),
		cmocka_unit_test(nested__lines_stand_under_a_key_without_value),
		cmocka_unit_test(twice__is_merged__and_the_last_value_holds),
		cmocka_unit_test(slip__damages_its_section_alone),
		cmocka_unit_test(header__is_a_damaged_section__when_it_is_not_closed),
		cmocka_unit_test(keys_above_a_header__are_a_section__only_on_demand),
		cmocka_unit_test(strays__are_kept_by_their_first_word),
		cmocka_unit_test(problem__shows_no_secret),
		cmocka_unit_test(file__is_refused__when_it_is_no_text),
		cmocka_unit_test(file__is_refused__above_a_ceiling),
		cmocka_unit_test(section__is_damaged__when_keys_are_too_many),
		cmocka_unit_test(problems__are_counted__when_there_is_no_more_room),
		cmocka_unit_test(problem__is_added__by_who_reads_the_sections),
		cmocka_unit_test(any_text__is_read_within_its_bounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
