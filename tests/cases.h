/*
 * Real files and reports of operators (../shared/cases): opened by their folder's name, counted
 * once their test holds, and given to the real program.
 */
#ifndef GPUQ_TESTS_CASES_H
#define GPUQ_TESTS_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/jsontext.h"
#include "tests/process.h"
#include "tests/recorded.h"
#include "tests/screen.h"

struct a_case {
	const char *folder; /* 001-warmpool-reused */
	char *input;        /* owned; NULL where the case is a report alone */
};

/* Reads the report and the input beside it (NULL = there is none). False, with a line `skipped:
 * ...`, where the folder is absent. */
bool case_open(struct a_case *one, const char *folder, const char *input);
/* Its test has come to its end: counts it, and frees. */
void case_held(struct a_case *one);
/* Line i (from 0) of the input, to be freed. */
char *case_line(const struct a_case *one, size_t i);
/* Prints how many case files were run. True if all of them were, or none is there. */
bool case_count(size_t all);

/* Runs the program on the region until it ends; words end with NULL. */
void case_run(struct process_result *result, struct recorded *region, const char *input,
	      const char *const *words);
#define CASE_RUN(result, region, ...) \
	case_run(result, region, NULL, (const char *const[]){ __VA_ARGS__, NULL })

/* What `show NAME` and `jobs` print in a format, to be freed; status NULL = of any. */
char *case_show(struct recorded *region, const char *name, const char *format);
char *case_jobs(struct recorded *region, const char *format, const char *status);

/* A value of the program's JSON by its path, as text; fails where that is absent or another. */
void case_want(const char *json, const char *path, const char *expected);
/* A whole number of it between two. */
void case_want_range(const char *json, const char *path, int64_t least, int64_t most);
/* The text stands there, or does not. */
void case_want_text(const char *text, const char *part);
void case_want_no_text(const char *text, const char *part);

/* The dashboard on the region, 140 columns wide. It is quick: it may start each list five times a
 * second; case_watch_at starts them as often as the pace says. */
struct pty *case_watch(struct recorded *region);
struct pty *case_watch_at(struct recorded *region, const char *pace);
/* Waits for a text, or for its end. */
void case_want_shown(struct pty *pty, const char *text);
void case_want_gone(struct pty *pty, const char *text);
/* Quits it; it must end with 0. */
void case_leave(struct pty *pty);

/* A description of a training job: NAME, STATUS, SECONDARY, created at 2026-11-30T12:00:00Z, one
 * ml.g5.2xlarge unless more says otherwise; more: further members, each with a comma before it. To
 * be freed. */
char *case_job(const char *name, const char *status, const char *secondary, const char *more);
/* The region knows a failed job with that reason: a training job, or a processing job, whose
 * reason lists have too. */
void case_put_failed(struct recorded *region, enum job_kind kind, const char *name,
		     const char *reason);
/* ,"NAME":"TEXT" with the text as JSON. To be freed. */
char *case_member(const char *name, const char *text);

#endif
