/* What a list can cost, for a question before it is sent. Case 033. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/price.h"
#include "tests/jobs.h"
#include "tests/prices.h"

/* Prices by the hour, us-east-1 Training: ml.g6.48xlarge 16.688, ml.g5.48xlarge 20.36; those of
 * case 033 5.66, 2.518, 3.06, 7.09 and 1.654. */
#define HOUR INT64_C(3600000)
#define PLAN "arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan"

static void assert_money(struct money money, int64_t micro)
{
	assert_true(money.set);
	assert_int_equal(money.micro, micro);
}

/* Case 033: the odd entry is the dearest; 24 h of it are what is confirmed. */
static void stakes__go_from_the_cheapest_to_the_dearest_entry(void **state)
{
	static const char *const types[] = { "ml.g6e.8xlarge", "ml.g6.8xlarge", "ml.g5.8xlarge",
					     "ml.g5.12xlarge", "ml.g6.4xlarge" };
	struct job job = { .prefs.is_list = true };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		add_entry(&job, types[i], 1);
	struct price_stakes range =
		price_list_stakes(&job.prefs, &virginia, JOB_TRAINING, at(24 * HOUR));
	assert_money(range.least, 1654000);
	assert_money(range.most, 7090000);
	assert_int_equal(range.dearest, 3);
	assert_money(range.worst_case, 170160000); /* 7.09 x 24 */
	assert_int_equal(range.unpriced, 0);
	assert_false(range.on_demand.set);
	assert_string_equal(range.currency, "USD");
	assert_int_equal(range.source, PRICE_TABLE);
	assert_string_equal(range.date, "2026-04-21");
	/* One without a price: the others still have theirs, but there is no worst case. */
	memcpy(job.prefs.entries[1].instance_type, "ml.zz", sizeof("ml.zz"));
	range = price_list_stakes(&job.prefs, &virginia, JOB_TRAINING, at(24 * HOUR));
	assert_int_equal(range.unpriced, 2);
	assert_money(range.most, 7090000);
	assert_false(range.worst_case.set);
	job.prefs.length = 0;
	range = price_list_stakes(&job.prefs, &virginia, JOB_TRAINING, at(24 * HOUR));
	assert_false(range.least.set || range.most.set || range.worst_case.set);
	assert_null(range.currency);
}

/* A plan that is busy is not waited for when a later entry fits: facts/sagemaker.md. */
static void stakes__tell_what_may_start_on_demand__beside_a_plan(void **state)
{
	struct job job = { .prefs.is_list = true }; /* 33.376 and 81.44 by the hour */
	(void)state;
	add_entry(&job, "ml.g6.48xlarge", 2);
	add_entry(&job, "ml.g5.48xlarge", 4);
	memcpy(job.prefs.entries[1].plan_arn, PLAN, sizeof(PLAN));
	struct price_stakes range =
		price_list_stakes(&job.prefs, &virginia, JOB_TRAINING, at(HOUR));
	assert_money(range.least, 0);
	assert_money(range.most, 33376000);
	assert_money(range.on_demand, 33376000);
	memcpy(job.prefs.entries[0].plan_arn, PLAN, sizeof(PLAN));
	range = price_list_stakes(&job.prefs, &virginia, JOB_TRAINING, at(HOUR));
	assert_money(range.most, 0);
	assert_false(range.on_demand.set);
	/* A plan of the job serves one of them, and which is not known: up to the dearest. */
	job.prefs.entries[0].plan_arn[0] = job.prefs.entries[1].plan_arn[0] = '\0';
	memcpy(job.prefs.job_plan_arn, PLAN, sizeof(PLAN));
	range = price_list_stakes(&job.prefs, &virginia, JOB_TRAINING, at(HOUR));
	assert_money(range.on_demand, 81440000);
	/* Groups all run at once. */
	job.prefs.job_plan_arn[0] = '\0';
	job.prefs.is_list = false;
	range = price_list_stakes(&job.prefs, &virginia, JOB_TRAINING, at(HOUR));
	assert_money(range.least, 114816000);
	assert_money(range.most, 114816000);
	assert_money(range.worst_case, 114816000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stakes__go_from_the_cheapest_to_the_dearest_entry),
		cmocka_unit_test(stakes__tell_what_may_start_on_demand__beside_a_plan),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
