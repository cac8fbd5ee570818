#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/jsontext.h"
#include "model/base/text.h"
#include "tests/anytext.h"

#define DOT   "\xC2\xB7"     /* U+00B7, the mark of a control or a doubtful character */
#define BAD   "\xEF\xBF\xBD" /* U+FFFD, the mark of bytes that are no UTF-8 */
#define DOTS  "\xE2\x80\xA6" /* U+2026, the ellipsis of a cut */
#define ACUTE "\xCC\x81"     /* U+0301, combining */

static void assert_sanitised(const char *text, enum text_mode mode, bool ascii,
			     const char *expected)
{
	struct buf out;

	buf_init(&out, 4096);
	text_sanitise(&out, text, strlen(text), mode, ascii);
	assert_string_equal(buf_text(&out), expected);
	buf_release(&out);
}

/* Case 127: escape sequences, in their 7-bit and 8-bit forms. */
static void sanitise__leaves_no_control__in_any_mode(void **state)
{
	static const char hostile[] = "\x1B]52;c;aGVsbG8=\x07\x1B[2J\x1B"
				      "c\x1BP$q\x1B\\"
				      "\xC2\x9B"
				      "31m\xC2\x9D"
				      "0;t\xC2\x9C\x7F\r\b";
	static const char clean[] = DOT "]52;c;aGVsbG8=" DOT DOT "[2J" DOT "c" DOT "P$q" DOT
					"\\" DOT "31m" DOT "0;t" DOT DOT DOT DOT;

	(void)state;
	assert_sanitised(hostile, TEXT_CELL, false, clean);
	assert_sanitised(hostile, TEXT_PAGE, false, clean);
	assert_sanitised(hostile, TEXT_FILE, false, clean);
}

static void sanitise__marks__what_turns_the_direction_or_splits_lines(void **state)
{
	static const uint32_t codes[] = {
		0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D,
		0x202E, 0x2066, 0x2067, 0x2068, 0x2069, 0x85,   0x80,   0x9F,   0x7F,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		char text[8] = "a";

		text[1 + anytext_encode(codes[i], text + 1)] = '\0';
		assert_sanitised(text, TEXT_CELL, false, "a" DOT);
		assert_sanitised(text, TEXT_PAGE, false, "a" DOT);
		assert_sanitised(text, TEXT_FILE, false, "a" DOT);
	}
}

static void sanitise__treats_lines_and_tabs__by_mode(void **state)
{
	(void)state;
	assert_sanitised("a\tb\nc", TEXT_CELL, false, "a" DOT "b" DOT "c");
	assert_sanitised("a\tb\nc\td", TEXT_PAGE, false, "a       b\nc       d");
	assert_sanitised("1234567\t8\t", TEXT_PAGE, false, "1234567 8       ");
	assert_sanitised("12345678\t9", TEXT_PAGE, false, "12345678        9");
	/* A wide character takes two of the eight columns. */
	assert_sanitised("\xE4\xB8\x80\t|", TEXT_PAGE, false, "\xE4\xB8\x80      |");
	assert_sanitised("a\tb\nc\r\n", TEXT_FILE, false, "a\tb\nc" DOT "\n");
}

static void sanitise__marks_each_byte__of_bad_utf8(void **state)
{
	(void)state;
	assert_sanitised("\xC0\xAF", TEXT_FILE, false, BAD BAD);
	assert_sanitised("\xED\xA0\x80", TEXT_FILE, false, BAD BAD BAD);
	assert_sanitised("\xF4\x90\x80\x80", TEXT_FILE, false, BAD BAD BAD BAD);
	assert_sanitised("caf\xE9", TEXT_CELL, false, "caf" BAD);
	assert_sanitised("caf\xE9", TEXT_CELL, true, "caf?");
	/* A bad start does not swallow the escape behind it. */
	assert_sanitised("\xE2\x1B[31m", TEXT_CELL, false, BAD DOT "[31m");
}

static void sanitise__keeps__nul_bytes_out(void **state)
{
	struct buf out;

	(void)state;
	buf_init(&out, 64);
	text_sanitise(&out, "a\0b", 3, TEXT_FILE, false);
	assert_string_equal(buf_text(&out), "a" DOT "b");
	buf_release(&out);
}

static void sanitise__is_plain_ascii__when_asked(void **state)
{
	(void)state;
	assert_sanitised("caf\xC3\xA9 \xE4\xB8\x80 e" ACUTE " \xE2\x80\xA6", TEXT_CELL, true,
			 "caf? ? e? ?");
	assert_sanitised("\x1B[0m\tx\n", TEXT_FILE, true, "?[0m\tx\n");
	assert_sanitised("\xF0\x9F\x91\xA8", TEXT_PAGE, true, "?");
	assert_sanitised(" }~\x7F", TEXT_CELL, true, " }~?");
}

/* What gpuq draws, and the letters of the world, must pass unharmed. */
static void sanitise__is_not_lossy__for_letters_and_own_glyphs(void **state)
{
	static const uint32_t ranges[][2] = {
		{ 0x20, 0x7E },     { 0xA1, 0xAC },     { 0xAE, 0x2FF },    { 0x370, 0x373 },
		{ 0x391, 0x3A1 },   { 0x410, 0x44F },   { 0x5D0, 0x5EA },   { 0x0915, 0x0939 },
		{ 0x2013, 0x2013 }, { 0x2026, 0x2026 }, { 0x2190, 0x2193 }, { 0x2500, 0x259F },
		{ 0x25B8, 0x25B8 }, { 0x25CF, 0x25CF }, { 0x2713, 0x2713 }, { 0x2717, 0x2717 },
		{ 0x3041, 0x3096 }, { 0x4E00, 0x4E80 }, { 0xAC00, 0xAC80 }, { 0xFFFD, 0xFFFD },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
		for (uint32_t code = ranges[i][0]; code <= ranges[i][1]; code++) {
			char text[8] = "";

			text[anytext_encode(code, text)] = '\0';
			assert_sanitised(text, TEXT_CELL, false, text);
		}
	}
}

static void sanitise__makes_one_mark__of_what_terminals_disagree_on(void **state)
{
	static const uint32_t codes[] = {
		0x00AD,  0x200B,  0x200C,  0x200D,  0x2060,  0xFEFF,  0x2600,   0x26A0, 0x2705,
		0x274C,  0x2B50,  0x231A,  0x25B6,  0x25A0,  0xE000,  0xFE00,   0xFE0F, 0x1F1E6,
		0x1F300, 0x1F468, 0x1FAFF, 0xE0041, 0xE0100, 0xF0000, 0x10FFFD, 0xFFFE, 0x20E3,
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		char text[8] = "a";
		size_t len = 1 + anytext_encode(codes[i], text + 1);

		text[len] = 'b';
		assert_sanitised(text, TEXT_CELL, false, "a" DOT "b");
		bool selects = codes[i] == 0x200D || codes[i] == 0xFE00 || codes[i] == 0xFE0F;
		assert_sanitised(text, TEXT_PAGE, false, selects ? "ab" : text);
		assert_sanitised(text, TEXT_FILE, false, text);
	}
}

/* A sign with its selector, people with their joiners: as wide as their parts, on any terminal. */
static void sanitise__takes_selectors_and_joiners__out_of_a_page(void **state)
{
	(void)state;
	assert_sanitised("\xE2\x9A\xA0\xEF\xB8\x8F low", TEXT_PAGE, false, "\xE2\x9A\xA0 low");
	assert_sanitised("\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA7", TEXT_PAGE, false,
			 "\xF0\x9F\x91\xA8\xF0\x9F\x91\xA7");
	assert_sanitised("a" ACUTE "\xEF\xB8\x8F" ACUTE, TEXT_PAGE, false, "a" ACUTE ACUTE);
}

static void sanitise__caps_combining_marks__in_a_cell(void **state)
{
	(void)state;
	assert_sanitised("a" ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE "b" ACUTE, TEXT_CELL, false,
			 "a" ACUTE ACUTE ACUTE ACUTE "b" ACUTE);
	assert_sanitised("a" ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE, TEXT_PAGE, false,
			 "a" ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE);
}

/* Without a base it would land on the border to its left. */
static void sanitise__marks_a_combining_character__when_it_has_no_base(void **state)
{
	(void)state;
	assert_sanitised(ACUTE "a", TEXT_CELL, false, DOT "a");
	assert_sanitised(ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE, TEXT_CELL, false,
			 DOT ACUTE ACUTE ACUTE ACUTE);
	assert_sanitised("a\n" ACUTE "b", TEXT_PAGE, false, "a\n" DOT "b");
	assert_sanitised(ACUTE "a", TEXT_FILE, false, ACUTE "a");
}

static bool has_control(const char *text, enum text_mode mode, bool ascii)
{
	size_t left = strlen(text);

	while (left) {
		uint32_t code;
		size_t used = text_decode(text, left, &code);
		bool kept =
			(code == '\n' && mode != TEXT_CELL) || (code == '\t' && mode == TEXT_FILE);

		if (!kept && (code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x202E))
			return true;
		if (ascii && code > 0x7E)
			return true;
		if (code == TEXT_BAD && used == 1)
			return true;
		text += used;
		left -= used;
	}
	return false;
}

static void sanitise__is_safe_and_settled__for_random_bytes(void **state)
{
	uint32_t seed = 42;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[64];
		size_t len = anytext_fill(&seed, text, sizeof(text));
		enum text_mode mode = (enum text_mode)(i % 3);
		bool ascii = i % 2 == 0;
		struct buf once, twice;

		buf_init(&once, 4096);
		buf_init(&twice, 4096);
		text_sanitise(&once, text, len, mode, ascii);
		text_sanitise(&twice, buf_text(&once), once.len, mode, ascii);
		assert_string_equal(buf_text(&twice), buf_text(&once));
		assert_false(has_control(buf_text(&once), mode, ascii));
		assert_false(once.failed);
		buf_release(&once);
		buf_release(&twice);
	}
}

static void assert_fit(const char *text, int columns, bool pad, bool ascii, const char *expected)
{
	struct buf out;

	buf_init(&out, 256);
	text_fit(&out, text, columns, pad, ascii);
	assert_string_equal(buf_text(&out), expected);
	buf_release(&out);
}

static void fit__cuts_and_pads__by_columns(void **state)
{
	(void)state;
	assert_fit("abc", 5, true, false, "abc  ");
	assert_fit("abc", 5, false, false, "abc");
	assert_fit("abc", 3, true, false, "abc");
	assert_fit("abcd", 3, true, false, "ab" DOTS);
	assert_fit("abcd", 3, true, true, "ab~");
	assert_fit("abcd", 1, true, false, DOTS);
	assert_fit("a", 1, true, false, "a");
	assert_fit("", 2, true, false, "  ");
	assert_fit("abc", 0, true, false, "");
	assert_fit("abc", -7, true, false, "");
	assert_fit("abc", INT_MIN, true, false, "");
}

static void fit__never_halves__a_wide_character(void **state)
{
	static const char two[] = "\xE4\xB8\x80\xE4\xB8\x80";

	(void)state;
	assert_fit(two, 4, true, false, two);
	assert_fit(two, 3, true, false, "\xE4\xB8\x80" DOTS);
	assert_fit(two, 2, true, false, DOTS " ");
	assert_fit(two, 2, false, false, DOTS);
	assert_fit(two, 1, true, false, DOTS);
	assert_fit("\xE4\xB8\x80", 1, true, false, DOTS);
}

static void fit__keeps_marks__with_their_base(void **state)
{
	(void)state;
	assert_fit("e" ACUTE "tude", 5, true, false, "e" ACUTE "tude");
	assert_fit("e" ACUTE "tude", 2, true, false, "e" ACUTE DOTS);
	assert_fit("abe" ACUTE, 3, true, false, "abe" ACUTE);
	assert_fit("abe" ACUTE "c", 2, true, false, "a" DOTS);
}

static void fit__fills_exactly__for_random_text(void **state)
{
	uint32_t seed = 7;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[48];
		size_t len = anytext_fill(&seed, text, sizeof(text));
		int columns = (int)(anytext_random(&seed) % 60);
		struct buf clean, fitted;

		buf_init(&clean, 4096);
		buf_init(&fitted, 4096);
		text_sanitise(&clean, text, len, TEXT_CELL, false);
		text_fit(&fitted, buf_text(&clean), columns, true, false);
		assert_int_equal(text_width(buf_text(&fitted)), columns);
		buf_release(&clean);
		buf_release(&fitted);
	}
}

static void sanitise__keeps_columns_aligned__for_case_114(void **state)
{
	static const struct {
		const char *clean;
		int width;
	} rows[] = {
		{ "train-" DOT "-ok", 10 },
		{ "train-" DOT "-warn", 12 },
		{ "train-" DOT DOT "-warn", 13 },
		{ "\xE8\xAE\xAD\xE7\xBB\x83\xE4\xBB\xBB\xE5\x8A\xA1-\xE4\xB8\x80", 11 },
		{ DOT DOT DOT DOT DOT "-family", 12 },
		{ "e" ACUTE "tude", 5 },
		{ "\xD7\x90\xD7\x91\xD7\x92-rtl", 7 },
		{ "zero" DOT "width", 10 },
	};
	char input[1024], *line = input;

	(void)state;
	if (!anytext_shared("cases/114-wide-glyph-columns/input.txt", input, sizeof(input)))
		return;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t len = strcspn(line, "\n");
		struct buf out;

		buf_init(&out, 256);
		text_sanitise(&out, line, len, TEXT_CELL, false);
		assert_string_equal(buf_text(&out), rows[i].clean);
		assert_int_equal(text_width(buf_text(&out)), rows[i].width);
		buf_release(&out);
		line += len + (line[len] == '\n');
	}
	assert_string_equal(line, "");
}

static void sanitise__lets_nothing_through__for_case_127(void **state)
{
	char input[1024];
	struct json_doc doc;
	struct err err = { 0 };
	struct buf raw, clean;

	(void)state;
	if (!anytext_shared("cases/127-escape-sequences-in-data/input.json", input, sizeof(input)))
		return;
	assert_true(json_doc_parse(&doc, input, strlen(input), &err));
	buf_init(&raw, 4096);
	buf_init(&clean, 4096);
	assert_true(json_doc_string(&doc, json_doc_path(&doc, "FailureReason"), &raw));
	assert_non_null(strchr(buf_text(&raw), 0x1B));
	for (int mode = TEXT_CELL; mode <= TEXT_FILE; mode++) {
		buf_clear(&clean);
		text_sanitise(&clean, raw.data, raw.len, (enum text_mode)mode, false);
		assert_false(has_control(buf_text(&clean), (enum text_mode)mode, false));
		assert_non_null(strstr(buf_text(&clean), DOT "]52;c;aGVsbG8=" DOT));
		assert_non_null(strstr(buf_text(&clean), DOT "gnp.exe "));
	}
	buf_release(&raw);
	buf_release(&clean);
	json_doc_release(&doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sanitise__leaves_no_control__in_any_mode),
		cmocka_unit_test(sanitise__marks__what_turns_the_direction_or_splits_lines),
		cmocka_unit_test(sanitise__treats_lines_and_tabs__by_mode),
		cmocka_unit_test(sanitise__marks_each_byte__of_bad_utf8),
		cmocka_unit_test(sanitise__keeps__nul_bytes_out),
		cmocka_unit_test(sanitise__is_plain_ascii__when_asked),
		cmocka_unit_test(sanitise__is_not_lossy__for_letters_and_own_glyphs),
		cmocka_unit_test(sanitise__makes_one_mark__of_what_terminals_disagree_on),
		cmocka_unit_test(sanitise__takes_selectors_and_joiners__out_of_a_page),
		cmocka_unit_test(sanitise__caps_combining_marks__in_a_cell),
		cmocka_unit_test(sanitise__marks_a_combining_character__when_it_has_no_base),
		cmocka_unit_test(sanitise__is_safe_and_settled__for_random_bytes),
		cmocka_unit_test(fit__cuts_and_pads__by_columns),
		cmocka_unit_test(fit__never_halves__a_wide_character),
		cmocka_unit_test(fit__keeps_marks__with_their_base),
		cmocka_unit_test(fit__fills_exactly__for_random_text),
		cmocka_unit_test(sanitise__keeps_columns_aligned__for_case_114),
		cmocka_unit_test(sanitise__lets_nothing_through__for_case_127),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
