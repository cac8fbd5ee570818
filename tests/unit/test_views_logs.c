/* The screen of logs: its place while lines come and go, wrapping, search and filter, hosts, the
 * first error, inks, and lines of any bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "tests/fakeui.h"
#include "tests/offscreen.h"
#include "views/logs.h"

#define COLUMNS 80
#define LINES   14 /* of which two are the frame's, and one tells the state: eleven rows */
#define ROWS    11
#define FIRST   1                      /* the row below the frame */
#define AT_MS   INT64_C(1796071688000) /* 20:48:08 */

static int start(void **state)
{
	struct fakeui *fake = mem_new(1, sizeof(*fake));
	struct job job = fakeui_job();
	fakeui_start(fake, NULL);
	fake->env.utc = true;
	fakeui_select(fake, &job);
	job_release(&job);
	*state = fake;
	return 0;
}

static struct job_logs *logs_of(struct fakeui *fake)
{
	return &fake->store.logs;
}

/* Of the selected job, with one host. */
static void open_logs(struct fakeui *fake)
{
	struct job_logs *logs = logs_of(fake);
	job_logs_look_at(logs, fake->ui.selected_arn);
	(void)job_logs_stream(logs, "job/algo-1-1796071688");
	logs->streams[0].begins = true;
	logs->listed = true;
	job_logs_loaded(logs, fake->mono_ms);
	fake->ui.push(&fake->ui, &logs_pane, NULL);
}

static void add(struct fakeui *fake, uint32_t stream, int64_t second, const char *text)
{
	log_lines_append(&logs_of(fake)->lines, stream, AT_MS + second * 1000, text, strlen(text));
	log_lines_settle(&logs_of(fake)->lines);
}

/* "line 5" at second 5, and so on. */
static void add_numbers(struct fakeui *fake, int from, int to)
{
	char text[32];
	for (int i = from; i < to; i++) {
		snprintf(text, sizeof(text), "line %d", i);
		add(fake, 0, i, text);
	}
}

static struct offscreen *paint(const struct fakeui *fake)
{
	struct offscreen *screen = offscreen_new(COLUMNS, LINES);
	struct surface *out = offscreen_surface(screen);
	logs_pane.draw(fake->modals[0].state, out, draw_bounds(out), true);
	return screen;
}

/* The text of a row; static buffer. */
static const char *row(const struct fakeui *fake, int y)
{
	static char text[1024];
	struct offscreen *screen = paint(fake);
	snprintf(text, sizeof(text), "%s", offscreen_line(screen, FIRST + y));
	offscreen_free(screen);
	return text;
}

static void want(const struct fakeui *fake, const char *text)
{
	struct offscreen *screen = paint(fake);
	int x, y;
	if (!offscreen_find(screen, text, &x, &y))
		fail_msg("no '%s' in\n%s", text, offscreen_text(screen));
	offscreen_free(screen);
}

static void lack(const struct fakeui *fake, const char *text)
{
	struct offscreen *screen = paint(fake);
	int x, y;
	if (offscreen_find(screen, text, &x, &y))
		fail_msg("'%s' in\n%s", text, offscreen_text(screen));
	offscreen_free(screen);
}

static void want_row(const struct fakeui *fake, int y, const char *text)
{
	const char *found = row(fake, y);
	if (!strstr(found, text))
		fail_msg("row %d is not '%s': %s", y, text, found);
}

static void keys(struct fakeui *fake, const char *names)
{
	fakeui_keys(fake, names);
	offscreen_free(paint(fake));
}

/* --- none --- */

static void logs__say_why_there_are_none(void **state)
{
	struct fakeui *fake = *state;
	struct err err = { 0 };
	fake->ui.push(&fake->ui, &logs_pane, NULL);
	want(fake, "Reading the logs ...");
	job_logs_look_at(logs_of(fake), fake->ui.selected_arn);
	logs_of(fake)->listed = logs_of(fake)->missing = true;
	job_logs_loaded(logs_of(fake), fake->mono_ms);
	want(fake, "No logs yet: the job waits for its instances.");
	want(fake, "The group is not there");
	err_set(&err, ERR_DENIED, "logs:DescribeLogStreams is not allowed");
	err_subject(&err, "DescribeLogStreams in us-east-1");
	job_logs_failed(logs_of(fake), &err, INT64_MAX);
	err_clear(&err);
	want(fake, "denied: logs:DescribeLogStreams");
}

/* --- places --- */

static void end__stays_in_sight__until_somebody_leaves_it(void **state)
{
	struct fakeui *fake = *state;
	open_logs(fake);
	add_numbers(fake, 0, 30);
	want_row(fake, 0, "20:48:27 line 19");
	want_row(fake, ROWS - 1, "20:48:37 line 29");
	want(fake, "following, 30 lines read");
	add_numbers(fake, 30, 40);
	want_row(fake, ROWS - 1, "line 39");
	keys(fake, "k");
	want_row(fake, ROWS - 1, "line 38");
	want(fake, "not following");
	add_numbers(fake, 40, 50);
	want_row(fake, ROWS - 1, "line 38");
	keys(fake, "F");
	want_row(fake, ROWS - 1, "line 49");
	keys(fake, "g");
	want_row(fake, 0, "line 0");
	keys(fake, "j j PgDn");
	want_row(fake, 0, "line 12");
	keys(fake, "k");
	want_row(fake, 0, "line 11");
	keys(fake, "G j");
	want_row(fake, ROWS - 1, "line 49");
	want(fake, "following");
}

static void place__stays__when_lines_come_before_it_and_go(void **state)
{
	struct fakeui *fake = *state;
	struct log_lines *lines = &logs_of(fake)->lines;
	char text[32];
	open_logs(fake);
	add_numbers(fake, 100, 200);
	keys(fake, "g j j j");
	want_row(fake, 0, "line 103");
	for (int i = 99; i >= 0; i--) {
		snprintf(text, sizeof(text), "line %d", i);
		log_lines_prepend(lines, 0, AT_MS + i * 1000, text, strlen(text));
	}
	log_lines_settle(lines);
	want_row(fake, 0, "line 103");
	/* So many come that it goes: what is the oldest then stands there. */
	for (int i = 200; i < LOG_LINES_MAX + 150; i++) {
		snprintf(text, sizeof(text), "line %d", i);
		log_lines_append(lines, 0, AT_MS + i * 1000, text, strlen(text));
		if (i % 1000 == 0)
			log_lines_settle(lines);
	}
	log_lines_settle(lines);
	want_row(fake, 0, "line 150");
	want(fake, "100000 here from");
}

static void lines__are_wrapped_or_cut(void **state)
{
	struct fakeui *fake = *state;
	char wide[300] = "begin ";
	open_logs(fake);
	for (size_t i = strlen(wide); i < 250; i++)
		wide[i] = i % 10 == 0 ? ' ' : (char)('a' + i % 26);
	memcpy(wide + 250, " end", 5);
	add(fake, 0, 0, wide);
	for (int i = 0; i < 6; i++)
		add(fake, 0, 1, "short");
	/* 67 columns of text, and a blank each ten: four rows of 59 or 60, and the rest. */
	want_row(fake, 0, "begin");
	want_row(fake, 4, " end");
	want_row(fake, 5, "short");
	keys(fake, "w");
	want_row(fake, 0, "begin");
	want_row(fake, 0, "…");
	want_row(fake, 1, "short");
	keys(fake, "l");
	lack(fake, "begin");
	keys(fake, "h");
	want_row(fake, 0, "begin");
	keys(fake, "t");
	lack(fake, "20:48");
}

static void rows__of_one_line_are_scrolled__even_of_a_megabyte(void **state)
{
	struct fakeui *fake = *state;
	char *wide = malloc(LOG_TEXT_MAX + 1);
	open_logs(fake);
	memset(wide, 'x', LOG_TEXT_MAX);
	memcpy(wide, "begin", 5);
	wide[LOG_TEXT_MAX] = '\0';
	add(fake, 0, 0, "before");
	add(fake, 0, 1, wide);
	add(fake, 0, 2, "behind");
	free(wide);
	want_row(fake, ROWS - 1, "behind");
	keys(fake, "k k");
	lack(fake, "behind");
	keys(fake, "g");
	want_row(fake, 0, "before");
	want_row(fake, 1, "begin");
	keys(fake, "j j");
	lack(fake, "begin");
	keys(fake, "k");
	want_row(fake, 0, "begin");
	keys(fake, "G");
	want_row(fake, ROWS - 1, "behind");
}

/* --- search and filter --- */

static void type_line(struct fakeui *fake, const char *key, const char *text)
{
	fakeui_keys(fake, key);
	fakeui_keys(fake, "C-u");
	fakeui_type(fake, text);
	keys(fake, "Enter");
}

static void search__keeps_all_lines__and_goes_round(void **state)
{
	struct fakeui *fake = *state;
	open_logs(fake);
	add_numbers(fake, 0, 30);
	add(fake, 0, 30, "a Needle");
	add_numbers(fake, 31, 60);
	add(fake, 0, 60, "needle two");
	add_numbers(fake, 61, 80);
	keys(fake, "g");
	type_line(fake, "/", "needle");
	want(fake, "/needle 1 of 2");
	want(fake, "▸ 20:48:38 a Needle");
	want(fake, "line 29");
	keys(fake, "n");
	want(fake, "/needle 2 of 2");
	want(fake, "line 59");
	keys(fake, "n");
	want(fake, "/needle 1 of 2");
	keys(fake, "N");
	want(fake, "/needle 2 of 2");
	type_line(fake, "/", "Needle");
	want(fake, "/Needle 1 of 1");
	type_line(fake, "/", "haystack");
	want(fake, "/haystack not found");
	type_line(fake, "/", "");
	lack(fake, "not found");
}

static void filter__leaves_lines_out__and_shows_them_again(void **state)
{
	struct fakeui *fake = *state;
	open_logs(fake);
	add_numbers(fake, 0, 50);
	type_line(fake, "f", "LINE 1");
	want(fake, "only: LINE 1");
	lack(fake, "line 1");
	type_line(fake, "f", "line !line 4");
	want(fake, "only: line !line 4");
	type_line(fake, "f", "e 2 !20");
	lack(fake, "line 20");
	type_line(fake, "f", "25");
	want_row(fake, 0, "line 25");
	want_row(fake, 1, "│");
	lack(fake, "line 26");
	/* New lines are judged too. */
	add(fake, 0, 51, "line 51 of 25");
	want_row(fake, 1, "line 51 of 25");
	keys(fake, "k a");
	want(fake, "line 25");
	want(fake, "line 24");
}

/* --- hosts, errors, inks --- */

static void hosts__are_named__and_chosen(void **state)
{
	struct fakeui *fake = *state;
	open_logs(fake);
	(void)job_logs_stream(logs_of(fake), "job/algo-2-1796071688");
	(void)job_logs_stream(logs_of(fake), "job/algo-1-1796079999");
	assert_string_equal(logs_of(fake)->streams[2].label, "algo-1 (2)");
	add(fake, 0, 0, "of one");
	add(fake, 1, 1, "of two");
	add(fake, 2, 2, "of one again");
	want_row(fake, 0, "20:48:08 algo-1     of one");
	want_row(fake, 1, "20:48:09 algo-2     of two");
	want_row(fake, 2, "20:48:10 algo-1 (2) of one again");
	want(fake, "all hosts");
	keys(fake, "Tab Tab");
	want_row(fake, 0, "20:48:09 of two");
	lack(fake, "of one");
	keys(fake, "S-Tab");
	want_row(fake, 0, "of one");
	keys(fake, "S-Tab");
	want(fake, "all hosts");
	keys(fake, "o");
	keys(fake, "j j j Enter");
	want_row(fake, 0, "of one again");
	lack(fake, "of two");
}

static void first_error__is_marked__and_gone_to(void **state)
{
	struct fakeui *fake = *state;
	int x = 0, y = 0;
	open_logs(fake);
	add_numbers(fake, 0, 10);
	keys(fake, "e");
	assert_string_equal(fake->said, "no line here tells of an error");
	add(fake, 0, 10, "Traceback (most recent call last):");
	add(fake, 0, 11, "ValueError: no");
	add_numbers(fake, 12, 60);
	want(fake, "✗ the first error: e");
	keys(fake, "G");
	lack(fake, "Traceback");
	keys(fake, "e");
	want(fake, "✗ 20:48:18 Traceback");
	lack(fake, "✗ 20:48:19");
	struct offscreen *screen = paint(fake);
	assert_true(offscreen_find(screen, "Traceback", &x, &y));
	assert_true(offscreen_has_style(screen, x, y, STYLE_FAILED));
	offscreen_free(screen);
}

static void inks__colour_their_parts(void **state)
{
	struct fakeui *fake = *state;
	int x = 0, y = 0;
	open_logs(fake);
	add(fake, 0, 0, "\x1b[32mgreen\x1b[0m plain \x1b[1mstrong\x1b[0m\t\x1b[31mred");
	struct offscreen *screen = paint(fake);
	assert_true(offscreen_find(screen, "green plain strong", &x, &y));
	assert_true(offscreen_has_style(screen, x, y, STYLE_INK_GREEN));
	assert_true(offscreen_has_style(screen, x + 4, y, STYLE_INK_GREEN));
	assert_true(offscreen_has_style(screen, x + 6, y, STYLE_TEXT));
	assert_true(offscreen_has_style(screen, x + 12, y, STYLE_INK_STRONG));
	assert_true(offscreen_find(screen, "red", &x, &y));
	assert_true(offscreen_has_style(screen, x, y, STYLE_INK_RED));
	offscreen_free(screen);
}

static void lines__of_any_bytes_are_harmless(void **state)
{
	static const char *const parts[] = { "\x1b[",    "\x1b]0;",  "\x1b",
					     "\x9b",     "31m",      "\r",
					     "\t",       "\xe2\x82", "\xf0\x9f\x98\x80",
					     "\xcc\x81", "needle",   "\xe2\x80\xae",
					     "\x07",     "0",        ";",
					     "\xff",     "\n" };
	struct fakeui *fake = *state;
	uint64_t luck = 7;
	open_logs(fake);
	for (int i = 0; i < 3000; i++) {
		char text[256] = "";
		size_t len = 0;
		while (len < 200) {
			luck = luck * 6364136223846793005u + 1442695040888963407u;
			size_t part = (size_t)(luck >> 33) % (sizeof(parts) / sizeof(parts[0]));
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s", parts[part]);
		}
		add(fake, 0, i, text);
	}
	type_line(fake, "/", "needle");
	for (int i = 0; i < 60; i++) {
		struct offscreen *screen = paint(fake);
		for (const char *at = offscreen_text(screen); *at; at++)
			assert_true((unsigned char)*at >= 0x20 || *at == '\n');
		offscreen_free(screen);
		fakeui_keys(fake, i % 3 == 0 ? "n" : i % 3 == 1 ? "PgUp k" : "w t");
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, fakeui_teardown)
	const struct CMUnitTest tests[] = {
		TEST(logs__say_why_there_are_none),
		TEST(end__stays_in_sight__until_somebody_leaves_it),
		TEST(place__stays__when_lines_come_before_it_and_go),
		TEST(lines__are_wrapped_or_cut),
		TEST(rows__of_one_line_are_scrolled__even_of_a_megabyte),
		TEST(search__keeps_all_lines__and_goes_round),
		TEST(filter__leaves_lines_out__and_shows_them_again),
		TEST(hosts__are_named__and_chosen),
		TEST(first_error__is_marked__and_gone_to),
		TEST(inks__colour_their_parts),
		TEST(lines__of_any_bytes_are_harmless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
