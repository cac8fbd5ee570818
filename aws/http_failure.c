#include "aws/http_failure.h"

#include <stdio.h>

#include "model/base/attr.h"

#define NAME_SIZE 4096 /* a path, or two hosts and some words */

/* Whom a message names. */
enum party { NOBODY, HOST, PROXY, PEER, ROUTE, TLS_PEER, VARIABLE, CA_FILE };

static const struct {
	enum err_code code;
	enum err_hint hint;
	enum party party;
	const char *before, *after; /* of the party; the detail follows */
} rows[FAULT_COUNT] = {
	[FAULT_OTHER] = { ERR_NET, HINT_CHECK_NETWORK, NOBODY, "the request failed", "" },
	[FAULT_PROXY_SETTING] = { ERR_CONFIG, HINT_CHECK_PROXY, VARIABLE, "",
				  " does not hold the URL of a proxy" },
	[FAULT_CA_FILE] = { ERR_CONFIG, HINT_SET_CA_BUNDLE, CA_FILE,
			    "no certificates can be read from ", "" },
	[FAULT_NO_HOST] = { ERR_NET, HINT_CHECK_HOST, HOST, "no address is known for ", "" },
	[FAULT_NO_PROXY] = { ERR_NET, HINT_CHECK_PROXY, PROXY, "no address is known for ", "" },
	[FAULT_UNREACHED] = { ERR_NET, HINT_CHECK_NETWORK, PEER, "no connection to ", "" },
	[FAULT_PROXY] = { ERR_NET, HINT_CHECK_PROXY, PROXY, "", " does not connect" },
	[FAULT_TLS] = { ERR_NET, HINT_CHECK_NETWORK, TLS_PEER, "no encrypted connection to ", "" },
	[FAULT_UNTRUSTED] = { ERR_NET, HINT_SET_CA_BUNDLE, TLS_PEER, "the certificate of ",
			      " is not trusted" },
	[FAULT_BROKEN] = { ERR_NET, HINT_CHECK_NETWORK, HOST, "",
			   " ended the connection without an answer" },
	[FAULT_GARBLED] = { ERR_PARSE, HINT_RETRY_LATER, HOST, "the answer of ",
			    " cannot be read" },
	[FAULT_SLOW] = { ERR_TIMEOUT, HINT_RETRY_LATER, HOST, "", " gave no whole answer" },
	[FAULT_UNREACHED_IN_TIME] = { ERR_TIMEOUT, HINT_RETRY_LATER, ROUTE,
				      "no connection in time to ", "" },
	[FAULT_TOO_BIG] = { ERR_TOO_BIG, HINT_NONE, HOST, "the answer of ", " is too big" },
};

static void write_party(const struct http_failure *failure, enum party party, char out[NAME_SIZE])
{
	const struct proxy *proxy = failure->proxy;
	const char *bundle = failure->ca_bundle;
	bool is_proxy = party == PROXY || (party == PEER && proxy->url) ||
			(party == TLS_PEER && failure->is_proxy_tls);

	out[0] = '\0';
	if (is_proxy)
		snprintf(out, NAME_SIZE, "the proxy %s of %s", proxy->host, proxy->variable);
	else if (party == ROUTE && proxy->url)
		snprintf(out, NAME_SIZE, "%s by the proxy %s of %s", failure->host, proxy->host,
			 proxy->variable);
	else if (party == VARIABLE)
		snprintf(out, NAME_SIZE, "%s", proxy->variable);
	else if (party == CA_FILE)
		snprintf(out, NAME_SIZE, "%s",
			 bundle ? bundle : "this machine's own file (package ca-certificates)");
	else if (party != NOBODY)
		snprintf(out, NAME_SIZE, "%s", failure->host);
}

static enum err_hint hint_for(const struct http_failure *failure)
{
	if (failure->fault == FAULT_UNTRUSTED && failure->is_expired)
		return HINT_CHECK_CLOCK;
	if (failure->proxy->url &&
	    (rows[failure->fault].party == PEER || rows[failure->fault].party == ROUTE))
		return HINT_CHECK_PROXY;
	return rows[failure->fault].hint;
}

void http_failure_explain(const struct http_failure *failure, struct err *err)
{
	char party[NAME_SIZE];

	write_party(failure, rows[failure->fault].party, party);
	if (failure->proxy_status == 407)
		err_set(err, ERR_NET, "%s wants a user name and a password (status 407)", party);
	else if (failure->proxy_status)
		err_set(err, ERR_NET, "%s does not connect to %s (status %d)", party, failure->host,
			failure->proxy_status);
	else
		err_set(err, rows[failure->fault].code, "%s%s%s%s%s", rows[failure->fault].before,
			party, rows[failure->fault].after, failure->detail[0] ? ": " : "",
			failure->detail);
	err->hint = hint_for(failure);
}
