/*
 * The forty situations (tests/situations.h) on the real region and the real program: each comes
 * about as its row says, and `gpuq explain` names its class, the deciding fact first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/gpuq.h"
#include "tests/situations.h"

/* Classes of interface.md; each is in the table twice at least. */
static const char *const classes[] = {
	"capacity",  "plan-scheduled", "plan-between-windows",
	"plan-full", "spot-capacity",  "unknown",
	"image",     "data",           "stopping",
	"quota",     "permission",     "unsupported",
	"request",   "never-started",  "limit-runtime",
	"failed",
};

static int start(void **state)
{
	struct region *region = calloc(1, sizeof(*region));
	assert_non_null(region);
	situations_start(region);
	*state = region;
	return 0;
}

static void table__has_every_class__twice(void **state)
{
	(void)state;
	for (size_t c = 0; c < sizeof(classes) / sizeof(classes[0]); c++) {
		size_t count = 0;
		for (size_t i = 0; i < SITUATIONS; i++)
			count += strcmp(situations[i].expected, classes[c]) == 0;
		if (count < 2)
			fail_msg("%s: %zu", classes[c], count);
	}
}

static void set_ups__have_come_about(void **state)
{
	struct region_state told;
	region_state(*state, &told);
	for (size_t i = 0; i < SITUATIONS; i++) {
		const struct situation *one = &situations[i];
		size_t job = region_state_job(&told, one->name);
		if (one->is_refused)
			continue;
		if (job == JSON_NONE || strcmp(region_text(&told, job, "status"), one->status) != 0)
			fail_msg("%s: %s", one->name,
				 job == JSON_NONE ? "is not there"
						  : region_text(&told, job, "status"));
		if (one->secondary &&
		    strcmp(region_text(&told, job, "secondary_status"), one->secondary) != 0)
			fail_msg("%s: %s", one->name, region_text(&told, job, "secondary_status"));
	}
	region_state_release(&told);
}

static void submissions__are_refused(void **state)
{
	struct region_state told;
	for (size_t i = 0; i < SITUATIONS; i++)
		if (situations[i].is_refused)
			situation_submit(*state, &situations[i]);
	region_state(*state, &told);
	for (size_t i = 0; i < SITUATIONS; i++)
		if (situations[i].is_refused &&
		    region_state_job(&told, situations[i].name) != JSON_NONE)
			fail_msg("%s is there", situations[i].name);
	region_state_release(&told);
}

/* The object of that job in lines of JSON; NULL where there is none. */
static const char *line_of(const char *lines, const char *name)
{
	static char start[96];
	snprintf(start, sizeof(start), "{\"job\":{\"name\":\"%s\",", name);
	return strstr(lines, start);
}

static void explain__names_the_class__and_what_decides_it(void **state)
{
	const char *words[SITUATIONS + 6] = { "explain", "-o", "jsonl", "--pace", "0" };
	struct process_result result;
	size_t wrong = 0;
	for (size_t i = 0; i < SITUATIONS; i++)
		words[5 + i] = situations[i].name;
	gpuq_run(&result, *state, NULL, words);
	if (result.status != 0)
		fail_msg("%d: %s", result.status, result.err);
	for (size_t i = 0; i < SITUATIONS; i++) {
		const struct situation *one = &situations[i];
		const char *line = line_of(result.out, one->name);
		char *text = line ? strndup(line, strcspn(line, "\n")) : NULL;
		char class[64], decided[96];
		snprintf(class, sizeof(class), "\"class\":\"%s\",\"certain\":", one->expected);
		snprintf(decided, sizeof(decided), "\"evidence\":[{\"fact\":\"%s\",",
			 one->decided_by);
		if (!text || !strstr(text, class) || !strstr(text, decided)) {
			fprintf(stderr, "%s is %s by %s:\n%s\n", one->name, one->expected,
				one->decided_by, text ? strstr(text, "\"class\"") : "not there");
			wrong++;
		}
		free(text);
	}
	assert_int_equal(wrong, 0);
	process_release(&result);
}

/* From the start to the cause: one key for what has waited longest, a second for the next. */
static void cause__is_on_screen__after_three_keys_at_most(void **state)
{
	static const char *const words[] = { "--pace", "0", NULL };
	struct pty *pty = gpuq_open(*state, words);
	gpuq_want(pty, "plan-later-list");
	gpuq_want(pty, "live");
	gpuq_want(pty, "\u25b8 plan-later-list");
	pty_type(pty, "x");
	gpuq_want(pty, "plan-scheduled");
	gpuq_want(pty, "TrainingPlan.Status: p5-next-week: Scheduled");
	pty_type(pty, "q");
	pty_type(pty, "jx");
	gpuq_want(pty, "plan-between-windows");
	pty_type(pty, "q");
	pty_type(pty, "Q");
	gpuq_want_exit(pty, 0);
}

/* Each key that is typed is counted. */
static void press(struct pty *pty, const char *key, int *keys)
{
	pty_type(pty, key);
	++*keys;
}

static const struct situation *first_of(const char *class)
{
	for (size_t i = 0; i < SITUATIONS; i++)
		if (!situations[i].is_refused && strcmp(situations[i].expected, class) == 0)
			return &situations[i];
	return NULL;
}

/* Of every class that a job can have: one comes to pass, somebody starts the program and asks. (The
 * refused ones are drafts.c's.) */
static void cause_of_each_class__is_on_screen__after_three_keys_at_most(void **state)
{
	static const char *const words[] = { "--pace", "0", NULL };
	size_t seen = 0;
	(void)state;
	for (size_t c = 0; c < sizeof(classes) / sizeof(classes[0]); c++) {
		const struct situation *one = first_of(classes[c]);
		struct region region;
		int keys = 0;
		if (!one)
			continue;
		situation_start(&region, one);
		struct pty *pty = gpuq_open(&region, words);
		gpuq_want(pty, one->name);
		gpuq_want(pty, "live");
		press(pty, "x", &keys);
		gpuq_want(pty, "EVIDENCE, THE DECIDING FACT FIRST");
		gpuq_want(pty, one->expected);
		gpuq_want(pty, one->decided_by);
		assert_true(keys <= 3);
		seen++;
		pty_type(pty, "q");
		pty_type(pty, "Q");
		gpuq_want_exit(pty, 0);
		region_stop(&region);
	}
	assert_int_equal(seen, 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table__has_every_class__twice),
		cmocka_unit_test(set_ups__have_come_about),
		cmocka_unit_test(submissions__are_refused),
		cmocka_unit_test(explain__names_the_class__and_what_decides_it),
		cmocka_unit_test(cause__is_on_screen__after_three_keys_at_most),
		cmocka_unit_test(cause_of_each_class__is_on_screen__after_three_keys_at_most),
	};
	return cmocka_run_group_tests(tests, start, gpuq_stop_region);
}
