#include "views/plan_words.h"

#include <inttypes.h>
#include <string.h>

#include "views/words.h"

static bool is_full(const struct plan *plan, enum plan_state state)
{
	return state == PLAN_ACTIVE && plan->available.set && plan->available.n == 0;
}

void words_plan_state(struct buf *out, const struct plan *plan, int64_t now_ms)
{
	enum plan_state state = plan_state(plan, now_ms);

	if (state == PLAN_UNKNOWN)
		words_first_line(out, plan->status ? plan->status : "unknown");
	else if (state == PLAN_BETWEEN)
		buf_add_text(out, "between");
	else
		buf_add_text(out, is_full(plan, state) ? "full" : plan_state_word(state));
}

enum style words_plan_style(const struct plan *plan, int64_t now_ms)
{
	enum plan_state state = plan_state(plan, now_ms);

	if (state == PLAN_ACTIVE)
		return is_full(plan, state) ? STYLE_WARNING : STYLE_GOOD;
	return state == PLAN_FAILED ? STYLE_ERROR : STYLE_DIM;
}

static void add_count(struct buf *out, struct opt_count count)
{
	if (count.set)
		buf_addf(out, "%" PRId64, count.n);
	else
		buf_add_char(out, '?');
}

void words_plan_free(struct buf *out, const struct plan *plan)
{
	add_count(out, plan->available);
	buf_add_text(out, " of ");
	add_count(out, plan->total);
	buf_add_text(out, " free");
}

void words_plan_window(struct buf *out, const struct plan *plan, const struct ui *ui)
{
	int64_t now_ms = ui_now_ms(ui);
	bool utc = ui->env->utc;
	struct plan_window window;

	if (!plan_current_window(plan, now_ms, &window)) {
		buf_add_text(out, "times not told");
		return;
	}
	if (window.start.set && window.start.ms > now_ms) {
		buf_add_text(out, "from ");
		words_time(out, window.start.ms, now_ms, utc);
	} else if (window.end.set) {
		buf_add_text(out, window.end.ms > now_ms ? "until " : "ended ");
		words_time(out, window.end.ms, now_ms, utc);
	} else {
		buf_add_text(out, "open end");
	}
}

/* The plan of entry i; *unsure when the job has one, and nobody knows yet for which entry. */
static const char *plan_of(const struct store *store, const struct preferences *prefs, size_t i,
			   bool *unsure)
{
	const struct plan *plan;

	*unsure = false;
	if (!prefs_has_unplaced_plan(prefs))
		return prefs_plan(prefs, i);
	plan = store_find_plan(store, prefs->job_plan_arn);
	*unsure = !plan || !plan->instance_type[0];
	if (*unsure || strcmp(plan->instance_type, prefs->entries[i].instance_type) != 0)
		return "";
	return prefs->job_plan_arn;
}

void words_capacity(struct buf *out, const struct store *store, const struct preferences *prefs,
		    size_t i, bool spot)
{
	bool unsure;
	const char *plan = plan_of(store, prefs, i, &unsure);

	if (plan[0])
		buf_addf(out, "plan %s", words_plan(plan));
	else if (unsure)
		buf_add_text(out, "plan or on-demand");
	else
		buf_add_text(out, spot ? "spot" : "on-demand");
}

static bool is_same(const struct buf *text, const struct store *store, const struct job *job)
{
	struct buf other;
	bool same = true;

	buf_init(&other, WORDS_MAX);
	for (size_t i = 1; same && i < job_prefs(job)->length; i++) {
		buf_clear(&other);
		words_capacity(&other, store, job_prefs(job), i, job->spot);
		same = strcmp(buf_text(&other), buf_text(text)) == 0;
	}
	buf_release(&other);
	return same;
}

void words_job_capacity(struct buf *out, const struct store *store, const struct job *job)
{
	size_t rank = job->selected.set ? job->selected.rank : 0;
	struct buf text;

	buf_init(&text, WORDS_MAX);
	if (job_has_details(job) && job_prefs(job)->length > 0)
		words_capacity(&text, store, job_prefs(job), rank > 0 ? rank - 1 : 0, job->spot);
	if (text.len == 0)
		buf_add_char(out, '?');
	else
		buf_add_text(out,
			     rank > 0 || is_same(&text, store, job) ? buf_text(&text) : "by entry");
	buf_release(&text);
}
