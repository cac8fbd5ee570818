#define _GNU_SOURCE /* flock, O_NOFOLLOW */
#include "model/told_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model/base/folder.h"
#include "model/base/mem.h"

#define LOCK_TRIES    200
#define LOCK_PAUSE_NS 10000000 /* 10 ms: two seconds in all */
#define KEY_DIGITS    16

static bool fail(struct err *err, const char *what)
{
	err_set(err, ERR_IO, "%s: %s", what, strerror(errno));
	return err_subject(err, "%s", TOLD_FILE);
}

struct told_claim *told_claim_new(const char *folder, int64_t now_ms)
{
	struct told_claim *claim = mem_new(1, sizeof(*claim));
	claim->folder = mem_copy_text(folder);
	claim->now_ms = now_ms;
	return claim;
}

static void free_claim(void *self)
{
	struct told_claim *claim = self;
	free(claim->folder);
	free(claim);
}

static int open_file(const struct told_claim *claim, struct err *err)
{
	struct stat status;
	folder_make(claim->folder);
	int folder = folder_open(claim->folder, err);
	if (folder < 0)
		return -1;
	int fd = openat(folder, TOLD_FILE,
			O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
	if (fd < 0)
		fail(err, "cannot be opened");
	close(folder);
	if (fd >= 0 && (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
			status.st_uid != geteuid() || status.st_size > 2 * (off_t)TOLD_FILE_MAX)) {
		err_set(err, ERR_IO, "is no file of this program");
		err_subject(err, "%s", TOLD_FILE);
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool lock(int fd, struct err *err)
{
	const struct timespec pause = { .tv_nsec = LOCK_PAUSE_NS };
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK && errno != EINTR)
			break;
		nanosleep(&pause, NULL);
	}
	return fail(err, "cannot be locked");
}

static bool read_all(int fd, struct buf *text, struct err *err)
{
	char bytes[4096];
	ssize_t got;
	while ((got = read(fd, bytes, sizeof(bytes))) != 0) {
		if (got < 0 && errno != EINTR)
			return fail(err, "cannot be read");
		if (got > 0 && !buf_add(text, bytes, (size_t)got))
			return err_set(err, ERR_TOO_BIG, "is too large");
	}
	return true;
}

/* False: the line is none of ours. */
static bool read_line(const char *line, uint64_t *key, int64_t *told_ms)
{
	char *end = NULL;
	size_t digits = strspn(line, "0123456789abcdef");
	if (digits != KEY_DIGITS || line[digits] != ' ')
		return false;
	*key = strtoull(line, &end, 16);
	errno = 0;
	long long seconds = strtoll(line + digits + 1, &end, 10);
	if (errno || end == line + digits + 1 || *end != '\n' || seconds < 0 ||
	    seconds > INT64_MAX / 1000)
		return false;
	*told_ms = (int64_t)seconds * 1000;
	return true;
}

/* One that lies ahead was written by a clock that was wrong. */
static bool is_recent(const struct told_claim *claim, int64_t told_ms)
{
	int64_t age_ms = claim->now_ms - told_ms;
	return age_ms < TOLD_KEEP_MS && age_ms > -TOLD_KEEP_MS;
}

/* Keeps the lines of the last day in recent. */
static void take_lines(struct told_claim *claim, const char *at, struct buf *recent)
{
	while (*at) {
		const char *line = at;
		uint64_t key;
		int64_t told_ms;
		at += strcspn(at, "\n");
		at += *at ? 1 : 0;
		if (!read_line(line, &key, &told_ms) || !is_recent(claim, told_ms))
			continue;
		buf_add(recent, line, (size_t)(at - line));
		for (size_t i = 0; i < claim->count; i++)
			if (claim->keys[i] == key)
				claim->ours[i] = false;
	}
}

static bool write_all(int fd, const struct buf *text, struct err *err)
{
	for (size_t at = 0; at < text->len;) {
		ssize_t done = write(fd, text->data + at, text->len - at);
		if (done < 0 && errno != EINTR)
			return fail(err, "cannot be written");
		at += done > 0 ? (size_t)done : 0;
	}
	return true;
}

/* In place, since the lock is on it: what a crash in the middle loses is told again. */
static bool rewrite(int fd, struct buf *recent, struct err *err)
{
	size_t over = recent->len > TOLD_FILE_MAX / 2 ? recent->len - TOLD_FILE_MAX / 2 : 0;
	while (over > 0 && over < recent->len && recent->data[over - 1] != '\n')
		over++;
	buf_drop(recent, over);
	if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0)
		return fail(err, "cannot be written");
	return write_all(fd, recent, err);
}

static void claim_in(struct told_claim *claim, int fd, struct err *err)
{
	struct buf text, recent, added;
	buf_init(&text, 2 * TOLD_FILE_MAX);
	buf_init(&recent, 2 * TOLD_FILE_MAX);
	buf_init(&added, TOLD_KEYS_MAX * 64);
	bool ok = lock(fd, err) && read_all(fd, &text, err);
	if (ok)
		take_lines(claim, buf_text(&text), &recent);
	for (size_t i = 0; i < claim->count; i++)
		if (claim->ours[i])
			buf_addf(&added, "%016" PRIx64 " %" PRId64 "\n", claim->keys[i],
				 claim->now_ms / 1000);
	if (ok && text.len > TOLD_FILE_MAX)
		ok = rewrite(fd, &recent, err);
	else if (ok && text.len > 0 && text.data[text.len - 1] != '\n')
		ok = rewrite(fd, &recent, err); /* a line was cut short */
	if (ok && (lseek(fd, 0, SEEK_END) < 0 || !write_all(fd, &added, err)) &&
	    err->code == ERR_NONE)
		fail(err, "cannot be written");
	buf_release(&text);
	buf_release(&recent);
	buf_release(&added);
}

static void run(void *self, struct err *err)
{
	struct told_claim *claim = self;
	for (size_t i = 0; i < claim->count; i++)
		claim->ours[i] = true;
	int fd = open_file(claim, err);
	if (fd < 0)
		return;
	claim_in(claim, fd, err);
	close(fd);
}

uint64_t told_claim(struct disk *disk, struct told_claim *claim, disk_done_fn *done, void *ctx)
{
	const struct disk_work work = { run, free_claim, claim };
	return disk_run(disk, &work, done, ctx);
}
