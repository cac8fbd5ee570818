#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/fakeregion.h"

/* Every way in which an answer can be bad, and what it is called. */
static const struct {
	const char *name;
	enum err_code fails; /* no answer at all */
	int status;
	const char *code, *body;
	enum err_code expected;
} failures[] = {
	{ "timeout", ERR_TIMEOUT, 0, NULL, NULL, ERR_TIMEOUT },
	{ "no network", ERR_NET, 0, NULL, NULL, ERR_NET },
	{ "cut on the way", ERR_PARSE, 0, NULL, NULL, ERR_PARSE },
	{ "too big", ERR_TOO_BIG, 0, NULL, NULL, ERR_TOO_BIG },
	{ "cut body", ERR_NONE, 200, NULL, "{\"TrainingJobSummaries\":[{\"Tr", ERR_PARSE },
	{ "no JSON", ERR_NONE, 200, NULL, "<html>sign in</html>", ERR_PARSE },
	{ "an array", ERR_NONE, 200, NULL, "[]", ERR_PARSE },
	{ "wrong type", ERR_NONE, 200, NULL, "{\"TrainingJobSummaries\":\"x\"}", ERR_PARSE },
	{ "server error", ERR_NONE, 500, "InternalFailure", NULL, ERR_SERVER },
	{ "throttled", ERR_NONE, 400, "ThrottlingException", NULL, ERR_THROTTLED },
	{ "denied", ERR_NONE, 400, "AccessDeniedException", NULL, ERR_DENIED },
	{ "expired", ERR_NONE, 400, "ExpiredTokenException", NULL, ERR_AUTH },
	{ "signature", ERR_NONE, 403, "InvalidSignatureException", NULL, ERR_AUTH },
};
#define FAILURES (sizeof(failures) / sizeof(failures[0]))

static void fail_as(size_t kind, struct fake_answer *answer)
{
	answer->fails = failures[kind].fails;
	answer->sent = true;
	if (failures[kind].code) {
		fake_error(answer, failures[kind].status, failures[kind].code, "said so");
	} else if (failures[kind].body) {
		free(answer->body);
		answer->body = mem_copy_text(failures[kind].body);
	}
}

static void fail_training_list(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			       struct fake_answer *answer)
{
	(void)n;
	if (strcmp(sent->op, "ListTrainingJobs") == 0)
		fail_as(region->kind_of_failure, answer);
}

static void list__keeps_its_data_and_recovers__after_each_failure(void **state)
{
	(void)state;
	for (size_t kind = 0; kind < FAILURES; kind++) {
		struct fakeregion *region = fakeregion_new();
		const struct freshness *training = &region->store.sources[SOURCE_TRAINING];
		const struct freshness *other = &region->store.sources[SOURCE_PROCESSING];
		int64_t loaded;

		fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Pending");
		fakeregion_add(region, JOB_PROCESSING, 2000, "Completed", "");
		fakeregion_start(region, NULL);
		fake_run(region->world, 4000);
		loaded = training->loaded_mono_ms;
		assert_false(training->failing);

		region->kind_of_failure = kind;
		region->spoil = fail_training_list;
		fake_run(region->world, 30000);
		if (!training->failing || training->error.code != failures[kind].expected)
			fail_msg("%s: %d", failures[kind].name, training->error.code);
		assert_true(training->loaded);
		assert_int_equal(training->loaded_mono_ms, loaded);
		assert_true(training->retry_mono_ms > loaded + 5000);
		assert_string_equal(training->error.subject, "ListTrainingJobs in us-east-1");
		assert_int_equal(region->store.count, 2);
		assert_false(other->failing);

		region->spoil = NULL;
		fake_run(region->world, 65000);
		assert_false(training->failing);
		assert_true(training->loaded_mono_ms > loaded);
		fakeregion_check_pace(region);
		fakeregion_free(region);
	}
}

static void back_off__doubles_to_a_minute__while_denied(void **state)
{
	static const int64_t pauses[] = { 5000, 10000, 20000, 40000, 60000, 60000 };
	struct fakeregion *region = fakeregion_new();
	int64_t before;

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "Completed", "Completed");
	region->kind_of_failure = 10; /* final at once, so that each request is one pass */
	region->spoil = fail_training_list;
	fakeregion_start(region, NULL);
	fake_run(region->world, 300000);
	before = fake_nth(region->world, "ListTrainingJobs", 0)->at_ms;
	for (size_t i = 0; i < 6; i++) {
		int64_t at = fake_nth(region->world, "ListTrainingJobs", i + 1)->at_ms;

		/* The pause counts from the answer. */
		assert_int_equal(at - before, pauses[i] + region->latency_ms);
		before = at;
	}
	assert_false(sync_is_settled(region->sync));
	fakeregion_free(region);
}

static void fail_third_page(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			    struct fake_answer *answer)
{
	if (strcmp(sent->op, "ListTrainingJobs") == 0 && n == 2)
		fail_as(region->kind_of_failure, answer);
}

static void pass__goes_on_where_it_stood__after_a_failed_page(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	for (int i = 0; i < 450; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i, "Completed", "Completed");
	region->kind_of_failure = 10;
	region->spoil = fail_third_page;
	fakeregion_start(region, NULL);
	fake_run(region->world, 15000);
	assert_int_equal(region->store.count, 450);
	/* Five pages, one of them twice. */
	assert_string_equal(strstr(fake_nth(region->world, "ListTrainingJobs", 2)->body, "NextT"),
			    strstr(fake_nth(region->world, "ListTrainingJobs", 3)->body, "NextT"));
	assert_null(strstr(fake_nth(region->world, "ListTrainingJobs", 6)->body, "NextToken"));
	fakeregion_free(region);
}

static void refuse_token(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			 struct fake_answer *answer)
{
	(void)region;
	if (strcmp(sent->op, "ListTrainingJobs") == 0 && n == 2)
		fake_error(answer, 400, "ValidationException", "Invalid token");
}

static void pass__begins_again__when_its_token_is_refused(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	for (int i = 0; i < 450; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i, "Completed", "Completed");
	region->spoil = refuse_token;
	fakeregion_start(region, NULL);
	fake_run(region->world, 20000);
	assert_null(strstr(fake_nth(region->world, "ListTrainingJobs", 3)->body, "NextToken"));
	assert_int_equal(region->store.count, 450);
	fakeregion_free(region);
}

static bool is_about(const struct fake_sent *sent, const char *name)
{
	return strncmp(sent->op, "Describe", 8) == 0 && strstr(sent->body, name);
}

static void fail_second_job(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			    struct fake_answer *answer)
{
	(void)n;
	if (is_about(sent, "\"j-1\""))
		fail_as(region->kind_of_failure, answer);
}

static void describe__of_one_job__may_fail_for_ever(void **state)
{
	(void)state;
	for (size_t kind = 0; kind < FAILURES; kind++) {
		struct fakeregion *region = fakeregion_new();
		const struct freshness *source = &region->store.sources[SOURCE_DESCRIBE];

		for (int i = 0; i < 4; i++)
			fakeregion_add(region, JOB_TRAINING, 1000 + i, "InProgress", "Pending");
		region->kind_of_failure = kind;
		region->spoil = fail_second_job;
		fakeregion_start(region, NULL);
		sync_select(region->sync, "arn:j-1");
		fake_run(region->world, 120000);
		for (size_t i = 0; i < 4; i++)
			assert_int_equal(fakeregion_job(region, i)->described, i != 1);
		assert_true(sync_is_settled(region->sync));
		region->spoil = NULL;
		fake_run(region->world, 65000);
		assert_true(fakeregion_job(region, 1)->described);
		assert_false(source->failing);
		fakeregion_check_pace(region);
		fakeregion_free(region);
	}
}

static void fail_describes(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			   struct fake_answer *answer)
{
	(void)n;
	if (strncmp(sent->op, "Describe", 8) == 0)
		fail_as(region->kind_of_failure, answer);
}

static void describes__back_off__when_all_of_them_fail(void **state)
{
	(void)state;
	for (size_t kind = 0; kind < FAILURES; kind++) {
		struct fakeregion *region = fakeregion_new();
		const struct freshness *source = &region->store.sources[SOURCE_DESCRIBE];
		size_t before;

		for (int i = 0; i < 30; i++)
			fakeregion_add(region, JOB_TRAINING, 1000 + i, "InProgress", "Pending");
		region->kind_of_failure = kind;
		region->spoil = fail_describes;
		fakeregion_start(region, NULL);
		fake_run(region->world, 300000);
		assert_true(source->failing);
		before = fake_count(region->world, "DescribeTrainingJob");
		fake_run(region->world, 120000);
		/* A job a minute and its retries, by now; not two a second. */
		assert_in_range(fake_count(region->world, "DescribeTrainingJob") - before, 1, 9);
		assert_false(region->store.sources[SOURCE_TRAINING].failing);
		region->spoil = NULL;
		fake_run(region->world, 130000);
		assert_false(source->failing);
		for (size_t i = 0; i < 30; i++)
			assert_true(fakeregion_job(region, i)->described);
		fakeregion_check_pace(region);
		fakeregion_free(region);
	}
}

static void refresh_key__ends_the_pause__of_the_selected_job(void **state)
{
	static const size_t kinds[] = { 0, 10 }; /* of all, and of this job alone */

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fakeregion *region = fakeregion_new();

		fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Pending");
		region->kind_of_failure = kinds[i];
		region->spoil = fail_describes;
		fakeregion_start(region, NULL);
		sync_select(region->sync, "arn:j-0");
		fake_run(region->world, 3000);
		assert_true(region->store.sources[SOURCE_DESCRIBE].failing);
		region->spoil = NULL;
		fake_run(region->world, 1000);
		assert_false(fakeregion_job(region, 0)->described);
		sync_refresh(region->sync);
		fake_run(region->world, 100);
		assert_true(fakeregion_job(region, 0)->described);
		fakeregion_free(region);
	}
}

/* Time until the next try of the one job, as the store tells it. */
static int64_t left_ms(const struct fakeregion *region)
{
	const struct job_reading *reading = readings_find(&region->store.readings, "arn:j-0");

	assert_non_null(reading);
	return reading->retry_mono_ms - clock_mono_ms(&region->world->clock);
}

/* What is said of the next try is so: nothing is sent before, and then it is. */
static void describe__is_sent_again__when_the_store_says(void **state)
{
	static const size_t kinds[] = { 1, 9, 10, 11 }; /* no network, throttled, denied, expired */

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct fakeregion *region = fakeregion_new();
		const char *op = "DescribeTrainingJob";
		const struct job_readings *readings = &region->store.readings;

		fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Pending");
		fakeregion_start(region, NULL);
		sync_select(region->sync, "arn:j-0");
		fake_run(region->world, 4000);
		assert_null(readings_find(readings, "arn:j-0"));
		region->kind_of_failure = kinds[i];
		region->spoil = fail_describes;
		while (!readings_find(readings, "arn:j-0") ||
		       readings_find(readings, "arn:j-0")->under_way)
			fake_run(region->world, 100);
		assert_int_equal(readings_find(readings, "arn:j-0")->error.code,
				 failures[kinds[i]].expected);
		region->spoil = NULL;
		assert_in_range(left_ms(region), 4000, 61000);

		size_t sent = fake_count(region->world, op);

		while (left_ms(region) > 1) {
			fake_run(region->world, left_ms(region) > 100 ? 99 : left_ms(region) - 1);
			assert_int_equal(fake_count(region->world, op), sent);
		}
		fake_run(region->world, 100); /* it is sent, and answered */
		assert_int_equal(fake_count(region->world, op), sent + 1);
		assert_null(readings_find(readings, "arn:j-0"));
		fakeregion_free(region);
	}
}

/* All jobs have failed: what is said of them is bounded, and a pause holds for each. */
static void describes__pause_all__when_nothing_gets_through(void **state)
{
	struct fakeregion *region = fakeregion_new();
	const struct freshness *source = &region->store.sources[SOURCE_DESCRIBE];

	(void)state;
	for (int i = 0; i < 5; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i, "InProgress", "Pending");
	region->kind_of_failure = 1;
	region->spoil = fail_describes;
	fakeregion_start(region, NULL);
	fake_run(region->world, 20000);
	assert_true(source->failing && source->pausing);
	assert_in_range(region->store.readings.count, 1, 5);
	for (size_t i = 0; i < 5; i++) {
		struct fresh fresh = store_job_fresh(&region->store, fakeregion_job(region, i),
						     clock_mono_ms(&region->world->clock));

		assert_int_equal(fresh.state, FRESH_MISSING);
		assert_int_equal(fresh.error->code, ERR_NET);
	}
	fakeregion_free(region);
}

static void deny_training(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			  struct fake_answer *answer)
{
	(void)n;
	if (strcmp(sent->op, "DescribeTrainingJob") == 0)
		fail_as(region->kind_of_failure, answer);
}

/* A permission is that of one operation: twelve processing jobs are described at their pace, and
 * the denied operation is hardly asked. */
static void describe__that_is_denied__leaves_the_other_kind_alone(void **state)
{
	struct fakeregion *region = fakeregion_new();
	const struct freshness *source = &region->store.sources[SOURCE_DESCRIBE];

	(void)state;
	for (int i = 0; i < 24; i++)
		fakeregion_add(region, i % 2 ? JOB_PROCESSING : JOB_TRAINING, 1000 + i,
			       "InProgress", i % 2 ? "" : "Pending");
	region->kind_of_failure = 10;
	region->spoil = deny_training;
	fakeregion_start(region, NULL);
	sync_select(region->sync, "arn:j-0");
	fake_run(region->world, 20000);
	for (size_t i = 0; i < 24; i++)
		assert_int_equal(fakeregion_job(region, i)->described, i % 2);
	assert_in_range(fake_count(region->world, "DescribeTrainingJob"), 3, 6);
	assert_int_equal(readings_find(&region->store.readings, "arn:j-0")->error.code, ERR_DENIED);
	assert_true(source->failing && !source->pausing);
	/* A job newly selected is asked about all the same: its own reason is known at once. */
	sync_select(region->sync, "arn:j-20");
	fake_run(region->world, 600);
	assert_int_equal(readings_find(&region->store.readings, "arn:j-20")->error.code,
			 ERR_DENIED);
	region->spoil = NULL;
	fake_run(region->world, 130000);
	for (size_t i = 0; i < 24; i++)
		assert_true(fakeregion_job(region, i)->described);
	assert_false(source->failing);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

static void lose_first_job(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			   struct fake_answer *answer)
{
	(void)region;
	(void)n;
	if (is_about(sent, "\"j-0\""))
		fake_error(answer, 400, "ValidationException", "Requested resource not found.");
}

static void describe__forgets_the_job__that_is_gone(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Pending");
	fakeregion_add(region, JOB_TRAINING, 2000, "InProgress", "Pending");
	region->spoil = lose_first_job;
	fakeregion_start(region, NULL);
	fake_run(region->world, 3000);
	assert_null(fakeregion_job(region, 0));
	assert_true(fakeregion_job(region, 1)->described);
	assert_null(readings_find(&region->store.readings, "arn:j-0"));
	assert_false(region->store.sources[SOURCE_DESCRIBE].failing);
	fakeregion_free(region);
}

static void mix_up(struct fakeregion *region, size_t n, const struct fake_sent *sent,
		   struct fake_answer *answer)
{
	(void)region;
	(void)n;
	if (is_about(sent, "\"j-0\"")) {
		free(answer->body);
		answer->body = mem_copy_text("{\"TrainingJobName\":\"evil\",\"TrainingJobArn\":"
					     "\"arn:j-1\",\"TrainingJobStatus\":\"Failed\"}");
	}
}

static void describe__is_not_believed__when_it_is_about_another_job(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Pending");
	fakeregion_add(region, JOB_TRAINING, 2000, "InProgress", "Pending");
	region->spoil = mix_up;
	fakeregion_start(region, NULL);
	fake_run(region->world, 3000);
	assert_false(fakeregion_job(region, 0)->described);
	assert_string_equal(fakeregion_job(region, 1)->name, "j-1");
	assert_string_equal(fakeregion_job(region, 1)->status, "InProgress");
	fakeregion_free(region);
}

static void fail_nth_of_all(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			    struct fake_answer *answer)
{
	(void)n;
	(void)sent;
	if (region->world->sent_count - 1 == region->failing_request)
		fail_as(region->kind_of_failure, answer);
}

/* Each scenario again with its Nth request failing: the next refresh has put it right. */
static void everything_recovers__whichever_request_fails(void **state)
{
	(void)state;
	for (size_t nth = 0; nth < 12; nth++) {
		for (size_t kind = 0; kind < FAILURES; kind++) {
			struct fakeregion *region = fakeregion_new();

			for (int i = 0; i < 3; i++)
				fakeregion_add(region, i % 2 ? JOB_PROCESSING : JOB_TRAINING,
					       1000 + i, "InProgress", "Training");
			region->kind_of_failure = kind;
			region->failing_request = nth;
			region->spoil = fail_nth_of_all;
			fakeregion_start(region, NULL);
			fake_run(region->world, 80000);
			assert_true(sync_is_settled(region->sync));
			for (size_t i = 0; i < 3; i++)
				assert_true(fakeregion_job(region, i)->described);
			for (size_t i = SOURCE_TRAINING; i <= SOURCE_DESCRIBE; i++)
				assert_false(region->store.sources[i].failing);
			fakeregion_check_pace(region);
			fakeregion_free(region);
		}
	}
}

static void slow_answers__do_not_slow_the_pace__nor_speed_it_up(void **state)
{
	struct fakeregion *region = fakeregion_new();

	(void)state;
	for (int i = 0; i < 40; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i, "InProgress", "Pending");
	region->latency_ms = 1900;
	fakeregion_start(region, NULL);
	fake_run(region->world, 22500);
	assert_in_range(fake_count(region->world, "DescribeTrainingJob"), 38, 42);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

static void sync__can_be_freed__with_requests_in_flight(void **state)
{
	(void)state;
	for (int64_t after = 0; after < 2000; after += 40) {
		struct fakeregion *region = fakeregion_new();

		fakeregion_add(region, JOB_TRAINING, 1000, "InProgress", "Pending");
		fakeregion_start(region, NULL);
		fake_run(region->world, after);
		fakeregion_free(region);
	}
	sync_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(list__keeps_its_data_and_recovers__after_each_failure),
		cmocka_unit_test(back_off__doubles_to_a_minute__while_denied),
		cmocka_unit_test(pass__goes_on_where_it_stood__after_a_failed_page),
		cmocka_unit_test(pass__begins_again__when_its_token_is_refused),
		cmocka_unit_test(describe__of_one_job__may_fail_for_ever),
		cmocka_unit_test(describes__back_off__when_all_of_them_fail),
		cmocka_unit_test(refresh_key__ends_the_pause__of_the_selected_job),
		cmocka_unit_test(describe__is_sent_again__when_the_store_says),
		cmocka_unit_test(describes__pause_all__when_nothing_gets_through),
		cmocka_unit_test(describe__that_is_denied__leaves_the_other_kind_alone),
		cmocka_unit_test(describe__forgets_the_job__that_is_gone),
		cmocka_unit_test(describe__is_not_believed__when_it_is_about_another_job),
		cmocka_unit_test(everything_recovers__whichever_request_fails),
		cmocka_unit_test(slow_answers__do_not_slow_the_pace__nor_speed_it_up),
		cmocka_unit_test(sync__can_be_freed__with_requests_in_flight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
