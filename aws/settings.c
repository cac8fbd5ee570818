#include "aws/settings.h"

#include <stdlib.h>

/* The first text that is set and not empty, or NULL. */
static const char *first_set(const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (texts[i] && texts[i][0])
			return texts[i];
	return NULL;
}

const char *aws_region(const char *option, struct err *err)
{
	const char *const texts[] = { option, getenv("AWS_REGION"), getenv("AWS_DEFAULT_REGION") };
	const char *region = first_set(texts, ARRAY_LEN(texts));
	if (!region) {
		err_set(err, ERR_CONFIG, "no region is set");
		err->hint = HINT_SET_REGION;
		err_subject(err, "region");
	}
	return region;
}

const char *aws_endpoint_url(const char *option)
{
	const char *const texts[] = { option, getenv("AWS_ENDPOINT_URL_SAGEMAKER"),
				      getenv("AWS_ENDPOINT_URL") };
	return first_set(texts, ARRAY_LEN(texts));
}
