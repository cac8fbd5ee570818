/*
 * Which jobs have come to another phase since the store was last looked at. What was there when the
 * lists were first complete is no news. Pure; {0} has seen nothing.
 */
#ifndef GPUQ_PHASES_H
#define GPUQ_PHASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/store.h"

/* That the details of a job are waited for, once a list has told of its change: selection and wait
 * come with them. */
#define PHASES_HOLD_MS INT64_C(15000)

struct phase_change {
	const struct job *job; /* borrowed for the call */
	bool has_from;         /* false: a job that was not there before */
	enum phase from, to;
};
typedef void phase_change_fn(void *ctx, const struct phase_change *change);

struct phase_row;

struct phases {
	struct phase_row *rows; /* owned table by the key of the ARN; a power of two, or none */
	size_t size, count;
	uint64_t version;  /* of the store, when it was last looked at */
	size_t jobs;       /* in the store then */
	bool listed[2];    /* by enum job_kind: its list had been complete once, then */
	size_t held;       /* changes that wait for the details */
	int64_t due_ms;    /* monotonic: the first of them waits no longer */
	int64_t looked_ms; /* monotonic */
};

void phases_release(struct phases *phases);

/* Tells each change, jobs that were created first before others. The functions called must not
 * change the store. */
void phases_look(struct phases *phases, const struct store *store, int64_t mono_ms,
		 phase_change_fn *tell, void *ctx);

/* Until something is to be told by time alone; negative: never. */
int64_t phases_wait_ms(const struct phases *phases, int64_t mono_ms);

#endif
