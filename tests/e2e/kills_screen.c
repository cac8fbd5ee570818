/*
 * SIGKILL between the yes of the dashboard's question and its answer: strace is attached while the
 * question stands, and strikes before the call acts, so that the next one stands for after. X on a
 * draft, and X on a job that waits, in both orders. Whatever dies, a fresh dashboard ends with one
 * job, and where nothing was written down yet the draft is there as it was.
 */
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/clock.h"
#include "tests/screen.h"
#include "tests/struck.h"

#define SOON_MS  30000
#define TRACE_MS 5000
#define STEP_MS  50
#define QUIET    30 /* steps without a call: a draft is on disk within a second, too */
#define LIST     "#1 ml.p5.48xlarge"

enum way { DRAFT, SUBMIT_FIRST, STOP_FIRST };

/* One dashboard, struck once; its home is its own, the region everybody's. */
struct look {
	enum way way;
	struct strike strike;
	char name[32], home[96];
	struct pty *pty;
	pid_t tracer;
	bool died, had_record;
};

static const struct strike of_draft[] = {
	{ "fsync", 1 },    { "fsync", 2 },    { "linkat", 1 },   { "sendto", 1 },
	{ "recvfrom", 1 }, { "recvfrom", 2 }, { "recvfrom", 3 }, { "renameat", 1 },
};
static const struct strike of_requeue[] = {
	{ "linkat", 1 }, { "sendto", 1 }, { "sendto", 2 }, { "sendto", 3 }, { "recvfrom", 4 },
};

static int start(void **state)
{
	static const char *const options[] = { "--scenario", "empty",     "--rate",
					       "0",          "--no-auth", NULL };
	static struct struck_bench bench;
	struck_start(&bench);
	region_stop(&bench.region);
	region_start(&bench.region, options);
	region_control(&bench.region, "capacity",
		       "{\"instance_type\":\"ml.p5.48xlarge\",\"free\":0}");
	region_control(&bench.region, "capacity",
		       "{\"instance_type\":\"ml.p4d.24xlarge\",\"free\":0}");
	*state = &bench;
	return 0;
}

static int stop(void **state)
{
	struck_stop(*state);
	return 0;
}

static void tell(const struct look *look, const char *what)
{
	fprintf(stderr, "%s, struck at %s %d: %s\n%s\n", look->name, look->strike.call,
		look->strike.nth, what, look->pty ? pty_text(look->pty) : "");
	fail();
}

static void want(const struct look *look, const char *text)
{
	if (!pty_wait_text(look->pty, text, SOON_MS))
		tell(look, text);
}

static void open_screen(const struct struck_bench *bench, struct look *look, const char *refresh,
			const char *option)
{
	char home[128], state[128], program[512];
	const char *argv[] = { program, "--endpoint-url", bench->region.url, "--pace",
			       "0",     "--refresh",      refresh,           option,
			       NULL };
	const char *env[] = { home,
			      state,
			      "AWS_ACCESS_KEY_ID=AKIDSIM",
			      "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1",
			      NULL };
	(void)snprintf(program, sizeof(program), "%s", region_program("gpuq"));
	(void)snprintf(home, sizeof(home), "HOME=%s", look->home);
	(void)snprintf(state, sizeof(state), "XDG_STATE_HOME=%s/state", look->home);
	look->pty = pty_start(
		&(struct pty_options){ .argv = argv, .env = env, .columns = 140, .lines = 40 });
}

static size_t count_files(const struct look *look, const char *below)
{
	char pattern[256];
	glob_t found;
	(void)snprintf(pattern, sizeof(pattern), "%s/state/gpuq/*/%s", look->home, below);
	size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
	globfree(&found);
	return count;
}

static bool has_record(const struct look *look)
{
	return count_files(look, look->way == DRAFT ? "journal/draft-*.json"
						    : "requeue/journal/draft-*.json") > 0;
}

/* Jobs of its name, or of a copy's, that are there. */
static unsigned count_jobs(const struct struck_bench *bench, const struct look *look, bool *is_old)
{
	struct region_state state;
	unsigned count = 0;
	region_state(&bench->region, &state);
	*is_old = false;
	for (size_t at = json_doc_child(&state.doc, json_doc_member(&state.doc, 0, "jobs"));
	     at != JSON_NONE; at = json_doc_next(&state.doc, at)) {
		char name[64];
		(void)snprintf(name, sizeof(name), "%s", region_text(&state, at, "name"));
		if (strncmp(name, look->name, strlen(look->name)) != 0)
			continue;
		bool is_there = look->way == DRAFT ||
				strcmp(region_text(&state, at, "status"), "InProgress") == 0;
		count += is_there;
		*is_old = *is_old || (is_there && strcmp(name, look->name) == 0);
	}
	region_state_release(&state);
	return count;
}

/* --- before the yes --- */

/* There is room for none of its types: it waits. */
static void add_request(const struct look *look, char body[1024])
{
	(void)snprintf(
		body, 1024,
		"{\"TrainingJobName\":\"%s\",\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
		"\"AlgorithmSpecification\":{\"TrainingImage\":\"x\",\"TrainingInputMode\":"
		"\"File\"},\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/o\"},"
		"\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceType\":"
		"\"ml.p5.48xlarge\",\"InstanceCount\":1},{\"InstanceType\":\"ml.p4d.24xlarge\","
		"\"InstanceCount\":1}],\"VolumeSizeInGB\":100},"
		"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}}",
		look->name);
}

static void prepare(const struct struck_bench *bench, struct look *look)
{
	char body[1024], path[128];
	(void)snprintf(look->home, sizeof(look->home), "%s/%s", bench->folder, look->name);
	assert_int_equal(mkdir(look->home, 0700), 0);
	add_request(look, body);
	if (look->way != DRAFT) {
		free(region_call(&bench->region, "CreateTrainingJob", body));
		return;
	}
	(void)snprintf(path, sizeof(path), "%s/job.json", look->home);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(body, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void want_draft_on_disk(const struct look *look)
{
	for (int i = 0; i < SOON_MS / STEP_MS && count_files(look, "drafts/*.json") == 0; i++)
		pty_run(look->pty, STEP_MS);
	if (count_files(look, "drafts/*.json") == 0)
		tell(look, "no draft on disk");
}

static void select_it(const struct look *look)
{
	char text[160];
	want(look, "live");
	if (look->way == DRAFT) {
		pty_type(look->pty, "A");
		want(look, "request file:");
		(void)snprintf(text, sizeof(text), "%s/job.json\r", look->home);
	} else {
		(void)snprintf(text, sizeof(text), "f%s\rg", look->name);
	}
	pty_type(look->pty, text);
}

static void edit_it(const struct look *look)
{
	char text[64];
	(void)snprintf(text, sizeof(text), "\u25b8 %s", look->name);
	want(look, text);
	want(look, LIST);
	if (look->way != DRAFT) {
		pty_type(look->pty, "PJ");
		want(look, "#1 ml.p4d.24xlarge");
	}
}

static void ask(const struct look *look)
{
	want_draft_on_disk(look);
	pty_type(look->pty, "X");
}

static void turn(const struct look *look)
{
	want(look, "y = yes");
	if (look->way != DRAFT)
		want(look, "first the new job is submitted");
	if (look->way == STOP_FIRST)
		pty_type(look->pty, "\t");
}

static void want_question(const struct look *look)
{
	if (look->way == STOP_FIRST)
		want(look, "first the old job is stopped");
	want(look, "y = yes");
}

/* What the question has AWS asked for comes to its end first. */
static void let_calls_end(const struct struck_bench *bench, struct look *looks, size_t count)
{
	long calls = -1;
	for (int quiet = 0; quiet < QUIET;) {
		for (size_t i = 0; i < count; i++)
			pty_run(looks[i].pty, STEP_MS / (int)count + 1);
		long now = region_calls(&bench->region, "");
		quiet = now == calls ? quiet + 1 : 0;
		calls = now;
	}
}

/* --- the strike --- */

static void attach(struct look *look)
{
	char said[256];
	if (!struck_attach(pty_pid(look->pty), &look->strike, &look->tracer, said, sizeof(said)))
		tell(look, said);
}

static void strike(struct look *look)
{
	int status = 0;
	look->died = pty_wait_exit(look->pty, TRACE_MS, &status);
	if (look->died) {
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGKILL);
	}
	pty_stop(look->pty);
	look->pty = NULL;
	assert_int_equal(waitpid(look->tracer, &status, 0), look->tracer);
	look->had_record = has_record(look);
}

/* --- afterwards --- */

static bool is_settled(const struct struck_bench *bench, const struct look *look)
{
	bool is_old;
	unsigned count = count_jobs(bench, look, &is_old);
	if (count != 1 || count_files(look, "drafts/*.json") > 0)
		return false;
	return look->way == DRAFT || (!is_old && !has_record(look));
}

/* Nothing had been written down: the draft is there, and is sent by its X. */
static void send_draft(const struct struck_bench *bench, const struct look *look)
{
	char text[64];
	bool is_old;
	assert_int_equal(count_files(look, "drafts/*.json"), 1);
	assert_int_equal(count_jobs(bench, look, &is_old), look->way == DRAFT ? 0 : 1);
	(void)snprintf(text, sizeof(text), "f%s\rg", look->name);
	pty_type(look->pty, text);
	(void)snprintf(text, sizeof(text), "\u25b8 %s", look->name);
	want(look, text);
	if (look->way != DRAFT) {
		want(look, "draft*");
		want(look, "#1 ml.p4d.24xlarge");
		pty_type(look->pty, "P");
	}
	pty_type(look->pty, "X");
	want(look, "y = yes");
	pty_type(look->pty, "y");
}

static void settle(const struct struck_bench *bench, struct look *look)
{
	const struct clock clock = clock_system();
	int64_t begun = clock_mono_ms(&clock);
	want(look, "live");
	if (!look->had_record)
		send_draft(bench, look);
	while (!is_settled(bench, look)) {
		pty_run(look->pty, STEP_MS);
		if (clock_mono_ms(&clock) - begun > SOON_MS)
			tell(look, "not one job, or its draft is still there");
	}
	pty_stop(look->pty);
}

/* A read-only one tells what is open, and changes nothing; the record stays. */
static void look_only(const struct struck_bench *bench, struct look *look)
{
	long before = region_calls(&bench->region, "CreateTrainingJob");
	int status = -1;
	open_screen(bench, look, "1", "--read-only");
	want(look, look->way == DRAFT ? "is not known to be submitted" : "has not come to its end");
	pty_type(look->pty, "Q");
	if (!pty_wait_exit(look->pty, SOON_MS, &status))
		tell(look, "does not end");
	assert_int_equal(status, 0);
	pty_stop(look->pty);
	assert_int_equal(region_calls(&bench->region, "CreateTrainingJob"), before);
	assert_true(has_record(look));
}

static void strike_all(const struct struck_bench *bench, struct look *looks, size_t count)
{
	/* Side by side, since each of them waits more than it works. */
	static void (*const steps[])(const struct look *look) = { select_it, edit_it, ask, turn,
								  want_question };
	unsigned died = 0, in_window = 0;
	for (size_t i = 0; i < count; i++) {
		(void)snprintf(looks[i].name, sizeof(looks[i].name), "%s-%c",
			       looks[i].way == DRAFT ? "fresh" : "stuck", (int)('a' + i));
		prepare(bench, &looks[i]);
	}
	for (size_t i = 0; i < count; i++)
		open_screen(bench, &looks[i], "300", NULL);
	for (size_t step = 0; step < ARRAY_LEN(steps); step++)
		for (size_t i = 0; i < count; i++)
			steps[step](&looks[i]);
	let_calls_end(bench, looks, count);
	for (size_t i = 0; i < count; i++)
		attach(&looks[i]);
	for (size_t i = 0; i < count; i++)
		pty_type(looks[i].pty, "y");
	for (size_t i = 0; i < count; i++) {
		strike(&looks[i]);
		died += looks[i].died;
		in_window += looks[i].died && looks[i].had_record;
	}
	for (size_t i = 0; i < count; i++)
		if (strcmp(looks[i].strike.call, "sendto") == 0 && looks[i].strike.nth == 1 &&
		    looks[i].way != STOP_FIRST)
			look_only(bench, &looks[i]);
	for (size_t i = 0; i < count; i++)
		open_screen(bench, &looks[i], "1", NULL);
	for (size_t i = 0; i < count; i++)
		settle(bench, &looks[i]);
	printf("%zu dashboards, %u killed: %u of them while the record was there; one job each\n",
	       count, died, in_window);
	assert_true(in_window >= count / 3);
	assert_true(died > in_window); /* and some before */
}

static void skip_or_go_on(void)
{
	char why[256];
	if (struck_may_attach(why, sizeof(why)))
		return;
	printf("skipped: %s\n", why);
	skip();
}

static void yes__ends_in_one_job__wherever_the_dashboard_is_killed(void **state)
{
	static struct look looks[ARRAY_LEN(of_draft) + 2 * ARRAY_LEN(of_requeue)];
	size_t count = 0;
	skip_or_go_on();
	for (size_t i = 0; i < ARRAY_LEN(of_draft); i++)
		looks[count++] = (struct look){ .way = DRAFT, .strike = of_draft[i] };
	for (size_t i = 0; i < ARRAY_LEN(of_requeue); i++) {
		looks[count++] = (struct look){ .way = SUBMIT_FIRST, .strike = of_requeue[i] };
		looks[count++] = (struct look){ .way = STOP_FIRST, .strike = of_requeue[i] };
	}
	strike_all(*state, looks, count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(yes__ends_in_one_job__wherever_the_dashboard_is_killed),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
