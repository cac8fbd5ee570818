#include "model/explain.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

#include "model/explain_parts.h"

#define VALUE_MAX 8192 /* a refusal is shown whole: ERR_TEXT_MAX */

const char *explain_class_word(enum explain_class class)
{
	static const char *const words[EXPLAIN_CLASSES] = {
		[EXPLAIN_UNKNOWN] = "unknown",
		[EXPLAIN_CAPACITY] = "capacity",
		[EXPLAIN_PLAN_SCHEDULED] = "plan-scheduled",
		[EXPLAIN_PLAN_BETWEEN] = "plan-between-windows",
		[EXPLAIN_PLAN_FULL] = "plan-full",
		[EXPLAIN_SPOT] = "spot-capacity",
		[EXPLAIN_IMAGE] = "image",
		[EXPLAIN_DATA] = "data",
		[EXPLAIN_STOPPING] = "stopping",
		[EXPLAIN_QUOTA] = "quota",
		[EXPLAIN_PERMISSION] = "permission",
		[EXPLAIN_UNSUPPORTED] = "unsupported",
		[EXPLAIN_REQUEST] = "request",
		[EXPLAIN_NEVER_STARTED] = "never-started",
		[EXPLAIN_LIMIT_RUNTIME] = "limit-runtime",
		[EXPLAIN_FAILED] = "failed",
		[EXPLAIN_STOPPED] = "stopped",
		[EXPLAIN_RUNNING] = "running",
		[EXPLAIN_COMPLETED] = "completed",
	};
	return words[class];
}

const char *explain_verdict_word(enum explain_verdict verdict)
{
	static const char *const words[] = {
		[EXPLAIN_ENTRY_UNKNOWN] = "unknown",
		[EXPLAIN_ENTRY_TAKEN] = "taken",
		[EXPLAIN_ENTRY_REFUSED] = "refused",
		[EXPLAIN_ENTRY_NOT_TRIED] = "not-tried",
	};
	return words[verdict];
}

void explanation_release(struct explanation *out)
{
	if (!out)
		return;
	for (size_t i = 0; i < out->fact_count; i++)
		free(out->facts[i].value);
	free(out->text);
	*out = (struct explanation){ 0 };
}

struct explain_fact *explain_add(struct explanation *out, const char *fact, const char *source,
				 const char *format, ...)
{
	struct buf value;
	va_list args;
	assert(out->fact_count < EXPLAIN_FACTS_MAX);
	struct explain_fact *added = &out->facts[out->fact_count++];
	*added = (struct explain_fact){ .fact = fact, .source = source };
	if (!format)
		return added;
	buf_init(&value, VALUE_MAX);
	va_start(args, format);
	buf_vaddf(&value, format, args);
	va_end(args);
	added->value = buf_take(&value);
	return added;
}

void explain(const struct explain_ask *ask, struct explanation *out)
{
	struct explain_ruling ruling = { .class = EXPLAIN_UNKNOWN };
	*out = (struct explanation){ 0 };
	if (ask->job)
		ruling = explain_judge(ask->store, ask->job, ask->now_ms);
	else if (ask->refusal)
		ruling.class = explain_judge_refusal(ask->refusal->err);
	out->class = ruling.class;
	out->certain = ask->job ? ruling.certain : ruling.class != EXPLAIN_UNKNOWN;
	if (ask->job)
		explain_add_evidence(ask, &ruling, out);
	else if (ask->refusal)
		explain_add_refusal(ask, out);
	explain_add_entries(ask, out);
	explain_add_text(ask, &ruling, out);
	explain_add_next(ask, out);
}
