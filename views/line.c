/* A line to type into: a path, a note. */
#include <string.h>

#include "tui/prompt.h"
#include "views/pane.h"

struct line {
	struct ui *ui;
	struct prompt prompt;
	const char *help; /* static */
	void (*taken)(void *ctx, const char *text);
	void *ctx;
};

static void open_line(void *state, struct ui *ui, const void *argument)
{
	const struct line_argument *wanted = argument;
	struct line *line = state;

	line->ui = ui;
	line->help = wanted->help;
	line->taken = wanted->taken;
	line->ctx = wanted->ctx;
	prompt_start(&line->prompt, wanted->label, wanted->initial ? wanted->initial : "");
}

static void take(void *state)
{
	struct line *line = state;

	line->ui->pop(line->ui);
	line->taken(line->ctx, line->prompt.text);
}

static void leave(void *state)
{
	struct line *line = state;

	line->ui->pop(line->ui);
}

static const struct key_binding line_keys[] = {
	{ .keys = "Enter", .action = "line-take", .help = "take what is typed", .run = take },
	{ .keys = "Esc C-c C-g",
	  .action = "line-leave",
	  .help = "leave it as it was",
	  .run = leave },
	{ 0 },
};

const struct key_scope line_scope = { .name = "A line to type", .bindings = line_keys };

static bool feed_line(void *state, struct key key, const char *paste)
{
	struct line *line = state;

	if (!paste && keys_find(line_keys, key, false))
		return false;
	(void)prompt_feed(&line->prompt, key, paste);
	return true;
}

static void draw_line(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct line *line = state;
	int columns = (int)strlen(line->help) + 1;

	(void)focused;
	draw_clear(out, at);
	if (at.w > 2 * columns) {
		struct rect right = { at.x + at.w - columns, at.y, columns, 1 };

		draw_text_right(out, right, STYLE_DIM, line->help);
		at.w -= columns;
	}
	prompt_draw(&line->prompt, out, at);
}

const struct pane_ops line_pane = {
	.name = "line",
	.title = "Line",
	.scope = &line_scope,
	.state_size = sizeof(struct line),
	.modal = true,
	.line = true,
	.open = open_line,
	.feed = feed_line,
	.draw = draw_line,
};
