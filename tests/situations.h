/*
 * Forty situations of jobs and submissions, set up in the simulated region, and of each the class
 * that `explain` owes it. Both were written from interface.md alone (JSON, explain; phase), before
 * there was anything that explains: the words of the service's fields decide, and the messages are
 * there to mislead.
 */
#ifndef GPUQ_TESTS_SITUATIONS_H
#define GPUQ_TESTS_SITUATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/job.h"
#include "tests/region.h"

#define SITUATION_STEPS_MAX 2

/* What happens to the job after its submission: an operation of SageMaker on it, or what the region
 * is told to say of it. */
struct situation_step {
	int age_seconds;       /* before the look; 0 ends the list */
	const char *operation; /* StopTrainingJob; NULL: tell */
	const char *tell;      /* members of the body of /_sim/tell */
};

struct situation {
	const char *name;     /* the job's */
	const char *expected; /* the class */
	/* The field that decides it, which comes first in the evidence. */
	const char *decided_by;
	enum job_kind kind;
	int age_seconds;      /* of the submission, before the look */
	const char *cluster;  /* members of ResourceConfig or ClusterConfig; PLAN in it is the
			       * beginning of a plan's ARN */
	const char *stopping; /* members of StoppingCondition; NULL: an hour of run time */
	const char *more;     /* further members of the request; NULL: none */
	/* Refused at the submission: what AWS answers, error code and text; NULL: what the region
	 * itself says. */
	bool is_refused;
	const char *code, *refusal;
	struct situation_step steps[SITUATION_STEPS_MAX + 1];
	/* As the region tells of it then, so that the set-up is known to have come about; a refused
	 * one has none. */
	const char *status, *secondary;
};

#define SITUATIONS 40
extern const struct situation situations[SITUATIONS];

/* A region of its own, in which everything has come about that is not refused; unsigned calls are
 * taken. Each step is taken at its age before the look, which is the region's time at the end. */
void situations_start(struct region *region);

/* The same with that one alone, which is not refused. */
void situation_start(struct region *region, const struct situation *one);

/* Submits a refused one with the real program, which keeps what AWS says. */
void situation_submit(const struct region *region, const struct situation *one);

#endif
