/* What the store's jobs come to: the counts and the price of the header, and their waits. */
#include "model/store.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/pool.h"

#define DAY_MS INT64_C(86400000)

struct store_open {
	const struct job **jobs; /* owned; borrowed jobs */
	size_t count, capacity;
	uint64_t version; /* of the store */
};

struct store_open *store_open_new(void)
{
	return mem_new(1, sizeof(struct store_open));
}

void store_open_free(struct store_open *open)
{
	if (open)
		free(open->jobs);
	free(open);
}

static bool is_open(const struct job *job)
{
	enum phase phase = job_phase(job);
	return (phase != PHASE_COMPLETED && phase != PHASE_STOPPED) || job->pool.status;
}

const struct job *const *store_open_jobs(const struct store *store, size_t *count)
{
	struct store_open *open = store->open;
	*count = 0;
	if (!open) /* there has been no job yet */
		return NULL;
	if (open->version != store->version) {
		open->count = 0;
		for (size_t i = 0; i < store->count; i++) {
			if (!is_open(store->jobs[i]))
				continue;
			open->jobs = mem_grow(open->jobs, &open->capacity, open->count + 1,
					      sizeof(const struct job *));
			open->jobs[open->count++] = store->jobs[i];
		}
		open->version = store->version;
	}
	*count = open->count;
	return open->jobs;
}

static bool ended_on_day(const struct job *job, int64_t now_ms)
{
	struct opt_ms end = job->ended.set ? job->ended : job->modified;
	return end.set && end.ms >= 0 && now_ms >= 0 && end.ms / DAY_MS == now_ms / DAY_MS;
}

static void total_wait(struct totals *totals, const struct job *job, int64_t now_ms)
{
	int64_t wait_ms;
	bool final;
	if (!job_wait_ms(job, now_ms, &wait_ms, &final))
		return;
	if (!totals->has_oldest || wait_ms > totals->oldest_wait_ms)
		totals->oldest_wait_ms = wait_ms;
	totals->has_oldest = true;
}

static void total_cost(struct totals *totals, const struct job *job, const struct price_book *book,
		       int64_t now_ms)
{
	struct money_sum *sum = &totals->per_hour;
	struct cost cost = price_job_cost(job, book, now_ms);
	int64_t total;
	if (!cost.per_hour.set || __builtin_add_overflow(sum->micro, cost.per_hour.micro, &total)) {
		/* Stopped while it still waited: no instances, nothing missing. */
		sum->partial |= job_phase(job) != PHASE_STOPPING || job->started.set;
		return;
	}
	sum->set = true;
	sum->micro = total;
	if (cost.currency)
		sum->currency = cost.currency;
	if (cost.source > sum->source)
		sum->source = cost.source;
}

/* Instances that nobody uses are billed while they stand. */
static void total_pool(struct totals *totals, const struct job *job, const struct price_book *book,
		       int64_t now_ms)
{
	struct money_sum *sum = &totals->per_hour;
	struct pool_hold hold;
	if (!pool_stands(job, now_ms, &hold))
		return;
	totals->pools++;
	if (__builtin_add_overflow(totals->kept_warm, hold.instances, &totals->kept_warm))
		totals->kept_warm = INT64_MAX;
	struct money rate = price_pool_per_hour(job, book, now_ms);
	if (!rate.set || __builtin_add_overflow(sum->micro, rate.micro, &rate.micro)) {
		sum->partial = true;
		return;
	}
	sum->set = true;
	sum->micro = rate.micro;
	const char *type = job->selected.set            ? job->selected.instance_type
			   : job_prefs(job)->length > 0 ? job_prefs(job)->entries[0].instance_type
							: "";
	struct price price = price_find(book, job->kind, type);
	if (price.currency)
		sum->currency = price.currency;
	if (price.source > sum->source)
		sum->source = price.source;
}

struct totals store_totals(const struct store *store, int64_t now_ms)
{
	struct totals totals = { 0 };
	size_t count;
	const struct job *const *jobs = store_open_jobs(store, &count);
	for (size_t i = 0; i < count; i++) {
		const struct job *job = jobs[i];
		switch (job_phase(job)) {
		case PHASE_PENDING:
			totals.pending++;
			total_wait(&totals, job, now_ms);
			break;
		case PHASE_STARTING:
			totals.starting++;
			total_cost(&totals, job, &store->prices, now_ms);
			break;
		case PHASE_RUNNING:
			totals.running++;
			total_cost(&totals, job, &store->prices, now_ms);
			break;
		case PHASE_STOPPING:
			totals.stopping++;
			total_cost(&totals, job, &store->prices, now_ms);
			break;
		case PHASE_FAILED:
			totals.failed++;
			totals.failed_today += ended_on_day(job, now_ms);
			break;
		case PHASE_UNKNOWN:
			totals.unknown++;
			break;
		case PHASE_COMPLETED:
		case PHASE_STOPPED:
			total_pool(&totals, job, &store->prices, now_ms);
			break;
		}
	}
	return totals;
}
