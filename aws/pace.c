#include "aws/pace.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

#define DESCRIBE_GAP_MS 500 /* two starts a second over all Describe operations */

#define ANSWER_MS    2000 /* that a visit to the file of turns may take */
#define LATE_MS      500  /* a turn that is used so late leaves half a gap to the next one */
#define FIRST_MS     2000 /* that the first list goes alone, at most */
#define AGAIN_MIN_MS 1000 /* between two looks at a queue that is full */
#define AGAIN_MAX_MS 10000

void pace_init(struct pace *pace, const struct pace_options *options)
{
	double starts = options->list_starts;

	*pace = (struct pace){ .list_gap_ms = starts > 0 ? (int64_t)(1000 / starts + 0.5) : 0,
			       .clock = options->clock,
			       .shared = options->shared,
			       .at_once = options->at_once,
			       .changed = options->changed,
			       .ctx = options->ctx };
}

void pace_release(struct pace *pace)
{
	while (pace->ops) {
		struct op_pace *first = pace->ops;

		if (first->visit)
			shared_pace_forget(pace->shared, first->visit);
		pace->ops = first->next;
		free(first);
	}
	*pace = (struct pace){ 0 };
}

/* NULL for an operation that was never asked for. */
static struct op_pace *find(const struct pace *pace, const char *op_name)
{
	struct op_pace *known = pace->ops;

	while (known && strcmp(known->op->name, op_name) != 0)
		known = known->next;
	return known;
}

static struct op_pace *pace_of(struct pace *pace, const struct aws_op *op)
{
	struct op_pace *known = find(pace, op->name);

	if (known)
		return known;
	known = mem_new(1, sizeof(*known));
	*known = (struct op_pace){ .pace = pace, .op = op, .next = pace->ops };
	pace->ops = known;
	return known;
}

/* --- the own pace --- */

static int64_t own_ready_ms(const struct op_pace *known, int64_t now_ms)
{
	const struct pace *pace = known->pace;

	if (known->op->list && known->started > 0)
		return known->last_ms +
		       slowdown_stretch(&known->slowdown, pace->list_gap_ms, now_ms);
	if (known->op->describe && pace->has_described && pace->list_gap_ms > 0)
		return pace->last_describe_ms +
		       slowdown_stretch(&pace->describe_slowdown, DESCRIBE_GAP_MS, now_ms);
	return INT64_MIN;
}

/* --- turns among other processes --- */

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
	if (value < least)
		return least;
	return value < most ? value : most;
}

static void on_found(void *ctx, const struct pace_found *found)
{
	struct op_pace *known = ctx;
	struct pace *pace = known->pace;
	int64_t now_ms = clock_mono_ms(pace->clock);

	known->visit = 0;
	known->turn = TURN_NONE;
	if (found) {
		int64_t at_ms = found->at_ms;

		slowdown_join(&known->slowdown, &found->slowdown, now_ms);
		known->turn = found->taken ? TURN_TAKEN : TURN_FULL;
		known->turn_ms = at_ms;
		if (found->taken)
			known->until_ms = (at_ms > now_ms ? at_ms : now_ms) + LATE_MS;
		else
			known->until_ms = now_ms + clamp(at_ms - TURNS_AHEAD_MS - now_ms,
							 AGAIN_MIN_MS, AGAIN_MAX_MS);
	}
	pace->changed(pace->ctx);
}

static void end_turn(struct op_pace *known, int64_t now_ms)
{
	struct shared_pace *shared = known->pace->shared;

	if (known->turn == TURN_NONE || now_ms <= known->until_ms)
		return;
	if (known->turn == TURN_ASKED) {
		shared_pace_forget(shared, known->visit);
		shared_pace_note_silent(shared);
		known->visit = 0;
	}
	known->turn = TURN_NONE;
}

/* The first list of a process goes alone, so that of many that begin together each has something to
 * show before any of them has everything. INT64_MIN: nothing is in its way. */
static int64_t blocked_until_ms(const struct op_pace *known)
{
	const struct pace *pace = known->pace;
	int64_t until = INT64_MIN;

	for (const struct op_pace *other = pace->ops; other; other = other->next) {
		if (other != known && other->turn != TURN_NONE && other->until_ms > until)
			until = other->until_ms;
	}
	if (pace->has_listed || until == INT64_MIN)
		return INT64_MIN;
	return until < pace->first_ms + FIRST_MS ? until : pace->first_ms + FIRST_MS;
}

static bool turn_is_here(struct op_pace *known, int64_t now_ms)
{
	struct pace *pace = known->pace;
	const struct pace_visit visit = { .op = known->op->name,
					  .gap_ms = pace->list_gap_ms,
					  .at_once = pace->at_once };

	end_turn(known, now_ms);
	if (known->turn == TURN_TAKEN)
		return now_ms >= known->turn_ms;
	if (known->turn != TURN_NONE || now_ms <= blocked_until_ms(known))
		return false;
	known->visit = shared_pace_visit(pace->shared, &visit, on_found, known);
	if (!known->visit)
		return true;
	if (!pace->has_asked)
		pace->first_ms = now_ms;
	pace->has_asked = true;
	known->turn = TURN_ASKED;
	known->until_ms = now_ms + ANSWER_MS;
	return false;
}

static int64_t turn_ready_ms(const struct op_pace *known)
{
	if (known->turn == TURN_TAKEN)
		return known->turn_ms;
	if (known->turn != TURN_NONE)
		return known->until_ms + 1;
	return blocked_until_ms(known) == INT64_MIN ? INT64_MIN : blocked_until_ms(known) + 1;
}

/* --- both --- */

static bool is_shared(const struct pace *pace, const struct aws_op *op)
{
	return op->list && pace->shared && pace->list_gap_ms > 0;
}

bool pace_may_start(struct pace *pace, const struct aws_op *op, int64_t now_ms)
{
	struct op_pace *known = pace_of(pace, op);

	return own_ready_ms(known, now_ms) <= now_ms &&
	       (!is_shared(pace, op) || turn_is_here(known, now_ms));
}

int64_t pace_ready_ms(struct pace *pace, const struct aws_op *op, int64_t now_ms)
{
	const struct op_pace *known = pace_of(pace, op);
	int64_t own = own_ready_ms(known, now_ms);
	int64_t turn = is_shared(pace, op) ? turn_ready_ms(known) : INT64_MIN;

	return own > turn ? own : turn;
}

bool pace_is_queued(const struct pace *pace, const struct aws_op *op)
{
	const struct op_pace *known = find(pace, op->name);

	return known && is_shared(pace, op) && turn_ready_ms(known) != INT64_MIN;
}

/* Of the seconds that a ring of counts holds, those up to now. */
static void count_call(struct pace *pace, int64_t now_ms)
{
	int64_t now_s = now_ms / 1000;

	for (int i = 1; i <= PACE_SECONDS && pace->counted_s + i <= now_s; i++)
		pace->counts[(pace->counted_s + i) % PACE_SECONDS] = 0;
	pace->counted_s = now_s;
	pace->counts[now_s % PACE_SECONDS]++;
}

static unsigned counted(const struct pace *pace, int64_t now_ms)
{
	int64_t now_s = now_ms / 1000;
	unsigned sum = 0;

	for (int64_t s = now_s - PACE_SECONDS + 1; s <= pace->counted_s; s++) {
		if (s > pace->counted_s - PACE_SECONDS && s >= 0)
			sum += pace->counts[s % PACE_SECONDS];
	}
	return sum;
}

void pace_note_start(struct pace *pace, const struct aws_op *op, int64_t now_ms)
{
	struct op_pace *known = pace_of(pace, op);

	known->started++;
	known->last_ms = now_ms;
	known->turn = TURN_NONE;
	pace->has_listed |= op->list;
	if (op->describe) {
		pace->has_described = true;
		pace->last_describe_ms = now_ms;
	}
	count_call(pace, now_ms);
}

void pace_note_throttled(struct pace *pace, const struct aws_op *op, int64_t now_ms)
{
	struct op_pace *known = pace_of(pace, op);
	const struct pace_visit visit = { .op = op->name, .throttles = 1 };

	slowdown_note_throttled(op->describe ? &pace->describe_slowdown : &known->slowdown, 1,
				now_ms);
	if (is_shared(pace, op))
		shared_pace_visit(pace->shared, &visit, NULL, NULL);
}

struct slowdown pace_slowdown(const struct pace *pace, const struct aws_op *op)
{
	const struct op_pace *known = find(pace, op->name);

	if (op->describe)
		return pace->describe_slowdown;
	return known ? known->slowdown : (struct slowdown){ 0 };
}

unsigned pace_started(const struct pace *pace, const char *op_name)
{
	const struct op_pace *known = find(pace, op_name);

	return known ? known->started : 0;
}

static void add_slowdown(struct pace_status *status, const struct slowdown *slowdown,
			 int64_t now_ms)
{
	int64_t permille = slowdown_pace(slowdown, now_ms);

	if (permille >= status->permille)
		return;
	status->permille = permille;
	status->until = (struct opt_ms){ .set = true, .ms = slowdown_over_ms(slowdown) };
}

struct pace_status pace_status(const struct pace *pace, int64_t now_ms)
{
	struct pace_status status = { .calls = counted(pace, now_ms),
				      .permille = SLOWDOWN_FULL,
				      .is_shared = pace->shared && pace->list_gap_ms > 0 };

	add_slowdown(&status, &pace->describe_slowdown, now_ms);
	for (const struct op_pace *known = pace->ops; known; known = known->next) {
		int64_t wait_ms = known->turn_ms - now_ms;

		add_slowdown(&status, &known->slowdown, now_ms);
		if ((known->turn == TURN_TAKEN || known->turn == TURN_FULL) &&
		    wait_ms > status.queued_ms)
			status.queued_ms = wait_ms;
	}
	if (status.is_shared)
		status.shared = shared_pace_status(pace->shared);
	return status;
}
