/*
 * Region and service to URL and host: the partition table, and URLs of the user's own. Source:
 * facts/aws.md section 2.
 */
#ifndef GPUQ_ENDPOINT_H
#define GPUQ_ENDPOINT_H

#include <stdbool.h>

#include "model/base/attr.h"
#include "model/base/err.h"

#define ENDPOINT_URL_SIZE  1024
#define ENDPOINT_HOST_SIZE 320 /* a name has 253 characters at most; port and brackets */

struct endpoint {
	char url[ENDPOINT_URL_SIZE];    /* whole, with the path */
	char host[ENDPOINT_HOST_SIZE];  /* the Host header: the port only if it is not the usual */
	char target[ENDPOINT_URL_SIZE]; /* path of the request line, at least "/" */
};

/* ^(?![0-9]+$)(?!-)[a-zA-Z0-9-]{1,63}(?<!-)$ */
bool endpoint_region_is_valid(const char *region);

/*
 * The endpoint of a service (its host prefix: "api.sagemaker") in a region. False with err
 * (ERR_CONFIG): a region that cannot be one, or a name too long.
 */
bool endpoint_of_region(struct endpoint *out, const char *prefix, const char *region,
			struct err *err) MUST_CHECK;

/*
 * The endpoint of a URL that the user set. False with err (ERR_CONFIG) unless it is http or https
 * with a host, without user name, query or fragment.
 */
bool endpoint_of_url(struct endpoint *out, const char *url, struct err *err) MUST_CHECK;

#endif
