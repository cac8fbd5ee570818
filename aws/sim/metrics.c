#include "aws/sim/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/control.h"
#include "aws/sim/emit.h"
#include "aws/sim/fields.h"
#include "aws/sim/load.h"
#include "aws/sim/ops.h"
#include "aws/sim/token.h"
#include "aws/sim/validate.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define QUERIES_MAX    500
#define POINTS_MAX     100800 /* of an answer, and unless MaxDatapoints says less */
#define ID_SIZE        256
#define HOST_SIZE      (SIM_NAME_SIZE + 24)
#define DAY_MS         INT64_C(86400000)
#define KEPT_60S_MS    (15 * DAY_MS)
#define KEPT_300S_MS   (63 * DAY_MS)
#define KEPT_3600S_MS  (455 * DAY_MS)
#define PERIOD_MAX     86400 /* seconds */
#define TRAINING_SPACE "/aws/sagemaker/TrainingJobs"

enum statistic { AVERAGE, MINIMUM, MAXIMUM, SUM, SAMPLES, STATISTICS };
static const char *const statistic_words[STATISTICS] = {
	[AVERAGE] = "Average", [MINIMUM] = "Minimum",     [MAXIMUM] = "Maximum",
	[SUM] = "Sum",         [SAMPLES] = "SampleCount",
};
static const char *const metric_words[SIM_METRICS_COUNT] = {
	[SIM_GPU] = "GPUUtilization",   [SIM_GPU_MEMORY] = "GPUMemoryUtilization",
	[SIM_CPU] = "CPUUtilization",   [SIM_MEMORY] = "MemoryUtilization",
	[SIM_DISK] = "DiskUtilization",
};

/* What one MetricStat asks for. */
struct query {
	char id[ID_SIZE];
	const struct sim_job *job; /* NULL: nothing of that name has published anything */
	int64_t host;
	enum sim_metric metric; /* SIM_METRICS_COUNT: none that is known */
	enum statistic statistic;
	int64_t period_ms;
};

struct ask {
	struct query *queries; /* owned */
	size_t count;
	int64_t start_ms, end_ms;
	bool ascending;
	uint64_t most; /* points of the answer */
};

/* --- the request --- */

#define REFUSE(err, ...) sim_refuse((err), 400, "ValidationError", __VA_ARGS__)

/* A short text member; "" where absent or too long. */
static void read_text(const struct json_doc *doc, size_t object, const char *name, char *out,
		      size_t size)
{
	struct buf text;
	sim_arg_text(doc, object, name, &text);
	snprintf(out, size, "%s", text.len < size ? buf_text(&text) : "");
	buf_release(&text);
}

static bool read_id(const struct json_doc *doc, size_t node, const struct ask *ask, char *id,
		    struct err *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	read_text(doc, node, "Id", id, ID_SIZE);
	if (id[0] < 'a' || id[0] > 'z' || id[strspn(id, letters)])
		return REFUSE(err,
			      "The value \"%s\" for parameter Id is not matching the expected "
			      "pattern ^[a-z][a-zA-Z0-9_]*$.",
			      id);
	for (size_t i = 0; i < ask->count; i++) {
		if (strcmp(ask->queries[i].id, id) == 0)
			return REFUSE(err, "The values for parameter id must be unique: %s.", id);
	}
	return true;
}

/* The one dimension: Host = JOB/algo-N. What is no such host has published nothing. */
static void read_host(const struct sim_world *world, const struct json_doc *doc, size_t metric,
		      enum sim_job_kind kind, struct query *query)
{
	size_t dimensions = sim_arg(doc, metric, "Dimensions");
	size_t first = json_doc_child(doc, dimensions);
	char name[32], host[HOST_SIZE];
	read_text(doc, first, "Name", name, sizeof(name));
	read_text(doc, first, "Value", host, sizeof(host));
	char *slash = strchr(host, '/');
	if (json_doc_length(doc, dimensions) != 1 || strcmp(name, "Host") != 0 || !slash ||
	    strncmp(slash, "/algo-", 6) != 0)
		return;
	*slash = '\0';
	query->job = sim_job_find(world, kind, host);
	query->host = strtoll(slash + 6, NULL, 10);
}

static bool read_stat(const struct sim_world *world, const struct json_doc *doc, size_t stat,
		      struct query *query, struct err *err)
{
	size_t metric = sim_arg(doc, stat, "Metric");
	char space[256], name[256], word[32];
	int64_t period = 0;
	read_text(doc, metric, "Namespace", space, sizeof(space));
	read_text(doc, metric, "MetricName", name, sizeof(name));
	read_text(doc, stat, "Stat", word, sizeof(word));
	if (!json_doc_integer(doc, sim_arg(doc, stat, "Period"), &period) || period < 60 ||
	    period % 60 != 0 || period > PERIOD_MAX)
		return REFUSE(err, "Period must be a multiple of 60.");
	if (!space[0] || !name[0])
		return REFUSE(err, "The parameter Metric.%s is required.",
			      space[0] ? "MetricName" : "Namespace");
	query->period_ms = period * 1000;
	while (query->statistic < STATISTICS &&
	       strcmp(statistic_words[query->statistic], word) != 0)
		query->statistic++;
	if (query->statistic == STATISTICS)
		return REFUSE(err, "The value %s for parameter Stat is not supported.", word);
	while (query->metric < SIM_METRICS_COUNT && strcmp(metric_words[query->metric], name) != 0)
		query->metric++;
	if (strcmp(space, TRAINING_SPACE) == 0)
		read_host(world, doc, metric, SIM_TRAINING, query);
	else if (strcmp(space, "/aws/sagemaker/ProcessingJobs") == 0)
		read_host(world, doc, metric, SIM_PROCESSING, query);
	return true;
}

static bool read_queries(const struct sim_world *world, const struct json_doc *doc, struct ask *ask,
			 struct err *err)
{
	size_t list = sim_arg(doc, 0, "MetricDataQueries"), length = json_doc_length(doc, list);
	if (length == 0 || length > QUERIES_MAX)
		return REFUSE(err, "The collection MetricDataQueries must have between 1 and 500 "
				   "members.");
	ask->queries = mem_new(length, sizeof(*ask->queries));
	for (size_t at = json_doc_child(doc, list); at != JSON_NONE; at = json_doc_next(doc, at)) {
		struct query *query = &ask->queries[ask->count];
		size_t stat = sim_arg(doc, at, "MetricStat");
		if (!read_id(doc, at, ask, query->id, err))
			return false;
		if (stat == JSON_NONE)
			return REFUSE(err, "Error in expression '%s': the region works out none.",
				      query->id);
		if (!read_stat(world, doc, stat, query, err))
			return false;
		ask->count++;
	}
	return true;
}

static bool read_ask(const struct sim_world *world, const struct json_doc *doc, struct ask *ask,
		     struct err *err)
{
	struct opt_ms start = sim_arg_time(doc, "StartTime"), end = sim_arg_time(doc, "EndTime");
	char order[32];
	int64_t most = POINTS_MAX;
	size_t node = sim_arg(doc, 0, "MaxDatapoints");
	if (!start.set || !end.set)
		return REFUSE(err, "The parameter %s is required.",
			      start.set ? "EndTime" : "StartTime");
	if (start.ms >= end.ms)
		return REFUSE(err, "The parameter StartTime must be less than the parameter "
				   "EndTime.");
	if (node != JSON_NONE &&
	    (!json_doc_integer(doc, node, &most) || most < 1 || most > POINTS_MAX))
		return REFUSE(err, "MaxDatapoints must be between 1 and 100800.");
	read_text(doc, 0, "ScanBy", order, sizeof(order));
	if (order[0] && strcmp(order, "TimestampAscending") != 0 &&
	    strcmp(order, "TimestampDescending") != 0)
		return REFUSE(err, "The value %s for parameter ScanBy is not supported.", order);
	ask->ascending = strcmp(order, "TimestampAscending") == 0;
	ask->start_ms = start.ms;
	ask->end_ms = end.ms;
	ask->most = (uint64_t)most;
	return read_queries(world, doc, ask, err);
}

/* --- the points --- */

/* Points by the minute are kept for 15 days, by five for 63, by the hour for 455. */
static bool is_kept(int64_t age_ms, int64_t period_ms)
{
	return age_ms < KEPT_60S_MS || (age_ms < KEPT_300S_MS && period_ms % 300000 == 0) ||
	       (age_ms < KEPT_3600S_MS && period_ms % 3600000 == 0);
}

/* The statistic over the minutes of one period; false: none of them was published. */
static bool point_at(const struct sim_world *world, const struct query *query, int64_t at_ms,
		     double *value)
{
	double sum = 0.0, least = INFINITY, most = -INFINITY, one;
	int64_t count = 0;
	int64_t until_ms = world->now_ms - SIM_METRICS_DELAY_MS;
	if (!query->job || query->metric == SIM_METRICS_COUNT ||
	    !is_kept(world->now_ms - at_ms, query->period_ms))
		return false;
	for (int64_t ms = at_ms; ms < at_ms + query->period_ms && ms <= until_ms;
	     ms += SIM_MINUTE_MS) {
		if (!sim_load_at(world, query->job, query->host, query->metric, ms, &one))
			continue;
		sum += one;
		least = fmin(least, one);
		most = fmax(most, one);
		count++;
	}
	const double values[STATISTICS] = { [AVERAGE] = sum / (double)(count > 0 ? count : 1),
					    [MINIMUM] = least,
					    [MAXIMUM] = most,
					    [SUM] = sum,
					    [SAMPLES] = (double)count };
	*value = values[query->statistic];
	return count > 0;
}

/* Writes the points of a query from number *from on, while there is room; true: all are told. */
static bool emit_points(const struct sim_world *world, const struct ask *ask,
			const struct query *query, uint64_t *from, uint64_t *room, struct buf *out)
{
	int64_t period_ms = query->period_ms, first_ms = ask->start_ms - ask->start_ms % period_ms;
	int64_t end_ms = ask->end_ms < world->now_ms ? ask->end_ms : world->now_ms;
	uint64_t slots =
		end_ms > first_ms ? (uint64_t)((end_ms - first_ms + period_ms - 1) / period_ms) : 0;
	struct buf values;
	bool any = false;
	buf_init(&values, SIM_ANSWER_MAX);
	buf_add_text(out, ",\"Timestamps\":[");
	for (; *from<slots && * room> 0; ++*from) {
		uint64_t slot = ask->ascending ? *from : slots - 1 - *from;
		int64_t at_ms = first_ms + (int64_t)slot * period_ms;
		double value;
		if (!point_at(world, query, at_ms, &value))
			continue;
		buf_addf(out, "%s%lld", any ? "," : "", (long long)(at_ms / 1000));
		buf_addf(&values, "%s%.4f", any ? "," : "", value);
		any = true;
		--*room;
	}
	buf_addf(out, "],\"Values\":[%s],\"StatusCode\":\"%s\"", buf_text(&values),
		 *from < slots ? "PartialData" : "Complete");
	buf_release(&values);
	return *from >= slots;
}

static void emit_results(const struct sim_world *world, const struct ask *ask, uint64_t place[2],
			 struct buf *out)
{
	uint64_t room = ask->most;
	buf_add_text(out, "{\"MetricDataResults\":[");
	while (place[0] < ask->count && room > 0) {
		const struct query *query = &ask->queries[place[0]];
		sim_emit_comma(out);
		buf_add_char(out, '{');
		sim_emit_text(out, "Id", query->id);
		sim_emit_text(out, "Label",
			      query->metric < SIM_METRICS_COUNT ? metric_words[query->metric]
								: query->id);
		bool whole = emit_points(world, ask, query, &place[1], &room, out);
		buf_add_char(out, '}');
		if (whole) {
			place[0]++;
			place[1] = 0;
		}
	}
	buf_add_char(out, ']');
}

bool sim_metrics_get_data(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	struct ask ask = { 0 };
	struct buf asked;
	uint64_t place[SIM_TOKEN_NUMBERS] = { 0 };
	bool found = false;
	const struct json_doc *doc = call->doc;
	bool fine = read_ask(&region->world, doc, &ask, err);
	buf_init(&asked, SIM_BODY_MAX);
	for (size_t i = 0; i < ask.count; i++)
		buf_addf(&asked, "%s %lld %lld ", ask.queries[i].id, (long long)ask.start_ms,
			 (long long)ask.end_ms);
	uint64_t fingerprint = sim_token_fingerprint(&asked);
	fine = fine && sim_token_read(doc, fingerprint, place, SIM_TOKEN_NUMBERS, &found, err);
	if (fine) {
		emit_results(&region->world, &ask, place, call->out);
		if (place[0] < ask.count)
			sim_token_emit(call->out, fingerprint, place, SIM_TOKEN_NUMBERS);
		buf_add_text(call->out, ",\"Messages\":[]}");
	}
	buf_release(&asked);
	free(ask.queries);
	return fine;
}

/* --- /_sim/ --- */

bool sim_metrics_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			 struct err *err)
{
	char name[SIM_NAME_SIZE] = "";
	if (!sim_field_need(doc, "name", err) ||
	    !sim_field_text(doc, "name", name, sizeof(name), err))
		return false;
	struct sim_job *job = sim_job_find(&region->world, SIM_TRAINING, name);
	if (!job)
		job = sim_job_find(&region->world, SIM_PROCESSING, name);
	if (!job)
		return sim_refuse(err, 400, "BadRequest", "no job is named %s", name);
	size_t idle = json_doc_member(doc, 0, "idle");
	bool ends = idle != JSON_NONE && doc->nodes[idle].kind == JSON_FALSE;
	job->idle_since = (struct opt_ms){ .set = !ends, .ms = region->world.now_ms };
	return sim_control_done(region, out);
}
