/*
 * A program of the user's that has the terminal for a while, such as an editor: started as a shell
 * starts one, while the loop goes on. One at a time.
 */
#ifndef GPUQ_ERRAND_H
#define GPUQ_ERRAND_H

#include <sys/types.h>

#include "tui/term.h"

/* {0} with the first five set. */
struct errand {
	struct loop *loop; /* borrowed */
	struct term *term; /* borrowed, lent out meanwhile */
	/* It has ended, and the screen is back; status as of waitpid. */
	void (*ended)(void *ctx, int status);
	void *ctx;
	/* of errand.c */
	pid_t pid; /* 0 = none */
};

/* Starts argv[0] as found by PATH, with the terminal as its own. False with err (ERR_IO): it could
 * not be started, and the screen is back. */
bool errand_start(struct errand *errand, char *const argv[], struct err *err) MUST_CHECK;
/* The program goes on alone: nobody is told of its end. */
void errand_leave(struct errand *errand);

#endif
