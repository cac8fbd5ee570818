/* Long text in a box: wrapped and scrolled. The text is borrowed at each call. */
#ifndef GPUQ_PAGER_H
#define GPUQ_PAGER_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/draw.h"

struct pager {
	size_t top;   /* first wrapped line shown */
	size_t lines; /* of the last draw, wrapped */
	int height;   /* of the last draw */
};

void pager_scroll(struct pager *pager, long delta);
void pager_to_end(struct pager *pager);
void pager_draw(struct pager *pager, struct surface *out, struct rect at, const char *text);

#endif
