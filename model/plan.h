/*
 * A training plan as gpuq knows it: reserved instances of one type in one or several windows of
 * time. Filled by aws/ from ListTrainingPlans and DescribeTrainingPlan; strings are owned by the
 * plan. Only a plan for training jobs serves an entry of a preference list.
 */
#ifndef GPUQ_PLAN_H
#define GPUQ_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"
#include "model/base/clock.h"
#include "model/price.h"

#define PLAN_NAME_SIZE    65  /* 64 characters, service limit */
#define PLAN_WINDOWS_MAX  64  /* kept; more is told by `windows_cut` */
#define PLAN_TARGETS_SIZE 128 /* the four published words have 52 characters */

enum plan_state {
	PLAN_UNKNOWN, /* a word that no list knows: shown as it came */
	PLAN_PENDING, /* bought, not confirmed yet */
	PLAN_SCHEDULED,
	PLAN_ACTIVE,  /* a window is open */
	PLAN_BETWEEN, /* one window is over, the next one not open yet */
	PLAN_EXPIRED,
	PLAN_FAILED,
};

struct opt_count {
	bool set;
	int64_t n;
};

/* One reserved capacity of the plan. */
struct plan_window {
	struct opt_ms start, end;
	struct opt_count total;
	char status[24]; /* as sent, cut */
	char zone[32];   /* "" = not told */
};

struct plan {
	char *arn; /* owned; the identity */
	char name[PLAN_NAME_SIZE];
	char *status;                       /* owned; as sent */
	char *status_message;               /* owned, or NULL */
	char instance_type[TYPE_NAME_SIZE]; /* of the reserved capacity; "" = not told */
	struct opt_count total, available, in_use;
	struct opt_ms start, end;
	bool targets_known, for_training;
	char targets[PLAN_TARGETS_SIZE]; /* "training-job, endpoint", as sent, cut */
	struct money fee;                /* paid up front, for all of it */
	char currency[8];                /* of the fee; "" = not told */
	struct plan_window *windows;     /* owned, by start; none: start and end say all */
	size_t window_count;
	bool windows_cut;
};

/* Frees what it owns and makes it {0}. NULL is accepted. */
void plan_release(struct plan *plan);
void plan_list_free(struct plan *plans, size_t count);

/* The plan of that ARN, or NULL, also for NULL. */
const struct plan *plan_find(const struct plan *plans, size_t count, const char *arn);

/* Adds a window in order of its start (one without goes last). */
void plan_add_window(struct plan *plan, const struct plan_window *window);

/* From the status word and the windows: the service says Active or Scheduled between two. */
enum plan_state plan_state(const struct plan *plan, int64_t now_ms);
/* pending, scheduled, active, between-windows, expired, failed, unknown. Static text. */
const char *plan_state_word(enum plan_state state);

/* The window that is open, else the next one, else the last; of the whole plan where no windows
 * are told. False: no time is known. */
bool plan_current_window(const struct plan *plan, int64_t now_ms, struct plan_window *window);

/* It can stand on an entry of that type: training jobs may use it (or nothing is said of who
 * may), and it reserves the type. */
bool plan_serves(const struct plan *plan, const char *instance_type);

/* A plan as far as a rule of check needs it. {0} but for arn and instance_type says nothing. */
struct plan_fact {
	const char *arn, *instance_type; /* borrowed */
	bool told;                       /* the members below are */
	enum plan_state state;
	const char *status;   /* borrowed; the service's word */
	struct opt_ms starts; /* of the next window, where none is open */
	struct opt_count total, available;
	bool not_for_training;
};
void plan_fact(const struct plan *plan, int64_t now_ms, struct plan_fact *fact);

#endif
