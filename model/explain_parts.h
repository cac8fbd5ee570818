/* Shared by the files of model/explain; which plan serves an entry, by model/stuck too. */
#ifndef GPUQ_EXPLAIN_PARTS_H
#define GPUQ_EXPLAIN_PARTS_H

#include "model/base/attr.h"
#include "model/explain.h"

/* What a training plan does to an entry that is bound to it. */
enum plan_bar {
	PLAN_BAR_NONE, /* there is no plan: on demand */
	PLAN_BAR_SCHEDULED,
	PLAN_BAR_BETWEEN,
	PLAN_BAR_FULL,
	PLAN_BAR_OVER,   /* expired or failed: it never opens */
	PLAN_BAR_OPEN,   /* it has room for the count */
	PLAN_BAR_UNTOLD, /* plans are not read, or a word that no list knows */
};

/* The ARN of the plan that serves entry i, "" = on demand; *plan: as read, or NULL. A plan of the
 * whole job serves the entry of its type. Borrowed from the job and the store. */
const char *explain_plan(const struct store *store, const struct preferences *prefs, size_t i,
			 const struct plan **plan);
enum plan_bar explain_bar(const struct store *store, const struct preferences *prefs, size_t i,
			  int64_t now_ms);

/* The class with the fact that decides it. */
struct explain_ruling {
	enum explain_class class;
	bool certain;
	enum explain_reason {
		REASON_SECONDARY,    /* SecondaryStatus */
		REASON_STATUS,       /* the primary status */
		REASON_SPOT,         /* EnableManagedSpotTraining */
		REASON_NO_START,     /* no start time */
		REASON_REASON,       /* FailureReason, by its fixed beginning */
		REASON_LIMIT,        /* the wait came to the pending limit */
		REASON_RUN_TIME,     /* the run came to the run-time limit */
		REASON_PLAN_STATUS,  /* of the plan of `entry` */
		REASON_PLAN_WINDOWS, /* its windows */
		REASON_PLAN_ROOM,    /* its instances */
		REASON_NOT_READ,     /* the description is not known */
	} reason;
	size_t entry;
};
struct explain_ruling explain_judge(const struct store *store, const struct job *job,
				    int64_t now_ms);
enum explain_class explain_judge_refusal(const struct err *err);

/* How long its newest pending stretch has lasted; 0 = none. */
int64_t explain_stretch_ms(const struct job *job, int64_t now_ms);

/* Adds a fact: its value is made by printf; format NULL: the field is not there. Callers
 * add no more than EXPLAIN_FACTS_MAX in all. */
struct explain_fact *explain_add(struct explanation *out, const char *fact, const char *source,
				 const char *format, ...) PRINTF_LIKE(4, 5);

/* explain_evidence.c: of a job, the deciding one first; of a refusal. */
void explain_add_evidence(const struct explain_ask *ask, const struct explain_ruling *ruling,
			  struct explanation *out);
void explain_add_refusal(const struct explain_ask *ask, struct explanation *out);
/* explain_entries.c */
void explain_add_entries(const struct explain_ask *ask, struct explanation *out);
/* explain_next.c: the sentence, and what to do. */
void explain_add_text(const struct explain_ask *ask, const struct explain_ruling *ruling,
		      struct explanation *out);
void explain_add_next(const struct explain_ask *ask, struct explanation *out);

#endif
