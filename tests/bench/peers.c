/*
 * The dashboard beside htop and tig, on the same terminal in the same run: first frame, keys, what
 * a step of the list costs, what rest costs; and its memory beside a bare program of the same
 * libraries with the same jobs (tests/bench/bare/). A peer that is absent is said to be skipped.
 */
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
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"

#define ROUNDS    7
#define PRESSES   100
#define PAUSE_MS  20
#define SETTLE_MS 45000 /* all 60 jobs of the region at rest are described by then */
#define REST_MS   60000
#define SOON_MS   20000
#define CROWD     200 /* processes, so that htop's list is longer than the way down it */
#define JOBS      "500"

enum who { GPUQ, HTOP, TIG, PEERS };

struct figures {
	bool there;
	double first_ms, key_ms, step_bytes, rest_bytes; /* the last by the second */
	long peak_kib;
};

struct bench {
	struct region region;
	char url[96], repository[64];
	pid_t crowd;
};

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1000 + (double)now.tv_nsec / 1e6;
}

/* A shell's script with one argument; whether it ended well. */
static bool shell(const char *script, const char *argument)
{
	struct process_result result;
	char path[1024];

	snprintf(path, sizeof(path), "PATH=%s", getenv("PATH"));
	process_run(&result, (const char *const[]){ "/bin/sh", "-c", script, "sh", argument, NULL },
		    (const char *const[]){ path, NULL }, NULL);
	bool well = result.status == 0;
	process_release(&result);
	return well;
}

/* A history for tig, by git's own import. */
static const char repository[] =
	"set -e; git init -q -b main \"$1\"; i=0; while [ $i -lt 500 ]; do "
	"printf 'commit refs/heads/main\\ncommitter A <a@example.com> %d +0000\\ndata <<E\\n"
	"commit %d of the benchmark\\nE\\n\\n' $((1700000000 + i * 60)) $i; i=$((i + 1)); done | "
	"git -C \"$1\" fast-import --quiet";

static const char *const tasks[] = { "postgres: checkpointer",           "nginx: worker process",
				     "python3 train.py --epochs 20",     "sshd: ops@pts/3",
				     "/usr/bin/containerd-shim-runc-v2", "node server.js",
				     "java -Xmx8g -jar broker.jar" };

/* Processes of one group that do nothing, named as those of a busy machine; the first one's id. */
static pid_t gather_crowd(void)
{
	pid_t leader = 0;

	for (size_t i = 0; i < CROWD; i++) {
		pid_t pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
			(void)close(STDOUT_FILENO);
			(void)close(STDERR_FILENO);
			(void)execlp("sleep", tasks[i % ARRAY_LEN(tasks)], "1000", (char *)NULL);
			_exit(127);
		}
		leader = leader ? leader : pid;
		(void)setpgid(pid, leader);
	}
	return leader;
}

static void send_crowd_home(pid_t leader)
{
	(void)kill(-leader, SIGKILL);
	while (waitpid(-leader, NULL, 0) > 0)
		;
}

static struct pty *start(const struct bench *bench, enum who who)
{
	const char *gpuq[] = { region_program("gpuq"), NULL };
	const char *htop[] = { "htop", NULL };
	const char *tig[] = { "tig", "-C", bench->repository, NULL };
	const char *const *const argv[PEERS] = { gpuq, htop, tig };
	const char *env[] = { bench->url, "AWS_ACCESS_KEY_ID=AKIDSIM",
			      "AWS_SECRET_ACCESS_KEY=simsecret", "AWS_REGION=us-east-1", NULL };

	return pty_start(&(struct pty_options){
		.argv = argv[who], .env = env, .columns = 160, .lines = 48 });
}

/* What stands on each one's first whole frame. */
static const char *const standing[PEERS] = { "? help", "F10", "commit 1 of" };
static const char *const quitting[PEERS] = { "Q", "q", "Q" };
static const char *const names[PEERS] = { "gpuq", "htop", "tig" };

static void end(struct pty *pty, enum who who)
{
	int status;

	pty_type(pty, quitting[who]);
	(void)pty_wait_exit(pty, SOON_MS, &status);
	pty_stop(pty);
}

static double first_frame(const struct bench *bench, enum who who)
{
	double best = SOON_MS;

	for (int i = 0; i < ROUNDS; i++) {
		double began = now_ms();
		struct pty *pty = start(bench, who);
		bool there = pty_wait_text(pty, standing[who], SOON_MS);
		double took = now_ms() - began;
		end(pty, who);
		assert_true(there);
		best = took < best ? took : best;
	}
	return best;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Down a list that is longer than the screen: the median until the first byte, bytes a step. */
static void walk(struct pty *pty, struct figures *figures)
{
	double times[PRESSES];
	uint64_t before = pty_bytes(pty);

	for (int i = 0; i < PRESSES; i++) {
		uint64_t bytes = pty_bytes(pty);
		double began = now_ms();
		/* An arrow, which each of them knows; application mode, as terminfo sets it. */
		pty_type(pty, "\x1bOB");
		(void)pty_wait_bytes(pty, bytes, SOON_MS);
		times[i] = now_ms() - began;
		pty_run(pty, PAUSE_MS);
	}
	figures->step_bytes = (double)(pty_bytes(pty) - before) / PRESSES;
	qsort(times, PRESSES, sizeof(times[0]), compare);
	figures->key_ms = times[PRESSES / 2];
}

static void measure(const struct bench *bench, enum who who, struct figures *figures)
{
	figures->there = who == GPUQ || shell("command -v \"$1\"", names[who]);
	if (!figures->there)
		return;
	figures->first_ms = first_frame(bench, who);
	struct pty *pty = start(bench, who);
	assert_true(pty_wait_text(pty, who == GPUQ ? "live" : standing[who], SOON_MS));
	pty_run(pty, who == GPUQ ? SETTLE_MS : 3000);
	walk(pty, figures);
	pty_run(pty, 3000);
	uint64_t before = pty_bytes(pty);
	pty_run(pty, REST_MS);
	figures->rest_bytes = (double)(pty_bytes(pty) - before) * 1000 / REST_MS;
	figures->peak_kib = process_status_kib(pty_pid(pty), "VmHWM");
	end(pty, who);
}

static double ratio(double ours, double theirs)
{
	return theirs > 0 ? ours / theirs : 0;
}

static void print(const struct figures all[PEERS])
{
	printf("bench: %-6s %14s %14s %14s %14s\n", "", "first frame", "a key", "a step", "rest");
	for (int who = 0; who < PEERS; who++)
		if (all[who].there)
			printf("bench: %-6s %11.1f ms %11.2f ms %12.0f B %10.1f B/s\n", names[who],
			       all[who].first_ms, all[who].key_ms, all[who].step_bytes,
			       all[who].rest_bytes);
		else
			printf("bench: %-6s skipped: it is not installed\n", names[who]);
}

static long bare_peak_kib(const struct bench *bench)
{
	const char *argv[] = { region_program("tests/bare"), "screen", bench->region.url, NULL };
	struct pty *pty =
		pty_start(&(struct pty_options){ .argv = argv, .columns = 160, .lines = 48 });
	bool shown = pty_wait_text(pty, JOBS " jobs", SOON_MS);
	long peak_kib = process_status_kib(pty_pid(pty), "VmHWM");

	pty_stop(pty);
	assert_true(shown);
	return peak_kib;
}

static void bench_peers(void **unused)
{
	struct bench bench = { .repository = "/tmp/gpuq-bench-XXXXXX" };
	struct figures all[PEERS] = { { 0 } };
	const struct figures *ours = &all[GPUQ], *htop = &all[HTOP], *tig = &all[TIG];

	long bare_kib;

	(void)unused;
	assert_non_null(mkdtemp(bench.repository));
	all[TIG].there = shell(repository, bench.repository);
	bench.crowd = gather_crowd();
	region_start(&bench.region, (const char *const[]){ "--scenario", "still", "--jobs", JOBS,
							   "--no-auth", "--rate", "0", NULL });
	snprintf(bench.url, sizeof(bench.url), "AWS_ENDPOINT_URL=%s", bench.region.url);
	for (enum who who = 0; who < PEERS; who++)
		measure(&bench, who, &all[who]);
	bare_kib = bare_peak_kib(&bench);
	region_stop(&bench.region);
	send_crowd_home(bench.crowd);
	assert_true(shell("rm -rf \"$1\"", bench.repository));
	print(all);
	printf("bench: peak memory %.1f MiB, a bare program of the same libraries %.1f: %.2f times "
	       "(bound 1.5)\n",
	       (double)ours->peak_kib / 1024, (double)bare_kib / 1024,
	       (double)ours->peak_kib / (double)bare_kib);
	assert_true(ours->rest_bytes < 100);
	assert_true(2 * ours->peak_kib <= 3 * bare_kib);
	if (htop->there) {
		printf("bench: of htop's: first frame %.2f (bound 2), a step %.2f (bound 1.2), "
		       "rest "
		       "%.3f (bound 0.2)\n",
		       ratio(ours->first_ms, htop->first_ms),
		       ratio(ours->step_bytes, htop->step_bytes),
		       ratio(ours->rest_bytes, htop->rest_bytes));
		assert_true(ours->first_ms <= 2 * htop->first_ms);
		assert_true(ours->step_bytes <= 1.2 * htop->step_bytes);
		assert_true(ours->rest_bytes <= htop->rest_bytes / 5);
	}
	if (tig->there) {
		printf("bench: of tig's: first frame %.2f (bound 1), a key %.2f (bound 1.5)\n",
		       ratio(ours->first_ms, tig->first_ms), ratio(ours->key_ms, tig->key_ms));
		assert_true(ours->first_ms <= tig->first_ms);
		assert_true(ours->key_ms <= 1.5 * tig->key_ms);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bench_peers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
