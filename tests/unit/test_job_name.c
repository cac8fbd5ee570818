/* Names that AWS would take, made from those that it would not. Expected ones are by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/job_name.h"

#define FIFTY   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define SIXTY   FIFTY "bbbbbbbbbb"
#define SIXTY_3 SIXTY "ccc"

static bool is_any_of(const void *ctx, const char *name)
{
	for (const char *const *taken = ctx; *taken; taken++)
		if (strcmp(*taken, name) == 0)
			return true;
	return false;
}

static bool is_always(const void *ctx, const char *name)
{
	assert_true(job_name_is_valid(name));
	++*(unsigned *)(uintptr_t)ctx;
	return true;
}

static void name__is_repaired__to_one_that_is_valid(void **state)
{
	static const char *const rows[][2] = {
		{ "llm-ft-0930", "llm-ft-0930" },
		{ "a--b", "a--b" }, /* is valid */
		{ "eval of_model!", "eval-of-model" },
		{ "--x", "x" },
		{ "", "job" },
		{ "___", "job" },
		{ "m\xc3\xb6"
		  "del\x1b[2J",
		  "m-del-2J" },
		{ SIXTY_3 "d", SIXTY_3 },
		{ SIXTY "cc--d", SIXTY "cc" }, /* cut behind a hyphen */
	};
	char out[JOB_NAME_SIZE];
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_true(job_name_propose(rows[i][0], NULL, NULL, out));
		assert_string_equal(out, rows[i][1]);
		assert_true(job_name_is_valid(out));
	}
}

static void name__counts_up__while_it_is_taken(void **state)
{
	static const struct {
		const char *name, *taken[4], *proposed;
	} rows[] = {
		{ "eval", { "other" }, "eval" },
		{ "eval", { "eval" }, "eval-2" },
		{ "eval-2", { "eval-2", "eval-3" }, "eval-4" },
		{ "eval-999", { "eval-999" }, "eval-1000" },
		{ "eval-1201", { "eval-1201" }, "eval-1201-2" }, /* a date */
		{ "eval-0", { "eval-0" }, "eval-0-2" },
		{ "7", { "7" }, "7-2" },
		{ "a b", { "a-b", "a-b-2" }, "a-b-3" },
		{ SIXTY_3, { SIXTY_3 }, SIXTY "c-2" },
		{ SIXTY "-cc", { SIXTY "-cc" }, SIXTY "-2" },
	};
	char out[JOB_NAME_SIZE];
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_true(job_name_propose(rows[i].name, is_any_of, rows[i].taken, out));
		assert_string_equal(out, rows[i].proposed);
		assert_true(job_name_is_valid(out));
	}
}

static void name__is_given_up__after_a_thousand(void **state)
{
	unsigned asked = 0;
	char out[JOB_NAME_SIZE];
	(void)state;
	assert_false(job_name_propose("eval", is_always, &asked, out));
	assert_int_equal(asked, 1001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(name__is_repaired__to_one_that_is_valid),
		cmocka_unit_test(name__counts_up__while_it_is_taken),
		cmocka_unit_test(name__is_given_up__after_a_thousand),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
