/* Roles and identities of STS: forms out, keys and names in. */
#ifndef GPUQ_STS_H
#define GPUQ_STS_H

#include "aws/client.h"
#include "aws/credentials.h"

struct sts_role {
	const char *role_arn, *session_name;
	const char *external_id;      /* this one and the next four: NULL = not sent */
	const char *serial_number;    /* of the MFA device */
	const char *token_code;       /* that it shows now */
	const char *duration_seconds; /* 900 to 43200 */
	const char *web_identity_token;
};

/* The form of AssumeRole; with a web identity's token, of AssumeRoleWithWebIdentity, which is sent
 * without a signature. The body holds secrets: wipe it. */
void sts_write_assume_role(struct buf *body, const struct sts_role *role);

/* The keys in the reply of either, with their end and the account. Release them. False with err
 * (ERR_PARSE, ERR_TOO_BIG, ERR_AUTH for keys that cannot be any), which names none of them. */
bool sts_read_credentials(const char *body, size_t len, struct aws_credentials *out,
			  struct err *err) MUST_CHECK;

extern const struct aws_op op_get_caller_identity;

struct sts_identity {
	char account[ACCOUNT_ID_SIZE];
	const char *arn, *user_id; /* borrowed for the call back */
};
typedef void sts_identity_fn(void *ctx, const struct sts_identity *identity, const struct err *err);

/* Who signs, by a client of SERVICE_STS. Needs no permission. identity is NULL on error. */
uint64_t sts_get_caller_identity(struct aws_client *client, sts_identity_fn *done, void *ctx);

#endif
