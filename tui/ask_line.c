#define _GNU_SOURCE /* explicit_bzero */
#include "tui/ask_line.h"

#include <poll.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "model/base/io.h"
#include "model/base/text.h"

#define LINE_SIZE    256
#define QUESTION_MAX 4096

bool ask_line_is_possible(void)
{
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* What is typed is a secret, as at a shell's prompt; a newline tells that it was taken. */
static void set_echo(bool on)
{
	struct termios mode;
	if (tcgetattr(STDIN_FILENO, &mode) != 0)
		return;
	mode.c_lflag = on ? mode.c_lflag | ECHO : mode.c_lflag & ~(tcflag_t)ECHO;
	mode.c_lflag = on ? mode.c_lflag & ~(tcflag_t)ECHONL : mode.c_lflag | ECHONL;
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &mode);
}

static void on_line(int fd, short events, void *ctx)
{
	struct ask_line *ask = ctx;
	char line[LINE_SIZE] = "";
	ssize_t len = read(fd, line, sizeof(line) - 1);
	(void)events;
	ask_line_stop(ask);
	/* Whatever stands behind it is no answer to a question that may come next. */
	(void)tcflush(fd, TCIFLUSH);
	line[len > 0 ? (size_t)len : 0] = '\0';
	line[strcspn(line, " \t\r\n")] = '\0';
	ask->answer(ask->ctx, line[0] ? line : NULL);
	explicit_bzero(line, sizeof(line));
}

void ask_line_start(struct ask_line *ask, const char *question)
{
	struct buf shown;
	buf_init(&shown, QUESTION_MAX);
	text_sanitise(&shown, question, strlen(question), TEXT_FILE, false);
	set_echo(false); /* before the question: a quick answer is no more shown than a slow one */
	ask->asked = io_write_all(STDERR_FILENO, &shown);
	if (ask->asked)
		loop_watch(ask->loop, STDIN_FILENO, POLLIN, on_line, ask);
	else
		set_echo(true);
	buf_release(&shown);
}

void ask_line_stop(struct ask_line *ask)
{
	if (!ask->asked)
		return;
	ask->asked = false;
	set_echo(true);
	loop_watch(ask->loop, STDIN_FILENO, 0, NULL, NULL);
}
