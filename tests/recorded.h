/*
 * A region that says what it was given: descriptions of jobs as they were recorded, lists with what
 * such have of them, and for any operation another answer. On the loopback address, in a thread of
 * its own; no signature is checked. Tells what it was asked. A failure ends the test.
 */
#ifndef GPUQ_TESTS_RECORDED_H
#define GPUQ_TESTS_RECORDED_H

#include <stdint.h>

#include "model/job.h"

struct recorded;

/* Its clock begins at a time (ISO 8601) and goes on from there. */
struct recorded *recorded_start(const char *now);
void recorded_stop(struct recorded *region);
/* http://127.0.0.1:PORT; borrowed. */
const char *recorded_url(const struct recorded *region);

/* Puts its clock to another time. */
void recorded_set_now(struct recorded *region, const char *now);

/* Knows the job from now on; the description has its name. One of the same name is replaced. */
void recorded_put(struct recorded *region, enum job_kind kind, const char *description);

/* Answers an operation so from now on, in place of what it would; body NULL = as at first. */
void recorded_answer(struct recorded *region, const char *operation, int status, const char *body);

/* How often an operation was asked for. */
unsigned recorded_calls(struct recorded *region, const char *operation);
/* The shortest time between two of them; INT64_MAX below two. */
int64_t recorded_shortest_ms(struct recorded *region, const char *operation);
/* The newest body of an operation, to be freed; NULL before the first. */
char *recorded_sent(struct recorded *region, const char *operation);

#endif
