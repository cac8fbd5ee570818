#include "aws/pace.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

#define DESCRIBE_GAP_MS 500 /* two starts a second over all Describe operations */

void pace_init(struct pace *pace, double list_starts)
{
	*pace = (struct pace){ .list_gap_ms =
				       list_starts > 0 ? (int64_t)(1000 / list_starts + 0.5) : 0 };
}

void pace_release(struct pace *pace)
{
	free(pace->ops);
	*pace = (struct pace){ 0 };
}

static struct op_pace *pace_of(struct pace *pace, const struct aws_op *op)
{
	for (size_t i = 0; i < pace->count; i++) {
		if (strcmp(pace->ops[i].op->name, op->name) == 0)
			return &pace->ops[i];
	}
	pace->ops = mem_grow(pace->ops, &pace->capacity, pace->count + 1, sizeof(*pace->ops));
	pace->ops[pace->count] = (struct op_pace){ .op = op };
	return &pace->ops[pace->count++];
}

int64_t pace_ready_ms(struct pace *pace, const struct aws_op *op, int64_t now_ms)
{
	const struct op_pace *known = pace_of(pace, op);

	if (op->list && known->started > 0)
		return known->last_ms +
		       slowdown_stretch(&known->slowdown, pace->list_gap_ms, now_ms);
	if (op->describe && pace->has_described && pace->list_gap_ms > 0)
		return pace->last_describe_ms +
		       slowdown_stretch(&pace->describe_slowdown, DESCRIBE_GAP_MS, now_ms);
	return INT64_MIN;
}

void pace_note_start(struct pace *pace, const struct aws_op *op, int64_t now_ms)
{
	struct op_pace *known = pace_of(pace, op);

	known->started++;
	known->last_ms = now_ms;
	if (op->describe) {
		pace->has_described = true;
		pace->last_describe_ms = now_ms;
	}
}

void pace_note_throttled(struct pace *pace, const struct aws_op *op, int64_t now_ms)
{
	struct op_pace *known = pace_of(pace, op);

	slowdown_note_throttled(op->describe ? &pace->describe_slowdown : &known->slowdown, 1,
				now_ms);
}

/* {0} for an operation that was never started. */
static struct op_pace known_pace(const struct pace *pace, const char *op_name)
{
	for (size_t i = 0; i < pace->count; i++) {
		if (strcmp(pace->ops[i].op->name, op_name) == 0)
			return pace->ops[i];
	}
	return (struct op_pace){ 0 };
}

struct slowdown pace_slowdown(const struct pace *pace, const struct aws_op *op)
{
	return op->describe ? pace->describe_slowdown : known_pace(pace, op->name).slowdown;
}

unsigned pace_started(const struct pace *pace, const char *op_name)
{
	return known_pace(pace, op_name).started;
}
