/* The screen of quotas: what stands in it in every state, and the way to a raise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/store_quotas.h"
#include "tests/fakeui.h"
#include "tests/jobs.h"
#include "tests/offscreen.h"

#define P5      "ml.p5.48xlarge"
#define P4D     "ml.p4d.24xlarge"
#define G5      "ml.g5.48xlarge"
#define MINUTE  INT64_C(60000)
#define HOUR    (60 * MINUTE)
#define DEAF_MS (QUESTION_DEAF_MS + 1)

/* A job of P5 that began so long ago. */
static void add_job(struct fakeui *fake, const char *name, int64_t ago_ms, const char *status,
		    const char *secondary, int64_t count)
{
	struct job job = listed_job(name, fake->wall_ms - ago_ms, status, secondary);
	job.described = true;
	add_entry(&job, P5, count);
	job_settle_selection(&job);
	store_take_described(&fake->store, &job);
}

/* The selected job waits with a list of P5, P4D and G5; two more hold eight of P5. */
static int start(void **state)
{
	struct fakeui *fake = mem_new(1, sizeof(*fake));
	struct job job = fakeui_job();
	fakeui_start(fake, NULL);
	fakeui_select(fake, &job);
	job_release(&job);
	add_job(fake, "runs", 2 * HOUR, "InProgress", "Training", 5);
	add_job(fake, "stops", 3 * HOUR, "Stopping", "Stopping", 3);
	struct job *stops = (struct job *)store_find_name(&fake->store, "stops");
	stops->started = stops->created;
	job_settle_selection(stops);
	*state = fake;
	return 0;
}

static void take(struct fakeui *fake, const char *type, int64_t limit, bool is_default)
{
	store_take_quota(&fake->store, type, QUOTA_TRAINING, limit, is_default, fake->wall_ms,
			 fake->mono_ms);
}

static struct offscreen *paint(const struct fakeui *fake, int columns, int lines)
{
	struct offscreen *screen = offscreen_new(columns, lines);
	struct surface *out = offscreen_surface(screen);
	fakeui_top(fake)->draw(fakeui_top_state(fake), out, draw_bounds(out), true);
	return screen;
}

static void want(struct offscreen *screen, const char *text)
{
	int x, y;
	if (!offscreen_find(screen, text, &x, &y))
		fail_msg("no '%s' in\n%s", text, offscreen_text(screen));
}

static void lack(struct offscreen *screen, const char *text)
{
	int x, y;
	if (offscreen_find(screen, text, &x, &y))
		fail_msg("'%s' in\n%s", text, offscreen_text(screen));
}

static void open_quotas(struct fakeui *fake)
{
	fake->ui.push(&fake->ui, &quotas_pane, NULL);
}

/* --- states --- */

static void quotas__show_limit_use_and_holders__of_the_row_at_the_cursor(void **state)
{
	struct fakeui *fake = *state;
	take(fake, P5, 10, false);
	take(fake, P4D, 16, true);
	open_quotas(fake);
	fake->mono_ms += 3 * MINUTE;
	fake->wall_ms += 3 * MINUTE;
	struct offscreen *screen = paint(fake, 80, 24);
	/* The edited list's types in its order, before those of other jobs. */
	want(screen, "▸ " P5 "          training           10    8    2 3m ago");
	want(screen, "  " P4D "         training   16 default    0   16 3m ago");
	want(screen, "  " G5 "          training            ?    0    ? reading");
	want(screen, P5 " for training job usage, L-82E1C851");
	/* Case 073: the oldest first; case 072: what a stop leaves behind. */
	assert_non_null(strstr(offscreen_line(screen, 7), "stops "));
	want(screen, "x3   3h03m  Stopping, frees in about 1-3 min");
	assert_non_null(strstr(offscreen_line(screen, 8), "runs "));
	want(screen, "x5   2h03m  Training");
	want(screen, "jobs that wait ask for up to 2 more");
	offscreen_free(screen);
}

static void quotas__show_more_than_the_limit__as_it_is(void **state)
{
	struct fakeui *fake = *state;
	take(fake, P5, 7, false);
	open_quotas(fake);
	struct offscreen *screen = paint(fake, 80, 24);
	want(screen, "training            7    8   -1 now");
	offscreen_free(screen);
}

static void quotas__say_why_a_limit_is_not_told(void **state)
{
	struct fakeui *fake = *state;
	struct err denied = { .code = ERR_DENIED, .subject = "GetServiceQuota in us-east-1" };
	struct err throttled = { .code = ERR_THROTTLED, .subject = "GetServiceQuota in us-east-1" };
	store_note_quota_failed(&fake->store, P5, QUOTA_TRAINING, &denied, INT64_MAX);
	take(fake, P4D, 4, false);
	store_note_quota_failed(&fake->store, P4D, QUOTA_TRAINING, &throttled, fake->mono_ms + 5);
	open_quotas(fake);
	struct offscreen *screen = paint(fake, 100, 24);
	want(screen, "?    8    ? denied");
	want(screen, "L-82E1C851: denied servicequotas:GetServiceQuota");
	want(screen, "4    0    4 now, throttled"); /* the last answer stays */
	offscreen_free(screen);
}

static void quotas__say_what_zero_means__for_each_kind(void **state)
{
	struct fakeui *fake = *state;
	struct job *job = (struct job *)store_find(&fake->store, fake->ui.selected_arn);
	job->keep_alive_seconds = 600; /* case 082: the pool's quota beside it */
	take(fake, P5, 0, false);
	store_take_quota(&fake->store, P5, QUOTA_WARM_POOL, 0, true, fake->wall_ms, fake->mono_ms);
	open_quotas(fake);
	struct offscreen *screen = paint(fake, 100, 24);
	want(screen, "L-82E1C851; 0: nobody may run this type yet");
	offscreen_free(screen);
	fakeui_keys(fake, "j");
	screen = paint(fake, 100, 24);
	want(screen, "warm-pool   0 default");
	want(screen, P5 " for training warm pool usage, L-5D321F81; 0: nothing is kept alive");
	want(screen, "nothing of it is in use");
	offscreen_free(screen);
}

/* Case 082: the editor says that a keep-alive keeps nothing where the pool's quota is 0. */
static void editor__says_that_nothing_is_kept_alive__without_a_quota_for_it(void **state)
{
	static const char resource[] = "\"ResourceConfig\":{";
	struct fakeui fake;
	struct job job = fakeui_job();
	struct buf text;
	(void)state;
	buf_init(&text, 1 << 16);
	const char *at = strstr(job.request_json, resource) + strlen(resource);
	buf_add(&text, job.request_json, (size_t)(at - job.request_json));
	buf_addf(&text, "\"KeepAlivePeriodInSeconds\":600,%s", at);
	mem_set_text(&job.request_json, buf_text(&text));
	job.keep_alive_seconds = 600;
	fakeui_start(&fake, &preferences_pane);
	fakeui_select(&fake, &job);
	job_release(&job);
	take(&fake, P5, 16, false);
	store_take_quota(&fake.store, P5, QUOTA_WARM_POOL, 0, true, fake.wall_ms, fake.mono_ms);
	fakeui_keys(&fake, "+"); /* an edit makes a request of it */
	struct offscreen *screen = offscreen_new(160, 40);
	struct surface *out = offscreen_surface(screen);
	preferences_pane.draw(fake.home_state, out, draw_bounds(out), true);
	want(screen, "limit 0 of '" P5 " for training warm pool usage'");
	want(screen, "KeepAlivePeriodInSeconds has no effect");
	offscreen_free(screen);
	fakeui_stop(&fake);
	buf_release(&text);
}

/* Case 083: spot is another quota than on demand. */
static void quotas__are_of_the_kind__that_the_request_runs_into(void **state)
{
	struct fakeui *fake = *state;
	struct job *job = (struct job *)store_find(&fake->store, fake->ui.selected_arn);
	struct quota_key keys[8];
	job->spot = true;
	assert_int_equal(ui_list_quotas(&fake->ui, keys, 0, ARRAY_LEN(keys)), 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(keys[i].kind, QUOTA_SPOT);
	job->kind = JOB_PROCESSING;
	assert_int_equal(ui_list_quotas(&fake->ui, keys, 0, 2), 2);
	assert_int_equal(keys[0].kind, QUOTA_PROCESSING);
}

static void quotas__say_that_there_is_nothing__in_an_empty_account(void **state)
{
	struct fakeui fake;
	(void)state;
	fakeui_start(&fake, NULL);
	open_quotas(&fake);
	fakeui_keys(&fake, "j k g G PgDn PgUp R");
	struct offscreen *screen = paint(&fake, 60, 16);
	want(screen, "No job uses or waits for an instance");
	offscreen_free(screen);
	fakeui_stop(&fake);
}

static void quotas__stay_within__any_size(void **state)
{
	struct fakeui *fake = *state;
	take(fake, P5, 10, false);
	open_quotas(fake);
	for (int columns = 1; columns < 90; columns += 11)
		for (int lines = 1; lines < 26; lines += 3)
			offscreen_free(paint(fake, columns, lines));
	struct offscreen *screen = paint(fake, 60, 16);
	want(screen, "TYPE");
	want(screen, "LEFT READ");
	want(screen, "10    8    2 now");
	want(screen, "x3   3h00m  Stopping, frees");
	offscreen_free(screen);
}

/* The cursor keeps to its quota while jobs come and go; holders beyond the last line scroll. */
static void cursor__keeps_its_quota__and_holders_scroll(void **state)
{
	struct fakeui *fake = *state;
	char name[32];
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "holder-%02d", i);
		add_job(fake, name, (30 - i) * HOUR, "InProgress", "Training", 1);
	}
	open_quotas(fake);
	fakeui_keys(fake, "j");
	add_job(fake, "late", 0, "InProgress", "Training", 1);
	fake->ui.changed(&fake->ui);
	struct offscreen *screen = paint(fake, 80, 24);
	want(screen, "▸ " P4D);
	offscreen_free(screen);
	fakeui_keys(fake, "k");
	screen = paint(fake, 80, 24);
	want(screen, "holder-00");
	lack(screen, "late");
	want(screen, "more; jobs that wait");
	offscreen_free(screen);
	for (int i = 0; i < 30; i++) {
		fakeui_keys(fake, "PgDn");
		offscreen_free(paint(fake, 80, 24)); /* a frame keeps it within */
	}
	screen = paint(fake, 80, 24);
	want(screen, "late");
	lack(screen, "holder-00");
	offscreen_free(screen);
	fakeui_keys(fake, "PgUp");
	screen = paint(fake, 80, 24);
	want(screen, "and 1 more");
	offscreen_free(screen);
}

/* What to do about who holds them is done in the job list. */
static void enter__goes_to_the_holder__that_stands_first(void **state)
{
	struct fakeui *fake = *state;
	const struct mouse press = { .act = MOUSE_PRESS, .x = 4, .y = 3 };
	const struct rect all = { 0, 0, 80, 24 };
	open_quotas(fake);
	fakeui_keys(fake, "j Enter");
	assert_ptr_equal(fakeui_top(fake), &quotas_pane);
	assert_string_equal(fake->said, "no job holds any of it");
	offscreen_free(paint(fake, 80, 24));
	/* A click on a row puts the cursor there; elsewhere it does nothing. */
	assert_true(quotas_pane.mouse((void *)fakeui_top_state(fake), all, &press));
	struct offscreen *screen = paint(fake, 80, 24);
	want(screen, "▸ " P4D);
	offscreen_free(screen);
	assert_false(quotas_pane.mouse((void *)fakeui_top_state(fake), all,
				       &(struct mouse){ .act = MOUSE_PRESS, .x = 4, .y = 15 }));
	fakeui_keys(fake, "k Enter");
	assert_null(fakeui_top(fake));
	assert_string_equal(fake->ui.selected_arn, "stops");
	open_quotas(fake);
	fakeui_keys(fake, "PgDn PgDn PgDn Enter");
	assert_string_equal(fake->ui.selected_arn, "runs");
}

/* Read first is what is looked at. */
static void wants__begin_with_the_row_at_the_cursor(void **state)
{
	struct fakeui *fake = *state;
	struct wants wants = { 0 };
	const struct quota_key *keys = wants.quotas;
	open_quotas(fake);
	fakeui_keys(fake, "j j");
	quotas_pane.wants(fakeui_top_state(fake), &wants);
	assert_int_equal(wants.quota_count, 3);
	assert_string_equal(keys[0].instance_type, G5);
	assert_string_equal(keys[1].instance_type, P5);
	assert_string_equal(keys[2].instance_type, P4D);
}

static void type__asked_for_by_name__joins_with_all_its_kinds(void **state)
{
	struct fakeui *fake = *state;
	open_quotas(fake);
	fakeui_keys(fake, "i");
	assert_ptr_equal(fakeui_top(fake), &picker_pane);
	fakeui_type(fake, "trn1.32");
	fakeui_keys(fake, "Enter");
	assert_ptr_equal(fakeui_top(fake), &quotas_pane);
	struct offscreen *screen = paint(fake, 80, 24);
	want(screen, "▸ ml.trn1.32xlarge        training");
	want(screen, "  ml.trn1.32xlarge        spot");
	want(screen, "  ml.trn1.32xlarge        warm-pool");
	offscreen_free(screen);
}

/* --- raises --- */

static void raise__is_sent_as_it_was_shown__after_y_alone(void **state)
{
	struct fakeui *fake = *state;
	take(fake, P5, 8, false);
	open_quotas(fake);
	fakeui_keys(fake, "R");
	assert_ptr_equal(fakeui_top(fake), &raise_pane);
	fakeui_keys(fake, "Enter"); /* used 8 and 2 wait: 10 is offered */
	assert_ptr_equal(fakeui_top(fake), &question_pane);
	struct offscreen *screen = paint(fake, 100, 24);
	want(screen, "\"QuotaCode\":\"L-82E1C851\",\"DesiredValue\":10");
	want(screen, "is sent to us-east-1 (account 111122223333)");
	want(screen, "from 8 to 10. No support case");
	offscreen_free(screen);
	fakeui_keys(fake, "y");
	assert_int_equal(fake->raises, 0); /* deaf */
	fake->mono_ms += DEAF_MS;
	fakeui_keys(fake, "y");
	assert_int_equal(fake->raises, 1);
	assert_string_equal(fake->raised.instance_type, P5);
	assert_int_equal(fake->raised.kind, QUOTA_TRAINING);
	assert_int_equal(fake->raised.desired, 10);
	assert_false(fake->raised.support_case);
}

static void raise__has_a_support_case__only_where_it_was_written(void **state)
{
	struct fakeui *fake = *state;
	take(fake, P5, 8, false);
	open_quotas(fake);
	fakeui_keys(fake, "R C-u");
	fakeui_type(fake, " 24 case ");
	fakeui_keys(fake, "Enter");
	fake->mono_ms += DEAF_MS;
	fakeui_keys(fake, "y");
	assert_int_equal(fake->raised.desired, 24);
	assert_true(fake->raised.support_case);
}

static void raise__wants_a_number_above_the_limit(void **state)
{
	static const char *const lines[] = { "",     "x",       "8",
					     "24 x", "24cases", "99999999999999999999",
					     "0",    "-1",      "1.5" };
	struct fakeui *fake = *state;
	take(fake, P5, 8, false);
	open_quotas(fake);
	fakeui_keys(fake, "R");
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		fakeui_keys(fake, "C-u");
		fakeui_type(fake, lines[i]);
		fakeui_keys(fake, "Enter");
		if (fakeui_top(fake) != &raise_pane)
			fail_msg("'%s' is no raise", lines[i]);
		struct offscreen *screen = paint(fake, 80, 1);
		want(screen, i == 2 ? "the limit is 8 now" : "a whole number");
		offscreen_free(screen);
	}
	fakeui_keys(fake, "C-u");
	fakeui_type(fake, "9");
	struct offscreen *screen = paint(fake, 80, 1);
	lack(screen, "whole number");
	offscreen_free(screen);
	fakeui_keys(fake, "Esc");
	assert_ptr_equal(fakeui_top(fake), &quotas_pane);
	assert_int_equal(fake->raises, 0);
}

static void raise__is_not_asked_for__read_only_or_without_a_code(void **state)
{
	struct fakeui *fake = *state;
	raise_begin(&fake->ui, "ml.trn2.48xlarge", QUOTA_TRAINING, 4);
	assert_null(fakeui_top(fake));
	assert_non_null(strstr(fake->said, "no code of this quota is published"));
	fake->env.read_only = true;
	raise_begin(&fake->ui, P5, QUOTA_TRAINING, 4);
	assert_null(fakeui_top(fake));
	assert_non_null(strstr(fake->said, "read-only"));
	assert_int_equal(fake->raises, 0);
}

static void raise__tells_what_came_of_it(void **state)
{
	const struct quota_raise raise = { .instance_type = P5, .desired = 10 };
	struct quota_raised raised = { .status = "CASE_OPENED", .case_id = "177" };
	struct err err = { 0 };
	struct fakeui *fake = *state;
	raise_result(&fake->ui, &raise, &raised, NULL);
	assert_string_equal(fake->said,
			    "asked for 10 of " P5 " (CASE_OPENED), support case 177: 15 "
			    "to 60 minutes once granted");
	err_set(&err, ERR_CONFLICT, "Only one open request.");
	raise_result(&fake->ui, &raise, NULL, &err);
	assert_string_equal(fake->said, "A raise of " P5 " for training job usage is open already: "
					"Only one open request.");
	err_set(&err, ERR_DENIED, "servicequotas:RequestServiceQuotaIncrease is not allowed");
	err_subject(&err, "RequestServiceQuotaIncrease in us-east-1");
	raise_result(&fake->ui, &raise, NULL, &err);
	assert_string_equal(fake->said,
			    "No raise: denied: servicequotas:RequestServiceQuotaIncrease: "
			    "servicequotas:RequestServiceQuotaIncrease is not allowed");
	err_set(&err, ERR_TIMEOUT, "no answer in time");
	err.outcome_open = true;
	raise_result(&fake->ui, &raise, NULL, &err);
	assert_non_null(strstr(fake->said, "It is not known whether AWS has the request"));
	err_clear(&err);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, fakeui_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(quotas__show_limit_use_and_holders__of_the_row_at_the_cursor),
		TEST(quotas__show_more_than_the_limit__as_it_is),
		TEST(quotas__say_why_a_limit_is_not_told),
		TEST(quotas__say_what_zero_means__for_each_kind),
		cmocka_unit_test(editor__says_that_nothing_is_kept_alive__without_a_quota_for_it),
		TEST(quotas__are_of_the_kind__that_the_request_runs_into),
		cmocka_unit_test(quotas__say_that_there_is_nothing__in_an_empty_account),
		TEST(quotas__stay_within__any_size),
		TEST(cursor__keeps_its_quota__and_holders_scroll),
		TEST(enter__goes_to_the_holder__that_stands_first),
		TEST(wants__begin_with_the_row_at_the_cursor),
		TEST(type__asked_for_by_name__joins_with_all_its_kinds),
		TEST(raise__is_sent_as_it_was_shown__after_y_alone),
		TEST(raise__has_a_support_case__only_where_it_was_written),
		TEST(raise__wants_a_number_above_the_limit),
		TEST(raise__is_not_asked_for__read_only_or_without_a_code),
		TEST(raise__tells_what_came_of_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
