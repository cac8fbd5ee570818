/* The keys of the whole screen, and what they do. */
#include <stdio.h>
#include <string.h>

#include "views/screen_state.h"
#include "views/words.h"

#define ASKING_MS 3000 /* a notice that says so little goes soon */

/* --- places --- */

static bool is_alone_by_size(const struct screen *screen)
{
	const struct home_wish wish = {
		.columns = screen->frame->columns,
		.lines = screen->frame->lines,
		.detail = HOME_QUEUE,
	};
	return home_arrange(&wish).shape == HOME_ALONE;
}

void screen_go_to(struct screen *screen, enum home_pane pane)
{
	screen->focus = pane;
	if (pane != HOME_JOBS)
		screen->detail = pane;
	if (is_alone_by_size(screen))
		screen->zoomed = pane != HOME_JOBS;
}

static void pane_next(void *state)
{
	struct screen *screen = state;
	screen_go_to(screen, (screen_focus(screen) + 1) % HOME_PANES);
}

static void pane_previous(void *state)
{
	struct screen *screen = state;
	screen_go_to(screen, (screen_focus(screen) + HOME_PANES - 1) % HOME_PANES);
}

static void pane_by_number(void *state)
{
	struct screen *screen = state;
	uint32_t number = screen->key.code - '1';
	if (number < HOME_PANES)
		screen_go_to(screen, (enum home_pane)number);
	else
		screen_say(screen, STYLE_DIM, "there are six panes: 1 to 6");
}

static void pane_zoom(void *state)
{
	struct screen *screen = state;
	screen->focus = screen_focus(screen);
	screen->zoomed = !screen->zoomed;
}

static void preferences_focus(void *state)
{
	screen_go_to(state, HOME_PREFERENCES);
}

/* One step back: out of the zoom, then to the job list. */
static void back(void *state)
{
	struct screen *screen = state;
	screen->notice.text[0] = '\0';
	if (screen->zoomed)
		screen->zoomed = false;
	else
		screen_go_to(screen, HOME_JOBS);
}

static void interrupt(void *state)
{
	screen_say(state, STYLE_WARNING, "C-c again quits");
}

static void command_line(void *state)
{
	struct screen *screen = state;
	screen->ui.push(&screen->ui, &palette_pane, NULL);
}

/* --- leaving --- */

static void quit_now(void *ctx)
{
	struct screen *screen = ctx;
	screen->env.intents.quit(screen->env.intents.host);
}

static void quit(void *state)
{
	struct screen *screen = state;
	size_t drafts = 0;
	char text[256];
	for (const struct draft *draft = screen->ui.drafts; draft; draft = draft->next)
		drafts += draft_changed(draft);
	if (drafts == 0) {
		quit_now(screen);
		return;
	}
	if (snprintf(text, sizeof(text),
		     "%zu edited preference list%s not submitted. Drafts are kept in memory only: "
		     "quitting loses %s.\n\nQuit all the same?",
		     drafts, drafts == 1 ? " is" : "s are", drafts == 1 ? "it" : "them") < 0)
		return;
	const struct question question = {
		.title = "Quit?", .text = text, .yes = quit_now, .ctx = screen
	};
	screen->ui.push(&screen->ui, &question_pane, &question);
}

static void close_or_quit(void *state)
{
	struct screen *screen = state;
	if (screen->zoomed)
		screen->zoomed = false;
	else
		quit(state);
}

/* --- finding --- */

static void filter_edit(void *state)
{
	struct screen *screen = state;
	screen->ui.push(&screen->ui, &filter_pane, NULL);
}

static void filter_pending(void *state)
{
	struct screen *screen = state;
	screen->ui.pending_only = !screen->ui.pending_only;
	screen_refresh(screen);
}

static void filter_none(void *state)
{
	struct screen *screen = state;
	screen->ui.pending_only = false;
	screen->ui.filter[0] = '\0';
	screen_refresh(screen);
}

static void refresh_now(void *state)
{
	struct screen *screen = state;
	screen_say(screen, STYLE_DIM, "asking AWS again");
	screen->notice.until_ms = clock_mono_ms(screen->env.clock) + ASKING_MS;
	screen->asking = true;
	screen->answers = screen_answers(screen);
	/* Last: the app may have to say that it cannot. */
	screen->env.cloud.refresh(screen->env.cloud.host);
}

/* --- reading --- */

static bool has_selection(struct screen *screen)
{
	if (ui_selected(&screen->ui))
		return true;
	screen_say(screen, STYLE_DIM, "no job is selected");
	return false;
}

static void help(void *state)
{
	struct screen *screen = state;
	const struct key_scope *scope = screen_home[screen_focus(screen)]->scope;
	screen->ui.push(&screen->ui, &help_pane, scope ? scope : &screen_scope);
}

static void describe(void *state)
{
	struct screen *screen = state;
	if (has_selection(screen))
		screen->ui.push(&screen->ui, &description_pane, NULL);
}

static void raw(void *state)
{
	struct screen *screen = state;
	if (has_selection(screen))
		screen->ui.push(&screen->ui, &raw_pane, NULL);
}

static void timeline(void *state)
{
	struct screen *screen = state;
	if (has_selection(screen))
		screen->ui.push(&screen->ui, &timeline_pane, NULL);
}

static void plans(void *state)
{
	struct screen *screen = state;
	screen->ui.push(&screen->ui, &plans_pane, NULL);
}

/* --- changing AWS --- */

static void submit(void *state)
{
	struct screen *screen = state;
	submit_begin(&screen->ui);
}

static void stop_now(void *ctx)
{
	struct screen *screen = ctx;
	char text[NOTICE_SIZE];
	screen->env.cloud.stop(screen->env.cloud.host, screen->stop.kind, screen->stop.name);
	if (snprintf(text, sizeof(text), "stop of %s sent", screen->stop.name) > 0)
		screen_say(screen, STYLE_DIM, text);
}

static void stop_not(void *ctx)
{
	struct screen *screen = ctx;
	char text[NOTICE_SIZE];
	if (snprintf(text, sizeof(text), "not stopped: %s", screen->stop.name) > 0)
		screen_say(screen, STYLE_DIM, text);
}

/* What a stop means for this job, and whether the name is to be typed: a pending job costs nothing
 * by the hour, and a cost that is not known counts as above (product.md). */
static bool add_stakes(const struct screen *screen, const struct job *job, struct buf *out)
{
	struct cost cost = price_job_cost(job, screen->env.region, ui_now_ms(&screen->ui));
	if (job_phase(job) == PHASE_PENDING) {
		buf_add_text(out, "It is pending: it stops before it has cost anything, and loses "
				  "its place in the queue.");
		return false;
	}
	if (job->selected.set)
		buf_addf(out, "It has %lld instance%s of %s", (long long)job->selected.count,
			 job->selected.count == 1 ? "" : "s", job->selected.instance_type);
	else
		buf_add_text(out, "What it runs on is not known");
	if (cost.per_hour.set) {
		buf_add_text(out, " at ");
		words_money(out, cost.per_hour.micro, cost.currency, true);
		buf_add_text(out, " an hour");
	} else {
		buf_add_text(out, ", its cost by the hour is not known");
	}
	if (job->kind == JOB_TRAINING)
		buf_add_text(out, ". The algorithm gets 120 s to end");
	buf_add_text(out, ". What it has not saved is lost.");
	return !cost.per_hour.set || cost.per_hour.micro > screen->env.confirm_above_micro;
}

static void ask_stop(struct screen *screen, const struct job *job)
{
	const char *operation = job->kind == JOB_TRAINING ? "StopTrainingJob" : "StopProcessingJob";
	const char *member = job->kind == JOB_TRAINING ? "TrainingJobName" : "ProcessingJobName";
	struct buf text;
	screen->stop.kind = job->kind;
	memcpy(screen->stop.name, job->name, sizeof(screen->stop.name));
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%s {\"%s\":\"%s\"} is sent to %s (account %s).\n\n", operation, member,
		 job->name, screen->env.region,
		 screen->env.account[0] ? screen->env.account : "not known yet");
	bool type_name = add_stakes(screen, job, &text);
	const struct question question = {
		.title = "Stop the job?",
		.text = text.data,
		.changes_cloud = true,
		.type_name = type_name ? screen->stop.name : NULL,
		.yes = stop_now,
		.no = stop_not,
		.ctx = screen,
	};
	screen->ui.push(&screen->ui, &question_pane, &question);
	buf_release(&text);
}

static void stop(void *state)
{
	struct screen *screen = state;
	if (!has_selection(screen))
		return;
	const struct job *job = ui_selected(&screen->ui);
	if (job_has_ended(job))
		screen_say(screen, STYLE_DIM, "this job has ended already");
	else if (job_phase(job) == PHASE_STOPPING)
		screen_say(screen, STYLE_DIM, "this job is stopping already");
	else
		ask_stop(screen, job);
}

/* Help is first: the footer keeps it in sight on every terminal. */
static const struct key_binding bindings[] = {
	{ .keys = "? F1",
	  .action = "help",
	  .help = "this help",
	  .brief = "help",
	  .flags = KEY_FOOTER,
	  .run = help },
	{ .keys = "f F4 \\",
	  .action = "filter",
	  .help = "filter the jobs by words (!word excludes)",
	  .brief = "filter",
	  .flags = KEY_FOOTER,
	  .run = filter_edit },
	{ .keys = "p",
	  .action = "pending-only",
	  .help = "pending jobs only, or all again",
	  .brief = "pending",
	  .flags = KEY_FOOTER,
	  .run = filter_pending },
	{ .keys = "P F2",
	  .action = "preferences",
	  .help = "edit the preference list of the selected job",
	  .brief = "preferences",
	  .flags = KEY_FOOTER,
	  .run = preferences_focus },
	{ .keys = "X",
	  .action = "submit",
	  .help = "submit a copy of the job with the edited list",
	  .flags = KEY_FOOTER | KEY_CHANGES_CLOUD,
	  .run = submit },
	{ .keys = "S F9",
	  .action = "job-stop",
	  .help = "stop the selected job",
	  .brief = "stop",
	  .flags = KEY_FOOTER | KEY_CHANGES_CLOUD,
	  .run = stop },
	{ .keys = "Tab",
	  .action = "pane-next",
	  .help = "next pane",
	  .brief = "pane",
	  .flags = KEY_FOOTER,
	  .run = pane_next },
	{ .keys = "S-Tab",
	  .action = "pane-previous",
	  .help = "previous pane",
	  .run = pane_previous },
	{ .keys = "1 2 3 4 5 6 7 8 9",
	  .action = "pane-number",
	  .help = "the pane of that number, Jobs is 1",
	  .run = pane_by_number },
	{ .keys = "z",
	  .action = "pane-zoom",
	  .help = "the focused pane alone, or all again",
	  .brief = "zoom",
	  .flags = KEY_FOOTER,
	  .run = pane_zoom },
	{ .keys = "d",
	  .action = "job-describe",
	  .help = "the job's whole description",
	  .brief = "describe",
	  .run = describe },
	{ .keys = "y",
	  .action = "job-raw",
	  .help = "the job as JSON, secrets masked",
	  .brief = "JSON",
	  .run = raw },
	{ .keys = "t",
	  .action = "job-timeline",
	  .help = "the job's transitions and waits",
	  .brief = "timeline",
	  .run = timeline },
	{ .keys = "B",
	  .action = "plans",
	  .help = "the training plans of the region",
	  .brief = "plans",
	  .run = plans },
	{ .keys = "a", .action = "filter-none", .help = "all jobs, no filter", .run = filter_none },
	{ .keys = "r F5", .action = "refresh", .help = "ask AWS now", .run = refresh_now },
	{ .keys = "Esc C-g",
	  .action = "back",
	  .help = "back: out of the zoom, to the job list",
	  .run = back },
	{ .keys = "q",
	  .action = "quit-or-close",
	  .help = "out of the zoom, or quit",
	  .brief = "quit",
	  .flags = KEY_FOOTER,
	  .run = close_or_quit },
	{ .keys = ": F10",
	  .action = "palette",
	  .help = "a command: another profile or region, and others",
	  .brief = "command",
	  .flags = KEY_FOOTER,
	  .run = command_line },
	{ .keys = "Q", .action = "quit", .help = "quit", .run = quit },
	{ .keys = "C-c", .action = "interrupt", .help = "twice: quit at once", .run = interrupt },
	{ 0 },
};

const struct key_scope screen_scope = { .name = "Everywhere", .bindings = bindings };

const struct key_scope *const screen_key_scopes[] = {
	&screen_scope,   &jobs_scope,        &preferences_scope, &details_scope,
	&job_scope,      &pager_scope,       &search_scope,      &filter_scope,
	&picker_scope,   &plan_picker_scope, &limit_scope,       &palette_scope,
	&question_scope, &code_scope,        &submit_scope,      NULL,
};
