/* Case 037: the same refusal in two wordings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/quota_refusal.h"
#include "tests/shared.h"

#define OLD                                                                              \
	"The account-level service limit for training-job/ml.p2.xlarge is 0 Instances, " \
	"with current utilization of 0 Instances and a request delta of 2 Instances. "   \
	"Please contact AWS support to request an increase for this limit."
#define NEW                                                                                    \
	"The account-level service limit 'ml.p4d.24xlarge for spot training job usage' is 20 " \
	"Instances, with current utilization of 21 Instances and a request delta of 4 "        \
	"Instances. Please use AWS Service Quotas to request an increase for this quota."
#define ALL                                                                                      \
	"The account-level service limit 'Number of instances across all processing jobs' is 4 " \
	"Instances, with current utilization of 0 Instances and a request delta of 11 Instances."

static void parse__reads_name_limit_use_and_delta__in_both_wordings(void **state)
{
	struct quota_refusal old, new, all;
	(void)state;
	assert_true(quota_refusal_parse(OLD, &old));
	assert_string_equal(old.name, "training-job/ml.p2.xlarge");
	assert_string_equal(old.instance_type, "ml.p2.xlarge");
	assert_true(old.has_kind);
	assert_int_equal(old.kind, QUOTA_TRAINING);
	assert_int_equal(old.limit, 0);
	assert_int_equal(old.used, 0);
	assert_int_equal(old.asked, 2);
	assert_true(quota_refusal_parse(NEW, &new));
	assert_string_equal(new.name, "ml.p4d.24xlarge for spot training job usage");
	assert_string_equal(new.instance_type, "ml.p4d.24xlarge");
	assert_int_equal(new.kind, QUOTA_SPOT);
	assert_int_equal(new.limit, 20);
	assert_int_equal(new.used, 21); /* case 072: above the limit */
	assert_int_equal(new.asked, 4);
	/* A limit over all types names none. */
	assert_true(quota_refusal_parse(ALL, &all));
	assert_string_equal(all.instance_type, "");
	assert_int_equal(all.kind, QUOTA_PROCESSING);
	assert_int_equal(all.asked, 11);
}

static void parse__reads_every_line__of_the_case(void **state)
{
	static const char *const types[] = { "ml.p2.xlarge", "ml.p3.2xlarge" };
	static const int asked[] = { 2, 1 };
	FILE *file = shared_open("cases/037-quota-text-two-generations/input.txt");
	char line[2048];
	size_t seen = 0;
	(void)state;
	if (!file)
		return;
	while (fgets(line, sizeof(line), file) && seen < ARRAY_LEN(types)) {
		struct quota_refusal refusal;
		assert_true(quota_refusal_parse(line, &refusal));
		assert_string_equal(refusal.instance_type, types[seen]);
		assert_int_equal(refusal.kind, QUOTA_TRAINING);
		assert_int_equal(refusal.limit, 0);
		assert_int_equal(refusal.used, 0);
		assert_int_equal(refusal.asked, asked[seen]);
		seen++;
	}
	fclose(file);
	assert_int_equal(seen, 2);
}

static void parse__leaves_alone__what_is_something_else(void **state)
{
	static const char *const texts[] = {
		"",
		"Rate exceeded",
		"CapacityError: Unable to provision requested ML compute capacity.",
		"The account-level service limit",
		"The account-level service limit '",
		"The account-level service limit '' is 0 Instances, with current utilization of 0 "
		"Instances and a request delta of 1 Instances.",
		"The account-level service limit 'x' is many Instances, with current utilization "
		"of "
		"0 Instances and a request delta of 1 Instances.",
		"The account-level service limit 'x' is 1 Instances, with current utilization of 0 "
		"Instances.",
		"The account-level service limit 'x' is 99999999999999999999 Instances, with "
		"current "
		"utilization of 0 Instances and a request delta of 1 Instances.",
		"The account-level service limit of x is 1 Instances, with current utilization of "
		"0 "
		"Instances and a request delta of 1 Instances.",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct quota_refusal refusal;
		if (quota_refusal_parse(texts[i], &refusal))
			fail_msg("'%s' is none", texts[i]);
		assert_string_equal(refusal.name, "");
	}
	struct quota_refusal refusal;
	assert_false(quota_refusal_parse(NULL, &refusal));
}

static void parse__cuts__a_name_without_end(void **state)
{
	struct quota_refusal refusal;
	char text[1024], name[600];
	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	memcpy(name, "ml.", 3);
	assert_in_range(snprintf(text, sizeof(text),
				 "service limit '%s' is 1.0 Instances, with current utilization of "
				 "2.0 Instances and a request delta of 3.0 Instances",
				 name),
			1, sizeof(text) - 1);
	assert_true(quota_refusal_parse(text, &refusal));
	assert_int_equal(strlen(refusal.name), sizeof(refusal.name) - 1);
	assert_string_equal(refusal.instance_type, ""); /* too long to be a type */
	assert_int_equal(refusal.limit, 1);
	assert_int_equal(refusal.asked, 3);
}

/* Case 080: the entry that the text names is the one to mark. */
static void entry__is_the_one_of_that_type(void **state)
{
	struct preferences prefs = { 0 };
	struct quota_refusal refusal;
	struct err err = { 0 };
	size_t entry = 99;
	(void)state;
	assert_true(prefs_parse(&prefs, "ml.p5.48xlarge:1,ml.p4d.24xlarge:4", 0, &err));
	assert_true(quota_refusal_parse(NEW, &refusal));
	assert_true(quota_refusal_entry(&refusal, &prefs, &entry));
	assert_int_equal(entry, 1);
	assert_true(quota_refusal_parse(OLD, &refusal));
	assert_false(quota_refusal_entry(&refusal, &prefs, &entry));
	assert_true(quota_refusal_parse(ALL, &refusal));
	assert_false(quota_refusal_entry(&refusal, &prefs, &entry));
}

static void say__calls_it_a_quota__and_zero_by_its_name(void **state)
{
	struct quota_refusal refusal;
	struct buf out;
	(void)state;
	buf_init(&out, 1024);
	assert_true(quota_refusal_parse(OLD, &refusal));
	quota_refusal_say(&refusal, &out);
	assert_string_equal(buf_text(&out),
			    "Quota, not capacity: the limit of 'training-job/ml.p2.xlarge' is 0: "
			    "nobody may run this type yet. Ask for a raise, or drop the entry: no "
			    "wait helps.");
	buf_clear(&out);
	assert_true(quota_refusal_parse(NEW, &refusal));
	quota_refusal_say(&refusal, &out);
	assert_string_equal(buf_text(&out),
			    "Quota, not capacity: the limit of 'ml.p4d.24xlarge for spot training "
			    "job usage' is 20, 21 in use, 4 asked for. Drop the entry, lower its "
			    "count, or ask for a raise; instances in use count until their jobs "
			    "have ended.");
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse__reads_name_limit_use_and_delta__in_both_wordings),
		cmocka_unit_test(parse__reads_every_line__of_the_case),
		cmocka_unit_test(parse__leaves_alone__what_is_something_else),
		cmocka_unit_test(parse__cuts__a_name_without_end),
		cmocka_unit_test(entry__is_the_one_of_that_type),
		cmocka_unit_test(say__calls_it_a_quota__and_zero_by_its_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
