/*
 * What was entered into a line before: Up and C-p go back through it, Down and C-n towards what is
 * being typed, which is kept meanwhile.
 */
#ifndef GPUQ_TUI_PAST_H
#define GPUQ_TUI_PAST_H

#include "tui/prompt.h"

#define PAST_MAX 50 /* the oldest make room */

/* {0} is empty. Release it. */
struct past {
	char *lines[PAST_MAX]; /* owned, oldest first, each once */
	size_t count;
	size_t at;   /* the line in the prompt; count = what is being typed: */
	char *typed; /* owned; NULL = nothing is kept */
};

/* A prompt is opened. */
void past_begin(struct past *past);
/* A line was entered; an empty one is not kept. */
void past_add(struct past *past, const char *line);
/* Takes the key if it is one of ours: the prompt's text is another one then. */
bool past_feed(struct past *past, struct prompt *prompt, struct key key);
void past_release(struct past *past);

#endif
