/* One call of a provider: its tries, its signatures, its stamps, its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/auth/call.h"
#include "model/base/mem.h"
#include "tests/authbench.h"

#define NEW_YEAR_2026_MS INT64_C(1767225600000)
#define QUARTER_MS       INT64_C(900000)
#define DENIED           "{\"message\":\"no\"}"
#define XML_ERROR(code)                                        \
	"<ErrorResponse><Error><Type>Sender</Type><Code>" code \
	"</Code><Message>m</Message></Error><RequestId>r-1</RequestId></ErrorResponse>"
#define OUR_KEYS                                                                     \
	{                                                                            \
		.access_key = (char *)"AKIDBASE", .secret_key = (char *)"basesecret" \
	}

struct scene {
	struct authbench bench;
	struct auth_call *call;
	unsigned done, stamps;
	char body[256];
	struct err err; /* of the end */
	bool frees;     /* the call, from inside */
	int64_t noted_ms;
};

static void note_date(void *ctx, int64_t date_ms)
{
	struct scene *scene = ctx;
	scene->noted_ms = date_ms;
	/* As the session does: what the world's clock says is the service's from now on. */
	scene->bench.start_wall_ms += date_ms - clock_wall_ms(&scene->bench.clock);
}

static void ignore_file(void *ctx, const char *path)
{
	(void)ctx, (void)path;
}

static struct scene *scene_new(void)
{
	struct scene *scene = mem_new(1, sizeof(*scene));
	authbench_init(&scene->bench, NEW_YEAR_2026_MS);
	assert_int_equal(setenv("AWS_REGION", "eu-west-1", 1), 0);
	assert_true(authbench_set_up(&scene->bench, NULL));
	scene->bench.world.note_date = note_date;
	scene->bench.world.note_file = ignore_file;
	scene->bench.world.ctx = scene;
	return scene;
}

static void scene_free(struct scene *scene)
{
	call_free(scene->call);
	err_clear(&scene->err);
	authbench_release(&scene->bench);
	free(scene);
}

static void on_done(void *ctx, const char *body, size_t len, const struct err *err)
{
	struct scene *scene = ctx;
	scene->done++;
	assert_int_equal(strlen(body), len);
	snprintf(scene->body, sizeof(scene->body), "%s", body);
	if (err)
		err_copy(&scene->err, err);
	if (scene->frees) {
		call_free(scene->call);
		scene->call = NULL;
	}
}

static void begin(struct scene *scene, const struct call_options *options)
{
	struct err err = { 0 };
	scene->call = call_start(&scene->bench.world, options, on_done, scene, &err);
	if (!scene->call)
		fail_msg("%s", err_text(&err));
	assert_int_equal(scene->done, 0);
	assert_int_equal(scene->bench.asked_count, 0); /* from the loop alone */
}

static void finish(struct scene *scene)
{
	for (int i = 0; i < 1000 && scene->done == 0; i++)
		authbench_turn(&scene->bench);
	assert_int_equal(scene->done, 1);
}

/* GetRoleCredentials, which nobody signs. */
static const struct call_options plain = {
	.name = "GetRoleCredentials",
	.service = SERVICE_SSO,
	.region = "us-west-2",
	.method = "GET",
	.path = "federation/credentials?role_name=a",
	.headers = { { "x-amz-sso_bearer_token", "bearertoken" } },
	.header_count = 1,
};

static const struct aws_credentials base_keys = OUR_KEYS;
static const struct call_options role = {
	.name = "AssumeRole",
	.service = SERVICE_STS,
	.method = "POST",
	.path = "",
	.body = "Action=AssumeRole",
	.sign_with = &base_keys,
};

/* --- requests --- */

static void request__is_what__the_protocol_wants(void **state)
{
	struct scene *scene = scene_new();
	const struct authbench_asked *asked = &scene->bench.asked[0];
	(void)state;
	authbench_answer(&scene->bench, 200, "{}", NULL);
	begin(scene, &plain);
	finish(scene);
	assert_int_equal(scene->err.code, ERR_NONE);
	assert_string_equal(scene->body, "{}");
	assert_string_equal(asked->method, "GET");
	assert_string_equal(asked->url, "https://portal.sso.us-west-2.amazonaws.com/"
					"federation/credentials?role_name=a");
	assert_string_equal(asked->bearer, "bearertoken");
	assert_string_equal(asked->authorization, "");
	assert_string_equal(asked->amz_date, "");
	assert_string_equal(asked->content_type, "");
	assert_false(asked->no_proxy);
	scene_free(scene);
}

static void signature__is_right__for_service_region_and_time(void **state)
{
	struct scene *scene = scene_new();
	const struct authbench_asked *asked = &scene->bench.asked[0];
	(void)state;
	authbench_answer(&scene->bench, 200, "<a/>", NULL);
	begin(scene, &role);
	finish(scene);
	assert_string_equal(asked->url, "https://sts.eu-west-1.amazonaws.com/");
	assert_string_equal(asked->content_type,
			    "application/x-www-form-urlencoded; charset=utf-8");
	assert_memory_equal(asked->amz_date, "20260101T0000", 13);
	assert_non_null(strstr(asked->authorization,
			       "Credential=AKIDBASE/20260101/eu-west-1/sts/aws4_request, "
			       "SignedHeaders=content-type;host;x-amz-date, Signature="));
	scene_free(scene);
}

/* --- tries --- */

static void trouble__that_passes__is_waited_for(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_answer(&scene->bench, 500, DENIED, NULL);
	authbench_answer(&scene->bench, 0, NULL, NULL);
	authbench_answer(&scene->bench, 200, "{\"a\":1}", NULL);
	begin(scene, &plain);
	finish(scene);
	assert_int_equal(scene->bench.asked_count, 3);
	assert_string_equal(scene->body, "{\"a\":1}");
	assert_int_equal(scene->err.code, ERR_NONE);
	scene_free(scene);
}

static void trouble__that_stays__is_told_after_three_tries(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	scene->frees = true;
	for (int i = 0; i < 4; i++)
		authbench_answer(&scene->bench, 503, DENIED, NULL);
	begin(scene, &plain);
	finish(scene);
	assert_int_equal(scene->bench.asked_count, 3);
	assert_int_equal(scene->err.code, ERR_SERVER);
	assert_int_equal(scene->err.http_status, 503);
	assert_string_equal(scene->err.subject,
			    "GetRoleCredentials at portal.sso.us-west-2.amazonaws.com");
	scene_free(scene);
}

static void tries__are_as_many__as_the_user_sets(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	assert_int_equal(setenv("AWS_MAX_ATTEMPTS", "1", 1), 0);
	assert_true(setup_decide(&scene->bench.setup, &scene->bench.err));
	authbench_answer(&scene->bench, 500, DENIED, NULL);
	authbench_answer(&scene->bench, 200, "{}", NULL);
	begin(scene, &plain);
	finish(scene);
	assert_int_equal(scene->bench.asked_count, 1);
	assert_int_equal(scene->err.code, ERR_SERVER);
	scene_free(scene);
}

static void refusal__is_final__and_its_body_is_told(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_answer(&scene->bench, 401, DENIED, "UnauthorizedException");
	authbench_answer(&scene->bench, 200, "{}", NULL);
	begin(scene, &plain);
	finish(scene);
	assert_int_equal(scene->bench.asked_count, 1);
	assert_int_equal(scene->err.http_status, 401);
	assert_string_equal(scene->err.aws_code, "UnauthorizedException");
	assert_string_equal(scene->body, DENIED);
	scene_free(scene);
}

static void throttling__is_waited_for(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_answer(&scene->bench, 429, DENIED, "TooManyRequestsException");
	authbench_answer(&scene->bench, 200, "{}", NULL);
	begin(scene, &plain);
	finish(scene);
	assert_int_equal(scene->bench.asked_count, 2);
	assert_int_equal(scene->err.code, ERR_NONE);
	scene_free(scene);
}

/* --- clocks --- */

/* This machine is a quarter of an hour behind, and STS is the first who says so. */
static void wrong_clock__is_learned__and_the_next_signature_is_right(void **state)
{
	struct scene *scene = scene_new();
	const struct authbench_asked *asked = scene->bench.asked;
	int64_t right_ms = NEW_YEAR_2026_MS + QUARTER_MS;
	(void)state;
	authbench_answer_at(&scene->bench, right_ms, 403, XML_ERROR("SignatureDoesNotMatch"));
	authbench_answer_at(&scene->bench, right_ms, 200, "<a/>");
	begin(scene, &role);
	finish(scene);
	assert_int_equal(scene->err.code, ERR_NONE);
	assert_int_equal(scene->bench.asked_count, 2);
	assert_memory_equal(asked[0].amz_date, "20260101T0000", 13);
	assert_memory_equal(asked[1].amz_date, "20260101T0015", 13);
	assert_string_not_equal(asked[0].authorization, asked[1].authorization);
	assert_int_equal(scene->noted_ms, right_ms);
	scene_free(scene);
}

/* Without anybody who keeps the clock the call corrects it for itself. */
static void wrong_clock__is_corrected__for_the_call_alone(void **state)
{
	struct scene *scene = scene_new();
	int64_t right_ms = NEW_YEAR_2026_MS - QUARTER_MS;
	(void)state;
	scene->bench.world.note_date = NULL;
	authbench_answer_at(&scene->bench, right_ms, 403, XML_ERROR("RequestTimeTooSkewed"));
	authbench_answer_at(&scene->bench, right_ms, 200, "<a/>");
	begin(scene, &role);
	finish(scene);
	assert_int_equal(scene->err.code, ERR_NONE);
	assert_memory_equal(scene->bench.asked[1].amz_date, "20251231T2345", 13);
	scene_free(scene);
}

static void right_clock__makes__a_refused_signature_final(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_answer_at(&scene->bench, NEW_YEAR_2026_MS + 60000, 403,
			    XML_ERROR("SignatureDoesNotMatch"));
	begin(scene, &role);
	finish(scene);
	assert_int_equal(scene->bench.asked_count, 1);
	assert_int_equal(scene->err.code, ERR_AUTH);
	assert_string_equal(scene->err.aws_code, "SignatureDoesNotMatch");
	scene_free(scene);
}

/* Nobody signs this with a time: the clock has no part in its refusal. */
static void unsigned_refusal__is_final__whatever_the_clock(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_answer_at(&scene->bench, NEW_YEAR_2026_MS + QUARTER_MS, 403,
			    "{\"__type\":\"AccessDeniedException\",\"message\":\"no\"}");
	begin(scene, &plain);
	finish(scene);
	assert_int_equal(scene->bench.asked_count, 1);
	scene_free(scene);
}

/* --- stamps --- */

static char *make_stamp(void *ctx, struct err *err)
{
	struct scene *scene = ctx;
	char text[32];
	if (++scene->stamps == 3) {
		err_set(err, ERR_AUTH, "there is no more ink");
		return NULL;
	}
	snprintf(text, sizeof(text), "stamp %u", scene->stamps);
	return mem_copy_text(text);
}

static const struct call_options stamped = {
	.name = "CreateOAuth2Token",
	.service = SERVICE_SIGNIN,
	.method = "POST",
	.path = "v1/token",
	.headers = { { "DPoP", "" } },
	.header_count = 1,
	.stamp = make_stamp,
	.body = "{}",
};

static void stamp__is_made__for_each_try(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_answer(&scene->bench, 500, DENIED, NULL);
	authbench_answer(&scene->bench, 200, "{}", NULL);
	begin(scene, &stamped);
	finish(scene);
	assert_string_equal(scene->bench.asked[0].proof, "stamp 1");
	assert_string_equal(scene->bench.asked[1].proof, "stamp 2");
	assert_int_equal(scene->err.code, ERR_NONE);
	scene_free(scene);
}

/* A stamp has a time in it; what a service calls a wrong one is not known. */
static void stamp__of_a_wrong_clock__is_made_anew(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_answer_at(&scene->bench, NEW_YEAR_2026_MS + QUARTER_MS, 400,
			    "{\"error\":\"INVALID_REQUEST\",\"message\":\"iat\"}");
	authbench_answer_at(&scene->bench, NEW_YEAR_2026_MS + QUARTER_MS, 400,
			    "{\"error\":\"TOKEN_EXPIRED\",\"message\":\"over\"}");
	begin(scene, &stamped);
	finish(scene);
	assert_int_equal(scene->bench.asked_count, 2);
	assert_non_null(strstr(scene->body, "TOKEN_EXPIRED"));
	scene_free(scene);
}

static void stamp__that_cannot_be_made__ends_the_call(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_answer(&scene->bench, 500, DENIED, NULL);
	authbench_answer(&scene->bench, 500, DENIED, NULL);
	begin(scene, &stamped);
	finish(scene);
	assert_int_equal(scene->bench.asked_count, 2);
	assert_int_equal(scene->err.code, ERR_AUTH);
	assert_string_equal(err_text(&scene->err), "there is no more ink");
	scene_free(scene);
}

/* --- ends --- */

/* Before it was sent, in flight, in a pause: nobody is called back, and nothing leaks. */
static void call__may_be_freed__at_any_time(void **state)
{
	(void)state;
	for (int turns = 0; turns < 3; turns++) {
		struct scene *scene = scene_new();
		authbench_answer(&scene->bench, 500, DENIED, NULL);
		begin(scene, &role);
		for (int i = 0; i < turns; i++)
			authbench_turn(&scene->bench);
		assert_int_equal(scene->bench.asked_count, turns > 0);
		call_free(scene->call);
		scene->call = NULL;
		assert_int_equal(scene->bench.flight_count, 0);
		assert_int_equal(scene->done, 0);
		scene_free(scene);
	}
}

static void endpoint__that_cannot_be__is_told_at_once(void **state)
{
	struct scene *scene = scene_new();
	struct err err = { 0 };
	(void)state;
	assert_int_equal(setenv("AWS_ENDPOINT_URL_SSO", "http://203.0.113.7/", 1), 0);
	assert_null(call_start(&scene->bench.world, &plain, on_done, scene, &err));
	assert_int_not_equal(err.code, ERR_NONE);
	assert_non_null(strstr(err_text(&err), "http"));
	err_clear(&err);
	scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(request__is_what__the_protocol_wants),
		cmocka_unit_test(signature__is_right__for_service_region_and_time),
		cmocka_unit_test(trouble__that_passes__is_waited_for),
		cmocka_unit_test(trouble__that_stays__is_told_after_three_tries),
		cmocka_unit_test(tries__are_as_many__as_the_user_sets),
		cmocka_unit_test(refusal__is_final__and_its_body_is_told),
		cmocka_unit_test(throttling__is_waited_for),
		cmocka_unit_test(wrong_clock__is_learned__and_the_next_signature_is_right),
		cmocka_unit_test(wrong_clock__is_corrected__for_the_call_alone),
		cmocka_unit_test(right_clock__makes__a_refused_signature_final),
		cmocka_unit_test(unsigned_refusal__is_final__whatever_the_clock),
		cmocka_unit_test(stamp__is_made__for_each_try),
		cmocka_unit_test(stamp__of_a_wrong_clock__is_made_anew),
		cmocka_unit_test(stamp__that_cannot_be_made__ends_the_call),
		cmocka_unit_test(call__may_be_freed__at_any_time),
		cmocka_unit_test(endpoint__that_cannot_be__is_told_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
