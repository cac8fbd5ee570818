#include "aws/sim/tags.h"

#include <stdlib.h>
#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/emit.h"
#include "aws/sim/validate.h"

#define TAGS_BYTES (64 * 1024)

struct sim_job *sim_tags_job(const struct sim_world *world, const struct json_doc *doc,
			     struct err *err)
{
	struct buf arn;
	struct sim_job *job = NULL;
	sim_arg_text(doc, 0, "ResourceArn", &arn);
	const char *name = strrchr(buf_text(&arn), '/');
	for (int kind = SIM_TRAINING; name && !job && kind <= SIM_PROCESSING; kind++) {
		job = sim_job_find(world, (enum sim_job_kind)kind, name + 1);
		if (job && strcmp(job->arn, buf_text(&arn)) != 0)
			job = NULL;
	}
	buf_release(&arn);
	if (!job)
		sim_refuse(err, 400, "ResourceNotFound", "Requested resource not found.");
	return job;
}

/* The list as JSON text: of the last AddTags, else of the request. */
static bool parse_tags(const struct sim_job *job, struct json_doc *doc, size_t *list)
{
	struct err err = { 0 };
	const char *text = job->tags ? job->tags : job->request;
	size_t len = job->tags ? strlen(job->tags) : job->request_len;
	bool fine = json_doc_parse(doc, text, len, &err);
	err_clear(&err);
	*list = fine ? sim_arg(doc, 0, "Tags") : JSON_NONE;
	return fine;
}

void sim_tags_emit(const struct sim_job *job, struct buf *out)
{
	struct json_doc doc = { 0 };
	size_t list = JSON_NONE;
	sim_emit_key(out, "Tags");
	if (parse_tags(job, &doc, &list) && list != JSON_NONE)
		sim_emit_value(out, &doc, list, sim_shape_named("TagList"));
	else
		buf_add_text(out, "[]");
	json_doc_release(&doc);
}

static bool same_key(const struct json_doc *a, size_t one, const struct json_doc *b, size_t other)
{
	struct buf left, right;
	sim_arg_text(a, one, "Key", &left);
	sim_arg_text(b, other, "Key", &right);
	bool same = strcmp(buf_text(&left), buf_text(&right)) == 0;
	buf_release(&left);
	buf_release(&right);
	return same;
}

static bool is_there(const struct json_doc *doc, size_t list, const struct json_doc *other,
		     size_t tag)
{
	for (size_t node = json_doc_child(doc, list); node != JSON_NONE;
	     node = json_doc_next(doc, node)) {
		if (same_key(doc, node, other, tag))
			return true;
	}
	return false;
}

/* Adds the list's tags, but for those that the other list has anew. */
static size_t add_all(struct buf *out, const struct json_doc *doc, size_t list,
		      const struct json_doc *newer, size_t newer_list)
{
	size_t count = 0;
	for (size_t node = json_doc_child(doc, list); node != JSON_NONE;
	     node = json_doc_next(doc, node)) {
		if (newer && is_there(newer, newer_list, doc, node))
			continue;
		sim_emit_comma(out);
		sim_emit_value(out, doc, node, sim_shape_named("Tag"));
		count++;
	}
	return count;
}

static bool has_own_key(const struct json_doc *doc, size_t list)
{
	bool found = false;
	for (size_t node = json_doc_child(doc, list); node != JSON_NONE;
	     node = json_doc_next(doc, node)) {
		struct buf key;
		sim_arg_text(doc, node, "Key", &key);
		found = found || strncmp(buf_text(&key), "aws:", 4) == 0;
		buf_release(&key);
	}
	return found;
}

bool sim_tags_check(const struct json_doc *doc, struct err *err)
{
	return !has_own_key(doc, sim_arg(doc, 0, "Tags")) ||
	       sim_refuse(err, 400, "ValidationException",
			  "aws: prefixed tag key names are not allowed for external use.");
}

bool sim_tags_add(struct sim_job *job, const struct json_doc *doc, struct err *err)
{
	struct json_doc old = { 0 };
	struct buf text;
	size_t list = JSON_NONE, added = sim_arg(doc, 0, "Tags");
	if (!sim_tags_check(doc, err))
		return false;
	buf_init(&text, TAGS_BYTES);
	buf_add_text(&text, "{\"Tags\":[");
	size_t count = parse_tags(job, &old, &list) ? add_all(&text, &old, list, doc, added) : 0;
	count += add_all(&text, doc, added, NULL, JSON_NONE);
	buf_add_text(&text, "]}");
	bool fine = (count <= SIM_TAGS_MAX && !text.failed) ||
		    sim_refuse(err, 400, "ValidationException",
			       "A resource can have %d tags at most.", SIM_TAGS_MAX);
	if (fine) {
		free(job->tags);
		job->tags = buf_take(&text);
	}
	buf_release(&text);
	json_doc_release(&old);
	return fine;
}
