/* The history of a place from run to run: what is handed to the store at the start, what is written
 * as jobs change, and what is said where the file cannot be used. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "aws/history_db.h"
#include "aws/history_feed.h"
#include "aws/sql.h"
#include "model/base/mem.h"
#include "tests/jobs.h"
#include "tests/statehome.h"

#define T0      INT64_C(1700000000000)
#define WEEK_MS (INT64_C(7) * 24 * 3600 * 1000)

static char folder[] = "/tmp/gpuq-feed-XXXXXX";

/* One run of the program, as far as its history goes. */
struct run {
	int64_t mono_ms;
	struct clock clock;
	struct store store;
	struct history_feed *feed;
	int fd;
	int64_t due_ms; /* monotonic; -1 = none */
	char said[512];
	unsigned says;
};

static int64_t mono_ms(void *self)
{
	return ((struct run *)self)->mono_ms;
}

static int64_t wall_ms(void *self)
{
	return T0 - 1000 + ((struct run *)self)->mono_ms;
}

static void watch(void *host, int fd, short events)
{
	((struct run *)host)->fd = events ? fd : -1;
}

static void wake_in(void *host, int64_t ms)
{
	struct run *run = host;
	run->due_ms = ms < 0 ? -1 : clock_mono_ms(&run->clock) + ms;
}

static void said(void *ctx, const char *text)
{
	struct run *run = ctx;
	snprintf(run->said, sizeof(run->said), "%s", text);
	run->says++;
}

static void begin(struct run *run, const char *place)
{
	*run = (struct run){ .due_ms = -1, .fd = -1 };
	run->mono_ms = 1000;
	run->clock = (struct clock){ mono_ms, wall_ms, run };
	run->feed =
		history_feed_new(&(struct history_feed_options){ .store = &run->store,
								 .clock = &run->clock,
								 .hooks = { watch, wake_in, run },
								 .since_ms = WEEK_MS,
								 .said = said,
								 .ctx = run });
	history_feed_open(run->feed, place);
}

static void end(struct run *run)
{
	history_feed_free(run->feed);
	store_release(&run->store);
}

/* Timers run as soon as they are due; the thread is waited for. */
static void settle(struct run *run)
{
	history_feed_flush(run->feed);
	while (!history_feed_is_settled(run->feed)) {
		struct pollfd fd = { .fd = run->fd, .events = POLLIN };
		if (run->due_ms >= 0 && run->due_ms <= clock_mono_ms(&run->clock)) {
			run->due_ms = -1;
			history_feed_wake(run->feed);
			continue;
		}
		assert_int_equal(poll(&fd, 1, 20000), 1);
		history_feed_ready(run->feed);
	}
}

static void pass(struct run *run, int64_t ms)
{
	run->mono_ms += ms;
}

static struct job ended_job(const char *name, int64_t created_ms)
{
	struct job job = described_job(name, created_ms, "Completed", "Completed");
	add_stretch(&job, "Pending", created_ms / 1000, created_ms / 1000 + 60);
	add_stretch(&job, "Training", created_ms / 1000 + 60, created_ms / 1000 + 120);
	job.started = at(created_ms + 60000);
	job.ended = job.modified = at(created_ms + 120000);
	return job;
}

static void take(struct run *run, struct job job)
{
	store_take_described(&run->store, &job);
	history_feed_note(run->feed);
}

static const char *path_of(const char *place, const char *name)
{
	static char path[512];
	snprintf(path, sizeof(path), "%s/%s", place, name);
	return path;
}

static char *new_place(const char *name)
{
	return mem_copy_text(path_of(folder, name));
}

static void test_a_second_start_has_what_the_first_saw(void **state)
{
	(void)state;
	char *place = new_place("second");
	struct run run;
	begin(&run, place);
	settle(&run);
	assert_true(run.store.history.loaded);
	take(&run, ended_job("done", T0 - 3600000));
	take(&run, ended_job("long-ago", T0 - 2 * WEEK_MS));
	take(&run, described_job("waits", T0 - 1000, "InProgress", "Pending"));
	end(&run); /* without a moment's time */
	begin(&run, place);
	settle(&run);
	assert_int_equal(run.store.count, 2);
	assert_string_equal(store_at(&run.store, 0)->name, "waits");
	assert_false(store_at(&run.store, 0)->described);
	assert_string_equal(store_at(&run.store, 1)->name, "done");
	assert_true(store_at(&run.store, 1)->described);
	assert_true(run.store.recorded_at.set);
	assert_int_equal(run.store.recorded_at.ms, T0);
	assert_int_equal(run.store.history.count, 3);
	assert_int_equal(run.says, 0);
	end(&run);
	free(place);
}

static void test_what_aws_tells_is_newer(void **state)
{
	(void)state;
	char *place = new_place("newer");
	struct run run;
	begin(&run, place);
	settle(&run);
	take(&run, described_job("one", T0 - 1000, "InProgress", "Pending"));
	end(&run);
	begin(&run, place);
	struct job job = ended_job("one", T0 - 1000);
	store_take_described(&run.store, &job);
	settle(&run);
	assert_int_equal(run.store.count, 1);
	assert_string_equal(store_at(&run.store, 0)->status, "Completed");
	assert_int_equal(run.store.history.count, 1);
	assert_int_equal(run.store.history.jobs[0].outcome, WAIT_STARTED);
	end(&run);
	free(place);
}

/* A change is written a second later, and only then: those that follow are written with it. */
static void test_changes_are_written_together(void **state)
{
	(void)state;
	char *place = new_place("paced");
	struct run run;
	begin(&run, place);
	settle(&run);
	take(&run, described_job("one", T0, "InProgress", "Pending"));
	int64_t due_ms = run.due_ms;
	assert_int_equal(due_ms, run.mono_ms + HISTORY_SAVE_MS);
	pass(&run, 900);
	take(&run, ended_job("one", T0));
	assert_int_equal(run.due_ms, due_ms);
	history_feed_wake(run.feed);
	assert_int_equal(run.store.history.count, 0);
	pass(&run, 100);
	history_feed_wake(run.feed);
	assert_int_equal(run.store.history.count, 1);
	settle(&run);
	end(&run);
	free(place);
}

static void test_no_place_and_a_place_again(void **state)
{
	(void)state;
	char *place = new_place("taken");
	struct run run;
	int fd = open(place, O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	close(fd);
	begin(&run, place);
	take(&run, ended_job("one", T0));
	settle(&run);
	assert_int_equal(run.says, 1);
	assert_non_null(strstr(run.said, "the history is kept in memory alone: "));
	assert_non_null(strstr(run.said, "is a link, or no folder"));
	assert_non_null(run.store.history.trouble);
	assert_true(run.store.history.lost);
	assert_int_equal(run.store.history.count, 1); /* the tables have it all the same */
	assert_int_equal(unlink(place), 0);
	pass(&run, HISTORY_RETRY_MS);
	settle(&run);
	assert_string_equal(run.said, "the history is kept on disk again");
	assert_null(run.store.history.trouble);
	end(&run);
	begin(&run, place);
	settle(&run);
	assert_int_equal(run.store.history.count, 1);
	end(&run);
	free(place);
}

/* Both files hold all that is in memory afterwards. */
static void test_damaged_while_it_is_used(void **state)
{
	(void)state;
	static const char noise[65536] = "noise";
	char *place = new_place("noisy");
	struct run run;
	struct stat status;
	char name[32];
	begin(&run, place);
	settle(&run);
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "job-%03d", i);
		take(&run, ended_job(name, T0 - 3600000 + i));
	}
	end(&run);
	begin(&run, place);
	settle(&run);
	assert_int_equal(run.store.count, 300);
	int fd = open(path_of(place, HISTORY_DB_NAME), O_RDWR);
	assert_int_equal(fstat(fd, &status), 0);
	for (off_t at = 0; at < status.st_size; at += (off_t)sizeof(noise))
		assert_true(pwrite(fd, noise, sizeof(noise), at) > 0);
	close(fd);
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "late-%03d", i);
		take(&run, ended_job(name, T0 - 1800000 + i));
	}
	settle(&run);
	assert_non_null(strstr(run.said, "the history was damaged and is kept as "));
	assert_non_null(run.store.history.notice);
	assert_null(run.store.history.trouble);
	assert_false(run.store.history.lost); /* it had been read before */
	end(&run);
	begin(&run, place);
	settle(&run);
	assert_int_equal(run.store.count, 600);
	assert_false(run.store.history.lost);
	assert_int_equal(run.says, 0);
	end(&run);
	free(place);
}

static void test_two_at_once(void **state)
{
	(void)state;
	char *place = new_place("shared");
	struct run one, two;
	begin(&one, place);
	settle(&one);
	begin(&two, place);
	settle(&two);
	take(&one, ended_job("of-one", T0));
	take(&two, ended_job("of-two", T0));
	settle(&one);
	settle(&two);
	assert_int_equal(one.says + two.says, 0);
	end(&one);
	end(&two);
	begin(&one, place);
	settle(&one);
	assert_int_equal(one.store.history.count, 2);
	end(&one);
	free(place);
}

/* Seen at 1 and 2 min, then again 20 min later: two stretches, also in the next run. */
static void test_what_was_not_free(void **state)
{
	(void)state;
	char *place = new_place("refused");
	struct run run;
	begin(&run, place);
	settle(&run);
	take(&run, described_job("waits", T0, "InProgress", "Pending"));
	settle(&run);
	for (int i = 0; i < 2; i++) {
		pass(&run, HISTORY_SIGHT_MS);
		settle(&run);
	}
	pass(&run, 20 * HISTORY_SIGHT_MS);
	settle(&run);
	end(&run);
	begin(&run, place);
	settle(&run);
	const struct history *history = &run.store.history;
	const struct history_refusal *last = history_last_refusal(history, "ml.p4d.24xlarge");
	assert_int_equal(history->refusal_count, 2);
	assert_int_equal(history->refusals[0].since_ms, T0 + HISTORY_SIGHT_MS);
	assert_int_equal(history->refusals[0].until_ms, T0 + 2 * HISTORY_SIGHT_MS);
	assert_non_null(last);
	assert_int_equal(last->since_ms, T0 + 22 * HISTORY_SIGHT_MS);
	assert_null(history_last_refusal(history, "ml.p5.48xlarge"));
	end(&run);
	free(place);
}

static void test_tags_come_later(void **state)
{
	(void)state;
	char *place = new_place("tags");
	struct run run;
	struct job_tags tags = { 0 };
	begin(&run, place);
	take(&run, ended_job("one", T0));
	settle(&run);
	tags_look_at(&run.store.tags, "one");
	tags_add(&tags, "team", "nlp");
	tags.arn = mem_copy_text("one");
	tags_take(&run.store.tags, &tags, run.mono_ms);
	tags_release(&tags);
	settle(&run);
	end(&run);
	begin(&run, place);
	settle(&run);
	const struct history *history = &run.store.history;
	assert_int_equal(history->count, 1);
	assert_int_equal(history->jobs[0].tag_count, 1);
	assert_string_equal(texts_at(&history->texts, history->tags[history->jobs[0].tag_at]),
			    "team=nlp");
	end(&run);
	free(place);
}

/* "a b c": the tags of a job, by their texts. */
static const char *tags_of(const struct history *history, const char *arn)
{
	static char text[256];
	const struct history_job *job = history_find(history, history_key(arn));
	bool taken[8] = { false };
	assert_non_null(job);
	text[0] = '\0';
	for (size_t n = 0; n < job->tag_count; n++) {
		const char *first = NULL;
		size_t at = 0;
		for (size_t i = 0; i < job->tag_count; i++) {
			const char *tag = texts_at(&history->texts, history->tags[job->tag_at + i]);
			if (!taken[i] && (!first || strcmp(tag, first) < 0)) {
				first = tag;
				at = i;
			}
		}
		taken[at] = true;
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", n ? " " : "",
			 first);
	}
	return text;
}

/* Search tells them with each record; a Describe after it, which has none, leaves them. */
static void test_tags_of_every_job(void **state)
{
	(void)state;
	char *place = new_place("alltags"), key[] = "team", value[] = "nlp", other[] = "cv";
	char stage[] = "env", dev[] = "dev";
	const struct tag tags[] = { { key, value }, { stage, dev } }, moved = { key, other };
	struct job first = ended_job("one", T0), second = ended_job("two", T0 + 1);
	struct run run;
	begin(&run, place);
	first.tags = tag_list_new(tags, 2);
	second.tags = tag_list_new(&moved, 1);
	take(&run, first);
	take(&run, second);
	take(&run, ended_job("one", T0));
	settle(&run);
	end(&run);
	begin(&run, place);
	settle(&run);
	assert_string_equal(tags_of(&run.store.history, "one"), "env=dev team=nlp");
	assert_string_equal(tags_of(&run.store.history, "two"), "team=cv");

	struct job again = ended_job("one", T0);
	again.tags = tag_list_new(&moved, 1);
	take(&run, again);
	again = ended_job("two", T0 + 1);
	again.tags = tag_list_new(NULL, 0);
	take(&run, again);
	settle(&run);
	end(&run);
	begin(&run, place);
	settle(&run);
	assert_string_equal(tags_of(&run.store.history, "one"), "team=cv");
	assert_string_equal(tags_of(&run.store.history, "two"), "");
	end(&run);
	free(place);
}

/* The first version has the jobs, but not their tags: all of them are asked for again. */
static void test_of_an_older_gpuq_is_filled_again(void **state)
{
	(void)state;
	char *place = new_place("first"), path[512];
	struct history_told told;
	struct err err = { 0 };
	struct run run;
	begin(&run, place);
	take(&run, ended_job("one", T0));
	search_fill_set(&run.store.fill, true, T0, T0 + 1000, NULL);
	settle(&run);
	end(&run);
	for (int version = 2; version > 0; version--) {
		snprintf(path, sizeof(path), "%s/%s", place, HISTORY_DB_NAME);
		struct sql *sql = sql_open(path, SQL_WRITE, 1000, &err);
		assert_true(sql_run(sql,
				    version == 2 ? "DROP TABLE notes;PRAGMA user_version=2"
						 : "DROP TABLE notes;PRAGMA user_version=1",
				    &err));
		sql_close(sql);
		struct history_db *db = history_db_open(place, 1000, &told);
		assert_non_null(db);
		char *filled = history_db_fact(db, "filled", &err);
		assert_int_equal(filled != NULL, version == 2);
		free(filled);
		history_db_close(db);
		history_told_release(&told);
	}
	begin(&run, place);
	settle(&run);
	assert_int_equal(run.store.count, 1);
	end(&run);
	free(place);
}

/* A note is kept with its job, whether that is known yet or not: before the file has been read, and
 * anew in a file that takes a damaged one's place. */
static void test_notes(void **state)
{
	(void)state;
	char *place = new_place("notes");
	struct run run;
	begin(&run, place);
	history_feed_keep_note(run.feed, JOB_TRAINING, "one", "p4d is enough for the ablation");
	assert_string_equal(history_note(&run.store.history, JOB_TRAINING, "one"),
			    "p4d is enough for the ablation");
	settle(&run);
	history_feed_keep_note(run.feed, JOB_TRAINING, "two", "first");
	settle(&run);
	history_feed_keep_note(run.feed, JOB_TRAINING, "two", "the second try");
	end(&run);
	begin(&run, place);
	settle(&run);
	const struct history *history = &run.store.history;
	assert_int_equal(history->note_count, 2);
	assert_string_equal(history_note(history, JOB_TRAINING, "one"),
			    "p4d is enough for the ablation");
	assert_string_equal(history_note(history, JOB_TRAINING, "two"), "the second try");
	assert_null(history_note(history, JOB_PROCESSING, "one"));
	assert_null(history_note(history, JOB_TRAINING, "three"));
	end(&run);
	free(place);
}

static void save_cost(struct history_db *db, int64_t seen_ms, enum price_source source,
		      int64_t cost_micro)
{
	struct job job = ended_job("one", T0);
	struct recorded recorded = { .figures = { .cost = { source != PRICE_NONE, cost_micro },
						  .currency = "USD",
						  .price_source = source },
				     .seen_ms = seen_ms };
	struct err err = { 0 };
	recorded_set_job(&recorded, &job);
	if (!history_db_save(db, &recorded, 1, &err))
		fail_msg("%s", err_text(&err));
	recorded_release(&recorded);
	job_release(&job);
}

static void expect_cost(struct history_db *db, enum price_source source, int64_t cost_micro)
{
	struct history history = { 0 };
	struct err err = { 0 };
	assert_true(history_db_load_all(db, &history, &err));
	const struct history_job *job = history_find(&history, history_key("one"));
	assert_non_null(job);
	assert_true(job->has_cost);
	assert_int_equal(job->price_source, source);
	assert_int_equal(job->cost_micro, cost_micro);
	history_release(&history);
}

/* Another program may not know the price list, and what this one knew is in the file alone. */
static void test_a_surer_cost_stays(void **state)
{
	(void)state;
	char *place = new_place("costs");
	struct history_told told;
	struct history_db *db = history_db_open(place, HISTORY_LOCK_MS, &told);
	assert_non_null(db);
	save_cost(db, T0 + 4000000, PRICE_TABLE, 5000000);
	save_cost(db, T0 + 5000000, PRICE_LIST, 2000000);
	expect_cost(db, PRICE_LIST, 2000000);
	save_cost(db, T0 + 6000000, PRICE_TABLE, 5000000);
	expect_cost(db, PRICE_LIST, 2000000);
	save_cost(db, T0 + 7000000, PRICE_NONE, 0);
	expect_cost(db, PRICE_LIST, 2000000);
	save_cost(db, T0 + 8000000, PRICE_LIST, 2100000);
	expect_cost(db, PRICE_LIST, 2100000);
	history_db_close(db);
	history_told_release(&told);
	free(place);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	statehome_remove(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_second_start_has_what_the_first_saw),
		cmocka_unit_test(test_what_aws_tells_is_newer),
		cmocka_unit_test(test_changes_are_written_together),
		cmocka_unit_test(test_no_place_and_a_place_again),
		cmocka_unit_test(test_damaged_while_it_is_used),
		cmocka_unit_test(test_two_at_once),
		cmocka_unit_test(test_what_was_not_free),
		cmocka_unit_test(test_tags_come_later),
		cmocka_unit_test(test_tags_of_every_job),
		cmocka_unit_test(test_of_an_older_gpuq_is_filled_again),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_a_surer_cost_stays),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
