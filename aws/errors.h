/* What an answer that is no success means, in the words of the project. Source: facts/aws.md 1.3.
 */
#ifndef GPUQ_ERRORS_H
#define GPUQ_ERRORS_H

#include "aws/error_words.h"
#include "model/base/err.h"

/*
 * Fills err (code, hint, text, aws_code, request_id, http_status) from the answer of a service. The
 * text is the service's message, but that a refusal of IAM has a line for each of its parts.
 */
void error_of_reply(enum aws_service service, const struct http_reply *reply, struct err *err);
/* The same, of words that were read already. */
void error_of_words(const struct error_words *words, int status, struct err *err);

/* Overwrites each occurrence of a secret in the error's text; NULL and short ones are left. */
void error_hide(struct err *err, const char *secret);

#endif
