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

#define NEW_LIST                                                                                   \
	"\"InstancePreferences\": [{\"InstanceType\": \"ml.g6.48xlarge\", \"InstanceCount\": 2}, " \
	"{\"InstanceType\": \"ml.g5.48xlarge\", \"InstanceCount\": 4}]"

static struct preferences list_of(const char *text, int64_t shared)
{
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	assert_true(prefs_parse(&prefs, text, shared, &err));
	return prefs;
}

static struct request training(const char *text)
{
	return (struct request){ .kind = JOB_TRAINING, .text = mem_copy_text(text) };
}

static struct request processing(const char *text)
{
	return (struct request){ .kind = JOB_PROCESSING, .text = mem_copy_text(text) };
}

/* Sets the list in a request of that text and compares the whole text; the request is released. */
static void assert_set(struct request request, const struct preferences *prefs,
		       const char *expected)
{
	struct err err = { 0 };
	assert_true(request_set_preferences(&request, prefs, &err));
	assert_string_equal(request.text, expected);
	request_release(&request);
}

static void list__replaces_the_single_type__in_its_place(void **state)
{
	struct preferences prefs = list_of("ml.g6.48xlarge:2,ml.g5.48xlarge:4", 0);
	(void)state;
	assert_set(training("{\"A\": 1.0, \"ResourceConfig\": {\"InstanceType\": \"ml.m5.large\", "
			    "\"InstanceCount\": 1, \"VolumeSizeInGB\": 12345678901234567890}, "
			    "\"B\":[ ]}"),
		   &prefs,
		   "{\"A\": 1.0, \"ResourceConfig\": {" NEW_LIST
		   ", \"VolumeSizeInGB\": 12345678901234567890}, \"B\":[ ]}");
	assert_set(training("{\"ResourceConfig\":{\"InstanceType\":\"ml.m5.large\"}}"), &prefs,
		   "{\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceType\":"
		   "\"ml.g6.48xlarge\",\"InstanceCount\":2},{\"InstanceType\":\"ml.g5.48xlarge\","
		   "\"InstanceCount\":4}]}}");
	prefs = list_of("ml.g6.48xlarge,ml.g5.48xlarge", 3);
	assert_set(training("{\n  \"ResourceConfig\": {\n    \"VolumeSizeInGB\": 30\n  }\n}\n"),
		   &prefs,
		   "{\n  \"ResourceConfig\": {\n    \"VolumeSizeInGB\": 30,\n"
		   "    \"InstanceCount\": 3,\n"
		   "    \"InstancePreferences\": [\n"
		   "      {\n        \"InstanceType\": \"ml.g6.48xlarge\"\n      },\n"
		   "      {\n        \"InstanceType\": \"ml.g5.48xlarge\"\n      }\n"
		   "    ]\n  }\n}\n");
}

static void list__makes_the_objects_that_it_needs(void **state)
{
	struct preferences prefs = list_of("ml.g6.48xlarge:2,ml.g5.48xlarge:4", 0);
	struct err err = { 0 };
	(void)state;
	assert_set(training("{}"), &prefs, "{\"ResourceConfig\": {" NEW_LIST "}}");
	assert_set(training("{\"ResourceConfig\": null, \"B\": 1}"), &prefs,
		   "{\"ResourceConfig\": {" NEW_LIST "}, \"B\": 1}");
	assert_set(processing("{\"ProcessingResources\": {}}"), &prefs,
		   "{\"ProcessingResources\": {\"ClusterConfig\": {" NEW_LIST "}}}");
	struct request wrong = training("{\"ResourceConfig\": \"x\"}");
	assert_false(request_set_preferences(&wrong, &prefs, &err));
	assert_int_equal(err.code, ERR_RULE);
	assert_string_equal(wrong.text, "{\"ResourceConfig\": \"x\"}");
	err_clear(&err);
	request_release(&wrong);
}

static void list__moves_entries_with_their_bytes__when_reordered(void **state)
{
	static const char text[] =
		"{\"ResourceConfig\": {\"InstancePreferences\": [\n"
		"  {\"InstanceType\" : \"ml.p5.48xlarge\", \"Future\": {\"a\": 1.0}},\n"
		"  { \"InstanceType\": \"ml.p4d.24xlarge\" }\n ], \"InstanceCount\": 2.0}}";
	struct preferences prefs = list_of("ml.p4d.24xlarge,ml.p5.48xlarge", 2);
	(void)state;
	assert_set(training(text), &prefs,
		   "{\"ResourceConfig\": {\"InstancePreferences\": [\n"
		   "  { \"InstanceType\": \"ml.p4d.24xlarge\" },\n"
		   "  {\"InstanceType\" : \"ml.p5.48xlarge\", \"Future\": {\"a\": 1.0}}\n"
		   " ], \"InstanceCount\": 2.0}}");
	/* A changed entry keeps what is not asked for; a new one gets nothing that is not its own.
	 */
	prefs = list_of("ml.g5.48xlarge,ml.p5.48xlarge@arn:x", 4);
	assert_set(training(text), &prefs,
		   "{\"ResourceConfig\": {\"InstancePreferences\": [\n"
		   "  {\"InstanceType\" : \"ml.g5.48xlarge\"},\n"
		   "  {\"InstanceType\" : \"ml.p5.48xlarge\", \"Future\": {\"a\": 1.0}, "
		   "\"TrainingPlanArns\" : [\"arn:x\"]}\n"
		   " ], \"InstanceCount\": 4}}");
}

static void list__grows_on_one_line_as_it_was_written(void **state)
{
	struct preferences prefs = list_of("ml.p4d.24xlarge,ml.p5.48xlarge,ml.g5.48xlarge", 2);
	(void)state;
	assert_set(training("{\"ResourceConfig\": {\"InstanceCount\": 2, \"InstancePreferences\": "
			    "[{\"InstanceType\": \"ml.p4d.24xlarge\"}]}}"),
		   &prefs,
		   "{\"ResourceConfig\": {\"InstanceCount\": 2, \"InstancePreferences\": "
		   "[{\"InstanceType\": \"ml.p4d.24xlarge\"}, {\"InstanceType\": "
		   "\"ml.p5.48xlarge\"}, {\"InstanceType\": \"ml.g5.48xlarge\"}]}}");
	assert_set(training(
			   "{\"ResourceConfig\":{\"InstanceCount\":2,\"InstancePreferences\":[]}}"),
		   &prefs,
		   "{\"ResourceConfig\":{\"InstanceCount\":2,\"InstancePreferences\":"
		   "[{\"InstanceType\":\"ml.p4d.24xlarge\"},{\"InstanceType\":"
		   "\"ml.p5.48xlarge\"},{\"InstanceType\":\"ml.g5.48xlarge\"}]}}");
}

static void list__changes_nothing__when_it_says_the_same(void **state)
{
	static const char *const texts[] = {
		"{\"ResourceConfig\":{\"InstancePreferences\":[ "
		"{\"InstanceType\":\"ml.p4d.24xlarge\","
		"\"TrainingPlanArns\":[ ]} ],\"InstanceCount\":2.0}}",
		"{\"ResourceConfig\":{\"InstanceType\":\"ml.p4d.24xlarge\",\"InstanceCount\" : "
		"2e0}}",
	};
	struct request_facts facts;
	struct err err = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct request request = training(texts[i]);
		assert_true(request_facts(&request, &facts, &err));
		assert_set(request, &facts.prefs, texts[i]);
	}
}

static void one_type__stays_without_a_list__when_only_the_count_changes(void **state)
{
	struct preferences prefs = {
		.length = 1,
		.entries = { { .instance_type = "ml.p4d.24xlarge", .has_count = true, .count = 3 } }
	};
	(void)state;
	assert_set(training("{\"ResourceConfig\": {\"InstanceType\": \"ml.p4d.24xlarge\", "
			    "\"InstanceCount\": 2, \"TrainingPlanArn\": \"arn:x\"}}"),
		   &prefs,
		   "{\"ResourceConfig\": {\"InstanceType\": \"ml.p4d.24xlarge\", "
		   "\"InstanceCount\": 3}}");
}

static void list__is_refused__when_made_of_groups_or_empty(void **state)
{
	struct preferences groups = {
		.length = 1, .entries = { { .instance_type = "ml.g5.xlarge", .group = "workers" } }
	};
	struct preferences empty = { 0 };
	struct request request =
		training("{\"ResourceConfig\": {\"InstanceType\": \"ml.m5.large\"}}");
	struct err err = { 0 };
	(void)state;
	assert_false(request_set_preferences(&request, &groups, &err));
	assert_int_equal(err.code, ERR_USAGE);
	assert_false(request_set_preferences(&request, &empty, &err));
	assert_int_equal(err.code, ERR_USAGE);
	assert_string_equal(request.text,
			    "{\"ResourceConfig\": {\"InstanceType\": \"ml.m5.large\"}}");
	err_clear(&err);
	request_release(&request);
}

static struct preferences random_list(uint32_t *seed)
{
	static const char *const types[] = { "ml.p5.48xlarge", "ml.p4d.24xlarge", "ml.g5.48xlarge",
					     "ml.g6.48xlarge", "ml.m5.large",     "ml.\"\\odd" };
	struct preferences prefs = { .is_list = true };
	bool shared = anytext_random(seed) % 2;
	size_t first = anytext_random(seed) % ARRAY_LEN(types);
	prefs.length = anytext_random(seed) % (PREFS_MAX + 1);
	prefs.has_shared_count = shared;
	prefs.shared_count = shared ? anytext_random(seed) % 9 : 0;
	for (size_t i = 0; i < prefs.length; i++) {
		struct preference *entry = &prefs.entries[i];
		const char *type = types[(first + i) % ARRAY_LEN(types)];
		memcpy(entry->instance_type, type, strlen(type));
		entry->has_count = !shared && anytext_random(seed) % 4 > 0;
		entry->count = entry->has_count ? anytext_random(seed) % 9 : 0;
		if (anytext_random(seed) % 3 == 0)
			memcpy(entry->plan_arn, "arn:plan/a\"", 12);
	}
	if (anytext_random(seed) % 4 == 0)
		memcpy(prefs.job_plan_arn, "arn:plan/job", 13);
	return prefs;
}

/* One list after another in the same document: each is read back as it was set. */
static void lists__are_read_back_as_set__in_any_order(void **state)
{
	static const char head[] = "{\"X\" :[1.0,{}],\"ResourceConfig\":";
	static const char tail[] = ",\"Z\": 12345678901234567890 }\n";
	uint32_t seed = 7;
	struct err err = { 0 };
	struct request_facts facts;
	struct request request =
		training("{\"X\" :[1.0,{}],\"ResourceConfig\":{\n \"KeepMe\": -0 },"
			 "\"Z\": 12345678901234567890 }\n");
	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct preferences prefs = random_list(&seed);
		assert_true(request_set_preferences(&request, &prefs, &err));
		assert_true(request_facts(&request, &facts, &err));
		assert_true(prefs_equal(&facts.prefs, &prefs));
		assert_false(facts.has_instance_type);
		size_t len = strlen(request.text);
		assert_memory_equal(request.text, head, sizeof(head) - 1);
		assert_string_equal(request.text + len - (sizeof(tail) - 1), tail);
		assert_non_null(strstr(request.text, "\"KeepMe\": -0"));
	}
	request_release(&request);
}

/* Members of the wrong type are left for the rules to name; setting a list never breaks the text.
 */
static void list__is_set__in_documents_of_wrong_types(void **state)
{
	static const char *const texts[] = {
		"{\"ResourceConfig\":{\"InstancePreferences\":{}}}",
		"{\"ResourceConfig\":{\"InstancePreferences\":[null,3,\"ml.p5.48xlarge\",[{}]]}}",
		"{\"ResourceConfig\":{\"InstancePreferences\":[[ ] , {\"InstanceType\":{}}]}}",
		"{\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceCount\":[1]}]}}",
		"{\"ResourceConfig\":{\"InstancePreferences\":[{\"TrainingPlanArns\":\"x\"}]}}",
		"{\"ResourceConfig\":{\"InstanceType\":[],\"TrainingPlanArn\":7}}",
		"{\"ResourceConfig\":{\"InstanceGroups\":[1,{\"InstanceGroupName\":[]}]}}",
	};
	struct preferences prefs = list_of("ml.g6.48xlarge:2,ml.p5.48xlarge:4@arn:x", 0);
	struct request_facts facts;
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct err err = { 0 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct request request = training(texts[i]);
		assert_true(request_check(&request, NULL, findings, &err));
		assert_true(findings_have_error(findings));
		assert_true(request_set_preferences(&request, &prefs, &err));
		assert_true(request_facts(&request, &facts, &err));
		assert_true(prefs_equal(&facts.prefs, &prefs));
		request_release(&request);
	}
	free(findings);
}

static void name_and_limit__are_set__without_touching_the_rest(void **state)
{
	struct request request = training("{\"A\":1.0,\"TrainingJobName\" : \"old\"}");
	struct err err = { 0 };
	(void)state;
	assert_true(request_set_name(&request, "new-\"1", &err));
	assert_string_equal(request.text, "{\"A\":1.0,\"TrainingJobName\" : \"new-\\\"1\"}");
	assert_true(request_set_max_pending(&request, 21600, &err));
	assert_string_equal(request.text,
			    "{\"A\":1.0,\"TrainingJobName\" : \"new-\\\"1\","
			    "\"StoppingCondition\":{\"MaxPendingTimeInSeconds\":21600}}");
	assert_true(request_set_max_pending(&request, 7200, &err));
	assert_non_null(strstr(request.text, "{\"MaxPendingTimeInSeconds\":7200}"));
	request_release(&request);

	request = processing("{\"A\":1.0}");
	assert_true(request_set_name(&request, "p", &err));
	assert_string_equal(request.text, "{\"A\":1.0,\"ProcessingJobName\":\"p\"}");
	assert_false(request_set_max_pending(&request, 7200, &err));
	assert_int_equal(err.code, ERR_USAGE);
	err_clear(&err);
	request_release(&request);
}

static void copy__drops_what_only_a_reply_has__and_keeps_every_other_byte(void **state)
{
	static const char describe[] =
		"{\"TrainingJobName\":\"old\",\"TrainingJobArn\":\"arn:x\",\"TrainingJobStatus\":"
		"\"InProgress\",\"SecondaryStatus\":\"Pending\",\"HyperParameters\":{\"lr\":\"1."
		"0\"},"
		"\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceType\":\"ml.p5.48xlarge\"}"
		"],"
		"\"InstanceCount\":2,\"SelectedInstanceType\":\"ml.p5.48xlarge\","
		"\"SelectedInstanceCount\":2,\"Future\":1e400},\"CheckpointConfig\":null,"
		"\"FutureMember\":{\"n\":12345678901234567890,\"x\":null},\"CreationTime\":1.7E9,"
		"\"InputDataConfig\":[{\"ChannelName\":\"a\",\"InstanceGroupNames\":[\"g\"]}],"
		"\"Tags\":[{\"Key\":\"k\",\"Value\":\"v\"}],\"WarmPoolStatus\":{}}";
	struct request request = { 0 };
	struct err err = { 0 };
	(void)state;
	assert_true(request_from_describe(&request, JOB_TRAINING, describe, "new", &err));
	assert_string_equal(
		request.text,
		"{\"TrainingJobName\":\"new\",\"HyperParameters\":{\"lr\":\"1.0\"},"
		"\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceType\":\"ml.p5.48xlarge\"}"
		"],"
		"\"InstanceCount\":2,\"Future\":1e400},"
		"\"FutureMember\":{\"n\":12345678901234567890,\"x\":null},"
		"\"InputDataConfig\":[{\"ChannelName\":\"a\",\"InstanceGroupNames\":[\"g\"]}]}");
	request_release(&request);
	assert_false(request_from_describe(&request, JOB_TRAINING, "{\"a\":", "new", &err));
	assert_int_equal(err.code, ERR_PARSE);
	assert_null(request.text);
	assert_false(request_from_describe(&request, JOB_TRAINING, NULL, "new", &err));
	assert_false(request_from_describe(&request, JOB_TRAINING, "[]", "new", &err));
	err_clear(&err);
}

/* The members of the model's reply that its Create request lacks are exactly those dropped. */
static void copy__drops_the_difference__of_the_service_model(void **state)
{
	static const struct {
		enum job_kind kind;
		const char *reply, *create;
	} pairs[] = {
		{ JOB_TRAINING, "shapes.DescribeTrainingJobResponse.members",
		  "shapes.CreateTrainingJobRequest.members" },
		{ JOB_PROCESSING, "shapes.DescribeProcessingJobResponse.members",
		  "shapes.CreateProcessingJobRequest.members" },
	};
	char *text = mem_new(1u << 20, 1);
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	(void)state;
	if (!anytext_shared("data/sagemaker-model.json", text, 1u << 20)) {
		free(text);
		return;
	}
	assert_true(json_doc_parse(&doc, text, strlen(text), &err));
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		size_t reply = json_doc_path(&doc, pairs[i].reply);
		size_t create = json_doc_path(&doc, pairs[i].create);
		assert_true(json_doc_length(&doc, reply) > 10);
		for (size_t node = json_doc_child(&doc, reply); node != JSON_NONE;
		     node = json_doc_next(&doc, node)) {
			struct request request = { 0 };
			struct buf key, describe;
			buf_init(&key, 100);
			buf_init(&describe, 1000);
			assert_true(json_doc_key(&doc, node, &key));
			buf_addf(&describe, "{\"%s\": 1}", buf_text(&key));
			assert_true(request_from_describe(&request, pairs[i].kind,
							  buf_text(&describe), "n", &err));
			bool kept = strstr(request.text, buf_text(&key)) != NULL;
			bool known = json_doc_member(&doc, create, buf_text(&key)) != JSON_NONE;
			assert_int_equal(kept, known);
			request_release(&request);
			buf_release(&key);
			buf_release(&describe);
		}
	}
	json_doc_release(&doc);
	free(text);
}

static void facts__tell_groups_plans_and_what_stands_beside(void **state)
{
	struct request request = training(
		"{\"TrainingJobName\":\"n\",\"EnableManagedSpotTraining\":true,\"ResourceConfig\":{"
		"\"InstanceGroups\":[{\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":2,"
		"\"InstanceGroupName\":\"a\"},{\"InstanceType\":\"ml.m5.large\",\"InstanceCount\":"
		"1,"
		"\"InstanceGroupName\":\"b\"}]},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":"
		"3600,"
		"\"MaxPendingTimeInSeconds\":7200}}");
	struct request_facts facts;
	struct err err = { 0 };
	(void)state;
	assert_true(request_facts(&request, &facts, &err));
	assert_string_equal(facts.name, "n");
	assert_false(facts.has_list || facts.has_instance_type || facts.has_placement);
	assert_true(facts.has_instance_groups && facts.has_spot);
	assert_int_equal(facts.prefs.length, 2);
	assert_string_equal(facts.prefs.entries[1].group, "b");
	assert_int_equal(facts.prefs.entries[0].count, 2);
	assert_int_equal(facts.max_runtime.ms, 3600000);
	assert_int_equal(facts.max_pending.ms, 7200000);
	request_release(&request);

	request =
		processing("{\"ProcessingResources\":{\"ClusterConfig\":{\"InstancePreferences\":["
			   "{\"InstanceType\":\"a\"},{\"InstanceType\":\"b\",\"TrainingPlanArns\":"
			   "[\"x\",\"y\"]},{},{},{},{},{},{},{}],\"InstanceCount\":3,"
			   "\"SelectedInstanceType\":\"a\"}}}");
	assert_true(request_facts(&request, &facts, &err));
	assert_true(facts.has_list && facts.has_selected_members && facts.processing_has_plan);
	assert_int_equal(facts.list_length, 9);
	assert_int_equal(facts.prefs.length, PREFS_KEEP_MAX);
	assert_true(facts.has_plan_on_entry_twice);
	assert_int_equal(facts.plan_twice_entry, 1);
	assert_string_equal(facts.prefs.entries[1].plan_arn, "x");
	assert_int_equal(facts.prefs.shared_count, 3);
	assert_false(facts.max_runtime.set || facts.max_pending.set);
	request_release(&request);
}

/* What is shown of a text, with all its secrets or without. */
static void assert_shown(const char *text, bool reveal, const char *expected)
{
	struct request request = training(text);
	struct buf out;
	buf_init(&out, CASE_MAX);
	request_show(&request, reveal, &out);
	assert_string_equal(buf_text(&out), expected);
	buf_release(&out);
	request_release(&request);
}

static void show__indents_by_two__and_keeps_numbers(void **state)
{
	(void)state;
	assert_shown("{\"a\":[1.0,{}, [ ]],\"b\" : {\"c\":12345678901234567890}}", false,
		     "{\n  \"a\": [\n    1.0,\n    {},\n    []\n  ],\n  \"b\": {\n"
		     "    \"c\": 12345678901234567890\n  }\n}\n");
	assert_shown(
		"{\"a\": ", false,
		"(not shown: line 1, column 7: a value expected, but the text ends: the '{' of "
		"line 1, column 1 is not closed)\n");
}

static void show__hides_secrets__unless_asked_to_reveal(void **state)
{
	static const char text[] =
		"{\"Environment\":{\"WANDB_API_KEY\":\"0123\",\"region\":\"x\"}}";
	(void)state;
	assert_shown(text, false,
		     "{\n  \"Environment\": {\n    \"WANDB_API_KEY\": \"(hidden)\",\n"
		     "    \"region\": \"x\"\n  }\n}\n");
	assert_shown(text, true,
		     "{\n  \"Environment\": {\n    \"WANDB_API_KEY\": \"0123\",\n"
		     "    \"region\": \"x\"\n  }\n}\n");
	assert_shown("{\"HyperParameters\":{\"db\\u005fpassword\":{\"a\":1},\"u\":"
		     "\"\\u0041KIAIOSFODNN7EXAMPLE\"}}",
		     false,
		     "{\n  \"HyperParameters\": {\n    \"db\\u005fpassword\": \"(hidden)\",\n"
		     "    \"u\": \"(hidden)\"\n  }\n}\n");
	assert_shown("{\"Environment\":{\"a\":[{\"MY_TOKEN\":1}]}}", false,
		     "{\n  \"Environment\": {\n    \"a\": [\n      {\n"
		     "        \"MY_TOKEN\": \"(hidden)\"\n      }\n    ]\n  }\n}\n");
	/* Tokens of a known form are hidden wherever they stand; names count in the two maps only.
	 */
	assert_shown("{\"VolumeKmsKeyId\":\"k\",\"ContainerArguments\":[\"--t=hf_abcdefghijk\"]}",
		     false,
		     "{\n  \"VolumeKmsKeyId\": \"k\",\n  \"ContainerArguments\": [\n"
		     "    \"(hidden)\"\n  ]\n}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(list__replaces_the_single_type__in_its_place),
		cmocka_unit_test(list__makes_the_objects_that_it_needs),
		cmocka_unit_test(list__moves_entries_with_their_bytes__when_reordered),
		cmocka_unit_test(list__grows_on_one_line_as_it_was_written),
		cmocka_unit_test(list__changes_nothing__when_it_says_the_same),
		cmocka_unit_test(one_type__stays_without_a_list__when_only_the_count_changes),
		cmocka_unit_test(list__is_refused__when_made_of_groups_or_empty),
		cmocka_unit_test(lists__are_read_back_as_set__in_any_order),
		cmocka_unit_test(list__is_set__in_documents_of_wrong_types),
		cmocka_unit_test(name_and_limit__are_set__without_touching_the_rest),
		cmocka_unit_test(copy__drops_what_only_a_reply_has__and_keeps_every_other_byte),
		cmocka_unit_test(copy__drops_the_difference__of_the_service_model),
		cmocka_unit_test(facts__tell_groups_plans_and_what_stands_beside),
		cmocka_unit_test(show__indents_by_two__and_keeps_numbers),
		cmocka_unit_test(show__hides_secrets__unless_asked_to_reveal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
