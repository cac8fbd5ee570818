#include "model/actions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/jsonread.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define TIME_MOST (INT64_MAX / 4)

static const char *const words[ACTION_RESULTS] = {
	[ACTION_DONE] = "done", [ACTION_NOTHING] = "nothing",   [ACTION_REFUSED] = "refused",
	[ACTION_OPEN] = "open", [ACTION_NOT_SENT] = "not-sent",
};

const char *action_result_word(enum action_result result)
{
	return words[result];
}

static void copy(char *out, size_t size, const char *text)
{
	size_t len = text_whole_len(text, size - 1);
	memcpy(out, text, len);
	out[len] = '\0';
}

void action_set_err(struct action *action, const struct err *err)
{
	action->result = !err ? ACTION_DONE : err->outcome_open ? ACTION_OPEN : ACTION_REFUSED;
	if (!err)
		return;
	copy(action->code, sizeof(action->code), err->aws_code);
	copy(action->request_id, sizeof(action->request_id), err->request_id);
	copy(action->text, sizeof(action->text), err_text(err));
}

/* --- the list --- */

void actions_add(struct actions *actions, const struct action *action)
{
	actions->version++;
	if (actions->count == ACTIONS_MAX) {
		actions->count--;
		memmove(actions->items, actions->items + 1,
			actions->count * sizeof(*actions->items));
	}
	actions->items = mem_grow(actions->items, &actions->capacity, actions->count + 1,
				  sizeof(*actions->items));
	actions->items[actions->count++] = *action;
}

void actions_replace(struct actions *actions, const struct action *earlier, size_t count,
		     size_t kept)
{
	struct actions all = { .version = actions->version + 1, .is_read = actions->is_read };
	size_t most = ACTIONS_MAX - (kept < ACTIONS_MAX ? kept : ACTIONS_MAX);
	for (size_t i = count > most ? count - most : 0; i < count; i++)
		actions_add(&all, &earlier[i]);
	for (size_t i = actions->count - kept; i < actions->count; i++)
		actions_add(&all, &actions->items[i]);
	actions_release(actions);
	*actions = all;
}

void actions_release(struct actions *actions)
{
	free(actions->items);
	*actions = (struct actions){ .version = actions->version + 1 };
}

bool action_is_of(const struct action *action, const char *job)
{
	return strcmp(action->subject, job) == 0 || strcmp(action->other, job) == 0;
}

/* --- a line --- */

static void add(struct buf *out, const char *name, const char *value)
{
	buf_addf(out, ",\"%s\":", name);
	if (value[0])
		text_add_json(out, value);
	else
		buf_add_text(out, "null");
}

void action_write(const struct action *action, struct buf *out)
{
	buf_addf(out, "{\"at_ms\":%" PRId64, action->at_ms);
	add(out, "what", action->what);
	add(out, "subject", action->subject);
	add(out, "other", action->other);
	add(out, "by", action->by);
	add(out, "result", words[action->result]);
	add(out, "code", action->code);
	add(out, "request_id", action->request_id);
	add(out, "text", action->text);
	buf_add_text(out, "}\n");
}

static bool take(const struct jsonread *reader, struct action *action)
{
	size_t result;
	if (!jsonread_number(reader, 0, "at_ms", NULL, 0, TIME_MOST, &action->at_ms) ||
	    !jsonread_field(reader, 0, "what", false, action->what, sizeof(action->what)) ||
	    !jsonread_field(reader, 0, "subject", true, action->subject, sizeof(action->subject)) ||
	    !jsonread_field(reader, 0, "other", true, action->other, sizeof(action->other)) ||
	    !jsonread_field(reader, 0, "by", true, action->by, sizeof(action->by)) ||
	    !jsonread_word(reader, 0, "result", words, ARRAY_LEN(words), &result) ||
	    !jsonread_field(reader, 0, "code", true, action->code, sizeof(action->code)) ||
	    !jsonread_field(reader, 0, "request_id", true, action->request_id,
			    sizeof(action->request_id)) ||
	    !jsonread_field(reader, 0, "text", true, action->text, sizeof(action->text)))
		return false;
	action->result = (enum action_result)result;
	return true;
}

bool action_read(const char *line, size_t len, struct action *action)
{
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	const struct jsonread reader = { &doc, &err };
	*action = (struct action){ 0 };
	bool ok = len <= ACTION_LINE_MAX && json_doc_parse(&doc, line, len, &err) &&
		  take(&reader, action);
	json_doc_release(&doc);
	err_clear(&err);
	return ok;
}
