/*
 * Days of a region in minutes: the dashboard beside a region at speed 600, where a second is ten
 * minutes. Its memory stays flat, no error comes up that is not the region's, and at the end it
 * lists every job as the region has it and knows what the pending ones have waited. One dashboard
 * lists a week of ended jobs, another ninety minutes of them, so that jobs go as well as come. The
 * short form takes two and a half simulated hours; the long one, with GPUQ_SOAK_SECONDS=288 or
 * more, two days.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "tests/byhand.h"
#include "tests/process.h"
#include "tests/region.h"
#include "tests/rows.h"
#include "tests/screen.h"
#include "tests/soak.h"

#define SPEED          600
#define SHORT_S        15
#define LONG_S         288 /* 48 hours */
#define WARM_UP_S      12  /* two simulated hours; a part of the short form */
#define WINDOWS        6   /* of the time after it: the first is compared with the last */
#define STEP_MS        250
#define REFRESH_MS     (INT64_C(1000) * SPEED) /* of simulated time: --refresh 1 */
#define GROWTH_MAX_KIB 1024
#define SOON_MS        30000
#define LOOKS          60
#define COLUMNS        160
#define LINES          48
#define MOST_LINES     500 /* of a terminal: every row is on one of two screens */
#define SCREEN_MAX     (4u << 20)
#define SAMPLES_MAX    2000
#define WAITING        10              /* jobs handed in for the end */
#define TYPE           "ml.p3.8xlarge" /* no job of the scenario asks for it */

struct board {
	const char *since;
	int64_t since_ms;
	struct pty *pty;
	long kib[SAMPLES_MAX];
	size_t samples;
};

/* What the dashboards are compared with. */
struct truth {
	struct region_state state;
	int64_t now_ms;
};

/* --- the run --- */

static void start_board(struct board *board, const struct region *region)
{
	char url[96];
	/* Both together, and here a second is ten minutes: more than they may ask of AWS. */
	const char *argv[] = { region_program("gpuq"), "--refresh", "1", "--pace", "3", "--since",
			       board->since,           NULL };
	const char *env[] = { url, "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1", NULL };

	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	board->pty = pty_start(&(struct pty_options){
		.argv = argv, .env = env, .columns = COLUMNS, .lines = LINES });
	if (!pty_wait_text(board->pty, "live", SOON_MS))
		fail_msg("never live:\n%s", pty_text(board->pty));
}

/* This region has no errors of its own, so none may stand on the screen. */
static void check_header(struct board *board)
{
	static const char *const troubles[] = { "stale",  "no data",   "no Search", "details",
						"denied", "throttled", "retry" };
	const char *header = pty_line(board->pty, 0);

	for (size_t i = 0; i < ARRAY_LEN(troubles); i++) {
		if (strstr(header, troubles[i]))
			fail_msg("since %s: %s", board->since, header);
	}
	if (!strstr(header, "live"))
		fail_msg("since %s: %s", board->since, header);
}

static void step(struct board *boards, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct board *board = &boards[i];

		pty_run(board->pty, STEP_MS);
		check_header(board);
		assert_true(board->samples < SAMPLES_MAX);
		board->kib[board->samples++] = process_status_kib(pty_pid(board->pty), "VmRSS");
	}
}

static void hand_in(const struct region *region, int number)
{
	char body[1024];

	snprintf(body, sizeof(body),
		 "{\"TrainingJobName\":\"hours-%d\",\"RoleArn\":\"arn:aws:iam::111122223333:role/"
		 "r\","
		 "\"AlgorithmSpecification\":{\"TrainingImage\":\"i\",\"TrainingInputMode\":"
		 "\"File\"},"
		 "\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/o\"},\"StoppingCondition\":{},"
		 "\"ResourceConfig\":{\"VolumeSizeInGB\":50,\"InstanceCount\":1,"
		 "\"InstancePreferences\":[{\"InstanceType\":\"" TYPE "\"}]}}",
		 number);
	free(region_call(region, "CreateTrainingJob", body));
}

/* Lets the hours pass; towards the end jobs are handed in, one a step, that nothing can serve. */
static void run(struct board *boards, size_t count, const struct region *region, long seconds)
{
	long steps = seconds * 1000 / (STEP_MS * (long)count);

	region_control(region, "capacity", "{\"instance_type\":\"" TYPE "\",\"free\":0}");
	for (long i = 0; i < steps; i++) {
		long left = steps - i;

		if (left <= 2 * WAITING && left > WAITING)
			hand_in(region, (int)left);
		step(boards, count);
	}
}

/* --- memory --- */

static int compare_kib(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

static long median(long *kib, size_t count)
{
	qsort(kib, count, sizeof(*kib), compare_kib);
	return kib[count / 2];
}

static void check_memory(struct board *board, long seconds)
{
	size_t warm_up = (size_t)(seconds >= LONG_S ? WARM_UP_S : seconds / 3);
	size_t from = board->samples * warm_up / (size_t)seconds;
	size_t window = (board->samples - from) / WINDOWS;
	long first = median(board->kib + from, window);
	long last = median(board->kib + board->samples - window, window);

	printf("since %s: %ld KiB at first, %ld KiB at last: %+ld KiB, peak %ld KiB\n",
	       board->since, first, last, last - first,
	       process_status_kib(pty_pid(board->pty), "VmHWM"));
#ifndef __SANITIZE_ADDRESS__
	assert_true(last - first < GROWTH_MAX_KIB);
#endif
}

/* --- rows --- */

static void learn(const struct region *region, struct truth *truth)
{
	region_state(region, &truth->state);
	assert_true(region_time(&truth->state, 0, "now", &truth->now_ms));
}

/* 1h42m: seconds, and those of its last unit. */
static bool read_duration(const char *text, int64_t *seconds, int64_t *unit)
{
	static const char units[] = "smhd";
	static const int64_t sizes[] = { 1, 60, 3600, 86400 };

	*seconds = *unit = 0;
	while (isdigit((unsigned char)*text)) {
		char *rest;
		long value = strtol(text, &rest, 10);
		const char *letter = *rest ? strchr(units, *rest) : NULL;

		if (!letter)
			return false;
		*unit = sizes[letter - units];
		*seconds += value * *unit;
		text = rest + 1;
	}
	return *text == '\0' && *unit > 0;
}

/* Whether a job must be listed: live, or ended since then and not before the dashboard began. */
static bool must_be_listed(const struct board *board, const struct truth *truth, size_t job,
			   int64_t start_ms)
{
	int64_t created_ms, ended_ms;

	if (!region_time(&truth->state, job, "ended_at", &ended_ms))
		return true;
	assert_true(region_time(&truth->state, job, "created_at", &created_ms));
	return ended_ms >= truth->now_ms - board->since_ms &&
	       (ended_ms >= start_ms || created_ms >= start_ms - board->since_ms);
}

/* Whether it has been over for longer than it is kept. */
static bool must_be_gone(const struct board *board, const struct truth *truth, size_t job)
{
	int64_t ended_ms;

	return region_time(&truth->state, job, "ended_at", &ended_ms) &&
	       ended_ms < truth->now_ms - board->since_ms - REFRESH_MS;
}

/* Jobs that stand wrongly on the screen or do not stand there, as the region is before and after
 * it was read: what has changed in between is no offence. */
struct offences {
	unsigned rows, wrong, waits_right;
	char first[160];
};

static void offend(struct offences *offences, const char *name, const char *what)
{
	if (offences->wrong++ == 0)
		snprintf(offences->first, sizeof(offences->first), "%.63s %.80s", name, what);
}

/* A job of both states: the region tells its jobs in one order, to which new ones are added. */
struct pair {
	size_t nodes[2];
	char name[JOB_NAME_SIZE], kind[16];
	enum phase phases[2];
};

static bool next_pair(const struct truth truths[2], struct pair *pair)
{
	for (int i = 0; i < 2; i++) {
		const struct json_doc *doc = &truths[i].state.doc;

		pair->nodes[i] = pair->name[0]
					 ? json_doc_next(doc, pair->nodes[i])
					 : json_doc_child(doc, json_doc_member(doc, 0, "jobs"));
		if (pair->nodes[i] == JSON_NONE)
			return false;
		pair->phases[i] = byhand_phase(&truths[i].state, pair->nodes[i]);
	}
	snprintf(pair->name, sizeof(pair->name), "%.63s",
		 region_text(&truths[0].state, pair->nodes[0], "name"));
	snprintf(pair->kind, sizeof(pair->kind), "%.15s",
		 region_text(&truths[0].state, pair->nodes[0], "kind"));
	assert_string_equal(pair->name, region_text(&truths[1].state, pair->nodes[1], "name"));
	return true;
}

/* Whether a processing job still waits only a Describe tells, of which there are fifty a minute:
 * one in twelve simulated ones. */
static bool may_lag(const struct pair *pair)
{
	return pair->phases[0] == PHASE_UNKNOWN ||
	       (strcmp(pair->kind, "processing") == 0 &&
		(pair->phases[0] == PHASE_PENDING || pair->phases[0] == PHASE_RUNNING));
}

static void check_row(const struct board *board, const struct truth truths[2],
		      const struct pair *pair, const char *row, int64_t start_ms,
		      struct offences *offences)
{
	char word[32];

	if (!row && must_be_listed(board, &truths[1], pair->nodes[1], start_ms))
		offend(offences, pair->name, "is missing");
	if (!row)
		return;
	offences->rows++;
	if (must_be_gone(board, &truths[0], pair->nodes[0]))
		offend(offences, pair->name, "should be gone");
	rows_word(row, 1, word, sizeof(word));
	if (pair->phases[0] == pair->phases[1] && !may_lag(pair) &&
	    strcasecmp(word, phase_word(pair->phases[0])) != 0)
		offend(offences, pair->name, word);
}

/* The wait in a row is the region's at some time from a refresh before the screen was read. */
static bool is_right_wait(const char *row, const struct byhand_wait *wait,
			  const struct truth truths[2])
{
	char word[32];
	int64_t seconds = 0, unit = 0;
	int64_t least = wait->before_ms + truths[0].now_ms - REFRESH_MS - wait->since_ms;
	int64_t most = wait->before_ms + truths[1].now_ms - wait->since_ms;

	rows_word(row, 2, word, sizeof(word));
	return read_duration(word, &seconds, &unit) && (seconds + unit) * 1000 > least &&
	       seconds * 1000 <= most;
}

/* One that is pending before and after. */
static void check_wait(const struct region *region, const struct truth truths[2],
		       const struct pair *pair, const char *row, struct offences *offences)
{
	struct byhand_wait wait;

	if (!row || pair->phases[0] != PHASE_PENDING || pair->phases[1] != PHASE_PENDING ||
	    !byhand_wait(region, pair->kind, pair->name, &wait))
		return;
	if (is_right_wait(row, &wait, truths))
		offences->waits_right++;
	else
		offend(offences, pair->name, "has waited for another time");
}

/* The first rows, and the last. */
static void read_rows(const struct board *board, struct buf *screen)
{
	static const char *const keys[] = { "g", "G" };

	buf_init(screen, SCREEN_MAX);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		pty_type(board->pty, keys[i]);
		pty_run(board->pty, STEP_MS);
		buf_add_text(screen, pty_text(board->pty));
	}
}

static void look(const struct board *board, const struct region *region, int64_t start_ms,
		 struct offences *offences)
{
	struct truth truths[2];
	struct pair pair = { 0 };
	struct buf screen;

	learn(region, &truths[0]);
	read_rows(board, &screen);
	learn(region, &truths[1]);
	while (next_pair(truths, &pair)) {
		const char *row = rows_find(buf_text(&screen), pair.name);

		check_row(board, truths, &pair, row, start_ms, offences);
		check_wait(region, truths, &pair, row, offences);
	}
	buf_release(&screen);
	region_state_release(&truths[0].state);
	region_state_release(&truths[1].state);
}

/* Looks until everything is right at once: a change needs a moment to come. */
static void check_board(struct board *board, const struct region *region, int64_t start_ms)
{
	struct offences offences = { .wrong = 1 };

	pty_type(board->pty, "z");
	pty_resize(board->pty, COLUMNS, MOST_LINES);
	for (int looked = 0;
	     looked < LOOKS && (offences.wrong > 0 || offences.waits_right < WAITING); looked++) {
		offences = (struct offences){ 0 };
		look(board, region, start_ms, &offences);
	}
	printf("since %s: %u rows, %u waits right\n", board->since, offences.rows,
	       offences.waits_right);
	if (offences.wrong > 0)
		fail_msg("%u wrong, the first: %s", offences.wrong, offences.first);
	assert_true(offences.waits_right >= WAITING);
}

static void stop_board(struct board *board)
{
	int status = 0;

	pty_type(board->pty, "Q");
	assert_true(pty_wait_exit(board->pty, SOON_MS, &status));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	pty_stop(board->pty);
}

/* Case 120; its 48 hours are the long form. */
static void hours__leave_no_trace__and_hide_no_job(void **unused)
{
	struct board boards[] = { { .since = "7d", .since_ms = INT64_C(7) * 86400000 },
				  { .since = "90m", .since_ms = INT64_C(90) * 60000 } };
	long seconds = soak_seconds(SHORT_S) < LONG_S ? soak_seconds(SHORT_S) : LONG_S;
	struct region region;
	struct truth start, end;
	char seed[16];

	(void)unused;
	snprintf(seed, sizeof(seed), "%d", soak_seed(5));
	region_start(&region,
		     (const char *const[]){ "--scenario", "busy", "--seed", seed, "--speed", "600",
					    "--rate", "4", "--no-auth", NULL });
	for (size_t i = 0; i < ARRAY_LEN(boards); i++)
		start_board(&boards[i], &region);
	learn(&region, &start);
	run(boards, ARRAY_LEN(boards), &region, seconds);
	learn(&region, &end);
	printf("seed %s: %.1f simulated hours, %zu jobs, then %zu\n", seed,
	       (double)(end.now_ms - start.now_ms) / 3600000,
	       json_doc_length(&start.state.doc, json_doc_member(&start.state.doc, 0, "jobs")),
	       json_doc_length(&end.state.doc, json_doc_member(&end.state.doc, 0, "jobs")));
	for (size_t i = 0; i < ARRAY_LEN(boards); i++)
		check_memory(&boards[i], seconds);
	for (size_t i = 0; i < ARRAY_LEN(boards); i++)
		check_board(&boards[i], &region, start.now_ms);
	for (size_t i = 0; i < ARRAY_LEN(boards); i++)
		stop_board(&boards[i]);
	region_state_release(&start.state);
	region_state_release(&end.state);
	region_stop(&region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hours__leave_no_trace__and_hide_no_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
