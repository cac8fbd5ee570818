/* Search: an index behind the truth, whole records, filters before the page is cut. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/simworld.h"

/* The answer's JSON after a marker, up to the closing quote, of each occurrence; static buffer. */
static const char *all_of(const struct simregion *sim, const char *marker)
{
	static char text[2048];
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

static const char *names(const struct simregion *sim)
{
	return all_of(sim, "{\"TrainingJob\":{\"TrainingJobName\":\"");
}

static void search(struct simregion *sim, const char *members)
{
	char body[1024];
	int len = snprintf(body, sizeof(body), "{\"Resource\":\"TrainingJob\"%s%s}",
			   members[0] ? "," : "", members);
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	if (simregion_call(sim, "Search", body) != 200)
		fail_msg("%s: %s", body, simregion_body(sim));
}

/* One filter; the results come in creation order. */
static const char *found(struct simregion *sim, const char *name, const char *relation,
			 const char *value)
{
	char members[512];
	int len = snprintf(members, sizeof(members),
			   "\"SortBy\":\"CreationTime\",\"SortOrder\":\"Ascending\","
			   "\"SearchExpression\":{\"Filters\":[{\"Name\":\"%s\","
			   "\"Operator\":\"%s\"%s%s%s}]}",
			   name, relation, value ? ",\"Value\":\"" : "", value ? value : "",
			   value ? "\"" : "");
	assert_in_range(len, 1, (int)sizeof(members) - 1);
	search(sim, members);
	return names(sim);
}

/* j-0 to j-4, ten seconds apart from 20:48:08 on and waiting; j-1 was stopped. */
static struct simregion *region_with_jobs(void)
{
	static const char wanted[] =
		"{\"VolumeSizeInGB\":9,\"InstanceCount\":1,\"InstancePreferences\":"
		"[{\"InstanceType\":\"ml.p5.48xlarge\"},{\"InstanceType\":\"ml.g6.48xlarge\"}]}";
	struct simregion *sim = simregion_new(NULL);
	for (int i = 0; i < 5; i++) {
		char name[16];
		assert_true(snprintf(name, sizeof(name), "j-%d", i) > 0);
		assert_int_equal(simregion_call(sim, "CreateTrainingJob",
						simregion_training(name, wanted)),
				 200);
		simregion_pass(sim, 10 * 1000);
	}
	assert_int_equal(simregion_call(sim, "StopTrainingJob", "{\"TrainingJobName\":\"j-1\"}"),
			 200);
	simregion_pass(sim, 60 * 1000);
	return sim;
}

static void result__is_a_whole_record__with_its_tags(void **state)
{
	static const char request[] =
		"{\"TrainingJobName\":\"tagged\",\"AlgorithmSpecification\":{\"TrainingImage\":"
		"\"image\",\"TrainingInputMode\":\"File\"},\"RoleArn\":"
		"\"arn:aws:iam::111122223333:role/jobs\",\"OutputDataConfig\":{\"S3OutputPath\":"
		"\"s3://bucket/out\"},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600,"
		"\"MaxPendingTimeInSeconds\":7200},\"ResourceConfig\":{\"VolumeSizeInGB\":9,"
		"\"InstanceCount\":1,\"InstancePreferences\":[{\"InstanceType\":"
		"\"ml.p5.48xlarge\"}]},\"Tags\":[{\"Key\":\"team\",\"Value\":\"vision\"}],"
		"\"RemoteDebugConfig\":{\"EnableRemoteDebug\":true}}";
	static const char *const parts[] = {
		"\"TrainingJobArn\":\"arn:aws:sagemaker:us-east-1:111122223333:training-job/tagged",
		"\"SecondaryStatus\":\"Pending\"",
		"\"SecondaryStatusTransitions\":[{\"Status\":\"Pending\"",
		"\"InstancePreferences\":[{\"InstanceType\":\"ml.p5.48xlarge\"}]",
		"\"MaxPendingTimeInSeconds\":7200",
		"\"Tags\":[{\"Key\":\"team\",\"Value\":\"vision\"}]",
		"\"TotalHits\":{\"Value\":1,\"Relation\":\"EqualTo\"}",
	};
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	assert_int_equal(simregion_call(sim, "CreateTrainingJob", request), 200);
	simregion_pass(sim, 5000);
	search(sim, "");
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (!strstr(simregion_body(sim), parts[i]))
			fail_msg("no %s in %s", parts[i], simregion_body(sim));
	}
	/* A member that Describe has and Search has not. */
	assert_null(strstr(simregion_body(sim), "RemoteDebugConfig"));
	simregion_free(sim);
}

static void index__is_behind__by_three_seconds_unless_told(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	assert_int_equal(simregion_call(sim, "CreateTrainingJob",
					simregion_training("late", "{\"InstanceType\":"
								   "\"ml.p5.48xlarge\","
								   "\"InstanceCount\":1,"
								   "\"VolumeSizeInGB\":9}")),
			 200);
	simregion_pass(sim, 2999);
	assert_string_equal(found(sim, "TrainingJobName", "Equals", "late"), "");
	simregion_pass(sim, 1);
	assert_string_equal(found(sim, "TrainingJobName", "Equals", "late"), "late");
	assert_int_equal(simregion_control(sim, "/_sim/lag", "{\"seconds\":60}"), 200);
	assert_string_equal(found(sim, "TrainingJobName", "Equals", "late"), "");
	simregion_pass(sim, 57 * 1000);
	assert_string_equal(found(sim, "TrainingJobName", "Equals", "late"), "late");
	simregion_free(sim);
}

/* A stop seen through the index: in progress, stopping, stopped, each a lag later. */
static void index__tells_the_past__while_a_job_ends(void **state)
{
	struct simregion *sim = region_with_jobs();
	(void)state;
	assert_int_equal(simregion_control(sim, "/_sim/lag", "{\"seconds\":30}"), 200);
	assert_int_equal(simregion_call(sim, "StopTrainingJob", "{\"TrainingJobName\":\"j-0\"}"),
			 200);
	simregion_pass(sim, 10 * 1000);
	/* The truth: over. */
	simregion_call(sim, "DescribeTrainingJob", "{\"TrainingJobName\":\"j-0\"}");
	assert_string_equal(all_of(sim, "\"TrainingJobStatus\":\""), "Stopped");
	found(sim, "TrainingJobName", "Equals", "j-0");
	assert_string_equal(all_of(sim, "\"TrainingJobStatus\":\""), "InProgress");
	assert_string_equal(all_of(sim, "\"Status\":\""), "Pending");
	assert_null(strstr(simregion_body(sim), "EndTime"));
	simregion_pass(sim, 20 * 1000 + 1000);
	found(sim, "TrainingJobName", "Equals", "j-0");
	assert_string_equal(all_of(sim, "\"TrainingJobStatus\":\""), "Stopping");
	assert_string_equal(all_of(sim, "\"Status\":\""), "Pending Stopping");
	simregion_pass(sim, 10 * 1000);
	found(sim, "TrainingJobName", "Equals", "j-0");
	assert_string_equal(all_of(sim, "\"TrainingJobStatus\":\""), "Stopped");
	assert_non_null(strstr(simregion_body(sim), "\"TrainingEndTime\":"));
	simregion_free(sim);
}

static void filter__knows__every_operator(void **state)
{
	static const struct {
		const char *name, *relation, *value, *names;
	} rows[] = {
		{ "TrainingJobName", "Equals", "j-2", "j-2" },
		{ "TrainingJobName", "NotEquals", "j-2", "j-0 j-1 j-3 j-4" },
		{ "TrainingJobName", "Contains", "-", "j-0 j-1 j-2 j-3 j-4" },
		{ "TrainingJobName", "Contains", "4", "j-4" },
		{ "TrainingJobName", "In", "j-0, j-3,j-33", "j-0 j-3" },
		{ "TrainingJobName", "GreaterThan", "j-2", "j-3 j-4" },
		{ "TrainingJobStatus", "Equals", "Stopped", "j-1" },
		{ "TrainingJobStatus", "In", "Failed,Stopped", "j-1" },
		{ "SecondaryStatus", "Equals", "Pending", "j-0 j-2 j-3 j-4" },
		/* j-2 was created 20 s after 20:48:08. */
		{ "CreationTime", "GreaterThan", "2026-11-30T20:48:28Z", "j-3 j-4" },
		{ "CreationTime", "GreaterThanOrEqualTo", "2026-11-30T20:48:28", "j-2 j-3 j-4" },
		{ "CreationTime", "LessThan", "2026-11-30T21:48:28+01:00", "j-0 j-1" },
		{ "CreationTime", "LessThanOrEqualTo", "2026-11-30T20:48:28.000Z", "j-0 j-1 j-2" },
		/* The stop came after 50 s. */
		{ "LastModifiedTime", "GreaterThan", "2026-11-30T20:48:58Z", "j-1" },
		{ "TrainingStartTime", "NotExists", NULL, "j-0 j-1 j-2 j-3 j-4" },
		{ "TrainingEndTime", "Exists", NULL, "j-1" },
		{ "TrainingTimeInSeconds", "Equals", "0", "j-1" },
	};
	struct simregion *sim = region_with_jobs();
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *got = found(sim, rows[i].name, rows[i].relation, rows[i].value);
		if (strcmp(got, rows[i].names) != 0)
			fail_msg("%s %s %s: %s", rows[i].name, rows[i].relation, rows[i].value,
				 got);
	}
	search(sim, "\"SortOrder\":\"Ascending\",\"SortBy\":\"TrainingJobName\","
		    "\"SearchExpression\":{\"Filters\":["
		    "{\"Name\":\"TrainingJobStatus\",\"Value\":\"InProgress\"},"
		    "{\"Name\":\"TrainingJobName\",\"Operator\":\"LessThan\",\"Value\":\"j-3\"}]}");
	assert_string_equal(names(sim), "j-0 j-2");
	search(sim, "\"SortOrder\":\"Ascending\",\"SortBy\":\"TrainingJobName\","
		    "\"SearchExpression\":{\"Operator\":\"Or\",\"Filters\":["
		    "{\"Name\":\"TrainingJobStatus\",\"Value\":\"Stopped\"},"
		    "{\"Name\":\"TrainingJobName\",\"Operator\":\"Equals\",\"Value\":\"j-3\"}]}");
	assert_string_equal(names(sim), "j-1 j-3");
	simregion_free(sim);
}

static void take_token(const struct simregion *sim, char *token, size_t size)
{
	int len = snprintf(token, size, "%s", all_of(sim, "\"NextToken\":\""));
	assert_in_range(len, 0, (int)size - 1);
}

static void page__goes_on_behind_its_last_job__whatever_changes(void **state)
{
	struct simregion *sim = region_with_jobs();
	char token[80], members[160];
	(void)state;
	/* Newest change first is the standard: the stopped one, then the newest. */
	search(sim, "\"MaxResults\":2");
	assert_string_equal(names(sim), "j-1 j-4");
	take_token(sim, token, sizeof(token));
	/* One that was shown changes and moves to the front: no job comes twice, none is lost. */
	assert_int_equal(simregion_call(sim, "StopTrainingJob", "{\"TrainingJobName\":\"j-4\"}"),
			 200);
	simregion_pass(sim, 30 * 1000);
	int len =
		snprintf(members, sizeof(members), "\"MaxResults\":2,\"NextToken\":\"%s\"", token);
	assert_in_range(len, 1, (int)sizeof(members) - 1);
	search(sim, members);
	assert_string_equal(names(sim), "j-3 j-2");
	take_token(sim, token, sizeof(token));
	len = snprintf(members, sizeof(members), "\"MaxResults\":2,\"NextToken\":\"%s\"", token);
	assert_in_range(len, 1, (int)sizeof(members) - 1);
	search(sim, members);
	assert_string_equal(names(sim), "j-0");
	take_token(sim, token, sizeof(token));
	assert_string_equal(token, "");
	simregion_free(sim);
}

static void token__of_another_search__is_refused(void **state)
{
	struct simregion *sim = region_with_jobs();
	char token[80], body[256];
	(void)state;
	search(sim, "\"MaxResults\":2");
	take_token(sim, token, sizeof(token));
	int len = snprintf(body, sizeof(body),
			   "{\"Resource\":\"TrainingJob\",\"SortOrder\":\"Ascending\","
			   "\"NextToken\":\"%s\"}",
			   token);
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	simregion_refuses(sim, "Search", body, "ValidationException", "Invalid NextToken");
	simregion_free(sim);
}

static void search__refuses__what_it_cannot_answer(void **state)
{
#define FILTER(row) "{\"Resource\":\"TrainingJob\",\"SearchExpression\":{\"Filters\":[{" row "}]}}"
	static const struct {
		const char *body, *text;
	} rows[] = {
		{ "{}", "Value null at 'resource'" },
		{ "{\"Resource\":\"Pipeline\"}", "TrainingJob only" },
		{ "{\"Resource\":\"TrainingJob\",\"SortBy\":\"Colour\"}",
		  "Unknown property name: Colour" },
		{ "{\"Resource\":\"TrainingJob\",\"MaxResults\":101}",
		  "less than or equal to 100" },
		{ FILTER("\"Name\":\"Colour\",\"Value\":\"x\""), "Unknown property name: Colour" },
		{ FILTER("\"Name\":\"CreationTime\",\"Value\":\"yesterday\""),
		  "Value 'yesterday' is not valid for property CreationTime" },
		{ FILTER("\"Name\":\"CreationTime\",\"Operator\":\"In\",\"Value\":\"x\""),
		  "Operator In is not supported for CreationTime" },
		{ FILTER("\"Name\":\"TrainingJobName\",\"Operator\":\"Equals\""),
		  "must have a value" },
		{ FILTER("\"Name\":\"TrainingTimeInSeconds\",\"Value\":\"9x\""),
		  "Value '9x' is not valid" },
	};
#undef FILTER
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		simregion_refuses(sim, "Search", rows[i].body, "ValidationException", rows[i].text);
	simregion_free(sim);
}

static void fault__denies__search_alone(void **state)
{
	struct simregion *sim = region_with_jobs();
	(void)state;
	assert_int_equal(simregion_control(sim, "/_sim/fault",
					   "{\"operation\":\"Search\",\"percent\":100,"
					   "\"code\":\"AccessDeniedException\"}"),
			 200);
	simregion_refuses(sim, "Search", "{\"Resource\":\"TrainingJob\"}", "AccessDeniedException",
			  "");
	assert_int_equal(simregion_call(sim, "ListTrainingJobs", "{}"), 200);
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(result__is_a_whole_record__with_its_tags),
		cmocka_unit_test(index__is_behind__by_three_seconds_unless_told),
		cmocka_unit_test(index__tells_the_past__while_a_job_ends),
		cmocka_unit_test(filter__knows__every_operator),
		cmocka_unit_test(page__goes_on_behind_its_last_job__whatever_changes),
		cmocka_unit_test(token__of_another_search__is_refused),
		cmocka_unit_test(search__refuses__what_it_cannot_answer),
		cmocka_unit_test(fault__denies__search_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
