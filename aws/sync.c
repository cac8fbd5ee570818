#include "aws/sync.h"

#include <stdlib.h>
#include <string.h>

#include "aws/describer.h"
#include "aws/lister.h"
#include "aws/sagemaker_jobs.h"
#include "aws/search.h"
#include "aws/sync_next.h"
#include "model/base/mem.h"

#define REFRESH_MIN_MS  1000
#define LIST_GAP_MS     1000
#define TEXTS_KEPT_MS   120000
#define CALLS_IN_A_TURN 16 /* more at once than the lanes have: something is wrong */

struct sync {
	struct sync_options options;
	struct lister search, training, processing;
	struct describer describer;
	bool offline[LANE_COUNT]; /* as of the last answer */
};

/* --- the state of things --- */

/* The client hears of answers that said "too fast", and keeps the pace of each operation. */
static void take_slowdowns(struct sync *sync)
{
	const struct pace *pace = aws_client_pace(sync->options.client);

	sync->search.budget.slowdown = pace_slowdown(pace, &op_search);
	sync->training.budget.slowdown = pace_slowdown(pace, &op_list_training_jobs);
	sync->processing.budget.slowdown = pace_slowdown(pace, &op_list_processing_jobs);
	sync->describer.budget.slowdown = pace_slowdown(pace, &op_describe_training_job);
}

static bool is_loading(const struct lister *lister)
{
	return !lister->complete && lister->failures == 0;
}

static void come_back(struct sync *sync, int64_t now_ms)
{
	memset(sync->offline, 0, sizeof(sync->offline));
	lister_come_back(&sync->search, now_ms);
	lister_come_back(&sync->training, now_ms);
	lister_come_back(&sync->processing, now_ms);
	describer_come_back(&sync->describer, now_ms);
}

/* A lane that was offline and is so no more: the others need not sit out their pauses. */
static void note_return(struct sync *sync, int64_t now_ms)
{
	const bool offline[LANE_COUNT] = {
		[LANE_SEARCH] = sync->search.offline,
		[LANE_TRAINING] = sync->training.offline,
		[LANE_PROCESSING] = sync->processing.offline,
		[LANE_DESCRIBE] = sync->describer.offline,
	};
	bool back = false;

	for (int lane = 0; lane < LANE_COUNT; lane++) {
		back |= sync->offline[lane] && !offline[lane];
		sync->offline[lane] = offline[lane];
	}
	if (back)
		come_back(sync, now_ms);
}

/* What one lane means for the others. */
static void share_news(struct sync *sync, int64_t now_ms)
{
	struct lister *training = &sync->training;

	sync->describer.loading = is_loading(training) || is_loading(&sync->processing);
	if (sync->search.refused) {
		lister_walk_on(training, now_ms);
		sync->describer.training = TRAINING_IN_TURN;
		return;
	}
	if (!sync->search.complete)
		return;
	sync->describer.training = TRAINING_SEARCHED;
	/* With both the newest and all that Search has, nothing is left to walk for. */
	if (training->listed && !training->complete) {
		training->complete = true;
		store_note_loaded(sync->options.store, SOURCE_TRAINING, now_ms);
	}
}

static struct sync_state state_of(const struct sync *sync, int64_t now_ms)
{
	struct sync_state state = {
		.now_ms = now_ms,
		.search_refused = sync->search.refused,
		.live_due_ms = sync->search.live_due_ms,
	};

	state.lanes[LANE_SEARCH] = lister_state(&sync->search, now_ms);
	state.lanes[LANE_TRAINING] = lister_state(&sync->training, now_ms);
	state.lanes[LANE_PROCESSING] = lister_state(&sync->processing, now_ms);
	state.lanes[LANE_DESCRIBE] =
		describer_state(&sync->describer, now_ms, &state.selected_is_due);
	for (int lane = 0; sync->options.alone && lane < LANE_COUNT; lane++)
		if (lane != LANE_DESCRIBE)
			state.lanes[lane].due_ms = INT64_MAX;
	return state;
}

/* --- asking --- */

static void start(struct sync *sync, enum sync_call call, int64_t now_ms)
{
	switch (call) {
	case CALL_SEARCH_ALL:
	case CALL_SEARCH_CHANGED:
	case CALL_SEARCH_LIVE:
		lister_start(&sync->search, call, now_ms);
		break;
	case CALL_LIST_NEW:
	case CALL_LIST_WALK:
		lister_start(&sync->training, call, now_ms);
		break;
	case CALL_LIST_PROCESSING:
		lister_start(&sync->processing, call, now_ms);
		break;
	case CALL_DESCRIBE:
		describer_start(&sync->describer, now_ms);
		break;
	case CALL_NONE:
		break;
	}
}

/* Starts what is due and asks to be woken for the rest. */
static void turn(struct sync *sync)
{
	int64_t now_ms = clock_mono_ms(sync->options.clock);
	struct sync_next next = { CALL_NONE, now_ms };

	take_slowdowns(sync);
	note_return(sync, now_ms);
	share_news(sync, now_ms);
	for (int i = 0; i < CALLS_IN_A_TURN; i++) {
		struct sync_state state = state_of(sync, now_ms);

		next = sync_next(&state);
		if (next.call == CALL_NONE)
			break;
		start(sync, next.call, now_ms);
	}
	describer_promise(&sync->describer, now_ms);
	if (next.wake_ms == INT64_MAX)
		sync->options.hooks.wake_in(sync->options.hooks.host, -1);
	else
		sync->options.hooks.wake_in(sync->options.hooks.host,
					    next.wake_ms > now_ms ? next.wake_ms - now_ms : 0);
}

/* Ended jobs stay for as long as they would be listed, their texts for a while; both of the
 * selected one for as long as it is. */
static void drop_old(struct sync *sync)
{
	struct store *store = sync->options.store;
	const struct clock *clock = sync->options.clock;
	const char *selected = sync->describer.selected;

	store_drop_ended(store, store_now_ms(store, clock) - sync->options.since_ms, selected);
	store_drop_texts(store, clock_mono_ms(clock) - TEXTS_KEPT_MS, selected);
}

static void moved(void *ctx)
{
	struct sync *sync = ctx;

	drop_old(sync);
	turn(sync);
	if (sync->options.on_change)
		sync->options.on_change(sync->options.ctx);
}

static void doubt(void *ctx, const char *arn)
{
	describer_doubt(&((struct sync *)ctx)->describer, arn);
}

static void init_lister(struct sync *sync, struct lister *lister, enum sync_lane lane)
{
	lister_init(lister, &sync->options, lane);
	lister->moved = moved;
	lister->doubt = doubt;
	lister->ctx = sync;
}

struct sync *sync_new(const struct sync_options *options)
{
	struct sync *sync = mem_new(1, sizeof(*sync));

	sync->options = *options;
	if (sync->options.refresh_ms < REFRESH_MIN_MS)
		sync->options.refresh_ms = REFRESH_MIN_MS;
	if (sync->options.list_gap_ms == 0)
		sync->options.list_gap_ms = LIST_GAP_MS;
	init_lister(sync, &sync->search, LANE_SEARCH);
	init_lister(sync, &sync->training, LANE_TRAINING);
	init_lister(sync, &sync->processing, LANE_PROCESSING);
	describer_init(&sync->describer, &sync->options, moved, sync);
	sync->options.hooks.wake_in(sync->options.hooks.host, 0);
	return sync;
}

void sync_free(struct sync *sync)
{
	if (!sync)
		return;
	sync->options.hooks.wake_in(sync->options.hooks.host, -1);
	lister_release(&sync->search);
	lister_release(&sync->training);
	lister_release(&sync->processing);
	describer_release(&sync->describer);
	free(sync);
}

void sync_wake(struct sync *sync)
{
	turn(sync);
}

void sync_select(struct sync *sync, const char *arn)
{
	describer_select(&sync->describer, arn);
	turn(sync);
}

void sync_refresh(struct sync *sync)
{
	int64_t now = clock_mono_ms(sync->options.clock);

	if (!sync->search.refused)
		lister_refresh(&sync->search, now);
	lister_refresh(&sync->training, now);
	lister_refresh(&sync->processing, now);
	describer_refresh(&sync->describer, now);
	turn(sync);
}

void sync_come_back(struct sync *sync)
{
	come_back(sync, clock_mono_ms(sync->options.clock));
	turn(sync);
}

bool sync_is_settled(const struct sync *sync)
{
	return sync->training.complete && sync->processing.complete &&
	       describer_is_settled(&sync->describer);
}
