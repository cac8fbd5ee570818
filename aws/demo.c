#define _GNU_SOURCE /* pipe2 */
#include "aws/demo.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIM_NAME     "gpuq-sim"
#define READY_PREFIX "gpuq-sim http://127.0.0.1:"
#define FOLDER_DEPTH 8
#define STOP_TRIES   50 /* of 20 ms: a second */

/* Beside this program, else in ../libexec/gpuq. */
static bool find_sim(char *path, size_t size)
{
	char self[512];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (len <= 0)
		return false;
	self[len] = '\0';
	char *slash = strrchr(self, '/');
	if (!slash)
		return false;
	*slash = '\0';
	for (int beside = 1; beside >= 0; beside--) {
		int written = snprintf(path, size, "%s/%s" SIM_NAME, self,
				       beside ? "" : "../libexec/gpuq/");
		if (written > 0 && (size_t)written < size && access(path, X_OK) == 0)
			return true;
	}
	return false;
}

/* In the child: only async-signal-safe calls up to exec. */
static void run_child(const char *path, int out_fd, pid_t parent)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	int null_fd = open("/dev/null", O_RDWR);
	if (getppid() != parent || null_fd < 0 || setpgid(0, 0) != 0 || dup2(null_fd, 0) < 0 ||
	    dup2(out_fd, 1) < 0 || dup2(null_fd, 2) < 0)
		_exit(126);
	execl(path, SIM_NAME, "--port", "0", "--scenario", "busy", (char *)NULL);
	_exit(127);
}

static void make_state_home(struct demo *demo)
{
	snprintf(demo->state_home, sizeof(demo->state_home), "/tmp/gpuq-demo.XXXXXX");
	if (!mkdtemp(demo->state_home))
		demo->state_home[0] = '\0';
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)status, (void)type, (void)at;
	return remove(path);
}

bool demo_start(struct demo *demo, struct err *err)
{
	*demo = (struct demo){ 0 };
	char path[640];
	int pipe_fds[2];
	if (!find_sim(path, sizeof(path))) {
		err_set(err, ERR_CONFIG, "is not beside this program; build it with make");
		return err_subject(err, SIM_NAME);
	}
	if (pipe2(pipe_fds, O_CLOEXEC) != 0) {
		err_set(err, ERR_IO, "%s", strerror(errno));
		return err_subject(err, SIM_NAME);
	}
	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid == 0)
		run_child(path, pipe_fds[1], parent);
	close(pipe_fds[1]);
	if (pid < 0) {
		close(pipe_fds[0]);
		err_set(err, ERR_IO, "%s", strerror(errno));
		return err_subject(err, SIM_NAME);
	}
	make_state_home(demo);
	demo->pid = pid;
	demo->fd = pipe_fds[0];
	if (fcntl(demo->fd, F_SETFL, O_NONBLOCK) != 0) {
		demo_stop(demo);
		err_set(err, ERR_IO, "its output cannot be read without blocking");
		return err_subject(err, SIM_NAME);
	}
	return true;
}

bool demo_read(struct demo *demo, struct err *err)
{
	ssize_t got = read(demo->fd, demo->line + demo->len, sizeof(demo->line) - 1 - demo->len);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (got <= 0) {
		err_set(err, ERR_IO, "has ended; the simulated region is gone");
		return err_subject(err, SIM_NAME);
	}
	demo->len += (size_t)got;
	demo->line[demo->len] = '\0';
	char *end = strchr(demo->line, '\n');
	if (!end && demo->len < sizeof(demo->line) - 1)
		return true;
	if (!end || strncmp(demo->line, READY_PREFIX, strlen(READY_PREFIX)) != 0) {
		err_set(err, ERR_PARSE, "did not say where it listens");
		return err_subject(err, SIM_NAME);
	}
	*end = '\0';
	snprintf(demo->url, sizeof(demo->url), "%.95s", demo->line + strlen(SIM_NAME " "));
	demo->len = 0;
	return true;
}

void demo_stop(struct demo *demo)
{
	if (demo->pid == 0)
		return;
	kill(demo->pid, SIGTERM);
	bool gone = false;
	for (int i = 0; i < STOP_TRIES && !gone; i++) {
		const struct timespec pause = { .tv_nsec = 20000000 };
		gone = waitpid(demo->pid, NULL, WNOHANG) != 0;
		if (!gone)
			nanosleep(&pause, NULL);
	}
	if (!gone) {
		kill(demo->pid, SIGKILL);
		waitpid(demo->pid, NULL, 0);
	}
	close(demo->fd);
	if (demo->state_home[0])
		nftw(demo->state_home, remove_one, FOLDER_DEPTH, FTW_DEPTH | FTW_PHYS);
	*demo = (struct demo){ 0 };
}
