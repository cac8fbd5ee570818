#include "tui/spout.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static void on_event(int fd, short events, void *ctx);

/* With nothing to write the end of the reader is looked for alone. */
static void watch(struct spout *spout)
{
	short events = spout->text.len > 0 ? POLLOUT : POLLERR;
	loop_watch(spout->loop, spout->fd, events, on_event, spout);
}

static void end(struct spout *spout, const struct err *err)
{
	loop_watch(spout->loop, spout->fd, 0, NULL, NULL);
	spout->is_open = false;
	buf_release(&spout->text);
	spout->gone(spout->ctx, err);
}

static void fail(struct spout *spout, int why)
{
	struct err err = { 0 };
	if (why == EPIPE) {
		end(spout, NULL);
		return;
	}
	err_set(&err, ERR_IO, "cannot be written: %s", strerror(why));
	err_subject(&err, spout->fd == STDOUT_FILENO ? "standard output" : "standard error");
	end(spout, &err);
	err_clear(&err);
}

static bool is_ready(const struct spout *spout)
{
	struct pollfd polled = { .fd = spout->fd, .events = POLLOUT };
	return poll(&polled, 1, 0) == 1;
}

/* A pipe that is ready takes PIPE_BUF bytes without waiting (pipe(7)), a terminal one. The errno of
 * what went wrong, or 0. */
static int write_some(struct spout *spout)
{
	size_t most = spout->is_tty ? 1 : PIPE_BUF;
	while (spout->text.len > 0 && is_ready(spout)) {
		size_t len = spout->text.len < most ? spout->text.len : most;
		ssize_t done = write(spout->fd, spout->text.data, len);
		if (done < 0 && errno != EINTR && errno != EAGAIN)
			return errno;
		if (done < 0)
			return 0;
		buf_drop(&spout->text, (size_t)done);
	}
	return 0;
}

static void on_event(int fd, short events, void *ctx)
{
	struct spout *spout = ctx;
	(void)fd;
	bool had = spout->text.len > 0;
	int why = had ? write_some(spout) : 0;
	if (why == 0 && spout->text.len == 0 && (events & POLLNVAL))
		why = EBADF;
	else if (why == 0 && spout->text.len == 0 && (events & (POLLERR | POLLHUP)))
		why = EPIPE;
	if (why != 0) {
		fail(spout, why);
		return;
	}
	watch(spout);
	if (had && spout->text.len == 0)
		spout->drained(spout->ctx);
}

void spout_open(struct spout *spout)
{
	buf_init(&spout->text, SPOUT_MAX);
	spout->is_open = true;
	spout->is_tty = isatty(spout->fd) == 1;
	watch(spout);
}

void spout_add(struct spout *spout, const char *text, size_t len)
{
	if (!spout->is_open || len == 0)
		return;
	(void)buf_add(&spout->text, text, len);
	watch(spout);
}

bool spout_is_full(const struct spout *spout)
{
	return spout->is_open && spout->text.len > 0;
}

void spout_close(struct spout *spout)
{
	if (!spout->is_open)
		return;
	(void)write_some(spout);
	loop_watch(spout->loop, spout->fd, 0, NULL, NULL);
	spout->is_open = false;
	buf_release(&spout->text);
}
