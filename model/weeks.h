/* The week patterns of every type, by the operator's zone and by UTC, learned job by job: that of
 * one is then looked up, however many jobs there are. */
#ifndef GPUQ_WEEKS_H
#define GPUQ_WEEKS_H

#include "model/history.h"
#include "model/triples.h"
#include "model/week_pattern.h"

struct weeks_item; /* of weeks.c */

/* {0} has learned nothing. Types are the numbers of one history's texts. */
struct weeks {
	struct triples keys;
	struct weeks_item *items; /* owned; one a key */
	size_t capacity;
};

void weeks_release(struct weeks *weeks);

/* Adds a job whose wait is over, once: the same job as the history has it and as an observation. */
void weeks_add(struct weeks *weeks, const struct history_job *job,
	       const struct observation *observation);

/* The pattern of a type, which has that number; empty where nobody asked for it. */
struct week_pattern weeks_find(const struct weeks *weeks, uint32_t type, const struct week_of *of);

#endif
