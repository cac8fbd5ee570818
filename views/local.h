/*
 * Rows of the job list that are no jobs: drafts that belong to none, submissions under way, and
 * refused ones. A job is shown only once AWS has confirmed it.
 */
#ifndef GPUQ_LOCAL_H
#define GPUQ_LOCAL_H

#include "views/pane.h"

#define LOCAL_LETTER 'D' /* where jobs have their kind */

enum local_phase { LOCAL_DRAFT, LOCAL_SENDING, LOCAL_REFUSED };

enum local_phase local_phase(const struct draft *draft);
/* Draft, Sending, Refused. Static text. */
const char *local_word(enum local_phase phase);
enum style local_style(enum local_phase phase);
/* What it is called, or what it will be. Borrowed. */
const char *local_name(const struct draft *draft);

/* It has a row of its own, filter and pending only apart: a draft has one where no job of the list
 * shows it, a submission from its sending on. */
bool local_has_row(const struct ui *ui, const struct draft *draft);
/* The filter lets it through. Pending only hides drafts, not what is under way or refused. */
bool local_shows(const struct ui *ui, const struct draft *draft);

/* Time since it was sent; nothing for others. */
void local_add_wait(struct buf *out, const struct ui *ui, const struct draft *draft);
/* One line: the refusal, the note, or what to do with it. */
void local_add_message(struct buf *out, const struct draft *draft);
/* All of it, in paragraphs, for a pane. */
void local_tell(struct buf *out, const struct ui *ui, const struct draft *draft);

/* Asks whether the selected row is to be discarded, or says why it is not. */
void local_discard(struct ui *ui);

/* Milliseconds until a row of its own changes by time alone; negative = never. */
int64_t local_next_ms(const struct ui *ui);

#endif
