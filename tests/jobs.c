#include "tests/jobs.h"

#include <string.h>

#include "model/base/mem.h"

struct opt_ms at(int64_t ms)
{
	return (struct opt_ms){ .set = true, .ms = ms };
}

struct job listed_job(const char *name, int64_t created_ms, const char *status,
		      const char *secondary)
{
	struct job job = { .kind = JOB_TRAINING };
	size_t len = strlen(name);
	memcpy(job.name, name, len < JOB_NAME_SIZE ? len : JOB_NAME_SIZE - 1);
	job.arn = mem_copy_text(name);
	job.status = mem_copy_text(status);
	job.secondary_status = mem_copy_text(secondary);
	job.created = at(created_ms);
	job.modified = at(created_ms);
	return job;
}

struct job described_job(const char *name, int64_t created_ms, const char *status,
			 const char *secondary)
{
	struct job job = listed_job(name, created_ms, status, secondary);
	job.described = true;
	job.status_message = mem_copy_text("why");
	add_entry(&job, "ml.p4d.24xlarge", 2);
	job_settle_selection(&job);
	return job;
}

void add_entry(struct job *job, const char *type, int64_t count)
{
	struct preferences *prefs = job_edit_prefs(job);
	struct preference *entry = &prefs->entries[prefs->length++];
	memcpy(entry->instance_type, type, strlen(type) + 1);
	entry->has_count = true;
	entry->count = count;
}

void add_stretch(struct job *job, const char *status, int64_t start_s, int64_t end_s)
{
	struct opt_ms end = { .set = end_s >= 0, .ms = end_s * 1000 };
	job_add_transition(job, status, NULL, at(start_s * 1000), end);
}
