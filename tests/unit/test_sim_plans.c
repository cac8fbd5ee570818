/* Training plans through the API: their states over time, filters, order and pages. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/simworld.h"

#define HOUR_MS INT64_C(3600000)

/* Plan names on the page, joined by blanks; static buffer. */
static const char *names(const struct simregion *sim)
{
	static const char marker[] = "\"TrainingPlanName\":\"";
	static char text[512];
	size_t used = 0;
	text[0] = '\0';
	for (const char *at = simregion_body(sim); (at = strstr(at, marker)) != NULL;) {
		at += strlen(marker);
		int len = snprintf(text + used, sizeof(text) - used, "%s%.*s", used ? " " : "",
				   (int)strcspn(at, "\""), at);
		assert_true(len > 0 && (size_t)len < sizeof(text) - used);
		used += (size_t)len;
	}
	return text;
}

static const char *list(struct simregion *sim, const char *body)
{
	if (simregion_call(sim, "ListTrainingPlans", body) != 200)
		fail_msg("%s: %s", body, simregion_body(sim));
	return names(sim);
}

static void describe(struct simregion *sim, const char *name, const char *text)
{
	char body[128];
	int len = snprintf(body, sizeof(body), "{\"TrainingPlanName\":\"%s\"}", name);
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	assert_int_equal(simregion_call(sim, "DescribeTrainingPlan", body), 200);
	if (!strstr(simregion_body(sim), text))
		fail_msg("no %s in %s", text, simregion_body(sim));
}

static void plans__stand_in_order_of_purchase__unless_sorted(void **state)
{
	static const struct {
		const char *body, *names;
	} rows[] = {
		{ "{}", "p5-plan p5-next-week p4d-full p5en-two-windows trn2-expired" },
		{ "{\"SortBy\":\"TrainingPlanName\",\"SortOrder\":\"Ascending\"}",
		  "p4d-full p5-next-week p5-plan p5en-two-windows trn2-expired" },
		/* They start 48 h ago, in 26 h, 30 h ago, 60 h ago and 240 h ago. */
		{ "{\"SortBy\":\"StartTime\",\"SortOrder\":\"Descending\"}",
		  "p5-next-week p4d-full p5-plan p5en-two-windows trn2-expired" },
		{ "{\"SortBy\":\"Status\",\"SortOrder\":\"Ascending\"}",
		  "p5-plan p4d-full trn2-expired p5-next-week p5en-two-windows" },
		{ "{\"Filters\":[{\"Name\":\"Status\",\"Value\":\"Active\"}]}",
		  "p5-plan p4d-full" },
		{ "{\"Filters\":[{\"Name\":\"Status\",\"Value\":\"Failed\"}]}", "" },
		{ "{\"Filters\":[{\"Name\":\"Status\",\"Value\":\"Active\"},"
		  "{\"Name\":\"Status\",\"Value\":\"Expired\"}]}",
		  "" },
	};
	struct simregion *sim = simregion_new(NULL);
	char body[128];
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_string_equal(list(sim, rows[i].body), rows[i].names);
	int len = snprintf(body, sizeof(body), "{\"StartTimeAfter\":%lld,\"StartTimeBefore\":%lld}",
			   (long long)((SIM_TEST_START_MS - 50 * HOUR_MS) / 1000),
			   (long long)(SIM_TEST_START_MS / 1000));
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	assert_string_equal(list(sim, body), "p5-plan p4d-full");
	simregion_refuses(sim, "ListTrainingPlans",
			  "{\"Filters\":[{\"Name\":\"Colour\",\"Value\":\"red\"}]}",
			  "ValidationException", "enum value set: [Status]");
	simregion_free(sim);
}

static void plans__come_in_pages__each_once(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	char body[256], seen[512] = "";
	int pages = 0;
	(void)state;
	for (const char *token = ""; token && pages < 9; pages++) {
		int len = snprintf(body, sizeof(body),
				   "{\"MaxResults\":2,\"SortBy\":\"TrainingPlanName\"%s%.*s}",
				   token[0] ? "," : "", (int)strcspn(token, "}"), token);
		assert_in_range(len, 1, (int)sizeof(body) - 1);
		size_t used = strlen(seen);
		len = snprintf(seen + used, sizeof(seen) - used, "%s|", list(sim, body));
		assert_true(len > 0 && (size_t)len < sizeof(seen) - used);
		token = strstr(simregion_body(sim), "\"NextToken\":");
	}
	assert_string_equal(seen, "p4d-full p5-next-week|p5-plan p5en-two-windows|trn2-expired|");
	simregion_refuses(sim, "ListTrainingPlans", "{\"NextToken\":\"abc\"}",
			  "ValidationException", "Invalid NextToken");
	simregion_free(sim);
}

static void plan__goes_through_its_windows__by_the_clock(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	/* Windows from 60 to 12 hours ago and from 20 to 68 hours on. */
	describe(sim, "p5en-two-windows", "\"Status\":\"Scheduled\"");
	describe(sim, "p5en-two-windows", "\"AvailableInstanceCount\":0,");
	simregion_pass(sim, 20 * HOUR_MS - 1);
	describe(sim, "p5en-two-windows", "\"AvailableInstanceCount\":0,");
	simregion_pass(sim, 1);
	describe(sim, "p5en-two-windows", "\"AvailableInstanceCount\":2,");
	describe(sim, "p5en-two-windows", "\"Status\":\"Active\"");
	simregion_pass(sim, 48 * HOUR_MS);
	describe(sim, "p5en-two-windows", "\"Status\":\"Expired\"");
	describe(sim, "p5-next-week", "\"Status\":\"Active\"");
	describe(sim, "p4d-full", "\"Status\":\"Expired\"");
	simregion_refuses(sim, "DescribeTrainingPlan", "{\"TrainingPlanName\":\"none\"}",
			  "ResourceNotFound", "");
	simregion_free(sim);
}

static void plan__that_is_full__has_nothing_available(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	describe(sim, "p4d-full", "\"AvailableInstanceCount\":0,\"InUseInstanceCount\":2");
	describe(sim, "p5-plan", "\"AvailableInstanceCount\":4,\"InUseInstanceCount\":0");
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plans__stand_in_order_of_purchase__unless_sorted),
		cmocka_unit_test(plans__come_in_pages__each_once),
		cmocka_unit_test(plan__goes_through_its_windows__by_the_clock),
		cmocka_unit_test(plan__that_is_full__has_nothing_available),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
