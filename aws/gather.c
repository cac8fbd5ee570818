#include "aws/gather.h"

#include "aws/doctor.h"
#include "aws/sagemaker_jobs.h"

static void finish(struct gathering *gather, const struct err *err)
{
	gather->is_done = true;
	gather->done(gather->ctx, err);
}

static void on_described(void *ctx, struct job *job, const struct err *err)
{
	struct gathering *gather = ctx;
	if (!err)
		store_take_described(gather->store, job);
	finish(gather, err && err->code != ERR_NOT_FOUND ? err : NULL);
}

static void on_training_described(void *ctx, struct job *job, const struct err *err)
{
	struct gathering *gather = ctx;
	if (err && err->code == ERR_NOT_FOUND)
		jobs_describe(session_client(gather->session), JOB_PROCESSING, gather->name,
			      on_described, gather);
	else
		on_described(ctx, job, err);
}

static void on_diagnosed(void *ctx)
{
	finish(ctx, NULL);
}

static void start_doctor(struct gathering *gather)
{
	const struct doctor_options options = { .session = gather->session,
						.diagnosis = gather->diagnosis,
						.done = on_diagnosed,
						.ctx = gather };
	gather->doctor = doctor_new(&options);
}

void gather_release(struct gathering *gather)
{
	doctor_free(gather->doctor);
	gather->doctor = NULL;
}

bool gather_connected(struct gathering *gather, const struct err *err)
{
	if (gather->doctor)
		doctor_connected(gather->doctor, err);
	return gather->doctor != NULL;
}

void gather_start(struct gathering *gather)
{
	gather->is_done = false;
	switch (gather->need) {
	case NEED_JOB:
		jobs_describe(session_client(gather->session), JOB_TRAINING, gather->name,
			      on_training_described, gather);
		break;
	case NEED_PLANS:
		session_start_plans(gather->session);
		session_want_plans(gather->session, true);
		break;
	case NEED_JOBS:
		session_start_jobs(gather->session);
		break;
	case NEED_DIAGNOSIS:
		start_doctor(gather);
		break;
	case NEED_NOTHING:
		break;
	}
}

static void look_at_jobs(struct gathering *gather)
{
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++) {
		const struct freshness *source = &gather->store->sources[i];
		if (source->failing && !source->loaded) {
			finish(gather, &source->error);
			return;
		}
	}
	if (session_is_settled(gather->session))
		finish(gather, NULL);
}

static void look_at_plans(struct gathering *gather)
{
	const struct freshness *plans = &gather->store->sources[SOURCE_PLANS];
	if (plans->failing)
		finish(gather, &plans->error);
	else if (plans->loaded)
		finish(gather, NULL);
}

void gather_changed(struct gathering *gather)
{
	if (gather->is_done)
		return;
	if (gather->doctor)
		doctor_changed(gather->doctor);
	else if (gather->need == NEED_JOBS)
		look_at_jobs(gather);
	else if (gather->need == NEED_PLANS)
		look_at_plans(gather);
}
