/* The generated rows behind model/price.h; nothing else includes it. */
#ifndef GPUQ_PRICE_TABLE_H
#define GPUQ_PRICE_TABLE_H

#include "model/price.h"

struct price_row {
	const char *instance_type;
	const char *region;
	enum job_kind kind;
	enum price_source source;
	int64_t per_hour_micro; /* US dollars */
	const char *date;
};

extern const struct price_row price_rows[]; /* sorted by type, region, kind */
extern const size_t price_row_count;

#endif
