#define _GNU_SOURCE /* O_DIRECTORY, flock */
#include "model/base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model/base/mem.h"

#define LOCK_TRIES    400 /* two seconds: who holds it writes one file */
#define LOCK_PAUSE_NS 5000000

void folder_make(const char *path)
{
	char *copy = mem_copy_text(path);

	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(copy, 0700);
		*slash = '/';
	}
	mkdir(copy, 0700);
	free(copy);
}

static bool fail(struct err *err, const char *path, const char *what)
{
	err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: %s", what, strerror(errno));
	return err_subject(err, "%s", path);
}

static bool refuse(struct err *err, const char *path, const char *why)
{
	err_set(err, ERR_IO, "%s", why);
	return err_subject(err, "%s", path);
}

static bool is_ours_alone(int fd, const char *path, struct err *err)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return fail(err, path, "cannot be looked at");
	if (status.st_uid != geteuid())
		return refuse(err, path, "belongs to another user");
	return (status.st_mode & 077) == 0 || fchmod(fd, 0700) == 0 ||
	       fail(err, path, "cannot be closed to others");
}

int folder_open(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		refuse(err, path, "is a link, or no folder");
	else if (fd < 0)
		fail(err, path, "cannot be opened");
	if (fd < 0 || is_ours_alone(fd, path, err))
		return fd;
	close(fd);
	return -1;
}

/* Gone with its descriptor, and so with a program that is killed. */
int folder_lock(int folder, const char *name, const char *path, struct err *err)
{
	const struct timespec pause = { .tv_nsec = LOCK_PAUSE_NS };
	int fd = openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0) {
		fail(err, path, "its lock cannot be opened");
		return -1;
	}
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return fd;
		if (errno != EWOULDBLOCK && errno != EINTR)
			break;
		nanosleep(&pause, NULL);
	}
	fail(err, path, "cannot be locked");
	close(fd);
	return -1;
}
