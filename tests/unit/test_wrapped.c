/* Requests inside other documents: which are found, what they say and where that stood. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "aws/yaml.h"
#include "model/wrapped.h"

struct found {
	struct json_doc doc;
	struct loose origin;
	struct wrapped_list list;
};

static void find(struct found *found, const char *text, bool is_yaml)
{
	struct err err = { 0 };
	*found = (struct found){ 0 };
	loose_init(&found->origin);
	if (is_yaml)
		assert_true(yaml_read(&found->origin, text, strlen(text), &err));
	if (is_yaml)
		text = buf_text(&found->origin.json);
	assert_true(json_doc_parse(&found->doc, text, strlen(text), &err));
	wrapped_find(&found->list, &found->doc, is_yaml ? &found->origin : NULL);
}

static void release(struct found *found)
{
	wrapped_release(&found->list);
	json_doc_release(&found->doc);
	loose_release(&found->origin);
}

static void want(const struct found *found, size_t i, enum job_kind kind, const char *path,
		 const char *json)
{
	assert_true(i < found->list.count);
	assert_int_equal(found->list.items[i].kind, kind);
	assert_string_equal(found->list.items[i].path, path);
	assert_string_equal(buf_text(&found->list.items[i].request.json), json);
}

#define STATES                                                                               \
	"{\"StartAt\":\"A\",\n\"States\":{\"A\":{\"Type\":\"Task\",\"Resource\":"            \
	"\"arn:aws:states:::sagemaker:createTrainingJob.sync\",\"Parameters\":{\n"           \
	" \"TrainingJobName.$\":\"$.name\",\"RoleArn\":\"{% $x "                             \
	"%}\",\"Tags\":[]}},\n\"B\":{\"Type\":"                                              \
	"\"Parallel\",\"Branches\":[{\"States\":{\"C\":{\"Resource\":"                       \
	"\"arn:aws:states:::sagemaker:createProcessingJob\",\"Arguments\":{\"a\":1}}}}]},\n" \
	"\"D\":{\"Resource\":\"arn:aws:states:::lambda:invoke\",\"Parameters\":{}}}}"

static void states__have_requests__with_what_is_not_known(void **state)
{
	struct found found;
	(void)state;
	find(&found, STATES, false);
	assert_int_equal(found.list.count, 2);
	assert_string_equal(found.list.word, "state");
	want(&found, 0, JOB_TRAINING, "States.A.Parameters",
	     "{\"TrainingJobName\":" LOOSE_UNKNOWN ",\"RoleArn\":" LOOSE_UNKNOWN ",\"Tags\":[]}");
	assert_int_equal(found.list.items[0].unknown, 2);
	assert_int_equal(found.list.items[0].line, 2);
	want(&found, 1, JOB_PROCESSING, "States.B.Branches[0].States.C.Arguments", "{\"a\":1}");
	const struct loose *request = &found.list.items[0].request;
	const char *tags = strstr(buf_text(&request->json), "[]");
	const struct loose_place *place =
		loose_place_of(request, (size_t)(tags - buf_text(&request->json)));
	assert_int_equal(place->line, 3);
	assert_int_equal(place->column, 59);
	assert_false(place->is_unknown);
	assert_true(loose_place_of(request, 21)->is_unknown);
	release(&found);
}

static void steps_of_a_pipeline__have_requests(void **state)
{
	struct found found;
	(void)state;
	find(&found,
	     "{\"Version\":\"2020-12-01\",\"Steps\":[{\"Name\":\"t\",\"Type\":\"Training\","
	     "\"Arguments\":{\"RoleArn\":{\"Get\":\"Parameters.Role\"},\"x\":{\"Got\":1}}},"
	     "{\"Type\":\"Condition\",\"Arguments\":{}}]}",
	     false);
	assert_int_equal(found.list.count, 1);
	want(&found, 0, JOB_TRAINING, "Steps[0].Arguments",
	     "{\"RoleArn\":" LOOSE_UNKNOWN ",\"x\":{\"Got\":1}}");
	release(&found);
}

/* The names are those of the service model; what is of no object of SageMaker is left alone. */
static void objects_of_kubernetes__get_the_apis_names(void **state)
{
	struct found found;
	(void)state;
	find(&found,
	     "apiVersion: v1\nkind: ConfigMap\nspec: {}\n---\n"
	     "apiVersion: sagemaker.services.k8s.aws/v1alpha1\nkind: TrainingJob\nspec:\n"
	     "  trainingJobName: a\n  roleARN: r\n  hyperParameters:\n    max_depth: \"5\"\n"
	     "  inputDataConfig:\n  - dataSource:\n      s3DataSource:\n        s3URI: u\n"
	     "  odd: 1\n",
	     true);
	assert_int_equal(found.list.count, 1);
	assert_string_equal(found.list.word, "object");
	want(&found, 0, JOB_TRAINING, "[1].spec",
	     "{\"TrainingJobName\":\"a\",\"RoleArn\":\"r\",\"HyperParameters\":{\"max_depth\":"
	     "\"5\"},"
	     "\"InputDataConfig\":[{\"DataSource\":{\"S3DataSource\":{\"S3Uri\":\"u\"}}}],"
	     "\"odd\":1}");
	assert_int_equal(found.list.items[0].line, 8);
	assert_int_equal(found.list.items[0].column, 3);
	release(&found);
}

static void plain_documents__are_requests_where_they_have_a_name(void **state)
{
	struct found found;
	(void)state;
	find(&found, "ProcessingJobName: a\n", true);
	assert_int_equal(found.list.count, 1);
	want(&found, 0, JOB_PROCESSING, "", "{\"ProcessingJobName\":\"a\"}");
	release(&found);
	static const char *const none[] = { "{}",
					    "[]",
					    "1",
					    "{\"TrainingJobName\":1,\"TrainingJobArn\":\"x\"}",
					    "{\"TrainingJobName\":1,\"ProcessingJobName\":2}",
					    "{\"StartAt\":1,\"States\":2}" };
	for (size_t i = 0; i < ARRAY_LEN(none); i++) {
		find(&found, none[i], false);
		assert_int_equal(found.list.count, 0);
		release(&found);
	}
}

static void many_requests__are_cut(void **state)
{
	struct buf text;
	struct found found;
	(void)state;
	buf_init(&text, 1u << 16);
	buf_add_text(&text, "{\"Version\":1,\"Steps\":[{}");
	for (int i = 0; i < 40; i++)
		buf_add_text(&text, ",{\"Type\":\"Training\",\"Arguments\":{}}");
	buf_add_text(&text, "]}");
	find(&found, buf_text(&text), false);
	assert_int_equal(found.list.count, WRAPPED_MAX);
	assert_true(found.list.cut);
	release(&found);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states__have_requests__with_what_is_not_known),
		cmocka_unit_test(steps_of_a_pipeline__have_requests),
		cmocka_unit_test(objects_of_kubernetes__get_the_apis_names),
		cmocka_unit_test(plain_documents__are_requests_where_they_have_a_name),
		cmocka_unit_test(many_requests__are_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
