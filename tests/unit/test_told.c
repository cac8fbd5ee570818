/* What rules have told, on disk; the programs that they run; what they send to a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/told_disk.h"
#include "tests/statehome.h"
#include "tui/child.h"
#include "tui/osc.h"

#define DAY  INT64_C(86400000)
#define NOW  INT64_C(1764612345000)
#define SIZE 4096

/* --- on disk --- */

struct claimed {
	bool is_done, ours[TOLD_KEYS_MAX];
	enum err_code code;
};

static void on_claimed(void *ctx, const struct disk_result *result)
{
	struct claimed *claimed = ctx;
	const struct told_claim *claim = result->work;
	claimed->is_done = true;
	claimed->code = result->err ? result->err->code : ERR_NONE;
	memcpy(claimed->ours, claim->ours, sizeof(claimed->ours));
}

/* Claims keys 1 to count at that time, with a disk of its own, as another program would. */
static struct claimed claim(const char *folder, int64_t now_ms, size_t count)
{
	struct claimed claimed = { 0 };
	struct disk *disk = disk_new();
	struct told_claim *work = told_claim_new(folder, now_ms);
	struct pollfd polled = { .fd = disk_fd(disk), .events = POLLIN };
	for (size_t i = 0; i < count; i++)
		work->keys[work->count++] = 0xabcdef0000000000u + i;
	told_claim(disk, work, on_claimed, &claimed);
	while (!claimed.is_done && poll(&polled, 1, 20000) > 0)
		disk_ready(disk);
	assert_true(claimed.is_done);
	disk_free(disk);
	return claimed;
}

static void claims__are_won_once_a_day(void **state)
{
	const char *folder = *state;
	struct claimed first = claim(folder, NOW, 2);
	assert_int_equal(first.code, ERR_NONE);
	assert_true(first.ours[0] && first.ours[1]);
	struct claimed second = claim(folder, NOW + 1000, 3);
	assert_true(!second.ours[0] && !second.ours[1] && second.ours[2]);
	assert_false(claim(folder, NOW + DAY - 1000, 1).ours[0]);
	struct claimed next = claim(folder, NOW + DAY, 3);
	assert_true(next.ours[0] && next.ours[1] && !next.ours[2]);
}

static void write_told(const char *folder, const char *text, size_t times)
{
	char path[SIZE];
	(void)snprintf(path, sizeof(path), "%s/told", folder);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	while (times-- > 0)
		assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static long size_of(const char *folder)
{
	struct stat status;
	char path[SIZE];
	(void)snprintf(path, sizeof(path), "%s/told", folder);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 077, 0);
	return (long)status.st_size;
}

static void the_file__is_bounded__and_may_hold_anything(void **state)
{
	const char *folder = *state;
	char path[SIZE];
	write_told(folder,
		   "\x1b[31m nonsense \n0123456789abcdef\n0123456789ABCDEF 1\n"
		   "abcdef0000000000 99999999999999999999999\nabcdef0000000000 17646",
		   1);
	(void)snprintf(path, sizeof(path), "%s/told", folder);
	assert_int_equal(chmod(path, 0600), 0);
	assert_true(claim(folder, NOW, 1).ours[0]);
	assert_false(claim(folder, NOW, 1).ours[0]); /* written behind the line that was cut */
	/* 27 bytes each: above the ceiling what is older than a day goes. */
	write_told(folder, "00000000000000ff 1764500000\n", TOLD_FILE_MAX / 28 + 2);
	assert_true(claim(folder, NOW, 1).ours[0]);
	assert_int_equal(size_of(folder), 28);
	/* And of what is not, the older half. */
	write_told(folder, "00000000000000ff 1764612000\n", TOLD_FILE_MAX / 28 + 2);
	assert_true(claim(folder, NOW, 1).ours[0]);
	assert_in_range(size_of(folder), TOLD_FILE_MAX / 2 - 28, TOLD_FILE_MAX / 2 + 28);
	/* What is no file of ours is left alone, and everything is told. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	struct claimed refused = claim(folder, NOW, 1);
	assert_int_equal(refused.code, ERR_IO);
	assert_true(refused.ours[0]);
}

/* --- programs --- */

struct bench {
	int64_t mono_ms;
	struct clock clock;
	struct loop *loop;
	struct child child;
	bool has_ended;
	char failure[SIZE]; /* "" = it went well */
};

static int64_t bench_ms(void *self)
{
	return ((struct bench *)self)->mono_ms;
}

static void on_ended(void *ctx, const char *failure)
{
	struct bench *bench = ctx;
	bench->has_ended = true;
	(void)snprintf(bench->failure, sizeof(bench->failure), "%s", failure ? failure : "");
}

static void start(struct bench *bench, const char *script, const char *text)
{
	static char shell[] = "/bin/sh", option[] = "-c";
	char *copy = strdup(script);
	char *const argv[] = { shell, option, copy, NULL };
	struct err err = { 0 };
	*bench = (struct bench){ 0 };
	bench->clock = (struct clock){ bench_ms, bench_ms, bench };
	bench->loop = loop_new(&bench->clock);
	bench->child = (struct child){ .loop = bench->loop, .ended = on_ended, .ctx = bench };
	assert_true(child_start(&bench->child, argv, text, strlen(text), &err));
	free(copy);
}

/* Turns the loop while its clock stands but for the steps between two looks. */
static void turn_until_end(struct bench *bench, int64_t step_ms)
{
	for (int i = 0; i < 100000 && !bench->has_ended; i++) {
		struct pollfd nothing = { .fd = -1 };
		bench->mono_ms += step_ms;
		(void)loop_turn(bench->loop, 0);
		(void)poll(&nothing, 1, 1);
	}
	assert_true(bench->has_ended);
	assert_false(child_runs(&bench->child));
	loop_free(bench->loop);
}

static void program__gets_the_text__and_its_failure_is_told(void **state)
{
	static const struct {
		const char *script, *failure;
	} rows[] = {
		{ "read a; [ \"$a\" = 'a line' ]", "" },
		{ "exec cat", "" },
		{ "exit 3", "it ended with status 3" },
		{ "echo 'cannot: x' >&2; echo more >&2; exit 22",
		  "it ended with status 22: cannot: x" },
		{ "kill -9 $$", "it was ended by signal 9" },
		{ "exec /nonexistent/program", "it ended with status 127: " },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct bench bench;
		start(&bench, rows[i].script, "a line\n");
		turn_until_end(&bench, 1);
		if (i + 1 < ARRAY_LEN(rows))
			assert_string_equal(bench.failure, rows[i].failure);
		else
			assert_memory_equal(bench.failure, rows[i].failure,
					    strlen(rows[i].failure));
	}
	struct bench bench;
	struct err err = { 0 };
	char program[] = "/nonexistent/program";
	char *const argv[] = { program, NULL };
	start(&bench, "exit 0", "");
	turn_until_end(&bench, 1);
	bench.loop = loop_new(&bench.clock);
	bench.child.loop = bench.loop;
	bench.has_ended = false;
	assert_true(child_start(&bench.child, argv, "", 0, &err));
	turn_until_end(&bench, 1);
	assert_string_equal(bench.failure, "there is no such program");
}

/* The clock is ours; the program, and what it has started, are real. */
static void program_that_hangs__is_killed_with_its_group__after_ten_seconds(void **state)
{
	const char *folder = *state;
	char script[SIZE], path[256];
	struct bench bench;
	struct pollfd nothing = { .fd = -1 };
	long grandchild = 0;
	(void)snprintf(path, sizeof(path), "%s/pid", folder);
	(void)snprintf(script, sizeof(script),
		       "trap '' TERM INT HUP; sleep 1000 & echo $! >%s; wait; sleep 1000", path);
	start(&bench, script, "");
	for (int i = 0; i < 5000 && grandchild == 0; i++) {
		FILE *file = fopen(path, "re");
		if (file && fscanf(file, "%ld\n", &grandchild) != 1)
			grandchild = 0;
		if (file)
			(void)fclose(file);
		(void)poll(&nothing, 1, 2);
	}
	assert_true(grandchild > 1);
	for (int64_t ms = 0; ms < CHILD_MS - 100; ms += 25) {
		bench.mono_ms += 25;
		(void)loop_turn(bench.loop, 0);
	}
	assert_false(bench.has_ended);
	assert_int_equal(kill((pid_t)grandchild, 0), 0);
	turn_until_end(&bench, 25);
	assert_string_equal(bench.failure, "it was killed after 10 s");
	for (int i = 0; i < 5000 && kill((pid_t)grandchild, 0) == 0; i++) {
		char stat_path[64], line[256] = "";
		(void)snprintf(stat_path, sizeof(stat_path), "/proc/%ld/stat", grandchild);
		FILE *file = fopen(stat_path, "re");
		bool is_zombie = file && fgets(line, sizeof(line), file) && strstr(line, ") Z");
		if (file)
			(void)fclose(file);
		if (is_zombie)
			return; /* of whoever inherits it here */
		(void)poll(&nothing, 1, 2);
	}
	assert_int_not_equal(kill((pid_t)grandchild, 0), 0);
}

/* --- sequences --- */

static void osc__carries_text_alone(void **state)
{
	struct buf out;
	(void)state;
	buf_init(&out, SIZE);
	osc_add_9(&out, "a job; \033]52;c;eA==\a\n\x9d\xc2\x9d end");
	assert_string_equal(buf_text(&out),
			    "\033]9;a job, \xc2\xb7]52,c,eA==\xc2\xb7\xc2\xb7\xef\xbf\xbd\xc2\xb7 "
			    "end\033\\");
	buf_clear(&out);
	osc_add_777(&out, "gp;uq", "x\033\\y");
	assert_string_equal(buf_text(&out), "\033]777;notify;gp,uq;x\xc2\xb7\\y\033\\");
	buf_clear(&out);
	char longer[2 * OSC_TEXT_MAX];
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	osc_add_9(&out, longer);
	assert_int_equal(out.len, OSC_TEXT_MAX + 6);
	buf_release(&out);
}

static int make_folder(void **state)
{
	char *folder = strdup("/tmp/gpuq-told-XXXXXX");
	*state = folder;
	return folder && mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
	statehome_remove(*state);
	free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(claims__are_won_once_a_day, make_folder,
						drop_folder),
		cmocka_unit_test_setup_teardown(the_file__is_bounded__and_may_hold_anything,
						make_folder, drop_folder),
		cmocka_unit_test(program__gets_the_text__and_its_failure_is_told),
		cmocka_unit_test_setup_teardown(
			program_that_hangs__is_killed_with_its_group__after_ten_seconds,
			make_folder, drop_folder),
		cmocka_unit_test(osc__carries_text_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
