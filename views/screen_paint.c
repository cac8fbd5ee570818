/* The picture of the screen, and when it changes by time alone. */
#include "views/footer.h"
#include "views/fresh.h"
#include "views/header.h"
#include "views/local.h"
#include "views/screen_state.h"
#include "views/words.h"

#include "model/base/text.h"

#define QUOTAS_TICK_MS 10000 /* ages in minutes */
#define TICK_MOST_MS   60000 /* money so far, ages in minutes */

static void draw_pane(const struct screen *screen, struct surface *out,
		      const struct home_layout *layout, enum home_pane pane)
{
	const struct pane_ops *ops = screen_home[pane];
	struct rect at = layout->panes[pane], inner = layout->framed ? layout_inset(at, 1) : at;
	bool focused = !screen->top && home_focus(layout, screen->focus) == pane;
	struct buf note;
	if (at.w <= 0 || at.h <= 0)
		return;
	/* The note may say how much of the pane is shown, so the frame comes after. */
	if (inner.w > 0 && inner.h > 0)
		ops->draw(screen->panes[pane], out, inner, focused);
	if (layout->framed) {
		buf_init(&note, WORDS_MAX);
		if (ops->note)
			ops->note(screen->panes[pane], &note);
		draw_frame(out, at, ops->title, buf_text(&note), focused);
		buf_release(&note);
	}
}

/* Over the body and the status line: header and footer stay in sight. */
struct rect screen_modal_place(const struct home_layout *layout, const struct pane_ops *ops)
{
	struct rect at = layout->body;
	at.h += layout->status.h;
	return ops->line ? layout->footer : at;
}

static void draw_modal(const struct modal *modal, struct surface *out,
		       const struct home_layout *layout, bool on_top)
{
	modal->ops->draw(modal->state, out, screen_modal_place(layout, modal->ops), on_top);
}

/* The lowest first. */
static void draw_modals(const struct modal *modal, struct surface *out,
			const struct home_layout *layout, bool on_top)
{
	if (!modal)
		return;
	draw_modals(modal->below, out, layout, false);
	draw_modal(modal, out, layout, on_top);
}

static void draw_footer(const struct screen *screen, struct surface *out, struct rect at)
{
	enum home_pane focus = screen_focus(screen);
	const struct pane_ops *ops = screen->top ? screen->top->ops : screen_home[focus];
	const void *state = screen->top ? screen->top->state : screen->panes[focus];
	const struct key_scope *now = ops->footer ? ops->footer(state) : NULL;
	const struct footer_scopes scopes = {
		.focused = now ? now : ops->scope,
		.root = screen->top ? NULL : &screen_scope,
		.urgent = screen->top ? NULL : screen_urgent_scope(&screen->ui),
		.keys = screen->env.keys,
	};
	footer_draw(out, at, &scopes, screen->env.read_only);
}

/* The keys that something under way has stay in sight beside what is said of it. */
static int urgent_columns(const struct screen *screen)
{
	const struct key_scope *urgent = screen->top ? NULL : screen_urgent_scope(&screen->ui);
	return urgent ? footer_columns(urgent, screen->env.keys, screen->env.read_only) : 0;
}

/* A page above the panes lies over the status line too. */
static bool is_covered(const struct screen *screen)
{
	for (const struct modal *modal = screen->top; modal; modal = modal->below)
		if (!modal->ops->line)
			return true;
	return false;
}

/* What happened, else what is wrong; on a small terminal, or below a page, it shares the footer's
 * line. */
static void draw_status(const struct screen *screen, struct surface *out,
			const struct home_layout *layout)
{
	struct rect footer = layout->footer;
	enum style style = screen->notice.style;
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_add_text(&text, screen_notice(screen));
	if (layout->status.h > 0 && !is_covered(screen)) {
		if (text.len == 0) {
			header_add_trouble(&screen->ui, &text);
			style = STYLE_WARNING;
		}
		draw_text(out, layout->status, text.len > 0 ? style : STYLE_TEXT, buf_text(&text));
	} else if (text.len > 0) {
		int columns = text_width(buf_text(&text));
		int room = footer.w - urgent_columns(screen);
		struct rect part = footer;
		part.w = columns < room ? columns + 1 : room; /* and a blank */
		draw_text(out, part, style, buf_text(&text));
		footer.x += part.w;
		footer.w -= part.w;
	}
	if (footer.w > 1)
		draw_footer(screen, out, footer);
	buf_release(&text);
}

static void draw_too_small(struct surface *out, struct rect all)
{
	for (int line = 0; line < all.h; line++)
		draw_text(out, layout_row(all, line), STYLE_TEXT, line == 0 ? "too small" : "");
}

void screen_draw(const struct screen *screen, struct surface *out)
{
	struct rect all = draw_bounds(out);
	*screen->frame = (struct frame){
		.columns = all.w,
		.lines = all.h,
		.of_home = !screen->top,
		.focus = screen->focus,
		.detail = screen->detail,
		.zoomed = screen->zoomed,
	};
	struct home_layout layout = screen_layout(screen);
	if (layout.shape == HOME_TOO_SMALL) {
		draw_too_small(out, all);
		return;
	}
	header_draw(&screen->ui, out, layout.header);
	draw_clear(out, layout.body);
	for (size_t i = 0; i < HOME_PANES; i++)
		draw_pane(screen, out, &layout, (enum home_pane)i);
	draw_status(screen, out, &layout);
	draw_modals(screen->top, out, &layout, true);
}

bool screen_list_will_do(const struct screen *screen)
{
	const struct frame *last = screen->frame;
	return last->of_home && !screen->top && screen_focus(screen) == HOME_JOBS &&
	       last->focus == screen->focus && last->detail == screen->detail &&
	       last->zoomed == screen->zoomed;
}

void screen_draw_list(const struct screen *screen, struct surface *out)
{
	struct home_layout layout = screen_layout(screen);
	struct rect all = draw_bounds(out);
	if (layout.shape == HOME_TOO_SMALL || all.w != screen->frame->columns ||
	    all.h != screen->frame->lines) {
		draw_clear(out, all);
		screen_draw(screen, out);
		return;
	}
	header_draw(&screen->ui, out, layout.header);
	draw_clear(out, layout.panes[HOME_JOBS]);
	draw_pane(screen, out, &layout, HOME_JOBS);
	draw_status(screen, out, &layout);
}

/* --- what is looked at --- */

static bool names_plan(const struct preferences *prefs)
{
	bool found = prefs->job_plan_arn[0] != '\0';
	for (size_t i = 0; i < prefs->length; i++)
		found |= prefs->entries[i].plan_arn[0] != '\0';
	return found;
}

/* The list editor judges the plans that its list names. */
static bool editor_wants_plans(const struct screen *screen)
{
	const struct job *job = ui_subject(&screen->ui);
	const struct draft *draft = job ? draft_find(&screen->ui, job->arn) : NULL;
	struct home_layout layout = screen_layout(screen);
	struct rect at = layout.panes[HOME_PREFERENCES];
	if (!job || job->kind != JOB_TRAINING || at.w <= 0 || at.h <= 0)
		return false;
	return names_plan(draft ? &draft->prefs : job_prefs(job));
}

/* A list is edited, or is about to be: its pane has the keys. */
static bool edits_list(const struct screen *screen)
{
	const struct job *job = ui_selected(&screen->ui);
	return job && (draft_find(&screen->ui, job->arn) ||
		       (!screen->top && screen_focus(screen) == HOME_PREFERENCES));
}

/* What those from modal on down want; the uppermost asks first. */
static void add_wants(const struct modal *modal, struct wants *wants)
{
	for (; modal; modal = modal->below)
		if (modal->ops->wants)
			modal->ops->wants(modal->state, wants);
}

void screen_wants(const struct screen *screen, struct wants *wants)
{
	*wants = (struct wants){ 0 };
	if (screen_layout(screen).shape == HOME_TOO_SMALL)
		return;
	wants->gpus = true; /* the job list marks those that idle */
	add_wants(screen->top, wants);
	if (wants->quota_count == 0 && edits_list(screen))
		ui_want_quotas(&screen->ui, wants);
	if (!screen->top || screen->top->ops->line)
		wants->plans |= editor_wants_plans(screen);
}

/* --- time --- */

static void sooner(int64_t *next_ms, int64_t ms)
{
	if (ms >= 0 && (*next_ms < 0 || ms < *next_ms))
		*next_ms = ms;
}

static int64_t wait_next_ms(const struct job *job, int64_t now_ms)
{
	int64_t wait_ms = 0;
	bool final = false;
	if (job_phase(job) != PHASE_PENDING || !job_wait_ms(job, now_ms, &wait_ms, &final))
		return -1;
	return words_next_change_ms(wait_ms);
}

/* How long the selected job has been where it is. */
static int64_t selected_next_ms(const struct job *job, int64_t now_ms)
{
	struct opt_ms since = job->started;
	if (job_phase(job) != PHASE_RUNNING && job->transition_count > 0)
		since = job_transition(job, job->transition_count - 1).start;
	if (!job_is_live(job) || !since.set)
		return -1;
	return words_next_change_ms(words_span_ms(since.ms, now_ms));
}

/* Of the plans, where they are looked at, else of the job that the panes show; of its tags. */
static int64_t fresh_tick_ms(const struct screen *screen)
{
	struct fresh selected = fresh_of_selected(&screen->ui);
	struct fresh plans = fresh_of_plans(&screen->ui);
	struct fresh tags = fresh_of_tags(&screen->ui);
	struct wants seen = { 0 };
	add_wants(screen->top, &seen);
	int64_t next_ms = fresh_next_ms(seen.plans ? &plans : &selected);
	if (seen.quota_count > 0)
		sooner(&next_ms, QUOTAS_TICK_MS);
	if (seen.tags)
		sooner(&next_ms, fresh_next_ms(&tags));
	return next_ms;
}

int64_t screen_tick_ms(const struct screen *screen)
{
	const struct ui *ui = &screen->ui;
	size_t count;
	const struct job *const *open = store_open_jobs(screen->env.store, &count);
	const struct job *selected = ui_selected(ui);
	int64_t now_ms = ui_now_ms(ui), mono_ms = clock_mono_ms(screen->env.clock);
	int64_t next_ms = header_next_ms(ui);
	if (screen_notice(screen)[0])
		sooner(&next_ms, screen->notice.until_ms - mono_ms);
	for (size_t i = 0; i < count; i++)
		sooner(&next_ms, wait_next_ms(open[i], now_ms));
	if (selected)
		sooner(&next_ms, selected_next_ms(selected, now_ms));
	sooner(&next_ms, local_next_ms(ui));
	sooner(&next_ms, fresh_tick_ms(screen));
	if (next_ms > TICK_MOST_MS)
		next_ms = TICK_MOST_MS;
	return next_ms;
}
