/* Keys in the AWS config file, in the profile's section there. */
#include "aws/auth/keys.h"

static enum provider_step start(struct provider_job *job)
{
	return keys_of_section(job, PROFILES_CONFIG);
}

const struct provider provider_config_file = { .name = "config file", .start = start };
