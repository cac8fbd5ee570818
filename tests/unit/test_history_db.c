/* The history on disk: what is kept and what is not, with which rights, and files that are damaged,
 * read-only, locked, full, somebody else's or a newer gpuq's. */
#define _GNU_SOURCE /* unshare */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "aws/history_db.h"
#include "aws/sql.h"
#include "model/base/mem.h"
#include "tests/jobs.h"
#include "tests/prices.h"
#include "tests/statehome.h"

#define NOBODY  65534
#define LOCK_MS 20
#define T0      INT64_C(1700000000000)

static const struct history_part all = { 0, 0, 10000 };
static char folder[] = "/tmp/gpuq-history-XXXXXX";

static const char *path_of(const char *place, const char *name)
{
	static char path[256];
	snprintf(path, sizeof(path), "%s/%s%s", folder, place, name);
	return path;
}

static char *new_place(const char *name)
{
	return mem_copy_text(path_of(name, ""));
}

static struct history_db *open_well(const char *place)
{
	struct history_told told;
	struct history_db *db = history_db_open(place, LOCK_MS, &told);
	if (!db || told.err.code != ERR_NONE)
		fail_msg("%s: %s", told.err.subject, err_text(&told.err));
	history_told_release(&told);
	return db;
}

/* A list of two of which the second was taken: waited 600 s, ran 3,000 s. */
static struct job fallback_job(const char *name, int64_t created_ms)
{
	struct job job = described_job(name, created_ms, "Completed", "Completed");
	int64_t at_s = created_ms / 1000;
	*job_edit_prefs(&job) = (struct preferences){ .is_list = true };
	add_entry(&job, "ml.p5.48xlarge", 2);
	add_entry(&job, "ml.p4d.24xlarge", 4);
	job.selected = (struct selected){ true, "ml.p4d.24xlarge", 4, 2 };
	job_add_transition(&job, "Pending", "Insufficient capacity", at(created_ms),
			   at(created_ms + 600000));
	add_stretch(&job, "Downloading", at_s + 600, at_s + 700);
	add_stretch(&job, "Training", at_s + 700, at_s + 3600);
	job_add_transition(&job, "Completed", "Training job completed, python train.py --lr 7",
			   at(created_ms + 3600000), at(created_ms + 3600000));
	job.started = at(created_ms + 600000);
	job.ended = at(created_ms + 3600000);
	job.modified = job.ended;
	job.billable = (struct opt_ms){ true, 2900000 };
	job.role_arn = mem_copy_text("arn:aws:iam::111122223333:role/train");
	return job;
}

static void record(struct recorded *out, struct job *job, int64_t seen_ms)
{
	*out = (struct recorded){ .seen_ms = seen_ms };
	recorded_set_job(out, job);
	history_figures(job, &virginia, seen_ms, &out->figures);
	job_release(job);
}

static void save(struct history_db *db, struct job *job, int64_t seen_ms)
{
	struct recorded recorded;
	struct err err = { 0 };
	record(&recorded, job, seen_ms);
	if (!history_db_save(db, &recorded, 1, &err))
		fail_msg("%s", err_text(&err));
	recorded_release(&recorded);
}

static size_t count_jobs(struct history_db *db)
{
	struct recorded *list;
	size_t count;
	struct err err = { 0 };
	if (!history_db_load_since(db, &all, &list, &count, &err))
		fail_msg("%s", err_text(&err));
	recorded_free(list, count);
	return count;
}

static unsigned mode_of(const char *path)
{
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	return status.st_mode & 0777;
}

static void test_kept_and_read_back(void **state)
{
	(void)state;
	char *place = new_place("kept/a");
	struct history_db *db = open_well(place);
	struct job job = fallback_job("llm-ft-0930", T0);
	struct job old = fallback_job("old-one", T0 - 90000000);
	struct job live = described_job("waits", T0 + 5000, "InProgress", "Pending");
	const struct history_part since = { T0, 0, 10 }, second = { T0, 1, 10 };
	struct recorded *list;
	struct err err = { 0 };
	size_t count;
	save(db, &job, T0 + 4000000);
	save(db, &old, T0 + 4000000);
	save(db, &live, T0 + 6000);
	history_db_close(db);
	db = open_well(place);
	assert_true(history_db_load_since(db, &since, &list, &count, &err));
	assert_int_equal(count, 2);
	assert_string_equal(list[0].job.name, "waits");
	assert_false(list[0].job.described); /* it is told anew */
	assert_true(job_has_details(&list[0].job));
	assert_true(job_is_live(&list[0].job));
	const struct job *got = &list[1].job;
	assert_string_equal(got->arn, "llm-ft-0930");
	assert_true(got->described);
	assert_string_equal(got->status, "Completed");
	assert_int_equal(got->created.ms, T0);
	assert_int_equal(got->ended.ms, T0 + 3600000);
	assert_int_equal(got->billable.ms, 2900000);
	assert_string_equal(got->role_arn, "arn:aws:iam::111122223333:role/train");
	assert_true(job_prefs(got)->is_list);
	assert_int_equal(job_prefs(got)->length, 2);
	assert_string_equal(job_prefs(got)->entries[1].instance_type, "ml.p4d.24xlarge");
	assert_int_equal(job_prefs(got)->entries[1].count, 4);
	assert_int_equal(got->selected.rank, 2);
	assert_int_equal(got->selected.count, 4);
	assert_int_equal(got->transition_count, 4);
	assert_string_equal(job_transition(got, 0).message, "Insufficient capacity");
	assert_int_equal(list[1].seen_ms, T0 + 4000000);
	recorded_free(list, count);
	assert_true(history_db_load_since(db, &second, &list, &count, &err));
	assert_int_equal(count, 1);
	assert_string_equal(list[0].job.name, "llm-ft-0930");
	recorded_free(list, count);
	history_db_close(db);
	assert_int_equal(mode_of(place), 0700);
	assert_int_equal(mode_of(path_of("kept/a/", HISTORY_DB_NAME)), 0600);
	free(place);
}

/* p4d.24xlarge x4 for 2,900 s; the price is that of the table. */
static void test_told_to_the_forecast(void **state)
{
	(void)state;
	char *place = new_place("told");
	struct history_db *db = open_well(place);
	struct job job = fallback_job("llm-ft-0930", T0);
	struct recorded recorded;
	struct history history = { 0 };
	struct observation seen;
	struct err err = { 0 };
	char team[] = "team", nlp[] = "nlp";
	const struct tag tag = { team, nlp };
	struct price price = price_find(&virginia, JOB_TRAINING, "ml.p4d.24xlarge");
	record(&recorded, &job, T0 + 4000000);
	recorded.job.tags = tag_list_new(&tag, 1);
	memcpy(job_edit_prefs(&recorded.job)->entries[1].plan_arn, "tp-a",
	       5); /* the one that was chosen */
	assert_true(history_db_save(db, &recorded, 1, &err));
	recorded_release(&recorded);
	assert_true(history_db_load_all(db, &history, &err));
	assert_int_equal(history.count, 1);
	assert_true(history_observe(&history, 0, &seen));
	assert_string_equal(seen.name, "llm-ft-0930");
	assert_string_equal(seen.stem, "llm-ft");
	assert_int_equal(seen.outcome, WAIT_STARTED);
	assert_int_equal(seen.entry_count, 2);
	assert_string_equal(seen.entries[0].instance_type, "ml.p5.48xlarge");
	assert_int_equal(seen.entries[0].count, 2);
	assert_int_equal(seen.chosen_rank, 2);
	assert_int_equal(seen.submitted_at_ms, T0);
	assert_int_equal(seen.wait_ms, 600000);
	assert_int_equal(seen.run.ms, 3000000);
	assert_true(seen.completed);
	assert_int_equal(seen.cost.micro, (price.per_hour_micro * 4 * 2900 + 1800) / 3600);
	assert_string_equal(seen.currency, "USD");
	assert_string_equal(texts_at(&history.texts, history.jobs[0].plan), "tp-a");
	assert_int_equal(history.jobs[0].tag_count, 1);
	assert_string_equal(texts_at(&history.texts, history.tags[history.jobs[0].tag_at]),
			    "team=nlp");
	history_release(&history);
	history_db_close(db);
	free(place);
}

static bool file_has(const char *path, const char *needle)
{
	static char bytes[1 << 20];
	FILE *file = fopen(path, "rb");
	if (!file)
		return false;
	size_t len = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	return memmem(bytes, len, needle, strlen(needle)) != NULL;
}

static void test_never_holds_what_may_be_secret(void **state)
{
	(void)state;
	static const char *const forbidden[] = { "sk-environment", "sk-hyper", "--api-key" };
	static const char *const endings[] = { "", "-wal" };
	char *place = new_place("secret"), path[256];
	struct history_db *db = open_well(place);
	struct job job = fallback_job("leaky", T0);
	mem_set_text(&job.status, "Failed");
	job.request_json = mem_copy_text("{\"Environment\":{\"KEY\":\"sk-environment\"},"
					 "\"HyperParameters\":{\"token\":\"sk-hyper\"}}");
	mem_set_text(&job.failure_reason, "AlgorithmError: Command \"train.py --api-key 1\"");
	mem_set_text(&job.status_message, "AlgorithmError: train.py --api-key 1");
	job_add_transition(&job, "Failed", "AlgorithmError: train.py --api-key 1", at(T0 + 3600000),
			   at(T0 + 3600000));
	save(db, &job, T0 + 4000000);
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s%s", place, HISTORY_DB_NAME, endings[i]);
		for (size_t k = 0; k < 3; k++)
			assert_false(file_has(path, forbidden[k]));
	}
	assert_true(file_has(path, "leaky")); /* the log is where it stands */
	history_db_close(db);
	free(place);
}

static void test_an_older_sight_does_not_replace(void **state)
{
	(void)state;
	char *place = new_place("older");
	struct history_db *db = open_well(place), *other = open_well(place);
	struct job newer = fallback_job("one", T0);
	struct job older = described_job("one", T0, "InProgress", "Pending");
	struct job summary = listed_job("one", T0, "Stopped", "Stopped");
	struct recorded *list;
	struct err err = { 0 };
	size_t count;
	save(db, &newer, T0 + 4000000);
	save(other, &older, T0 + 1000);
	save(other, &summary, T0 + 5000000); /* tells less */
	assert_true(history_db_load_since(db, &all, &list, &count, &err));
	assert_int_equal(count, 1);
	assert_string_equal(list[0].job.status, "Completed");
	assert_int_equal(list[0].job.transition_count, 4);
	recorded_free(list, count);
	history_db_close(db);
	history_db_close(other);
	free(place);
}

static void overwrite(const char *path, off_t from, size_t len)
{
	static const char noise[4096] = "this is not what was written";
	int fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, noise, len, from), (ssize_t)len);
	close(fd);
}

static void fill(const char *place, int jobs)
{
	struct history_db *db = open_well(place);
	for (int i = 0; i < jobs; i++) {
		char name[32];
		snprintf(name, sizeof(name), "job-%d", i);
		struct job job = fallback_job(name, T0 + i);
		save(db, &job, T0 + 4000000);
	}
	history_db_close(db);
}

static void test_damaged_is_set_aside(void **state)
{
	(void)state;
	char *place = new_place("damaged"), aside[512];
	struct history_told told;
	fill(place, 3);
	overwrite(path_of("damaged/", HISTORY_DB_NAME), 0, 100);
	struct history_db *db = history_db_open(place, LOCK_MS, &told);
	assert_non_null(db);
	assert_string_equal(err_text(&told.err), "is damaged");
	assert_non_null(strstr(told.aside, "history.sqlite.damaged-"));
	snprintf(aside, sizeof(aside), "%s/%s", place, told.aside);
	assert_int_equal(access(aside, F_OK), 0);
	history_told_release(&told);
	assert_int_equal(count_jobs(db), 0);
	struct job job = fallback_job("new", T0);
	save(db, &job, T0 + 4000000);
	assert_int_equal(count_jobs(db), 1);
	history_db_close(db);
	free(place);
}

/* A page in the middle: found out when it is read, and then the file is set aside. */
static void test_damaged_in_the_middle(void **state)
{
	(void)state;
	char *place = new_place("middle");
	struct history history = { 0 };
	struct history_told told;
	struct err err = { 0 };
	struct stat status;
	fill(place, 400);
	assert_int_equal(stat(path_of("middle/", HISTORY_DB_NAME), &status), 0);
	for (off_t at = 8192; at + 4096 <= status.st_size; at += 4096)
		overwrite(path_of("middle/", HISTORY_DB_NAME), at, 4096);
	struct history_db *db = history_db_open(place, LOCK_MS, &told);
	if (!told.aside[0]) {
		assert_non_null(db);
		assert_false(history_db_load_all(db, &history, &err));
		assert_true(history_db_is_damaged(db));
		assert_string_equal(err_text(&err), "is damaged");
		history_db_close(db);
		history_told_release(&told);
		db = history_db_renew(place, LOCK_MS, &told);
		assert_non_null(db);
		assert_true(told.aside[0] != '\0');
	}
	assert_int_equal(count_jobs(db), 0);
	history_db_close(db);
	history_told_release(&told);
	history_release(&history);
	err_clear(&err);
	free(place);
}

static void expect_refused(const char *place, const char *why)
{
	struct history_told told;
	struct history_db *db = history_db_open(place, LOCK_MS, &told);
	assert_null(db);
	assert_string_equal(err_text(&told.err), why);
	assert_string_equal(told.aside, "");
	history_told_release(&told);
}

static void test_links_are_refused(void **state)
{
	(void)state;
	char *place = new_place("linked");
	assert_int_equal(mkdir(place, 0700), 0);
	assert_int_equal(symlink("/tmp/gpuq-elsewhere", path_of("linked/", HISTORY_DB_NAME)), 0);
	expect_refused(place, "is a link");
	assert_int_equal(access("/tmp/gpuq-elsewhere", F_OK), -1);
	free(place);
	place = new_place("named");
	fill(place, 1);
	char other[256];
	snprintf(other, sizeof(other), "%s/other", place);
	assert_int_equal(link(path_of("named/", HISTORY_DB_NAME), other), 0);
	expect_refused(place, "has other names");
	free(place);
	place = new_place("link-folder");
	assert_int_equal(symlink(folder, place), 0);
	expect_refused(place, "is a link, or no folder");
	free(place);
}

static void run_sql(const char *place, const char *text)
{
	char path[256];
	struct err err = { 0 };
	snprintf(path, sizeof(path), "%s/%s", place, HISTORY_DB_NAME);
	struct sql *sql = sql_open(path, SQL_WRITE, LOCK_MS, &err);
	assert_non_null(sql);
	assert_true(sql_run(sql, text, &err));
	sql_close(sql);
}

static void test_of_a_newer_gpuq_is_left_alone(void **state)
{
	(void)state;
	char *place = new_place("newer");
	fill(place, 1);
	run_sql(place, "PRAGMA user_version=99");
	expect_refused(place, "was written by a newer gpuq: it is left alone");
	run_sql(place, "PRAGMA user_version=3");
	struct history_db *db = open_well(place);
	assert_int_equal(count_jobs(db), 1);
	history_db_close(db);
	free(place);
}

static void test_locked_by_another(void **state)
{
	(void)state;
	char *place = new_place("locked"), path[256];
	struct history_db *db = open_well(place);
	struct job job = fallback_job("one", T0), again = fallback_job("one", T0);
	struct recorded recorded;
	struct err err = { 0 };
	snprintf(path, sizeof(path), "%s/%s", place, HISTORY_DB_NAME);
	struct sql *other = sql_open(path, SQL_WRITE, LOCK_MS, &err);
	assert_true(sql_run(other, "BEGIN IMMEDIATE", &err));
	record(&recorded, &job, T0 + 4000000);
	assert_false(history_db_save(db, &recorded, 1, &err));
	assert_string_equal(err_text(&err), "is locked by another program");
	assert_false(history_db_is_damaged(db));
	recorded_release(&recorded);
	err_clear(&err);
	assert_int_equal(count_jobs(db), 0); /* it can be read meanwhile */
	assert_true(sql_run(other, "COMMIT", &err));
	sql_close(other);
	save(db, &again, T0 + 4000000);
	assert_int_equal(count_jobs(db), 1);
	history_db_close(db);
	free(place);
}

static void test_removed_while_open(void **state)
{
	(void)state;
	char *place = new_place("removed");
	struct history_db *db = open_well(place);
	assert_false(history_db_is_gone(db));
	assert_int_equal(unlink(path_of("removed/", HISTORY_DB_NAME)), 0);
	assert_true(history_db_is_gone(db));
	history_db_close(db);
	db = open_well(place);
	assert_false(history_db_is_gone(db));
	history_db_close(db);
	free(place);
}

/* The child's status: 0 = as expected. */
static int read_only_as_nobody(const char *place)
{
	struct history_told told;
	struct err err = { 0 };
	struct recorded recorded;
	struct job job = fallback_job("two", T0);
	if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
		return 10;
	struct history_db *db = open_well(place);
	struct job first = fallback_job("one", T0);
	save(db, &first, T0 + 4000000);
	history_db_close(db);
	if (chmod(path_of("nobody/state/", HISTORY_DB_NAME), 0400) != 0 || chmod(place, 0500) != 0)
		return 11;
	db = history_db_open(place, LOCK_MS, &told);
	if (!db || !history_db_is_read_only(db) ||
	    !strstr(err_text(&told.err), "cannot be written"))
		return 12;
	if (count_jobs(db) != 1)
		return 13;
	record(&recorded, &job, T0);
	if (history_db_save(db, &recorded, 1, &err) ||
	    strcmp(err_text(&err), "cannot be written") != 0)
		return 14;
	if (count_jobs(db) != 1)
		return 15;
	history_db_close(db);
	/* The folder alone: no journal can be made beside the file. */
	if (chmod(path_of("nobody/state/", HISTORY_DB_NAME), 0600) != 0)
		return 16;
	db = history_db_open(place, LOCK_MS, &told);
	if (!db || count_jobs(db) != 1)
		return 17;
	history_db_close(db);
	return chmod(place, 0700) == 0 ? 0 : 18;
}

static void test_read_only(void **state)
{
	(void)state;
	char *place = new_place("nobody/state");
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(mkdir(path_of("nobody", ""), 0777), 0);
	assert_int_equal(chmod(path_of("nobody", ""), 0777), 0);
	pid_t pid = fork();
	if (pid == 0)
		_exit(read_only_as_nobody(place));
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	free(place);
}

/* A file system of 512 KiB of its own; 77: there can be none here. */
static int fill_up(const char *place)
{
	struct err err = { 0 };
	bool ok = true;
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("tmpfs", place, "tmpfs", 0, "size=512k,mode=0700") != 0)
		return 77;
	struct history_db *db = open_well(place);
	size_t kept = 0;
	for (int i = 0; i < 5000 && ok; i++) {
		char name[32];
		struct recorded recorded;
		snprintf(name, sizeof(name), "job-%d", i);
		struct job job = fallback_job(name, T0 + i);
		record(&recorded, &job, T0 + 4000000);
		ok = history_db_save(db, &recorded, 1, &err);
		kept += ok;
		recorded_release(&recorded);
	}
	if (ok || strcmp(err_text(&err), "cannot be written: the disk is full") != 0) {
		fprintf(stderr, "%d %s\n", ok, err_text(&err));
		return 12;
	}
	if (count_jobs(db) != kept || kept < 10)
		return 13;
	/* With room again it goes on. */
	if (mount("tmpfs", place, "tmpfs", MS_REMOUNT, "size=4m,mode=0700") != 0)
		return 14;
	struct job job = fallback_job("after", T0);
	save(db, &job, T0 + 4000000);
	if (count_jobs(db) != kept + 1)
		return 15;
	history_db_close(db);
	return 0;
}

static void test_full_disk(void **state)
{
	(void)state;
	char *place = new_place("full");
	assert_int_equal(mkdir(place, 0700), 0);
	pid_t pid = fork();
	if (pid == 0)
		_exit(fill_up(place));
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		printf("skipped: no file system can be mounted here\n");
	else
		assert_int_equal(WEXITSTATUS(status), 0);
	free(place);
}

static void test_facts(void **state)
{
	(void)state;
	char *place = new_place("facts"), *text;
	struct err err = { 0 };
	struct history_db *db = open_well(place);
	assert_null(history_db_fact(db, "filled", &err));
	assert_int_equal(err.code, ERR_NONE);
	assert_true(history_db_set_fact(db, "filled", "17", &err));
	assert_true(history_db_set_fact(db, "filled", "18", &err));
	text = history_db_fact(db, "filled", &err);
	assert_string_equal(text, "18");
	free(text);
	assert_true(history_db_set_fact(db, "filled", NULL, &err));
	assert_null(history_db_fact(db, "filled", &err));
	history_db_close(db);
	free(place);
}

/* The numbers are those of statfs(2). */
static void test_journals_of_file_systems(void **state)
{
	(void)state;
	assert_int_equal(sql_journal_for(0xef53), SQL_JOURNAL_WAL);     /* ext4 */
	assert_int_equal(sql_journal_for(0x01021994), SQL_JOURNAL_WAL); /* tmpfs */
	assert_int_equal(sql_journal_for(0x6969), SQL_JOURNAL_ROLLBACK);
	assert_int_equal(sql_journal_for(0xff534d42), SQL_JOURNAL_ROLLBACK);
	assert_int_equal(sql_journal_for(0x65735546), SQL_JOURNAL_ROLLBACK);
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
		cmocka_unit_test(test_kept_and_read_back),
		cmocka_unit_test(test_told_to_the_forecast),
		cmocka_unit_test(test_never_holds_what_may_be_secret),
		cmocka_unit_test(test_an_older_sight_does_not_replace),
		cmocka_unit_test(test_damaged_is_set_aside),
		cmocka_unit_test(test_damaged_in_the_middle),
		cmocka_unit_test(test_links_are_refused),
		cmocka_unit_test(test_of_a_newer_gpuq_is_left_alone),
		cmocka_unit_test(test_locked_by_another),
		cmocka_unit_test(test_removed_while_open),
		cmocka_unit_test(test_read_only),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_journals_of_file_systems),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
