/*
 * Any bytes as a reply that tells of training plans: through the decoders and out again in every
 * format. No count and no fee is negative, windows stand in order, and the reports keep their
 * formats.
 */
#include <string.h>

#include "aws/sagemaker_plans.h"
#include "model/base/attr.h"
#include "tests/fuzz/fuzz.h"

#define OUT_MAX (16u << 20)

static void check_count(struct opt_count count)
{
	assert(count.set ? count.n >= 0 : count.n == 0);
}

static void check_windows(const struct plan *plan, int64_t now_ms)
{
	struct plan_window window;

	assert(plan->window_count <= PLAN_WINDOWS_MAX);
	for (size_t i = 0; i < plan->window_count; i++) {
		check_count(plan->windows[i].total);
		if (i > 0 && plan->windows[i].start.set)
			assert(plan->windows[i - 1].start.set &&
			       plan->windows[i - 1].start.ms <= plan->windows[i].start.ms);
	}
	if (!plan_current_window(plan, now_ms, &window))
		assert(!plan->start.set && !plan->end.set);
}

static void check_plan(const struct plan *plan, int64_t now_ms)
{
	struct plan_fact fact;

	assert(plan->name[0] && plan->arn && plan->status);
	check_count(plan->total);
	check_count(plan->available);
	check_count(plan->in_use);
	assert(!plan->fee.set || plan->fee.micro >= 0);
	assert(plan_state_word(plan_state(plan, now_ms))[0]);
	assert(plan_serves(plan, plan->instance_type) ==
	       (plan->instance_type[0] && (!plan->targets_known || plan->for_training)));
	plan_fact(plan, now_ms, &fact);
	assert(fact.told && strcmp(fact.arn, plan->arn) == 0);
	check_windows(plan, now_ms);
}

static void check_plans(const struct plan *plans, size_t count, size_t salt)
{
	static const int64_t nows_ms[] = { INT64_C(946684800000), INT64_C(1796071688000),
					   INT64_C(4102444799000) };
	struct report_context context = { .region = "us-east-1",
					  .now_ms = nows_ms[salt % ARRAY_LEN(nows_ms)],
					  .utc = salt % 2,
					  .ascii = salt % 4 > 1 };
	struct buf out;

	buf_init(&out, OUT_MAX);
	for (size_t i = 0; i < count; i++)
		check_plan(&plans[i], context.now_ms);
	for (int format = REPORT_TABLE; format <= REPORT_CSV; format++) {
		context.format = (enum report_format)format;
		buf_clear(&out);
		report_plans(&out, &context, plans, count);
		fuzz_want_report(&out, &context, count);
	}
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct plan_page page;
	struct plan plan;
	struct err err = { 0 };

	if (plans_decode_list((const char *)data, size, &page, &err))
		check_plans(page.plans, page.count, size);
	else
		assert(err.code != ERR_NONE && err_text(&err)[0] && page.count == 0);
	plan_page_release(&page);
	err_clear(&err);
	if (plans_decode_describe((const char *)data, size, &plan, &err))
		check_plans(&plan, 1, size);
	else
		assert(err.code != ERR_NONE && err_text(&err)[0] && !plan.arn);
	plan_release(&plan);
	err_clear(&err);
	return 0;
}
