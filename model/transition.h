/*
 * A step of a job's life: its status, since when, until when, and AWS's words on it. Each of
 * 100,000 jobs has several: they are kept in few bytes.
 */
#ifndef GPUQ_TRANSITION_H
#define GPUQ_TRANSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/clock.h"

/* As it is read: a value whose texts are borrowed from the job. */
struct transition {
	const char *status;  /* the API's word; never NULL */
	const char *message; /* or NULL */
	struct opt_ms start, end;
};

/* Its texts: one block, to be freed with free(). */
struct transition_words;

/* As it is kept. */
struct kept_transition {
	struct transition_words *words; /* owned */
	int64_t start_ms, end_ms;       /* INT64_MIN: not known */
};

/* Copies the texts; a status of NULL is "". */
struct kept_transition transition_keep(const struct transition *transition);
struct transition transition_read(const struct kept_transition *kept);
/* Without its message. */
void transition_drop_message(struct kept_transition *kept);

uint64_t transition_words_hash(const struct transition_words *words);
bool transition_words_equal(const struct transition_words *a, const struct transition_words *b);
struct transition_words *transition_words_copy(const struct transition_words *words);

#endif
