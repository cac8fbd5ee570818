/* The last line: the keys that matter where the focus is, from the key tables. */
#ifndef GPUQ_FOOTER_H
#define GPUQ_FOOTER_H

#include <stdbool.h>

#include "tui/draw.h"
#include "tui/keys.h"

/* The rows with KEY_FOOTER of the focused scope and of root, that for help first; for a modal root
 * is NULL, and those of the scope's parents come first. A row that does not fit whole is left
 * out. */
void footer_draw(struct surface *out, struct rect at, const struct key_scope *scope,
		 const struct key_scope *root, bool read_only);

#endif
