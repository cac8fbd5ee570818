/* The words of panes whose data is old, missing or on its way, at every width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "tests/homescreen.h"
#include "tui/wrap.h"
#include "views/fresh.h"
#include "views/words.h"

static struct err failure(enum err_code code, const char *subject)
{
	struct err err = { 0 };
	err_set(&err, code, "said so");
	err_subject(&err, "%s", subject);
	return err;
}

static void assert_words(const struct fresh *fresh, const struct fresh_room *room,
			 const char *wanted)
{
	struct buf out;
	buf_init(&out, WORDS_MAX);
	fresh_words(&out, fresh, room);
	assert_string_equal(buf_text(&out), wanted);
	buf_release(&out);
}

/* Where each wording begins to fit: its length, and one column less. */
static void words__lose_the_resource_then_the_action_then_the_next_try__with_width(void **state)
{
	static const struct {
		int columns;
		const char *text;
	} cases[] = {
		{ 200, "stale 42s: denied sagemaker:DescribeTrainingJob on llm-7b, next try in "
		       "30 s" },
		{ 75, "stale 42s: denied sagemaker:DescribeTrainingJob on llm-7b, next try in "
		      "30 s" },
		{ 74, "stale 42s: denied sagemaker:DescribeTrainingJob on llm-7b, again in 30 s" },
		{ 72, "stale 42s: denied sagemaker:DescribeTrainingJob on llm-7b, again in 30 s" },
		{ 71, "stale 42s: denied sagemaker:DescribeTrainingJob, next try in 30 s" },
		{ 65, "stale 42s: denied sagemaker:DescribeTrainingJob, next try in 30 s" },
		{ 64, "stale 42s: denied sagemaker:DescribeTrainingJob, again in 30 s" },
		{ 62, "stale 42s: denied sagemaker:DescribeTrainingJob, again in 30 s" },
		{ 61, "stale 42s: denied, next try in 30 s" },
		{ 38, "stale 42s: denied, next try in 30 s" }, /* a pane of 40 columns */
		{ 35, "stale 42s: denied, next try in 30 s" },
		{ 34, "stale 42s: denied, again in 30 s" },
		{ 31, "stale 42s: denied" },
		{ 17, "stale 42s: denied" },
		{ 16, "stale 42s" },
		{ 1, "stale 42s" },
	};
	struct err denied = failure(ERR_DENIED, "DescribeTrainingJob in us-east-1");
	const struct fresh fresh = { .state = FRESH_STALE,
				     .age_ms = 42999,
				     .error = &denied,
				     .has_retry = true,
				     .retry_in_ms = 29001,
				     .resource = "llm-7b" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct fresh_room room = { cases[i].columns, 1, FRESH_SHOWS_LIST };
		assert_words(&fresh, &room, cases[i].text);
	}
	err_clear(&denied);
}

/* 38 columns and two lines: "stale 42s: denied" / "sagemaker:DescribeTrainingJob, again" ... */
static void words__use_the_lines_there_are__when_one_is_too_short(void **state)
{
	struct err denied = failure(ERR_DENIED, "DescribeTrainingJob in us-east-1");
	const struct fresh fresh = { .state = FRESH_STALE,
				     .age_ms = 42000,
				     .error = &denied,
				     .has_retry = true,
				     .retry_in_ms = 30000,
				     .resource = "llm-7b" };
	(void)state;
	assert_words(&fresh, &(struct fresh_room){ 53, 2, FRESH_SHOWS_LIST },
		     "stale 42s: denied sagemaker:DescribeTrainingJob on llm-7b, next try in 30 s");
	assert_words(&fresh, &(struct fresh_room){ 38, 3, FRESH_SHOWS_LIST },
		     "stale 42s: denied sagemaker:DescribeTrainingJob on llm-7b, next try in 30 s");
	assert_words(&fresh, &(struct fresh_room){ 38, 2, FRESH_SHOWS_LIST },
		     "stale 42s: denied, next try in 30 s");
	err_clear(&denied);
}

static void words__say_each_state__in_its_own_way(void **state)
{
	struct err denied = failure(ERR_DENIED, "DescribeTrainingJob"),
		   net = failure(ERR_NET, "DescribeTrainingJob");
	const struct {
		struct fresh fresh;
		enum fresh_shown shown;
		const char *wide, *narrow; /* of 80 and 20 columns */
	} cases[] = {
		{ { .state = FRESH_CURRENT }, FRESH_SHOWS_LIST, "", "" },
		{ { .state = FRESH_OLD, .age_ms = 59999 },
		  FRESH_SHOWS_LIST,
		  "read 50s ago",
		  "read 50s ago" },
		{ { .state = FRESH_OLD, .age_ms = 60000 },
		  FRESH_SHOWS_LIST,
		  "read 1m ago",
		  "read 1m ago" },
		{ { .state = FRESH_LOADING }, FRESH_SHOWS_NOTHING, "loading", "loading" },
		{ { .state = FRESH_LOADING },
		  FRESH_SHOWS_LIST,
		  "partial: details are being read",
		  "partial" },
		{ { .state = FRESH_CHANGED, .age_ms = 12000 },
		  FRESH_SHOWS_LIST,
		  "stale 12s: changed since, being read again",
		  "stale 12s" },
		{ { .state = FRESH_MISSING, .error = &denied, .resource = "j", .has_retry = true },
		  FRESH_SHOWS_LIST,
		  "not read: denied sagemaker:DescribeTrainingJob on j, trying again",
		  "not read: denied" },
		{ { .state = FRESH_INDEXED, .age_ms = 4000, .error = &denied, .resource = "" },
		  FRESH_SHOWS_LIST,
		  "from Search; denied sagemaker:DescribeTrainingJob",
		  "from Search; denied" },
		{ { .state = FRESH_STALE,
		    .age_ms = 90000,
		    .error = &net,
		    .resource = "j",
		    .has_retry = true,
		    .retry_in_ms = 120000 },
		  FRESH_SHOWS_LIST,
		  "stale 1m: no connection, next try in 2m",
		  "stale 1m" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_words(&cases[i].fresh, &(struct fresh_room){ 80, 1, cases[i].shown },
			     cases[i].wide);
		assert_words(&cases[i].fresh, &(struct fresh_room){ 20, 1, cases[i].shown },
			     cases[i].narrow);
	}
	err_clear(&denied);
	err_clear(&net);
}

/* The age leads, whatever the width, and no wording is wider than its room allows but the last. */
static void words__begin_with_the_age__at_any_width(void **state)
{
	struct err denied = failure(ERR_DENIED, "DescribeProcessingJob in eu-central-1");
	const struct fresh fresh = {
		.state = FRESH_STALE,
		.age_ms = INT64_C(3) * 3600000,
		.error = &denied,
		.has_retry = true,
		.retry_in_ms = 60000,
		.resource = "a-name-of-sixty-three-characters-as-long-as-the-service-allows-"
	};
	struct buf out;
	(void)state;
	buf_init(&out, WORDS_MAX);
	for (int columns = 1; columns < 220; columns++) {
		const struct fresh_room room = { columns, 1, FRESH_SHOWS_LIST };
		fresh_words(&out, &fresh, &room);
		assert_int_equal(strncmp(buf_text(&out), "stale 3h00m", 11), 0);
		assert_true(text_width(buf_text(&out)) <= columns || out.len == 11);
	}
	buf_release(&out);
	err_clear(&denied);
}

/* What stands there one millisecond before the change, and at it. */
static void next__is_when_the_words_change__in_each_state(void **state)
{
	static const struct {
		enum fresh_state state;
		int64_t age_ms, retry_in_ms, old_in_ms, next_ms;
	} cases[] = {
		{ FRESH_CURRENT, 4000, 0, 26001, 26001 }, { FRESH_CURRENT, 0, 0, 0, -1 },
		{ FRESH_LOADING, 0, 0, 0, -1 },           { FRESH_OLD, 34000, 0, 0, 6000 },
		{ FRESH_OLD, 61000, 0, 0, 59000 },        { FRESH_STALE, 42300, 0, 0, 700 },
		{ FRESH_STALE, 90000, 8400, 0, 400 },     { FRESH_MISSING, 0, 8000, 0, 1000 },
		{ FRESH_STALE, 600000, 61000, 0, 1000 },
	};
	struct err net = failure(ERR_NET, "DescribeTrainingJob");
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct fresh fresh = { .state = cases[i].state,
					     .age_ms = cases[i].age_ms,
					     .old_in_ms = cases[i].old_in_ms,
					     .error = cases[i].retry_in_ms ? &net : NULL,
					     .has_retry = cases[i].retry_in_ms > 0,
					     .retry_in_ms = cases[i].retry_in_ms,
					     .resource = "" };
		assert_int_equal(fresh_next_ms(&fresh), cases[i].next_ms);
	}
	err_clear(&net);
}

/* --- on the screen --- */

static void fail_describe(struct sample *sample, const char *name, int64_t retry_in_ms)
{
	char arn[256];
	struct err denied = failure(ERR_DENIED, "DescribeTrainingJob in us-east-1");
	sample_arn(JOB_TRAINING, name, arn);
	store_note_job_failed(&sample->store, arn, &denied, sample->mono_ms + retry_in_ms);
	err_clear(&denied);
}

static void deny_pending(struct sample *sample)
{
	sample_pass(sample, 42000);
	store_note_date(&sample->store, sample->wall_ms, sample->mono_ms);
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		store_note_loaded(&sample->store, (enum source_id)i, sample->mono_ms - 2000);
	fail_describe(sample, "llm-ft-0930", 30000);
	fail_describe(sample, "only-listed", 12000);
}

static void all__say_the_age_and_why__when_the_describe_is_denied(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, deny_pending);
	homescreen_go_to(&home, "llm-ft-0930");
	homescreen_golden(&home, "panes-120x40-stale");
	homescreen_go_to(&home, "only-listed");
	homescreen_golden(&home, "panes-120x40-not-read");
	homescreen_go_to(&home, "moe-pretrain-stage2-7b");
	assert_false(homescreen_shows(&home, "stale"));
	assert_true(homescreen_shows(&home, "read 40s ago"));
	homescreen_stop(&home);
}

static void only_listed(struct sample *sample)
{
	char arn[256];
	sample_arn(JOB_TRAINING, "only-listed", arn);
	store_note_job_asked(&sample->store, arn);
}

static void all__say_loading_or_partial__before_the_first_describe(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, only_listed);
	homescreen_go_to(&home, "only-listed");
	homescreen_golden(&home, "panes-120x40-loading");
	homescreen_stop(&home);
}

static void each__fits__in_forty_columns_and_twelve_lines(void **state)
{
	static const struct {
		const char *keys, *golden;
	} panes[] = {
		{ "2", "pane-40x12-preferences" }, { "3", "pane-40x12-queue" },
		{ "4", "pane-40x12-selected" },    { "5", "pane-40x12-wait" },
		{ "6", "pane-40x12-cost" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(panes); i++) {
		struct homescreen home;
		homescreen_start(&home, 40, 12, deny_pending);
		homescreen_go_to(&home, "llm-ft-0930");
		homescreen_keys(&home, panes[i].keys);
		homescreen_golden(&home, panes[i].golden);
		homescreen_stop(&home);
	}
}

static void panes__count_up__and_heal(void **state)
{
	struct homescreen home;
	char arn[256];
	(void)state;
	homescreen_start(&home, 120, 40, deny_pending);
	homescreen_go_to(&home, "llm-ft-0930");
	assert_true(homescreen_shows(&home, "stale 42s: denied"));
	assert_in_range(screen_tick_ms(home.screen), 1, 1000);
	homescreen_pass(&home, 1000);
	assert_true(homescreen_shows(&home, "stale 43s: denied"));
	assert_true(homescreen_shows(&home, "next try in 29 s"));
	sample_arn(JOB_TRAINING, "llm-ft-0930", arn);
	struct job job = { 0 };
	job_copy(&job, store_find(&home.sample.store, arn));
	job.described_mono_ms = home.sample.mono_ms;
	store_note_job_read(&home.sample.store, arn);
	store_take_described(&home.sample.store, &job);
	homescreen_pass(&home, 0);
	assert_false(homescreen_shows(&home, "stale"));
	homescreen_stop(&home);
}

/* No job can be selected yet: the panes speak of the lists. */
static void panes__speak_of_the_lists__while_there_is_no_job(void **state)
{
	struct err net = failure(ERR_NET, "ListTrainingJobs in us-east-1");
	struct homescreen home;
	(void)state;
	sample_start(&home.sample);
	home.offscreen = offscreen_new(120, 40);
	home.screen = screen_new(&home.sample.env);
	assert_true(homescreen_shows(&home, "│loading  "));
	store_note_failed(&home.sample.store, SOURCE_TRAINING, &net, home.sample.mono_ms + 8000);
	assert_true(homescreen_shows(&home, "not read: no connection, next try in 8 s"));
	err_clear(&net);
	homescreen_stop(&home);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			words__lose_the_resource_then_the_action_then_the_next_try__with_width),
		cmocka_unit_test(words__use_the_lines_there_are__when_one_is_too_short),
		cmocka_unit_test(words__say_each_state__in_its_own_way),
		cmocka_unit_test(words__begin_with_the_age__at_any_width),
		cmocka_unit_test(next__is_when_the_words_change__in_each_state),
		cmocka_unit_test(all__say_the_age_and_why__when_the_describe_is_denied),
		cmocka_unit_test(all__say_loading_or_partial__before_the_first_describe),
		cmocka_unit_test(each__fits__in_forty_columns_and_twelve_lines),
		cmocka_unit_test(panes__count_up__and_heal),
		cmocka_unit_test(panes__speak_of_the_lists__while_there_is_no_job),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
