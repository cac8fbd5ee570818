/*
 * The program's own files in JSON, read strictly: each member is there, once, and is what it should
 * be, or the file is damaged. Over jsontext, whose document it borrows.
 */
#ifndef GPUQ_BASE_JSONREAD_H
#define GPUQ_BASE_JSONREAD_H

#include "model/base/jsontext.h"

/* Both borrowed. Of many faults err has the first. */
struct jsonread {
	const struct json_doc *doc;
	struct err *err;
};

/* False, and err says of which member (ERR_PARSE), unless something was wrong before it. */
bool jsonread_spoilt(const struct jsonread *reader, const char *name);

/* The node is there and of that kind. */
bool jsonread_is(const struct jsonread *reader, size_t node, enum json_kind kind);

/* The node is an object of that many members; name: what is said of it. */
bool jsonread_object(const struct jsonread *reader, size_t node, size_t members, const char *name);

/*
 * The functions below read a member of an object by its name. What is missing or another thing
 * spoils it: then they return false, and *value is NULL, "", 0 or false.
 */

/* A text of 1 to most bytes, which the caller frees (wiped, where it is secret). Null, where
 * optional allows it, leaves NULL. */
bool jsonread_text(const struct jsonread *reader, size_t object, const char *name, bool optional,
		   size_t most, char **value) MUST_CHECK;

/* The same into an array that holds it whole; null leaves "". */
bool jsonread_field(const struct jsonread *reader, size_t object, const char *name, bool optional,
		    char *field, size_t size) MUST_CHECK;

/* One of some words (NULL: a gap in their numbers): its number. */
bool jsonread_word(const struct jsonread *reader, size_t object, const char *name,
		   const char *const *words, size_t count, size_t *value) MUST_CHECK;

/* A whole number between two. Null is well where set is given, which then says that it is none. */
bool jsonread_number(const struct jsonread *reader, size_t object, const char *name, bool *set,
		     int64_t least, int64_t most, int64_t *value) MUST_CHECK;

bool jsonread_flag(const struct jsonread *reader, size_t object, const char *name,
		   bool *value) MUST_CHECK;

#endif
