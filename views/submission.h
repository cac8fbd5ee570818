/*
 * What a submission is before it is sent (the request, its summary, what hinders it) and what
 * becomes of the answer. submit.c shows and asks.
 */
#ifndef GPUQ_SUBMISSION_H
#define GPUQ_SUBMISSION_H

#include "model/base/buf.h"
#include "model/requeue_order.h"
#include "views/pane.h"

#define SUBMISSION_PAGE_MAX (8u << 20) /* REQUEST_MAX, indented, with its summary */

/* What becomes of the job that is copied. */
enum submission_way {
	WAY_COPY,         /* nothing: both are there */
	WAY_SUBMIT_FIRST, /* a requeue, in one of its orders */
	WAY_STOP_FIRST,
};

/* {0} may be released. */
struct submission {
	char name[JOB_NAME_SIZE]; /* of the copy */
	bool again;               /* the name is that of a try that may have arrived */
	enum job_kind kind;
	struct buf exact; /* what is sent, secrets and all: wiped */
	char *page;       /* owned; summary and the same text with secrets masked */
	char stakes[160]; /* the worst case as a sentence, and why a name is typed */
	bool blocked;     /* page says why; nothing can be sent */
	bool type_name;   /* `typed` must be: */
	char typed[JOB_NAME_SIZE];
	bool carries_tags;        /* those of the source are in the request */
	struct finding *fix;      /* owned; the first refusal that a key can mend; NULL = none */
	struct quota_raise raise; /* of the first quota too small for its count; desired 0 = none */
	/* The job waits: the copy takes its place, unless another way is chosen. */
	bool replaces;
	bool way_is_chosen; /* by a person; way is kept then */
	enum submission_way way;
	struct requeue_order order; /* what the program would choose, and why */
	struct owner owner;         /* of the job; it is asked for where it would be stopped */
};

/* Makes a submission of a draft; job is the row that it stands in. A name and a chosen way that
 * copy has already stay. */
void submission_prepare(struct submission *copy, const struct ui *ui, const struct job *job,
			const struct draft *draft);
void submission_release(struct submission *copy);

/* submission_way.c. Which way it goes, by the job, its quotas and cost; once the request is there.
 */
void submission_choose_way(struct submission *copy, const struct ui *ui, const struct job *job,
			   const struct draft *draft);
/* The order that a requeue of the job with the draft's list, as that request, would take. */
struct requeue_order submission_order(const struct ui *ui, const struct job *job,
				      const struct draft *draft, const char *text);
/* The next way there is; the submission is to be prepared anew. False: there is no other. */
bool submission_next_way(struct submission *copy);
/* What becomes of the job, in sentences. */
void submission_add_fate(struct buf *out, const struct submission *copy, const struct job *job);

/* Text from outside as part of a line: no byte of it begins another one. */
void submission_add_plain(struct buf *out, const char *text);

/* An error, or a limit of the config: it is not sent. */
bool submission_is_refused(const struct finding *finding);

/* The ARN of the job that the draft was made from; NULL = a file. */
const char *submission_source(const struct draft *draft);
/* Its tags, where the store looks at them, read or not; else NULL. */
const struct job_tags *submission_tags(const struct ui *ui, const struct draft *draft);

/* The draft that is being sent as that name, or was by an earlier program; NULL = none. */
struct draft *submission_find_draft(const struct ui *ui, const char *name);

/* A refusal whole: what, by which code and request, what to do next. */
void submission_add_refusal(struct buf *out, const char *name, const struct err *err);

#endif
