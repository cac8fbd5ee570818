/* x: why a job is as it is, on the screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/explain.h"
#include "tests/homescreen.h"

static int start(void **state)
{
	return homescreen_setup(state, 120, 60);
}

static void ended_without_a_start__is_capacity__with_its_entries(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "never-lucky");
	homescreen_keys(home, "x");
	homescreen_want(home, "  capacity");
	homescreen_want(home, "SecondaryStatus: MaxPendingTimeExceeded");
	homescreen_want(home, "✗ #1 ml.p5.48xlarge ×8  refused: never free in the whole count");
	homescreen_want(home, "P X     resubmit: a copy with a longer list may start");
	homescreen_keys(home, "q");
	homescreen_want_not(home, "SecondaryStatus: MaxPendingTimeExceeded");
}

/* What is to be written for it is told by its own list. */
static void where_nothing_is_certified__an_entry_is_shown_of_this_job(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "never-lucky");
	homescreen_keys(home, "P o");
	homescreen_want(home, "The config certifies nothing for this job with a run time.");
	homescreen_want(home, "stems = never-lucky");
	homescreen_want(home, "type = ml.p5.48xlarge");
	homescreen_want(home, "count = 8");
}

static void failed_run__is_failed__with_the_reason_as_a_hint(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "oom-run-44");
	homescreen_keys(home, "x");
	homescreen_want(home, "  failed");
	homescreen_want(home, "FailureReason: AlgorithmError: CUDA out of memory");
	homescreen_want(home, "a hint: nothing rests on it");
	homescreen_want(home, "✓ #1 ml.p4d.24xlarge ×1  taken: chosen");
	homescreen_want(home, "L       open-logs: the first error");
}

/* A job with a history of waits like this one is marked once its wait goes beyond six hours. */
static void job_that_waits_too_long__is_marked__and_said_why(void **state)
{
	struct homescreen *home = *state;
	homescreen_pass(home, INT64_C(6) * 3600 * 1000);
	homescreen_want(home, " !");
	homescreen_want(home, "stuck: it waits longer than 6h00m");
}

static char edited[64];

static void take_edit(void *host, const char *text)
{
	(void)host;
	text = strstr(text, "\"TrainingJobName\"");
	assert_non_null(text);
	edited[0] = '!';
}

static void catch_edits(struct sample *sample)
{
	edited[0] = '\0';
	sample->env.drafts.edit_text = take_edit;
	for (size_t i = 0; i < sample->store.count; i++)
		if (sample->store.jobs[i]->kind == JOB_TRAINING)
			mem_set_text(&sample->store.jobs[i]->request_json,
				     "{\"TrainingJobName\":\"llm-ft-0930\"}");
}

/* What each step's keys lead to, typed on the page of a job that waits. The row of a step that has
 * no keys is empty. */
static void each_step_that_the_page_names__works_from_it(void **state)
{
	static const struct {
		enum explain_action action;
		const char *leads_to;
	} rows[] = {
		{ EXPLAIN_WAIT, "" },
		{ EXPLAIN_REQUEUE, "Suggested lists" },
		{ EXPLAIN_RESUBMIT, "Suggested lists" },
		{ EXPLAIN_RAISE_LIMIT, "pending limit: " },
		{ EXPLAIN_ASK_QUOTA, "Quotas" },
		{ EXPLAIN_SEE_PLANS, "Training plans" },
		{ EXPLAIN_OPEN_LOGS, "Logs of llm-ft-0930" },
		{ EXPLAIN_DESCRIBE, "IDENTITY" },
		{ EXPLAIN_EDIT_REQUEST, "*" },
		{ EXPLAIN_ASK_PERMISSION, "" },
		{ EXPLAIN_STOP, "Stop the job?" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *keys = explain_action_keys(rows[i].action);
		char typed[16];
		struct homescreen home;
		assert_int_equal(rows[i].action, i);
		assert_int_equal(keys[0] == '\0', rows[i].leads_to[0] == '\0');
		homescreen_start(&home, 120, 60, catch_edits);
		homescreen_go_to(&home, "llm-ft-0930");
		homescreen_keys(&home, "x");
		homescreen_want(&home, "WHAT TO DO");
		/* X is about the list as it is edited then. */
		(void)snprintf(typed, sizeof(typed), "%.*s", (int)strcspn(keys, "X"), keys);
		homescreen_keys(&home, typed);
		if (rows[i].leads_to[0] == '*')
			assert_int_equal(edited[0], '!');
		else
			homescreen_want(&home, rows[i].leads_to);
		homescreen_stop(&home);
	}
}

/* Of the page's job alone, whatever else is marked. */
static void stop_on_the_page__is_of_its_job(void **state)
{
	struct homescreen *home = *state;
	homescreen_keys(home, "g Space Space g");
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "x S");
	homescreen_want(home, "\"TrainingJobName\":\"llm-ft-0930\"");
	homescreen_pass(home, 400);
	homescreen_keys(home, "y");
	assert_int_equal(home->sample.stops, 1);
	assert_int_equal(home->sample.stopped_count, 1);
	assert_string_equal(home->sample.stopped[0].name, "llm-ft-0930");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			ended_without_a_start__is_capacity__with_its_entries, start,
			homescreen_teardown),
		cmocka_unit_test_setup_teardown(
			where_nothing_is_certified__an_entry_is_shown_of_this_job, start,
			homescreen_teardown),
		cmocka_unit_test_setup_teardown(failed_run__is_failed__with_the_reason_as_a_hint,
						start, homescreen_teardown),
		cmocka_unit_test_setup_teardown(job_that_waits_too_long__is_marked__and_said_why,
						start, homescreen_teardown),
		cmocka_unit_test(each_step_that_the_page_names__works_from_it),
		cmocka_unit_test_setup_teardown(stop_on_the_page__is_of_its_job, start,
						homescreen_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
