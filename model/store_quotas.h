/*
 * The store's quotas: each that somebody has asked for, what AWS told of it and how fresh that is.
 * aws/ fills them; what is used is counted from the jobs when it is looked at.
 */
#ifndef GPUQ_STORE_QUOTAS_H
#define GPUQ_STORE_QUOTAS_H

#include "model/store.h"

/* Further ones are not kept: five entries of a draft and the types of an account are far fewer. */
#define STORE_QUOTAS_MAX 256

/* They are read again each few minutes while they are looked at. */
#define FRESH_QUOTAS_OLD_MS INT64_C(600000)

/* NULL where nobody has asked for it. Borrowed until the next change. */
const struct quota *store_find_quota(const struct store *store, const char *instance_type,
				     enum quota_kind kind);

/* A request has been sent. */
void store_note_quota_asked(struct store *store, const char *instance_type, enum quota_kind kind);
/* Its answer: the account's own value, or AWS's default. at_ms by AWS's clock. */
void store_take_quota(struct store *store, const char *instance_type, enum quota_kind kind,
		      int64_t limit, bool is_default, int64_t at_ms, int64_t mono_ms);
/* It failed; what was told before stays. */
void store_note_quota_failed(struct store *store, const char *instance_type, enum quota_kind kind,
			     const struct err *err, int64_t retry_mono_ms);
/* A raise is open at AWS; raise_to 0: to a value that is not known, or the one known before. A
 * limit that is read at that value or above has had it. */
void store_note_quota_raise(struct store *store, const char *instance_type, enum quota_kind kind,
			    int64_t raise_to);
/* Forgets all. */
void store_drop_quotas(struct store *store);

/* How fresh one is; FRESH_LOADING for one that nobody has asked for. */
struct fresh store_quota_fresh(const struct store *store, const char *instance_type,
			       enum quota_kind kind, int64_t mono_ms);

/* Fills facts, of which instance_type and kind are set: what is told, and what the store's jobs
 * use. They borrow from the store until its next change. */
void store_quota_facts(const struct store *store, struct quota_fact *facts, size_t count);
/* What a list runs into: a fact for each entry of it, in its order. The array is the caller's to
 * free, of prefs->length. */
struct quota_fact *store_list_quotas(const struct store *store, const struct preferences *prefs,
				     enum quota_kind kind);
/* The same, and behind them, where instances are to be kept alive, the limits of the entries' warm
 * pools (case 082). count: of all. */
struct quota_fact *store_request_quotas(const struct store *store, const struct preferences *prefs,
					enum quota_kind kind, bool keeps_alive, size_t *count);

#endif
