#include "model/request.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/check_rules.h"
#include "model/jsonedit.h"
#include "model/request_parts.h"

/* Members that only the reply of Describe has (service model, difference of the two shapes), and
 * Tags, which copies never carry. */
static const char *const training_reply_members[] = {
	"AutoMLJobArn",
	"BillableTimeInSeconds",
	"BillableTokenCount",
	"CreationTime",
	"DebugRuleEvaluationStatuses",
	"FailureReason",
	"FinalMetricDataList",
	"LabelingJobArn",
	"LastModifiedTime",
	"MlflowDetails",
	"ModelArtifacts",
	"OutputModelPackageArn",
	"ProfilerRuleEvaluationStatuses",
	"ProfilingStatus",
	"ProgressInfo",
	"ResponseMetadata",
	"SecondaryStatus",
	"SecondaryStatusTransitions",
	"Tags",
	"TrainingEndTime",
	"TrainingJobArn",
	"TrainingJobStatus",
	"TrainingStartTime",
	"TrainingTimeInSeconds",
	"TuningJobArn",
	"WarmPoolStatus",
};
static const char *const processing_reply_members[] = {
	"AutoMLJobArn",        "CreationTime",          "ExitMessage",       "FailureReason",
	"LastModifiedTime",    "MonitoringScheduleArn", "ProcessingEndTime", "ProcessingJobArn",
	"ProcessingJobStatus", "ProcessingStartTime",   "ResponseMetadata",  "Tags",
	"TrainingJobArn",
};

bool request_is_reply_member(enum job_kind kind, const char *name)
{
	bool training = kind == JOB_TRAINING;
	const char *const *names = training ? training_reply_members : processing_reply_members;
	size_t count =
		training ? ARRAY_LEN(training_reply_members) : ARRAY_LEN(processing_reply_members);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return false;
}

void request_release(struct request *request)
{
	if (!request)
		return;
	free(request->text);
	*request = (struct request){ 0 };
}

bool request_parse(const struct request *request, struct json_doc *doc, struct err *err)
{
	const char *text = request->text ? request->text : "";
	if (!json_doc_parse(doc, text, strlen(text), err))
		return false;
	if (doc->nodes[0].kind == JSON_OBJECT)
		return true;
	return err_set(err, ERR_PARSE, "the request is not a JSON object");
}

bool request_apply(struct request *request, const struct json_doc *doc,
		   const struct json_edit *edit, struct err *err)
{
	struct buf out;
	buf_init(&out, JSON_TEXT_MAX);
	if (!json_edit_apply(doc, edit, &out)) {
		buf_release(&out);
		return err_set(err, ERR_TOO_BIG, "the request would be larger than %u bytes",
			       JSON_TEXT_MAX);
	}
	free(request->text);
	request->text = buf_take(&out);
	return true;
}

bool request_change_member(struct request *request, const char *path,
			   const struct json_change *change, struct err *err)
{
	struct json_doc doc = { 0 };
	bool ok = request_parse(request, &doc, err);
	if (ok) {
		const struct json_edit edit = {
			.object = path[0] ? json_doc_path(&doc, path) : 0,
			.changes = change,
			.count = 1,
		};
		ok = request_apply(request, &doc, &edit, err);
	}
	json_doc_release(&doc);
	return ok;
}

/* One step of request_need_object: path is there or becomes "{}"; its parent is there. */
static bool need_step(struct request *request, const char *parent, const char *name,
		      const char *path, struct err *err)
{
	struct json_doc doc = { 0 };
	if (!request_parse(request, &doc, err)) {
		json_doc_release(&doc);
		return false;
	}
	size_t node = json_doc_path(&doc, path);
	bool absent = node == JSON_NONE || doc.nodes[node].kind == JSON_NULL;
	bool fits = absent || doc.nodes[node].kind == JSON_OBJECT;
	json_doc_release(&doc);
	if (!fits) {
		err->hint = HINT_FIX_REQUEST;
		return err_set(err, ERR_RULE, "%s must be an object", path);
	}
	const struct json_change add = { .name = name, .value = "{}" };
	return !absent || request_change_member(request, parent, &add, err);
}

bool request_need_object(struct request *request, const char *path, struct err *err)
{
	const char *dot = strchr(path, '.');
	char parent[CHECK_PATH_SIZE];
	if (!dot)
		return need_step(request, "", path, path, err);
	(void)snprintf(parent, sizeof(parent), "%.*s", (int)(dot - path), path);
	return need_step(request, "", parent, parent, err) &&
	       need_step(request, parent, dot + 1, path, err);
}

bool request_set_name(struct request *request, const char *name, struct err *err)
{
	struct buf value;
	buf_init(&value, JSON_TEXT_MAX);
	text_add_json(&value, name);
	const struct json_change change = { check_name_member(request->kind), buf_text(&value) };
	bool ok = request_change_member(request, "", &change, err);
	buf_release(&value);
	return ok;
}

bool request_set_max_pending(struct request *request, int64_t seconds, struct err *err)
{
	char value[32];
	if (request->kind == JOB_PROCESSING)
		return err_set(err, ERR_USAGE, "a processing job has no limit of its pending time");
	(void)snprintf(value, sizeof(value), "%" PRId64, seconds);
	const struct json_change change = { "MaxPendingTimeInSeconds", value };
	return request_need_object(request, "StoppingCondition", err) &&
	       request_change_member(request, "StoppingCondition", &change, err);
}

bool request_drop_max_pending(struct request *request, struct err *err)
{
	struct json_doc doc = { 0 };
	const struct json_change drop = { "MaxPendingTimeInSeconds", NULL };
	bool ok = request_parse(request, &doc, err);
	bool there =
		ok && json_doc_path(&doc, "StoppingCondition.MaxPendingTimeInSeconds") != JSON_NONE;
	json_doc_release(&doc);
	return ok && (!there || request_change_member(request, "StoppingCondition", &drop, err));
}

/* Marks what a copy does not carry: members of the reply, and nulls, which mean absent. */
static void mark_dropped(const struct json_doc *doc, enum job_kind kind, bool *drop)
{
	struct buf key;
	buf_init(&key, JSON_TEXT_MAX);
	for (size_t node = json_doc_child(doc, 0); node != JSON_NONE;
	     node = json_doc_next(doc, node)) {
		buf_clear(&key);
		(void)json_doc_key(doc, node, &key);
		drop[node] = doc->nodes[node].kind == JSON_NULL ||
			     request_is_reply_member(kind, buf_text(&key));
	}
	buf_release(&key);
}

static bool drop_reply_members(struct request *request, struct err *err)
{
	struct json_doc doc = { 0 };
	bool ok = request_parse(request, &doc, err);
	if (ok) {
		bool *drop = mem_new(doc.count, sizeof(*drop));
		mark_dropped(&doc, request->kind, drop);
		const struct json_edit edit = { .object = 0, .drop = drop };
		ok = request_apply(request, &doc, &edit, err);
		free(drop);
	}
	json_doc_release(&doc);
	return ok;
}

static bool drop_selected(struct request *request, struct err *err)
{
	static const struct json_change selected[] = { { "SelectedInstanceType", NULL },
						       { "SelectedInstanceCount", NULL } };
	struct json_doc doc = { 0 };
	bool ok = request_parse(request, &doc, err);
	size_t cluster = ok ? json_doc_path(&doc, check_cluster_path(request->kind)) : JSON_NONE;
	if (cluster != JSON_NONE && doc.nodes[cluster].kind == JSON_OBJECT) {
		const struct json_edit edit = { .object = cluster,
						.changes = selected,
						.count = ARRAY_LEN(selected) };
		ok = request_apply(request, &doc, &edit, err);
	}
	json_doc_release(&doc);
	return ok;
}

bool request_from_describe(struct request *request, enum job_kind kind, const char *describe,
			   const char *new_name, struct err *err)
{
	struct request made = { .kind = kind, .text = mem_copy_text(describe ? describe : "") };
	if (!drop_reply_members(&made, err) || !drop_selected(&made, err) ||
	    !request_set_name(&made, new_name, err)) {
		request_release(&made);
		return false;
	}
	request_release(request);
	*request = made;
	return true;
}
