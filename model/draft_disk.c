#define _GNU_SOURCE /* O_DIRECTORY and others beside what POSIX has, explicit_bzero */
#include "model/draft_disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model/base/folder.h"
#include "model/base/mem.h"
#include "model/draft_file.h"

#define ENDING        ".json"
#define ASIDE         ".damaged"
#define BESIDE        ".tmp"
#define LOCK_NAME     ".lock"
#define STALE_SECONDS 3600 /* a file half written so long ago is of a program that was killed */
#define NAME_SIZE     (DRAFT_ID_SIZE + 64)

static bool fail(struct err *err, const char *path, const char *what)
{
	err_set(err, ERR_IO, "%s: %s", what, strerror(errno));
	return err_subject(err, "%s", path);
}

static bool refuse(struct err *err, const char *path, const char *why)
{
	err_set(err, ERR_IO, "%s", why);
	return err_subject(err, "%s", path);
}

static struct disk_stamp stamp_of(const struct stat *status)
{
	return (struct disk_stamp){
		.device = (uint64_t)status->st_dev,
		.inode = (uint64_t)status->st_ino,
		.size = (int64_t)status->st_size,
		.changed_ns =
			(int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec,
	};
}

/* --- folder and lock --- */

/* A descriptor, or -1 with err; *missing: there is none, and it was not to be made. */
static int open_folder(const char *path, bool make, bool *missing, struct err *err)
{
	if (make)
		folder_make(path);
	int fd = folder_open(path, err);
	*missing = fd < 0 && err->code == ERR_NOT_FOUND && !make;
	if (*missing)
		err_clear(err);
	return fd;
}

static void name_file(const char *id, const char *ending, char out[NAME_SIZE])
{
	(void)snprintf(out, NAME_SIZE, "%s%s", id, ending);
}

/* --- reading --- */

static bool read_bytes(struct draft_found *found, int fd, size_t size)
{
	found->bytes = mem_new(size + 2, 1);
	while (found->len < size + 1) {
		ssize_t got = read(fd, found->bytes + found->len, size + 1 - found->len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail(&found->err, found->id, "cannot be read");
		if (got == 0)
			return true;
		found->len += (size_t)got;
	}
	return refuse(&found->err, found->id, "grows while it is read");
}

/* A plain file of this user's, by one name. */
static const char *wrong_with(const struct stat *status)
{
	if (!S_ISREG(status->st_mode))
		return "is not a plain file";
	if (status->st_uid != geteuid())
		return "belongs to another user";
	if (status->st_nlink > 1)
		return "has other names";
	return status->st_size > (off_t)DRAFT_FILE_MAX ? "is too large for a draft" : NULL;
}

static void wipe(char **bytes, size_t len)
{
	if (*bytes)
		explicit_bzero(*bytes, len);
	free(*bytes);
	*bytes = NULL;
}

static void read_file(struct draft_found *found, int folder, const char *name)
{
	struct stat status;
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	const char *wrong;
	if (fd < 0) {
		fail(&found->err, found->id, "cannot be opened");
		return;
	}
	wrong = fstat(fd, &status) == 0 ? wrong_with(&status) : "cannot be looked at";
	if (wrong)
		refuse(&found->err, found->id, wrong);
	else if (!read_bytes(found, fd, (size_t)status.st_size))
		wipe(&found->bytes, found->len);
	else
		found->stamp = stamp_of(&status);
	close(fd);
}

/* "ID.json" -> id; false for any other name. */
static bool id_of(const char *name, char id[DRAFT_ID_SIZE])
{
	size_t len = strlen(name), ending = strlen(ENDING);
	if (len <= ending || len - ending >= DRAFT_ID_SIZE ||
	    strcmp(name + len - ending, ENDING) != 0)
		return false;
	memcpy(id, name, len - ending);
	id[len - ending] = '\0';
	return draft_id_is_valid(id);
}

/* What a program that was killed had begun to write. */
static void sweep(int folder, const char *name)
{
	size_t len = strlen(name), ending = strlen(BESIDE);
	struct stat status;
	if (len > ending && strcmp(name + len - ending, BESIDE) == 0 &&
	    fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    status.st_mtime < time(NULL) - STALE_SECONDS)
		unlinkat(folder, name, 0);
}

static void load(struct draft_work *work, int folder, struct err *err)
{
	int copy = dup(folder);
	DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
	if (!dir) {
		if (copy >= 0)
			close(copy);
		fail(err, work->folder, "cannot be listed");
		return;
	}
	work->found = mem_new(DRAFT_FILES_MAX, sizeof(*work->found));
	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
		struct draft_found *found = &work->found[work->found_count];
		char id[DRAFT_ID_SIZE];
		sweep(folder, entry->d_name);
		if (!id_of(entry->d_name, id))
			continue;
		if (work->found_count == DRAFT_FILES_MAX) {
			work->left_over++;
			continue;
		}
		memcpy(found->id, id, sizeof(found->id));
		read_file(found, folder, entry->d_name);
		work->found_count++;
	}
	closedir(dir);
}

/* --- writing --- */

static bool write_bytes(const struct draft_work *work, int fd, struct err *err)
{
	for (size_t at = 0; at < work->len;) {
		ssize_t put = write(fd, work->bytes + at, work->len - at);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return fail(err, work->folder, "a draft cannot be written");
		at += (size_t)put;
	}
	return true;
}

/* Takes fd. */
static bool finish(struct draft_work *work, int folder, int fd, const char *beside,
		   const char *name, struct err *err)
{
	struct stat status = { 0 };
	bool ok = write_bytes(work, fd, err);
	if (ok && (fsync(fd) != 0 || fstat(fd, &status) != 0))
		ok = fail(err, work->folder, "a draft cannot be flushed");
	if (close(fd) != 0 && ok)
		ok = fail(err, work->folder, "a draft cannot be written");
	if (ok && renameat(folder, beside, folder, name) != 0)
		ok = fail(err, work->folder, "a draft cannot be put in its place");
	if (!ok)
		return false;
	(void)fsync(folder); /* some file systems cannot; the file itself is flushed */
	work->stamp = stamp_of(&status);
	return true;
}

static void save(struct draft_work *work, int folder, const char *name, struct err *err)
{
	char beside[NAME_SIZE];
	(void)snprintf(beside, sizeof(beside), "%s.%ld%s", work->id, (long)getpid(), BESIDE);
	unlinkat(folder, beside, 0); /* of an earlier process with this number */
	int fd = openat(folder, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		fail(err, work->folder, "a draft's file cannot be made");
	else if (!finish(work, folder, fd, beside, name, err))
		unlinkat(folder, beside, 0);
}

/* Whether the file is another one than this program knows. One that is gone is not: whoever
 * removed it has not written anything that could be lost. */
static bool is_another(const struct draft_work *work, int folder, const char *name)
{
	struct stat status = { 0 };
	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	const struct disk_stamp stamp = stamp_of(&status);
	return !disk_stamp_equal(&stamp, &work->expected);
}

static void change(struct draft_work *work, int folder, struct err *err)
{
	char name[NAME_SIZE], aside[NAME_SIZE];
	name_file(work->id, ENDING, name);
	name_file(work->id, ENDING ASIDE, aside);
	int lock = folder_lock(folder, LOCK_NAME, work->folder, err);
	if (lock < 0)
		return;
	work->conflict = is_another(work, folder, name);
	if (work->conflict)
		; /* left to whoever has written it */
	else if (work->verb == DRAFT_DISK_SAVE)
		save(work, folder, name, err);
	else if (work->verb == DRAFT_DISK_REMOVE) {
		if (unlinkat(folder, name, 0) != 0 && errno != ENOENT)
			fail(err, work->folder, "a draft cannot be removed");
	} else if (renameat(folder, name, folder, aside) != 0) {
		fail(err, work->folder, "a draft cannot be set aside");
	}
	close(lock);
}

static void run(void *self, struct err *err)
{
	struct draft_work *work = self;
	bool missing;
	int folder = open_folder(work->folder, work->verb == DRAFT_DISK_SAVE, &missing, err);
	if (folder < 0)
		return;
	if (work->verb == DRAFT_DISK_LOAD)
		load(work, folder, err);
	else
		change(work, folder, err);
	close(folder);
}

static void free_work(void *self)
{
	struct draft_work *work = self;
	for (size_t i = 0; i < work->found_count; i++) {
		wipe(&work->found[i].bytes, work->found[i].len);
		err_clear(&work->found[i].err);
	}
	free(work->found);
	wipe(&work->bytes, work->len);
	free(work->folder);
	free(work);
}

struct draft_work *draft_disk_work(enum draft_disk_verb verb, const char *folder, const char *id)
{
	struct draft_work *work = mem_new(1, sizeof(*work));
	work->verb = verb;
	work->folder = mem_copy_text(folder);
	(void)snprintf(work->id, sizeof(work->id), "%s", id ? id : "");
	return work;
}

uint64_t draft_disk_do(struct disk *disk, struct draft_work *work, disk_done_fn *done, void *ctx)
{
	return disk_run(disk, &(struct disk_work){ run, free_work, work }, done, ctx);
}
