/* Tags of a Create request. */
#ifndef GPUQ_REQUEST_TAGS_H
#define GPUQ_REQUEST_TAGS_H

#include "model/request.h"

#define REQUEST_TAG_SIZE 257 /* a value has at most 256 characters (service limit), here bytes */

/* Words as the value of a tag: characters that SageMaker takes no tag with (all but ASCII letters,
 * digits, blanks and _ . : / = + - @) become one blank in a row, those at the ends go. */
void request_tag_value(const char *words, char out[REQUEST_TAG_SIZE]);

/* Gives the tag a value, where it is there, else adds it behind the others, which stay byte for
 * byte. ERR_RULE: Tags is no list. */
bool request_set_tag(struct request *request, const char *key, const char *value,
		     struct err *err) MUST_CHECK;

#endif
