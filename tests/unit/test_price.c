#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/price.h"
#include "tests/jobs.h"
#include "tests/prices.h"
#include "tests/shared.h"

/*
 * Prices used below, us-east-1 Training, by the hour: ml.g6.48xlarge 16.688, ml.g5.48xlarge 20.36,
 * ml.p4d.24xlarge 25.251, ml.p5.48xlarge 63.296, ml.m5.large 0.115.
 */
#define HOUR INT64_C(3600000)
#define PLAN "arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan"

static char in_progress[] = "InProgress", completed[] = "Completed", stopped[] = "Stopped";
static char stopping[] = "Stopping", failed[] = "Failed";
static char pending[] = "Pending", training[] = "Training", interrupted[] = "Interrupted";
static char downloading[] = "Downloading";

static void assert_money(struct money money, int64_t micro)
{
	assert_true(money.set);
	assert_int_equal(money.micro, micro);
}

/* Owns its list alone: texts are static. Created at 0, run-time limit 24 h. */
static struct job make_job(char *status, char *secondary)
{
	struct job job = { .status = status,
			   .secondary_status = secondary,
			   .described = true,
			   .created = { true, 0 },
			   .max_runtime = { true, 24 * HOUR } };
	return job;
}

/* Case 008: ml.g6.48xlarge x2, else ml.g5.48xlarge x4. */
static struct job make_list_job(char *status, char *secondary)
{
	struct job job = make_job(status, secondary);
	job_edit_prefs(&job)->is_list = true;
	add_entry(&job, "ml.g6.48xlarge", 2);
	add_entry(&job, "ml.g5.48xlarge", 4);
	return job;
}

static struct job make_plain_job(char *status, char *secondary, const char *type, int64_t count)
{
	struct job job = make_job(status, secondary);
	add_entry(&job, type, count);
	return job;
}

static struct cost cost_of(struct job *job, int64_t now_ms)
{
	job_settle_selection(job);
	return price_job_cost(job, &virginia, now_ms);
}

static const struct price_book ap_south_1 = { .region = "ap-south-1" };
static const struct price_book eu_west_1 = { .region = "eu-west-1" };
static const struct price_book eu_north_1 = { .region = "eu-north-1" };
static const struct price_book nowhere = { .region = "" };

static void find__gives_the_row__when_there_is_one(void **state)
{
	(void)state;
	struct price price = price_find(&virginia, JOB_TRAINING, "ml.p4d.24xlarge");
	assert_int_equal(price.source, PRICE_TABLE);
	assert_int_equal(price.per_hour_micro, 25251000);
	assert_string_equal(price.currency, "USD");
	assert_string_equal(price.date, "2026-09-04");
	/* The same type, another region and kind: 0.811 and 0.822, and an estimate. */
	assert_int_equal(price_find(&ap_south_1, JOB_TRAINING, "ml.g4dn.xlarge").per_hour_micro,
			 811000);
	assert_int_equal(price_find(&eu_west_1, JOB_TRAINING, "ml.g4dn.xlarge").per_hour_micro,
			 822000);
	price = price_find(&virginia, JOB_PROCESSING, "ml.g5.48xlarge");
	assert_int_equal(price.source, PRICE_ESTIMATE);
	assert_string_equal(price.date, "");
}

static void find__gives_no_price__when_there_is_no_row(void **state)
{
	(void)state;
	assert_int_equal(price_find(&eu_north_1, JOB_TRAINING, "ml.p4d.24xlarge").source,
			 PRICE_NONE);
	assert_int_equal(price_find(&virginia, JOB_TRAINING, "ml.p4d").source, PRICE_NONE);
	assert_int_equal(price_find(&nowhere, JOB_TRAINING, "").source, PRICE_NONE);
	/* No public figure, by the notes beside the table. */
	assert_int_equal(price_find(&virginia, JOB_TRAINING, "ml.p6-b300.48xlarge").source,
			 PRICE_NONE);
	assert_string_equal(price_source_word(PRICE_TABLE), "table");
	assert_string_equal(price_source_word(PRICE_ESTIMATE), "estimate");
	assert_null(price_source_word(PRICE_NONE));
}

static void cost__is_zero_and_bounded_by_the_dearest__when_pending(void **state)
{
	struct job job = make_list_job(in_progress, pending);

	(void)state;
	struct cost cost = cost_of(&job, 2 * HOUR);
	assert_false(cost.per_hour.set);
	assert_money(cost.so_far, 0);
	/* 20.36 x 4 = 81.44 against 33.376; x 24 h = 1,954.56 */
	assert_money(cost.worst_case, 1954560000);
	assert_false(cost.likely.set);
	assert_false(cost.plan);
	assert_string_equal(cost.currency, "USD");
	assert_int_equal(cost.source, PRICE_TABLE);
	assert_string_equal(cost.date, "2026-04-21");
	/* In any order. */
	assert_true(prefs_move(job_edit_prefs(&job), 0, 1));
	assert_money(cost_of(&job, 2 * HOUR).worst_case, 1954560000);
	/* No limit, no worst case. */
	job.max_runtime.set = false;
	assert_false(cost_of(&job, 2 * HOUR).worst_case.set);
	free(job.prefs);
}

static void cost__goes_by_the_selection__when_running(void **state)
{
	struct job job = make_list_job(in_progress, training);

	(void)state;
	job.selected = (struct selected){ true, "ml.g5.48xlarge", 4, 0 };
	job.started = at(HOUR);
	/* 81.44 an hour; half an hour since the start is 40.72 */
	struct cost cost = cost_of(&job, HOUR + HOUR / 2);
	assert_money(cost.per_hour, 81440000);
	assert_money(cost.so_far, 40720000);
	assert_money(cost.worst_case, 1954560000);
	/* The billable time is better: 100 s are 2.262222... */
	job.billable = at(100000);
	assert_money(cost_of(&job, 9 * HOUR).so_far, 2262222);
	job.billable.set = false;
	/* A clock that is behind. */
	assert_money(cost_of(&job, HOUR - 5).so_far, 0);
	free(job.prefs);
}

/* Case 008: absent Selected* is no reason to take the first preference. */
static void cost__is_unknown__when_running_without_a_known_selection(void **state)
{
	struct job job = make_list_job(in_progress, training);

	(void)state;
	job.started = at(HOUR);
	struct cost cost = cost_of(&job, 2 * HOUR);
	assert_false(cost.per_hour.set);
	assert_false(cost.so_far.set);
	assert_money(cost.worst_case, 1954560000);
	/* A type that is not in the list has its own price: 25.251 x 1. */
	job.selected = (struct selected){ true, "ml.p4d.24xlarge", 1, 0 };
	assert_money(cost_of(&job, 2 * HOUR).so_far, 25251000);
	free(job.prefs);
}

/* Case 017: ml.m5.large x1, 125 s billed: 0.115 x 125 / 3600 = 0.003993055... */
static void cost__goes_by_the_billable_time__when_ended(void **state)
{
	struct job job = make_plain_job(completed, completed, "ml.m5.large", 1);

	(void)state;
	job.started = at(41636);
	job.ended = at(166662);
	job.training_time = at(125000);
	job.billable = at(125000);
	struct cost cost = cost_of(&job, 900 * HOUR);
	assert_money(cost.so_far, 3993);
	assert_money(cost.per_hour, 115000);
	assert_money(cost.worst_case, 2760000);
	free(job.prefs);
}

/* Case 001: 31 s of training time, no billable time and no end: 25.251 x 31 / 3600 = 0.217439... */
/* ml.m5.large at 0.115: 31 s x 2 = 0.001981 (trained), 69 s x 2 = 0.004408 (retained). */
static void cost__of_a_warm_pool__stands_beside_the_training(void **state)
{
	struct job job = make_plain_job((char *)"Completed", (char *)"Completed", "ml.m5.large", 2);

	(void)state;
	job.started = at(HOUR);
	job.training_time = at(31000);
	assert_false(cost_of(&job, 900 * HOUR).retained.set);
	job.pool.retained = at(69000);
	struct cost cost = cost_of(&job, 900 * HOUR);
	assert_money(cost.so_far, 1981);
	assert_money(cost.retained, 4408);
	/* Without a price it is not known. */
	memcpy(job_edit_prefs(&job)->entries[0].instance_type, "ml.zz9.large",
	       sizeof("ml.zz9.large"));
	assert_false(cost_of(&job, 900 * HOUR).retained.set);
	free(job.prefs);
}

static void cost__never_ticks__when_an_ended_job_has_no_end_time(void **state)
{
	struct job job = make_plain_job(completed, completed, "ml.p4d.24xlarge", 1);

	(void)state;
	job.started = at(185615);
	job.modified = at(185615);
	job.training_time = at(31000);
	assert_money(cost_of(&job, 900 * HOUR).so_far, 217439);
	job.training_time.set = false;
	assert_false(cost_of(&job, 900 * HOUR).so_far.set);
	/* Processing has an end and nothing else: 60 s, 0.42085 */
	job.ended = at(185615 + 60000);
	assert_money(cost_of(&job, 900 * HOUR).so_far, 420850);
	free(job.prefs);
}

static void cost__is_zero__when_the_job_never_had_an_instance(void **state)
{
	/* Case 003: Stopping, secondary status Starting, no start. */
	struct job job = make_plain_job(stopping, pending, "ml.p4d.24xlarge", 1);

	(void)state;
	struct cost cost = cost_of(&job, 9 * HOUR);
	assert_money(cost.so_far, 0);
	assert_false(cost.per_hour.set);
	/* Case 060: Stopped, 0 billed seconds; nothing more can come. */
	job.status = stopped;
	job.billable = at(0);
	cost = cost_of(&job, 9 * HOUR);
	assert_money(cost.so_far, 0);
	assert_money(cost.worst_case, 0);
	assert_false(cost.per_hour.set);
	/* Failed with CapacityError. */
	job.status = failed;
	job.billable.set = false;
	assert_money(cost_of(&job, 9 * HOUR).so_far, 0);
	/* Downloading before TrainingStartTime is not billed. */
	job.status = in_progress;
	job.secondary_status = downloading;
	cost = cost_of(&job, 9 * HOUR);
	assert_money(cost.so_far, 0);
	assert_money(cost.per_hour, 25251000);
	free(job.prefs);
}

static void cost__is_never_by_the_clock__when_spot(void **state)
{
	struct job job = make_plain_job(in_progress, training, "ml.p4d.24xlarge", 2);

	(void)state;
	job.spot = true;
	job.started = at(HOUR);
	struct cost cost = cost_of(&job, 3 * HOUR);
	assert_false(cost.so_far.set);
	assert_money(cost.per_hour, 50502000);
	job.billable = at(HOUR);
	assert_money(cost_of(&job, 3 * HOUR).so_far, 50502000);
	/* Waiting again after an interruption: what was billed stays. */
	job.secondary_status = interrupted;
	cost = cost_of(&job, 3 * HOUR);
	assert_false(cost.per_hour.set);
	assert_money(cost.so_far, 50502000);
	job.billable.set = false;
	assert_false(cost_of(&job, 3 * HOUR).so_far.set);
	/* Ended: not by the training time, which is longer. */
	job.secondary_status = completed;
	job.status = completed;
	job.ended = at(9 * HOUR);
	job.training_time = at(8 * HOUR);
	assert_false(cost_of(&job, 90 * HOUR).so_far.set);
	free(job.prefs);
}

static void cost__is_nothing_more__when_a_plan_serves_the_selection(void **state)
{
	struct job job = make_job(in_progress, training);

	(void)state;
	job_edit_prefs(&job)->is_list = true;
	add_entry(&job, "ml.p5.48xlarge", 2);
	add_entry(&job, "ml.p4d.24xlarge", 4);
	memcpy(job_edit_prefs(&job)->entries[0].plan_arn, PLAN, sizeof(PLAN));
	job.selected = (struct selected){ true, "ml.p5.48xlarge", 2, 0 };
	job.started = at(HOUR);
	struct cost cost = cost_of(&job, 3 * HOUR);
	assert_true(cost.plan);
	assert_money(cost.per_hour, 0);
	assert_money(cost.so_far, 0);
	assert_money(cost.worst_case, 0);
	/* Another entry on demand: 101.004 an hour. */
	job.selected = (struct selected){ true, "ml.p4d.24xlarge", 4, 0 };
	cost = cost_of(&job, 3 * HOUR);
	assert_false(cost.plan);
	assert_money(cost.so_far, 202008000);
	/* Pending: the worst is on demand, 101.004 x 24. */
	job.selected.set = false;
	job.started.set = false;
	job.secondary_status = pending;
	assert_money(cost_of(&job, 3 * HOUR).worst_case, 2424096000);
	free(job.prefs);
}

static void cost__is_a_bound_only__when_a_plan_of_the_job_may_serve_it(void **state)
{
	struct job job = make_list_job(in_progress, training);

	(void)state;
	memcpy(job_edit_prefs(&job)->job_plan_arn, PLAN, sizeof(PLAN));
	job.selected = (struct selected){ true, "ml.g5.48xlarge", 4, 0 };
	job.started = at(HOUR);
	struct cost cost = cost_of(&job, 2 * HOUR);
	assert_false(cost.per_hour.set);
	assert_false(cost.so_far.set);
	assert_money(cost.worst_case, 1954560000);
	/* With one entry it is that one's. */
	free(job.prefs);
	job = make_plain_job(in_progress, training, "ml.p5.48xlarge", 1);
	memcpy(job_edit_prefs(&job)->job_plan_arn, PLAN, sizeof(PLAN));
	job.started = at(HOUR);
	cost = cost_of(&job, 2 * HOUR);
	assert_true(cost.plan);
	assert_money(cost.so_far, 0);
	free(job.prefs);
}

static void cost__is_the_sum_of_the_groups__when_heterogeneous(void **state)
{
	struct job job = make_job(in_progress, training);

	(void)state;
	add_entry(&job, "ml.p4d.24xlarge", 1);
	add_entry(&job, "ml.m5.large", 2);
	memcpy(job_edit_prefs(&job)->entries[0].group, "gpu", 4);
	memcpy(job_edit_prefs(&job)->entries[1].group, "cpu", 4);
	job.has_groups = true;
	job.started = at(HOUR);
	/* 25.251 + 2 x 0.115 = 25.481 */
	struct cost cost = cost_of(&job, 3 * HOUR);
	assert_money(cost.per_hour, 25481000);
	assert_money(cost.so_far, 50962000);
	assert_money(cost.worst_case, 611544000);
	/* Not before there are instances; then they cost, though not yet billed. */
	job.started.set = false;
	job.secondary_status = pending;
	cost = cost_of(&job, 3 * HOUR);
	assert_false(cost.per_hour.set);
	assert_money(cost.so_far, 0);
	assert_money(cost.worst_case, 611544000);
	job.status = stopping;
	assert_false(cost_of(&job, 3 * HOUR).per_hour.set);
	job.status = in_progress;
	job.secondary_status = downloading;
	assert_money(cost_of(&job, 3 * HOUR).per_hour, 25481000);
	/* One group alone is the whole cluster. */
	job_edit_prefs(&job)->length = 1;
	assert_money(cost_of(&job, 3 * HOUR).per_hour, 25251000);
	job_edit_prefs(&job)->length = 2;
	job.secondary_status = training;
	job.started = at(HOUR);
	/* A group without a price: nothing can be said. */
	memcpy(job_edit_prefs(&job)->entries[1].instance_type, "ml.zz", 6);
	cost = cost_of(&job, 3 * HOUR);
	assert_false(cost.per_hour.set || cost.so_far.set || cost.worst_case.set);
	free(job.prefs);
}

static void cost__is_unknown__when_a_price_or_the_job_is(void **state)
{
	struct job job = make_plain_job(in_progress, training, "ml.p6-b300.48xlarge", 1);

	(void)state;
	job.started = at(HOUR);
	struct cost cost = cost_of(&job, 2 * HOUR);
	assert_false(cost.per_hour.set || cost.so_far.set || cost.worst_case.set);
	assert_null(cost.currency);
	assert_int_equal(cost.source, PRICE_NONE);
	/* Pending: one entry without a price could be the dearest. */
	free(job.prefs);
	job = make_list_job(in_progress, pending);
	add_entry(&job, "ml.p6-b300.48xlarge", 1);
	cost = cost_of(&job, 2 * HOUR);
	assert_false(cost.worst_case.set);
	assert_money(cost.so_far, 0);
	/* Known from a list only. */
	free(job.prefs);
	job = make_job(in_progress, training);
	job.described = false;
	cost = cost_of(&job, 2 * HOUR);
	assert_false(cost.per_hour.set || cost.so_far.set || cost.worst_case.set);
	free(job.prefs);
}

/* Described while it ran, Completed by the list since: its last figures are not yet known. */
static void cost__waits_for_the_description__when_outdated_and_ended(void **state)
{
	struct job job = make_plain_job(completed, completed, "ml.p4d.24xlarge", 1);

	(void)state;
	job.described = false;
	job.started = at(HOUR);
	job.ended = at(3 * HOUR);
	assert_false(cost_of(&job, 9 * HOUR).so_far.set);
	job.described = true;
	assert_money(cost_of(&job, 9 * HOUR).so_far, 50502000);
	free(job.prefs);
}

static void cost__names_the_least_certain_source__when_prices_differ(void **state)
{
	struct job job = make_job(in_progress, pending);

	(void)state;
	job_edit_prefs(&job)->is_list = true;
	add_entry(&job, "ml.p4d.24xlarge", 1); /* 2026-09-04 */
	add_entry(&job, "ml.g5.48xlarge", 1);  /* 2026-04-21 */
	struct cost cost = cost_of(&job, 0);
	assert_int_equal(cost.source, PRICE_TABLE);
	assert_string_equal(cost.date, "2026-04-21");
	add_entry(&job, "ml.c4.xlarge", 1); /* an estimate */
	add_entry(&job, "ml.m5.large", 1);
	cost = cost_of(&job, 0);
	assert_int_equal(cost.source, PRICE_ESTIMATE);
	assert_string_equal(cost.date, "");
	free(job.prefs);
}

static void cost__overflows_to_unknown__when_numbers_are_absurd(void **state)
{
	struct job job = make_plain_job(in_progress, training, "ml.p5.48xlarge", INT64_MAX);

	(void)state;
	job.started = at(0);
	struct cost cost = cost_of(&job, HOUR);
	assert_false(cost.per_hour.set || cost.so_far.set || cost.worst_case.set);
	/* 63.296 x 2^31 fits; so many years of it do not. */
	job_edit_prefs(&job)->entries[0].count = INT32_MAX;
	job.max_runtime = at(INT64_MAX);
	job.started = at(INT64_MIN);
	cost = cost_of(&job, INT64_MAX);
	assert_money(cost.per_hour, INT64_C(63296000) * INT32_MAX);
	assert_false(cost.so_far.set);
	assert_false(cost.worst_case.set);
	job_edit_prefs(&job)->entries[0].count = 0;
	job.max_runtime = at(0);
	cost = cost_of(&job, HOUR);
	assert_money(cost.per_hour, 0);
	assert_money(cost.worst_case, 0);
	job_edit_prefs(&job)->entries[0].count = -4;
	job.max_runtime = at(-5);
	job.billable = at(-5);
	cost = cost_of(&job, HOUR);
	assert_false(cost.per_hour.set);
	assert_money(cost.so_far, 0);
	assert_false(cost.worst_case.set);
	free(job.prefs);
}

static void entry__costs_price_times_count__when_on_demand(void **state)
{
	struct job job = make_list_job(in_progress, pending);

	(void)state;
	assert_money(price_entry_per_hour(job_prefs(&job), 0, &virginia, JOB_TRAINING), 33376000);
	assert_money(price_entry_per_hour(job_prefs(&job), 1, &virginia, JOB_TRAINING), 81440000);
	assert_false(price_entry_per_hour(job_prefs(&job), 2, &virginia, JOB_TRAINING).set);
	assert_false(price_entry_per_hour(job_prefs(&job), 0, &eu_north_1, JOB_TRAINING).set);
	memcpy(job_edit_prefs(&job)->entries[0].plan_arn, PLAN, sizeof(PLAN));
	assert_money(price_entry_per_hour(job_prefs(&job), 0, &virginia, JOB_TRAINING), 0);
	job_edit_prefs(&job)->entries[1].has_count = false;
	assert_false(price_entry_per_hour(job_prefs(&job), 1, &virginia, JOB_TRAINING).set);
	free(job.prefs);
}

static void draft__costs_the_dearest_entry_to_the_limit__when_all_is_known(void **state)
{
	struct job job = make_list_job(in_progress, pending);
	struct opt_ms day = at(24 * HOUR), none = { 0 };

	(void)state;
	assert_money(price_draft_worst(job_prefs(&job), &virginia, JOB_TRAINING, day), 1954560000);
	assert_false(price_draft_worst(job_prefs(&job), &virginia, JOB_TRAINING, none).set);
	add_entry(&job, "ml.zz", 1);
	assert_false(price_draft_worst(job_prefs(&job), &virginia, JOB_TRAINING, day).set);
	job_edit_prefs(&job)->length = 0;
	assert_false(price_draft_worst(job_prefs(&job), &virginia, JOB_TRAINING, day).set);
	free(job.prefs);
}

/* "31.5641075" in millionths, half of one up: digits alone, no floating point. */
static int64_t micro_of(const char *text)
{
	int64_t micro = 0;
	int decimals = -1;
	for (; *text && decimals < 6; text++) {
		if (*text == '.') {
			decimals = 0;
			continue;
		}
		micro = micro * 10 + (*text - '0');
		decimals += decimals >= 0;
	}
	for (int i = decimals < 0 ? 0 : decimals; i < 6; i++)
		micro *= 10;
	return micro + (*text >= '5');
}

/* Columns: region, component, type, price, date (prices.tsv only). */
static size_t compare_file(const char *name, enum price_source source)
{
	FILE *file = shared_open(name);
	const char *fields[5];
	char line[2000];
	size_t rows = 0;
	if (!file)
		return 0;
	assert_int_equal(shared_row(file, line, sizeof(line), fields, 5), 5);
	while (shared_row(file, line, sizeof(line), fields, 5) == 5) {
		bool is_training = strcmp(fields[1], "Training") == 0;
		if (!is_training && strcmp(fields[1], "Processing") != 0)
			continue;
		struct price_book book = { 0 };
		price_book_set_region(&book, fields[0]);
		struct price price =
			price_find(&book, is_training ? JOB_TRAINING : JOB_PROCESSING, fields[2]);
		assert_int_equal(price.source, source);
		assert_int_equal(price.per_hour_micro, micro_of(fields[3]));
		if (source == PRICE_TABLE)
			assert_non_null(strstr(fields[4], price.date));
		assert_int_equal(price.date[0] != '\0', source == PRICE_TABLE);
		rows++;
	}
	assert_int_equal(fclose(file), 0);
	return rows;
}

static void table__says_what_the_facts_say__row_by_row(void **state)
{
	(void)state;
	size_t rows = compare_file("data/prices.tsv", PRICE_TABLE);
	size_t estimates = compare_file("data/price_estimates.tsv", PRICE_ESTIMATE);
	/* By the notes: 58 + 23 + 4 + 10 + 1 + 1 Training and 16 + 1 + 11 Processing rows. */
	if (rows > 0)
		assert_int_equal(rows, 125);
	if (estimates > 0)
		assert_int_equal(estimates, 288);
}

/* By hand from the rule: of an ended job nothing less sure replaces what was recorded. */
static void recorded__gives_way__to_what_is_as_sure(void **state)
{
	static const enum price_source sources[] = { PRICE_NONE, PRICE_ESTIMATE, PRICE_TABLE,
						     PRICE_LIST };
	static const bool replaced[4][4] = { /* [recorded][found] */
					     { true, true, true, true },
					     { false, true, true, true },
					     { false, false, true, true },
					     { false, false, false, true }
	};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 0; k < 4; k++) {
			assert_int_equal(price_replaces(true, sources[i], sources[k]),
					 replaced[i][k]);
			assert_true(price_replaces(false, sources[i], sources[k]));
		}
		assert_int_equal(price_source_of(price_source_word(sources[i])), sources[i]);
	}
	assert_int_equal(price_source_of("oracle"), PRICE_ESTIMATE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find__gives_the_row__when_there_is_one),
		cmocka_unit_test(find__gives_no_price__when_there_is_no_row),
		cmocka_unit_test(cost__is_zero_and_bounded_by_the_dearest__when_pending),
		cmocka_unit_test(cost__goes_by_the_selection__when_running),
		cmocka_unit_test(cost__is_unknown__when_running_without_a_known_selection),
		cmocka_unit_test(cost__goes_by_the_billable_time__when_ended),
		cmocka_unit_test(cost__of_a_warm_pool__stands_beside_the_training),
		cmocka_unit_test(cost__never_ticks__when_an_ended_job_has_no_end_time),
		cmocka_unit_test(cost__is_zero__when_the_job_never_had_an_instance),
		cmocka_unit_test(cost__is_never_by_the_clock__when_spot),
		cmocka_unit_test(cost__is_nothing_more__when_a_plan_serves_the_selection),
		cmocka_unit_test(cost__is_a_bound_only__when_a_plan_of_the_job_may_serve_it),
		cmocka_unit_test(cost__is_the_sum_of_the_groups__when_heterogeneous),
		cmocka_unit_test(cost__is_unknown__when_a_price_or_the_job_is),
		cmocka_unit_test(cost__waits_for_the_description__when_outdated_and_ended),
		cmocka_unit_test(cost__names_the_least_certain_source__when_prices_differ),
		cmocka_unit_test(cost__overflows_to_unknown__when_numbers_are_absurd),
		cmocka_unit_test(entry__costs_price_times_count__when_on_demand),
		cmocka_unit_test(draft__costs_the_dearest_entry_to_the_limit__when_all_is_known),
		cmocka_unit_test(recorded__gives_way__to_what_is_as_sure),
		cmocka_unit_test(table__says_what_the_facts_say__row_by_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
