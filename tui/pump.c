#define _GNU_SOURCE /* F_SETPIPE_SZ, pipe2, memfd_create */

#include "tui/pump.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PIPE_BYTES  (1 << 20) /* what an unprivileged process may ask for */
#define CHUNKS_A_GO 64        /* then the other descriptors have their turn */

bool pump_init(struct pump *pump, struct err *err)
{
	int fds[2];

	*pump = (struct pump){ .sink = -1, .source = -1 };
	if (pipe2(fds, O_CLOEXEC) != 0)
		return err_set(err, ERR_IO, "cannot make a pipe: %s", strerror(errno));
	pump->source = fds[0];
	pump->sink = fds[1];
	/* Refused to a user who has many pipes: a smaller one will do, see pump_reserve. */
	(void)fcntl(pump->sink, F_SETPIPE_SZ, PIPE_BYTES);
	int capacity = fcntl(pump->sink, F_GETPIPE_SZ);
	pump->capacity = capacity > 0 ? (size_t)capacity : 0;
	pump->out = fdopen(pump->sink, "w");
	if (pump->out && fcntl(pump->source, F_SETFL, O_NONBLOCK) == 0)
		return true;
	int why = errno;
	pump_release(pump);
	return err_set(err, ERR_IO, "cannot set up a pipe: %s", strerror(why));
}

void pump_release(struct pump *pump)
{
	if (pump->out)
		(void)fclose(pump->out);
	else if (pump->sink > 0)
		(void)close(pump->sink);
	if (pump->source > 0)
		(void)close(pump->source);
	*pump = (struct pump){ .sink = -1, .source = -1 };
}

void pump_reserve(struct pump *pump, size_t bytes)
{
	if (bytes <= pump->capacity)
		return;
	int file = memfd_create("frame", MFD_CLOEXEC);
	/* Curses keeps the sink's number; O_APPEND spares it the seeking. */
	if (file < 0 || fcntl(file, F_SETFL, O_APPEND) != 0 ||
	    dup3(file, pump->sink, O_CLOEXEC) < 0) {
		if (file >= 0)
			(void)close(file);
		return; /* frames seldom need what they might */
	}
	(void)close(pump->source);
	pump->source = file;
	pump->offset = 0;
	pump->capacity = SIZE_MAX;
}

void pump_add(struct pump *pump, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t done = write(pump->sink, bytes, len);
		if (done <= 0)
			return;
		bytes += done;
		len -= (size_t)done;
	}
}

static bool fill_chunk(struct pump *pump)
{
	ssize_t got;

	pump->chunk_at = pump->chunk_len = 0;
	if (pump->capacity != SIZE_MAX) {
		got = read(pump->source, pump->chunk, sizeof(pump->chunk));
	} else {
		got = pread(pump->source, pump->chunk, sizeof(pump->chunk), pump->offset);
		if (got > 0)
			pump->offset += got;
		else if (pump->offset > 0 && ftruncate(pump->source, 0) == 0)
			pump->offset = 0;
	}
	pump->chunk_len = got > 0 ? (size_t)got : 0;
	return pump->chunk_len > 0;
}

enum tty_result pump_run(struct pump *pump, const struct tty *tty)
{
	for (int i = 0; i < CHUNKS_A_GO; i++) {
		size_t done;
		if (pump->chunk_at == pump->chunk_len && !fill_chunk(pump))
			return TTY_SOME;
		enum tty_result result = tty_write(tty, pump->chunk + pump->chunk_at,
						   pump->chunk_len - pump->chunk_at, &done);
		if (result != TTY_SOME)
			return result;
		pump->chunk_at += done;
		pump->written += done;
	}
	return TTY_LATER;
}

void pump_discard(struct pump *pump)
{
	while (fill_chunk(pump))
		continue;
}
