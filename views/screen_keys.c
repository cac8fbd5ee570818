/* The keys of the whole screen, and what they do. */
#include <stdio.h>
#include <string.h>

#include "views/card.h"
#include "views/copy.h"
#include "views/drafting.h"
#include "views/editor.h"
#include "views/requeue.h"
#include "views/screen_state.h"
#include "views/stop.h"
#include "views/words.h"
#include "views/writing.h"

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

/* Once more: the editor on the whole screen. */
static void preferences_focus(void *state)
{
	struct screen *screen = state;
	if (screen_focus(screen) == HOME_PREFERENCES)
		pane_zoom(screen);
	else
		screen_go_to(screen, HOME_PREFERENCES);
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

static void ask_quit(struct screen *screen, const char *why)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%s\n\nQuit all the same?", why);
	const struct question question = {
		.title = "Quit?", .text = text.data, .yes = quit_now, .ctx = screen
	};
	screen->ui.push(&screen->ui, &question_pane, &question);
	buf_release(&text);
}

/* Drafts are kept: only where the disk refuses them is there something to lose. */
static void ask_for_drafts(struct screen *screen, size_t drafts)
{
	const char *trouble = screen->ui.drafts_trouble;
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%zu draft%s not submitted. ", drafts, drafts == 1 ? " is" : "s are");
	buf_addf(&text, "%c%s. Quitting loses what was edited since.",
		 trouble[0] == 'd' ? 'D' : trouble[0], trouble + 1);
	ask_quit(screen, buf_text(&text));
	buf_release(&text);
}

static void quit(void *state)
{
	struct screen *screen = state;
	size_t drafts = 0;
	for (const struct draft *draft = screen->ui.drafts; draft; draft = draft->next)
		drafts += draft_is_kept(draft);
	if (requeue_count(&screen->ui) > 0)
		ask_quit(screen,
			 "A requeue is under way: an old job may be stopped while its new one "
			 "is not there yet. The next gpuq (the dashboard, submit or requeue) goes "
			 "on with it; what is later than a quarter of an hour is asked anew.");
	else if (drafts > 0 && screen->ui.drafts_trouble)
		ask_for_drafts(screen, drafts);
	else
		quit_now(screen);
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
	ui_set_filter(&screen->ui, "");
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

static void reload(void *state)
{
	struct screen *screen = state;
	screen->env.intents.reload(screen->env.intents.host);
}

/* --- reading --- */

static bool has_selection(struct screen *screen)
{
	if (ui_selected(&screen->ui))
		return true;
	screen_say(screen, STYLE_DIM,
		   ui_on_local(&screen->ui) ? "this row is no job: there is nothing at AWS to read"
					    : "no job is selected");
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

/* Of a row that is no job its refusal. */
static void explain_row(void *state)
{
	struct screen *screen = state;
	if (ui_on_local(&screen->ui) || has_selection(screen))
		screen->ui.push(&screen->ui, &explain_pane, NULL);
}

static void logs(void *state)
{
	struct screen *screen = state;
	if (has_selection(screen))
		screen->ui.push(&screen->ui, &logs_pane, NULL);
}

static void hand_over(void *state)
{
	card_copy(&((struct screen *)state)->ui);
}

static void copy_part(void *state)
{
	copy_begin(&((struct screen *)state)->ui);
}

static void write_view(void *state)
{
	writing_begin(&((struct screen *)state)->ui);
}

static void metrics(void *state)
{
	struct screen *screen = state;
	if (has_selection(screen))
		screen->ui.push(&screen->ui, &metrics_pane, NULL);
}

static void plans(void *state)
{
	struct screen *screen = state;
	screen->ui.push(&screen->ui, &plans_pane, NULL);
}

static void history(void *state)
{
	struct screen *screen = state;
	screen->ui.push(&screen->ui, &history_pane, NULL);
}

static void actions(void *state)
{
	struct screen *screen = state;
	screen->ui.push(&screen->ui, &actions_pane, NULL);
}

/* The type that the cursor is about: of the entry in the editor, else of what the job runs on. */
static bool type_in_question(const struct screen *screen, const struct job *job,
			     char type[TYPE_NAME_SIZE])
{
	if (screen_focus(screen) == HOME_PREFERENCES &&
	    editor_type_here(screen->panes[HOME_PREFERENCES], type))
		return true;
	memcpy(type, job->selected.instance_type, TYPE_NAME_SIZE);
	return job->selected.set;
}

static void types(void *state)
{
	struct screen *screen = state;
	const struct job *job = ui_subject(&screen->ui);
	char type[TYPE_NAME_SIZE];
	bool found = job && type_in_question(screen, job, type);
	screen->ui.push(&screen->ui, &types_pane, found ? type : NULL);
}

static void quotas(void *state)
{
	struct screen *screen = state;
	const struct job *job = ui_subject(&screen->ui);
	char type[TYPE_NAME_SIZE];
	struct quota_key here = { .instance_type = type };
	bool found = job && type_in_question(screen, job, type);
	if (found)
		here.kind = quota_kind_of(job->kind, job->spot);
	screen->ui.push(&screen->ui, &quotas_pane, found ? &here : NULL);
}

/* --- drafts --- */

static void clone(void *state)
{
	struct screen *screen = state;
	drafting_clone(&screen->ui);
}

static void open_file(void *state)
{
	struct screen *screen = state;
	drafting_open_file(&screen->ui);
}

static void edit_request(void *state)
{
	struct screen *screen = state;
	drafting_edit_request(&screen->ui);
}

/* --- changing AWS --- */

static void submit(void *state)
{
	struct screen *screen = state;
	submit_begin(&screen->ui);
}

static void withdraw(void *state)
{
	struct screen *screen = state;
	requeue_withdraw_begin(&screen->ui);
}

static void old_list(void *state)
{
	struct screen *screen = state;
	requeue_restore_begin(&screen->ui);
}

static void stop(void *state)
{
	struct screen *screen = state;
	stop_begin(&screen->ui);
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
	  .help = "filter the jobs: words, /re/, wait>2h, !not",
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
	  .help = "edit the preference list; again: full screen",
	  .brief = "preferences",
	  .flags = KEY_FOOTER,
	  .run = preferences_focus },
	{ .keys = "X",
	  .action = "submit",
	  .help = "submit the list; a pending job is requeued",
	  .flags = KEY_FOOTER | KEY_CHANGES_CLOUD,
	  .run = submit },
	{ .keys = "S F9",
	  .action = "job-stop",
	  .help = "stop the selected job, or all that are marked",
	  .brief = "stop",
	  .flags = KEY_FOOTER | KEY_CHANGES_CLOUD,
	  .run = stop },
	{ .keys = "V",
	  .action = "request-withdraw",
	  .help = "take back a requeue, or a submission, that is under way",
	  .brief = "take back",
	  .flags = KEY_CHANGES_CLOUD,
	  .run = withdraw },
	{ .keys = "O",
	  .action = "old-list",
	  .help = "old job stopped, new list refused: a copy with the old one",
	  .brief = "old list",
	  .flags = KEY_CHANGES_CLOUD,
	  .run = old_list },
	{ .keys = "K",
	  .action = "job-clone",
	  .help = "clone the job to a draft with a name of its own",
	  .brief = "clone",
	  .run = clone },
	{ .keys = "A",
	  .action = "draft-new",
	  .help = "a new draft from a request's file",
	  .brief = "from file",
	  .run = open_file },
	{ .keys = "E",
	  .action = "request-edit",
	  .help = "edit the request in $EDITOR",
	  .brief = "editor",
	  .run = edit_request },
	{ .keys = "Tab",
	  .action = "pane-next",
	  .help = "next pane",
	  .brief = "pane",
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
	{ .keys = "x",
	  .action = "job-explain",
	  .help = "why it waits, was refused or ended so, and what to do",
	  .brief = "explain",
	  .flags = KEY_FOOTER,
	  .run = explain_row },
	{ .keys = "L",
	  .action = "job-logs",
	  .help = "what its hosts have written, as it comes",
	  .brief = "logs",
	  .flags = KEY_FOOTER,
	  .run = logs },
	{ .keys = "Y",
	  .action = "job-card",
	  .help = "copy a card of the job in Markdown, to hand it over",
	  .brief = "card",
	  .run = hand_over },
	{ .keys = "C",
	  .action = "job-copy",
	  .help = "copy its name, ARN, console URL, JSON or AWS CLI command",
	  .brief = "copy",
	  .run = copy_part },
	{ .keys = "W",
	  .action = "view-write",
	  .help = "write the job list to a file: csv, json, jsonl, md, txt",
	  .brief = "write",
	  .run = write_view },
	{ .keys = "M",
	  .action = "job-metrics",
	  .help = "how busy its hosts are",
	  .brief = "metrics",
	  .run = metrics },
	{ .keys = "B",
	  .action = "plans",
	  .help = "the training plans of the region",
	  .brief = "plans",
	  .run = plans },
	{ .keys = "% F12",
	  .action = "quotas",
	  .help = "the limits of instance types, and who holds them",
	  .brief = "quotas",
	  .run = quotas },
	{ .keys = "$ F11",
	  .action = "types",
	  .help = "instance types: hardware and prices",
	  .brief = "types",
	  .run = types },
	{ .keys = "H",
	  .action = "history",
	  .help = "how long jobs waited, fell back, ran and what they cost",
	  .brief = "history",
	  .run = history },
	{ .keys = "s",
	  .action = "actions",
	  .help = "what gpuq did here, or tried: results, request ids",
	  .brief = "actions",
	  .run = actions },
	{ .keys = "a", .action = "filter-none", .help = "all jobs, no filter", .run = filter_none },
	{ .keys = "r F5", .action = "refresh", .help = "ask AWS now", .run = refresh_now },
	{ .keys = "C-l",
	  .action = "config-reload",
	  .help = "read the config anew: theme, keys, limits of money",
	  .brief = "reload",
	  .run = reload },
	{ .keys = "Esc C-g",
	  .action = "screen-back",
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
	  .help = "a command (profile, region, ...) or any action by its name",
	  .brief = "command",
	  .flags = KEY_FOOTER,
	  .run = command_line },
	{ .keys = "Q", .action = "quit", .help = "quit", .run = quit },
	{ .keys = "C-c",
	  .action = "interrupt",
	  .help = "twice: quit at once",
	  .flags = KEY_FIXED,
	  .run = interrupt },
	{ 0 },
};

/* Named in the footer while there is something for them to do. */
const struct key_scope *screen_urgent_scope(const struct ui *ui)
{
	static const struct key_binding back[] = { { .keys = "V",
						     .action = "request-withdraw",
						     .brief = "take back",
						     .flags = KEY_FOOTER | KEY_CHANGES_CLOUD,
						     .run = withdraw },
						   { 0 } };
	static const struct key_binding old[] = { { .keys = "O",
						    .action = "old-list",
						    .brief = "old list",
						    .flags = KEY_FOOTER | KEY_CHANGES_CLOUD,
						    .run = old_list },
						  { 0 } };
	static const struct key_scope back_scope = { .name = "Everywhere", .bindings = back };
	static const struct key_scope old_scope = { .name = "Everywhere", .bindings = old };

	if (requeue_may_withdraw(ui))
		return &back_scope;
	return requeue_may_restore(ui) ? &old_scope : NULL;
}

const struct key_scope screen_scope = { .name = "Everywhere", .bindings = bindings };

const struct key_scope *const screen_key_scopes[] = {
	&screen_scope,  &jobs_scope,    &preferences_scope, &details_scope,   &job_scope,
	&pager_scope,   &search_scope,  &filter_scope,      &picker_scope,    &plan_picker_scope,
	&limit_scope,   &palette_scope, &question_scope,    &code_scope,      &submit_scope,
	&quotas_scope,  &types_scope,   &raise_scope,       &line_scope,      &lists_scope,
	&suggest_scope, &history_scope, &logs_scope,        &log_hosts_scope, &explain_scope,
	&metrics_scope, &columns_scope, &find_scope,        &actions_scope,   &copy_scope,
	NULL,
};
