/* gpuq forecast: the formats, suggestions, and what it says where too little is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "tests/jobs.h"
#include "tests/prices.h"
#include "views/text/command.h"

#define OUT_MAX (1u << 20)
#define EIGHT   INT64_C(1796068800000) /* 2026-11-30T20:00:00Z */
#define MIN     INT64_C(60000)
#define P4D     "ml.p4d.24xlarge"
#define P5      "ml.p5.48xlarge"

/* Twelve runs of an hour of the stem ft on P4D x2: six start at once, six after 20 minutes. */
static void fill(struct store *store)
{
	for (int i = 0; i < 12; i++) {
		char name[16];
		struct history_figures figures;
		snprintf(name, sizeof(name), "ft-%d", 100 + i);
		struct job job =
			described_job(name, EIGHT - (1000 - i) * MIN, "Completed", "Completed");
		int64_t start_ms = job.created.ms + (i < 6 ? 0 : 20 * MIN);
		job.selected = (struct selected){ true, P4D, 2, 1 };
		add_stretch(&job, "Starting", job.created.ms / 1000, start_ms / 1000);
		add_stretch(&job, "Training", start_ms / 1000, start_ms / 1000 + 3600);
		job.started = at(start_ms);
		job.ended = at(start_ms + 60 * MIN);
		job.billable = at(60 * MIN);
		history_figures(&job, &virginia, EIGHT, &figures);
		history_take(&store->history, &job, &figures);
		job_release(&job);
	}
}

#define PLAN "arn:aws:sagemaker:us-east-1:111122223333:training-plan/tp"

/* An active plan with so many of four instances free. */
static void add_plan(struct store *store, int64_t available)
{
	struct plan *plan = mem_new(1, sizeof(*plan));
	plan->arn = mem_copy_text(PLAN);
	plan->status = mem_copy_text("Active");
	snprintf(plan->name, sizeof(plan->name), "tp");
	snprintf(plan->instance_type, sizeof(plan->instance_type), "%s", P5);
	plan->total = (struct opt_count){ true, 4 };
	plan->available = (struct opt_count){ true, available };
	plan->fee = (struct money){ true, 9000 * INT64_C(1000000) };
	snprintf(plan->currency, sizeof(plan->currency), "USD");
	store_take_plans(store, plan, 1);
	store_note_loaded(store, SOURCE_PLANS, 0);
}

static int64_t plans_free = -1; /* of the one plan; -1 = none was read */
static int run(struct options options, struct buf *out, struct buf *messages)
{
	struct store store = { .prices = virginia };
	struct clock clock = clock_system();
	options.utc = true;
	buf_init(out, OUT_MAX);
	buf_init(messages, OUT_MAX);
	store_note_date(&store, EIGHT, clock_mono_ms(&clock));
	fill(&store);
	if (plans_free >= 0)
		add_plan(&store, plans_free);
	struct command_run what = { .options = &options,
				    .store = &store,
				    .clock = &clock,
				    .region = "us-east-1",
				    .out = out,
				    .messages = messages };
	int status = command_forecast.run(&what);
	store.prices = (struct price_book){ 0 }; /* borrowed */
	store_release(&store);
	return status;
}

static void release(struct buf *out, struct buf *messages)
{
	buf_release(out);
	buf_release(messages);
}

static void want(const struct buf *out, const char *text)
{
	if (!strstr(buf_text(out), text))
		fail_msg("no '%s' in\n%s", text, buf_text(out));
}

/*
 * By hand: half start at once, so the level of one half ends at 20 minutes and its middle is p50.
 * The band of one half of twelve: variance 6 / (12 x 6), log-log: 0.2639 to 0.7915. After an hour
 * all have: 1 - (1 - 0.2639) (1 - 0.025^(1/6)). Two instances cost 2 x 25.251.
 */
static void json__has_every_key_of_the_interface(void **state)
{
	const struct options options = { .format = REPORT_JSON,
					 .prefs = P4D ":2",
					 .name = "ft-20261130" };
	struct buf out, messages;
	(void)state;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "{\"n\":12,\"entries\":[{\"rank\":1,\"instance_type\":\"" P4D "\","
		   "\"instance_count\":2,\"n\":12,\"p50_seconds\":600,\"p90_seconds\":1200,"
		   "\"chance_selected\":1,\"per_hour\":50.502,\"run_seconds\":3600}],"
		   "\"start_within\":[{\"seconds\":900,\"chance\":0.5,\"low\":0.2639,"
		   "\"high\":0.7915},{\"seconds\":3600,\"chance\":1,\"low\":0.662,\"high\":1}],"
		   "\"p50_seconds\":600,\"p90_seconds\":1200,\"expected_cost\":50.502,"
		   "\"currency\":\"USD\",\"lately\":[{\"rank\":1,");
	assert_int_equal(messages.len, 0);
	release(&out, &messages);
}

/* They were asked for from 03:20 to 03:31 of a Monday: six were free, six 20 minutes later. */
static void lately__is_what_jobs_saw__and_the_hours_of_the_week(void **state)
{
	struct options options = { .format = REPORT_JSON, .prefs = P4D ":2" };
	struct buf out, messages;
	(void)state;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "\"seen\":[{\"at\":\"2026-11-30T03:51:00Z\",\"free\":true},");
	want(&out, "{\"at\":\"2026-11-30T03:31:00Z\",\"free\":false},"
		   "{\"at\":\"2026-11-30T03:30:00Z\",\"free\":false}],");
	want(&out, "\"tries\":12,\"free_at_once\":6,\"hours_of_week\":["
		   "{\"day\":\"Mon\",\"hour\":3,\"tries\":12,\"free_at_once\":6}]}]}");
	release(&out, &messages);
	options.format = REPORT_TABLE;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "seen in the last 24 hours:\n#1 " P4D ": free 03:51Z, 03:50Z, ");
	want(&out, ", not free 03:31Z, 03:30Z\n");
	want(&out, "free at once 6 of 12 times, Mon 20h 0 of 0; tens of % by the hour (UTC):\n");
	want(&out, "\nMon ...5....................\nTue ........................\n");
	release(&out, &messages);
	options.prefs = P5 ":1";
	assert_int_equal(run(options, &out, &messages), 0);
	assert_null(strstr(buf_text(&out), "seen in"));
	release(&out, &messages);
}

static void where_too_little_is_known__figures_are_null__and_a_table_says_at_least(void **state)
{
	struct options options = { .format = REPORT_JSON, .prefs = P4D ":2," P5 ":1" };
	struct buf out, messages;
	(void)state;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "{\"n\":0,");
	want(&out, "{\"rank\":2,\"instance_type\":\"" P5 "\",\"instance_count\":1,\"n\":0,"
		   "\"p50_seconds\":null,\"p90_seconds\":null,\"chance_selected\":null,");
	want(&out, "{\"seconds\":900,\"chance\":null,\"low\":null,\"high\":null}");
	want(&out, "\"p50_seconds\":null,\"p90_seconds\":null,\"expected_cost\":null,");
	release(&out, &messages);
	options.format = REPORT_TABLE;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "15m           at least 50%  26%       100%\n");
	want(&out, "#2    " P5 " x1   0   n too small");
	want(&out, "By this account's past");
	release(&out, &messages);
	options.prefs = P5 ":1";
	options.format = REPORT_JSON;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "\"start_within\":[{\"seconds\":900,\"chance\":null");
	release(&out, &messages);
}

/* Of the half of the cases in which P4D is not free at once the plan takes none of its 20 minutes:
 * it is free now. Nothing more is paid there: .5 x 50.502. */
static void a_plan__starts_when_it_is_free__at_no_cost_but_its_fee(void **state)
{
	struct options options = { .format = REPORT_JSON,
				   .prefs = P4D ":2," P5 ":2@" PLAN,
				   .name = "ft-20261130" };
	struct buf out, messages;
	(void)state;
	plans_free = 4;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "{\"n\":12,");
	want(&out, "\"instance_type\":\"" P5 "\",\"instance_count\":2,\"n\":null,"
		   "\"p50_seconds\":0,\"p90_seconds\":0,\"chance_selected\":0.5,\"per_hour\":0,"
		   "\"run_seconds\":null,\"training_plan_arn\":\"" PLAN "\","
		   "\"plan_state\":\"active\",\"plan_available\":4,\"plan_fee\":9000,"
		   "\"plan_currency\":\"USD\"}");
	want(&out, "\"p90_seconds\":0,\"expected_cost\":25.251,");
	release(&out, &messages);
	options.format = REPORT_TABLE;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "#2    " P5 " x2   -   at once   at once  50%");
	want(&out, "#2: plan tp, active, 4 of 4 free; its fee is paid apart: $9,000\n");
	release(&out, &messages);
	plans_free = 1;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "plan full");
	want(&out, "at least 50%");
	release(&out, &messages);
	plans_free = -1;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "plan not read");
	release(&out, &messages);
}

/* It may be none: that it is prepaid is not known. Once the plans are read it is doubted. */
static void a_plan_that_aws_has_not_told_of__has_no_price(void **state)
{
	struct options options = { .format = REPORT_JSON, .prefs = P5 ":2@" PLAN "-other" };
	struct buf out, messages;
	(void)state;
	for (plans_free = -1; plans_free <= 4; plans_free += 5) {
		options.format = REPORT_JSON;
		assert_int_equal(run(options, &out, &messages), 0);
		want(&out, "\"per_hour\":null,");
		want(&out, "\"expected_cost\":null,");
		if (plans_free > 0)
			want(&messages, "warning plan-state: #1: plan tp-other is not among");
		else
			assert_int_equal(messages.len, 0);
		release(&out, &messages);
		options.format = REPORT_TABLE;
		assert_int_equal(run(options, &out, &messages), 0);
		want(&out, "plan not read");
		assert_null(strchr(buf_text(&out), '$'));
		release(&out, &messages);
	}
	plans_free = -1;
}

/* Another market, and no cost: the price varies. */
static void spot__is_told_of_spot_alone(void **state)
{
	struct options options = {
		.format = REPORT_JSON, .prefs = P4D ":2", .name = "ft-20261130", .spot = true
	};
	struct buf out, messages;
	(void)state;
	plans_free = -1;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "{\"n\":0,");
	want(&out, "\"per_hour\":null,");
	want(&out, "\"expected_cost\":null,");
	release(&out, &messages);
	options.format = REPORT_TABLE;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "its price varies");
	release(&out, &messages);
}

static void read_config(struct config *config, const char *text)
{
	const char *none[SETTING_COUNT] = { 0 };
	const struct config_given given = { .options = none };
	struct err err = { 0 };
	*config = (struct config){ 0 };
	assert_true(config_read(config, "/c", text, strlen(text), &err));
	config_decide(config, &given);
}

static void suggestions__are_of_what_the_config_certifies(void **state)
{
	struct config config;
	struct options options = { .format = REPORT_JSON,
				   .prefs = P4D ":2",
				   .suggest = true,
				   .deadline = "90m",
				   .config = &config };
	struct buf out, messages;
	(void)state;
	read_config(&config, "[certified ft]\ntype = " P4D "\ncount = 2\nrun_time = 1h\n"
			     "[certified slow]\ntype = " P4D "\ncount = 2\nrun_time = 2h\n"
			     "[certified other]\ntype = " P5 "\nrun_time = 1h\n");
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "\"suggestions\":[{\"prefs\":\"" P4D ":2\",\"chance\":1,"
		   "\"expected_cost\":50.502}]");
	want(&out, "\"why\":{\"best_alone\":{\"instance_type\":\"" P4D "\",\"chance\":1,"
		   "\"expected_cost\":50.502},\"without\":[]}");
	want(&out,
	     "\"left_out\":[{\"certified\":\"slow\",\"instance_type\":\"" P4D "\","
	     "\"why\":\"its run takes longer than the deadline\"},"
	     "{\"certified\":\"other\",\"instance_type\":\"" P5 "\",\"why\":\"n too small\"}]");
	release(&out, &messages);
	options.format = REPORT_TABLE;
	options.least_chance = 50;
	options.budget = (struct money){ true, 50 * INT64_C(1000000) };
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "left out: " P4D ": its run costs more than the budget");
	release(&out, &messages);
	options.budget.set = false;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&out, "why: no list with 50% costs less\n");
	release(&out, &messages);
	options.name = "nobody-1";
	assert_int_equal(run(options, &out, &messages), 0);
	want(&messages, "nothing to suggest");
	release(&out, &messages);
	config_release(&config);
}

/* Before AWS is asked: a check of the options alone, which need no history. */
static void what_cannot_be_read__is_wrong_usage__before_anything_is_read(void **state)
{
	static const struct {
		struct options options;
		const char *says;
	} rows[] = {
		{ { .prefs = NULL }, "needs --prefs LIST" },
		{ { .prefs = P4D ":x" }, P4D },
		{ { .prefs = P4D ":2", .deadline = "soon" }, "--deadline" },
		{ { .prefs = P4D ":2", .deadline = "2026-11-30T19:00:00Z" }, "a time to come" },
		{ { .prefs = P4D ":2", .budget = { true, 1 } }, "--budget: is of --suggest" },
		{ { .prefs = P4D ":2", .least_chance = 50 }, "--least-chance: is of --suggest" },
		{ { .prefs = P4D ":2," P5 ":1", .spot = true }, "--spot: takes one type" },
		{ { .prefs = P5 ":1@" PLAN, .spot = true }, "--spot: has no training plan" },
		{ { .prefs = P5 ":1", .spot = true, .has_kind = true, .kind = JOB_PROCESSING },
		  "--spot: is of training" },
		{ { .prefs = P5 ":1", .spot = true, .suggest = true, .budget = { true, 1 } },
		  "no --budget" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct store store = { 0 };
		struct clock clock = clock_system();
		struct buf messages;
		struct command_run what = { .options = &rows[i].options,
					    .store = &store,
					    .clock = &clock,
					    .messages = &messages };
		store_note_date(&store, EIGHT, clock_mono_ms(&clock));
		buf_init(&messages, OUT_MAX);
		assert_int_equal(command_forecast.check(&what), 2);
		want(&messages, rows[i].says);
		buf_release(&messages);
		buf_init(&messages, OUT_MAX);
		assert_int_equal(command_forecast.run(&what), 2);
		buf_release(&messages);
	}
}

/* A repeated type would count as a second chance, of a list that SageMaker refuses. Known before
 * anything is read; a script has the findings where it looks for the result. */
static void a_list_that_breaks_a_rule__is_not_forecast(void **state)
{
	static const struct {
		struct options options;
		const char *rule;
	} rows[] = {
		{ { .prefs = P4D ":1," P5 ":1," P4D ":1" }, "duplicate-type" },
		{ { .prefs = "a:1,b:1,c:1,d:1,e:1,f:1" }, "list-length" },
		{ { .prefs = P4D ":1," P5 }, "count-mixed" },
		{ { .prefs = P4D "," P5 }, "count-missing" },
		{ { .prefs = P4D ":0" }, "value-range" },
		{ { .prefs = P5 ":2@arn:bogus" }, "value-pattern" },
		{ { .prefs = P5 ":1@" PLAN, .has_kind = true, .kind = JOB_PROCESSING },
		  "plan-processing" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct store store = { 0 };
		struct clock clock = clock_system();
		struct options options = rows[i].options;
		struct buf out, messages;
		struct command_run what = { .options = &options,
					    .store = &store,
					    .clock = &clock,
					    .out = &out,
					    .messages = &messages };
		buf_init(&out, OUT_MAX);
		buf_init(&messages, OUT_MAX);
		assert_int_equal(command_forecast.check(&what), 3);
		want(&messages, rows[i].rule);
		want(&messages, "error ");
		assert_int_equal(out.len, 0);
		options.format = REPORT_JSON;
		buf_clear(&messages);
		assert_int_equal(command_forecast.run(&what), 3);
		want(&out, "{\"findings\":[{\"severity\":\"error\",\"rule\":");
		want(&out, rows[i].rule);
		want(&out, "\"ok\":false}");
		assert_int_equal(messages.len, 0);
		release(&out, &messages);
	}
}

/* The catalog may be older than the type: AWS decides. */
static void a_type_that_is_not_known__is_doubted_beside_figures_that_are_not(void **state)
{
	const struct options options = { .format = REPORT_JSON, .prefs = "ml.p4d.24xlrge:2" };
	struct buf out, messages;
	(void)state;
	assert_int_equal(run(options, &out, &messages), 0);
	want(&messages, "warning unknown-type: #1: no type ml.p4d.24xlrge is known; near it: " P4D);
	want(&messages, "\n1 warning\n");
	want(&out, "{\"n\":0,");
	want(&out, "\"p50_seconds\":null,\"p90_seconds\":null,\"chance_selected\":null,"
		   "\"per_hour\":null,");
	want(&out, "\"expected_cost\":null,");
	release(&out, &messages);
}

/* Only the plan itself tells that. */
static void a_plan_of_another_type__is_told_once_it_is_read(void **state)
{
	const struct options options = { .prefs = P4D ":2@" PLAN };
	struct buf out, messages;
	(void)state;
	plans_free = 4;
	assert_int_equal(run(options, &out, &messages), 3);
	want(&messages, "plan-type-mismatch");
	assert_int_equal(out.len, 0);
	release(&out, &messages);
	plans_free = -1;
}

/* It is copied: each line of it has the list that the command needs. */
static void the_example__names_a_list(void **state)
{
	const char *line = command_forecast.example;
	(void)state;
	for (; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		char text[160];
		(void)snprintf(text, sizeof(text), "%.*s", (int)strcspn(line, "\n"), line);
		assert_non_null(strstr(text, " --prefs ml."));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json__has_every_key_of_the_interface),
		cmocka_unit_test(lately__is_what_jobs_saw__and_the_hours_of_the_week),
		cmocka_unit_test(
			where_too_little_is_known__figures_are_null__and_a_table_says_at_least),
		cmocka_unit_test(a_plan__starts_when_it_is_free__at_no_cost_but_its_fee),
		cmocka_unit_test(a_plan_that_aws_has_not_told_of__has_no_price),
		cmocka_unit_test(spot__is_told_of_spot_alone),
		cmocka_unit_test(suggestions__are_of_what_the_config_certifies),
		cmocka_unit_test(what_cannot_be_read__is_wrong_usage__before_anything_is_read),
		cmocka_unit_test(a_list_that_breaks_a_rule__is_not_forecast),
		cmocka_unit_test(a_type_that_is_not_known__is_doubted_beside_figures_that_are_not),
		cmocka_unit_test(the_example__names_a_list),
		cmocka_unit_test(a_plan_of_another_type__is_told_once_it_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
