/* S: what is asked before one job or the marked ones are stopped, and what is told of each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/homescreen.h"
#include "views/pane.h"

static int start(void **state)
{
	return homescreen_setup(state, 120, 40);
}

/* Each character as a key. */
static void type(struct homescreen *home, const char *text)
{
	for (; *text; text++)
		screen_key(home->screen, (struct key){ .code = (unsigned char)*text }, NULL);
}

/* --- one --- */

static void ask_stop(struct homescreen *home, const char *name)
{
	homescreen_go_to(home, name);
	homescreen_keys(home, "S");
	homescreen_want(home, "Stop the job?");
	assert_int_equal(home->sample.discards, 1);
}

static void stop__is_sent_once__after_the_deaf_time_and_y(void **state)
{
	struct homescreen *home = *state;
	ask_stop(home, "llm-ft-0930");
	homescreen_want(home, "StopTrainingJob {\"TrainingJobName\":\"llm-ft-0930\"} is sent to");
	homescreen_keys(home, "y");
	sample_pass(&home->sample, QUESTION_DEAF_MS - 1);
	homescreen_keys(home, "y");
	assert_int_equal(home->sample.stops, 0);
	sample_pass(&home->sample, 1);
	homescreen_keys(home, "y y y");
	assert_int_equal(home->sample.stops, 1);
	assert_int_equal(home->sample.stopped_count, 1);
	assert_string_equal(home->sample.stopped[0].name, "llm-ft-0930");
	assert_false(home->sample.stopped[0].despite_owner);
}

static void stop__is_not_sent__for_any_other_answer(void **state)
{
	static const char *const answers[] = { "Enter", "n", "Esc", "C-g", "Y", "Space", "C-c" };
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		struct homescreen home;
		(void)state;
		homescreen_start(&home, 80, 24, NULL);
		ask_stop(&home, "llm-ft-0930");
		sample_pass(&home.sample, QUESTION_DEAF_MS);
		screen_key(home.screen, (struct key){ .code = KEY_CODE_PASTE }, "y");
		homescreen_want(&home, "Stop the job?");
		homescreen_keys(&home, answers[i]);
		assert_false(homescreen_shows(&home, "Stop the job?"));
		if (strcmp(answers[i], "C-c") != 0)
			homescreen_want(&home, "not stopped: llm-ft-0930");
		assert_int_equal(home.sample.stops, 0);
		homescreen_stop(&home);
	}
}

static void cheap(struct sample *sample)
{
	sample->env.confirm_above_micro = 1000000; /* $1 an hour */
}

static void stop__wants_the_name__above_the_limit_or_when_unknown(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, cheap);
	ask_stop(&home, "vision-detr-1130");
	sample_pass(&home.sample, QUESTION_DEAF_MS);
	homescreen_keys(&home, "y Enter");
	assert_int_equal(home.sample.stops, 0);
	homescreen_keys(&home, "S");
	sample_pass(&home.sample, QUESTION_DEAF_MS);
	homescreen_keys(&home, "v i s i o n - d e t r - 1 1 3 0 Enter");
	assert_int_equal(home.sample.stops, 1);
	home.sample.discards = 0;
	ask_stop(&home, "new-word"); /* nothing says what it runs on */
	sample_pass(&home.sample, QUESTION_DEAF_MS);
	homescreen_keys(&home, "y Enter");
	assert_int_equal(home.sample.stops, 1);
	home.sample.discards = 0;
	ask_stop(&home, "llm-ft-0930"); /* pending: nothing by the hour */
	sample_pass(&home.sample, QUESTION_DEAF_MS);
	homescreen_keys(&home, "y");
	assert_int_equal(home.sample.stops, 2);
	homescreen_stop(&home);
}

static void stop__is_not_asked__for_a_job_that_has_ended(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "oom-run-44");
	homescreen_keys(home, "S");
	homescreen_want(home, "this job has ended already");
	homescreen_go_to(home, "being-stopped");
	homescreen_keys(home, "F9");
	homescreen_want(home, "this job is stopping already");
	assert_int_equal(home->sample.discards, 0);
}

/* --- whose it is --- */

/* Makes it a job of a tuning job, as Describe tells. */
static void give_to_tuning(struct homescreen *home, const char *name)
{
	char arn[256];
	struct job job = { 0 };
	sample_arn(JOB_TRAINING, name, arn);
	job_copy(&job, store_find(&home->sample.store, arn));
	mem_set_text(&job.request_json,
		     "{\"TuningJobArn\":\"arn:aws:sagemaker:us-east-1:111122223333:"
		     "hyper-parameter-tuning-job/hpo-7\"}");
	store_take_described(&home->sample.store, &job);
	job_release(&job);
	screen_refresh(home->screen);
}

static void stop__wants_the_owners_name__for_a_job_that_has_one(void **state)
{
	struct homescreen *home = *state;
	give_to_tuning(home, "llm-ft-0930");
	ask_stop(home, "llm-ft-0930");
	homescreen_want(home, "It belongs to the tuning job hpo-7, which fails");
	homescreen_want(home, "all the same, type: hpo-7");
	sample_pass(&home->sample, QUESTION_DEAF_MS);
	type(home, "llm-ft-0930");
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.stops, 0);
	homescreen_keys(home, "S");
	sample_pass(&home->sample, QUESTION_DEAF_MS);
	type(home, "hpo-7");
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.stops, 1);
	assert_true(home->sample.stopped[0].despite_owner);
}

/* Its tags are read only when it is to be stopped: then it is told, and asked for anew. */
static void stop__asks_for_the_owner__once_it_has_been_told_of(void **state)
{
	struct homescreen *home = *state;
	const struct stop_result result = { .kind = JOB_TRAINING,
					    .name = "llm-ft-0930",
					    .outcome = STOP_OWNED,
					    .owner = { OWNER_STEP_FUNCTIONS, "run-3" } };
	screen_stopped(home->screen, &result);
	homescreen_want(home,
			"llm-ft-0930 was not stopped: it belongs to the Step Functions execution "
			"run-3. S on it");
	ask_stop(home, "llm-ft-0930");
	homescreen_want(home, "all the same, type: run-3");
}

/* --- many --- */

static void mark(struct homescreen *home, const char *name)
{
	homescreen_go_to(home, name);
	homescreen_keys(home, "Space");
}

static void stop__names_each__of_the_marked_jobs(void **state)
{
	struct homescreen *home = *state;
	mark(home, "llm-ft-0930");
	mark(home, "vision-detr-1130");
	mark(home, "oom-run-44");
	mark(home, "being-stopped");
	homescreen_keys(home, "g S");
	homescreen_want(home, "Stop 2 jobs?");
	homescreen_want(home, "  llm-ft-0930                  Pending   nothing while pending");
	homescreen_want(home, "  vision-detr-1130             Running   ");
	homescreen_want(home, " an hour");
	homescreen_want(home, "oom-run-44 has ended");
	homescreen_want(home, "being-stopped is stopping already");
	sample_pass(&home->sample, QUESTION_DEAF_MS);
	homescreen_keys(home, "y");
	assert_int_equal(home->sample.stops, 1);
	assert_int_equal(home->sample.stopped_count, 2);
	assert_string_equal(home->sample.stopped[0].name, "llm-ft-0930");
	assert_string_equal(home->sample.stopped[1].name, "vision-detr-1130");
	assert_false(homescreen_shows(home, "marked")); /* they are used up */
}

static void stop__keeps_the_marks__when_the_answer_is_no(void **state)
{
	struct homescreen *home = *state;
	mark(home, "llm-ft-0930");
	mark(home, "vision-detr-1130");
	homescreen_keys(home, "S");
	sample_pass(&home->sample, QUESTION_DEAF_MS);
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.stops, 0);
	homescreen_want(home, "not stopped: 2 jobs; they stay marked");
	homescreen_want(home, "2 marked");
}

static void stop__wants_the_number_typed__above_the_limit_of_all(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, cheap);
	mark(&home, "llm-ft-0930");
	mark(&home, "vision-detr-1130");
	homescreen_keys(&home, "S");
	homescreen_want(&home, "To stop them, type: stop 2 jobs");
	sample_pass(&home.sample, QUESTION_DEAF_MS);
	type(&home, "y");
	homescreen_keys(&home, "Enter");
	assert_int_equal(home.sample.stops, 0);
	homescreen_keys(&home, "S");
	sample_pass(&home.sample, QUESTION_DEAF_MS);
	type(&home, "stop 2 jobs");
	homescreen_keys(&home, "Enter");
	assert_int_equal(home.sample.stops, 1);
	homescreen_stop(&home);
}

static void stop__leaves_out_and_says_whose__among_the_marked(void **state)
{
	struct homescreen *home = *state;
	give_to_tuning(home, "llm-ft-0930");
	mark(home, "llm-ft-0930");
	mark(home, "moe-pretrain-stage2-7b");
	mark(home, "vision-detr-1130");
	homescreen_keys(home, "S");
	homescreen_want(home, "Stop 2 jobs?");
	homescreen_want(home, "llm-ft-0930 belongs to the tuning job hpo-7: S on it alone asks");
	sample_pass(&home->sample, QUESTION_DEAF_MS);
	homescreen_keys(home, "Esc U");
	mark(home, "llm-ft-0930");
	mark(home, "oom-run-44");
	homescreen_keys(home, "S");
	homescreen_want(home, "none of the 2 marked jobs can be stopped");
	homescreen_want(home, "Nothing to stop");
}

/* The one that is marked, wherever the cursor stands. */
static void stop__takes_the_marked_one__not_the_selected(void **state)
{
	struct homescreen *home = *state;
	mark(home, "llm-ft-0930");
	homescreen_keys(home, "g S");
	homescreen_want(home, "{\"TrainingJobName\":\"llm-ft-0930\"}");
}

/* --- what is told --- */

static void tell(struct homescreen *home, const char *name, enum stop_outcome outcome,
		 const struct err *err, size_t left)
{
	const struct stop_result result = {
		.name = name, .outcome = outcome, .err = err, .left = left
	};
	screen_stopped(home->screen, &result);
}

static void stopped__shows_a_refusal_whole__and_a_good_answer_as_a_line(void **state)
{
	struct homescreen *home = *state;
	struct err err = { 0 };
	tell(home, "llm-ft-0930", STOP_DONE, NULL, 0);
	homescreen_want(home, "llm-ft-0930 is being stopped");
	err_set(&err, ERR_DENIED, "User: arn:x is not authorized to perform: z because of w");
	tell(home, "llm-ft-0930", STOP_FAILED, &err, 0);
	err_clear(&err);
	homescreen_want(home, "Not stopped");
	homescreen_want(home, "User: arn:x is not authorized to perform: z because of w");
	homescreen_keys(home, "Esc");
	homescreen_want(home, "llm-ft-0930 was not stopped: User: arn:x");
	homescreen_want(home, "┌*Jobs ");
}

/* An answer that was lost, and a job that was over before: neither is "not stopped" (case 057). */
static void stopped__does_not_deny__what_may_have_happened(void **state)
{
	struct homescreen *home = *state;
	struct err err = { 0 };
	tell(home, "llm-ft-0930", STOP_OVER, NULL, 0);
	homescreen_want(home, "llm-ft-0930 is over or stopping already");
	tell(home, "llm-ft-0930", STOP_GONE, NULL, 0);
	homescreen_want(home, "llm-ft-0930 is not there any more");
	err_set(&err, ERR_TIMEOUT, "no answer in time");
	err.outcome_open = true;
	tell(home, "llm-ft-0930", STOP_FAILED, &err, 0);
	err_clear(&err);
	homescreen_want(home, "Perhaps stopped");
	homescreen_want(home, "It is not known whether llm-ft-0930 was stopped");
	assert_false(homescreen_shows(home, "was not stopped"));
	homescreen_keys(home, "Esc");
	homescreen_want(home, "not known whether llm-ft-0930 was stopped: no answer");
}

static void stopped__counts__and_shows_what_went_wrong_at_the_end(void **state)
{
	struct homescreen *home = *state;
	struct err err = { 0 };
	mark(home, "llm-ft-0930");
	mark(home, "vision-detr-1130");
	mark(home, "moe-pretrain-stage2-7b");
	homescreen_keys(home, "S");
	sample_pass(&home->sample, QUESTION_DEAF_MS);
	homescreen_keys(home, "y");
	tell(home, "llm-ft-0930", STOP_DONE, NULL, 2);
	homescreen_want(home, "1 job is being stopped, 2 to go");
	err_set(&err, ERR_DENIED, "not authorized to stop");
	tell(home, "vision-detr-1130", STOP_FAILED, &err, 1);
	err_clear(&err);
	homescreen_want(home, "1 job is being stopped, 1 not stopped, 1 to go");
	tell(home, "moe-pretrain-stage2-7b", STOP_OVER, NULL, 0);
	homescreen_want(home, "vision-detr-1130 was not stopped: not authorized to stop");
	homescreen_want(home, "moe-pretrain-stage2-7b is over or stopping already");
	homescreen_keys(home, "Esc");
	homescreen_want(home, "1 job is being stopped, 1 over already, 1 not stopped");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, homescreen_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(stop__is_sent_once__after_the_deaf_time_and_y),
		cmocka_unit_test(stop__is_not_sent__for_any_other_answer),
		cmocka_unit_test(stop__wants_the_name__above_the_limit_or_when_unknown),
		TEST(stop__is_not_asked__for_a_job_that_has_ended),
		TEST(stop__wants_the_owners_name__for_a_job_that_has_one),
		TEST(stop__asks_for_the_owner__once_it_has_been_told_of),
		TEST(stop__names_each__of_the_marked_jobs),
		TEST(stop__keeps_the_marks__when_the_answer_is_no),
		cmocka_unit_test(stop__wants_the_number_typed__above_the_limit_of_all),
		TEST(stop__leaves_out_and_says_whose__among_the_marked),
		TEST(stop__takes_the_marked_one__not_the_selected),
		TEST(stopped__shows_a_refusal_whole__and_a_good_answer_as_a_line),
		TEST(stopped__does_not_deny__what_may_have_happened),
		TEST(stopped__counts__and_shows_what_went_wrong_at_the_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
