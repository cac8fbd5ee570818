/* The scales, windows and holes of what hosts publish, GPUs that idle, and final metrics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/metrics.h"
#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/gpu_watch.h"

#define MINUTE_MS INT64_C(60000)
#define NOW_MS    INT64_C(1796071688000) /* 2026-11-30T20:48:08Z */

static char arn[] = "arn:job";
static char in_progress[] = "InProgress", training[] = "Training", completed[] = "Completed";

static struct job running_on(const char *type, int64_t count)
{
	struct job job = { .kind = JOB_TRAINING, .arn = arn, .status = in_progress };
	job.secondary_status = training;
	job.selected = (struct selected){ .set = true, .count = count, .rank = 1 };
	assert_true(snprintf(job.selected.instance_type, TYPE_NAME_SIZE, "%s", type) > 0);
	job.started = (struct opt_ms){ true, NOW_MS - 600 * MINUTE_MS };
	return job;
}

/* 8 GPUs on ml.p4d.24xlarge count to 800, and its 96 vCPUs to 9,600. */
static void permille__is_of_the_whole_host(void **state)
{
	(void)state;
	assert_int_equal(metric_permille(METRIC_GPU, "ml.p4d.24xlarge", 800), 1000);
	assert_int_equal(metric_permille(METRIC_GPU, "ml.p4d.24xlarge", 600), 750);
	assert_int_equal(metric_permille(METRIC_GPU, "ml.g5.2xlarge", 75), 750);
	assert_int_equal(metric_permille(METRIC_GPU_MEMORY, "ml.p4d.24xlarge", 4), 5);
	assert_int_equal(metric_permille(METRIC_CPU, "ml.p4d.24xlarge", 960), 100);
	assert_int_equal(metric_permille(METRIC_MEMORY, "ml.p4d.24xlarge", 42.26), 423);
	assert_int_equal(metric_permille(METRIC_DISK, "ml.who.knows", 12), 120);
	assert_int_equal(metric_permille(METRIC_DISK, "ml.m5.xlarge", 100.4), 1000);
}

static void permille__is_a_hole__where_it_means_nothing(void **state)
{
	(void)state;
	assert_int_equal(metric_permille(METRIC_GPU, "ml.who.knows", 50), METRIC_HOLE);
	assert_int_equal(metric_permille(METRIC_CPU, "ml.who.knows", 50), METRIC_HOLE);
	assert_int_equal(metric_permille(METRIC_GPU, "ml.m5.xlarge", 50), METRIC_HOLE);
	assert_int_equal(metric_permille(METRIC_DISK, "ml.m5.xlarge", -1), METRIC_HOLE);
	assert_int_equal(metric_permille(METRIC_DISK, "ml.m5.xlarge", NAN), METRIC_HOLE);
	assert_int_equal(metric_permille(METRIC_DISK, "ml.m5.xlarge", INFINITY), METRIC_HOLE);
	assert_true(metric_is_of(METRIC_GPU, "ml.p4d.24xlarge"));
	assert_false(metric_is_of(METRIC_GPU, "ml.trn1.32xlarge"));
	assert_false(metric_is_of(METRIC_GPU_MEMORY, "ml.m5.xlarge"));
	assert_true(metric_is_of(METRIC_CPU, "ml.m5.xlarge"));
}

/* 20:48:08: the last slot of a minute begins at 20:48, the first 179 minutes before. */
static void window__ends_with_now_or_the_job(void **state)
{
	struct job job = running_on("ml.g5.2xlarge", 1);
	struct metric_window window = metrics_window(&job, METRIC_3H, NOW_MS);
	(void)state;
	assert_int_equal(window.period_ms, MINUTE_MS);
	assert_int_equal(window.start_ms, NOW_MS - 8000 - 179 * MINUTE_MS);
	window = metrics_window(&job, METRIC_15H, NOW_MS); /* 20:45 */
	assert_int_equal(window.start_ms, NOW_MS - 8000 - 3 * MINUTE_MS - 895 * MINUTE_MS);
	job.ended = (struct opt_ms){ true, NOW_MS - 60 * MINUTE_MS };
	window = metrics_window(&job, METRIC_3H, NOW_MS);
	assert_int_equal(window.start_ms, NOW_MS - 8000 - 239 * MINUTE_MS);
	/* Minutes are kept for 15 days, then fives for 63. */
	job.ended.ms = NOW_MS - 15 * 1440 * MINUTE_MS;
	assert_int_equal(metrics_window(&job, METRIC_3H, NOW_MS).period_ms, 5 * MINUTE_MS);
	job.ended.ms = NOW_MS - 63 * 1440 * MINUTE_MS;
	assert_int_equal(metrics_window(&job, METRIC_3H, NOW_MS).period_ms, 60 * MINUTE_MS);
}

static void hosts__are_those_of_the_choice__or_of_all_groups(void **state)
{
	struct job job = running_on("ml.p4d.24xlarge", 3);
	const char *type = NULL;
	(void)state;
	assert_int_equal(metrics_hosts(&job, 0, &type), 3);
	assert_string_equal(type, "ml.p4d.24xlarge");
	job.selected.set = false;
	type = NULL;
	assert_int_equal(metrics_hosts(&job, 0, &type), 0);
	assert_null(type);
	job.has_groups = true;
	job_edit_prefs(&job)->length = 2;
	job_edit_prefs(&job)->entries[0] =
		(struct preference){ "ml.g5.12xlarge", true, 1, "", "a" };
	job_edit_prefs(&job)->entries[1] = (struct preference){ "ml.c5.9xlarge", true, 2, "", "b" };
	assert_int_equal(metrics_hosts(&job, 0, &type), 3);
	assert_string_equal(type, "ml.g5.12xlarge");
	assert_int_equal(metrics_hosts(&job, 2, &type), 3);
	assert_string_equal(type, "ml.c5.9xlarge");
	free(job.prefs);
}

static void put__keeps_holes__and_drops_what_lies_outside(void **state)
{
	struct job job = running_on("ml.g5.12xlarge", 2); /* 4 GPUs */
	struct job_metrics metrics = { 0 };
	struct metric_series mean;
	(void)state;
	assert_true(metrics_begin(&metrics, &job, NOW_MS));
	int64_t start_ms = metrics.window.start_ms;
	metrics_put(&metrics, 0, METRIC_GPU, start_ms, 400);
	metrics_put(&metrics, 0, METRIC_GPU, start_ms + 3 * MINUTE_MS, 200);
	metrics_put(&metrics, 1, METRIC_GPU, start_ms + 3 * MINUTE_MS + 59999, 100);
	metrics_put(&metrics, 0, METRIC_GPU, start_ms - 1, 400);
	metrics_put(&metrics, 0, METRIC_GPU, start_ms + 180 * MINUTE_MS, 400);
	metrics_put(&metrics, 2, METRIC_GPU, start_ms, 400);
	metrics_mean(&metrics, METRIC_GPU, &mean);
	assert_int_equal(mean.permille[0], 1000);
	assert_int_equal(mean.permille[1], METRIC_HOLE);
	assert_int_equal(mean.permille[3], 375); /* of 500 and 250 */
	const struct metric_sum sum = metrics_sum(&mean);
	assert_int_equal(sum.count, 2);
	assert_int_equal(sum.holes, 2);
	assert_int_equal(sum.last, 3);
	assert_int_equal(sum.now, 375);
	assert_int_equal(sum.least, 375);
	assert_int_equal(sum.most, 1000);
	assert_int_equal(sum.mean, 688);
	assert_int_equal(metrics_sum(&metrics.hosts[1].series[METRIC_DISK]).count, 0);
	metrics_release(&metrics);
}

static void hosts__are_bounded__and_how_many_there_are_is_kept(void **state)
{
	struct job job = running_on("ml.p4d.24xlarge", 5000);
	struct job_metrics metrics = { 0 };
	(void)state;
	assert_true(metrics_begin(&metrics, &job, NOW_MS));
	assert_int_equal(metrics.host_count, METRIC_HOSTS_MAX);
	assert_int_equal(metrics.hosts_in_all, 5000);
	assert_string_equal(metrics.hosts[99].name, "algo-100");
	metrics_release(&metrics);
}

/* --- idle --- */

struct bed {
	struct metric_series mean;
	struct metric_window window;
};

/* Slots of a minute, the last of which ends now. */
static struct bed bed_of(int16_t permille)
{
	struct bed bed = { .window = { NOW_MS - 180 * MINUTE_MS, MINUTE_MS } };
	for (size_t i = 0; i < METRIC_SLOTS; i++)
		bed.mean.permille[i] = permille;
	return bed;
}

static struct gpu_use judge(const struct bed *bed, int64_t since_ms)
{
	return gpu_use_of(&bed->mean, &bed->window, since_ms, NOW_MS);
}

static void gpus__idle__after_fifteen_minutes_below_ten_percent(void **state)
{
	struct bed bed = bed_of(800);
	(void)state;
	assert_false(judge(&bed, 0).idle);
	assert_int_equal(judge(&bed, 0).permille, 800);
	for (size_t i = 166; i < METRIC_SLOTS; i++)
		bed.mean.permille[i] = 99;
	assert_false(judge(&bed, 0).idle); /* 14 minutes */
	bed.mean.permille[165] = 99;
	assert_true(judge(&bed, 0).idle); /* 15 */
	assert_int_equal(judge(&bed, 0).for_ms, 15 * MINUTE_MS);
	assert_int_equal(judge(&bed, 0).permille, 99);
	bed.mean.permille[172] = 100; /* 10 % is use */
	assert_false(judge(&bed, 0).idle);
}

static void gpus__are_not_called_idle__by_what_is_not_known(void **state)
{
	struct bed bed = bed_of(METRIC_HOLE);
	(void)state;
	assert_false(judge(&bed, 0).known);
	bed = bed_of(20);
	for (size_t i = 170; i < METRIC_SLOTS - 1; i++)
		bed.mean.permille[i] = METRIC_HOLE;
	assert_false(judge(&bed, 0).known); /* 6 of 15 */
	bed = bed_of(20);
	for (size_t i = 170; i < 175; i++)
		bed.mean.permille[i] = METRIC_HOLE;
	assert_true(judge(&bed, 0).idle); /* 10 of 15 */
	assert_int_equal(judge(&bed, 0).for_ms, 180 * MINUTE_MS);
	bed = bed_of(20);
	for (size_t i = 169; i < METRIC_SLOTS; i++)
		bed.mean.permille[i] = METRIC_HOLE;
	assert_false(judge(&bed, 0).known); /* the newest is 11 minutes old */
}

/* What lies before the start of the run, downloads among it, does not count. */
static void gpus__are_judged__from_the_start_of_the_run_on(void **state)
{
	struct bed bed = bed_of(10);
	(void)state;
	assert_false(judge(&bed, NOW_MS - 14 * MINUTE_MS).idle);
	assert_true(judge(&bed, NOW_MS - 15 * MINUTE_MS).idle);
	assert_int_equal(judge(&bed, NOW_MS - 40 * MINUTE_MS).for_ms, 40 * MINUTE_MS);
	struct job job = running_on("ml.g5.2xlarge", 1);
	job_add_transition(&job, "Downloading", NULL, (struct opt_ms){ true, 1000 },
			   (struct opt_ms){ true, 2000 });
	job_add_transition(&job, "Training", NULL, (struct opt_ms){ true, 2000 },
			   (struct opt_ms){ 0 });
	assert_int_equal(metrics_running_since(&job).ms, 2000);
	job.secondary_status = NULL;
	job.status = completed;
	assert_false(metrics_running_since(&job).set);
	for (size_t i = 0; i < job.transition_count; i++)
		free(job.transitions[i].words);
	free(job.transitions);
}

static void verdict__is_shown__while_the_job_runs_and_it_is_fresh(void **state)
{
	struct gpu_watch watch = { 0 }, seen = { 0 };
	struct job job = running_on("ml.g5.2xlarge", 1);
	const struct gpu_use idle = { .known = true, .idle = true, .at_ms = NOW_MS };
	(void)state;
	gpu_watch_add(&seen, "arn:other", &(struct gpu_use){ .known = true });
	gpu_watch_add(&seen, arn, &idle);
	gpu_watch_take(&watch, &seen, 1);
	assert_int_equal(seen.count, 0);
	assert_non_null(gpu_watch_idle(&watch, &job, NOW_MS + 14 * MINUTE_MS));
	assert_null(gpu_watch_idle(&watch, &job, NOW_MS + 16 * MINUTE_MS));
	job.status = completed;
	assert_null(gpu_watch_idle(&watch, &job, NOW_MS));
	gpu_watch_release(&watch);
}

/* --- what a job ends with --- */

static void final_metrics__are_as_describe_told_them(void **state)
{
	char text[] =
		"{\"FinalMetricDataList\":["
		"{\"MetricName\":\"train:loss\",\"Value\":0.12340,\"Timestamp\":1796071688.5},"
		"{\"MetricName\":\"odd\\n\",\"Value\":\"NaN\"},{\"Value\":1},7]}";
	struct job job = { .request_json = text };
	struct final_metrics final;
	(void)state;
	final_metrics_read(&job, &final);
	assert_int_equal(final.count, 2);
	assert_string_equal(final.items[0].name, "train:loss");
	assert_string_equal(final.items[0].value, "0.12340");
	assert_int_equal(final.items[0].at.ms, INT64_C(1796071688500));
	assert_string_equal(final.items[1].value, "NaN");
	assert_false(final.items[1].at.set);
	final_metrics_release(&final);
	job.request_json = NULL;
	final_metrics_read(&job, &final);
	assert_int_equal(final.count, 0);
	final_metrics_release(&final);
}

/* --- answers of CloudWatch --- */

static bool decode(const char *body, struct metric_page *page, struct err *err)
{
	return metrics_decode(body, strlen(body), page, err);
}

static void answer__brings_points__and_passes_over_oddities(void **state)
{
	struct metric_page page;
	struct err err = { 0 };
	(void)state;
	assert_true(decode("{\"MetricDataResults\":[{\"Id\":\"m1\",\"Timestamps\":[1796071620,"
			   "\"x\",1.79607174E9,5],\"Values\":[12.5,1,3],\"StatusCode\":"
			   "\"PartialData\"},{\"Id\":\"m100\",\"Timestamps\":[1],\"Values\":[1]},"
			   "{\"Id\":\"q1\",\"Timestamps\":[1],\"Values\":[1]}],"
			   "\"NextToken\":\"next\"}",
			   &page, &err));
	assert_int_equal(page.count, 2);
	assert_int_equal(page.points[0].query, 1);
	assert_int_equal(page.points[0].at_ms, INT64_C(1796071620000));
	assert_true(page.points[0].value == 12.5);
	assert_int_equal(page.points[1].at_ms, INT64_C(1796071740000));
	assert_true(page.points[1].value == 3);
	assert_string_equal(page.next_token, "next");
	metric_page_release(&page);
}

static void answer__is_refused__where_it_is_none(void **state)
{
	static const struct {
		const char *body;
		enum err_code code;
	} rows[] = {
		{ "{}", ERR_PARSE },
		{ "[", ERR_PARSE },
		{ "{\"MetricDataResults\":[{\"Id\":\"m0\",\"StatusCode\":\"Forbidden\"}]}",
		  ERR_DENIED },
		{ "{\"MetricDataResults\":[{\"Id\":\"m0\",\"StatusCode\":\"InternalError\"}]}",
		  ERR_REFUSED },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct metric_page page;
		struct err err = { 0 };
		assert_false(decode(rows[i].body, &page, &err));
		assert_int_equal(err.code, rows[i].code);
		assert_null(page.points);
		err_clear(&err);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(permille__is_of_the_whole_host),
		cmocka_unit_test(permille__is_a_hole__where_it_means_nothing),
		cmocka_unit_test(window__ends_with_now_or_the_job),
		cmocka_unit_test(hosts__are_those_of_the_choice__or_of_all_groups),
		cmocka_unit_test(put__keeps_holes__and_drops_what_lies_outside),
		cmocka_unit_test(hosts__are_bounded__and_how_many_there_are_is_kept),
		cmocka_unit_test(gpus__idle__after_fifteen_minutes_below_ten_percent),
		cmocka_unit_test(gpus__are_not_called_idle__by_what_is_not_known),
		cmocka_unit_test(gpus__are_judged__from_the_start_of_the_run_on),
		cmocka_unit_test(verdict__is_shown__while_the_job_runs_and_it_is_fresh),
		cmocka_unit_test(final_metrics__are_as_describe_told_them),
		cmocka_unit_test(answer__brings_points__and_passes_over_oddities),
		cmocka_unit_test(answer__is_refused__where_it_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
