#define _GNU_SOURCE /* pipe2 */
#include "tui/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/attr.h"

#define TEXT_MAX    (1u << 20)
#define SAID_MAX    512 /* bytes of its standard error; the rest is read and dropped */
#define LOOK_MS     25  /* between two looks at whether it has ended */
#define FAILURE_MAX 1024
#define NOT_FOUND   127 /* as shells have it */
#define NOT_RUNNING 126

bool child_runs(const struct child *child)
{
	return child->pid != 0;
}

static void close_end(struct child *child, int *fd)
{
	if (*fd < 0)
		return;
	loop_watch(child->loop, *fd, 0, NULL, NULL);
	(void)close(*fd);
	*fd = -1;
}

static void release(struct child *child)
{
	close_end(child, &child->input);
	close_end(child, &child->output);
	loop_arm(child->loop, &child->timer, -1);
	buf_release(&child->text);
	buf_release(&child->said);
	child->pid = 0;
}

/* --- its pipes --- */

/* Whether it reads all of it is its own affair. */
static void on_input(int fd, short events, void *ctx)
{
	struct child *child = ctx;
	(void)events;
	ssize_t done = write(fd, child->text.data, child->text.len);
	if (done > 0)
		buf_drop(&child->text, (size_t)done);
	if (child->text.len == 0 || (done < 0 && errno != EAGAIN && errno != EINTR))
		close_end(child, &child->input);
}

static void take_said(struct child *child)
{
	char bytes[4096];
	ssize_t got;
	while ((got = read(child->output, bytes, sizeof(bytes))) > 0) {
		size_t room = SAID_MAX - child->said.len;
		(void)buf_add(&child->said, bytes, (size_t)got < room ? (size_t)got : room);
	}
	if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
		close_end(child, &child->output);
}

static void on_output(int fd, short events, void *ctx)
{
	(void)fd, (void)events;
	take_said(ctx);
}

/* --- its end --- */

/* The first line that it has said, behind a colon. */
static void add_said(struct buf *out, const struct child *child)
{
	const char *said = buf_text(&child->said);
	said += strspn(said, "\n");
	size_t len = strcspn(said, "\n");
	if (len > 0)
		buf_addf(out, ": %.*s", (int)len, said);
}

/* False: it went well. */
static bool add_failure(struct buf *out, const struct child *child, int status)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	if (child->was_killed)
		buf_addf(out, "it was killed after %d s", CHILD_MS / 1000);
	else if (WIFSIGNALED(status))
		buf_addf(out, "it was ended by signal %d", WTERMSIG(status));
	else if (code == NOT_FOUND && child->said.len == 0)
		buf_add_text(out, "there is no such program");
	else if (code == NOT_RUNNING && child->said.len == 0)
		buf_add_text(out, "it cannot be run");
	else if (code != 0)
		buf_addf(out, "it ended with status %d", code);
	if (out->len > 0)
		add_said(out, child);
	return out->len > 0;
}

static void finish(struct child *child, int status)
{
	struct buf failure;
	buf_init(&failure, FAILURE_MAX);
	if (child->output >= 0)
		take_said(child);
	bool failed = add_failure(&failure, child, status);
	release(child);
	child->ended(child->ctx, failed ? buf_text(&failure) : NULL);
	buf_release(&failure);
}

/* Its number stays its own until it has been waited for: so its group is killed before. */
static bool has_ended(const struct child *child)
{
	siginfo_t info = { 0 };
	return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	       info.si_pid == child->pid;
}

static void on_look(void *ctx)
{
	struct child *child = ctx;
	int status = 0;
	if (has_ended(child)) {
		(void)kill(-child->pid, SIGKILL);
		(void)waitpid(child->pid, &status, WNOHANG);
		finish(child, status);
		return;
	}
	loop_arm(child->loop, &child->timer, LOOK_MS);
	if (child->timer.due_ms - LOOK_MS >= child->until_ms && !child->was_killed) {
		child->was_killed = true;
		(void)kill(-child->pid, SIGKILL);
	}
}

/* --- its start --- */

/* In the child: only async-signal-safe calls up to exec. What it prints is not for the screen. */
static void run(char *const argv[], int input, int output)
{
	static const int signals[] = { SIGINT,  SIGQUIT, SIGTERM, SIGHUP,  SIGPIPE,
				       SIGTSTP, SIGCONT, SIGCHLD, SIGXFSZ, SIGWINCH };
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;
	int nothing = open("/dev/null", O_WRONLY);
	(void)setpgid(0, 0);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		(void)sigaction(signals[i], &action, NULL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	if (nothing < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0 ||
	    dup2(output, STDERR_FILENO) < 0)
		_exit(NOT_RUNNING);
	(void)execvp(argv[0], argv);
	_exit(errno == ENOENT ? NOT_FOUND : NOT_RUNNING);
}

static bool fail(struct err *err, const char *program)
{
	err_set(err, ERR_IO, "it cannot be started: %s", strerror(errno));
	return err_subject(err, "%s", program);
}

static void close_both(const int ends[2])
{
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static bool set_nonblocking(int fd)
{
	return fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

bool child_start(struct child *child, char *const argv[], const char *text, size_t len,
		 struct err *err)
{
	int in[2], out[2];
	if (child->pid)
		return err_set(err, ERR_IO, "one runs already");
	if (pipe2(in, O_CLOEXEC) != 0)
		return fail(err, argv[0]);
	if (pipe2(out, O_CLOEXEC) != 0) {
		fail(err, argv[0]);
		close_both(in);
		return false;
	}
	pid_t pid = set_nonblocking(in[1]) && set_nonblocking(out[0]) ? fork() : -1;
	if (pid == 0)
		run(argv, in[0], out[1]);
	if (pid < 0) {
		fail(err, argv[0]);
		close_both(in);
		close_both(out);
		return false;
	}
	(void)setpgid(pid, pid); /* whichever comes first */
	(void)close(in[0]);
	(void)close(out[1]);
	child->pid = pid;
	child->input = in[1];
	child->output = out[0];
	child->was_killed = false;
	buf_init(&child->said, SAID_MAX);
	buf_init(&child->text, TEXT_MAX);
	(void)buf_add(&child->text, text, len);
	loop_watch(child->loop, child->output, POLLIN, on_output, child);
	if (len > 0)
		loop_watch(child->loop, child->input, POLLOUT, on_input, child);
	else
		close_end(child, &child->input);
	child->timer = (struct timer){ .fire = on_look, .ctx = child };
	loop_arm(child->loop, &child->timer, LOOK_MS);
	child->until_ms = child->timer.due_ms - LOOK_MS + CHILD_MS;
	return true;
}

void child_stop(struct child *child)
{
	int status;
	if (!child->pid)
		return;
	(void)kill(-child->pid, SIGKILL);
	(void)waitpid(child->pid, &status, 0);
	release(child);
}
