/* What changes a job's record: tags, its warm pool, deletion; and who holds a quota. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/simworld.h"

#define ARN(name) "arn:aws:sagemaker:us-east-1:111122223333:training-job/" name
#define WAITS                                                                            \
	"{\"VolumeSizeInGB\":9,\"InstanceCount\":2,\"InstanceType\":\"ml.p5.48xlarge\"," \
	"\"KeepAlivePeriodInSeconds\":600}"

static struct simregion *region_with(const char *name)
{
	struct simregion *sim = simregion_new(NULL);
	if (simregion_call(sim, "CreateTrainingJob", simregion_training(name, WAITS)) != 200)
		fail_msg("%s", simregion_body(sim));
	return sim;
}

static void ask(struct simregion *sim, const char *operation, const char *body)
{
	if (simregion_call(sim, operation, body) != 200)
		fail_msg("%s %s: %s", operation, body, simregion_body(sim));
}

static void has(const struct simregion *sim, const char *text)
{
	if (!strstr(simregion_body(sim), text))
		fail_msg("no %s in %s", text, simregion_body(sim));
}

static void tags__are_added_and_replaced__by_key(void **state)
{
	struct simregion *sim = region_with("a");
	(void)state;
	ask(sim, "ListTags", "{\"ResourceArn\":\"" ARN("a") "\"}");
	assert_string_equal(simregion_body(sim), "{\"Tags\":[]}");
	ask(sim, "AddTags",
	    "{\"ResourceArn\":\"" ARN("a") "\",\"Tags\":[{\"Key\":\"team\",\"Value\":\"one\"},"
					   "{\"Key\":\"cost\",\"Value\":\"\"}]}");
	ask(sim, "AddTags",
	    "{\"ResourceArn\":\"" ARN("a") "\",\"Tags\":[{\"Key\":\"team\",\"Value\":\"two\"}]}");
	ask(sim, "ListTags", "{\"ResourceArn\":\"" ARN("a") "\"}");
	assert_string_equal(simregion_body(sim), "{\"Tags\":[{\"Key\":\"cost\",\"Value\":\"\"},"
						 "{\"Key\":\"team\",\"Value\":\"two\"}]}");
	simregion_pass(sim, 4000);
	ask(sim, "Search", "{\"Resource\":\"TrainingJob\"}");
	has(sim, "{\"Key\":\"team\",\"Value\":\"two\"}");
	simregion_free(sim);
}

static void tags__refuse__keys_of_aws_and_too_many(void **state)
{
	struct simregion *sim = region_with("a");
	char body[4096];
	size_t used;
	(void)state;
	simregion_refuses(sim, "AddTags",
			  "{\"ResourceArn\":\"" ARN("a") "\",\"Tags\":[{\"Key\":\"aws:x\","
							 "\"Value\":\"y\"}]}",
			  "ValidationException", "aws: prefixed tag key names are not allowed");
	simregion_refuses(sim, "AddTags",
			  "{\"ResourceArn\":\"" ARN("a") "\",\"Tags\":[{\"Key\":\"x\","
							 "\"Value\":\"a,b\"}]}",
			  "ValidationException", "regular expression pattern");
	simregion_refuses(sim, "ListTags", "{\"ResourceArn\":\"" ARN("b") "\"}", "ResourceNotFound",
			  "");
	used = (size_t)snprintf(body, sizeof(body), "{\"ResourceArn\":\"%s\",\"Tags\":[", ARN("a"));
	for (int i = 0; i < 50; i++)
		used += (size_t)snprintf(body + used, sizeof(body) - used,
					 "%s{\"Key\":\"k%d\",\"Value\":\"v\"}", i ? "," : "", i);
	assert_true(snprintf(body + used, sizeof(body) - used, "]}") == 2);
	ask(sim, "AddTags", body);
	ask(sim, "AddTags", body); /* the same keys again are no more */
	simregion_refuses(sim, "AddTags",
			  "{\"ResourceArn\":\"" ARN("a") "\",\"Tags\":[{\"Key\":\"one-more\","
							 "\"Value\":\"v\"}]}",
			  "ValidationException", "50 tags");
	simregion_free(sim);
}

static void update__changes_the_warm_pool__and_nothing_of_an_ended_job(void **state)
{
	struct simregion *sim = region_with("a");
	(void)state;
	ask(sim, "UpdateTrainingJob",
	    "{\"TrainingJobName\":\"a\",\"ResourceConfig\":{\"KeepAlivePeriodInSeconds\":1200}}");
	assert_string_equal(simregion_body(sim), "{\"TrainingJobArn\":\"" ARN("a") "\"}");
	ask(sim, "DescribeTrainingJob", "{\"TrainingJobName\":\"a\"}");
	has(sim, "\"KeepAlivePeriodInSeconds\":1200");
	assert_null(strstr(simregion_body(sim), "\"KeepAlivePeriodInSeconds\":600"));
	ask(sim, "StopTrainingJob", "{\"TrainingJobName\":\"a\"}");
	simregion_pass(sim, 30 * 1000);
	simregion_refuses(sim, "UpdateTrainingJob",
			  "{\"TrainingJobName\":\"a\",\"ResourceConfig\":"
			  "{\"KeepAlivePeriodInSeconds\":60}}",
			  "ValidationException", "in status Stopped and cannot be updated");
	simregion_refuses(sim, "UpdateTrainingJob", "{\"TrainingJobName\":\"b\"}",
			  "ResourceNotFound", "");
	simregion_free(sim);
}

static void delete__takes_ended_jobs_alone__and_a_while(void **state)
{
	struct simregion *sim = region_with("a");
	(void)state;
	simregion_refuses(sim, "DeleteTrainingJob", "{\"TrainingJobName\":\"a\"}", "ResourceInUse",
			  "in status InProgress");
	ask(sim, "StopTrainingJob", "{\"TrainingJobName\":\"a\"}");
	simregion_pass(sim, 30 * 1000);
	ask(sim, "DeleteTrainingJob", "{\"TrainingJobName\":\"a\"}");
	ask(sim, "DescribeTrainingJob", "{\"TrainingJobName\":\"a\"}");
	has(sim, "\"TrainingJobStatus\":\"Deleting\"");
	simregion_refuses(sim, "DeleteTrainingJob", "{\"TrainingJobName\":\"a\"}", "ResourceInUse",
			  "in status Deleting");
	simregion_pass(sim, 8 * 1000);
	simregion_refuses(sim, "DescribeTrainingJob", "{\"TrainingJobName\":\"a\"}",
			  "ResourceNotFound", "");
	ask(sim, "ListTrainingJobs", "{}");
	assert_string_equal(simregion_body(sim), "{\"TrainingJobSummaries\":[]}");
	simregion_control(sim, "/_sim/state", NULL);
	has(sim, "\"jobs\":[]");
	/* The index still has it for a moment. */
	simregion_pass(sim, 4 * 1000);
	ask(sim, "Search", "{\"Resource\":\"TrainingJob\"}");
	has(sim, "\"Results\":[]");
	/* The name is free again. */
	if (simregion_call(sim, "CreateTrainingJob", simregion_training("a", WAITS)) != 200)
		fail_msg("%s", simregion_body(sim));
	ask(sim, "DescribeTrainingJob", "{\"TrainingJobName\":\"a\"}");
	has(sim, "\"TrainingJobStatus\":\"InProgress\"");
	simregion_free(sim);
}

static void quota__names_its_holders__until_the_end_state(void **state)
{
	struct simregion *sim = region_with("holder");
	(void)state;
	simregion_control(sim, "/_sim/state", NULL);
	has(sim, "\"quotas\":[]"); /* waiting holds nothing */
	simregion_control(sim, "/_sim/capacity",
			  "{\"instance_type\":\"ml.p5.48xlarge\",\"free\":2}");
	ask(sim, "StopTrainingJob", "{\"TrainingJobName\":\"holder\"}");
	simregion_pass(sim, 59 * 1000);
	simregion_control(sim, "/_sim/state", NULL);
	has(sim, "\"quotas\":[{\"instance_type\":\"ml.p5.48xlarge\",\"kind\":\"training\","
		 "\"limit\":16,\"used\":2,\"holders\":[\"holder\"]}]");
	has(sim, "\"status\":\"Stopping\"");
	simregion_pass(sim, 122 * 1000);
	simregion_control(sim, "/_sim/state", NULL);
	has(sim, "\"quotas\":[]");
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags__are_added_and_replaced__by_key),
		cmocka_unit_test(tags__refuse__keys_of_aws_and_too_many),
		cmocka_unit_test(update__changes_the_warm_pool__and_nothing_of_an_ended_job),
		cmocka_unit_test(delete__takes_ended_jobs_alone__and_a_while),
		cmocka_unit_test(quota__names_its_holders__until_the_end_state),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
