/*
 * A program that is handed a text on its standard input: by argv, without a shell, in a process
 * group of its own, ten seconds at most; then it is killed with all that it has started. What it
 * prints on standard error is kept for the case that it fails. Nothing waits for it.
 */
#ifndef GPUQ_CHILD_H
#define GPUQ_CHILD_H

#include <sys/types.h>

#include "model/base/buf.h"
#include "model/base/err.h"
#include "tui/loop.h"

#define CHILD_MS 10000

/* {0} with the first three set. */
struct child {
	struct loop *loop; /* borrowed */
	/* It has ended; failure in words, NULL: it went well. Later, never from inside of start. */
	void (*ended)(void *ctx, const char *failure);
	void *ctx;
	/* of child.c */
	pid_t pid;         /* 0 = none runs */
	int input, output; /* its standard input and error; -1 = closed */
	struct buf text;   /* that it has not read yet */
	struct buf said;
	struct timer timer;
	int64_t until_ms; /* of the timer's clock: it is killed */
	bool was_killed;
};

/* Starts argv[0], by PATH where it has no slash; text is copied. False with err. */
bool child_start(struct child *child, char *const argv[], const char *text, size_t len,
		 struct err *err) MUST_CHECK;
bool child_runs(const struct child *child);
/* Kills it; nobody is told. {0} is accepted. */
void child_stop(struct child *child);

#endif
