/* Chains of profiles against another SDK's cases: who signs for which role, in which order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/auth/cache.h"
#include "aws/json.h"
#include "model/base/mem.h"
#include "tests/authbench.h"
#include "tests/shared.h"

#define NEW_YEAR_2026_MS INT64_C(1767225600000)
#define COUNT            28
#define WEB_TOKEN        "header.claims.signature"
#define SSO_TOKEN        "ssotoken"

static const struct {
	const char *docs, *reason;
} left_out[] = {
	{ "SSO token profile selected", "a profile of tokens, which SageMaker does not take" },
};

static const char *reason_of(const char *docs)
{
	for (size_t i = 0; i < ARRAY_LEN(left_out); i++)
		if (strcmp(left_out[i].docs, docs) == 0)
			return left_out[i].reason;
	return NULL;
}

/* --- the files --- */

static void add_sections(struct buf *out, const char *kind, const struct json_value *sections,
			 const char *root)
{
	for (const struct json_value *at = json_first(sections); at; at = json_next(at)) {
		buf_addf(out, "[%s %s]\n", kind, json_name(at));
		for (const struct json_value *key = json_first(at); key; key = json_next(key))
			buf_addf(out, "%s = %s%s\n", json_name(key),
				 strcmp(json_name(key), "web_identity_token_file") == 0 ? root : "",
				 json_as_text(key));
	}
}

static void write_files(struct authbench *bench, const struct json_value *input)
{
	struct buf config;
	buf_init(&config, 65536);
	add_sections(&config, "profile", json_object(input, "profiles"), bench->root);
	add_sections(&config, "sso-session", json_object(input, "sso_sessions"), bench->root);
	authbench_write(bench, "/home/.aws/config", buf_text(&config));
	authbench_write(bench, "/var/token.jwt", WEB_TOKEN);
	buf_release(&config);
}

static void write_login(struct authbench *bench, const struct json_value *sso)
{
	char hash[HASH_TEXT_SIZE], path[128];
	assert_true(cache_sha1(json_text(sso, "sso_start_url"), hash));
	snprintf(path, sizeof(path), "/home/.aws/sso/cache/%s.json", hash);
	authbench_write(bench, path,
			"{\"accessToken\":\"" SSO_TOKEN
			"\",\"expiresAt\":\"2026-01-01T08:00:00Z\"}");
}

/* --- what the network is asked, and answers --- */

#define END "2026-01-01T01:00:00Z"

static void answer_sts(struct authbench *bench, size_t link, const char *operation)
{
	char body[512];
	snprintf(body, sizeof(body),
		 "<%sResponse><%sResult><Credentials><AccessKeyId>AKID%zu</AccessKeyId>"
		 "<SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>"
		 "<Expiration>" END "</Expiration></Credentials></%sResult></%sResponse>",
		 operation, operation, link, operation, operation);
	authbench_answer(bench, 200, body, NULL);
}

static void answer_instance(struct authbench *bench, size_t link)
{
	char body[256];
	snprintf(body, sizeof(body),
		 "{\"Code\":\"Success\",\"AccessKeyId\":\"AKID%zu\",\"SecretAccessKey\":\"s\","
		 "\"Token\":\"t\",\"Expiration\":\"" END "\"}",
		 link);
	authbench_answer(bench, 200, "metadatatoken", NULL);
	authbench_answer(bench, 200, "instance-role", NULL);
	authbench_answer(bench, 200, body, NULL);
}

static void answer_sso(struct authbench *bench, size_t link)
{
	char body[256];
	snprintf(body, sizeof(body),
		 "{\"roleCredentials\":{\"accessKeyId\":\"AKID%zu\",\"secretAccessKey\":\"s\","
		 "\"sessionToken\":\"t\",\"expiration\":1767229200000}}",
		 link);
	authbench_answer(bench, 200, body, NULL);
}

static void prepare(struct authbench *bench, const struct json_value *chain)
{
	size_t i = 0;
	for (const struct json_value *at = json_first(chain); at; at = json_next(at), i++) {
		const struct json_value *link = json_first(at);
		const char *kind = json_name(link);
		if (strcmp(kind, "AssumeRole") == 0)
			answer_sts(bench, i, "AssumeRole");
		else if (strcmp(kind, "WebIdentityToken") == 0)
			answer_sts(bench, i, "AssumeRoleWithWebIdentity");
		else if (strcmp(kind, "NamedSource") == 0)
			answer_instance(bench, i);
		else if (strcmp(kind, "Sso") == 0)
			answer_sso(bench, i);
		if (strcmp(kind, "Sso") == 0)
			write_login(bench, link);
	}
}

/* --- what came of it --- */

struct verdict {
	char text[2048]; /* why it is wrong; "" = right */
	size_t asked;    /* requests that were compared */
	char key[128];   /* the access key of the link before */
};

static void want(struct verdict *verdict, const char *got, const char *part, const char *value)
{
	size_t used = strlen(verdict->text);
	char whole[1024];
	snprintf(whole, sizeof(whole), "%s%s", part, value);
	if (!strstr(got, whole))
		snprintf(verdict->text + used, sizeof(verdict->text) - used,
			 "\n    no '%.400s' in '%.600s'", whole, got);
}

/* As it stands in a form. */
static const char *encoded(const char *arn)
{
	static char out[256];
	size_t used = 0;
	for (; *arn && used + 4 < sizeof(out); arn++)
		if (*arn == ':' || *arn == '/')
			used += (size_t)snprintf(out + used, 4, "%%%02X", (unsigned)*arn);
		else
			out[used++] = *arn;
	out[used] = '\0';
	return out;
}

static void compare_role(struct verdict *verdict, const struct authbench_asked *asked,
			 const struct json_value *link, bool is_signed)
{
	static const struct {
		const char *name, *parameter;
	} options[] = { { "role_session_name", "RoleSessionName=" },
			{ "external_id", "ExternalId=" } };
	want(verdict, asked->url, "https://sts.eu-west-1.amazonaws.com/", "");
	want(verdict, asked->body, "RoleArn=", encoded(json_text(link, "role_arn")));
	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (json_text(link, options[i].name))
			want(verdict, asked->body, options[i].parameter,
			     json_text(link, options[i].name));
	if (!json_text(link, "role_session_name"))
		want(verdict, asked->body, "RoleSessionName=gpuq-", "");
	if (is_signed) {
		want(verdict, asked->authorization, "Credential=", verdict->key);
		return;
	}
	want(verdict, asked->body, "WebIdentityToken=", WEB_TOKEN);
	if (asked->authorization[0])
		want(verdict, asked->authorization, "nothing", "");
}

static void compare_sso(struct verdict *verdict, const struct authbench_asked *asked,
			const struct json_value *link)
{
	want(verdict, asked->url, "https://portal.sso.", json_text(link, "sso_region"));
	want(verdict, asked->url, "role_name=", json_text(link, "sso_role_name"));
	want(verdict, asked->url, "account_id=", json_text(link, "sso_account_id"));
	want(verdict, asked->bearer, SSO_TOKEN, "");
}

static void compare_link(struct verdict *verdict, const struct authbench *bench,
			 const struct json_value *link)
{
	const char *kind = json_name(link);
	const struct authbench_asked *asked = &bench->asked[verdict->asked];
	if (strcmp(kind, "AccessKey") == 0) {
		snprintf(verdict->key, sizeof(verdict->key), "%s",
			 json_text(link, "access_key_id"));
		return;
	}
	verdict->asked += strcmp(kind, "NamedSource") == 0 ? 3 : 1;
	if (verdict->asked > bench->asked_count)
		want(verdict, "", kind, " was never asked");
	else if (strcmp(kind, "NamedSource") == 0)
		want(verdict, asked->url, "http://169.254.169.254/latest/api/token", "");
	else if (strcmp(kind, "Sso") == 0)
		compare_sso(verdict, asked, link);
	else
		compare_role(verdict, asked, link, strcmp(kind, "AssumeRole") == 0);
}

static void compare(struct verdict *verdict, const struct authbench *bench,
		    const struct json_value *chain)
{
	size_t i = 0;
	for (const struct json_value *at = json_first(chain); at; at = json_next(at), i++) {
		const struct json_value *link = json_first(at);
		compare_link(verdict, bench, link);
		if (strcmp(json_name(link), "AccessKey") != 0)
			snprintf(verdict->key, sizeof(verdict->key), "AKID%zu", i);
	}
	if (verdict->asked != bench->asked_count)
		want(verdict, "", "other requests", "");
	want(verdict, bench->found.access_key ? bench->found.access_key : err_text(&bench->err),
	     verdict->key, "");
}

static void run(struct verdict *verdict, const struct json_value *test)
{
	const struct json_value *input = json_object(test, "input");
	const struct json_value *chain = json_array(json_object(test, "output"), "ProfileChain");
	struct authbench *bench = mem_new(1, sizeof(*bench));
	authbench_init(bench, NEW_YEAR_2026_MS);
	assert_int_equal(setenv("AWS_REGION", "eu-west-1", 1), 0);
	if (!chain)
		assert_int_equal(setenv("AWS_EC2_METADATA_DISABLED", "true", 1), 0);
	write_files(bench, input);
	prepare(bench, chain);
	if (authbench_set_up(bench, json_text(input, "selected_profile")))
		authbench_search(bench, CHAIN_WHOLE);
	if (chain)
		compare(verdict, bench, chain);
	else if (bench->found.access_key || bench->asked_count > 0 || !err_text(&bench->err)[0])
		want(verdict, "", "an error", "");
	/* What nobody may use stands in no message either. */
	if (strstr(err_text(&bench->err), "bug_if_returned"))
		want(verdict, "", "a secret", "");
	authbench_release(bench);
	free(bench);
}

static void chains__are_followed__as_another_sdk_does(void **state)
{
	static const char name[] = "vectors/credentials/smithy-rs/assume-role-tests.json";
	size_t len, count = 0, right = 0, out = 0;
	char *text = shared_read(name, &len);
	struct err err = { 0 };
	(void)state;
	if (!text)
		return;
	struct json_value *tests = json_parse(text, len, &err);
	assert_non_null(tests);
	for (const struct json_value *at = json_first(tests); at; at = json_next(at), count++) {
		struct verdict verdict = { .text = "" };
		const char *docs = json_text(at, "docs");
		run(&verdict, at);
		if (reason_of(docs))
			out++;
		else if (verdict.text[0])
			printf("  %s:%s\n", docs, verdict.text);
		else
			right++;
		if (reason_of(docs) && !verdict.text[0])
			printf("  %s: is right, and need not be left out\n", docs);
	}
	printf("%s: %zu of %zu right, %zu left out\n", name, right, count, out);
	assert_int_equal(count, COUNT);
	assert_int_equal(right + out, count);
	json_free(tests);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains__are_followed__as_another_sdk_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
