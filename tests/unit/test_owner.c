/* Who a job belongs to: by what Describe says, by its name, by its tags; and what a stop of several
 * jobs is about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/stop.h"
#include "tests/prices.h"

#define ARN "arn:aws:sagemaker:us-east-1:111122223333:"

static void owner__is_what_describe_or_the_name_tells__else_nobody(void **state)
{
	static const struct {
		const char *name, *describe;
		enum owner_kind kind;
		const char *owner;
	} cases[] = {
		{ "llm-ft-0930", NULL, OWNER_NONE, "" },
		{ "llm-ft-0930", "{\"TrainingJobName\":\"llm-ft-0930\"}", OWNER_NONE, "" },
		{ "hpo-7-001-0f0444b1",
		  "{\"TuningJobArn\":\"" ARN "hyper-parameter-tuning-job/hpo-7\"}", OWNER_TUNING,
		  "hpo-7" },
		{ "x", "{\"AutoMLJobArn\":\"" ARN "automl-job/auto\"}", OWNER_AUTOML, "auto" },
		{ "x", "{\"LabelingJobArn\":\"" ARN "labeling-job/lab\"}", OWNER_LABELING, "lab" },
		{ "x", "{\"MonitoringScheduleArn\":\"" ARN "monitoring-schedule/m\"}",
		  OWNER_MONITORING, "m" },
		{ "x", "{\"TuningJobArn\":null,\"AutoMLJobArn\":\"\"}", OWNER_NONE, "" },
		{ "x", "not JSON", OWNER_NONE, "" },
		/* A name that nobody could type is none, but there is an owner. */
		{ "x", "{\"TuningJobArn\":\"" ARN "hyper-parameter-tuning-job/\\u001b[2J\"}",
		  OWNER_TUNING, "" },
		{ "x", "{\"TuningJobArn\":\"nothing like an ARN\"}", OWNER_TUNING, "" },
		/* Names: of the pipelines guide's example, and of Batch's service-linked role. */
		{ "pipelines-i7scmmq7vpwe-AbaloneTrain-3CsqxYw2Hg", NULL, OWNER_PIPELINE,
		  "i7scmmq7vpwe" },
		{ "pipelines-are-fun", NULL, OWNER_NONE, "" },
		{ "pipelines-i7scmmq7vpwe", NULL, OWNER_NONE, "" },
		{ "my-pipelines-i7scmmq7vpwe-x", NULL, OWNER_NONE, "" },
		{ "AWSBatchllm-ft-0a1b", NULL, OWNER_BATCH, "" },
		{ "awsbatch-llm", NULL, OWNER_NONE, "" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct job job = { .request_json = mem_copy_text(cases[i].describe) };
		struct owner owner;
		(void)snprintf(job.name, sizeof(job.name), "%s", cases[i].name);
		assert_int_equal(owner_of_job(&job, &owner), cases[i].kind != OWNER_NONE);
		if (owner.kind != cases[i].kind || strcmp(owner.name, cases[i].owner) != 0)
			fail_msg("case %zu (%s): %s '%s'", i, cases[i].name, owner_word(owner.kind),
				 owner.name);
		job_release(&job);
	}
}

static void owner__is_what_the_tags_tell__of_pipelines_step_functions_and_batch(void **state)
{
	static char pipeline[] = ARN "pipeline/abalone/execution/i7scmmq7vpwe";
	static char execution[] =
		"arn:aws:states:eu-west-2:111122223333:execution:machine:e3ad9152-d75a";
	static char started[] = "STARTED_BY_STEP_FUNCTIONS", empty[] = "", person[] = "ada";
	static char key_pipeline[] = "sagemaker:pipeline-execution-arn", key_project[] = "project",
		    key_managed[] = "MANAGED_BY_AWS", key_batch[] = "aws:batch:service-job",
		    key_execution[] = "AWS_STEP_FUNCTIONS_EXECUTION_ARN",
		    key_by[] = "aws:createdBy";
	static const struct {
		struct tag tags[3];
		size_t count;
		enum owner_kind kind;
		const char *owner;
	} cases[] = {
		{ { { 0 } }, 0, OWNER_NONE, "" },
		{ { { key_by, person }, { key_project, person } }, 2, OWNER_NONE, "" },
		{ { { key_project, person }, { key_pipeline, pipeline } },
		  2,
		  OWNER_PIPELINE,
		  "i7scmmq7vpwe" },
		{ { { key_managed, started } }, 1, OWNER_STEP_FUNCTIONS, "" },
		/* The tag that names it may stand on either side of the one that does not. */
		{ { { key_managed, started }, { key_execution, execution } },
		  2,
		  OWNER_STEP_FUNCTIONS,
		  "e3ad9152-d75a" },
		{ { { key_execution, execution }, { key_managed, started } },
		  2,
		  OWNER_STEP_FUNCTIONS,
		  "e3ad9152-d75a" },
		{ { { key_batch, empty } }, 1, OWNER_BATCH, "" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct owner owner;
		assert_int_equal(owner_of_tags(cases[i].tags, cases[i].count, &owner),
				 cases[i].kind != OWNER_NONE);
		if (owner.kind != cases[i].kind || strcmp(owner.name, cases[i].owner) != 0)
			fail_msg("case %zu: %s '%s'", i, owner_word(owner.kind), owner.name);
	}
}

static void typed__is_the_owners_name__else_the_jobs(void **state)
{
	const struct owner named = { OWNER_TUNING, "hpo-7" }, nameless = { OWNER_BATCH, "" };
	(void)state;
	assert_string_equal(owner_typed(&named, "job"), "hpo-7");
	assert_string_equal(owner_typed(&nameless, "job"), "job");
}

/* ml.p5.48xlarge is in the price table, what it costs does not matter here. */
static struct job make_job(const char *secondary, const char *type)
{
	struct job job = { .status = mem_copy_text("InProgress"),
			   .secondary_status = mem_copy_text(secondary),
			   .described = true };
	if (!type)
		return job;
	job.selected = (struct selected){ .set = true, .count = 2, .rank = 1 };
	(void)snprintf(job.selected.instance_type, sizeof(job.selected.instance_type), "%s", type);
	return job;
}

static void stakes__are_the_sum_by_the_hour__and_high_when_not_known(void **state)
{
	struct job pending = make_job("Pending", NULL);
	struct job running = make_job("Training", "ml.p5.48xlarge");
	struct job odd = make_job("Training", "ml.unheard-of.large");
	int64_t one = 2 * price_find(&virginia, JOB_TRAINING, "ml.p5.48xlarge").per_hour_micro;
	struct stop_stakes stakes = { 0 };
	(void)state;
	assert_true(one > 0);
	stop_stakes_add(&stakes, &pending, &virginia, 0);
	assert_int_equal(stakes.per_hour_micro, 0);
	assert_false(stop_stakes_are_high(&stakes, 0));
	stop_stakes_add(&stakes, &running, &virginia, 0);
	stop_stakes_add(&stakes, &running, &virginia, 0);
	assert_int_equal(stakes.per_hour_micro, 2 * one);
	assert_false(stop_stakes_are_high(&stakes, 2 * one));
	assert_true(stop_stakes_are_high(&stakes, 2 * one - 1));
	stop_stakes_add(&stakes, &odd, &virginia, 0);
	assert_true(stop_stakes_are_high(&stakes, INT64_MAX));
	job_release(&pending);
	job_release(&running);
	job_release(&odd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(owner__is_what_describe_or_the_name_tells__else_nobody),
		cmocka_unit_test(
			owner__is_what_the_tags_tell__of_pipelines_step_functions_and_batch),
		cmocka_unit_test(typed__is_the_owners_name__else_the_jobs),
		cmocka_unit_test(stakes__are_the_sum_by_the_hour__and_high_when_not_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
