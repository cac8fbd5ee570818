#include "model/order.h"

enum order_group order_group(enum phase phase)
{
	switch (phase) {
	case PHASE_PENDING:
	case PHASE_UNKNOWN:
		return GROUP_WAITING;
	case PHASE_STARTING:
		return GROUP_STARTING;
	case PHASE_RUNNING:
		return GROUP_RUNNING;
	case PHASE_STOPPING:
		return GROUP_STOPPING;
	default:
		return GROUP_ENDED;
	}
}

/* The longest wait first, else the newest: by the time that brought the job into its group. */
struct order_place order_place(const struct job *job, int64_t now_ms)
{
	struct order_place place = { .group = (uint8_t)order_group(job_phase(job)) };
	int64_t wait_ms = 0;
	bool final = false;
	if (place.group == GROUP_WAITING)
		place.within = job_wait_ms(job, now_ms, &wait_ms, &final) ? wait_ms : -1;
	else if (place.group == GROUP_ENDED && job->ended.set)
		place.within = job->ended.ms;
	else if (place.group == GROUP_RUNNING && job->started.set)
		place.within = job->started.ms;
	else
		place.within = job->created.set ? job->created.ms : 0;
	return place;
}

int order_compare(const struct order_place *a, const struct order_place *b)
{
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->stuck != b->stuck)
		return a->stuck ? -1 : 1;
	if (a->within != b->within)
		return a->within > b->within ? -1 : 1;
	return 0;
}
