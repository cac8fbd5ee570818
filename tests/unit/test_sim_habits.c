/* The habits that break tools: nulls, forms of times, unknown words, what is told late; warm pools,
 * trials, groups and serverless jobs of a busy account. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "aws/sim/emit.h"
#include "aws/sim/recipes.h"
#include "model/base/attr.h"
#include "model/base/mem.h"
#include "tests/simworld.h"

#define WARM_TYPE "ml.g5.4xlarge"

static void describe(struct simregion *sim, const char *name)
{
	char body[128];
	int len = snprintf(body, sizeof(body), "{\"TrainingJobName\":\"%s\"}", name);
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	if (simregion_call(sim, "DescribeTrainingJob", body) != 200)
		fail_msg("%s: %s", name, simregion_body(sim));
}

static void create(struct simregion *sim, const char *name, const char *resources)
{
	if (simregion_call(sim, "CreateTrainingJob", simregion_training(name, resources)) != 200)
		fail_msg("%s: %s", name, simregion_body(sim));
}

static void has(const struct simregion *sim, const char *text)
{
	if (!strstr(simregion_body(sim), text))
		fail_msg("no %s in %s", text, simregion_body(sim));
}

static void lacks(const struct simregion *sim, const char *text)
{
	if (strstr(simregion_body(sim), text))
		fail_msg("%s in %s", text, simregion_body(sim));
}

static void set_free(struct simregion *sim, const char *type, int count)
{
	char body[128];
	int len =
		snprintf(body, sizeof(body), "{\"instance_type\":\"%s\",\"free\":%d}", type, count);
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	assert_int_equal(simregion_control(sim, "/_sim/capacity", body), 200);
}

static void time__has_three_forms__by_its_value(void **state)
{
	static const struct {
		int64_t ms;
		const char *text;
	} rows[] = {
		{ 1796071688000, "{\"At\":1796071688.000" },   /* 2 over a multiple of 3 */
		{ 1796071689000, "{\"At\":1796071689" },       /* a multiple of 3 */
		{ 1796071689001, "{\"At\":1796071689.001" },   /* but no whole second */
		{ 1796071687123, "{\"At\":1.796071687123E9" }, /* 4 over a multiple of 7 */
		{ 1796071687000, "{\"At\":1.796071687000E9" },
		{ 11005, "{\"At\":11.005" }, /* 4 over, too small */
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out;
		buf_init(&out, 64);
		buf_add_char(&out, '{');
		sim_emit_time(&out, "At", rows[i].ms);
		assert_string_equal(buf_text(&out), rows[i].text);
		buf_release(&out);
	}
}

static void selection__is_told__a_moment_after_the_start(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	create(sim, "late",
	       "{\"VolumeSizeInGB\":9,\"InstanceCount\":1,\"InstancePreferences\":"
	       "[{\"InstanceType\":\"ml.p5.48xlarge\"},{\"InstanceType\":\"ml.g6.48xlarge\"}]}");
	set_free(sim, "ml.g6.48xlarge", 1);
	simregion_pass(sim, 1999);
	describe(sim, "late");
	has(sim, "\"SecondaryStatus\":\"PreparingTrainingStack\"");
	has(sim, "\"TrainingStartTime\":");
	lacks(sim, "SelectedInstance");
	simregion_pass(sim, 1);
	describe(sim, "late");
	has(sim, "\"SelectedInstanceType\":\"ml.g6.48xlarge\",\"SelectedInstanceCount\":1");
	simregion_free(sim);
}

static void nulls__are_written__for_every_third_job(void **state)
{
	static const char *const nulls[] = {
		"\"TrainingEndTime\":null",      "\"FailureReason\":null",
		"\"TrainingStartTime\":null",    "\"WarmPoolStatus\":null",
		"\"SelectedInstanceType\":null", "\"SelectedInstanceCount\":null",
		"\"TuningJobArn\":null",         "\"EndTime\":null",
	};
	static const char list[] = "{\"VolumeSizeInGB\":9,\"InstanceCount\":1,"
				   "\"InstancePreferences\":[{\"InstanceType\":"
				   "\"ml.p5.48xlarge\"}]}";
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	create(sim, "first", list);
	create(sim, "second", list);
	create(sim, "third", list);
	describe(sim, "first");
	lacks(sim, "null");
	describe(sim, "third");
	for (size_t i = 0; i < ARRAY_LEN(nulls); i++)
		has(sim, nulls[i]);
	assert_int_equal(simregion_call(sim, "ListTrainingJobs", "{\"NameContains\":\"third\"}"),
			 200);
	has(sim, "\"TrainingEndTime\":null");
	has(sim, "\"TrainingPlanArn\":null");
	simregion_free(sim);
}

/* A job of ten minutes that keeps its instance for the given seconds; ends well. */
static struct sim_job *warm_job(struct simregion *sim, const char *name, int keep_alive_seconds)
{
	struct sim_world *world = &sim->region.world;
	struct sim_order order = simworld_order(world, name, WARM_TYPE ":1");
	order.list = false;
	order.keep_alive_ms = keep_alive_seconds * INT64_C(1000);
	sim_region_catch_up(&sim->region);
	struct sim_job *job = sim_submit(world, &order, mem_copy_text("{}"), 2);
	assert_non_null(job);
	return job;
}

static int64_t used(struct simregion *sim)
{
	const struct sim_world *world = &sim->region.world;
	sim_region_catch_up(&sim->region);
	return world->pools[sim_pool_find(world, WARM_TYPE)].used[SIM_QUOTA_TRAINING];
}

/* Runs until the job has ended, which must be well. */
static void pass_until_ended(struct simregion *sim, const struct sim_job *job)
{
	for (int i = 0; i < 3600 && !job->ended.set; i++) {
		simregion_pass(sim, 1000);
		sim_region_catch_up(&sim->region);
	}
	assert_string_equal(sim_job_status_word(job), "Completed");
}

static void warm_pool__holds_its_quota__until_it_ends(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	set_free(sim, WARM_TYPE, 1);
	const struct sim_job *job = warm_job(sim, "warm-1", 600);
	describe(sim, "warm-1");
	has(sim, "\"WarmPoolStatus\":{\"Status\":\"InUse\"}");
	pass_until_ended(sim, job);
	/* The word comes late (case 005), the quota is held all the time. */
	describe(sim, "warm-1");
	has(sim, "\"TrainingJobStatus\":\"Completed\"");
	lacks(sim, "WarmPoolStatus");
	assert_int_equal(used(sim), 1);
	simregion_pass(sim, 300 * 1000);
	describe(sim, "warm-1");
	has(sim, "\"WarmPoolStatus\":{\"Status\":\"Available\",");
	assert_int_equal(used(sim), 1);
	assert_int_equal(simregion_call(sim, "ListTrainingJobs",
					"{\"WarmPoolStatusEquals\":\"Available\"}"),
			 200);
	has(sim, "warm-1");
	simregion_pass(sim, 301 * 1000);
	describe(sim, "warm-1");
	has(sim, "\"WarmPoolStatus\":{\"Status\":\"Terminated\","
		 "\"ResourceRetainedBillableTimeInSeconds\":600}");
	assert_int_equal(used(sim), 0);
	assert_int_equal(simworld_free(&sim->region.world, WARM_TYPE), 1);
	simregion_free(sim);
}

static void warm_pool__goes_on__to_the_next_job_like_it(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	set_free(sim, WARM_TYPE, 1);
	const struct sim_job *first = warm_job(sim, "warm-1", 600);
	pass_until_ended(sim, first);
	simregion_pass(sim, 60 * 1000);
	/* One that asks for no pool itself gets none of it. */
	struct sim_job *plain = warm_job(sim, "plain", 0);
	assert_true(plain->waiting);
	const struct sim_job *second = warm_job(sim, "warm-2", 600);
	assert_false(second->waiting);
	assert_int_equal(used(sim), 1);
	describe(sim, "warm-1");
	has(sim, "\"Status\":\"Reused\",\"ResourceRetainedBillableTimeInSeconds\":60,"
		 "\"ReusedByJob\":\"warm-2\"");
	simregion_free(sim);
}

static void warm_pool__is_not_kept__by_a_job_that_was_stopped(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	set_free(sim, WARM_TYPE, 1);
	(void)warm_job(sim, "warm-1", 600);
	simregion_pass(sim, 60 * 1000);
	assert_int_equal(simregion_call(sim, "StopTrainingJob", "{\"TrainingJobName\":\"warm-1\"}"),
			 200);
	simregion_pass(sim, 200 * 1000);
	describe(sim, "warm-1");
	has(sim, "\"WarmPoolStatus\":{\"Status\":\"Terminated\",");
	assert_int_equal(used(sim), 0);
	simregion_free(sim);
}

/* What a busy region opens with; each is seen through the API. */
/* Starts of training jobs with that type and count, as a list's entry or alone. */
static size_t count_starts(const struct sim_world *world, const struct sim_entry *wanted)
{
	size_t count = 0;
	for (size_t i = 0; i < world->job_count; i++) {
		const struct sim_job *job = world->jobs[i];
		const struct sim_order *order = &job->order;
		if (order->kind != SIM_TRAINING || order->groups || order->spot ||
		    job->selected == SIM_NOWHERE)
			continue;
		const struct sim_entry *entry = &order->entries[job->selected];
		count += entry->pool == wanted->pool && entry->count == wanted->count &&
			 entry->plan == SIM_NOWHERE;
	}
	return count;
}

static void want_starts(const struct sim_world *world, const struct sim_recipe *recipe)
{
	for (size_t i = 0; i < world->job_count; i++) {
		const struct sim_order *order = &world->jobs[i]->order;
		if (order->kind != SIM_TRAINING || !order->list ||
		    strncmp(order->name, recipe->stem, strlen(recipe->stem)) != 0)
			continue;
		for (size_t e = 0; e < order->entry_count; e++) {
			const struct sim_entry *entry = &order->entries[e];
			size_t starts = count_starts(world, entry);
			if (entry->plan == SIM_NOWHERE && starts < 10)
				fail_msg("seed %d, %s: %zu starts of #%zu",
					 (int)world->options.seed, order->name, starts, e + 1);
		}
		return;
	}
}

static void busy__has_one_of_each__kind_that_breaks_tools(void **state)
{
	static const struct {
		const char *stem, *text;
	} rows[] = {
		{ "hpo-ctr", "\"TuningJobArn\":\"arn:aws:sagemaker:us-east-1:111122223333:"
			     "hyper-parameter-tuning-job/hpo-ctr-1130\"" },
		{ "dlrm-hetero",
		  "\"InstanceGroups\":[{\"InstanceType\":\"ml.g5.12xlarge\",\"InstanceCount\":1,"
		  "\"InstanceGroupName\":\"trainers\"}" },
		{ "sft-serverless", "\"ServerlessJobConfig\":{" },
		{ "notebook-iter", "\"WarmPoolStatus\":{\"Status\":\"Available\"" },
		{ "recsys-twotower", "\"Status\":\"Interrupted\"" },
		{ "vit-distill", "\"TrainingJobStatus\":\"Suspended\",\"SecondaryStatus\":"
				 "\"SuspendedByService\"" },
		{ "", "\"SecondaryStatus\":\"MaxPendingTimeExceeded\"" },
		{ "", "Traceback (most recent call last):\\n" },
	};
	struct sim_options options = simregion_options();
	(void)state;
	options.scenario = SIM_SCENARIO_BUSY;
	struct simregion *sim = simregion_new(&options);
	const struct sim_world *world = &sim->region.world;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bool seen = false;
		for (size_t k = 0; k < world->job_count && !seen; k++) {
			const struct sim_order *order = &world->jobs[k]->order;
			if (order->kind != SIM_TRAINING ||
			    strncmp(order->name, rows[i].stem, strlen(rows[i].stem)) != 0)
				continue;
			describe(sim, order->name);
			seen = strstr(simregion_body(sim), rows[i].text) != NULL;
		}
		if (!seen)
			fail_msg("no %s with %s", rows[i].stem, rows[i].text);
	}
	simregion_free(sim);
}

/* Whoever learns on it asks for forecasts: each entry that a list has on demand has started ten
 * times with as many instances. */
static void busy__has_a_past__of_every_entry(void **state)
{
	static const uint64_t seeds[] = { 1, 2, 7, 42, 99 };
	(void)state;
	for (size_t s = 0; s < ARRAY_LEN(seeds); s++) {
		struct sim_options options = simregion_options();
		options.scenario = SIM_SCENARIO_BUSY;
		options.seed = seeds[s];
		struct simregion *sim = simregion_new(&options);
		const struct sim_world *world = &sim->region.world;
		for (size_t r = 0; r < sim_recipe_count; r++)
			want_starts(world, &sim_recipes[r]);
		simregion_free(sim);
	}
}

/* Both ways of a pending time-out come up within one busy account's past. */
static void timeout__is_told__in_two_ways(void **state)
{
	struct sim_options options = simregion_options();
	size_t plain = 0, by_word = 0;
	(void)state;
	options.scenario = SIM_SCENARIO_BUSY;
	options.jobs = 2000;
	struct simregion *sim = simregion_new(&options);
	const struct sim_world *world = &sim->region.world;
	for (size_t i = 0; i < world->job_count; i++) {
		const struct sim_job *job = world->jobs[i];
		if (job->status != SIM_STOPPED || job->started.set || !job->secondary)
			continue;
		bool stopped = job->transition_count > 2; /* Pending Stopping Stopped: by hand */
		by_word += strcmp(job->secondary, "MaxPendingTimeExceeded") == 0;
		plain += !stopped && strcmp(job->secondary, "Stopped") == 0;
	}
	assert_in_range(by_word, 1, 60);
	assert_in_range(plain, 1, 60);
	simregion_free(sim);
}

static void tell(struct simregion *sim, int status, const char *members)
{
	char body[512];
	int len = snprintf(body, sizeof(body), "{\"name\":\"told\",%s}", members);
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	assert_int_equal(simregion_control(sim, "/_sim/tell", body), status);
}

static void told_words__are_said__until_the_job_ends_so(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	set_free(sim, WARM_TYPE, 1);
	create(sim, "told", "{\"InstanceType\":\"" WARM_TYPE "\",\"InstanceCount\":1}");
	tell(sim, 200, "\"secondary_status\":\"Restarting\",\"status_message\":\"a\"");
	tell(sim, 200, "\"status_message\":\"b\"");
	simregion_pass(sim, 3600000);
	describe(sim, "told");
	has(sim, "\"SecondaryStatus\":\"Restarting\"");
	has(sim, "\"StatusMessage\":\"b\"");
	lacks(sim, "\"StatusMessage\":\"a\"");
	tell(sim, 200, "\"status\":\"Failed\",\"failure_reason\":\"c\"");
	describe(sim, "told");
	has(sim, "\"TrainingJobStatus\":\"Failed\"");
	has(sim, "\"FailureReason\":\"c\"");
	has(sim, "\"BillableTimeInSeconds\":3600");
	tell(sim, 400, "\"status\":\"Stopped\"");
	simregion_free(sim);
}

static void message_of_a_fault__is_what_the_refusal_says(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	assert_int_equal(simregion_control(sim, "/_sim/fault",
					   "{\"code\":\"Wrong\",\"message\":\"d\"}"),
			 200);
	simregion_refuses(sim, "StopTrainingJob", "{\"TrainingJobName\":\"told\"}", "Wrong", "d");
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time__has_three_forms__by_its_value),
		cmocka_unit_test(selection__is_told__a_moment_after_the_start),
		cmocka_unit_test(nulls__are_written__for_every_third_job),
		cmocka_unit_test(warm_pool__holds_its_quota__until_it_ends),
		cmocka_unit_test(warm_pool__goes_on__to_the_next_job_like_it),
		cmocka_unit_test(warm_pool__is_not_kept__by_a_job_that_was_stopped),
		cmocka_unit_test(busy__has_one_of_each__kind_that_breaks_tools),
		cmocka_unit_test(busy__has_a_past__of_every_entry),
		cmocka_unit_test(timeout__is_told__in_two_ways),
		cmocka_unit_test(told_words__are_said__until_the_job_ends_so),
		cmocka_unit_test(message_of_a_fault__is_what_the_refusal_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
