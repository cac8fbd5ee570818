/*
 * AWS's price list of one region as a file in the state folder, so that it is read once a day and
 * not at each start. Prices are the same for every account: the folder stands for none.
 */
#ifndef GPUQ_PRICE_CACHE_H
#define GPUQ_PRICE_CACHE_H

#include "aws/session.h"
#include "model/price_book.h"
#include "model/state_folder.h"

#define PRICE_CACHE_MAX (512u << 10) /* bytes of the file */

/* Where it lies: below STATE/gpuq/prices-REGION-ENDPOINTHASH/, by the endpoint of the price list.
 * False with err: there is no place for state. */
bool price_cache_add_path(struct session *session, struct buf *out, struct err *err) MUST_CHECK;

/* Appends the lists that have been told. */
void price_cache_write(struct buf *out, const struct price_book *book);

/* One list as it was kept; rows are the caller's. told false: there is none. */
struct kept_prices {
	bool told;
	struct listed_price *rows; /* owned */
	size_t count;
	int64_t read_at_ms; /* by AWS's clock */
};
void kept_prices_release(struct kept_prices kept[JOB_KIND_COUNT]);

/* False (ERR_PARSE, and nothing kept) for a file that is damaged, of another region, or from after
 * now_ms: it is as good as none. */
bool price_cache_read(const char *text, size_t len, const char *region, int64_t now_ms,
		      struct kept_prices kept[JOB_KIND_COUNT], struct err *err) MUST_CHECK;

#endif
