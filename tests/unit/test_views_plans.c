/* Training plans and the pending limit in the list editor, and the screen of plans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "tests/fakeui.h"
#include "tests/homescreen.h"
#include "tests/offscreen.h"
#include "views/editor.h"
#include "views/plan_words.h"

#define HOUR_MS   INT64_C(3600000)
#define ARN(name) "arn:aws:sagemaker:us-east-1:111122223333:training-plan/" name

/* Of the region, in hours from now; none open: windows that are 0 are not told. */
static const struct sample_plan {
	const char *name, *status, *type, *targets;
	int64_t total, available, from, to;
} sample_plans[] = {
	{ "p5-plan", "Active", "ml.p5.48xlarge", "training-job", 4, 4, -20, 30 },
	{ "p4d-full", "Active", "ml.p4d.24xlarge", "training-job", 2, 0, -20, 30 },
	{ "p5-later", "Scheduled", "ml.p5.48xlarge", "training-job", 8, 0, 20, 30 },
	{ "p5-pod", "Active", "ml.p5.48xlarge", "hyperpod-cluster", 8, 8, -20, 30 },
	{ "p5-odd", "Ex\x1b[2Jtending", "ml.p5.48xlarge", "training-job", -1, -1, 0, 0 },
};

static void fill_plans(struct store *store, int64_t now_ms, int64_t mono_ms)
{
	struct plan *plans = mem_new(ARRAY_LEN(sample_plans), sizeof(*plans));
	for (size_t i = 0; i < ARRAY_LEN(sample_plans); i++) {
		const struct sample_plan *from = &sample_plans[i];
		struct plan *plan = &plans[i];
		struct buf arn;
		buf_init(&arn, 300);
		buf_addf(&arn, ARN("%s"), from->name);
		mem_set_text(&plan->arn, buf_text(&arn));
		buf_release(&arn);
		mem_set_text(&plan->status, from->status);
		assert_true(snprintf(plan->name, sizeof(plan->name), "%s", from->name) > 0);
		assert_true(snprintf(plan->instance_type, TYPE_NAME_SIZE, "%s", from->type) > 0);
		assert_true(snprintf(plan->targets, sizeof(plan->targets), "%s", from->targets) >
			    0);
		plan->targets_known = true;
		plan->for_training = strcmp(from->targets, "training-job") == 0;
		plan->total = (struct opt_count){ from->total >= 0, from->total };
		plan->available = (struct opt_count){ from->available >= 0, from->available };
		if (from->from == from->to)
			continue;
		plan_add_window(plan, &(struct plan_window){
					      .start = { true, now_ms + from->from * HOUR_MS },
					      .end = { true, now_ms + from->to * HOUR_MS } });
	}
	store_take_plans(store, plans, ARRAY_LEN(sample_plans));
	store_note_loaded(store, SOURCE_PLANS, mono_ms);
}

static int start(void **state)
{
	struct fakeui *fake = mem_new(1, sizeof(*fake));
	struct job job = fakeui_job();
	fakeui_start(fake, &preferences_pane);
	fakeui_select(fake, &job);
	job_release(&job);
	fake->env.utc = true;
	fake->env.confirm_above_micro = INT64_MAX;
	*state = fake;
	return 0;
}

static int start_with_plans(void **state)
{
	(void)start(state);
	struct fakeui *fake = *state;
	fill_plans(&fake->store, fake->wall_ms, fake->mono_ms);
	return 0;
}

static const struct draft *draft_of(const struct fakeui *fake)
{
	return draft_find(&fake->ui, fake->ui.selected_arn);
}

/* The plan's name that serves an entry; "" = on demand. */
static const char *plan_at(const struct fakeui *fake, size_t entry)
{
	const struct draft *draft = draft_of(fake);
	const struct preferences *prefs = draft ? &draft->prefs : job_prefs(ui_selected(&fake->ui));
	const char *slash = strrchr(prefs_plan(prefs, entry), '/');
	return slash ? slash + 1 : "";
}

static void paint(const struct fakeui *fake, struct offscreen *screen)
{
	const struct pane_ops *ops = fakeui_top(fake);
	const void *state = ops ? fakeui_top_state(fake) : fake->home_state;
	offscreen_clear(screen);
	(ops ? ops : fake->home)
		->draw(state, offscreen_surface(screen), draw_bounds(offscreen_surface(screen)),
		       true);
}

static bool shows(struct offscreen *screen, const char *text)
{
	int x, y;
	return offscreen_find(screen, text, &x, &y);
}

#define EXPECT_SHOWN(screen, text)                                                \
	do {                                                                      \
		if (!shows(screen, text))                                         \
			fail_msg("no '%s' in\n%s", text, offscreen_text(screen)); \
	} while (0)

/* --- b --- */

static void picker__offers_none_and_plans_of_the_type__for_training_jobs(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(80, 24);
	fakeui_keys(fake, "b");
	assert_ptr_equal(fakeui_top(fake), &plan_picker_pane);
	paint(fake, screen);
	EXPECT_SHOWN(screen, "Plan of #1, ml.p5.48xlarge");
	EXPECT_SHOWN(screen, "▸ on demand (no plan)");
	/* now is 11-30 21:08 UTC */
	EXPECT_SHOWN(screen,
		     "p5-plan                   active     4 of 4 free    until 12-02 03:08Z");
	EXPECT_SHOWN(screen,
		     "p5-later                  scheduled  0 of 8 free    from 12-01 17:08Z");
	EXPECT_SHOWN(screen, "? of ? free    times not told");
	assert_false(shows(screen, "p4d-full"));
	assert_false(shows(screen, "p5-pod"));
	assert_null(strchr(offscreen_text(screen), '\x1b'));
	fakeui_keys(fake, "Esc j b");
	paint(fake, screen);
	EXPECT_SHOWN(screen, "p4d-full                  full       0 of 2 free");
	fakeui_keys(fake, "Esc j b");
	paint(fake, screen);
	EXPECT_SHOWN(screen, "no plan for training jobs reserves ml.g5.48xlarge");
	offscreen_free(screen);
	assert_null(draft_of(fake));
}

/* 40 columns leave 34 for a row: p5-later is the longest name, with its gap ten. */
static void picker__still_says_what_is_free__in_forty_columns(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(40, 12);
	fakeui_keys(fake, "b");
	paint(fake, screen);
	EXPECT_SHOWN(screen, "p5-plan   active     4 of 4 free");
	EXPECT_SHOWN(screen, "p5-later  scheduled  0 of 8 free");
	offscreen_free(screen);
}

static void picker__binds__and_undo_takes_it_back(void **state)
{
	struct fakeui *fake = *state;
	fakeui_keys(fake, "b j Enter");
	assert_null(fakeui_top(fake));
	assert_string_equal(plan_at(fake, 0), "p5-plan");
	assert_string_equal(plan_at(fake, 1), "");
	/* It opens on what is bound: up is on demand. */
	fakeui_keys(fake, "b k Enter");
	assert_string_equal(plan_at(fake, 0), "");
	fakeui_keys(fake, "u");
	assert_string_equal(plan_at(fake, 0), "p5-plan");
	fakeui_keys(fake, "u");
	assert_string_equal(plan_at(fake, 0), "");
	fakeui_keys(fake, "C-r");
	assert_string_equal(plan_at(fake, 0), "p5-plan");
	fakeui_keys(fake, "b Enter");
	assert_string_equal(fake->said, "the entry has that already");
}

static void picker__keeps_its_row_by_arn__when_the_list_comes_anew(void **state)
{
	struct fakeui *fake = *state;
	struct plan *plans = mem_new(1, sizeof(*plans));
	fakeui_keys(fake, "b j j"); /* p5-later */
	fill_plans(&fake->store, fake->wall_ms, fake->mono_ms);
	struct plan first = fake->store.plans[0];
	fake->store.plans[0] = fake->store.plans[2];
	fake->store.plans[2] = first;
	fake->ui.changed(&fake->ui);
	fakeui_keys(fake, "Enter");
	assert_string_equal(plan_at(fake, 0), "p5-later");
	/* The bound one keeps a row, though the region lists nothing any more. */
	store_take_plans(&fake->store, plans, 0);
	fakeui_keys(fake, "b");
	struct offscreen *screen = offscreen_new(80, 24);
	paint(fake, screen);
	EXPECT_SHOWN(screen,
		     "▸ p5-later                  bound now; not among the plans known here");
	offscreen_free(screen);
	fakeui_keys(fake, "Enter");
	assert_string_equal(plan_at(fake, 0), "p5-later");
}

static void picker__says_that_plans_are_on_the_way__or_why_not(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(80, 24);
	struct err err = { 0 };
	fakeui_keys(fake, "b");
	paint(fake, screen);
	EXPECT_SHOWN(screen, "│ loading  ");
	err_set(&err, ERR_DENIED, "no");
	err_subject(&err, "ListTrainingPlans");
	store_note_failed(&fake->store, SOURCE_PLANS, &err, fake->mono_ms + 40000);
	paint(fake, screen);
	EXPECT_SHOWN(screen, "not read: denied sagemaker:ListTrainingPlans, next try in 40 s");
	err_clear(&err);
	offscreen_free(screen);
}

static void picker__forgets_its_choice__when_another_job_was_selected(void **state)
{
	struct fakeui *fake = *state;
	struct job other = fakeui_job();
	mem_set_text(&other.arn, "arn:other");
	fakeui_keys(fake, "b j");
	fakeui_select(fake, &other);
	job_release(&other);
	fakeui_keys(fake, "Enter");
	assert_null(fake->ui.drafts);
}

static void plans_and_limits__are_for_training_jobs__alone(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();
	job.kind = JOB_PROCESSING;
	mem_set_text(&job.arn, "arn:processing");
	fakeui_select(fake, &job);
	job_release(&job);
	fakeui_keys(fake, "b");
	assert_null(fakeui_top(fake));
	assert_string_equal(fake->said, "a processing job cannot use a training plan");
	fakeui_keys(fake, "l");
	assert_null(fakeui_top(fake));
	assert_string_equal(fake->said, "a processing job has no pending limit");
}

/* One type without a list keeps that shape: the plan stands on the job. */
static void plan__of_a_job_without_a_list__makes_none(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();
	job_edit_prefs(&job)->length = 1;
	job_edit_prefs(&job)->is_list = false;
	mem_set_text(&job.arn, "arn:single");
	fakeui_select(fake, &job);
	job_release(&job);
	fakeui_keys(fake, "b j Enter");
	assert_string_equal(plan_at(fake, 0), "p5-plan");
	assert_false(draft_of(fake)->prefs.is_list);
	assert_string_equal(draft_of(fake)->prefs.job_plan_arn, ARN("p5-plan"));
}

static void rows__say_plan_or_on_demand__and_findings_speak_of_it(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(120, 12);
	paint(fake, screen);
	EXPECT_SHOWN(screen, "#1 ml.p5.48xlarge   ×2  on-demand");
	fakeui_keys(fake, "b j j Enter j b j Enter"); /* p5-later, p4d-full */
	paint(fake, screen);
	EXPECT_SHOWN(screen, "#1 ml.p5.48xlarge   ×2  plan p5-later");
	EXPECT_SHOWN(screen, "~ #1: plan p5-later begins 2026-12-01T17:08:08Z");
	EXPECT_SHOWN(screen, "~ #2: plan p4d-full has 2 instances in all and 4 are asked for.");
	/* Another type under a plan is refused before it is sent. */
	fakeui_keys(fake, "k Enter");
	fakeui_type(fake, "ml.p5e.48xlarge");
	fakeui_keys(fake, "Enter");
	paint(fake, screen);
	EXPECT_SHOWN(screen, "! #1 is ml.p5e.48xlarge but its plan reserves ml.p5.48xlarge.");
	offscreen_free(screen);
}

/* --- l --- */

static void limit__is_read_in_human_units__and_kept_in_the_draft(void **state)
{
	static const struct {
		const char *typed;
		bool set;
		int64_t seconds;
	} rows[] = {
		{ "2h", true, 7200 },   { "36h", true, 129600 },     { "7d", true, 604800 },
		{ "90m", true, 5400 },  { " 1d12h ", true, 129600 }, { "", false, 0 },
		{ "7200", true, 7200 }, { "none", false, 0 },        { "7200", true, 7200 },
	};
	struct fakeui *fake = *state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		fakeui_keys(fake, "l");
		assert_ptr_equal(fakeui_top(fake), &limit_pane);
		fakeui_keys(fake, "C-u");
		fakeui_type(fake, rows[i].typed);
		fakeui_keys(fake, "Enter");
		assert_null(fakeui_top(fake));
		assert_int_equal(draft_of(fake)->max_pending.set, rows[i].set);
		if (rows[i].set)
			assert_int_equal(draft_of(fake)->max_pending.ms, rows[i].seconds * 1000);
	}
	for (size_t i = 0; i + 1 < ARRAY_LEN(rows); i++)
		fakeui_keys(fake, "u");
	assert_int_equal(draft_of(fake)->max_pending.ms, 7200000);
	fakeui_keys(fake, "u");
	assert_false(draft_of(fake)->max_pending.set);
	assert_false(draft_changed(draft_of(fake)));
}

static void limit__stays_open__on_what_is_no_duration(void **state)
{
	static const char *const bad[] = {
		"soon", "-2h", "0", "2h!", "h", "1000000000000d", "2 h"
	};
	struct fakeui *fake = *state;
	struct offscreen *line = offscreen_new(80, 1);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		fakeui_keys(fake, "l");
		fakeui_type(fake, bad[i]);
		fakeui_keys(fake, "Enter");
		assert_ptr_equal(fakeui_top(fake), &limit_pane);
		limit_pane.draw(fakeui_top_state(fake), offscreen_surface(line),
				draw_bounds(offscreen_surface(line)), true);
		assert_non_null(strstr(offscreen_line(line, 0), "write 2h, 36h, 7d, none"));
		fakeui_keys(fake, "Esc");
		assert_null(fakeui_top(fake));
	}
	offscreen_free(line);
	assert_null(draft_of(fake));
}

static void limit__opens_with_the_one_that_is__in_whole_units(void **state)
{
	static const struct {
		int64_t seconds;
		const char *text;
	} rows[] = { { 604800, "limit: 7d" },
		     { 129600, "limit: 36h" },
		     { 5400, "limit: 90m" },
		     { 7201, "limit: 7201s" } };
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(120, 1);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct job job = fakeui_job();
		job.max_pending = (struct opt_ms){ true, rows[i].seconds * 1000 };
		fakeui_select(fake, &job);
		job_release(&job);
		fakeui_keys(fake, "l");
		paint(fake, screen);
		EXPECT_SHOWN(screen, rows[i].text);
		fakeui_keys(fake, "Enter");
		assert_string_equal(fake->said, "the pending limit is that already");
		assert_null(draft_of(fake));
	}
	offscreen_free(screen);
}

static void limit__outside_the_range__is_a_doubt(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(120, 16);
	struct buf note;
	fakeui_keys(fake, "l");
	fakeui_type(fake, "1h");
	fakeui_keys(fake, "Enter");
	paint(fake, screen);
	EXPECT_SHOWN(screen, "~ ");
	assert_non_null(strstr(fake->said, "SageMaker takes 2h to 28d"));
	buf_init(&note, 100);
	preferences_pane.note(fake->home_state, &note);
	assert_string_equal(buf_text(&note), "limit 1h00m  draft*");
	buf_release(&note);
	fakeui_keys(fake, "l C-u");
	fakeui_type(fake, "2h");
	fakeui_keys(fake, "Enter");
	paint(fake, screen);
	assert_false(shows(screen, "~ M"));
	offscreen_free(screen);
}

/* --- X --- */

static void submit__carries_plan_and_limit__and_says_them(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(120, 40);
	fakeui_keys(fake, "b j Enter l");
	fakeui_type(fake, "36h");
	fakeui_keys(fake, "Enter X");
	paint(fake, screen);
	EXPECT_SHOWN(screen, "#1 ml.p5.48xlarge ×2   plan p5-plan  prepaid  was on demand");
	EXPECT_SHOWN(screen, "#2 ml.p4d.24xlarge ×4  on-demand     ~$101/h");
	EXPECT_SHOWN(screen, "#3 ml.g5.48xlarge ×8   on-demand     ~$163/h");
	EXPECT_SHOWN(screen, "May start on demand at up to ~$163 an hour.");
	EXPECT_SHOWN(screen, "Pending limit 1d12h, before none.");
	fake->mono_ms += QUESTION_DEAF_MS;
	fakeui_keys(fake, "y");
	assert_int_equal(fake->submits, 1);
	assert_non_null(strstr(fake->sent_text, "\"MaxPendingTimeInSeconds\": 129600"));
	assert_non_null(strstr(fake->sent_text, ARN("p5-plan")));
	offscreen_free(screen);
}

static void submit__takes_the_limit_out__when_it_was_emptied(void **state)
{
	static const char with_limit[] = "\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600,"
					 "\"MaxPendingTimeInSeconds\":7200}";
	static const char without[] = "\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}";
	struct fakeui *fake = *state;
	struct job job = fakeui_job();
	struct buf text;
	char *at = strstr(job.request_json, without);
	assert_non_null(at);
	buf_init(&text, 1u << 16);
	buf_add(&text, job.request_json, (size_t)(at - job.request_json));
	buf_addf(&text, "%s%s", with_limit, at + strlen(without));
	mem_set_text(&job.request_json, buf_text(&text));
	buf_release(&text);
	job.max_pending = (struct opt_ms){ true, 7200000 };
	mem_set_text(&job.arn, "arn:limited");
	fakeui_select(fake, &job);
	job_release(&job);
	fakeui_keys(fake, "l C-u Enter X");
	fake->mono_ms += QUESTION_DEAF_MS;
	fakeui_keys(fake, "y");
	assert_int_equal(fake->submits, 1);
	assert_null(strstr(fake->sent_text, "MaxPendingTimeInSeconds"));
	assert_non_null(strstr(fake->sent_text, "MaxRuntimeInSeconds"));
}

/* --- B --- */

static void assert_home(struct homescreen *home, const char *text)
{
	if (!homescreen_shows(home, text))
		fail_msg("no '%s' in\n%s", text, offscreen_text(home->offscreen));
}

static void screen__tells_every_plan__with_windows_and_arn(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, NULL);
	homescreen_keys(&home, "B");
	assert_home(&home, "│No plan has been read yet.");
	assert_home(&home, "│loading  ");
	assert_true(homescreen_wants(&home).plans);
	fill_plans(&home.sample.store, home.sample.wall_ms, home.sample.mono_ms);
	screen_refresh(home.screen);
	assert_home(&home, "Training plans");
	assert_home(&home, "NAME      STATE");
	assert_home(&home, "p4d-full  full");
	assert_home(&home, ARN("p5-pod"));
	assert_home(&home, "for hyperpod-cluster");
	homescreen_keys(&home, "G");
	assert_home(&home, "  times not told");
	assert_null(strchr(offscreen_text(home.offscreen), '\x1b'));
	homescreen_keys(&home, "q");
	assert_false(homescreen_shows(&home, "Training plans"));
	homescreen_stop(&home);
}

static void choose_utc(struct sample *sample)
{
	sample->env.utc = true;
}

/* Whoever reads a time in a screen picture has to know whose it is. */
static void times__carry_their_zone__where_it_is_utc(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, choose_utc);
	homescreen_go_to(&home, "llm-ft-0930");
	assert_home(&home, "until 18:20Z");
	fill_plans(&home.sample.store, home.sample.wall_ms, home.sample.mono_ms);
	homescreen_keys(&home, "B");
	assert_home(&home, "Read at 14:02Z.");
	homescreen_keys(&home, "G");
	assert_home(&home, ":02:00Z to 2026-12-");
	homescreen_stop(&home);
}

/* A table of five columns is no table in forty: two lines for each plan. */
static void screen__breaks_the_rows__on_a_narrow_terminal(void **state)
{
	struct homescreen home;
	struct err throttled = { 0 };
	(void)state;
	homescreen_start(&home, 40, 16, NULL);
	fill_plans(&home.sample.store, home.sample.wall_ms, home.sample.mono_ms - 42000);
	err_set(&throttled, ERR_THROTTLED, "Rate exceeded");
	err_subject(&throttled, "ListTrainingPlans in us-east-1");
	store_note_failed(&home.sample.store, SOURCE_PLANS, &throttled,
			  home.sample.mono_ms + 30000);
	homescreen_keys(&home, "B");
	homescreen_golden(&home, "plans-40x16-stale");
	err_clear(&throttled);
	homescreen_stop(&home);
}

/* Nothing on screen tells of plans: nothing is asked. */
static void screen__wants_plans__only_where_some_are_seen(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, NULL);
	homescreen_go_to(&home, "eval-nightly-20261130"); /* a processing job */
	assert_false(homescreen_wants(&home).plans);
	homescreen_keys(&home, "g");
	homescreen_go_to(&home, "llm-ft-0930"); /* its first entry has a plan */
	assert_true(homescreen_wants(&home).plans);
	homescreen_keys(&home, "d"); /* the description hides the editor */
	assert_false(homescreen_wants(&home).plans);
	homescreen_keys(&home, "q f"); /* a line does not */
	assert_true(homescreen_wants(&home).plans);
	homescreen_stop(&home);
	homescreen_start(&home, 80, 24, NULL); /* the editor is not in sight */
	homescreen_go_to(&home, "llm-ft-0930");
	assert_false(homescreen_wants(&home).plans);
	homescreen_keys(&home, "P");
	assert_true(homescreen_wants(&home).plans);
	homescreen_stop(&home);
}

/* A plan of the whole job serves the entry of its type, which the plan alone tells. */
static void capacity__is_said_of_each_entry__plan_spot_or_on_demand(void **state)
{
	static const struct {
		const char *own, *of_job; /* plans */
		size_t length;
		bool spot, plans_known;
		const char *first, *second;
	} cases[] = {
		{ "", "", 2, false, false, "on-demand", "on-demand" },
		{ "", "", 2, true, false, "spot", "spot" },
		{ ARN("p5-plan"), "", 2, false, false, "plan p5-plan", "on-demand" },
		{ "", ARN("p5-plan"), 1, false, false, "plan p5-plan", NULL },
		{ "", ARN("p5-plan"), 2, false, false, "plan or on-demand", "plan or on-demand" },
		{ "", ARN("p5-plan"), 2, false, true, "plan p5-plan", "on-demand" },
		{ "", ARN("p4d-full"), 2, false, true, "on-demand", "plan p4d-full" },
		{ "", ARN("gone"), 2, false, true, "plan or on-demand", "plan or on-demand" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct store store = { 0 };
		struct preferences prefs = { .length = cases[i].length, .is_list = true };
		const char *const wanted[] = { cases[i].first, cases[i].second };
		struct buf out;
		buf_init(&out, 300);
		(void)snprintf(prefs.entries[0].instance_type, TYPE_NAME_SIZE, "ml.p5.48xlarge");
		(void)snprintf(prefs.entries[1].instance_type, TYPE_NAME_SIZE, "ml.p4d.24xlarge");
		(void)snprintf(prefs.entries[0].plan_arn, PLAN_ARN_SIZE, "%s", cases[i].own);
		(void)snprintf(prefs.job_plan_arn, PLAN_ARN_SIZE, "%s", cases[i].of_job);
		if (cases[i].plans_known)
			fill_plans(&store, 0, 0);
		for (size_t k = 0; k < prefs.length; k++) {
			buf_clear(&out);
			words_capacity(&out, &store, &prefs, k, cases[i].spot);
			assert_string_equal(buf_text(&out), wanted[k]);
		}
		buf_release(&out);
		store_release(&store);
	}
}

#define UI_TEST(f)    cmocka_unit_test_setup_teardown(f, start, fakeui_teardown)
#define PLANS_TEST(f) cmocka_unit_test_setup_teardown(f, start_with_plans, fakeui_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLANS_TEST(picker__offers_none_and_plans_of_the_type__for_training_jobs),
		PLANS_TEST(picker__still_says_what_is_free__in_forty_columns),
		PLANS_TEST(picker__binds__and_undo_takes_it_back),
		PLANS_TEST(picker__keeps_its_row_by_arn__when_the_list_comes_anew),
		UI_TEST(picker__says_that_plans_are_on_the_way__or_why_not),
		PLANS_TEST(picker__forgets_its_choice__when_another_job_was_selected),
		PLANS_TEST(plans_and_limits__are_for_training_jobs__alone),
		PLANS_TEST(plan__of_a_job_without_a_list__makes_none),
		PLANS_TEST(rows__say_plan_or_on_demand__and_findings_speak_of_it),
		UI_TEST(limit__is_read_in_human_units__and_kept_in_the_draft),
		UI_TEST(limit__stays_open__on_what_is_no_duration),
		UI_TEST(limit__opens_with_the_one_that_is__in_whole_units),
		UI_TEST(limit__outside_the_range__is_a_doubt),
		PLANS_TEST(submit__carries_plan_and_limit__and_says_them),
		UI_TEST(submit__takes_the_limit_out__when_it_was_emptied),
		cmocka_unit_test(screen__tells_every_plan__with_windows_and_arn),
		cmocka_unit_test(times__carry_their_zone__where_it_is_utc),
		cmocka_unit_test(screen__breaks_the_rows__on_a_narrow_terminal),
		cmocka_unit_test(screen__wants_plans__only_where_some_are_seen),
		cmocka_unit_test(capacity__is_said_of_each_entry__plan_spot_or_on_demand),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
