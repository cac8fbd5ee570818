/*
 * Several clients, each as in a process of its own, over one file of turns: the real file and the
 * real thread, in a world whose time is turned by hand.
 */
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

#include "aws/client.h"
#include "aws/sagemaker_jobs.h"
#include "aws/sagemaker_plans.h"
#include "aws/search.h"
#include "model/base/mem.h"
#include "tests/party.h"

/* Of one operation a second apart, and of all not five in 2.5 s; less a look at the disk. */
static void check_pace(const struct party *party)
{
	const struct fake_world *world = party->world;

	for (size_t i = 0; i < world->sent_count; i++) {
		const struct fake_sent *sent = &world->sent[i];

		if (i >= 4)
			assert_true(sent->at_ms - world->sent[i - 4].at_ms >= 2500 - PARTY_STEP_MS);
		for (size_t k = 0; k < i; k++) {
			if (strcmp(sent->op, world->sent[k].op) == 0)
				assert_true(sent->at_ms - world->sent[k].at_ms >=
					    1000 - PARTY_STEP_MS);
		}
	}
}

static void one_alone__starts_at_once__and_keeps_its_pace(void **state)
{
	struct party *party = party_new();
	struct party_peer *peer = party_join(party);
	int64_t start_ms = party->world->mono_ms;

	(void)state;
	for (int i = 0; i < 4; i++)
		party_call(peer, &op_search);
	party_call(peer, &op_list_training_jobs);
	party_call(peer, &op_list_processing_jobs);
	party_call(peer, &op_describe_training_job);
	party_pass(party, 50);
	assert_int_equal(peer->done, 4);
	party_pass(party, 3000);
	assert_int_equal(peer->done, 6);
	party_pass(party, 500);
	assert_int_equal(peer->done, 7);
	/* As without others: three seconds, and the half that four lists at once have cost. */
	assert_in_range(fake_nth(party->world, "Search", 3)->at_ms - start_ms, 3000, 3550);
	assert_int_equal(peer->told, 0);
	party_free(party);
}

static void four_together__keep_one_pace__and_get_alike(void **state)
{
	struct party *party = party_new();

	(void)state;
	for (int i = 0; i < PARTY_MAX; i++) {
		struct party_peer *peer = party_join(party);

		for (int k = 0; k < 60; k++) {
			party_call(peer, &op_search);
			party_call(peer, &op_list_training_jobs);
			party_call(peer, &op_list_processing_jobs);
		}
	}
	party_pass(party, 30000);
	check_pace(party);
	/* 1.6 a second. */
	assert_in_range(party->world->sent_count, 46, 52);
	for (int i = 0; i < PARTY_MAX; i++) {
		assert_in_range(party->peers[i].done, 10, 14);
		assert_int_equal(party->peers[i].failed, 0);
	}
	party_free(party);
}

/* With all they want at once the last one would wait for what the others want third. */
static void first_list_of_each__comes_before__all_of_any(void **state)
{
	struct party *party = party_new();

	(void)state;
	for (int i = 0; i < PARTY_MAX; i++) {
		struct party_peer *peer = party_join(party);

		party_call(peer, &op_search);
		party_call(peer, &op_list_training_jobs);
		party_call(peer, &op_list_processing_jobs);
		party_call(peer, &op_list_training_plans);
	}
	party_pass(party, 3100);
	for (int i = 0; i < PARTY_MAX; i++)
		assert_true(party->peers[i].done >= 1);
	assert_int_equal(fake_count(party->world, "Search"), 4);
	party_pass(party, 7000);
	for (int i = 0; i < PARTY_MAX; i++)
		assert_int_equal(party->peers[i].done, 4);
	check_pace(party);
	party_free(party);
}

/* In a long queue all of a process's turns are in the same round of it. */
static void first_list_alone__costs_no_second_round__of_a_long_queue(void **state)
{
	struct party *party = party_new();
	struct pace_place place;
	struct party_peer *peer = party_join(party);
	struct err err = { 0 };
	const struct pace_visit searches = { .op = "Search", .gap_ms = 1000 };
	const struct pace_visit lists = { .op = "ListTrainingJobs", .gap_ms = 1000 };
	struct pace_found found;

	(void)state;
	assert_true(pace_place_init(&place, NULL, &err));
	pace_place_name(&place, "us-east-1", "AKIDEXAMPLE");
	/* 25 s are taken, and others go on to take what comes. */
	for (int i = 0; i < 20; i++) {
		assert_true(pace_file_visit(&place, &party->disk_clock, &searches, &found, &err));
		assert_true(pace_file_visit(&place, &party->disk_clock, &lists, &found, &err));
	}
	party_call(peer, &op_search);
	party_call(peer, &op_list_training_jobs);
	for (int i = 0; i < 30; i++) {
		party_pass(party, 1000);
		assert_true(pace_file_visit(&place, &party->disk_clock, &searches, &found, &err));
		assert_true(pace_file_visit(&place, &party->disk_clock, &lists, &found, &err));
	}
	assert_int_equal(peer->done, 2);
	party_free(party);
}

/* Doctor asks in the middle of a long queue; the others leave room for what it has asked. */
static void one_at_once__waits_for_nobody__and_is_reckoned_with(void **state)
{
	static const struct aws_op *const ops[] = { &op_search, &op_list_training_jobs,
						    &op_list_processing_jobs,
						    &op_list_training_plans };
	struct party *party = party_new();
	struct party_peer *peer = party_join(party), *urgent;

	(void)state;
	for (int i = 0; i < 40; i++)
		party_call(peer, &op_search);
	party_pass(party, 5500);
	assert_int_equal(fake_count(party->world, "Search"), 6);
	party->at_once = true;
	urgent = party_join(party);
	for (size_t i = 0; i < ARRAY_LEN(ops); i++)
		party_call(urgent, ops[i]);
	party_pass(party, 50);
	assert_int_equal(urgent->done, 4);
	party_pass(party, 4000);
	/* Four at once are all that may start in 2.5 s. */
	assert_in_range(fake_nth(party->world, "Search", 7)->at_ms -
				fake_nth(party->world, "Search", 6)->at_ms,
			2500 - 2 * PARTY_STEP_MS, 2500 + 2 * PARTY_STEP_MS);
	party_free(party);
}

static void one_that_dies__leaves_its_turns__and_nothing_else(void **state)
{
	struct party *party = party_new();
	struct party_peer *other;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct party_peer *peer = party_join(party);

		for (int k = 0; k < 60; k++)
			party_call(peer, &op_list_training_jobs);
	}
	party_pass(party, 5000);
	party_leave(&party->peers[0]);
	party_leave(&party->peers[1]);
	other = &party->peers[2];

	unsigned before = other->done;

	party_pass(party, 10000);
	/* Two turns pass unused; then it has all of them. */
	assert_in_range(other->done - before, 7, 10);
	check_pace(party);
	party_free(party);
}

static void throttle_of_one__slows_all__in_that_operation(void **state)
{
	struct party *party = party_new();
	struct party_peer *one = party_join(party), *other = party_join(party);
	struct slowdown slowdown;

	(void)state;
	party->throttled = "ListTrainingJobs";
	party_call(one, &op_list_training_jobs);
	party_pass(party, 100);
	party->throttled = NULL;
	party_call(other, &op_list_training_jobs);
	party_call(other, &op_search);
	party_pass(party, 1800);
	assert_int_equal(fake_count(party->world, "ListTrainingJobs"), 1);
	party_pass(party, 10000);
	slowdown = pace_slowdown(aws_client_pace(other->client), &op_list_training_jobs);
	assert_in_range(slowdown_pace(&slowdown, party->world->mono_ms), 500, 530);
	slowdown = pace_slowdown(aws_client_pace(other->client), &op_search);
	assert_int_equal(slowdown_pace(&slowdown, party->world->mono_ms), 1000);
	assert_int_equal(one->done + other->done, 3);
	assert_int_equal(one->failed + other->failed, 0);

	struct pace_status status =
		pace_status(aws_client_pace(other->client), party->world->mono_ms);

	assert_in_range(status.permille, 500, 530);
	assert_true(status.until.set);
	assert_in_range(status.until.ms - party->world->mono_ms, 280000, 300000);
	party_free(party);
}

/* More than a minute of turns is taken: they are asked for again, and no call is late for that. */
static void long_queue__is_waited_for__however_long(void **state)
{
	struct party *party = party_new();
	struct pace_place place;
	struct party_peer *peer = party_join(party);
	struct err err = { 0 };
	const struct pace_visit throttled = { .op = "Search", .throttles = 3 };
	const struct pace_visit wanted = { .op = "Search", .gap_ms = 1000 };
	struct pace_found found;
	int64_t start_ms = party->world->mono_ms;

	(void)state;
	assert_true(pace_place_init(&place, NULL, &err));
	pace_place_name(&place, "us-east-1", "AKIDEXAMPLE");
	assert_true(pace_file_visit(&place, &party->disk_clock, &throttled, &found, &err));
	do
		assert_true(pace_file_visit(&place, &party->disk_clock, &wanted, &found, &err));
	while (found.taken);
	party_call(peer, &op_search);
	party_pass(party, 3000);
	assert_int_equal(peer->done, 0);

	struct pace_status status =
		pace_status(aws_client_pace(peer->client), party->world->mono_ms);

	assert_int_equal(status.queued_ms, 64000 - 3000);
	assert_true(status.is_shared && status.shared.working);
	assert_in_range(status.shared.ahead_ms, 56000, 56020);
	/* Others take what comes free in that minute. */
	for (int i = 0; i < 600; i++) {
		party_pass(party, 100);
		assert_true(pace_file_visit(&place, &party->disk_clock, &wanted, &found, &err));
	}
	assert_int_equal(peer->done, 0);
	party_pass(party, 120000);
	assert_int_equal(peer->done, 1);
	assert_int_equal(peer->failed, 0);
	assert_true(fake_nth(party->world, "Search", 0)->at_ms - start_ms > 85000);
	/* Its time begins with its turn. */
	assert_int_equal(fake_nth(party->world, "Search", 0)->timeout_ms, op_search.timeout_ms);
	party_free(party);
}

static void folder_that_cannot_be_used__is_told_once__and_tried_again(void **state)
{
	struct party *party = party_new();
	struct party_peer *peer =
		party_join_as(party, &(struct shared_pace_options){ .group = party_folder });

	(void)state;
	assert_int_equal(chmod(party_folder, 0777), 0);
	party_call(peer, &op_search);
	party_call(peer, &op_search);
	party_pass(party, 500);
	assert_int_equal(peer->done, 1);
	assert_int_equal(peer->told, 1);
	assert_non_null(strstr(peer->trouble, "may be written by everybody"));

	struct pace_status status =
		pace_status(aws_client_pace(peer->client), party->world->mono_ms);

	assert_false(status.shared.working);
	assert_non_null(strstr(err_text(status.shared.trouble), "may be written by everybody"));
	/* The own pace goes on. */
	party_pass(party, 600);
	assert_int_equal(peer->done, 2);
	party_call(peer, &op_search);
	party_pass(party, 14500);
	party_call(peer, &op_search);
	party_pass(party, 1000);
	assert_int_equal(peer->done, 4);
	assert_int_equal(peer->told, 1);
	assert_int_equal(chmod(party_folder, 0700), 0);
	party_call(peer, &op_search);
	party_pass(party, 16000);
	party_call(peer, &op_search);
	party_pass(party, 1000);
	assert_int_equal(peer->done, 6);
	status = pace_status(aws_client_pace(peer->client), party->world->mono_ms);
	assert_true(status.shared.working);
	assert_null(status.shared.trouble);
	assert_int_equal(strncmp(status.shared.path, party_folder, strlen(party_folder)), 0);
	party_free(party);
}

static void folder_of_a_group__has_a_whole_path__or_none(void **state)
{
	struct party *party = party_new();
	struct party_peer *peer =
		party_join_as(party, &(struct shared_pace_options){ .group = "pace" });

	(void)state;
	assert_int_equal(peer->told, 1);
	assert_string_equal(peer->trouble, "pace_dir: is no folder's whole path");
	party_call(peer, &op_search);
	party_pass(party, 20);
	assert_int_equal(peer->done, 1);
	party_free(party);
}

static void wait_for_byte(void *self, struct err *err)
{
	char byte;

	if (read(*(int *)self, &byte, 1) != 1)
		err_set(err, ERR_IO, "the test has gone");
}

static void disk_that_hangs__holds_no_call__longer_than_two_seconds(void **state)
{
	struct party *party = party_new();
	struct party_peer *peer = party_join(party);
	int hold[2];

	(void)state;
	assert_int_equal(pipe(hold), 0);
	disk_run(party->disk, &(struct disk_work){ .run = wait_for_byte, .self = &hold[0] }, NULL,
		 NULL);
	party_call(peer, &op_search);
	fake_run(party->world, 1900);
	assert_int_equal(peer->done, 0);
	fake_run(party->world, 200);
	assert_int_equal(peer->done, 1);
	assert_string_equal(peer->trouble, "the disk: does not answer");
	party_call(peer, &op_search);
	party_call(peer, &op_search);
	fake_run(party->world, 2500);
	assert_int_equal(peer->done, 3);
	assert_int_equal(write(hold[1], "x", 1), 1);
	party->world->mono_ms += 20000;
	party_settle(party);
	party_call(peer, &op_search);
	/* The disk may have taken a turn that nobody waits for any more. */
	party_pass(party, 1100);
	assert_int_equal(peer->done, 4);
	assert_int_equal(peer->told, 1);
	assert_true(shared_pace_status(peer->shared).working);
	close(hold[0]);
	close(hold[1]);
	party_free(party);
}

static void call_that_is_cancelled__blocks_no_other(void **state)
{
	struct party *party = party_new();
	struct party_peer *peer = party_join(party);

	(void)state;
	/* While its turn is being asked for; and with one far off. */
	aws_client_cancel(peer->client, party_call(peer, &op_search));
	party_call(peer, &op_list_training_jobs);
	party_pass(party, 1000);
	assert_int_equal(peer->done, 1);
	assert_int_equal(fake_count(party->world, "Search"), 0);
	party_call(peer, &op_search);
	party_pass(party, 2000);
	assert_int_equal(peer->done, 2);
	party_free(party);
}

static void client_that_goes__takes_its_questions_along(void **state)
{
	struct party *party = party_new();
	struct party_peer *peer = party_join(party);

	(void)state;
	party_call(peer, &op_search);
	aws_client_free(peer->client);
	peer->client = NULL;
	party_settle(party);
	assert_int_equal(peer->done, 0);
	/* So does the whole process. */
	peer = party_join(party);
	party_call(peer, &op_search);
	party_leave(peer);
	party_settle(party);
	assert_int_equal(peer->done, 0);
	party_free(party);
}

/* A loop that was held up for a moment; and one that was stopped, whose turn is not its own any
 * more. */
static void turn__may_be_used_a_little_late__or_is_lost(void **state)
{
	struct party *party = party_new();
	struct party_peer *peer = party_join(party), *other = party_join(party);

	(void)state;
	party_call(other, &op_search);
	party_pass(party, 50);
	party_call(peer, &op_search);
	party_pass(party, 900);
	party->world->mono_ms += 400;
	fake_run(party->world, 0);
	assert_int_equal(peer->done, 1);

	party_call(other, &op_search);
	party_pass(party, 50);
	party_call(peer, &op_search);
	party_pass(party, 1500);
	party->world->mono_ms += 700;
	fake_run(party->world, 0);
	assert_int_equal(peer->done, 1);
	party_pass(party, 1000);
	assert_int_equal(peer->done, 2);
	party_free(party);
}

static void pace_that_was_asked_for__is_kept_among_others__too(void **state)
{
	struct party *party = party_new();

	(void)state;
	party->pace = 4;
	for (int i = 0; i < 2; i++) {
		struct party_peer *peer = party_join(party);

		for (int k = 0; k < 20; k++)
			party_call(peer, &op_search);
	}
	party_pass(party, 4000);
	assert_in_range(party->world->sent_count, 15, 17);
	for (size_t i = 1; i < party->world->sent_count; i++) {
		const struct fake_sent *sent = &party->world->sent[i];

		assert_true(sent->at_ms - sent[-1].at_ms >= 250 - PARTY_STEP_MS);
	}
	party_free(party);
}

/* There is nothing to be asked before it is known who asks; a late login does not count as late. */
static void call__takes_its_turn__once_there_are_credentials(void **state)
{
	struct party *party = party_new();
	struct party_peer *peer = party_join(party), *other = party_join(party);

	(void)state;
	peer->held = true;
	party_call(peer, &op_search);
	party_pass(party, 120000);
	assert_string_equal(shared_pace_status(peer->shared).path, "");
	for (int i = 0; i < 9; i++)
		party_call(other, &op_search);
	party_pass(party, 500);
	peer->held = false;
	aws_client_credentials_changed(peer->client);
	party_pass(party, 400);
	assert_int_equal(peer->done, 0);
	party_pass(party, 200);
	assert_int_equal(peer->done, 1);
	assert_int_equal(peer->failed, 0);
	check_pace(party);
	party_free(party);
}

static const char *name_now(struct party *party, struct party_peer *peer)
{
	const char *path;

	party_call(peer, &op_search);
	party_pass(party, 3000);
	path = shared_pace_status(peer->shared).path;
	assert_int_equal(strncmp(path, party_folder, strlen(party_folder)), 0);
	return path + strlen(party_folder) + 1;
}

/* Roles of one account share; an endpoint of the user's own is one place, whoever signs. */
static void whose_pace_it_is__is_known__before_the_first_call(void **state)
{
	struct party *party = party_new();
	struct party_peer *peer = party_join(party);
	struct party_peer *own =
		party_join_as(party, &(struct shared_pace_options){ .own_host = "127.0.0.1:4566" });
	char first[128];

	(void)state;
	snprintf(first, sizeof(first), "%s", name_now(party, peer));
	assert_string_not_equal(name_now(party, own), first);
	mem_set_text(&peer->keys.access_key, "AKIDOTHER");
	assert_string_not_equal(name_now(party, peer), first);
	mem_set_text(&peer->keys.access_key, "ASIAY34FZKBOKMUTVV7A");
	assert_string_equal(name_now(party, peer), "gpuq-us-east-1-609629065308.pace");
	shared_pace_set_account(peer->shared, "111122223333");
	assert_string_equal(name_now(party, peer), "gpuq-us-east-1-111122223333.pace");
	snprintf(peer->keys.account, ACCOUNT_ID_SIZE, "444455556666");
	assert_string_equal(name_now(party, peer), "gpuq-us-east-1-444455556666.pace");
	snprintf(first, sizeof(first), "%s", name_now(party, own));
	snprintf(own->keys.account, ACCOUNT_ID_SIZE, "444455556666");
	shared_pace_set_account(own->shared, "111122223333");
	assert_string_equal(name_now(party, own), first);
	party_free(party);
}

static void calls__are_counted__over_ten_seconds(void **state)
{
	struct party *party = party_new();
	struct party_peer *peer = party_join(party);
	const struct pace *pace = aws_client_pace(peer->client);
	struct fake_world *world = party->world;

	(void)state;
	assert_int_equal(pace_status(pace, world->mono_ms).calls, 0);
	for (int i = 0; i < 5; i++)
		party_call(peer, &op_search);
	party_call(peer, &op_stop_training_job);
	party_pass(party, 4900);
	assert_int_equal(pace_status(pace, world->mono_ms).calls, 6);
	assert_int_equal(pace_status(pace, world->mono_ms + 5000).calls, 6);
	assert_int_equal(pace_status(pace, world->mono_ms + 6200).calls, 3);
	assert_int_equal(pace_status(pace, world->mono_ms + 60000).calls, 0);
	assert_in_range(pace_status(pace, world->mono_ms).shared.started, 4, 5);
	assert_int_equal(pace_status(pace, world->mono_ms).permille, 1000);
	party->world->mono_ms += 25000;
	party_call(peer, &op_search);
	party_pass(party, 10);
	assert_int_equal(pace_status(pace, world->mono_ms).calls, 1);
	party_free(party);
}

#define IN_FOLDER(test) \
	cmocka_unit_test_setup_teardown(test, party_folder_make, party_folder_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(one_alone__starts_at_once__and_keeps_its_pace),
		IN_FOLDER(four_together__keep_one_pace__and_get_alike),
		IN_FOLDER(first_list_of_each__comes_before__all_of_any),
		IN_FOLDER(first_list_alone__costs_no_second_round__of_a_long_queue),
		IN_FOLDER(one_at_once__waits_for_nobody__and_is_reckoned_with),
		IN_FOLDER(one_that_dies__leaves_its_turns__and_nothing_else),
		IN_FOLDER(throttle_of_one__slows_all__in_that_operation),
		IN_FOLDER(long_queue__is_waited_for__however_long),
		IN_FOLDER(folder_that_cannot_be_used__is_told_once__and_tried_again),
		IN_FOLDER(folder_of_a_group__has_a_whole_path__or_none),
		IN_FOLDER(disk_that_hangs__holds_no_call__longer_than_two_seconds),
		IN_FOLDER(call_that_is_cancelled__blocks_no_other),
		IN_FOLDER(client_that_goes__takes_its_questions_along),
		IN_FOLDER(turn__may_be_used_a_little_late__or_is_lost),
		IN_FOLDER(pace_that_was_asked_for__is_kept_among_others__too),
		IN_FOLDER(call__takes_its_turn__once_there_are_credentials),
		IN_FOLDER(whose_pace_it_is__is_known__before_the_first_call),
		IN_FOLDER(calls__are_counted__over_ten_seconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
