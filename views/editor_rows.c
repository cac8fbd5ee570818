/* The rows of the preferences pane: entries, a remark on the list, findings. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "views/editor_cells.h"
#include "views/fresh.h"
#include "views/words.h"

/* What is to be said of the whole list; "" = nothing. */
static void add_remark(const struct editor_look *look, bool focused, struct buf *out)
{
	const struct preferences *prefs = look->prefs;

	if (look->job->has_groups)
		editor_why_not(look->job, out);
	else if (prefs->length == 0)
		buf_add_text(out, "the list is empty: i inserts an entry");
	else if (!prefs->is_list)
		buf_add_text(out, "one type, no list: i begins one");
	else if (prefs->has_shared_count)
		buf_addf(out, "count %lld for all%s", (long long)prefs->shared_count,
			 focused && prefs->length > 1 ? " (g: one each)" : "");
	else if (focused && prefs->length > 1) /* else the entries say it */
		buf_add_text(out, "a count on each entry (g: one for all)");
	if (prefs_has_unplaced_plan(prefs))
		buf_addf(out, "%splan %s for the entry of its type", out->len ? " · " : "",
			 words_plan(prefs->job_plan_arn));
	if (look->draft && look->draft->note[0])
		buf_addf(out, "%snote: %s", out->len ? " · " : "", look->draft->note);
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
static void add_finding(const struct editor *editor, const struct editor_look *look,
			const struct finding *finding, bool here, struct buf *out)
{
	buf_addf(out, "%c ", marks[finding->severity].mark);
	if (finding->entry != CHECK_NO_ENTRY && finding->message[0] != '#')
		buf_addf(out, "#%zu: ", finding->entry + 1);
	buf_add_text(out, finding->message);
	if (here && finding->fix_text[0])
		buf_addf(out, " %s%s",
			 finding->fix == FIX_NONE ? "" : "Enter: ", finding->fix_text);
	if (!here || editor->ui->env->read_only || !editor_is_quota_finding(look, finding))
		return;
	if (finding->fix == FIX_SET_COUNT)
		buf_addf(out, " D: remove #%zu.", finding->entry + 1);
	buf_add_text(out, " R: ask for a raise.");
}

/* Lines of the pane: entries, perhaps a remark, offers, findings. All but the remark can hold the
 * cursor; a finding under the cursor is wrapped, all others take one line. */
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

/* Paints an offer or a finding from at.y on; returns the lines that it takes. */
static int draw_below(const struct editor *editor, const struct editor_look *look, bool here,
		      size_t row, struct surface *out, struct rect at)
{
	const struct finding *finding = editor_finding_at(look, row);
	enum style style = finding ? marks[finding->severity].style : STYLE_GOOD;
	struct buf text;
	int lines = 1;

	buf_init(&text, WORDS_MAX);
	if (finding)
		add_finding(editor, look, finding, here, &text);
	else
		editor_add_offer(look, &look->offers[row - look->prefs->length], here, &text);
	if (here)
		lines = draw_wrapped(out, at, style, buf_text(&text));
	else if (at.h > 0)
		draw_text(out, (struct rect){ at.x, at.y, at.w, 1 }, style, buf_text(&text));
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

/* What the figures of the quota are, where they stand alone; the longest that fits. */
static void draw_legend(const struct painter *painter, struct rect line)
{
	static const char *const legends[] = { "quota: needs + in use of limit ",
					       "need+used of limit " };
	int taken = text_width(painter->remark) + 2;
	struct rect at = { line.x + taken, line.y, line.w - taken, 1 };

	if (!painter->widths[CELL_QUOTA_BRIEF] && !painter->widths[CELL_QUOTA_SHORT])
		return;
	for (size_t i = 0; i < ARRAY_LEN(legends); i++) {
		if (text_width(legends[i]) <= at.w) {
			draw_text_right(painter->out, at, STYLE_DIM, legends[i]);
			return;
		}
	}
}

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
		draw_legend(painter, indented);
	} else if (line < look->prefs->length) {
		cells_draw(&painter->cells[line], painter->widths, line + 1, painter->out, first);
	} else {
		size_t row = line - (painter->remark[0] ? 1 : 0);
		struct rect indented = { at.x + 2, at.y, at.w - 2, at.h };

		height = draw_below(painter->editor, look, here, row, painter->out, indented);
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
		height = (size_t)draw_below(painter->editor, look, true, look->cursor, painter->out,
					    (struct rect){ .w = at.w - 2 });
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
	add_remark(look, focused, &remark);
	painter.remark = buf_text(&remark);
	painter.plan = plan_lines(look, painter.remark);
	for (size_t i = 0; i < look->prefs->length; i++)
		cells_fill(&painter.cells[i], editor, look, i, draw_glyph(out, GLYPH_TIMES));
	cells_measure(painter.cells, look->prefs->length, at.w, painter.widths);
	line = top_line(&painter, at);
	editor->frame->hidden = painter.plan.lines;
	for (; line < painter.plan.lines && y < at.h; line++, editor->frame->hidden--) {
		int height =
			draw_line(&painter, line, (struct rect){ at.x, at.y + y, at.w, at.h - y });

		note_lines(&painter, line, at.y + y, height);
		y += height;
	}
	for (size_t i = 0; i < look->prefs->length; i++)
		cells_release(&painter.cells[i]);
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
	editor_look_free(look);
}

int editor_lines(const struct editor *editor)
{
	struct editor_look *look = editor_look_new(editor);
	struct buf remark;
	int lines = 1;

	if (look->prefs) {
		buf_init(&remark, WORDS_MAX);
		add_remark(look, false, &remark);
		lines = (int)plan_lines(look, buf_text(&remark)).lines;
		buf_release(&remark);
	}
	editor_look_free(look);
	return lines;
}
