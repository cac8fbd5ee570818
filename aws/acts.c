#include "aws/acts.h"

#include <stdio.h>
#include <string.h>

#include "aws/json.h"
#include "model/base/text.h"

static void copy(char *out, size_t size, const char *text)
{
	text_copy_cut(out, size, text);
}

/* Of the request: which job, or how much of which quota. */
static void read_body(struct action *action, const char *body)
{
	static const char *const names[] = { "TrainingJobName", "ProcessingJobName", "QuotaCode" };
	struct err ignored = { 0 };
	struct json_value *json = json_parse(body, strlen(body), &ignored);
	for (size_t i = 0; json && i < ARRAY_LEN(names); i++)
		copy(action->subject, sizeof(action->subject), json_text(json, names[i]));
	json_free(json);
	err_clear(&ignored);
}

void acts_called(struct action_log *log, const struct aws_op *op, const char *body,
		 const struct aws_reply *reply, const struct err *err)
{
	struct action action = { 0 };
	copy(action.what, sizeof(action.what), op->name);
	read_body(&action, body);
	action_set_err(&action, err);
	if (err && reply->tries == 0)
		action.result = ACTION_NOT_SENT;
	else if (err && reply->outcome_open)
		action.result = ACTION_OPEN;
	if (!action.request_id[0])
		copy(action.request_id, sizeof(action.request_id), reply->request_id);
	action_log_add(log, &action);
}

void acts_answered(struct action_log *log, const struct submit_answer *answer)
{
	struct action action = { .what = "submission" };
	bool is_unsent = answer->outcome == SUBMIT_HELD ||
			 (answer->err && answer->err->http_status == 0 && !answer->late &&
			  answer->outcome == SUBMIT_REFUSED);
	if (!log || (!answer->late && !is_unsent))
		return;
	copy(action.subject, sizeof(action.subject), answer->name);
	action_set_err(&action, answer->err);
	if (is_unsent)
		action.result = ACTION_NOT_SENT;
	if (!answer->err)
		copy(action.text, sizeof(action.text), "it was looked up: the job is there");
	action_log_add(log, &action);
}

void acts_stopped(struct action_log *log, const struct stop_result *result)
{
	struct action action = { .what = "stop" };
	struct buf text;
	if (!log || result->outcome == STOP_DONE || result->outcome == STOP_FAILED)
		return;
	buf_init(&text, ACTION_TEXT_SIZE);
	copy(action.subject, sizeof(action.subject), result->name);
	action.result = result->outcome == STOP_OWNED ? ACTION_NOT_SENT : ACTION_NOTHING;
	if (result->outcome == STOP_OWNED) {
		buf_add_text(&text, "it belongs to ");
		owner_describe(&result->owner, &text);
	} else {
		buf_add_text(&text, result->outcome == STOP_GONE
					    ? "there is no such job any more"
					    : "it has ended or is stopping already");
	}
	copy(action.text, sizeof(action.text), buf_text(&text));
	buf_release(&text);
	action_log_add(log, &action);
}

void acts_requeued(struct action_log *log, const struct requeue_told *told)
{
	struct action action = { .what = "requeue" };
	struct buf text;
	if (!log || !requeue_has_ended(told->step))
		return;
	copy(action.subject, sizeof(action.subject), told->old_name);
	copy(action.other, sizeof(action.other), told->new_name);
	action_set_err(&action, told->err);
	action.result = told->step == REQUEUE_DONE       ? ACTION_DONE
			: told->step == REQUEUE_BOTH     ? ACTION_OPEN
			: told->step == REQUEUE_NEW_OVER ? ACTION_OPEN
							 : ACTION_REFUSED;
	if (told->step == REQUEUE_OLD_STAYS || told->step == REQUEUE_WITHDRAWN ||
	    told->step == REQUEUE_STALE)
		action.result = ACTION_NOT_SENT;
	buf_init(&text, ERR_TEXT_MAX);
	requeue_describe(told, &text);
	copy(action.text, sizeof(action.text), buf_text(&text));
	buf_release(&text);
	action_log_add(log, &action);
}
