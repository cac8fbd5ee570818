/*
 * 50,000 recorded jobs: how large the file is, how long it takes to read, to count and to show, and
 * what memory comes to; and what it comes to where all of 500, 50,000 and 100,000 are in the list.
 * Bounds from the issue tracker's promises.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <cmocka.h>

#include "aws/history_db.h"
#include "model/base/mem.h"
#include "model/history_sums.h"
#include "model/state_folder.h"
#include "tests/jobs.h"
#include "tests/prices.h"
#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"
#include "tests/statehome.h"

#define JOBS       50000
#define BATCH      500
#define DAYS       100                  /* that they lie in: 3,500 in the seven that are shown */
#define URL        "http://127.0.0.1:9" /* nobody listens; nor there: */
#define FEW_URL    "http://127.0.0.1:10"
#define MANY_URL   "http://127.0.0.1:11"
#define FEW        500
#define MANY       100000
#define DAY_MS     INT64_C(86400000)
#define LOCK_MS    2000
#define TABLE_MS   150
#define FILE_MIB   60
#define MEMORY_MIB 120
#define FEW_MIB    40
#define MANY_MIB   100
#define STARTS     9
#define REST_MS    3000   /* until all of the past is read and learned */
#define LISTED_MS  120000 /* for 50,000 rows */

static int64_t now_ms(void)
{
	const struct clock clock = clock_system();
	return clock_wall_ms(&clock);
}

/* Of this process alone: others may keep the machine busy. */
static double cpu_ms(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1000 + (double)time.tv_nsec / 1e6;
}

static double mono_ms(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1000 + (double)time.tv_nsec / 1e6;
}

/* As real ones are: a list of three, five transitions, a tag, names of 26 characters. */
static void fill(struct recorded *out, int i, int64_t newest_ms)
{
	static const char *const stems[] = { "llm-pretrain-1b", "fraud-gnn", "eval-nightly",
					     "sdxl-lora", "asr-conformer" };
	static const char *const types[] = { "ml.p5.48xlarge", "ml.p4d.24xlarge", "ml.g5.12xlarge",
					     "ml.g6.48xlarge", "ml.p4de.24xlarge" };
	int64_t start_s = (newest_ms - i * (DAYS * DAY_MS / JOBS)) / 1000;
	char name[64], arn[160], value[32], key[] = "team";
	snprintf(name, sizeof(name), "%s-20261201-%06d", stems[i % 5], i);
	snprintf(arn, sizeof(arn), "arn:aws:sagemaker:us-east-1:111122223333:training-job/%s",
		 name);
	struct job job = described_job(name, start_s * 1000, i % 10 ? "Completed" : "Failed",
				       i % 10 ? "Completed" : "Failed");
	mem_set_text(&job.arn, arn);
	mem_set_text(&job.role_arn, "arn:aws:iam::111122223333:role/ml-platform-jobs");
	*job_edit_prefs(&job) = (struct preferences){ .is_list = true };
	for (int k = 0; k < 3; k++)
		add_entry(&job, types[(i + k) % 5], 1 + i % 4);
	job.selected = (struct selected){ true, "", 1 + i % 4, 1 + (size_t)(i % 3) };
	snprintf(job.selected.instance_type, sizeof(job.selected.instance_type), "%s",
		 types[(i + i % 3) % 5]);
	int64_t wait_s = 30 + i * 7919 % 20000;
	add_stretch(&job, "Starting", start_s, start_s + 5);
	add_stretch(&job, "Pending", start_s + 5, start_s + wait_s);
	add_stretch(&job, "Downloading", start_s + wait_s, start_s + wait_s + 60);
	add_stretch(&job, "Training", start_s + wait_s + 60, start_s + wait_s + 600);
	add_stretch(&job, "Uploading", start_s + wait_s + 600, start_s + wait_s + 660);
	job.started = at((start_s + wait_s) * 1000);
	job.ended = job.modified = at((start_s + wait_s + 660) * 1000);
	job.billable = job.training_time = at(660000);
	*out = (struct recorded){ .seen_ms = newest_ms };
	recorded_set_job(out, &job);
	history_figures(&job, &virginia, newest_ms, &out->figures);
	snprintf(value, sizeof(value), "team-%d", i % 40);
	out->job.tags = tag_list_new(&(struct tag){ key, value }, 1);
	job_release(&job);
}

static void write_all(const char *folder, int jobs)
{
	struct history_told told;
	struct history_db *db = history_db_open(folder, LOCK_MS, &told);
	struct recorded batch[BATCH];
	struct err err = { 0 };
	int64_t newest_ms = now_ms() - 60000;
	double begun = cpu_ms(), longest = 0;
	assert_non_null(db);
	for (int i = 0; i < jobs; i += BATCH) {
		for (int k = 0; k < BATCH; k++)
			fill(&batch[k], i + k, newest_ms);
		double from = cpu_ms();
		assert_true(history_db_save(db, batch, BATCH, &err));
		longest = cpu_ms() - from > longest ? cpu_ms() - from : longest;
		for (int k = 0; k < BATCH; k++)
			recorded_release(&batch[k]);
	}
	history_db_close(db);
	printf("bench: %6d jobs written       %.1f s, longest batch of %d %.0f ms\n", jobs,
	       (cpu_ms() - begun) / 1000, BATCH, longest);
}

static void read_all(const char *folder)
{
	struct history_told told;
	double begun = cpu_ms();
	struct history_db *db = history_db_open(folder, LOCK_MS, &told);
	struct history history = { 0 };
	struct recorded *list;
	struct err err = { 0 };
	size_t count;
	const struct history_part week = { now_ms() - 7 * DAY_MS, 0, JOBS };
	assert_true(history_db_load_since(db, &week, &list, &count, &err));
	printf("bench: the last week is read     %.0f ms, %zu jobs\n", cpu_ms() - begun, count);
	recorded_free(list, count);
	begun = cpu_ms();
	assert_true(history_db_load_all(db, &history, &err));
	printf("bench: all of it is read         %.0f ms, %zu jobs\n", cpu_ms() - begun,
	       history.count);
	assert_int_equal(history.count, JOBS);
	for (int by = 0; by < HISTORY_BY_COUNT; by++) {
		struct history_sums sums;
		begun = cpu_ms();
		history_sums_make(&history, (enum history_by)by, INT64_MIN, &sums);
		printf("bench: counted by %-5s          %.0f ms, %zu groups\n",
		       history_by_word((enum history_by)by), cpu_ms() - begun, sums.count);
		history_sums_release(&sums);
	}
	history_release(&history);
	history_db_close(db);
}

/* Of a program that lists jobs so far back. */
static struct pty *start(const char *url, const char *since)
{
	static const char *const env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM",
					   "AWS_SECRET_ACCESS_KEY=simsecret",
					   "AWS_ACCOUNT_ID=111122223333", "AWS_REGION=us-east-1",
					   NULL };
	const char *argv[] = {
		region_program("gpuq"), "--endpoint-url", url, "--since", since, NULL
	};
	return pty_start(
		&(struct pty_options){ .argv = argv, .env = env, .columns = 160, .lines = 48 });
}

static double peak_of(struct pty *pty)
{
	return (double)process_status_kib(pty_pid(pty), "VmHWM") / 1024;
}

/* From the start of the program to a table with all rows of the week. */
static double start_once(double *peak_mib)
{
	double begun = mono_ms();
	struct pty *pty = start(URL, "7d");
	assert_true(pty_wait_text(pty, " of ", 20000));
	double took = mono_ms() - begun;
	pty_run(pty, REST_MS);
	*peak_mib = peak_of(pty);
	pty_stop(pty);
	return took;
}

/* All of them in the list: each is then a whole job in memory. */
static bool list_all(const char *url, int jobs, int bound_mib)
{
	char text[32];
	double begun = mono_ms();
	struct pty *pty = start(url, "400d");
	assert_true(pty_wait_text(pty, " of ", 20000));
	double first_ms = mono_ms() - begun;
	snprintf(text, sizeof(text), " of %d", jobs);
	assert_true(pty_wait_text(pty, text, LISTED_MS));
	double all_ms = mono_ms() - begun;
	pty_run(pty, REST_MS);
	double peak_mib = peak_of(pty);
	pty_stop(pty);
	printf("bench: %6d jobs listed        first rows %.0f ms, all %.0f ms, peak memory %.1f "
	       "MiB (bound %d)\n",
	       jobs, first_ms, all_ms, peak_mib, bound_mib);
	return peak_mib < bound_mib;
}

/* The folder of that place. */
static void begin_folder(struct buf *folder, const char *url)
{
	const struct state_place place = { "111122223333", "us-east-1", url };
	buf_init(folder, 4096);
	buf_addf(folder, "%s/gpuq/", statehome());
	state_folder_add_name(folder, &place);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static void test_fifty_thousand(void **state)
{
	(void)state;
	double took[STARTS], peak_mib = 0;
	struct stat status;
	struct buf folder;
	begin_folder(&folder, URL);
	write_all(buf_text(&folder), JOBS);
	buf_addf(&folder, "/%s", HISTORY_DB_NAME);
	assert_int_equal(stat(buf_text(&folder), &status), 0);
	double file_mib = (double)status.st_size / 1048576;
	printf("bench: the file                  %.1f MiB (bound %d)\n", file_mib, FILE_MIB);
	folder.len -= strlen("/" HISTORY_DB_NAME);
	folder.data[folder.len] = '\0';
	read_all(buf_text(&folder));
	for (int i = 0; i < STARTS; i++)
		took[i] = start_once(&peak_mib);
	qsort(took, STARTS, sizeof(*took), compare);
	printf("bench: start to a filled table   %.0f ms, the best of %d; the middle one %.0f ms "
	       "(bound %d)\n",
	       took[0], STARTS, took[STARTS / 2], TABLE_MS);
	printf("bench: peak memory               %.1f MiB (bound %d)\n", peak_mib, MEMORY_MIB);
	bool listed = list_all(URL, JOBS, MEMORY_MIB);
	buf_release(&folder);
	assert_true(file_mib < FILE_MIB);
	assert_true(took[0] < TABLE_MS);
	assert_true(peak_mib < MEMORY_MIB);
	assert_true(listed);
}

/* The history keeps the newest 50,000 of them, the list all. */
static void test_listed(void **state)
{
	struct buf few, many;
	(void)state;
	begin_folder(&few, FEW_URL);
	write_all(buf_text(&few), FEW);
	bool ok = list_all(FEW_URL, FEW, FEW_MIB);
	begin_folder(&many, MANY_URL);
	write_all(buf_text(&many), MANY);
	ok = list_all(MANY_URL, MANY, MANY_MIB) && ok;
	buf_release(&few);
	buf_release(&many);
	assert_true(ok);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_fifty_thousand),
					    cmocka_unit_test(test_listed) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
