/* The rows that need no answer of AWS: files, settings, credentials, clock, endpoints and proxies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "aws/diagnose.h"
#include "tests/authbench.h"

#define WALL_MS INT64_C(1796071688000) /* 2026-11-30T20:48:08Z */

struct bench {
	struct authbench auth;
	struct diagnosis diagnosis;
	struct diagnose_facts facts;
};

static int start(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	assert_non_null(bench);
	authbench_init(&bench->auth, WALL_MS);
	bench->facts = (struct diagnose_facts){
		.setup = &bench->auth.setup,
		.region = "",
		.wall_ms = WALL_MS,
		.is_searched = true,
		.status = { .provider = "", .origin = "", .account = "" }
	};
	*state = bench;
	return 0;
}

static int stop(void **state)
{
	struct bench *bench = *state;
	diagnosis_release(&bench->diagnosis);
	authbench_release(&bench->auth);
	free(bench);
	return 0;
}

/* As a session would have it: what fails is the trouble, a region of the setup the region. */
static void set_up(struct bench *bench, const char *profile)
{
	if (!authbench_set_up(&bench->auth, profile))
		bench->facts.trouble = &bench->auth.err;
	else
		bench->facts.region = bench->auth.setup.region.value;
	bench->facts.region_origin = bench->auth.setup.region.origin;
}

/* The row whose text has a part; fails the test where there is none or another result. */
static const struct diagnosis_row *want(const struct bench *bench, enum diagnosis_part part,
					enum diagnosis_result result, const char *text)
{
	for (size_t i = 0; i < bench->diagnosis.count; i++) {
		const struct diagnosis_row *row = &bench->diagnosis.rows[i];
		if (row->part == part && row->result == result && strstr(row->text, text))
			return row;
	}
	for (size_t i = 0; i < bench->diagnosis.count; i++)
		fprintf(stderr, "%s %s %s: %s\n",
			diagnosis_result_word(bench->diagnosis.rows[i].result),
			diagnosis_part_word(bench->diagnosis.rows[i].part),
			bench->diagnosis.rows[i].subject, bench->diagnosis.rows[i].text);
	fail_msg("no %s row of %s: %s", diagnosis_result_word(result), diagnosis_part_word(part),
		 text);
	return NULL;
}

/* --- files --- */

static void files__read_and_absent__are_told_apart(void **state)
{
	struct bench *bench = *state;
	authbench_write(&bench->auth, "/home/.aws/config", "[default]\n[profile a]\nregion=x-1\n");
	set_up(bench, NULL);
	diagnose_files(&bench->diagnosis, &bench->facts);
	assert_int_equal(bench->diagnosis.count, 2);
	const struct diagnosis_row *row =
		want(bench, DIAGNOSIS_FILE, DIAGNOSIS_OK, "read, 2 profiles");
	assert_non_null(strstr(row->subject, "/home/.aws/config"));
	row = want(bench, DIAGNOSIS_FILE, DIAGNOSIS_UNKNOWN, "there is no such file");
	assert_non_null(strstr(row->subject, "/home/.aws/credentials"));
}

static void file__named_but_absent__is_a_warning__unless_it_is_dev_null(void **state)
{
	struct bench *bench = *state;
	assert_int_equal(setenv("AWS_CONFIG_FILE", "/nonexistent/config", 1), 0);
	assert_int_equal(setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null", 1), 0);
	set_up(bench, NULL);
	diagnose_files(&bench->diagnosis, &bench->facts);
	assert_non_null(want(bench, DIAGNOSIS_FILE, DIAGNOSIS_WARNING, "AWS_CONFIG_FILE")->fix);
	assert_string_equal(want(bench, DIAGNOSIS_FILE, DIAGNOSIS_UNKNOWN, "no such file")->subject,
			    "/dev/null");
}

static void file__that_cannot_be_opened__counts_as_none(void **state)
{
	struct bench *bench = *state;
	char path[128];
	snprintf(path, sizeof(path), "%s/home/.aws", bench->auth.root);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/home/.aws/credentials", bench->auth.root);
	assert_int_equal(mkdir(path, 0700), 0); /* a folder, for root too */
	set_up(bench, NULL);
	diagnose_files(&bench->diagnosis, &bench->facts);
	assert_non_null(want(bench, DIAGNOSIS_FILE, DIAGNOSIS_WARNING, "")->fix);
}

static void file__of_another_kind__fails(void **state)
{
	struct bench *bench = *state;
	authbench_write(&bench->auth, "/home/.aws/credentials", "\xFF\xFE[");
	set_up(bench, NULL);
	diagnose_files(&bench->diagnosis, &bench->facts);
	assert_non_null(
		strstr(want(bench, DIAGNOSIS_FILE, DIAGNOSIS_FAILURE, "")->subject, "credentials"));
	assert_int_not_equal(diagnosis_exit_status(&bench->diagnosis), 0);
}

static const char damaged[] = "[profile a]\n"
			      "region = us-east-1 # here\n"
			      "[profile b]\n"
			      "no key at all\n";

static void bad_line__is_a_warning__but_in_the_profile_in_use(void **state)
{
	struct bench *bench = *state;
	authbench_write(&bench->auth, "/home/.aws/config", damaged);
	set_up(bench, "a");
	diagnose_files(&bench->diagnosis, &bench->facts);
	want(bench, DIAGNOSIS_FILE, DIAGNOSIS_WARNING, "line 2, [profile a] region: a # or ;");
	assert_string_equal(
		want(bench, DIAGNOSIS_FILE, DIAGNOSIS_WARNING, "line 4, [profile b]: ")->fix,
		"Correct that line.");
	assert_int_equal(diagnosis_exit_status(&bench->diagnosis), 0);
}

static void bad_line__in_the_profile_in_use__fails_with_it(void **state)
{
	struct bench *bench = *state;
	authbench_write(&bench->auth, "/home/.aws/config", damaged);
	set_up(bench, "b");
	diagnose_files(&bench->diagnosis, &bench->facts);
	diagnose_settings(&bench->diagnosis, &bench->facts);
	want(bench, DIAGNOSIS_FILE, DIAGNOSIS_FAILURE, "line 4, [profile b]: ");
	assert_string_equal(
		want(bench, DIAGNOSIS_PROFILE, DIAGNOSIS_FAILURE, "line 4, [profile b]")->subject,
		"b");
	want(bench, DIAGNOSIS_REGION, DIAGNOSIS_UNKNOWN, "the profile is not");
	assert_int_equal(diagnosis_exit_status(&bench->diagnosis), 4);
}

/* A home folder that hangs: there is no setup at all. */
static void files__unread__fail_as_no_answer(void **state)
{
	struct bench *bench = *state;
	diagnose_files(&bench->diagnosis, &bench->facts);
	diagnose_settings(&bench->diagnosis, &bench->facts);
	diagnose_ways(&bench->diagnosis, &bench->facts);
	want(bench, DIAGNOSIS_FILE, DIAGNOSIS_FAILURE, "not read in time");
	want(bench, DIAGNOSIS_PROFILE, DIAGNOSIS_UNKNOWN, "the AWS files are not");
	want(bench, DIAGNOSIS_ENDPOINT, DIAGNOSIS_UNKNOWN, "");
	assert_int_equal(diagnosis_exit_status(&bench->diagnosis), 5);
}

/* --- settings --- */

static void settings__say_who_decides(void **state)
{
	struct bench *bench = *state;
	authbench_write(&bench->auth, "/home/.aws/config",
			"[profile ops]\nregion = fips-us-west-2\nretry_mode = legacy\n"
			"max_attempts = 7\nuse_dualstack_endpoint = true\n");
	assert_int_equal(setenv("AWS_PROFILE", "ops", 1), 0);
	set_up(bench, NULL);
	diagnose_settings(&bench->diagnosis, &bench->facts);
	assert_string_equal(
		want(bench, DIAGNOSIS_PROFILE, DIAGNOSIS_OK, "named by AWS_PROFILE")->subject,
		"ops");
	const char *text = want(bench, DIAGNOSIS_REGION, DIAGNOSIS_OK, "fips-us-west-2 (")->text;
	assert_non_null(strstr(text, "/home/.aws/config line 2)"));
	assert_non_null(strstr(text, ", which is us-west-2 by FIPS endpoints, dual-stack"));
	want(bench, DIAGNOSIS_RETRIES, DIAGNOSIS_OK,
	     "retry mode legacy is run as standard; at most 7 tries");
}

static void settings__of_the_programs_config__are_not_the_options(void **state)
{
	struct bench *bench = *state;
	authbench_write(&bench->auth, "/home/.aws/config", "[profile ops]\n");
	bench->auth.setup.options.region = "eu-west-1";
	bench->auth.setup.options.region_origin = "config line 3";
	bench->auth.setup.options.profile_origin = "config line 4";
	set_up(bench, "ops");
	diagnose_settings(&bench->diagnosis, &bench->facts);
	want(bench, DIAGNOSIS_REGION, DIAGNOSIS_OK, "eu-west-1 (config line 3)");
	want(bench, DIAGNOSIS_PROFILE, DIAGNOSIS_OK, "named by config line 4");
}

static void settings__without_any__fail_for_the_region_alone(void **state)
{
	struct bench *bench = *state;
	struct err none = { 0 };
	set_up(bench, NULL);
	err_set(&none, ERR_CONFIG, "no region is set; looked at ...");
	none.hint = HINT_SET_REGION;
	bench->facts.trouble = &none;
	diagnose_settings(&bench->diagnosis, &bench->facts);
	diagnose_ways(&bench->diagnosis, &bench->facts);
	want(bench, DIAGNOSIS_PROFILE, DIAGNOSIS_OK, "nobody names one");
	assert_non_null(want(bench, DIAGNOSIS_REGION, DIAGNOSIS_FAILURE, "no region is set")->fix);
	want(bench, DIAGNOSIS_ENDPOINT, DIAGNOSIS_UNKNOWN, "without a region");
	want(bench, DIAGNOSIS_ENDPOINT, DIAGNOSIS_OK, "sts.amazonaws.com");
	assert_int_equal(diagnosis_exit_status(&bench->diagnosis), 2);
	err_clear(&none);
}

static void settings__that_cannot_be__are_said_in_their_own_row(void **state)
{
	struct bench *bench = *state;
	assert_int_equal(setenv("AWS_REGION", "us east", 1), 0);
	set_up(bench, NULL);
	diagnose_settings(&bench->diagnosis, &bench->facts);
	want(bench, DIAGNOSIS_PROFILE, DIAGNOSIS_OK, "");
	want(bench, DIAGNOSIS_REGION, DIAGNOSIS_FAILURE, "us east is not the name of a region");
	want(bench, DIAGNOSIS_RETRIES, DIAGNOSIS_UNKNOWN, "");
	diagnosis_release(&bench->diagnosis);
	setup_release(&bench->auth.setup);
	config_files_release(&bench->auth.files);
	err_clear(&bench->auth.err);
	assert_int_equal(setenv("AWS_REGION", "us-east-1", 1), 0);
	assert_int_equal(setenv("AWS_RETRY_MODE", "brave", 1), 0);
	set_up(bench, NULL);
	diagnose_settings(&bench->diagnosis, &bench->facts);
	want(bench, DIAGNOSIS_RETRIES, DIAGNOSIS_FAILURE, "\"brave\"");
	assert_int_equal(diagnosis_exit_status(&bench->diagnosis), 2);
}

/* --- credentials --- */

static void credentials__found__say_whose_and_how_long(void **state)
{
	struct bench *bench = *state;
	bench->facts.status = (struct auth_status){
		.has_credentials = true,
		.provider = "SSO",
		.origin = "session ops, role Admin of 111122223333",
		.account = "111122223333",
		.expires = { true, WALL_MS + 3480000 },
	};
	diagnose_credentials(&bench->diagnosis, &bench->facts);
	const struct diagnosis_row *row = want(bench, DIAGNOSIS_CREDENTIALS, DIAGNOSIS_OK, "");
	assert_string_equal(row->text, "SSO: session ops, role Admin of 111122223333; good for 58m "
				       "more, until 2026-11-30T21:46:08Z");
	assert_true(row->expires.set && row->expires.ms == WALL_MS + 3480000);
	diagnosis_release(&bench->diagnosis);

	bench->facts.status.provider = "environment";
	bench->facts.status.origin = "AWS_ACCESS_KEY_ID of the environment";
	bench->facts.status.expires.set = false;
	diagnose_credentials(&bench->diagnosis, &bench->facts);
	row = want(bench, DIAGNOSIS_CREDENTIALS, DIAGNOSIS_OK, "");
	assert_string_equal(row->text, "AWS_ACCESS_KEY_ID of the environment, account "
				       "111122223333; no expiry is known");
	assert_false(row->expires.set);
	diagnosis_release(&bench->diagnosis);

	bench->facts.status.expires = (struct opt_ms){ true, WALL_MS + 240000 };
	diagnose_credentials(&bench->diagnosis, &bench->facts);
	want(bench, DIAGNOSIS_CREDENTIALS, DIAGNOSIS_WARNING, "good for 4m more");
}

static void credentials__missing__say_why_and_what_to_do(void **state)
{
	struct bench *bench = *state;
	struct err err = { 0 };
	err_set(&err, ERR_AUTH, "the login has expired: run aws sso login --profile ops");
	err_subject(&err, "profile ops");
	err.hint = HINT_LOGIN_AS_TOLD;
	bench->facts.status.err = &err;
	diagnose_credentials(&bench->diagnosis, &bench->facts);
	want(bench, DIAGNOSIS_CREDENTIALS, DIAGNOSIS_FAILURE,
	     "profile ops: the login has expired: run aws sso login --profile ops");
	assert_int_equal(diagnosis_exit_status(&bench->diagnosis), 4);
	diagnosis_release(&bench->diagnosis);

	bench->facts.status.searching = true;
	diagnose_credentials(&bench->diagnosis, &bench->facts);
	want(bench, DIAGNOSIS_CREDENTIALS, DIAGNOSIS_FAILURE, "none were found in time");
	assert_int_equal(diagnosis_exit_status(&bench->diagnosis), 5);
	diagnosis_release(&bench->diagnosis);

	bench->facts.is_searched = false;
	diagnose_credentials(&bench->diagnosis, &bench->facts);
	want(bench, DIAGNOSIS_CREDENTIALS, DIAGNOSIS_UNKNOWN, "not looked for");
	err_clear(&err);
}

/* --- clock --- */

static void clock__is_a_warning_from_a_minute_on__and_fails_uncorrected(void **state)
{
	static const struct {
		bool measured;
		int64_t skew_ms;
		bool keeps;
		enum diagnosis_result result;
		const char *text;
	} cases[] = {
		{ false, 0, false, DIAGNOSIS_UNKNOWN, "not measured: AWS has not answered" },
		{ true, 900, false, DIAGNOSIS_OK, "agrees with AWS's" },
		{ true, -900, true, DIAGNOSIS_OK,
		  "agrees with AWS's; not corrected: AWS_DISABLE_CLOCK_SKEW_CORRECTION is set" },
		{ true, 59000, false, DIAGNOSIS_OK, "59 s behind" },
		{ true, -60000, false, DIAGNOSIS_WARNING,
		  "1 min 0 s ahead; corrected: gpuq goes by AWS's" },
		{ true, 924000, false, DIAGNOSIS_WARNING,
		  "15 min 24 s behind; corrected: gpuq goes by AWS's" },
		{ true, 299000, true, DIAGNOSIS_WARNING, "4 min 59 s behind; not corrected" },
		{ true, 300000, true, DIAGNOSIS_FAILURE, "5 min 0 s behind; not corrected" },
	};
	struct bench *bench = *state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		bench->facts.skew = (struct opt_ms){ cases[i].measured, cases[i].skew_ms };
		bench->facts.keeps_clock = cases[i].keeps;
		diagnose_clock(&bench->diagnosis, &bench->facts);
		const struct diagnosis_row *row =
			want(bench, DIAGNOSIS_CLOCK, cases[i].result, cases[i].text);
		assert_int_equal(row->skew.set, cases[i].measured);
		assert_int_equal(row->fix != NULL, llabs(cases[i].skew_ms) >= 60000);
		assert_int_equal(diagnosis_exit_status(&bench->diagnosis),
				 cases[i].result == DIAGNOSIS_FAILURE ? 4 : 0);
		diagnosis_release(&bench->diagnosis);
	}
}

/* --- endpoints, proxy, certificates --- */

static void ways__of_aws__are_named_with_their_proxy(void **state)
{
	struct bench *bench = *state;
	assert_int_equal(setenv("AWS_REGION", "eu-west-1", 1), 0);
	assert_int_equal(setenv("HTTPS_PROXY", "http://me:hunter2@proxy.corp:3128", 1), 0);
	assert_int_equal(setenv("NO_PROXY", "sts.eu-west-1.amazonaws.com", 1), 0);
	assert_int_equal(setenv("AWS_CA_BUNDLE", "/etc/corp.pem", 1), 0);
	set_up(bench, NULL);
	diagnose_ways(&bench->diagnosis, &bench->facts);
	assert_string_equal(want(bench, DIAGNOSIS_ENDPOINT, DIAGNOSIS_OK, "api.")->text,
			    "api.sagemaker.eu-west-1.amazonaws.com");
	const struct diagnosis_row *row =
		want(bench, DIAGNOSIS_PROXY, DIAGNOSIS_OK, "by proxy.corp:3128 (HTTPS_PROXY)");
	assert_string_equal(row->subject, "api.sagemaker.eu-west-1.amazonaws.com");
	want(bench, DIAGNOSIS_PROXY, DIAGNOSIS_OK, "none: NO_PROXY has the host");
	want(bench, DIAGNOSIS_CERTIFICATES, DIAGNOSIS_OK, "/etc/corp.pem (AWS_CA_BUNDLE)");
	for (size_t i = 0; i < bench->diagnosis.count; i++)
		assert_null(strstr(bench->diagnosis.rows[i].text, "hunter2"));
}

static void way__by_what_is_no_proxy__fails(void **state)
{
	struct bench *bench = *state;
	assert_int_equal(setenv("AWS_REGION", "eu-west-1", 1), 0);
	assert_int_equal(setenv("HTTPS_PROXY", "htp://me:hunter2@proxy", 1), 0);
	set_up(bench, NULL);
	diagnose_ways(&bench->diagnosis, &bench->facts);
	const struct diagnosis_row *row = want(bench, DIAGNOSIS_PROXY, DIAGNOSIS_FAILURE,
					       "HTTPS_PROXY does not hold the URL of a proxy");
	assert_null(strstr(row->text, "hunter2"));
	assert_int_equal(diagnosis_exit_status(&bench->diagnosis), 2);
}

static void way__of_ones_own__says_who_set_it(void **state)
{
	struct bench *bench = *state;
	assert_int_equal(setenv("AWS_REGION", "eu-west-1", 1), 0);
	assert_int_equal(setenv("AWS_ENDPOINT_URL_SAGEMAKER", "http://127.0.0.1:4566", 1), 0);
	assert_int_equal(setenv("HTTP_PROXY", "http://proxy:1", 1), 0);
	set_up(bench, NULL);
	diagnose_ways(&bench->diagnosis, &bench->facts);
	assert_string_equal(want(bench, DIAGNOSIS_ENDPOINT, DIAGNOSIS_OK, "127")->text,
			    "127.0.0.1:4566 (AWS_ENDPOINT_URL_SAGEMAKER), not AWS's own, plain "
			    "http within this machine");
	want(bench, DIAGNOSIS_ENDPOINT, DIAGNOSIS_OK, "sts.eu-west-1.amazonaws.com");
	want(bench, DIAGNOSIS_PROXY, DIAGNOSIS_OK, "none: the host is this machine");
	want(bench, DIAGNOSIS_CERTIFICATES, DIAGNOSIS_OK, "those of this machine");
}

static void way__by_plain_http__is_refused__or_a_warning_where_allowed(void **state)
{
	struct bench *bench = *state;
	assert_int_equal(setenv("AWS_REGION", "eu-west-1", 1), 0);
	assert_int_equal(setenv("AWS_ENDPOINT_URL", "http://10.0.0.1:80", 1), 0);
	set_up(bench, NULL);
	diagnose_ways(&bench->diagnosis, &bench->facts);
	assert_non_null(
		strstr(want(bench, DIAGNOSIS_ENDPOINT, DIAGNOSIS_FAILURE, "")->fix, "allow_http"));
	assert_int_equal(diagnosis_exit_status(&bench->diagnosis), 2);
	assert_int_equal(bench->diagnosis.count, 2); /* no way, no proxy, no certificates */
	diagnosis_release(&bench->diagnosis);
	bench->auth.setup.options.allow_http = true;
	diagnose_ways(&bench->diagnosis, &bench->facts);
	assert_non_null(
		want(bench, DIAGNOSIS_ENDPOINT, DIAGNOSIS_WARNING, "as allow_http lets it")->fix);
	want(bench, DIAGNOSIS_CERTIFICATES, DIAGNOSIS_UNKNOWN, "no endpoint is https");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(files__read_and_absent__are_told_apart),
		TEST(file__named_but_absent__is_a_warning__unless_it_is_dev_null),
		TEST(file__that_cannot_be_opened__counts_as_none),
		TEST(file__of_another_kind__fails),
		TEST(bad_line__is_a_warning__but_in_the_profile_in_use),
		TEST(bad_line__in_the_profile_in_use__fails_with_it),
		TEST(files__unread__fail_as_no_answer),
		TEST(settings__say_who_decides),
		TEST(settings__of_the_programs_config__are_not_the_options),
		TEST(settings__without_any__fail_for_the_region_alone),
		TEST(settings__that_cannot_be__are_said_in_their_own_row),
		TEST(credentials__found__say_whose_and_how_long),
		TEST(credentials__missing__say_why_and_what_to_do),
		TEST(clock__is_a_warning_from_a_minute_on__and_fails_uncorrected),
		TEST(ways__of_aws__are_named_with_their_proxy),
		TEST(way__by_what_is_no_proxy__fails),
		TEST(way__of_ones_own__says_who_set_it),
		TEST(way__by_plain_http__is_refused__or_a_warning_where_allowed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
