/* The last line: the keys that matter where the focus is, from the key tables. */
#ifndef GPUQ_FOOTER_H
#define GPUQ_FOOTER_H

#include <stdbool.h>

#include "tui/draw.h"
#include "tui/keymap.h"

struct footer_scopes {
	const struct key_scope *focused; /* may be NULL, as the next two */
	const struct key_scope *root;    /* NULL: a modal */
	const struct key_scope *urgent;  /* what matters right now */
	const struct keymap *keys;
};

/* The rows with KEY_FOOTER of the focused scope and of root, that for help first and then what is
 * urgent, which stands alone where there is no room for both; for a modal those of the scope's
 * parents come first. A row that does not fit whole is left out. */
void footer_draw(struct surface *out, struct rect at, const struct footer_scopes *scopes,
		 bool read_only);
/* The columns that a scope's rows take when they stand alone. */
int footer_columns(const struct key_scope *scope, const struct keymap *keys, bool read_only);

#endif
