/* Where the screen is: profile, account, role and endpoint in the header; going to another place;
 * the code of an MFA device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/store_prices.h"
#include "tests/homescreen.h"
#include "tests/jobs.h"
#include "views/pane.h"

#define DEAF_MS (QUESTION_DEAF_MS + 1)

static int start(void **state)
{
	return homescreen_setup(state, 80, 24);
}

static int start_full(void **state)
{
	return homescreen_setup(state, 160, 48);
}

/* --- header --- */

static void assert_header(struct homescreen *home, const char *text)
{
	if (!strstr(homescreen_line(home, 0), text))
		fail_msg("\"%s\" is not in: %s", text, homescreen_line(home, 0));
}

static void show_role(struct homescreen *home, const char *role, const char *endpoint)
{
	struct view_env env = home->sample.env;
	env.role = role;
	env.endpoint = endpoint;
	screen_move(home->screen, &env);
}

static void header__names_profile_account_and_role__where_there_is_room(void **state)
{
	struct homescreen *home = *state;
	show_role(home, "train-admin", "");
	assert_header(home, "gpuq  us-east-1 · 111122223333 · ops · train-admin  pending 4");
	assert_null(strstr(homescreen_line(home, 0), "AWS"));
	/* Once is enough. */
	show_role(home, "ops", "");
	assert_header(home, "gpuq  us-east-1 · 111122223333 · ops  pending 4");
	show_role(home, "a-role-with-a-name-of-forty-characters-x", "");
	assert_header(home, "· ops · a-role-with-a-name-of-f…  pending 4");
}

static void header__names_an_endpoint_that_is_not_aws__first_of_all(void **state)
{
	struct homescreen *home = *state;
	show_role(home, "train-admin", "127.0.0.1:4566");
	assert_header(home, "ops · train-admin  at 127.0.0.1:4566 (not AWS)  pending 4");
	homescreen_stop(home);
	homescreen_start(home, 80, 24, NULL);
	show_role(home, "train-admin", "127.0.0.1:4566");
	assert_string_equal(homescreen_line(home, 0),
			    "us-east-1 · ops  at 127.0.0.1:4566  pending 4  running 4  failed 1 "
			    "today  ● live");
	homescreen_stop(home);
	homescreen_start(home, 40, 12, NULL);
	show_role(home, "train-admin", "gpu-proxy.internal.example.com:8443");
	assert_string_equal(homescreen_line(home, 0), "at gpu-proxy.internal.example…    ● live");
}

static void header__shows_hostile_names__harmless(void **state)
{
	struct homescreen *home = *state;
	show_role(home, "a\x1b[31mb\nc", "h\x07st");
	assert_null(strpbrk(homescreen_line(home, 0), "\x1b\x07"));
	assert_header(home, "a·[31mb·c");
}

/* --- moving --- */

/* The other place has a job of the same name, which is another job. */
static void put_twin(struct homescreen *home, const char *place, const char *type)
{
	struct job job = { .kind = JOB_TRAINING, .described = true };
	char arn[256];
	snprintf(arn, sizeof(arn), "arn:aws:sagemaker:%s:training-job/llm-ft-0930", place);
	snprintf(job.name, sizeof(job.name), "llm-ft-0930");
	job.arn = mem_copy_text(arn);
	job.status = mem_copy_text("InProgress");
	job.secondary_status = mem_copy_text("Pending");
	job.created = (struct opt_ms){ true, home->sample.wall_ms - 60000 };
	job_edit_prefs(&job)->is_list = true;
	add_entry(&job, type, 1);
	add_entry(&job, "ml.g5.48xlarge", 1);
	job.request_json = mem_copy_text("{\"TrainingJobName\":\"llm-ft-0930\"}");
	store_take_described(&home->sample.store, &job);
}

static void note_loaded(struct homescreen *home)
{
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		store_note_loaded(&home->sample.store, (enum source_id)i, home->sample.mono_ms);
	screen_refresh(home->screen);
}

/* As the app does: everything of the old place is gone, and nothing of the new one has come. */
static void move(struct homescreen *home, const char *profile, const char *region)
{
	store_release(&home->sample.store);
	store_set_region(&home->sample.store, region);
	home->sample.env.profile = profile;
	home->sample.env.region = region;
	home->sample.env.account = "";
	screen_move(home->screen, &home->sample.env);
}

static void move__empties_the_screen__and_says_where_it_is_going(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	screen_say(home->screen, STYLE_GOOD, "about the old place");
	move(home, "prod-eu", "eu-west-1");
	assert_header(home, "gpuq  eu-west-1 · prod-eu");
	assert_header(home, "connecting");
	assert_false(homescreen_shows(home, "llm-ft-0930"));
	assert_false(homescreen_shows(home, "about the old place"));
	assert_false(homescreen_shows(home, "111122223333"));
	homescreen_want(home, "Waiting for the first answer of AWS.");
	homescreen_golden(home, "place-80x24-connecting");
}

static void move__closes_what_was_open__and_a_submission_is_not_sent(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "X");
	homescreen_pass(home, DEAF_MS);
	homescreen_want(home, "Submit");
	move(home, "prod-eu", "eu-west-1");
	assert_false(homescreen_shows(home, "Submit"));
	homescreen_keys(home, "y Enter");
	assert_int_equal(home->sample.submits, 0);
}

/* A draft is its job's: a job of the same name in another place has its own list, and what is
 * submitted there is that. */
static void draft__stays_with_its_job__when_another_place_has_the_name(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "P J");
	assert_true(screen_has_draft(home->screen));
	homescreen_want(home, "#1 ml.p4d.24xlarge");
	move(home, "ops", "us-west-2");
	put_twin(home, "us-west-2:111122223333", "ml.p3.16xlarge");
	note_loaded(home);
	homescreen_want(home, "#1 ml.p3.16xlarge");
	assert_false(homescreen_shows(home, "ml.p4d.24xlarge"));
	homescreen_keys(home, "X");
	homescreen_want(home, "The list is unchanged: a plain copy.");
	homescreen_want(home, "in us-west-2, account");
	assert_false(homescreen_shows(home, "p4d"));
	homescreen_keys(home, "Esc");
	/* Back again it is there, undo and all. */
	move(home, "ops", "us-east-1");
	sample_fill(&home->sample);
	note_loaded(home);
	assert_true(screen_has_draft(home->screen));
	assert_string_equal(strrchr(home->sample.selected, '/'), "/llm-ft-0930");
	homescreen_want(home, "#1 ml.p4d.24xlarge");
}

static void selection__comes_back__with_its_place(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "vision-detr-1130");
	move(home, "ops", "us-west-2");
	put_twin(home, "us-west-2:111122223333", "ml.p3.16xlarge");
	note_loaded(home);
	assert_string_equal(home->sample.selected,
			    "arn:aws:sagemaker:us-west-2:111122223333:training-job/llm-ft-0930");
	/* The same place under another role: the job under the cursor is the one that was. */
	move(home, "admin", "us-west-2");
	put_twin(home, "us-west-2:111122223333", "ml.p3.16xlarge");
	note_loaded(home);
	assert_string_equal(home->sample.selected,
			    "arn:aws:sagemaker:us-west-2:111122223333:training-job/llm-ft-0930");
	move(home, "ops", "us-east-1");
	sample_fill(&home->sample);
	screen_refresh(home->screen);
	assert_string_equal(strrchr(home->sample.selected, '/'), "/vision-detr-1130");
	/* And it is only a beginning. */
	homescreen_keys(home, "k");
	assert_string_not_equal(strrchr(home->sample.selected, '/'), "/vision-detr-1130");
}

static void put_pending(struct homescreen *home, const char *name, int64_t waits_ms)
{
	struct job job = { .kind = JOB_TRAINING };
	char arn[256];
	snprintf(arn, sizeof(arn), "arn:aws:sagemaker:eu-west-1:444455556666:training-job/%s",
		 name);
	snprintf(job.name, sizeof(job.name), "%s", name);
	job.arn = mem_copy_text(arn);
	job.status = mem_copy_text("InProgress");
	job.secondary_status = mem_copy_text("Pending");
	job.created = (struct opt_ms){ true, home->sample.wall_ms - waits_ms };
	store_take_summary(&home->sample.store, &job);
	screen_refresh(home->screen);
}

/* As at the start of the program: nobody has chosen anything here. */
static void selection__in_a_new_place__is_the_longest_wait_whatever_comes_first(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "j j");
	move(home, "prod-eu", "eu-west-1");
	store_note_date(&home->sample.store, home->sample.wall_ms, home->sample.mono_ms);
	put_pending(home, "young", 60000);
	assert_string_equal(strrchr(home->sample.selected, '/'), "/young");
	put_pending(home, "old", 3600000);
	assert_string_equal(strrchr(home->sample.selected, '/'), "/old");
}

static void selection__of_more_places_than_are_kept__is_the_first_row(void **state)
{
	struct homescreen *home = *state;
	char place[64];
	for (int i = 0; i < 3 * UI_LEFT_MAX; i++) {
		move(home, "ops", "us-east-1");
		snprintf(place, sizeof(place), "us-east-1:%012d", i);
		put_twin(home, place, "ml.p3.16xlarge");
		note_loaded(home);
		assert_non_null(strstr(home->sample.selected, place));
	}
}

static void filter__stays__in_the_other_place(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "f l l m Enter");
	move(home, "prod-eu", "eu-west-1");
	sample_fill(&home->sample);
	note_loaded(home);
	homescreen_want(home, "1 of 23");
	assert_false(homescreen_shows(home, "moe-pretrain"));
}

static void settings__are_those__of_the_other_place(void **state)
{
	struct homescreen *home = *state;
	home->sample.env.read_only = true;
	move(home, "prod-eu", "eu-west-1");
	sample_fill(&home->sample);
	note_loaded(home);
	assert_header(home, "read-only");
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "X");
	homescreen_want(home, "read-only");
	assert_false(homescreen_shows(home, "Submit"));
}

/* --- the code of an MFA device --- */

#define SERIAL "arn:aws:iam::111122223333:mfa/me"

static void ask(struct homescreen *home)
{
	screen_ask_code(home->screen, "ops-mfa", SERIAL);
	homescreen_draw(home);
}

static void code__is_sent__when_it_has_six_digits(void **state)
{
	struct homescreen *home = *state;
	ask(home);
	assert_int_equal(home->sample.discards, 1);
	homescreen_pass(home, DEAF_MS);
	homescreen_golden(home, "code-80x24");
	homescreen_keys(home, "1 2 x 3 q Enter");
	assert_int_equal(home->sample.codes, 0);
	homescreen_want(home, "code: ***___");
	homescreen_want(home, "a code has six digits; these are 3");
	homescreen_keys(home, "4 9 Backspace 5 6 7");
	homescreen_want(home, "code: ******   Enter sends it");
	homescreen_keys(home, "Enter");
	assert_int_equal(home->sample.codes, 1);
	assert_string_equal(home->sample.code, "123456");
	assert_false(homescreen_shows(home, "code: "));
	assert_int_equal(home->sample.quits, 0);
}

static void code__takes_nothing__of_what_was_typed_before(void **state)
{
	struct homescreen *home = *state;
	ask(home);
	homescreen_keys(home, "1 2 3 4 5 6 Enter Esc");
	homescreen_want(home, "code: ______");
	assert_int_equal(home->sample.codes, 0);
	homescreen_pass(home, DEAF_MS);
	homescreen_keys(home, "6");
	homescreen_want(home, "code: *_____");
}

static void code__is_given_up__by_the_keys_that_leave(void **state)
{
	static const char *const keys[] = { "Esc", "C-c", "C-g" };
	struct homescreen *home = *state;
	for (unsigned i = 0; i < ARRAY_LEN(keys); i++) {
		ask(home);
		homescreen_pass(home, DEAF_MS);
		homescreen_keys(home, "1");
		homescreen_keys(home, keys[i]);
		assert_int_equal(home->sample.codes, i + 1);
		assert_string_equal(home->sample.code, "");
		homescreen_want(home, "no code was given: r asks for it again");
		homescreen_keys(home, "j"); /* so that C-c is not the second */
	}
	assert_int_equal(home->sample.quits, 0);
}

static void paste__fills_the_field__and_does_not_send(void **state)
{
	struct homescreen *home = *state;
	ask(home);
	homescreen_pass(home, DEAF_MS);
	screen_key(home->screen, (struct key){ .code = KEY_CODE_PASTE }, "123 456\n\r789");
	homescreen_want(home, "code: ******");
	assert_int_equal(home->sample.codes, 0);
	homescreen_keys(home, "Enter");
	assert_string_equal(home->sample.code, "123456");
}

/* Digits on their way into a question, or a word that is being typed, never land in it. */
static void code__waits__while_something_is_answered_or_typed(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "vision-detr-1130");
	homescreen_keys(home, "S");
	ask(home);
	assert_false(homescreen_shows(home, "code: "));
	homescreen_pass(home, DEAF_MS);
	homescreen_keys(home, "y");
	assert_int_equal(home->sample.stops, 1);
	homescreen_want(home, "code: ");
	homescreen_pass(home, DEAF_MS);
	homescreen_keys(home, "Esc f");
	ask(home);
	homescreen_keys(home, "1");
	assert_false(homescreen_shows(home, "code: "));
	homescreen_keys(home, "Esc");
	homescreen_want(home, "code: ______");
}

/* Who reads a page can be asked. */
static void code__opens__above_a_page(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "d");
	ask(home);
	homescreen_want(home, "code: ");
	homescreen_pass(home, DEAF_MS);
	homescreen_keys(home, "1 2 3 4 5 6 Enter");
	assert_string_equal(home->sample.code, "123456");
	homescreen_want(home, "MESSAGE (AWS)");
}

static void code__goes__when_nobody_wants_it_any_more(void **state)
{
	struct homescreen *home = *state;
	ask(home);
	screen_ask_code(home->screen, NULL, NULL);
	assert_false(homescreen_shows(home, "code: "));
	homescreen_keys(home, "j");
	assert_false(homescreen_shows(home, "code: "));
	/* Nor is it asked later what was not asked at once. */
	homescreen_keys(home, "f");
	ask(home);
	screen_ask_code(home->screen, NULL, NULL);
	homescreen_keys(home, "Esc");
	assert_false(homescreen_shows(home, "code: "));
	assert_int_equal(home->sample.codes, 0);
}

static void code__stays_in_sight__on_small_terminals(void **state)
{
	static const struct {
		int columns, lines;
	} sizes[] = { { 20, 5 }, { 24, 6 }, { 40, 12 }, { 60, 16 } };
	struct homescreen *home = *state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		homescreen_stop(home);
		homescreen_start(home, sizes[i].columns, sizes[i].lines, NULL);
		ask(home);
		homescreen_pass(home, DEAF_MS);
		homescreen_keys(home, "1 2");
		homescreen_want(home, "code: **____");
	}
}

static void code__shows_hostile_names__harmless(void **state)
{
	struct homescreen *home = *state;
	screen_ask_code(home->screen, "a\x1b[31mb", "x\x07y");
	homescreen_draw(home);
	assert_null(strpbrk(offscreen_text(home->offscreen), "\x1b\x07"));
	homescreen_want(home, "a·[31mb");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, homescreen_teardown)
#define FULL(name) cmocka_unit_test_setup_teardown(name, start_full, homescreen_teardown)
		FULL(header__names_profile_account_and_role__where_there_is_room),
		FULL(header__names_an_endpoint_that_is_not_aws__first_of_all),
		FULL(header__shows_hostile_names__harmless),
		TEST(move__empties_the_screen__and_says_where_it_is_going),
		TEST(move__closes_what_was_open__and_a_submission_is_not_sent),
		FULL(draft__stays_with_its_job__when_another_place_has_the_name),
		TEST(selection__comes_back__with_its_place),
		TEST(selection__in_a_new_place__is_the_longest_wait_whatever_comes_first),
		TEST(selection__of_more_places_than_are_kept__is_the_first_row),
		TEST(filter__stays__in_the_other_place),
		TEST(settings__are_those__of_the_other_place),
		TEST(code__is_sent__when_it_has_six_digits),
		TEST(code__takes_nothing__of_what_was_typed_before),
		TEST(code__is_given_up__by_the_keys_that_leave),
		TEST(paste__fills_the_field__and_does_not_send),
		TEST(code__waits__while_something_is_answered_or_typed),
		TEST(code__opens__above_a_page),
		TEST(code__goes__when_nobody_wants_it_any_more),
		TEST(code__stays_in_sight__on_small_terminals),
		TEST(code__shows_hostile_names__harmless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
