/*
 * How fresh what is shown is: by kind of data, and by job where its Describe is under way or has
 * failed. aws/ notes what happens (through the store), views ask for a state. product.md: what is
 * shown says how fresh it is.
 */
#ifndef GPUQ_FRESHNESS_H
#define GPUQ_FRESHNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/err.h"

/* How fresh one kind of data is. */
struct freshness {
	bool asked;             /* at least one request has been made */
	bool loaded;            /* at least one whole answer has come */
	int64_t loaded_mono_ms; /* when the newest whole answer came */
	bool failing;           /* the newest try failed: error says why */
	bool pausing;           /* failing, and nothing of the kind is asked before the next try */
	struct err error;       /* owned */
	int64_t retry_mono_ms;  /* when the next try starts; valid when failing */
};

/* The Describe of one job that is under way, or that failed the last time. */
struct job_reading {
	char *arn; /* owned */
	bool under_way;
	struct err error;      /* owned; of the newest try, where that failed; else {0} */
	int64_t retry_mono_ms; /* not asked again before; valid with an error */
};

/* Failures that are remembered; more at once are no longer about single jobs. */
#define READINGS_MAX 64

/* {0} is valid. */
struct job_readings {
	struct job_reading *items; /* owned */
	size_t count, capacity;
};

void readings_release(struct job_readings *readings);
/* NULL where nothing is to be said of the job's Describe. Borrowed until the next change. */
const struct job_reading *readings_find(const struct job_readings *readings, const char *arn);
/* A request has been sent. */
void readings_begin(struct job_readings *readings, const char *arn);
/* Its answer is good, or the job is gone: nothing is to be said any more. */
void readings_end(struct job_readings *readings, const char *arn);
/* It failed. When there are READINGS_MAX failures, the one that is asked soonest is forgotten. */
void readings_fail(struct job_readings *readings, const char *arn, const struct err *err,
		   int64_t retry_mono_ms);
/* Its next try has another time now; true if that is so. Nothing where it has not failed. */
bool readings_retry(struct job_readings *readings, const char *arn, int64_t retry_mono_ms);

enum fresh_state {
	FRESH_CURRENT, /* nothing to say */
	FRESH_OLD,     /* nothing has failed, but the newest answer is older than usual */
	FRESH_LOADING, /* no answer yet, and none has failed */
	FRESH_CHANGED, /* a list has told of something newer, which is being read */
	FRESH_INDEXED, /* kept up by Search alone: the Describe fails */
	FRESH_STALE,   /* the newest try failed; what is shown is as old as it says */
	FRESH_MISSING, /* the newest try failed, and there is nothing to show */
};

/* What is to be said of some data now. Borrowed from the store until its next change. */
struct fresh {
	enum fresh_state state;
	int64_t age_ms;          /* of the newest answer; 0 where there is none */
	int64_t old_in_ms;       /* until FRESH_CURRENT is FRESH_OLD; 0 = never by itself */
	const struct err *error; /* why the newest try failed; NULL = it did not */
	bool has_retry;          /* a next try is known: */
	int64_t retry_in_ms;     /* until it; 0 = under way or due */
	const char *resource;    /* the one job that was asked about; "" = no single one */
};

/* Of a kind of data that is read again within old_after_ms while all is well. */
struct fresh freshness_state(const struct freshness *source, int64_t old_after_ms, int64_t mono_ms);
/* Sets the error of a state and its next try: none where that is further off than anyone waits. */
void fresh_set_failure(struct fresh *fresh, const struct err *error, int64_t retry_mono_ms,
		       int64_t mono_ms);
/* Of a state with an age and nothing wrong: current, or old. */
void fresh_set_age(struct fresh *fresh, int64_t old_after_ms);

#endif
