/* The filter's line: each key narrows the job list at once; leaving it puts all back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/filter.h"
#include "tui/prompt.h"
#include "views/pane.h"

#define COUNT_COLUMNS 36

struct filter {
	struct ui *ui;
	struct prompt prompt;
	char before[FILTER_SIZE];
	char *arn; /* owned; what was selected before */
};

static void filter_open(void *state, struct ui *ui, const void *argument)
{
	struct filter *filter = state;
	(void)argument;
	filter->ui = ui;
	memcpy(filter->before, ui->filter, sizeof(filter->before));
	filter->arn = mem_copy_text(ui->selected_arn);
	prompt_start(&filter->prompt, "filter: ", ui->filter);
}

static void filter_close(void *state)
{
	free(((struct filter *)state)->arn);
}

/* Takes what is typed, cut between characters where it is too long. */
static void apply(struct filter *filter)
{
	struct ui *ui = filter->ui;
	size_t len = strlen(filter->prompt.text);
	if (len >= sizeof(ui->filter)) {
		len = sizeof(ui->filter) - 1;
		while (len > 0 && ((unsigned char)filter->prompt.text[len] & 0xc0) == 0x80)
			len--;
	}
	memcpy(ui->filter, filter->prompt.text, len);
	ui->filter[len] = '\0';
	ui->changed(ui);
}

static void filter_keep(void *state)
{
	struct filter *filter = state;
	filter->ui->pop(filter->ui);
}

static void filter_undo(void *state)
{
	struct filter *filter = state;
	struct ui *ui = filter->ui;
	memcpy(ui->filter, filter->before, sizeof(ui->filter));
	ui->changed(ui);
	if (filter->arn && store_find(ui->env->store, filter->arn))
		ui->select(ui, filter->arn);
	ui->pop(ui);
}

static bool filter_feed(void *state, struct key key, const char *paste)
{
	struct filter *filter = state;
	if (!paste && keys_find(filter_scope.bindings, key, false))
		return false;
	(void)prompt_feed(&filter->prompt, key, paste);
	apply(filter);
	return true;
}

static const struct key_binding bindings[] = {
	{ .keys = "Enter",
	  .action = "filter-keep",
	  .help = "keep the filter (words; !word excludes)",
	  .run = filter_keep },
	{ .keys = "Esc C-c C-g",
	  .action = "filter-undo",
	  .help = "put the filter back as it was",
	  .run = filter_undo },
	{ 0 },
};

const struct key_scope filter_scope = { .name = "Filter", .bindings = bindings };

static void filter_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct filter *filter = state;
	const struct store *store = filter->ui->env->store;
	size_t matching = 0;
	(void)focused;
	for (size_t i = 0; i < store->count; i++)
		matching += ui_shows(filter->ui, store_at(store, i));
	draw_clear(out, at);
	if (at.w > 2 * COUNT_COLUMNS) {
		struct rect right = { at.x + at.w - COUNT_COLUMNS, at.y, COUNT_COLUMNS, 1 };
		char text[COUNT_COLUMNS * 2];
		int used = snprintf(text, sizeof(text), "%zu of %zu  Enter keeps  Esc undoes ",
				    matching, store->count);
		if (used > 0)
			draw_text_right(out, right, STYLE_DIM, text);
		at.w -= COUNT_COLUMNS;
	}
	prompt_draw(&filter->prompt, out, at);
}

const struct pane_ops filter_pane = {
	.name = "filter",
	.title = "Filter",
	.scope = &filter_scope,
	.state_size = sizeof(struct filter),
	.modal = true,
	.line = true,
	.open = filter_open,
	.close = filter_close,
	.feed = filter_feed,
	.draw = filter_draw,
};
