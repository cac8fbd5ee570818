/* The region's CloudWatch Logs: groups and streams of jobs, pages both ways, limits and refusals.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/jsontext.h"
#include "tests/simworld.h"

#define STREAMS "Logs_20140328.DescribeLogStreams"
#define EVENTS  "Logs_20140328.GetLogEvents"
#define GROUP   "\"logGroupName\":\"/aws/sagemaker/TrainingJobs\""
#define NAME    "two-hosts"
#define TYPE    "ml.g5.2xlarge"

static void ask(struct simregion *sim, const char *operation, const char *body)
{
	if (simregion_call(sim, operation, body) != 200)
		fail_msg("%s: %s", body, simregion_body(sim));
}

/* A text of the answer by its path; static buffer, "" where there is none. */
static const char *text_at(const struct simregion *sim, const char *path)
{
	static char out[512];
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	struct buf text;
	const char *body = simregion_body(sim);
	buf_init(&text, sizeof(out) - 1);
	assert_true(json_doc_parse(&doc, body, strlen(body), &err));
	(void)json_doc_string(&doc, json_doc_path(&doc, path), &text);
	snprintf(out, sizeof(out), "%s", buf_text(&text));
	json_doc_release(&doc);
	buf_release(&text);
	return out;
}

static size_t length_at(const struct simregion *sim, const char *path)
{
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	const char *body = simregion_body(sim);
	assert_true(json_doc_parse(&doc, body, strlen(body), &err));
	size_t length = json_doc_length(&doc, json_doc_path(&doc, path));
	json_doc_release(&doc);
	return length;
}

/* The job has trained on two hosts for so many seconds, with ten lines a second each. */
static struct simregion *train(int64_t seconds)
{
	struct simregion *sim = simregion_new(NULL);
	const struct sim_job *job;
	assert_int_equal(simregion_control(sim, "/_sim/logs",
					   "{\"name\":\"" NAME "\",\"rate\":10}"),
			 200);
	assert_int_equal(simregion_control(sim, "/_sim/capacity",
					   "{\"instance_type\":\"" TYPE "\",\"free\":2}"),
			 200);
	ask(sim, "CreateTrainingJob",
	    simregion_training(NAME, "{\"InstanceType\":\"" TYPE "\",\"InstanceCount\":2,"
				     "\"VolumeSizeInGB\":10}"));
	job = sim_job_find(&sim->region.world, SIM_TRAINING, NAME);
	while (!job->secondary || strcmp(job->secondary, "Training") != 0)
		sim_world_run_until(&sim->region.world, sim->region.world.now_ms + 100);
	int64_t start_ms = job->transitions[job->transition_count - 1].start.ms;
	simregion_pass(sim, start_ms + seconds * 1000 - SIM_TEST_START_MS);
	sim_region_catch_up(&sim->region);
	return sim;
}

static void streams__are_one_for_each_host__of_the_job(void **state)
{
	struct simregion *sim = train(5);
	char name[80];
	(void)state;
	ask(sim, STREAMS, "{" GROUP ",\"logStreamNamePrefix\":\"" NAME "/\"}");
	assert_int_equal(length_at(sim, "logStreams"), 2);
	snprintf(name, sizeof(name), "%s", text_at(sim, "logStreams[0].logStreamName"));
	assert_memory_equal(name, NAME "/algo-1-17960", strlen(NAME "/algo-1-17960"));
	ask(sim, STREAMS, "{" GROUP ",\"logStreamNamePrefix\":\"" NAME "/\",\"limit\":1}");
	assert_string_equal(text_at(sim, "nextToken"), "s/1");
	ask(sim, STREAMS,
	    "{" GROUP ",\"logStreamNamePrefix\":\"" NAME "/\",\"limit\":1,\"nextToken\":\"s/1\"}");
	assert_non_null(strstr(text_at(sim, "logStreams[0].logStreamName"), "/algo-2-"));
	assert_string_equal(text_at(sim, "nextToken"), "");
	ask(sim, STREAMS, "{" GROUP ",\"logStreamNamePrefix\":\"other/\"}");
	assert_int_equal(length_at(sim, "logStreams"), 0);
	simregion_free(sim);
}

static void get(struct simregion *sim, const char *stream, const char *rest)
{
	char body[512];
	snprintf(body, sizeof(body), "{" GROUP ",\"logStreamName\":\"%s\"%s}", stream, rest);
	ask(sim, EVENTS, body);
}

/* Ten lines a second for five seconds, both ends counted: 51. */
static void events__come_by_pages__both_ways(void **state)
{
	struct simregion *sim = train(5);
	char stream[80], forward[96], rest[256];
	(void)state;
	ask(sim, STREAMS, "{" GROUP ",\"logStreamNamePrefix\":\"" NAME "/\"}");
	snprintf(stream, sizeof(stream), "%s", text_at(sim, "logStreams[0].logStreamName"));
	get(sim, stream, ",\"limit\":20");
	assert_int_equal(length_at(sim, "events"), 20);
	assert_non_null(strstr(text_at(sim, "events[0].message"), "step 31/"));
	snprintf(forward, sizeof(forward), "%s", text_at(sim, "nextForwardToken"));
	snprintf(rest, sizeof(rest), ",\"limit\":40,\"nextToken\":\"%s\"",
		 text_at(sim, "nextBackwardToken"));
	get(sim, stream, rest);
	assert_int_equal(length_at(sim, "events"), 31);
	/* At either end the token comes back. */
	snprintf(rest, sizeof(rest), ",\"nextToken\":\"%s\"", text_at(sim, "nextBackwardToken"));
	get(sim, stream, rest);
	assert_int_equal(length_at(sim, "events"), 0);
	assert_non_null(strstr(rest, text_at(sim, "nextBackwardToken")));
	snprintf(rest, sizeof(rest), ",\"startFromHead\":true,\"nextToken\":\"%s\"", forward);
	get(sim, stream, rest);
	assert_int_equal(length_at(sim, "events"), 0);
	assert_string_equal(text_at(sim, "nextForwardToken"), forward);
	simregion_pass(sim, 1000);
	get(sim, stream, rest);
	assert_int_equal(length_at(sim, "events"), 10);
	assert_non_null(strstr(text_at(sim, "events[0].message"), "step 51/"));
	simregion_free(sim);
}

static void requests__are_refused__as_the_service_does(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	simregion_refuses(sim, STREAMS, "{" GROUP "}", "ResourceNotFoundException",
			  "The specified log group does not exist.");
	simregion_free(sim);
	sim = train(5);
	simregion_refuses(sim, STREAMS, "{}", "InvalidParameterException", "logGroupName");
	simregion_refuses(sim, STREAMS, "{" GROUP ",\"limit\":51}", "InvalidParameterException",
			  "less than or equal to 50");
	simregion_refuses(sim, STREAMS,
			  "{" GROUP ",\"logStreamNamePrefix\":\"" NAME
			  "/\",\"orderBy\":\"LastEventTime\"}",
			  "InvalidParameterException", "Cannot order by LastEventTime");
	simregion_refuses(sim, EVENTS, "{" GROUP ",\"logStreamName\":\"" NAME "/algo-9-1\"}",
			  "ResourceNotFoundException", "The specified log stream does not exist.");
	simregion_refuses(sim, EVENTS,
			  "{" GROUP ",\"logStreamName\":\"x/y\",\"nextToken\":\"mine\"}",
			  "InvalidParameterException", "nextToken is invalid");
	simregion_refuses(sim, EVENTS, "{" GROUP ",\"logStreamName\":\"x/y\",\"limit\":10001}",
			  "InvalidParameterException", "10000");
	simregion_refuses(sim, EVENTS,
			  "{\"logGroupName\":\"/aws/sagemaker/ProcessingJobs\","
			  "\"logStreamName\":\"x/y\"}",
			  "ResourceNotFoundException", "log group");
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(streams__are_one_for_each_host__of_the_job),
		cmocka_unit_test(events__come_by_pages__both_ways),
		cmocka_unit_test(requests__are_refused__as_the_service_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
