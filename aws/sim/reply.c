#include "aws/sim/reply.h"

#include <string.h>

#include "aws/sim/emit.h"
#include "aws/sim/random.h"
#include "aws/sim/tags.h"
#include "model/base/attr.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"
#include "model/base/text.h"

#define SECOND_MS INT64_C(1000)
#define HOUR_MS   (3600 * SECOND_MS)

/* The names that differ between the two kinds of job. */
static const struct {
	const char *request, *name, *arn, *status, *start, *end;
} words[] = {
	[SIM_TRAINING] = { "CreateTrainingJobRequest", "TrainingJobName", "TrainingJobArn",
			   "TrainingJobStatus", "TrainingStartTime", "TrainingEndTime" },
	[SIM_PROCESSING] = { "CreateProcessingJobRequest", "ProcessingJobName", "ProcessingJobArn",
			     "ProcessingJobStatus", "ProcessingStartTime", "ProcessingEndTime" },
};

static const char *const training_skipped[] = { "TrainingJobName", "Tags", "SessionChainingConfig",
						"ResourceConfig", NULL };
static const char *const cluster_skipped[] = { "KeepAlivePeriodInSeconds", NULL };
/* Search has the tags, but not what came to Describe later. */
static const char *const search_skipped[] = { "TrainingJobName",       "Tags",
					      "ResourceConfig",        "ServerlessJobConfig",
					      "InfraCheckConfig",      "ProfilerRuleConfigurations",
					      "MlflowConfig",          "RemoteDebugConfig",
					      "SessionChainingConfig", NULL };
static const char *const processing_skipped[] = { "ProcessingJobName", "Tags",
						  "ProcessingResources", NULL };

/* AWS writes null for some members that have no value, and leaves out others: so every third job
 * has its nulls written. */
static void emit_null(struct buf *out, const struct sim_job *job, const char *name)
{
	if (job->number % 3 != 2)
		return;
	sim_emit_key(out, name);
	buf_add_text(out, "null");
}

static void emit_opt_text(struct buf *out, const struct sim_job *job, const char *name,
			  const char *text)
{
	if (text)
		sim_emit_text(out, name, text);
	else
		emit_null(out, job, name);
}

static void emit_opt_time(struct buf *out, const struct sim_job *job, const char *name,
			  struct opt_ms time)
{
	if (time.set)
		sim_emit_time(out, name, time.ms);
	else
		emit_null(out, job, name);
}

static void emit_warm_pool(const struct sim_job *job, struct buf *out)
{
	const char *word = sim_warm_word(job);
	if (!word) {
		emit_null(out, job, "WarmPoolStatus");
		return;
	}
	sim_emit_key(out, "WarmPoolStatus");
	buf_add_char(out, '{');
	sim_emit_text(out, "Status", word);
	if (job->ended.set)
		sim_emit_integer(out, "ResourceRetainedBillableTimeInSeconds",
				 sim_warm_seconds(job));
	if (strcmp(word, "Reused") == 0)
		sim_emit_text(out, "ReusedByJob", job->warm_next->order.name);
	buf_add_char(out, '}');
}

static void emit_identity(const struct sim_job *job, struct buf *out)
{
	enum sim_job_kind kind = job->order.kind;
	sim_emit_text(out, words[kind].name, job->order.name);
	sim_emit_text(out, words[kind].arn, job->arn);
	sim_emit_time(out, "CreationTime", job->created_ms);
	emit_opt_time(out, job, words[kind].end, job->ended);
	sim_emit_time(out, "LastModifiedTime", job->modified_ms);
	sim_emit_text(out, words[kind].status, sim_job_status_word(job));
	sim_emit_text(out, "SecondaryStatus", job->secondary);
	if (kind == SIM_TRAINING)
		emit_warm_pool(job, out);
}

/* The plan that the job runs on, or NULL. */
static const struct sim_plan *plan_of(const struct sim_world *world, const struct sim_job *job)
{
	if (job->selected == SIM_NOWHERE)
		return NULL;
	int plan = job->order.entries[job->selected].plan;
	return plan == SIM_NOWHERE ? NULL : &world->plans[plan];
}

void sim_reply_summary(const struct sim_world *world, const struct sim_job *truth, struct buf *out)
{
	struct sim_job seen;
	const struct sim_job *job = &seen;
	if (!sim_job_as_of(truth, world->now_ms, &seen))
		return;
	buf_add_char(out, '{');
	emit_identity(job, out);
	if (job->order.kind == SIM_PROCESSING) {
		emit_opt_text(out, job, "FailureReason", job->failure_reason);
		emit_opt_text(out, job, "ExitMessage", job->exit_message);
	} else {
		const struct sim_plan *plan = plan_of(world, job);
		emit_opt_text(out, job, "TrainingPlanArn", plan ? plan->arn : NULL);
	}
	buf_add_char(out, '}');
}

static void emit_transitions(const struct sim_job *job, struct buf *out)
{
	sim_emit_key(out, "SecondaryStatusTransitions");
	buf_add_char(out, '[');
	for (size_t i = 0; i < job->transition_count; i++) {
		const struct sim_transition *transition = &job->transitions[i];
		sim_emit_comma(out);
		buf_add_char(out, '{');
		sim_emit_text(out, "Status", transition->status);
		sim_emit_time(out, "StartTime", transition->start.ms);
		/* As of a time in between, the last one was open. */
		if (i + 1 < job->transition_count || job->ended.set)
			emit_opt_time(out, job, "EndTime", transition->end);
		else
			emit_null(out, job, "EndTime");
		sim_emit_text(out, "StatusMessage", transition->message);
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}

/* The cluster as it was asked for, and the choice beside it where it is a list. */
static void emit_cluster(const struct sim_world *world, const struct sim_job *job,
			 const struct json_doc *doc, size_t node, const char *shape,
			 struct buf *out)
{
	buf_add_char(out, '{');
	if (node != JSON_NONE)
		sim_emit_members(out, doc, node, sim_shape_named(shape), cluster_skipped);
	/* UpdateTrainingJob may have changed it. */
	if (job->order.keep_alive_ms > 0)
		sim_emit_integer(out, "KeepAlivePeriodInSeconds",
				 job->order.keep_alive_ms / SECOND_MS);
	if (job->order.list && job->selected != SIM_NOWHERE) {
		const struct sim_entry *entry = &job->order.entries[job->selected];
		sim_emit_text(out, "SelectedInstanceType", world->pools[entry->pool].instance_type);
		sim_emit_integer(out, "SelectedInstanceCount", entry->count);
	} else if (job->order.list) {
		emit_null(out, job, "SelectedInstanceType");
		emit_null(out, job, "SelectedInstanceCount");
	}
	buf_add_char(out, '}');
}

static void emit_bill(const struct sim_world *world, const struct sim_job *job, struct buf *out)
{
	if (!job->ended.set)
		return;
	int64_t seconds = sim_job_held_ms(job, world->now_ms) / SECOND_MS;
	sim_emit_integer(out, "TrainingTimeInSeconds", seconds);
	/* Spot is billed at about a third; SageMaker reports that as fewer seconds. */
	sim_emit_integer(out, "BillableTimeInSeconds",
			 job->order.spot ? seconds * 3 / 10 : seconds);
}

/* The last values of what the job defines. */
static void emit_final_metrics(const struct sim_world *world, const struct sim_job *job,
			       const struct json_doc *doc, struct buf *out)
{
	size_t list = json_doc_path(doc, "AlgorithmSpecification.MetricDefinitions");
	if (!job->started.set || !job->ended.set || json_doc_length(doc, list) == 0)
		return;
	sim_emit_key(out, "FinalMetricDataList");
	buf_add_char(out, '[');
	for (size_t at = json_doc_child(doc, list); at != JSON_NONE; at = json_doc_next(doc, at)) {
		struct buf name;
		buf_init(&name, JSON_TEXT_MAX);
		(void)json_doc_string(doc, json_doc_member(doc, at, "Name"), &name);
		uint64_t luck = sim_random_for(world->options.seed ^ job->number, buf_text(&name));
		sim_emit_comma(out);
		buf_add_char(out, '{');
		sim_emit_text(out, "MetricName", buf_text(&name));
		sim_emit_key(out, "Value");
		buf_addf(out, "%.6g", (double)sim_random_between(&luck, 1, 999999) / 1e6);
		sim_emit_time(out, "Timestamp", job->ended.ms - 30 * SECOND_MS);
		buf_add_char(out, '}');
		buf_release(&name);
	}
	buf_add_char(out, ']');
}

static void emit_artifacts(const struct sim_job *job, const struct json_doc *doc, struct buf *out)
{
	struct buf path;
	buf_init(&path, JSON_TEXT_MAX);
	size_t node = json_doc_path(doc, "OutputDataConfig.S3OutputPath");
	if (node != JSON_NONE)
		(void)json_doc_string(doc, node, &path);
	buf_addf(&path, "/%s/output/model.tar.gz", job->order.name);
	sim_emit_key(out, "ModelArtifacts");
	buf_add_char(out, '{');
	sim_emit_text(out, "S3ModelArtifacts", buf_text(&path));
	buf_add_char(out, '}');
	buf_release(&path);
}

/* Who the job belongs to. */
static void emit_owners(const struct sim_world *world, const struct sim_job *job, struct buf *out)
{
	if (job->order.tuning_len > 0) {
		sim_emit_key(out, "TuningJobArn");
		buf_addf(out, "\"arn:aws:sagemaker:%s:%s:hyper-parameter-tuning-job/%.*s\"",
			 world->region, world->account, (int)job->order.tuning_len,
			 job->order.name);
	} else {
		emit_null(out, job, "TuningJobArn");
	}
	emit_null(out, job, "LabelingJobArn");
	emit_null(out, job, "AutoMLJobArn");
}

static void describe_training(const struct sim_world *world, const struct sim_job *job,
			      const struct json_doc *doc, const char *const *skipped,
			      struct buf *out)
{
	emit_owners(world, job, out);
	emit_artifacts(job, doc, out);
	emit_opt_time(out, job, "TrainingStartTime", job->started);
	emit_opt_text(out, job, "FailureReason", job->failure_reason);
	size_t node = json_doc_member(doc, 0, "ResourceConfig");
	if (node != JSON_NONE) {
		sim_emit_key(out, "ResourceConfig");
		emit_cluster(world, job, doc, node, "ResourceConfig", out);
	}
	emit_transitions(job, out);
	emit_bill(world, job, out);
	emit_final_metrics(world, job, doc, out);
	sim_emit_members(out, doc, 0, sim_shape_named(words[SIM_TRAINING].request), skipped);
}

static void describe_processing(const struct sim_world *world, const struct sim_job *job,
				const struct json_doc *doc, struct buf *out)
{
	emit_opt_time(out, job, "ProcessingStartTime", job->started);
	emit_opt_text(out, job, "FailureReason", job->failure_reason);
	emit_opt_text(out, job, "ExitMessage", job->exit_message);
	emit_null(out, job, "AutoMLJobArn");
	emit_null(out, job, "MonitoringScheduleArn");
	emit_null(out, job, "TrainingJobArn");
	sim_emit_key(out, "ProcessingResources");
	buf_add_text(out, "{\"ClusterConfig\":");
	emit_cluster(world, job, doc, json_doc_path(doc, "ProcessingResources.ClusterConfig"),
		     "ProcessingClusterConfig", out);
	buf_add_char(out, '}');
	sim_emit_members(out, doc, 0, sim_shape_named(words[SIM_PROCESSING].request),
			 processing_skipped);
}

void sim_reply_describe(const struct sim_world *world, const struct sim_job *truth, struct buf *out)
{
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	struct sim_job seen;
	const struct sim_job *job = &seen;
	if (!sim_job_as_of(truth, world->now_ms, &seen))
		return;
	buf_add_char(out, '{');
	emit_identity(job, out);
	if (json_doc_parse(&doc, job->request, job->request_len, &err)) {
		if (job->order.kind == SIM_TRAINING)
			describe_training(world, job, &doc, training_skipped, out);
		else
			describe_processing(world, job, &doc, out);
	}
	buf_add_char(out, '}');
	json_doc_release(&doc);
	err_clear(&err);
}

void sim_reply_record(const struct sim_world *world, const struct sim_job *job, struct buf *out)
{
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	sim_emit_comma(out);
	buf_add_text(out, "{\"TrainingJob\":{");
	emit_identity(job, out);
	if (json_doc_parse(&doc, job->request, job->request_len, &err))
		describe_training(world, job, &doc, search_skipped, out);
	sim_tags_emit(job, out);
	buf_add_text(out, "}}");
	json_doc_release(&doc);
	err_clear(&err);
}

const char *sim_plan_status_word(enum sim_plan_state state)
{
	static const char *const names[] = {
		[SIM_PLAN_SCHEDULED] = "Scheduled",
		[SIM_PLAN_ACTIVE] = "Active",
		/* Between two windows the plan is as good as not begun. */
		[SIM_PLAN_BETWEEN] = "Scheduled",
		[SIM_PLAN_EXPIRED] = "Expired",
	};
	return names[state];
}

static void emit_windows(const struct sim_world *world, const struct sim_plan *plan,
			 struct buf *out)
{
	sim_emit_key(out, "ReservedCapacitySummaries");
	buf_add_char(out, '[');
	for (size_t i = 0; i < plan->window_count; i++) {
		const struct sim_window *window = &plan->windows[i];
		bool over = world->now_ms >= window->end_ms;
		bool begun = world->now_ms >= window->start_ms;
		sim_emit_comma(out);
		buf_add_char(out, '{');
		sim_emit_key(out, "ReservedCapacityArn");
		buf_addf(out, "\"arn:aws:sagemaker:%s:%s:reserved-capacity/%s-%zu\"", world->region,
			 world->account, plan->name, i + 1);
		sim_emit_text(out, "InstanceType", world->pools[plan->pool].instance_type);
		sim_emit_integer(out, "TotalInstanceCount", plan->total);
		sim_emit_text(out, "Status", over ? "Expired" : begun ? "Active" : "Scheduled");
		sim_emit_integer(out, "DurationHours",
				 (window->end_ms - window->start_ms) / HOUR_MS);
		sim_emit_integer(out, "DurationMinutes", 0);
		sim_emit_time(out, "StartTime", window->start_ms);
		sim_emit_time(out, "EndTime", window->end_ms);
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}

void sim_reply_plan(const struct sim_world *world, const struct sim_plan *plan, struct buf *out)
{
	const struct sim_window *first = &plan->windows[0];
	const struct sim_window *last = &plan->windows[plan->window_count - 1];
	buf_add_char(out, '{');
	sim_emit_text(out, "TrainingPlanArn", plan->arn);
	sim_emit_text(out, "TrainingPlanName", plan->name);
	sim_emit_text(out, "Status", sim_plan_status_word(sim_plan_state(plan, world->now_ms)));
	sim_emit_integer(out, "DurationHours", (last->end_ms - first->start_ms) / HOUR_MS);
	sim_emit_integer(out, "DurationMinutes", 0);
	sim_emit_time(out, "StartTime", first->start_ms);
	sim_emit_time(out, "EndTime", last->end_ms);
	sim_emit_key(out, "UpfrontFee");
	buf_addf(out, "\"%lld.00\"", (long long)plan->upfront_fee);
	sim_emit_text(out, "CurrencyCode", "USD");
	sim_emit_integer(out, "TotalInstanceCount", plan->total);
	sim_emit_integer(out, "AvailableInstanceCount", sim_plan_free(plan, world->now_ms));
	sim_emit_integer(out, "InUseInstanceCount", plan->in_use);
	sim_emit_key(out, "TargetResources");
	buf_add_text(out, "[\"training-job\"]");
	emit_windows(world, plan, out);
	buf_add_char(out, '}');
}

static void emit_selected(const struct sim_world *world, const struct sim_job *job, struct buf *out)
{
	sim_emit_key(out, "selected");
	if (job->selected == SIM_NOWHERE) {
		buf_add_text(out, "null");
		return;
	}
	const struct sim_entry *entry = &job->order.entries[job->selected];
	buf_add_char(out, '{');
	sim_emit_integer(out, "rank", job->selected + 1);
	sim_emit_text(out, "instance_type", world->pools[entry->pool].instance_type);
	sim_emit_integer(out, "instance_count", entry->count);
	const struct sim_plan *plan = plan_of(world, job);
	sim_emit_text(out, "training_plan_arn", plan ? plan->arn : NULL);
	buf_add_char(out, '}');
}

static void emit_iso(struct buf *out, const char *name, struct opt_ms time)
{
	char text[TIME_TEXT_SIZE];
	sim_emit_key(out, name);
	if (!time.set) {
		buf_add_text(out, "null");
		return;
	}
	time_format_iso(time.ms, text);
	text_add_json(out, text);
}

void sim_reply_state_job(const struct sim_world *world, const struct sim_job *job, struct buf *out)
{
	static const char *const kinds[] = {
		[SIM_TRAINING] = "training", [SIM_PROCESSING] = "processing"
	};
	buf_add_char(out, '{');
	sim_emit_text(out, "name", job->order.name);
	sim_emit_text(out, "kind", kinds[job->order.kind]);
	sim_emit_text(out, "status", sim_job_status_word(job));
	sim_emit_key(out, "secondary_status");
	if (job->secondary)
		text_add_json(out, job->secondary);
	else
		buf_add_text(out, "null");
	emit_iso(out, "created_at", (struct opt_ms){ true, job->created_ms });
	emit_iso(out, "ended_at", job->ended);
	emit_selected(world, job, out);
	sim_emit_key(out, "request");
	buf_add(out, job->request, job->request_len);
	buf_add_char(out, '}');
}
