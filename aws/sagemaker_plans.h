/* List and Describe for training plans: bodies out, plans in. */
#ifndef GPUQ_SAGEMAKER_PLANS_H
#define GPUQ_SAGEMAKER_PLANS_H

#include "aws/client.h"
#include "model/plan.h"

extern const struct aws_op op_list_training_plans, op_describe_training_plan;
/* Both of them, NULL at the end: a test walks them. */
extern const struct aws_op *const sagemaker_plan_ops[];

#define PLANS_PAGE_MAX 100 /* MaxResults, service limit */

struct plan_page {
	struct plan *plans; /* owned */
	size_t count;
	char *next_token; /* owned; NULL = last page */
};
void plan_page_release(struct plan_page *page);

/* Asks for one page (next_token NULL: the first). On error page is NULL. The call back may take
 * the plans. */
typedef void plan_page_fn(void *ctx, struct plan_page *page, const struct err *err);
uint64_t plans_list(struct aws_client *client, const char *next_token, plan_page_fn *done,
		    void *ctx);

/* Describes one by name. On error plan is NULL. The call back may take its content. */
typedef void plan_fn(void *ctx, struct plan *plan, const struct err *err);
uint64_t plans_describe(struct aws_client *client, const char *name, plan_fn *done, void *ctx);

/* Decodes a Describe reply (for tests and fuzzing too). False with err (ERR_PARSE, ERR_TOO_BIG) if
 * it is not one: no name, ARN or status. */
bool plans_decode_describe(const char *body, size_t len, struct plan *plan,
			   struct err *err) MUST_CHECK;
/* Decodes a List reply. Rows without a name, ARN or status are left out. */
bool plans_decode_list(const char *body, size_t len, struct plan_page *page,
		       struct err *err) MUST_CHECK;

#endif
