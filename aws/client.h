/*
 * Runs one AWS operation: sign, send, retry, pace, map errors. One object for an account, service,
 * region and endpoint. Calls back once for each call, never from inside the call.
 */
#ifndef GPUQ_CLIENT_H
#define GPUQ_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "aws/credentials.h"
#include "aws/endpoint.h"
#include "aws/json.h"
#include "aws/log.h"
#include "aws/op.h"
#include "aws/pace.h"
#include "aws/retry.h"
#include "aws/transport.h"
#include "aws/xml.h"
#include "model/base/attr.h"
#include "model/base/clock.h"
#include "model/base/err.h"

/* Borrowed for the call back. err is NULL on success; what was read is then there by the protocol
 * of the service, and NULL with an error. date is the server's clock when has_date. */
struct aws_reply {
	const struct json_value *json; /* an object, {} for an empty body */
	const struct xml_element *xml; /* of STS and EC2: the root, NULL for an empty body */
	const char *body;              /* as it came, NUL-terminated; "" with an error */
	size_t body_len;
	const char *request_id; /* of the last answer; "" = none */
	bool has_date;
	int64_t date_ms;
	unsigned tries;    /* 0: it was never sent */
	bool outcome_open; /* with an error: the request may have taken effect */
};
typedef void aws_done_fn(void *ctx, const struct aws_reply *reply, const struct err *err);

/* What was asked, and what came of it as for aws_done_fn. */
typedef void aws_change_fn(void *ctx, const struct aws_op *op, const char *body,
			   const struct aws_reply *reply, const struct err *err);

struct aws_options {
	enum aws_service service; /* of all operations that are called */
	const char *region;
	const char *endpoint_url; /* NULL: the region's own host */
	/* Where it is reached, decided before: the two above do not count then. Copied. */
	const struct endpoint *endpoint;
	const char *ca_bundle; /* file of certificates to trust; NULL: the system's */
	/* Asked before each try; copied. NULL: the credentials given to aws_client_new. */
	const struct credentials_source *source;
	const bool *read_only; /* borrowed; may be switched on at any time. NULL: no */
	bool keep_clock;       /* sign by this machine's clock, even if it is known to be wrong */
	double pace; /* list starts a second of one operation; 0 = no limit, for Describe too */
	/* Borrowed; NULL: lists take no turns among other processes. It must outlive the client. */
	struct shared_pace *shared_pace;
	bool at_once;       /* lists do not wait for others: for a few that somebody waits for */
	uint64_t seed;      /* of the jitter; 0 = from the system */
	unsigned max_tries; /* 0 = the standard 3 */
	/* Borrowed; NULL: those of the standard mode, and a quota of the client's own. */
	const struct retry_rules *retry_rules;
	struct retry_quota *retry_quota;
	double (*random)(void *ctx); /* jitter in [0, 1]; NULL: by the seed */
	const struct clock *clock;   /* borrowed for the client's life */
	struct wait_hooks hooks;
	const struct transport *transport; /* copied; NULL: curl */
	struct log *log;                   /* borrowed; NULL: none */
	/* Every reply's Date, for the store's clock; may be NULL. */
	void (*on_date)(void *ctx, int64_t date_ms, int64_t mono_ms);
	/* Once: a signature was refused because this machine's clock is so far off, and from now on
	 * the service's is used; may be NULL. */
	void (*on_skew)(void *ctx, int64_t skew_ms);
	/* A call of an operation that changes AWS has ended, before it is called back; NULL: none
	 * is told. */
	aws_change_fn *on_change;
	void *ctx;
};

struct aws_client;

/* Copies credentials and texts. NULL with err: no region or a bad one (ERR_CONFIG), a bad URL
 * (ERR_CONFIG), no usable credentials (ERR_AUTH). */
struct aws_client *aws_client_new(const struct aws_options *options,
				  const struct aws_credentials *credentials, struct err *err);
/* Pending calls are dropped without a call back. Not from inside one. NULL is accepted. */
void aws_client_free(struct aws_client *client);

/* From the loop: a watched descriptor is ready (poll events) / the wanted time has come. */
void aws_client_ready(struct aws_client *client, int fd, short events);
void aws_client_wake(struct aws_client *client);

/* The source has other credentials, or others are why there are none. */
void aws_client_credentials_changed(struct aws_client *client);

/*
 * Starts a call; the op is borrowed for ever, the body copied. Returns its id (for cancel), never
 * 0. Each try is signed anew and has op->timeout_ms; the call as a whole ends with ERR_TIMEOUT when
 * its tries, pauses and waits for the pace have taken too long. Refusals (read-only) are called
 * back like any other error. While the source of credentials looks for some, calls wait.
 */
uint64_t aws_client_call(struct aws_client *client, const struct aws_op *op, const char *body,
			 aws_done_fn *done, void *ctx);
/* What becomes of ctx when the call is dropped (cancelled, client freed): then drop is called
 * instead of done. */
void aws_client_on_drop(struct aws_client *client, uint64_t id, void (*drop)(void *ctx));
void aws_client_cancel(struct aws_client *client, uint64_t id);

/* Time by the client's own clock, and the server's wall clock at such a time: by the newest Date,
 * or by this machine's clock before any. */
int64_t aws_client_mono_ms(const struct aws_client *client);
int64_t aws_client_server_ms(const struct aws_client *client, int64_t mono_ms);

/* The service's clock minus this machine's, by the newest Date; unset before any. */
struct opt_ms aws_client_skew(const struct aws_client *client);

/* Borrowed for the client's life. */
const char *aws_client_region(const struct aws_client *client);

/* How fast its calls are started, as of now. Borrowed for the client's life. */
const struct pace *aws_client_pace(const struct aws_client *client);

#endif
