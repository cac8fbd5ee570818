#include "tui/repaint.h"

void repaint_want(struct repaint *repaint, bool urgent)
{
	repaint->wanted = true;
	repaint->urgent |= urgent;
}

int64_t repaint_wait_ms(const struct repaint *repaint, int64_t now_ms)
{
	int64_t since_ms = now_ms - repaint->painted_ms;

	if (!repaint->wanted)
		return -1;
	if (repaint->urgent || !repaint->painted || since_ms >= REPAINT_DATA_MS)
		return 0;
	return REPAINT_DATA_MS - since_ms;
}

void repaint_done(struct repaint *repaint, int64_t now_ms)
{
	*repaint = (struct repaint){ .painted = true, .painted_ms = now_ms };
}
