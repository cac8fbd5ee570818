/* What one command needs of AWS before it can write its result. */
#ifndef GPUQ_NEED_H
#define GPUQ_NEED_H

#include "model/check.h"
#include "model/quota.h"

enum need {
	NEED_NOTHING,
	NEED_JOBS,  /* both lists, the live jobs described, and what was kept of earlier ones */
	NEED_JOB,   /* one, by name, of either kind */
	NEED_WAIT,  /* the same, kept fresh from then on */
	NEED_WATCH, /* both lists, kept fresh from the first answer on */
	NEED_JOB_HISTORY,  /* one job, and all that was kept of earlier ones */
	NEED_OWNED,        /* those named by the arguments, and whom each belongs to */
	NEED_PLANS,        /* all training plans */
	NEED_QUOTAS,       /* of the types named, or of those in use; and the jobs that use them */
	NEED_EXPLAIN,      /* those named, or what was kept of their refusal; plans, limits, past */
	NEED_HISTORY,      /* the jobs of both lists, and all that was kept of earlier ones */
	NEED_HISTORY_FEES, /* the same, and the plans that some of them ran on */
	NEED_HISTORY_PLANS, /* the same, and all training plans */
	NEED_PRICES,        /* the price list of the region */
	NEED_ACTIONS,       /* what gpuq did here before; nothing of AWS but who signs */
	NEED_REQUEST,       /* what AWS can tell of a request before it is sent */
	NEED_DIAGNOSIS,     /* of the whole way to AWS, whether there is a connection or not */
};

#define NEED_WHY_SIZE 96

/* Of NEED_EXPLAIN: a submission of that name which AWS refused, as it was kept. {0} = none. */
struct need_refusal {
	bool is_kept;
	enum job_kind kind;
	struct err err; /* owned */
	struct opt_ms at;
};

/* Of NEED_REQUEST, beside the quotas, plans and jobs that come to lie in the store. */
struct need_look {
	bool asked; /* the rest has been filled */
	enum name_state name;
	/* Of struct check_known; "" = nothing to say. */
	char name_why[NEED_WHY_SIZE], plans_why[NEED_WHY_SIZE];
	enum quota_kind kind; /* the limits that its entries run into */
	bool keeps_alive;     /* and those of warm pools */
	bool counted;         /* all jobs that use them are in the store */
};

/* Why SageMaker did not tell, as the end of "... is not checked: ". */
void need_say_why(const struct err *err, char why[NEED_WHY_SIZE]);

#endif
