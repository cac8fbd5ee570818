#include "model/phases.h"

#include <stdlib.h>

#include "model/base/mem.h"

#define TABLE_MIN 64

struct phase_row {
	uint64_t key;     /* 0 = free */
	int64_t since_ms; /* monotonic: of held */
	uint8_t phase;
	bool known;    /* the phase is */
	bool is_new;   /* it turned up after its list had been complete */
	bool recorded; /* what is known is of an earlier run */
	bool held;     /* a change waits for the details */
};

void phases_release(struct phases *phases)
{
	if (!phases)
		return;
	free(phases->rows);
	*phases = (struct phases){ 0 };
}

static uint64_t key_of(const struct job *job)
{
	uint64_t key = history_key(job->arn);
	return key ? key : 1;
}

/* The row of the key, or the free one where it would go. */
static struct phase_row *find(const struct phases *phases, uint64_t key)
{
	size_t slot = (size_t)key & (phases->size - 1);
	while (phases->rows[slot].key && phases->rows[slot].key != key)
		slot = (slot + 1) & (phases->size - 1);
	return &phases->rows[slot];
}

/* Room for all jobs of the store; rows of jobs that have gone are left behind. */
static void make_room(struct phases *phases, const struct store *store)
{
	struct phases old = *phases;
	if (2 * (phases->count + store->count) < phases->size)
		return;
	phases->size = TABLE_MIN;
	while (phases->size < 8 * (store->count + 1))
		phases->size *= 2;
	phases->rows = mem_new(phases->size, sizeof(*phases->rows));
	phases->count = 0;
	for (size_t i = 0; old.rows && i < store->count; i++) {
		uint64_t key = key_of(store_at(store, i));
		const struct phase_row *row = find(&old, key);
		if (!row->key)
			continue;
		*find(phases, key) = *row;
		phases->count++;
	}
	free(old.rows);
}

/* A processing job of a list alone may be pending or running. */
static bool is_known(const struct job *job)
{
	return job_phase(job) != PHASE_UNKNOWN || job_has_details(job);
}

/* A look under way. */
struct look {
	struct phases *phases;
	const struct store *store;
	phase_change_fn *tell;
	void *ctx;
};

/* The details are on their way, and a moment is given to them. */
static bool is_early(struct look *look, struct phase_row *row, const struct job *job)
{
	const struct job_reading *reading = readings_find(&look->store->readings, job->arn);
	int64_t now_ms = look->phases->looked_ms;
	if (job->described || (reading && reading->error.code != ERR_NONE))
		return false;
	if (!row->held)
		row->since_ms = now_ms;
	row->held = true;
	if (now_ms - row->since_ms >= PHASES_HOLD_MS)
		return false;
	if (look->phases->held == 0 || row->since_ms + PHASES_HOLD_MS < look->phases->due_ms)
		look->phases->due_ms = row->since_ms + PHASES_HOLD_MS;
	look->phases->held++;
	return true;
}

static void look_at(struct look *look, const struct job *job)
{
	struct phases *phases = look->phases;
	uint64_t key = key_of(job);
	struct phase_row *row = find(phases, key);
	if (!row->key) {
		*row = (struct phase_row){ .key = key, .is_new = phases->listed[job->kind] };
		phases->count++;
	}
	enum phase phase = job_phase(job), from = (enum phase)row->phase;
	bool recorded = row->recorded, had = row->known;
	if (!is_known(job) || (had && phase == from && !row->held)) {
		row->recorded = recorded && job->revision == 0;
		return;
	}
	bool is_news = had ? !recorded || phases->listed[job->kind] : row->is_new;
	is_news = is_news && !(had && phase == from);
	if (is_news && is_early(look, row, job))
		return;
	row->held = false;
	row->known = true;
	row->recorded = job->revision == 0;
	row->phase = (uint8_t)phase;
	if (is_news)
		look->tell(look->ctx, &(struct phase_change){ job, had, from, phase });
}

void phases_look(struct phases *phases, const struct store *store, int64_t mono_ms,
		 phase_change_fn *tell, void *ctx)
{
	struct look look = { phases, store, tell, ctx };
	bool whole = !phases->listed[JOB_TRAINING] || !phases->listed[JOB_PROCESSING] ||
		     store->count != phases->jobs || phases->held > 0;
	phases->looked_ms = mono_ms;
	phases->held = 0;
	make_room(phases, store);
	for (size_t i = store->count; i-- > 0;) {
		const struct job *job = store_at(store, i);
		if (whole || job->revision > phases->version)
			look_at(&look, job);
	}
	phases->version = store->version;
	phases->jobs = store->count;
	phases->listed[JOB_TRAINING] |= store->sources[SOURCE_TRAINING].loaded;
	phases->listed[JOB_PROCESSING] |= store->sources[SOURCE_PROCESSING].loaded;
}

int64_t phases_wait_ms(const struct phases *phases, int64_t mono_ms)
{
	if (phases->held == 0)
		return -1;
	return phases->due_ms > mono_ms ? phases->due_ms - mono_ms : 0;
}
