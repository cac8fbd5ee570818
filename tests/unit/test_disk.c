/* Files behind a thread: what is read and written, with what rights, and what is refused. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/disk.h"

#define NOBODY 65534

static char folder[] = "/tmp/gpuq-disk-XXXXXX";

struct seen {
	unsigned calls;
	enum err_code code;
	char bytes[64], text[256];
	struct disk_stamp stamp;
};

static void note(void *ctx, const struct disk_result *result)
{
	struct seen *seen = ctx;
	seen->calls++;
	seen->code = result->err ? result->err->code : ERR_NONE;
	seen->stamp = result->stamp;
	snprintf(seen->bytes, sizeof(seen->bytes), "%.*s", (int)result->len, result->bytes);
	snprintf(seen->text, sizeof(seen->text), "%s", result->err ? err_text(result->err) : "");
}

static void wait_calls(struct disk *disk, const struct seen *seen, unsigned calls)
{
	while (seen->calls < calls) {
		struct pollfd fd = { .fd = disk_fd(disk), .events = POLLIN };
		assert_int_equal(poll(&fd, 1, 20000), 1);
		disk_ready(disk);
	}
}

static const char *in_folder(const char *name)
{
	static char path[128];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static unsigned mode_of(const char *name)
{
	struct stat status;
	assert_int_equal(stat(in_folder(name), &status), 0);
	return status.st_mode & 0777;
}

static void test_written_and_read_back(void **state)
{
	(void)state;
	struct disk *disk = disk_new();
	struct seen wrote = { 0 }, got = { 0 }, found = { 0 };
	umask(0);
	disk_write(disk, in_folder("a/b/draft"), "first", 5, note, &wrote);
	disk_write(disk, in_folder("a/b/draft"), "second one", 10, note, &wrote);
	disk_read(disk, in_folder("a/b/draft"), 100, note, &got);
	disk_stat(disk, in_folder("a/b/draft"), note, &found);
	wait_calls(disk, &found, 1);
	assert_int_equal(wrote.calls, 2);
	assert_int_equal(wrote.code, ERR_NONE);
	assert_string_equal(got.bytes, "second one");
	assert_int_equal(found.stamp.size, 10);
	assert_true(disk_stamp_equal(&found.stamp, &got.stamp));
	assert_int_equal(mode_of("a"), 0700);
	assert_int_equal(mode_of("a/b"), 0700);
	assert_int_equal(mode_of("a/b/draft"), 0600);
	disk_free(disk);
}

/* A file of that name stays as it was, and what is no file is never written over. */
static void test_created_where_nothing_is(void **state)
{
	struct disk *disk = disk_new();
	struct seen seen = { 0 };
	(void)state;
	disk_create(disk, in_folder("new"), "abc", 3, note, &seen);
	wait_calls(disk, &seen, 1);
	assert_int_equal(seen.code, ERR_NONE);
	assert_int_equal(mode_of("new"), 0600);
	disk_create(disk, in_folder("new"), "defg", 4, note, &seen);
	wait_calls(disk, &seen, 2);
	assert_int_equal(seen.code, ERR_CONFLICT);
	disk_read(disk, in_folder("new"), 10, note, &seen);
	wait_calls(disk, &seen, 3);
	assert_string_equal(seen.bytes, "abc");
	disk_create(disk, folder, "x", 1, note, &seen);
	wait_calls(disk, &seen, 4);
	assert_int_equal(seen.code, ERR_IO);
	assert_string_equal(seen.text, "is a folder: name a file");
	assert_int_equal(symlink("new", in_folder("linked")), 0);
	disk_create(disk, in_folder("linked"), "x", 1, note, &seen);
	wait_calls(disk, &seen, 5);
	assert_string_equal(seen.text, "is a link: name a file");
	disk_create(disk, in_folder("missing/file"), "x", 1, note, &seen);
	wait_calls(disk, &seen, 6);
	assert_int_equal(seen.code, ERR_NOT_FOUND);
	disk_free(disk);
}

static void test_appended_and_links_refused(void **state)
{
	(void)state;
	struct disk *disk = disk_new();
	struct seen seen = { 0 };
	disk_append(disk, in_folder("log"), "one\n", 4, NULL, NULL);
	disk_append(disk, in_folder("log"), "two\n", 4, NULL, NULL);
	disk_read(disk, in_folder("log"), 100, note, &seen);
	wait_calls(disk, &seen, 1);
	assert_string_equal(seen.bytes, "one\ntwo\n");
	assert_int_equal(mode_of("log"), 0600);
	char target[128];
	snprintf(target, sizeof(target), "%s", in_folder("log"));
	assert_int_equal(symlink(target, in_folder("link")), 0);
	disk_append(disk, in_folder("link"), "three\n", 6, note, &seen);
	wait_calls(disk, &seen, 2);
	assert_int_equal(seen.code, ERR_IO);
	assert_string_equal(seen.text, "is a link");
	disk_free(disk);
}

static void test_appended_to_what_is_ours_alone(void **state)
{
	(void)state;
	struct disk *disk = disk_new();
	struct seen seen = { 0 };
	char path[128];
	snprintf(path, sizeof(path), "%s", in_folder("open"));
	int fd = open(path, O_WRONLY | O_CREAT, 0644);
	assert_true(fd >= 0 && fchmod(fd, 0644) == 0);
	close(fd);
	disk_append(disk, path, "one\n", 4, note, &seen);
	wait_calls(disk, &seen, 1);
	assert_int_equal(seen.code, ERR_NONE);
	assert_int_equal(mode_of("open"), 0600);
	assert_int_equal(link(path, in_folder("second")), 0);
	disk_append(disk, path, "two\n", 4, note, &seen);
	wait_calls(disk, &seen, 2);
	assert_int_equal(seen.code, ERR_IO);
	assert_string_equal(seen.text, "has other names");
	disk_append(disk, "/dev/null", "three\n", 6, note, &seen);
	wait_calls(disk, &seen, 3);
	assert_string_equal(seen.text, "is not a plain file");
	disk_read(disk, path, 100, note, &seen);
	wait_calls(disk, &seen, 4);
	assert_string_equal(seen.bytes, "one\n");
	disk_free(disk);
}

static void test_what_cannot_be_read(void **state)
{
	(void)state;
	struct disk *disk = disk_new();
	struct seen seen = { 0 };
	disk_read(disk, in_folder("none"), 100, note, &seen);
	wait_calls(disk, &seen, 1);
	assert_int_equal(seen.code, ERR_NOT_FOUND);
	disk_read(disk, folder, 100, note, &seen);
	wait_calls(disk, &seen, 2);
	assert_int_equal(seen.code, ERR_IO);
	assert_string_equal(seen.text, "is not a plain file");
	/* A pipe without a writer would hold a plain open for ever. */
	assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
	disk_read(disk, in_folder("pipe"), 100, note, &seen);
	wait_calls(disk, &seen, 3);
	assert_int_equal(seen.code, ERR_IO);
	disk_write(disk, in_folder("eleven"), "12345678901", 11, NULL, NULL);
	disk_read(disk, in_folder("eleven"), 10, note, &seen);
	wait_calls(disk, &seen, 4);
	assert_int_equal(seen.code, ERR_TOO_BIG);
	disk_read(disk, in_folder("eleven"), 11, note, &seen);
	wait_calls(disk, &seen, 5);
	assert_int_equal(seen.code, ERR_NONE);
	disk_free(disk);
}

static void test_read_at_once(void **state)
{
	(void)state;
	struct disk *disk = disk_new();
	struct err err = { 0 };
	struct buf text;
	disk_write(disk, in_folder("settings"), "a = 1", 5, NULL, NULL);
	disk_free(disk);
	buf_init(&text, 100);
	assert_true(disk_read_now(in_folder("settings"), 100, 20000, &text, NULL, &err));
	assert_string_equal(buf_text(&text), "a = 1");
	assert_false(disk_read_now(in_folder("none"), 100, 20000, &text, NULL, &err));
	assert_int_equal(err.code, ERR_NOT_FOUND);
	err_clear(&err);
	/* Below a file, as below HOME=/dev/null, there is none either. */
	assert_false(disk_read_now(in_folder("settings/below"), 100, 20000, &text, NULL, &err));
	assert_int_equal(err.code, ERR_NOT_FOUND);
	err_clear(&err);
	assert_false(disk_read_now(in_folder("settings"), 4, 20000, &text, NULL, &err));
	assert_int_equal(err.code, ERR_TOO_BIG);
	err_clear(&err);
	assert_string_equal(buf_text(&text), "a = 1");
	buf_release(&text);
}

static void test_forgotten_writes_still_happen(void **state)
{
	(void)state;
	struct disk *disk = disk_new();
	struct seen forgotten = { 0 }, seen = { 0 };
	uint64_t id = disk_write(disk, in_folder("kept"), "kept", 4, note, &forgotten);
	disk_forget(disk, id);
	disk_read(disk, in_folder("kept"), 100, note, &seen);
	wait_calls(disk, &seen, 1);
	assert_int_equal(forgotten.calls, 0);
	assert_string_equal(seen.bytes, "kept");
	disk_free(disk);
}

static void test_the_end_waits_for_writes(void **state)
{
	(void)state;
	struct disk *disk = disk_new();
	for (int i = 0; i < 50; i++)
		disk_append(disk, in_folder("last"), "x", 1, NULL, NULL);
	disk_free(disk);
	struct stat status;
	assert_int_equal(stat(in_folder("last"), &status), 0);
	assert_int_equal(status.st_size, 50);
}

struct errand {
	pthread_t runner;
	bool fails;
	unsigned runs, frees;
};

static void run_errand(void *self, struct err *err)
{
	struct errand *errand = self;
	errand->runner = pthread_self();
	errand->runs++;
	if (errand->fails)
		err_set(err, ERR_CONFLICT, "somebody has it");
}

static void free_errand(void *self)
{
	((struct errand *)self)->frees++;
}

static void note_errand(void *ctx, const struct disk_result *result)
{
	note(ctx, result);
	assert_int_equal(((struct errand *)result->work)->frees, 0);
}

static void test_other_work_runs_on_the_thread(void **state)
{
	(void)state;
	struct disk *disk = disk_new();
	struct errand fine = { 0 }, bad = { .fails = true }, forgotten = { 0 }, last = { 0 };
	struct errand *errands[] = { &fine, &bad, &forgotten, &last };
	struct seen seen = { 0 }, none = { 0 };
	uint64_t ids[4];
	for (size_t i = 0; i < 4; i++) {
		const struct disk_work work = { run_errand, free_errand, errands[i] };
		ids[i] = disk_run(disk, &work, i < 3 ? note_errand : NULL, i < 2 ? &seen : &none);
		assert_true(ids[i] != 0);
		if (i == 2)
			disk_forget(disk, ids[i]);
		if (i == 0) {
			wait_calls(disk, &seen, 1);
			assert_int_equal(seen.code, ERR_NONE);
		}
	}
	wait_calls(disk, &seen, 2);
	assert_int_equal(seen.code, ERR_CONFLICT);
	assert_string_equal(seen.text, "somebody has it");
	disk_free(disk);
	assert_int_equal(none.calls, 0);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(errands[i]->runs, 1);
		assert_int_equal(errands[i]->frees, 1);
		assert_false(pthread_equal(errands[i]->runner, pthread_self()));
	}
}

/* As nobody: root may read and write everything. */
static void test_without_rights(void **state)
{
	(void)state;
	int fd = open(in_folder("secret"), O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(chmod(folder, 0755), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct seen seen = { 0 };
		if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
			_exit(10);
		if (getuid() == 0)
			_exit(11);
		struct disk *disk = disk_new();
		disk_read(disk, in_folder("secret"), 100, note, &seen);
		disk_write(disk, in_folder("new"), "x", 1, note, &seen);
		while (seen.calls < 2) {
			struct pollfd ready = { .fd = disk_fd(disk), .events = POLLIN };
			if (poll(&ready, 1, 20000) != 1)
				_exit(12);
			disk_ready(disk);
			if (seen.code != ERR_IO || !strstr(seen.text, "Permission denied"))
				_exit(13);
		}
		disk_free(disk);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	pid_t pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", folder, (char *)NULL);
		_exit(127);
	}
	return waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_written_and_read_back),
		cmocka_unit_test(test_created_where_nothing_is),
		cmocka_unit_test(test_appended_and_links_refused),
		cmocka_unit_test(test_appended_to_what_is_ours_alone),
		cmocka_unit_test(test_what_cannot_be_read),
		cmocka_unit_test(test_read_at_once),
		cmocka_unit_test(test_forgotten_writes_still_happen),
		cmocka_unit_test(test_the_end_waits_for_writes),
		cmocka_unit_test(test_other_work_runs_on_the_thread),
		cmocka_unit_test(test_without_rights),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
