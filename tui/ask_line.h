/*
 * One secret line asked for on the terminal by a program without a screen, while its loop turns:
 * what is typed is not shown. The question goes to standard error, so that a result can go to a
 * pipe.
 */
#ifndef GPUQ_ASK_LINE_H
#define GPUQ_ASK_LINE_H

#include <stdbool.h>

#include "tui/loop.h"

/* Somebody may be there: standard input and standard error are terminals. */
bool ask_line_is_possible(void);

struct ask_line {
	struct loop *loop;                           /* borrowed */
	void (*answer)(void *ctx, const char *line); /* NULL: an empty one; wiped afterwards */
	void *ctx;
	bool asked; /* of ask_line.c */
};

/* Shows the question, made harmless, and waits; answer is called once. */
void ask_line_start(struct ask_line *ask, const char *question);
/* Takes the question back and puts the terminal right, also when the program ends; one that was not
 * asked is accepted. */
void ask_line_stop(struct ask_line *ask);

#endif
