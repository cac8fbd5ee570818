/*
 * Documents that mean the same as JSON but are written otherwise: JSON with comments, a Python
 * dict, YAML (aws/yaml.h). Read into JSON on one line that remembers where each value stood, so
 * that findings point into the user's own text. What only a running program would know (a variable,
 * a call) is kept as unknown.
 */
#ifndef GPUQ_LOOSE_H
#define GPUQ_LOOSE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"

/* What stands for a value that is unknown. */
#define LOOSE_UNKNOWN "\"${?}\""

struct loose_place {
	size_t at;           /* in the JSON: where the value begins */
	size_t line, column; /* in the text that was read, from 1 */
	bool is_unknown;
};

/* {0} is valid once its json has a ceiling (loose_init). */
struct loose {
	struct buf json;
	struct loose_place *places; /* owned, ascending */
	size_t count, capacity;
	bool is_python; /* it holds what Python alone writes so */
};
void loose_init(struct loose *loose);
void loose_release(struct loose *loose); /* wipes; NULL is accepted */

/* The next value of the JSON stands there. False where there are too many. */
bool loose_note(struct loose *loose, size_t line, size_t column, bool is_unknown);
/* The place of the last value that begins at or before an offset of the JSON; NULL: there is none.
 */
const struct loose_place *loose_place_of(const struct loose *loose, size_t offset);

/* Takes the brackets of an array of one value away, and its place. */
void loose_unwrap(struct loose *loose);

/* Takes back what came behind a length of the JSON and a number of places. */
void loose_take_back(struct loose *loose, size_t len, size_t count);

/* Appends bytes as a JSON string; false for what is no UTF-8, or holds U+0000. */
bool loose_add_string(struct loose *loose, const char *bytes, size_t len);
/* Appends a number as JSON writes it; false where the text is none. */
bool loose_add_number(struct loose *loose, const char *text, size_t len);

/*
 * Reads one JSON value with comments (#, //, C's), commas behind the last item and raw controls in
 * strings; or a Python literal, also of the form NAME = {...}. Products of whole numbers are worked
 * out, strings side by side are one. False with err (ERR_PARSE) where it is neither.
 */
bool loose_read_literal(struct loose *loose, const char *text, size_t len,
			struct err *err) MUST_CHECK;

#endif
