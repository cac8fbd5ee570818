/*
 * The price list of the region, as GetProducts tells it: SageMaker's instances by the hour, and
 * beside them the rows that a reader must not take for such a price. Source: the API's model, and
 * the attributes and traps of data/catalog-notes.md.
 */
#ifndef GPUQ_SIM_PRICES_H
#define GPUQ_SIM_PRICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

/* Of price_table.c, which is generated from public facts: US dollars by the hour. */
struct sim_price {
	const char *region, *component, *instance_type;
	int64_t micro;
};
extern const struct sim_price sim_prices[];
extern const size_t sim_price_count;

#define SIM_PRICE_CHANGES_MAX 32

/* What /_sim/price has changed. */
struct sim_price_changes {
	struct sim_price_change {
		char instance_type[64];
		const char *component; /* static */
		char usd[24];          /* "" = not sold by the hour */
	} rows[SIM_PRICE_CHANGES_MAX];
	size_t count;
};

struct sim_region;
struct sim_call;

bool sim_prices_get_products(struct sim_region *region, const struct sim_call *call,
			     struct err *err);
bool sim_prices_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			struct err *err);

/* The service stands in few regions, which are others than those it tells of: whether a request
 * that was signed for that one may be its. */
bool sim_prices_is_endpoint(const char *signing_name, const char *region);

#endif
