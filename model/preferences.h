/*
 * An instance preference list: up to PREFS_MAX entries in rank order, with either one count for
 * all entries or one on each. Pure values: copying the struct copies the list.
 */
#ifndef GPUQ_PREFERENCES_H
#define GPUQ_PREFERENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/clock.h"
#include "model/base/err.h"

#define PREFS_MAX       5  /* service limit */
#define PREFS_KEEP_MAX  8  /* entries kept of a list that is too long, so that it can be shown */
#define TYPE_NAME_SIZE  48 /* the longest published name has 21 characters */
#define PREFS_COUNT_MAX INT32_MAX /* InstanceCount is a 32-bit integer */
#define ARN_SIZE        257
#define PLAN_ARN_SIZE   160 /* a plan's name has up to 64 characters; each job keeps nine of them */

struct preference {
	char instance_type[TYPE_NAME_SIZE];
	bool has_count;               /* a count of its own */
	int64_t count;                /* valid when has_count */
	char plan_arn[PLAN_ARN_SIZE]; /* "" = on demand */
	char group[64];               /* instance group of a heterogeneous cluster; "" = none */
};

struct preferences {
	struct preference entries[PREFS_KEEP_MAX];
	size_t length;
	bool has_shared_count; /* InstanceCount beside the list */
	int64_t shared_count;
	char job_plan_arn[PLAN_ARN_SIZE]; /* ResourceConfig.TrainingPlanArn, "" = none */
	bool is_list; /* false: made from InstanceType and InstanceCount (or groups), no list */
};

/* The count that entry i asks for (its own, else the shared one); false if none is given. */
bool prefs_count(const struct preferences *prefs, size_t i, int64_t *count);

/*
 * The plan that serves entry i: its own, or the job-level one where that is the only entry; "" =
 * none. A job-level plan beside several entries serves the one of its type, which the list does
 * not tell: then "", and prefs_has_unplaced_plan is true, so that it is shown beside the list.
 */
const char *prefs_plan(const struct preferences *prefs, size_t i);
bool prefs_has_unplaced_plan(const struct preferences *prefs);

bool prefs_equal(const struct preferences *a, const struct preferences *b);
/* Equal ones have the same. */
uint64_t prefs_hash(const struct preferences *prefs);
/* A new one, to be freed with free(); NULL for NULL. */
struct preferences *prefs_copy(const struct preferences *prefs);

/*
 * Edits. Each returns false and changes nothing where it makes no sense (bad index, full list,
 * instance groups, a type name that is empty or too long). An inserted entry gets a count like its
 * neighbour's where entries have their own, and makes the preferences a list.
 */
bool prefs_move(struct preferences *prefs, size_t from, size_t to);
bool prefs_insert(struct preferences *prefs, size_t at, const char *instance_type);
bool prefs_remove(struct preferences *prefs, size_t at);
bool prefs_set_type(struct preferences *prefs, size_t at, const char *instance_type);
/* Binds a training plan to an entry; "" = on demand. A plan of the job that serves this entry alone
 * gives way. False too for an ARN that is too long to be kept. */
bool prefs_set_plan(struct preferences *prefs, size_t at, const char *plan_arn);

/* One type with its count in place of the list: the first entry. */
void prefs_keep_first(struct preferences *prefs);

/* Adds delta to the count that entry i uses (its own, else the shared one, else a new one from 0);
 * the result stays within 1 and PREFS_COUNT_MAX. */
bool prefs_add_count(struct preferences *prefs, size_t at, int64_t delta);

/* Gives entry i that count and no other; where one served all, each of them gets its own. */
bool prefs_set_count(struct preferences *prefs, size_t at, int64_t count);

/*
 * One count for all or one each, in a single step: the shared number moves to every entry, or
 * the first entry's number becomes the shared one. Never leaves both or neither.
 */
void prefs_toggle_counts(struct preferences *prefs);

/*
 * Reads LIST of interface.md: type[:count][@plan-arn],... With shared > 0 (--count) one count
 * serves all and no entry may carry its own. Only what cannot be read is an error (ERR_USAGE, its
 * text names the entry and the fix; prefs is then unchanged); what SageMaker would refuse is left
 * to the rules of check.
 */
bool prefs_parse(struct preferences *prefs, const char *list, int64_t shared,
		 struct err *err) MUST_CHECK;

/* What an edit can change: the list, and the pending limit over all of it. */
struct prefs_state {
	struct preferences prefs;
	struct opt_ms max_pending; /* a duration */
};
bool prefs_state_equal(const struct prefs_state *a, const struct prefs_state *b);

#endif
