/*
 * SIGKILL at each write, flush, rename, link, unlink, send and receive of `gpuq requeue`, from its
 * record in the journal on, in both orders: strace strikes before the call acts, so that the next
 * one stands for after. Whatever dies, the next program that changes something goes on with it: one
 * of the two jobs is there, the new one where the record was on disk. The short form strikes some
 * of the calls, the long one (GPUQ_SOAK_SECONDS) all.
 */
#include <setjmp.h>
#include <glob.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/soak.h"
#include "tests/struck.h"

#define AT_ONCE 20 /* they wait more than they work */
#define FEW     12 /* of each order, in the short form */

/* One requeue that is struck. */
struct requeue_run {
	struct struck_run run;
	char old_name[32], new_name[32];
	bool had_record, had_new, died;
};

struct tally {
	unsigned died, in_window, before, made;
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

/* A job that waits, and who would requeue it. */
static void prepare(const struct struck_bench *bench, struct requeue_run *one, const char *name,
		    const char *order)
{
	char body[1024];
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
				order,
				"--refresh",
				"1",
				"--yes",
				"--pace",
				"0",
				"--endpoint-url",
				bench->region.url };
	memcpy(one->run.words, words, sizeof(words));
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

static void look(const struct struck_bench *bench, struct requeue_run *one, bool stop_first)
{
	struct region_state state;
	region_state(&bench->region, &state);
	one->died = one->run.status == 128 + 9;
	one->had_record = has_record(one);
	one->had_new = region_state_job(&state, one->new_name) != JSON_NONE;
	if (stop_first && one->had_new)
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

static void strike(const struct struck_bench *bench, struct requeue_run *runs, size_t count,
		   bool stop_first, struct tally *tally)
{
	for (size_t i = 0; i < count; i++)
		struck_begin(bench, &runs[i].run);
	for (size_t i = 0; i < count; i++) {
		struck_end(&runs[i].run);
		look(bench, &runs[i], stop_first);
		tally->died += runs[i].died;
		tally->in_window += runs[i].died && runs[i].had_record;
		tally->before += runs[i].died && !runs[i].had_record && !runs[i].had_new;
	}
	for (size_t i = 0; i < count; i++)
		go_on(bench, &runs[i], i % 2);
	for (size_t i = 0; i < count; i++) {
		struck_end(&runs[i].run);
		want_one(bench, &runs[i], i % 2);
		tally->made += runs[i].had_record || runs[i].had_new || !(i % 2);
	}
}

static void strike_order(const char *order)
{
	static struct struck_bench bench;
	static struct requeue_run runs[AT_ONCE];
	bool is_long = soak_seconds(0) > 0;
	struct requeue_run plan = { 0 };
	struct tally tally = { 0 };
	if (!struck_is_possible()) {
		printf("skipped: strace is not there, or may not trace\n");
		skip();
	}
	start(&bench);
	prepare(&bench, &plan, "kill-plan", order);
	struck_plan_run(&bench, &plan.run, "draft-old-kill-plan", false);
	size_t step = is_long ? 1 : bench.count / FEW + 1;
	for (size_t at = 0; at < bench.count;) {
		size_t count = 0;
		memset(runs, 0, sizeof(runs));
		for (; count < AT_ONCE && at < bench.count; count++, at += step) {
			char name[32];
			(void)snprintf(name, sizeof(name), "kill-%zu", at);
			prepare(&bench, &runs[count], name, order);
			runs[count].run.strike = bench.strikes[at];
		}
		strike(&bench, runs, count, strcmp(order, "stop-first") == 0, &tally);
	}
	printf("%s: %zu calls, %u kills: %u while the record was there, %u before; %u new jobs\n",
	       order, bench.count, tally.died, tally.in_window, tally.before, tally.made);
	assert_true(tally.in_window >= 5);
	struck_stop(&bench);
}

static void stop_first__leaves_one_job__wherever_it_is_killed(void **state)
{
	(void)state;
	strike_order("stop-first");
}

static void submit_first__leaves_one_job__wherever_it_is_killed(void **state)
{
	(void)state;
	strike_order("submit-first");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stop_first__leaves_one_job__wherever_it_is_killed),
		cmocka_unit_test(submit_first__leaves_one_job__wherever_it_is_killed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
