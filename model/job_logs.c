#include "model/job_logs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"

void job_logs_release(struct job_logs *logs)
{
	for (size_t i = 0; i < logs->count; i++)
		free(logs->streams[i].name);
	free(logs->streams);
	free(logs->arn);
	log_lines_release(&logs->lines);
	err_clear(&logs->fresh.error);
	*logs = (struct job_logs){ 0 };
}

void job_logs_look_at(struct job_logs *logs, const char *arn)
{
	if (arn == logs->arn || (arn && logs->arn && strcmp(arn, logs->arn) == 0))
		return;
	char *copy = mem_copy_text(arn);
	job_logs_release(logs);
	logs->arn = copy;
}

const char *job_logs_group(enum job_kind kind)
{
	return kind == JOB_PROCESSING ? "/aws/sagemaker/ProcessingJobs"
				      : "/aws/sagemaker/TrainingJobs";
}

/* "algo-1" of "JOB/algo-1-1796071688": the host, without the time of its start. */
static void add_host(const char *name, struct buf *out)
{
	const char *slash = strchr(name, '/');
	const char *host = slash ? slash + 1 : name, *dash = strrchr(host, '-');
	size_t digits = dash ? strspn(dash + 1, "0123456789") : 0;
	bool has_time = digits >= 9 && dash[1 + digits] == '\0';
	buf_add(out, host, has_time ? (size_t)(dash - host) : strlen(host));
}

/* Starts of one host are counted. */
static void set_label(struct job_logs *logs, struct log_stream *stream)
{
	struct buf host, other;
	size_t starts = 1;
	buf_init(&host, 1024);
	buf_init(&other, 1024);
	add_host(stream->name, &host);
	for (size_t i = 0; i < logs->count; i++) {
		buf_clear(&other);
		add_host(logs->streams[i].name, &other);
		starts += strcmp(buf_text(&host), buf_text(&other)) == 0;
	}
	if (starts > 1)
		buf_addf(&host, " (%zu)", starts);
	text_copy_cut(stream->label, sizeof(stream->label), buf_text(&host));
	buf_release(&host);
	buf_release(&other);
}

size_t job_logs_stream(struct job_logs *logs, const char *name)
{
	struct log_stream stream = { .newest_ms = 0 };
	for (size_t i = 0; i < logs->count; i++) {
		if (strcmp(logs->streams[i].name, name) == 0)
			return i;
	}
	if (logs->count == LOG_STREAMS_MAX)
		return LOG_NONE;
	stream.name = mem_copy_text(name);
	set_label(logs, &stream);
	logs->streams = mem_resize(logs->streams, logs->count + 1, sizeof(*logs->streams));
	logs->streams[logs->count] = stream;
	return logs->count++;
}

void job_logs_loaded(struct job_logs *logs, int64_t mono_ms)
{
	err_clear(&logs->fresh.error);
	logs->fresh =
		(struct freshness){ .asked = true, .loaded = true, .loaded_mono_ms = mono_ms };
}

void job_logs_failed(struct job_logs *logs, const struct err *err, int64_t retry_mono_ms)
{
	logs->fresh.asked = true;
	logs->fresh.failing = true;
	logs->fresh.retry_mono_ms = retry_mono_ms;
	err_copy(&logs->fresh.error, err);
}
