/* Queue, Selected, Wait, Cost, the description and the JSON page, for each sort of job. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/homescreen.h"
#include "views/detail.h"

static int start(void **state)
{
	return homescreen_setup(state, 140, 50);
}

/* --- queue --- */

static void queue__shows_limit_why_and_list__while_pending(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	/* 102 of 360 minutes = 28.3 %; submitted 12:20, so the limit is reached at 18:20. */
	homescreen_want(home, "Pending 1h42m of 6h00m  ▓▓░░░░░░░░ 28 %  until 18:20");
	homescreen_want(home, "why (AWS): Insufficient capacity error from EC2");
	homescreen_want(home, " #1 ml.p5.48xlarge ×2  plan p5-plan not free at 14:02");
	homescreen_want(home, " #2 ml.p4d.24xlarge ×4 on-demand    not free at 14:02");
	homescreen_want(home, "Queue ─");
	homescreen_want(home, " llm-ft-0930 ┐");
}

/* 4 % of a day: the limit is tomorrow, and the bar gives way to the words. */
static void queue__keeps_the_date_whole__in_a_narrow_pane(void **state)
{
	struct homescreen home;
	char arn[256];
	struct job job = { 0 };
	(void)state;
	homescreen_start(&home, 120, 40, NULL);
	sample_arn(JOB_TRAINING, "llm-ft-0930", arn);
	job_copy(&job, store_find(&home.sample.store, arn));
	job.max_pending.ms = INT64_C(24) * 3600000;
	store_take_described(&home.sample.store, &job);
	homescreen_pass(&home, 0);
	homescreen_go_to(&home, "llm-ft-0930");
	homescreen_want(&home, "Pending 1h42m of 1d00h  ░░░░░░ 7 %  until 12-01 12:20");
	homescreen_stop(&home);
}

static void queue__says_that_there_is_none__where_a_limit_is_missing(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "moe-pretrain-stage2-7b");
	homescreen_want(home, "Pending 3h41m, without a limit");
	homescreen_go_to(home, "eval-nightly-20261130");
	homescreen_want(home, "Pending 7m; processing jobs have no limit");
	homescreen_want(home, "why: AWS publishes no reason for processing jobs");
	homescreen_want(home, "no preference list, one type:");
	homescreen_go_to(home, "only-listed");
	homescreen_want(home, "Pending 2m, limit not read yet");
	homescreen_want(home, "list: not read yet");
}

static void queue__marks_the_choice__once_it_is_made(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "vision-detr-1130");
	homescreen_want(home, "Running since 11:02 (3h00m), Training");
	homescreen_want(home, "message (AWS): Training image download completed.");
	homescreen_want(home, "✗#1 ml.p4de.24xlarge ×1 on-demand was not free");
	homescreen_want(home, "✓#2 ml.p4d.24xlarge ×1  on-demand selected");
	homescreen_want(home, " #3 ml.g5.48xlarge ×2   on-demand not needed");
}

static void queue__says_how_it_ended__and_the_first_line_of_why(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "oom-run-44");
	homescreen_want(home, "Failed at 12:02 after running 3h00m");
	homescreen_want(home, "reason (AWS): AlgorithmError: CUDA out of memory");
	assert_false(homescreen_shows(home, "Traceback"));
	homescreen_go_to(home, "never-lucky");
	homescreen_want(home, "Stopped at 11-29 14:02, never started");
	homescreen_want(home, "ended as  MaxPendingTimeExceeded");
}

static void queue__says_unknown__for_a_word_that_no_list_knows(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "new-word");
	homescreen_want(home, "Quarantined since 13:59 (3m)");
	homescreen_want(home, "why (AWS): bad ·[31mred· bytes � and 你");
}

static void queue__names_groups__of_a_heterogeneous_cluster(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "hetero-rl");
	homescreen_want(home, "instance groups, all of them needed:");
	homescreen_want(home, "#2 ml.g5.48xlarge ×1 group learner, on-demand");
	homescreen_want(home, "– (groups: all of them)");
}

static void queue__scrolls__when_it_is_longer_than_its_pane(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 60, 16, NULL);
	homescreen_go_to(&home, "llm-ft-0930");
	homescreen_want(&home, "Pending 1h42m of 6h00m");
	assert_false(homescreen_shows(&home, "#3 ml.g5.48xlarge"));
	homescreen_keys(&home, "3 G");
	homescreen_want(&home, "#3 ml.g5.48xlarge");
	assert_false(homescreen_shows(&home, "Pending 1h42m of 6h00m"));
	homescreen_keys(&home, "g");
	homescreen_want(&home, "Pending 1h42m of 6h00m");
	homescreen_keys(&home, "j j j j j j j j j k");
	assert_false(homescreen_shows(&home, "Pending 1h42m of 6h00m"));
	homescreen_keys(&home, "1 k"); /* another job starts at the top */
	homescreen_want(&home, "Pending 3h41m, without a limit");
	homescreen_stop(&home);
}

/* --- selected, wait, cost --- */

static void selected__shows_rank_hardware_and_fallback__when_chosen(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "vision-detr-1130");
	homescreen_want(home, "#2 ml.p4d.24xlarge ×1");
	homescreen_want(home, "8×A100 40G");
	homescreen_want(home, "! fallback: choice 2 of 3");
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_want(home, "– (pending)");
	homescreen_go_to(home, "never-lucky");
	homescreen_want(home, "– (never started)");
	homescreen_go_to(home, "only-listed");
	homescreen_want(home, "? (not read yet)");
}

/* Waits of 1, 2, ... 11 minutes: half have started with the 6th, nine in ten with the 10th. */
static void wait__gives_quantiles_with_n__or_says_too_small(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "sweep-lr-03");
	homescreen_want(home, "waited 3m");
	homescreen_want(home, "p50 6m  p90 10m  (n=11)");
	homescreen_go_to(home, "vision-detr-1130");
	homescreen_want(home, "waited 20m of 6h00m");
	homescreen_want(home, "n too small (n=2)"); /* oom-run-44 got the same type */
}

static void wait__lists_its_stretches__when_there_are_several(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "spot-restarts");
	homescreen_want(home, "waited 2h00m");
	homescreen_want(home, "in 2 stretches:");
	homescreen_want(home, "spot: interrupted 1 time");
	homescreen_want(home, "from 04:02 for 1h00m");
	homescreen_want(home, "from 09:02 for 1h00m");
	homescreen_go_to(home, "vision-detr-1130"); /* Starting, then Pending: one stretch */
	assert_false(homescreen_shows(home, "from 10:42"));
}

static void cost__is_marked_as_an_estimate__with_its_source(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_want(home, "so far    $0");
	homescreen_want(home, "per hour  nothing while pending");
	homescreen_want(home, "expected  unknown: n too small");
	homescreen_want(home, "entries/h #1 plan  #2 ~$");
	homescreen_want(home, "~ price table of ");
	homescreen_go_to(home, "never-lucky");
	homescreen_want(home, "per hour  nothing: it never started");
	homescreen_go_to(home, "only-listed");
	assert_false(homescreen_shows(home, "so far"));
}

static void cost__names_the_type__that_has_no_price(void **state)
{
	struct homescreen *home = *state;
	char arn[256];
	struct job job = { 0 };
	sample_arn(JOB_TRAINING, "moe-pretrain-stage2-7b", arn);
	job_copy(&job, store_find(&home->sample.store, arn));
	memcpy(job_edit_prefs(&job)->entries[1].instance_type, "ml.zz9.huge",
	       sizeof("ml.zz9.huge"));
	job.modified.ms += 1000;
	store_take_described(&home->sample.store, &job);
	homescreen_pass(home, 0);
	homescreen_go_to(home, "moe-pretrain-stage2-7b");
	homescreen_want(home, "#2 ?");
	homescreen_want(home, " no price for ml.zz9.huge ┐");
	homescreen_want(home, "worst     unknown");
}

/* --- description and JSON --- */

/* 31.56 and 37.66 dollars an hour in the price table; 43 columns are left for five entries. */
static void cost__goes_on_below__where_five_entries_are_too_long(void **state)
{
	struct homescreen home;
	char arn[256];
	struct job job = { 0 };
	(void)state;
	homescreen_start(&home, 120, 36, NULL);
	sample_arn(JOB_TRAINING, "llm-ft-0930", arn);
	job_copy(&job, store_find(&home.sample.store, arn));
	assert_true(prefs_insert(job_edit_prefs(&job), 3, "ml.p4de.24xlarge"));
	assert_true(prefs_insert(job_edit_prefs(&job), 4, "ml.g6e.48xlarge"));
	job_edit_prefs(&job)->entries[3].count = job_edit_prefs(&job)->entries[4].count = 1;
	job.modified.ms += 1000;
	store_take_described(&home.sample.store, &job);
	homescreen_pass(&home, 0);
	homescreen_go_to(&home, "llm-ft-0930");
	homescreen_want(&home, "│entries/h #1 plan  #2 ~$101  #3 ~$163  #4 ~$32");
	homescreen_want(&home, "│          #5 ~$38 ");
	homescreen_stop(&home);
}

static void description__shows_the_reason_whole__and_the_timeline(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "oom-run-44");
	homescreen_keys(home, "Enter");
	homescreen_want(home, "  Traceback (most recent call last):");
	homescreen_want(home, "    File \"train.py\", line 12");
	homescreen_want(home, "2026-11-30 09:02:00  Training                    3h00m");
	homescreen_want(home, "  capacity          on-demand");
	homescreen_keys(home, "G");
	homescreen_want(home, "price from");
	homescreen_keys(home, "q");
	homescreen_want(home, "┌*Jobs ");
	assert_int_equal(home->sample.quits, 0);
}

/* The job in another state than the sample's. */
static void change_job(struct homescreen *home, const char *name, void (*change)(struct job *job))
{
	char arn[256];
	struct job job = { 0 };
	sample_arn(JOB_TRAINING, name, arn);
	job_copy(&job, store_find(&home->sample.store, arn));
	change(&job);
	store_take_described(&home->sample.store, &job);
	homescreen_pass(home, 0);
	homescreen_go_to(home, name);
}

static void make_capacity_error(struct job *job)
{
	mem_set_text(&job->failure_reason, "CapacityError: Unable to provision");
}

static void make_exit_code(struct job *job)
{
	mem_set_text(&job->failure_reason, "AlgorithmError: Exit Code: 137");
}

/* What AWS says and what gpuq says of it are told apart. */
static void remark__is_marked_as_gpuqs__below_the_reason(void **state)
{
	struct homescreen *home = *state;
	change_job(home, "oom-run-44", make_exit_code);
	homescreen_want(home, "reason (AWS): AlgorithmError: Exit Code: 137");
	homescreen_want(home, "gpuq: exit code 137 is 128 + 9: usually an ");
	assert_false(homescreen_shows(home, "P edits the list"));
	homescreen_keys(home, "d");
	homescreen_want(home, "REMARK (gpuq)");
	homescreen_want(home, "  exit code 137 is 128 + 9");
	homescreen_keys(home, "Esc");
	change_job(home, "oom-run-44", make_capacity_error);
	homescreen_want(home, "gpuq: no capacity for ");
	homescreen_want(home, "P edits the list, X submits a copy");
}

/* Ended at 12:02 without an end time: the last transition began at 09:02 and is open. */
static void make_pool(struct job *job)
{
	mem_set_text(&job->status, "Completed");
	mem_set_text(&job->failure_reason, NULL);
	job->modified = job->ended;
	job->ended.set = false;
	job->transitions[job->transition_count - 1].end_ms = INT64_MIN;
	job->keep_alive_seconds = 70;
	mem_set_text(&job->pool.status, "Reused");
	mem_set_text(&job->pool.reused_by, "next-run");
	job->pool.retained = (struct opt_ms){ .set = true, .ms = 69000 };
}

static void make_unreported(struct job *job)
{
	mem_set_text(&job->pool.status, NULL);
	job->pool.retained.set = false;
}

static void pool__is_shown__and_an_open_end_does_not_tick(void **state)
{
	struct homescreen *home = *state;
	change_job(home, "oom-run-44", make_pool);
	homescreen_want(home, "warm pool: handed to next-run, retained 69 s");
	homescreen_want(home, "warm pool ~$");
	homescreen_keys(home, "d");
	homescreen_want(home, "warm pool         handed to next-run, retained 69 s");
	homescreen_want(home, "2026-11-30 09:02:00  Training                    3h00m");
	homescreen_pass(home, 3600000);
	homescreen_want(home, "2026-11-30 09:02:00  Training                    3h00m");
	homescreen_keys(home, "Esc");
	change_job(home, "oom-run-44", make_unreported);
	homescreen_want(home, "warm pool: not reported");
	assert_false(homescreen_shows(home, "warm pool ~$"));
}

static void description__stays_with_its_job__when_that_is_gone(void **state)
{
	struct homescreen *home = *state;
	char arn[256];
	homescreen_go_to(home, "oom-run-44");
	homescreen_keys(home, "d");
	sample_arn(JOB_TRAINING, "oom-run-44", arn);
	store_forget(&home->sample.store, arn);
	homescreen_pass(home, 0);
	homescreen_want(home, "This job is not listed any more.");
	homescreen_keys(home, "Esc");
	homescreen_want(home, "┌*Jobs ");
}

static void raw__masks_secrets__of_the_environment(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "y");
	homescreen_want(home, "\"TrainingJobName\": \"llm-ft-0930\"");
	homescreen_want(home, "HF_TOKEN");
	assert_false(homescreen_shows(home, "s3cr3t"));
	homescreen_keys(home, "C-g");
	homescreen_go_to(home, "moe-pretrain-stage2-7b");
	homescreen_keys(home, "y");
	homescreen_want(home, "What Describe tells of this job has not been read.");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, homescreen_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(queue__shows_limit_why_and_list__while_pending),
		cmocka_unit_test(queue__keeps_the_date_whole__in_a_narrow_pane),
		TEST(queue__says_that_there_is_none__where_a_limit_is_missing),
		TEST(queue__marks_the_choice__once_it_is_made),
		TEST(queue__says_how_it_ended__and_the_first_line_of_why),
		TEST(queue__says_unknown__for_a_word_that_no_list_knows),
		TEST(queue__names_groups__of_a_heterogeneous_cluster),
		cmocka_unit_test(queue__scrolls__when_it_is_longer_than_its_pane),
		TEST(selected__shows_rank_hardware_and_fallback__when_chosen),
		TEST(wait__gives_quantiles_with_n__or_says_too_small),
		TEST(wait__lists_its_stretches__when_there_are_several),
		TEST(cost__is_marked_as_an_estimate__with_its_source),
		TEST(cost__names_the_type__that_has_no_price),
		cmocka_unit_test(cost__goes_on_below__where_five_entries_are_too_long),
		TEST(description__shows_the_reason_whole__and_the_timeline),
		TEST(remark__is_marked_as_gpuqs__below_the_reason),
		TEST(pool__is_shown__and_an_open_end_does_not_tick),
		TEST(description__stays_with_its_job__when_that_is_gone),
		TEST(raw__masks_secrets__of_the_environment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
