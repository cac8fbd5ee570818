/*
 * What is known without asking AWS, as rows of a diagnosis: the two files, what they and the
 * environment decide, the credentials found, the clock as measured, the way to the endpoints.
 */
#ifndef GPUQ_DIAGNOSE_H
#define GPUQ_DIAGNOSE_H

#include "aws/auth/auth.h"
#include "aws/setup.h"
#include "model/diagnosis.h"

struct diagnose_facts {
	const struct setup *setup; /* {0}: the files were not read in time */
	/* Why there is no connection; NULL where there is one. */
	const struct err *trouble;
	const char *region, *region_origin; /* "" = none */
	bool is_searched;                   /* for credentials; status is nothing otherwise */
	struct auth_status status;          /* of credentials */
	int64_t wall_ms;                    /* AWS's time, as far as it is known */
	struct opt_ms skew;                 /* AWS's clock minus this machine's */
	bool keeps_clock;                   /* it is not corrected */
};

void diagnose_files(struct diagnosis *diagnosis, const struct diagnose_facts *facts);
/* Profile, region and retries. */
void diagnose_settings(struct diagnosis *diagnosis, const struct diagnose_facts *facts);
void diagnose_credentials(struct diagnosis *diagnosis, const struct diagnose_facts *facts);
void diagnose_clock(struct diagnosis *diagnosis, const struct diagnose_facts *facts);
/* Endpoints of SageMaker and STS, the proxy before them, certificates. */
void diagnose_ways(struct diagnosis *diagnosis, const struct diagnose_facts *facts);

#endif
