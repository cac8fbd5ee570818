/* Keys that the decoder has made out and nobody has taken yet. {0} is an empty queue. */
#ifndef GPUQ_EVENTS_H
#define GPUQ_EVENTS_H

#include "tui/input.h"

#define EVENTS_MAX 4096 /* more than that typed ahead is not meant */

struct event {
	struct key key;
	char *paste;        /* owned; NULL but for KEY_CODE_PASTE */
	struct mouse mouse; /* of KEY_CODE_MOUSE */
};

struct events {
	struct event *items; /* owned; a ring would save nothing: it is empty nearly always */
	size_t count, next, capacity;
};

/* Takes paste, which may be NULL. */
void events_add(struct events *events, struct key key, char *paste);
/* A drag takes the place of one that is still the last: a hand moves faster than frames are
 * painted, and its newest place is the one that counts. */
void events_add_mouse(struct events *events, const struct mouse *mouse);
/* False: there is none. The paste becomes the caller's. */
bool events_take(struct events *events, struct event *event);
bool events_are_none(const struct events *events);
/* Throws all away. */
void events_drop(struct events *events);
void events_release(struct events *events);

#endif
