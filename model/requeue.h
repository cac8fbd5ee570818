/*
 * A requeue: a copy with another list takes the place of a pending job. Pure: what is known goes
 * in, what is done next comes out. Each step is written to the journal before what it does, so that
 * whoever finds it there goes on from exactly that step.
 *
 * Stop first: the old job is stopped, its end is waited for (its quota is held until then,
 * facts/sagemaker.md), then the new one is created. Submit first: the new one is created, then the
 * old one is stopped; should it have started meanwhile, the new one is stopped instead. A job is
 * stopped only where the look right before has shown it pending, and the old one never for a new
 * one that an earlier run created and that is over since.
 */
#ifndef GPUQ_REQUEUE_H
#define GPUQ_REQUEUE_H

#include "model/base/err.h"
#include "model/owner.h"

enum requeue_step {
	/* stop first */
	REQUEUE_STOP_OLD,  /* agreed: nothing has been changed, but the stop may be on its way */
	REQUEUE_AWAIT_END, /* the stop was taken */
	REQUEUE_CREATE,    /* the old one has ended: the new one may be on its way */
	/* submit first */
	REQUEUE_LOOK_FIRST,   /* agreed: nothing has been changed */
	REQUEUE_CREATE_FIRST, /* the old one waits: the new one may be on its way */
	REQUEUE_REPLACE,      /* the new one exists: the old one is stopped */
	REQUEUE_TAKE_BACK,    /* the old one has started, or stays: the new one is stopped */
	REQUEUE_CHOOSE,       /* the new one has started: the old one is, if it still waits */
	/* ends */
	REQUEUE_DONE,      /* the new one is there, the old one is over or stopping */
	REQUEUE_OLD_STAYS, /* the old one has started or run: there is no new one */
	REQUEUE_UNSTOPPED, /* the stop of the old one was refused: there is no new one */
	REQUEUE_REFUSED,   /* submit first: the new one was refused, the old one waits as before */
	REQUEUE_NOT_CREATED, /* stop first: the old one is stopped, and the new one was refused */
	REQUEUE_BOTH,        /* both have started, or cannot be stopped: a person chooses */
	REQUEUE_STALE,       /* what was agreed to is too old, or the old job is not there */
	REQUEUE_NEW_OVER,    /* submit first: the new one has ended already, the old one is left */
	REQUEUE_WITHDRAWN,   /* taken back: no new one was created */
};
#define REQUEUE_STEPS (REQUEUE_WITHDRAWN + 1)

enum requeue_fact {
	FACT_AGREED,  /* just now */
	FACT_RESUMED, /* found in the journal: what its step does may have been done */
	FACT_WITHDRAWN,
	FACT_WITHDRAWN_UNSENT, /* and the creation that the step is about has not been begun */
	FACT_LATE,             /* submit first: both have been there for too long */
	/* a look at the old job */
	FACT_OLD_PENDING,
	FACT_OLD_STARTED, /* or in a state that no list knows */
	FACT_OLD_STOPPING,
	FACT_OLD_ENDED, /* without having run, or by the stop */
	FACT_OLD_RAN,   /* and ended; or it was over before anything was begun */
	FACT_OLD_GONE,
	FACT_OLD_UNKNOWN, /* no answer */
	/* a look at the new one */
	FACT_NEW_PENDING,
	FACT_NEW_STARTED,
	FACT_NEW_OVER, /* ended, stopping or not there */
	FACT_NEW_UNKNOWN,
	/* what became of a stop */
	FACT_STOP_TAKEN,
	FACT_STOP_OVER,
	FACT_STOP_REFUSED,
	FACT_STOP_OPEN,
	/* what became of the create */
	FACT_CREATED,
	FACT_CREATED_BEFORE, /* by an earlier run: it may be over since */
	FACT_CREATE_REFUSED,
	FACT_CREATE_OPEN, /* another answer follows */
	FACT_CREATE_STALE,
};
#define REQUEUE_FACTS (FACT_CREATE_STALE + 1)

enum requeue_act {
	ACT_WAIT, /* a refresh, then look again as requeue_look says; after CREATE, for its answer
		   */
	ACT_LOOK_OLD,
	ACT_LOOK_NEW,
	ACT_STOP_OLD,
	ACT_STOP_NEW,
	ACT_CREATE,
	ACT_END,
};

struct requeue_next {
	enum requeue_step step;
	enum requeue_act act;
};

/* What follows from a fact. A fact that says nothing to a step changes nothing: ACT_WAIT. */
struct requeue_next requeue_next(enum requeue_step step, enum requeue_fact fact);

bool requeue_has_ended(enum requeue_step step);
/* What is looked at again after a wait; ACT_WAIT: nothing, an answer is to come. */
enum requeue_act requeue_look(enum requeue_step step);
/* Both jobs are there, as far as is known. */
bool requeue_overlaps(enum requeue_step step);
enum requeue_step requeue_first_step(bool stop_first);

/* Words of the journal: "stop-old", ... Static text; false: none of them. */
const char *requeue_step_word(enum requeue_step step);
bool requeue_step_parse(const char *word, enum requeue_step *step);

/* Something has been changed, or may have been. stop_sent: a stop may have reached AWS. */
bool requeue_has_begun(enum requeue_step step, bool stop_sent);

/*
 * What a description says of the old job, and of the new one; job NULL: there is none. begun: as
 * requeue_has_begun; before that only a job that waits is replaced: two programs that agree to it
 * one after the other make one copy. stop_sent: a stop may have reached AWS, so that one that is
 * Stopped was stopped by it, whatever it had begun in the moment between the look and the stop.
 */
enum requeue_fact requeue_fact_of_old(const struct job *job, bool begun, bool stop_sent);
enum requeue_fact requeue_fact_of_new(const struct job *job);

/* --- what is asked for, and what is told --- */

/* Borrowed for the call that hands it over. */
struct requeue_wish {
	enum job_kind kind;
	const char *old_name, *old_arn;
	const char *new_name, *text; /* the exact request */
	bool stop_first;
	bool despite_owner; /* the old job's owner was named, and this wanted all the same */
	bool carries_tags;  /* the old job's go into the request, unless it has some; these are
			     * read first. Not with despite_owner, which reads none. */
};

struct requeue_told {
	enum job_kind kind;
	const char *old_name, *old_arn, *new_name;
	const char *new_arn; /* NULL: there is none, as far as is known */
	enum requeue_step step;
	bool stop_first;
	bool old_stopped;           /* a stop of the old job may have reached AWS */
	bool taken_back;            /* by a person */
	bool late;                  /* an earlier run of the program has begun it */
	struct owner owner;         /* it was not begun: the old job belongs to somebody */
	const struct err *err;      /* why it came to that end; NULL = there is nothing to say */
	const struct err *tags_err; /* why the old job's tags are not copied; NULL = they are, or
				     * were not asked for */
	const char *text;           /* the request, where it was not created */
	size_t left;                /* requeues that have not ended */
};

/* What is told, as a sentence. */
void requeue_describe(const struct requeue_told *told, struct buf *out);

#endif
