/* X on a job that waits: the copy takes its place, in an order that can be switched; and what the
 * screen is told of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/fakeui.h"
#include "tests/offscreen.h"
#include "views/local.h"
#include "views/requeue.h"
#include "views/submit_pane.h"

#define OWNER_MEMBERS                                                   \
	",\"TuningJobArn\":\"arn:aws:sagemaker:us-east-1:111122223333:" \
	"hyper-parameter-tuning-job/hpo\",\"CheckpointConfig\":{\"S3Uri\":\"s3://b/ck\"}}"

static int start(void **state)
{
	struct fakeui *fake = mem_new(1, sizeof(*fake));
	struct job job = fakeui_job();
	fakeui_start(fake, &preferences_pane);
	fake->env.confirm_above_micro = INT64_MAX;
	fakeui_select(fake, &job);
	job_release(&job);
	*state = fake;
	return 0;
}

static int stop(void **state)
{
	fakeui_stop(*state);
	free(*state);
	return 0;
}

static void pass(struct fakeui *fake)
{
	fake->mono_ms += QUESTION_DEAF_MS;
	fake->wall_ms += QUESTION_DEAF_MS;
}

static void open_submit(struct fakeui *fake)
{
	fakeui_keys(fake, "J X");
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	pass(fake);
}

static void submit__of_a_pending_job__puts_the_copy_in_its_place(void **state)
{
	struct fakeui *fake = *state;
	open_submit(fake);
	fakeui_keys(fake, "y");
	assert_int_equal(fake->requeues, 1);
	assert_string_equal(fake->old_name, "llm-ft-0930");
	assert_false(fake->stop_first); /* no quota is known: a refusal would lose nothing */
	assert_false(fake->despite_owner);
}

static void tab__goes_to_the_other_order__and_asks_anew(void **state)
{
	struct fakeui *fake = *state;
	open_submit(fake);
	fakeui_keys(fake, "Tab y"); /* y comes too early */
	assert_int_equal(fake->submits, 0);
	pass(fake);
	fakeui_keys(fake, "y");
	assert_int_equal(fake->requeues, 1);
	assert_true(fake->stop_first);
}

static void tab__goes_to_a_plain_copy__at_last(void **state)
{
	struct fakeui *fake = *state;
	open_submit(fake);
	fakeui_keys(fake, "Tab");
	pass(fake);
	fakeui_keys(fake, "Tab");
	pass(fake);
	fakeui_keys(fake, "y");
	assert_int_equal(fake->requeues, 0);
	assert_int_equal(fake->submits, 1);
}

static const struct submit *pane_of(struct fakeui *fake)
{
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	return fakeui_top_state(fake);
}

/* Time passes under the question: the name that was read stays, and what is new stands on top. */
static void tab__keeps_the_name__and_begins_above(void **state)
{
	struct fakeui *fake = *state;
	char name[JOB_NAME_SIZE];
	open_submit(fake);
	struct offscreen *screen = offscreen_new(80, 22);
	struct surface *out = offscreen_surface(screen);
	memcpy(name, pane_of(fake)->copy.name, sizeof(name));
	submit_pane.draw(fakeui_top_state(fake), out, draw_bounds(out), true);
	fakeui_keys(fake, "End");
	submit_pane.draw(fakeui_top_state(fake), out, draw_bounds(out), true);
	assert_true(pane_of(fake)->pagers[0].top > 0);
	fakeui_keys(fake, "Home");
	assert_int_equal(pane_of(fake)->pagers[0].top, 0);
	fakeui_keys(fake, "PgDn");
	pass(fake);
	fake->wall_ms += 5000;
	fakeui_keys(fake, "Tab");
	assert_int_equal(pane_of(fake)->pagers[0].top, 0);
	assert_string_equal(pane_of(fake)->copy.name, name);
	pass(fake);
	fakeui_keys(fake, "y");
	assert_string_equal(fake->sent_name, name);
	offscreen_free(screen);
}

/* The owner's name, not the copy's; and no other order with one checkpoint. */
static void submit__wants_the_owners_name__and_keeps_the_forced_order(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();
	struct buf text;
	buf_init(&text, 1u << 20);
	const char *end = strrchr(job.request_json, '}');
	assert_non_null(end);
	buf_add(&text, job.request_json, (size_t)(end - job.request_json));
	buf_add_text(&text, OWNER_MEMBERS);
	mem_set_text(&job.request_json, buf_text(&text));
	buf_release(&text);
	fakeui_select(fake, &job);
	job_release(&job);
	open_submit(fake);
	fakeui_keys(fake, "Tab");
	assert_string_equal(fake->said, "there is no other way");
	fakeui_type(fake, "llm-ft-0930");
	fakeui_keys(fake, "Enter");
	assert_int_equal(fake->requeues, 0);
	open_submit(fake);
	fakeui_type(fake, "hpo");
	fakeui_keys(fake, "Enter");
	assert_int_equal(fake->requeues, 1);
	assert_true(fake->stop_first);
	assert_true(fake->despite_owner);
}

static void tell(struct fakeui *fake, enum requeue_step step, const char *new_arn,
		 const struct err *err)
{
	const struct requeue_told told = { .kind = JOB_TRAINING,
					   .old_name = fake->old_name,
					   .old_arn = "arn:old",
					   .new_name = fake->sent_name,
					   .new_arn = new_arn,
					   .step = step,
					   .err = err };
	requeue_tell(&fake->ui, &told, false);
}

static void steps__are_told__and_shown_as_long_as_they_last(void **state)
{
	struct fakeui *fake = *state;
	open_submit(fake);
	fakeui_keys(fake, "y");
	tell(fake, REQUEUE_REPLACE, "arn:new", NULL);
	assert_non_null(strstr(fake->said, "until then both are there"));
	assert_int_equal(requeue_count(&fake->ui), 1);
	assert_non_null(requeue_of(&fake->ui, JOB_TRAINING, "llm-ft-0930"));
	tell(fake, REQUEUE_DONE, "arn:new", NULL);
	assert_non_null(strstr(fake->said, "submitted "));
	assert_non_null(strstr(fake->said, " in the place of llm-ft-0930"));
	assert_int_equal(requeue_count(&fake->ui), 0);
	assert_null(fakeui_top(fake)); /* the page has closed */
	assert_null(fake->ui.drafts);
}

static void refused__keeps_the_draft__for_another_try(void **state)
{
	struct fakeui *fake = *state;
	struct err err = { 0 };
	open_submit(fake);
	fakeui_keys(fake, "y");
	err_set(&err, ERR_REFUSED, "the quota is 1");
	tell(fake, REQUEUE_AWAIT_END, NULL, NULL);
	assert_non_null(strstr(fake->said, "llm-ft-0930 is being stopped; once it has ended"));
	tell(fake, REQUEUE_NOT_CREATED, NULL, &err);
	assert_non_null(strstr(fake->said, "llm-ft-0930 is stopped, but "));
	assert_non_null(strstr(fake->said, "the quota is 1"));
	assert_int_equal(fake->said_style, STYLE_ERROR);
	assert_non_null(fake->ui.drafts);
	assert_string_equal(fake->ui.drafts->sent_as, "");
	assert_string_equal(err_text(&fake->ui.drafts->refusal), "the quota is 1");
	err_clear(&err);
}

/* --- the ways back --- */

static void w__asks_and_takes_back__the_requeue_under_way(void **state)
{
	struct fakeui *fake = *state;
	requeue_withdraw_begin(&fake->ui);
	assert_null(fakeui_top(fake));
	assert_string_equal(fake->said, "nothing is under way that could be taken back");
	open_submit(fake);
	fakeui_keys(fake, "y Esc");
	tell(fake, REQUEUE_AWAIT_END, NULL, NULL);
	assert_true(requeue_may_withdraw(&fake->ui));
	requeue_withdraw_begin(&fake->ui);
	assert_ptr_equal(fakeui_top(fake), &question_pane);
	pass(fake);
	fakeui_keys(fake, "n");
	assert_int_equal(fake->withdrawals, 0);
	requeue_withdraw_begin(&fake->ui);
	pass(fake);
	fakeui_keys(fake, "y");
	assert_int_equal(fake->withdrawals, 1);
	assert_string_equal(fake->withdrawn_old, "llm-ft-0930");
	assert_string_equal(fake->withdrawn, fake->sent_name);
	assert_non_null(strstr(fake->said, "taking back "));
	tell(fake, REQUEUE_WITHDRAWN, NULL, NULL);
	assert_false(requeue_may_withdraw(&fake->ui));
	assert_true(draft_changed(fake->ui.drafts)); /* the new list is not lost */
}

static void w__takes_back__a_submission_that_has_no_answer(void **state)
{
	struct fakeui *fake = *state;
	open_submit(fake);
	fakeui_keys(fake, "Tab");
	pass(fake);
	fakeui_keys(fake, "Tab");
	pass(fake);
	fakeui_keys(fake, "y Esc");
	fake->withdrawal = WITHDRAWN_LATE;
	requeue_withdraw_begin(&fake->ui);
	pass(fake);
	fakeui_keys(fake, "y");
	assert_string_equal(fake->withdrawn_old, "");
	assert_string_equal(fake->withdrawn, fake->sent_name);
	assert_non_null(strstr(fake->said, "it may be at AWS already"));
}

/* Stopped, and the new list refused: one key and its question is that of the old list. */
static void old_list__is_one_key_away__after_stopped_not_created(void **state)
{
	struct fakeui *fake = *state;
	struct err err = { 0 };
	struct job job = fakeui_job();
	open_submit(fake);
	fakeui_keys(fake, "y Esc");
	mem_set_text(&job.status, "Stopped");
	mem_set_text(&job.secondary_status, "Stopped");
	store_take_described(&fake->store, &job);
	err_set(&err, ERR_REFUSED, "the quota is 1");
	const struct requeue_told told = { .kind = JOB_TRAINING,
					   .old_name = fake->old_name,
					   .old_arn = job.arn,
					   .new_name = fake->sent_name,
					   .step = REQUEUE_NOT_CREATED,
					   .err = &err };
	requeue_tell(&fake->ui, &told, true);
	assert_ptr_equal(fakeui_top(fake), &question_pane);
	fakeui_keys(fake, "y");
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	assert_true(prefs_equal(&fake->ui.drafts->prefs, &fake->ui.drafts->original.prefs));
	assert_true(draft_undo(fake->ui.drafts)); /* the new list is one step back */
	assert_true(draft_changed(fake->ui.drafts));
	fakeui_keys(fake, "Esc");
	assert_true(requeue_may_restore(&fake->ui));
	requeue_restore_begin(&fake->ui); /* O */
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	err_clear(&err);
	job_release(&job);
}

/* Of many no draft stands for it: it gets a row, Refused, on which X tries again. */
static void refused__has_a_row_of_its_own__without_a_draft(void **state)
{
	struct fakeui *fake = *state;
	struct err err = { 0 };
	struct job job = fakeui_job();
	static const char text[] =
		"{\"TrainingJobName\":\"new-1\",\"ResourceConfig\":{\"InstancePreferences\":"
		"[{\"InstanceType\":\"ml.p4d.24xlarge\",\"InstanceCount\":3}],"
		"\"VolumeSizeInGB\":10}}";
	err_set(&err, ERR_REFUSED, "the quota is 1");
	struct requeue_told told = { .kind = JOB_TRAINING,
				     .old_name = job.name,
				     .old_arn = job.arn,
				     .new_name = "new-1",
				     .step = REQUEUE_REFUSED,
				     .late = true,
				     .text = text,
				     .err = &err };
	requeue_tell(&fake->ui, &told, false);
	struct draft *draft = fake->ui.drafts;
	assert_non_null(draft);
	assert_true(local_has_row(&fake->ui, draft));
	assert_int_equal(local_phase(draft), LOCAL_REFUSED);
	assert_string_equal(local_name(draft), "new-1");
	assert_string_equal(draft->arn, job.arn); /* X requeues */
	assert_string_equal(draft->prefs.entries[0].instance_type, "ml.p4d.24xlarge");
	/* A second one: the job's draft is edited already. */
	told.new_name = "new-2";
	told.text = "{\"TrainingJobName\":\"new-2\"}";
	requeue_tell(&fake->ui, &told, false);
	draft = fake->ui.drafts;
	assert_int_equal(draft->origin, DRAFT_FILE);
	assert_int_equal(local_phase(draft), LOCAL_REFUSED);
	assert_string_equal(local_name(draft), "new-2");
	err_clear(&err);
	job_release(&job);
}

/* A job beside the one of start, of another name. */
static void add_job(struct fakeui *fake, const char *name, const char *secondary)
{
	struct job job = fakeui_job();
	char arn[160];
	(void)snprintf(arn, sizeof(arn), "arn:aws:sagemaker:us-east-1:111122223333:training-job/%s",
		       name);
	(void)snprintf(job.name, sizeof(job.name), "%s", name);
	mem_set_text(&job.arn, arn);
	mem_set_text(&job.secondary_status, secondary);
	store_take_described(&fake->store, &job);
	marks_toggle(&fake->ui.marks, arn);
	job_release(&job);
}

static void marked_jobs__get_the_list_of_the_draft__each_under_its_own_name(void **state)
{
	struct fakeui *fake = *state;
	char first[JOB_NAME_SIZE];
	add_job(fake, "llm-ft-0931", "Pending");
	add_job(fake, "llm-ft-0932", "Pending");
	add_job(fake, "llm-ft-0933", "Training");
	fakeui_keys(fake, "X");
	assert_non_null(strstr(fake->said, "edit the selected job's list first"));
	fakeui_keys(fake, "J X");
	assert_ptr_equal(fakeui_top(fake), &question_pane);
	pass(fake);
	fakeui_keys(fake, "n");
	assert_int_equal(fake->requeues, 0);
	assert_int_equal(fake->ui.marks.count, 3);
	fakeui_keys(fake, "X");
	pass(fake);
	fakeui_keys(fake, "y");
	assert_int_equal(fake->requeues, 2); /* the third does not wait */
	assert_string_equal(fake->old_name, "llm-ft-0932");
	assert_non_null(strstr(fake->sent_text, fake->sent_name));
	memcpy(first, fake->sent_name, sizeof(first));
	assert_string_equal(first, "llm-ft-261130-210809"); /* a second after the other's */
	assert_int_equal(fake->ui.marks.count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(submit__of_a_pending_job__puts_the_copy_in_its_place),
		TEST(tab__goes_to_the_other_order__and_asks_anew),
		TEST(tab__keeps_the_name__and_begins_above),
		TEST(tab__goes_to_a_plain_copy__at_last),
		TEST(submit__wants_the_owners_name__and_keeps_the_forced_order),
		TEST(steps__are_told__and_shown_as_long_as_they_last),
		TEST(refused__keeps_the_draft__for_another_try),
		TEST(w__asks_and_takes_back__the_requeue_under_way),
		TEST(w__takes_back__a_submission_that_has_no_answer),
		TEST(old_list__is_one_key_away__after_stopped_not_created),
		TEST(refused__has_a_row_of_its_own__without_a_draft),
		TEST(marked_jobs__get_the_list_of_the_draft__each_under_its_own_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
