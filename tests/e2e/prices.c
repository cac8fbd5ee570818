/*
 * Prices on the real program and the real region: of the price list, kept for a day, with the table
 * in its place where there is none to be had, and each said for what it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "tests/awsuser.h"
#include "tests/gpuq.h"
#include "tests/statehome.h"

#define P5      "ml.p5.48xlarge"
#define SOON_MS 30000

static int start(void **state)
{
	struct awsuser *user = calloc(1, sizeof(*user));
	assert_non_null(user);
	awsuser_start(user);
	awsuser_use_region(user);
	awsuser_set(user, "AWS_ACCESS_KEY_ID", "AKIDSIM");
	awsuser_set(user, "AWS_SECRET_ACCESS_KEY", "simsecret");
	*state = user;
	return 0;
}

static int stop(void **state)
{
	awsuser_stop(*state);
	free(*state);
	return 0;
}

static void prints(struct awsuser *user, const char *out, const char *err, const char *const *words)
{
	struct process_result result;
	awsuser_run(user, &result, words);
	if (result.status != 0 || !strstr(result.out, out) ||
	    (err[0] ? !strstr(result.err, err) : result.err[0] != '\0'))
		fail_msg("status %d, not '%s' and '%s' in:\n%s\n%s", result.status, out, err,
			 result.out, result.err);
	process_release(&result);
}
#define PRINTS(user, out, err, ...) \
	prints(user, out, err, (const char *const[]){ __VA_ARGS__, NULL })

static void prices__are_those_of_the_list__and_are_read_once(void **state)
{
	struct awsuser *user = *state;
	region_control(&user->region, "price",
		       "{\"instance_type\":\"" P5 "\",\"usd\":\"61.2340000000\"}");
	region_control(&user->region, "price", "{\"instance_type\":\"ml.g5.xlarge\",\"usd\":null}");
	PRINTS(user,
	       "\"per_hour\":61.234,\"currency\":\"USD\",\"source\":\"price-list\",\"date\":\"20",
	       "", "prices", P5, "-o", "json");
	long calls = awsuser_calls(user, "GetProducts");
	assert_in_range(calls, 4, 6); /* two lists of two pages each, or three */
	/* What a job that runs on it costs goes by the same list. */
	PRINTS(user, "\"price_source\":\"price-list\"", "", "jobs", "-o", "json");
	PRINTS(user, "ml.g5.xlarge  Training    no price", "", "prices", "ml.g5.xlarge");
	PRINTS(user,
	       P5 "    training, endpoint              8xH100        80G   640G   hopper  9.0 ", "",
	       "types", "hopper");
	PRINTS(user, "us-east-1,Processing,ml.m5.xlarge,0.23,USD,price-list,", "", "prices",
	       "ml.m5.xlarge", "-o", "csv");
	assert_int_equal(awsuser_calls(user, "GetProducts"), calls);
}

static void prices__come_from_the_table__when_the_list_is_denied(void **state)
{
	struct awsuser *user = *state;
	region_control(&user->region, "fault",
		       "{\"operation\":\"GetProducts\",\"count\":1000,\"status\":400,\"code\":"
		       "\"AccessDeniedException\"}");
	PRINTS(user,
	       "\"per_hour\":63.296,\"currency\":\"USD\",\"source\":\"table\",\"date\":\"2026-09-"
	       "04\"",
	       "prices are those of the dated table", "prices", P5, "-o", "json");
	PRINTS(user, "~$72.7904", "of the dated table", "prices", "ml.p5en.48xlarge");
}

/* No route, throttled to the end, an answer that is none: jobs are listed all the same. */
static void jobs__are_listed__while_the_list_is_away(void **state)
{
	struct awsuser *user = *state;
	awsuser_set(user, "AWS_ENDPOINT_URL_PRICING", "http://127.0.0.1:9");
	PRINTS(user, "\"price_source\":\"table\"", "", "jobs", "-o", "json");
	awsuser_set(user, "AWS_ENDPOINT_URL_PRICING", NULL);
	region_control(&user->region, "fault",
		       "{\"operation\":\"GetProducts\",\"count\":1000,\"status\":400,\"code\":"
		       "\"ThrottlingException\"}");
	PRINTS(user, "\"price_source\":\"table\"", "", "jobs", "-o", "json");
}

static void prices__are_read_anew__when_the_file_is_damaged(void **state)
{
	struct awsuser *user = *state;
	struct process_result result;
	char command[256];
	const char *const damage[] = { "/bin/sh", "-c", command, NULL };
	const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	PRINTS(user, "price-list", "", "prices", P5);
	snprintf(command, sizeof(command),
		 "f=$(find %s -name prices.json) && test $(stat -c %%a $f) = 600 && echo '{' > $f",
		 user->root);
	process_run(&result, damage, env, NULL);
	assert_int_equal(result.status, 0);
	process_release(&result);
	PRINTS(user, "price-list", "", "prices", P5);
}

static void prices__are_those_of_the_region__that_is_asked_about(void **state)
{
	static const char *const options[] = { "--scenario", "empty",     "--rate", "0",
					       "--region",   "sa-east-1", NULL };
	struct awsuser *user = *state;
	struct region other;
	region_start(&other, options);
	awsuser_set(user, "AWS_ENDPOINT_URL", "%s", other.url);
	awsuser_set(user, "AWS_REGION", "sa-east-1");
	PRINTS(user, "no price", "AWS's price list has no SageMaker prices in sa-east-1", "prices",
	       P5);
	region_stop(&other);
}

/* China's list is read in cn-northwest-1, whichever region it is of, and told in yuan. */
static void prices__of_china__are_in_yuan(void **state)
{
	static const char *const options[] = { "--scenario", "empty",      "--rate", "0",
					       "--region",   "cn-north-1", NULL };
	struct awsuser *user = *state;
	struct region china;
	region_start(&china, options);
	awsuser_set(user, "AWS_ENDPOINT_URL", "%s", china.url);
	awsuser_set(user, "AWS_REGION", "cn-north-1");
	region_control(&china, "price", "{\"instance_type\":\"" P5 "\",\"usd\":\"440.5\"}");
	PRINTS(user,
	       "{\"region\":\"cn-north-1\",\"component\":\"Training\",\"instance_type\":\"" P5
	       "\",\"per_hour\":440.5,\"currency\":\"CNY\",\"source\":\"price-list\"",
	       "", "prices", P5, "-o", "json");
	PRINTS(user, "CNY 440.5 ", "", "prices", P5);
	long calls = region_calls(&china, "GetProducts");
	assert_int_not_equal(calls, 0);
	/* Kept with its currency. */
	PRINTS(user, "\"currency\":\"CNY\",\"source\":\"price-list\"", "", "prices", "ml.m5.xlarge",
	       "-o", "json");
	assert_int_equal(region_calls(&china, "GetProducts"), calls);
	region_stop(&china);
}

/* GovCloud has no price list, and its keys are worth nothing where there is one: nobody is asked,
 * and there is no figure of another partition in its place. */
static void prices__of_govcloud__are_unknown_and_not_asked_for(void **state)
{
	static const char *const options[] = { "--scenario", "empty",         "--rate", "0",
					       "--region",   "us-gov-west-1", NULL };
	struct awsuser *user = *state;
	struct region gov;
	region_start(&gov, options);
	awsuser_set(user, "AWS_ENDPOINT_URL", "%s", gov.url);
	awsuser_set(user, "AWS_REGION", "us-gov-west-1");
	PRINTS(user, "\"per_hour\":null,\"currency\":null,\"source\":null", "price list", "prices",
	       P5, "-o", "json");
	PRINTS(user, "no price", "price list", "prices", P5);
	assert_int_equal(region_calls(&gov, "GetProducts"), 0);
	region_stop(&gov);
}

/* The kept lists are that old now. */
static void age_kept(int hours)
{
	struct process_result result;
	char command[512];
	const char *const words[] = { "/bin/sh", "-c", command, NULL };
	const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	(void)snprintf(command, sizeof(command),
		       "f=$(find %s -name prices.json) && sed -i \"s/read_at_ms\\\":[0-9]*/"
		       "read_at_ms\\\":$(( $(date +%%s) - %d * 3600 ))000/g\" \"$f\"",
		       statehome(), hours);
	process_run(&result, words, env, NULL);
	if (result.status != 0)
		fail_msg("%s", result.err);
	process_release(&result);
}

/* On a terminal, where what takes its time is said. */
static void says(const struct region *region, const char *const *words, const char *text,
		 bool wanted)
{
	struct pty *pty = gpuq_open(region, words);
	int status = -1;
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	if ((strstr(pty_text(pty), text) != NULL) != wanted)
		fail_msg("%s '%s':\n%s", wanted ? "not" : "yet", text, pty_text(pty));
	pty_stop(pty);
}

static void list__that_is_waited_for__is_named__and_yesterdays_will_do(void **state)
{
	static const char *const jobs[] = { "jobs", "-o", "csv", NULL };
	static const char *const none[] = { "jobs", "--filter", "no-such-job", NULL };
	static const char *const stop_it[] = { "stop", "no-such-job", "--yes", NULL };
	static const char waits[] = "gpuq: reads AWS's price list, for 3 s at most";
	const struct awsuser *user = *state;
	struct process_result result;
	GPUQ_RUN(&result, &user->region, "prices", P5);
	assert_int_equal(result.status, 0);
	process_release(&result);
	region_control(&user->region, "fault",
		       "{\"operation\":\"GetProducts\",\"count\":99,\"delay_ms\":30000}");
	age_kept(30);
	says(&user->region, jobs, "reads AWS's price list", false);
	says(&user->region, jobs, "price-list", true);
	age_kept(72);
	says(&user->region, none, waits, true);
	/* No word of money: nothing is waited for. */
	says(&user->region, stop_it, "reads AWS's price list", false);
}

static void screen__says_which_prices_it_shows(void **state)
{
	struct awsuser *user = *state;
	region_control(&user->region, "fault",
		       "{\"operation\":\"GetProducts\",\"count\":1,\"status\":400,\"code\":"
		       "\"AccessDeniedException\"}");
	struct pty *pty = awsuser_watch(user, NULL);
	awsuser_want(pty, "~$");
	/* The denial may still be on its way: a key before it asks for nothing. */
	for (int i = 0; i < 20 && strstr(pty_text(pty), "~$"); i++) {
		pty_type(pty, "r");
		(void)pty_wait_no_text(pty, "~$", 1000);
	}
	awsuser_want_gone(pty, "~$");
	awsuser_leave(user, pty);
}

int main(void)
{
#define PRICE_TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)
	const struct CMUnitTest tests[] = {
		PRICE_TEST(prices__are_those_of_the_list__and_are_read_once),
		PRICE_TEST(prices__come_from_the_table__when_the_list_is_denied),
		PRICE_TEST(jobs__are_listed__while_the_list_is_away),
		PRICE_TEST(prices__are_read_anew__when_the_file_is_damaged),
		PRICE_TEST(prices__are_those_of_the_region__that_is_asked_about),
		PRICE_TEST(prices__of_china__are_in_yuan),
		PRICE_TEST(prices__of_govcloud__are_unknown_and_not_asked_for),
		PRICE_TEST(list__that_is_waited_for__is_named__and_yesterdays_will_do),
		PRICE_TEST(screen__says_which_prices_it_shows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
