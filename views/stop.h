/*
 * S: stops the selected job, or the marked ones. The question names exactly what is stopped; what
 * became of each is told in a line, or where there is more to say on a page.
 */
#ifndef GPUQ_VIEWS_STOP_H
#define GPUQ_VIEWS_STOP_H

#include "model/stop.h"
#include "views/pane.h"

/* Asks, or says why there is nothing to stop. */
void stop_begin(struct ui *ui);
/* The same of that job alone, whatever is selected or marked. */
void stop_begin_of(struct ui *ui, const char *arn);
/* What became of one of them; may_show: nothing else has the keys. */
void stop_tell(struct ui *ui, const struct stop_result *result, bool may_show);
/* Whom a job belongs to, as far as is known: by its description, its name, its tags where they are
 * looked at, or by what a stop has found. */
bool stop_find_owner(const struct ui *ui, const struct job *job, struct owner *owner);
/* Notes whom a change has found it to belong to. */
void stop_note_owner(struct ui *ui, enum job_kind kind, const char *name,
		     const struct owner *owner);
/* Forgets what was asked and told (ui->stops). */
void stop_forget(struct ui *ui);

#endif
