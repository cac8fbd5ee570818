/* Home: where the panes stand, the golden screens, the header, and when time alone repaints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/store_quotas.h"
#include "model/store_prices.h"
#include "tests/homescreen.h"
#include "views/home.h"

/* --- layout --- */

static bool overlap(struct rect a, struct rect b)
{
	return a.w > 0 && a.h > 0 && b.w > 0 && b.h > 0 && a.x < b.x + b.w && b.x < a.x + a.w &&
	       a.y < b.y + b.h && b.y < a.y + a.h;
}

static void check_layout(const struct home_wish *wish)
{
	struct home_layout layout = home_arrange(wish);
	const struct rect all = { 0, 0, wish->columns, wish->lines };
	struct rect parts[HOME_PANES + 3];
	size_t count = 0;
	memcpy(parts, layout.panes, sizeof(layout.panes));
	count = HOME_PANES;
	parts[count++] = layout.header;
	parts[count++] = layout.status;
	parts[count++] = layout.footer;
	for (size_t i = 0; i < count; i++) {
		if (parts[i].w <= 0 || parts[i].h <= 0)
			continue;
		assert_true(layout_contains(all, parts[i]));
		for (size_t k = 0; k < i; k++)
			assert_false(overlap(parts[i], parts[k]));
	}
}

static void layout__is_inside_and_apart__at_every_size(void **state)
{
	(void)state;
	for (int w = 1; w <= 500; w++)
		for (int h = 1; h <= 200; h++)
			for (int detail = HOME_PREFERENCES; detail <= HOME_COST; detail++) {
				struct home_wish wish = { w, h, (enum home_pane)detail,
							  (enum home_pane)detail, false };
				check_layout(&wish);
				wish.zoomed = true;
				check_layout(&wish);
			}
}

/* Cells of all panes and lines together: nothing of the terminal is left out. */
static void layout__covers_the_terminal__when_not_too_small(void **state)
{
	static const int sizes[][2] = { { 20, 5 },   { 59, 16 },  { 60, 16 },  { 80, 24 },
					{ 119, 36 }, { 120, 35 }, { 120, 36 }, { 251, 77 } };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct home_wish wish = { sizes[i][0], sizes[i][1], HOME_JOBS, HOME_WAIT, false };
		struct home_layout layout = home_arrange(&wish);
		int cells = wish.columns * (2 + layout.status.h);
		for (size_t pane = 0; pane < HOME_PANES; pane++)
			cells += layout.panes[pane].w * layout.panes[pane].h;
		assert_int_equal(cells, wish.columns * wish.lines);
	}
}

static void layout__changes_its_shape__at_the_sizes_of_the_paper(void **state)
{
	static const struct {
		int columns, lines;
		enum home_shape shape;
	} cases[] = {
		{ 19, 5, HOME_TOO_SMALL }, { 20, 4, HOME_TOO_SMALL }, { 20, 5, HOME_ALONE },
		{ 59, 16, HOME_ALONE },    { 60, 15, HOME_ALONE },    { 60, 16, HOME_STACKED },
		{ 119, 36, HOME_STACKED }, { 120, 35, HOME_STACKED }, { 120, 36, HOME_FULL },
		{ 500, 200, HOME_FULL },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct home_wish wish = { cases[i].columns, cases[i].lines, HOME_JOBS, HOME_QUEUE,
					  false };
		assert_int_equal(home_arrange(&wish).shape, cases[i].shape);
	}
}

static void layout__gives_jobs_the_most__when_full_or_stacked(void **state)
{
	static const int sizes[][2] = { { 60, 16 }, { 80, 24 }, { 120, 36 }, { 200, 60 } };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct home_wish wish = { sizes[i][0], sizes[i][1], HOME_JOBS, HOME_QUEUE, false };
		struct home_layout layout = home_arrange(&wish);
		int jobs = layout.panes[HOME_JOBS].w * layout.panes[HOME_JOBS].h;
		for (size_t pane = HOME_JOBS + 1; pane < HOME_PANES; pane++)
			assert_true(jobs > layout.panes[pane].w * layout.panes[pane].h);
	}
}

static void focus__falls_back_to_jobs__when_its_pane_is_hidden(void **state)
{
	struct home_wish wish = { 80, 24, HOME_COST, HOME_QUEUE, false };
	(void)state;
	struct home_layout layout = home_arrange(&wish);
	assert_int_equal(home_focus(&layout, HOME_COST), HOME_JOBS);
	assert_int_equal(home_focus(&layout, HOME_QUEUE), HOME_QUEUE);
	wish.zoomed = true;
	layout = home_arrange(&wish);
	assert_int_equal(home_focus(&layout, HOME_COST), HOME_COST);
}

/* --- golden screens --- */

struct golden {
	const char *name;
	int columns, lines;
	const char *job;  /* selected; NULL = the first */
	const char *keys; /* then */
	void (*prepare)(struct sample *sample);
};

static void make_stale(struct sample *sample)
{
	struct err err = { 0 };
	err_set(&err, ERR_THROTTLED, "Rate exceeded");
	err_subject(&err, "ListTrainingJobs in us-east-1");
	err.hint = HINT_RETRY_LATER;
	sample_pass(sample, 4 * 60000);
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		store_note_failed(&sample->store, (enum source_id)i, &err, sample->mono_ms + 8000);
	err_clear(&err);
}

static void make_read_only(struct sample *sample)
{
	sample->env.read_only = true;
}

/* Told, told by default, refused for once, with a raise open, not read yet. */
static void make_quotas(struct sample *sample)
{
	struct err err = { 0 };
	struct store *store = &sample->store;
	int64_t read_ms = sample->wall_ms - 3 * 60000, mono_ms = sample->mono_ms - 3 * 60000;
	err_set(&err, ERR_THROTTLED, "Rate exceeded");
	err_subject(&err, "GetServiceQuota in us-east-1");
	store_take_quota(store, "ml.p4d.24xlarge", QUOTA_TRAINING, 4, false, read_ms, mono_ms);
	store_note_quota_raise(store, "ml.p4d.24xlarge", QUOTA_TRAINING, 12);
	store_take_quota(store, "ml.g5.48xlarge", QUOTA_TRAINING, 0, true, read_ms, mono_ms);
	store_take_quota(store, "ml.p5.48xlarge", QUOTA_TRAINING, 2, false, read_ms, mono_ms);
	store_note_quota_failed(store, "ml.p5.48xlarge", QUOTA_TRAINING, &err, mono_ms);
	err_clear(&err);
}

/* A whole description, and tags that are read. */
static void make_submittable(struct sample *sample)
{
	static const char describe[] =
		"{\"TrainingJobName\":\"llm-ft-0930\",\"HyperParameters\":{\"epochs\":\"3\"},"
		"\"AlgorithmSpecification\":{\"TrainingImage\":\"repo/llm:1\","
		"\"TrainingInputMode\":\"File\"},\"RoleArn\":"
		"\"arn:aws:iam::111122223333:role/gpu\",\"OutputDataConfig\":{\"S3OutputPath\":"
		"\"s3://bucket/out\"},\"ResourceConfig\":{\"VolumeSizeInGB\":500,"
		"\"InstancePreferences\":[{\"InstanceType\":\"ml.p5.48xlarge\","
		"\"InstanceCount\":2,\"TrainingPlanArns\":["
		"\"arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan\"]},"
		"{\"InstanceType\":\"ml.p4d.24xlarge\",\"InstanceCount\":4},"
		"{\"InstanceType\":\"ml.g5.48xlarge\",\"InstanceCount\":8}]},"
		"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":86400,"
		"\"MaxPendingTimeInSeconds\":21600}}";
	static char team[] = "team", value[] = "llm";
	struct job_tags read = { 0 };
	struct job job = { 0 };
	char arn[256];
	sample_arn(JOB_TRAINING, "llm-ft-0930", arn);
	job_copy(&job, store_find(&sample->store, arn));
	mem_set_text(&job.request_json, describe);
	job.max_runtime = (struct opt_ms){ true, 86400000 };
	store_take_described(&sample->store, &job);
	job_release(&job);
	store_take_quota(&sample->store, "ml.p4d.24xlarge", QUOTA_TRAINING, 16, true,
			 sample->wall_ms, sample->mono_ms);
	store_take_quota(&sample->store, "ml.g5.48xlarge", QUOTA_TRAINING, 9, false,
			 sample->wall_ms, sample->mono_ms);
	tags_look_at(&sample->store.tags, arn);
	tags_add(&read, team, value);
	tags_take(&sample->store.tags, &read, sample->mono_ms);
	tags_release(&read);
}

static const struct golden goldens[] = {
	{ "home-120x40-pending", 120, 40, "llm-ft-0930", "", NULL },
	{ "home-120x40-running", 120, 40, "vision-detr-1130", "", NULL },
	{ "home-120x40-stale", 120, 40, NULL, "", make_stale },
	{ "home-120x40-read-only", 120, 40, NULL, "X", make_read_only },
	{ "home-80x24-pending", 80, 24, "llm-ft-0930", "", NULL },
	{ "home-80x24-failed", 80, 24, "oom-run-44", "", NULL },
	{ "home-80x24-wait", 80, 24, "sweep-lr-03", "Tab Tab Tab Tab", NULL },
	{ "home-80x24-filter", 80, 24, NULL, "f s w e e p", NULL },
	{ "home-80x24-stale", 80, 24, NULL, "", make_stale },
	{ "home-40x12", 40, 12, NULL, "", NULL },
	{ "home-200x50", 200, 50, "llm-ft-0930", "", NULL },
	{ "help-80x24", 80, 24, NULL, "?", NULL },
	{ "description-120x40", 120, 40, "oom-run-44", "Enter", NULL },
	{ "description-80x24", 80, 24, "llm-ft-0930", "d", NULL },
	{ "stop-80x24", 80, 24, "vision-detr-1130", "S", NULL },
	{ "quotas-80x24", 80, 24, "vision-detr-1130", "%", make_quotas },
	{ "quotas-60x16", 60, 16, "llm-ft-0930", "%", make_quotas },
	{ "submit-80x24", 80, 24, "llm-ft-0930", "P J X", make_submittable },
	{ "submit-120x40", 120, 40, "llm-ft-0930", "P J X", make_submittable },
};

static void screen__equals_its_golden__for_each(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(goldens); i++) {
		const struct golden *golden = &goldens[i];
		struct homescreen home;
		homescreen_start(&home, golden->columns, golden->lines, golden->prepare);
		if (golden->job)
			homescreen_go_to(&home, golden->job);
		homescreen_keys(&home, golden->keys);
		homescreen_golden(&home, golden->name);
		homescreen_stop(&home);
	}
}

/* Every view on every small terminal: nothing to see, but nothing may break (ASan looks on). */
static void screen__is_drawn_at_any_size__whatever_is_open(void **state)
{
	static const char *const views[] = { "", "d", "y", "?", "f", "S", "P", "z", "6", "%" };
	static const int sizes[][2] = {
		{ 1, 1 },   { 19, 4 },  { 20, 5 },   { 21, 6 },  { 40, 9 },
		{ 59, 15 }, { 60, 16 }, { 120, 36 }, { 200, 5 }, { 20, 60 }
	};
	(void)state;
	for (size_t size = 0; size < ARRAY_LEN(sizes); size++)
		for (size_t view = 0; view < ARRAY_LEN(views); view++) {
			struct homescreen home;
			homescreen_start(&home, sizes[size][0], sizes[size][1], NULL);
			homescreen_keys(&home, views[view]);
			homescreen_pass(&home, 1000);
			if (sizes[size][0] < HOME_LEAST_COLUMNS)
				assert_null(strchr(offscreen_text(home.offscreen), '0'));
			homescreen_stop(&home);
		}
}

/* Asked about is what the cursor is on: an entry of the list, else what the job runs on. */
static void quotas__begin_at_the_type_in_question(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 80, 24, make_quotas);
	homescreen_go_to(&home, "llm-ft-0930");
	homescreen_keys(&home, "P j %");
	assert_true(homescreen_shows(&home, "▸ ml.p4d.24xlarge"));
	homescreen_keys(&home, "Esc k %");
	assert_true(homescreen_shows(&home, "▸ ml.p5.48xlarge"));
	homescreen_stop(&home);
}

static void screen__is_ascii_alone__when_asked_for(void **state)
{
	static const char *const views[] = { "", "d", "y", "?", "f", "S", "P", "z", "6" };
	(void)state;
	for (size_t view = 0; view < ARRAY_LEN(views); view++) {
		struct homescreen home;
		homescreen_start(&home, 120, 40, NULL);
		offscreen_free(home.offscreen);
		home.offscreen = offscreen_open(
			&(struct offscreen_options){ .columns = 120, .lines = 40, .ascii = true });
		homescreen_go_to(&home, "vision-detr-1130");
		homescreen_keys(&home, views[view]);
		for (const char *c = offscreen_text(home.offscreen); *c; c++)
			assert_true((*c >= 0x20 && *c < 0x7f) || *c == '\n');
		homescreen_stop(&home);
	}
}

/* Case 108. */
static void screen__says_too_small_and_takes_no_key__below_20x5(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 19, 8, NULL);
	assert_string_equal(homescreen_line(&home, 0), "too small");
	homescreen_keys(&home, "S");
	sample_pass(&home.sample, 1000);
	homescreen_keys(&home, "y q");
	assert_int_equal(home.sample.stops, 0);
	assert_int_equal(home.sample.quits, 0);
	homescreen_keys(&home, "C-c C-c");
	assert_int_equal(home.sample.quits, 1);
	homescreen_stop(&home);
}

/* --- header --- */

static void header__says_connecting_and_loading__before_any_answer(void **state)
{
	struct sample sample;
	(void)state;
	sample_start(&sample);
	struct offscreen *off = offscreen_new(80, 24);
	struct screen *screen = screen_new(&sample.env);
	screen_draw(screen, offscreen_surface(off));
	const char *line = offscreen_line(off, 0);
	assert_non_null(strstr(line, "gpuq  us-east-1 · 111122223333 · ops"));
	assert_non_null(strstr(line, "connecting"));
	assert_null(strstr(line, "pending")); /* nothing is known: no zeros */
	store_note_asked(&sample.store, SOURCE_TRAINING);
	store_note_asked(&sample.store, SOURCE_PROCESSING);
	screen_draw(screen, offscreen_surface(off));
	line = offscreen_line(off, 0);
	assert_non_null(strstr(line, "loading"));
	assert_null(strstr(line, "connecting"));
	screen_free(screen);
	offscreen_free(off);
	sample_stop(&sample);
}

static void deny_training(struct sample *sample)
{
	struct err err = { 0 };
	err_set(&err, ERR_DENIED, "User: x is not authorized to perform: y");
	err_subject(&err, "ListTrainingJobs in us-east-1");
	store_note_failed(&sample->store, SOURCE_TRAINING, &err, sample->mono_ms + 8000);
	err_clear(&err);
}

static void header__names_the_denied_action__when_one_list_fails(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, deny_training);
	assert_true(
		homescreen_shows(&home,
				 "○ stale: denied: sagemaker:ListTrainingJobs, next try in 8 s"));
	homescreen_stop(&home);
}

static void header__keeps_pending_and_state__on_a_narrow_terminal(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 24, 8, make_stale);
	const char *line = homescreen_line(&home, 0);
	assert_non_null(strstr(line, "pending 4"));
	assert_non_null(strstr(line, "○ stale"));
	homescreen_stop(&home);
}

static void header__counts_down_to_the_next_try__while_failing(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, make_stale);
	assert_true(homescreen_shows(&home, "throttled, next try in 8 s"));
	assert_int_equal(screen_tick_ms(home.screen), 1000);
	sample_pass(&home.sample, 999);
	assert_true(homescreen_shows(&home, "next try in 8 s"));
	sample_pass(&home.sample, 1);
	assert_true(homescreen_shows(&home, "next try in 7 s"));
	homescreen_stop(&home);
}

static void fail_details(struct sample *sample)
{
	struct err err = { 0 };
	err_set(&err, ERR_NET, "Couldn't connect to server");
	store_note_failed(&sample->store, SOURCE_DESCRIBE, &err, sample->mono_ms + 8000);
	err_clear(&err);
}

static void refuse_signature(struct sample *sample)
{
	struct err err = { 0 };
	store_release(&sample->store);
	err_set(&err, ERR_AUTH, "The signature does not match.");
	err.hint = HINT_CHECK_CLOCK;
	store_note_failed(&sample->store, SOURCE_TRAINING, &err, sample->mono_ms + 8000);
	err_clear(&err);
}

static void jobs__says_what_is_wrong__when_the_first_answer_is_no(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 80, 24, refuse_signature);
	assert_true(homescreen_shows(&home, "No data."));
	assert_true(homescreen_shows(&home, "The signature does not match. Set this machine's"));
	assert_false(homescreen_shows(&home, "Waiting for the first answer"));
	homescreen_stop(&home);
}

static void header__counts_down__when_details_alone_fail(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, fail_details);
	assert_true(homescreen_shows(&home, "details no connection, next try in 8 s  ● live"));
	assert_true(screen_tick_ms(home.screen) <= 1000);
	sample_pass(&home.sample, 1000);
	assert_true(homescreen_shows(&home, "details no connection, next try in 7 s  ● live"));
	homescreen_stop(&home);
}

static void deny_search(struct sample *sample)
{
	struct err err = { 0 };
	err_set(&err, ERR_DENIED, "User: x is not authorized to perform: sagemaker:Search");
	store_note_failed(&sample->store, SOURCE_SEARCH, &err, INT64_MAX);
	err_clear(&err);
}

static void header__says_so__when_Search_is_denied(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, deny_search);
	assert_true(homescreen_shows(&home, "no Search: denied  ● live"));
	homescreen_stop(&home);
}

static void header__says_the_next_try__at_80_columns(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 80, 24, make_stale);
	assert_true(homescreen_shows(&home, "○ stale: throttled, next try in 8 s"));
	homescreen_stop(&home);
}

/* --- time --- */

static void keep_llm_only(struct sample *sample)
{
	store_release(&sample->store);
	store_set_region(&sample->store, sample->env.region);
	struct sample full;
	sample_start(&full);
	sample_fill(&full);
	char arn[256];
	sample_arn(JOB_TRAINING, "llm-ft-0930", arn);
	struct job job = { 0 };
	job_copy(&job, store_find(&full.store, arn));
	sample_stop(&full);
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		store_note_loaded(&sample->store, (enum source_id)i, sample->mono_ms - 2000);
	store_take_described(&sample->store, &job);
}

/* The wait is 1h42m00s: it reads otherwise in a minute; the age (2 s) does at 10 s. */
static void tick__is_the_next_change__of_age_and_wait(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, keep_llm_only);
	assert_int_equal(screen_tick_ms(home.screen), 8000);
	sample_pass(&home.sample, 8000);
	assert_int_equal(screen_tick_ms(home.screen), 10000);
	sample_pass(&home.sample, 50000);
	assert_int_equal(screen_tick_ms(home.screen), 2000);
	homescreen_stop(&home);
}

static void make_young(struct sample *sample)
{
	keep_llm_only(sample);
	sample->mono_ms -= 102 * 60000 - 30500; /* the job is 30.5 s old */
	sample->wall_ms -= 102 * 60000 - 30500;
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		store_note_loaded(&sample->store, (enum source_id)i, sample->mono_ms);
}

static void tick__is_each_second__while_a_wait_is_under_a_minute(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, make_young);
	assert_true(homescreen_shows(&home, "Pending 30s of 6h00m"));
	assert_int_equal(screen_tick_ms(home.screen), 500);
	sample_pass(&home.sample, 500);
	assert_true(homescreen_shows(&home, "Pending 31s of 6h00m"));
	assert_int_equal(screen_tick_ms(home.screen), 1000);
	homescreen_stop(&home);
}

static void picture__stays_the_same__between_two_changes(void **state)
{
	struct homescreen home;
	char before[16384];
	(void)state;
	homescreen_start(&home, 120, 40, keep_llm_only);
	assert_true(snprintf(before, sizeof(before), "%s", offscreen_text(home.offscreen)) > 0);
	sample_pass(&home.sample, 7999);
	homescreen_draw(&home);
	assert_string_equal(offscreen_text(home.offscreen), before);
	sample_pass(&home.sample, 1);
	homescreen_draw(&home);
	assert_string_not_equal(offscreen_text(home.offscreen), before);
	homescreen_stop(&home);
}

static void tick__is_never__when_nothing_is_known(void **state)
{
	struct sample sample;
	(void)state;
	sample_start(&sample);
	struct screen *screen = screen_new(&sample.env);
	assert_true(screen_tick_ms(screen) < 0);
	screen_say(screen, STYLE_TEXT, "hello");
	assert_true(screen_tick_ms(screen) > 0); /* until the words go away */
	screen_free(screen);
	sample_stop(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layout__is_inside_and_apart__at_every_size),
		cmocka_unit_test(layout__covers_the_terminal__when_not_too_small),
		cmocka_unit_test(layout__changes_its_shape__at_the_sizes_of_the_paper),
		cmocka_unit_test(layout__gives_jobs_the_most__when_full_or_stacked),
		cmocka_unit_test(focus__falls_back_to_jobs__when_its_pane_is_hidden),
		cmocka_unit_test(screen__equals_its_golden__for_each),
		cmocka_unit_test(screen__is_drawn_at_any_size__whatever_is_open),
		cmocka_unit_test(quotas__begin_at_the_type_in_question),
		cmocka_unit_test(screen__is_ascii_alone__when_asked_for),
		cmocka_unit_test(screen__says_too_small_and_takes_no_key__below_20x5),
		cmocka_unit_test(header__says_connecting_and_loading__before_any_answer),
		cmocka_unit_test(header__names_the_denied_action__when_one_list_fails),
		cmocka_unit_test(header__keeps_pending_and_state__on_a_narrow_terminal),
		cmocka_unit_test(header__counts_down_to_the_next_try__while_failing),
		cmocka_unit_test(jobs__says_what_is_wrong__when_the_first_answer_is_no),
		cmocka_unit_test(header__counts_down__when_details_alone_fail),
		cmocka_unit_test(header__says_so__when_Search_is_denied),
		cmocka_unit_test(header__says_the_next_try__at_80_columns),
		cmocka_unit_test(tick__is_the_next_change__of_age_and_wait),
		cmocka_unit_test(tick__is_each_second__while_a_wait_is_under_a_minute),
		cmocka_unit_test(picture__stays_the_same__between_two_changes),
		cmocka_unit_test(tick__is_never__when_nothing_is_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
