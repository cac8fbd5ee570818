/*
 * Which proxy the environment wants for a URL, decided here and not by libcurl, so that errors and
 * doctor can name it. Variables as libcurl and the AWS CLI read them: https_proxy or http_proxy by
 * the URL's scheme, then all_proxy, each in small letters before capitals; no_proxy lists hosts,
 * domains and networks that are reached without one. Empty ones count as not set.
 */
#ifndef GPUQ_PROXY_H
#define GPUQ_PROXY_H

#include <stdbool.h>

#include "aws/endpoint.h"
#include "model/base/attr.h"

struct proxy {
	const char *url;               /* as it was set: it may hold a password; NULL = none */
	const char *variable;          /* that named it: static */
	char host[ENDPOINT_HOST_SIZE]; /* with its port, for messages: nothing secret */
};

typedef const char *proxy_env_fn(const char *name);

/*
 * Nothing where no variable is set, no_proxy has the host, or the host is this machine or one of
 * its link-local services (endpoint_place). url: of a request, with "://". False where the variable
 * does not hold the URL of a proxy: out->variable says which; out->url is NULL then.
 */
bool proxy_find(struct proxy *out, const char *url, proxy_env_fn *env) MUST_CHECK;

#endif
