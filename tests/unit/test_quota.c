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
#include "model/quota.h"
#include "tests/jobs.h"
#include "tests/shared.h"

#define P5 "ml.p5.48xlarge"

/* --- codes --- */

/* Codes read in the published list by eye (data/quotas.tsv, and the README of facts/aws.md 7.2). */
static void find__gives_the_published_code__by_type_and_kind(void **state)
{
	static const struct {
		const char *type;
		enum quota_kind kind;
		const char *code;
		int default_value;
	} known[] = {
		{ P5, QUOTA_TRAINING, "L-82E1C851", 0 },
		{ P5, QUOTA_SPOT, "L-82733FAD", 0 },
		{ P5, QUOTA_WARM_POOL, "L-5D321F81", 0 },
		{ "ml.m5.xlarge", QUOTA_TRAINING, "L-CCE2AFA6", 0 },
		{ "ml.m5.xlarge", QUOTA_SPOT, "L-4CEE6BA6", 4 },
		{ "ml.m5.xlarge", QUOTA_PROCESSING, "L-0307F515", 0 },
		{ "ml.c7i.large", QUOTA_TRAINING, "L-3FD3F6D0", -1 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		const struct quota_row *row = quota_find(known[i].type, known[i].kind);
		assert_non_null(row);
		assert_string_equal(row->code, known[i].code);
		assert_int_equal(row->default_value, known[i].default_value);
		assert_ptr_equal(quota_find_code(known[i].code), row);
	}
}

static void find__gives_nothing__where_none_is_published(void **state)
{
	(void)state;
	assert_null(quota_find("ml.p6-b300.48xlarge", QUOTA_TRAINING));
	assert_null(quota_find("ml.trn2.48xlarge", QUOTA_TRAINING));
	assert_null(quota_find("ml.p5.48xlarg", QUOTA_TRAINING));
	assert_null(quota_find("", QUOTA_TRAINING));
	assert_null(quota_find(P5, QUOTA_PROCESSING)); /* no processing job may have it */
	assert_null(quota_find_code("L-16AF71F1"));    /* its quota for endpoints */
	assert_null(quota_find_code(""));
}

/* Every row of the published list, read here by another reader than the table's. */
static void find__agrees_with_the_published_list(void **state)
{
	static const char *const usages[QUOTA_KINDS] = {
		[QUOTA_TRAINING] = "training job usage",
		[QUOTA_SPOT] = "spot training job usage",
		[QUOTA_WARM_POOL] = "training warm pool usage",
		[QUOTA_PROCESSING] = "processing job usage",
	};
	FILE *file = shared_open("data/quotas.tsv");
	char line[1024];
	const char *fields[8];
	size_t seen = 0;
	(void)state;
	if (!file)
		return;
	while (shared_row(file, line, sizeof(line), fields, ARRAY_LEN(fields)) > 0) {
		int kind = 0;
		while (kind < QUOTA_KINDS && strcmp(fields[2], usages[kind]) != 0)
			kind++;
		if (kind == QUOTA_KINDS)
			continue;
		const struct quota_row *row = quota_find(fields[1], (enum quota_kind)kind);
		assert_non_null(row);
		assert_string_equal(row->code, fields[3]);
		assert_int_equal(row->default_value,
				 fields[4][0] ? (int)strtol(fields[4], NULL, 10) : -1);
		assert_string_equal(quota_kind_usage((enum quota_kind)kind), fields[2]);
		seen++;
	}
	fclose(file);
	assert_int_equal(seen, 135 + 135 + 135 + 120);
}

/* Case 083: spot, on-demand and processing are separate limits. */
static void kind_of__is_that_of_the_request(void **state)
{
	(void)state;
	assert_int_equal(quota_kind_of(JOB_TRAINING, false), QUOTA_TRAINING);
	assert_int_equal(quota_kind_of(JOB_TRAINING, true), QUOTA_SPOT);
	assert_int_equal(quota_kind_of(JOB_PROCESSING, false), QUOTA_PROCESSING);
	assert_string_equal(quota_kind_word(QUOTA_TRAINING), "training");
	assert_string_equal(quota_kind_word(QUOTA_SPOT), "spot");
	assert_string_equal(quota_kind_word(QUOTA_WARM_POOL), "warm-pool");
	assert_string_equal(quota_kind_word(QUOTA_PROCESSING), "processing");
}

/* --- counting --- */

#define JOBS_MAX 16

/* An account's jobs, made by hand. */
struct account {
	struct job jobs[JOBS_MAX];
	const struct job *all[JOBS_MAX];
	size_t count;
};

static struct job *add(struct account *account, const char *name, int64_t created_ms,
		       const char *status, const char *secondary)
{
	struct job *job = &account->jobs[account->count];
	*job = listed_job(name, created_ms, status, secondary);
	account->all[account->count++] = job;
	return job;
}

/* One that is described, of a list with that one type and so many of it; waiting or selected. */
static struct job *add_known(struct account *account, const char *name, int64_t created_ms,
			     const char *status, const char *secondary, int64_t count)
{
	struct job *job = add(account, name, created_ms, status, secondary);
	job->described = true;
	job_edit_prefs(job)->is_list = true;
	add_entry(job, P5, count);
	return job;
}

static void select_it(struct job *job, int64_t count)
{
	job->started = job->created;
	job->selected = (struct selected){ .set = true, .count = count, .rank = 1 };
	memcpy(job->selected.instance_type, P5, sizeof(P5));
}

static void release(struct account *account)
{
	for (size_t i = 0; i < account->count; i++)
		job_release(&account->jobs[i]);
}

/* Cases 072 and 073: what holds my eight? Stopping jobs and warm pools too, the oldest first. */
static void count__names_every_holder__stopping_and_warm_pools_too(void **state)
{
	struct account account = { .count = 0 };
	struct quota_use use;
	(void)state;
	/* As the store has them: newest first. */
	add_known(&account, "waits", 9000, "InProgress", "Pending", 4);
	select_it(add_known(&account, "runs", 8000, "InProgress", "Training", 2), 2);
	select_it(add_known(&account, "stops", 7000, "Stopping", "Stopping", 3), 3);
	struct job *pool = add_known(&account, "pool", 6000, "Completed", "Completed", 1);
	select_it(pool, 1);
	pool->ended = at(7500);
	pool->pool.status = mem_copy_text("Available");
	select_it(add_known(&account, "stopped", 5000, "Stopped", "Stopped", 5), 5);
	struct job *gone = add_known(&account, "reused", 4000, "Completed", "Completed", 2);
	select_it(gone, 2);
	gone->pool.status = mem_copy_text("Reused");

	quota_count(account.all, account.count, P5, QUOTA_TRAINING, &use);
	assert_int_equal(use.used, 2 + 3 + 1);
	assert_int_equal(use.waiting, 4);
	assert_int_equal(use.unread, 0);
	assert_int_equal(use.holder_count, 3);
	assert_string_equal(use.holders[0].job->name, "stops");
	assert_string_equal(quota_holder_state(&use.holders[0]), "Stopping");
	assert_int_equal(use.holders[0].count, 3);
	assert_int_equal(use.holders[0].since.ms, 7000);
	assert_string_equal(use.holders[1].job->name, "pool");
	assert_string_equal(quota_holder_state(&use.holders[1]), "warm pool");
	assert_int_equal(use.holders[1].since.ms, 7500);
	assert_string_equal(use.holders[2].job->name, "runs");
	assert_string_equal(quota_holder_state(&use.holders[2]), "Training");
	quota_use_release(&use);

	/* The pool has a limit of its own beside that. */
	quota_count(account.all, account.count, P5, QUOTA_WARM_POOL, &use);
	assert_int_equal(use.used, 1);
	assert_int_equal(use.waiting, 0);
	assert_int_equal(use.holder_count, 1);
	assert_string_equal(use.holders[0].job->name, "pool");
	quota_use_release(&use);
	release(&account);
}

/* Case 072: limit 20, utilization 21. */
static void count__may_exceed_the_limit__while_jobs_drain(void **state)
{
	struct account account = { .count = 0 };
	struct quota_fact fact = {
		.instance_type = P5, .kind = QUOTA_TRAINING, .told = true, .limit = 20
	};
	(void)state;
	select_it(add_known(&account, "new", 2000, "InProgress", "Training", 13), 13);
	select_it(add_known(&account, "drains", 1000, "Stopping", "Stopping", 8), 8);
	quota_tally(account.all, account.count, &fact, 1);
	assert_int_equal(fact.used, 21);
	assert_int_equal(quota_left(&fact), -1);
	release(&account);
}

static void count__goes_by_kind__when_spot_and_processing_use_the_type(void **state)
{
	struct account account = { .count = 0 };
	struct quota_fact facts[] = {
		{ .instance_type = P5, .kind = QUOTA_TRAINING },
		{ .instance_type = P5, .kind = QUOTA_SPOT },
		{ .instance_type = P5, .kind = QUOTA_PROCESSING },
		{ .instance_type = "ml.p4d.24xlarge", .kind = QUOTA_TRAINING },
	};
	(void)state;
	select_it(add_known(&account, "on-demand", 3000, "InProgress", "Training", 1), 1);
	struct job *spot = add_known(&account, "spot", 2000, "InProgress", "Training", 2);
	spot->spot = true;
	select_it(spot, 2);
	struct job *processing = add_known(&account, "processing", 1000, "InProgress", NULL, 4);
	processing->kind = JOB_PROCESSING;
	select_it(processing, 4);
	quota_tally(account.all, account.count, facts, ARRAY_LEN(facts));
	assert_int_equal(facts[0].used, 1);
	assert_int_equal(facts[1].used, 2);
	assert_int_equal(facts[2].used, 4);
	assert_int_equal(facts[3].used, 0);
	release(&account);
}

/* Known from a list alone: nobody can tell what it holds, nor whether it is spot. */
static void count__says_how_many_are_unread__before_they_are_described(void **state)
{
	struct account account = { .count = 0 };
	struct quota_fact facts[] = {
		{ .instance_type = P5, .kind = QUOTA_TRAINING },
		{ .instance_type = P5, .kind = QUOTA_SPOT },
		{ .instance_type = P5, .kind = QUOTA_PROCESSING },
	};
	(void)state;
	add(&account, "listed", 1000, "InProgress", "Training");
	add(&account, "over", 900, "Completed", "Completed");
	quota_tally(account.all, account.count, facts, ARRAY_LEN(facts));
	assert_int_equal(facts[0].unread, 1);
	assert_int_equal(facts[1].unread, 1);
	assert_int_equal(facts[2].unread, 0);
	assert_int_equal(facts[0].used, 0);
	release(&account);
}

/* A cluster of groups holds all of them, or waits for all. */
static void count__sums_the_groups__of_a_heterogeneous_cluster(void **state)
{
	struct account account = { .count = 0 };
	struct quota_fact fact = { .instance_type = P5, .kind = QUOTA_TRAINING };
	(void)state;
	struct job *job = add(&account, "groups", 1000, "InProgress", "Training");
	job->described = job->has_groups = true;
	add_entry(job, P5, 2);
	add_entry(job, "ml.m5.xlarge", 7);
	add_entry(job, P5, 3);
	quota_tally(account.all, account.count, &fact, 1);
	assert_int_equal(fact.used, 5);
	mem_set_text(&job->secondary_status, "Pending");
	quota_tally(account.all, account.count, &fact, 1);
	assert_int_equal(fact.used, 0);
	assert_int_equal(fact.waiting, 5);
	release(&account);
}

/* A job that is being deleted has ended before. */
static void count__leaves_out__what_is_being_deleted(void **state)
{
	struct account account = { .count = 0 };
	struct quota_fact fact = { .instance_type = P5, .kind = QUOTA_TRAINING };
	(void)state;
	select_it(add_known(&account, "goes", 1000, "Deleting", "Completed", 2), 2);
	quota_tally(account.all, account.count, &fact, 1);
	assert_int_equal(fact.used, 0);
	release(&account);
}

/* Counts come from outside. */
static void count__stays_within_its_number__whatever_comes(void **state)
{
	struct account account = { .count = 0 };
	struct quota_fact fact = { .instance_type = P5, .kind = QUOTA_TRAINING };
	(void)state;
	select_it(add_known(&account, "much", 1000, "InProgress", "Training", 1), INT64_MAX);
	select_it(add_known(&account, "more", 1000, "InProgress", "Training", 1), INT64_MAX);
	select_it(add_known(&account, "less", 1000, "InProgress", "Training", 1), -5);
	quota_tally(account.all, account.count, &fact, 1);
	assert_int_equal(fact.used, INT64_MAX);
	release(&account);
}

/* --- what is not told --- */

static void why_untold__names_the_reason(void **state)
{
	struct err denied = { .code = ERR_DENIED, .subject = "GetServiceQuota in us-east-1" };
	struct err throttled = { .code = ERR_THROTTLED, .subject = "GetServiceQuota in us-east-1" };
	struct quota_fact fact = { .instance_type = P5 };
	char why[QUOTA_WHY_SIZE];
	(void)state;
	quota_why_untold(&fact, why);
	assert_string_equal(why, "no code of this quota is published");
	fact.code = "L-82E1C851";
	quota_why_untold(&fact, why);
	assert_string_equal(why, "not read yet");
	fact.error = &denied;
	quota_why_untold(&fact, why);
	assert_string_equal(why, "denied servicequotas:GetServiceQuota");
	fact.error = &throttled;
	quota_why_untold(&fact, why);
	assert_string_equal(why, "throttled");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find__gives_the_published_code__by_type_and_kind),
		cmocka_unit_test(find__gives_nothing__where_none_is_published),
		cmocka_unit_test(find__agrees_with_the_published_list),
		cmocka_unit_test(kind_of__is_that_of_the_request),
		cmocka_unit_test(count__names_every_holder__stopping_and_warm_pools_too),
		cmocka_unit_test(count__may_exceed_the_limit__while_jobs_drain),
		cmocka_unit_test(count__goes_by_kind__when_spot_and_processing_use_the_type),
		cmocka_unit_test(count__says_how_many_are_unread__before_they_are_described),
		cmocka_unit_test(count__sums_the_groups__of_a_heterogeneous_cluster),
		cmocka_unit_test(count__leaves_out__what_is_being_deleted),
		cmocka_unit_test(count__stays_within_its_number__whatever_comes),
		cmocka_unit_test(why_untold__names_the_reason),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
