#include "model/wrapped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/mem.h"
#include "model/shapes.h"

/* What the document is, and so how its members are to be read. */
enum wrapper { WRAPPER_NONE, WRAPPER_STATES, WRAPPER_PIPELINE, WRAPPER_KUBERNETES };

struct finder {
	struct wrapped_list *list;
	const struct json_doc *doc;
	const struct loose *origin;
	enum wrapper wrapper;
	struct wrapped *request; /* the one that is written */
};

/* --- the document --- */

static bool text_is(const struct json_doc *doc, size_t node, const char *part, bool whole)
{
	struct buf text;
	buf_init(&text, JSON_TEXT_MAX);
	bool is = json_doc_string(doc, node, &text) &&
		  (whole ? strcmp(buf_text(&text), part) == 0
			 : strstr(buf_text(&text), part) != NULL);
	buf_release(&text);
	return is;
}

static size_t member(const struct json_doc *doc, size_t node, const char *name)
{
	return json_doc_member(doc, node, name);
}

static void find_place(const struct finder *finder, size_t node, size_t *line, size_t *column,
		       bool *is_unknown)
{
	const struct json_node *at = &finder->doc->nodes[node];
	const struct loose_place *place =
		finder->origin ? loose_place_of(finder->origin, at->start) : NULL;
	*line = place ? place->line : at->line;
	*column = place ? place->column : at->column;
	*is_unknown = place && place->is_unknown;
}

/* --- one request --- */

/* "{% $x %}" and {"Get": "Parameters.x"}: worked out when it runs. */
static bool is_worked_out(const struct finder *finder, size_t node)
{
	const struct json_doc *doc = finder->doc;
	const struct json_node *at = &doc->nodes[node];
	if (finder->wrapper == WRAPPER_STATES)
		return at->kind == JSON_STRING && at->end - at->start >= 6 &&
		       memcmp(doc->text + at->start + 1, "{%", 2) == 0;
	return finder->wrapper == WRAPPER_PIPELINE && at->kind == JSON_OBJECT &&
	       (member(doc, node, "Get") != JSON_NONE ||
		member(doc, node, "Std:Join") != JSON_NONE);
}

/* The shape's own name of a member that differs in case alone; else the name. Source: the
 * controller's fields are those of the API, in camel case and with initials as Go writes them. */
static const char *known_name(const struct finder *finder, const struct shape *shape,
			      const char *name)
{
	if (finder->wrapper != WRAPPER_KUBERNETES || !shape || shape->type != SHAPE_STRUCTURE)
		return name;
	for (size_t i = 0; i < shape->member_count; i++)
		if (strcasecmp(shape->members[i].name, name) == 0)
			return shape->members[i].name;
	return name;
}

static const struct shape *shape_below(const struct shape *shape, const char *name)
{
	if (!shape)
		return NULL;
	if (shape->type != SHAPE_STRUCTURE)
		return shape->item;
	const struct shape_member *found = shape_find_member(shape, name);
	return found ? found->shape : NULL;
}

static void write_value(struct finder *finder, size_t node, const struct shape *shape,
			bool is_unknown);

/* A member whose name ends in ".$" has a path or a call as its value. */
static void write_member(struct finder *finder, size_t node, const struct shape *shape)
{
	struct loose *out = &finder->request->request;
	struct buf key;
	buf_init(&key, JSON_TEXT_MAX);
	(void)json_doc_key(finder->doc, node, &key);
	bool is_path = finder->wrapper == WRAPPER_STATES && key.len > 2 &&
		       strcmp(buf_text(&key) + key.len - 2, ".$") == 0;
	if (is_path)
		key.data[key.len -= 2] = '\0';
	const char *name = known_name(finder, shape, buf_text(&key));
	(void)loose_add_string(out, name, strlen(name));
	buf_add_char(&out->json, ':');
	write_value(finder, node, shape_below(shape, name), is_path);
	buf_release(&key);
}

/* The document is no deeper than JSON_DEPTH_MAX. */
static void write_children(struct finder *finder, size_t node, const struct shape *shape)
{
	const struct json_doc *doc = finder->doc;
	struct buf *json = &finder->request->request.json;
	bool object = doc->nodes[node].kind == JSON_OBJECT, any = false;
	buf_add_char(json, object ? '{' : '[');
	for (size_t at = json_doc_child(doc, node); at != JSON_NONE; at = json_doc_next(doc, at)) {
		buf_add_text(json, any ? "," : "");
		any = true;
		if (object)
			write_member(finder, at, shape);
		else
			write_value(finder, at, shape ? shape->item : NULL, false);
	}
	buf_add_char(json, object ? '}' : ']');
}

static void write_value(struct finder *finder, size_t node, const struct shape *shape,
			bool is_unknown)
{
	const struct json_node *at = &finder->doc->nodes[node];
	struct loose *out = &finder->request->request;
	size_t line, column;
	bool was_unknown;
	find_place(finder, node, &line, &column, &was_unknown);
	is_unknown = is_unknown || was_unknown || is_worked_out(finder, node);
	finder->request->unknown += is_unknown;
	(void)loose_note(out, line, column, is_unknown);
	if (is_unknown)
		buf_add_text(&out->json, LOOSE_UNKNOWN);
	else if (at->kind == JSON_OBJECT || at->kind == JSON_ARRAY)
		write_children(finder, node, shape);
	else
		buf_add(&out->json, finder->doc->text + at->start, at->end - at->start);
}

static void write_path(const struct json_doc *doc, size_t node, struct buf *out)
{
	if (node == 0 || node == JSON_NONE)
		return;
	write_path(doc, doc->nodes[node].parent, out);
	if (doc->nodes[node].key_end == doc->nodes[node].key_start) {
		size_t index = 0;
		for (size_t at = json_doc_child(doc, doc->nodes[node].parent); at != node;
		     at = json_doc_next(doc, at))
			index++;
		buf_addf(out, "[%zu]", index);
		return;
	}
	buf_add_text(out, out->len > 0 ? "." : "");
	(void)json_doc_key(doc, node, out);
}

static void add_request(struct finder *finder, size_t node, enum job_kind kind)
{
	struct wrapped_list *list = finder->list;
	struct buf path;
	bool ignored;
	if (finder->doc->nodes[node].kind != JSON_OBJECT)
		return;
	if (list->count == WRAPPED_MAX) {
		list->cut = true;
		return;
	}
	struct wrapped *request = finder->request = &list->items[list->count];
	*request = (struct wrapped){ .kind = kind };
	loose_init(&request->request);
	find_place(finder, node, &request->line, &request->column, &ignored);
	buf_init(&path, WRAPPED_PATH_SIZE - 1);
	write_path(finder->doc, node, &path);
	if (!path.failed)
		snprintf(request->path, sizeof(request->path), "%s", buf_text(&path));
	buf_release(&path);
	write_value(finder, node, shape_of_request(kind), false);
	if (request->request.json.failed) /* many times larger than a request may be */
		loose_release(&request->request);
	else
		list->count++;
}

/* --- where they stand --- */

static bool kind_of_words(const struct json_doc *doc, size_t node, const char *training,
			  const char *processing, bool whole, enum job_kind *kind)
{
	*kind = JOB_TRAINING;
	if (text_is(doc, node, training, whole))
		return true;
	*kind = JOB_PROCESSING;
	return text_is(doc, node, processing, whole);
}

/* "arn:aws:states:::sagemaker:createTrainingJob.sync"; its states may lie in branches and maps. */
static void look_at_state(struct finder *finder, size_t node)
{
	const struct json_doc *doc = finder->doc;
	enum job_kind kind;
	if (!kind_of_words(doc, member(doc, node, "Resource"), "sagemaker:createTrainingJob",
			   "sagemaker:createProcessingJob", false, &kind))
		return;
	size_t request = member(doc, node, "Parameters");
	if (request == JSON_NONE)
		request = member(doc, node, "Arguments");
	if (request != JSON_NONE)
		add_request(finder, request, kind);
}

static void look_at_step(struct finder *finder, size_t node)
{
	const struct json_doc *doc = finder->doc;
	enum job_kind kind;
	size_t arguments = member(doc, node, "Arguments");
	if (arguments != JSON_NONE &&
	    kind_of_words(doc, member(doc, node, "Type"), "Training", "Processing", true, &kind))
		add_request(finder, arguments, kind);
}

static void look_at_object(struct finder *finder, size_t node)
{
	const struct json_doc *doc = finder->doc;
	enum job_kind kind;
	size_t spec = member(doc, node, "spec");
	if (spec != JSON_NONE &&
	    text_is(doc, member(doc, node, "apiVersion"), "sagemaker.services.k8s.aws/", false) &&
	    kind_of_words(doc, member(doc, node, "kind"), "TrainingJob", "ProcessingJob", true,
			  &kind))
		add_request(finder, spec, kind);
}

static bool has(const struct json_doc *doc, const char *name)
{
	return member(doc, 0, name) != JSON_NONE;
}

/* A file of YAML may hold several objects: an array then. */
static bool is_kubernetes(const struct json_doc *doc)
{
	size_t first = doc->nodes[0].kind == JSON_ARRAY ? json_doc_child(doc, 0) : 0;
	return member(doc, first, "apiVersion") != JSON_NONE &&
	       member(doc, first, "kind") != JSON_NONE;
}

static void find_all(struct finder *finder)
{
	static const struct {
		void (*look)(struct finder *finder, size_t node);
		const char *word;
	} ways[] = { [WRAPPER_STATES] = { look_at_state, "state" },
		     [WRAPPER_PIPELINE] = { look_at_step, "step" },
		     [WRAPPER_KUBERNETES] = { look_at_object, "object" } };
	void (*look)(struct finder * finder, size_t node) = ways[finder->wrapper].look;
	finder->list->word = ways[finder->wrapper].word;
	for (size_t node = 0; look && node < finder->doc->count; node++)
		if (finder->doc->nodes[node].kind == JSON_OBJECT)
			look(finder, node);
}

void wrapped_find(struct wrapped_list *list, const struct json_doc *doc, const struct loose *origin)
{
	struct finder finder = { .list = list, .doc = doc, .origin = origin };
	*list = (struct wrapped_list){ .word = "" };
	list->items = mem_new(WRAPPED_MAX, sizeof(*list->items));
	if (has(doc, "StartAt") && has(doc, "States"))
		finder.wrapper = WRAPPER_STATES;
	else if (has(doc, "Steps") && has(doc, "Version"))
		finder.wrapper = WRAPPER_PIPELINE;
	else if (is_kubernetes(doc))
		finder.wrapper = WRAPPER_KUBERNETES;
	if (finder.wrapper != WRAPPER_NONE)
		find_all(&finder);
	else if (has(doc, "TrainingJobName") != has(doc, "ProcessingJobName") &&
		 !has(doc, "TrainingJobArn") && !has(doc, "ProcessingJobArn"))
		add_request(&finder, 0,
			    has(doc, "TrainingJobName") ? JOB_TRAINING : JOB_PROCESSING);
}

void wrapped_release(struct wrapped_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->count; i++)
		loose_release(&list->items[i].request);
	free(list->items);
	*list = (struct wrapped_list){ 0 };
}
