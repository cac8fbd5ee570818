/* The tables of the history, against figures by hand, and their four formats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/jsontext.h"
#include "model/base/mem.h"
#include "model/history_fees.h"
#include "model/history_tally.h"
#include "model/sorting.h"
#include "tests/jobs.h"
#include "tests/prices.h"
#include "views/text/report.h"

#define T0      INT64_C(1700006400000) /* 2023-11-15T00:00:00Z */
#define MIN     INT64_C(60000)
#define P5      "ml.p5.48xlarge"
#define P4D     "ml.p4d.24xlarge"
#define OUT_MAX (1u << 20)

struct made {
	const char *name;
	int64_t created_ms;
	int64_t wait_min;
	size_t rank;        /* of P5, P4D; 0 = it never started */
	const char *status; /* at the end */
	const char *word;   /* secondary */
	int64_t run_min;
	bool is_list;
};

static void add_of(struct history *history, const struct made *made, const char *role)
{
	struct job job = described_job(made->name, made->created_ms, made->status, made->word);
	int64_t start_ms = made->created_ms + made->wait_min * MIN;
	struct history_figures figures;
	*job_edit_prefs(&job) = (struct preferences){ .is_list = made->is_list };
	add_entry(&job, P5, 2);
	if (made->is_list)
		add_entry(&job, P4D, 4);
	job.selected = (struct selected){ .set = made->rank > 0, .rank = made->rank };
	if (made->rank > 0)
		snprintf(job.selected.instance_type, sizeof(job.selected.instance_type), "%s",
			 job_edit_prefs(&job)->entries[made->rank - 1].instance_type);
	job.selected.count = made->rank == 2 ? 4 : 2;
	add_stretch(&job, "Pending", made->created_ms / 1000, start_ms / 1000);
	job.ended = at(start_ms + made->run_min * MIN);
	mem_set_text(&job.role_arn, role);
	if (made->rank > 0) {
		add_stretch(&job, "Training", start_ms / 1000, job.ended.ms / 1000);
		job.started = at(start_ms);
		job.billable = at(made->run_min * MIN);
	}
	history_figures(&job, &virginia, T0 + 1000 * 60 * MIN, &figures);
	history_take(history, &job, &figures);
	job_release(&job);
}

static void add(struct history *history, const struct made *made)
{
	add_of(history, made, NULL);
}

static const struct history_sum *row(const struct history_sums *sums, const char *key)
{
	for (size_t i = 0; i < sums->count; i++)
		if (strcmp(sums->rows[i].key, key) == 0)
			return &sums->rows[i];
	fail_msg("no row '%s'", key);
	return NULL;
}

/*
 * Ten lists: seven started on P5 after 1, 2, 3, 4, 5, 6, 7 min, three on P4D after 8, 9, 10.
 * P5: 7 starts, 3 cut off at 8, 9, 10. P4D: 3 starts, 7 cut off before: too few to say.
 */
static void ten_lists(struct history *history)
{
	for (int i = 1; i <= 10; i++) {
		char name[32];
		snprintf(name, sizeof(name), "run-%c%c", 'a' + i, 'x'); /* each a stem */
		add(history, &(struct made){ name, T0 + i * 120 * MIN, i, i <= 7 ? 1 : 2,
					     i == 10 ? "Failed" : "Completed", "Completed",
					     i <= 7 ? 30 : 60, true });
	}
}

static void test_by_type(void **state)
{
	(void)state;
	struct history history = { 0 };
	struct history_sums sums;
	ten_lists(&history);
	history_sums_make(&history, HISTORY_BY_TYPE, INT64_MIN, &sums);
	assert_int_equal(sums.count, 2);
	const struct history_sum *p5 = row(&sums, P5), *p4d = row(&sums, P4D);
	assert_int_equal(p5->jobs, 10);
	assert_int_equal(p5->started, 7);
	assert_int_equal(p5->fallback.part, 0);
	assert_int_equal(p5->fallback.of, 7);
	assert_int_equal(p5->completed, 7);
	assert_int_equal(p5->run_p50.ms, 30 * MIN);
	assert_false(p5->wait_p50.set); /* seven are too few */
	assert_int_equal(p4d->started, 3);
	assert_int_equal(p4d->fallback.part, 3);
	assert_int_equal(p4d->failed, 1);
	assert_int_equal(p4d->run_p90.ms, 60 * MIN);
	/* Price x 4 x 3 hours; 2 x 3.5 hours. */
	int64_t p4d_hour = price_find(&virginia, JOB_TRAINING, P4D).per_hour_micro;
	int64_t p5_hour = price_find(&virginia, JOB_TRAINING, P5).per_hour_micro;
	assert_int_equal(p4d->cost_micro, p4d_hour * 4 * 3);
	assert_int_equal(p5->cost_micro, p5_hour * 7);
	assert_false(p5->cost_is_partial);
	/* All ten started: the half of them by 5 to 6 min, level between; nine tenths at 9 to 10.
	 */
	assert_int_equal(sums.all.started, 10);
	assert_int_equal(sums.all.fallback.part, 3);
	assert_int_equal(sums.all.fallback.of, 10);
	assert_int_equal(sums.all.wait_p50.ms, 5 * MIN + 30000);
	assert_int_equal(sums.all.wait_p90.ms, 9 * MIN + 30000);
	assert_int_equal(sums.lists.wait_p50.ms, sums.all.wait_p50.ms); /* all are lists */
	assert_int_equal(sums.lists.wait_p90.ms, sums.all.wait_p90.ms);
	assert_false(sums.singles.wait_p50.set);
	history_sums_release(&sums);
	history_release(&history);
}

/* Three more that start on P5 after 11, 12, 13 min, without a list: ten starts, three cut off. Left
 * at each start: 13 12 11 10 9 8 7, then after 8, 9 and 10 are gone 3 2 1. Waiting after 7 min is
 * 6/13, so that half have started by 7; after 11 it is 6/13 x 2/3 = 4/13, after 12 2/13, after 13
 * 0.
 */
static void test_cut_off_waits_count(void **state)
{
	(void)state;
	struct history history = { 0 };
	struct history_sums sums;
	ten_lists(&history);
	for (int i = 11; i <= 13; i++) {
		char name[32];
		snprintf(name, sizeof(name), "one-%c%c", 'a' + i, 'x');
		add(&history, &(struct made){ name, T0 + i * 120 * MIN, i, 1, "Completed",
					      "Completed", 30, false });
	}
	history_sums_make(&history, HISTORY_BY_TYPE, INT64_MIN, &sums);
	const struct history_sum *p5 = row(&sums, P5);
	assert_int_equal(p5->started, 10);
	assert_int_equal(p5->wait_p50.ms, 7 * MIN);
	assert_int_equal(p5->wait_p90.ms, 13 * MIN);
	history_sums_release(&sums);
	history_sums_make(&history, HISTORY_BY_RANK, INT64_MIN, &sums);
	assert_int_equal(sums.count, 3);
	assert_string_equal(sums.rows[0].key, "1");
	assert_int_equal(sums.rows[0].started, 7);
	assert_int_equal(sums.rows[0].jobs, 10);
	assert_string_equal(sums.rows[1].key, "2");
	assert_int_equal(sums.rows[1].started, 3);
	assert_string_equal(sums.rows[2].key, "single");
	assert_int_equal(sums.rows[2].started, 3);
	assert_int_equal(sums.rows[2].fallback.of, 0);
	history_sums_release(&sums);
	history_release(&history);
}

/*
 * One that waited 30 min and was stopped, 10 min later the next that timed out after 20, then at
 * once (before that had ended by 5 min) one that started after 25: 30 + 20 + 20 = 70 min, one wait.
 * The same name the day after is another.
 */
static void test_retries_are_one_wait(void **state)
{
	(void)state;
	struct history history = { 0 };
	struct history_sums sums;
	add(&history, &(struct made){ "eval-1", T0, 30, 0, "Stopped", "Stopped", 0, true });
	add(&history, &(struct made){ "eval-2", T0 + 40 * MIN, 20, 0, "Stopped",
				      "MaxPendingTimeExceeded", 0, true });
	add(&history,
	    &(struct made){ "eval-3", T0 + 55 * MIN, 25, 1, "Completed", "Completed", 5, true });
	add(&history, &(struct made){ "eval-4", T0 + 24 * 60 * MIN, 3, 1, "Completed", "Completed",
				      5, true });
	add(&history,
	    &(struct made){ "other-1", T0 + 41 * MIN, 3, 0, "Stopped", "Stopped", 0, true });
	history_sums_make(&history, HISTORY_BY_STEM, INT64_MIN, &sums);
	assert_int_equal(sums.count, 2);
	const struct history_sum *eval = row(&sums, "eval");
	assert_int_equal(eval->jobs, 4);
	assert_int_equal(eval->waits, 2);
	assert_int_equal(eval->started, 2);
	assert_int_equal(eval->timeouts, 1);
	assert_int_equal(eval->buckets[1], 1); /* 3 min */
	assert_int_equal(eval->buckets[5], 1); /* 70 min */
	assert_int_equal(row(&sums, "other")->waits, 1);
	history_sums_release(&sums);
	history_sums_make(&history, HISTORY_BY_HOUR, INT64_MIN, &sums);
	assert_int_equal(sums.count, 1); /* all began at midnight's hour */
	assert_string_equal(sums.rows[0].key, "00");
	assert_int_equal(sums.rows[0].waits, 3);
	history_sums_release(&sums);
	history_sums_make(&history, HISTORY_BY_STEM, T0 + 60 * MIN, &sums);
	assert_int_equal(sums.all.jobs, 1);
	history_sums_release(&sums);
	history_release(&history);
}

/* Given up after 30 min; what is submitted 59 min later is a retry, after 61 min another piece of
 * work. */
static void test_a_retry_comes_within_an_hour(void **state)
{
	(void)state;
	static const struct {
		int64_t gap_min;
		size_t waits;
	} cases[] = { { 59, 1 }, { 61, 2 } };
	for (size_t i = 0; i < 2; i++) {
		struct history history = { 0 };
		struct history_sums sums;
		add(&history,
		    &(struct made){ "night-1", T0, 30, 0, "Stopped", "Stopped", 0, true });
		add(&history, &(struct made){ "night-2", T0 + (30 + cases[i].gap_min) * MIN, 5, 1,
					      "Completed", "Completed", 5, true });
		history_sums_make(&history, HISTORY_BY_STEM, INT64_MIN, &sums);
		assert_int_equal(sums.all.waits, cases[i].waits);
		history_sums_release(&sums);
		history_release(&history);
	}
}

/* 2,000 jobs of 300 stems, some of them retries, counted by one unit of work a step: what comes of
 * it is what comes of one step. */
static void test_steps_count_the_same(void **state)
{
	(void)state;
	struct history history = { 0 };
	for (int i = 0; i < 2000; i++) {
		char name[32];
		int stem = i * 7 % 300;
		snprintf(name, sizeof(name), "s%c%c-%04d", 'g' + stem / 20, 'g' + stem % 20, i);
		add(&history, &(struct made){ name, T0 + i * 7919 % 6000 * MIN, i * 31 % 400,
					      (size_t)i % 3, i % 3 ? "Completed" : "Stopped",
					      "Stopped", i % 90, i % 2 == 0 || i % 3 == 2 });
	}
	for (int by = 0; by < HISTORY_BY_COUNT; by++) {
		struct history_tally *tally =
			history_tally_new(&history, (enum history_by)by, T0 + 60 * MIN);
		struct history_sums sums, steps;
		size_t count = 1;
		while (!history_tally_step(tally, &history, 1))
			count++;
		history_tally_take(tally, &steps);
		history_tally_free(tally);
		assert_true(count > 2000);
		history_sums_make(&history, (enum history_by)by, T0 + 60 * MIN, &sums);
		assert_int_equal(steps.count, sums.count);
		for (size_t i = 0; i < sums.count; i++) {
			struct history_sum *a = &steps.rows[i], *b = &sums.rows[i];
			assert_string_equal(a->key, b->key);
			assert_int_equal(a->jobs, b->jobs);
			assert_int_equal(a->waits, b->waits);
			assert_int_equal(a->wait_p90.ms, b->wait_p90.ms);
			assert_int_equal(a->run_p50.ms, b->run_p50.ms);
			assert_int_equal(a->cost_micro, b->cost_micro);
			assert_true(i == 0 || by == HISTORY_BY_RANK || by == HISTORY_BY_HOUR ||
				    sums.rows[i - 1].jobs >= b->jobs);
		}
		assert_true(sums.all.waits < sums.all.jobs);
		history_sums_release(&sums);
		history_sums_release(&steps);
	}
	history_release(&history);
}

static void test_a_count_ends__where_the_history_is_another(void **state)
{
	(void)state;
	struct history history = { 0 }, other = { 0 };
	struct history_tally *tally;
	struct history_sums sums;
	ten_lists(&history);
	add(&other, &(struct made){ "b-1", T0, 3, 1, "Completed", "Completed", 5, true });
	tally = history_tally_new(&history, HISTORY_BY_STEM, INT64_MIN);
	assert_false(history_tally_step(tally, &history, 30));
	assert_true(history_tally_step(tally, &other, 30));
	history_tally_take(tally, &sums);
	assert_int_equal(sums.count, 0);
	history_sums_release(&sums);
	history_tally_free(tally);
	/* And one that is given up half way. */
	tally = history_tally_new(&history, HISTORY_BY_STEM, INT64_MIN);
	assert_false(history_tally_step(tally, &history, 90));
	history_tally_free(tally);
	history_release(&history);
	history_release(&other);
}

static int compare_tens(const void *a, const void *b)
{
	return *(const int *)a / 10 - *(const int *)b / 10;
}

/* By the tens alone: those of one ten stay in the order in which they came. */
static void test_sorting_is_stable(void **state)
{
	(void)state;
	for (size_t count = 0; count < 70; count++) {
		struct sorting sorting;
		int *items = mem_new(count, sizeof(*items)), last[10] = { 0 }, ten = 0;
		for (size_t i = 0; i < count; i++)
			items[i] = (int)(i * 37 % 10) * 10 + ++last[i * 37 % 10];
		sorting_begin(&sorting, items, count, sizeof(*items), compare_tens);
		for (size_t work = 1; !sorting_step(&sorting, &work); work = 1)
			continue;
		memset(last, 0, sizeof(last));
		for (size_t i = 0; i < count; i++) {
			int item = ((const int *)(const void *)sorting.items)[i];
			assert_true(item / 10 >= ten);
			ten = item / 10;
			assert_int_equal(item % 10, ++last[ten]);
		}
		sorting_release(&sorting);
	}
}

/*
 * Of "eval" three ran on the first choice, for 30, 40 and 50 min: 40 is usual. Two that fell back
 * ran 60 and 80 min: 1.5 and 2 times as long, the middle of two being the lower. Four instances of
 * P4D for 60 min against two of P5 for 40. Of "rare" two ran on the first choice: too few to say.
 * One that failed tells nothing.
 */
static void eval_runs(struct history *history)
{
	static const struct {
		struct made made;
		const char *role;
	} runs[] = {
		{ { "eval-1", T0, 5, 1, "Completed", "Completed", 30, true },
		  "arn:aws:iam::1:role/a" },
		{ { "eval-2", T0 + 1, 5, 1, "Completed", "Completed", 50, true },
		  "arn:aws:iam::1:role/a" },
		{ { "eval-3", T0 + 2, 5, 1, "Completed", "Completed", 40, true },
		  "arn:aws:iam::1:role/path/b" },
		{ { "eval-4", T0 + 3, 5, 2, "Completed", "Completed", 60, true },
		  "arn:aws:iam::1:role/path/b" },
		{ { "eval-5", T0 + 4, 5, 2, "Completed", "Completed", 80, true }, NULL },
		{ { "eval-6", T0 + 5, 5, 2, "Failed", "Failed", 9, true }, NULL },
		{ { "rare-1", T0 + 6, 5, 1, "Completed", "Completed", 10, true }, NULL },
		{ { "rare-2", T0 + 7, 5, 1, "Completed", "Completed", 10, true }, NULL },
		{ { "rare-3", T0 + 8, 5, 2, "Completed", "Completed", 99, true }, NULL },
		{ { "eval-7", T0 + 9, 5, 1, "Completed", "Completed", 50, false }, NULL },
	};
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		add_of(history, &runs[i].made, runs[i].role);
}

static void test_fallbacks_against_the_first_choice(void **state)
{
	(void)state;
	struct history history = { 0 };
	struct history_spreads spreads;
	int64_t p4d = price_find(&virginia, JOB_TRAINING, P4D).per_hour_micro * 4;
	int64_t p5 = price_find(&virginia, JOB_TRAINING, P5).per_hour_micro * 2;
	eval_runs(&history);
	history_spreads_make(&history, HISTORY_BY_RANK, INT64_MIN, NULL, &spreads);
	const struct history_spread *second = history_spreads_of(&spreads, "2");
	assert_int_equal(second->run_to_first.count, 2);
	assert_int_equal(second->run_to_first.p50, 1500);
	assert_int_equal(second->run_to_first.p90, 2000);
	assert_int_equal(second->cost_to_first.count, 2);
	assert_int_equal(second->cost_to_first.p50,
			 (int64_t)((double)p4d * 60 / ((double)p5 * 40) * 1000 + 0.5));
	assert_int_equal(second->run_to_certified.count, 0);
	assert_int_equal(history_spreads_of(&spreads, "1")->run_to_first.count, 0);
	assert_int_equal(history_spreads_of(&spreads, "single")->run_to_first.count, 0);
	history_spreads_release(&spreads);
	/* From the second on two are left on the first choice. */
	history_spreads_make(&history, HISTORY_BY_STEM, T0 + 1, NULL, &spreads);
	assert_int_equal(history_spreads_of(&spreads, "eval")->run_to_first.count, 0);
	history_spreads_release(&spreads);
	history_release(&history);
}

/* Four of P4D are certified for 50 min of "eval" and "other", any number of P5 for 25; what is
 * certified for eight, or for another stem, does not count. By type the runs of P5 are 30, 40, 50
 * and, without a list, 50: 1.2, 1.6, 2 and 2. */
static void test_runs_against_the_certified_time(void **state)
{
	(void)state;
	static const struct check_certified entries[] = {
		{ "eight", "eval", P4D, true, 8, { true, MIN } },
		{ "unmeasured", "eval", P4D, true, 4, { 0 } },
		{ "four", "other, eval", P4D, true, 4, { true, 50 * MIN } },
		{ "eval", NULL, P5, false, 0, { true, 25 * MIN } },
		{ "elsewhere", "vision", P5, false, 0, { true, MIN } },
	};
	const struct check_known known = { .certified = entries, .certified_count = 5 };
	struct history history = { 0 };
	struct history_spreads spreads;
	eval_runs(&history);
	history_spreads_make(&history, HISTORY_BY_TYPE, INT64_MIN, &known, &spreads);
	const struct history_ratio *p4d = &history_spreads_of(&spreads, P4D)->run_to_certified;
	const struct history_ratio *p5 = &history_spreads_of(&spreads, P5)->run_to_certified;
	assert_int_equal(p4d->count, 2);
	assert_int_equal(p4d->p50, 1200);
	assert_int_equal(p4d->p90, 1600);
	assert_int_equal(p5->count, 4);
	assert_int_equal(p5->p50, 1600);
	assert_int_equal(p5->p90, 2000);
	history_spreads_release(&spreads);
	history_spreads_make(&history, HISTORY_BY_STEM, INT64_MIN, &known, &spreads);
	assert_int_equal(history_spreads_of(&spreads, "eval")->run_to_certified.count, 6);
	assert_int_equal(history_spreads_of(&spreads, "rare")->run_to_certified.count, 0);
	history_spreads_release(&spreads);
	history_release(&history);
}

static void test_by_role_and_by_list(void **state)
{
	(void)state;
	struct history history = { 0 };
	struct history_sums sums;
	int64_t p4d = price_find(&virginia, JOB_TRAINING, P4D).per_hour_micro * 4;
	int64_t p5 = price_find(&virginia, JOB_TRAINING, P5).per_hour_micro * 2;
	eval_runs(&history);
	history_sums_make(&history, HISTORY_BY_ROLE, INT64_MIN, &sums);
	assert_int_equal(sums.count, 3);
	assert_int_equal(row(&sums, "a")->jobs, 2);
	assert_int_equal(row(&sums, "a")->cost_micro, (p5 * 30 + 30) / 60 + (p5 * 50 + 30) / 60);
	assert_int_equal(row(&sums, "b")->cost_micro, (p5 * 40 + 30) / 60 + p4d);
	assert_int_equal(row(&sums, "(no role seen)")->jobs, 6);
	history_sums_release(&sums);
	history_sums_make(&history, HISTORY_BY_LIST, INT64_MIN, &sums);
	assert_int_equal(sums.count, 2);
	assert_int_equal(row(&sums, "list")->jobs, 9);
	assert_int_equal(row(&sums, "list")->fallback.part, 4);
	assert_int_equal(row(&sums, "one type")->jobs, 1);
	history_sums_release(&sums);
	history_release(&history);
}

static void report(enum report_format format, struct buf *out)
{
	struct history history = { 0 };
	struct history_sums sums;
	struct history_spreads spreads;
	const struct report_context context = { .format = format };
	ten_lists(&history);
	history_sums_make(&history, HISTORY_BY_RANK, INT64_MIN, &sums);
	buf_init(out, OUT_MAX);
	history_spreads_make(&history, HISTORY_BY_RANK, INT64_MIN, NULL, &spreads);
	const struct report_history report = {
		.history = &history, .sums = &sums, .spreads = &spreads, .by = HISTORY_BY_RANK
	};
	report_history(out, &context, &report);
	history_sums_release(&sums);
	history_spreads_release(&spreads);
	history_release(&history);
}

static void test_formats(void **state)
{
	(void)state;
	struct buf out;
	struct json_doc doc;
	struct err err = { 0 };
	report(REPORT_JSON, &out);
	assert_true(json_doc_parse(&doc, buf_text(&out), out.len, &err));
	json_doc_release(&doc);
	assert_non_null(strstr(buf_text(&out),
			       "[{\"key\":\"1\",\"jobs\":10,\"started\":7,"
			       "\"fallback_share\":0,\"wait_p50_seconds\":null,"
			       "\"wait_p90_seconds\":null,\"timeouts\":0,\"cost\":"));
	assert_non_null(strstr(buf_text(&out), "\"currency\":\"USD\",\"waits\":10,"
					       "\"completed_share\":0.6667,"
					       "\"failed_share\":0.3333,"
					       "\"run_p50_seconds\":3600"));
	buf_release(&out);
	report(REPORT_CSV, &out);
	assert_non_null(strstr(buf_text(&out), "\n1,10,7,0,,,0,"));
	assert_non_null(strstr(buf_text(&out), ",false,7,,0,,0,,0,0,0,,,true\n"));
	buf_release(&out);
	report(REPORT_TABLE, &out);
	assert_non_null(strstr(buf_text(&out), "RANK  JOBS  STARTED  FALLBACK  WAIT P50"));
	assert_non_null(strstr(buf_text(&out), "n too small"));
	assert_non_null(strstr(buf_text(&out), "all   10    10       30%"));
	buf_release(&out);
	report(REPORT_JSONL, &out);
	assert_int_equal(buf_text(&out)[0], '{');
	buf_release(&out);
}

#define PLAN_A "arn:aws:sagemaker:us-east-1:111122223333:training-plan/plan-a"
#define PLAN_B "arn:aws:sagemaker:us-east-1:111122223333:training-plan/plan-b"

/* A job of an hour on P5 (rank 1, on demand or on a plan) or on P4D (rank 2, the same). */
static void add_planned(struct history *history, const char *name, size_t rank, const char *plan)
{
	struct job job = described_job(name, T0, "Completed", "Completed");
	struct history_figures figures;
	*job_edit_prefs(&job) = (struct preferences){ .is_list = true };
	add_entry(&job, P5, 2);
	add_entry(&job, P4D, 4);
	snprintf(job_edit_prefs(&job)->entries[rank - 1].plan_arn,
		 sizeof(job_edit_prefs(&job)->entries[0].plan_arn), "%s", plan);
	job.selected = (struct selected){ .set = true, .rank = rank, .count = rank == 1 ? 2 : 4 };
	snprintf(job.selected.instance_type, sizeof(job.selected.instance_type), "%s",
		 job_edit_prefs(&job)->entries[rank - 1].instance_type);
	add_stretch(&job, "Training", T0 / 1000, T0 / 1000 + 3600);
	job.started = at(T0);
	job.ended = at(T0 + 60 * MIN);
	job.billable = at(60 * MIN);
	history_figures(&job, &virginia, job.ended.ms, &figures);
	history_take(history, &job, &figures);
	job_release(&job);
}

/* Three starts on plan A, one on plan B, one on demand: its cost is all the cost. */
static void test_fees_of_plans_stand_apart(void **state)
{
	(void)state;
	struct history history = { 0 };
	struct history_sums sums;
	struct history_fees fees;
	struct plan plans[2] = { { .arn = mem_copy_text(PLAN_A),
				   .fee = { true, INT64_C(98000000000) },
				   .currency = "USD" },
				 { .arn = mem_copy_text(PLAN_B) } };
	const struct report_context context = { .format = REPORT_TABLE };
	struct history_spreads spreads = { 0 };
	struct buf out;
	assert_false(history_has_plans(&history));
	add_planned(&history, "one", 1, PLAN_A);
	add_planned(&history, "two", 1, PLAN_A);
	add_planned(&history, "three", 1, PLAN_A);
	add_planned(&history, "four", 2, PLAN_B);
	add_planned(&history, "five", 2, "");
	assert_true(history_has_plans(&history));
	history_sums_make(&history, HISTORY_BY_TYPE, INT64_MIN, &sums);
	assert_true(row(&sums, P5)->has_cost);
	assert_false(row(&sums, P5)->cost_is_partial);
	assert_int_equal(row(&sums, P5)->cost_micro, 0);
	assert_false(row(&sums, P4D)->cost_is_partial);
	assert_int_equal(row(&sums, P4D)->cost_micro,
			 price_find(&virginia, JOB_TRAINING, P4D).per_hour_micro * 4);
	history_fees_make(&history, row(&sums, P5), plans, 2, &fees);
	assert_int_equal(fees.starts, 3);
	assert_int_equal(fees.plans, 1);
	assert_int_equal(fees.unread, 0);
	assert_int_equal(fees.sum.micro, INT64_C(98000000000)); /* once, whole */
	history_fees_make(&history, row(&sums, P4D), plans, 2, &fees);
	assert_int_equal(fees.starts, 1);
	assert_int_equal(fees.unread, 1);
	assert_false(fees.sum.set);
	buf_init(&out, OUT_MAX);
	const struct report_history report = { .history = &history,
					       .sums = &sums,
					       .spreads = &spreads,
					       .by = HISTORY_BY_TYPE,
					       .plans = plans,
					       .plan_count = 2 };
	report_history(&out, &context, &report);
	assert_non_null(strstr(buf_text(&out),
			       "On training plans: 4 starts on 2 plans (plan-a, plan-b); whole "
			       "fees $98,000 + unknown, paid apart and in no cost above.\n"));
	/* Two currencies do not add up. */
	plans[1].fee = (struct money){ true, 5 };
	snprintf(plans[1].currency, sizeof(plans[1].currency), "CNY");
	history_fees_make(&history, &sums.all, plans, 2, &fees);
	assert_int_equal(fees.unread, 0);
	assert_false(fees.sum.set);
	buf_release(&out);
	history_sums_release(&sums);
	plan_release(&plans[0]);
	plan_release(&plans[1]);
	history_release(&history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps_count_the_same),
		cmocka_unit_test(test_a_count_ends__where_the_history_is_another),
		cmocka_unit_test(test_sorting_is_stable),
		cmocka_unit_test(test_by_type),
		cmocka_unit_test(test_cut_off_waits_count),
		cmocka_unit_test(test_retries_are_one_wait),
		cmocka_unit_test(test_a_retry_comes_within_an_hour),
		cmocka_unit_test(test_fallbacks_against_the_first_choice),
		cmocka_unit_test(test_runs_against_the_certified_time),
		cmocka_unit_test(test_by_role_and_by_list),
		cmocka_unit_test(test_fees_of_plans_stand_apart),
		cmocka_unit_test(test_formats),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
