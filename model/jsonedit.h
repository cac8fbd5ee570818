/*
 * Members of an object of a JSON text replaced, inserted and removed; every byte of the other
 * members stays. The edited text is new; the document still stands over the old one.
 */
#ifndef GPUQ_JSONEDIT_H
#define GPUQ_JSONEDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/buf.h"
#include "model/base/jsontext.h"

struct json_change {
	const char *name;
	const char *value; /* JSON text, or NULL: the member goes */
};

struct json_edit {
	size_t object; /* node of the object */
	const struct json_change *changes;
	size_t count;
	const bool *drop; /* by node of the document: members that go as well; NULL = none */
};

/*
 * Appends the whole text with the edit made. A member that is there gets its new value in place; a
 * new one takes the place of the first one removed, else it comes last, written like its
 * neighbours. False if it does not fit in out.
 */
bool json_edit_apply(const struct json_doc *doc, const struct json_edit *edit,
		     struct buf *out) MUST_CHECK;

/*
 * Appends the text without the marked members and items, at any depth (by node; the root stays);
 * every other byte stays. False if it does not fit in out.
 */
bool json_edit_prune(const struct json_doc *doc, const bool *drop, struct buf *out) MUST_CHECK;

#define JSON_INDENT_MAX 64

/* How an object's members are written. */
struct json_style {
	bool lines;                   /* a line for each member */
	const char *newline;          /* "\n" or "\r\n"; static */
	char indent[JSON_INDENT_MAX]; /* before a member's key, after the line break */
	char unit[JSON_INDENT_MAX];   /* one level more */
	char colon[8];                /* between key and value: ":", ": " or " : " */
};

/* The style of an object's members; of one without members that of its parents. */
struct json_style json_style_of(const struct json_doc *doc, size_t object);

#endif
