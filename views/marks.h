/*
 * The jobs marked for an action of many, by ARN: a refresh, a filter or another order moves no
 * mark. {0} is none.
 */
#ifndef GPUQ_MARKS_H
#define GPUQ_MARKS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/store.h"

struct marks {
	char **arns; /* owned, each too, in the order of marking */
	size_t count, capacity;
};

bool marks_has(const struct marks *marks, const char *arn);
/* Sets it, or takes it away; the ARN is copied. */
void marks_toggle(struct marks *marks, const char *arn);
/* Forgets those that the store does not know any more. */
void marks_settle(struct marks *marks, const struct store *store);
/* Makes it {0}. */
void marks_clear(struct marks *marks);

#endif
