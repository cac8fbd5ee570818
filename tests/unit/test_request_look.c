/*
 * What is asked of AWS before a request is sent: that it ends once and in time, whatever comes. The
 * session is a fake of four parts (client, quotas, plans, hooks); these parts are the real ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/plans_feed.h"
#include "aws/quotas_feed.h"
#include "aws/request_look.h"
#include "model/base/mem.h"
#include "model/store_quotas.h"
#include "tests/fakes.h"

#define PLAN "arn:aws:sagemaker:us-east-1:111122223333:training-plan/tp-a"
#define NAME "llm-ft-0930"
#define P5   "ml.p5.48xlarge"
#define P4D  "ml.p4d.24xlarge"

#define DESCRIBE "DescribeTrainingJob"
#define SEARCH   "Search"
#define GET      "GetServiceQuota"
#define PLANS    "ListTrainingPlans"

struct session {
	struct fake_world *world;
	struct aws_client *quota_client, *client;
	struct store store;
	struct waits waits;
	struct waiter plans_waiter, quotas_waiter;
	struct plans_feed *plans;
	struct quotas_feed *quotas;
};

/* A scene: a session, what AWS answers, and what was told. */
struct scene {
	struct session session;
	struct request request;
	struct need_look told;
	struct request_look *look;
	const char *described; /* body of Describe; NULL = there is no such job */
	const char *found;     /* body of Search */
	const char *broken;    /* every body, in the place of its own; NULL = none */
	const char *silent;    /* an operation; "" = all; NULL = none */
	const char *denied;    /* the same */
	unsigned done;
	int64_t done_ms; /* since the look began */
	int64_t began_ms;
};

/* --- the session --- */

struct aws_client *session_client(struct session *session)
{
	return session->client;
}

int64_t session_wall_ms(const struct session *session)
{
	return session->world->wall_ms;
}

struct wait_hooks session_hooks(struct session *session, struct waiter *waiter)
{
	return waits_add(&session->waits, waiter);
}

static struct scene *scene_of(struct session *session)
{
	return (struct scene *)session; /* its first member */
}

static void note_change(void *ctx)
{
	struct scene *scene = scene_of(ctx);
	if (scene->look)
		request_look_changed(scene->look);
}

static void plans_due(void *ctx)
{
	plans_feed_wake(((struct session *)ctx)->plans);
}

static void quotas_due(void *ctx)
{
	quotas_feed_wake(((struct session *)ctx)->quotas);
}

void session_start_plans(struct session *session)
{
	session->plans_waiter = (struct waiter){ .wake = plans_due, .ctx = session };
	session->plans = plans_feed_new(&(struct plans_feed_options){
		.client = session->client,
		.store = &session->store,
		.clock = &session->world->clock,
		.hooks = waits_add(&session->waits, &session->plans_waiter),
		.on_change = note_change,
		.ctx = session,
	});
}

void session_want_plans(struct session *session, bool wanted)
{
	plans_feed_want(session->plans, wanted);
}

void session_want_quotas(struct session *session, const struct quota_key *keys, size_t count)
{
	if (!session->quotas) {
		session->quotas_waiter = (struct waiter){ .wake = quotas_due, .ctx = session };
		session->quotas = quotas_feed_new(&(struct quotas_feed_options){
			.client = session->quota_client,
			.store = &session->store,
			.clock = &session->world->clock,
			.hooks = waits_add(&session->waits, &session->quotas_waiter),
			.gap_ms = QUOTAS_FEED_GAP_MS,
			.on_change = note_change,
			.ctx = session,
		});
	}
	quotas_feed_want(session->quotas, keys, count);
}

bool session_quotas_are_settled(const struct session *session)
{
	return !session->quotas || quotas_feed_is_settled(session->quotas);
}

/* --- what AWS says --- */

static bool is_of(const char *which, const char *op)
{
	return which && (!which[0] || strcmp(which, op) == 0);
}

static char *quota_of(const char *request)
{
	char body[128];
	const char *code = strstr(request, "\"QuotaCode\":\"");
	assert_non_null(code);
	(void)snprintf(body, sizeof(body), "{\"Quota\":{\"QuotaCode\":\"%.10s\",\"Value\":16.0}}",
		       code + strlen("\"QuotaCode\":\""));
	return mem_copy_text(body);
}

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	const struct scene *scene = ctx;
	answer->latency_ms = 50;
	answer->never = is_of(scene->silent, sent->op);
	if (is_of(scene->denied, sent->op))
		fake_error(answer, 400, "AccessDeniedException", "not \x1b[31myou");
	else if (scene->broken)
		answer->body = mem_copy_text(scene->broken);
	else if (strcmp(sent->op, DESCRIBE) == 0 && !scene->described)
		fake_error(answer, 400, "ValidationException", "Requested resource not found.");
	else if (strcmp(sent->op, DESCRIBE) == 0)
		answer->body = mem_copy_text(scene->described);
	else if (strcmp(sent->op, GET) == 0)
		answer->body = quota_of(sent->body);
	else if (strcmp(sent->op, PLANS) == 0)
		answer->body = mem_copy_text("{\"TrainingPlanSummaries\":[]}");
	else
		answer->body = mem_copy_text(scene->found ? scene->found : "{\"Results\":[]}");
}

/* --- the scene --- */

#define REQUEST(name)                                                                          \
	"{\"TrainingJobName\":\"" name "\",\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","  \
	"\"AlgorithmSpecification\":{\"TrainingImage\":\"i\",\"TrainingInputMode\":\"File\"}," \
	"\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/o\"},\"ResourceConfig\":{"            \
	"\"InstanceCount\":2,\"VolumeSizeInGB\":9,\"InstancePreferences\":[{\"InstanceType\":" \
	"\"" P5 "\",\"TrainingPlanArns\":[\"" PLAN "\"]},{\"InstanceType\":\"" P4D "\"}]},"    \
	"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":60}"

static void wake_session(void *target)
{
	waits_wake(&((struct scene *)target)->session.waits);
}

static struct scene *scene_new(const char *request)
{
	struct scene *scene = mem_new(1, sizeof(*scene));
	struct session *session = &scene->session;
	struct fake_world *world = fake_world_new(serve, scene);
	const struct wait_hooks hooks = fake_hooks(world, wake_session, scene);
	session->world = world;
	session->quota_client = fake_client(world, SERVICE_QUOTAS, 0);
	session->client = fake_client(world, SERVICE_SAGEMAKER, 0);
	waits_init(&session->waits, &hooks, &world->clock);
	scene->request = (struct request){ .kind = JOB_TRAINING, .text = mem_copy_text(request) };
	return scene;
}

static void on_done(void *ctx)
{
	struct scene *scene = ctx;
	scene->done++;
	scene->done_ms = scene->session.world->mono_ms - scene->began_ms;
}

/* Looks, and waits far longer than that may take. */
static void look(struct scene *scene)
{
	const struct request_look_options options = {
		.session = &scene->session,
		.store = &scene->session.store,
		.request = &scene->request,
		.told = &scene->told,
		.done = on_done,
		.ctx = scene,
	};
	scene->began_ms = scene->session.world->mono_ms;
	scene->look = request_look_new(&options);
	assert_int_equal(scene->done, 0); /* never from inside */
	fake_run(scene->session.world, INT64_C(10) * REQUEST_LOOK_MS);
	assert_int_equal(scene->done, 1);
	assert_true(scene->told.asked);
	assert_true(scene->done_ms <= REQUEST_LOOK_MS);
}

static void scene_free(struct scene *scene)
{
	struct session *session = &scene->session;
	request_look_free(scene->look);
	scene->look = NULL;
	plans_feed_free(session->plans);
	quotas_feed_free(session->quotas);
	waits_remove(&session->plans_waiter);
	waits_remove(&session->quotas_waiter);
	waits_release(&session->waits);
	aws_client_free(session->client);
	aws_client_free(session->quota_client);
	fake_world_free(session->world);
	store_release(&session->store);
	request_release(&scene->request);
	free(scene);
}

static size_t asked(const struct scene *scene, const char *op)
{
	return fake_count(scene->session.world, op);
}

static bool limit_is_told(const struct scene *scene, const char *type)
{
	struct quota_fact fact = { .instance_type = type, .kind = QUOTA_TRAINING };
	store_quota_facts(&scene->session.store, &fact, 1);
	return fact.told && fact.limit == 16;
}

/* --- tests --- */

static void look__is_over__once_all_has_been_answered(void **state)
{
	struct scene *scene = scene_new(REQUEST(NAME) "}");
	(void)state;
	look(scene);
	assert_int_equal(scene->told.name, NAME_FREE);
	assert_string_equal(scene->told.name_why, "");
	assert_string_equal(scene->told.plans_why, "");
	assert_true(scene->told.counted);
	assert_int_equal(scene->told.kind, QUOTA_TRAINING);
	assert_true(limit_is_told(scene, P5) && limit_is_told(scene, P4D));
	assert_true(scene->session.store.sources[SOURCE_PLANS].loaded);
	assert_int_equal(asked(scene, DESCRIBE), 1);
	assert_int_equal(asked(scene, SEARCH), 1);
	assert_int_equal(asked(scene, GET), 2); /* and none after the end */
	assert_int_equal(asked(scene, PLANS), 1);
	/* Two limits, a second apart. */
	assert_true(scene->done_ms < 2 * QUOTAS_FEED_GAP_MS);
	scene_free(scene);
}

#define SINCE                                                                                     \
	",\"TrainingJobStatus\":\"InProgress\",\"SecondaryStatus\":\"Pending\",\"CreationTime\":" \
	"1796071000,\"LastModifiedTime\":1796071000,\"TrainingJobArn\":\"arn:x\""

static void name__is_taken__by_a_job_that_says_something_else(void **state)
{
	struct scene *scene = scene_new(REQUEST(NAME) "}");
	char other[4096], *at;
	(void)state;
	(void)snprintf(other, sizeof(other), "%s%s}", REQUEST(NAME), SINCE);
	scene->described = other;
	look(scene);
	/* One like it may be this very request, sent before. */
	assert_int_equal(scene->told.name, NAME_UNCHECKED);
	assert_non_null(strstr(scene->told.name_why, "there is a job like it"));
	scene_free(scene);

	scene = scene_new(REQUEST(NAME) "}");
	at = strstr(other, "role/r");
	assert_non_null(at);
	at[5] = 's';
	scene->described = other;
	look(scene);
	assert_int_equal(scene->told.name, NAME_TAKEN);
	scene_free(scene);
}

/* A name that AWS would refuse is not asked for. */
static void name__that_is_no_name__is_not_described(void **state)
{
	struct scene *scene = scene_new(REQUEST("a b") "}");
	(void)state;
	look(scene);
	assert_int_equal(asked(scene, DESCRIBE), 0);
	assert_int_equal(scene->told.name, NAME_UNCHECKED);
	scene_free(scene);
}

static void look__ends_in_time__where_nothing_answers(void **state)
{
	struct scene *scene = scene_new(REQUEST(NAME) "}");
	(void)state;
	scene->silent = "";
	look(scene);
	assert_int_equal(scene->done_ms, REQUEST_LOOK_MS);
	assert_int_equal(scene->told.name, NAME_UNCHECKED);
	assert_string_equal(scene->told.name_why, "no answer in time");
	assert_string_equal(scene->told.plans_why, "no answer in time");
	assert_false(scene->told.counted);
	assert_false(limit_is_told(scene, P5));
	assert_true(scene->session.world->cancelled >= 2); /* Describe and Search */
	scene_free(scene);
}

/* What one operation keeps back takes nothing from the others. */
static void look__has_the_rest__where_one_is_silent(void **state)
{
	static const char *const ops[] = { DESCRIBE, SEARCH, PLANS, GET };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ops); i++) {
		struct scene *scene = scene_new(REQUEST(NAME) "}");
		scene->silent = ops[i];
		look(scene);
		assert_int_equal(scene->told.name, i == 0 ? NAME_UNCHECKED : NAME_FREE);
		assert_int_equal(scene->told.counted, i != 1);
		assert_int_equal(scene->told.plans_why[0] != '\0', i == 2);
		assert_int_equal(limit_is_told(scene, P5), i != 3);
		scene_free(scene);
	}
}

static void look__names_the_permission__that_is_missing(void **state)
{
	struct scene *scene = scene_new(REQUEST(NAME) "}");
	(void)state;
	scene->denied = "";
	look(scene);
	assert_true(scene->done_ms < REQUEST_LOOK_MS); /* a denial is an answer */
	assert_int_equal(scene->told.name, NAME_UNCHECKED);
	assert_string_equal(scene->told.name_why, "denied sagemaker:DescribeTrainingJob");
	assert_string_equal(scene->told.plans_why, "denied sagemaker:ListTrainingPlans");
	assert_false(scene->told.counted);
	scene_free(scene);
}

/* Of the right shape, with nothing in it that could be meant. */
static const char odd_items[] =
	"{\"Results\":[null,7,{\"TrainingJob\":null}],\"TrainingPlanSummaries\":[null],"
	"\"Quota\":{\"QuotaCode\":\"L-00000000\",\"Value\":-1},"
	"\"TrainingJobName\":\"\\u0000\\u001b]0;x\"}";

static void look__takes_nothing__from_bytes_that_are_no_answer(void **state)
{
	static const char *const bodies[] = {
		"",
		"{",
		"null",
		"[]",
		"{}",
		"\x1b[2J\x07",
		"\xff\xfe{\"Results\":",
		"{\"Results\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
		"{\"Results\":{},\"TrainingPlanSummaries\":7,\"Quota\":[],\"TrainingJobName\":{}}",
		odd_items,
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		struct scene *scene = scene_new(REQUEST(NAME) "}");
		scene->broken = bodies[i];
		look(scene);
		assert_int_not_equal(scene->told.name, NAME_FREE);
		assert_int_not_equal(scene->told.name, NAME_TAKEN);
		assert_false(limit_is_told(scene, P5));
		for (const char *at = scene->told.name_why; *at; at++)
			assert_true(*at >= ' ' && *at < 0x7f);
		scene_free(scene);
	}
}

/* A token that never ends, and jobs that have to be described: so many of each, no more. */
static void look__is_bounded__in_an_account_without_an_end(void **state)
{
	struct scene *scene = scene_new(REQUEST("a b") "}"); /* Describe is of the others alone */
	struct buf page;
	(void)state;
	buf_init(&page, 1u << 16);
	buf_add_text(&page, "{\"NextToken\":\"on\",\"Results\":[");
	for (int i = 0; i < 20; i++)
		buf_addf(
			&page,
			"%s{\"TrainingJob\":{\"TrainingJobName\":\"j-%d\",\"TrainingJobArn\":"
			"\"arn:j-%d\",\"TrainingJobStatus\":\"InProgress\",\"SecondaryStatus\":"
			"\"Pending\",\"CreationTime\":1796071000,\"LastModifiedTime\":1796071000}}",
			i ? "," : "", i, i);
	buf_add_text(&page, "]}");
	scene->found = buf_text(&page);
	look(scene);
	assert_int_equal(asked(scene, SEARCH), REQUEST_LOOK_PAGES);
	assert_false(scene->told.counted);
	assert_true(asked(scene, DESCRIBE) <= REQUEST_LOOK_JOBS);
	scene_free(scene);
	buf_release(&page);
}

/* Freed under way: nothing comes any more. */
static void look__that_is_left__says_nothing(void **state)
{
	struct scene *scene = scene_new(REQUEST(NAME) "}");
	const struct request_look_options options = { .session = &scene->session,
						      .store = &scene->session.store,
						      .request = &scene->request,
						      .told = &scene->told,
						      .done = on_done,
						      .ctx = scene };
	(void)state;
	scene->look = request_look_new(&options);
	fake_run(scene->session.world, 20);
	request_look_free(scene->look);
	scene->look = NULL;
	fake_run(scene->session.world, INT64_C(10) * REQUEST_LOOK_MS);
	assert_int_equal(scene->done, 0);
	scene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(look__is_over__once_all_has_been_answered),
		cmocka_unit_test(name__is_taken__by_a_job_that_says_something_else),
		cmocka_unit_test(name__that_is_no_name__is_not_described),
		cmocka_unit_test(look__ends_in_time__where_nothing_answers),
		cmocka_unit_test(look__has_the_rest__where_one_is_silent),
		cmocka_unit_test(look__names_the_permission__that_is_missing),
		cmocka_unit_test(look__takes_nothing__from_bytes_that_are_no_answer),
		cmocka_unit_test(look__is_bounded__in_an_account_without_an_end),
		cmocka_unit_test(look__that_is_left__says_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
