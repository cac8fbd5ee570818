/* Training plans: states, windows, and what the rules of check say of them. */
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
#include "model/plan_start.h"
#include "model/store.h"

#define HOUR_MS INT64_C(3600000)
#define NOW_MS  INT64_C(1796047320000) /* 2026-11-30T14:02:00Z */
#define ARN     "arn:aws:sagemaker:us-east-1:111122223333:training-plan/tp-a"
#define TYPE    "ml.p5.48xlarge"

static struct opt_ms at(int64_t hours)
{
	return (struct opt_ms){ .set = true, .ms = NOW_MS + hours * HOUR_MS };
}

/* A plan for training jobs with the windows given as hours from now; release it. */
static struct plan plan_of(const char *status, const int64_t (*hours)[2], size_t count)
{
	struct plan plan = { .total = { true, 4 },
			     .available = { true, 4 },
			     .targets_known = true,
			     .for_training = true };
	plan.arn = mem_copy_text(ARN);
	plan.status = mem_copy_text(status);
	memcpy(plan.name, "tp-a", 5);
	memcpy(plan.instance_type, TYPE, sizeof(TYPE));
	for (size_t i = 0; i < count; i++) {
		const struct plan_window window = { .start = at(hours[i][0]),
						    .end = at(hours[i][1]) };
		plan_add_window(&plan, &window);
	}
	return plan;
}

/* When two instances of the type would start, with so many free. */
static struct plan_start start_of(const char *status, int64_t from, int64_t to, int64_t free)
{
	const int64_t hours[][2] = { { from, to } };
	struct plan plan = plan_of(status, hours, 1);
	plan.available.n = free;
	struct plan_start start = plan_start(&plan, TYPE, 2, NOW_MS);
	plan_release(&plan);
	return start;
}

static void start__is_when_its_window_is_open__with_all_of_the_count_free(void **state)
{
	static const struct {
		const char *status;
		int64_t from, to, free;
		enum plan_starts when;
		int64_t in_hours;
	} rows[] = {
		{ "Active", -2, 3, 2, PLAN_STARTS_IN, 0 },
		{ "Active", -2, 3, 1, PLAN_STARTS_UNKNOWN, 0 }, /* full: until a job ends */
		{ "Active", 2, 3, 4, PLAN_STARTS_IN, 2 },       /* the window counts */
		{ "Scheduled", 5, 9, 0, PLAN_STARTS_IN, 5 },    /* nobody is in it yet */
		{ "Scheduled", -1, 9, 4, PLAN_STARTS_UNKNOWN, 0 },
		{ "Pending", 5, 9, 4, PLAN_STARTS_UNKNOWN, 0 },
		{ "Expired", -9, -4, 4, PLAN_STARTS_NEVER, 0 },
		{ "Failed", 5, 9, 4, PLAN_STARTS_NEVER, 0 },
	};
	const int64_t hours[][2] = { { -9, -4 }, { 5, 9 } };
	struct plan plan = plan_of("Active", hours, 2);
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct plan_start start =
			start_of(rows[i].status, rows[i].from, rows[i].to, rows[i].free);
		assert_int_equal(start.when, rows[i].when);
		assert_int_equal(start.in_ms, rows[i].in_hours * HOUR_MS);
	}
	assert_int_equal(plan_start(&plan, TYPE, 4, NOW_MS).in_ms, 5 * HOUR_MS); /* between */
	assert_int_equal(plan_start(&plan, TYPE, 5, NOW_MS).when, PLAN_STARTS_NEVER);
	assert_int_equal(plan_start(&plan, "ml.p4d.24xlarge", 1, NOW_MS).when, PLAN_STARTS_NEVER);
	assert_int_equal(plan_start(&plan, TYPE, 0, NOW_MS).when, PLAN_STARTS_UNKNOWN);
	plan.for_training = false;
	assert_int_equal(plan_start(&plan, TYPE, 1, NOW_MS).when, PLAN_STARTS_NEVER);
	plan.instance_type[0] = '\0'; /* not told */
	assert_int_equal(plan_start(&plan, TYPE, 1, NOW_MS).when, PLAN_STARTS_UNKNOWN);
	plan_release(&plan);
	assert_int_equal(plan_start(NULL, TYPE, 1, NOW_MS).when, PLAN_STARTS_UNKNOWN);
}

static void expect_state(const char *status, const int64_t (*hours)[2], size_t count,
			 enum plan_state expected)
{
	struct plan plan = plan_of(status, hours, count);
	assert_int_equal(plan_state(&plan, NOW_MS), expected);
	plan_release(&plan);
}

static void state__is_the_services_word__but_between_two_windows(void **state)
{
	static const int64_t open[][2] = { { -2, 3 }, { 20, 40 } },
			     between[][2] = { { -9, -4 }, { 5, 9 } };
	static const int64_t ahead[][2] = { { 2, 9 } }, over[][2] = { { -9, -4 } };
	(void)state;
	expect_state("Active", open, 2, PLAN_ACTIVE);
	expect_state("Active", between, 2, PLAN_BETWEEN);
	expect_state("Scheduled", between, 2, PLAN_BETWEEN);
	expect_state("Expired", between, 2, PLAN_EXPIRED);
	expect_state("Scheduled", ahead, 1, PLAN_SCHEDULED);
	expect_state("Active", over, 1, PLAN_ACTIVE); /* the service knows better */
	expect_state("Pending", NULL, 0, PLAN_PENDING);
	expect_state("Failed", NULL, 0, PLAN_FAILED);
	expect_state("Extending", open, 2, PLAN_UNKNOWN);
	expect_state("active", open, 2, PLAN_UNKNOWN); /* words of the API are exact */
}

static void state__has_a_word__each(void **state)
{
	(void)state;
	assert_string_equal(plan_state_word(PLAN_BETWEEN), "between-windows");
	for (int i = PLAN_UNKNOWN; i <= PLAN_FAILED; i++)
		assert_true(plan_state_word((enum plan_state)i)[0] != '\0');
}

static void windows__are_in_order__whatever_came_first(void **state)
{
	static const int64_t hours[][2] = { { 20, 40 }, { -30, -20 }, { -2, 3 } };
	struct plan plan = plan_of("Active", hours, 3);
	const struct plan_window untold = { .zone = "us-east-1a" };
	struct plan_window window;
	(void)state;
	plan_add_window(&plan, &untold);
	assert_int_equal(plan.windows[0].start.ms, at(-30).ms);
	assert_int_equal(plan.windows[1].start.ms, at(-2).ms);
	assert_int_equal(plan.windows[2].start.ms, at(20).ms);
	assert_false(plan.windows[3].start.set);
	assert_true(plan_current_window(&plan, NOW_MS, &window));
	assert_int_equal(window.end.ms, at(3).ms);
	assert_true(plan_current_window(&plan, at(4).ms, &window));
	assert_int_equal(window.start.ms, at(20).ms);
	assert_true(plan_current_window(&plan, at(3).ms, &window)); /* its end is out of it */
	assert_int_equal(window.start.ms, at(20).ms);
	plan_release(&plan);
}

static void window__is_the_whole_plan__where_none_is_told(void **state)
{
	struct plan plan = plan_of("Scheduled", NULL, 0);
	struct plan_window window;
	(void)state;
	assert_false(plan_current_window(&plan, NOW_MS, &window));
	plan.start = at(5);
	assert_true(plan_current_window(&plan, NOW_MS, &window));
	assert_int_equal(window.start.ms, at(5).ms);
	assert_false(window.end.set);
	plan_release(&plan);
}

static void windows__stop_at_the_ceiling__and_say_so(void **state)
{
	struct plan plan = plan_of("Active", NULL, 0);
	(void)state;
	for (int i = 0; i < PLAN_WINDOWS_MAX; i++)
		plan_add_window(&plan, &(struct plan_window){ .start = at(i) });
	assert_false(plan.windows_cut);
	plan_add_window(&plan, &(struct plan_window){ .start = at(-1) });
	assert_true(plan.windows_cut);
	assert_int_equal(plan.window_count, PLAN_WINDOWS_MAX);
	plan_release(&plan);
}

static void serves__only_its_type__and_only_training(void **state)
{
	struct plan plan = plan_of("Active", NULL, 0);
	(void)state;
	assert_true(plan_serves(&plan, TYPE));
	assert_false(plan_serves(&plan, "ml.p4d.24xlarge"));
	plan.for_training = false;
	assert_false(plan_serves(&plan, TYPE));
	plan.targets_known = false; /* nothing said is no refusal */
	assert_true(plan_serves(&plan, TYPE));
	plan.instance_type[0] = '\0';
	assert_false(plan_serves(&plan, ""));
	plan_release(&plan);
}

/* --- in the store --- */

static void store__takes_a_whole_list__and_finds_by_arn(void **state)
{
	struct store store = { 0 };
	struct plan *plans = mem_new(2, sizeof(*plans));
	uint64_t before = store.version;
	(void)state;
	assert_null(store_plan_facts(&store, NOW_MS)); /* no list has come */
	plans[0] = plan_of("Active", NULL, 0);
	plans[1] = plan_of("Scheduled", NULL, 0);
	mem_set_text(&plans[1].arn, "arn:other");
	store_take_plans(&store, plans, 2);
	store_note_loaded(&store, SOURCE_PLANS, 5);
	assert_true(store.version > before);
	assert_int_equal(store_find_plan(&store, "arn:other")->status[0], 'S');
	assert_null(store_find_plan(&store, "arn:none"));
	struct plan_fact *facts = store_plan_facts(&store, NOW_MS);
	assert_non_null(facts);
	assert_string_equal(facts[1].arn, "arn:other");
	assert_int_equal(facts[0].state, PLAN_ACTIVE);
	free(facts);
	store_take_plans(&store, NULL, 0); /* the list is empty now, which is an answer */
	facts = store_plan_facts(&store, NOW_MS);
	assert_non_null(facts);
	free(facts);
	store_release(&store);
}

/* --- the rules --- */

/* The rules that speak of a list with one plan known, blank-separated, and the first message. */
struct verdict {
	char rules[200];
	struct finding first;
};

static struct verdict judge(const struct preferences *prefs, const struct plan *plan)
{
	struct verdict verdict = { 0 };
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct plan_fact fact;
	struct check_known known = { 0 };
	struct check_input input = { .kind = JOB_TRAINING, .prefs = prefs, .known = &known };
	if (plan) {
		plan_fact(plan, NOW_MS, &fact);
		known.plans = &fact;
		known.plan_count = 1;
	}
	check_preferences(&input, findings);
	for (size_t i = 0; i < findings->count; i++) {
		if (strncmp(findings->items[i].rule, "plan-", 5) != 0)
			continue;
		size_t used = strlen(verdict.rules);
		if (used == 0)
			verdict.first = findings->items[i];
		(void)snprintf(verdict.rules + used, sizeof(verdict.rules) - used, "%s%s",
			       used ? " " : "", findings->items[i].rule);
	}
	free(findings);
	return verdict;
}

static struct preferences list_of(const char *text)
{
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	assert_true(prefs_parse(&prefs, text, 0, &err));
	return prefs;
}

static void plan_state__is_silent__for_an_active_plan_with_room(void **state)
{
	static const int64_t open[][2] = { { -2, 3 } };
	struct plan plan = plan_of("Active", open, 1);
	struct preferences prefs = list_of(TYPE ":4@" ARN ",ml.p4d.24xlarge:4");
	(void)state;
	assert_string_equal(judge(&prefs, &plan).rules, "");
	plan_release(&plan);
}

/* Case 068: a reservation that is paid for stands idle while the job runs on demand. */
static void plan_state__notes_an_idle_plan__of_an_entry_on_demand(void **state)
{
	static const int64_t open[][2] = { { -2, 3 } };
	struct plan plan = plan_of("Active", open, 1);
	struct preferences prefs = list_of("ml.p4d.24xlarge:4," TYPE ":4");
	struct verdict verdict;
	(void)state;
	plan.available = (struct opt_count){ true, 3 };
	verdict = judge(&prefs, &plan);
	assert_string_equal(verdict.rules, "plan-state");
	assert_int_equal(verdict.first.severity, SEVERITY_NOTE);
	assert_int_equal(verdict.first.entry, 1);
	assert_string_equal(verdict.first.message,
			    "#2: on demand, while plan tp-a has 3 of this type free.");
	plan.available.n = 0;
	assert_string_equal(judge(&prefs, &plan).rules, "");
	plan.available.n = 3;
	plan.for_training = false;
	assert_string_equal(judge(&prefs, &plan).rules, "");
	plan.for_training = true;
	memcpy(prefs.job_plan_arn, ARN, sizeof(ARN)); /* it is not idle then */
	assert_string_equal(judge(&prefs, &plan).rules, "plan-capacity");
	plan_release(&plan);
}

static void plan_state__says_when_it_begins__and_that_nobody_waits(void **state)
{
	static const int64_t ahead[][2] = { { 2, 9 } };
	struct plan plan = plan_of("Scheduled", ahead, 1);
	struct preferences prefs = list_of("ml.p4d.24xlarge:4," TYPE ":4@" ARN);
	struct verdict verdict = judge(&prefs, &plan);
	(void)state;
	assert_string_equal(verdict.rules, "plan-state");
	assert_int_equal(verdict.first.severity, SEVERITY_WARNING);
	assert_int_equal(verdict.first.entry, 1);
	assert_string_equal(verdict.first.path,
			    "ResourceConfig.InstancePreferences[1].TrainingPlanArns");
	assert_string_equal(verdict.first.message,
			    "#2: plan tp-a begins 2026-11-30T16:02:00Z; it is not waited for when "
			    "a later entry fits.");
	assert_true(finding_apply(&verdict.first, &prefs));
	assert_string_equal(prefs.entries[1].plan_arn, "");
	plan_release(&plan);
}

static void plan_state__names_every_other_state(void **state)
{
	static const int64_t between[][2] = { { -9, -4 }, { 5, 9 } };
	static const struct {
		const char *status, *says;
	} rows[] = {
		{ "Expired", "has expired" },
		{ "Failed", "has failed" },
		{ "Pending", "not confirmed" },
		{ "Active", "between two windows, the next one begins 2026-11-30T19:02:00Z" },
		{ "Extending", "not known here: Extending" },
	};
	struct preferences prefs = list_of(TYPE ":4@" ARN ",ml.p4d.24xlarge:4");
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct plan plan = plan_of(rows[i].status, between, 2);
		struct verdict verdict = judge(&prefs, &plan);
		assert_string_equal(verdict.rules, "plan-state");
		if (!strstr(verdict.first.message, rows[i].says))
			fail_msg("%s: %s", rows[i].status, verdict.first.message);
		plan_release(&plan);
	}
}

static void plan_state__tells_a_plan_of_others__and_one_not_listed(void **state)
{
	struct plan plan = plan_of("Active", NULL, 0);
	struct preferences prefs = list_of(TYPE ":4@" ARN ",ml.p4d.24xlarge:4");
	(void)state;
	plan.for_training = false;
	assert_non_null(strstr(judge(&prefs, &plan).first.message, "not for training jobs"));
	mem_set_text(&plan.arn, "arn:other");
	assert_non_null(strstr(judge(&prefs, &plan).first.message, "not among the plans"));
	plan_release(&plan);
}

/* Never a pass: a note, with nothing that Enter could do. */
static void plan_state__is_not_checked__without_a_list_of_plans(void **state)
{
	struct preferences prefs = list_of(TYPE ":4@" ARN ",ml.p4d.24xlarge:4");
	struct verdict verdict = judge(&prefs, NULL);
	(void)state;
	assert_string_equal(verdict.rules, "plan-state");
	assert_int_equal(verdict.first.severity, SEVERITY_NOTE);
	assert_int_equal(verdict.first.fix, FIX_NONE);
	assert_non_null(strstr(verdict.first.message, "not checked"));
}

static void plan_capacity__counts_what_is_free__and_what_there_is(void **state)
{
	static const int64_t open[][2] = { { -2, 3 } };
	struct plan plan = plan_of("Active", open, 1);
	struct preferences prefs = list_of(TYPE ":4@" ARN ",ml.p4d.24xlarge:4");
	struct verdict verdict;
	(void)state;
	plan.available.n = 3;
	verdict = judge(&prefs, &plan);
	assert_string_equal(verdict.rules, "plan-capacity");
	assert_non_null(strstr(verdict.first.message, "has 3 free and 4 are asked for"));
	plan.available.set = false; /* not told: no doubt of it */
	assert_string_equal(judge(&prefs, &plan).rules, "");
	assert_true(prefs_add_count(&prefs, 0, 1));
	verdict = judge(&prefs, &plan);
	assert_non_null(strstr(verdict.first.message, "has 4 instances in all and 5 are"));
	plan_release(&plan);
}

static void plan_of_the_job__is_judged_by_the_entry_of_its_type(void **state)
{
	static const int64_t open[][2] = { { -2, 3 } };
	struct plan plan = plan_of("Active", open, 1);
	struct preferences prefs = list_of("ml.p4d.24xlarge:8," TYPE ":5");
	struct verdict verdict;
	(void)state;
	memcpy(prefs.job_plan_arn, ARN, sizeof(ARN));
	verdict = judge(&prefs, &plan);
	assert_string_equal(verdict.rules, "plan-capacity");
	assert_string_equal(verdict.first.path, "ResourceConfig.TrainingPlanArn");
	assert_non_null(strstr(verdict.first.message, "5 are asked for"));
	assert_int_equal(verdict.first.entry, CHECK_NO_ENTRY);
	assert_true(finding_apply(&verdict.first, &prefs));
	assert_string_equal(prefs.job_plan_arn, "");
	plan_release(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(start__is_when_its_window_is_open__with_all_of_the_count_free),
		cmocka_unit_test(state__is_the_services_word__but_between_two_windows),
		cmocka_unit_test(state__has_a_word__each),
		cmocka_unit_test(windows__are_in_order__whatever_came_first),
		cmocka_unit_test(window__is_the_whole_plan__where_none_is_told),
		cmocka_unit_test(windows__stop_at_the_ceiling__and_say_so),
		cmocka_unit_test(serves__only_its_type__and_only_training),
		cmocka_unit_test(store__takes_a_whole_list__and_finds_by_arn),
		cmocka_unit_test(plan_state__is_silent__for_an_active_plan_with_room),
		cmocka_unit_test(plan_state__notes_an_idle_plan__of_an_entry_on_demand),
		cmocka_unit_test(plan_state__says_when_it_begins__and_that_nobody_waits),
		cmocka_unit_test(plan_state__names_every_other_state),
		cmocka_unit_test(plan_state__tells_a_plan_of_others__and_one_not_listed),
		cmocka_unit_test(plan_state__is_not_checked__without_a_list_of_plans),
		cmocka_unit_test(plan_capacity__counts_what_is_free__and_what_there_is),
		cmocka_unit_test(plan_of_the_job__is_judged_by_the_entry_of_its_type),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
