#include "tests/rulerows.h"

#include "model/base/attr.h"
#include "model/quota.h"
#include "tests/prices.h"

#define PLAN  "arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan"
#define ROLE  "\"RoleArn\":\"arn:aws:iam::111122223333:role/R\","
#define NAME  "\"TrainingJobName\":\"llm-ft-0930\","
#define IMAGE "111122223333.dkr.ecr.us-east-1.amazonaws.com/my-image:1"
#define ALGORITHM(image)                                         \
	"\"AlgorithmSpecification\":{\"TrainingImage\":\"" image \
	"\",\"TrainingInputMode\":\"File\"},"
#define OUTPUT    "\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/p\"},"
#define STOP(s)   "\"StoppingCondition\":{" s "},"
#define RUN       STOP("\"MaxRuntimeInSeconds\":3600")
#define CONFIG(c) "\"ResourceConfig\":{" c "}"
#define AROUND    NAME ROLE ALGORITHM(IMAGE) OUTPUT

/* A training request with this ResourceConfig; WITH: and with this behind it. */
#define TRAIN(c)      "{" AROUND RUN CONFIG(c) "}"
#define WITH(c, rest) "{" AROUND RUN CONFIG(c) "," rest "}"
/* ... in this image. */
#define RUNS(image, c)                 \
	"{" NAME ROLE ALGORITHM(image) \
	OUTPUT RUN CONFIG(c) "}"
/* ... under these conditions. */
#define WHEN(s, c, rest) "{" AROUND STOP(s) CONFIG(c) rest "}"

/* A channel beside one that names its groups. */
#define CHANNEL(name, rest)                                                               \
	"{\"ChannelName\":\"" name "\",\"DataSource\":{\"S3DataSource\":{\"S3DataType\":" \
	"\"S3Prefix\",\"S3Uri\":\"s3://b/i\"" rest "}}}"
#define IN_GROUP       ",\"InstanceGroupNames\":[\"g\"]"
#define INPUT(channel) "\"InputDataConfig\":[" CHANNEL("processing", IN_GROUP) "," channel "]"

#define PROCESS(c)                                                                                 \
	"{\"ProcessingJobName\":\"eval-0930\"," ROLE "\"AppSpecification\":{\"ImageUri\":\"" IMAGE \
	"\"},\"ProcessingResources\":{"                                                            \
	"\"ClusterConfig\":{\"VolumeSizeInGB\":30," c "}},\"StoppingCondition\":{"                 \
	"\"MaxRuntimeInSeconds\":3600}}"

#define ONE(type, count) \
	"\"VolumeSizeInGB\":30,\"InstanceType\":\"" type "\",\"InstanceCount\":" count
/* A list with one count for all, and its entries. */
#define LIST(count, entries) \
	"\"VolumeSizeInGB\":30,\"InstanceCount\":" count ",\"InstancePreferences\":[" entries "]"
#define EACH(entries)  "\"VolumeSizeInGB\":30,\"InstancePreferences\":[" entries "]"
#define E(type)        "{\"InstanceType\":\"" type "\"}"
#define N(type, count) "{\"InstanceType\":\"" type "\",\"InstanceCount\":" count "}"
#define P(type, arns)  "{\"InstanceType\":\"" type "\",\"TrainingPlanArns\":[" arns "]}"
#define TWO            E("ml.p5.48xlarge") "," E("ml.p5e.48xlarge")
#define GROUP(type, n, count)                                                                     \
	"{\"InstanceGroupName\":\"" n "\",\"InstanceType\":\"" type "\",\"InstanceCount\":" count \
	"}"

/* --- what is known, by row --- */

#define READ_AT_MS INT64_C(1796133731000) /* 2026-12-01T14:02:11Z */

static const struct quota_fact quotas[] = {
	{ .instance_type = "ml.p5.48xlarge",
	  .kind = QUOTA_TRAINING,
	  .code = "L-45F58E7E",
	  .told = true,
	  .limit = 16,
	  .read_at_ms = READ_AT_MS,
	  .used = 12 },
	{ .instance_type = "ml.p5e.48xlarge",
	  .kind = QUOTA_TRAINING,
	  .told = true,
	  .limit = 3,
	  .read_at_ms = READ_AT_MS },
	{ .instance_type = "ml.p4d.24xlarge",
	  .kind = QUOTA_TRAINING,
	  .told = true,
	  .limit = 0,
	  .read_at_ms = READ_AT_MS },
	{ .instance_type = "ml.g5.2xlarge",
	  .kind = QUOTA_TRAINING,
	  .told = true,
	  .limit = 8,
	  .read_at_ms = READ_AT_MS },
	{ .instance_type = "ml.g5.2xlarge",
	  .kind = QUOTA_SPOT,
	  .told = true,
	  .limit = 1,
	  .read_at_ms = READ_AT_MS },
	{ .instance_type = "ml.g5.2xlarge",
	  .kind = QUOTA_PROCESSING,
	  .told = true,
	  .limit = 1,
	  .read_at_ms = READ_AT_MS },
	{ .instance_type = "ml.g5.2xlarge",
	  .kind = QUOTA_WARM_POOL,
	  .told = true,
	  .limit = 0,
	  .read_at_ms = READ_AT_MS },
};

static const struct plan_fact plans[] = {
	{ .arn = PLAN,
	  .instance_type = "ml.p5.48xlarge",
	  .told = true,
	  .state = PLAN_ACTIVE,
	  .total = { true, 4 },
	  .available = { true, 4 } },
	{ .arn = PLAN "-old",
	  .instance_type = "ml.p5.48xlarge",
	  .told = true,
	  .state = PLAN_EXPIRED },
};

static const struct check_certified certified[] = {
	{ .name = "llm",
	  .stems = "llm-ft, other",
	  .instance_type = "ml.p5.48xlarge",
	  .has_count = true,
	  .count = 2 },
	{ .name = "llm2", .stems = "llm-ft", .instance_type = "ml.p5e.48xlarge" },
};

static const struct check_known nothing = { 0 };
static const struct check_known with_quotas = { .quotas = quotas,
						.quota_count = ARRAY_LEN(quotas) };
static const struct check_known with_plans = { .plans = plans, .plan_count = ARRAY_LEN(plans) };
static const struct check_known name_is_taken = { .name = NAME_TAKEN };
static const struct check_known in_virginia = { .region = "us-east-1", .prices = &virginia };
static const struct check_known with_certified = { .certified = certified, .certified_count = 2 };
/* p5.48xlarge is 63.296 USD an hour in the table of prices, p4d.24xlarge 25.251. */
static const struct check_known per_hour_60 = { .region = "us-east-1",
						.prices = &virginia,
						.max_per_hour = { true, 60000000 } };
static const struct check_known worst_60 = { .region = "us-east-1",
					     .prices = &virginia,
					     .max_worst_case = { true, 60000000 } };

const struct rule_row rule_rows[] = {
	/* errors */
	{ "not-json", "020", "{\"TrainingJobName\":\"a\" # name\n}", "{\"TrainingJobName\":\"a\"}",
	  &nothing, FIX_NONE },
	{ "not-a-request", "027", "{\"StartAt\":\"Train\",\"States\":{}}",
	  "{\"TrainingJobName\":\"a\"}", &nothing, FIX_NONE },
	{ "list-length", "031",
	  TRAIN(LIST("1", TWO "," E("ml.p5en.48xlarge") "," E("ml.p4d.24xlarge") "," E(
				  "ml.p4de.24xlarge") "," E("ml.g5.48xlarge"))),
	  TRAIN(LIST("1", TWO
		     "," E("ml.p5en.48xlarge") "," E("ml.p4d.24xlarge") "," E("ml.p4de.24xlarge"))),
	  &nothing, FIX_CUT_LIST },
	{ "list-length", "031", TRAIN(LIST("1", "")), NULL, &nothing, FIX_NONE },
	{ "duplicate-type", "031", TRAIN(LIST("1", TWO "," E("ml.p5.48xlarge"))),
	  TRAIN(LIST("1", TWO)), &nothing, FIX_REMOVE_ENTRY },
	{ "count-mixed", "031", TRAIN(LIST("2", N("ml.p5.48xlarge", "2") "," E("ml.p5e.48xlarge"))),
	  TRAIN(EACH(N("ml.p5.48xlarge", "2") "," N("ml.p5e.48xlarge", "2"))), &nothing,
	  FIX_SPREAD_COUNT },
	{ "count-mixed", "031", TRAIN(EACH(N("ml.p5.48xlarge", "2") "," E("ml.p5e.48xlarge"))),
	  NULL, &nothing, FIX_SPREAD_COUNT },
	{ "count-missing", "031", TRAIN(EACH(TWO)), TRAIN(LIST("2", TWO)), &nothing,
	  FIX_SHARE_COUNT },
	{ "exclusive-member", "031", TRAIN(LIST("1", TWO) ",\"InstanceType\":\"ml.p5.48xlarge\""),
	  TRAIN(LIST("1", TWO)), &nothing, FIX_DROP_MEMBER },
	{ "exclusive-member", "046",
	  TRAIN(ONE("ml.g5.2xlarge", "1") ",\"InstanceGroups\":[" GROUP("ml.g5.2xlarge", "a",
									"1") "]"),
	  TRAIN("\"VolumeSizeInGB\":30,\"InstanceGroups\":[" GROUP("ml.g5.2xlarge", "a", "1") "]"),
	  &nothing, FIX_DROP_MEMBER },
	{ "exclusive-member", "031",
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxWaitTimeInSeconds\":7200", LIST("1", TWO),
	       ",\"EnableManagedSpotTraining\":true,\"CheckpointConfig\":{\"S3Uri\":\"s3://b/c\"}"),
	  WITH(LIST("1", TWO), "\"EnableManagedSpotTraining\":false"), &nothing, FIX_DROP_SPOT },
	/* a processing job has no groups: AWS passes that member over */
	{ "exclusive-member", "031",
	  TRAIN(LIST("1", TWO) ",\"InstanceGroups\":[" GROUP("ml.g5.2xlarge", "a", "1") "]"),
	  PROCESS("\"InstanceCount\":1,\"InstancePreferences\":[" E(
		  "ml.g5.2xlarge") "],"
				   "\"InstanceGroups\":[" GROUP("ml.g5.2xlarge", "a", "1") "]"),
	  &nothing, FIX_DROP_MEMBER },
	{ "read-only-member", "008",
	  TRAIN(LIST("1", TWO) ",\"SelectedInstanceType\":\"ml.p5.48xlarge\""),
	  TRAIN(LIST("1", TWO)), &nothing, FIX_DROP_MEMBER },
	{ "plan-processing", "",
	  PROCESS("\"InstanceCount\":1,\"InstancePreferences\":[" P(
		  "ml.g5.2xlarge", "\"" PLAN "\"") "," E("ml.g5.4xlarge") "]"),
	  PROCESS("\"InstanceCount\":1,\"InstancePreferences\":[" E("ml.g5.2xlarge") "," E(
		  "ml.g5.4xlarge") "]"),
	  &nothing, FIX_DROP_PLAN },
	{ "plan-level-mixed", "031",
	  TRAIN(LIST("1", P("ml.p5.48xlarge", "\"" PLAN "\"") "," E(
				  "ml.p5e.48xlarge")) ",\"TrainingPlanArn\":\"" PLAN "\""),
	  TRAIN(LIST("1", TWO) ",\"TrainingPlanArn\":\"" PLAN "\""), &with_plans, FIX_DROP_PLAN },
	{ "plan-too-many", "031",
	  TRAIN(LIST("1",
		     P("ml.p5.48xlarge", "\"" PLAN "\",\"" PLAN "\"") "," E("ml.p5e.48xlarge"))),
	  TRAIN(LIST("1", P("ml.p5.48xlarge", "\"" PLAN "\"") "," E("ml.p5e.48xlarge"))),
	  &with_plans, FIX_DROP_PLAN },
	{ "plan-type-mismatch", "",
	  TRAIN(LIST("1", E("ml.p5.48xlarge") "," P("ml.p5e.48xlarge", "\"" PLAN "\""))),
	  TRAIN(LIST("1", P("ml.p5.48xlarge", "\"" PLAN "\"") "," E("ml.p5e.48xlarge"))),
	  &with_plans, FIX_DROP_PLAN },
	{ "plan-type-mismatch", "",
	  TRAIN(LIST("1", E("ml.p5en.48xlarge") "," E(
				  "ml.p5e.48xlarge")) ",\"TrainingPlanArn\":\"" PLAN "\""),
	  TRAIN(LIST("1", TWO) ",\"TrainingPlanArn\":\"" PLAN "\""), &with_plans, FIX_DROP_PLAN },
	{ "name-invalid", "029",
	  "{\"TrainingJobName\":\"a@b\"," ROLE ALGORITHM(IMAGE)
		  OUTPUT RUN CONFIG(LIST("1", TWO)) "}",
	  TRAIN(LIST("1", TWO)), &nothing, FIX_SET_NAME },
	{ "name-taken", "048", TRAIN(LIST("1", TWO)), NULL, &name_is_taken, FIX_SET_NAME },
	{ "required-member", "034", "{" NAME ROLE ALGORITHM(IMAGE) RUN CONFIG(LIST("1", TWO)) "}",
	  TRAIN(LIST("1", TWO)), &nothing, FIX_NONE },
	{ "required-member", "059", TRAIN(ONE("", "1")), TRAIN(ONE("ml.g5.2xlarge", "1")), &nothing,
	  FIX_NONE },
	{ "required-member", "058", TRAIN("\"InstanceType\":\"ml.g5.2xlarge\""),
	  TRAIN(ONE("ml.g5.2xlarge", "1")), &nothing, FIX_SET_MEMBER },
	{ "required-member", "058", TRAIN("\"InstanceCount\":1,\"InstancePlacementConfig\":{}"),
	  TRAIN(ONE("ml.g5.2xlarge", "1") ",\"InstancePlacementConfig\":{}"), &nothing, FIX_NONE },
	{ "required-member", "", WITH(LIST("1", TWO), "\"InputDataConfig\":[null]"),
	  WITH(LIST("1", TWO), "\"InputDataConfig\":null"), &nothing, FIX_NONE },
	{ "required-member", "047", WITH(LIST("1", TWO), INPUT(CHANNEL("code", ""))),
	  WITH(LIST("1", TWO), INPUT(CHANNEL("code", IN_GROUP))), &nothing, FIX_NONE },
	{ "count-range", "058", TRAIN("\"VolumeSizeInGB\":30,\"InstanceCount\":0"),
	  TRAIN(ONE("ml.g5.2xlarge", "1")), &nothing, FIX_SET_COUNT },
	{ "spot-wait-missing", "066",
	  WITH(ONE("ml.g5.2xlarge", "1"), "\"EnableManagedSpotTraining\":true"),
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxWaitTimeInSeconds\":3600",
	       ONE("ml.g5.2xlarge", "1"), ",\"EnableManagedSpotTraining\":true"),
	  &nothing, FIX_SET_MEMBER },
	{ "value-pattern", "034",
	  WITH(LIST("1", TWO), "\"CheckpointConfig\":{\"S3Uri\":\"s3:// b/c\"}"),
	  WITH(LIST("1", TWO), "\"CheckpointConfig\":{\"S3Uri\":\"s3://b/c\"}"), &nothing,
	  FIX_NONE },
	{ "value-pattern", "",
	  WITH(LIST("1", TWO),
	       INPUT(CHANNEL("code", IN_GROUP ",\"S3DataDistributionType\":\"all\""))),
	  WITH(LIST("1", TWO), INPUT(CHANNEL("code", IN_GROUP))), &nothing, FIX_NONE },
	{ "value-pattern", "",
	  WITH(LIST("1", TWO), "\"Tags\":[{\"Key\":\"aws:owner\",\"Value\":\"a\"}]"),
	  WITH(LIST("1", TWO), "\"Tags\":[{\"Key\":\"my:aws:owner\",\"Value\":\"a\"}]"), &nothing,
	  FIX_NONE },
	{ "value-range", "", WHEN("\"MaxRuntimeInSeconds\":2147483648", LIST("1", TWO), ""),
	  WHEN("\"MaxRuntimeInSeconds\":2147483647", LIST("1", TWO), ""), &nothing,
	  FIX_SET_MEMBER },
	{ "value-range", "", TRAIN(EACH(N("ml.p5.48xlarge", "1") "," N("ml.p5e.48xlarge", "0"))),
	  TRAIN(EACH(N("ml.p5.48xlarge", "1") "," N("ml.p5e.48xlarge", "1"))), &nothing,
	  FIX_SET_COUNT },
	{ "value-range", "", TRAIN(LIST("1", TWO) ",\"KeepAlivePeriodInSeconds\":100000"),
	  TRAIN(LIST("1", TWO) ",\"KeepAlivePeriodInSeconds\":3600"), &nothing, FIX_SET_MEMBER },
	{ "value-range", "066",
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxWaitTimeInSeconds\":600",
	       ONE("ml.g5.2xlarge", "1"), ",\"EnableManagedSpotTraining\":true"),
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxWaitTimeInSeconds\":3600",
	       ONE("ml.g5.2xlarge", "1"), ",\"EnableManagedSpotTraining\":true"),
	  &nothing, FIX_SET_MEMBER },
	{ "type-not-for-kind", "044",
	  PROCESS("\"InstanceCount\":1,\"InstancePreferences\":[" E("ml.p5.48xlarge") "," E(
		  "ml.g5.4xlarge") "," E("ml.g5.2xlarge") "]"),
	  PROCESS("\"InstanceCount\":1,\"InstancePreferences\":[" E("ml.p5.4xlarge") "," E(
		  "ml.g5.4xlarge") "," E("ml.g5.2xlarge") "]"),
	  &nothing, FIX_REMOVE_ENTRY },
	{ "type-not-for-kind", "022", TRAIN(ONE("ml.t2.large", "1")),
	  TRAIN(ONE("ml.t3.large", "1")), &nothing, FIX_NONE },
	{ "quota-short", "080", TRAIN(LIST("4", TWO)), TRAIN(LIST("3", TWO)), &with_quotas,
	  FIX_SET_COUNT },
	{ "quota-short", "037", TRAIN(LIST("1", TWO "," E("ml.p4d.24xlarge"))),
	  TRAIN(LIST("1", TWO)), &with_quotas, FIX_REMOVE_ENTRY },
	{ "quota-short", "037", TRAIN(ONE("ml.p4d.24xlarge", "1")),
	  TRAIN(ONE("ml.g5.2xlarge", "8")), &with_quotas, FIX_NONE },
	{ "quota-short", "083",
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxWaitTimeInSeconds\":3600",
	       ONE("ml.g5.2xlarge", "2"), ",\"EnableManagedSpotTraining\":true"),
	  TRAIN(ONE("ml.g5.2xlarge", "2")), &with_quotas, FIX_SET_COUNT },
	{ "quota-short", "083", PROCESS("\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":2"),
	  TRAIN(ONE("ml.g5.2xlarge", "2")), &with_quotas, FIX_SET_COUNT },
	/* warnings */
	{ "list-single", "", TRAIN(LIST("1", E("ml.p5.48xlarge"))), TRAIN(LIST("1", TWO)), &nothing,
	  FIX_KEEP_FIRST },
	{ "count-range", "", TRAIN(LIST("101", TWO)), TRAIN(LIST("100", TWO)), &nothing,
	  FIX_SET_COUNT },
	{ "count-range", "", TRAIN(LIST("0", TWO)), NULL, &nothing, FIX_SET_COUNT },
	/* The default of ml.m5.xlarge for spot is 4 (data/quotas.tsv). */
	{ "count-range", "083",
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxWaitTimeInSeconds\":3600",
	       ONE("ml.m5.xlarge", "5"), ",\"EnableManagedSpotTraining\":true"),
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxWaitTimeInSeconds\":3600",
	       ONE("ml.m5.xlarge", "4"), ",\"EnableManagedSpotTraining\":true"),
	  &nothing, FIX_SET_COUNT },
	{ "unknown-type", "034", TRAIN(LIST("1", TWO "," E("ml.p5.24xlarge"))),
	  TRAIN(LIST("1", TWO)), &nothing, FIX_SET_TYPE },
	{ "unknown-type", "034", TRAIN(LIST("1", TWO "," E("something-else"))), NULL, &nothing,
	  FIX_NONE },
	{ "type-not-in-region", "", TRAIN(LIST("1", E("ml.r5.large") "," E("ml.r6i.large"))),
	  TRAIN(LIST("1", E("ml.m5.large") "," E("ml.c5.4xlarge"))), &in_virginia,
	  FIX_REMOVE_ENTRY },
	{ "unknown-member", "034", WITH(LIST("1", TWO), "\"processing_list\":[]"),
	  TRAIN(LIST("1", TWO)), &nothing, FIX_DROP_MEMBER },
	{ "max-pending-range", "078",
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxPendingTimeInSeconds\":1800", LIST("1", TWO), ""),
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxPendingTimeInSeconds\":7200", LIST("1", TWO), ""),
	  &nothing, FIX_SET_MEMBER },
	{ "max-pending-range", "078",
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxPendingTimeInSeconds\":2419201", LIST("1", TWO),
	       ""),
	  NULL, &nothing, FIX_SET_MEMBER },
	{ "max-pending-no-effect", "",
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxPendingTimeInSeconds\":7200",
	       LIST("1", E("ml.m5.large") "," E("ml.c5.xlarge")), ""),
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxPendingTimeInSeconds\":7200",
	       LIST("1", E("ml.m5.large") "," E("ml.g5.xlarge")), ""),
	  &nothing, FIX_DROP_MEMBER },
	{ "max-pending-processing", "",
	  "{\"ProcessingJobName\":\"eval-0930\"," ROLE
	  "\"AppSpecification\":{\"ImageUri\":\"i\"},\"ProcessingResources\":{\"ClusterConfig\":"
	  "{" ONE("ml.g5.2xlarge", "1") "}},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600,"
					"\"MaxPendingTimeInSeconds\":7200}}",
	  PROCESS("\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":1"), &nothing,
	  FIX_DROP_MEMBER },
	/* 12 of 16 are in use. */
	{ "quota-tight", "072", TRAIN(ONE("ml.p5.48xlarge", "5")),
	  TRAIN(ONE("ml.p5.48xlarge", "4")), &with_quotas, FIX_SET_COUNT },
	{ "quota-tight", "082",
	  TRAIN(ONE("ml.g5.2xlarge", "1") ",\"KeepAlivePeriodInSeconds\":600"),
	  TRAIN(ONE("ml.g5.2xlarge", "1") ",\"KeepAlivePeriodInSeconds\":0"), &with_quotas,
	  FIX_DROP_MEMBER },
	{ "quota-unknown", "080", TRAIN(ONE("ml.g5.4xlarge", "1")),
	  TRAIN(ONE("ml.g5.2xlarge", "1")), &with_quotas, FIX_NONE },
	{ "plan-state", "068",
	  TRAIN(LIST("1", P("ml.p5.48xlarge", "\"" PLAN "-old\"") "," E("ml.p5e.48xlarge"))),
	  TRAIN(LIST("1", P("ml.p5.48xlarge", "\"" PLAN "\"") "," E("ml.p5e.48xlarge"))),
	  &with_plans, FIX_DROP_PLAN },
	{ "plan-state", "068",
	  TRAIN("\"VolumeSizeInGB\":30,\"InstanceGroups\":[" GROUP(
		  "ml.p5.48xlarge", "a", "1") "],\"TrainingPlanArn\":\"" PLAN "-old\""),
	  TRAIN("\"VolumeSizeInGB\":30,\"InstanceGroups\":[" GROUP(
		  "ml.p5.48xlarge", "a", "1") "],\"TrainingPlanArn\":\"" PLAN "\""),
	  &with_plans, FIX_DROP_PLAN },
	{ "plan-capacity", "",
	  TRAIN(LIST("5", P("ml.p5.48xlarge", "\"" PLAN "\"") "," E("ml.p5e.48xlarge"))),
	  TRAIN(LIST("4", P("ml.p5.48xlarge", "\"" PLAN "\"") "," E("ml.p5e.48xlarge"))),
	  &with_plans, FIX_DROP_PLAN },
	{ "gpu-memory-drop", "033", TRAIN(LIST("1", E("ml.g6e.8xlarge") "," E("ml.g6.8xlarge"))),
	  TRAIN(LIST("1", E("ml.g6.8xlarge") "," E("ml.g6e.8xlarge"))), &nothing,
	  FIX_REMOVE_ENTRY },
	{ "accelerator-change", "",
	  TRAIN(LIST("1", E("ml.p4d.24xlarge") "," E("ml.trn1.32xlarge"))),
	  TRAIN(LIST("1", E("ml.trn1.32xlarge") "," E("ml.trn2.48xlarge"))), &nothing,
	  FIX_REMOVE_ENTRY },
	{ "architecture-change", "033", TRAIN(LIST("1", E("ml.g6.8xlarge") "," E("ml.g5.8xlarge"))),
	  TRAIN(LIST("1", E("ml.g6.8xlarge") "," E("ml.g6e.8xlarge"))), &nothing,
	  FIX_REMOVE_ENTRY },
	{ "architecture-change", "", TRAIN(LIST("1", E("ml.m5.large") "," E("ml.m6g.large"))),
	  TRAIN(LIST("1", E("ml.m5.large") "," E("ml.m6i.large"))), &nothing, FIX_REMOVE_ENTRY },
	{ "efa-missing", "", TRAIN(LIST("2", E("ml.g6.8xlarge") "," E("ml.g6.4xlarge"))),
	  TRAIN(LIST("1", E("ml.g6.8xlarge") "," E("ml.g6.4xlarge"))), &nothing, FIX_REMOVE_ENTRY },
	{ "cpu-fallback", "034", TRAIN(LIST("1", E("ml.g5.4xlarge") "," E("ml.m5.12xlarge"))),
	  TRAIN(LIST("1", E("ml.m5.12xlarge") "," E("ml.g5.4xlarge"))), &nothing,
	  FIX_REMOVE_ENTRY },
	/* 4 of 1 GPU against 1 of 4: one instance of the second has as many as four of the first.
	 */
	{ "compute-change", "033", TRAIN(LIST("4", E("ml.g5.8xlarge") "," E("ml.g5.12xlarge"))),
	  TRAIN(EACH(N("ml.g5.8xlarge", "4") "," N("ml.g5.12xlarge", "1"))), &nothing,
	  FIX_SET_COUNT },
	{ "compute-change", "033", TRAIN(LIST("1", E("ml.g5.8xlarge") "," E("ml.g5.12xlarge"))),
	  NULL, &nothing, FIX_REMOVE_ENTRY },
	{ "kms-local-storage", "", TRAIN(LIST("1", TWO) ",\"VolumeKmsKeyId\":\"key\""),
	  TRAIN(LIST("1", E("ml.p3.2xlarge") "," E("ml.p3.8xlarge")) ",\"VolumeKmsKeyId\":\"key\""),
	  &nothing, FIX_DROP_MEMBER },
	/* Dropping the key would leave the volume of the other entry without it. */
	{ "kms-local-storage", "",
	  TRAIN(LIST("1", E("ml.p3.2xlarge") "," E("ml.g5.2xlarge")) ",\"VolumeKmsKeyId\":\"key\""),
	  TRAIN(LIST("1", TWO) ",\"VolumeKmsKeyId\":\"\""), &nothing, FIX_REMOVE_ENTRY },
	{ "volume-missing", "", TRAIN("\"InstanceType\":\"ml.p3.2xlarge\",\"InstanceCount\":1"),
	  TRAIN("\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":1"), &nothing,
	  FIX_SET_MEMBER },
	{ "volume-missing", "",
	  TRAIN("\"VolumeSizeInGB\":0,\"InstanceType\":\"ml.p3.2xlarge\",\"InstanceCount\":1"),
	  TRAIN(ONE("ml.p3.2xlarge", "1")), &nothing, FIX_SET_MEMBER },
	{ "local-storage-drop", "033", TRAIN(LIST("1", E("ml.g6.8xlarge") "," E("ml.g6.4xlarge"))),
	  TRAIN(LIST("1", E("ml.g6.4xlarge") "," E("ml.g6.8xlarge"))), &nothing, FIX_REMOVE_ENTRY },
	{ "image-mismatch", "026",
	  RUNS("1.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.1.0-gpu-py310",
	       ONE("ml.m5.large", "1")),
	  RUNS("1.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.1.0-cpu-py310",
	       ONE("ml.m5.large", "1")),
	  &nothing, FIX_NONE },
	{ "image-mismatch", "026",
	  RUNS("1.dkr.ecr.us-east-1.amazonaws.com/pytorch-training-neuronx:2.1.2",
	       LIST("1", E("ml.trn1.32xlarge") "," E("ml.p4d.24xlarge"))),
	  RUNS("1.dkr.ecr.us-east-1.amazonaws.com/pytorch-training-neuronx:2.1.2",
	       LIST("1", E("ml.trn1.32xlarge") "," E("ml.trn1n.32xlarge"))),
	  &nothing, FIX_REMOVE_ENTRY },
	{ "image-mismatch", "026", RUNS("host.gpu/train-arm64:1", ONE("ml.m5.large", "1")),
	  RUNS("host.gpu/train-arm64:1", ONE("ml.m6g.large", "1")), &nothing, FIX_NONE },
	{ "builtin-algorithm", "",
	  RUNS("382416733822.dkr.ecr.us-east-1.amazonaws.com/kmeans:1", LIST("1", TWO)),
	  RUNS("111122223333.dkr.ecr.us-east-1.amazonaws.com/kmeans:1", LIST("1", TWO)), &nothing,
	  FIX_KEEP_FIRST },
	{ "builtin-algorithm", "",
	  "{" NAME ROLE "\"AlgorithmSpecification\":{\"AlgorithmName\":\"mine\","
	  "\"TrainingInputMode\":\"File\"}," OUTPUT RUN CONFIG(LIST("1", TWO)) "}",
	  RUNS("382416733822.dkr.ecr.us-east-1.amazonaws.com/kmeans:1", ONE("ml.m5.large", "1")),
	  &nothing, FIX_KEEP_FIRST },
	{ "recipe-list", "036",
	  WITH(LIST("1", TWO), "\"HyperParameters\":{\"sagemaker_recipe_local_path\":\"r.yaml\"}"),
	  WITH(ONE("ml.p5.48xlarge", "1"),
	       "\"HyperParameters\":{\"sagemaker_recipe_local_path\":\"r.yaml\"}"),
	  &nothing, FIX_KEEP_FIRST },
	{ "recipe-list", "036",
	  WITH(LIST("1", TWO),
	       "\"HyperParameters\":{\"config-path\":\".\",\"config-name\":\"r.yaml\"}"),
	  WITH(LIST("1", TWO), "\"HyperParameters\":{\"config-name\":\"r.yaml\"}"), &nothing,
	  FIX_KEEP_FIRST },
	{ "spot-no-checkpoint", "066",
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxWaitTimeInSeconds\":3600",
	       ONE("ml.g5.2xlarge", "1"), ",\"EnableManagedSpotTraining\":true"),
	  WHEN("\"MaxRuntimeInSeconds\":3600,\"MaxWaitTimeInSeconds\":3600",
	       ONE("ml.g5.2xlarge", "1"),
	       ",\"EnableManagedSpotTraining\":true,\"CheckpointConfig\":{\"S3Uri\":\"s3://b/c\"}"),
	  &nothing, FIX_NONE },
	{ "placeholder", "022", WITH(LIST("1", TWO), "\"Environment\":{\"BUCKET\":\"\"}"),
	  WITH(LIST("1", TWO), "\"Environment\":{\"BUCKET\":\"b\"}"), &nothing, FIX_NONE },
	{ "placeholder", "020", WITH(LIST("1", TWO), "\"Environment\":{\"BUCKET\":\"a-<bucket>\"}"),
	  WITH(LIST("1", TWO), "\"Environment\":{\"RE\":\"(?P<loss>[0-9]+) < 3 > 2\"}"), &nothing,
	  FIX_NONE },
	{ "placeholder", "020", WITH(LIST("1", TWO), "\"Environment\":{\"B\":\"YOUR_BUCKET\"}"),
	  WITH(LIST("1", TWO), "\"Environment\":{\"YOUR_BUCKET\":\"b\"}"), &nothing, FIX_NONE },
	{ "placeholder", "020", WITH(LIST("1", TWO), "\"Environment\":{\"B\":\"${BUCKET}\"}"),
	  WITH(LIST("1", TWO), "\"Environment\":{\"B\":\"$BUCKET {}\"}"), &nothing, FIX_NONE },
	{ "cost-above", "067", TRAIN(LIST("1", E("ml.p4d.24xlarge") "," E("ml.p5.48xlarge"))),
	  TRAIN(LIST("2", E("ml.p4d.24xlarge") "," E("ml.g5.2xlarge"))), &per_hour_60,
	  FIX_REMOVE_ENTRY },
	{ "cost-above", "067", TRAIN(ONE("ml.p4d.24xlarge", "3")),
	  TRAIN(ONE("ml.p4d.24xlarge", "2")), &per_hour_60, FIX_SET_COUNT },
	/* 25.251 an hour: 2 h are below 60, 3 h above. */
	{ "cost-above", "033",
	  WHEN("\"MaxRuntimeInSeconds\":10800",
	       LIST("1", E("ml.g5.2xlarge") "," E("ml.p4d.24xlarge")), ""),
	  WHEN("\"MaxRuntimeInSeconds\":7200",
	       LIST("1", E("ml.g5.2xlarge") "," E("ml.p4d.24xlarge")), ""),
	  &worst_60, FIX_REMOVE_ENTRY },
	{ "not-certified", "", TRAIN(LIST("3", TWO)), TRAIN(LIST("2", TWO)), &with_certified,
	  FIX_REMOVE_ENTRY },
};
const size_t rule_row_count = ARRAY_LEN(rule_rows);
