/* The screen of the past: its groups, the one at the cursor, and what is said where little is kept.
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
#include "tests/homescreen.h"
#include "tests/jobs.h"
#include "tests/prices.h"

#define MINUTE_S 60
#define P5       "ml.p5.48xlarge"
#define P4D      "ml.p4d.24xlarge"

/* Waits i minutes, then runs an hour on the first or, each third one, the second choice. */
static void add_job(struct history *history, int i)
{
	char name[32];
	int64_t start_s = 1700000000 + i * 3600;
	struct history_figures figures;
	snprintf(name, sizeof(name), "llm-%c-%04d", 'a' + i % 2, i);
	struct job job = described_job(name, start_s * 1000, "Completed", "Completed");
	*job_edit_prefs(&job) = (struct preferences){ .is_list = true };
	add_entry(&job, P5, 1);
	add_entry(&job, P4D, 1);
	job.selected = (struct selected){ .set = true, .count = 1, .rank = i % 3 == 0 ? 2 : 1 };
	snprintf(job.selected.instance_type, sizeof(job.selected.instance_type), "%s",
		 i % 3 == 0 ? P4D : P5);
	add_stretch(&job, "Pending", start_s, start_s + i * MINUTE_S);
	add_stretch(&job, "Training", start_s + i * MINUTE_S, start_s + i * MINUTE_S + 3600);
	job.started = at((start_s + i * MINUTE_S) * 1000);
	job.ended = at((start_s + i * MINUTE_S + 3600) * 1000);
	job.billable = at(3600000);
	history_figures(&job, &virginia, job.ended.ms, &figures);
	history_take(history, &job, &figures);
	job_release(&job);
}

static void fill(struct sample *sample)
{
	for (int i = 1; i <= 30; i++)
		add_job(&sample->store.history, i);
	sample->store.history.loaded = true;
}

static void want(struct homescreen *home, const char *text)
{
	if (!homescreen_shows(home, text))
		fail_msg("no '%s' in\n%s", text, offscreen_text(home->offscreen));
}

static void test_groups(void **state)
{
	(void)state;
	struct homescreen home;
	homescreen_start(&home, 100, 30, fill);
	homescreen_keys(&home, "H");
	want(&home, "History by type");
	want(&home, "this account's past: 30 jobs");
	want(&home, P4D ": 30 jobs, 30 waits, 10 started, 0 timed out");
	/* All runs take an hour. */
	want(&home, "fallbacks, to #1 of the same stem: run p50 1.00x, p90 1.00x (n=10)");
	homescreen_keys(&home, "j");
	want(&home, P5 ": 30 jobs, 30 waits, 20 started, 0 timed out");
	want(&home, "runs p50 1h00m p90 1h00m");
	/* By rank: ten of thirty fell back. */
	homescreen_keys(&home, "Tab g j");
	want(&home, "History by rank");
	want(&home, "2: 30 jobs, 30 waits, 10 started");
	want(&home, "10 of 10");
	homescreen_keys(&home, "Tab");
	want(&home, "History by stem");
	want(&home, "llm-a");
	want(&home, "5 of 15"); /* each stem has every sixth one */
	homescreen_keys(&home, "Tab Tab");
	want(&home, "(no tag seen)");
	homescreen_keys(&home, "S-Tab");
	want(&home, "History by hour");
	homescreen_keys(&home, "q");
	assert_false(homescreen_shows(&home, "History by"));
	homescreen_stop(&home);
}

/* The half of thirty waits of 1 to 30 min: level between 15 and 16. */
static void test_waits_of_all_lists(void **state)
{
	(void)state;
	struct homescreen home;
	homescreen_start(&home, 100, 30, fill);
	homescreen_keys(&home, ": h i s t o r y Enter");
	want(&home, "all lists p50 15m p90 27m (n=30); jobs of one type p50 n=0 p90 n=0");
	homescreen_stop(&home);
}

static void fill_many(struct sample *sample)
{
	for (int i = 1; i <= 3000; i++)
		add_job(&sample->store.history, i);
	sample->store.history.loaded = true;
}

/* What takes longer than a key may is counted in idle turns, once, and anew where more is known
 * and ten seconds have gone by. */
static void test_many_are_counted_in_idle_turns(void **state)
{
	(void)state;
	struct homescreen home;
	homescreen_start(&home, 100, 30, fill_many);
	homescreen_keys(&home, "H");
	want(&home, "The jobs are being counted.");
	homescreen_keys(&home, "j G k");
	homescreen_learn(&home);
	want(&home, "this account's past: 3000 jobs");
	want(&home, P4D ": 3000 jobs, 3000 waits, 1000 started");
	homescreen_keys(&home, "j q H");
	want(&home, P4D ": 3000 jobs, 3000 waits, 1000 started");
	add_job(&home.sample.store.history, 3001);
	homescreen_pass(&home, 9000);
	want(&home, "this account's past: 3000 jobs");
	homescreen_pass(&home, 1000);
	want(&home, "this account's past: 3001 jobs");
	homescreen_keys(&home, "Tab");
	want(&home, "The jobs are being counted.");
	homescreen_keys(&home, "q");
	screen_move(home.screen, &home.sample.env);
	homescreen_keys(&home, "H");
	want(&home, "The jobs are being counted.");
	homescreen_stop(&home);
}

static void troubled(struct sample *sample)
{
	sample->store.history.loaded = true;
	mem_set_text(&sample->store.history.trouble, "the history is kept in memory alone: full");
}

static void test_nothing_and_trouble(void **state)
{
	(void)state;
	struct homescreen home;
	homescreen_start(&home, 80, 24, troubled);
	homescreen_keys(&home, "H");
	want(&home, "the history is kept in memory alone: full.");
	want(&home, "No job of this kind has been seen");
	homescreen_keys(&home, "j k G g Tab");
	want(&home, "History by rank");
	homescreen_stop(&home);
}

static void test_small_terminals(void **state)
{
	(void)state;
	static const int sizes[][2] = { { 60, 16 }, { 30, 8 }, { 20, 5 }, { 200, 60 } };
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct homescreen home;
		homescreen_start(&home, sizes[i][0], sizes[i][1], fill);
		homescreen_keys(&home, "H j Tab j Tab G g Tab Tab q");
		homescreen_stop(&home);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_waits_of_all_lists),
		cmocka_unit_test(test_many_are_counted_in_idle_turns),
		cmocka_unit_test(test_nothing_and_trouble),
		cmocka_unit_test(test_small_terminals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
