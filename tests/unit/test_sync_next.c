#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "aws/sync_next.h"
#include "model/base/attr.h"

#define NOW   INT64_C(100000)
#define NEVER INT64_MAX

/* What a lane says in one letter: B busy, D due, G due but for its gap (300 ms), W due in 2 s, -
 * has nothing to ask. */
static struct sync_lane_state lane_of(char word)
{
	struct sync_lane_state lane = { .due_ms = NOW, .ready_ms = NOW, .complete = true };

	switch (word) {
	case 'B':
		lane.busy = true;
		break;
	case 'G':
		lane.ready_ms = NOW + 300;
		break;
	case 'W':
		lane.due_ms = NOW + 2000;
		break;
	case '-':
		lane.due_ms = NEVER;
		break;
	default:
		assert_int_equal(word, 'D');
	}
	return lane;
}

/* lanes: Search, training, processing, Describe. */
static const struct {
	const char *name, *lanes;
	enum sync_call pass; /* of Search */
	bool search_is_incomplete;
	bool refused, live, selected;
	enum sync_call expected;
	int64_t wake_ms;
} rows[] = {
	{ .name = "nothing to ask", .lanes = "----", .wake_ms = NEVER },
	{ .name = "everything in flight", .lanes = "BBBB", .wake_ms = NEVER },
	{ .name = "the first thing of all",
	  .lanes = "DDD-",
	  .search_is_incomplete = true,
	  .expected = CALL_SEARCH_ALL },
	{ .name = "the newest beside it",
	  .lanes = "BDD-",
	  .search_is_incomplete = true,
	  .expected = CALL_LIST_NEW },
	{ .name = "then processing", .lanes = "BBDD", .expected = CALL_LIST_PROCESSING },
	{ .name = "then a Describe", .lanes = "BBBD", .expected = CALL_DESCRIBE },
	{ .name = "the selected job before all",
	  .lanes = "DDDD",
	  .selected = true,
	  .expected = CALL_DESCRIBE },
	{ .name = "the selected job within its budget",
	  .lanes = "DDDG",
	  .selected = true,
	  .expected = CALL_SEARCH_CHANGED },
	{ .name = "what has changed", .lanes = "DWW-", .expected = CALL_SEARCH_CHANGED },
	{ .name = "live ones now and then",
	  .lanes = "DWW-",
	  .live = true,
	  .expected = CALL_SEARCH_LIVE },
	{ .name = "a pass under way goes on",
	  .lanes = "DWW-",
	  .pass = CALL_SEARCH_CHANGED,
	  .live = true,
	  .expected = CALL_SEARCH_CHANGED },
	{ .name = "so does the first one",
	  .lanes = "DWW-",
	  .pass = CALL_SEARCH_ALL,
	  .search_is_incomplete = true,
	  .live = true,
	  .expected = CALL_SEARCH_ALL },
	{ .name = "no Search: the walk",
	  .lanes = "WDW-",
	  .refused = true,
	  .expected = CALL_LIST_WALK },
	{ .name = "no Search: it is tried again",
	  .lanes = "DWW-",
	  .refused = true,
	  .search_is_incomplete = true,
	  .expected = CALL_SEARCH_ALL },
	{ .name = "a gap holds one lane alone", .lanes = "GGD-", .expected = CALL_LIST_PROCESSING },
	{ .name = "the shortest gap", .lanes = "WGWW", .wake_ms = NOW + 300 },
	{ .name = "the next refresh", .lanes = "WWW-", .wake_ms = NOW + 2000 },
	{ .name = "busy lanes do not wake", .lanes = "BBBW", .wake_ms = NOW + 2000 },
};

static void next__is_the_call_of_the_table__or_the_time_to_wait_for(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct sync_state at = { .now_ms = NOW,
					 .search_refused = rows[i].refused,
					 .live_due_ms = rows[i].live ? NOW : NOW + 1,
					 .selected_is_due = rows[i].selected };

		for (int lane = 0; lane < LANE_COUNT; lane++)
			at.lanes[lane] = lane_of(rows[i].lanes[lane]);
		at.lanes[LANE_SEARCH].pass = rows[i].pass;
		at.lanes[LANE_SEARCH].complete = !rows[i].search_is_incomplete;

		struct sync_next next = sync_next(&at);

		if (next.call != rows[i].expected)
			fail_msg("%s: call %d", rows[i].name, next.call);
		if (next.call == CALL_NONE && next.wake_ms != rows[i].wake_ms)
			fail_msg("%s: wakes at %lld", rows[i].name, (long long)next.wake_ms);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(next__is_the_call_of_the_table__or_the_time_to_wait_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
