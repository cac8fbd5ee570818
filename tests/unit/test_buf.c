#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/buf.h"

static void text__is_empty__when_nothing_was_added(void **state)
{
	struct buf buf;

	(void)state;
	buf_init(&buf, 10);
	assert_string_equal(buf_text(&buf), "");
	assert_null(buf.data);
	buf_release(&buf);
	buf_release(NULL);
}

static void add__takes_exactly_the_ceiling__when_filled_to_it(void **state)
{
	struct buf buf;

	(void)state;
	buf_init(&buf, 5);
	assert_true(buf_add_text(&buf, "12"));
	assert_true(buf_add_text(&buf, "345"));
	assert_false(buf.failed);
	assert_true(buf_add(&buf, NULL, 0));
	assert_string_equal(buf_text(&buf), "12345");
	assert_int_equal(buf.len, 5);
	buf_release(&buf);
}

static void add__changes_nothing_and_sticks__when_over_the_ceiling(void **state)
{
	struct buf buf;

	(void)state;
	buf_init(&buf, 5);
	assert_true(buf_add_text(&buf, "1234"));
	assert_false(buf_add_text(&buf, "56"));
	assert_string_equal(buf_text(&buf), "1234");
	assert_true(buf.failed);
	/* What would fit must not follow: the text would have a hole. */
	assert_false(buf_add_char(&buf, '7'));
	assert_false(buf_addf(&buf, "%d", 8));
	assert_false(buf_add(&buf, "", 0));
	assert_string_equal(buf_text(&buf), "1234");
	buf_clear(&buf);
	assert_true(buf_add_text(&buf, "56789"));
	assert_string_equal(buf_text(&buf), "56789");
	buf_release(&buf);
}

static void add__never_allocates_past_the_ceiling__when_growing(void **state)
{
	struct buf buf;

	(void)state;
	buf_init(&buf, 1000);
	for (int i = 0; i < 1000; i++)
		assert_true(buf_add_char(&buf, (char)('a' + i % 26)));
	assert_int_equal(buf.len, 1000);
	assert_true(buf.capacity <= 1001);
	assert_int_equal(buf_text(&buf)[999], 'a' + 999 % 26);
	assert_int_equal(buf_text(&buf)[1000], '\0');
	buf_release(&buf);
}

static void add__keeps_nul_bytes__when_given_a_length(void **state)
{
	struct buf buf;

	(void)state;
	buf_init(&buf, 10);
	assert_true(buf_add(&buf, "a\0b", 3));
	assert_int_equal(buf.len, 3);
	assert_memory_equal(buf.data, "a\0b", 4);
	buf_release(&buf);
}

static void add__refuses__when_the_ceiling_is_zero(void **state)
{
	struct buf buf;

	(void)state;
	buf_init(&buf, 0);
	assert_true(buf_add_text(&buf, ""));
	assert_false(buf_add_char(&buf, 'x'));
	assert_string_equal(buf_text(&buf), "");
	buf_release(&buf);
}

static void add__survives__when_lengths_would_wrap(void **state)
{
	struct buf buf;

	(void)state;
	buf_init(&buf, SIZE_MAX);
	assert_true(buf_add_text(&buf, "x"));
	assert_false(buf_add(&buf, "y", SIZE_MAX - 1));
	assert_string_equal(buf_text(&buf), "x");
	buf_release(&buf);
}

static void addf__formats__when_it_fits_at_once_and_when_it_must_grow(void **state)
{
	struct buf buf;
	char wide[301];

	(void)state;
	memset(wide, 'w', 300);
	wide[300] = '\0';
	buf_init(&buf, 1000);
	assert_true(buf_addf(&buf, "%s=%d;", "count", 4));
	assert_string_equal(buf_text(&buf), "count=4;");
	assert_true(buf_addf(&buf, "%s", wide));
	assert_int_equal(buf.len, 308);
	assert_string_equal(buf_text(&buf) + 8, wide);
	assert_true(buf_addf(&buf, "%s", ""));
	assert_true(buf_addf(&buf, "%c", '!'));
	assert_string_equal(buf_text(&buf) + 308, "!");
	buf_release(&buf);
}

static void addf__leaves_the_text_alone__when_over_the_ceiling(void **state)
{
	struct buf buf;

	(void)state;
	buf_init(&buf, 8);
	assert_true(buf_addf(&buf, "%s", "1234"));
	/* There is room in the allocation, which is larger than the ceiling only by the NUL. */
	assert_false(buf_addf(&buf, "%s", "abcde"));
	assert_string_equal(buf_text(&buf), "1234");
	assert_int_equal(buf.len, 4);
	assert_true(buf.failed);
	buf_release(&buf);
}

static void addf__fills_to_the_last_byte__at_the_edge_of_each_capacity(void **state)
{
	char pattern[200];

	(void)state;
	memset(pattern, 'p', sizeof(pattern));
	for (int first = 60; first <= 66; first++) {
		for (int second = 1; second <= 66; second++) {
			struct buf buf;

			buf_init(&buf, (size_t)first + (size_t)second);
			assert_true(buf_addf(&buf, "%.*s", first, pattern));
			assert_true(buf_addf(&buf, "%.*s", second, pattern));
			assert_int_equal(strlen(buf_text(&buf)), first + second);
			assert_false(buf_addf(&buf, "x"));
			buf_release(&buf);
		}
	}
}

static void take__gives_bytes_away__and_leaves_an_empty_buffer(void **state)
{
	struct buf buf;
	char *taken, *empty;

	(void)state;
	buf_init(&buf, 10);
	assert_true(buf_add_text(&buf, "abc"));
	taken = buf_take(&buf);
	assert_string_equal(taken, "abc");
	assert_string_equal(buf_text(&buf), "");
	assert_true(buf_add_text(&buf, "0123456789"));
	empty = (buf_release(&buf), buf_take(&buf));
	assert_non_null(empty);
	assert_string_equal(empty, "");
	free(taken);
	free(empty);
}

static void drop__removes_the_start__and_at_most_everything(void **state)
{
	struct buf buf;

	(void)state;
	buf_init(&buf, 10);
	buf_drop(&buf, 3);
	assert_true(buf_add_text(&buf, "abcdef"));
	buf_drop(&buf, 2);
	assert_string_equal(buf_text(&buf), "cdef");
	buf_drop(&buf, 0);
	assert_string_equal(buf_text(&buf), "cdef");
	buf_drop(&buf, 99);
	assert_string_equal(buf_text(&buf), "");
	assert_int_equal(buf.len, 0);
	buf_release(&buf);
}

static void release__keeps_the_ceiling__when_used_again(void **state)
{
	struct buf buf;

	(void)state;
	buf_init(&buf, 3);
	assert_false(buf_add_text(&buf, "abcd"));
	buf_release(&buf);
	assert_true(buf_add_text(&buf, "abc"));
	assert_false(buf_add_text(&buf, "d"));
	buf_wipe(&buf);
	assert_string_equal(buf_text(&buf), "");
	assert_true(buf_add_text(&buf, "efg"));
	buf_wipe(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text__is_empty__when_nothing_was_added),
		cmocka_unit_test(add__takes_exactly_the_ceiling__when_filled_to_it),
		cmocka_unit_test(add__changes_nothing_and_sticks__when_over_the_ceiling),
		cmocka_unit_test(add__never_allocates_past_the_ceiling__when_growing),
		cmocka_unit_test(add__keeps_nul_bytes__when_given_a_length),
		cmocka_unit_test(add__refuses__when_the_ceiling_is_zero),
		cmocka_unit_test(add__survives__when_lengths_would_wrap),
		cmocka_unit_test(addf__formats__when_it_fits_at_once_and_when_it_must_grow),
		cmocka_unit_test(addf__leaves_the_text_alone__when_over_the_ceiling),
		cmocka_unit_test(addf__fills_to_the_last_byte__at_the_edge_of_each_capacity),
		cmocka_unit_test(take__gives_bytes_away__and_leaves_an_empty_buffer),
		cmocka_unit_test(drop__removes_the_start__and_at_most_everything),
		cmocka_unit_test(release__keeps_the_ceiling__when_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
