#include "model/requeue.h"

#include <string.h>

#include "model/base/attr.h"

/* What each fact means at each step. What is not here changes nothing. */
static const struct {
	enum requeue_step step;
	enum requeue_fact fact;
	struct requeue_next next;
} rows[] = {
	/* Nothing is done yet. What has started stays; what has ended without running is replaced,
	 * whoever ended it. */
	{ REQUEUE_STOP_OLD, FACT_AGREED, { REQUEUE_STOP_OLD, ACT_LOOK_OLD } },
	{ REQUEUE_STOP_OLD, FACT_RESUMED, { REQUEUE_STOP_OLD, ACT_LOOK_OLD } },
	{ REQUEUE_STOP_OLD, FACT_WITHDRAWN, { REQUEUE_WITHDRAWN, ACT_END } },
	{ REQUEUE_STOP_OLD, FACT_OLD_PENDING, { REQUEUE_STOP_OLD, ACT_STOP_OLD } },
	{ REQUEUE_STOP_OLD, FACT_OLD_STARTED, { REQUEUE_OLD_STAYS, ACT_END } },
	{ REQUEUE_STOP_OLD, FACT_OLD_STOPPING, { REQUEUE_AWAIT_END, ACT_WAIT } },
	{ REQUEUE_STOP_OLD, FACT_OLD_ENDED, { REQUEUE_CREATE, ACT_CREATE } },
	{ REQUEUE_STOP_OLD, FACT_OLD_RAN, { REQUEUE_OLD_STAYS, ACT_END } },
	{ REQUEUE_STOP_OLD, FACT_OLD_GONE, { REQUEUE_STALE, ACT_END } },
	{ REQUEUE_STOP_OLD, FACT_STOP_TAKEN, { REQUEUE_AWAIT_END, ACT_WAIT } },
	{ REQUEUE_STOP_OLD, FACT_STOP_OVER, { REQUEUE_STOP_OLD, ACT_LOOK_OLD } },
	{ REQUEUE_STOP_OLD, FACT_STOP_REFUSED, { REQUEUE_UNSTOPPED, ACT_END } },
	{ REQUEUE_STOP_OLD, FACT_CREATE_STALE, { REQUEUE_STALE, ACT_END } },
	/* Until the end state. A stop that is sent again does no harm. */
	{ REQUEUE_AWAIT_END, FACT_RESUMED, { REQUEUE_AWAIT_END, ACT_LOOK_OLD } },
	{ REQUEUE_AWAIT_END, FACT_WITHDRAWN, { REQUEUE_WITHDRAWN, ACT_END } },
	{ REQUEUE_AWAIT_END, FACT_OLD_PENDING, { REQUEUE_AWAIT_END, ACT_STOP_OLD } },
	{ REQUEUE_AWAIT_END, FACT_OLD_ENDED, { REQUEUE_CREATE, ACT_CREATE } },
	{ REQUEUE_AWAIT_END, FACT_OLD_RAN, { REQUEUE_OLD_STAYS, ACT_END } },
	{ REQUEUE_AWAIT_END, FACT_OLD_GONE, { REQUEUE_STALE, ACT_END } },
	{ REQUEUE_CREATE, FACT_WITHDRAWN_UNSENT, { REQUEUE_WITHDRAWN, ACT_END } },
	{ REQUEUE_CREATE, FACT_RESUMED, { REQUEUE_CREATE, ACT_CREATE } },
	{ REQUEUE_CREATE, FACT_CREATED, { REQUEUE_DONE, ACT_END } },
	{ REQUEUE_CREATE, FACT_CREATED_BEFORE, { REQUEUE_DONE, ACT_END } },
	{ REQUEUE_CREATE, FACT_CREATE_REFUSED, { REQUEUE_NOT_CREATED, ACT_END } },
	{ REQUEUE_CREATE, FACT_CREATE_STALE, { REQUEUE_STALE, ACT_END } },
	/* Nothing is done yet. */
	{ REQUEUE_LOOK_FIRST, FACT_AGREED, { REQUEUE_LOOK_FIRST, ACT_LOOK_OLD } },
	{ REQUEUE_LOOK_FIRST, FACT_RESUMED, { REQUEUE_LOOK_FIRST, ACT_LOOK_OLD } },
	{ REQUEUE_LOOK_FIRST, FACT_WITHDRAWN, { REQUEUE_WITHDRAWN, ACT_END } },
	{ REQUEUE_LOOK_FIRST, FACT_OLD_PENDING, { REQUEUE_CREATE_FIRST, ACT_CREATE } },
	{ REQUEUE_LOOK_FIRST, FACT_OLD_STARTED, { REQUEUE_OLD_STAYS, ACT_END } },
	{ REQUEUE_LOOK_FIRST, FACT_OLD_RAN, { REQUEUE_OLD_STAYS, ACT_END } },
	{ REQUEUE_LOOK_FIRST, FACT_OLD_GONE, { REQUEUE_STALE, ACT_END } },
	{ REQUEUE_LOOK_FIRST, FACT_STOP_REFUSED, { REQUEUE_UNSTOPPED, ACT_END } },
	{ REQUEUE_LOOK_FIRST, FACT_CREATE_STALE, { REQUEUE_STALE, ACT_END } },
	/* Once the new one may be there it is asked for first, whatever the old one does. */
	{ REQUEUE_CREATE_FIRST, FACT_WITHDRAWN_UNSENT, { REQUEUE_WITHDRAWN, ACT_END } },
	{ REQUEUE_CREATE_FIRST, FACT_RESUMED, { REQUEUE_CREATE_FIRST, ACT_CREATE } },
	{ REQUEUE_CREATE_FIRST, FACT_CREATED, { REQUEUE_REPLACE, ACT_LOOK_OLD } },
	/* The old one is not given up for one that is over. */
	{ REQUEUE_CREATE_FIRST, FACT_CREATED_BEFORE, { REQUEUE_REPLACE, ACT_LOOK_NEW } },
	{ REQUEUE_CREATE_FIRST, FACT_CREATE_REFUSED, { REQUEUE_REFUSED, ACT_END } },
	{ REQUEUE_CREATE_FIRST, FACT_CREATE_STALE, { REQUEUE_STALE, ACT_END } },
	{ REQUEUE_REPLACE, FACT_RESUMED, { REQUEUE_REPLACE, ACT_LOOK_NEW } },
	{ REQUEUE_REPLACE, FACT_NEW_PENDING, { REQUEUE_REPLACE, ACT_LOOK_OLD } },
	{ REQUEUE_REPLACE, FACT_NEW_STARTED, { REQUEUE_REPLACE, ACT_LOOK_OLD } },
	{ REQUEUE_REPLACE, FACT_NEW_OVER, { REQUEUE_NEW_OVER, ACT_END } },
	{ REQUEUE_REPLACE, FACT_WITHDRAWN, { REQUEUE_TAKE_BACK, ACT_LOOK_NEW } },
	{ REQUEUE_REPLACE, FACT_LATE, { REQUEUE_TAKE_BACK, ACT_LOOK_NEW } },
	{ REQUEUE_REPLACE, FACT_OLD_PENDING, { REQUEUE_REPLACE, ACT_STOP_OLD } },
	{ REQUEUE_REPLACE, FACT_OLD_STARTED, { REQUEUE_TAKE_BACK, ACT_LOOK_NEW } },
	{ REQUEUE_REPLACE, FACT_OLD_STOPPING, { REQUEUE_DONE, ACT_END } },
	{ REQUEUE_REPLACE, FACT_OLD_ENDED, { REQUEUE_DONE, ACT_END } },
	{ REQUEUE_REPLACE, FACT_OLD_RAN, { REQUEUE_TAKE_BACK, ACT_LOOK_NEW } },
	{ REQUEUE_REPLACE, FACT_OLD_GONE, { REQUEUE_DONE, ACT_END } },
	{ REQUEUE_REPLACE, FACT_STOP_TAKEN, { REQUEUE_DONE, ACT_END } },
	{ REQUEUE_REPLACE, FACT_STOP_OVER, { REQUEUE_REPLACE, ACT_LOOK_OLD } },
	{ REQUEUE_REPLACE, FACT_STOP_REFUSED, { REQUEUE_TAKE_BACK, ACT_LOOK_NEW } },
	{ REQUEUE_TAKE_BACK, FACT_RESUMED, { REQUEUE_TAKE_BACK, ACT_LOOK_NEW } },
	{ REQUEUE_TAKE_BACK, FACT_NEW_PENDING, { REQUEUE_TAKE_BACK, ACT_STOP_NEW } },
	{ REQUEUE_TAKE_BACK, FACT_NEW_STARTED, { REQUEUE_CHOOSE, ACT_LOOK_OLD } },
	{ REQUEUE_TAKE_BACK, FACT_NEW_OVER, { REQUEUE_OLD_STAYS, ACT_END } },
	{ REQUEUE_TAKE_BACK, FACT_STOP_TAKEN, { REQUEUE_OLD_STAYS, ACT_END } },
	{ REQUEUE_TAKE_BACK, FACT_STOP_OVER, { REQUEUE_OLD_STAYS, ACT_END } },
	{ REQUEUE_TAKE_BACK, FACT_STOP_REFUSED, { REQUEUE_BOTH, ACT_END } },
	{ REQUEUE_CHOOSE, FACT_RESUMED, { REQUEUE_CHOOSE, ACT_LOOK_OLD } },
	{ REQUEUE_CHOOSE, FACT_OLD_PENDING, { REQUEUE_CHOOSE, ACT_STOP_OLD } },
	{ REQUEUE_CHOOSE, FACT_OLD_STARTED, { REQUEUE_BOTH, ACT_END } },
	{ REQUEUE_CHOOSE, FACT_OLD_STOPPING, { REQUEUE_DONE, ACT_END } },
	{ REQUEUE_CHOOSE, FACT_OLD_ENDED, { REQUEUE_DONE, ACT_END } },
	{ REQUEUE_CHOOSE, FACT_OLD_RAN, { REQUEUE_DONE, ACT_END } },
	{ REQUEUE_CHOOSE, FACT_OLD_GONE, { REQUEUE_DONE, ACT_END } },
	{ REQUEUE_CHOOSE, FACT_STOP_TAKEN, { REQUEUE_DONE, ACT_END } },
	{ REQUEUE_CHOOSE, FACT_STOP_OVER, { REQUEUE_CHOOSE, ACT_LOOK_OLD } },
	{ REQUEUE_CHOOSE, FACT_STOP_REFUSED, { REQUEUE_BOTH, ACT_END } },
};

struct requeue_next requeue_next(enum requeue_step step, enum requeue_fact fact)
{
	if (requeue_has_ended(step))
		return (struct requeue_next){ step, ACT_END };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].step == step && rows[i].fact == fact)
			return rows[i].next;
	return (struct requeue_next){ step, ACT_WAIT };
}

bool requeue_has_ended(enum requeue_step step)
{
	return step >= REQUEUE_DONE;
}

enum requeue_act requeue_look(enum requeue_step step)
{
	switch (step) {
	case REQUEUE_STOP_OLD:
	case REQUEUE_AWAIT_END:
	case REQUEUE_LOOK_FIRST:
	case REQUEUE_CHOOSE:
		return ACT_LOOK_OLD;
	case REQUEUE_REPLACE:
	case REQUEUE_TAKE_BACK:
		return ACT_LOOK_NEW;
	default:
		return ACT_WAIT;
	}
}

bool requeue_overlaps(enum requeue_step step)
{
	return step == REQUEUE_REPLACE || step == REQUEUE_TAKE_BACK || step == REQUEUE_CHOOSE ||
	       step == REQUEUE_BOTH;
}

enum requeue_step requeue_first_step(bool stop_first)
{
	return stop_first ? REQUEUE_STOP_OLD : REQUEUE_LOOK_FIRST;
}

static const char *const words[REQUEUE_STEPS] = {
	[REQUEUE_STOP_OLD] = "stop-old",
	[REQUEUE_AWAIT_END] = "await-end",
	[REQUEUE_CREATE] = "create",
	[REQUEUE_LOOK_FIRST] = "look-first",
	[REQUEUE_CREATE_FIRST] = "create-first",
	[REQUEUE_REPLACE] = "replace",
	[REQUEUE_TAKE_BACK] = "take-back",
	[REQUEUE_CHOOSE] = "choose",
	[REQUEUE_DONE] = "done",
	[REQUEUE_OLD_STAYS] = "old-stays",
	[REQUEUE_UNSTOPPED] = "unstopped",
	[REQUEUE_REFUSED] = "refused",
	[REQUEUE_NOT_CREATED] = "not-created",
	[REQUEUE_BOTH] = "both",
	[REQUEUE_STALE] = "stale",
	[REQUEUE_NEW_OVER] = "new-over",
	[REQUEUE_WITHDRAWN] = "withdrawn",
};

const char *requeue_step_word(enum requeue_step step)
{
	return words[step];
}

bool requeue_step_parse(const char *word, enum requeue_step *step)
{
	for (int i = 0; i < REQUEUE_STEPS; i++)
		if (strcmp(words[i], word) == 0) {
			*step = (enum requeue_step)i;
			return true;
		}
	return false;
}

bool requeue_has_begun(enum requeue_step step, bool stop_sent)
{
	return step != REQUEUE_LOOK_FIRST && (step != REQUEUE_STOP_OLD || stop_sent);
}

enum requeue_fact requeue_fact_of_old(const struct job *job, bool begun, bool stop_sent)
{
	if (!job)
		return FACT_OLD_GONE;
	if (!begun && (job_has_ended(job) || job_phase(job) == PHASE_STOPPING))
		return FACT_OLD_RAN;
	if (job_has_ended(job)) {
		bool by_stop = stop_sent && job_phase(job) == PHASE_STOPPED;
		return job_never_started(job) || by_stop ? FACT_OLD_ENDED : FACT_OLD_RAN;
	}
	switch (job_phase(job)) {
	case PHASE_PENDING:
		return FACT_OLD_PENDING;
	case PHASE_STOPPING:
		return FACT_OLD_STOPPING;
	default:
		return FACT_OLD_STARTED;
	}
}

enum requeue_fact requeue_fact_of_new(const struct job *job)
{
	if (!job || job_has_ended(job) || job_phase(job) == PHASE_STOPPING)
		return FACT_NEW_OVER;
	return job_phase(job) == PHASE_PENDING ? FACT_NEW_PENDING : FACT_NEW_STARTED;
}
