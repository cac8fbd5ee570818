/*
 * The logs of the one job that is looked at: its streams, one for each host and start, and the
 * lines read of them. Read only while somebody looks (aws/logs_feed.h). Part of the store.
 */
#ifndef GPUQ_JOB_LOGS_H
#define GPUQ_JOB_LOGS_H

#include "model/freshness.h"
#include "model/job.h"
#include "model/log_lines.h"

#define LOG_LABEL_SIZE 48

struct log_stream {
	char *name;                 /* owned: JOB/algo-1-1796071688 */
	char label[LOG_LABEL_SIZE]; /* algo-1; of a further start algo-1 (2) */
	uint64_t lines;             /* read of it */
	int64_t newest_ms;          /* of the last line, by the service; 0: there is none */
	bool begins;                /* its first line has been read */
	bool caught_up;             /* its end was reached at the last look */
	bool gone;                  /* it is not there any more */
};

struct job_logs {
	char *arn;                  /* owned; the job they are of, NULL = none is looked at */
	struct log_stream *streams; /* owned; in the order in which they were found */
	size_t count;
	bool listed;  /* AWS has told which streams there are: */
	bool missing; /* there is no group of logs, so no such job has written yet */
	bool waits;   /* newer lines are there, or may be, and would drive out what is held */
	struct log_lines lines;
	struct freshness fresh;
};

/* Another job is looked at (NULL = none): what is known of the last one goes. */
void job_logs_look_at(struct job_logs *logs, const char *arn);
/* "/aws/sagemaker/TrainingJobs" */
const char *job_logs_group(enum job_kind kind);
/* The stream of that name, a new one where it is not known; LOG_NONE: there are LOG_STREAMS_MAX. */
size_t job_logs_stream(struct job_logs *logs, const char *name);
/* An answer has come / the newest try has failed. */
void job_logs_loaded(struct job_logs *logs, int64_t mono_ms);
void job_logs_failed(struct job_logs *logs, const struct err *err, int64_t retry_mono_ms);

/* Makes it {0}. */
void job_logs_release(struct job_logs *logs);

#endif
