/* The text of a draft's file: all of a draft comes back, and nothing else is taken for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/draft_file.h"

#define ARN "arn:aws:sagemaker:us-east-1:111122223333:training-job/llm-ft"
#define TEXT                                                                                     \
	"{\"TrainingJobName\": \"a\", \"Odd\\u00e9\": \"tab\\tand \\\"quote\\\" \xc3\xa9\",\n\t" \
	"\"ResourceConfig\": {\"InstanceType\": \"ml.g5.xlarge\", \"InstanceCount\": 1}}"
#define OTHER_TEXT                                                                    \
	"{\"TrainingJobName\": \"b\", \"ResourceConfig\": {\"InstancePreferences\": " \
	"[{\"InstanceType\": \"ml.p5.48xlarge\", \"InstanceCount\": 2}]}}"

static struct buf written(const struct draft *draft)
{
	struct buf out;
	buf_init(&out, DRAFT_FILE_MAX);
	draft_file_write(draft, "pid 7 on host", &out);
	assert_false(out.failed);
	return out;
}

static struct draft *read_back(const char *id, const char *text)
{
	struct draft *draft = NULL;
	struct err err = { 0 };
	enum draft_file_is is = draft_file_read(id, text, strlen(text), &draft, &err);
	assert_string_equal(err_text(&err), "");
	assert_int_equal(is, DRAFT_FILE_OK);
	assert_non_null(draft);
	return draft;
}

static struct draft *file_draft(void)
{
	const struct request request = { JOB_TRAINING, (char *)TEXT };
	struct err err = { 0 };
	return draft_of_request("f-1", &request, "/home/me/job.json", &err);
}

static struct draft *job_draft(bool described)
{
	struct job job = { .name = "llm-ft", .described = true, .kind = JOB_TRAINING };
	struct err err = { 0 };
	assert_true(prefs_parse(job_edit_prefs(&job),
				"ml.p5.48xlarge:2@arn:aws:sagemaker:us-east-1:1:training-plan/tp,"
				"ml.g5.xlarge",
				0, &err));
	job.max_pending = (struct opt_ms){ true, 7200000 };
	job.arn = mem_copy_text(ARN);
	job.request_json = described ? mem_copy_text(TEXT) : NULL;
	struct draft *draft = draft_of_job("j-1", &job);
	job_release(&job);
	return draft;
}

static void assert_same_request(const struct draft *a, const struct draft *b)
{
	struct request x = { 0 }, y = { 0 };
	struct err err = { 0 };
	assert_true(draft_request(a, NULL, true, &x, &err));
	assert_true(draft_request(b, NULL, true, &y, &err));
	assert_string_equal(x.text, y.text);
	request_release(&x);
	request_release(&y);
}

static void assert_same(const struct draft *a, const struct draft *b)
{
	const struct prefs_state now = draft_state(a), back = draft_state(b);
	assert_string_equal(a->id, b->id);
	assert_int_equal(a->origin, b->origin);
	assert_int_equal(a->kind, b->kind);
	assert_string_equal(a->source, b->source);
	assert_string_equal(a->source_name, b->source_name);
	assert_string_equal(a->name, b->name);
	assert_string_equal(a->note, b->note);
	assert_string_equal(a->job.name, b->job.name);
	assert_string_equal(a->job.arn, b->job.arn);
	assert_true(prefs_state_equal(&now, &back));
	assert_true(prefs_state_equal(&a->original, &b->original));
	assert_int_equal(draft_changed(a), draft_changed(b));
	assert_int_equal(draft_is_kept(a), draft_is_kept(b));
}

/* Writes it, reads it, compares, and gives what came back. */
static struct draft *round_trip(const struct draft *draft)
{
	struct buf first = written(draft);
	struct draft *back = read_back(draft->id, buf_text(&first));
	struct buf second = written(back);
	assert_same(draft, back);
	assert_string_equal(buf_text(&first), buf_text(&second));
	buf_release(&first);
	buf_release(&second);
	return back;
}

static void file__comes_back_whole__with_each_byte_of_its_document(void **unused)
{
	struct draft *draft = file_draft();
	struct prefs_state state = draft_state(draft);
	(void)unused;
	assert_true(prefs_insert(&state.prefs, 1, "ml.p4d.24xlarge"));
	draft_set(draft, &state);
	draft_set_note(draft, "why \"this\"\norder");
	struct draft *back = round_trip(draft);
	assert_same_request(draft, back);
	/* Undo leads to what it began as. */
	assert_true(draft_undo(back));
	assert_false(draft_undo(back));
	struct request request = { 0 };
	struct err err = { 0 };
	assert_true(draft_request(back, NULL, false, &request, &err));
	assert_string_equal(request.text, TEXT);
	request_release(&request);
	draft_free(draft);
	draft_free(back);
}

static void job__comes_back_whole__described_or_not(void **unused)
{
	(void)unused;
	for (int described = 0; described < 2; described++) {
		struct draft *draft = job_draft(described);
		struct prefs_state state = draft_state(draft);
		assert_true(prefs_move(&state.prefs, 0, 1));
		state.max_pending.set = false;
		draft_set(draft, &state);
		struct draft *back = round_trip(draft);
		assert_string_equal(back->arn, ARN);
		assert_int_equal(draft_has_text(back), described);
		draft_free(draft);
		draft_free(back);
	}
}

static void edited_document__comes_back__beside_the_first(void **unused)
{
	struct draft *draft = file_draft();
	const struct request other = { JOB_TRAINING, (char *)OTHER_TEXT };
	struct err err = { 0 };
	(void)unused;
	assert_true(draft_set_text(draft, &other, "a", &err));
	struct draft *back = round_trip(draft);
	assert_string_equal(back->name, "b");
	assert_same_request(draft, back);
	assert_true(draft_undo(back));
	assert_string_equal(back->name, "a");
	draft_free(draft);
	draft_free(back);
}

static void submission__comes_back__under_way_or_refused(void **unused)
{
	struct draft *draft = job_draft(true);
	(void)unused;
	memcpy(draft->sent_as, "llm-ft-261201", 14);
	draft->sent = draft_state(draft);
	struct draft *back = round_trip(draft);
	/* Nobody awaits an answer in the new program: the journal knows. */
	assert_string_equal(back->sent_as, "");
	assert_string_equal(back->resumed_as, "llm-ft-261201");
	assert_true(prefs_state_equal(&back->sent, &draft->sent));
	draft_free(back);
	draft->sent_as[0] = '\0';
	memcpy(draft->refused_as, "llm-ft-261201", 14);
	err_set(&draft->refusal, ERR_REFUSED, "The account-level service limit '%s' is 0", "x");
	(void)memcpy(draft->refusal.aws_code, "ResourceLimitExceeded", 22);
	draft->refusal.outcome_open = true;
	back = round_trip(draft);
	assert_string_equal(back->refused_as, "llm-ft-261201");
	assert_int_equal(back->refusal.code, ERR_REFUSED);
	assert_string_equal(back->refusal.aws_code, "ResourceLimitExceeded");
	assert_string_equal(err_text(&back->refusal), err_text(&draft->refusal));
	assert_true(back->refusal.outcome_open);
	draft_free(back);
	draft_free(draft);
}

static void assert_damaged(const char *text, size_t len, const char *why)
{
	struct draft *draft = NULL;
	struct err err = { 0 };
	assert_int_equal(draft_file_read("f-1", text, len, &draft, &err), DRAFT_FILE_DAMAGED);
	assert_null(draft);
	if (why)
		assert_non_null(strstr(err_text(&err), why));
	assert_string_not_equal(err_text(&err), "");
	err_clear(&err);
}

/* A copy of the written text with one thing replaced. */
static void assert_damage(const char *old, const char *new, const char *why)
{
	struct draft *draft = file_draft();
	struct buf good = written(draft), bad;
	const char *at = strstr(buf_text(&good), old);
	assert_non_null(at);
	buf_init(&bad, DRAFT_FILE_MAX);
	buf_add(&bad, good.data, (size_t)(at - good.data));
	buf_addf(&bad, "%s%s", new, at + strlen(old));
	assert_damaged(buf_text(&bad), bad.len, why);
	buf_release(&good);
	buf_release(&bad);
	draft_free(draft);
}

static void damage__is_named__and_never_guessed_at(void **unused)
{
	(void)unused;
	assert_damaged("", 0, NULL);
	assert_damaged("[]", 2, "version");
	assert_damaged("{\"version\": \"1\"}", 16, "version");
	assert_damage("\"id\": \"f-1\"", "\"id\": \"f-2\"", "id");
	assert_damage("\"origin\": \"file\"", "\"origin\": \"tape\"", "origin");
	assert_damage("\"origin\": \"file\"", "\"origin\": \"job\"", "arn");
	assert_damage("\"kind\": \"training\"", "\"kind\": 1", "kind");
	assert_damage("\"is_list\": false", "\"is_list\": \"no\"", "is_list");
	assert_damage("\"count\": 1", "\"count\": 1.5", "count");
	assert_damage("\"shared_count\": null, ", "", "original");
	assert_damage("\"note\": null", "\"note\": \"\"", "note");
	assert_damage("\"note\": null", "\"note\": null, \"more\": 1", "the draft");
	assert_damage("\"document\": \"{", "\"document\": \"", NULL);
	assert_damage("\"edited\": null", "\"edited\": \"[1]\"", NULL);
	assert_damage("\"sent\": null", "\"sent\": {}", "sent");
	assert_damage("ml.g5.xlarge", "ml.g5.xlarge-and-so-on-and-so-on-and-so-on-and-so-on",
		      "type");
}

/* Whatever a full disk has left of it, it is not taken for a draft. */
static void cut_file__is_never_a_draft__wherever_it_is_cut(void **unused)
{
	struct draft *draft = file_draft();
	struct buf good = written(draft);
	(void)unused;
	for (size_t len = 0; len + 3 < good.len; len++)
		assert_damaged(good.data, len, NULL);
	buf_release(&good);
	draft_free(draft);
}

static void newer_version__is_told_apart__from_damage(void **unused)
{
	static const char text[] = "{\"version\": 2, \"whatever\": []}";
	struct draft *draft = NULL;
	struct err err = { 0 };
	(void)unused;
	assert_int_equal(draft_file_read("f-1", text, strlen(text), &draft, &err),
			 DRAFT_FILE_NEWER);
	assert_string_equal(err_text(&err), "was written by a newer gpuq (version 2)");
	err_clear(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(file__comes_back_whole__with_each_byte_of_its_document),
		cmocka_unit_test(job__comes_back_whole__described_or_not),
		cmocka_unit_test(edited_document__comes_back__beside_the_first),
		cmocka_unit_test(submission__comes_back__under_way_or_refused),
		cmocka_unit_test(damage__is_named__and_never_guessed_at),
		cmocka_unit_test(cut_file__is_never_a_draft__wherever_it_is_cut),
		cmocka_unit_test(newer_version__is_told_apart__from_damage),
	};
	return cmocka_run_group_tests_name("draft_file", tests, NULL, NULL);
}
