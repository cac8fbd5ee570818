/* What an HTTP answer means for the call that it answers: a document, or an error and whether the
 * call may be tried again. */
#ifndef GPUQ_ANSWER_H
#define GPUQ_ANSWER_H

#include "aws/json.h"
#include "aws/op.h"
#include "aws/retry.h"
#include "aws/transport.h"
#include "aws/xml.h"

struct answer {
	bool good;
	struct json_value *json; /* of a good one, by the protocol of the service: an object; or */
	struct xml_element *xml; /* the root, NULL for an empty body */
	enum retry_kind kind;    /* of a failure */
	bool open;               /* a failure: the request may have taken effect */
	bool skewed;             /* a failure: this machine's clock may be why */
	struct err err;
};

/* Fills an answer from a reply to a request that was signed for signed_ms. keep_clock: another
 * signature would have the same time. */
void answer_read(struct answer *answer, const struct aws_op *op, const struct http_reply *reply,
		 int64_t signed_ms, bool keep_clock);
void answer_release(struct answer *answer);

#endif
