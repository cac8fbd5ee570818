#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/client.h"
#include "aws/sagemaker_jobs.h"
#include "model/base/mem.h"
#include "tests/clientbench.h"

/* One failure of each kind, then a good answer. */
static void fail_as(size_t kind, struct fake_answer *answer)
{
	static const enum err_code codes[] = { ERR_TIMEOUT, ERR_NET, ERR_PARSE };
	static const char *const bodies[] = { "{\"a\":", "<html>login</html>", "[]", "5" };

	if (kind < 3) {
		answer->fails = codes[kind];
		answer->sent = true;
	} else if (kind < 7) {
		free(answer->body);
		answer->body = mem_copy_text(bodies[kind - 3]);
	} else if (kind == 7) {
		fake_error(answer, 400, "ThrottlingException", "Rate exceeded");
	} else {
		fake_error(answer, kind == 8 ? 500 : 503, "InternalFailure", "");
	}
}

#define FAILURE_KINDS 10

static void fail_first(struct bench *bench, size_t n, const struct fake_sent *sent,
		       struct fake_answer *answer)
{
	(void)sent;
	if (n == 0)
		fail_as(bench->kind, answer);
}

static void fail_always(struct bench *bench, size_t n, const struct fake_sent *sent,
			struct fake_answer *answer)
{
	(void)sent;
	(void)n;
	fail_as(bench->kind, answer);
}

static void read__recovers__after_one_failure_of_each_kind(void **state)
{
	(void)state;
	for (size_t kind = 0; kind < FAILURE_KINDS; kind++) {
		struct bench bench = { .answer = fail_first, .kind = kind };

		bench_start(&bench, (struct aws_options){ 0 });
		bench_call(&bench, &op_list_training_jobs);
		fake_run(bench.world, 60000);
		assert_int_equal(bench.done, 1);
		assert_int_equal(bench.failed, 0);
		assert_int_equal(bench.tries, 2);
		bench_stop(&bench);
	}
}

static void read__ends_with_its_error__when_it_never_works(void **state)
{
	static const enum err_code expected[FAILURE_KINDS] = {
		ERR_TIMEOUT, ERR_NET,   ERR_PARSE,     ERR_PARSE,  ERR_PARSE,
		ERR_PARSE,   ERR_PARSE, ERR_THROTTLED, ERR_SERVER, ERR_SERVER
	};

	(void)state;
	for (size_t kind = 0; kind < FAILURE_KINDS; kind++) {
		struct bench bench = { .answer = fail_always, .kind = kind };

		bench_start(&bench, (struct aws_options){ 0 });
		bench_call(&bench, &op_list_training_jobs);
		fake_run(bench.world, 60000);
		assert_int_equal(bench.done, 1);
		assert_int_equal(bench.failed, 1);
		assert_int_equal(bench.tries, 3);
		assert_int_equal(bench.err.code, expected[kind]);
		assert_int_equal(bench.err.http_status, kind < 3    ? 0
							: kind < 7  ? 200
							: kind == 7 ? 400
							: kind == 8 ? 500
								    : 503);
		assert_string_equal(bench.err.subject, "ListTrainingJobs in us-east-1");
		assert_false(bench.open);
		bench_stop(&bench);
	}
}

static void fail_every_second(struct bench *bench, size_t n, const struct fake_sent *sent,
			      struct fake_answer *answer)
{
	(void)bench;
	(void)sent;
	if (n % 2 == 0)
		fake_error(answer, 500, "InternalFailure", "");
}

/* 36 retries empty the quota where a success gives nothing back. */
static void quota__lasts__while_retries_help(void **state)
{
	struct bench bench = { .answer = fail_every_second };

	(void)state;
	bench_start(&bench, (struct aws_options){ 0 });
	for (int i = 0; i < 50; i++) {
		bench_call(&bench, &op_list_training_jobs);
		fake_run(bench.world, 1000);
	}
	assert_int_equal(bench.done, 50);
	assert_int_equal(bench.failed, 0);
	bench_stop(&bench);
}

static void too_big(struct bench *bench, size_t n, const struct fake_sent *sent,
		    struct fake_answer *answer)
{
	(void)bench;
	(void)n;
	(void)sent;
	answer->fails = ERR_TOO_BIG;
	answer->sent = true;
}

static void too_big__is_final__at_once(void **state)
{
	struct bench bench = { .answer = too_big };

	(void)state;
	bench_start(&bench, (struct aws_options){ 0 });
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 60000);
	assert_int_equal(bench.tries, 1);
	assert_int_equal(bench.err.code, ERR_TOO_BIG);
	bench_stop(&bench);
}

static void bad_setting(struct bench *bench, size_t n, const struct fake_sent *sent,
			struct fake_answer *answer)
{
	(void)bench;
	(void)n;
	(void)sent;
	answer->fails = ERR_CONFIG;
}

/* A proxy or a file of certificates that cannot be used does not mend by itself. */
static void bad_setting__is_final__at_once(void **state)
{
	struct bench bench = { .answer = bad_setting };

	(void)state;
	bench_start(&bench, (struct aws_options){ 0 });
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 60000);
	assert_int_equal(bench.tries, 1);
	assert_int_equal(bench.err.code, ERR_CONFIG);
	bench_stop(&bench);
}

/* A Create goes out again only where it certainly has not taken effect. */
static void create__is_sent_once__when_the_outcome_is_open(void **state)
{
	(void)state;
	for (size_t kind = 0; kind < FAILURE_KINDS; kind++) {
		struct bench bench = { .answer = fail_always, .kind = kind };

		bench_start(&bench, (struct aws_options){ 0 });
		bench_call(&bench, &op_create_training_job);
		fake_run(bench.world, 100000);
		assert_int_equal(bench.done, 1);
		assert_int_equal(bench.failed, 1);
		assert_true(fake_nth(bench.world, "CreateTrainingJob", 0)->once);
		if (kind == 7) {
			assert_int_equal(bench.tries, 3);
			assert_false(bench.open);
		} else {
			assert_int_equal(bench.tries, 1);
			assert_true(bench.open);
		}
		bench_stop(&bench);
	}
}

static void not_sent_first(struct bench *bench, size_t n, const struct fake_sent *sent,
			   struct fake_answer *answer)
{
	(void)bench;
	(void)sent;
	if (n == 0)
		answer->fails = ERR_NET;
}

static void create__is_sent_again__when_no_byte_went_out(void **state)
{
	struct bench bench = { .answer = not_sent_first };

	(void)state;
	bench_start(&bench, (struct aws_options){ 0 });
	bench_call(&bench, &op_create_training_job);
	fake_run(bench.world, 60000);
	assert_int_equal(bench.failed, 0);
	assert_int_equal(bench.tries, 2);
	bench_stop(&bench);
}

/* Judges the signature's date by a clock that is an hour ahead. */
static void judge_date(struct bench *bench, size_t n, const struct fake_sent *sent,
		       struct fake_answer *answer)
{
	char expected[TIME_TEXT_SIZE];

	(void)n;
	time_format_amz(bench->world->wall_ms + bench->world->server_ahead_ms, expected);
	/* Same day and hour: near enough. */
	if (strncmp(sent->date, expected, 11) != 0) {
		fake_error(answer, 403, "InvalidSignatureException",
			   "Signature expired: it is now earlier than");
		answer->has_date = true;
	}
}

static void skew__is_corrected__from_the_date_of_the_refusal(void **state)
{
	struct bench bench = { .answer = judge_date };

	(void)state;
	bench_start(&bench, (struct aws_options){ 0 });
	bench.world->server_ahead_ms = 3600000;
	bench_call(&bench, &op_create_training_job);
	fake_run(bench.world, 10000);
	assert_int_equal(bench.failed, 0);
	assert_int_equal(bench.tries, 2);
	/* The next call knows it already. */
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 10000);
	assert_int_equal(bench.tries, 1);
	assert_int_equal(aws_client_server_ms(bench.client, bench.world->mono_ms) / 1000,
			 (bench.world->wall_ms + 3600000) / 1000);
	bench_stop(&bench);
}

/* The clock of this machine is set back an hour while the program runs. */
static void skew__is_corrected_again__after_a_clock_step(void **state)
{
	struct bench bench = { .answer = judge_date };

	(void)state;
	bench_start(&bench, (struct aws_options){ 0 });
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 10000);
	bench.world->wall_ms -= 3600000;
	bench.world->server_ahead_ms += 3600000;
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 10000);
	assert_int_equal(bench.failed, 0);
	assert_int_equal(bench.tries, 2);
	bench_stop(&bench);
}

static void hang(struct bench *bench, size_t n, const struct fake_sent *sent,
		 struct fake_answer *answer)
{
	(void)bench;
	(void)n;
	(void)sent;
	answer->never = true;
}

static void call__ends_in_time__when_the_transport_hangs(void **state)
{
	struct bench bench = { .answer = hang };

	(void)state;
	bench_start(&bench, (struct aws_options){ 0 });
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 120000);
	assert_int_equal(bench.done, 1);
	assert_int_equal(bench.err.code, ERR_TIMEOUT);
	assert_int_equal(bench.world->cancelled, 3);
	bench_stop(&bench);

	bench = (struct bench){ .answer = hang };
	bench_start(&bench, (struct aws_options){ 0 });
	bench_call(&bench, &op_create_training_job);
	fake_run(bench.world, 120000);
	assert_int_equal(bench.world->sent_count, 1);
	assert_true(bench.open);
	bench_stop(&bench);
}

/* So many calls that the last would wait for its turn beyond all patience. */
static void call__ends_in_time__when_it_waits_for_the_pace(void **state)
{
	struct bench bench = { 0 };

	(void)state;
	bench_start(&bench, (struct aws_options){ .pace = 0.01 });
	bench_call(&bench, &op_list_training_jobs);
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 99000);
	assert_int_equal(bench.done, 2);
	assert_int_equal(bench.failed, 1);
	assert_int_equal(bench.tries, 0);
	assert_int_equal(bench.err.code, ERR_TIMEOUT);
	bench_stop(&bench);
}

static void leak_secrets(struct bench *bench, size_t n, const struct fake_sent *sent,
			 struct fake_answer *answer)
{
	(void)bench;
	(void)n;
	(void)sent;
	fake_error(answer, 403, "SignatureDoesNotMatch",
		   "should have been x-amz-security-token:" BENCH_TOKEN " with " BENCH_SECRET "!");
	answer->request_id = "req-9";
}

static void error__names_operation_and_request__and_no_secret(void **state)
{
	struct bench bench = { .answer = leak_secrets };

	(void)state;
	bench_start(&bench, (struct aws_options){ 0 });
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 10000);
	assert_int_equal(bench.err.code, ERR_AUTH);
	assert_null(strstr(err_text(&bench.err), BENCH_TOKEN));
	assert_null(strstr(err_text(&bench.err), BENCH_SECRET));
	assert_non_null(strstr(err_text(&bench.err), "with ****"));
	assert_string_equal(bench.err.request_id, "req-9");
	assert_string_equal(bench.err.aws_code, "SignatureDoesNotMatch");
	assert_string_equal(bench.err.subject, "ListTrainingJobs in us-east-1");
	bench_stop(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read__recovers__after_one_failure_of_each_kind),
		cmocka_unit_test(read__ends_with_its_error__when_it_never_works),
		cmocka_unit_test(quota__lasts__while_retries_help),
		cmocka_unit_test(too_big__is_final__at_once),
		cmocka_unit_test(bad_setting__is_final__at_once),
		cmocka_unit_test(create__is_sent_once__when_the_outcome_is_open),
		cmocka_unit_test(create__is_sent_again__when_no_byte_went_out),
		cmocka_unit_test(skew__is_corrected__from_the_date_of_the_refusal),
		cmocka_unit_test(skew__is_corrected_again__after_a_clock_step),
		cmocka_unit_test(call__ends_in_time__when_the_transport_hangs),
		cmocka_unit_test(call__ends_in_time__when_it_waits_for_the_pace),
		cmocka_unit_test(error__names_operation_and_request__and_no_secret),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
