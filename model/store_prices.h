/*
 * The store's prices: the book of its region, and how fresh its lists are. aws/ fills them.
 */
#ifndef GPUQ_STORE_PRICES_H
#define GPUQ_STORE_PRICES_H

#include "model/store.h"

/* They are read again each day; what is older has been kept waiting. */
#define FRESH_PRICES_OLD_MS INT64_C(90000000)

/* Which region the store is about; "" = not known. The prices of another one are dropped. */
void store_set_region(struct store *store, const char *region);

/* A request for the list of a kind has been sent. */
void store_note_prices_asked(struct store *store, enum job_kind kind);
/* A whole list, as price_book_take; mono_ms: when it came, less its age where it was kept. */
void store_take_prices(struct store *store, enum job_kind kind, struct listed_price *rows,
		       size_t count, int64_t read_at_ms, int64_t mono_ms);
/* It failed; what was told before stays. */
void store_note_prices_failed(struct store *store, enum job_kind kind, const struct err *err,
			      int64_t retry_mono_ms);

struct fresh store_prices_fresh(const struct store *store, enum job_kind kind, int64_t mono_ms);

#endif
