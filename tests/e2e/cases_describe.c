/*
 * Descriptions and lists that operators met (../shared/cases), given to the real program: as they
 * were recorded, in the forms of the command line and of the wire. Expected values are worked out
 * by hand from each input.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cases.h"

#define CASES    10
#define TEXT_MAX (1u << 20)
#define XGBOOST  "xgboost-training-job" /* the job of 001, 003 and 005 */
#define NOW      "2026-11-30T13:00:00Z" /* an hour after the creation of a case_job */

/*
 * Created 05:49:40.493, started 05:52:46.108: 185.6 s of wait. 31 s were trained and 69 s retained
 * on one ml.m4.xlarge, 0.24 an hour here: 0.002067 and 0.0046. The open transition does not tick.
 */
static void case_001__completed__stays_as_it_is(void **state)
{
	struct a_case one;

	(void)state;
	if (!case_open(&one, "001-warmpool-reused", "input.json"))
		return;

	struct recorded *region = recorded_start("2021-10-12T06:00:00Z");

	recorded_put(region, JOB_TRAINING, one.input);

	char *json = case_show(region, XGBOOST, "json"),
	     *table = case_show(region, XGBOOST, "table");

	case_want(json, "status", "Completed");
	case_want(json, "phase", "completed");
	case_want(json, "ended_at", "null");
	case_want(json, "wait_seconds", "186");
	case_want(json, "wait_is_final", "true");
	case_want(json, "cost.so_far", "0.002067");
	case_want(json, "warm_pool.status", "Reused");
	case_want(json, "warm_pool.reused_by", "Trainingjob-ccsjjbdsjhhcsvdj");
	case_want(json, "warm_pool.retained_seconds", "69");
	case_want(json, "warm_pool.retained_cost", "0.0046");
	case_want_text(table, "handed to Trainingjob-ccsjjbdsjhhcsvdj, retained 69 s");
	case_want_text(table, "Downloading  0s ");
	recorded_set_now(region, "2021-10-13T06:00:00Z");

	char *later_json = case_show(region, XGBOOST, "json");
	char *later_table = case_show(region, XGBOOST, "table");

	assert_string_equal(later_json, json);
	assert_string_equal(later_table, table);

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "Completed");
	case_want_shown(pty, "warm pool: handed to Trainingjob-ccsjj");
	case_want_shown(pty, "warm pool ~$0.00");
	pty_type(pty, "d");
	case_want_shown(pty, "2021-10-12 05:52:46  Downloading                 0s");
	case_leave(pty);
	recorded_stop(region);
	free(json);
	free(table);
	free(later_json);
	free(later_table);
	case_held(&one);
}

/* Created at 05:12:45.869, no start: at 05:13:45 and some seconds of this test it waits on. */
static void case_003__stopping__is_no_pending_job(void **state)
{
	struct a_case one;

	(void)state;
	if (!case_open(&one, "003-stopping-while-starting", "input.json"))
		return;

	struct recorded *region = recorded_start("2021-10-13T05:13:45Z");

	recorded_put(region, JOB_TRAINING, one.input);

	char *json = case_show(region, XGBOOST, "json"),
	     *pending = case_jobs(region, "json", "pending");

	case_want(json, "status", "Stopping");
	case_want(json, "secondary_status", "Starting");
	case_want(json, "phase", "stopping");
	case_want(json, "started_at", "null");
	case_want_range(json, "wait_seconds", 59, 119);
	case_want(json, "wait_is_final", "false");
	case_want(json, "cost.so_far", "0");
	assert_string_equal(pending, "[]\n");

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "pending 0");
	case_want_shown(pty, "Stopping");
	case_want_shown(pty, "so far    $0");
	pty_type(pty, "S");
	case_want_shown(pty, "this job is stopping already");
	case_leave(pty);
	assert_int_equal(recorded_calls(region, "StopTrainingJob"), 0);
	recorded_stop(region);
	free(json);
	free(pending);
	case_held(&one);
}

/* The end was 10 s ago; what became of the pool is told while somebody watches, as in 001. */
static void case_005__pool__is_not_reported_and_asked_for(void **state)
{
	struct a_case one, told;

	(void)state;
	if (!case_open(&one, "005-keepalive-without-warmpool-status", "input.json"))
		return;

	struct recorded *region = recorded_start("2021-10-12T05:52:56Z");

	recorded_put(region, JOB_TRAINING, one.input);

	char *json = case_show(region, XGBOOST, "json"),
	     *table = case_show(region, XGBOOST, "table");

	case_want(json, "phase", "completed");
	case_want(json, "warm_pool.status", "null");
	case_want(json, "warm_pool.reused_by", "null");
	case_want(json, "warm_pool.retained_cost", "null");
	case_want_text(table, "\nwarm pool     not reported\n");

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "warm pool: not reported");

	unsigned asked = recorded_calls(region, "DescribeTrainingJob");

	for (int i = 0; i < 200 && recorded_calls(region, "DescribeTrainingJob") == asked; i++)
		pty_run(pty, 50);
	assert_true(recorded_calls(region, "DescribeTrainingJob") > asked);
	assert_true(case_open(&told, "001-warmpool-reused", "input.json"));
	recorded_put(region, JOB_TRAINING, told.input);
	case_want_shown(pty, "warm pool: handed to Trainingjob-ccsjj");
	case_leave(pty);
	recorded_stop(region);
	free(told.input);
	free(json);
	free(table);
	case_held(&one);
}

/* Created at 04:51:45.539; the service's clock still says 04:51:45. */
static void case_007__processing__waits_without_a_reason(void **state)
{
	static const char name[] = "unit-testing-processing-job";
	struct a_case one;

	(void)state;
	if (!case_open(&one, "007-processing-waiting-all-null", "input.json"))
		return;

	struct recorded *region = recorded_start("2021-09-29T04:51:45Z");

	recorded_put(region, JOB_PROCESSING, one.input);

	char *json = case_show(region, name, "json");

	case_want(json, "kind", "processing");
	case_want(json, "phase", "pending");
	case_want_range(json, "wait_seconds", 0, 60);
	case_want(json, "started_at", "null");
	case_want(json, "selected", "null");
	case_want(json, "failure_reason", "null");
	case_want(json, "preferences[0].instance_type", "ml.m5.large");
	recorded_set_now(region, "2021-09-29T04:51:30Z"); /* ours, or its, is behind */

	char *early = case_jobs(region, "json", "pending");

	case_want(early, "[0].name", name);
	case_want(early, "[0].wait_seconds", "0");
	recorded_set_now(region, "2021-09-29T05:51:46Z");

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "pending 1 (oldest 1h00m)");
	case_want_shown(pty, "why: AWS publishes no reason for processing jobs");
	case_leave(pty);
	recorded_stop(region);
	free(json);
	free(early);
	case_held(&one);
}

/* A job with the ResourceConfig of one half of the input. */
static void put_half(struct recorded *region, const struct a_case *one, const char *half,
		     const char *secondary, const char *started)
{
	struct json_doc doc;
	struct err err = { 0 };
	struct buf more;
	char path[64];

	snprintf(path, sizeof(path), "%s.ResourceConfig", half);
	assert_true(json_doc_parse(&doc, one->input, strlen(one->input), &err));

	size_t node = json_doc_path(&doc, path);

	assert_true(node != JSON_NONE);
	buf_init(&more, TEXT_MAX);
	buf_addf(&more, "%s,\"ResourceConfig\":%.*s", started,
		 (int)(doc.nodes[node].end - doc.nodes[node].start),
		 one->input + doc.nodes[node].start);

	char *job = case_job(half, "InProgress", secondary, buf_text(&more));

	recorded_put(region, JOB_TRAINING, job);
	free(job);
	buf_release(&more);
	json_doc_release(&doc);
}

/* g6.48xlarge x2 at 16.688 and g5.48xlarge x4 at 20.36: 33.376 and 81.44 an hour. */
static void case_008__selection__is_pending_and_then_the_second(void **state)
{
	struct a_case one;

	(void)state;
	if (!case_open(&one, "008-training-selected-type", "input.json"))
		return;

	struct recorded *region = recorded_start(NOW);

	put_half(region, &one, "waiting", "Pending", "");
	put_half(region, &one, "selected", "Training",
		 ",\"TrainingStartTime\":\"2026-11-30T12:30:00Z\"");

	char *waiting = case_show(region, "waiting", "json"),
	     *selected = case_show(region, "selected", "json");

	case_want(waiting, "selected", "null");
	case_want(waiting, "preferences[0].instance_type", "ml.g6.48xlarge");
	case_want(waiting, "preferences[0].per_hour", "33.376");
	case_want(waiting, "preferences[1].instance_type", "ml.g5.48xlarge");
	case_want(waiting, "cost.per_hour", "null");
	case_want(waiting, "cost.so_far", "0");
	case_want(selected, "selected.instance_type", "ml.g5.48xlarge");
	case_want(selected, "selected.instance_count", "4");
	case_want(selected, "selected.rank", "2");
	case_want(selected, "cost.per_hour", "81.44");

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "\u25b8 waiting");
	case_want_shown(pty, "\u2013 (pending)");
	pty_type(pty, "j");
	case_want_shown(pty, "\u2713#2 ml.g5.48xlarge \u00d74");
	case_want_shown(pty, "fallback: choice 2 of 2");
	case_leave(pty);
	recorded_stop(region);
	free(waiting);
	free(selected);
	case_held(&one);
}

static size_t count_lines(const char *text)
{
	size_t lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* Twelve lines; the last one ends in the middle, as it came. */
static void case_010__traceback__is_one_row_and_many_lines(void **state)
{
	struct a_case one;

	(void)state;
	if (!case_open(&one, "010-failure-reason-multiline-python", "input.txt"))
		return;

	struct recorded *region = recorded_start(NOW);

	case_put_failed(region, JOB_TRAINING, "traceback", one.input);
	case_put_failed(region, JOB_PROCESSING, "listed", one.input);

	char *json = case_show(region, "traceback", "json"),
	     *table = case_show(region, "traceback", "table");
	char *list = case_jobs(region, "table", NULL);

	case_want(json, "failure_reason", one.input);
	case_want_text(table, "\n  Traceback (most recent call last):\n    File \"/miniconda3/");
	case_want_text(table, "sagemaker_training/process.py\", line 291\n");
	assert_int_equal(count_lines(list), 3); /* the titles and the jobs */
	case_want_text(list, "Traceback (most recent call last):");

	struct pty *pty = case_watch(region);
	int x = 0, y = 0, next = 0;

	case_want_shown(pty, "reason (AWS): AlgorithmError");
	assert_true(pty_find(pty, "\u25b8 listed ", &x, &y));
	case_want_text(pty_line(pty, y + 1), "  traceback "); /* the next row is the next job */
	pty_type(pty, "d");
	case_want_shown(pty, "  Traceback (most recent call last):");
	assert_true(pty_find(pty, "Traceback", &x, &y));
	assert_true(pty_find(pty, "_trainer.py\", line 84, in train", &x, &next));
	assert_int_equal(next, y + 1);
	case_want_shown(pty, "process.py\", line 291");
	case_leave(pty);
	recorded_stop(region);
	free(json);
	free(table);
	free(list);
	case_held(&one);
}

/* A lone quote is doubled in CSV and escaped in JSON; nothing is read out of the text. */
static void case_011__lone_quote__is_escaped_and_left_alone(void **state)
{
	static const char quoted[] = ",\"AlgorithmError: ExecuteUserScriptError:\nExitCode 1\n"
				     "ErrorMessage \"\"raise EnvironmentError(msg)\n\"\n";
	struct a_case one;

	(void)state;
	if (!case_open(&one, "011-failure-reason-unbalanced-quote", "input.txt"))
		return;

	struct recorded *region = recorded_start(NOW);

	case_put_failed(region, JOB_TRAINING, "quote", one.input);
	case_put_failed(region, JOB_PROCESSING, "listed", one.input);

	char *json = case_show(region, "quote", "json"), *csv = case_show(region, "quote", "csv");
	char *table = case_show(region, "quote", "table"), *list = case_jobs(region, "csv", NULL);

	case_want(json, "failure_reason", one.input);
	case_want_text(json, "\\nErrorMessage \\\"raise EnvironmentError(msg)\\n\"");
	case_want_text(csv, quoted);
	case_want_text(list, quoted);
	case_want_text(table, "\n  ErrorMessage \"raise EnvironmentError(msg)\n");
	case_want_no_text(table, "gpuq's remark");
	recorded_stop(region);
	free(json);
	free(csv);
	free(table);
	free(list);
	case_held(&one);
}

/* 12:00 and so many minutes. */
static void add_time(struct buf *out, const char *member, size_t minutes)
{
	buf_addf(out, ",\"%s\":\"2026-11-30T%02zu:%02zu:00Z\"", member, 12 + minutes / 60,
		 minutes % 60);
}

/* The first `count` states of a sequence of the input, the i-th of them (from 1) for i minutes;
 * the last one is open. */
static void put_sequence(struct recorded *region, const struct json_doc *doc, const char *sequence,
			 size_t count, const char *status)
{
	size_t node = json_doc_child(doc, json_doc_path(doc, sequence)), minutes = 0;
	struct buf more;
	char state[64] = "";

	buf_init(&more, TEXT_MAX);
	buf_add_text(&more, ",\"EnableManagedSpotTraining\":true,\"SecondaryStatusTransitions\":[");
	for (size_t i = 1; i <= count; i++, node = json_doc_next(doc, node)) {
		assert_true(node != JSON_NONE);
		snprintf(state, sizeof(state), "%.*s",
			 (int)(doc->nodes[node].end - doc->nodes[node].start - 2),
			 doc->text + doc->nodes[node].start + 1);
		buf_addf(&more, "%s{\"Status\":\"%s\"", i > 1 ? "," : "", state);
		add_time(&more, "StartTime", minutes);
		minutes += i;
		if (i < count)
			add_time(&more, "EndTime", minutes);
		buf_add_char(&more, '}');
	}
	buf_add_char(&more, ']');
	if (strcmp(status, "InProgress") != 0)
		add_time(&more, "TrainingEndTime", minutes);

	char *job = case_job(status[0] == 'I' ? "again" : sequence, status, state, buf_text(&more));

	recorded_put(region, JOB_TRAINING, job);
	free(job);
	buf_release(&more);
}

/*
 * The i-th state lasts i minutes. Never launched: Starting, 1. Once: 1 + 4 + 5 (Interrupted and
 * Starting) = 10. Twice: 1 + 4 + 5 + 8 = 18, although one Starting is missing. Again: Interrupted
 * since minute 6, an hour ago at 13:06: 1 and 60 minutes.
 */
static void case_016__spot__waits_more_than_once(void **state)
{
	struct a_case one;
	struct json_doc doc;
	struct err err = { 0 };

	(void)state;
	if (!case_open(&one, "016-spot-lifecycle-sequences", "input.json"))
		return;
	assert_true(json_doc_parse(&doc, one.input, strlen(one.input), &err));

	struct recorded *region = recorded_start("2026-11-30T13:06:00Z");

	put_sequence(region, &doc, "never_launched", 3, "Stopped");
	put_sequence(region, &doc, "interrupted_once", 9, "Completed");
	put_sequence(region, &doc, "interrupted_twice_out_of_time", 12, "Stopped");
	put_sequence(region, &doc, "interrupted_once", 4, "InProgress");

	char *never = case_show(region, "never_launched", "json");
	char *once = case_show(region, "interrupted_once", "json");
	char *twice = case_show(region, "interrupted_twice_out_of_time", "json");
	char *again = case_show(region, "again", "json");

	case_want(never, "wait_seconds", "60");
	case_want(never, "phase", "stopped");
	case_want(once, "wait_seconds", "600");
	case_want(once, "phase", "completed");
	case_want(twice, "wait_seconds", "1080");
	case_want(twice, "secondary_status", "MaxWaitTimeExceeded");
	case_want(again, "phase", "pending");
	case_want_range(again, "wait_seconds", 3660, 3719);

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "pending 1 (oldest 1h01m)");
	case_want_shown(pty, "\u25b8 again");
	case_want_shown(pty, "from 12:06 for 1h00m");
	case_leave(pty);
	recorded_stop(region);
	json_doc_release(&doc);
	free(never);
	free(once);
	free(twice);
	free(again);
	case_held(&one);
}

/*
 * Offsets of -07:00. 11:10:50.603 to 11:11:32.239: 41.6 s of wait. 125 s are billed at 0.115 an
 * hour: 0.003993; the 11 s of Training would be 0.000337.
 */
static void case_017__ordinary_reply__is_read_whole(void **state)
{
	static const char name[] = "sagemaker-xgboost-2025-05-16-18-10-50-386";
	struct a_case one;

	(void)state;
	if (!case_open(&one, "017-full-cli-describe", "input.json"))
		return;

	struct recorded *region = recorded_start("2025-05-16T18:20:00Z");

	recorded_put(region, JOB_TRAINING, one.input);

	char *json = case_show(region, name, "json"), *table = case_show(region, name, "table");

	case_want(json, "phase", "completed");
	case_want(json, "wait_seconds", "42");
	case_want(json, "wait_is_final", "true");
	case_want(json, "created_at", "2025-05-16T18:10:50Z");
	case_want(json, "started_at", "2025-05-16T18:11:32Z");
	case_want(json, "ended_at", "2025-05-16T18:13:37Z");
	case_want(json, "cost.so_far", "0.003993");
	case_want(json, "preferences[0].instance_type", "ml.m5.large");
	case_want(json, "selected.instance_count", "1");
	case_want_text(table, "Starting     42s ");
	case_want_text(table, "Downloading  1m "); /* 102 s */
	case_want_text(table, "Training     11s ");
	case_want_text(table, "Completed    0s ");

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "Completed at 18:13 after running 2m");
	case_want_shown(pty, "waited 42s");
	case_leave(pty);
	recorded_stop(region);
	free(json);
	free(table);
	case_held(&one);
}

/* The members of the input, or others in their place, of a job with a name. */
static void put_event(struct recorded *region, const char *members)
{
	struct buf job;

	buf_init(&job, TEXT_MAX);
	buf_addf(&job,
		 "{\"TrainingJobName\":\"event\",\"TrainingJobArn\":\"arn:aws:sagemaker:us-east-1:"
		 "111122223333:training-job/event\",\"SecondaryStatus\":\"Completed\",%s",
		 strchr(members, '{') + 1);
	recorded_put(region, JOB_TRAINING, buf_text(&job));
	buf_release(&job);
}

/* 1654683838 = 2022-06-08T10:23:58Z; 189 s later the start, 21 s later the end. */
static void case_019__times__are_told_by_their_form(void **state)
{
	static const char *const others[] = {
		"{\"TrainingJobStatus\":\"Completed\",\"CreationTime\":1654683838.0,"
		"\"TrainingStartTime\":1.654684027E9,\"TrainingEndTime\":1654684048}",
		"{\"TrainingJobStatus\":\"Completed\",\"CreationTime\":\"2022-06-08T10:23:58Z\","
		"\"TrainingStartTime\":\"2022-06-08T12:27:07.000000+02:00\","
		"\"TrainingEndTime\":\"1654684048000\"}",
	};
	struct a_case one;

	(void)state;
	if (!case_open(&one, "019-epoch-milliseconds-in-events", "input.json"))
		return;

	struct recorded *region = recorded_start("2022-06-08T11:00:00Z");

	put_event(region, one.input);

	char *json = case_show(region, "event", "json");

	case_want(json, "created_at", "2022-06-08T10:23:58Z");
	case_want(json, "started_at", "2022-06-08T10:27:07Z");
	case_want(json, "ended_at", "2022-06-08T10:27:28Z");
	case_want(json, "wait_seconds", "189");

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "Completed at 10:27 after running 21s");
	case_leave(pty);
	for (size_t i = 0; i < 2; i++) {
		put_event(region, others[i]);

		char *other = case_show(region, "event", "json");

		assert_string_equal(other, json);
		free(other);
	}
	recorded_stop(region);
	free(json);
	case_held(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(case_001__completed__stays_as_it_is),
		cmocka_unit_test(case_003__stopping__is_no_pending_job),
		cmocka_unit_test(case_005__pool__is_not_reported_and_asked_for),
		cmocka_unit_test(case_007__processing__waits_without_a_reason),
		cmocka_unit_test(case_008__selection__is_pending_and_then_the_second),
		cmocka_unit_test(case_010__traceback__is_one_row_and_many_lines),
		cmocka_unit_test(case_011__lone_quote__is_escaped_and_left_alone),
		cmocka_unit_test(case_016__spot__waits_more_than_once),
		cmocka_unit_test(case_017__ordinary_reply__is_read_whole),
		cmocka_unit_test(case_019__times__are_told_by_their_form),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	return !case_count(CASES) || failed;
}
