#include "views/writing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/base/version.h"
#include "views/prospect.h"
#include "views/words.h"

#define TEXT_MAX   (64u << 20) /* of a file */
#define PATH_BYTES 4096
#define FENCE_MIN  3

/* What is on its way to the disk, until it is there or nobody wants it any more. */
struct writing {
	struct ui *ui;
	char *path; /* owned */
	struct buf text;
};

static const struct ending {
	const char *word;
	enum report_format format;
	bool marked; /* Markdown around it */
} endings[] = {
	{ "csv", REPORT_CSV, false },     { "json", REPORT_JSON, false },
	{ "jsonl", REPORT_JSONL, false }, { "md", REPORT_TABLE, true },
	{ "txt", REPORT_TABLE, false },   { "log", REPORT_TABLE, false },
};

static void say(struct ui *ui, enum style style, const char *format, ...) PRINTF_LIKE(3, 4);
static void say(struct ui *ui, enum style style, const char *format, ...)
{
	struct buf text;
	va_list args;
	buf_init(&text, 2 * WORDS_MAX);
	va_start(args, format);
	buf_vaddf(&text, format, args);
	va_end(args);
	ui->say(ui, style, buf_text(&text));
	buf_release(&text);
}

void writing_forget(struct ui *ui)
{
	if (!ui->writing)
		return;
	free(ui->writing->path);
	buf_release(&ui->writing->text);
	free(ui->writing);
	ui->writing = NULL;
}

/* --- the text --- */

static bool has_word(const char *words, const char *word)
{
	size_t len = strlen(word);
	for (const char *at = words; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		if (strncmp(at, word, len) == 0 && (at[len] == ' ' || at[len] == '\0'))
			return true;
	}
	return false;
}

/* What the name ends in, where the view can be written so. */
static const struct ending *ending_of(const struct pane_ops *ops, const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *dot = strrchr(slash ? slash : name, '.');
	for (size_t i = 0; dot && i < ARRAY_LEN(endings); i++)
		if (strcasecmp(dot + 1, endings[i].word) == 0 &&
		    has_word(ops->writes, endings[i].word))
			return &endings[i];
	return NULL;
}

/* Longer than any run of backticks in the text: nothing in it ends the fence. */
static void add_fence(struct buf *out, const char *text, const char *info)
{
	size_t longest = 0, run = 0;
	for (; *text; text++) {
		run = *text == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i < FENCE_MIN || i <= longest; i++)
		buf_add_char(out, '`');
	buf_addf(out, "%s\n", info);
}

/* Where and when, and how much of it is shown. */
static void add_head(const struct ui *ui, const struct pane_ops *ops, const void *state,
		     struct buf *out)
{
	const struct view_env *env = ui->env;
	char now[TIME_TEXT_SIZE];
	struct buf note;
	time_format_iso(ui_now_ms(ui), now);
	buf_addf(out, "# gpuq: %s\n\n- account %s, region %s\n- at %s, by gpuq %s\n", ops->title,
		 env->account[0] ? env->account : "not known", env->region, now, GPUQ_VERSION);
	buf_init(&note, WORDS_MAX);
	if (ops->note)
		ops->note(state, &note);
	if (note.len > 0) {
		buf_add_text(out, "- shown: ");
		text_sanitise(out, buf_text(&note), note.len, TEXT_CELL, false);
		buf_add_char(out, '\n');
	}
	buf_release(&note);
	buf_add_char(out, '\n');
}

/* What a table is made of has been made harmless; the text of a page has not. */
static void add_text(const struct ui *ui, const struct pane_ops *ops, const void *state,
		     const struct buf *report, bool marked, struct buf *out)
{
	struct buf safe;
	buf_init(&safe, TEXT_MAX);
	text_sanitise(&safe, buf_text(report), report->len, TEXT_FILE, false);
	if (marked) {
		add_head(ui, ops, state, out);
		add_fence(out, buf_text(&safe), "text");
	}
	buf_add(out, buf_text(&safe), safe.len);
	if (safe.len > 0 && safe.data[safe.len - 1] != '\n')
		buf_add_char(out, '\n');
	if (marked)
		add_fence(out, buf_text(&safe), "");
	buf_release(&safe);
}

bool writing_make(const struct ui *ui, const struct pane_ops *ops, const void *state,
		  const char *name, struct buf *out)
{
	const struct view_env *env = ui->env;
	const struct ending *ending = ending_of(ops, name);
	const struct report_context context = { .format = ending ? ending->format : REPORT_TABLE,
						.region = env->region,
						.prices = &env->store->prices,
						.now_ms = ui_now_ms(ui),
						.past = prospect_past(ui),
						.utc = env->utc };
	struct buf report;
	if (!ending)
		return false;
	buf_init(&report, TEXT_MAX);
	ops->write(state, &context, &report);
	if (report.failed)
		out->failed = true;
	else if (report.len > 0 && context.format == REPORT_TABLE)
		add_text(ui, ops, state, &report, ending->marked, out);
	else
		buf_add(out, buf_text(&report), report.len);
	buf_release(&report);
	return true;
}

/* --- the file --- */

static void send(struct writing *writing, bool replace)
{
	const struct draft_intents *files = &writing->ui->env->drafts;
	say(writing->ui, STYLE_DIM, "writing %s", writing->path);
	files->write_file(files->host, writing->path, buf_text(&writing->text), writing->text.len,
			  replace);
}

static void replace_it(void *ctx)
{
	send(ctx, true);
}

static void leave_it(void *ctx)
{
	struct writing *writing = ctx;
	say(writing->ui, STYLE_DIM, "not written: %s stays as it was", writing->path);
	writing_forget(writing->ui);
}

/* As careful as before a change of AWS: a y that was meant for the list overwrites nothing. */
static void ask_to_replace(struct writing *writing)
{
	struct ui *ui = writing->ui;
	struct buf text;
	buf_init(&text, PATH_BYTES + WORDS_MAX);
	buf_addf(&text, "%s exists already.\n\nWrite over it?", writing->path);
	const struct question question = { .title = "Write over the file?",
					   .text = text.data,
					   .changes_cloud = true,
					   .yes = replace_it,
					   .no = leave_it,
					   .ctx = writing };
	ui->push(ui, &question_pane, &question);
	buf_release(&text);
}

void writing_told(struct ui *ui, const char *path, const struct err *err)
{
	struct writing *writing = ui->writing;
	const struct pane_ops *ops;
	if (!writing)
		return;
	(void)ui->in_sight(ui, &ops);
	mem_set_text(&writing->path, path);
	/* No question comes over what somebody types. */
	if (err && err->code == ERR_CONFLICT && (!ops->feed || ops == &jobs_pane)) {
		ask_to_replace(writing);
		return;
	}
	if (err)
		say(ui, STYLE_ERROR, "not written: %s %s. W again: another name or folder", path,
		    err_text(err));
	else
		say(ui, STYLE_GOOD, "written: %s (%zu bytes)", path, writing->text.len);
	writing_forget(ui);
}

/* --- its name --- */

static void ask_name(struct ui *ui, const char *initial);

static void take_name(void *ctx, const char *name)
{
	struct ui *ui = ctx;
	const struct pane_ops *ops;
	const void *state = ui->in_sight(ui, &ops);
	struct buf text;
	if (!name[0] || !ops->write) {
		ui->say(ui, STYLE_DIM, "nothing was written");
		return;
	}
	buf_init(&text, TEXT_MAX);
	if (!writing_make(ui, ops, state, name, &text)) {
		say(ui, STYLE_WARNING, "the name's ending says the format: %s", ops->writes);
		ask_name(ui, name);
	} else if (text.failed || text.len == 0) {
		ui->say(ui, STYLE_WARNING,
			text.failed ? "it is too long to be written"
				    : "there is nothing in it yet that could be written");
	} else {
		ui->writing = mem_new(1, sizeof(*ui->writing));
		*ui->writing = (struct writing){ ui, mem_copy_text(name), text };
		send(ui->writing, false);
		return;
	}
	buf_release(&text);
}

static void ask_name(struct ui *ui, const char *initial)
{
	const struct line_argument line = { .label = "write to: ",
					    .initial = initial,
					    .help = "the ending says the format",
					    .taken = take_name,
					    .ctx = ui };
	ui->push(ui, &line_pane, &line);
}

/* gpuq-jobs-20261201-1742.csv: digits of a time as it is read, and what sorts by time. */
static void offer_name(const struct ui *ui, const struct pane_ops *ops, struct buf *out)
{
	char now[TIME_TEXT_SIZE];
	time_format_full(ui_now_ms(ui), ui->env->utc, now);
	buf_addf(out, "gpuq-%s-%.4s%.2s%.2s-%.2s%.2s.%.*s", ops->name, now, now + 5, now + 8,
		 now + 11, now + 14, (int)strcspn(ops->writes, " "), ops->writes);
}

void writing_begin(struct ui *ui)
{
	const struct draft_intents *files = &ui->env->drafts;
	const struct pane_ops *ops;
	struct buf name;
	(void)ui->in_sight(ui, &ops);
	if (!ops->write || !files->write_file) {
		ui->say(ui, STYLE_DIM, "W writes lists, logs and the pages of jobs, not this");
		return;
	}
	if (ui->writing) {
		say(ui, STYLE_WARNING, "%s is being written still", ui->writing->path);
		return;
	}
	buf_init(&name, WORDS_MAX);
	offer_name(ui, ops, &name);
	ask_name(ui, buf_text(&name));
	buf_release(&name);
}
