/* A client whose credentials come from a source: calls wait for them, fail with their reason, and
 * are tried once more when AWS refuses them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/clientbench.h"

#define MINUTE_MS 60000

static const struct aws_op op = {
	.name = "ListTrainingJobs",
	.service = SERVICE_SAGEMAKER,
	.resend = true,
	.timeout_ms = 10000,
	.max_reply = 1024,
};

/* What a test says that there is. */
struct source {
	struct aws_credentials keys;
	bool has, fails;
	unsigned refusals;
	bool renews; /* a refusal brings the second pair */
};

static struct source source;
static char first_key[] = "ASIAFIRST", second_key[] = "ASIASECOND", secret[] = "one-secret-key";

static const struct aws_credentials *get(void *self, struct err *err)
{
	struct source *from = self;
	if (from->fails)
		err_set(err, ERR_AUTH, "the login expired");
	return from->has ? &from->keys : NULL;
}

static bool refused(void *self, const char *access_key)
{
	struct source *from = self;
	assert_string_equal(access_key, from->keys.access_key);
	from->refusals++;
	if (from->renews)
		from->keys.access_key = second_key;
	return from->renews;
}

static void start(struct bench *bench)
{
	static struct credentials_source asks = { .get = get, .refused = refused, .self = &source };
	memset(bench, 0, sizeof(*bench));
	bench_start(bench, (struct aws_options){ .source = &asks });
}

static void set_source(bool has)
{
	source = (struct source){ .has = has,
				  .keys = { .access_key = first_key, .secret_key = secret } };
}

static void test_calls_wait_for_credentials(void **state)
{
	static struct bench bench;
	(void)state;
	set_source(false);
	start(&bench);
	bench_call(&bench, &op);
	fake_run(bench.world, 30 * MINUTE_MS); /* somebody looks for the code of a device */
	assert_int_equal(bench.done + bench.failed, 0);
	assert_int_equal(bench.world->sent_count, 0);
	source.has = true;
	aws_client_credentials_changed(bench.client);
	fake_run(bench.world, 1000);
	assert_int_equal(bench.done, 1);
	assert_int_equal(bench.world->sent_count, 1);
	assert_non_null(strstr(bench.world->sent[0].authorization, "Credential=ASIAFIRST/"));
	bench_stop(&bench);
}

static void test_the_reason_why_there_are_none(void **state)
{
	static struct bench bench;
	(void)state;
	set_source(false);
	start(&bench);
	bench_call(&bench, &op);
	source.fails = true;
	aws_client_credentials_changed(bench.client);
	fake_run(bench.world, 1000);
	assert_int_equal(bench.failed, 1);
	assert_int_equal(bench.err.code, ERR_AUTH);
	assert_string_equal(err_text(&bench.err), "the login expired");
	assert_int_equal(bench.world->sent_count, 0);
	bench_stop(&bench);
}

static void answer_expired(struct bench *bench, size_t n, const struct fake_sent *sent,
			   struct fake_answer *answer)
{
	(void)bench, (void)n;
	if (strstr(sent->authorization, "ASIAFIRST"))
		fake_error(answer, 400, "ExpiredTokenException", "The token has expired");
}

static void answer_always_expired(struct bench *bench, size_t n, const struct fake_sent *sent,
				  struct fake_answer *answer)
{
	(void)bench, (void)n, (void)sent;
	fake_error(answer, 400, "ExpiredTokenException", "The token has expired");
}

static void test_refused_ones_are_renewed(void **state)
{
	static struct bench bench;
	(void)state;
	set_source(true);
	source.renews = true;
	start(&bench);
	bench.answer = answer_expired;
	bench_call(&bench, &op);
	fake_run(bench.world, MINUTE_MS);
	assert_int_equal(bench.done, 1);
	assert_int_equal(source.refusals, 1);
	assert_int_equal(bench.world->sent_count, 2);
	assert_non_null(strstr(bench.world->sent[1].authorization, "Credential=ASIASECOND/"));
	bench_stop(&bench);
}

/* One try more, not a loop. */
static void test_refused_for_good(void **state)
{
	static struct bench bench;
	(void)state;
	set_source(true);
	source.renews = true;
	start(&bench);
	bench.answer = answer_always_expired;
	bench_call(&bench, &op);
	fake_run(bench.world, MINUTE_MS);
	assert_int_equal(bench.failed, 1);
	assert_string_equal(bench.err.aws_code, "ExpiredTokenException");
	assert_int_equal(bench.world->sent_count, 2);
	bench_stop(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls_wait_for_credentials),
		cmocka_unit_test(test_the_reason_why_there_are_none),
		cmocka_unit_test(test_refused_ones_are_renewed),
		cmocka_unit_test(test_refused_for_good),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
