/*
 * Keys that the operator has chosen in place of a table's own: made of lines "action = keys", each
 * of which counts or is refused with a reason. The tables themselves stay as they are: what is
 * pressed is translated into the table's own key before it is looked up.
 *
 * A line's keys take the place of the row's letters and signs; its special keys (arrows, Enter, F9)
 * stay as twins. An action's first key is its own; a further one goes to the action that a line
 * gives it to.
 */
#ifndef GPUQ_KEYMAP_H
#define GPUQ_KEYMAP_H

#include "tui/keys.h"

/* Borrowed; keys are blank-separated names. */
struct keymap_line {
	const char *action, *keys;
	size_t line; /* of the file, from 1 */
};

struct keymap_row {
	const char *action; /* the table's */
	char *keys;         /* owned; blank-separated names, "" where others have all */
	size_t line;        /* 0: no line of its own, others have taken keys of it */
};

/* {0} is valid: every table as it stands. NULL is accepted wherever one is only read. */
struct keymap {
	struct keymap_row *rows;
	size_t count, capacity;
};

/* Why a line does not count: index is its place among the lines. */
typedef void keymap_told(void *ctx, size_t index, const char *why);

/* Makes a map of the lines, over tables that do not clash (scopes: NULL at the end); each refused
 * one is told. Of two that clash the later one is refused. Release it. */
void keymap_make(struct keymap *map, const struct key_scope *const *scopes,
		 const struct keymap_line *lines, size_t count, keymap_told *told, void *ctx);
void keymap_release(struct keymap *map);

/* The names of the keys that the binding has now; borrowed. */
const char *keymap_keys(const struct keymap *map, const struct key_binding *binding);

/* The table's own key for what was pressed: of a row of several numbers the one in the same place.
 * KEY_CODE_BAD where the table's key has gone to another action or is no longer one. */
struct key keymap_translate(const struct keymap *map, const struct key_binding *table,
			    struct key key);

#endif
