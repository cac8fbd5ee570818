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

static void offering__becomes_a_plan__when_it_is_bought(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	char id[128], body[256];
	(void)state;
	/* Two days and a bit make three; 20:48 on 30 November: the next turnover is at 11:30. */
	assert_int_equal(simregion_call(sim, "SearchTrainingPlanOfferings",
					"{\"InstanceType\":\"ml.p5.48xlarge\",\"InstanceCount\":2,"
					"\"DurationHours\":50,\"TargetResources\":"
					"[\"training-job\"]}"),
			 200);
	/* 31.46 an hour, two instances, 72 hours. */
	assert_non_null(strstr(simregion_body(sim), "\"UpfrontFee\":\"4530.00\""));
	const char *at = strstr(simregion_body(sim), "\"TrainingPlanOfferingId\":\"");
	assert_non_null(at);
	at += strlen("\"TrainingPlanOfferingId\":\"");
	int len = snprintf(id, sizeof(id), "%.*s", (int)strcspn(at, "\""), at);
	assert_in_range(len, 1, (int)sizeof(id) - 1);
	len = snprintf(body, sizeof(body),
		       "{\"TrainingPlanName\":\"mine\",\"TrainingPlanOfferingId\":\"%s\"}", id);
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	assert_int_equal(simregion_call(sim, "CreateTrainingPlan", body), 200);
	assert_string_equal(simregion_body(sim),
			    "{\"TrainingPlanArn\":\"arn:aws:sagemaker:us-east-1:111122223333:"
			    "training-plan/mine\"}");
	simregion_refuses(sim, "CreateTrainingPlan", body, "ResourceInUse", "training-plan/mine");
	describe(sim, "mine", "\"Status\":\"Scheduled\",\"DurationHours\":72,");
	simregion_pass(sim, 15 * HOUR_MS);
	describe(sim, "mine", "\"Status\":\"Active\"");
	describe(sim, "mine", "\"AvailableInstanceCount\":2,");
	/* Its day has come: nobody else can buy it. */
	body[strlen("{\"TrainingPlanName\":\"")] = 'o';
	simregion_refuses(sim, "CreateTrainingPlan", body, "ResourceNotFound", "any more");
	simregion_pass(sim, 72 * HOUR_MS);
	describe(sim, "mine", "\"Status\":\"Expired\"");
	simregion_free(sim);
}

static void offering__is_refused__when_it_was_never_made(void **state)
{
	static const char *const ids[] = { "tpo-1-1-1896071688-24-000000",
					   "tpo-99999-1-1-24-0",
					   "tpo",
					   "tpo-1-1",
					   "tpo--1-1-1-1-1",
					   "x" };
	struct simregion *sim = simregion_new(NULL);
	char body[256];
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		int len = snprintf(body, sizeof(body),
				   "{\"TrainingPlanName\":\"m\",\"TrainingPlanOfferingId\":\"%s\"}",
				   ids[i]);
		assert_in_range(len, 1, (int)sizeof(body) - 1);
		simregion_refuses(sim, "CreateTrainingPlan", body, "ResourceNotFound", "any more");
	}
	simregion_refuses(sim, "SearchTrainingPlanOfferings", "{\"DurationHours\":24}",
			  "ValidationException", "InstanceType must be specified");
	simregion_refuses(sim, "SearchTrainingPlanOfferings",
			  "{\"InstanceType\":\"ml.m5.xlarge\",\"DurationHours\":24}",
			  "ValidationException", "enum value set");
	/* Nothing ends within an hour. */
	assert_int_equal(simregion_call(sim, "SearchTrainingPlanOfferings",
					"{\"InstanceType\":\"ml.p5.48xlarge\",\"EndTimeBefore\":"
					"1796075288}"),
			 200);
	assert_string_equal(simregion_body(sim), "{\"TrainingPlanOfferings\":[]}");
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plans__stand_in_order_of_purchase__unless_sorted),
		cmocka_unit_test(plans__come_in_pages__each_once),
		cmocka_unit_test(plan__goes_through_its_windows__by_the_clock),
		cmocka_unit_test(plan__that_is_full__has_nothing_available),
		cmocka_unit_test(offering__becomes_a_plan__when_it_is_bought),
		cmocka_unit_test(offering__is_refused__when_it_was_never_made),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
