/*
 * Binding tables: one row declares a key with its action, scope and help. The footer, the help
 * screen and the README's key table all come from the rows.
 */
#ifndef GPUQ_KEYS_H
#define GPUQ_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/input.h"

enum {
	KEY_FOOTER = 1,        /* named in the footer */
	KEY_CHANGES_CLOUD = 2, /* changes AWS: upper case or F-key, asks, absent when read-only */
	KEY_SHADOWS = 4,       /* means something else in the parent scope, on purpose */
	KEY_HIDDEN = 8,        /* works, but is not listed (a twin) */
	KEY_FIXED = 16,        /* no other keys may be chosen for it */
};

struct key_binding {
	const char *keys;   /* blank-separated names: "j Down" */
	const char *action; /* "job-stop": unique over all tables */
	const char *help;   /* "stop the selected job" */
	const char *brief;  /* footer word: "stop"; NULL = action */
	unsigned flags;
	void (*run)(void *state);
};

/* A scope: its table (ends with a row of NULL keys) and its parent, NULL at the root. */
struct key_scope {
	const char *name; /* "Jobs" */
	const struct key_binding *bindings;
	const struct key_scope *parent;
	bool answers; /* a question: all its rows are fixed, and only keys of a finger answer */
};

/* The binding in this table alone, or NULL. Rows that change AWS are skipped when read_only. */
const struct key_binding *keys_find(const struct key_binding *table, struct key key,
				    bool read_only);

/* True if name is one of the binding's keys. */
bool keys_has(const struct key_binding *binding, struct key key);

/* Text is typed there: no letter is a key. */
bool keys_typed_in(const struct key_scope *scope);

/* A clash: the same key twice in a table, or in a parent's without KEY_SHADOWS. False = none;
 * else says which in `what` (size bytes). For the test and for start-up. */
bool keys_clash(const struct key_scope *scope, char *what, size_t size);

#endif
