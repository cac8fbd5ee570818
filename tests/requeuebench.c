#include "tests/requeuebench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "tests/statehome.h"

/* --- the region --- */

const struct sim_job *requeuebench_job(const struct requeuebench *bench, const char *name)
{
	return sim_job_find(&bench->sim->region.world, SIM_TRAINING, name);
}

bool requeuebench_lives(const struct requeuebench *bench, const char *name)
{
	const struct sim_job *job = requeuebench_job(bench, name);
	return job && job->status == SIM_IN_PROGRESS;
}

void requeuebench_set_free(struct requeuebench *bench, const char *type, int free_count)
{
	char body[128];
	(void)snprintf(body, sizeof(body), "{\"instance_type\":\"%s\",\"free\":%d}", type,
		       free_count);
	assert_int_equal(simregion_control(bench->sim, "/_sim/capacity", body), 200);
}

void requeuebench_lose(struct fake_answer *answer)
{
	free(answer->body);
	answer->body = NULL;
	answer->fails = ERR_TIMEOUT;
	answer->sent = true;
}

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	struct requeuebench *bench = ctx;
	int64_t passed_ms = bench->world->mono_ms - bench->sim->mono_ms;
	simregion_pass(bench->sim, passed_ms);
	answer->latency_ms = 20;
	bench->calls++;
	if (bench->meddle)
		bench->meddle(bench, sent, answer, false);
	if (answer->fails || answer->body)
		return;
	answer->status = simregion_call(bench->sim, sent->op, sent->body);
	answer->body = mem_copy_text(simregion_body(bench->sim));
	if (bench->meddle)
		bench->meddle(bench, sent, answer, true);
}

/* --- the program --- */

static void create(void *ctx, const struct order *order)
{
	struct requeuebench *bench = ctx;
	submitter_send(bench->submitter, order);
}

static void answered(void *ctx, const struct submit_answer *answer)
{
	struct requeuebench *bench = ctx;
	(void)requeuer_submitted(bench->requeuer, answer);
}

static void on_told(void *ctx, const struct requeue_told *told)
{
	struct requeuebench *bench = ctx;
	size_t len = strlen(bench->steps);
	(void)snprintf(bench->steps + len, sizeof(bench->steps) - len, "%s%s", len ? " " : "",
		       requeue_step_word(told->step));
	assert_string_equal(told->old_name, OLD);
	assert_string_equal(told->new_name, NEW);
	bench->last = told->step;
	struct buf sentence;
	buf_init(&sentence, sizeof(bench->sentence));
	requeue_describe(told, &sentence);
	(void)snprintf(bench->sentence, sizeof(bench->sentence), "%s", buf_text(&sentence));
	buf_release(&sentence);
	bench->owner = told->owner.kind;
	bench->has_text = told->text && strcmp(told->text, bench->text) == 0;
	bench->late = told->late;
	bench->old_stopped = told->old_stopped;
	bench->ended = requeue_has_ended(told->step);
	err_clear(&bench->err);
	if (told->err)
		err_copy(&bench->err, told->err);
}

static void on_seen(void *ctx, enum job_kind kind, const char *name, struct job *job)
{
	(void)ctx;
	(void)kind;
	(void)name;
	(void)job;
}

static void on_trouble(void *ctx, const struct err *err)
{
	struct requeuebench *bench = ctx;
	(void)err;
	bench->troubles++;
}

static void wake_client(void *target)
{
	struct requeuebench *bench = target;
	if (bench->client)
		aws_client_wake(bench->client);
}

static void wake_submitter(void *target)
{
	struct requeuebench *bench = target;
	if (bench->submitter)
		submitter_wake(bench->submitter);
}

static void wake_requeuer(void *target)
{
	struct requeuebench *bench = target;
	if (bench->requeuer)
		requeuer_wake(bench->requeuer);
}

static struct aws_client *new_client(struct requeuebench *bench)
{
	char access[] = "A", secret[] = "S";
	struct aws_credentials keys = { .access_key = access, .secret_key = secret };
	struct err err = { 0 };
	const struct aws_options options = { .region = "us-east-1",
					     .seed = 3,
					     .clock = &bench->world->clock,
					     .hooks = fake_hooks(bench->world, wake_client, bench),
					     .transport = &bench->world->transport };
	struct aws_client *client = aws_client_new(&options, &keys, &err);
	assert_non_null(client);
	return client;
}

static void on_settled(void *ctx)
{
	struct requeuebench *bench = ctx;
	requeuer_resume(bench->requeuer);
}

/* A program begins: what an earlier one left is settled, then carried on. */
void requeuebench_begin(struct requeuebench *bench, bool resumes)
{
	const struct submitter_place place = { .folder = bench->folder,
					       .account = "111122223333",
					       .region = "us-east-1",
					       .endpoint = "",
					       .access_key = "AKIDEXAMPLE" };
	bench->world->timer_count = 0; /* those of the program before */
	bench->client = new_client(bench);
	bench->disk = disk_new();
	const struct submitter_options submits = {
		.client = bench->client,
		.disk = bench->disk,
		.clock = &bench->world->clock,
		.hooks = fake_hooks(bench->world, wake_submitter, bench),
		.answered = answered,
		.settled = on_settled,
		.trouble = on_trouble,
		.ctx = bench,
	};
	const struct requeuer_options requeues = {
		.client = bench->client,
		.disk = bench->disk,
		.clock = &bench->world->clock,
		.hooks = fake_hooks(bench->world, wake_requeuer, bench),
		.refresh_ms = REFRESH_MS,
		.create = create,
		.told = on_told,
		.seen = on_seen,
		.trouble = on_trouble,
		.ctx = bench,
	};
	bench->submitter = submitter_new(&submits);
	bench->requeuer = requeuer_new(&requeues);
	submitter_open(bench->submitter, &place);
	requeuer_open(bench->requeuer, &place);
	if (resumes)
		submitter_settle(bench->submitter, NULL);
}

void requeuebench_end(struct requeuebench *bench)
{
	requeuer_free(bench->requeuer);
	submitter_free(bench->submitter);
	aws_client_free(bench->client);
	disk_free(bench->disk);
	bench->requeuer = NULL;
	bench->submitter = NULL;
	bench->client = NULL;
}

static void make_request(char text[BENCH_TEXT], const char *name, const char *type)
{
	(void)snprintf(
		text, BENCH_TEXT,
		"{\"TrainingJobName\":\"%s\",\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
		"\"AlgorithmSpecification\":{\"TrainingImage\":\"img\",\"TrainingInputMode\":"
		"\"File\"},\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/o\"},"
		"\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceType\":\"%s\","
		"\"InstanceCount\":2}],\"VolumeSizeInGB\":100},"
		"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":36000}}",
		name, type);
}

void requeuebench_start(struct requeuebench *bench, bool stop_first)
{
	char text[BENCH_TEXT];
	*bench = (struct requeuebench){ .stop_first = stop_first };
	bench->world = fake_world_new(serve, bench);
	bench->sim = simregion_new(NULL);
	(void)snprintf(bench->root, sizeof(bench->root), "/tmp/test_requeuer.%ld.XXXXXX",
		       (long)getpid());
	assert_non_null(mkdtemp(bench->root));
	(void)snprintf(bench->folder, sizeof(bench->folder), "%s/gpuq/place", bench->root);
	bench->sim->mono_ms = bench->world->mono_ms;
	bench->sim->wall_ms = bench->world->wall_ms;
	requeuebench_set_free(bench, OLD_TYPE, 0);
	requeuebench_set_free(bench, NEW_TYPE, 0);
	make_request(text, OLD, OLD_TYPE);
	assert_int_equal(simregion_call(bench->sim, "CreateTrainingJob", text), 200);
	make_request(bench->text, NEW, NEW_TYPE);
	requeuebench_begin(bench, false);
}

void requeuebench_stop(struct requeuebench *bench)
{
	if (bench->requeuer)
		requeuebench_end(bench);
	fake_world_free(bench->world);
	simregion_free(bench->sim);
	err_clear(&bench->err);
	statehome_remove(bench->root);
}

/* The disk is asked for something; its thread works in real time. */
static bool disk_works(const struct requeuebench *bench)
{
	if (bench->submitter->list_id || bench->requeuer->list_id)
		return true;
	for (const struct course *course = bench->submitter->courses; course; course = course->next)
		if (course->disk_id)
			return true;
	for (const struct swap *swap = bench->requeuer->swaps; swap; swap = swap->next)
		if (swap->disk_id)
			return true;
	return false;
}

static void note_overlap(struct requeuebench *bench, int64_t ms)
{
	bool both = requeuebench_lives(bench, OLD) && requeuebench_lives(bench, NEW);
	bench->overlap_ms = both ? bench->overlap_ms + ms : 0;
	if (bench->overlap_ms > bench->overlap_most_ms)
		bench->overlap_most_ms = bench->overlap_ms;
}

/* No time passes while the disk works. */
void requeuebench_run(struct requeuebench *bench, int64_t ms)
{
	for (int64_t until = bench->world->mono_ms + ms; bench->world->mono_ms < until;) {
		while (disk_works(bench)) {
			struct pollfd fd = { .fd = disk_fd(bench->disk), .events = POLLIN };
			if (poll(&fd, 1, 5000) <= 0)
				fail_msg("the disk does not answer");
			disk_ready(bench->disk);
		}
		fake_run(bench->world, STEP_MS);
		note_overlap(bench, STEP_MS);
	}
}

void requeuebench_ask(struct requeuebench *bench)
{
	const struct requeue_wish wish = { .kind = JOB_TRAINING,
					   .old_name = OLD,
					   .old_arn = "arn:old",
					   .new_name = NEW,
					   .text = bench->text,
					   .stop_first = bench->stop_first,
					   .despite_owner = bench->despite_owner,
					   .carries_tags = bench->carries_tags };
	requeuer_start(bench->requeuer, &wish);
}

void requeuebench_requeue(struct requeuebench *bench)
{
	requeuebench_ask(bench);
	requeuebench_run(bench, 6 * BENCH_MINUTE);
	assert_true(bench->ended);
	assert_int_equal(requeuer_left(bench->requeuer), 0);
}
