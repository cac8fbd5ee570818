/*
 * Service and region to URL, host and what signs there: the partitions with their hosts, and URLs
 * of the user's own. Source: facts/aws.md section 2.
 */
#ifndef GPUQ_ENDPOINT_H
#define GPUQ_ENDPOINT_H

#include <stdbool.h>

#include "aws/services.h"
#include "model/base/attr.h"
#include "model/base/err.h"

#define ENDPOINT_URL_SIZE  1024
#define ENDPOINT_HOST_SIZE 320 /* a name has 253 characters at most; port and brackets */
#define REGION_SIZE        64

struct endpoint {
	char url[ENDPOINT_URL_SIZE];    /* whole, with the path */
	char host[ENDPOINT_HOST_SIZE];  /* the Host header: the port only if it is not the usual */
	char target[ENDPOINT_URL_SIZE]; /* path of the request line, at least "/" */
	char region[REGION_SIZE];       /* to sign with; "" where none was given beside a URL */
	const char *signing_name;       /* static; NULL where the service is not known */
};

/* ^(?![0-9]+$)(?!-)[a-zA-Z0-9-]{1,63}(?<!-)$ */
bool endpoint_region_is_valid(const char *region);

struct endpoint_query {
	enum aws_service service;
	const char *region; /* "fips-R" and "R-fips" mean R with FIPS; NULL or "": not set */
	bool fips, dualstack;
	/* NULL or "": the region's own host. Beside it fips and dualstack say nothing, as in the
	 * AWS CLI: who names the host has chosen it. */
	const char *override_url;
};

/*
 * Where a service of a region is reached. A service is not promised to be there: Pricing exists in
 * few regions. False with err (ERR_CONFIG): a region that cannot be one or is missing, or a URL
 * that endpoint_of_url refuses.
 */
bool endpoint_resolve(struct endpoint *out, const struct endpoint_query *query,
		      struct err *err) MUST_CHECK;

/*
 * The region whose Price List API speaks for a region: itself, or the first of its partition that
 * has one. NULL where the partition has none (aws-us-gov). Static text.
 */
const char *endpoint_pricing_region(const char *region);

/*
 * The endpoint of a URL that the user set. False with err (ERR_CONFIG) unless it is http or https
 * with a host, without user name, query or fragment.
 */
bool endpoint_of_url(struct endpoint *out, const char *url, struct err *err) MUST_CHECK;

enum endpoint_place {
	PLACE_ELSEWHERE,
	PLACE_LOOPBACK,  /* 127.0.0.0/8, ::1, localhost */
	PLACE_CONTAINER, /* the credential agents of ECS and EKS */
	PLACE_METADATA,  /* the instance metadata service */
};

/* Where a host is (name or address, as in a Host header). Pure: no name is looked up. */
enum endpoint_place endpoint_place(const char *host);

/* Whether a host's name (as in a Host header) is under a domain of AWS, as those of a VPC's own
 * endpoints are, too. */
bool endpoint_is_aws(const char *host);

/*
 * Whether an endpoint may be spoken to: https, or http to this machine and its link-local services,
 * or http anywhere if allow_http (the setting of that name). Else false with err (ERR_CONFIG).
 */
bool endpoint_http_is_allowed(const struct endpoint *endpoint, bool allow_http,
			      struct err *err) MUST_CHECK;

#endif
