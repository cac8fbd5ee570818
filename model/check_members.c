/* The rules of the whole request: its members against the service model, and what they mean
 * together. */
#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "model/check_rules.h"
#include "model/shapes.h"

#define VALUE_MAX     (1u << 20)
#define WORDS_MAX     400 /* bytes of an enumeration's words told */
#define PATTERNS_KEPT 32  /* the model has 18 */
#define PENDING_PATH  "StoppingCondition.MaxPendingTimeInSeconds"

enum breach { BREACH_REQUIRED, BREACH_PATTERN, BREACH_RANGE, BREACH_UNKNOWN };

/* Patterns are compiled when first met, and kept for the walk: a map's values share one. */
struct patterns {
	struct {
		const char *text;
		regex_t compiled;
	} items[PATTERNS_KEPT];
	size_t count;
};

struct walk {
	const struct json_doc *doc;
	struct findings *findings;
	enum breach wanted; /* one rule a walk, so that findings stand in the order of the rules */
	struct patterns *patterns;
};

/* A value on the way down from the root; its path is written only when a finding needs it. */
struct place {
	const struct place *parent; /* NULL = the root */
	const char *key;            /* NULL = an item of a list */
	size_t index;
	size_t node;
	const struct shape *shape;
	bool is_key; /* the key of the node is meant, not its value */
};

static bool is_present(const struct json_doc *doc, size_t node)
{
	return node != JSON_NONE && doc->nodes[node].kind != JSON_NULL;
}

/* The key of a node, in out (emptied first). */
static const char *key_of(const struct json_doc *doc, size_t node, struct buf *out)
{
	buf_clear(out);
	(void)json_doc_key(doc, node, out);
	return buf_text(out);
}

static void write_path(const struct place *place, struct buf *out)
{
	if (!place->parent)
		return;
	write_path(place->parent, out);
	if (place->key)
		(void)buf_addf(out, "%s%s", out->len > 0 ? "." : "", place->key);
	else
		(void)buf_addf(out, "[%zu]", place->index);
}

/* The message is the path and what is wrong with it. */
static struct finding *add_finding(const struct walk *walk, const struct place *place,
				   const char *rule, const char *what)
{
	struct buf path;
	buf_init(&path, CHECK_PATH_SIZE - 1);
	write_path(place, &path);
	struct finding *finding = findings_add(walk->findings, rule, buf_text(&path), "%s %s.",
					       path.failed    ? CHECK_LONG_PATH
					       : path.len > 0 ? buf_text(&path)
							      : "The request",
					       what);
	check_point_at(finding, walk->doc, place->node);
	buf_release(&path);
	return finding;
}

static const char *type_name(enum shape_type type)
{
	static const char *const names[] = {
		[SHAPE_STRUCTURE] = "an object", [SHAPE_LIST] = "an array",
		[SHAPE_MAP] = "an object",       [SHAPE_STRING] = "a string",
		[SHAPE_INTEGER] = "a number",    [SHAPE_BOOLEAN] = "true or false",
	};
	return names[type];
}

static bool kind_fits(enum shape_type type, enum json_kind kind)
{
	switch (type) {
	case SHAPE_STRUCTURE:
	case SHAPE_MAP:
		return kind == JSON_OBJECT;
	case SHAPE_LIST:
		return kind == JSON_ARRAY;
	case SHAPE_STRING:
		return kind == JSON_STRING;
	case SHAPE_INTEGER:
		return kind == JSON_NUMBER;
	case SHAPE_BOOLEAN:
		return kind == JSON_TRUE || kind == JSON_FALSE;
	}
	return false;
}

static bool outside(const struct shape *shape, int64_t value)
{
	return (shape->has_min && value < shape->min) || (shape->has_max && value > shape->max);
}

/* "1 to 20", "at least 1" or "at most 63". */
static void say_limits(const struct shape *shape, char *out, size_t size)
{
	if (shape->has_min && shape->has_max)
		(void)snprintf(out, size, "%" PRId64 " to %" PRId64, shape->min, shape->max);
	else if (shape->has_min)
		(void)snprintf(out, size, "at least %" PRId64, shape->min);
	else
		(void)snprintf(out, size, "at most %" PRId64, shape->max);
}

/* To the nearest limit. */
static void fix_number(struct finding *finding, const struct shape *shape, int64_t value)
{
	char number[24], text[60];
	(void)snprintf(number, sizeof(number), "%" PRId64,
		       shape->has_min && value < shape->min ? shape->min : shape->max);
	(void)snprintf(text, sizeof(text), "Set it to %s.", number);
	check_set_fix(finding, FIX_SET_MEMBER, number, text);
}

static void add_range(const struct walk *walk, const struct place *place, int64_t value,
		      const char *unit)
{
	char limits[64], what[160];
	if (walk->wanted != BREACH_RANGE || !outside(place->shape, value))
		return;
	say_limits(place->shape, limits, sizeof(limits));
	(void)snprintf(what, sizeof(what), "%s %" PRId64 "%s; SageMaker takes %s",
		       unit[0] ? "has" : "is", value, unit, limits);
	struct finding *finding = add_finding(walk, place, "value-range", what);
	if (!unit[0])
		fix_number(finding, place->shape, value);
}

static int64_t count_characters(const char *text)
{
	int64_t count = 0;
	uint32_t code;
	for (size_t at = 0, len = strlen(text); at < len; count++)
		at += text_decode(text + at, len - at, &code);
	return count;
}

/* The compiled pattern, or NULL where it is none or there is no room. */
static const regex_t *find_pattern(struct patterns *patterns, const char *pattern)
{
	size_t i = 0;
	while (i < patterns->count && patterns->items[i].text != pattern)
		i++;
	if (i < patterns->count)
		return &patterns->items[i].compiled;
	if (i == PATTERNS_KEPT ||
	    regcomp(&patterns->items[i].compiled, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return NULL;
	patterns->items[i].text = pattern;
	patterns->count++;
	return &patterns->items[i].compiled;
}

static bool matches(const struct walk *walk, const char *pattern, const char *text)
{
	const regex_t *compiled = find_pattern(walk->patterns, pattern);
	return !compiled || regexec(compiled, text, 0, NULL, 0) != REG_NOMATCH;
}

/* Most slips of copying are a blank in a name: its place is told, and pointed at in the text. */
static void add_pattern(const struct walk *walk, const struct place *place, const char *text)
{
	const struct json_node *node = &walk->doc->nodes[place->node];
	size_t from = place->is_key ? node->key_start : node->start;
	size_t to = place->is_key ? node->key_end : node->end;
	const char *start = walk->doc->text + from;
	const char *blank = memchr(start, ' ', to - from);
	size_t at =
		blank ? (size_t)(blank - start) : 0; /* the quote before the value counts as 1 */
	char what[100];
	if (text[0] == '\0')
		(void)snprintf(what, sizeof(what), "is empty");
	else if (blank)
		(void)snprintf(what, sizeof(what),
			       "has a blank as character %zu, where none may be", at);
	else
		(void)snprintf(what, sizeof(what), "does not have the form that SageMaker takes");
	struct finding *finding = add_finding(walk, place, "value-pattern", what);
	if (!finding)
		return;
	(void)snprintf(finding->fix_text, sizeof(finding->fix_text), "Write it like %s.",
		       place->shape->example);
	finding->line = node->line;
	/* The line of a key is known where its value stands on the same one. */
	size_t before = node->start - from;
	finding->column = (node->column > before ? node->column - before : 1) + at;
}

/* One of the words of an enumeration; they are case-sensitive. */
static void check_word(const struct walk *walk, const struct place *place, const char *text)
{
	const struct shape *shape = place->shape;
	struct buf what;
	size_t i = 0;
	while (i < shape->word_count && strcmp(shape->words[i], text) != 0)
		i++;
	if (i < shape->word_count || walk->wanted != BREACH_PATTERN)
		return;
	buf_init(&what, WORDS_MAX);
	buf_add_text(&what, "must be one of ");
	for (i = 0; i < shape->word_count; i++)
		buf_addf(&what, "%s%s", i > 0 ? ", " : "", shape->words[i]);
	add_finding(walk, place, "value-pattern", buf_text(&what));
	buf_release(&what);
}

/* Whether this walk looks at the text of such a string at all. */
static bool wants_text(const struct walk *walk, const struct shape *shape)
{
	return walk->wanted == BREACH_PATTERN
		       ? shape->pattern != NULL || shape->word_count > 0
		       : walk->wanted == BREACH_RANGE && (shape->has_min || shape->has_max);
}

/* Too long is told as such; any other breach of the pattern before a breach of the length. */
static void check_string(const struct walk *walk, const struct place *place, const char *text)
{
	const struct shape *shape = place->shape;
	if (!wants_text(walk, shape))
		return;
	if (shape->word_count > 0)
		check_word(walk, place, text);
	int64_t length = count_characters(text);
	bool too_long = shape->has_max && length > shape->max;
	if (walk->wanted == BREACH_RANGE && !outside(shape, length))
		return;
	bool fits = too_long || !shape->pattern || matches(walk, shape->pattern, text);
	if (!fits && walk->wanted == BREACH_PATTERN)
		add_pattern(walk, place, text);
	if (fits)
		add_range(walk, place, length, length == 1 ? " character" : " characters");
}

static void check_string_node(const struct walk *walk, const struct place *place)
{
	struct buf value;
	if (!wants_text(walk, place->shape))
		return;
	buf_init(&value, VALUE_MAX);
	if (json_doc_string(walk->doc, place->node, &value))
		check_string(walk, place, buf_text(&value));
	buf_release(&value);
}

static void check_integer(const struct walk *walk, const struct place *place)
{
	int64_t value;
	if (json_doc_integer(walk->doc, place->node, &value))
		add_range(walk, place, value, "");
	else if (walk->wanted == BREACH_PATTERN)
		add_finding(walk, place, "value-pattern", "must be a whole number");
}

static void check_place(const struct walk *walk, const struct place *place);

/* Goes on to a child, if its value is there (null counts as absent). */
static void check_child(const struct walk *walk, const struct place *child)
{
	if (is_present(walk->doc, child->node))
		check_place(walk, child);
}

static void check_required(const struct walk *walk, const struct place *place)
{
	for (size_t i = 0; i < place->shape->member_count; i++) {
		const struct shape_member *member = &place->shape->members[i];
		const struct place child = {
			.parent = place,
			.key = member->name,
			.node = json_doc_member(walk->doc, place->node, member->name),
		};
		if (member->required && !is_present(walk->doc, child.node))
			add_finding(walk, &child, "required-member", "is missing");
	}
}

/* Members that a rule of their own speaks of. */
static bool has_own_rule(const char *path)
{
	return strcmp(path, PENDING_PATH) == 0 ||
	       strcmp(path, "ProcessingResources.ClusterConfig.TrainingPlanArn") == 0 ||
	       (strncmp(path, "ProcessingResources.ClusterConfig.InstancePreferences[", 54) == 0 &&
		strstr(path, ".TrainingPlanArns"));
}

static void check_unknown(const struct walk *walk, const struct place *place)
{
	struct buf path;
	buf_init(&path, CHECK_PATH_SIZE - 1);
	write_path(place, &path);
	if (walk->wanted == BREACH_UNKNOWN && !has_own_rule(buf_text(&path)))
		add_finding(walk, place, "unknown-member",
			    "is no member that SageMaker knows; AWS ignores it");
	buf_release(&path);
}

static void check_structure(const struct walk *walk, const struct place *place)
{
	struct buf key;
	if (walk->wanted == BREACH_REQUIRED)
		check_required(walk, place);
	buf_init(&key, VALUE_MAX);
	for (size_t node = json_doc_child(walk->doc, place->node); node != JSON_NONE;
	     node = json_doc_next(walk->doc, node)) {
		struct place child = { .parent = place, .node = node };
		child.key = key_of(walk->doc, node, &key);
		const struct shape_member *member = shape_find_member(place->shape, child.key);
		child.shape = member ? member->shape : NULL;
		if (member)
			check_child(walk, &child);
		else if (is_present(walk->doc, node))
			check_unknown(walk, &child);
	}
	buf_release(&key);
}

static void check_map(const struct walk *walk, const struct place *place)
{
	struct buf key;
	add_range(walk, place, (int64_t)json_doc_length(walk->doc, place->node), " entries");
	buf_init(&key, VALUE_MAX);
	for (size_t node = json_doc_child(walk->doc, place->node); node != JSON_NONE;
	     node = json_doc_next(walk->doc, node)) {
		struct place child = { .parent = place, .node = node };
		child.key = key_of(walk->doc, node, &key);
		child.shape = place->shape->key;
		child.is_key = true;
		check_string(walk, &child, child.key);
		child.shape = place->shape->item;
		child.is_key = false;
		check_child(walk, &child);
	}
	buf_release(&key);
}

static void check_list(const struct walk *walk, const struct place *place)
{
	struct place child = { .parent = place, .shape = place->shape->item };
	add_range(walk, place, (int64_t)json_doc_length(walk->doc, place->node), " items");
	for (child.node = json_doc_child(walk->doc, place->node); child.node != JSON_NONE;
	     child.node = json_doc_next(walk->doc, child.node)) {
		/* Among members null counts as absent; an item cannot be absent. */
		if (walk->wanted == BREACH_REQUIRED && !is_present(walk->doc, child.node))
			add_finding(walk, &child, "required-member", "must not be null");
		check_child(walk, &child);
		child.index++;
	}
}

static void check_place(const struct walk *walk, const struct place *place)
{
	if (!kind_fits(place->shape->type, walk->doc->nodes[place->node].kind)) {
		char what[60];
		(void)snprintf(what, sizeof(what), "must be %s", type_name(place->shape->type));
		if (walk->wanted == BREACH_PATTERN)
			add_finding(walk, place, "value-pattern", what);
		return;
	}
	switch (place->shape->type) {
	case SHAPE_STRUCTURE:
		check_structure(walk, place);
		break;
	case SHAPE_MAP:
		check_map(walk, place);
		break;
	case SHAPE_LIST:
		check_list(walk, place);
		break;
	case SHAPE_STRING:
		check_string_node(walk, place);
		break;
	case SHAPE_INTEGER:
		check_integer(walk, place);
		break;
	case SHAPE_BOOLEAN:
		break;
	}
}

static void walk_request(const struct check_input *input, struct findings *findings,
			 enum breach wanted)
{
	if (!input->doc || input->doc->count == 0)
		return;
	struct patterns patterns = { .count = 0 };
	const struct walk walk = { input->doc, findings, wanted, &patterns };
	const struct place root = { .node = 0, .shape = shape_of_request(input->kind) };
	check_place(&walk, &root);
	for (size_t i = 0; i < patterns.count; i++)
		regfree(&patterns.items[i].compiled);
}

/* What Create asks for beyond the model: compute, a limit and an algorithm, or none for a
 * serverless job. */
static void require_training_parts(const struct check_input *input, struct findings *findings)
{
	static const char *const parts[] = { "AlgorithmSpecification", "ResourceConfig",
					     "StoppingCondition" };
	if (input->kind != JOB_TRAINING || check_is_present(input, "ServerlessJobConfig"))
		return;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (!check_is_present(input, parts[i]))
			findings_add(findings, "required-member", parts[i], "%s is missing.",
				     parts[i]);
	}
}

/* "InstanceType and InstanceCount greater than 0 must be specified": the service, of a job without
 * a list or groups. A count of 0 is a doubt (count-range). */
static void require_type(const struct check_input *input, struct findings *findings)
{
	size_t cluster = json_doc_path(input->doc, check_cluster_path(input->kind));
	/* What is no object is told as that (value-pattern). */
	if (cluster == JSON_NONE || input->doc->nodes[cluster].kind != JSON_OBJECT ||
	    input->prefs->is_list || input->has_instance_groups)
		return;
	if (!input->has_instance_type)
		findings_add(findings, "required-member",
			     check_cluster_member(input, "InstanceType").text,
			     "There is neither an InstanceType nor a preference list.");
	struct check_path count = check_cluster_member(input, "InstanceCount");
	if (!check_is_present(input, count.text))
		check_set_fix(findings_add(findings, "required-member", count.text,
					   "%s is missing.", count.text),
			      FIX_SET_MEMBER, "1", "Ask for 1 instance.");
}

/* An empty type is no type, and never shown as one (case 059). */
static void require_type_names(const struct check_input *input, struct findings *findings)
{
	for (size_t i = 0; i < input->prefs->length; i++) {
		const struct check_entry at = { i, "InstanceType" };
		struct check_path path = check_entry_path(input, i, at.member);
		struct buf type;
		buf_init(&type, JSON_TEXT_MAX);
		if (json_doc_string(input->doc, json_doc_path(input->doc, path.text), &type) &&
		    type.len == 0)
			(void)check_add_to_entry(input, findings, "required-member", &at,
						 "InstanceType is empty.");
		buf_release(&type);
	}
}

void check_required_member(const struct check_input *input, struct findings *findings)
{
	walk_request(input, findings, BREACH_REQUIRED);
	if (!input->doc || input->doc->count == 0)
		return;
	require_training_parts(input, findings);
	check_channel_groups(input, findings);
	if (check_is_present(input, "ServerlessJobConfig"))
		return;
	require_type(input, findings);
	require_type_names(input, findings);
}

static const struct shape *plan_shape(void)
{
	const struct shape_member *cluster =
		shape_find_member(shape_of_request(JOB_TRAINING), "ResourceConfig");
	const struct shape_member *plan =
		cluster ? shape_find_member(cluster->shape, "TrainingPlanArn") : NULL;
	return plan ? plan->shape : NULL;
}

/* Of a list without a request, whose walk would come to them. */
static void check_plan_arns(const struct check_input *input, struct findings *findings)
{
	const struct preferences *prefs = input->prefs;
	const struct shape *shape = plan_shape();
	regex_t form;
	if (input->doc || input->kind != JOB_TRAINING || !shape ||
	    regcomp(&form, shape->pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return;
	for (size_t i = 0; i < prefs->length; i++) {
		const char *arn = prefs->entries[i].plan_arn;
		const struct check_entry at = { i, "TrainingPlanArns" };
		char fix[200];
		if (!arn[0] || regexec(&form, arn, 0, NULL, 0) != REG_NOMATCH)
			continue;
		(void)snprintf(fix, sizeof(fix), "Write it like %s.", shape->example);
		check_set_fix(check_add_to_entry(input, findings, "value-pattern", &at,
						 "what stands for the plan's ARN is none."),
			      FIX_NONE, "", fix);
	}
	regfree(&form);
}

void check_value_pattern(const struct check_input *input, struct findings *findings)
{
	walk_request(input, findings, BREACH_PATTERN);
	check_plan_arns(input, findings);
	check_own_tags(input, findings);
}

void check_member_ranges(const struct check_input *input, struct findings *findings)
{
	walk_request(input, findings, BREACH_RANGE);
}

void check_unknown_member(const struct check_input *input, struct findings *findings)
{
	walk_request(input, findings, BREACH_UNKNOWN);
}
