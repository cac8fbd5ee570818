/*
 * What hosts publish, from the wire into the store: who asks, when and how often, pages, holes,
 * refusals, clocks that differ, and jobs that change or go meanwhile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/metrics.h"
#include "aws/metrics_feed.h"
#include "model/base/mem.h"
#include "tests/fakes.h"
#include "tests/jobs.h"

#define GET       "GetMetricData"
#define MINUTE_MS INT64_C(60000)
#define P4D       "ml.p4d.24xlarge" /* 8 GPUs, 96 vCPUs */
#define LAST      (METRIC_SLOTS - 1)
#define BODY_MAX_ (1u << 20)
#define SOON_MS   1000 /* within this an answer is there */

enum manner { WELL, THROTTLED, DENIED, FORBIDDEN, TWO_PAGES, ENDLESS, EMPTY };

struct bench {
	struct fake_world *world;
	struct aws_client *client;
	struct store store;
	struct metrics_feed *feed;
	enum manner manner;
	double published;
	unsigned changes;
};

/* --- the service --- */

static size_t count_of(const char *body, const char *text)
{
	size_t count = 0;
	for (const char *at = body; (at = strstr(at, text)) != NULL; at++)
		count++;
	return count;
}

static int64_t number_behind(const char *body, const char *name)
{
	const char *at = strstr(body, name);
	assert_non_null(at);
	return strtoll(at + strlen(name), NULL, 10);
}

/* Each metric at the last minute, the one before it and two before that, or on two pages the first
 * two of these and then the third. */
static char *publish(const struct bench *bench, const char *body)
{
	int64_t last_s = number_behind(body, "\"EndTime\":") - 60;
	bool second = strstr(body, "\"NextToken\":\"two\"") != NULL;
	bool first = bench->manner == TWO_PAGES && !second;
	struct buf out;
	buf_init(&out, BODY_MAX_);
	buf_add_text(&out, "{\"MetricDataResults\":[");
	for (size_t i = 0; i < count_of(body, "\"Id\":\"m"); i++) {
		buf_addf(&out, "%s{\"Id\":\"m%zu\",\"Timestamps\":[", i > 0 ? "," : "", i);
		if (!second)
			buf_addf(&out, "%lld,%lld%s", (long long)last_s, (long long)last_s - 60,
				 first ? "" : ",");
		if (!first)
			buf_addf(&out, "%lld", (long long)last_s - 180);
		buf_addf(&out, "],\"Values\":[%g,%g,%g],\"StatusCode\":\"Complete\"}",
			 bench->published, bench->published, bench->published);
	}
	buf_addf(&out, "]%s}", first ? ",\"NextToken\":\"two\"" : "");
	return buf_take(&out);
}

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	const struct bench *bench = ctx;
	answer->latency_ms = 50;
	assert_string_equal(sent->op, GET);
	if (bench->manner == THROTTLED)
		fake_error(answer, 400, "ThrottlingException", "Rate exceeded");
	else if (bench->manner == DENIED)
		fake_error(answer, 400, "AccessDeniedException",
			   "User: arn:aws:iam::111122223333:user/ops is not authorized to perform: "
			   "cloudwatch:GetMetricData because no identity-based policy allows it");
	else if (bench->manner == FORBIDDEN)
		answer->body = mem_copy_text("{\"MetricDataResults\":[{\"Id\":\"m0\",\"StatusCode\""
					     ":\"Forbidden\"}]}");
	else if (bench->manner == EMPTY)
		answer->body = mem_copy_text("{\"MetricDataResults\":[]}");
	else if (bench->manner == ENDLESS)
		answer->body = mem_copy_text("{\"MetricDataResults\":[],\"NextToken\":\"on\"}");
	else
		answer->body = publish(bench, sent->body);
}

/* --- the bench --- */

static void wake_feed(void *target)
{
	metrics_feed_wake(((struct bench *)target)->feed);
}

static void note_change(void *ctx)
{
	((struct bench *)ctx)->changes++;
}

/* Runs for two hours on so many hosts; 0: it waits. */
static void put_job(struct bench *bench, const char *name, int64_t hosts)
{
	int64_t start_ms = bench->world->wall_ms - 120 * MINUTE_MS;
	struct job job =
		described_job(name, start_ms, "InProgress", hosts > 0 ? "Training" : "Pending");
	job_edit_prefs(&job)->entries[0].count = hosts > 0 ? hosts : 1;
	if (hosts > 0) {
		job.started = at(start_ms);
		add_stretch(&job, "Training", start_ms / 1000, -1);
	}
	job_settle_selection(&job);
	store_take_described(&bench->store, &job);
}

static void bench_start(struct bench *bench)
{
	*bench = (struct bench){ .published = 40 };
	bench->world = fake_world_new(serve, bench);
	bench->client = fake_client(bench->world, SERVICE_CLOUDWATCH, 1);
	bench->feed = metrics_feed_new(&(struct metrics_feed_options){
		.client = bench->client,
		.store = &bench->store,
		.clock = &bench->world->clock,
		.hooks = fake_hooks(bench->world, wake_feed, bench),
		.gap_ms = METRICS_FEED_GAP_MS,
		.on_change = note_change,
		.ctx = bench,
	});
	put_job(bench, "one", 1);
	put_job(bench, "many", 25);
	put_job(bench, "waits", 0);
}

static void bench_stop(struct bench *bench)
{
	metrics_feed_free(bench->feed);
	aws_client_free(bench->client);
	store_release(&bench->store);
	fake_world_free(bench->world);
}

static void look_at(struct bench *bench, const char *arn, enum metric_span span)
{
	metrics_feed_want(bench->feed, &(struct wants){ .metrics = arn, .metric_span = span });
}

static size_t asked(const struct bench *bench)
{
	return fake_count(bench->world, GET);
}

static const char *body_of(const struct bench *bench, size_t n)
{
	const struct fake_sent *sent = fake_nth(bench->world, GET, n);
	assert_non_null(sent);
	return sent->body;
}

static int slot_of(const struct bench *bench, size_t host, enum metric metric, size_t slot)
{
	assert_true(host < bench->store.metrics.host_count);
	return bench->store.metrics.hosts[host].series[metric].permille[slot];
}

/* --- one job --- */

static void feed__asks_nothing__while_nobody_looks(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	fake_run(bench.world, 10 * MINUTE_MS);
	assert_int_equal(asked(&bench), 0);
	look_at(&bench, "one", METRIC_3H);
	fake_run(bench.world, SOON_MS);
	assert_int_equal(asked(&bench), 1);
	look_at(&bench, NULL, METRIC_3H);
	fake_run(bench.world, 10 * MINUTE_MS);
	assert_int_equal(asked(&bench), 1);
	bench_stop(&bench);
}

/* 40 of 800 are 5 %, of 9600 0.4 %, of 100 40 %. */
static void feed__puts_each_value_in_its_minute__and_leaves_holes(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	look_at(&bench, "one", METRIC_3H);
	fake_run(bench.world, SOON_MS);
	const struct job_metrics *metrics = &bench.store.metrics;
	assert_true(metrics->fresh.loaded && !metrics->fresh.failing);
	assert_int_equal(metrics->host_count, 1);
	assert_int_equal(count_of(body_of(&bench, 0), "\"Id\":\"m"), METRICS);
	assert_non_null(strstr(body_of(&bench, 0), "\"Value\":\"one/algo-1\""));
	assert_int_equal(slot_of(&bench, 0, METRIC_GPU, LAST), 50);
	assert_int_equal(slot_of(&bench, 0, METRIC_CPU, LAST - 1), 4);
	assert_int_equal(slot_of(&bench, 0, METRIC_DISK, LAST - 2), METRIC_HOLE);
	assert_int_equal(slot_of(&bench, 0, METRIC_DISK, LAST - 3), 400);
	struct metric_sum sum = metrics_sum(&metrics->hosts[0].series[METRIC_MEMORY]);
	assert_int_equal(sum.count, 3);
	assert_int_equal(sum.holes, 1);
	/* Nothing at all is as much of an answer. */
	bench.manner = EMPTY;
	fake_run(bench.world, METRICS_FEED_AGAIN_MS);
	assert_int_equal(asked(&bench), 2);
	assert_int_equal(slot_of(&bench, 0, METRIC_DISK, LAST), METRIC_HOLE);
	assert_false(metrics->fresh.failing);
	bench_stop(&bench);
}

static void feed__asks_each_minute__and_at_once_for_another_span(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	look_at(&bench, "one", METRIC_3H);
	fake_run(bench.world, 10 * MINUTE_MS);
	assert_in_range(asked(&bench), 10, 11);
	size_t before = asked(&bench);
	look_at(&bench, "one", METRIC_15H);
	fake_run(bench.world, SOON_MS + METRICS_FEED_GAP_MS);
	assert_int_equal(asked(&bench), before + 1);
	assert_non_null(strstr(body_of(&bench, before), "\"Period\":300"));
	metrics_feed_refresh(bench.feed);
	fake_run(bench.world, SOON_MS + METRICS_FEED_GAP_MS);
	assert_int_equal(asked(&bench), before + 2);
	bench_stop(&bench);
}

static void feed__waits__for_a_job_that_has_no_instances_yet(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	look_at(&bench, "waits", METRIC_3H);
	fake_run(bench.world, MINUTE_MS);
	assert_int_equal(asked(&bench), 0);
	put_job(&bench, "waits", 2);
	fake_run(bench.world, METRICS_FEED_LATER_MS + SOON_MS);
	assert_int_equal(asked(&bench), 1);
	assert_int_equal(bench.store.metrics.host_count, 2);
	bench_stop(&bench);
}

/* --- pages --- */

/* 25 hosts of five metrics are 125 queries: a hundred, then the rest. */
static void feed__asks_for_many_hosts__in_parts_and_one_after_the_other(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	look_at(&bench, "many", METRIC_3H);
	fake_run(bench.world, METRICS_FEED_GAP_MS + SOON_MS);
	assert_int_equal(asked(&bench), 2);
	assert_int_equal(count_of(body_of(&bench, 0), "\"Id\":\"m"), METRIC_QUERIES_MAX);
	assert_int_equal(count_of(body_of(&bench, 1), "\"Id\":\"m"), 25);
	assert_non_null(strstr(body_of(&bench, 1), "many/algo-25"));
	assert_true(fake_nth(bench.world, GET, 1)->at_ms - fake_nth(bench.world, GET, 0)->at_ms >=
		    METRICS_FEED_GAP_MS);
	assert_int_equal(bench.store.metrics.host_count, 25);
	for (size_t host = 0; host < 25; host++)
		assert_int_equal(slot_of(&bench, host, METRIC_DISK, LAST), 400);
	bench_stop(&bench);
}

static void feed__reads_all_pages__before_it_shows_any(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	bench.manner = TWO_PAGES;
	look_at(&bench, "many", METRIC_3H);
	fake_run(bench.world, METRICS_FEED_GAP_MS + SOON_MS);
	assert_false(bench.store.metrics.fresh.loaded);
	fake_run(bench.world, 2 * METRICS_FEED_GAP_MS);
	assert_int_equal(asked(&bench), 4);
	assert_null(strstr(body_of(&bench, 0), "NextToken"));
	assert_non_null(strstr(body_of(&bench, 1), "\"NextToken\":\"two\""));
	assert_int_equal(count_of(body_of(&bench, 1), "\"Id\":\"m"), METRIC_QUERIES_MAX);
	assert_null(strstr(body_of(&bench, 2), "NextToken"));
	for (size_t host = 0; host < 25; host++) {
		assert_int_equal(slot_of(&bench, host, METRIC_DISK, LAST - 1), 400);
		assert_int_equal(slot_of(&bench, host, METRIC_DISK, LAST - 3), 400);
	}
	assert_int_equal(bench.changes, 1);
	bench_stop(&bench);
}

/* A token that leads on for ever: 64 pages of each part, and then what there is. */
static void feed__gives_up__pages_without_an_end(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	bench.manner = ENDLESS;
	look_at(&bench, "many", METRIC_3H);
	fake_run(bench.world, 3 * 64 * METRICS_FEED_GAP_MS);
	assert_true(bench.store.metrics.fresh.loaded);
	assert_int_equal(count_of(body_of(&bench, 63), "\"Id\":\"m"), METRIC_QUERIES_MAX);
	assert_int_equal(count_of(body_of(&bench, 64), "\"Id\":\"m"), 25);
	assert_int_equal(count_of(body_of(&bench, 127), "\"Id\":\"m"), 25);
	bench_stop(&bench);
}

/* --- refusals --- */

static void feed__keeps_what_it_has__while_it_is_throttled(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	const struct job_metrics *metrics = &bench.store.metrics;
	look_at(&bench, "one", METRIC_3H);
	fake_run(bench.world, SOON_MS);
	bench.manner = THROTTLED;
	fake_run(bench.world, 5 * MINUTE_MS);
	assert_true(metrics->fresh.failing && metrics->fresh.loaded);
	assert_int_equal(metrics->fresh.error.code, ERR_THROTTLED);
	assert_int_equal(slot_of(&bench, 0, METRIC_GPU, LAST), 50);
	/* Bounded by the client's own retries, and a minute between two tries. */
	assert_in_range(asked(&bench), 2, 60);
	bench.manner = WELL;
	fake_run(bench.world, 3 * MINUTE_MS);
	assert_false(metrics->fresh.failing);
	bench_stop(&bench);
}

static void want_denied(struct bench *bench, enum manner manner)
{
	const struct job_metrics *metrics = &bench->store.metrics;
	bench->manner = manner;
	look_at(bench, "one", METRIC_3H);
	fake_run(bench->world, SOON_MS);
	assert_true(metrics->fresh.failing);
	assert_int_equal(metrics->fresh.error.code, ERR_DENIED);
	/* Told once: neither time nor another job asks again, and another job knows it, too. */
	fake_run(bench->world, 30 * MINUTE_MS);
	look_at(bench, "many", METRIC_3H);
	fake_run(bench->world, MINUTE_MS);
	assert_int_equal(asked(bench), 1);
	assert_int_equal(metrics->fresh.error.code, ERR_DENIED);
	bench->manner = WELL;
	metrics_feed_refresh(bench->feed);
	fake_run(bench->world, METRICS_FEED_GAP_MS + SOON_MS);
	assert_true(metrics->fresh.loaded && !metrics->fresh.failing);
}

static void feed__asks_no_more__where_it_is_denied(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	want_denied(&bench, DENIED);
	bench_stop(&bench);
	bench_start(&bench);
	want_denied(&bench, FORBIDDEN);
	bench_stop(&bench);
}

/* --- clocks --- */

/* The stretch that is asked for is by AWS's clock, whatever ours says. */
static void feed__goes_by_the_clock_of_aws(void **state)
{
	static const int64_t aheads_ms[] = { 0, 90 * MINUTE_MS, -90 * MINUTE_MS };
	(void)state;
	for (size_t i = 0; i < sizeof(aheads_ms) / sizeof(aheads_ms[0]); i++) {
		struct bench bench;
		bench_start(&bench);
		int64_t now_ms = bench.world->wall_ms + aheads_ms[i];
		store_note_date(&bench.store, now_ms, bench.world->mono_ms);
		look_at(&bench, "one", METRIC_3H);
		fake_run(bench.world, SOON_MS);
		int64_t minute_s = now_ms / MINUTE_MS * 60;
		assert_int_equal(number_behind(body_of(&bench, 0), "\"EndTime\":"), minute_s + 60);
		assert_int_equal(number_behind(body_of(&bench, 0), "\"StartTime\":"),
				 minute_s - (int64_t)LAST * 60);
		assert_int_equal(slot_of(&bench, 0, METRIC_GPU, LAST), 50);
		bench_stop(&bench);
	}
}

/* --- meanwhile --- */

static void feed__drops_an_answer__that_nobody_looks_at_any_more(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	look_at(&bench, "many", METRIC_3H);
	fake_run(bench.world, 20); /* its call is on the way */
	assert_int_equal(asked(&bench), 1);
	look_at(&bench, "one", METRIC_3H);
	assert_int_equal(bench.world->cancelled, 1);
	fake_run(bench.world, METRICS_FEED_GAP_MS + SOON_MS);
	assert_string_equal(bench.store.metrics.arn, "one");
	assert_int_equal(bench.store.metrics.host_count, 1);
	assert_non_null(strstr(body_of(&bench, 1), "one/algo-1"));
	assert_int_equal(asked(&bench), 2);
	bench_stop(&bench);
}

static void feed__takes_an_answer__whose_job_is_gone(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	look_at(&bench, "one", METRIC_3H);
	fake_run(bench.world, 20);
	store_forget(&bench.store, "one");
	fake_run(bench.world, 5 * MINUTE_MS);
	assert_true(bench.store.metrics.fresh.loaded);
	assert_int_equal(asked(&bench), 1); /* as of an ended one: later */
	fake_run(bench.world, METRICS_FEED_ENDED_MS);
	assert_int_equal(asked(&bench), 1); /* and not at all where there is none */
	bench_stop(&bench);
}

/* --- GPUs of the running jobs --- */

static void watch__finds_idle_gpus__of_jobs_that_run(void **state)
{
	struct bench bench;
	const struct wants wants = { .gpus = true };
	(void)state;
	bench_start(&bench);
	metrics_feed_want(bench.feed, &wants);
	fake_run(bench.world, METRICS_WATCH_FIRST_MS - 1);
	assert_int_equal(asked(&bench), 0);
	fake_run(bench.world, SOON_MS);
	assert_int_equal(asked(&bench), 1); /* 26 hosts, of which GPUs alone are asked for */
	assert_int_equal(count_of(body_of(&bench, 0), "GPUUtilization"), 26);
	assert_int_equal(count_of(body_of(&bench, 0), "CPUUtilization"), 0);
	assert_true(bench.store.gpus.fresh.loaded);
	assert_int_equal(bench.store.gpus.count, 2);
	bench.manner = DENIED;
	fake_run(bench.world, METRICS_FEED_AGAIN_MS + SOON_MS);
	assert_int_equal(bench.store.gpus.fresh.error.code, ERR_DENIED);
	size_t before = asked(&bench);
	fake_run(bench.world, 60 * MINUTE_MS);
	assert_int_equal(asked(&bench), before);
	bench_stop(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(feed__asks_nothing__while_nobody_looks),
		cmocka_unit_test(feed__puts_each_value_in_its_minute__and_leaves_holes),
		cmocka_unit_test(feed__asks_each_minute__and_at_once_for_another_span),
		cmocka_unit_test(feed__waits__for_a_job_that_has_no_instances_yet),
		cmocka_unit_test(feed__asks_for_many_hosts__in_parts_and_one_after_the_other),
		cmocka_unit_test(feed__reads_all_pages__before_it_shows_any),
		cmocka_unit_test(feed__gives_up__pages_without_an_end),
		cmocka_unit_test(feed__keeps_what_it_has__while_it_is_throttled),
		cmocka_unit_test(feed__asks_no_more__where_it_is_denied),
		cmocka_unit_test(feed__goes_by_the_clock_of_aws),
		cmocka_unit_test(feed__drops_an_answer__that_nobody_looks_at_any_more),
		cmocka_unit_test(feed__takes_an_answer__whose_job_is_gone),
		cmocka_unit_test(watch__finds_idle_gpus__of_jobs_that_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
