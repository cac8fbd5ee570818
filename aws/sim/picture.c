#include "aws/sim/picture.h"

#include <stdlib.h>

#include "aws/sim/random.h"
#include "aws/sim/recipes.h"
#include "model/base/attr.h"
#include "model/base/mem.h"

#define SECOND_MS   INT64_C(1000)
#define MINUTE_MS   (60 * SECOND_MS)
#define DAY_MS      (1440 * MINUTE_MS)
#define JOBS_USUAL  60
#define JOBS_CROWD  513
#define ENDED_DAYS  6   /* ended jobs lie within these */
#define LONGER      4   /* times, that waits of a crowded region are longer than usual */
#define ENDED_DENSE 600 /* above that many they spread over more days, 100 a day */

enum scene { WAITING, SUSPENDED, PREPARING, DOWNLOADING, RUNNING, STOPPING_IN_QUEUE, ENDED };

/* What has become of an ended one; those from STOPS_IN_QUEUE on never had an instance. */
enum fate { GOES_WELL, FAILS, STOPS_RUNNING, RUNS_OUT, STOPS_IN_QUEUE, TIMES_OUT, NO_CAPACITY };

/* A live job; minutes count back from the start. */
static const struct {
	const char *stem;
	enum scene scene;
	int age_minutes;
	int wait_minutes; /* until it had its instances */
	int rank;         /* of the entry it has, from 1 */
	int stretches;    /* times that it has waited: a spot job is interrupted now and then */
} live[] = {
	{ "llm-pretrain-1b", WAITING, 221, 0, 0, 1 },
	{ "llm-ft-7b", WAITING, 102, 0, 0, 1 },
	{ "embed-rerank", WAITING, 75, 0, 0, 1 },
	{ "asr-conformer", WAITING, 64, 0, 0, 1 },
	{ "recsys-twotower", WAITING, 58, 4, 1, 3 },
	{ "llm-ft-7b", WAITING, 47, 0, 0, 1 },
	{ "rlhf-reward", WAITING, 28, 0, 0, 1 },
	{ "speech-align", WAITING, 19, 0, 0, 1 },
	{ "fraud-gnn", WAITING, 12, 0, 0, 1 },
	{ "batch-embed", WAITING, 8, 0, 0, 1 },
	{ "sdxl-lora", WAITING, 6, 0, 0, 1 },
	{ "eval-nightly", WAITING, 3, 0, 0, 1 },
	{ "vit-distill", DOWNLOADING, 9, 8, 2, 1 },
	{ "churn-xgb", DOWNLOADING, 1, 0, 1, 1 },
	{ "fraud-gnn", PREPARING, 17, 16, 1, 1 },
	{ "llm-pretrain-1b", RUNNING, 560, 212, 4, 1 },
	{ "asr-conformer", RUNNING, 410, 133, 1, 1 },
	{ "llm-ft-7b", RUNNING, 265, 88, 3, 1 },
	{ "rlhf-ppo", RUNNING, 190, 2, 1, 1 },
	{ "llm-ft-7b", RUNNING, 150, 61, 2, 1 },
	{ "recsys-twotower", RUNNING, 125, 5, 1, 2 },
	{ "embed-rerank", RUNNING, 118, 35, 1, 1 },
	{ "vit-distill", RUNNING, 84, 3, 1, 1 },
	{ "fraud-gnn", RUNNING, 51, 7, 3, 1 },
	{ "sdxl-lora", RUNNING, 39, 4, 1, 1 },
	{ "sdxl-lora", RUNNING, 33, 9, 2, 1 },
	{ "batch-embed", RUNNING, 29, 5, 2, 1 },
	{ "tokenize-corpus", RUNNING, 21, 1, 1, 1 },
	{ "preproc-clickstream", RUNNING, 8, 1, 1, 1 },
	{ "data-quality", RUNNING, 3, 0, 1, 1 },
	{ "rlhf-reward", STOPPING_IN_QUEUE, 41, 0, 0, 1 },
	/* The rest only in a crowded region. */
	{ "llm-pretrain-1b", RUNNING, 940, 305, 2, 1 },
	{ "llm-pretrain-1b", RUNNING, 702, 331, 5, 1 },
	{ "asr-conformer", RUNNING, 505, 96, 1, 1 },
	{ "llm-ft-7b", RUNNING, 330, 142, 1, 1 },
	{ "recsys-twotower", RUNNING, 96, 7, 1, 3 },
	{ "dlrm-hetero", RUNNING, 71, 14, 0, 1 },
	{ "vit-distill", SUSPENDED, 58, 2, 2, 1 },
	{ "notebook-iter", ENDED, 21, 2, 1, 1 },
	{ "hpo-ctr", RUNNING, 17, 2, 1, 1 },
	{ "hpo-ctr", RUNNING, 16, 1, 1, 1 },
	{ "batch-embed", RUNNING, 24, 4, 1, 1 },
	{ "sft-serverless", RUNNING, 22, 0, 0, 1 },
	{ "sdxl-lora", RUNNING, 5, 2, 1, 1 },
	{ "eval-nightly", RUNNING, 13, 4, 1, 1 },
};
#define LIVE_USUAL 31 /* rows of a region that is not crowded */

/* One job to be painted; they are painted in creation order. */
struct sketch {
	size_t recipe;
	enum scene scene;
	int64_t created_ms, wait_ms, run_ms;
	int rank, stretches;
	enum fate fate;
	uint64_t luck;
};

static const char no_capacity[] =
	"Insufficient capacity error from EC2 while launching instances, retrying!";

static const char *const reasons[] = {
	("AlgorithmError: ExecuteUserScriptError:\nExitCode 1\nErrorMessage \"RuntimeError: CUDA "
	 "out "
	 "of memory. Tried to allocate 1.27 GiB (GPU 0; 22.19 GiB total capacity; 20.31 GiB "
	 "already "
	 "allocated)\"\nCommand \"/opt/conda/bin/python3.11 train.py --batch_size 32 --epochs 3\""),
	("AlgorithmError: Framework Error:\nTraceback (most recent call last):\n  File "
	 "\"/opt/ml/code/train.py\", line 118, in <module>\n    trainer.fit(model)\n  File "
	 "\"/opt/ml/code/data.py\", line 42, in __getitem__\n    raise KeyError(key)\n"
	 "KeyError: 'labels', exit code: 1"),
	("ClientError: Data download failed: PermanentRedirect (301): The bucket is in another "
	 "region. Please use a bucket of this region."),
	"AlgorithmError: , exit code: 137",
	"InternalServerError: We encountered an internal error. Please try again.",
};

static const char capacity_reason[] =
	"CapacityError: Unable to provision requested ML compute capacity. Please retry using a "
	"different ML instance type.";

static int by_creation(const void *a, const void *b)
{
	const struct sketch *left = a, *right = b;
	if (left->created_ms != right->created_ms)
		return left->created_ms < right->created_ms ? -1 : 1;
	return (left->luck > right->luck) - (left->luck < right->luck);
}

static void sketch_live(struct sketch *sketch, size_t i, int64_t now_ms, uint64_t *random)
{
	const struct sim_recipe *recipe;
	*sketch = (struct sketch){
		.recipe = sim_recipe_named(live[i].stem),
		.scene = live[i].scene,
		.rank = live[i].rank,
		.stretches = live[i].stretches,
		.luck = sim_random_next(random),
	};
	recipe = &sim_recipes[sketch->recipe];
	/* Odd seconds, so that no two ages tick together. */
	int64_t odd_ms = sim_random_between(random, 1, 39) * SECOND_MS;
	sketch->created_ms = now_ms - live[i].age_minutes * MINUTE_MS - odd_ms;
	sketch->wait_ms = live[i].wait_minutes * MINUTE_MS + odd_ms / 2;
	sketch->run_ms = recipe->run_minutes * MINUTE_MS;
	sketch->fate = GOES_WELL;
}

static void sketch_fate(struct sketch *sketch, const struct sim_recipe *recipe, uint64_t *random)
{
	int64_t dice = sim_random_between(random, 1, 100);
	bool queues = recipe->kind == SIM_TRAINING && recipe->max_pending_hours > 0;
	sketch->fate = dice <= 80   ? GOES_WELL
		       : dice <= 89 ? FAILS
		       : dice <= 92 ? STOPS_RUNNING
		       : dice <= 94 ? RUNS_OUT
		       : dice <= 96 ? NO_CAPACITY
		       : !queues    ? FAILS
		       : dice <= 98 ? STOPS_IN_QUEUE
				    : TIMES_OUT;
	if (sketch->fate == TIMES_OUT)
		sketch->wait_ms = recipe->max_pending_hours * 60 * MINUTE_MS;
	if (sketch->fate == RUNS_OUT)
		sketch->run_ms = recipe->max_run_hours * 60 * MINUTE_MS;
	if (sketch->fate == FAILS || sketch->fate == STOPS_RUNNING)
		sketch->run_ms = sketch->run_ms * sim_random_between(random, 5, 90) / 100;
}

/* What has ended: how many there are, and how many of each recipe so far. */
struct past {
	size_t count;
	bool crowded;
	size_t *given; /* by recipe */
};

/* In a crowded region the one that lags most behind its part. */
static size_t deal_recipe(const struct past *past, size_t i)
{
	int64_t whole = 0, most = INT64_MIN;
	size_t next = i % SIM_RECIPES_USUAL;
	for (size_t r = 0; past->crowded && r < sim_recipe_count; r++)
		whole += sim_recipes[r].past;
	for (size_t r = 0; past->crowded && r < sim_recipe_count; r++) {
		int64_t lag =
			sim_recipes[r].past * (int64_t)(i + 1) - whole * (int64_t)past->given[r];
		if (lag > most) {
			most = lag;
			next = r;
		}
	}
	past->given[next]++;
	return next;
}

/* A crowded region falls back often enough that each entry has a past of its own: of five with two
 * entries, the first has three. */
static int deal_rank(const struct past *past, size_t r, uint64_t *random)
{
	size_t length = (size_t)sim_recipe_length(&sim_recipes[r]);
	if (!past->crowded)
		return sim_random_chance(random, 55) ? 1 : (int)sim_random_between(random, 2, 5);
	size_t turn = (past->given[r] - 1) % (2 * length + 1);
	return turn < 3 ? 1 : (int)((turn - 3) % (length - 1)) + 2;
}

/* A crowded region has waits long enough that something is known of jobs that wait longer than
 * usual, too: of those whose instances come within the hour. */
static int64_t deal_wait(const struct past *past, const struct sim_recipe *recipe, uint64_t *random)
{
	bool is_long = past->crowded && recipe->wait_minutes > 1 && recipe->wait_minutes <= 60;
	int64_t most_ms = recipe->max_pending_hours * 54 * MINUTE_MS;
	int64_t wait_ms = sim_random_around(random, recipe->wait_minutes * MINUTE_MS *
							    (is_long ? LONGER : 1));
	return is_long && most_ms > 0 && wait_ms > most_ms ? most_ms : wait_ms;
}

static void sketch_ended(struct sketch *sketch, size_t i, const struct past *past, int64_t now_ms,
			 uint64_t *random)
{
	size_t count = past->count;
	size_t days = count > ENDED_DENSE ? count / 100 : ENDED_DAYS;
	*sketch = (struct sketch){ .recipe = deal_recipe(past, i),
				   .scene = ENDED,
				   .stretches = 1,
				   .luck = sim_random_next(random) };
	const struct sim_recipe *recipe = &sim_recipes[sketch->recipe];
	sketch->wait_ms = deal_wait(past, recipe, random);
	sketch->run_ms =
		recipe->run_minutes * MINUTE_MS * sim_random_between(random, 70, 140) / 100;
	sketch->rank = deal_rank(past, sketch->recipe, random);
	if (recipe->spot)
		sketch->stretches = (int)sim_random_between(random, 1, 4);
	sketch_fate(sketch, recipe, random);
	if (recipe->serverless && sketch->fate == NO_CAPACITY)
		sketch->fate = GOES_WELL; /* it needs no instance */
	int64_t ended_ms =
		now_ms - 4 * MINUTE_MS - sim_random_between(random, 0, (int64_t)days * DAY_MS);
	sketch->created_ms = ended_ms - sketch->wait_ms - sketch->run_ms - 2 * MINUTE_MS;
	if (sketch->luck % 4 == 0) /* some times are whole seconds */
		sketch->created_ms -= sketch->created_ms % SECOND_MS;
}

/* The words of a job that waits: a list is Pending, one type is Starting. */
static void enter_waiting(struct sim_job *job, int64_t at_ms)
{
	sim_job_enter(job, job->order.list ? "Pending" : "Starting", no_capacity, at_ms);
}

static void enter_preparing(struct sim_job *job, int64_t at_ms)
{
	sim_job_enter(job, "PreparingTrainingStack", "Preparing the instances for training", at_ms);
}

static void enter_downloading(struct sim_job *job, int64_t at_ms)
{
	sim_job_enter(job, "Downloading", "Downloading the training image", at_ms);
}

static void enter_training(struct sim_job *job, int64_t at_ms)
{
	sim_job_enter(job, "Training", "Training image download completed. Training in progress.",
		      at_ms);
}

static size_t entry_of(const struct sketch *sketch, const struct sim_job *job)
{
	size_t entry = sketch->rank > 0 ? (size_t)sketch->rank - 1 : 0;
	if (job->order.entry_count == 0)
		return 0;
	return entry < job->order.entry_count ? entry : job->order.entry_count - 1;
}

/* Waits and runs that lie behind: all stretches but the last end in an interruption. Returns when
 * the last run began, or for a job that waits now, when the last wait did. */
static int64_t paint_stretches(struct sim_job *job, const struct sketch *sketch, int64_t until_ms)
{
	int64_t at_ms = job->created_ms;
	bool waits_now = sketch->scene == WAITING;
	int64_t share_ms = (until_ms - job->created_ms - sketch->wait_ms) / (sketch->stretches + 1);
	enter_waiting(job, at_ms);
	for (int i = 1; i < sketch->stretches; i++) {
		int64_t wait_ms = i == 1 ? sketch->wait_ms : share_ms / 4;
		enter_preparing(job, at_ms + wait_ms);
		if (!job->started.set)
			job->started = (struct opt_ms){ .set = true, .ms = at_ms + wait_ms };
		enter_training(job, at_ms + wait_ms + 20 * SECOND_MS);
		job->held_ms += share_ms;
		at_ms += wait_ms + share_ms;
		sim_job_enter(job, "Interrupted",
			      "Interrupted by EC2, waiting for capacity to return", at_ms);
	}
	if (waits_now)
		return at_ms;
	return at_ms + (sketch->stretches == 1 ? sketch->wait_ms : share_ms / 4);
}

static void paint_waiting(struct sim_world *world, struct sim_job *job, const struct sketch *sketch)
{
	(void)paint_stretches(job, sketch, world->now_ms);
	job->interruptions = sketch->stretches > 1 ? 1 : 0;
	job->pending_ms = world->now_ms - job->created_ms;
	sim_queue_add(world, job);
}

static void paint_stopping(struct sim_world *world, struct sim_job *job)
{
	enter_waiting(job, job->created_ms);
	job->status = SIM_STOPPING;
	if (world->options.ends)
		sim_life_plan(world, job, SIM_STEP_IS_STOPPED, world->now_ms + 25 * SECOND_MS);
}

/* In a still region nothing more is announced: the job stays as it is painted. */
static void paint_running(struct sim_world *world, struct sim_job *job, const struct sketch *sketch)
{
	int64_t start_ms = paint_stretches(job, sketch, world->now_ms);
	bool ends = world->options.ends;
	sim_hold(world, job, entry_of(sketch, job), start_ms);
	enter_preparing(job, start_ms);
	if (sketch->scene == SUSPENDED) {
		/* Both lists of words grow; this region is ahead of them. */
		enter_training(job, start_ms + 20 * SECOND_MS);
		sim_job_enter(job, "SuspendedByService", "Training is suspended",
			      world->now_ms - 9 * MINUTE_MS);
		job->odd_status = "Suspended";
		return;
	}
	if (sketch->scene == PREPARING) {
		if (ends)
			sim_life_plan(world, job, SIM_STEP_DOWNLOAD, world->now_ms + 4 * SECOND_MS);
		return;
	}
	enter_downloading(job, start_ms + 5 * SECOND_MS);
	if (sketch->scene == DOWNLOADING) {
		if (ends)
			sim_life_plan(world, job, SIM_STEP_TRAIN, world->now_ms + 9 * SECOND_MS);
		return;
	}
	enter_training(job, start_ms + 27 * SECOND_MS);
	if (!ends)
		return;
	/* In a busy region the first ends come soon. */
	int64_t left_ms = sim_random_around(&job->luck, 4 * MINUTE_MS);
	job->order.run_ms = world->now_ms + left_ms - start_ms + job->held_ms;
	sim_life_plan(world, job, SIM_STEP_RUN_ENDS, world->now_ms + left_ms);
}

static void close_job(struct sim_job *job, enum sim_status status, const char *secondary,
		      const char *message, int64_t at_ms)
{
	sim_job_enter(job, secondary, message, at_ms);
	sim_job_close(job, at_ms);
	job->status = status;
	job->ended = (struct opt_ms){ .set = true, .ms = at_ms };
}

/* One that never had an instance. */
static void paint_never_started(struct sim_job *job, const struct sketch *sketch)
{
	int64_t end_ms = job->created_ms + sketch->wait_ms;
	enter_waiting(job, job->created_ms);
	if (sketch->fate == STOPS_IN_QUEUE) {
		sim_job_enter(job, "Stopping", "Stopping the training job", end_ms);
		close_job(job, SIM_STOPPED, "Stopped", "Training job stopped",
			  end_ms + 3 * SECOND_MS);
		return;
	}
	if (sketch->fate == NO_CAPACITY) {
		job->failure_reason = capacity_reason;
		close_job(job, SIM_FAILED, "Failed", "Training job failed", end_ms);
		return;
	}
	bool plainly = sketch->luck % 2 == 0;
	close_job(job, SIM_STOPPED, plainly ? "Stopped" : "MaxPendingTimeExceeded",
		  plainly ? "Training job stopped"
			  : "Training job pending time exceeded MaxPendingTimeInSeconds provided",
		  end_ms);
}

static void paint_failure(struct sim_job *job, const struct sketch *sketch, int64_t end_ms)
{
	job->failure_reason = reasons[sketch->luck % ARRAY_LEN(reasons)];
	if (job->order.kind == SIM_PROCESSING)
		job->exit_message = "Processing container exited with code 1";
	close_job(job, SIM_FAILED, "Failed", "Training job failed", end_ms);
}

/* Its instances stayed for a while, or still do. */
static void paint_warm(struct sim_world *world, struct sim_job *job)
{
	int64_t until_ms = job->ended.ms + job->order.keep_alive_ms;
	if (job->order.keep_alive_ms == 0)
		return;
	if (until_ms > world->now_ms) {
		sim_hold(world, job, (size_t)job->selected, job->selected_ms);
		job->held_ms = 0;
		sim_warm_keep(world, job, job->ended.ms);
		sim_life_plan(world, job, SIM_STEP_COOL, until_ms);
		return;
	}
	job->warm_from = job->ended;
	job->warm_end = (struct opt_ms){ .set = true, .ms = until_ms };
	job->modified_ms = until_ms;
}

static void paint_ended(struct sim_world *world, struct sim_job *job, const struct sketch *sketch)
{
	if (sketch->fate >= STOPS_IN_QUEUE) {
		paint_never_started(job, sketch);
		return;
	}
	int64_t span_ms = sketch->wait_ms + sketch->run_ms;
	int64_t start_ms = paint_stretches(job, sketch, job->created_ms + span_ms);
	int64_t end_ms = job->created_ms + span_ms + 30 * SECOND_MS;
	if (!job->started.set)
		job->started = (struct opt_ms){ .set = true, .ms = start_ms };
	if (job->order.entry_count > 0 && !job->order.groups)
		job->selected = (int)entry_of(sketch, job);
	job->selected_ms = start_ms;
	job->held_ms += end_ms - start_ms;
	enter_preparing(job, start_ms);
	enter_downloading(job, start_ms + 6 * SECOND_MS);
	enter_training(job, start_ms + 30 * SECOND_MS);
	if (sketch->fate == FAILS) {
		paint_failure(job, sketch, end_ms);
	} else if (sketch->fate == STOPS_RUNNING) {
		sim_job_enter(job, "Stopping", "Stopping the training job",
			      end_ms - 15 * SECOND_MS);
		close_job(job, SIM_STOPPED, "Stopped", "Training job stopped", end_ms);
	} else if (sketch->fate == RUNS_OUT) {
		close_job(job, SIM_STOPPED, "MaxRuntimeExceeded",
			  "Training job runtime exceeded MaxRuntimeInSeconds provided", end_ms);
	} else {
		sim_job_enter(job, "Uploading", "Uploading generated training model", end_ms);
		close_job(job, SIM_COMPLETED, "Completed", "Training job completed",
			  end_ms + 8 * SECOND_MS);
		job->held_ms += 8 * SECOND_MS;
		paint_warm(world, job);
	}
}

static void paint(struct sim_world *world, const struct sketch *sketch)
{
	struct sim_birth birth = { .created_ms = sketch->created_ms,
				   .past = true,
				   .run_ms = sketch->run_ms,
				   .luck = sketch->luck };
	struct sim_job *job = sim_scenario_submit(world, sketch->recipe, &birth);
	if (!job)
		return;
	switch (sketch->scene) {
	case WAITING:
		paint_waiting(world, job, sketch);
		break;
	case STOPPING_IN_QUEUE:
		paint_stopping(world, job);
		break;
	case PREPARING:
	case DOWNLOADING:
	case RUNNING:
	case SUSPENDED:
		paint_running(world, job, sketch);
		break;
	case ENDED:
		paint_ended(world, job, sketch);
		break;
	}
}

void sim_picture_paint(struct sim_world *world, uint64_t random, bool crowded, size_t jobs)
{
	size_t wanted = jobs > 0 ? jobs : crowded ? JOBS_CROWD : JOBS_USUAL;
	size_t live_count = crowded ? ARRAY_LEN(live) : LIVE_USUAL;
	size_t ended = wanted > live_count ? wanted - live_count : 0;
	if (ended + live_count > SIM_JOBS_MAX)
		ended = SIM_JOBS_MAX - live_count;
	struct sketch *sketches = mem_new(ended + live_count, sizeof(*sketches));
	struct past past = { ended, crowded, mem_new(sim_recipe_count, sizeof(*past.given)) };
	for (size_t i = 0; i < live_count; i++)
		sketch_live(&sketches[i], i, world->now_ms, &random);
	for (size_t i = 0; i < ended; i++)
		sketch_ended(&sketches[live_count + i], i, &past, world->now_ms, &random);
	qsort(sketches, ended + live_count, sizeof(*sketches), by_creation);
	for (size_t i = 0; i < ended + live_count; i++)
		paint(world, &sketches[i]);
	free(past.given);
	free(sketches);
}
