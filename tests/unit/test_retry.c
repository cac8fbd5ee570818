#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/client.h"
#include "aws/json.h"
#include "aws/retry.h"
#include "model/base/mem.h"
#include "tests/fakes.h"
#include "tests/shared.h"

static void delay__doubles_to_its_ceiling__with_full_jitter(void **state)
{
	(void)state;
	assert_int_equal(retry_delay_ms(RETRY_TRANSIENT, 0, 1, -1), 50);
	assert_int_equal(retry_delay_ms(RETRY_TRANSIENT, 1, 1, -1), 100);
	assert_int_equal(retry_delay_ms(RETRY_TRANSIENT, 2, 0.5, -1), 100);
	assert_int_equal(retry_delay_ms(RETRY_TRANSIENT, 9, 1, -1), 20000);
	assert_int_equal(retry_delay_ms(RETRY_TRANSIENT, 4000000000u, 1, -1), 20000);
	assert_int_equal(retry_delay_ms(RETRY_THROTTLED, 0, 1, -1), 1000);
	assert_int_equal(retry_delay_ms(RETRY_THROTTLED, 5, 1, -1), 20000);
	assert_int_equal(retry_delay_ms(RETRY_THROTTLED, 3, 0, -1), 0);
}

/* Published: 1500 with t = 50 ms gives 1.5 s, 10000 gives 5.05 s. */
static void hint__counts__within_five_seconds(void **state)
{
	(void)state;
	assert_int_equal(retry_delay_ms(RETRY_TRANSIENT, 0, 1, 1500), 1500);
	assert_int_equal(retry_delay_ms(RETRY_TRANSIENT, 0, 1, 10000), 5050);
	assert_int_equal(retry_delay_ms(RETRY_TRANSIENT, 0, 1, 0), 50);
	assert_int_equal(retry_delay_ms(RETRY_TRANSIENT, 0, 1, 20), 50);
	assert_int_equal(retry_delay_ms(RETRY_TRANSIENT, 0, 1, INT64_MAX), 5050);
}

static void quota__is_paid_and_refunded__as_published(void **state)
{
	struct retry_quota quota;
	unsigned cost = 0;

	(void)state;
	retry_quota_init(&quota);
	assert_int_equal(quota.left, 500);
	assert_true(retry_quota_take(&quota, RETRY_TRANSIENT, &cost));
	assert_int_equal(quota.left, 486);
	assert_true(retry_quota_take(&quota, RETRY_TRANSIENT, &cost));
	assert_int_equal(quota.left, 472);
	retry_quota_refund(&quota, cost);
	assert_int_equal(quota.left, 486);
	retry_quota_refund(&quota, 0);
	assert_int_equal(quota.left, 487);
	quota.left = 500;
	retry_quota_refund(&quota, 14);
	assert_int_equal(quota.left, 500);
	quota.left = 20;
	assert_true(retry_quota_take(&quota, RETRY_TRANSIENT, &cost));
	assert_int_equal(quota.left, 6);
	assert_false(retry_quota_take(&quota, RETRY_TRANSIENT, &cost));
	assert_true(retry_quota_take(&quota, RETRY_THROTTLED, &cost));
	assert_int_equal(quota.left, 1);
}

static struct json_value *load(const char *file)
{
	size_t len;
	char *text = shared_read(file, &len);
	struct err err = { 0 };
	struct json_value *json = text ? json_parse(text, len, &err) : NULL;

	if (text)
		assert_non_null(json);
	free(text);
	return json;
}

static void classification__agrees__with_published_table(void **state)
{
	struct json_value *json = load("vectors/retries/classification.json");
	const struct json_value *rows = json_array(json_object(json, "standard-2026"), "responses");
	size_t count = 0;

	(void)state;
	if (!json)
		return;
	for (const struct json_value *at = json_first(rows); at; at = json_next(at), count++) {
		const char *code = json_text(at, "code");
		int64_t status = 0;
		bool retried = false, throttling = false;

		assert_true(json_integer(at, "status", &status));
		assert_true(json_boolean(at, "retried", &retried));
		assert_true(json_boolean(at, "throttling", &throttling));

		enum retry_kind kind = retry_classify((int)status, code ? code : "");

		if ((kind != RETRY_NOT) != retried || (kind == RETRY_THROTTLED) != throttling)
			fail_msg("%d %s", (int)status, code ? code : "");
	}
	assert_int_equal(count, 83);
	json_free(json);
}

/* Published scenarios. What a response of one is. */
static int status_of(const struct json_value *response)
{
	int64_t status = 0;

	json_integer(response, "status", &status);
	return (int)status;
}

static int64_t hint_of(const struct json_value *response)
{
	const char *text = json_text(json_object(response, "headers"), "x-amz-retry-after");

	if (!text || !text[0] || strspn(text, "0123456789") != strlen(text))
		return -1;
	return strtoll(text, NULL, 10);
}

static enum retry_kind kind_of(const struct json_value *response)
{
	const char *code = json_text(response, "code");

	if (json_text(response, "exception"))
		return RETRY_TRANSIENT;
	return retry_classify(status_of(response), code ? code : "");
}

static bool is_success(const struct json_value *response)
{
	return status_of(response) == 200;
}

static double number_of(const struct json_value *object, const char *name, double otherwise)
{
	double number = otherwise;

	json_number(object, name, &number);
	return number;
}

/* Plays one call with the parts alone and compares every figure. */
static void play_parts(const char *name, const struct json_value *call, unsigned max, double random,
		       struct retry_quota *quota)
{
	const struct json_value *expected = json_object(call, "expect");
	const struct json_value *delay = json_first(json_array(expected, "delays"));
	const struct json_value *at = json_first(json_array(call, "responses"));
	unsigned tries = 0, cost = 0;

	for (; at; at = json_next(at)) {
		double seconds = 0;

		tries++;
		if (is_success(at)) {
			retry_quota_refund(quota, cost);
			break;
		}
		if (kind_of(at) == RETRY_NOT || tries == max ||
		    !retry_quota_take(quota, kind_of(at), &cost))
			break;
		if (!json_as_number(delay, &seconds) ||
		    retry_delay_ms(kind_of(at), tries - 1, random, hint_of(at)) !=
			    llround(seconds * 1000))
			fail_msg("%s: delay %u", name, tries);
		delay = json_next(delay);
	}
	if (delay || tries != (unsigned)number_of(expected, "attempts", 0) ||
	    quota->left != (unsigned)number_of(expected, "quota_after", 0))
		fail_msg("%s: tries %u, quota %u", name, tries, quota->left);
}

/* One failure is retryable for STS alone, which this client does not call. */
static bool is_ours(const struct json_value *test)
{
	return strcmp(json_text(test, "mode"), "standard-2026") == 0 &&
	       !strstr(json_text(test, "name"), "IDPCommunicationError");
}

static void scenarios__agree__in_delays_and_quota(void **state)
{
	struct json_value *json = load("vectors/retries/cases.json");
	size_t count = 0;

	(void)state;
	for (const struct json_value *test = json_first(json); test; test = json_next(test)) {
		struct retry_quota quota;

		if (!is_ours(test))
			continue;
		retry_quota_init(&quota);
		quota.left = (unsigned)number_of(test, "initial_quota", RETRY_QUOTA_MAX);
		for (const struct json_value *call = json_first(json_array(test, "calls")); call;
		     call = json_next(call))
			play_parts(json_text(test, "name"), call,
				   (unsigned)number_of(test, "max_attempts", 3),
				   number_of(test, "random", 1), &quota);
		count++;
	}
	assert_true(!json || count == 57);
	json_free(json);
}

/* The same through the whole client: tries, outcome, and no pause longer than its bound. */

static const struct aws_op plain_op = { .name = "PlainOp",
					.service = "sagemaker",
					.target = "SageMaker.PlainOp",
					.content_type = "application/x-amz-json-1.1",
					.resend = true,
					.timeout_ms = 10000,
					.max_reply = 65536 };

struct script {
	const struct json_value *next;
	int outcomes, failures;
	char code[96];
};

static void serve(void *ctx, const struct fake_sent *request, struct fake_answer *answer)
{
	struct script *script = ctx;
	const struct json_value *response = script->next;
	const char *code = json_text(response, "code"), *body = json_text(response, "body");

	(void)request;
	script->next = json_next(response);
	answer->status = status_of(response);
	answer->retry_after_ms = hint_of(response);
	if (json_text(response, "exception")) {
		answer->fails = ERR_NET;
		answer->sent = true;
	} else if (code) {
		fake_error(answer, answer->status, code, "m");
	} else if (body) {
		answer->body = mem_copy_text(body);
	}
}

static void ended(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct script *script = ctx;

	(void)reply;
	script->outcomes++;
	script->failures += err != NULL;
}

static void wake(void *target)
{
	struct aws_client **client = target;

	aws_client_wake(*client);
}

static void play_client(const char *name, struct aws_client *client, struct fake_world *world,
			struct script *script, const struct json_value *call)
{
	const struct json_value *expected = json_object(call, "expect");
	const struct json_value *delay = json_first(json_array(expected, "delays"));
	size_t first = world->sent_count, tries = (size_t)number_of(expected, "attempts", 0);
	bool success = strcmp(json_text(expected, "outcome"), "success") == 0;

	*script = (struct script){ .next = json_first(json_array(call, "responses")) };
	aws_client_call(client, &plain_op, "{}", ended, script);
	fake_run(world, 200000);
	if (script->outcomes != 1 || (script->failures == 0) != success ||
	    world->sent_count - first != tries)
		fail_msg("%s: %zu tries", name, world->sent_count - first);
	for (size_t i = first + 1; i < world->sent_count; i++, delay = json_next(delay)) {
		double bound = 0;

		assert_true(json_as_number(delay, &bound));
		if (world->sent[i].at_ms - world->sent[i - 1].at_ms > llround(bound * 1000))
			fail_msg("%s: pause before try %zu", name, i - first + 1);
	}
}

static void scenarios__agree__through_the_client(void **state)
{
	struct json_value *json = load("vectors/retries/cases.json");
	char access[] = "A", secret[] = "S";
	struct aws_credentials keys = { .access_key = access, .secret_key = secret };
	size_t count = 0;

	(void)state;
	for (const struct json_value *test = json_first(json); test; test = json_next(test)) {
		struct script script = { 0 };
		struct aws_client *client = NULL;
		struct err err = { 0 };
		double max = number_of(test, "max_attempts", 3), fixed;

		/* The quota starts full, and random is ours; the deadline allows three pauses. */
		if (!is_ours(test) || json_number(test, "initial_quota", &fixed) || max > 5 ||
		    number_of(test, "random", 1) < 1)
			continue;

		struct fake_world *world = fake_world_new(serve, &script);
		struct aws_options options = { .region = "us-east-1",
					       .max_tries = (unsigned)max,
					       .seed = 1 + count,
					       .clock = &world->clock,
					       .hooks = fake_hooks(world, wake, &client),
					       .transport = &world->transport };

		client = aws_client_new(&options, &keys, &err);
		assert_non_null(client);
		for (const struct json_value *call = json_first(json_array(test, "calls")); call;
		     call = json_next(call))
			play_client(json_text(test, "name"), client, world, &script, call);
		aws_client_free(client);
		fake_world_free(world);
		count++;
	}
	assert_true(!json || count > 40);
	json_free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(delay__doubles_to_its_ceiling__with_full_jitter),
		cmocka_unit_test(hint__counts__within_five_seconds),
		cmocka_unit_test(quota__is_paid_and_refunded__as_published),
		cmocka_unit_test(classification__agrees__with_published_table),
		cmocka_unit_test(scenarios__agree__in_delays_and_quota),
		cmocka_unit_test(scenarios__agree__through_the_client),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
