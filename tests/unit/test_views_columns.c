/* The look of the job list: which columns, in which order, sorted by which. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "tests/homescreen.h"
#include "tests/jobs.h"
#include "views/jobs_parts.h"

#define NAMES_MAX 64

static int start(void **state)
{
	return homescreen_setup(state, 200, 60);
}

/* The names of the list's rows, from above; returns how many. */
static size_t read_names(struct homescreen *home, char names[NAMES_MAX][64])
{
	size_t count = 0;
	homescreen_draw(home);
	for (int y = 3; y < 60 && count < NAMES_MAX; y++) {
		const char *line = homescreen_line(home, y);
		if (strncmp(line, "│", strlen("│")) != 0)
			break;
		line += strlen("│");
		line += strncmp(line, "▸", strlen("▸")) == 0 ? strlen("▸") + 1 : 2;
		size_t len = strcspn(line, " ");
		if (len == 0)
			break;
		assert_true(snprintf(names[count++], 64, "%.*s", (int)len, line) > 0);
	}
	return count;
}

/* c or o, the first row is the name: by it, and the other way round, by Enter or by I. */
static void list__is_sorted_by_name__and_back(void **state)
{
	static char names[NAMES_MAX][64];
	struct homescreen *home = *state;
	homescreen_keys(home, "o Enter q");
	homescreen_want(home, "by name");
	size_t count = read_names(home, names);
	assert_true(count > 10);
	for (size_t i = 1; i < count; i++)
		assert_true(strcmp(names[i - 1], names[i]) < 0);
	homescreen_keys(home, "I");
	homescreen_want(home, "by name reversed");
	count = read_names(home, names);
	for (size_t i = 1; i < count; i++)
		assert_true(strcmp(names[i - 1], names[i]) > 0);
	homescreen_keys(home, "o Enter q");
	homescreen_want(home, "by name  ");
	homescreen_keys(home, "c 0 q");
	homescreen_want_not(home, "by name");
}

/* The cursor stays on its job, and a refresh changes no order. */
static void sort__keeps_the_cursor__and_lasts(void **state)
{
	static char before[NAMES_MAX][64], after[NAMES_MAX][64];
	struct homescreen *home = *state;
	homescreen_go_to(home, "vision-detr-1130");
	homescreen_keys(home, "F6 j j j Enter q");
	homescreen_want(home, "by wait");
	assert_non_null(strstr(home->sample.selected, "/vision-detr-1130"));
	homescreen_want(home, "▸ vision-detr-1130");
	size_t count = read_names(home, before);
	homescreen_pass(home, 6000);
	assert_int_equal(read_names(home, after), count);
	assert_memory_equal(before, after, sizeof(before));
}

/* Hidden, moved, and all of them: the titles from left to right. */
static void columns__are_hidden_moved_and_all_shown(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "c j Space q");
	const char *head = homescreen_line(home, 2);
	assert_null(strstr(head, " K "));
	homescreen_keys(home, "c j j J q");
	head = homescreen_line(home, 2);
	assert_true(strstr(head, "LIMIT") < strstr(head, "WAIT"));
	assert_null(strstr(head, "COST"));
	homescreen_keys(home, "w l l l l l l l l");
	head = homescreen_line(home, 2);
	assert_non_null(strstr(head, "NAME")); /* it stays */
	assert_non_null(strstr(head, "COST"));
	assert_null(strstr(head, "PHASE"));
	homescreen_keys(home, "h h h h h h h h h w c 0 q");
	head = homescreen_line(home, 2);
	assert_non_null(strstr(head, "PHASE"));
	assert_non_null(strstr(head, " K "));
}

/* / goes to the first match as it is typed, n and N go round; nothing is hidden. */
static void find__goes_to_matches__and_hides_nothing(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "/");
	homescreen_type(home, "sweep-lr");
	homescreen_want(home, "match 1 of 11");
	homescreen_want(home, " 23 of 23 ");
	assert_non_null(strstr(home->sample.selected, "/sweep-lr-01"));
	homescreen_keys(home, "Enter n");
	homescreen_want(home, "match 2 of 11");
	assert_non_null(strstr(home->sample.selected, "/sweep-lr-02"));
	homescreen_keys(home, "N N");
	homescreen_want(home, "match 11 of 11, round the end");
	assert_non_null(strstr(home->sample.selected, "/sweep-lr-11"));
	homescreen_keys(home, "n");
	homescreen_want(home, "match 1 of 11, round the end");
	/* What is wrong, what is nowhere, and the way back. */
	homescreen_keys(home, "/");
	homescreen_type(home, "wait>soon");
	homescreen_want(home, "column 6: wait takes a duration");
	homescreen_keys(home, "C-u");
	homescreen_type(home, "vision");
	assert_non_null(strstr(home->sample.selected, "/vision-detr-1130"));
	homescreen_type(home, "zzz");
	homescreen_want(home, "match 0 of 0");
	homescreen_keys(home, "Esc");
	assert_non_null(strstr(home->sample.selected, "/sweep-lr-01"));
	homescreen_keys(home, "/ Up");
	homescreen_want(home, "search: sweep-lr");
}

/* From the first to the last of three, in either direction, and not at all after Esc. */
static void range__marks_all_from_its_beginning_to_the_cursor(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "sweep-lr-03");
	homescreen_keys(home, "v j j");
	homescreen_want(home, "a range");
	homescreen_want(home, "✓sweep-lr-04");
	homescreen_want_not(home, "✓sweep-lr-06");
	homescreen_keys(home, "Esc");
	homescreen_want_not(home, "✓sweep-lr-04");
	homescreen_keys(home, "v k k Space");
	homescreen_want(home, "3 marked  ");
	homescreen_keys(home, "U v j v");
	homescreen_want(home, "2 marked  ");
	homescreen_keys(home, "U v");
	homescreen_pass(home, 6000); /* a refresh keeps it */
	homescreen_keys(home, "v");
	homescreen_want(home, "1 marked  ");
}

/* First whatever the order or the filter; the other jobs keep theirs. */
static void pin__stands_first__whatever_the_list_shows(void **state)
{
	static char names[NAMES_MAX][64];
	struct homescreen *home = *state;
	homescreen_go_to(home, "vision-detr-1130");
	homescreen_keys(home, "m");
	homescreen_want(home, "1 pinned");
	(void)read_names(home, names);
	homescreen_want(home, "↑vision-detr-1130");
	homescreen_keys(home, "f");
	homescreen_type(home, "sweep");
	homescreen_keys(home, "Enter");
	homescreen_want(home, "vision-detr-1130");
	homescreen_want(home, "12 of 23");
	homescreen_keys(home, "a o Enter q I");
	homescreen_go_to(home, "vision-detr-1130");
	homescreen_keys(home, "k");
	assert_null(strstr(home->sample.selected, "/sweep")); /* nothing above it but drafts */
	homescreen_go_to(home, "vision-detr-1130");
	homescreen_keys(home, "m");
	homescreen_want_not(home, "1 pinned");
}

/* Its row stays through a filter that leaves it out, until the cursor is moved. */
static void follow__keeps_the_cursor_on_its_job(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "vision-detr-1130");
	homescreen_keys(home, "F");
	homescreen_want(home, "following");
	homescreen_keys(home, "f");
	homescreen_type(home, "sweep");
	homescreen_keys(home, "Enter");
	assert_non_null(strstr(home->sample.selected, "/vision-detr-1130"));
	homescreen_keys(home, "j");
	homescreen_want_not(home, "following");
	homescreen_keys(home, "F F");
	homescreen_want_not(home, "following");
}

/* A new job has no row until the list goes on; another filter is another list. */
static void freeze__keeps_the_rows__until_pressed_again(void **state)
{
	static char before[NAMES_MAX][64], after[NAMES_MAX][64];
	struct homescreen *home = *state;
	struct job job = described_job("new-one", home->sample.wall_ms, "InProgress", "Pending");
	homescreen_keys(home, "Z");
	homescreen_want(home, "frozen  23 of 23");
	size_t count = read_names(home, before);
	store_take_described(&home->sample.store, &job);
	homescreen_pass(home, 6000);
	assert_int_equal(read_names(home, after), count);
	assert_memory_equal(before, after, sizeof(before));
	homescreen_want(home, "frozen  23 of 24");
	homescreen_keys(home, "f n e w - Enter");
	homescreen_want(home, "new-one");
	homescreen_want(home, "frozen");
	homescreen_keys(home, "a Z");
	homescreen_want_not(home, "frozen");
	homescreen_want(home, " 24 of 24 ");
	homescreen_keys(home, "Z");
	store_forget(&home->sample.store, "new-one");
	homescreen_pass(home, 6000);
	homescreen_want(home, "frozen  23 of 23");
}

/* By hand: each step of a list of three. */
static void look__is_toggled_moved_and_never_empty(void **state)
{
	struct jobs_look look = { 0 };
	uint8_t shown[JOBS_COLUMNS_MAX];
	struct buf wrong;
	(void)state;
	assert_int_equal(jobs_look_shown(&look, shown), 8); /* the standard ones */
	buf_init(&wrong, 256);
	jobs_look_read(&look, "wait, name,colour,wait,cost,", &wrong);
	assert_string_equal(buf_text(&wrong), "colour");
	assert_int_equal(jobs_look_shown(&look, shown), 3);
	assert_string_equal(jobs_columns[shown[0]].column.id, "wait");
	assert_string_equal(jobs_columns[shown[2]].column.id, "cost");
	assert_false(jobs_look_move(&look, shown[0], false));
	assert_false(jobs_look_move(&look, shown[2], true));
	assert_true(jobs_look_move(&look, shown[2], false)); /* wait cost name */
	assert_true(jobs_look_toggle(&look, shown[0]));      /* cost name */
	assert_true(jobs_look_toggle(&look, shown[1]));      /* cost */
	assert_false(jobs_look_toggle(&look, shown[2]));
	assert_int_equal(look.count, 1);
	jobs_look_sort(&look, 3);
	assert_true(look.sort == 4 && !look.reverse);
	jobs_look_sort(&look, 3);
	assert_true(look.sort == 4 && look.reverse);
	jobs_look_sort(&look, 0);
	assert_true(look.sort == 1 && !look.reverse);
	buf_release(&wrong);
}

/* Unknown figures stand behind the known ones, whichever way round; equal ones keep the order of
 * the list: the longer wait, then the newer. */
static void rows__without_a_figure__stand_last(void **state)
{
	const struct filter_ask ask = { .now_ms = 100000 };
	struct jobs_look look = { .sort = 6 }; /* selected: the rank */
	(void)state;
	assert_string_equal(jobs_columns[5].column.id, "selected");
	for (int reverse = 0; reverse < 2; reverse++) {
		struct row rows[4] = { 0 };
		look.reverse = reverse == 1;
		for (size_t i = 0; i < 4; i++) {
			struct job job = described_job("j", 1000, "InProgress", "Training");
			job.selected = (struct selected){ i > 0, "ml.g5.xlarge", 1, i };
			rows[i].at = (uint32_t)i;
			jobs_sort_key(&look, &job, &ask, &rows[i]);
			job_release(&job);
		}
		assert_true(jobs_order(&rows[0], &rows[1]) > 0); /* unknown, #1 */
		assert_true((jobs_order(&rows[3], &rows[1]) < 0) == (reverse == 0));
		rows[3].key.figure = 1;
		assert_true(jobs_order(&rows[1], &rows[3]) < 0); /* equal: by the place */
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, homescreen_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(list__is_sorted_by_name__and_back),
		TEST(sort__keeps_the_cursor__and_lasts),
		TEST(columns__are_hidden_moved_and_all_shown),
		TEST(find__goes_to_matches__and_hides_nothing),
		TEST(range__marks_all_from_its_beginning_to_the_cursor),
		TEST(pin__stands_first__whatever_the_list_shows),
		TEST(follow__keeps_the_cursor_on_its_job),
		TEST(freeze__keeps_the_rows__until_pressed_again),
		cmocka_unit_test(look__is_toggled_moved_and_never_empty),
		cmocka_unit_test(rows__without_a_figure__stand_last),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
