#include "aws/sim/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/emit.h"
#include "aws/sim/reply.h"
#include "aws/sim/token.h"
#include "aws/sim/validate.h"
#include "model/base/mem.h"

#define FILTERS_MAX 20 /* the service's own limit, which sim_validate has checked */
#define QUERY_BYTES (64 * 1024)
#define SECOND_MS   INT64_C(1000)

enum kind { KIND_TEXT, KIND_TIME, KIND_NUMBER };

/* What a job has for a property; text NULL and no number: nothing. */
struct value {
	const char *text; /* borrowed from the job, or static */
	bool has_number;
	int64_t number; /* milliseconds for times */
};

typedef struct value value_fn(const struct sim_world *world, const struct sim_job *job);

static struct value text_value(const char *text)
{
	return (struct value){ .text = text };
}

static struct value time_value(struct opt_ms time)
{
	return (struct value){ .has_number = time.set, .number = time.ms };
}

static struct value name_of(const struct sim_world *world, const struct sim_job *job)
{
	(void)world;
	return text_value(job->order.name);
}

static struct value arn_of(const struct sim_world *world, const struct sim_job *job)
{
	(void)world;
	return text_value(job->arn);
}

static struct value status_of(const struct sim_world *world, const struct sim_job *job)
{
	(void)world;
	return text_value(sim_job_status_word(job));
}

static struct value secondary_of(const struct sim_world *world, const struct sim_job *job)
{
	(void)world;
	return text_value(job->secondary);
}

static struct value reason_of(const struct sim_world *world, const struct sim_job *job)
{
	(void)world;
	return text_value(job->failure_reason);
}

static struct value created_of(const struct sim_world *world, const struct sim_job *job)
{
	(void)world;
	return (struct value){ .has_number = true, .number = job->created_ms };
}

static struct value modified_of(const struct sim_world *world, const struct sim_job *job)
{
	(void)world;
	return (struct value){ .has_number = true, .number = job->modified_ms };
}

static struct value started_of(const struct sim_world *world, const struct sim_job *job)
{
	(void)world;
	return time_value(job->started);
}

static struct value ended_of(const struct sim_world *world, const struct sim_job *job)
{
	(void)world;
	return time_value(job->ended);
}

static struct value seconds_of(const struct sim_world *world, const struct sim_job *job)
{
	return (struct value){ .has_number = job->ended.set,
			       .number = sim_job_held_ms(job, world->now_ms) / SECOND_MS };
}

static struct value selected_of(const struct sim_world *world, const struct sim_job *job)
{
	if (job->selected == SIM_NOWHERE || !job->order.list)
		return text_value(NULL);
	return text_value(world->pools[job->order.entries[job->selected].pool].instance_type);
}

/* A job without a list asks for one type. */
static struct value type_of(const struct sim_world *world, const struct sim_job *job)
{
	if (job->order.list || job->order.groups || job->order.entry_count == 0)
		return text_value(NULL);
	return text_value(world->pools[job->order.entries[0].pool].instance_type);
}

static const struct property {
	const char *name;
	enum kind kind;
	value_fn *of;
	bool fixed; /* never changes; its text lies in the job itself, not beside it */
} properties[] = {
	{ .name = "TrainingJobName", .kind = KIND_TEXT, .of = name_of, .fixed = true },
	{ .name = "TrainingJobArn", .kind = KIND_TEXT, .of = arn_of, .fixed = true },
	{ .name = "TrainingJobStatus", .kind = KIND_TEXT, .of = status_of },
	{ .name = "SecondaryStatus", .kind = KIND_TEXT, .of = secondary_of },
	{ .name = "FailureReason", .kind = KIND_TEXT, .of = reason_of },
	{ .name = "CreationTime", .kind = KIND_TIME, .of = created_of },
	{ .name = "LastModifiedTime", .kind = KIND_TIME, .of = modified_of },
	{ .name = "TrainingStartTime", .kind = KIND_TIME, .of = started_of },
	{ .name = "TrainingEndTime", .kind = KIND_TIME, .of = ended_of },
	{ .name = "TrainingTimeInSeconds", .kind = KIND_NUMBER, .of = seconds_of },
	{ .name = "ResourceConfig.InstanceType", .kind = KIND_TEXT, .of = type_of },
	{ .name = "ResourceConfig.SelectedInstanceType", .kind = KIND_TEXT, .of = selected_of },
};

enum relation {
	EQUALS,
	NOT_EQUALS,
	GREATER,
	GREATER_EQUAL,
	LESS,
	LESS_EQUAL,
	CONTAINS,
	EXISTS,
	NOT_EXISTS,
	IN
};

static const char *const relations[] = {
	[EQUALS] = "Equals",        [NOT_EQUALS] = "NotEquals",
	[GREATER] = "GreaterThan",  [GREATER_EQUAL] = "GreaterThanOrEqualTo",
	[LESS] = "LessThan",        [LESS_EQUAL] = "LessThanOrEqualTo",
	[CONTAINS] = "Contains",    [EXISTS] = "Exists",
	[NOT_EXISTS] = "NotExists", [IN] = "In",
};

struct filter {
	const struct property *property;
	enum relation relation;
	struct buf value;
	int64_t number; /* of the value, where the property is no text */
};

struct hit {
	struct value key;
	size_t number; /* of the job: equal keys stand in creation order */
};

struct search {
	const struct sim_world *world;
	const struct json_doc *doc;
	int64_t as_of_ms;
	struct filter filters[FILTERS_MAX];
	size_t filter_count;
	bool any; /* one filter is enough, instead of all */
	const struct property *sort;
	bool descending;
	size_t page;
	struct buf query; /* what the fingerprint is made of */
	uint64_t fingerprint;
	struct err *err;
};

/* The text member, "" where absent; it goes into the fingerprint. */
static void read_text(struct search *search, size_t object, const char *name, struct buf *out)
{
	sim_arg_text(search->doc, object, name, out);
	buf_addf(&search->query, "%s=%s\n", name, buf_text(out));
}

static const struct property *read_property(struct search *search, size_t object, const char *name,
					    const char *standard)
{
	struct buf text;
	const struct property *found = NULL;
	read_text(search, object, name, &text);
	const char *wanted = text.len > 0 ? buf_text(&text) : standard;
	for (size_t i = 0; i < ARRAY_LEN(properties); i++) {
		if (strcmp(properties[i].name, wanted) == 0)
			found = &properties[i];
	}
	if (!found)
		sim_refuse(search->err, 400, "ValidationException", "Unknown property name: %.255s",
			   wanted);
	buf_release(&text);
	return found;
}

static enum relation read_relation(struct search *search, size_t object)
{
	struct buf text;
	enum relation found = EQUALS;
	read_text(search, object, "Operator", &text);
	for (size_t i = 0; i < ARRAY_LEN(relations); i++) {
		if (strcmp(relations[i], buf_text(&text)) == 0)
			found = (enum relation)i;
	}
	buf_release(&text);
	return found;
}

static bool read_number(const char *text, int64_t *number)
{
	char *end;
	errno = 0;
	*number = strtoll(text, &end, 10);
	return errno == 0 && end != text && *end == '\0';
}

/* A time without a zone is one in UTC. */
static bool read_time(const char *text, int64_t *ms)
{
	struct buf zoned;
	buf_init(&zoned, SIM_ARG_BYTES + 1);
	buf_addf(&zoned, "%sZ", text);
	bool fine = time_parse_iso(text, ms) || time_parse_iso(buf_text(&zoned), ms);
	buf_release(&zoned);
	return fine;
}

static bool check_value(struct search *search, struct filter *filter)
{
	const char *text = buf_text(&filter->value);
	const struct property *property = filter->property;
	if (filter->relation == EXISTS || filter->relation == NOT_EXISTS)
		return true;
	if (filter->value.len == 0)
		return sim_refuse(search->err, 400, "ValidationException",
				  "Filter on %s must have a value", property->name);
	if (property->kind == KIND_TEXT)
		return true;
	if (filter->relation == CONTAINS || filter->relation == IN)
		return sim_refuse(search->err, 400, "ValidationException",
				  "Operator %s is not supported for %s",
				  relations[filter->relation], property->name);
	bool fine = property->kind == KIND_TIME ? read_time(text, &filter->number)
						: read_number(text, &filter->number);
	return fine ||
	       sim_refuse(search->err, 400, "ValidationException",
			  "Value '%.64s' is not valid for property %s", text, property->name);
}

static bool read_filters(struct search *search, size_t expression)
{
	struct buf word;
	const struct json_doc *doc = search->doc;
	if (sim_arg(doc, expression, "NestedFilters") != JSON_NONE ||
	    sim_arg(doc, expression, "SubExpressions") != JSON_NONE)
		return sim_refuse(search->err, 400, "ValidationException",
				  "NestedFilters and SubExpressions are not supported here");
	read_text(search, expression, "Operator", &word);
	search->any = strcmp(buf_text(&word), "Or") == 0;
	buf_release(&word);
	size_t list = sim_arg(doc, expression, "Filters");
	for (size_t node = json_doc_child(doc, list);
	     node != JSON_NONE && search->filter_count < FILTERS_MAX;
	     node = json_doc_next(doc, node)) {
		struct filter *filter = &search->filters[search->filter_count++];
		read_text(search, node, "Value", &filter->value);
		filter->relation = read_relation(search, node);
		filter->property = read_property(search, node, "Name", "");
		if (!filter->property || !check_value(search, filter))
			return false;
	}
	return true;
}

static bool read_search(struct search *search)
{
	struct buf word;
	read_text(search, 0, "Resource", &word);
	bool known = strcmp(buf_text(&word), "TrainingJob") == 0;
	buf_release(&word);
	if (!known)
		return sim_refuse(search->err, 400, "ValidationException",
				  "The region searches for TrainingJob only");
	search->sort = read_property(search, 0, "SortBy", "LastModifiedTime");
	if (!search->sort || !read_filters(search, sim_arg(search->doc, 0, "SearchExpression")))
		return false;
	read_text(search, 0, "SortOrder", &word);
	search->descending = strcmp(buf_text(&word), "Ascending") != 0;
	buf_release(&word);
	search->page = sim_arg_page(search->doc);
	search->fingerprint = sim_token_fingerprint(&search->query);
	return true;
}

/* One of the words between commas. */
static bool is_among(const char *list, const char *word)
{
	size_t len = strlen(word);
	while (*list) {
		list += strspn(list, " ,");
		size_t span = strcspn(list, ",");
		size_t used = span;
		while (used > 0 && list[used - 1] == ' ')
			used--;
		if (used == len && strncmp(list, word, len) == 0)
			return true;
		list += span;
	}
	return false;
}

static int compare_values(const struct value *a, const struct value *b)
{
	if (a->text || b->text)
		return strcmp(a->text ? a->text : "", b->text ? b->text : "");
	if (a->has_number != b->has_number)
		return a->has_number ? 1 : -1;
	return (a->number > b->number) - (a->number < b->number);
}

static bool passes(const struct filter *filter, const struct sim_world *world,
		   const struct sim_job *job)
{
	struct value value = filter->property->of(world, job);
	struct value wanted = { .text = buf_text(&filter->value) };
	bool there = value.text || value.has_number;
	if (filter->property->kind != KIND_TEXT)
		wanted = (struct value){ .has_number = true, .number = filter->number };
	switch (filter->relation) {
	case EXISTS:
		return there;
	case NOT_EXISTS:
		return !there;
	case EQUALS:
		return there && compare_values(&value, &wanted) == 0;
	case NOT_EQUALS:
		return !there || compare_values(&value, &wanted) != 0;
	case GREATER:
		return there && compare_values(&value, &wanted) > 0;
	case GREATER_EQUAL:
		return there && compare_values(&value, &wanted) >= 0;
	case LESS:
		return there && compare_values(&value, &wanted) < 0;
	case LESS_EQUAL:
		return there && compare_values(&value, &wanted) <= 0;
	case CONTAINS:
		return value.text && wanted.text && strstr(value.text, wanted.text) != NULL;
	case IN:
		return value.text && wanted.text && is_among(wanted.text, value.text);
	}
	return false;
}

static bool is_hit(const struct search *search, const struct sim_job *job)
{
	size_t passed = 0;
	for (size_t i = 0; i < search->filter_count; i++)
		passed += passes(&search->filters[i], search->world, job);
	if (search->any && search->filter_count > 0)
		return passed > 0;
	return passed == search->filter_count;
}

static int by_key(const void *a, const void *b)
{
	const struct hit *left = a, *right = b;
	int order = compare_values(&left->key, &right->key);
	return order != 0 ? order : (left->number > right->number) - (left->number < right->number);
}

/* What the job is sorted by; seen is a copy of it that does not last, the value's text does. */
static struct value key_of(const struct search *search, size_t number, const struct sim_job *seen)
{
	const struct sim_job *job = search->sort->fixed ? search->world->jobs[number] : seen;
	return search->sort->of(search->world, job);
}

/* All hits in ascending order. The caller frees them. */
static struct hit *find_hits(const struct search *search, size_t *count)
{
	const struct sim_world *world = search->world;
	struct hit *hits = NULL;
	size_t capacity = 0;
	*count = 0;
	for (size_t i = 0; i < world->job_count; i++) {
		struct sim_job job;
		if (world->jobs[i]->order.kind != SIM_TRAINING ||
		    !sim_job_as_of(world->jobs[i], search->as_of_ms, &job) || !is_hit(search, &job))
			continue;
		hits = mem_grow(hits, &capacity, *count + 1, sizeof(*hits));
		hits[(*count)++] = (struct hit){ .key = key_of(search, i, &job), .number = i };
	}
	if (*count > 1)
		qsort(hits, *count, sizeof(*hits), by_key);
	return hits;
}

/* The place where the last page ended: its job and, where it was a number, that job's key. */
static bool read_after(const struct search *search, struct hit *after, bool *found)
{
	uint64_t numbers[2] = { 0 };
	const struct sim_world *world = search->world;
	if (!sim_token_read(search->doc, search->fingerprint, numbers, 2, found, search->err))
		return false;
	if (!*found || numbers[0] == 0 || numbers[0] > world->job_count) {
		*found = false;
		return true;
	}
	after->number = (size_t)numbers[0] - 1;
	if (search->sort->kind == KIND_TEXT) {
		struct sim_job job;
		if (sim_job_as_of(world->jobs[after->number], search->as_of_ms, &job))
			after->key = key_of(search, after->number, &job);
	} else {
		after->key = (struct value){ .has_number = numbers[1] > 0,
					     .number = (int64_t)numbers[1] - 1 };
	}
	return true;
}

static void emit_after(const struct search *search, const struct hit *last, struct buf *out)
{
	uint64_t numbers[2] = { 0 };
	if (last) {
		numbers[0] = last->number + 1;
		numbers[1] = last->key.has_number ? (uint64_t)last->key.number + 1 : 0;
	}
	sim_token_emit(out, search->fingerprint, numbers, 2);
}

/* The page after that place, in the order asked for, and a token where there is more. */
static void emit_page(const struct search *search, const struct hit *hits, size_t count,
		      const struct hit *after, struct buf *out)
{
	const struct hit *last = NULL;
	size_t shown = 0;
	bool more = false;
	sim_emit_key(out, "Results");
	buf_add_char(out, '[');
	for (size_t i = 0; i < count && !more; i++) {
		const struct hit *hit = &hits[search->descending ? count - 1 - i : i];
		int order = after ? by_key(hit, after) : 0;
		struct sim_job job;
		if (after && (search->descending ? order >= 0 : order <= 0))
			continue;
		more = shown == search->page;
		if (more ||
		    !sim_job_as_of(search->world->jobs[hit->number], search->as_of_ms, &job))
			continue;
		sim_reply_record(search->world, &job, out);
		shown++;
		last = hit;
	}
	buf_add_char(out, ']');
	if (more)
		emit_after(search, last, out);
}

static void emit_results(const struct search *search, const struct hit *after, bool empty_page,
			 struct buf *out)
{
	size_t count = 0;
	struct hit *hits = find_hits(search, &count);
	buf_add_char(out, '{');
	if (empty_page) {
		buf_add_text(out, "\"Results\":[]");
		emit_after(search, after, out);
	} else {
		emit_page(search, hits, count, after, out);
	}
	sim_emit_key(out, "TotalHits");
	buf_add_char(out, '{');
	sim_emit_integer(out, "Value", (int64_t)count);
	sim_emit_text(out, "Relation", "EqualTo");
	buf_add_text(out, "}}");
	free(hits);
}

bool sim_search(const struct sim_world *world, int64_t lag_ms, const struct json_doc *doc,
		bool empty_page, struct buf *out, struct err *err)
{
	struct search search = {
		.world = world, .doc = doc, .as_of_ms = world->now_ms - lag_ms, .err = err
	};
	struct hit after = { .number = 0 };
	bool found = false;
	buf_init(&search.query, QUERY_BYTES);
	bool fine = read_search(&search) && read_after(&search, &after, &found);
	if (fine)
		emit_results(&search, found ? &after : NULL, empty_page, out);
	for (size_t i = 0; i < search.filter_count; i++)
		buf_release(&search.filters[i].value);
	buf_release(&search.query);
	return fine;
}
