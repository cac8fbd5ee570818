/*
 * What the dashboard's memory comes to with many jobs: while it loads them, and once all of them
 * are described (without a pace that is within a minute). Bounds from the issue tracker's promises.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"

#define LOAD_MS 60000
#define STEP_MS 100
#define REST_MS 60000

static struct pty *start(const struct region *region, const char *const *more)
{
	static char url[64];
	const char *argv[12] = { region_program("gpuq"), "--endpoint-url", url };
	const char *env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1", NULL };
	size_t argc = 3;

	for (; more && *more; more++)
		argv[argc++] = *more;
	snprintf(url, sizeof(url), "%s", region->url);
	return pty_start(
		&(struct pty_options){ .argv = argv, .env = env, .columns = 160, .lines = 48 });
}

/* How many jobs the title of the list says there are: 43 of 512. */
static long shown_jobs(struct pty *pty)
{
	const char *at = strstr(pty_line(pty, 1), " of ");

	return at ? strtol(at + strlen(" of "), NULL, 10) : 0;
}

static double peak_mib(struct pty *pty)
{
	return (double)process_status_kib(pty_pid(pty), "VmHWM") / 1024;
}

/* The pages that it took. Describes go on beside them, the more the slower the machine is. */
static long load(struct pty *pty, const struct region *region, long jobs)
{
	for (int waited = 0; shown_jobs(pty) < jobs; waited += STEP_MS) {
		if (waited > LOAD_MS)
			fail_msg("bench: %ld jobs after %d s", shown_jobs(pty), LOAD_MS / 1000);
		pty_run(pty, STEP_MS);
	}
	return region_calls(region, "Search") + region_calls(region, "List");
}

static void bench_jobs(const struct region *region, const char *const *more, long jobs,
		       double bound_mib)
{
	struct pty *pty = start(region, more);
	long pages = load(pty, region, jobs);
	double loaded_mib = peak_mib(pty), rested_mib;

	pty_run(pty, REST_MS);
	rested_mib = peak_mib(pty);
	printf("bench: %5ld jobs loaded          %ld pages (bound 120), peak %.1f MiB (bound "
	       "%.0f)\n",
	       jobs, pages, loaded_mib, bound_mib);
	printf("bench: a minute later            %ld Describes, peak %.1f MiB\n",
	       region_calls(region, "Describe"), rested_mib);
	pty_stop(pty);
	assert_true(rested_mib < bound_mib);
	assert_true(pages < 120);
}

static void bench_usual(void **unused)
{
	struct region region;

	(void)unused;
	region_start(&region, (const char *const[]){ "--scenario", "busy", NULL });
	bench_jobs(&region, NULL, 513, 40);
	region_stop(&region);
}

static void bench_many(void **unused)
{
	struct region region;

	(void)unused;
	region_start(&region, (const char *const[]){ "--scenario", "busy", "--jobs", "10000",
						     "--rate", "0", NULL });
	bench_jobs(&region, (const char *const[]){ "--pace", "0", "--since", "400d", NULL }, 10000,
		   64);
	region_stop(&region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bench_usual),
		cmocka_unit_test(bench_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
