/* One yes, one job: whatever happens to the disk or to the program, or two of them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aws/journal_files.h"
#include "tests/submitscene.h"

static void submit__sends_nothing__that_it_cannot_write_down(void **state)
{
	struct scene scene = { 0 };
	char path[256], aside[256];

	(void)state;
	scene_start(&scene);
	scene_submit(&scene);
	scene_want(&scene, 0, SUBMIT_DONE);
	scene_forget_told(&scene);
	snprintf(path, sizeof(path), "%s/journal", scene.folder);
	snprintf(aside, sizeof(aside), "%s/aside", scene.folder);
	/* A link where a folder should be; root may write anywhere else. */
	assert_int_equal(rename(path, aside), 0);
	assert_int_equal(symlink(aside, path), 0);
	scene_order(&scene, "run-2", SECOND_TEXT, NULL);
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_REFUSED);
	scene_want_words(&scene, 0,
			 "nothing was sent, since the intent cannot be written down first");
	assert_non_null(strstr(scene.told[0].err.subject, scene.folder));
	assert_int_equal(scene.creates, 1);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rename(aside, path), 0);
	scene_stop(&scene);
}

/* The disk's thread is busy with something that does not end: nothing may be sent later either. */
static void hang(void *self, struct err *err)
{
	char byte;

	(void)err;
	while (read(*(int *)self, &byte, 1) < 0)
		continue;
}

static void keep(void *self)
{
	(void)self;
}

static void submit__gives_up__when_the_disk_hangs_for_ten_seconds(void **state)
{
	struct scene scene = { 0 };
	int fds[2];

	(void)state;
	scene_start(&scene);
	assert_int_equal(pipe(fds), 0);
	const struct disk_work work = { hang, keep, &fds[0] };

	disk_run(scene.disk, &work, NULL, NULL);
	scene_order(&scene, "run-1", TEXT, NULL);
	fake_run(scene.world, 9900);
	assert_int_equal(scene.count, 0);
	fake_run(scene.world, 200);
	scene_want(&scene, 0, SUBMIT_REFUSED);
	scene_want_words(&scene, 0, "XDG_STATE_HOME");
	close(fds[1]); /* it goes on: and finds that it was given up */
	scene_end(&scene);
	assert_int_equal(scene_count_files(&scene, ".json"), 0);
	assert_int_equal(scene.creates, 0);
	close(fds[0]);
	scene_stop(&scene);
}

static void records__are_for_their_owner_alone(void **state)
{
	struct scene scene = { .faults = { FAULT_LOST_AFTER }, .blind = true };
	struct stat status;
	char path[256];

	(void)state;
	scene_start(&scene);
	scene_order(&scene, "run-1", TEXT, NULL);
	scene_run(&scene, 1000);
	snprintf(path, sizeof(path), "%s/journal", scene.folder);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);
	assert_int_equal(stat(scene.folder, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);
	snprintf(path, sizeof(path), "%s/journal/training-run-1.json", scene.folder);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(scene_count_files(&scene, ".tmp"), 0);
	scene_stop(&scene);
}

/* --- two programs --- */

static void submit__is_sent_once__by_two_keys_on_one_draft(void **state)
{
	struct scene scene = { 0 };

	(void)state;
	scene_start(&scene);
	scene_order(&scene, "run-1", TEXT, "d-1");
	scene_order(&scene, "run-2", SECOND_TEXT, "d-1");
	scene_run(&scene, MINUTE_MS);
	assert_int_equal(scene.count, 2);
	scene_want(&scene, 0, SUBMIT_HELD);
	scene_want_words(&scene, 0, "run-2 was not sent: this draft is being submitted as run-1");
	scene_want(&scene, 1, SUBMIT_DONE);
	assert_int_equal(scene.creates, 1);
	/* The same key twice under one name, too. */
	scene_forget_told(&scene);
	scene_order(&scene, "run-3", SCENE_RUN_TEXT("run-3", "2"), NULL);
	scene_order(&scene, "run-3", SCENE_RUN_TEXT("run-3", "2"), NULL);
	scene.exists = false;
	scene_run(&scene, MINUTE_MS);
	assert_int_equal(scene.count, 2);
	scene_want(&scene, 0, SUBMIT_HELD);
	scene_want(&scene, 1, SUBMIT_DONE);
	assert_int_equal(scene.creates, 2);
	/* And later: it has been sent. */
	scene_forget_told(&scene);
	scene_order(&scene, "run-2", SECOND_TEXT, "d-1");
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_HELD);
	scene_want_words(&scene, 0, "this draft has been submitted as run-1 at 2026-11-30T20:4");
	assert_string_equal(scene.told[0].arn, "arn:run-1");
	assert_int_equal(scene.creates, 2);
	scene_stop(&scene);
}

static struct process other_program;

static void hold_here(struct journal_record *record)
{
	record->holder = other_program;
}

static void hold_elsewhere(struct journal_record *record)
{
	snprintf(record->holder.host, sizeof(record->holder.host), "login-2");
}

static void submit__is_held__by_another_program(void **state)
{
	struct scene scene = { 0 };

	(void)state;
	scene_start(&scene);
	scene_leave_record(&scene, "d-1", hold_elsewhere);
	scene_order(&scene, "run-1", TEXT, "d-1");
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_HELD);
	scene_want_words(&scene, 0,
			 "gpuq on another machine is submitting it as run-1 (process 1073741824"
			 " on login-2, since 2026-11-30T20:48:08Z)");
	scene_want_words(&scene, 0, "journal/draft-d-1.json");
	assert_int_equal(scene.creates, 0);
	/* It is not touched by settling either. */
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, MINUTE_MS);
	assert_int_equal(scene.settled, 1);
	assert_int_equal(scene.creates, 0);
	assert_non_null(strstr(scene.trouble, "run-1 is left to the gpuq that submits it"));
	assert_true(scene_journal_says(&scene, "draft-d-1", "\"host\": \"login-2\""));
	scene_stop(&scene);
}

static void submit__is_held__by_a_program_that_lives(void **state)
{
	struct scene scene = { 0 };
	int fds[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		process_self(&other_program);
		if (write(fds[1], &other_program, sizeof(other_program)) < 0)
			_exit(1);
		pause();
		_exit(0);
	}
	assert_true(read(fds[0], &other_program, sizeof(other_program)) > 0);
	scene_start(&scene);
	scene_leave_record(&scene, "d-1", hold_here);
	scene_order(&scene, "run-1", TEXT, "d-1");
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_HELD);
	scene_want_words(&scene, 0, "another gpuq is submitting it");
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, MINUTE_MS);
	assert_int_equal(scene.creates, 0);
	assert_int_equal(scene.settled, 1);
	/* It is killed, and its record is anybody's. */
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	scene_forget_told(&scene);
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_DONE);
	assert_int_equal(scene.made, 1);
	close(fds[0]);
	close(fds[1]);
	scene_stop(&scene);
}

/* --- what an earlier run left --- */

static void settle__sends_what_never_arrived__within_fifteen_minutes(void **state)
{
	struct scene scene = { 0 };

	(void)state;
	scene_start(&scene);
	scene_leave_record(&scene, "d-1", NULL);
	scene_run(&scene, 14 * MINUTE_MS);
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_DONE);
	assert_true(scene.told[0].late);
	assert_string_equal(scene.told[0].draft, "d-1");
	assert_int_equal(scene.creates, 1);
	assert_int_equal(scene.settled, 1);
	assert_true(fake_count(scene.world, "DescribeTrainingJob") >= 2);
	assert_string_equal(fake_nth(scene.world, "CreateTrainingJob", 0)->body, TEXT);
	scene_stop(&scene);

	/* Later, nothing is sent. */
	scene = (struct scene){ 0 };
	scene_start(&scene);
	scene_leave_record(&scene, "d-1", NULL);
	scene_run(&scene, 16 * MINUTE_MS);
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_STALE);
	assert_int_equal(scene.creates, 0);
	scene_stop(&scene);
}

static void settle__finds_what_did_arrive__however_old(void **state)
{
	struct scene scene = { 0 };

	(void)state;
	scene_start(&scene);
	scene_leave_record(&scene, "", NULL);
	scene_make(&scene, TEXT);
	scene_run(&scene, 90 * MINUTE_MS);
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_DONE);
	assert_int_equal(scene.creates, 0);
	assert_true(scene_journal_says(&scene, "training-run-1", "\"state\": \"submitted\""));
	scene_stop(&scene);
}

/* Read-only: what a look shows is settled; what would be sent again stays for a later program. */
static void settle__only_looks__where_it_is_read_only(void **state)
{
	struct scene scene = { .looks_only = true };

	(void)state;
	scene_start(&scene);
	scene_leave_record(&scene, "d-1", NULL);
	scene_run(&scene, MINUTE_MS);
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, 2 * MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_OPEN);
	scene_want_words(&scene, 0, "it is not sent again, since this is read-only");
	assert_int_equal(scene.count, 1);
	assert_int_equal(scene.settled, 1);
	assert_int_equal(scene.creates, 0);
	assert_true(scene_journal_says(&scene, "draft-d-1", "\"state\": \"intended\""));
	/* It had been on its way; then it is settled. */
	scene_make(&scene, TEXT);
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 1, SUBMIT_DONE);
	assert_true(scene_journal_says(&scene, "draft-d-1", "\"state\": \"submitted\""));
	assert_int_equal(scene.creates, 0);
	scene_stop(&scene);
}

static void settle__leaves_a_record__for_its_own_order(void **state)
{
	struct scene scene = { 0 };

	(void)state;
	scene_start(&scene);
	scene_leave_record(&scene, "", NULL);
	submitter_settle(scene.submitter, "training-run-1");
	scene_run(&scene, MINUTE_MS);
	assert_int_equal(scene.settled, 1);
	assert_int_equal(scene.count, 0);
	scene_make(&scene, TEXT);
	scene_submit(&scene);
	scene_want(&scene, 0, SUBMIT_DONE);
	assert_false(scene.told[0].late);
	assert_int_equal(scene.creates, 0); /* the try before had arrived */
	scene_stop(&scene);
}

/* The request was changed between the two tries. */
static void submit__tells_that_the_try_before_has_arrived__with_another_request(void **state)
{
	struct scene scene = { 0 };

	(void)state;
	scene_start(&scene);
	scene_leave_record(&scene, "", NULL);
	scene_make(&scene, TEXT);
	scene_run(&scene, MINUTE_MS);
	scene_order(&scene, "run-1", OTHER_TEXT, NULL);
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_TAKEN);
	scene_want_words(&scene, 0, "the try before has arrived");
	assert_int_equal(scene.creates, 0);
	scene_stop(&scene);
}

static void settle__takes_nobody_elses__where_the_account_is_not_known(void **state)
{
	struct scene scene = { .account = "" };

	(void)state;
	scene_start(&scene);
	scene_leave_record(&scene, "", NULL);
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, MINUTE_MS);
	assert_int_equal(scene.settled, 1);
	assert_int_equal(scene.creates, 0);
	assert_true(scene_journal_says(&scene, "training-run-1", "\"state\": \"intended\""));
	scene_stop(&scene);
}

static void settle__puts_aside__what_it_cannot_read(void **state)
{
	struct scene scene = { 0 };
	char path[256];
	FILE *file;

	(void)state;
	scene_start(&scene);
	scene_leave_record(&scene, "", NULL);
	snprintf(path, sizeof(path), "%s/journal/training-run-9.json", scene.folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("{\"version\": 1, \"state\": \"inten", file);
	fclose(file);
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_DONE);
	assert_int_equal(scene.troubles, 1);
	assert_non_null(strstr(scene.trouble, "training-run-9.json.bad"));
	assert_int_equal(scene_count_files(&scene, ".bad"), 1);
	scene_stop(&scene);
}

static void settle__keeps_what_became_of_it__for_a_week(void **state)
{
	struct scene scene = { 0 };

	(void)state;
	scene_start(&scene);
	scene_submit(&scene);
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, MINUTE_MS);
	assert_int_equal(scene_count_files(&scene, ".json"), 1);
	scene.world->wall_ms += 7 * 24 * 60 * MINUTE_MS;
	scene_end(&scene);
	scene_new_client(&scene);
	scene_begin(&scene);
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, 1000);
	assert_int_equal(scene_count_files(&scene, ".json"), 0);
	scene_stop(&scene);
}

/* C-c: the user does not want it any more. */
/* At once: its intent is not even written; after a send whose answer is lost: looked up, and not
 * sent again. */
static void withdrawn__is_never_sent__or_not_again(void **state)
{
	(void)state;
	for (unsigned sent = 0; sent < 2; sent++) {
		struct scene scene = { .faults = { FAULT_LOST_BEFORE } };
		scene_start(&scene);
		scene_order(&scene, "run-1", TEXT, NULL);
		if (sent)
			scene_run(&scene, 1000);
		assert_int_equal(scene.creates, sent);
		assert_int_equal(submitter_withdraw(scene.submitter, JOB_TRAINING, "run-1"),
				 sent ? WITHDRAWN_LATE : WITHDRAWN);
		assert_int_equal(submitter_withdraw(scene.submitter, JOB_PROCESSING, "run-1"),
				 WITHDRAWN_NONE);
		scene_run(&scene, MINUTE_MS);
		scene_want(&scene, 0, SUBMIT_STALE);
		assert_int_equal(scene.creates, sent);
		assert_true(
			scene_journal_says(&scene, "training-run-1", "\"state\": \"withdrawn\""));
		scene_stop(&scene);
	}
}

static void take_back__leaves_nothing_that_would_be_sent(void **state)
{
	struct scene scene = { .faults = { FAULT_LOST_BEFORE } };

	(void)state;
	scene_start(&scene);
	scene_order(&scene, "run-1", TEXT, NULL);
	scene_run(&scene, 1000);
	assert_int_equal(scene.creates, 1);
	submitter_take_back(scene.submitter);
	scene_end(&scene);
	assert_true(scene_journal_says(&scene, "training-run-1", "\"state\": \"intended\""));
	scene_begin(&scene);
	submitter_settle(scene.submitter, NULL);
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_STALE);
	assert_int_equal(scene.creates, 1);
	scene_stop(&scene);
}

/* In each of its stages; a sanitizer sees what is left behind, and the next run settles it. */
static void submitter__can_be_freed__at_any_moment(void **state)
{
	(void)state;
	for (int64_t after = 0; after < 6000; after += 500) {
		struct scene scene = { .faults = { FAULT_LOST_BEFORE } };

		scene_start(&scene);
		scene_order(&scene, "run-1", TEXT, NULL);
		if (after > 0)
			scene_run(&scene, after);
		bool was_told = scene.count > 0;
		scene_end(&scene);
		scene_begin(&scene);
		if (!was_told)
			scene_submit(&scene); /* goes on with the record of its name */
		scene_want(&scene, 0, SUBMIT_DONE);
		assert_int_equal(scene.made, 1);
		scene_stop(&scene);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(submit__sends_nothing__that_it_cannot_write_down),
		cmocka_unit_test(submit__gives_up__when_the_disk_hangs_for_ten_seconds),
		cmocka_unit_test(records__are_for_their_owner_alone),
		cmocka_unit_test(submit__is_sent_once__by_two_keys_on_one_draft),
		cmocka_unit_test(submit__is_held__by_another_program),
		cmocka_unit_test(submit__is_held__by_a_program_that_lives),
		cmocka_unit_test(settle__sends_what_never_arrived__within_fifteen_minutes),
		cmocka_unit_test(settle__finds_what_did_arrive__however_old),
		cmocka_unit_test(settle__only_looks__where_it_is_read_only),
		cmocka_unit_test(settle__leaves_a_record__for_its_own_order),
		cmocka_unit_test(
			submit__tells_that_the_try_before_has_arrived__with_another_request),
		cmocka_unit_test(settle__takes_nobody_elses__where_the_account_is_not_known),
		cmocka_unit_test(settle__puts_aside__what_it_cannot_read),
		cmocka_unit_test(settle__keeps_what_became_of_it__for_a_week),
		cmocka_unit_test(take_back__leaves_nothing_that_would_be_sent),
		cmocka_unit_test(withdrawn__is_never_sent__or_not_again),
		cmocka_unit_test(submitter__can_be_freed__at_any_moment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
