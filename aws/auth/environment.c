/* Keys of the environment: AWS_ACCESS_KEY_ID and its companions. */
#include <stdio.h>

#include "aws/auth/document.h"
#include "aws/auth/keys.h"

/* The older AWS_SECURITY_TOKEN wins, as in the AWS CLI. */
static enum provider_step start(struct provider_job *job)
{
	const char *older = setup_env("AWS_SECURITY_TOKEN");
	const char *expires = setup_env("AWS_CREDENTIAL_EXPIRATION");
	const struct keys keys = {
		.access_key = setup_env("AWS_ACCESS_KEY_ID"),
		.secret_key = setup_env("AWS_SECRET_ACCESS_KEY"),
		.session_token = older ? older : setup_env("AWS_SESSION_TOKEN"),
		.account = setup_env("AWS_ACCOUNT_ID"),
		.access_name = "AWS_ACCESS_KEY_ID",
		.secret_name = "AWS_SECRET_ACCESS_KEY",
		.token_name = older ? "AWS_SECURITY_TOKEN" : "AWS_SESSION_TOKEN",
	};
	/* A profile that was asked for by name means that profile. */
	if (job->profile_is_named)
		return PROVIDER_SKIPS;
	enum provider_step step = keys_give(job, &keys);
	if (step != PROVIDER_GIVES)
		return step;
	if (expires) {
		job->credentials.expires.set = document_time(expires, &job->credentials.expires.ms);
		if (!job->credentials.expires.set)
			return provider_fails(job, "AWS_CREDENTIAL_EXPIRATION is no time");
	}
	snprintf(job->origin, sizeof(job->origin), "AWS_ACCESS_KEY_ID of the environment");
	return PROVIDER_GIVES;
}

const struct provider provider_environment = { .name = "environment", .start = start };
