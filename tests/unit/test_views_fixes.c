/* Findings mended by Enter: in the list, in the document around it, and what AWS refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/store_quotas.h"
#include "tests/fakeui.h"
#include "tests/offscreen.h"

/* fakeui's job, with a member that cannot stand beside its list. */
static int start(void **state)
{
	static const char beside[] = "\"InstancePlacementConfig\":{\"EnableMultipleJobs\":true},";
	struct fakeui *fake = mem_new(1, sizeof(*fake));
	struct job job = fakeui_job();
	const char *at = strstr(job.request_json, "\"InstancePreferences\"");
	struct buf text;

	assert_non_null(at);
	buf_init(&text, 1 << 16);
	buf_addf(&text, "%.*s%s%s", (int)(at - job.request_json), job.request_json, beside, at);
	mem_set_text(&job.request_json, buf_text(&text));
	buf_release(&text);
	fakeui_start(fake, &preferences_pane);
	fakeui_select(fake, &job);
	job_release(&job);
	*state = fake;
	return 0;
}

static bool shows(struct fakeui *fake, const char *text)
{
	struct offscreen *screen = offscreen_new(240, 30);
	int x, y;
	bool found;

	preferences_pane.draw(fake->home_state, offscreen_surface(screen),
			      draw_bounds(offscreen_surface(screen)), true);
	found = offscreen_find(screen, text, &x, &y);
	offscreen_free(screen);
	return found;
}

static struct draft *draft_here(struct fakeui *fake)
{
	return draft_find(&fake->ui, fake->ui.selected_arn);
}

static bool request_has(struct fakeui *fake, const char *text)
{
	struct request request = { 0 };
	struct err err = { 0 };
	bool found;

	assert_true(draft_request(draft_here(fake), "a-copy", false, &request, &err));
	found = strstr(request.text, text) != NULL;
	request_release(&request);
	return found;
}

static void document__is_mended_by_enter__and_by_undo_as_before(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "+"); /* a draft begins, and with it the document */
	assert_true(shows(fake, "! InstancePlacementConfig cannot stand beside a preference list"));
	fakeui_keys(fake, "v");
	assert_true(shows(fake, "▸ ! InstancePlacementConfig"));
	assert_true(shows(fake, "Enter: "));
	fakeui_keys(fake, "Enter");
	assert_non_null(strstr(fake->said, "exclusive-member mended"));
	assert_false(shows(fake, "InstancePlacementConfig"));
	assert_false(request_has(fake, "InstancePlacementConfig"));
	assert_true(request_has(fake, "\"RoleArn\""));
	assert_int_equal(draft_here(fake)->prefs.entries[0].count, 3); /* the edit before stays */
	fakeui_keys(fake, "u");
	assert_true(request_has(fake, "InstancePlacementConfig"));
	assert_true(shows(fake, "! InstancePlacementConfig"));
}

/* As the answer leaves the draft. */
static void refuse(struct fakeui *fake, const char *text)
{
	struct draft *draft = draft_here(fake);

	(void)snprintf(draft->refused_as, sizeof(draft->refused_as), "a-copy");
	err_set(&draft->refusal, ERR_REFUSED, "%s", text);
	draft->sent = draft_state(draft);
}

static void refusal__stands_on_its_entry__until_the_list_is_another(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "+");
	refuse(fake, "The account-level service limit 'ml.p4d.24xlarge for training job usage' is "
		     "1 Instances, with current utilization of 0 Instances and a request delta of "
		     "4 Instances.");
	assert_true(
		shows(fake,
		      "! #2: AWS refused: limit 1 of 'ml.p4d.24xlarge for training job usage'"));
	fake->ui.changed(&fake->ui); /* the answer has come: the cursor goes to it */
	assert_true(shows(fake, "▸ #2"));
	fakeui_keys(fake, "j");
	fake->ui.changed(&fake->ui);
	assert_true(shows(fake, "▸ #3")); /* once */
	fakeui_keys(fake, "v");
	assert_true(shows(fake, "▸ ! #2: AWS refused"));
	assert_true(shows(fake, "Enter: Ask for 1 instance."));
	fakeui_keys(fake, "Enter");
	assert_string_equal(fake->said, "refused mended: set the count of #2 to 1; u undoes it");
	assert_int_equal(draft_here(fake)->prefs.entries[1].count, 1);
	assert_false(shows(fake, "AWS refused"));
	fakeui_keys(fake, "u");
	assert_true(shows(fake, "AWS refused"));
}

static void refusal__says_nothing__where_it_is_not_known_to_be_one(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "+");
	refuse(fake, "no answer in time");
	draft_here(fake)->refusal.outcome_open = true;
	assert_false(shows(fake, "AWS refused"));
}

/* Two that AWS would refuse, and doubts behind them: Enter, Enter, and no third thing happens. */
static void enter__goes_from_error_to_error__and_then_to_the_entry(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "j j Enter");
	fakeui_type(fake, "ml.p5.48xlarge"); /* twice in the list */
	fakeui_keys(fake, "Enter v");
	assert_true(shows(fake, "▸ ! "));
	fakeui_keys(fake, "Enter");
	assert_true(shows(fake, "▸ ! "));
	fakeui_keys(fake, "Enter");
	assert_false(shows(fake, "! #3 repeats"));
	assert_false(shows(fake, "! InstancePlacementConfig"));
	assert_true(shows(fake, "  ~ ")); /* the doubts are still there, unmended */
	assert_true(shows(fake, "▸ #"));
	assert_int_equal(draft_here(fake)->prefs.length, 2);
}

static void fix__without_one__says_what_to_do(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "D D D v"); /* an empty list */
	assert_true(shows(fake, "The preference list is empty"));
	fakeui_keys(fake, "Enter");
	assert_int_equal(fake->said_style, STYLE_WARNING);
	assert_int_equal(draft_here(fake)->prefs.length, 0);
}

/* Case 073: of a quota that is too small the entry is lowered, dropped, or more of it asked for. */
static void quota__is_lowered_dropped_or_raised__each_by_a_key(void **state)
{
	static const char p4d[] = "ml.p4d.24xlarge";
	struct fakeui *fake = *state;

	store_take_quota(&fake->store, p4d, QUOTA_TRAINING, 1, true, fake->wall_ms, fake->mono_ms);
	fakeui_keys(fake, "+ v j"); /* behind the member that cannot stand there */
	assert_true(shows(fake, "▸ ! #2: needs 4"));
	assert_true(shows(fake, "Enter: Ask for 1 instance."));
	assert_true(shows(fake, "D: remove #2."));
	assert_true(shows(fake, "R: ask for a raise."));
	fakeui_keys(fake, "R");
	assert_ptr_equal(fakeui_top(fake), &raise_pane);
	fakeui_keys(fake, "Enter");
	assert_ptr_equal(fakeui_top(fake), &question_pane);
	fake->mono_ms += QUESTION_DEAF_MS;
	fakeui_keys(fake, "y");
	assert_int_equal(fake->raises, 1);
	assert_string_equal(fake->raised.instance_type, p4d);
	assert_int_equal(fake->raised.desired, 4);
	fakeui_keys(fake, "D");
	assert_int_equal(draft_here(fake)->prefs.length, 2);
	assert_false(shows(fake, p4d));
	fakeui_keys(fake, "u v j Enter");
	assert_int_equal(draft_here(fake)->prefs.entries[1].count, 1);
	assert_int_equal(draft_here(fake)->prefs.length, 3);
}

static void quota__of_the_entry_under_the_cursor__is_raised_too(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "j R");
	assert_ptr_equal(fakeui_top(fake), &raise_pane);
	assert_string_equal(fake->ui.raise.instance_type, "ml.p4d.24xlarge");
	fakeui_keys(fake, "Esc + v R"); /* a finding of the document */
	assert_null(fakeui_top(fake));
	assert_non_null(strstr(fake->said, "R asks for more of an entry's quota"));
	fakeui_keys(fake, "D");
	assert_non_null(strstr(fake->said, "the cursor is on a finding"));
}

/* A name that is no name, and one that another job has: a free one near to it is filled in. */
static void name__is_mended__by_the_next_that_is_free(void **state)
{
	struct fakeui *fake = *state;
	struct draft *draft;

	fakeui_keys(fake, "+");
	draft = draft_here(fake);
	memcpy(draft->name, "eval of_model!", sizeof("eval of_model!"));
	fakeui_keys(fake, "v j"); /* behind the member that cannot stand there */
	assert_true(shows(fake, "Enter: Name it eval-of-model."));
	fakeui_keys(fake, "Enter");
	assert_string_equal(draft_here(fake)->name, "eval-of-model");
	assert_string_equal(fake->said, "name-invalid mended: name it eval-of-model; u undoes it");
	memcpy(draft->name, "llm-ft-0930", sizeof("llm-ft-0930"));
	assert_true(shows(fake, "! A training job llm-ft-0930 exists already"));
	fakeui_keys(fake, "v j Enter");
	assert_string_equal(draft_here(fake)->name, "llm-ft-0930-2");
	/* AWS knows more jobs than the lists do. */
	(void)snprintf(draft->refused_as, sizeof(draft->refused_as), "llm-ft-0930-2");
	err_set(&draft->refusal, ERR_CONFLICT, "the name is taken");
	fakeui_keys(fake, "v j Enter");
	assert_string_equal(draft_here(fake)->name, "llm-ft-0930-3");
}

#define FIX_TEST(test) cmocka_unit_test_setup_teardown(test, start, fakeui_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FIX_TEST(document__is_mended_by_enter__and_by_undo_as_before),
		FIX_TEST(refusal__stands_on_its_entry__until_the_list_is_another),
		FIX_TEST(refusal__says_nothing__where_it_is_not_known_to_be_one),
		FIX_TEST(enter__goes_from_error_to_error__and_then_to_the_entry),
		FIX_TEST(fix__without_one__says_what_to_do),
		FIX_TEST(quota__is_lowered_dropped_or_raised__each_by_a_key),
		FIX_TEST(quota__of_the_entry_under_the_cursor__is_raised_too),
		FIX_TEST(name__is_mended__by_the_next_that_is_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
