/*
 * What AWS's price list says of one region: the price of an instance hour by type and kind of job.
 * aws/ fills it (through the store), model/price reads it. {0} knows no region and no price.
 */
#ifndef GPUQ_PRICE_BOOK_H
#define GPUQ_PRICE_BOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/clock.h"
#include "model/freshness.h"
#include "model/job.h"

#define PRICE_BOOK_REGION_SIZE 64
#define PRICE_CURRENCY_SIZE    4
#define PRICE_DATE_SIZE        11   /* YYYY-MM-DD */
#define PRICE_LIST_MAX         1024 /* types of one kind; an enum of the service has 192 */
#define PRICE_HOUR_MOST        INT64_C(1000000000000) /* micro: a million is no instance's price */
#define JOB_KIND_COUNT         2

/* One row of the list. */
struct listed_price {
	char instance_type[TYPE_NAME_SIZE];
	int64_t per_hour_micro; /* above 0; of one instance */
	char currency[PRICE_CURRENCY_SIZE];
};

/* A row as it can be one: the name of an instance type, three letters of a currency, and a price
 * between 0 and what no instance costs. */
bool listed_price_is_valid(const struct listed_price *price);

/* All that the list has for one kind of job, read as a whole. */
struct price_list {
	bool told;
	struct listed_price *rows; /* owned; by type, each once */
	size_t count;
	struct opt_ms read_at;      /* by AWS's clock */
	char date[PRICE_DATE_SIZE]; /* the day of that in UTC; "" = none */
	struct freshness fresh;
};

struct price_book {
	char region[PRICE_BOOK_REGION_SIZE];     /* "" = not known: no price is */
	struct price_list lists[JOB_KIND_COUNT]; /* by enum job_kind */
};

void price_book_release(struct price_book *book);

/* What is known of another region is dropped. */
void price_book_set_region(struct price_book *book, const char *region);

/* A whole list in place of the last one. rows become the book's. A type with rows of different
 * prices has none: which one is billed is not known. */
void price_book_take(struct price_book *book, enum job_kind kind, struct listed_price *rows,
		     size_t count, int64_t read_at_ms);

/* The row of a type; NULL where no list was read, or it has none. Borrowed until the next change.
 */
const struct listed_price *price_book_find(const struct price_book *book, enum job_kind kind,
					   const char *instance_type);

#endif
