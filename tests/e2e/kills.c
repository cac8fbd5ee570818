/*
 * SIGKILL at each write, flush, rename, link, unlink, send and receive between the yes and the
 * settled record of `gpuq submit`: strace strikes before the call acts, so that the next one stands
 * for after. Whatever dies, the next run finds out: one job comes of it where the intent was on
 * disk, none where it was not, and its secrets are gone from the disk once it is settled.
 *
 * Then runs under answers that are lost, late or cut, with and without a kill: eight, or in the
 * long form (GPUQ_SOAK_SECONDS) a hundred, and every call of the whole run is struck. GPUQ_SEED
 * repeats.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <fcntl.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/io.h"
#include "tests/process.h"
#include "tests/region.h"
#include "tests/soak.h"
#include "tests/statehome.h"

#define STRIKES_MAX 400
#define AT_ONCE     20 /* they wait more than they work */
#define FEW         8
#define TRIES       6 /* of a run that got no answer, under faults */
#define LOG_MAX     (8u << 20)
#define SECRET      "hunter2-secret-of-the-job"
#define CALLS       "write,fsync,fdatasync,renameat,linkat,unlinkat,sendto,recvfrom,read"

/* The nth call of a name in one thread, counted as strace counts. */
struct strike {
	char call[16];
	int nth;
};

/* One submission that is struck, and what was found of it. */
struct run {
	struct strike strike;
	char name[32], home[96], file[128];
	pid_t pid;
	int status;
	bool by_other; /* is settled by the run of another file */
	bool died, had_intent, was_settled;
};

struct bench {
	struct region region;
	char folder[64];
	struct strike strikes[STRIKES_MAX];
	size_t count;
	unsigned died, in_window, unsent, made;
};

/* --- running many at once --- */

static const char *where_strace_is(void)
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

static char *read_text(const char *path)
{
	struct err err = { 0 };
	struct buf text;

	buf_init(&text, LOG_MAX);
	if (!io_read_file(path, &text, &err))
		buf_clear(&text);
	err_clear(&err);
	return buf_take(&text);
}

static void prepare(const struct bench *bench, struct run *run, const char *name)
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
static void begin(const struct bench *bench, struct run *run, const char *const *before)
{
	const char *argv[24];
	char home[128], state[128], endpoint[96], output[128];
	size_t count = 0;

	while (before && *before)
		argv[count++] = *before++;
	argv[count++] = region_program("gpuq");
	argv[count++] = "submit";
	argv[count++] = run->file;
	argv[count++] = "--yes";
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

static void end(struct run *run)
{
	assert_int_equal(waitpid(run->pid, &run->status, 0), run->pid);
	run->status =
		WIFEXITED(run->status) ? WEXITSTATUS(run->status) : 128 + WTERMSIG(run->status);
}

static void begin_struck(const struct bench *bench, struct run *run)
{
	char trace[40], inject[80];
	const char *before[] = {
		where_strace_is(), "-f", "-qq", "-o", "/dev/null", "-e", trace, "-e", inject, NULL
	};

	snprintf(trace, sizeof(trace), "trace=%s", run->strike.call);
	snprintf(inject, sizeof(inject), "inject=%s:signal=KILL:when=%d", run->strike.call,
		 run->strike.nth);
	begin(bench, run, run->strike.nth ? before : NULL);
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

static void add_strike(struct bench *bench, const char *call, int nth)
{
	for (size_t i = 0; i < bench->count; i++)
		if (bench->strikes[i].nth == nth && strcmp(bench->strikes[i].call, call) == 0)
			return;
	assert_true(bench->count < STRIKES_MAX);
	bench->strikes[bench->count].nth = nth;
	snprintf(bench->strikes[bench->count++].call, sizeof(bench->strikes->call), "%s", call);
}

/* Of an undisturbed run: the calls from the first that names the record, or all of them. */
static void plan(struct bench *bench, bool all)
{
	struct counter counters[64] = { 0 };
	struct run run = { 0 };
	size_t used = 0;
	char path[160];
	bool inside = all;
	const char *before[] = { where_strace_is(),     "-f", "-qq", "-s", "200", "-e",
				 "trace=openat," CALLS, "-o", path,  NULL };

	prepare(bench, &run, "kill-plan");
	snprintf(path, sizeof(path), "%s/trace", run.home);
	begin(bench, &run, before);
	end(&run);
	assert_int_equal(run.status, 0);
	char *log = read_text(path);

	for (char *line = log; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
		char call[16];
		long pid;
		const char *named = strstr(line, "training-kill-plan.json");

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

/* What stands in the log before what, at the first time of each. */
static void want_order(const char *log, const char *const *marks)
{
	const char *at = log;

	for (; *marks; marks++) {
		const char *found = strstr(at, *marks);

		if (!found)
			fail_msg("no '%s' after what comes before it", *marks);
		at = found + strlen(*marks);
	}
}

/* --- what is left --- */

static char *read_record(const struct run *run)
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
	char *text = read_text(found.out[0] ? found.out : "/dev/null");
	process_release(&found);
	return text;
}

/* The request is on disk only where it has to be: in the user's own file. */
static void want_no_secret(const struct run *run)
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

static void look(struct run *run)
{
	char *text = read_record(run);

	run->died = run->status == 128 + SIGKILL;
	run->had_intent = strstr(text, "\"state\": \"intended\"") != NULL;
	run->was_settled = strstr(text, "\"state\": \"submitted\"") != NULL;
	free(text);
}

static unsigned jobs_of(const struct region_state *state, const struct run *run)
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

static void want_jobs(const struct bench *bench, const struct run *run, unsigned least,
		      unsigned most)
{
	struct region_state state;

	region_state(&bench->region, &state);
	unsigned count = jobs_of(&state, run);

	region_state_release(&state);
	if (count < least || count > most) {
		char path[160];

		snprintf(path, sizeof(path), "%s/output", run->home);
		fail_msg("%s, struck at %s %d: %u jobs; it had said: %s", run->name,
			 run->strike.call, run->strike.nth, count, read_text(path));
	}
}

/* --- the tests --- */

static int start_bench(void **state)
{
	static struct bench bench;
	const char *options[] = { "--scenario", "still", "--rate", "0", NULL };

	memset(&bench, 0, sizeof(bench));
	snprintf(bench.folder, sizeof(bench.folder), "/tmp/gpuq-test-kills.XXXXXX");
	assert_non_null(mkdtemp(bench.folder));
	region_start(&bench.region, options);
	*state = &bench;
	return 0;
}

static int stop_bench(void **state)
{
	struct bench *bench = *state;

	region_stop(&bench->region);
	statehome_remove(bench->folder);
	return 0;
}

/* strace may be missing, or not be allowed to trace. */
static bool can_strike(void)
{
	const char *path = where_strace_is();
	struct process_result result = { 0 };
	const char *argv[] = { path, "-o", "/dev/null", "/bin/true", NULL };
	const char *env[] = { NULL };
	bool can;

	if (!path)
		return false;
	process_run(&result, argv, env, NULL);
	can = result.status == 0;
	process_release(&result);
	return can;
}

static void skip_or_go_on(void)
{
	if (can_strike())
		return;
	printf("skipped: strace is missing, or may not trace here\n");
	skip();
}

/* The order of things on which all of it rests: a kill alone does not show that a flush is missing.
 */
static void intent__is_flushed__before_the_request_is_sent(void **state)
{
	static const char *const marks[] = {
		"\\\"state\\\": \\\"intended\\\"", /* write */
		"fsync(",
		"linkat(",
		"fsync(",
		"X-Amz-Target: SageMaker.CreateTrainingJob", /* sendto */
		"\\\"state\\\": \\\"submitted\\\"",
		"fsync(",
		"renameat(",
		"fsync(",
		NULL
	};
	const struct bench *bench = *state;
	struct run run = { 0 };
	char path[160];
	const char *before[] = { where_strace_is(), "-f", "-qq", "-s", "2000", "-e",
				 "trace=" CALLS,    "-o", path,  NULL };

	skip_or_go_on();
	prepare(bench, &run, "order");
	snprintf(path, sizeof(path), "%s/trace", run.home);
	begin(bench, &run, before);
	end(&run);
	assert_int_equal(run.status, 0);
	char *log = read_text(path);

	want_order(log, marks);
	free(log);
}

/* The next run is that of the same file, or of another one that finds the record in the journal. */
static void settle(const struct bench *bench, struct run *runs, size_t count)
{
	struct run *others = calloc(count, sizeof(*others));

	assert_non_null(others);
	for (size_t i = 0; i < count; i++) {
		struct run *other = &others[i];

		*other = runs[i];
		if (runs[i].by_other) {
			char name[48];

			snprintf(name, sizeof(name), "next-%s", runs[i].name + 5);
			prepare(bench, other, name);
			memcpy(other->home, runs[i].home, sizeof(other->home));
		}
		begin(bench, other, NULL);
	}
	for (size_t i = 0; i < count; i++) {
		end(&others[i]);
		if (runs[i].by_other)
			assert_int_equal(others[i].status, 0);
	}
	free(others);
}

static void strike_all(struct bench *bench, struct run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		begin_struck(bench, &runs[i]);
	for (size_t i = 0; i < count; i++) {
		end(&runs[i]);
		look(&runs[i]);
		want_jobs(bench, &runs[i], 0, 1);
		bench->died += runs[i].died;
		bench->in_window += runs[i].died && runs[i].had_intent;
		bench->unsent += runs[i].died && !runs[i].had_intent && !runs[i].was_settled;
	}
	settle(bench, runs, count);
	for (size_t i = 0; i < count; i++) {
		bool must = runs[i].had_intent || runs[i].was_settled || !runs[i].by_other;

		want_jobs(bench, &runs[i], must, must);
		bench->made += must;
		want_no_secret(&runs[i]);
	}
}

static void submit__makes_one_job__wherever_it_is_killed(void **state)
{
	struct bench *bench = *state;
	struct run runs[AT_ONCE];
	bool is_long = soak_seconds(0) > 0;
	size_t count;

	skip_or_go_on();
	plan(bench, is_long);
	/* In the short form every other one in each way. */
	for (size_t at = 0; at < bench->count * (is_long ? 2 : 1); at += count) {
		count = 0;
		memset(runs, 0, sizeof(runs));
		for (; count < AT_ONCE && at + count < bench->count * (is_long ? 2 : 1); count++) {
			struct run *run = &runs[count];
			size_t i = at + count;
			char name[32];

			snprintf(name, sizeof(name), "kill-%zu", i);
			run->strike = bench->strikes[i % bench->count];
			run->by_other = is_long ? i >= bench->count : i % 2;
			prepare(bench, run, name);
		}
		strike_all(bench, runs, count);
	}
	printf("%zu calls, %u kills: %u while the intent was open, %u before it was written; "
	       "%u submissions made one job each\n",
	       bench->count, bench->died, bench->in_window, bench->unsent, bench->made);
	assert_true(bench->in_window >= 8);
	assert_true(bench->unsent > 0);
}

/* --- under faults --- */

static void disturb(const struct region *region, const char *operation, int seed)
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

static void calm(const struct region *region)
{
	static const char *const operations[] = { "CreateTrainingJob", "DescribeTrainingJob" };

	for (size_t i = 0; i < ARRAY_LEN(operations); i++)
		region_control(region, "fault", "{\"operation\":\"%s\",\"count\":0}",
			       operations[i]);
}

/* Again until it is known; the last tries are undisturbed, in the short form all of these. */
static void insist(struct bench *bench, struct run *runs, size_t count, size_t total)
{
	for (int try = 0; try < TRIES; try++) {
		bool open = false;

		if (try == TRIES / 2 || total < AT_ONCE)
			calm(&bench->region);
		for (size_t i = 0; i < count; i++)
			if (runs[i].status != 0)
				begin(bench, &runs[i], NULL);
		for (size_t i = 0; i < count; i++) {
			if (runs[i].status == 0)
				continue;
			end(&runs[i]);
			/* Told by the run that was killed after it was settled. */
			if (runs[i].was_settled && runs[i].status == 1)
				runs[i].status = 0;
			look(&runs[i]);
			open = open || runs[i].status != 0;
			want_jobs(bench, &runs[i], 0, 1);
		}
		if (!open)
			return;
	}
}

static void submit__makes_one_job__killed_under_faults(void **state)
{
	struct bench *bench = *state;
	struct run runs[AT_ONCE];
	int seed = soak_seed(11);
	size_t total = soak_seconds(0) > 0 ? 100 : FEW;
	unsigned died = 0, open = 0;

	skip_or_go_on();
	srand((unsigned)seed);
	for (size_t at = 0; at < total; at += AT_ONCE) {
		size_t count = total - at < AT_ONCE ? total - at : AT_ONCE;

		memset(runs, 0, sizeof(runs));
		disturb(&bench->region, "CreateTrainingJob", seed + (int)at);
		disturb(&bench->region, "DescribeTrainingJob", seed + (int)at + 1);
		for (size_t i = 0; i < count; i++) {
			char name[32];

			snprintf(name, sizeof(name), "fault-%zu", at + i);
			if (rand() % 4)
				runs[i].strike = bench->strikes[(size_t)rand() % bench->count];
			prepare(bench, &runs[i], name);
			begin_struck(bench, &runs[i]);
		}
		for (size_t i = 0; i < count; i++) {
			end(&runs[i]);
			look(&runs[i]);
			died += runs[i].died;
			open += runs[i].had_intent;
			want_jobs(bench, &runs[i], 0, 1);
		}
		insist(bench, runs, count, total);
		calm(&bench->region);
		for (size_t i = 0; i < count; i++) {
			want_jobs(bench, &runs[i], 1, 1);
			want_no_secret(&runs[i]);
		}
	}
	printf("%zu submissions under faults with seed %d: %u killed, %u open after the first run; "
	       "one job each\n",
	       total, seed, died, open);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intent__is_flushed__before_the_request_is_sent),
		cmocka_unit_test(submit__makes_one_job__wherever_it_is_killed),
		cmocka_unit_test(submit__makes_one_job__killed_under_faults),
	};

	return cmocka_run_group_tests(tests, start_bench, stop_bench);
}
