/*
 * The story that gpuq exists for (tests/storyline.h), with a region and a network that misbehave in
 * one way each, and in all of them at once. In each the screen reaches the region's truth, and no
 * job is created twice; and keys are answered while answers of the region are held back. The ways
 * run side by side, each in a process of its own (this program with the name of the way), since
 * they spend their time waiting. GPUQ_SOAK_SECONDS runs them again, with other seeds, for so long,
 * and prints how fast keys were answered in each; their bounds stand in tests/bench/.
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
#include "tests/presses.h"
#include "tests/storyline.h"

#define LATE_MS      60000 /* back-off, retries and slow answers included */
#define VERY_LATE_MS 600000
#define FAULTS_MAX   12
#define STEP_MS      20
#define SOAK         "GPUQ_SOAK_SECONDS"
#define KEYS_LINE    "keys: " /* begins a line of the log that is passed on */
#define PRESSES      200
#define FEW          5 /* presses that an answer's end may spoil at first */

/* Members of bodies of /_sim/fault, by the share of the calls in percent. */
#define THROTTLES(percent)     "\"code\":\"ThrottlingException\",\"percent\":" percent
#define SERVER_ERRORS(percent) "\"status\":500,\"code\":\"InternalFailure\",\"percent\":" percent
#define RESETS_BEFORE(percent) "\"drop\":true,\"percent\":" percent
#define RESETS_AFTER(percent)  "\"drop\":true,\"after\":true,\"percent\":" percent
#define DELAYS(percent)        "\"delay_ms\":8000,\"percent\":" percent
#define CUTS(percent)          "\"cut\":120,\"percent\":" percent
#define STALLS(percent)        "\"stall_ms\":2000,\"percent\":" percent
#define NO_SEARCH(percent) \
	"\"operation\":\"Search\",\"code\":\"AccessDeniedException\",\"percent\":" percent
#define EMPTY(operation, percent) \
	"\"operation\":\"" operation "\",\"empty_page\":true,\"percent\":" percent
#define EMPTY_PAGES(percent)                                          \
	EMPTY("Search", percent), EMPTY("ListTrainingJobs", percent), \
		EMPTY("ListProcessingJobs", percent)

/* The job is made, but its answer does not come, nor for a while that of any look at it. */
static void lose_sight(const struct region *region, unsigned number)
{
	if (number > 0)
		return;
	region_control(region, "fault", "{\"operation\":\"CreateTrainingJob\",%s}",
		       "\"drop\":true,\"after\":true,\"count\":1");
	region_control(region, "fault", "{\"operation\":\"DescribeTrainingJob\",%s}",
		       "\"status\":500,\"code\":\"InternalFailure\",\"count\":12");
}

/* A way in which things go wrong; the faults get a seed each. */
static const struct way {
	const char *name;
	const char *faults[FAULTS_MAX + 1];
	const char *mild[FAULTS_MAX + 1]; /* instead of them but for a soak: they take less time */
	int lag_seconds;
	const char *notice; /* stands on the screen meanwhile; NULL = nothing of the kind */
	void (*before_try)(const struct region *region, unsigned number);
	bool late;      /* but in a soak it begins when the first picture is there */
	bool holds;     /* every answer is held back: keys, and no story */
	bool long_form; /* for a soak alone: it takes minutes */
} ways[] = {
	{ .name = "throttled",
	  .faults = { THROTTLES("30") },
	  .mild = { THROTTLES("10") },
	  .late = true },
	{ .name = "server-errors", .faults = { SERVER_ERRORS("10") } },
	{ .name = "reset-before", .faults = { RESETS_BEFORE("10") } },
	{ .name = "reset-after", .faults = { RESETS_AFTER("10") } },
	{ .name = "create-reset-after",
	  .faults = { "\"operation\":\"CreateTrainingJob\",\"drop\":true,\"after\":true,"
		      "\"count\":1" } },
	{ .name = "create-error-after",
	  .faults = { "\"operation\":\"CreateTrainingJob\",\"status\":500,\"after\":true,"
		      "\"code\":\"InternalFailure\",\"count\":1" } },
	{ .name = "create-out-of-sight", .before_try = lose_sight },
	/* All tries of one call: nobody knows what became of it. */
	{ .name = "stop-reset-after",
	  .faults = { "\"operation\":\"StopTrainingJob\",\"drop\":true,\"after\":true,\"count\":"
		      "3" } },
	{ .name = "delays", .faults = { DELAYS("5") } },
	{ .name = "cut-bodies", .faults = { CUTS("10") } },
	{ .name = "empty-pages", .faults = { EMPTY_PAGES("40") } },
	{ .name = "search-denied", .faults = { NO_SEARCH("100") }, .notice = "no Search: denied" },
	{ .name = "search-behind", .lag_seconds = 60 },
	/* "mixed" is what a bad day brings; "worst" has every share of the ways above, and more. */
	{ .name = "mixed",
	  .faults = { THROTTLES("4"), SERVER_ERRORS("4"), RESETS_BEFORE("4"), RESETS_AFTER("4"),
		      DELAYS("2"), CUTS("4"), STALLS("4"), EMPTY_PAGES("10") },
	  .mild = { THROTTLES("2"), SERVER_ERRORS("2"), RESETS_BEFORE("2"), RESETS_AFTER("2"),
		    DELAYS("1"), CUTS("2"), STALLS("2"), EMPTY_PAGES("10") },
	  .lag_seconds = 60 },
	{ .name = "worst",
	  .faults = { THROTTLES("30"), SERVER_ERRORS("10"), RESETS_BEFORE("10"), RESETS_AFTER("10"),
		      DELAYS("5"), CUTS("10"), STALLS("10"), NO_SEARCH("50"), EMPTY_PAGES("40") },
	  .lag_seconds = 60,
	  .long_form = true },
	{ .name = "keys-delayed",
	  .faults = { "\"delay_ms\":60000,\"percent\":100" },
	  .holds = true },
	{ .name = "keys-stalled",
	  .faults = { "\"stall_ms\":60000,\"percent\":100" },
	  .holds = true },
};

static int seed_of_run(void)
{
	const char *text = getenv("GPUQ_FAULT_SEED");

	return text ? (int)strtol(text, NULL, 10) : 7;
}

/* --- one way --- */

static void add_faults(const struct region *region, const struct way *way)
{
	const char *const *faults = way->mild[0] && !getenv(SOAK) ? way->mild : way->faults;

	for (size_t i = 0; faults[i]; i++)
		region_control(region, "fault", "{%s,\"seed\":%d}", faults[i],
			       seed_of_run() + (int)i);
	if (way->lag_seconds > 0)
		region_control(region, "lag", "{\"seconds\":%d}", way->lag_seconds);
}

static void press(struct presses *presses, struct pty *pty)
{
	if (presses_next(presses, pty, LATE_MS))
		return;
	fprintf(stderr, "press %zu is not answered:\n%s\n", presses->count, pty_text(pty));
	fail();
}

static void print_keys(struct presses *presses, const char *name)
{
	printf(KEYS_LINE "%-18s median %5.1f ms, p99 %5.1f ms, all ways at once\n", name,
	       presses_percentile(presses, 50), presses_percentile(presses, 99));
}

static void measure_keys(struct pty *pty, const char *name)
{
	struct presses presses;

	presses_begin(&presses, pty, LATE_MS);
	for (int i = 0; i < PRESSES; i++)
		press(&presses, pty);
	print_keys(&presses, name);
}

static void story__comes_to_its_end__in_this_way(void **state)
{
	const struct way *way = *state;
	bool soak = getenv(SOAK) != NULL;
	struct storyline story = { .patience_ms = soak ? VERY_LATE_MS : LATE_MS,
				   .notice = way->notice,
				   .before_try = way->before_try };

	storyline_start_region(&story);
	if (way->late && !soak) {
		storyline_start_program(&story, "simsecret");
		storyline_want(&story, STORYLINE_PICTURE);
		add_faults(&story.region, way);
	} else {
		add_faults(&story.region, way);
		storyline_start_program(&story, "simsecret");
	}
	storyline_tell(&story);
	if (soak)
		measure_keys(story.pty, way->name);
	storyline_end(&story);
}

/* Answers of the region that are held back. */
struct held {
	long now, ended;
};

static struct held held_back(const struct region *region)
{
	struct region_state state;
	struct held held;

	region_state(region, &state);
	held = (struct held){ region_number(&state, "held.now", 0),
			      region_number(&state, "held.ended", -1) };
	region_state_release(&state);
	return held;
}

static struct held wait_for_held(struct storyline *story)
{
	struct held held = held_back(&story->region);

	for (int waited = 0; held.now == 0; waited += STEP_MS) {
		assert_true(waited < LATE_MS);
		pty_run(story->pty, STEP_MS);
		held = held_back(&story->region);
	}
	return held;
}

/* No clock judges: between a key and its answer the region lets nothing go, and nobody gives up
 * waiting for it. Where that happens all the same, the press does not count. */
static void key__is_answered__while_answers_are_held_back(void **state)
{
	const struct way *way = *state;
	struct storyline story = { .patience_ms = LATE_MS };
	struct presses presses;
	size_t good = 0, spoilt = 0;

	storyline_start_region(&story);
	storyline_start_program(&story, "simsecret");
	storyline_want(&story, "live");
	add_faults(&story.region, way);
	presses_begin(&presses, story.pty, LATE_MS);
	while (good < PRESSES) {
		struct held before = wait_for_held(&story), after;

		press(&presses, story.pty);
		after = held_back(&story.region);
		good += after.now > 0 && after.ended == before.ended;
		spoilt = presses.count - good;
		assert_true(spoilt <= good + FEW);
	}
	print_keys(&presses, way->name);
	storyline_end(&story);
}

static int run_one(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		const struct CMUnitTest test = {
			.name = ways[i].name,
			.test_func = ways[i].holds ? key__is_answered__while_answers_are_held_back
						   : story__comes_to_its_end__in_this_way,
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
	while (fgets(line, sizeof(line), run->log)) {
		if (!ok)
			fprintf(stderr, "%s: %s", name, line);
		else if (strncmp(line, KEYS_LINE, strlen(KEYS_LINE)) == 0)
			printf("%s", line);
	}
	fclose(run->log);
	return ok;
}

static void setenv_number(const char *name, int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", number);
	setenv(name, text, 1);
}

/* How many failed. */
static size_t run_all(const char *program, bool long_form)
{
	struct run runs[ARRAY_LEN(ways)];
	size_t failed = 0, ran = 0;

	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		if (long_form || !ways[i].long_form)
			start(&runs[i], program, ways[i].name);
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		if (!long_form && ways[i].long_form)
			continue;
		failed += !finish(&runs[i], ways[i].name);
		ran++;
	}
	printf("%zu ways with seed %d\n", ran, seed_of_run());
	return failed;
}

static void story__reaches_the_truth__whatever_goes_wrong(void **state)
{
	const char *program = *state;
	const char *soak = getenv(SOAK);
	time_t until = time(NULL) + (soak ? strtol(soak, NULL, 10) : 0);
	size_t failed = 0;
	int seed = seed_of_run();

	do {
		setenv_number("GPUQ_FAULT_SEED", seed);
		failed += run_all(program, soak != NULL);
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
