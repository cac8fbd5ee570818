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
#include "aws/http_head.h"
#include "aws/json.h"
#include "aws/retry.h"
#include "model/base/mem.h"
#include "tests/fakes.h"
#include "tests/shared.h"

/* The numbers before 2026: no hint, one pause for all, twice the price for a time-out. */
static const struct retry_rules classic = {
	.kinds = { [RETRY_TRANSIENT] = { 1, 5 },
		   [RETRY_TIMED_OUT] = { 1, 10 },
		   [RETRY_THROTTLED] = { 1, 5 } },
	.pause_max_s = 20,
};

static int64_t delay_ms(enum retry_kind kind, unsigned retry, double random, int64_t hint_ms)
{
	double delay_s = retry_delay_s(&retry_rules_standard, kind, retry, random, hint_ms);

	assert_true(fabs(delay_s * 1000 - round(delay_s * 1000)) < 1e-9);
	return llround(delay_s * 1000);
}

static void delay__doubles_to_its_ceiling__with_full_jitter(void **state)
{
	(void)state;
	assert_int_equal(delay_ms(RETRY_TRANSIENT, 0, 1, -1), 50);
	assert_int_equal(delay_ms(RETRY_TRANSIENT, 1, 1, -1), 100);
	assert_int_equal(delay_ms(RETRY_TIMED_OUT, 2, 0.5, -1), 100);
	assert_int_equal(delay_ms(RETRY_TRANSIENT, 9, 1, -1), 20000);
	assert_int_equal(delay_ms(RETRY_TRANSIENT, 4000000000u, 1, -1), 20000);
	assert_int_equal(delay_ms(RETRY_THROTTLED, 0, 1, -1), 1000);
	assert_int_equal(delay_ms(RETRY_THROTTLED, 5, 1, -1), 20000);
	assert_int_equal(delay_ms(RETRY_THROTTLED, 3, 0, -1), 0);
}

/* Published: 1500 with t = 50 ms gives 1.5 s, 10000 gives 5.05 s. */
static void hint__counts__within_five_seconds(void **state)
{
	(void)state;
	assert_int_equal(delay_ms(RETRY_TRANSIENT, 0, 1, 1500), 1500);
	assert_int_equal(delay_ms(RETRY_TRANSIENT, 0, 1, 10000), 5050);
	assert_int_equal(delay_ms(RETRY_TRANSIENT, 0, 1, 0), 50);
	assert_int_equal(delay_ms(RETRY_TRANSIENT, 0, 1, 20), 50);
	assert_int_equal(delay_ms(RETRY_TRANSIENT, 0, 1, INT64_MAX), 5050);
}

static void quota__is_paid_and_refunded__as_published(void **state)
{
	const struct retry_rules *rules = &retry_rules_standard;
	struct retry_quota quota;
	unsigned cost = 0;

	(void)state;
	retry_quota_init(&quota);
	assert_int_equal(quota.left, 500);
	assert_true(retry_quota_take(&quota, rules, RETRY_TRANSIENT, &cost));
	assert_int_equal(quota.left, 486);
	assert_true(retry_quota_take(&quota, rules, RETRY_TIMED_OUT, &cost));
	assert_int_equal(quota.left, 472);
	retry_quota_refund(&quota, cost);
	assert_int_equal(quota.left, 486);
	retry_quota_refund(&quota, 0);
	assert_int_equal(quota.left, 487);
	quota.left = 500;
	retry_quota_refund(&quota, 14);
	assert_int_equal(quota.left, 500);
	quota.left = 20;
	assert_true(retry_quota_take(&quota, rules, RETRY_TRANSIENT, &cost));
	assert_int_equal(quota.left, 6);
	assert_false(retry_quota_take(&quota, rules, RETRY_TRANSIENT, &cost));
	assert_true(retry_quota_take(&quota, rules, RETRY_THROTTLED, &cost));
	assert_int_equal(quota.left, 1);
}

/* Modelled as retryable by the one, unknown to the others. */
static void code_of_one_service__is_retried__there_alone(void **state)
{
	(void)state;
	assert_int_equal(retry_classify(SERVICE_PRICING, 400, "InternalErrorException"),
			 RETRY_TRANSIENT);
	assert_int_equal(retry_classify(SERVICE_SAGEMAKER, 400, "InternalErrorException"),
			 RETRY_NOT);
	assert_int_equal(retry_classify(SERVICE_STS, 400, "IDPCommunicationError"),
			 RETRY_TRANSIENT);
	assert_int_equal(retry_classify(SERVICE_SAGEMAKER, 400, "IDPCommunicationError"),
			 RETRY_NOT);
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

/* The transport's word for each of the published failures. */
static enum err_code failure_of(const char *exception)
{
	return strstr(exception, "Timeout") ? ERR_TIMEOUT : ERR_NET;
}

static void compare_classes(const struct json_value *mode)
{
	size_t count = 0;

	for (const struct json_value *at = json_first(json_array(mode, "responses")); at;
	     at = json_next(at), count++) {
		const char *code = json_text(at, "code");
		int64_t status = 0;
		bool retried = false, throttling = false;

		assert_true(json_integer(at, "status", &status));
		assert_true(json_boolean(at, "retried", &retried));
		assert_true(json_boolean(at, "throttling", &throttling));

		enum retry_kind kind =
			retry_classify(SERVICE_SAGEMAKER, (int)status, code ? code : "");

		if ((kind != RETRY_NOT) != retried || (kind == RETRY_THROTTLED) != throttling)
			fail_msg("%d %s", (int)status, code ? code : "");
	}
	for (const struct json_value *at = json_first(json_array(mode, "exceptions")); at;
	     at = json_next(at), count++) {
		const char *exception = json_text(at, "exception");
		bool retried = false;

		assert_true(json_boolean(at, "retried", &retried));
		assert_int_equal(retry_classify_silence(failure_of(exception)) != RETRY_NOT,
				 retried);
	}
	assert_int_equal(count, 90);
}

/* Of the three tables in the file the one of the legacy mode is left out: no mode runs so. */
static void classification__agrees__with_published_tables(void **state)
{
	struct json_value *json = load("vectors/retries/classification.json");

	(void)state;
	if (json) {
		compare_classes(json_object(json, "standard"));
		compare_classes(json_object(json, "standard-2026"));
		print_message("classification: 180 of 270 (left out: 90 of legacy mode)\n");
	}
	json_free(json);
}

/*
 * Published settings. The file's program falls back on its legacy mode, this one as the AWS CLI
 * does on the standard one; its client may be told a mode too, which is a place before the others.
 */
static bool is_mode(const char *name, const struct retry_texts *places, enum retry_mode mode)
{
	bool asked = places[0].mode || places[1].mode || places[2].mode;

	if (!asked)
		return strcmp(name, "legacy") == 0 && mode == RETRY_MODE_STANDARD;
	if (strcmp(name, "legacy") == 0)
		return mode == RETRY_MODE_LEGACY && retry_mode_note(mode);
	if (strcmp(name, "adaptive") == 0)
		return mode == RETRY_MODE_ADAPTIVE && retry_mode_note(mode);
	return mode == RETRY_MODE_STANDARD && !retry_mode_note(mode);
}

/* The value of a key in the few lines of a profile; NULL where it is not there. */
static char *profile_value(const char *file, const char *key)
{
	const char *at = strstr(file, key);

	return at ? mem_copy_bytes(at + strlen(key), strcspn(at + strlen(key), "\n")) : NULL;
}

static void compare_settings(const struct json_value *test)
{
	const struct json_value *env = json_object(test, "env"),
				*expect = json_object(test, "expect");
	const struct json_value *client = json_object(test, "client");
	char *mode = profile_value(json_text(test, "config_file"), "retry_mode = ");
	char *tries = profile_value(json_text(test, "config_file"), "max_attempts = ");
	char number[32];
	int64_t total = 0, expected = RETRY_TRIES_STANDARD;
	struct retry_settings settings;
	struct err err = { 0 };

	if (json_integer(client, "total_max_attempts", &total))
		snprintf(number, sizeof(number), "%d", (int)total);

	const struct retry_texts places[] = {
		{ json_text(client, "mode"), total ? number : NULL },
		{ json_text(env, "AWS_RETRY_MODE"), json_text(env, "AWS_MAX_ATTEMPTS") },
		{ mode, tries },
	};
	bool good = retry_settings_of(places, 3, &settings, &err);

	json_integer(expect, "total_max_attempts", &expected);
	if (good == (json_text(expect, "error") != NULL) ||
	    (good && (!is_mode(json_text(expect, "mode"), places, settings.mode) ||
		      settings.max_tries != (unsigned)expected)) ||
	    (!good && (err.code != ERR_CONFIG || err_text(&err)[0] == '\0')))
		fail_msg("%s: %d tries, %s", json_text(test, "name"), (int)settings.max_tries,
			 err_text(&err));
	err_clear(&err);
	free(mode);
	free(tries);
}

static void settings__agree__with_published_ones(void **state)
{
	struct json_value *json = load("vectors/retries/config.json");
	size_t count = 0;

	(void)state;
	for (const struct json_value *at = json_first(json); at; at = json_next(at), count++)
		compare_settings(at);
	if (json) {
		print_message("settings: %zu of 20\n", count);
		assert_int_equal(count, 20);
	}
	json_free(json);
}

static void settings__are_read__with_blanks_and_up_to_a_ceiling(void **state)
{
	static const struct {
		const char *text;
		unsigned tries; /* 0 = refused */
	} rows[] = {
		{ " 5 ", 5 },   { "007", 7 },
		{ "100", 100 }, { "101", RETRY_TRIES_MAX },
		{ "1e2", 0 },   { "4294967297", 100 },
		{ "3 4", 0 },   { "99999999999999999999", 100 },
		{ "  ", 0 },    { "2.0", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct retry_texts place = { .max_attempts = rows[i].text };
		struct retry_settings settings;
		struct err err = { 0 };

		if (retry_settings_of(&place, 1, &settings, &err) != (rows[i].tries > 0) ||
		    (rows[i].tries && settings.max_tries != rows[i].tries))
			fail_msg("'%s': %u", rows[i].text, settings.max_tries);
		err_clear(&err);
	}
}

/*
 * Published scenarios, each through a client of its own: what it sends and when, what it pays, how
 * each call ends.
 */

struct script {
	enum aws_service service;
	const struct json_value *next; /* response */
	double random;
	struct retry_quota quota;
	int ended;
	struct err err; /* of the newest call */
};

static int64_t hint_of(const struct json_value *response)
{
	const struct json_value *headers = json_object(response, "headers");
	struct http_head head;

	http_head_init(&head);
	for (const struct json_value *at = json_first(headers); at; at = json_next(at)) {
		char line[128];
		int len =
			snprintf(line, sizeof(line), "%s: %s\r\n", json_name(at), json_as_text(at));

		assert_true(http_head_take_line(&head, line, (size_t)len));
	}
	return head.retry_after_ms;
}

static void set_error(enum aws_service service, struct fake_answer *answer, const char *code)
{
	char body[256];

	if (service == SERVICE_STS)
		snprintf(body, sizeof(body),
			 "<ErrorResponse><Error><Code>%s</Code></Error></ErrorResponse>", code);
	else if (service == SERVICE_EC2)
		snprintf(body, sizeof(body),
			 "<Response><Errors><Error><Code>%s</Code></Error></Errors></Response>",
			 code);
	if (service == SERVICE_STS || service == SERVICE_EC2)
		answer->body = mem_copy_text(body);
	else
		fake_error(answer, answer->status, code, "m");
}

static void serve(void *ctx, const struct fake_sent *request, struct fake_answer *answer)
{
	struct script *script = ctx;
	const struct json_value *response = script->next;
	const char *code = json_text(response, "code"), *body = json_text(response, "body");
	const char *exception = json_text(response, "exception");
	int64_t status = 0;

	(void)request;
	assert_non_null(response);
	script->next = json_next(response);
	answer->has_date = false;
	answer->retry_after_ms = hint_of(response);
	if (exception) {
		answer->fails = failure_of(exception);
		answer->sent = true;
		return;
	}
	assert_true(json_integer(response, "status", &status));
	answer->status = (int)status;
	if (code)
		set_error(script->service, answer, code);
	else if (body)
		answer->body = mem_copy_text(body);
}

static double scripted_random(void *ctx)
{
	return ((const struct script *)ctx)->random;
}

static void ended(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct script *script = ctx;

	(void)reply;
	script->ended++;
	err_clear(&script->err);
	if (err)
		err_copy(&script->err, err);
}

static void wake(void *target)
{
	struct aws_client **client = target;

	aws_client_wake(*client);
}

static enum aws_service service_of(const struct json_value *test)
{
	static const struct {
		const char *name;
		enum aws_service service;
	} services[] = {
		{ "sagemaker", SERVICE_SAGEMAKER },
		{ "pricing", SERVICE_PRICING },
		{ "service-quotas", SERVICE_QUOTAS },
		{ "logs", SERVICE_LOGS },
		{ "cloudwatch", SERVICE_CLOUDWATCH },
		{ "ec2", SERVICE_EC2 },
		{ "sts", SERVICE_STS },
		{ "sts-web", SERVICE_STS },
	};

	for (size_t i = 0; i < ARRAY_LEN(services); i++) {
		if (strcmp(json_text(test, "service"), services[i].name) == 0)
			return services[i].service;
	}
	fail_msg("%s", json_text(test, "service"));
	return SERVICE_COUNT;
}

static bool ended_as(const struct err *err, const struct json_value *expected)
{
	const char *outcome = json_text(expected, "outcome");

	if (strcmp(outcome, "success") == 0)
		return err->code == ERR_NONE;
	if (strcmp(outcome, "error") == 0)
		return strcmp(err->aws_code, json_text(expected, "code")) == 0;
	return err->code ==
	       (strstr(json_text(expected, "exception"), "Timeout") ? ERR_TIMEOUT : ERR_NET);
}

static void play_call(const char *name, struct aws_client *client, const struct aws_op *op,
		      struct fake_world *world, const struct json_value *call)
{
	struct script *script = world->ctx;
	const struct json_value *expected = json_object(call, "expect");
	const struct json_value *delay = json_first(json_array(expected, "delays"));
	size_t first = world->sent_count;
	int64_t attempts = 0, quota = 0;

	assert_true(json_integer(expected, "attempts", &attempts));
	assert_true(json_integer(expected, "quota_after", &quota));
	script->next = json_first(json_array(call, "responses"));
	script->ended = 0;
	aws_client_call(client, op, "{}", ended, script);
	fake_run(world, 400000);
	if (script->ended != 1 || !ended_as(&script->err, expected) ||
	    world->sent_count - first != (size_t)attempts || script->quota.left != (unsigned)quota)
		fail_msg("%s: %zu tries, quota %u, %s", name, world->sent_count - first,
			 script->quota.left, script->err.aws_code);
	for (size_t i = first + 1; i < world->sent_count; i++, delay = json_next(delay)) {
		double seconds = 0;

		assert_true(json_as_number(delay, &seconds));
		if (fabs((double)(world->sent[i].at_ms - world->sent[i - 1].at_ms) / 1000 -
			 seconds) > 1e-9)
			fail_msg("%s: pause before try %zu", name, i - first + 1);
	}
	assert_null(delay);
}

static void play_scenario(const struct json_value *test, const struct retry_rules *rules)
{
	char access[] = "A", secret[] = "S";
	struct aws_credentials keys = { .access_key = access, .secret_key = secret };
	const struct aws_op op = { .name = "PlainOp",
				   .service = service_of(test),
				   .resend = true,
				   .timeout_ms = 10000,
				   .max_reply = 65536 };
	double tries = 0, quota = RETRY_QUOTA_MAX;
	struct script script = { .random = 1 };
	struct fake_world *world = fake_world_new(serve, &script);
	struct aws_client *client = NULL;
	struct err err = { 0 };

	json_number(test, "max_attempts", &tries);
	json_number(test, "initial_quota", &quota);
	json_number(test, "random", &script.random);
	script.quota.left = (unsigned)quota;
	script.service = op.service;

	struct aws_options options = { .service = op.service,
				       .region = "us-east-1",
				       .max_tries = (unsigned)tries,
				       .retry_rules = rules,
				       .retry_quota = &script.quota,
				       .random = scripted_random,
				       .ctx = &script,
				       .clock = &world->clock,
				       .hooks = fake_hooks(world, wake, &client),
				       .transport = &world->transport };

	client = aws_client_new(&options, &keys, &err);
	assert_non_null(client);
	for (const struct json_value *call = json_first(json_array(test, "calls")); call;
	     call = json_next(call))
		play_call(json_text(test, "name"), client, &op, world, call);
	aws_client_free(client);
	fake_world_free(world);
	err_clear(&script.err);
}

static const struct {
	const char *name;
	const struct retry_rules *rules;
	size_t count;
	const char *why; /* not played, and why */
} modes[] = {
	{ "standard", &classic, 60, NULL },
	{ "standard-2026", &retry_rules_standard, 59, NULL },
	{ "legacy", NULL, 54, "left out, runs as standard here" },
};

/* adaptive.json is not played at all: its parts make up a mode that runs as standard here. */
static void scenarios__agree__through_the_client(void **state)
{
	struct json_value *json = load("vectors/retries/cases.json");

	(void)state;
	for (size_t i = 0; json && i < ARRAY_LEN(modes); i++) {
		size_t played = 0, all = 0;

		for (const struct json_value *at = json_first(json); at; at = json_next(at)) {
			if (strcmp(json_text(at, "mode"), modes[i].name) != 0)
				continue;
			all++;
			if (modes[i].why)
				continue;
			play_scenario(at, modes[i].rules);
			played++;
		}
		print_message("%s: %zu of %zu%s%s\n", modes[i].name, played, all,
			      modes[i].why ? ": " : "", modes[i].why ? modes[i].why : "");
		assert_int_equal(all, modes[i].count);
	}
	json_free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(delay__doubles_to_its_ceiling__with_full_jitter),
		cmocka_unit_test(hint__counts__within_five_seconds),
		cmocka_unit_test(quota__is_paid_and_refunded__as_published),
		cmocka_unit_test(code_of_one_service__is_retried__there_alone),
		cmocka_unit_test(classification__agrees__with_published_tables),
		cmocka_unit_test(settings__agree__with_published_ones),
		cmocka_unit_test(settings__are_read__with_blanks_and_up_to_a_ceiling),
		cmocka_unit_test(scenarios__agree__through_the_client),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
