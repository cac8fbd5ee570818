#include "model/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define CHUNK 16384

static bool read_all(int fd, struct buf *text, struct err *err)
{
	char chunk[CHUNK];
	for (;;) {
		ssize_t got = read(fd, chunk, sizeof(chunk));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set(err, ERR_IO, "cannot be read: %s", strerror(errno));
		if (got == 0)
			return true;
		if (!buf_add(text, chunk, (size_t)got))
			return err_set(err, ERR_TOO_BIG, "is larger than %zu bytes", text->max);
	}
}

bool io_read_file(const char *path, struct buf *text, struct err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		err_set(err, ERR_IO, "cannot be opened: %s", strerror(errno));
		err->hint = HINT_CHECK_FILE;
		return err_subject(err, "%s", path);
	}
	bool ok = read_all(fd, text, err);
	if (!is_stdin)
		close(fd);
	return ok || err_subject(err, "%s", is_stdin ? "standard input" : path);
}

bool io_write_all(int fd, const struct buf *text)
{
	size_t done = 0;
	while (done < text->len) {
		ssize_t wrote = write(fd, text->data + done, text->len - done);
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return errno == EPIPE;
		done += (size_t)wrote;
	}
	return true;
}
