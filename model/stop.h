/* Stops: what is wished, what it is about, and what became of each. */
#ifndef GPUQ_STOP_H
#define GPUQ_STOP_H

#include "model/base/err.h"
#include "model/owner.h"
#include "model/price.h"

/* A job to stop. */
struct stop_wish {
	enum job_kind kind;
	char name[JOB_NAME_SIZE];
	bool despite_owner; /* its owner was named, and the stop wanted all the same */
	bool only_pending;  /* only where a look right before has shown that it still waits */
};

/* What several jobs cost by the hour that are to be stopped. {0} = nothing yet. */
struct stop_stakes {
	int64_t per_hour_micro;
	const char *currency;     /* NULL = no price is known */
	enum price_source source; /* the least certain one */
	bool unknown;             /* the cost of one of them is not known */
};
/* Adds a job's. A pending one costs nothing by the hour. */
void stop_stakes_add(struct stop_stakes *stakes, const struct job *job,
		     const struct price_book *book, int64_t now_ms);
/* Whether more than a y is wanted: above the limit, or not known (product.md, confirm_above). */
bool stop_stakes_are_high(const struct stop_stakes *stakes, int64_t confirm_above_micro);

enum stop_outcome {
	STOP_DONE,   /* AWS has taken the stop */
	STOP_OVER,   /* nothing was left to stop: it has ended, is stopping, or does not wait as
			wished */
	STOP_GONE,   /* there is no such job */
	STOP_OWNED,  /* not sent: it belongs to somebody */
	STOP_FAILED, /* refused, or without an answer (err->outcome_open) */
};

/* Borrowed for the call that hands it over. */
struct stop_result {
	enum job_kind kind;
	const char *name;
	enum stop_outcome outcome;
	struct owner owner;    /* of STOP_OWNED */
	const struct err *err; /* of STOP_FAILED, else NULL */
	size_t left;           /* stops that are still to come */
};

/* stopping, over, unknown, owned, failed. Static text. */
const char *stop_outcome_word(enum stop_outcome outcome);

#endif
