/*
 * Whether a described job is the one that a request asked for. After a lost answer the name alone
 * does not tell: another program may have taken it. facts/sagemaker.md: a name is unique, so a
 * Describe of it settles what became of a Create.
 */
#ifndef GPUQ_REQUEST_COMPARE_H
#define GPUQ_REQUEST_COMPARE_H

#include "model/request.h"

enum request_match {
	REQUEST_SAME,      /* ours */
	REQUEST_DIFFERENT, /* another's: the name is taken */
	REQUEST_UNTOLD,    /* the reply does not tell (no time, no text): ask again */
};

/* A Create is stamped by AWS's clock, which is known to a second; the service may round it down. */
#define REQUEST_COMPARE_SLACK_MS 2000

/*
 * Compares name, role, image or algorithm, the list (types, counts, plans, groups), the outputs,
 * and that the job was created at sent_ms or after (AWS's clock, first send; less the slack
 * above). Wants of the job name, kind, created and request_json: Describe's own reply, no record
 * of Search. Appends to why the first difference ("ResourceConfig: ml.g5.xlarge x1, asked for
 * ml.g5.xlarge x2") or what is not told; nothing where it is the same.
 */
enum request_match request_compare(const struct request *asked, const struct job *job,
				   int64_t sent_ms, struct buf *why);

#endif
