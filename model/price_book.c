#include "model/price_book.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* By type; what came first stays first, so that it is the one that is kept. */
static int compare_rows(const void *a, const void *b)
{
	const struct listed_price *one = a, *other = b;
	return strcmp(one->instance_type, other->instance_type);
}

/* Stable, unlike qsort: a list is read in almost sorted runs and has some hundred rows. */
static void sort_rows(struct listed_price *rows, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct listed_price row = rows[i];
		size_t at = i;
		while (at > 0 && compare_rows(&rows[at - 1], &row) > 0)
			at--;
		memmove(&rows[at + 1], &rows[at], (i - at) * sizeof(row));
		rows[at] = row;
	}
}

static size_t drop_doubles(struct listed_price *rows, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || compare_rows(&rows[kept - 1], &rows[i]) != 0)
			rows[kept++] = rows[i];
	}
	return kept;
}

void price_book_take(struct price_book *book, enum job_kind kind, struct listed_price *rows,
		     size_t count, int64_t read_at_ms)
{
	struct price_list *list = &book->lists[kind];
	char text[TIME_TEXT_SIZE];
	sort_rows(rows, count);
	free(list->rows);
	list->rows = rows;
	list->count = drop_doubles(rows, count);
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
