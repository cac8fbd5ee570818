#include "aws/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/config_files.h"

#define GLOBAL       "aws-global" /* STS without a region, */
#define GLOBAL_SIGNS "us-east-1"  /* and what is signed for it, at a host of one's own too */

const char *setup_env(const char *name)
{
	const char *value = getenv(name);
	return value && value[strspn(value, " \t")] ? value : NULL;
}

static const char *read_env(void *ctx, const char *name)
{
	(void)ctx;
	return getenv(name);
}

static void say(const struct setup *setup, const struct profile_value *value,
		struct aws_setting *out)
{
	if (!value->text || !value->text[0])
		return;
	out->value = value->text;
	snprintf(out->origin, sizeof(out->origin), "profile %.80s in %.160s line %zu",
		 setup->profile->name, setup->profiles.files[value->file].name, value->line);
}

static void read_profile(void *ctx, const char *key, struct aws_setting *out)
{
	const struct setup *setup = ctx;
	struct profile_value value = profile_value(setup->profile, key);
	say(setup, &value, out);
}

static bool read_service(void *ctx, const char *service, const char *key, struct aws_setting *out,
			 struct err *err)
{
	const struct setup *setup = ctx;
	struct profile_value value;
	if (!profiles_service_value(&setup->profiles, setup->profile, service, key, &value, err))
		return false;
	say(setup, &value, out);
	return true;
}

static struct aws_lookup lookup_of(const struct setup *setup)
{
	return (struct aws_lookup){
		.env = read_env,
		.profile_value = setup->profile ? read_profile : NULL,
		.service_value = setup->profile ? read_service : NULL,
		.ctx = (void *)setup,
	};
}

static bool is_true(const struct setup *setup, enum aws_setting_id id)
{
	const struct aws_lookup lookup = lookup_of(setup);
	struct aws_setting setting;
	aws_setting_find(&setting, id, NULL, &lookup);
	return aws_setting_is_true(&setting);
}

static bool find_region(struct setup *setup, struct err *err)
{
	const struct aws_lookup lookup = lookup_of(setup);
	aws_setting_find(&setup->region, AWS_SETTING_REGION, setup->options.region, &lookup);
	if (setup->options.region && setup->options.region_origin)
		snprintf(setup->region.origin, sizeof(setup->region.origin), "%s",
			 setup->options.region_origin);
	if (!setup->region.value) {
		setup->region.value = "";
	} else if (!endpoint_region_is_valid(setup->region.value)) {
		err_set(err, ERR_CONFIG, "%.80s is not the name of a region", setup->region.value);
		err->hint = HINT_SET_REGION;
		return err_subject(err, "%s", setup->region.origin);
	}
	return true;
}

static bool find_retries(struct setup *setup, struct err *err)
{
	const struct retry_texts places[] = {
		{ getenv("AWS_RETRY_MODE"), getenv("AWS_MAX_ATTEMPTS") },
		{ profile_value(setup->profile, "retry_mode").text,
		  profile_value(setup->profile, "max_attempts").text },
	};
	return retry_settings_of(places, ARRAY_LEN(places), &setup->retry, err);
}

static bool find_parts(struct setup *setup, struct err *err)
{
	setup->failed_at = SETUP_PROFILE;
	setup->choice = profile_choice(setup->options.profile);
	if (setup->options.profile && setup->options.profile_origin)
		setup->choice.source = setup->options.profile_origin;
	if (!profiles_choose(&setup->profiles, &setup->choice, &setup->profile, err))
		return false;
	setup->failed_at = SETUP_REGION;
	if (!find_region(setup, err))
		return false;
	setup->failed_at = SETUP_RETRIES;
	if (!find_retries(setup, err))
		return false;
	setup->failed_at = SETUP_WHOLE;
	return true;
}

bool setup_decide(struct setup *setup, struct err *err)
{
	setup->profile = NULL;
	setup->region = (struct aws_setting){ .value = "" };
	if (!find_parts(setup, err))
		return false;
	const struct aws_lookup lookup = lookup_of(setup);
	aws_setting_find(&setup->ca_bundle, AWS_SETTING_CA_BUNDLE, NULL, &lookup);
	setup->fips = is_true(setup, AWS_SETTING_FIPS);
	setup->dualstack = is_true(setup, AWS_SETTING_DUALSTACK);
	return true;
}

void setup_release(struct setup *setup)
{
	profiles_release(&setup->profiles);
	setup->profile = NULL;
}

bool setup_endpoint_url(const struct setup *setup, enum aws_service service,
			struct aws_setting *out, struct err *err)
{
	const struct aws_lookup lookup = lookup_of(setup);
	return aws_setting_endpoint_url(out, service_row(service), setup->options.endpoint_url,
					&lookup, err);
}

bool setup_endpoint(const struct setup *setup, enum aws_service service, const char *region,
		    struct endpoint *out, struct err *err)
{
	struct aws_setting url;
	if (!setup_endpoint_url(setup, service, &url, err))
		return false;
	/* Roles are opened before a region may be known: that of an instance is asked for later. */
	const char *standard = setup->region.value;
	if (service == SERVICE_STS && !standard[0])
		standard = url.value ? GLOBAL_SIGNS : GLOBAL;
	const struct endpoint_query query = {
		.service = service,
		.region = region ? region : standard,
		.fips = setup->fips,
		.dualstack = setup->dualstack,
		.override_url = url.value,
	};
	if (!endpoint_resolve(out, &query, err)) {
		if (url.value && !err->subject[0])
			err_subject(err, "%s", url.origin);
		return false;
	}
	return endpoint_http_is_allowed(out, setup->options.allow_http, err);
}

static const char *value_of(const struct setup *setup, const char *key)
{
	const char *text = profile_value(setup->profile, key).text;
	return text ? text : "";
}

bool setup_account(const struct setup *setup, char out[ACCOUNT_SIZE])
{
	const char *role = value_of(setup, "role_arn"), *sso = value_of(setup, "sso_account_id");
	out[0] = '\0';
	if (role[0])
		return arn_account(role, out);
	if (!sso[0])
		return arn_account(value_of(setup, "login_session"), out);
	if (strlen(sso) != ACCOUNT_SIZE - 1 || strspn(sso, "0123456789") != ACCOUNT_SIZE - 1)
		return false;
	memcpy(out, sso, ACCOUNT_SIZE);
	return true;
}
