/* CloudWatch of the region: what hosts publish, on AWS's scales, with delay, holes and pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/json.h"
#include "aws/sim/load.h"
#include "model/base/attr.h"
#include "tests/shared.h"
#include "tests/simworld.h"

#define GET_DATA "GraniteServiceVersion20100801.GetMetricData"
#define START_S  (SIM_TEST_START_MS / 1000)

static struct json_value *document;
static double values[2000];
static int64_t times[2000];

/* A job on two ml.p4d.24xlarge, 8 GPUs and 96 vCPUs each, that started with the region. */
static struct simregion *start(void)
{
	struct sim_options options = simregion_options();
	options.scenario = SIM_SCENARIO_STILL; /* jobs run on */
	struct simregion *sim = simregion_new(&options);
	assert_int_equal(simregion_control(sim, "/_sim/quota",
					   "{\"instance_type\":\"ml.p4d.24xlarge\",\"value\":90}"),
			 200);
	assert_int_equal(simregion_control(sim, "/_sim/capacity",
					   "{\"instance_type\":\"ml.p4d.24xlarge\",\"free\":90}"),
			 200);
	assert_int_equal(simregion_call(sim, "CreateTrainingJob",
					simregion_training("train-1",
							   "{\"InstanceType\":\"ml.p4d.24xlarge\","
							   "\"InstanceCount\":2}")),
			 200);
	return sim;
}

static void stop(struct simregion *sim)
{
	json_free(document);
	document = NULL;
	simregion_free(sim);
}

static const char *query(const char *metric, const char *host, int64_t from, int64_t to,
			 const char *more)
{
	static char body[10000];
	snprintf(body, sizeof(body),
		 "{\"MetricDataQueries\":[{\"Id\":\"m1\",\"MetricStat\":{\"Metric\":{"
		 "\"Namespace\":\"/aws/sagemaker/TrainingJobs\",\"MetricName\":\"%s\","
		 "\"Dimensions\":[{\"Name\":\"Host\",\"Value\":\"%s\"}]},\"Period\":60,"
		 "\"Stat\":\"Average\"}}],\"StartTime\":%lld,\"EndTime\":%lld,"
		 "\"ScanBy\":\"TimestampAscending\"%s}",
		 metric, host, (long long)from, (long long)to, more);
	return body;
}

/* Reads the first result; returns how many points it has. */
static size_t ask(struct simregion *sim, const char *body)
{
	struct err err = { 0 };
	size_t count = 0;
	if (simregion_call(sim, GET_DATA, body) != 200)
		fail_msg("%s", simregion_body(sim));
	json_free(document);
	document = json_parse(simregion_body(sim), strlen(simregion_body(sim)), &err);
	assert_non_null(document);
	const struct json_value *result = json_first(json_array(document, "MetricDataResults"));
	const struct json_value *time = json_first(json_array(result, "Timestamps"));
	for (const struct json_value *at = json_first(json_array(result, "Values")); at;
	     at = json_next(at), time = json_next(time)) {
		assert_true(count < ARRAY_LEN(values));
		assert_true(json_as_number(at, &values[count]));
		assert_true(json_as_integer(time, &times[count]));
		count++;
	}
	assert_null(time);
	return count;
}

static void gpus_and_vcpus__are_those_of_the_published_types(void **state)
{
	FILE *file = shared_open("data/instances.tsv");
	char line[4096];
	const char *fields[32];
	size_t seen = 0;
	(void)state;
	while (file && shared_row(file, line, sizeof(line), fields, ARRAY_LEN(fields)) > 0) {
		if (strncmp(fields[6], "NVIDIA", 6) != 0)
			continue;
		assert_int_equal(sim_type_gpus(fields[0]), atoll(fields[5]));
		seen++;
	}
	if (file) {
		fclose(file);
		assert_true(seen > 40);
	}
	assert_int_equal(sim_type_gpus("ml.m5.4xlarge"), 0);
	assert_int_equal(sim_type_gpus("ml.trn1.32xlarge"), 0);
	assert_int_equal(sim_type_vcpus("ml.p4d.24xlarge"), 96);
	assert_int_equal(sim_type_vcpus("ml.m5.xlarge"), 4);
	assert_int_equal(sim_type_vcpus("ml.c5.9xlarge"), 36);
	assert_int_equal(sim_type_vcpus("ml.m5.large"), 2);
}

/* 0..100 times 8 GPUs, once for each of two hosts; a third has nothing. */
static void gpu__is_a_hundred_times_the_gpus__of_each_host(void **state)
{
	struct simregion *sim = start();
	(void)state;
	simregion_pass(sim, 3600 * 1000);
	size_t count =
		ask(sim, query("GPUUtilization", "train-1/algo-1", START_S, START_S + 3600, ""));
	double most = 0, sum = 0;
	assert_in_range(count, 45, 59); /* some are lost, the last not told yet */
	for (size_t i = 0; i < count; i++) {
		assert_true(values[i] >= 0 && values[i] <= 800);
		assert_int_equal(times[i] % 60, 0);
		most = values[i] > most ? values[i] : most;
		sum += values[i];
	}
	assert_true(most > 440 && sum / (double)count > 300);
	assert_in_range(ask(sim,
			    query("CPUUtilization", "train-1/algo-2", START_S, START_S + 3600, "")),
			45, 59);
	assert_true(values[20] > 9 * 96 && values[20] < 58 * 96);
	assert_int_equal(ask(sim, query("GPUUtilization", "train-1/algo-3", START_S, START_S + 3600,
					"")),
			 0);
	assert_int_equal(ask(sim, query("GPUUtilization", "no-such/algo-1", START_S, START_S + 3600,
					"")),
			 0);
	assert_int_equal(ask(sim,
			     query("train:loss", "train-1/algo-1", START_S, START_S + 3600, "")),
			 0);
	stop(sim);
}

/* The minute of 20:58 is told from 20:59:30 on. */
static void minute__is_told__ninety_seconds_after_it_began(void **state)
{
	struct simregion *sim = start();
	int64_t minute_s = START_S - START_S % 60 + 600;
	(void)state;
	simregion_pass(sim, (minute_s + 89 - START_S) * 1000);
	size_t before =
		ask(sim, query("DiskUtilization", "train-1/algo-1", minute_s, minute_s + 60, ""));
	assert_int_equal(before, 0);
	simregion_pass(sim, 1000);
	assert_int_equal(ask(sim, query("DiskUtilization", "train-1/algo-1", minute_s,
					minute_s + 60, "")),
			 1);
	assert_int_equal(times[0], minute_s);
	stop(sim);
}

static void answer__is_the_same__and_goes_on_over_pages(void **state)
{
	struct simregion *sim = start();
	static double whole[100];
	char more[9000], token[8200];
	size_t at = 0, pages = 0;
	(void)state;
	simregion_pass(sim, 3600 * 1000);
	size_t count =
		ask(sim, query("MemoryUtilization", "train-1/algo-1", START_S, START_S + 3600, ""));
	assert_true(count < ARRAY_LEN(whole));
	memcpy(whole, values, count * sizeof(*values));
	snprintf(more, sizeof(more), ",\"MaxDatapoints\":7");
	for (bool next = true; next; pages++) {
		size_t part = ask(sim, query("MemoryUtilization", "train-1/algo-1", START_S,
					     START_S + 3600, more));
		assert_true(part <= 7 && at + part <= count);
		for (size_t i = 0; i < part; i++)
			assert_true(values[i] == whole[at + i]);
		at += part;
		next = json_text(document, "NextToken") != NULL;
		if (next)
			snprintf(token, sizeof(token), "%s", json_text(document, "NextToken"));
		snprintf(more, sizeof(more), ",\"MaxDatapoints\":7,\"NextToken\":\"%s\"", token);
	}
	assert_int_equal(at, count);
	assert_true(pages >= count / 7);
	stop(sim);
}

static void idle__begins_when_it_is_said(void **state)
{
	struct simregion *sim = start();
	(void)state;
	simregion_pass(sim, 1800 * 1000);
	assert_int_equal(simregion_control(sim, "/_sim/idle", "{\"name\":\"train-1\"}"), 200);
	simregion_pass(sim, 1800 * 1000);
	size_t count = ask(sim, query("GPUUtilization", "train-1/algo-1", START_S + 1860,
				      START_S + 3600, ""));
	assert_true(count > 15);
	for (size_t i = 0; i < count; i++)
		assert_true(values[i] <= 24); /* 3 % of 8 */
	assert_int_equal(simregion_control(sim, "/_sim/idle", "{\"name\":\"nobody\"}"), 400);
	stop(sim);
}

static void ended__publishes_nothing_more__and_minutes_go_after_fifteen_days(void **state)
{
	struct simregion *sim = start();
	(void)state;
	simregion_pass(sim, 1200 * 1000);
	assert_int_equal(simregion_call(sim, "StopTrainingJob",
					"{\"TrainingJobName\":\"train-1\"}"),
			 200);
	simregion_pass(sim, 3600 * 1000);
	size_t count =
		ask(sim, query("CPUUtilization", "train-1/algo-1", START_S, START_S + 4800, ""));
	assert_in_range(count, 15, 24);
	simregion_pass(sim, INT64_C(16) * 86400 * 1000);
	assert_int_equal(ask(sim, query("CPUUtilization", "train-1/algo-1", START_S, START_S + 4800,
					"")),
			 0);
	stop(sim);
}

static void request__is_refused__by_what_is_wrong_with_it(void **state)
{
	struct simregion *sim = start();
	(void)state;
	simregion_refuses(sim, GET_DATA, "{\"StartTime\":1,\"EndTime\":2}",
			  "com.amazonaws.cloudwatch.v2010_08_01#ValidationError",
			  "between 1 and 500");
	simregion_refuses(sim, GET_DATA, query("GPUUtilization", "a/algo-1", 100, 100, ""),
			  "com.amazonaws.cloudwatch.v2010_08_01#ValidationError",
			  "must be less than");
	simregion_refuses(sim, GET_DATA,
			  query("GPUUtilization", "a/algo-1", 100, 200, ",\"NextToken\":\"x\""),
			  "com.amazonaws.cloudwatch.v2010_08_01#ValidationException", "oken");
	simregion_refuses(sim, GET_DATA,
			  "{\"StartTime\":1,\"EndTime\":2,\"MetricDataQueries\":[{\"Id\":\"M1\"}]}",
			  "com.amazonaws.cloudwatch.v2010_08_01#ValidationError", "parameter Id");
	simregion_refuses(sim, GET_DATA,
			  "{\"StartTime\":1,\"EndTime\":2,\"MetricDataQueries\":[{\"Id\":\"a\","
			  "\"Expression\":\"SEARCH('x')\"}]}",
			  "com.amazonaws.cloudwatch.v2010_08_01#ValidationError", "works out none");
	stop(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gpus_and_vcpus__are_those_of_the_published_types),
		cmocka_unit_test(gpu__is_a_hundred_times_the_gpus__of_each_host),
		cmocka_unit_test(minute__is_told__ninety_seconds_after_it_began),
		cmocka_unit_test(answer__is_the_same__and_goes_on_over_pages),
		cmocka_unit_test(idle__begins_when_it_is_said),
		cmocka_unit_test(ended__publishes_nothing_more__and_minutes_go_after_fifteen_days),
		cmocka_unit_test(request__is_refused__by_what_is_wrong_with_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
