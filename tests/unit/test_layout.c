#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/layout.h"

static int sum_of(const int *sizes, size_t count)
{
	int sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += sizes[i];
	return sum;
}

static void split__shares_the_rest__by_weight(void **state)
{
	const struct layout_part parts[] = { { 10, 1 }, { 5, 3 }, { 1, 0 } };
	int sizes[3];

	(void)state;
	/* 100 - 16 = 84 to share: 21 and 63. */
	layout_split(100, parts, 3, sizes);
	assert_int_equal(sizes[0], 31);
	assert_int_equal(sizes[1], 68);
	assert_int_equal(sizes[2], 1);
}

static void split__loses_no_cell__to_rounding(void **state)
{
	const struct layout_part parts[] = { { 0, 1 }, { 0, 1 }, { 0, 1 } };
	int sizes[3];

	(void)state;
	layout_split(10, parts, 3, sizes);
	assert_int_equal(sizes[0], 3);
	assert_int_equal(sizes[1], 3);
	assert_int_equal(sizes[2], 4);
}

static void split__drops_from_the_last__when_minimums_do_not_fit(void **state)
{
	const struct layout_part parts[] = { { 4, 1 }, { 6, 0 }, { 2, 5 } };
	int sizes[3];

	(void)state;
	layout_split(11, parts, 3, sizes);
	assert_int_equal(sizes[0], 5);
	assert_int_equal(sizes[1], 6);
	assert_int_equal(sizes[2], 0);
	layout_split(9, parts, 3, sizes);
	assert_int_equal(sizes[0], 9);
	assert_int_equal(sizes[1], 0);
	layout_split(3, parts, 3, sizes);
	assert_int_equal(sum_of(sizes, 3), 0);
}

static void split__leaves_the_rest__without_weights(void **state)
{
	const struct layout_part parts[] = { { 4, 0 }, { 6, 0 } };
	int sizes[2];

	(void)state;
	layout_split(100, parts, 2, sizes);
	assert_int_equal(sizes[0], 4);
	assert_int_equal(sizes[1], 6);
}

static void split__holds__for_lengths_and_figures_that_make_no_sense(void **state)
{
	const struct layout_part parts[] = { { -5, 2 }, { 3, -7 }, { 1, 1000000 } };
	int sizes[3];

	(void)state;
	layout_split(-20, parts, 3, sizes);
	assert_int_equal(sum_of(sizes, 3), 0);
	layout_split(2000000000, parts, 3, sizes);
	assert_int_equal(sizes[1], 3);
	assert_int_equal(sum_of(sizes, 3), 2000000000);
	layout_split(5, parts, 0, sizes);
}

/* Every length of a screen, every choice out of figures that views use. */
static void split__never_exceeds_and_never_starves__at_any_length(void **state)
{
	static const int minimums[] = { 0, 1, 3, 20 };
	static const int weights[] = { 0, 1, 7 };
	int sizes[3];

	(void)state;
	for (int length = 0; length <= 500; length++) {
		for (int pick = 0; pick < 12 * 12 * 12; pick++) {
			struct layout_part parts[3];
			int weight = 0;
			for (int i = 0, rest = pick; i < 3; i++, rest /= 12)
				parts[i] = (struct layout_part){ minimums[rest % 4],
								 weights[rest % 12 / 4] };
			layout_split(length, parts, 3, sizes);
			int sum = sum_of(sizes, 3);
			assert_true(sum <= length);
			bool dropped = false;
			for (int i = 0; i < 3; i++) {
				assert_true(sizes[i] == 0 || sizes[i] >= parts[i].minimum);
				if (sizes[i] == 0 && parts[i].minimum > 0)
					dropped = true;
				assert_false(dropped && sizes[i] > 0);
				weight += dropped ? 0 : parts[i].weight;
			}
			if (weight > 0)
				assert_int_equal(sum, length);
		}
	}
}

static void inset__stays_inside__from_1x1_to_500x200(void **state)
{
	(void)state;
	for (int w = 1; w <= 500; w++) {
		for (int h = 1; h <= 200; h++) {
			struct rect outer = { 3, 2, w, h };
			struct rect inner = layout_inset(outer, 1);
			assert_true(layout_contains(outer, inner));
			assert_true(inner.w >= 0 && inner.h >= 0);
			if (w > 2 && h > 2) {
				assert_int_equal(inner.w, w - 2);
				assert_int_equal(inner.h, h - 2);
				assert_int_equal(inner.x, 4);
				assert_int_equal(inner.y, 3);
			}
		}
	}
}

static void row__is_empty__outside(void **state)
{
	struct rect outer = { 3, 2, 10, 4 };

	(void)state;
	for (int line = -2; line < 7; line++) {
		struct rect row = layout_row(outer, line);
		bool inside = line >= 0 && line < 4;
		assert_int_equal(row.h, inside ? 1 : 0);
		assert_int_equal(row.w, inside ? 10 : 0);
		if (inside)
			assert_int_equal(row.y, 2 + line);
	}
	assert_int_equal(layout_row((struct rect){ 0, 0, 0, 5 }, 1).h, 0);
}

static void contains__tells__each_side(void **state)
{
	struct rect outer = { 3, 2, 10, 4 };

	(void)state;
	assert_true(layout_contains(outer, outer));
	assert_false(layout_contains(outer, (struct rect){ 2, 2, 10, 4 }));
	assert_false(layout_contains(outer, (struct rect){ 4, 2, 10, 4 }));
	assert_false(layout_contains(outer, (struct rect){ 3, 1, 10, 4 }));
	assert_false(layout_contains(outer, (struct rect){ 3, 3, 10, 4 }));
	assert_true(layout_contains(outer, (struct rect){ 90, 90, 0, 4 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split__shares_the_rest__by_weight),
		cmocka_unit_test(split__loses_no_cell__to_rounding),
		cmocka_unit_test(split__drops_from_the_last__when_minimums_do_not_fit),
		cmocka_unit_test(split__leaves_the_rest__without_weights),
		cmocka_unit_test(split__holds__for_lengths_and_figures_that_make_no_sense),
		cmocka_unit_test(split__never_exceeds_and_never_starves__at_any_length),
		cmocka_unit_test(inset__stays_inside__from_1x1_to_500x200),
		cmocka_unit_test(row__is_empty__outside),
		cmocka_unit_test(contains__tells__each_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
