#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/store.h"
#include "tests/jobs.h"

static void take_summary(struct store *store, struct job job)
{
	store_take_summary(store, &job);
	assert_null(job.arn);
}

static void take_described(struct store *store, struct job job)
{
	store_take_described(store, &job);
	assert_null(job.arn);
}

static void assert_names(const struct store *store, const char *const *names, size_t count)
{
	assert_int_equal(store->count, count);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(store_at(store, i)->name, names[i]);
		assert_ptr_equal(store_find(store, names[i]), store_at(store, i));
	}
}

static void jobs__stand_newest_first__when_taken_in_any_order(void **state)
{
	static const char *const order[] = { "newest", "b", "same-a", "same-b", "old", "undated" };
	struct store store = { 0 };

	(void)state;
	assert_null(store_find(&store, "b"));
	take_summary(&store, listed_job("same-b", 500, "InProgress", "Pending"));
	take_summary(&store, listed_job("old", 100, "InProgress", "Pending"));
	struct job undated = listed_job("undated", 0, "InProgress", "Pending");
	undated.created.set = false;
	take_summary(&store, undated);
	take_summary(&store, listed_job("newest", 900, "InProgress", "Pending"));
	take_described(&store, described_job("same-a", 500, "InProgress", "Pending"));
	take_summary(&store, listed_job("b", 700, "InProgress", "Pending"));
	assert_names(&store, order, ARRAY_LEN(order));
	assert_null(store_find(&store, "c"));
	assert_null(store_find(&store, NULL));
	store_release(&store);
	assert_int_equal(store.count, 0);
	store_release(&store);
	store_release(NULL);
}

static void jobs__move__when_their_creation_becomes_known_or_other(void **state)
{
	static const char *const first[] = { "b", "a" }, *const second[] = { "a", "b" };
	struct store store = { 0 };

	(void)state;
	struct job undated = listed_job("a", 0, "InProgress", "Pending");
	undated.created.set = false;
	take_summary(&store, undated);
	take_summary(&store, listed_job("b", 500, "InProgress", "Pending"));
	assert_names(&store, first, 2);
	take_summary(&store, listed_job("a", 900, "InProgress", "Pending"));
	assert_names(&store, second, 2);
	take_described(&store, described_job("a", 400, "InProgress", "Pending"));
	assert_names(&store, first, 2);
	store_release(&store);
}

static void jobs__are_dropped__when_they_have_no_arn(void **state)
{
	struct store store = { 0 };

	(void)state;
	struct job job = listed_job("a", 1, "InProgress", "Pending");
	free(job.arn);
	job.arn = NULL;
	store_take_summary(&store, &job);
	assert_null(job.status);
	job = listed_job("a", 1, "InProgress", "Pending");
	free(job.arn);
	job.arn = NULL;
	store_take_described(&store, &job);
	assert_int_equal(store.count, 0);
	assert_int_equal(store.version, 0);
	store_release(&store);
}

static void find_name__prefers_training__when_both_kinds_have_it(void **state)
{
	struct store store = { 0 };

	(void)state;
	struct job processing = listed_job("x", 900, "InProgress", NULL);
	processing.kind = JOB_PROCESSING;
	mem_set_text(&processing.arn, "arn:processing");
	take_summary(&store, processing);
	assert_int_equal(store_find_name(&store, "x")->kind, JOB_PROCESSING);
	take_summary(&store, listed_job("x", 100, "InProgress", "Pending"));
	assert_int_equal(store_find_name(&store, "x")->kind, JOB_TRAINING);
	assert_null(store_find_name(&store, "y"));
	store_release(&store);
}

static void summary__keeps_the_details__when_the_status_is_the_same(void **state)
{
	struct store store = { 0 };

	(void)state;
	take_described(&store, described_job("a", 1000, "InProgress", "Pending"));
	uint64_t version = store.version;
	take_summary(&store, listed_job("a", 1000, "InProgress", "Pending"));
	const struct job *job = store_find(&store, "a");
	assert_true(job->described);
	assert_int_equal(job_prefs(job)->length, 1);
	assert_string_equal(job->status_message, "why");
	assert_int_equal(store.version, version);
	struct job ended = listed_job("a", 1000, "InProgress", "Pending");
	ended.ended = at(1500);
	take_summary(&store, ended);
	assert_int_equal(store.version, version + 1);
	ended = listed_job("a", 1000, "InProgress", "Pending");
	ended.ended = at(1500);
	ended.failure_reason = mem_copy_text("AlgorithmError");
	take_summary(&store, ended);
	assert_int_equal(store.version, version + 2);
	assert_string_equal(store_find(&store, "a")->failure_reason, "AlgorithmError");
	/* A list that leaves the secondary status out says nothing about it. */
	take_summary(&store, listed_job("a", 1000, "InProgress", NULL));
	assert_string_equal(store_find(&store, "a")->secondary_status, "Pending");
	assert_true(store_find(&store, "a")->described);
	store_release(&store);
}

static void summary__outdates_the_details__when_it_tells_another_status(void **state)
{
	struct store store = { 0 };

	(void)state;
	struct job running = described_job("a", 1000, "InProgress", "Training");
	running.started = at(2000);
	running.billable = at(5000);
	running.training_time = at(5000);
	take_described(&store, running);
	uint64_t version = store.version;
	struct job done = listed_job("a", 1000, "Completed", "Completed");
	done.modified = at(9000);
	done.ended = at(9000);
	take_summary(&store, done);
	const struct job *job = store_find(&store, "a");
	assert_true(store.version > version);
	assert_false(job->described);
	assert_true(job_has_details(job));
	assert_int_equal(job_phase(job), PHASE_COMPLETED);
	assert_int_equal(job->ended.ms, 9000);
	/* What cannot change is still shown; what did is not. */
	assert_int_equal(job_prefs(job)->length, 1);
	assert_true(job->selected.set);
	assert_null(job->status_message);
	assert_false(job->billable.set || job->training_time.set);
	store_release(&store);
}

static void summary__tells_of_the_pool__where_it_says_something(void **state)
{
	struct store store = { 0 };

	(void)state;
	struct job done = described_job("a", 1000, "Completed", "Completed");
	done.keep_alive_seconds = 70;
	take_described(&store, done);
	struct job told = listed_job("a", 1000, "Completed", "Completed");
	told.pool.status = mem_copy_text("Reused");
	told.pool.reused_by = mem_copy_text("b");
	told.pool.retained = at(69000);
	uint64_t version = store.version;
	take_summary(&store, told);
	const struct job *job = store_find(&store, "a");
	assert_true(store.version > version);
	assert_string_equal(job->pool.reused_by, "b");
	version = store.version;
	take_summary(&store, listed_job("a", 1000, "Completed", "Completed"));
	assert_true(store.version == version);
	assert_string_equal(job->pool.status, "Reused");
	assert_int_equal(job->pool.retained.ms, 69000);
	assert_true(job->described);
	store_release(&store);
}

static void summary__selects_the_one_preference__when_the_wait_is_over(void **state)
{
	struct store store = { 0 };

	(void)state;
	take_described(&store, described_job("a", 1000, "InProgress", "Pending"));
	assert_false(store_find(&store, "a")->selected.set);
	take_summary(&store, listed_job("a", 1000, "InProgress", "Downloading"));
	assert_true(store_find(&store, "a")->selected.set);
	store_release(&store);
}

/* Processing goes from pending to running without another status. */
static void summary__outdates_the_details__when_it_was_modified_since(void **state)
{
	struct store store = { 0 };

	(void)state;
	struct job job = described_job("a", 1000, "InProgress", NULL);
	job.kind = JOB_PROCESSING;
	take_described(&store, job);
	/* Less than a second is rounding. */
	job = listed_job("a", 1000, "InProgress", NULL);
	job.kind = JOB_PROCESSING;
	job.modified = at(1999);
	take_summary(&store, job);
	assert_true(store_find(&store, "a")->described);
	job = listed_job("a", 1000, "InProgress", NULL);
	job.kind = JOB_PROCESSING;
	job.modified = at(3000);
	take_summary(&store, job);
	assert_false(store_find(&store, "a")->described);
	assert_int_equal(job_phase(store_find(&store, "a")), PHASE_PENDING);
	assert_string_equal(store_find(&store, "a")->status_message, "why");
	store_release(&store);
}

static void summary__is_ignored__when_it_is_older_than_what_is_known(void **state)
{
	struct store store = { 0 };

	(void)state;
	struct job done = described_job("a", 1000, "Completed", "Completed");
	done.modified = at(9000);
	take_described(&store, done);
	uint64_t version = store.version;
	/* Asked before the job ended, answered after the description. */
	struct job late = listed_job("a", 1000, "InProgress", "Training");
	late.modified = at(8000);
	take_summary(&store, late);
	assert_int_equal(job_phase(store_find(&store, "a")), PHASE_COMPLETED);
	assert_true(store_find(&store, "a")->described);
	assert_int_equal(store.version, version);
	store_release(&store);
}

static void described__replaces_all__when_taken(void **state)
{
	struct store store = { 0 };

	(void)state;
	take_summary(&store, listed_job("a", 1000, "InProgress", "Pending"));
	take_described(&store, described_job("a", 1000, "InProgress", "Training"));
	const struct job *job = store_find(&store, "a");
	assert_true(job->described);
	assert_string_equal(job->secondary_status, "Training");
	assert_int_equal(job_prefs(job)->length, 1);
	assert_int_equal(store.count, 1);
	store_release(&store);
}

static void described__is_no_change__when_the_reply_is_the_same(void **state)
{
	struct store store = { 0 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct job job = described_job("a", 1000, "InProgress", "Pending");
		job.request_json = mem_copy_text(i < 2 ? "{\"a\":1}" : "{\"a\":2}");
		job.described_mono_ms = i;
		take_described(&store, job);
		assert_int_equal(store.version, i < 2 ? 1 : 2);
		assert_int_equal(store_find(&store, "a")->described_mono_ms, i);
	}
	/* Outdated meanwhile: the same reply is news. */
	take_summary(&store, listed_job("a", 1000, "InProgress", "Training"));
	struct job job = described_job("a", 1000, "InProgress", "Pending");
	job.request_json = mem_copy_text("{\"a\":2}");
	take_described(&store, job);
	assert_int_equal(store.version, 4);
	store_release(&store);
}

/* Whose words the text is goes with it: an ended job's record of Search comes without one. */
static void text__stays_with_whose_it_is__where_a_record_has_none(void **state)
{
	static const char *const texts[] = { "{\"a\":1}", NULL, "{\"a\":2}", NULL };
	static const bool of_search[] = { true, false, false, true };
	static const bool known[] = { true, true, false, false };
	struct store store = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct job job = described_job("a", 1000, "InProgress", "Pending");
		job.request_json = texts[i] ? mem_copy_text(texts[i]) : NULL;
		job.text_is_of_search = texts[i] && of_search[i];
		take_described(&store, job);
		assert_non_null(store_find(&store, "a")->request_json);
		assert_int_equal(store_find(&store, "a")->text_is_of_search, known[i]);
	}
	store_release(&store);
}

/* Search tells the tags beside the same text; a Describe has none to tell. */
static void tags__stay__until_others_are_told(void **state)
{
	char key[] = "team", value[] = "nlp", other[] = "cv";
	const struct tag tag = { key, value }, moved = { key, other };
	const struct tag *const told[] = { NULL, &tag, NULL, &tag, &moved };
	static const char *const known[] = { NULL, "nlp", "nlp", "nlp", "cv" };
	static const uint64_t versions[] = { 1, 2, 2, 2, 3 };
	struct store store = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(told); i++) {
		struct job job = described_job("a", 1000, "InProgress", "Pending");
		job.request_json = mem_copy_text("{\"a\":1}");
		job.tags = told[i] ? tag_list_new(told[i], 1) : NULL;
		take_described(&store, job);
		const struct tag_list *tags = store_find(&store, "a")->tags;
		assert_int_equal(tags != NULL, known[i] != NULL);
		if (known[i])
			assert_string_equal(tags->items[0].value, known[i]);
		assert_int_equal(store.version, versions[i]);
	}
	take_summary(&store, listed_job("a", 1000, "InProgress", "Training"));
	assert_string_equal(store_find(&store, "a")->tags->items[0].value, "cv");
	store_release(&store);
}

/* The list of this run has come before what an earlier one kept: of the same end the details are
 * taken, of a newer state they are not. */
static void recorded__completes_a_summary__of_the_same_end(void **state)
{
	struct store store = { 0 };

	(void)state;
	take_summary(&store, listed_job("same", 1000, "Completed", "Completed"));
	take_summary(&store, listed_job("other", 1000, "Failed", "Failed"));
	take_summary(&store, listed_job("later", 9000, "Completed", "Completed"));
	take_described(&store, described_job("known", 1000, "Completed", "Completed"));
	uint64_t version = store.version;
	struct job same = described_job("same", 1000, "Completed", "Completed");
	struct job other = described_job("other", 1000, "Completed", "Completed");
	struct job later = described_job("later", 1000, "Completed", "Completed");
	struct job known = described_job("known", 1000, "Completed", "Completed");
	struct job live = described_job("same", 1000, "InProgress", "Training");
	live.described = false;
	job_edit_prefs(&known)->entries[0].count = 77;
	store_take_recorded(&store, &live, 5000);
	assert_int_equal(store.version, version);
	store_take_recorded(&store, &same, 5000);
	store_take_recorded(&store, &other, 5000);
	store_take_recorded(&store, &later, 5000);
	store_take_recorded(&store, &known, 5000);
	assert_true(store_find(&store, "same")->described);
	assert_int_equal(job_prefs(store_find(&store, "same"))->entries[0].count, 2);
	assert_int_equal(store_find(&store, "same")->revision, 0); /* nothing to be written */
	assert_int_equal(store.version, version + 1);
	assert_false(store_find(&store, "other")->described);
	assert_false(store_find(&store, "later")->described);
	assert_int_equal(job_prefs(store_find(&store, "known"))->entries[0].count, 2);
	store_release(&store);
}

static void forget__leaves_the_others_findable__when_many_share_the_index(void **state)
{
	struct store store = { 0 };
	char name[JOB_NAME_SIZE];

	(void)state;
	for (int i = 0; i < 1000; i++) {
		assert_true(snprintf(name, sizeof(name), "job-%d", i) > 0);
		take_summary(&store, listed_job(name, i % 17, "InProgress", "Pending"));
	}
	for (int i = 0; i < 1000; i += 3) {
		assert_true(snprintf(name, sizeof(name), "job-%d", i) > 0);
		store_forget(&store, name);
		store_forget(&store, name);
	}
	store_forget(&store, NULL);
	assert_int_equal(store.version, 1000 + 334);
	assert_int_equal(store.count, 666);
	for (int i = 0; i < 1000; i++) {
		assert_true(snprintf(name, sizeof(name), "job-%d", i) > 0);
		const struct job *job = store_find(&store, name);
		assert_int_equal(job != NULL, i % 3 != 0);
		if (job)
			assert_string_equal(job->name, name);
	}
	for (size_t i = 1; i < store.count; i++)
		assert_true(store_at(&store, i - 1)->created.ms >= store_at(&store, i)->created.ms);
	store_release(&store);
}

static int64_t fake_mono(void *self)
{
	return *(int64_t *)self;
}

static int64_t fake_wall(void *self)
{
	return *(int64_t *)self + 7;
}

static void old_ended_ones__are_dropped__but_no_live_or_kept_one(void **state)
{
	static const char *const left[] = { "young", "live", "kept", "changed" };
	struct store store = { 0 };
	struct job job;

	(void)state;
	take_summary(&store, listed_job("live", 900, "InProgress", "Pending"));
	for (int i = 0; i < 3; i++) {
		job = listed_job(i == 0   ? "young"
				 : i == 1 ? "kept"
					  : "old",
				 1000 - i * 200, i == 1 ? "Failed" : "Completed", "Completed");
		job.ended = (struct opt_ms){ true, i == 0 ? 5000 : 4999 };
		job.modified = (struct opt_ms){ true, 9000 };
		take_summary(&store, job);
	}
	/* Without an end its last change counts; one without either stays. */
	job = listed_job("stopped", 500, "Stopped", "Stopped");
	job.modified = (struct opt_ms){ true, 4000 };
	take_summary(&store, job);
	job = listed_job("changed", 400, "Stopped", "Stopped");
	job.modified = (struct opt_ms){ 0 };
	take_summary(&store, job);
	store_drop_ended(&store, 5000, "kept");
	assert_names(&store, left, ARRAY_LEN(left));
	store_drop_ended(&store, 5000, NULL);
	assert_int_equal(store.count, 3);
	assert_null(store_find(&store, "kept"));
	store_release(&store);
}

static void now__is_the_last_date_and_the_time_since__when_one_has_come(void **state)
{
	int64_t mono = 5000;
	struct clock clock = { fake_mono, fake_wall, &mono };
	struct store store = { 0 };

	(void)state;
	assert_int_equal(store_now_ms(&store, &clock), 5007);
	store_note_date(&store, 1000000, 5000);
	mono = 5250;
	assert_int_equal(store_now_ms(&store, &clock), 1000250);
	/* A clock that was set forward, or a simulated one that runs faster. */
	store_note_date(&store, 2000000, 5250);
	assert_int_equal(store_now_ms(&store, &clock), 2000000);
	store_release(&store);
}

/* Dates have whole seconds: replies at 0.9 s and 1.2 s say 0 and 1. */
static void now__does_not_run_backwards__when_dates_are_rounded_down(void **state)
{
	int64_t mono = 100;
	struct clock clock = { fake_mono, fake_wall, &mono };
	struct store store = { 0 };

	(void)state;
	store_note_date(&store, 1000000, 100);
	mono = 1000;
	int64_t before = store_now_ms(&store, &clock);
	store_note_date(&store, 1000000, 1000);
	assert_int_equal(store_now_ms(&store, &clock), before);
	/* A whole second back is another clock. */
	store_note_date(&store, 999900, 1000);
	assert_int_equal(store_now_ms(&store, &clock), 999900);
	store_note_date(&store, INT64_MAX, -5);
	assert_int_equal(store_now_ms(&store, &clock), 999900);
	store_release(&store);
}

static void freshness__says_what_happened__when_noted(void **state)
{
	struct store store = { 0 };
	struct err err = { 0 };
	const struct freshness *fresh = &store.sources[SOURCE_PROCESSING];

	(void)state;
	store_note_asked(&store, SOURCE_PROCESSING);
	assert_true(fresh->asked);
	assert_false(fresh->loaded || fresh->failing);
	assert_false(store.sources[SOURCE_TRAINING].asked);
	assert_int_equal(store.version, 1);
	store_note_asked(&store, SOURCE_PROCESSING);
	assert_int_equal(store.version, 1);
	store_note_loaded(&store, SOURCE_PROCESSING, 4000);
	assert_true(fresh->loaded);
	err_set(&err, ERR_THROTTLED, "Rate exceeded");
	store_note_failed(&store, SOURCE_PROCESSING, &err, 9000);
	err_clear(&err);
	assert_true(fresh->failing && fresh->loaded);
	assert_int_equal(fresh->loaded_mono_ms, 4000);
	assert_int_equal(fresh->retry_mono_ms, 9000);
	assert_string_equal(err_text(&fresh->error), "Rate exceeded");
	store_note_loaded(&store, SOURCE_PROCESSING, 9500);
	assert_false(fresh->failing);
	assert_int_equal(fresh->error.code, ERR_NONE);
	assert_int_equal(store.version, 4);
	err_set(&err, ERR_NET, "no route");
	store_note_failed(&store, SOURCE_TRAINING, &err, 1);
	err_clear(&err);
	store_release(&store);
}

/* Any order of arrival, oldest first being the one that moves most. Work, not time, is bounded:
 * with a full sort a page this test would take minutes. */
static void store__holds_ten_thousand_jobs__when_the_oldest_come_first(void **state)
{
	struct store store = { 0 };
	char name[JOB_NAME_SIZE];

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 10000; i++) {
			assert_true(snprintf(name, sizeof(name), "job-%d", i) > 0);
			take_summary(&store, listed_job(name, i, "InProgress", "Pending"));
		}
	}
	assert_int_equal(store.count, 10000);
	assert_int_equal(store.version, 10000);
	for (size_t i = 0; i < store.count; i++)
		assert_int_equal(store_at(&store, i)->created.ms, 9999 - i);
	assert_int_equal(store_totals(&store, 20000).pending, 10000);
	assert_int_equal(store_totals(&store, 20000).oldest_wait_ms, 20000);
	store_release(&store);
}

/* Newest last: each goes to the end, so that filling is quick. */
static void store__drops_further_jobs__at_its_ceiling(void **state)
{
	struct store store = { 0 };
	char name[JOB_NAME_SIZE];

	(void)state;
	for (int i = 0; i < STORE_JOBS_MAX + 10; i++) {
		assert_true(snprintf(name, sizeof(name), "job-%d", i) > 0);
		take_summary(&store,
			     listed_job(name, STORE_JOBS_MAX + 10 - i, "InProgress", "Pending"));
	}
	assert_int_equal(store.count, STORE_JOBS_MAX);
	assert_non_null(store_find_name(&store, "job-0"));
	assert_int_equal(snprintf(name, sizeof(name), "job-%d", STORE_JOBS_MAX - 1), 9);
	assert_non_null(store_find_name(&store, name));
	assert_int_equal(snprintf(name, sizeof(name), "job-%d", STORE_JOBS_MAX), 10);
	assert_null(store_find_name(&store, name));
	/* Those known go on being followed. */
	take_summary(&store, listed_job("job-0", STORE_JOBS_MAX + 10, "Completed", "Completed"));
	assert_string_equal(store_find_name(&store, "job-0")->status, "Completed");
	store_release(&store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs__stand_newest_first__when_taken_in_any_order),
		cmocka_unit_test(jobs__move__when_their_creation_becomes_known_or_other),
		cmocka_unit_test(jobs__are_dropped__when_they_have_no_arn),
		cmocka_unit_test(find_name__prefers_training__when_both_kinds_have_it),
		cmocka_unit_test(summary__keeps_the_details__when_the_status_is_the_same),
		cmocka_unit_test(summary__outdates_the_details__when_it_tells_another_status),
		cmocka_unit_test(summary__tells_of_the_pool__where_it_says_something),
		cmocka_unit_test(summary__selects_the_one_preference__when_the_wait_is_over),
		cmocka_unit_test(summary__outdates_the_details__when_it_was_modified_since),
		cmocka_unit_test(summary__is_ignored__when_it_is_older_than_what_is_known),
		cmocka_unit_test(described__replaces_all__when_taken),
		cmocka_unit_test(described__is_no_change__when_the_reply_is_the_same),
		cmocka_unit_test(text__stays_with_whose_it_is__where_a_record_has_none),
		cmocka_unit_test(tags__stay__until_others_are_told),
		cmocka_unit_test(recorded__completes_a_summary__of_the_same_end),
		cmocka_unit_test(forget__leaves_the_others_findable__when_many_share_the_index),
		cmocka_unit_test(old_ended_ones__are_dropped__but_no_live_or_kept_one),
		cmocka_unit_test(now__is_the_last_date_and_the_time_since__when_one_has_come),
		cmocka_unit_test(now__does_not_run_backwards__when_dates_are_rounded_down),
		cmocka_unit_test(freshness__says_what_happened__when_noted),
		cmocka_unit_test(store__drops_further_jobs__at_its_ceiling),
		cmocka_unit_test(store__holds_ten_thousand_jobs__when_the_oldest_come_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
