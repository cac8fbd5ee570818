/* What happens to a job once it has its instances, and how it ends. */
#include "aws/sim/world.h"

#include "aws/sim/random.h"
#include "model/base/attr.h"

#define SECOND_MS INT64_C(1000)
#define MINUTE_MS (60 * SECOND_MS)

#define FAILURE_PERCENT 12 /* of the jobs that run to their end */

static const char *const failure_reasons[] = {
	("AlgorithmError: ExecuteUserScriptError:\nExitCode 1\nErrorMessage "
	 "\"torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB "
	 "(GPU 3; 39.39 GiB total capacity)\"\nCommand \"/usr/bin/python3 train.py --batch_size "
	 "64\", "
	 "exit code: 1"),
	("AlgorithmError: Framework Error:\nTraceback (most recent call last):\n"
	 "  File \"/opt/ml/code/train.py\", line 214, in <module>\n    main()\n"
	 "  File \"/opt/ml/code/train.py\", line 187, in main\n    batch = next(loader)\n"
	 "ValueError: expected sequence of length 512 at dim 1 (got 498), exit code: 1"),
	"AlgorithmError: , exit code: 137",
	("ClientError: Data download failed: NoSuchKey (404): The specified key does not exist., "
	 "exit code: 1"),
	"InternalServerError: We encountered an internal error. Please try again.",
};

void sim_life_plan(struct sim_world *world, struct sim_job *job, enum sim_step step, int64_t at_ms)
{
	job->step = step;
	job->next_ms = step == SIM_STEP_NONE ? 0 : at_ms;
	if (step == SIM_STEP_NONE)
		return;
	if (job->next_ms < world->now_ms)
		job->next_ms = world->now_ms;
	sim_world_announce(world, SIM_EVENT_JOB, job->number, job->next_ms);
}

static void plan_within(struct sim_world *world, struct sim_job *job, enum sim_step step,
			int64_t low_seconds, int64_t high_seconds)
{
	int64_t wait_ms =
		sim_random_between(&job->luck, low_seconds * SECOND_MS, high_seconds * SECOND_MS);
	sim_life_plan(world, job, step, world->now_ms + wait_ms);
}

/* How long it will run on its instances from now on: what is left of its work, or of its limit. */
static int64_t remaining_ms(struct sim_job *job)
{
	if (job->order.run_ms == 0)
		job->order.run_ms = sim_random_between(&job->luck, 12 * MINUTE_MS, 90 * MINUTE_MS);
	int64_t left = job->order.run_ms - job->held_ms;
	int64_t limit = job->order.max_runtime_ms;
	if (limit > 0 && left > limit - job->held_ms)
		left = limit - job->held_ms;
	return left > 0 ? left : 1;
}

static bool is_over_runtime(const struct sim_world *world, const struct sim_job *job)
{
	return job->order.max_runtime_ms > 0 &&
	       sim_job_held_ms(job, world->now_ms) >= job->order.max_runtime_ms;
}

static void plan_run(struct sim_world *world, struct sim_job *job)
{
	if (!world->options.ends) {
		sim_life_plan(world, job, SIM_STEP_NONE, 0);
		return;
	}
	int64_t left = remaining_ms(job);
	if (job->interruptions > 0) {
		job->interruptions--;
		sim_life_plan(world, job, SIM_STEP_INTERRUPT,
			      world->now_ms + sim_random_between(&job->luck, left / 4, left / 2));
		return;
	}
	sim_life_plan(world, job, SIM_STEP_RUN_ENDS, job->held_since_ms + left);
}

void sim_life_start(struct sim_world *world, struct sim_job *job)
{
	job->status = SIM_IN_PROGRESS;
	if (job->order.kind == SIM_PROCESSING) {
		job->modified_ms = world->now_ms;
		plan_run(world, job);
		return;
	}
	sim_job_enter(job, "PreparingTrainingStack", "Preparing the instances for training",
		      world->now_ms);
	plan_within(world, job, SIM_STEP_DOWNLOAD, 3, 6);
}

static void end_as_failed(struct sim_world *world, struct sim_job *job)
{
	size_t which = (size_t)sim_random_between(&job->luck, 0, ARRAY_LEN(failure_reasons) - 1);
	job->failure_reason = failure_reasons[which];
	if (job->order.kind == SIM_PROCESSING)
		job->exit_message = "Processing container exited with code 1";
	sim_life_end(world, job, SIM_FAILED, "Failed", "Training job failed");
}

static void run_ends(struct sim_world *world, struct sim_job *job)
{
	if (is_over_runtime(world, job)) {
		sim_life_end(world, job, SIM_STOPPED, "MaxRuntimeExceeded",
			     "Training job runtime exceeded MaxRuntimeInSeconds provided");
	} else if (sim_random_chance(&job->luck, FAILURE_PERCENT)) {
		end_as_failed(world, job);
	} else if (job->order.kind == SIM_PROCESSING) {
		sim_life_end(world, job, SIM_COMPLETED, "Completed", "");
	} else {
		sim_job_enter(job, "Uploading", "Uploading generated training model",
			      world->now_ms);
		plan_within(world, job, SIM_STEP_FINISH, 4, 10);
	}
}

/* EC2 takes the instances: they do not come back to the pool. */
static void interrupt(struct sim_world *world, struct sim_job *job)
{
	size_t entry = job->selected == SIM_NOWHERE ? 0 : (size_t)job->selected;
	sim_let_go(world, job, world->now_ms);
	if (!job->order.groups && job->order.entry_count > 0) {
		struct sim_pool *pool = &world->pools[job->order.entries[entry].pool];
		pool->free -= job->order.entries[entry].count < pool->free
				      ? job->order.entries[entry].count
				      : pool->free;
	}
	sim_job_enter(job, "Interrupted", "Interrupted by EC2, waiting for capacity to return",
		      world->now_ms);
	sim_queue_add(world, job);
}

/* A pending time-out is told in two ways: by a word that no list knows, or plainly. */
static void limit_reached(struct sim_world *world, struct sim_job *job)
{
	sim_queue_remove(world, job);
	if (job->order.spot)
		sim_job_enter(job, "Stopping", "Stopping the training job", world->now_ms);
	if (job->order.spot)
		sim_life_end(world, job, SIM_STOPPED, "MaxWaitTimeExceeded",
			     "Training job wait time exceeded MaxWaitTimeInSeconds provided");
	else if (sim_random_chance(&job->luck, 50))
		sim_life_end(world, job, SIM_STOPPED, "MaxPendingTimeExceeded",
			     "Training job pending time exceeded MaxPendingTimeInSeconds provided");
	else
		sim_life_end(world, job, SIM_STOPPED, "Stopped", "Training job stopped");
}

void sim_life_step(struct sim_world *world, struct sim_job *job)
{
	enum sim_step step = job->step;
	sim_life_plan(world, job, SIM_STEP_NONE, 0);
	switch (step) {
	case SIM_STEP_NONE:
		break;
	case SIM_STEP_LIMIT:
		limit_reached(world, job);
		break;
	case SIM_STEP_DOWNLOAD:
		sim_job_enter(job, "Downloading", "Downloading the training image", world->now_ms);
		plan_within(world, job, SIM_STEP_TRAIN, 5, 12);
		break;
	case SIM_STEP_TRAIN:
		sim_job_enter(job, "Training",
			      "Training image download completed. Training in progress.",
			      world->now_ms);
		plan_run(world, job);
		break;
	case SIM_STEP_INTERRUPT:
		interrupt(world, job);
		break;
	case SIM_STEP_RUN_ENDS:
		run_ends(world, job);
		break;
	case SIM_STEP_FINISH:
		sim_life_end(world, job, SIM_COMPLETED, "Completed", "Training job completed");
		break;
	case SIM_STEP_COOL:
		sim_warm_end(world, job, NULL);
		break;
	case SIM_STEP_DELETE:
		job->deleted = (struct opt_ms){ .set = true, .ms = world->now_ms };
		break;
	case SIM_STEP_IS_STOPPED:
		sim_life_end(world, job, SIM_STOPPED, "Stopped", "Training job stopped");
		break;
	}
}

bool sim_life_stop(struct sim_world *world, struct sim_job *job)
{
	if (job->status != SIM_IN_PROGRESS)
		return false;
	job->odd_status = NULL;
	if (job->waiting)
		sim_queue_remove(world, job);
	job->status = SIM_STOPPING;
	sim_job_enter(job, "Stopping", "Stopping the training job", world->now_ms);
	/* A running algorithm gets its SIGTERM and up to 120 s, and its instances are given back
	 * after that; one that waits has none. */
	if (job->holds)
		plan_within(world, job, SIM_STEP_IS_STOPPED, 60, 180);
	else
		plan_within(world, job, SIM_STEP_IS_STOPPED, 2, 5);
	return true;
}

bool sim_life_delete(struct sim_world *world, struct sim_job *job)
{
	if (!sim_status_has_ended(job->status) || job->step == SIM_STEP_DELETE)
		return false;
	if (job->warm_from.set && !job->warm_end.set)
		sim_warm_end(world, job, NULL);
	job->odd_status = "Deleting";
	job->modified_ms = world->now_ms;
	plan_within(world, job, SIM_STEP_DELETE, 3, 8);
	return true;
}

bool sim_life_keep_alive(struct sim_world *world, struct sim_job *job, int64_t keep_alive_ms)
{
	bool warm = job->warm_from.set && !job->warm_end.set;
	if (sim_status_has_ended(job->status) && !warm)
		return false;
	job->order.keep_alive_ms = keep_alive_ms;
	job->modified_ms = world->now_ms;
	if (warm)
		sim_life_plan(world, job, SIM_STEP_COOL, job->warm_from.ms + keep_alive_ms);
	return true;
}

void sim_life_end(struct sim_world *world, struct sim_job *job, enum sim_status status,
		  const char *secondary, const char *message)
{
	int64_t now_ms = world->now_ms;
	bool stays = status == SIM_COMPLETED && job->holds && job->order.keep_alive_ms > 0 &&
		     job->selected != SIM_NOWHERE &&
		     job->order.entries[job->selected].plan == SIM_NOWHERE &&
		     sim_warm_has_room(world, job);
	if (stays)
		sim_warm_keep(world, job, now_ms);
	else
		sim_let_go(world, job, now_ms);
	sim_job_enter(job, secondary, message, now_ms);
	sim_job_close(job, now_ms);
	job->status = status;
	job->ended = (struct opt_ms){ .set = true, .ms = now_ms };
	sim_life_plan(world, job, stays ? SIM_STEP_COOL : SIM_STEP_NONE,
		      now_ms + job->order.keep_alive_ms);
}
