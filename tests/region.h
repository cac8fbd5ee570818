/*
 * The simulated region for tests: starts build/gpuq-sim on a free port, speaks to its /_sim/
 * endpoints over loopback and reads its state. A failure ends the test.
 */
#ifndef GPUQ_TESTS_REGION_H
#define GPUQ_TESTS_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/base/jsontext.h"

struct region {
	pid_t pid;
	int port;
	char url[64];
};

/* Path of a program in the build folder ($GPUQ_BUILD, else build); absolute, static buffer. */
const char *region_program(const char *name);

/* Starts it with further options (NULL at the end) and waits for its ready line. */
void region_start(struct region *region, const char *const *options);
void region_stop(struct region *region);

/* One request; returns the body (free it). status may be NULL. */
char *region_get(const struct region *region, const char *path, int *status);
char *region_post(const struct region *region, const char *path, const char *body, int *status);

/* An operation of SageMaker, unsigned: the region must run with --no-auth. Returns the body (free
 * it); an answer other than 200 fails the test. */
char *region_call(const struct region *region, const char *operation, const char *body);

/* POST to /_sim/name with a body made by printf; wants status 200. */
void region_control(const struct region *region, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The state, parsed: release with region_state_release. */
struct region_state {
	char *text;
	struct json_doc doc;
};
void region_state(const struct region *region, struct region_state *state);
void region_state_release(struct region_state *state);
/* Node of a job by name, or JSON_NONE. */
size_t region_state_job(const struct region_state *state, const char *name);
/* Node of the first job whose name starts with a prefix, or JSON_NONE. */
size_t region_state_prefix(const struct region_state *state, const char *prefix);
/* A member of a node by path below it as text ("" if absent or null); static buffer. */
const char *region_text(const struct region_state *state, size_t node, const char *member);
/* A time (ISO 8601) in milliseconds; false if absent or null. */
bool region_time(const struct region_state *state, size_t node, const char *member, int64_t *ms);
/* All starts of operations whose names begin so ("": of all), however they ended. */
long region_calls(const struct region *region, const char *prefix);
/* An integer at a path from the root ("calls.CreateTrainingJob.ok"), or fallback. */
long region_number(const struct region_state *state, const char *path, long fallback);

#endif
