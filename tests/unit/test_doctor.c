/* The doctor comes to an end whatever does not answer, by a clock that is turned by hand. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "aws/doctor.h"
#include "aws/permission.h"
#include "tests/tinyserver.h"

#define WATCHES_MAX 16
#define TURNS_MAX   2000
#define TURN_MS     50

extern char **environ;

/* A session on a loop of this test's own. */
struct bench {
	struct tinyserver *server;
	struct clock clock;
	int64_t turned_ms; /* by hand, and by each wait that brought nothing */
	struct store store;
	struct session *session;
	struct doctor *doctor;
	struct diagnosis diagnosis;
	unsigned done;
	struct pollfd watches[WATCHES_MAX];
	size_t watch_count;
	bool is_armed;
	int64_t due_ms;
};

static int64_t mono_of(void *self)
{
	const struct bench *bench = self;
	return bench->turned_ms;
}

static int64_t wall_of(void *self)
{
	(void)self;
	return INT64_C(1796071688000);
}

static void watch(void *host, int fd, short events)
{
	struct bench *bench = host;
	size_t at = 0;
	while (at < bench->watch_count && bench->watches[at].fd != fd)
		at++;
	if (events == 0) {
		if (at < bench->watch_count)
			bench->watches[at] = bench->watches[--bench->watch_count];
		return;
	}
	assert_true(at < WATCHES_MAX);
	bench->watches[at] = (struct pollfd){ .fd = fd, .events = events };
	if (at == bench->watch_count)
		bench->watch_count++;
}

static void wake_in(void *host, int64_t ms)
{
	struct bench *bench = host;
	bench->is_armed = ms >= 0;
	bench->due_ms = mono_of(bench) + ms;
}

/* Of the machine's own time nothing counts: this process may be held up for seconds. */
static void turn(struct bench *bench)
{
	struct pollfd fds[WATCHES_MAX];
	size_t count = bench->watch_count;
	int64_t wait_ms = bench->is_armed ? bench->due_ms - mono_of(bench) : TURN_MS;
	memcpy(fds, bench->watches, sizeof(fds));
	wait_ms = wait_ms < 0 ? 0 : wait_ms > TURN_MS ? TURN_MS : wait_ms;
	if (poll(fds, count, (int)wait_ms) == 0)
		bench->turned_ms += wait_ms;
	for (size_t i = 0; i < count; i++)
		if (fds[i].revents)
			session_ready(bench->session, fds[i].fd, fds[i].revents);
	if (bench->is_armed && bench->due_ms <= mono_of(bench)) {
		bench->is_armed = false;
		session_wake(bench->session);
	}
}

static void on_connected(void *ctx)
{
	struct bench *bench = ctx;
	doctor_connected(bench->doctor, NULL);
}

static void on_failed(void *ctx, const struct err *err)
{
	struct bench *bench = ctx;
	doctor_connected(bench->doctor, err);
}

static void on_change(void *ctx)
{
	struct bench *bench = ctx;
	doctor_changed(bench->doctor);
}

static void on_skew(void *ctx, int64_t skew_ms)
{
	(void)ctx, (void)skew_ms;
}

static void on_done(void *ctx)
{
	struct bench *bench = ctx;
	bench->done++;
}

static int start(void **state)
{
	static char *nothing[] = { NULL };
	struct bench *bench = calloc(1, sizeof(*bench));
	assert_non_null(bench);
	bench->server = calloc(1, sizeof(*bench->server));
	assert_non_null(bench->server);
	tinyserver_start(bench->server);
	bench->clock = (struct clock){ mono_of, wall_of, bench };
	environ = nothing;
	setenv("HOME", "/nonexistent", 1);
	setenv("AWS_REGION", "us-east-1", 1);
	setenv("AWS_EC2_METADATA_DISABLED", "true", 1);
	*state = bench;
	return 0;
}

static int stop(void **state)
{
	struct bench *bench = *state;
	doctor_free(bench->doctor);
	session_free(bench->session);
	store_release(&bench->store);
	diagnosis_release(&bench->diagnosis);
	tinyserver_stop(bench->server);
	free(bench->server);
	free(bench);
	return 0;
}

/* Both services are at a path of the server. */
static void connect_to(struct bench *bench, const char *path)
{
	char url[128];
	snprintf(url, sizeof(url), "http://127.0.0.1:%d%s", bench->server->port, path);
	setenv("AWS_ENDPOINT_URL", url, 1);
	const struct session_options options = {
		.pace = 0,
		.store = &bench->store,
		.clock = &bench->clock,
		.hooks = { watch, wake_in, bench },
		.connected = on_connected,
		.failed = on_failed,
		.on_change = on_change,
		.on_skew = on_skew,
		.ctx = bench,
	};
	bench->session = session_new(&options);
	const struct doctor_options doctor = { .session = bench->session,
					       .diagnosis = &bench->diagnosis,
					       .done = on_done,
					       .ctx = bench };
	bench->doctor = doctor_new(&doctor);
	session_connect(bench->session);
}

static void run_to_requests(struct bench *bench, unsigned count)
{
	for (int i = 0; i < TURNS_MAX && atomic_load(&bench->server->requests) < count; i++)
		turn(bench);
	assert_int_equal(atomic_load(&bench->server->requests), count);
	assert_int_equal(bench->done, 0);
}

static void run_to_end(struct bench *bench)
{
	for (int i = 0; i < TURNS_MAX && !bench->done; i++)
		turn(bench);
	assert_int_equal(bench->done, 1);
}

static const struct diagnosis_row *row_of(const struct bench *bench, enum diagnosis_part part,
					  const char *subject)
{
	for (size_t i = 0; i < bench->diagnosis.count; i++)
		if (bench->diagnosis.rows[i].part == part &&
		    strcmp(bench->diagnosis.rows[i].subject, subject) == 0)
			return &bench->diagnosis.rows[i];
	fail_msg("no row of %s", subject);
	return NULL;
}

/* Each action has one row, whatever happens. */
static void expect_all_permissions(const struct bench *bench)
{
	size_t count, rows = 0;
	const struct permission *permissions = permission_rows(&count);
	for (size_t i = 0; i < count; i++)
		row_of(bench, DIAGNOSIS_PERMISSION, permissions[i].action);
	for (size_t i = 0; i < bench->diagnosis.count; i++)
		rows += bench->diagnosis.rows[i].part == DIAGNOSIS_PERMISSION;
	assert_int_equal(rows, count);
}

static void set_keys(void)
{
	setenv("AWS_ACCESS_KEY_ID", "AKIDSIM", 1);
	setenv("AWS_SECRET_ACCESS_KEY", "simsecret", 1);
}

/* Ten seconds a call, thirty in all: who signs and two permissions, then the time is over. */
static void silence__ends_each_call_and_then_all(void **state)
{
	struct bench *bench = *state;
	set_keys();
	connect_to(bench, "/slow");
	for (unsigned calls = 1; calls <= 3; calls++) {
		run_to_requests(bench, calls);
		bench->turned_ms += DOCTOR_CALL_MS;
	}
	run_to_end(bench);
	const struct diagnosis_row *row =
		row_of(bench, DIAGNOSIS_IDENTITY, "sts:GetCallerIdentity");
	assert_int_equal(row->result, DIAGNOSIS_WARNING);
	assert_non_null(strstr(row->text, "no answer in time"));
	row = row_of(bench, DIAGNOSIS_PERMISSION, "sagemaker:DescribeTrainingJob");
	assert_int_equal(row->result, DIAGNOSIS_FAILURE);
	assert_non_null(strstr(row->text, "no answer in time"));
	row = row_of(bench, DIAGNOSIS_PERMISSION, "sagemaker:ListProcessingJobs");
	assert_int_equal(row->result, DIAGNOSIS_FAILURE);
	assert_non_null(strstr(row->text, "the time for all of this is over"));
	assert_int_equal(row_of(bench, DIAGNOSIS_PERMISSION, "sagemaker:CreateTrainingJob")->result,
			 DIAGNOSIS_UNKNOWN);
	expect_all_permissions(bench);
	assert_int_equal(diagnosis_exit_status(&bench->diagnosis), 5);
	assert_int_equal(atomic_load(&bench->server->requests), 3);
}

static void search_for_credentials__that_hangs__is_told_when_the_time_is_over(void **state)
{
	struct bench *bench = *state;
	char folder[] = "/tmp/gpuq-doctor-XXXXXX", path[64];
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/config", folder);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	fprintf(file, "[default]\ncredential_process = /bin/sleep 100\n");
	assert_int_equal(fclose(file), 0);
	setenv("AWS_CONFIG_FILE", path, 1);
	connect_to(bench, "/slow");
	for (int i = 0; i < 10; i++)
		turn(bench);
	assert_int_equal(bench->done, 0);
	bench->turned_ms += DOCTOR_WHOLE_MS;
	run_to_end(bench);
	const struct diagnosis_row *row = row_of(bench, DIAGNOSIS_CREDENTIALS, "");
	assert_int_equal(row->result, DIAGNOSIS_FAILURE);
	assert_non_null(strstr(row->text, "none were found in time"));
	expect_all_permissions(bench);
	assert_int_equal(diagnosis_exit_status(&bench->diagnosis), 5);
	assert_int_equal(atomic_load(&bench->server->requests), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

/* What goes away in the middle calls nobody back. */
static void end__in_the_middle_of_a_call__is_quiet(void **state)
{
	struct bench *bench = *state;
	set_keys();
	connect_to(bench, "/slow");
	run_to_requests(bench, 1);
	doctor_free(bench->doctor);
	bench->doctor = NULL;
	bench->turned_ms += 4 * DOCTOR_WHOLE_MS;
	for (int i = 0; i < 5; i++)
		turn(bench);
	assert_int_equal(bench->done, 0);
	assert_int_equal(bench->diagnosis.count, 0);
}

/* Connections that break end the asking at the first permission; all is said all the same. */
static void dead_endpoint__is_asked_no_more(void **state)
{
	struct bench *bench = *state;
	set_keys();
	connect_to(bench, "/die");
	run_to_end(bench);
	assert_int_equal(row_of(bench, DIAGNOSIS_PERMISSION, "sagemaker:ListTrainingJobs")->result,
			 DIAGNOSIS_FAILURE);
	const struct diagnosis_row *row =
		row_of(bench, DIAGNOSIS_PERMISSION, "sagemaker:DescribeTrainingJob");
	assert_int_equal(row->result, DIAGNOSIS_UNKNOWN);
	assert_string_equal(row->text,
			    "not checked: as sagemaker:ListTrainingJobs has failed, so would this");
	expect_all_permissions(bench);
	assert_int_equal(diagnosis_exit_status(&bench->diagnosis), 5);
	/* Three tries each of who signs and of one permission. */
	assert_int_equal(atomic_load(&bench->server->requests), 6);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(silence__ends_each_call_and_then_all),
		TEST(search_for_credentials__that_hangs__is_told_when_the_time_is_over),
		TEST(end__in_the_middle_of_a_call__is_quiet),
		TEST(dead_endpoint__is_asked_no_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
