/* The preference list written into a request: entries that stay keep their bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/check_rules.h"
#include "model/request_parts.h"

#define COUNT_TEXT_SIZE 32

/* The list as it stands in the document, and how to write more like it. */
struct old_list {
	const struct json_doc *doc;
	size_t cluster;
	size_t list; /* JSON_NONE = there is none, or an empty one */
	const struct preferences *prefs;
};

static size_t child_at(const struct json_doc *doc, size_t list, size_t index)
{
	size_t node = json_doc_child(doc, list);
	while (index-- > 0)
		node = json_doc_next(doc, node);
	return node;
}

static bool same_entry(const struct preference *a, const struct preference *b)
{
	return strcmp(a->instance_type, b->instance_type) == 0 && a->has_count == b->has_count &&
	       (!a->has_count || a->count == b->count) && strcmp(a->plan_arn, b->plan_arn) == 0;
}

/* The old entry of that type, or JSON_NONE. */
static size_t find_old(const struct old_list *old, const struct preference *entry, bool *same)
{
	for (size_t i = 0; old->list != JSON_NONE && i < old->prefs->length; i++) {
		const struct preference *before = &old->prefs->entries[i];
		if (strcmp(before->instance_type, entry->instance_type) != 0)
			continue;
		*same = same_entry(before, entry);
		return child_at(old->doc, old->list, i);
	}
	*same = false;
	return JSON_NONE;
}

struct entry_values {
	struct buf type, plans;
	char count[COUNT_TEXT_SIZE];
};

static void entry_values_init(struct entry_values *values, const struct preference *entry)
{
	buf_init(&values->type, JSON_TEXT_MAX);
	buf_init(&values->plans, JSON_TEXT_MAX);
	text_add_json(&values->type, entry->instance_type);
	(void)buf_add_char(&values->plans, '[');
	text_add_json(&values->plans, entry->plan_arn);
	(void)buf_add_char(&values->plans, ']');
	(void)snprintf(values->count, sizeof(values->count), "%" PRId64, entry->count);
}

static void entry_values_release(struct entry_values *values)
{
	buf_release(&values->type);
	buf_release(&values->plans);
}

static void mark_unknown(const struct json_doc *doc, bool *drop)
{
	struct buf key;
	buf_init(&key, JSON_TEXT_MAX);
	for (size_t node = json_doc_child(doc, 0); node != JSON_NONE;
	     node = json_doc_next(doc, node)) {
		buf_clear(&key);
		(void)json_doc_key(doc, node, &key);
		drop[node] = strcmp(buf_text(&key), "InstanceType") != 0 &&
			     strcmp(buf_text(&key), "InstanceCount") != 0 &&
			     strcmp(buf_text(&key), "TrainingPlanArns") != 0;
	}
	buf_release(&key);
}

/* An entry made from the text of an old one; a model of another type gives only its looks. */
static bool write_like(const struct old_list *old, size_t model, bool is_own,
		       const struct preference *entry, struct buf *out)
{
	const struct json_node *node = &old->doc->nodes[model];
	const char *text = old->doc->text + node->start;
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	struct entry_values values;
	bool ok = json_doc_parse(&doc, text, node->end - node->start, &err);
	err_clear(&err);
	entry_values_init(&values, entry);
	if (ok && doc.nodes[0].kind == JSON_OBJECT) {
		bool *drop = mem_new(doc.count, sizeof(*drop));
		if (!is_own)
			mark_unknown(&doc, drop);
		const struct json_change changes[] = {
			{ "InstanceType", buf_text(&values.type) },
			{ "InstanceCount", entry->has_count ? values.count : NULL },
			{ "TrainingPlanArns", entry->plan_arn[0] ? buf_text(&values.plans) : NULL },
		};
		const struct json_edit edit = { .changes = changes,
						.count = ARRAY_LEN(changes),
						.drop = drop };
		ok = json_edit_apply(&doc, &edit, out);
		free(drop);
	} else {
		ok = false;
	}
	entry_values_release(&values);
	json_doc_release(&doc);
	return ok;
}

static void write_break(struct buf *out, const struct json_style *style, size_t levels)
{
	if (!style->lines)
		return;
	(void)buf_addf(out, "%s%s", style->newline, style->indent);
	for (size_t i = 0; i < levels; i++)
		(void)buf_add_text(out, style->unit);
}

static void write_member(struct buf *out, const struct json_style *style, bool first,
			 const char *name, const char *value)
{
	if (!first)
		(void)buf_add_char(out, ',');
	if (!first && !style->lines && strchr(style->colon, ' '))
		(void)buf_add_char(out, ' ');
	write_break(out, style, 2);
	(void)buf_addf(out, "\"%s\"%s%s", name, style->colon, value);
}

/* An entry where no old one shows how, in the manner of the members around the list. */
static void write_fresh(const struct json_style *style, const struct preference *entry,
			struct buf *out)
{
	struct entry_values values;
	entry_values_init(&values, entry);
	(void)buf_add_char(out, '{');
	write_member(out, style, true, "InstanceType", buf_text(&values.type));
	if (entry->has_count)
		write_member(out, style, false, "InstanceCount", values.count);
	if (entry->plan_arn[0])
		write_member(out, style, false, "TrainingPlanArns", buf_text(&values.plans));
	write_break(out, style, 1);
	(void)buf_add_char(out, '}');
	entry_values_release(&values);
}

static void write_entry(const struct old_list *old, const struct json_style *style,
			const struct preference *entry, struct buf *out)
{
	bool same;
	size_t own = find_old(old, entry, &same);
	if (own != JSON_NONE && same) {
		const struct json_node *node = &old->doc->nodes[own];
		(void)buf_add(out, old->doc->text + node->start, node->end - node->start);
		return;
	}
	size_t model = own != JSON_NONE ? own : json_doc_child(old->doc, old->list);
	size_t mark = out->len;
	if (old->list != JSON_NONE && write_like(old, model, own != JSON_NONE, entry, out))
		return;
	if (out->len == mark)
		write_fresh(style, entry, out);
}

/* The blanks before entry i: those that stood before the old ones. */
static void write_lead(const struct old_list *old, const struct json_style *style, size_t i,
		       struct buf *out)
{
	size_t first = json_doc_child(old->doc, old->list);
	if (old->list == JSON_NONE) {
		if (i > 0 && !style->lines && strchr(style->colon, ' '))
			(void)buf_add_char(out, ' ');
		write_break(out, style, 1);
		return;
	}
	size_t node = i > 0 && json_doc_next(old->doc, first) != JSON_NONE
			      ? json_doc_next(old->doc, first)
			      : first;
	size_t end = old->doc->nodes[node].start, start = end;
	while (strchr(" \t\r\n", old->doc->text[start - 1]))
		start--;
	if (start == end && i > 0 && node == first && strchr(style->colon, ' '))
		(void)buf_add_char(out, ' ');
	(void)buf_add(out, old->doc->text + start, end - start);
}

static void write_list(const struct old_list *old, const struct preferences *prefs, struct buf *out)
{
	struct json_style style = json_style_of(old->doc, old->cluster);
	(void)buf_add_char(out, '[');
	for (size_t i = 0; i < prefs->length; i++) {
		if (i > 0)
			(void)buf_add_char(out, ',');
		write_lead(old, &style, i, out);
		write_entry(old, &style, &prefs->entries[i], out);
	}
	if (old->list == JSON_NONE && prefs->length > 0)
		write_break(out, &style, 0);
	if (old->list != JSON_NONE && prefs->length > 0) {
		size_t last =
			child_at(old->doc, old->list, json_doc_length(old->doc, old->list) - 1);
		size_t from = old->doc->nodes[last].end, to = old->doc->nodes[old->list].end - 1;
		(void)buf_add(out, old->doc->text + from, to - from);
	}
	(void)buf_add_char(out, ']');
}

/* The values that stand beside or in place of the list; NULL = the member goes. */
struct cluster_values {
	struct buf type, list, plan;
	char count[COUNT_TEXT_SIZE];
	const char *type_text, *list_text, *plan_text, *count_text;
};

static void set_json(struct buf *buf, const char **slot, const char *text)
{
	text_add_json(buf, text);
	*slot = buf_text(buf);
}

static void fill_cluster(struct cluster_values *values, const struct old_list *old,
			 const struct preferences *prefs, bool as_list)
{
	int64_t count = prefs->shared_count;
	bool has_count = prefs->has_shared_count;
	const char *plan = prefs->job_plan_arn;
	if (as_list) {
		write_list(old, prefs, &values->list);
		values->list_text = buf_text(&values->list);
	} else {
		set_json(&values->type, &values->type_text, prefs->entries[0].instance_type);
		has_count = prefs_count(prefs, 0, &count);
		plan = prefs_plan(prefs, 0);
	}
	if (plan[0])
		set_json(&values->plan, &values->plan_text, plan);
	if (has_count) {
		(void)snprintf(values->count, sizeof(values->count), "%" PRId64, count);
		values->count_text = values->count;
	}
}

/* A member whose value stays keeps its bytes (1.0 is the count 1). */
static size_t add_change(struct json_change *changes, size_t count, const char *name,
			 const char *value, bool stays)
{
	if (!stays)
		changes[count++] = (struct json_change){ name, value };
	return count;
}

static bool count_stays(const struct old_list *old, const char *count_text)
{
	int64_t before;
	return count_text &&
	       json_doc_integer(old->doc, json_doc_member(old->doc, old->cluster, "InstanceCount"),
				&before) &&
	       before == strtoll(count_text, NULL, 10);
}

static bool string_stays(const struct old_list *old, const char *name, const char *value)
{
	struct buf before;
	buf_init(&before, JSON_TEXT_MAX);
	bool stays =
		value &&
		json_doc_string(old->doc, json_doc_member(old->doc, old->cluster, name), &before) &&
		strcmp(buf_text(&before), value) == 0;
	buf_release(&before);
	return stays;
}

static bool write_cluster(struct request *request, const struct old_list *old,
			  const struct preferences *prefs, struct err *err)
{
	bool as_list = prefs->is_list || prefs->length > 1;
	const char *plan = as_list ? prefs->job_plan_arn : prefs_plan(prefs, 0);
	const char *type = as_list ? NULL : prefs->entries[0].instance_type;
	struct cluster_values values = { 0 };
	struct json_change changes[4];
	size_t count = 0;
	buf_init(&values.type, JSON_TEXT_MAX);
	buf_init(&values.list, JSON_TEXT_MAX);
	buf_init(&values.plan, JSON_TEXT_MAX);
	fill_cluster(&values, old, prefs, as_list);
	count = add_change(changes, count, "InstanceType", values.type_text,
			   string_stays(old, "InstanceType", type));
	count = add_change(changes, count, "InstanceCount", values.count_text,
			   count_stays(old, values.count_text));
	count = add_change(changes, count, "InstancePreferences", values.list_text, false);
	count = add_change(changes, count, "TrainingPlanArn", values.plan_text,
			   string_stays(old, "TrainingPlanArn", plan[0] ? plan : NULL));
	const struct json_edit edit = { .object = old->cluster,
					.changes = changes,
					.count = count };
	bool ok = values.list.failed ? err_set(err, ERR_TOO_BIG, "the list is too large")
				     : request_apply(request, old->doc, &edit, err);
	buf_release(&values.type);
	buf_release(&values.list);
	buf_release(&values.plan);
	return ok;
}

static bool has_groups(const struct preferences *prefs)
{
	for (size_t i = 0; i < prefs->length; i++) {
		if (prefs->entries[i].group[0])
			return true;
	}
	return false;
}

/* Whether the document says the same already, in whichever of the ways. */
static bool says_same(const struct request_facts *facts, const struct preferences *prefs)
{
	int64_t before, after;
	if (prefs_equal(&facts->prefs, prefs))
		return facts->list_length <= prefs->length &&
		       !(prefs->is_list && facts->has_instance_type);
	if (prefs->is_list || facts->prefs.is_list || prefs->length != 1 ||
	    facts->prefs.length != 1)
		return false;
	bool has_before = prefs_count(&facts->prefs, 0, &before);
	bool has_after = prefs_count(prefs, 0, &after);
	return strcmp(facts->prefs.entries[0].instance_type, prefs->entries[0].instance_type) ==
		       0 &&
	       has_before == has_after && (!has_before || before == after) &&
	       strcmp(prefs_plan(&facts->prefs, 0), prefs_plan(prefs, 0)) == 0;
}

static bool replace_list(struct request *request, const struct preferences *prefs, struct err *err)
{
	struct json_doc doc = { 0 };
	struct request_facts facts;
	bool ok = request_parse(request, &doc, err);
	if (ok) {
		request_read_facts(&doc, request->kind, &facts);
		struct old_list old = {
			.doc = &doc,
			.cluster = json_doc_path(&doc, check_cluster_path(request->kind)),
			.prefs = &facts.prefs,
		};
		old.list = json_doc_member(&doc, old.cluster, "InstancePreferences");
		if (!facts.has_list || facts.list_length == 0)
			old.list = JSON_NONE;
		ok = write_cluster(request, &old, prefs, err);
	}
	json_doc_release(&doc);
	return ok;
}

bool request_set_preferences(struct request *request, const struct preferences *prefs,
			     struct err *err)
{
	struct request_facts facts;
	if (!request_facts(request, &facts, err))
		return false;
	if (says_same(&facts, prefs))
		return true;
	if (has_groups(prefs))
		return err_set(err, ERR_USAGE,
			       "instance groups are no preference list and cannot be written as "
			       "one");
	if (!prefs->is_list && prefs->length == 0)
		return err_set(err, ERR_USAGE, "the list is empty");
	return request_need_object(request, check_cluster_path(request->kind), err) &&
	       replace_list(request, prefs, err);
}
