/* A client in a scripted world, and what its calls ended with. */
#ifndef GPUQ_TESTS_CLIENTBENCH_H
#define GPUQ_TESTS_CLIENTBENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aws/client.h"
#include "tests/fakes.h"

#define BENCH_SECRET "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
#define BENCH_TOKEN  "FwoGZXIvYXdzEXAMPLETOKEN"

struct bench {
	struct fake_world *world;
	struct aws_client *client;
	/* Changes the answer (200, {"ok":1}) to the nth request (from 0); NULL: never. */
	void (*answer)(struct bench *bench, size_t n, const struct fake_sent *sent,
		       struct fake_answer *answer);
	unsigned done, failed, dropped;
	struct err err;
	unsigned tries;
	bool open;
	size_t body_len;
	int64_t dates;
	bool inside; /* a call is being started */
	bool chain;  /* the next end starts another call and cancels victim */
	uint64_t victim;
	size_t kind; /* for `answer`: which failure */
};

/* Region us-east-1 unless told otherwise; without a session token if options.ctx is set. */
void bench_start(struct bench *bench, struct aws_options options);
void bench_stop(struct bench *bench);

/* Starts a call with the body {}. */
uint64_t bench_call(struct bench *bench, const struct aws_op *op);
/* The call back of such a call, and what counts dropped ones. */
void bench_ended(void *ctx, const struct aws_reply *reply, const struct err *err);
void bench_dropped(void *ctx);

#endif
