#include "views/follower.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#define LINE_SIZE 512

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

/* A line for one that listens: its answer comes at once. */
static void hand_over(struct follower *follower, char *line)
{
	follower->runner->run.typed = line + strspn(line, " \t");
	line[strcspn(line, "\r")] = '\0';
	look(follower);
	follower->runner->run.typed = NULL;
}

/* Whole lines are handed over; one that is too long is none. */
static void take_lines(struct follower *follower)
{
	struct buf *typed = &follower->typed;
	char *end;
	while (follower->is_on && typed->len > 0 &&
	       (end = memchr(typed->data, '\n', typed->len)) != NULL) {
		size_t len = (size_t)(end - typed->data);
		char line[LINE_SIZE] = "";
		if (len < sizeof(line))
			memcpy(line, typed->data, len);
		memmove(typed->data, end + 1, typed->len - len - 1);
		typed->len -= len + 1;
		hand_over(follower, line);
	}
	if (typed->len >= LINE_SIZE)
		buf_clear(typed);
}

static void on_typed(int fd, short events, void *ctx)
{
	struct follower *follower = ctx;
	char bytes[LINE_SIZE];
	ssize_t len = read(fd, bytes, sizeof(bytes));
	(void)events;
	if (len <= 0) { /* nobody types any more; what happens is told on */
		loop_watch(follower->loop, fd, 0, NULL, NULL);
		return;
	}
	(void)buf_add(&follower->typed, bytes, (size_t)len);
	take_lines(follower);
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
	if (follower->runner->command->listens) {
		buf_init(&follower->typed, 4 * LINE_SIZE);
		loop_watch(follower->loop, STDIN_FILENO, POLLIN, on_typed, follower);
	}
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
	if (follower->runner->command->listens)
		loop_watch(follower->loop, STDIN_FILENO, 0, NULL, NULL);
	buf_release(&follower->typed);
	loop_arm(follower->loop, &follower->timer, -1);
	spout_close(&follower->messages);
	spout_close(&follower->out);
}
