/*
 * What a key in the editor takes on the whole screen, forecast, sightings and costs with it, beside
 * 50,000 recorded jobs, and the longest of the idle turns that learn them. Processor time; the
 * bounds fail.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <time.h>

#include "model/base/mem.h"
#include "tests/homescreen.h"
#include "tests/jobs.h"

#define MIN     INT64_C(60000)
#define JOBS    50000
#define KEYS    60
#define KEY_MS  16.0 /* product.md: the median from a key to its picture */
#define IDLE_MS 16.0

static const char *const types[] = { "ml.p5.48xlarge", "ml.p4d.24xlarge", "ml.g5.12xlarge",
				     "ml.g6.48xlarge", "ml.p4de.24xlarge" };

static double spent_ms(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void add_past(struct sample *sample, int i)
{
	struct history_figures figures;
	char name[64];
	int64_t created_ms = sample->wall_ms - (i + 700) * 3 * MIN;
	int64_t start_ms = created_ms + i * 7919 % 600 * MIN;
	snprintf(name, sizeof(name), "night-%06d", i);
	struct job job = described_job(name, created_ms, "Completed", "Completed");
	job.prefs = (struct preferences){ .is_list = true };
	for (int k = 0; k < 5; k++)
		add_entry(&job, types[(i + k) % 5], 2);
	job.selected = (struct selected){ true, "", 2, 1 + (size_t)(i % 5) };
	snprintf(job.selected.instance_type, sizeof(job.selected.instance_type), "%s",
		 types[(i + i % 5) % 5]);
	job.started = at(start_ms);
	job.ended = at(start_ms + 100 * MIN);
	job.billable = at(100 * MIN);
	history_figures(&job, &sample->store.prices, sample->wall_ms, &figures);
	history_take(&sample->store.history, &job, &figures, NULL, 0);
	job_release(&job);
}

static void prepare(struct sample *sample)
{
	int64_t created_ms = sample->wall_ms - 30 * MIN;
	struct job job = described_job("night-999999", created_ms, "InProgress", "Pending");
	char arn[256];
	sample_arn(JOB_TRAINING, "night-999999", arn);
	mem_set_text(&job.arn, arn);
	job.prefs = (struct preferences){ .is_list = true };
	for (int k = 0; k < 5; k++)
		add_entry(&job, types[k], 2);
	add_stretch(&job, "Pending", created_ms / 1000, -1);
	job.described_mono_ms = sample->mono_ms;
	store_take_described(&sample->store, &job);
	for (int i = 0; i < JOBS - 50; i++)
		add_past(sample, i);
}

static void test_keys(void **state)
{
	struct homescreen home;
	double longest = 0, sum = 0, most = 0;
	size_t turns = 0;
	(void)state;
	homescreen_start(&home, 160, 48, prepare);
	homescreen_go_to(&home, "night-999999");
	/* Another place's, and back: learned once more, turn by turn. */
	screen_move(home.screen, &home.sample.env);
	for (bool more = true; more; turns++) {
		double begun = spent_ms();
		more = screen_idle(home.screen);
		longest = spent_ms() - begun > longest ? spent_ms() - begun : longest;
	}
	homescreen_go_to(&home, "night-999999");
	homescreen_keys(&home, "P");
	homescreen_want(&home, "wins");
	for (int i = 0; i < KEYS; i++) {
		double begun = spent_ms();
		homescreen_keys(&home, i % 2 ? "K" : "J");
		double took = spent_ms() - begun;
		sum += took;
		most = took > most ? took : most;
	}
	homescreen_want(&home, "expected  ~$");
	printf("bench: a key in the editor      %.1f ms, %.1f at most (bound %.0f in the mean)\n",
	       sum / KEYS, most, KEY_MS);
	printf("bench: learning                 %zu turns, %.1f ms at most (bound %.0f)\n", turns,
	       longest, IDLE_MS);
	assert_true(sum / KEYS < KEY_MS && longest < IDLE_MS);
	homescreen_stop(&home);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_keys) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
