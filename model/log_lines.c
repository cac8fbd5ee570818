#include "model/log_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/log_error.h"

#define MASK            (LOG_LINES_SLOTS - 1)
#define BATCH_MAX       16384
#define ENOUGH          (LOG_LINES_MAX / 10 * 8)
#define ENOUGH_OF_BYTES (LOG_BYTES_MAX / 10 * 8)
#define CUT_SIZE        80
/* What a page may bring (GetLogEvents: 1 MB, and here 5,000 lines), and then some. */
#define PAGE_LINES 6000
#define PAGE_BYTES (2u << 20)

_Static_assert(LOG_LINES_MAX + BATCH_MAX <= LOG_LINES_SLOTS, "a batch fits beside the lines");

static void start(struct log_lines *lines)
{
	if (lines->slots)
		return;
	lines->slots = mem_new(LOG_LINES_SLOTS, sizeof(*lines->slots));
	lines->order = mem_new(LOG_LINES_SLOTS, sizeof(*lines->order));
	lines->free_slots = mem_new(LOG_LINES_SLOTS, sizeof(*lines->free_slots));
	lines->batch = mem_new(BATCH_MAX, sizeof(*lines->batch));
	lines->ends = mem_new(LOG_STREAMS_MAX, sizeof(*lines->ends));
	log_piece_init(&lines->piece);
}

static void free_texts(struct log_lines *lines, struct log_line *line)
{
	lines->bytes -= line->len;
	free(line->text);
	free(line->spans);
	*line = (struct log_line){ 0 };
}

void log_lines_release(struct log_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free_texts(lines, &lines->slots[lines->order[(lines->head + i) & MASK]]);
	for (size_t i = 0; i < lines->batch_count; i++)
		free_texts(lines, &lines->slots[lines->batch[i]]);
	if (lines->slots)
		log_piece_release(&lines->piece);
	free(lines->slots);
	free(lines->order);
	free(lines->free_slots);
	free(lines->ends);
	free(lines->batch);
	*lines = (struct log_lines){ 0 };
}

/* --- order --- */

const struct log_line *log_lines_at(const struct log_lines *lines, size_t at)
{
	return &lines->slots[log_lines_slot(lines, at)];
}

size_t log_lines_slot(const struct log_lines *lines, size_t at)
{
	return lines->order[(lines->head + at) & MASK];
}

struct log_place log_line_place(const struct log_line *line)
{
	return (struct log_place){ line->key_ms, line->stream, line->number };
}

static bool is_before(const struct log_line *line, const struct log_place *place)
{
	if (line->key_ms != place->key_ms)
		return line->key_ms < place->key_ms;
	if (line->stream != place->stream)
		return line->stream < place->stream;
	return line->number < place->number;
}

static bool slot_is_before(const struct log_lines *lines, uint32_t a, uint32_t b)
{
	struct log_place place = log_line_place(&lines->slots[b]);
	return is_before(&lines->slots[a], &place);
}

size_t log_lines_find(const struct log_lines *lines, const struct log_place *place)
{
	size_t low = 0, high = lines->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (is_before(log_lines_at(lines, middle), place))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool log_line_stands_at(const struct log_line *line, const struct log_place *place)
{
	return line->key_ms == place->key_ms && line->stream == place->stream &&
	       line->number == place->number;
}

/* --- the first error --- */

static void note_error(struct log_lines *lines, const struct log_line *line)
{
	bool is_first = !lines->has_error || is_before(line, &lines->error);
	if (!(line->flags & LOG_LINE_ERROR) || !is_first)
		return;
	lines->has_error = true;
	lines->error = log_line_place(line);
}

/* The line goes, or becomes another. */
static void lose_error(struct log_lines *lines, const struct log_line *line)
{
	if (lines->has_error && log_line_stands_at(line, &lines->error))
		lines->error_lost = true;
}

static void find_error(struct log_lines *lines)
{
	lines->error_lost = lines->has_error = false;
	for (size_t i = 0; i < lines->count && !lines->has_error; i++)
		note_error(lines, log_lines_at(lines, i));
}

size_t log_lines_first_error(const struct log_lines *lines)
{
	return lines->has_error ? log_lines_find(lines, &lines->error) : LOG_NONE;
}

/* --- batches --- */

static void drop_oldest(struct log_lines *lines)
{
	size_t slot = log_lines_slot(lines, 0);
	lose_error(lines, &lines->slots[slot]);
	free_texts(lines, &lines->slots[slot]);
	lines->free_slots[lines->free_count++] = (uint32_t)slot;
	lines->head = (lines->head + 1) & MASK;
	lines->count--;
	lines->dropped++;
}

static void put_before(struct log_lines *lines)
{
	lines->head = (lines->head - lines->batch_count) & MASK;
	for (size_t i = 0; i < lines->batch_count; i++)
		lines->order[(lines->head + i) & MASK] = lines->batch[i];
}

/* From the back: what is newer than the batch makes room for it. */
static void put_among(struct log_lines *lines)
{
	size_t old = lines->count, fresh = lines->batch_count, to = old + fresh;
	while (fresh > 0) {
		uint32_t *last = &lines->order[(lines->head + old - 1) & MASK];
		bool moves = old > 0 && slot_is_before(lines, lines->batch[fresh - 1], *last);
		lines->order[(lines->head + --to) & MASK] = moves ? *last : lines->batch[fresh - 1];
		if (moves)
			old--;
		else
			fresh--;
	}
}

/* What was added before a stream came newest first. */
static void turn_batch(struct log_lines *lines)
{
	for (size_t i = 0, j = lines->batch_count - 1; i < j; i++, j--) {
		uint32_t slot = lines->batch[i];
		lines->batch[i] = lines->batch[j];
		lines->batch[j] = slot;
	}
}

static void merge_batch(struct log_lines *lines)
{
	size_t count = lines->batch_count;
	if (lines->batch_is_back)
		turn_batch(lines);
	bool older = lines->count > 0 && slot_is_before(lines, lines->batch[count - 1],
							lines->order[lines->head & MASK]);
	for (size_t i = 0; i < count; i++)
		note_error(lines, &lines->slots[lines->batch[i]]);
	if (older)
		put_before(lines);
	else
		put_among(lines);
	lines->count += count;
	lines->batch_count = 0;
}

void log_lines_settle(struct log_lines *lines)
{
	if (lines->batch_count > 0)
		merge_batch(lines);
	while (lines->count > LOG_LINES_MAX || (lines->bytes > LOG_BYTES_MAX && lines->count > 1))
		drop_oldest(lines);
	if (lines->error_lost)
		find_error(lines);
}

bool log_lines_has_enough(const struct log_lines *lines)
{
	return lines->count >= ENOUGH || lines->bytes >= ENOUGH_OF_BYTES;
}

bool log_lines_is_full(const struct log_lines *lines)
{
	return lines->count > LOG_LINES_MAX - PAGE_LINES ||
	       lines->bytes > LOG_BYTES_MAX - PAGE_BYTES;
}

/* --- lines --- */

static void add_cut_note(struct log_piece *piece)
{
	char note[CUT_SIZE];
	int len = snprintf(note, sizeof(note), " (cut: the line has %zu bytes)", piece->whole_size);
	if (len > 0 && len < CUT_SIZE)
		buf_add(&piece->text, note, (size_t)len);
}

/* The line that was read last, in that slot. */
static void fill(struct log_lines *lines, struct log_line *line)
{
	struct log_piece *piece = &lines->piece;
	if (piece->cut)
		add_cut_note(piece);
	lines->bytes -= line->len;
	free(line->text);
	free(line->spans);
	line->len = piece->text.len;
	line->text = mem_copy_bytes(buf_text(&piece->text), line->len);
	line->span_count = piece->span_count;
	line->spans = NULL;
	if (piece->span_count > 0) {
		line->spans = mem_new(piece->span_count, sizeof(*line->spans));
		memcpy(line->spans, piece->spans, piece->span_count * sizeof(*line->spans));
	}
	line->states += piece->states;
	line->flags = (piece->states > 0 ? LOG_LINE_BAR : 0u) |
		      (piece->begins_over ? LOG_LINE_BEGINS_OVER : 0u) |
		      (log_is_error(line->text, line->len) ? LOG_LINE_ERROR : 0u);
	line->version = ++lines->version;
	lines->bytes += line->len;
}

/* The batch is of one stream and goes one way. */
static struct log_line *new_line(struct log_lines *lines, uint32_t stream, bool back, size_t *slot)
{
	bool other = lines->batch_stream != stream || lines->batch_is_back != back;
	if (lines->batch_count == BATCH_MAX || (lines->batch_count > 0 && other))
		log_lines_settle(lines);
	lines->batch_stream = stream;
	lines->batch_is_back = back;
	*slot = lines->free_count > 0 ? lines->free_slots[--lines->free_count] : lines->used++;
	struct log_line *line = &lines->slots[*slot];
	*line = (struct log_line){ .stream = stream };
	lines->batch[lines->batch_count++] = (uint32_t)*slot;
	return line;
}

/* NULL: it is gone. */
static struct log_line *line_of(struct log_lines *lines, const struct log_end *end)
{
	struct log_line *line = &lines->slots[end->slot];
	return end->version > 0 && line->version == end->version ? line : NULL;
}

static void note_end(struct log_end *end, const struct log_line *line, size_t slot)
{
	*end = (struct log_end){
		.ms = line->key_ms, .number = line->number, .slot = slot, .version = line->version
	};
}

/* The line that was read draws over the last one. */
static void draw_over(struct log_lines *lines, struct log_ends *ends, struct log_line *last,
		      int64_t at_ms)
{
	bool is_first = ends->first.version == last->version;
	unsigned over = last->flags & LOG_LINE_BEGINS_OVER;
	lose_error(lines, last);
	fill(lines, last);
	last->at_ms = at_ms;
	last->flags = (last->flags & ~(unsigned)LOG_LINE_BEGINS_OVER) | over;
	lines->folded++;
	if (last->flags & LOG_LINE_ERROR)
		lines->error_lost = true; /* it may be in no batch: looked for at the next settle */
	note_end(&ends->last, last, ends->last.slot);
	if (is_first)
		ends->first = ends->last;
}

static void append_piece(struct log_lines *lines, uint32_t stream, int64_t at_ms)
{
	struct log_ends *ends = &lines->ends[stream];
	struct log_line *last = line_of(lines, &ends->last), *line;
	size_t slot;
	lines->added++;
	if (last && lines->piece.begins_over && (last->flags & LOG_LINE_BAR)) {
		draw_over(lines, ends, last, at_ms);
		return;
	}
	line = new_line(lines, stream, false, &slot);
	fill(lines, line);
	line->at_ms = at_ms;
	line->key_ms = ends->any && ends->last.ms > at_ms ? ends->last.ms : at_ms;
	line->number = ends->any ? ends->last.number + 1 : 0;
	note_end(&ends->last, line, slot);
	if (!ends->any)
		ends->first = ends->last;
	ends->any = true;
}

static void prepend_piece(struct log_lines *lines, uint32_t stream, int64_t at_ms)
{
	struct log_ends *ends = &lines->ends[stream];
	struct log_line *first = line_of(lines, &ends->first), *line;
	const struct log_piece *piece = &lines->piece;
	size_t slot;
	lines->added++;
	if (first && piece->states > 0 && (first->flags & LOG_LINE_BEGINS_OVER)) {
		if (!piece->begins_over)
			first->flags &= ~(unsigned)LOG_LINE_BEGINS_OVER;
		first->states += piece->states;
		lines->folded++;
		return;
	}
	line = new_line(lines, stream, true, &slot);
	fill(lines, line);
	line->at_ms = at_ms;
	line->key_ms = ends->any && ends->first.ms < at_ms ? ends->first.ms : at_ms;
	line->number = ends->any ? ends->first.number - 1 : 0;
	note_end(&ends->first, line, slot);
	if (!ends->any)
		ends->last = ends->first;
	ends->any = true;
}

/* An event has a line end of its own, or has not. */
static size_t without_end(const char *text, size_t len)
{
	return len > 0 && text[len - 1] == '\n' ? len - 1 : len;
}

void log_lines_append(struct log_lines *lines, uint32_t stream, int64_t at_ms, const char *text,
		      size_t len)
{
	if (stream >= LOG_STREAMS_MAX)
		return;
	start(lines);
	len = without_end(text, len);
	for (;;) {
		const char *end = memchr(text, '\n', len);
		size_t line = end ? (size_t)(end - text) : len;
		log_piece_read(&lines->piece, text, line);
		append_piece(lines, stream, at_ms);
		if (!end)
			break;
		text += line + 1;
		len -= line + 1;
	}
}

void log_lines_prepend(struct log_lines *lines, uint32_t stream, int64_t at_ms, const char *text,
		       size_t len)
{
	if (stream >= LOG_STREAMS_MAX)
		return;
	start(lines);
	len = without_end(text, len);
	for (;;) {
		size_t from = len;
		while (from > 0 && text[from - 1] != '\n')
			from--;
		log_piece_read(&lines->piece, text + from, len - from);
		prepend_piece(lines, stream, at_ms);
		if (from == 0)
			break;
		len = from - 1;
	}
}

void log_lines_append_gap(struct log_lines *lines, uint32_t stream, int64_t at_ms, const char *text)
{
	log_lines_append(lines, stream, at_ms, text, strlen(text));
	if (stream >= LOG_STREAMS_MAX)
		return;
	line_of(lines, &lines->ends[stream].last)->flags = LOG_LINE_GAP;
	lines->added--;
}
