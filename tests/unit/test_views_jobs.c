/* The job list: order, cells, selection kept by ARN, filter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/homescreen.h"

#define LINES 60

static int start(void **state)
{
	struct homescreen *home = mem_new(1, sizeof(*home));
	homescreen_start(home, 120, LINES, NULL);
	*state = home;
	return 0;
}

static int stop(void **state)
{
	homescreen_stop(*state);
	free(*state);
	return 0;
}

/* The row of a job as it is drawn in the list, without what stands right of it. */
static void row_of(struct homescreen *home, const char *name, char out[512])
{
	char wanted[128];
	int x, y;
	homescreen_draw(home);
	/* The list's rows begin with the frame, the cursor's place and a blank. */
	assert_true(snprintf(wanted, sizeof(wanted), "│  %s ", name) > 0);
	if (!offscreen_find(home->offscreen, wanted, &x, &y)) {
		assert_true(snprintf(wanted, sizeof(wanted), "│▸ %s ", name) > 0);
		if (!offscreen_find(home->offscreen, wanted, &x, &y))
			fail_msg("no row of %s", name);
	}
	const char *line = offscreen_line(home->offscreen, y) + strlen("│");
	const char *end = strstr(line, "│");
	assert_non_null(end);
	assert_true(snprintf(out, 512, "%.*s", (int)(end - line), line) > 0);
}

/* The words of a row, one blank between two. */
static void assert_row(struct homescreen *home, const char *name, const char *words)
{
	char row[512], squeezed[512];
	size_t len = 0;
	row_of(home, name, row);
	for (const char *c = row; *c; c++)
		if (*c != ' ' || (len > 0 && squeezed[len - 1] != ' '))
			squeezed[len++] = *c;
	while (len > 0 && squeezed[len - 1] == ' ')
		len--;
	squeezed[len] = '\0';
	const char *text = squeezed;
	if (strncmp(text, "▸ ", strlen("▸ ")) == 0)
		text += strlen("▸ ");
	assert_string_equal(text, words);
}

static void rows__are_pending_by_wait_then_live_then_ended__always(void **state)
{
	static const char *const order[] = {
		/* pending and unknown: 3h41m, 1h42m, 7m, 2m, 0s */
		"moe-pretrain-stage2-7b", "llm-ft-0930", "eval-nightly-20261130", "only-listed",
		"new-word",
		/* running: by start, the newest first (45m, 61m, 3h, 9h ago), then stopping */
		"hetero-rl", "embed-corpus-07", "vision-detr-1130", "spot-restarts",
		"being-stopped",
		/* ended: the newest first (2h, 24h, then from 40h on) */
		"oom-run-44", "never-lucky", "sweep-lr-01", "sweep-lr-02"
	};
	struct homescreen *home = *state;
	homescreen_keys(home, "g");
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		const char *slash = strrchr(home->sample.selected, '/');
		assert_non_null(slash);
		assert_string_equal(slash + 1, order[i]);
		homescreen_keys(home, "j");
	}
}

static void cells__say_what_is_known__for_each_sort_of_job(void **state)
{
	struct homescreen *home = *state;
	assert_row(home, "llm-ft-0930", "llm-ft-0930 T Pending 1h42m ▓░░░░ –");
	assert_row(home, "moe-pretrain-stage2-7b", "moe-pretrain-stage2-7b T Pending 3h41m – –");
	assert_row(home, "eval-nightly-20261130", "eval-nightly-20261130 P Pending 7m – –");
	assert_row(home, "only-listed", "only-listed T Pending 2m ? ?");
	assert_row(home, "new-word", "new-word T Quarantin… 0s – –");
	assert_row(home, "vision-detr-1130", "vision-detr-1130 T Running 20m – #2");
	assert_row(home, "spot-restarts", "spot-restarts T Running 2h00m – #1");
	assert_row(home, "oom-run-44", "oom-run-44 T Failed 1h00m – #1");
	assert_row(home, "never-lucky", "never-lucky T Stopped 6h00m – –");
}

static void wait__ticks__while_pending(void **state)
{
	struct homescreen *home = *state;
	homescreen_pass(home, 59999);
	assert_row(home, "llm-ft-0930", "llm-ft-0930 T Pending 1h42m ▓░░░░ –");
	homescreen_pass(home, 1);
	assert_row(home, "llm-ft-0930", "llm-ft-0930 T Pending 1h43m ▓░░░░ –");
	assert_row(home, "vision-detr-1130", "vision-detr-1130 T Running 20m – #2");
}

/* --- selection --- */

static void add_job(struct homescreen *home, const char *name, int64_t created_ago_ms)
{
	char arn[256];
	struct job job = { .kind = JOB_TRAINING };
	sample_arn(JOB_TRAINING, name, arn);
	assert_true(snprintf(job.name, sizeof(job.name), "%s", name) > 0);
	job.arn = mem_copy_text(arn);
	job.status = mem_copy_text("InProgress");
	job.secondary_status = mem_copy_text("Pending");
	job.created = (struct opt_ms){ true, home->sample.wall_ms - created_ago_ms };
	job.modified = job.created;
	store_take_summary(&home->sample.store, &job);
	screen_refresh(home->screen);
}

static void selection__stays_on_its_job__when_rows_come_above(void **state)
{
	struct homescreen *home = *state;
	char arn[256];
	homescreen_go_to(home, "hetero-rl");
	sample_arn(JOB_TRAINING, "hetero-rl", arn);
	add_job(home, "newcomer", INT64_C(100) * 3600000);
	assert_string_equal(home->sample.selected, arn);
	homescreen_keys(home, "k");
	assert_non_null(strstr(home->sample.selected, "/new-word"));
	homescreen_keys(home, "g");
	assert_non_null(strstr(home->sample.selected, "/newcomer"));
}

static void forget_training(struct sample *sample)
{
	sample->store.sources[SOURCE_TRAINING].loaded = false;
}

static void selection__is_the_first_row__until_both_lists_are_there(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 60, forget_training);
	add_job(&home, "longest", INT64_C(100) * 3600000);
	assert_non_null(strstr(home.sample.selected, "/longest"));
	store_note_loaded(&home.sample.store, SOURCE_TRAINING, home.sample.mono_ms);
	add_job(&home, "longer-yet", INT64_C(200) * 3600000);
	assert_non_null(strstr(home.sample.selected, "/longer-yet"));
	add_job(&home, "too-late", INT64_C(300) * 3600000);
	assert_non_null(strstr(home.sample.selected, "/longer-yet"));
	homescreen_stop(&home);
}

static void selection__stays__when_a_key_came_before_the_lists(void **state)
{
	struct homescreen home;
	char first[256];
	(void)state;
	homescreen_start(&home, 120, 60, forget_training);
	assert_true(snprintf(first, sizeof(first), "%s", home.sample.selected) > 0);
	homescreen_keys(&home, "P");
	add_job(&home, "longest", INT64_C(100) * 3600000);
	assert_string_equal(home.sample.selected, first);
	homescreen_stop(&home);
}

static void selection__goes_to_the_neighbour__when_its_job_is_gone(void **state)
{
	struct homescreen *home = *state;
	char arn[256];
	homescreen_go_to(home, "llm-ft-0930");
	sample_arn(JOB_TRAINING, "llm-ft-0930", arn);
	store_forget(&home->sample.store, arn);
	homescreen_pass(home, 0);
	assert_non_null(strstr(home->sample.selected, "/eval-nightly-20261130"));
	homescreen_pass(home, 1000);
	assert_non_null(strstr(home->sample.selected, "/eval-nightly-20261130"));
}

/* What submit does with the ARN of its answer: the row comes with a later list. */
static void submit(struct homescreen *home, const char *name)
{
	char arn[256];
	sample_arn(JOB_TRAINING, name, arn);
	screen_submitted(home->screen, name, arn, NULL);
	homescreen_draw(home);
}

static void selection__goes_to_the_submitted_job__when_its_row_comes(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	submit(home, "llm-ft-copy");
	assert_true(homescreen_shows(home, "submitted llm-ft-copy"));
	homescreen_pass(home, 1000);
	assert_non_null(strstr(home->sample.selected, "/llm-ft-0930"));
	add_job(home, "llm-ft-copy", 1000);
	assert_non_null(strstr(home->sample.selected, "/llm-ft-copy"));
	homescreen_keys(home, "k");
	homescreen_pass(home, 1000);
	assert_null(strstr(home->sample.selected, "/llm-ft-copy"));
}

static void selection__stays__when_it_was_moved_before_the_row_came(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	submit(home, "llm-ft-copy");
	homescreen_keys(home, "j");
	add_job(home, "llm-ft-copy", 1000);
	assert_non_null(strstr(home->sample.selected, "/eval-nightly-20261130"));
}

/* --- marks --- */

/* What stands before the name in a job's row: the cursor's place and the mark's. */
static void assert_mark(struct homescreen *home, const char *name, const char *expected)
{
	char text[128];
	assert_true(snprintf(text, sizeof(text), "│%s%s ", expected, name) > 0);
	if (!homescreen_shows(home, text))
		fail_msg("no \"%s\":\n%s", text, offscreen_text(home->offscreen));
}

static void mark__stays_with_its_job__through_refresh_and_filter(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "Space"); /* and on to the next */
	assert_mark(home, "llm-ft-0930", " ✓");
	assert_mark(home, "eval-nightly-20261130", "▸ ");
	homescreen_keys(home, "Space");
	assert_true(homescreen_shows(home, " 2 marked  "));
	add_job(home, "newcomer", INT64_C(100) * 3600000);
	homescreen_draw(home);
	assert_mark(home, "llm-ft-0930", " ✓");
	assert_mark(home, "newcomer", "  ");
	homescreen_keys(home, "f l l m Enter g");
	assert_true(homescreen_shows(home, " 2 marked (1 not shown)  filter: llm"));
	assert_mark(home, "llm-ft-0930", "▸✓");
	homescreen_keys(home, "a");
	assert_mark(home, "eval-nightly-20261130", " ✓");
}

static void mark__goes__by_its_key_by_U_and_with_its_job(void **state)
{
	struct homescreen *home = *state;
	char arn[256];
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "Space k Space");
	assert_mark(home, "llm-ft-0930", "  ");
	assert_false(homescreen_shows(home, "marked"));
	homescreen_keys(home, "Space Space Space");
	assert_true(homescreen_shows(home, " 3 marked  "));
	sample_arn(JOB_TRAINING, "only-listed", arn);
	store_forget(&home->sample.store, arn);
	homescreen_pass(home, 0);
	assert_true(homescreen_shows(home, " 2 marked  "));
	homescreen_keys(home, "U");
	assert_false(homescreen_shows(home, "marked"));
	assert_mark(home, "eval-nightly-20261130", "  ");
}

static void keys__move_by_line_half_and_whole_page__within_the_list(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "g k");
	assert_non_null(strstr(home->sample.selected, "/moe-pretrain-stage2-7b"));
	homescreen_keys(home, "Down Down Up");
	assert_non_null(strstr(home->sample.selected, "/llm-ft-0930"));
	homescreen_keys(home, "G");
	assert_non_null(strstr(home->sample.selected, "/sweep-lr-11"));
	homescreen_keys(home, "j PgDn C-d");
	assert_non_null(strstr(home->sample.selected, "/sweep-lr-11"));
	homescreen_keys(home, "Home C-d");
	assert_null(strstr(home->sample.selected, "/moe-pretrain-stage2-7b"));
	homescreen_keys(home, "C-u");
	assert_non_null(strstr(home->sample.selected, "/moe-pretrain-stage2-7b"));
	homescreen_keys(home, "End PgUp PgUp");
	assert_non_null(strstr(home->sample.selected, "/moe-pretrain-stage2-7b"));
}

/* --- filter --- */

static void filter__narrows_at_each_key__and_counts(void **state)
{
	struct homescreen *home = *state;
	assert_true(homescreen_shows(home, " 23 of 23 "));
	homescreen_keys(home, "f s");
	assert_true(homescreen_shows(home, "filter: s"));
	homescreen_keys(home, "w");
	assert_true(homescreen_shows(home, "filter: sw  11 of 23"));
	assert_true(homescreen_shows(home, "11 of 23  Enter keeps"));
	homescreen_keys(home, "Enter");
	assert_true(homescreen_shows(home, "filter: sw  11 of 23"));
	assert_false(homescreen_shows(home, "Enter keeps"));
	assert_non_null(strstr(home->sample.selected, "/sweep-lr-01"));
	homescreen_keys(home, "a");
	assert_true(homescreen_shows(home, " 23 of 23 "));
	assert_non_null(strstr(home->sample.selected, "/sweep-lr-01"));
}

static void filter__puts_all_back__when_left(void **state)
{
	static const char *const ways_out[] = { "Esc", "C-c", "C-g" };
	struct homescreen *home = *state;
	for (size_t i = 0; i < ARRAY_LEN(ways_out); i++) {
		homescreen_go_to(home, "vision-detr-1130");
		homescreen_keys(home, "f s w e");
		assert_non_null(strstr(home->sample.selected, "/sweep-lr-"));
		homescreen_keys(home, ways_out[i]);
		assert_true(homescreen_shows(home, " 23 of 23 "));
		assert_non_null(strstr(home->sample.selected, "/vision-detr-1130"));
		sample_pass(&home->sample, 5000); /* two C-c would quit */
	}
	assert_int_equal(home->sample.quits, 0);
}

static void filter__takes_keys_of_home_as_text__and_pastes(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "f q S X");
	assert_int_equal(home->sample.quits, 0);
	assert_true(homescreen_shows(home, "filter: qSX"));
	homescreen_keys(home, "C-u");
	screen_key(home->screen, (struct key){ .code = KEY_CODE_PASTE }, "llm\ny");
	assert_true(homescreen_shows(home, "filter: llmy"));
	homescreen_keys(home, "Backspace Enter");
	assert_true(homescreen_shows(home, "filter: llm  1 of 23"));
}

/* The place of what is wrong, while the other terms go on filtering. */
static void filter__says_what_is_wrong__at_its_place(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "f");
	homescreen_type(home, "sw wat>2h");
	homescreen_want(home, "column 4: no field wat; wait?");
	assert_non_null(strstr(homescreen_line(home, LINES - 1), "filter: sw wat>2h"));
	assert_true(offscreen_has_style(home->offscreen, 11, LINES - 1, STYLE_ERROR));
	assert_false(offscreen_has_style(home->offscreen, 9, LINES - 1, STYLE_ERROR));
	homescreen_keys(home, "Left Left Left Backspace Backspace a i t");
	homescreen_want(home, "filter: sw wait>2h");
	homescreen_want_not(home, "column");
}

/* Figures, phases and types at once, and earlier filters by Up. */
static void filter__compares_fields__and_brings_back_earlier_ones(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "f");
	homescreen_type(home, "wait>1h type~p5 status:pending");
	homescreen_want(home, "llm-ft-0930");
	homescreen_want_not(home, "sweep-lr-01");
	homescreen_keys(home, "Enter f C-u");
	homescreen_want(home, "23 of 23  Enter keeps");
	homescreen_keys(home, "Up");
	homescreen_want(home, "filter: wait>1h type~p5 status:pending");
	homescreen_keys(home, "Down Enter");
	homescreen_want(home, " 23 of 23 ");
}

/* Tab behind the beginning of one field, of several, and of none. */
static void filter__completes__the_names_of_fields(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "f ! w a Tab 1 h");
	homescreen_want(home, "filter: !wait>1h");
	homescreen_keys(home, "Space r Tab");
	homescreen_want(home, "fields: reason role run rank");
	homescreen_keys(home, "C-u z Tab");
	homescreen_want(home, "no field begins so");
}

static void filter__says_so__when_nothing_matches(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "hetero-rl");
	homescreen_keys(home, "f z z z Enter");
	assert_true(homescreen_shows(home, "No job matches. a shows all."));
	assert_true(homescreen_shows(home, "no job selected"));
	assert_string_equal(home->sample.selected, "");
	homescreen_keys(home, "d y S"); /* nothing to act on */
	assert_int_equal(home->sample.discards, 0);
	homescreen_keys(home, "a");
	assert_non_null(strstr(home->sample.selected, "/hetero-rl"));
}

static void pending_only__keeps_pending_and_unknown__until_pressed_again(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "p");
	assert_true(homescreen_shows(home, "pending only  5 of 23"));
	homescreen_keys(home, "f l l m Enter");
	assert_true(homescreen_shows(home, "pending only  filter: llm  1 of 23"));
	homescreen_keys(home, "p");
	assert_true(homescreen_shows(home, "filter: llm  1 of 23"));
	homescreen_keys(home, "p a");
	assert_true(homescreen_shows(home, " 23 of 23 "));
}

static void pending_only__keeps_the_selected_job__when_it_starts(void **state)
{
	struct homescreen *home = *state;
	struct job job = { 0 };
	homescreen_keys(home, "p");
	homescreen_go_to(home, "llm-ft-0930");
	job_copy(&job, store_find_name(&home->sample.store, "llm-ft-0930"));
	mem_set_text(&job.secondary_status, "Training");
	store_take_described(&home->sample.store, &job);
	homescreen_pass(home, 1000);
	assert_non_null(strstr(home->sample.selected, "/llm-ft-0930"));
	assert_true(homescreen_shows(home, "\u25b8 llm-ft-0930"));
	homescreen_keys(home, "p p"); /* asked anew, it is no longer one of them */
	assert_null(strstr(home->sample.selected, "/llm-ft-0930"));
}

/* --- text from outside --- */

static void message__is_harmless__wherever_it_is_shown(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "new-word");
	assert_true(homescreen_shows(home, "bad ·[31mred· bytes"));
	for (const char *c = offscreen_text(home->offscreen); *c; c++)
		assert_true((unsigned char)*c >= 0x20 || *c == '\n');
	homescreen_keys(home, "d");
	assert_true(homescreen_shows(home, "line two")); /* the page shows all of it */
	for (const char *c = offscreen_text(home->offscreen); *c; c++)
		assert_true((unsigned char)*c >= 0x20 || *c == '\n');
}

/* Messages come where names of 33 columns, as the SDK makes them, are still whole. */
static void columns__are_added__as_the_list_gets_wider(void **state)
{
	static const struct {
		int columns;
		bool type, message;
	} cases[] = {
		{ 60, false, false }, { 80, true, false },  { 120, false, false },
		{ 140, true, false }, { 200, true, false }, { 300, true, true },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct homescreen home;
		homescreen_start(&home, cases[i].columns, 40, NULL);
		homescreen_draw(&home);
		const char *head = offscreen_line(home.offscreen, 2);
		assert_non_null(strstr(head, "NAME "));
		assert_int_equal(strstr(head, " TYPE ") != NULL, cases[i].type);
		assert_int_equal(strstr(head, " MESSAGE ") != NULL, cases[i].message);
		if (cases[i].message)
			assert_true(strstr(head, " K ") - strstr(head, "NAME ") >= 33);
		homescreen_stop(&home);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rows__are_pending_by_wait_then_live_then_ended__always),
		TEST(cells__say_what_is_known__for_each_sort_of_job),
		TEST(wait__ticks__while_pending),
		TEST(selection__stays_on_its_job__when_rows_come_above),
		TEST(selection__goes_to_the_neighbour__when_its_job_is_gone),
		TEST(selection__goes_to_the_submitted_job__when_its_row_comes),
		TEST(selection__stays__when_it_was_moved_before_the_row_came),
		TEST(mark__stays_with_its_job__through_refresh_and_filter),
		TEST(mark__goes__by_its_key_by_U_and_with_its_job),
		TEST(keys__move_by_line_half_and_whole_page__within_the_list),
		TEST(filter__narrows_at_each_key__and_counts),
		TEST(filter__puts_all_back__when_left),
		TEST(filter__takes_keys_of_home_as_text__and_pastes),
		TEST(filter__says_what_is_wrong__at_its_place),
		TEST(filter__compares_fields__and_brings_back_earlier_ones),
		TEST(filter__completes__the_names_of_fields),
		TEST(filter__says_so__when_nothing_matches),
		TEST(pending_only__keeps_pending_and_unknown__until_pressed_again),
		TEST(pending_only__keeps_the_selected_job__when_it_starts),
		TEST(message__is_harmless__wherever_it_is_shown),
		cmocka_unit_test(selection__is_the_first_row__until_both_lists_are_there),
		cmocka_unit_test(selection__stays__when_a_key_came_before_the_lists),
		cmocka_unit_test(columns__are_added__as_the_list_gets_wider),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
