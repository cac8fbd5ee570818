/* The terminal layer in a real pty. The program under test is this one again, with --child. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/clock.h"
#include "tests/screen.h"
#include "tests/termchild.h"

#define SOON_MS           10000 /* a deadline for what takes milliseconds on a machine that is not busy */
#define TERMCHILD_TICK_MS 20
#define QUIT_MS           1000 /* product.md: C-c twice ends the program within a second */

static char self[4096];
static char ticks_variable[64];

static struct pty *start_with(const char *word, const char *const *env, int columns, int lines)
{
	const char *const argv[] = { self, "--child", word, NULL };

	return pty_start(&(struct pty_options){ .argv = argv,
						.env = env,
						.columns = columns,
						.lines = lines,
						.no_size = columns == 0 });
}

static struct pty *start(const char *word)
{
	const char *const env[] = { ticks_variable, NULL };
	struct pty *pty = start_with(word, env, 60, 12);

	assert_true(pty_wait_text(pty, "size 60x12", SOON_MS));
	return pty;
}

static void expect(struct pty *pty, const char *text)
{
	if (!pty_wait_text(pty, text, SOON_MS))
		fail_msg("'%s' never came:\n%s", text, pty_text(pty));
}

static long read_ticks(void)
{
	const char *path = strchr(ticks_variable, '=') + 1;
	char text[32] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_true(read(fd, text, sizeof(text) - 1) >= 0);
	(void)close(fd);
	return strtol(text, NULL, 10);
}

/* CPU time of a process, user and system, in milliseconds. */
static long cpu_ms(pid_t pid)
{
	char path[64], text[1024] = "";
	unsigned long user, system;

	assert_true(snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid) > 0);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	(void)fclose(file);
	const char *at = strrchr(text, ')');
	assert_non_null(at);
	for (int i = 0; i < 12; i++) { /* fields 14 and 15; ')' ends the second */
		at = strchr(at, ' ');
		assert_non_null(at);
		at++;
	}
	char *end;
	user = strtoul(at, &end, 10);
	system = strtoul(end, NULL, 10);
	return (long)((user + system) * 1000 / (unsigned long)sysconf(_SC_CLK_TCK));
}

static void quit(struct pty *pty)
{
	int status;

	pty_type(pty, "\x03\x03");
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_non_null(strstr(buf_text(pty_raw(pty)), "left after"));
}

static void assert_restored(struct pty *pty)
{
	const char *raw = buf_text(pty_raw(pty));
	const char *on = strstr(raw, "\x1b[?2004h"), *off = NULL;
	int x, y;

	assert_non_null(on);
	for (const char *at = raw; (at = strstr(at, "\x1b[?2004l")); at++)
		off = at;
	assert_true(off > on);
	assert_false(pty_is_alternate(pty));
	assert_true(pty_cursor(pty, &x, &y));
}

/* Nothing of what puts it right is lost, and no C-q is needed for it. */
static void screen__is_left_as_found__while_its_output_is_stopped(void **state)
{
	struct pty *pty = start("");

	(void)state;
	pty_type(pty, "\x13");
	quit(pty);
	assert_restored(pty);
	pty_stop(pty);
}

static void screen__is_entered_and_left__as_found(void **state)
{
	struct pty *pty = start("");
	int x, y;

	(void)state;
	assert_true(pty_is_alternate(pty));
	assert_false(pty_cursor(pty, &x, &y));
	assert_non_null(strstr(pty_line(pty, 0), "┌*Child ──"));
	pty_type(pty, "P");
	expect(pty, "prompt:");
	assert_true(pty_cursor(pty, &x, &y));
	assert_int_equal(x, 10);
	assert_int_equal(y, 3);
	pty_type(pty, "\r");
	assert_true(pty_wait_no_text(pty, "prompt:", SOON_MS));
	assert_false(pty_cursor(pty, &x, &y));
	quit(pty);
	assert_restored(pty);
	assert_null(strstr(pty_text(pty), "Child"));
	pty_stop(pty);
}

/* The modes, as stty prints them, before and after; and the shell's descriptor stays blocking. */
static void modes__are_restored__to_the_last_bit(void **state)
{
	static const char script[] =
		"stty echo ixon -ixany; a=$(stty -g); \"$0\" --child; b=$(stty -g); "
		"[ \"$a\" = \"$b\" ] && echo same modes || echo other modes; "
		"grep -q 'flags:.*0100002$' /proc/self/fdinfo/0 && echo blocking || "
		"grep flags: /proc/self/fdinfo/0; exec cat";
	const char *const argv[] = { "sh", "-c", script, self, NULL };
	struct pty *pty = pty_start(&(struct pty_options){ .argv = argv });

	(void)state;
	expect(pty, "size 80x24");
	pty_type(pty, "\x03\x03");
	expect(pty, "same modes");
	assert_null(strstr(pty_text(pty), "4002")); /* O_NONBLOCK */
	pty_stop(pty);
}

/* Case 110. */
static void size__is_the_windows__whatever_the_environment_says(void **state)
{
	static const char *const env[] = { "COLUMNS=33", "LINES=7", NULL };
	struct pty *pty = start_with("", env, 90, 20);

	(void)state;
	expect(pty, "size 90x20");
	pty_resize(pty, 50, 10);
	expect(pty, "size 50x10");
	quit(pty);
	pty_stop(pty);
	pty = start_with("", env, 0, 0);
	expect(pty, "size 80x24"); /* of terminfo */
	quit(pty);
	pty_stop(pty);
}

static void size__may_change__at_any_moment(void **state)
{
	struct pty *pty = start("busy");
	uint32_t seed = 7;

	(void)state;
	for (int i = 0; i < 300; i++) {
		seed = seed * 1664525 + 1013904223;
		pty_resize(pty, 1 + (int)(seed >> 16) % 150, 1 + (int)(seed >> 24) % 60);
		if (i % 10 == 0)
			pty_run(pty, 5);
	}
	pty_resize(pty, 61, 13);
	expect(pty, "size 61x13");
	pty_type(pty, "B");
	expect(pty, "keys B.");
	assert_true(pty_wait_quiet(pty, 100, SOON_MS));
	assert_non_null(strstr(pty_line(pty, 0), "┌*Child ─"));
	assert_non_null(strstr(pty_line(pty, 12), "└────"));
	quit(pty);
	assert_restored(pty);
	pty_stop(pty);
}

/* Case 111. */
static void term__may_be_any__known_or_not(void **state)
{
	static const char *const rows[][2] = {
		{ "TERM=xterm-256color", "term xterm-256color" },
		{ "TERM=xterm", "term xterm" },
		{ "TERM=vt100", "term vt100" },
		{ "TERM=linux", "term linux" },
		{ "TERM=screen", "term screen" },
		{ "TERM=tmux-256color", "term tmux-256color" },
		{ "TERM=xterm-nonesuch", "term xterm-256color" },
		{ "TERM=", "term xterm-256color" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *const env[] = { rows[i][0], NULL };
		struct pty *pty = start_with("", env, 60, 12);
		expect(pty, rows[i][1]);
		pty_type(pty, "j\x1bOA\x1b[6~");
		expect(pty, "keys j Up PgDn.");
		assert_non_null(strstr(pty_line(pty, 0), "┌*Child ──"));
		quit(pty);
		assert_false(pty_is_alternate(pty));
		pty_stop(pty);
	}
}

static void term__is_refused__without_a_cursor_or_a_terminal(void **state)
{
	static const char *const env[] = { "TERM=dumb", NULL };
	static const char script[] = "\"$0\" --child </dev/null; echo status $?";
	const char *const argv[] = { "sh", "-c", script, self, NULL };
	struct pty *pty = start_with("", env, 60, 12);
	int status;

	(void)state;
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	assert_non_null(strstr(pty_text(pty), "no screen: terminal dumb cannot place its cursor"));
	assert_int_equal(WEXITSTATUS(status), 7);
	pty_stop(pty);
	pty = pty_start(&(struct pty_options){ .argv = argv });
	expect(pty, "no screen: not a terminal");
	expect(pty, "status 7");
	pty_stop(pty);
}

/* Case 112. */
static void locale__c__gets_ascii_frames(void **state)
{
	static const char *const env[] = { "LANG=C", NULL };
	struct pty *pty = start_with("", env, 60, 12);

	(void)state;
	expect(pty, "size 60x12");
	assert_non_null(strstr(pty_line(pty, 0), "+*Child ---"));
	for (const char *at = buf_text(pty_raw(pty)); *at; at++)
		assert_true((unsigned char)*at < 0x80);
	quit(pty);
	pty_stop(pty);
}

/* Twenty keys of those that every terminal has, each cut at each byte with one of the gaps. */
static void keys__cut_by_the_link__are_themselves_or_esc(void **state)
{
	static const char *const rows[][2] = {
		{ "\x1b[A", "Up" },         { "\x1bOB", "Down" },    { "\x1b[C", "Right" },
		{ "\x1bOD", "Left" },       { "\x1b[H", "Home" },    { "\x1bOF", "End" },
		{ "\x1b[5~", "PgUp" },      { "\x1b[6~", "PgDn" },   { "\x1b[2~", "Insert" },
		{ "\x1b[3~", "Delete" },    { "\x1bOP", "F1x" },     { "\x1b[15~", "F5" },
		{ "\x1b[17~", "F6" },       { "\x1b[20~", "F9" },    { "\x1b[21~", "F10" },
		{ "\x1b[24~", "F12" },      { "\x1b[1;3A", "A-Up" }, { "\x1b[1;3B", "A-Down" },
		{ "\x1b[1;5C", "C-Right" }, { "\x1b[Z", "S-Tab" },
	};
	static const int gaps[] = { 10, 40, 150 };
	struct pty *pty = start("");

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (strcmp(rows[i][1], "F1x") == 0)
			continue; /* this one crashes the child */
		for (size_t cut = 1; cut < strlen(rows[i][0]); cut++) {
			char own[64], esc[] = "keys C Esc j.";
			pty_type(pty, "C");
			expect(pty, "keys."); /* emptied, before the key is noted */
			pty_type_cut(pty, rows[i][0], cut, gaps[(i + cut) % 3]);
			pty_type(pty, "j");
			assert_true(snprintf(own, sizeof(own), "keys %s j.", rows[i][1]) > 0);
			expect(pty, " j.");
			if (!strstr(pty_text(pty), own) && !strstr(pty_text(pty), esc + 0) &&
			    !strstr(pty_text(pty), "keys Esc j."))
				fail_msg("%s cut at %zu:\n%s", rows[i][1], cut, pty_text(pty));
		}
	}
	quit(pty);
	pty_stop(pty);
}

static void paste__is_one_key__even_late(void **state)
{
	struct pty *pty = start("");

	(void)state;
	pty_type(pty, "\x1b[200~Xyyyy\x1b[201~");
	expect(pty, "keys Paste(Xyyyy).");
	pty_type(pty, "C");
	expect(pty, "keys.");
	pty_type_cut(pty, "\x1b[200~Xyyyy\x1b[201~", 1, 150);
	expect(pty, "keys Esc Paste(Xyyyy).");
	pty_type(pty, "P");
	expect(pty, "prompt:");
	pty_type_cut(pty, "\x1b[1;5C", 3, 150);
	pty_type(pty, "\x1b[200~a\rb\x03\x1b[201~z");
	expect(pty, "prompt: abz");
	pty_type(pty, "\x1b");
	assert_true(pty_wait_no_text(pty, "prompt:", SOON_MS));
	quit(pty);
	pty_stop(pty);
}

/* Ctrl-S, a sleeping laptop, a link that is gone without a word: no core is busy (case 119). */
static void reader__that_stops__stops_the_picture_alone(void **state)
{
	struct pty *pty = start("busy");
	struct clock clock = clock_system();
	int status;

	(void)state;
	pty_hold(pty, true);
	pty_run(pty, 500); /* until the terminal is full */
	long ticks = read_ticks(), cpu = cpu_ms(pty_pid(pty));
	pty_run(pty, 2000);
	long ticked = read_ticks() - ticks, used = cpu_ms(pty_pid(pty)) - cpu;
	assert_true(ticked >= 2000 / TERMCHILD_TICK_MS / 2);
	assert_true(used <= 300);
	int64_t before = clock_mono_ms(&clock);
	pty_type(pty, "\x03\x03");
	assert_true(pty_wait_exit(pty, QUIT_MS, &status));
	assert_true(clock_mono_ms(&clock) - before <= QUIT_MS);
	assert_true(WIFEXITED(status));
	pty_hold(pty, false);
	pty_run(pty, 100);
	assert_restored(pty);
	pty_stop(pty);
}

/* Case 129: what was drawn in between is not sent later. */
static void reader__that_comes_back__sees_the_newest_frame(void **state)
{
	struct pty *pty = start("busy");

	(void)state;
	pty_hold(pty, true);
	pty_run(pty, 300);
	pty_type(pty, "jB");
	pty_run(pty, 200);
	pty_hold(pty, false);
	expect(pty, "keys j B.");
	assert_true(pty_wait_quiet(pty, 100, SOON_MS));
	assert_non_null(strstr(pty_line(pty, 11), "└────"));
	quit(pty);
	pty_stop(pty);
}

/* A frame of more than any pipe holds: writer and reader are one thread. */
static void frame__may_be_huge__without_a_deadlock(void **state)
{
	const char *const env[] = { ticks_variable, NULL };
	struct pty *pty = start_with("busy", env, 500, 200);

	(void)state;
	for (int i = 0; i < 100 && pty_bytes(pty) < 6u << 20; i++)
		pty_run(pty, 100);
	assert_true(pty_bytes(pty) >= 6u << 20);
	pty_type(pty, "B");
	assert_true(pty_wait_text(pty, "keys B.", 3 * SOON_MS));
	quit(pty);
	pty_stop(pty);
}

static void idle__writes_nothing__when_nothing_changes(void **state)
{
	struct pty *pty = start("");

	(void)state;
	assert_true(pty_wait_quiet(pty, 100, SOON_MS));
	uint64_t before = pty_bytes(pty);
	pty_type(pty, "\x1b[I"); /* a report, no key */
	pty_run(pty, 500);
	assert_int_equal(pty_bytes(pty), before);
	pty_type(pty, "j");
	expect(pty, "keys j.");
	assert_in_range(pty_bytes(pty) - before, 3, 100);
	quit(pty);
	pty_stop(pty);
}

static void check_hang_up(const char *word)
{
	struct pty *pty = start(word);
	struct clock clock = clock_system();
	int64_t before = clock_mono_ms(&clock);
	int status;

	pty_hang_up(pty);
	assert_true(pty_wait_exit(pty, QUIT_MS, &status));
	assert_true(clock_mono_ms(&clock) - before <= QUIT_MS);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 9)
		fail_msg("%s: status %#x", word, (unsigned)status);
	pty_stop(pty);
}

/* Cases 118 and 119. */
static void hang_up__ends_the_program__with_and_without_the_signal(void **state)
{
	(void)state;
	check_hang_up("");
	check_hang_up("busy");
	check_hang_up("deaf");
}

static void check_crash(const char *key, int signo)
{
	/* A sanitizer's allocator is to say no as the system's does. */
	static const char *const env[] = { "ASAN_OPTIONS=allocator_may_return_null=1", NULL };
	struct pty *pty = start_with("", env, 60, 12);
	int status;

	expect(pty, "size 60x12");
	pty_type(pty, key);
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	/* A sanitizer reports and exits instead of dying of the signal. */
	if (WIFSIGNALED(status))
		assert_int_equal(WTERMSIG(status), signo);
	else
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 0);
	assert_restored(pty);
	pty_stop(pty);
}

static void crash__restores_the_terminal__first(void **state)
{
	(void)state;
	check_crash("\x1bOP", SIGSEGV);
	check_crash("\x1bOQ", SIGABRT);
	check_crash("\x1bOR", SIGSEGV);
	check_crash("\x1bOS", SIGABRT);
}

static void suspend__gives_the_screen_back__and_takes_it_again(void **state)
{
	static const char script[] = "set -m; a=$(stty -g); \"$0\" --child; "
				     "[ \"$a\" = \"$(stty -g)\" ] && echo same modes; "
				     "read line; fg; echo ended";
	const char *const argv[] = { "sh", "-c", script, self, NULL };
	struct pty *pty = pty_start(&(struct pty_options){ .argv = argv });
	int x, y;

	(void)state;
	expect(pty, "size 80x24");
	for (int round = 0; round < 2; round++) {
		pty_type(pty, "\x1a");
		if (round == 1)
			break;
		expect(pty, "same modes");
		assert_restored(pty);
		pty_type(pty, "\r");
		expect(pty, "size 80x24");
		assert_true(pty_is_alternate(pty));
		assert_false(pty_cursor(pty, &x, &y));
		pty_type(pty, "k");
		expect(pty, "keys k.");
	}
	expect(pty, "ended"); /* the script does not ask again */
	pty_stop(pty);
}

/* Straight from sshd there is no shell that could continue us. */
static void suspend__is_left_out__where_nobody_could_continue_it(void **state)
{
	struct pty *pty = start("");

	(void)state;
	pty_type(pty, "j");
	expect(pty, "keys j.");
	pty_type(pty, "\x1a"); /* which throws away what was typed before it */
	pty_run(pty, 100);
	pty_type(pty, "k");
	expect(pty, "keys j k.");
	assert_true(pty_is_alternate(pty));
	quit(pty);
	assert_restored(pty);
	pty_stop(pty);
}

static void stop__and_continue__brings_the_picture_back(void **state)
{
	struct pty *pty = start("");

	(void)state;
	pty_signal(pty, SIGSTOP);
	pty_type(pty, "j");
	pty_run(pty, 100);
	pty_signal(pty, SIGCONT);
	expect(pty, "size 60x12");
	pty_type(pty, "k");
	expect(pty, "k.");
	quit(pty);
	pty_stop(pty);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(screen__is_entered_and_left__as_found),
		cmocka_unit_test(screen__is_left_as_found__while_its_output_is_stopped),
		cmocka_unit_test(modes__are_restored__to_the_last_bit),
		cmocka_unit_test(size__is_the_windows__whatever_the_environment_says),
		cmocka_unit_test(size__may_change__at_any_moment),
		cmocka_unit_test(term__may_be_any__known_or_not),
		cmocka_unit_test(term__is_refused__without_a_cursor_or_a_terminal),
		cmocka_unit_test(locale__c__gets_ascii_frames),
		cmocka_unit_test(keys__cut_by_the_link__are_themselves_or_esc),
		cmocka_unit_test(paste__is_one_key__even_late),
		cmocka_unit_test(reader__that_stops__stops_the_picture_alone),
		cmocka_unit_test(reader__that_comes_back__sees_the_newest_frame),
		cmocka_unit_test(frame__may_be_huge__without_a_deadlock),
		cmocka_unit_test(idle__writes_nothing__when_nothing_changes),
		cmocka_unit_test(hang_up__ends_the_program__with_and_without_the_signal),
		cmocka_unit_test(crash__restores_the_terminal__first),
		cmocka_unit_test(suspend__gives_the_screen_back__and_takes_it_again),
		cmocka_unit_test(suspend__is_left_out__where_nobody_could_continue_it),
		cmocka_unit_test(stop__and_continue__brings_the_picture_back),
	};

	if (argc > 1 && strcmp(argv[1], "--child") == 0)
		return termchild_run(argv + 2);
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (len <= 0)
		return 1;
	char path[] = "/tmp/gpuq-ticks-XXXXXX";
	int fd = mkstemp(path);
	if (fd < 0 || snprintf(ticks_variable, sizeof(ticks_variable), "TICKS=%s", path) < 0)
		return 1;
	(void)close(fd);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	(void)unlink(path);
	return failed;
}
