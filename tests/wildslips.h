/* Shared by wilddoc.c and wildslips.c: what is done to a document that was good. */
#ifndef GPUQ_TESTS_WILDSLIPS_H
#define GPUQ_TESTS_WILDSLIPS_H

#include "model/base/attr.h"
#include "tests/wilddoc.h"

/* A text that lives as long as the document. */
const char *wild_write(struct wild *wild, const char *format, ...) PRINTF_LIKE(2, 3);
/* before, the unit so many times (parted by commas where it begins with a quote), after. */
const char *wild_repeat(struct wild *wild, const char *before, const char *unit, size_t times,
			const char *after);

void wild_set(struct wild *wild, const char *object, const char *name, const char *value);
bool wild_has(struct wild *wild, const char *object, const char *name);
const char *wild_cluster(const struct wild *wild);
/* A type that its kind of job may use. */
const char *wild_type(struct wild *wild);
/* An entry more, of a type that is not listed yet. */
void wild_add_entry(struct wild *wild, bool counted);

/* Makes one slip by lot among those that fit. */
void wild_slip(struct wild *wild, const struct wild_plan *plans, size_t plan_count);

#endif
