#include "aws/answer.h"

#include <stdio.h>
#include <string.h>

#include "aws/errors.h"
#include "aws/skew.h"

static bool read_json(struct answer *answer, const struct http_reply *reply)
{
	bool empty = reply->body_len == 0;

	answer->json =
		json_parse(empty ? "{}" : reply->body, empty ? 2 : reply->body_len, &answer->err);
	if (answer->json && json_type(answer->json) != JSON_TYPE_OBJECT) {
		json_free(answer->json);
		answer->json = NULL;
		err_set(&answer->err, ERR_PARSE, "the answer is JSON, but no object");
	}
	return answer->json != NULL;
}

static bool read_xml(struct answer *answer, const struct http_reply *reply)
{
	if (reply->body_len == 0)
		return true;
	answer->xml = xml_parse(reply->body, reply->body_len, &answer->err);
	return answer->xml != NULL;
}

/* A body that cannot be read: cut, a login page, a broken service. */
static void read_success(struct answer *answer, const struct aws_op *op,
			 const struct http_reply *reply)
{
	enum service_protocol protocol = service_row(op->service)->protocol;
	bool is_xml = protocol == PROTOCOL_QUERY || protocol == PROTOCOL_EC2;
	struct err *err = &answer->err;

	answer->good = is_xml ? read_xml(answer, reply) : read_json(answer, reply);
	if (answer->good)
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
	answer->skewed = doubt == SKEW_CLOCK;
	answer->err.hint = answer->skewed ? HINT_CHECK_CLOCK : HINT_RETRY_LATER;
	if (doubt == SKEW_STALE || !keep_clock)
		answer->kind = RETRY_TRANSIENT;
}

static void read_failure(struct answer *answer, const struct aws_op *op,
			 const struct http_reply *reply, int64_t signed_ms, bool keep_clock)
{
	struct error_words words;

	error_words_read(&words, op->service, reply);
	error_of_words(&words, reply->status, &answer->err);
	answer->open = reply->status >= 500;
	answer->kind = retry_classify(op->service, reply->status, words.code);
	if (answer->kind == RETRY_NOT && words.shape[0])
		answer->kind = retry_classify(op->service, reply->status, words.shape);
	doubt_clock(answer, skew_doubt_of(&answer->err, reply, signed_ms), keep_clock);
	error_words_release(&words);
}

void answer_read(struct answer *answer, const struct aws_op *op, const struct http_reply *reply,
		 int64_t signed_ms, bool keep_clock)
{
	*answer = (struct answer){ .good = false };
	if (reply->status >= 200 && reply->status < 300)
		read_success(answer, op, reply);
	else
		read_failure(answer, op, reply, signed_ms, keep_clock);
}

void answer_release(struct answer *answer)
{
	json_free(answer->json);
	xml_free(answer->xml);
	err_clear(&answer->err);
}
