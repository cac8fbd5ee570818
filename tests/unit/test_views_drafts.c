/* Drafts of their own in the job list: cloned, from a file, edited elsewhere, sent, refused. */
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
#include "tests/homescreen.h"
#include "views/screen_state.h"

#define JOB "llm-ft-0930"
#define FILE_TEXT                                                                         \
	"{\"TrainingJobName\": \"from-file\", \"RoleArn\": "                              \
	"\"arn:aws:iam::111122223333:role/gpu\", \"AlgorithmSpecification\": "            \
	"{\"TrainingImage\": \"111122223333.dkr.ecr.us-east-1.amazonaws.com/llm:1\", "    \
	"\"TrainingInputMode\": \"File\"}, \"OutputDataConfig\": {\"S3OutputPath\": "     \
	"\"s3://bucket/out\"}, \"ResourceConfig\": {\"InstanceType\": \"ml.g5.xlarge\", " \
	"\"InstanceCount\": 2, \"VolumeSizeInGB\": 50}, \"StoppingCondition\": "          \
	"{\"MaxRuntimeInSeconds\": 3600}}"

#define DESCRIBED                                                                    \
	"{\"TrainingJobName\":\"llm-ft-0930\",\"TrainingJobStatus\":\"InProgress\"," \
	"\"ResourceConfig\":{\"VolumeSizeInGB\":500,\"InstancePreferences\":["       \
	"{\"InstanceType\":\"ml.p5.48xlarge\",\"InstanceCount\":2},"                 \
	"{\"InstanceType\":\"ml.p4d.24xlarge\",\"InstanceCount\":4}]}}"

/* What the screen asks about drafts. */
struct asked {
	struct homescreen home;
	struct config config;
	unsigned changed, dropped;
	char path[256];
	char *handed; /* owned; the text given to the editor */
	unsigned hands;
};

static struct asked asked;

static void on_changed(void *host, struct draft *draft)
{
	(void)draft;
	((struct asked *)host)->changed++;
}

static void on_dropped(void *host, const struct draft *draft)
{
	(void)draft;
	((struct asked *)host)->dropped++;
}

static void on_read_file(void *host, const char *path)
{
	struct asked *to = host;
	(void)snprintf(to->path, sizeof(to->path), "%s", path);
}

static void on_edit_text(void *host, const char *text)
{
	struct asked *to = host;
	to->hands++;
	mem_set_text(&to->handed, text);
}

/* What Describe says of the job fits its list. */
static void describe(struct store *store)
{
	for (size_t i = 0; i < store->count; i++)
		if (strcmp(store->jobs[i]->name, JOB) == 0)
			mem_set_text(&store->jobs[i]->request_json, DESCRIBED);
}

static void prepare(struct sample *sample)
{
	describe(&sample->store);
	sample->env.config = &asked.config;
	sample->env.drafts = (struct draft_intents){ .changed = on_changed,
						     .dropped = on_dropped,
						     .read_file = on_read_file,
						     .edit_text = on_edit_text,
						     .host = &asked };
}

static int start(void **state)
{
	static const char config[] = "[list big]\nprefs = ml.p5.48xlarge:2,ml.p4d.24xlarge:4\n"
				     "[list odd]\nprefs = ml.p5.48xlarge:two\n";
	struct err err = { 0 };
	asked = (struct asked){ 0 };
	assert_true(config_read(&asked.config, "config", config, strlen(config), &err));
	homescreen_start(&asked.home, 120, 36, prepare);
	*state = &asked.home;
	return 0;
}

static int stop(void **state)
{
	homescreen_stop(*state);
	free(asked.handed);
	config_release(&asked.config);
	return 0;
}

#define assert_shows(home, text)                                     \
	do {                                                         \
		if (!homescreen_shows(home, text))                   \
			fail_msg("\"%s\" is not shown:\n%s", text,   \
				 offscreen_text((home)->offscreen)); \
	} while (0)
#define assert_hides(home, text) assert_false(homescreen_shows(home, text))

static struct ui *ui_of(struct homescreen *home)
{
	return &home->screen->ui;
}

static struct draft *first_draft(struct homescreen *home)
{
	assert_non_null(ui_of(home)->drafts);
	return ui_of(home)->drafts;
}

static void type(struct homescreen *home, const char *text)
{
	for (; *text; text++)
		screen_key(home->screen, (struct key){ .code = (unsigned char)*text }, NULL);
	homescreen_draw(home);
}

static void read_file(struct homescreen *home, const char *text)
{
	homescreen_keys(home, "A");
	type(home, "/tmp/job.json");
	homescreen_keys(home, "Enter");
	assert_string_equal(asked.path, "/tmp/job.json");
	screen_file_read(home->screen, asked.path, text, strlen(text), NULL);
	homescreen_draw(home);
}

static void clone__is_a_row_of_its_own__selected_and_ready_to_edit(void **state)
{
	struct homescreen *home = *state;
	const size_t jobs = home->sample.store.count;
	homescreen_go_to(home, JOB);
	homescreen_keys(home, "K");
	struct draft *draft = first_draft(home);
	assert_shows(home, draft->name);
	assert_string_not_equal(draft->name, JOB);
	assert_shows(home, "D Draft");
	assert_shows(home, "1 local  23 of 23");
	assert_shows(home, "*Preferences");
	assert_shows(home, "is not a job: a draft, kept on");
	assert_shows(home, "a copy of " JOB);
	assert_int_equal(home->sample.store.count, jobs);
	assert_true(asked.changed > 0);
	/* Its list is edited as any other; the job's own stays as it is. */
	homescreen_keys(home, "J");
	assert_shows(home, "#1 ml.p4d.24xlarge");
	assert_shows(home, "draft*");
	homescreen_keys(home, "u");
	assert_shows(home, "#1 ml.p5.48xlarge");
	homescreen_keys(home, "J 1 Esc");
	homescreen_go_to(home, JOB);
	assert_shows(home, "#1 ml.p5.48xlarge");
	assert_hides(home, "draft*");
}

static void row__keeps_the_cursor__through_a_refresh(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, JOB);
	homescreen_keys(home, "K Esc");
	const char *key = first_draft(home)->job.arn;
	assert_string_equal(ui_of(home)->selected_arn, key);
	homescreen_pass(home, 5000);
	assert_string_equal(ui_of(home)->selected_arn, key);
	homescreen_keys(home, "j");
	assert_string_not_equal(ui_of(home)->selected_arn, key);
	homescreen_keys(home, "k");
	assert_string_equal(ui_of(home)->selected_arn, key);
}

/* Nothing of AWS is told of it, and no key asks AWS about it. */
static void row__is_no_job__to_any_key(void **state)
{
	static const char *const reading[] = { "d", "y", "t", "S" };
	struct homescreen *home = *state;
	homescreen_go_to(home, JOB);
	homescreen_keys(home, "K Esc");
	assert_string_equal(home->sample.selected, "");
	for (size_t i = 0; i < ARRAY_LEN(reading); i++) {
		homescreen_keys(home, reading[i]);
		assert_shows(home, "this row is no job");
		homescreen_keys(home, "Esc");
	}
	homescreen_keys(home, "Enter");
	assert_shows(home, "*Preferences");
	assert_shows(home, "not a job");
}

static void filter__finds_it_by_name__and_pending_only_hides_a_draft(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, JOB);
	homescreen_keys(home, "K Esc j");
	homescreen_keys(home, "p");
	assert_hides(home, "D Draft");
	homescreen_keys(home, "p");
	assert_shows(home, "D Draft");
	homescreen_keys(home, "f");
	type(home, "eval");
	homescreen_keys(home, "Enter");
	assert_hides(home, "D Draft");
	homescreen_keys(home, "f C-u");
	type(home, "llm-ft-26");
	homescreen_keys(home, "Enter");
	assert_shows(home, "D Draft");
	assert_shows(home, "1 local  0 of 23");
}

static void file__is_a_draft__under_its_own_name(void **state)
{
	struct homescreen *home = *state;
	read_file(home, FILE_TEXT);
	assert_shows(home, "from-file");
	assert_shows(home, "from-file is read from /tmp/job.json: a draft");
	assert_shows(home, "#1 ml.g5.xlarge");
	assert_int_equal(first_draft(home)->origin, DRAFT_FILE);
	homescreen_keys(home, "X");
	assert_shows(home, "New training job from-file");
	assert_shows(home, "Send from-file");
}

/* Case 020: named with file, line and column, and nothing comes of it. */
static void file__that_is_none__is_named_with_line_and_column(void **state)
{
	struct homescreen *home = *state;
	read_file(home, "{\"TrainingJobName\": \"a\", # the name\n \"B\": 1}");
	assert_null(ui_of(home)->drafts);
	assert_shows(home, "/tmp/job.json");
	assert_shows(home, "Line 1, column 26: comments are not JSON.");
	homescreen_keys(home, "Esc A");
	assert_shows(home, "request file: /tmp/job.json"); /* to be read again */
	homescreen_keys(home, "Esc");
	struct err err = { 0 };
	err_set(&err, ERR_NOT_FOUND, "cannot be opened: No such file or directory");
	screen_file_read(home->screen, "/tmp/none.json", NULL, 0, &err);
	err_clear(&err);
	assert_shows(home, "/tmp/none.json");
	assert_shows(home, "No such file or directory");
}

static void editor__changes_the_request__as_one_step(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, JOB);
	homescreen_keys(home, "E");
	assert_int_equal(asked.hands, 1);
	/* Of one line for a machine a person gets many. */
	assert_non_null(strstr(asked.handed, "{\n  \"TrainingJobName\": \"llm-ft-"));
	assert_null(strstr(asked.handed, "TrainingJobStatus"));
	char *text = mem_copy_text(asked.handed);
	screen_edited(home->screen, text, strlen(text), NULL);
	assert_shows(home, "nothing was changed in the request");
	assert_false(screen_has_draft(home->screen));
	homescreen_keys(home, "E");
	screen_edited(home->screen, FILE_TEXT, strlen(FILE_TEXT), NULL);
	assert_shows(home, "the request is changed: u in its list undoes it");
	assert_shows(home, "#1 ml.g5.xlarge");
	assert_shows(home, "draft*");
	homescreen_keys(home, "P u");
	assert_shows(home, "#1 ml.p5.48xlarge");
	assert_hides(home, "draft*");
	free(text);
}

static void editor__that_leaves_no_request__may_go_on_and_loses_nothing(void **state)
{
	static const char bad[] = "{\"TrainingJobName\": \"x\",}";
	struct homescreen *home = *state;
	homescreen_go_to(home, JOB);
	homescreen_keys(home, "E");
	screen_edited(home->screen, bad, strlen(bad), NULL);
	assert_shows(home, "What was edited is no request");
	assert_shows(home, "Line 1, column 24: no comma");
	homescreen_keys(home, "y");
	assert_int_equal(asked.hands, 2);
	assert_string_equal(asked.handed, bad);
	screen_edited(home->screen, bad, strlen(bad), NULL);
	homescreen_keys(home, "n");
	assert_shows(home, "the request is as it was; E goes on with the text");
	assert_false(screen_has_draft(home->screen));
	homescreen_keys(home, "E");
	assert_int_equal(asked.hands, 3);
	assert_string_equal(asked.handed, bad);
	struct err err = { 0 };
	err_set(&err, ERR_IO, "the editor ended with status 1");
	screen_edited(home->screen, NULL, 0, &err);
	err_clear(&err);
	assert_shows(home, "the request is as it was: the editor ended with status 1");
	homescreen_keys(home, "E"); /* and still */
	assert_string_equal(asked.handed, bad);
	screen_edited(home->screen, FILE_TEXT, strlen(FILE_TEXT), NULL);
	assert_shows(home, "the request is changed");
	assert_string_equal(first_draft(home)->name, "from-file");
}

static void editor__of_another_kind__is_refused(void **state)
{
	static const char other[] = "{\"ProcessingJobName\": \"x\"}";
	struct homescreen *home = *state;
	homescreen_go_to(home, JOB);
	homescreen_keys(home, "E");
	screen_edited(home->screen, other, strlen(other), NULL);
	assert_shows(home, "is a processing");
}

static void named_list__takes_the_place_of_the_list__in_one_step(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, JOB);
	homescreen_keys(home, "P T");
	assert_shows(home, "Named lists");
	assert_shows(home, "ml.p5.48xlarge:2,ml.p4d.24xlarge:4");
	homescreen_keys(home, "j Enter");
	assert_shows(home, "whole number"); /* the odd one is not taken */
	homescreen_keys(home, "k Enter");
	assert_shows(home, "the list is big now: u undoes it");
	assert_int_equal(first_draft(home)->prefs.length, 2);
	assert_int_equal(first_draft(home)->prefs.entries[1].count, 4);
	homescreen_keys(home, "u");
	assert_false(screen_has_draft(home->screen));
}

static void note__stays_with_the_draft__and_is_one_step(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, JOB);
	homescreen_keys(home, "P w");
	type(home, "p5 is free at night");
	homescreen_keys(home, "Enter");
	assert_string_equal(first_draft(home)->note, "p5 is free at night");
	assert_shows(home, "draft*");
	assert_shows(home, "note: p5 is free at"); /* the rest is cut in a pane so narrow */
	homescreen_keys(home, "w");
	assert_shows(home, "note, why this order: p5 is free at night");
	homescreen_keys(home, "Esc u");
	assert_false(screen_has_draft(home->screen));
}

/* tag_jobs = yes: what is shown and sent has the note; otherwise it stays here. */
static void note__goes_with_the_request__only_where_it_shall(void **state)
{
	struct homescreen *home = *state;
	read_file(home, FILE_TEXT);
	homescreen_keys(home, "w");
	type(home, "p5 at night");
	homescreen_keys(home, "Enter X");
	for (int i = 0; i < 8; i++)
		homescreen_keys(home, "PgDn");
	assert_hides(home, "gpuq:note");
	sample_pass(&home->sample, 400);
	homescreen_keys(home, "Esc");
	home->screen->env.tag_notes = true;
	homescreen_keys(home, "X");
	for (int i = 0; i < 8; i++)
		homescreen_keys(home, "PgDn");
	assert_shows(home, "gpuq:note");
	assert_shows(home, "p5 at night");
}

/* Cases 063 and 070: sent is not submitted, refused is not failed; neither is a job. */
static void submission__is_a_row__under_way_and_refused(void **state)
{
	struct homescreen *home = *state;
	struct err err = { 0 };
	char name[JOB_NAME_SIZE];
	read_file(home, FILE_TEXT);
	homescreen_keys(home, "X");
	sample_pass(&home->sample, 400);
	homescreen_keys(home, "y");
	assert_int_equal(home->sample.submits, 1);
	memcpy(name, first_draft(home)->sent_as, sizeof(name));
	homescreen_keys(home, "Esc");
	homescreen_pass(home, 4000);
	assert_shows(home, "D Sending        4s");
	assert_shows(home, "AWS has not answered.");
	assert_shows(home, "1 local  23 of 23");
	homescreen_keys(home, "Esc D");
	assert_shows(home, "it is being sent: wait for the answer");
	homescreen_keys(home, "p"); /* it waits, too */
	assert_shows(home, "D Sending");
	homescreen_keys(home, "p");
	err_set(&err, ERR_REFUSED, "The account-level service limit 'ml.g5.xlarge' is 0");
	screen_submitted(home->screen, name, NULL, &err);
	err_clear(&err);
	homescreen_draw(home);
	assert_shows(home, "D Refused");
	assert_shows(home, "from-file is not a job. X tries again, D discards it.");
	assert_shows(home, "The account-level service limit 'ml.g5.xlarge' is");
	homescreen_keys(home, "X");
	assert_shows(home, "Send from-file");
	sample_pass(&home->sample, 400);
	homescreen_keys(home, "Esc D");
	assert_shows(home, "Discard it?");
	homescreen_keys(home, "n");
	assert_shows(home, "D Refused");
	homescreen_keys(home, "D y");
	assert_hides(home, "D Refused");
	assert_null(ui_of(home)->drafts);
	assert_int_equal(asked.dropped, 1);
}

/* A refused submission of a job's own draft: what was edited stays with the job. */
static void refusal__of_a_jobs_draft__is_discarded_apart_from_it(void **state)
{
	struct homescreen *home = *state;
	struct err err = { 0 };
	char name[JOB_NAME_SIZE];
	homescreen_go_to(home, JOB);
	homescreen_keys(home, "P J");
	struct draft *draft = first_draft(home);
	draft_note_sent(draft, "llm-ft-9", &(struct prefs_state){ draft->prefs, { 0 } });
	memcpy(name, draft->sent_as, sizeof(name));
	homescreen_keys(home, "Esc Esc");
	err_set(&err, ERR_REFUSED, "no");
	screen_submitted(home->screen, name, NULL, &err);
	err_clear(&err);
	homescreen_draw(home);
	homescreen_keys(home, "Esc g");
	assert_shows(home, "D Refused");
	assert_string_equal(ui_of(home)->selected_arn, draft->job.arn);
	assert_shows(home, "#1 ml.p4d.24xlarge"); /* the same draft */
	homescreen_keys(home, "D y");
	assert_hides(home, "D Refused");
	assert_true(screen_has_draft(home->screen));
	homescreen_go_to(home, JOB);
	assert_shows(home, "draft*");
}

/* Submitted, and edited meanwhile: what is left is another draft, for the old one was sent. */
static void draft__that_was_edited_since__is_another_one(void **state)
{
	struct homescreen *home = *state;
	char id[DRAFT_ID_SIZE], name[JOB_NAME_SIZE];
	read_file(home, FILE_TEXT);
	homescreen_keys(home, "X");
	sample_pass(&home->sample, 400);
	homescreen_keys(home, "y");
	memcpy(id, first_draft(home)->id, sizeof(id));
	memcpy(name, first_draft(home)->sent_as, sizeof(name));
	homescreen_keys(home, "Esc P + Esc");
	screen_submitted(home->screen, name, NULL, NULL);
	assert_string_not_equal(first_draft(home)->id, id);
	assert_int_equal(asked.dropped, 1);
	assert_string_equal(ui_of(home)->selected_arn, first_draft(home)->job.arn);
}

/* Left by an earlier start: with its job it is its job's, without one a row of its own. */
static void found_draft__is_its_jobs__or_a_row(void **state)
{
	struct homescreen *home = *state;
	struct job job = { 0 };
	homescreen_go_to(home, JOB);
	job_copy(&job, ui_selected(ui_of(home)));
	struct draft *known = draft_of_job("a-1", &job);
	mem_set_text(&job.arn, "arn:aws:sagemaker:us-east-1:111122223333:training-job/gone");
	memcpy(job.name, "gone", 5);
	struct draft *gone = draft_of_job("a-2", &job);
	struct draft *undone = draft_of_job("a-3", &job);
	struct prefs_state state_now = draft_state(known);
	assert_true(prefs_move(&state_now.prefs, 0, 1));
	draft_set(known, &state_now);
	draft_set(gone, &state_now);
	screen_take_draft(home->screen, known);
	screen_take_draft(home->screen, gone);
	screen_take_draft(home->screen, undone);
	assert_int_equal(asked.dropped, 1); /* there is nothing in it */
	homescreen_draw(home);
	assert_shows(home, "draft*");
	assert_shows(home, "1 local");
	assert_shows(home, "  gone  ");
	assert_shows(home, "D Draft");
	screen_rename_draft(home->screen, known, "a-9");
	assert_shows(home, "draft*");
	job_release(&job);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(clone__is_a_row_of_its_own__selected_and_ready_to_edit),
		TEST(row__keeps_the_cursor__through_a_refresh),
		TEST(row__is_no_job__to_any_key),
		TEST(filter__finds_it_by_name__and_pending_only_hides_a_draft),
		TEST(file__is_a_draft__under_its_own_name),
		TEST(file__that_is_none__is_named_with_line_and_column),
		TEST(editor__changes_the_request__as_one_step),
		TEST(editor__that_leaves_no_request__may_go_on_and_loses_nothing),
		TEST(editor__of_another_kind__is_refused),
		TEST(named_list__takes_the_place_of_the_list__in_one_step),
		TEST(note__stays_with_the_draft__and_is_one_step),
		TEST(note__goes_with_the_request__only_where_it_shall),
		TEST(submission__is_a_row__under_way_and_refused),
		TEST(refusal__of_a_jobs_draft__is_discarded_apart_from_it),
		TEST(draft__that_was_edited_since__is_another_one),
		TEST(found_draft__is_its_jobs__or_a_row),
	};
	return cmocka_run_group_tests_name("views_drafts", tests, NULL, NULL);
}
