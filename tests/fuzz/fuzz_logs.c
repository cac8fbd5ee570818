/*
 * Any bytes as an answer of GetLogEvents, and as what a container wrote: events cut at the byte
 * 0x1E. They become the same lines whether they are read forwards, or from the middle on and then
 * backwards; whatever they are, no line holds a NUL or a line end, its inks stand in order, and
 * the sums are those of the lines.
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "aws/json.h"
#include "aws/logs.h"
#include "model/log_error.h"
#include "model/log_lines.h"
#include "tests/fuzz/fuzz.h"

#define SPLIT      '\x1e'
#define EVENTS_MAX 64
#define STREAM     3

static void check_line(const struct log_line *line)
{
	assert(line->stream == STREAM && line->version > 0);
	assert(strlen(line->text) == line->len && !memchr(line->text, '\n', line->len));
	assert(line->len <= LOG_TEXT_MAX + 64 && line->span_count <= LOG_INKS_MAX);
	for (size_t i = 0; i < line->span_count; i++) {
		assert(line->spans[i].at <= line->len && line->spans[i].ink < LOG_INK_COUNT);
		assert(i == 0 || line->spans[i].at > line->spans[i - 1].at);
	}
	assert(!(line->flags & LOG_LINE_BAR) == (line->states == 0));
	assert(!(line->flags & LOG_LINE_ERROR) == !log_is_error(line->text, line->len));
}

static void check_lines(const struct log_lines *lines)
{
	size_t bytes = 0, first_error = LOG_NONE;

	assert(lines->count <= LOG_LINES_MAX);
	for (size_t i = 0; i < lines->count; i++) {
		const struct log_line *line = log_lines_at(lines, i);
		struct log_place place = log_line_place(line);

		check_line(line);
		bytes += line->len;
		assert(log_lines_find(lines, &place) == i);
		if (i > 0) {
			const struct log_line *before = log_lines_at(lines, i - 1);
			assert(before->key_ms <= line->key_ms && before->number < line->number);
		}
		if (first_error == LOG_NONE && (line->flags & LOG_LINE_ERROR))
			first_error = i;
	}
	assert(bytes == lines->bytes && first_error == log_lines_first_error(lines));
	assert(lines->added == lines->count + lines->folded + lines->dropped);
}

static void want_same(const struct log_lines *a, const struct log_lines *b)
{
	assert(a->count == b->count && a->folded == b->folded);
	for (size_t i = 0; i < a->count; i++) {
		const struct log_line *x = log_lines_at(a, i), *y = log_lines_at(b, i);

		assert(x->len == y->len && memcmp(x->text, y->text, x->len) == 0);
		assert(x->at_ms == y->at_ms && x->states == y->states && x->flags == y->flags);
		assert(x->span_count == y->span_count);
		for (size_t j = 0; j < x->span_count; j++)
			assert(x->spans[j].at == y->spans[j].at &&
			       x->spans[j].ink == y->spans[j].ink);
	}
}

static void append(struct log_lines *lines, const struct logs_event *event, size_t len)
{
	log_lines_append(lines, STREAM, event->at_ms, event->text, len);
}

/* Forwards in one go / from the middle on, then what was before, settled after each. */
static void read_both_ways(const struct logs_event *events, const size_t *lens, size_t count,
			   size_t middle)
{
	struct log_lines forwards = { 0 }, backwards = { 0 };

	for (size_t i = 0; i < count; i++)
		append(&forwards, &events[i], lens[i]);
	log_lines_settle(&forwards);
	check_lines(&forwards);
	for (size_t i = middle; i < count; i++)
		append(&backwards, &events[i], lens[i]);
	log_lines_settle(&backwards);
	for (size_t i = middle; i > 0; i--) {
		log_lines_prepend(&backwards, STREAM, events[i - 1].at_ms, events[i - 1].text,
				  lens[i - 1]);
		log_lines_settle(&backwards);
	}
	check_lines(&backwards);
	want_same(&forwards, &backwards);
	log_lines_release(&forwards);
	log_lines_release(&backwards);
}

static void read_answer(const char *data, size_t size)
{
	struct err err = { 0 };
	struct logs_page page;
	struct json_value *document = json_parse(data, size, &err);

	if (document && logs_decode_page(document, &page, &err)) {
		size_t lens[EVENTS_MAX], count = 0;

		assert(page.count <= LOGS_PAGE_MAX);
		for (; count < page.count && count < EVENTS_MAX; count++)
			lens[count] = strlen(page.events[count].text);
		if (count > 0)
			read_both_ways(page.events, lens, count, size % (count + 1));
		logs_page_release(&page);
	} else {
		assert(err.code != ERR_NONE);
	}
	json_free(document);
	err_clear(&err);
}

/* NULs and all. */
static void read_written(const char *data, size_t size)
{
	struct logs_event events[EVENTS_MAX];
	size_t lens[EVENTS_MAX], count = 0;

	for (const char *at = data, *end = data + size; at < end && count < EVENTS_MAX; count++) {
		const char *split = memchr(at, SPLIT, (size_t)(end - at));
		const char *to = split ? split : end;
		events[count] = (struct logs_event){ (int64_t)(count * 7 % 5), at };
		lens[count] = (size_t)(to - at);
		at = split ? split + 1 : end;
	}
	read_both_ways(events, lens, count, size % (count + 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = fuzz_copy(data, size);

	/* Blocks of megabytes come fresh from the system: a list has some, which it hardly uses. */
	(void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
	read_answer(copy, size);
	read_written(copy, size);
	free(copy);
	return 0;
}
