/* The mouse on the whole screen: where it points the focus and the cursor go; no more than that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/homescreen.h"

#define SPARSE \
	9 /* columns from one place that is tried to the next; each line begins one further */

static int start(void **state)
{
	struct homescreen *home = mem_new(1, sizeof(*home));
	homescreen_start(home, 80, 24, NULL);
	homescreen_go_to(home, "llm-ft-0930");
	*state = home;
	return 0;
}

static int stop(void **state)
{
	homescreen_stop(*state);
	free(*state);
	return 0;
}

static void point(struct homescreen *home, enum mouse_act act, int x, int y)
{
	const struct mouse mouse = { act, x, y };
	screen_mouse(home->screen, &mouse);
	homescreen_draw(home);
}

/* The place of a text, which must be in sight. */
static int line_of(struct homescreen *home, const char *text)
{
	int x = 0, y = 0;
	if (!homescreen_shows(home, text) || !offscreen_find(home->offscreen, text, &x, &y))
		fail_msg("no %s in sight:\n%s", text, offscreen_text(home->offscreen));
	return y;
}

static void press(struct homescreen *home, const char *text)
{
	point(home, MOUSE_PRESS, 10, line_of(home, text));
	point(home, MOUSE_RELEASE, 10, line_of(home, text));
}

static void click__selects_the_job__under_it(void **state)
{
	struct homescreen *home = *state;
	press(home, "vision-detr-1130");
	assert_true(homescreen_shows(home, "▸ vision-detr-1130"));
	assert_non_null(strstr(home->sample.selected, "/vision-detr-1130"));
	/* The head, the frame and the empty lines are no rows. */
	point(home, MOUSE_PRESS, 10, 2);
	point(home, MOUSE_PRESS, 10, 1);
	point(home, MOUSE_PRESS, 0, 0);
	assert_true(homescreen_shows(home, "▸ vision-detr-1130"));
}

static void click__gives_the_focus__to_the_pane_under_it(void **state)
{
	struct homescreen *home = *state;
	assert_true(homescreen_shows(home, "┌*Jobs"));
	point(home, MOUSE_PRESS, 30, 16);
	assert_true(homescreen_shows(home, "┌*Queue"));
	point(home, MOUSE_PRESS, 30, 4);
	assert_true(homescreen_shows(home, "┌*Jobs"));
}

static void click(struct homescreen *home, int x, int y)
{
	point(home, MOUSE_PRESS, x, y);
	point(home, MOUSE_RELEASE, x, y);
}

static void second_click__opens__on_the_same_cell_and_soon(void **state)
{
	struct homescreen *home = *state;
	int y = line_of(home, "vision-detr-1130");
	click(home, 10, y);
	home->sample.mono_ms += 2000;
	click(home, 10, y);
	assert_true(homescreen_shows(home, "┌*Jobs")); /* too late for a second one */
	click(home, 11, y);
	assert_true(homescreen_shows(home, "┌*Jobs")); /* another cell */
	point(home, MOUSE_PRESS, 11, y);
	point(home, MOUSE_DRAG, 12, y);
	point(home, MOUSE_RELEASE, 11, y);
	assert_true(homescreen_shows(home, "┌*Jobs")); /* a drag */
	click(home, 12, y);
	click(home, 12, y);
	assert_false(homescreen_shows(home, "┌*Jobs"));
	assert_true(homescreen_shows(home, "vision-detr-1130"));
	homescreen_keys(home, "Esc");
	/* The third of three is the first of the next two. */
	click(home, 12, y);
	assert_true(homescreen_shows(home, "┌*Jobs"));
}

static void wheel__moves_the_rows__of_the_pane_under_it(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "g");
	point(home, MOUSE_WHEEL_DOWN, 10, 5);
	assert_true(homescreen_shows(home, "▸ only-listed")); /* three rows down */
	point(home, MOUSE_WHEEL_UP, 10, 5);
	point(home, MOUSE_WHEEL_UP, 10, 5);
	assert_true(homescreen_shows(home, "▸ moe-pretrain"));
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "d");
	char *line = mem_copy_text(homescreen_line(home, 6));
	point(home, MOUSE_WHEEL_DOWN, 0, 0);
	assert_string_equal(homescreen_line(home, 3), line);
	free(line);
}

/* An entry is carried by the mouse: it is shown where it would go, and one undo takes it back. */
static void drag__moves_an_entry__and_shows_it_moving(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "P");
	int first = line_of(home, "#1 ml.p5.48xlarge");
	point(home, MOUSE_PRESS, 8, first);
	point(home, MOUSE_DRAG, 8, first + 1);
	assert_true(homescreen_shows(home, "▸ #2 ml.p5.48xlarge"));
	assert_true(homescreen_shows(home, "  #1 ml.p4d.24xlarge"));
	assert_false(homescreen_shows(home, "draft*")); /* not moved yet */
	point(home, MOUSE_DRAG, 70, first + 2);
	assert_true(homescreen_shows(home, "▸ #3 ml.p5.48xlarge"));
	point(home, MOUSE_DRAG, 8, 23); /* outside: it stays where it was last */
	point(home, MOUSE_RELEASE, 8, 23);
	assert_true(homescreen_shows(home, "▸ #3 ml.p5.48xlarge"));
	assert_true(homescreen_shows(home, "draft*"));
	homescreen_keys(home, "u");
	assert_true(homescreen_shows(home, "#1 ml.p5.48xlarge"));
	assert_false(homescreen_shows(home, "draft*"));
}

static void drag__is_given_up__by_a_key(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "P");
	int first = line_of(home, "#1 ml.p5.48xlarge");
	point(home, MOUSE_PRESS, 8, first);
	point(home, MOUSE_DRAG, 8, first + 2);
	assert_true(homescreen_shows(home, "#3 ml.p5.48xlarge"));
	homescreen_keys(home, "Down");
	assert_true(homescreen_shows(home, "#1 ml.p5.48xlarge"));
	point(home, MOUSE_RELEASE, 8, first + 2);
	assert_true(homescreen_shows(home, "#1 ml.p5.48xlarge"));
	assert_false(homescreen_shows(home, "draft*"));
}

static void drag__does_nothing__without_a_press_on_an_entry(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "P");
	int first = line_of(home, "#1 ml.p5.48xlarge");
	point(home, MOUSE_DRAG, 8, first + 2);
	point(home, MOUSE_RELEASE, 8, first + 2);
	point(home, MOUSE_PRESS, 8, 4); /* among the jobs */
	point(home, MOUSE_DRAG, 8, first + 2);
	point(home, MOUSE_RELEASE, 8, first + 2);
	assert_false(homescreen_shows(home, "draft*"));
}

/* What asks about AWS takes no answer from the mouse, and a click beside a modal is nothing. */
static void mouse__answers_nothing__and_leaves_nothing(void **state)
{
	static const char *const keys[] = { "S", "X", "f", "?" };
	struct homescreen *home = *state;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		homescreen_keys(home, keys[i]);
		home->sample.mono_ms += 5000;
		homescreen_draw(home);
		char *before = mem_copy_text(offscreen_text(home->offscreen));
		for (int y = 0; y < 24; y++)
			for (int x = y % SPARSE; x < 80; x += SPARSE) {
				point(home, MOUSE_PRESS, x, y);
				point(home, MOUSE_PRESS, x, y);
				point(home, MOUSE_DRAG, x, y);
				point(home, MOUSE_RELEASE, x, y);
			}
		assert_string_equal(offscreen_text(home->offscreen), before);
		free(before);
		homescreen_keys(home, "Esc Esc");
	}
	assert_int_equal(home->sample.stops, 0);
	assert_int_equal(home->sample.submits, 0);
	assert_int_equal(home->sample.quits, 0);
}

static void places__outside_the_screen__are_harmless(void **state)
{
	static const int places[][2] = { { 79, 23 }, { 80, 24 }, { 9999, 9999 }, { 0, 9999 } };
	struct homescreen *home = *state;
	homescreen_keys(home, "P");
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		for (int act = MOUSE_PRESS; act <= MOUSE_WHEEL_DOWN; act++)
			point(home, (enum mouse_act)act, places[i][0], places[i][1]);
	assert_false(homescreen_shows(home, "draft*"));
}

static void palette__turns_the_mouse_on_and_off__and_says_so(void **state)
{
	struct homescreen *home = *state;
	assert_false(screen_wants_mouse(home->screen));
	homescreen_keys(home, ": m o Enter");
	assert_true(screen_wants_mouse(home->screen));
	assert_true(homescreen_shows(home, "mouse on"));
	homescreen_keys(home, ": m o Enter");
	assert_false(screen_wants_mouse(home->screen));
	assert_true(homescreen_shows(home, "mouse off"));
	homescreen_keys(home, ": m o Enter");
	screen_refuse_mouse(home->screen, "vt100");
	assert_false(screen_wants_mouse(home->screen));
	assert_true(homescreen_shows(home, "the terminal vt100 tells of no mouse"));
}

#define MOUSE_TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOUSE_TEST(click__selects_the_job__under_it),
		MOUSE_TEST(click__gives_the_focus__to_the_pane_under_it),
		MOUSE_TEST(second_click__opens__on_the_same_cell_and_soon),
		MOUSE_TEST(wheel__moves_the_rows__of_the_pane_under_it),
		MOUSE_TEST(drag__moves_an_entry__and_shows_it_moving),
		MOUSE_TEST(drag__is_given_up__by_a_key),
		MOUSE_TEST(drag__does_nothing__without_a_press_on_an_entry),
		MOUSE_TEST(mouse__answers_nothing__and_leaves_nothing),
		MOUSE_TEST(places__outside_the_screen__are_harmless),
		MOUSE_TEST(palette__turns_the_mouse_on_and_off__and_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
