/*
 * gpuq submit, and requeue, ask AWS before they send anything: quotas with their use, plans, and
 * whether the name is taken. An error ends it, and what AWS does not tell is said and holds nothing
 * up. Cases: 082 (limit 0), 083 (each entry counts), 072 (what is used).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "tests/gpuq.h"

#define P4D "ml.p4d.24xlarge"
/* Without what stands between the name and the end of the cluster. */
#define REQUEST(name, cluster)                                                             \
	"{\"TrainingJobName\":\"" name "\",\"AlgorithmSpecification\":{\"TrainingImage\":" \
	"\"image\",\"TrainingInputMode\":\"File\"},\"RoleArn\":"                           \
	"\"arn:aws:iam::111122223333:role/jobs\",\"OutputDataConfig\":{\"S3OutputPath\":"  \
	"\"s3://bucket/out\"},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600},"       \
	"\"ResourceConfig\":{\"VolumeSizeInGB\":50," cluster "}}"
#define ONE(name, type, count) \
	REQUEST(name, "\"InstanceType\":\"" type "\",\"InstanceCount\":" #count)
#define LIST(name, second)                                                                    \
	REQUEST(name, "\"InstanceCount\":2,\"InstancePreferences\":[{\"InstanceType\":\"" P4D \
		      "\"},{\"InstanceType\":\"" second "\"}]")

#define PROCESSING(name, count)                                                              \
	"{\"ProcessingJobName\":\"" name "\",\"AppSpecification\":{\"ImageUri\":\"image\"}," \
	"\"RoleArn\":\"arn:aws:iam::111122223333:role/jobs\",\"ProcessingResources\":"       \
	"{\"ClusterConfig\":{\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":" #count    \
	",\"VolumeSizeInGB\":50}}}"

static const char *const empty[] = { "--scenario", "empty", "--seed",    "7",
				     "--rate",     "0",     "--no-auth", NULL };

static int start(void **state)
{
	return gpuq_start_region(state, empty);
}

static void submit(struct process_result *result, const struct region *region, const char *input,
		   const char *format)
{
	const char *const words[] = { "submit", "-", "--yes", "-o", format, "--pace", "0", NULL };
	gpuq_run(result, region, input, words);
}

/* It was sent once, under that name. */
static void want_sent(const struct process_result *result, const struct region *region,
		      const char *name, long before)
{
	if (result->status != 0)
		fail_msg("%d: %s", result->status, result->err);
	gpuq_want_text(result->out, name);
	assert_int_equal(region_calls(region, "CreateTrainingJob"), before + 1);
}

/* The second entry would never be chosen, and is refused all the same. */
static void quota_that_is_short__is_3__and_nothing_is_sent(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	submit(&result, region, LIST("short-1", "ml.p3.2xlarge"), "json");
	assert_int_equal(result.status, 3);
	gpuq_want_text(result.out, "\"rule\":\"quota-short\"");
	gpuq_want_text(result.out,
		       "\"path\":\"ResourceConfig.InstancePreferences[1].InstanceCount\"");
	gpuq_want_text(result.out, "\"ok\":false}");
	gpuq_want_text(result.err, P4D " x2: need 2, used 0 of 16 (read ");
	gpuq_want_text(result.err, "ml.p3.2xlarge x2: need 2, used 0 of 0 (read ");
	assert_int_equal(region_calls(region, "CreateTrainingJob"), 0);
	process_release(&result);
}

/* Case 072: what is being stopped holds its instances, for this request too. */
static void quota_that_is_tight__is_told__and_the_request_sent(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	region_control(region, "capacity", "{\"instance_type\":\"" P4D "\",\"free\":15}");
	free(region_call(region, "CreateTrainingJob", ONE("runs", P4D, 15)));
	region_control(region, "advance", "{\"seconds\":60}");
	free(region_call(region, "StopTrainingJob", "{\"TrainingJobName\":\"runs\"}"));
	long before = region_calls(region, "CreateTrainingJob");
	submit(&result, region, LIST("tight-1", "ml.g5.48xlarge"), "table");
	assert_int_equal(region_calls(region, "CreateTrainingJob"), before + 1);
	assert_int_equal(result.status, 1); /* the jobs may have ended by now; here they have not */
	gpuq_want_text(result.err, "request delta of 2 Instances");
	gpuq_want_text(result.err, "warning quota-tight: ");
	gpuq_want_text(result.err,
		       "needs 2, 15 in use, limit 16 of '" P4D " for training job usage'");
	gpuq_want_text(result.err, P4D " x2: need 2, used 15 of 16 (read ");
	gpuq_want_text(result.err, "ml.g5.48xlarge x2: need 2, used 0 of 16 (read ");
	process_release(&result);
}

static void denial__is_not_checked__and_holds_nothing_up(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	static const char *const operations[] = { "GetServiceQuota", "Search",
						  "DescribeTrainingJob" };
	for (size_t i = 0; i < ARRAY_LEN(operations); i++)
		region_control(region, "fault",
			       "{\"operation\":\"%s\",\"count\":99,\"status\":400,"
			       "\"code\":\"AccessDeniedException\"}",
			       operations[i]);
	submit(&result, region, LIST("denied-1", "ml.g5.48xlarge"), "table");
	want_sent(&result, region, "training-job/denied-1\n", 0);
	gpuq_want_text(result.err, P4D " x2: need 2, limit not checked: denied servicequotas:"
				       "GetServiceQuota\n");
	gpuq_want_text(result.err, "is not checked: denied servicequotas:GetServiceQuota");
	gpuq_want_text(result.err,
		       "name is free is not checked: denied sagemaker:DescribeTrainingJob.");
	assert_int_equal(region_calls(region, "GetServiceQuota"), 1);
	process_release(&result);
	region_control(region, "fault", "{\"operation\":\"GetServiceQuota\",\"count\":0}");
	submit(&result, region, LIST("denied-2", "ml.g5.48xlarge"), "table");
	want_sent(&result, region, "training-job/denied-2\n", 1);
	gpuq_want_text(result.err, P4D " x2: need 2, use not counted, limit 16 (read ");
	process_release(&result);
}

static void silence__is_waited_for_some_seconds_alone(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	region_control(region, "fault",
		       "{\"operation\":\"GetServiceQuota\",\"count\":9,\"delay_ms\":30000}");
	submit(&result, region, LIST("silent-1", "ml.g5.48xlarge"), "table");
	want_sent(&result, region, "training-job/silent-1\n", 0);
	gpuq_want_text(result.err, "limit not checked: not read yet\n");
	process_release(&result);
}

static void name_of_another__is_3__and_nothing_is_sent(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	free(region_call(region, "CreateTrainingJob", ONE("mine", "ml.g5.xlarge", 1)));
	submit(&result, region, ONE("mine", P4D, 2), "json");
	assert_int_equal(result.status, 3);
	gpuq_want_text(result.out, "\"rule\":\"name-taken\"");
	assert_int_equal(region_calls(region, "CreateTrainingJob"), 1);
	process_release(&result);
}

/* The dashboard asks too: its lists need not have the job. */
static void name_of_another__is_told_by_the_dashboard__before_it_asks(void **state)
{
	const struct region *region = *state;
	const char *const words[] = { "--pace", "0", NULL };
	static const char *const lists[] = { "ListTrainingJobs", "Search" };
	char path[] = "/tmp/gpuq-submit-XXXXXX", typed[64];
	int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, ONE("mine", P4D, 2), strlen(ONE("mine", P4D, 2))),
			 strlen(ONE("mine", P4D, 2)));
	assert_int_equal(close(file), 0);
	free(region_call(region, "CreateTrainingJob", ONE("mine", "ml.g5.xlarge", 1)));
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		region_control(region, "fault",
			       "{\"operation\":\"%s\",\"count\":999,\"status\":400,"
			       "\"code\":\"AccessDeniedException\"}",
			       lists[i]);
	struct pty *pty = gpuq_open(region, words);
	gpuq_want(pty, "denied");
	(void)snprintf(typed, sizeof(typed), "A%s\r", path);
	pty_type(pty, typed);
	gpuq_want(pty, "is read from");
	pty_type(pty, "X");
	gpuq_want(pty, "A training job mine exists already; a name is never free");
	gpuq_want(pty, "f: name it mine-2.");
	pty_type(pty, "f");
	gpuq_want(pty, "Send mine-2 to us-east-1");
	gpuq_want(pty, "y = yes, anything else = No");
	pty_type(pty, "\x1b");
	gpuq_want(pty, "the draft stays");
	pty_type(pty, "Q");
	gpuq_want_exit(pty, 0);
	assert_int_equal(region_calls(region, "CreateTrainingJob"), 1);
	assert_int_equal(region_calls(region, "DescribeTrainingJob"), 2);
	assert_int_equal(unlink(path), 0);
}

/* Lists tell of no processing job what it runs on: each is described. */
static void processing__counts_its_own_quota(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	region_control(region, "capacity", "{\"instance_type\":\"ml.g5.xlarge\",\"free\":4}");
	free(region_call(region, "CreateProcessingJob", PROCESSING("first", 1)));
	region_control(region, "advance", "{\"seconds\":60}");
	submit(&result, region, PROCESSING("second", 1), "table");
	gpuq_want_text(result.err, "warning quota-tight: ");
	gpuq_want_text(result.err, "ml.g5.xlarge x1: need 1, used 1 of 1 (read ");
	assert_int_equal(region_calls(region, "CreateProcessingJob"), 2);
	process_release(&result);
	submit(&result, region, PROCESSING("third", 2), "table");
	assert_int_equal(result.status, 3);
	gpuq_want_text(result.err, "error quota-short: ");
	assert_int_equal(region_calls(region, "CreateProcessingJob"), 2);
	process_release(&result);
}

/* The list of the copy is refused before the job that waits is touched. */
static void requeue__asks_first_too(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	const char *words[] = { "requeue", "waits",  "--prefs", "ml.p3.2xlarge:2,ml.g5.xlarge:1",
				"--yes",   "--pace", "0",       NULL };
	region_control(region, "capacity", "{\"instance_type\":\"" P4D "\",\"free\":0}");
	free(region_call(region, "CreateTrainingJob", ONE("waits", P4D, 2)));
	gpuq_run(&result, region, NULL, words);
	assert_int_equal(result.status, 3);
	gpuq_want_text(result.err,
		       "error quota-short: #1: needs 2, 0 in use, limit 0 of 'ml.p3.2xlarge");
	gpuq_want_text(result.err, "ml.g5.xlarge x1: need 1, used 0 of 1 (read ");
	assert_int_equal(region_calls(region, "CreateTrainingJob"), 1);
	assert_int_equal(region_calls(region, "StopTrainingJob"), 0);
	process_release(&result);
	/* The order goes by what was read: there is room for both. */
	words[3] = "ml.p4d.24xlarge:1,ml.g5.xlarge:1";
	gpuq_run(&result, region, NULL, words);
	if (result.status != 0)
		fail_msg("%s", result.err);
	gpuq_want_text(result.err, "ml.p4d.24xlarge x1: need 1, used 0 of 16 (read ");
	assert_int_equal(region_calls(region, "CreateTrainingJob"), 2);
	assert_int_equal(region_calls(region, "StopTrainingJob"), 1);
	process_release(&result);
}

static void plan__that_nobody_has__is_told(void **state)
{
	static const char planned[] =
		REQUEST("planned",
			"\"InstanceCount\":1,\"InstancePreferences\":[{\"InstanceType\":"
			"\"" P4D "\",\"TrainingPlanArns\":[\"arn:aws:sagemaker:us-east-1:"
			"111122223333:training-plan/none\"]}]");
	const struct region *region = *state;
	struct process_result result;
	submit(&result, region, planned, "table");
	gpuq_want_text(result.err, "plan-state: ");
	gpuq_want_text(result.err, "is not among the plans of this region");
	assert_int_equal(region_calls(region, "ListTrainingPlans"), 1);
	process_release(&result);
	region_control(region, "fault",
		       "{\"operation\":\"ListTrainingPlans\",\"count\":9,\"status\":400,"
		       "\"code\":\"AccessDeniedException\"}");
	submit(&result, region, planned, "table");
	gpuq_want_text(result.err,
		       "#1: plan none is not checked: denied sagemaker:ListTrainingPlans.");
	process_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(quota_that_is_short__is_3__and_nothing_is_sent,
						start, gpuq_stop_region),
		cmocka_unit_test_setup_teardown(quota_that_is_tight__is_told__and_the_request_sent,
						start, gpuq_stop_region),
		cmocka_unit_test_setup_teardown(denial__is_not_checked__and_holds_nothing_up, start,
						gpuq_stop_region),
		cmocka_unit_test_setup_teardown(silence__is_waited_for_some_seconds_alone, start,
						gpuq_stop_region),
		cmocka_unit_test_setup_teardown(name_of_another__is_3__and_nothing_is_sent, start,
						gpuq_stop_region),
		cmocka_unit_test_setup_teardown(
			name_of_another__is_told_by_the_dashboard__before_it_asks, start,
			gpuq_stop_region),
		cmocka_unit_test_setup_teardown(processing__counts_its_own_quota, start,
						gpuq_stop_region),
		cmocka_unit_test_setup_teardown(requeue__asks_first_too, start, gpuq_stop_region),
		cmocka_unit_test_setup_teardown(plan__that_nobody_has__is_told, start,
						gpuq_stop_region),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
