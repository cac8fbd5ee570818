/*
 * The first line: where, how much, how fresh. What matters least is dropped when the terminal is
 * narrow.
 */
#ifndef GPUQ_HEADER_H
#define GPUQ_HEADER_H

#include "views/pane.h"

void header_draw(const struct ui *ui, struct surface *out, struct rect at);

/* Milliseconds until the header reads otherwise by time alone; negative = never. */
int64_t header_next_ms(const struct ui *ui);

/* Appends what to say of a source that fails, with what to do next; nothing when all are well. */
void header_add_trouble(const struct ui *ui, struct buf *out);

#endif
