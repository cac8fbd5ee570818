/*
 * NextToken: numbers that say where the last page ended, bound to the query that they belong to.
 * Opaque: a token that was changed, or that belongs to another query, is refused.
 */
#ifndef GPUQ_SIM_TOKEN_H
#define GPUQ_SIM_TOKEN_H

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

#define SIM_TOKEN_NUMBERS 2 /* at most, in one token */

/* Hash of the texts that make up a query. */
uint64_t sim_token_fingerprint(const struct buf *query);

/* Writes the member NextToken. */
void sim_token_emit(struct buf *out, uint64_t fingerprint, const uint64_t *numbers, size_t count);

/* found tells whether the request has one. False with a ValidationException for one that is not
 * ours. */
bool sim_token_read(const struct json_doc *doc, uint64_t fingerprint, uint64_t *numbers,
		    size_t count, bool *found, struct err *err) MUST_CHECK;

#endif
