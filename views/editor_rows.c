/* The rows of the preferences pane: entries, a remark on the list, findings. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/price.h"
#include "views/editor.h"
#include "views/fresh.h"
#include "views/plan_words.h"
#include "views/words.h"

#define RANK_COLUMNS 6  /* cursor mark and "#1 " */
#define CELL_MOST    26 /* columns of the widest cell */
#define GAP          2

static void check_list(const struct editor *editor, struct editor_look *look)
{
	const struct preferences *prefs = look->prefs;
	const struct store *store = editor->ui->env->store;
	struct plan_fact *plans;
	struct check_known known = { .region = editor->ui->env->region };
	struct check_input input = {
		.kind = look->job->kind,
		.prefs = prefs,
		.has_spot = look->job->spot,
		.has_max_pending = look->max_pending.set,
		.max_pending_seconds = look->max_pending.ms / 1000,
		.max_runtime = look->job->max_runtime,
		.known = &known,
	};

	if (!prefs->is_list)
		return; /* the rules are about lists */
	input.processing_has_plan = input.kind == JOB_PROCESSING && prefs->job_plan_arn[0];
	for (size_t i = 0; i < prefs->length; i++)
		if (input.kind == JOB_PROCESSING && prefs->entries[i].plan_arn[0])
			input.processing_has_plan = true;
	plans = store_plan_facts(store, ui_now_ms(editor->ui));
	known.plans = plans;
	known.plan_count = store->plan_count;
	check_preferences(&input, &look->findings);
	free(plans);
}

/* The list as it will be when the mouse lets go. */
static void show_in_hand(const struct editor *editor, struct editor_look *look)
{
	const struct editor_hand *hand = &editor->hand;

	if (!hand->holds || hand->from == hand->to || strcmp(hand->arn, look->job->arn) != 0)
		return;
	look->moved = *look->prefs;
	if (prefs_move(&look->moved, hand->from, hand->to))
		look->prefs = &look->moved;
}

struct editor_look *editor_look_new(const struct editor *editor)
{
	struct editor_look *look = mem_new(1, sizeof(*look));
	const struct job *job = ui_selected(editor->ui);

	look->job = job;
	if (!job)
		return look;
	look->draft = draft_find(editor->ui, job->arn);
	look->max_pending = look->draft ? look->draft->max_pending : job->max_pending;
	if (look->draft)
		look->prefs = &look->draft->prefs;
	else if (job_has_details(job))
		look->prefs = &job->prefs;
	if (!look->prefs)
		return look;
	show_in_hand(editor, look);
	check_list(editor, look);
	look->rows = look->prefs->length + look->findings.count;
	if (editor->arn && strcmp(editor->arn, job->arn) == 0)
		look->cursor = editor->cursor;
	if (look->prefs == &look->moved)
		look->cursor = editor->hand.to;
	if (look->cursor >= look->rows)
		look->cursor = look->rows ? look->rows - 1 : 0;
	return look;
}

void editor_why_not(const struct job *job, struct buf *out)
{
	if (!job)
		buf_add_text(out, "no job is selected");
	else if (!job_has_details(job))
		buf_addf(out,
			 "%s is not described yet: its list is not known, try again in a moment",
			 job->name);
	else if (job->has_groups)
		buf_add_text(out, "instance groups (a heterogeneous cluster): SageMaker takes no "
				  "preference list beside InstanceGroups");
}

/* The cells of an entry, in the order of the row. */
enum cell { CELL_TYPE, CELL_COUNT, CELL_PLAN, CELL_HARDWARE, CELL_PRICE, CELLS };

/* Left out first where the pane is narrow. The type stays, and whether it is on demand. */
static const enum cell dropped_first[] = { CELL_PRICE, CELL_HARDWARE, CELL_COUNT };

struct cells {
	struct buf text[CELLS];
};

static void add_price(struct buf *out, const struct editor *editor, const struct editor_look *look,
		      size_t i)
{
	const char *region = editor->ui->env->region;
	struct money hour = price_entry_per_hour(look->prefs, i, region, look->job->kind);
	struct price price =
		price_find(region, look->job->kind, look->prefs->entries[i].instance_type);

	if (prefs_plan(look->prefs, i)[0]) {
		buf_add_text(out, "prepaid");
	} else if (!hour.set) {
		buf_add_text(out, "no price");
	} else {
		words_money(out, hour.micro, price.currency, true);
		buf_add_text(out, "/h");
	}
}

static void fill_cells(const struct editor *editor, const struct editor_look *look, size_t i,
		       const char *times, struct cells *cells)
{
	const struct preference *entry = &look->prefs->entries[i];
	struct buf *text = cells->text;
	int64_t count = 1;

	for (int cell = 0; cell < CELLS; cell++)
		buf_init(&text[cell], WORDS_MAX);
	buf_add_text(&text[CELL_TYPE], entry->instance_type);
	if (prefs_count(look->prefs, i, &count))
		buf_addf(&text[CELL_COUNT], "%s%lld", times, (long long)count);
	else
		buf_addf(&text[CELL_COUNT], "%s?", times);
	if (entry->group[0])
		buf_addf(&text[CELL_PLAN], "group %s, ", entry->group);
	words_capacity(&text[CELL_PLAN], editor->ui->env->store, look->prefs, i, look->job->spot);
	words_hardware(&text[CELL_HARDWARE], entry->instance_type, count);
	if (text[CELL_HARDWARE].len == 0)
		buf_add_text(&text[CELL_HARDWARE], "hardware unknown");
	add_price(&text[CELL_PRICE], editor, look, i);
}

static void release_cells(struct cells *cells)
{
	for (int cell = 0; cell < CELLS; cell++)
		buf_release(&cells->text[cell]);
}

/* Columns of each cell over all rows; cells are left out until a row fits. */
static void measure(struct cells *rows, size_t count, int columns, int widths[CELLS])
{
	int sum = RANK_COLUMNS - GAP;

	for (int cell = 0; cell < CELLS; cell++) {
		widths[cell] = 0;
		for (size_t i = 0; i < count; i++) {
			int width = text_width(buf_text(&rows[i].text[cell]));

			width = width > CELL_MOST ? CELL_MOST : width;
			widths[cell] = width > widths[cell] ? width : widths[cell];
		}
		sum += widths[cell] ? widths[cell] + GAP : 0;
	}
	for (size_t i = 0; i < ARRAY_LEN(dropped_first) && sum > columns; i++) {
		int *width = &widths[dropped_first[i]];

		sum -= *width ? *width + GAP : 0;
		*width = 0;
	}
}

static void draw_entry(struct surface *out, struct rect line, const struct cells *cells,
		       const int widths[CELLS], size_t rank)
{
	static const enum style styles[CELLS] = {
		[CELL_TYPE] = STYLE_TEXT,    [CELL_COUNT] = STYLE_TEXT,  [CELL_PLAN] = STYLE_GOOD,
		[CELL_HARDWARE] = STYLE_DIM, [CELL_PRICE] = STYLE_MONEY,
	};
	struct rect at = { line.x + 2, line.y, line.w - 2, 1 };
	int end = line.x + line.w;

	draw_textf(out, at, STYLE_TEXT, "#%zu", rank);
	at.x = line.x + RANK_COLUMNS - 1;
	for (int cell = 0; cell < CELLS; cell++) {
		const char *text = buf_text(&cells->text[cell]);

		if (widths[cell] == 0 || at.x >= end)
			continue;
		at.w = end - at.x < widths[cell] ? end - at.x : widths[cell];
		if (cell == CELL_PRICE)
			draw_text_right(out, at, styles[cell], text);
		else
			draw_text(out, at, styles[cell], text);
		at.x += widths[cell] + GAP;
	}
}

/* What is to be said of the whole list; "" = nothing. */
static void add_remark(const struct editor_look *look, struct buf *out)
{
	const struct preferences *prefs = look->prefs;

	if (look->job->has_groups)
		editor_why_not(look->job, out);
	else if (prefs->length == 0)
		buf_add_text(out, "the list is empty: i inserts an entry");
	else if (!prefs->is_list)
		buf_add_text(out, "one type, no list: i begins one");
	else if (prefs->has_shared_count)
		buf_addf(out, "count %lld for all", (long long)prefs->shared_count);
	if (prefs_has_unplaced_plan(prefs))
		buf_addf(out, "%splan %s for the entry of its type", out->len ? " · " : "",
			 words_plan(prefs->job_plan_arn));
}

static const struct {
	char mark;
	enum style style;
} marks[] = {
	[SEVERITY_ERROR] = { '!', STYLE_ERROR },
	[SEVERITY_WARNING] = { '~', STYLE_WARNING },
	[SEVERITY_NOTE] = { '?', STYLE_DIM },
};

/* One line of a finding; where the cursor stands also what can be done about it. */
static void add_finding(const struct finding *finding, bool here, struct buf *out)
{
	buf_addf(out, "%c ", marks[finding->severity].mark);
	if (finding->entry != CHECK_NO_ENTRY && finding->message[0] != '#')
		buf_addf(out, "#%zu: ", finding->entry + 1);
	buf_add_text(out, finding->message);
	if (here && finding->fix_text[0])
		buf_addf(out, " %s%s",
			 finding->fix == FIX_NONE ? "" : "Enter: ", finding->fix_text);
}

/* Lines of the pane: entries, perhaps a remark, findings. Only the first and the last can hold
 * the cursor; a finding under the cursor is wrapped, all others take one line. */
struct sheet_plan {
	size_t remark; /* its line, or SIZE_MAX */
	size_t cursor; /* its line */
	size_t lines;
	int cursor_height;
};

static size_t line_of(const struct sheet_plan *plan, size_t row)
{
	return row >= plan->remark ? row + 1 : row;
}

static struct sheet_plan plan_lines(const struct editor_look *look, const char *remark)
{
	struct sheet_plan plan = { .remark = remark[0] ? look->prefs->length : SIZE_MAX,
				   .cursor_height = 1 };

	plan.lines = look->rows + (remark[0] ? 1 : 0);
	plan.cursor = look->rows ? line_of(&plan, look->cursor) : 0;
	return plan;
}

/* Paints one finding from line.y on; returns the lines that it takes. */
static int draw_finding(const struct editor_look *look, size_t i, bool here, struct surface *out,
			struct rect at)
{
	const struct finding *finding = &look->findings.items[i];
	struct buf text;
	int lines = 1;

	buf_init(&text, WORDS_MAX);
	add_finding(finding, here, &text);
	if (here)
		lines = draw_wrapped(out, at, marks[finding->severity].style, buf_text(&text));
	else if (at.h > 0)
		draw_text(out, (struct rect){ at.x, at.y, at.w, 1 }, marks[finding->severity].style,
			  buf_text(&text));
	buf_release(&text);
	return lines > 0 ? lines : 1;
}

struct painter {
	const struct editor *editor;
	const struct editor_look *look;
	struct surface *out;
	struct cells cells[PREFS_KEEP_MAX];
	int widths[CELLS];
	const char *remark;
	struct sheet_plan plan;
	bool focused;
};

/* Paints one line of the plan in at (which reaches to the pane's end); returns its height. */
static int draw_line(const struct painter *painter, size_t line, struct rect at)
{
	const struct editor_look *look = painter->look;
	struct rect first = { at.x, at.y, at.w, 1 };
	bool here = painter->focused && look->rows > 0 && line == painter->plan.cursor;
	int height = 1;

	if (line == painter->plan.remark) {
		struct rect indented = { at.x + 2, at.y, at.w - 2, 1 };

		draw_text(painter->out, indented, STYLE_DIM, painter->remark);
	} else if (line < look->prefs->length) {
		draw_entry(painter->out, first, &painter->cells[line], painter->widths, line + 1);
	} else {
		size_t skipped = look->prefs->length + (painter->remark[0] ? 1 : 0);
		struct rect indented = { at.x + 2, at.y, at.w - 2, at.h };

		height = draw_finding(look, line - skipped, here, painter->out, indented);
	}
	if (here) {
		draw_text(painter->out, (struct rect){ at.x, at.y, at.w < 2 ? at.w : 2, 1 },
			  STYLE_TEXT, draw_glyph(painter->out, GLYPH_CURSOR));
		draw_highlight(painter->out, first, STYLE_SELECTED);
	}
	return height;
}

/* The first line shown: as early as the cursor's last line allows. */
static size_t top_line(const struct painter *painter, struct rect at)
{
	const struct editor_look *look = painter->look;
	const struct sheet_plan *plan = &painter->plan;
	size_t height = 1, room = at.h > 0 ? (size_t)at.h : 1;

	if (painter->focused && look->cursor >= look->prefs->length && look->rows)
		height = (size_t)draw_finding(look, look->cursor - look->prefs->length, true,
					      painter->out, (struct rect){ .w = at.w - 2 });
	height = height > room ? room : height;
	return plan->cursor + height > room ? plan->cursor + height - room : 0;
}

/* For the mouse: which row it is that stands there. */
static void note_lines(const struct painter *painter, size_t line, int y, int height)
{
	size_t *rows = painter->editor->frame->rows;
	size_t row = line > painter->plan.remark ? line - 1 : line;

	for (int i = y; line != painter->plan.remark && i < y + height; i++)
		if (i >= 0 && i < EDITOR_LINES_MAX)
			rows[i] = row + 1;
}

static void draw_list(const struct editor *editor, const struct editor_look *look,
		      struct surface *out, struct rect at, bool focused)
{
	struct painter painter = { .editor = editor, .look = look, .out = out, .focused = focused };
	struct buf remark;
	size_t line;
	int y = 0;

	buf_init(&remark, WORDS_MAX);
	add_remark(look, &remark);
	painter.remark = buf_text(&remark);
	painter.plan = plan_lines(look, painter.remark);
	for (size_t i = 0; i < look->prefs->length; i++)
		fill_cells(editor, look, i, draw_glyph(out, GLYPH_TIMES), &painter.cells[i]);
	measure(painter.cells, look->prefs->length, at.w, painter.widths);
	line = top_line(&painter, at);
	editor->frame->hidden = painter.plan.lines;
	for (; line < painter.plan.lines && y < at.h; line++, editor->frame->hidden--) {
		int height =
			draw_line(&painter, line, (struct rect){ at.x, at.y + y, at.w, at.h - y });

		note_lines(&painter, line, at.y + y, height);
		y += height;
	}
	for (size_t i = 0; i < look->prefs->length; i++)
		release_cells(&painter.cells[i]);
	buf_release(&remark);
}

void editor_draw(const struct editor *editor, struct surface *out, struct rect at, bool focused)
{
	struct editor_look *look = editor_look_new(editor);
	struct fresh fresh = fresh_of_selected(editor->ui);
	const struct fresh_pane pane = { FRESH_SHOWS_NOTHING, editor_lines(editor), false };
	struct buf text;

	at = fresh_draw(&fresh, &pane, out, at);
	*editor->frame = (struct editor_frame){ 0 };
	if (look->prefs) {
		draw_list(editor, look, out, at, focused);
	} else {
		buf_init(&text, WORDS_MAX);
		editor_why_not(look->job, &text);
		draw_wrapped(out, at, STYLE_DIM, buf_text(&text));
		buf_release(&text);
	}
	free(look);
}

int editor_lines(const struct editor *editor)
{
	struct editor_look *look = editor_look_new(editor);
	struct buf remark;
	int lines = 1;

	if (look->prefs) {
		buf_init(&remark, WORDS_MAX);
		add_remark(look, &remark);
		lines = (int)plan_lines(look, buf_text(&remark)).lines;
		buf_release(&remark);
	}
	free(look);
	return lines;
}

void editor_note(const struct editor *editor, struct buf *out)
{
	const struct job *job = ui_selected(editor->ui);
	const struct draft *draft = job ? draft_find(editor->ui, job->arn) : NULL;
	struct opt_ms limit = { 0 };

	if (draft)
		limit = draft->max_pending;
	else if (job && job_has_details(job))
		limit = job->max_pending;
	if (limit.set) {
		buf_add_text(out, "limit ");
		words_duration(out, limit.ms);
	} else if (draft && draft->original.max_pending.set) {
		buf_add_text(out, "no limit");
	}
	if (draft_changed(draft))
		buf_addf(out, "%sdraft*", out->len ? "  " : "");
	if (editor->frame->hidden)
		buf_addf(out, "%s%zu more", out->len ? "  " : "", editor->frame->hidden);
}
