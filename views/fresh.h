/*
 * What a pane or a page says of the age of what it shows: nothing while it is fresh, else some
 * words in its last lines. The age comes first, then the reason, then the next try; what does not
 * fit is left out from the end of that list.
 */
#ifndef GPUQ_FRESH_H
#define GPUQ_FRESH_H

#include "views/pane.h"

/* What stands above the words while the details are not there. */
enum fresh_shown { FRESH_SHOWS_NOTHING, FRESH_SHOWS_LIST };

struct fresh_room {
	int columns, lines;
	enum fresh_shown shown;
};

/* "stale 42s: denied sagemaker:DescribeTrainingJob on NAME, next try in 30 s", or as much as the
 * room holds, wrapped; the state and its age in any case. "" when fresh. */
void fresh_words(struct buf *out, const struct fresh *fresh, const struct fresh_room *room);

/* Of the selected job; where there is none, of the lists. */
struct fresh fresh_of_selected(const struct ui *ui);
struct fresh fresh_of_plans(const struct ui *ui);
/* Of the job that is looked at. */
struct fresh fresh_of_tags(const struct ui *ui);

/* Paints them at the lower end of at; returns what is left above. */
struct fresh_pane {
	enum fresh_shown shown;
	int used;   /* lines that have something in them: an empty one costs nothing */
	bool leads; /* beside other panes it is this one that says all, the others one line */
};
struct rect fresh_draw(const struct fresh *fresh, const struct fresh_pane *pane,
		       struct surface *out, struct rect at);

/* The same in one line of its own. */
void fresh_draw_line(const struct fresh *fresh, enum fresh_shown shown, struct surface *out,
		     struct rect line);

/* Milliseconds until the words change by time alone; negative = never. */
int64_t fresh_next_ms(const struct fresh *fresh);

#endif
