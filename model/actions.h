/*
 * What this program did to AWS, or tried: each change that it asked for, when, what became of it,
 * and AWS's request id. The newest stand in the store; model/action_log.h keeps them on disk.
 */
#ifndef GPUQ_ACTIONS_H
#define GPUQ_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/job.h"

#define ACTIONS_MAX      2000 /* kept here; the oldest make room */
#define ACTION_WHAT_SIZE 32
#define ACTION_BY_SIZE   80
#define ACTION_TEXT_SIZE 400
#define ACTION_LINE_MAX  8192 /* bytes of one on disk, all of it escaped */

enum action_result {
	ACTION_DONE,     /* AWS has taken it */
	ACTION_NOTHING,  /* there was nothing left to do */
	ACTION_REFUSED,  /* AWS said no */
	ACTION_OPEN,     /* nobody knows whether it took effect */
	ACTION_NOT_SENT, /* nothing was sent */
};
#define ACTION_RESULTS (ACTION_NOT_SENT + 1)

/* Texts are cut to their room; "" = none. */
struct action {
	int64_t at_ms;               /* by AWS's clock */
	char what[ACTION_WHAT_SIZE]; /* the operation (StopTrainingJob), "requeue", "rule" */
	char subject[JOB_NAME_SIZE]; /* the job, or the code of a quota */
	char other[JOB_NAME_SIZE];   /* of a requeue: the job that takes its place */
	char by[ACTION_BY_SIZE];     /* who asked for it: "dashboard", "gpuq stop", "rule NAME" */
	enum action_result result;
	char code[96], request_id[80]; /* AWS's */
	char text[ACTION_TEXT_SIZE];   /* what AWS said, or what came of it */
};

/* What an error says of it: result, code, request id and text. NULL: it was done. */
void action_set_err(struct action *action, const struct err *err);

/* done, nothing, refused, open, not-sent. Static text. */
const char *action_result_word(enum action_result result);

/* The oldest first. {0} is valid and empty. */
struct actions {
	struct action *items; /* owned */
	size_t count, capacity;
	uint64_t version; /* another one whenever they are others */
	bool is_read;     /* what was done before is among them, or cannot be read */
};

void actions_add(struct actions *actions, const struct action *action);
/* Those of `earlier` before all but the last `kept` ones, which stay behind them. */
void actions_replace(struct actions *actions, const struct action *earlier, size_t count,
		     size_t kept);
void actions_release(struct actions *actions);
/* It is about that job: it is its subject, or what has taken its place. */
bool action_is_of(const struct action *action, const char *job);

/* One line of JSON, ended by a line feed. */
void action_write(const struct action *action, struct buf *out);
/* Reads such a line, without its end. False: it is none. */
bool action_read(const char *line, size_t len, struct action *action) MUST_CHECK;

#endif
