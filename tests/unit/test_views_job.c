/* Screen Job: timeline, waits, spot, capacity, tags, its keys, and the search in every page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/homescreen.h"
#include "views/plan_words.h"
#include "views/words.h"

#define MINUTE_MS INT64_C(60000)
#define HOUR_MS   (60 * MINUTE_MS)

static int start(void **state)
{
	return homescreen_setup(state, 100, 60);
}

/* Changes a job of the sample by hand. */
static struct job take(struct homescreen *home, const char *name)
{
	char arn[256];
	struct job job = { 0 };
	sample_arn(JOB_TRAINING, name, arn);
	job_copy(&job, store_find(&home->sample.store, arn));
	return job;
}

static void give(struct homescreen *home, struct job *job)
{
	store_take_described(&home->sample.store, job);
	homescreen_pass(home, 0);
}

/* --- timeline and waits --- */

/* spot-restarts: 04:02 Starting 1 h, Training 4 h, 09:02 Interrupted 1 h, Training since. */
static void timeline__marks_what_waits__and_sums_it_up(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "spot-restarts");
	homescreen_keys(home, "t");
	homescreen_want(home, "*spot-restarts ");
	homescreen_want(home, "TIMELINE (local)");
	homescreen_want(home, "  2026-11-30 04:02:00  Starting                    1h00m  waiting");
	homescreen_want(home, "  2026-11-30 05:02:00  Training                    4h00m ");
	homescreen_want(home, "  2026-11-30 09:02:00  Interrupted                 1h00m  waiting");
	homescreen_want(home, "  2026-11-30 10:02:00  Training                    4h00m so far");
	homescreen_want(home, "  pending in all    2h00m, in 2 stretches");
	homescreen_want(home, "    from 2026-11-30 04:02:00 for 1h00m");
	homescreen_want(home, "    from 2026-11-30 09:02:00 for 1h00m");
	homescreen_keys(home, "q");
	homescreen_want(home, "*Jobs ");
}

static void timeline__ticks__while_the_job_waits(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "t");
	homescreen_want(home, "Pending                     1h42m so far  waiting");
	homescreen_want(home, "  limit reached     18:20");
	homescreen_pass(home, MINUTE_MS);
	homescreen_want(home, "Pending                     1h43m so far  waiting");
	homescreen_want_not(home, "stretches");
}

static void timeline__says_that_there_is_none__of_a_processing_job(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "embed-corpus-07");
	homescreen_keys(home, "t");
	homescreen_want(home, "processing jobs publish no transitions");
	homescreen_want(home, "pending in all    4m");
}

/* --- spot, groups, capacity --- */

/* 45 of 150 minutes were billed: 1 - 45/150 = 70 %. */
static void spot__shows_what_was_billed_and_saved__once_it_is_told(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "spot-restarts");
	homescreen_keys(home, "d");
	homescreen_want(home, "  capacity          spot");
	homescreen_want(home, "  interruptions     1");
	homescreen_want(home, "  billed            told at the end");
	homescreen_want(home, ", on demand: spot is less");
	struct job job = take(home, "spot-restarts");
	mem_set_text(&job.status, "Completed");
	mem_set_text(&job.secondary_status, "Completed");
	job.ended = (struct opt_ms){ true, home->sample.wall_ms };
	job.billable = (struct opt_ms){ true, 45 * MINUTE_MS };
	job.training_time = (struct opt_ms){ true, 150 * MINUTE_MS };
	give(home, &job);
	homescreen_want(home, "  billed            45m of 2h30m training, 70 % saved");
	homescreen_want(home, "  billable time     45m  (2700 s)");
	homescreen_want(home, "  training time     2h30m  (9000 s)");
}

static void spot__says_savings__only_where_they_make_sense(void **state)
{
	static const struct {
		int64_t billed_s, trained_s;
		const char *text;
	} cases[] = {
		{ 30, 120, "30s of 2m training, 75 % saved" },
		{ 120, 120, "2m of 2m training, 0 % saved" },
		{ 0, 0, "0s of 0s training" },
		{ 130, 120, "2m of 2m training" }, /* billed more than trained: nothing to say */
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct job job = { .spot = true };
		struct buf out;
		assert_false(words_has_spot(&job));
		job.billable = (struct opt_ms){ true, cases[i].billed_s * 1000 };
		job.training_time = (struct opt_ms){ true, cases[i].trained_s * 1000 };
		assert_true(words_has_spot(&job));
		buf_init(&out, WORDS_MAX);
		words_spot(&out, &job);
		assert_string_equal(buf_text(&out), cases[i].text);
		buf_release(&out);
		job.spot = false;
		assert_false(words_has_spot(&job));
	}
}

static void groups__are_named_with_their_capacity__and_none_is_selected(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "hetero-rl");
	homescreen_keys(home, "d");
	homescreen_want(home, "INSTANCE GROUPS");
	homescreen_want(home, "  group actors, on-demand");
	homescreen_want(home, "  group learner, on-demand");
	homescreen_want(home, "  – (groups: all of them)");
}

/* Before the choice: what the entries have in common; then that of the one selected. */
static void capacity__of_the_job__is_that_of_its_choice(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930"); /* a plan for its first entry alone */
	homescreen_keys(home, "d");
	homescreen_want(home, "  capacity          by entry");
	homescreen_keys(home, "G");
	homescreen_want(home, "plan p5-plan");
	homescreen_want(home,
			"     arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan");
	struct job job = take(home, "llm-ft-0930");
	mem_set_text(&job.secondary_status, "Training");
	job.started = (struct opt_ms){ true, home->sample.wall_ms - HOUR_MS };
	job.selected = (struct selected){ true, "ml.p5.48xlarge", 2, 1 };
	give(home, &job);
	homescreen_keys(home, "g");
	homescreen_want(home, "  capacity          plan p5-plan");
	homescreen_keys(home, "q 4");
	homescreen_want(home, "│plan p5-plan since 13:02");
	homescreen_keys(home, "1");
	homescreen_go_to(home, "only-listed");
	homescreen_keys(home, "d");
	homescreen_want(home, "  capacity          ?");
}

/* --- tags --- */

static void look_at(struct homescreen *home, const char *name)
{
	char arn[256];
	sample_arn(JOB_TRAINING, name, arn);
	tags_look_at(&home->sample.store.tags, arn);
}

static void tags__say_how_they_stand__of_the_open_job_alone(void **state)
{
	struct homescreen *home = *state;
	struct store *store = &home->sample.store;
	struct job_tags brought = { 0 };
	struct err denied = { 0 };
	char arn[256];
	err_set(&denied, ERR_DENIED, "not you");
	err_subject(&denied, "ListTags in us-east-1");
	assert_null(homescreen_wants(home).tags);
	homescreen_go_to(home, "oom-run-44");
	homescreen_keys(home, "Enter G");
	sample_arn(JOB_TRAINING, "oom-run-44", arn);
	assert_string_equal(homescreen_wants(home).tags, arn);
	homescreen_want(home, "│TAGS");
	homescreen_want(home, "│  loading");
	look_at(home,
		"vision-detr-1130"); /* what is known of another job is not said of this one */
	tags_add(&brought, "team", "vision");
	tags_take(&store->tags, &brought, home->sample.mono_ms);
	homescreen_want_not(home, "vision");
	look_at(home, "oom-run-44");
	tags_fail(&store->tags, &denied, home->sample.mono_ms + 60000);
	homescreen_want(home,
			"  not read: denied sagemaker:ListTags on oom-run-44, next try in 60 s");
	assert_in_range(screen_tick_ms(home->screen), 1, 1000);
	tags_add(&brought, "team", "nlp\x1b[2J");
	tags_add(&brought, "cost-centre", "4711");
	tags_take(&store->tags, &brought, home->sample.mono_ms);
	homescreen_keys(home, "G");
	homescreen_want(home, "  cost-centre         4711");
	homescreen_want(home, "  team                nlp·[2J");
	tags_fail(&store->tags, &denied, home->sample.mono_ms + 60000);
	homescreen_keys(home, "G");
	homescreen_want(home, "  cost-centre         4711"); /* the last data stays */
	homescreen_want(home, "  stale 0s: denied sagemaker:ListTags on oom-run-44, next try in");
	tags_take(&store->tags, &brought, home->sample.mono_ms);
	homescreen_keys(home, "G");
	homescreen_want(home, "│  none");
	homescreen_keys(home, "q");
	assert_null(homescreen_wants(home).tags);
	err_clear(&denied);
}

/* --- its keys --- */

static void keys__open_json_and_timeline__above_the_page_and_go_back(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "Enter");
	homescreen_want(home, "y JSON  t timeline");
	homescreen_keys(home, "y");
	homescreen_want(home, "\"TrainingJobName\": \"llm-ft-0930\"");
	homescreen_keys(home, "Esc t");
	homescreen_want(home, "*llm-ft-0930 ");
	homescreen_want_not(home, "│JOB ");
	homescreen_keys(home, "q");
	homescreen_want(home, "│JOB ");
	assert_int_equal(home->sample.refreshes, 0);
	homescreen_keys(home, "r");
	assert_int_equal(home->sample.refreshes, 1);
	homescreen_keys(home, "C-c");
	homescreen_want(home, "*Jobs ");
}

static void raw__says_why_there_is_nothing__when_describe_is_denied(void **state)
{
	struct homescreen *home = *state;
	struct err denied = { 0 };
	char arn[256];
	homescreen_go_to(home, "moe-pretrain-stage2-7b"); /* known, but not as it came */
	homescreen_keys(home, "y");
	homescreen_want(home, "What Describe tells of this job has not been read.");
	homescreen_want(home, "│partial: details are being read");
	err_set(&denied, ERR_DENIED, "not you");
	err_subject(&denied, "DescribeTrainingJob in us-east-1");
	sample_arn(JOB_TRAINING, "moe-pretrain-stage2-7b", arn);
	store_note_job_failed(&home->sample.store, arn, &denied, home->sample.mono_ms + 9000);
	homescreen_want(home, "│not read: denied sagemaker:DescribeTrainingJob on "
			      "moe-pretrain-stage2-7b, next try in 9 s");
	err_clear(&denied);
}

static void raw__says_whose_words_it_shows(void **state)
{
	static const char *const titles[] = { "What Describe answered (secrets masked)",
					      "What Search told, tags left out (secrets masked)" };
	struct homescreen *home = *state;
	char arn[256];
	homescreen_go_to(home, "moe-pretrain-stage2-7b");
	sample_arn(JOB_TRAINING, "moe-pretrain-stage2-7b", arn);
	homescreen_keys(home, "y");
	for (int round = 0; round < 4; round++) {
		struct job job = { 0 };
		job_copy(&job, store_find(&home->sample.store, arn));
		mem_set_text(&job.request_json, round < 2 ? "{\"One\":1}" : "{\"Two\":2}");
		job.text_is_of_search = round % 2;
		store_take_described(&home->sample.store, &job);
		screen_refresh(home->screen);
		homescreen_want(home, titles[round % 2]);
		homescreen_want(home, round < 2 ? "\"One\": 1" : "\"Two\": 2");
	}
}

/* --- search --- */

static void search__goes_as_one_types__and_back_with_esc(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 100, 24, NULL);
	homescreen_go_to(&home, "vision-detr-1130");
	homescreen_keys(&home, "Enter /");
	homescreen_want(&home, "search: ");
	homescreen_want(&home, "Enter stays  Esc goes back");
	homescreen_keys(&home, "w o r s t");
	homescreen_want(&home, "/worst 1 of 1 ┐");
	homescreen_want(&home, "  worst case");
	homescreen_want_not(&home, "│JOB ");
	homescreen_keys(&home, "Esc");
	homescreen_want(&home, "│JOB ");
	homescreen_want_not(&home, "/worst");
	homescreen_keys(&home, "F3 v i s i o n Enter n");
	homescreen_want(&home, "/vision 2 of ");
	homescreen_keys(&home, "N");
	homescreen_want(&home, "/vision 1 of ");
	homescreen_keys(&home, "/ z z z Enter");
	homescreen_want(&home, "/zzz not found ┐");
	homescreen_keys(&home, "/ Enter"); /* nothing typed: the last one stays */
	homescreen_want(&home, "/zzz not found ┐");
	homescreen_keys(&home, "q");
	homescreen_want(&home, "*Jobs ");
	homescreen_keys(&home, "? / l e g");
	homescreen_want(&home, "/leg "); /* every page has it */
	homescreen_keys(&home, "C-c q");
	homescreen_stop(&home);
}

static void search__fits_a_small_terminal(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 40, 12, NULL);
	homescreen_go_to(&home, "vision-detr-1130");
	homescreen_keys(&home, "Enter / w a i t i n g");
	homescreen_golden(&home, "job-search-40x12");
	homescreen_stop(&home);
}

/* --- two jobs --- */

static void compare__shows_what_differs__and_nothing_else(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "=");
	homescreen_want(home, "Space marks one job, = on another compares the two");
	homescreen_keys(home, "g");
	homescreen_go_to(home, "moe-pretrain-stage2-7b");
	homescreen_keys(home, "Space g");
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "=");
	homescreen_want(home, "│WHAT DIFFERS    moe-pretrain-stage2-7b                    llm-ft-");
	homescreen_want(home, "│waited          3h41m                                     1h42m");
	homescreen_want(home, "│pending limit   –                                         6h00m");
	homescreen_want(home, "│#1              ml.p5en.48xlarge ×2                       ml.p5.");
	homescreen_want(home, "│#3              –                                         ml.g5.");
	homescreen_want_not(home, "│phase"); /* both wait */
	homescreen_want(home, "What was asked for moe-pretrain-stage2-7b has not been read");
	struct job job = take(home, "moe-pretrain-stage2-7b");
	job.request_json = mem_copy_text("{\"TrainingJobName\":\"moe\",\"RoleArn\":\"arn:r\","
					 "\"Environment\":{\"HF_TOKEN\":\"hf_0th3r\"}}");
	give(home, &job);
	homescreen_want(home, "│IN THE REQUESTS");
	homescreen_want(home, "│RoleArn ");
	homescreen_want(home, "│                \"arn:r\"                                   –");
	homescreen_want_not(home, "hf_");
	homescreen_keys(home, "q");
	homescreen_want(home, "*Jobs ");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, homescreen_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(timeline__marks_what_waits__and_sums_it_up),
		TEST(timeline__ticks__while_the_job_waits),
		TEST(timeline__says_that_there_is_none__of_a_processing_job),
		TEST(spot__shows_what_was_billed_and_saved__once_it_is_told),
		cmocka_unit_test(spot__says_savings__only_where_they_make_sense),
		TEST(groups__are_named_with_their_capacity__and_none_is_selected),
		TEST(capacity__of_the_job__is_that_of_its_choice),
		TEST(tags__say_how_they_stand__of_the_open_job_alone),
		TEST(keys__open_json_and_timeline__above_the_page_and_go_back),
		TEST(raw__says_whose_words_it_shows),
		TEST(raw__says_why_there_is_nothing__when_describe_is_denied),
		TEST(compare__shows_what_differs__and_nothing_else),
		cmocka_unit_test(search__goes_as_one_types__and_back_with_esc),
		cmocka_unit_test(search__fits_a_small_terminal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
