#include "model/request_diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/check_rules.h"
#include "model/request_parts.h"

#define MEMBERS_MAX    600 /* of an object looked into; the service allows 512 of Environment */
#define NAME_MAX_SHOWN 64
#define ITEMS_MAX      128 /* of a list looked into; above, it is one value */

/* Members that tell the items of a list apart, the first that every item has. */
static const char *const identities[] = {
	"ChannelName", "InputName",         "OutputName", "InstanceType",
	"Key",         "InstanceGroupName", "Name",       "RuleConfigurationName",
};

struct comparing {
	struct json_doc before, after;
	struct request_diff *diff;
	enum difference_kind wanted; /* one kind a walk, so that the lost ones come first */
};

/* A value in both documents, JSON_NONE where it is not there. */
struct both {
	size_t before, after;
	const char *path;
	const char *name; /* of the member; "" = an item */
	bool is_private;  /* among a user's own names and values: hidden by their names */
};

static bool is_there(const struct json_doc *doc, size_t node)
{
	return node != JSON_NONE && doc->nodes[node].kind != JSON_NULL;
}

static bool is_kind(const struct json_doc *doc, size_t node, enum json_kind kind)
{
	return is_there(doc, node) && doc->nodes[node].kind == kind;
}

static bool same_value(const struct comparing *comparing, size_t before, size_t after);

static bool same_string(const struct comparing *comparing, size_t before, size_t after)
{
	struct buf ours, theirs;
	buf_init(&ours, JSON_TEXT_MAX);
	buf_init(&theirs, JSON_TEXT_MAX);
	(void)json_doc_string(&comparing->before, before, &ours);
	(void)json_doc_string(&comparing->after, after, &theirs);
	bool same = strcmp(buf_text(&ours), buf_text(&theirs)) == 0;
	buf_wipe(&ours);
	buf_wipe(&theirs);
	buf_release(&ours);
	buf_release(&theirs);
	return same;
}

static bool same_bytes(const struct comparing *comparing, size_t before, size_t after)
{
	const struct json_node *a = &comparing->before.nodes[before];
	const struct json_node *b = &comparing->after.nodes[after];
	return a->end - a->start == b->end - b->start &&
	       memcmp(comparing->before.text + a->start, comparing->after.text + b->start,
		      a->end - a->start) == 0;
}

static bool same_number(const struct comparing *comparing, size_t before, size_t after)
{
	int64_t ours, theirs;
	if (json_doc_integer(&comparing->before, before, &ours) &&
	    json_doc_integer(&comparing->after, after, &theirs))
		return ours == theirs;
	return same_bytes(comparing, before, after);
}

static bool same_items(const struct comparing *comparing, size_t before, size_t after)
{
	size_t a = json_doc_child(&comparing->before, before);
	size_t b = json_doc_child(&comparing->after, after);
	while (a != JSON_NONE && b != JSON_NONE && same_value(comparing, a, b)) {
		a = json_doc_next(&comparing->before, a);
		b = json_doc_next(&comparing->after, b);
	}
	return a == JSON_NONE && b == JSON_NONE;
}

/* The node's counterpart in another object, or JSON_NONE. */
static size_t twin(const struct json_doc *doc, size_t node, const struct json_doc *other,
		   size_t object)
{
	struct buf key;
	buf_init(&key, JSON_TEXT_MAX);
	(void)json_doc_key(doc, node, &key);
	size_t found = json_doc_member(other, object, buf_text(&key));
	buf_release(&key);
	return found;
}

static bool same_members(const struct comparing *comparing, size_t before, size_t after)
{
	const struct json_doc *ours = &comparing->before, *theirs = &comparing->after;
	if (json_doc_length(ours, before) > MEMBERS_MAX ||
	    json_doc_length(theirs, after) > MEMBERS_MAX)
		return same_bytes(comparing, before, after);
	for (size_t node = json_doc_child(ours, before); node != JSON_NONE;
	     node = json_doc_next(ours, node)) {
		if (!same_value(comparing, node, twin(ours, node, theirs, after)))
			return false;
	}
	for (size_t node = json_doc_child(theirs, after); node != JSON_NONE;
	     node = json_doc_next(theirs, node)) {
		size_t other = twin(theirs, node, ours, before);
		if (other == JSON_NONE && is_there(theirs, node))
			return false;
	}
	return true;
}

/* Depth is bounded by JSON_DEPTH_MAX. */
static bool same_value(const struct comparing *comparing, size_t before, size_t after)
{
	bool ours = is_there(&comparing->before, before);
	bool theirs = is_there(&comparing->after, after);
	if (!ours || !theirs)
		return ours == theirs;
	enum json_kind kind = comparing->before.nodes[before].kind;
	if (kind != comparing->after.nodes[after].kind)
		return false;
	switch (kind) {
	case JSON_OBJECT:
		return same_members(comparing, before, after);
	case JSON_ARRAY:
		return same_items(comparing, before, after);
	case JSON_STRING:
		return same_string(comparing, before, after);
	case JSON_NUMBER:
		return same_number(comparing, before, after);
	case JSON_TRUE:
	case JSON_FALSE:
	case JSON_NULL:
		break;
	}
	return true;
}

/* A name from the document as part of a line: no byte of it begins another one. */
static void add_plain(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)text[i];
		(void)buf_add_char(out, byte < ' ' || byte == 0x7f ? '?' : text[i]);
	}
}

static void cut_value(const struct buf *text, char out[REQUEST_DIFF_VALUE + 4])
{
	size_t length = text_whole_len(buf_text(text), REQUEST_DIFF_VALUE);
	(void)snprintf(out, REQUEST_DIFF_VALUE + 4, "%.*s%s", (int)length, buf_text(text),
		       length < text->len ? "..." : "");
}

static void write_value(const struct json_doc *doc, size_t node, const struct both *both,
			char out[REQUEST_DIFF_VALUE + 4])
{
	struct buf text;
	out[0] = '\0';
	if (!is_there(doc, node))
		return;
	buf_init(&text, JSON_TEXT_MAX);
	request_show_value(doc, node, both->name, both->is_private, &text);
	cut_value(&text, out);
	buf_release(&text);
}

/* A place for one of the kind that is wanted; NULL = it is not, or there is none left. */
static struct difference *next_difference(const struct comparing *comparing,
					  enum difference_kind kind, const char *path)
{
	struct request_diff *diff = comparing->diff;
	if (kind != comparing->wanted)
		return NULL;
	if (diff->count == REQUEST_DIFF_MAX) {
		diff->cut = true;
		return NULL;
	}
	struct difference *difference = &diff->items[diff->count++];
	*difference = (struct difference){ .kind = kind };
	(void)snprintf(difference->path, sizeof(difference->path), "%.*s",
		       (int)text_whole_len(path, sizeof(difference->path) - 1), path);
	return difference;
}

static void add(const struct comparing *comparing, const struct both *both)
{
	enum difference_kind kind = DIFFERENCE_CHANGED;
	if (!is_there(&comparing->after, both->after))
		kind = DIFFERENCE_LOST;
	else if (!is_there(&comparing->before, both->before))
		kind = DIFFERENCE_ADDED;
	struct difference *difference = next_difference(comparing, kind, both->path);
	if (!difference)
		return;
	write_value(&comparing->before, both->before, both, difference->before);
	write_value(&comparing->after, both->after, both, difference->after);
}

static void compare(const struct comparing *comparing, const struct both *both);

/* One member of both, or with is_item an item, under its name. */
static void compare_part(const struct comparing *comparing, const struct both *above, bool is_item,
			 const char *name, size_t before, size_t after)
{
	size_t shown = text_whole_len(name, NAME_MAX_SHOWN);
	struct buf path;
	buf_init(&path, JSON_TEXT_MAX);
	(void)buf_add_text(&path, above->path);
	(void)buf_add_text(&path, is_item ? "[" : path.len > 0 ? "." : "");
	add_plain(&path, name, shown);
	(void)buf_addf(&path, "%s%s", name[shown] ? "..." : "", is_item ? "]" : "");
	const struct both part = {
		.before = before,
		.after = after,
		.path = buf_text(&path),
		.name = is_item ? "" : name,
		.is_private = above->is_private || request_holds_secrets(above->name),
	};
	compare(comparing, &part);
	buf_release(&path);
}

/* Every copy has a name of its own. */
static bool is_name(const struct both *above, const char *key)
{
	return above->path[0] == '\0' && (strcmp(key, check_name_member(JOB_TRAINING)) == 0 ||
					  strcmp(key, check_name_member(JOB_PROCESSING)) == 0);
}

static void compare_members(const struct comparing *comparing, const struct both *both)
{
	const struct json_doc *ours = &comparing->before, *theirs = &comparing->after;
	struct buf key;
	buf_init(&key, JSON_TEXT_MAX);
	for (size_t node = json_doc_child(ours, both->before); node != JSON_NONE;
	     node = json_doc_next(ours, node)) {
		buf_clear(&key);
		(void)json_doc_key(ours, node, &key);
		if (!is_name(both, buf_text(&key)))
			compare_part(comparing, both, false, buf_text(&key), node,
				     json_doc_member(theirs, both->after, buf_text(&key)));
	}
	for (size_t node = json_doc_child(theirs, both->after); node != JSON_NONE;
	     node = json_doc_next(theirs, node)) {
		buf_clear(&key);
		(void)json_doc_key(theirs, node, &key);
		if (json_doc_member(ours, both->before, buf_text(&key)) == JSON_NONE)
			compare_part(comparing, both, false, buf_text(&key), JSON_NONE, node);
	}
	buf_release(&key);
}

/* The string member of that name of an item; false if it has none. */
static bool read_identity(const struct json_doc *doc, size_t item, const char *name,
			  struct buf *out)
{
	buf_clear(out);
	return is_kind(doc, item, JSON_OBJECT) &&
	       json_doc_string(doc, json_doc_member(doc, item, name), out);
}

static size_t find_item(const struct json_doc *doc, size_t list, const char *name,
			const char *value)
{
	struct buf own;
	size_t item = json_doc_child(doc, list);
	buf_init(&own, JSON_TEXT_MAX);
	while (item != JSON_NONE &&
	       !(read_identity(doc, item, name, &own) && strcmp(buf_text(&own), value) == 0))
		item = json_doc_next(doc, item);
	buf_release(&own);
	return item;
}

/* Every item has one, and none has another's. */
static bool tells_apart(const struct json_doc *doc, size_t list, const char *name)
{
	struct buf value;
	bool all = true;
	buf_init(&value, JSON_TEXT_MAX);
	for (size_t item = json_doc_child(doc, list); item != JSON_NONE && all;
	     item = json_doc_next(doc, item))
		all = read_identity(doc, item, name, &value) &&
		      find_item(doc, list, name, buf_text(&value)) == item;
	buf_release(&value);
	return all;
}

/* By which member the items of both lists are told apart; NULL = by none. */
static const char *identity_of(const struct comparing *comparing, const struct both *both)
{
	for (size_t i = 0; i < ARRAY_LEN(identities); i++) {
		if (tells_apart(&comparing->before, both->before, identities[i]) &&
		    tells_apart(&comparing->after, both->after, identities[i]))
			return identities[i];
	}
	return NULL;
}

static void write_order(const struct json_doc *doc, size_t list, const char *name,
			char out[REQUEST_DIFF_VALUE + 4])
{
	struct buf text, value;
	buf_init(&text, JSON_TEXT_MAX);
	buf_init(&value, JSON_TEXT_MAX);
	for (size_t item = json_doc_child(doc, list); item != JSON_NONE;
	     item = json_doc_next(doc, item)) {
		(void)read_identity(doc, item, name, &value);
		(void)buf_add_text(&text, text.len > 0 ? ", " : "");
		add_plain(&text, buf_text(&value), value.len);
	}
	cut_value(&text, out);
	buf_release(&text);
	buf_release(&value);
}

/* The items that both have stand in another order. */
static void add_order(const struct comparing *comparing, const struct both *both, const char *name)
{
	struct difference *difference = next_difference(comparing, DIFFERENCE_CHANGED, both->path);
	if (!difference)
		return;
	write_order(&comparing->before, both->before, name, difference->before);
	write_order(&comparing->after, both->after, name, difference->after);
}

static void compare_named(const struct comparing *comparing, const struct both *both,
			  const char *name)
{
	const struct json_doc *ours = &comparing->before, *theirs = &comparing->after;
	size_t last = 0;
	bool in_order = true;
	struct buf value;
	buf_init(&value, JSON_TEXT_MAX);
	for (size_t item = json_doc_child(ours, both->before); item != JSON_NONE;
	     item = json_doc_next(ours, item)) {
		(void)read_identity(ours, item, name, &value);
		size_t other = find_item(theirs, both->after, name, buf_text(&value));
		in_order = in_order && (other == JSON_NONE || other > last);
		last = other == JSON_NONE ? last : other;
		compare_part(comparing, both, true, buf_text(&value), item, other);
	}
	for (size_t item = json_doc_child(theirs, both->after); item != JSON_NONE;
	     item = json_doc_next(theirs, item)) {
		(void)read_identity(theirs, item, name, &value);
		if (find_item(ours, both->before, name, buf_text(&value)) == JSON_NONE)
			compare_part(comparing, both, true, buf_text(&value), JSON_NONE, item);
	}
	buf_release(&value);
	if (!in_order)
		add_order(comparing, both, name);
}

/* Lists of plain values are one value; objects without names are compared place by place. */
static void compare_places(const struct comparing *comparing, const struct both *both)
{
	size_t a = json_doc_child(&comparing->before, both->before);
	size_t b = json_doc_child(&comparing->after, both->after);
	if (!is_kind(&comparing->before, a, JSON_OBJECT) ||
	    !is_kind(&comparing->after, b, JSON_OBJECT)) {
		if (!same_value(comparing, both->before, both->after))
			add(comparing, both);
		return;
	}
	for (size_t i = 0; a != JSON_NONE || b != JSON_NONE; i++) {
		char index[24];
		(void)snprintf(index, sizeof(index), "%zu", i);
		compare_part(comparing, both, true, index, a, b);
		a = json_doc_next(&comparing->before, a);
		b = json_doc_next(&comparing->after, b);
	}
}

static bool both_are(const struct comparing *comparing, const struct both *both,
		     enum json_kind kind, size_t most)
{
	return is_kind(&comparing->before, both->before, kind) &&
	       is_kind(&comparing->after, both->after, kind) &&
	       json_doc_length(&comparing->before, both->before) <= most &&
	       json_doc_length(&comparing->after, both->after) <= most;
}

/* Depth is bounded by JSON_DEPTH_MAX. */
static void compare(const struct comparing *comparing, const struct both *both)
{
	if (both_are(comparing, both, JSON_OBJECT, MEMBERS_MAX)) {
		compare_members(comparing, both);
	} else if (both_are(comparing, both, JSON_ARRAY, ITEMS_MAX)) {
		const char *name = identity_of(comparing, both);
		if (name)
			compare_named(comparing, both, name);
		else
			compare_places(comparing, both);
	} else if (!same_value(comparing, both->before, both->after)) {
		add(comparing, both);
	}
}

static bool has_plan(const struct preferences *prefs, const char *plan)
{
	bool has = strcmp(prefs->job_plan_arn, plan) == 0;
	for (size_t i = 0; i < prefs->length && !has; i++)
		has = strcmp(prefs->entries[i].plan_arn, plan) == 0;
	return has;
}

static void note_plan(struct request_diff *diff, const struct preferences *after, const char *plan)
{
	if (plan[0] && !has_plan(after, plan) && diff->plan_count < REQUEST_DIFF_PLANS)
		(void)snprintf(diff->plans_lost[diff->plan_count++], PLAN_ARN_SIZE, "%s", plan);
}

static void find_lost_plans(const struct comparing *comparing, enum job_kind kind)
{
	struct request_facts before, after;
	request_read_facts(&comparing->before, kind, &before);
	request_read_facts(&comparing->after, kind, &after);
	note_plan(comparing->diff, &after.prefs, before.prefs.job_plan_arn);
	for (size_t i = 0; i < before.prefs.length; i++)
		note_plan(comparing->diff, &after.prefs, before.prefs.entries[i].plan_arn);
}

bool request_diff_find(struct request_diff *diff, const struct request *before,
		       const struct request *after, struct err *err)
{
	static const enum difference_kind kinds[] = { DIFFERENCE_LOST, DIFFERENCE_CHANGED,
						      DIFFERENCE_ADDED };
	struct comparing comparing = { .diff = diff };
	const struct both roots = { .path = "", .name = "" };
	memset(diff, 0, sizeof(*diff));
	bool ok = request_parse(before, &comparing.before, err) &&
		  request_parse(after, &comparing.after, err);
	for (size_t i = 0; ok && i < ARRAY_LEN(kinds); i++) {
		comparing.wanted = kinds[i];
		compare(&comparing, &roots);
	}
	if (ok)
		find_lost_plans(&comparing, before->kind);
	json_doc_release(&comparing.before);
	json_doc_release(&comparing.after);
	return ok;
}

static const char *last_part(const char *arn)
{
	const char *slash = strrchr(arn, '/');
	return slash ? slash + 1 : arn;
}

static void add_line(const struct difference *difference, struct buf *out)
{
	switch (difference->kind) {
	case DIFFERENCE_LOST:
		(void)buf_addf(out, "lost %s: %s\n", difference->path, difference->before);
		break;
	case DIFFERENCE_CHANGED:
		(void)buf_addf(out, "changed %s: %s -> %s\n", difference->path, difference->before,
			       difference->after);
		break;
	case DIFFERENCE_ADDED:
		(void)buf_addf(out, "added %s: %s\n", difference->path, difference->after);
		break;
	}
}

void request_diff_add_text(const struct request_diff *diff, struct buf *out)
{
	for (size_t i = 0; i < diff->plan_count; i++)
		(void)buf_addf(out, "PLAN LOST: %s was bound and is not any more.\n",
			       last_part(diff->plans_lost[i]));
	for (size_t i = 0; i < diff->count; i++)
		add_line(&diff->items[i], out);
	if (diff->cut)
		(void)buf_add_text(out, "(and more differences)\n");
}
