/* Requeues that are under way, and what is told of them. */
#ifndef GPUQ_VIEWS_REQUEUE_H
#define GPUQ_VIEWS_REQUEUE_H

#include "model/requeue.h"
#include "views/pane.h"

/* A step, or an end; may_show: nothing else has the keys. */
void requeue_tell(struct ui *ui, const struct requeue_told *told, bool may_show);
/* One that has not ended. */
struct requeue_state {
	enum job_kind kind;
	char old_name[JOB_NAME_SIZE], new_name[JOB_NAME_SIZE];
	enum requeue_step step;
	char *text; /* owned; what is being done */
	struct requeue_state *next;
};

/* Requeues that have not ended. */
size_t requeue_count(const struct ui *ui);
/* What is being done for that job, old or new; NULL: nothing. Borrowed. */
const char *requeue_of(const struct ui *ui, enum job_kind kind, const char *name);
/* requeue_back.c. V: asks whether the requeue of the selected job, the only one, or the submission
 * of the selected row is to be taken back, or says why not. */
void requeue_withdraw_begin(struct ui *ui);
/* There is something that V may take back. */
bool requeue_may_withdraw(const struct ui *ui);
/* O: the selected job was stopped and its new list refused: asks about a copy with the old one. */
void requeue_restore_begin(struct ui *ui);
/* There is an old list to go back to. */
bool requeue_may_restore(const struct ui *ui);
/* requeue_many.c. X with marked jobs: asks whether each is to be requeued with the list of the
 * selected job's draft, or says why not. */
void requeue_many_begin(struct ui *ui);
/* What is asked about (ui->requeue_many) is let go. */
void requeue_many_forget(struct ui *ui);
/* Forgets them (ui->requeues). */
void requeue_forget(struct ui *ui);

#endif
