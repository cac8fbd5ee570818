/* Records of the journal as JSON: what is written, and a reader that takes nothing else. */
#include "model/journal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/jsonread.h"
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
	buf_addf(out, ", \"despite_owner\": %s", replaces->despite_owner ? "true" : "false");
	buf_addf(out, ", \"carries_tags\": %s", replaces->carries_tags ? "true" : "false");
	buf_add_char(out, '}');
}

/* Only where there is one, so that programs from before it can read all that is under way. */
static void add_refusal(struct buf *out, const struct journal_record *record)
{
	if (!record->code[0] && !record->no_lists)
		return;
	add_text(out, "code", record->code);
	add_text(out, "request_id", record->request_id);
	buf_addf(out, ",\n  \"no_lists\": %s", record->no_lists ? "true" : "false");
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
	add_refusal(out, record);
	add_text(out, "request", record->request);
	buf_add_text(out, "\n}\n");
}

/* --- reading --- */

/* A time or a number of the kernel's: far from the ends, so that sums of two fit. */
static bool take_number(const struct jsonread *reader, size_t object, const char *name,
			int64_t *value)
{
	return jsonread_number(reader, object, name, NULL, 0, INT64_MAX / 4 - 1, value);
}

static bool take_kind(const struct jsonread *reader, size_t object, enum job_kind *kind)
{
	static const char *const kinds[] = { "training", "processing" };
	size_t choice;

	if (!jsonread_word(reader, object, "kind", kinds, ARRAY_LEN(kinds), &choice))
		return false;
	*kind = (enum job_kind)choice;
	return true;
}

static bool take_time(const struct jsonread *reader, const char *name, struct journal_time *time)
{
	size_t object = json_doc_member(reader->doc, 0, name);

	return jsonread_object(reader, object, 3, name) &&
	       take_number(reader, object, "aws_ms", &time->aws_ms) &&
	       take_number(reader, object, "wall_ms", &time->wall_ms) &&
	       jsonread_flag(reader, object, "measured", &time->measured);
}

static bool take_holder(const struct jsonread *reader, struct process *holder)
{
	size_t object = json_doc_member(reader->doc, 0, "holder");

	return jsonread_object(reader, object, 6, "holder") &&
	       jsonread_field(reader, object, "host", false, holder->host, sizeof(holder->host)) &&
	       jsonread_field(reader, object, "machine", false, holder->machine,
			      sizeof(holder->machine)) &&
	       jsonread_field(reader, object, "boot", false, holder->boot, sizeof(holder->boot)) &&
	       jsonread_field(reader, object, "space", false, holder->space,
			      sizeof(holder->space)) &&
	       take_number(reader, object, "pid", &holder->pid) &&
	       take_number(reader, object, "started", &holder->started);
}

static bool take_replaces(const struct jsonread *reader, struct journal_replaces *replaces)
{
	static const char *const orders[] = { "submit-first", "stop-first" };
	size_t object = json_doc_member(reader->doc, 0, "replaces"), order = 0;
	/* Records from before they were written down have none of the last two. */
	bool has_owner = json_doc_member(reader->doc, object, "despite_owner") != JSON_NONE;
	bool has_tags = json_doc_member(reader->doc, object, "carries_tags") != JSON_NONE;

	if (jsonread_is(reader, object, JSON_NULL))
		return true;
	replaces->set =
		jsonread_object(reader, object, (size_t)5 + has_owner + has_tags, "replaces") &&
		take_kind(reader, object, &replaces->kind) &&
		jsonread_field(reader, object, "name", false, replaces->name,
			       sizeof(replaces->name)) &&
		jsonread_text(reader, object, "arn", true, TEXT_MAX_BYTES, &replaces->arn) &&
		jsonread_word(reader, object, "order", orders, ARRAY_LEN(orders), &order) &&
		jsonread_field(reader, object, "step", false, replaces->step,
			       sizeof(replaces->step)) &&
		(!has_owner ||
		 jsonread_flag(reader, object, "despite_owner", &replaces->despite_owner)) &&
		(!has_tags ||
		 jsonread_flag(reader, object, "carries_tags", &replaces->carries_tags));
	replaces->stop_first = order == 1;
	return replaces->set;
}

static bool take_settled(const struct jsonread *reader, struct opt_ms *settled)
{
	size_t node = json_doc_member(reader->doc, 0, "settled_ms");

	if (jsonread_is(reader, node, JSON_NULL))
		return true;
	settled->set = take_number(reader, 0, "settled_ms", &settled->ms);
	return settled->set;
}

static bool take_state(const struct jsonread *reader, enum journal_state *state)
{
	static const char *const states[] = { "intended", "submitted", "refused", "taken",
					      "withdrawn" };
	size_t choice;

	if (!jsonread_word(reader, 0, "state", states, ARRAY_LEN(states), &choice))
		return false;
	*state = (enum journal_state)choice;
	return true;
}

/* The request is a document that names the job. */
static bool request_fits(const struct jsonread *reader, const struct journal_record *record)
{
	const char *member = record->kind == JOB_TRAINING ? "TrainingJobName" : "ProcessingJobName";
	struct json_doc request = { 0 };
	struct err bad = { 0 };
	struct buf name;
	bool ok;

	if (!record->request)
		return record->state != JOURNAL_INTENDED || jsonread_spoilt(reader, "request");
	buf_init(&name, JOB_NAME_SIZE);
	ok = json_doc_parse(&request, record->request, strlen(record->request), &bad) &&
	     json_doc_string(&request, json_doc_member(&request, 0, member), &name) &&
	     strcmp(buf_text(&name), record->name) == 0;
	buf_release(&name);
	json_doc_release(&request);
	err_clear(&bad);
	return ok || jsonread_spoilt(reader, "request");
}

/* What no file name, path or sentence made from it could suffer from. */
static bool is_sound(const struct jsonread *reader, const struct journal_record *record)
{
	char key[JOURNAL_KEY_SIZE];
	bool settled = record->state != JOURNAL_INTENDED;

	if (!journal_key(record->kind, record->name, record->draft, key))
		return jsonread_spoilt(reader, "name");
	if (record->replaces.set && !job_name_is_valid(record->replaces.name))
		return jsonread_spoilt(reader, "replaces");
	if (settled != record->settled.set)
		return jsonread_spoilt(reader, "settled_ms");
	if ((record->state == JOURNAL_SUBMITTED && !record->arn) || (!settled && record->arn))
		return jsonread_spoilt(reader, "arn");
	return request_fits(reader, record);
}

/* Records from before they were written down have none. */
static bool take_refusal(const struct jsonread *reader, bool has_code,
			 struct journal_record *record)
{
	return !has_code ||
	       (jsonread_field(reader, 0, "code", true, record->code, sizeof(record->code)) &&
		jsonread_field(reader, 0, "request_id", true, record->request_id,
			       sizeof(record->request_id)) &&
		jsonread_flag(reader, 0, "no_lists", &record->no_lists));
}

static bool take_record(const struct jsonread *reader, struct journal_record *record)
{
	bool has_code = json_doc_member(reader->doc, 0, "code") != JSON_NONE;

	return jsonread_object(reader, 0, has_code ? 20 : 17, "the record") &&
	       take_state(reader, &record->state) && take_kind(reader, 0, &record->kind) &&
	       jsonread_field(reader, 0, "name", false, record->name, sizeof(record->name)) &&
	       jsonread_field(reader, 0, "draft", true, record->draft, sizeof(record->draft)) &&
	       jsonread_field(reader, 0, "account", true, record->account,
			      sizeof(record->account)) &&
	       jsonread_field(reader, 0, "region", true, record->region, sizeof(record->region)) &&
	       jsonread_text(reader, 0, "endpoint", true, TEXT_MAX_BYTES, &record->endpoint) &&
	       jsonread_field(reader, 0, "key", true, record->key, sizeof(record->key)) &&
	       take_time(reader, "first", &record->first) &&
	       take_time(reader, "agreed", &record->agreed) &&
	       take_settled(reader, &record->settled) && take_holder(reader, &record->holder) &&
	       take_replaces(reader, &record->replaces) &&
	       jsonread_text(reader, 0, "arn", true, TEXT_MAX_BYTES, &record->arn) &&
	       jsonread_text(reader, 0, "why", true, TEXT_MAX_BYTES, &record->why) &&
	       take_refusal(reader, has_code, record) &&
	       jsonread_text(reader, 0, "request", true, JOURNAL_RECORD_MAX, &record->request) &&
	       is_sound(reader, record);
}

enum journal_read journal_read(struct journal_record *record, const char *text, size_t len,
			       struct err *err)
{
	struct json_doc doc = { 0 };
	const struct jsonread reader = { &doc, err };
	enum journal_read read = JOURNAL_READ_DAMAGED;
	int64_t version = 0;

	*record = (struct journal_record){ 0 };
	if (json_doc_parse(&doc, text, len, err) && take_number(&reader, 0, "version", &version)) {
		if (version > JOURNAL_VERSION)
			read = JOURNAL_READ_NEWER;
		else if (version != JOURNAL_VERSION)
			jsonread_spoilt(&reader, "version");
		else if (take_record(&reader, record))
			read = JOURNAL_READ_OK;
	}
	json_doc_release(&doc);
	if (read != JOURNAL_READ_OK)
		journal_record_release(record);
	return read;
}
