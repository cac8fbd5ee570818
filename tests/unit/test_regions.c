/* The regions by name, against the hosts that botocore computes for SageMaker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/regions.h"
#include "tests/shared.h"

static bool is_listed(const char *region)
{
	for (size_t i = 0; region_names[i]; i++)
		if (strcmp(region_names[i], region) == 0)
			return true;
	return false;
}

static void names__are_regions__and_none_comes_twice(void **state)
{
	size_t count = 0;
	(void)state;
	for (; region_names[count]; count++) {
		assert_true(region_has_form(region_names[count]));
		for (size_t i = 0; i < count; i++)
			assert_string_not_equal(region_names[i], region_names[count]);
	}
	assert_true(is_listed("us-east-1") && is_listed("cn-northwest-1"));
}

/* Those of the isolated partitions are not listed: nobody there needs to be told. */
static void names__are_all_that_sagemaker_has__outside_of_the_isolated_partitions(void **state)
{
	FILE *file = shared_open("vectors/endpoints/computed-hosts.tsv");
	char line[512];
	const char *fields[4];
	size_t seen = 0, listed = 0;
	(void)state;
	if (!file)
		return;
	while (shared_row(file, line, sizeof(line), fields, 4) >= 3) {
		bool isolated = strncmp(fields[1], "aws-iso", 7) == 0;
		if (strcmp(fields[0], "sagemaker") != 0)
			continue;
		if (is_listed(fields[2]) == isolated)
			fail_msg("%s of %s", fields[2], fields[1]);
		seen += !isolated;
	}
	fclose(file);
	while (region_names[listed])
		listed++;
	printf("%zu regions of SageMaker, %zu listed\n", seen, listed);
	assert_int_equal(seen, listed);
}

static void form__is_words_and_a_number(void **state)
{
	static const char *const good[] = { "us-east-1", "us-gov-west-1", "eusc-de-east-1",
					    "ap-south-12" };
	static const char *const bad[] = { "",           "us",          "us-east",    "us-east-",
					   "us-east-1 ", "us-east-1a",  "us--east-1", "-us-east-1",
					   "US-EAST-1",  "us-east-123", "east-1",     "us-1-east",
					   "us_east-1" };
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(region_has_form(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(region_has_form(bad[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names__are_regions__and_none_comes_twice),
		cmocka_unit_test(
			names__are_all_that_sagemaker_has__outside_of_the_isolated_partitions),
		cmocka_unit_test(form__is_words_and_a_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
