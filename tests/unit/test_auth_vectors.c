/*
 * The credential chain against recorded scenarios: environment and files in, requests and
 * credentials out. One set comes from another SDK's tests, one was computed with botocore, which is
 * the AWS CLI's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "aws/json.h"
#include "aws/log.h"
#include "model/base/mem.h"
#include "tests/authbench.h"
#include "tests/shared.h"

#define NEW_YEAR_2009_MS INT64_C(1230768000000)

/* Where the SDKs and the AWS CLI differ, the CLI holds. */
static const struct exception {
	const char *name, *reason;
} exceptions[] = {
	{ "credential_process", "a shell's pipe: the CLI runs no shell" },
	{ "credential_process_account_id_fallback", "a shell's pipe: the CLI runs no shell" },
	{ "imds_token_fail", "the CLI goes on without a token after 403" },
	{ "sso_server_error", "the CLI asks again after a status of 500" },
	{ "aws-default-profile-and-profile", "AWS_PROFILE comes first for the CLI 2" },
	{ "assume-role-legacy-sts", "sts_regional_endpoints: the CLI 2 is always regional" },
	{ "sso_token", "a profile of tokens, which SageMaker does not take" },
};

static const char *exception_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(exceptions); i++)
		if (strcmp(exceptions[i].name, name) == 0)
			return exceptions[i].reason;
	return NULL;
}

/* --- a scenario into the bench --- */

/* Paths of the scenario lie below the bench's folder. */
static void set_variables(const struct authbench *bench, const struct json_value *env)
{
	static const char *const paths[] = { "HOME", "AWS_WEB_IDENTITY_TOKEN_FILE",
					     "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
					     "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE" };
	for (const struct json_value *at = json_first(env); at; at = json_next(at)) {
		const char *name = json_name(at), *value = json_as_text(at);
		char below[1024];
		for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
			if (strcmp(name, paths[i]) == 0) {
				snprintf(below, sizeof(below), "%s%.900s", bench->root, value);
				value = below;
			}
		}
		assert_int_equal(setenv(name, value, 1), 0);
	}
}

static void write_files(struct authbench *bench, const struct json_value *files)
{
	static const char key[] = "web_identity_token_file = /";
	for (const struct json_value *at = json_first(files); at; at = json_next(at)) {
		const char *text = json_as_text(at), *token = strstr(text, key);
		char rooted[8192];
		if (token) {
			snprintf(rooted, sizeof(rooted), "%.*s%s/%s",
				 (int)(token - text + (ptrdiff_t)sizeof(key) - 2), text,
				 bench->root, token + sizeof(key) - 1);
			text = rooted;
		}
		authbench_write(bench, json_name(at), text);
	}
}

static void load_answers(struct authbench *bench, const struct json_value *http)
{
	for (const struct json_value *at = json_first(http); at; at = json_next(at)) {
		const struct json_value *response = json_object(at, "response");
		const struct json_value *headers = json_object(response, "headers");
		const char *type = json_text(headers, "x-amzn-errortype");
		int64_t status = 0;
		if (!type)
			type = json_text(headers, "x-amzn-ErrorType");
		(void)json_integer(response, "status", &status);
		authbench_answer(bench, (int)status, json_text(response, "body"), type);
	}
}

/* --- what came of it --- */

struct verdict {
	const char *name;
	char text[4096]; /* why it is wrong; "" = right */
};

static void wrong(struct verdict *verdict, const char *what, const char *got, const char *wanted)
{
	size_t used = strlen(verdict->text);
	snprintf(verdict->text + used, sizeof(verdict->text) - used,
		 "\n    %s: got '%.600s', wanted '%.600s'", what, got, wanted ? wanted : "");
}

static void compare(struct verdict *verdict, const char *what, const char *got, const char *wanted)
{
	if (wanted && strcmp(got ? got : "", wanted) != 0)
		wrong(verdict, what, got ? got : "", wanted);
}

static bool parameters_equal(const char *got, const char *wanted)
{
	char copy[2048];
	if (strlen(got) != strlen(wanted))
		return false;
	snprintf(copy, sizeof(copy), "%s", wanted);
	for (char *save = NULL, *part = strtok_r(copy, "&", &save); part;
	     part = strtok_r(NULL, "&", &save))
		if (!strstr(got, part))
			return false;
	return true;
}

/* Name by name: the order of parameters is free. A URL without a path has "/". */
static void compare_url(struct verdict *verdict, const char *got, const char *url)
{
	char wanted[2048];
	const char *host = strstr(url, "://");
	bool bare = host && !strchr(host + 3, '/');
	snprintf(wanted, sizeof(wanted), "%.2000s%s", url, bare ? "/" : "");
	size_t path = strcspn(wanted, "?");
	if (strncmp(got, wanted, path) != 0 || got[path] != wanted[path] ||
	    (wanted[path] && !parameters_equal(got + path + 1, wanted + path + 1)))
		wrong(verdict, "url", got, wanted);
}

/* Session names of our own stand where botocore has its own. */
static void compare_body(struct verdict *verdict, const char *got, const char *wanted)
{
	static const char theirs[] = "botocore-session-", ours[] = "gpuq-";
	char renamed[4096];
	const char *session = strstr(wanted, theirs);
	snprintf(renamed, sizeof(renamed), "%s", wanted);
	if (session)
		snprintf(renamed, sizeof(renamed), "%.*s%s%s", (int)(session - wanted), wanted,
			 ours, session + sizeof(theirs) - 1);
	if (!parameters_equal(got, renamed))
		wrong(verdict, "body", got, renamed);
}

static void compare_headers(struct verdict *verdict, const struct authbench_asked *asked,
			    const struct json_value *headers)
{
	char credential[512] = "";
	const char *at = strstr(asked->authorization, "Credential=");
	if (at)
		snprintf(credential, sizeof(credential), "%.*s", (int)strcspn(at + 11, ","),
			 at + 11);
	compare(verdict, "credential", credential, json_text(headers, "authorization-credential"));
	compare(verdict, "security token", asked->token,
		json_text(headers, "x-amz-security-token"));
	compare(verdict, "bearer token", asked->bearer,
		json_text(headers, "x-amz-sso_bearer_token"));
	compare(verdict, "accept", asked->accept, json_text(headers, "accept"));
	compare(verdict, "content type", asked->content_type, json_text(headers, "content-type"));
	compare(verdict, "metadata token", asked->metadata_token,
		json_text(headers, "x-aws-ec2-metadata-token"));
	compare(verdict, "metadata ttl", asked->metadata_ttl,
		json_text(headers, "x-aws-ec2-metadata-token-ttl-seconds"));
	if (!json_text(headers, "authorization-credential"))
		compare(verdict, "authorization", asked->authorization,
			json_text(headers, "authorization"));
}

/* Of the recorded set only method and URL are right for certain: its notes say so. */
static void compare_requests(struct verdict *verdict, const struct authbench *bench,
			     const struct json_value *http, bool is_computed)
{
	char got[16], wanted[16];
	size_t i = 0;
	for (const struct json_value *at = json_first(http); at; at = json_next(at), i++) {
		const struct json_value *request = json_object(at, "request");
		if (i >= bench->asked_count)
			break;
		const struct authbench_asked *asked = &bench->asked[i];
		compare(verdict, "method", asked->method, json_text(request, "method"));
		compare_url(verdict, asked->url, json_text(request, "uri"));
		if (!is_computed)
			continue;
		compare_headers(verdict, asked, json_object(request, "headers"));
		if (json_text(request, "body"))
			compare_body(verdict, asked->body, json_text(request, "body"));
	}
	snprintf(got, sizeof(got), "%zu", bench->asked_count);
	snprintf(wanted, sizeof(wanted), "%zu", json_length(http));
	compare(verdict, "requests", got, wanted);
}

static void compare_found(struct verdict *verdict, const struct authbench *bench,
			  const struct json_value *ok)
{
	const struct aws_credentials *found = &bench->found;
	char got[32] = "", wanted[32] = "";
	int64_t expiry;
	if (!found->access_key) {
		wrong(verdict, "failed", err_text(&bench->err), json_text(ok, "access_key_id"));
		return;
	}
	compare(verdict, "access key", found->access_key, json_text(ok, "access_key_id"));
	compare(verdict, "secret key", found->secret_key, json_text(ok, "secret_access_key"));
	compare(verdict, "token", found->session_token, json_text(ok, "session_token"));
	if (!json_text(ok, "session_token") && found->session_token)
		wrong(verdict, "token", found->session_token, "");
	if (json_text(ok, "account_id") && strlen(json_text(ok, "account_id")) == 12)
		compare(verdict, "account", found->account, json_text(ok, "account_id"));
	if (json_integer(ok, "expiry", &expiry)) {
		snprintf(got, sizeof(got), "%lld", (long long)(found->expires.ms / 1000));
		snprintf(wanted, sizeof(wanted), "%lld", (long long)expiry);
		compare(verdict, "expiry", got, wanted);
	}
}

static void compare_result(struct verdict *verdict, const struct authbench *bench,
			   const struct json_value *scenario)
{
	const struct json_value *expect = json_object(scenario, "expect");
	const struct json_value *ok = json_object(expect, "Ok");
	bool none;
	if (ok)
		compare_found(verdict, bench, ok);
	else if (bench->found.access_key)
		wrong(verdict, "gave credentials", bench->found.access_key, "an error");
	else if (json_boolean(expect, "NoCredentials", &none) && bench->provider[0])
		wrong(verdict, "failed in", bench->provider, "no provider");
	for (const struct json_value *at = json_first(json_object(scenario, "cache_after")); at;
	     at = json_next(at)) {
		char *text = authbench_read(bench, json_name(at));
		struct err err = { 0 };
		struct json_value *file = text ? json_parse(text, strlen(text), &err) : NULL;
		for (const struct json_value *member = json_first(at); member;
		     member = json_next(member))
			compare(verdict, json_name(member), json_text(file, json_name(member)),
				json_as_text(member));
		if (json_length(file) != json_length(at))
			wrong(verdict, "cache", text ? text : "nothing", "as many members");
		json_free(file);
		err_clear(&err);
		free(text);
	}
}

static const char *const secrets[] = { "SK", "secret1", "csec", "TOKEN==", "JWT" };

/* A line for each request, and nothing secret in any. */
static void search_log(struct verdict *verdict, const struct authbench *bench)
{
	char got[16], wanted[16];
	size_t count = 0;
	char *text = authbench_read(bench, "/log");
	assert_non_null(text);
	for (const char *at = strstr(text, " sent to "); at; at = strstr(at + 1, " sent to "))
		count++;
	snprintf(got, sizeof(got), "%zu", count);
	snprintf(wanted, sizeof(wanted), "%zu", bench->asked_count);
	compare(verdict, "requests in the log", got, wanted);
	for (size_t i = 0; i < ARRAY_LEN(secrets); i++)
		if (strstr(text, secrets[i]))
			wrong(verdict, "a secret in the log", text, secrets[i]);
	if (bench->found.secret_key && strlen(bench->found.secret_key) >= 8 &&
	    strstr(text, bench->found.secret_key))
		wrong(verdict, "the secret key in the log", text, bench->found.secret_key);
	free(text);
}

/* Nothing secret stands in a message. */
static void search_message(struct verdict *verdict, const struct authbench *bench)
{
	for (size_t i = 0; i < ARRAY_LEN(secrets); i++)
		if (strstr(err_text(&bench->err), secrets[i]) ||
		    strstr(bench->err.subject, secrets[i]) || strstr(bench->origin, secrets[i]))
			wrong(verdict, "a secret in a message", err_text(&bench->err), secrets[i]);
}

static struct log *open_log(const struct authbench *bench)
{
	char path[128];
	struct err err = { 0 };
	snprintf(path, sizeof(path), "%s/log", bench->root);
	struct log *log = log_open(path, true, &bench->clock, &err);
	assert_non_null(log);
	return log;
}

static void run_scenario(struct verdict *verdict, const struct json_value *scenario,
			 bool is_computed)
{
	const struct json_value *http = json_array(scenario, "http");
	const char *set = json_text(scenario, "set");
	struct authbench *bench = mem_new(1, sizeof(*bench));
	authbench_init(bench, NEW_YEAR_2009_MS);
	set_variables(bench, json_object(scenario, "env"));
	write_files(bench, json_object(scenario, "files"));
	load_answers(bench, http);
	/* One asks the instance thrice, as its SDK does by itself. */
	if (strcmp(verdict->name, "imds_default_chain_retries") == 0)
		assert_int_equal(setenv("AWS_METADATA_SERVICE_NUM_ATTEMPTS", "3", 1), 0);
	/* This set asks the profile alone. */
	if (set && strcmp(set, "profile-provider") == 0) {
		assert_int_equal(setenv("AWS_EC2_METADATA_DISABLED", "true", 1), 0);
		assert_int_equal(unsetenv("AWS_ACCESS_KEY_ID"), 0);
	}
	bench->setup.options.allow_http = true;
	bench->world.log = open_log(bench);
	if (authbench_set_up(bench, json_text(scenario, "profile")))
		authbench_search(bench, CHAIN_WHOLE);
	log_close(bench->world.log);
	/* Writing a cache is not waited for by the program, but here. */
	waits_remove(&bench->disk_waiter);
	disk_free(bench->disk);
	compare_requests(verdict, bench, http, is_computed);
	compare_result(verdict, bench, scenario);
	search_message(verdict, bench);
	search_log(verdict, bench);
	bench->disk = NULL;
	authbench_release(bench);
	free(bench);
}

static void run_file(const char *name, bool is_computed, size_t whole)
{
	size_t len, right = 0, left_out = 0, count = 0;
	char *text = shared_read(name, &len);
	struct err err = { 0 };
	if (!text)
		return;
	struct json_value *file = json_parse(text, len, &err);
	assert_non_null(file);
	for (const struct json_value *at = json_first(file); at; at = json_next(at), count++) {
		struct verdict verdict = { .name = json_text(at, "name") };
		const char *set = json_text(at, "set");
		const char *reason = exception_of(verdict.name);
		if (set && strcmp(set, "default-token-provider-chain") == 0)
			reason = "tokens, which SageMaker does not take";
		run_scenario(&verdict, at, is_computed);
		if (reason)
			left_out++;
		else if (verdict.text[0])
			printf("  %s:%s\n", verdict.name, verdict.text);
		else
			right++;
		if (reason && !verdict.text[0] && !set)
			printf("  %s: is right, and need not be left out\n", verdict.name);
	}
	printf("%s: %zu of %zu right, %zu left out (the AWS CLI differs)\n", name, right, count,
	       left_out);
	assert_int_equal(count, whole);
	assert_int_equal(right + left_out, count);
	json_free(file);
	free(text);
}

static void test_recorded(void **state)
{
	(void)state;
	run_file("vectors/credentials/scenarios.json", false, 50);
}

static void test_computed(void **state)
{
	(void)state;
	run_file("vectors/credentials/computed-scenarios.json", true, 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_computed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
