#define _GNU_SOURCE /* O_NOFOLLOW and others beside what POSIX has */
#include "model/action_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/folder.h"
#include "model/base/mem.h"

#define LOCK_NAME "actions.lock"
#define READ_MAX  (2 * ACTION_FILE_MAX)

static bool fail(struct err *err, const struct action_work *work, const char *what)
{
	err_set(err, ERR_IO, "%s: %s", what, strerror(errno));
	return err_subject(err, "%s/%s", work->folder, ACTION_FILE);
}

/* A plain file of this user's, by one name, and no larger than this program makes one. */
static bool is_ours(struct err *err, const struct action_work *work, const struct stat *status)
{
	const char *wrong = !S_ISREG(status->st_mode)           ? "is not a plain file"
			    : status->st_uid != geteuid()       ? "belongs to another user"
			    : status->st_nlink > 1              ? "has other names"
			    : status->st_size > (off_t)READ_MAX ? "is too large"
								: NULL;
	if (!wrong)
		return true;
	err_set(err, ERR_IO, "%s", wrong);
	return err_subject(err, "%s/%s", work->folder, ACTION_FILE);
}

/* --- writing --- */

static bool write_all(struct err *err, const struct action_work *work, int fd, const char *bytes)
{
	size_t len = strlen(bytes);
	for (size_t at = 0; at < len;) {
		ssize_t put = write(fd, bytes + at, len - at);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return fail(err, work, "cannot be written");
		at += (size_t)put;
	}
	return true;
}

/* -1 with err. */
static int open_to_append(struct err *err, const struct action_work *work, int folder,
			  struct stat *status)
{
	int fd =
		openat(folder, ACTION_FILE,
		       O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC,
		       0600);
	if (fd < 0) {
		fail(err, work, "cannot be opened");
		return -1;
	}
	if (fstat(fd, status) != 0)
		fail(err, work, "cannot be looked at");
	else if (is_ours(err, work, status) &&
		 ((status->st_mode & 077) == 0 || fchmod(fd, 0600) == 0 ||
		  fail(err, work, "cannot be closed to others")))
		return fd;
	close(fd);
	return -1;
}

/* The last line of a program that was killed has no end. */
static bool ends_within_line(int fd, const struct stat *status)
{
	char last = '\n';
	return status->st_size > 0 && pread(fd, &last, 1, status->st_size - 1) == 1 && last != '\n';
}

static void append(struct action_work *work, int folder, struct err *err)
{
	struct stat status;
	int fd = open_to_append(err, work, folder, &status);
	if (fd < 0)
		return;
	if (status.st_size > 0 && (size_t)status.st_size + strlen(work->lines) > ACTION_FILE_MAX) {
		close(fd);
		if (renameat(folder, ACTION_FILE, folder, ACTION_OLD_FILE) != 0) {
			fail(err, work, "cannot make way for a new one");
			return;
		}
		fd = open_to_append(err, work, folder, &status);
		if (fd < 0)
			return;
	}
	bool ok = (!ends_within_line(fd, &status) || write_all(err, work, fd, "\n")) &&
		  write_all(err, work, fd, work->lines);
	if (ok && fsync(fd) != 0)
		ok = fail(err, work, "cannot be flushed");
	if (close(fd) != 0 && ok)
		fail(err, work, "cannot be written");
}

/* --- reading --- */

static void take_lines(struct action_work *work, const char *bytes, size_t len)
{
	for (size_t at = 0, end; at < len; at = end + 1) {
		const char *stop = memchr(bytes + at, '\n', len - at);
		struct action action;
		end = stop ? (size_t)(stop - bytes) : len;
		if (end == at)
			continue;
		if (action_read(bytes + at, end - at, &action))
			actions_add(&work->actions, &action);
		else
			work->damaged++;
	}
}

static void read_file(struct action_work *work, int folder, const char *name, struct err *err)
{
	struct stat status;
	size_t len = 0;
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0) {
		if (errno != ENOENT)
			fail(err, work, "cannot be opened");
		return;
	}
	bool ok = fstat(fd, &status) == 0 ? is_ours(err, work, &status)
					  : fail(err, work, "cannot be looked at");
	char *bytes = mem_new(READ_MAX, 1);
	for (ssize_t got = 1; ok && got > 0 && len < READ_MAX;) {
		got = read(fd, bytes + len, READ_MAX - len);
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got < 0)
			fail(err, work, "cannot be read");
		else
			len += (size_t)got;
	}
	take_lines(work, bytes, len);
	free(bytes);
	close(fd);
}

static void run(void *self, struct err *err)
{
	struct action_work *work = self;
	if (work->lines)
		folder_make(work->folder);
	int folder = folder_open(work->folder, err);
	if (folder < 0) {
		if (!work->lines && err->code == ERR_NOT_FOUND)
			err_clear(err); /* nothing has been done here yet */
		return;
	}
	int lock = folder_lock(folder, LOCK_NAME, work->folder, err);
	if (lock >= 0 && work->lines) {
		append(work, folder, err);
	} else if (lock >= 0) {
		read_file(work, folder, ACTION_OLD_FILE, err);
		read_file(work, folder, ACTION_FILE, err);
	}
	if (lock >= 0)
		close(lock);
	close(folder);
}

static void free_work(void *self)
{
	struct action_work *work = self;
	actions_release(&work->actions);
	free(work->lines);
	free(work->folder);
	free(work);
}

uint64_t action_disk_do(struct disk *disk, const char *folder, const char *lines,
			disk_done_fn *done, void *ctx)
{
	struct action_work *work = mem_new(1, sizeof(*work));
	work->folder = mem_copy_text(folder);
	work->lines = mem_copy_text(lines);
	return disk_run(disk, &(struct disk_work){ run, free_work, work }, done, ctx);
}
