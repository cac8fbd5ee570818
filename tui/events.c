#include "tui/events.h"

#include <stdlib.h>

#include "model/base/mem.h"

void events_add(struct events *events, struct key key, char *paste)
{
	if (events->count - events->next >= EVENTS_MAX) {
		free(paste);
		return;
	}
	events->items = mem_grow(events->items, &events->capacity, events->count + 1,
				 sizeof(*events->items));
	events->items[events->count++] = (struct event){ .key = key, .paste = paste };
}

void events_add_mouse(struct events *events, const struct mouse *mouse)
{
	const struct key key = { .code = KEY_CODE_MOUSE };
	struct event *last = events_are_none(events) ? NULL : &events->items[events->count - 1];

	if (!last || last->key.code != KEY_CODE_MOUSE || last->mouse.act != MOUSE_DRAG ||
	    mouse->act != MOUSE_DRAG) {
		size_t before = events->count;

		events_add(events, key, NULL);
		if (events->count == before)
			return;
		last = &events->items[before];
	}
	last->mouse = *mouse;
}

bool events_take(struct events *events, struct event *event)
{
	if (events_are_none(events))
		return false;
	*event = events->items[events->next++];
	if (events->next == events->count)
		events->next = events->count = 0;
	return true;
}

bool events_are_none(const struct events *events)
{
	return events->next == events->count;
}

void events_drop(struct events *events)
{
	for (size_t i = events->next; i < events->count; i++)
		free(events->items[i].paste);
	events->count = events->next = 0;
}

void events_release(struct events *events)
{
	events_drop(events);
	free(events->items);
	*events = (struct events){ 0 };
}
