#include "aws/sync.h"

#include <stdlib.h>

#include "aws/describer.h"
#include "aws/lister.h"
#include "model/base/mem.h"

#define REFRESH_MIN_MS 1000

struct sync {
	struct sync_options options;
	struct lister training, processing;
	struct describer describer;
};

/* Starts what is due and asks to be woken for the rest. */
static void turn(struct sync *sync)
{
	int64_t now = clock_mono_ms(sync->options.clock), next, other;

	lister_turn(&sync->training, now);
	lister_turn(&sync->processing, now);
	next = describer_turn(&sync->describer, now);
	other = lister_next_ms(&sync->training);
	next = other < next ? other : next;
	other = lister_next_ms(&sync->processing);
	next = other < next ? other : next;
	if (next == INT64_MAX)
		sync->options.hooks.wake_in(sync->options.hooks.host, -1);
	else
		sync->options.hooks.wake_in(sync->options.hooks.host, next > now ? next - now : 0);
}

static void moved(void *ctx)
{
	struct sync *sync = ctx;

	turn(sync);
	if (sync->options.on_change)
		sync->options.on_change(sync->options.ctx);
}

struct sync *sync_new(const struct sync_options *options)
{
	struct sync *sync = mem_new(1, sizeof(*sync));

	sync->options = *options;
	if (sync->options.refresh_ms < REFRESH_MIN_MS)
		sync->options.refresh_ms = REFRESH_MIN_MS;
	lister_init(&sync->training, &sync->options, JOB_TRAINING, moved, sync);
	lister_init(&sync->processing, &sync->options, JOB_PROCESSING, moved, sync);
	describer_init(&sync->describer, &sync->options, moved, sync);
	sync->options.hooks.wake_in(sync->options.hooks.host, 0);
	return sync;
}

void sync_free(struct sync *sync)
{
	if (!sync)
		return;
	sync->options.hooks.wake_in(sync->options.hooks.host, -1);
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

	lister_refresh(&sync->training, now);
	lister_refresh(&sync->processing, now);
	describer_refresh(&sync->describer, now);
	turn(sync);
}

bool sync_is_settled(const struct sync *sync)
{
	return sync->training.complete && sync->processing.complete &&
	       describer_is_settled(&sync->describer);
}
