/*
 * Describe turned into Create. What must come of it is worked out here over JSON trees: the reply
 * without what only a reply has, without nulls, without empty lists where Create wants one. Cases
 * of kind a (001 to 019): each is described, copied, created and described again.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/request.h"
#include "tests/shared.h"
#include "tests/simworld.h"

#define COPY "copy-261201-000000"

/* The members of DescribeTrainingJobResponse and of DescribeProcessingJobResponse that the Create
 * request lacks (API reference); the first test holds them against the service model. */
static const char *const training_only[] = {
	"TrainingJobArn",
	"TuningJobArn",
	"LabelingJobArn",
	"AutoMLJobArn",
	"ModelArtifacts",
	"TrainingJobStatus",
	"SecondaryStatus",
	"FailureReason",
	"CreationTime",
	"TrainingStartTime",
	"TrainingEndTime",
	"LastModifiedTime",
	"SecondaryStatusTransitions",
	"FinalMetricDataList",
	"TrainingTimeInSeconds",
	"BillableTimeInSeconds",
	"BillableTokenCount",
	"DebugRuleEvaluationStatuses",
	"ProfilerRuleEvaluationStatuses",
	"ProfilingStatus",
	"WarmPoolStatus",
	"MlflowDetails",
	"ProgressInfo",
	"OutputModelPackageArn",
	NULL,
};
static const char *const processing_only[] = {
	"ProcessingJobArn",      "ProcessingJobStatus", "ExitMessage",      "FailureReason",
	"ProcessingEndTime",     "ProcessingStartTime", "LastModifiedTime", "CreationTime",
	"MonitoringScheduleArn", "AutoMLJobArn",        "TrainingJobArn",   NULL,
};
/* Of whatever shape: read-only, and what the CLI and Python put beside the reply. */
static const char *const never[] = { "SelectedInstanceType", "SelectedInstanceCount",
				     "ResponseMetadata", NULL };
/* Lists that Create wants one item in at least. */
static const char *const wanted[] = { "ContainerEntrypoint",
				      "ContainerArguments",
				      "InputDataConfig",
				      "SecurityGroupIds",
				      "Subnets",
				      "InstancePreferences",
				      NULL };

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

static const char *const *only_of(enum job_kind kind)
{
	return kind == JOB_TRAINING ? training_only : processing_only;
}

static const char *name_of(enum job_kind kind)
{
	return kind == JOB_TRAINING ? "TrainingJobName" : "ProcessingJobName";
}

static const cJSON *below(const cJSON *tree, const char *shape)
{
	return cJSON_GetObjectItemCaseSensitive(
		cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(tree, "shapes"),
						 shape),
		"members");
}

static void reply_members__are_those_of_the_service_model(void **state)
{
	static const char *const words[] = {
		[JOB_TRAINING] = "Training", [JOB_PROCESSING] = "Processing"
	};
	size_t len;
	char *text = shared_read("data/sagemaker-model.json", &len);
	(void)state;
	if (!text)
		return;
	cJSON *model = cJSON_Parse(text);
	for (int kind = JOB_TRAINING; kind <= JOB_PROCESSING; kind++) {
		char create[64], describe[64];
		size_t count = 0;
		(void)snprintf(create, sizeof(create), "Create%sJobRequest", words[kind]);
		(void)snprintf(describe, sizeof(describe), "Describe%sJobResponse", words[kind]);
		const cJSON *asked = below(model, create), *told = below(model, describe);
		assert_true(cJSON_GetArraySize(asked) > 10);
		for (const cJSON *member = told->child; member; member = member->next) {
			if (cJSON_HasObjectItem(asked, member->string))
				continue;
			count++;
			if (!is_one_of(member->string, only_of((enum job_kind)kind)))
				fail_msg("%s is not in the list", member->string);
		}
		assert_null(only_of((enum job_kind)kind)[count]);
	}
	cJSON_Delete(model);
	free(text);
}

/* Takes out what a copy must not have, from the leaves up. */
static void strip(cJSON *value, const char *const *only)
{
	cJSON *next;
	for (cJSON *child = value->child; child; child = next) {
		next = child->next;
		bool had = child->child != NULL;
		bool empty_list = cJSON_IsArray(child) && !had && child->string &&
				  is_one_of(child->string, wanted);
		bool out = cJSON_IsNull(child) || empty_list ||
			   (child->string &&
			    (is_one_of(child->string, never) || is_one_of(child->string, only)));
		if (!out) {
			strip(child, never);
			out = had && !child->child && cJSON_IsObject(child);
		}
		if (out)
			cJSON_Delete(cJSON_DetachItemViaPointer(value, child));
	}
}

static cJSON *expected_of(enum job_kind kind, const char *describe)
{
	cJSON *tree = cJSON_Parse(describe);
	assert_non_null(tree);
	strip(tree, only_of(kind));
	cJSON_DeleteItemFromObjectCaseSensitive(tree, name_of(kind));
	return tree;
}

static void assert_same(const cJSON *got, const cJSON *expected, const char *what)
{
	if (cJSON_Compare(got, expected, true))
		return;
	char *left = cJSON_Print(got), *right = cJSON_Print(expected);
	fail_msg("%s: got\n%s\nexpected\n%s", what, left, right);
}

/* The copy of a reply says what it must, and its name. */
static struct request copy_of(enum job_kind kind, const char *describe, const cJSON *expected)
{
	struct request request = { 0 };
	struct err err = { 0 };
	if (!request_from_describe(&request, kind, describe, COPY, &err))
		fail_msg("%s", err_text(&err));
	cJSON *made = cJSON_Parse(request.text);
	assert_non_null(made);
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(made, name_of(kind));
	assert_string_equal(cJSON_GetStringValue(name), COPY);
	cJSON_DeleteItemFromObjectCaseSensitive(made, name_of(kind));
	assert_same(made, expected, "the copy");
	cJSON_Delete(made);
	return request;
}

static void ask(struct simregion *sim, enum job_kind kind, const char *verb, const char *body)
{
	char operation[64];
	(void)snprintf(operation, sizeof(operation), "%s%sJob", verb,
		       kind == JOB_TRAINING ? "Training" : "Processing");
	if (simregion_call(sim, operation, body) != 200)
		fail_msg("%s\n%s\n%s", operation, body, simregion_body(sim));
}

/* What Describe tells of a job, to be freed. */
static char *describe(struct simregion *sim, enum job_kind kind, const char *name)
{
	char body[160];
	(void)snprintf(body, sizeof(body), "{\"%s\":\"%s\"}", name_of(kind), name);
	ask(sim, kind, "Describe", body);
	return mem_copy_text(simregion_body(sim));
}

/* A region that knows the copy alone: nothing of what it holds hinders. */
static void create_and_describe(enum job_kind kind, const struct request *request,
				const cJSON *expected)
{
	struct simregion *sim = simregion_new(NULL);
	for (size_t i = 0; i < sim->region.world.pool_count; i++) {
		int64_t *quota = sim->region.world.pools[i].quota;
		for (size_t k = 0; k < ARRAY_LEN(sim->region.world.pools[i].quota); k++)
			quota[k] = 1000;
	}
	ask(sim, kind, "Create", request->text);
	char *told = describe(sim, kind, COPY);
	cJSON *again = expected_of(kind, told);
	assert_same(again, expected, "described again");
	cJSON_Delete(again);
	free(told);
	simregion_free(sim);
}

static void round_trip(enum job_kind kind, const char *told)
{
	cJSON *expected = expected_of(kind, told);
	struct request request = copy_of(kind, told, expected);
	create_and_describe(kind, &request, expected);
	request_release(&request);
	cJSON_Delete(expected);
}

static enum job_kind kind_of(const cJSON *job)
{
	const char *word = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(job, "kind"));
	return strcmp(word, "training") == 0 ? JOB_TRAINING : JOB_PROCESSING;
}

static void demo__every_job_goes_round(void **state)
{
	struct sim_options options = simregion_options();
	size_t trainings = 0, processings = 0;
	(void)state;
	options.scenario = SIM_SCENARIO_BUSY;
	options.jobs = 400;
	struct simregion *sim = simregion_new(&options);
	assert_int_equal(simregion_control(sim, "/_sim/state", NULL), 200);
	cJSON *picture = cJSON_Parse(simregion_body(sim));
	const cJSON *jobs = cJSON_GetObjectItemCaseSensitive(picture, "jobs");
	for (const cJSON *job = jobs->child; job; job = job->next) {
		enum job_kind kind = kind_of(job);
		const cJSON *name = cJSON_GetObjectItemCaseSensitive(job, "name");
		char *told = describe(sim, kind, cJSON_GetStringValue(name));
		round_trip(kind, told);
		*(kind == JOB_TRAINING ? &trainings : &processings) += 1;
		free(told);
	}
	print_message("%zu training and %zu processing jobs went round\n", trainings, processings);
	assert_true(trainings > 200 && processings > 20);
	cJSON_Delete(picture);
	simregion_free(sim);
}

/* A whole reply, into which the part that a case shows is put. */
static const char whole[] =
	"{\"TrainingJobName\":\"source\",\"TrainingJobArn\":\"arn:aws:sagemaker:us-east-1:"
	"111122223333:training-job/source\",\"TrainingJobStatus\":\"InProgress\","
	"\"SecondaryStatus\":\"Pending\",\"AlgorithmSpecification\":{\"TrainingImage\":"
	"\"111122223333.dkr.ecr.us-east-1.amazonaws.com/train:1\",\"TrainingInputMode\":\"File\"},"
	"\"RoleArn\":\"arn:aws:iam::111122223333:role/jobs\",\"OutputDataConfig\":{"
	"\"S3OutputPath\":\"s3://bucket/out\"},\"ResourceConfig\":{\"InstanceType\":"
	"\"ml.g5.2xlarge\",\"InstanceCount\":1,\"VolumeSizeInGB\":100},\"StoppingCondition\":{"
	"\"MaxRuntimeInSeconds\":3600},\"EnableNetworkIsolation\":false}";

static void put(cJSON *tree, const char *name, cJSON *value)
{
	cJSON_DeleteItemFromObjectCaseSensitive(tree, name);
	assert_true(cJSON_AddItemToObject(tree, name, value));
}

/* Goes round with the members of part in the whole reply. */
static void round_trip_with(const cJSON *part)
{
	cJSON *tree = cJSON_Parse(whole);
	for (const cJSON *member = part->child; member; member = member->next)
		put(tree, member->string, cJSON_Duplicate(member, true));
	char *told = cJSON_PrintUnformatted(tree);
	round_trip(JOB_TRAINING, told);
	free(told);
	cJSON_Delete(tree);
}

/* 001, 003, 005, 007, 017: replies as they were saved. */
static void cases__of_whole_replies_go_round(void **state)
{
	static const struct {
		const char *file;
		enum job_kind kind;
	} rows[] = {
		{ "cases/001-warmpool-reused/input.json", JOB_TRAINING },
		{ "cases/003-stopping-while-starting/input.json", JOB_TRAINING },
		{ "cases/005-keepalive-without-warmpool-status/input.json", JOB_TRAINING },
		{ "cases/007-processing-waiting-all-null/input.json", JOB_PROCESSING },
		{ "cases/017-full-cli-describe/input.json", JOB_TRAINING },
	};
	size_t len;
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = shared_read(rows[i].file, &len);
		if (!text)
			continue;
		print_message("%s\n", rows[i].file);
		round_trip(rows[i].kind, text);
		free(text);
	}
}

/* 008 (before and after the choice), 016 (what a spot job went through), 019 (times as numbers):
 * parts of a reply. */
static void cases__of_parts_go_round(void **state)
{
	size_t len;
	char *text = shared_read("cases/008-training-selected-type/input.json", &len);
	(void)state;
	if (!text)
		return;
	cJSON *tree = cJSON_Parse(text);
	for (const cJSON *part = tree->child; part; part = part->next)
		round_trip_with(part);
	cJSON_Delete(tree);
	free(text);
	text = shared_read("cases/016-spot-lifecycle-sequences/input.json", &len);
	tree = cJSON_Parse(text);
	for (cJSON *words = tree->child; words; words = words->next) {
		cJSON *part = cJSON_CreateObject(), *list = cJSON_CreateArray();
		for (const cJSON *word = words->child; word; word = word->next) {
			cJSON *step = cJSON_CreateObject();
			cJSON_AddStringToObject(step, "Status", word->valuestring);
			cJSON_AddItemToArray(list, step);
		}
		cJSON_AddItemToObject(part, "SecondaryStatusTransitions", list);
		round_trip_with(part);
		cJSON_Delete(part);
	}
	cJSON_Delete(tree);
	free(text);
	text = shared_read("cases/019-epoch-milliseconds-in-events/input.json", &len);
	tree = cJSON_Parse(text);
	round_trip_with(tree);
	cJSON_Delete(tree);
	free(text);
}

/* 010, 011, 013: what a job ended with. 014 is no JSON: nothing of it is loaded. */
static void cases__of_texts_go_round(void **state)
{
	static const char *const files[] = {
		"cases/010-failure-reason-multiline-python/input.txt",
		"cases/011-failure-reason-unbalanced-quote/input.txt",
		"cases/013-failure-reason-exit-code-only/input.txt",
	};
	struct request request = { 0 };
	struct err err = { 0 };
	size_t len;
	char *text;
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		text = shared_read(files[i], &len);
		if (!text)
			return;
		cJSON *part = cJSON_CreateObject();
		cJSON_AddStringToObject(part, "FailureReason", text);
		round_trip_with(part);
		cJSON_Delete(part);
		free(text);
	}
	text = shared_read("cases/014-python-repr-not-json/input.txt", &len);
	assert_false(request_from_describe(&request, JOB_TRAINING, text, COPY, &err));
	assert_int_equal(err.code, ERR_PARSE);
	assert_null(request.text);
	err_clear(&err);
	free(text);
}

static void assert_copy(const char *told, const char *expected)
{
	struct request request = { 0 };
	struct err err = { 0 };
	assert_true(request_from_describe(&request, JOB_TRAINING, told, "c", &err));
	assert_string_equal(request.text, expected);
	request_release(&request);
}

/* What neither shape knows stays byte for byte, whatever it holds, wherever it stands. 047: the
 * groups of the channels stay. */
static void unknown_members__survive_byte_for_byte(void **state)
{
	(void)state;
	assert_copy("{\"TrainingJobName\":\"s\",\n  \"NewThing\" : { \"A\":null, \"B\":[ ] ,"
		    "\"C\":1.50e0},\"TrainingJobStatus\":\"x\",\"RoleArn\":\"r\" }",
		    "{\"TrainingJobName\":\"c\",\n  \"NewThing\" : { \"A\":null, \"B\":[ ] ,"
		    "\"C\":1.50e0},\"RoleArn\":\"r\" }");
	assert_copy("{\"ResourceConfig\":{ \"Later\":[null,{}], \"SelectedInstanceType\":\"x\", "
		    "\"InstanceCount\" : 1.0 }}",
		    "{\"ResourceConfig\":{ \"Later\":[null,{}], \"InstanceCount\" : 1.0 },"
		    "\"TrainingJobName\":\"c\"}");
	assert_copy("{\"InputDataConfig\":[{\"ChannelName\":\"a\",\"DataSource\":{\"S3DataSource\":"
		    "{\"InstanceGroupNames\":[\"g\"]}}}],\"TrainingJobName\":\"s\"}",
		    "{\"InputDataConfig\":[{\"ChannelName\":\"a\",\"DataSource\":{\"S3DataSource\":"
		    "{\"InstanceGroupNames\":[\"g\"]}}}],\"TrainingJobName\":\"c\"}");
}

/* Nothing is invented in the place of what goes (046), and what is empty by right stays. */
static void emptiness__goes_where_create_wants_none_of_it(void **state)
{
	(void)state;
	assert_copy("{\"TrainingJobName\":\"s\",\"VpcConfig\":{\"Subnets\":[],"
		    "\"SecurityGroupIds\":[ ]},\"HyperParameters\":{},\"CheckpointConfig\":"
		    "{\"LocalPath\":null},\"ExperimentConfig\":{},\"InputDataConfig\":[],"
		    "\"DebugRuleConfigurations\":[]}",
		    "{\"TrainingJobName\":\"c\",\"HyperParameters\":{},\"ExperimentConfig\":{},"
		    "\"DebugRuleConfigurations\":[]}");
	assert_copy("{\"TrainingJobName\":\"s\",\"ResourceConfig\":{\"InstanceType\":null,"
		    "\"InstancePreferences\":[{\"InstanceType\":\"ml.p5.48xlarge\","
		    "\"InstanceCount\":null,\"TrainingPlanArns\":null}],\"InstanceGroups\":[]}}",
		    "{\"TrainingJobName\":\"c\",\"ResourceConfig\":{"
		    "\"InstancePreferences\":[{\"InstanceType\":\"ml.p5.48xlarge\"}],"
		    "\"InstanceGroups\":[]}}");
	assert_copy("{\"ResourceConfig\":{\"InstanceType\":\"ml.p5.48xlarge\","
		    "\"InstancePreferences\":[]}}",
		    "{\"ResourceConfig\":{\"InstanceType\":\"ml.p5.48xlarge\"},"
		    "\"TrainingJobName\":\"c\"}");
}

static void assert_tagged(const char *text, const struct tag *tags, size_t count,
			  const char *expected)
{
	struct request request = { .text = mem_copy_text(text) };
	struct err err = { 0 };
	assert_true(request_set_tags(&request, tags, count, &err));
	assert_string_equal(request.text, expected);
	request_release(&request);
}

static void tags__are_carried_but_for_those_of_the_service(void **state)
{
	static char team[] = "team", note[] = "gpuq:note", batch[] = "aws:batch:job",
		    upper[] = "AWS:x";
	static char value[] = "a \"b\"", none[] = "";
	const struct tag tags[] = {
		{ batch, value }, { team, value }, { upper, none }, { note, none }
	};
	(void)state;
	assert_tagged("{\"A\":1}", tags, 4,
		      "{\"A\":1,\"Tags\":[{\"Key\":\"team\",\"Value\":\"a \\\"b\\\"\"},"
		      "{\"Key\":\"gpuq:note\",\"Value\":\"\"}]}");
	assert_tagged("{\"Tags\":[],\"A\":1}", tags, 2,
		      "{\"Tags\":[{\"Key\":\"team\",\"Value\":\"a \\\"b\\\"\"}],\"A\":1}");
	assert_tagged("{\"A\":1,\"Tags\":[1]}", tags, 1, "{\"A\":1}");
	assert_tagged("{\"A\":1}", NULL, 0, "{\"A\":1}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reply_members__are_those_of_the_service_model),
		cmocka_unit_test(demo__every_job_goes_round),
		cmocka_unit_test(cases__of_whole_replies_go_round),
		cmocka_unit_test(cases__of_parts_go_round),
		cmocka_unit_test(cases__of_texts_go_round),
		cmocka_unit_test(unknown_members__survive_byte_for_byte),
		cmocka_unit_test(emptiness__goes_where_create_wants_none_of_it),
		cmocka_unit_test(tags__are_carried_but_for_those_of_the_service),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
