/*
 * Why a job is pending, is on its way to a start or a stop, was refused or ended as it did: a class
 * from interface.md, and what speaks for it, the deciding fact first. It rests on fields, times,
 * plans, quotas and what was seen before, never on a message alone (facts/sagemaker.md, Training
 * jobs: messages change): those are shown as they came and marked as hints. Pure.
 */
#ifndef GPUQ_EXPLAIN_H
#define GPUQ_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/outlook.h"
#include "model/store.h"

enum explain_class {
	EXPLAIN_UNKNOWN, /* the facts allow no more */
	EXPLAIN_CAPACITY,
	EXPLAIN_PLAN_SCHEDULED,
	EXPLAIN_PLAN_BETWEEN,
	EXPLAIN_PLAN_FULL,
	EXPLAIN_SPOT,
	EXPLAIN_IMAGE,
	EXPLAIN_DATA,
	EXPLAIN_STOPPING,
	EXPLAIN_QUOTA,
	EXPLAIN_PERMISSION,
	EXPLAIN_UNSUPPORTED,
	EXPLAIN_REQUEST,
	EXPLAIN_NEVER_STARTED,
	EXPLAIN_LIMIT_RUNTIME,
	EXPLAIN_FAILED,
	/* Beside interface.md: of what needs no explanation. */
	EXPLAIN_STOPPED, /* while it ran, and by no limit */
	EXPLAIN_RUNNING,
	EXPLAIN_COMPLETED,
	EXPLAIN_CLASSES
};

/* capacity, plan-scheduled, ...: as in JSON. Static text. */
const char *explain_class_word(enum explain_class class);

/* One thing that speaks for the class. */
struct explain_fact {
	const char *fact;    /* the field, as AWS names it, or what gpuq has worked out; static */
	char *value;         /* owned; may hold text from outside; NULL = the field is not there */
	struct opt_ms at;    /* when it came to be so; wall time by AWS's clock */
	const char *source;  /* the operation, or where else it comes from; static */
	const char *against; /* what would disprove it; static, NULL = nothing */
	bool is_hint;        /* a message: no class rests on it */
};

enum explain_verdict {
	EXPLAIN_ENTRY_UNKNOWN,
	EXPLAIN_ENTRY_TAKEN,
	EXPLAIN_ENTRY_REFUSED, /* tried and passed over */
	EXPLAIN_ENTRY_NOT_TRIED
};
/* taken, refused, not-tried, unknown. Static text. */
const char *explain_verdict_word(enum explain_verdict verdict);

#define EXPLAIN_WHY_SIZE 128

/* Entry i of the list. What is not known is not set. */
struct explain_entry {
	enum explain_verdict verdict;
	char why[EXPLAIN_WHY_SIZE];
	/* The last time that a job was seen to wait for the type and no plan was closed. */
	struct opt_ms last_refused;
	struct money per_hour;
	const char *currency; /* of it; NULL = none */
	bool price_is_estimate;
	/* Training, spot and processing are quotas of their own (case 083). */
	enum quota_kind quota_kind;
	bool has_limit;        /* the quota is told: */
	int64_t limit;         /* instances */
	int64_t used, left;    /* left may be negative */
	int64_t limit_read_ms; /* wall time by AWS's clock */
	size_t wait_starts;    /* that the usual wait rests on */
	bool has_wait;         /* they are enough (FORECAST_STARTS_MIN) */
	struct opt_ms wait_p50, wait_p90;
	const struct plan *plan; /* borrowed from the store; NULL = none, or not read */
	const char *plan_arn;    /* borrowed from the job or the store; "" = on demand */
};

enum explain_action {
	EXPLAIN_WAIT,
	EXPLAIN_REQUEUE,
	EXPLAIN_RESUBMIT,
	EXPLAIN_RAISE_LIMIT,
	EXPLAIN_ASK_QUOTA,
	EXPLAIN_SEE_PLANS,
	EXPLAIN_OPEN_LOGS,
	EXPLAIN_DESCRIBE,
	EXPLAIN_EDIT_REQUEST,
	EXPLAIN_ASK_PERMISSION,
	EXPLAIN_STOP,
};
/* requeue, raise-limit, ...: as in JSON; the dashboard's keys for it, "" = none. Static texts. */
const char *explain_action_word(enum explain_action action);
const char *explain_action_keys(enum explain_action action);

struct explain_next {
	enum explain_action action;
	const char *why;  /* static */
	const char *keys; /* of the action, without those that lead nowhere for this job; static */
};

#define EXPLAIN_FACTS_MAX 16
#define EXPLAIN_NEXT_MAX  5

/* {0} is valid. Release it before the store it borrows from changes. */
struct explanation {
	enum explain_class class;
	bool certain; /* the fields say so; else it is the likeliest of what they leave */
	char *text;   /* owned; one or two sentences */
	struct explain_fact facts[EXPLAIN_FACTS_MAX];
	size_t fact_count;
	struct explain_entry entries[PREFS_KEEP_MAX];
	size_t entry_count;
	struct explain_next next[EXPLAIN_NEXT_MAX];
	size_t next_count;
};
void explanation_release(struct explanation *out);

/* A submission that AWS refused, as it was kept. Borrowed. */
struct explain_refusal {
	const struct err *err; /* its code, AWS's own, its text, and the hint where it is known */
	struct opt_ms at;
	enum job_kind kind;
	const struct preferences *prefs; /* of the request; NULL = not kept */
};

struct explain_ask {
	const struct job *job;                 /* or */
	const struct explain_refusal *refusal; /* of what is no job; the other is NULL */
	const struct store *store;             /* plans, quotas, prices, history */
	struct wait_curves *curves;            /* the usual waits; NULL: not known */
	const struct check_known *known;       /* what the config certifies; NULL: nothing */
	int64_t now_ms;                        /* by AWS's clock */
};
/* out is overwritten: {0} or released. */
void explain(const struct explain_ask *ask, struct explanation *out);

/* The class and whether it is certain alone, of a job; cheap. */
enum explain_class explain_class(const struct store *store, const struct job *job, int64_t now_ms,
				 bool *certain);

#endif
