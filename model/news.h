/*
 * What has happened that a rule may be for: derived from the store, look by look. What lasts (a job
 * is stuck, idle, near its limit) is told with each look for as long as it does; whoever is told
 * remembers. Pure; {0} has seen nothing.
 */
#ifndef GPUQ_NEWS_H
#define GPUQ_NEWS_H

#include "model/phases.h"
#include "model/rule.h"
#include "model/stuck.h"

struct news {
	enum rule_event event;
	const struct job *job;   /* borrowed for the call; NULL: it is of a plan */
	const struct plan *plan; /* the same; NULL: it is of a job */
	int64_t waited_ms;       /* of RULE_PROCESSING_PENDING */
	struct opt_ms when;      /* of a plan: when its window opens, or is over */
	uint64_t subject;        /* stands for the job, or the window of the plan */
};
typedef void news_fn(void *ctx, const struct news *news);

/* What a look goes by. */
struct news_ask {
	const struct store *store;
	const struct stuck_past *past; /* NULL: it is not known yet, and nobody is stuck by it */
	struct opt_ms stuck_after;
	unsigned events; /* that are asked for: a bit for each */
	int64_t now_ms, mono_ms;
};

/* phases: what was seen before; of this user alone. tell must not change the store. */
void news_look(struct phases *phases, const struct news_ask *ask, news_fn *tell, void *ctx);

/* One sentence about it, without a line break; no reason of failure but AWS's own word, since the
 * rest may quote secrets. */
void news_add_words(struct buf *out, const struct news *news, const struct news_ask *ask, bool utc);

#endif
