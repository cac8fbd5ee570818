/*
 * Refusals, reasons and reports that operators met (../shared/cases), given to the real program:
 * what it says, what it sends and what it leaves alone. Expected values are worked out by hand from
 * each case.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "tests/cases.h"
#include "tests/fakeregion.h"
#include "tests/homescreen.h"

#define CASES     10
#define NOW       "2026-11-30T13:00:00Z" /* an hour after the creation of a case_job */
#define SOON_MS   20000
#define HOUR_MS   INT64_C(3600000)
#define MINUTE_MS 60000

#define REQUEST(config)                                                                        \
	"{\"TrainingJobName\":\"nightly\",\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","   \
	"\"AlgorithmSpecification\":{\"TrainingImage\":\"x\",\"TrainingInputMode\":\"File\"}," \
	"\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/o\"},\"ResourceConfig\":{" config     \
	"\"VolumeSizeInGB\":50},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}}"
#define TYPE_AND_COUNT "\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":1"
#define GROUPS         "\"InstanceGroups\":[{\"InstanceGroupName\":\"a\"," TYPE_AND_COUNT "}],"
#define LIST                                                               \
	"\"InstancePreferences\":[{" TYPE_AND_COUNT "},{\"InstanceType\":" \
	"\"ml.g5.4xlarge\",\"InstanceCount\":2}],"

/* A Create is refused from now on; the line is "CODE: message", or a message alone. */
static void refuse_create(struct recorded *region, const char *line)
{
	const char *colon = strstr(line, "Exception: ");
	struct buf body;

	buf_init(&body, 65536);
	buf_addf(&body, "{\"__type\":\"ValidationException\",\"message\":\"%s\"}",
		 colon ? colon + strlen("Exception: ") : line);
	recorded_answer(region, "CreateTrainingJob", 400, buf_text(&body));
	buf_release(&body);
}

/* Submits a request with --yes; returns the status and what was said, to be freed. */
static int submit(struct recorded *region, const char *request, char **said)
{
	struct process_result result;

	case_run(&result, region, request, (const char *const[]){ "submit", "-", "--yes", NULL });
	*said = mem_copy_text(result.err);

	int status = result.status;

	process_release(&result);
	return status;
}

/* 139 = 128 + 11, SIGSEGV; 1 is no signal. */
static void case_013__exit_code__has_a_remark_of_gpuqs(void **state)
{
	struct a_case one;

	(void)state;
	if (!case_open(&one, "013-failure-reason-exit-code-only", "input.txt"))
		return;

	struct recorded *region = recorded_start(NOW);
	char *signal = case_line(&one, 0), *plain = case_line(&one, 1);

	case_put_failed(region, JOB_TRAINING, "by-signal", signal);
	case_put_failed(region, JOB_TRAINING, "by-itself", plain);

	char *table = case_show(region, "by-signal", "table"),
	     *other = case_show(region, "by-itself", "table");

	case_want_text(table, "\n  AlgorithmError: Exit Code: 139\n");
	case_want_text(table,
		       "\ngpuq's remark exit code 139 is 128 + 11: usually an end by SIGSEGV");
	case_want_text(other, "\n  AlgorithmError: Exit Code: 1\n");
	case_want_no_text(other, "gpuq's remark");

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "reason (AWS): AlgorithmError: Exit Code: 1");
	case_want_no_text(pty_text(pty), "gpuq: exit code");
	pty_type(pty, "j");
	case_want_shown(pty, "gpuq: exit code 139 is 128 + 11");
	case_leave(pty);
	recorded_stop(region);
	free(signal);
	free(plain);
	free(table);
	free(other);
	case_held(&one);
}

/* The quote of line 1, column 2 is where it stops being JSON. */
static void case_014__python__is_named_with_its_place(void **state)
{
	struct a_case one;
	struct process_result result;
	char *said;

	(void)state;
	if (!case_open(&one, "014-python-repr-not-json", "input.txt"))
		return;

	struct recorded *region = recorded_start(NOW);

	assert_int_equal(submit(region, one.input, &said), 3);
	case_want_text(said, "Line 1, column 2: not JSON (looks like Python)");
	case_run(&result, region, one.input,
		 (const char *const[]){ "submit", "-", "--yes", "-o", "json", NULL });
	assert_int_equal(result.status, 3);
	case_want(result.out, "findings[0].rule", "not-json");
	case_want(result.out, "findings[0].line", "1");
	case_want(result.out, "findings[0].column", "2");
	case_want(result.out, "ok", "false");
	assert_int_equal(recorded_calls(region, "CreateTrainingJob"), 0);
	process_release(&result);
	recorded_stop(region);
	free(said);
	case_held(&one);
}

/* The sentence behind the prefix does not matter; a copy with a longer list is two keys away. */
static void case_041__capacity_error__is_no_fault_of_the_code(void **state)
{
	static const char remark[] =
		"\ngpuq's remark no capacity for ml.g5.2xlarge, no fault of its "
		"code: a copy with a longer list may start\n";
	struct a_case one;

	(void)state;
	if (!case_open(&one, "041-capacity-error-reason", "input.txt"))
		return;

	struct recorded *region = recorded_start(NOW);
	char *reason = case_line(&one, 0);

	case_put_failed(region, JOB_TRAINING, "no-room", reason);
	case_put_failed(region, JOB_TRAINING, "no-room-either", "CapacityError: other words");

	char *json = case_show(region, "no-room", "json");
	char *table = case_show(region, "no-room", "table");
	char *other = case_show(region, "no-room-either", "table");

	case_want(json, "phase", "failed");
	case_want(json, "failure_reason", reason);
	case_want_text(table, remark);
	case_want_text(other, remark);

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "gpuq: no capacity for ml.g5.2xlarge");
	case_want_shown(pty, "P edits the list, X submits a copy");
	pty_type(pty, "X");
	case_want_shown(pty, "New training job no-room-");
	case_want_shown(pty, "y = yes");
	case_leave(pty);
	recorded_stop(region);
	free(reason);
	free(json);
	free(table);
	free(other);
	case_held(&one);
}

/* What the user left out stays out; the refusal is shown, and known beforehand for both members. */
static void case_046__groups__get_no_invented_members(void **state)
{
	struct a_case one;
	char *said, *sent;

	(void)state;
	if (!case_open(&one, "046-groups-exclude-type", "input.txt"))
		return;

	struct recorded *region = recorded_start(NOW);
	char *line = case_line(&one, 0);

	assert_int_equal(submit(region, REQUEST(GROUPS), &said), 0);
	sent = recorded_sent(region, "CreateTrainingJob");
	assert_string_equal(sent, REQUEST(GROUPS));
	free(said);
	free(sent);
	refuse_create(region, line);
	assert_int_equal(submit(region, REQUEST(GROUPS), &said), 1);
	case_want_text(said, strchr(line, ' ') + 1);
	free(said);

	unsigned calls = recorded_calls(region, "CreateTrainingJob");

	assert_int_equal(submit(region, REQUEST(GROUPS TYPE_AND_COUNT ","), &said), 3);
	case_want_text(said, "InstanceType cannot stand beside InstanceGroups.");
	case_want_text(said, "InstanceCount cannot stand beside InstanceGroups.");
	case_want_text(said, "(ResourceConfig.InstanceType, line 1, column ");
	assert_int_equal(recorded_calls(region, "CreateTrainingJob"), calls);
	recorded_stop(region);
	free(said);
	free(line);
	case_held(&one);
}

/* On the screen, of a job with a list: refused, explained, and the first type after a second yes.
 */
static void ask_for_first_type(struct recorded *region, const char *line)
{
	char *job = case_job("listed", "InProgress", "Pending",
			     ",\"ResourceConfig\":{" LIST "\"VolumeSizeInGB\":50}");

	recorded_put(region, JOB_TRAINING, job);
	free(job);
	refuse_create(region, line);

	unsigned calls = recorded_calls(region, "CreateTrainingJob");
	struct pty *pty = case_watch(region);

	case_want_shown(pty, "#1 ml.g5.2xlarge");
	pty_type(pty, "X");
	case_want_shown(pty, "y = yes");
	pty_type(pty, "y");
	case_want_shown(pty, "This region or endpoint does not support preference lists yet");
	case_want_shown(pty, "X asks about #1 ml.g5.2xlarge alone");
	recorded_answer(region, "CreateTrainingJob", 0, NULL);
	pty_type(pty, "yX");
	case_want_shown(pty, "gone: #2 ");
	case_want_shown(pty, "y = yes");
	assert_int_equal(recorded_calls(region, "CreateTrainingJob"), calls + 1);
	pty_type(pty, "y");
	case_want_shown(pty, "submitted listed-");
	assert_int_equal(recorded_calls(region, "CreateTrainingJob"), calls + 2);
	case_leave(pty);
}

static void case_058__lists__are_not_known_everywhere(void **state)
{
	struct a_case one;

	(void)state;
	if (!case_open(&one, "058-feature-not-in-this-region", "input.txt"))
		return;

	struct recorded *region = recorded_start(NOW);

	for (size_t i = 0; i < 2; i++) {
		char *line = case_line(&one, i), *said, *sent;
		unsigned calls = recorded_calls(region, "CreateTrainingJob");

		refuse_create(region, line);
		assert_int_equal(submit(region, REQUEST(LIST), &said), 1);
		case_want_text(said,
			       strstr(line, "Exception: ") ? "Member must not be null" : line);
		case_want_text(said, "does not support preference lists yet");
		assert_int_equal(recorded_calls(region, "CreateTrainingJob"), calls + 1);
		ask_for_first_type(region, line);
		sent = recorded_sent(region, "CreateTrainingJob");
		case_want_text(sent, "\"InstanceType\": \"ml.g5.2xlarge\"");
		case_want_no_text(sent, "InstancePreferences");
		case_want_no_text(sent, "ml.g5.4xlarge");
		free(line);
		free(said);
		free(sent);
	}
	recorded_stop(region);
	case_held(&one);
}

static void throttle_lists(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			   struct fake_answer *answer)
{
	(void)n;
	if (strncmp(sent->op, "List", 4) == 0 && region->world->wall_ms < FAKE_WALL_MS + MINUTE_MS)
		fake_error(answer, 400, "ThrottlingException", "Rate exceeded");
}

/* They are asked for less and less in that minute, and all is there in the next one. */
static void be_throttled_for_a_minute(void)
{
	struct fakeregion *region = fakeregion_new();

	region->spoil = throttle_lists;
	fakeregion_add(region, JOB_TRAINING, HOUR_MS, "InProgress", "Pending");
	fakeregion_start(region, NULL);
	fake_run(region->world, MINUTE_MS);
	assert_int_equal(region->store.count, 0);
	assert_in_range(fake_count(region->world, "ListTrainingJobs"), 3, 30);
	fake_run(region->world, MINUTE_MS);
	assert_int_equal(region->store.count, 1);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

/* Each list at most once a second, half of what the whole account has, and less after that. */
static void case_061__throttled_lists__are_asked_slowly_and_again(void **state)
{
	static const char *const lists[] = { "ListTrainingJobs", "ListProcessingJobs" };
	struct a_case one;
	struct clock clock = clock_system();
	char throttled[160];

	(void)state;
	if (!case_open(&one, "061-list-throttle-deadlock", "input.txt"))
		return;
	be_throttled_for_a_minute();

	struct recorded *region = recorded_start(NOW);
	char *line = case_line(&one, 1);

	snprintf(throttled, sizeof(throttled), "{\"__type\":\"%.*s\",\"message\":\"%s\"}",
		 (int)strcspn(line, ":"), line, strchr(line, ' ') + 1);
	for (size_t i = 0; i < 2; i++)
		recorded_answer(region, lists[i], 400, throttled);

	int64_t began_ms = clock_mono_ms(&clock);
	struct pty *pty = case_watch_at(region, "1");

	case_want_shown(pty, "throttled, next try in ");
	case_want_shown(pty, "Rate exceeded");

	int64_t took_ms = clock_mono_ms(&clock) - began_ms;

	for (size_t i = 0; i < 2; i++) {
		assert_true(recorded_calls(region, lists[i]) <= 1 + took_ms / 1000);
		assert_true(recorded_shortest_ms(region, lists[i]) > 500);
	}
	case_leave(pty);
	recorded_stop(region);
	free(line);
	case_held(&one);
}

/* A job of a state, with the message of it; NULL = none. */
static void put_message(struct recorded *region, const char *name, const char *status,
			const char *message)
{
	char *text = case_member("StatusMessage", message ? message : "");
	struct buf more;

	buf_init(&more, 65536);
	buf_addf(&more,
		 ",\"SecondaryStatusTransitions\":[{\"Status\":\"%s\",\"StartTime\":"
		 "\"2026-11-30T12:00:00Z\"%s}]",
		 status, message ? text : "");

	char *job = case_job(name, "InProgress", status, buf_text(&more));

	recorded_put(region, JOB_TRAINING, job);
	free(job);
	free(text);
	buf_release(&more);
}

/* The five messages of one state make five jobs of one phase; of another state one of its own. */
static void case_085__messages__decide_nothing(void **state)
{
	static const char *const names[] = { "m0", "m1", "m2", "m3", "m4" };
	struct a_case one;

	(void)state;
	if (!case_open(&one, "085-status-message-matching", "input.txt"))
		return;

	struct recorded *region = recorded_start(NOW);

	for (size_t i = 0; i < 5; i++) {
		char *line = case_line(&one, i);

		put_message(region, names[i], "Starting", line);

		char *json = case_show(region, names[i], "json");

		case_want(json, "phase", "pending");
		case_want(json, "status_message", line);
		case_want_range(json, "wait_seconds", 3600, 3659);
		free(json);
		free(line);
	}

	char *line = case_line(&one, 2);

	put_message(region, "t1", "Training", line);
	put_message(region, "t2", "Starting", NULL);

	char *running = case_show(region, "t1", "json"), *silent = case_show(region, "t2", "json");

	case_want(running, "phase", "running");
	case_want(running, "status_message", line);
	case_want(silent, "phase", "pending");
	case_want(silent, "status_message", "null");

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "pending 6 ");
	case_want_shown(pty, "running 1 ");
	pty_type(pty, "jj");
	case_want_shown(pty, "why (AWS): Insufficient capacity error from EC2");
	case_leave(pty);
	recorded_stop(region);
	free(line);
	free(running);
	free(silent);
	case_held(&one);
}

/* Words that no list knows, as a secondary and as a primary status. */
static void case_086__unknown_words__are_active(void **state)
{
	struct a_case one;

	(void)state;
	if (!case_open(&one, "086-peer-pending-missing-in-filters", NULL))
		return;

	struct recorded *region = recorded_start(NOW);
	char *secondary = case_job("odd-second", "InProgress", "InReview", "");
	char *primary = case_job("odd-first", "Reviewing", "Reviewing", "");
	char *running = case_job("usual", "InProgress", "Training", "");

	recorded_put(region, JOB_TRAINING, secondary);
	recorded_put(region, JOB_TRAINING, primary);
	recorded_put(region, JOB_TRAINING, running);

	char *json = case_show(region, "odd-second", "json");
	char *list = case_jobs(region, "table", NULL);

	case_want(json, "phase", "unknown");
	case_want(json, "secondary_status", "InReview");
	case_want_text(list, "odd-first   training  unknown");
	assert_true(strstr(list, "odd-first") < strstr(list, "usual")); /* with what waits */
	assert_true(strstr(list, "odd-second") < strstr(list, "usual"));

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "InReview");
	pty_type(pty, "p");
	case_want_gone(pty, "usual");
	case_want_shown(pty, "Reviewing");
	pty_type(pty, "f");
	pty_type(pty, "second\r");
	case_want_shown(pty, "\u25b8 odd-second");
	pty_type(pty, "S");
	case_want_shown(pty, "name: ");
	pty_type(pty, "odd-second\r");
	case_want_shown(pty, "odd-second is being stopped");
	assert_int_equal(recorded_calls(region, "StopTrainingJob"), 1);
	case_leave(pty);
	recorded_stop(region);
	free(secondary);
	free(primary);
	free(running);
	free(json);
	free(list);
	case_held(&one);
}

/* Lists go on at their pace while the machine's wall clock is three hours back. */
static void set_machine_back(void)
{
	struct fakeregion *region = fakeregion_new();

	fakeregion_add(region, JOB_TRAINING, HOUR_MS, "InProgress", "Pending");
	fakeregion_start(region, NULL);
	fake_run(region->world, 20000);

	size_t before = fake_count(region->world, "ListTrainingJobs");
	int64_t now_ms = store_now_ms(&region->store, &region->world->clock);

	region->world->wall_ms -= 3 * HOUR_MS;
	region->world->server_ahead_ms += 3 * HOUR_MS; /* the service's clock stays */
	fake_run(region->world, 20000);
	assert_in_range(fake_count(region->world, "ListTrainingJobs") - before, 3, 5);
	assert_in_range(store_now_ms(&region->store, &region->world->clock) - now_ms, 19000, 21000);
	fakeregion_free(region);
}

/* Created at 12:00: an hour at 13:00, and nothing less than 0 when the clock says 11:30. */
static void case_121__clock_set_back__stops_nothing(void **state)
{
	struct a_case one;

	(void)state;
	if (!case_open(&one, "121-clock-back-freezes", NULL))
		return;
	set_machine_back();

	struct recorded *region = recorded_start(NOW);
	char *job = case_job("waits", "InProgress", "Pending", "");

	recorded_put(region, JOB_TRAINING, job);

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "(oldest 1h00m)");
	recorded_set_now(region, "2026-11-30T11:30:00Z");
	case_want_shown(pty, "(oldest 0s)");

	unsigned before = recorded_calls(region, "ListTrainingJobs");

	for (int i = 0; i < SOON_MS / 50 && recorded_calls(region, "ListTrainingJobs") == before;
	     i++)
		pty_run(pty, 50);
	assert_true(recorded_calls(region, "ListTrainingJobs") > before);
	case_want_shown(pty, "\u25cf live");
	case_leave(pty);
	recorded_stop(region);
	free(job);
	case_held(&one);
}

/* A clock that goes on in suspend: the next frame is right, before any answer. */
static void sleep_nine_hours(void)
{
	struct homescreen home;

	homescreen_start(&home, 140, 44, NULL);
	homescreen_go_to(&home, "llm-ft-0930");
	assert_true(homescreen_shows(&home, "Pending 1h42m"));
	sample_pass(&home.sample, 9 * HOUR_MS);
	assert_true(homescreen_shows(&home, "Pending 10h42m"));
	homescreen_stop(&home);
}

/* Nine hours that only the service has counted: right with the next answer. */
static void case_123__wait__is_right_after_a_suspend(void **state)
{
	struct a_case one;

	(void)state;
	if (!case_open(&one, "123-uptime-frozen-in-suspend", NULL))
		return;
	sleep_nine_hours();

	struct recorded *region = recorded_start(NOW);
	char *job = case_job("waits", "InProgress", "Pending", "");

	recorded_put(region, JOB_TRAINING, job);

	struct pty *pty = case_watch(region);

	case_want_shown(pty, "(oldest 1h00m)");
	case_want_shown(pty, "Pending 1h00m");
	recorded_set_now(region, "2026-11-30T22:00:00Z");
	case_want_shown(pty, "(oldest 10h00m)");
	case_want_shown(pty, "Pending 10h00m");
	case_leave(pty);
	recorded_stop(region);
	free(job);
	case_held(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(case_013__exit_code__has_a_remark_of_gpuqs),
		cmocka_unit_test(case_014__python__is_named_with_its_place),
		cmocka_unit_test(case_041__capacity_error__is_no_fault_of_the_code),
		cmocka_unit_test(case_046__groups__get_no_invented_members),
		cmocka_unit_test(case_058__lists__are_not_known_everywhere),
		cmocka_unit_test(case_061__throttled_lists__are_asked_slowly_and_again),
		cmocka_unit_test(case_085__messages__decide_nothing),
		cmocka_unit_test(case_086__unknown_words__are_active),
		cmocka_unit_test(case_121__clock_set_back__stops_nothing),
		cmocka_unit_test(case_123__wait__is_right_after_a_suspend),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	return !case_count(CASES) || failed;
}
