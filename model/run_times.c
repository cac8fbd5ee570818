#include "model/run_times.h"

#include <stdlib.h>

#include "model/base/mem.h"

void run_times_release(struct run_times *runs)
{
	for (size_t i = 0; i < runs->keys.count; i++)
		times_release(&runs->series[i]);
	free(runs->series);
	triples_release(&runs->keys);
	*runs = (struct run_times){ 0 };
}

static struct triple key_of(const struct run_of *of)
{
	return (struct triple){ of->stem, of->type,
				(uint32_t)of->count * 2 + (of->kind == JOB_PROCESSING) };
}

bool run_times_add(struct run_times *runs, const struct history_job *job)
{
	if (job->phase != PHASE_COMPLETED || !job->has_run || job->spot || job->rank == 0 ||
	    job->rank > job->entry_count || job->counts[job->rank - 1] < 1)
		return false;
	const struct run_of of = { job->stem, job->types[job->rank - 1], job->counts[job->rank - 1],
				   (enum job_kind)job->kind };
	size_t before = runs->keys.count, at = triples_add(&runs->keys, key_of(&of));
	if (runs->keys.count > runs->capacity)
		runs->series = mem_grow(runs->series, &runs->capacity, runs->keys.count,
					sizeof(*runs->series));
	if (at == before)
		runs->series[at] = (struct times){ 0 };
	times_add(&runs->series[at], job->run_ms);
	return true;
}

struct opt_ms run_times_median(const struct run_times *runs, const struct run_of *of)
{
	size_t at;
	if (of->count < 1 || of->count > PREFS_COUNT_MAX ||
	    !triples_find(&runs->keys, key_of(of), &at))
		return (struct opt_ms){ 0 };
	times_sort(&runs->series[at]);
	return (struct opt_ms){ true, runs->series[at].ms[runs->series[at].count / 2] };
}
