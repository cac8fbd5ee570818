#include "tests/sample.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/store_prices.h"
#include "tests/jobs.h"

#define MINUTE INT64_C(60000)
#define HOUR   (60 * MINUTE)

static int64_t fake_mono(void *self)
{
	return ((struct sample *)self)->mono_ms;
}

static int64_t fake_wall(void *self)
{
	return ((struct sample *)self)->wall_ms;
}

static void fake_select(void *host, const char *arn)
{
	struct sample *sample = host;
	(void)snprintf(sample->selected, sizeof(sample->selected), "%s", arn ? arn : "");
}

static void fake_refresh(void *host)
{
	((struct sample *)host)->refreshes++;
}

static void fake_submit(void *host, const struct order *order)
{
	(void)order;
	((struct sample *)host)->submits++;
}

static void fake_stop(void *host, const struct stop_wish *wishes, size_t count)
{
	struct sample *sample = host;
	sample->stops++;
	sample->stopped_count = count < SAMPLE_STOPS_MAX ? count : SAMPLE_STOPS_MAX;
	memcpy(sample->stopped, wishes, sample->stopped_count * sizeof(*wishes));
}

static void fake_requeue(void *host, const struct requeue_wish *wish)
{
	struct sample *sample = host;
	(void)wish;
	sample->submits++;
}

static void fake_quit(void *host)
{
	((struct sample *)host)->quits++;
}

static void fake_discard(void *host)
{
	((struct sample *)host)->discards++;
}

static void note_text(char *out, size_t size, const char *text)
{
	(void)snprintf(out, size, "%s", text ? text : "");
}

static void fake_switch(void *host, const char *profile, const char *region)
{
	struct sample *sample = host;
	sample->switches++;
	note_text(sample->to_profile, sizeof(sample->to_profile), profile);
	note_text(sample->to_region, sizeof(sample->to_region), region);
}

static const char *fake_name(void *host, enum place_part part, size_t i)
{
	struct sample *sample = host;
	const char *const *names = part == PLACE_PROFILE ? sample->profiles : sample->regions;
	for (size_t at = 0; names && names[at]; at++)
		if (at == i)
			return names[at];
	return NULL;
}

static void fake_code(void *host, const char *code)
{
	struct sample *sample = host;
	sample->codes++;
	note_text(sample->code, sizeof(sample->code), code);
}

static void fake_wake(void *host, int64_t ms)
{
	(void)host;
	(void)ms;
}

void sample_start(struct sample *sample)
{
	setenv("TZ", "UTC",
	       1); /* local time, as most have it on their screens, but the same here */
	*sample = (struct sample){ .mono_ms = 10 * HOUR };
	bool ok = time_parse_iso(SAMPLE_NOW, &sample->wall_ms);
	assert(ok);
	(void)ok;
	sample->clock =
		(struct clock){ .mono_ms = fake_mono, .wall_ms = fake_wall, .self = sample };
	sample->env = (struct view_env){
		.store = &sample->store,
		.clock = &sample->clock,
		.region = "us-east-1",
		.account = "111122223333",
		.profile = "ops",
		.confirm_above_micro = INT64_C(1000) * 1000000,
		.cloud = { .select = fake_select,
			   .refresh = fake_refresh,
			   .submit = fake_submit,
			   .stop = fake_stop,
			   .requeue = fake_requeue,
			   .switch_to = fake_switch,
			   .name_at = fake_name,
			   .code = fake_code,
			   .host = sample },
		.intents = { .quit = fake_quit,
			     .discard_input = fake_discard,
			     .wake_in = fake_wake,
			     .host = sample },
	};
	store_set_region(&sample->store, sample->env.region);
}

void sample_record(struct sample *sample)
{
	struct store *store = &sample->store;

	if (store->history.loaded)
		return; /* the test has a history of its own */
	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store_at(store, i);
		struct history_figures figures;

		if (!job_has_details(job))
			continue;
		/* What it was when it was read. */
		history_figures(job, &store->prices,
				sample->wall_ms - (sample->mono_ms - job->described_mono_ms),
				&figures);
		history_take(&store->history, job, &figures);
	}
	store->history.loaded = true;
}

void sample_stop(struct sample *sample)
{
	store_release(&sample->store);
}

void sample_pass(struct sample *sample, int64_t ms)
{
	sample->mono_ms += ms;
	sample->wall_ms += ms;
}

void sample_arn(enum job_kind kind, const char *name, char out[256])
{
	(void)snprintf(out, 256, "arn:aws:sagemaker:us-east-1:111122223333:%s-job/%s",
		       job_kind_word(kind), name);
}

/* --- jobs --- */

static struct opt_ms ago(const struct sample *sample, int64_t ms)
{
	return (struct opt_ms){ true, sample->wall_ms - ms };
}

static struct opt_ms lasting(int64_t ms)
{
	return (struct opt_ms){ true, ms };
}

static struct job begin(const struct sample *sample, enum job_kind kind, const char *name,
			const char *status, int64_t created_ago)
{
	char arn[256];
	struct job job = { .kind = kind, .described = true };
	sample_arn(kind, name, arn);
	(void)snprintf(job.name, sizeof(job.name), "%s", name);
	job.arn = mem_copy_text(arn);
	job.status = mem_copy_text(status);
	job.created = ago(sample, created_ago);
	job.modified = job.created;
	job.described_mono_ms = sample->mono_ms;
	job.max_runtime = lasting(24 * HOUR);
	job.role_arn = mem_copy_text("arn:aws:iam::111122223333:role/train");
	job.image = mem_copy_text("111122223333.dkr.ecr.us-east-1.amazonaws.com/llm:2.4");
	return job;
}

static void stage(struct job *job, const char *status, const char *message, struct opt_ms start,
		  struct opt_ms end)
{
	mem_set_text(&job->secondary_status, status);
	if (message)
		mem_set_text(&job->status_message, message);
	job_add_transition(job, status, message, start, end);
}

static void chosen(struct job *job, const char *type, int64_t count)
{
	job->selected.set = true;
	(void)snprintf(job->selected.instance_type, sizeof(job->selected.instance_type), "%s",
		       type);
	job->selected.count = count;
}

static void put(struct sample *sample, struct job *job)
{
	job_settle_selection(job);
	store_take_described(&sample->store, job);
}

#define NO_CAPACITY "Insufficient capacity error from EC2 while launching instances, retrying!"

static void put_pending(struct sample *s)
{
	struct job job = begin(s, JOB_TRAINING, "llm-ft-0930", "InProgress", 102 * MINUTE);
	job_edit_prefs(&job)->is_list = true;
	add_entry(&job, "ml.p5.48xlarge", 2);
	(void)snprintf(job_edit_prefs(&job)->entries[0].plan_arn, PLAN_ARN_SIZE,
		       "arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan");
	add_entry(&job, "ml.p4d.24xlarge", 4);
	add_entry(&job, "ml.g5.48xlarge", 8);
	job.max_pending = lasting(6 * HOUR);
	stage(&job, "Pending", NO_CAPACITY, job.created, (struct opt_ms){ 0 });
	job.request_json = mem_copy_text("{\"TrainingJobName\":\"llm-ft-0930\",\"Environment\":{"
					 "\"HF_TOKEN\":\"hf_s3cr3t\"}}");
	put(s, &job);

	job = begin(s, JOB_TRAINING, "moe-pretrain-stage2-7b", "InProgress", 221 * MINUTE);
	job_edit_prefs(&job)->is_list = true;
	add_entry(&job, "ml.p5en.48xlarge", 2);
	add_entry(&job, "ml.p5.48xlarge", 2);
	stage(&job, "Pending", NO_CAPACITY, job.created, (struct opt_ms){ 0 });
	put(s, &job);

	job = begin(s, JOB_PROCESSING, "eval-nightly-20261130", "InProgress", 7 * MINUTE);
	add_entry(&job, "ml.g5.2xlarge", 1);
	put(s, &job);
}

static void put_running(struct sample *s)
{
	struct job job = begin(s, JOB_TRAINING, "vision-detr-1130", "InProgress", 200 * MINUTE);
	job_edit_prefs(&job)->is_list = true;
	add_entry(&job, "ml.p4de.24xlarge", 1);
	add_entry(&job, "ml.p4d.24xlarge", 1);
	add_entry(&job, "ml.g5.48xlarge", 2);
	job.max_pending = lasting(6 * HOUR);
	job.started = ago(s, 180 * MINUTE);
	stage(&job, "Starting", NULL, job.created, ago(s, 195 * MINUTE));
	stage(&job, "Pending", NO_CAPACITY, ago(s, 195 * MINUTE), job.started);
	stage(&job, "Downloading", "Downloading input data", job.started, ago(s, 175 * MINUTE));
	stage(&job, "Training", "Training image download completed.", ago(s, 175 * MINUTE),
	      (struct opt_ms){ 0 });
	chosen(&job, "ml.p4d.24xlarge", 1);
	put(s, &job);

	job = begin(s, JOB_PROCESSING, "embed-corpus-07", "InProgress", 65 * MINUTE);
	add_entry(&job, "ml.g5.2xlarge", 4);
	job.started = ago(s, 61 * MINUTE);
	put(s, &job);

	job = begin(s, JOB_TRAINING, "spot-restarts", "InProgress", 10 * HOUR);
	add_entry(&job, "ml.g5.12xlarge", 1);
	job.spot = true;
	job.started = ago(s, 9 * HOUR);
	stage(&job, "Starting", NULL, job.created, ago(s, 9 * HOUR));
	stage(&job, "Training", NULL, ago(s, 9 * HOUR), ago(s, 5 * HOUR));
	stage(&job, "Interrupted", NULL, ago(s, 5 * HOUR), ago(s, 4 * HOUR));
	stage(&job, "Training", "Training in progress", ago(s, 4 * HOUR), (struct opt_ms){ 0 });
	put(s, &job);

	job = begin(s, JOB_TRAINING, "hetero-rl", "InProgress", 50 * MINUTE);
	add_entry(&job, "ml.c5.18xlarge", 2);
	(void)snprintf(job_edit_prefs(&job)->entries[0].group,
		       sizeof(job_edit_prefs(&job)->entries[0].group), "actors");
	add_entry(&job, "ml.g5.48xlarge", 1);
	(void)snprintf(job_edit_prefs(&job)->entries[1].group,
		       sizeof(job_edit_prefs(&job)->entries[1].group), "learner");
	job.has_groups = true;
	job.started = ago(s, 45 * MINUTE);
	stage(&job, "Starting", NULL, job.created, job.started);
	stage(&job, "Training", "Training in progress", job.started, (struct opt_ms){ 0 });
	put(s, &job);
}

static void put_odd(struct sample *s)
{
	struct job job = begin(s, JOB_TRAINING, "new-word", "InProgress", 3 * MINUTE);
	add_entry(&job, "ml.g6.xlarge", 1);
	stage(&job, "Quarantined", "bad \x1b[31mred\x07 bytes \xff and \xe4\xbd\xa0\nline two",
	      job.created, (struct opt_ms){ 0 });
	put(s, &job);

	job = begin(s, JOB_TRAINING, "being-stopped", "Stopping", 30 * MINUTE);
	add_entry(&job, "ml.g6.2xlarge", 1);
	job.started = ago(s, 28 * MINUTE);
	stage(&job, "Starting", NULL, job.created, job.started);
	stage(&job, "Training", NULL, job.started, ago(s, MINUTE));
	stage(&job, "Stopping", "Stopping the training job", ago(s, MINUTE), (struct opt_ms){ 0 });
	chosen(&job, "ml.g6.2xlarge", 1);
	put(s, &job);

	job = begin(s, JOB_TRAINING, "only-listed", "InProgress", 2 * MINUTE);
	job.described = false;
	job.secondary_status = mem_copy_text("Starting");
	store_take_summary(&s->store, &job);
}

static void put_ended(struct sample *s)
{
	struct job job = begin(s, JOB_TRAINING, "oom-run-44", "Failed", 6 * HOUR);
	job_edit_prefs(&job)->is_list = true;
	add_entry(&job, "ml.p4d.24xlarge", 1);
	add_entry(&job, "ml.g5.48xlarge", 1);
	job.started = ago(s, 5 * HOUR);
	job.ended = ago(s, 2 * HOUR);
	job.billable = lasting(3 * HOUR);
	job.failure_reason = mem_copy_text("AlgorithmError: CUDA out of memory\n"
					   "Traceback (most recent call last):\n"
					   "  File \"train.py\", line 12");
	stage(&job, "Pending", NULL, job.created, job.started);
	stage(&job, "Training", NULL, job.started, job.ended);
	stage(&job, "Failed", NULL, job.ended, job.ended);
	chosen(&job, "ml.p4d.24xlarge", 1);
	put(s, &job);

	job = begin(s, JOB_TRAINING, "never-lucky", "Stopped", 30 * HOUR);
	job_edit_prefs(&job)->is_list = true;
	add_entry(&job, "ml.p5.48xlarge", 8);
	add_entry(&job, "ml.p4d.24xlarge", 8);
	job.max_pending = lasting(6 * HOUR);
	job.ended = ago(s, 24 * HOUR);
	job.billable = lasting(0);
	stage(&job, "Pending", NO_CAPACITY, job.created, job.ended);
	stage(&job, "MaxPendingTimeExceeded", NULL, job.ended, job.ended);
	put(s, &job);
}

/* Eleven jobs that waited 1 to 11 minutes on ml.g5.xlarge. */
static void put_sweep(struct sample *s)
{
	for (int i = 1; i <= 11; i++) {
		char name[JOB_NAME_SIZE];
		(void)snprintf(name, sizeof(name), "sweep-lr-%02d", i);
		struct job job = begin(s, JOB_TRAINING, name, "Completed", (40 + i) * HOUR);
		add_entry(&job, "ml.g5.xlarge", 1);
		job.started = (struct opt_ms){ true, job.created.ms + i * MINUTE };
		job.ended = (struct opt_ms){ true, job.started.ms + HOUR };
		job.billable = lasting(HOUR);
		stage(&job, "Starting", NULL, job.created, job.started);
		stage(&job, "Training", NULL, job.started, job.ended);
		stage(&job, "Completed", NULL, job.ended, job.ended);
		chosen(&job, "ml.g5.xlarge", 1);
		put(s, &job);
	}
}

void sample_fill(struct sample *sample)
{
	store_note_date(&sample->store, sample->wall_ms, sample->mono_ms);
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		store_note_loaded(&sample->store, (enum source_id)i, sample->mono_ms - 2000);
	put_pending(sample);
	put_running(sample);
	put_odd(sample);
	put_ended(sample);
	put_sweep(sample);
}
