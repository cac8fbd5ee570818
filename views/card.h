/* A job on one card of Markdown, to be handed to whoever takes over: it reads right without gpuq.
 */
#ifndef GPUQ_CARD_H
#define GPUQ_CARD_H

#include "views/pane.h"

#define CARD_MAX (64u << 10)

/* Appends the card: the job, its list, why it is as it is with the evidence, and where to look.
 * Text from outside is harmless in it, on one line, and cannot end a table's cell. */
void card_write(const struct ui *ui, const struct job *job, struct buf *out);

/* Copies the selected job's card, and says what was done. */
void card_copy(struct ui *ui);

#endif
