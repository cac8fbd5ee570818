/*
 * What a submission is before it is sent (the request, its summary, what hinders it) and what
 * becomes of the answer. submit.c shows and asks.
 */
#ifndef GPUQ_SUBMISSION_H
#define GPUQ_SUBMISSION_H

#include "model/base/buf.h"
#include "views/pane.h"

#define SUBMISSION_PAGE_MAX (8u << 20) /* REQUEST_MAX, indented, with its summary */

/* {0} may be released. */
struct submission {
	char name[JOB_NAME_SIZE]; /* of the copy */
	bool again;               /* the name is that of a try that may have arrived */
	enum job_kind kind;
	struct buf exact; /* what is sent, secrets and all: wiped */
	char *page;       /* owned; summary and the same text with secrets masked */
	char stakes[160]; /* the worst case as a sentence, and why a name is typed */
	bool blocked;     /* page says why; nothing can be sent */
	bool type_name;   /* the copy's name must be typed */
};

/* Makes a submission of a job with the list of its draft. */
void submission_prepare(struct submission *copy, const struct ui *ui, const struct job *job,
			const struct draft *draft);
void submission_release(struct submission *copy);

/* A refusal whole: what, by which code and request, what to do next. */
void submission_add_refusal(struct buf *out, const char *name, const struct err *err);

#endif
