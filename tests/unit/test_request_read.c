#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/request.h"
#include "tests/anytext.h"

#define CASE_MAX 65536

#define HEAD                                                                                   \
	"{\"TrainingJobName\":\"n\",\"RoleArn\":\"arn:aws:iam::111122223333:role/R\","         \
	"\"AlgorithmSpecification\":{\"TrainingImage\":\"i\",\"TrainingInputMode\":\"File\"}," \
	"\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/p\"},"                                \
	"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":60},\n"

struct reading {
	struct request request;
	struct findings findings;
	struct err err;
	bool ok;
};

static struct reading *read_as(const char *text, const enum job_kind *kind)
{
	struct reading *reading = mem_new(1, sizeof(*reading));
	reading->ok = request_read(&reading->request, text, strlen(text), "job.json", kind,
				   &reading->findings, &reading->err);
	assert_int_equal(reading->ok, reading->findings.count == 0);
	assert_int_equal(reading->ok, reading->err.code == ERR_NONE);
	return reading;
}

static void reading_free(struct reading *reading)
{
	request_release(&reading->request);
	err_clear(&reading->err);
	free(reading);
}

/* Refused under that rule, with part of the message, at that place. */
static void assert_refused(const char *text, const char *rule, const char *part, size_t line,
			   size_t column)
{
	struct reading *reading = read_as(text, NULL);
	assert_false(reading->ok);
	assert_null(reading->request.text);
	assert_int_equal(reading->findings.count, 1);
	const struct finding *finding = &reading->findings.items[0];
	assert_string_equal(finding->rule, rule);
	if (!strstr(finding->message, part))
		fail_msg("\"%s\" is not in \"%s\"", part, finding->message);
	assert_int_equal(finding->line, line);
	assert_int_equal(finding->column, column);
	assert_int_equal(reading->err.code, ERR_RULE);
	assert_string_equal(reading->err.subject, "job.json");
	assert_non_null(strstr(err_text(&reading->err), rule));
	reading_free(reading);
}

static void assert_kind(const char *text, enum job_kind kind)
{
	struct reading *reading = read_as(text, NULL);
	assert_true(reading->ok);
	assert_int_equal(reading->request.kind, kind);
	assert_string_equal(reading->request.text, text);
	reading_free(reading);
}

static char *case_text(const char *name)
{
	char *text = mem_new(CASE_MAX, 1);
	if (anytext_shared(name, text, CASE_MAX))
		return text;
	free(text);
	return NULL;
}

/* "rule path line:column" of each finding, a line each. */
static void write_findings(const struct findings *findings, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		buf_addf(out, "%s %s %zu:%zu\n", finding->rule, finding->path, finding->line,
			 finding->column);
	}
}

static void assert_findings(const char *text, const char *expected)
{
	struct reading *reading = read_as(text, NULL);
	struct buf found;
	buf_init(&found, CASE_MAX);
	assert_true(reading->ok);
	assert_true(request_check(&reading->request, NULL, &reading->findings, &reading->err));
	write_findings(&reading->findings, &found);
	assert_string_equal(buf_text(&found), expected);
	buf_release(&found);
	reading_free(reading);
}

static void kind__is_guessed__from_the_members(void **state)
{
	(void)state;
	assert_kind("{\"TrainingJobName\": \"\"}", JOB_TRAINING);
	assert_kind("{\"ProcessingJobName\": null}", JOB_PROCESSING);
	assert_kind("{\"ResourceConfig\": {}}", JOB_TRAINING);
	assert_kind("{\"AppSpecification\": {}, \"RoleArn\": \"\"}", JOB_PROCESSING);
	assert_refused("{\"ProcessingJobName\":\"\",\"TrainingJobName\":\"\"}", "not-a-request",
		       "training and of a processing", 1, 1);
	assert_refused("{\"RoleArn\": \"\"}", "not-a-request", "no TrainingJobName", 1, 1);
	assert_refused("{}", "not-a-request", "no TrainingJobName", 1, 1);
}

static void kind__is_as_given__unless_the_name_says_otherwise(void **state)
{
	const enum job_kind wanted = JOB_PROCESSING;
	struct reading *reading = read_as("{\"RoleArn\": 1}", &wanted);
	(void)state;
	assert_true(reading->ok);
	assert_int_equal(reading->request.kind, JOB_PROCESSING);
	reading_free(reading);
	reading = read_as("{\"TrainingJobName\": 1}", &wanted);
	assert_false(reading->ok);
	assert_string_equal(reading->findings.items[0].rule, "not-a-request");
	reading_free(reading);
}

static void other_documents__are_called_by_name(void **state)
{
	(void)state;
	assert_refused("{\"TrainingJobName\":\"n\",\n \"TrainingJobArn\": \"a\","
		       "\"TrainingJobStatus\":\"Failed\"}",
		       "not-a-request", "DescribeTrainingJob reply", 2, 20);
	assert_refused("{\"ProcessingJobArn\":\"a\",\"ProcessingJobStatus\":\"Failed\"}",
		       "not-a-request", "DescribeProcessingJob reply", 1, 21);
	assert_refused("{\"TrainingJobSummaries\": []}", "not-a-request", "ListTrainingJobs", 1,
		       26);
	assert_refused("{\"InstancePreferences\": []}", "not-a-request", "ResourceConfig alone", 1,
		       25);
	assert_refused("{\"kind\":\"TrainingJob\",\"apiVersion\":\"v1\"}", "not-a-request",
		       "Kubernetes", 1, 36);
	assert_refused("{\"trainingJobName\": 1}", "not-a-request", "camel case", 1, 21);
	assert_refused(" [{\"TrainingJobName\": \"n\"}]", "not-a-request", "JSON array", 1, 2);
	assert_refused("3", "not-a-request", "single JSON value", 1, 1);
}

static void text__is_refused_with_its_place__when_it_is_not_json(void **state)
{
	(void)state;
	assert_refused("", "not-json", "Line 1, column 1:", 1, 1);
	assert_refused("{\"TrainingJobName\": \"n\",\n}", "not-json", "Line 1, column 24:", 1, 24);
	assert_refused("{\"a\": 1, \"a\": 2}", "not-json", "Line 1, column 10:", 1, 10);
	/* A state machine that is no JSON either is still called one. */
	assert_refused("{\"StartAt\": \"\t\", \"States\": {}}", "not-a-request", "state machine", 1,
		       1);
	assert_refused("\xFF\xFE{", "not-json", "UTF-16", 1, 1);
}

static void mark__of_utf8_is_skipped__at_the_start(void **state)
{
	struct reading *reading = read_as("\xEF\xBB\xBF{\"TrainingJobName\":1}", NULL);
	(void)state;
	assert_true(reading->ok);
	assert_string_equal(reading->request.text, "{\"TrainingJobName\":1}");
	reading_free(reading);
}

static void size__is_bounded(void **state)
{
	char *text = mem_new(REQUEST_MAX + 100, 1);
	(void)state;
	memset(text, ' ', REQUEST_MAX + 50);
	memcpy(text, "{\"TrainingJobName\":1}", 21);
	assert_refused(text, "not-a-request", "larger", 1, 1);
	text[REQUEST_MAX] = '\0';
	struct reading *reading = read_as(text, NULL);
	assert_true(reading->ok);
	reading_free(reading);
	free(text);
}

static void cases__of_strange_documents__are_recognised(void **state)
{
	static const struct {
		const char *file, *rule, *part;
		size_t line, column;
	} rows[] = {
		{ "cases/014-python-repr-not-json/input.txt", "not-json", "looks like Python", 1,
		  2 },
		{ "cases/020-json-with-hash-comments/input.json", "not-json",
		  "comments are not JSON", 4, 113 },
		{ "cases/027-step-functions-wrapper/input.json", "not-a-request",
		  "Step Functions state machine", 3, 14 },
		{ "cases/029-k8s-manifest-camelcase/input.yaml", "not-a-request",
		  "Kubernetes manifest in YAML", 1, 1 },
		{ "cases/017-full-cli-describe/input.json", "not-a-request",
		  "DescribeTrainingJob reply", 3, 21 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = case_text(rows[i].file);
		if (text)
			assert_refused(text, rows[i].rule, rows[i].part, rows[i].line,
				       rows[i].column);
		free(text);
	}
}

static void cases__of_requests__have_the_findings_that_they_should(void **state)
{
	static const struct {
		const char *file, *findings;
	} rows[] = {
		/* Three empty strings; ml.t3.large is in the training enum of 2026-11. */
		{ "cases/022-empty-name-and-wrong-family/input.json",
		  "name-invalid TrainingJobName 15:22\n"
		  "value-pattern OutputDataConfig.S3OutputPath 8:21\n"
		  "value-pattern InputDataConfig[0].DataSource.S3DataSource.S3Uri 31:20\n"
		  "placeholder OutputDataConfig.S3OutputPath 8:21\n"
		  "placeholder TrainingJobName 15:22\n"
		  "placeholder InputDataConfig[0].DataSource.S3DataSource.S3Uri 31:20\n" },
		{ "cases/024-no-input-data/input.json", "" },
		{ "cases/026-gpu-image-on-cpu-type/input.json",
		  "image-mismatch ResourceConfig.InstanceType 35:21\n" },
		/* The odd one is #4, with four GPUs where the others have one. */
		{ "cases/033-user-list-mixed-gpu-counts/input.json",
		  "required-member TrainingJobName 1:1\n"
		  "required-member RoleArn 1:1\n"
		  "required-member OutputDataConfig 1:1\n"
		  "required-member AlgorithmSpecification 1:1\n"
		  "gpu-memory-drop ResourceConfig.InstancePreferences[1].InstanceType 10:25\n"
		  "gpu-memory-drop ResourceConfig.InstancePreferences[2].InstanceType 13:25\n"
		  "gpu-memory-drop ResourceConfig.InstancePreferences[3].InstanceType 16:25\n"
		  "gpu-memory-drop ResourceConfig.InstancePreferences[4].InstanceType 19:25\n"
		  "architecture-change ResourceConfig.InstancePreferences[2].InstanceType 13:25\n"
		  "architecture-change ResourceConfig.InstancePreferences[3].InstanceType 16:25\n"
		  "compute-change ResourceConfig.InstancePreferences[3].InstanceCount 15:7\n"
		  "local-storage-drop ResourceConfig.InstancePreferences[4].InstanceType 19:25\n" },
		{ "cases/030-minimal-processing-template/input.json", "" },
		{ "cases/034-announcement-examples-slips/input.json",
		  "required-member TrainingJobName 1:1\n"
		  "required-member AlgorithmSpecification 1:1\n"
		  "required-member StoppingCondition 1:1\n"
		  "value-pattern RoleArn 2:28\n"
		  "value-pattern OutputDataConfig.S3OutputPath 4:27\n"
		  "unknown-type ResourceConfig.InstancePreferences[1].InstanceType 15:25\n"
		  "unknown-member processing_list 22:22\n"
		  "architecture-change ResourceConfig.InstancePreferences[2].InstanceType 18:25\n"
		  "local-storage-drop ResourceConfig.InstancePreferences[2].InstanceType 18:25\n" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = case_text(rows[i].file);
		if (text)
			assert_findings(text, rows[i].findings);
		free(text);
	}
}

/* A whole request around the ResourceConfig at a node, and the errors that it has. */
static void assert_config(const struct json_doc *doc, size_t node, const char *expected)
{
	struct buf text, found;
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct err err = { 0 };
	buf_init(&text, CASE_MAX);
	buf_init(&found, CASE_MAX);
	buf_add_text(&text, HEAD "\"ResourceConfig\":");
	buf_add(&text, doc->text + doc->nodes[node].start,
		doc->nodes[node].end - doc->nodes[node].start);
	buf_add_text(&text, "}");
	struct request request = { .text = buf_take(&text) };
	assert_true(request_check(&request, NULL, findings, &err));
	for (size_t i = 0; i < findings->count; i++) {
		if (findings->items[i].severity == SEVERITY_ERROR)
			buf_addf(&found, "%s ", findings->items[i].rule);
	}
	assert_string_equal(buf_text(&found), expected);
	assert_int_equal(findings_have_error(findings), expected[0] != '\0');
	request_release(&request);
	buf_release(&found);
	buf_release(&text);
	free(findings);
}

static void case_031__accepts_four_lists__and_names_the_rule_of_eight(void **state)
{
	static const struct {
		const char *name, *rules;
	} rejected[] = {
		{ "counts_in_both_places", "count-mixed " },
		{ "counts_nowhere", "count-missing " },
		{ "count_on_some_entries", "count-mixed " },
		{ "type_twice", "duplicate-type " },
		{ "with_instance_type", "exclusive-member " },
		{ "plan_in_both_places", "plan-level-mixed " },
		{ "two_plans_on_one_entry", "plan-too-many " },
		{ "empty_list", "list-length " },
	};
	char *text = case_text("cases/031-preference-list-valid-and-invalid/input.json");
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	(void)state;
	if (!text)
		return;
	assert_true(json_doc_parse(&doc, text, strlen(text), &err));
	size_t accepted = json_doc_path(&doc, "accepted"), count = 0;
	for (size_t node = json_doc_child(&doc, accepted); node != JSON_NONE;
	     node = json_doc_next(&doc, node), count++)
		assert_config(&doc, node, "");
	assert_int_equal(count, 4);
	size_t refused = json_doc_path(&doc, "rejected");
	assert_int_equal(json_doc_length(&doc, refused), ARRAY_LEN(rejected));
	for (size_t i = 0; i < ARRAY_LEN(rejected); i++)
		assert_config(&doc, json_doc_member(&doc, refused, rejected[i].name),
			      rejected[i].rules);
	json_doc_release(&doc);
	free(text);
}

/* The guide's 1,800 s in a whole request: a warning at its place, a fix, and no error. */
static void case_078__limit_of_the_guide__is_warned_of_and_not_refused(void **state)
{
	static const char config[] =
		"{\"TrainingJobName\":\"n\",\"RoleArn\":\"arn:aws:iam::111122223333:role/R\","
		"\"AlgorithmSpecification\":{\"TrainingImage\":\"i\",\"TrainingInputMode\":"
		"\"File\"},\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/p\"},"
		"\"ResourceConfig\":{\"VolumeSizeInGB\":9,\"InstanceCount\":1,"
		"\"InstancePreferences\":[{\"InstanceType\":\"ml.p5.48xlarge\"},"
		"{\"InstanceType\":\"ml.p5e.48xlarge\"}]},";
	char *text = case_text("cases/078-pending-limit-contradiction/input.json");
	struct buf whole;
	(void)state;
	if (!text)
		return;
	buf_init(&whole, CASE_MAX);
	buf_addf(&whole, "%s%s", config, strchr(text, '{') + 1);
	struct reading *reading = read_as(buf_text(&whole), NULL);
	assert_true(reading->ok);
	assert_true(request_check(&reading->request, NULL, &reading->findings, &reading->err));
	assert_false(findings_have_error(&reading->findings));
	assert_int_equal(reading->findings.count, 1);
	const struct finding *finding = &reading->findings.items[0];
	assert_string_equal(finding->rule, "max-pending-range");
	assert_string_equal(finding->path, "StoppingCondition.MaxPendingTimeInSeconds");
	assert_int_equal(finding->severity, SEVERITY_WARNING);
	assert_string_equal(finding->fix_value, "7200");
	reading_free(reading);
	buf_release(&whole);
	free(text);
}

/* A request with a list that takes the place of the single type, read from the two templates. */
static void cases__keep_their_other_bytes__when_the_list_is_set(void **state)
{
	static const struct {
		const char *file, *old, *new;
	} rows[] = {
		{ "cases/030-minimal-processing-template/input.json",
		  "      \"InstanceType\": \"ml.m5.xlarge\",\n",
		  "      \"InstancePreferences\": [\n"
		  "        {\n          \"InstanceType\": \"ml.m5.2xlarge\"\n        },\n"
		  "        {\n          \"InstanceType\": \"ml.m5.xlarge\"\n        }\n      "
		  "],\n" },
		{ "cases/024-no-input-data/input.json", "    \"InstanceType\": \"ml.m5.large\",\n",
		  "    \"InstancePreferences\": [\n"
		  "      {\n        \"InstanceType\": \"ml.m5.2xlarge\"\n      },\n"
		  "      {\n        \"InstanceType\": \"ml.m5.xlarge\"\n      }\n    ],\n" },
	};
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	(void)state;
	assert_true(prefs_parse(&prefs, "ml.m5.2xlarge,ml.m5.xlarge", 1, &err));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = case_text(rows[i].file);
		if (!text)
			continue;
		struct reading *reading = read_as(text, NULL);
		struct buf expected;
		const char *at = strstr(text, rows[i].old);
		assert_non_null(at);
		buf_init(&expected, CASE_MAX);
		buf_add(&expected, text, (size_t)(at - text));
		buf_addf(&expected, "%s%s", rows[i].new, at + strlen(rows[i].old));
		assert_true(request_set_preferences(&reading->request, &prefs, &err));
		assert_string_equal(reading->request.text, buf_text(&expected));
		buf_release(&expected);
		reading_free(reading);
		free(text);
	}
}

static void members__are_checked__against_the_service_model(void **state)
{
	static const char type[] = "\"ResourceConfig\":{\"InstanceType\":\"ml.g5.xlarge\","
				   "\"InstanceCount\":1";
	static const struct {
		const char *rest, *findings;
	} rows[] = {
		{ "}}", "" },
		{ ",\"VolumeSizeInGB\":-1}}", "value-range ResourceConfig.VolumeSizeInGB 2:84\n" },
		{ ",\"VolumeSizeInGB\":\"3\"}}",
		  "value-pattern ResourceConfig.VolumeSizeInGB 2:84\n" },
		{ ",\"VolumeSizeInGB\":1.5}}",
		  "value-pattern ResourceConfig.VolumeSizeInGB 2:84\n" },
		{ ",\"VolumeSizeInGB\":3e1}}", "" },
		{ ",\"VolumeSizeInGB\":null}}", "" },
		{ ",\"KeepAlivePeriodInSeconds\":21601}}",
		  "value-range ResourceConfig.KeepAlivePeriodInSeconds 2:94\n" },
		{ ",\"SelectedInstanceCount\":1}}",
		  "read-only-member ResourceConfig.SelectedInstanceCount 2:91\n" },
		{ ",\"Volume\":1}}", "unknown-member ResourceConfig.Volume 2:76\n" },
		{ "},\"InputDataConfig\":[]}", "value-range InputDataConfig 2:86\n" },
		{ "},\"InputDataConfig\":{}}", "value-pattern InputDataConfig 2:86\n" },
		{ "},\"InputDataConfig\":[{\"ChannelName\":\"a b\"}]}",
		  "required-member InputDataConfig[0].DataSource 2:87\n"
		  "value-pattern InputDataConfig[0].ChannelName 2:104\n" },
		{ "},\"Environment\":{\"A-B\":\"x\"}}", "value-pattern Environment.A-B 2:83\n" },
		{ "},\"EnableManagedSpotTraining\":true}",
		  "spot-wait-missing StoppingCondition.MaxWaitTimeInSeconds 1:210\n"
		  "spot-no-checkpoint CheckpointConfig 1:1\n" },
		{ "},\"EnableNetworkIsolation\":\"no\"}",
		  "value-pattern EnableNetworkIsolation 2:93\n" },
	};
	struct buf text;
	(void)state;
	buf_init(&text, CASE_MAX);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		buf_clear(&text);
		buf_addf(&text, HEAD "%s%s", type, rows[i].rest);
		assert_findings(buf_text(&text), rows[i].findings);
	}
	buf_release(&text);
}

static void message__says_where_the_blank_is__in_an_arn(void **state)
{
	struct reading *reading = read_as("{\"TrainingJobName\":\"n\",\"RoleArn\":"
					  "\"arn:aws:iam:: 111122223333:role/R\"}",
					  NULL);
	const struct finding *found = NULL;
	(void)state;
	assert_true(request_check(&reading->request, NULL, &reading->findings, &reading->err));
	for (size_t i = 0; i < reading->findings.count; i++) {
		if (strcmp(reading->findings.items[i].rule, "value-pattern") == 0)
			found = &reading->findings.items[i];
	}
	if (!found)
		fail_msg("value-pattern was not found");
	else
		assert_int_equal(found->column, 48);
	assert_non_null(found);
	assert_string_equal(found->message,
			    "RoleArn has a blank as character 14, where none may be.");
	assert_string_equal(found->fix_text, "Write it like arn:aws:iam::111122223333:role/NAME.");
	reading_free(reading);
}

static void processing__is_checked__by_its_own_limits(void **state)
{
	static const char head[] =
		"{\"ProcessingJobName\":\"n\",\"RoleArn\":"
		"\"arn:aws:iam::111122223333:role/R\",\"AppSpecification\":"
		"{\"ImageUri\":\"i\"},\"ProcessingResources\":{\"ClusterConfig\":{";
	static const struct {
		const char *rest, *findings;
	} rows[] = {
		{ "\"VolumeSizeInGB\":1,\"InstanceCount\":1,\"InstanceType\":\"ml.m5.large\"}}}",
		  "" },
		{ "\"VolumeSizeInGB\":1,\"InstanceCount\":1}}}",
		  "required-member ProcessingResources.ClusterConfig.InstanceType 1:146\n" },
		{ "\"InstanceCount\":101,\"InstanceType\":\"ml.m5.large\"}},"
		  "\"StoppingCondition\":{\"MaxRuntimeInSeconds\":777601,"
		  "\"MaxPendingTimeInSeconds\":7200}}",
		  "required-member ProcessingResources.ClusterConfig.VolumeSizeInGB 1:146\n"
		  "value-range ProcessingResources.ClusterConfig.InstanceCount 1:163\n"
		  "value-range StoppingCondition.MaxRuntimeInSeconds 1:241\n"
		  "max-pending-processing StoppingCondition.MaxPendingTimeInSeconds 1:274\n" },
	};
	struct buf text;
	(void)state;
	buf_init(&text, CASE_MAX);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		buf_clear(&text);
		buf_addf(&text, "%s%s", head, rows[i].rest);
		assert_findings(buf_text(&text), rows[i].findings);
	}
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kind__is_guessed__from_the_members),
		cmocka_unit_test(kind__is_as_given__unless_the_name_says_otherwise),
		cmocka_unit_test(other_documents__are_called_by_name),
		cmocka_unit_test(text__is_refused_with_its_place__when_it_is_not_json),
		cmocka_unit_test(mark__of_utf8_is_skipped__at_the_start),
		cmocka_unit_test(size__is_bounded),
		cmocka_unit_test(cases__of_strange_documents__are_recognised),
		cmocka_unit_test(cases__of_requests__have_the_findings_that_they_should),
		cmocka_unit_test(case_031__accepts_four_lists__and_names_the_rule_of_eight),
		cmocka_unit_test(case_078__limit_of_the_guide__is_warned_of_and_not_refused),
		cmocka_unit_test(cases__keep_their_other_bytes__when_the_list_is_set),
		cmocka_unit_test(members__are_checked__against_the_service_model),
		cmocka_unit_test(message__says_where_the_blank_is__in_an_arn),
		cmocka_unit_test(processing__is_checked__by_its_own_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
