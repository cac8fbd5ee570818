#include "views/follower.h"

#include <unistd.h>

static void pour(struct spout *spout, struct buf *text)
{
	spout_add(spout, buf_text(text), text->len);
	buf_clear(text);
}

static void look(struct follower *follower)
{
	struct runner *runner = follower->runner;
	if (!follower->is_on || spout_is_full(&follower->out))
		return;
	if (!runner_look(runner)) {
		follower_stop(follower); /* its last words go out as those of any command */
		return;
	}
	pour(&follower->messages, runner->run.messages);
	pour(&follower->out, runner->run.out);
	loop_arm(follower->loop, &follower->timer, runner->run.follow.wake_ms);
}

static void on_drained(void *ctx)
{
	look(ctx);
}

/* Nobody reads what is told any more, or it cannot be written. */
static void on_gone(void *ctx, const struct err *err)
{
	struct follower *follower = ctx;
	struct runner *runner = follower->runner;
	follower_stop(follower);
	if (err)
		command_message(runner->run.messages, err);
	runner->host.end(runner->host.host, err ? 1 : 0);
}

static void on_messages_drained(void *ctx)
{
	(void)ctx;
}

/* Where nobody reads the messages, the lines go on. */
static void on_messages_gone(void *ctx, const struct err *err)
{
	(void)ctx, (void)err;
}

void follower_start(struct follower *follower)
{
	follower->out = (struct spout){ .loop = follower->loop,
					.fd = STDOUT_FILENO,
					.drained = on_drained,
					.gone = on_gone,
					.ctx = follower };
	follower->messages = (struct spout){ .loop = follower->loop,
					     .fd = STDERR_FILENO,
					     .drained = on_messages_drained,
					     .gone = on_messages_gone,
					     .ctx = follower };
	follower->timer = (struct timer){ .fire = on_drained, .ctx = follower };
	follower->is_on = true;
	spout_open(&follower->out);
	spout_open(&follower->messages);
	look(follower);
}

void follower_changed(struct follower *follower)
{
	look(follower);
}

void follower_flush(struct follower *follower)
{
	if (follower->is_on)
		pour(&follower->messages, follower->runner->run.messages);
}

void follower_stop(struct follower *follower)
{
	if (!follower->is_on)
		return;
	follower->is_on = false;
	loop_arm(follower->loop, &follower->timer, -1);
	spout_close(&follower->messages);
	spout_close(&follower->out);
}
