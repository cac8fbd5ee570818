/* The stopper of one session, and what its looks tell the store. */
#ifndef GPUQ_STOPS_H
#define GPUQ_STOPS_H

#include "aws/session.h"
#include "aws/stopper.h"
#include "model/action_log.h"

/* {0} with the first four set. */
struct stops {
	struct store *store;
	void (*changed)(void *ctx); /* the store, by a look */
	void (*stopped)(void *ctx, const struct stop_result *result);
	void *ctx;
	struct action_log *actions; /* the owner's: what is done is taken down; NULL: it is not */
	/* of stops.c */
	struct session *session;
	struct stopper *stopper; /* NULL until something is to be stopped */
	struct waiter waiter;
};

/* As stopper_add. False: there is no connection yet, nothing is sent. */
bool stops_send(struct stops *stops, struct session *session, const struct stop_wish *wishes,
		size_t count);
/* What a look has shown goes into the store. */
void stops_note_seen(struct stops *stops, enum job_kind kind, const char *name, struct job *job);
/* Without a result. */
size_t stops_left(const struct stops *stops);
/* Before the session goes. {0} is accepted. */
void stops_leave(struct stops *stops);

#endif
