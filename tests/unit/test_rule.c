/* Rules of the config: how they are read, when they are quiet, when they stop; all by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <stdio.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/config_rules.h"
#include "tests/jobs.h"

#define TEXT_MAX 8192
#define MINUTE   INT64_C(60000)
#define HOUR     (60 * MINUTE)

/* The rules of a text, described one a line; then what is wrong, one a line. */
static void expect(const char *text, const char *distrust, const char *rules_text,
		   const char *problems_text)
{
	struct config config = { 0 };
	struct rules rules;
	struct err err = { 0 };
	struct buf out;
	buf_init(&out, TEXT_MAX);
	if (distrust)
		config_note_distrust(&config, distrust);
	assert_true(config_read(&config, "/c", text, strlen(text), &err));
	config_rules(&config, &rules);
	for (size_t i = 0; i < rules.count; i++) {
		buf_addf(&out, "%s ", rules.items[i].name);
		rule_describe(&rules.items[i], &out);
		buf_add_char(&out, '\n');
	}
	assert_string_equal(buf_text(&out), rules_text);
	buf_clear(&out);
	for (size_t i = 0; i < config.problem_count; i++)
		buf_addf(&out, "%s\n", config.problems[i].text);
	assert_string_equal(buf_text(&out), problems_text);
	rules_release(&rules);
	config_release(&config);
	buf_release(&out);
}

static void rules__are_read__with_all_that_they_may_have(void **state)
{
	(void)state;
	expect("[rule a]\non = start\ndo = bell\n", NULL, "a on start: bell\n", "");
	expect("[rule a]\non = stuck, limit,fail\ndo = bell, notify,tmux\nquiet = 22:00-07:00\n"
	       "jobs = llm !test\n",
	       NULL,
	       "a on fail, stuck, limit: bell, notify, tmux; quiet 22:00-07:00; jobs llm !test\n",
	       "");
	expect("[rule a]\non = idle\ndo = osc777\n[rule 'b c']\non = plan-start, plan-end\n"
	       "do = osc9\n",
	       NULL, "a on idle: osc777\nb c on plan-start, plan-end: osc9\n", "");
	/* What is run may have commas; further words stand before it, or on lines of their own. */
	expect("[rule a]\non = fail\ndo = bell, run ~/bin/x --to a,b 'two words'\n  tmux\n", NULL,
	       "a on fail: bell, tmux, run ~/bin/x --to a,b 'two words'\n", "");
	expect("[rule a]\non = processing-pending\ndo = stop after 90m\njobs = nightly\n", NULL,
	       "a on processing-pending: stop after 1h30m; jobs nightly\n", "");
}

static void slips__are_named__and_the_rule_does_nothing(void **state)
{
	(void)state;
	expect("[rule a]\non = stuk\ndo = bell\n", NULL, "",
	       "line 2, [rule a] on: takes start, fail, fallback, stuck, limit, idle, plan-start, "
	       "plan-end, processing-pending, not 'stuk'; did you mean stuck?\n");
	expect("[rule a]\non = fail\ndo = beep\n", NULL, "",
	       "line 3, [rule a] do: takes bell, notify, osc9, osc777, tmux, run COMMAND, stop "
	       "after DURATION, not 'beep'; did you mean bell?\n");
	expect("[rule a]\non = fail\ndo = run to-slack\n", NULL, "",
	       "line 3, [rule a] do: run takes the path of a program that begins with / or ~/, and "
	       "its arguments\n");
	expect("[rule a]\non = fail\ndo = run /bin/x 'y\n", NULL, "",
	       "line 3, [rule a] do: a quote (') does not end\n");
	expect("[rule a]\non = fail\ndo = bell\nquiet = 22-7\n", NULL, "",
	       "line 4, [rule a] quiet: takes the hours of a day, such as 22:00-07:00, not "
	       "'22-7'\n");
	expect("[rule a]\non = fail\ndo = bell\nquiet = 08:00-08:00\n", NULL, "",
	       "line 4, [rule a] quiet: takes the hours of a day, such as 22:00-07:00, not "
	       "'08:00-08:00'\n");
	expect("[rule a]\non = fail\ndo = bell\nquiet = 24:00-08:00\n", NULL, "",
	       "line 4, [rule a] quiet: takes the hours of a day, such as 22:00-07:00, not "
	       "'24:00-08:00'\n");
	/* It may have been meant to narrow the rule. */
	expect("[rule a]\non = fail\ndo = bell\njob = llm\n", NULL, "",
	       "line 4, [rule a] job: there is no such key in this kind of section; did you mean "
	       "jobs?\n");
	expect("[rule a]\non = fail\ndo = bell\njobs = wait>soon\n", NULL, "",
	       "line 4, [rule a] jobs: wait takes a duration, as in wait>2h\n");
	expect("[rule a]\non = fail\n", NULL, "", "line 1, [rule a]: needs the key do\n");
	expect("[rule a]\non = fail\ndo = bell\nquiet\n", NULL, "",
	       "line 4, [rule a]: this line is no `key = value`\n");
}

static void a_stop__says_which_jobs__and_stands_alone(void **state)
{
	(void)state;
	static const char *const vague[] = { "!eval", "name!=eval", "!/eval/", "wait>6h",
					     "rank>=0" };
	for (size_t i = 0; i < ARRAY_LEN(vague); i++) {
		char text[128];
		(void)snprintf(text, sizeof(text),
			       "[rule a]\non = processing-pending\ndo = stop after 6h\njobs = %s\n",
			       vague[i]);
		expect(text, NULL, "",
		       "line 1, [rule a]: a rule that stops needs the key jobs: words that say "
		       "which "
		       "jobs\n");
	}
	expect("[rule a]\non = processing-pending\ndo = stop after 6h\n", NULL, "",
	       "line 1, [rule a]: a rule that stops needs the key jobs: words that say which "
	       "jobs\n");
	expect("[rule a]\non = processing-pending\ndo = stop after 5m\njobs = x\n", NULL, "",
	       "line 3, [rule a] do: stop after takes a duration from 10m to 28d, such as 90m, 6h "
	       "or 7d, not '5m'\n");
	expect("[rule a]\non = stuck\ndo = stop after 6h\njobs = x\n", NULL, "",
	       "line 2, [rule a] on: a rule that stops takes processing-pending alone\n");
	expect("[rule a]\non = processing-pending\ndo = bell, stop after 6h\njobs = x\n", NULL, "",
	       "line 3, [rule a] do: stop after stands alone; write a rule for the rest\n");
	expect("[rule a]\non = processing-pending\ndo = bell\n", NULL, "",
	       "line 2, [rule a] on: processing-pending goes with do = stop after D alone\n");
}

static void a_file_of_others__runs_and_stops_nothing(void **state)
{
	(void)state;
	expect("[rule a]\non = fail\ndo = bell, run /bin/x\n[rule b]\non = processing-pending\n"
	       "do = stop after 6h\njobs = x\n[rule c]\non = fail\ndo = bell\n",
	       "others may write the file", "a on fail: bell\nc on fail: bell\n",
	       "line 3, [rule a] do: runs nothing: others may write the file\n"
	       "line 6, [rule b] do: stops nothing: others may write the file\n");
}

static void quiet__is_by_the_day__and_goes_over_midnight(void **state)
{
	static const struct {
		int from, to, hour, minute;
		bool quiet;
	} rows[] = {
		{ 22 * 60, 7 * 60, 21, 59, false }, { 22 * 60, 7 * 60, 22, 0, true },
		{ 22 * 60, 7 * 60, 0, 0, true },    { 22 * 60, 7 * 60, 6, 59, true },
		{ 22 * 60, 7 * 60, 7, 0, false },   { 9 * 60, 17 * 60, 8, 59, false },
		{ 9 * 60, 17 * 60, 9, 0, true },    { 9 * 60, 17 * 60, 16, 59, true },
		{ 9 * 60, 17 * 60, 17, 0, false },
	};
	int64_t day;
	(void)state;
	assert_true(time_parse_iso("2026-12-01T00:00:00Z", &day));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct rule rule = { .has_quiet = true,
					   .quiet_from = rows[i].from,
					   .quiet_to = rows[i].to };
		int64_t now = day + rows[i].hour * HOUR + rows[i].minute * MINUTE;
		assert_int_equal(rule_is_quiet(&rule, now, true), rows[i].quiet);
	}
	/* 22:00 in Berlin is 21:00 UTC. */
	const struct rule rule = { .has_quiet = true, .quiet_from = 22 * 60, .quiet_to = 7 * 60 };
	setenv("TZ", "CET-1", 1);
	tzset();
	assert_true(rule_is_quiet(&rule, day + 21 * HOUR, false));
	assert_false(rule_is_quiet(&rule, day + 21 * HOUR, true));
	assert_false(rule_is_quiet(&rule, day + 6 * HOUR, false));
	setenv("TZ", "UTC", 1);
	tzset();
	const struct rule loud = { 0 };
	assert_false(rule_is_quiet(&loud, day, true));
}

/* Due at 6 h; named a quarter of an hour before; never sooner than five minutes after that. */
static void stops__are_named_first(void **state)
{
	static const struct {
		int64_t waited;
		int64_t named_ago; /* -1: it is not named */
		enum rule_stop next;
	} rows[] = {
		{ 5 * HOUR, -1, RULE_STOP_WAITS },
		{ 6 * HOUR - 15 * MINUTE - 1, -1, RULE_STOP_WAITS },
		{ 6 * HOUR - 15 * MINUTE, -1, RULE_STOP_NAMES },
		{ 6 * HOUR, -1, RULE_STOP_NAMES },
		{ 90 * HOUR, -1, RULE_STOP_NAMES },
		{ 6 * HOUR - 1, 14 * MINUTE, RULE_STOP_WAITS },
		{ 6 * HOUR, 15 * MINUTE, RULE_STOP_STOPS },
		{ 90 * HOUR, 0, RULE_STOP_WAITS },
		{ 90 * HOUR, 5 * MINUTE - 1, RULE_STOP_WAITS },
		{ 90 * HOUR, 5 * MINUTE, RULE_STOP_STOPS },
	};
	const struct rule rule = { .stop_after_ms = 6 * HOUR };
	const int64_t now = 1000 * HOUR;
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct opt_ms named = { rows[i].named_ago >= 0, now - rows[i].named_ago };
		assert_int_equal(rule_stop_next(&rule, rows[i].waited, named, now), rows[i].next);
	}
	const struct opt_ms unnamed = { 0 }, just = { true, now };
	assert_int_equal(rule_stop_at(&rule, 5 * HOUR, unnamed, now), now + HOUR);
	assert_int_equal(rule_stop_at(&rule, 7 * HOUR, just, now), now + 5 * MINUTE);
}

static void covers__is_by_event_and_by_the_jobs_words(void **state)
{
	struct job job = described_job("llm-ft-1", 0, "InProgress", "Pending");
	const struct filter_ask ask = { .now_ms = 0 };
	static const struct {
		const char *jobs;
		bool covers;
	} rows[] = { { "LLM pending", true }, { "llm !ft", false }, { "type~p4d", true } };
	struct rule rule = { .events = 1u << RULE_STUCK | 1u << RULE_FAIL };
	(void)state;
	assert_true(rule_covers(&rule, RULE_STUCK, &job, &ask));
	assert_false(rule_covers(&rule, RULE_START, &job, &ask));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		rule.jobs = rows[i].jobs;
		rule.filter = filter_new(rule.jobs);
		assert_int_equal(rule_covers(&rule, RULE_FAIL, &job, &ask), rows[i].covers);
		assert_false(rule_covers(&rule, RULE_FAIL, NULL, &ask));
		filter_free(rule.filter);
	}
	job_release(&job);
}

static void events__have_words_and_helps__of_their_own(void **state)
{
	(void)state;
	for (int i = 0; i < RULE_EVENTS; i++) {
		enum rule_event event = RULE_EVENTS;
		assert_true(rule_event_parse(rule_event_word((enum rule_event)i), &event));
		assert_int_equal(event, i);
		assert_true(rule_event_help(event)[0] != '\0');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules__are_read__with_all_that_they_may_have),
		cmocka_unit_test(slips__are_named__and_the_rule_does_nothing),
		cmocka_unit_test(a_stop__says_which_jobs__and_stands_alone),
		cmocka_unit_test(a_file_of_others__runs_and_stops_nothing),
		cmocka_unit_test(quiet__is_by_the_day__and_goes_over_midnight),
		cmocka_unit_test(stops__are_named_first),
		cmocka_unit_test(covers__is_by_event_and_by_the_jobs_words),
		cmocka_unit_test(events__have_words_and_helps__of_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
