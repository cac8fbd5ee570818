/* Records of the journal as JSON: what is written, and a reader that takes nothing else. */
#include "model/journal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/jsontext.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define TEXT_MAX_BYTES 8192 /* of any member but the request: ERR_TEXT_MAX */

/* --- writing --- */

static void add_text(struct buf *out, const char *name, const char *value)
{
	buf_addf(out, ",\n  \"%s\": ", name);
	if (value && value[0])
		text_add_json(out, value);
	else
		buf_add_text(out, "null");
}

static void add_time(struct buf *out, const char *name, const struct journal_time *time)
{
	buf_addf(out,
		 ",\n  \"%s\": {\"aws_ms\": %" PRId64 ", \"wall_ms\": %" PRId64
		 ", \"measured\": %s}",
		 name, time->aws_ms, time->wall_ms, time->measured ? "true" : "false");
}

static void add_holder(struct buf *out, const struct process *holder)
{
	buf_add_text(out, ",\n  \"holder\": {\"host\": ");
	text_add_json(out, holder->host);
	buf_add_text(out, ", \"machine\": ");
	text_add_json(out, holder->machine);
	buf_add_text(out, ", \"boot\": ");
	text_add_json(out, holder->boot);
	buf_add_text(out, ", \"space\": ");
	text_add_json(out, holder->space);
	buf_addf(out, ", \"pid\": %" PRId64 ", \"started\": %" PRId64 "}", holder->pid,
		 holder->started);
}

static void add_replaces(struct buf *out, const struct journal_replaces *replaces)
{
	buf_add_text(out, ",\n  \"replaces\": ");
	if (!replaces->set) {
		buf_add_text(out, "null");
		return;
	}
	buf_addf(out, "{\"kind\": \"%s\", \"name\": ", job_kind_word(replaces->kind));
	text_add_json(out, replaces->name);
	buf_add_text(out, ", \"arn\": ");
	if (replaces->arn)
		text_add_json(out, replaces->arn);
	else
		buf_add_text(out, "null");
	buf_addf(out, ", \"order\": \"%s\", \"step\": ",
		 replaces->stop_first ? "stop-first" : "submit-first");
	text_add_json(out, replaces->step);
	buf_add_char(out, '}');
}

void journal_write(const struct journal_record *record, struct buf *out)
{
	buf_addf(out, "{\n  \"version\": %d,\n  \"state\": \"%s\",\n  \"kind\": \"%s\"",
		 JOURNAL_VERSION, journal_state_word(record->state), job_kind_word(record->kind));
	add_text(out, "name", record->name);
	add_text(out, "draft", record->draft);
	add_text(out, "account", record->account);
	add_text(out, "region", record->region);
	add_text(out, "endpoint", record->endpoint);
	add_text(out, "key", record->key);
	add_time(out, "first", &record->first);
	add_time(out, "agreed", &record->agreed);
	buf_add_text(out, ",\n  \"settled_ms\": ");
	if (record->settled.set)
		buf_addf(out, "%" PRId64, record->settled.ms);
	else
		buf_add_text(out, "null");
	add_holder(out, &record->holder);
	add_replaces(out, &record->replaces);
	add_text(out, "arn", record->arn);
	add_text(out, "why", record->why);
	add_text(out, "request", record->request);
	buf_add_text(out, "\n}\n");
}

/* --- reading --- */

struct reader {
	const struct json_doc *doc;
	struct err *err;
};

/* False, and err says which member, unless something was wrong before it. */
static bool spoilt(const struct reader *reader, const char *name)
{
	if (reader->err->code == ERR_NONE)
		err_set(reader->err, ERR_PARSE, "%s is missing or is not what it should be", name);
	return false;
}

static bool has_members(const struct reader *reader, size_t object, size_t count, const char *name)
{
	const struct json_doc *doc = reader->doc;

	return (object < doc->count && doc->nodes[object].kind == JSON_OBJECT &&
		json_doc_length(doc, object) == count) ||
	       spoilt(reader, name);
}

static bool is_null(const struct reader *reader, size_t node)
{
	return node < reader->doc->count && reader->doc->nodes[node].kind == JSON_NULL;
}

/* *value is NULL, and optional says whether that is well. */
static bool take_text(const struct reader *reader, size_t object, const char *name, bool optional,
		      size_t most, char **value)
{
	size_t node = json_doc_member(reader->doc, object, name);
	struct buf text;
	bool ok;

	if (optional && is_null(reader, node))
		return true;
	buf_init(&text, most);
	ok = json_doc_string(reader->doc, node, &text) && !text.failed && text.len > 0;
	if (ok)
		*value = buf_take(&text);
	else
		spoilt(reader, name);
	buf_wipe(&text);
	buf_release(&text);
	return ok;
}

/* Into an array; one that does not fit is wrong. */
static bool take_word(const struct reader *reader, size_t object, const char *name, bool optional,
		      char *out, size_t size)
{
	char *value = NULL;

	if (!take_text(reader, object, name, optional, size - 1, &value))
		return false;
	snprintf(out, size, "%s", value ? value : "");
	free(value);
	return true;
}

static bool take_number(const struct reader *reader, size_t object, const char *name,
			int64_t *value)
{
	size_t node = json_doc_member(reader->doc, object, name);

	return (json_doc_integer(reader->doc, node, value) && *value >= 0 &&
		*value < INT64_MAX / 4) ||
	       spoilt(reader, name);
}

static bool take_flag(const struct reader *reader, size_t object, const char *name, bool *value)
{
	size_t node = json_doc_member(reader->doc, object, name);
	bool known = node < reader->doc->count && (reader->doc->nodes[node].kind == JSON_TRUE ||
						   reader->doc->nodes[node].kind == JSON_FALSE);

	if (!known)
		return spoilt(reader, name);
	*value = reader->doc->nodes[node].kind == JSON_TRUE;
	return true;
}

/* One of some words: its number. */
static bool take_choice(const struct reader *reader, size_t object, const char *name,
			const char *const *words, size_t *choice)
{
	char word[24];

	if (!take_word(reader, object, name, false, word, sizeof(word)))
		return false;
	for (*choice = 0; words[*choice]; (*choice)++)
		if (strcmp(word, words[*choice]) == 0)
			return true;
	return spoilt(reader, name);
}

static bool take_kind(const struct reader *reader, size_t object, enum job_kind *kind)
{
	static const char *const kinds[] = { "training", "processing", NULL };
	size_t choice;

	if (!take_choice(reader, object, "kind", kinds, &choice))
		return false;
	*kind = (enum job_kind)choice;
	return true;
}

static bool take_time(const struct reader *reader, const char *name, struct journal_time *time)
{
	size_t object = json_doc_member(reader->doc, 0, name);

	return has_members(reader, object, 3, name) &&
	       take_number(reader, object, "aws_ms", &time->aws_ms) &&
	       take_number(reader, object, "wall_ms", &time->wall_ms) &&
	       take_flag(reader, object, "measured", &time->measured);
}

static bool take_holder(const struct reader *reader, struct process *holder)
{
	size_t object = json_doc_member(reader->doc, 0, "holder");

	return has_members(reader, object, 6, "holder") &&
	       take_word(reader, object, "host", false, holder->host, sizeof(holder->host)) &&
	       take_word(reader, object, "machine", false, holder->machine,
			 sizeof(holder->machine)) &&
	       take_word(reader, object, "boot", false, holder->boot, sizeof(holder->boot)) &&
	       take_word(reader, object, "space", false, holder->space, sizeof(holder->space)) &&
	       take_number(reader, object, "pid", &holder->pid) &&
	       take_number(reader, object, "started", &holder->started);
}

static bool take_replaces(const struct reader *reader, struct journal_replaces *replaces)
{
	static const char *const orders[] = { "submit-first", "stop-first", NULL };
	size_t object = json_doc_member(reader->doc, 0, "replaces"), order = 0;

	if (is_null(reader, object))
		return true;
	replaces->set =
		has_members(reader, object, 5, "replaces") &&
		take_kind(reader, object, &replaces->kind) &&
		take_word(reader, object, "name", false, replaces->name, sizeof(replaces->name)) &&
		take_text(reader, object, "arn", true, TEXT_MAX_BYTES, &replaces->arn) &&
		take_choice(reader, object, "order", orders, &order) &&
		take_word(reader, object, "step", false, replaces->step, sizeof(replaces->step));
	replaces->stop_first = order == 1;
	return replaces->set;
}

static bool take_settled(const struct reader *reader, struct opt_ms *settled)
{
	size_t node = json_doc_member(reader->doc, 0, "settled_ms");

	if (is_null(reader, node))
		return true;
	settled->set = take_number(reader, 0, "settled_ms", &settled->ms);
	return settled->set;
}

static bool take_state(const struct reader *reader, enum journal_state *state)
{
	static const char *const states[] = { "intended", "submitted", "refused",
					      "taken",    "withdrawn", NULL };
	size_t choice;

	if (!take_choice(reader, 0, "state", states, &choice))
		return false;
	*state = (enum journal_state)choice;
	return true;
}

/* The request is a document that names the job. */
static bool request_fits(const struct reader *reader, const struct journal_record *record)
{
	const char *member = record->kind == JOB_TRAINING ? "TrainingJobName" : "ProcessingJobName";
	struct json_doc request = { 0 };
	struct err bad = { 0 };
	struct buf name;
	bool ok;

	if (!record->request)
		return record->state != JOURNAL_INTENDED || spoilt(reader, "request");
	buf_init(&name, JOB_NAME_SIZE);
	ok = json_doc_parse(&request, record->request, strlen(record->request), &bad) &&
	     json_doc_string(&request, json_doc_member(&request, 0, member), &name) &&
	     strcmp(buf_text(&name), record->name) == 0;
	buf_release(&name);
	json_doc_release(&request);
	err_clear(&bad);
	return ok || spoilt(reader, "request");
}

/* What no file name, path or sentence made from it could suffer from. */
static bool is_sound(const struct reader *reader, const struct journal_record *record)
{
	char key[JOURNAL_KEY_SIZE];
	bool settled = record->state != JOURNAL_INTENDED;

	if (!journal_key(record->kind, record->name, record->draft, key))
		return spoilt(reader, "name");
	if (record->replaces.set && !job_name_is_valid(record->replaces.name))
		return spoilt(reader, "replaces");
	if (settled != record->settled.set)
		return spoilt(reader, "settled_ms");
	if ((record->state == JOURNAL_SUBMITTED && !record->arn) || (!settled && record->arn))
		return spoilt(reader, "arn");
	return request_fits(reader, record);
}

static bool take_record(const struct reader *reader, struct journal_record *record)
{
	return has_members(reader, 0, 17, "the record") && take_state(reader, &record->state) &&
	       take_kind(reader, 0, &record->kind) &&
	       take_word(reader, 0, "name", false, record->name, sizeof(record->name)) &&
	       take_word(reader, 0, "draft", true, record->draft, sizeof(record->draft)) &&
	       take_word(reader, 0, "account", true, record->account, sizeof(record->account)) &&
	       take_word(reader, 0, "region", true, record->region, sizeof(record->region)) &&
	       take_text(reader, 0, "endpoint", true, TEXT_MAX_BYTES, &record->endpoint) &&
	       take_word(reader, 0, "key", true, record->key, sizeof(record->key)) &&
	       take_time(reader, "first", &record->first) &&
	       take_time(reader, "agreed", &record->agreed) &&
	       take_settled(reader, &record->settled) && take_holder(reader, &record->holder) &&
	       take_replaces(reader, &record->replaces) &&
	       take_text(reader, 0, "arn", true, TEXT_MAX_BYTES, &record->arn) &&
	       take_text(reader, 0, "why", true, TEXT_MAX_BYTES, &record->why) &&
	       take_text(reader, 0, "request", true, JOURNAL_RECORD_MAX, &record->request) &&
	       is_sound(reader, record);
}

enum journal_read journal_read(struct journal_record *record, const char *text, size_t len,
			       struct err *err)
{
	struct json_doc doc = { 0 };
	struct reader reader = { &doc, err };
	enum journal_read read = JOURNAL_READ_DAMAGED;
	int64_t version = 0;

	*record = (struct journal_record){ 0 };
	if (json_doc_parse(&doc, text, len, err) && take_number(&reader, 0, "version", &version)) {
		if (version > JOURNAL_VERSION)
			read = JOURNAL_READ_NEWER;
		else if (version != JOURNAL_VERSION)
			spoilt(&reader, "version");
		else if (take_record(&reader, record))
			read = JOURNAL_READ_OK;
	}
	json_doc_release(&doc);
	if (read != JOURNAL_READ_OK)
		journal_record_release(record);
	return read;
}
