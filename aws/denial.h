/*
 * A refusal of IAM taken apart: who may not do what, to what, and why. Its texts vary from service
 * to service; the parts that all of them have are found, what lies behind them stays as it came.
 */
#ifndef GPUQ_DENIAL_H
#define GPUQ_DENIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/attr.h"
#include "model/base/buf.h"

/* A part of the message; borrowed from it. */
struct denial_part {
	const char *text;
	size_t len; /* 0 = the message does not say */
};

struct denial {
	struct denial_part principal, action; /* arn:aws:sts::..., sagemaker:CreateTrainingJob */
	struct denial_part resource;          /* an ARN or *, or empty */
	struct denial_part rest;              /* "because no identity-based policy allows ..." */
	bool is_explicit; /* by a statement that denies: no permission lifts that */
};

/* False if the message is none of IAM's. */
bool denial_parse(struct denial *denial, const char *message) MUST_CHECK;

/* A line for each part, the action first; nothing of what was parsed is left out. */
void denial_write(const struct denial *denial, struct buf *out);

#endif
