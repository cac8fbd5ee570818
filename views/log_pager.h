/*
 * The lines of a log in a box: wrapped or not, with their times and hosts, scrolled by a place that
 * stays where it is when lines come before or behind it. Keys say what is to be done; it is done
 * when it is drawn, which alone knows how many rows there are.
 */
#ifndef GPUQ_LOG_PAGER_H
#define GPUQ_LOG_PAGER_H

#include "model/job_logs.h"
#include "tui/draw.h"
#include "views/log_match.h"

enum log_jump { LOG_JUMP_NONE, LOG_JUMP_START, LOG_JUMP_ERROR, LOG_JUMP_MATCH };

struct log_pager {
	bool follow; /* the end stays in sight */
	bool wrap, times, utc;
	int shift; /* columns to the right, while not wrapped */
	struct log_match match;
	/* What the next drawing does. */
	enum log_jump jump;
	long steps; /* of LOG_JUMP_MATCH: how many matches further on; 0 = from the top on */
	long move;  /* rows */
	/* What the last one found. */
	struct log_place top;
	size_t skipped; /* rows of the line there that are above */
	bool has_match; /* and it is the current one: */
	struct log_place current;
	int height;            /* rows */
	size_t matches, order; /* lines with what is searched for; the current one's number */
	bool at_start;         /* the first line of all is in sight */
	bool has_error;
};

void log_pager_init(struct log_pager *pager);
void log_pager_release(struct log_pager *pager);

/* Rows down, or up with a negative number: the end is no longer followed. */
void log_pager_scroll(struct log_pager *pager, long rows);
void log_pager_to_start(struct log_pager *pager);
void log_pager_to_end(struct log_pager *pager);
void log_pager_to_error(struct log_pager *pager);
/* Search; "" ends it. Step: to a further match, or back. */
void log_pager_find(struct log_pager *pager, const char *text);
void log_pager_step(struct log_pager *pager, long by);
/* Only lines with the words; "": all again, around the line that stands first now. */
void log_pager_filter(struct log_pager *pager, const char *words);

void log_pager_draw(struct log_pager *pager, struct surface *out, struct rect at,
		    const struct job_logs *logs, int64_t now_ms);

#endif
