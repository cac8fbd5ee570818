/*
 * Keys pressed one at a time on the running dashboard, each timed from its byte to the repaint
 * that answers it: the mark of the job list stands at another job.
 */
#ifndef GPUQ_TESTS_PRESSES_H
#define GPUQ_TESTS_PRESSES_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/screen.h"

#define PRESSES_MAX 1000

struct presses {
	double ms[PRESSES_MAX];
	size_t count;
	bool up; /* the way of the newest */
};

/* Gives the list the focus and goes to its first row; all jobs are listed. */
void presses_begin(struct presses *presses, struct pty *pty, int within_ms);
/* One key more: down and up again over the first rows, which must be there. False if it is not
 * answered within_ms. */
bool presses_next(struct presses *presses, struct pty *pty, int within_ms);
/* The time that so many percent of the keys did not exceed; sorts them. */
double presses_percentile(struct presses *presses, unsigned percent);

#endif
