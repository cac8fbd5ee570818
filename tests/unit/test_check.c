#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/check.h"

#define PLAN "arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan"

/* A list as LIST of interface.md; shared 0 = no count beside it. */
static struct preferences list_of(const char *text, int64_t shared)
{
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	assert_true(prefs_parse(&prefs, text, 0, &err));
	prefs.has_shared_count = shared != 0;
	prefs.shared_count = shared;
	return prefs;
}

/* One plan is known, of which no more than its type is told. */
static const struct plan_fact known_plan = { .arn = PLAN, .instance_type = "ml.p5.48xlarge" };

static const struct check_known one_plan = { .plans = &known_plan, .plan_count = 1 };

static struct check_input input_of(const struct preferences *prefs)
{
	return (struct check_input){ .kind = JOB_TRAINING, .prefs = prefs, .known = &one_plan };
}

/* What is said of one entry's hardware beside another's has tests of its own
 * (test_check_hardware.c); these are about the list. */
static bool is_of_hardware(const char *rule)
{
	static const char *const rules[] = { "gpu-memory-drop",     "accelerator-change",
					     "architecture-change", "efa-missing",
					     "cpu-fallback",        "compute-change",
					     "local-storage-drop" };
	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		if (strcmp(rules[i], rule) == 0)
			return true;
	return false;
}

/* The ids found, in order, with a blank between. */
static const char *ids(const struct findings *findings, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 0; i < findings->count; i++)
		if (!is_of_hardware(findings->items[i].rule))
			buf_addf(out, "%s%s", out->len > 0 ? " " : "", findings->items[i].rule);
	return buf_text(out);
}

static void assert_rules(const struct check_input *input, const char *expected)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct buf text;
	buf_init(&text, 4096);
	check_preferences(input, findings);
	assert_string_equal(ids(findings, &text), expected);
	buf_release(&text);
	free(findings);
}

static void assert_list(const char *list, int64_t shared, const char *expected)
{
	struct preferences prefs = list_of(list, shared);
	struct check_input input = input_of(&prefs);
	assert_rules(&input, expected);
}

static struct finding first_of(const struct check_input *input)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	check_preferences(input, findings);
	assert_true(findings->count > 0);
	struct finding first = findings->items[0];
	free(findings);
	return first;
}

static struct finding first_of_list(const char *list, int64_t shared)
{
	struct preferences prefs = list_of(list, shared);
	struct check_input input = input_of(&prefs);
	return first_of(&input);
}

static void list__is_accepted__when_it_obeys_the_rules(void **state)
{
	(void)state;
	assert_list("ml.g6.48xlarge,ml.g5.48xlarge", 2, "");
	assert_list("ml.g6.48xlarge:2,ml.g5.48xlarge:4", 0, "");
	assert_list("ml.p5.48xlarge@" PLAN ",ml.p4d.24xlarge", 4, "");
	assert_list("ml.p5.48xlarge:1,ml.p5e.48xlarge:1,ml.p5en.48xlarge:1,ml.p4d.24xlarge:1,"
		    "ml.g5.48xlarge:100",
		    0, "");
}

static void list_length__is_found__outside_one_to_five(void **state)
{
	struct preferences prefs = { .is_list = true, .has_shared_count = true, .shared_count = 1 };
	struct check_input input = input_of(&prefs);
	(void)state;
	assert_rules(&input, "list-length");
	assert_string_equal(first_of(&input).path, "ResourceConfig.InstancePreferences");
	input.kind = JOB_PROCESSING;
	assert_string_equal(first_of(&input).path,
			    "ProcessingResources.ClusterConfig.InstancePreferences");
	input.kind = JOB_TRAINING;
	assert_list("ml.p5.48xlarge,ml.p5e.48xlarge,ml.p5en.48xlarge,ml.p4d.24xlarge,"
		    "ml.p4de.24xlarge,ml.g5.48xlarge",
		    1, "list-length");
	prefs = list_of("ml.p5.48xlarge,ml.p4d.24xlarge", 1);
	input.list_length = 12; /* of the document, of which the list kept less */
	assert_rules(&input, "list-length");
	assert_non_null(strstr(first_of(&input).message, "12 entries"));
}

static void list_rules__do_not_apply__when_there_is_no_list(void **state)
{
	struct preferences prefs = list_of("ml.p5.48xlarge", 1);
	struct check_input input = input_of(&prefs);
	(void)state;
	assert_rules(&input, "list-single");
	prefs.is_list = false;
	input.has_instance_type = input.has_spot = true;
	assert_rules(&input, "");
	prefs = (struct preferences){ 0 };
	assert_rules(&input, "");
}

static void list_single__is_a_warning__for_one_entry(void **state)
{
	struct finding finding = first_of_list("ml.p5.48xlarge:2", 0);
	(void)state;
	assert_string_equal(finding.rule, "list-single");
	assert_int_equal(finding.severity, SEVERITY_WARNING);
	assert_string_equal(finding.path, "ResourceConfig.InstancePreferences[0]");
}

static void duplicate_type__names_each_repetition__and_removes_it(void **state)
{
	struct preferences prefs =
		list_of("ml.g5.48xlarge,ml.p5.48xlarge,ml.g5.48xlarge,ml.g5.48xlarge", 1);
	struct check_input input = input_of(&prefs);
	(void)state;
	assert_rules(&input, "duplicate-type duplicate-type");
	struct finding finding = first_of(&input);
	assert_int_equal(finding.entry, 2);
	assert_string_equal(finding.path, "ResourceConfig.InstancePreferences[2]");
	assert_non_null(strstr(finding.message, "#3 repeats ml.g5.48xlarge of #1"));
	assert_true(finding_apply(&finding, &prefs));
	assert_int_equal(prefs.length, 3);
	assert_rules(&input, "duplicate-type");
}

static void counts__are_judged__in_both_places_some_or_none(void **state)
{
	struct preferences prefs = list_of("ml.g6.48xlarge:2,ml.g5.48xlarge:4", 2);
	struct check_input input = input_of(&prefs);
	(void)state;
	assert_rules(&input, "count-mixed");
	struct finding both = first_of(&input);
	assert_string_equal(both.path, "ResourceConfig.InstancePreferences[0]");
	assert_true(finding_apply(&both, &prefs));
	assert_false(prefs.has_shared_count);
	assert_int_equal(prefs.entries[1].count, 4);
	assert_rules(&input, "");

	prefs = list_of("ml.g6.48xlarge:2,ml.g5.48xlarge", 0);
	assert_rules(&input, "count-mixed");
	struct finding some = first_of(&input);
	assert_string_equal(some.path, "ResourceConfig.InstancePreferences[1]");
	assert_string_not_equal(some.message, both.message);
	assert_true(finding_apply(&some, &prefs));
	assert_true(prefs.entries[1].has_count);
	assert_int_equal(prefs.entries[1].count, 2);
	assert_rules(&input, "");

	prefs = list_of("ml.g6.48xlarge,ml.g5.48xlarge", 0);
	assert_rules(&input, "count-missing");
	struct finding none = first_of(&input);
	assert_true(finding_apply(&none, &prefs));
	assert_true(prefs.has_shared_count);
	assert_int_equal(prefs.shared_count, 1);
	assert_rules(&input, "");
}

static void count_range__is_a_doubt__where_the_model_allows_the_count(void **state)
{
	(void)state;
	assert_list("ml.g6.48xlarge:1,ml.g5.48xlarge:100", 0, "");
	assert_list("ml.g6.48xlarge:1,ml.g5.48xlarge:101", 0, "count-range");
	assert_list("ml.g6.48xlarge,ml.g5.48xlarge", 101, "count-range");
	struct finding finding = first_of_list("ml.g6.48xlarge:1,ml.g5.48xlarge:101", 0);
	assert_int_equal(finding.severity, SEVERITY_WARNING);
	assert_string_equal(finding.path, "ResourceConfig.InstancePreferences[1].InstanceCount");
	/* The model takes 0 beside a training list, not on an entry. */
	struct preferences prefs = list_of("ml.g6.48xlarge,ml.g5.48xlarge", 1);
	struct check_input input = input_of(&prefs);
	prefs.shared_count = 0;
	assert_rules(&input, "count-range");
	finding = first_of(&input);
	assert_string_equal(finding.path, "ResourceConfig.InstanceCount");
	assert_true(finding_apply(&finding, &prefs));
	assert_int_equal(prefs.shared_count, 1);
}

static void value_range__is_an_error__where_the_model_refuses_the_count(void **state)
{
	(void)state;
	assert_list("ml.g6.48xlarge:0,ml.g5.48xlarge:2", 0, "value-range");
	struct preferences prefs = list_of("ml.g6.48xlarge:2,ml.g5.48xlarge:2", 0);
	struct check_input input = input_of(&prefs);
	prefs.entries[1].count = -3;
	struct finding finding = first_of(&input);
	assert_string_equal(finding.rule, "value-range");
	assert_int_equal(finding.severity, SEVERITY_ERROR);
	assert_int_equal(finding.entry, 1);
	assert_true(finding_apply(&finding, &prefs));
	assert_int_equal(prefs.entries[1].count, 1);
	assert_rules(&input, "");

	/* A processing job takes 1 to 100 beside the list. */
	prefs = list_of("ml.g5.2xlarge,ml.m5.xlarge", 101);
	input.kind = JOB_PROCESSING;
	assert_rules(&input, "value-range");
	prefs.shared_count = 0;
	assert_rules(&input, "value-range");
	prefs.shared_count = 100;
	assert_rules(&input, "");
}

static void exclusive_member__names_each__beside_a_list(void **state)
{
	struct preferences prefs = list_of("ml.g6.48xlarge,ml.g5.48xlarge", 1);
	struct check_input input = input_of(&prefs);
	(void)state;
	input.has_instance_type = input.has_instance_groups = true;
	input.has_placement = input.has_spot = true;
	assert_rules(&input, "exclusive-member exclusive-member exclusive-member exclusive-member");
	struct finding finding = first_of(&input);
	assert_string_equal(finding.path, "ResourceConfig.InstanceType");
	assert_int_equal(finding.fix, FIX_DROP_MEMBER);
	assert_false(finding_apply(&finding, &prefs));

	/* Groups exclude the single type and its count too: case 046. */
	prefs.is_list = false;
	input.has_placement = input.has_spot = false;
	assert_rules(&input, "exclusive-member exclusive-member");
	input.has_instance_type = false;
	assert_rules(&input, "exclusive-member");
	assert_string_equal(first_of(&input).path, "ResourceConfig.InstanceCount");
	prefs.has_shared_count = false;
	assert_rules(&input, "");
}

static void read_only_member__is_found__without_the_text(void **state)
{
	struct preferences prefs = list_of("ml.g6.48xlarge,ml.g5.48xlarge", 1);
	struct check_input input = input_of(&prefs);
	(void)state;
	input.has_selected_members = true;
	assert_rules(&input, "read-only-member read-only-member");
	assert_string_equal(first_of(&input).path, "ResourceConfig.SelectedInstanceType");
}

static void plans__are_refused__for_processing_and_on_two_levels(void **state)
{
	struct preferences prefs = list_of("ml.g5.2xlarge@" PLAN ",ml.m5.xlarge", 1);
	struct check_input input = input_of(&prefs);
	(void)state;
	input.kind = JOB_PROCESSING;
	input.known = NULL;
	assert_rules(&input, "plan-processing");
	struct finding finding = first_of(&input);
	assert_int_equal(finding.entry, 0);
	assert_true(finding_apply(&finding, &prefs));
	assert_rules(&input, "");
	input.processing_has_plan = true; /* somewhere the list does not show */
	assert_rules(&input, "plan-processing");

	prefs = list_of("ml.p5.48xlarge@" PLAN ",ml.p4d.24xlarge", 1);
	input = input_of(&prefs);
	memcpy(prefs.job_plan_arn, PLAN, sizeof(PLAN));
	assert_rules(&input, "plan-level-mixed");
	finding = first_of(&input);
	assert_string_equal(finding.path, "ResourceConfig.TrainingPlanArn");
	assert_true(finding_apply(&finding, &prefs));
	assert_string_equal(prefs.job_plan_arn, "");
	assert_string_equal(prefs.entries[0].plan_arn, PLAN);
	assert_rules(&input, "");
}

static void plan_too_many__names_the_entry(void **state)
{
	struct preferences prefs = list_of("ml.p4d.24xlarge,ml.p5.48xlarge@" PLAN, 1);
	struct check_input input = input_of(&prefs);
	(void)state;
	input.has_plan_on_entry_twice = true;
	input.plan_twice_entry = 1;
	assert_rules(&input, "plan-too-many");
	assert_int_equal(first_of(&input).entry, 1);
}

static void value_pattern__is_told_of_an_arn_that_is_none__without_a_request(void **state)
{
	struct preferences prefs = list_of("ml.p4d.24xlarge,ml.p5.48xlarge@arn:bogus", 1);
	struct check_input input = input_of(&prefs);
	(void)state;
	const struct finding finding = first_of(&input);
	assert_string_equal(finding.rule, "value-pattern");
	assert_string_equal(finding.path, "ResourceConfig.InstancePreferences[1].TrainingPlanArns");
	assert_int_equal(finding.entry, 1);
	prefs = list_of("ml.p4d.24xlarge,ml.p5.48xlarge@" PLAN, 1);
	assert_rules(&input, "");
}

static void plan_type_mismatch__is_told__only_of_known_plans(void **state)
{
	static const struct plan_fact plans[] = {
		{ .arn = "arn:other", .instance_type = "ml.trn1.32xlarge" },
		{ .arn = PLAN, .instance_type = "ml.p5.48xlarge" },
	};
	static const struct check_known two_plans = { .plans = plans,
						      .plan_count = ARRAY_LEN(plans) };
	struct preferences prefs = list_of("ml.p4d.24xlarge@" PLAN ",ml.p5.48xlarge", 1);
	struct check_input input = input_of(&prefs);
	(void)state;
	input.known = NULL;
	assert_rules(&input, "plan-state"); /* a note: not checked */
	input.known = &two_plans;
	assert_rules(&input, "plan-type-mismatch");
	prefs = list_of("ml.p4d.24xlarge,ml.p5.48xlarge@" PLAN, 1);
	assert_rules(&input, "");
	prefs = list_of("ml.p4d.24xlarge,ml.g5.48xlarge", 1);
	memcpy(prefs.job_plan_arn, PLAN, sizeof(PLAN));
	assert_rules(&input, "plan-type-mismatch");
	prefs = list_of("ml.p4d.24xlarge,ml.p5.48xlarge", 1);
	memcpy(prefs.job_plan_arn, PLAN, sizeof(PLAN));
	assert_rules(&input, "");
}

static void name_invalid__is_found__in_a_name_that_is_given(void **state)
{
	struct preferences prefs = list_of("ml.g6.48xlarge,ml.g5.48xlarge", 1);
	struct check_input input = input_of(&prefs);
	(void)state;
	input.name = "llm-ft-0930";
	assert_rules(&input, "");
	input.name = "intentionally@invalid-name";
	assert_rules(&input, "name-invalid");
	assert_string_equal(first_of(&input).path, "TrainingJobName");
	input.name = "";
	assert_rules(&input, "name-invalid");
	assert_int_equal(first_of(&input).fix, FIX_SET_NAME);
}

static void types__are_checked__against_the_kind_and_the_catalog(void **state)
{
	(void)state;
	assert_list("ml.t2.large,ml.g5.48xlarge", 1, "type-not-for-kind");
	struct preferences both = list_of("ml.p5.48xlarge,ml.g5.48xlarge", 1);
	struct check_input input = input_of(&both);
	assert_rules(&input, "");
	input.kind = JOB_PROCESSING; /* p5 trains only */
	assert_rules(&input, "type-not-for-kind");
	assert_int_equal(first_of(&input).fix, FIX_REMOVE_ENTRY);
	struct finding finding = first_of_list("ml.p5.48xlarge,ml.p5.24xlarge", 1);
	assert_string_equal(finding.rule, "unknown-type");
	assert_int_equal(finding.severity, SEVERITY_WARNING);
	assert_non_null(strstr(finding.message, "ml.p5.24xlarge"));
	assert_int_equal(finding.fix, FIX_SET_TYPE);
	struct preferences prefs = list_of("ml.g5.48xlarge,ml.p4d.24xlarge", 1);
	assert_true(finding_apply(&finding, &prefs));
	assert_string_equal(prefs.entries[1].instance_type, finding.fix_value);
	/* Nothing near: no fix is made up. */
	finding = first_of_list("ml.p5.48xlarge,something-else-entirely", 1);
	assert_string_equal(finding.rule, "unknown-type");
	assert_int_equal(finding.fix, FIX_NONE);
}

static void max_pending__is_doubted__outside_the_range_or_without_effect(void **state)
{
	struct preferences prefs = list_of("ml.g6.48xlarge,ml.g5.48xlarge", 1);
	struct check_input input = input_of(&prefs);
	(void)state;
	input.has_max_pending = true;
	input.max_pending_seconds = 1800; /* the guide's own example */
	assert_rules(&input, "max-pending-range");
	assert_int_equal(first_of(&input).severity, SEVERITY_WARNING);
	input.max_pending_seconds = 7200;
	assert_rules(&input, "");
	input.max_pending_seconds = 2419200;
	assert_rules(&input, "");
	input.max_pending_seconds = 2419201;
	assert_rules(&input, "max-pending-range");
	input.max_pending_seconds = 7200;
	prefs = list_of("ml.m5.large,ml.c5.xlarge", 1);
	assert_rules(&input, "max-pending-no-effect");
	input.kind = JOB_PROCESSING;
	assert_rules(&input, "max-pending-processing");
}

/* A misleading second finding must not hide the first: all rules of the list come before the types,
 * errors before warnings. */
static void findings__stand_in_order__when_everything_is_wrong(void **state)
{
	struct preferences prefs = list_of("ml.t2.large:0,ml.t2.large,ml.p9.large:500", 0);
	struct check_input input = input_of(&prefs);
	(void)state;
	input.name = "-";
	input.has_instance_type = true;
	assert_rules(&input, "duplicate-type count-mixed exclusive-member name-invalid value-range "
			     "type-not-for-kind type-not-for-kind count-range unknown-type");
	prefs.entries[0].instance_type[0] = '\0'; /* never said as a type of its own */
	prefs.entries[1].instance_type[0] = '\0';
	assert_rules(&input, "count-mixed exclusive-member name-invalid value-range count-range "
			     "unknown-type");
}

static void findings__say_that_some_are_left_out__when_there_are_too_many(void **state)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	(void)state;
	for (size_t i = 0; i < FINDINGS_MAX; i++)
		assert_non_null(findings_add(findings, "list-length", "", "%zu", i));
	assert_false(findings->cut);
	assert_null(findings_add(findings, "list-length", "", "one more"));
	assert_true(findings->cut);
	assert_int_equal(findings->count, FINDINGS_MAX);
	assert_null(findings_add(findings, "no-such-rule", "", "x"));
	free(findings);
}

static void message__is_cut_between_characters__when_too_long(void **state)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	char text[500] = "a";
	(void)state;
	for (size_t i = 1; i + 2 < sizeof(text); i += 2) {
		text[i] = '\xC3';
		text[i + 1] = '\xA9';
	}
	struct finding *finding = findings_add(findings, "list-length", "", "%s", text);
	assert_int_equal(strlen(finding->message), 319); /* "a" and 159 of two bytes */
	finding = findings_add(findings, "list-length", "", "%s", text + 1);
	assert_int_equal(strlen(finding->message), 318);
	free(findings);
}

static void apply__changes_nothing__when_the_entry_is_gone(void **state)
{
	struct preferences prefs = list_of("ml.g5.48xlarge", 1), before = prefs;
	struct finding finding = { .fix = FIX_REMOVE_ENTRY, .entry = 1 };
	(void)state;
	assert_false(finding_apply(&finding, &prefs));
	finding.entry = CHECK_NO_ENTRY;
	assert_false(finding_apply(&finding, &prefs));
	finding = (struct finding){ .fix = FIX_SET_COUNT, .entry = CHECK_NO_ENTRY };
	memcpy(finding.fix_value, "7", 2);
	prefs.has_shared_count = before.has_shared_count = false;
	assert_false(finding_apply(&finding, &prefs));
	finding.fix = FIX_NONE;
	assert_false(finding_apply(&finding, &prefs));
	assert_true(prefs_equal(&prefs, &before));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(list__is_accepted__when_it_obeys_the_rules),
		cmocka_unit_test(list_length__is_found__outside_one_to_five),
		cmocka_unit_test(list_rules__do_not_apply__when_there_is_no_list),
		cmocka_unit_test(list_single__is_a_warning__for_one_entry),
		cmocka_unit_test(duplicate_type__names_each_repetition__and_removes_it),
		cmocka_unit_test(counts__are_judged__in_both_places_some_or_none),
		cmocka_unit_test(count_range__is_a_doubt__where_the_model_allows_the_count),
		cmocka_unit_test(value_range__is_an_error__where_the_model_refuses_the_count),
		cmocka_unit_test(exclusive_member__names_each__beside_a_list),
		cmocka_unit_test(read_only_member__is_found__without_the_text),
		cmocka_unit_test(plans__are_refused__for_processing_and_on_two_levels),
		cmocka_unit_test(plan_too_many__names_the_entry),
		cmocka_unit_test(value_pattern__is_told_of_an_arn_that_is_none__without_a_request),
		cmocka_unit_test(plan_type_mismatch__is_told__only_of_known_plans),
		cmocka_unit_test(name_invalid__is_found__in_a_name_that_is_given),
		cmocka_unit_test(types__are_checked__against_the_kind_and_the_catalog),
		cmocka_unit_test(max_pending__is_doubted__outside_the_range_or_without_effect),
		cmocka_unit_test(findings__stand_in_order__when_everything_is_wrong),
		cmocka_unit_test(findings__say_that_some_are_left_out__when_there_are_too_many),
		cmocka_unit_test(message__is_cut_between_characters__when_too_long),
		cmocka_unit_test(apply__changes_nothing__when_the_entry_is_gone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
