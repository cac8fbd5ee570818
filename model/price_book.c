#include "model/price_book.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TYPE_PREFIX "ml."
#define TYPE_CHARS  "abcdefghijklmnopqrstuvwxyz0123456789.-"
#define UPPER_CASE  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

bool listed_price_is_valid(const struct listed_price *price)
{
	const char *type = price->instance_type, *currency = price->currency;
	return strncmp(type, TYPE_PREFIX, strlen(TYPE_PREFIX)) == 0 &&
	       type[strspn(type, TYPE_CHARS)] == '\0' &&
	       strspn(currency, UPPER_CASE) == PRICE_CURRENCY_SIZE - 1 &&
	       price->per_hour_micro > 0 && price->per_hour_micro < PRICE_HOUR_MOST;
}

static void list_release(struct price_list *list)
{
	free(list->rows);
	err_clear(&list->fresh.error);
	*list = (struct price_list){ 0 };
}

void price_book_release(struct price_book *book)
{
	for (size_t i = 0; i < JOB_KIND_COUNT; i++)
		list_release(&book->lists[i]);
	book->region[0] = '\0';
}

void price_book_set_region(struct price_book *book, const char *region)
{
	if (strcmp(book->region, region) == 0)
		return;
	price_book_release(book);
	snprintf(book->region, sizeof(book->region), "%s", region);
}

static int compare_rows(const void *a, const void *b)
{
	const struct listed_price *one = a, *other = b;
	return strcmp(one->instance_type, other->instance_type);
}

static bool same_price(const struct listed_price *one, const struct listed_price *other)
{
	return one->per_hour_micro == other->per_hour_micro &&
	       strcmp(one->currency, other->currency) == 0;
}

/* One row a type; none of a type whose rows differ. Returns how many are left. */
static size_t settle_rows(struct listed_price *rows, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0, next; i < count; i = next) {
		bool agree = true;
		for (next = i + 1; next < count && compare_rows(&rows[i], &rows[next]) == 0; next++)
			agree = agree && same_price(&rows[i], &rows[next]);
		if (agree)
			rows[kept++] = rows[i];
	}
	return kept;
}

void price_book_take(struct price_book *book, enum job_kind kind, struct listed_price *rows,
		     size_t count, int64_t read_at_ms)
{
	struct price_list *list = &book->lists[kind];
	char text[TIME_TEXT_SIZE];
	if (count > 0)
		qsort(rows, count, sizeof(*rows), compare_rows);
	free(list->rows);
	list->rows = rows;
	list->count = settle_rows(rows, count);
	list->told = true;
	list->read_at = (struct opt_ms){ .set = true, .ms = read_at_ms };
	time_format_iso(read_at_ms, text);
	snprintf(list->date, sizeof(list->date), "%.10s", text);
}

static int compare_type(const void *key, const void *row)
{
	return strcmp(key, ((const struct listed_price *)row)->instance_type);
}

const struct listed_price *price_book_find(const struct price_book *book, enum job_kind kind,
					   const char *instance_type)
{
	const struct price_list *list = &book->lists[kind];
	if (list->count == 0)
		return NULL;
	return bsearch(instance_type, list->rows, list->count, sizeof(*list->rows), compare_type);
}
