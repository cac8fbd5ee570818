#include "model/arn.h"

#include <string.h>

#define FIELDS_BEFORE_ACCOUNT 4

bool arn_account(const char *arn, char out[ACCOUNT_SIZE])
{
	out[0] = '\0';
	if (!arn || strncmp(arn, "arn:", 4) != 0)
		return false;
	for (int i = 0; i < FIELDS_BEFORE_ACCOUNT; i++) {
		arn = strchr(arn, ':');
		if (!arn)
			return false;
		arn++;
	}
	size_t len = strspn(arn, "0123456789");
	if (len != ACCOUNT_SIZE - 1 || arn[len] != ':')
		return false;
	memcpy(out, arn, len);
	out[len] = '\0';
	return true;
}
