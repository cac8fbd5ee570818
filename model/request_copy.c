/* A Create request made of what Describe tells of a job: what only Describe knows is left out, and
 * so is what says nothing and Create refuses. Every other byte stays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/check_rules.h"
#include "model/request_parts.h"
#include "model/shapes.h"

/* Members that only the reply of Describe has (service model, difference of the two shapes), and
 * Tags, which are written anew. */
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
/* Of the cluster: shared by both shapes, but read-only. */
static const char *const selected_members[] = { "SelectedInstanceType", "SelectedInstanceCount" };

static bool is_among(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return false;
}

bool request_is_reply_member(enum job_kind kind, const char *name)
{
	return kind == JOB_TRAINING
		       ? is_among(name, training_reply_members, ARRAY_LEN(training_reply_members))
		       : is_among(name, processing_reply_members,
				  ARRAY_LEN(processing_reply_members));
}

struct marking {
	const struct json_doc *doc;
	enum job_kind kind;
	size_t cluster;
	bool *drop; /* by node */
};

/* The model leaves the list's own limit to a rule; Create wants one entry at least. */
static bool wants_items(const struct shape *shape)
{
	return shape->type == SHAPE_LIST &&
	       ((shape->has_min && shape->min > 0) ||
		strcmp(shape->name, "InstancePreferenceList") == 0 ||
		strcmp(shape->name, "ProcessingInstancePreferenceList") == 0);
}

static bool only_reply_has(const struct marking *marking, size_t object, const char *key)
{
	if (object == 0)
		return request_is_reply_member(marking->kind, key);
	return object == marking->cluster &&
	       is_among(key, selected_members, ARRAY_LEN(selected_members));
}

/* shape NULL: nobody knows what stands there, and it stays as it is. */
static const struct shape *shape_below(const struct shape *shape, const char *key)
{
	if (shape->type != SHAPE_STRUCTURE)
		return shape->item; /* of a map or list */
	const struct shape_member *member = shape_find_member(shape, key);
	return member ? member->shape : NULL;
}

static void mark_below(const struct marking *marking, size_t node, const struct shape *shape);

/* Null means absent; a list without items, where one is wanted, too. */
static bool says_nothing(const struct marking *marking, size_t node, const struct shape *shape)
{
	const struct json_node *value = &marking->doc->nodes[node];
	if (value->kind == JSON_NULL)
		return true;
	return shape && value->kind == JSON_ARRAY && wants_items(shape) &&
	       json_doc_child(marking->doc, node) == JSON_NONE;
}

/* An object of which all is dropped would be one that Create refuses, or that says nothing. */
static bool is_emptied(const struct marking *marking, size_t node)
{
	const struct json_doc *doc = marking->doc;
	size_t child = json_doc_child(doc, node);
	if (doc->nodes[node].kind != JSON_OBJECT || child == JSON_NONE)
		return false;
	while (child != JSON_NONE && marking->drop[child])
		child = json_doc_next(doc, child);
	return child == JSON_NONE;
}

static void mark_member(const struct marking *marking, size_t object, size_t node, const char *key,
			const struct shape *shape)
{
	const struct shape *own = shape_below(shape, key);
	marking->drop[node] =
		only_reply_has(marking, object, key) || says_nothing(marking, node, own);
	if (marking->drop[node] || !own)
		return;
	mark_below(marking, node, own);
	marking->drop[node] = is_emptied(marking, node);
}

/* Marks the members that a copy does not carry. Depth is bounded by JSON_DEPTH_MAX. */
static void mark_below(const struct marking *marking, size_t node, const struct shape *shape)
{
	const struct json_doc *doc = marking->doc;
	bool object = doc->nodes[node].kind == JSON_OBJECT;
	struct buf key;
	buf_init(&key, JSON_TEXT_MAX);
	for (size_t child = json_doc_child(doc, node); child != JSON_NONE;
	     child = json_doc_next(doc, child)) {
		buf_clear(&key);
		(void)json_doc_key(doc, child, &key);
		if (object)
			mark_member(marking, node, child, buf_text(&key), shape);
		else if (shape->item)
			mark_below(marking, child, shape->item);
	}
	buf_release(&key);
}

static bool drop_reply_members(struct request *request, struct err *err)
{
	struct json_doc doc = { 0 };
	bool ok = request_parse(request, &doc, err);
	if (ok) {
		struct buf out;
		const struct marking marking = {
			.doc = &doc,
			.kind = request->kind,
			.cluster = json_doc_path(&doc, check_cluster_path(request->kind)),
			.drop = mem_new(doc.count, sizeof(bool)),
		};
		buf_init(&out, JSON_TEXT_MAX);
		mark_below(&marking, 0, shape_of_request(request->kind));
		ok = json_edit_prune(&doc, marking.drop, &out) ||
		     err_set(err, ERR_TOO_BIG, "what Describe told is too large");
		free(request->text);
		request->text = buf_take(&out);
		free(marking.drop);
	}
	json_doc_release(&doc);
	return ok;
}

bool request_from_describe(struct request *request, enum job_kind kind, const char *describe,
			   const char *new_name, struct err *err)
{
	struct request made = { .kind = kind, .text = mem_copy_text(describe ? describe : "") };
	if (!drop_reply_members(&made, err) || !request_set_name(&made, new_name, err)) {
		request_release(&made);
		return false;
	}
	request_release(request);
	*request = made;
	return true;
}

bool request_has_tags(const struct request *request)
{
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	bool has =
		request_parse(request, &doc, &err) && json_doc_member(&doc, 0, "Tags") != JSON_NONE;
	json_doc_release(&doc);
	err_clear(&err);
	return has;
}

bool request_tag_is_kept(const char *key)
{
	return strncasecmp(key, "aws:", 4) != 0;
}

static void add_tag(struct buf *out, const struct tag *tag)
{
	(void)buf_addf(out, "%s{\"Key\":", out->len > 1 ? "," : "");
	text_add_json(out, tag->key);
	(void)buf_add_text(out, ",\"Value\":");
	text_add_json(out, tag->value);
	(void)buf_add_char(out, '}');
}

bool request_set_tags(struct request *request, const struct tag *tags, size_t count,
		      struct err *err)
{
	struct buf value;
	bool any = false;
	buf_init(&value, JSON_TEXT_MAX);
	(void)buf_add_char(&value, '[');
	for (size_t i = 0; i < count; i++) {
		if (!request_tag_is_kept(tags[i].key))
			continue;
		add_tag(&value, &tags[i]);
		any = true;
	}
	(void)buf_add_char(&value, ']');
	const struct json_change change = { "Tags", any ? buf_text(&value) : NULL };
	bool ok = request_change_member(request, "", &change, err);
	buf_release(&value);
	return ok;
}
