/*
 * The program as an operator runs it: with keys, in UTC, on a simulated region; to its end, or on a
 * terminal. A failure ends the test.
 */
#ifndef GPUQ_TESTS_GPUQ_H
#define GPUQ_TESTS_GPUQ_H

#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"

/* The operator's whole environment, but for what process_run and pty_start add. */
extern const char *const gpuq_env[];

/* A new region of those options (NULL at the end) as the state of a test, and its end. */
int gpuq_start_region(void **state, const char *const *options);
int gpuq_stop_region(void **state);

/* Runs `gpuq --endpoint-url REGION --pace 0 words` (NULL at the end) as process_run does. */
void gpuq_run(struct process_result *result, const struct region *region, const char *input,
	      const char *const *words);
#define GPUQ_RUN(result, region, ...) \
	gpuq_run(result, region, NULL, (const char *const[]){ __VA_ARGS__, NULL })

/* The same on a terminal of 80x24. */
struct pty *gpuq_open(const struct region *region, const char *const *words);
/* Waits until the text is shown; until it has ended with that status, and drops the terminal. */
void gpuq_want(struct pty *pty, const char *text);
void gpuq_want_exit(struct pty *pty, int status);

/* The text stands there. */
void gpuq_want_text(const char *text, const char *part);
/* The region's job has that status. */
void gpuq_want_status(const struct region *region, const char *name, const char *status);

#endif
