/* When a type was seen free or not, and at which hours of the week: by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <time.h>

#include "model/base/attr.h"
#include "model/base/clock.h"
#include "model/sightings.h"
#include "model/week_pattern.h"

#define MINUTE INT64_C(60000)

static int64_t at(const char *iso)
{
	int64_t ms;
	assert_true(time_parse_iso(iso, &ms));
	return ms;
}

/* p5, then p4d, then trn1. */
static struct observation job(const char *submitted, enum wait_outcome outcome, size_t chosen,
			      int64_t wait_ms)
{
	return (struct observation){
		.outcome = outcome,
		.entries = { { "p5", 1, false }, { "p4d", 4, false }, { "trn1", 1, false } },
		.entry_count = 3,
		.chosen_rank = chosen,
		.submitted_at_ms = at(submitted),
		.wait_ms = wait_ms,
	};
}

static void the_first_try__goes_as_far_as_one_is_free(void **state)
{
	static const struct {
		enum wait_outcome outcome;
		size_t chosen;
		int64_t wait_ms;
		enum observation_try tries[3];
	} rows[] = {
		{ WAIT_STARTED, 2, MINUTE, { TRY_REFUSED, TRY_FREE, TRY_NONE } },
		{ WAIT_STARTED, 2, 6 * MINUTE, { TRY_REFUSED, TRY_REFUSED, TRY_REFUSED } },
		{ WAIT_STARTED, 0, MINUTE, { TRY_NONE, TRY_NONE, TRY_NONE } },
		{ WAIT_PENDING, 0, MINUTE, { TRY_NONE, TRY_NONE, TRY_NONE } },
		{ WAIT_PENDING, 0, 6 * MINUTE, { TRY_REFUSED, TRY_REFUSED, TRY_REFUSED } },
		{ WAIT_STOPPED, 0, MINUTE, { TRY_NONE, TRY_NONE, TRY_NONE } },
		{ WAIT_TIMED_OUT, 0, 1000, { TRY_REFUSED, TRY_REFUSED, TRY_REFUSED } },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct observation list = job("2026-11-30T14:02:00Z", rows[i].outcome,
					      rows[i].chosen, rows[i].wait_ms);
		for (size_t k = 0; k < 3; k++)
			assert_int_equal(observation_first_try(&list, k), rows[i].tries[k]);
		list.entries[0].on_plan = true;
		assert_int_equal(observation_first_try(&list, 0), TRY_NONE);
	}
}

static void assert_seen(const struct sightings *sightings, size_t i, const char *iso, bool free)
{
	assert_true(i < sightings->count);
	assert_int_equal(sightings->newest[i].at_ms, at(iso));
	assert_int_equal(sightings->newest[i].free, free);
}

static void sightings__are_the_newest_first(void **state)
{
	struct sightings p5 = { .instance_type = "p5", .since_ms = at("2026-11-30T14:00:00Z") };
	struct sightings p4d = { .instance_type = "p4d", .since_ms = at("2026-11-30T14:00:00Z") };
	const struct observation jobs[] = {
		job("2026-11-30T14:31:00Z", WAIT_STARTED, 2, 40 * MINUTE),
		job("2026-11-30T14:02:00Z", WAIT_STARTED, 2, MINUTE),
		job("2026-11-30T14:02:30Z", WAIT_STARTED, 2, MINUTE), /* in the same minute */
		job("2026-11-30T13:00:00Z", WAIT_STARTED, 2, MINUTE), /* too old */
		job("2026-11-30T13:30:00Z", WAIT_PENDING, 0, 90 * MINUTE),
	};
	struct observation spot = jobs[0];
	(void)state;
	spot.spot = true;
	for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
		sightings_add(&p5, &jobs[i]);
		sightings_add(&p4d, &jobs[i]);
	}
	sightings_add(&p5, &spot);
	assert_int_equal(p5.count, 4);
	assert_seen(&p5, 0, "2026-11-30T15:11:00Z", false);
	assert_seen(&p5, 1, "2026-11-30T15:00:00Z", false); /* still waiting when last read */
	assert_seen(&p5, 2, "2026-11-30T14:31:00Z", false);
	assert_seen(&p5, 3, "2026-11-30T14:02:00Z", false);
	assert_seen(&p4d, 0, "2026-11-30T15:11:00Z", true);
	assert_seen(&p4d, 3, "2026-11-30T14:02:00Z", true);
}

static void of_many_sightings__the_newest_stay(void **state)
{
	struct sightings p5 = { .instance_type = "p5" };
	(void)state;
	for (int64_t i = 0; i < 50; i++) {
		struct observation list = job("2026-11-30T00:00:00Z", WAIT_STARTED, 1, MINUTE);
		list.submitted_at_ms += (i * 7 % 50) * MINUTE;
		sightings_add(&p5, &list);
	}
	assert_int_equal(p5.count, SIGHTINGS_MAX);
	assert_seen(&p5, 0, "2026-11-30T00:49:00Z", true);
	assert_seen(&p5, SIGHTINGS_MAX - 1, "2026-11-30T00:42:00Z", true);
}

/* 2026-11-30 is a Monday. */
static void the_week__has_its_hours_in_the_operators_zone(void **state)
{
	struct week_pattern week = { 0 };
	struct week_of of = { .instance_type = "p5", .utc = true };
	const struct observation jobs[] = {
		job("2026-11-30T23:59:00Z", WAIT_STARTED, 2, MINUTE),
		job("2026-12-01T23:10:00Z", WAIT_STARTED, 1, MINUTE),
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(jobs); i++)
		week_pattern_add(&week, &jobs[i], &of);
	assert_int_equal(week.cells[0][23].tries, 1);
	assert_int_equal(week.cells[0][23].free, 0);
	assert_int_equal(week.cells[1][23].free, 1);
	assert_int_equal(week.all.tries, 2);
	assert_int_equal(week.all.free, 1);
	of.utc = false; /* Tuesday, 00:59 */
	assert_int_equal(setenv("TZ", "CET-1", 1), 0);
	tzset();
	week_pattern_add(&week, &jobs[0], &of);
	assert_int_equal(unsetenv("TZ"), 0);
	tzset();
	assert_int_equal(week.cells[1][0].tries, 1);
	of.instance_type = "trn1"; /* not tried */
	week_pattern_add(&week, &jobs[0], &of);
	of = (struct week_of){ .instance_type = "p5", .spot = true };
	week_pattern_add(&week, &jobs[0], &of);
	assert_int_equal(week.all.tries, 3);
	assert_string_equal(week_day_word(6), "Sun");
}

static void a_cell__is_a_digit_for_its_tenths(void **state)
{
	static const struct {
		struct week_cell cell;
		char mark;
	} rows[] = { { { 0, 0 }, '.' },  { { 9, 0 }, '0' },  { { 11, 1 }, '0' },
		     { { 10, 1 }, '1' }, { { 12, 6 }, '5' }, { { 100, 99 }, '9' },
		     { { 12, 12 }, '9' } };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(week_cell_mark(rows[i].cell), rows[i].mark);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_try__goes_as_far_as_one_is_free),
		cmocka_unit_test(sightings__are_the_newest_first),
		cmocka_unit_test(of_many_sightings__the_newest_stay),
		cmocka_unit_test(a_cell__is_a_digit_for_its_tenths),
		cmocka_unit_test(the_week__has_its_hours_in_the_operators_zone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
