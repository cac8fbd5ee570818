/* The class of a job, from its fields, times and plans; of a refusal, from its codes. */
#include <string.h>

#include "model/explain_parts.h"
#include "model/history_figures.h"
#include "model/reason.h"
#include "model/stretches.h"

static struct explain_ruling rule(enum explain_class class, bool certain,
				  enum explain_reason reason)
{
	return (struct explain_ruling){ class, certain, reason, 0 };
}

static bool is_word(const char *word, const char *known)
{
	return word && strcmp(word, known) == 0;
}

/* --- plans --- */

const char *explain_plan(const struct store *store, const struct preferences *prefs, size_t i,
			 const struct plan **plan)
{
	const char *arn = prefs_plan(prefs, i);
	*plan = arn[0] ? store_find_plan(store, arn) : NULL;
	if (arn[0] || !prefs_has_unplaced_plan(prefs))
		return arn;
	*plan = store_find_plan(store, prefs->job_plan_arn);
	if (*plan && strcmp((*plan)->instance_type, prefs->entries[i].instance_type) == 0)
		return prefs->job_plan_arn;
	*plan = NULL;
	return "";
}

static enum plan_bar bar_of(const struct plan *plan, bool has_count, int64_t count, int64_t now_ms)
{
	switch (plan_state(plan, now_ms)) {
	case PLAN_PENDING:
	case PLAN_SCHEDULED:
		return PLAN_BAR_SCHEDULED;
	case PLAN_BETWEEN:
		return PLAN_BAR_BETWEEN;
	case PLAN_EXPIRED:
	case PLAN_FAILED:
		return PLAN_BAR_OVER;
	case PLAN_ACTIVE:
		if (!plan->available.set)
			return PLAN_BAR_UNTOLD;
		return plan->available.n >= (has_count ? count : 1) ? PLAN_BAR_OPEN : PLAN_BAR_FULL;
	default:
		return PLAN_BAR_UNTOLD;
	}
}

enum plan_bar explain_bar(const struct store *store, const struct preferences *prefs, size_t i,
			  int64_t now_ms)
{
	const struct plan *plan;
	int64_t count = 0;
	bool has_count = prefs_count(prefs, i, &count);
	if (!explain_plan(store, prefs, i, &plan)[0])
		return PLAN_BAR_NONE;
	return plan ? bar_of(plan, has_count, count, now_ms) : PLAN_BAR_UNTOLD;
}

/* --- pending --- */

int64_t explain_stretch_ms(const struct job *job, int64_t now_ms)
{
	struct stretch all[STRETCHES_MAX];
	size_t count = stretches_of(job, now_ms, all);
	return count > 0 ? all[count - 1].end_ms - all[count - 1].start_ms : 0;
}

/* The first entry in rank order whose plan tells why it is closed, of a job whose entries all have
 * one. */
static struct explain_ruling judge_plans(const struct store *store, const struct job *job,
					 int64_t now_ms)
{
	static const struct explain_ruling rulings[] = {
		[PLAN_BAR_SCHEDULED] = { EXPLAIN_PLAN_SCHEDULED, true, REASON_PLAN_STATUS, 0 },
		[PLAN_BAR_BETWEEN] = { EXPLAIN_PLAN_BETWEEN, true, REASON_PLAN_WINDOWS, 0 },
		[PLAN_BAR_FULL] = { EXPLAIN_PLAN_FULL, true, REASON_PLAN_ROOM, 0 },
		[PLAN_BAR_OVER] = { EXPLAIN_UNKNOWN, false, REASON_PLAN_STATUS, 0 },
		[PLAN_BAR_OPEN] = { EXPLAIN_UNKNOWN, false, REASON_PLAN_ROOM, 0 },
		[PLAN_BAR_UNTOLD] = { EXPLAIN_UNKNOWN, false, REASON_PLAN_STATUS, 0 },
	};
	size_t entry = 0;
	for (size_t i = 0; i < job_prefs(job)->length; i++) {
		enum plan_bar bar = explain_bar(store, job_prefs(job), i, now_ms);
		if (rulings[bar].class != EXPLAIN_UNKNOWN) {
			entry = i;
			break;
		}
	}
	struct explain_ruling ruling = rulings[explain_bar(store, job_prefs(job), entry, now_ms)];
	ruling.entry = entry;
	return ruling;
}

static bool is_all_on_plans(const struct store *store, const struct job *job)
{
	const struct plan *plan;
	for (size_t i = 0; i < job_prefs(job)->length; i++)
		if (!explain_plan(store, job_prefs(job), i, &plan)[0])
			return false;
	return job_prefs(job)->length > 0;
}

/* Pending is the word for want of capacity alone; the other words also stand for a launch, which
 * takes minutes where all is free (WAIT_AT_ONCE_MS). Interrupted is EC2 taking spot instances. */
static struct explain_ruling judge_on_demand(const struct job *job, int64_t now_ms)
{
	const char *word = job->secondary_status;
	enum explain_class wanted = job->spot ? EXPLAIN_SPOT : EXPLAIN_CAPACITY;
	enum explain_reason reason = job->spot ? REASON_SPOT : REASON_SECONDARY;
	bool is_long = explain_stretch_ms(job, now_ms) > WAIT_AT_ONCE_MS;
	if (is_word(word, "Interrupted"))
		return job->spot ? rule(EXPLAIN_SPOT, true, REASON_SECONDARY)
				 : rule(EXPLAIN_UNKNOWN, false, REASON_SECONDARY);
	if (is_word(word, "Pending"))
		return rule(wanted, true, reason);
	if (is_long && (is_word(word, "Starting") || is_word(word, "LaunchingMLInstances")))
		return rule(wanted, false, reason);
	return rule(EXPLAIN_UNKNOWN, false, REASON_SECONDARY);
}

static struct explain_ruling judge_pending(const struct store *store, const struct job *job,
					   int64_t now_ms)
{
	if (job->kind == JOB_PROCESSING)
		return rule(EXPLAIN_UNKNOWN, false, REASON_NO_START);
	if (!job_has_details(job))
		return rule(EXPLAIN_UNKNOWN, false, REASON_NOT_READ);
	if (is_all_on_plans(store, job))
		return judge_plans(store, job, now_ms);
	struct explain_ruling ruling = judge_on_demand(job, now_ms);
	/* The plan of the whole job may serve the one entry there is a doubt about. */
	if (prefs_has_unplaced_plan(job_prefs(job)) &&
	    !store_find_plan(store, job_prefs(job)->job_plan_arn))
		ruling.certain = false;
	return ruling;
}

/* --- starting --- */

static struct explain_ruling judge_starting(const struct job *job)
{
	if (is_word(job->secondary_status, "DownloadingTrainingImage"))
		return rule(EXPLAIN_IMAGE, true, REASON_SECONDARY);
	if (is_word(job->secondary_status, "Downloading"))
		return rule(EXPLAIN_DATA, true, REASON_SECONDARY);
	return rule(EXPLAIN_UNKNOWN, false, REASON_SECONDARY);
}

/* --- ended --- */

static bool ran_to_limit(const struct job *job)
{
	int64_t ran_ms;
	return job->started.set && job->ended.set && job->max_runtime.set &&
	       job->max_runtime.ms > 0 &&
	       !__builtin_sub_overflow(job->ended.ms, job->started.ms, &ran_ms) &&
	       ran_ms >= job->max_runtime.ms;
}

/* Case 075: the two signs of a want of capacity; case 060: what never had a machine. */
static struct explain_ruling judge_stopped(const struct job *job, int64_t now_ms)
{
	const char *word = job->secondary_status;
	if (is_word(word, "MaxRuntimeExceeded"))
		return rule(EXPLAIN_LIMIT_RUNTIME, true, REASON_SECONDARY);
	if (is_word(word, "MaxPendingTimeExceeded"))
		return rule(EXPLAIN_CAPACITY, true, REASON_SECONDARY);
	if (is_word(word, "MaxWaitTimeExceeded"))
		return job->started.set ? rule(EXPLAIN_LIMIT_RUNTIME, false, REASON_SECONDARY)
					: rule(EXPLAIN_CAPACITY, true, REASON_SECONDARY);
	if (history_timed_out(job, now_ms))
		return rule(EXPLAIN_CAPACITY, false, REASON_LIMIT);
	if (job_never_started(job))
		return rule(EXPLAIN_NEVER_STARTED, true, REASON_NO_START);
	if (ran_to_limit(job))
		return rule(EXPLAIN_LIMIT_RUNTIME, false, REASON_RUN_TIME);
	if (!job->described)
		return rule(EXPLAIN_UNKNOWN, false, REASON_NOT_READ);
	return rule(EXPLAIN_STOPPED, true, REASON_STATUS);
}

static struct explain_ruling judge_failed(const struct job *job)
{
	if (reason_is_capacity(job))
		return rule(EXPLAIN_CAPACITY, true, REASON_REASON);
	if (is_word(job->secondary_status, "MaxRuntimeExceeded"))
		return rule(EXPLAIN_LIMIT_RUNTIME, true, REASON_SECONDARY);
	if (job_never_started(job))
		return rule(EXPLAIN_NEVER_STARTED, true, REASON_NO_START);
	return rule(EXPLAIN_FAILED, true, REASON_STATUS);
}

struct explain_ruling explain_judge(const struct store *store, const struct job *job,
				    int64_t now_ms)
{
	switch (job_phase(job)) {
	case PHASE_PENDING:
		return judge_pending(store, job, now_ms);
	case PHASE_STARTING:
		return judge_starting(job);
	case PHASE_RUNNING:
		return rule(EXPLAIN_RUNNING, true,
			    job->kind == JOB_TRAINING ? REASON_SECONDARY : REASON_STATUS);
	case PHASE_STOPPING:
		return rule(EXPLAIN_STOPPING, true, REASON_STATUS);
	case PHASE_COMPLETED:
		return rule(EXPLAIN_COMPLETED, true, REASON_STATUS);
	case PHASE_FAILED:
		return judge_failed(job);
	case PHASE_STOPPED:
		return judge_stopped(job, now_ms);
	default:
		break;
	}
	return rule(EXPLAIN_UNKNOWN, false,
		    is_word(job->status, "InProgress") && job->secondary_status ? REASON_SECONDARY
										: REASON_STATUS);
}

enum explain_class explain_class(const struct store *store, const struct job *job, int64_t now_ms,
				 bool *certain)
{
	struct explain_ruling ruling = explain_judge(store, job, now_ms);
	*certain = ruling.certain;
	return ruling.class;
}

/* --- refused --- */

enum explain_class explain_judge_refusal(const struct err *err)
{
	static const struct {
		const char *aws_code;
		enum explain_class class;
	} codes[] = {
		{ "ResourceLimitExceeded", EXPLAIN_QUOTA },
		{ "ServiceQuotaExceededException", EXPLAIN_QUOTA },
		{ "UnknownOperationException", EXPLAIN_UNSUPPORTED },
		{ "UnsupportedOperationException", EXPLAIN_UNSUPPORTED },
		{ "UnsupportedOperation", EXPLAIN_UNSUPPORTED },
		{ "InvalidAction", EXPLAIN_UNSUPPORTED },
		{ "OptInRequired", EXPLAIN_UNSUPPORTED },
	};
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (strcmp(err->aws_code, codes[i].aws_code) == 0)
			return codes[i].class;
	/* The request has a list and no type, and the answer misses the type. */
	if (err->hint == HINT_NO_LISTS)
		return EXPLAIN_UNSUPPORTED;
	if (err->code == ERR_DENIED || err->code == ERR_AUTH)
		return EXPLAIN_PERMISSION;
	if (err->code == ERR_REFUSED || err->code == ERR_CONFLICT || err->code == ERR_RULE)
		return EXPLAIN_REQUEST;
	return EXPLAIN_UNKNOWN;
}
