/*
 * How fast operations may be started: lists apart from each other by a gap for each operation, all
 * Describe operations together twice a second, and both slower after throttles. Where there is a
 * pace in common with other processes, each start of a list takes its turn there too. Times are
 * monotonic milliseconds.
 */
#ifndef GPUQ_PACE_H
#define GPUQ_PACE_H

#include "aws/op.h"
#include "aws/shared_pace.h"
#include "aws/slowdown.h"

#define PACE_SECONDS 10 /* that calls are counted for */

enum turn_state {
	TURN_NONE,
	TURN_ASKED, /* until until_ms; then the disk hangs */
	TURN_TAKEN, /* from turn_ms; lost after until_ms */
	TURN_FULL,  /* asked again at until_ms */
};

/* What is known of one operation. */
struct op_pace {
	struct pace *pace;
	const struct aws_op *op;
	unsigned started;
	int64_t last_ms;
	struct slowdown slowdown; /* of a list */
	enum turn_state turn;
	int64_t turn_ms, until_ms;
	uint64_t visit; /* while asked */
	struct op_pace *next;
};

struct pace {
	int64_t list_gap_ms; /* 0 = none */
	const struct clock *clock;
	struct shared_pace *shared; /* NULL: this process is alone */
	bool at_once;
	void (*changed)(void *ctx);
	void *ctx;
	struct op_pace *ops;
	bool has_asked; /* for a turn, at first_ms for the first time */
	int64_t first_ms;
	bool has_listed;
	bool has_described;
	int64_t last_describe_ms;
	struct slowdown describe_slowdown;
	int64_t counted_s; /* the newest second that is counted */
	unsigned counts[PACE_SECONDS];
};

struct pace_options {
	double list_starts; /* a second of one operation; 0 = no limit, for Describe neither */
	/* Borrowed; NULL: this process is alone. It must outlive the pace. */
	struct shared_pace *shared;
	bool at_once;               /* with it: others are told of each start, not waited for */
	const struct clock *clock;  /* borrowed */
	void (*changed)(void *ctx); /* pace_may_start may say another thing now */
	void *ctx;
};

/* Stays where it is. */
void pace_init(struct pace *pace, const struct pace_options *options);
void pace_release(struct pace *pace);

/* Whether an operation that somebody wants to start may start now. If not, pace_ready_ms tells when
 * to ask again, unless `changed` is called before. */
bool pace_may_start(struct pace *pace, const struct aws_op *op, int64_t now_ms);
/* INT64_MIN = at once. */
int64_t pace_ready_ms(struct pace *pace, const struct aws_op *op, int64_t now_ms);
/* It waits for its turn among other processes. */
bool pace_is_queued(const struct pace *pace, const struct aws_op *op);

void pace_note_start(struct pace *pace, const struct aws_op *op, int64_t now_ms);
/* An answer said that it was asked too fast. */
void pace_note_throttled(struct pace *pace, const struct aws_op *op, int64_t now_ms);

/* All Describe operations have one in common. */
struct slowdown pace_slowdown(const struct pace *pace, const struct aws_op *op);

/* How often an operation was started so far, retries included. */
unsigned pace_started(const struct pace *pace, const char *op_name);

/* For people. */
struct pace_status {
	unsigned calls;      /* of any operation, started by this process in PACE_SECONDS */
	int64_t permille;    /* of the full pace, of the operation that is slowest now */
	struct opt_ms until; /* when the full pace is back; unset: it is */
	int64_t queued_ms;   /* that some list waits for its turn; 0 = none does */
	bool is_shared;      /* other processes are asked at all */
	struct shared_pace_status shared;
};
struct pace_status pace_status(const struct pace *pace, int64_t now_ms);

#endif
