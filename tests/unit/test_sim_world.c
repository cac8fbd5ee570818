/* What must hold in every region whatever happens, and what a seed promises. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/random.h"
#include "model/base/attr.h"
#include "model/base/mem.h"
#include "tests/simworld.h"

#define TYPES     5
#define STEPS     1500
#define SEEDS     6
#define OUTSIDERS 20 /* instances of each type that the test itself moves in and out */

static const char *const types[TYPES] = { "ml.p5.48xlarge", "ml.p4d.24xlarge", "ml.g6.48xlarge",
					  "ml.g5.48xlarge", "ml.g4dn.12xlarge" };

/* What the jobs hold of a pool by their own records. */
static int64_t held_of(const struct sim_world *world, size_t pool)
{
	int64_t sum = 0;
	for (size_t i = 0; i < world->job_count; i++) {
		const struct sim_job *job = world->jobs[i];
		const struct sim_order *order = &job->order;
		for (size_t k = 0; job->holds && k < order->entry_count; k++) {
			if (order->entries[k].pool == pool &&
			    (order->groups || (int)k == job->selected))
				sum += order->entries[k].count;
		}
	}
	return sum;
}

static bool any_entry_fits(const struct sim_world *world, const struct sim_order *order)
{
	for (size_t i = 0; i < order->entry_count; i++) {
		if (world->pools[order->entries[i].pool].free >= order->entries[i].count)
			return true;
	}
	return false;
}

static void check_transitions(const struct sim_job *job, uint64_t seed)
{
	int64_t at_ms = job->created_ms;
	for (size_t i = 0; i < job->transition_count; i++) {
		const struct sim_transition *transition = &job->transitions[i];
		bool last = i + 1 == job->transition_count;
		if (transition->start.ms != at_ms || (!last && !transition->end.set))
			fail_msg("seed %llu: %s has a hole before %s", (unsigned long long)seed,
				 job->order.name, transition->status);
		at_ms = transition->end.ms;
		if (last)
			assert_int_equal(transition->end.set, sim_status_has_ended(job->status));
	}
}

static void check_world(const struct sim_world *world, const int64_t *given, uint64_t seed)
{
	size_t waiting = 0;
	for (size_t i = 0; i < TYPES; i++) {
		const struct sim_pool *pool = &world->pools[sim_pool_find(world, types[i])];
		int64_t held = held_of(world, (size_t)(pool - world->pools));
		if (pool->free < 0 || pool->free + held != given[i])
			fail_msg("seed %llu: %s free %lld, held %lld, given %lld",
				 (unsigned long long)seed, types[i], (long long)pool->free,
				 (long long)held, (long long)given[i]);
		assert_int_equal(pool->used[SIM_QUOTA_TRAINING], held);
	}
	for (size_t i = 0; i < world->job_count; i++) {
		const struct sim_job *job = world->jobs[i];
		check_transitions(job, seed);
		waiting += job->waiting;
		assert_false(job->waiting && (job->holds || job->ended.set));
		assert_int_equal(job->ended.set, sim_status_has_ended(job->status));
		if (job->waiting && any_entry_fits(world, &job->order))
			fail_msg("seed %llu: %s waits though it fits", (unsigned long long)seed,
				 job->order.name);
	}
	assert_int_equal(waiting, world->waiting_count);
	for (size_t i = 1; i < world->waiting_count; i++)
		assert_true(world->waiting[i - 1]->number < world->waiting[i]->number);
}

static void submit_any(struct sim_world *world, uint64_t *random, int step)
{
	char name[32], entries[256];
	size_t at = 0, first = (size_t)sim_random_between(random, 0, TYPES - 1);
	int64_t length = sim_random_between(random, 1, TYPES);
	for (int64_t i = 0; i < length; i++) {
		int len = snprintf(entries + at, sizeof(entries) - at, "%s%s:%d", i == 0 ? "" : ",",
				   types[(first + (size_t)i) % TYPES],
				   (int)sim_random_between(random, 1, 6));
		assert_true(len > 0 && (size_t)len < sizeof(entries) - at);
		at += (size_t)len;
	}
	assert_true(snprintf(name, sizeof(name), "job-%d", step) > 0);
	struct sim_order order = simworld_order(world, name, entries);
	order.run_ms = sim_random_between(random, 1, 4000) * 1000;
	order.max_runtime_ms = sim_random_between(random, 600, 4000) * 1000;
	order.max_pending_ms = sim_random_chance(random, 50) ? 3600000 : 0;
	assert_non_null(sim_submit(world, &order, mem_copy_text("{}"), 2));
}

/* Arrivals, stops, capacity from outside and time, all by lot; after each the books must balance.
 */
static void world__keeps_its_books__whatever_happens(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct sim_world world;
		int64_t given[TYPES] = { 0 };
		uint64_t random = sim_random_for(seed, "steps");
		simworld_init(&world, seed);
		for (int step = 0; step < STEPS; step++) {
			int64_t dice = sim_random_between(&random, 1, 100);
			size_t type = (size_t)sim_random_between(&random, 0, TYPES - 1);
			if (dice <= 30) {
				submit_any(&world, &random, step);
			} else if (dice <= 40 && world.job_count > 0) {
				size_t which =
					(size_t)sim_random_between(&random, 0,
								   (int64_t)world.job_count - 1);
				(void)sim_life_stop(&world, world.jobs[which]);
			} else if (dice <= 60) {
				int64_t held =
					held_of(&world, (size_t)sim_pool_find(&world, types[type]));
				int64_t free = sim_random_between(&random, 0, OUTSIDERS);
				given[type] = held + free;
				simworld_set_free(&world, types[type], free);
			} else {
				simworld_advance(&world, sim_random_between(&random, 0, 400));
			}
			check_world(&world, given, seed);
		}
		assert_true(world.job_count > STEPS / 5);
		sim_world_release(&world);
	}
}

static char *state_after(uint64_t seed, int64_t seconds)
{
	struct sim_options options = simregion_options();
	options.scenario = SIM_SCENARIO_BUSY;
	options.seed = seed;
	struct simregion *sim = simregion_new(&options);
	simregion_pass(sim, seconds * 1000);
	assert_int_equal(simregion_control(sim, "/_sim/state", NULL), 200);
	char *text = mem_copy_text(simregion_body(sim));
	simregion_free(sim);
	return text;
}

static void seed__tells_the_same_story__and_another_one_another(void **state)
{
	(void)state;
	char *once = state_after(7, 3 * 3600), *again = state_after(7, 3 * 3600);
	char *other = state_after(8, 3 * 3600);
	assert_string_equal(once, again);
	assert_string_not_equal(once, other);
	free(once);
	free(again);
	free(other);
}

static void story__does_not_depend__on_how_time_is_cut(void **state)
{
	struct sim_options options = simregion_options();
	(void)state;
	options.scenario = SIM_SCENARIO_BUSY;
	options.seed = 7;
	struct simregion *sim = simregion_new(&options);
	for (int64_t second = 0; second < 3 * 3600; second += 45) {
		simregion_pass(sim, 45 * 1000);
		sim_region_catch_up(&sim->region);
	}
	assert_int_equal(simregion_control(sim, "/_sim/state", NULL), 200);
	char *in_one = state_after(7, 3 * 3600);
	assert_string_equal(simregion_body(sim), in_one);
	free(in_one);
	simregion_free(sim);
}

/* Sums up all that a screen could show of the jobs. */
static uint64_t picture(const struct sim_world *world)
{
	uint64_t sum = world->job_count;
	for (size_t i = 0; i < world->job_count; i++) {
		const struct sim_job *job = world->jobs[i];
		sum = sum * 31 + (uint64_t)job->status + job->transition_count * 7 +
		      (uint64_t)(job->started.set);
	}
	return sum;
}

static void busy__shows_something__every_few_seconds(void **state)
{
	struct sim_options options = simregion_options();
	size_t changes = 0, fewest = SIZE_MAX, most = 0;
	(void)state;
	options.scenario = SIM_SCENARIO_BUSY;
	struct simregion *sim = simregion_new(&options);
	const struct sim_world *world = &sim->region.world;
	uint64_t before = picture(world);
	for (int i = 0; i < 720; i++) {
		simregion_pass(sim, 5000);
		sim_region_catch_up(&sim->region);
		changes += picture(world) != before;
		before = picture(world);
		fewest = world->waiting_count < fewest ? world->waiting_count : fewest;
		most = world->waiting_count > most ? world->waiting_count : most;
	}
	assert_true(changes > 720 * 6 / 10);
	assert_in_range(fewest, 3, 12);
	assert_in_range(most, 12, 30);
	simregion_free(sim);
}

static void busy__opens_with_513_jobs__and_scales_only_the_ended(void **state)
{
	static const size_t sizes[] = { 0, 60, 2000 }, counts[] = { 513, 60, 2000 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct sim_options options = simregion_options();
		options.scenario = SIM_SCENARIO_BUSY;
		options.jobs = sizes[i];
		struct simregion *sim = simregion_new(&options);
		const struct sim_world *world = &sim->region.world;
		size_t ended = 0, holding = 0;
		for (size_t k = 0; k < world->job_count; k++) {
			ended += sim_status_has_ended(world->jobs[k]->status);
			holding += world->jobs[k]->holds;
		}
		for (size_t k = 0; k < world->pool_count; k++)
			assert_true(world->pools[k].used[SIM_QUOTA_TRAINING] <=
				    world->pools[k].quota[SIM_QUOTA_TRAINING]);
		assert_int_equal(world->job_count, counts[i]);
		assert_int_equal(world->waiting_count, 12);
		assert_int_equal(holding, 31);
		assert_int_equal(world->warm_count, 1);
		/* And one that is being stopped in the queue. */
		assert_int_equal(ended, counts[i] - 12 - 31 - 1);
		simregion_free(sim);
	}
}

static void still__changes_nothing_by_itself__but_serves_what_is_asked(void **state)
{
	struct sim_options options = simregion_options();
	(void)state;
	options.scenario = SIM_SCENARIO_STILL;
	struct simregion *sim = simregion_new(&options);
	struct sim_world *world = &sim->region.world;
	uint64_t before = picture(world);
	assert_in_range(world->job_count, 55, 65);
	assert_int_equal(world->waiting_count, 12);
	simregion_pass(sim, INT64_C(4) * 86400 * 1000);
	sim_region_catch_up(&sim->region);
	assert_int_equal(picture(world), before);

	struct sim_job *oldest = world->waiting[0];
	simworld_set_free(world, "ml.p4d.24xlarge", 2);
	assert_false(oldest->waiting);
	assert_string_equal(oldest->secondary, "PreparingTrainingStack");
	simregion_pass(sim, 60 * 1000);
	sim_region_catch_up(&sim->region);
	assert_string_equal(oldest->secondary, "Training");
	simregion_pass(sim, INT64_C(30) * 86400 * 1000);
	sim_region_catch_up(&sim->region);
	assert_string_equal(oldest->secondary, "Training");
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(world__keeps_its_books__whatever_happens),
		cmocka_unit_test(seed__tells_the_same_story__and_another_one_another),
		cmocka_unit_test(story__does_not_depend__on_how_time_is_cut),
		cmocka_unit_test(busy__shows_something__every_few_seconds),
		cmocka_unit_test(busy__opens_with_513_jobs__and_scales_only_the_ended),
		cmocka_unit_test(still__changes_nothing_by_itself__but_serves_what_is_asked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
