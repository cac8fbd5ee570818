/*
 * Where the AWS settings come from, each with the place that said it: option, environment, profile.
 * Files are not read here: what is in them is asked of the caller. Source: facts/aws.md 2.3, 2.4.
 */
#ifndef GPUQ_AWS_SETTINGS_H
#define GPUQ_AWS_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "aws/services.h"
#include "model/base/attr.h"
#include "model/base/err.h"

#define AWS_ORIGIN_SIZE 320

struct aws_setting {
	const char *value;            /* borrowed from who said it; NULL = nobody did */
	char origin[AWS_ORIGIN_SIZE]; /* "AWS_REGION", "profile ops in ~/.aws/config line 12"; "" */
};

/* The places that can be asked. They leave *out alone where the value is not set; empty texts count
 * as not set. */
struct aws_lookup {
	const char *(*env)(void *ctx, const char *name); /* NULL = not set */
	/* A key of the profile in use, of both files. The function itself is NULL without a
	 * profile. */
	void (*profile_value)(void *ctx, const char *key, struct aws_setting *out);
	/* A key of a service, as ("sagemaker", "endpoint_url"), in the [services] section that the
	 * profile names. False with err where that section is not there. NULL as above. */
	bool (*service_value)(void *ctx, const char *service, const char *key,
			      struct aws_setting *out, struct err *err);
	void *ctx;
};

enum aws_setting_id {
	AWS_SETTING_REGION,
	AWS_SETTING_CA_BUNDLE, /* file of certificates */
	AWS_SETTING_FIPS,      /* read it with aws_setting_is_true, as the two below */
	AWS_SETTING_DUALSTACK,
	AWS_SETTING_IGNORE_URLS, /* endpoint URLs of environment and profile do not count */
	AWS_SETTING_COUNT
};

/* The first that is set of: the option (NULL = not given), its variables in their order, its key in
 * the profile. */
void aws_setting_find(struct aws_setting *out, enum aws_setting_id id, const char *option,
		      const struct aws_lookup *lookup);

/* Only the word true counts, in any case. */
bool aws_setting_is_true(const struct aws_setting *setting);

/*
 * The URL that is set for a service: --endpoint-url, AWS_ENDPOINT_URL_<SERVICE>, AWS_ENDPOINT_URL,
 * the service's own in the profile's [services] section, the profile's endpoint_url. All but the
 * option are passed over where AWS_SETTING_IGNORE_URLS says so. False with err: service_value's.
 */
bool aws_setting_endpoint_url(struct aws_setting *out, const struct service *service,
			      const char *option, const struct aws_lookup *lookup,
			      struct err *err) MUST_CHECK;

/* Without a profile: --region, AWS_REGION, AWS_DEFAULT_REGION; NULL with err when none is set. */
const char *aws_region(const char *option, struct err *err);

/* Without a profile: the URL that is set for SageMaker; NULL = the region's own host. */
const char *aws_endpoint_url(const char *option);

/* AWS_DISABLE_CLOCK_SKEW_CORRECTION is true or 1: signatures keep to this machine's clock. */
bool aws_keeps_clock(void);

#endif
