/*
 * The region without its network: jobs, pools of instances, training plans and what happens to
 * them over simulated time. Time moves only by sim_world_run_until; every random choice comes from
 * the seed. Rules: facts/sagemaker.md, scheduler rules 2 to 6. Pointers to jobs stay valid as long
 * as the world does.
 */
#ifndef GPUQ_SIM_WORLD_H
#define GPUQ_SIM_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/clock.h"

#define SIM_NAME_SIZE       64 /* 63 characters, service limit */
#define SIM_ARN_SIZE        257
#define SIM_ENTRIES_MAX     5      /* of a preference list, and of a cluster's groups */
#define SIM_JOBS_MAX        100000 /* jobs kept; more are refused */
#define SIM_PLANS_MAX       16
#define SIM_WINDOWS_MAX     4
#define SIM_TRANSITIONS_MAX 250
#define SIM_NOWHERE         (-1)
#define SIM_TOLD_LATER_MS   2000 /* the API tells a choice, and a warm pool, that much later */

/* Pools ------------------------------------------------------------------------------------- */

enum sim_supply { SIM_SUPPLY_PLENTY, SIM_SUPPLY_COMMON, SIM_SUPPLY_RARE, SIM_SUPPLY_SCARCE };
enum sim_quota_kind {
	SIM_QUOTA_TRAINING,
	SIM_QUOTA_PROCESSING,
	SIM_QUOTA_SPOT,
	SIM_QUOTA_WARM_POOL, /* beside training: all that is kept warm counts there too */
	SIM_QUOTA_KINDS
};

struct sim_pool {
	const char *instance_type;
	bool training, processing; /* kinds of job that may ask for it */
	bool accelerated;          /* ml.p*, ml.g*, ml.trn*: a list with one of them waits */
	enum sim_supply supply;
	int64_t free;                                          /* on demand, now */
	int64_t quota[SIM_QUOTA_KINDS], used[SIM_QUOTA_KINDS]; /* instances */
	bool applied[SIM_QUOTA_KINDS]; /* the account has a value of its own; else the standard */
	int64_t standard;              /* AWS's default, of every kind */
	bool fixed;                    /* set from outside: the random process lets it be */
	int64_t next_ms;               /* next change by the random process; 0 = none */
	bool offered;                  /* that change takes the free ones away */
	uint64_t random;
};

/* Plans ------------------------------------------------------------------------------------- */

enum sim_plan_state { SIM_PLAN_SCHEDULED, SIM_PLAN_ACTIVE, SIM_PLAN_BETWEEN, SIM_PLAN_EXPIRED };

struct sim_window {
	int64_t start_ms, end_ms;
};

struct sim_plan {
	char name[SIM_NAME_SIZE + 1];
	char arn[SIM_ARN_SIZE];
	size_t pool; /* its instance type */
	int64_t total, in_use;
	struct sim_window windows[SIM_WINDOWS_MAX]; /* in order */
	size_t window_count;
	int64_t upfront_fee; /* whole units of the currency */
};

/* Jobs -------------------------------------------------------------------------------------- */

enum sim_job_kind { SIM_TRAINING, SIM_PROCESSING };
enum sim_status { SIM_IN_PROGRESS, SIM_COMPLETED, SIM_FAILED, SIM_STOPPING, SIM_STOPPED };

/* What the job's next event does. */
enum sim_step {
	SIM_STEP_NONE,
	SIM_STEP_LIMIT, /* waiting: pending limit or, for spot, wait limit reached */
	SIM_STEP_DOWNLOAD,
	SIM_STEP_TRAIN,
	SIM_STEP_INTERRUPT,
	SIM_STEP_RUN_ENDS,
	SIM_STEP_FINISH,
	SIM_STEP_IS_STOPPED,
	SIM_STEP_COOL, /* ended: its warm pool has been kept long enough */
	SIM_STEP_DELETE
};

struct sim_entry {
	size_t pool;
	int64_t count;
	int plan; /* index of the plan that serves it, or SIM_NOWHERE: on demand */
};

struct sim_transition {
	const char *status, *message; /* static texts */
	struct opt_ms start, end;
};

/* What a request asks of the scheduler. */
struct sim_order {
	enum sim_job_kind kind;
	char name[SIM_NAME_SIZE];
	struct sim_entry entries[SIM_ENTRIES_MAX];
	size_t entry_count; /* 0: serverless, needs no instance */
	bool list;          /* a preference list; else one type */
	bool groups;        /* all entries at once: a heterogeneous cluster */
	bool spot;
	int64_t max_pending_ms, max_runtime_ms, max_wait_ms; /* 0 = none */
	int64_t keep_alive_ms; /* instances stay that long after the end; 0 = none */
	size_t tuning_len;     /* of the name: the tuning job that it belongs to; 0 = none */
	/* What the region would draw by lot otherwise. */
	int64_t run_ms;        /* 0 = by lot */
	int64_t idle_after_ms; /* then its GPUs have nothing to do; 0 = they always have */
	bool scripted;         /* comes with the scenario, which may stop it too */
};

struct sim_job {
	struct sim_order order;
	size_t number; /* its place in creation order */
	char *request; /* owned: the Create request as it came */
	size_t request_len;
	char *tags; /* owned: {"Tags":[...]} since the last AddTags; NULL: those of the request */
	char arn[SIM_ARN_SIZE];
	enum sim_status status;
	const char *odd_status;             /* static; a word instead of the status, or NULL */
	const char *secondary;              /* static; training only, else NULL */
	struct sim_transition *transitions; /* owned, oldest first */
	size_t transition_count, transition_capacity;
	int64_t created_ms, modified_ms;
	struct opt_ms started, ended;
	struct opt_ms deleted;          /* there is no such job since then */
	int selected;                   /* index of the entry, or SIM_NOWHERE */
	int64_t selected_ms;            /* since then; told SIM_TOLD_LATER_MS later */
	bool holds;                     /* has its instances now */
	int64_t held_since_ms, held_ms; /* this stretch's start, and stretches before it */
	const char *failure_reason, *exit_message; /* static texts or NULL */
	struct opt_ms warm_from, warm_end;         /* its instances as a warm pool */
	const struct sim_job *warm_next;           /* borrowed: the job that took them, or NULL */
	int64_t seen_ms;                           /* of a copy by sim_job_as_of */
	bool waiting;
	enum sim_step step;
	int64_t next_ms;             /* 0 = no event */
	int64_t pending_ms;          /* counted towards the pending limit so far */
	struct opt_ms pending_since; /* the count runs since then; unset: it stands still */
	unsigned interruptions;      /* still to come (spot) */
	struct opt_ms idle_since;    /* its GPUs have had nothing to do since then */
	uint64_t luck;
};

/* The whole --------------------------------------------------------------------------------- */

struct sim_event {
	int64_t at_ms;
	uint64_t order; /* equal times keep the order in which they were announced */
	enum { SIM_EVENT_JOB, SIM_EVENT_POOL, SIM_EVENT_PLAN, SIM_EVENT_ARRIVAL } kind;
	size_t index;
};

struct sim_world_options {
	uint64_t seed;
	int64_t start_ms;
	const char *region, *account; /* copied */
	bool moves;                   /* capacity comes and goes */
	bool ends;                    /* jobs end and limits bite */
	int64_t scarcity;             /* means between offers are multiplied by it; 0 counts as 1 */
	/* A new job is due; says when the next one is (0 = never). NULL: none come by themselves.
	 */
	int64_t (*arrive)(void *ctx, int64_t now_ms);
	void *ctx;
	int64_t first_arrival_ms; /* 0 = none */
};

struct sim_world {
	struct sim_world_options options;
	char region[64], account[16];
	int64_t now_ms;
	struct sim_pool *pools; /* owned */
	size_t pool_count;
	struct sim_plan plans[SIM_PLANS_MAX];
	size_t plan_count;
	struct sim_job **jobs; /* owned, in creation order */
	size_t job_count, job_capacity;
	size_t *index; /* owned: hash of kind and name -> job number + 1 */
	size_t index_size;
	struct sim_job **waiting; /* owned array of borrowed jobs, oldest first */
	size_t waiting_count, waiting_capacity;
	size_t warm_count;        /* warm pools there are */
	struct sim_event *events; /* owned: a heap */
	size_t event_count, event_capacity;
	uint64_t event_number;
	bool pools_changed; /* a sweep is due */
	char **texts;       /* owned, each too: what jobs were told to say; see tell.h */
	size_t text_count, text_capacity;
};

void sim_world_init(struct sim_world *world, const struct sim_world_options *options);
void sim_world_release(struct sim_world *world);

/* Runs every event up to then, in order, sweeping after each change of a pool. */
void sim_world_run_until(struct sim_world *world, int64_t until_ms);

/* When the next event is due, or INT64_MAX. */
int64_t sim_world_next_ms(const struct sim_world *world);

/* Puts an event on the heap. */
void sim_world_announce(struct sim_world *world, int kind, size_t index, int64_t at_ms);

/* pools.c */
void sim_pools_init(struct sim_world *world);
/* Index of the type's pool; SIM_NOWHERE if there is no such type. */
int sim_pool_find(const struct sim_world *world, const char *instance_type);
/* Sets the free instances from outside and sweeps; the random process leaves it alone then. */
void sim_pool_set_free(struct sim_world *world, size_t pool, int64_t free);
/* The random process: starts it for all pools, and takes its next step for one. */
void sim_pools_start(struct sim_world *world);
void sim_pool_step(struct sim_world *world, size_t pool);
/* Instances have come back. */
void sim_pool_give_back(struct sim_world *world, size_t pool, int64_t count);
enum sim_quota_kind sim_quota_kind(const struct sim_order *order);
/* "training job usage": the end of the quota's name. Static text; quotas.c */
const char *sim_quota_usage(enum sim_quota_kind kind);

/* plans.c */
/* Adds a plan; its windows are announced as events. Ignored when there is no room. */
void sim_plan_add(struct sim_world *world, const struct sim_plan *plan);
int sim_plan_find(const struct sim_world *world, const char *arn);
enum sim_plan_state sim_plan_state(const struct sim_plan *plan, int64_t now_ms);
/* Instances that a job could have now. */
int64_t sim_plan_free(const struct sim_plan *plan, int64_t now_ms);

/* jobs.c */
/* NULL if there is none of that kind and name. */
struct sim_job *sim_job_find(const struct sim_world *world, enum sim_job_kind kind,
			     const char *name);
/* A new record, created now or earlier; NULL when SIM_JOBS_MAX are there. The name must be free,
 * and creation times must not run backwards. request is taken over. */
struct sim_job *sim_job_add(struct sim_world *world, const struct sim_order *order, char *request,
			    size_t request_len, int64_t created_ms);
void sim_job_free(struct sim_job *job);
/* Closes the open transition at that time and opens the next one. */
void sim_job_enter(struct sim_job *job, const char *status, const char *message, int64_t at_ms);
/* Closes the open transition, if any. */
void sim_job_close(struct sim_job *job, int64_t at_ms);
/* The job as it stood then: out borrows what the job owns and is never freed. False if it was not
 * there yet. */
bool sim_job_as_of(const struct sim_job *job, int64_t at_ms, struct sim_job *out) MUST_CHECK;
/* Is any entry's type accelerated? */
bool sim_job_is_accelerated(const struct sim_world *world, const struct sim_job *job);
/* Billable milliseconds until now or the end. */
int64_t sim_job_held_ms(const struct sim_job *job, int64_t now_ms);

/* queue.c */
/* A new job comes in: it gets instances at once, waits, or (a list without an accelerated entry)
 * fails. NULL when there is no room for more jobs. request is taken over in any case. */
struct sim_job *sim_submit(struct sim_world *world, const struct sim_order *order, char *request,
			   size_t request_len);
/* Puts the job in the queue (in creation order). */
void sim_queue_add(struct sim_world *world, struct sim_job *job);
void sim_queue_remove(struct sim_world *world, struct sim_job *job);
/* Walks the waiting jobs, oldest first; each takes the first entry that fits whole. */
void sim_queue_sweep(struct sim_world *world);
/* Counts anew what counts towards the pending limits: a plan has changed its state. */
void sim_queue_recount(struct sim_world *world);
/* Takes the instances of an entry without asking whether they are free (opening pictures). */
void sim_hold(struct sim_world *world, struct sim_job *job, size_t entry, int64_t at_ms);
/* Gives back what the job holds. */
void sim_let_go(struct sim_world *world, struct sim_job *job, int64_t at_ms);

/* warm.c */
/* Is there room for the instances of the job in the quota of warm pools? */
bool sim_warm_has_room(const struct sim_world *world, const struct sim_job *job);
/* The job has ended and its instances stay with it; they count towards both quotas. */
void sim_warm_keep(struct sim_world *world, struct sim_job *job, int64_t at_ms);
/* A warm pool that serves the entry whole, for a job that asks for one itself; or NULL. */
struct sim_job *sim_warm_find(const struct sim_world *world, const struct sim_order *order,
			      const struct sim_entry *entry);
/* It ends: the instances go to the pool, or right on to next (NULL: to nobody). */
void sim_warm_end(struct sim_world *world, struct sim_job *job, const struct sim_job *next);
/* The API's word for it as of job->seen_ms; NULL: there is none, or it is not told yet. */
const char *sim_warm_word(const struct sim_job *job);
/* Seconds that the pool was kept, as of job->seen_ms. */
int64_t sim_warm_seconds(const struct sim_job *job);

/* life.c */
/* The job has its instances: its first step on them. */
void sim_life_start(struct sim_world *world, struct sim_job *job);
/* The job's event is due. */
void sim_life_step(struct sim_world *world, struct sim_job *job);
/* Asks it to stop; false if it has ended or is stopping already. */
bool sim_life_stop(struct sim_world *world, struct sim_job *job);
/* Deletes one that has ended; false if it has not, or is being deleted already. */
bool sim_life_delete(struct sim_world *world, struct sim_job *job);
/* Sets how long its instances stay after the end, also while they do. False if it has ended without
 * a warm pool. */
bool sim_life_keep_alive(struct sim_world *world, struct sim_job *job, int64_t keep_alive_ms);
/* Ends it now. */
void sim_life_end(struct sim_world *world, struct sim_job *job, enum sim_status status,
		  const char *secondary, const char *message);
/* Sets the job's next event; step SIM_STEP_NONE takes it away. */
void sim_life_plan(struct sim_world *world, struct sim_job *job, enum sim_step step, int64_t at_ms);

/* The API's words. Static texts. */
const char *sim_status_word(enum sim_status status);
const char *sim_job_status_word(const struct sim_job *job);
bool sim_status_has_ended(enum sim_status status);

#endif
