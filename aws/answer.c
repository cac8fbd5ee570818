#include "aws/answer.h"

#include <stdio.h>

#include "aws/errors.h"
#include "aws/skew.h"

/* A success whose body is no JSON object: cut, a login page, a broken service. */
static void read_success(struct answer *answer, const struct http_reply *reply)
{
	bool empty = reply->body_len == 0;
	struct err *err = &answer->err;

	answer->json = json_parse(empty ? "{}" : reply->body, empty ? 2 : reply->body_len, err);
	if (answer->json && json_type(answer->json) != JSON_TYPE_OBJECT) {
		json_free(answer->json);
		answer->json = NULL;
		err_set(err, ERR_PARSE, "the answer is JSON, but no object");
	}
	if (answer->json)
		return;
	err->hint = HINT_RETRY_LATER;
	err->http_status = reply->status;
	snprintf(err->request_id, sizeof(err->request_id), "%s", reply->request_id);
	answer->open = true;
	answer->kind = err->code == ERR_TOO_BIG ? RETRY_NOT : RETRY_TRANSIENT;
}

static void doubt_clock(struct answer *answer, enum skew_doubt doubt, bool keep_clock)
{
	if (doubt == SKEW_NONE)
		return;
	answer->err.hint = doubt == SKEW_CLOCK ? HINT_CHECK_CLOCK : HINT_RETRY_LATER;
	if (doubt == SKEW_STALE || !keep_clock)
		answer->kind = RETRY_TRANSIENT;
}

static void read_failure(struct answer *answer, const struct aws_op *op,
			 const struct http_reply *reply, int64_t signed_ms, bool keep_clock)
{
	struct err *err = &answer->err;

	error_of_reply(reply, err);
	answer->open = reply->status >= 500;
	answer->kind = retry_classify(op->service, reply->status, err->aws_code);
	doubt_clock(answer, skew_doubt_of(err, reply, signed_ms), keep_clock);
}

void answer_read(struct answer *answer, const struct aws_op *op, const struct http_reply *reply,
		 int64_t signed_ms, bool keep_clock)
{
	*answer = (struct answer){ 0 };
	if (reply->status >= 200 && reply->status < 300)
		read_success(answer, reply);
	else
		read_failure(answer, op, reply, signed_ms, keep_clock);
}

void answer_release(struct answer *answer)
{
	json_free(answer->json);
	err_clear(&answer->err);
}
