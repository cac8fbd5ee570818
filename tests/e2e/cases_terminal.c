/*
 * What operators reported of terminals (../shared/cases, 108 to 129), on the real program in a real
 * pty: sizes, names and character sets that are odd, foreign text, links that are slow or gone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/clock.h"
#include "tests/cases.h"
#include "tests/region.h"

#define CASES    10
#define NOW      "2026-11-30T13:00:00Z" /* an hour after the creation of a case_job */
#define SOON_MS  20000
#define GONE_MS  1000 /* product.md: gone within a second */
#define IDLE_MS  2000
#define IDLE_MAX 100 /* bytes a second */
#define COLUMNS  100
#define LINES    30

static struct pty *open_at(struct recorded *region, const char *const *variables,
			   const char *option, int columns, int lines)
{
	const char *const argv[] = { region_program("gpuq"),
				     "--endpoint-url",
				     recorded_url(region),
				     "--refresh",
				     "1",
				     "--pace",
				     "5",
				     option,
				     NULL };
	const char *env[8] = { "AWS_ACCESS_KEY_ID=AKIDCASE", "AWS_SECRET_ACCESS_KEY=casesecret",
			       "AWS_REGION=us-east-1" };
	for (size_t i = 3; variables && *variables && i + 1 < ARRAY_LEN(env); i++)
		env[i] = *variables++;
	return pty_start(&(struct pty_options){
		.argv = argv, .env = env, .columns = columns, .lines = lines });
}
#define OPEN_WITH(region, ...) \
	open_at(region, (const char *const[]){ __VA_ARGS__, NULL }, NULL, COLUMNS, LINES)

/* A region with one job that waits, "waits", since an hour ago. */
static struct recorded *start_region(void)
{
	struct recorded *region = recorded_start(NOW);
	char *job = case_job("waits", "InProgress", "Pending", "");
	recorded_put(region, JOB_TRAINING, job);
	free(job);
	return region;
}

static size_t count(const char *text, const char *part)
{
	size_t found = 0;
	for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
		found++;
	return found;
}

/* Ten lines of 38 columns are the list alone, 20x5 too; smaller than that is a word, and the list
 * is back once there is room. */
static void case_108__narrow_window__draws_what_fits_and_goes_on(void **state)
{
	struct a_case one;
	(void)state;
	if (!case_open(&one, "108-narrow-terminal-exits", "input.txt"))
		return;
	struct recorded *region = start_region();
	struct pty *pty = open_at(region, NULL, NULL, 38, 10);
	case_want_shown(pty, "\u25b8 waits");
	pty_resize(pty, 20, 5);
	case_want_shown(pty, "waits");
	pty_resize(pty, 10, 3);
	case_want_shown(pty, "too small");
	pty_resize(pty, 1, 1);
	pty_run(pty, 50);
	pty_resize(pty, 80, 24);
	case_want_shown(pty, "\u25b8 waits");
	case_want_shown(pty, "? help");
	case_leave(pty);
	recorded_stop(region);
	case_held(&one);
}

/* The window has 100 columns and 30 lines, whatever the two say, and another size later. */
static void case_110__size_of_the_window__beats_the_environment(void **state)
{
	struct a_case one;
	int x, y;
	(void)state;
	if (!case_open(&one, "110-columns-lines-env", NULL))
		return;
	struct recorded *region = start_region();
	struct pty *pty = OPEN_WITH(region, "COLUMNS=40", "LINES=10");
	case_want_shown(pty, "\u25b8 waits");
	assert_true(pty_find(pty, "? help", &x, &y));
	assert_int_equal(y, LINES - 1);
	assert_true(pty_find(pty, "\u2510", &x, &y)); /* the corner at the right */
	assert_int_equal(x, COLUMNS - 1);
	pty_resize(pty, 60, 20);
	for (int i = 0; i < SOON_MS / 50 && (!pty_find(pty, "\u2510", &x, &y) || x != 59); i++)
		pty_run(pty, 50);
	assert_int_equal(x, 59);
	case_leave(pty);
	recorded_stop(region);
	case_held(&one);
}

static void want_list_and_end(struct pty *pty, const char *why)
{
	int status = 0;
	case_want_shown(pty, why);
	case_want_shown(pty, "waits");
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_false(pty_is_alternate(pty));
	pty_stop(pty);
}

/* An unknown name gets a notice and a screen; a terminal without a cursor, or none, the list. */
static void case_111__unknown_term__starts_with_a_notice(void **state)
{
	static const char *const names[] = { "xterm-ghostty", "xterm-kitty", "unknown" };
	struct a_case one;
	struct process_result result;
	(void)state;
	if (!case_open(&one, "111-unknown-terminfo", "input.txt"))
		return;
	struct recorded *region = start_region();
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char term[64], notice[128];
		(void)snprintf(term, sizeof(term), "TERM=%s", names[i]);
		(void)snprintf(notice, sizeof(notice), "TERM=%s is not known here", names[i]);
		struct pty *pty = OPEN_WITH(region, term);
		case_want_shown(pty, notice);
		case_want_shown(pty, "\u25b8 waits");
		case_leave(pty);
	}
	want_list_and_end(OPEN_WITH(region, "TERM=dumb"), "cursor cannot be placed");
	case_run(&result, region, NULL, (const char *const[]){ NULL });
	assert_int_equal(result.status, 0);
	case_want_text(result.err, "no dashboard here (it needs a terminal)");
	case_want_text(result.out, "waits");
	process_release(&result);
	recorded_stop(region);
	case_held(&one);
}

/* ASCII frames and marks, a foreign name in marks of one column, and UTF-8 where it is asked for.
 */
static void case_112__locale_c__is_ascii_unless_utf8_is_asked_for(void **state)
{
	struct a_case one;
	int x, y;
	(void)state;
	if (!case_open(&one, "112-no-utf8-locale", "input.txt"))
		return;
	struct recorded *region = start_region();
	case_put_failed(region, JOB_TRAINING, "zz-failed", "\u8bad\u7ec3 \u00e9tude");
	struct pty *pty = OPEN_WITH(region, "LANG=C");
	case_want_shown(pty, "> waits");
	assert_true(pty_find(pty, "---+", &x, &y));
	pty_type(pty, "j");
	case_want_shown(pty, "reason (AWS): ?? ?tude");
	for (const char *at = buf_text(pty_raw(pty)); *at; at++)
		assert_true((unsigned char)*at < 0x80);
	case_leave(pty);
	pty = open_at(region, (const char *const[]){ "LANG=C", NULL }, "--utf8", COLUMNS, LINES);
	case_want_shown(pty, "\u25b8 waits");
	pty_type(pty, "j");
	case_want_shown(pty, "reason (AWS): \u8bad\u7ec3 \u00e9tude");
	case_leave(pty);
	recorded_stop(region);
	case_held(&one);
}

/* Gone within a second when the terminal is, though no signal tells of it: a shell that ignores
 * SIGHUP stands between, as sudo and nohup do. Reading a dead terminal is not tried again either:
 * there is no time for it. */
static void want_gone(struct recorded *region, const char *script)
{
	const char *const argv[] = {
		"sh", "-c", script, region_program("gpuq"), recorded_url(region), NULL
	};
	const char *const env[] = { "AWS_ACCESS_KEY_ID=AKIDCASE",
				    "AWS_SECRET_ACCESS_KEY=casesecret", "AWS_REGION=us-east-1",
				    NULL };
	struct clock clock = clock_system();
	struct pty *pty = pty_start(&(struct pty_options){
		.argv = argv, .env = env, .columns = COLUMNS, .lines = LINES });
	int status = 0;
	case_want_shown(pty, "\u25b8 waits");
	int64_t before_ms = clock_mono_ms(&clock);
	pty_hang_up(pty);
	assert_true(pty_wait_exit(pty, GONE_MS, &status));
	assert_true(clock_mono_ms(&clock) - before_ms <= GONE_MS);
	pty_stop(pty);
}

static void case_118__lost_terminal__ends_it_without_a_signal_too(void **state)
{
	struct a_case one;
	(void)state;
	if (!case_open(&one, "118-ssh-drop-root-spin", NULL))
		return;
	struct recorded *region = start_region();
	want_gone(region, "exec \"$0\" --endpoint-url \"$1\"");
	want_gone(region, "trap '' HUP; exec \"$0\" --endpoint-url \"$1\"");
	want_gone(region, "trap '' HUP; \"$0\" --endpoint-url \"$1\"; true");
	recorded_stop(region);
	case_held(&one);
}

/* Parameters of SGR that choose a colour: 30 to 38, 40 to 48, 90 to 107. */
static size_t count_colours(const char *bytes)
{
	size_t found = 0;
	for (const char *at = bytes; (at = strstr(at, "\x1b[")) != NULL;) {
		at += 2;
		if (at[strspn(at, "0123456789;")] != 'm')
			continue;
		while (*at != 'm') {
			char *end;
			unsigned long n = strtoul(at, &end, 10);
			found += (n >= 30 && n <= 38) || (n >= 40 && n <= 48) ||
				 (n >= 90 && n <= 107);
			at = *end == ';' ? end + 1 : end;
		}
	}
	return found;
}

/* Without a colour each state has a word of its own. */
static void case_124__states__are_words_without_colours(void **state)
{
	static const struct {
		const char *status, *secondary, *word;
	} rows[] = {
		{ "InProgress", "Pending", "Pending" },
		{ "InProgress", "Downloading", "Starting" },
		{ "InProgress", "Training", "Running" },
		{ "Stopping", "Stopping", "Stopping" },
		{ "Completed", "Completed", "Completed" },
		{ "Failed", "Failed", "Failed" },
		{ "Stopped", "Stopped", "Stopped" },
		{ "InProgress", "InReview", "InReview" },
	};
	struct a_case one;
	char name[32];
	int x, y;
	(void)state;
	if (!case_open(&one, "124-red-green-only", NULL))
		return;
	struct recorded *region = recorded_start(NOW);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		(void)snprintf(name, sizeof(name), "job-%zu", i);
		char *job = case_job(name, rows[i].status, rows[i].secondary, "");
		recorded_put(region, JOB_TRAINING, job);
		free(job);
	}
	struct pty *pty = OPEN_WITH(region, "NO_COLOR=1");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		(void)snprintf(name, sizeof(name), "job-%zu ", i);
		case_want_shown(pty, name);
		assert_true(pty_find(pty, name, &x, &y));
		case_want_text(pty_line(pty, y), rows[i].word);
	}
	assert_int_equal(count_colours(buf_text(pty_raw(pty))), 0);
	case_leave(pty);
	recorded_stop(region);
	case_held(&one);
}

/* What the sequences of the case would begin with; gpuq itself writes none of them here. */
static void want_harmless(const char *bytes, const char *where)
{
	static const char *const begins[] = { "\x1b]", "\x1bP",    "\x1b_",       "\x1b^",
					      "\033c", "\x1b[6n",  "\x1b[10A",    "\xc2\x9b",
					      "\x07",  "\xc2\x9d", "\xe2\x80\xae" };
	for (size_t i = 0; i < ARRAY_LEN(begins); i++)
		if (strstr(bytes, begins[i]))
			fail_msg("%s has sequence %zu", where, i);
}

/* Reasons, messages and parameters on every page that has them; exports keep them escaped. */
static void case_127__foreign_text__reaches_the_terminal_harmless(void **state)
{
	static const char *const pages[] = { "d", "y", "x", "t", "$" };
	static const char *const formats[] = { "table", "json", "csv" };
	struct a_case one;
	struct json_doc doc;
	struct err err = { 0 };
	struct buf reason, more;
	(void)state;
	if (!case_open(&one, "127-escape-sequences-in-data", "input.json"))
		return;
	assert_true(json_doc_parse(&doc, one.input, strlen(one.input), &err));
	buf_init(&reason, 8192);
	assert_true(json_doc_string(&doc, json_doc_path(&doc, "FailureReason"), &reason));
	buf_init(&more, 16384);
	char *member = case_member("FailureReason", buf_text(&reason));
	buf_addf(&more, "%s,\"HyperParameters\":{\"note\\u001b[31m\":\"a\\rb\\bc\"}", member);
	char *job = case_job("hostile", "Failed", "Failed", buf_text(&more));
	struct recorded *region = recorded_start(NOW);
	recorded_put(region, JOB_TRAINING, job);
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		char *shown = case_show(region, "hostile", formats[i]);
		char *list = case_jobs(region, formats[i], NULL);
		want_harmless(shown, formats[i]);
		want_harmless(list, formats[i]);
		free(shown);
		free(list);
	}
	struct pty *pty = OPEN_WITH(region, "NO_COLOR=1");
	case_want_shown(pty, "reason (AWS): AlgorithmError");
	for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
		pty_type(pty, pages[i]);
		assert_true(pty_wait_quiet(pty, 100, SOON_MS));
		pty_type(pty, "q");
		assert_true(pty_wait_quiet(pty, 100, SOON_MS));
	}
	want_harmless(buf_text(pty_raw(pty)), "the screen");
	case_leave(pty);
	recorded_stop(region);
	json_doc_release(&doc);
	buf_release(&reason);
	buf_release(&more);
	free(member);
	free(job);
	case_held(&one);
}

/* The job starts: its row changes, in less than a screenful, with nothing erased before it. */
static void case_128__refresh__changes_cells_and_erases_nothing(void **state)
{
	struct a_case one;
	(void)state;
	if (!case_open(&one, "128-mosh-flicker", NULL))
		return;
	struct recorded *region = start_region();
	struct pty *pty = OPEN_WITH(region, "TERM=xterm-256color", "COLORTERM=");
	case_want_shown(pty, "Pending 1h00m");
	size_t from = pty_raw(pty)->len;
	char *job = case_job("waits", "InProgress", "Training",
			     ",\"TrainingStartTime\":\"2026-11-30T12:59:00Z\"");
	recorded_put(region, JOB_TRAINING, job);
	case_want_shown(pty, "Running");
	case_want_shown(pty, "running 1 ");
	const char *bytes = buf_text(pty_raw(pty)) + from;
	assert_int_equal(count(bytes, "\x1b[2J") + count(bytes, "\x1b[J"), 0);
	assert_in_range(strlen(bytes), 10, COLUMNS * LINES); /* case 129: under a screenful */
	/* Colours of the 256 at most, and no synchronised output, in all that was written. */
	bytes = buf_text(pty_raw(pty));
	assert_int_equal(count(bytes, "8;2;") + count(bytes, "?2026"), 0);
	case_leave(pty);
	recorded_stop(region);
	free(job);
	case_held(&one);
}

/* A quiet region with a job that waits: what ticks costs next to nothing. */
static void case_129__idle_screen__writes_under_100_bytes_a_second(void **state)
{
	struct a_case one;
	(void)state;
	if (!case_open(&one, "129-bandwidth-on-slow-link", "input.txt"))
		return;
	struct recorded *region = start_region();
	struct pty *pty = OPEN_WITH(region, "TERM=xterm-256color");
	case_want_shown(pty, "Pending 1h00m");
	pty_run(pty, 500);
	uint64_t before = pty_bytes(pty);
	pty_run(pty, IDLE_MS);
	uint64_t written = pty_bytes(pty) - before;
	printf("idle: %llu bytes a second\n", (unsigned long long)(written * 1000 / IDLE_MS));
	assert_true(written * 1000 / IDLE_MS < IDLE_MAX);
	case_leave(pty);
	recorded_stop(region);
	case_held(&one);
}

/* A lone Esc acts at once, and C-g does the same; the exact wait is that of test_input. */
static void case_116__esc__leaves_a_prompt_at_once(void **state)
{
	static const char *const ways[] = { "\x1b", "\x07" };
	struct a_case one;
	struct clock clock = clock_system();
	(void)state;
	if (!case_open(&one, "116-esc-delay-in-tmux", NULL))
		return;
	struct recorded *region = start_region();
	struct pty *pty = OPEN_WITH(region, "TERM=xterm-256color");
	case_want_shown(pty, "Pending 1h00m");
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		pty_type(pty, "f");
		case_want_shown(pty, "filter: ");
		int64_t before_ms = clock_mono_ms(&clock);
		pty_type(pty, ways[i]);
		case_want_gone(pty, "filter: ");
		assert_true(clock_mono_ms(&clock) - before_ms < 500);
	}
	case_leave(pty);
	recorded_stop(region);
	case_held(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(case_108__narrow_window__draws_what_fits_and_goes_on),
		cmocka_unit_test(case_110__size_of_the_window__beats_the_environment),
		cmocka_unit_test(case_111__unknown_term__starts_with_a_notice),
		cmocka_unit_test(case_112__locale_c__is_ascii_unless_utf8_is_asked_for),
		cmocka_unit_test(case_116__esc__leaves_a_prompt_at_once),
		cmocka_unit_test(case_118__lost_terminal__ends_it_without_a_signal_too),
		cmocka_unit_test(case_124__states__are_words_without_colours),
		cmocka_unit_test(case_127__foreign_text__reaches_the_terminal_harmless),
		cmocka_unit_test(case_128__refresh__changes_cells_and_erases_nothing),
		cmocka_unit_test(case_129__idle_screen__writes_under_100_bytes_a_second),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return !case_count(CASES) || failed;
}
