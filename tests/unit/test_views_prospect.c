/* When a list would start, on the screen: from now, as a draft, and what it would cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include <string.h>

#include "model/base/mem.h"
#include "tests/homescreen.h"
#include "tests/jobs.h"

#define MIN INT64_C(60000)
#define P5  "ml.p5.48xlarge"
#define P4D "ml.p4d.24xlarge"
#define G6  "ml.g6.48xlarge"

static void record(struct sample *sample, struct job *job)
{
	struct history_figures figures;
	history_figures(job, &sample->store.prices, sample->wall_ms, &figures);
	history_take(&sample->store.history, job, &figures);
	job_release(job);
}

/* A run of two hours on one type, long ago, after a wait of so many minutes. */
static void add_past(struct sample *sample, const char *stem, int number, const char *type,
		     int64_t count, int64_t wait_min)
{
	int64_t created_ms = sample->wall_ms - (7200 + number * 10) * MIN;
	int64_t start_ms = created_ms + wait_min * MIN;
	char name[64];
	snprintf(name, sizeof(name), "%s-%d", stem, 10000 + number);
	struct job job = described_job(name, created_ms, "Completed", "Completed");
	*job_edit_prefs(&job) = (struct preferences){ .is_list = true };
	add_entry(&job, type, count);
	add_stretch(&job, "Pending", created_ms / 1000, start_ms / 1000);
	add_stretch(&job, "Training", start_ms / 1000, start_ms / 1000 + 120 * 60);
	job.selected = (struct selected){ .set = true, .rank = 1, .count = count };
	snprintf(job.selected.instance_type, sizeof(job.selected.instance_type), "%s", type);
	job.started = at(start_ms);
	job.ended = at(start_ms + 120 * MIN);
	job.billable = at(120 * MIN);
	record(sample, &job);
}

/*
 * A job waits for 30 minutes. P5 x2 always took an hour: 30 minutes from now. Of P4D x4 half took
 * 40 minutes, 10 from now, half two hours.
 */
static void prepare(struct sample *sample)
{
	struct job job =
		described_job("night-3", sample->wall_ms - 30 * MIN, "InProgress", "Pending");
	char arn[256];
	sample_arn(JOB_TRAINING, "night-3", arn);
	mem_set_text(&job.arn, arn);
	*job_edit_prefs(&job) = (struct preferences){ .is_list = true };
	add_entry(&job, P5, 2);
	add_entry(&job, P4D, 4);
	add_stretch(&job, "Pending", (sample->wall_ms - 30 * MIN) / 1000, -1);
	job.described_mono_ms = sample->mono_ms;
	store_take_described(&sample->store, &job);
	for (int i = 0; i < 10; i++)
		add_past(sample, "night", i, P5, 2, 60);
	for (int i = 10; i < 30; i++)
		add_past(sample, "night", i, P4D, 4, i < 20 ? 40 : 120);
}

/* One that waits for G6 x1 for so many minutes. */
static void add_waiting(struct sample *sample, const char *name, int64_t minutes)
{
	struct job job =
		described_job(name, sample->wall_ms - minutes * MIN, "InProgress", "Pending");
	char arn[256];
	sample_arn(JOB_TRAINING, name, arn);
	mem_set_text(&job.arn, arn);
	*job_edit_prefs(&job) = (struct preferences){ .is_list = true };
	add_entry(&job, G6, 1);
	job.described_mono_ms = sample->mono_ms;
	store_take_described(&sample->store, &job);
}

/* One job waits for a type that was asked for twelve times on Wednesday, from 05:32 to 07:22, each
 * ten minutes: by turns it took half an hour or was free at once. */
static void prepare_hours(struct sample *sample)
{
	prepare(sample);
	for (int i = 40; i < 52; i++)
		add_past(sample, "hours", i, G6, 1, i % 2 ? 30 : 0);
	add_waiting(sample, "hours-1", 30);
}

static struct config config;

static void prepare_certified(struct sample *sample)
{
	static const char text[] =
		"[certified night]\ntype = " P5 "\ncount = 2\nrun_time = 1h\n"
		"[certified old]\nstems = night\ntype = " P4D "\ncount = 4\nrun_time = 23h\n"
		"[certified other]\ntype = ml.g5.xlarge\nrun_time = 1h\n";
	struct err err = { 0 };
	prepare(sample);
	assert_true(config_read(&config, "config", text, strlen(text), &err));
	sample->env.config = &config;
}

static int setup_certified(void **state)
{
	static struct homescreen home;
	homescreen_start(&home, 160, 48, prepare_certified);
	homescreen_go_to(&home, "night-3");
	*state = &home;
	return 0;
}

static int setup(void **state)
{
	static struct homescreen home;
	homescreen_start(&home, 160, 48, prepare);
	homescreen_go_to(&home, "night-3");
	*state = &home;
	return 0;
}

/* A list with a run limit of 3.7 h, and what is to be paid at most. */
static void prepare_limit(struct sample *sample)
{
	static const char text[] = "max_worst_case = 14\n";
	const char *none[SETTING_COUNT] = { 0 };
	const struct config_given given = { .options = none };
	struct err err = { 0 };
	add_waiting(sample, "budget-1", 1);
	struct job job = { 0 };
	char arn[256];
	sample_arn(JOB_TRAINING, "budget-1", arn);
	job_copy(&job, store_find(&sample->store, arn));
	*job_edit_prefs(&job) = (struct preferences){ .is_list = true };
	add_entry(&job, "ml.g6e.4xlarge", 1);
	add_entry(&job, P4D, 1);
	job.max_runtime = at(13320 * INT64_C(1000));
	store_take_described(&sample->store, &job);
	assert_true(config_read(&config, "config", text, strlen(text), &err));
	config_decide(&config, &given);
	sample->env.config = &config;
}

/* Four of the type started after 3, 2, 4 and 3 minutes; one waits for 59. */
static void prepare_long_wait(struct sample *sample)
{
	static const int64_t minutes[] = { 3, 2, 4, 3 };
	add_waiting(sample, "panels-1", 59);
	for (int i = 0; i < 4; i++) {
		char name[24], arn[256];
		int64_t created_ms = sample->wall_ms - (600 + i) * MIN;
		int64_t start_ms = created_ms + minutes[i] * MIN;
		snprintf(name, sizeof(name), "panels-%d", 10 + i);
		struct job job = described_job(name, created_ms, "Completed", "Completed");
		sample_arn(JOB_TRAINING, name, arn);
		mem_set_text(&job.arn, arn);
		*job_edit_prefs(&job) = (struct preferences){ 0 };
		add_entry(&job, G6, 1);
		job.selected = (struct selected){ .set = true, .rank = 1, .count = 1 };
		snprintf(job.selected.instance_type, sizeof(job.selected.instance_type), G6);
		add_stretch(&job, "Starting", created_ms / 1000, start_ms / 1000);
		add_stretch(&job, "Training", start_ms / 1000, start_ms / 1000 + 60);
		job.started = at(start_ms);
		job.ended = at(start_ms + MIN);
		job.described_mono_ms = sample->mono_ms;
		store_take_described(&sample->store, &job);
	}
}

static int start_at(void **state, void (*prepare_it)(struct sample *), const char *name)
{
	static struct homescreen home;
	homescreen_start(&home, 160, 48, prepare_it);
	homescreen_go_to(&home, name);
	*state = &home;
	return 0;
}

static int setup_limit(void **state)
{
	return start_at(state, prepare_limit, "budget-1");
}

static int setup_long_wait(void **state)
{
	return start_at(state, prepare_long_wait, "panels-1");
}

static int setup_hours(void **state)
{
	static struct homescreen home;
	homescreen_start(&home, 160, 48, prepare_hours);
	homescreen_go_to(&home, "hours-1");
	*state = &home;
	return 0;
}

static int teardown(void **state)
{
	homescreen_stop(*state);
	config_release(&config);
	return 0;
}

/*
 * Two more have waited longer without a start: llm-ft-0930 for P4D x4 and never-lucky for P5 x2.
 * In 15 minutes only P4D can start, 10 of 21 who waited so long; 30 from now P5, 10 of 11: of 100
 * wait on 52.4, and then 52.4 x 1/11 = 4.8.
 */
static void a_pending_job__is_told_from_now(void **state)
{
	struct homescreen *home = *state;
	homescreen_want(home, "from now, by this account's");
	homescreen_want(home, "in 15m 48 %");
	homescreen_want(home, "in 1h  95 %");
	homescreen_want(home, "p50 30m  p90 30m  (n=10)");
}

/* Both were not free for 30 minutes: the same. Of five P4D nothing is known. */
static void a_draft__is_told_as_if_submitted_now(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "P J");
	homescreen_want(home, "draft, if submitted now");
	homescreen_want(home, "in 15m 48 %");
	homescreen_want(home, "p50 30m  p90 30m  (n=10)");
	homescreen_keys(home, "k +");
	homescreen_want(home, "in 15m at least 0 %");
	homescreen_want(home, "n too small: #1 n=0");
	homescreen_keys(home, "u u");
	homescreen_want(home, "from now");
}

/*
 * P4D wins 10 of 21 in 10 minutes, P5 10 of 11 of the rest in 30: .476 each; what is left P4D, in
 * 90, as llm-ft-0930 has not waited so long. Alone P4D has not started half before that. Runs take
 * two hours: .476 x 2 x $126.60 + .524 x 2 x $101.00 = $226.4.
 */
static void entries__have_their_chance_their_usual_wait_and_the_list_its_cost(void **state)
{
	struct homescreen *home = *state;
	homescreen_want(home, "~$127/h  wins 48 % p50 30m");
	homescreen_want(home, "~$101/h  wins 52 % p50 1h30m");
	homescreen_want(home, "expected  ~$226");
	homescreen_keys(home, "P J");
	homescreen_want(home, "#1 ml.p4d.24xlarge  ×4  on-demand  32×A100 40G  ~$101/h  wins 52 %");
	homescreen_keys(home, "Enter"); /* of P5, of two: at the submission */
	homescreen_want(home, "~$63.30        ?       1h00m");
}

/* night-3 and llm-ft-0930 wait now; vision-detr-1130 got a P4D at 11:02, after 20 minutes. */
static void types__were_not_free_at_the_times_that_jobs_saw(void **state)
{
	struct homescreen *home = *state;
	homescreen_want(home, "#2 lately not free 14:02, 13:32, 12:20, free 11:02");
}

/* The one that waits was refused at 13:32 today; of 13, 6 were free: 46 %. */
static void hours_of_the_week__are_told_beside_the_forecast(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "5 z");
	homescreen_want(home, "ml.g6.48xlarge free at once 46 % (n=13), Mon 14h 0 of 0");
	homescreen_want(home, "    0     6     12    18");
	homescreen_want(home, "Mon .............0..........");
	homescreen_want(home, "Wed .....356................");
}

/*
 * Case 067: 3.7 h are 3.7 x 3.76 = $13.91 on the one and 3.7 x 25.251 = $93.43 on the other; 14
 * dollars are 3.72 h of the one and 14 / 25.251 h = 33 minutes of the other.
 */
static void case_067__the_limit__costs_something_else_on_each_entry(void **state)
{
	struct homescreen *home = *state;
	homescreen_want(home, "entries/h #1 ~$3.76  #2 ~$25");
	homescreen_want(home, "at limit  #1 ~$14  #2 ~$93");
	homescreen_want(home, "max buys  #1 3h43m  #2 33m");
}

/* Case 088: nobody waited so long, so there is no forecast; what was usual is told as that. */
static void case_088__the_usual_wait__stands_beside_a_long_one(void **state)
{
	struct homescreen *home = *state;
	homescreen_want(home, "n too small: #1 n=0");
	homescreen_want(home, "the newest 4 of ml.g6.48xlarge");
	homescreen_want(home, "waited 3m (median), 4m at most");
}

/*
 * Within a day P4D, which runs 23 hours, helps with a start in 40 minutes, 10 of 21; P5 starts in
 * an hour, 10 of 11: together .476 + .524 x .909 = .952. P4D may start after two hours, too late,
 * and is paid for all the same: .476 x $126.60 + .524 x $2,323 = $1,277. Within two days it is in
 * time.
 */
static void lists__are_suggested__and_taken_as_one_edit(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "P o");
	homescreen_want(home, "searching");
	homescreen_learn(home);
	homescreen_want(home, "finish in 1d00h");
	homescreen_want(home, " 95 %  ~$1,277   ml.p5.48xlarge:2,ml.p4d.24xlarge:4");
	homescreen_want(home, " 91 %  ~$127     ml.p5.48xlarge:2");
	homescreen_want(home, "Why the first: ml.p5.48xlarge alone, the best alone, has 91 %");
	homescreen_keys(home, "d");
	homescreen_want(home, "searching");
	homescreen_learn(home);
	homescreen_want(home, "100 %  ~$2,323   ml.p4d.24xlarge:4");
	homescreen_keys(home, "j Enter");
	homescreen_want(home, "the list is as suggested now: u undoes it");
	homescreen_want(home, "#1 ml.p4d.24xlarge  ×4");
	homescreen_want_not(home, "#2 ml.p4d.24xlarge  ×4");
	homescreen_keys(home, "u");
	homescreen_want(home, "#2 ml.p4d.24xlarge  ×4");
	homescreen_want_not(home, "draft*");
}

/*
 * The run of P4D costs 23 x $101, above 200; nothing is read into what is no amount. By cost, with
 * half a chance P5 alone is the cheapest, and with 95 % only both together have that.
 */
static void a_budget_and_the_cost__rank_the_lists_too(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "P o b 2 0 0 Enter");
	homescreen_learn(home);
	homescreen_want(home, "finish in 1d00h, $200");
	homescreen_want(home, " 91 %  ~$127     ml.p5.48xlarge:2");
	homescreen_want(home, "ml.p4d.24xlarge (its run costs more than the budget)");
	homescreen_keys(home, "b Backspace Backspace Backspace x Enter");
	homescreen_want(home, ", $200");
	homescreen_keys(home, "b Backspace Backspace Backspace Enter c");
	homescreen_learn(home);
	homescreen_want_not(home, "$200");
	homescreen_want(home, "cheapest with 50 %");
	homescreen_want(home, "Why the first: no list with 50 % costs less");
	homescreen_keys(home, "c c c");
	homescreen_learn(home);
	homescreen_want(home, "cheapest with 95 %");
	homescreen_want(home, "the best alone, has 91 % for ~$127;");
	homescreen_want(home, "it without #1 48 % for ~$2,323; it without #2 91 % for ~$127.");
	homescreen_keys(home, "d d d"); /* six hours: P4D runs longer */
	homescreen_learn(home);
	homescreen_want(home, "None has 95 %: by chance.");
	homescreen_keys(home, "c Esc");
	homescreen_want_not(home, "draft*");
}

/* It can be left at any moment. */
static void a_search__ends_with_its_pane(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "P o Esc");
	homescreen_want_not(home, "searching");
	homescreen_learn(home);
	homescreen_want_not(home, "draft*");
}

static void without_certified_entries__it_is_said_how_to_write_one(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "P o");
	homescreen_learn(home);
	homescreen_want(home, "run_time = 6h");
	homescreen_keys(home, "Enter Esc");
	homescreen_want_not(home, "draft*");
}

/* Time goes on: the wait so far counts. */
static void a_forecast__follows_the_clock(void **state)
{
	struct homescreen *home = *state;
	homescreen_pass(home, 5 * MIN);
	homescreen_want(home, "p50 25m  p90 25m  (n=10)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_pending_job__is_told_from_now, setup, teardown),
		cmocka_unit_test_setup_teardown(a_draft__is_told_as_if_submitted_now, setup,
						teardown),
		cmocka_unit_test_setup_teardown(
			entries__have_their_chance_their_usual_wait_and_the_list_its_cost, setup,
			teardown),
		cmocka_unit_test_setup_teardown(types__were_not_free_at_the_times_that_jobs_saw,
						setup, teardown),
		cmocka_unit_test_setup_teardown(hours_of_the_week__are_told_beside_the_forecast,
						setup_hours, teardown),
		cmocka_unit_test_setup_teardown(
			case_067__the_limit__costs_something_else_on_each_entry, setup_limit,
			teardown),
		cmocka_unit_test_setup_teardown(case_088__the_usual_wait__stands_beside_a_long_one,
						setup_long_wait, teardown),
		cmocka_unit_test_setup_teardown(lists__are_suggested__and_taken_as_one_edit,
						setup_certified, teardown),
		cmocka_unit_test_setup_teardown(a_budget_and_the_cost__rank_the_lists_too,
						setup_certified, teardown),
		cmocka_unit_test_setup_teardown(a_search__ends_with_its_pane, setup_certified,
						teardown),
		cmocka_unit_test_setup_teardown(
			without_certified_entries__it_is_said_how_to_write_one, setup, teardown),
		cmocka_unit_test_setup_teardown(a_forecast__follows_the_clock, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
