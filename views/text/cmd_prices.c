/* gpuq prices: what types cost by the hour in the region, and where each price is from. */
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/catalog.h"
#include "views/text/command.h"
#include "views/text/price_trouble.h"

#define NEAR_MAX 1

struct rows {
	struct report_price *items; /* owned */
	size_t count, capacity;
};

static void add(struct rows *rows, const char *type, enum job_kind kind)
{
	rows->items = mem_grow(rows->items, &rows->capacity, rows->count + 1, sizeof(*rows->items));
	rows->items[rows->count++] = (struct report_price){ type, kind };
}

/* What AWS sells and no table here knows is a price too. */
static bool is_listed(const struct command_run *run, const char *type, enum job_kind kind)
{
	return price_book_find(&run->store->prices, kind, type) != NULL;
}

static void add_type(const struct command_run *run, struct rows *rows, const char *type)
{
	for (int kind = JOB_TRAINING; kind <= JOB_PROCESSING; kind++)
		if (catalog_allows(type, (enum job_kind)kind) ||
		    is_listed(run, type, (enum job_kind)kind))
			add(rows, type, (enum job_kind)kind);
}

static void add_all(const struct command_run *run, struct rows *rows)
{
	const struct price_book *book = &run->store->prices;
	size_t count;
	const struct instance_type *types = catalog_all(&count);
	for (size_t i = 0; i < count; i++)
		add_type(run, rows, types[i].name);
	for (int kind = JOB_TRAINING; kind <= JOB_PROCESSING; kind++) {
		const struct price_list *list = &book->lists[kind];
		for (size_t i = 0; i < list->count; i++)
			if (!catalog_find(list->rows[i].instance_type))
				add(rows, list->rows[i].instance_type, (enum job_kind)kind);
	}
}

/* A mistyped name has no price: that is said, and what may have been meant. */
static bool add_named(const struct command_run *run, struct rows *rows, const char *type)
{
	const char *near[NEAR_MAX];
	struct err err = { 0 };
	size_t before = rows->count;
	add_type(run, rows, type);
	if (rows->count > before || catalog_find(type))
		return true;
	if (catalog_near(type, near, NEAR_MAX) > 0)
		err_set(&err, ERR_USAGE, "is no instance type that is known here; near it: %s",
			near[0]);
	else
		err_set(&err, ERR_USAGE, "is no instance type that is known here");
	err_subject(&err, "%s", type);
	command_message(run->messages, &err);
	err_clear(&err);
	return false;
}

static int run_prices(struct command_run *run)
{
	const struct options *options = run->options;
	const struct report_context context = command_context(run);
	struct rows rows = { 0 };
	bool known = true;
	for (size_t i = 0; i < options->arg_count; i++)
		known = add_named(run, &rows, options->args[i]) && known;
	if (options->arg_count == 0)
		add_all(run, &rows);
	if (known)
		report_prices(run->out, &context, rows.items, rows.count);
	price_trouble_tell(run);
	free(rows.items);
	return known ? 0 : err_exit_status(&(struct err){ .code = ERR_USAGE });
}

const struct command command_prices = {
	.name = "prices",
	.arguments = "[TYPE...]",
	.help = "what types cost by the hour in the region, and where that is from",
	.example = "gpuq prices ml.p5.48xlarge ml.p4d.24xlarge\n"
		   "gpuq prices -r eu-west-1 -o json",
	.most_args = OPTION_ARGS_MAX,
	.need = NEED_PRICES,
	.run = run_prices,
};
