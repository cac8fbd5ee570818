/* The certified entries of the config as candidates of a suggestion: those with a measured run. */
#ifndef GPUQ_CANDIDATES_H
#define GPUQ_CANDIDATES_H

#include "model/check.h"
#include "model/price_book.h"
#include "model/suggest.h"

struct candidates {
	struct suggest_ask ask; /* kind and spot are set before; texts are borrowed from known */
	const char *names[SUGGEST_CANDIDATES_MAX]; /* borrowed; of the sections */
	const char *currency;                      /* borrowed or static; NULL = no price */
	bool is_estimate;                          /* one of the prices is */
	bool too_many;                             /* the first ones count */
};

/* Adds those of the stem; "" = all. */
void candidates_fill(struct candidates *candidates, const struct check_known *known,
		     const char *stem, const struct price_book *book);

/* Whether there is one for a job of that name. known NULL: there is none. */
bool candidates_exist(const struct check_known *known, const char *job_name);

/* An amount as the config writes one, in the price's currency; false: it is none. */
bool candidates_read_budget(const char *text, struct money *budget);

#endif
