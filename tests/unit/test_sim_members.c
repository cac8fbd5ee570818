/* What Create refuses between members other than the list's own: parts, spot, channels, tags,
 * blanks in names; and what it passes over because a kind has no such member. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/simworld.h"

#define PLAN "arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan"
#define ONE  "\"ResourceConfig\":{\"InstanceType\":\"ml.g6.xlarge\",\"InstanceCount\":1}"
#define RUN  "\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}"
#define ALGO "\"AlgorithmSpecification\":{\"TrainingInputMode\":\"File\"}"
#define OUT  "\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/out\"}"
#define CHANNEL(name, groups)                                                             \
	"{\"ChannelName\":\"" name "\",\"DataSource\":{\"S3DataSource\":{\"S3DataType\":" \
	"\"S3Prefix\",\"S3Uri\":\"s3://bucket/" name "\"" groups "}}}"
#define IN_GROUP ",\"InstanceGroupNames\":[\"g\"]"

struct row {
	const char *members, *text; /* text NULL: accepted */
};

static const struct row training[] = {
	{ ONE "," RUN "," ALGO "," OUT, NULL },
	{ RUN "," ALGO "," OUT, "Value null at 'resourceConfig' failed" },
	{ ONE "," RUN "," OUT, "Value null at 'algorithmSpecification' failed" },
	{ ONE "," ALGO "," OUT, "Value null at 'stoppingCondition' failed" },
	/* spot: the limit of the wait must be there, and long enough for the run */
	{ ONE "," ALGO "," OUT ",\"EnableManagedSpotTraining\":true," RUN,
	  "MaxWaitTimeInSeconds must be specified" },
	{ ONE "," ALGO "," OUT ",\"EnableManagedSpotTraining\":true,\"StoppingCondition\":"
	      "{\"MaxRuntimeInSeconds\":3600,\"MaxWaitTimeInSeconds\":3599}",
	  "MaxWaitTimeInSeconds must be greater than or equal to MaxRuntimeInSeconds" },
	{ ONE "," ALGO "," OUT ",\"EnableManagedSpotTraining\":true,\"StoppingCondition\":"
	      "{\"MaxRuntimeInSeconds\":3600,\"MaxWaitTimeInSeconds\":3600}",
	  NULL },
	/* the refusal of a job whose library added channels of its own */
	{ ONE "," RUN "," ALGO "," OUT
	      ",\"InputDataConfig\":[" CHANNEL("processing", IN_GROUP) "," CHANNEL(
		      "sm_drivers", "") "," CHANNEL("code", ",\"InstanceGroupNames\":[]") "]",
	  "Some channels have assigned instance groups: [processing] while others not: "
	  "[sm_drivers, code]" },
	{ ONE "," RUN "," ALGO "," OUT
	      ",\"InputDataConfig\":[" CHANNEL("train", IN_GROUP) "," CHANNEL("test", IN_GROUP) "]",
	  NULL },
	{ ONE "," RUN "," ALGO "," OUT ",\"InputDataConfig\":[" CHANNEL("train", "") "]", NULL },
	{ ONE "," RUN "," ALGO "," OUT ",\"Tags\":[{\"Key\":\"aws:who\",\"Value\":\"me\"}]",
	  "aws: prefixed tag key names are not allowed" },
	{ ONE "," RUN "," ALGO "," OUT ",\"Tags\":[{\"Key\":\"my:aws:who\",\"Value\":\"me\"}]",
	  NULL },
	{ ONE "," RUN "," ALGO ",\"OutputDataConfig\":{\"S3OutputPath\":\"s3://my bucket/out\"}",
	  "Value 's3://my bucket/out' at 'outputDataConfig.s3OutputPath' failed to satisfy "
	  "constraint: Member must satisfy regular expression pattern: "
	  "(https|s3)://([^/]+)/?(.*)" },
	{ ONE "," RUN "," ALGO ",\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/my out\"}",
	  NULL },
	/* UltraServers name their type all the same */
	{ RUN "," ALGO "," OUT ",\"ResourceConfig\":{\"InstancePlacementConfig\":{},"
	      "\"InstanceCount\":1}",
	  "InstanceType and InstanceCount greater than 0 must be specified" },
	/* a count of 0 in a group is a doubt; two groups of one type are no list */
	{ RUN "," ALGO "," OUT ",\"ResourceConfig\":{\"InstanceGroups\":["
	      "{\"InstanceType\":\"ml.g6.xlarge\",\"InstanceCount\":0,\"InstanceGroupName\":\"a\"},"
	      "{\"InstanceType\":\"ml.g6.xlarge\",\"InstanceCount\":2,\"InstanceGroupName\":\"b\"}"
	      "]}",
	  NULL },
	/* serverless needs no instances, but a list beside it must be a good one */
	{ OUT ",\"ServerlessJobConfig\":{\"BaseModelArn\":\"arn:aws:sagemaker:us-east-1:aws:"
	      "hub-content/SageMakerPublicHub/Model/llama/1.0.0\",\"JobType\":\"FineTuning\"},"
	      "\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceType\":\"ml.g6.xlarge\"}]}",
	  "InstanceCount must be specified either" },
	{ OUT ",\"ServerlessJobConfig\":{\"BaseModelArn\":\"arn:aws:sagemaker:us-east-1:aws:"
	      "hub-content/SageMakerPublicHub/Model/llama/1.0.0\",\"JobType\":\"FineTuning\"},"
	      "\"ResourceConfig\":{\"KeepAlivePeriodInSeconds\":60}",
	  NULL },
};

#define CLUSTER(rest)                                                                         \
	"\"ProcessingResources\":{\"ClusterConfig\":{\"VolumeSizeInGB\":5,\"InstanceCount\":" \
	"1" rest "}}"
#define TYPE ",\"InstanceType\":\"ml.g5.xlarge\""
#define LIST ",\"InstancePreferences\":[{\"InstanceType\":\"ml.g5.xlarge\"}]"
#define GROUPS                                                                         \
	",\"InstanceGroups\":[{\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":1," \
	"\"InstanceGroupName\":\"g\"}]"

static const struct row processing[] = {
	{ CLUSTER(TYPE), NULL },
	{ CLUSTER(LIST), NULL },
	{ CLUSTER(LIST TYPE), "InstanceType cannot be specified together" },
	{ CLUSTER(LIST ",\"SelectedInstanceCount\":1"), "SelectedInstanceCount is read-only" },
	/* a training plan, wherever it stands */
	{ CLUSTER(TYPE ",\"TrainingPlanArn\":\"" PLAN "\""),
	  "TrainingPlanArn cannot be specified" },
	{ CLUSTER(LIST ",\"TrainingPlanArn\":\"" PLAN "\""),
	  "TrainingPlanArn cannot be specified" },
	{ CLUSTER(TYPE ",\"TrainingPlanArn\":null"), NULL },
	{ CLUSTER(TYPE ",\"TrainingPlanArn\":\"\""), NULL },
	/* what only training jobs have is no member here, and passed over */
	{ CLUSTER(LIST GROUPS
		  ",\"InstancePlacementConfig\":{}") ",\"EnableManagedSpotTraining\":true",
	  NULL },
	{ CLUSTER(GROUPS), "InstanceType and InstanceCount greater than 0 must be specified" },
	{ CLUSTER(TYPE) ",\"StoppingCondition\":{\"MaxRuntimeInSeconds\":60,"
			"\"MaxPendingTimeInSeconds\":1}",
	  NULL },
	{ CLUSTER(TYPE) ",\"StoppingCondition\":{\"MaxRuntimeInSeconds\":777601}",
	  "'stoppingCondition.maxRuntimeInSeconds' failed" },
	{ CLUSTER(TYPE) ",\"Tags\":[{\"Key\":\"aws:who\",\"Value\":\"me\"}]",
	  "aws: prefixed tag key names are not allowed" },
	{ CLUSTER(",\"InstanceType\":\"ml.trn1.2xlarge\""), "Member must satisfy enum value set" },
};

static void answer(struct simregion *sim, bool is_training, const struct row *row, size_t number)
{
	char body[4096];
	int len = snprintf(body, sizeof(body),
			   "{\"%sJobName\":\"job-%zu\",\"RoleArn\":"
			   "\"arn:aws:iam::111122223333:role/jobs\"%s,%s}",
			   is_training ? "Training" : "Processing", number,
			   is_training ? "" : ",\"AppSpecification\":{\"ImageUri\":\"image\"}",
			   row->members);
	const char *operation = is_training ? "CreateTrainingJob" : "CreateProcessingJob";
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	if (row->text)
		simregion_refuses(sim, operation, body, "ValidationException", row->text);
	else if (simregion_call(sim, operation, body) != 200)
		fail_msg("%s: %s", body, simregion_body(sim));
}

static void training__is_refused__by_the_rule_between_its_members(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(training); i++)
		answer(sim, true, &training[i], i);
	simregion_free(sim);
}

static void processing__is_refused__by_what_its_shape_has(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	assert_int_equal(simregion_control(sim, "/_sim/quota",
					   "{\"instance_type\":\"ml.g5.xlarge\",\"kind\":"
					   "\"processing\",\"value\":99}"),
			 200);
	for (size_t i = 0; i < ARRAY_LEN(processing); i++)
		answer(sim, false, &processing[i], i);
	simregion_free(sim);
}

/* No instance is asked for: it is on them at once, and holds none. */
static void count__of_nought__starts_and_holds_nothing(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	const char *body =
		simregion_training("none",
				   "{\"InstanceType\":\"ml.p3.2xlarge\",\"InstanceCount\":0}");
	assert_int_equal(simregion_call(sim, "CreateTrainingJob", body), 200);
	simregion_pass(sim, 3600000);
	assert_int_equal(simregion_call(sim, "DescribeTrainingJob",
					"{\"TrainingJobName\":\"none\"}"),
			 200);
	assert_null(strstr(simregion_body(sim), "\"SecondaryStatus\":\"Starting\""));
	const struct sim_world *world = &sim->region.world;
	assert_int_equal(
		world->pools[sim_pool_find(world, "ml.p3.2xlarge")].used[SIM_QUOTA_TRAINING], 0);
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(training__is_refused__by_the_rule_between_its_members),
		cmocka_unit_test(processing__is_refused__by_what_its_shape_has),
		cmocka_unit_test(count__of_nought__starts_and_holds_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
