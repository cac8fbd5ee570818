/* Keys in the AWS credentials file, in the profile's section there. */
#include "aws/auth/keys.h"

static enum provider_step start(struct provider_job *job)
{
	return keys_of_section(job, PROFILES_CREDENTIALS);
}

const struct provider provider_credentials_file = { .name = "credentials file", .start = start };
