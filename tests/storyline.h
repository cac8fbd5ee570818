/*
 * The story that gpuq exists for, on the real program in a terminal and a real region (scenario
 * still): see the queue, filter, select a pending job, reorder its list, change a count, insert a
 * type, submit, see it pending, free capacity, see the selected type, rank, wait and cost, see the
 * whole list, stop the copy, see it stop, quit. Asserted on the
 * screen and on the region's state: patient in time, exact in what comes of it. A failure ends the
 * test and prints the screen.
 */
#ifndef GPUQ_TESTS_STORYLINE_H
#define GPUQ_TESTS_STORYLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/region.h"
#include "tests/screen.h"

#define STORYLINE_STEM    "llm-ft-7b"  /* of the job that is copied */
#define STORYLINE_PICTURE "pending 12" /* on the screen: all that waits has been looked at */

struct storyline {
	int patience_ms; /* for each step */
	/* Nothing goes wrong: one request is sent, once, and taken, and the copy takes the old
	 * job's place. Else it is a plain copy, so that what goes wrong is the submission's. */
	bool undisturbed;
	const char *notice; /* stands on the screen once the job is submitted; NULL = none */
	/* Called before each sending, the first is 0; NULL = not. */
	void (*before_try)(const struct region *region, unsigned number);
	/* Filled by the story. */
	struct region region;
	struct pty *pty;
	char old_name[128], new_name[128];
	size_t jobs_before;
	/* By the region's clock: when the request was not yet sent, and when it had been taken. */
	int64_t unsent_ms, taken_ms;
};

/* The region; then the program on it, with that secret key ("simsecret" is the right one). */
void storyline_start_region(struct storyline *story);
void storyline_start_program(struct storyline *story, const char *secret);
/* From the first frame to the job that got what it waited for and was stopped. */
void storyline_tell(struct storyline *story);
/* Q, which must end the program well; and the region's end. */
void storyline_end(struct storyline *story);

/* Wait for a text on the screen, or for its going; else the test fails. */
void storyline_want(struct storyline *story, const char *text);
void storyline_want_gone(struct storyline *story, const char *text);

#endif
