#include "model/plan_start.h"

static const struct plan_start unknown = { .when = PLAN_STARTS_UNKNOWN };
static const struct plan_start never = { .when = PLAN_STARTS_NEVER };
static const struct plan_start unread = { .when = PLAN_STARTS_UNKNOWN, .unread = true };

static bool is_more(int64_t count, struct opt_count of)
{
	return of.set && count > of.n;
}

/* From the window that is to come. */
static struct plan_start start_of(const struct plan_window *window, int64_t count, int64_t now_ms)
{
	if (!window->start.set || window->start.ms <= now_ms || is_more(count, window->total))
		return unknown;
	return (struct plan_start){ .when = PLAN_STARTS_IN, .in_ms = window->start.ms - now_ms };
}

static struct plan_start of_open(const struct plan *plan, const struct plan_window *window,
				 int64_t count, int64_t now_ms)
{
	if (window->start.set && window->start.ms > now_ms)
		return start_of(window, count, now_ms);
	if ((window->end.set && window->end.ms <= now_ms) || !plan->available.set ||
	    count > plan->available.n)
		return unknown;
	return (struct plan_start){ .when = PLAN_STARTS_IN };
}

struct plan_start plan_start(const struct plan *plan, const char *instance_type, int64_t count,
			     int64_t now_ms)
{
	struct plan_window window;
	if (!plan)
		return unread;
	if (!plan->instance_type[0] || count < 1)
		return unknown;
	if (!plan_serves(plan, instance_type) || is_more(count, plan->total))
		return never;
	(void)plan_current_window(plan, now_ms, &window);
	switch (plan_state(plan, now_ms)) {
	case PLAN_EXPIRED:
	case PLAN_FAILED:
		return never;
	case PLAN_ACTIVE:
		return of_open(plan, &window, count, now_ms);
	case PLAN_SCHEDULED:
	case PLAN_BETWEEN:
		return start_of(&window, count, now_ms);
	default:
		return unknown;
	}
}

void plan_start_add_why_not(struct buf *out, struct plan_start start, const struct plan *plan,
			    int64_t now_ms)
{
	enum plan_state state = plan ? plan_state(plan, now_ms) : PLAN_UNKNOWN;
	bool is_over = state == PLAN_EXPIRED || state == PLAN_FAILED;
	if (!plan || !plan->instance_type[0])
		buf_add_text(out, "plan not read");
	else if (start.when == PLAN_STARTS_NEVER && !is_over)
		buf_add_text(out, "plan does not serve it");
	else if (state == PLAN_ACTIVE && plan->available.set)
		buf_add_text(out, "plan full");
	else if (state == PLAN_UNKNOWN)
		buf_addf(out, "plan %s", plan->status ? plan->status : "unknown");
	else
		buf_addf(out, "plan %s", plan_state_word(state));
}
