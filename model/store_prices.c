#include "model/store_prices.h"

#include <string.h>

void store_set_region(struct store *store, const char *region)
{
	if (strcmp(store->prices.region, region) == 0)
		return;
	price_book_set_region(&store->prices, region);
	store->version++;
}

static struct freshness *fresh_of(struct store *store, enum job_kind kind)
{
	return &store->prices.lists[kind].fresh;
}

void store_note_prices_asked(struct store *store, enum job_kind kind)
{
	struct freshness *fresh = fresh_of(store, kind);
	if (fresh->asked)
		return;
	fresh->asked = true;
	store->version++;
}

void store_take_prices(struct store *store, enum job_kind kind, struct listed_price *rows,
		       size_t count, int64_t read_at_ms, int64_t mono_ms)
{
	struct freshness *fresh = fresh_of(store, kind);
	price_book_take(&store->prices, kind, rows, count, read_at_ms);
	fresh->asked = fresh->loaded = true;
	fresh->loaded_mono_ms = mono_ms;
	fresh->failing = false;
	err_clear(&fresh->error);
	store->version++;
}

void store_note_prices_failed(struct store *store, enum job_kind kind, const struct err *err,
			      int64_t retry_mono_ms)
{
	struct freshness *fresh = fresh_of(store, kind);
	fresh->asked = fresh->failing = true;
	fresh->retry_mono_ms = retry_mono_ms;
	err_copy(&fresh->error, err);
	store->version++;
}

struct fresh store_prices_fresh(const struct store *store, enum job_kind kind, int64_t mono_ms)
{
	return freshness_state(&store->prices.lists[kind].fresh, FRESH_PRICES_OLD_MS, mono_ms);
}
