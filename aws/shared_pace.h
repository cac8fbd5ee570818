/*
 * The pace that all gpuq processes of this user have in common for one account and region, seen
 * from one of them: visits to the file of turns (aws/pace_file.h) on the disk's thread. Where that
 * cannot be done, the process goes by its own pace, says so once, and tries again later.
 *
 * Whose calls are counted is known before the first one: the account, as the source of the
 * credentials tells it, or STS, or the access key id itself; else the access key stands for it.
 * Behind an endpoint of the user's own it is that endpoint, whoever signs.
 */
#ifndef GPUQ_SHARED_PACE_H
#define GPUQ_SHARED_PACE_H

#include "aws/credentials.h"
#include "aws/pace_file.h"
#include "model/base/disk.h"

struct shared_pace_options {
	struct disk *disk;         /* borrowed */
	const struct clock *clock; /* read on the disk's thread too; copied */
	const char *group;         /* pace_dir; NULL = a folder of this user's own */
	const char *region;
	const char *own_host; /* of an endpoint that is not AWS's; NULL: it is */
	struct credentials_source source;
	/* Once, perhaps from inside shared_pace_new: what stands in the way; the own pace serves
	 * meanwhile. Or ERR_PARSE: the file was damaged, and goes on from nothing. May be NULL. */
	void (*trouble)(void *ctx, const struct err *err);
	void *ctx;
};

struct shared_pace;

/* Never NULL. Copies the options but for what is borrowed. */
struct shared_pace *shared_pace_new(const struct shared_pace_options *options);
/* After all who ask, before the disk. NULL is accepted. */
void shared_pace_free(struct shared_pace *shared);

/* Who signs, as STS says. */
void shared_pace_set_account(struct shared_pace *shared, const char *account);

/* found is borrowed; NULL: it cannot be had, the own pace has to do. */
typedef void shared_pace_fn(void *ctx, const struct pace_found *found);

/*
 * Asks for a visit; its texts are borrowed for ever. Calls back later from the loop, and returns an
 * id for shared_pace_forget; 0 where the own pace has to do for now. done may be NULL.
 */
uint64_t shared_pace_visit(struct shared_pace *shared, const struct pace_visit *visit,
			   shared_pace_fn *done, void *ctx);
void shared_pace_forget(struct shared_pace *shared, uint64_t id);
/* A visit has not come back in time: the disk hangs. */
void shared_pace_note_silent(struct shared_pace *shared);

struct shared_pace_status {
	bool working;              /* the newest visit went well */
	unsigned started;          /* list calls of all processes in the last 10 s, as of that */
	int64_t ahead_ms;          /* how far the turns that are taken reached, as of that */
	const char *path;          /* borrowed; "" before the first */
	const struct err *trouble; /* borrowed; NULL = none */
};
struct shared_pace_status shared_pace_status(const struct shared_pace *shared);

#endif
