#include "views/stop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/words.h"

#define TEXT_MAX    (1u << 20)
#define TYPED_SIZE  JOB_NAME_SIZE
#define NAME_COLUMN 28

/* A job that turned out to belong to somebody when it was to be stopped: its tags said so. */
struct belonging {
	enum job_kind kind;
	char name[JOB_NAME_SIZE];
	struct owner owner;
};

struct stop_state {
	struct ui *ui;
	/* What is asked about. */
	struct stop_wish *wishes; /* owned */
	size_t count, capacity;
	struct stop_stakes stakes;
	char typed[TYPED_SIZE]; /* "" = y is enough */
	/* Of the stops that were agreed to, until the last has been told. */
	size_t round;
	size_t told[STOP_FAILED + 1]; /* by outcome */
	struct buf page;              /* a line for each that has more to say */
	struct belonging *belongings; /* owned */
	size_t belonging_count, belonging_capacity;
};

static struct stop_state *stops_of(struct ui *ui)
{
	if (!ui->stops) {
		ui->stops = mem_new(1, sizeof(*ui->stops));
		ui->stops->ui = ui;
		buf_init(&ui->stops->page, TEXT_MAX);
	}
	return ui->stops;
}

void stop_forget(struct ui *ui)
{
	if (!ui->stops)
		return;
	free(ui->stops->wishes);
	free(ui->stops->belongings);
	buf_release(&ui->stops->page);
	free(ui->stops);
	ui->stops = NULL;
}

/* --- whose it is --- */

bool stop_find_owner(const struct ui *ui, const struct job *job, struct owner *owner)
{
	const struct job_tags *tags = &ui->env->store->tags;
	const struct stop_state *stops = ui->stops;
	if (owner_of_job(job, owner))
		return true;
	if (tags->arn && strcmp(tags->arn, job->arn) == 0 &&
	    owner_of_tags(tags->items, tags->count, owner))
		return true;
	for (size_t i = 0; stops && i < stops->belonging_count; i++) {
		const struct belonging *belonging = &stops->belongings[i];
		if (belonging->kind == job->kind && strcmp(belonging->name, job->name) == 0) {
			*owner = belonging->owner;
			return true;
		}
	}
	return false;
}

void stop_note_owner(struct ui *ui, enum job_kind kind, const char *name, const struct owner *owner)
{
	struct stop_state *stops = stops_of(ui);
	struct belonging belonging = { .kind = kind, .owner = *owner };
	(void)snprintf(belonging.name, sizeof(belonging.name), "%s", name);
	stops->belongings = mem_grow(stops->belongings, &stops->belonging_capacity,
				     stops->belonging_count + 1, sizeof(belonging));
	stops->belongings[stops->belonging_count++] = belonging;
}

/* --- asking --- */

static void stop_now(void *ctx)
{
	struct stop_state *stops = ctx;
	const struct cloud_intents *intents = &stops->ui->env->cloud;
	char text[128];
	stops->round += stops->count;
	marks_clear(&stops->ui->marks);
	if (stops->count == 1)
		(void)snprintf(text, sizeof(text), "stop of %s sent", stops->wishes[0].name);
	else
		(void)snprintf(text, sizeof(text), "stops of %zu jobs sent one after the other",
			       stops->count);
	stops->ui->say(stops->ui, STYLE_DIM, text);
	/* Last: the app may have to say that it cannot. */
	intents->stop(intents->host, stops->wishes, stops->count);
}

static void stop_not(void *ctx)
{
	struct stop_state *stops = ctx;
	char text[128];
	if (stops->count == 1)
		(void)snprintf(text, sizeof(text), "not stopped: %s", stops->wishes[0].name);
	else
		(void)snprintf(text, sizeof(text), "not stopped: %zu jobs; they stay marked",
			       stops->count);
	stops->ui->say(stops->ui, STYLE_DIM, text);
}

static void add_wish(struct stop_state *stops, const struct job *job, bool despite_owner)
{
	struct stop_wish wish = { .kind = job->kind, .despite_owner = despite_owner };
	memcpy(wish.name, job->name, sizeof(wish.name));
	stops->wishes = mem_grow(stops->wishes, &stops->capacity, stops->count + 1, sizeof(wish));
	stops->wishes[stops->count++] = wish;
	stop_stakes_add(&stops->stakes, job, &stops->ui->env->store->prices, ui_now_ms(stops->ui));
}

static void ask(struct stop_state *stops, const char *title, const struct buf *text)
{
	const struct question question = {
		.text = text->data,
		.changes_cloud = true,
		.type_name = stops->typed[0] ? stops->typed : NULL,
		.yes = stop_now,
		.no = stop_not,
		.ctx = stops,
	};
	struct question titled = question;
	(void)snprintf(titled.title, sizeof(titled.title), "%s", title);
	stops->ui->push(stops->ui, &question_pane, &titled);
}

static const char *account_of(const struct view_env *env)
{
	return env->account[0] ? env->account : "not known yet";
}

/* What a stop means for this job. */
static void add_stakes(const struct stop_state *stops, const struct job *job, struct buf *out)
{
	struct cost cost =
		price_job_cost(job, &stops->ui->env->store->prices, ui_now_ms(stops->ui));
	if (job_phase(job) == PHASE_PENDING) {
		buf_add_text(out, "It is pending: it stops before it has cost anything, and loses "
				  "its place in the queue.");
		return;
	}
	if (job->selected.set)
		buf_addf(out, "It has %lld instance%s of %s", (long long)job->selected.count,
			 job->selected.count == 1 ? "" : "s", job->selected.instance_type);
	else
		buf_add_text(out, "What it runs on is not known");
	if (cost.per_hour.set) {
		buf_add_text(out, " at ");
		words_money(out, cost.per_hour.micro, cost.currency,
			    price_is_approximate(cost.source));
		buf_add_text(out, " an hour");
	} else {
		buf_add_text(out, ", its cost by the hour is not known");
	}
	if (job->kind == JOB_TRAINING)
		buf_add_text(out, ". The algorithm gets 120 s to end");
	buf_add_text(out, ". What it has not saved is lost.");
}

static void ask_one(struct stop_state *stops, const struct job *job)
{
	const char *operation = job->kind == JOB_TRAINING ? "StopTrainingJob" : "StopProcessingJob";
	const char *member = job->kind == JOB_TRAINING ? "TrainingJobName" : "ProcessingJobName";
	const struct view_env *env = stops->ui->env;
	struct owner owner;
	struct buf text;
	const char *typed = "";
	bool owned = stop_find_owner(stops->ui, job, &owner);
	add_wish(stops, job, owned);
	buf_init(&text, TEXT_MAX);
	buf_addf(&text, "%s {\"%s\":\"%s\"} is sent to %s (account %s).\n\n", operation, member,
		 job->name, env->region, account_of(env));
	add_stakes(stops, job, &text);
	if (owned) {
		typed = owner_typed(&owner, job->name);
		buf_add_text(&text, "\n\nIt belongs to ");
		owner_describe(&owner, &text);
		buf_addf(&text,
			 ", which fails when its job is stopped: stop that instead.\nTo stop the "
			 "job all the same, type: %s",
			 typed);
	} else if (stop_stakes_are_high(&stops->stakes, env->confirm_above_micro)) {
		typed = job->name;
	}
	(void)snprintf(stops->typed, sizeof(stops->typed), "%s", typed);
	ask(stops, "Stop the job?", &text);
	buf_release(&text);
}

/* --- many --- */

/* Why a marked job is not among those that are stopped; NULL = it is. */
static const char *why_left_out(const struct stop_state *stops, const struct job *job,
				struct owner *owner)
{
	if (job_has_ended(job))
		return "has ended";
	if (job_phase(job) == PHASE_STOPPING)
		return "is stopping already";
	return stop_find_owner(stops->ui, job, owner) ? "belongs to " : NULL;
}

/* "  NAME   Running  2x ml.p5.48xlarge  ~$196 an hour" */
static void add_row(const struct stop_state *stops, const struct job *job, struct buf *out)
{
	struct cost cost =
		price_job_cost(job, &stops->ui->env->store->prices, ui_now_ms(stops->ui));
	buf_addf(out, "  %-*s %-9s ", NAME_COLUMN, job->name, words_phase(job));
	if (job->selected.set)
		buf_addf(out, "%lld× %s, ", (long long)job->selected.count,
			 job->selected.instance_type);
	words_per_hour(out, job, &cost);
	buf_add_text(out, cost.per_hour.set && !cost.plan ? " an hour\n" : "\n");
}

static void add_sum(const struct stop_state *stops, struct buf *out)
{
	const struct stop_stakes *stakes = &stops->stakes;
	buf_add_text(out, "\nTogether ");
	words_money(out, stakes->per_hour_micro, stakes->currency,
		    price_is_approximate(stakes->source));
	buf_addf(out,
		 " an hour%s. What they have not saved is lost; pending ones lose their "
		 "place in the queue.\n",
		 stakes->unknown ? " and what is not known" : "");
}

/* Sorts the marked jobs into those that are stopped and those that are left out, and why. */
static void sort_marked(struct stop_state *stops, struct buf *rows, struct buf *left_out)
{
	const struct ui *ui = stops->ui;
	for (size_t i = 0; i < ui->marks.count; i++) {
		const struct job *job = store_find(ui->env->store, ui->marks.arns[i]);
		struct owner owner = { 0 };
		const char *why = job ? why_left_out(stops, job, &owner) : NULL;
		if (!job)
			continue;
		if (!why) {
			add_wish(stops, job, false);
			add_row(stops, job, rows);
			continue;
		}
		buf_addf(left_out, "  %s %s", job->name, why);
		if (owner.kind != OWNER_NONE) {
			owner_describe(&owner, left_out);
			buf_add_text(left_out, ": S on it alone asks");
		}
		buf_add_char(left_out, '\n');
	}
}

static void ask_listed(struct stop_state *stops, const struct buf *rows, const struct buf *left_out)
{
	const struct view_env *env = stops->ui->env;
	struct buf text;
	char title[64];
	stops->typed[0] = '\0';
	(void)snprintf(title, sizeof(title), "Stop %zu jobs?", stops->count);
	buf_init(&text, TEXT_MAX);
	buf_addf(&text, "Stopped one after the other in %s (account %s):\n%s", env->region,
		 account_of(env), buf_text(rows));
	add_sum(stops, &text);
	if (left_out->len)
		buf_addf(&text, "\nLeft out:\n%s", buf_text(left_out));
	if (stop_stakes_are_high(&stops->stakes, env->confirm_above_micro)) {
		(void)snprintf(stops->typed, sizeof(stops->typed), "stop %zu jobs", stops->count);
		buf_addf(&text, "\nTo stop them, type: %s", stops->typed);
	}
	ask(stops, title, &text);
	buf_release(&text);
}

static void say_none(struct stop_state *stops, const struct buf *left_out)
{
	struct ui *ui = stops->ui;
	struct buf text;
	buf_init(&text, TEXT_MAX);
	buf_addf(&text, "none of the %zu marked jobs can be stopped:\n%s", ui->marks.count,
		 buf_text(left_out));
	ui->push(ui, &message_pane, &(struct message){ "Nothing to stop", buf_text(&text) });
	buf_release(&text);
}

static void ask_marked(struct stop_state *stops)
{
	struct buf rows, left_out;
	buf_init(&rows, TEXT_MAX);
	buf_init(&left_out, TEXT_MAX);
	sort_marked(stops, &rows, &left_out);
	if (stops->count == 0)
		say_none(stops, &left_out);
	else
		ask_listed(stops, &rows, &left_out);
	buf_release(&rows);
	buf_release(&left_out);
}

static void ask_selected(struct stop_state *stops, const struct job *job)
{
	struct ui *ui = stops->ui;
	if (!job)
		ui->say(ui, STYLE_DIM,
			ui_on_local(ui) ? "this row is no job: there is nothing to stop"
					: "no job is selected");
	else if (job_has_ended(job))
		ui->say(ui, STYLE_DIM, "this job has ended already");
	else if (job_phase(job) == PHASE_STOPPING)
		ui->say(ui, STYLE_DIM, "this job is stopping already");
	else
		ask_one(stops, job);
}

void stop_begin(struct ui *ui)
{
	struct stop_state *stops = stops_of(ui);
	stops->count = 0;
	stops->stakes = (struct stop_stakes){ 0 };
	if (ui->marks.count > 1)
		ask_marked(stops);
	else if (ui->marks.count == 1)
		ask_selected(stops, store_find(ui->env->store, ui->marks.arns[0]));
	else
		ask_selected(stops, ui_selected(ui));
}

void stop_begin_of(struct ui *ui, const char *arn)
{
	struct stop_state *stops = stops_of(ui);
	stops->count = 0;
	stops->stakes = (struct stop_stakes){ 0 };
	ask_selected(stops, store_find(ui->env->store, arn));
}

/* --- telling --- */

/* Until its end it counts as used: who wants the instances for another job has to know. */
static bool holds_instances(const struct ui *ui, const char *name)
{
	const struct job *job = store_find_name(ui->env->store, name);
	return job && (job->selected.set || (job->has_groups && job->started.set));
}

/* One line about one job. */
static void add_told(const struct ui *ui, struct buf *out, const struct stop_result *result)
{
	switch (result->outcome) {
	case STOP_DONE:
		buf_addf(out, "%s is being stopped", result->name);
		if (holds_instances(ui, result->name))
			buf_add_text(out, "; its quota " QUOTA_FREES_TEXT);
		break;
	case STOP_OVER:
		buf_addf(out, "%s is over or stopping already: nothing was left to stop",
			 result->name);
		break;
	case STOP_GONE:
		buf_addf(out, "%s is not there any more: nothing was left to stop", result->name);
		break;
	case STOP_OWNED:
		buf_addf(out, "%s was not stopped: it belongs to ", result->name);
		owner_describe(&result->owner, out);
		buf_add_text(out, ". S on it alone asks again");
		break;
	case STOP_FAILED:
		buf_addf(out,
			 result->err->outcome_open ? "not known whether %s was stopped: "
						   : "%s was not stopped: ",
			 result->name);
		words_first_line(out, err_text(result->err));
		break;
	}
}

/* A refusal whole: what, by which code and request, what to do next. */
static void add_refusal(struct buf *out, const char *name, const struct err *err)
{
	if (err->outcome_open)
		buf_addf(out,
			 "It is not known whether %s was stopped (%s). Its phase will show it; S "
			 "again does no harm.\n\n",
			 name, err_word(err->code));
	else
		buf_addf(out, "%s was not stopped (%s).\n\n", name, err_word(err->code));
	if (err->aws_code[0])
		buf_addf(out, "%s\n", err->aws_code);
	buf_addf(out, "%s\n", err_text(err));
	if (err->request_id[0])
		buf_addf(out, "request id %s\n", err->request_id);
	if (err_hint_text(err->hint)[0])
		buf_addf(out, "\n%s\n", err_hint_text(err->hint));
}

static enum style style_of(enum stop_outcome outcome)
{
	static const enum style styles[] = {
		[STOP_DONE] = STYLE_GOOD,     [STOP_OVER] = STYLE_DIM,     [STOP_GONE] = STYLE_DIM,
		[STOP_OWNED] = STYLE_WARNING, [STOP_FAILED] = STYLE_ERROR,
	};
	return styles[outcome];
}

static void show_page(struct stop_state *stops, const char *title)
{
	struct ui *ui = stops->ui;
	if (stops->page.len)
		ui->push(ui, &message_pane, &(struct message){ title, buf_text(&stops->page) });
}

static void tell_one(struct stop_state *stops, const struct stop_result *result, bool may_show)
{
	struct ui *ui = stops->ui;
	struct buf line;
	buf_init(&line, 2 * ERR_TEXT_MAX);
	add_told(ui, &line, result);
	ui->say(ui, style_of(result->outcome), buf_text(&line));
	buf_release(&line);
	if (result->outcome != STOP_FAILED || !may_show)
		return;
	add_refusal(&stops->page, result->name, result->err);
	show_page(stops, result->err->outcome_open ? "Perhaps stopped" : "Not stopped");
}

/* "2 jobs are being stopped, 1 over already, 1 not stopped" */
static void say_sum(struct stop_state *stops, size_t left)
{
	const size_t *told = stops->told;
	size_t over = told[STOP_OVER] + told[STOP_GONE];
	size_t not = told[STOP_OWNED] + told[STOP_FAILED];
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%zu %s being stopped", told[STOP_DONE],
		 told[STOP_DONE] == 1 ? "job is" : "jobs are");
	if (over)
		buf_addf(&text, ", %zu over already", over);
	if (not )
		buf_addf(&text, ", %zu not stopped", not );
	if (left)
		buf_addf(&text, ", %zu to go", left);
	stops->ui->say(stops->ui, not ? STYLE_ERROR : STYLE_GOOD, buf_text(&text));
	buf_release(&text);
}

static void tell_of_many(struct stop_state *stops, const struct stop_result *result, bool may_show)
{
	if (result->outcome != STOP_DONE) {
		add_told(stops->ui, &stops->page, result);
		buf_add_char(&stops->page, '\n');
		if (result->outcome == STOP_FAILED && err_hint_text(result->err->hint)[0])
			buf_addf(&stops->page, "  %s\n", err_hint_text(result->err->hint));
	}
	say_sum(stops, result->left);
	if (result->left == 0 && may_show)
		show_page(stops, "Stops");
}

void stop_tell(struct ui *ui, const struct stop_result *result, bool may_show)
{
	struct stop_state *stops = stops_of(ui);
	stops->told[result->outcome]++;
	if (result->outcome == STOP_OWNED)
		stop_note_owner(ui, result->kind, result->name, &result->owner);
	if (stops->round > 1)
		tell_of_many(stops, result, may_show);
	else
		tell_one(stops, result, may_show);
	if (result->left > 0)
		return;
	stops->round = 0;
	memset(stops->told, 0, sizeof(stops->told));
	buf_clear(&stops->page);
}
