#include "aws/sim/members.h"

#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/validate.h"

#define NAMES_MAX 4096 /* bytes of channel names told back */

static bool invalid(struct err *err, const char *message)
{
	return sim_refuse(err, 400, "ValidationException", "%s", message);
}

static bool is_true(const struct json_doc *doc, const char *name)
{
	size_t node = sim_arg(doc, 0, name);
	return node != JSON_NONE && doc->nodes[node].kind == JSON_TRUE;
}

/* A training job names its algorithm, its instances and its end, or is serverless. */
static bool check_parts(const struct json_doc *doc, struct err *err)
{
	static const char *const needed[] = { "AlgorithmSpecification", "ResourceConfig",
					      "StoppingCondition" };
	if (sim_arg(doc, 0, "ServerlessJobConfig") != JSON_NONE)
		return true;
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		if (sim_arg(doc, 0, needed[i]) == JSON_NONE)
			return sim_refuse(err, 400, "ValidationException",
					  "1 validation error detected: Value null at '%c%s' "
					  "failed to satisfy constraint: Member must not be null",
					  needed[i][0] + ('a' - 'A'), needed[i] + 1);
	}
	return true;
}

/* Absent reads as 0. */
static int64_t seconds(const struct json_doc *doc, const char *name)
{
	size_t node = sim_arg(doc, sim_arg(doc, 0, "StoppingCondition"), name);
	int64_t value = 0;
	return node != JSON_NONE && json_doc_integer(doc, node, &value) ? value : 0;
}

static bool check_spot(const struct json_doc *doc, struct err *err)
{
	int64_t max_wait = seconds(doc, "MaxWaitTimeInSeconds");
	if (!is_true(doc, "EnableManagedSpotTraining"))
		return true;
	if (max_wait == 0)
		return invalid(err, "MaxWaitTimeInSeconds must be specified when "
				    "EnableManagedSpotTraining is true");
	if (max_wait < seconds(doc, "MaxRuntimeInSeconds"))
		return invalid(err, "MaxWaitTimeInSeconds must be greater than or equal to "
				    "MaxRuntimeInSeconds");
	return true;
}

/* Does the channel say which instance groups get its data? */
static bool has_groups(const struct json_doc *doc, size_t channel)
{
	size_t source = sim_arg(doc, sim_arg(doc, channel, "DataSource"), "S3DataSource");
	size_t names = sim_arg(doc, source, "InstanceGroupNames");
	return names != JSON_NONE && json_doc_length(doc, names) > 0;
}

/* One channel with groups and one without: the message names both sorts, as the service does. */
static bool check_channels(const struct json_doc *doc, struct err *err)
{
	struct buf with, without;
	size_t channels = sim_arg(doc, 0, "InputDataConfig");
	buf_init(&with, NAMES_MAX);
	buf_init(&without, NAMES_MAX);
	for (size_t node = json_doc_child(doc, channels); node != JSON_NONE;
	     node = json_doc_next(doc, node)) {
		struct buf *names = has_groups(doc, node) ? &with : &without;
		struct buf name;
		sim_arg_text(doc, node, "ChannelName", &name);
		buf_addf(names, "%s%s", names->len > 0 ? ", " : "", buf_text(&name));
		buf_release(&name);
	}
	bool fine = with.len == 0 || without.len == 0 ||
		    sim_refuse(err, 400, "ValidationException",
			       "Some channels have assigned instance groups: [%s] while others "
			       "not: [%s]",
			       buf_text(&with), buf_text(&without));
	buf_release(&with);
	buf_release(&without);
	return fine;
}

bool sim_members_check(enum sim_job_kind kind, const struct json_doc *doc, struct err *err)
{
	return kind == SIM_PROCESSING ||
	       (check_parts(doc, err) && check_spot(doc, err) && check_channels(doc, err));
}
