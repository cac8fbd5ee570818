/* Equal compute in the editor: offered, taken by a key, never done unasked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/fakeui.h"
#include "tests/offscreen.h"

/* Of the list: 2 x 8 H100 of 80 GiB, 4 x 8 A100 of 40 GiB, 8 x 8 A10G of 24 GiB. */
static int start(void **state)
{
	struct fakeui *fake = mem_new(1, sizeof(*fake));
	struct job job = fakeui_job();

	fakeui_start(fake, &preferences_pane);
	fakeui_select(fake, &job);
	job_release(&job);
	*state = fake;
	return 0;
}

static bool shows(struct fakeui *fake, const char *text)
{
	struct offscreen *screen = offscreen_new(100, 20);
	int x, y;
	bool found;

	preferences_pane.draw(fake->home_state, offscreen_surface(screen),
			      draw_bounds(offscreen_surface(screen)), true);
	found = offscreen_find(screen, text, &x, &y);
	offscreen_free(screen);
	return found;
}

static void change(struct fakeui *fake, const char *type)
{
	fakeui_keys(fake, "Enter");
	fakeui_type(fake, type);
	fakeui_keys(fake, "Enter");
}

static void expect_count(struct fakeui *fake, size_t i, int64_t count)
{
	const struct draft *draft = draft_find(&fake->ui, fake->ui.selected_arn);
	int64_t own = 0;

	assert_true(
		prefs_count(draft ? &draft->prefs : job_prefs(ui_selected(&fake->ui)), i, &own));
	assert_int_equal(own, count);
}

static void new_type__is_offered_what_the_old_one_had__and_keeps_its_count(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "j");
	change(fake, "ml.p5.4xlarge"); /* 1 H100 of 80 GiB */
	expect_count(fake, 1, 4);
	assert_true(shows(fake, "= #2 ×32 = 32 GPUs as before: e takes it"));
	assert_true(shows(fake, "= #2 ×16 = 1280 GiB of accelerator memory as before"));
	fakeui_keys(fake, "e");
	expect_count(fake, 1, 32);
	assert_string_equal(fake->said, "#2 has ×32: 32 GPUs as before");
	assert_false(shows(fake, "as before"));
	fakeui_keys(fake, "u");
	expect_count(fake, 1, 4);
}

static void offer__is_a_row__that_enter_takes(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "j");
	change(fake, "ml.p5.4xlarge");
	fakeui_keys(fake, "j j j");
	assert_true(shows(fake, "▸ Enter: #2 ×16 = 1280 GiB of accelerator memory as before"));
	fakeui_keys(fake, "Enter");
	assert_null(fakeui_top(fake));
	expect_count(fake, 1, 16);
	assert_true(shows(fake, "▸ #2 ml.p5.4xlarge"));
}

static void offer__goes__with_the_next_edit(void **state)
{
	static const char *const edits[] = { "+", "J", "D", "u" };
	struct fakeui *fake = *state;

	for (size_t i = 0; i < ARRAY_LEN(edits); i++) {
		change(fake, "ml.p5.4xlarge");
		assert_true(shows(fake, "as before"));
		fakeui_keys(fake, edits[i]);
		assert_false(shows(fake, "as before"));
		fakeui_keys(fake, "u u u u Home");
	}
}

static void offer__is_none__where_no_whole_number_is(void **state)
{
	struct fakeui *fake = *state;

	change(fake, "ml.g5.16xlarge"); /* 16 of 24 GiB each: 16, and 1280/24 */
	assert_true(shows(fake, "= #1 ×16 = 16 GPUs as before"));
	assert_false(shows(fake, "accelerator memory"));
	change(fake, "ml.c5.xlarge");
	assert_false(shows(fake, "as before"));
	fakeui_keys(fake, "u u j");
	change(fake, "ml.zz9.1xlarge");
	assert_false(shows(fake, "as before"));
}

static void key__gives_what_the_first_has__by_turns(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "e");
	assert_non_null(strstr(fake->said, "#1 is what the others are measured by"));
	fakeui_keys(fake, "j e");
	expect_count(fake, 1, 2); /* 2 x 8 are the 16 */
	assert_string_equal(fake->said, "#2 has ×2: 16 GPUs, as #1");
	fakeui_keys(fake, "e");
	expect_count(fake, 1, 4); /* 4 x 8 x 40 are the 2 x 8 x 80 GiB */
	fakeui_keys(fake, "e");
	expect_count(fake, 1, 2);
	fakeui_keys(fake, "j e");
	expect_count(fake, 2, 2);
	fakeui_keys(fake, "e"); /* 1280 / 192 is no whole number */
	expect_count(fake, 2, 2);
	assert_string_equal(fake->said, "#3 has as many accelerators as #1: 16");
}

static void key__parts_a_shared_count__in_the_same_step(void **state)
{
	struct fakeui *fake = *state;
	const struct draft *draft;

	fakeui_keys(fake, "g j e");
	draft = draft_find(&fake->ui, fake->ui.selected_arn);
	assert_false(draft->prefs.has_shared_count);
	expect_count(fake, 0, 2);
	expect_count(fake, 1, 4);
	expect_count(fake, 2, 2);
	fakeui_keys(fake, "u");
	assert_true(draft->prefs.has_shared_count);
}

static void key__says_why_not__without_accelerators(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "j j");
	change(fake, "ml.c5.xlarge");
	fakeui_keys(fake, "e");
	assert_string_equal(fake->said, "ml.c5.xlarge has no accelerators to count");
	change(fake, "ml.zz9.1xlarge");
	fakeui_keys(fake, "e");
	assert_string_equal(fake->said, "what ml.zz9.1xlarge has is not known");
	change(fake, "ml.p2.16xlarge"); /* 16 K80: one is enough */
	fakeui_keys(fake, "e");
	expect_count(fake, 2, 1);
	fakeui_keys(fake, "Home - j j e"); /* 8 of 16, and 640 GiB of 192 */
	assert_string_equal(fake->said,
			    "no whole number of ml.p2.16xlarge has the 8 accelerators of #1");
}

#define OFFER_TEST(test) cmocka_unit_test_setup_teardown(test, start, fakeui_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		OFFER_TEST(new_type__is_offered_what_the_old_one_had__and_keeps_its_count),
		OFFER_TEST(offer__is_a_row__that_enter_takes),
		OFFER_TEST(offer__goes__with_the_next_edit),
		OFFER_TEST(offer__is_none__where_no_whole_number_is),
		OFFER_TEST(key__gives_what_the_first_has__by_turns),
		OFFER_TEST(key__parts_a_shared_count__in_the_same_step),
		OFFER_TEST(key__says_why_not__without_accelerators),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
