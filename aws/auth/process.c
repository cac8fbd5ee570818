/*
 * credential_process: a program that prints credentials as JSON. It is run without a shell, in a
 * process group of its own, for a minute at most; what it prints is never shown, since it may hold
 * secrets. Source: facts/aws.md 4.7.
 */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aws/auth/document.h"
#include "aws/auth/provider.h"
#include "model/base/mem.h"
#include "model/base/shellwords.h"

#define RUN_MS     60000
#define LOOK_MS    250 /* between two looks whether it has ended */
#define REAP_MS    20  /* the same once its output has */
#define OUTPUT_MAX (64u << 10)

struct process {
	struct provider_job *job;
	struct waiter waiter;
	struct wait_hooks hooks;
	pid_t pid;  /* 0: it has ended */
	int status; /* then, as of waitpid */
	bool lost;  /* somebody else has waited for it */
	int fd;     /* its standard output; -1: at its end */
	struct buf output;
	int64_t until_ms;
};

static void kill_group(struct process *process)
{
	int status;
	if (process->pid == 0)
		return;
	kill(-process->pid, SIGKILL);
	kill(process->pid, SIGKILL);
	while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	process->pid = 0;
}

static void close_output(struct process *process)
{
	if (process->fd < 0)
		return;
	process->hooks.watch(process->hooks.host, process->fd, 0);
	close(process->fd);
	process->fd = -1;
}

static void stop(struct provider_job *job)
{
	struct process *process = job->state;
	if (!process)
		return;
	close_output(process);
	kill_group(process);
	waits_remove(&process->waiter);
	buf_wipe(&process->output);
	buf_release(&process->output);
	free(process);
	job->state = NULL;
}

static void finish(struct process *process, enum provider_step step)
{
	process->hooks.wake_in(process->hooks.host, -1);
	close_output(process);
	kill_group(process);
	process->job->done(process->job, step);
}

/* --- its answer --- */

static enum provider_step read_output(struct process *process)
{
	struct provider_job *job = process->job;
	struct aws_credentials *out = &job->credentials;
	const char *account = provider_value(job, "aws_account_id");
	if (!document_of_process(buf_text(&process->output), process->output.len, out, &job->err))
		return PROVIDER_FAILS;
	if (!out->account[0] && account && strlen(account) == ACCOUNT_ID_SIZE - 1)
		snprintf(out->account, sizeof(out->account), "%s", account);
	snprintf(job->origin, sizeof(job->origin), "credential_process of profile %.100s",
		 provider_profile(job));
	return PROVIDER_GIVES;
}

static bool has_ended(struct process *process)
{
	pid_t ended = waitpid(process->pid, &process->status, WNOHANG);
	if (ended == 0 || (ended < 0 && errno == EINTR))
		return false;
	process->pid = 0;
	process->lost = ended < 0;
	return true;
}

static enum provider_step judge(struct process *process)
{
	struct provider_job *job = process->job;
	int status = process->status;
	if (process->output.failed)
		return provider_fails(job, "it printed more than %u bytes", OUTPUT_MAX);
	if (process->lost)
		return provider_fails(job, "its end was lost");
	if (WIFSIGNALED(status))
		return provider_fails(job, "it was ended by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status) == 127 && process->output.len == 0)
		return provider_fails(job, "it cannot be run (status 127)");
	if (WEXITSTATUS(status) != 0)
		return provider_fails(job, "it ended with status %d", WEXITSTATUS(status));
	return read_output(process);
}

static void name_it(struct process *process, enum provider_step step)
{
	if (step == PROVIDER_FAILS) {
		err_subject(&process->job->err, "credential_process of profile %.100s",
			    provider_profile(process->job));
		process->job->err.hint = HINT_SET_CREDENTIALS;
	}
}

static void end_with(struct process *process, enum provider_step step)
{
	name_it(process, step);
	finish(process, step);
}

/* False: there is nothing more now. */
static bool take_output(struct process *process)
{
	char bytes[4096];
	ssize_t got = read(process->fd, bytes, sizeof(bytes));
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (got <= 0) {
		close_output(process);
		return false;
	}
	buf_add(&process->output, bytes, (size_t)got);
	explicit_bzero(bytes, sizeof(bytes));
	return !process->output.failed;
}

/* What it leaves behind in the background may hold its output open for ever: its own end counts. */
static void wake(void *ctx)
{
	struct process *process = ctx;
	if (has_ended(process)) {
		while (process->fd >= 0 && take_output(process))
			continue;
		end_with(process, judge(process));
	} else if (clock_mono_ms(process->job->world->clock) >= process->until_ms) {
		end_with(process, provider_fails(process->job, "it took longer than %d seconds",
						 RUN_MS / 1000));
	} else {
		process->hooks.wake_in(process->hooks.host, process->fd < 0 ? REAP_MS : LOOK_MS);
	}
}

static void ready(void *ctx, int fd, short events)
{
	struct process *process = ctx;
	(void)fd, (void)events;
	take_output(process);
	if (process->output.failed)
		end_with(process, judge(process));
	else if (process->fd < 0)
		process->hooks.wake_in(process->hooks.host, 0);
}

/* --- its start --- */

/* In the child: only async-signal-safe calls up to exec. What it says on standard error is not for
 * the screen. */
static void run_child(char *const *words, int out_fd)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	int null_fd = open("/dev/null", O_RDWR);
	if (null_fd < 0 || setpgid(0, 0) != 0 || dup2(null_fd, 0) < 0 || dup2(out_fd, 1) < 0 ||
	    dup2(null_fd, 2) < 0)
		_exit(126);
	execvp(words[0], words);
	_exit(127);
}

static bool spawn(struct process *process, char *const *words)
{
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) != 0)
		return false;
	pid_t pid = fork();
	if (pid == 0)
		run_child(words, fds[1]);
	close(fds[1]);
	if (pid < 0 || fcntl(fds[0], F_SETFL, O_NONBLOCK) != 0) {
		close(fds[0]);
		return false;
	}
	setpgid(pid, pid); /* either of the two is first */
	process->pid = pid;
	process->fd = fds[0];
	return true;
}

static enum provider_step start(struct provider_job *job)
{
	const char *command = provider_value(job, "credential_process");
	struct shellwords words;
	if (!command)
		return PROVIDER_SKIPS;
	if (!shellwords_split(&words, command, &job->err)) {
		err_subject(&job->err, "credential_process of profile %.100s",
			    provider_profile(job));
		job->err.code = ERR_AUTH;
		shellwords_release(&words);
		return PROVIDER_FAILS;
	}
	if (words.count == 0) {
		shellwords_release(&words);
		return PROVIDER_SKIPS;
	}
	struct process *process = mem_new(1, sizeof(*process));
	job->state = process;
	process->job = job;
	process->fd = -1;
	buf_init(&process->output, OUTPUT_MAX);
	process->waiter = (struct waiter){ .ready = ready, .wake = wake, .ctx = process };
	process->hooks = waits_add(job->world->waits, &process->waiter);
	process->until_ms = clock_mono_ms(job->world->clock) + RUN_MS;
	bool spawned = spawn(process, words.items);
	shellwords_release(&words);
	if (!spawned) {
		provider_fails(job, "cannot be started: %s", strerror(errno));
		name_it(process, PROVIDER_FAILS);
		stop(job);
		return PROVIDER_FAILS;
	}
	process->hooks.watch(process->hooks.host, process->fd, POLLIN);
	process->hooks.wake_in(process->hooks.host, LOOK_MS);
	return PROVIDER_WAITS;
}

const struct provider provider_process = { .name = "credential_process",
					   .start = start,
					   .stop = stop };
