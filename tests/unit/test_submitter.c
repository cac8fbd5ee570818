/* One yes, one job: whatever happens to the answers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "model/base/mem.h"
#include "tests/submitscene.h"

/* Case 076: after each lost answer the name is looked up, and no other name is ever sent. */
static void submit__makes_one_job__however_answers_are_lost(void **state)
{
	static const struct {
		enum fault faults[5];
		unsigned creates;
	} cases[] = {
		{ { FAULT_NONE }, 1 },
		{ { FAULT_LOST_AFTER }, 1 },
		{ { FAULT_500_AFTER }, 1 },
		{ { FAULT_GARBLED_AFTER }, 1 },
		{ { FAULT_NO_ARN }, 1 },
		{ { FAULT_LOST_BEFORE }, 2 },
		{ { FAULT_500_BEFORE }, 2 },
		{ { FAULT_LOST_BEFORE, FAULT_LOST_AFTER }, 2 },
		{ { FAULT_LOST_BEFORE, FAULT_LOST_BEFORE }, 3 },
		{ { FAULT_LATE }, 2 }, /* the second is refused: the first has arrived after all */
		{ { FAULT_THROTTLED, FAULT_THROTTLED }, 3 },
		{ { FAULT_THROTTLED, FAULT_LOST_AFTER }, 2 },
		/* The client's three tries, a look, and again under the same name (case 039). */
		{ { FAULT_THROTTLED, FAULT_THROTTLED, FAULT_THROTTLED, FAULT_NONE }, 4 },
		{ { FAULT_THROTTLED, FAULT_THROTTLED, FAULT_THROTTLED, FAULT_LOST_AFTER }, 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene scene = { 0 };

		memcpy(scene.faults, cases[i].faults, sizeof(cases[i].faults));
		scene_start(&scene);
		scene_submit(&scene);
		if (scene.made != 1 || scene.creates != cases[i].creates || scene.count != 1 ||
		    strcmp(scene.told[0].arn, "arn:run-1") != 0)
			fail_msg("case %zu: %u made, %u sent, %zu told: %s", i, scene.made,
				 scene.creates, scene.count, err_text(&scene.told[0].err));
		scene_want(&scene, 0, SUBMIT_DONE);
		assert_true(scene.intent_was_there);
		assert_true(
			scene_journal_says(&scene, "training-run-1", "\"state\": \"submitted\""));
		assert_true(scene_journal_says(&scene, "training-run-1", "\"request\": null"));
		scene_stop(&scene);
	}
}

/* Describe may lag: one look that finds nothing is none. */
static void submit__looks_twice__before_it_sends_again(void **state)
{
	struct scene scene = { .faults = { FAULT_LOST_AFTER }, .blind_looks = 1 };

	(void)state;
	scene_start(&scene);
	scene_submit(&scene);
	scene_want(&scene, 0, SUBMIT_DONE);
	assert_int_equal(scene.creates, 1);
	assert_int_equal(fake_count(scene.world, "DescribeTrainingJob"), 2);
	assert_true(fake_nth(scene.world, "DescribeTrainingJob", 1)->at_ms -
			    fake_nth(scene.world, "DescribeTrainingJob", 0)->at_ms >=
		    2000);
	scene_stop(&scene);

	/* It lags for longer: the same name is refused, and found then. */
	scene = (struct scene){ .faults = { FAULT_LOST_AFTER }, .blind_looks = 3 };
	scene_start(&scene);
	scene_submit(&scene);
	scene_want(&scene, 0, SUBMIT_DONE);
	assert_int_equal(scene.made, 1);
	scene_stop(&scene);
}

static void submit__is_refused__once_and_keeps_no_text(void **state)
{
	struct scene scene = { .faults = { FAULT_QUOTA } };

	(void)state;
	scene_start(&scene);
	scene_submit(&scene);
	scene_want(&scene, 0, SUBMIT_REFUSED);
	scene_want_words(&scene, 0, "the limit is 0 Instances");
	assert_false(scene.told[0].err.outcome_open);
	assert_int_equal(scene.creates, 1);
	assert_int_equal(fake_count(scene.world, "DescribeTrainingJob"), 0);
	assert_true(scene_journal_says(&scene, "training-run-1", "\"state\": \"refused\""));
	assert_true(scene_journal_says(&scene, "training-run-1", "the limit is 0 Instances"));
	assert_false(scene_journal_says(&scene, "training-run-1", "S3OutputPath"));
	/* What a draft holds need not lie here too. */
	scene_forget_told(&scene);
	scene.faults[1] = FAULT_QUOTA;
	scene_order(&scene, "run-1", TEXT, "d-1");
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_REFUSED);
	assert_string_equal(scene.told[0].draft, "d-1");
	assert_int_equal(scene_count_files(&scene, ".json"), 1);
	/* And it may be tried again. */
	scene_forget_told(&scene);
	scene_order(&scene, "run-1", TEXT, "d-1");
	scene_run(&scene, MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_DONE);
	scene_stop(&scene);
}

/* Case 039: throttled for longer than the client tries. Whoever waits is told what goes on, each
 * time before the name is sent again there was a look, and it is the same name. */
static void submit__is_not_created__when_it_was_throttled_to_the_end(void **state)
{
	struct scene scene = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(scene.faults) / sizeof(scene.faults[0]); i++)
		scene.faults[i] = FAULT_THROTTLED;
	scene_start(&scene);
	scene_submit(&scene);
	scene_want(&scene, 0, SUBMIT_REFUSED);
	assert_int_equal(scene.told[0].err.code, ERR_THROTTLED);
	scene_want_words(&scene, 0, "there is no job named run-1 as of 2026-11-30T20:4");
	assert_int_equal(scene.made, 0);
	assert_int_equal(scene.count, 1);

	const char *looks = strstr(scene.progress, "looking whether run-1 has arrived\n");
	const char *again = strstr(scene.progress, "sending run-1 again, under the same name\n");
	const char *waits = strstr(scene.progress, "run-1 is sent again in 2 s, under the same "
						   "name\n");

	assert_non_null(looks);
	assert_true(again > looks && waits > again);
	assert_true(strstr(scene.progress, "run-1 is sent again in 4 s") > waits);
	scene_stop(&scene);
}

/* Nothing arrives for longer than somebody waits: told as open, and it goes on. */
static void submit__goes_on__after_it_was_told_as_open(void **state)
{
	struct scene scene = { .faults = { FAULT_LOST_BEFORE, FAULT_LOST_BEFORE, FAULT_LOST_BEFORE,
					   FAULT_LOST_BEFORE, FAULT_LOST_BEFORE, FAULT_LOST_BEFORE,
					   FAULT_LOST_BEFORE } };

	(void)state;
	scene_start(&scene);
	scene_order(&scene, "run-1", TEXT, "d-1");
	scene_run(&scene, MINUTE_MS + 10000);
	scene_want(&scene, 0, SUBMIT_OPEN);
	assert_true(scene.told[0].err.outcome_open);
	assert_int_equal(scene.count, 1);
	assert_int_equal(submitter_under_way(scene.submitter), 0);
	assert_true(scene_journal_says(&scene, "draft-d-1", "\"state\": \"intended\""));
	memset(scene.faults, 0, sizeof(scene.faults));
	scene_run(&scene, 5 * MINUTE_MS);
	scene_want(&scene, 1, SUBMIT_DONE);
	assert_true(scene.told[1].late);
	assert_int_equal(scene.made, 1);
	scene_stop(&scene);
}

static void submit__sends_nothing_again__while_nobody_can_look(void **state)
{
	struct scene scene = { .faults = { FAULT_LOST_AFTER }, .blind = true };

	(void)state;
	scene_start(&scene);
	scene_submit(&scene);
	scene_want(&scene, 0, SUBMIT_OPEN);
	scene_want_words(&scene, 0, "whether run-1 was created is not known");
	assert_int_equal(scene.creates, 1);
	scene_run(&scene, 20 * MINUTE_MS);
	assert_int_equal(scene.creates, 1);
	assert_int_equal(scene.count, 1);
	scene.blind = false;
	scene_run(&scene, 2 * MINUTE_MS);
	scene_want(&scene, 1, SUBMIT_DONE);
	scene_stop(&scene);

	/* A role that may not look is told so at once. */
	scene = (struct scene){ .faults = { FAULT_LOST_AFTER }, .denied = true };
	scene_start(&scene);
	scene_order(&scene, "run-1", TEXT, NULL);
	scene_run(&scene, 40000);
	scene_want(&scene, 0, SUBMIT_OPEN);
	scene_want_words(&scene, 0, "not authorized");
	scene_stop(&scene);
}

static void submit__asks_anew__when_the_yes_is_too_old(void **state)
{
	struct scene scene = { .faults = { FAULT_LOST_BEFORE }, .blind = true };

	(void)state;
	scene_start(&scene);
	scene_order(&scene, "run-1", TEXT, "d-1");
	scene_run(&scene, 16 * MINUTE_MS);
	scene_want(&scene, 0, SUBMIT_OPEN);
	scene.blind = false;
	scene_run(&scene, 2 * MINUTE_MS);
	scene_want(&scene, 1, SUBMIT_STALE);
	scene_want_words(&scene, 1, "too long ago");
	assert_int_equal(scene.creates, 1);
	assert_int_equal(scene_count_files(&scene, ".json"), 0);
	scene_stop(&scene);
}

/* Case 048: what has the name is compared first, and its ARN is handed on. */
static void submit__tells_whose_the_name_is__where_it_is_taken(void **state)
{
	struct scene scene = { .exists = true, .text = mem_copy_text(OTHER_TEXT) };

	(void)state;
	scene_start(&scene);
	scene.created_ms = scene.world->wall_ms - 3600000;
	scene_submit(&scene);
	scene_want(&scene, 0, SUBMIT_TAKEN);
	assert_string_equal(scene.told[0].arn, "arn:run-1");
	assert_int_equal(scene.told[0].err.hint, HINT_OTHER_NAME);
	scene_want_words(&scene, 0, "a job named run-1 exists since 2026-11-30T19:48:08Z");
	assert_int_equal(scene.creates, 1);
	scene_stop(&scene);

	/* The same request, but of an hour ago: it is not this yes that made it. */
	scene = (struct scene){ .exists = true, .text = mem_copy_text(TEXT) };
	scene_start(&scene);
	scene.created_ms = scene.world->wall_ms - 3600000;
	scene_submit(&scene);
	scene_want(&scene, 0, SUBMIT_TAKEN);
	scene_stop(&scene);

	/* Nobody may say by whom: the refusal names the job. */
	scene = (struct scene){ .faults = { FAULT_IN_USE }, .denied = true };
	scene_start(&scene);
	scene_submit(&scene);
	scene_want(&scene, 0, SUBMIT_TAKEN);
	assert_string_equal(scene.told[0].arn, "arn:run-1");
	scene_stop(&scene);
}

static void submit__leaves_it_open__when_a_name_is_taken_by_nobody(void **state)
{
	struct scene scene = { .faults = { FAULT_LOST_BEFORE, FAULT_IN_USE, FAULT_IN_USE,
					   FAULT_IN_USE, FAULT_IN_USE, FAULT_IN_USE,
					   FAULT_IN_USE } };

	(void)state;
	scene_start(&scene);
	scene_submit(&scene);
	scene_want(&scene, 0, SUBMIT_OPEN);
	assert_int_equal(scene.told[0].err.code, ERR_TIMEOUT);
	scene_stop(&scene);
}

/* A refusal that comes after a try which may have arrived is no proof. */
static void submit__looks_again__when_refused_after_an_open_try(void **state)
{
	struct scene scene = { .faults = { FAULT_LOST_BEFORE, FAULT_QUOTA } };

	(void)state;
	scene_start(&scene);
	scene_submit(&scene);
	scene_want(&scene, 0, SUBMIT_REFUSED);
	scene_want_words(&scene, 0, "the limit is 0 Instances");
	assert_int_equal(fake_count(scene.world, "DescribeTrainingJob"), 4);
	scene_stop(&scene);
}

/* A second yes in the same second is another one, and its name is taken: by the first. */
static void submit__again__is_taken_by_the_one_before(void **state)
{
	struct scene scene = { 0 };

	(void)state;
	scene_start(&scene);
	scene_order(&scene, "run-1", TEXT, NULL);
	scene_run(&scene, 200);
	scene_want(&scene, 0, SUBMIT_DONE);
	scene_order(&scene, "run-1", TEXT, NULL);
	scene_run(&scene, 1000);
	scene_want(&scene, 1, SUBMIT_TAKEN);
	scene_want_words(&scene, 1, "gpuq has submitted it before");
	assert_string_equal(scene.told[1].arn, "arn:run-1");
	assert_int_equal(scene.made, 1);
	scene_stop(&scene);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(submit__makes_one_job__however_answers_are_lost),
		cmocka_unit_test(submit__looks_twice__before_it_sends_again),
		cmocka_unit_test(submit__is_refused__once_and_keeps_no_text),
		cmocka_unit_test(submit__is_not_created__when_it_was_throttled_to_the_end),
		cmocka_unit_test(submit__goes_on__after_it_was_told_as_open),
		cmocka_unit_test(submit__sends_nothing_again__while_nobody_can_look),
		cmocka_unit_test(submit__asks_anew__when_the_yes_is_too_old),
		cmocka_unit_test(submit__tells_whose_the_name_is__where_it_is_taken),
		cmocka_unit_test(submit__leaves_it_open__when_a_name_is_taken_by_nobody),
		cmocka_unit_test(submit__looks_again__when_refused_after_an_open_try),
		cmocka_unit_test(submit__again__is_taken_by_the_one_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
