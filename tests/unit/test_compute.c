/* Equal compute, worked out by hand from AWS's pages of the types. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/compute.h"

static size_t offers(const char *from, int64_t count, const char *to, int64_t now,
		     struct compute_offer out[COMPUTE_MEASURES])
{
	struct compute wanted = compute_of(from, count);

	return compute_offers(&wanted, to, now, out);
}

static void total__is_count_by_accelerators__and_by_memory(void **state)
{
	struct compute p4d = compute_of("ml.p4d.24xlarge", 4); /* 8 A100 of 40 GiB each */
	struct compute none = compute_of("ml.c5.xlarge", 3);

	(void)state;
	assert_true(p4d.known);
	assert_int_equal(p4d.accelerators, 32);
	assert_int_equal(p4d.memory_gib, 1280);
	assert_true(none.known);
	assert_int_equal(none.accelerators, 0);
	assert_int_equal(none.memory_gib, 0);
	assert_false(compute_of("ml.zz9.1xlarge", 1).known);
	assert_false(compute_of("ml.p4d.24xlarge", 0).known);
	assert_false(compute_of("ml.p4d.24xlarge", -1).known);
	assert_false(compute_of("ml.p4d.24xlarge", INT64_MAX).known);
}

static void offers__are_both__where_they_differ(void **state)
{
	struct compute_offer out[COMPUTE_MEASURES];

	(void)state;
	/* 2 x 8 H100 of 80 GiB: 16, and 1,280 GiB. p4d: 8 A100 of 40 GiB. */
	assert_int_equal(offers("ml.p5.48xlarge", 2, "ml.p4d.24xlarge", 1, out), 2);
	assert_int_equal(out[0].measure, COMPUTE_ACCELERATORS);
	assert_int_equal(out[0].count, 2);
	assert_int_equal(out[0].total, 16);
	assert_int_equal(out[1].measure, COMPUTE_MEMORY);
	assert_int_equal(out[1].count, 4);
	assert_int_equal(out[1].total, 1280);
	/* The count now is no offer: x2 has the 16 already. */
	assert_int_equal(offers("ml.p5.48xlarge", 2, "ml.p4d.24xlarge", 2, out), 1);
	assert_int_equal(out[0].measure, COMPUTE_MEMORY);
	assert_int_equal(out[0].count, 4);
}

static void offers__are_one__where_both_say_the_same(void **state)
{
	struct compute_offer out[COMPUTE_MEASURES];

	(void)state;
	/* 4 x 8 A100 of 80 GiB against p5.4xlarge: 1 H100 of 80 GiB. */
	assert_int_equal(offers("ml.p4de.24xlarge", 4, "ml.p5.4xlarge", 4, out), 1);
	assert_int_equal(out[0].measure, COMPUTE_ACCELERATORS);
	assert_int_equal(out[0].count, 32);
	assert_int_equal(offers("ml.p4de.24xlarge", 4, "ml.p5.4xlarge", 32, out), 0);
}

static void offers__are_whole_numbers__or_none(void **state)
{
	struct compute_offer out[COMPUTE_MEASURES];

	(void)state;
	/* 1 A10G of 24 GiB against 8 A100 of 40 GiB: an eighth of one, and 24/320 of one. */
	assert_int_equal(offers("ml.g5.xlarge", 1, "ml.p4d.24xlarge", 1, out), 0);
	/* 3 x 4 A10G of 24 GiB are 12 and 288 GiB; 8 V100 of 16 GiB do not make up 12, nor 288. */
	assert_int_equal(offers("ml.g5.12xlarge", 3, "ml.p3.16xlarge", 3, out), 0);
	/* 1 x 4 A10G: 4 and 96 GiB. V100 of 16 GiB, one each: 4, and 6. */
	assert_int_equal(offers("ml.g5.12xlarge", 1, "ml.p3.2xlarge", 1, out), 2);
	assert_int_equal(out[0].count, 4);
	assert_int_equal(out[1].count, 6);
}

static void offers__are_none__without_accelerators_or_facts(void **state)
{
	struct compute_offer out[COMPUTE_MEASURES];

	(void)state;
	assert_int_equal(offers("ml.p5.48xlarge", 2, "ml.c5.xlarge", 2, out), 0);
	assert_int_equal(offers("ml.c5.xlarge", 2, "ml.p5.48xlarge", 2, out), 0);
	assert_int_equal(offers("ml.p5.48xlarge", 2, "ml.zz9.1xlarge", 2, out), 0);
	assert_int_equal(offers("ml.zz9.1xlarge", 2, "ml.p5.48xlarge", 2, out), 0);
	/* More instances than InstanceCount can say. */
	assert_int_equal(offers("ml.p5.48xlarge", PREFS_COUNT_MAX, "ml.g5.xlarge", 1, out), 0);
}

static void entry__counts_with_its_own__or_the_shared_one(void **state)
{
	struct preferences prefs = {
		.is_list = true,
		.length = 2,
		.entries = { { .instance_type = "ml.p5.48xlarge" },
			     { .instance_type = "ml.g5.xlarge" } },
	};

	(void)state;
	assert_false(compute_of_entry(&prefs, 0).known);
	prefs.has_shared_count = true;
	prefs.shared_count = 3;
	assert_int_equal(compute_of_entry(&prefs, 0).accelerators, 24);
	prefs.entries[1].has_count = true;
	prefs.entries[1].count = 5;
	assert_int_equal(compute_of_entry(&prefs, 1).accelerators, 5);
	assert_false(compute_of_entry(&prefs, 2).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(total__is_count_by_accelerators__and_by_memory),
		cmocka_unit_test(offers__are_both__where_they_differ),
		cmocka_unit_test(offers__are_one__where_both_say_the_same),
		cmocka_unit_test(offers__are_whole_numbers__or_none),
		cmocka_unit_test(offers__are_none__without_accelerators_or_facts),
		cmocka_unit_test(entry__counts_with_its_own__or_the_shared_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
