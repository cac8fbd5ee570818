#include "model/quota.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/quota_table.h"

#define POOL_WAITS "Available" /* WarmPoolStatus: for the next job */
#define DELETING   "Deleting"  /* has ended before */

static const struct {
	const char *word, *usage;
} kinds[QUOTA_KINDS] = {
	[QUOTA_TRAINING] = { "training", "training job usage" },
	[QUOTA_SPOT] = { "spot", "spot training job usage" },
	[QUOTA_WARM_POOL] = { "warm-pool", "training warm pool usage" },
	[QUOTA_PROCESSING] = { "processing", "processing job usage" },
};

const char *quota_kind_word(enum quota_kind kind)
{
	return kinds[kind].word;
}

const char *quota_kind_usage(enum quota_kind kind)
{
	return kinds[kind].usage;
}

enum quota_kind quota_kind_of(enum job_kind kind, bool spot)
{
	if (kind == JOB_PROCESSING)
		return QUOTA_PROCESSING;
	return spot ? QUOTA_SPOT : QUOTA_TRAINING;
}

struct key {
	const char *instance_type;
	enum quota_kind kind;
};

static int compare_key(const void *key, const void *item)
{
	const struct key *wanted = key;
	const struct quota_row *row = item;
	int order = strcmp(wanted->instance_type, row->instance_type);
	return order ? order : (int)wanted->kind - (int)row->kind;
}

const struct quota_row *quota_find(const char *instance_type, enum quota_kind kind)
{
	const struct key key = { instance_type, kind };
	return bsearch(&key, quota_rows, quota_row_count, sizeof(*quota_rows), compare_key);
}

const struct quota_row *quota_find_code(const char *code)
{
	for (size_t i = 0; i < quota_row_count; i++) {
		if (strcmp(quota_rows[i].code, code) == 0)
			return &quota_rows[i];
	}
	return NULL;
}

/* --- what a job holds --- */

/* What one job has to do with one quota. */
struct share {
	int64_t held, waiting;
	bool unread, warm_pool;
};

static bool goes_on(const struct job *job)
{
	return job_is_live(job) && !(job->status && strcmp(job->status, DELETING) == 0);
}

static bool keeps_pool(const struct job *job)
{
	return job->kind == JOB_TRAINING && job->pool.status &&
	       strcmp(job->pool.status, POOL_WAITS) == 0;
}

bool quota_counts(const struct job *job)
{
	return goes_on(job) || keeps_pool(job);
}

/* All that the job's entries ask for of the type. */
static int64_t asked_of(const struct job *job, const char *instance_type)
{
	int64_t sum = 0, count;
	for (size_t i = 0; i < job_prefs(job)->length; i++) {
		if (strcmp(job_prefs(job)->entries[i].instance_type, instance_type) == 0 &&
		    prefs_count(job_prefs(job), i, &count) &&
		    __builtin_add_overflow(sum, count, &sum))
			return INT64_MAX;
	}
	return sum;
}

/* A cluster of groups has no selection: it gets all of them, or it waits. */
static bool has_its_groups(const struct job *job)
{
	enum phase phase = job_phase(job);
	return phase == PHASE_STARTING || phase == PHASE_RUNNING || job->started.set;
}

static int64_t held_of(const struct job *job, const char *instance_type)
{
	if (job->has_groups)
		return has_its_groups(job) ? asked_of(job, instance_type) : 0;
	return job->selected.set && strcmp(job->selected.instance_type, instance_type) == 0
		       ? job->selected.count
		       : 0;
}

static bool waits(const struct job *job)
{
	enum phase phase = job_phase(job);
	bool holds = job->has_groups ? has_its_groups(job) : job->selected.set;
	return !holds && (phase == PHASE_PENDING || phase == PHASE_UNKNOWN);
}

/* Which kind it counts under is told by its description alone: spot is not in the lists. */
static bool may_be_of(const struct job *job, enum quota_kind kind)
{
	if (!job_has_details(job))
		return (job->kind == JOB_PROCESSING) == (kind == QUOTA_PROCESSING);
	return quota_kind_of(job->kind, job->spot) == kind;
}

static struct share share_of_live(const struct job *job, const char *instance_type,
				  enum quota_kind kind)
{
	if (kind == QUOTA_WARM_POOL || !may_be_of(job, kind))
		return (struct share){ 0 };
	if (!job_has_details(job))
		return (struct share){ .unread = true };
	return (struct share){
		.held = held_of(job, instance_type),
		.waiting = waits(job) ? asked_of(job, instance_type) : 0,
	};
}

static struct share share_of_pool(const struct job *job, const char *instance_type,
				  enum quota_kind kind)
{
	if (kind != QUOTA_WARM_POOL && !may_be_of(job, kind))
		return (struct share){ 0 };
	if (!job_has_details(job))
		return (struct share){ .unread = true };
	return (struct share){ .held = held_of(job, instance_type), .warm_pool = true };
}

static struct share share_of(const struct job *job, const char *instance_type, enum quota_kind kind)
{
	if (goes_on(job))
		return share_of_live(job, instance_type, kind);
	if (keeps_pool(job))
		return share_of_pool(job, instance_type, kind);
	return (struct share){ 0 };
}

/* Counts come from outside and may be anything. */
static void add_count(int64_t *sum, int64_t count)
{
	if (count > 0 && __builtin_add_overflow(*sum, count, sum))
		*sum = INT64_MAX;
}

static bool is_older(struct opt_ms a, struct opt_ms b)
{
	return a.set && (!b.set || a.ms < b.ms);
}

/* Jobs come newest first, so that nearly all go to the end; equals stay in that order. */
static void add_holder(struct quota_use *use, const struct quota_holder *holder)
{
	size_t at = use->holder_count;
	use->holders = mem_grow(use->holders, &use->holder_capacity, use->holder_count + 1,
				sizeof(*use->holders));
	while (at > 0 && is_older(holder->since, use->holders[at - 1].since)) {
		use->holders[at] = use->holders[at - 1];
		at--;
	}
	use->holders[at] = *holder;
	use->holder_count++;
}

void quota_count(const struct job *const *jobs, size_t job_count, const char *instance_type,
		 enum quota_kind kind, struct quota_use *use)
{
	*use = (struct quota_use){ 0 };
	for (size_t i = job_count; i-- > 0;) {
		const struct job *job = jobs[i];
		struct share share = share_of(job, instance_type, kind);
		add_count(&use->used, share.held);
		add_count(&use->waiting, share.waiting);
		use->unread += share.unread;
		if (share.held <= 0)
			continue;
		struct quota_holder holder = { .job = job,
					       .count = share.held,
					       .warm_pool = share.warm_pool,
					       .since = share.warm_pool ? job->ended
									: job->created };
		add_holder(use, &holder);
	}
}

void quota_use_release(struct quota_use *use)
{
	if (!use)
		return;
	free(use->holders);
	*use = (struct quota_use){ 0 };
}

void quota_tally(const struct job *const *jobs, size_t job_count, struct quota_fact *facts,
		 size_t fact_count)
{
	for (size_t i = 0; i < fact_count; i++) {
		facts[i].used = facts[i].waiting = 0;
		facts[i].unread = 0;
	}
	for (size_t k = 0; k < job_count; k++) {
		const struct job *job = jobs[k];
		if (!quota_counts(job))
			continue;
		for (size_t i = 0; i < fact_count; i++) {
			struct quota_fact *fact = &facts[i];
			struct share share = share_of(job, fact->instance_type, fact->kind);
			add_count(&fact->used, share.held);
			add_count(&fact->waiting, share.waiting);
			fact->unread += share.unread;
		}
	}
}

const char *quota_holder_state(const struct quota_holder *holder)
{
	const struct job *job = holder->job;
	if (holder->warm_pool)
		return "warm pool";
	if (job->status && strcmp(job->status, "InProgress") == 0 && job->secondary_status)
		return job->secondary_status;
	return job->status ? job->status : "";
}

/* --- which ones --- */

size_t quota_keys_add(struct quota_key *keys, size_t count, size_t max, struct quota_key key)
{
	for (size_t i = 0; i < count; i++) {
		if (keys[i].kind == key.kind &&
		    strcmp(keys[i].instance_type, key.instance_type) == 0)
			return count;
	}
	if (count == max || !key.instance_type[0])
		return count;
	keys[count] = key;
	return count + 1;
}

size_t quota_keys_of_list(struct quota_key *keys, size_t count, size_t max,
			  const struct preferences *prefs, enum quota_kind kind, bool keeps_alive)
{
	for (size_t i = 0; i < prefs->length; i++) {
		const char *type = prefs->entries[i].instance_type;
		count = quota_keys_add(keys, count, max, (struct quota_key){ type, kind });
		if (keeps_alive && kind == QUOTA_TRAINING)
			count = quota_keys_add(keys, count, max,
					       (struct quota_key){ type, QUOTA_WARM_POOL });
	}
	return count;
}

static size_t keys_of_job(struct quota_key *keys, size_t count, size_t max, const struct job *job)
{
	enum quota_kind kind = quota_kind_of(job->kind, job->spot);
	const char *selected = job->selected.instance_type;
	if (job->has_groups || waits(job))
		return quota_keys_of_list(keys, count, max, job_prefs(job), kind, false);
	if (!job->selected.set)
		return count;
	count = quota_keys_add(keys, count, max, (struct quota_key){ selected, kind });
	if (keeps_pool(job))
		count = quota_keys_add(keys, count, max,
				       (struct quota_key){ selected, QUOTA_WARM_POOL });
	return count;
}

static int compare_keys(const void *a, const void *b)
{
	const struct quota_key *x = a, *y = b;
	int order = strcmp(x->instance_type, y->instance_type);
	return order ? order : (int)x->kind - (int)y->kind;
}

size_t quota_keys_of_jobs(struct quota_key *keys, size_t count, size_t max,
			  const struct job *const *jobs, size_t job_count)
{
	size_t first = count;
	for (size_t i = 0; i < job_count; i++) {
		if (quota_counts(jobs[i]) && job_has_details(jobs[i]))
			count = keys_of_job(keys, count, max, jobs[i]);
	}
	qsort(keys + first, count - first, sizeof(*keys), compare_keys);
	return count;
}

size_t quota_keys_of_type(struct quota_key *keys, size_t count, size_t max,
			  const char *instance_type)
{
	size_t before = count;
	for (int kind = 0; kind < QUOTA_KINDS; kind++) {
		struct quota_key key = { instance_type, (enum quota_kind)kind };
		if (quota_find(instance_type, key.kind))
			count = quota_keys_add(keys, count, max, key);
	}
	if (count == before && !quota_find(instance_type, QUOTA_TRAINING))
		count = quota_keys_add(keys, count, max,
				       (struct quota_key){ instance_type, QUOTA_TRAINING });
	return count;
}

/* --- what is told --- */

int64_t quota_needed(const struct quota_fact *fact, int64_t count)
{
	int64_t needed;
	if (!fact->told || __builtin_add_overflow(fact->used, count, &needed))
		return 0;
	return needed > fact->limit ? needed : 0;
}

int64_t quota_left(const struct quota_fact *fact)
{
	int64_t left;
	return __builtin_sub_overflow(fact->limit, fact->used, &left) ? INT64_MIN : left;
}

void quota_why_untold(const struct quota_fact *fact, char out[QUOTA_WHY_SIZE])
{
	if (!fact->code)
		snprintf(out, QUOTA_WHY_SIZE, "no code of this quota is published");
	else if (!fact->error)
		snprintf(out, QUOTA_WHY_SIZE, "not read yet");
	else if (fact->error->code == ERR_DENIED)
		snprintf(out, QUOTA_WHY_SIZE, "denied " QUOTA_ACTION_PREFIX "%.*s",
			 (int)strcspn(fact->error->subject, " "), fact->error->subject);
	else
		snprintf(out, QUOTA_WHY_SIZE, "%s", err_word(fact->error->code));
}

/* --- more of it --- */

void quota_raise_body(const struct quota_raise *raise, struct buf *body)
{
	const struct quota_row *row = quota_find(raise->instance_type, raise->kind);
	buf_addf(body,
		 "{\"ServiceCode\":\"sagemaker\",\"QuotaCode\":\"%s\",\"DesiredValue\":%" PRId64
		 ",\"SupportCaseAllowed\":%s}",
		 row ? row->code : "", raise->desired, raise->support_case ? "true" : "false");
}
