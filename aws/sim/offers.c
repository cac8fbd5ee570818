#include "aws/sim/offers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/emit.h"
#include "aws/sim/random.h"
#include "aws/sim/shapes.h"
#include "aws/sim/validate.h"

#define SECOND_MS     INT64_C(1000)
#define HOUR_MS       (3600 * SECOND_MS)
#define DAY_MS        (24 * HOUR_MS)
#define OFFERS_MOST   3
#define FIRST_LATEST  (56 * DAY_MS) /* nothing is sold further ahead */
#define HOURS_MAX     (182 * 24)
#define TURNOVER_MS   (11 * HOUR_MS + 30 * 60 * SECOND_MS) /* plans change hands at 11:30 UTC */
#define OFFER_ID_SIZE 96

/* Cents for an instance and hour; the first prefix that fits decides. */
static const struct {
	const char *prefix;
	int64_t cents;
} rates[] = {
	{ "ml.p4d.", 1180 }, { "ml.p4de.", 1475 },   { "ml.p5.4x", 496 },
	{ "ml.p5.", 3146 },  { "ml.p5e", 3641 },     { "ml.trn1.", 943 },
	{ "ml.trn2", 3577 }, { "ml.p6-b200", 7392 }, { "ml.p6-b300", 9990 },
};
#define CENTS_STANDARD 5000

struct offer {
	size_t pool;
	int64_t count, start_ms, hours;
};

static int64_t fee_of(const struct sim_world *world, const struct offer *offer)
{
	const char *type = world->pools[offer->pool].instance_type;
	int64_t cents = CENTS_STANDARD;
	for (size_t i = ARRAY_LEN(rates); i-- > 0;) {
		if (strncmp(type, rates[i].prefix, strlen(rates[i].prefix)) == 0)
			cents = rates[i].cents;
	}
	return cents * offer->count * offer->hours / 100;
}

/* Tells a made-up id from one that was offered. */
static unsigned check_of(const struct sim_world *world, const struct offer *offer)
{
	uint64_t state = world->options.seed ^ (uint64_t)offer->start_ms ^
			 (uint64_t)(offer->hours * 1000 + offer->count) ^
			 ((uint64_t)offer->pool << 48);
	return (unsigned)(sim_random_next(&state) >> 40);
}

static void add_id(const struct sim_world *world, const struct offer *offer, struct buf *out)
{
	buf_addf(out, "tpo-%zu-%lld-%lld-%lld-%06x", offer->pool, (long long)offer->count,
		 (long long)(offer->start_ms / SECOND_MS), (long long)offer->hours,
		 check_of(world, offer));
}

static bool read_id(const struct sim_world *world, const char *id, struct offer *offer)
{
	long long numbers[4] = { 0 };
	struct buf again;
	const char *at = id;
	if (strncmp(at, "tpo", 3) != 0)
		return false;
	at += 3;
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		char *end;
		if (*at != '-' || at[1] < '0' || at[1] > '9')
			return false;
		numbers[i] = strtoll(at + 1, &end, 10);
		at = end;
	}
	*offer = (struct offer){ .pool = (size_t)numbers[0], .count = numbers[1] };
	if (offer->pool >= world->pool_count || numbers[2] > INT64_MAX / SECOND_MS ||
	    offer->count > SIM_JOBS_MAX || numbers[3] > HOURS_MAX)
		return false;
	offer->start_ms = numbers[2] * SECOND_MS;
	offer->hours = numbers[3];
	buf_init(&again, OFFER_ID_SIZE);
	add_id(world, offer, &again);
	bool same = strcmp(buf_text(&again), id) == 0;
	buf_release(&again);
	return same;
}

static void emit_offer(const struct sim_world *world, const struct offer *offer, struct buf *out)
{
	struct buf id;
	buf_init(&id, OFFER_ID_SIZE);
	add_id(world, offer, &id);
	sim_emit_comma(out);
	buf_add_char(out, '{');
	sim_emit_text(out, "TrainingPlanOfferingId", buf_text(&id));
	buf_release(&id);
	buf_add_text(out, ",\"TargetResources\":[\"training-job\"]");
	sim_emit_integer(out, "DurationHours", offer->hours);
	sim_emit_integer(out, "DurationMinutes", 0);
	sim_emit_key(out, "UpfrontFee");
	buf_addf(out, "\"%lld.00\"", (long long)fee_of(world, offer));
	sim_emit_text(out, "CurrencyCode", "USD");
	buf_add_text(out, ",\"ReservedCapacityOfferings\":[{");
	sim_emit_text(out, "InstanceType", world->pools[offer->pool].instance_type);
	sim_emit_integer(out, "InstanceCount", offer->count);
	sim_emit_key(out, "AvailabilityZone");
	buf_addf(out, "\"%s%c\"", world->region, (char)('a' + offer->start_ms / DAY_MS % 3));
	sim_emit_integer(out, "DurationHours", offer->hours);
	sim_emit_integer(out, "DurationMinutes", 0);
	sim_emit_time(out, "StartTime", offer->start_ms);
	sim_emit_time(out, "EndTime", offer->start_ms + offer->hours * HOUR_MS);
	buf_add_text(out, "}]}");
}

/* What was asked for: whole days, and at least one instance. False with a refusal. */
static bool read_wish(const struct sim_world *world, const struct json_doc *doc,
		      struct offer *offer, struct err *err)
{
	struct buf type;
	int64_t hours = 24;
	size_t node = sim_arg(doc, 0, "DurationHours");
	sim_arg_text(doc, 0, "InstanceType", &type);
	int pool = sim_pool_find(world, buf_text(&type));
	buf_release(&type);
	if (pool == SIM_NOWHERE)
		return sim_refuse(err, 400, "ValidationException",
				  "InstanceType must be specified");
	if (node != JSON_NONE && (!json_doc_integer(doc, node, &hours) || hours > HOURS_MAX))
		return sim_refuse(err, 400, "ValidationException",
				  "DurationHours must be %d at most", HOURS_MAX);
	*offer =
		(struct offer){ .pool = (size_t)pool, .count = 1, .hours = (hours + 23) / 24 * 24 };
	node = sim_arg(doc, 0, "InstanceCount");
	if (node != JSON_NONE && (!json_doc_integer(doc, node, &offer->count) || offer->count < 1))
		return sim_refuse(err, 400, "ValidationException",
				  "InstanceCount must be greater than 0");
	return true;
}

bool sim_offers_search(const struct sim_world *world, const struct json_doc *doc, struct buf *out,
		       struct err *err)
{
	struct offer offer = { 0 };
	if (!read_wish(world, doc, &offer, err))
		return false;
	struct opt_ms after = sim_arg_time(doc, "StartTimeAfter");
	struct opt_ms before = sim_arg_time(doc, "EndTimeBefore");
	int64_t from_ms = after.set && after.ms > world->now_ms ? after.ms : world->now_ms;
	uint64_t random =
		sim_random_for(world->options.seed, world->pools[offer.pool].instance_type);
	offer.start_ms = from_ms / DAY_MS * DAY_MS + TURNOVER_MS;
	if (offer.start_ms < from_ms)
		offer.start_ms += DAY_MS;
	buf_add_text(out, "{\"TrainingPlanOfferings\":[");
	for (int i = 0; i < OFFERS_MOST; i++) {
		int64_t end_ms = offer.start_ms + offer.hours * HOUR_MS;
		if ((before.set && end_ms > before.ms) ||
		    offer.start_ms > world->now_ms + FIRST_LATEST)
			break;
		emit_offer(world, &offer, out);
		offer.start_ms += sim_random_between(&random, 1, 5) * DAY_MS;
	}
	buf_add_text(out, "]}");
	return true;
}

static bool name_plan(const struct sim_world *world, const char *name, struct sim_plan *plan,
		      struct err *err)
{
	int len = snprintf(plan->name, sizeof(plan->name), "%s", name);
	int arn_len =
		snprintf(plan->arn, sizeof(plan->arn), "arn:aws:sagemaker:%s:%s:training-plan/%s",
			 world->region, world->account, name);
	if (len <= 0 || (size_t)len >= sizeof(plan->name) || arn_len <= 0)
		return sim_refuse(err, 400, "ValidationException", "The plan's name is not valid");
	if (sim_plan_find(world, plan->arn) != SIM_NOWHERE)
		return sim_refuse(err, 400, "ResourceInUse",
				  "A training plan of this name already exists (%s)", plan->arn);
	return true;
}

bool sim_offers_buy(struct sim_world *world, const struct json_doc *doc, struct buf *out,
		    struct err *err)
{
	struct buf name, id;
	struct offer offer = { 0 };
	struct sim_plan plan = { .window_count = 1 };
	sim_arg_text(doc, 0, "TrainingPlanName", &name);
	sim_arg_text(doc, 0, "TrainingPlanOfferingId", &id);
	bool fine = name_plan(world, buf_text(&name), &plan, err);
	if (fine && (!read_id(world, buf_text(&id), &offer) || offer.start_ms < world->now_ms))
		fine = sim_refuse(err, 400, "ResourceNotFound",
				  "There is no such training plan offering any more.");
	if (fine && world->plan_count == SIM_PLANS_MAX)
		fine = sim_refuse(err, 400, "ResourceLimitExceeded",
				  "The region holds %d plans and takes no more.", SIM_PLANS_MAX);
	if (fine) {
		plan.pool = offer.pool;
		plan.total = offer.count;
		plan.upfront_fee = fee_of(world, &offer);
		plan.windows[0] =
			(struct sim_window){ .start_ms = offer.start_ms,
					     .end_ms = offer.start_ms + offer.hours * HOUR_MS };
		sim_plan_add(world, &plan);
		buf_add_char(out, '{');
		sim_emit_text(out, "TrainingPlanArn", plan.arn);
		buf_add_char(out, '}');
	}
	buf_release(&name);
	buf_release(&id);
	return fine;
}
