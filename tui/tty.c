#include "tui/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A window beyond this is a wrong figure, and its cells would cost memory. */
#define COLUMNS_MAX 1000
#define LINES_MAX   500

static bool same_device(int a, int b)
{
	struct stat of_a, of_b;

	return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && of_a.st_rdev == of_b.st_rdev;
}

static int open_by_name(const char *name, int fd)
{
	int own = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

	if (own >= 0 && !same_device(own, fd)) {
		(void)close(own);
		return -1;
	}
	return own;
}

/* The terminal behind fd with an open file description of its own, or -1. */
static int open_anew(int fd)
{
	char name[PATH_MAX];

	/* Works after su too, where the device itself belongs to somebody else. */
	if (tcgetsid(fd) == getsid(0)) {
		int own = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
		if (own >= 0)
			return own;
	}
	int own = -1;
	if (ttyname_r(fd, name, sizeof(name)) == 0)
		own = open_by_name(name, fd);
	if (own < 0 && snprintf(name, sizeof(name), "/proc/self/fd/%d", fd) > 0)
		own = open_by_name(name, fd);
	return own;
}

static int open_or_share(int fd, bool *blocks)
{
	int own = open_anew(fd);

	*blocks = own < 0;
	return own >= 0 ? own : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

bool tty_open(struct tty *tty, int in_fd, int out_fd, struct err *err)
{
	*tty = (struct tty){ .in_fd = -1, .out_fd = -1 };
	if (!isatty(in_fd) || !isatty(out_fd) || tcgetattr(out_fd, &tty->saved) != 0)
		return err_set(err, ERR_IO, "not a terminal");
	tty->in_fd = open_or_share(in_fd, &tty->in_blocks);
	tty->out_fd = open_or_share(out_fd, &tty->out_blocks);
	if (tty->in_fd >= 0 && tty->out_fd >= 0)
		return true;
	int why = errno;
	tty_close(tty);
	return err_set(err, ERR_IO, "cannot open the terminal: %s", strerror(why));
}

void tty_close(struct tty *tty)
{
	if (tty->in_fd >= 0)
		(void)close(tty->in_fd);
	if (tty->out_fd >= 0)
		(void)close(tty->out_fd);
	tty->in_fd = tty->out_fd = -1;
}

bool tty_raw(const struct tty *tty)
{
	struct termios raw = tty->saved;

	raw.c_iflag &= ~(tcflag_t)(BRKINT | ISTRIP | INLCR | IGNCR | ICRNL | PARMRK);
	raw.c_oflag &= ~(tcflag_t)OPOST;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
	raw.c_lflag |= ISIG; /* for C-z; C-c and C-\ are keys */
	raw.c_cc[VINTR] = raw.c_cc[VQUIT] = (cc_t)_POSIX_VDISABLE;
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	return tcsetattr(tty->out_fd, TCSANOW, &raw) == 0;
}

void tty_start(const struct tty *tty)
{
	struct termios going;

	if (tcgetattr(tty->out_fd, &going) != 0)
		return;
	going.c_iflag &= ~(tcflag_t)IXON;
	(void)tcsetattr(tty->out_fd, TCSANOW, &going);
}

void tty_restore(const struct tty *tty)
{
	/* Now, not after the output: draining waits for a reader that may have stopped. */
	(void)tcsetattr(tty->out_fd, TCSANOW, &tty->saved);
	(void)tcflush(tty->in_fd, TCIFLUSH);
}

bool tty_size(const struct tty *tty, int *columns, int *lines)
{
	struct winsize size;

	if (ioctl(tty->out_fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
		return false;
	*columns = size.ws_col < COLUMNS_MAX ? size.ws_col : COLUMNS_MAX;
	*lines = size.ws_row < LINES_MAX ? size.ws_row : LINES_MAX;
	return true;
}

static bool is_ready(int fd, short events)
{
	struct pollfd polled = { .fd = fd, .events = events };

	return poll(&polled, 1, 0) == 1;
}

static enum tty_result result_of(ssize_t done, size_t *out)
{
	*out = done > 0 ? (size_t)done : 0;
	if (done > 0)
		return TTY_SOME;
	if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return TTY_LATER;
	return TTY_GONE;
}

enum tty_result tty_read(const struct tty *tty, char *bytes, size_t size, size_t *done)
{
	*done = 0;
	if (tty->in_blocks && !is_ready(tty->in_fd, POLLIN))
		return TTY_LATER;
	return result_of(read(tty->in_fd, bytes, size), done);
}

enum tty_result tty_write(const struct tty *tty, const char *bytes, size_t len, size_t *done)
{
	*done = 0;
	if (!tty->out_blocks)
		return result_of(write(tty->out_fd, bytes, len), done);
	/* Ready means room for one byte; a longer write may block. */
	while (*done < len) {
		size_t one = 0;
		if (!is_ready(tty->out_fd, POLLOUT))
			break;
		enum tty_result result = result_of(write(tty->out_fd, bytes + *done, 1), &one);
		if (result != TTY_SOME)
			return *done > 0 ? TTY_SOME : result;
		*done += one;
	}
	return *done > 0 ? TTY_SOME : TTY_LATER;
}
