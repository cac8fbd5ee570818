/* Long text in a box: wrapped, scrolled and searched. The text is borrowed at each call. */
#ifndef GPUQ_PAGER_H
#define GPUQ_PAGER_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/draw.h"

#define PAGER_FIND_SIZE 256

struct pager {
	size_t top;   /* first wrapped line shown */
	size_t lines; /* of the last draw, wrapped */
	int height;   /* of the last draw */
	bool at_end;  /* the end is looked at: it stays in sight when the text grows */
	char find[PAGER_FIND_SIZE]; /* searched for, "" = nothing; small letters match both */
	size_t matches, match;      /* of the last draw: how many, and the current one, from 1 */
	int step;                   /* to be gone from it at the next draw; see pager_find */
};

void pager_scroll(struct pager *pager, long delta);
/* And there it stays until it is scrolled, also when there is no text yet. */
void pager_to_end(struct pager *pager);
/*
 * Search. The text is known when it is drawn: the next draw marks what is found and goes to the
 * first match from the top line on, or, where there is none below, to the first of all. A text too
 * long for find is cut. "" ends the search.
 */
void pager_find(struct pager *pager, const char *text);
/* To the match so many further on, round the end; negative = back. Nothing without a search. */
void pager_step(struct pager *pager, int by);
void pager_draw(struct pager *pager, struct surface *out, struct rect at, const char *text);

#endif
