/*
 * Submissions and requeues of one session: each answer comes back with the name that it is about.
 * They go through the journal, and what earlier runs left in it is settled first, then carried on.
 */
#ifndef GPUQ_CHANGES_H
#define GPUQ_CHANGES_H

#include "aws/requeuer.h"
#include "model/action_log.h"
#include "aws/sagemaker_jobs.h"
#include "aws/session.h"
#include "aws/stops.h"
#include "aws/submitter.h"
#include "aws/waits.h"

/* {0} with the owner's part set. */
struct changes {
	void (*answered)(void *ctx, const struct submit_answer *answer);
	/* The journal, in one line. */
	void (*told)(void *ctx, const struct err *err);
	/* What is done for a submission whose answer is not certain. */
	void (*progress)(void *ctx, const char *text);
	/* Each step of a requeue. */
	void (*requeued)(void *ctx, const struct requeue_told *told);
	/* What earlier runs left has been settled, or told as open, and the requeues among it have
	 * come to their ends. May be NULL. */
	void (*settled)(void *ctx);
	void *ctx;
	/* The owner's: the store's rows show what the looks of a requeue have shown. */
	struct stops *stops;
	struct action_log *actions; /* the owner's: what is done is taken down; NULL: it is not */
	/* of changes.c */
	struct session *session;
	struct submitter *submitter;
	char *folder; /* of the journal; owned; NULL while it is not known */
	struct requeuer *requeuer;
	bool is_settling; /* the owner waits for settled */
	struct waiter submitter_waiter, requeuer_waiter;
	/* what could not even be sent, told at the next turn */
	struct waiter waiter;
	enum job_kind refused_kind;
	char refused_name[JOB_NAME_SIZE], refused_draft[JOURNAL_DRAFT_SIZE];
	struct err refused;
};

/* The session stands: the journal is settled (but: as of submitter_settle), where it is read-only
 * by looking alone. The session lives until changes_leave. False: there is no place for a journal,
 * which is told, and nothing is settled. */
bool changes_connect(struct changes *changes, struct session *session, const char *but);
/* It may have become known who signs. */
void changes_note(struct changes *changes);

/* Answers come later, never from inside. Without a connection the answer says so. */
void changes_submit(struct changes *changes, struct session *session, const struct order *order);
/* As requeuer_start. False with err: there is no connection, or no place for a journal. */
bool changes_requeue(struct changes *changes, const struct requeue_wish *wish,
		     struct err *err) MUST_CHECK;
/* As requeuer_withdraw, and where that is too late, or old_name is NULL, as submitter_withdraw. */
enum withdrawal changes_withdraw(struct changes *changes, enum job_kind kind, const char *old_name,
				 const char *name);
/* As requeuer_withdraw_all. */
size_t changes_withdraw_requeues(struct changes *changes);
/* Requeues that have not ended. */
size_t changes_requeues(const struct changes *changes);
/* As submitter_take_back. */
void changes_take_back(struct changes *changes);
/* Orders without an answer. */
unsigned changes_under_way(const struct changes *changes);
/* Drops what is under way. */
void changes_leave(struct changes *changes);

#endif
