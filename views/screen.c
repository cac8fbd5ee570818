#include "views/screen_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/arn.h"
#include "model/base/mem.h"
#include "views/counts.h"
#include "views/prospect.h"
#include "views/requeue.h"
#include "views/stop.h"
#include "views/words.h"
#include "views/writing.h"

#define INTERRUPT_TWICE_MS 2000
#define NOTICE_MS          30000
#define STRAY_MS           500  /* between two letters of a word that is typed */
#define NOTICE_READ_MS     5000 /* what AWS answered is in sight so long, whatever is typed */
/* Before the first frame: as large a terminal as any, so that every pane can have the keys. */
#define FIRST_COLUMNS HOME_FULL_COLUMNS
#define FIRST_LINES   HOME_FULL_LINES

const struct pane_ops *const screen_home[HOME_PANES] = {
	[HOME_JOBS] = &jobs_pane,   [HOME_PREFERENCES] = &preferences_pane,
	[HOME_QUEUE] = &queue_pane, [HOME_SELECTED] = &selected_pane,
	[HOME_WAIT] = &wait_pane,   [HOME_COST] = &cost_pane,
};

/* --- shared by the panes --- */

const struct job *ui_selected(const struct ui *ui)
{
	return ui->selected_arn ? store_find(ui->env->store, ui->selected_arn) : NULL;
}

int64_t ui_now_ms(const struct ui *ui)
{
	return store_now_ms(ui->env->store, ui->env->clock);
}

static void push(struct ui *ui, const struct pane_ops *ops, const void *argument)
{
	struct screen *screen = ui->screen;
	struct modal *modal = mem_new(1, sizeof(*modal));
	modal->ops = ops;
	modal->state = mem_new(1, ops->state_size);
	modal->below = screen->top;
	screen->top = modal;
	ops->open(modal->state, ui, argument);
}

static void pop(struct ui *ui)
{
	struct screen *screen = ui->screen;
	struct modal *modal = screen->top;
	if (!modal)
		return;
	screen->top = modal->below;
	modal->below = screen->dead;
	screen->dead = modal;
}

static void bury(struct screen *screen)
{
	while (screen->dead) {
		struct modal *modal = screen->dead;
		screen->dead = modal->below;
		if (modal->ops->close)
			modal->ops->close(modal->state);
		free(modal->state);
		free(modal);
	}
}

static void say(struct ui *ui, enum style style, const char *text)
{
	screen_say(ui->screen, style, text);
}

static void changed(struct ui *ui)
{
	screen_refresh(ui->screen);
}

static void select_job(struct ui *ui, const char *arn)
{
	struct screen *screen = ui->screen;
	const struct cloud_intents *cloud = &screen->env.cloud;
	if (arn == ui->selected_arn ||
	    (arn && ui->selected_arn && strcmp(arn, ui->selected_arn) == 0))
		return;
	bool is_row = arn && strncmp(arn, DRAFT_KEY, strlen(DRAFT_KEY)) == 0;
	if (arn && !is_row && !store_find(ui->env->store, arn)) {
		mem_set_text(&ui->awaited_arn, arn); /* just submitted: in no list yet */
		return;
	}
	char *copy = mem_copy_text(arn);
	free(ui->selected_arn);
	ui->selected_arn = copy;
	cloud->select(cloud->host, is_row ? NULL : copy);
	screen_refresh(screen);
}

size_t ui_list_quotas(const struct ui *ui, struct quota_key *keys, size_t count, size_t max)
{
	const struct job *job = ui_subject(ui);
	const struct draft *draft = job ? draft_find(ui, job->arn) : NULL;
	if (!job || !job_has_details(job))
		return count;
	return quota_keys_of_list(keys, count, max, draft ? &draft->prefs : job_prefs(job),
				  quota_kind_of(job->kind, job->spot), job->keep_alive_seconds > 0);
}

void ui_want_quotas(const struct ui *ui, struct wants *wants)
{
	wants->quota_count = ui_list_quotas(ui, wants->quotas, wants->quota_count, QUOTA_KEYS_MAX);
}

static void edit_list(struct ui *ui)
{
	screen_go_to(ui->screen, HOME_PREFERENCES);
}

static const void *in_sight(const struct ui *ui, const struct pane_ops **ops)
{
	const struct screen *screen = ui->screen;
	*ops = screen->top ? screen->top->ops : screen_home[HOME_JOBS];
	return screen->top ? screen->top->state : screen->panes[HOME_JOBS];
}

/* --- life --- */

static void open_panes(struct screen *screen)
{
	for (size_t i = 0; i < HOME_PANES; i++) {
		screen->panes[i] = mem_new(1, screen_home[i]->state_size);
		screen_home[i]->open(screen->panes[i], &screen->ui, NULL);
	}
}

static void close_panes(struct screen *screen)
{
	for (size_t i = 0; i < HOME_PANES; i++) {
		if (screen_home[i]->close)
			screen_home[i]->close(screen->panes[i]);
		free(screen->panes[i]);
	}
}

struct screen *screen_new(const struct view_env *env)
{
	struct screen *screen = mem_new(1, sizeof(*screen));
	screen->env = *env;
	screen->frame = mem_new(1, sizeof(*screen->frame));
	*screen->frame = (struct frame){ .columns = FIRST_COLUMNS, .lines = FIRST_LINES };
	screen->detail = HOME_QUEUE;
	screen->held = HOME_PANES;
	screen->ui = (struct ui){
		.env = &screen->env,
		.push = push,
		.pop = pop,
		.say = say,
		.select = select_job,
		.changed = changed,
		.mouse = env->mouse,
		.act = screen_act,
		.edit_list = edit_list,
		.in_sight = in_sight,
		.screen = screen,
	};
	open_panes(screen);
	screen_refresh(screen);
	return screen;
}

void screen_free(struct screen *screen)
{
	if (!screen)
		return;
	while (screen->top)
		pop(&screen->ui);
	bury(screen);
	close_panes(screen);
	drafts_release(&screen->ui);
	marks_clear(&screen->ui.marks);
	marks_clear(&screen->ui.pins);
	free(screen->ui.followed_arn);
	stop_forget(&screen->ui);
	requeue_forget(&screen->ui);
	prospects_forget(&screen->ui);
	counts_forget(&screen->ui);
	writing_forget(&screen->ui);
	filter_free(screen->ui.terms);
	past_release(&screen->ui.filters);
	past_release(&screen->ui.finds);
	past_release(&screen->ui.commands);
	free(screen->ui.selected_arn);
	free(screen->ui.awaited_arn);
	for (size_t i = 0; i < UI_LEFT_MAX; i++)
		free(screen->ui.left_arns[i]);
	free(screen->code.profile);
	free(screen->code.serial);
	free(screen->frame);
	free(screen);
}

uint64_t screen_answers(const struct screen *screen)
{
	uint64_t sum = 0;
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++) {
		const struct freshness *source = &screen->env.store->sources[i];
		sum += (uint64_t)source->loaded_mono_ms;
		sum += source->failing ? (uint64_t)source->retry_mono_ms : 0;
	}
	return sum;
}

/* Where jobs have come into sight: the one that was selected when their place was left. */
static void await_left(struct ui *ui)
{
	const struct store *store = ui->env->store;
	for (size_t i = 0; store->count > 0 && i < UI_LEFT_MAX; i++) {
		if (!arn_same_place(store_at(store, 0)->arn, ui->left_arns[i]))
			continue;
		free(ui->awaited_arn);
		ui->awaited_arn = ui->left_arns[i];
		ui->left_arns[i] = NULL;
	}
}

void screen_refresh(struct screen *screen)
{
	await_left(&screen->ui);
	drafts_take_texts(&screen->ui);
	drafts_tell(&screen->ui);
	if (screen->asking && screen_answers(screen) != screen->answers) {
		screen->asking = false;
		screen->notice.text[0] = '\0';
	}
	/* The job list first: it may select another job, which the others then show. */
	for (size_t i = 0; i < HOME_PANES; i++)
		if (screen_home[i]->refresh)
			screen_home[i]->refresh(screen->panes[i]);
	for (struct modal *modal = screen->top; modal; modal = modal->below)
		if (modal->ops->refresh)
			modal->ops->refresh(modal->state);
}

/* --- to another place --- */

/* The last row is given up when there are as many places. */
static void note_left(struct ui *ui)
{
	size_t at = 0;
	if (!ui->selected_arn)
		return;
	while (at < UI_LEFT_MAX - 1 && ui->left_arns[at])
		at++;
	free(ui->left_arns[at]);
	ui->left_arns[at] = ui->selected_arn;
	ui->selected_arn = NULL;
}

void screen_move(struct screen *screen, const struct view_env *env)
{
	struct ui *ui = &screen->ui;
	while (screen->top)
		pop(ui);
	note_left(ui);
	marks_clear(&ui->marks);
	marks_clear(&ui->pins);
	mem_set_text(&ui->followed_arn, NULL);
	stop_forget(ui);
	requeue_forget(ui);
	prospects_forget(ui);
	counts_forget(ui);
	writing_forget(ui);
	mem_set_text(&ui->awaited_arn, NULL);
	ui->touched = false;
	screen->env = *env;
	screen->asking = false;
	screen->notice.text[0] = '\0';
	close_panes(screen);
	open_panes(screen);
	screen_refresh(screen);
}

void screen_reload(struct screen *screen, const struct view_env *env)
{
	screen->env = *env;
	prospects_forget(&screen->ui);
	screen_refresh(screen);
}

bool screen_idle(struct screen *screen)
{
	const struct modal *top = screen->top;
	return (top && top->ops->idle && top->ops->idle(top->state)) ||
	       prospects_learn(&screen->ui);
}

const struct stuck_past *screen_usual_waits(const struct screen *screen)
{
	return prospect_waits(&screen->ui);
}

/* --- what is in sight --- */

struct home_layout screen_layout(const struct screen *screen)
{
	const struct home_wish wish = {
		.columns = screen->frame->columns,
		.lines = screen->frame->lines,
		.focus = screen->focus,
		.detail = screen->detail,
		.zoomed = screen->zoomed,
	};
	return home_arrange(&wish);
}

enum home_pane screen_focus(const struct screen *screen)
{
	struct home_layout layout = screen_layout(screen);
	return home_focus(&layout, screen->focus);
}

void screen_say(struct screen *screen, enum style style, const char *text)
{
	screen->asking = false;
	screen->notice.style = style;
	screen->notice.since_ms = clock_mono_ms(screen->env.clock);
	screen->notice.until_ms = screen->notice.since_ms + NOTICE_MS;
	screen->notice.of_key = screen->handling;
	(void)snprintf(screen->notice.text, NOTICE_SIZE, "%s", text); /* a cut line is a line */
}

const char *screen_notice(const struct screen *screen)
{
	bool over = clock_mono_ms(screen->env.clock) >= screen->notice.until_ms;
	return over ? "" : screen->notice.text;
}

/* --- the code of an MFA device --- */

static void on_code(void *ctx, const char *code)
{
	struct screen *screen = ctx;
	const struct cloud_intents *cloud = &screen->env.cloud;
	mem_set_text(&screen->code.profile, NULL);
	if (code)
		screen_say(screen, STYLE_DIM, "the code is sent");
	else
		screen_say(screen, STYLE_WARNING, "no code was given: r asks for it again");
	cloud->code(cloud->host, code);
}

/* Nothing opens above what takes keys as they come: an answer, a word being typed. */
static void open_code(struct screen *screen)
{
	const struct modal *top = screen->top;
	const struct code_argument argument = { .profile = screen->code.profile,
						.serial = screen->code.serial,
						.answered = on_code,
						.ctx = screen };
	if (screen->code.profile && !(top && top->ops->feed))
		push(&screen->ui, &code_pane, &argument);
}

void screen_ask_code(struct screen *screen, const char *profile, const char *serial)
{
	if (screen->top && screen->top->ops == &code_pane)
		pop(&screen->ui);
	mem_set_text(&screen->code.profile, profile);
	mem_set_text(&screen->code.serial, serial);
	open_code(screen);
}

/* --- keys --- */

static bool is_ctrl(struct key key, char letter)
{
	return key.code == (uint32_t)letter && key.mods == KEY_CTRL;
}

/* C-c twice in a row quits, whatever is open and whatever it would ask. */
static bool is_second_interrupt(struct screen *screen, struct key key)
{
	int64_t now_ms = clock_mono_ms(screen->env.clock);
	bool before = screen->interrupted && now_ms - screen->interrupted_ms <= INTERRUPT_TWICE_MS;
	screen->interrupted = is_ctrl(key, 'c');
	screen->interrupted_ms = now_ms;
	return before && screen->interrupted;
}

void screen_say_read_only(struct screen *screen, const struct key_binding *row)
{
	char text[NOTICE_SIZE];
	if (snprintf(text, sizeof(text), "read-only: no key changes AWS (%s)",
		     row->brief ? row->brief : row->action) > 0)
		screen_say(screen, STYLE_WARNING, text);
}

/* Runs the key's row of a scope; true when it has one. */
static bool run_in(struct screen *screen, const struct key_scope *scope, void *state)
{
	bool read_only = screen->env.read_only;
	const struct key_binding *row = NULL;
	if (!scope)
		return false;
	screen->key = keymap_translate(screen->env.keys, scope->bindings, screen->pressed);
	row = keys_find(scope->bindings, screen->key, read_only);
	if (row) {
		row->run(state);
		return true;
	}
	row = read_only ? keys_find(scope->bindings, screen->key, false) : NULL;
	if (row)
		screen_say_read_only(screen, row);
	return row != NULL;
}

/* What was pressed, as the scope's own table has it. */
static struct key key_of(const struct screen *screen, const struct key_scope *scope)
{
	return keymap_translate(screen->env.keys, scope ? scope->bindings : NULL, screen->pressed);
}

/* The command line opens above what is read, never where a word or an answer is typed. */
static bool opens_palette(const struct screen *screen, const struct pane_ops *ops)
{
	struct key key = key_of(screen, &screen_scope);
	const struct key_binding *row = keys_find(screen_scope.bindings, key, false);
	return row && strcmp(row->action, "palette") == 0 && ops->scope && !ops->scope->answers &&
	       !keys_typed_in(ops->scope);
}

static void feed_modal(struct screen *screen, struct modal *modal, const char *paste)
{
	const struct pane_ops *ops = modal->ops;
	if (ops->feed && ops->feed(modal->state, key_of(screen, ops->scope), paste))
		return;
	bool run = false;
	for (const struct key_scope *scope = ops->scope; scope && !run; scope = scope->parent)
		run = run_in(screen, scope, modal->state);
	if (!run && opens_palette(screen, ops))
		push(&screen->ui, &palette_pane, NULL);
	else if (!run && (is_ctrl(screen->pressed, 'c') || is_ctrl(screen->pressed, 'g')))
		pop(&screen->ui);
}

static void feed_home(struct screen *screen, const char *paste)
{
	enum home_pane focus = screen_focus(screen);
	const struct pane_ops *ops = screen_home[focus];
	void *state = screen->panes[focus];
	if (ops->feed && ops->feed(state, key_of(screen, ops->scope), paste))
		return;
	if (!run_in(screen, ops->scope, state))
		(void)run_in(screen, &screen_scope, screen);
}

void screen_after_input(struct screen *screen)
{
	bury(screen);
	open_code(screen);
	drafts_tell(&screen->ui);
}

/* A letter that answered a question with No may be the first of a job's name, typed where y was
 * enough: the rest is no command. */
static bool begins_stray(const struct modal *asked, struct key key)
{
	bool asks = asked && (asked->ops == &question_pane || asked->ops == &submit_pane);
	return asks && key.mods == 0 && key.code > ' ' && key.code < 0x7f && key.code != 'n' &&
	       key.code != 'q' && !keys_find(asked->ops->scope->bindings, key, false);
}

static bool is_stray(struct screen *screen, struct key key)
{
	int64_t now_ms = clock_mono_ms(screen->env.clock);
	bool typed = key.mods == 0 && key.code >= ' ' && key.code < 0x7f;
	bool stray = screen->stray_ms > 0 && typed && now_ms - screen->stray_ms < STRAY_MS;
	screen->stray_ms = stray ? now_ms : 0;
	return stray;
}

/* What was said before the last key may be wrong after this one, and hides keys in the footer. */
static void drop_read_notice(struct screen *screen)
{
	int64_t shown_ms = clock_mono_ms(screen->env.clock) - screen->notice.since_ms;
	if (screen->notice.of_key || shown_ms >= NOTICE_READ_MS)
		screen->notice.text[0] = '\0';
}

void screen_key(struct screen *screen, struct key key, const char *paste)
{
	if (is_second_interrupt(screen, key)) {
		screen->env.intents.quit(screen->env.intents.host);
		return;
	}
	/* Nobody answers a question that is not in sight. */
	if (screen_layout(screen).shape == HOME_TOO_SMALL || is_stray(screen, key))
		return;
	const struct modal *asked = screen->top;
	bool begins = begins_stray(asked, key);
	screen->pressed = screen->key = key;
	screen->ui.touched = true;
	drop_read_notice(screen);
	screen->handling = true;
	if (screen->top)
		feed_modal(screen, screen->top, paste);
	else
		feed_home(screen, paste);
	screen->handling = false;
	if (begins && screen->top != asked)
		screen->stray_ms = clock_mono_ms(screen->env.clock);
	screen_after_input(screen);
}

/* --- answers --- */

void screen_submitted(struct screen *screen, const char *name, const char *arn,
		      const struct err *err)
{
	submit_pane_result(&screen->ui, name, arn, err);
	screen_after_input(screen);
}

void screen_requeued(struct screen *screen, const struct requeue_told *told)
{
	requeue_tell(&screen->ui, told, screen->top == NULL);
	bury(screen);
	open_code(screen);
}

void screen_stopped(struct screen *screen, const struct stop_result *result)
{
	stop_tell(&screen->ui, result, screen->top == NULL);
}

void screen_quota_raised(struct screen *screen, const struct quota_raise *raise,
			 const struct quota_raised *raised, const struct err *err)
{
	raise_result(&screen->ui, raise, raised, err);
}
