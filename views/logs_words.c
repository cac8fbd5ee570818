/* What the screen of logs says of them: why there are none, and how much of them there is. */
#include <inttypes.h>
#include <string.h>

#include "model/base/text.h"
#include "views/logs.h"
#include "views/words.h"

static const struct job_logs *logs_of(const struct logs *logs)
{
	const struct job_logs *found = &logs->ui->env->store->logs;
	return found->arn && strcmp(found->arn, logs->arn) == 0 ? found : NULL;
}

/* A job that waits or prepares has not written anything: nothing is wrong. */
static const char *why_none(const struct job *job)
{
	switch (job_phase(job)) {
	case PHASE_PENDING:
		return "No logs yet: the job waits for its instances. Lines show up here once it "
		       "runs.";
	case PHASE_STARTING:
		return "No logs yet: the instances are being prepared. Lines show up here once the "
		       "container writes.";
	case PHASE_COMPLETED:
	case PHASE_FAILED:
	case PHASE_STOPPED:
		return job_never_started(job)
			       ? "There are no logs: the job never started."
			       : "There are no logs: nothing was written, or the retention of the "
				 "log group has taken it.";
	default:
		return "No logs yet: the container has written nothing so far.";
	}
}

static void add_group(struct buf *out, const struct job *job, const struct job_logs *found)
{
	buf_addf(out, "\n\nCloudWatch Logs, group %s, streams %s/...", job_logs_group(job->kind),
		 job->name);
	if (found->missing)
		buf_add_text(out, "\nThe group is not there: no such job has written in this "
				  "account and region so far.");
}

void logs_add_none(const struct logs *logs, struct buf *out)
{
	const struct job_logs *found = logs_of(logs);
	const struct job *job = store_find(logs->ui->env->store, logs->arn);
	if (found && found->lines.count > 0)
		return;
	if (!job) {
		buf_add_text(out, "This job is not listed any more.");
	} else if (found && found->fresh.failing) {
		words_failure(out, &found->fresh.error);
		buf_addf(out, "\n%s", err_text(&found->fresh.error));
	} else if (!found || !found->listed) {
		buf_add_text(out, "Reading the logs ...");
	} else {
		buf_add_text(out, why_none(job));
		add_group(out, job, found);
	}
}

static void add_time(struct buf *out, const struct logs *logs, int64_t ms)
{
	char time[TIME_TEXT_SIZE];
	time_format_full(ms, logs->ui->env->utc, time);
	buf_add_text(out, strlen(time) >= 19 ? time + 5 : time);
}

/* Earlier lines that are not here: let go, or never read. */
static bool is_cut(const struct job_logs *found)
{
	bool all = found->lines.dropped == 0;
	for (size_t i = 0; i < found->count; i++)
		all = all && found->streams[i].begins;
	return !all;
}

static bool is_backfilling(const struct job_logs *found)
{
	return is_cut(found) && found->lines.dropped == 0 && !log_lines_has_enough(&found->lines);
}

/* Of a job that has ended there is nothing to follow. */
static const char *where(const struct logs *logs, const struct job_logs *found)
{
	const struct job *job = store_find(logs->ui->env->store, logs->arn);
	if (found->waits)
		return "holding: F reads on";
	if (job && job_has_ended(job))
		return logs->pager->follow ? "the job has ended" : "not at the end";
	return logs->pager->follow ? "following" : "not following";
}

void logs_add_state(const struct logs *logs, struct buf *out)
{
	const struct job_logs *found = logs_of(logs);
	if (!found || found->lines.count == 0)
		return;
	buf_addf(out, "%s, %" PRIu64 " line%s read", where(logs, found), found->lines.added,
		 found->lines.added == 1 ? "" : "s");
	if (is_backfilling(found)) {
		buf_add_text(out, ", earlier ones are being read");
	} else if (is_cut(found)) {
		buf_addf(out, ", %zu here from ", found->lines.count);
		add_time(out, logs, log_lines_at(&found->lines, 0)->at_ms);
		buf_add_text(out, " on (earlier: CloudWatch)");
	}
	if (logs->pager->has_error)
		buf_add_text(out, "; ✗ the first error: e");
}
