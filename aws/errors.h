/* What an answer that is no success says, in the words of the project. Source: facts/aws.md 1.3. */
#ifndef GPUQ_ERRORS_H
#define GPUQ_ERRORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aws/transport.h"
#include "model/base/err.h"

#define ERROR_CODE_SIZE 96

/*
 * The service's own words: the code from the body's __type or code, else from x-amzn-ErrorType,
 * else the status as text, cut to its bare name; and the message, "" if there is none. Returns the
 * message; the caller frees it.
 */
char *error_words(const struct http_reply *reply, char code[ERROR_CODE_SIZE]);

/* Fills err (code, hint, text, aws_code, request_id, http_status) from an answer. */
void error_of_reply(const struct http_reply *reply, struct err *err);

/* Overwrites each occurrence of a secret in the error's text; NULL and short ones are left. */
void error_hide(struct err *err, const char *secret);

#endif
