/* What the editor's panes paint: rows, findings, modals, at every size and with hostile text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "tests/fakeui.h"
#include "tests/offscreen.h"

#define COPY "llm-ft-261130-210808"

/* The top modal, or the pane below. */
static void draw(const struct fakeui *fake, struct offscreen *screen, struct rect at, bool focused)
{
	const struct pane_ops *ops = fakeui_top(fake);
	const void *state = ops ? fakeui_top_state(fake) : fake->home_state;

	ops = ops ? ops : &preferences_pane;
	offscreen_clear(screen);
	ops->draw(state, offscreen_surface(screen), at, focused);
}

static void draw_whole(const struct fakeui *fake, struct offscreen *screen)
{
	draw(fake, screen, draw_bounds(offscreen_surface(screen)), true);
}

static bool shows(struct offscreen *screen, const char *text)
{
	int x, y;

	return offscreen_find(screen, text, &x, &y);
}

static void rows__say_rank_type_count_hardware_and_price__in_columns(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(64, 8);

	draw_whole(fake, screen);
	/* 25.2486, 20.36 and 63.296 dollars an hour and instance; 8 accelerators each */
	assert_string_equal(offscreen_line(screen, 0),
			    "▸ #1 ml.p5.48xlarge   ×2  on-demand  16×H100 80G  ~$127/h");
	assert_string_equal(offscreen_line(screen, 1),
			    "  #2 ml.p4d.24xlarge  ×4  on-demand  32×A100 40G  ~$101/h");
	assert_string_equal(offscreen_line(screen, 2),
			    "  #3 ml.g5.48xlarge   ×8  on-demand  64×A10G 24G  ~$163/h");
	assert_string_equal(offscreen_line(screen, 3), "  a count on each entry (g: one for all)");
	assert_string_equal(offscreen_line(screen, 4),
			    "  ~ #2: 40 GiB a GPU (A100) against 80 GiB for #1 (H100).");
	fakeui_keys(fake, "j g");
	draw_whole(fake, screen);
	assert_true(shows(screen, "▸ #2 ml.p4d.24xlarge  ×2"));
	assert_string_equal(offscreen_line(screen, 3), "  count 2 for all (g: one each)");
	offscreen_free(screen);
}

static void rows__drop_price_and_hardware__but_say_the_plan(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *wide = offscreen_new(64, 4);
	struct job job = fakeui_job();

	memcpy(job_edit_prefs(&job)->entries[0].plan_arn,
	       "arn:aws:sagemaker:us-east-1:111122223333:training-plan/tp-a", 60);
	fakeui_select(fake, &job);
	job_release(&job);
	draw_whole(fake, wide);
	assert_true(shows(wide, "×2  plan tp-a  16×H100 80G  prepaid"));
	draw(fake, wide, (struct rect){ 0, 0, 52, 4 }, true);
	assert_true(shows(wide, "×2  plan tp-a  16×H100 80G"));
	assert_false(shows(wide, "prepaid"));
	draw(fake, wide, (struct rect){ 0, 0, 40, 4 }, true);
	assert_true(shows(wide, "×2  plan tp-a"));
	assert_true(shows(wide, "×4  on-demand"));
	assert_false(shows(wide, "H100"));
	draw(fake, wide, (struct rect){ 0, 0, 34, 4 }, true);
	assert_true(shows(wide, "#2 ml.p4d.24xlarge  on-demand"));
	draw(fake, wide, (struct rect){ 0, 0, 22, 4 }, true);
	assert_string_equal(offscreen_line(wide, 1), "  #2 ml.p4d.24xlarge");
	offscreen_free(wide);
}

static void findings__stand_below_with_a_letter__and_say_the_fix(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(100, 10);
	int x, y;

	fakeui_keys(fake, "Enter");
	fakeui_type(fake, "ml.zz9.1xlarge");
	fakeui_keys(fake, "Enter j Enter");
	fakeui_type(fake, "ml.g5.48xlarge");
	fakeui_keys(fake, "Enter");
	draw_whole(fake, screen);
	assert_true(shows(screen, "#1 ml.zz9.1xlarge  ×2  on-demand  hardware unknown"));
	assert_true(shows(screen, "no price"));
	assert_true(offscreen_find(screen, "! #3 repeats ml.g5.48xlarge of #2", &x, &y));
	assert_int_equal(x, 2);
	assert_int_equal(y, 4); /* errors first */
	assert_true(offscreen_has_style(screen, x, y, STYLE_ERROR));
	assert_true(offscreen_find(screen, "~ ", &x, &y));
	assert_true(offscreen_has_style(screen, x, y, STYLE_WARNING));
	assert_false(shows(screen, "Enter:"));
	fakeui_keys(fake, "v");
	draw_whole(fake, screen);
	assert_true(shows(screen, "▸ ! #3 repeats"));
	assert_true(shows(screen, "Enter: "));
	offscreen_free(screen);
}

static void texts__say_what_is_missing__without_a_list(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(60, 6);
	struct job job = fakeui_job();

	job_edit_prefs(&job)->is_list = false;
	job_edit_prefs(&job)->length = 1;
	fakeui_select(fake, &job);
	draw_whole(fake, screen);
	assert_true(shows(screen, "one type, no list: i begins one"));
	job.described = false;
	job_edit_prefs(&job)->length = 0;
	mem_set_text(&job.request_json, NULL);
	mem_set_text(&job.arn, "arn:aws:sagemaker:us-east-1:111122223333:training-job/new");
	fakeui_select(fake, &job);
	draw_whole(fake, screen);
	assert_true(shows(screen, "not described yet"));
	fake->ui.select(&fake->ui, NULL);
	draw_whole(fake, screen);
	assert_true(shows(screen, "no job is selected"));
	job_release(&job);
	offscreen_free(screen);
}

static void picker__shows_hardware_and_price__and_warns_of_unknown_names(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(80, 24);
	int x, y;

	fakeui_keys(fake, "j Enter");
	fakeui_type(fake, "p4d.");
	draw_whole(fake, screen);
	assert_true(shows(screen, "Type of #2, now ml.p4d.24xlarge"));
	assert_true(offscreen_find(screen, "▸ ml.p4d.24xlarge", &x, &y));
	assert_non_null(strstr(offscreen_line(screen, y), "8×A100 40G"));
	assert_non_null(strstr(offscreen_line(screen, y), "~$25.25"));
	assert_non_null(strstr(offscreen_line(screen, y), "never seen"));
	assert_true(offscreen_cursor(screen, &x, &y));
	fakeui_keys(fake, "C-u");
	fakeui_type(fake, "ml.xyz");
	draw_whole(fake, screen);
	assert_true(offscreen_find(screen, "~ unknown type", &x, &y));
	assert_true(shows(screen, "▸ ml.xyz"));
	offscreen_free(screen);
}

static void question__shows_its_answer__after_the_deaf_time(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(80, 24);
	char text[] = "Stop llm-ft-0930 in us-east-1?";
	struct question question = { .title = "Stop", .text = text, .changes_cloud = true };

	fake->ui.push(&fake->ui, &question_pane, &question);
	draw_whole(fake, screen);
	assert_true(shows(screen, "Stop llm-ft-0930 in us-east-1?"));
	assert_false(shows(screen, "y = yes"));
	fake->mono_ms += QUESTION_DEAF_MS;
	draw_whole(fake, screen);
	assert_true(shows(screen, "y = yes, anything else = No"));
	offscreen_free(screen);
}

static void count_yes(void *ctx)
{
	++*(unsigned *)ctx;
}

static void question__wants_to_be_read_to_the_end__on_a_small_terminal(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(20, 3);
	unsigned yes = 0;
	char text[] = "StopTrainingJob of\nllm-ft-0930\nis sent.\nIt costs $4 an hour.";
	struct question question = {
		.title = "Stop", .text = text, .changes_cloud = true, .yes = count_yes, .ctx = &yes
	};

	fake->ui.push(&fake->ui, &question_pane, &question);
	fake->mono_ms += QUESTION_DEAF_MS;
	draw_whole(fake, screen);
	assert_true(shows(screen, "llm-ft-0930"));
	assert_true(shows(screen, "y = yes, else No"));
	fakeui_keys(fake, "y");
	assert_int_equal(yes, 0);
	assert_string_equal(fake->said, "Down reads on; then y");
	fakeui_keys(fake, "Down");
	draw_whole(fake, screen);
	fakeui_keys(fake, "y");
	assert_int_equal(yes, 0);
	fakeui_keys(fake, "PgDn");
	draw_whole(fake, screen);
	assert_true(shows(screen, "$4 an hour"));
	fakeui_keys(fake, "Up y");
	assert_int_equal(yes, 1);
	offscreen_free(screen);
}

static void question__says_how_much_is_shown__where_it_is_cut(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(40, 6);
	char text[] = "one\ntwo\nthree\nfour\nfive";
	struct question question = { .title = "Stop", .text = text, .changes_cloud = true };

	fake->ui.push(&fake->ui, &question_pane, &question);
	fake->mono_ms += QUESTION_DEAF_MS;
	draw_whole(fake, screen);
	assert_true(shows(screen, "line 3 of 5: Down"));
	fakeui_keys(fake, "Down Down");
	draw_whole(fake, screen);
	assert_true(shows(screen, "line 5 of 5: Down"));
	assert_true(shows(screen, "five"));
	assert_false(shows(screen, "two"));
	offscreen_free(screen);
}

#define PAGES 60 /* more than the longest text has on the smallest screen */

/* Pages down to the end and gathers whether a text was ever shown. */
static bool page_shows(struct fakeui *fake, struct offscreen *screen, const char *text)
{
	bool found = false;

	for (int page = 0; page < PAGES; page++) {
		draw_whole(fake, screen);
		found = found || shows(screen, text);
		fakeui_keys(fake, "PgDn");
	}
	return found;
}

static void submit__shows_all_and_still_asks__when_small(void **state)
{
	static const struct {
		int columns, lines;
	} sizes[] = { { 80, 24 }, { 40, 12 }, { 120, 40 } };
	struct fakeui *fake = *state;

	fakeui_keys(fake, "J X");
	fake->mono_ms += QUESTION_DEAF_MS;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct offscreen *screen = offscreen_new(sizes[i].columns, sizes[i].lines);

		assert_true(page_shows(fake, screen, "\"MaxRuntimeInSeconds\": 3600"));
		assert_true(shows(screen, "Send " COPY));
		assert_true(shows(screen, "y = yes"));
		assert_true(shows(screen, "to the end"));
		for (int page = 0; page < PAGES; page++)
			fakeui_keys(fake, "PgUp");
		assert_true(page_shows(fake, screen, "llm-ft-0930 is pending and is"));
		offscreen_free(screen);
	}
}

static void submit__shows_the_refusal_whole__in_place_of_the_request(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(80, 24);
	struct err err = { 0 };

	fakeui_keys(fake, "J X");
	fake->mono_ms += QUESTION_DEAF_MS;
	fakeui_keys(fake, "y");
	draw_whole(fake, screen);
	assert_true(shows(screen, "Sending " COPY));
	assert_false(shows(screen, "y = yes"));
	err_set(&err, ERR_REFUSED, "bad \x1b[2J\x1b]0;owned\x07 list\nsecond \xc2\x9b line");
	memcpy(err.aws_code, "ValidationException", sizeof("ValidationException"));
	memcpy(err.request_id, "req-77", sizeof("req-77"));
	submit_pane_result(&fake->ui, COPY, NULL, &err);
	err_clear(&err);
	draw_whole(fake, screen);
	assert_true(shows(screen, COPY " was not submitted"));
	assert_true(shows(screen, "ValidationException"));
	assert_true(shows(screen, "second"));
	assert_true(shows(screen, "request id req-77"));
	assert_null(strchr(offscreen_text(screen), '\x1b'));
	assert_null(strchr(offscreen_text(screen), '\x07'));
	assert_null(strstr(offscreen_text(screen), "\xc2\x9b"));
	offscreen_free(screen);
}

/* Nothing is painted outside the rectangle, whatever its size and the text. */
static void check_sizes(struct fakeui *fake, struct offscreen *screen)
{
	for (int h = 0; h <= 26; h++)
		for (int w = 0; w <= 90; w += w < 8 ? 1 : 7) {
			const struct rect at = { 3, 2, w, h };

			draw(fake, screen, at, h % 2 == 0);
			for (int y = 0; y < 30; y++) {
				const char *line = offscreen_line(screen, y);
				bool inside = y >= at.y && y < at.y + h;

				assert_true(strspn(line, " ") >= 3 || line[0] == '\0');
				assert_true(text_width(line) <= (inside ? at.x + w : 0));
			}
		}
}

static void panes__stay_in_their_rectangle__at_every_size(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_new(100, 30);
	struct job job = fakeui_job();
	char text[] =
		"Stop \xf0\x9f\x9a\x80 \x1b[2J in\nus-east-1? It costs more than was thought.";
	struct question question = {
		.title = "Stop", .text = text, .changes_cloud = true, .type_name = "a-name"
	};

	memcpy(job_edit_prefs(&job)->entries[1].instance_type,
	       "ml.\x1b[31m\xe2\x80\xae\xff\xf0\x9f\x9a\x80\n", 18);
	fakeui_select(fake, &job);
	job_release(&job);
	check_sizes(fake, screen);
	fakeui_keys(fake, "G");
	check_sizes(fake, screen);
	fakeui_keys(fake, "Home Enter");
	check_sizes(fake, screen);
	fakeui_type(fake, "ml.nothing");
	check_sizes(fake, screen);
	fake->env.confirm_above_micro = 0;
	fakeui_keys(fake, "Esc j D X");
	check_sizes(fake, screen);
	fake->mono_ms += QUESTION_DEAF_MS;
	fakeui_type(fake, "llm-ft-2611");
	check_sizes(fake, screen);
	fakeui_keys(fake, "Esc");
	fake->ui.push(&fake->ui, &question_pane, &question);
	check_sizes(fake, screen);
	fake->mono_ms += QUESTION_DEAF_MS;
	check_sizes(fake, screen);
	offscreen_free(screen);
}

static void panes__hold_to_ascii__when_asked(void **state)
{
	struct fakeui *fake = *state;
	struct offscreen *screen = offscreen_open(
		&(struct offscreen_options){ .columns = 80, .lines = 24, .ascii = true });

	draw_whole(fake, screen);
	assert_true(shows(screen, "> #1 ml.p5.48xlarge   x2  on-demand  16xH100 80G"));
	for (const char *c = offscreen_text(screen); *c; c++)
		assert_true((unsigned char)*c < 0x80);
	fakeui_keys(fake, "J X");
	draw_whole(fake, screen);
	assert_true(shows(screen, "#1 ml.p4d.24xlarge x4"));
	for (const char *c = offscreen_text(screen); *c; c++)
		assert_true((unsigned char)*c < 0x80);
	offscreen_free(screen);
}

#define UI_TEST(test) cmocka_unit_test_setup_teardown(test, fakeui_setup, fakeui_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		UI_TEST(rows__say_rank_type_count_hardware_and_price__in_columns),
		UI_TEST(rows__drop_price_and_hardware__but_say_the_plan),
		UI_TEST(findings__stand_below_with_a_letter__and_say_the_fix),
		UI_TEST(texts__say_what_is_missing__without_a_list),
		UI_TEST(picker__shows_hardware_and_price__and_warns_of_unknown_names),
		UI_TEST(question__shows_its_answer__after_the_deaf_time),
		UI_TEST(question__wants_to_be_read_to_the_end__on_a_small_terminal),
		UI_TEST(question__says_how_much_is_shown__where_it_is_cut),
		UI_TEST(submit__shows_all_and_still_asks__when_small),
		UI_TEST(submit__shows_the_refusal_whole__in_place_of_the_request),
		UI_TEST(panes__stay_in_their_rectangle__at_every_size),
		UI_TEST(panes__hold_to_ascii__when_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
