/*
 * The lines of a job's logs, of all its streams together, in the order of their times: the newest
 * LOG_LINES_MAX of them within LOG_BYTES_MAX, the oldest go first. Within a stream the order is
 * that of the service, whatever the clocks of hosts say, and it is the same however pages arrive.
 * Lines are added at either end of a stream, in batches.
 */
#ifndef GPUQ_LOG_LINES_H
#define GPUQ_LOG_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/log_text.h"

#define LOG_LINES_MAX   100000
#define LOG_BYTES_MAX   (32u << 20)
#define LOG_STREAMS_MAX 512 /* of a job: hosts times starts */
#define LOG_NONE        SIZE_MAX

enum log_line_flag {
	LOG_LINE_ERROR = 1,       /* log_is_error */
	LOG_LINE_GAP = 2,         /* no line of the log: lines are missing here */
	LOG_LINE_BAR = 4,         /* the last state of a bar */
	LOG_LINE_BEGINS_OVER = 8, /* it draws over the line before it in its stream */
};

struct log_line {
	char *text; /* owned; one line, from outside */
	size_t len;
	struct log_span *spans; /* owned; NULL: plain */
	size_t span_count;
	int64_t at_ms;    /* by the service */
	int64_t key_ms;   /* the place in time: at_ms, but never against the stream's order */
	int64_t number;   /* in its stream: the order there */
	uint32_t stream;  /* index, as its owner counts them */
	unsigned flags;   /* of enum log_line_flag */
	size_t states;    /* of a bar that were drawn over */
	uint64_t version; /* another one whenever the line is another; 0: the slot is free */
};

/* Where a line stands, also when it is gone. */
struct log_place {
	int64_t key_ms;
	uint32_t stream;
	int64_t number;
};

/* The first or the last line that a stream has had. */
struct log_end {
	int64_t ms, number; /* its place */
	size_t slot;        /* while the line there has the version */
	uint64_t version;
};

struct log_ends {
	bool any; /* a line was added, and the rest is known */
	struct log_end first, last;
};

/* {0} is valid and empty; it takes no memory then. */
struct log_lines {
	struct log_line *slots; /* owned; LOG_LINES_MAX and a batch */
	uint32_t *order;        /* owned ring of slots */
	uint32_t *free_slots;   /* owned stack: of those that were in use */
	size_t free_count;
	size_t used;        /* slots that have been in use: the first so many */
	size_t head, count; /* of the ring */
	size_t bytes;
	struct log_ends *ends;      /* owned; by stream */
	uint64_t version;           /* of the newest line */
	uint64_t added;             /* lines at the ends of streams, since the start */
	uint64_t folded;            /* of these: states of bars that were drawn over */
	uint64_t dropped;           /* oldest lines that were let go */
	bool has_error, error_lost; /* the first line that tells of one; it has to be looked for */
	struct log_place error;
	uint32_t *batch; /* owned: slots to be merged */
	size_t batch_count;
	uint32_t batch_stream;
	bool batch_is_back;
	struct log_piece piece; /* scratch */
};

void log_lines_release(struct log_lines *lines);

/*
 * An event at the end / before the start of a stream: each of its lines. A bar drawn over by the
 * next line is replaced. log_lines_settle puts what was added in its place: before it, nothing is
 * seen. Texts are copied.
 */
void log_lines_append(struct log_lines *lines, uint32_t stream, int64_t at_ms, const char *text,
		      size_t len);
void log_lines_prepend(struct log_lines *lines, uint32_t stream, int64_t at_ms, const char *text,
		       size_t len);
/* A mark at the end of a stream: lines are missing here. */
void log_lines_append_gap(struct log_lines *lines, uint32_t stream, int64_t at_ms,
			  const char *text);
void log_lines_settle(struct log_lines *lines);

/* So full that older lines are not asked for: newer ones have room without driving others out. */
bool log_lines_has_enough(const struct log_lines *lines);
/* A page of newer lines drives the oldest out. */
bool log_lines_is_full(const struct log_lines *lines);

/* A settled line, oldest first, at < count; and the slot it lies in, below LOG_LINES_SLOTS. Until
 * the next change. */
const struct log_line *log_lines_at(const struct log_lines *lines, size_t at);
size_t log_lines_slot(const struct log_lines *lines, size_t at);
#define LOG_LINES_SLOTS ((size_t)1 << 17)

struct log_place log_line_place(const struct log_line *line);
bool log_line_stands_at(const struct log_line *line, const struct log_place *place);
/* The position of the first line at a place or behind it; count where there is none. */
size_t log_lines_find(const struct log_lines *lines, const struct log_place *place);

/* The position of the first line that tells of an error; LOG_NONE: none. */
size_t log_lines_first_error(const struct log_lines *lines);

#endif
