/*
 * The best lists against all lists: 8 candidates, every ordered list of up to five, each judged by
 * a sum written anew here. 20 seeds, 500 in the long form.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/base/attr.h"
#include "model/suggest.h"
#include "tests/anytext.h"
#include "tests/soak.h"

#define MINUTE      INT64_C(60000)
#define HOUR        (60 * MINUTE)
#define MILLION     1000000
#define CANDIDATES  8
#define JOBS        40
#define SETS        (1 << CANDIDATES)
#define SHORT_SEEDS 20
#define LONG_SEEDS  500

static const char *const names[] = {
	"ml.a", "ml.b", "ml.c", "ml.d", "ml.e", "ml.f", "ml.g", "ml.h"
};

struct wait {
	int64_t ms;
	bool started;
};

struct world {
	struct wait waits[CANDIDATES][JOBS];
	struct wait_curves curves;
	struct suggest_ask ask;
	/* Every time at which somebody of any type started, ascending; S before and at each. */
	int64_t times[CANDIDATES * JOBS];
	size_t time_count;
	double before[CANDIDATES][CANDIDATES * JOBS], after[CANDIDATES][CANDIDATES * JOBS];
};

static int ascending(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

static void make_chances(struct world *world)
{
	size_t count = 0;
	for (size_t c = 0; c < CANDIDATES; c++)
		for (size_t i = 0; i < JOBS; i++)
			if (world->waits[c][i].started)
				world->times[count++] = world->waits[c][i].ms;
	qsort(world->times, count, sizeof(int64_t), ascending);
	world->time_count = 0;
	for (size_t i = 0; i < count; i++)
		if (i == 0 || world->times[i] != world->times[i - 1])
			world->times[world->time_count++] = world->times[i];
	for (size_t c = 0; c < CANDIDATES; c++) {
		double chance = 1;
		for (size_t t = 0; t < world->time_count; t++) {
			unsigned at_risk = 0, starts = 0;
			for (size_t i = 0; i < JOBS; i++) {
				const struct wait *wait = &world->waits[c][i];
				at_risk += wait->ms >= world->times[t];
				starts += wait->started && wait->ms == world->times[t];
			}
			world->before[c][t] = chance;
			if (starts)
				chance = chance * (at_risk - starts) / at_risk;
			world->after[c][t] = chance;
		}
	}
}

/* Odd seeds have their starts on the hour's tenths, so that many types tie at every moment. */
static void make_world(struct world *world, uint32_t seed)
{
	bool ties = seed % 2;
	uint32_t random = seed;
	*world = (struct world){ .ask = { .count = CANDIDATES } };
	for (size_t c = 0; c < CANDIDATES; c++) {
		int64_t scale = 1 + anytext_random(&random) % 8;
		for (size_t i = 0; i < JOBS; i++) {
			bool at_once = anytext_random(&random) % 9 < (uint32_t)scale / 2;
			int64_t ms = 6 * MINUTE + (anytext_random(&random) % (60 * MINUTE)) * scale;
			struct wait wait = { ties ? ms / (6 * MINUTE) * 6 * MINUTE : ms,
					     i % 4 > 0 };
			if (at_once && wait.started)
				wait.ms = 0;
			const struct observation job = {
				.outcome = wait.started ? WAIT_STARTED : WAIT_STOPPED,
				.entries = { { names[c], 1, false } },
				.entry_count = 1,
				.chosen_rank = wait.started,
				.wait_ms = wait.ms,
			};
			world->waits[c][i] = wait;
			wait_curves_add(&world->curves, &job);
		}
		world->ask.candidates[c] = (struct suggest_candidate){
			names[c],
			1,
			(20 + anytext_random(&random) % 200) * MINUTE,
			{ true, (10 + anytext_random(&random) % 90) * INT64_C(1000000) }
		};
	}
	/* Two counts of one type: never both in a list. */
	world->ask.candidates[1].instance_type = names[0];
	for (size_t i = 0; i < JOBS; i++)
		world->waits[1][i] = world->waits[0][i];
	world->ask.deadline_ms = (100 + anytext_random(&random) % 300) * MINUTE;
	world->ask.by = seed / 2 % 2 ? SUGGEST_BY_COST : SUGGEST_BY_CHANCE;
	world->ask.least_chance = 0.1 * (anytext_random(&random) % 9);
	if (seed / 4 % 2)
		world->ask.budget = (struct money){ true, 150 * MILLION };
	if (seed % 3 == 2)
		world->ask.limit = (struct opt_ms){ true, world->ask.deadline_ms / 3 };
	make_chances(world);
}

struct verdict {
	double chance, cost; /* whole 1e-9 and millionths; cost is HUGE_VAL where none starts */
};

static double cost_of(const struct suggest_candidate *candidate)
{
	return round((double)candidate->per_hour.micro * (double)candidate->run_ms / (double)HOUR);
}

static struct verdict judge(const struct world *world, const size_t *list, size_t count)
{
	double chance = 0, cost = 0, all = 0;
	for (size_t t = 0; t < world->time_count; t++) {
		if (world->times[t] > world->ask.deadline_ms ||
		    (world->ask.limit.set && world->times[t] > world->ask.limit.ms))
			break;
		for (size_t k = 0; k < count; k++) {
			const struct suggest_candidate *entry = &world->ask.candidates[list[k]];
			double first = world->before[list[k]][t] - world->after[list[k]][t];
			for (size_t j = 0; j < count; j++)
				if (j != k)
					first *= j < k ? world->after[list[j]][t]
						       : world->before[list[j]][t];
			all += first;
			cost += first * cost_of(entry);
			if (world->times[t] + entry->run_ms <= world->ask.deadline_ms)
				chance += first;
		}
	}
	return (struct verdict){ round(chance * 1e9), all > 0 ? round(cost / all) : HUGE_VAL };
}

static bool is_better(const struct suggest_ask *ask, struct verdict a, struct verdict b)
{
	if (ask->by == SUGGEST_BY_COST) {
		double least = round(ask->least_chance * 1e9);
		if ((a.chance >= least) != (b.chance >= least))
			return a.chance >= least;
		if (a.chance >= least)
			return a.cost < b.cost || (a.cost <= b.cost && a.chance > b.chance);
	}
	return a.chance > b.chance || (a.chance >= b.chance && a.cost < b.cost);
}

static bool may_take(const struct world *world, size_t candidate)
{
	const struct suggest_candidate *entry = &world->ask.candidates[candidate];
	return entry->run_ms <= world->ask.deadline_ms &&
	       (!world->ask.budget.set || cost_of(entry) <= (double)world->ask.budget.micro);
}

/* All lists that begin with these entries; the best of each set (by bits) is kept. */
static size_t try_all(const struct world *world, size_t *list, size_t count, struct verdict *best)
{
	size_t tried = 0, set = 0;
	for (size_t c = 0; c < CANDIDATES && count < PREFS_MAX; c++) {
		bool used = !may_take(world, c);
		for (size_t k = 0; k < count; k++)
			used = used || world->ask.candidates[list[k]].instance_type ==
					       world->ask.candidates[c].instance_type;
		if (used)
			continue;
		list[count] = c;
		struct verdict here = judge(world, list, count + 1);
		for (size_t k = set = 0; k <= count; k++)
			set |= (size_t)1 << list[k];
		if (is_better(&world->ask, here, best[set]))
			best[set] = here;
		tried += 1 + try_all(world, list, count + 1, best);
	}
	return tried;
}

/* Within what rounding may do, twice. */
static bool is_same(struct verdict a, struct verdict b)
{
	return fabs(a.chance - b.chance) <= 2 &&
	       (isinf(a.cost) ? isinf(b.cost) : fabs(a.cost - b.cost) <= 2);
}

/* The set whose best order is better than that of all others not yet taken. */
static struct verdict take_best(const struct world *world, struct verdict *sets)
{
	size_t best = 1;
	for (size_t set = 2; set < SETS; set++)
		if (is_better(&world->ask, sets[set], sets[best]))
			best = set;
	struct verdict verdict = sets[best];
	sets[best].chance = -1;
	return verdict;
}

static size_t compare(struct world *world, uint32_t seed)
{
	struct verdict sets[SETS];
	const struct suggestion *found;
	size_t list[PREFS_MAX];
	for (size_t i = 0; i < SETS; i++)
		sets[i] = (struct verdict){ -1, HUGE_VAL };
	struct suggest *suggest = suggest_new(&world->curves, &world->ask, 0);
	while (!suggest_step(suggest, 100))
		assert_true(suggest_best(suggest, &found) > 0);
	size_t count = suggest_best(suggest, &found);
	size_t tried = try_all(world, list, 0, sets);
	assert_true(count == SUGGEST_BEST_MAX || tried < SUGGEST_BEST_MAX * 4);
	for (size_t i = 0; i < count; i++) {
		struct verdict told = { round(found[i].chance * 1e9),
					found[i].expected_cost.set
						? (double)found[i].expected_cost.micro
						: HUGE_VAL };
		struct verdict here = judge(world, found[i].picks, found[i].count);
		struct verdict best = take_best(world, sets);
		if (!is_same(here, told) || !is_same(here, best))
			fail_msg("seed %" PRIu32
				 " list %zu: %.0f %.0f, told %.0f %.0f, best %.0f %.0f",
				 seed, i, here.chance, here.cost, told.chance, told.cost,
				 best.chance, best.cost);
	}
	suggest_free(suggest);
	return tried;
}

static void the_best_list__is_that_of_all_lists(void **state)
{
	uint32_t seeds = soak_seconds(0) ? LONG_SEEDS : SHORT_SEEDS;
	struct world *world = malloc(sizeof(*world));
	size_t tried = 0;
	(void)state;
	assert_non_null(world);
	for (uint32_t seed = 1; seed <= seeds; seed++) {
		make_world(world, seed);
		tried += compare(world, seed);
		wait_curves_release(&world->curves);
	}
	free(world);
	printf("%" PRIu32 " cases, %zu lists tried\n", seeds, tried);
}

/* Ten starts each, all at once: ml.a runs an hour for 10, ml.b half an hour for 8 an hour. */
static void make_two(struct wait_curves *curves, struct suggest_ask *ask)
{
	*ask = (struct suggest_ask){
		.candidates = { { names[0], 1, HOUR, { true, 10 * MILLION } },
				{ names[1], 1, HOUR / 2, { true, 8 * MILLION } } },
		.count = 2,
		.deadline_ms = 2 * HOUR
	};
	for (size_t i = 0; i < 20; i++) {
		const struct observation job = { .outcome = WAIT_STARTED,
						 .entries = { { names[i % 2], 1, false } },
						 .entry_count = 1,
						 .chosen_rank = 1 };
		wait_curves_add(curves, &job);
	}
}

static void of_lists_that_are_sure__the_cheaper_and_the_shorter_wins(void **state)
{
	struct wait_curves curves = { 0 };
	struct suggest_ask ask;
	const struct suggestion *best;
	struct suggest_why why;
	(void)state;
	make_two(&curves, &ask);
	struct suggest *suggest = suggest_new(&curves, &ask, 0);
	assert_int_equal(suggest_best(suggest, &best), 0);
	assert_false(suggest_why(suggest, &why));
	assert_true(suggest_step(suggest, SIZE_MAX));
	assert_int_equal(suggest_best(suggest, &best), 3);
	assert_int_equal(best[0].count, 1);
	assert_int_equal(best[0].picks[0], 1);
	assert_int_equal(best[0].expected_cost.micro, 4 * MILLION);
	assert_true(fabs(best[0].chance - 1) < 1e-12);
	assert_int_equal(best[1].count, 2); /* the tie goes to the cheaper, which is #1 */
	assert_int_equal(best[1].picks[0], 1);
	assert_true(best[1].won[0] > 0.999 && best[1].won[1] < 0.001);
	assert_true(suggest_why(suggest, &why));
	assert_int_equal(why.alone, 1);
	suggest_free(suggest);
	wait_curves_release(&curves);
}

/* ml.a starts at 10 minutes or, as often, at 70; ml.b the other way round at 20 and 80. A run of an
 * hour must start within 60 minutes: alone each has one half, together three quarters. */
static void why__is_what_each_entry_adds(void **state)
{
	struct wait_curves curves = { 0 };
	struct suggest_ask ask;
	const struct suggestion *best;
	struct suggest_why why;
	(void)state;
	make_two(&curves, &ask);
	wait_curves_release(&curves);
	for (int i = 0; i < 40; i++) {
		const struct observation job = {
			.outcome = WAIT_STARTED,
			.entries = { { names[i % 2], 1, false } },
			.entry_count = 1,
			.chosen_rank = 1,
			.wait_ms = (i % 2 ? 20 : 10) * MINUTE + (i < 20 ? 0 : HOUR),
		};
		wait_curves_add(&curves, &job);
	}
	ask.candidates[1].run_ms = HOUR;
	struct suggest *suggest = suggest_new(&curves, &ask, 0);
	assert_true(suggest_step(suggest, SIZE_MAX));
	suggest_best(suggest, &best);
	assert_int_equal(best[0].count, 2);
	assert_true(fabs(best[0].chance - 0.75) < 1e-9);
	assert_true(suggest_why(suggest, &why));
	assert_true(fabs(why.without[0] - 0.5) < 1e-9 && fabs(why.without[1] - 0.5) < 1e-9);
	assert_true(fabs(why.alone_chance - 0.5) < 1e-9);
	assert_int_equal(why.alone, 1); /* 8 against 10 */
	assert_int_equal(why.alone_cost.micro, 8 * MILLION);
	suggest_free(suggest);
	wait_curves_release(&curves);
}

/*
 * ml.a, cheap, must start within 30 minutes: half its starts are at 10, half at 40. ml.b has until
 * 60 and always starts at 40. There b has to go first, though it is dearer: then the list is sure,
 * for (3 + 8) / 2; a first would leave it at one half.
 */
static void where_two_start_at_one_moment__the_one_that_is_in_time_goes_first(void **state)
{
	struct wait_curves curves = { 0 };
	struct suggest_ask ask = {
		.candidates = { { names[0], 1, 90 * MINUTE, { true, 2 * MILLION } },
				{ names[1], 1, 60 * MINUTE, { true, 8 * MILLION } } },
		.count = 2,
		.deadline_ms = 120 * MINUTE,
	};
	const struct suggestion *best;
	(void)state;
	for (int i = 0; i < 40; i++) {
		const struct observation job = { .outcome = WAIT_STARTED,
						 .entries = { { names[i % 2], 1, false } },
						 .entry_count = 1,
						 .chosen_rank = 1,
						 .wait_ms = i % 4 ? 40 * MINUTE : 10 * MINUTE };
		wait_curves_add(&curves, &job);
	}
	struct suggest *suggest = suggest_new(&curves, &ask, 0);
	assert_true(suggest_step(suggest, SIZE_MAX));
	suggest_best(suggest, &best);
	assert_int_equal(best[0].count, 2);
	assert_int_equal(best[0].picks[0], 1);
	assert_true(fabs(best[0].chance - 1) < 1e-9);
	assert_int_equal(best[0].expected_cost.micro, 5500000);
	suggest_free(suggest);
	wait_curves_release(&curves);
}

static void a_candidate_that_does_not_fit__is_left_out__with_the_reason(void **state)
{
	struct wait_curves curves = { 0 };
	struct suggest_ask ask;
	(void)state;
	make_two(&curves, &ask);
	ask.candidates[2] = (struct suggest_candidate){ "ml.never-seen", 1, HOUR, { true, 1 } };
	ask.candidates[3] = ask.candidates[1];
	ask.candidates[3].run_ms = 2 * HOUR + 1;
	ask.candidates[4] = ask.candidates[1];
	ask.candidates[4].per_hour.set = false;
	ask.count = 5;
	ask.budget = (struct money){ true, 9 * MILLION };
	struct suggest *suggest = suggest_new(&curves, &ask, 0);
	static const enum suggest_left expected[] = { SUGGEST_TOO_DEAR, SUGGEST_FIT,
						      SUGGEST_TOO_FEW, SUGGEST_TOO_SLOW,
						      SUGGEST_NO_PRICE };
	for (size_t i = 0; i < ARRAY_LEN(expected); i++)
		assert_int_equal(suggest_left(suggest, i), expected[i]);
	suggest_free(suggest);
	ask.budget.set = false; /* then a price is not needed for the chance */
	suggest = suggest_new(&curves, &ask, 0);
	assert_int_equal(suggest_left(suggest, 0), SUGGEST_FIT);
	assert_int_equal(suggest_left(suggest, 4), SUGGEST_FIT);
	suggest_free(suggest); /* in the middle of its work */
	suggest_free(NULL);
	wait_curves_release(&curves);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_list__is_that_of_all_lists),
		cmocka_unit_test(of_lists_that_are_sure__the_cheaper_and_the_shorter_wins),
		cmocka_unit_test(why__is_what_each_entry_adds),
		cmocka_unit_test(where_two_start_at_one_moment__the_one_that_is_in_time_goes_first),
		cmocka_unit_test(a_candidate_that_does_not_fit__is_left_out__with_the_reason),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
