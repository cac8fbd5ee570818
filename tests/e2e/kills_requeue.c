/*
 * SIGKILL at each write, flush, rename, link, unlink, send and receive of `gpuq requeue`, from its
 * record in the journal on, in both orders: strace strikes before the call acts, so that the next
 * one stands for after. Whatever dies, the next program that changes something goes on with it: one
 * of the two jobs is there, the new one where the record was on disk. The short form strikes some
 * of the calls, the long one (GPUQ_SOAK_SECONDS) all.
 *
 * Then with answers that are lost, late or cut, struck at random or not at all: a few of each
 * order, or in the long form a hundred. GPUQ_SEED repeats.
 */
#include <setjmp.h>
#include <glob.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "tests/soak.h"
#include "tests/struck.h"

#define AT_ONCE 20 /* they wait more than they work */
#define FEW     10 /* of each order, in the short form */
#define FEWER   4  /* under faults */
#define TRIES \
	8 /* to go on with one, of which the second half is undisturbed, in the short form all */

/* One requeue that is struck. */
struct requeue_run {
	struct struck_run run;
	char old_name[32], new_name[32];
	bool stop_first;
	bool had_record, had_new, died;
};

struct tally {
	unsigned died, in_window, before, made, stayed;
};

/* The region, and where a requeue of each order can be struck: submit first, stop first. */
struct scene {
	struct struck_bench bench;
	struct strike strikes[2][STRUCK_MAX];
	size_t counts[2];
	struct tally tallies[2];
};

static void start(struct struck_bench *bench)
{
	static const char *const options[] = { "--scenario", "empty",     "--rate",
					       "0",          "--no-auth", NULL };
	struck_start(bench);
	region_stop(&bench->region); /* another one, that tests may talk to without keys */
	region_start(&bench->region, options);
	region_control(&bench->region, "capacity",
		       "{\"instance_type\":\"ml.p5.48xlarge\",\"free\":0}");
	region_control(&bench->region, "capacity",
		       "{\"instance_type\":\"ml.p4d.24xlarge\",\"free\":0}");
}

static void skip_or_go_on(void)
{
	if (struck_is_possible())
		return;
	printf("skipped: strace is not there, or may not trace\n");
	skip();
}

/* A job that waits, and who would requeue it. */
static void prepare(const struct struck_bench *bench, struct requeue_run *one, const char *name,
		    bool stop_first)
{
	char body[1024];
	one->stop_first = stop_first;
	(void)snprintf(one->old_name, sizeof(one->old_name), "old-%s", name);
	(void)snprintf(one->new_name, sizeof(one->new_name), "new-%s", name);
	(void)snprintf(
		body, sizeof(body),
		"{\"TrainingJobName\":\"%s\",\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
		"\"AlgorithmSpecification\":{\"TrainingImage\":\"x\",\"TrainingInputMode\":"
		"\"File\"},\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/o\"},"
		"\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceType\":"
		"\"ml.p5.48xlarge\",\"InstanceCount\":1},{\"InstanceType\":\"ml.p4d.24xlarge\","
		"\"InstanceCount\":1}],\"VolumeSizeInGB\":100},"
		"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}}",
		one->old_name);
	free(region_call(&bench->region, "CreateTrainingJob", body));
	struck_prepare(bench, &one->run, name);
	const char *words[] = { "requeue",
				one->old_name,
				"--prefs",
				"ml.p4d.24xlarge:1,ml.p5.48xlarge:1",
				"--name",
				one->new_name,
				"--order",
				stop_first ? "stop-first" : "submit-first",
				"--refresh",
				"1",
				"--yes",
				"--pace",
				"0",
				"--endpoint-url",
				bench->region.url };
	memcpy(one->run.words, words, sizeof(words));
}

static int begin(void **state)
{
	static struct scene scene;
	*state = &scene;
	start(&scene.bench);
	for (int order = 0; order < 2 && struck_is_possible(); order++) {
		struct requeue_run plan = { 0 };
		char name[24], mark[40];
		(void)snprintf(name, sizeof(name), "plan-%d", order);
		(void)snprintf(mark, sizeof(mark), "draft-old-plan-%d", order);
		scene.bench.count = 0;
		prepare(&scene.bench, &plan, name, order);
		struck_plan_run(&scene.bench, &plan.run, mark, false);
		memcpy(scene.strikes[order], scene.bench.strikes, sizeof(scene.bench.strikes));
		scene.counts[order] = scene.bench.count;
	}
	return 0;
}

static int end(void **state)
{
	struct scene *scene = *state;
	struck_stop(&scene->bench);
	return 0;
}

static bool is_alive(const struct region_state *state, const char *name)
{
	size_t job = region_state_job(state, name);
	return job != JSON_NONE && strcmp(region_text(state, job, "status"), "InProgress") == 0;
}

static bool has_record(const struct requeue_run *one)
{
	char pattern[256];
	glob_t found;
	(void)snprintf(pattern, sizeof(pattern), "%s/state/gpuq/*/requeue/journal/draft-%s.json",
		       one->run.home, one->old_name);
	bool has = glob(pattern, 0, NULL, &found) == 0;
	globfree(&found);
	return has;
}

static void look(const struct struck_bench *bench, struct requeue_run *one)
{
	struct region_state state;
	region_state(&bench->region, &state);
	one->died = one->run.status == 128 + 9;
	one->had_record = has_record(one);
	one->had_new = region_state_job(&state, one->new_name) != JSON_NONE;
	if (one->stop_first && one->had_new)
		assert_false(is_alive(&state, one->old_name));
	region_state_release(&state);
}

/* Another submission, or the same requeue again, goes on with what it finds. */
static void go_on(const struct struck_bench *bench, struct requeue_run *one, bool by_other)
{
	if (by_other) {
		struct struck_run other = { 0 };
		char home[sizeof(other.home)], name[32];
		memcpy(home, one->run.home, sizeof(home));
		(void)snprintf(name, sizeof(name), "next-%s", one->run.name + 5);
		struck_prepare(bench, &other, name);
		memcpy(other.home, home, sizeof(home));
		one->run.words[0] = NULL;
		memcpy(one->run.file, other.file, sizeof(one->run.file));
	}
	struck_begin_as(bench, &one->run, NULL);
}

static void want_one(const struct struck_bench *bench, struct requeue_run *one, bool by_other)
{
	struct region_state state;
	region_state(&bench->region, &state);
	bool old = is_alive(&state, one->old_name), new = is_alive(&state, one->new_name);
	bool must = one->had_record || one->had_new || !by_other;
	if (old == new || new != must) {
		char *output = struck_output(&one->run);
		fail_msg("%s, killed at %s %d: old %d, new %d, record %d:\n%s", one->run.name,
			 one->run.strike.call, one->run.strike.nth, old, new, one->had_record,
			 output);
	}
	assert_false(has_record(one));
	region_state_release(&state);
}

static void note(struct scene *scene, const struct requeue_run *one)
{
	struct tally *tally = &scene->tallies[one->stop_first];
	tally->died += one->died;
	tally->in_window += one->died && one->had_record;
	tally->before += one->died && !one->had_record && !one->had_new;
}

static void strike(struct scene *scene, struct requeue_run *runs, size_t count)
{
	const struct struck_bench *bench = &scene->bench;
	for (size_t i = 0; i < count; i++)
		struck_begin(bench, &runs[i].run);
	for (size_t i = 0; i < count; i++) {
		struck_end(&runs[i].run);
		look(bench, &runs[i]);
		note(scene, &runs[i]);
	}
	for (size_t i = 0; i < count; i++)
		go_on(bench, &runs[i], i / 2 % 2);
	for (size_t i = 0; i < count; i++) {
		struck_end(&runs[i].run);
		want_one(bench, &runs[i], i / 2 % 2);
		scene->tallies[runs[i].stop_first].made +=
			runs[i].had_record || runs[i].had_new || !(i / 2 % 2);
	}
}

/* Both orders beside each other: they wait more than they work. */
static void requeue__leaves_one_job__wherever_it_is_killed(void **state)
{
	static struct requeue_run runs[AT_ONCE];
	struct scene *scene = *state;
	size_t steps[2], at[2] = { 0, 0 }, count = 1;
	skip_or_go_on();
	for (int order = 0; order < 2; order++)
		steps[order] = soak_seconds(0) > 0 ? 1 : scene->counts[order] / FEW + 1;
	while (count > 0) {
		memset(runs, 0, sizeof(runs));
		count = 0;
		for (size_t i = 0; i < AT_ONCE; i++) {
			size_t order = i % 2;
			char name[32];
			if (at[order] >= scene->counts[order])
				continue;
			(void)snprintf(name, sizeof(name), "kill-%zu-%zu", order, at[order]);
			prepare(&scene->bench, &runs[count], name, order);
			runs[count++].run.strike = scene->strikes[order][at[order]];
			at[order] += steps[order];
		}
		strike(scene, runs, count);
	}
	for (int order = 0; order < 2; order++) {
		const struct tally *tally = &scene->tallies[order];
		printf("%s: %zu calls, %u kills: %u while the record was there, %u before; "
		       "%u new jobs\n",
		       order ? "stop-first" : "submit-first", scene->counts[order], tally->died,
		       tally->in_window, tally->before, tally->made);
		assert_true(tally->in_window >= 4);
	}
}

/* --- under faults --- */

/* One job of the two, wherever it is; which one: whether the old one gave way. */
static bool has_moved(const struct struck_bench *bench, const struct requeue_run *one)
{
	struct region_state state;
	region_state(&bench->region, &state);
	bool old = is_alive(&state, one->old_name), new = is_alive(&state, one->new_name);
	region_state_release(&state);
	if (old == new) {
		char *output = struck_output(&one->run);
		fail_msg("%s, killed at %s %d: old %d, new %d:\n%s", one->run.name,
			 one->run.strike.call, one->run.strike.nth, old, new, output);
	}
	return new;
}

/* Programs that settle, one after the other until nothing is left; where nothing was begun, the
 * same requeue again. */
static void insist(struct struck_bench *bench, struct requeue_run *runs, size_t count)
{
	bool open[AT_ONCE] = { false };
	unsigned left = 1;
	for (int try = 0; try < TRIES && left > 0; try++) {
		left = 0;
		if (try == TRIES / 2 || count < AT_ONCE)
			struck_calm(&bench->region);
		for (size_t i = 0; i < count; i++) {
			open[i] = has_record(&runs[i]) || (try == 0 && runs[i].run.status != 0);
			if (open[i])
				go_on(bench, &runs[i], try == 0 && i % 2);
			left += open[i];
		}
		for (size_t i = 0; i < count; i++)
			if (open[i])
				struck_end(&runs[i].run);
	}
	for (size_t i = 0; i < count; i++)
		assert_false(has_record(&runs[i]));
}

/* Submit first may give the new one up again where AWS is silent for two refreshes; stop first has
 * nothing to go back to. */
static void disturb(struct scene *scene, struct requeue_run *runs, size_t count)
{
	struct struck_bench *bench = &scene->bench;
	for (size_t i = 0; i < count; i++)
		struck_begin(bench, &runs[i].run);
	for (size_t i = 0; i < count; i++) {
		struck_end(&runs[i].run);
		look(bench, &runs[i]);
		note(scene, &runs[i]);
		if (!runs[i].had_record) /* it has ended, or never begun */
			(void)has_moved(bench, &runs[i]);
	}
	insist(bench, runs, count);
	struck_calm(&bench->region);
	for (size_t i = 0; i < count; i++) {
		struct tally *tally = &scene->tallies[runs[i].stop_first];
		bool moved = has_moved(bench, &runs[i]);
		if (runs[i].stop_first && (runs[i].had_record || runs[i].had_new))
			assert_true(moved);
		tally->made += moved;
		tally->stayed += !moved;
	}
}

static void requeue__leaves_one_job__killed_under_faults(void **state)
{
	static const char *const operations[] = { "CreateTrainingJob", "DescribeTrainingJob",
						  "StopTrainingJob" };
	static struct requeue_run runs[AT_ONCE];
	struct scene *scene = *state;
	size_t total = soak_seconds(0) > 0 ? 200 : FEWER; /* a hundred of each order */
	int seed = soak_seed(7);
	skip_or_go_on();
	srand((unsigned)seed);
	memset(scene->tallies, 0, sizeof(scene->tallies));
	for (size_t at = 0; at < total; at += AT_ONCE) {
		size_t count = total - at < AT_ONCE ? total - at : AT_ONCE;
		memset(runs, 0, sizeof(runs));
		for (size_t i = 0; i < count; i++) {
			size_t order = i % 2;
			char name[32];
			(void)snprintf(name, sizeof(name), "fault-%zu", at + i);
			prepare(&scene->bench, &runs[i], name, order);
			if (rand() % 4)
				runs[i].run.strike = scene->strikes[order][(size_t)rand() %
									   scene->counts[order]];
		}
		for (size_t i = 0; i < ARRAY_LEN(operations); i++)
			struck_disturb(&scene->bench.region, operations[i], seed + (int)(at + i));
		disturb(scene, runs, count);
	}
	for (int order = 0; order < 2; order++) {
		const struct tally *tally = &scene->tallies[order];
		printf("%s: %zu under faults with seed %d: %u killed, %u of them while the record "
		       "was there; %u new jobs, %u old ones stay, one of each two\n",
		       order ? "stop-first" : "submit-first", total / 2, seed, tally->died,
		       tally->in_window, tally->made, tally->stayed);
	}
}

/* Each on a region of its own and beside the other: both wait more than they work. */
int main(void)
{
	const struct CMUnitTest kills[] = {
		cmocka_unit_test(requeue__leaves_one_job__wherever_it_is_killed),
	};
	const struct CMUnitTest faults[] = {
		cmocka_unit_test(requeue__leaves_one_job__killed_under_faults),
	};
	int status = 0;
	pid_t beside = fork();
	if (beside < 0)
		return 1;
	if (beside == 0)
		return cmocka_run_group_tests(faults, begin, end);
	int failed = cmocka_run_group_tests(kills, begin, end);
	if (waitpid(beside, &status, 0) != beside || status != 0)
		failed++;
	return failed;
}
