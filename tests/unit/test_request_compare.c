/* Whether a described job is ours: the decision between "submitted" and "the name is taken". */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/request_compare.h"
#include "tests/simworld.h"

#define SENT_MS INT64_C(1796071688000)
#define WHY_MAX 65536

/* A training job of two entries; what stands for %s is put in. */
#define NAME   "\"TrainingJobName\":\"llm-261201\","
#define ROLE   "\"RoleArn\":\"arn:aws:iam::111122223333:role/jobs\","
#define IMAGE  "\"AlgorithmSpecification\":{\"TrainingImage\":\"repo/image:1\"},"
#define OUTPUT "\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/out\"},"
#define LIST                                                                                  \
	"\"ResourceConfig\":{\"InstanceCount\":2,\"InstancePreferences\":[{\"InstanceType\":" \
	"\"ml.p5.48xlarge\",\"TrainingPlanArns\":[\"arn:plan\"]},{\"InstanceType\":"          \
	"\"ml.p4d.24xlarge\"}]}"
#define ASKED "{" NAME ROLE IMAGE OUTPUT LIST "}"

static struct job job_of(enum job_kind kind, const char *text, int64_t created_ms)
{
	struct job job = { .kind = kind,
			   .created = { true, created_ms },
			   .request_json = mem_copy_text(text) };
	return job;
}

static void check(enum job_kind kind, const char *asked, const char *told, enum request_match match,
		  const char *why)
{
	struct request request = { .kind = kind, .text = mem_copy_text(asked) };
	struct job job = job_of(kind, told, SENT_MS + 700);
	struct buf said;
	buf_init(&said, WHY_MAX);
	assert_int_equal(request_compare(&request, &job, SENT_MS, &said), match);
	assert_string_equal(buf_text(&said), why);
	buf_release(&said);
	job_release(&job);
	request_release(&request);
}

static const struct {
	const char *told, *why; /* why "" = the same */
} trainings[] = {
	{ ASKED, "" },
	/* Another order of the members, the count on each entry, what only Describe tells, and a
	 * plan list that is empty: all say the same. */
	{ "{" LIST "," OUTPUT IMAGE ROLE NAME "\"TrainingJobStatus\":\"InProgress\"}", "" },
	{ "{" NAME ROLE IMAGE OUTPUT
	  "\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceCount\":2.0,\"InstanceType\":"
	  "\"ml.p5.48xlarge\",\"TrainingPlanArns\":[\"arn:plan\"]},{\"TrainingPlanArns\":[],"
	  "\"InstanceType\":\"ml.p4d.24xlarge\",\"InstanceCount\":2}],\"SelectedInstanceType\":"
	  "\"ml.p4d.24xlarge\",\"SelectedInstanceCount\":2}}",
	  "" },
	{ "{\"TrainingJobName\":\"llm\"," ROLE IMAGE OUTPUT LIST "}",
	  "TrainingJobName: llm, asked for llm-261201" },
	{ "{" NAME "\"RoleArn\":\"arn:aws:iam::111122223333:role/others\"," IMAGE OUTPUT LIST "}",
	  "RoleArn: arn:aws:iam::111122223333:role/others, asked for "
	  "arn:aws:iam::111122223333:role/jobs" },
	{ "{" NAME IMAGE OUTPUT LIST "}",
	  "RoleArn: none, asked for arn:aws:iam::111122223333:role/jobs" },
	{ "{" NAME ROLE
	  "\"AlgorithmSpecification\":{\"TrainingImage\":\"repo/image:2\"}," OUTPUT LIST "}",
	  "AlgorithmSpecification.TrainingImage: repo/image:2, asked for repo/image:1" },
	{ "{" NAME ROLE IMAGE "\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/o\"}," LIST "}",
	  "OutputDataConfig.S3OutputPath: s3://bucket/o, asked for s3://bucket/out" },
	{ "{" NAME ROLE IMAGE OUTPUT
	  "\"ResourceConfig\":{\"InstanceCount\":2,\"InstanceType\":\"ml.p5.48xlarge\"}}",
	  "ResourceConfig: ml.p5.48xlarge x2, asked for ml.p5.48xlarge x2 arn:plan, "
	  "ml.p4d.24xlarge x2" },
	{ "{" NAME ROLE IMAGE OUTPUT
	  "\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceCount\":2,\"InstanceType\":"
	  "\"ml.p5.48xlarge\",\"TrainingPlanArns\":[\"arn:plan\"]},"
	  "{\"InstanceType\":\"ml.p4d.24xlarge\",\"InstanceCount\":4}]}}",
	  "ResourceConfig: ml.p5.48xlarge x2 arn:plan, ml.p4d.24xlarge x4, asked for "
	  "ml.p5.48xlarge x2 arn:plan, ml.p4d.24xlarge x2" },
	{ "{" NAME ROLE IMAGE OUTPUT
	  "\"ResourceConfig\":{\"InstanceCount\":2,\"InstancePreferences\":[{\"InstanceType\":"
	  "\"ml.p5.48xlarge\"},{\"InstanceType\":\"ml.p4d.24xlarge\"}],\"TrainingPlanArn\":"
	  "\"arn:plan\"}}",
	  "ResourceConfig: ml.p5.48xlarge x2, ml.p4d.24xlarge x2 beside arn:plan, asked for "
	  "ml.p5.48xlarge x2 arn:plan, ml.p4d.24xlarge x2" },
	{ "{" NAME ROLE IMAGE OUTPUT "\"ResourceConfig\":null}",
	  "ResourceConfig: none, asked for ml.p5.48xlarge x2 arn:plan, ml.p4d.24xlarge x2" },
};

static void training__is_told_by_the_first_difference(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(trainings); i++)
		check(JOB_TRAINING, ASKED, trainings[i].told,
		      trainings[i].why[0] ? REQUEST_DIFFERENT : REQUEST_SAME, trainings[i].why);
}

/* Describe of a job by its algorithm may tell the image behind it, which nobody asked for. */
static void image__is_no_difference__where_an_algorithm_was_asked_for(void **state)
{
#define BY(algorithm) "{" NAME ROLE OUTPUT LIST ",\"AlgorithmSpecification\":{" algorithm "}}"
	static const char asked[] = BY("\"AlgorithmName\":\"mine\",\"TrainingImage\":null");
	(void)state;
	check(JOB_TRAINING, asked, BY("\"AlgorithmName\":\"mine\",\"TrainingImage\":\"x\""),
	      REQUEST_SAME, "");
	check(JOB_TRAINING, asked, BY("\"AlgorithmName\":\"other\""), REQUEST_DIFFERENT,
	      "AlgorithmSpecification.AlgorithmName: other, asked for mine");
}

#define PROCESSING(outputs)                                                                    \
	"{\"ProcessingJobName\":\"p\",\"RoleArn\":\"r\",\"AppSpecification\":{\"ImageUri\":"   \
	"\"i\"},\"ProcessingResources\":{\"ClusterConfig\":{\"InstanceType\":\"ml.m5.large\"," \
	"\"InstanceCount\":1}}" outputs "}"
#define TO(uri)       "{\"OutputName\":\"o\",\"S3Output\":{\"S3Uri\":\"" uri "\"}}"
#define OUTPUTS(list) ",\"ProcessingOutputConfig\":{\"Outputs\":[" list "]}"

static void processing__compares_every_output(void **state)
{
	static const char asked[] = PROCESSING(OUTPUTS(TO("s3://a") "," TO("s3://b")));
	static const char path[] = "ProcessingOutputConfig.Outputs: ";
	char why[128];
	(void)state;
	check(JOB_PROCESSING, asked, asked, REQUEST_SAME, "");
	check(JOB_PROCESSING, PROCESSING(""), PROCESSING(OUTPUTS("")), REQUEST_SAME, "");
	(void)snprintf(why, sizeof(why), "%s%s", path, "s3://c, asked for s3://b");
	check(JOB_PROCESSING, asked, PROCESSING(OUTPUTS(TO("s3://a") "," TO("s3://c"))),
	      REQUEST_DIFFERENT, why);
	(void)snprintf(why, sizeof(why), "%s%s", path, "none, asked for s3://b");
	check(JOB_PROCESSING, asked, PROCESSING(OUTPUTS(TO("s3://a"))), REQUEST_DIFFERENT, why);
	(void)snprintf(why, sizeof(why), "%s%s", path, "s3://b, asked for none");
	check(JOB_PROCESSING, PROCESSING(OUTPUTS(TO("s3://a"))), asked, REQUEST_DIFFERENT, why);
}

static enum request_match match_of(const struct job *job, const char *expected)
{
	struct request request = { .kind = JOB_TRAINING, .text = mem_copy_text(ASKED) };
	struct buf why;
	buf_init(&why, WHY_MAX);
	enum request_match match = request_compare(&request, job, SENT_MS, &why);
	assert_string_equal(buf_text(&why), expected);
	buf_release(&why);
	request_release(&request);
	return match;
}

/* The same request sent by hand yesterday is not the one just sent. 2 s: REQUEST_COMPARE_SLACK_MS.
 */
static void job__is_anothers__when_it_is_older_than_the_first_try(void **state)
{
	struct job job = job_of(JOB_TRAINING, ASKED, SENT_MS - 2000);
	(void)state;
	assert_int_equal(match_of(&job, ""), REQUEST_SAME);
	job.created.ms -= 1;
	assert_int_equal(match_of(&job, "created at 2026-11-30T20:48:05Z, before it was first sent "
					"at 2026-11-30T20:48:08Z"),
			 REQUEST_DIFFERENT);
	job_release(&job);
}

static void job__is_not_judged__where_describe_does_not_tell(void **state)
{
	struct job job = job_of(JOB_TRAINING, ASKED, SENT_MS);
	(void)state;
	job.indexed = true;
	assert_int_equal(match_of(&job, "the job is not described yet"), REQUEST_UNTOLD);
	job.indexed = false;
	job.created.set = false;
	assert_int_equal(match_of(&job, "Describe tells no time of creation"), REQUEST_UNTOLD);
	job_release(&job);
	job = job_of(JOB_TRAINING, "[]", SENT_MS);
	assert_int_equal(match_of(&job, "the request is not a JSON object"), REQUEST_UNTOLD);
	job_release(&job);
	job = job_of(JOB_PROCESSING, ASKED, SENT_MS);
	assert_int_equal(match_of(&job, "kind: processing, asked for training"), REQUEST_DIFFERENT);
	job_release(&job);
}

/* The region's own answer to what it was sent, before and after it has chosen. */
static void describe__of_what_was_sent_is_ours(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	const char *body = simregion_training(
		"llm", "{\"InstanceCount\":2,\"InstancePreferences\":[{\"InstanceType\":"
		       "\"ml.g6.48xlarge\"},{\"InstanceType\":\"ml.g5.48xlarge\"}]}");
	(void)state;
	assert_int_equal(simregion_call(sim, "CreateTrainingJob", body), 200);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(simregion_call(sim, "DescribeTrainingJob",
						"{\"TrainingJobName\":\"llm\"}"),
				 200);
		check(JOB_TRAINING, body, simregion_body(sim), REQUEST_SAME, "");
		simregion_pass(sim, 3600000);
	}
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(training__is_told_by_the_first_difference),
		cmocka_unit_test(image__is_no_difference__where_an_algorithm_was_asked_for),
		cmocka_unit_test(processing__compares_every_output),
		cmocka_unit_test(job__is_anothers__when_it_is_older_than_the_first_try),
		cmocka_unit_test(job__is_not_judged__where_describe_does_not_tell),
		cmocka_unit_test(describe__of_what_was_sent_is_ours),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
