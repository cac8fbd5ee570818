/*
 * Who a job belongs to, where that is not a person: a tuning job, a pipeline and the like start
 * jobs of their own and fail when somebody stops one. Known by what Describe says, by tags, or by
 * the name.
 */
#ifndef GPUQ_OWNER_H
#define GPUQ_OWNER_H

#include "model/base/buf.h"
#include "model/job.h"
#include "model/tags.h"

enum owner_kind {
	OWNER_NONE,
	OWNER_TUNING,
	OWNER_AUTOML,
	OWNER_LABELING,
	OWNER_MONITORING,
	OWNER_PIPELINE,
	OWNER_BATCH,
	OWNER_STEP_FUNCTIONS,
};

/* {0}: nobody is known. */
struct owner {
	enum owner_kind kind;
	char name[JOB_NAME_SIZE]; /* "" = not told, or none that can be typed */
};

/* By the text of a Describe (TuningJobArn, AutoMLJobArn, LabelingJobArn, MonitoringScheduleArn) and
 * by the name: those of pipelines begin with "pipelines-" and an execution id, those of AWS Batch
 * with "AWSBatch" (the policy of its service-linked role). False: neither tells of one. */
bool owner_of_job(const struct job *job, struct owner *owner);

/* By the tags that pipelines and Step Functions set on what they start, and those of AWS. */
bool owner_of_tags(const struct tag *tags, size_t count, struct owner *owner);

/* "tuning job", "AWS Batch", ... Static text. */
const char *owner_word(enum owner_kind kind);

/* "the tuning job hpo-7", "AWS Batch". */
void owner_describe(const struct owner *owner, struct buf *out);

/* What a person types to change a job of that owner all the same: the owner's name, else the
 * job's. Borrowed from the two. */
const char *owner_typed(const struct owner *owner, const char *job_name);

#endif
