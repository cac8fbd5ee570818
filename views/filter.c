/* The filter's line: each key narrows the job list at once; leaving it puts all back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "tui/prompt.h"
#include "views/pane.h"

#define COUNT_COLUMNS 36
#define WRONG_COLUMNS 60
#define FIELDS_SHOWN  512 /* bytes of all their names */

struct line {
	struct ui *ui;
	struct prompt prompt;
	char before[FILTER_SIZE];
	char *arn; /* owned; what was selected before */
};

void ui_set_filter(struct ui *ui, const char *text)
{
	size_t len = text_whole_len(text, sizeof(ui->filter) - 1);
	memmove(ui->filter, text, len);
	ui->filter[len] = '\0';
	filter_free(ui->terms);
	ui->terms = len > 0 ? filter_new(ui->filter) : NULL;
}

struct filter_ask ui_filter_ask(const struct ui *ui)
{
	return (struct filter_ask){ .now_ms = ui_now_ms(ui), .prices = &ui->env->store->prices };
}

static void line_open(void *state, struct ui *ui, const void *argument)
{
	struct line *line = state;
	(void)argument;
	line->ui = ui;
	memcpy(line->before, ui->filter, sizeof(line->before));
	line->arn = mem_copy_text(ui->selected_arn);
	past_begin(&ui->filters);
	prompt_start(&line->prompt, "filter: ", ui->filter);
}

static void line_close(void *state)
{
	free(((struct line *)state)->arn);
}

static void apply(struct line *line)
{
	struct ui *ui = line->ui;
	ui_set_filter(ui, line->prompt.text);
	const struct filter_wrong *wrong = filter_wrong(ui->terms);
	line->prompt.wrong_at = wrong ? wrong->at : 0;
	line->prompt.wrong_len = wrong ? wrong->len : 0;
	ui->changed(ui);
}

static void filter_keep(void *state)
{
	struct line *line = state;
	past_add(&line->ui->filters, line->ui->filter);
	line->ui->pop(line->ui);
}

static void filter_undo(void *state)
{
	struct line *line = state;
	struct ui *ui = line->ui;
	ui_set_filter(ui, line->before);
	ui->changed(ui);
	if (line->arn && store_find(ui->env->store, line->arn))
		ui->select(ui, line->arn);
	ui->pop(ui);
}

/* The word that the cursor stands behind, without a '!': where the name of a field may begin. */
static const char *word_at_cursor(const struct prompt *prompt, size_t *len)
{
	size_t from = prompt->cursor;
	while (from > 0 && prompt->text[from - 1] != ' ' && prompt->text[from - 1] != '!')
		from--;
	*len = prompt->cursor - from;
	return prompt->text + from;
}

/* One field is completed with what mostly stands behind it ("wait>"); of several the names are
 * said. */
static void filter_complete(void *state)
{
	struct line *line = state;
	size_t len, found = 0;
	struct buf said;
	const char *word = word_at_cursor(&line->prompt, &len);
	const struct filter_field_row *row, *last = NULL;
	buf_init(&said, FIELDS_SHOWN);
	for (size_t i = 0; (row = filter_field_row(i)) != NULL; i++) {
		if (strncasecmp(row->name, word, len) != 0)
			continue;
		last = row;
		buf_addf(&said, "%s%s", found++ > 0 ? " " : "fields: ", row->name);
	}
	if (found != 1)
		line->ui->say(line->ui, STYLE_DIM,
			      found > 0 ? buf_text(&said) : "no field begins so");
	buf_release(&said);
	if (found != 1)
		return;
	for (const char *at = last->example + len; *at; at++) {
		(void)prompt_feed(&line->prompt, (struct key){ .code = (unsigned char)*at }, NULL);
		if (strchr(":~><", *at))
			break;
	}
	apply(line);
}

static bool line_feed(void *state, struct key key, const char *paste)
{
	struct line *line = state;
	if (!paste && keys_find(filter_scope.bindings, key, false))
		return false;
	if (paste || !past_feed(&line->ui->filters, &line->prompt, key))
		(void)prompt_feed(&line->prompt, key, paste);
	apply(line);
	return true;
}

static const struct key_binding bindings[] = {
	{ .keys = "Enter",
	  .action = "filter-keep",
	  .help = "keep the filter (Up and Down: earlier ones)",
	  .run = filter_keep },
	{ .keys = "Tab",
	  .action = "filter-complete",
	  .help = "complete the field's name, or say which there are",
	  .run = filter_complete },
	{ .keys = "Esc C-c C-g",
	  .action = "filter-undo",
	  .help = "put the filter back as it was",
	  .run = filter_undo },
	{ 0 },
};

const struct key_scope filter_scope = { .name = "Filter", .bindings = bindings };

/* "column 6: no field wat; wait?", or how many there are. */
static void describe(const struct line *line, char *out, size_t size)
{
	const struct ui *ui = line->ui;
	const struct filter_wrong *wrong = filter_wrong(ui->terms);
	if (wrong)
		(void)snprintf(out, size, "column %d: %s ",
			       text_columns(line->prompt.text, wrong->at) + 1, wrong->text);
	else
		(void)snprintf(out, size, "%zu of %zu  Enter keeps  Esc undoes ", ui->shown,
			       ui->env->store->count);
}

static void line_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct line *line = state;
	bool wrong = filter_wrong(line->ui->terms) != NULL;
	int columns = wrong ? WRONG_COLUMNS : COUNT_COLUMNS;
	(void)focused;
	draw_clear(out, at);
	if (at.w < 2 * columns)
		columns = wrong ? at.w / 2 : 0;
	if (columns > 0) {
		struct rect right = { at.x + at.w - columns, at.y, columns, 1 };
		char text[2 * FILTER_WRONG_SIZE];
		describe(line, text, sizeof(text));
		draw_text_right(out, right, wrong ? STYLE_WARNING : STYLE_DIM, text);
		at.w -= columns;
	}
	prompt_draw(&line->prompt, out, at);
}

const struct pane_ops filter_pane = {
	.name = "filter",
	.title = "Filter",
	.scope = &filter_scope,
	.state_size = sizeof(struct line),
	.modal = true,
	.line = true,
	.open = line_open,
	.close = line_close,
	.feed = line_feed,
	.draw = line_draw,
};
