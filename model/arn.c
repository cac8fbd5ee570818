#include "model/arn.h"

#include <string.h>

#define FIELDS_BEFORE_ACCOUNT  4
#define FIELDS_BEFORE_RESOURCE 5

#define SSO_PREFIX "AWSReservedSSO_"
#define SSO_HASH   16 /* hex digits behind the last '_' */

/* What stands behind so many colons; NULL where the text is no such ARN. */
static const char *skip_fields(const char *arn, int fields)
{
	if (!arn || strncmp(arn, "arn:", 4) != 0)
		return NULL;
	for (int i = 0; i < fields; i++) {
		arn = strchr(arn, ':');
		if (!arn)
			return NULL;
		arn++;
	}
	return arn;
}

bool arn_account(const char *arn, char out[ACCOUNT_SIZE])
{
	out[0] = '\0';
	arn = skip_fields(arn, FIELDS_BEFORE_ACCOUNT);
	if (!arn)
		return false;
	size_t len = strspn(arn, "0123456789");
	if (len != ACCOUNT_SIZE - 1 || arn[len] != ':')
		return false;
	memcpy(out, arn, len);
	out[len] = '\0';
	return true;
}

static void drop_sso_parts(const char **name, size_t *len)
{
	size_t prefix = sizeof(SSO_PREFIX) - 1;
	if (*len <= prefix + SSO_HASH + 1 || strncmp(*name, SSO_PREFIX, prefix) != 0)
		return;
	const char *hash = *name + *len - SSO_HASH;
	if (hash[-1] != '_' || strspn(hash, "0123456789abcdef") < SSO_HASH)
		return;
	*name += prefix;
	*len -= prefix + SSO_HASH + 1;
}

void arn_principal(const char *arn, char out[PRINCIPAL_SIZE])
{
	const char *name = skip_fields(arn, FIELDS_BEFORE_RESOURCE);
	out[0] = '\0';
	if (!name)
		return;
	if (strncmp(name, "assumed-role/", 13) == 0)
		name += 13; /* the session's name stands behind it */
	else if (strchr(name, '/'))
		name = strrchr(name, '/') + 1; /* a user may have a path */
	else if (strcmp(name, "root") != 0)
		return;
	size_t len = strcspn(name, "/");
	drop_sso_parts(&name, &len);
	len = len < PRINCIPAL_SIZE ? len : PRINCIPAL_SIZE - 1;
	memcpy(out, name, len);
	out[len] = '\0';
}

bool arn_same_place(const char *a, const char *b)
{
	const char *end_a = skip_fields(a, FIELDS_BEFORE_RESOURCE);
	const char *end_b = skip_fields(b, FIELDS_BEFORE_RESOURCE);
	return end_a && end_b && end_a - a == end_b - b && memcmp(a, b, (size_t)(end_a - a)) == 0;
}
