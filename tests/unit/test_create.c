/* What is asked of the service: the members that it wants, and what becomes of one Create. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "aws/sagemaker_jobs.h"
#include "model/base/mem.h"
#include "tests/fakes.h"

#define TEXT                                                                            \
	"{\"TrainingJobName\":\"run-1\",\"ResourceConfig\":{\"InstancePreferences\":[{" \
	"\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":1},{\"InstanceType\":"     \
	"\"ml.g6.xlarge\",\"InstanceCount\":2}]}}"
#define NO_LISTS                                                                              \
	"1 validation error detected: Value null at 'resourceConfig.instanceType' failed to " \
	"satisfy constraint: Member must not be null"
#define NO_TYPE "InstanceType and InstanceCount greater than 0 must be specified"

/* A service that answers every Create in one way. */
struct far_side {
	struct fake_world *world;
	struct aws_client *client;
	const char *refusal; /* a ValidationException; NULL: `reply`, or no answer at all */
	const char *reply;
	unsigned ends;
	char arn[64];
	struct err err;
};

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	const struct far_side *service = ctx;

	answer->latency_ms = 20;
	if (strcmp(sent->op, "CreateTrainingJob") != 0) {
		answer->body = mem_copy_text("{}");
		return;
	}
	assert_true(sent->once);
	if (service->refusal) {
		fake_error(answer, 400, "ValidationException", service->refusal);
	} else if (service->reply) {
		answer->body = mem_copy_text(service->reply);
	} else {
		answer->fails = ERR_TIMEOUT;
		answer->sent = true;
	}
}

static void setup(struct far_side *service)
{
	service->world = fake_world_new(serve, service);
	service->client = fake_client(service->world, SERVICE_SAGEMAKER, 0);
}

static void teardown(struct far_side *service)
{
	aws_client_free(service->client);
	fake_world_free(service->world);
	err_clear(&service->err);
}

static void created(void *ctx, const char *arn, const struct err *err)
{
	struct far_side *service = ctx;

	assert_true((arn == NULL) != (err == NULL));
	service->ends++;
	snprintf(service->arn, sizeof(service->arn), "%s", arn ? arn : "");
	if (err)
		err_copy(&service->err, err);
}

static void create(struct far_side *service, const char *text)
{
	setup(service);
	jobs_create(service->client, JOB_TRAINING, text, created, service);
	fake_run(service->world, 60000);
	assert_int_equal(service->ends, 1);
	assert_int_equal(fake_count(service->world, "CreateTrainingJob"), 1);
}

static void create__tells_the_arn__or_that_it_is_open(void **state)
{
	static const char *const lost[] = { NULL, "{}", "<html>" };
	struct far_side service = { .reply = "{\"TrainingJobArn\":\"arn:run-1\"}" };

	(void)state;
	create(&service, TEXT);
	assert_string_equal(service.arn, "arn:run-1");
	teardown(&service);
	for (size_t i = 0; i < sizeof(lost) / sizeof(lost[0]); i++) {
		service = (struct far_side){ .reply = lost[i] };
		create(&service, TEXT);
		assert_true(service.err.outcome_open);
		teardown(&service);
	}
}

/* The request had a list and nothing in its place: the refusal is about lists. */
static void create__says_that_lists_are_not_known__where_one_type_is_wanted(void **state)
{
	static const char *const refusals[] = { NO_LISTS, NO_TYPE };
	static const char single[] = "{\"ResourceConfig\":{\"InstanceCount\":1}}";

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct far_side service = { .refusal = refusals[i] };

		create(&service, TEXT);
		assert_int_equal(service.err.code, ERR_REFUSED);
		assert_int_equal(service.err.hint, HINT_NO_LISTS);
		assert_false(service.err.outcome_open);
		assert_non_null(strstr(err_text(&service.err), refusals[i]));
		teardown(&service);
		service = (struct far_side){ .refusal = refusals[i] };
		create(&service, single);
		assert_int_equal(service.err.hint, HINT_FIX_REQUEST);
		teardown(&service);
	}
}

/* While it is under way; a sanitizer sees what is left behind. */
static void client__can_be_freed__in_the_middle_of_a_create(void **state)
{
	(void)state;
	for (int64_t after = 0; after < 30; after += 10) {
		struct far_side service = { 0 };

		setup(&service);
		jobs_create(service.client, JOB_TRAINING, TEXT, created, &service);
		fake_run(service.world, after);
		teardown(&service);
	}
}

static void paged(void *ctx, struct job_page *page, const struct err *err)
{
	(void)ctx;
	(void)err;
	assert_non_null(page);
}

static void asked(void *ctx, struct job *job, const struct err *err)
{
	(void)ctx;
	(void)err;
	assert_null(job);
}

static void stopped(void *ctx, bool was_over, const struct err *err)
{
	unsigned *count = ctx;

	assert_null(err);
	assert_false(was_over);
	(*count)++;
}

static void requests__have_the_members__that_the_service_wants(void **state)
{
	struct far_side service = { 0 };
	struct list_query query = { .kind = JOB_PROCESSING,
				    .created_after = { true, INT64_C(1786528800999) },
				    .status_equals = "InProgress",
				    .name_contains = "x\"y",
				    .next_token = "a\\b\n" };
	unsigned stops = 0;

	(void)state;
	setup(&service);
	jobs_list(service.client, &query, paged, NULL);
	query = (struct list_query){ .kind = JOB_TRAINING };
	jobs_list(service.client, &query, paged, NULL);
	jobs_describe(service.client, JOB_TRAINING, "a-1", asked, NULL);
	jobs_stop(service.client, JOB_PROCESSING, "p-1", stopped, &stops);
	fake_run(service.world, 5000);
	assert_string_equal(fake_nth(service.world, "ListProcessingJobs", 0)->body,
			    "{\"SortBy\":\"CreationTime\",\"SortOrder\":\"Descending\","
			    "\"MaxResults\":100,\"CreationTimeAfter\":1786528800,"
			    "\"StatusEquals\":\"InProgress\",\"NameContains\":\"x\\\"y\","
			    "\"NextToken\":\"a\\\\b\\n\"}");
	assert_string_equal(fake_nth(service.world, "ListTrainingJobs", 0)->body,
			    "{\"SortBy\":\"CreationTime\",\"SortOrder\":\"Descending\","
			    "\"MaxResults\":100}");
	assert_string_equal(fake_nth(service.world, "DescribeTrainingJob", 0)->body,
			    "{\"TrainingJobName\":\"a-1\"}");
	assert_string_equal(fake_nth(service.world, "StopProcessingJob", 0)->body,
			    "{\"ProcessingJobName\":\"p-1\"}");
	assert_int_equal(stops, 1);
	teardown(&service);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create__tells_the_arn__or_that_it_is_open),
		cmocka_unit_test(create__says_that_lists_are_not_known__where_one_type_is_wanted),
		cmocka_unit_test(client__can_be_freed__in_the_middle_of_a_create),
		cmocka_unit_test(requests__have_the_members__that_the_service_wants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
