#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/json.h"
#include "aws/query.h"
#include "aws/sts.h"
#include "model/base/attr.h"
#include "model/base/mem.h"
#include "tests/fakes.h"
#include "tests/shared.h"

/* Forms. */

static void form__is_encoded__as_rfc_3986_has_it(void **state)
{
	struct buf body;

	(void)state;
	buf_init(&body, 4096);
	query_start(&body, SERVICE_EC2, "DescribeCapacityBlocks");
	query_add(&body, "Filter.1.Name", "state");
	query_add(&body, "None", NULL);
	query_add(&body, "Empty", "");
	query_add(&body, "T", "AZaz09-_.~");
	query_add(&body, "U", " +&=/%:\303\251\n");
	query_add(&body, "a b", "x");
	assert_string_equal(buf_text(&body),
			    "Action=DescribeCapacityBlocks&Version=2016-11-15&Filter.1.Name=state&"
			    "Empty=&T=AZaz09-_.~&U=%20%2B%26%3D%2F%25%3A%C3%A9%0A&a%20b=x");
	buf_release(&body);
}

/* The published example, in its order but for the tags. */
static void assume_role__writes__the_published_form(void **state)
{
	const struct sts_role role = { .role_arn = "arn:aws:iam::123456789012:role/Dev",
				       .session_name = "gpuq",
				       .duration_seconds = "3600",
				       .external_id = "ext",
				       .serial_number = "arn:aws:iam::1:mfa/me",
				       .token_code = "123456" };
	struct buf body;

	(void)state;
	buf_init(&body, 4096);
	sts_write_assume_role(&body, &role);
	assert_string_equal(buf_text(&body),
			    "Action=AssumeRole&Version=2011-06-15&"
			    "RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2FDev&"
			    "RoleSessionName=gpuq&ExternalId=ext&"
			    "SerialNumber=arn%3Aaws%3Aiam%3A%3A1%3Amfa%2Fme&TokenCode=123456&"
			    "DurationSeconds=3600");
	buf_release(&body);
}

static void web_identity__writes__its_own_action(void **state)
{
	const struct sts_role role = { .role_arn = "r",
				       .session_name = "gpuq",
				       .web_identity_token = "a.b.c==" };
	struct buf body;

	(void)state;
	buf_init(&body, 4096);
	sts_write_assume_role(&body, &role);
	assert_string_equal(buf_text(&body),
			    "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=r&"
			    "RoleSessionName=gpuq&WebIdentityToken=a.b.c%3D%3D");
	buf_release(&body);
}

/* Keys. */

#define REPLY(action, user, keys)                                                          \
	"<" action "Response xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><" action \
	"Result>" user "<Credentials>" keys "</Credentials></" action "Result></" action   \
	"Response>"
#define USER                                                               \
	"<AssumedRoleUser><Arn>arn:aws:sts::123456789012:assumed-role/r/s" \
	"</Arn></AssumedRoleUser>"
#define KEY     "<AccessKeyId>ASIA</AccessKeyId>"
#define SECRET  "<SecretAccessKey>a&amp;b+/=</SecretAccessKey>"
#define TOKEN   "<SessionToken>t==</SessionToken>"
#define EXPIRES "<Expiration>2025-01-15T13:34:56Z</Expiration>"

static void keys__are_read__from_either_action(void **state)
{
	static const char *const replies[] = {
		REPLY("AssumeRole", USER, KEY SECRET TOKEN EXPIRES "<New>1</New>"),
		REPLY("AssumeRoleWithWebIdentity", USER, EXPIRES TOKEN SECRET KEY),
	};
	struct aws_credentials keys = { 0 };
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(replies); i++) {
		assert_true(sts_read_credentials(replies[i], strlen(replies[i]), &keys, &err));
		assert_string_equal(keys.access_key, "ASIA");
		assert_string_equal(keys.secret_key, "a&b+/=");
		assert_string_equal(keys.session_token, "t==");
		assert_true(keys.expires.set);
		assert_int_equal(keys.expires.ms, INT64_C(1736948096000));
		assert_string_equal(keys.account, "123456789012");
	}
	aws_credentials_release(&keys);
}

static void account__is_left_open__where_the_arn_has_none(void **state)
{
	static const char *const users[] = {
		"",
		"<AssumedRoleUser/>",
		"<AssumedRoleUser><Arn>arn:aws:sts</Arn></AssumedRoleUser>",
		"<AssumedRoleUser><Arn>arn:aws:sts::12345678901:x</Arn></AssumedRoleUser>",
		"<AssumedRoleUser><Arn>arn:aws:sts::12345678901x:x</Arn></AssumedRoleUser>",
		"<AssumedRoleUser><Arn>arn:aws:sts::1234567890123:x</Arn></AssumedRoleUser>",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(users); i++) {
		struct aws_credentials keys = { 0 };
		struct err err = { 0 };
		char body[1024];
		int len = snprintf(body, sizeof(body), REPLY("AssumeRole", "%s", "%s"), users[i],
				   KEY SECRET TOKEN EXPIRES);

		assert_true(sts_read_credentials(body, (size_t)len, &keys, &err));
		assert_string_equal(keys.account, "");
		aws_credentials_release(&keys);
	}
}

static void reply__is_refused__without_all_of_the_keys(void **state)
{
	static const struct {
		const char *body;
		enum err_code code;
		const char *says;
	} rows[] = {
		{ "", ERR_PARSE, "XML" },
		{ "{}", ERR_PARSE, "XML" },
		{ "<html/>", ERR_PARSE, "AccessKeyId" },
		{ REPLY("GetSessionToken", USER, KEY SECRET TOKEN EXPIRES), ERR_PARSE,
		  "AccessKeyId" },
		{ REPLY("AssumeRole", USER, SECRET TOKEN EXPIRES), ERR_PARSE, "AccessKeyId" },
		{ REPLY("AssumeRole", USER, KEY TOKEN EXPIRES), ERR_PARSE, "SecretAccessKey" },
		{ REPLY("AssumeRole", USER, KEY SECRET "<SessionToken/>" EXPIRES), ERR_PARSE,
		  "SessionToken" },
		{ REPLY("AssumeRole", USER, KEY SECRET TOKEN), ERR_PARSE, "Expiration" },
		{ REPLY("AssumeRole", USER, KEY SECRET TOKEN "<Expiration>soon</Expiration>"),
		  ERR_PARSE, "Expiration" },
		{ REPLY("AssumeRole", USER,
			KEY "<SecretAccessKey>line\nbreak</SecretAccessKey>" TOKEN EXPIRES),
		  ERR_AUTH, "SecretAccessKey" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct aws_credentials keys = { 0 };
		struct err err = { 0 };

		assert_false(sts_read_credentials(rows[i].body, strlen(rows[i].body), &keys, &err));
		assert_int_equal(err.code, rows[i].code);
		if (!strstr(err_text(&err), rows[i].says))
			fail_msg("%zu: %s", i, err_text(&err));
		assert_null(strstr(err_text(&err), "a&b"));
		assert_null(keys.access_key);
		err_clear(&err);
	}
}

/* Identities, through the client. */

struct stage {
	struct fake_world *world;
	struct aws_client *client;
	const char *body; /* of the answer */
	int status;
	unsigned ends;
	char account[32], arn[64], user_id[32];
	struct err err;
};

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	struct stage *stage = ctx;

	(void)sent;
	answer->status = stage->status;
	answer->body = mem_copy_text(stage->body);
}

static void wake(void *target)
{
	aws_client_wake(((struct stage *)target)->client);
}

static void start(struct stage *stage, enum aws_service service, const char *url)
{
	char access[] = "AKIDEXAMPLE", secret[] = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
	char token[] = "TOKEN+/=ex";
	struct aws_credentials keys = { .access_key = access,
					.secret_key = secret,
					.session_token = token };
	struct err err = { 0 };

	stage->world = fake_world_new(serve, stage);
	stage->world->wall_ms = INT64_C(1786529472000); /* 2026-08-12T10:11:12Z */

	struct aws_options options = { .service = service,
				       .region = "us-west-2",
				       .endpoint_url = url,
				       .seed = 7,
				       .clock = &stage->world->clock,
				       .hooks = fake_hooks(stage->world, wake, stage),
				       .transport = &stage->world->transport };

	stage->client = aws_client_new(&options, &keys, &err);
	assert_non_null(stage->client);
}

static void stop(struct stage *stage)
{
	aws_client_free(stage->client);
	fake_world_free(stage->world);
	err_clear(&stage->err);
}

static void identified(void *ctx, const struct sts_identity *identity, const struct err *err)
{
	struct stage *stage = ctx;

	stage->ends++;
	if (!identity) {
		err_copy(&stage->err, err);
		return;
	}
	assert_null(err);
	snprintf(stage->account, sizeof(stage->account), "%s", identity->account);
	snprintf(stage->arn, sizeof(stage->arn), "%s", identity->arn);
	snprintf(stage->user_id, sizeof(stage->user_id), "%s", identity->user_id);
}

#define IDENTITY(inner)                                                                   \
	"<GetCallerIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">" \
	"<GetCallerIdentityResult>" inner "</GetCallerIdentityResult><ResponseMetadata>"  \
	"<RequestId>r-1</RequestId></ResponseMetadata></GetCallerIdentityResponse>"

/* The request is the published one, to the digit of its signature. */
static void identity__is_asked_and_read__as_published(void **state)
{
	struct stage stage = { .status = 200,
			       .body = IDENTITY("<Arn>arn:aws:iam::123456789012:user/x</Arn>"
						"<UserId>AIDAEXAMPLE</UserId>"
						"<Account>123456789012</Account><New>z</New>") };
	const struct fake_sent *sent;

	(void)state;
	start(&stage, SERVICE_STS, NULL);
	sts_get_caller_identity(stage.client, identified, &stage);
	fake_run(stage.world, 0);
	sent = fake_nth(stage.world, "GetCallerIdentity", 0);
	assert_non_null(sent);
	assert_string_equal(sent->body, "Action=GetCallerIdentity&Version=2011-06-15");
	assert_string_equal(sent->host, "sts.us-west-2.amazonaws.com");
	assert_string_equal(sent->url, "https://sts.us-west-2.amazonaws.com/");
	assert_string_equal(sent->content_type, "application/x-www-form-urlencoded; charset=utf-8");
	assert_string_equal(sent->query_mode, "");
	assert_string_equal(sent->token, "TOKEN+/=ex");
	assert_string_equal(sent->authorization,
			    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260812/us-west-2/sts/"
			    "aws4_request, SignedHeaders=content-type;host;x-amz-date;"
			    "x-amz-security-token, Signature="
			    "d8fefb3aac77e0a4d3cbb78908fb2beb075805f89fd6546c1d3a4494a98796d6");
	assert_int_equal(stage.ends, 1);
	assert_string_equal(stage.account, "123456789012");
	assert_string_equal(stage.arn, "arn:aws:iam::123456789012:user/x");
	assert_string_equal(stage.user_id, "AIDAEXAMPLE");
	stop(&stage);
}

static void identity__fails__with_a_reason(void **state)
{
	static const struct {
		int status;
		const char *body;
		enum err_code code;
		const char *says;
	} rows[] = {
		{ 200, IDENTITY("<Arn>a</Arn><UserId>u</UserId>"), ERR_PARSE, "no Account" },
		{ 200, IDENTITY("<Arn>a</Arn><UserId>u</UserId><Account>12</Account>"), ERR_PARSE,
		  "no Account" },
		{ 200, IDENTITY("<UserId>u</UserId><Account>123456789012</Account>"), ERR_PARSE,
		  "no Arn" },
		{ 200, IDENTITY("<Arn>a</Arn><Account>123456789012</Account>"), ERR_PARSE,
		  "no UserId" },
		{ 200, "", ERR_PARSE, "no Account" },
		{ 200, "<a>", ERR_PARSE, "not XML" },
		{ 403,
		  "<ErrorResponse><Error><Code>ExpiredToken</Code><Message>The token is "
		  "expired</Message></Error><RequestId>r</RequestId></ErrorResponse>",
		  ERR_AUTH, "The token is expired" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct stage stage = { .status = rows[i].status, .body = rows[i].body };

		start(&stage, SERVICE_STS, NULL);
		sts_get_caller_identity(stage.client, identified, &stage);
		fake_run(stage.world, 10000);
		assert_int_equal(stage.ends, 1);
		assert_int_equal(stage.err.code, rows[i].code);
		if (!strstr(err_text(&stage.err), rows[i].says))
			fail_msg("%zu: %s", i, err_text(&stage.err));
		assert_memory_equal(stage.err.subject, "GetCallerIdentity", 17);
		stop(&stage);
	}
}

/* What an operation of each other protocol looks like on the wire. */

static void counted(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct stage *stage = ctx;

	assert_null(err);
	assert_int_equal(json_type(reply->json), JSON_TYPE_OBJECT);
	assert_null(reply->xml);
	stage->ends++;
}

static void request__has_the_form__of_its_protocol(void **state)
{
	static const struct {
		struct aws_op op;
		const char *url, *sent_url, *content_type, *op_name, *query_mode;
	} rows[] = {
		{ { .name = "GetMetricData", .service = SERVICE_CLOUDWATCH },
		  NULL,
		  "https://monitoring.us-west-2.amazonaws.com/",
		  "application/x-amz-json-1.0",
		  "GetMetricData",
		  "true" },
		{ { .name = "ListServiceJobs",
		    .service = SERVICE_BATCH,
		    .path = "/v1/listservicejobs" },
		  NULL,
		  "https://batch.us-west-2.amazonaws.com/v1/listservicejobs",
		  "application/json",
		  "",
		  "" },
		{ { .name = "ListServiceJobs",
		    .service = SERVICE_BATCH,
		    .path = "/v1/listservicejobs" },
		  "http://127.0.0.1:9/base",
		  "http://127.0.0.1:9/base/v1/listservicejobs",
		  "application/json",
		  "",
		  "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct stage stage = { .status = 200, .body = "{}" };
		struct aws_op op = rows[i].op;
		const struct fake_sent *sent = NULL;

		op.timeout_ms = 1000;
		op.max_reply = 1024;
		start(&stage, op.service, rows[i].url);
		aws_client_call(stage.client, &op, "{}", counted, &stage);
		fake_run(stage.world, 0);
		sent = &stage.world->sent[0];
		assert_int_equal(stage.ends, 1);
		assert_string_equal(sent->url, rows[i].sent_url);
		assert_string_equal(sent->content_type, rows[i].content_type);
		assert_string_equal(sent->op, rows[i].op_name);
		assert_string_equal(sent->query_mode, rows[i].query_mode);
		stop(&stage);
	}
}

/* Published answers of both. */
static void answers__read__as_published(void **state)
{
	size_t len, count = 0;
	char *text = shared_read("vectors/errors/computed-errors.json", &len);
	struct err err = { 0 };
	struct json_value *json = text ? json_parse(text, len, &err) : NULL;

	(void)state;
	free(text);
	for (const struct json_value *at = json_first(json); at; at = json_next(at)) {
		const struct json_value *result =
			json_object(json_object(at, "botocore"), "result");
		const char *body = json_text(json_object(at, "response"), "body");
		const char *name = json_text(at, "name");

		if (strcmp(name, "sts-assume-role-success") == 0) {
			const struct json_value *expected = json_object(result, "Credentials");
			struct aws_credentials keys = { 0 };

			assert_true(sts_read_credentials(body, strlen(body), &keys, &err));
			assert_string_equal(keys.secret_key,
					    json_text(expected, "SecretAccessKey"));
			assert_string_equal(keys.access_key, json_text(expected, "AccessKeyId"));
			assert_string_equal(keys.session_token,
					    json_text(expected, "SessionToken"));
			assert_int_equal(keys.expires.ms, json_time(expected, "Expiration").ms);
			aws_credentials_release(&keys);
			count++;
		} else if (strcmp(name, "sts-success") == 0) {
			struct stage stage = { .status = 200, .body = body };

			start(&stage, SERVICE_STS, NULL);
			sts_get_caller_identity(stage.client, identified, &stage);
			fake_run(stage.world, 0);
			assert_string_equal(stage.account, json_text(result, "Account"));
			assert_string_equal(stage.arn, json_text(result, "Arn"));
			assert_string_equal(stage.user_id, json_text(result, "UserId"));
			stop(&stage);
			count++;
		}
	}
	assert_true(!json || count == 2);
	json_free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(form__is_encoded__as_rfc_3986_has_it),
		cmocka_unit_test(assume_role__writes__the_published_form),
		cmocka_unit_test(web_identity__writes__its_own_action),
		cmocka_unit_test(keys__are_read__from_either_action),
		cmocka_unit_test(account__is_left_open__where_the_arn_has_none),
		cmocka_unit_test(reply__is_refused__without_all_of_the_keys),
		cmocka_unit_test(identity__is_asked_and_read__as_published),
		cmocka_unit_test(identity__fails__with_a_reason),
		cmocka_unit_test(request__has_the_form__of_its_protocol),
		cmocka_unit_test(answers__read__as_published),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
