/*
 * Submits, once and only once: the intent is on disk before the call that creates the job; whatever
 * leaves the outcome open, the name is described until it is known; the same text is sent again
 * under the same name only where there is no such job and the yes is not older than 15 minutes.
 * What an earlier run of the program left open is settled in the same way.
 */
#ifndef GPUQ_SUBMITTER_H
#define GPUQ_SUBMITTER_H

#include "aws/client.h"
#include "model/base/disk.h"
#include "model/journal.h"
#include "model/request.h"

enum submit_outcome {
	SUBMIT_DONE,    /* arn is the job's */
	SUBMIT_REFUSED, /* there is no such job: err says what AWS said, or why nothing was sent */
	SUBMIT_TAKEN,   /* arn is that of another job of this name; err tells */
	SUBMIT_HELD,    /* nothing was sent: another program is at it, or has sent it; err tells */
	SUBMIT_STALE,   /* there is no such job, and the yes is too old: only after asking anew */
	SUBMIT_OPEN,    /* not known yet; err.outcome_open. Another answer follows once it is */
};

/* Borrowed for the call back. */
struct submit_answer {
	enum submit_outcome outcome;
	enum job_kind kind;
	const char *name;
	const char *draft;     /* of the order; "" = none */
	const char *arn;       /* NULL but for DONE and TAKEN, and HELD by one that was submitted */
	const struct err *err; /* NULL for DONE */
	bool late; /* of a record that an earlier run left, or after OPEN: tell in one line */
	int64_t agreed_ms; /* by AWS's clock */
};

struct submitter_options {
	struct aws_client *client; /* of SERVICE_SAGEMAKER; borrowed, as the next three */
	struct disk *disk;
	const struct clock *clock;
	struct wait_hooks hooks; /* its time: submitter_wake */
	/* Read-only: nothing is sent. What earlier runs left is settled as far as looking does, and
	 * told as OPEN, with its record kept, where it would have to be sent again. */
	bool looks_only;
	/* AWS's clock minus the machine's, unset while nobody has told it. NULL: the client's. */
	struct opt_ms (*skew)(void *ctx);
	/* Once for every order and every record that is settled; after OPEN once more. */
	void (*answered)(void *ctx, const struct submit_answer *answer);
	/* What is being done for a name after the first send, as a sentence. May be NULL. */
	void (*progress)(void *ctx, const char *name, const char *text);
	/* All that submitter_settle found has had its answer, OPEN included. May be NULL. */
	void (*settled)(void *ctx);
	/* A record that cannot be read or written, a folder that cannot be used, or a submission
	 * that is another program's; in one line. */
	void (*trouble)(void *ctx, const struct err *err);
	void *ctx;
};

struct submitter;

struct submitter *submitter_new(const struct submitter_options *options);
/* What is under way stays in the journal as it is: the next run settles it. NULL is accepted. */
void submitter_free(struct submitter *submitter);

/* Where the records lie and whose they are, once it is known; what was given before waits for it.
 * Another place later counts only while nothing is under way. Texts are copied. */
struct submitter_place {
	const char *folder; /* the state folder's path */
	const char *account, *region, *endpoint;
	const char *access_key; /* "" = not known */
};
void submitter_open(struct submitter *submitter, const struct submitter_place *place);

/* Sends an order, which is copied. Answers later, never from inside. */
void submitter_send(struct submitter *submitter, const struct order *order);

/* Settles what earlier runs left open. but: the key of a record that is left for an order to take
 * up; NULL = none. */
void submitter_settle(struct submitter *submitter, const char *but);

/* The user does not want it any more (C-c): what has not been sent is taken out of the journal, and
 * what may have been is not sent again without asking; the next run tells what became of it. */
void submitter_take_back(struct submitter *submitter);

/* The same for one of them, and the program goes on: WITHDRAWN, it will not be sent; LATE, it may
 * have been. The answer comes as ever, STALE where no job has come of it. */
enum withdrawal submitter_withdraw(struct submitter *submitter, enum job_kind kind,
				   const char *name);

/* Nothing is under way, not even a reading. */
bool submitter_is_idle(const struct submitter *submitter);
/* Orders without an answer. */
unsigned submitter_under_way(const struct submitter *submitter);

/* From the loop: the wanted time has come. */
void submitter_wake(struct submitter *submitter);

#endif
