/*
 * A rule of the operator's own config: on which events what is to be done. Pure: what it covers,
 * when it is quiet, and when a job that AWS cannot bound is to be stopped. Read by
 * model/config_rules.
 */
#ifndef GPUQ_RULE_H
#define GPUQ_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/shellwords.h"
#include "model/filter.h"

enum rule_event {
	RULE_START,    /* a job's wait is over */
	RULE_FAIL,     /* it has failed, or one of its own limits has stopped it */
	RULE_FALLBACK, /* it has started on another entry than its first */
	RULE_STUCK, /* it waits longer than usual, hangs in a stop, or is near its run-time limit */
	RULE_LIMIT, /* 80 % of its pending limit are counted */
	RULE_IDLE,  /* its GPUs have nothing to do */
	RULE_PLAN_START,         /* a window of a training plan opens soon */
	RULE_PLAN_END,           /* or is over soon */
	RULE_PROCESSING_PENDING, /* a processing job waits, which AWS does not bound */
	RULE_EVENTS
};

#define RULE_SOON_MS (INT64_C(30) * 60000) /* what is soon of a plan */

/* What is done; several can be. */
enum rule_act {
	RULE_BELL = 1u << 0,
	RULE_OSC9 = 1u << 1,
	RULE_OSC777 = 1u << 2,
	RULE_TMUX = 1u << 3,
	RULE_RUN = 1u << 4,
	RULE_STOP = 1u << 5,
};
#define RULE_OF_SCREEN (RULE_BELL | RULE_OSC9 | RULE_OSC777) /* nothing without one */

/* {0} is valid; release it. */
struct rule {
	const char *name; /* borrowed, as jobs */
	size_t line;      /* of the config */
	unsigned events;  /* a bit for each */
	unsigned acts;
	struct shellwords command; /* of RULE_RUN; its first word is a path */
	int64_t stop_after_ms;     /* of RULE_STOP */
	bool has_quiet;
	int quiet_from, quiet_to; /* minutes of the day */
	const char *jobs;         /* as written; NULL: all jobs */
	struct filter *filter;    /* owned: the same */
};
void rule_release(struct rule *rule);

/* start, fail, ...; as the config has them. Static text. */
const char *rule_event_word(enum rule_event event);
bool rule_event_parse(const char *word, enum rule_event *event);
/* What it stands for, as a row of the README has it. Static text. */
const char *rule_event_help(enum rule_event event);

/* It goes on while that is so, so that it can be told later too; else it is a moment's. */
bool rule_event_lasts(enum rule_event event);

/* The rule is for that event of that job (NULL: it is of no job). */
bool rule_covers(const struct rule *rule, enum rule_event event, const struct job *job,
		 const struct filter_ask *ask);

/* Its hours of quiet, by local time or UTC. */
bool rule_is_quiet(const struct rule *rule, int64_t now_ms, bool utc);

/* --- stop after --- */

#define RULE_STOP_NAMED_MS (INT64_C(15) * 60000) /* a stop is named so long before it is due, */
#define RULE_STOP_NOTICE_MS                                                   \
	(INT64_C(5) * 60000) /* and nothing is stopped sooner than that after \
			      */

enum rule_stop { RULE_STOP_WAITS, RULE_STOP_NAMES, RULE_STOP_STOPS };
/* What is due for a processing job that has waited so long. named: when its stop was named. */
enum rule_stop rule_stop_next(const struct rule *rule, int64_t waited_ms, struct opt_ms named,
			      int64_t now_ms);
/* When it stops the job, at the earliest. */
int64_t rule_stop_at(const struct rule *rule, int64_t waited_ms, struct opt_ms named,
		     int64_t now_ms);

/* Appends "on stuck, limit: run ~/bin/to-slack gpu; quiet 22:00-07:00; jobs llm". */
void rule_describe(const struct rule *rule, struct buf *out);

#endif
