#include "aws/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define VARIABLES_MAX 2

static const struct {
	const char *option;
	const char *variables[VARIABLES_MAX];
	const char *key; /* in the profile */
} rows[AWS_SETTING_COUNT] = {
	[AWS_SETTING_REGION] = { "--region", { "AWS_REGION", "AWS_DEFAULT_REGION" }, "region" },
	[AWS_SETTING_CA_BUNDLE] = { NULL, { "AWS_CA_BUNDLE" }, "ca_bundle" },
	[AWS_SETTING_FIPS] = { NULL, { "AWS_USE_FIPS_ENDPOINT" }, "use_fips_endpoint" },
	[AWS_SETTING_DUALSTACK] = { NULL,
				    { "AWS_USE_DUALSTACK_ENDPOINT" },
				    "use_dualstack_endpoint" },
	[AWS_SETTING_IGNORE_URLS] = { NULL,
				      { "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS" },
				      "ignore_configured_endpoint_urls" },
};

/* True, and written to out, if there is a value. */
static bool take(struct aws_setting *out, const char *value, const char *origin)
{
	if (!value || !value[0])
		return false;
	out->value = value;
	snprintf(out->origin, sizeof(out->origin), "%s", origin);
	return true;
}

static bool take_env(struct aws_setting *out, const struct aws_lookup *lookup, const char *name)
{
	return take(out, lookup->env(lookup->ctx, name), name);
}

static bool take_profile(struct aws_setting *out, const struct aws_lookup *lookup, const char *key)
{
	struct aws_setting found = { .value = NULL };

	if (lookup->profile_value)
		lookup->profile_value(lookup->ctx, key, &found);
	return take(out, found.value, found.origin);
}

void aws_setting_find(struct aws_setting *out, enum aws_setting_id id, const char *option,
		      const struct aws_lookup *lookup)
{
	*out = (struct aws_setting){ .value = NULL };
	if (take(out, option, rows[id].option ? rows[id].option : ""))
		return;
	for (size_t i = 0; i < VARIABLES_MAX && rows[id].variables[i]; i++) {
		if (take_env(out, lookup, rows[id].variables[i]))
			return;
	}
	take_profile(out, lookup, rows[id].key);
}

bool aws_setting_is_true(const struct aws_setting *setting)
{
	return setting->value && strcasecmp(setting->value, "true") == 0;
}

static bool take_service(struct aws_setting *out, const struct aws_lookup *lookup,
			 const struct service *service, bool *found, struct err *err)
{
	struct aws_setting own = { .value = NULL };

	*found = false;
	if (lookup->service_value &&
	    !lookup->service_value(lookup->ctx, service->config_key, "endpoint_url", &own, err))
		return false;
	*found = take(out, own.value, own.origin);
	return true;
}

bool aws_setting_endpoint_url(struct aws_setting *out, const struct service *service,
			      const char *option, const struct aws_lookup *lookup, struct err *err)
{
	struct aws_setting ignored;
	char variable[64];
	bool found;

	*out = (struct aws_setting){ .value = NULL };
	if (take(out, option, "--endpoint-url"))
		return true;
	aws_setting_find(&ignored, AWS_SETTING_IGNORE_URLS, NULL, lookup);
	if (aws_setting_is_true(&ignored))
		return true;
	snprintf(variable, sizeof(variable), "AWS_ENDPOINT_URL_%s", service->env_suffix);
	if (take_env(out, lookup, variable) || take_env(out, lookup, "AWS_ENDPOINT_URL"))
		return true;
	if (!take_service(out, lookup, service, &found, err))
		return false;
	if (!found)
		take_profile(out, lookup, "endpoint_url");
	return true;
}

static const char *real_env(void *ctx, const char *name)
{
	(void)ctx;
	return getenv(name);
}

const char *aws_region(const char *option, struct err *err)
{
	const struct aws_lookup environment = { .env = real_env };
	struct aws_setting region;

	aws_setting_find(&region, AWS_SETTING_REGION, option, &environment);
	if (!region.value) {
		err_set(err, ERR_CONFIG, "no region is set");
		err->hint = HINT_SET_REGION;
		err_subject(err, "region");
	}
	return region.value;
}

const char *aws_endpoint_url(const char *option)
{
	const struct aws_lookup environment = { .env = real_env };
	struct aws_setting url;
	struct err err = { 0 };

	if (!aws_setting_endpoint_url(&url, service_row(SERVICE_SAGEMAKER), option, &environment,
				      &err))
		err_clear(&err); /* cannot be: there is no section to miss */
	return url.value;
}

bool aws_keeps_clock(void)
{
	const char *value = getenv("AWS_DISABLE_CLOCK_SKEW_CORRECTION");
	return value && (strcasecmp(value, "true") == 0 || strcmp(value, "1") == 0);
}
