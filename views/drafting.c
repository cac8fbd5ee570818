#include "views/drafting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/editor.h"
#include "views/local.h"
#include "views/words.h"

#define NAMES_TRIED 60 /* seconds ahead until a name is free */
#define SECOND_MS   1000

/* A request in the hands of $EDITOR, or one that came back and is none. */
struct handed {
	char id[DRAFT_ID_SIZE];
	char name[JOB_NAME_SIZE]; /* that stands in it */
	struct buf text;          /* as it was handed out; wiped */
	struct buf rejected;      /* as it came back, where it is no request; wiped */
};

static void say(struct ui *ui, enum style style, const char *format, ...) PRINTF_LIKE(3, 4);
static void say(struct ui *ui, enum style style, const char *format, ...)
{
	struct buf text;
	va_list args;

	buf_init(&text, WORDS_MAX);
	va_start(args, format);
	buf_vaddf(&text, format, args);
	va_end(args);
	ui->say(ui, style, buf_text(&text));
	buf_release(&text);
}

static void say_error(struct ui *ui, const struct err *err)
{
	say(ui, STYLE_WARNING, "%s", err_text(err));
}

/* --- a draft of its own --- */

static bool name_is_taken(const struct ui *ui, const char *name)
{
	if (store_find_name(ui->env->store, name))
		return true;
	for (const struct draft *draft = ui->drafts; draft; draft = draft->next)
		if (strcmp(draft->name, name) == 0 || strcmp(draft->sent_as, name) == 0)
			return true;
	return false;
}

static void make_name(const struct ui *ui, const char *of, char out[JOB_NAME_SIZE])
{
	int64_t now_ms = ui_now_ms(ui);

	for (int i = 0; i < NAMES_TRIED; i++) {
		job_copy_name(of, now_ms + i * SECOND_MS, out);
		if (!name_is_taken(ui, out))
			return;
	}
}

/* A new row, selected, with the keys where its list is edited. */
static void show(struct ui *ui, struct draft *draft)
{
	draft_add(ui, draft);
	ui->changed(ui);
	ui->select(ui, draft->job.arn);
	ui->edit_list(ui);
}

/* A copy of a draft: what it would send, under another name. */
static struct draft *clone_draft(struct ui *ui, const struct draft *of, const char *id,
				 const char *name, struct err *err)
{
	struct request request = { 0 };
	struct draft *draft = NULL;

	if (draft_request(of, name, false, &request, err))
		draft = draft_of_request(id, &request, of->source, err);
	if (draft)
		memcpy(draft->source_name, of->source_name, sizeof(draft->source_name));
	if (draft)
		draft->origin = of->origin == DRAFT_FILE ? DRAFT_FILE : DRAFT_CLONE;
	request_release(&request);
	(void)ui;
	return draft;
}

void drafting_clone(struct ui *ui)
{
	const struct job *job = ui_selected(ui);
	const struct draft *of = job ? NULL : ui_draft(ui);
	char id[DRAFT_ID_SIZE], name[JOB_NAME_SIZE];
	struct err err = { 0 };
	struct draft *draft;

	if (!job && !of) {
		say(ui, STYLE_DIM, "no job is selected");
		return;
	}
	draft_next_id(ui, id);
	make_name(ui, job ? job->name : of->job.name, name);
	draft = job ? draft_clone(id, job, name, &err) : clone_draft(ui, of, id, name, &err);
	if (!draft) {
		say_error(ui, &err);
		err_clear(&err);
		return;
	}
	show(ui, draft);
	say(ui, STYLE_GOOD, "%s is a draft: J K order its list, E edits the request, X submits",
	    draft->name);
}

/* --- from a file --- */

static void read_file(void *ctx, const char *path)
{
	struct ui *ui = ctx;
	const struct draft_intents *drafts = &ui->env->drafts;

	path += strspn(path, " ");
	if (!*path)
		return;
	mem_set_text(&ui->last_path, path);
	if (drafts->read_file)
		drafts->read_file(drafts->host, path);
}

void drafting_open_file(struct ui *ui)
{
	const struct line_argument argument = { .label = "request file: ",
						.initial = ui->last_path,
						.help = "JSON of a Create request  Enter reads it",
						.taken = read_file,
						.ctx = ui };

	ui->push(ui, &line_pane, &argument);
}

static void tell_no_request(struct ui *ui, const char *path, const struct err *err)
{
	struct buf text;

	buf_init(&text, ERR_TEXT_MAX + WORDS_MAX);
	buf_addf(&text, "%s\n\n%s\n", path, err_text(err));
	buf_add_text(&text, "\nThe file is as it was. A reads it again.");
	ui->push(ui, &message_pane, &(struct message){ "No draft", buf_text(&text) });
	buf_release(&text);
}

void drafting_file_read(struct ui *ui, const char *path, const char *text, size_t len,
			const struct err *err)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct request request = { 0 };
	struct draft *draft = NULL;
	struct err wrong = { 0 };
	char id[DRAFT_ID_SIZE];

	draft_next_id(ui, id);
	if (err)
		err_copy(&wrong, err);
	else if (request_read(&request, text, len, path, NULL, findings, &wrong))
		draft = draft_of_request(id, &request, path, &wrong);
	if (draft) {
		show(ui, draft);
		say(ui, STYLE_GOOD, "%s is read from %s: a draft", local_name(draft), path);
	} else {
		tell_no_request(ui, path, &wrong);
	}
	request_release(&request);
	err_clear(&wrong);
	free(findings);
}

/* --- in $EDITOR --- */

void drafting_forget(struct ui *ui)
{
	struct handed *handed = ui->handed;

	if (!handed)
		return;
	buf_wipe(&handed->text);
	buf_release(&handed->text);
	buf_wipe(&handed->rejected);
	buf_release(&handed->rejected);
	free(handed);
	ui->handed = NULL;
}

static void hand_out(struct ui *ui, const struct buf *text)
{
	const struct draft_intents *drafts = &ui->env->drafts;

	if (drafts->edit_text)
		drafts->edit_text(drafts->host, buf_text(text));
}

/* What a machine wrote in one line nobody can edit; what a person wrote stays as it is. */
static void add_text(struct buf *out, const struct request *request)
{
	if (strchr(request->text, '\n'))
		buf_add_text(out, request->text);
	else
		request_show(request, true, out);
	if (out->len && out->data[out->len - 1] != '\n')
		buf_add_char(out, '\n');
}

/* The draft that E is about, or NULL when it was said why there is none. */
static struct draft *begin_request(struct ui *ui)
{
	const struct job *job = ui_subject(ui);
	struct draft *draft = job ? draft_find(ui, job->arn) : NULL;

	if (!job) {
		say(ui, STYLE_DIM, "no job is selected");
		return NULL;
	}
	if (!draft && job->request_json)
		draft = draft_edit(ui, job);
	if (!draft || !draft_has_text(draft)) {
		say(ui, STYLE_WARNING, "%s is not described yet: try again in a moment", job->name);
		return NULL;
	}
	if (draft->sent_as[0]) {
		say(ui, STYLE_WARNING, "%s is being sent: wait for the answer", draft->sent_as);
		return NULL;
	}
	return draft;
}

void drafting_edit_request(struct ui *ui)
{
	struct draft *draft = begin_request(ui);
	struct request request = { 0 };
	struct handed *handed;
	struct err err = { 0 };

	if (!draft)
		return;
	if (ui->handed && strcmp(ui->handed->id, draft->id) == 0 && ui->handed->rejected.len) {
		hand_out(ui, &ui->handed->rejected);
		return;
	}
	drafting_forget(ui);
	ui->handed = handed = mem_new(1, sizeof(*handed));
	buf_init(&handed->text, REQUEST_MAX * 2);
	buf_init(&handed->rejected, REQUEST_MAX * 2);
	memcpy(handed->id, draft->id, sizeof(handed->id));
	if (draft->name[0])
		memcpy(handed->name, draft->name, sizeof(handed->name));
	else
		make_name(ui, draft->job.name, handed->name);
	if (draft_request(draft, handed->name, false, &request, &err)) {
		add_text(&handed->text, &request);
		hand_out(ui, &handed->text);
	} else {
		say_error(ui, &err);
		drafting_forget(ui);
	}
	request_release(&request);
	err_clear(&err);
}

static void edit_again(void *ctx)
{
	struct ui *ui = ctx;

	if (ui->handed)
		hand_out(ui, &ui->handed->rejected);
}

static void edit_later(void *ctx)
{
	struct ui *ui = ctx;

	say(ui, STYLE_WARNING, "the request is as it was; E goes on with the text that was edited");
}

static void ask_again(struct ui *ui, const char *text, size_t len, const struct err *err)
{
	struct question question = {
		.title = "Edit again?", .yes = edit_again, .no = edit_later, .ctx = ui
	};
	struct buf words;

	buf_wipe(&ui->handed->rejected);
	buf_clear(&ui->handed->rejected);
	buf_add(&ui->handed->rejected, text, len);
	buf_init(&words, ERR_TEXT_MAX + WORDS_MAX);
	buf_addf(&words, "What was edited is no request: %s\n\nEdit it again?", err_text(err));
	question.text = words.data;
	ui->push(ui, &question_pane, &question);
	buf_release(&words);
}

/* True when it is the draft's now. */
static bool take_text(struct ui *ui, struct draft *draft, const char *text, size_t len,
		      struct err *err)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct request request = { 0 };
	bool ok =
		request_read(&request, text, len, "the edited text", &draft->kind, findings, err) &&
		draft_set_text(draft, &request, ui->handed->name, err);

	request_release(&request);
	free(findings);
	return ok;
}

void drafting_edited(struct ui *ui, const char *text, size_t len, const struct err *err)
{
	struct handed *handed = ui->handed;
	struct draft *draft = ui->drafts;
	struct err wrong = { 0 };

	while (draft && handed && strcmp(draft->id, handed->id) != 0)
		draft = draft->next;
	if (!handed)
		return;
	if (err) {
		say(ui, STYLE_WARNING, "the request is as it was: %s", err_text(err));
	} else if (!draft) {
		say(ui, STYLE_WARNING, "the draft that was edited is gone: it was submitted");
	} else if (len == handed->text.len && memcmp(text, handed->text.data, len) == 0) {
		say(ui, STYLE_DIM, "nothing was changed in the request");
	} else if (!take_text(ui, draft, text, len, &wrong)) {
		ask_again(ui, text, len, &wrong);
		err_clear(&wrong);
		return;
	} else {
		say(ui, STYLE_GOOD, "the request is changed: u in its list undoes it");
	}
	if (!err || !handed->rejected.len)
		drafting_forget(ui);
	ui->changed(ui);
}

/* --- lists and notes --- */

/* What can be edited, or NULL when it was said why not. */
static const struct job *begin_edit(struct ui *ui)
{
	const struct job *job = ui_subject(ui);
	struct buf why;

	buf_init(&why, WORDS_MAX);
	editor_why_not(job, &why);
	if (why.len)
		ui->say(ui, STYLE_WARNING, buf_text(&why));
	job = why.len ? NULL : job;
	buf_release(&why);
	return job;
}

static void take_list(void *ctx, const char *name, const struct preferences *prefs)
{
	struct ui *ui = ctx;
	const struct job *job = begin_edit(ui);
	struct draft *draft = job ? draft_edit(ui, job) : NULL;
	struct prefs_state state;

	if (!draft)
		return;
	state = draft_state(draft);
	state.prefs = *prefs;
	/* As with each edit: one type where there was no list stays without one. */
	state.prefs.is_list = draft->original.prefs.is_list || prefs->length > 1;
	draft_set(draft, &state);
	say(ui, STYLE_GOOD, "the list is %s now: u undoes it", name);
	ui->changed(ui);
}

void drafting_named_list(struct ui *ui)
{
	const struct lists_argument argument = { .chosen = take_list, .ctx = ui };

	if (begin_edit(ui))
		ui->push(ui, &lists_pane, &argument);
}

void drafting_suggest(struct ui *ui)
{
	const struct lists_argument argument = { .chosen = take_list, .ctx = ui };

	if (begin_edit(ui))
		ui->push(ui, &suggest_pane, &argument);
}

static void take_note(void *ctx, const char *text)
{
	struct ui *ui = ctx;
	const struct job *job = begin_edit(ui);
	struct draft *draft = job ? draft_edit(ui, job) : NULL;

	if (!draft)
		return;
	draft_set_note(draft, text);
	ui->changed(ui);
}

void drafting_note(struct ui *ui)
{
	const struct job *job = begin_edit(ui);
	const struct draft *draft = job ? draft_find(ui, job->arn) : NULL;
	const struct line_argument argument = {
		.label = "note, why this order: ",
		.initial = draft ? draft->note : "",
		.help = ui->env->tag_notes ? "kept here, and as tag gpuq:note  Enter takes it"
					   : "kept on this machine  Enter takes it",
		.taken = take_note,
		.ctx = ui,
	};

	if (job)
		ui->push(ui, &line_pane, &argument);
}
