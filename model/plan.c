#include "model/plan.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

void plan_release(struct plan *plan)
{
	if (!plan)
		return;
	free(plan->arn);
	free(plan->status);
	free(plan->status_message);
	free(plan->windows);
	*plan = (struct plan){ 0 };
}

void plan_list_free(struct plan *plans, size_t count)
{
	for (size_t i = 0; i < count; i++)
		plan_release(&plans[i]);
	free(plans);
}

static bool starts_before(const struct plan_window *a, const struct plan_window *b)
{
	return a->start.set && (!b->start.set || a->start.ms < b->start.ms);
}

const struct plan *plan_find(const struct plan *plans, size_t count, const char *arn)
{
	for (size_t i = 0; arn && i < count; i++)
		if (strcmp(plans[i].arn, arn) == 0)
			return &plans[i];
	return NULL;
}

void plan_add_window(struct plan *plan, const struct plan_window *window)
{
	size_t at = plan->window_count;
	if (plan->window_count == PLAN_WINDOWS_MAX) {
		plan->windows_cut = true;
		return;
	}
	if (!plan->windows)
		plan->windows = mem_new(PLAN_WINDOWS_MAX, sizeof(*plan->windows));
	for (; at > 0 && starts_before(window, &plan->windows[at - 1]); at--)
		plan->windows[at] = plan->windows[at - 1];
	plan->windows[at] = *window;
	plan->window_count++;
}

static bool is_over(const struct plan_window *window, int64_t now_ms)
{
	return window->end.set && window->end.ms <= now_ms;
}

static bool is_open(const struct plan_window *window, int64_t now_ms)
{
	return window->start.set && window->start.ms <= now_ms && !is_over(window, now_ms);
}

static bool is_to_come(const struct plan_window *window, int64_t now_ms)
{
	return window->start.set && window->start.ms > now_ms;
}

/* One window is over, another one to come and none open. */
static bool is_between(const struct plan *plan, int64_t now_ms)
{
	bool over = false, to_come = false;
	for (size_t i = 0; i < plan->window_count; i++) {
		if (is_open(&plan->windows[i], now_ms))
			return false;
		over |= is_over(&plan->windows[i], now_ms);
		to_come |= is_to_come(&plan->windows[i], now_ms);
	}
	return over && to_come;
}

enum plan_state plan_state(const struct plan *plan, int64_t now_ms)
{
	static const struct {
		const char *word;
		enum plan_state state;
	} words[] = {
		{ "Pending", PLAN_PENDING }, { "Scheduled", PLAN_SCHEDULED },
		{ "Active", PLAN_ACTIVE },   { "Expired", PLAN_EXPIRED },
		{ "Failed", PLAN_FAILED },
	};
	enum plan_state state = PLAN_UNKNOWN;
	for (size_t i = 0; plan->status && i < ARRAY_LEN(words); i++)
		if (strcmp(plan->status, words[i].word) == 0)
			state = words[i].state;
	if ((state == PLAN_ACTIVE || state == PLAN_SCHEDULED) && is_between(plan, now_ms))
		return PLAN_BETWEEN;
	return state;
}

const char *plan_state_word(enum plan_state state)
{
	static const char *const words[] = {
		[PLAN_UNKNOWN] = "unknown",         [PLAN_PENDING] = "pending",
		[PLAN_SCHEDULED] = "scheduled",     [PLAN_ACTIVE] = "active",
		[PLAN_BETWEEN] = "between-windows", [PLAN_EXPIRED] = "expired",
		[PLAN_FAILED] = "failed",
	};
	return words[state];
}

bool plan_current_window(const struct plan *plan, int64_t now_ms, struct plan_window *window)
{
	const struct plan_window *next = NULL;
	for (size_t i = 0; i < plan->window_count; i++) {
		const struct plan_window *at = &plan->windows[i];
		if (is_open(at, now_ms)) {
			*window = *at;
			return true;
		}
		if (!next && is_to_come(at, now_ms))
			next = at;
	}
	if (!next && plan->window_count > 0)
		next = &plan->windows[plan->window_count - 1];
	if (next && (next->start.set || next->end.set)) {
		*window = *next;
		return true;
	}
	*window = (struct plan_window){ .start = plan->start,
					.end = plan->end,
					.total = plan->total };
	return plan->start.set || plan->end.set;
}

bool plan_serves(const struct plan *plan, const char *instance_type)
{
	return (plan->for_training || !plan->targets_known) && plan->instance_type[0] &&
	       strcmp(plan->instance_type, instance_type) == 0;
}

void plan_fact(const struct plan *plan, int64_t now_ms, struct plan_fact *fact)
{
	struct plan_window window;
	*fact = (struct plan_fact){
		.arn = plan->arn,
		.instance_type = plan->instance_type[0] ? plan->instance_type : NULL,
		.told = true,
		.state = plan_state(plan, now_ms),
		.status = plan->status,
		.total = plan->total,
		.available = plan->available,
		.not_for_training = plan->targets_known && !plan->for_training,
	};
	if (plan_current_window(plan, now_ms, &window) && is_to_come(&window, now_ms))
		fact->starts = window.start;
}
