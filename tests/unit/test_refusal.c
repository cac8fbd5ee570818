/* Refusals in AWS's own words (cases 036 to 048, 059 and the region's), and what of the list they
 * name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "model/refusal.h"
#include "tests/shared.h"

static const struct preferences list = {
	.is_list = true,
	.length = 3,
	.entries = { { .instance_type = "ml.p5.48xlarge", .has_count = true, .count = 2 },
		     { .instance_type = "ml.g5.xlarge", .has_count = true, .count = 4 },
		     { .instance_type = "ml.g5.12xlarge", .has_count = true, .count = 1 } },
};

static void quota__is_mended_by_the_count_it_allows__or_by_dropping_the_entry(void **state)
{
	struct finding finding;

	(void)state;
	refusal_finding(
		"The account-level service limit 'ml.g5.xlarge for training job usage' is 1 "
		"Instances, with current utilization of 0 Instances and a request delta of "
		"4 Instances. Please contact AWS support to request an increase for this "
		"limit.",
		&list, &finding);
	assert_int_equal(finding.entry, 1);
	assert_int_equal(finding.severity, SEVERITY_ERROR);
	assert_int_equal(finding.fix, FIX_SET_COUNT);
	assert_string_equal(finding.fix_value, "1");
	assert_string_equal(finding.message,
			    "AWS refused: limit 1 of 'ml.g5.xlarge for training job usage', 0 in "
			    "use, 4 asked for.");
	/* The older form, as the CLI prints it. */
	refusal_finding("An error occurred (ResourceLimitExceeded) when calling the "
			"CreateTrainingJob operation: The account-level service limit for "
			"training-job/ml.p5.48xlarge is 0 Instances, with current utilization of 0 "
			"Instances and a request delta of 2 Instances.",
			&list, &finding);
	assert_int_equal(finding.entry, 0);
	assert_int_equal(finding.fix, FIX_REMOVE_ENTRY);
	assert_null(strstr(finding.message, "An error occurred"));
}

static void type__is_a_whole_word__and_no_part_of_a_longer_one(void **state)
{
	struct finding finding;

	(void)state;
	refusal_finding("ml.g5.12xlarge is not available in this region.", &list, &finding);
	assert_int_equal(finding.entry, 2);
	refusal_finding("xml.g5.xlarge and ml.g5.xlarge2 are no words of ours.", &list, &finding);
	assert_int_equal(finding.entry, CHECK_NO_ENTRY);
	assert_int_equal(finding.fix, FIX_NONE);
	refusal_finding("At the end stands ml.g5.xlarge.", &list, &finding);
	assert_int_equal(finding.entry, 1);
}

static void place__counts_from_one__and_goes_before_a_name(void **state)
{
	struct finding finding;

	(void)state;
	refusal_finding("1 validation error detected: Value '0' at "
			"'resourceConfig.instancePreferences.3.member.instanceCount' failed to "
			"satisfy constraint: ml.p5.48xlarge",
			&list, &finding);
	assert_int_equal(finding.entry, 2);
	refusal_finding("at 'resourceConfig.instancePreferences.9.member'", &list, &finding);
	assert_int_equal(finding.entry, CHECK_NO_ENTRY);
}

/* Case 044: 33 values in no order; three of them are enough. */
static void set__is_folded__nearest_first(void **state)
{
	struct preferences one = list;
	struct finding finding;

	(void)state;
	(void)snprintf(one.entries[1].instance_type, TYPE_NAME_SIZE, "ml.m5.16xlarge");
	refusal_finding(
		"1 validation error detected: Value 'ml.m5.16xlarge' at "
		"'resourceConfig.instancePreferences.2.member.instanceType' failed to satisfy "
		"constraint: Member must satisfy enum value set: [ml.p2.xlarge, ml.m5.4xlarge, "
		"ml.m4.16xlarge, ml.p3.16xlarge, ml.m5.large, ml.p5.48xlarge, ml.m5.12xlarge]",
		&one, &finding);
	assert_int_equal(finding.entry, 1);
	/* One letter off: m4.16 and m5.12; two: m5.4 and p3.16. Equals in the order of the set. */
	assert_non_null(strstr(finding.message, "7 values are allowed; nearest: ml.m4.16xlarge, "
						"ml.m5.12xlarge, ml.m5.4xlarge."));
	assert_null(strstr(finding.message, "ml.p2.xlarge"));
	assert_int_equal(finding.fix, FIX_SET_TYPE);
	assert_string_equal(finding.fix_value, "ml.m4.16xlarge");
	assert_true(strlen(finding.message) < 320);
}

/* --- whole texts of operators --- */

/* AWS's message in the file, without what a library has put before it; false where it is absent. */
static bool read_case(const char *file, char *out, size_t size)
{
	static const char before[] = " operation: ";
	FILE *opened = shared_open(file);

	if (!opened)
		return false;
	assert_non_null(fgets(out, (int)size, opened));
	fclose(opened);
	out[strcspn(out, "\r\n")] = '\0';

	char *at = strstr(out, before);

	if (at)
		memmove(out, at + sizeof(before) - 1, strlen(at + sizeof(before) - 1) + 1);
	return true;
}

/* Cases 036, 046, 047, 048, 059: what has no form of its own is told whole, about no entry, and
 * no key mends it: no count, type or name is made up. */
static void case_texts__are_told_whole__and_offer_nothing(void **state)
{
	static const char *const files[] = {
		"cases/036-recipe-count-set/input.txt",
		"cases/046-groups-exclude-type/input.txt",
		"cases/047-channels-instance-groups/input.txt",
		"cases/048-resource-in-use-name/input.txt",
		"cases/059-instance-type-none/input.txt",
	};
	struct finding finding;
	char text[1024], expected[1100];

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (!read_case(files[i], text, sizeof(text)))
			continue;
		(void)snprintf(expected, sizeof(expected), "AWS refused: %s", text);
		refusal_finding(text, &list, &finding);
		assert_string_equal(finding.message, expected);
		assert_int_equal(finding.entry, CHECK_NO_ENTRY);
		assert_int_equal(finding.fix, FIX_NONE);
	}
}

/* Case 043: the zone is kept; the type it names is one that nobody asked for.
 */
static void case_043__type_of_an_earlier_try__is_pointed_out(void **state)
{
	struct preferences asked = list;
	struct finding finding;
	char text[1024];

	(void)state;
	if (!read_case("cases/043-ec2-insufficient-with-az/input.txt", text, sizeof(text)))
		return;
	refusal_finding(text, &list, &finding);
	assert_non_null(strstr(finding.message, "EC2InsufficientCapacityError: "));
	assert_non_null(strstr(finding.message, "zones [euw1-az1]."));
	assert_non_null(strstr(finding.message, " ml.g5.48xlarge is not in this list: the answer "
						"may be stale."));
	assert_int_equal(finding.entry, CHECK_NO_ENTRY);
	(void)snprintf(asked.entries[2].instance_type, TYPE_NAME_SIZE, "ml.g5.48xlarge");
	refusal_finding(text, &asked, &finding);
	assert_int_equal(finding.entry, 2);
	assert_null(strstr(finding.message, "stale"));
	/* Nothing is asked for that it could be compared with. */
	refusal_finding(text, &(const struct preferences){ 0 }, &finding);
	assert_null(strstr(finding.message, "stale"));
}

/* Case 044: counted by hand, 33; by another program the nearest are 7, 8 and 8 letters away. */
static void case_044__set_of_33__is_three_names(void **state)
{
	struct preferences asked = { .length = 1 };
	struct finding finding;
	char text[2048];

	(void)state;
	if (!read_case("cases/044-enum-list-of-33/input.txt", text, sizeof(text)))
		return;
	(void)snprintf(asked.entries[0].instance_type, TYPE_NAME_SIZE, "ml.t2.medium");
	refusal_finding(text, &asked, &finding);
	assert_int_equal(finding.entry, 0);
	assert_non_null(strstr(finding.message, "33 values are allowed; nearest: ml.p2.xlarge, "
						"ml.m5.large, ml.c5.xlarge."));
	assert_int_equal(finding.fix, FIX_SET_TYPE);
	assert_string_equal(finding.fix_value, "ml.p2.xlarge");
}

static void any_text__is_taken__however_long_or_cut(void **state)
{
	char text[4000];
	struct finding finding;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	refusal_finding(text, &list, &finding);
	assert_int_equal(finding.entry, CHECK_NO_ENTRY);
	refusal_finding("", &list, &finding);
	assert_string_equal(finding.message, "AWS refused: ");
	refusal_finding("enum value set: [", &list, &finding);
	refusal_finding("enum value set: [,,,]", &list, &finding);
	refusal_finding("Value 'open at enum value set: [ml.a, ", &list, &finding);
	refusal_finding("service limit", &list, &finding);
	assert_int_equal(finding.fix, FIX_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quota__is_mended_by_the_count_it_allows__or_by_dropping_the_entry),
		cmocka_unit_test(type__is_a_whole_word__and_no_part_of_a_longer_one),
		cmocka_unit_test(place__counts_from_one__and_goes_before_a_name),
		cmocka_unit_test(set__is_folded__nearest_first),
		cmocka_unit_test(case_texts__are_told_whole__and_offer_nothing),
		cmocka_unit_test(case_043__type_of_an_earlier_try__is_pointed_out),
		cmocka_unit_test(case_044__set_of_33__is_three_names),
		cmocka_unit_test(any_text__is_taken__however_long_or_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
