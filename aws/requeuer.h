/*
 * Carries out requeues, several at once: what model/requeue says comes next is written to the
 * journal, then done. A requeue that an earlier run left is taken up from its step. The record is
 * kept by the old job's name, so that of two programs one requeues it; the new job's creation is
 * the submitter's, with an intent of its own.
 */
#ifndef GPUQ_REQUEUER_H
#define GPUQ_REQUEUER_H

#include "aws/submitter.h"
#include "model/requeue.h"

#define REQUEUER_FOLDER     "requeue" /* in the state folder */
#define REQUEUER_PACE_MS    500       /* between the starts of two: bursts are what throttles */
#define REQUEUER_OVERLAP_OF 2         /* refreshes that both jobs may be there */

struct requeuer_options {
	struct aws_client *client; /* borrowed, as the next two */
	struct disk *disk;
	const struct clock *clock;
	struct wait_hooks hooks; /* its time: requeuer_wake */
	int64_t refresh_ms;      /* between two looks */
	bool looks_only;         /* read-only: what earlier runs left is named, and left */
	/* Has the new job created once; each answer is handed to requeuer_submitted. */
	void (*create)(void *ctx, const struct order *order);
	/* At each step, and at the end. */
	void (*told)(void *ctx, const struct requeue_told *told);
	/* What a look has shown; job NULL: there is none. The call back may take the job. */
	void (*seen)(void *ctx, enum job_kind kind, const char *name, struct job *job);
	/* A record that cannot be read or written, or that is another program's; in one line. */
	void (*trouble)(void *ctx, const struct err *err);
	/* What requeuer_resume found has been taken up. May be NULL. */
	void (*resumed)(void *ctx);
	void *ctx;
};

struct requeuer;
struct requeuer *requeuer_new(const struct requeuer_options *options);
/* What is under way stays in the journal as it is. NULL is accepted. */
void requeuer_free(struct requeuer *requeuer);

/* Where the records lie; what was given before waits for it. */
void requeuer_open(struct requeuer *requeuer, const struct submitter_place *place);

/* Begins one; copied. The answers come by told, never from inside. */
void requeuer_start(struct requeuer *requeuer, const struct requeue_wish *wish);

/* Takes up what earlier runs left. Once the submitter has settled what they left to it. */
void requeuer_resume(struct requeuer *requeuer);

/* An answer of the submitter; false: it is of none of these requeues. */
bool requeuer_submitted(struct requeuer *requeuer, const struct submit_answer *answer);

/* Takes back the requeue of that old job, where its new one is not on its way yet; a new one that
 * is there is stopped again, unless a stop of the old one may have been sent. How it ends is told.
 */
enum withdrawal requeuer_withdraw(struct requeuer *requeuer, enum job_kind kind,
				  const char *old_name);
/* The same for all that this run has begun; how many can be. */
size_t requeuer_withdraw_all(struct requeuer *requeuer);

/* Requeues that have not ended. */
size_t requeuer_left(const struct requeuer *requeuer);

/* From the loop: the wanted time has come. */
void requeuer_wake(struct requeuer *requeuer);

#endif
