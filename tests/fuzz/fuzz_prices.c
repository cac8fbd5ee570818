/*
 * Any bytes as a page of the price list and as the file that keeps it: every price is above 0 and
 * below a million, of a type with a name; what is written is read back as it was.
 */
#include <string.h>

#include "aws/price_cache.h"
#include "aws/pricing.h"
#include "model/base/mem.h"
#include "tests/fuzz/fuzz.h"

#define REGION "us-east-1"
#define NOW_MS INT64_C(1796071688000)

static void check_rows(const struct listed_price *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert(rows[i].per_hour_micro > 0 && rows[i].per_hour_micro < PRICE_HOUR_MOST);
		assert(rows[i].instance_type[0] && rows[i].currency[0]);
		assert(strlen(rows[i].instance_type) < TYPE_NAME_SIZE);
	}
}

static void decode(const char *text, size_t size, enum job_kind kind)
{
	struct price_page page;
	struct err err = { 0 };
	if (pricing_decode_page(text, size, REGION, kind, &page, &err))
		check_rows(page.rows, page.count);
	else
		assert(err.code != ERR_NONE && !page.rows && !page.next_token);
	price_page_release(&page);
	err_clear(&err);
}

static void read_back(const struct price_book *book)
{
	struct kept_prices kept[JOB_KIND_COUNT];
	struct err err = { 0 };
	struct buf text;
	buf_init(&text, PRICE_CACHE_MAX);
	price_cache_write(&text, book);
	bool ok = price_cache_read(buf_text(&text), text.len, REGION, NOW_MS, kept, &err);
	assert(ok || text.failed);
	for (size_t i = 0; ok && i < JOB_KIND_COUNT; i++) {
		assert(kept[i].told == book->lists[i].told);
		assert(kept[i].count == book->lists[i].count);
		assert(!kept[i].told || kept[i].read_at_ms == book->lists[i].read_at.ms);
	}
	kept_prices_release(kept);
	buf_release(&text);
	err_clear(&err);
}

static void read_file(const char *text, size_t size)
{
	struct kept_prices kept[JOB_KIND_COUNT];
	struct price_book book = { .region = REGION };
	struct err err = { 0 };
	if (price_cache_read(text, size, REGION, NOW_MS, kept, &err)) {
		for (size_t i = 0; i < JOB_KIND_COUNT; i++) {
			check_rows(kept[i].rows, kept[i].count);
			if (kept[i].told)
				price_book_take(&book, (enum job_kind)i, kept[i].rows,
						kept[i].count, kept[i].read_at_ms);
			kept[i].rows = NULL;
		}
		read_back(&book);
	} else {
		assert(err.code != ERR_NONE);
	}
	kept_prices_release(kept);
	price_book_release(&book);
	err_clear(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	decode((const char *)data, size, JOB_TRAINING);
	decode((const char *)data, size, JOB_PROCESSING);
	read_file((const char *)data, size);
	return 0;
}
