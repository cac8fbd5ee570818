/* What is told of a Stop, however its tries are answered. */
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
#include "tests/shared.h"

#define TRIES 3 /* the client's own number */

enum fault {
	FAULT_NONE,
	FAULT_LOST,
	FAULT_UNSENT,
	FAULT_500,
	FAULT_THROTTLED,
	FAULT_DENIED,
	FAULT_OVER,
	FAULT_GONE,
	FAULT_SAYS
};

struct far_side {
	struct fake_world *world;
	struct aws_client *client;
	const enum fault *faults; /* by number of the Stop */
	const char *says;         /* with FAULT_SAYS, a ValidationException */
	unsigned stops, ends;
	bool was_over;
	struct err err;
};

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	struct far_side *service = ctx;

	answer->latency_ms = 20;
	assert_string_equal(sent->op, "StopTrainingJob");
	assert_true(service->stops < TRIES);
	switch (service->faults[service->stops++]) {
	case FAULT_NONE:
		answer->body = mem_copy_text("");
		break;
	case FAULT_LOST:
		answer->fails = ERR_NET;
		answer->sent = true;
		break;
	case FAULT_UNSENT:
		answer->fails = ERR_NET;
		break;
	case FAULT_500:
		fake_error(answer, 500, "InternalFailure", "");
		break;
	case FAULT_THROTTLED:
		fake_error(answer, 400, "ThrottlingException", "Rate exceeded");
		break;
	case FAULT_DENIED:
		fake_error(answer, 400, "AccessDeniedException", "not authorized");
		break;
	case FAULT_OVER:
		fake_error(
			answer, 400, "ValidationException",
			"The request was rejected because the training job is in status Stopped.");
		break;
	case FAULT_GONE:
		fake_error(answer, 400, "ValidationException",
			   "Could not find job to update with name run-1");
		break;
	case FAULT_SAYS:
		fake_error(answer, 400, "ValidationException", service->says);
		break;
	}
}

static void stopped(void *ctx, bool was_over, const struct err *err)
{
	struct far_side *service = ctx;

	service->ends++;
	service->was_over = was_over;
	if (err)
		err_copy(&service->err, err);
}

static void setup_saying(struct far_side *service, const enum fault *faults, const char *says)
{
	*service = (struct far_side){ .faults = faults, .says = says };
	service->world = fake_world_new(serve, service);
	service->client = fake_client(service->world, SERVICE_SAGEMAKER, 0);
	jobs_stop(service->client, JOB_TRAINING, "run-1", stopped, service);
}

static void setup(struct far_side *service, const enum fault *faults)
{
	setup_saying(service, faults, NULL);
}

static void teardown(struct far_side *service)
{
	aws_client_free(service->client);
	fake_world_free(service->world);
	err_clear(&service->err);
}

static void stop__is_told_for_what_it_is__however_it_is_answered(void **state)
{
	static const struct {
		enum fault faults[TRIES];
		enum err_code code;
		bool was_over, open;
	} cases[] = {
		{ { FAULT_NONE }, ERR_NONE, false, false },
		{ { FAULT_THROTTLED, FAULT_NONE }, ERR_NONE, false, false },
		/* It was over before, or the lost try has stopped it. */
		{ { FAULT_OVER }, ERR_NONE, true, false },
		{ { FAULT_GONE }, ERR_NONE, true, false },
		{ { FAULT_LOST, FAULT_OVER }, ERR_NONE, true, false },
		{ { FAULT_500, FAULT_LOST, FAULT_OVER }, ERR_NONE, true, false },
		/* Nobody knows: what ends it says nothing of the try that was lost. */
		{ { FAULT_LOST, FAULT_LOST, FAULT_LOST }, ERR_NET, false, true },
		{ { FAULT_LOST, FAULT_THROTTLED, FAULT_THROTTLED }, ERR_THROTTLED, false, true },
		{ { FAULT_500, FAULT_DENIED }, ERR_DENIED, false, true },
		/* Nothing has arrived. */
		{ { FAULT_DENIED }, ERR_DENIED, false, false },
		{ { FAULT_UNSENT, FAULT_UNSENT, FAULT_UNSENT }, ERR_NET, false, false },
		{ { FAULT_THROTTLED, FAULT_THROTTLED, FAULT_THROTTLED },
		  ERR_THROTTLED,
		  false,
		  false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct far_side service;

		setup(&service, cases[i].faults);
		fake_run(service.world, 600000);
		if (service.ends != 1 || service.err.code != cases[i].code ||
		    service.was_over != cases[i].was_over ||
		    service.err.outcome_open != cases[i].open)
			fail_msg("case %zu: told %u times, error %d, over %d, open %d", i,
				 service.ends, (int)service.err.code, service.was_over,
				 service.err.outcome_open);
		teardown(&service);
	}
}

/* The beginnings that a platform compares, each with an end: benign. Another one is an error. */
static void case_057__texts_of_what_is_over__are_no_error(void **state)
{
	static const enum fault faults[TRIES] = { FAULT_SAYS };
	FILE *file = shared_open("cases/057-stop-refused-benign/input.txt");
	struct far_side service;
	char line[256], says[300];
	unsigned lines = 0;

	(void)state;
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\r\n")] = '\0';
		(void)snprintf(says, sizeof(says), "%s Completed.", line);
		setup_saying(&service, faults, says);
		fake_run(service.world, 600000);
		assert_int_equal(service.ends, 1);
		assert_int_equal(service.err.code, ERR_NONE);
		assert_true(service.was_over);
		teardown(&service);
		lines++;
	}
	if (file) {
		fclose(file);
		assert_int_equal(lines, 3);
	}
	setup_saying(&service, faults, "1 validation error detected: Value at 'trainingJobName'");
	fake_run(service.world, 600000);
	assert_int_equal(service.err.code, ERR_REFUSED);
	assert_false(service.was_over);
	teardown(&service);
}

/* A sanitizer sees what is left behind. */
static void client__can_be_freed__before_the_answer(void **state)
{
	static const enum fault faults[TRIES] = { FAULT_LOST };
	struct far_side service;

	(void)state;
	setup(&service, faults);
	fake_run(service.world, 10);
	assert_int_equal(service.ends, 0);
	teardown(&service);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stop__is_told_for_what_it_is__however_it_is_answered),
		cmocka_unit_test(case_057__texts_of_what_is_over__are_no_error),
		cmocka_unit_test(client__can_be_freed__before_the_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
