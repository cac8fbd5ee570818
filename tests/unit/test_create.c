#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sagemaker_jobs.h"
#include "model/base/buf.h"
#include "model/base/mem.h"
#include "tests/fakes.h"

#define TEXT                                                                                   \
	"{\"TrainingJobName\":\"run-1\",\"RoleArn\":\"arn:role\",\"AlgorithmSpecification\":{" \
	"\"TrainingImage\":\"img\"},\"ResourceConfig\":{\"InstancePreferences\":[{"            \
	"\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":1},{\"InstanceType\":"            \
	"\"ml.g6.xlarge\",\"InstanceCount\":2}]},\"StoppingCondition\":{"                      \
	"\"MaxRuntimeInSeconds\":3600}}"

/* But for one count it is the same. */
#define OTHER_TEXT                                                                          \
	"{\"TrainingJobName\":\"run-1\",\"RoleArn\":\"arn:role\","                          \
	"\"AlgorithmSpecification\":{\"TrainingImage\":\"img\"},\"ResourceConfig\":{"       \
	"\"InstancePreferences\":[{\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":1}," \
	"{\"InstanceType\":\"ml.g6.xlarge\",\"InstanceCount\":1}]},"                        \
	"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}}"

#define NO_LISTS                                                                              \
	"1 validation error detected: Value null at 'resourceConfig.instanceType' failed to " \
	"satisfy constraint: Member must not be null"
#define NO_TYPE "InstanceType and InstanceCount greater than 0 must be specified"

/* How the service treats the nth Create. */
enum fault {
	FAULT_NONE,
	FAULT_LOST_BEFORE, /* the request never took effect */
	FAULT_LOST_AFTER,  /* it did, the answer is gone */
	FAULT_500_AFTER,
	FAULT_GARBLED_AFTER, /* 200, but not JSON */
	FAULT_NO_ARN,        /* 200 {} */
	FAULT_LATE,          /* lost, and takes effect only when the next Create comes */
	FAULT_THROTTLED,
	FAULT_IN_USE,
	FAULT_NO_LISTS, /* an endpoint that knows no lists, in its two ways */
	FAULT_NO_TYPE
};

/* A service that knows one name. */
struct far_side {
	struct fake_world *world;
	struct aws_client *client;
	enum fault faults[8]; /* by number of the Create */
	unsigned creates, made;
	bool exists, late;
	const char *text;    /* of the job that exists */
	int64_t created_ms;  /* 0 = now */
	bool blind;          /* Describe gets no answer */
	struct opt_ms tried; /* of the order */
	/* What the caller was told. */
	unsigned ends;
	char arn[64];
	struct err err;
};

static void make(struct far_side *service)
{
	service->made++;
	service->exists = true;
}

static void answer_create(struct far_side *service, const struct fake_sent *sent,
			  struct fake_answer *answer)
{
	enum fault fault = service->faults[service->creates++];

	if (service->late) {
		service->late = false;
		make(service);
	}
	if (fault == FAULT_THROTTLED) {
		fake_error(answer, 400, "ThrottlingException", "Rate exceeded");
		return;
	}
	if (service->exists || fault == FAULT_IN_USE) {
		fake_error(answer, 400, "ResourceInUse", "a job with this name already exists");
		return;
	}
	if (fault == FAULT_NO_LISTS || fault == FAULT_NO_TYPE) {
		fake_error(answer, 400, "ValidationException",
			   fault == FAULT_NO_LISTS ? NO_LISTS : NO_TYPE);
		return;
	}
	assert_string_equal(sent->body, TEXT);
	assert_true(sent->once);
	if (fault == FAULT_LATE)
		service->late = true;
	else if (fault != FAULT_LOST_BEFORE)
		make(service);
	if (fault == FAULT_LOST_BEFORE || fault == FAULT_LOST_AFTER || fault == FAULT_LATE) {
		answer->fails = ERR_TIMEOUT;
		answer->sent = true;
	} else if (fault == FAULT_500_AFTER) {
		fake_error(answer, 500, "InternalFailure", "");
	} else if (fault == FAULT_GARBLED_AFTER) {
		answer->body = mem_copy_text("<html>");
	} else if (fault == FAULT_NO_ARN) {
		answer->body = mem_copy_text("{}");
	} else {
		answer->body = mem_copy_text("{\"TrainingJobArn\":\"arn:run-1\"}");
	}
}

/* The description of a job is its request and what the service adds. */
static void answer_describe(struct far_side *service, struct fake_answer *answer)
{
	int64_t created = service->created_ms ? service->created_ms : service->world->wall_ms;
	struct buf body;

	if (service->blind) {
		answer->fails = ERR_NET;
		return;
	}
	if (!service->exists) {
		fake_error(answer, 400, "ValidationException", "Requested resource not found.");
		return;
	}
	buf_init(&body, 65536);
	buf_add(&body, service->text, strlen(service->text) - 1);
	buf_addf(&body,
		 ",\"TrainingJobArn\":\"arn:run-1\",\"TrainingJobStatus\":\"InProgress\","
		 "\"SecondaryStatus\":\"Pending\",\"CreationTime\":%" PRId64 "}",
		 created / 1000);
	answer->body = buf_take(&body);
}

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	struct far_side *service = ctx;

	answer->latency_ms = 20;
	if (strcmp(sent->op, "CreateTrainingJob") == 0)
		answer_create(service, sent, answer);
	else if (strcmp(sent->op, "DescribeTrainingJob") == 0)
		answer_describe(service, answer);
	else
		answer->body = mem_copy_text("{}");
}

static void wake(void *target)
{
	aws_client_wake(((struct far_side *)target)->client);
}

static void setup(struct far_side *service, bool read_only)
{
	char access[] = "A", secret[] = "S";
	struct aws_credentials keys = { .access_key = access, .secret_key = secret };
	struct err err = { 0 };

	service->text = service->text ? service->text : TEXT;
	service->world = fake_world_new(serve, service);

	struct aws_options options = { .region = "us-east-1",
				       .read_only = read_only,
				       .seed = 3,
				       .clock = &service->world->clock,
				       .hooks = fake_hooks(service->world, wake, service),
				       .transport = &service->world->transport };

	service->client = aws_client_new(&options, &keys, &err);
	assert_non_null(service->client);
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

static void start(struct far_side *service, const char *name, const char *text)
{
	const struct order order = {
		.kind = JOB_TRAINING, .name = name, .text = text, .tried = service->tried
	};

	jobs_create(service->client, &order, created, service);
}

static void create(struct far_side *service)
{
	start(service, "run-1", TEXT);
	fake_run(service->world, 600000);
	assert_int_equal(service->ends, 1);
}

/* Whatever happens to the answers, one job comes of it, and its ARN is told. */
static void create__makes_one_job__however_answers_are_lost(void **state)
{
	static const struct {
		enum fault faults[4];
		unsigned creates;
	} cases[] = {
		{ { FAULT_NONE }, 1 },
		{ { FAULT_LOST_AFTER }, 1 },
		{ { FAULT_500_AFTER }, 1 },
		{ { FAULT_GARBLED_AFTER }, 1 },
		{ { FAULT_NO_ARN }, 1 },
		{ { FAULT_LOST_BEFORE }, 2 },
		{ { FAULT_LOST_BEFORE, FAULT_LOST_AFTER }, 2 },
		{ { FAULT_LOST_BEFORE, FAULT_LOST_BEFORE }, 3 },
		{ { FAULT_LATE }, 2 }, /* the second is refused: the first has arrived after all */
		{ { FAULT_THROTTLED, FAULT_THROTTLED }, 3 },
		{ { FAULT_THROTTLED, FAULT_LOST_AFTER }, 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct far_side service = { .exists = false };

		memcpy(service.faults, cases[i].faults, sizeof(cases[i].faults));
		setup(&service, false);
		create(&service);
		if (service.made != 1 || service.creates != cases[i].creates ||
		    strcmp(service.arn, "arn:run-1") != 0)
			fail_msg("case %zu: %u made, %u sent, %s", i, service.made, service.creates,
				 err_text(&service.err));
		teardown(&service);
	}
}

static void create__gives_up__when_nothing_ever_arrives(void **state)
{
	struct far_side service = { .faults = { FAULT_LOST_BEFORE, FAULT_LOST_BEFORE,
						FAULT_LOST_BEFORE, FAULT_LOST_BEFORE } };

	(void)state;
	setup(&service, false);
	create(&service);
	assert_int_equal(service.creates, 3);
	assert_int_equal(service.err.code, ERR_TIMEOUT);
	assert_non_null(strstr(service.err.subject, "CreateTrainingJob"));
	assert_non_null(strstr(err_text(&service.err), "there is no job named run-1"));
	assert_false(service.err.outcome_open);
	teardown(&service);
}

static void create__says_that_it_is_not_known__when_the_lookup_fails_too(void **state)
{
	struct far_side service = { .faults = { FAULT_LOST_AFTER }, .blind = true };

	(void)state;
	setup(&service, false);
	create(&service);
	assert_int_equal(service.creates, 1);
	assert_int_equal(service.err.code, ERR_TIMEOUT);
	assert_non_null(strstr(err_text(&service.err), "run-1"));
	assert_non_null(strstr(err_text(&service.err), "not known"));
	assert_true(service.err.outcome_open);
	teardown(&service);
}

/* The try of a minute ago may have arrived: it is looked for before anything is sent. */
static void setup_again(struct far_side *service)
{
	setup(service, false);
	service->tried = (struct opt_ms){ true, service->world->mono_ms };
	fake_run(service->world, 60000);
}

static void create__again__finds_what_the_try_before_made(void **state)
{
	struct far_side service = { .exists = true };

	(void)state;
	setup_again(&service);
	service.created_ms = service.world->wall_ms - 59000;
	create(&service);
	assert_string_equal(service.arn, "arn:run-1");
	assert_int_equal(service.creates, 0);
	teardown(&service);

	/* It had not arrived, whatever happens to this one. */
	service = (struct far_side){ .faults = { FAULT_LOST_AFTER } };
	setup_again(&service);
	create(&service);
	assert_string_equal(service.arn, "arn:run-1");
	assert_int_equal(service.made, 1);
	teardown(&service);

	/* It arrives between the look and this one. */
	service = (struct far_side){ .late = true };
	setup_again(&service);
	create(&service);
	assert_string_equal(service.arn, "arn:run-1");
	assert_int_equal(service.made, 1);
	assert_int_equal(service.creates, 1);
	teardown(&service);
}

static void create__again__sends_nothing__while_nobody_knows(void **state)
{
	struct far_side service = { .exists = true, .blind = true };

	(void)state;
	setup_again(&service);
	create(&service);
	assert_int_equal(service.creates, 0);
	assert_true(service.err.outcome_open);
	assert_non_null(strstr(err_text(&service.err), "whether run-1 was created is not known"));
	assert_non_null(strstr(service.err.subject, "CreateTrainingJob"));
	teardown(&service);
}

static void create__again__tells_that_another_request_has_arrived(void **state)
{
	struct far_side service = { .exists = true, .text = OTHER_TEXT };

	(void)state;
	setup_again(&service);
	create(&service);
	assert_int_equal(service.creates, 0);
	assert_int_equal(service.err.code, ERR_CONFLICT);
	assert_false(service.err.outcome_open);
	assert_non_null(strstr(err_text(&service.err), "the try before has arrived"));
	teardown(&service);

	/* Somebody's, of long ago. */
	service = (struct far_side){ .exists = true, .text = OTHER_TEXT };
	setup_again(&service);
	service.created_ms = service.world->wall_ms - 3600000;
	create(&service);
	assert_int_equal(service.err.code, ERR_CONFLICT);
	assert_non_null(strstr(err_text(&service.err), "it is another one"));
	teardown(&service);
}

/* The name is taken, but a look does not find by whom: it may be this very request. */
static void create__again__leaves_it_open__when_a_name_is_taken_by_nobody(void **state)
{
	struct far_side service = { .faults = { FAULT_IN_USE, FAULT_IN_USE, FAULT_IN_USE } };

	(void)state;
	setup_again(&service);
	create(&service);
	assert_int_equal(service.creates, 3);
	assert_int_equal(service.err.code, ERR_CONFLICT);
	assert_true(service.err.outcome_open);
	teardown(&service);
}

static void create__is_a_conflict__when_the_name_was_taken_before(void **state)
{
	struct far_side service = { .faults = { FAULT_IN_USE } };

	(void)state;
	/* Said by the service at once: no lookup. */
	setup(&service, false);
	create(&service);
	assert_int_equal(service.err.code, ERR_CONFLICT);
	assert_int_equal(fake_count(service.world, "DescribeTrainingJob"), 0);
	teardown(&service);

	/* Found by the lookup: another request. */
	service = (struct far_side){ .faults = { FAULT_LOST_BEFORE, FAULT_LOST_BEFORE },
				     .text = OTHER_TEXT };
	setup(&service, false);
	start(&service, "run-1", TEXT);
	service.exists = true;
	fake_run(service.world, 60000);
	assert_int_equal(service.err.code, ERR_CONFLICT);
	assert_int_equal(service.err.hint, HINT_OTHER_NAME);
	assert_int_equal(service.creates, 1);
	teardown(&service);

	/* Found by the lookup: the same request, but of an hour ago. */
	service = (struct far_side){ .faults = { FAULT_LOST_BEFORE, FAULT_LOST_BEFORE } };
	setup(&service, false);
	service.created_ms = service.world->wall_ms - 3600000;
	start(&service, "run-1", TEXT);
	service.exists = true;
	fake_run(service.world, 60000);
	assert_int_equal(service.err.code, ERR_CONFLICT);
	teardown(&service);
}

/* The request had a list and nothing in its place: the refusal is about lists. */
static void create__says_that_lists_are_not_known__where_one_type_is_wanted(void **state)
{
	static const enum fault faults[] = { FAULT_NO_LISTS, FAULT_NO_TYPE };
	static const char single[] = "{\"ResourceConfig\":{\"InstanceCount\":1}}";

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct far_side service = { .faults = { faults[i], faults[i] } };

		setup(&service, false);
		create(&service);
		assert_int_equal(service.err.code, ERR_REFUSED);
		assert_int_equal(service.err.hint, HINT_NO_LISTS);
		assert_non_null(strstr(err_text(&service.err), i == 0 ? NO_LISTS : NO_TYPE));
		assert_int_equal(service.creates, 1);
		service.ends = 0;
		start(&service, "run-2", single);
		fake_run(service.world, 60000);
		assert_int_equal(service.err.hint, HINT_FIX_REQUEST);
		teardown(&service);
	}
}

static void create__is_refused__when_read_only(void **state)
{
	struct far_side service = { .exists = false };

	(void)state;
	setup(&service, true);
	create(&service);
	assert_int_equal(service.creates, 0);
	assert_int_equal(service.err.code, ERR_CONFIG);
	assert_int_equal(fake_count(service.world, "DescribeTrainingJob"), 0);
	teardown(&service);
}

/* In each of its stages; a sanitizer sees what is left behind. */
static void client__can_be_freed__in_the_middle_of_a_create(void **state)
{
	(void)state;
	for (int64_t after = 0; after < 60; after += 10) {
		struct far_side service = { .faults = { FAULT_LOST_BEFORE } };

		setup(&service, false);
		start(&service, "run-1", TEXT);
		fake_run(service.world, after);
		assert_int_equal(service.ends, 0);
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
	struct far_side service = { .exists = false };
	struct list_query query = { .kind = JOB_PROCESSING,
				    .created_after = { true, INT64_C(1786528800999) },
				    .status_equals = "InProgress",
				    .name_contains = "x\"y",
				    .next_token = "a\\b\n" };
	unsigned stops = 0;

	(void)state;
	setup(&service, false);
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
		cmocka_unit_test(create__makes_one_job__however_answers_are_lost),
		cmocka_unit_test(create__gives_up__when_nothing_ever_arrives),
		cmocka_unit_test(create__says_that_it_is_not_known__when_the_lookup_fails_too),
		cmocka_unit_test(create__again__finds_what_the_try_before_made),
		cmocka_unit_test(create__again__sends_nothing__while_nobody_knows),
		cmocka_unit_test(create__again__tells_that_another_request_has_arrived),
		cmocka_unit_test(create__again__leaves_it_open__when_a_name_is_taken_by_nobody),
		cmocka_unit_test(create__is_a_conflict__when_the_name_was_taken_before),
		cmocka_unit_test(create__says_that_lists_are_not_known__where_one_type_is_wanted),
		cmocka_unit_test(create__is_refused__when_read_only),
		cmocka_unit_test(client__can_be_freed__in_the_middle_of_a_create),
		cmocka_unit_test(requests__have_the_members__that_the_service_wants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
