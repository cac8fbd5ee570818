#include "tests/situations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/text.h"
#include "tests/gpuq.h"

#define BODY_MAX   8192
#define EVENTS_MAX (SITUATIONS * (SITUATION_STEPS_MAX + 1))
#define PLAN_WORD  "PLAN"
#define PLAN_ARN   "arn:aws:sagemaker:us-east-1:111122223333:training-plan/"
#define HOLDER     "holds-the-quota"

/* A submission (step NULL) or what comes after it. */
struct event {
	const struct situation *one;
	const struct situation_step *step;
	int age_seconds;
};

/* Members with each PLAN replaced. */
static void add_members(struct buf *out, const char *members)
{
	const char *word;

	while ((word = strstr(members, PLAN_WORD))) {
		assert_true(buf_add(out, members, (size_t)(word - members)));
		buf_add_text(out, PLAN_ARN);
		members = word + strlen(PLAN_WORD);
	}
	buf_add_text(out, members);
}

static void write_request(const struct situation *one, struct buf *out)
{
	bool training = one->kind == JOB_TRAINING;
	const char *stopping = one->stopping ? one->stopping : "\"MaxRuntimeInSeconds\":3600";

	buf_addf(out,
		 training ? "{\"TrainingJobName\":\"%s\",\"AlgorithmSpecification\":"
			    "{\"TrainingImage\":\"image\",\"TrainingInputMode\":\"File\"},"
			    "\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/out\"},"
			  : "{\"ProcessingJobName\":\"%s\",\"AppSpecification\":"
			    "{\"ImageUri\":\"image\"},",
		 one->name);
	buf_addf(out,
		 "\"RoleArn\":\"arn:aws:iam::111122223333:role/jobs\",\"StoppingCondition\":{%s},"
		 "%s%s",
		 stopping, one->more ? one->more : "", one->more ? "," : "");
	buf_add_text(out, training ? "\"ResourceConfig\":{\"VolumeSizeInGB\":50,"
				   : "\"ProcessingResources\":{\"ClusterConfig\":{");
	add_members(out, one->cluster);
	buf_add_text(out, training ? "}}" : "}}}");
	assert_false(out->failed);
}

static void submit(const struct region *region, const struct situation *one)
{
	struct buf body;

	buf_init(&body, BODY_MAX);
	write_request(one, &body);
	free(region_call(region,
			 one->kind == JOB_TRAINING ? "CreateTrainingJob" : "CreateProcessingJob",
			 buf_text(&body)));
	buf_release(&body);
}

static void take_step(const struct region *region, const struct event *event)
{
	char body[128];

	if (!event->step) {
		submit(region, event->one);
	} else if (event->step->operation) {
		(void)snprintf(body, sizeof(body), "{\"TrainingJobName\":\"%s\"}",
			       event->one->name);
		free(region_call(region, event->step->operation, body));
	} else {
		region_control(region, "tell", "{\"name\":\"%s\",%s}", event->one->name,
			       event->step->tell);
	}
}

/* The oldest first; what belongs to one job stays in its order. only NULL: all of them. */
static size_t order_events(struct event events[EVENTS_MAX], const struct situation *only)
{
	size_t count = 0;

	for (size_t i = 0; i < SITUATIONS; i++) {
		const struct situation *one = &situations[i];
		struct event parts[SITUATION_STEPS_MAX + 1] = { { one, NULL, one->age_seconds } };
		size_t part_count = 1;

		for (size_t k = 0; one->steps[k].age_seconds > 0; k++)
			parts[part_count++] =
				(struct event){ one, &one->steps[k], one->steps[k].age_seconds };
		for (size_t k = 0; !one->is_refused && (!only || only == one) && k < part_count;
		     k++) {
			size_t at = count++;

			for (; at > 0 && events[at - 1].age_seconds < parts[k].age_seconds; at--)
				events[at] = events[at - 1];
			events[at] = parts[k];
		}
	}
	return count;
}

static void set_free(const struct region *region, const char *type, int count)
{
	region_control(region, "capacity", "{\"instance_type\":\"%s\",\"free\":%d}", type, count);
}

/* g5.xlarge has a quota of one: this job has it. */
static void use_up_quota(const struct region *region)
{
	const struct situation holder = {
		.name = HOLDER, .cluster = "\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":1"
	};

	set_free(region, "ml.g5.xlarge", 1);
	submit(region, &holder);
	region_control(region, "tell",
		       "{\"name\":\"" HOLDER "\",\"secondary_status\":\"Training\"}");
}

static void start(struct region *region, const struct situation *only)
{
	static const char *const options[] = { "--scenario", "empty", "--seed",    "7",
					       "--rate",     "0",     "--no-auth", NULL };
	struct event events[EVENTS_MAX];
	size_t count = order_events(events, only);

	region_start(region, options);
	set_free(region, "ml.g5.2xlarge", 16);
	set_free(region, "ml.m5.24xlarge", 0);
	set_free(region, "ml.m5.12xlarge", 1);
	if (!only)
		use_up_quota(region);
	for (size_t i = 0; i < count; i++) {
		int next = i + 1 < count ? events[i + 1].age_seconds : 0;

		take_step(region, &events[i]);
		if (events[i].age_seconds > next)
			region_control(region, "advance", "{\"seconds\":%d}",
				       events[i].age_seconds - next);
	}
}

void situations_start(struct region *region)
{
	start(region, NULL);
}

void situation_start(struct region *region, const struct situation *one)
{
	start(region, one);
}

void situation_submit(const struct region *region, const struct situation *one)
{
	struct process_result result;
	struct buf body, quoted;
	static const char *const words[] = { "submit", "-", "--yes", "--pace", "0", NULL };

	buf_init(&body, BODY_MAX);
	buf_init(&quoted, BODY_MAX);
	write_request(one, &body);
	if (one->refusal) {
		text_add_json(&quoted, one->refusal);
		region_control(region, "fault",
			       "{\"operation\":\"CreateTrainingJob\",\"count\":1,"
			       "\"code\":\"%s\",\"message\":%s}",
			       one->code, buf_text(&quoted));
	}
	gpuq_run(&result, region, buf_text(&body), words);
	if (result.status != 1 && result.status != 4)
		fail_msg("%s: %d %s", one->name, result.status, result.err);
	process_release(&result);
	buf_release(&quoted);
	buf_release(&body);
}
