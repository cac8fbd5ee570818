#include "views/detail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "tui/chart.h"
#include "tui/wrap.h"

#define BAR_COLUMNS     10
#define SHEET_LINES_MAX 500 /* of one message */

void detail_open(void *state, struct ui *ui, const void *argument)
{
	struct detail *detail = state;
	(void)argument;
	detail->ui = ui;
	detail->scroll = mem_new(1, sizeof(*detail->scroll));
	detail_refresh(state);
}

void detail_close(void *state)
{
	struct detail *detail = state;
	free(detail->scroll);
	free(detail->arn);
}

void detail_refresh(void *state)
{
	struct detail *detail = state;
	const char *arn = detail->ui->selected_arn;
	if (!arn || !detail->arn || strcmp(arn, detail->arn) != 0)
		detail->scroll->top = 0;
	mem_set_text(&detail->arn, arn);
}

static void move(struct scroll *scroll, int delta)
{
	int last = scroll->used - scroll->height;
	scroll->top += delta;
	if (scroll->top > last)
		scroll->top = last;
	if (scroll->top < 0)
		scroll->top = 0;
}

static int half(const struct scroll *scroll)
{
	return scroll->height > 1 ? scroll->height / 2 : 1;
}

static void detail_down(void *state)
{
	move(((struct detail *)state)->scroll, 1);
}

static void detail_up(void *state)
{
	move(((struct detail *)state)->scroll, -1);
}

static void detail_half_down(void *state)
{
	struct scroll *scroll = ((struct detail *)state)->scroll;
	move(scroll, half(scroll));
}

static void detail_half_up(void *state)
{
	struct scroll *scroll = ((struct detail *)state)->scroll;
	move(scroll, -half(scroll));
}

static void detail_first(void *state)
{
	struct scroll *scroll = ((struct detail *)state)->scroll;
	move(scroll, -scroll->top);
}

static void detail_last(void *state)
{
	struct scroll *scroll = ((struct detail *)state)->scroll;
	move(scroll, scroll->used);
}

static const struct key_binding bindings[] = {
	{ .keys = "j Down", .action = "detail-down", .help = "scroll down", .run = detail_down },
	{ .keys = "k Up", .action = "detail-up", .help = "scroll up", .run = detail_up },
	{ .keys = "C-d PgDn",
	  .action = "detail-half-down",
	  .help = "scroll down half a pane",
	  .run = detail_half_down },
	{ .keys = "C-u PgUp",
	  .action = "detail-half-up",
	  .help = "scroll up half a pane",
	  .run = detail_half_up },
	{ .keys = "g Home", .action = "detail-first", .help = "to the top", .run = detail_first },
	{ .keys = "G End", .action = "detail-last", .help = "to the end", .run = detail_last },
	{ 0 },
};

const struct key_scope details_scope = { .name = "Queue, Selected, Wait, Cost",
					 .bindings = bindings,
					 .parent = &screen_scope };

struct sheet sheet_begin(const struct detail *detail, struct surface *out, struct rect at,
			 enum fresh_shown shown)
{
	if (!ui_selected(detail->ui))
		shown = FRESH_SHOWS_NOTHING; /* no job has details */
	return (struct sheet){ .out = out,
			       .at = at,
			       .scroll = detail->scroll,
			       .fresh = fresh_of_selected(detail->ui),
			       .pane = { .shown = shown } };
}

void sheet_end(struct sheet *sheet)
{
	struct scroll *scroll = sheet->scroll;
	sheet->pane.used = sheet->line - scroll->top;
	sheet->at = fresh_draw(&sheet->fresh, &sheet->pane, sheet->out, sheet->at);
	int below = sheet->line - scroll->top - sheet->at.h;
	scroll->used = sheet->line;
	scroll->height = sheet->at.h;
	if (below > 0) {
		struct rect last = layout_row(sheet->at, sheet->at.h - 1);
		char text[32];
		int columns = snprintf(text, sizeof(text), " +%d lines", below + 1);
		if (columns > 0 && columns < last.w) {
			last.x += last.w - columns;
			last.w = columns;
		}
		draw_text_right(sheet->out, last, STYLE_DIM, text);
	}
}

/* The next line's place, empty when it is scrolled away or below. */
static struct rect next(struct sheet *sheet)
{
	int line = sheet->line++ - sheet->scroll->top;
	if (line < 0)
		return (struct rect){ 0 };
	return layout_row(sheet->at, line);
}

void sheet_text(struct sheet *sheet, enum style style, const char *text)
{
	struct rect at = next(sheet);
	if (at.h > 0)
		draw_text(sheet->out, at, style, text);
}

void sheet_textf(struct sheet *sheet, enum style style, const char *format, ...)
{
	struct buf text;
	va_list args;
	buf_init(&text, WORDS_MAX);
	va_start(args, format);
	buf_vaddf(&text, format, args);
	va_end(args);
	sheet_text(sheet, style, buf_text(&text));
	buf_release(&text);
}

/* Takes up to columns from the left of a line. */
static struct rect take(struct rect *line, int columns)
{
	struct rect part = *line;
	part.w = columns < line->w ? columns : line->w;
	line->x += part.w;
	line->w -= part.w;
	return part;
}

void sheet_pair(struct sheet *sheet, const char *label, enum style style, const char *text)
{
	struct rect line = next(sheet);
	if (line.h <= 0)
		return;
	draw_text(sheet->out, take(&line, SHEET_LABEL), STYLE_DIM, label);
	if (line.w > 0)
		draw_text(sheet->out, line, style, text);
}

void sheet_bar(struct sheet *sheet, enum style style, const char *before, int permille,
	       const char *after)
{
	struct rect line = next(sheet);
	if (line.h <= 0)
		return;
	draw_text(sheet->out, take(&line, text_width(before)), style, before);
	/* The bar gives way before the words behind it do. */
	int columns = line.w - text_width(after);
	columns = columns > BAR_COLUMNS ? BAR_COLUMNS : columns;
	columns = columns < SHEET_BAR_LEAST ? SHEET_BAR_LEAST : columns;
	if (line.w > 0)
		chart_bar(sheet->out, take(&line, columns), permille);
	if (line.w > 0)
		draw_text(sheet->out, line, style, after);
}

void sheet_wrapped(struct sheet *sheet, enum style style, const char *text)
{
	int last = sheet->line + SHEET_LINES_MAX;
	do {
		size_t paragraph = strcspn(text, "\n"), from = 0, next = 0;
		do {
			size_t used = wrap_line(text + from, paragraph - from, sheet->at.w, &next);
			sheet_textf(sheet, style, "%.*s", (int)used, text + from);
			from += next;
		} while (from < paragraph && sheet->line < last);
		text += paragraph + (text[paragraph] == '\n');
	} while (*text && sheet->line < last);
}

void sheet_sparkline(struct sheet *sheet, const char *label, const int16_t *permille, int count)
{
	struct rect line = next(sheet);
	if (line.h <= 0)
		return;
	draw_text(sheet->out, take(&line, text_width(label) + 1), STYLE_DIM, label);
	if (line.w > 0)
		chart_sparkline(sheet->out, line, permille, count);
}
