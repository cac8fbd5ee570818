#include "model/store.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/hash.h"
#include "model/base/mem.h"
#include "model/store_quotas.h"

/* List and Describe may round LastModifiedTime differently; less than this is no news. */
#define MODIFIED_TOLERANCE_MS 1000
#define DATE_STEP_MS          1000 /* the resolution of a Date header */
#define INDEX_MIN             64

void store_release(struct store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < store->count; i++) {
		job_release(store->jobs[i]);
		free(store->jobs[i]);
	}
	job_shares_release(&store->shares);
	free(store->jobs);
	free(store->index);
	store_open_free(store->open);
	plan_list_free(store->plans, store->plan_count);
	store_drop_quotas(store);
	price_book_release(&store->prices);
	for (size_t i = 0; i < SOURCE_COUNT; i++)
		err_clear(&store->sources[i].error);
	readings_release(&store->readings);
	tags_release(&store->tags);
	job_logs_release(&store->logs);
	metrics_release(&store->metrics);
	gpu_watch_release(&store->gpus);
	history_release(&store->history);
	actions_release(&store->actions);
	search_fill_release(&store->fill);
	search_fill_release(&store->kept_fill);

	*store = (struct store){ 0 };
}

static size_t home_slot(const struct store *store, const char *arn)
{
	return (size_t)(hash_text(arn) & (store->index_size - 1));
}

/* The slot that holds the ARN, or the free one where it would go. The index is never full. */
static size_t find_slot(const struct store *store, const char *arn)
{
	size_t slot = home_slot(store, arn);
	while (store->index[slot] && strcmp(store->index[slot]->arn, arn) != 0)
		slot = (slot + 1) & (store->index_size - 1);
	return slot;
}

static void index_grow(struct store *store)
{
	if (3 * store->index_size >= 4 * (store->count + 1))
		return;
	free(store->index);
	store->index_size = store->index_size ? store->index_size * 2 : INDEX_MIN;
	store->index = mem_new(store->index_size, sizeof(struct job *));
	for (size_t i = 0; i < store->count; i++)
		store->index[find_slot(store, store->jobs[i]->arn)] = store->jobs[i];
}

/* Frees a slot and moves up what had to be put behind it. */
static void index_remove(struct store *store, size_t slot)
{
	size_t mask = store->index_size - 1;
	size_t free_slot = slot;
	store->index[free_slot] = NULL;
	for (size_t at = (slot + 1) & mask; store->index[at]; at = (at + 1) & mask) {
		size_t home = home_slot(store, store->index[at]->arn);
		if (((at - home) & mask) < ((at - free_slot) & mask))
			continue;
		store->index[free_slot] = store->index[at];
		store->index[at] = NULL;
		free_slot = at;
	}
}

/* Newest first; jobs without a creation time last; then by name. */
static int compare_jobs(const struct job *a, const struct job *b)
{
	if (a->created.set != b->created.set)
		return a->created.set ? -1 : 1;
	if (a->created.set && a->created.ms != b->created.ms)
		return a->created.ms > b->created.ms ? -1 : 1;
	int order = strcmp(a->name, b->name);
	return order ? order : strcmp(a->arn, b->arn);
}

/* The first position whose job does not come before this one. */
static size_t find_position(const struct store *store, const struct job *job)
{
	size_t low = 0, high = store->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_jobs(store->jobs[middle], job) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void place(struct store *store, struct job *job)
{
	size_t at = find_position(store, job);
	store->jobs =
		mem_grow(store->jobs, &store->capacity, store->count + 1, sizeof(struct job *));
	memmove(&store->jobs[at + 1], &store->jobs[at], (store->count - at) * sizeof(struct job *));
	store->jobs[at] = job;
	store->count++;
}

static void unplace(struct store *store, const struct job *job)
{
	size_t at = find_position(store, job);
	store->count--;
	memmove(&store->jobs[at], &store->jobs[at + 1], (store->count - at) * sizeof(struct job *));
}

static struct job *find_job(const struct store *store, const char *arn)
{
	return store->index_size ? store->index[find_slot(store, arn)] : NULL;
}

const struct job *store_find(const struct store *store, const char *arn)
{
	return arn ? find_job(store, arn) : NULL;
}

bool store_place(const struct store *store, const char *arn, size_t *at)
{
	const struct job *job = store_find(store, arn);
	if (job)
		*at = find_position(store, job);
	return job != NULL;
}

const struct job *store_find_name(const struct store *store, const char *name)
{
	const struct job *found = NULL;
	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store->jobs[i];
		if (strcmp(job->name, name) != 0)
			continue;
		if (job->kind == JOB_TRAINING)
			return job;
		if (!found)
			found = job;
	}
	return found;
}

static void touch(struct store *store, struct job *job)
{
	job->revision = ++store->version;
}

static void add_job(struct store *store, struct job *job)
{
	struct job *kept = mem_new(1, sizeof(*kept));
	*kept = *job;
	*job = (struct job){ 0 };
	job_share(kept, &store->shares);
	index_grow(store);
	if (!store->open)
		store->open = store_open_new();
	store->index[find_slot(store, kept->arn)] = kept;
	place(store, kept);
	touch(store, kept);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_time(struct opt_ms a, struct opt_ms b)
{
	return a.set == b.set && (!a.set || a.ms == b.ms);
}

/* b is known to be later than a by more than rounding. */
static bool is_after(struct opt_ms a, struct opt_ms b)
{
	return a.set && b.set && b.ms > a.ms &&
	       (uint64_t)b.ms - (uint64_t)a.ms >= MODIFIED_TOLERANCE_MS;
}

/* Replaces *slot by a text of a summary, where it has one; true if that is another. */
static bool take_text(char **slot, const char *text)
{
	if (!text || same_text(*slot, text))
		return false;
	mem_set_text(slot, text);
	return true;
}

static bool take_time(struct opt_ms *slot, struct opt_ms time)
{
	if (!time.set || same_time(*slot, time))
		return false;
	*slot = time;
	return true;
}

/* A summary that tells nothing of the pool leaves what is known. */
static bool take_pool(struct warm_pool *slot, const struct warm_pool *pool)
{
	bool other = take_text(&slot->status, pool->status);
	other |= take_text(&slot->reused_by, pool->reused_by);
	return take_time(&slot->retained, pool->retained) || other;
}

/* What tells nothing of the tags leaves those that are known. True: they are others now. */
static bool take_tags(struct job *known, struct job *from)
{
	struct tag_list *tags = from->tags;
	if (!tags)
		return false;
	bool same = tag_list_equal(known->tags, tags);
	free(known->tags);
	known->tags = tags;
	from->tags = NULL;
	return !same;
}

/* known is its own for that time. */
static void merge_summary(struct store *store, struct job *known, struct job *summary)
{
	bool newer = is_after(known->modified, summary->modified);
	bool status = take_text(&known->status, summary->status);
	status |= take_text(&known->secondary_status, summary->secondary_status);
	bool other = take_text(&known->failure_reason, summary->failure_reason);
	other |= take_time(&known->ended, summary->ended);
	other |= take_time(&known->modified, summary->modified);
	other |= take_pool(&known->pool, &summary->pool);
	other |= take_tags(known, summary);
	if (!known->created.set && summary->created.set) {
		unplace(store, known);
		known->created = summary->created;
		place(store, known);
		other = true;
	}
	if (status) {
		mem_set_text(&known->status_message, summary->status_message);
		known->billable.set = false;
		known->training_time.set = false;
		job_settle_selection(known);
	}
	if (status || newer)
		known->described = false;
	if (status || newer || other)
		touch(store, known);
}

void store_take_summary(struct store *store, struct job *job)
{
	struct job *known = job->arn ? find_job(store, job->arn) : NULL;
	if (job->arn && !known && store->count < STORE_JOBS_MAX)
		add_job(store, job);
	if (known && !is_after(job->modified, known->modified)) {
		job_unshare(known, &store->shares);
		merge_summary(store, known, job);
		job_share(known, &store->shares);
	}
	job_release(job);
}

void store_take_described(struct store *store, struct job *job)
{
	struct job *known = job->arn ? find_job(store, job->arn) : NULL;
	job->described = true;
	if (!job->arn || (!known && store->count >= STORE_JOBS_MAX)) {
		job_release(job);
	} else if (!known) {
		add_job(store, job);
	} else {
		bool same = known->described && known->request_json &&
			    same_text(known->request_json, job->request_json);
		job_unshare(known, &store->shares);
		if (!job->request_json) {
			job->request_json = known->request_json;
			job->text_is_of_search = known->text_is_of_search;
			known->request_json = NULL;
		}
		bool retagged = take_tags(known, job);
		job->tags = known->tags;
		known->tags = NULL;
		unplace(store, known);
		job->revision = known->revision;
		job_move(known, job);
		job_share(known, &store->shares);
		place(store, known);
		if (!same || retagged)
			touch(store, known);
	}
}

/* A list came before what was kept: it tells of the same end, and not of more. */
static bool completes(const struct job *recorded, const struct job *known)
{
	return !job_has_details(known) && recorded->described && job_has_ended(recorded) &&
	       same_text(recorded->status, known->status) &&
	       !is_after(recorded->modified, known->modified);
}

static void complete(struct store *store, struct job *known, struct job *recorded)
{
	job_unshare(known, &store->shares);
	bool is_news = take_pool(&recorded->pool, &known->pool);
	take_tags(recorded, known);
	unplace(store, known);
	job_move(known, recorded);
	job_share(known, &store->shares);
	place(store, known);
	store->version++;
	if (is_news)
		touch(store, known);
}

void store_take_recorded(struct store *store, struct job *job, int64_t seen_ms)
{
	struct job *known = job->arn ? find_job(store, job->arn) : NULL;
	if (known && completes(job, known)) {
		complete(store, known, job);
	} else if (job->arn && !known && store->count < STORE_JOBS_MAX) {
		const char *arn = job->arn;
		add_job(store, job);
		find_job(store, arn)->revision = 0;
		if (!store->recorded_at.set || seen_ms > store->recorded_at.ms)
			store->recorded_at = (struct opt_ms){ .set = true, .ms = seen_ms };
	}
	job_release(job);
}

void store_touch_all(struct store *store)
{
	for (size_t i = 0; i < store->count; i++)
		touch(store, store->jobs[i]);
}

void store_forget(struct store *store, const char *arn)
{
	struct job *job = arn ? find_job(store, arn) : NULL;
	if (arn)
		readings_end(&store->readings, arn);
	if (!job)
		return;
	unplace(store, job);
	index_remove(store, find_slot(store, arn));
	job_unshare(job, &store->shares);
	job_release(job);
	free(job);
	store->version++;
}

static struct opt_ms end_of(const struct job *job)
{
	return job->ended.set ? job->ended : job->modified;
}

static bool is_arn(const struct job *job, const char *arn)
{
	return arn && strcmp(job->arn, arn) == 0;
}

void store_drop_ended(struct store *store, int64_t before_ms, const char *kept_arn)
{
	for (size_t i = store->count; i-- > 0;) {
		const struct job *job = store->jobs[i];
		struct opt_ms end = end_of(job);
		if (end.set && end.ms < before_ms && job_has_ended(job) && !is_arn(job, kept_arn))
			store_forget(store, job->arn);
	}
}

void store_drop_texts(struct store *store, int64_t before_mono_ms, const char *kept_arn)
{
	for (size_t i = 0; i < store->count; i++) {
		struct job *job = store->jobs[i];
		if (job->request_json && job->described_mono_ms < before_mono_ms &&
		    job_has_ended(job) && !is_arn(job, kept_arn)) {
			job_unshare(job, &store->shares);
			job_drop_texts(job);
			job_share(job, &store->shares);
		}
	}
}

void store_take_plans(struct store *store, struct plan *plans, size_t count)
{
	plan_list_free(store->plans, store->plan_count);
	store->plans = plans;
	store->plan_count = count;
	store->version++;
}

const struct plan *store_find_plan(const struct store *store, const char *arn)
{
	return plan_find(store->plans, store->plan_count, arn);
}

const struct plan *store_plan_of(const struct store *store, const struct job *job)
{
	size_t rank = job->selected.set ? job->selected.rank : 0;

	return rank > 0 ? store_find_plan(store, prefs_plan(job_prefs(job), rank - 1)) : NULL;
}

struct plan_fact *store_plan_facts(const struct store *store, int64_t now_ms)
{
	struct plan_fact *facts;

	if (!store->sources[SOURCE_PLANS].loaded)
		return NULL;
	facts = mem_new(store->plan_count + 1, sizeof(*facts));
	for (size_t i = 0; i < store->plan_count; i++)
		plan_fact(&store->plans[i], now_ms, &facts[i]);
	return facts;
}

void store_note_asked(struct store *store, enum source_id source)
{
	if (!store->sources[source].asked)
		store->version++;
	store->sources[source].asked = true;
}

void store_note_loaded(struct store *store, enum source_id source, int64_t mono_ms)
{
	struct freshness *fresh = &store->sources[source];
	fresh->asked = true;
	fresh->loaded = true;
	fresh->loaded_mono_ms = mono_ms;
	fresh->failing = fresh->pausing = false;
	err_clear(&fresh->error);
	store->version++;
}

void store_note_failed(struct store *store, enum source_id source, const struct err *err,
		       int64_t retry_mono_ms)
{
	struct freshness *fresh = &store->sources[source];
	fresh->asked = true;
	fresh->failing = true;
	fresh->pausing = false;
	fresh->retry_mono_ms = retry_mono_ms;
	err_copy(&fresh->error, err);
	store->version++;
}

void store_note_pause(struct store *store, enum source_id source)
{
	store->sources[source].pausing = store->sources[source].failing;
}

void store_note_retry(struct store *store, enum source_id source, int64_t retry_mono_ms)
{
	struct freshness *fresh = &store->sources[source];
	if (!fresh->failing || fresh->retry_mono_ms == retry_mono_ms)
		return;
	fresh->retry_mono_ms = retry_mono_ms;
	store->version++;
}

void store_note_job_asked(struct store *store, const char *arn)
{
	readings_begin(&store->readings, arn);
	store->version++;
}

void store_note_job_read(struct store *store, const char *arn)
{
	readings_end(&store->readings, arn);
	store->version++;
}

void store_note_job_failed(struct store *store, const char *arn, const struct err *err,
			   int64_t retry_mono_ms)
{
	readings_fail(&store->readings, arn, err, retry_mono_ms);
	store->version++;
}

void store_note_job_retry(struct store *store, const char *arn, int64_t retry_mono_ms)
{
	store->version += readings_retry(&store->readings, arn, retry_mono_ms);
}

/* Search keeps what is shown of the job up: its record is there, and no newer one. */
static bool is_searched(const struct store *store, const struct job *job)
{
	const struct freshness *search = &store->sources[SOURCE_SEARCH];
	return job->indexed && job->described && search->loaded && !search->failing;
}

/* When what is shown of the job was true: a search without news of it has confirmed its record. */
static int64_t read_mono_ms(const struct store *store, const struct job *job)
{
	int64_t searched_ms = store->sources[SOURCE_SEARCH].loaded_mono_ms;
	bool confirmed = is_searched(store, job) && searched_ms > job->described_mono_ms;
	return confirmed ? searched_ms : job->described_mono_ms;
}

/* Nothing gets through: what fails for one request fails for all. */
static bool is_cut_off(const struct freshness *source)
{
	enum err_code code = source->error.code;
	return source->failing && (code == ERR_NET || code == ERR_TIMEOUT || code == ERR_AUTH);
}

/* Why its Describe does not come: what failed of itself, else of all; while it is still under way,
 * a list may know already. */
static void set_job_failure(const struct store *store, const struct job *job, struct fresh *fresh,
			    int64_t mono_ms)
{
	const struct freshness *all = &store->sources[SOURCE_DESCRIBE];
	const struct freshness *list = &store->sources[store_worst_list(store)];
	const struct job_reading *own = readings_find(&store->readings, job->arn);
	bool under_way = own && own->under_way;
	if (own && own->error.code != ERR_NONE) {
		bool later = all->pausing && all->retry_mono_ms > own->retry_mono_ms;
		int64_t retry_ms = later ? all->retry_mono_ms : own->retry_mono_ms;
		fresh_set_failure(fresh, &own->error, under_way ? mono_ms : retry_ms, mono_ms);
		fresh->resource = job->name;
	} else if (all->pausing && !under_way) {
		fresh_set_failure(fresh, &all->error, all->retry_mono_ms, mono_ms);
	} else if (is_cut_off(list)) {
		fresh_set_failure(fresh, &list->error, list->retry_mono_ms, mono_ms);
	}
}

struct fresh store_text_fresh(const struct store *store, const struct job *job, int64_t mono_ms)
{
	struct fresh fresh = { .resource = "" };
	set_job_failure(store, job, &fresh, mono_ms);
	fresh.state = fresh.error ? FRESH_MISSING : FRESH_LOADING;
	return fresh;
}

struct fresh store_job_fresh(const struct store *store, const struct job *job, int64_t mono_ms)
{
	struct fresh fresh = { .resource = "" };
	int64_t read_ms = read_mono_ms(store, job);
	if (!job_has_details(job))
		return store_text_fresh(store, job, mono_ms);
	if (job->described && job_has_ended(job))
		return fresh; /* it stays as it is */
	if (mono_ms > read_ms)
		fresh.age_ms = mono_ms - read_ms;
	set_job_failure(store, job, &fresh, mono_ms);
	if (fresh.error)
		fresh.state = is_searched(store, job) ? FRESH_INDEXED : FRESH_STALE;
	else if (!job->described)
		fresh.state = FRESH_CHANGED;
	else
		fresh_set_age(&fresh, FRESH_OLD_MS);
	return fresh;
}

enum source_id store_worst_list(const struct store *store)
{
	const struct freshness *a = &store->sources[SOURCE_TRAINING];
	const struct freshness *b = &store->sources[SOURCE_PROCESSING];
	if (a->failing != b->failing)
		return a->failing ? SOURCE_TRAINING : SOURCE_PROCESSING;
	if (a->loaded != b->loaded)
		return a->loaded ? SOURCE_PROCESSING : SOURCE_TRAINING;
	return a->loaded_mono_ms <= b->loaded_mono_ms ? SOURCE_TRAINING : SOURCE_PROCESSING;
}

void store_note_date(struct store *store, int64_t date_ms, int64_t mono_ms)
{
	int64_t offset;
	if (__builtin_sub_overflow(date_ms, mono_ms, &offset))
		return;
	if (!store->clock_known || offset > store->clock_offset_ms ||
	    offset <= store->clock_offset_ms - DATE_STEP_MS)
		store->clock_offset_ms = offset;
	store->clock_known = true;
}

int64_t store_now_ms(const struct store *store, const struct clock *clock)
{
	if (!store->clock_known)
		return clock_wall_ms(clock);
	return clock_mono_ms(clock) + store->clock_offset_ms;
}
