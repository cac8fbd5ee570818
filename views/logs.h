/* The screen of a job's logs, for its two files, and the list of its hosts. */
#ifndef GPUQ_VIEWS_LOGS_H
#define GPUQ_VIEWS_LOGS_H

#include "views/log_pager.h"
#include "views/pane.h"

struct logs {
	struct ui *ui;
	char *arn, *name;        /* owned; the job's */
	struct log_pager *pager; /* owned; drawing may write it through a const state */
	bool is_known;           /* the store's logs are of this job */
};

/* What is to be said while there are no lines, or "" while some are there. */
void logs_add_none(const struct logs *logs, struct buf *out);
/* How many lines there are, from when on, and what is read of them. */
void logs_add_state(const struct logs *logs, struct buf *out);

/* Which stream is shown (struct log_hosts_argument). */
struct log_hosts_argument {
	size_t stream; /* LOG_NONE = all */
	void (*chosen)(void *ctx, size_t stream);
	void *ctx;
};

#endif
