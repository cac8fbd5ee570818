/* Service Quotas of the region: limits by code, raises, and what they do to requests. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/quotas.h"
#include "model/base/attr.h"
#include "tests/shared.h"
#include "tests/simworld.h"

#define QUOTAS  "ServiceQuotasV20190624."
#define P5_CODE "L-82E1C851" /* ml.p5.48xlarge for training job usage */
#define M5_CODE "L-CCE2AFA6" /* ml.m5.xlarge for training job usage */

static int ask(struct simregion *sim, const char *operation, const char *code)
{
	char body[128];
	snprintf(body, sizeof(body), "{\"ServiceCode\":\"sagemaker\",\"QuotaCode\":\"%s\"}", code);
	return simregion_call(sim, operation, body);
}

static void has(const struct simregion *sim, const char *text)
{
	if (!strstr(simregion_body(sim), text))
		fail_msg("no %s in %s", text, simregion_body(sim));
}

static void set(struct simregion *sim, const char *body)
{
	if (simregion_control(sim, "/_sim/quota", body) != 200)
		fail_msg("%s: %s", body, simregion_body(sim));
}

static void codes__are_those_of_the_published_list(void **state)
{
	FILE *file = shared_open("data/quotas.tsv");
	char line[1024];
	const char *fields[8];
	size_t seen = 0;
	(void)state;
	if (!file)
		return;
	while (shared_row(file, line, sizeof(line), fields, ARRAY_LEN(fields)) > 0) {
		for (size_t i = 0; i < sim_quota_code_count; i++) {
			const struct sim_quota_code *row = &sim_quota_codes[i];
			if (strcmp(row->code, fields[3]) != 0)
				continue;
			assert_string_equal(row->instance_type, fields[1]);
			assert_string_equal(sim_quota_usage(row->kind), fields[2]);
			seen++;
		}
	}
	fclose(file);
	assert_int_equal(seen, sim_quota_code_count);
}

static void get__tells_the_value_of_the_account__under_the_code(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	assert_int_equal(ask(sim, QUOTAS "GetServiceQuota", P5_CODE), 200);
	has(sim, "{\"Quota\":{\"ServiceCode\":\"sagemaker\",");
	has(sim, "\"QuotaArn\":\"arn:aws:servicequotas:us-east-1:111122223333:"
		 "sagemaker/" P5_CODE "\"");
	has(sim, "\"QuotaName\":\"ml.p5.48xlarge for training job usage\"");
	has(sim, "\"Value\":16.0,\"Adjustable\":true");
	set(sim, "{\"instance_type\":\"ml.p5.48xlarge\",\"value\":3}");
	assert_int_equal(ask(sim, QUOTAS "GetServiceQuota", P5_CODE), 200);
	has(sim, "\"Value\":3.0");
	assert_int_equal(ask(sim, QUOTAS "GetAWSDefaultServiceQuota", P5_CODE), 200);
	has(sim, "\"Value\":16.0");
	has(sim, "\"QuotaArn\":\"arn:aws:servicequotas:us-east-1::sagemaker/");
	simregion_free(sim);
}

/* interface.md: 0, 1 and 2 for these, 16 for all others. */
static void get__tells_the_promised_limits(void **state)
{
	static const struct {
		const char *code, *value;
	} rows[] = {
		{ "L-D438008E", "\"Value\":0.0" }, /* ml.p3.2xlarge */
		{ "L-B6D80D9C", "\"Value\":1.0" }, /* ml.g5.xlarge */
		{ "L-1E48384D", "\"Value\":2.0" }, /* ml.p5en.48xlarge */
		{ P5_CODE, "\"Value\":16.0" },
	};
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(ask(sim, QUOTAS "GetServiceQuota", rows[i].code), 200);
		has(sim, rows[i].value);
	}
	simregion_free(sim);
}

/* The default holds where the account has no value of its own; then that is what Create goes by. */
static void get__knows_no_value__where_the_default_holds(void **state)
{
	static const char body[] = "{\"ServiceCode\":\"sagemaker\",\"QuotaCode\":\"" M5_CODE "\"}";
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	simregion_refuses(sim, QUOTAS "GetServiceQuota", body, "NoSuchResourceException",
			  "no applied");
	assert_int_equal(ask(sim, QUOTAS "GetAWSDefaultServiceQuota", M5_CODE), 200);
	has(sim, "\"Value\":16.0");
	set(sim, "{\"instance_type\":\"ml.m5.xlarge\",\"value\":3}");
	assert_int_equal(ask(sim, QUOTAS "GetServiceQuota", M5_CODE), 200);
	has(sim, "\"Value\":3.0");
	set(sim, "{\"instance_type\":\"ml.m5.xlarge\",\"value\":null}");
	simregion_refuses(sim, QUOTAS "GetServiceQuota", body, "NoSuchResourceException",
			  "no applied");
	simregion_free(sim);
}

static void get__refuses__what_it_does_not_know(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	simregion_refuses(sim, QUOTAS "GetServiceQuota",
			  "{\"ServiceCode\":\"ec2\",\"QuotaCode\":\"" P5_CODE "\"}",
			  "NoSuchResourceException", "does not exist");
	simregion_refuses(sim, QUOTAS "GetAWSDefaultServiceQuota",
			  "{\"ServiceCode\":\"sagemaker\",\"QuotaCode\":\"L-00000000\"}",
			  "NoSuchResourceException", "does not exist");
	simregion_refuses(sim, QUOTAS "GetServiceQuota", "{\"ServiceCode\":\"sagemaker\"}",
			  "ValidationException", "Value null at 'quotaCode'");
	simregion_refuses(sim, QUOTAS "GetServiceQuota",
			  "{\"ServiceCode\":\"sagemaker\",\"QuotaCode\":\"7\"}",
			  "ValidationException", "[a-zA-Z][a-zA-Z0-9-]{1,128}");
	simregion_refuses(sim, QUOTAS "ListServiceQuotas", "{\"ServiceCode\":\"sagemaker\"}",
			  "UnknownOperationException", "does not know");
	simregion_free(sim);
}

#define RAISE(value) \
	"{\"ServiceCode\":\"sagemaker\",\"QuotaCode\":\"" P5_CODE "\",\"DesiredValue\":" value

static void raise__is_open__until_it_is_granted(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	assert_int_equal(simregion_call(sim, QUOTAS "RequestServiceQuotaIncrease",
					RAISE("24") ",\"SupportCaseAllowed\":false}"),
			 200);
	has(sim, "{\"RequestedQuota\":{\"Id\":\"");
	has(sim, "\"DesiredValue\":24.0,\"Status\":\"PENDING\"");
	assert_int_equal(simregion_control(sim, "/_sim/state", NULL), 200);
	has(sim, "\"raises\":[{\"instance_type\":\"ml.p5.48xlarge\",\"kind\":\"training\","
		 "\"code\":\"" P5_CODE "\",\"desired\":24.0,\"support_case\":false}]");
	simregion_refuses(sim, QUOTAS "RequestServiceQuotaIncrease", RAISE("32") "}",
			  "ResourceAlreadyExistsException", "Only one open");
	set(sim, "{\"instance_type\":\"ml.p5.48xlarge\",\"value\":20}");
	simregion_refuses(sim, QUOTAS "RequestServiceQuotaIncrease", RAISE("32") "}",
			  "ResourceAlreadyExistsException", "Only one open");
	set(sim, "{\"instance_type\":\"ml.p5.48xlarge\",\"value\":24}");
	/* The service's own default allows a support case. */
	assert_int_equal(simregion_call(sim, QUOTAS "RequestServiceQuotaIncrease", RAISE("32") "}"),
			 200);
	assert_int_equal(simregion_control(sim, "/_sim/state", NULL), 200);
	has(sim, "\"desired\":32.0,\"support_case\":true}]");
	simregion_free(sim);
}

static void raise__is_refused__where_it_raises_nothing(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	simregion_refuses(sim, QUOTAS "RequestServiceQuotaIncrease", RAISE("16") "}",
			  "IllegalArgumentException", "greater than the current value, 16");
	simregion_refuses(sim, QUOTAS "RequestServiceQuotaIncrease", RAISE("-1") "}",
			  "ValidationException", "greater than or equal to 0");
	simregion_refuses(sim, QUOTAS "RequestServiceQuotaIncrease", RAISE("1e11") "}",
			  "ValidationException", "less than or equal to 10000000000");
	simregion_refuses(sim, QUOTAS "RequestServiceQuotaIncrease", RAISE("\"24\"") "}",
			  "SerializationException", "Double");
	simregion_free(sim);
}

static void raise__has_no_end__of_requests(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	char body[160];
	int refused = 0;
	(void)state;
	for (size_t i = 0; i < SIM_RAISES_MAX + 2; i++) {
		snprintf(body, sizeof(body),
			 "{\"ServiceCode\":\"sagemaker\",\"QuotaCode\":\"%s\",\"DesiredValue\":99}",
			 sim_quota_codes[i].code);
		refused += simregion_call(sim, QUOTAS "RequestServiceQuotaIncrease", body) != 200;
	}
	has(sim, "QuotaExceededException");
	assert_int_equal(refused, 2);
	simregion_free(sim);
}

/* Case 082: with a quota of 0 for warm pools nothing is kept, and the job is as good as any. */
static void warm_pool__is_not_kept__without_a_quota_for_it(void **state)
{
	struct sim_world world;
	(void)state;
	simworld_init(&world, 1);
	int pool = sim_pool_find(&world, "ml.g5.4xlarge");
	for (int round = 0; round < 2; round++) {
		struct sim_order order =
			simworld_order(&world, round ? "warm" : "cold", "ml.g5.4xlarge:2");
		world.pools[pool].quota[SIM_QUOTA_WARM_POOL] = round ? 2 : 1;
		simworld_set_free(&world, "ml.g5.4xlarge", 2);
		order.keep_alive_ms = 3600 * 1000;
		order.run_ms = 60 * 1000;
		struct sim_job *job = sim_submit(&world, &order, NULL, 0);
		/* One run in eight fails by lot, and is not kept either. */
		job->luck = 3;
		simworld_advance(&world, 600);
		assert_string_equal(sim_status_word(job->status), "Completed");
		assert_int_equal(job->warm_from.set, round);
		assert_int_equal(world.pools[pool].used[SIM_QUOTA_WARM_POOL], 2 * round);
		assert_int_equal(world.pools[pool].used[SIM_QUOTA_TRAINING], 2 * round);
	}
	simworld_advance(&world, 3600);
	assert_int_equal(world.pools[pool].used[SIM_QUOTA_WARM_POOL], 0);
	assert_int_equal(world.pools[pool].used[SIM_QUOTA_TRAINING], 0);
	sim_world_release(&world);
}

static void control__refuses__kinds_and_values_that_are_none(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	assert_int_equal(simregion_control(sim, "/_sim/quota",
					   "{\"instance_type\":\"ml.g5.xlarge\",\"kind\":"
					   "\"warm-pool\",\"value\":4}"),
			 200);
	assert_int_equal(simregion_control(sim, "/_sim/quota",
					   "{\"instance_type\":\"ml.g5.xlarge\",\"kind\":"
					   "\"endpoint\",\"value\":4}"),
			 400);
	has(sim, "kind must be training, processing, spot or warm-pool");
	assert_int_equal(simregion_control(sim, "/_sim/quota",
					   "{\"instance_type\":\"ml.g5.xlarge\"}"),
			 400);
	assert_int_equal(simregion_control(sim, "/_sim/quota",
					   "{\"instance_type\":\"ml.g5.xlarge\",\"value\":-1}"),
			 400);
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes__are_those_of_the_published_list),
		cmocka_unit_test(get__tells_the_value_of_the_account__under_the_code),
		cmocka_unit_test(get__tells_the_promised_limits),
		cmocka_unit_test(get__knows_no_value__where_the_default_holds),
		cmocka_unit_test(get__refuses__what_it_does_not_know),
		cmocka_unit_test(raise__is_open__until_it_is_granted),
		cmocka_unit_test(raise__is_refused__where_it_raises_nothing),
		cmocka_unit_test(raise__has_no_end__of_requests),
		cmocka_unit_test(warm_pool__is_not_kept__without_a_quota_for_it),
		cmocka_unit_test(control__refuses__kinds_and_values_that_are_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
