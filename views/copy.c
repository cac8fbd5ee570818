/* C: what of the selected job goes to the clipboard, from a short list. */
#include "views/copy.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/shellwords.h"
#include "model/request.h"
#include "views/ask.h"
#include "views/card.h"
#include "views/words.h"

#define BOX_COLUMNS   76
#define LABEL_COLUMNS 14
#define KEYS_COLUMNS  6
#define TEXT_MAX      (1u << 20)

/* One that cannot be copied appends nothing. */
typedef void copy_fn(const struct ui *ui, const struct job *job, struct buf *out);

struct copy {
	struct ui *ui;
	char *arn; /* owned; the job's */
	size_t cursor;
};

static void add_name(const struct ui *ui, const struct job *job, struct buf *out)
{
	(void)ui;
	buf_add_text(out, job->name);
}

static void add_arn(const struct ui *ui, const struct job *job, struct buf *out)
{
	(void)ui;
	buf_add_text(out, job->arn);
}

/* What Describe tells, secrets masked, once it has been read. */
static void add_json(const struct ui *ui, const struct job *job, struct buf *out)
{
	const struct request request = { .kind = job->kind, .text = job->request_json };
	(void)ui;
	if (job->request_json)
		request_show(&request, false, out);
}

/* It changes nothing, and runs as it stands. */
static void add_cli(const struct ui *ui, const struct job *job, struct buf *out)
{
	const struct view_env *env = ui->env;
	const char *kind = job_kind_word(job->kind);
	buf_addf(out, "aws sagemaker describe-%s-job --%s-job-name ", kind, kind);
	shellwords_add_quoted(out, job->name);
	buf_add_text(out, " --region ");
	shellwords_add_quoted(out, env->region);
	if (env->profile[0] && !env->fixed) {
		buf_add_text(out, " --profile ");
		shellwords_add_quoted(out, env->profile);
	}
	if (env->endpoint_url) {
		buf_add_text(out, " --endpoint-url ");
		shellwords_add_quoted(out, env->endpoint_url);
	}
}

static const struct {
	const char *what, *label; /* "the name": as intents.copy says it */
	copy_fn *add;
} rows[] = {
	{ "the name", "name", add_name },
	{ "the ARN", "ARN", add_arn },
	{ "the console's URL", "console URL", card_add_console },
	{ "the JSON", "JSON", add_json },
	{ "the AWS CLI command", "AWS CLI", add_cli },
};

/* --- life and keys --- */

static void open_copy(void *state, struct ui *ui, const void *argument)
{
	struct copy *copy = state;
	copy->ui = ui;
	copy->arn = mem_copy_text(argument);
}

static void close_copy(void *state)
{
	free(((struct copy *)state)->arn);
}

static void leave(void *state)
{
	struct copy *copy = state;
	copy->ui->pop(copy->ui);
}

static void take(struct copy *copy, size_t row)
{
	const struct intents *intents = &copy->ui->env->intents;
	const struct job *job = store_find(copy->ui->env->store, copy->arn);
	struct buf text;
	buf_init(&text, TEXT_MAX);
	if (job)
		rows[row].add(copy->ui, job, &text);
	leave(copy);
	if (text.len == 0 || text.failed)
		copy->ui->say(copy->ui, STYLE_WARNING,
			      job ? "what Describe tells of it has not been read yet"
				  : "this job is not listed any more");
	else
		intents->copy(intents->host, rows[row].what, buf_text(&text));
	buf_release(&text);
}

static void take_here(void *state)
{
	struct copy *copy = state;
	take(copy, copy->cursor);
}

static void take_1(void *state)
{
	take(state, 0);
}

static void take_2(void *state)
{
	take(state, 1);
}

static void take_3(void *state)
{
	take(state, 2);
}

static void take_4(void *state)
{
	take(state, 3);
}

static void take_5(void *state)
{
	take(state, 4);
}

static void go_down(void *state)
{
	struct copy *copy = state;
	copy->cursor += copy->cursor + 1 < ARRAY_LEN(rows);
}

static void go_up(void *state)
{
	struct copy *copy = state;
	copy->cursor -= copy->cursor > 0;
}

/* The second to the sixth are of the rows, in their order. */
static const struct key_binding bindings[] = {
	{ .keys = "Enter",
	  .action = "copy-take",
	  .help = "copy what the cursor is on",
	  .brief = "copy",
	  .flags = KEY_FOOTER,
	  .run = take_here },
	{ .keys = "1 n", .action = "copy-name", .help = "copy the name", .run = take_1 },
	{ .keys = "2 a", .action = "copy-arn", .help = "copy the ARN", .run = take_2 },
	{ .keys = "3 u", .action = "copy-url", .help = "copy the console's URL", .run = take_3 },
	{ .keys = "4 y",
	  .action = "copy-json",
	  .help = "copy what Describe tells, secrets masked",
	  .run = take_4 },
	{ .keys = "5 c",
	  .action = "copy-cli",
	  .help = "copy the AWS CLI command that describes it",
	  .run = take_5 },
	{ .keys = "j Down",
	  .action = "copy-down",
	  .help = "the one below",
	  .brief = "next",
	  .flags = KEY_FOOTER,
	  .run = go_down },
	{ .keys = "k Up", .action = "copy-up", .help = "the one above", .run = go_up },
	{ .keys = "q Esc C-c C-g",
	  .action = "copy-leave",
	  .help = "copy nothing",
	  .brief = "cancel",
	  .flags = KEY_FOOTER,
	  .run = leave },
	{ 0 },
};

const struct key_scope copy_scope = { .name = "Copy", .bindings = bindings };

/* --- picture --- */

static void draw_row(const struct copy *copy, struct surface *out, struct rect line, size_t row)
{
	const char *keys = keymap_keys(copy->ui->env->keys, &bindings[1 + row]);
	const struct job *job = store_find(copy->ui->env->store, copy->arn);
	struct rect rest = { line.x + LABEL_COLUMNS + KEYS_COLUMNS, line.y,
			     line.w - LABEL_COLUMNS - KEYS_COLUMNS, 1 };
	struct buf text;
	buf_init(&text, TEXT_MAX);
	buf_addf(&text, "%-*s%s", KEYS_COLUMNS, keys, rows[row].label);
	draw_text(out, line, STYLE_TEXT, buf_text(&text));
	buf_clear(&text);
	if (job && rows[row].add != add_json)
		rows[row].add(copy->ui, job, &text);
	else
		buf_add_text(&text, job && job->request_json ? "what Describe told, secrets masked"
							     : "not read yet");
	if (rest.w > 0)
		draw_text(out, rest, STYLE_DIM, buf_text(&text));
	if (row == copy->cursor)
		draw_highlight(out, line, STYLE_SELECTED);
	buf_release(&text);
}

static void draw_copy(const void *state, struct surface *out, struct rect at, bool focused)
{
	struct rect box = ask_box(at, BOX_COLUMNS, (int)ARRAY_LEN(rows) + 2);
	struct rect inner = { box.x + 2, box.y + 1, box.w - 4, box.h - 2 };
	draw_clear(out, box);
	draw_frame(out, box, "Copy", "", focused);
	for (size_t i = 0; inner.w > 0 && (int)i < inner.h && i < ARRAY_LEN(rows); i++)
		draw_row(state, out, layout_row(inner, (int)i), i);
}

static const struct pane_ops copy_pane = {
	.name = "copy",
	.title = "Copy",
	.scope = &copy_scope,
	.state_size = sizeof(struct copy),
	.modal = true,
	.open = open_copy,
	.close = close_copy,
	.draw = draw_copy,
};

void copy_begin(struct ui *ui)
{
	const struct job *job = ui_selected(ui);
	if (job)
		ui->push(ui, &copy_pane, job->arn);
	else
		ui->say(ui, STYLE_DIM, "no job is selected");
}
