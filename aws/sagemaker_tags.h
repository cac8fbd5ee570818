/* ListTags: the tags of one resource by its ARN. Describe returns none (facts, Errors). */
#ifndef GPUQ_SAGEMAKER_TAGS_H
#define GPUQ_SAGEMAKER_TAGS_H

#include "aws/client.h"
#include "model/tags.h"

extern const struct aws_op op_list_tags;

#define TAGS_PAGE_MAX 50 /* MaxResults; the service model allows 50 at least */

/* One page. Its tags are in tags->items; next_token is NULL on the last. */
struct tag_page {
	struct job_tags tags; /* owned, without an ARN */
	char *next_token;     /* owned */
};
void tag_page_release(struct tag_page *page);

/* Asks for one page (next_token NULL: the first). On error page is NULL. The call back may take the
 * tags. */
typedef void tag_page_fn(void *ctx, struct tag_page *page, const struct err *err);
uint64_t tags_list(struct aws_client *client, const char *arn, const char *next_token,
		   tag_page_fn *done, void *ctx);

/* Decodes a reply (for tests and fuzzing too). False with err (ERR_PARSE, ERR_TOO_BIG) if it is no
 * list of tags. Tags without a key are left out. */
bool tags_decode_list(const char *body, size_t len, struct tag_page *page,
		      struct err *err) MUST_CHECK;

#endif
