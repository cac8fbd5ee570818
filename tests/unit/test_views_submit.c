/* The submit pane, driven by keys and a clock turned by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/fakeui.h"
#include "tests/offscreen.h"
#include "tui/pager.h"
#include "views/submission.h"

#define COPY "llm-ft-261130-210808" /* stem of the job and the fake clock's UTC stamp */
#define ARN  "arn:aws:sagemaker:us-east-1:111122223333:training-job/" COPY

/* X and the end of the deaf time; the name was fixed when it opened. */
static void open_submit(struct fakeui *fake)
{
	fakeui_keys(fake, "X");
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	fakeui_pass(fake, QUESTION_DEAF_MS);
}

/* submit */

static void submit__sends_once__however_often_y_comes(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "J");
	open_submit(fake);
	fakeui_keys(fake, "y y y y");
	assert_int_equal(fake->submits, 1);
	assert_string_equal(fake->sent_name, COPY);
	assert_int_equal(fake->sent_kind, JOB_TRAINING);
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	fakeui_keys(fake, "Enter X");
	assert_null(fakeui_top(fake));
	assert_non_null(strstr(fake->said, "is being sent"));
	assert_int_equal(fake->submits, 1);
}

static void submit__sends_nothing__when_typed_or_pasted_too_early(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "X y y Enter");
	fakeui_pass(fake, 299);
	fakeui_type(fake, "yyyy");
	assert_int_equal(fake->submits, 0);
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	fakeui_pass(fake, 1);
	fakeui_paste(fake, "Xyyyy");
	fakeui_paste(fake, "y\n");
	assert_int_equal(fake->submits, 0);
	fakeui_keys(fake, "Down PgDn Up PgUp"); /* reading is no answer */
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	fakeui_keys(fake, "Enter y y");
	assert_null(fakeui_top(fake));
	assert_int_equal(fake->submits, 0);
	assert_null(fake->ui.drafts);
	assert_int_equal(fake->discards, 1);
}

/* The request sent is the job's own, with the edited list, under the new name. */
static void submit__sends_the_edited_list__and_all_else_unchanged(void **state)
{
	struct fakeui *fake = *state;
	const char *p4d, *p5;

	fakeui_keys(fake, "J Home +");
	open_submit(fake);
	fakeui_keys(fake, "y");
	assert_non_null(strstr(fake->sent_text, "\"TrainingJobName\": \"" COPY "\""));
	assert_non_null(strstr(fake->sent_text, "\"lr\": \"1.0e-5\""));
	assert_non_null(strstr(fake->sent_text, "\"VolumeSizeInGB\": 500"));
	assert_null(strstr(fake->sent_text, "TrainingJobArn"));
	assert_null(strstr(fake->sent_text, "Tags"));
	p4d = strstr(fake->sent_text, "ml.p4d.24xlarge");
	p5 = strstr(fake->sent_text, "ml.p5.48xlarge");
	assert_non_null(p4d);
	assert_non_null(p5);
	assert_true(p4d < p5);
	assert_non_null(strstr(p4d, "\"InstanceCount\": 5"));
}

static void submit__settles_the_draft__by_the_answer(void **state)
{
	struct fakeui *fake = *state;
	struct err err = { 0 };

	fakeui_keys(fake, "J");
	open_submit(fake);
	fakeui_keys(fake, "y");
	err_set(&err, ERR_REFUSED, "The account-level limit is 0 Instances.");
	submit_pane_result(&fake->ui, COPY, NULL, &err);
	err_clear(&err);
	assert_int_equal(fake->said_style, STYLE_ERROR);
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	fakeui_keys(fake, "y j x"); /* a refusal stays until it is left */
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	fakeui_keys(fake, "Esc");
	assert_null(fakeui_top(fake));
	assert_true(draft_changed(fake->ui.drafts));
	fakeui_pass(fake, 1000);
	open_submit(fake);
	fakeui_keys(fake, "y");
	assert_int_equal(fake->submits, 2);
	assert_string_not_equal(fake->sent_name, COPY);
	submit_pane_result(&fake->ui, fake->sent_name, ARN, NULL);
	assert_null(fakeui_top(fake));
	assert_null(fake->ui.drafts);
	assert_string_equal(fake->noted, ""); /* there was none */
	assert_string_equal(fake->ui.selected_arn, ARN);
	assert_non_null(strstr(fake->said, "submitted llm-ft-261130-"));
}

static void submit__keeps_the_draft__when_it_was_edited_since(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "J");
	draft_set_note(fake->ui.drafts, "p5e is not free at night");
	open_submit(fake);
	fakeui_keys(fake, "y Esc +");
	draft_set_note(fake->ui.drafts, "another thought");
	submit_pane_result(&fake->ui, COPY, ARN, NULL);
	assert_string_equal(fake->noted_name, COPY);
	assert_string_equal(fake->noted, "p5e is not free at night"); /* as it was sent */
	assert_non_null(fake->ui.drafts);
	assert_string_equal(fake->ui.drafts->sent_as, "");
	assert_int_equal(fake->ui.drafts->prefs.entries[1].count, 3);
}

static void submit__asks_for_the_name__above_the_limit_or_unknown(void **state)
{
	struct fakeui *fake = *state;

	fake->env.confirm_above_micro = 0; /* any price is above it */
	open_submit(fake);
	fakeui_keys(fake, "y Enter");
	assert_int_equal(fake->submits, 0);
	assert_null(fakeui_top(fake));
	assert_non_null(strstr(fake->said, "y is not the name asked for: nothing was sent"));
	fakeui_keys(fake, "X");
	fakeui_pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "Down Up");
	fakeui_type(fake, COPY);
	fakeui_keys(fake, "Enter");
	assert_int_equal(fake->submits, 1);
}

static void submit__asks_for_the_name__when_the_worst_case_is_unknown(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "Enter");
	fakeui_type(fake, "ml.zz9.1xlarge"); /* no price */
	fakeui_keys(fake, "Enter");
	open_submit(fake);
	fakeui_keys(fake, "y Enter");
	assert_int_equal(fake->submits, 0);
	assert_null(fakeui_top(fake));
}

static void submit__asks_nothing__while_a_rule_is_broken(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "Enter");
	fakeui_type(fake, "ml.p4d.24xlarge"); /* stands in the list already */
	fakeui_keys(fake, "Enter X");
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	assert_int_equal(fake->discards, 0);
	fakeui_pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "y y");
	assert_ptr_equal(fakeui_top(fake), &submit_pane);
	fakeui_keys(fake, "Esc");
	assert_null(fakeui_top(fake));
	assert_int_equal(fake->submits, 0);
}

static void submit__never_opens__when_read_only_or_not_described(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();

	fake->env.read_only = true;
	fakeui_keys(fake, "J X");
	submit_begin(&fake->ui);
	assert_null(fakeui_top(fake));
	assert_non_null(strstr(fake->said, "read-only"));
	fake->ui.push(&fake->ui, &submit_pane, NULL); /* even if it is put there */
	fakeui_pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "y y Esc");
	fake->env.read_only = false;
	mem_set_text(&job.request_json, NULL);
	mem_set_text(&job.arn, "arn:aws:sagemaker:us-east-1:111122223333:training-job/new");
	fakeui_select(fake, &job);
	fakeui_keys(fake, "X");
	assert_null(fakeui_top(fake));
	assert_non_null(strstr(fake->said, "not described yet"));
	assert_int_equal(fake->submits, 0);
	job_release(&job);
}

/* What the footer names in place of the pane's own rows, as "key brief" pairs; "" = those. */
static void expect_footer(const struct fakeui *fake, const char *expected)
{
	const struct pane_ops *ops = fakeui_top(fake);
	const struct key_scope *scope = ops->footer(fakeui_top_state(fake));
	struct buf text;

	buf_init(&text, 1000);
	for (size_t i = 0; scope && scope->bindings[i].keys; i++)
		buf_addf(&text, "%s%s %s", i ? ", " : "", scope->bindings[i].keys,
			 scope->bindings[i].brief);
	assert_string_equal(buf_text(&text), expected);
	buf_release(&text);
}

static void footer__names_what_works__at_each_step(void **state)
{
	struct fakeui *fake = *state;
	struct err err = { 0 };

	open_submit(fake);
	expect_footer(fake, "");
	fakeui_keys(fake, "y");
	expect_footer(fake, "Down read, PgDn page, Esc hide");
	err_set(&err, ERR_REFUSED, "no");
	submit_pane_result(&fake->ui, fake->sent_name, NULL, &err);
	err_clear(&err);
	expect_footer(fake, "Down read, PgDn page, Esc close");
	assert_null(strstr(fake->said, "draft"));
	fakeui_keys(fake, "Esc");
	fake->env.confirm_above_micro = 0;
	open_submit(fake);
	expect_footer(fake, "Down read, PgDn page, Enter send (name typed), Esc no");
	fakeui_keys(fake, "Esc Enter");
	fakeui_type(fake, "ml.p4d.24xlarge"); /* twice in the list now */
	fakeui_keys(fake, "Enter X");
	expect_footer(fake, "Down read, PgDn page, f fix, Esc close");
	fakeui_keys(fake, "Esc");
}

static void prepare(struct fakeui *fake, struct submission *copy)
{
	const struct job *job = ui_selected(&fake->ui);

	*copy = (struct submission){ 0 };
	submission_prepare(copy, &fake->ui, job, draft_edit(&fake->ui, job));
}

static void submitted__says_so__when_the_filter_hides_it(void **state)
{
	static const struct {
		const char *filter;
		bool pending_only, hidden;
	} rows[] = {
		{ "", false, false },       { "", true, false },
		{ "0930", false, true },    { "llm pending ml.p4d", true, false },
		{ "running", false, true },
	};
	struct fakeui *fake = *state;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		ui_set_filter(&fake->ui, rows[i].filter);
		fake->ui.pending_only = rows[i].pending_only;
		open_submit(fake);
		fakeui_keys(fake, "y");
		submit_pane_result(&fake->ui, fake->sent_name, NULL, NULL);
		assert_non_null(strstr(fake->said, "submitted llm-ft-2611"));
		assert_int_equal(strstr(fake->said, "hidden by the filter: a shows all") != NULL,
				 rows[i].hidden);
	}
}

/* In a frame of a terminal of 60 columns, and with ASCII alone. */
static void page__keeps_type_and_count_together__on_a_narrow_terminal(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(60, 24);
	struct job job = fakeui_job();
	struct submission copy;
	struct pager pager = { 0 };
	int x, y;

	job_edit_prefs(&job)->length = 2;
	fakeui_select(fake, &job);
	job_release(&job);
	fakeui_keys(fake, "J");
	prepare(fake, &copy);
	pager_draw(&pager, offscreen_surface(screen), (struct rect){ 2, 1, 56, 22 }, copy.page);
	assert_true(offscreen_find(screen, "#1 ml.p4d.24xlarge ×4", &x, &y));
	assert_true(offscreen_find(screen, "#2 ml.p5.48xlarge ×2", &x, &y));
	assert_true(offscreen_find(screen, "plan: none (on-demand)", &x, &y));
	offscreen_free(screen);
	screen = offscreen_open(
		&(struct offscreen_options){ .columns = 60, .lines = 24, .ascii = true });
	pager_draw(&pager, offscreen_surface(screen), (struct rect){ 2, 1, 56, 22 }, copy.page);
	assert_true(offscreen_find(screen, "#1 ml.p4d.24xlarge x4", &x, &y));
	offscreen_free(screen);
	submission_release(&copy);
}

static void no__speaks_of_the_draft__where_there_is_one(void **state)
{
	struct fakeui *fake = *state;

	open_submit(fake);
	fakeui_keys(fake, "n");
	assert_string_equal(fake->said, "nothing was sent");
	fakeui_keys(fake, "J");
	open_submit(fake);
	fakeui_keys(fake, "n");
	assert_string_equal(fake->said, "nothing was sent; the draft stays");
}

/* A plain copy: allowed, and its draft is only there for the sending. */
static void submit__copies_plainly__without_an_edit(void **state)
{
	struct fakeui *fake = *state;

	open_submit(fake);
	fakeui_keys(fake, "Esc");
	assert_null(fake->ui.drafts);
	open_submit(fake);
	fakeui_keys(fake, "y");
	assert_int_equal(fake->submits, 1);
	submit_pane_result(&fake->ui, fake->sent_name, ARN, NULL);
	assert_null(fake->ui.drafts);
	submit_pane_result(&fake->ui, "someone-else", ARN, NULL); /* an answer nobody waits for */
	submit_pane_result(&fake->ui, "", NULL, NULL);
}

/* Leaves the submit pane with the answer that a sending got. */
/* Past both orders of a requeue. */
static void choose_plain_copy(struct fakeui *fake)
{
	fakeui_keys(fake, "Tab");
	fakeui_pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "Tab");
	fakeui_pass(fake, QUESTION_DEAF_MS);
}

static void send_and_fail(struct fakeui *fake, enum err_code code, bool outcome_open)
{
	struct err err = { 0 };

	open_submit(fake);
	choose_plain_copy(fake);
	fakeui_keys(fake, "y");
	err_set(&err, code, "what AWS said");
	err.outcome_open = outcome_open;
	submit_pane_result(&fake->ui, fake->sent_name, NULL, &err);
	err_clear(&err);
	fakeui_keys(fake, "Esc");
}

static void submit__repeats_the_name__when_the_last_try_may_have_arrived(void **state)
{
	struct fakeui *fake = *state;
	char first[JOB_NAME_SIZE];
	int64_t first_ms;

	fakeui_keys(fake, "J");
	send_and_fail(fake, ERR_NET, true);
	assert_non_null(strstr(fake->said, "not known whether"));
	assert_false(fake->sent_tried.set);
	memcpy(first, fake->sent_name, sizeof(first));
	first_ms = fake->mono_ms;
	fakeui_pass(fake, 60000);
	send_and_fail(fake, ERR_THROTTLED, true); /* too fast to be told what became of it */
	assert_string_equal(fake->sent_name, first);
	assert_true(fake->sent_tried.set);
	assert_int_equal(fake->sent_tried.ms, first_ms);
	fakeui_pass(fake, 60000);
	send_and_fail(fake, ERR_TIMEOUT, false);
	assert_string_equal(fake->sent_name, first);
	fakeui_pass(fake, 60000);
	send_and_fail(fake, ERR_REFUSED, false); /* AWS has spoken: the name is free or taken */
	assert_string_equal(fake->sent_name, first);
	assert_int_equal(fake->sent_tried.ms, first_ms);
	assert_non_null(strstr(fake->said, "was not submitted"));
	fakeui_pass(fake, 60000);
	open_submit(fake);
	choose_plain_copy(fake);
	fakeui_keys(fake, "y");
	assert_int_equal(fake->submits, 5);
	assert_string_not_equal(fake->sent_name, first);
	assert_false(fake->sent_tried.set);
}

static void page__begins_with_the_last_try__after_a_failure(void **state)
{
	struct fakeui *fake = *state;
	struct submission copy;

	fakeui_keys(fake, "J");
	send_and_fail(fake, ERR_NET, true);
	prepare(fake, &copy);
	assert_ptr_equal(strstr(copy.page, "The last try: It is not known whether"), copy.page);
	submission_release(&copy);
}

/* the text */

static void text_sent__is_the_text_shown__byte_for_byte(void **state)
{
	struct fakeui *fake = *state;
	struct submission copy;

	fakeui_keys(fake, "J");
	prepare(fake, &copy);
	assert_non_null(strstr(copy.page, buf_text(&copy.exact)));
	open_submit(fake);
	fakeui_keys(fake, "y");
	assert_string_equal(fake->sent_text, buf_text(&copy.exact));
	submission_release(&copy);
}

static void secrets__are_masked_on_the_page__and_sent_as_they_are(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();
	struct submission copy;

	mem_set_text(&job.request_json,
		     "{\"TrainingJobName\":\"llm-ft-0930\","
		     "\"Environment\":{\"WANDB_API_KEY\":\"hunter2hunter2\",\"MODE\":\"fast\"},"
		     "\"AlgorithmSpecification\":{\"TrainingImage\":\"i\","
		     "\"TrainingInputMode\":\"File\"},"
		     "\"RoleArn\":\"arn:aws:iam::111122223333:role/gpu\","
		     "\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/out\"},"
		     "\"ResourceConfig\":{\"VolumeSizeInGB\":500,\"InstanceCount\":1,"
		     "\"InstanceType\":\"ml.p5.48xlarge\"},"
		     "\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}}");
	fakeui_select(fake, &job);
	job_release(&job);
	fakeui_keys(fake, "J");
	prepare(fake, &copy);
	assert_false(copy.blocked);
	assert_null(strstr(copy.page, "hunter2"));
	assert_non_null(strstr(copy.page, "\"MODE\": \"fast\""));
	assert_non_null(strstr(copy.page, "masked here and sent as they are"));
	assert_non_null(strstr(buf_text(&copy.exact), "hunter2hunter2"));
	submission_release(&copy);
	open_submit(fake);
	fakeui_keys(fake, "y");
	assert_non_null(strstr(fake->sent_text, "\"WANDB_API_KEY\": \"hunter2hunter2\""));
}

static void page__says_what_happens__to_whom_and_for_how_much(void **state)
{
	struct fakeui *fake = *state;
	struct submission copy;

	fakeui_keys(fake, "J");
	prepare(fake, &copy);
	assert_ptr_equal(strstr(copy.page, "New training job " COPY
					   "\nin us-east-1, account 111122223333, a copy of "
					   "llm-ft-0930.\nllm-ft-0930 is pending and is replaced: "
					   "first the new job is "),
			 copy.page);
	assert_non_null(
		strstr(copy.page,
		       "\n\n#1 ml.p4d.24xlarge ×4  ~$101/h  was #2\n"
		       "#2 ml.p5.48xlarge ×2   ~$127/h  was #1\n"
		       "#3 ml.g5.48xlarge ×8   ~$163/h\n"
		       "plan: none (on-demand)\n"
		       "The list: ~$101 to ~$163 an hour. Worst case ~$163 (runs 1h00m). That is "
		       "#3.\n"
		       "No pending limit.\nNo tags are copied.\n"));
	submission_release(&copy);
	fakeui_keys(fake, "u");
	prepare(fake, &copy);
	assert_non_null(strstr(copy.page, "The list is unchanged: a plain copy."));
	submission_release(&copy);
}

/* Names and types from outside cannot begin a line of the summary. */
static void page__stays_in_its_lines__with_hostile_text(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();
	struct submission copy;

	memcpy(job.name, "a\nWorst case ~$0.00.\x1b[2J", 24);
	memcpy(job_edit_prefs(&job)->entries[0].instance_type, "ml.x\r\nFake", 11);
	fakeui_select(fake, &job);
	job_release(&job);
	fakeui_keys(fake, "J");
	prepare(fake, &copy);
	assert_null(strstr(copy.page, "\nWorst case ~$0.00."));
	assert_null(strstr(copy.page, "\nFake"));
	assert_null(strchr(copy.page, '\x1b'));
	assert_null(strchr(copy.page, '\r'));
	submission_release(&copy);
}

static void refusal__is_whole__with_code_and_request_id(void **state)
{
	struct err err = { 0 };
	struct buf text;

	(void)state;
	buf_init(&text, SUBMISSION_PAGE_MAX);
	err_set(&err, ERR_REFUSED, "line one\nline two");
	memcpy(err.aws_code, "ValidationException", sizeof("ValidationException"));
	memcpy(err.request_id, "abc-123", sizeof("abc-123"));
	submission_add_refusal(&text, COPY, &err);
	assert_non_null(strstr(buf_text(&text), "line one\nline two"));
	assert_non_null(strstr(buf_text(&text), "ValidationException"));
	assert_non_null(strstr(buf_text(&text), "abc-123"));
	assert_null(strstr(buf_text(&text), "may have reached"));
	err_set(&err, ERR_TIMEOUT, "no answer");
	submission_add_refusal(&text, COPY, &err);
	assert_non_null(strstr(buf_text(&text), "It may have reached AWS. X sends it again under "
						"the same name"));
	buf_clear(&text);
	err.outcome_open = true;
	submission_add_refusal(&text, COPY, &err);
	assert_non_null(strstr(buf_text(&text), "It is not known whether " COPY " was submitted"));
	assert_null(strstr(buf_text(&text), "not submitted"));
	err_clear(&err);
	buf_release(&text);
}

#define UI_TEST(test) cmocka_unit_test_setup_teardown(test, fakeui_setup, fakeui_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		UI_TEST(submit__sends_once__however_often_y_comes),
		UI_TEST(submit__sends_nothing__when_typed_or_pasted_too_early),
		UI_TEST(submit__sends_the_edited_list__and_all_else_unchanged),
		UI_TEST(submit__settles_the_draft__by_the_answer),
		UI_TEST(submit__keeps_the_draft__when_it_was_edited_since),
		UI_TEST(submit__asks_for_the_name__above_the_limit_or_unknown),
		UI_TEST(submit__asks_for_the_name__when_the_worst_case_is_unknown),
		UI_TEST(submit__asks_nothing__while_a_rule_is_broken),
		UI_TEST(submit__never_opens__when_read_only_or_not_described),
		UI_TEST(footer__names_what_works__at_each_step),
		UI_TEST(submitted__says_so__when_the_filter_hides_it),
		UI_TEST(page__keeps_type_and_count_together__on_a_narrow_terminal),
		UI_TEST(no__speaks_of_the_draft__where_there_is_one),
		UI_TEST(submit__copies_plainly__without_an_edit),
		UI_TEST(submit__repeats_the_name__when_the_last_try_may_have_arrived),
		UI_TEST(page__begins_with_the_last_try__after_a_failure),
		UI_TEST(text_sent__is_the_text_shown__byte_for_byte),
		UI_TEST(secrets__are_masked_on_the_page__and_sent_as_they_are),
		UI_TEST(page__says_what_happens__to_whom_and_for_how_much),
		UI_TEST(page__stays_in_its_lines__with_hostile_text),
		UI_TEST(refusal__is_whole__with_code_and_request_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
