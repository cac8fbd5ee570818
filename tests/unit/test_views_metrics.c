/* The screen of what hosts publish, and GPUs that idle in the job list and beside it. */
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
#include "tests/homescreen.h"

#define JOB       "vision-detr-1130" /* one ml.p4d.24xlarge: 8 GPUs, 96 vCPUs */
#define MINUTE_MS INT64_C(60000)

static int start(void **state)
{
	return homescreen_setup(state, 80, 24);
}

/* What was published of the last two hours: all GPUs at 80 % but for ten minutes at 20, which
 * three of those before were lost of. */
static void publish(struct homescreen *home, int64_t count)
{
	struct store *store = &home->sample.store;
	struct job *job = (struct job *)store_find_name(store, JOB);
	struct job_metrics seen = { .span = store->metrics.span };
	job->selected.count = count;
	assert_true(metrics_begin(&seen, job, home->sample.wall_ms));
	metrics_look_at(&store->metrics, job->arn, seen.span);
	for (int64_t slot = 60; slot < METRIC_SLOTS; slot++) {
		int64_t at_ms = seen.window.start_ms + slot * seen.window.period_ms;
		for (size_t host = 0; host < seen.host_count; host++) {
			bool dips = slot >= 100 && slot < 110;
			metrics_put(&seen, host, METRIC_CPU, at_ms, 2400); /* 25 % of 96 */
			metrics_put(&seen, host, METRIC_MEMORY, at_ms, 40);
			metrics_put(&seen, host, METRIC_DISK, at_ms, host == 0 ? 7 : 9);
			if (slot < 90 || slot >= 93)
				metrics_put(&seen, host, METRIC_GPU, at_ms, dips ? 160 : 640);
		}
	}
	metrics_take(&store->metrics, &seen, home->sample.mono_ms);
	metrics_release(&seen);
	screen_refresh(home->screen);
}

static void open_metrics(struct homescreen *home)
{
	homescreen_go_to(home, JOB);
	homescreen_keys(home, "M");
}

static void metrics__are_shown_by_host__with_the_line_of_one(void **state)
{
	struct homescreen *home = *state;
	open_metrics(home);
	homescreen_want(home, "The metrics are being read.");
	publish(home, 1);
	homescreen_want(home, "▸ algo-1    80 %");
	homescreen_want(home, " 25 % ");
	homescreen_want(home, "GPU, algo-1: last 80 %, least 20, mean 75, most 80, 3 minutes not "
			      "published");
	homescreen_want(home, "[GPU]");
	homescreen_golden(home, "metrics-80x24");
	homescreen_keys(home, "l");
	homescreen_want(home, "[GPU memory]");
	homescreen_want(home, "GPU memory, algo-1: nothing published");
	homescreen_keys(home, "h h");
	homescreen_want(home, "disk, algo-1: last 7 %, least 7, mean 7, most 7");
	homescreen_keys(home, "M");
	homescreen_want_not(home, "[disk]");
}

static void several_hosts__have_their_mean_first(void **state)
{
	struct homescreen *home = *state;
	open_metrics(home);
	publish(home, 2);
	homescreen_want(home, "▸ mean      80 %");
	homescreen_keys(home, "S-Tab");
	homescreen_want(home, "disk, mean of all hosts: last 8 %");
	homescreen_keys(home, "G");
	homescreen_want(home, "disk, algo-2: last 9 %");
	homescreen_keys(home, "k k k");
	homescreen_want(home, "▸ mean");
	homescreen_keys(home, "j");
	homescreen_want(home, "▸ algo-1");
	publish(home, 40);
	homescreen_keys(home, "G");
	homescreen_want(home, "▸ algo-40");
	homescreen_want(home, "disk, algo-40: last 9 %");
}

static void what_is_looked_at__is_wanted__with_its_span(void **state)
{
	struct homescreen *home = *state;
	char arn[256];
	sample_arn(JOB_TRAINING, JOB, arn);
	homescreen_draw(home);
	assert_null(homescreen_wants(home).metrics);
	assert_true(homescreen_wants(home).gpus);
	open_metrics(home);
	assert_string_equal(homescreen_wants(home).metrics, arn);
	assert_int_equal(homescreen_wants(home).metric_span, METRIC_3H);
	homescreen_keys(home, "- - -");
	assert_int_equal(homescreen_wants(home).metric_span, METRIC_WEEK);
	homescreen_keys(home, "+");
	assert_int_equal(homescreen_wants(home).metric_span, METRIC_15H);
	homescreen_keys(home, "q");
	assert_null(homescreen_wants(home).metrics);
}

static void trouble__is_said_with_the_action__that_is_denied(void **state)
{
	struct homescreen *home = *state;
	struct err denied = { 0 };
	open_metrics(home);
	err_set(&denied, ERR_DENIED, "not you");
	err_subject(&denied, "GetMetricData in us-east-1");
	metrics_fail(&home->sample.store.metrics, &denied, INT64_MAX);
	homescreen_want(home, "denied cloudwatch:GetMetricData");
	publish(home, 1);
	homescreen_want_not(home, "denied");
	err_clear(&denied);
}

static void job_without_instances__is_told_as_one(void **state)
{
	struct homescreen *home = *state;
	homescreen_go_to(home, "llm-ft-0930");
	homescreen_keys(home, "M");
	homescreen_want(home, "Its instances are not known (yet): metrics begin with them.");
}

static void final_metrics__stand_below(void **state)
{
	struct homescreen *home = *state;
	struct job *job = (struct job *)store_find_name(&home->sample.store, JOB);
	free(job->request_json);
	job->request_json =
		mem_copy_text("{\"FinalMetricDataList\":[{\"MetricName\":\"train:loss\","
			      "\"Value\":0.25},{\"MetricName\":\"a\\u001b[2J\","
			      "\"Value\":\"NaN\"}]}");
	open_metrics(home);
	publish(home, 1);
	homescreen_want(home, "final: train:loss 0.25, a·[2J NaN");
}

/* It runs, it is paid for, and it does nothing. */
static void idle_gpus__are_marked__in_the_list_and_beside_it(void **state)
{
	struct homescreen *home = *state;
	struct gpu_watch seen = { 0 };
	struct store *store = &home->sample.store;
	const struct gpu_use idle = { .known = true,
				      .idle = true,
				      .permille = 31,
				      .for_ms = 48 * MINUTE_MS,
				      .at_ms = home->sample.wall_ms };
	homescreen_want_not(home, "Idle GPUs");
	gpu_watch_add(&seen, store_find_name(store, JOB)->arn, &idle);
	gpu_watch_take(&store->gpus, &seen, home->sample.mono_ms);
	homescreen_go_to(home, JOB);
	homescreen_want(home, "T Idle GPUs");
	homescreen_keys(home, "4");
	homescreen_want(home, "! idle GPUs: under 10 % for 48m (3 %)");
	open_metrics(home);
	publish(home, 1);
	homescreen_want(home, "! idle GPUs: under 10 % for 48m (3 %)");
	homescreen_keys(home, "q 1");
	homescreen_pass(home, 16 * MINUTE_MS); /* nobody has said so for a while */
	homescreen_want_not(home, "Idle GPUs");
}

#define HOME_TEST(name) cmocka_unit_test_setup_teardown(name, start, homescreen_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		HOME_TEST(metrics__are_shown_by_host__with_the_line_of_one),
		HOME_TEST(several_hosts__have_their_mean_first),
		HOME_TEST(what_is_looked_at__is_wanted__with_its_span),
		HOME_TEST(trouble__is_said_with_the_action__that_is_denied),
		HOME_TEST(job_without_instances__is_told_as_one),
		HOME_TEST(final_metrics__stand_below),
		HOME_TEST(idle_gpus__are_marked__in_the_list_and_beside_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
