#include "model/suggest.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/forecast.h"
#include "model/suggest_parts.h"

/* A set of runners; sets are a heap, the best bound on top. */
struct set {
	uint32_t members; /* bits */
	struct suggest_value bound;
};

struct ranked {
	struct suggest_value value;
	uint32_t members;
};

struct suggest {
	struct suggest_ask ask;
	enum suggest_left left[SUGGEST_CANDIDATES_MAX];
	struct runner runners[SUGGEST_CANDIDATES_MAX];
	size_t runner_count;
	struct set *sets; /* owned */
	size_t set_count;
	struct suggest_scratch scratch;
	struct suggestion best[SUGGEST_BEST_MAX];
	struct ranked ranked[SUGGEST_BEST_MAX];
	size_t best_count;
	bool done;
};

static enum suggest_left judge(const struct suggest_ask *ask,
			       const struct suggest_candidate *candidate,
			       const struct survival *curve, struct money cost)
{
	bool price_counts = ask->budget.set || ask->by == SUGGEST_BY_COST;
	if (!curve || curve->starts < FORECAST_STARTS_MIN)
		return SUGGEST_TOO_FEW;
	if (candidate->run_ms > ask->deadline_ms)
		return SUGGEST_TOO_SLOW;
	if (!cost.set)
		return price_counts ? SUGGEST_NO_PRICE : SUGGEST_FIT;
	return ask->budget.set && cost.micro > ask->budget.micro ? SUGGEST_TOO_DEAR : SUGGEST_FIT;
}

static void copy_starts(struct runner *runner, const struct survival *curve, int64_t until_ms)
{
	runner->starts = mem_new(curve->count, sizeof(*runner->starts));
	for (size_t i = 0; i < curve->count && curve->steps[i].ms <= until_ms; i++)
		runner->starts[runner->start_count++] = (struct runner_start){
			curve->steps[i].ms,
			(double)curve->steps[i].starts / curve->steps[i].at_risk,
		};
	runner->in_time = 1 - survival_waiting(curve, runner->latest_ms);
	runner->ever = 1 - survival_waiting(curve, until_ms);
}

static int64_t earlier(int64_t a_ms, int64_t b_ms)
{
	return a_ms < b_ms ? a_ms : b_ms;
}

/* Until when anything can start that is of interest. */
static int64_t until(const struct suggest_ask *ask)
{
	return ask->limit.set ? earlier(ask->limit.ms, ask->deadline_ms) : ask->deadline_ms;
}

static void add_candidate(struct suggest *suggest, struct wait_curves *curves, size_t i,
			  int64_t now_ms)
{
	const struct suggest_candidate *candidate = &suggest->ask.candidates[i];
	const struct wait_key key = { candidate->instance_type, suggest->ask.kind,
				      suggest->ask.spot, count_class_of(candidate->count) };
	const struct survival *curve = wait_curves_find(curves, &key, now_ms);
	struct money cost = price_in_time(candidate->per_hour, candidate->run_ms);
	suggest->left[i] = judge(&suggest->ask, candidate, curve, cost);
	if (suggest->left[i] != SUGGEST_FIT)
		return;
	struct runner *runner = &suggest->runners[suggest->runner_count++];
	*runner =
		(struct runner){ .candidate = i,
				 .latest_ms = earlier(suggest->ask.deadline_ms - candidate->run_ms,
						      until(&suggest->ask)),
				 .priced = cost.set,
				 .cost = cost.set ? (double)cost.micro : 0 };
	copy_starts(runner, curve, until(&suggest->ask));
}

static size_t members_of(const struct suggest *suggest, uint32_t members, const struct runner **out)
{
	size_t count = 0;
	for (size_t i = 0; i < suggest->runner_count; i++)
		if (members & UINT32_C(1) << i)
			out[count++] = &suggest->runners[i];
	return count;
}

static bool names_type(const struct suggest *suggest, uint32_t members, size_t runner)
{
	const struct suggest_candidate *all = suggest->ask.candidates;
	const char *type = all[suggest->runners[runner].candidate].instance_type;
	for (size_t i = 0; i < runner; i++)
		if (members & UINT32_C(1) << i &&
		    strcmp(all[suggest->runners[i].candidate].instance_type, type) == 0)
			return true;
	return false;
}

/* Every set of up to five that names no type twice: those of members and some of the runners from
 * first on. At most 21,699 of twenty; the depth is five. */
static void add_sets(struct suggest *suggest, size_t *capacity, uint32_t members, size_t size,
		     size_t first)
{
	for (size_t i = first; i < suggest->runner_count; i++) {
		const struct runner *set[PREFS_MAX];
		uint32_t more = members | UINT32_C(1) << i;
		if (names_type(suggest, members, i))
			continue;
		if (suggest->set_count == *capacity)
			suggest->sets = mem_grow(suggest->sets, capacity, suggest->set_count + 1,
						 sizeof(*suggest->sets));
		size_t count = members_of(suggest, more, set);
		suggest->sets[suggest->set_count++] =
			(struct set){ more, suggest_bound(set, count) };
		if (size + 1 < suggest->ask.most)
			add_sets(suggest, capacity, more, size + 1, i + 1);
	}
}

/* The better value, then fewer entries, then the earlier candidates. */
static bool goes_before(const struct suggest_ask *ask, const struct ranked *a,
			const struct ranked *b)
{
	if (suggest_is_better(ask, a->value, b->value))
		return true;
	if (suggest_is_better(ask, b->value, a->value))
		return false;
	int left = __builtin_popcount(a->members), right = __builtin_popcount(b->members);
	return left != right ? left < right : a->members < b->members;
}

/* A heap's sift: the sets need an order that knows what was asked, which qsort cannot hand on. */
static void sift(const struct suggest *suggest, size_t at, size_t count)
{
	struct set *sets = suggest->sets;
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count &&
		    suggest_is_better(&suggest->ask, sets[child + 1].bound, sets[child].bound))
			child++;
		if (!suggest_is_better(&suggest->ask, sets[child].bound, sets[at].bound))
			return;
		struct set kept = sets[at];
		sets[at] = sets[child];
		sets[child] = kept;
	}
}

struct suggest *suggest_new(struct wait_curves *curves, const struct suggest_ask *ask,
			    int64_t now_ms)
{
	struct suggest *suggest = mem_new(1, sizeof(*suggest));
	size_t capacity = 0;
	suggest->ask = *ask;
	if (ask->most == 0)
		suggest->ask.most = PREFS_MAX;
	for (size_t i = 0; i < ask->count; i++)
		add_candidate(suggest, curves, i, now_ms);
	add_sets(suggest, &capacity, 0, 0, 0);
	for (size_t i = suggest->set_count / 2; i--;)
		sift(suggest, i, suggest->set_count);
	return suggest;
}

void suggest_free(struct suggest *suggest)
{
	if (!suggest)
		return;
	for (size_t i = 0; i < suggest->runner_count; i++)
		free(suggest->runners[i].starts);
	free(suggest->scratch.ties);
	free(suggest->sets);
	free(suggest);
}

static void keep(struct suggest *suggest, const struct suggestion *found, struct ranked ranked)
{
	size_t at = suggest->best_count;
	while (at && goes_before(&suggest->ask, &ranked, &suggest->ranked[at - 1]))
		at--;
	if (at == SUGGEST_BEST_MAX)
		return;
	if (suggest->best_count < SUGGEST_BEST_MAX)
		suggest->best_count++;
	for (size_t i = suggest->best_count - 1; i > at; i--) {
		suggest->best[i] = suggest->best[i - 1];
		suggest->ranked[i] = suggest->ranked[i - 1];
	}
	suggest->best[at] = *found;
	suggest->ranked[at] = ranked;
}

/* Takes the set with the best bound off the heap; false when it cannot come among the best. */
static bool take_set(struct suggest *suggest, uint32_t *members)
{
	if (suggest->set_count == 0)
		return false;
	struct set top = suggest->sets[0];
	if (suggest->best_count == SUGGEST_BEST_MAX &&
	    suggest_is_better(&suggest->ask, suggest->ranked[SUGGEST_BEST_MAX - 1].value,
			      top.bound))
		return false;
	suggest->sets[0] = suggest->sets[--suggest->set_count];
	sift(suggest, 0, suggest->set_count);
	*members = top.members;
	return true;
}

bool suggest_step(struct suggest *suggest, size_t work)
{
	for (size_t spent = 0; !suggest->done && spent < work;) {
		const struct runner *set[PREFS_MAX];
		struct suggestion found;
		struct ranked ranked;
		if (!take_set(suggest, &ranked.members)) {
			suggest->done = true;
			break;
		}
		size_t count = members_of(suggest, ranked.members, set);
		spent += 1 + suggest_evaluate(&suggest->ask, set, count, &suggest->scratch, &found,
					      &ranked.value);
		keep(suggest, &found, ranked);
	}
	return suggest->done;
}

size_t suggest_best(const struct suggest *suggest, const struct suggestion **best)
{
	*best = suggest->best;
	return suggest->best_count;
}

enum suggest_left suggest_left(const struct suggest *suggest, size_t candidate)
{
	return suggest->left[candidate];
}

/* The value of some of the runners, outside of the search. */
static struct suggest_value value_of(const struct suggest *suggest, uint32_t members,
				     struct suggestion *out)
{
	const struct runner *set[PREFS_MAX];
	struct suggest_scratch scratch = { 0 };
	struct suggest_value value;
	size_t count = members_of(suggest, members, set);
	suggest_evaluate(&suggest->ask, set, count, &scratch, out, &value);
	free(scratch.ties);
	return value;
}

bool suggest_why(const struct suggest *suggest, struct suggest_why *why)
{
	struct suggestion found;
	struct ranked best = { 0 };
	*why = (struct suggest_why){ 0 };
	if (suggest->best_count == 0)
		return false;
	for (size_t i = 0; i < suggest->runner_count; i++) {
		uint32_t bit = UINT32_C(1) << i, rest = suggest->ranked[0].members & ~bit;
		struct ranked alone = { value_of(suggest, bit, &found), bit };
		if (i == 0 || goes_before(&suggest->ask, &alone, &best)) {
			best = alone;
			why->alone = found.picks[0];
			why->alone_chance = found.chance;
			why->alone_cost = found.expected_cost;
		}
		if (rest == suggest->ranked[0].members || rest == 0)
			continue;
		value_of(suggest, rest, &found);
		for (size_t k = 0; k < suggest->best[0].count; k++)
			if (suggest->best[0].picks[k] == suggest->runners[i].candidate) {
				why->without[k] = found.chance;
				why->without_cost[k] = found.expected_cost;
			}
	}
	return true;
}
