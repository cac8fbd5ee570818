/* What a request says: its name, its list and what stands beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/check_rules.h"
#include "model/request.h"
#include "model/request_parts.h"

#define SECONDS_MAX (INT64_MAX / 1000)

/* The decoded string of a node, cut to the field; false if it is none. */
static bool read_string(const struct json_doc *doc, size_t node, char *field, size_t size)
{
	struct buf value;
	field[0] = '\0';
	buf_init(&value, JSON_TEXT_MAX);
	bool ok = json_doc_string(doc, node, &value);
	if (ok)
		(void)snprintf(field, size, "%s", buf_text(&value));
	buf_release(&value);
	return ok;
}

static void read_seconds(const struct json_doc *doc, const char *path, struct opt_ms *duration)
{
	int64_t seconds;
	if (!json_doc_integer(doc, json_doc_path(doc, path), &seconds) || seconds > SECONDS_MAX ||
	    seconds < -SECONDS_MAX)
		return;
	duration->set = true;
	duration->ms = seconds * 1000;
}

static void read_entry(const struct json_doc *doc, size_t node, struct preference *entry)
{
	(void)read_string(doc, json_doc_member(doc, node, "InstanceType"), entry->instance_type,
			  sizeof(entry->instance_type));
	entry->has_count =
		json_doc_integer(doc, json_doc_member(doc, node, "InstanceCount"), &entry->count);
	size_t plans = json_doc_member(doc, node, "TrainingPlanArns");
	(void)read_string(doc, json_doc_child(doc, plans), entry->plan_arn,
			  sizeof(entry->plan_arn));
	(void)read_string(doc, json_doc_member(doc, node, "InstanceGroupName"), entry->group,
			  sizeof(entry->group));
}

static void note_plans(const struct json_doc *doc, size_t node, size_t index,
		       struct request_facts *facts)
{
	size_t plans = json_doc_length(doc, json_doc_member(doc, node, "TrainingPlanArns"));
	if (plans > 1 && !facts->has_plan_on_entry_twice) {
		facts->has_plan_on_entry_twice = true;
		facts->plan_twice_entry = index;
	}
	if (plans > 0)
		facts->processing_has_plan = true;
}

static void read_entries(const struct json_doc *doc, size_t list, struct request_facts *facts)
{
	struct preferences *prefs = &facts->prefs;
	size_t index = 0;
	for (size_t node = json_doc_child(doc, list); node != JSON_NONE;
	     node = json_doc_next(doc, node), index++) {
		note_plans(doc, node, index, facts);
		if (prefs->length < PREFS_KEEP_MAX)
			read_entry(doc, node, &prefs->entries[prefs->length++]);
	}
	facts->list_length = index;
}

static bool has_value(const struct json_doc *doc, size_t object, const char *name)
{
	size_t node = json_doc_member(doc, object, name);
	return node != JSON_NONE && doc->nodes[node].kind != JSON_NULL;
}

/* Groups and placement are members of a training job's ResourceConfig alone; elsewhere they are
 * passed over like any member that AWS does not know. */
static void read_training_only(const struct json_doc *doc, size_t cluster,
			       struct request_facts *facts)
{
	facts->has_instance_groups =
		json_doc_length(doc, json_doc_member(doc, cluster, "InstanceGroups")) > 0;
	facts->has_placement = has_value(doc, cluster, "InstancePlacementConfig");
}

static void read_cluster(const struct json_doc *doc, size_t cluster, struct request_facts *facts)
{
	struct preferences *prefs = &facts->prefs;
	size_t list = json_doc_member(doc, cluster, "InstancePreferences");
	facts->has_list = list != JSON_NONE && doc->nodes[list].kind == JSON_ARRAY;
	facts->has_instance_type = has_value(doc, cluster, "InstanceType");
	facts->has_selected_members = has_value(doc, cluster, "SelectedInstanceType") ||
				      has_value(doc, cluster, "SelectedInstanceCount");
	prefs->is_list = facts->has_list;
	prefs->has_shared_count =
		json_doc_integer(doc, json_doc_member(doc, cluster, "InstanceCount"),
				 &prefs->shared_count);
	(void)read_string(doc, json_doc_member(doc, cluster, "TrainingPlanArn"),
			  prefs->job_plan_arn, sizeof(prefs->job_plan_arn));
	if (facts->has_list)
		read_entries(doc, list, facts);
	else if (facts->has_instance_groups)
		read_entries(doc, json_doc_member(doc, cluster, "InstanceGroups"), facts);
	else if (facts->has_instance_type)
		(void)read_string(doc, json_doc_member(doc, cluster, "InstanceType"),
				  prefs->entries[prefs->length++].instance_type, TYPE_NAME_SIZE);
	if (prefs->job_plan_arn[0] != '\0')
		facts->processing_has_plan = true;
}

void request_read_facts(const struct json_doc *doc, enum job_kind kind, struct request_facts *facts)
{
	*facts = (struct request_facts){ 0 };
	(void)read_string(doc, json_doc_member(doc, 0, check_name_member(kind)), facts->name,
			  sizeof(facts->name));
	size_t cluster = json_doc_path(doc, check_cluster_path(kind));
	if (kind == JOB_TRAINING)
		read_training_only(doc, cluster, facts);
	read_cluster(doc, cluster, facts);
	size_t spot = json_doc_member(doc, 0, "EnableManagedSpotTraining");
	facts->has_spot =
		kind == JOB_TRAINING && spot != JSON_NONE && doc->nodes[spot].kind == JSON_TRUE;
	facts->processing_has_plan = facts->processing_has_plan && kind == JOB_PROCESSING;
	read_seconds(doc, "StoppingCondition.MaxRuntimeInSeconds", &facts->max_runtime);
	read_seconds(doc, "StoppingCondition.MaxPendingTimeInSeconds", &facts->max_pending);
}

bool request_facts(const struct request *request, struct request_facts *facts, struct err *err)
{
	struct json_doc doc = { 0 };
	*facts = (struct request_facts){ 0 };
	bool ok = request_parse(request, &doc, err);
	if (ok)
		request_read_facts(&doc, request->kind, facts);
	json_doc_release(&doc);
	return ok;
}

void request_check_input(const struct request *request, const struct request_facts *facts,
			 struct check_input *input)
{
	*input = (struct check_input){
		.kind = request->kind,
		.name = facts->name,
		.prefs = &facts->prefs,
		.has_instance_type = facts->has_instance_type,
		.has_instance_groups = facts->has_instance_groups,
		.has_placement = facts->has_placement,
		.has_spot = facts->has_spot,
		.has_selected_members = facts->has_selected_members,
		.has_plan_on_entry_twice = facts->has_plan_on_entry_twice,
		.plan_twice_entry = facts->plan_twice_entry,
		.processing_has_plan = facts->processing_has_plan,
		.list_length = facts->list_length,
		.has_max_pending = facts->max_pending.set,
		.max_pending_seconds = facts->max_pending.ms / 1000,
		.max_runtime = facts->max_runtime,
	};
}

bool request_check(const struct request *request, const struct check_known *known,
		   struct findings *findings, struct err *err)
{
	struct json_doc doc = { 0 };
	struct request_facts facts;
	struct check_input input;
	bool ok = request_parse(request, &doc, err);
	findings->count = 0;
	findings->cut = false;
	if (ok) {
		request_read_facts(&doc, request->kind, &facts);
		request_check_input(request, &facts, &input);
		/* A missing name is a missing member, not a bad one. */
		if (!has_value(&doc, 0, check_name_member(request->kind)))
			input.name = NULL;
		input.doc = &doc;
		input.known = known;
		check_preferences(&input, findings);
	}
	json_doc_release(&doc);
	return ok;
}
