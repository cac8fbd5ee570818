/*
 * A region in a scripted world, with a client and a sync on it: jobs of both kinds behind List,
 * Describe and, where it is allowed, Search, in which anything can be made to fail.
 */
#ifndef GPUQ_TESTS_FAKEREGION_H
#define GPUQ_TESTS_FAKEREGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aws/sync.h"
#include "tests/fakes.h"

#define FAKEREGION_JOBS_MAX 5000
#define DAY_MS              INT64_C(86400000)

/* A job of the service. */
struct fakejob {
	enum job_kind kind;
	int64_t created_ms, modified_ms;
	const char *status, *secondary;
	unsigned described;
	unsigned keep_alive_seconds; /* asked for; 0 = no warm pool */
	const char *pool;            /* WarmPoolStatus as Describe tells it; NULL = not yet */
	bool bare;                   /* its record lacks the instances */
	bool not_indexed;            /* Search does not know it */
};

/* Jobs are newest first; job i is j-i and arn:j-i. */
struct fakeregion {
	struct fake_world *world;
	struct aws_client *client;
	struct sync *sync;
	struct store store;
	struct fakejob jobs[FAKEREGION_JOBS_MAX];
	size_t count;
	unsigned changes;
	bool searches;  /* Search is allowed; else AccessDeniedException */
	int64_t lag_ms; /* Search leaves out what was modified since */
	/* May change any answer; called with the number of the request of its operation. */
	void (*spoil)(struct fakeregion *region, size_t n, const struct fake_sent *sent,
		      struct fake_answer *answer);
	int64_t latency_ms, refresh_ms;
	size_t kind_of_failure, failing_request; /* for spoil */
};

struct fakeregion *fakeregion_new(void);
void fakeregion_free(struct fakeregion *region);

/* Adds a job that is older than all before it. */
struct fakejob *fakeregion_add(struct fakeregion *region, enum job_kind kind, int64_t age_ms,
			       const char *status, const char *secondary);

/* Makes client and sync: lists once a second, refresh 5 s where refresh_ms is 0, since 7 days. */
void fakeregion_start(struct fakeregion *region, bool (*want)(void *ctx, const struct job *job));

/* The job in the store, or NULL. */
const struct job *fakeregion_job(const struct fakeregion *region, size_t i);

/* Asserts the pace of all that was asked: lists of one kind a second apart, at most two Describes
 * in any second. */
void fakeregion_check_pace(const struct fakeregion *region);

#endif
