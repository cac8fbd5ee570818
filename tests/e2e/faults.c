/*
 * The heart of the story again, with a region and a network that misbehave in one way each: see
 * the queue, submit an edited list, see what is chosen. In each of them the screen reaches the
 * region's truth and no job is created twice. The ways run side by side, each in a process of its
 * own (this program with the name of the way), since they spend their time waiting.
 * GPUQ_SOAK_SECONDS runs them again, with other seeds, for so long.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "tests/region.h"
#include "tests/screen.h"

#define LATE_MS    60000 /* back-off, retries and slow answers included */
#define STEP_MS    50
#define TRIES      8
#define COLUMNS    140
#define LINES      44
#define STEM       "llm-ft-7b"
#define INSERTED   "ml.p3.8xlarge" /* no other job of the scenario asks for it */
#define FAULTS_MAX 4

/* A way in which things go wrong: members of bodies of /_sim/fault, beside the seed. */
static const struct way {
	const char *name;
	const char *faults[FAULTS_MAX];
	int lag_seconds;
	const char *notice; /* stands on the screen meanwhile; NULL = nothing of the kind */
} ways[] = {
	{ .name = "throttled", .faults = { "\"code\":\"ThrottlingException\",\"percent\":30" } },
	{ .name = "server-errors",
	  .faults = { "\"status\":500,\"code\":\"InternalFailure\",\"percent\":10" } },
	{ .name = "reset-before", .faults = { "\"drop\":true,\"percent\":10" } },
	{ .name = "reset-after", .faults = { "\"drop\":true,\"after\":true,\"percent\":10" } },
	{ .name = "create-reset-after",
	  .faults = { "\"operation\":\"CreateTrainingJob\",\"drop\":true,\"after\":true,"
		      "\"count\":1" } },
	{ .name = "create-error-after",
	  .faults = { "\"operation\":\"CreateTrainingJob\",\"status\":500,\"after\":true,"
		      "\"code\":\"InternalFailure\",\"count\":1" } },
	{ .name = "delays", .faults = { "\"delay_ms\":8000,\"percent\":5" } },
	{ .name = "cut-bodies", .faults = { "\"cut\":120,\"percent\":10" } },
	{ .name = "empty-pages",
	  .faults = { "\"operation\":\"Search\",\"empty_page\":true,\"percent\":40",
		      "\"operation\":\"ListTrainingJobs\",\"empty_page\":true,\"percent\":40",
		      "\"operation\":\"ListProcessingJobs\",\"empty_page\":true,\"percent\":40" } },
	{ .name = "search-denied",
	  .faults = { "\"operation\":\"Search\",\"code\":\"AccessDeniedException\","
		      "\"percent\":100" },
	  .notice = "no Search: denied" },
	{ .name = "search-behind", .lag_seconds = 60 },
	{ .name = "mixed",
	  .faults = { "\"code\":\"ThrottlingException\",\"percent\":10",
		      "\"status\":500,\"code\":\"InternalFailure\",\"percent\":4",
		      "\"drop\":true,\"after\":true,\"percent\":4", "\"cut\":120,\"percent\":4" },
	  .lag_seconds = 20 },
};

static int seed_of_run(void)
{
	const char *text = getenv("GPUQ_FAULT_SEED");

	return text ? (int)strtol(text, NULL, 10) : 7;
}

/* --- one way --- */

static struct pty *start_gpuq(const struct region *region)
{
	char url[96];
	const char *argv[] = { region_program("gpuq"), "--refresh", "1", NULL };
	const char *env[] = { url, "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1", NULL };

	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	return pty_start(&(struct pty_options){
		.argv = argv, .env = env, .columns = COLUMNS, .lines = LINES });
}

static void tell(struct pty *pty, const char *text)
{
	fprintf(stderr, "'%s' never came:\n%s\n", text, pty_text(pty));
	fail();
}

static void want(struct pty *pty, const char *text)
{
	if (!pty_wait_text(pty, text, LATE_MS))
		tell(pty, text);
}

/* The index of the text that comes first, of those up to NULL. */
static size_t want_any(struct pty *pty, const char *const *texts)
{
	for (int waited = 0; waited < LATE_MS; waited += STEP_MS) {
		for (size_t i = 0; texts[i]; i++) {
			if (strstr(pty_text(pty), texts[i]))
				return i;
		}
		pty_run(pty, STEP_MS);
	}
	tell(pty, texts[0]);
	return 0;
}

/* Jobs of the region, the waiting ones among them, and whether one has a name. */
struct truth {
	size_t jobs, waiting;
	bool has_job;
	char selected[64];
};

static void learn(const struct region *region, const char *name, struct truth *truth)
{
	struct region_state state;

	region_state(region, &state);
	truth->jobs = json_doc_length(&state.doc, json_doc_member(&state.doc, 0, "jobs"));
	truth->waiting = json_doc_length(&state.doc, json_doc_member(&state.doc, 0, "queue"));

	size_t job = region_state_job(&state, name);

	truth->has_job = job != JSON_NONE;
	snprintf(truth->selected, sizeof(truth->selected), "%.63s",
		 region_text(&state, json_doc_member(&state.doc, job, "selected"),
			     "instance_type"));
	region_state_release(&state);
}

static void select_pending(struct pty *pty)
{
	want(pty, "pending 12");
	pty_type(pty, "f");
	pty_type(pty, STEM);
	pty_type(pty, "\r");
	assert_true(pty_wait_no_text(pty, "eval-nightly", LATE_MS));
	pty_type(pty, "p");
	assert_true(pty_wait_no_text(pty, "Completed", LATE_MS));
	pty_type(pty, "g");
	want(pty, "\u25b8 " STEM);
	want(pty, "#1 ml.p5.48xlarge");
}

static void edit(struct pty *pty)
{
	pty_type(pty, "P");
	want(pty, "*Preferences");
	pty_type(pty, "J"); /* p5 goes down to #2 and the cursor with it */
	want(pty, "#2 ml.p5.48xlarge");
	pty_type(pty, "+"); /* above 1,000 dollars at worst: the name is to be typed */
	pty_type(pty, "i");
	want(pty, "type");
	pty_type(pty, "p3.8");
	want(pty, INSERTED);
	pty_type(pty, "\r");
	want(pty, "draft");
	want(pty, "#3 " INSERTED);
}

static void read_name(struct pty *pty, char *name, size_t size)
{
	const char *at = strstr(pty_text(pty), "Send ");

	assert_non_null(at);
	at += strlen("Send ");

	size_t len = strcspn(at, " \n");

	assert_true(len > 0 && len < size);
	memcpy(name, at, len);
	name[len] = '\0';
}

/* As an operator would: again after a refusal, but not when the job turns out to be there. */
static void submit(struct pty *pty, const struct region *region, char *name, size_t size)
{
	static const char *const asked[] = { "name:", "not described yet", NULL };
	char done[160], refused[] = "the draft stays";
	struct truth truth;

	for (int i = 0; i < TRIES; i++) {
		pty_type(pty, "X");
		if (want_any(pty, asked) != 0) {
			pty_run(pty, 1000);
			continue;
		}
		read_name(pty, name, size);
		pty_type(pty, name);
		pty_type(pty, "\r");
		snprintf(done, sizeof(done), "submitted %s", name);
		if (want_any(pty, (const char *const[]){ done, refused, NULL }) == 0)
			return;
		learn(region, name, &truth);
		pty_type(pty, "\x1b");
		assert_true(pty_wait_no_text(pty, "Esc closes", LATE_MS));
		if (truth.has_job)
			return;
	}
	tell(pty, "submitted");
}

/* The cursor is on the new job by itself, but where its answer was lost: then it is looked up. */
static void watch(struct pty *pty, const char *name)
{
	char row[160];

	snprintf(row, sizeof(row), "\u25b8 %s", name);
	if (pty_wait_text(pty, row, LATE_MS / 6))
		return;
	pty_type(pty, "f\x15");
	pty_type(pty, name);
	pty_type(pty, "\r");
	want(pty, row);
}

static void check_truth(struct pty *pty, const struct region *region, const char *name,
			size_t jobs_before)
{
	struct truth truth;
	char pending[32];

	learn(region, name, &truth);
	assert_true(truth.has_job);
	assert_int_equal(truth.jobs, jobs_before + 1);
	assert_string_equal(truth.selected, INSERTED);
	snprintf(pending, sizeof(pending), "pending %zu ", truth.waiting);
	want(pty, pending);
}

static void add_faults(const struct region *region, const struct way *way)
{
	for (size_t i = 0; i < FAULTS_MAX && way->faults[i]; i++)
		region_control(region, "fault", "{%s,\"seed\":%d}", way->faults[i],
			       seed_of_run() + (int)i);
	if (way->lag_seconds > 0)
		region_control(region, "lag", "{\"seconds\":%d}", way->lag_seconds);
}

static void story__comes_to_its_end__in_this_way(void **state)
{
	static const char *const still[] = { "--scenario", "still", "--seed", "7", NULL };
	const struct way *way = *state;
	struct region region;
	struct truth before;
	char name[128] = "";
	int status = 0;

	region_start(&region, still);
	learn(&region, "", &before);
	add_faults(&region, way);

	struct pty *pty = start_gpuq(&region);

	select_pending(pty);
	edit(pty);
	submit(pty, &region, name, sizeof(name));
	watch(pty, name);
	if (way->notice)
		want(pty, way->notice);
	region_control(&region, "capacity", "{\"instance_type\":\"" INSERTED "\",\"free\":9}");
	want(pty, "\u2713#3 " INSERTED);
	check_truth(pty, &region, name, before.jobs);
	pty_type(pty, "Q");
	assert_true(pty_wait_exit(pty, LATE_MS, &status));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	pty_stop(pty);
	region_stop(&region);
}

static int run_one(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		const struct CMUnitTest test = {
			.name = ways[i].name,
			.test_func = story__comes_to_its_end__in_this_way,
			.initial_state = (void *)(uintptr_t)&ways[i],
		};
		const struct CMUnitTest tests[] = { test };

		if (strcmp(ways[i].name, name) == 0)
			return cmocka_run_group_tests(tests, NULL, NULL);
	}
	return 2;
}

/* --- all of them --- */

struct run {
	pid_t pid;
	FILE *log;
};

static void start(struct run *run, const char *program, const char *name)
{
	run->log = tmpfile();
	assert_non_null(run->log);
	run->pid = fork();
	assert_true(run->pid >= 0);
	if (run->pid == 0) {
		dup2(fileno(run->log), STDOUT_FILENO);
		dup2(fileno(run->log), STDERR_FILENO);
		execl(program, program, name, (char *)NULL);
		_exit(127);
	}
}

static bool finish(struct run *run, const char *name)
{
	char line[1024];
	int status = 0;

	assert_int_equal(waitpid(run->pid, &status, 0), run->pid);

	bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;

	rewind(run->log);
	while (!ok && fgets(line, sizeof(line), run->log))
		fprintf(stderr, "%s: %s", name, line);
	fclose(run->log);
	return ok;
}

static void story__reaches_the_truth__whatever_goes_wrong(void **state)
{
	const char *program = *state;
	const char *soak = getenv("GPUQ_SOAK_SECONDS");
	time_t until = time(NULL) + (soak ? strtol(soak, NULL, 10) : 0);
	size_t failed = 0;
	int seed = seed_of_run();

	do {
		struct run runs[ARRAY_LEN(ways)];
		char text[16];

		snprintf(text, sizeof(text), "%d", seed);
		setenv("GPUQ_FAULT_SEED", text, 1);
		for (size_t i = 0; i < ARRAY_LEN(ways); i++)
			start(&runs[i], program, ways[i].name);
		for (size_t i = 0; i < ARRAY_LEN(ways); i++)
			failed += !finish(&runs[i], ways[i].name);
		printf("%zu ways with seed %d\n", ARRAY_LEN(ways), seed);
		seed += 100;
	} while (failed == 0 && time(NULL) < until);
	assert_int_equal(failed, 0);
}

int main(int argc, char **argv)
{
	char program[512];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(story__reaches_the_truth__whatever_goes_wrong, program),
	};

	if (argc > 1)
		return run_one(argv[1]);
	if (len <= 0)
		return 2;
	program[len] = '\0';
	return cmocka_run_group_tests(tests, NULL, NULL);
}
