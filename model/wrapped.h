/*
 * Create requests inside another document: the tasks of a Step Functions state machine, the steps
 * of a SageMaker pipeline, the objects of SageMaker's Kubernetes controller; or the document
 * itself, where it was only written otherwise. Each becomes a request whose values know where they
 * stood.
 */
#ifndef GPUQ_WRAPPED_H
#define GPUQ_WRAPPED_H

#include "model/base/jsontext.h"
#include "model/job.h"
#include "model/loose.h"

#define WRAPPED_MAX       16
#define WRAPPED_PATH_SIZE 96

struct wrapped {
	enum job_kind kind;
	char path[WRAPPED_PATH_SIZE]; /* of the request in the document; "" = all of it, or too long
				       */
	size_t line, column;          /* where it begins */
	size_t unknown;               /* values that are known only when it runs */
	struct loose request;         /* owned: one line of JSON, and its places in the document */
};

struct wrapped_list {
	struct wrapped *items; /* owned, each too */
	size_t count;
	bool cut;         /* there were more */
	const char *word; /* "state", "step", "object" or ""; static */
};

/*
 * Finds them. origin: how the document was read, NULL where it is JSON itself. A member of a state
 * machine that ends in ".$", and what stands in {% %} or is an object {"Get": ...} of a pipeline,
 * is unknown. The members of a Kubernetes object are those of the API in another case (roleARN,
 * RoleArn): found in the service model, not guessed; one that is not there keeps its name.
 */
void wrapped_find(struct wrapped_list *list, const struct json_doc *doc,
		  const struct loose *origin);
void wrapped_release(struct wrapped_list *list); /* NULL is accepted */

#endif
