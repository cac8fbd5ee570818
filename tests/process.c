#include "tests/process.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/buf.h"
#include "tests/statehome.h"

#define OUTPUT_MAX (64u << 20)
#define SILENCE_MS 60000
#define ENV_MAX    64

static void run_child(const char *const *argv, const char *const *env, int in, int out, int err)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	execve(argv[0], (char *const *)argv, (char *const *)env);
	_exit(127);
}

/* What lies in the home of whoever runs the tests is no part of them. */
static void run_homeless(const char *const *argv, const char *const *env, int in, int out, int err)
{
	const char *whole[ENV_MAX + 2] = { "HOME=/nonexistent", statehome_variable() };
	size_t count = 2;
	for (; *env; env++) {
		assert_true(count < ENV_MAX);
		if (strncmp(*env, "HOME=", strlen("HOME=")) == 0)
			whole[0] = *env;
		else if (strncmp(*env, "XDG_STATE_HOME=", strlen("XDG_STATE_HOME=")) == 0)
			whole[1] = *env;
		else
			whole[count++] = *env;
	}
	run_child(argv, whole, in, out, err);
}

/* Input goes through a file, so that neither side waits for the other. */
static int open_input(const char *input)
{
	if (!input)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	char path[] = "/tmp/gpuq-test-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, input, strlen(input)), (int)strlen(input));
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* Reads both pipes to their ends. */
static void collect(int out, int err, struct buf *out_text, struct buf *err_text)
{
	struct pollfd fds[] = { { .fd = out, .events = POLLIN }, { .fd = err, .events = POLLIN } };
	struct buf *texts[] = { out_text, err_text };
	char chunk[65536];
	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		assert_true(poll(fds, 2, SILENCE_MS) > 0);
		for (size_t i = 0; i < 2; i++) {
			if (fds[i].fd < 0 || !fds[i].revents)
				continue;
			ssize_t got = read(fds[i].fd, chunk, sizeof(chunk));
			if (got > 0)
				assert_true(buf_add(texts[i], chunk, (size_t)got));
			else
				fds[i].fd = -1;
		}
	}
}

void process_run(struct process_result *result, const char *const *argv, const char *const *env,
		 const char *input)
{
	int out[2], err[2], status = 0;
	struct buf out_text, err_text;
	int in = open_input(input);
	assert_true(in >= 0);
	assert_int_equal(pipe(out), 0);
	assert_int_equal(pipe(err), 0);
	(void)statehome_variable(); /* made here, and removed here */
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(out[0]);
		close(err[0]);
		run_homeless(argv, env, in, out[1], err[1]);
	}
	close(in);
	close(out[1]);
	close(err[1]);
	buf_init(&out_text, OUTPUT_MAX);
	buf_init(&err_text, OUTPUT_MAX);
	collect(out[0], err[0], &out_text, &err_text);
	close(out[0]);
	close(err[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	result->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	result->out = buf_take(&out_text);
	result->err = buf_take(&err_text);
}

void process_release(struct process_result *result)
{
	free(result->out);
	free(result->err);
	*result = (struct process_result){ 0 };
}

long process_status_kib(pid_t pid, const char *name)
{
	char path[64], line[256];
	long value = -1;
	size_t len = strlen(name);
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, name, len) == 0 && line[len] == ':')
			value = strtol(line + len + 1, NULL, 10);
	}
	if (file)
		fclose(file);
	return value;
}
