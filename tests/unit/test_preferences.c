#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/preferences.h"

#define PLAN "arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan"

static struct preferences parsed(const char *list, int64_t shared)
{
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	if (!prefs_parse(&prefs, list, shared, &err)) {
		print_error("%s\n", err_text(&err));
		err_clear(&err);
		fail();
	}
	return prefs;
}

static int64_t count_of(const struct preferences *prefs, size_t i)
{
	int64_t count = -1;
	assert_true(prefs_count(prefs, i, &count));
	return count;
}

/* The letters after "ml." of the entries' types, one each. */
static void assert_order(const struct preferences *prefs, const char *letters)
{
	assert_int_equal(prefs->length, strlen(letters));
	for (size_t i = 0; i < prefs->length; i++)
		assert_int_equal(prefs->entries[i].instance_type[3], letters[i]);
}

static void parse__reads_types_counts_and_plans__when_the_list_is_well_formed(void **state)
{
	(void)state;
	struct preferences prefs = parsed("ml.p5.48xlarge:2@" PLAN ",ml.p4d.24xlarge:4", 0);
	assert_true(prefs.is_list);
	assert_false(prefs.has_shared_count);
	assert_int_equal(prefs.length, 2);
	assert_string_equal(prefs.entries[0].instance_type, "ml.p5.48xlarge");
	assert_int_equal(count_of(&prefs, 0), 2);
	assert_string_equal(prefs.entries[0].plan_arn, PLAN);
	assert_string_equal(prefs.entries[1].instance_type, "ml.p4d.24xlarge");
	assert_int_equal(count_of(&prefs, 1), 4);
	assert_string_equal(prefs.entries[1].plan_arn, "");
}

static void parse__takes_one_count_for_all__when_given(void **state)
{
	(void)state;
	struct preferences prefs = parsed(" ml.g6.48xlarge , ml.g5.48xlarge@" PLAN "\n", 3);
	assert_true(prefs.has_shared_count);
	assert_int_equal(prefs.shared_count, 3);
	assert_false(prefs.entries[0].has_count);
	assert_int_equal(count_of(&prefs, 0), 3);
	assert_int_equal(count_of(&prefs, 1), 3);
	assert_string_equal(prefs.entries[1].plan_arn, PLAN);
	assert_false(prefs_count(&prefs, 2, &prefs.shared_count));
}

/* What SageMaker refuses but can be read is for the rules of check to say. */
static void parse__leaves_rules_to_check__when_the_list_can_be_read(void **state)
{
	int64_t count;

	(void)state;
	struct preferences prefs =
		parsed("ml.a,ml.a:0,ml.c,ml.d,ml.e,ml.f,ml.g,ml.h:2147483647", 0);
	assert_order(&prefs, "aacdefgh");
	assert_false(prefs_count(&prefs, 0, &count));
	assert_int_equal(count_of(&prefs, 1), 0);
	assert_int_equal(count_of(&prefs, 7), INT32_MAX);
	prefs = parsed("azAZ09.-_", 1);
	assert_string_equal(prefs.entries[0].instance_type, "azAZ09.-_");
	assert_int_equal(count_of(&prefs, 0), 1);
	assert_int_equal(parsed("ml.a", 2147483647).shared_count, INT32_MAX);
}

static void parse__names_entry_and_fix__when_it_cannot_be_read(void **state)
{
	static const struct {
		const char *list;
		int64_t shared;
		const char *says, *and_says;
	} rows[] = {
		{ "", 0, "the list is empty", "write type:count" },
		{ "  ", 0, "the list is empty", "ml.p5.48xlarge:2" },
		{ "ml.a:1,", 0, "entry 2 has no instance type", "write type:count" },
		{ ",ml.a:1", 0, "entry 1 has no instance type", "" },
		{ "ml.a:1,:2", 0, "entry 2 has no instance type", "" },
		{ "ml.a:1;ml.b:2", 0, "entry 1 (ml.a)", "\"1;ml.b:2\" is no whole number" },
		{ "ml.a:1 ml.b:2", 0, "entry 1 (ml.a)", "is no whole number" },
		{ "ml.a ml.b", 0, "entry 1: \"ml.a ml.b\" is no instance type", "a comma" },
		{ "ml.a:", 0, "entry 1 (ml.a): the count \"\"", "write ml.a:2" },
		{ "ml.a:two", 0, "the count \"two\"", "write ml.a:2" },
		{ "ml.a:-1", 0, "the count \"-1\"", "" },
		{ "ml.a:+1", 0, "the count \"+1\"", "" },
		{ "ml.a:1.0", 0, "the count \"1.0\"", "" },
		{ "ml.a:2147483648", 0, "up to 2147483647", "" },
		{ "ml.a:99999999999999999999999999", 0, "up to 2147483647", "" },
		{ "ml.a:1,ml.b:2", 4, "entry 1 (ml.a) has a count of its own beside --count 4",
		  "remove one" },
		{ "ml.a:1", 1, "beside --count 1", "" },
		{ "!ml.a", 0, "\"!ml.a\" is no instance type", "" },
		{ "ml.a,ml.b", 2147483648, "the count 2147483648 is above", "" },
		{ "ml.a:1@", 0, "entry 1 (ml.a): \"\" after '@' is no training plan", "its ARN" },
		{ "ml.a:1@p5-plan", 0, "\"p5-plan\" after '@' is no training plan", "its ARN" },
		{ "ml.a:1@arn:x y", 0, "holds a blank", "remove it" },
		{ "ml.a:1@arn:\x1b[2J", 0, "control character", "remove it" },
		{ "1,2,3,4,5,6,7,8,9", 0, "more than 8 entries", "at most 5" },
		{ "a23456789012345678901234567890123456789012345678", 0, "has 48 characters",
		  "the longest has 47" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct preferences prefs = { .length = 7 };
		struct err err = { 0 };
		assert_false(prefs_parse(&prefs, rows[i].list, rows[i].shared, &err));
		if (!strstr(err_text(&err), rows[i].says) ||
		    !strstr(err_text(&err), rows[i].and_says)) {
			print_error("\"%s\": %s\n", rows[i].list, err_text(&err));
			fail();
		}
		assert_int_equal(err.code, ERR_USAGE);
		assert_int_equal(prefs.length, 7);
		err_clear(&err);
	}
}

static void parse__cuts_no_name__when_it_has_the_longest_length(void **state)
{
	char list[TYPE_NAME_SIZE + 2 + PLAN_ARN_SIZE];
	struct err err = { 0 };
	struct preferences prefs;

	(void)state;
	prefs = parsed("a2345678901234567890123456789012345678901234567:1", 0);
	assert_int_equal(strlen(prefs.entries[0].instance_type), TYPE_NAME_SIZE - 1);
	memset(list, 'x', sizeof(list));
	memcpy(list, "ml.a@arn:", 9);
	list[5 + PLAN_ARN_SIZE - 1] = '\0';
	prefs = parsed(list, 0);
	assert_int_equal(strlen(prefs.entries[0].plan_arn), PLAN_ARN_SIZE - 1);
	list[5 + PLAN_ARN_SIZE - 1] = 'x';
	list[5 + PLAN_ARN_SIZE] = '\0';
	assert_false(prefs_parse(&prefs, list, 0, &err));
	assert_non_null(strstr(err_text(&err), "has 160 characters"));
	err_clear(&err);
}

static void plan__is_told_only_where_known__when_it_is_of_the_job(void **state)
{
	struct preferences prefs = parsed("ml.a:1,ml.b:1@" PLAN, 0);

	(void)state;
	assert_string_equal(prefs_plan(&prefs, 0), "");
	assert_string_equal(prefs_plan(&prefs, 1), PLAN);
	assert_string_equal(prefs_plan(&prefs, 2), "");
	assert_false(prefs_has_unplaced_plan(&prefs));
	prefs.entries[1].plan_arn[0] = '\0';
	memcpy(prefs.job_plan_arn, PLAN, sizeof(PLAN));
	assert_string_equal(prefs_plan(&prefs, 0), "");
	assert_true(prefs_has_unplaced_plan(&prefs));
	assert_true(prefs_remove(&prefs, 1));
	assert_string_equal(prefs_plan(&prefs, 0), PLAN);
	assert_false(prefs_has_unplaced_plan(&prefs));
}

static void move__shifts_the_others__when_an_entry_gets_another_rank(void **state)
{
	static const struct {
		size_t from, to;
		bool moves;
		const char *order;
	} rows[] = {
		{ 0, 4, true, "bcdea" },  { 4, 0, true, "eabcd" },  { 1, 3, true, "acdbe" },
		{ 3, 1, true, "adbce" },  { 2, 3, true, "abdce" },  { 2, 2, false, "abcde" },
		{ 0, 5, false, "abcde" }, { 5, 0, false, "abcde" }, { 99, 99, false, "abcde" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct preferences prefs = parsed("ml.a:1,ml.b:2,ml.c:3,ml.d:4,ml.e:5", 0);
		assert_int_equal(prefs_move(&prefs, rows[i].from, rows[i].to), rows[i].moves);
		assert_order(&prefs, rows[i].order);
		/* The count goes with its type. */
		for (size_t k = 0; k < 5; k++)
			assert_int_equal(count_of(&prefs, k),
					 prefs.entries[k].instance_type[3] - 'a' + 1);
	}
}

static void insert__keeps_counts_well_formed__when_entries_have_their_own(void **state)
{
	struct preferences prefs = parsed("ml.a:3,ml.b:5", 0);

	(void)state;
	assert_true(prefs_insert(&prefs, 1, "ml.x"));
	assert_order(&prefs, "axb");
	assert_int_equal(count_of(&prefs, 1), 3);
	assert_true(prefs_insert(&prefs, 0, "ml.y"));
	assert_int_equal(count_of(&prefs, 0), 3);
	assert_true(prefs_insert(&prefs, 4, "ml.z"));
	assert_order(&prefs, "yaxbz");
	assert_int_equal(count_of(&prefs, 4), 5);
	assert_string_equal(prefs.entries[4].plan_arn, "");
	/* Full. */
	assert_false(prefs_insert(&prefs, 0, "ml.q"));
	assert_order(&prefs, "yaxbz");
}

static void insert__refuses__when_it_makes_no_sense(void **state)
{
	struct preferences prefs = parsed("ml.a", 4);
	struct preferences before = prefs;

	(void)state;
	assert_false(prefs_insert(&prefs, 2, "ml.b"));
	assert_false(prefs_insert(&prefs, 0, ""));
	assert_false(prefs_insert(&prefs, 0, "a23456789012345678901234567890123456789012345678"));
	assert_true(prefs_equal(&prefs, &before));
	assert_true(prefs_insert(&prefs, 1, "ml.b"));
	assert_false(prefs.entries[1].has_count);
	assert_int_equal(count_of(&prefs, 1), 4);
	/* Groups of a cluster are no list. */
	memcpy(prefs.entries[0].group, "workers", 8);
	before = prefs;
	assert_false(prefs_insert(&prefs, 0, "ml.c"));
	assert_false(prefs_move(&prefs, 0, 1));
	assert_false(prefs_remove(&prefs, 0));
	assert_false(prefs_set_type(&prefs, 0, "ml.c"));
	assert_true(prefs_equal(&prefs, &before));
	prefs.entries[0].group[0] = '\0';
	memcpy(prefs.entries[1].group, "workers", 8);
	assert_false(prefs_move(&prefs, 0, 1));
}

static void insert__makes_a_list__when_there_was_one_type_or_none(void **state)
{
	struct preferences prefs = { .length = 1, .has_shared_count = true, .shared_count = 2 };

	(void)state;
	memcpy(prefs.entries[0].instance_type, "ml.a", 5);
	assert_true(prefs_insert(&prefs, 1, "ml.b"));
	assert_true(prefs.is_list);
	assert_int_equal(count_of(&prefs, 1), 2);
	prefs = (struct preferences){ 0 };
	assert_true(prefs_insert(&prefs, 0, "ml.b"));
	assert_int_equal(count_of(&prefs, 0), 1);
}

static void remove__closes_the_gap__when_an_entry_goes(void **state)
{
	struct preferences prefs = parsed("ml.a:1,ml.b:2,ml.c:3", 0);

	(void)state;
	assert_true(prefs_remove(&prefs, 1));
	assert_order(&prefs, "ac");
	assert_int_equal(count_of(&prefs, 1), 3);
	assert_false(prefs_remove(&prefs, 2));
	assert_true(prefs_remove(&prefs, 0));
	assert_true(prefs_remove(&prefs, 0));
	assert_false(prefs_remove(&prefs, 0));
	assert_int_equal(prefs.length, 0);
}

static void set_type__keeps_count_and_plan__when_the_type_changes(void **state)
{
	struct preferences prefs = parsed("ml.a:7@" PLAN, 0);

	(void)state;
	assert_true(prefs_set_type(&prefs, 0, "ml.longer.name"));
	assert_true(prefs_set_type(&prefs, 0, "ml.b"));
	assert_string_equal(prefs.entries[0].instance_type, "ml.b");
	assert_int_equal(count_of(&prefs, 0), 7);
	assert_string_equal(prefs.entries[0].plan_arn, PLAN);
	assert_false(prefs_set_type(&prefs, 1, "ml.b"));
	assert_false(prefs_set_type(&prefs, 0, ""));
}

static void add_count__stays_in_range__when_pushed_past_it(void **state)
{
	struct preferences prefs = parsed("ml.a:1,ml.b:2147483646,ml.c", 0);

	(void)state;
	assert_true(prefs_add_count(&prefs, 0, 2));
	assert_int_equal(count_of(&prefs, 0), 3);
	assert_true(prefs_add_count(&prefs, 0, -1));
	assert_true(prefs_add_count(&prefs, 0, -9));
	assert_int_equal(count_of(&prefs, 0), 1);
	assert_false(prefs_add_count(&prefs, 0, -1));
	assert_true(prefs_add_count(&prefs, 1, INT64_MAX));
	assert_int_equal(count_of(&prefs, 1), INT32_MAX);
	assert_false(prefs_add_count(&prefs, 1, 1));
	assert_true(prefs_add_count(&prefs, 1, INT64_MIN));
	assert_int_equal(count_of(&prefs, 1), 1);
	assert_true(prefs_add_count(&prefs, 2, 1));
	assert_int_equal(count_of(&prefs, 2), 1);
	assert_false(prefs_add_count(&prefs, 3, 1));
}

static void add_count__changes_all__when_the_count_is_shared(void **state)
{
	struct preferences prefs = parsed("ml.a,ml.b", 4);

	(void)state;
	assert_true(prefs_add_count(&prefs, 1, 1));
	assert_int_equal(count_of(&prefs, 0), 5);
	assert_false(prefs.entries[1].has_count);
}

/* Case 031: there is no half-way state that could be sent. */
static void toggle__moves_the_number_in_one_step__both_ways(void **state)
{
	struct preferences prefs = parsed("ml.a,ml.b", 4);

	(void)state;
	prefs_toggle_counts(&prefs);
	assert_false(prefs.has_shared_count);
	assert_true(prefs.entries[0].has_count && prefs.entries[1].has_count);
	assert_int_equal(count_of(&prefs, 0), 4);
	assert_int_equal(count_of(&prefs, 1), 4);
	assert_true(prefs_add_count(&prefs, 0, 2));
	prefs_toggle_counts(&prefs);
	assert_true(prefs.has_shared_count);
	assert_false(prefs.entries[0].has_count || prefs.entries[1].has_count);
	assert_int_equal(count_of(&prefs, 1), 6);
}

static void toggle__never_leaves_both_or_neither__when_the_list_was_broken(void **state)
{
	struct preferences prefs = parsed("ml.a,ml.b:9", 0);

	(void)state;
	/* Some entries only. */
	prefs_toggle_counts(&prefs);
	assert_true(prefs.has_shared_count);
	assert_int_equal(count_of(&prefs, 0), 9);
	/* In both places. */
	prefs.entries[1].has_count = true;
	prefs.entries[1].count = 2;
	prefs_toggle_counts(&prefs);
	assert_false(prefs.has_shared_count);
	assert_int_equal(count_of(&prefs, 0), 9);
	assert_int_equal(count_of(&prefs, 1), 2);
	/* Neither. */
	prefs = parsed("ml.a,ml.b", 0);
	prefs_toggle_counts(&prefs);
	assert_true(prefs.has_shared_count);
	assert_int_equal(prefs.shared_count, 1);
	/* No entry that could carry it. */
	prefs = (struct preferences){ .has_shared_count = true, .shared_count = 3 };
	prefs_toggle_counts(&prefs);
	assert_true(prefs.has_shared_count);
}

static void equal__sees_every_member__when_one_differs(void **state)
{
	const struct preferences base = parsed("ml.a:1@" PLAN ",ml.b:2", 0);
	struct preferences other = base;

	(void)state;
	assert_true(prefs_equal(&base, &other));
	other.entries[5].count = 77; /* behind the end */
	other.shared_count = 77;     /* not used */
	assert_true(prefs_equal(&base, &other));
	other = base;
	other.entries[1].count = 3;
	assert_false(prefs_equal(&base, &other));
	other = base;
	other.entries[1].has_count = false;
	assert_false(prefs_equal(&base, &other));
	other = base;
	other.entries[0].plan_arn[4] = 'x';
	assert_false(prefs_equal(&base, &other));
	other = base;
	other.entries[0].instance_type[3] = 'x';
	assert_false(prefs_equal(&base, &other));
	other = base;
	other.entries[0].group[0] = 'x';
	assert_false(prefs_equal(&base, &other));
	other = base;
	other.job_plan_arn[0] = 'x';
	assert_false(prefs_equal(&base, &other));
	other = base;
	other.has_shared_count = true;
	assert_false(prefs_equal(&base, &other));
	other = base;
	other.is_list = false;
	assert_false(prefs_equal(&base, &other));
	other = base;
	other.length = 1;
	assert_false(prefs_equal(&base, &other));
}

static void set_plan__stands_on_the_entry__in_a_list(void **unused)
{
	struct preferences prefs = parsed("ml.a:1,ml.b:2@arn:old", 0);
	char long_arn[PLAN_ARN_SIZE + 1];

	(void)unused;
	prefs.is_list = true;
	assert_true(prefs_set_plan(&prefs, 0, "arn:p"));
	assert_string_equal(prefs.entries[0].plan_arn, "arn:p");
	assert_true(prefs_set_plan(&prefs, 1, ""));
	assert_string_equal(prefs_plan(&prefs, 1), "");
	/* One that another entry may use stays where it was. */
	memcpy(prefs.job_plan_arn, "arn:job", 8);
	assert_true(prefs_set_plan(&prefs, 0, "arn:q"));
	assert_string_equal(prefs.job_plan_arn, "arn:job");
	assert_false(prefs_set_plan(&prefs, 2, "arn:p"));
	memset(long_arn, 'a', PLAN_ARN_SIZE);
	long_arn[PLAN_ARN_SIZE] = '\0';
	assert_false(prefs_set_plan(&prefs, 0, long_arn));
	assert_string_equal(prefs.entries[0].plan_arn, "arn:q");
	memcpy(prefs.entries[1].group, "g", 2);
	prefs.is_list = false;
	assert_false(prefs_set_plan(&prefs, 0, "arn:p"));
}

static void set_plan__is_the_jobs__where_there_is_no_list(void **unused)
{
	struct preferences prefs = { .length = 1 };

	(void)unused;
	memcpy(prefs.entries[0].instance_type, "ml.a", 5);
	assert_true(prefs_set_plan(&prefs, 0, "arn:p"));
	assert_string_equal(prefs.job_plan_arn, "arn:p");
	assert_string_equal(prefs.entries[0].plan_arn, "");
	assert_false(prefs.is_list);
	assert_true(prefs_set_plan(&prefs, 0, ""));
	assert_string_equal(prefs_plan(&prefs, 0), "");
	/* A list of one: its own plan takes the place of the job's. */
	memcpy(prefs.job_plan_arn, "arn:job", 8);
	prefs.is_list = true;
	assert_true(prefs_set_plan(&prefs, 0, "arn:q"));
	assert_string_equal(prefs.job_plan_arn, "");
	assert_string_equal(prefs.entries[0].plan_arn, "arn:q");
}

static void keep_first__is_one_type_with_its_count__and_no_list(void **state)
{
	struct preferences prefs = parsed("ml.a:3,ml.b:4", 0);
	struct preferences same = { 0 };

	(void)state;
	prefs_keep_first(&prefs);
	assert_order(&prefs, "a");
	assert_int_equal(count_of(&prefs, 0), 3);
	assert_false(prefs.is_list);
	prefs = parsed("ml.a,ml.b", 5);
	prefs_keep_first(&prefs);
	assert_true(prefs.entries[0].has_count);
	assert_false(prefs.has_shared_count);
	assert_int_equal(count_of(&prefs, 0), 5);
	prefs_keep_first(&same);
	assert_int_equal(same.length, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse__reads_types_counts_and_plans__when_the_list_is_well_formed),
		cmocka_unit_test(parse__takes_one_count_for_all__when_given),
		cmocka_unit_test(parse__leaves_rules_to_check__when_the_list_can_be_read),
		cmocka_unit_test(parse__names_entry_and_fix__when_it_cannot_be_read),
		cmocka_unit_test(parse__cuts_no_name__when_it_has_the_longest_length),
		cmocka_unit_test(plan__is_told_only_where_known__when_it_is_of_the_job),
		cmocka_unit_test(move__shifts_the_others__when_an_entry_gets_another_rank),
		cmocka_unit_test(insert__keeps_counts_well_formed__when_entries_have_their_own),
		cmocka_unit_test(insert__refuses__when_it_makes_no_sense),
		cmocka_unit_test(insert__makes_a_list__when_there_was_one_type_or_none),
		cmocka_unit_test(remove__closes_the_gap__when_an_entry_goes),
		cmocka_unit_test(set_type__keeps_count_and_plan__when_the_type_changes),
		cmocka_unit_test(add_count__stays_in_range__when_pushed_past_it),
		cmocka_unit_test(add_count__changes_all__when_the_count_is_shared),
		cmocka_unit_test(toggle__moves_the_number_in_one_step__both_ways),
		cmocka_unit_test(toggle__never_leaves_both_or_neither__when_the_list_was_broken),
		cmocka_unit_test(equal__sees_every_member__when_one_differs),
		cmocka_unit_test(set_plan__stands_on_the_entry__in_a_list),
		cmocka_unit_test(set_plan__is_the_jobs__where_there_is_no_list),
		cmocka_unit_test(keep_first__is_one_type_with_its_count__and_no_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
