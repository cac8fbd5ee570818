/*
 * How AWS is reached, as far as options, the environment and the two files say: profile, region,
 * endpoints, retries. Made from texts that were read before, and made anew when they change.
 */
#ifndef GPUQ_SETUP_H
#define GPUQ_SETUP_H

#include <stdbool.h>

#include "aws/endpoint.h"
#include "aws/profiles.h"
#include "aws/retry.h"
#include "aws/settings.h"
#include "model/arn.h"
#include "model/base/attr.h"
#include "model/base/err.h"

/* From the command line or the program's own file; NULL: not given. */
struct setup_options {
	const char *profile, *region, *endpoint_url;
	/* Who says the first two, where that is not the option of the name; NULL: it is. */
	const char *profile_origin, *region_origin;
	bool allow_http;
};

/* What setup_decide decides, first to last. */
enum setup_part { SETUP_PROFILE, SETUP_REGION, SETUP_RETRIES, SETUP_WHOLE };

/* {0} is valid and releasable. */
struct setup {
	struct setup_options options; /* texts are borrowed */
	struct profiles profiles;     /* as the files have them */
	/* Of setup_decide: */
	enum setup_part failed_at; /* nothing behind it is decided; SETUP_WHOLE: it did not fail */
	struct profile_choice choice;
	const struct profile *profile; /* NULL: none is named, and there is no default */
	struct aws_setting region;     /* value "" where nothing says it */
	struct aws_setting ca_bundle;  /* value NULL: the system's */
	struct retry_settings retry;
	bool fips, dualstack;
};

/* An environment variable; NULL where it is unset, empty or blank. */
const char *setup_env(const char *name);

/*
 * Decides everything from setup->options, the environment and setup->profiles. False with err: no
 * such profile, a damaged one, a value that cannot be. Again after either of them has changed.
 */
bool setup_decide(struct setup *setup, struct err *err) MUST_CHECK;
void setup_release(struct setup *setup);

/* The account that the chosen profile's own lines state: that of its role, of its IAM Identity
 * Center login or of its `aws login`. False, and out is "", where they state none. */
bool setup_account(const struct setup *setup, char out[ACCOUNT_SIZE]);

/* The URL that the user has set for a service, and where; value NULL: the region's own host. */
bool setup_endpoint_url(const struct setup *setup, enum aws_service service,
			struct aws_setting *out, struct err *err) MUST_CHECK;

/* The endpoint of a service in a region (NULL: the session's), the user's own URLs included. */
bool setup_endpoint(const struct setup *setup, enum aws_service service, const char *region,
		    struct endpoint *out, struct err *err) MUST_CHECK;

#endif
