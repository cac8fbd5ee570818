/* One requeue on its way, shared by the files of the requeuer: requeuer.c owns and tells,
 * requeuer_journal.c writes and reads the records, requeuer_run.c does what comes next. */
#ifndef GPUQ_REQUEUER_PARTS_H
#define GPUQ_REQUEUER_PARTS_H

#include "aws/requeuer.h"

struct swap {
	struct requeuer *requeuer;
	struct swap *next;
	struct journal_record record;
	enum requeue_step step;
	enum requeue_act act; /* under way, or (with due_ms) to be done then */
	bool late;            /* an earlier run has begun it */
	bool perhaps_sent;    /* the step was found in the journal: its create may have been sent */
	bool owner_read;
	bool unwanted;      /* to be taken back once its step is on disk */
	bool withdrawn;     /* that has been done */
	bool stop_sent;     /* a stop of the old job may have reached AWS */
	int64_t due_ms;     /* monotonic; INT64_MAX: an answer is to come */
	int64_t overlap_ms; /* monotonic: since when both are there, as far as is known */
	uint64_t call, disk_id;
	struct owner owner;
	struct err error, tags_error;
	char *new_arn;
};

struct requeuer {
	struct requeuer_options options;
	char *folder;                 /* owned; NULL: not known yet */
	struct submitter_place place; /* whose texts are owned */
	struct process self;
	char key[17];
	struct swap *swaps;
	bool resume_wanted;
	uint64_t list_id;
	int64_t start_ms; /* monotonic: the next may begin */
};

/* --- requeuer.c --- */

struct swap *swap_new(struct requeuer *requeuer);
void swap_free(struct swap *swap);
void swap_tell(const struct swap *swap);
void requeuer_arm(struct requeuer *requeuer);
struct journal_now requeuer_now(const struct requeuer *requeuer);

/* --- requeuer_journal.c --- */

/* Writes the first record, then begins; or tells why not. */
void swap_claim(struct swap *swap);
/* Writes the step that it is at, then goes on with its act. */
void swap_write(struct swap *swap);
void requeuer_read_list(struct requeuer *requeuer);

/* --- requeuer_run.c --- */

void swap_take(struct swap *swap, enum requeue_fact fact);
/* It is not wanted any more. False: at this step it is too late. begun: its act has been. */
bool swap_take_back(struct swap *swap, bool begun);
/* Goes on from the step that was found in the journal. */
void swap_resume(struct swap *swap);
/* The act, now. */
void swap_act(struct swap *swap);
/* Its time has come. */
void swap_wake(struct swap *swap, int64_t now_ms);
void swap_cancel(struct swap *swap);

#endif
