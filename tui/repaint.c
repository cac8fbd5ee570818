#include "tui/repaint.h"

void repaint_want(struct repaint *repaint, bool urgent)
{
	repaint->wanted = true;
	repaint->urgent |= urgent;
}

int64_t repaint_wait_ms(const struct repaint *repaint, int64_t now_ms)
{
	int64_t due_ms = repaint->newest_ms + REPAINT_DATA_MS;

	if (!repaint->wanted)
		return -1;
	if (due_ms > repaint->painted_ms + REPAINT_HELD_MS)
		due_ms = repaint->painted_ms + REPAINT_HELD_MS;
	if (repaint->urgent || !repaint->painted || due_ms <= now_ms)
		return 0;
	return due_ms - now_ms;
}

void repaint_done(struct repaint *repaint, int64_t now_ms)
{
	*repaint = (struct repaint){ .painted = true, .painted_ms = now_ms, .newest_ms = now_ms };
}

bool repaint_may_hurry(const struct repaint *repaint, int64_t now_ms)
{
	return repaint->urgent && repaint->painted &&
	       now_ms - repaint->newest_ms < REPAINT_DATA_MS &&
	       now_ms - repaint->painted_ms < REPAINT_HELD_MS;
}

void repaint_hurried(struct repaint *repaint, int64_t now_ms)
{
	repaint->urgent = false;
	repaint->newest_ms = now_ms;
}
