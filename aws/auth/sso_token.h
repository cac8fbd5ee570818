/*
 * The token of `aws sso login` from its cache, refreshed by OIDC shortly before it expires where
 * the login allows that. Written back as the AWS CLI writes it.
 */
#ifndef GPUQ_AUTH_SSO_TOKEN_H
#define GPUQ_AUTH_SSO_TOKEN_H

#include "aws/auth/provider.h"

/* Borrowed while the token is looked for. */
struct sso_login {
	const char *session; /* NULL: a profile of the older form, which knows no refreshing */
	const char *start_url, *region;
};

/* token is borrowed for the call back; NULL with err. */
typedef void sso_token_fn(void *ctx, const char *token, const struct err *err);

struct sso_token;

/* done is called once, from the loop; the token may be freed from inside. Never NULL. */
struct sso_token *sso_token_start(struct provider_job *job, const struct sso_login *login,
				  sso_token_fn *done, void *ctx);
/* NULL is accepted. */
void sso_token_free(struct sso_token *token);

#define SSO_LOGIN_COMMAND "aws sso login"

#endif
