/*
 * The order of a list of jobs: pending, the stuck ones first, by the longest wait, then starting,
 * running and stopping ones, then the ended ones, newest first. product.md, Screens.
 */
#ifndef GPUQ_ORDER_H
#define GPUQ_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/job.h"

/* Groups in the order of the list. */
enum order_group { GROUP_WAITING, GROUP_STARTING, GROUP_RUNNING, GROUP_STOPPING, GROUP_ENDED };

/* A job's place: the group, in it the stuck ones, and then the greatest first. */
struct order_place {
	int64_t within;
	uint8_t group; /* enum order_group */
	bool stuck;    /* before the others of its group; for who knows that to set */
};

enum order_group order_group(enum phase phase);

/* now_ms by AWS's clock. */
struct order_place order_place(const struct job *job, int64_t now_ms);

/* Negative when a comes before b, 0 when neither does. */
int order_compare(const struct order_place *a, const struct order_place *b);

#endif
