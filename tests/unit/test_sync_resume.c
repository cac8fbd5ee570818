/* How far the first look through all training jobs has come, from run to run. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/fakeregion.h"

static struct fakeregion *region_with_search(void)
{
	struct fakeregion *region = fakeregion_new();

	region->searches = true;
	return region;
}

static size_t count_pages(const struct fakeregion *region, const char *part)
{
	size_t count = 0;

	for (size_t i = 0; i < region->world->sent_count; i++) {
		const struct fake_sent *sent = &region->world->sent[i];

		count += strcmp(sent->op, "Search") == 0 && strstr(sent->body, part);
	}
	return count;
}

static void whole_look__of_an_earlier_run__is_not_taken_again(void **state)
{
	struct fakeregion *region = region_with_search();

	(void)state;
	for (int i = 0; i < 950; i++)
		fakeregion_add(region, JOB_TRAINING, 100000 + i,
			       i % 10 ? "Completed" : "InProgress",
			       i % 10 ? "Completed" : "Training");
	/* What has changed since: one of the last. */
	region->jobs[900].modified_ms = region->world->wall_ms - 50000;
	search_fill_set(&region->store.kept_fill, true, region->world->wall_ms - 8 * DAY_MS,
			region->world->wall_ms - 80000, NULL);
	fakeregion_start(region, NULL);
	fake_run(region->world, 4500);
	assert_true(sync_is_settled(region->sync));
	assert_int_equal(count_pages(region, "CreationTime"), 1);
	assert_non_null(fakeregion_job(region, 900));
	assert_non_null(fakeregion_job(region, 940)); /* live */
	assert_null(fakeregion_job(region, 949));     /* ended: the history has it */
	assert_true(region->store.fill.whole);
	assert_false(region->store.filling);
	fakeregion_free(region);
}

static void whole_look__that_does_not_reach__is_taken_again(void **state)
{
	struct fakeregion *region = region_with_search();

	(void)state;
	for (int i = 0; i < 250; i++)
		fakeregion_add(region, JOB_TRAINING, 100000 + i, "Completed", "Completed");
	search_fill_set(&region->store.kept_fill, true, region->world->wall_ms - 6 * DAY_MS,
			region->world->wall_ms - 80000, NULL);
	fakeregion_start(region, NULL);
	fake_run(region->world, 1500);
	assert_true(region->store.filling);
	assert_int_equal(region->store.fill_span_ms, 7 * DAY_MS);
	assert_in_range(region->store.fill_done_ms, 100099, 110000);

	assert_false(region->store.fill.whole);
	assert_non_null(region->store.fill.token);
	fake_run(region->world, 3000);
	assert_int_equal(region->store.count, 250);
	assert_true(region->store.fill.whole);
	assert_false(region->store.filling);
	fakeregion_free(region);
}

/* The second run begins with the newest page and goes on with the one that was next. */
static void look_that_was_cut__goes_on__where_it_ended(void **state)
{
	struct fakeregion *region = region_with_search();
	char text[SEARCH_FILL_TEXT_SIZE];

	(void)state;
	for (int i = 0; i < 450; i++)
		fakeregion_add(region, JOB_TRAINING, 100000 + i, "Completed", "Completed");
	fakeregion_start(region, NULL);
	fake_run(region->world, 2500);
	assert_int_equal(count_pages(region, "CreationTime"), 3);
	search_fill_write(&region->store.fill, text);
	sync_free(region->sync);
	aws_client_free(region->client);
	region->sync = NULL;
	store_release(&region->store);
	assert_true(search_fill_read(&region->store.kept_fill, text));
	fakeregion_start(region, NULL);
	fake_run(region->world, 4500);
	assert_int_equal(region->store.count, 250); /* the newest and the two last pages */
	assert_int_equal(count_pages(region, "CreationTime"), 6);
	assert_true(region->store.fill.whole);
	fakeregion_free(region);
}

static void text_of_a_look__is_read_back__or_refused(void **state)
{
	static const char *const bad[] = { "",           "whole",     "part 1 2 ",  "whole 5 4 ",
					   "part x 2 t", "whole 1 2", "other 1 2 t" };
	struct search_fill fill = { 0 };
	char text[SEARCH_FILL_TEXT_SIZE];

	(void)state;
	search_fill_write(&fill, text);
	assert_string_equal(text, "");
	search_fill_set(&fill, false, 12, 34, "a token= with blanks");
	search_fill_write(&fill, text);
	assert_string_equal(text, "part 12 34 a token= with blanks");
	search_fill_release(&fill);
	assert_true(search_fill_read(&fill, text));
	assert_string_equal(fill.token, "a token= with blanks");
	assert_int_equal(fill.to_ms, 34);
	search_fill_release(&fill);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(search_fill_read(&fill, bad[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_look__of_an_earlier_run__is_not_taken_again),
		cmocka_unit_test(whole_look__that_does_not_reach__is_taken_again),
		cmocka_unit_test(look_that_was_cut__goes_on__where_it_ended),
		cmocka_unit_test(text_of_a_look__is_read_back__or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
