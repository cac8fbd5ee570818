/* Limits from the wire into the store: decoding, order and pace, defaults, denials, raises. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/quotas.h"
#include "aws/quotas_feed.h"
#include "model/base/mem.h"
#include "tests/fakes.h"

#define P5       "ml.p5.48xlarge"
#define P4D      "ml.p4d.24xlarge"
#define M5       "ml.m5.xlarge"
#define P5_CODE  "L-82E1C851"
#define GET      "GetServiceQuota"
#define DEFAULT  "GetAWSDefaultServiceQuota"
#define INCREASE "RequestServiceQuotaIncrease"

/* --- decoding --- */

static bool decode(const char *text, int64_t *limit)
{
	struct err err = { 0 };
	bool ok = quotas_decode_limit(text, strlen(text), P5_CODE, limit, &err);
	assert_int_equal(ok, err.code == ERR_NONE);
	err_clear(&err);
	return ok;
}

static void decode__reads_the_value__of_that_code(void **state)
{
	int64_t limit = -7;
	(void)state;
	assert_true(decode("{\"Quota\":{\"QuotaCode\":\"" P5_CODE "\",\"Value\":16.0}}", &limit));
	assert_int_equal(limit, 16);
	assert_true(decode("{\"Quota\":{\"QuotaCode\":\"" P5_CODE "\",\"Value\":2.9,\"New\":[]}}",
			   &limit));
	assert_int_equal(limit, 2);
	assert_true(decode("{\"Quota\":{\"QuotaCode\":\"" P5_CODE "\",\"Value\":1E10}}", &limit));
	assert_int_equal(limit, INT64_C(10000000000));
}

static void decode__refuses__what_is_no_answer_to_it(void **state)
{
	static const char *const texts[] = {
		"",
		"{}",
		"[]",
		"{\"Quota\":null}",
		"{\"Quota\":{\"Value\":16}}",
		"{\"Quota\":{\"QuotaCode\":\"L-00000000\",\"Value\":16}}",
		"{\"Quota\":{\"QuotaCode\":\"" P5_CODE "\"}}",
		"{\"Quota\":{\"QuotaCode\":\"" P5_CODE "\",\"Value\":null}}",
		"{\"Quota\":{\"QuotaCode\":\"" P5_CODE "\",\"Value\":\"16\"}}",
		"{\"Quota\":{\"QuotaCode\":\"" P5_CODE "\",\"Value\":-1}}",
		"{\"Quota\":{\"QuotaCode\":\"" P5_CODE "\",\"Value\":1e11}}",
	};
	int64_t limit;
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (decode(texts[i], &limit))
			fail_msg("'%s' is none", texts[i]);
	}
}

static void decode__reads_the_state__of_a_raise(void **state)
{
	static const char text[] = "{\"RequestedQuota\":{\"QuotaCode\":\"" P5_CODE "\",\"Status\":"
				   "\"CASE_OPENED\",\"CaseId\":\"177\"}}";
	struct quota_raised raised;
	struct err err = { 0 };
	(void)state;
	assert_true(quotas_decode_raised(text, strlen(text), P5_CODE, &raised, &err));
	assert_string_equal(raised.status, "CASE_OPENED");
	assert_string_equal(raised.case_id, "177");
	assert_false(quotas_decode_raised("{}", 2, P5_CODE, &raised, &err));
	assert_int_equal(err.code, ERR_PARSE);
	err_clear(&err);
}

/* --- the feed --- */

struct bench {
	struct fake_world *world;
	struct aws_client *client;
	struct store store;
	struct quotas_feed *feed;
	const char *deny, *fail; /* an operation; NULL = none */
	const char *fails_with;
	bool no_own_value;
	int64_t limit;
	unsigned changes, raised;
	struct err err; /* of the newest raise */
	char status[32];
};

/* The code that a request is about, back in its answer. */
static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	const struct bench *bench = ctx;
	char body[512];
	const char *code = strstr(sent->body, "\"QuotaCode\":\"");
	assert_non_null(code);
	code += strlen("\"QuotaCode\":\"");
	answer->latency_ms = 50;
	assert_non_null(strstr(sent->body, "\"ServiceCode\":\"sagemaker\""));
	if (bench->deny && strcmp(bench->deny, sent->op) == 0) {
		fake_error(answer, 400, "AccessDeniedException", "not you");
	} else if (bench->fail && strcmp(bench->fail, sent->op) == 0) {
		fake_error(answer, 400, bench->fails_with, "so it is");
	} else if (bench->no_own_value && strcmp(sent->op, GET) == 0) {
		fake_error(answer, 400, "NoSuchResourceException", "none applied");
	} else {
		snprintf(body, sizeof(body),
			 strcmp(sent->op, INCREASE) == 0
				 ? "{\"RequestedQuota\":{\"QuotaCode\":\"%.10s\",\"Status\":"
				   "\"PENDING\",\"DesiredValue\":%lld.0}}"
				 : "{\"Quota\":{\"QuotaCode\":\"%.10s\",\"Value\":%lld.0}}",
			 code, (long long)bench->limit);
		answer->body = mem_copy_text(body);
	}
}

static void wake_feed(void *target)
{
	quotas_feed_wake(((struct bench *)target)->feed);
}

static void note_change(void *ctx)
{
	((struct bench *)ctx)->changes++;
}

static void bench_start(struct bench *bench)
{
	*bench = (struct bench){ .limit = 16 };
	bench->world = fake_world_new(serve, bench);
	bench->client = fake_client(bench->world, SERVICE_QUOTAS, 1);
	bench->feed = quotas_feed_new(&(struct quotas_feed_options){
		.client = bench->client,
		.store = &bench->store,
		.clock = &bench->world->clock,
		.hooks = fake_hooks(bench->world, wake_feed, bench),
		.gap_ms = QUOTAS_FEED_GAP_MS,
		.on_change = note_change,
		.ctx = bench,
	});
}

static void bench_stop(struct bench *bench)
{
	quotas_feed_free(bench->feed);
	aws_client_free(bench->client);
	store_release(&bench->store);
	err_clear(&bench->err);
	fake_world_free(bench->world);
}

static size_t asked(const struct bench *bench, const char *op)
{
	return fake_count(bench->world, op);
}

static struct quota_fact fact_of(const struct bench *bench, const char *type, enum quota_kind kind)
{
	struct quota_fact fact = { .instance_type = type, .kind = kind };
	store_quota_facts(&bench->store, &fact, 1);
	return fact;
}

static const struct quota_key three[] = { { P5, QUOTA_TRAINING },
					  { P4D, QUOTA_SPOT },
					  { M5, QUOTA_PROCESSING } };

static void feed__asks_nothing__while_nobody_looks(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	quotas_feed_want(NULL, three, 3);
	quotas_feed_refresh(NULL);
	quotas_feed_want(bench.feed, NULL, 0);
	quotas_feed_refresh(bench.feed);
	assert_true(quotas_feed_is_settled(bench.feed));
	fake_run(bench.world, 600000);
	assert_int_equal(bench.world->sent_count, 0);
	bench_stop(&bench);
}

/* Never a listing: an account has 2,000 quotas. */
static void feed__reads_each_by_its_code__one_a_second(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	quotas_feed_want(bench.feed, three, 3);
	assert_false(quotas_feed_is_settled(bench.feed));
	fake_run(bench.world, 10000);
	assert_true(quotas_feed_is_settled(bench.feed));
	assert_int_equal(bench.world->sent_count, 3);
	assert_int_equal(asked(&bench, GET), 3);
	assert_non_null(strstr(fake_nth(bench.world, GET, 0)->body, P5_CODE));
	assert_non_null(strstr(fake_nth(bench.world, GET, 1)->body, "L-09D56C4F"));
	assert_non_null(strstr(fake_nth(bench.world, GET, 2)->body, "L-0307F515"));
	for (size_t i = 1; i < 3; i++)
		assert_true(bench.world->sent[i].at_ms - bench.world->sent[i - 1].at_ms >= 1000);
	struct quota_fact fact = fact_of(&bench, P5, QUOTA_TRAINING);
	assert_true(fact.told);
	assert_false(fact.is_default);
	assert_int_equal(fact.limit, 16);
	assert_in_range(fact.read_at_ms, FAKE_WALL_MS - 1000, FAKE_WALL_MS + 1000);
	assert_int_equal(bench.changes, 3);
	bench_stop(&bench);
}

static void feed__reads_again_in_minutes__and_at_once_when_asked(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	quotas_feed_want(bench.feed, three, 2);
	fake_run(bench.world, 290000);
	assert_int_equal(asked(&bench, GET), 2);
	quotas_feed_want(bench.feed, three, 2); /* said at every turn */
	fake_run(bench.world, 20000);
	assert_int_equal(asked(&bench, GET), 4);
	bench.limit = 32;
	quotas_feed_refresh(bench.feed);
	assert_false(quotas_feed_is_settled(bench.feed));
	fake_run(bench.world, 5000);
	assert_int_equal(asked(&bench, GET), 6);
	assert_int_equal(fact_of(&bench, P5, QUOTA_TRAINING).limit, 32);
	/* What is not looked at any more is not read; and known when it is looked at again. */
	quotas_feed_want(bench.feed, three + 1, 1);
	fake_run(bench.world, 320000);
	assert_int_equal(asked(&bench, GET), 7);
	quotas_feed_want(bench.feed, three, 2);
	fake_run(bench.world, 2000);
	assert_int_equal(asked(&bench, GET), 8);
	bench_stop(&bench);
}

/* The one that is looked at now goes before those that wait their turn. */
static void feed__reads_first__what_stands_first(void **state)
{
	static const struct quota_key other_first[] = { { M5, QUOTA_PROCESSING },
							{ P5, QUOTA_TRAINING },
							{ P4D, QUOTA_SPOT } };
	struct bench bench;
	(void)state;
	bench_start(&bench);
	quotas_feed_want(bench.feed, three, 2);
	fake_run(bench.world, 500);
	quotas_feed_want(bench.feed, other_first, 3);
	fake_run(bench.world, 1000);
	assert_int_equal(asked(&bench, GET), 2);
	assert_non_null(strstr(fake_nth(bench.world, GET, 1)->body, "L-0307F515"));
	bench_stop(&bench);
}

static void feed__keeps_still__about_types_without_a_code(void **state)
{
	static const struct quota_key wants[] = {
		{ "ml.trn2.48xlarge", QUOTA_TRAINING },
		{ P5, QUOTA_PROCESSING },
		{ P5, QUOTA_TRAINING },
		{ P5, QUOTA_TRAINING },
		{ "", QUOTA_TRAINING },
	};
	struct bench bench;
	(void)state;
	bench_start(&bench);
	quotas_feed_want(bench.feed, wants, ARRAY_LEN(wants));
	fake_run(bench.world, 20000);
	assert_int_equal(asked(&bench, GET), 1);
	assert_true(quotas_feed_is_settled(bench.feed));
	bench_stop(&bench);
}

static void feed__takes_the_default__where_the_account_has_no_value(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	bench.no_own_value = true;
	bench.limit = 4;
	quotas_feed_want(bench.feed, three, 1);
	fake_run(bench.world, 5000);
	assert_int_equal(asked(&bench, GET), 1);
	assert_int_equal(asked(&bench, DEFAULT), 1);
	assert_true(fact_of(&bench, P5, QUOTA_TRAINING).is_default);
	assert_int_equal(fact_of(&bench, P5, QUOTA_TRAINING).limit, 4);
	bench_stop(&bench);
}

/* Many roles lack the permission: it is said once, for all, and not asked for in a loop. */
static void feed__says_a_denial_once__and_asks_no_more(void **state)
{
	struct bench bench;
	char why[QUOTA_WHY_SIZE];
	(void)state;
	bench_start(&bench);
	bench.deny = GET;
	quotas_feed_want(bench.feed, three, 2);
	fake_run(bench.world, 3600000);
	assert_int_equal(bench.world->sent_count, 1);
	assert_true(quotas_feed_is_settled(bench.feed));
	for (size_t i = 0; i < 2; i++) {
		struct quota_fact fact = fact_of(&bench, three[i].instance_type, three[i].kind);
		assert_false(fact.told);
		quota_why_untold(&fact, why);
		assert_string_equal(why, "denied servicequotas:GetServiceQuota");
	}
	/* Of one that comes into sight later it is known before it is asked. */
	quotas_feed_want(bench.feed, three, 3);
	fake_run(bench.world, 60000);
	assert_int_equal(bench.world->sent_count, 1);
	assert_int_equal(fact_of(&bench, M5, QUOTA_PROCESSING).error->code, ERR_DENIED);
	struct fresh fresh =
		store_quota_fresh(&bench.store, M5, QUOTA_PROCESSING, bench.world->mono_ms);
	assert_int_equal(fresh.state, FRESH_MISSING);
	assert_false(fresh.has_retry);
	bench.deny = NULL;
	quotas_feed_refresh(bench.feed);
	fake_run(bench.world, 10000);
	assert_int_equal(asked(&bench, GET), 4);
	assert_null(fact_of(&bench, P5, QUOTA_TRAINING).error);
	bench_stop(&bench);
}

static void feed__names_the_default__where_that_is_denied(void **state)
{
	struct bench bench;
	char why[QUOTA_WHY_SIZE];
	(void)state;
	bench_start(&bench);
	bench.no_own_value = true;
	bench.deny = DEFAULT;
	quotas_feed_want(bench.feed, three, 1);
	fake_run(bench.world, 3600000);
	assert_int_equal(bench.world->sent_count, 2);
	struct quota_fact fact = fact_of(&bench, P5, QUOTA_TRAINING);
	quota_why_untold(&fact, why);
	assert_string_equal(why, "denied servicequotas:GetAWSDefaultServiceQuota");
	bench_stop(&bench);
}

static void feed__tries_again__after_what_may_pass(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	bench.fail = GET;
	bench.fails_with = "TooManyRequestsException";
	quotas_feed_want(bench.feed, three, 1);
	fake_run(bench.world, 30000);
	size_t first = asked(&bench, GET);
	assert_in_range(first, 2, 5); /* the client's own tries */
	assert_int_equal(fact_of(&bench, P5, QUOTA_TRAINING).error->code, ERR_THROTTLED);
	bench.fail = NULL;
	fake_run(bench.world, 60000);
	assert_int_equal(asked(&bench, GET), first + 1);
	assert_null(fact_of(&bench, P5, QUOTA_TRAINING).error);
	/* A quota that the region does not have is no reason to ask each minute. */
	bench.no_own_value = true;
	bench.fail = DEFAULT;
	bench.fails_with = "NoSuchResourceException";
	quotas_feed_refresh(bench.feed);
	fake_run(bench.world, 250000);
	assert_int_equal(asked(&bench, DEFAULT), 1);
	assert_int_equal(fact_of(&bench, P5, QUOTA_TRAINING).limit, 16); /* as it was read */
	bench_stop(&bench);
}

static void feed__lets_go__in_the_middle_of_a_call(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	quotas_feed_want(bench.feed, three, 1);
	fake_run(bench.world, 20);
	quotas_feed_want(bench.feed, three + 1, 1);
	fake_run(bench.world, 100);
	assert_true(fact_of(&bench, P5, QUOTA_TRAINING).told); /* the answer is taken */
	quotas_feed_refresh(bench.feed);
	fake_run(bench.world, 1000);
	bench_stop(&bench);
}

/* --- raises --- */

static void on_raised(void *ctx, const struct quota_raised *raised, const struct err *err)
{
	struct bench *bench = ctx;
	bench->raised++;
	snprintf(bench->status, sizeof(bench->status), "%s", raised ? raised->status : "");
	err_clear(&bench->err);
	if (err)
		err_copy(&bench->err, err);
}

static void raise__sends_no_support_case__unless_asked(void **state)
{
	struct quota_raise raise = { .instance_type = P5, .desired = 24 };
	struct bench bench;
	(void)state;
	bench_start(&bench);
	quotas_request_increase(bench.client, &raise, on_raised, &bench);
	raise.support_case = true;
	fake_run(bench.world, 3000);
	quotas_request_increase(bench.client, &raise, on_raised, &bench);
	fake_run(bench.world, 3000);
	assert_string_equal(fake_nth(bench.world, INCREASE, 0)->body,
			    "{\"ServiceCode\":\"sagemaker\",\"QuotaCode\":\"" P5_CODE "\","
			    "\"DesiredValue\":24,\"SupportCaseAllowed\":false}");
	assert_string_equal(fake_nth(bench.world, INCREASE, 1)->body,
			    "{\"ServiceCode\":\"sagemaker\",\"QuotaCode\":\"" P5_CODE "\","
			    "\"DesiredValue\":24,\"SupportCaseAllowed\":true}");
	assert_int_equal(bench.raised, 2);
	assert_string_equal(bench.status, "PENDING");
	bench_stop(&bench);
}

static void raise__is_told__that_one_is_open(void **state)
{
	const struct quota_raise raise = { .instance_type = P5, .desired = 24 };
	struct bench bench;
	(void)state;
	bench_start(&bench);
	bench.fail = INCREASE;
	bench.fails_with = "ResourceAlreadyExistsException";
	quotas_request_increase(bench.client, &raise, on_raised, &bench);
	fake_run(bench.world, 3000);
	assert_int_equal(bench.raised, 1);
	assert_int_equal(bench.err.code, ERR_CONFLICT);
	assert_int_equal(asked(&bench, INCREASE), 1);
	bench_stop(&bench);
}

static void ops__say_what_they_do(void **state)
{
	(void)state;
	for (size_t i = 0; quota_ops[i]; i++) {
		const struct aws_op *op = quota_ops[i];
		assert_int_equal(op->service, SERVICE_QUOTAS);
		assert_int_equal(op->changes, op == &op_request_quota_increase);
		assert_int_equal(op->resend, !op->changes);
		assert_null(strstr(op->name, "List"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decode__reads_the_value__of_that_code),
		cmocka_unit_test(decode__refuses__what_is_no_answer_to_it),
		cmocka_unit_test(decode__reads_the_state__of_a_raise),
		cmocka_unit_test(feed__asks_nothing__while_nobody_looks),
		cmocka_unit_test(feed__reads_each_by_its_code__one_a_second),
		cmocka_unit_test(feed__reads_again_in_minutes__and_at_once_when_asked),
		cmocka_unit_test(feed__reads_first__what_stands_first),
		cmocka_unit_test(feed__keeps_still__about_types_without_a_code),
		cmocka_unit_test(feed__takes_the_default__where_the_account_has_no_value),
		cmocka_unit_test(feed__says_a_denial_once__and_asks_no_more),
		cmocka_unit_test(feed__names_the_default__where_that_is_denied),
		cmocka_unit_test(feed__tries_again__after_what_may_pass),
		cmocka_unit_test(feed__lets_go__in_the_middle_of_a_call),
		cmocka_unit_test(raise__sends_no_support_case__unless_asked),
		cmocka_unit_test(raise__is_told__that_one_is_open),
		cmocka_unit_test(ops__say_what_they_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
