/* What a typed text means, over the whole catalog. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/catalog.h"
#include "model/type_match.h"

static struct type_matches matches;

static void find(const char *text)
{
	type_matches_find(&matches, JOB_TRAINING, text);
}

static bool has(const char *name)
{
	for (size_t i = 0; i < matches.count; i++)
		if (strcmp(matches.items[i].name, name) == 0)
			return true;
	return false;
}

static int end(void **state)
{
	(void)state;
	type_matches_release(&matches);
	return 0;
}

static void nothing__matches_all_of_the_kind__and_no_other(void **state)
{
	size_t rows, training = 0;
	const struct instance_type *all = catalog_all(&rows);

	(void)state;
	for (size_t i = 0; i < rows; i++)
		training += all[i].training;
	find("  ");
	assert_int_equal(matches.count, training);
	assert_false(matches.near);
	assert_true(has("ml.p5.48xlarge"));
	type_matches_find(&matches, JOB_PROCESSING, "");
	assert_true(has("ml.t3.large"));
	assert_false(has("ml.p5.48xlarge")); /* training alone */
}

static void words__stand_anywhere__names_that_begin_so_first(void **state)
{
	(void)state;
	find("p4de a100");
	assert_int_equal(matches.count, 1);
	assert_string_equal(matches.items[0].name, "ml.p4de.24xlarge");
	find("H100");
	assert_true(matches.count >= 2 && has("ml.p5.48xlarge") && has("ml.p5.4xlarge"));
	find("ml.g5.4");
	assert_string_equal(matches.items[0].name, "ml.g5.4xlarge");
	assert_string_equal(matches.items[1].name, "ml.g5.48xlarge");
	find("r"); /* stands in every "large" */
	assert_int_equal(strncmp(matches.items[0].name, "ml.r", 4), 0);
	find("g6.");
	for (size_t i = 0; i < matches.count; i++)
		assert_int_equal(strncmp(matches.items[i].name, "ml.g6.", 6), 0);
	find("ml.p5.48xlarge");
	assert_string_equal(matches.items[0].name, "ml.p5.48xlarge");
}

/* What people write: half a number, the EC2 name, letters changed about. */
static void typo__gives_the_nearest__first(void **state)
{
	static const struct {
		const char *text, *name;
	} rows[] = {
		{ "p5.38x", "ml.p5.48xlarge" },        { "ml.p4d.24xlrage", "ml.p4d.24xlarge" },
		{ "p4d24xlarge", "ml.p4d.24xlarge" },  { "g5.12xlagre", "ml.g5.12xlarge" },
		{ "ml.g5.2xlage", "ml.g5.2xlarge" },   { "p3dn24", "ml.p3dn.24xlarge" },
		{ "P4D.24XLARG3", "ml.p4d.24xlarge" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		find(rows[i].text);
		assert_true(matches.near);
		size_t first = matches.items[0].doubt == TYPE_NOT_KNOWN ? 1 : 0;
		assert_true(matches.count > first && matches.count <= TYPE_NEAR_MAX + 1);
		if (strcmp(matches.items[first].name, rows[i].name) != 0)
			fail_msg("%s gives %s", rows[i].text, matches.items[first].name);
	}
	find("zzzzzzzzzzzzzzz");
	assert_int_equal(matches.count, 0);
}

static void full_name__can_be_given__and_is_marked(void **state)
{
	(void)state;
	find("ml.zz9.1xlarge");
	assert_true(matches.count >= 1);
	assert_string_equal(matches.items[0].name, "ml.zz9.1xlarge");
	assert_int_equal(matches.items[0].doubt, TYPE_NOT_KNOWN);
	type_matches_find(&matches, JOB_PROCESSING, " ml.p5.48xlarge ");
	assert_string_equal(matches.items[0].name, "ml.p5.48xlarge");
	assert_int_equal(matches.items[0].doubt, TYPE_NOT_FOR_KIND);
	find("ml.a\"b");
	for (size_t i = 0; i < matches.count; i++)
		assert_int_equal(matches.items[i].doubt, TYPE_FITS);
	find("ml.");
	assert_string_equal(matches.typed, "");
	find("ml.an-endless-name-that-no-instance-type-of-aws-ever-will-have");
	assert_string_equal(matches.typed, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(nothing__matches_all_of_the_kind__and_no_other, end),
		cmocka_unit_test_teardown(words__stand_anywhere__names_that_begin_so_first, end),
		cmocka_unit_test_teardown(typo__gives_the_nearest__first, end),
		cmocka_unit_test_teardown(full_name__can_be_given__and_is_marked, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
