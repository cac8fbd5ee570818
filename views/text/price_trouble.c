#include "views/text/price_trouble.h"

#include "model/store_prices.h"

static void tell(const struct command_run *run, const struct price_list *list)
{
	struct err err = { 0 };
	err_copy(&err, &list->fresh.error);
	command_message(run->messages, &err);
	err_clear(&err);
	if (list->told)
		buf_addf(run->messages, "gpuq: prices are those of AWS's list of %s\n", list->date);
	else
		buf_add_text(run->messages,
			     "gpuq: prices are those of the dated table in this program\n");
}

/* A list without a row says something: nothing is sold by the hour there. */
static void tell_empty(const struct command_run *run, const struct price_book *book)
{
	bool told = true;
	size_t count = 0;
	for (size_t i = 0; i < JOB_KIND_COUNT; i++) {
		told = told && book->lists[i].told;
		count += book->lists[i].count;
	}
	if (told && count == 0)
		buf_addf(run->messages, "gpuq: AWS's price list has no SageMaker prices in %s\n",
			 book->region);
}

void price_trouble_tell(const struct command_run *run)
{
	const struct price_book *book = &run->store->prices;
	for (size_t i = 0; i < JOB_KIND_COUNT; i++) {
		if (!book->lists[i].fresh.failing)
			continue;
		tell(run, &book->lists[i]);
		return; /* one reason holds for both */
	}
	tell_empty(run, book);
}
