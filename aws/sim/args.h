/* The members of an operation's request. Null counts as absent. */
#ifndef GPUQ_SIM_ARGS_H
#define GPUQ_SIM_ARGS_H

#include "model/base/buf.h"
#include "model/base/clock.h"
#include "model/base/jsontext.h"

#define SIM_ARG_BYTES     8192 /* longer texts read as what fits: none of the region's is longer */
#define SIM_PAGE_STANDARD 10

/* The member of an object (0 = the request itself), or JSON_NONE. */
size_t sim_arg(const struct json_doc *doc, size_t object, const char *name);

/* Its text, "" where absent. Initialises out; release it. */
void sim_arg_text(const struct json_doc *doc, size_t object, const char *name, struct buf *out);

/* Seconds since the epoch, with a fraction or an exponent. */
struct opt_ms sim_arg_time(const struct json_doc *doc, const char *name);

/* MaxResults, or the standard. */
size_t sim_arg_page(const struct json_doc *doc);

#endif
