#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/struck.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/io.h"
#include "tests/process.h"
#include "tests/statehome.h"

#define LOG_MAX   (8u << 20)
#define ATTACH_MS 30000
#define SECRET    "hunter2-secret-of-the-job"

/* --- running many at once --- */

const char *struck_strace(void)
{
	static const char *const paths[] = { "/usr/bin/strace", "/bin/strace",
					     "/usr/local/bin/strace" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		if (access(paths[i], X_OK) == 0)
			return paths[i];
	return NULL;
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

char *struck_read(const char *path)
{
	struct err err = { 0 };
	struct buf text;

	buf_init(&text, LOG_MAX);
	if (!io_read_file(path, &text, &err))
		buf_clear(&text);
	err_clear(&err);
	return buf_take(&text);
}

void struck_prepare(const struct struck_bench *bench, struct struck_run *run, const char *name)
{
	char text[1024];

	snprintf(run->name, sizeof(run->name), "%s", name);
	snprintf(run->home, sizeof(run->home), "%s/%s", bench->folder, name);
	snprintf(run->file, sizeof(run->file), "%s/job.json", run->home);
	assert_int_equal(mkdir(run->home, 0700), 0);
	snprintf(text, sizeof(text),
		 "{\"TrainingJobName\":\"%s\",\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
		 "\"AlgorithmSpecification\":{\"TrainingImage\":\"x\",\"TrainingInputMode\":"
		 "\"File\"},\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/%s\"},"
		 "\"Environment\":{\"API_TOKEN\":\"" SECRET "\"},"
		 "\"ResourceConfig\":{\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":1,"
		 "\"VolumeSizeInGB\":100},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}}",
		 name, name);
	write_text(run->file, text);
}

/* gpuq submit FILE --yes, under strace where there is something before it. */
void struck_begin_as(const struct struck_bench *bench, struct struck_run *run,
		     const char *const *before)
{
	const char *argv[40];
	char home[128], state[128], endpoint[96], output[128];
	size_t count = 0;

	while (before && *before)
		argv[count++] = *before++;
	argv[count++] = region_program("gpuq");
	for (size_t i = 0; run->words[i]; i++)
		argv[count++] = run->words[i];
	if (!run->words[0]) {
		argv[count++] = "submit";
		argv[count++] = run->file;
		argv[count++] = "--pace"; /* so many at once are no users, and share none */
		argv[count++] = "0";
		argv[count++] = "--endpoint-url"; /* which that goes with */
		argv[count++] = bench->region.url;
		argv[count++] = "--yes";
	}
	argv[count] = NULL;
	snprintf(home, sizeof(home), "HOME=%s", run->home);
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s/state", run->home);
	snprintf(endpoint, sizeof(endpoint), "AWS_ENDPOINT_URL=%s", bench->region.url);
	snprintf(output, sizeof(output), "%s/output", run->home);

	const char *env[] = { home,
			      state,
			      endpoint,
			      "AWS_ACCESS_KEY_ID=AKIDSIM",
			      "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1",
			      "PATH=/usr/bin:/bin",
			      NULL };

	run->pid = fork();
	assert_true(run->pid >= 0);
	if (run->pid > 0)
		return;
	int in = open("/dev/null", O_RDONLY);
	int out = open(output, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		_exit(126);
	execve(argv[0], (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)env);
	_exit(127);
}

void struck_end(struct struck_run *run)
{
	assert_int_equal(waitpid(run->pid, &run->status, 0), run->pid);
	run->status =
		WIFEXITED(run->status) ? WEXITSTATUS(run->status) : 128 + WTERMSIG(run->status);
}

void struck_begin(const struct struck_bench *bench, struct struck_run *run)
{
	char trace[40], inject[80];
	const char *before[] = { struck_strace(), "-f", "-qq",  "-o", "/dev/null", "-e",
				 trace,           "-e", inject, NULL };

	snprintf(trace, sizeof(trace), "trace=%s", run->strike.call);
	snprintf(inject, sizeof(inject), "inject=%s:signal=KILL:when=%d", run->strike.call,
		 run->strike.nth);
	struck_begin_as(bench, run, run->strike.nth ? before : NULL);
}

/* --- where it can be struck --- */

/* "4711  linkat(9, ..." The second half of a call that was interrupted counts for nothing. */
static bool read_line(const char *line, long *pid, char call[16])
{
	char *rest;
	size_t len;

	*pid = strtol(line, &rest, 10);
	rest += strspn(rest, " ");
	len = strcspn(rest, "(\n");
	if (*pid <= 0 || rest[len] != '(' || len == 0 || len >= 16 || !strchr("wfrlus", rest[0]))
		return false;
	memcpy(call, rest, len);
	call[len] = '\0';
	return true;
}

struct counter {
	long pid;
	struct strike strike;
};

static int count_call(struct counter *counters, size_t *used, long pid, const char *call)
{
	size_t i = 0;

	while (i < *used && (counters[i].pid != pid || strcmp(counters[i].strike.call, call) != 0))
		i++;
	if (i == *used) {
		assert_true(*used < 64);
		counters[(*used)++].pid = pid;
		snprintf(counters[i].strike.call, sizeof(counters[i].strike.call), "%s", call);
	}
	return ++counters[i].strike.nth;
}

static void add_strike(struct struck_bench *bench, const char *call, int nth)
{
	for (size_t i = 0; i < bench->count; i++)
		if (bench->strikes[i].nth == nth && strcmp(bench->strikes[i].call, call) == 0)
			return;
	assert_true(bench->count < STRUCK_MAX);
	bench->strikes[bench->count].nth = nth;
	snprintf(bench->strikes[bench->count++].call, sizeof(bench->strikes->call), "%s", call);
}

/* Of an undisturbed run: the calls from the first that names the record, or all of them. */
void struck_plan(struct struck_bench *bench, bool all)
{
	struct struck_run run = { 0 };

	struck_prepare(bench, &run, "kill-plan");
	struck_plan_run(bench, &run, "training-kill-plan.json", all);
}

void struck_plan_run(struct struck_bench *bench, struct struck_run *run, const char *mark, bool all)
{
	struct counter counters[64] = { 0 };
	size_t used = 0;
	char path[160];
	bool inside = all;
	const char *before[] = { struck_strace(), "-f", "-qq", "-s", "200", "-e",
				 STRUCK_TRACE,    "-o", path,  NULL };

	snprintf(path, sizeof(path), "%s/trace", run->home);
	struck_begin_as(bench, run, before);
	struck_end(run);
	assert_int_equal(run->status, 0);
	char *log = struck_read(path);

	for (char *line = log; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
		char call[16];
		long pid;
		const char *named = strstr(line, mark);

		inside = inside || (named && named < line + strcspn(line, "\n"));
		if (!read_line(line, &pid, call))
			continue;
		int nth = count_call(counters, &used, pid, call);
		/* What is read between two of the others changes nothing. */
		if (inside && (all || strcmp(call, "read") != 0))
			add_strike(bench, call, nth);
	}
	free(log);
}

/* --- under faults --- */

void struck_disturb(const struct region *region, const char *operation, int seed)
{
	static const char *const faults[] = {
		"\"drop\":true,\"after\":true,\"percent\":40",
		"\"drop\":true,\"percent\":30",
		"\"status\":500,\"code\":\"InternalFailure\",\"after\":true,\"percent\":30",
		"\"code\":\"ThrottlingException\",\"percent\":30",
		"\"delay_ms\":1500,\"percent\":40",
		"\"cut\":40,\"percent\":30",
	};

	for (size_t i = 0; i < 2; i++)
		region_control(region, "fault", "{\"operation\":\"%s\",\"seed\":%d,%s}", operation,
			       seed + (int)i, faults[((size_t)seed + i * 3) % ARRAY_LEN(faults)]);
}

void struck_calm(const struct region *region)
{
	static const char *const operations[] = { "CreateTrainingJob", "DescribeTrainingJob",
						  "StopTrainingJob" };

	for (size_t i = 0; i < ARRAY_LEN(operations); i++)
		region_control(region, "fault", "{\"operation\":\"%s\",\"count\":0}",
			       operations[i]);
}

/* --- what is left --- */

static char *read_record(const struct struck_run *run)
{
	char command[256], path[256];
	struct process_result found;
	const char *argv[] = {
		"/usr/bin/find", command, "-name", path, "-path", "*/journal/*", NULL
	};
	const char *env[] = { "LC_ALL=C", NULL };

	snprintf(command, sizeof(command), "%s", run->home);
	snprintf(path, sizeof(path), "training-%s.json", run->name);
	process_run(&found, argv, env, NULL);
	found.out[strcspn(found.out, "\n")] = '\0';
	char *text = struck_read(found.out[0] ? found.out : "/dev/null");
	process_release(&found);
	return text;
}

/* The request is on disk only where it has to be: in the user's own file. */
void struck_want_no_secret(const struct struck_run *run)
{
	char state[160];
	struct process_result found;
	const char *argv[] = { "/usr/bin/grep", "-rl", SECRET, state, NULL };
	const char *env[] = { "LC_ALL=C", NULL };

	snprintf(state, sizeof(state), "%s/state", run->home);
	process_run(&found, argv, env, NULL);
	if (found.out[0])
		fail_msg("the request of %s is still in %s", run->name, found.out);
	process_release(&found);
}

void struck_look(struct struck_run *run)
{
	char *text = read_record(run);

	run->died = run->status == 128 + SIGKILL;
	run->had_intent = strstr(text, "\"state\": \"intended\"") != NULL;
	run->was_settled = strstr(text, "\"state\": \"submitted\"") != NULL;
	free(text);
}

static unsigned jobs_of(const struct region_state *state, const struct struck_run *run)
{
	size_t jobs = json_doc_member(&state->doc, 0, "jobs");
	unsigned count = 0;

	for (size_t at = json_doc_child(&state->doc, jobs); at != JSON_NONE;
	     at = json_doc_next(&state->doc, at)) {
		char name[64];

		snprintf(name, sizeof(name), "%s", region_text(state, at, "name"));
		if (strcmp(name, run->name) == 0 ||
		    strstr(region_text(state, at, "request.OutputDataConfig.S3OutputPath"),
			   run->name))
			count++;
	}
	return count;
}

void struck_want_jobs(const struct struck_bench *bench, const struct struck_run *run,
		      unsigned least, unsigned most)
{
	struct region_state state;

	region_state(&bench->region, &state);
	unsigned count = jobs_of(&state, run);

	region_state_release(&state);
	if (count < least || count > most) {
		fail_msg("%s, struck at %s %d: %u jobs; it had said: %s", run->name,
			 run->strike.call, run->strike.nth, count, struck_output(run));
	}
}

/* strace may be missing, or not be allowed to trace. */
bool struck_is_possible(void)
{
	const char *path = struck_strace();
	struct process_result result = { 0 };
	const char *argv[] = { path, "-o", "/dev/null", "/bin/true", NULL };
	const char *env[] = { NULL };
	bool can;

#ifdef __SANITIZE_ADDRESS__ /* its search for leaks does not work under a tracer */
	return false;
#endif
	if (!path)
		return false;
	process_run(&result, argv, env, NULL);
	can = result.status == 0;
	process_release(&result);
	return can;
}

static pid_t run_tracer(pid_t pid, const struct strike *strike, int out)
{
	char number[16], trace[40], inject[80];
	const char *argv[] = { struck_strace(), "-f", "-p",   number, "-o", "/dev/null", "-e",
			       trace,           "-e", inject, NULL };

	snprintf(number, sizeof(number), "%d", (int)pid);
	snprintf(trace, sizeof(trace), "trace=%s", strike->call);
	snprintf(inject, sizeof(inject), "inject=%s:signal=KILL:when=%d", strike->call,
		 strike->nth);
	pid_t tracer = fork();

	assert_true(tracer >= 0);
	if (tracer > 0)
		return tracer;
	if (dup2(out, 2) < 0)
		_exit(126);
	execv(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

bool struck_attach(pid_t pid, const struct strike *strike, pid_t *tracer, char *said, size_t size)
{
	int out[2];
	size_t len = 0;

	said[0] = '\0';
	assert_int_equal(pipe(out), 0);
	*tracer = run_tracer(pid, strike, out[1]);
	close(out[1]);
	while (!strstr(said, "attached") && len < size - 1) {
		struct pollfd wait = { .fd = out[0], .events = POLLIN };
		ssize_t got = poll(&wait, 1, ATTACH_MS) == 1
				      ? read(out[0], said + len, size - 1 - len)
				      : 0;

		if (got <= 0)
			break;
		len += (size_t)got;
		said[len] = '\0';
	}
	close(out[0]);
	if (strstr(said, "attached"))
		return true;
	(void)kill(*tracer, SIGKILL);
	assert_int_equal(waitpid(*tracer, NULL, 0), *tracer);
	said[strcspn(said, "\n")] = '\0';
	return false;
}

bool struck_may_attach(char *why, size_t size)
{
	const struct strike never = { "write", 1 };
	pid_t tracer;

	snprintf(why, size, "strace is missing, or may not trace here");
	if (!struck_is_possible())
		return false;
	pid_t idle = fork();

	assert_true(idle >= 0);
	if (idle == 0) {
		pause();
		_exit(0);
	}
	bool may = struck_attach(idle, &never, &tracer, why, size);

	(void)kill(idle, SIGKILL);
	assert_int_equal(waitpid(idle, NULL, 0), idle);
	if (may)
		assert_int_equal(waitpid(tracer, NULL, 0), tracer);
	return may;
}

void struck_start(struct struck_bench *bench)
{
	const char *options[] = { "--scenario", "still", "--rate", "0", NULL };

	memset(bench, 0, sizeof(*bench));
	snprintf(bench->folder, sizeof(bench->folder), "/tmp/gpuq-test-kills.XXXXXX");
	assert_non_null(mkdtemp(bench->folder));
	region_start(&bench->region, options);
}

void struck_stop(struct struck_bench *bench)
{
	region_stop(&bench->region);
	statehome_remove(bench->folder);
}

char *struck_output(const struct struck_run *run)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/output", run->home);
	return struck_read(path);
}
