/*
 * Requeues with a journal and a submitter on a simulated region: in each order, whatever becomes of
 * the jobs in between, and of the answers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/requeuebench.h"

static void want(const struct requeuebench *bench, const char *steps, bool old_lives,
		 bool new_lives)
{
	assert_string_equal(bench->steps, steps);
	assert_int_equal(requeuebench_lives(bench, OLD), old_lives);
	assert_int_equal(requeuebench_lives(bench, NEW), new_lives);
	assert_int_equal(bench->troubles, 0);
}

/* The requests, in their order, each with how often it came in a row. */
static void want_calls(const struct requeuebench *bench, const char *expected)
{
	struct buf calls;
	buf_init(&calls, 4096);
	for (size_t i = 0; i < bench->world->sent_count; i++) {
		const char *op = bench->world->sent[i].op;
		if (i > 0 && strcmp(op, bench->world->sent[i - 1].op) == 0)
			continue;
		buf_addf(&calls, "%s%s", i > 0 ? " " : "", op);
	}
	assert_string_equal(buf_text(&calls), expected);
	buf_release(&calls);
}

/* --- the two orders --- */

static void stop_first__creates__once_the_old_one_has_ended(void **state)
{
	struct requeuebench bench;
	(void)state;
	requeuebench_start(&bench, true);
	requeuebench_requeue(&bench);
	want(&bench, "await-end create done", false, true);
	want_calls(&bench, "DescribeTrainingJob ListTags DescribeTrainingJob StopTrainingJob "
			   "DescribeTrainingJob CreateTrainingJob");
	assert_int_equal(requeuebench_job(&bench, OLD)->status, SIM_STOPPED);
	assert_int_equal(bench.overlap_most_ms, 0);
	assert_int_equal(fake_count(bench.world, "StopTrainingJob"), 1);
	assert_int_equal(fake_count(bench.world, "CreateTrainingJob"), 1);
	requeuebench_stop(&bench);
}

static void submit_first__stops_the_old_one__once_the_new_one_is_there(void **state)
{
	struct requeuebench bench;
	(void)state;
	requeuebench_start(&bench, false);
	requeuebench_requeue(&bench);
	want(&bench, "create-first replace done", false, true);
	want_calls(&bench, "DescribeTrainingJob ListTags DescribeTrainingJob CreateTrainingJob "
			   "DescribeTrainingJob StopTrainingJob");
	assert_in_range(bench.overlap_most_ms, 1, REFRESH_MS);
	requeuebench_stop(&bench);
}

/* --- jobs that start in between --- */

static void start_old_at_first_look(struct requeuebench *bench, const struct fake_sent *sent,
				    struct fake_answer *answer, bool answered_already)
{
	(void)sent;
	(void)answer;
	if (bench->calls == 1 && !answered_already)
		requeuebench_set_free(bench, OLD_TYPE, 2);
}

static void old__stays__where_it_starts_before_the_first_look(void **state)
{
	(void)state;
	for (int stop_first = 0; stop_first < 2; stop_first++) {
		struct requeuebench bench;
		requeuebench_start(&bench, stop_first);
		bench.meddle = start_old_at_first_look;
		requeuebench_requeue(&bench);
		want(&bench, "old-stays", true, false);
		assert_int_equal(fake_count(bench.world, "StopTrainingJob"), 0);
		assert_int_equal(fake_count(bench.world, "CreateTrainingJob"), 0);
		requeuebench_stop(&bench);
	}
}

/* While the new one is being created. */
static void start_old_at_create(struct requeuebench *bench, const struct fake_sent *sent,
				struct fake_answer *answer, bool answered_already)
{
	(void)answer;
	if (strcmp(sent->op, "CreateTrainingJob") == 0 && !answered_already)
		requeuebench_set_free(bench, OLD_TYPE, 2);
}

static void new__is_taken_back__where_the_old_one_starts_meanwhile(void **state)
{
	struct requeuebench bench;
	(void)state;
	requeuebench_start(&bench, false);
	bench.meddle = start_old_at_create;
	requeuebench_requeue(&bench);
	want(&bench, "create-first replace take-back old-stays", true, false);
	assert_int_equal(fake_count(bench.world, "StopTrainingJob"), 1);
	assert_non_null(strstr(fake_nth(bench.world, "StopTrainingJob", 0)->body, NEW));
	requeuebench_stop(&bench);
}

static void start_both_at_create(struct requeuebench *bench, const struct fake_sent *sent,
				 struct fake_answer *answer, bool answered_already)
{
	start_old_at_create(bench, sent, answer, answered_already);
	if (strcmp(sent->op, "CreateTrainingJob") == 0 && answered_already)
		requeuebench_set_free(bench, NEW_TYPE, 2);
}

static void both__are_left_to_a_person__where_both_have_started(void **state)
{
	struct requeuebench bench;
	(void)state;
	requeuebench_start(&bench, false);
	bench.meddle = start_both_at_create;
	requeuebench_requeue(&bench);
	want(&bench, "create-first replace take-back choose both", true, true);
	assert_int_equal(fake_count(bench.world, "StopTrainingJob"), 0);
	requeuebench_stop(&bench);
}

/* --- refusals --- */

static void deny_stops_of_old(struct requeuebench *bench, const struct fake_sent *sent,
			      struct fake_answer *answer, bool answered_already)
{
	(void)bench;
	if (strcmp(sent->op, "StopTrainingJob") == 0 && strstr(sent->body, OLD) &&
	    !answered_already)
		fake_error(answer, 400, "AccessDeniedException", "not authorized to stop");
}

static void stop_refused__leaves_the_old_one__and_no_new_one(void **state)
{
	(void)state;
	for (int stop_first = 0; stop_first < 2; stop_first++) {
		struct requeuebench bench;
		requeuebench_start(&bench, stop_first);
		bench.meddle = deny_stops_of_old;
		requeuebench_requeue(&bench);
		want(&bench, stop_first ? "unstopped" : "create-first replace take-back old-stays",
		     true, false);
		assert_non_null(strstr(err_text(&bench.err), "not authorized to stop"));
		requeuebench_stop(&bench);
	}
}

static void shrink_quota(struct requeuebench *bench, const struct fake_sent *sent,
			 struct fake_answer *answer, bool answered_already)
{
	(void)answer;
	if (strcmp(sent->op, "CreateTrainingJob") != 0 || answered_already)
		return;
	assert_int_equal(simregion_control(bench->sim, "/_sim/quota",
					   "{\"instance_type\":\"" NEW_TYPE
					   "\",\"kind\":\"training\",\"value\":1}"),
			 200);
}

static void create_refused__keeps_the_request__after_the_stop(void **state)
{
	(void)state;
	for (int stop_first = 0; stop_first < 2; stop_first++) {
		struct requeuebench bench;
		requeuebench_start(&bench, stop_first);
		bench.meddle = shrink_quota;
		requeuebench_requeue(&bench);
		want(&bench, stop_first ? "await-end create not-created" : "create-first refused",
		     !stop_first, false);
		assert_string_equal(bench.err.aws_code, "ResourceLimitExceeded");
		assert_true(bench.has_text);
		requeuebench_stop(&bench);
	}
}

static void owned__is_not_touched__in_either_order(void **state)
{
	(void)state;
	for (int stop_first = 0; stop_first < 2; stop_first++) {
		struct requeuebench bench;
		requeuebench_start(&bench, stop_first);
		assert_int_equal(simregion_call(bench.sim, "AddTags",
						"{\"ResourceArn\":\"arn:aws:sagemaker:us-east-1:"
						"111122223333:training-job/" OLD
						"\",\"Tags\":[{\"Key\":\"MANAGED_BY_AWS\","
						"\"Value\":\"STARTED_BY_STEP_FUNCTIONS\"}]}"),
				 200);
		requeuebench_requeue(&bench);
		want(&bench, "unstopped", true, false);
		assert_int_equal(bench.owner, OWNER_STEP_FUNCTIONS);
		requeuebench_stop(&bench);
	}
}

/* --- tags --- */

#define ARN(name) "arn:aws:sagemaker:us-east-1:111122223333:training-job/" name

static void deny_tags(struct requeuebench *bench, const struct fake_sent *sent,
		      struct fake_answer *answer, bool answered_already)
{
	(void)bench;
	if (!answered_already && strcmp(sent->op, "ListTags") == 0)
		fake_error(answer, 400, "AccessDeniedException", "not authorized to list tags");
}

static void tags__go_with_the_copy__where_they_can_be_read(void **state)
{
	(void)state;
	for (int way = 0; way < 4; way++) {
		struct requeuebench bench;
		bool is_denied = way & 2;
		requeuebench_start(&bench, way & 1);
		bench.carries_tags = true;
		bench.meddle = is_denied ? deny_tags : NULL;
		assert_int_equal(
			simregion_call(bench.sim, "AddTags",
				       "{\"ResourceArn\":\"" ARN(
					       OLD) "\",\"Tags\":"
						    "[{\"Key\":\"team\",\"Value\":\"vision\"}]}"),
			200);
		requeuebench_requeue(&bench);
		want(&bench, way & 1 ? "await-end create done" : "create-first replace done", false,
		     true);
		assert_string_equal(bench.sentence,
				    is_denied ? "submitted " NEW " in the place of " OLD
						", without its tags: not authorized to list tags"
					      : "submitted " NEW " in the place of " OLD);
		assert_int_equal(simregion_call(bench.sim, "ListTags",
						"{\"ResourceArn\":\"" ARN(NEW) "\"}"),
				 200);
		const char *body = simregion_body(bench.sim);
		assert_int_equal(strstr(body, "vision") != NULL, !is_denied);
		requeuebench_stop(&bench);
	}
}

/* --- answers that are lost --- */

static void lose_first_of_each(struct requeuebench *bench, const struct fake_sent *sent,
			       struct fake_answer *answer, bool answered_already)
{
	bool is_change = strcmp(sent->op, "DescribeTrainingJob") != 0;
	if (answered_already && is_change && fake_count(bench->world, sent->op) == 1)
		requeuebench_lose(answer);
}

static void requeue__is_done_once__where_answers_are_lost(void **state)
{
	(void)state;
	for (int stop_first = 0; stop_first < 2; stop_first++) {
		struct requeuebench bench;
		requeuebench_start(&bench, stop_first);
		bench.meddle = lose_first_of_each;
		requeuebench_requeue(&bench);
		want(&bench, stop_first ? "await-end create done" : "create-first replace done",
		     false, true);
		assert_int_equal(fake_count(bench.world, "CreateTrainingJob"), 1);
		requeuebench_stop(&bench);
	}
}

/* The first look has no answer, of which the client has tried again all that it does. */
static void fail_looks_for_a_minute(struct requeuebench *bench, const struct fake_sent *sent,
				    struct fake_answer *answer, bool answered_already)
{
	(void)sent;
	if (!answered_already && bench->world->mono_ms < bench->begun_ms + BENCH_MINUTE)
		fake_error(answer, 500, "InternalFailure", "not now");
}

static void requeue__goes_on__after_a_look_without_an_answer(void **state)
{
	(void)state;
	for (int stop_first = 0; stop_first < 2; stop_first++) {
		struct requeuebench bench;
		requeuebench_start(&bench, stop_first);
		bench.begun_ms = bench.world->mono_ms;
		bench.meddle = fail_looks_for_a_minute;
		requeuebench_requeue(&bench);
		want(&bench, stop_first ? "await-end create done" : "create-first replace done",
		     false, true);
		requeuebench_stop(&bench);
	}
}

/* So long that the yes does not hold until the new one could be created: nothing is stopped. */
static void fail_looks_for_long(struct requeuebench *bench, const struct fake_sent *sent,
				struct fake_answer *answer, bool answered_already)
{
	(void)sent;
	if (!answered_already && bench->world->mono_ms < bench->begun_ms + 16 * BENCH_MINUTE)
		fake_error(answer, 500, "InternalFailure", "not now");
}

static void old__is_not_stopped__once_the_yes_is_too_old(void **state)
{
	(void)state;
	for (int stop_first = 0; stop_first < 2; stop_first++) {
		struct requeuebench bench;
		requeuebench_start(&bench, stop_first);
		bench.begun_ms = bench.world->mono_ms;
		bench.meddle = fail_looks_for_long;
		requeuebench_ask(&bench);
		requeuebench_run(&bench, 20 * BENCH_MINUTE);
		want(&bench, stop_first ? "stale" : "create-first stale", true, false);
		assert_int_equal(fake_count(bench.world, "StopTrainingJob"), 0);
		requeuebench_stop(&bench);
	}
}

/* The old one cannot be looked at any more: two refreshes are enough. */
static void blind_to_old_after_create(struct requeuebench *bench, const struct fake_sent *sent,
				      struct fake_answer *answer, bool answered_already)
{
	if (!answered_already && fake_count(bench->world, "CreateTrainingJob") > 0 &&
	    strcmp(sent->op, "DescribeTrainingJob") == 0 && strstr(sent->body, OLD))
		answer->never = true;
}

static void overlap__is_never_longer__than_two_refreshes(void **state)
{
	struct requeuebench bench;
	(void)state;
	requeuebench_start(&bench, false);
	bench.meddle = blind_to_old_after_create;
	requeuebench_requeue(&bench);
	want(&bench, "create-first replace take-back old-stays", true, false);
	assert_in_range(bench.overlap_most_ms, REFRESH_MS, 2 * REFRESH_MS + 1000);
	requeuebench_stop(&bench);
}

/* This program has submitted under the name before, and taken that job back: the old one is not
 * given up for it. */
static void old__is_not_stopped__for_one_that_was_just_taken_back(void **state)
{
	struct requeuebench bench;
	(void)state;
	requeuebench_start(&bench, false);
	bench.meddle = blind_to_old_after_create;
	requeuebench_ask(&bench);
	while (!strstr(bench.steps, "replace"))
		requeuebench_run(&bench, STEP_MS);
	assert_int_equal(requeuer_withdraw(bench.requeuer, JOB_TRAINING, OLD), WITHDRAWN);
	while (!bench.ended)
		requeuebench_run(&bench, STEP_MS);
	bench.meddle = NULL;
	want(&bench, "create-first replace take-back old-stays", true, false);
	bench.steps[0] = '\0';
	requeuebench_requeue(&bench);
	want(&bench, "create-first refused", true, false);
	assert_int_equal(fake_count(bench.world, "StopTrainingJob"), 1);
	assert_non_null(strstr(bench.sentence, "this draft has been submitted as " NEW));
	requeuebench_stop(&bench);
}

/* --- taken back, twice, too late --- */

static void withdrawn__never_creates__once_the_old_one_is_stopped(void **state)
{
	struct requeuebench bench;
	(void)state;
	requeuebench_start(&bench, true);
	requeuebench_ask(&bench);
	while (!strstr(bench.steps, "await-end"))
		requeuebench_run(&bench, STEP_MS);
	assert_int_equal(requeuer_withdraw(bench.requeuer, JOB_TRAINING, OLD), WITHDRAWN);
	requeuebench_run(&bench, 6 * BENCH_MINUTE);
	want(&bench, "await-end withdrawn", false, false);
	assert_true(bench.old_stopped);
	assert_int_equal(requeuer_withdraw(bench.requeuer, JOB_TRAINING, OLD), WITHDRAWN_NONE);
	requeuebench_end(&bench);
	requeuebench_begin(&bench, true);
	requeuebench_run(&bench, 6 * BENCH_MINUTE);
	want(&bench, "await-end withdrawn", false, false);
	assert_int_equal(fake_count(bench.world, "CreateTrainingJob"), 0);
	requeuebench_stop(&bench);
}

/* At every moment of it: what can be taken back makes no job, and where it is too late one of the
 * two is there as if nobody had asked. */
static void withdrawn__leaves_one_job_or_none_new__at_any_moment(void **state)
{
	unsigned taken = 0, late = 0;
	(void)state;
	for (int stop_first = 0; stop_first < 2; stop_first++) {
		bool ended = false;
		for (int64_t ms = 0; !ended; ms += STEP_MS) {
			struct requeuebench bench;
			requeuebench_start(&bench, stop_first);
			requeuebench_ask(&bench);
			requeuebench_run(&bench, ms);
			ended = bench.ended;
			size_t all = requeuer_withdraw_all(bench.requeuer);
			requeuebench_run(&bench, 6 * BENCH_MINUTE);
			assert_true(bench.ended);
			bool old_lives = requeuebench_lives(&bench, OLD);
			bool new_lives = requeuebench_lives(&bench, NEW);
			assert_false(old_lives && new_lives);
			if (all > 0)
				assert_false(new_lives);
			else
				assert_true(new_lives);
			if (all > 0 && !stop_first)
				assert_true(old_lives);
			if (bench.last == REQUEUE_WITHDRAWN) {
				assert_int_equal(bench.old_stopped, !old_lives);
				assert_int_equal(fake_count(bench.world, "CreateTrainingJob"), 0);
			}
			taken += all > 0;
			late += all == 0;
			requeuebench_stop(&bench);
		}
	}
	printf("%u taken back, %u too late\n", taken, late);
	assert_true(taken > 10);
}

static void second__is_refused__while_the_first_goes_on_and_after(void **state)
{
	struct requeuebench bench;
	(void)state;
	requeuebench_start(&bench, true);
	requeuebench_ask(&bench);
	requeuebench_run(&bench, 2000);
	requeuebench_ask(&bench);
	requeuebench_run(&bench, 2000);
	assert_non_null(strstr(bench.steps, "unstopped"));
	assert_non_null(strstr(err_text(&bench.err), OLD " is being requeued already, as " NEW));
	requeuebench_run(&bench, 6 * BENCH_MINUTE);
	assert_int_equal(fake_count(bench.world, "CreateTrainingJob"), 1);
	bench.steps[0] = '\0';
	requeuebench_ask(&bench);
	requeuebench_run(&bench, 6 * BENCH_MINUTE);
	want(&bench, "old-stays", false, true); /* the old one does not wait any more */
	assert_int_equal(fake_count(bench.world, "CreateTrainingJob"), 1);
	requeuebench_stop(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stop_first__creates__once_the_old_one_has_ended),
		cmocka_unit_test(submit_first__stops_the_old_one__once_the_new_one_is_there),
		cmocka_unit_test(old__stays__where_it_starts_before_the_first_look),
		cmocka_unit_test(new__is_taken_back__where_the_old_one_starts_meanwhile),
		cmocka_unit_test(both__are_left_to_a_person__where_both_have_started),
		cmocka_unit_test(stop_refused__leaves_the_old_one__and_no_new_one),
		cmocka_unit_test(create_refused__keeps_the_request__after_the_stop),
		cmocka_unit_test(owned__is_not_touched__in_either_order),
		cmocka_unit_test(tags__go_with_the_copy__where_they_can_be_read),
		cmocka_unit_test(requeue__is_done_once__where_answers_are_lost),
		cmocka_unit_test(requeue__goes_on__after_a_look_without_an_answer),
		cmocka_unit_test(old__is_not_stopped__once_the_yes_is_too_old),
		cmocka_unit_test(overlap__is_never_longer__than_two_refreshes),
		cmocka_unit_test(old__is_not_stopped__for_one_that_was_just_taken_back),
		cmocka_unit_test(withdrawn__never_creates__once_the_old_one_is_stopped),
		cmocka_unit_test(withdrawn__leaves_one_job_or_none_new__at_any_moment),
		cmocka_unit_test(second__is_refused__while_the_first_goes_on_and_after),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
