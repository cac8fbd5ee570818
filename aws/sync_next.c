#include "aws/sync_next.h"

#include <stddef.h>

#include "model/base/attr.h"

static enum sync_call search_call(const struct sync_state *state)
{
	const struct sync_lane_state *lane = &state->lanes[LANE_SEARCH];

	if (lane->pass != CALL_NONE)
		return lane->pass;
	if (!lane->complete)
		return CALL_SEARCH_ALL;
	return state->now_ms >= state->live_due_ms ? CALL_SEARCH_LIVE : CALL_SEARCH_CHANGED;
}

static enum sync_call lane_call(const struct sync_state *state, enum sync_lane lane)
{
	switch (lane) {
	case LANE_SEARCH:
		return search_call(state);
	case LANE_TRAINING:
		return state->search_refused ? CALL_LIST_WALK : CALL_LIST_NEW;
	case LANE_PROCESSING:
		return CALL_LIST_PROCESSING;
	case LANE_DESCRIBE:
		return CALL_DESCRIBE;
	case LANE_COUNT:
		break;
	}
	return CALL_NONE;
}

struct sync_next sync_next(const struct sync_state *state)
{
	static const enum sync_lane in_turn[] = { LANE_SEARCH, LANE_TRAINING, LANE_PROCESSING,
						  LANE_DESCRIBE };
	static const enum sync_lane selected_first[] = { LANE_DESCRIBE, LANE_SEARCH, LANE_TRAINING,
							 LANE_PROCESSING };
	const enum sync_lane *order = state->selected_is_due ? selected_first : in_turn;
	struct sync_next next = { CALL_NONE, INT64_MAX };

	for (size_t i = 0; i < ARRAY_LEN(in_turn); i++) {
		const struct sync_lane_state *lane = &state->lanes[order[i]];
		int64_t at = lane->due_ms > lane->ready_ms ? lane->due_ms : lane->ready_ms;

		if (lane->busy || lane->due_ms == INT64_MAX)
			continue;
		if (at <= state->now_ms)
			return (struct sync_next){ lane_call(state, order[i]), state->now_ms };
		next.wake_ms = at < next.wake_ms ? at : next.wake_ms;
	}
	return next;
}
