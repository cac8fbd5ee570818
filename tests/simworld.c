#include "tests/simworld.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

void simworld_init(struct sim_world *world, uint64_t seed)
{
	const struct sim_world_options options = {
		.seed = seed,
		.start_ms = SIM_TEST_START_MS,
		.region = "us-east-1",
		.account = "111122223333",
		.ends = true,
	};
	sim_world_init(world, &options);
}

static size_t pool_of(const struct sim_world *world, const char *instance_type)
{
	int pool = sim_pool_find(world, instance_type);
	if (pool == SIM_NOWHERE)
		fail_msg("no pool %s", instance_type);
	return (size_t)pool;
}

void simworld_set_free(struct sim_world *world, const char *instance_type, int64_t free)
{
	sim_pool_set_free(world, pool_of(world, instance_type), free);
}

int64_t simworld_free(const struct sim_world *world, const char *instance_type)
{
	return world->pools[pool_of(world, instance_type)].free;
}

void simworld_advance(struct sim_world *world, int64_t seconds)
{
	sim_world_run_until(world, world->now_ms + seconds * 1000);
}

static int plan_named(const struct sim_world *world, const char *name, size_t len)
{
	for (size_t i = 0; i < world->plan_count; i++) {
		if (strlen(world->plans[i].name) == len &&
		    strncmp(world->plans[i].name, name, len) == 0)
			return (int)i;
	}
	fail_msg("no plan %s", name);
	return SIM_NOWHERE;
}

struct sim_order simworld_order(const struct sim_world *world, const char *name,
				const char *entries)
{
	struct sim_order order = { .kind = SIM_TRAINING, .list = true, .run_ms = 600000 };
	int len = snprintf(order.name, sizeof(order.name), "%s", name);
	assert_in_range(len, 1, SIM_NAME_SIZE - 1);
	while (*entries) {
		char type[64];
		size_t type_len = strcspn(entries, ":");
		assert_true(type_len < sizeof(type) && order.entry_count < SIM_ENTRIES_MAX);
		memcpy(type, entries, type_len);
		type[type_len] = '\0';
		char *rest;
		struct sim_entry *entry = &order.entries[order.entry_count++];
		entry->pool = pool_of(world, type);
		entry->count = strtol(entries + type_len + 1, &rest, 10);
		entry->plan = SIM_NOWHERE;
		size_t plan_len = strcspn(rest, ",");
		if (*rest == '@')
			entry->plan = plan_named(world, rest + 1, plan_len - 1);
		entries = rest + plan_len + (rest[plan_len] == ',');
	}
	return order;
}

struct sim_job *simworld_submit(struct sim_world *world, const char *name, const char *entries,
				int64_t max_pending_seconds)
{
	struct sim_order order = simworld_order(world, name, entries);
	order.max_pending_ms = max_pending_seconds * 1000;
	struct sim_job *job = sim_submit(world, &order, mem_copy_text("{}"), 2);
	assert_non_null(job);
	return job;
}

const char *simworld_story(const struct sim_job *job)
{
	static char story[512];
	size_t at = 0;
	story[0] = '\0';
	for (size_t i = 0; i < job->transition_count; i++) {
		int len = snprintf(story + at, sizeof(story) - at, "%s%s", i == 0 ? "" : " ",
				   job->transitions[i].status);
		assert_true(len > 0 && (size_t)len < sizeof(story) - at);
		at += (size_t)len;
	}
	return story;
}

static int64_t read_mono(void *self)
{
	const struct simregion *sim = self;
	return sim->mono_ms;
}

static int64_t read_wall(void *self)
{
	const struct simregion *sim = self;
	return sim->wall_ms;
}

struct sim_options simregion_options(void)
{
	return (struct sim_options){
		.seed = 1,
		.speed = 1.0,
		.scenario = SIM_SCENARIO_EMPTY,
		.region = "us-east-1",
		.account = "111122223333",
		.no_auth = true,
	};
}

struct simregion *simregion_new(const struct sim_options *options)
{
	struct simregion *sim = mem_new(1, sizeof(*sim));
	struct sim_options standard = simregion_options();
	struct clock clock = { .mono_ms = read_mono, .wall_ms = read_wall, .self = sim };
	sim->mono_ms = 77;
	sim->wall_ms = SIM_TEST_START_MS;
	sim_region_init(&sim->region, options ? options : &standard, &clock);
	return sim;
}

void simregion_free(struct simregion *sim)
{
	sim_answer_release(&sim->answer);
	sim_region_release(&sim->region);
	free(sim);
}

void simregion_pass(struct simregion *sim, int64_t ms)
{
	sim->mono_ms += ms;
	sim->wall_ms += ms;
}

static int ask(struct simregion *sim, const struct sim_request *request)
{
	sim_answer_release(&sim->answer);
	sim_region_answer(&sim->region, request, &sim->answer);
	return sim->answer.status;
}

int simregion_call(struct simregion *sim, const char *operation, const char *body)
{
	char target[96];
	int len = snprintf(target, sizeof(target), "%s%s",
			   strchr(operation, '.') ? "" : "SageMaker.", operation);
	assert_in_range(len, 1, (int)sizeof(target) - 1);
	const struct sigv4_header headers[] = { { "x-amz-target", target } };
	const struct sim_request request = { .method = "POST",
					     .target = "/",
					     .headers = headers,
					     .header_count = 1,
					     .body = body,
					     .body_len = strlen(body) };
	return ask(sim, &request);
}

int simregion_control(struct simregion *sim, const char *path, const char *body)
{
	const struct sim_request request = { .method = body ? "POST" : "GET",
					     .target = path,
					     .body = body ? body : "",
					     .body_len = body ? strlen(body) : 0 };
	return ask(sim, &request);
}

const char *simregion_body(const struct simregion *sim)
{
	return buf_text(&sim->answer.body);
}

void simregion_refuses(struct simregion *sim, const char *operation, const char *body,
		       const char *code, const char *text)
{
	char type[96];
	int status = simregion_call(sim, operation, body);
	int len = snprintf(type, sizeof(type), "{\"__type\":\"%s\",", code);
	assert_in_range(len, 1, (int)sizeof(type) - 1);
	if (status == 200 || strncmp(simregion_body(sim), type, strlen(type)) != 0 ||
	    !strstr(simregion_body(sim), text))
		fail_msg("%s %s\nwants %s: %s\ngot %d %s", operation, body, code, text, status,
			 simregion_body(sim));
}

const char *simregion_training(const char *name, const char *resources)
{
	static char body[4096];
	int len = snprintf(body, sizeof(body),
			   "{\"TrainingJobName\":\"%s\",\"AlgorithmSpecification\":{"
			   "\"TrainingImage\":\"image\",\"TrainingInputMode\":\"File\"},"
			   "\"RoleArn\":\"arn:aws:iam::111122223333:role/jobs\","
			   "\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/out\"},"
			   "\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600},"
			   "\"ResourceConfig\":%s}",
			   name, resources);
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	return body;
}
