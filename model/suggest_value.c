/* What a set of candidates is worth, in its best order. */
#include <math.h>
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/suggest_parts.h"

#define CHANCE_UNIT 1e9
#define SLACK       1e-12 /* more than rounding takes from a bound */

/* Of one order: the sums that its value is made of. */
struct sums {
	double chance;
	double won[PREFS_MAX]; /* by place in the set */
};

bool suggest_is_better(const struct suggest_ask *ask, struct suggest_value a,
		       struct suggest_value b)
{
	if (ask->by == SUGGEST_BY_COST) {
		int64_t least = llround(ask->least_chance * CHANCE_UNIT);
		bool enough = a.chance >= least;
		if (enough != (b.chance >= least))
			return enough;
		if (enough && a.cost != b.cost)
			return a.cost < b.cost;
	}
	return a.chance != b.chance ? a.chance > b.chance : a.cost < b.cost;
}

/* The least that the starts of chance all together can cost: as many as can be on the cheapest. */
static double least_cost(const struct runner *const *set, size_t count, double all)
{
	bool used[PREFS_MAX] = { false };
	double sum = 0, left = all;
	for (size_t k = 0; k < count && left > 0; k++) {
		size_t cheapest = count;
		for (size_t i = 0; i < count; i++)
			if (!used[i] && (cheapest == count || set[i]->cost < set[cheapest]->cost))
				cheapest = i;
		used[cheapest] = true;
		double share = set[cheapest]->ever < left ? set[cheapest]->ever : left;
		sum += share * set[cheapest]->cost;
		left -= share;
	}
	return sum / all;
}

struct suggest_value suggest_bound(const struct runner *const *set, size_t count)
{
	double late = 1, waiting = 1;
	bool priced = true;
	for (size_t i = 0; i < count; i++) {
		late *= 1 - set[i]->in_time;
		waiting *= 1 - set[i]->ever;
		priced = priced && set[i]->priced;
	}
	struct suggest_value bound = { (int64_t)ceil((1 - late + SLACK) * CHANCE_UNIT), INT64_MAX };
	if (priced && waiting < 1)
		bound.cost = (int64_t)floor(least_cost(set, count, 1 - waiting) * (1 - SLACK));
	return bound;
}

/* Adds what happens at a tie when the places go first in this order. */
static void add_tie(struct sums *sums, const struct runner *const *set, size_t count,
		    const struct suggest_tie *tie, const size_t *order)
{
	double waiting = tie->waiting;
	for (size_t k = 0; k < count; k++) {
		size_t i = order[k];
		double won = waiting * tie->hazard[i];
		sums->won[i] += won;
		if (tie->ms <= set[i]->latest_ms)
			sums->chance += won;
		waiting -= won;
	}
}

/* Goes through the starts of all in the order of time: those at a moment of their own are summed,
 * the others are kept as ties. Returns the work. */
static size_t merge(const struct runner *const *set, size_t count, struct suggest_scratch *scratch,
		    struct sums *sums)
{
	size_t at[PREFS_MAX] = { 0 }, work = 0;
	double waiting = 1;
	scratch->count = 0;
	for (;; work++) {
		struct suggest_tie tie = { .waiting = waiting, .ms = INT64_MAX };
		size_t here = 0, last = 0;
		for (size_t i = 0; i < count; i++)
			if (at[i] < set[i]->start_count && set[i]->starts[at[i]].ms < tie.ms)
				tie.ms = set[i]->starts[at[i]].ms;
		if (tie.ms == INT64_MAX)
			return work;
		for (size_t i = 0; i < count; i++) {
			if (at[i] == set[i]->start_count || set[i]->starts[at[i]].ms != tie.ms)
				continue;
			tie.hazard[i] = set[i]->starts[at[i]++].hazard;
			waiting *= 1 - tie.hazard[i];
			last = i;
			here++;
		}
		if (here > 1) {
			if (scratch->count == scratch->capacity)
				scratch->ties =
					mem_grow(scratch->ties, &scratch->capacity,
						 scratch->count + 1, sizeof(*scratch->ties));
			scratch->ties[scratch->count++] = tie;
			continue;
		}
		double won = tie.waiting * tie.hazard[last];
		sums->won[last] += won;
		if (tie.ms <= set[last]->latest_ms)
			sums->chance += won;
	}
}

static struct sums sums_of_order(const struct sums *base, const struct runner *const *set,
				 size_t count, const struct suggest_scratch *scratch,
				 const size_t *order)
{
	struct sums sums = *base;
	for (size_t i = 0; i < scratch->count; i++)
		add_tie(&sums, set, count, &scratch->ties[i], order);
	return sums;
}

static struct suggest_value value_of(const struct sums *sums, const struct runner *const *set,
				     size_t count)
{
	struct suggest_value value = { llround(sums->chance * CHANCE_UNIT), INT64_MAX };
	double cost = 0, all = 0;
	for (size_t i = 0; i < count; i++) {
		if (!set[i]->priced)
			return value;
		cost += sums->won[i] * set[i]->cost;
		all += sums->won[i];
	}
	if (all > 0)
		value.cost = llround(cost / all);
	return value;
}

static bool goes_first(const struct runner *a, const struct runner *b, bool by_cost)
{
	if (by_cost && a->cost != b->cost)
		return a->cost < b->cost;
	if (a->latest_ms != b->latest_ms)
		return a->latest_ms > b->latest_ms;
	return a->cost < b->cost;
}

static void sort_places(const struct runner *const *set, size_t count, bool by_cost, size_t *order)
{
	for (size_t i = 0; i < count; i++) {
		size_t k = i;
		for (; k && goes_first(set[i], set[order[k - 1]], by_cost); k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
}

/* The next order in the dictionary's sense; false behind the last. */
static bool next_order(size_t *order, size_t count)
{
	size_t i = count - 1, k = count - 1;
	while (i && order[i - 1] >= order[i])
		i--;
	if (i == 0)
		return false;
	while (order[k] <= order[i - 1])
		k--;
	size_t kept = order[i - 1];
	order[i - 1] = order[k];
	order[k] = kept;
	for (k = count - 1; i < k; i++, k--) {
		kept = order[i];
		order[i] = order[k];
		order[k] = kept;
	}
	return true;
}

static void fill(struct suggestion *out, const struct runner *const *set, size_t count,
		 const size_t *order, const struct sums *sums, struct suggest_value value)
{
	*out = (struct suggestion){ .count = count, .chance = sums->chance };
	for (size_t k = 0; k < count; k++) {
		out->picks[k] = set[order[k]]->candidate;
		out->won[k] = sums->won[order[k]];
	}
	if (value.cost != INT64_MAX)
		out->expected_cost = (struct money){ true, value.cost };
}

/*
 * At a tie those who are cheaper go first for the least cost, and those who may start latest for
 * the best chance: each order is the best of its kind at every tie at once. Where the first is the
 * second too nothing is left to try.
 */
size_t suggest_evaluate(const struct suggest_ask *ask, const struct runner *const *set,
			size_t count, struct suggest_scratch *scratch, struct suggestion *out,
			struct suggest_value *value)
{
	size_t order[PREFS_MAX], other[PREFS_MAX];
	struct sums base = { 0 };
	size_t work = merge(set, count, scratch, &base);
	sort_places(set, count, true, order);
	struct sums sums = sums_of_order(&base, set, count, scratch, order);
	*value = value_of(&sums, set, count);
	fill(out, set, count, order, &sums, *value);
	if (scratch->count == 0)
		return work;
	sort_places(set, count, false, other);
	sums = sums_of_order(&base, set, count, scratch, other);
	work += 2 * scratch->count;
	if (value_of(&sums, set, count).chance == value->chance)
		return work;
	for (size_t i = 0; i < count; i++)
		other[i] = i;
	do {
		sums = sums_of_order(&base, set, count, scratch, other);
		struct suggest_value here = value_of(&sums, set, count);
		work += scratch->count;
		if (suggest_is_better(ask, here, *value)) {
			*value = here;
			fill(out, set, count, other, &sums, here);
		}
	} while (next_order(other, count));
	return work;
}
