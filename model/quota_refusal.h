/*
 * SageMaker's refusal of a request for a short quota (ResourceLimitExceeded), taken apart. Its text
 * has come in two wordings (case 037); what fits neither is shown as it is. It is a quota, not
 * capacity: nothing is to be tried again by itself.
 */
#ifndef GPUQ_QUOTA_REFUSAL_H
#define GPUQ_QUOTA_REFUSAL_H

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/preferences.h"
#include "model/quota.h"

struct quota_refusal {
	char name[160];                     /* of the limit, as told, cut */
	char instance_type[TYPE_NAME_SIZE]; /* in the name; "" = a limit over all types */
	bool has_kind;                      /* the name tells it: */
	enum quota_kind kind;
	int64_t limit, used, asked; /* instances */
};

/* False, and refusal is {0}, where the text is none such. */
bool quota_refusal_parse(const char *text, struct quota_refusal *refusal) MUST_CHECK;

/* The entry that the refusal names; false where none has its type. */
bool quota_refusal_entry(const struct quota_refusal *refusal, const struct preferences *prefs,
			 size_t *entry) MUST_CHECK;

/* "Quota, not capacity: the limit of 'ml.p3.2xlarge for training job usage' is 0: nobody may run
 * this type yet." and the like: what is the matter, then what helps. */
void quota_refusal_say(const struct quota_refusal *refusal, struct buf *out);

#endif
