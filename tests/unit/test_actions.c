/* What was done is kept: as lines on disk, for several programs, bounded. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/action_disk.h"
#include "model/action_log.h"
#include "model/base/io.h"
#include "model/base/mem.h"
#include "tests/statehome.h"

#define TEXT_MAX (4u << 20)

static int64_t mono(void *ctx)
{
	return *(int64_t *)ctx;
}

static int64_t wall(void *ctx)
{
	return 1796047320000 + *(int64_t *)ctx; /* 2026-11-30T14:02:00Z */
}

/* One program: its store, its disk, its log. */
struct program {
	struct store store;
	int64_t now_ms;
	struct clock clock;
	struct disk *disk;
	struct action_log log;
	unsigned told;
	char trouble[1024];
};

static char folder[64];

static void note_trouble(void *ctx, const struct err *err)
{
	struct program *program = ctx;
	program->told++;
	snprintf(program->trouble, sizeof(program->trouble), "%s: %s", err->subject, err_text(err));
}

static void start(struct program *program, const char *by)
{
	*program = (struct program){ 0 };
	program->clock =
		(struct clock){ .wall_ms = wall, .mono_ms = mono, .self = &program->now_ms };
	program->disk = disk_new();
	program->log = (struct action_log){ .store = &program->store,
					    .clock = &program->clock,
					    .by = by,
					    .told = note_trouble,
					    .ctx = program };
}

static void stop(struct program *program)
{
	action_log_leave(&program->log);
	disk_free(program->disk);
	store_release(&program->store);
}

/* Until nothing is on its way. */
static void settle(struct program *program)
{
	while (program->log.write_id || program->log.read_id) {
		struct pollfd fd = { .fd = disk_fd(program->disk), .events = POLLIN };
		assert_int_equal(poll(&fd, 1, 20000), 1);
		disk_ready(program->disk);
	}
}

static void add(struct program *program, const char *job, const char *text)
{
	struct action action = { .what = "StopTrainingJob", .request_id = "rid-1" };
	snprintf(action.subject, sizeof(action.subject), "%s", job);
	snprintf(action.text, sizeof(action.text), "%s", text);
	action_log_add(&program->log, &action);
}

static void open_log(struct program *program)
{
	action_log_open(&program->log, program->disk, folder, false);
	settle(program);
}

static const char *path_of(const char *name)
{
	static char path[128];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void read_file(const char *name, struct buf *out)
{
	struct err err = { 0 };
	buf_init(out, TEXT_MAX);
	if (!io_read_file(path_of(name), out, &err))
		fail_msg("%s", err_text(&err));
}

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/gpuq-actions-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	statehome_remove(folder);
	return 0;
}

/* --- a line --- */

static void line__is_read_back__whatever_it_holds(void **state)
{
	struct action action = { .at_ms = 1796047320000,
				 .what = "requeue",
				 .subject = "old",
				 .other = "new",
				 .by = "rule \"night\"",
				 .result = ACTION_OPEN,
				 .code = "ThrottlingException",
				 .request_id = "r",
				 .text = "two\nlines \x1b[2J \xff end" };
	struct action back;
	struct buf line;
	(void)state;
	buf_init(&line, ACTION_LINE_MAX);
	action_write(&action, &line);
	assert_int_equal(line.data[line.len - 1], '\n');
	assert_null(memchr(line.data, '\n', line.len - 1));
	assert_true(action_read(line.data, line.len - 1, &back));
	assert_string_equal(back.by, "rule \"night\"");
	assert_string_equal(back.text, "two\nlines \x1b[2J \xef\xbf\xbd end");
	assert_int_equal(back.result, ACTION_OPEN);
	assert_true(back.at_ms == action.at_ms);
	assert_true(action_is_of(&back, "old") && action_is_of(&back, "new"));
	assert_false(action_is_of(&back, "ol"));
	buf_release(&line);
	assert_false(action_read("{\"at_ms\":1}", 11, &back));
	assert_false(action_read("nonsense", 8, &back));
}

/* As long as its room allows, every byte escaped: it is read back, all the same. */
static void line__of_the_greatest_length__is_read_back(void **state)
{
	struct action action = { .at_ms = 1, .what = "w" }, back;
	struct buf line;
	(void)state;
	memset(action.text, 1, sizeof(action.text) - 1);
	memset(action.by, 1, sizeof(action.by) - 1);
	memset(action.code, 1, sizeof(action.code) - 1);
	memset(action.subject, 1, sizeof(action.subject) - 1);
	memset(action.other, 1, sizeof(action.other) - 1);
	memset(action.request_id, 1, sizeof(action.request_id) - 1);
	buf_init(&line, ACTION_LINE_MAX);
	action_write(&action, &line);
	assert_false(line.failed);
	assert_true(action_read(line.data, line.len - 1, &back));
	assert_memory_equal(back.text, action.text, sizeof(action.text));
	buf_release(&line);
}

/* --- the file --- */

static void what_is_done__is_on_disk__and_there_after_the_next_start(void **state)
{
	struct program one, two;
	struct stat status;
	struct buf text;
	(void)state;
	start(&one, "dashboard");
	add(&one, "early", "before the place is known");
	assert_int_equal(one.store.actions.count, 1);
	open_log(&one);
	add(&one, "a", "");
	settle(&one);
	assert_int_equal(stat(path_of(ACTION_FILE), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	stop(&one);
	read_file(ACTION_FILE, &text);
	assert_non_null(strstr(buf_text(&text), "\"subject\":\"early\",\"other\":null,\"by\":"
						"\"dashboard\",\"result\":\"done\""));
	buf_release(&text);
	start(&two, "gpuq stop");
	open_log(&two);
	assert_true(two.store.actions.is_read);
	assert_int_equal(two.store.actions.count, 2);
	assert_string_equal(two.store.actions.items[0].subject, "early");
	assert_true(two.store.actions.items[0].at_ms == 1796047320000);
	assert_string_equal(two.store.actions.items[1].subject, "a");
	stop(&two);
}

/* Lines of both; each sees the other's when it looks, and its own once. */
static void two_programs__append__and_see_each_other(void **state)
{
	struct program one, two;
	(void)state;
	start(&one, "dashboard");
	start(&two, "gpuq stop");
	open_log(&one);
	open_log(&two);
	for (int i = 0; i < 20; i++) {
		add(&one, "one", "");
		add(&two, "two", "");
	}
	settle(&one);
	settle(&two);
	assert_int_equal(one.store.actions.count, 20);
	one.now_ms += ACTION_LOOK_MS;
	action_log_look(&one.log);
	add(&one, "meanwhile", "");
	settle(&one);
	assert_int_equal(one.store.actions.count, 41);
	assert_string_equal(one.store.actions.items[40].subject, "meanwhile");
	action_log_look(&one.log); /* too soon */
	assert_true(one.log.read_id == 0);
	stop(&one);
	stop(&two);
}

/* A program that was killed within a line spoils that line alone. */
static void a_cut_line__is_left_out__and_the_next_is_whole(void **state)
{
	struct program one, two;
	FILE *file;
	(void)state;
	start(&one, "dashboard");
	open_log(&one);
	add(&one, "a", "");
	settle(&one);
	stop(&one);
	file = fopen(path_of(ACTION_FILE), "ae");
	assert_non_null(file);
	assert_true(fputs("{\"at_ms\":17960", file) >= 0);
	assert_int_equal(fclose(file), 0);
	start(&two, "dashboard");
	open_log(&two);
	add(&two, "b", "");
	settle(&two);
	two.now_ms += ACTION_LOOK_MS;
	action_log_look(&two.log);
	settle(&two);
	assert_int_equal(two.store.actions.count, 2);
	assert_string_equal(two.store.actions.items[1].subject, "b");
	stop(&two);
}

static void the_files__stay_bounded(void **state)
{
	struct program program;
	struct stat status;
	char text[ACTION_TEXT_SIZE];
	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	start(&program, "dashboard");
	open_log(&program);
	for (int i = 0; i < 6000; i++) { /* of 560 bytes: 3.3 MB */
		add(&program, "job", text);
		if (i % 200 == 0)
			settle(&program);
	}
	settle(&program);
	assert_int_equal(program.store.actions.count, ACTIONS_MAX);
	assert_int_equal(stat(path_of(ACTION_FILE), &status), 0);
	assert_true(status.st_size <= (off_t)ACTION_FILE_MAX);
	assert_int_equal(stat(path_of(ACTION_OLD_FILE), &status), 0);
	assert_true(status.st_size <= (off_t)ACTION_FILE_MAX);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(program.told, 0);
	stop(&program);
}

/* It waits, is told once, and is written with the next one that the disk takes. */
static void a_file_that_is_a_link__is_refused__and_nothing_is_lost(void **state)
{
	struct program program;
	struct buf text;
	(void)state;
	assert_int_equal(symlink("/dev/null", path_of(ACTION_FILE)), 0);
	start(&program, "dashboard");
	open_log(&program);
	add(&program, "a", "");
	settle(&program);
	add(&program, "b", "");
	settle(&program);
	assert_int_equal(program.told, 1);
	assert_non_null(strstr(program.trouble, ACTION_FILE ": cannot be opened"));
	assert_int_equal(program.store.actions.count, 2);
	assert_int_equal(unlink(path_of(ACTION_FILE)), 0);
	add(&program, "c", "");
	settle(&program);
	read_file(ACTION_FILE, &text);
	const char *a = strstr(buf_text(&text), "\"a\""), *c = strstr(buf_text(&text), "\"c\"");
	assert_non_null(a);
	assert_non_null(c);
	assert_true(a < c);
	buf_release(&text);
	stop(&program);
}

/* Who signs never became known: it lies where the others of that kind do. */
static void at_the_end__it_is_written_where_the_place_was_last(void **state)
{
	struct program program;
	struct buf text;
	(void)state;
	start(&program, "gpuq stop");
	action_log_open(&program.log, program.disk, folder, true);
	add(&program, "late", "");
	stop(&program);
	read_file(ACTION_FILE, &text);
	assert_non_null(strstr(buf_text(&text), "\"late\""));
	buf_release(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line__is_read_back__whatever_it_holds),
		cmocka_unit_test(line__of_the_greatest_length__is_read_back),
		TEST(what_is_done__is_on_disk__and_there_after_the_next_start),
		TEST(two_programs__append__and_see_each_other),
		TEST(a_cut_line__is_left_out__and_the_next_is_whole),
		TEST(the_files__stay_bounded),
		TEST(a_file_that_is_a_link__is_refused__and_nothing_is_lost),
		TEST(at_the_end__it_is_written_where_the_place_was_last),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
