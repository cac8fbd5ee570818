#include "views/log_pager.h"

#include <string.h>

#include "model/base/buf.h"
#include "model/base/text.h"
#include "tui/wrap.h"
#include "views/words.h"

#define SAFE_MAX     (8u << 20) /* of a line as it is painted: marks take three bytes for one */
#define MARK_COLUMNS 2          /* of what a row is marked by */
#define HOST_COLUMNS 12
#define TEXT_COLUMNS 20 /* that are left for the text, whatever stands before it */

void log_pager_init(struct log_pager *pager)
{
	*pager = (struct log_pager){ .follow = true, .wrap = true, .times = true };
	log_match_init(&pager->match);
}

void log_pager_release(struct log_pager *pager)
{
	log_match_release(&pager->match);
}

void log_pager_scroll(struct log_pager *pager, long rows)
{
	pager->move += rows;
	pager->follow = pager->follow && rows > 0;
}

void log_pager_to_start(struct log_pager *pager)
{
	pager->jump = LOG_JUMP_START;
	pager->move = 0;
	pager->follow = false;
}

void log_pager_to_end(struct log_pager *pager)
{
	pager->jump = LOG_JUMP_NONE;
	pager->move = 0;
	pager->follow = true;
}

void log_pager_to_error(struct log_pager *pager)
{
	pager->jump = LOG_JUMP_ERROR;
	pager->move = 0;
}

void log_pager_find(struct log_pager *pager, const char *text)
{
	log_match_find(&pager->match, text);
	pager->has_match = false;
	pager->jump = text[0] ? LOG_JUMP_MATCH : LOG_JUMP_NONE;
	pager->steps = 0;
}

void log_pager_step(struct log_pager *pager, long by)
{
	if (!pager->match.find[0])
		return;
	pager->steps = pager->jump == LOG_JUMP_MATCH ? pager->steps + by : by;
	pager->jump = LOG_JUMP_MATCH;
}

void log_pager_filter(struct log_pager *pager, const char *words)
{
	/* What stood before the line is what it was about. */
	if (pager->match.filter[0] && !words[0] && !pager->follow)
		pager->move -= pager->height / 3;
	log_match_filter(&pager->match, words);
}

/* --- one drawing --- */

struct sheet {
	struct log_pager *pager;
	struct surface *out;
	struct rect at;
	const struct job_logs *logs;
	const struct log_lines *lines;
	int time_columns, host_columns, columns; /* of the times, hosts and texts */
	bool dated;
	size_t error; /* position of the first one, or LOG_NONE */
	struct buf safe, piece;
};

/* A row of a line. */
struct spot {
	size_t at, row;
};

static bool is_visible(const struct sheet *sheet, size_t at)
{
	return log_match_shows(&sheet->pager->match, sheet->lines, at);
}

static size_t below(const struct sheet *sheet, size_t at)
{
	return log_match_down(&sheet->pager->match, sheet->lines, at + 1);
}

static size_t above(const struct sheet *sheet, size_t at)
{
	return at == 0 ? LOG_NONE : log_match_up(&sheet->pager->match, sheet->lines, at - 1);
}

/* The whole text made safe, and where each of its inks begins there. */
static void make_safe(struct sheet *sheet, const struct log_line *line, size_t *starts)
{
	size_t from = 0;
	buf_clear(&sheet->safe);
	for (size_t i = 0; i <= line->span_count; i++) {
		size_t to = i < line->span_count ? line->spans[i].at : line->len;
		buf_clear(&sheet->piece);
		buf_add(&sheet->piece, line->text + from, to - from);
		draw_safe_page(sheet->out, &sheet->safe, buf_text(&sheet->piece));
		if (starts && i < line->span_count)
			starts[i] = sheet->safe.len;
		from = to;
	}
}

static size_t count_rows(struct sheet *sheet, size_t at)
{
	struct log_fact *fact = log_match_fact(&sheet->pager->match, sheet->lines, at);
	size_t rows = 0, next = 0;
	if (!sheet->pager->wrap)
		return 1;
	if (fact->rows > 0 && fact->columns == sheet->columns)
		return fact->rows;
	make_safe(sheet, log_lines_at(sheet->lines, at), NULL);
	for (size_t from = 0; from < sheet->safe.len; from += next, rows++)
		(void)wrap_line(sheet->safe.data + from, sheet->safe.len - from, sheet->columns,
				&next);
	fact->columns = sheet->columns;
	fact->rows = rows > 0 ? (uint32_t)rows : 1;
	return fact->rows;
}

/* --- places --- */

static void move_down(struct sheet *sheet, struct spot *spot, size_t rows)
{
	while (rows > 0) {
		size_t left = count_rows(sheet, spot->at) - spot->row - 1;
		size_t next = rows > left ? below(sheet, spot->at) : LOG_NONE;
		if (next == LOG_NONE) {
			spot->row += rows < left ? rows : left;
			return;
		}
		rows -= left + 1;
		*spot = (struct spot){ next, 0 };
	}
}

static void move_up(struct sheet *sheet, struct spot *spot, size_t rows)
{
	while (rows > 0) {
		size_t next = rows > spot->row ? above(sheet, spot->at) : LOG_NONE;
		if (next == LOG_NONE) {
			spot->row -= rows < spot->row ? rows : spot->row;
			return;
		}
		rows -= spot->row + 1;
		*spot = (struct spot){ next, count_rows(sheet, next) - 1 };
	}
}

/* The top at which the last row of all is the last one shown. */
static struct spot last_top(struct sheet *sheet)
{
	size_t last = log_match_up(&sheet->pager->match, sheet->lines, sheet->lines->count - 1);
	struct spot spot = { last, 0 };
	if (last == LOG_NONE)
		return spot;
	spot.row = count_rows(sheet, last) - 1;
	move_up(sheet, &spot, (size_t)sheet->at.h - 1);
	return spot;
}

static bool is_behind(const struct spot *a, const struct spot *b)
{
	return a->at > b->at || (a->at == b->at && a->row > b->row);
}

/* Where the top of the last drawing is now: its line, or the one that stands there. */
static struct spot find_top(struct sheet *sheet)
{
	const struct log_pager *pager = sheet->pager;
	size_t at = log_lines_find(sheet->lines, &pager->top);
	struct spot spot = { at, pager->skipped };
	if (at < sheet->lines->count && is_visible(sheet, at)) {
		size_t rows = count_rows(sheet, at);
		spot.row = spot.row < rows ? spot.row : rows - 1;
		return spot;
	}
	spot.row = 0;
	spot.at = log_match_down(&pager->match, sheet->lines, at);
	if (spot.at == LOG_NONE && at > 0)
		spot.at = log_match_up(&pager->match, sheet->lines, at - 1);
	return spot;
}

/* With some of what stands before it. */
static void show(struct sheet *sheet, struct spot *top, size_t at)
{
	struct spot end = *top;
	move_down(sheet, &end, (size_t)sheet->at.h - 1);
	sheet->pager->follow = false;
	if (at >= top->at && at <= end.at && !(at == top->at && top->row > 0))
		return;
	*top = (struct spot){ at, 0 };
	move_up(sheet, top, (size_t)sheet->at.h / 3);
}

/* --- search --- */

static size_t step_match(const struct sheet *sheet, size_t from, long by)
{
	const struct log_lines *lines = sheet->lines;
	size_t at = from;
	for (size_t looked = 0; looked < lines->count; looked++) {
		at = by >= 0 ? (at + 1) % lines->count : (at + lines->count - 1) % lines->count;
		if (log_match_finds(&sheet->pager->match, lines, at))
			return at;
	}
	return LOG_NONE;
}

/* From the current match on, where it is in sight, else from the top. */
static size_t find_match(const struct sheet *sheet, const struct spot *top)
{
	const struct log_pager *pager = sheet->pager;
	size_t count = sheet->lines->count;
	size_t at = pager->has_match ? log_lines_find(sheet->lines, &pager->current) : LOG_NONE;
	bool known = at < count && pager->steps != 0;
	long steps = pager->steps;
	if (!known) {
		at = step_match(sheet, (top->at + count - 1) % count, 1);
		steps = steps > 0 ? steps - 1 : steps;
	}
	for (; at != LOG_NONE && steps != 0; steps += steps > 0 ? -1 : 1)
		at = step_match(sheet, at, steps);
	return at;
}

static void count_matches(const struct sheet *sheet)
{
	struct log_pager *pager = sheet->pager;
	size_t at = pager->has_match ? log_lines_find(sheet->lines, &pager->current) : LOG_NONE;
	pager->matches = pager->order = 0;
	for (size_t i = 0; pager->match.find[0] && i < sheet->lines->count; i++) {
		pager->matches += log_match_finds(&pager->match, sheet->lines, i);
		if (i == at)
			pager->order = pager->matches;
	}
}

/* --- what keys wanted --- */

static void do_jump(struct sheet *sheet, struct spot *top)
{
	struct log_pager *pager = sheet->pager;
	size_t at = LOG_NONE;
	if (pager->jump == LOG_JUMP_START)
		*top = (struct spot){ log_match_down(&pager->match, sheet->lines, 0), 0 };
	if (pager->jump == LOG_JUMP_ERROR && sheet->error != LOG_NONE)
		at = log_match_down(&pager->match, sheet->lines, sheet->error);
	if (pager->jump == LOG_JUMP_MATCH) {
		at = find_match(sheet, top);
		pager->has_match = at != LOG_NONE;
		if (pager->has_match)
			pager->current = log_line_place(log_lines_at(sheet->lines, at));
	}
	if (at != LOG_NONE)
		show(sheet, top, at);
	pager->jump = LOG_JUMP_NONE;
	pager->steps = 0;
}

static void do_move(struct sheet *sheet, struct spot *top)
{
	struct log_pager *pager = sheet->pager;
	if (pager->move > 0)
		move_down(sheet, top, (size_t)pager->move);
	else if (pager->move < 0)
		move_up(sheet, top, 0 - (size_t)pager->move);
	pager->move = 0;
}

/* at is LOG_NONE where no line is shown. */
static struct spot settle_top(struct sheet *sheet)
{
	struct log_pager *pager = sheet->pager;
	struct spot last = last_top(sheet);
	struct spot top = pager->follow ? last : find_top(sheet);
	if (last.at == LOG_NONE || top.at == LOG_NONE)
		return last;
	do_jump(sheet, &top);
	do_move(sheet, &top);
	if (is_behind(&top, &last) || pager->follow)
		top = last;
	pager->top = log_line_place(log_lines_at(sheet->lines, top.at));
	pager->skipped = top.row;
	return top;
}

/* --- rows --- */

static enum style ink_style(enum log_ink ink)
{
	static const enum style styles[LOG_INK_COUNT] = {
		[LOG_INK_PLAIN] = STYLE_TEXT,      [LOG_INK_STRONG] = STYLE_INK_STRONG,
		[LOG_INK_DIM] = STYLE_INK_DIM,     [LOG_INK_RED] = STYLE_INK_RED,
		[LOG_INK_GREEN] = STYLE_INK_GREEN, [LOG_INK_YELLOW] = STYLE_INK_YELLOW,
		[LOG_INK_BLUE] = STYLE_INK_BLUE,   [LOG_INK_MAGENTA] = STYLE_INK_MAGENTA,
		[LOG_INK_CYAN] = STYLE_INK_CYAN,
	};
	return styles[ink];
}

/* The part [from, to) of the line, of which [start, end) is shown in the row. */
static void paint_part(struct sheet *sheet, struct rect row, size_t start, size_t end, size_t from,
		       size_t to, enum style style)
{
	from = from > start ? from : start;
	to = to < end ? to : end;
	if (from >= to)
		return;
	buf_clear(&sheet->piece);
	buf_add(&sheet->piece, sheet->safe.data + start, from - start);
	int x = text_width(buf_text(&sheet->piece));
	buf_clear(&sheet->piece);
	buf_add(&sheet->piece, sheet->safe.data + from, to - from);
	int w = text_width(buf_text(&sheet->piece));
	if (x < row.w)
		draw_highlight(sheet->out,
			       (struct rect){ row.x + x, row.y, w < row.w - x ? w : row.w - x, 1 },
			       style);
}

static void paint_inks(struct sheet *sheet, struct rect row, const struct log_line *line,
		       const size_t *starts, size_t start, size_t end)
{
	for (size_t i = 0; i < line->span_count; i++) {
		size_t to = i + 1 < line->span_count ? starts[i + 1] : sheet->safe.len;
		if (line->spans[i].ink != LOG_INK_PLAIN)
			paint_part(sheet, row, start, end, starts[i], to,
				   ink_style(line->spans[i].ink));
	}
}

static void paint_matches(struct sheet *sheet, struct rect row, size_t start, size_t end)
{
	const struct log_match *match = &sheet->pager->match;
	const char *text = buf_text(&sheet->safe), *hit = text + start;
	size_t wanted = strlen(match->find);
	if (wanted == 0)
		return;
	/* One can begin on the row above and end on the one below. */
	hit -= start < wanted ? start : wanted;
	size_t stop = end + wanted < sheet->safe.len ? end + wanted : sheet->safe.len;
	while ((hit = log_match_next(match, hit, (size_t)(text + stop - hit)))) {
		size_t from = (size_t)(hit - text);
		paint_part(sheet, row, start, end, from, from + wanted, STYLE_SELECTED);
		hit += wanted;
	}
}

/* Where a row of the line begins in the safe text, and its bytes. */
static size_t find_row(const struct sheet *sheet, size_t row, size_t *len)
{
	const char *text = buf_text(&sheet->safe);
	size_t from = 0, next = 0, size = sheet->safe.len;
	if (sheet->pager->wrap) {
		*len = wrap_line(text, size, sheet->columns, &next);
		for (; row > 0 && from + next < size; row--) {
			from += next;
			*len = wrap_line(text + from, size - from, sheet->columns, &next);
		}
		return from;
	}
	for (int left = sheet->pager->shift; left > 0 && from < size;) {
		uint32_t code;
		size_t used = text_decode(text + from, size - from, &code);
		left -= text_code_width(code);
		from += used;
	}
	*len = size - from;
	return from;
}

static void draw_margin(struct sheet *sheet, struct rect row, const struct log_line *line,
			enum glyph mark, enum style style)
{
	char time[TIME_TEXT_SIZE];
	int x = row.x + MARK_COLUMNS;
	if (mark != GLYPH_COUNT)
		draw_text(sheet->out, (struct rect){ row.x, row.y, 1, 1 }, style,
			  draw_glyph(sheet->out, mark));
	if (sheet->time_columns > 0) {
		/* 2026-11-30 20:48:08: with the month and day, or the time alone. */
		time_format_full(line->at_ms, sheet->pager->utc, time);
		draw_text(sheet->out, (struct rect){ x, row.y, sheet->time_columns - 1, 1 },
			  STYLE_DIM, strlen(time) < 19 ? "?" : time + (sheet->dated ? 5 : 11));
	}
	x += sheet->time_columns;
	if (sheet->host_columns > 0)
		draw_text(sheet->out, (struct rect){ x, row.y, sheet->host_columns - 1, 1 },
			  STYLE_DIM, sheet->logs->streams[line->stream].label);
}

static enum glyph mark_of(const struct sheet *sheet, size_t at)
{
	const struct log_pager *pager = sheet->pager;
	if (at == sheet->error)
		return GLYPH_CROSS;
	bool is_current = pager->has_match &&
			  log_line_stands_at(log_lines_at(sheet->lines, at), &pager->current);
	return is_current ? GLYPH_CURSOR : GLYPH_COUNT;
}

/* Rows of one line from one on; returns how many were painted. */
static int draw_line(struct sheet *sheet, int y, const struct spot *spot)
{
	const struct log_line *line = log_lines_at(sheet->lines, spot->at);
	size_t starts[LOG_INKS_MAX], rows = count_rows(sheet, spot->at), row = spot->row;
	enum style style = line->flags & LOG_LINE_GAP ? STYLE_WARNING
			   : spot->at == sheet->error ? STYLE_FAILED
						      : STYLE_TEXT;
	int left = sheet->at.w - sheet->columns, drawn = 0;
	make_safe(sheet, line, starts);
	for (; row < rows && y + drawn < sheet->at.h; row++, drawn++) {
		struct rect whole = layout_row(sheet->at, y + drawn), text = whole;
		size_t len = 0, from = find_row(sheet, row, &len);
		text.x += left;
		text.w -= left;
		if (row == 0)
			draw_margin(sheet, whole, line, mark_of(sheet, spot->at), style);
		buf_clear(&sheet->piece);
		buf_add(&sheet->piece, buf_text(&sheet->safe) + from, len);
		draw_page_line(sheet->out, text, style, buf_text(&sheet->piece));
		if (style == STYLE_TEXT)
			paint_inks(sheet, text, line, starts, from, from + len);
		paint_matches(sheet, text, from, from + len);
	}
	return drawn;
}

static void draw_rows(struct sheet *sheet, struct spot top)
{
	int y = 0;
	sheet->pager->at_start = above(sheet, top.at) == LOG_NONE && top.row == 0;
	while (y < sheet->at.h && top.at != LOG_NONE) {
		y += draw_line(sheet, y, &top);
		top = (struct spot){ below(sheet, top.at), 0 };
	}
}

/* --- columns --- */

static int host_columns(const struct job_logs *logs, const struct log_match *match)
{
	int most = 0;
	if (logs->count < 2 || match->stream != LOG_NONE)
		return 0;
	for (size_t i = 0; i < logs->count; i++) {
		int width = (int)strlen(logs->streams[i].label);
		most = width > most ? width : most;
	}
	return (most < HOST_COLUMNS ? most : HOST_COLUMNS) + 1;
}

/* The day stands before the time where the first line is of another one. */
static void set_columns(struct sheet *sheet, int64_t now_ms)
{
	const struct log_pager *pager = sheet->pager;
	int room = sheet->at.w - MARK_COLUMNS - TEXT_COLUMNS;
	sheet->dated = !words_same_day(log_lines_at(sheet->lines, 0)->at_ms, now_ms, pager->utc);
	sheet->time_columns = pager->times ? (sheet->dated ? 15 : 9) : 0;
	sheet->host_columns = host_columns(sheet->logs, &pager->match);
	if (sheet->time_columns > room)
		sheet->time_columns = 0;
	if (sheet->host_columns > room - sheet->time_columns)
		sheet->host_columns = 0;
	sheet->columns = sheet->at.w - MARK_COLUMNS - sheet->time_columns - sheet->host_columns;
	sheet->columns = sheet->columns > 1 ? sheet->columns : 1;
}

void log_pager_draw(struct log_pager *pager, struct surface *out, struct rect at,
		    const struct job_logs *logs, int64_t now_ms)
{
	struct sheet sheet = { .pager = pager, .out = out, .at = at, .logs = logs };
	pager->height = at.h;
	pager->at_start = true;
	sheet.lines = &logs->lines;
	sheet.error = log_lines_first_error(&logs->lines);
	pager->has_error = sheet.error != LOG_NONE;
	if (logs->lines.count == 0 || at.w <= 0 || at.h <= 0)
		return;
	buf_init(&sheet.safe, SAFE_MAX);
	buf_init(&sheet.piece, SAFE_MAX);
	set_columns(&sheet, now_ms);
	struct spot top = settle_top(&sheet);
	count_matches(&sheet);
	if (top.at != LOG_NONE)
		draw_rows(&sheet, top);
	buf_release(&sheet.safe);
	buf_release(&sheet.piece);
}
