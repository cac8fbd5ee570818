/* Lines of logs: bars folded, colours kept, sequences gone, the order of pages, the bounds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/log_error.h"
#include "model/log_lines.h"

#define TEXT(literal) literal, sizeof(literal) - 1

static void add(struct log_lines *lines, int64_t at_ms, const char *text)
{
	log_lines_append(lines, 0, at_ms, text, strlen(text));
	log_lines_settle(lines);
}

/* All lines, each with a '|' behind it; static buffer. */
static const char *all(const struct log_lines *lines)
{
	static char out[4096];
	size_t len = 0;
	out[0] = '\0';
	for (size_t i = 0; i < lines->count; i++)
		len += (size_t)snprintf(out + len, sizeof(out) - len, "%s|",
					log_lines_at(lines, i)->text);
	return out;
}

static void piece__loses_sequences__and_keeps_colours(void **state)
{
	struct log_piece piece;
	(void)state;
	log_piece_init(&piece);
	log_piece_read(&piece,
		       TEXT("\x1b[1;31mERROR\x1b[0m \x1b[Kout\x1b[2A of \x1b[38;5;2mmem\r"));
	assert_string_equal(buf_text(&piece.text), "ERROR out of mem");
	assert_int_equal(piece.span_count, 3);
	assert_int_equal(piece.spans[0].at, 0);
	assert_int_equal(piece.spans[0].ink, LOG_INK_RED);
	assert_int_equal(piece.spans[1].at, 5);
	assert_int_equal(piece.spans[1].ink, LOG_INK_PLAIN);
	assert_int_equal(piece.spans[2].at, 13);
	assert_int_equal(piece.spans[2].ink, LOG_INK_GREEN);
	/* What is no CSI sequence stays for the pen, which shows a mark: titles, cut ones. */
	log_piece_read(&piece, TEXT("\x1b]0;title\x07 \x1b[12"));
	assert_string_equal(buf_text(&piece.text), "\x1b]0;title\x07 \x1b[12");
	/* 48;5;1 is a background, 48;2;31;31;31 too: neither is red. */
	log_piece_read(&piece, TEXT("\x1b[48;5;1mon\x1b[48;2;31;31;31mto"));
	assert_string_equal(buf_text(&piece.text), "onto");
	assert_int_equal(piece.span_count, 0);
	log_piece_read(&piece, TEXT("a\0b"));
	assert_string_equal(buf_text(&piece.text), "a\xe2\x90\x80"
						   "b");
	log_piece_release(&piece);
}

static void piece__is_the_last_state__of_a_bar(void **state)
{
	struct log_piece piece;
	(void)state;
	log_piece_init(&piece);
	log_piece_read(&piece, TEXT("\r 1%\r 50%\r100%\r"));
	assert_string_equal(buf_text(&piece.text), "100%");
	assert_int_equal(piece.states, 3);
	assert_true(piece.begins_over);
	log_piece_read(&piece, TEXT("windows line\r"));
	assert_string_equal(buf_text(&piece.text), "windows line");
	assert_int_equal(piece.states, 0);
	assert_false(piece.begins_over);
	log_piece_release(&piece);
}

static void bar__draws_over_the_line_before__in_either_direction(void **state)
{
	static const char *const events[] = { "one\n", "\r10%",          "\r20%",
					      "\r30%", "two\nthree\n\n", "" };
	struct log_lines forward = { 0 }, back = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(events); i++)
		add(&forward, (int64_t)i, events[i]);
	assert_string_equal(all(&forward), "one|30%|two|three|||");
	assert_int_equal(log_lines_at(&forward, 1)->states, 3);
	assert_int_equal(forward.added, 8);
	assert_int_equal(forward.folded, 2);
	/* The page's edge lies within the bar. */
	for (size_t i = 3; i < ARRAY_LEN(events); i++)
		add(&back, (int64_t)i, events[i]);
	for (size_t i = 3; i-- > 0;)
		log_lines_prepend(&back, 0, (int64_t)i, events[i], strlen(events[i]));
	log_lines_settle(&back);
	assert_string_equal(all(&back), all(&forward));
	assert_int_equal(log_lines_at(&back, 1)->states, 3);
	assert_int_equal(back.added, 8);
	assert_int_equal(back.folded, 2);
	log_lines_release(&forward);
	log_lines_release(&back);
}

/* Host 1 writes at even times, host 2 at odd ones and, with a clock that goes back, once out of
 * order: its lines keep the service's. */
static void put(struct log_lines *lines, uint32_t stream, size_t from, size_t to, bool back)
{
	static const char *const texts[2][4] = { { "a0", "a2", "a4", "a6" },
						 { "b1", "b5", "b3", "b7" } };
	static const int64_t times[2][4] = { { 0, 2, 4, 6 }, { 1, 5, 3, 7 } };
	for (size_t i = 0; i < to - from; i++) {
		size_t at = back ? to - 1 - i : from + i;
		if (back)
			log_lines_prepend(lines, stream, times[stream][at], texts[stream][at], 2);
		else
			log_lines_append(lines, stream, times[stream][at], texts[stream][at], 2);
	}
}

static void order__is_that_of_times__however_pages_arrive(void **state)
{
	struct log_lines one = { 0 }, other = { 0 };
	struct log_place place;
	(void)state;
	put(&one, 0, 0, 4, false);
	put(&one, 1, 0, 4, false);
	log_lines_settle(&one);
	assert_string_equal(all(&one), "a0|b1|a2|a4|b5|b3|a6|b7|");
	put(&other, 1, 2, 4, false);
	put(&other, 0, 2, 4, false);
	put(&other, 0, 0, 2, true);
	put(&other, 1, 0, 2, true);
	log_lines_settle(&other);
	/* What came first has no elder to be pulled up to: b3 stands at its own time. */
	assert_string_equal(all(&other), "a0|b1|a2|b5|b3|a4|a6|b7|");
	place = log_line_place(log_lines_at(&one, 5));
	assert_int_equal(log_lines_find(&one, &place), 5);
	log_lines_release(&one);
	log_lines_release(&other);
}

static void lines__are_bounded__in_number_and_bytes(void **state)
{
	struct log_lines lines = { 0 };
	char text[32];
	char *wide = malloc(3u << 20);
	(void)state;
	for (int i = 0; i < 250000; i++) {
		snprintf(text, sizeof(text), "line %d", i);
		log_lines_append(&lines, 0, i, text, strlen(text));
		if (i % 5000 == 4999)
			log_lines_settle(&lines);
	}
	assert_int_equal(lines.count, LOG_LINES_MAX);
	assert_int_equal(lines.added, 250000);
	assert_int_equal(lines.dropped, 150000);
	assert_string_equal(log_lines_at(&lines, 0)->text, "line 150000");
	assert_string_equal(log_lines_at(&lines, LOG_LINES_MAX - 1)->text, "line 249999");
	memset(wide, 'x', 3u << 20);
	for (int i = 0; i < 40; i++) {
		log_lines_append(&lines, 0, 250000 + i, wide, 3u << 20);
		log_lines_settle(&lines);
		assert_true(lines.bytes <= LOG_BYTES_MAX);
	}
	assert_true(lines.count < 40);
	assert_true(log_lines_is_full(&lines));
	const struct log_line *last = log_lines_at(&lines, lines.count - 1);
	assert_non_null(strstr(last->text, " (cut: the line has 3145728 bytes)"));
	assert_true(last->len < LOG_TEXT_MAX + 100);
	free(wide);
	log_lines_release(&lines);
}

static void cut__is_never_within_a_character(void **state)
{
	struct log_piece piece;
	size_t len = LOG_TEXT_MAX + 2;
	char *wide = malloc(len);
	(void)state;
	memset(wide, 'x', len);
	for (size_t i = 0; i < 3; i++)
		wide[LOG_TEXT_MAX - 2 + i] = "\xe2\x82\xac"[i]; /* a euro, over the edge */
	log_piece_init(&piece);
	log_piece_read(&piece, wide, len);
	assert_true(piece.cut);
	assert_int_equal(piece.whole_size, len);
	assert_int_equal(piece.text.len, LOG_TEXT_MAX - 2);
	log_piece_release(&piece);
	free(wide);
}

static void error__is_told_by_its_words(void **state)
{
	static const struct {
		const char *text;
		bool is;
	} rows[] = {
		{ "Traceback (most recent call last):", true },
		{ "ValueError: expected sequence of length 512", true },
		{ "torch.cuda.OutOfMemoryError: CUDA out of memory.", true },
		{ "2026-12-01 ERROR train: gone", true },
		{ "[ERROR] gone", true },
		{ "step 5 loss 0.1 ERROR=0", false },
		{ "NUM_ERRORS 4", false },
		{ "errors: 0", false },
		{ "mean squared error 0.1", false },
		{ "ERRORS are logged", false },
		{ "", false },
	};
	struct log_lines lines = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (log_is_error(rows[i].text, strlen(rows[i].text)) != rows[i].is)
			fail_msg("%s", rows[i].text);
	assert_int_equal(log_lines_first_error(&lines), LOG_NONE);
	add(&lines, 5, "fine");
	add(&lines, 6, "ERROR of host 1");
	assert_int_equal(log_lines_first_error(&lines), 1);
	log_lines_append(&lines, 1, 3, TEXT("ERROR of host 2"));
	log_lines_settle(&lines);
	assert_int_equal(log_lines_first_error(&lines), 0);
	log_lines_release(&lines);
}

static void gap__stands_behind_the_last_line(void **state)
{
	struct log_lines lines = { 0 };
	(void)state;
	add(&lines, 1, "before");
	log_lines_append_gap(&lines, 0, 1, "ERROR-like words of ours");
	add(&lines, 2, "behind");
	assert_string_equal(all(&lines), "before|ERROR-like words of ours|behind|");
	assert_int_equal(log_lines_at(&lines, 1)->flags, LOG_LINE_GAP);
	assert_int_equal(lines.added, 2);
	log_lines_release(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(piece__loses_sequences__and_keeps_colours),
		cmocka_unit_test(piece__is_the_last_state__of_a_bar),
		cmocka_unit_test(bar__draws_over_the_line_before__in_either_direction),
		cmocka_unit_test(order__is_that_of_times__however_pages_arrive),
		cmocka_unit_test(lines__are_bounded__in_number_and_bytes),
		cmocka_unit_test(cut__is_never_within_a_character),
		cmocka_unit_test(error__is_told_by_its_words),
		cmocka_unit_test(gap__stands_behind_the_last_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
