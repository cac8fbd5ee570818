/*
 * Typed getters over a JSON reply; the only user of cJSON. A document is bounded in bytes, levels
 * and values; explicit null, an absent member and a member of another type all read as absent, so
 * that a reply that changes its shape loses that member and nothing else.
 */
#ifndef GPUQ_JSON_H
#define GPUQ_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/clock.h"
#include "model/base/err.h"

#define JSON_REPLY_MAX    (8u << 20) /* bytes of a document */
#define JSON_REPLY_LEVELS 64         /* nested objects and arrays; AWS's deepest has about ten */
#define JSON_REPLY_VALUES (1u << 18) /* values of a document: a full page has some thousands */

/* A value of a document. Never defined: cJSON's own is behind it. Borrowed from the document. */
struct json_value;

/*
 * Parses the whole of text[0..len); it needs no NUL. NULL with err (ERR_PARSE or ERR_TOO_BIG) if it
 * is not one JSON value. Free with json_free, which accepts NULL. An escaped U+0000 reads as
 * U+2400, half an escaped surrogate pair as U+FFFD: neither is a character of a C string in UTF-8.
 */
struct json_value *json_parse(const char *text, size_t len, struct err *err) MUST_CHECK;
void json_free(struct json_value *document);

enum json_type {
	JSON_TYPE_NONE, /* a NULL value */
	JSON_TYPE_NULL,
	JSON_TYPE_BOOLEAN,
	JSON_TYPE_NUMBER,
	JSON_TYPE_TEXT,
	JSON_TYPE_ARRAY,
	JSON_TYPE_OBJECT
};
/* NULL is accepted, here and below. */
enum json_type json_type(const struct json_value *value);

/* The first value of an array or object / the next sibling; NULL at the end. */
const struct json_value *json_first(const struct json_value *value);
const struct json_value *json_next(const struct json_value *value);
/* Values in an array or members of an object, else 0. Walks them. */
size_t json_length(const struct json_value *value);
/* The key of an object's member, else NULL. */
const char *json_name(const struct json_value *member);

/* The value itself; NULL or false if it is not of that type. */
const char *json_as_text(const struct json_value *value);
bool json_as_boolean(const struct json_value *value, bool *out);
bool json_as_number(const struct json_value *value, double *out);
/* A whole number within 2^53 either way (1.0 and 1e2 are whole); doubles are exact so far. */
bool json_as_integer(const struct json_value *value, int64_t *out);
/*
 * A time: seconds since the epoch (fraction, exponent), milliseconds where the number is above
 * 1e11, either of them as a string of digits, ISO 8601, or a date of HTTP (facts/aws.md 1.2). Unset
 * if none.
 */
struct opt_ms json_as_time(const struct json_value *value);
/* The same of a text that stood elsewhere, in XML. */
struct opt_ms json_time_of_text(const char *text);

/* The member of an object by its exact name; NULL where absent or null, or value is no object. */
const struct json_value *json_member(const struct json_value *object, const char *name);
/* The same for a member that must be an object or an array. */
const struct json_value *json_object(const struct json_value *object, const char *name);
const struct json_value *json_array(const struct json_value *object, const char *name);

/* Members by type: json_as_... of json_member. */
const char *json_text(const struct json_value *object, const char *name);
/* Text that says something: an empty one is an absent one. */
const char *json_full_text(const struct json_value *object, const char *name);
bool json_boolean(const struct json_value *object, const char *name, bool *out);
bool json_number(const struct json_value *object, const char *name, double *out);
bool json_integer(const struct json_value *object, const char *name, int64_t *out);
struct opt_ms json_time(const struct json_value *object, const char *name);

#endif
