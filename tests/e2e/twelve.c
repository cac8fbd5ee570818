/*
 * Twelve dashboards on one region that allows two calls a second of each list, as an account does:
 * together they ask less than two a second of all lists, nothing is throttled, each shows the
 * truth, and the death of some holds up no other. Ten seconds; GPUQ_SOAK_SECONDS makes it a minute.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/clock.h"
#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"

#define GPUQS       12
#define KILLED      3
#define SHORT_MS    INT64_C(10000)
#define LONG_MS     INT64_C(60000)
#define WINDOW_MS   INT64_C(10000)
#define SOON_MS     INT64_C(120000) /* generous: a sanitizer build on a busy machine */
#define TURN_MS     20
#define SAMPLES_MAX 2000
#define STEM        "llm-pretrain-1b"
#define NEW_NAME    "llm-pretrain-1b-of-the-thirteenth" /* begins with it */

struct calls {
	long lists; /* that were let through */
	long throttled;
};

struct sample {
	int64_t before_ms, after_ms; /* of the look at the region */
	long lists;
};

struct twelve {
	struct clock clock;
	struct region region;
	char folder[64], url[96], runtime[96];
	struct pty *ptys[GPUQS];
	int64_t start_ms;
	struct sample samples[SAMPLES_MAX];
	size_t sample_count;
};

static int64_t now_ms(const struct twelve *twelve)
{
	return clock_mono_ms(&twelve->clock);
}

static bool is_list(const char *op)
{
	return strncmp(op, "List", 4) == 0 || strncmp(op, "Search", 6) == 0;
}

/* As the region counts them. */
static struct calls read_calls(const struct region *region)
{
	struct region_state state;
	struct calls calls = { 0 };

	region_state(region, &state);

	size_t all = json_doc_member(&state.doc, 0, "calls");

	for (size_t at = json_doc_child(&state.doc, all); at != JSON_NONE;
	     at = json_doc_next(&state.doc, at)) {
		struct buf op;
		int64_t ok = 0, throttled = 0;

		buf_init(&op, 128);
		assert_true(json_doc_key(&state.doc, at, &op));
		assert_true(
			json_doc_integer(&state.doc, json_doc_member(&state.doc, at, "ok"), &ok));
		assert_true(json_doc_integer(&state.doc,
					     json_doc_member(&state.doc, at, "throttled"),
					     &throttled));
		calls.throttled += (long)throttled;
		if (throttled > 0)
			fprintf(stderr, "twelve: %s was throttled\n", buf_text(&op));
		calls.lists += is_list(buf_text(&op)) ? (long)ok : 0;
		buf_release(&op);
	}
	region_state_release(&state);
	return calls;
}

/* Nothing was throttled so far, and in no ten seconds were there twenty lists. */
static void look(struct twelve *twelve)
{
	struct sample *sample = &twelve->samples[twelve->sample_count++];

	assert_true(twelve->sample_count <= SAMPLES_MAX);
	sample->before_ms = now_ms(twelve);

	struct calls calls = read_calls(&twelve->region);

	sample->after_ms = now_ms(twelve);
	sample->lists = calls.lists;
	assert_int_equal(calls.throttled, 0);
	for (const struct sample *old = twelve->samples; old < sample; old++) {
		int64_t took_ms = sample->after_ms - old->before_ms;

		if (took_ms >= WINDOW_MS && (sample->lists - old->lists) * 1000 >= 2 * took_ms)
			fail_msg("%ld lists in %lld ms", sample->lists - old->lists,
				 (long long)took_ms);
	}
}

/* A while in all terminals that are left, and a look at the region. */
static void pass(struct twelve *twelve)
{
	for (int i = 0; i < GPUQS; i++) {
		if (twelve->ptys[i])
			pty_run(twelve->ptys[i], TURN_MS);
	}
	look(twelve);
}

static bool all_show(const struct twelve *twelve, const char *text)
{
	for (int i = 0; i < GPUQS; i++) {
		if (twelve->ptys[i] && !strstr(pty_text(twelve->ptys[i]), text))
			return false;
	}
	return true;
}

/* Returns how long it took. */
static int64_t want_all(struct twelve *twelve, const char *text)
{
	int64_t since_ms = now_ms(twelve);

	while (!all_show(twelve, text)) {
		pass(twelve);
		if (now_ms(twelve) - since_ms < SOON_MS)
			continue;
		for (int i = 0; i < GPUQS; i++) {
			if (twelve->ptys[i])
				fprintf(stderr, "%d:\n%s\n", i, pty_text(twelve->ptys[i]));
		}
		fail_msg("'%s' is not on all screens", text);
	}
	return now_ms(twelve) - since_ms;
}

static void start_all(struct twelve *twelve)
{
	static const char *const still[] = { "--scenario", "still", "--seed", "7", NULL };

	*twelve = (struct twelve){ .clock = clock_system() };
	snprintf(twelve->folder, sizeof(twelve->folder), "/tmp/gpuq-twelve-XXXXXX");
	assert_non_null(mkdtemp(twelve->folder));
	region_start(&twelve->region, still);
	snprintf(twelve->url, sizeof(twelve->url), "AWS_ENDPOINT_URL=%s", twelve->region.url);
	snprintf(twelve->runtime, sizeof(twelve->runtime), "XDG_RUNTIME_DIR=%s", twelve->folder);
	look(twelve);
	twelve->start_ms = now_ms(twelve);
	for (int i = 0; i < GPUQS; i++) {
		const char *argv[] = { region_program("gpuq"), "--refresh", "1", NULL };
		const char *env[] = { twelve->url,
				      twelve->runtime,
				      "AWS_SECRET_ACCESS_KEY=simsecret",
				      "AWS_ACCESS_KEY_ID=AKIDSIM",
				      "AWS_REGION=us-east-1",
				      NULL };

		twelve->ptys[i] = pty_start(&(struct pty_options){
			.argv = argv, .env = env, .columns = 70, .lines = 10 });
	}
}

static void stop_all(struct twelve *twelve)
{
	pid_t pid;

	for (int i = 0; i < GPUQS; i++) {
		if (twelve->ptys[i])
			pty_stop(twelve->ptys[i]);
	}
	region_stop(&twelve->region);
	pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", twelve->folder, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* The whole name of a job that the region has. */
static void name_of(const struct region *region, const char *stem, char *name, size_t size)
{
	struct region_state state;

	region_state(region, &state);

	size_t job = region_state_prefix(&state, stem);

	assert_true(job != JSON_NONE);
	snprintf(name, size, "%s", region_text(&state, job, "name"));
	region_state_release(&state);
}

static void kill_some(struct twelve *twelve)
{
	for (int i = 0; i < KILLED; i++) {
		struct pty **pty = &twelve->ptys[i * (GPUQS / KILLED)];

		pty_signal(*pty, SIGKILL);
		pty_stop(*pty);
		*pty = NULL;
	}
}

/* One more process makes a job that all the others have to find. */
static void submit(struct twelve *twelve)
{
	static const char request[] =
		"{\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
		"\"AlgorithmSpecification\":{\"TrainingImage\":\"x\",\"TrainingInputMode\":"
		"\"File\"},\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/o\"},"
		"\"ResourceConfig\":{\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":1,"
		"\"VolumeSizeInGB\":100},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}}";
	const char *argv[] = {
		region_program("gpuq"), "submit", "-", "--yes", "--name", NEW_NAME, NULL
	};
	const char *env[] = { twelve->url,
			      twelve->runtime,
			      "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_ACCESS_KEY_ID=AKIDSIM",
			      "AWS_REGION=us-east-1",
			      "LANG=C.UTF-8",
			      NULL };
	struct process_result result;

	process_run(&result, argv, env, request);
	if (result.status != 0)
		fail_msg("submit: %d %s", result.status, result.err);
	process_release(&result);
}

static void pass_until(struct twelve *twelve, int64_t ms)
{
	while (now_ms(twelve) - twelve->start_ms < ms)
		pass(twelve);
}

static void tell(const struct twelve *twelve, int64_t found_ms)
{
	int64_t took_ms = now_ms(twelve) - twelve->start_ms;
	long lists = read_calls(&twelve->region).lists;

	printf("twelve: %ld lists in %lld s, %lld.%02lld a second; a new job is on the nine that "
	       "are left after %lld s\n",
	       lists, (long long)took_ms / 1000, (long long)(lists * 1000 / took_ms),
	       (long long)(lists * 100000 / took_ms % 100), (long long)found_ms / 1000);
	assert_true(lists * 1000 < 2 * took_ms);
	/* They do use what they may: 1.6 a second but for what the dead had taken. */
	assert_true(lists * 1000 > took_ms / 2);
}

static void twelve_dashboards__keep_one_pace__and_outlive_each_other(void **state)
{
	static struct twelve twelve;
	const char *soak = getenv("GPUQ_SOAK_SECONDS");
	int64_t least_ms = soak ? LONG_MS : SHORT_MS;
	char name[128];

	(void)state;
	start_all(&twelve);
	name_of(&twelve.region, STEM, name, sizeof(name));
	want_all(&twelve, "? help");
	for (int i = 0; i < GPUQS; i++)
		pty_type(twelve.ptys[i], "f" STEM "\r");
	if (soak)
		printf("twelve: all show the queue after another %lld s\n",
		       (long long)want_all(&twelve, name) / 1000);
	pass_until(&twelve, least_ms / 2);
	kill_some(&twelve);
	submit(&twelve);

	int64_t found_ms = want_all(&twelve, NEW_NAME);

	want_all(&twelve, name);
	pass_until(&twelve, least_ms);
	tell(&twelve, found_ms);
	stop_all(&twelve);
}

/* A command and a dashboard say that the group's folder is not to be had, and do their work. */
static void folder_of_a_group__that_is_not_there__is_said(void **state)
{
	static const char *const still[] = { "--scenario", "still", "--seed", "7", NULL };
	static const char wanted[] =
		"/pace: cannot be opened: No such file or directory; lists are";
	char folder[] = "/tmp/gpuq-twelve-XXXXXX", config[96], url[96];
	struct region region;
	struct process_result result;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(config, sizeof(config), "%s/config", folder);

	FILE *file = fopen(config, "w");

	assert_non_null(file);
	fprintf(file, "pace_dir = %s/pace\n", folder);
	fclose(file);
	region_start(&region, still);
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region.url);

	const char *argv[5] = { region_program("gpuq"), "--config", config };
	const char *env[] = { url,
			      "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_ACCESS_KEY_ID=AKIDSIM",
			      "AWS_REGION=us-east-1",
			      "LANG=C.UTF-8",
			      NULL };
	struct pty *pty = pty_start(
		&(struct pty_options){ .argv = argv, .env = env, .columns = 160, .lines = 12 });

	assert_true(pty_wait_text(pty, wanted, SOON_MS));
	assert_true(pty_wait_text(pty, "live", SOON_MS));
	pty_stop(pty);
	argv[3] = "plans";
	process_run(&result, argv, env, NULL);
	assert_int_equal(result.status, 0);
	assert_non_null(strstr(result.out, "p5-plan"));
	assert_non_null(strstr(result.err, wanted));
	process_release(&result);
	region_stop(&region);
	assert_int_equal(unlink(config), 0);
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twelve_dashboards__keep_one_pace__and_outlive_each_other),
		cmocka_unit_test(folder_of_a_group__that_is_not_there__is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
