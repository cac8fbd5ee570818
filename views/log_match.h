/*
 * Which lines of a log are meant: those of one stream or of all, those that a filter lets through,
 * and among them those where a search finds something. A line is looked at once, and again when the
 * words are others: what was learned of it lies beside its slot.
 */
#ifndef GPUQ_LOG_MATCH_H
#define GPUQ_LOG_MATCH_H

#include "model/job_logs.h"

#define LOG_WORDS_SIZE 256

struct log_fact {
	uint64_t version; /* of the line that is known; 0: none */
	uint32_t rows;    /* that it takes, wrapped to columns; 0: not known */
	int columns;
	bool shown, found, judged; /* judged: the two are known */
};

struct log_match {
	struct log_fact *facts;      /* owned; LOG_LINES_SLOTS of them */
	size_t stream;               /* LOG_NONE = all */
	char filter[LOG_WORDS_SIZE]; /* words that a line has (!word: has not); "" = all lines */
	char find[LOG_WORDS_SIZE];   /* searched for; "" = nothing. Small letters match both */
};

void log_match_init(struct log_match *match);
void log_match_release(struct log_match *match);
/* Another filter or search. Cut to what there is room for. */
void log_match_filter(struct log_match *match, const char *words);
void log_match_find(struct log_match *match, const char *text);

/* What is known of a line, as of now. Until the next change. */
struct log_fact *log_match_fact(const struct log_match *match, const struct log_lines *lines,
				size_t at);
bool log_match_shows(const struct log_match *match, const struct log_lines *lines, size_t at);
bool log_match_finds(const struct log_match *match, const struct log_lines *lines, size_t at);
/* The next place in text[0..len) where what is searched for stands, or NULL. */
const char *log_match_next(const struct log_match *match, const char *text, size_t len);

/* The next line that is shown, from at on and that one included, upwards or downwards; LOG_NONE:
 * there is none. */
size_t log_match_down(const struct log_match *match, const struct log_lines *lines, size_t at);
size_t log_match_up(const struct log_match *match, const struct log_lines *lines, size_t at);

#endif
