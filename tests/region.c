#include "tests/region.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/clock.h"

#define READY_MS     20000 /* a sanitizer build starts slowly on a busy machine */
#define OPTIONS_MAX  24
#define REPLY_MAX    (64u << 20)
#define REPLY_WAIT_S 30

const char *region_program(const char *name)
{
	static char path[512];
	const char *build = getenv("GPUQ_BUILD");
	char *folder = realpath(build ? build : "build", NULL);
	assert_non_null(folder);
	assert_true(snprintf(path, sizeof(path), "%s/%s", folder, name) < (int)sizeof(path));
	free(folder);
	return path;
}

static void read_ready_line(struct region *region, int fd)
{
	char line[128] = "";
	size_t len = 0;
	while (len == 0 || line[len - 1] != '\n') {
		struct pollfd ready = { .fd = fd, .events = POLLIN };
		assert_true(len < sizeof(line) - 1);
		assert_int_equal(poll(&ready, 1, READY_MS), 1);
		ssize_t got = read(fd, line + len, 1);
		assert_int_equal(got, 1);
		len++;
	}
	line[len - 1] = '\0';
	const char *prefix = "gpuq-sim http://127.0.0.1:";
	assert_int_equal(strncmp(line, prefix, strlen(prefix)), 0);
	region->port = (int)strtol(line + strlen(prefix), NULL, 10);
	assert_in_range(region->port, 1, 65535);
	snprintf(region->url, sizeof(region->url), "http://127.0.0.1:%d", region->port);
}

void region_start(struct region *region, const char *const *options)
{
	char *argv[OPTIONS_MAX + 2] = { (char *)"gpuq-sim" };
	int argc = 1;
	int out[2];
	for (; options && *options && argc <= OPTIONS_MAX; options++)
		argv[argc++] = (char *)*options;
	const char *program = region_program("gpuq-sim");
	assert_int_equal(pipe(out), 0);
	region->pid = fork();
	assert_true(region->pid >= 0);
	if (region->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		execv(program, argv);
		_exit(127);
	}
	close(out[1]);
	read_ready_line(region, out[0]);
	close(out[0]);
}

void region_stop(struct region *region)
{
	if (region->pid <= 0)
		return;
	int status = 0;
	kill(region->pid, SIGTERM);
	assert_int_equal(waitpid(region->pid, &status, 0), region->pid);
	region->pid = 0;
	/* 0 on SIGTERM: a sanitizer's report would be another status. */
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int connect_to(const struct region *region)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons((uint16_t)region->port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct timeval wait = { .tv_sec = REPLY_WAIT_S };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)), 0);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		fail_msg("port %d: %s", region->port, strerror(errno));
	return fd;
}

static char *exchange(const struct region *region, const char *request, size_t len, int *status)
{
	struct buf reply;
	char chunk[65536];
	ssize_t got = 0;
	int fd = connect_to(region);
	buf_init(&reply, REPLY_MAX);
	for (size_t done = 0; done < len; done += (size_t)got) {
		got = send(fd, request + done, len - done, MSG_NOSIGNAL);
		assert_true(got > 0);
	}
	while ((got = recv(fd, chunk, sizeof(chunk), 0)) > 0)
		assert_true(buf_add(&reply, chunk, (size_t)got));
	close(fd);
	const char *body = strstr(buf_text(&reply), "\r\n\r\n");
	assert_non_null(body);
	long code = strtol(buf_text(&reply) + strlen("HTTP/1.1 "), NULL, 10);
	if (status)
		*status = (int)code;
	char *copy = strdup(body + 4);
	assert_non_null(copy);
	buf_release(&reply);
	return copy;
}

char *region_get(const struct region *region, const char *path, int *status)
{
	struct buf request;
	buf_init(&request, 4096);
	buf_addf(&request, "GET %s HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n", path);
	char *body = exchange(region, buf_text(&request), request.len, status);
	buf_release(&request);
	return body;
}

/* headers: whole lines. */
static char *post(const struct region *region, const char *path, const char *headers,
		  const char *body, int *status)
{
	struct buf request;
	buf_init(&request, 2u << 20);
	buf_addf(&request, "POST %s HTTP/1.0\r\nHost: 127.0.0.1\r\n%sContent-Length: %zu\r\n\r\n%s",
		 path, headers, strlen(body), body);
	char *reply = exchange(region, buf_text(&request), request.len, status);
	buf_release(&request);
	return reply;
}

char *region_post(const struct region *region, const char *path, const char *body, int *status)
{
	return post(region, path, "", body, status);
}

char *region_call(const struct region *region, const char *operation, const char *body)
{
	char headers[160];
	int status = 0;
	snprintf(headers, sizeof(headers),
		 "Content-Type: application/x-amz-json-1.1\r\nX-Amz-Target: SageMaker.%.64s\r\n",
		 operation);
	char *reply = post(region, "/", headers, body, &status);
	if (status != 200)
		fail_msg("%s %s: %d %s", operation, body, status, reply);
	return reply;
}

void region_control(const struct region *region, const char *name, const char *format, ...)
{
	struct buf body;
	char path[64];
	int status = 0;
	va_list args;
	buf_init(&body, 65536);
	va_start(args, format);
	assert_true(buf_vaddf(&body, format, args));
	va_end(args);
	snprintf(path, sizeof(path), "/_sim/%s", name);
	char *reply = region_post(region, path, buf_text(&body), &status);
	if (status != 200)
		fail_msg("POST %s %s: %d %s", path, buf_text(&body), status, reply);
	free(reply);
	buf_release(&body);
}

void region_state(const struct region *region, struct region_state *state)
{
	struct err err = { 0 };
	int status = 0;
	state->text = region_get(region, "/_sim/state", &status);
	assert_int_equal(status, 200);
	if (!json_doc_parse(&state->doc, state->text, strlen(state->text), &err))
		fail_msg("/_sim/state: %s", err_text(&err));
}

void region_state_release(struct region_state *state)
{
	json_doc_release(&state->doc);
	free(state->text);
	*state = (struct region_state){ 0 };
}

static size_t find_job(const struct region_state *state, const char *name, size_t len)
{
	size_t jobs = json_doc_member(&state->doc, 0, "jobs");
	assert_true(jobs != JSON_NONE);
	for (size_t job = json_doc_child(&state->doc, jobs); job != JSON_NONE;
	     job = json_doc_next(&state->doc, job))
		if (strncmp(region_text(state, job, "name"), name, len) == 0)
			return job;
	return JSON_NONE;
}

size_t region_state_job(const struct region_state *state, const char *name)
{
	return find_job(state, name, strlen(name) + 1);
}

size_t region_state_prefix(const struct region_state *state, const char *prefix)
{
	return find_job(state, prefix, strlen(prefix));
}

const char *region_text(const struct region_state *state, size_t node, const char *member)
{
	static char text[1024];
	struct buf value;
	buf_init(&value, sizeof(text) - 1);
	size_t at = json_doc_member(&state->doc, node, member);
	text[0] = '\0';
	if (at != JSON_NONE && json_doc_string(&state->doc, at, &value))
		snprintf(text, sizeof(text), "%s", buf_text(&value));
	buf_release(&value);
	return text;
}

bool region_time(const struct region_state *state, size_t node, const char *member, int64_t *ms)
{
	return time_parse_iso(region_text(state, node, member), ms);
}

long region_number(const struct region_state *state, const char *path, long fallback)
{
	int64_t value = 0;
	size_t at = json_doc_path(&state->doc, path);
	if (at == JSON_NONE || !json_doc_integer(&state->doc, at, &value))
		return fallback;
	return (long)value;
}

/* The state of thousands of jobs is longer than a document may be: only its calls are read. */
long region_calls(const struct region *region, const char *prefix)
{
	char *text = region_get(region, "/_sim/state", NULL);
	const char *at = strstr(text, "\"calls\":{");
	long sum = 0;

	assert_non_null(at);
	at += strlen("\"calls\":{");
	while (*at == '"' || *at == ',') {
		const char *name = at + (*at == ',') + 1, *end = strchr(name, '}');

		assert_non_null(end);
		for (at = strchr(name, '{'); at && at < end; at++) {
			if (*at == ':' && strncmp(name, prefix, strlen(prefix)) == 0)
				sum += strtol(at + 1, NULL, 10);
		}
		at = end + 1;
	}
	free(text);
	return sum;
}
