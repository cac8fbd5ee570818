#include "aws/sim/order.h"

#include <stdio.h>
#include <string.h>

#include "aws/sim/members.h"
#include "aws/sim/shapes.h"
#include "aws/sim/validate.h"

#define SECOND_MS INT64_C(1000)

/* The part of a request that says what it runs on. */
struct cluster {
	const struct sim_world *world;
	const struct json_doc *doc;
	enum sim_job_kind kind;
	size_t node;         /* ResourceConfig or ClusterConfig, or JSON_NONE */
	size_t list, groups; /* InstancePreferences, InstanceGroups, or JSON_NONE */
	struct sim_order *order;
	struct err *err;
};

/* Absent, null and (for these lists) empty read alike. */
static size_t member(const struct json_doc *doc, size_t node, const char *name)
{
	size_t child = node == JSON_NONE ? JSON_NONE : json_doc_member(doc, node, name);
	if (child != JSON_NONE && doc->nodes[child].kind == JSON_NULL)
		return JSON_NONE;
	return child;
}

static bool has(const struct cluster *cluster, const char *name)
{
	return member(cluster->doc, cluster->node, name) != JSON_NONE;
}

/* It is there, and it is a member of the kind's cluster at all: others are passed over. */
static bool knows(const struct cluster *cluster, const char *name)
{
	const struct sim_shape *shape = sim_shape_named(
		cluster->kind == SIM_TRAINING ? "ResourceConfig" : "ProcessingClusterConfig");
	return shape && sim_shape_member(shape, name) && has(cluster, name);
}

static bool has_items(const struct cluster *cluster, const char *name)
{
	size_t list = member(cluster->doc, cluster->node, name);
	return list != JSON_NONE && json_doc_length(cluster->doc, list) > 0;
}

/* Absent reads as 0. */
static int64_t integer(const struct json_doc *doc, size_t node, const char *name)
{
	size_t child = member(doc, node, name);
	int64_t value = 0;
	return child != JSON_NONE && json_doc_integer(doc, child, &value) ? value : 0;
}

static bool is_true(const struct json_doc *doc, size_t node, const char *name)
{
	size_t child = member(doc, node, name);
	return child != JSON_NONE && doc->nodes[child].kind == JSON_TRUE;
}

static void string(const struct json_doc *doc, size_t node, struct buf *out)
{
	buf_init(out, JSON_TEXT_MAX);
	if (node != JSON_NONE)
		(void)json_doc_string(doc, node, out);
}

static bool is_empty(const struct json_doc *doc, size_t node)
{
	struct buf text;
	string(doc, node, &text);
	bool empty = doc->nodes[node].kind == JSON_STRING && text.len == 0;
	buf_release(&text);
	return empty;
}

static bool invalid(const struct cluster *cluster, const char *message)
{
	return sim_refuse(cluster->err, 400, "ValidationException", "%s", message);
}

/* Two rows that may not stand together, each with a message of its own. */
static const struct {
	const char *member, *message;
} excluded[] = {
	{ "InstanceType", "InstanceType cannot be specified together with InstancePreferences" },
	{ "InstancePlacementConfig",
	  "InstancePlacementConfig cannot be specified together with InstancePreferences" },
	{ "SelectedInstanceType",
	  "SelectedInstanceType is read-only and cannot be specified in a request" },
	{ "SelectedInstanceCount",
	  "SelectedInstanceCount is read-only and cannot be specified in a request" },
};

static bool check_company(const struct cluster *cluster)
{
	for (size_t i = 0; i < sizeof(excluded) / sizeof(excluded[0]); i++) {
		bool read_only = strncmp(excluded[i].member, "Selected", 8) == 0;
		if ((cluster->list != JSON_NONE || read_only) && knows(cluster, excluded[i].member))
			return invalid(cluster, excluded[i].message);
	}
	if (cluster->list == JSON_NONE || cluster->kind == SIM_PROCESSING)
		return true;
	if (cluster->groups != JSON_NONE)
		return invalid(cluster, "InstanceGroups cannot be specified together with "
					"InstancePreferences");
	if (is_true(cluster->doc, 0, "EnableManagedSpotTraining"))
		return invalid(cluster, "EnableManagedSpotTraining cannot be used together with "
					"InstancePreferences");
	return true;
}

static bool check_counts(const struct cluster *cluster)
{
	size_t length = 0, counted = 0;
	for (size_t entry = json_doc_child(cluster->doc, cluster->list); entry != JSON_NONE;
	     entry = json_doc_next(cluster->doc, entry)) {
		length++;
		counted += member(cluster->doc, entry, "InstanceCount") != JSON_NONE;
	}
	bool shared = has(cluster, "InstanceCount");
	if (shared && counted > 0)
		return invalid(cluster, "InstanceCount cannot be specified both beside "
					"InstancePreferences and on its entries");
	if (!shared && counted == 0)
		return invalid(cluster, "InstanceCount must be specified either beside "
					"InstancePreferences or on each of its entries");
	if (!shared && counted < length)
		return invalid(cluster, "InstanceCount must be specified on every entry of "
					"InstancePreferences or on none of them");
	return true;
}

static bool check_types(const struct cluster *cluster)
{
	const struct sim_order *order = cluster->order;
	for (size_t i = 0; i < order->entry_count; i++) {
		for (size_t k = 0; k < i; k++) {
			if (order->entries[i].pool == order->entries[k].pool)
				return sim_refuse(
					cluster->err, 400, "ValidationException",
					"Instance type '%s' is specified more than once in "
					"InstancePreferences",
					cluster->world->pools[order->entries[i].pool]
						.instance_type);
		}
	}
	return true;
}

/* Reads type and count of one entry or group. */
static bool read_entry(const struct cluster *cluster, size_t node, int64_t shared_count)
{
	struct sim_order *order = cluster->order;
	struct buf type;
	string(cluster->doc, member(cluster->doc, node, "InstanceType"), &type);
	int pool = sim_pool_find(cluster->world, buf_text(&type));
	buf_release(&type);
	if (pool == SIM_NOWHERE)
		return invalid(cluster, "InstanceType and InstanceCount greater than 0 must be "
					"specified");
	bool own = member(cluster->doc, node, "InstanceCount") != JSON_NONE;
	order->entries[order->entry_count++] = (struct sim_entry){
		.pool = (size_t)pool,
		.count = own ? integer(cluster->doc, node, "InstanceCount") : shared_count,
		.plan = SIM_NOWHERE,
	};
	return true;
}

static bool read_entries(const struct cluster *cluster, size_t list, int64_t shared_count)
{
	for (size_t node = json_doc_child(cluster->doc, list); node != JSON_NONE;
	     node = json_doc_next(cluster->doc, node)) {
		if (cluster->order->entry_count == SIM_ENTRIES_MAX)
			return invalid(cluster, "Too many entries");
		if (!read_entry(cluster, node, shared_count))
			return false;
	}
	return true;
}

/* The plan of that ARN, which must be there and serve the entry's type. */
static bool bind_plan(const struct cluster *cluster, size_t arn_node, struct sim_entry *entry)
{
	struct buf arn;
	string(cluster->doc, arn_node, &arn);
	const struct sim_world *world = cluster->world;
	int plan = sim_plan_find(world, buf_text(&arn));
	bool fine = true;
	if (plan == SIM_NOWHERE)
		fine = sim_refuse(cluster->err, 400, "ResourceNotFound",
				  "Training plan not found: %.256s", buf_text(&arn));
	else if (world->plans[plan].pool != entry->pool)
		fine = sim_refuse(cluster->err, 400, "ValidationException",
				  "Training plan '%s' reserves %s and cannot serve %s",
				  world->plans[plan].name,
				  world->pools[world->plans[plan].pool].instance_type,
				  world->pools[entry->pool].instance_type);
	else
		entry->plan = plan;
	buf_release(&arn);
	return fine;
}

static bool read_entry_plans(const struct cluster *cluster, size_t *bound)
{
	size_t i = 0;
	for (size_t node = json_doc_child(cluster->doc, cluster->list); node != JSON_NONE;
	     node = json_doc_next(cluster->doc, node)) {
		size_t arns = member(cluster->doc, node, "TrainingPlanArns");
		struct sim_entry *entry = &cluster->order->entries[i++];
		if (arns == JSON_NONE || json_doc_length(cluster->doc, arns) == 0)
			continue;
		if (cluster->kind == SIM_PROCESSING)
			return invalid(cluster, "TrainingPlanArns cannot be specified in the "
						"InstancePreferences of a processing job");
		(*bound)++;
		if (has(cluster, "TrainingPlanArn"))
			continue;
		if (!bind_plan(cluster, json_doc_child(cluster->doc, arns), entry))
			return false;
	}
	return true;
}

/* A job-level plan serves the entry of its type, and one must have it. */
static bool read_job_plan(const struct cluster *cluster, size_t bound)
{
	struct sim_order *order = cluster->order;
	size_t arn_node = member(cluster->doc, cluster->node, "TrainingPlanArn");
	if (arn_node == JSON_NONE || is_empty(cluster->doc, arn_node))
		return true; /* an empty one has failed before, where the kind has the member */
	if (cluster->kind == SIM_PROCESSING)
		return invalid(cluster, "TrainingPlanArn cannot be specified for a processing job");
	if (bound > 0)
		return invalid(cluster, "TrainingPlanArn cannot be specified together with "
					"TrainingPlanArns on entries of InstancePreferences");
	struct buf arn;
	string(cluster->doc, arn_node, &arn);
	int plan = sim_plan_find(cluster->world, buf_text(&arn));
	buf_release(&arn);
	struct sim_entry *served = &order->entries[0];
	for (size_t i = 0; plan != SIM_NOWHERE && i < order->entry_count; i++) {
		if (order->entries[i].pool == cluster->world->plans[plan].pool)
			served = &order->entries[i];
	}
	if (plan != SIM_NOWHERE && cluster->list != JSON_NONE &&
	    served->pool != cluster->world->plans[plan].pool)
		return sim_refuse(
			cluster->err, 400, "ValidationException",
			"No entry of InstancePreferences has the instance type of "
			"TrainingPlanArn (%s)",
			cluster->world->pools[cluster->world->plans[plan].pool].instance_type);
	return bind_plan(cluster, arn_node, served);
}

static bool read_list(const struct cluster *cluster)
{
	size_t bound = 0;
	cluster->order->list = true;
	return check_counts(cluster) &&
	       read_entries(cluster, cluster->list,
			    integer(cluster->doc, cluster->node, "InstanceCount")) &&
	       check_types(cluster) && read_entry_plans(cluster, &bound) &&
	       read_job_plan(cluster, bound);
}

static bool read_single(const struct cluster *cluster)
{
	/* A count of 0 is one of the doubts of interface.md, and not refused. */
	if (!has(cluster, "InstanceType") || !has(cluster, "InstanceCount"))
		return invalid(cluster, "InstanceType and InstanceCount greater than 0 must be "
					"specified");
	return read_entry(cluster, cluster->node, 0) && read_job_plan(cluster, 0);
}

static bool read_groups(const struct cluster *cluster)
{
	if (has(cluster, "InstanceType") || has(cluster, "InstanceCount"))
		return invalid(cluster, "InstanceType or InstanceCount cannot be specified with "
					"InstanceGroups");
	cluster->order->groups = true;
	return read_entries(cluster, cluster->groups, 1);
}

static bool read_cluster(struct cluster *cluster)
{
	cluster->list = member(cluster->doc, cluster->node, "InstancePreferences");
	cluster->groups = cluster->kind == SIM_TRAINING && has_items(cluster, "InstanceGroups")
				  ? member(cluster->doc, cluster->node, "InstanceGroups")
				  : JSON_NONE;
	if (!check_company(cluster))
		return false;
	if (cluster->list != JSON_NONE)
		return read_list(cluster);
	return cluster->groups != JSON_NONE ? read_groups(cluster) : read_single(cluster);
}

/* A serverless job needs none; one that names some all the same runs on them. */
static bool names_instances(const struct cluster *cluster)
{
	return has_items(cluster, "InstancePreferences") || has_items(cluster, "InstanceGroups") ||
	       (has(cluster, "InstanceType") && has(cluster, "InstanceCount"));
}

static void read_limits(const struct json_doc *doc, size_t conditions, struct sim_order *order)
{
	order->max_runtime_ms = integer(doc, conditions, "MaxRuntimeInSeconds") * SECOND_MS;
	order->max_wait_ms = integer(doc, conditions, "MaxWaitTimeInSeconds") * SECOND_MS;
	order->max_pending_ms = integer(doc, conditions, "MaxPendingTimeInSeconds") * SECOND_MS;
	if (order->max_runtime_ms == 0)
		order->max_runtime_ms = 86400 * SECOND_MS; /* the service's own default */
}

bool sim_order_read(const struct sim_world *world, enum sim_job_kind kind,
		    const struct json_doc *doc, struct sim_order *order, struct err *err)
{
	bool training = kind == SIM_TRAINING;
	*order = (struct sim_order){ .kind = kind };
	struct buf name;
	string(doc, member(doc, 0, training ? "TrainingJobName" : "ProcessingJobName"), &name);
	int len = snprintf(order->name, sizeof(order->name), "%s", buf_text(&name));
	buf_release(&name);
	struct cluster cluster = {
		.world = world, .doc = doc, .kind = kind, .order = order, .err = err
	};
	if (len <= 0 || (size_t)len >= sizeof(order->name))
		return invalid(&cluster, "The job name is not valid");
	if (!sim_members_check(kind, doc, err))
		return false;
	read_limits(doc, member(doc, 0, "StoppingCondition"), order);
	if (!training) {
		cluster.node = member(doc, member(doc, 0, "ProcessingResources"), "ClusterConfig");
		return read_cluster(&cluster);
	}
	cluster.node = member(doc, 0, "ResourceConfig");
	if (member(doc, 0, "ServerlessJobConfig") != JSON_NONE && !names_instances(&cluster))
		return true;
	order->spot = is_true(doc, 0, "EnableManagedSpotTraining");
	order->keep_alive_ms = integer(doc, cluster.node, "KeepAlivePeriodInSeconds") * SECOND_MS;
	return read_cluster(&cluster);
}

bool sim_order_check_quota(const struct sim_world *world, const struct sim_order *order,
			   struct err *err)
{
	enum sim_quota_kind kind = sim_quota_kind(order);
	for (size_t i = 0; i < order->entry_count; i++) {
		const struct sim_pool *pool = &world->pools[order->entries[i].pool];
		int64_t wanted = order->entries[i].count;
		for (size_t k = 0; order->groups && k < i; k++) {
			if (order->entries[k].pool == order->entries[i].pool)
				wanted += order->entries[k].count;
		}
		if (pool->used[kind] + wanted <= pool->quota[kind])
			continue;
		return sim_refuse(err, 400, "ResourceLimitExceeded",
				  "The account-level service limit '%s for %s' is %lld Instances, "
				  "with current utilization of %lld Instances and a request delta "
				  "of %lld Instances. Please use AWS Service Quotas to request an "
				  "increase for this quota.",
				  pool->instance_type, sim_quota_usage(kind),
				  (long long)pool->quota[kind], (long long)pool->used[kind],
				  (long long)wanted);
	}
	return true;
}
