/* The region as a server sees it: who may ask, how often, by which clock, and the faults. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/simworld.h"

/* A signed call that two independent implementations agree on (facts/aws.md, vector V1). */
#define V1_BODY "{\"MaxResults\":100,\"SortBy\":\"CreationTime\",\"SortOrder\":\"Descending\"}"
#define V1_DATE "20260812T101112Z"
#define V1_MS   INT64_C(1786529472000) /* 2026-08-12T10:11:12Z */

#define V1_AUTHORIZATION(signature)                                                           \
	"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260812/us-west-2/sagemaker/aws4_request, " \
	"SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=" signature
#define V1_SIGNATURE "5a6c74b2b478cb4811e79cad94a1d93c4373e1cbf8dcc7b41690140ef96c17c2"

enum v1_header { V1_HOST, V1_TYPE, V1_TARGET, V1_AMZ_DATE, V1_AUTH, V1_EXTRA, V1_HEADERS };

struct signed_call {
	struct sigv4_header headers[V1_HEADERS];
	struct sim_request request;
	struct sim_auth auth;
};

static void v1(struct signed_call *call)
{
	*call = (struct signed_call){
		.headers = { { "Host", "api.sagemaker.us-west-2.amazonaws.com" },
			     { "Content-Type", "application/x-amz-json-1.1" },
			     { "X-Amz-Target", "SageMaker.ListTrainingJobs" },
			     { "X-Amz-Date", V1_DATE },
			     { "Authorization", V1_AUTHORIZATION(V1_SIGNATURE) },
			     { "User-Agent", "unsigned/1.0" } },
		.request = { .method = "POST",
			     .target = "/",
			     .header_count = V1_HEADERS,
			     .body = V1_BODY,
			     .body_len = strlen(V1_BODY) },
		.auth = { .access_key = "AKIDEXAMPLE",
			  .secret_key = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
			  .region = "us-west-2",
			  .service = "sagemaker",
			  .from_ms = V1_MS - 300000,
			  .until_ms = V1_MS + 300000 },
	};
	call->request.headers = call->headers;
}

static void judge(const struct signed_call *call, const char *code, const char *text)
{
	struct err err = { 0 };
	bool fine = sim_auth_check(&call->auth, &call->request, &err);
	if (fine != (code == NULL) ||
	    (code && (strcmp(err.aws_code, code) != 0 || !strstr(err_text(&err), text))))
		fail_msg("wants %s %s, got %s %s", code ? code : "", text ? text : "", err.aws_code,
			 err_text(&err));
	err_clear(&err);
}

static void auth__accepts__a_call_signed_elsewhere(void **state)
{
	struct signed_call call;
	(void)state;
	v1(&call);
	judge(&call, NULL, NULL);
}

static void auth__refuses__whatever_was_changed(void **state)
{
	struct signed_call call;
	(void)state;
	v1(&call);
	call.request.body =
		"{\"MaxResults\":101,\"SortBy\":\"CreationTime\",\"SortOrder\":\"Descending\"}";
	judge(&call, "InvalidSignatureException", "does not match");
	v1(&call);
	call.request.target = "/?a";
	judge(&call, "InvalidSignatureException", "does not match");
	v1(&call);
	call.headers[V1_TARGET].value = "SageMaker.StopTrainingJob";
	judge(&call, "InvalidSignatureException", "does not match");
	v1(&call);
	call.auth.secret_key = "simsecret";
	judge(&call, "InvalidSignatureException", "does not match");
	v1(&call);
	call.headers[V1_AUTH].value = V1_AUTHORIZATION(
		"5a6c74b2b478cb4811e79cad94a1d93c4373e1cbf8dcc7b41690140ef96c17c3");
	judge(&call, "InvalidSignatureException", "does not match");
	v1(&call); /* a header that AWS reads, but nobody signed */
	call.headers[V1_EXTRA] = (struct sigv4_header){ "X-Amz-Security-Token", "token" };
	judge(&call, "InvalidSignatureException", "must be a 'SignedHeader'");
}

static void auth__names__what_is_wrong(void **state)
{
	struct signed_call call;
	(void)state;
	v1(&call);
	call.headers[V1_AUTH].name = "X-Other";
	judge(&call, "MissingAuthenticationTokenException", "Missing");
	v1(&call);
	call.headers[V1_AUTH].value = "Bearer token";
	judge(&call, "IncompleteSignatureException", "requires");
	v1(&call);
	call.headers[V1_AMZ_DATE].name = "X-Other";
	judge(&call, "IncompleteSignatureException", "X-Amz-Date");
	v1(&call);
	call.headers[V1_AMZ_DATE].value = "2026-08-12T10:11";
	judge(&call, "IncompleteSignatureException", "basic format");
	v1(&call);
	call.auth.access_key = "AKIDOTHER";
	judge(&call, "UnrecognizedClientException", "security token");
	v1(&call);
	call.auth.region = "us-east-1";
	judge(&call, "InvalidSignatureException", "valid region");
	v1(&call);
	call.auth.service = "ec2";
	judge(&call, "InvalidSignatureException", "correct service: 'ec2'");
	v1(&call);
	call.headers[V1_AMZ_DATE].value = "20260813T101112Z";
	call.auth.until_ms += INT64_C(86400000);
	judge(&call, "InvalidSignatureException", "Date in Credential scope");
}

static void auth__accepts_times__within_its_bounds(void **state)
{
	struct signed_call call;
	(void)state;
	v1(&call);
	call.auth.from_ms = call.auth.until_ms = V1_MS;
	judge(&call, NULL, NULL);
	call.auth.from_ms = V1_MS + 1000;
	call.auth.until_ms = V1_MS + 601000;
	judge(&call, "InvalidSignatureException",
	      "Signature expired: 20260812T101112Z is now earlier than 20260812T101113Z "
	      "(20260812T101613Z - 5 min.)");
	call.auth.from_ms = V1_MS - 601000;
	call.auth.until_ms = V1_MS - 1000;
	judge(&call, "InvalidSignatureException",
	      "Signature not yet current: 20260812T101112Z is still later than 20260812T101111Z "
	      "(20260812T100611Z + 5 min.)");
}

static void region__wants_a_signature__unless_told_otherwise(void **state)
{
	struct sim_options options = simregion_options();
	(void)state;
	options.no_auth = false;
	struct simregion *sim = simregion_new(&options);
	simregion_refuses(sim, "ListTrainingJobs", "{}", "MissingAuthenticationTokenException", "");
	assert_int_equal(simregion_control(sim, "/_sim/state", NULL), 200);
	/* A path that is nobody's needs none to be told so. */
	assert_int_equal(simregion_control(sim, "/jobs", "{}"), 404);
	assert_non_null(strstr(simregion_body(sim), "UnknownOperationException"));
	simregion_free(sim);
}

static void rate__allows_two_starts__in_any_second(void **state)
{
	struct sim_options options = simregion_options();
	(void)state;
	options.rate = 2;
	struct simregion *sim = simregion_new(&options);
	assert_int_equal(simregion_call(sim, "ListTrainingJobs", "{}"), 200);
	simregion_pass(sim, 600);
	assert_int_equal(simregion_call(sim, "ListTrainingJobs", "{}"), 200);
	simregion_refuses(sim, "ListTrainingJobs", "{}", "ThrottlingException", "Rate exceeded");
	/* Each operation has its own, and only lists have one. */
	assert_int_equal(simregion_call(sim, "ListProcessingJobs", "{}"), 200);
	for (int i = 0; i < 5; i++)
		simregion_refuses(sim, "DescribeTrainingJob", "{\"TrainingJobName\":\"x\"}",
				  "ResourceNotFound", "Requested resource not found.");
	simregion_pass(sim, 399); /* 999 ms after the first */
	simregion_refuses(sim, "ListTrainingJobs", "{}", "ThrottlingException", "Rate exceeded");
	simregion_pass(sim, 1);
	assert_int_equal(simregion_call(sim, "ListTrainingJobs", "{}"), 200);
	simregion_refuses(sim, "ListTrainingJobs", "{}", "ThrottlingException", "Rate exceeded");
	assert_int_equal(simregion_control(sim, "/_sim/state", NULL), 200);
	assert_non_null(strstr(simregion_body(sim),
			       "\"ListTrainingJobs\":{\"ok\":3,\"throttled\":3,\"failed\":0}"));
	assert_non_null(strstr(simregion_body(sim),
			       "\"DescribeTrainingJob\":{\"ok\":0,\"throttled\":0,\"failed\":5}"));
	assert_non_null(strstr(simregion_body(sim), "\"held\":{\"now\":0,\"ended\":0}"));
	simregion_free(sim);
}

static void clock__runs_at_its_speed__and_advances(void **state)
{
	struct sim_options options = simregion_options();
	char date[SIM_DATE_SIZE];
	(void)state;
	options.speed = 60.0;
	struct simregion *sim = simregion_new(&options);
	sim_region_date(&sim->region, date);
	assert_string_equal(date, "Mon, 30 Nov 2026 20:48:08 GMT");
	simregion_pass(sim, 1000);
	sim_region_date(&sim->region, date);
	assert_string_equal(date, "Mon, 30 Nov 2026 20:49:08 GMT");
	assert_int_equal(simregion_control(sim, "/_sim/advance", "{\"seconds\":86400}"), 200);
	assert_string_equal(simregion_body(sim), "{\"now\":\"2026-12-01T20:49:08Z\"}");
	sim_region_date(&sim->region, date);
	assert_string_equal(date, "Tue, 01 Dec 2026 20:49:08 GMT");
	simregion_free(sim);
}

static void operation__is_found__by_its_target(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	simregion_refuses(sim, "DescribeModel", "{}", "UnknownOperationException", "");
	assert_int_equal(sim->answer.status, 404);
	assert_int_equal(strlen(sim->answer.request_id), 36);
	assert_string_equal(sim->answer.content_type, "application/x-amz-json-1.1");
	simregion_free(sim);
}

static void stop__answers_nothing__and_refuses_what_is_over(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	simregion_refuses(sim, "StopTrainingJob", "{\"TrainingJobName\":\"job\"}",
			  "ResourceNotFound", "Requested resource not found.");
	simworld_submit(&sim->region.world, "job", "ml.p5.48xlarge:1", 0);
	assert_int_equal(simregion_call(sim, "StopTrainingJob", "{\"TrainingJobName\":\"job\"}"),
			 200);
	assert_string_equal(simregion_body(sim), "");
	simregion_pass(sim, 60000);
	simregion_refuses(
		sim, "StopTrainingJob", "{\"TrainingJobName\":\"job\"}", "ValidationException",
		"The request was rejected because the training job is in status Stopped.");
	simregion_free(sim);
}

static void fault(struct simregion *sim, const char *body)
{
	if (simregion_control(sim, "/_sim/fault", body) != 200)
		fail_msg("%s: %s", body, simregion_body(sim));
}

static const char *job(const char *name)
{
	return simregion_training(name,
				  "{\"InstanceType\":\"ml.p4d.24xlarge\",\"InstanceCount\":1}");
}

static bool exists(const struct simregion *sim, const char *name)
{
	return sim_job_find(&sim->region.world, SIM_TRAINING, name) != NULL;
}

static void fault__strikes__before_or_after_the_effect(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	fault(sim, "{\"operation\":\"CreateTrainingJob\",\"status\":500}");
	simregion_refuses(sim, "CreateTrainingJob", job("a"), "InternalFailure", "");
	assert_int_equal(sim->answer.status, 500);
	assert_false(exists(sim, "a"));
	fault(sim, "{\"operation\":\"CreateTrainingJob\",\"status\":503,\"after\":true}");
	simregion_refuses(sim, "CreateTrainingJob", job("a"), "ServiceUnavailable", "");
	assert_true(exists(sim, "a"));
	fault(sim, "{\"operation\":\"CreateTrainingJob\",\"drop\":true}");
	(void)simregion_call(sim, "CreateTrainingJob", job("b"));
	assert_true(sim->answer.drop);
	assert_false(exists(sim, "b"));
	fault(sim, "{\"operation\":\"CreateTrainingJob\",\"drop\":true,\"after\":true}");
	(void)simregion_call(sim, "CreateTrainingJob", job("b"));
	assert_true(sim->answer.drop);
	assert_true(exists(sim, "b"));
	assert_int_equal(simregion_call(sim, "CreateTrainingJob", job("c")), 200);
	assert_false(sim->answer.drop);
	simregion_free(sim);
}

static void fault__befalls__so_many_calls_of_one_operation(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	fault(sim,
	      "{\"operation\":\"ListTrainingJobs\",\"count\":2,\"code\":\"ThrottlingException\"}");
	assert_int_equal(simregion_call(sim, "ListProcessingJobs", "{}"), 200);
	simregion_refuses(sim, "ListTrainingJobs", "{}", "ThrottlingException", "Rate exceeded");
	simregion_refuses(sim, "ListTrainingJobs", "{}", "ThrottlingException", "Rate exceeded");
	assert_int_equal(simregion_call(sim, "ListTrainingJobs", "{}"), 200);
	fault(sim, "{\"count\":9,\"delay_ms\":70,\"stall_ms\":80,\"cut\":3,\"body\":\"no json\"}");
	assert_int_equal(simregion_call(sim, "ListTrainingJobs", "{}"), 200);
	assert_string_equal(simregion_body(sim), "no json");
	assert_int_equal(sim->answer.delay_ms, 70);
	assert_int_equal(sim->answer.stall_ms, 80);
	assert_true(sim->answer.has_cut);
	assert_int_equal(sim->answer.cut, 3);
	fault(sim, "{\"count\":0}");
	assert_int_equal(simregion_call(sim, "ListTrainingJobs", "{}"), 200);
	assert_int_equal(sim->answer.delay_ms, 0);
	fault(sim, "{\"operation\":\"ListTrainingJobs\",\"empty_page\":true}");
	assert_int_equal(simregion_call(sim, "ListTrainingJobs", "{}"), 200);
	assert_non_null(
		strstr(simregion_body(sim), "{\"TrainingJobSummaries\":[],\"NextToken\":\""));
	simregion_free(sim);
}

static void fault__by_percent__is_drawn_from_its_seed(void **state)
{
	char first[101] = "", second[101] = "";
	(void)state;
	for (int round = 0; round < 2; round++) {
		struct simregion *sim = simregion_new(NULL);
		char *marks = round == 0 ? first : second;
		fault(sim, "{\"percent\":30,\"seed\":5,\"status\":500}");
		for (int i = 0; i < 100; i++)
			marks[i] = simregion_call(sim, "ListTrainingJobs", "{}") == 500 ? 'x' : '.';
		simregion_free(sim);
	}
	assert_string_equal(first, second);
	size_t struck = 0;
	for (const char *c = first; *c; c++)
		struck += *c == 'x';
	assert_in_range(struck, 15, 45); /* 30 ± 3.3 standard deviations */
}

static const struct {
	const char *path, *body;
	int status;
	const char *text;
} controls[] = {
	{ "/_sim/nothing", "{}", 404, "no such endpoint" },
	{ "/_sim/advance", NULL, 405, "wants POST" },
	{ "/_sim/state", "{}", 405, "wants GET" },
	{ "/_sim/advance", "{}", 400, "seconds is missing" },
	{ "/_sim/advance", "", 400, "line 1" },
	{ "/_sim/advance", "[]", 400, "not a JSON object" },
	{ "/_sim/advance", "{\"seconds\":-1}", 400, "from 0 to 7776000" },
	{ "/_sim/advance", "{\"seconds\":1e99}", 400, "from 0 to 7776000" },
	{ "/_sim/advance", "{\"seconds\":\"1\"}", 400, "from 0 to 7776000" },
	{ "/_sim/capacity", "{\"instance_type\":\"ml.p9\",\"free\":1}", 400, "no instance type" },
	{ "/_sim/capacity", "{\"instance_type\":\"ml.p5.48xlarge\"}", 400, "free is missing" },
	{ "/_sim/quota", "{\"instance_type\":\"ml.p5.48xlarge\",\"kind\":\"x\",\"value\":1}", 400,
	  "kind must be" },
	{ "/_sim/fault", "{\"operation\":\"Nothing\"}", 400, "no operation is named Nothing" },
	{ "/_sim/lag", "{\"seconds\":60}", 200, "now" },
};

static void control__says__what_it_cannot_do(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(controls); i++) {
		int status = simregion_control(sim, controls[i].path, controls[i].body);
		if (status != controls[i].status || !strstr(simregion_body(sim), controls[i].text))
			fail_msg("%s %s: %d %s", controls[i].path,
				 controls[i].body ? controls[i].body : "GET", status,
				 simregion_body(sim));
	}
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(auth__accepts__a_call_signed_elsewhere),
		cmocka_unit_test(auth__refuses__whatever_was_changed),
		cmocka_unit_test(auth__names__what_is_wrong),
		cmocka_unit_test(auth__accepts_times__within_its_bounds),
		cmocka_unit_test(region__wants_a_signature__unless_told_otherwise),
		cmocka_unit_test(rate__allows_two_starts__in_any_second),
		cmocka_unit_test(clock__runs_at_its_speed__and_advances),
		cmocka_unit_test(operation__is_found__by_its_target),
		cmocka_unit_test(stop__answers_nothing__and_refuses_what_is_over),
		cmocka_unit_test(fault__strikes__before_or_after_the_effect),
		cmocka_unit_test(fault__befalls__so_many_calls_of_one_operation),
		cmocka_unit_test(fault__by_percent__is_drawn_from_its_seed),
		cmocka_unit_test(control__says__what_it_cannot_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
