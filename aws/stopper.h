/*
 * Stops jobs one after the other. Each is described right before: one that is over needs no stop,
 * and one that belongs to somebody (model/owner.h; by its tags too) is stopped only where that was
 * wanted knowing it. Where the look gets no answer the stop is sent all the same: who wants to stop
 * what costs money is not kept from it; but for one that is to be stopped only while it waits.
 */
#ifndef GPUQ_STOPPER_H
#define GPUQ_STOPPER_H

#include "aws/sagemaker_jobs.h"
#include "model/stop.h"

#define STOPPER_PACE_MS 500 /* between the starts of two: bursts are what throttles (facts) */

struct stopper_options {
	struct aws_client *client; /* borrowed, as the clock */
	const struct clock *clock;
	struct wait_hooks hooks; /* its time: stopper_wake */
	/* Once for each wish, in their order; later, never from inside. */
	void (*stopped)(void *ctx, const struct stop_result *result);
	/* What the look has shown; the call back may take the job. It was not found: job NULL. May
	 * be NULL. */
	void (*seen)(void *ctx, enum job_kind kind, const char *name, struct job *job);
	void *ctx;
};

struct stopper;
struct stopper *stopper_new(const struct stopper_options *options);
/* What is under way goes on at AWS; nobody is told. Before the client. NULL is accepted. */
void stopper_free(struct stopper *stopper);

/* Copies the wishes; they come behind those that wait. */
void stopper_add(struct stopper *stopper, const struct stop_wish *wishes, size_t count);
/* Wishes without a result. */
size_t stopper_left(const struct stopper *stopper);
/* From the loop: the wanted time has come. */
void stopper_wake(struct stopper *stopper);

#endif
