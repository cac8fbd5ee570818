/* A job on one card of Markdown, to be handed to whoever takes over: it reads right without gpuq.
 */
#ifndef GPUQ_CARD_H
#define GPUQ_CARD_H

#include "views/pane.h"

#define CARD_MAX (64u << 10)

/* Appends the URL of the job's page in the console of its partition. */
void card_add_console(const struct ui *ui, const struct job *job, struct buf *out);

/* Appends the card: the job, its list, why it is as it is with the evidence, what gpuq did to it
 * from here with results and request ids, and where to look.
 * Text from outside is harmless in it, on one line, and cannot end a table's cell. */
void card_write(const struct ui *ui, const struct job *job, struct buf *out);

/* Copies the selected job's card, and says what was done. */
void card_copy(struct ui *ui);

#endif
