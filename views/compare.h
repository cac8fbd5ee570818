/* Two jobs side by side: what differs between them and between what was asked for. */
#ifndef GPUQ_COMPARE_H
#define GPUQ_COMPARE_H

#include "views/pane.h"

/* Compares the selected job with the one that is marked, or two that are; says how, where neither
 * is so. */
void compare_begin(struct ui *ui);

#endif
