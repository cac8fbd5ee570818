#include "model/request.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/check_rules.h"
#include "model/jsonedit.h"
#include "model/request_parts.h"

void request_release(struct request *request)
{
	if (!request)
		return;
	free(request->text);
	*request = (struct request){ 0 };
}

bool request_parse(const struct request *request, struct json_doc *doc, struct err *err)
{
	const char *text = request->text ? request->text : "";
	if (!json_doc_parse(doc, text, strlen(text), err))
		return false;
	if (doc->nodes[0].kind == JSON_OBJECT)
		return true;
	return err_set(err, ERR_PARSE, "the request is not a JSON object");
}

bool request_apply(struct request *request, const struct json_doc *doc,
		   const struct json_edit *edit, struct err *err)
{
	struct buf out;
	buf_init(&out, JSON_TEXT_MAX);
	if (!json_edit_apply(doc, edit, &out)) {
		buf_release(&out);
		return err_set(err, ERR_TOO_BIG, "the request would be larger than %u bytes",
			       JSON_TEXT_MAX);
	}
	free(request->text);
	request->text = buf_take(&out);
	return true;
}

bool request_change_member(struct request *request, const char *path,
			   const struct json_change *change, struct err *err)
{
	struct json_doc doc = { 0 };
	bool ok = request_parse(request, &doc, err);
	if (ok) {
		const struct json_edit edit = {
			.object = path[0] ? json_doc_path(&doc, path) : 0,
			.changes = change,
			.count = 1,
		};
		ok = request_apply(request, &doc, &edit, err);
	}
	json_doc_release(&doc);
	return ok;
}

/* One step of request_need_object: path is there or becomes "{}"; its parent is there. */
static bool need_step(struct request *request, const char *parent, const char *name,
		      const char *path, struct err *err)
{
	struct json_doc doc = { 0 };
	if (!request_parse(request, &doc, err)) {
		json_doc_release(&doc);
		return false;
	}
	size_t node = json_doc_path(&doc, path);
	bool absent = node == JSON_NONE || doc.nodes[node].kind == JSON_NULL;
	bool fits = absent || doc.nodes[node].kind == JSON_OBJECT;
	json_doc_release(&doc);
	if (!fits) {
		err->hint = HINT_FIX_REQUEST;
		return err_set(err, ERR_RULE, "%s must be an object", path);
	}
	const struct json_change add = { .name = name, .value = "{}" };
	return !absent || request_change_member(request, parent, &add, err);
}

bool request_need_object(struct request *request, const char *path, struct err *err)
{
	const char *dot = strchr(path, '.');
	char parent[CHECK_PATH_SIZE];
	if (!dot)
		return need_step(request, "", path, path, err);
	(void)snprintf(parent, sizeof(parent), "%.*s", (int)(dot - path), path);
	return need_step(request, "", parent, parent, err) &&
	       need_step(request, parent, dot + 1, path, err);
}

bool request_set_name(struct request *request, const char *name, struct err *err)
{
	struct buf value;
	buf_init(&value, JSON_TEXT_MAX);
	text_add_json(&value, name);
	const struct json_change change = { check_name_member(request->kind), buf_text(&value) };
	bool ok = request_change_member(request, "", &change, err);
	buf_release(&value);
	return ok;
}

bool request_set_max_pending(struct request *request, int64_t seconds, struct err *err)
{
	char value[32];
	if (request->kind == JOB_PROCESSING)
		return err_set(err, ERR_USAGE, "a processing job has no limit of its pending time");
	(void)snprintf(value, sizeof(value), "%" PRId64, seconds);
	const struct json_change change = { "MaxPendingTimeInSeconds", value };
	return request_need_object(request, "StoppingCondition", err) &&
	       request_change_member(request, "StoppingCondition", &change, err);
}

bool request_drop_max_pending(struct request *request, struct err *err)
{
	struct json_doc doc = { 0 };
	const struct json_change drop = { "MaxPendingTimeInSeconds", NULL };
	bool ok = request_parse(request, &doc, err);
	bool there =
		ok && json_doc_path(&doc, "StoppingCondition.MaxPendingTimeInSeconds") != JSON_NONE;
	json_doc_release(&doc);
	return ok && (!there || request_change_member(request, "StoppingCondition", &drop, err));
}
