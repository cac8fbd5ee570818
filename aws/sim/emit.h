/*
 * JSON answers, member by member. A member is preceded by a comma unless it is the first of its
 * object or array; the caller writes the brackets. And the known members of a request as they
 * came, for Describe. At the end, XML.
 */
#ifndef GPUQ_SIM_EMIT_H
#define GPUQ_SIM_EMIT_H

#include "aws/sim/shapes.h"
#include "model/base/buf.h"
#include "model/base/jsontext.h"

/* "name": with the comma before it where one is due. */
void sim_emit_key(struct buf *out, const char *name);
/* The comma between the items of an array. */
void sim_emit_comma(struct buf *out);
/* Text members; NULL writes nothing. */
void sim_emit_text(struct buf *out, const char *name, const char *text);
void sim_emit_integer(struct buf *out, const char *name, int64_t value);
/* A text as an item of an array; an empty one writes nothing. */
void sim_emit_item(struct buf *out, const char *text);
/* Seconds since the epoch, in one of the forms that AWS JSON 1.1 allows: whole, with a fraction, or
 * with an exponent (1.796071688123E9); the value decides. */
void sim_emit_time(struct buf *out, const char *name, int64_t ms);

/* The same as ISO 8601 in UTC, whole seconds: what is no AWS JSON says it so. */
void sim_emit_instant(struct buf *out, const char *name, int64_t ms);

/* A value of the request without the members that its shape does not know. */
void sim_emit_value(struct buf *out, const struct json_doc *doc, size_t node,
		    const struct sim_shape *shape);
/* The known, non-null members of an object but for the skipped (a NULL-terminated list). */
void sim_emit_members(struct buf *out, const struct json_doc *doc, size_t node,
		      const struct sim_shape *shape, const char *const *skipped);

/* <name>text</name>, escaped; what XML cannot hold becomes '?'. */
void sim_emit_element(struct buf *out, const char *name, const char *text);

#endif
