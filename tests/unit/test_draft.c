/* A draft: what is edited, how far back undo goes, what would be sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/draft.h"
#include "model/request_tags.h"
#include "tests/shared.h"

#define ARN "arn:aws:sagemaker:us-east-1:111122223333:training-job/llm-ft-0930"

/* Odd blanks and members that nobody knows: all of it has to come through. */
#define TEXT(name, list)                                                         \
	"{\"TrainingJobName\":\"" name "\" ,\n  \"Zukunft\" : [1.50,  null ],\n" \
	"  \"ResourceConfig\": {" list ", \"VolumeSizeInGB\": 50},\n"            \
	"  \"StoppingCondition\": {\"MaxRuntimeInSeconds\": 3600}}"
#define OLD_LIST                                                                                   \
	"\"InstancePreferences\": [ {\"InstanceType\":\"ml.p5.48xlarge\", \"InstanceCount\":2},\n" \
	"\t{ \"InstanceType\": \"ml.p4d.24xlarge\",\"InstanceCount\": 4 } ]"
#define MOVED_LIST                                                                                 \
	"\"InstancePreferences\": [ { \"InstanceType\": \"ml.p4d.24xlarge\",\"InstanceCount\": 4 " \
	"},\n"                                                                                     \
	"\t{\"InstanceType\":\"ml.p5.48xlarge\", \"InstanceCount\":2} ]"
#define REPLY(text) "{\"TrainingJobArn\":\"" ARN "\",\"TrainingJobStatus\":\"InProgress\"," text

static struct preferences list_of(const char *text)
{
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	assert_true(prefs_parse(&prefs, text, 0, &err));
	return prefs;
}

/* A described job; release with job_release. */
static struct job make_job(const char *request_json)
{
	struct job job = { .name = "llm-ft-0930",
			   .described = true,
			   .max_runtime = { true, 3600000 } };
	*job_edit_prefs(&job) = list_of("ml.p5.48xlarge:2,ml.p4d.24xlarge:4");
	job.arn = mem_copy_text(ARN);
	job.request_json = mem_copy_text(request_json);
	return job;
}

static struct draft *make_draft(const char *request_json)
{
	struct job job = make_job(request_json);
	struct draft *draft = draft_of_job("1", &job);
	job_release(&job);
	return draft;
}

static struct draft *file_draft(const char *text)
{
	const struct request request = { .kind = JOB_TRAINING, .text = (char *)text };
	struct err err = { 0 };
	struct draft *draft = draft_of_request("7", &request, "job.json", &err);
	assert_non_null(draft);
	return draft;
}

static void assert_sent(const struct draft *draft, const char *name, bool tag_note,
			const char *expected)
{
	struct request request = { 0 };
	struct err err = { 0 };
	assert_true(draft_request(draft, name, tag_note, &request, &err));
	assert_string_equal(request.text, expected);
	assert_int_equal(request.kind, draft->kind);
	request_release(&request);
}

static void move_first_down(struct draft *draft)
{
	struct prefs_state state = draft_state(draft);
	assert_true(prefs_move(&state.prefs, 0, 1));
	draft_set(draft, &state);
}

static void add_one(struct draft *draft)
{
	struct prefs_state state = draft_state(draft);
	assert_true(prefs_add_count(&state.prefs, 0, 1));
	draft_set(draft, &state);
}

static void undo__goes_back_and_forth__until_a_new_edit(void **unused)
{
	struct draft *draft = make_draft(NULL);
	struct prefs_state state = draft_state(draft);
	(void)unused;
	assert_false(draft_undo(draft));
	assert_false(draft_redo(draft));
	assert_false(draft_changed(draft));
	draft_set(draft, &state); /* no edit */
	assert_false(draft_undo(draft));
	move_first_down(draft);
	state = draft_state(draft);
	state.max_pending = (struct opt_ms){ true, 7200000 };
	draft_set(draft, &state);
	draft_set_note(draft, "p4d is free at night");
	draft_set_note(draft, "p4d is free at night"); /* no edit */
	assert_true(draft_undo(draft));
	assert_string_equal(draft->note, "");
	assert_true(draft_undo(draft));
	assert_false(draft->max_pending.set);
	assert_string_equal(draft->prefs.entries[0].instance_type, "ml.p4d.24xlarge");
	assert_true(draft_undo(draft));
	assert_false(draft_changed(draft));
	assert_false(draft_undo(draft));
	for (int i = 0; i < 3; i++)
		assert_true(draft_redo(draft));
	assert_false(draft_redo(draft));
	assert_string_equal(draft->note, "p4d is free at night");
	assert_int_equal(draft->max_pending.ms, 7200000);
	assert_true(draft_undo(draft));
	move_first_down(draft);
	assert_false(draft_redo(draft));
	assert_string_equal(draft->prefs.entries[0].instance_type, "ml.p5.48xlarge");
	assert_true(draft_changed(draft)); /* the limit */
	draft_free(draft);
}

/* 10,000 edits and back again: each step is seen once on the way. */
static void undo__has_no_limit__over_ten_thousand_edits(void **unused)
{
	struct draft *draft = make_draft(NULL);
	int64_t expected = 10002;
	(void)unused;
	for (int i = 0; i < 10000; i++)
		add_one(draft);
	assert_int_equal(draft->prefs.entries[0].count, expected);
	while (draft_undo(draft))
		assert_int_equal(draft->prefs.entries[0].count, --expected);
	assert_int_equal(expected, 2);
	assert_false(draft_changed(draft));
	assert_in_range(draft->bytes, 10000, DRAFT_MEMORY_MAX);
	draft_free(draft);
}

/* Documents of a megabyte each: the oldest steps go, the newest and the first document stay. */
static void memory__has_a_ceiling__and_the_oldest_go(void **unused)
{
	enum { LONG = 1000000, EDITS = 100 };
	struct draft *draft = file_draft(TEXT("a", OLD_LIST));
	char *text = mem_new(LONG + 1, 1);
	struct err err = { 0 };
	size_t back = 0;
	(void)unused;
	for (int i = 0; i < EDITS; i++) {
		memset(text, ' ', LONG);
		for (size_t k = 0; k < sizeof(TEXT("a", OLD_LIST)) - 1; k++)
			text[k] = TEXT("a", OLD_LIST)[k];
		text[LONG - 1 - i] = '\n'; /* each another one */
		const struct request request = { JOB_TRAINING, text };
		assert_true(draft_set_text(draft, &request, NULL, &err));
		assert_in_range(draft->bytes, 0, DRAFT_MEMORY_MAX);
	}
	assert_sent(draft, NULL, false, text);
	while (draft_undo(draft))
		back++;
	/* 64 MiB hold 67 of them; some more go at once. */
	assert_in_range(back, 30, 66);
	assert_true(draft_has_text(draft));
	free(text);
	draft_free(draft);
}

static void request__keeps_each_byte__of_what_is_not_edited(void **unused)
{
	struct draft *draft = file_draft(TEXT("a", OLD_LIST));
	(void)unused;
	assert_sent(draft, NULL, false, TEXT("a", OLD_LIST));
	assert_sent(draft, "a", false, TEXT("a", OLD_LIST));
	assert_sent(draft, "b-2", false, TEXT("b-2", OLD_LIST));
	move_first_down(draft);
	assert_sent(draft, "b-2", false, TEXT("b-2", MOVED_LIST));
	move_first_down(draft);
	assert_sent(draft, NULL, false, TEXT("a", OLD_LIST));
	draft_free(draft);
}

static void request__is_made_from_describe__once_there_is_one(void **unused)
{
	struct draft *draft = make_draft(NULL);
	struct job job = make_job(REPLY("\"TrainingJobName\":\"llm-ft-0930\","
					"\"ResourceConfig\":{" OLD_LIST "}}"));
	struct request request = { 0 };
	struct err err = { 0 };
	(void)unused;
	move_first_down(draft);
	assert_false(draft_has_text(draft));
	assert_false(draft_request(draft, "new-1", false, &request, &err));
	assert_int_equal(err.code, ERR_NOT_FOUND);
	assert_string_equal(err_text(&err), "llm-ft-0930 is not described yet");
	err_clear(&err);
	assert_true(draft_take_text(draft, &job));
	assert_sent(draft, "new-1", false,
		    "{\"TrainingJobName\":\"new-1\",\"ResourceConfig\":{" MOVED_LIST "}}");
	assert_true(draft_undo(draft));
	assert_sent(draft, "new-1", false,
		    "{\"TrainingJobName\":\"new-1\",\"ResourceConfig\":{" OLD_LIST "}}");
	job_release(&job);
	draft_free(draft);
}

static void clone__has_its_own_name_and_row__and_is_kept(void **unused)
{
	struct job job = make_job(REPLY("\"TrainingJobName\":\"llm-ft-0930\","
					"\"ResourceConfig\":{" OLD_LIST "}}"));
	struct err err = { 0 };
	struct draft *draft = draft_clone("9", &job, "llm-ft-2", &err);
	(void)unused;
	assert_non_null(draft);
	assert_null(draft->arn);
	assert_string_equal(draft->source, ARN);
	assert_string_equal(draft->job.arn, "draft:9");
	assert_string_equal(draft->job.name, "llm-ft-2");
	assert_true(prefs_equal(job_prefs(&draft->job), job_prefs(&job)));
	assert_false(draft_changed(draft));
	assert_true(draft_is_kept(draft));
	assert_sent(draft, NULL, false,
		    "{\"TrainingJobName\":\"llm-ft-2\",\"ResourceConfig\":{" OLD_LIST "}}");
	draft_free(draft);
	mem_set_text(&job.request_json, NULL);
	assert_null(draft_clone("9", &job, "llm-ft-2", &err));
	assert_int_equal(err.code, ERR_NOT_FOUND);
	err_clear(&err);
	job_release(&job);
}

/* A document edited as a whole: one step, with all that it says. */
static void document__is_one_step_of_undo__with_its_list_and_name(void **unused)
{
	struct draft *draft = file_draft(TEXT("a", OLD_LIST));
	char other[] = TEXT("c", "\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":3");
	struct request request = { JOB_TRAINING, other };
	struct err err = { 0 };
	(void)unused;
	move_first_down(draft);
	assert_true(draft_set_text(draft, &request, "a", &err));
	assert_string_equal(draft->name, "c");
	assert_string_equal(draft->job.name, "c");
	assert_false(draft->prefs.is_list);
	assert_int_equal(draft->prefs.entries[0].count, 3);
	assert_sent(draft, NULL, false, other);
	assert_true(draft_undo(draft));
	assert_sent(draft, NULL, false, TEXT("a", MOVED_LIST));
	assert_true(draft_redo(draft));
	assert_sent(draft, NULL, false, other);
	request.kind = JOB_PROCESSING;
	assert_false(draft_set_text(draft, &request, "a", &err));
	assert_string_equal(err_text(&err),
			    "this is a processing job's request; the draft is a training job's");
	err_clear(&err);
	draft_free(draft);
}

/* The name that was only written for the editor is not chosen by being left there. */
static void name__is_not_chosen__by_leaving_it_alone(void **unused)
{
	struct draft *draft = make_draft(REPLY("\"TrainingJobName\":\"llm-ft-0930\"}"));
	char left[] = "{\"TrainingJobName\":\"llm-ft-261201\", \"X\":1}";
	char chosen[] = "{\"TrainingJobName\":\"mine\", \"X\":1}";
	struct request request = { JOB_TRAINING, left };
	struct err err = { 0 };
	(void)unused;
	assert_true(draft_set_text(draft, &request, "llm-ft-261201", &err));
	assert_string_equal(draft->name, "");
	request.text = chosen;
	assert_true(draft_set_text(draft, &request, "llm-ft-261201", &err));
	assert_string_equal(draft->name, "mine");
	assert_string_equal(draft->job.name, "llm-ft-0930"); /* its row is the job's */
	assert_sent(draft, NULL, false, chosen);
	draft_free(draft);
}

static void note__travels_as_a_tag__only_where_it_shall(void **unused)
{
	struct draft *draft = file_draft("{\"TrainingJobName\":\"a\",\"X\":0}");
	(void)unused;
	draft_set_note(draft, "p4d <first>: it's free\tat 02:00 *");
	assert_true(draft_changed(draft));
	assert_sent(draft, NULL, false, "{\"TrainingJobName\":\"a\",\"X\":0}");
	assert_sent(draft, NULL, true,
		    "{\"TrainingJobName\":\"a\",\"X\":0,\"Tags\":[{\"Key\": \"gpuq:note\", "
		    "\"Value\": \"p4d first : it s free at 02:00\"}]}");
	draft_set_note(draft, "***");
	assert_sent(draft, NULL, true, "{\"TrainingJobName\":\"a\",\"X\":0}");
	draft_free(draft);
	draft = file_draft("{\"Tags\":[ {\"Key\":\"team\", \"Value\":\"ml\"} ]}");
	draft_set_note(draft, "why");
	assert_sent(draft, NULL, true,
		    "{\"Tags\":[ {\"Key\":\"team\", \"Value\":\"ml\"}, "
		    "{\"Key\": \"gpuq:note\", \"Value\": \"why\"} ]}");
	draft_free(draft);
	draft = file_draft("{\"Tags\":[{\"Key\":\"gpuq:note\", \"Value\":\"old\"},{}]}");
	draft_set_note(draft, "new");
	assert_sent(draft, NULL, true,
		    "{\"Tags\":[{\"Key\":\"gpuq:note\", \"Value\":\"new\"},{}]}");
	draft_free(draft);
}

static void tag__is_cut_at_its_limit__and_refuses_what_is_no_list(void **unused)
{
	char words[600], value[REQUEST_TAG_SIZE];
	struct request request = { JOB_TRAINING, mem_copy_text("{\"Tags\":\"x\"}") };
	struct err err = { 0 };
	(void)unused;
	memset(words, 'w', sizeof(words));
	words[sizeof(words) - 1] = '\0';
	request_tag_value(words, value);
	assert_int_equal(strlen(value), 256);
	assert_false(request_set_tag(&request, "k", "v", &err));
	assert_int_equal(err.code, ERR_RULE);
	assert_string_equal(request.text, "{\"Tags\":\"x\"}");
	err_clear(&err);
	request_release(&request);
}

static void id__is_a_file_name__and_nothing_else_is(void **unused)
{
	static const char *const bad[] = { "", "-a", "a/b", "..", "a b", "a.json" };
	char id[DRAFT_ID_SIZE];
	(void)unused;
	/* 2026-12-01 07:10:44.031 UTC, by date -d @1796109044 */
	draft_make_id(INT64_C(1796109044031), 3, id);
	assert_string_equal(id, "261201-071044-031-3");
	assert_true(draft_id_is_valid(id));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(draft_id_is_valid(bad[i]));
}

/* Puts new where old stands, once. To be freed. */
static char *replaced(const char *text, const char *old, const char *new)
{
	const char *at = strstr(text, old);
	struct buf out;
	assert_non_null(at);
	buf_init(&out, REQUEST_MAX);
	buf_add(&out, text, (size_t)(at - text));
	buf_addf(&out, "%s%s", new, at + strlen(old));
	return buf_take(&out);
}

/* A real template: untouched it stays as it is, edited in every other byte too. */
static void check_case(const char *path, const struct preferences *prefs, const char *old,
		       const char *new)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct request request = { 0 };
	struct err err = { 0 };
	size_t len;
	char *text = shared_read(path, &len);
	if (text) {
		assert_true(request_read(&request, text, len, "input.json", NULL, findings, &err));
		struct draft *draft = draft_of_request("1", &request, "input.json", &err);
		char *expected = replaced(text, old, new);
		struct prefs_state state = { *prefs, draft->max_pending };
		assert_sent(draft, NULL, false, text);
		draft_set(draft, &state);
		assert_sent(draft, NULL, false, expected);
		assert_true(draft_undo(draft));
		assert_sent(draft, NULL, false, text);
		draft_free(draft);
		free(expected);
	}
	request_release(&request);
	free(findings);
	free(text);
}

static void case_024__keeps_each_other_byte__when_its_list_is_edited(void **unused)
{
	struct preferences prefs = list_of("ml.g5.2xlarge:1,ml.g4dn.2xlarge:2");
	(void)unused;
	check_case("cases/024-no-input-data/input.json", &prefs,
		   "    \"InstanceType\": \"ml.m5.large\",\n    \"InstanceCount\": 1,\n",
		   "    \"InstancePreferences\": [\n"
		   "      {\n"
		   "        \"InstanceType\": \"ml.g5.2xlarge\",\n"
		   "        \"InstanceCount\": 1\n"
		   "      },\n"
		   "      {\n"
		   "        \"InstanceType\": \"ml.g4dn.2xlarge\",\n"
		   "        \"InstanceCount\": 2\n"
		   "      }\n"
		   "    ],\n");
}

static void case_030__keeps_its_count_once__beside_a_list(void **unused)
{
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	(void)unused;
	assert_true(prefs_parse(&prefs, "ml.m5.xlarge,ml.m5.2xlarge", 1, &err));
	check_case("cases/030-minimal-processing-template/input.json", &prefs,
		   "      \"InstanceType\": \"ml.m5.xlarge\",\n",
		   "      \"InstancePreferences\": [\n"
		   "        {\n"
		   "          \"InstanceType\": \"ml.m5.xlarge\"\n"
		   "        },\n"
		   "        {\n"
		   "          \"InstanceType\": \"ml.m5.2xlarge\"\n"
		   "        }\n"
		   "      ],\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(undo__goes_back_and_forth__until_a_new_edit),
		cmocka_unit_test(undo__has_no_limit__over_ten_thousand_edits),
		cmocka_unit_test(memory__has_a_ceiling__and_the_oldest_go),
		cmocka_unit_test(request__keeps_each_byte__of_what_is_not_edited),
		cmocka_unit_test(request__is_made_from_describe__once_there_is_one),
		cmocka_unit_test(clone__has_its_own_name_and_row__and_is_kept),
		cmocka_unit_test(document__is_one_step_of_undo__with_its_list_and_name),
		cmocka_unit_test(name__is_not_chosen__by_leaving_it_alone),
		cmocka_unit_test(note__travels_as_a_tag__only_where_it_shall),
		cmocka_unit_test(tag__is_cut_at_its_limit__and_refuses_what_is_no_list),
		cmocka_unit_test(id__is_a_file_name__and_nothing_else_is),
		cmocka_unit_test(case_024__keeps_each_other_byte__when_its_list_is_edited),
		cmocka_unit_test(case_030__keeps_its_count_once__beside_a_list),
	};
	return cmocka_run_group_tests_name("draft", tests, NULL, NULL);
}
