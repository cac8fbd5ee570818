#define _GNU_SOURCE /* O_DIRECTORY and others beside what POSIX has */
#include "aws/pace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "aws/config_files.h"
#include "model/base/hash.h"

#define LOCK_PAUSE_MS 5
#define OPEN_TRIES    8 /* somebody makes or removes the file at the same time */

/* --- names --- */

static void set_path(char out[PACE_PATH_SIZE], const char *path)
{
	bool usable = path && path[0] == '/' && strlen(path) < PACE_PATH_SIZE;

	snprintf(out, PACE_PATH_SIZE, "%s", usable ? path : "");
}

bool pace_place_init(struct pace_place *place, const char *group, struct err *err)
{
	unsigned long user = geteuid();
	char *whole = group ? config_path_expand(group) : NULL;

	*place = (struct pace_place){ 0 };
	set_path(place->group, whole);
	free(whole);
	if (group && !place->group[0]) {
		err_set(err, ERR_CONFIG, "is no folder's whole path");
		return err_subject(err, "pace_dir");
	}
	set_path(place->privates[0], getenv("XDG_RUNTIME_DIR"));
	snprintf(place->privates[1], PACE_PATH_SIZE, "/run/user/%lu", user);
	snprintf(place->made, PACE_PATH_SIZE, "/tmp/gpuq-%lu", user);
	return true;
}

void pace_place_name(struct pace_place *place, const char *region, const char *whose)
{
	char hash[17];

	snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)hash_text(whose));
	/* An account's number says more to who looks into the folder. */
	snprintf(place->file, sizeof(place->file), "gpuq-%s-%.16s.pace", region,
		 whose[strspn(whose, "0123456789")] ? hash : whose);
}

/* --- folder and file --- */

static bool refuse(struct err *err, const char *path, const char *why)
{
	err_set(err, ERR_IO, "%s", why);
	return err_subject(err, "%s", path);
}

static bool fail(struct err *err, const char *path, const char *what)
{
	err_set(err, ERR_IO, "%s: %s", what, strerror(errno));
	return err_subject(err, "%s", path);
}

/* NULL: nothing. */
static const char *wrong_with_folder(const struct stat *status, bool is_group)
{
	if (is_group)
		return (status->st_mode & S_IWOTH) && !(status->st_mode & S_ISVTX)
			       ? "may be written by everybody, and is not sticky"
			       : NULL;
	if (status->st_uid != geteuid())
		return "belongs to another user";
	return status->st_mode & 077 ? "is open to others" : NULL;
}

/* A descriptor, or -1 with err. */
static int open_folder(const char *path, bool is_group, struct err *err)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	const char *wrong;

	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		refuse(err, path, "is a link, or no folder");
	else if (fd < 0)
		fail(err, path, "cannot be opened");
	if (fd < 0)
		return -1;
	wrong = fstat(fd, &status) == 0 ? wrong_with_folder(&status, is_group)
					: "cannot be looked at";
	if (!wrong)
		return fd;
	refuse(err, path, wrong);
	close(fd);
	return -1;
}

static int open_place(const struct pace_place *place, const char **path, struct err *err)
{
	*path = place->group;
	if (place->group[0])
		return open_folder(place->group, true, err);
	for (size_t i = 0; i < ARRAY_LEN(place->privates); i++) {
		struct err passed = { 0 };
		int fd = -1;

		*path = place->privates[i];
		if (**path)
			fd = open_folder(*path, false, &passed);
		err_clear(&passed);
		if (fd >= 0)
			return fd;
	}
	*path = place->made;
	if (mkdir(place->made, 0700) != 0 && errno != EEXIST) {
		fail(err, place->made, "cannot be made");
		return -1;
	}
	return open_folder(place->made, false, err);
}

static const char *wrong_with_file(const struct stat *status, bool is_group)
{
	if (!S_ISREG(status->st_mode))
		return "is not a plain file";
	if (status->st_nlink > 1)
		return "has other names";
	if (is_group)
		return status->st_mode & S_IWOTH ? "may be written by everybody" : NULL;
	if (status->st_uid != geteuid())
		return "belongs to another user";
	return status->st_mode & 077 ? "is open to others" : NULL;
}

/* Found first and made only then: in a sticky folder the kernel lets nobody "make" another's. */
static int open_or_make(int folder, const char *name, bool is_group)
{
	const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	mode_t mode = is_group ? 0660 : 0600;
	int fd = openat(folder, name, flags);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	fd = openat(folder, name, flags | O_CREAT | O_EXCL, mode);
	if (fd >= 0 && fchmod(fd, mode) != 0) { /* whatever the umask */
		close(fd);
		return -1;
	}
	return fd;
}

static int64_t real_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool lock(int fd, const char *path, struct err *err)
{
	const struct timespec pause = { .tv_nsec = LOCK_PAUSE_MS * 1000000L };
	int64_t end_ms = real_ms() + PACE_LOCK_MS;

	while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return fail(err, path, "cannot be locked");
		if (real_ms() >= end_ms)
			return refuse(err, path, "has been locked for a second by somebody");
		nanosleep(&pause, NULL);
	}
	return true;
}

/* Locked, and still the file of that name: -1 with err, or errno EAGAIN without. */
static int open_locked(int folder, const char *name, const char *path, bool is_group,
		       struct err *err)
{
	struct stat status;
	int fd = open_or_make(folder, name, is_group);
	const char *wrong = NULL;
	bool fine;

	if (fd < 0) {
		if (errno != EEXIST)
			fail(err, path, "cannot be opened");
		return -1;
	}
	fine = fstat(fd, &status) == 0 || fail(err, path, "cannot be looked at");
	if (fine)
		wrong = wrong_with_file(&status, is_group);
	fine = fine && (!wrong || refuse(err, path, wrong)) && lock(fd, path, err);
	/* Whoever removed it meanwhile has others look at another one. */
	if (fine && fstat(fd, &status) == 0 && status.st_nlink == 1)
		return fd;
	close(fd);
	return -1;
}

static int open_file(int folder, const char *name, const char *path, bool is_group, struct err *err)
{
	for (int i = 0; i < OPEN_TRIES; i++) {
		int fd = open_locked(folder, name, path, is_group, err);

		if (fd >= 0 || err->code != ERR_NONE)
			return fd;
	}
	refuse(err, path, "is removed again and again");
	return -1;
}

/* --- what is in it --- */

/* Which start of the machine this is, as one word. */
static void read_boot(char boot[TURNS_BOOT_SIZE])
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!file || !fgets(boot, TURNS_BOOT_SIZE, file))
		boot[0] = '\0';
	boot[strspn(boot, "0123456789abcdef-")] = '\0';
	if (!boot[0])
		snprintf(boot, TURNS_BOOT_SIZE, "unknown");
	if (file)
		fclose(file);
}

static bool read_turns(int fd, const char *path, const char *boot, int64_t now_ms,
		       struct turns *turns, bool *damaged, struct err *err)
{
	char text[TURNS_TEXT_MAX + 1];
	size_t len = 0;
	ssize_t got;

	while (len < sizeof(text) &&
	       (got = pread(fd, text + len, sizeof(text) - len, (off_t)len)) != 0) {
		if (got < 0 && errno != EINTR)
			return fail(err, path, "cannot be read");
		len += got > 0 ? (size_t)got : 0;
	}
	if (len > TURNS_TEXT_MAX)
		return refuse(err, path, "is too long to be gpuq's");
	/* Nobody has written yet, or died before. */
	*damaged = !turns_read(turns, text, len, boot, now_ms) && len > 0;
	return true;
}

static bool write_turns(int fd, const char *path, const char *boot, const struct turns *turns,
			struct err *err)
{
	struct buf text;
	bool ok = true;

	buf_init(&text, TURNS_TEXT_MAX);
	turns_write(turns, boot, &text);
	for (size_t at = 0; ok && at < text.len;) {
		ssize_t put = pwrite(fd, buf_text(&text) + at, text.len - at, (off_t)at);

		ok = put > 0 || (put < 0 && errno == EINTR);
		at += put > 0 ? (size_t)put : 0;
	}
	ok = ok && ftruncate(fd, (off_t)text.len) == 0;
	buf_release(&text);
	return ok || fail(err, path, "cannot be written");
}

static void change(struct turns *turns, const struct pace_visit *visit, int64_t now_ms,
		   struct pace_found *found)
{
	if (visit->throttles > 0)
		turns_note_throttled(turns, visit->op, visit->throttles, now_ms);
	if (visit->at_once) {
		turns_take_now(turns, visit->op, now_ms);
		found->taken = true;
		found->at_ms = now_ms;
	} else if (visit->gap_ms > 0) {
		found->taken = turns_take(turns, visit->op, visit->gap_ms, now_ms, &found->at_ms);
	}
	found->slowdown = turns_slowdown(turns, visit->op);
	found->started = turns_started(turns, now_ms);
	found->ahead_ms = turns->count ? turns->turns[turns->count - 1].at_ms - now_ms : 0;
	if (found->ahead_ms < 0)
		found->ahead_ms = 0;
}

static bool visit_locked(int fd, const struct clock *clock, const struct pace_visit *visit,
			 struct pace_found *found, struct err *err)
{
	struct turns turns = { 0 };
	char boot[TURNS_BOOT_SIZE];
	int64_t now_ms = clock_mono_ms(clock);

	read_boot(boot);
	if (!read_turns(fd, found->path, boot, now_ms, &turns, &found->damaged, err))
		return false;
	change(&turns, visit, now_ms, found);
	return write_turns(fd, found->path, boot, &turns, err);
}

bool pace_file_visit(const struct pace_place *place, const struct clock *clock,
		     const struct pace_visit *visit, struct pace_found *found, struct err *err)
{
	const char *path;
	int folder = open_place(place, &path, err), fd;
	bool ok;

	*found = (struct pace_found){ 0 };
	if (folder < 0)
		return false;
	if (snprintf(found->path, sizeof(found->path), "%s/%s", path, place->file) >=
	    (int)sizeof(found->path)) {
		close(folder);
		return refuse(err, path, "has too long a path");
	}
	fd = open_file(folder, place->file, found->path, place->group[0] != '\0', err);
	close(folder);
	if (fd < 0)
		return false;
	ok = visit_locked(fd, clock, visit, found, err);
	close(fd); /* and the lock with it */
	return ok;
}
