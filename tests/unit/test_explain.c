/* Explanations by hand: what the forty situations of tests/situations.h do not look at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/explain.h"
#include "tests/jobs.h"

#define HOUR INT64_C(3600000)
#define NOW  (10 * HOUR)
#define P4D  "ml.p4d.24xlarge"
#define P5   "ml.p5.48xlarge"
#define PLAN "arn:aws:sagemaker:us-east-1:111122223333:training-plan/later"

/* p5 on the plan and p4d on demand, for two hours. */
static struct job mixed(const char *status, const char *secondary)
{
	struct job job = described_job("mixed", NOW - 2 * HOUR, status, secondary);
	*job_edit_prefs(&job) = (struct preferences){ .is_list = true };
	add_entry(&job, P5, 2);
	add_entry(&job, P4D, 4);
	assert_true(prefs_set_plan(job_edit_prefs(&job), 0, PLAN));
	job_add_transition(&job, secondary, NULL, job.created, (struct opt_ms){ 0 });
	return job;
}

static void give_plan(struct store *store)
{
	struct plan *plan = mem_new(1, sizeof(*plan));
	plan->arn = mem_copy_text(PLAN);
	plan->status = mem_copy_text("Scheduled");
	memcpy(plan->instance_type, P5, sizeof(P5));
	plan->start = at(NOW + HOUR);
	plan->end = at(NOW + 9 * HOUR);
	store_take_plans(store, plan, 1);
}

static const struct explain_fact *find(const struct explanation *out, const char *fact)
{
	for (size_t i = 0; i < out->fact_count; i++)
		if (strcmp(out->facts[i].fact, fact) == 0)
			return &out->facts[i];
	return NULL;
}

static void entries__are_passed_over__each_for_its_own_reason(void **state)
{
	struct store store = { 0 };
	struct job job = mixed("InProgress", "Pending");
	struct explanation out;
	(void)state;
	give_plan(&store);
	history_refuse(&store.history, P5, NOW - HOUR);
	explain(&(struct explain_ask){ .job = &job, .store = &store, .now_ms = NOW }, &out);
	assert_int_equal(out.class, EXPLAIN_CAPACITY);
	assert_int_equal(out.entry_count, 2);
	assert_int_equal(out.entries[0].verdict, EXPLAIN_ENTRY_REFUSED);
	assert_string_equal(out.entries[0].why, "its plan has not begun");
	assert_int_equal(out.entries[0].last_refused.ms, NOW - HOUR); /* another job's */
	assert_string_equal(out.entries[1].why, "not free in the whole count");
	assert_int_equal(out.entries[1].last_refused.ms, NOW); /* this one's */
	assert_non_null(find(&out, "TrainingPlan.Status"));
	explanation_release(&out);
	job_release(&job);
	store_release(&store);
}

static void chosen_entry__is_taken__the_better_refused__the_worse_not_tried(void **state)
{
	struct store store = { 0 };
	struct job job = mixed("InProgress", "Training");
	struct explanation out;
	(void)state;
	add_entry(&job, "ml.g5.2xlarge", 4);
	job.selected = (struct selected){ .set = true, .count = 4 };
	memcpy(job.selected.instance_type, P4D, sizeof(P4D));
	job_settle_selection(&job);
	explain(&(struct explain_ask){ .job = &job, .store = &store, .now_ms = NOW }, &out);
	assert_int_equal(out.class, EXPLAIN_RUNNING);
	assert_int_equal(out.entries[0].verdict, EXPLAIN_ENTRY_REFUSED);
	assert_int_equal(out.entries[1].verdict, EXPLAIN_ENTRY_TAKEN);
	assert_int_equal(out.entries[2].verdict, EXPLAIN_ENTRY_NOT_TRIED);
	explanation_release(&out);
	job_release(&job);
}

static const char *requeue_keys(const struct job *job, const struct check_known *known)
{
	struct store store = { 0 };
	struct explanation out;
	const char *keys;
	explain(&(struct explain_ask){ .job = job, .store = &store, .now_ms = NOW, .known = known },
		&out);
	assert_int_equal(out.next[0].action, EXPLAIN_REQUEUE);
	keys = out.next[0].keys; /* static */
	explanation_release(&out);
	return keys;
}

/* Without a run time that is certified for its stem o has no list to suggest. */
static void requeue__goes_by_a_suggestion__where_one_can_be_made(void **state)
{
	char stem[JOB_NAME_SIZE];
	struct job job = mixed("InProgress", "Pending");
	(void)state;
	job_stem(job.name, stem);
	struct check_certified one = { .name = "big", .stems = stem, .instance_type = P5 };
	const struct check_known known = { .certified = &one, .certified_count = 1 };
	assert_string_equal(requeue_keys(&job, NULL), "P X");
	assert_string_equal(requeue_keys(&job, &known), "P X");
	one.run = (struct opt_ms){ true, HOUR };
	assert_string_equal(requeue_keys(&job, &known), "P o X");
	one.stems = "another";
	assert_string_equal(requeue_keys(&job, &known), "P X");
	job_release(&job);
}

/* Case 043: it goes on naming a type that is not asked for. */
static void message__is_a_hint__and_may_be_an_old_one(void **state)
{
	struct store store = { 0 };
	struct job job = mixed("InProgress", "Pending");
	struct explanation out;
	(void)state;
	mem_set_text(&job.status_message, "Instance type 'ml.g5.48xlarge' is temporarily "
					  "unavailable in [euw1-az1].");
	explain(&(struct explain_ask){ .job = &job, .store = &store, .now_ms = NOW }, &out);
	assert_string_equal(find(&out, "StatusMessage")->value, job.status_message);
	assert_true(find(&out, "StatusMessage")->is_hint);
	assert_non_null(strstr(find(&out, "type in the message")->value, "ml.g5.48xlarge, which"));
	assert_false(out.facts[0].is_hint);
	explanation_release(&out);
	job_release(&job);
}

/* Plans that are not read leave nothing to say of a job that waits for one alone. */
static void plan_that_is_not_read__is_unknown(void **state)
{
	struct store store = { 0 };
	struct job job = mixed("InProgress", "Pending");
	bool certain = true;
	(void)state;
	job_edit_prefs(&job)->length = 1;
	assert_int_equal(explain_class(&store, &job, NOW, &certain), EXPLAIN_UNKNOWN);
	assert_false(certain);
	give_plan(&store);
	assert_int_equal(explain_class(&store, &job, NOW, &certain), EXPLAIN_PLAN_SCHEDULED);
	assert_true(certain);
	job_release(&job);
	store_release(&store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries__are_passed_over__each_for_its_own_reason),
		cmocka_unit_test(chosen_entry__is_taken__the_better_refused__the_worse_not_tried),
		cmocka_unit_test(requeue__goes_by_a_suggestion__where_one_can_be_made),
		cmocka_unit_test(message__is_a_hint__and_may_be_an_old_one),
		cmocka_unit_test(plan_that_is_not_read__is_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
