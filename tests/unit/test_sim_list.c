/* The list rules: the page is cut first, filters come after, tokens survive newcomers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/simworld.h"

/* Jobs j-00 to j-24, a second apart, of which every fifth is stopped. */
static struct simregion *region_with_jobs(void)
{
	struct simregion *sim = simregion_new(NULL);
	for (int i = 0; i < 25; i++) {
		char name[16];
		assert_true(snprintf(name, sizeof(name), "j-%02d", i) > 0);
		sim_region_catch_up(&sim->region);
		struct sim_job *job =
			simworld_submit(&sim->region.world, name, "ml.p5.48xlarge:1", 0);
		if (i % 5 == 0)
			assert_true(sim_life_stop(&sim->region.world, job));
		simregion_pass(sim, 1000);
	}
	simregion_pass(sim, 60 * 1000);
	return sim;
}

static bool next_token(const struct simregion *sim, char *token, size_t size)
{
	const char *at = strstr(simregion_body(sim), "\"NextToken\":\"");
	token[0] = '\0';
	if (!at)
		return false;
	at += strlen("\"NextToken\":\"");
	size_t len = strcspn(at, "\"");
	assert_true(len < size);
	memcpy(token, at, len);
	token[len] = '\0';
	return true;
}

/* Names on the page, joined by blanks; static buffer. */
static const char *names(const struct simregion *sim)
{
	static char text[2048];
	size_t used = 0;
	text[0] = '\0';
	for (const char *at = simregion_body(sim); (at = strstr(at, "JobName\":\"")) != NULL;) {
		at += strlen("JobName\":\"");
		int len = snprintf(text + used, sizeof(text) - used, "%s%.*s", used ? " " : "",
				   (int)strcspn(at, "\""), at);
		assert_true(len > 0 && (size_t)len < sizeof(text) - used);
		used += (size_t)len;
	}
	return text;
}

/* Asks for a page with these members and the token. */
static void list(struct simregion *sim, const char *members, const char *token)
{
	char body[512];
	int len = snprintf(body, sizeof(body), "{%s%s%s%s%s}", members,
			   token[0] && members[0] ? "," : "", token[0] ? "\"NextToken\":\"" : "",
			   token, token[0] ? "\"" : "");
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	if (simregion_call(sim, "ListTrainingJobs", body) != 200)
		fail_msg("%s: %s", body, simregion_body(sim));
}

static void page__has_ten_jobs__oldest_first_unless_told(void **state)
{
	struct simregion *sim = region_with_jobs();
	char token[64];
	(void)state;
	list(sim, "", "");
	assert_string_equal(names(sim), "j-00 j-01 j-02 j-03 j-04 j-05 j-06 j-07 j-08 j-09");
	assert_true(next_token(sim, token, sizeof(token)));
	list(sim, "\"MaxResults\":3,\"SortOrder\":\"Descending\"", "");
	assert_string_equal(names(sim), "j-24 j-23 j-22");
	simregion_free(sim);
}

static void filter__comes_after__the_page_is_cut(void **state)
{
	struct simregion *sim = region_with_jobs();
	char token[64];
	(void)state;
	list(sim, "\"MaxResults\":4,\"StatusEquals\":\"Stopped\"", "");
	assert_string_equal(names(sim), "j-00");
	assert_true(next_token(sim, token, sizeof(token)));
	list(sim, "\"MaxResults\":4,\"StatusEquals\":\"Stopped\"", token);
	assert_string_equal(names(sim), "j-05");
	/* An empty page with a token. */
	list(sim, "\"MaxResults\":4,\"NameContains\":\"j-2\"", "");
	assert_string_equal(names(sim), "");
	assert_true(next_token(sim, token, sizeof(token)));
	/* The last page, of one job. */
	list(sim, "\"MaxResults\":24,\"NameContains\":\"j-2\"", "");
	assert_string_equal(names(sim), "j-20 j-21 j-22 j-23");
	assert_true(next_token(sim, token, sizeof(token)));
	list(sim, "\"MaxResults\":24,\"NameContains\":\"j-2\"", token);
	assert_string_equal(names(sim), "j-24");
	assert_false(next_token(sim, token, sizeof(token)));
	simregion_free(sim);
}

static void creation_time__bounds_the_walk__itself(void **state)
{
	struct simregion *sim = region_with_jobs();
	char token[64], members[128];
	(void)state;
	/* Exactly the time of j-21: later ones only. */
	int len = snprintf(members, sizeof(members),
			   "\"MaxResults\":4,\"CreationTimeAfter\":%lld.%03lld",
			   (long long)(SIM_TEST_START_MS / 1000 + 21),
			   (long long)(SIM_TEST_START_MS % 1000));
	assert_true(len > 0 && (size_t)len < sizeof(members));
	list(sim, members, "");
	assert_string_equal(names(sim), "j-22 j-23 j-24");
	assert_false(next_token(sim, token, sizeof(token)));
	/* With an exponent: 1.796071690e9 is two seconds after the start. */
	list(sim, "\"MaxResults\":4,\"CreationTimeBefore\":1.796071690e9", "");
	assert_string_equal(names(sim), "j-00 j-01");
	simregion_free(sim);
}

static void token__survives_newcomers__in_both_orders(void **state)
{
	struct simregion *sim = region_with_jobs();
	char forward[64], backward[64];
	(void)state;
	list(sim, "\"MaxResults\":20", "");
	assert_true(next_token(sim, forward, sizeof(forward)));
	list(sim, "\"MaxResults\":20,\"SortOrder\":\"Descending\"", "");
	assert_true(next_token(sim, backward, sizeof(backward)));
	simworld_submit(&sim->region.world, "new", "ml.p5.48xlarge:1", 0);
	list(sim, "\"MaxResults\":20", forward);
	assert_string_equal(names(sim), "j-20 j-21 j-22 j-23 j-24 new");
	list(sim, "\"MaxResults\":20,\"SortOrder\":\"Descending\"", backward);
	assert_string_equal(names(sim), "j-04 j-03 j-02 j-01 j-00");
	simregion_free(sim);
}

static void token__of_another_query__is_refused(void **state)
{
	struct simregion *sim = region_with_jobs();
	char token[64], body[256];
	(void)state;
	list(sim, "\"MaxResults\":5", "");
	assert_true(next_token(sim, token, sizeof(token)));
	int len = snprintf(body, sizeof(body), "{\"NextToken\":\"%s\",\"SortBy\":\"Name\"}", token);
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	simregion_refuses(sim, "ListTrainingJobs", body, "ValidationException",
			  "Invalid NextToken");
	len = snprintf(body, sizeof(body), "{\"NextToken\":\"%s\"}", token);
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	simregion_refuses(sim, "ListProcessingJobs", body, "ValidationException",
			  "Invalid NextToken");
	simregion_refuses(sim, "ListTrainingJobs",
			  "{\"NextToken\":\"ffffffffffffffffffffffffffffffff\"}",
			  "ValidationException", "Invalid NextToken");
	list(sim, "\"MaxResults\":7", token); /* the size of a page may change */
	assert_string_equal(names(sim), "j-05 j-06 j-07 j-08 j-09 j-10 j-11");
	simregion_free(sim);
}

static void names__sort__with_pages_that_meet(void **state)
{
	struct simregion *sim = region_with_jobs();
	char token[64];
	(void)state;
	simworld_submit(&sim->region.world, "a-last-made", "ml.p5.48xlarge:1", 0);
	list(sim, "\"MaxResults\":3,\"SortBy\":\"Name\"", "");
	assert_string_equal(names(sim), "a-last-made j-00 j-01");
	assert_true(next_token(sim, token, sizeof(token)));
	list(sim, "\"MaxResults\":3,\"SortBy\":\"Name\"", token);
	assert_string_equal(names(sim), "j-02 j-03 j-04");
	list(sim, "\"MaxResults\":2,\"SortBy\":\"Status\",\"SortOrder\":\"Descending\"", "");
	assert_string_equal(names(sim), "j-20 j-15"); /* Stopped is last of the words */
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page__has_ten_jobs__oldest_first_unless_told),
		cmocka_unit_test(filter__comes_after__the_page_is_cut),
		cmocka_unit_test(creation_time__bounds_the_walk__itself),
		cmocka_unit_test(token__survives_newcomers__in_both_orders),
		cmocka_unit_test(token__of_another_query__is_refused),
		cmocka_unit_test(names__sort__with_pages_that_meet),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
