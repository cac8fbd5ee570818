/* What speaks for a class, the deciding fact first; AWS's own words last, marked as hints. */
#include <inttypes.h>
#include <string.h>

#include "model/explain_parts.h"
#include "model/odd_times.h"
#include "model/quota_refusal.h"
#include "model/reason.h"

#define NAME_MAX_BYTES 64
#define REMARK_MAX     1024
#define ODD_MAX        2048

/* The names that differ between the two kinds of job. */
static const struct {
	const char *describe, *list, *create, *status, *start, *end;
} names[] = {
	[JOB_TRAINING] = { "DescribeTrainingJob", "ListTrainingJobs", "CreateTrainingJob",
			   "TrainingJobStatus", "TrainingStartTime", "TrainingEndTime" },
	[JOB_PROCESSING] = { "DescribeProcessingJob", "ListProcessingJobs", "CreateProcessingJob",
			     "ProcessingJobStatus", "ProcessingStartTime", "ProcessingEndTime" },
};

static const char plans_source[] = "ListTrainingPlans";
static const char own_source[] = "gpuq, from the times of the job";

static const char *source_of(const struct job *job)
{
	if (!job->described)
		return names[job->kind].list;
	return job->indexed ? "Search" : names[job->kind].describe;
}

static struct opt_ms newest_change(const struct job *job)
{
	if (job->transition_count > 0 && job_transition(job, job->transition_count - 1).start.set)
		return job_transition(job, job->transition_count - 1).start;
	return job->modified.set ? job->modified : job->created;
}

/* --- single facts --- */

static void add_secondary(const struct job *job, const char *against, struct explanation *out)
{
	struct explain_fact *fact;
	if (!job->secondary_status)
		return;
	fact = explain_add(out, "SecondaryStatus", source_of(job), "%s", job->secondary_status);
	fact->at = newest_change(job);
	fact->against = against;
}

static void add_status(const struct job *job, const char *against, struct explanation *out)
{
	struct explain_fact *fact = explain_add(out, names[job->kind].status, source_of(job), "%s",
						job->status ? job->status : "");
	fact->at = job_has_ended(job) && job->ended.set ? job->ended : newest_change(job);
	fact->against = against;
}

static void add_time(const struct job *job, const char *name, struct opt_ms time,
		     const char *against, struct explanation *out)
{
	char text[TIME_TEXT_SIZE] = "";
	struct explain_fact *fact;
	if (time.set)
		time_format_iso(time.ms, text);
	fact = explain_add(out, name, source_of(job), time.set ? "%s" : NULL, text);
	fact->at = time;
	fact->against = against;
}

static void add_duration(const char *name, const char *source, int64_t ms, const char *against,
			 struct explanation *out)
{
	char text[TIME_TEXT_SIZE];
	duration_format(ms / 1000, text);
	explain_add(out, name, source, "%s", text)->against = against;
}

static void add_reason(const struct job *job, bool decides, struct explanation *out)
{
	struct explain_fact *fact;
	if (!job->failure_reason)
		return;
	fact = explain_add(out, "FailureReason", source_of(job), "%s", job->failure_reason);
	fact->at = job->ended;
	fact->is_hint = !decides;
	fact->against = decides ? "another beginning than CapacityError" : NULL;
}

/* What opens the plan, what its windows are, how much of it is free. */
static void add_plan(const struct explain_ask *ask, size_t entry, enum explain_reason reason,
		     struct explanation *out)
{
	const struct plan *plan;
	const char *arn = explain_plan(ask->store, job_prefs(ask->job), entry, &plan);
	const char *name = strrchr(arn, '/') ? strrchr(arn, '/') + 1 : arn;
	const char *field = reason == REASON_PLAN_WINDOWS ? "TrainingPlan.ReservedCapacitySummaries"
			    : reason == REASON_PLAN_ROOM  ? "TrainingPlan.AvailableInstanceCount"
							  : "TrainingPlan.Status";
	struct plan_window window = { 0 };
	struct explain_fact *fact;
	char at[TIME_TEXT_SIZE] = "at a time not told";
	if (!plan) {
		fact = explain_add(out, field, plans_source, "%s: not read", name);
		fact->against = "the state of the plan, once it is read";
		return;
	}
	(void)plan_current_window(plan, ask->now_ms, &window);
	if (window.start.set)
		time_format_iso(window.start.ms, at);
	if (reason == REASON_PLAN_ROOM)
		fact = explain_add(out, field, plans_source, "%s: %" PRId64 " of %" PRId64, name,
				   plan->available.n, plan->total.n);
	else if (reason == REASON_PLAN_WINDOWS)
		fact = explain_add(out, field, plans_source, "%s: none open, the next from %s",
				   name, at);
	else
		fact = explain_add(out, field, plans_source, "%s: %s", name,
				   plan->status ? plan->status : "");
	if (reason != REASON_PLAN_ROOM)
		fact->at = window.start;
	fact->against = reason == REASON_PLAN_ROOM ? "instances of it free, and the job pending"
						   : "a window of it open, and the job pending";
}

/* --- the deciding one --- */

static const char *against_of(enum explain_class class)
{
	static const char *const texts[EXPLAIN_CLASSES] = {
		[EXPLAIN_UNKNOWN] = "any field that says more",
		[EXPLAIN_CAPACITY] = "SelectedInstanceType set, or a plan of every entry closed",
		[EXPLAIN_SPOT] = "EnableManagedSpotTraining false, or another SecondaryStatus",
		[EXPLAIN_IMAGE] = "another SecondaryStatus",
		[EXPLAIN_DATA] = "another SecondaryStatus",
		[EXPLAIN_STOPPING] = "a status that is not Stopping or Deleting",
		[EXPLAIN_NEVER_STARTED] = "a start time, or billed seconds",
		[EXPLAIN_LIMIT_RUNTIME] = "an end before MaxRuntimeInSeconds had passed",
		[EXPLAIN_FAILED] = "a FailureReason that begins with CapacityError",
		[EXPLAIN_STOPPED] = "a limit that was reached at its end",
	};
	return texts[class];
}

static void add_deciding(const struct explain_ask *ask, const struct explain_ruling *ruling,
			 struct explanation *out)
{
	const struct job *job = ask->job;
	const char *against = against_of(ruling->class);
	switch (ruling->reason) {
	case REASON_SECONDARY:
		add_secondary(job, against, out);
		break;
	case REASON_STATUS:
		add_status(job, against, out);
		break;
	case REASON_SPOT:
		explain_add(out, "EnableManagedSpotTraining", source_of(job), "true")->against =
			against;
		break;
	case REASON_NO_START:
		add_time(job, names[job->kind].start, job->started, against, out);
		break;
	case REASON_REASON:
		add_reason(job, true, out);
		break;
	case REASON_LIMIT:
		add_duration("MaxPendingTimeInSeconds", source_of(job), job->max_pending.ms,
			     "a start time, or an end before that time of waiting", out);
		break;
	case REASON_RUN_TIME:
		add_duration("MaxRuntimeInSeconds", source_of(job), job->max_runtime.ms, against,
			     out);
		break;
	case REASON_PLAN_STATUS:
	case REASON_PLAN_WINDOWS:
	case REASON_PLAN_ROOM:
		add_plan(ask, ruling->entry, ruling->reason, out);
		break;
	case REASON_NOT_READ:
		explain_add(out, names[job->kind].describe, "gpuq", NULL)->against =
			"its answer, once it is read";
		break;
	}
}

/* --- the others --- */

static void add_waits(const struct explain_ask *ask, const struct explain_ruling *ruling,
		      struct explanation *out)
{
	const struct job *job = ask->job;
	int64_t wait_ms;
	bool final;
	if (job_wait_ms(job, ask->now_ms, &wait_ms, &final))
		add_duration("wait", own_source, wait_ms, NULL, out);
	if (job->max_pending.set && ruling->reason != REASON_LIMIT &&
	    job_phase(job) != PHASE_RUNNING)
		add_duration("MaxPendingTimeInSeconds", source_of(job), job->max_pending.ms, NULL,
			     out);
}

/* Of a list that waits for either, the first plan says when it opens. */
static void add_first_plan(const struct explain_ask *ask, const struct explain_ruling *ruling,
			   struct explanation *out)
{
	const struct plan *plan;
	bool told = ruling->reason == REASON_PLAN_STATUS || ruling->reason == REASON_PLAN_WINDOWS ||
		    ruling->reason == REASON_PLAN_ROOM;
	if (told || job_phase(ask->job) != PHASE_PENDING)
		return;
	for (size_t i = 0; i < job_prefs(ask->job)->length; i++) {
		if (!explain_plan(ask->store, job_prefs(ask->job), i, &plan)[0])
			continue;
		add_plan(ask, i, REASON_PLAN_STATUS, out);
		return;
	}
}

static void add_selection(const struct job *job, struct explanation *out)
{
	if (!job_prefs(job)->is_list || !job_has_details(job))
		return;
	explain_add(out, "SelectedInstanceType", source_of(job), job->selected.set ? "%s" : NULL,
		    job->selected.instance_type);
}

static bool is_listed(const struct preferences *prefs, const char *type, size_t len)
{
	for (size_t i = 0; i < prefs->length; i++)
		if (strncmp(prefs->entries[i].instance_type, type, len) == 0 &&
		    prefs->entries[i].instance_type[len] == '\0')
			return true;
	return false;
}

/* Case 043: a message that names a type which the job does not ask for may be an old one. */
static void add_other_type(const struct job *job, const char *text, struct explanation *out)
{
	const char *type = text ? strstr(text, "ml.") : NULL;
	size_t len = type ? strspn(type, "abcdefghijklmnopqrstuvwxyz0123456789.-") : 0;
	while (len > 0 && type[len - 1] == '.')
		len--;
	if (len <= strlen("ml.") || len > NAME_MAX_BYTES || job_prefs(job)->length == 0 ||
	    is_listed(job_prefs(job), type, len))
		return;
	explain_add(out, "type in the message", "gpuq",
		    "%.*s, which this job does not ask for: the message may be an old one",
		    (int)len, type)
		->is_hint = true;
}

/* What an exit code means, as a remark of gpuq's own (case 013); that of want of capacity is the
 * sentence above. */
static void add_remark(const struct job *job, struct explanation *out)
{
	struct buf remark;
	if (reason_is_capacity(job))
		return;
	buf_init(&remark, REMARK_MAX);
	reason_add_remark(&remark, job);
	if (remark.len > 0)
		explain_add(out, "exit code", "gpuq's remark", "%s", buf_text(&remark))->is_hint =
			true;
	buf_release(&remark);
}

/* What the waits rest on is not as it should be: said, and nothing changes by it. */
static void add_odd_times(const struct explain_ask *ask, struct explanation *out)
{
	struct buf text;
	buf_init(&text, ODD_MAX);
	odd_times_add(&text, ask->job, ask->now_ms);
	for (size_t i = 0; i + 1 < text.len; i++)
		if (text.data[i] == '\n')
			text.data[i] = ';';
	if (text.len > 0)
		explain_add(out, "odd times", own_source, "%.*s", (int)text.len - 1, text.data);
	buf_release(&text);
}

/* AWS's own words, verbatim. */
static void add_words(const struct job *job, const struct explain_ruling *ruling,
		      struct explanation *out)
{
	if (ruling->reason != REASON_REASON)
		add_reason(job, false, out);
	add_remark(job, out);
	if (job->status_message && job->status_message[0]) {
		struct explain_fact *fact = explain_add(out, "StatusMessage", source_of(job), "%s",
							job->status_message);
		fact->at = newest_change(job);
		fact->is_hint = true;
	}
	add_other_type(job, job->failure_reason ? job->failure_reason : job->status_message, out);
}

void explain_add_evidence(const struct explain_ask *ask, const struct explain_ruling *ruling,
			  struct explanation *out)
{
	const struct job *job = ask->job;
	add_deciding(ask, ruling, out);
	if (ruling->reason != REASON_SECONDARY)
		add_secondary(job, NULL, out);
	if (ruling->reason != REASON_STATUS)
		add_status(job, NULL, out);
	add_selection(job, out);
	if (job->spot && ruling->reason != REASON_SPOT)
		explain_add(out, "EnableManagedSpotTraining", source_of(job), "true");
	if (job_has_ended(job) && ruling->reason != REASON_NO_START)
		add_time(job, names[job->kind].start, job->started, NULL, out);
	if (job_has_ended(job))
		add_time(job, names[job->kind].end, job->ended, NULL, out);
	if (job_has_ended(job) && job->billable.set)
		add_duration("BillableTimeInSeconds", source_of(job), job->billable.ms, NULL, out);
	add_waits(ask, ruling, out);
	add_first_plan(ask, ruling, out);
	add_odd_times(ask, out);
	add_words(job, ruling, out);
}

/* --- refused --- */

/* The limit that the text names, where it has the known form (case 037). */
static void add_quota(const struct explain_refusal *refusal, struct explanation *out)
{
	struct quota_refusal quota;
	if (out->class != EXPLAIN_QUOTA || !quota_refusal_parse(err_text(refusal->err), &quota))
		return;
	explain_add(out, "quota", "AWS's text", "%s: %" PRId64 " of %" PRId64 ", asked %" PRId64,
		    quota.name, quota.used, quota.limit, quota.asked)
		->is_hint = true;
}

void explain_add_refusal(const struct explain_ask *ask, struct explanation *out)
{
	const struct explain_refusal *refusal = ask->refusal;
	const struct err *err = refusal->err;
	const char *source = names[refusal->kind].create;
	const char *code = err->aws_code[0] ? err->aws_code : err_word(err->code);
	struct explain_fact *fact = explain_add(out, "ErrorCode", source, "%s", code);
	fact->at = refusal->at;
	fact->against = "another code from the same request, sent again";
	if (err->hint == HINT_NO_LISTS)
		explain_add(out, "InstanceType", "gpuq, from the request",
			    "not sent: the request has a list")
			->against = "a list that this endpoint has accepted";
	add_quota(refusal, out);
	fact = explain_add(out, "message", source, "%s", err_text(err));
	fact->at = refusal->at;
	fact->is_hint = true;
	if (err->request_id[0])
		explain_add(out, "request id", source, "%s", err->request_id)->at = refusal->at;
}
