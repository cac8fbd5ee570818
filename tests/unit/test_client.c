#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/client.h"
#include "aws/sagemaker_jobs.h"
#include "model/base/mem.h"
#include "tests/clientbench.h"

/* The published request V1, through the whole client: same digits. */
static void request__carries_the_published_signature__for_v1(void **state)
{
	struct bench bench = { 0 };
	const char *body = "{\"MaxResults\":100,\"SortBy\":\"CreationTime\","
			   "\"SortOrder\":\"Descending\"}";

	(void)state;
	bench_start(&bench, (struct aws_options){ .region = "us-west-2", .ctx = &bench });
	bench.world->wall_ms = INT64_C(1786529472000); /* 2026-08-12T10:11:12Z */
	aws_client_call(bench.client, &op_list_training_jobs, body, bench_ended, &bench);
	fake_run(bench.world, 0);

	const struct fake_sent *sent = fake_nth(bench.world, "ListTrainingJobs", 0);

	assert_non_null(sent);
	assert_string_equal(sent->date, "20260812T101112Z");
	assert_string_equal(sent->host, "api.sagemaker.us-west-2.amazonaws.com");
	assert_string_equal(sent->body, body);
	assert_string_equal(sent->authorization,
			    "AWS4-HMAC-SHA256 "
			    "Credential=AKIDEXAMPLE/20260812/us-west-2/sagemaker/aws4_request, "
			    "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature="
			    "5a6c74b2b478cb4811e79cad94a1d93c4373e1cbf8dcc7b41690140ef96c17c2");
	assert_false(sent->once);
	assert_int_equal(bench.done, 1);
	assert_int_equal(bench.failed, 0);
	bench_stop(&bench);
}

static void call__ends_once_and_later__with_the_reply(void **state)
{
	struct bench bench = { 0 };

	(void)state;
	bench_start(&bench, (struct aws_options){ 0 });
	bench_call(&bench, &op_describe_training_job);
	assert_int_equal(bench.done, 0);
	fake_run(bench.world, 100000);
	assert_int_equal(bench.done, 1);
	assert_int_equal(bench.tries, 1);
	assert_int_equal(bench.body_len, strlen("{\"ok\":1}"));
	assert_int_equal(bench.dates, bench.world->wall_ms - 100000);
	assert_string_equal(fake_nth(bench.world, "DescribeTrainingJob", 0)->token, BENCH_TOKEN);
	assert_int_equal(pace_started(aws_client_pace(bench.client), "DescribeTrainingJob"), 1);
	assert_int_equal(pace_started(aws_client_pace(bench.client), "Nothing"), 0);
	bench_stop(&bench);
}

static void empty_body__is_an_empty_object__on_success(void **state)
{
	struct bench bench = { 0 };

	(void)state;
	bench_start(&bench, (struct aws_options){ 0 });
	bench_call(&bench, &op_stop_training_job);
	free(bench.world->flights[0].answer.body);
	bench.world->flights[0].answer.body = NULL;
	fake_run(bench.world, 0);
	assert_int_equal(bench.done, 1);
	assert_int_equal(bench.failed, 0);
	bench_stop(&bench);
}

static void read_only__refuses_every_change__and_nothing_else(void **state)
{
	struct bench bench = { 0 };
	unsigned changes = 0, reads = 0;

	(void)state;
	static const bool yes = true;
	bench_start(&bench, (struct aws_options){ .read_only = &yes });
	for (size_t i = 0; sagemaker_job_ops[i]; i++) {
		const struct aws_op *op = sagemaker_job_ops[i];
		bool reads_only = strncmp(op->name, "List", 4) == 0 ||
				  strncmp(op->name, "Describe", 8) == 0 ||
				  strcmp(op->name, "Search") == 0;

		bench.failed = 0;
		bench_call(&bench, op);
		fake_run(bench.world, 5000);
		assert_int_equal(bench.failed, reads_only ? 0 : 1);
		assert_int_equal(fake_count(bench.world, op->name), reads_only ? 1 : 0);
		changes += !reads_only;
		reads += reads_only;
		if (!reads_only) {
			assert_int_equal(bench.err.code, ERR_CONFIG);
			assert_int_equal(bench.tries, 0);
			assert_false(bench.open);
		}
	}
	assert_int_equal(changes, 4);
	assert_int_equal(reads, 5);
	bench_stop(&bench);
}

/* Nothing tells a Create's reply from a repeated one but the flags of its row. */
static void ops__declare_what_they_do__in_their_rows(void **state)
{
	(void)state;
	for (size_t i = 0; sagemaker_job_ops[i]; i++) {
		const struct aws_op *op = sagemaker_job_ops[i];
		bool list = strncmp(op->name, "List", 4) == 0 || strcmp(op->name, "Search") == 0;
		bool describe = strncmp(op->name, "Describe", 8) == 0;
		bool create = strncmp(op->name, "Create", 6) == 0;

		assert_int_equal(op->service, SERVICE_SAGEMAKER);
		assert_int_equal(op->list, list);
		assert_int_equal(op->describe, describe);
		assert_int_equal(op->changes, !list && !describe);
		assert_int_equal(op->resend, !create);
		assert_true(op->timeout_ms > 0);
		assert_true(op->max_reply > 0 && op->max_reply <= 8u << 20);
	}
}

static void throttle_first_two(struct bench *bench, size_t n, const struct fake_sent *sent,
			       struct fake_answer *answer)
{
	(void)n;
	if (sent->op[0] == 'L' && fake_count(bench->world, "ListTrainingJobs") <= 2)
		fake_error(answer, 400, "ThrottlingException", "Rate exceeded");
}

static void lists__start_a_second_apart__retries_included(void **state)
{
	struct bench bench = { .answer = throttle_first_two };
	int64_t last = 0;

	(void)state;
	bench_start(&bench, (struct aws_options){ .pace = 1 });
	for (int i = 0; i < 6; i++)
		bench_call(&bench, &op_list_training_jobs);
	bench_call(&bench, &op_list_processing_jobs);
	fake_run(bench.world, 60000);
	assert_int_equal(bench.done, 7);
	assert_int_equal(bench.failed, 0);
	assert_int_equal(fake_count(bench.world, "ListTrainingJobs"), 8);
	for (size_t i = 0; i < 8; i++) {
		const struct fake_sent *sent = fake_nth(bench.world, "ListTrainingJobs", i);

		assert_true(i == 0 || sent->at_ms - last >= 1000);
		last = sent->at_ms;
	}
	/* The other operation has a pace of its own. */
	assert_int_equal(fake_nth(bench.world, "ListProcessingJobs", 0)->at_ms,
			 fake_nth(bench.world, "ListTrainingJobs", 0)->at_ms);
	bench_stop(&bench);
}

static void throttle_lists(struct bench *bench, size_t n, const struct fake_sent *sent,
			   struct fake_answer *answer)
{
	(void)bench;
	(void)n;
	if (sent->op[0] == 'L')
		fake_error(answer, 400, "ThrottlingException", "Rate exceeded");
}

/* The account has 2 list calls a second for all who work in it: a queue once stopped for good when
 * retries of one program kept that limit full. */
static void throttled_lists__stay_below_the_limit__for_as_long_as_it_lasts(void **state)
{
	struct bench bench = { .answer = throttle_lists };
	struct slowdown slowdown;
	unsigned done = UINT_MAX, late = 0;

	(void)state;
	bench_start(&bench, (struct aws_options){ .pace = 1 });

	int64_t start_ms = bench.world->mono_ms;

	for (int i = 0; i < 600; i++) {
		if (bench.done != done)
			bench_call(&bench, &op_list_training_jobs);
		done = bench.done;
		fake_run(bench.world, 1000);
	}
	assert_true(bench.failed > 20);
	assert_int_equal(bench.failed, bench.done);
	assert_int_equal(bench.err.code, ERR_THROTTLED);
	assert_int_equal(bench.err.hint, HINT_RETRY_LATER);
	for (size_t i = 1; i < bench.world->sent_count; i++) {
		assert_true(bench.world->sent[i].at_ms - bench.world->sent[i - 1].at_ms >= 1000);
		late += bench.world->sent[i].at_ms >= start_ms + 300000;
	}
	/* An eighth of one a second, and it never stops. */
	assert_in_range(late, 30, 39);
	slowdown = pace_slowdown(aws_client_pace(bench.client), &op_list_training_jobs);
	assert_in_range(slowdown_pace(&slowdown, bench.world->mono_ms), 125, 140);
	/* That of another list is its own. */
	slowdown = pace_slowdown(aws_client_pace(bench.client), &op_list_processing_jobs);
	assert_int_equal(slowdown_pace(&slowdown, bench.world->mono_ms), 1000);
	bench_stop(&bench);
}

static void pace__is_as_asked__or_none(void **state)
{
	struct bench bench = { 0 };

	(void)state;
	bench_start(&bench, (struct aws_options){ .pace = 4 });
	for (int i = 0; i < 3; i++)
		bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 499);
	assert_int_equal(bench.done, 2);
	fake_run(bench.world, 1);
	assert_int_equal(bench.done, 3);
	bench_stop(&bench);

	bench = (struct bench){ 0 };
	bench_start(&bench, (struct aws_options){ .pace = 0 });
	for (int i = 0; i < 5; i++) {
		bench_call(&bench, &op_list_training_jobs);
		bench_call(&bench, &op_describe_training_job);
	}
	fake_run(bench.world, 0);
	assert_int_equal(bench.done, 10);
	bench_stop(&bench);
}

static void describes__start_twice_a_second__over_both_kinds(void **state)
{
	struct bench bench = { 0 };

	(void)state;
	bench_start(&bench, (struct aws_options){ .pace = 1 });
	for (int i = 0; i < 10; i++)
		bench_call(&bench, i % 2 ? &op_describe_training_job : &op_describe_processing_job);
	fake_run(bench.world, 20000);
	assert_int_equal(bench.done, 10);
	for (size_t i = 2; i < bench.world->sent_count; i++)
		assert_true(bench.world->sent[i].at_ms - bench.world->sent[i - 2].at_ms >= 1000);
	bench_stop(&bench);
}

static void record_name(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	char *slot = ctx;

	(void)reply;
	assert_null(err);
	*slot = 'x';
}

static void waiting_calls__go_in_order__of_their_arrival(void **state)
{
	struct bench bench = { 0 };
	char slots[5] = "";

	(void)state;
	bench_start(&bench, (struct aws_options){ .pace = 1 });
	for (size_t i = 0; i < 4; i++)
		aws_client_call(bench.client, &op_list_training_jobs, "{}", record_name, &slots[i]);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(slots[i], '\0');
		fake_run(bench.world, i == 0 ? 0 : 1000);
		assert_int_equal(slots[i], 'x');
		assert_true(i == 3 || slots[i + 1] == '\0');
	}
	bench_stop(&bench);
}

/* Ten Describes wait, half a second each; somebody's own is the next. */
static void call_ahead__goes_before__what_waits_already(void **state)
{
	struct bench bench = { 0 };
	struct aws_op ahead = op_describe_training_job;

	(void)state;
	ahead.name = "Ahead";
	ahead.ahead = true;
	bench_start(&bench, (struct aws_options){ .pace = 1 });
	for (int i = 0; i < 10; i++)
		bench_call(&bench, &op_describe_training_job);
	fake_run(bench.world, 100);
	size_t sent = bench.world->sent_count;
	bench_call(&bench, &ahead);
	fake_run(bench.world, 20000);
	assert_int_equal(bench.done, 11);
	assert_string_equal(bench.world->sent[sent].op, "Ahead");
	bench_stop(&bench);
}

static void cancel__drops_the_call__wherever_it_is(void **state)
{
	struct bench bench = { 0 };
	uint64_t flying, waiting;

	(void)state;
	bench_start(&bench, (struct aws_options){ .pace = 1 });
	flying = bench_call(&bench, &op_list_training_jobs);
	waiting = bench_call(&bench, &op_list_training_jobs);
	aws_client_on_drop(bench.client, flying, bench_dropped);
	aws_client_on_drop(bench.client, waiting, bench_dropped);
	aws_client_cancel(bench.client, waiting);
	aws_client_cancel(bench.client, flying);
	aws_client_cancel(bench.client, flying);
	aws_client_cancel(bench.client, 12345);
	fake_run(bench.world, 10000);
	assert_int_equal(bench.done, 0);
	assert_int_equal(bench.dropped, 2);
	assert_int_equal(bench.world->cancelled, 1);
	bench_stop(&bench);
}

static void free__drops_what_is_left__without_calling_back(void **state)
{
	struct bench bench = { 0 };

	(void)state;
	bench_start(&bench, (struct aws_options){ .pace = 1 });
	for (int i = 0; i < 3; i++)
		aws_client_on_drop(bench.client, bench_call(&bench, &op_list_training_jobs),
				   bench_dropped);
	aws_client_free(bench.client);
	bench.client = NULL;
	assert_int_equal(bench.done, 0);
	assert_int_equal(bench.dropped, 3);
	assert_int_equal(bench.world->cancelled, 1);
	bench_stop(&bench);
	aws_client_free(NULL);
}

static void call_back__may_start_and_cancel__other_calls(void **state)
{
	struct bench bench = { 0 };

	(void)state;
	bench_start(&bench, (struct aws_options){ .pace = 1 });
	bench_call(&bench, &op_list_training_jobs);
	bench.victim = bench_call(&bench, &op_list_processing_jobs);
	bench.chain = true;
	fake_run(bench.world, 10000);
	assert_int_equal(bench.done, 2); /* the first, and the one that it started */
	assert_int_equal(fake_count(bench.world, "DescribeTrainingJob"), 1);
	bench_stop(&bench);
}

static void client__is_refused__without_what_it_needs(void **state)
{
	static const struct {
		const char *region, *url;
		enum err_code code;
		enum err_hint hint;
	} cases[] = {
		{ NULL, NULL, ERR_CONFIG, HINT_SET_REGION },
		{ "", NULL, ERR_CONFIG, HINT_SET_REGION },
		{ "us east 1", NULL, ERR_CONFIG, HINT_SET_REGION },
		{ "us-east-1", "ftp://h", ERR_CONFIG, HINT_NONE },
	};
	struct fake_world *world = fake_world_new(NULL, NULL);
	char access[] = "A", secret[] = "S";
	struct aws_credentials keys = { .access_key = access, .secret_key = secret };
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct aws_options options = { .region = cases[i].region,
					       .endpoint_url = cases[i].url,
					       .clock = &world->clock };

		assert_null(aws_client_new(&options, &keys, &err));
		assert_int_equal(err.code, cases[i].code);
		assert_int_equal(err.hint, cases[i].hint);
		err_clear(&err);
	}

	struct aws_options options = { .region = "us-east-1", .clock = &world->clock };

	keys.secret_key = NULL;
	assert_null(aws_client_new(&options, &keys, &err));
	assert_int_equal(err.code, ERR_AUTH);
	err_clear(&err);
	fake_world_free(world);
}

static void credentials__come_from_the_environment__clean_or_not_at_all(void **state)
{
	struct aws_credentials keys = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(unsetenv("AWS_SECURITY_TOKEN"), 0);
	assert_int_equal(setenv("AWS_ACCESS_KEY_ID", "AK", 1), 0);
	assert_int_equal(unsetenv("AWS_SECRET_ACCESS_KEY"), 0);
	assert_false(aws_credentials_from_env(&keys, &err));
	assert_int_equal(err.code, ERR_AUTH);
	assert_int_equal(err.hint, HINT_SET_CREDENTIALS);
	assert_non_null(strstr(err_text(&err), "AWS_SECRET_ACCESS_KEY"));
	err_clear(&err);
	assert_int_equal(setenv("AWS_SECRET_ACCESS_KEY", "very-secret\r", 1), 0);
	assert_false(aws_credentials_from_env(&keys, &err));
	assert_null(strstr(err_text(&err), "very-secret"));
	err_clear(&err);
	assert_int_equal(setenv("AWS_SECRET_ACCESS_KEY", "SK", 1), 0);
	assert_int_equal(setenv("AWS_SESSION_TOKEN", "", 1), 0);
	assert_true(aws_credentials_from_env(&keys, &err));
	assert_string_equal(keys.access_key, "AK");
	assert_string_equal(keys.secret_key, "SK");
	assert_null(keys.session_token);
	aws_credentials_release(&keys);
	assert_null(keys.secret_key);
	assert_int_equal(setenv("AWS_SESSION_TOKEN", "T", 1), 0);
	assert_true(aws_credentials_from_env(&keys, &err));
	assert_string_equal(keys.session_token, "T");
	aws_credentials_release(&keys);
	aws_credentials_release(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(request__carries_the_published_signature__for_v1),
		cmocka_unit_test(call__ends_once_and_later__with_the_reply),
		cmocka_unit_test(empty_body__is_an_empty_object__on_success),
		cmocka_unit_test(read_only__refuses_every_change__and_nothing_else),
		cmocka_unit_test(ops__declare_what_they_do__in_their_rows),
		cmocka_unit_test(lists__start_a_second_apart__retries_included),
		cmocka_unit_test(throttled_lists__stay_below_the_limit__for_as_long_as_it_lasts),
		cmocka_unit_test(pace__is_as_asked__or_none),
		cmocka_unit_test(describes__start_twice_a_second__over_both_kinds),
		cmocka_unit_test(waiting_calls__go_in_order__of_their_arrival),
		cmocka_unit_test(call_ahead__goes_before__what_waits_already),
		cmocka_unit_test(cancel__drops_the_call__wherever_it_is),
		cmocka_unit_test(free__drops_what_is_left__without_calling_back),
		cmocka_unit_test(call_back__may_start_and_cancel__other_calls),
		cmocka_unit_test(client__is_refused__without_what_it_needs),
		cmocka_unit_test(credentials__come_from_the_environment__clean_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
