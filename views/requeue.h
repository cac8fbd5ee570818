/* Requeues that are under way, and what is told of them. */
#ifndef GPUQ_VIEWS_REQUEUE_H
#define GPUQ_VIEWS_REQUEUE_H

#include "model/requeue.h"
#include "views/pane.h"

/* A step, or an end; may_show: nothing else has the keys. */
void requeue_tell(struct ui *ui, const struct requeue_told *told, bool may_show);
/* Requeues that have not ended. */
size_t requeue_count(const struct ui *ui);
/* What is being done for that job, old or new; NULL: nothing. Borrowed. */
const char *requeue_of(const struct ui *ui, enum job_kind kind, const char *name);
/* requeue_many.c. X with marked jobs: asks whether each is to be requeued with the list of the
 * selected job's draft, or says why not. */
void requeue_many_begin(struct ui *ui);
/* What is asked about (ui->requeue_many) is let go. */
void requeue_many_forget(struct ui *ui);
/* Forgets them (ui->requeues). */
void requeue_forget(struct ui *ui);

#endif
