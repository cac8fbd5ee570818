/*
 * Why no answer came, in words that name the host or the proxy, and with what to do about it. Pure:
 * aws/http.c says what libcurl has seen.
 */
#ifndef GPUQ_HTTP_FAILURE_H
#define GPUQ_HTTP_FAILURE_H

#include "aws/proxy.h"
#include "model/base/err.h"

enum http_fault {
	FAULT_OTHER,
	FAULT_PROXY_SETTING,     /* the variable does not hold the URL of a proxy */
	FAULT_CA_FILE,           /* the file of certificates cannot be used */
	FAULT_NO_HOST,           /* no address for the host's name */
	FAULT_NO_PROXY,          /* no address for the proxy's name */
	FAULT_UNREACHED,         /* no connection: to the proxy, or to the host without one */
	FAULT_UNREACHED_IN_TIME, /* the same, after waiting */
	FAULT_PROXY,             /* the proxy does not connect to the host */
	FAULT_TLS,               /* no agreement on encryption */
	FAULT_UNTRUSTED,         /* a certificate that is not trusted, or is another host's */
	FAULT_BROKEN,            /* the connection ended without an answer */
	FAULT_GARBLED,           /* an answer that is cut, or no HTTP */
	FAULT_SLOW,              /* no whole answer in time */
	FAULT_TOO_BIG,
	FAULT_COUNT
};

struct http_failure {
	enum http_fault fault;
	const char *host;          /* with its port; "" = not known */
	const struct proxy *proxy; /* its url is NULL where none was used */
	int proxy_status;          /* FAULT_PROXY: what it answered; 0 = nothing */
	bool is_proxy_tls;         /* FAULT_TLS, FAULT_UNTRUSTED: with the proxy, not the host */
	bool is_expired;           /* FAULT_UNTRUSTED: by this machine's clock */
	const char *ca_bundle;     /* NULL: the system's */
	const char *detail;        /* what the library or the system says of it; may be "" */
};

/* Sets code, text and hint. No text holds a proxy's user or password, as long as detail does not.
 */
void http_failure_explain(const struct http_failure *failure, struct err *err);

#endif
