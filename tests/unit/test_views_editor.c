/* The preferences pane and its picker, driven by keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/fakeui.h"
#include "views/editor.h"

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

static const struct preferences *list(struct fakeui *fake)
{
	const struct draft *draft = draft_find(&fake->ui, fake->ui.selected_arn);

	return draft ? &draft->prefs : job_prefs(ui_selected(&fake->ui));
}

/* The list in one line: "p5:2 p4d:4", with the shared count before: "3* p5 p4d". */
static void spell(const struct preferences *prefs, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	if (prefs->has_shared_count)
		used += (size_t)snprintf(out, size, "%lld* ", (long long)prefs->shared_count);
	for (size_t i = 0; i < prefs->length; i++) {
		const struct preference *entry = &prefs->entries[i];

		used += (size_t)snprintf(out + used, size - used, "%s%.*s", i ? " " : "",
					 (int)strcspn(entry->instance_type + 3, "."),
					 entry->instance_type + 3);
		if (entry->has_count)
			used += (size_t)snprintf(out + used, size - used, ":%lld",
						 (long long)entry->count);
	}
}

static void expect(struct fakeui *fake, const char *text)
{
	char spelt[256];

	spell(list(fake), spelt, sizeof(spelt));
	assert_string_equal(spelt, text);
}

static bool is_marked(struct fakeui *fake)
{
	struct buf note;
	bool marked;

	buf_init(&note, 100);
	preferences_pane.note(fake->home_state, &note);
	marked = strstr(buf_text(&note), "draft*") != NULL;
	buf_release(&note);
	return marked;
}

/* A finding of that rule is shown now. */
static bool finds(struct fakeui *fake, const char *rule)
{
	struct editor_look *look = editor_look_new(fake->home_state);
	bool found = false;

	for (size_t i = 0; i < look->findings.count; i++)
		found = found || strcmp(look->findings.items[i].rule, rule) == 0;
	editor_look_free(look);
	return found;
}

static size_t cursor(struct fakeui *fake)
{
	struct editor_look *look = editor_look_new(fake->home_state);
	size_t row = look->cursor;

	editor_look_free(look);
	return row;
}

static void move__follows_the_entry__when_keys_repeat(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "J J");
	expect(fake, "p4d:4 g5:8 p5:2");
	assert_int_equal(cursor(fake), 2);
	fakeui_keys(fake, "J");
	expect(fake, "p4d:4 g5:8 p5:2");
	assert_string_equal(fake->said, "the entry stands there already");
	fakeui_keys(fake, "K");
	expect(fake, "p4d:4 p5:2 g5:8");
	fakeui_keys(fake, "F7");
	expect(fake, "p5:2 p4d:4 g5:8");
	fakeui_keys(fake, "K A-Up");
	assert_int_equal(cursor(fake), 0);
	fakeui_keys(fake, "F8 A-Down");
	expect(fake, "p4d:4 g5:8 p5:2");
}

static void rank_key__sends_the_entry__within_the_list(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "3");
	expect(fake, "p4d:4 g5:8 p5:2");
	assert_int_equal(cursor(fake), 2);
	fakeui_keys(fake, "1");
	expect(fake, "p5:2 p4d:4 g5:8");
	fakeui_keys(fake, "j 5");
	expect(fake, "p5:2 g5:8 p4d:4");
	assert_int_equal(cursor(fake), 2);
}

static void count__changes_one_entry_or_all__by_its_kind(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "+ = j -");
	expect(fake, "p5:4 p4d:3 g5:8");
	fakeui_keys(fake, "Home - - - - - -");
	expect(fake, "p5:1 p4d:3 g5:8");
	fakeui_keys(fake, "j g");
	expect(fake, "1* p5 p4d g5");
	fakeui_keys(fake, "+ +");
	expect(fake, "3* p5 p4d g5");
	fakeui_keys(fake, "g");
	expect(fake, "p5:3 p4d:3 g5:3");
}

static void remove__keeps_the_cursor_in_the_list__down_to_nothing(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "j j D");
	expect(fake, "p5:2 p4d:4");
	assert_int_equal(cursor(fake), 1);
	assert_false(finds(fake, "list-single"));
	fakeui_keys(fake, "D");
	assert_true(finds(fake, "list-single"));
	fakeui_keys(fake, "D");
	expect(fake, "");
	assert_true(finds(fake, "list-length"));
	fakeui_keys(fake, "D J + 1");
	expect(fake, "");
	fakeui_keys(fake, "i");
	fakeui_type(fake, "ml.p5.48xlarge");
	fakeui_keys(fake, "Enter");
	expect(fake, "p5:1");
}

static void undo__ends_at_the_original__and_the_mark_goes(void **state)
{
	struct fakeui *fake = *state;

	assert_false(is_marked(fake));
	fakeui_keys(fake, "u");
	assert_string_equal(fake->said, "nothing to undo");
	fakeui_keys(fake, "J +");
	assert_true(is_marked(fake));
	fakeui_keys(fake, "u");
	assert_true(is_marked(fake));
	fakeui_keys(fake, "u");
	assert_false(is_marked(fake));
	expect(fake, "p5:2 p4d:4 g5:8");
	fakeui_keys(fake, "C-r C-r");
	expect(fake, "p4d:4 p5:3 g5:8");
	fakeui_keys(fake, "C-r");
	assert_string_equal(fake->said, "nothing to redo");
	fakeui_keys(fake, "u D C-r");
	assert_string_equal(fake->said, "nothing to redo");
}

static void insert__goes_below_the_cursor__and_five_is_the_most(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "i");
	assert_ptr_equal(fakeui_top(fake), &picker_pane);
	fakeui_type(fake, "ml.p4de.24xlarge");
	fakeui_keys(fake, "Enter");
	assert_null(fakeui_top(fake));
	expect(fake, "p5:2 p4de:2 p4d:4 g5:8");
	assert_int_equal(cursor(fake), 1);
	fakeui_keys(fake, "i");
	fakeui_type(fake, "ml.g6.48xlarge");
	fakeui_keys(fake, "Enter i");
	assert_null(fakeui_top(fake));
	assert_non_null(strstr(fake->said, "at most 5"));
}

static void findings__appear_and_go__with_each_key(void **state)
{
	struct fakeui *fake = *state;

	assert_false(finds(fake, "duplicate-type"));
	fakeui_keys(fake, "j Enter");
	fakeui_type(fake, "ml.p5.48xlarge");
	fakeui_keys(fake, "Enter");
	expect(fake, "p5:2 p5:4 g5:8");
	assert_true(finds(fake, "duplicate-type"));
	fakeui_keys(fake, "v");
	assert_int_equal(cursor(fake), 4); /* behind the offer of equal memory */
	assert_int_equal(fake->said_style, STYLE_ERROR);
	fakeui_keys(fake, "u");
	assert_false(finds(fake, "duplicate-type"));
}

/* An entry without a count among others with one: Enter on the finding mends it. */
static void enter__applies_the_fix__on_a_finding(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();

	job_edit_prefs(&job)->entries[1].has_count = false;
	mem_set_text(&job.arn, "arn:aws:sagemaker:us-east-1:111122223333:training-job/mixed");
	mem_set_text(&job.request_json, NULL); /* it says another list */
	fakeui_select(fake, &job);
	job_release(&job);
	assert_true(finds(fake, "count-mixed"));
	fakeui_keys(fake, "j j j Enter");
	assert_null(fakeui_top(fake));
	assert_false(finds(fake, "count-mixed"));
	assert_true(is_marked(fake));
	fakeui_keys(fake, "u");
	assert_true(finds(fake, "count-mixed"));
}

/* A managed spot job, which cannot have a list. */
static void select_single(struct fakeui *fake)
{
	struct job job = fakeui_job();

	job_edit_prefs(&job)->is_list = false;
	job_edit_prefs(&job)->length = 1;
	job.spot = true;
	mem_set_text(&job.arn, "arn:aws:sagemaker:us-east-1:111122223333:training-job/single");
	mem_set_text(&job.request_json, NULL); /* it says another list */
	fakeui_select(fake, &job);
	job_release(&job);
}

static void one_type__stays_without_a_list__while_edited(void **state)
{
	struct fakeui *fake = *state;

	select_single(fake);
	fakeui_keys(fake, "1 J K g"); /* none of them is an edit */
	assert_false(is_marked(fake));
	fakeui_keys(fake, "-");
	assert_false(list(fake)->is_list);
	assert_true(is_marked(fake));
	expect(fake, "p5:1");
	fakeui_keys(fake, "Enter");
	fakeui_type(fake, "ml.g5.xlarge");
	fakeui_keys(fake, "Enter");
	assert_false(list(fake)->is_list);
	assert_string_equal(list(fake)->entries[0].instance_type, "ml.g5.xlarge");
	assert_false(finds(fake, "exclusive-member"));
	fakeui_keys(fake, "D i");
	fakeui_type(fake, "ml.g5.2xlarge");
	fakeui_keys(fake, "Enter");
	assert_int_equal(list(fake)->length, 1);
	assert_false(list(fake)->is_list);
	fakeui_keys(fake, "u u u u");
	assert_false(is_marked(fake));
}

static void one_type__becomes_a_list__with_a_second_entry(void **state)
{
	struct fakeui *fake = *state;

	select_single(fake);
	fakeui_keys(fake, "i");
	fakeui_type(fake, "ml.g5.xlarge");
	fakeui_keys(fake, "Enter");
	assert_true(list(fake)->is_list);
	assert_true(finds(fake, "exclusive-member"));
	fakeui_keys(fake, "D"); /* what was inserted */
	assert_false(list(fake)->is_list);
	assert_false(finds(fake, "exclusive-member"));
	assert_false(is_marked(fake));
}

static void verdict__goes_away__with_the_next_edit(void **state)
{
	static const char *const edits[] = { "+", "u", "C-r" };
	struct fakeui *fake = *state;

	fakeui_keys(fake, "+");
	for (size_t i = 0; i < ARRAY_LEN(edits); i++) {
		fakeui_keys(fake, "v Home");
		assert_string_not_equal(fake->said, "");
		fakeui_keys(fake, edits[i]);
		assert_string_equal(fake->said, "");
	}
}

static void keys__say_why_not__without_a_list_to_edit(void **state)
{
	static const char keys[] = "J K 1 i D + - g Enter v";
	struct fakeui *fake = *state;
	struct job job = fakeui_job();
	struct job groups = fakeui_job();

	job.described = false;
	job_edit_prefs(&job)->length = 0;
	mem_set_text(&job.request_json, NULL);
	mem_set_text(&job.arn, "arn:aws:sagemaker:us-east-1:111122223333:training-job/listed");
	fakeui_select(fake, &job);
	fakeui_keys(fake, keys);
	assert_null(fakeui_top(fake));
	assert_non_null(strstr(fake->said, "not described yet"));
	groups.has_groups = true;
	mem_set_text(&groups.arn, "arn:aws:sagemaker:us-east-1:111122223333:training-job/groups");
	fakeui_select(fake, &groups);
	fakeui_keys(fake, keys);
	assert_non_null(strstr(fake->said, "InstanceGroups"));
	fake->ui.select(&fake->ui, NULL);
	fakeui_keys(fake, keys);
	assert_non_null(strstr(fake->said, "no job"));
	assert_null(fake->ui.drafts);
	job_release(&job);
	job_release(&groups);
}

static void drafts__stay_apart__by_job(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();
	char *first = mem_copy_text(job.arn);

	fakeui_keys(fake, "j D");
	mem_set_text(&job.arn, "arn:aws:sagemaker:us-east-1:111122223333:training-job/other");
	fakeui_select(fake, &job);
	assert_false(is_marked(fake));
	assert_int_equal(cursor(fake), 0);
	expect(fake, "p5:2 p4d:4 g5:8");
	fakeui_keys(fake, "+");
	fake->ui.select(&fake->ui, first);
	expect(fake, "p5:2 g5:8");
	fakeui_keys(fake, "u");
	expect(fake, "p5:2 p4d:4 g5:8");
	fake->ui.select(&fake->ui, job.arn);
	expect(fake, "p5:3 p4d:4 g5:8");
	free(first);
	job_release(&job);
}

static void picker__takes_what_the_words_name__and_nothing_on_esc(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "Enter");
	fakeui_type(fake, "p5 A100");
	fakeui_keys(fake, "Enter"); /* no p5 has an A100 */
	assert_ptr_equal(fakeui_top(fake), &picker_pane);
	fakeui_keys(fake, "Esc");
	assert_null(fakeui_top(fake));
	expect(fake, "p5:2 p4d:4 g5:8");
	fakeui_keys(fake, "Enter");
	fakeui_type(fake, "P4DE a100");
	fakeui_keys(fake, "Enter");
	expect(fake, "p4de:2 p4d:4 g5:8");
}

static void picker__allows_an_unknown_name__but_no_other_text(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "Enter");
	fakeui_type(fake, "ml.xyz.9xlarge");
	fakeui_keys(fake, "Enter");
	expect(fake, "xyz:2 p4d:4 g5:8");
	assert_true(finds(fake, "unknown-type"));
	fakeui_keys(fake, "Enter");
	fakeui_type(fake, "xyz");
	fakeui_keys(fake, "Enter");
	assert_ptr_equal(fakeui_top(fake), &picker_pane);
	fakeui_keys(fake, "C-u");
	fakeui_type(fake, "ml.a\"b");
	fakeui_keys(fake, "Enter");
	assert_ptr_equal(fakeui_top(fake), &picker_pane);
	fakeui_keys(fake, "C-g");
	assert_null(fakeui_top(fake));
	expect(fake, "xyz:2 p4d:4 g5:8");
}

static void picker__changes_nothing__when_another_job_is_selected(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();

	fakeui_keys(fake, "Enter");
	fakeui_type(fake, "ml.p4de.24xlarge");
	mem_set_text(&job.arn, "arn:aws:sagemaker:us-east-1:111122223333:training-job/other");
	fakeui_select(fake, &job);
	job_release(&job);
	fakeui_keys(fake, "Enter");
	assert_null(fakeui_top(fake));
	assert_null(fake->ui.drafts);
	fakeui_keys(fake, "Enter");
	fake->ui.select(&fake->ui, NULL);
	fakeui_keys(fake, "Enter");
	assert_null(fake->ui.drafts);
}

static void paste__is_text_in_the_picker__and_nothing_in_the_list(void **state)
{
	struct fakeui *fake = *state;

	fakeui_paste(fake, "DDX\nyyyy");
	expect(fake, "p5:2 p4d:4 g5:8");
	fakeui_keys(fake, "Enter");
	fakeui_paste(fake, "ml.p4de.24xlarge\n\ny");
	assert_ptr_equal(fakeui_top(fake), &picker_pane);
	fakeui_keys(fake, "Backspace Enter");
	expect(fake, "p4de:2 p4d:4 g5:8");
}

static void bindings__name_every_key__without_a_clash(void **state)
{
	static const struct key_scope *const scopes[] = { &preferences_scope, &picker_scope,
							  &question_scope, &submit_scope };
	char what[256] = "";

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(scopes); i++)
		assert_false(keys_clash(scopes[i], what, sizeof(what)));
	assert_string_equal(what, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(move__follows_the_entry__when_keys_repeat, start,
						fakeui_teardown),
		cmocka_unit_test_setup_teardown(rank_key__sends_the_entry__within_the_list, start,
						fakeui_teardown),
		cmocka_unit_test_setup_teardown(count__changes_one_entry_or_all__by_its_kind, start,
						fakeui_teardown),
		cmocka_unit_test_setup_teardown(
			remove__keeps_the_cursor_in_the_list__down_to_nothing, start,
			fakeui_teardown),
		cmocka_unit_test_setup_teardown(undo__ends_at_the_original__and_the_mark_goes,
						start, fakeui_teardown),
		cmocka_unit_test_setup_teardown(insert__goes_below_the_cursor__and_five_is_the_most,
						start, fakeui_teardown),
		cmocka_unit_test_setup_teardown(findings__appear_and_go__with_each_key, start,
						fakeui_teardown),
		cmocka_unit_test_setup_teardown(enter__applies_the_fix__on_a_finding, start,
						fakeui_teardown),
		cmocka_unit_test_setup_teardown(one_type__stays_without_a_list__while_edited, start,
						fakeui_teardown),
		cmocka_unit_test_setup_teardown(verdict__goes_away__with_the_next_edit, start,
						fakeui_teardown),
		cmocka_unit_test_setup_teardown(one_type__becomes_a_list__with_a_second_entry,
						start, fakeui_teardown),
		cmocka_unit_test_setup_teardown(keys__say_why_not__without_a_list_to_edit, start,
						fakeui_teardown),
		cmocka_unit_test_setup_teardown(drafts__stay_apart__by_job, start, fakeui_teardown),
		cmocka_unit_test_setup_teardown(
			picker__takes_what_the_words_name__and_nothing_on_esc, start,
			fakeui_teardown),
		cmocka_unit_test_setup_teardown(picker__allows_an_unknown_name__but_no_other_text,
						start, fakeui_teardown),
		cmocka_unit_test_setup_teardown(
			picker__changes_nothing__when_another_job_is_selected, start,
			fakeui_teardown),
		cmocka_unit_test_setup_teardown(
			paste__is_text_in_the_picker__and_nothing_in_the_list, start,
			fakeui_teardown),
		cmocka_unit_test(bindings__name_every_key__without_a_clash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
