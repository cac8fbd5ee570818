/* The pending limit's line: a duration in human units, empty for none. */
#include <stdio.h>
#include <string.h>

#include "model/base/clock.h"
#include "tui/prompt.h"
#include "views/pane.h"

#define WRONG         "write 2h, 36h, 7d, none "
#define HELP_COLUMNS  52
#define BRIEF_COLUMNS 24
#define SECOND_MS     1000
#define LIMIT_MAX_S   INT64_C(4000000000) /* far above the 28 days that SageMaker takes */
#define HOUR_S        3600
#define DAY_S         (24 * HOUR_S)
#define LIMIT_DIGITS  32

struct limit {
	struct ui *ui;
	struct prompt prompt;
	bool is_wrong; /* what stands in the line, and Enter has been pressed */
	void (*chosen)(void *ctx, struct opt_ms limit);
	void *ctx;
};

/* In the largest unit that says it whole: what is read again is the same. */
static void write_limit(struct opt_ms limit, char out[LIMIT_DIGITS])
{
	long long seconds = limit.ms / SECOND_MS;

	if (!limit.set)
		out[0] = '\0';
	else if (seconds % DAY_S == 0)
		(void)snprintf(out, LIMIT_DIGITS, "%lldd", seconds / DAY_S);
	else if (seconds % HOUR_S == 0)
		(void)snprintf(out, LIMIT_DIGITS, "%lldh", seconds / HOUR_S);
	else if (seconds % 60 == 0)
		(void)snprintf(out, LIMIT_DIGITS, "%lldm", seconds / 60);
	else
		(void)snprintf(out, LIMIT_DIGITS, "%llds", seconds);
}

static void open_limit(void *state, struct ui *ui, const void *argument)
{
	const struct limit_argument *wanted = argument;
	struct limit *limit = state;
	char text[LIMIT_DIGITS];

	limit->ui = ui;
	limit->chosen = wanted->chosen;
	limit->ctx = wanted->ctx;
	write_limit(wanted->limit, text);
	prompt_start(&limit->prompt, "pending limit: ", text);
}

/* Blanks around it do not count; nothing at all is no limit. */
static bool read_limit(const char *text, struct opt_ms *limit)
{
	char word[PROMPT_SIZE];
	int64_t seconds;
	size_t len;

	*limit = (struct opt_ms){ 0 };
	text += strspn(text, " ");
	len = strlen(text);
	while (len > 0 && text[len - 1] == ' ')
		len--;
	memcpy(word, text, len);
	word[len] = '\0';
	if (len == 0 || strcmp(word, "none") == 0)
		return true;
	if (!duration_parse(word, &seconds) || seconds < 1 || seconds > LIMIT_MAX_S)
		return false;
	*limit = (struct opt_ms){ .set = true, .ms = seconds * SECOND_MS };
	return true;
}

static void keep(void *state)
{
	struct limit *limit = state;
	struct opt_ms value;

	if (!read_limit(limit->prompt.text, &value)) {
		limit->is_wrong =
			true; /* said in the line: on a small terminal it hides a notice */
		return;
	}
	limit->ui->pop(limit->ui);
	limit->chosen(limit->ctx, value);
}

static void leave(void *state)
{
	struct limit *limit = state;

	limit->ui->pop(limit->ui);
}

static const struct key_binding limit_keys[] = {
	{ .keys = "Enter",
	  .action = "limit-keep",
	  .help = "take the pending limit (2h, 36h, 7d; empty = none)",
	  .run = keep },
	{ .keys = "Esc C-c C-g",
	  .action = "limit-leave",
	  .help = "leave the pending limit as it was",
	  .run = leave },
	{ 0 },
};

const struct key_scope limit_scope = { .name = "Pending limit", .bindings = limit_keys };

static bool feed_limit(void *state, struct key key, const char *paste)
{
	struct limit *limit = state;

	if (!paste && keys_find(limit_keys, key, false))
		return false;
	(void)prompt_feed(&limit->prompt, key, paste);
	limit->is_wrong = false;
	return true;
}

static void draw_limit(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct limit *limit = state;

	(void)focused;
	draw_clear(out, at);
	bool wide = at.w > 2 * HELP_COLUMNS;
	int columns = wide ? HELP_COLUMNS : BRIEF_COLUMNS;

	if (at.w > 2 * columns) {
		struct rect right = { at.x + at.w - columns, at.y, columns, 1 };

		const char *help = wide ? "2h to 28d, empty = none  Enter takes it  Esc leaves "
					: "2h to 28d, empty = none ";

		draw_text_right(out, right, limit->is_wrong ? STYLE_ERROR : STYLE_DIM,
				limit->is_wrong ? WRONG : help);
		at.w -= columns;
	}
	prompt_draw(&limit->prompt, out, at);
}

const struct pane_ops limit_pane = {
	.name = "limit",
	.title = "Pending limit",
	.scope = &limit_scope,
	.state_size = sizeof(struct limit),
	.modal = true,
	.line = true,
	.open = open_limit,
	.feed = feed_limit,
	.draw = draw_limit,
};
