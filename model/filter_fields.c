/* What the fields of a filter are of a job. */
#include <string.h>

#include "model/base/attr.h"
#include "model/filter_parts.h"
#include "model/price.h"

static size_t one(const char *text, const char *out[FILTER_TEXTS_MAX])
{
	out[0] = text;
	return text ? 1 : 0;
}

static size_t name_of(const struct job *job, const char *out[FILTER_TEXTS_MAX])
{
	return one(job->name, out);
}

static size_t kind_of(const struct job *job, const char *out[FILTER_TEXTS_MAX])
{
	return one(job_kind_word(job->kind), out);
}

static size_t phase_of(const struct job *job, const char *out[FILTER_TEXTS_MAX])
{
	return one(phase_word(job_phase(job)), out);
}

/* Both words of AWS, and the phase: each is called the status by somebody. */
static size_t status_of(const struct job *job, const char *out[FILTER_TEXTS_MAX])
{
	size_t count = phase_of(job, out);
	count += one(job->status, out + count);
	return count + one(job->secondary_status, out + count);
}

/* Of a list each entry's: what it could run on, too. */
static size_t type_of(const struct job *job, const char *out[FILTER_TEXTS_MAX])
{
	const struct preferences *prefs = job_prefs(job);
	size_t count = job->selected.set ? one(job->selected.instance_type, out) : 0;
	for (size_t i = 0; i < prefs->length; i++)
		out[count++] = prefs->entries[i].instance_type;
	return count;
}

static size_t message_of(const struct job *job, const char *out[FILTER_TEXTS_MAX])
{
	return one(job->status_message, out);
}

static size_t reason_of(const struct job *job, const char *out[FILTER_TEXTS_MAX])
{
	return one(job->failure_reason, out);
}

static size_t image_of(const struct job *job, const char *out[FILTER_TEXTS_MAX])
{
	return one(job->image, out);
}

static size_t role_of(const struct job *job, const char *out[FILTER_TEXTS_MAX])
{
	return one(job->role_arn, out);
}

/* --- figures --- */

static bool wait_of(const struct job *job, const struct filter_ask *ask, int64_t *out)
{
	bool final;
	return job_wait_ms(job, ask->now_ms, out, &final);
}

static bool span(struct opt_ms from, int64_t to_ms, int64_t *out)
{
	return from.set && !__builtin_sub_overflow(to_ms, from.ms, out) && *out >= 0;
}

static bool age_of(const struct job *job, const struct filter_ask *ask, int64_t *out)
{
	return span(job->created, ask->now_ms, out);
}

static bool run_of(const struct job *job, const struct filter_ask *ask, int64_t *out)
{
	if (job_has_ended(job))
		return job->ended.set && span(job->started, job->ended.ms, out);
	return span(job->started, ask->now_ms, out);
}

static bool limit_of(const struct job *job, const struct filter_ask *ask, int64_t *out)
{
	(void)ask;
	*out = job->max_pending.ms;
	return job->max_pending.set;
}

static bool rank_of(const struct job *job, const struct filter_ask *ask, int64_t *out)
{
	(void)ask;
	*out = (int64_t)job->selected.rank;
	return job->selected.set && job->selected.rank > 0;
}

static bool count_of(const struct job *job, const struct filter_ask *ask, int64_t *out)
{
	(void)ask;
	*out = job->selected.count;
	return job->selected.set ||
	       (job_prefs(job)->length > 0 && prefs_count(job_prefs(job), 0, out));
}

static bool cost_of(const struct job *job, const struct filter_ask *ask, int64_t *out)
{
	struct money money = { 0 };
	if (ask->prices)
		money = price_job_cost(job, ask->prices, ask->now_ms).so_far;
	*out = money.micro;
	return money.set;
}

static bool hour_of(const struct job *job, const struct filter_ask *ask, int64_t *out)
{
	struct money money = { 0 };
	if (ask->prices)
		money = price_job_cost(job, ask->prices, ask->now_ms).per_hour;
	*out = money.micro;
	return money.set;
}

const struct field filter_fields[] = {
	{ { "name", "name~llm", "its name" }, UNIT_TEXT, .texts = name_of },
	{ { "kind", "kind:training", "training or processing" }, UNIT_TEXT, .texts = kind_of },
	{ { "phase", "phase:pending", "pending, starting, running, ..." },
	  UNIT_TEXT,
	  .texts = phase_of },
	{ { "status", "status:Failed", "a status of AWS, or the phase" },
	  UNIT_TEXT,
	  .texts = status_of },
	{ { "type", "type~p5", "an instance type of it, chosen or listed" },
	  UNIT_TEXT,
	  .texts = type_of },
	{ { "message", "message~capacity", "AWS's newest message" },
	  UNIT_TEXT,
	  .texts = message_of },
	{ { "reason", "reason~CUDA", "why it failed" }, UNIT_TEXT, .texts = reason_of },
	{ { "tag", "tag:team=nlp", "a tag, by its key or as key=value" }, UNIT_TAG, NULL, NULL },
	{ { "image", "image~pytorch", "its container image" }, UNIT_TEXT, .texts = image_of },
	{ { "role", "role~ops", "its role's ARN" }, UNIT_TEXT, .texts = role_of },
	{ { "wait", "wait>2h", "how long it has waited" }, UNIT_DURATION, .figure = wait_of },
	{ { "limit", "limit<6h", "its pending limit" }, UNIT_DURATION, .figure = limit_of },
	{ { "run", "run>1d", "how long it has run" }, UNIT_DURATION, .figure = run_of },
	{ { "age", "age<1d", "since its creation" }, UNIT_DURATION, .figure = age_of },
	{ { "rank", "rank>1", "the choice that it runs on" }, UNIT_COUNT, .figure = rank_of },
	{ { "count", "count>=4", "its instances" }, UNIT_COUNT, .figure = count_of },
	{ { "cost", "cost>100", "what it has cost so far" }, UNIT_MONEY, .figure = cost_of },
	{ { "hour", "hour>40", "what it costs by the hour" }, UNIT_MONEY, .figure = hour_of },
};
const size_t filter_field_count = ARRAY_LEN(filter_fields);

const struct filter_field_row *filter_field_row(size_t i)
{
	return i < filter_field_count ? &filter_fields[i].row : NULL;
}

filter_figure_fn *filter_figure(const char *field)
{
	for (size_t i = 0; i < filter_field_count; i++)
		if (strcmp(filter_fields[i].row.name, field) == 0)
			return filter_fields[i].figure;
	return NULL;
}
