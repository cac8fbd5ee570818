#include "model/draft_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/jsonread.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define MEMBERS         16
#define LIST_MEMBERS    5
#define ENTRY_MEMBERS   4
#define SENT_MEMBERS    2
#define REFUSED_MEMBERS 6
#define SOURCE_MAX      4096 /* an ARN or a path */

static const char *const origin_words[] = {
	[DRAFT_OF_JOB] = "job", [DRAFT_CLONE] = "clone", [DRAFT_FILE] = "file"
};
/* Of the file, whatever the numbers are in the program. */
static const char *const code_words[] = {
	[ERR_NONE] = "none",           [ERR_IO] = "io",           [ERR_NET] = "net",
	[ERR_TIMEOUT] = "timeout",     [ERR_AUTH] = "auth",       [ERR_DENIED] = "denied",
	[ERR_THROTTLED] = "throttled", [ERR_SERVER] = "server",   [ERR_NOT_FOUND] = "not-found",
	[ERR_CONFLICT] = "conflict",   [ERR_REFUSED] = "refused", [ERR_PARSE] = "parse",
	[ERR_TOO_BIG] = "too-big",     [ERR_RULE] = "rule",       [ERR_CONFIG] = "config",
	[ERR_USAGE] = "usage",
};

/* --- writing --- */

static void add_text(struct buf *out, const char *name, const char *value)
{
	buf_addf(out, "\"%s\": ", name);
	if (value && value[0])
		text_add_json(out, value);
	else
		buf_add_text(out, "null");
}

static void add_member(struct buf *out, const char *name, const char *value)
{
	buf_add_text(out, ",\n  ");
	add_text(out, name, value);
}

static void add_number(struct buf *out, const char *name, bool set, int64_t value)
{
	if (set)
		buf_addf(out, ", \"%s\": %" PRId64, name, value);
	else
		buf_addf(out, ", \"%s\": null", name);
}

static void add_entry(struct buf *out, const struct preference *entry)
{
	buf_add_text(out, "{");
	add_text(out, "type", entry->instance_type);
	add_number(out, "count", entry->has_count, entry->count);
	buf_add_text(out, ", ");
	add_text(out, "plan", entry->plan_arn);
	buf_add_text(out, ", ");
	add_text(out, "group", entry->group);
	buf_add_text(out, "}");
}

static void add_list(struct buf *out, const char *name, const struct prefs_state *list)
{
	const struct preferences *prefs = &list->prefs;
	buf_addf(out, "\"%s\": {\"entries\": [", name);
	for (size_t i = 0; i < prefs->length; i++) {
		buf_add_text(out, i ? ", " : "");
		add_entry(out, &prefs->entries[i]);
	}
	buf_addf(out, "], \"is_list\": %s", prefs->is_list ? "true" : "false");
	add_number(out, "shared_count", prefs->has_shared_count, prefs->shared_count);
	buf_add_text(out, ", ");
	add_text(out, "job_plan", prefs->job_plan_arn);
	add_number(out, "max_pending_ms", list->max_pending.set, list->max_pending.ms);
	buf_add_char(out, '}');
}

static void add_sent(struct buf *out, const struct draft *draft)
{
	const char *name = draft->sent_as[0] ? draft->sent_as : draft->resumed_as;
	buf_add_text(out, ",\n  \"sent\": ");
	if (!name[0]) {
		buf_add_text(out, "null");
		return;
	}
	buf_add_char(out, '{');
	add_text(out, "name", name);
	buf_add_text(out, ", ");
	add_list(out, "list", &draft->sent);
	buf_add_char(out, '}');
}

static const char *code_word(enum err_code code)
{
	size_t at = (size_t)code;
	return at < ARRAY_LEN(code_words) && code_words[at] ? code_words[at] : code_words[ERR_NONE];
}

static void add_refused(struct buf *out, const struct draft *draft)
{
	const struct err *err = &draft->refusal;
	buf_add_text(out, ",\n  \"refused\": ");
	if (!draft->refused_as[0]) {
		buf_add_text(out, "null");
		return;
	}
	buf_add_char(out, '{');
	add_text(out, "name", draft->refused_as);
	buf_addf(out, ", \"code\": \"%s\", ", code_word(err->code));
	add_text(out, "aws_code", err->aws_code);
	buf_add_text(out, ", ");
	add_text(out, "request_id", err->request_id);
	buf_add_text(out, ", ");
	add_text(out, "text", err_text(err));
	buf_addf(out, ", \"open\": %s}", err->outcome_open ? "true" : "false");
}

void draft_file_write(const struct draft *draft, const char *writer, struct buf *out)
{
	size_t text = draft->states[draft->at - 1].text;
	const struct prefs_state now = draft_state(draft);
	buf_addf(out, "{\"version\": %d", DRAFT_FILE_VERSION);
	add_member(out, "id", draft->id);
	add_member(out, "writer", writer);
	add_member(out, "origin", origin_words[draft->origin]);
	add_member(out, "kind", job_kind_word(draft->kind));
	add_member(out, "source", draft->source);
	add_member(out, "source_name", draft->source_name);
	add_member(out, "name", draft->name);
	add_member(out, "note", draft->note);
	buf_add_text(out, ",\n  ");
	add_list(out, "original", &draft->original);
	buf_add_text(out, ",\n  ");
	add_list(out, "list", &now);
	add_sent(out, draft);
	add_refused(out, draft);
	add_member(out, "document", draft->texts[0].text);
	add_member(out, "edited", text ? draft->texts[text].text : NULL);
	buf_addf(out, ",\n  \"arn\": ");
	if (draft->arn)
		text_add_json(out, draft->arn);
	else
		buf_add_text(out, "null");
	buf_add_text(out, "\n}\n");
}

/* --- reading --- */

static bool read_entry(const struct jsonread *reader, size_t node, struct preference *entry)
{
	return jsonread_object(reader, node, ENTRY_MEMBERS, "an entry") &&
	       jsonread_field(reader, node, "type", true, entry->instance_type,
			      sizeof(entry->instance_type)) &&
	       jsonread_number(reader, node, "count", &entry->has_count, INT64_MIN, INT64_MAX,
			       &entry->count) &&
	       jsonread_field(reader, node, "plan", true, entry->plan_arn,
			      sizeof(entry->plan_arn)) &&
	       jsonread_field(reader, node, "group", true, entry->group, sizeof(entry->group));
}

static bool read_entries(const struct jsonread *reader, size_t list, struct preferences *prefs)
{
	size_t entries = json_doc_member(reader->doc, list, "entries");
	if (!jsonread_is(reader, entries, JSON_ARRAY) ||
	    json_doc_length(reader->doc, entries) > PREFS_KEEP_MAX)
		return jsonread_spoilt(reader, "entries");
	for (size_t node = json_doc_child(reader->doc, entries); node != JSON_NONE;
	     node = json_doc_next(reader->doc, node))
		if (!read_entry(reader, node, &prefs->entries[prefs->length++]))
			return false;
	return true;
}

static bool read_list(const struct jsonread *reader, size_t object, const char *name,
		      struct prefs_state *list)
{
	size_t node = json_doc_member(reader->doc, object, name);
	struct preferences *prefs = &list->prefs;
	*list = (struct prefs_state){ 0 };
	return jsonread_object(reader, node, LIST_MEMBERS, name) &&
	       read_entries(reader, node, prefs) &&
	       jsonread_flag(reader, node, "is_list", &prefs->is_list) &&
	       jsonread_number(reader, node, "shared_count", &prefs->has_shared_count, INT64_MIN,
			       INT64_MAX, &prefs->shared_count) &&
	       jsonread_field(reader, node, "job_plan", true, prefs->job_plan_arn,
			      sizeof(prefs->job_plan_arn)) &&
	       jsonread_number(reader, node, "max_pending_ms", &list->max_pending.set, INT64_MIN,
			       INT64_MAX, &list->max_pending.ms);
}

static bool read_sent(const struct jsonread *reader, struct draft_parts *parts)
{
	size_t node = json_doc_member(reader->doc, 0, "sent");
	if (jsonread_is(reader, node, JSON_NULL))
		return true;
	return jsonread_object(reader, node, SENT_MEMBERS, "sent") &&
	       jsonread_field(reader, node, "name", true, parts->sent_as, sizeof(parts->sent_as)) &&
	       (parts->sent_as[0] || jsonread_spoilt(reader, "sent")) &&
	       read_list(reader, node, "list", &parts->sent);
}

static bool read_refused(const struct jsonread *reader, struct draft_parts *parts)
{
	size_t node = json_doc_member(reader->doc, 0, "refused"), code;
	struct err *err = &parts->refusal;
	char *text = NULL;
	if (jsonread_is(reader, node, JSON_NULL))
		return true;
	bool ok = jsonread_object(reader, node, REFUSED_MEMBERS, "refused") &&
		  jsonread_field(reader, node, "name", true, parts->refused_as,
				 sizeof(parts->refused_as)) &&
		  (parts->refused_as[0] || jsonread_spoilt(reader, "refused")) &&
		  jsonread_word(reader, node, "code", code_words, ARRAY_LEN(code_words), &code) &&
		  jsonread_text(reader, node, "text", true, ERR_TEXT_MAX, &text);
	if (ok)
		err_set(err, (enum err_code)code, "%s", text ? text : "");
	free(text);
	return ok &&
	       jsonread_field(reader, node, "aws_code", true, err->aws_code,
			      sizeof(err->aws_code)) &&
	       jsonread_field(reader, node, "request_id", true, err->request_id,
			      sizeof(err->request_id)) &&
	       jsonread_flag(reader, node, "open", &err->outcome_open);
}

/* What the file is about. */
static bool read_head(const struct jsonread *reader, struct draft_parts *parts)
{
	static const char *const kinds[] = {
		[JOB_TRAINING] = "training", [JOB_PROCESSING] = "processing"
	};
	char id[DRAFT_ID_SIZE], *writer = NULL;
	size_t origin = 0, kind = 0;
	bool ok = jsonread_field(reader, 0, "id", true, id, sizeof(id)) &&
		  (strcmp(id, parts->id) == 0 || jsonread_spoilt(reader, "id")) &&
		  jsonread_text(reader, 0, "writer", true, SOURCE_MAX, &writer) &&
		  jsonread_word(reader, 0, "origin", origin_words, ARRAY_LEN(origin_words),
				&origin) &&
		  jsonread_word(reader, 0, "kind", kinds, ARRAY_LEN(kinds), &kind);
	free(writer);
	parts->origin = (enum draft_origin)origin;
	parts->kind = (enum job_kind)kind;
	return ok;
}

static bool read_body(const struct jsonread *reader, struct draft_parts *parts)
{
	return jsonread_text(reader, 0, "source", true, SOURCE_MAX, &parts->source) &&
	       jsonread_field(reader, 0, "source_name", true, parts->source_name,
			      sizeof(parts->source_name)) &&
	       jsonread_field(reader, 0, "name", true, parts->name, sizeof(parts->name)) &&
	       jsonread_text(reader, 0, "note", true, DRAFT_NOTE_SIZE - 1, &parts->note) &&
	       read_list(reader, 0, "original", &parts->original) &&
	       read_list(reader, 0, "list", &parts->list) && read_sent(reader, parts) &&
	       read_refused(reader, parts) &&
	       jsonread_text(reader, 0, "document", true, REQUEST_MAX, &parts->document) &&
	       jsonread_text(reader, 0, "edited", true, REQUEST_MAX, &parts->edited) &&
	       jsonread_text(reader, 0, "arn", true, SOURCE_MAX, &parts->arn) &&
	       ((parts->origin == DRAFT_OF_JOB) == (parts->arn != NULL) ||
		jsonread_spoilt(reader, "arn")) &&
	       (parts->origin == DRAFT_OF_JOB || parts->document ||
		jsonread_spoilt(reader, "document")) &&
	       (parts->document || !parts->edited || jsonread_spoilt(reader, "edited"));
}

static void release_parts(struct draft_parts *parts)
{
	char **const texts[] = { &parts->document, &parts->edited };
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		size_t len = *texts[i] ? strlen(*texts[i]) : 0;
		struct buf gone = { .data = *texts[i], .len = len, .capacity = len + 1 };
		buf_wipe(&gone);
		buf_release(&gone);
	}
	err_clear(&parts->refusal);
	free(parts->source);
	free(parts->note);
	free(parts->arn);
	free(parts);
}

static enum draft_file_is read_doc(const char *id, const struct json_doc *doc, struct draft **draft,
				   struct err *err)
{
	const struct jsonread reader = { doc, err };
	struct draft_parts *parts;
	int64_t version = 0;
	if (!jsonread_is(&reader, 0, JSON_OBJECT) ||
	    !json_doc_integer(doc, json_doc_member(doc, 0, "version"), &version) || version < 1) {
		jsonread_spoilt(&reader, "version");
		return DRAFT_FILE_DAMAGED;
	}
	if (version > DRAFT_FILE_VERSION) {
		err_set(err, ERR_PARSE, "was written by a newer gpuq (version %" PRId64 ")",
			version);
		return DRAFT_FILE_NEWER;
	}
	parts = mem_new(1, sizeof(*parts));
	parts->id = id;
	if (jsonread_object(&reader, 0, MEMBERS, "the draft") && read_head(&reader, parts) &&
	    read_body(&reader, parts))
		*draft = draft_restore(parts, err);
	release_parts(parts);
	return *draft ? DRAFT_FILE_OK : DRAFT_FILE_DAMAGED;
}

enum draft_file_is draft_file_read(const char *id, const char *text, size_t len,
				   struct draft **draft, struct err *err)
{
	struct json_doc doc = { 0 };
	enum draft_file_is is = DRAFT_FILE_DAMAGED;
	*draft = NULL;
	if (json_doc_parse(&doc, text, len, err))
		is = read_doc(id, &doc, draft, err);
	json_doc_release(&doc);
	return is;
}
