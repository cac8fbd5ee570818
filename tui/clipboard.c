#define _GNU_SOURCE /* pipe2 */
#include "tui/clipboard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_MAX (1u << 20)
#define LOOK_MS  25 /* between two looks at whether tmux has ended */

void clipboard_add_osc(struct buf *out, const char *text, size_t len)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	buf_add_text(out, "\033]52;c;");
	for (size_t i = 0; i < len; i += 3) {
		size_t left = len - i;
		uint32_t bits = (uint32_t)(unsigned char)text[i] << 16;
		bits |= left > 1 ? (uint32_t)(unsigned char)text[i + 1] << 8 : 0;
		bits |= left > 2 ? (uint32_t)(unsigned char)text[i + 2] : 0;
		buf_add_char(out, letters[bits >> 18]);
		buf_add_char(out, letters[bits >> 12 & 63]);
		buf_add_char(out, left > 1 ? letters[bits >> 6 & 63] : '=');
		buf_add_char(out, left > 2 ? letters[bits & 63] : '=');
	}
	buf_add_text(out, "\033\\");
}

static bool is_in_tmux(void)
{
	const char *tmux = getenv("TMUX");
	return tmux && tmux[0];
}

/* It may still wait for the copy before: what is armed must not be written over. */
static void arm(struct clipboard *clipboard, void (*fire)(void *ctx), int64_t in_ms)
{
	loop_arm(clipboard->loop, &clipboard->timer, -1);
	clipboard->timer = (struct timer){ .fire = fire, .ctx = clipboard };
	loop_arm(clipboard->loop, &clipboard->timer, in_ms);
}

/* --- by the terminal --- */

static void on_sent(void *ctx)
{
	struct clipboard *clipboard = ctx;
	clipboard->told(clipboard->ctx, true,
			"sent to the terminal (OSC 52); whether it took it, none tells");
}

static bool send_osc(struct clipboard *clipboard, const char *text, size_t len, struct err *err)
{
	struct buf sequence;
	if (len > CLIPBOARD_OSC_MAX)
		return err_set(err, ERR_TOO_BIG,
			       "it is too long for a terminal (%zu bytes, at most %d)", len,
			       CLIPBOARD_OSC_MAX);
	buf_init(&sequence, 2 * CLIPBOARD_OSC_MAX);
	clipboard_add_osc(&sequence, text, len);
	term_send(clipboard->term, buf_text(&sequence), sequence.len);
	buf_release(&sequence);
	arm(clipboard, on_sent, 0);
	return true;
}

/* --- by tmux --- */

static void end(struct clipboard *clipboard)
{
	if (clipboard->input >= 0) {
		loop_watch(clipboard->loop, clipboard->input, 0, NULL, NULL);
		(void)close(clipboard->input);
	}
	clipboard->input = -1;
	loop_arm(clipboard->loop, &clipboard->timer, -1);
	buf_release(&clipboard->text);
	clipboard->pid = 0;
}

static void finish(struct clipboard *clipboard, bool ok, const char *text)
{
	end(clipboard);
	clipboard->told(clipboard->ctx, ok, text);
}

static void on_look(void *ctx)
{
	struct clipboard *clipboard = ctx;
	int status = 0;
	pid_t ended = waitpid(clipboard->pid, &status, WNOHANG);
	if (ended == clipboard->pid || (ended < 0 && errno == ECHILD)) {
		bool ok = ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
		finish(clipboard, ok,
		       ok ? "in tmux's buffer (prefix ] pastes it), and handed on to the terminal"
			  : "tmux did not take it");
		return;
	}
	clipboard->left_ms -= LOOK_MS;
	if (clipboard->left_ms <= 0) {
		(void)kill(-clipboard->pid, SIGKILL);
		(void)waitpid(clipboard->pid, &status, 0);
		finish(clipboard, false, "tmux did not answer in 10 s");
		return;
	}
	loop_arm(clipboard->loop, &clipboard->timer, LOOK_MS);
}

/* Whatever comes of it, the end of tmux tells. */
static void on_input(int fd, short events, void *ctx)
{
	struct clipboard *clipboard = ctx;
	(void)events;
	ssize_t done = write(fd, clipboard->text.data + clipboard->at,
			     clipboard->text.len - clipboard->at);
	if (done > 0)
		clipboard->at += (size_t)done;
	bool over = clipboard->at == clipboard->text.len ||
		    (done < 0 && errno != EAGAIN && errno != EINTR);
	if (!over)
		return;
	loop_watch(clipboard->loop, fd, 0, NULL, NULL);
	(void)close(fd);
	clipboard->input = -1;
}

/* In the child: nothing of it reaches the screen. */
static void run_tmux(int input)
{
	static char program[] = "tmux", load[] = "load-buffer", hand_on[] = "-w", standard[] = "-";
	char *const argv[] = { program, load, hand_on, standard, NULL };
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;
	int nothing = open("/dev/null", O_WRONLY);
	(void)setpgid(0, 0);
	(void)sigaction(SIGPIPE, &action, NULL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	if (nothing >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
	    dup2(nothing, STDERR_FILENO) >= 0)
		(void)execvp(argv[0], argv);
	_exit(127);
}

static bool load_buffer(struct clipboard *clipboard, const char *text, size_t len, struct err *err)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_set(err, ERR_IO, "tmux cannot be asked: %s", strerror(errno));
	pid_t pid = fork();
	if (pid == 0)
		run_tmux(ends[0]);
	(void)close(ends[0]);
	if (pid < 0 || fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0) {
		err_set(err, ERR_IO, "tmux cannot be started: %s", strerror(errno));
		(void)close(ends[1]);
		return false;
	}
	(void)setpgid(pid, pid); /* whichever comes first */
	clipboard->pid = pid;
	clipboard->input = ends[1];
	clipboard->at = 0;
	clipboard->left_ms = CLIPBOARD_TMUX_MS;
	buf_init(&clipboard->text, TEXT_MAX);
	(void)buf_add(&clipboard->text, text, len);
	loop_watch(clipboard->loop, ends[1], POLLOUT, on_input, clipboard);
	arm(clipboard, on_look, LOOK_MS);
	return true;
}

bool clipboard_copy(struct clipboard *clipboard, const char *text, size_t len, struct err *err)
{
	if (clipboard->pid)
		return err_set(err, ERR_IO, "tmux has not taken the last one yet");
	if (len > TEXT_MAX)
		return err_set(err, ERR_TOO_BIG, "it is too long");
	return is_in_tmux() ? load_buffer(clipboard, text, len, err)
			    : send_osc(clipboard, text, len, err);
}

void clipboard_release(struct clipboard *clipboard)
{
	int status;
	if (!clipboard->loop)
		return;
	if (clipboard->pid) {
		(void)kill(-clipboard->pid, SIGKILL);
		(void)waitpid(clipboard->pid, &status, 0);
		end(clipboard);
	}
	loop_arm(clipboard->loop, &clipboard->timer, -1);
}
