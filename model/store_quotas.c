#include "model/store_quotas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

static struct quota *find(const struct store *store, const char *instance_type,
			  enum quota_kind kind)
{
	for (size_t i = 0; i < store->quota_count; i++) {
		struct quota *quota = &store->quotas[i];
		if (quota->kind == kind && strcmp(quota->instance_type, instance_type) == 0)
			return quota;
	}
	return NULL;
}

const struct quota *store_find_quota(const struct store *store, const char *instance_type,
				     enum quota_kind kind)
{
	return find(store, instance_type, kind);
}

/* The place of a quota, a new one if need be; NULL where there are too many, or its name is none.
 */
static struct quota *place_of(struct store *store, const char *instance_type, enum quota_kind kind)
{
	struct quota *quota = find(store, instance_type, kind);
	if (quota || store->quota_count == STORE_QUOTAS_MAX ||
	    strlen(instance_type) >= TYPE_NAME_SIZE)
		return quota;
	store->quotas = mem_grow(store->quotas, &store->quota_capacity, store->quota_count + 1,
				 sizeof(*store->quotas));
	quota = &store->quotas[store->quota_count++];
	*quota = (struct quota){ .kind = kind };
	snprintf(quota->instance_type, sizeof(quota->instance_type), "%s", instance_type);
	return quota;
}

void store_note_quota_asked(struct store *store, const char *instance_type, enum quota_kind kind)
{
	struct quota *quota = place_of(store, instance_type, kind);
	if (!quota || quota->fresh.asked)
		return;
	quota->fresh.asked = true;
	store->version++;
}

void store_take_quota(struct store *store, const char *instance_type, enum quota_kind kind,
		      int64_t limit, bool is_default, int64_t at_ms, int64_t mono_ms)
{
	struct quota *quota = place_of(store, instance_type, kind);
	if (!quota)
		return;
	quota->told = true;
	quota->limit = limit;
	quota->is_default = is_default;
	quota->read_at = (struct opt_ms){ .set = true, .ms = at_ms };
	if (quota->raise_open && quota->raise_to > 0 && limit >= quota->raise_to)
		quota->raise_open = false;
	quota->fresh.asked = quota->fresh.loaded = true;
	quota->fresh.loaded_mono_ms = mono_ms;
	quota->fresh.failing = false;
	err_clear(&quota->fresh.error);
	store->version++;
}

void store_note_quota_failed(struct store *store, const char *instance_type, enum quota_kind kind,
			     const struct err *err, int64_t retry_mono_ms)
{
	struct quota *quota = place_of(store, instance_type, kind);
	if (!quota)
		return;
	quota->fresh.asked = quota->fresh.failing = true;
	quota->fresh.retry_mono_ms = retry_mono_ms;
	err_copy(&quota->fresh.error, err);
	store->version++;
}

void store_note_quota_raise(struct store *store, const char *instance_type, enum quota_kind kind,
			    int64_t raise_to)
{
	struct quota *quota = place_of(store, instance_type, kind);
	if (!quota)
		return;
	if (raise_to > 0 || !quota->raise_open)
		quota->raise_to = raise_to;
	quota->raise_open = true;
	store->version++;
}

void store_drop_quotas(struct store *store)
{
	for (size_t i = 0; i < store->quota_count; i++)
		err_clear(&store->quotas[i].fresh.error);
	free(store->quotas);
	store->quotas = NULL;
	store->quota_count = store->quota_capacity = 0;
	store->version++;
}

struct fresh store_quota_fresh(const struct store *store, const char *instance_type,
			       enum quota_kind kind, int64_t mono_ms)
{
	const struct quota *quota = find(store, instance_type, kind);
	const struct freshness nothing = { 0 };
	return freshness_state(quota ? &quota->fresh : &nothing, FRESH_QUOTAS_OLD_MS, mono_ms);
}

static void tell(const struct store *store, struct quota_fact *fact)
{
	const struct quota_row *row = quota_find(fact->instance_type, fact->kind);
	const struct quota *quota = find(store, fact->instance_type, fact->kind);
	*fact = (struct quota_fact){ .instance_type = fact->instance_type,
				     .kind = fact->kind,
				     .code = row ? row->code : NULL };
	if (!quota)
		return;
	fact->told = quota->told;
	fact->limit = quota->limit;
	fact->is_default = quota->is_default;
	fact->read_at_ms = quota->read_at.ms;
	fact->raise_open = quota->raise_open;
	fact->raise_to = quota->raise_to;
	if (quota->fresh.failing)
		fact->error = &quota->fresh.error;
}

void store_quota_facts(const struct store *store, struct quota_fact *facts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		tell(store, &facts[i]);
	size_t job_count;
	const struct job *const *jobs = store_open_jobs(store, &job_count);
	quota_tally(jobs, job_count, facts, count);
}

struct quota_fact *store_request_quotas(const struct store *store, const struct preferences *prefs,
					enum quota_kind kind, bool keeps_alive, size_t *count)
{
	struct quota_fact *facts = mem_new(2 * prefs->length + 1, sizeof(*facts));
	size_t length = prefs->length;
	*count = keeps_alive && kind == QUOTA_TRAINING ? 2 * length : length;
	for (size_t i = 0; i < *count; i++) {
		facts[i].instance_type = prefs->entries[i % length].instance_type;
		facts[i].kind = i < length ? kind : QUOTA_WARM_POOL;
	}
	store_quota_facts(store, facts, *count);
	return facts;
}

struct quota_fact *store_list_quotas(const struct store *store, const struct preferences *prefs,
				     enum quota_kind kind)
{
	size_t count;
	return store_request_quotas(store, prefs, kind, false, &count);
}
