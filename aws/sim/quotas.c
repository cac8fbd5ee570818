#include "aws/sim/quotas.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/control.h"
#include "aws/sim/emit.h"
#include "aws/sim/fields.h"
#include "aws/sim/ops.h"
#include "aws/sim/validate.h"
#include "model/base/attr.h"
#include "model/base/text.h"

#define SERVICE_CODE   "sagemaker"
#define QUOTA_STANDARD 16
#define VALUE_MAX      1e10 /* QuotaValue of the service model */
#define INSTANCE_MAX   1000000

/* interface.md: all other types have 16. */
static const struct {
	const char *instance_type;
	int64_t limit;
} named_quotas[] = {
	{ "ml.p3.2xlarge", 0 },
	{ "ml.g5.xlarge", 1 },
	{ "ml.p5en.48xlarge", 2 },
};

static const struct {
	const char *word, *usage;
} kinds[SIM_QUOTA_KINDS] = {
	[SIM_QUOTA_TRAINING] = { "training", "training job usage" },
	[SIM_QUOTA_PROCESSING] = { "processing", "processing job usage" },
	[SIM_QUOTA_SPOT] = { "spot", "spot training job usage" },
	[SIM_QUOTA_WARM_POOL] = { "warm-pool", "training warm pool usage" },
};

void sim_quotas_init(struct sim_pool *pool)
{
	pool->standard = QUOTA_STANDARD;
	for (size_t i = 0; i < ARRAY_LEN(named_quotas); i++) {
		if (strcmp(pool->instance_type, named_quotas[i].instance_type) == 0)
			pool->standard = named_quotas[i].limit;
	}
	/* What is asked for has a value of its own; for the rest the default holds. */
	for (int kind = 0; kind < SIM_QUOTA_KINDS; kind++) {
		pool->quota[kind] = pool->standard;
		pool->applied[kind] = pool->accelerated;
	}
}

const char *sim_quota_usage(enum sim_quota_kind kind)
{
	return kinds[kind].usage;
}

/* --- which quota is meant --- */

static const struct sim_quota_code *find_code(const char *code)
{
	for (size_t i = 0; i < sim_quota_code_count; i++) {
		if (strcmp(sim_quota_codes[i].code, code) == 0)
			return &sim_quota_codes[i];
	}
	return NULL;
}

static const struct sim_quota_code *find_quota(const char *instance_type, enum sim_quota_kind kind)
{
	for (size_t i = 0; i < sim_quota_code_count; i++) {
		if (sim_quota_codes[i].kind == kind &&
		    strcmp(sim_quota_codes[i].instance_type, instance_type) == 0)
			return &sim_quota_codes[i];
	}
	return NULL;
}

/* The quota that a request names and its pool; NULL with NoSuchResourceException. */
static const struct sim_quota_code *named_quota(struct sim_region *region,
						const struct json_doc *doc, struct sim_pool **pool,
						struct err *err)
{
	struct buf service, code;
	sim_arg_text(doc, 0, "ServiceCode", &service);
	sim_arg_text(doc, 0, "QuotaCode", &code);
	bool known = strcmp(buf_text(&service), SERVICE_CODE) == 0;
	const struct sim_quota_code *quota = known ? find_code(buf_text(&code)) : NULL;
	int at = quota ? sim_pool_find(&region->world, quota->instance_type) : SIM_NOWHERE;
	if (at == SIM_NOWHERE) {
		quota = NULL;
		sim_refuse(err, 400, "NoSuchResourceException",
			   "The request failed because the specified service or quota does not "
			   "exist.");
	} else {
		*pool = &region->world.pools[at];
	}
	buf_release(&service);
	buf_release(&code);
	return quota;
}

/* --- the operations --- */

static void emit_number(struct buf *out, const char *name, double value)
{
	sim_emit_key(out, name);
	buf_addf(out, "%.1f", value);
}

static void emit_bool(struct buf *out, const char *name, bool value)
{
	sim_emit_key(out, name);
	buf_add_text(out, value ? "true" : "false");
}

/* The members that a quota and a request for more of it have in common; account "" = AWS's own. */
static void emit_identity(const struct sim_region *region, const struct sim_quota_code *quota,
			  const char *account, struct buf *out)
{
	char text[160];
	sim_emit_text(out, "ServiceCode", SERVICE_CODE);
	sim_emit_text(out, "ServiceName", "Amazon SageMaker");
	snprintf(text, sizeof(text), "arn:aws:servicequotas:%s:%s:%s/%s", region->options.region,
		 account, SERVICE_CODE, quota->code);
	sim_emit_text(out, "QuotaArn", text);
	sim_emit_text(out, "QuotaCode", quota->code);
	snprintf(text, sizeof(text), "%s for %s", quota->instance_type, kinds[quota->kind].usage);
	sim_emit_text(out, "QuotaName", text);
	sim_emit_text(out, "Unit", "None");
	emit_bool(out, "GlobalQuota", false);
}

static void emit_quota(const struct sim_region *region, const struct sim_quota_code *quota,
		       const char *account, int64_t value, struct buf *out)
{
	buf_add_text(out, "{\"Quota\":{");
	emit_identity(region, quota, account, out);
	emit_number(out, "Value", (double)value);
	emit_bool(out, "Adjustable", true);
	if (account[0])
		sim_emit_text(out, "QuotaAppliedAtLevel", "ACCOUNT");
	buf_add_text(out, "}}");
}

bool sim_quotas_get(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	struct sim_pool *pool = NULL;
	const struct sim_quota_code *quota = named_quota(region, call->doc, &pool, err);
	if (!quota)
		return false;
	if (!pool->applied[quota->kind])
		return sim_refuse(err, 400, "NoSuchResourceException",
				  "The request failed because the account has no applied value of "
				  "the quota %s.",
				  quota->code);
	emit_quota(region, quota, region->options.account, pool->quota[quota->kind], call->out);
	return true;
}

bool sim_quotas_get_default(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	struct sim_pool *pool = NULL;
	const struct sim_quota_code *quota = named_quota(region, call->doc, &pool, err);
	if (quota)
		emit_quota(region, quota, "", pool->standard, call->out);
	return quota != NULL;
}

static bool read_desired(const struct json_doc *doc, double *desired, struct err *err)
{
	char text[64];
	const struct json_node *node = &doc->nodes[sim_arg(doc, 0, "DesiredValue")];
	snprintf(text, sizeof(text), "%.*s", (int)(node->end - node->start),
		 doc->text + node->start);
	*desired = strtod(text, NULL);
	if (*desired >= 0 && *desired <= VALUE_MAX)
		return true;
	return sim_refuse(err, 400, "ValidationException",
			  "1 validation error detected: Value '%s' at 'desiredValue' failed to "
			  "satisfy constraint: Member must have value %s",
			  text,
			  *desired < 0 ? "greater than or equal to 0"
				       : "less than or equal to 10000000000");
}

static bool may_raise(const struct sim_raises *raises, const struct sim_quota_code *quota,
		      const struct sim_pool *pool, double desired, struct err *err)
{
	for (size_t i = 0; i < raises->count; i++) {
		if (raises->open[i].quota == quota)
			return sim_refuse(err, 400, "ResourceAlreadyExistsException",
					  "Only one open service quota increase request is allowed "
					  "per quota.");
	}
	if (desired <= (double)pool->quota[quota->kind])
		return sim_refuse(err, 400, "IllegalArgumentException",
				  "The desired value must be greater than the current value, %lld.",
				  (long long)pool->quota[quota->kind]);
	if (raises->count == SIM_RAISES_MAX)
		return sim_refuse(
			err, 400, "QuotaExceededException",
			"You have exceeded your service quota: at most %d requests can be "
			"open.",
			SIM_RAISES_MAX);
	return true;
}

static void emit_raise(const struct sim_region *region, const struct sim_raise *raise,
		       struct buf *out)
{
	buf_add_text(out, "{\"RequestedQuota\":{");
	sim_emit_text(out, "Id", raise->id);
	sim_emit_text(out, "RequestType", "AutomaticManagement");
	emit_identity(region, raise->quota, region->options.account, out);
	emit_number(out, "DesiredValue", raise->desired);
	sim_emit_text(out, "Status", "PENDING");
	sim_emit_time(out, "Created", raise->at_ms);
	sim_emit_time(out, "LastUpdated", raise->at_ms);
	sim_emit_text(out, "QuotaRequestedAtLevel", "ACCOUNT");
	buf_add_text(out, "}}");
}

bool sim_quotas_request_increase(struct sim_region *region, const struct sim_call *call,
				 struct err *err)
{
	struct sim_raises *raises = &region->raises;
	struct sim_pool *pool = NULL;
	double desired = 0;
	const struct sim_quota_code *quota = named_quota(region, call->doc, &pool, err);
	if (!quota || !read_desired(call->doc, &desired, err) ||
	    !may_raise(raises, quota, pool, desired, err))
		return false;
	size_t allowed = sim_arg(call->doc, 0, "SupportCaseAllowed");
	struct sim_raise *raise = &raises->open[raises->count++];
	*raise = (struct sim_raise){
		.quota = quota,
		.desired = desired,
		/* The service's default: facts/sagemaker.md. */
		.support_case = allowed == JSON_NONE || call->doc->nodes[allowed].kind == JSON_TRUE,
		.at_ms = region->world.now_ms,
	};
	snprintf(raise->id, sizeof(raise->id), "%08" PRIx64 "%08" PRIx64, ++raises->asked,
		 (uint64_t)(region->world.now_ms & 0xFFFFFFFF));
	emit_raise(region, raise, call->out);
	return true;
}

/* --- /_sim/ --- */

static void grant(struct sim_raises *raises, const struct sim_quota_code *quota, int64_t value)
{
	for (size_t i = 0; i < raises->count; i++) {
		if (raises->open[i].quota != quota || raises->open[i].desired > (double)value)
			continue;
		raises->open[i] = raises->open[--raises->count];
		return;
	}
}

static bool read_kind(const struct json_doc *doc, enum sim_quota_kind *kind, struct err *err)
{
	char word[32] = "training";
	size_t at = 0;
	if (!sim_field_text(doc, "kind", word, sizeof(word), err))
		return false;
	while (at < SIM_QUOTA_KINDS && strcmp(kinds[at].word, word) != 0)
		at++;
	if (at == SIM_QUOTA_KINDS)
		return sim_refuse(err, 400, "BadRequest",
				  "kind must be training, processing, spot or warm-pool");
	*kind = (enum sim_quota_kind)at;
	return true;
}

bool sim_quotas_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			struct err *err)
{
	enum sim_quota_kind kind = SIM_QUOTA_TRAINING;
	struct sim_pool *pool = NULL;
	int64_t value = 0;
	size_t given = json_doc_member(doc, 0, "value");
	bool none = given != JSON_NONE && doc->nodes[given].kind == JSON_NULL;
	if (!sim_control_pool(region, doc, &pool, err) || !read_kind(doc, &kind, err))
		return false;
	if (!none && (!sim_field_need(doc, "value", err) ||
		      !sim_field_integer(doc, "value", 0, INSTANCE_MAX, &value, err)))
		return false;
	pool->applied[kind] = !none;
	pool->quota[kind] = none ? pool->standard : value;
	grant(&region->raises, find_quota(pool->instance_type, kind), pool->quota[kind]);
	return sim_control_done(region, out);
}

/* Does the job hold instances of that pool that count towards that quota? How many? */
static int64_t held_by(const struct sim_job *job, size_t pool, enum sim_quota_kind kind)
{
	const struct sim_order *order = &job->order;
	bool warm = job->warm_from.set && !job->warm_end.set;
	bool counts = kind == SIM_QUOTA_WARM_POOL
			      ? warm
			      : (job->holds || warm) && sim_quota_kind(order) == kind;
	int64_t count = 0;
	for (size_t i = 0; counts && i < order->entry_count; i++) {
		if (order->entries[i].pool == pool && (order->groups || (int)i == job->selected))
			count += order->entries[i].count;
	}
	return count;
}

static void emit_use(const struct sim_world *world, size_t pool, enum sim_quota_kind kind,
		     struct buf *out)
{
	sim_emit_comma(out);
	buf_add_char(out, '{');
	sim_emit_text(out, "instance_type", world->pools[pool].instance_type);
	sim_emit_text(out, "kind", kinds[kind].word);
	sim_emit_integer(out, "limit", world->pools[pool].quota[kind]);
	sim_emit_integer(out, "used", world->pools[pool].used[kind]);
	sim_emit_key(out, "holders");
	buf_add_char(out, '[');
	for (size_t i = 0; i < world->job_count; i++) {
		if (held_by(world->jobs[i], pool, kind) == 0)
			continue;
		sim_emit_comma(out);
		text_add_json(out, world->jobs[i]->order.name);
	}
	buf_add_text(out, "]}");
}

static void emit_raises(const struct sim_raises *raises, struct buf *out)
{
	sim_emit_key(out, "raises");
	buf_add_char(out, '[');
	for (size_t i = 0; i < raises->count; i++) {
		const struct sim_raise *raise = &raises->open[i];
		sim_emit_comma(out);
		buf_add_char(out, '{');
		sim_emit_text(out, "instance_type", raise->quota->instance_type);
		sim_emit_text(out, "kind", kinds[raise->quota->kind].word);
		sim_emit_text(out, "code", raise->quota->code);
		emit_number(out, "desired", raise->desired);
		emit_bool(out, "support_case", raise->support_case);
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}

void sim_quotas_emit_state(const struct sim_region *region, struct buf *out)
{
	const struct sim_world *world = &region->world;
	sim_emit_key(out, "quotas");
	buf_add_char(out, '[');
	for (size_t pool = 0; pool < world->pool_count; pool++) {
		for (int kind = 0; kind < SIM_QUOTA_KINDS; kind++) {
			if (world->pools[pool].used[kind] > 0)
				emit_use(world, pool, (enum sim_quota_kind)kind, out);
		}
	}
	buf_add_char(out, ']');
	emit_raises(&region->raises, out);
}
