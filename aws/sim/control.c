#include "aws/sim/control.h"

#include <string.h>

#include "aws/sim/emit.h"
#include "aws/sim/faults.h"
#include "aws/sim/fields.h"
#include "aws/sim/keys.h"
#include "aws/sim/logs.h"
#include "aws/sim/metrics.h"
#include "aws/sim/ops.h"
#include "aws/sim/prices.h"
#include "aws/sim/quotas.h"
#include "aws/sim/reply.h"
#include "aws/sim/tell.h"
#include "aws/sim/validate.h"
#include "model/base/attr.h"
#include "model/base/text.h"

#define SECOND_MS    INT64_C(1000)
#define ADVANCE_MAX  (90 * INT64_C(86400))   /* seconds in one step */
#define AHEAD_MAX    (3660 * INT64_C(86400)) /* seconds in front of the machine's clock */
#define INSTANCE_MAX 1000000
#define SKEW_MAX     (366 * INT64_C(86400))

typedef bool control_fn(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			struct err *err);

bool sim_control_done(struct sim_region *region, struct buf *out)
{
	buf_add_char(out, '{');
	sim_emit_instant(out, "now", region->world.now_ms);
	buf_add_char(out, '}');
	return true;
}

static bool advance(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		    struct err *err)
{
	int64_t seconds = 0;
	if (!sim_field_need(doc, "seconds", err) ||
	    !sim_field_integer(doc, "seconds", 0, ADVANCE_MAX, &seconds, err))
		return false;
	if (region->advanced_ms / SECOND_MS + seconds > AHEAD_MAX)
		return sim_refuse(err, 400, "BadRequest", "the clock is far enough ahead");
	region->advanced_ms += seconds * SECOND_MS;
	sim_region_catch_up(region);
	return sim_control_done(region, out);
}

bool sim_control_pool(struct sim_region *region, const struct json_doc *doc, struct sim_pool **pool,
		      struct err *err)
{
	char type[64] = "";
	if (!sim_field_need(doc, "instance_type", err) ||
	    !sim_field_text(doc, "instance_type", type, sizeof(type), err))
		return false;
	int found = sim_pool_find(&region->world, type);
	if (found == SIM_NOWHERE)
		return sim_refuse(err, 400, "BadRequest", "no instance type is named %s", type);
	*pool = &region->world.pools[found];
	return true;
}

static bool set_capacity(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			 struct err *err)
{
	struct sim_pool *pool = NULL;
	int64_t free = 0;
	if (!sim_control_pool(region, doc, &pool, err) || !sim_field_need(doc, "free", err) ||
	    !sim_field_integer(doc, "free", 0, INSTANCE_MAX, &free, err))
		return false;
	sim_pool_set_free(&region->world, (size_t)(pool - region->world.pools), free);
	return sim_control_done(region, out);
}

static bool set_skew(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		     struct err *err)
{
	int64_t seconds = 0;
	if (!sim_field_need(doc, "seconds", err) ||
	    !sim_field_integer(doc, "seconds", -SKEW_MAX, SKEW_MAX, &seconds, err))
		return false;
	region->skewed = true;
	region->skew_ms = seconds * SECOND_MS;
	return sim_control_done(region, out);
}

static bool add_fault(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		      struct err *err)
{
	return sim_fault_add(region, doc, err) && sim_control_done(region, out);
}

/* How far the index of Search is behind. */
static bool set_lag(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		    struct err *err)
{
	int64_t seconds = 0;
	if (!sim_field_need(doc, "seconds", err) ||
	    !sim_field_integer(doc, "seconds", 0, 86400, &seconds, err))
		return false;
	region->lag_ms = seconds * SECOND_MS;
	return sim_control_done(region, out);
}

static void emit_pools(const struct sim_world *world, struct buf *out)
{
	sim_emit_key(out, "pools");
	buf_add_char(out, '[');
	for (size_t i = 0; i < world->pool_count; i++) {
		sim_emit_comma(out);
		buf_add_char(out, '{');
		sim_emit_text(out, "instance_type", world->pools[i].instance_type);
		sim_emit_integer(out, "free", world->pools[i].free);
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}

static void emit_queue(const struct sim_world *world, struct buf *out)
{
	sim_emit_key(out, "queue");
	buf_add_char(out, '[');
	for (size_t i = 0; i < world->waiting_count; i++) {
		sim_emit_comma(out);
		text_add_json(out, world->waiting[i]->order.name);
	}
	buf_add_char(out, ']');
}

static void emit_calls(const struct sim_region *region, struct buf *out)
{
	sim_emit_key(out, "calls");
	buf_add_char(out, '{');
	for (size_t i = 0; i < sim_op_count; i++) {
		const struct sim_calls *calls = &region->calls[i];
		sim_emit_key(out, sim_ops[i].name);
		buf_add_char(out, '{');
		sim_emit_integer(out, "ok", (int64_t)calls->ok);
		sim_emit_integer(out, "throttled", (int64_t)calls->throttled);
		sim_emit_integer(out, "failed", (int64_t)calls->failed);
		buf_add_char(out, '}');
	}
	buf_add_char(out, '}');
}

/* While "ended" stays what it is, no answer was let go and nobody gave up waiting. */
static void emit_held(const struct sim_region *region, struct buf *out)
{
	const struct sim_held *held = &region->held;
	sim_emit_key(out, "held");
	buf_add_char(out, '{');
	sim_emit_integer(out, "now", (int64_t)held->now);
	sim_emit_integer(out, "ended", (int64_t)(held->gone + held->released));
	buf_add_char(out, '}');
}

static bool state(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		  struct err *err)
{
	const struct sim_world *world = &region->world;
	(void)doc;
	(void)err;
	buf_add_char(out, '{');
	sim_emit_instant(out, "now", region->world.now_ms);
	emit_pools(world, out);
	emit_queue(world, out);
	sim_quotas_emit_state(region, out);
	sim_emit_key(out, "jobs");
	buf_add_char(out, '[');
	for (size_t i = 0; i < world->job_count; i++) {
		if (world->jobs[i]->deleted.set)
			continue;
		sim_emit_comma(out);
		sim_reply_state_job(world, world->jobs[i], out);
	}
	buf_add_char(out, ']');
	emit_calls(region, out);
	emit_held(region, out);
	buf_add_char(out, '}');
	return true;
}

static bool secrets(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		    struct err *err)
{
	(void)doc;
	(void)err;
	buf_add_char(out, '[');
	sim_keys_emit_secrets(&region->keys, out);
	sim_logins_emit_secrets(&region->logins, out);
	sim_metadata_emit_secrets(&region->metadata, out);
	buf_add_char(out, ']');
	return true;
}

static const struct {
	const char *path, *method;
	control_fn *run;
} endpoints[] = {
	{ "/_sim/advance", "POST", advance },
	{ "/_sim/capacity", "POST", set_capacity },
	{ "/_sim/quota", "POST", sim_quotas_control },
	{ "/_sim/price", "POST", sim_prices_control },
	{ "/_sim/tell", "POST", sim_tell_control },
	{ "/_sim/logs", "POST", sim_logs_control },
	{ "/_sim/skew", "POST", set_skew },
	{ "/_sim/fault", "POST", add_fault },
	{ "/_sim/lag", "POST", set_lag },
	{ "/_sim/idle", "POST", sim_metrics_control },
	{ "/_sim/credentials", "POST", sim_keys_control },
	{ "/_sim/login", "POST", sim_logins_control },
	{ "/_sim/metadata", "POST", sim_metadata_control },
	{ "/_sim/container", "POST", sim_container_control },
	{ "/_sim/secrets", "GET", secrets },
	{ "/_sim/state", "GET", state },
};

/* Runs it over the body, which must be a JSON object where the method has one. */
static bool run(struct sim_region *region, control_fn *fn, const struct sim_request *request,
		struct buf *out, struct err *err)
{
	struct json_doc doc = { 0 };
	struct err trouble = { 0 };
	bool fine;
	if (strcmp(request->method, "GET") == 0)
		fine = fn(region, NULL, out, err);
	else if (!json_doc_parse(&doc, request->body, request->body_len, &trouble))
		fine = sim_refuse(err, 400, "BadRequest", "%s", err_text(&trouble));
	else if (doc.nodes[0].kind != JSON_OBJECT)
		fine = sim_refuse(err, 400, "BadRequest", "the body is not a JSON object");
	else
		fine = fn(region, &doc, out, err);
	json_doc_release(&doc);
	err_clear(&trouble);
	return fine;
}

void sim_control_answer(struct sim_region *region, const struct sim_request *request,
			struct sim_answer *answer)
{
	struct err err = { 0 };
	bool known = false, fine = false;
	answer->content_type = "application/json";
	answer->status = 200;
	for (size_t i = 0; i < ARRAY_LEN(endpoints); i++) {
		if (strcmp(endpoints[i].path, request->target) != 0)
			continue;
		known = true;
		if (strcmp(endpoints[i].method, request->method) == 0)
			fine = run(region, endpoints[i].run, request, &answer->body, &err);
		else
			sim_refuse(&err, 405, "BadRequest", "%s wants %s", endpoints[i].path,
				   endpoints[i].method);
	}
	if (!known)
		sim_refuse(&err, 404, "BadRequest", "there is no such endpoint");
	if (!fine) {
		answer->status = err.http_status;
		buf_clear(&answer->body);
		buf_add_char(&answer->body, '{');
		sim_emit_text(&answer->body, "message", err_text(&err));
		buf_add_char(&answer->body, '}');
	}
	err_clear(&err);
}
