/* Stops one after the other: what is asked of AWS for each, in which order and pace, and what is
 * told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/stopper.h"
#include "model/base/mem.h"
#include "tests/fakes.h"

#define ARN       "arn:aws:sagemaker:us-east-1:111122223333:training-job/"
#define TOLD_SIZE 2048

struct far_side {
	struct fake_world *world;
	struct aws_client *client;
	struct stopper *stopper;
	/* What the service answers. */
	const char *status, *secondary; /* of Describe; NULL = there is no such job */
	const char *more;               /* members of Describe */
	const char *tags;               /* of ListTags; NULL = denied */
	bool describe_denied, stop_denied, stop_over;
	/* What was told. */
	char told[TOLD_SIZE];
	unsigned seen, not_found;
};

static void answer_describe(const struct far_side *service, const struct fake_sent *sent,
			    struct fake_answer *answer)
{
	char name[64] = "";
	struct buf body;
	static const char head[] = "{\"TrainingJobName\":\"";
	assert_memory_equal(sent->body, head, strlen(head));
	const char *from = sent->body + strlen(head);
	(void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(from, "\""), from);
	if (service->describe_denied) {
		fake_error(answer, 400, "AccessDeniedException", "no DescribeTrainingJob");
		return;
	}
	if (!service->status) {
		fake_error(answer, 400, "ValidationException", "Requested resource not found.");
		return;
	}
	buf_init(&body, 4096);
	buf_addf(&body,
		 "{\"TrainingJobName\":\"%s\",\"TrainingJobArn\":\"" ARN
		 "%s\",\"TrainingJobStatus\":\"%s\",\"SecondaryStatus\":\"%s\"%s}",
		 name, name, service->status, service->secondary,
		 service->more ? service->more : "");
	answer->body = buf_take(&body);
}

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	struct far_side *service = ctx;
	answer->latency_ms = 20;
	if (strcmp(sent->op, "DescribeTrainingJob") == 0) {
		answer_describe(service, sent, answer);
	} else if (strcmp(sent->op, "ListTags") == 0) {
		if (service->tags)
			answer->body = mem_copy_text(service->tags);
		else
			fake_error(answer, 400, "AccessDeniedException", "no ListTags");
	} else if (service->stop_denied) {
		fake_error(answer, 400, "AccessDeniedException", "no StopTrainingJob");
	} else if (service->stop_over) {
		fake_error(
			answer, 400, "ValidationException",
			"The request was rejected because the training job is in status Stopped.");
	} else {
		assert_string_equal(sent->op, "StopTrainingJob");
		answer->body = mem_copy_text("");
	}
}

static void wake_stopper(void *target)
{
	stopper_wake(((struct far_side *)target)->stopper);
}

static void on_stopped(void *ctx, const struct stop_result *result)
{
	struct far_side *service = ctx;
	size_t len = strlen(service->told);
	(void)snprintf(service->told + len, TOLD_SIZE - len, "%s %s%s%s (%zu left)\n", result->name,
		       stop_outcome_word(result->outcome), result->owner.kind ? " by " : "",
		       result->owner.kind ? owner_word(result->owner.kind) : "", result->left);
	assert_int_equal(result->err != NULL, result->outcome == STOP_FAILED);
}

static void on_seen(void *ctx, enum job_kind kind, const char *name, struct job *job)
{
	struct far_side *service = ctx;
	assert_int_equal(kind, JOB_TRAINING);
	assert_non_null(name);
	service->seen += job != NULL;
	service->not_found += job == NULL;
	job_release(job); /* it may be taken */
}

static int start(void **state)
{
	struct far_side *service = mem_new(1, sizeof(*service));
	service->status = "InProgress";
	service->secondary = "Pending";
	service->tags = "{\"Tags\":[]}";
	service->world = fake_world_new(serve, service);
	service->client = fake_client(service->world, SERVICE_SAGEMAKER, 0);
	const struct stopper_options stops = { .client = service->client,
					       .clock = &service->world->clock,
					       .hooks = fake_hooks(service->world, wake_stopper,
								   service),
					       .stopped = on_stopped,
					       .seen = on_seen,
					       .ctx = service };
	service->stopper = stopper_new(&stops);
	*state = service;
	return 0;
}

static int stop(void **state)
{
	struct far_side *service = *state;
	stopper_free(service->stopper);
	aws_client_free(service->client);
	fake_world_free(service->world);
	free(service);
	return 0;
}

static struct stop_wish wish(const char *name)
{
	struct stop_wish made = { .kind = JOB_TRAINING };
	(void)snprintf(made.name, sizeof(made.name), "%s", name);
	return made;
}

static void stop_one(struct far_side *service, bool despite_owner)
{
	struct stop_wish one = wish("run-1");
	one.despite_owner = despite_owner;
	stopper_add(service->stopper, &one, 1);
	fake_run(service->world, 60000);
	assert_int_equal(stopper_left(service->stopper), 0);
}

static void stop__is_described_and_asked_about_first__then_sent(void **state)
{
	struct far_side *service = *state;
	stop_one(service, false);
	assert_string_equal(service->told, "run-1 stopping (0 left)\n");
	assert_int_equal(service->world->sent_count, 3);
	assert_string_equal(service->world->sent[0].op, "DescribeTrainingJob");
	assert_string_equal(service->world->sent[1].op, "ListTags");
	assert_non_null(strstr(service->world->sent[1].body, ARN "run-1"));
	assert_string_equal(service->world->sent[2].op, "StopTrainingJob");
	assert_string_equal(service->world->sent[2].body, "{\"TrainingJobName\":\"run-1\"}");
	assert_int_equal(service->seen, 1);
}

/* Case 057: what is over or not there needs no stop and is no error. */
static void stop__is_not_sent__for_what_is_over_or_gone(void **state)
{
	static const struct {
		const char *status, *secondary, *told;
	} cases[] = {
		{ "Completed", "Completed", "run-1 over (0 left)\n" },
		{ "Failed", "Failed", "run-1 over (0 left)\n" },
		{ "Stopped", "Stopped", "run-1 over (0 left)\n" },
		{ "Stopping", "Stopping", "run-1 over (0 left)\n" },
		{ NULL, NULL, "run-1 unknown (0 left)\n" },
	};
	struct far_side *service = *state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		service->status = cases[i].status;
		service->secondary = cases[i].secondary;
		service->told[0] = '\0';
		stop_one(service, false);
		assert_string_equal(service->told, cases[i].told);
	}
	assert_int_equal(fake_count(service->world, "StopTrainingJob"), 0);
	assert_int_equal(service->seen, 4);
	assert_int_equal(service->not_found, 1);
}

/* It ended between the look and the stop: AWS's words for it, and another refusal. */
static void stop__that_comes_too_late__is_over_and_any_other_refusal_an_error(void **state)
{
	struct far_side *service = *state;
	service->stop_over = true;
	stop_one(service, false);
	assert_string_equal(service->told, "run-1 over (0 left)\n");
	service->told[0] = '\0';
	service->stop_denied = true;
	stop_one(service, false);
	assert_string_equal(service->told, "run-1 failed (0 left)\n");
}

static void stop__is_not_sent__for_what_belongs_to_somebody(void **state)
{
	struct far_side *service = *state;
	service->more = ",\"TuningJobArn\":\"arn:aws:sagemaker:us-east-1:111122223333:"
			"hyper-parameter-tuning-job/hpo-7\"";
	stop_one(service, false);
	assert_string_equal(service->told, "run-1 owned by tuning job (0 left)\n");
	service->more = NULL;
	service->told[0] = '\0';
	service->tags = "{\"Tags\":[{\"Key\":\"MANAGED_BY_AWS\",\"Value\":\"x\"}]}";
	stop_one(service, false);
	assert_string_equal(service->told, "run-1 owned by Step Functions execution (0 left)\n");
	assert_int_equal(fake_count(service->world, "StopTrainingJob"), 0);
	/* Wanted knowing it. */
	service->told[0] = '\0';
	stop_one(service, true);
	assert_string_equal(service->told, "run-1 stopping (0 left)\n");
	assert_int_equal(fake_count(service->world, "StopTrainingJob"), 1);
}

/* Nobody is kept from stopping what costs money by a look that gets no answer. */
static void stop__is_sent__where_the_look_is_denied(void **state)
{
	struct far_side *service = *state;
	service->tags = NULL;
	stop_one(service, false);
	assert_string_equal(service->told, "run-1 stopping (0 left)\n");
	service->told[0] = '\0';
	service->describe_denied = true;
	stop_one(service, false);
	assert_string_equal(service->told, "run-1 stopping (0 left)\n");
	assert_int_equal(fake_count(service->world, "StopTrainingJob"), 2);
}

static void stops__are_half_a_second_apart__and_told_in_their_order(void **state)
{
	struct far_side *service = *state;
	const struct stop_wish wishes[] = { wish("a"), wish("b"), wish("c"), wish("d") };
	stopper_add(service->stopper, wishes, ARRAY_LEN(wishes));
	assert_int_equal(stopper_left(service->stopper), 4);
	fake_run(service->world, 60000);
	assert_string_equal(service->told, "a stopping (3 left)\nb stopping (2 left)\n"
					   "c stopping (1 left)\nd stopping (0 left)\n");
	for (size_t i = 1; i < ARRAY_LEN(wishes); i++) {
		const struct fake_sent *before = fake_nth(service->world, "StopTrainingJob", i - 1);
		const struct fake_sent *after = fake_nth(service->world, "StopTrainingJob", i);
		assert_true(after->at_ms - before->at_ms >= STOPPER_PACE_MS);
		assert_true(after->at_ms - before->at_ms < 2 * STOPPER_PACE_MS);
	}
}

/* With a Describe, a ListTags, a Stop or nothing under way. A sanitizer sees what is left. */
static void stopper__can_be_freed__at_every_moment(void **state)
{
	static const int64_t moments_ms[] = { 0, 10, 30, 50, 100, 510, 530, 600 };
	stop(state);
	for (size_t i = 0; i < ARRAY_LEN(moments_ms); i++) {
		const struct stop_wish wishes[] = { wish("a"), wish("b") };
		struct far_side *service;
		start(state);
		service = *state;
		stopper_add(service->stopper, wishes, ARRAY_LEN(wishes));
		fake_run(service->world, moments_ms[i]);
		stopper_free(service->stopper);
		service->stopper = NULL;
		fake_run(service->world, 60000);
		stop(state);
	}
	stopper_free(NULL);
	start(state);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(stop__is_described_and_asked_about_first__then_sent),
		TEST(stop__is_not_sent__for_what_is_over_or_gone),
		TEST(stop__that_comes_too_late__is_over_and_any_other_refusal_an_error),
		TEST(stop__is_not_sent__for_what_belongs_to_somebody),
		TEST(stop__is_sent__where_the_look_is_denied),
		TEST(stops__are_half_a_second_apart__and_told_in_their_order),
		TEST(stopper__can_be_freed__at_every_moment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
