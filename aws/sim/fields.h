/* Fields of the bodies of /_sim/: absent leaves the value as it is; a wrong one is an error that
 * names the field. */
#ifndef GPUQ_SIM_FIELDS_H
#define GPUQ_SIM_FIELDS_H

#include "model/base/attr.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

/* A whole number within [low, high]. */
bool sim_field_integer(const struct json_doc *doc, const char *name, int64_t low, int64_t high,
		       int64_t *value, struct err *err) MUST_CHECK;

/* Text of less than size bytes. */
bool sim_field_text(const struct json_doc *doc, const char *name, char *out, size_t size,
		    struct err *err) MUST_CHECK;

/* The same, but it must be there. */
bool sim_field_need(const struct json_doc *doc, const char *name, struct err *err) MUST_CHECK;

bool sim_field_true(const struct json_doc *doc, const char *name);

#endif
