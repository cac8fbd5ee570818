/* C: the name, ARN, console URL, JSON or AWS CLI command of the selected job, to the clipboard. */
#ifndef GPUQ_COPY_H
#define GPUQ_COPY_H

#include "views/pane.h"

/* Opens the list of what can be copied, or says why not. */
void copy_begin(struct ui *ui);

#endif
