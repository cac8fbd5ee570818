#define _GNU_SOURCE /* O_DIRECTORY and others beside what POSIX has, explicit_bzero */
#include "model/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/process.h"

#define BLOCK          4096
#define PATH_MAX_BYTES 4096

struct work {
	char *folder, *name; /* owned */
	char *text;          /* owned, wiped */
	int lock;            /* of scratch_make; -1 = none */
};

/* Up to the process: what all programs on this machine begin theirs with. */
static void add_beginning(char out[SCRATCH_NAME_SIZE])
{
	struct process self;
	process_self(&self);
	(void)snprintf(out, SCRATCH_NAME_SIZE, "edit-%s-", self.machine);
}

void scratch_name(unsigned number, char out[SCRATCH_NAME_SIZE])
{
	char beginning[SCRATCH_NAME_SIZE];
	add_beginning(beginning);
	(void)snprintf(out, SCRATCH_NAME_SIZE, "%.60s%ld-%u", beginning, (long)getpid(), number);
}

static bool fail(struct err *err, const char *path, const char *what)
{
	err_set(err, ERR_IO, "%s: %s", what, strerror(errno));
	return err_subject(err, "%s", path);
}

static void make_parents(const char *path)
{
	char *copy = mem_copy_text(path);
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(copy, 0700); /* whether it worked, the next step finds out */
		*slash = '/';
	}
	free(copy);
}

static bool write_all(int fd, const char *text)
{
	for (size_t at = 0, len = strlen(text); at < len;) {
		ssize_t put = write(fd, text + at, len - at);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		at += (size_t)put;
	}
	return true;
}

static void make(void *self, struct err *err)
{
	struct work *work = self;
	make_parents(work->folder);
	int folder = mkdir(work->folder, 0700) == 0
			     ? open(work->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
			     : -1;
	if (folder < 0) {
		fail(err, work->folder, "cannot be made");
		return;
	}
	work->lock = folder;
	/* Where there are no locks, nobody gets one to remove it by. */
	if (flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		fail(err, work->folder, "another program is removing it");
		return;
	}
	int fd = openat(folder, work->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);
	bool ok = fd >= 0 && write_all(fd, work->text);
	if (fd >= 0 && close(fd) != 0)
		ok = false;
	if (!ok)
		fail(err, work->folder, "the file to edit cannot be written");
}

/* Over the blocks that it has, where the file system writes in place. */
static void wipe_file(int folder, const char *name)
{
	static const char zeros[BLOCK];
	struct stat status;
	int fd = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
		for (off_t at = 0; at < status.st_size; at += BLOCK) {
			off_t left = status.st_size - at;
			if (pwrite(fd, zeros, left < BLOCK ? (size_t)left : BLOCK, at) < 0)
				break;
		}
		(void)fsync(fd);
	}
	close(fd);
}

/* Takes the descriptor of the folder, which may be -1. */
static void remove_folder(int folder, const char *path, struct err *err)
{
	DIR *dir = folder >= 0 ? fdopendir(folder) : NULL;
	if (!dir) {
		fail(err, path, "cannot be removed");
		if (folder >= 0)
			close(folder);
		return;
	}
	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		wipe_file(folder, entry->d_name);
		unlinkat(folder, entry->d_name, 0);
	}
	if (rmdir(path) != 0)
		fail(err, path, "cannot be removed");
	closedir(dir);
}

static void remove_all(void *self, struct err *err)
{
	const struct work *work = self;
	remove_folder(open(work->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
		      work->folder, err);
}

/* Whoever has the lock has nobody to wait for. */
static void remove_left(int parent, const char *folder, const char *name, struct err *err)
{
	struct buf path;
	int left = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (left < 0)
		return;
	if (flock(left, LOCK_EX | LOCK_NB) != 0) {
		close(left);
		return;
	}
	buf_init(&path, PATH_MAX_BYTES);
	buf_addf(&path, "%s/%s", folder, name);
	remove_folder(left, buf_text(&path), err);
	buf_release(&path);
}

/* A parent that is not there has nothing in it. */
static void sweep(void *self, struct err *err)
{
	const struct work *work = self;
	char beginning[SCRATCH_NAME_SIZE];
	int parent = open(work->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = parent >= 0 ? fdopendir(parent) : NULL;
	size_t removed = 0;
	if (!dir) {
		if (parent >= 0)
			close(parent);
		return;
	}
	add_beginning(beginning);
	for (struct dirent *entry = readdir(dir); entry && removed < SCRATCH_SWEEP_MAX;
	     entry = readdir(dir)) {
		if (strncmp(entry->d_name, beginning, strlen(beginning)) != 0)
			continue;
		remove_left(parent, work->folder, entry->d_name, err);
		removed++;
	}
	closedir(dir);
}

static void free_work(void *self)
{
	struct work *work = self;
	if (work->lock >= 0)
		close(work->lock);
	if (work->text)
		explicit_bzero(work->text, strlen(work->text));
	free(work->text);
	free(work->folder);
	free(work->name);
	free(work);
}

static uint64_t start(struct disk *disk, void (*run)(void *self, struct err *err),
		      const struct work *of, disk_done_fn *done, void *ctx)
{
	struct work *work = mem_new(1, sizeof(*work));
	work->folder = mem_copy_text(of->folder);
	work->name = mem_copy_text(of->name);
	work->text = mem_copy_text(of->text);
	work->lock = -1;
	return disk_run(disk, &(struct disk_work){ run, free_work, work }, done, ctx);
}

uint64_t scratch_make(struct disk *disk, const char *folder, const char *name, const char *text,
		      disk_done_fn *done, void *ctx)
{
	const struct work work = { (char *)folder, (char *)name, (char *)text, -1 };
	return start(disk, make, &work, done, ctx);
}

uint64_t scratch_remove(struct disk *disk, const char *folder)
{
	const struct work work = { .folder = (char *)folder };
	return start(disk, remove_all, &work, NULL, NULL);
}

int scratch_take_lock(const struct disk_result *made)
{
	struct work *work = made->work;
	int lock = work->lock;
	work->lock = -1;
	return lock;
}

uint64_t scratch_sweep(struct disk *disk, const char *parent)
{
	const struct work work = { .folder = (char *)parent };
	return start(disk, sweep, &work, NULL, NULL);
}
