/*
 * The service's own words in an answer that is no success, in every form that the protocols have.
 * Source: facts/aws.md section 1.3.
 */
#ifndef GPUQ_ERROR_WORDS_H
#define GPUQ_ERROR_WORDS_H

#include "aws/services.h"
#include "aws/transport.h"

#define ERROR_CODE_SIZE 96

struct error_words {
	/* The bare name of the error; the status as text where the answer says none. */
	char code[ERROR_CODE_SIZE];
	/* The name in the body where the answer has one of the service's older protocol too, which
	 * is the code then; else "". */
	char shape[ERROR_CODE_SIZE];
	char request_id[80]; /* or "" */
	char *message;       /* owned, never NULL; "" if there is none */
};

/* Fills words from the answer of a service. Release them. */
void error_words_read(struct error_words *words, enum aws_service service,
		      const struct http_reply *reply);
void error_words_release(struct error_words *words);

#endif
