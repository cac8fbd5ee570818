/* Scheduler rules 2 to 5 of facts/sagemaker.md, worked out by hand on small worlds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/simworld.h"

#define P5  "ml.p5.48xlarge"
#define P4D "ml.p4d.24xlarge"
#define G6  "ml.g6.48xlarge"
#define G5  "ml.g5.48xlarge"
#define CPU "ml.m5.4xlarge"

static void sweep__takes_the_first_entry__whose_whole_count_is_free(void **state)
{
	struct sim_world world;
	(void)state;
	simworld_init(&world, 1);
	struct sim_job *job = simworld_submit(&world, "a", P5 ":2," P4D ":3," G6 ":1", 0);
	assert_true(job->waiting);
	assert_int_equal(job->selected, SIM_NOWHERE);
	simworld_set_free(&world, P5, 1); /* never a part of an entry */
	assert_true(job->waiting);
	simworld_set_free(&world, P4D, 2); /* never two entries together */
	assert_true(job->waiting);
	simworld_set_free(&world, P4D, 5);
	assert_false(job->waiting);
	assert_int_equal(job->selected, 1);
	assert_int_equal(simworld_free(&world, P4D), 2);
	assert_int_equal(simworld_free(&world, P5), 1);
	sim_world_release(&world);
}

static void sweep__prefers_the_better_rank__when_both_are_free(void **state)
{
	struct sim_world world;
	(void)state;
	simworld_init(&world, 1);
	simworld_set_free(&world, G6, 4);
	simworld_set_free(&world, P4D, 4);
	struct sim_job *job = simworld_submit(&world, "a", P5 ":1," P4D ":2," G6 ":1", 0);
	assert_int_equal(job->selected, 1);
	assert_int_equal(simworld_free(&world, G6), 4);
	sim_world_release(&world);
}

static void sweep__serves_the_oldest__and_passes_over_one_that_does_not_fit(void **state)
{
	struct sim_world world;
	(void)state;
	simworld_init(&world, 1);
	struct sim_job *big = simworld_submit(&world, "big", P5 ":4", 0);
	struct sim_job *first = simworld_submit(&world, "first", P5 ":2", 0);
	struct sim_job *second = simworld_submit(&world, "second", P5 ":2", 0);
	simworld_set_free(&world, P5, 3);
	assert_true(big->waiting);
	assert_false(first->waiting);
	assert_true(second->waiting);
	simworld_set_free(&world, P5, 5);
	assert_false(big->waiting);
	assert_true(second->waiting);
	assert_int_equal(simworld_free(&world, P5), 1);
	sim_world_release(&world);
}

static void release__lets_the_next_in__when_a_job_ends(void **state)
{
	struct sim_world world;
	(void)state;
	simworld_init(&world, 1);
	simworld_set_free(&world, P5, 2);
	struct sim_job *holder = simworld_submit(&world, "holder", P5 ":2", 0);
	struct sim_job *waiter = simworld_submit(&world, "waiter", P5 ":2", 0);
	assert_true(sim_life_stop(&world, holder));
	assert_int_equal(holder->status, SIM_STOPPING);
	assert_true(waiter->waiting); /* held until the end state is reached */
	simworld_advance(&world, 59); /* one to three minutes */
	assert_true(waiter->waiting);
	simworld_advance(&world, 122);
	assert_int_equal(holder->status, SIM_STOPPED);
	assert_false(waiter->waiting);
	assert_int_equal(waiter->started.ms, holder->ended.ms);
	assert_false(sim_life_stop(&world, holder));
	sim_world_release(&world);
}

static void job__runs_to_its_end__by_the_words_of_the_service(void **state)
{
	struct sim_world world;
	(void)state;
	simworld_init(&world, 1);
	struct sim_job *job = simworld_submit(&world, "a", P5 ":1", 0);
	simworld_advance(&world, 90);
	simworld_set_free(&world, P5, 1);
	int64_t selected_ms = world.now_ms;
	simworld_advance(&world, 3600);
	assert_string_equal(simworld_story(job), "Pending PreparingTrainingStack Downloading "
						 "Training Uploading Completed");
	assert_int_equal(job->status, SIM_COMPLETED);
	assert_int_equal(job->transitions[0].start.ms, SIM_TEST_START_MS);
	assert_int_equal(job->transitions[0].end.ms, SIM_TEST_START_MS + 90000);
	assert_int_equal(job->started.ms, selected_ms);
	/* Ten minutes of work from the selection on, then the upload. */
	assert_int_equal(job->transitions[3].end.ms, selected_ms + 600000);
	assert_int_equal(sim_job_held_ms(job, world.now_ms), job->ended.ms - selected_ms);
	assert_int_equal(simworld_free(&world, P5), 1);
	sim_world_release(&world);
}

static void job__ends_as_stopped__at_its_runtime_limit(void **state)
{
	struct sim_world world;
	(void)state;
	simworld_init(&world, 1);
	simworld_set_free(&world, P5, 1);
	struct sim_order order = simworld_order(&world, "long", P5 ":1");
	order.run_ms = 7200000;
	order.max_runtime_ms = 3600000;
	struct sim_job *job = sim_submit(&world, &order, mem_copy_text("{}"), 2);
	simworld_advance(&world, 86400);
	assert_int_equal(job->status, SIM_STOPPED);
	assert_string_equal(job->secondary, "MaxRuntimeExceeded");
	assert_int_equal(job->ended.ms, SIM_TEST_START_MS + 3600000);
	sim_world_release(&world);
}

static void cpu__fails_as_a_training_list__and_waits_otherwise(void **state)
{
	struct sim_world world;
	(void)state;
	simworld_init(&world, 1);
	simworld_set_free(&world, CPU, 0);
	struct sim_job *list = simworld_submit(&world, "list", CPU ":1", 0);
	assert_int_equal(list->status, SIM_FAILED);
	assert_int_equal(strncmp(list->failure_reason, "CapacityError: ", 15), 0);
	assert_false(list->started.set);

	struct sim_order single = simworld_order(&world, "single", CPU ":1");
	single.list = false;
	struct sim_job *job = sim_submit(&world, &single, mem_copy_text("{}"), 2);
	assert_true(job->waiting);
	assert_string_equal(job->secondary, "Starting");

	struct sim_order work = simworld_order(&world, "work", CPU ":1");
	work.kind = SIM_PROCESSING;
	struct sim_job *processing = sim_submit(&world, &work, mem_copy_text("{}"), 2);
	assert_true(processing->waiting);
	assert_null(processing->secondary);
	assert_false(processing->started.set);
	simworld_set_free(&world, CPU, 2);
	assert_true(job->started.set && processing->started.set);
	sim_world_release(&world);
}

static void groups__start_together__or_not_at_all(void **state)
{
	struct sim_world world;
	(void)state;
	simworld_init(&world, 1);
	struct sim_order order = simworld_order(&world, "cluster", G6 ":2," G5 ":1," G6 ":2");
	order.list = false;
	order.groups = true;
	struct sim_job *job = sim_submit(&world, &order, mem_copy_text("{}"), 2);
	simworld_set_free(&world, G5, 1);
	simworld_set_free(&world, G6, 3); /* enough for each group, not for both */
	assert_true(job->waiting);
	simworld_set_free(&world, G6, 4);
	assert_false(job->waiting);
	assert_int_equal(job->selected, SIM_NOWHERE);
	assert_int_equal(simworld_free(&world, G6), 0);
	assert_int_equal(simworld_free(&world, G5), 0);
	simworld_advance(&world, 3600);
	assert_int_equal(simworld_free(&world, G6), 4);
	assert_int_equal(simworld_free(&world, G5), 1);
	sim_world_release(&world);
}

static void pending_limit__stops_the_job__told_in_two_ways(void **state)
{
	struct sim_world world;
	size_t by_word = 0, plainly = 0;
	(void)state;
	simworld_init(&world, 1);
	for (int i = 0; i < 40; i++) {
		char name[32];
		assert_true(snprintf(name, sizeof(name), "job-%d", i) > 0);
		simworld_submit(&world, name, P5 ":1," G6 ":1", 7200);
	}
	simworld_advance(&world, 7199);
	assert_int_equal(world.waiting_count, 40);
	simworld_advance(&world, 1);
	assert_int_equal(world.waiting_count, 0);
	for (size_t i = 0; i < world.job_count; i++) {
		const struct sim_job *job = world.jobs[i];
		assert_int_equal(job->status, SIM_STOPPED);
		assert_int_equal(job->ended.ms, SIM_TEST_START_MS + 7200000);
		assert_false(job->started.set);
		assert_null(job->failure_reason);
		by_word += strcmp(job->secondary, "MaxPendingTimeExceeded") == 0;
		plainly += strcmp(job->secondary, "Stopped") == 0;
	}
	assert_int_equal(by_word + plainly, 40);
	assert_true(by_word > 5 && plainly > 5);
	sim_world_release(&world);
}

static void pending_limit__holds_for_accelerated_training_lists__only(void **state)
{
	struct sim_world world;
	(void)state;
	simworld_init(&world, 1);
	struct sim_order single = simworld_order(&world, "single", P5 ":1");
	single.list = false;
	single.max_pending_ms = 7200000;
	struct sim_order work = simworld_order(&world, "work", P5 ":1");
	work.kind = SIM_PROCESSING;
	work.max_pending_ms = 7200000;
	sim_submit(&world, &single, mem_copy_text("{}"), 2);
	sim_submit(&world, &work, mem_copy_text("{}"), 2);
	simworld_advance(&world, 30 * 86400);
	assert_int_equal(world.waiting_count, 2);
	sim_world_release(&world);
}

static void add_plan(struct sim_world *world, const char *name, int64_t total,
		     const int64_t *seconds, size_t windows)
{
	struct sim_plan plan = { .total = total, .window_count = windows };
	plan.pool = (size_t)sim_pool_find(world, P5);
	assert_true(snprintf(plan.name, sizeof(plan.name), "%s", name) > 0);
	assert_true(snprintf(plan.arn, sizeof(plan.arn), "arn:%s", name) > 0);
	for (size_t i = 0; i < windows; i++) {
		plan.windows[i].start_ms = SIM_TEST_START_MS + seconds[2 * i] * 1000;
		plan.windows[i].end_ms = SIM_TEST_START_MS + seconds[2 * i + 1] * 1000;
	}
	sim_plan_add(world, &plan);
}

static void plan__serves_its_entry__from_its_start_on(void **state)
{
	struct sim_world world;
	const int64_t hours[] = { 3600, 7200 };
	(void)state;
	simworld_init(&world, 1);
	add_plan(&world, "later", 4, hours, 1);
	simworld_set_free(&world, P5, 4); /* the plan's entry does not take from the pool */
	struct sim_job *job = simworld_submit(&world, "a", P5 ":3@later", 0);
	struct sim_job *other = simworld_submit(&world, "b", P5 ":2@later", 0);
	simworld_advance(&world, 3599);
	assert_true(job->waiting);
	simworld_advance(&world, 1);
	assert_false(job->waiting);
	assert_true(other->waiting); /* 3 of 4 are taken */
	assert_int_equal(simworld_free(&world, P5), 4);
	assert_int_equal(sim_plan_free(&world.plans[0], world.now_ms), 1);
	simworld_advance(&world, 1200); /* the first has done its ten minutes */
	assert_false(other->waiting);
	sim_world_release(&world);
}

static void plan__is_not_waited_for__when_a_later_entry_fits(void **state)
{
	struct sim_world world;
	const int64_t hours[] = { 3600, 7200 };
	(void)state;
	simworld_init(&world, 1);
	add_plan(&world, "later", 4, hours, 1);
	simworld_set_free(&world, P4D, 1);
	struct sim_job *job = simworld_submit(&world, "a", P5 ":1@later," P4D ":1", 0);
	assert_false(job->waiting);
	assert_int_equal(job->selected, 1);
	sim_world_release(&world);
}

static void pending_limit__stands_still__while_a_plan_is_awaited(void **state)
{
	struct sim_world world;
	/* Opens after an hour for an hour, closes for two, opens again for a day. */
	const int64_t hours[] = { 3600, 7200, 14400, 100800 };
	(void)state;
	simworld_init(&world, 1);
	add_plan(&world, "gap", 1, hours, 2);
	/* 2 of 1 never fit: it waits for ever, but only while a window is open does it count. */
	struct sim_job *job = simworld_submit(&world, "a", P5 ":2@gap", 7200);
	simworld_advance(&world, 14400 + 3599);
	assert_true(job->waiting);
	assert_int_equal(job->pending_ms, 3600000);
	simworld_advance(&world, 1);
	assert_false(job->waiting);
	assert_int_equal(job->ended.ms, SIM_TEST_START_MS + (14400 + 3600) * INT64_C(1000));
	sim_world_release(&world);
}

static void quota__counts_instances_of_jobs_with_a_choice__until_they_end(void **state)
{
	struct sim_world world;
	(void)state;
	simworld_init(&world, 1);
	struct sim_pool *pool = &world.pools[sim_pool_find(&world, P5)];
	struct sim_job *job = simworld_submit(&world, "a", P5 ":3", 0);
	assert_int_equal(pool->used[SIM_QUOTA_TRAINING], 0); /* waiting holds nothing */
	simworld_set_free(&world, P5, 3);
	assert_int_equal(pool->used[SIM_QUOTA_TRAINING], 3);
	assert_true(sim_life_stop(&world, job));
	simworld_advance(&world, 59);
	assert_int_equal(pool->used[SIM_QUOTA_TRAINING], 3); /* Stopping still counts */
	simworld_advance(&world, 122);
	assert_int_equal(pool->used[SIM_QUOTA_TRAINING], 0);
	sim_world_release(&world);
}

static void spot__waits_again__when_it_is_interrupted(void **state)
{
	struct sim_world world;
	(void)state;
	simworld_init(&world, 1);
	simworld_set_free(&world, G5, 2);
	struct sim_order order = simworld_order(&world, "spot", G5 ":2");
	order.list = false;
	order.spot = true;
	order.max_wait_ms = 86400000;
	struct sim_job *job = sim_submit(&world, &order, mem_copy_text("{}"), 2);
	job->interruptions = 1;
	simworld_advance(&world, 3600);
	assert_true(job->waiting);
	assert_string_equal(job->secondary, "Interrupted");
	assert_int_equal(simworld_free(&world, G5), 0); /* EC2 has them, not the pool */
	int64_t held_ms = job->held_ms;
	assert_in_range(held_ms, 1000, 600000);
	simworld_set_free(&world, G5, 2);
	simworld_advance(&world, 3600);
	assert_int_equal(job->status, SIM_COMPLETED);
	assert_string_equal(simworld_story(job),
			    "PreparingTrainingStack Downloading Training Interrupted "
			    "PreparingTrainingStack Downloading Training Uploading Completed");
	sim_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sweep__takes_the_first_entry__whose_whole_count_is_free),
		cmocka_unit_test(sweep__prefers_the_better_rank__when_both_are_free),
		cmocka_unit_test(sweep__serves_the_oldest__and_passes_over_one_that_does_not_fit),
		cmocka_unit_test(release__lets_the_next_in__when_a_job_ends),
		cmocka_unit_test(job__runs_to_its_end__by_the_words_of_the_service),
		cmocka_unit_test(job__ends_as_stopped__at_its_runtime_limit),
		cmocka_unit_test(cpu__fails_as_a_training_list__and_waits_otherwise),
		cmocka_unit_test(groups__start_together__or_not_at_all),
		cmocka_unit_test(pending_limit__stops_the_job__told_in_two_ways),
		cmocka_unit_test(pending_limit__holds_for_accelerated_training_lists__only),
		cmocka_unit_test(plan__serves_its_entry__from_its_start_on),
		cmocka_unit_test(plan__is_not_waited_for__when_a_later_entry_fits),
		cmocka_unit_test(pending_limit__stands_still__while_a_plan_is_awaited),
		cmocka_unit_test(quota__counts_instances_of_jobs_with_a_choice__until_they_end),
		cmocka_unit_test(spot__waits_again__when_it_is_interrupted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
