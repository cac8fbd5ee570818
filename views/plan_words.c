#include "views/plan_words.h"

#include <inttypes.h>

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

void words_plans_trouble(struct buf *out, const struct ui *ui)
{
	const struct freshness *source = &ui->env->store->sources[SOURCE_PLANS];
	int64_t mono_ms = clock_mono_ms(ui->env->clock);

	if (source->failing) {
		buf_add_text(out, source->loaded ? "plans are stale: " : "plans not read: ");
		words_failure(out, &source->error);
		buf_add_text(out, "; ");
		words_retry(out, source, mono_ms);
	} else if (!source->loaded) {
		buf_add_text(out, "reading the plans ...");
	}
}
