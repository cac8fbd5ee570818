/*
 * Every IAM action that gpuq's calls (aws/operations.h) need, with a call that tells whether it is
 * allowed and that changes nothing, and what does not work without it. For `doctor` and for the
 * policy, which so name the same.
 */
#ifndef GPUQ_PERMISSION_H
#define GPUQ_PERMISSION_H

#include "aws/op.h"
#include "model/diagnosis.h"
#include "model/policy.h"

struct permission {
	const char *action; /* "sagemaker:Search" */
	/* NULL: what needs it changes something, so that no call is harmless. */
	const struct aws_op *op;
	const char *body; /* of the request; NULL: permission_add_tags_body */
	/* The call names what does not exist: an answer that says so has passed IAM. */
	bool is_of_nothing;
	bool is_essential; /* without it a denial is a failure, else a warning */
	const char *without;
};

/* All, in the order in which they are tried. Static. */
const struct permission *permission_rows(size_t *count);

/* Those of the policy, and how many; borrowed and static. At most max are written. */
size_t permission_policy(struct policy_action *out, size_t max);

/* The request of ListTags for a job that does not exist, in the partition and account of who asks
 * (an ARN). False where that says neither. */
bool permission_add_tags_body(struct buf *body, const char *caller_arn,
			      const char *region) MUST_CHECK;

/* Adds the row that a call's outcome means; err NULL: it went well. */
void permission_add_row(struct diagnosis *diagnosis, const struct permission *permission,
			const struct err *err);
/* The same for one that was not tried, and why. */
void permission_add_untried(struct diagnosis *diagnosis, const struct permission *permission,
			    const char *why);

#endif
