#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sagemaker_jobs.h"
#include "aws/settings.h"
#include "aws/skew.h"
#include "model/base/attr.h"
#include "model/base/mem.h"
#include "tests/clientbench.h"
#include "tests/shared.h"

#define NOW_MS INT64_C(1796071688000)

static struct err refusal_of(const char *code, const char *text)
{
	struct err err = { 0 };

	err_set(&err, ERR_AUTH, "%s", text);
	snprintf(err.aws_code, sizeof(err.aws_code), "%s", code);
	return err;
}

static void date__is_learned__unless_it_says_nothing(void **state)
{
	struct http_reply reply = { .has_date = true, .date_ms = NOW_MS };
	struct skew skew = { .known = false };

	(void)state;
	assert_false(skew_learn(&skew, &reply, 900001, NOW_MS - 5000));
	assert_false(skew.known);
	assert_true(skew_learn(&skew, &reply, 900000, NOW_MS - 5000));
	assert_int_equal(skew.ms, 5000);
	assert_int_equal(skew_signing_ms(&skew, 100), 5100);
	reply.has_date = false;
	assert_false(skew_learn(&skew, &reply, 0, NOW_MS));
	assert_int_equal(skew.ms, 5000);
	skew.unsettled = true;
	assert_int_equal(skew_signing_ms(&skew, 100), 100);
}

static void doubt__begins__at_240_seconds(void **state)
{
	static const struct {
		int64_t signed_ms;
		const char *code;
		enum skew_doubt doubt;
	} rows[] = {
		{ NOW_MS - 240000, "SignatureDoesNotMatch", SKEW_CLOCK },
		{ NOW_MS + 240000, "RequestInTheFuture", SKEW_CLOCK },
		{ NOW_MS - 239999, "RequestExpired", SKEW_NONE },
		{ NOW_MS - 240000, "ValidationException", SKEW_NONE },
		{ NOW_MS - 240000, "", SKEW_NONE },
		{ 0, "AuthFailure", SKEW_CLOCK },
		{ 0, "AccessDeniedException", SKEW_CLOCK },
		{ 0, "RequestTimeTooSkewed", SKEW_CLOCK },
		{ 0, "InvalidSignatureException", SKEW_CLOCK },
	};
	struct http_reply reply = { .has_date = true, .date_ms = NOW_MS };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = refusal_of(rows[i].code, "no");

		reply.has_date = true;
		assert_int_equal(skew_doubt_of(&err, &reply, rows[i].signed_ms), rows[i].doubt);
		reply.has_date = false;
		assert_int_equal(skew_doubt_of(&err, &reply, rows[i].signed_ms), SKEW_NONE);
		err_clear(&err);
	}
}

static void expired_signature__is_doubted__by_its_stamps(void **state)
{
	static const struct {
		const char *code, *text;
		enum skew_doubt doubt;
	} rows[] = {
		{ "InvalidSignatureException",
		  "Signature expired: 20220331T094828Z is now earlier than 20220331T095852Z "
		  "(20220331T100352Z - 5 min.)",
		  SKEW_CLOCK },
		{ "InvalidSignatureException",
		  "Signature expired: 20141104T062952Z is now earlier than 20141104T062952Z "
		  "(20141104T064452Z - 15 min.)",
		  SKEW_STALE },
		{ "InvalidSignatureException", "Signature expired: long ago", SKEW_CLOCK },
		{ "InvalidSignatureException", "Signature expired: 2014 is now earlier than 2014",
		  SKEW_CLOCK },
		{ "InvalidSignatureException", "The request signature does not match", SKEW_NONE },
		{ "SignatureDoesNotMatch",
		  "Signature expired: 20141104T062952Z is now earlier than 20141104T062952Z "
		  "(20141104T064452Z - 15 min.)",
		  SKEW_NONE },
	};
	struct http_reply reply = { .has_date = false };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = refusal_of(rows[i].code, rows[i].text);

		assert_int_equal(skew_doubt_of(&err, &reply, NOW_MS), rows[i].doubt);
		err_clear(&err);
	}
}

static void difference__is_said__in_words(void **state)
{
	static const struct {
		int64_t ms;
		const char *words;
	} rows[] = {
		{ 924000, "15 min 24 s behind" },
		{ -924999, "15 min 24 s ahead" },
		{ 59999, "59 s behind" },
		{ 3600000, "1 h 0 min behind" },
		{ -90000000, "1 d 1 h ahead" },
		{ INT64_C(-31536000000000), "365000 d 0 h ahead" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf words;

		buf_init(&words, 64);
		skew_add_words(&words, rows[i].ms);
		assert_string_equal(buf_text(&words), rows[i].words);
		buf_release(&words);
	}
}

/* Through the client. */

/* 2022-03-31T09:48:28Z, as this machine has it; the service is 15 min 24 s ahead of it. */
#define BEHIND_WALL_MS INT64_C(1648720108000)
#define BEHIND_MS      924000

static void bench_at(struct bench *bench, int64_t wall_ms, int64_t behind_ms,
		     struct aws_options options)
{
	bench_start(bench, options);
	bench->world->wall_ms = wall_ms;
	bench->world->server_ahead_ms = behind_ms;
}

static void refuse(struct fake_answer *answer, const char *code, const char *body)
{
	answer->status = 403;
	answer->error_type = code;
	free(answer->body);
	answer->body = mem_copy_text(body);
}

/* The answer that was met: its code in the header alone, and a text with three stamps. */
static void answer_behind(struct bench *bench, size_t n, const struct fake_sent *sent,
			  struct fake_answer *answer)
{
	(void)bench;
	(void)n;
	if (strcmp(sent->date, "20220331T0959") < 0)
		refuse(answer, "InvalidSignatureException",
		       "{\"message\":\"Signature expired: 20220331T094828Z is now earlier than "
		       "20220331T095852Z (20220331T100352Z - 5 min.)\"}");
}

static int64_t told_ms;
static unsigned tellings;

static void note_skew(void *ctx, int64_t skew_ms)
{
	(void)ctx;
	told_ms = skew_ms;
	tellings++;
}

static bool is_behind(int64_t ms)
{
	return llabs(ms - BEHIND_MS) < 1000; /* Date has whole seconds */
}

static void clock_behind__is_measured_and_corrected__for_all_that_follows(void **state)
{
	struct bench bench = { .answer = answer_behind };

	(void)state;
	tellings = 0;
	bench_at(&bench, BEHIND_WALL_MS, BEHIND_MS, (struct aws_options){ .on_skew = note_skew });
	assert_false(aws_client_skew(bench.client).set);
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 10000);
	assert_int_equal(bench.failed, 0);
	assert_int_equal(bench.tries, 2);
	assert_string_equal(bench.world->sent[0].date, "20220331T094828Z");
	assert_string_equal(bench.world->sent[1].date, "20220331T100352Z");
	assert_true(is_behind(aws_client_skew(bench.client).ms));
	assert_int_equal(tellings, 1);
	assert_true(is_behind(told_ms));
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 10000);
	assert_int_equal(bench.tries, 1);
	/* This machine's clock jumps: corrected again, but told once. */
	bench.world->wall_ms -= BEHIND_MS;
	bench.world->server_ahead_ms += BEHIND_MS;
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 10000);
	assert_int_equal(bench.failed, 0);
	assert_int_equal(tellings, 1);
	bench.world->wall_ms += BEHIND_MS;
	bench.world->server_ahead_ms -= BEHIND_MS;
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 10000);
	/* Ages go by the service's clock. */
	assert_true(is_behind(aws_client_server_ms(bench.client, bench.world->mono_ms) -
			      bench.world->wall_ms));
	bench_stop(&bench);
}

static void clock_behind__is_stated__where_it_may_not_be_corrected(void **state)
{
	struct bench bench = { .answer = answer_behind };

	(void)state;
	tellings = 0;
	bench_at(&bench, BEHIND_WALL_MS, BEHIND_MS,
		 (struct aws_options){ .keep_clock = true, .on_skew = note_skew });
	for (unsigned i = 1; i <= 2; i++) {
		bench_call(&bench, &op_list_training_jobs);
		fake_run(bench.world, 0);
		assert_int_equal(bench.failed, i);
		assert_int_equal(bench.tries, 1);
		assert_int_equal(bench.err.hint, HINT_CHECK_CLOCK);
		assert_string_equal(err_text(&bench.err),
				    "this machine's clock is 15 min 24 s behind: Signature "
				    "expired: 20220331T094828Z is now earlier than "
				    "20220331T095852Z (20220331T100352Z - 5 min.)");
		assert_string_equal(bench.world->sent[i - 1].date, "20220331T094828Z");
	}
	assert_true(is_behind(aws_client_skew(bench.client).ms));
	assert_int_equal(tellings, 0);
	bench_stop(&bench);
}

/* Without a Date nothing is known but the text, by which no clock is set. */
static void answer_dateless(struct bench *bench, size_t n, const struct fake_sent *sent,
			    struct fake_answer *answer)
{
	answer_behind(bench, n, sent, answer);
	answer->has_date = false;
}

static void clock__is_not_corrected__by_a_text(void **state)
{
	struct bench bench = { .answer = answer_dateless };

	(void)state;
	bench_at(&bench, BEHIND_WALL_MS, BEHIND_MS, (struct aws_options){ 0 });
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 10000);
	assert_int_equal(bench.failed, 1);
	assert_int_equal(bench.tries, 3);
	assert_int_equal(bench.err.hint, HINT_CHECK_CLOCK);
	assert_false(aws_client_skew(bench.client).set);
	bench_stop(&bench);
}

#define EQUAL_STAMPS                                                              \
	"{\"message\":\"Signature expired: 20141104T062952Z is now earlier than " \
	"20141104T062952Z (20141104T064452Z - 15 min.)\"}"
#define AT_064452_MS INT64_C(1415083492000) /* 2014-11-04T06:44:52Z */

static void answer_equal(struct bench *bench, size_t n, const struct fake_sent *sent,
			 struct fake_answer *answer)
{
	(void)n;
	(void)sent;
	answer->latency_ms = 2000;
	refuse(answer, bench->kind ? "SignatureDoesNotMatch" : "InvalidSignatureException",
	       EQUAL_STAMPS);
}

/* The clocks agree: a signature that was used again, not a clock to set. */
static void equal_stamps__are_signed_anew__a_few_times_and_correct_nothing(void **state)
{
	struct bench bench = { .answer = answer_equal };

	(void)state;
	tellings = 0;
	bench_at(&bench, AT_064452_MS, 0, (struct aws_options){ .on_skew = note_skew });
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 60000);
	assert_int_equal(bench.failed, 1);
	assert_int_equal(bench.tries, 3);
	assert_string_equal(bench.world->sent[0].date, "20141104T064452Z");
	for (size_t i = 1; i < 3; i++) {
		assert_true(strcmp(bench.world->sent[i - 1].date, bench.world->sent[i].date) < 0);
		assert_string_not_equal(bench.world->sent[i - 1].authorization,
					bench.world->sent[i].authorization);
	}
	assert_true(llabs(aws_client_skew(bench.client).ms) < 1000);
	assert_int_equal(bench.err.hint, HINT_RETRY_LATER);
	assert_int_equal(tellings, 0);
	bench_stop(&bench);
}

/* The same under the code of the case: another signature would end as this one did. */
static void equal_stamps__are_final__where_the_clocks_agree(void **state)
{
	struct bench bench = { .answer = answer_equal, .kind = 1 };

	(void)state;
	bench_at(&bench, AT_064452_MS, 0, (struct aws_options){ 0 });
	bench_call(&bench, &op_list_training_jobs);
	fake_run(bench.world, 60000);
	assert_int_equal(bench.failed, 1);
	assert_int_equal(bench.tries, 1);
	assert_true(llabs(aws_client_skew(bench.client).ms) < 1000);
	bench_stop(&bench);
}

/* The machine slept for 15 minutes while a request was under way: old when it arrived, though both
 * clocks are right. */
static void sleep_mid_call(struct bench *bench, size_t n, const struct fake_sent *sent,
			   struct fake_answer *answer)
{
	(void)bench;
	(void)sent;
	if (n > 0)
		return;
	answer->latency_ms = 880000;
	refuse(answer, "SignatureDoesNotMatch", EQUAL_STAMPS);
}

static const struct aws_op slow_op = { .name = "SlowOp",
				       .service = SERVICE_SAGEMAKER,
				       .resend = true,
				       .timeout_ms = 1000000,
				       .max_reply = 65536 };

static void old_signature__is_written_anew__after_a_sleep(void **state)
{
	struct bench bench = { .answer = sleep_mid_call };

	(void)state;
	bench_at(&bench, AT_064452_MS - 880000, 0, (struct aws_options){ 0 });
	bench_call(&bench, &slow_op);
	fake_run(bench.world, 1000000);
	assert_int_equal(bench.failed, 0);
	assert_int_equal(bench.tries, 2);
	assert_true(llabs(aws_client_skew(bench.client).ms) < 1000);
	assert_string_equal(bench.world->sent[1].date, "20141104T064452Z");
	bench_stop(&bench);
}

static void setting__keeps_the_clock__where_it_is_true(void **state)
{
	static const struct {
		const char *value;
		bool keeps;
	} rows[] = { { "true", true },   { "True", true }, { "1", true },
		     { "false", false }, { "0", false },   { "", false } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(setenv("AWS_DISABLE_CLOCK_SKEW_CORRECTION", rows[i].value, 1), 0);
		assert_int_equal(aws_keeps_clock(), rows[i].keeps);
	}
	assert_int_equal(unsetenv("AWS_DISABLE_CLOCK_SKEW_CORRECTION"), 0);
	assert_false(aws_keeps_clock());
}

/* The texts above are those of the cases. */
static void cases__have_these_texts__where_they_are_present(void **state)
{
	static const char *const rows[][2] = {
		{ "cases/051-clock-behind-signature-expired/input.txt",
		  "Signature expired: 20220331T094828Z is now earlier than 20220331T095852Z "
		  "(20220331T100352Z - 5 min.)" },
		{ "cases/053-signature-expired-same-instant/input.txt",
		  "Signature expired: 20141104T062952Z is now earlier than 20141104T062952Z "
		  "(20141104T064452Z - 15 min.)" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t len;
		char *text = shared_read(rows[i][0], &len);

		assert_true(!text || strstr(text, rows[i][1]));
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(date__is_learned__unless_it_says_nothing),
		cmocka_unit_test(doubt__begins__at_240_seconds),
		cmocka_unit_test(expired_signature__is_doubted__by_its_stamps),
		cmocka_unit_test(difference__is_said__in_words),
		cmocka_unit_test(clock_behind__is_measured_and_corrected__for_all_that_follows),
		cmocka_unit_test(clock_behind__is_stated__where_it_may_not_be_corrected),
		cmocka_unit_test(clock__is_not_corrected__by_a_text),
		cmocka_unit_test(equal_stamps__are_signed_anew__a_few_times_and_correct_nothing),
		cmocka_unit_test(equal_stamps__are_final__where_the_clocks_agree),
		cmocka_unit_test(old_signature__is_written_anew__after_a_sleep),
		cmocka_unit_test(setting__keeps_the_clock__where_it_is_true),
		cmocka_unit_test(cases__have_these_texts__where_they_are_present),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
