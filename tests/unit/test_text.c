#include <iconv.h>
#include <limits.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <cmocka.h>

#include "model/base/jsontext.h"
#include "model/base/text.h"
#include "tests/anytext.h"

#define BAD   "\xEF\xBF\xBD" /* U+FFFD, the mark of bytes that are no UTF-8 */
#define ACUTE "\xCC\x81"     /* U+0301, combining */

static void decode__reads_back__every_code_point(void **state)
{
	(void)state;
	for (uint32_t code = 0; code <= 0x10FFFF; code++) {
		char bytes[4];
		size_t len = anytext_encode(code, bytes);
		uint32_t got;

		if (code >= 0xD800 && code <= 0xDFFF) {
			assert_int_equal(text_decode(bytes, len, &got), 1);
			assert_int_equal(got, TEXT_BAD);
			continue;
		}
		assert_int_equal(text_decode(bytes, len, &got), len);
		assert_int_equal(got, code);
		/* Cut short it is bad, one byte at a time. */
		if (len > 1) {
			assert_int_equal(text_decode(bytes, len - 1, &got), 1);
			assert_int_equal(got, TEXT_BAD);
		}
	}
}

static void decode__uses_nothing__at_the_end(void **state)
{
	uint32_t code = 0;

	(void)state;
	assert_int_equal(text_decode("", 0, &code), 0);
	assert_int_equal(code, TEXT_BAD);
}

/* All pairs of first bytes with the edges of the ranges behind them, against the libc's iconv. */
static void decode__agrees_with_iconv__on_what_is_utf8(void **state)
{
	static const unsigned char tails[] = { 0x00, 0x7F, 0x80, 0x8F, 0x90, 0xBF, 0xC0, 0xFF };
	iconv_t convert = iconv_open("WCHAR_T", "UTF-8");

	(void)state;
	if (convert == (iconv_t)-1) {
		printf("skipped: no iconv for UTF-8\n");
		return;
	}
	for (unsigned i = 0; i < 65536u * 64; i++) {
		const char bytes[4] = { (char)(i >> 14), (char)(i >> 6), (char)tails[i >> 3 & 7],
					(char)tails[i & 7] };
		char in_copy[4], *in = in_copy, *out;
		size_t in_left = 4, out_left = sizeof(wchar_t), used;
		wchar_t wide = 0;
		uint32_t code;

		if ((unsigned char)bytes[0] < 0x80)
			continue;
		memcpy(in_copy, bytes, 4);
		out = (char *)&wide;
		iconv(convert, NULL, NULL, NULL, NULL);
		iconv(convert, &in, &in_left, &out, &out_left);
		used = text_decode(bytes, 4, &code);
		/* iconv allows numbers beyond Unicode. */
		if (out_left == 0 && wide <= 0x10FFFF) {
			assert_int_equal(code, wide);
			assert_int_equal(used, 4 - in_left);
		} else {
			assert_int_equal(code, TEXT_BAD);
			assert_int_equal(used, 1);
		}
	}
	assert_int_equal(iconv_close(convert), 0);
}

static void width__is_known__for_each_kind_of_character(void **state)
{
	static const struct {
		uint32_t code;
		int width;
	} rows[] = {
		{ 'a', 1 },     { 0x1B, 1 },    { 0x9B, 1 },    { 0xE9, 1 },     { 0x0301, 0 },
		{ 0x0436, 1 },  { 0x05D0, 1 },  { 0x05B0, 0 },  { 0x0E31, 0 },   { 0x1100, 2 },
		{ 0x1161, 0 },  { 0x11FF, 0 },  { 0x1200, 1 },  { 0x200B, 0 },   { 0x200D, 0 },
		{ 0x2026, 1 },  { 0x20AC, 1 },  { 0x2192, 1 },  { 0x2588, 1 },   { 0x26A0, 1 },
		{ 0x2705, 2 },  { 0x3000, 2 },  { 0x303F, 1 },  { 0x3042, 2 },   { 0x4DC0, 1 },
		{ 0x4E00, 2 },  { 0xAC00, 2 },  { 0xD7A3, 2 },  { 0xFE0F, 0 },   { 0xFEFF, 0 },
		{ 0xFF21, 2 },  { 0xFF71, 1 },  { 0xFFFD, 1 },  { 0x1F468, 2 },  { 0x1F1E6, 1 },
		{ 0x20000, 2 }, { 0x3FFFD, 2 }, { 0xE0100, 0 }, { 0x10FFFD, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (text_code_width(rows[i].code) != rows[i].width)
			fail_msg("U+%04X: %d", (unsigned)rows[i].code,
				 text_code_width(rows[i].code));
	}
}

/* Scripts whose widths no version of Unicode has changed. */
static void width__agrees_with_the_libc__for_settled_scripts(void **state)
{
	static const uint32_t blocks[][2] = {
		{ 0x20, 0x7E },     { 0xA0, 0xAC },     { 0xAE, 0x5FF },    { 0x3041, 0x3096 },
		{ 0x30A0, 0x30FF }, { 0x4E00, 0x9FFF }, { 0xAC00, 0xD7A3 }, { 0xFF01, 0xFF9F },
	};

	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		printf("skipped: no locale C.UTF-8\n");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
		for (uint32_t code = blocks[i][0]; code <= blocks[i][1]; code++) {
			int theirs = wcwidth((wchar_t)code);

			if (theirs >= 0 && text_code_width(code) != theirs)
				fail_msg("U+%04X: %d, libc %d", (unsigned)code,
					 text_code_width(code), theirs);
		}
	}
	assert_non_null(setlocale(LC_CTYPE, "C"));
}

static void width__adds_up__over_a_text(void **state)
{
	(void)state;
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("ml.p5.48xlarge"), 14);
	assert_int_equal(text_width("e" ACUTE "tude"), 5);
	assert_int_equal(text_width("\xE8\xAE\xAD\xE7\xBB\x83"), 4);
}

static void hex_value__is_that_of_a_digit__and_of_nothing_else(void **state)
{
	static const char digits[] = "0123456789abcdef", capitals[] = "ABCDEF";
	(void)state;
	for (int c = CHAR_MIN; c <= CHAR_MAX; c++) {
		const char *low = c ? strchr(digits, c) : NULL,
			   *high = c ? strchr(capitals, c) : NULL;
		int expected = low ? (int)(low - digits) : high ? 10 + (int)(high - capitals) : -1;
		assert_int_equal(text_hex_value((char)c), expected);
	}
}

static void copy_cut__fits__and_leaves_what_was_there_for_null(void **state)
{
	char out[4] = "old";
	(void)state;
	text_copy_cut(out, sizeof(out), NULL);
	assert_string_equal(out, "old");
	text_copy_cut(out, sizeof(out), "ml.p5");
	assert_string_equal(out, "ml.");
	text_copy_cut(out, sizeof(out), "");
	assert_string_equal(out, "");
}

static void contains__ignores_case__of_ascii_only(void **state)
{
	(void)state;
	assert_true(text_contains("LLM-ft-0930", "ft"));
	assert_true(text_contains("LLM-ft-0930", "llm"));
	assert_true(text_contains("llm", "LLM"));
	assert_true(text_contains("aab", "AB"));
	assert_true(text_contains("AZ", "az"));
	assert_false(text_contains("@", "`"));
	assert_true(text_contains("x", ""));
	assert_true(text_contains("", ""));
	assert_false(text_contains("", "a"));
	assert_false(text_contains("ab", "abc"));
	assert_false(text_contains("\xC3\xA9", "\xC3\x89"));
	assert_false(text_contains("[", "{"));
}

/* The textbook table, without band and without early end. */
static unsigned plain_distance(const char *a, const char *b)
{
	unsigned table[17][17];
	size_t len_a = strlen(a), len_b = strlen(b);

	for (size_t i = 0; i <= len_a; i++) {
		for (size_t j = 0; j <= len_b; j++) {
			unsigned best;

			if (i == 0 || j == 0) {
				table[i][j] = (unsigned)(i + j);
				continue;
			}
			best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (table[i - 1][j] + 1 < best)
				best = table[i - 1][j] + 1;
			if (table[i][j - 1] + 1 < best)
				best = table[i][j - 1] + 1;
			table[i][j] = best;
		}
	}
	return table[len_a][len_b];
}

static void distance__is_known__for_words(void **state)
{
	(void)state;
	assert_int_equal(text_distance("kitten", "sitting", 5), 3);
	assert_int_equal(text_distance("ml.p5.48xlarge", "ml.p5.48xlarge", 0), 0);
	assert_int_equal(text_distance("ml.p5.48xlarge", "ml.p4d.24xlarge", 9), 4);
	assert_int_equal(text_distance("", "abc", 3), 3);
	assert_int_equal(text_distance("", "", 0), 0);
	assert_int_equal(text_distance("abc", "abd", 0), 1);
	assert_int_equal(text_distance("abc", "", 1), 2);
	assert_int_equal(text_distance("abc", "xyz", UINT_MAX), 3);
}

static void distance__agrees_with_the_plain_table__up_to_the_limit(void **state)
{
	uint32_t seed = 3;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		char a[17], b[17];
		size_t len_a = anytext_random(&seed) % 17, len_b = anytext_random(&seed) % 17;
		unsigned limit = anytext_random(&seed) % 18, plain;

		for (size_t j = 0; j < len_a; j++)
			a[j] = (char)('a' + anytext_random(&seed) % 3);
		for (size_t j = 0; j < len_b; j++)
			b[j] = (char)('a' + anytext_random(&seed) % 3);
		a[len_a] = b[len_b] = '\0';
		plain = plain_distance(a, b);
		assert_int_equal(text_distance(a, b, limit), plain <= limit ? plain : limit + 1);
	}
}

static void add_json__escapes__what_json_and_terminals_must_not_see(void **state)
{
	struct buf out;

	(void)state;
	buf_init(&out, 4096);
	text_add_json(&out, "a\"b\\c/\b\f\n\r\t\x01\x1B\x7F");
	assert_string_equal(buf_text(&out), "\"a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u0001\\u001b\\u007f\"");
	buf_clear(&out);
	text_add_json(&out, "\xC3\xA9\xC2\x9B\xE2\x80\xAE\xFF\xF0\x9F\x91\xA8");
	assert_string_equal(buf_text(&out), "\"\xC3\xA9\\u009b\\u202e" BAD "\xF0\x9F\x91\xA8\"");
	buf_clear(&out);
	text_add_json(&out, "");
	assert_string_equal(buf_text(&out), "\"\"");
	buf_release(&out);
}

static void add_json__is_read_back__for_random_text(void **state)
{
	uint32_t seed = 11;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		char text[64];
		size_t len = 0;
		struct buf json, back;
		struct json_doc doc;
		struct err err = { 0 };

		while (len < 56) {
			uint32_t code = 1 + anytext_random(&seed) % 0x10FFFF;

			if (anytext_random(&seed) % 2)
				code = 1 + code % 0x100;
			if (code < 0xD800 || code > 0xDFFF)
				len += anytext_encode(code, text + len);
		}
		text[len] = '\0';
		buf_init(&json, 4096);
		buf_init(&back, 4096);
		text_add_json(&json, text);
		assert_true(json_doc_parse(&doc, json.data, json.len, &err));
		assert_true(json_doc_string(&doc, 0, &back));
		assert_string_equal(buf_text(&back), text);
		json_doc_release(&doc);
		buf_release(&json);
		buf_release(&back);
	}
}

static void add_money__groups_and_rounds__as_people_write_it(void **state)
{
	static const struct {
		int64_t micro;
		int decimals;
		const char *text;
	} rows[] = {
		{ 0, 0, "0" },
		{ 0, 2, "0.00" },
		{ INT64_C(1240000000), 0, "1,240" },
		{ 12340000, 2, "12.34" },
		{ 12344999, 2, "12.34" },
		{ 12345000, 2, "12.35" },
		{ -12345000, 2, "-12.35" },
		{ -12344999, 2, "-12.34" },
		{ 499999, 0, "0" },
		{ 500000, 0, "1" },
		{ -500000, 0, "-1" },
		{ -499999, 0, "0" },
		{ -4999, 2, "0.00" },
		{ 1, 6, "0.000001" },
		{ -1, 6, "-0.000001" },
		{ 999000000, 0, "999" },
		{ 999500000, 0, "1,000" },
		{ 999999999, 2, "1,000.00" },
		{ INT64_C(999999500000), 0, "1,000,000" },
		{ INT64_C(1000000000000), 1, "1,000,000.0" },
		{ INT64_MAX, 6, "9,223,372,036,854.775807" },
		{ INT64_MAX, 0, "9,223,372,036,855" },
		{ INT64_MIN, 6, "-9,223,372,036,854.775808" },
		{ INT64_MIN, 2, "-9,223,372,036,854.78" },
		{ 1500000, -3, "2" },
		{ 1500000, 99, "1.500000" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out;

		buf_init(&out, 64);
		text_add_money(&out, rows[i].micro, rows[i].decimals);
		assert_string_equal(buf_text(&out), rows[i].text);
		buf_release(&out);
	}
}

static void whole_len__never_ends_inside_a_character(void **state)
{
	static const char text[] = "a\xC3\xA9\xE2\x82\xAC!"; /* 1, 2, 3 and 1 bytes */
	static const size_t expected[] = { 0, 1, 1, 3, 3, 3, 6, 7, 7 };
	(void)state;
	for (size_t max = 0; max < ARRAY_LEN(expected); max++)
		assert_int_equal(text_whole_len(text, max), expected[max]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decode__reads_back__every_code_point),
		cmocka_unit_test(decode__uses_nothing__at_the_end),
		cmocka_unit_test(decode__agrees_with_iconv__on_what_is_utf8),
		cmocka_unit_test(width__is_known__for_each_kind_of_character),
		cmocka_unit_test(width__agrees_with_the_libc__for_settled_scripts),
		cmocka_unit_test(width__adds_up__over_a_text),
		cmocka_unit_test(hex_value__is_that_of_a_digit__and_of_nothing_else),
		cmocka_unit_test(copy_cut__fits__and_leaves_what_was_there_for_null),
		cmocka_unit_test(contains__ignores_case__of_ascii_only),
		cmocka_unit_test(whole_len__never_ends_inside_a_character),
		cmocka_unit_test(distance__is_known__for_words),
		cmocka_unit_test(distance__agrees_with_the_plain_table__up_to_the_limit),
		cmocka_unit_test(add_json__escapes__what_json_and_terminals_must_not_see),
		cmocka_unit_test(add_json__is_read_back__for_random_text),
		cmocka_unit_test(add_money__groups_and_rounds__as_people_write_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
