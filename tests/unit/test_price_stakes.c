/* What a list can cost before it is sent (case 033); likely costs, warm pools, the price list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/price.h"
#include "model/spend.h"
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
	struct job job = { 0 };
	(void)state;
	job_edit_prefs(&job)->is_list = true;
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		add_entry(&job, types[i], 1);
	struct price_stakes range =
		price_list_stakes(job_prefs(&job), &virginia, JOB_TRAINING, at(24 * HOUR));
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
	memcpy(job_edit_prefs(&job)->entries[1].instance_type, "ml.zz", sizeof("ml.zz"));
	range = price_list_stakes(job_prefs(&job), &virginia, JOB_TRAINING, at(24 * HOUR));
	assert_int_equal(range.unpriced, 2);
	assert_money(range.most, 7090000);
	assert_false(range.worst_case.set);
	job_edit_prefs(&job)->length = 0;
	range = price_list_stakes(job_prefs(&job), &virginia, JOB_TRAINING, at(24 * HOUR));
	assert_false(range.least.set || range.most.set || range.worst_case.set);
	assert_null(range.currency);
	job_release(&job);
}

/* A plan that is busy is not waited for when a later entry fits: facts/sagemaker.md. */
static void stakes__tell_what_may_start_on_demand__beside_a_plan(void **state)
{
	struct job job = { 0 }; /* 33.376 and 81.44 by the hour */
	(void)state;
	job_edit_prefs(&job)->is_list = true;
	add_entry(&job, "ml.g6.48xlarge", 2);
	add_entry(&job, "ml.g5.48xlarge", 4);
	memcpy(job_edit_prefs(&job)->entries[1].plan_arn, PLAN, sizeof(PLAN));
	struct price_stakes range =
		price_list_stakes(job_prefs(&job), &virginia, JOB_TRAINING, at(HOUR));
	assert_money(range.least, 0);
	assert_money(range.most, 33376000);
	assert_money(range.on_demand, 33376000);
	memcpy(job_edit_prefs(&job)->entries[0].plan_arn, PLAN, sizeof(PLAN));
	range = price_list_stakes(job_prefs(&job), &virginia, JOB_TRAINING, at(HOUR));
	assert_money(range.most, 0);
	assert_false(range.on_demand.set);
	/* A plan of the job serves one of them, and which is not known: up to the dearest. */
	job_edit_prefs(&job)->entries[0].plan_arn[0] =
		job_edit_prefs(&job)->entries[1].plan_arn[0] = '\0';
	memcpy(job_edit_prefs(&job)->job_plan_arn, PLAN, sizeof(PLAN));
	range = price_list_stakes(job_prefs(&job), &virginia, JOB_TRAINING, at(HOUR));
	assert_money(range.on_demand, 81440000);
	/* Groups all run at once. */
	job_edit_prefs(&job)->job_plan_arn[0] = '\0';
	job_edit_prefs(&job)->is_list = false;
	range = price_list_stakes(job_prefs(&job), &virginia, JOB_TRAINING, at(HOUR));
	assert_money(range.least, 114816000);
	assert_money(range.most, 114816000);
	assert_money(range.worst_case, 114816000);
	job_release(&job);
}

/* ml.g6.48xlarge x2 before ml.g5.48xlarge x4: 33.376 and 81.44 an hour. */
static struct job list_job(const char *secondary)
{
	struct job job = described_job("list", 0, "InProgress", secondary);
	job_edit_prefs(&job)->is_list = true;
	job_edit_prefs(&job)->length = 0;
	add_entry(&job, "ml.g6.48xlarge", 2);
	add_entry(&job, "ml.g5.48xlarge", 4);
	return job;
}

/* 81.44 an hour: 3 h are 244.32. */
static void likely__is_of_the_choice__for_a_time_that_is_known(void **state)
{
	struct job job = list_job("Training");
	struct opt_ms unknown = { 0 };

	(void)state;
	job.selected = (struct selected){ true, "ml.g5.48xlarge", 4, 0 };
	job_settle_selection(&job);
	job.started = at(HOUR);
	assert_money(price_job_likely(&job, &virginia, at(3 * HOUR), 2 * HOUR), 244320000);
	/* It has run longer already: four hours are 325.76. */
	assert_money(price_job_likely(&job, &virginia, at(3 * HOUR), 5 * HOUR), 325760000);
	assert_false(price_job_likely(&job, &virginia, unknown, 2 * HOUR).set);
	assert_false(price_job_likely(&job, &(struct price_book){ 0 }, at(HOUR), 2 * HOUR).set);
	/* AWS bills a part of a spot job's time that nobody knows before. */
	job.spot = true;
	assert_false(price_job_likely(&job, &virginia, at(3 * HOUR), 2 * HOUR).set);
	job.spot = false;
	/* Which entry a list that waits will run on is open; one choice is one. */
	job.selected = (struct selected){ 0 };
	assert_false(price_job_likely(&job, &virginia, at(3 * HOUR), 2 * HOUR).set);
	struct job one = described_job("one", 0, "InProgress", "Pending"); /* 2 x 25.251 */
	assert_money(price_job_likely(&one, &virginia, at(2 * HOUR), HOUR), 101004000);
	/* What a plan has paid for costs nothing more. */
	snprintf(job_edit_prefs(&one)->job_plan_arn, sizeof(job_edit_prefs(&one)->job_plan_arn),
		 "%s", PLAN);
	assert_money(price_job_likely(&one, &virginia, at(2 * HOUR), HOUR), 0);
	job_release(&one);
	job_release(&job);
}

/* 2 x 25.251 by the hour from the end on, for the ten minutes that were asked for. */
static void pool__costs_while_it_stands__and_no_longer(void **state)
{
	struct job job = described_job("done", 0, "Completed", "Completed");

	(void)state;
	job.started = at(HOUR);
	job.ended = at(2 * HOUR);
	job.keep_alive_seconds = 600;
	job_settle_selection(&job);
	assert_false(price_pool_per_hour(&job, &virginia, 2 * HOUR + 60000).set);
	job.pool.status = mem_copy_text("Available");
	assert_money(price_pool_per_hour(&job, &virginia, 2 * HOUR + 60000), 50502000);
	/* A minute is 0.8417. */
	assert_money(price_job_cost(&job, &virginia, 2 * HOUR + 60000).retained, 841700);
	assert_false(price_pool_per_hour(&job, &virginia, 2 * HOUR + 600000).set);
	/* What AWS tells is better than the clock: 69 s are 0.967955. */
	job.pool.retained = at(69000);
	assert_money(price_job_cost(&job, &virginia, 2 * HOUR + 60000).retained, 967955);
	mem_set_text(&job.pool.status, "Reused");
	assert_false(price_pool_per_hour(&job, &virginia, 2 * HOUR + 60000).set);
	job_release(&job);
}

/* AWS's list: p5 at 60.5 dollars and g5 in yuan, which no sum has both of. */
static void list__has_the_price__and_no_mark(void **state)
{
	static const struct listed_price rows[] = { { "ml.p5.48xlarge", 60500000, "USD" },
						    { "ml.g5.48xlarge", 12500000, "CNY" } };
	struct price_book book = { .region = "us-east-1" };
	struct listed_price *copy = mem_new(ARRAY_LEN(rows), sizeof(*copy));
	struct job job = list_job("Pending");

	(void)state;
	memcpy(copy, rows, sizeof(rows));
	price_book_take(&book, JOB_TRAINING, copy, ARRAY_LEN(rows), INT64_C(1796071688000));
	struct price price = price_find(&book, JOB_TRAINING, "ml.p5.48xlarge");
	assert_int_equal(price.source, PRICE_LIST);
	assert_string_equal(price.date, "2026-11-30");
	assert_false(price_is_approximate(price.source));
	assert_true(price_is_approximate(PRICE_TABLE) && price_is_approximate(PRICE_ESTIMATE));
	/* Another kind of job goes by the table until its list is read. */
	assert_int_equal(price_find(&book, JOB_PROCESSING, "ml.m5.xlarge").source, PRICE_TABLE);
	job_edit_prefs(&job)->length = 0;
	add_entry(&job, "ml.p5.48xlarge", 1);
	add_entry(&job, "ml.g5.48xlarge", 1);
	assert_false(price_draft_worst(job_prefs(&job), &book, JOB_TRAINING, at(HOUR)).set);
	job_release(&job);
	price_book_release(&book);
}

/* Case 067: 14 dollars are 3.7 h of ml.g6e.4xlarge, 14 / 3.76 = 3.7234 h = 13,404.3 s. */
static void case_067__money__is_another_time_on_each_type(void **state)
{
	const struct money budget = { true, INT64_C(14000000) }, none = { 0 };
	const struct price price = price_find(&virginia, JOB_TRAINING, "ml.g6e.4xlarge");
	(void)state;
	struct opt_ms time = spend_time(budget, (struct money){ true, price.per_hour_micro });
	assert_true(time.set);
	assert_int_equal(time.ms, 13404 * INT64_C(1000));
	assert_int_equal(spend_time(budget, (struct money){ true, 14000000 }).ms, HOUR);
	assert_false(spend_time(budget, (struct money){ true, 0 }).set); /* a plan's */
	assert_false(spend_time(budget, none).set);
	assert_false(spend_time(none, (struct money){ true, 1 }).set);
	assert_false(spend_time((struct money){ true, INT64_MAX }, (struct money){ true, 1 }).set);
}

#define SHEET_COLUMNS 16
#define SHEET_ROWS    200

/* -1 in the sheet: there is none. */
static void assert_as_in_sheet(struct money money, int64_t expected)
{
	assert_int_equal(money.set, expected >= 0);
	if (money.set)
		assert_int_equal(money.micro, expected);
}

static void compare_with_sheet(const int64_t *row)
{
	static const char *const types[] = { "ml.one.large", "ml.two.large" };
	struct job job = { .described = true };
	struct listed_price *rows = mem_new(2, sizeof(*rows));
	struct price_book book = { 0 };
	job_edit_prefs(&job)->is_list = true;
	mem_set_text(&job.status, "InProgress");
	mem_set_text(&job.secondary_status, row[6] ? "Training" : "Pending");
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		(void)snprintf(rows[i].instance_type, sizeof(rows[i].instance_type), "%s",
			       types[i]);
		rows[i].per_hour_micro = row[3 * i];
		memcpy(rows[i].currency, "USD", sizeof("USD"));
		add_entry(&job, types[i], row[3 * i + 1]);
		if (row[3 * i + 2])
			memcpy(job_edit_prefs(&job)->entries[i].plan_arn, PLAN, sizeof(PLAN));
	}
	price_book_set_region(&book, "us-east-1");
	price_book_take(&book, JOB_TRAINING, rows, ARRAY_LEN(types), 0);
	job.max_runtime = at(row[8] * 1000);
	if (row[6]) {
		size_t chosen = (size_t)row[6] - 1;
		job.selected = (struct selected){ .set = true,
						  .rank = chosen + 1,
						  .count = row[3 * chosen + 1] };
		(void)snprintf(job.selected.instance_type, sizeof(job.selected.instance_type), "%s",
			       types[chosen]);
		job.started = at(0);
		job.billable = at(row[7] * 1000);
		job.pool.retained = at(row[9] * 1000);
	}
	struct cost cost = price_job_cost(&job, &book, HOUR);
	assert_as_in_sheet(cost.per_hour, row[11]);
	assert_as_in_sheet(cost.so_far, row[12]);
	assert_as_in_sheet(cost.worst_case, row[13]);
	assert_as_in_sheet(cost.retained, row[14]);
	assert_as_in_sheet(price_job_likely(&job, &book, at(row[10] * 1000), HOUR), row[15]);
	price_book_release(&book);
	job_release(&job);
}

/* tests/costs/make.py works them out in exact fractions. */
static void costs__are_those_of_the_sheet(void **state)
{
	FILE *file = fopen("tests/costs/sheet.tsv", "r");
	char line[512];
	size_t count = 0;
	(void)state;
	assert_non_null(file);
	for (; fgets(line, sizeof(line), file); count++) {
		int64_t row[SHEET_COLUMNS];
		char *at = line;
		for (size_t i = 0; i < SHEET_COLUMNS; i++)
			row[i] = strtoll(at, &at, 10);
		assert_string_equal(at, "\n");
		compare_with_sheet(row);
	}
	(void)fclose(file);
	assert_int_equal(count, SHEET_ROWS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(costs__are_those_of_the_sheet),
		cmocka_unit_test(stakes__go_from_the_cheapest_to_the_dearest_entry),
		cmocka_unit_test(stakes__tell_what_may_start_on_demand__beside_a_plan),
		cmocka_unit_test(likely__is_of_the_choice__for_a_time_that_is_known),
		cmocka_unit_test(pool__costs_while_it_stands__and_no_longer),
		cmocka_unit_test(list__has_the_price__and_no_mark),
		cmocka_unit_test(case_067__money__is_another_time_on_each_type),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
