#include "aws/auth/keys.h"

#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"

static bool is_set(const char *value)
{
	return value && value[0];
}

enum provider_step keys_give(struct provider_job *job, const struct keys *keys)
{
	struct aws_credentials *out = &job->credentials;
	const char *place = keys->place ? keys->place : "";
	const char *in = keys->place ? " in " : "";
	if (!is_set(keys->access_key))
		return PROVIDER_SKIPS;
	if (!is_set(keys->secret_key)) {
		provider_fails(job, "%s is set%s%s, but %s is not", keys->access_name, in, place,
			       keys->secret_name);
		job->err.hint = HINT_SET_CREDENTIALS;
		return PROVIDER_FAILS;
	}
	if (!credentials_text_is_clean(keys->access_key, keys->access_name, &job->err) ||
	    !credentials_text_is_clean(keys->secret_key, keys->secret_name, &job->err) ||
	    (is_set(keys->session_token) &&
	     !credentials_text_is_clean(keys->session_token, keys->token_name, &job->err))) {
		err_subject(&job->err, "%s", place);
		return PROVIDER_FAILS;
	}
	mem_set_text(&out->access_key, keys->access_key);
	mem_set_text(&out->secret_key, keys->secret_key);
	if (is_set(keys->session_token))
		mem_set_text(&out->session_token, keys->session_token);
	if (is_set(keys->account) && strlen(keys->account) == ACCOUNT_ID_SIZE - 1)
		snprintf(out->account, sizeof(out->account), "%s", keys->account);
	return PROVIDER_GIVES;
}

enum provider_step keys_of_section(struct provider_job *job, enum profiles_file file)
{
	const struct profile *profile = job->profile;
	const char *older = profile_value_in(profile, file, "aws_security_token").text;
	const char *token = profile_value_in(profile, file, "aws_session_token").text;
	char place[ORIGIN_SIZE];
	const struct keys keys = {
		.access_key = profile_value_in(profile, file, "aws_access_key_id").text,
		.secret_key = profile_value_in(profile, file, "aws_secret_access_key").text,
		.session_token = is_set(older) ? older : token,
		.account = provider_value(job, "aws_account_id"),
		.access_name = "aws_access_key_id",
		.secret_name = "aws_secret_access_key",
		.token_name = is_set(older) ? "aws_security_token" : "aws_session_token",
		.place = place,
	};
	snprintf(place, sizeof(place), "profile %.100s of the %s file", provider_profile(job),
		 file == PROFILES_CONFIG ? "config" : "credentials");
	snprintf(job->origin, sizeof(job->origin), "%s", place);
	return keys_give(job, &keys);
}
