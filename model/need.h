/* What one command needs of AWS before it can write its result. */
#ifndef GPUQ_NEED_H
#define GPUQ_NEED_H

enum need {
	NEED_NOTHING,
	NEED_JOBS,      /* both lists, and the live jobs described */
	NEED_JOB,       /* one, by name, of either kind */
	NEED_OWNED,     /* those named by the arguments, and whom each belongs to */
	NEED_PLANS,     /* all training plans */
	NEED_QUOTAS,    /* of the types named, or of those in use; and the jobs that use them */
	NEED_DIAGNOSIS, /* of the whole way to AWS, whether there is a connection or not */
};

#endif
