/* Where the AWS settings come from: option first, then the environment. Texts are borrowed. */
#ifndef GPUQ_AWS_SETTINGS_H
#define GPUQ_AWS_SETTINGS_H

#include <stddef.h>

#include "model/base/attr.h"
#include "model/base/err.h"

/* --region, AWS_REGION, AWS_DEFAULT_REGION; NULL with err when none is set (empty = unset). */
const char *aws_region(const char *option, struct err *err);

/* --endpoint-url, AWS_ENDPOINT_URL_SAGEMAKER, AWS_ENDPOINT_URL; NULL = the region's own host. */
const char *aws_endpoint_url(const char *option);

#endif
