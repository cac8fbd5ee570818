/* What the tables of the history group jobs by, and the keys that a job has there. Pure. */
#ifndef GPUQ_HISTORY_KEYS_H
#define GPUQ_HISTORY_KEYS_H

#include "model/history.h"

enum history_by {
	HISTORY_BY_TYPE,
	HISTORY_BY_RANK, /* of jobs with a list; the others are "single" */
	HISTORY_BY_STEM,
	HISTORY_BY_HOUR, /* of the day of the submission, in UTC: "00" to "23" */
	HISTORY_BY_TAG,  /* "key=value"; a job counts for each of its tags */
	HISTORY_BY_ROLE, /* the name of its execution role */
	HISTORY_BY_LIST, /* "list", "one type" or "groups" */
	HISTORY_BY_COUNT
};

/* Reads type, rank, stem, hour, tag, role or list; false if it is none. */
bool history_by_parse(const char *word, enum history_by *by);
const char *history_by_word(enum history_by by); /* static */
/* By these a job counts once for each entry of its list, by the others as a whole. */
bool history_by_is_of_entries(enum history_by by);

#define HISTORY_KEY_SIZE 16

/* The key of entry i, by type or rank; NULL: none. Of a job with groups, whose entries start
 * together, none. Borrowed from the history, or static. */
const char *history_entry_key(const struct history *history, const struct history_job *job,
			      enum history_by by, size_t i);

/* How many keys a job as a whole has there, and key n of them; borrowed from the history, or in
 * room. */
size_t history_key_count(const struct history_job *job, enum history_by by);
const char *history_whole_key(const struct history *history, const struct history_job *job,
			      enum history_by by, size_t n, char room[HISTORY_KEY_SIZE]);

/* It has been given its instances. */
bool history_has_started(const struct history_job *job);
/* The entry that it was given, counted from 0; false: none, or it is not known. */
bool history_chosen(const struct history_job *job, size_t *i);

#endif
