/*
 * Logs from the wire into the store, by a feed whose answers are the region's own: no line is lost
 * or read twice, whatever happens to tokens; and what odd services and lines do to it. The long
 * form (GPUQ_SOAK_SECONDS) follows 1.2 million lines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/logs.h"
#include "aws/logs_feed.h"
#include "model/base/mem.h"
#include "tests/fakes.h"
#include "tests/simworld.h"
#include "tests/soak.h"

#define NAME    "llm-ft-1"
#define ARN     "arn:aws:sagemaker:us-east-1:111122223333:training-job/" NAME
#define TYPE    "ml.g5.2xlarge"
#define STREAMS "DescribeLogStreams"
#define GET     "GetLogEvents"
#define HOSTS   4

struct bench {
	struct simregion *sim;
	struct fake_world *world;
	struct aws_client *client;
	struct store store;
	struct logs_feed *feed;
	int64_t last_ms; /* of the world's clock, when the region's was turned */
	/* May answer in the region's place; n counts requests of the operation. */
	bool (*spoil)(struct bench *bench, size_t n, const struct fake_sent *sent,
		      struct fake_answer *answer);
	/* Lines seen so far: each stream's numbers must go on by one. */
	bool checks;
	struct log_place seen;
	bool any[HOSTS];
	int64_t number[HOSTS];
	uint64_t next[HOSTS];
	uint64_t checked;
};

/* --- the region behind the feed --- */

static void turn(struct bench *bench)
{
	simregion_pass(bench->sim, bench->world->mono_ms - bench->last_ms);
	bench->last_ms = bench->world->mono_ms;
}

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	struct bench *bench = ctx;
	char operation[96];
	turn(bench);
	if (bench->spoil &&
	    bench->spoil(bench, fake_count(bench->world, sent->op) - 1, sent, answer))
		return;
	snprintf(operation, sizeof(operation), "Logs_20140328.%s", sent->op);
	answer->status = simregion_call(bench->sim, operation, sent->body);
	answer->body = mem_copy_text(simregion_body(bench->sim));
	answer->latency_ms = 20;
}

/* One line more of its host: its step is the next. The first lines of a start have none. */
static void check_line(struct bench *bench, const struct log_line *line)
{
	uint64_t *next = &bench->next[line->stream];
	const char *at = strstr(line->text, "step ");
	uint64_t step = at ? strtoull(at + 5, NULL, 10) : 0;
	if (*next > 0 && step != *next)
		fail_msg("host %u: %s, where %llu was due", line->stream, line->text,
			 (unsigned long long)*next);
	*next = at ? step + 1 : 0;
	bench->any[line->stream] = true;
	bench->number[line->stream] = line->number;
	bench->checked++;
}

/* Those that were not seen; of one host alone they stand behind those that were. */
static void check_lines(struct bench *bench)
{
	const struct log_lines *lines = &bench->store.logs.lines;
	bool alone = bench->store.logs.count == 1 && bench->any[0];
	size_t at = alone ? log_lines_find(lines, &bench->seen) : 0;
	for (; at < lines->count; at++) {
		const struct log_line *line = log_lines_at(lines, at);
		if (!bench->any[line->stream] || line->number > bench->number[line->stream])
			check_line(bench, line);
		bench->seen = log_line_place(line);
	}
	assert_true(lines->count <= LOG_LINES_MAX);
	assert_true(lines->bytes <= LOG_BYTES_MAX);
}

static void on_change(void *ctx)
{
	struct bench *bench = ctx;
	if (bench->checks)
		check_lines(bench);
}

static void wake(void *target)
{
	logs_feed_wake(((struct bench *)target)->feed);
}

/* A job of so many hosts that runs from now on and writes so many lines a second. */
static void run_job(struct bench *bench, int hosts, int rate)
{
	char text[128];
	snprintf(text, sizeof(text), "{\"name\":\"" NAME "\",\"rate\":%d}", rate);
	assert_int_equal(simregion_control(bench->sim, "/_sim/logs", text), 200);
	snprintf(text, sizeof(text), "{\"instance_type\":\"" TYPE "\",\"free\":%d}", hosts);
	assert_int_equal(simregion_control(bench->sim, "/_sim/capacity", text), 200);
	snprintf(text, sizeof(text),
		 "{\"InstanceType\":\"" TYPE "\",\"InstanceCount\":%d,\"VolumeSizeInGB\":10}",
		 hosts);
	if (simregion_call(bench->sim, "CreateTrainingJob", simregion_training(NAME, text)) != 200)
		fail_msg("%s", simregion_body(bench->sim));
	const struct sim_job *job = sim_job_find(&bench->sim->region.world, SIM_TRAINING, NAME);
	while (!job->secondary || strcmp(job->secondary, "Training") != 0) {
		simregion_pass(bench->sim, 1000);
		sim_region_catch_up(&bench->sim->region);
	}
}

static struct bench *bench_new(void)
{
	struct bench *bench = mem_new(1, sizeof(*bench));
	struct job job = { .kind = JOB_TRAINING };
	bench->sim = simregion_new(NULL);
	bench->world = fake_world_new(serve, bench);
	bench->client = fake_client(bench->world, SERVICE_LOGS, 1);
	bench->last_ms = bench->world->mono_ms;
	snprintf(job.name, sizeof(job.name), NAME);
	mem_set_text(&job.arn, ARN);
	mem_set_text(&job.status, "InProgress");
	store_take_summary(&bench->store, &job);
	const struct logs_feed_options options = {
		.client = bench->client,
		.store = &bench->store,
		.clock = &bench->world->clock,
		.hooks = fake_hooks(bench->world, wake, bench),
		.gap_ms = LOGS_FEED_GAP_MS,
		.on_change = on_change,
		.ctx = bench,
	};
	bench->feed = logs_feed_new(&options);
	return bench;
}

static void bench_free(struct bench *bench)
{
	logs_feed_free(bench->feed);
	aws_client_free(bench->client);
	fake_world_free(bench->world);
	simregion_free(bench->sim);
	store_release(&bench->store);
	free(bench);
}

static bool sent_has(const struct bench *bench, const char *op, size_t n, const char *text)
{
	const struct fake_sent *sent = fake_nth(bench->world, op, n);
	return sent && strstr(sent->body, text) != NULL;
}

/* --- reading --- */

static void feed__asks_nothing__while_nobody_looks(void **state)
{
	struct bench *bench = bench_new();
	(void)state;
	run_job(bench, 1, 1);
	fake_run(bench->world, 60000);
	assert_int_equal(bench->world->sent_count, 0);
	logs_feed_want(bench->feed, ARN, false);
	fake_run(bench->world, 5000);
	assert_true(bench->store.logs.lines.count > 0);
	size_t sent = bench->world->sent_count;
	logs_feed_want(bench->feed, NULL, false);
	fake_run(bench->world, 60000);
	assert_int_equal(bench->world->sent_count, sent);
	assert_int_equal(bench->store.logs.lines.count, 0);
	bench_free(bench);
}

static void feed__reads_the_newest_first__then_all_before(void **state)
{
	struct bench *bench = bench_new();
	const struct job_logs *logs = &bench->store.logs;
	(void)state;
	run_job(bench, 2, 100);
	simregion_pass(bench->sim, 150000); /* 15,000 lines of each */
	logs_feed_want(bench->feed, ARN, false);
	fake_run(bench->world, 700); /* the streams, and a page of each */
	assert_int_equal(logs->count, 2);
	assert_string_equal(logs->streams[0].label, "algo-1");
	assert_string_equal(logs->streams[1].label, "algo-2");
	assert_true(sent_has(bench, GET, 0, "\"startFromHead\":false"));
	assert_int_equal(logs->lines.count, 10000);
	assert_false(logs->streams[0].begins);
	fake_run(bench->world, 10000);
	assert_true(logs->streams[0].begins && logs->streams[1].begins);
	bench->checks = true; /* from the first line on */
	check_lines(bench);
	assert_true(bench->checked > 30000);
	assert_int_equal(bench->checked, logs->lines.added);
	fake_run(bench->world, 30000);
	assert_int_equal(bench->checked, logs->lines.added);
	bench_free(bench);
}

static void feed__keeps_its_pace__at_the_end_of_a_silent_stream(void **state)
{
	struct bench *bench = bench_new();
	(void)state;
	run_job(bench, 1, 1);
	logs_feed_want(bench->feed, ARN, false);
	fake_run(bench->world, 60000);
	/* Every two seconds, and the streams every ten. */
	assert_in_range(fake_count(bench->world, GET), 25, 35);
	assert_in_range(fake_count(bench->world, STREAMS), 6, 7);
	for (size_t i = 1; i < bench->world->sent_count; i++)
		assert_true(bench->world->sent[i].at_ms - bench->world->sent[i - 1].at_ms >=
			    LOGS_FEED_GAP_MS);
	bench_free(bench);
}

static void feed__holds__what_is_looked_at(void **state)
{
	struct bench *bench = bench_new();
	const struct job_logs *logs = &bench->store.logs;
	(void)state;
	run_job(bench, 1, 2000);
	logs_feed_want(bench->feed, ARN, false);
	fake_run(bench->world, 30000);
	logs_feed_want(bench->feed, ARN, true);
	fake_run(bench->world, 60000);
	assert_true(logs->waits);
	assert_int_equal(logs->lines.dropped, 0);
	size_t held = logs->lines.count;
	bench->checks = true;
	check_lines(bench);
	logs_feed_want(bench->feed, ARN, false);
	fake_run(bench->world, 60000);
	assert_false(logs->waits);
	assert_true(logs->lines.dropped > 0 && bench->checked > held);
	bench_free(bench);
}

static void feed__follows_them_all__at_2000_a_second(void **state)
{
	struct bench *bench = bench_new();
	uint64_t wanted = soak_seconds(0) > 0 ? 1200000 : 60000;
	(void)state;
	run_job(bench, 1, 2000);
	bench->checks = true;
	logs_feed_want(bench->feed, ARN, false);
	while (bench->checked < wanted)
		fake_run(bench->world, 1000);
	assert_int_equal(bench->checked, bench->store.logs.lines.added);
	assert_int_equal(bench->store.logs.lines.folded, 0);
	print_message("%llu lines in %zu requests\n", (unsigned long long)bench->checked,
		      bench->world->sent_count);
	bench_free(bench);
}

/* --- odd services --- */

static bool refuse_tokens(struct bench *bench, size_t n, const struct fake_sent *sent,
			  struct fake_answer *answer)
{
	(void)bench;
	if (strcmp(sent->op, GET) != 0 || n % 4 != 3 || !strstr(sent->body, "nextToken"))
		return false;
	fake_error(answer, 400, "InvalidParameterException", "The specified nextToken is invalid.");
	return true;
}

static void feed__goes_on_by_time__where_a_token_is_refused(void **state)
{
	struct bench *bench = bench_new();
	(void)state;
	run_job(bench, 1, 100);
	bench->spoil = refuse_tokens;
	bench->checks = true;
	logs_feed_want(bench->feed, ARN, false);
	fake_run(bench->world, 60000);
	assert_true(bench->checked > 5000);
	assert_int_equal(bench->checked, bench->store.logs.lines.added);
	assert_false(bench->store.logs.fresh.failing);
	bench_free(bench);
}

#define EVENT(ms, text) "{\"timestamp\":" ms ",\"message\":" text ",\"ingestionTime\":1}"

/* The same page with the same tokens, and later on with a line more. */
static bool one_token(struct bench *bench, size_t n, const struct fake_sent *sent,
		      struct fake_answer *answer)
{
	char text[512];
	(void)bench;
	if (strcmp(sent->op, GET) != 0)
		return false;
	snprintf(text, sizeof(text),
		 "{\"events\":[" EVENT(
			 "1796071688000",
			 "\"again\"") "%s],"
				      "\"nextForwardToken\":\"f/1\",\"nextBackwardToken\":\"b/1\"}",
		 n < 8 ? "" : "," EVENT("1796071689000", "\"more\""));
	answer->body = mem_copy_text(text);
	return true;
}

static void feed__reads_once__what_comes_with_one_token_for_ever(void **state)
{
	struct bench *bench = bench_new();
	const struct job_logs *logs = &bench->store.logs;
	(void)state;
	run_job(bench, 1, 1);
	bench->spoil = one_token;
	logs_feed_want(bench->feed, ARN, false);
	fake_run(bench->world, 120000);
	assert_int_equal(logs->lines.added, 2);
	assert_string_equal(log_lines_at(&logs->lines, 0)->text, "again");
	assert_string_equal(log_lines_at(&logs->lines, 1)->text, "more");
	assert_true(logs->streams[0].begins);
	assert_true(fake_count(bench->world, GET) < 60);
	bench_free(bench);
}

static bool empty_pages(struct bench *bench, size_t n, const struct fake_sent *sent,
			struct fake_answer *answer)
{
	char text[128];
	(void)bench;
	if (strcmp(sent->op, GET) != 0)
		return false;
	snprintf(text, sizeof(text),
		 "{\"events\":[],\"nextForwardToken\":\"f/%zu\",\"nextBackwardToken\":\"b/%zu\"}",
		 n, n);
	answer->body = mem_copy_text(text);
	return true;
}

static void feed__gives_up_the_way_back__after_many_empty_pages(void **state)
{
	struct bench *bench = bench_new();
	(void)state;
	run_job(bench, 1, 1);
	bench->spoil = empty_pages;
	logs_feed_want(bench->feed, ARN, false);
	fake_run(bench->world, 60000);
	assert_true(bench->store.logs.streams[0].begins);
	assert_in_range(fake_count(bench->world, GET), LOGS_FEED_EMPTY_MAX, 60);
	bench_free(bench);
}

static bool deny(struct bench *bench, size_t n, const struct fake_sent *sent,
		 struct fake_answer *answer)
{
	(void)bench;
	(void)n;
	if (strcmp(sent->op, GET) != 0)
		return false;
	fake_error(answer, 400, "AccessDeniedException",
		   "User: arn:aws:iam::111122223333:user/ops is not authorized to perform: "
		   "logs:GetLogEvents on resource: arn:aws:logs:us-east-1:111122223333:log-group:"
		   "/aws/sagemaker/TrainingJobs:log-stream:x because no identity-based policy "
		   "allows the logs:GetLogEvents action");
	return true;
}

static void feed__says_what_is_denied__and_asks_once_a_minute(void **state)
{
	struct bench *bench = bench_new();
	const struct freshness *fresh = &bench->store.logs.fresh;
	(void)state;
	run_job(bench, 1, 1);
	bench->spoil = deny;
	logs_feed_want(bench->feed, ARN, false);
	fake_run(bench->world, 30000);
	assert_true(fresh->failing);
	assert_int_equal(fresh->error.code, ERR_DENIED);
	assert_non_null(strstr(err_text(&fresh->error), "logs:GetLogEvents"));
	assert_int_equal(fake_count(bench->world, GET), 1);
	bench->spoil = NULL;
	fake_run(bench->world, 60000);
	assert_false(fresh->failing);
	assert_true(bench->store.logs.lines.count > 0);
	bench_free(bench);
}

static void feed__takes_no_group_and_no_stream__as_no_logs_yet(void **state)
{
	struct bench *bench = bench_new();
	const struct job_logs *logs = &bench->store.logs;
	(void)state;
	logs_feed_want(bench->feed, ARN, false);
	fake_run(bench->world, 5000);
	assert_true(logs->listed && logs->missing);
	assert_false(logs->fresh.failing);
	run_job(bench, 1, 1);
	fake_run(bench->world, 20000);
	assert_false(logs->missing);
	assert_true(logs->lines.count > 0);
	bench_free(bench);
}

/* --- odd lines --- */

static bool odd_lines(struct bench *bench, size_t n, const struct fake_sent *sent,
		      struct fake_answer *answer)
{
	(void)bench;
	if (strcmp(sent->op, GET) != 0)
		return false;
	answer->body = mem_copy_text(
		n > 0 ? "{\"events\":[],\"nextForwardToken\":\"f/1\",\"nextBackwardToken\":\"b/1\"}"
		      : "{\"events\":[" EVENT("1796071688000", "\"nul \\u0000 behind\"") "," EVENT(
				"1796071688001",
				"\"half \\ud83d pair\"") "," EVENT("1796071688002",
								   "\"pair \\ud83d\\ude00 whole "
								   "\\\\u0000\"") "," EVENT("179607"
											    "168800"
											    "3",
											    "\"byte"
											    "s "
											    "\xe2"
											    "\x82"
											    "\"") ","
												  "{\"message\":\"no time\"},{\"timestamp\":1},null,7,{}],"
												  "\"nextForwardToken\":\"f/1\",\"nextBackwardToken\":\"b/1\"}");
	return true;
}

static void feed__takes_odd_lines__as_they_are(void **state)
{
	static const char *const wanted[] = { "nul \xe2\x90\x80 behind", "half \xef\xbf\xbd pair",
					      "pair \xf0\x9f\x98\x80 whole \\u0000",
					      "bytes \xe2\x82", "no time" };
	struct bench *bench = bench_new();
	const struct log_lines *lines = &bench->store.logs.lines;
	(void)state;
	run_job(bench, 1, 1);
	bench->spoil = odd_lines;
	logs_feed_want(bench->feed, ARN, false);
	fake_run(bench->world, 10000);
	assert_int_equal(lines->count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(log_lines_at(lines, i)->text, wanted[i]);
	assert_int_equal(log_lines_at(lines, 4)->at_ms, INT64_C(1796071688003));
	bench_free(bench);
}

#define HUGE_BYTES (LOG_TEXT_MAX + 1000)

/* The newest page begins with the end of a character, whose beginning ends the page before; and
 * between them lies a line of more than a megabyte. */
static bool huge_pages(struct bench *bench, size_t n, const struct fake_sent *sent,
		       struct fake_answer *answer)
{
	struct buf body;
	bool older = strstr(sent->body, "\"b/1\"") != NULL;
	bool oldest = strstr(sent->body, "\"b/2\"") != NULL;
	(void)bench;
	if (strcmp(sent->op, GET) != 0)
		return false;
	buf_init(&body, 2 * HUGE_BYTES);
	buf_add_text(&body, "{\"events\":[");
	if (older) {
		buf_add_text(&body, "{\"timestamp\":1796071688000,\"message\":\"");
		for (size_t i = 0; i < HUGE_BYTES / 2; i++) /* letters of two bytes */
			buf_add_text(&body, "\xc3\xa9");
		buf_add_text(&body, "\"}," EVENT("1796071688001", "\"begun \xe2\x82\""));
	} else if (n == 0) {
		buf_add_text(&body, EVENT("1796071688002", "\"\xac ended\""));
	}
	buf_addf(&body, "],\"nextForwardToken\":\"f/1\",\"nextBackwardToken\":\"b/%d\"}",
		 older || oldest ? 2 : 1);
	answer->body = buf_take(&body);
	return true;
}

static void feed__takes_huge_lines_and_halves__at_the_edges_of_pages(void **state)
{
	struct bench *bench = bench_new();
	const struct log_lines *lines = &bench->store.logs.lines;
	char note[64];
	(void)state;
	run_job(bench, 1, 1);
	bench->spoil = huge_pages;
	logs_feed_want(bench->feed, ARN, false);
	fake_run(bench->world, 10000);
	assert_int_equal(lines->count, 3);
	const struct log_line *first = log_lines_at(lines, 0);
	assert_true(first->len > LOG_TEXT_MAX - 4 && first->len <= LOG_TEXT_MAX + 64);
	snprintf(note, sizeof(note), "\xa9 (cut: the line has %d bytes)", (int)HUGE_BYTES);
	assert_string_equal(first->text + first->len - strlen(note), note);
	assert_string_equal(log_lines_at(lines, 1)->text, "begun \xe2\x82");
	assert_string_equal(log_lines_at(lines, 2)->text, "\xac ended");
	bench_free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(feed__asks_nothing__while_nobody_looks),
		cmocka_unit_test(feed__reads_the_newest_first__then_all_before),
		cmocka_unit_test(feed__keeps_its_pace__at_the_end_of_a_silent_stream),
		cmocka_unit_test(feed__holds__what_is_looked_at),
		cmocka_unit_test(feed__follows_them_all__at_2000_a_second),
		cmocka_unit_test(feed__goes_on_by_time__where_a_token_is_refused),
		cmocka_unit_test(feed__reads_once__what_comes_with_one_token_for_ever),
		cmocka_unit_test(feed__gives_up_the_way_back__after_many_empty_pages),
		cmocka_unit_test(feed__says_what_is_denied__and_asks_once_a_minute),
		cmocka_unit_test(feed__takes_no_group_and_no_stream__as_no_logs_yet),
		cmocka_unit_test(feed__takes_odd_lines__as_they_are),
		cmocka_unit_test(feed__takes_huge_lines_and_halves__at_the_edges_of_pages),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
