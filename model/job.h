/*
 * A job as gpuq knows it, its phase and its waits. Filled by aws/ from List and Describe; strings
 * are owned by the job. Rules of phase and wait_seconds: interface.md, JSON.
 */
#ifndef GPUQ_JOB_H
#define GPUQ_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/clock.h"
#include "model/preferences.h"
#include "model/tag.h"
#include "model/transition.h"

enum job_kind { JOB_TRAINING, JOB_PROCESSING };

enum phase {
	PHASE_PENDING,
	PHASE_STARTING,
	PHASE_RUNNING,
	PHASE_STOPPING,
	PHASE_COMPLETED,
	PHASE_FAILED,
	PHASE_STOPPED,
	PHASE_UNKNOWN, /* a word no list knows, in progress: shown with pending, stoppable */
};

#define JOB_NAME_SIZE       64  /* 63 characters, service limit */
#define JOB_TRANSITIONS_MAX 256 /* kept; a spot job can have dozens */

struct selected {
	bool set;
	char instance_type[TYPE_NAME_SIZE];
	int64_t count;
	size_t rank; /* 1 = first choice; 0 = the type is not in the list */
};

/* Instances kept after the end for the next job like it. Source: service model, WarmPoolStatus. */
struct warm_pool {
	char *status;    /* owned: Available, InUse, Reused, Terminated; NULL: not reported */
	char *reused_by; /* owned: the job that took them over, or NULL */
	struct opt_ms retained; /* billed for each instance beside the training time; a duration */
};

/*
 * What the filter and the order of a list look at stands first, and small members side by side:
 * there may be 100,000 jobs, and a key may look at all of them.
 */
struct job {
	char name[JOB_NAME_SIZE];
	char *status;              /* primary: InProgress, Completed, ... as sent */
	char *secondary_status;    /* training only, else NULL */
	char *status_message;      /* of the newest transition, else NULL */
	char *failure_reason;      /* FailureReason, else ExitMessage, else NULL */
	struct preferences *prefs; /* owned; NULL = none: job_prefs() */
	char *arn;                 /* owned; the identity everywhere */
	enum job_kind kind;
	bool described;  /* what a list does not tell is known (from Describe) and not outdated */
	bool indexed;    /* described by a record of Search: it may lag */
	bool has_groups; /* InstanceGroups: no selection, priced by entry */
	bool spot;
	bool text_is_of_search; /* request_json is a record of Search, without its tags */
	bool disordered;        /* its transitions were not told oldest first */
	bool shares;            /* its texts but arn, reused_by and request_json, its list and its
				 * tags belong to the store: job_shares.h */
	uint32_t transition_count;
	struct opt_ms ended, started, created, modified;
	int64_t described_mono_ms; /* when, by the monotonic clock */
	uint64_t revision; /* of the store, when this job last changed; 0 = as it was recorded */
	char *role_arn;
	char *image;
	struct selected selected;
	struct warm_pool pool;
	int64_t keep_alive_seconds;             /* asked for; 0 = none */
	struct opt_ms max_pending, max_runtime; /* durations in ms */
	struct opt_ms billable, training_time;  /* durations in ms */
	struct kept_transition *transitions;    /* owned, oldest first: job_transition() */
	struct tag_list *tags; /* owned; as Search told them; NULL: not known, Describe has none */
	char *request_json; /* the reply of Describe as it came, for `y` and for copies; or NULL */
};

/* Frees everything the job owns (what it shares is not its own) and makes it {0}. NULL is accepted.
 */
void job_release(struct job *job);

/*
 * The list, role, image and request are known: described, or described before its state changed.
 * What such a job shows meanwhile is right but for times, selection and message, which may lag.
 */
bool job_has_details(const struct job *job);

/* Frees what is shown of a selected job alone: its text and the messages on its way. */
void job_drop_texts(struct job *job);

/* The list; one without entries where none is known. Borrowed until the job changes. */
const struct preferences *job_prefs(const struct job *job);

/* The same to be changed; not of a job that shares. */
struct preferences *job_edit_prefs(struct job *job);

/* Moves: to is released first, from is left {0}. */
void job_move(struct job *to, struct job *from);

/* A deep copy that owns all of it; to is released first. */
void job_copy(struct job *to, const struct job *from);

/* Adds a transition in order of its start, behind those that start with it or before (texts are
 * copied); one without a start goes last. Ignored above JOB_TRANSITIONS_MAX. */
void job_add_transition(struct job *job, const char *status, const char *message,
			struct opt_ms start, struct opt_ms end);

/*
 * interface.md, JSON. A processing job known from a list only is PHASE_UNKNOWN while in progress:
 * ListProcessingJobs has no start time to tell pending from running.
 */
enum phase job_phase(const struct job *job);
/* pending, starting, ... as in JSON. Static text. */
const char *phase_word(enum phase phase);
/* Reads a phase word in any case; false if it is none. */
bool phase_parse(const char *word, enum phase *phase);
const char *job_kind_word(enum job_kind kind); /* training, processing */

/* In progress or stopping: its state can still change. */
bool job_is_live(const struct job *job);
/* Completed, Failed or Stopped. */
bool job_has_ended(const struct job *job);
/* Ended without ever having had an instance: no start time and nothing billed, or Stopped with
 * nothing billed. False where it is not known. */
bool job_never_started(const struct job *job);

/* Phase of one status word of a transition (PHASE_PENDING for the waiting words). */
enum phase phase_of_secondary(const char *secondary_status);

/*
 * Milliseconds spent pending, all stretches summed (time that two of them share counts once), up
 * to now_ms or the end. An open stretch that another transition follows ends where that begins.
 * *final: the job has ended. False: not known yet (a job known from a list only, with no times to
 * go by).
 */
bool job_wait_ms(const struct job *job, int64_t now_ms, int64_t *wait_ms, bool *final);

/* Transition i, below transition_count; its texts are borrowed until the job changes. */
struct transition job_transition(const struct job *job, size_t i);

/* Where transition i ends: by itself, where the next one starts, at the job's end (EndTime, else
 * LastModifiedTime), now for a job that has not ended. Unset when that is not known. */
struct opt_ms job_transition_end(const struct job *job, size_t i, int64_t now_ms);

/*
 * When the pending limit will stop a pending job, by what is counted so far; unset when it has
 * none, or one without effect (no accelerated entry, processing). Times in which a training plan
 * stops the count are not known here: with a plan in the list it is the earliest time, and unset
 * once that has passed.
 */
struct opt_ms job_pending_deadline(const struct job *job, int64_t now_ms);

/*
 * The stem: the name without its trailing groups of digits, dates or hex of four characters and
 * a digit or more. out holds JOB_NAME_SIZE bytes.
 */
void job_stem(const char *name, char out[JOB_NAME_SIZE]);

/*
 * A new valid name for a copy: stem, '-', yymmdd-hhmmss of now (UTC), the stem cut so that the
 * whole has at most 63 characters. out holds JOB_NAME_SIZE bytes.
 */
void job_copy_name(const char *name, int64_t now_ms, char out[JOB_NAME_SIZE]);

/* Matches the service's pattern [a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}. */
bool job_name_is_valid(const char *name);

/*
 * Sets selected.rank from the list and, without a list, the selection by the rules of JSON: none
 * for groups, while pending and for a job that never started, else the one preference.
 */
void job_settle_selection(struct job *job);

#endif
