/*
 * The tags of the one job that is looked at: Describe returns none, so they are read apart, and
 * only while somebody looks (aws/tags_feed.h). Part of the store.
 */
#ifndef GPUQ_TAGS_H
#define GPUQ_TAGS_H

#include "model/freshness.h"
#include "model/tag.h"

#define TAGS_MAX 200 /* kept; the service allows 50 on a resource */

struct job_tags {
	char *arn;         /* owned; the job they are of, NULL = none is looked at */
	struct tag *items; /* owned, each text too; by key */
	size_t count;
	struct freshness fresh;
};

/* Another job is looked at (NULL = none): what is known of the last one goes. */
void tags_look_at(struct job_tags *tags, const char *arn);
/* Adds one to a list of at most TAGS_MAX (texts are copied); one too many is dropped. */
void tags_add(struct job_tags *tags, const char *key, const char *value);
/* Takes the items of a whole answer (from is left without any), and what failed. */
void tags_take(struct job_tags *tags, struct job_tags *from, int64_t mono_ms);
void tags_fail(struct job_tags *tags, const struct err *err, int64_t retry_mono_ms);

/* Makes it {0}. */
void tags_release(struct job_tags *tags);

#endif
