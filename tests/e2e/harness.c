/* The harness itself, on programs that every system has: a test that cannot fail proves nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/screen.h"

static struct pty *shell(const char *script)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	static const char *const env[] = { "PS1=$ ", "LANG=C", NULL };

	return pty_start(
		&(struct pty_options){ .argv = argv, .env = env, .columns = 40, .lines = 6 });
}

static void wait_text__sees_what_is_printed__and_only_that(void **state)
{
	struct pty *pty = shell("printf 'one\\r\\n  two'; exec cat >/dev/null");
	int x, y;

	(void)state;
	assert_true(pty_wait_text(pty, "two", 5000));
	assert_false(pty_wait_text(pty, "three", 50));
	assert_string_equal(pty_text(pty), "one\n  two\n\n\n\n\n");
	assert_true(pty_find(pty, "two", &x, &y));
	assert_int_equal(x, 2);
	assert_int_equal(y, 1);
	assert_true(pty_cursor(pty, &x, &y));
	assert_int_equal(x, 5);
	assert_int_equal(y, 1);
	assert_false(pty_find(pty, "three", &x, &y));
	pty_stop(pty);
}

static void type__reaches_the_program__in_pieces(void **state)
{
	struct pty *pty =
		shell("stty -echo; printf ready; while read line; do echo \"<$line>\"; done");

	(void)state;
	assert_true(pty_wait_text(pty, "ready", 5000));
	pty_type(pty, "a b\r");
	assert_true(pty_wait_text(pty, "<a b>", 5000));
	pty_type_cut(pty, "cut\r", 2, 60);
	assert_true(pty_wait_text(pty, "<cut>", 5000));
	assert_null(strstr(pty_text(pty), "<cu>"));
	pty_stop(pty);
}

static void environment__is_clean__but_for_what_is_asked(void **state)
{
	struct pty *pty = shell("echo \"$TERM.$LANG.$HOME.$TZ.$USER.\"");
	int status;

	(void)state;
	assert_true(pty_wait_exit(pty, 5000, &status));
	assert_string_equal(pty_line(pty, 0), "xterm-256color.C./nonexistent.UTC..");
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	pty_stop(pty);
}

static void size__is_the_programs__and_follows(void **state)
{
	struct pty *pty = shell("trap 'stty size' WINCH; stty size; while :; do read line; done");

	(void)state;
	assert_true(pty_wait_text(pty, "6 40", 5000));
	pty_resize(pty, 50, 9);
	assert_true(pty_wait_text(pty, "9 50", 5000));
	pty_stop(pty);
}

static void look__is_read__with_the_text(void **state)
{
	struct pty *pty =
		shell("printf '\\033[1mB\\033[0;7mR\\033[0m\\033[?25l\\033[?1049h.'; exec cat");
	int x, y;

	(void)state;
	assert_true(pty_wait_text(pty, ".", 5000));
	assert_true(pty_is_alternate(pty));
	assert_false(pty_cursor(pty, &x, &y));
	pty_type(pty, "\033[?1049l\r");
	pty_stop(pty);
	pty = shell("printf '\\033[1mB\\033[0;7mR\\033[0m'; exec cat");
	assert_true(pty_wait_text(pty, "BR", 5000));
	assert_false(pty_is_alternate(pty));
	assert_true(pty_is_bold(pty, 0, 0) && !pty_is_bold(pty, 1, 0));
	assert_true(pty_is_reverse(pty, 1, 0) && !pty_is_reverse(pty, 0, 0));
	pty_stop(pty);
}

static void hold__stops_the_reading__and_bytes_are_counted(void **state)
{
	struct pty *pty = shell("stty -opost; printf ready; read line; printf 12345; exec cat");
	uint64_t before;

	(void)state;
	assert_true(pty_wait_text(pty, "ready", 5000));
	assert_true(pty_wait_quiet(pty, 50, 5000));
	before = pty_bytes(pty);
	pty_hold(pty, true);
	pty_type(pty, "\r");
	pty_run(pty, 100);
	assert_int_equal(pty_bytes(pty), before);
	pty_hold(pty, false);
	assert_true(pty_wait_text(pty, "12345", 5000));
	assert_in_range(pty_bytes(pty) - before, 5, 8); /* and the echo of Enter */
	assert_non_null(strstr(buf_text(pty_raw(pty)), "12345"));
	pty_stop(pty);
}

static void end__is_told__with_its_status(void **state)
{
	struct pty *pty = shell("exit 3");
	int status;

	(void)state;
	assert_true(pty_wait_exit(pty, 5000, &status));
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	pty_stop(pty);
	pty = shell("printf ready; exec cat");
	assert_true(pty_wait_text(pty, "ready", 5000));
	assert_false(pty_wait_exit(pty, 50, &status));
	pty_signal(pty, SIGTERM);
	assert_true(pty_wait_exit(pty, 5000, &status));
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	pty_stop(pty);
}

static void hang_up__ends_the_program__as_a_lost_connection_does(void **state)
{
	struct pty *pty = shell("printf ready; exec cat");
	int status;

	(void)state;
	assert_true(pty_wait_text(pty, "ready", 5000));
	pty_hang_up(pty);
	assert_true(pty_wait_exit(pty, 5000, &status));
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	pty_stop(pty);
	pty_stop(NULL);
}

static void wide__characters_count__as_two_columns(void **state)
{
	struct pty *pty = shell("printf '\\350\\256\\255\\347\\273\\203|'; exec cat");
	int x, y;

	(void)state;
	assert_true(pty_wait_text(pty, "训练|", 5000));
	assert_true(pty_find(pty, "|", &x, &y));
	assert_int_equal(x, 4);
	pty_stop(pty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wait_text__sees_what_is_printed__and_only_that),
		cmocka_unit_test(type__reaches_the_program__in_pieces),
		cmocka_unit_test(environment__is_clean__but_for_what_is_asked),
		cmocka_unit_test(size__is_the_programs__and_follows),
		cmocka_unit_test(look__is_read__with_the_text),
		cmocka_unit_test(hold__stops_the_reading__and_bytes_are_counted),
		cmocka_unit_test(end__is_told__with_its_status),
		cmocka_unit_test(hang_up__ends_the_program__as_a_lost_connection_does),
		cmocka_unit_test(wide__characters_count__as_two_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
