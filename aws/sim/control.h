/*
 * The endpoints under /_sim/, by which a test moves the clock and the capacity, and hands out
 * or ends credentials. Unsigned. What interface.md does not name:
 *
 * POST /_sim/credentials {"seconds":N,"mfa":"123456","expire":true}
 *   seconds: what keys issued from now on last (0, as at first: what each service gives); mfa: the
 *   one code that STS accepts; expire: all issued keys end now.
 * POST /_sim/login {"kind":"sso" or "login","seconds":N,"registration_seconds":N,"start_url":URL,
 *   "login_session":ARN}
 *   A person logs in: answers with the cache file that `aws sso login` or `aws login` would leave,
 *   dpopKey included. seconds: what its access tokens last (sso), or its first keys (login). With
 *   "expire":true instead, all logins of that kind end.
 * POST /_sim/metadata {"mode":"v2" (as at first), "v1" (knows no tokens) or "off" (403),
 *   "role":NAME or null}
 * POST /_sim/container {"authorization":TEXT or null (as at first)}
 *   What /container/credentials wants in that header.
 * POST /_sim/quota "value":null, "kind":"warm-pool"
 *   The account has no value of its own: the default holds. Warm pools have quotas too.
 * POST /_sim/price {"instance_type":TYPE,"kind":"training" or "processing","usd":"1.2345" or null}
 *   What an hour of it costs in the region from now on; null: it is not sold by the hour.
 * POST /_sim/tell {"name":NAME,"kind":"training" (as where it is left out) or "processing",
 *   "status":WORD,"secondary_status":WORD,"status_message":TEXT,"failure_reason":TEXT,
 *   "exit_message":TEXT}
 *   What the region says of a job that has not ended. A secondary status is a new transition, a
 *   message without one that of the last. Completed, Failed and Stopped end the job so; any other
 *   word stands as it is, and the job stays in that state: nothing but a stop, its pending limit or
 *   the next order moves it on.
 * POST /_sim/idle {"name":NAME,"idle":false}
 *   The GPUs of the job have nothing to do from now on; "idle":false: they work again.
 * GET /_sim/state "raises":[{"instance_type":TYPE,"kind":KIND,"code":CODE,"desired":N,
 *   "support_case":BOOL}]
 *   Open requests for more of a quota; /_sim/quota with a value that is enough grants one.
 * POST /_sim/fault "stall_ms":N beside its other members
 *   The second half of the body is held back so long.
 * GET /_sim/state, beside its other members:
 *   of a job "created_at" and "ended_at" (null while it has not), ISO 8601 in UTC.
 *   "quotas":[{"instance_type","kind","limit","used","holders":[NAME,...]},...]: those of which
 *   something is used, kind as in /_sim/quota; jobs that stop and warm pools are holders too.
 *   "held":{"now":N,"ended":N}: answers held back by a delay or a stall with somebody waiting, and
 *   those let go or given up since the start: while "ended" stays what it is, the same ones are
 *   held.
 * GET /_sim/secrets: an array of all that the region knows and nobody may show: secret keys,
 * session tokens, tokens of logins and of the instance, client secrets, the MFA code.
 */
#ifndef GPUQ_SIM_CONTROL_H
#define GPUQ_SIM_CONTROL_H

#include "aws/sim/region.h"
#include "model/base/attr.h"
#include "model/base/jsontext.h"

#define SIM_CONTROL_PREFIX "/_sim/"

/* Answers with JSON; an unknown path with 404, a wrong method with 405, a bad body with 400. */
void sim_control_answer(struct sim_region *region, const struct sim_request *request,
			struct sim_answer *answer);

/* The pool of the body's instance_type. */
bool sim_control_pool(struct sim_region *region, const struct json_doc *doc, struct sim_pool **pool,
		      struct err *err) MUST_CHECK;

/* Ends a control without an answer of its own: writes the simulated time. Returns true. */
bool sim_control_done(struct sim_region *region, struct buf *out);

#endif
