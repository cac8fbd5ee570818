#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "model/base/attr.h"
#include "tests/fakeregion.h"

/* What becomes of every request while the network is gone; slow: it hangs for a while first. */
static const struct {
	enum err_code fails;
	int64_t latency_ms;
} outages[] = { { ERR_NET, 20 }, { ERR_TIMEOUT, 1900 }, { ERR_TIMEOUT, 10000 } };

static void lose_all(struct fakeregion *region, size_t n, const struct fake_sent *sent,
		     struct fake_answer *answer)
{
	(void)n;
	(void)sent;
	answer->fails = outages[region->kind_of_failure].fails;
	answer->latency_ms = outages[region->kind_of_failure].latency_ms;
	answer->sent = true;
}

static bool is_back(const struct fakeregion *region, enum source_id source, int64_t end_ms)
{
	const struct freshness *fresh = &region->store.sources[source];

	return !fresh->failing && fresh->loaded_mono_ms > end_ms;
}

static struct fakeregion *start_busy(void)
{
	struct fakeregion *region = fakeregion_new();

	for (int i = 0; i < 40; i++)
		fakeregion_add(region, i % 2 ? JOB_PROCESSING : JOB_TRAINING, 1000 + i,
			       "InProgress", "Training");
	region->searches = true;
	fakeregion_start(region, NULL);
	sync_select(region->sync, "arn:j-4");
	fake_run(region->world, 120000);
	return region;
}

/* Until the first list has an answer; when that was. */
static int64_t first_answer_ms(struct fakeregion *region, int64_t end_ms)
{
	while (!is_back(region, SOURCE_TRAINING, end_ms) &&
	       !is_back(region, SOURCE_PROCESSING, end_ms) &&
	       !is_back(region, SOURCE_SEARCH, end_ms))
		fake_run(region->world, 10);
	return region->world->mono_ms;
}

/* What is said of the next tries follows: no pause is left but a refresh. */
static void assert_says_soon(struct fakeregion *region)
{
	struct fresh fresh;

	fake_run(region->world, 10);
	fresh = store_job_fresh(&region->store, fakeregion_job(region, 4), region->world->mono_ms);
	assert_true(!fresh.error || fresh.retry_in_ms <= 5000);
	for (int i = 0; i < SOURCE_COUNT; i++)
		assert_true(!region->store.sources[i].failing ||
			    region->store.sources[i].retry_mono_ms <=
				    region->world->mono_ms + 5000);
}

/* No pause of a list is longer than 15 s, and the first answer ends those of all others. */
static void outage__is_over_for_all__with_the_first_answer(void **state)
{
	(void)state;
	for (int64_t outage_ms = 2000; outage_ms < 400000; outage_ms *= 2) {
		for (size_t kind = 0; kind < ARRAY_LEN(outages); kind++) {
			struct fakeregion *region = start_busy();
			int64_t latency_ms = outages[kind].latency_ms, end_ms;

			region->kind_of_failure = kind;
			region->spoil = lose_all;
			fake_run(region->world, outage_ms);
			region->spoil = NULL;
			end_ms = region->world->mono_ms;
			assert_true(first_answer_ms(region, end_ms) - end_ms <= 15100 + latency_ms);
			assert_says_soon(region);
			/* What still hangs ends by itself; a second is the pace of a list, two that
			 * of the job that failed last. */
			fake_run(region->world, 1200 + latency_ms);
			for (int i = SOURCE_TRAINING; i <= SOURCE_SEARCH; i++)
				assert_true(is_back(region, (enum source_id)i, end_ms));
			fake_run(region->world, 2000);
			assert_true(fakeregion_job(region, 4)->described_mono_ms > end_ms);
			fakeregion_check_pace(region);
			fakeregion_free(region);
		}
	}
}

static void lose_describes(struct fakeregion *region, size_t n, const struct fake_sent *sent,
			   struct fake_answer *answer)
{
	if (strncmp(sent->op, "Describe", 8) == 0)
		lose_all(region, n, sent, answer);
}

/* Only Describes fail, and only those that are under way at the same time: that is one failure. */
static void describes__that_fail_together__pause_once(void **state)
{
	struct fakeregion *region = fakeregion_new();
	const struct freshness *source = &region->store.sources[SOURCE_DESCRIBE];

	(void)state;
	for (int i = 0; i < 40; i++)
		fakeregion_add(region, JOB_TRAINING, 1000 + i, "InProgress", "Pending");
	fakeregion_start(region, NULL);
	region->latency_ms = 1900;
	fake_run(region->world, 20000);
	region->kind_of_failure = 1;
	region->spoil = lose_describes;
	while (!source->failing)
		fake_run(region->world, 10);
	region->spoil = NULL;
	/* The first pause is one refresh; an answer takes two seconds. */
	fake_run(region->world, 7000);
	assert_false(source->failing);
	fakeregion_free(region);
}

static void lose_login(struct fakeregion *region, size_t n, const struct fake_sent *sent,
		       struct fake_answer *answer)
{
	(void)region, (void)n, (void)sent;
	answer->fails = ERR_AUTH;
}

/* A login in another window is no answer of AWS: somebody has to say it. */
static void credentials__that_come_back__are_worth_a_try_at_once(void **state)
{
	struct fakeregion *region = start_busy();
	int64_t end_ms;

	(void)state;
	region->spoil = lose_login;
	fake_run(region->world, 600000);
	region->spoil = NULL;
	end_ms = region->world->mono_ms;
	for (int i = SOURCE_TRAINING; i <= SOURCE_SEARCH; i++)
		assert_true(region->store.sources[i].retry_mono_ms > end_ms + 5000);
	sync_come_back(region->sync);
	assert_says_soon(region);
	fake_run(region->world, 3000);
	for (int i = SOURCE_TRAINING; i <= SOURCE_SEARCH; i++)
		assert_true(is_back(region, (enum source_id)i, end_ms));
	assert_true(fakeregion_job(region, 4)->described_mono_ms > end_ms);
	/* Nobody was away: nothing is asked for it. */
	fake_run(region->world, 10000);
	size_t sent = region->world->sent_count;
	sync_come_back(region->sync);
	fake_run(region->world, 1);
	assert_int_equal(region->world->sent_count, sent);
	fakeregion_check_pace(region);
	fakeregion_free(region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outage__is_over_for_all__with_the_first_answer),
		cmocka_unit_test(describes__that_fail_together__pause_once),
		cmocka_unit_test(credentials__that_come_back__are_worth_a_try_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
