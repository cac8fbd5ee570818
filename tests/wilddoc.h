/*
 * Requests and Describe replies as operators bring them, by lot from a seed: lists, single types,
 * spot jobs, groups, plans, processing jobs; and, most of the time, one or two slips in them, of
 * every sort that a rule of check or the service knows.
 */
#ifndef GPUQ_TESTS_WILDDOC_H
#define GPUQ_TESTS_WILDDOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"
#include "model/job.h"

#define WILD_ENTRIES_MAX 12
#define WILD_MEMBERS_MAX 48
#define WILD_PAPER_SIZE  (64u << 10)

/* A member as text; NULL = it is not there. */
struct wild_member {
	const char *object; /* "" = the root; "A.B" = B in A */
	const char *name;
	const char *value;
};

struct wild_entry {
	const char *type, *count, *plans;
	const char *whole; /* stands in place of the entry; NULL = it does not */
};

struct wild {
	uint32_t seed;
	enum job_kind kind;
	struct wild_member members[WILD_MEMBERS_MAX];
	size_t member_count;
	struct wild_entry entries[WILD_ENTRIES_MAX]; /* of the list */
	size_t entry_count;
	bool has_list;
	char *paper; /* owned; the texts made on the way */
	size_t paper_used;
};

/* A plan of the region, for the entries. */
struct wild_plan {
	const char *arn, *instance_type;
};

/* A number from 0 to below by lot. */
uint32_t wild_roll(struct wild *wild, uint32_t below);

/* Makes a job's document of that name. Release it. */
void wild_init(struct wild *wild, uint32_t seed, const char *name, const struct wild_plan *plans,
	       size_t plan_count);
void wild_release(struct wild *wild);

/* As a Create request, and as Describe tells of the job. */
void wild_add_request(const struct wild *wild, struct buf *out);
void wild_add_describe(const struct wild *wild, struct buf *out);

/* A request's text cut, doubled or spoilt, or another document in its place. Free it. */
char *wild_damage(struct wild *wild, const char *text);

#endif
