/*
 * Drafts are kept on disk: what changes is written within a second, what was kept is found again by
 * the next start, and nothing of it waits for the disk. The drafts are their owner's; here is known
 * which of them lie where, and in which version.
 */
#ifndef GPUQ_DRAFT_STORE_H
#define GPUQ_DRAFT_STORE_H

#include "model/base/clock.h"
#include "model/draft.h"

#define DRAFT_SAVE_MS  250  /* from a change to its write: keys pressed meanwhile go with it */
#define DRAFT_RETRY_MS 5000 /* after a write that failed */
#define DRAFT_HANGS_MS 3000 /* a write that takes longer is told of */

struct draft_store_options {
	const struct clock *clock; /* borrowed */
	const char *writer;        /* who this is, for people who look into a file; copied */
	/* The loop: events of the store's descriptor go to draft_store_ready; wake_in asks for
	 * draft_store_wake in ms, once, in place of what was asked before; negative: not any more.
	 */
	void (*watch)(void *host, int fd, short events);
	void (*wake_in)(void *host, int64_t ms);
	void *host;
	/* A draft that an earlier start has left: the owner's now. */
	void (*found)(void *ctx, struct draft *draft);
	/* Another program has changed the draft's file: this one goes on under a new id, which the
	 * owner gives it (draft_set_id). */
	void (*parted)(void *ctx, struct draft *draft, const char *new_id);
	/* What a person has to know, once; a sentence. */
	void (*said)(void *ctx, const char *text);
	/* Changes do not reach the disk: why, as a sentence; NULL: they do again. */
	void (*trouble)(void *ctx, const char *why);
	void *ctx;
};

struct draft_store;

/* Touches no disk. Never NULL. */
struct draft_store *draft_store_new(const struct draft_store_options *options);
/* Writes what is not written yet, for two seconds at most; tells nobody. The drafts must still be
 * there. NULL is accepted. */
void draft_store_free(struct draft_store *store);

/*
 * The folder of the place where the program is; what lies there is offered. Drafts of another place
 * stay in theirs. passing: a folder that stands in until the place is known whole: what is kept in
 * it moves into the next one. The same folder again: nothing happens.
 */
void draft_store_open(struct draft_store *store, const char *folder, bool passing);

/* It has changed, or is new: it is written soon. Borrowed until draft_store_dropped. */
void draft_store_changed(struct draft_store *store, struct draft *draft);
/* It goes, and so does its file. Before it is freed; one that was never told of is nothing. */
void draft_store_dropped(struct draft_store *store, const struct draft *draft);
/* It lies in the folder of the place where the program is, or in none yet. */
bool draft_store_is_here(const struct draft_store *store, const struct draft *draft);
/* How many changed drafts are not on disk. */
size_t draft_store_unsaved(const struct draft_store *store);

void draft_store_ready(struct draft_store *store);
void draft_store_wake(struct draft_store *store);

#endif
