#include "aws/price_claim.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model/base/buf.h"
#include "model/base/folder.h"
#include "model/base/mem.h"

#define MARK_PATH_MAX 4096

static void free_claim(void *self)
{
	struct price_claim *claim = self;

	free(claim->mark);
	free(claim);
}

static struct disk_work work_on(const char *path, void (*run)(void *self, struct err *err))
{
	struct price_claim *claim = mem_new(1, sizeof(*claim));
	struct buf mark;

	buf_init(&mark, MARK_PATH_MAX);
	(void)buf_addf(&mark, "%s.asking", path); /* too long: the open says so */
	claim->mark = mem_copy_text(buf_text(&mark));
	buf_release(&mark);
	return (struct disk_work){ run, free_claim, claim };
}

static void make_folder_of(const char *mark)
{
	char *folder = mem_copy_text(mark);
	char *slash = strrchr(folder, '/');

	if (slash && slash != folder) {
		*slash = '\0';
		folder_make(folder);
	}
	free(folder);
}

static bool put(const char *mark)
{
	make_folder_of(mark);

	int fd = open(mark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* By the machine's clock, which gave the file its time; a jump of it makes a mark old. */
static bool is_young(const char *mark)
{
	struct stat file;
	struct timespec now;

	if (lstat(mark, &file) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0)
		return false;
	int64_t age_ms = ((int64_t)now.tv_sec - file.st_mtim.tv_sec) * 1000 +
			 (now.tv_nsec - file.st_mtim.tv_nsec) / 1000000;

	return age_ms > -PRICE_CLAIM_MS && age_ms < PRICE_CLAIM_MS;
}

static void take(void *self, struct err *err)
{
	struct price_claim *claim = self;

	(void)err; /* a folder that takes no mark costs a few calls more */
	if (put(claim->mark))
		return;
	claim->other = is_young(claim->mark);
	if (!claim->other && unlink(claim->mark) == 0)
		(void)put(claim->mark);
}

static void end(void *self, struct err *err)
{
	const struct price_claim *claim = self;

	(void)err; /* what stays is old in a moment */
	unlink(claim->mark);
}

struct disk_work price_claim_take(const char *path)
{
	return work_on(path, take);
}

struct disk_work price_claim_end(const char *path)
{
	return work_on(path, end);
}
