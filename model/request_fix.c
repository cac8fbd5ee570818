/* The fix of a finding made in the request: in its list, or by one member set or taken out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/check_rules.h"
#include "model/request_parts.h"

#define SPOT_MEMBER "EnableManagedSpotTraining"
#define WAIT_MEMBER "MaxWaitTimeInSeconds"

static bool refuse(const struct finding *finding, const char *why, struct err *err)
{
	err_set(err, ERR_USAGE, "%s", why);
	return err_subject(err, "%s", finding->rule);
}

static bool fix_list(struct request *request, const struct finding *finding, struct err *err)
{
	struct request_facts facts;
	if (!request_facts(request, &facts, err))
		return false;
	if (!finding_apply(finding, &facts.prefs))
		return refuse(finding, "the fix does not fit this list", err);
	return request_set_preferences(request, &facts.prefs, err);
}

/* The member at path, or the value that stands where the finding points: a key may hold the dots
 * and brackets that a path is made of. */
static size_t find_member(const struct json_doc *doc, const struct finding *finding)
{
	size_t node = json_doc_path(doc, finding->path);
	for (size_t i = 1; node == JSON_NONE && i < doc->count; i++) {
		const struct json_node *at = &doc->nodes[i];
		if (at->line == finding->line && at->column == finding->column &&
		    at->key_end > at->key_start)
			node = i;
	}
	return node == 0 ? JSON_NONE : node;
}

static bool drop_member(struct request *request, const struct finding *finding, struct err *err)
{
	struct json_doc doc = { 0 };
	bool ok = request_parse(request, &doc, err);
	size_t node = ok ? find_member(&doc, finding) : JSON_NONE;
	if (ok && node == JSON_NONE) {
		ok = refuse(finding, "the member is not in the request", err);
	} else if (ok) {
		bool *drop = mem_new(doc.count, sizeof(*drop));
		const struct json_edit edit = { .object = doc.nodes[node].parent, .drop = drop };
		drop[node] = true;
		ok = request_apply(request, &doc, &edit, err);
		free(drop);
	}
	json_doc_release(&doc);
	return ok;
}

/* "A.B.C" into the object "A.B" and the member "C". */
static const char *split_path(const char *path, char object[CHECK_PATH_SIZE])
{
	const char *dot = strrchr(path, '.');
	(void)snprintf(object, CHECK_PATH_SIZE, "%.*s", dot ? (int)(dot - path) : 0, path);
	return dot ? dot + 1 : path;
}

static bool set_member(struct request *request, const struct finding *finding, struct err *err)
{
	char object[CHECK_PATH_SIZE];
	const struct json_change change = { split_path(finding->path, object), finding->fix_value };
	struct json_doc doc = { 0 };
	bool ok = request_parse(request, &doc, err);
	size_t node = ok ? json_doc_path(&doc, object) : JSON_NONE;
	bool there = !object[0] || (node != JSON_NONE && doc.nodes[node].kind == JSON_OBJECT);
	json_doc_release(&doc);
	return ok && (there || request_need_object(request, object, err)) &&
	       request_change_member(request, object, &change, err);
}

static bool drop_spot(struct request *request, struct err *err)
{
	static const struct json_change spot = { SPOT_MEMBER, NULL }, wait = { WAIT_MEMBER, NULL };
	struct json_doc doc = { 0 };
	bool ok = request_parse(request, &doc, err);
	bool waits = ok && json_doc_path(&doc, "StoppingCondition." WAIT_MEMBER) != JSON_NONE;
	json_doc_release(&doc);
	return ok && (!waits || request_change_member(request, "StoppingCondition", &wait, err)) &&
	       request_change_member(request, "", &spot, err);
}

static bool make_fix(struct request *request, const struct finding *finding, struct err *err)
{
	switch (finding->fix) {
	case FIX_NONE:
		return refuse(finding, "this finding has no fix that a key can make", err);
	case FIX_SET_NAME:
		return finding->fix_value[0] ? request_set_name(request, finding->fix_value, err)
					     : refuse(finding, "the new name is missing", err);
	case FIX_DROP_MEMBER:
		return drop_member(request, finding, err);
	case FIX_SET_MEMBER:
		return set_member(request, finding, err);
	case FIX_DROP_SPOT:
		return drop_spot(request, err);
	case FIX_DROP_PLAN:
		/* A job of instance groups has a plan too, and no list to write. */
		if (finding->entry == CHECK_NO_ENTRY)
			return drop_member(request, finding, err);
		break;
	case FIX_SET_COUNT:
		/* The shared one can stand beside nothing at all. */
		if (finding->entry == CHECK_NO_ENTRY)
			return set_member(request, finding, err);
		break;
	case FIX_REMOVE_ENTRY:
	case FIX_CUT_LIST:
	case FIX_KEEP_FIRST:
	case FIX_SPREAD_COUNT:
	case FIX_SHARE_COUNT:
	case FIX_SET_TYPE:
		break;
	}
	return fix_list(request, finding, err);
}

bool request_apply_fix(struct request *request, const struct finding *finding, struct err *err)
{
	struct request changed = { .kind = request->kind, .text = mem_copy_text(request->text) };
	if (!make_fix(&changed, finding, err)) {
		request_release(&changed);
		return false;
	}
	request_release(request);
	*request = changed;
	return true;
}
