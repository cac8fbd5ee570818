/* What a refusal leads to: the first type alone where lists are not known, after another question
 * (case 058); the job that has the name (case 048). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/fakeui.h"
#include "tests/offscreen.h"

#define ARN "arn:aws:sagemaker:us-east-1:111122223333:training-job/copy"

static void refuse(struct fakeui *fake, enum err_hint hint)
{
	struct err err = { 0 };

	err_set(&err, ERR_REFUSED, "Member must not be null");
	err.hint = hint;
	submit_pane_result(&fake->ui, fake->sent_name, NULL, &err);
	err_clear(&err);
}

/* X, y, and a refusal. */
static void send_refused(struct fakeui *fake, enum err_hint hint)
{
	fakeui_keys(fake, "X");
	fakeui_pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "y");
	refuse(fake, hint);
}

static bool shows(const struct fakeui *fake, const char *text)
{
	struct offscreen *screen = offscreen_new(100, 40);
	struct rect at = { 0, 0, 100, 40 };
	int x, y;

	fakeui_top(fake)->draw(fakeui_top_state(fake), offscreen_surface(screen), at, true);

	bool found = offscreen_find(screen, text, &x, &y);

	offscreen_free(screen);
	return found;
}

static bool offers(const struct fakeui *fake)
{
	const struct key_scope *scope = fakeui_top(fake)->footer(fakeui_top_state(fake));

	return scope && keys_find(scope->bindings, (struct key){ .code = 'X' }, false);
}

/* Case 058 */
static void first_type__is_asked_about__and_sent_after_a_yes(void **state)
{
	struct fakeui *fake = *state;

	send_refused(fake, HINT_NO_LISTS);
	assert_int_equal(fake->submits, 1);
	assert_true(offers(fake));
	assert_true(shows(fake, "does not support preference lists yet"));
	assert_true(shows(fake, "X asks about #1 ml.p5.48xlarge alone."));
	fakeui_pass(fake, 1000);
	fakeui_keys(fake, "X y"); /* too early */
	assert_int_equal(fake->submits, 1);
	fakeui_pass(fake, QUESTION_DEAF_MS);
	assert_true(shows(fake, "#1 ml.p5.48xlarge ×2"));
	assert_true(shows(fake, "gone: #2 ml.p4d.24xlarge ×4, #3 ml.g5.48xlarge ×8"));
	assert_true(shows(fake, "added ResourceConfig.InstanceType: \"ml.p5.48xlarge\""));
	fakeui_keys(fake, "y");
	assert_int_equal(fake->submits, 2);
	assert_non_null(strstr(fake->sent_text, "\"InstanceType\": \"ml.p5.48xlarge\""));
	assert_non_null(strstr(fake->sent_text, "\"InstanceCount\": 2"));
	assert_null(strstr(fake->sent_text, "InstancePreferences"));
	assert_null(strstr(fake->sent_text, "ml.p4d.24xlarge"));
	submit_pane_result(&fake->ui, fake->sent_name, ARN, NULL);
	assert_null(fakeui_top(fake));
	assert_null(fake->ui.drafts);
}

static void first_type__is_not_sent__without_a_yes(void **state)
{
	struct fakeui *fake = *state;

	send_refused(fake, HINT_NO_LISTS);
	fakeui_keys(fake, "y Enter"); /* no answers: nothing has been asked */
	assert_int_equal(fake->submits, 1);
	send_refused(fake, HINT_NO_LISTS);
	fakeui_keys(fake, "X");
	fakeui_pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "X");
	assert_null(fakeui_top(fake));
	assert_int_equal(fake->submits, 2);
	assert_string_equal(fake->said, "nothing was sent");
}

/* The list can be sent when it is known there one day. */
static void edited_list__stays_a_draft__when_its_first_type_was_sent(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "J"); /* p4d first */
	send_refused(fake, HINT_NO_LISTS);
	fakeui_pass(fake, 1000);
	fakeui_keys(fake, "X");
	fakeui_pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "y");
	assert_non_null(strstr(fake->sent_text, "\"InstanceType\": \"ml.p4d.24xlarge\""));
	submit_pane_result(&fake->ui, fake->sent_name, ARN, NULL);
	assert_non_null(fake->ui.drafts);
	assert_int_equal(fake->ui.drafts->prefs.length, 3);
	assert_true(fake->ui.drafts->prefs.is_list);
}

static void other_refusals__offer_nothing(void **state)
{
	struct fakeui *fake = *state;

	send_refused(fake, HINT_FIX_REQUEST);
	assert_false(offers(fake));
	fakeui_keys(fake, "X");
	fakeui_pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "y");
	assert_int_equal(fake->submits, 1);
	fakeui_keys(fake, "Esc");
	/* One type is no list any more. */
	send_refused(fake, HINT_NO_LISTS);
	fakeui_keys(fake, "X");
	fakeui_pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "y");
	assert_int_equal(fake->submits, 3);
	refuse(fake, HINT_NO_LISTS);
	assert_false(offers(fake));
}

/* Case 048: the job of that name is a key away; nothing is sent under another name by itself. */
static void taken_name__leads_to_its_job__and_nothing_is_sent(void **state)
{
	struct fakeui *fake = *state;
	struct job other = fakeui_job();
	struct err err = { 0 };

	fakeui_keys(fake, "X");
	fakeui_pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "y");
	mem_set_text(&other.arn, ARN);
	memcpy(other.name, fake->sent_name, sizeof(other.name));
	err_set(&err, ERR_CONFLICT, "a job of that name exists, and it is another one: " ARN);
	submit_pane_result(&fake->ui, fake->sent_name, ARN, &err);
	err_clear(&err);
	fakeui_keys(fake, "g"); /* the lists have not told of it yet */
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	assert_string_equal(fake->said, "it is not among the jobs read so far");
	store_take_summary(&fake->store, &other);
	fakeui_keys(fake, "g");
	assert_null(fakeui_top(fake));
	assert_string_equal(fake->ui.selected_arn, ARN);
	assert_int_equal(fake->submits, 1);
	job_release(&other);
}

static void other_refusal__leads_nowhere(void **state)
{
	struct fakeui *fake = *state;
	char *before = mem_copy_text(fake->ui.selected_arn);

	send_refused(fake, HINT_NONE);
	fakeui_keys(fake, "g");
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	assert_string_equal(fake->ui.selected_arn, before);
	free(before);
}

#define UI_TEST(test) cmocka_unit_test_setup_teardown(test, fakeui_setup, fakeui_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		UI_TEST(first_type__is_asked_about__and_sent_after_a_yes),
		UI_TEST(first_type__is_not_sent__without_a_yes),
		UI_TEST(edited_list__stays_a_draft__when_its_first_type_was_sent),
		UI_TEST(other_refusals__offer_nothing),
		UI_TEST(taken_name__leads_to_its_job__and_nothing_is_sent),
		UI_TEST(other_refusal__leads_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
