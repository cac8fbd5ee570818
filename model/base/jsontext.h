/*
 * JSON as spans over its text: nothing is converted, so that an edited document keeps every byte
 * it does not change. Used for requests; replies go through aws/json. Limits: JSON_TEXT_MAX bytes,
 * JSON_DEPTH_MAX levels, JSON_NODES_MAX values; duplicate keys are an error that names line and
 * column. Strict RFC 8259, and stricter in two places, so that a decoded string is always a whole C
 * string in UTF-8: half a surrogate pair and the character U+0000 are errors.
 */
#ifndef GPUQ_BASE_JSONTEXT_H
#define GPUQ_BASE_JSONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"
#include "model/base/err.h"

#define JSON_TEXT_MAX  (4u << 20) /* a Create request is under 1 MiB on AWS */
#define JSON_DEPTH_MAX 64
#define JSON_NODES_MAX (1u << 18) /* 20 MiB of nodes */
#define JSON_NONE      SIZE_MAX   /* no such node */

enum json_kind {
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_STRING,
	JSON_NUMBER,
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL
};

struct json_node {
	enum json_kind kind;
	size_t start, end;          /* span of the value */
	size_t key_start, key_end;  /* span of the member's key with its quotes; equal = no key */
	size_t parent, child, next; /* indices or JSON_NONE */
	size_t line, column;        /* of the value, from 1; columns count bytes */
};

struct json_doc {
	const char *text; /* borrowed: outlives the document */
	size_t len;
	struct json_node *nodes; /* owned; node 0 is the root */
	size_t count, capacity;
	size_t bad_line, bad_column; /* where parsing failed, from 1; 0 = it did not */
};

/*
 * Parses. On failure the error is ERR_PARSE, whatever the reason, its text says what after "line L,
 * column C: ", bad_line and bad_column hold the same, and there are no nodes. Release either way.
 */
bool json_doc_parse(struct json_doc *doc, const char *text, size_t len, struct err *err) MUST_CHECK;
void json_doc_release(struct json_doc *doc);

/*
 * The functions below take any index: JSON_NONE, or a node of another kind, has no members and no
 * value.
 */

/* The member of an object by name (escapes in keys are resolved), or JSON_NONE. */
size_t json_doc_member(const struct json_doc *doc, size_t object, const char *name);

/* The first child of an object or array / the next sibling, or JSON_NONE. */
size_t json_doc_child(const struct json_doc *doc, size_t node);
size_t json_doc_next(const struct json_doc *doc, size_t node);

/* Number of children. */
size_t json_doc_length(const struct json_doc *doc, size_t node);

/* Walks "ResourceConfig.InstancePreferences[1].InstanceType" from the root; JSON_NONE if absent. */
size_t json_doc_path(const struct json_doc *doc, const char *path);

/* Decoded string value or member key; false if the node has none. The buffer is appended to. */
bool json_doc_string(const struct json_doc *doc, size_t node, struct buf *out);
bool json_doc_key(const struct json_doc *doc, size_t node, struct buf *out);

/* A whole number that fits; false if the node is not one (1.0 and 1e2 are whole). */
bool json_doc_integer(const struct json_doc *doc, size_t node, int64_t *value);

#endif
