/*
 * Every rule of check by example: a request that triggers it and one nearby that does not, what is
 * known beside them, and what a key does about it.
 */
#ifndef GPUQ_TESTS_RULEROWS_H
#define GPUQ_TESTS_RULEROWS_H

#include <stddef.h>

#include "model/check.h"

struct rule_row {
	const char *rule;
	const char *number;     /* the case behind it; "" = no report, a public fact */
	const char *bad, *good; /* good NULL: that of the row above */
	const struct check_known *known;
	enum fix_kind fix; /* what a key does; FIX_NONE = a sentence alone */
};

extern const struct rule_row rule_rows[];
extern const size_t rule_row_count;

#endif
