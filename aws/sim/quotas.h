/*
 * Service Quotas of the region: the limits of its pools under their published codes, and requests
 * to raise them. Source: facts/aws.md 7.2.
 */
#ifndef GPUQ_SIM_QUOTAS_H
#define GPUQ_SIM_QUOTAS_H

#include "aws/sim/world.h"
#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

/* Of quota_table.c, which is generated from public facts. */
struct sim_quota_code {
	const char *code; /* L-82E1C851 */
	enum sim_quota_kind kind;
	const char *instance_type;
};
extern const struct sim_quota_code sim_quota_codes[];
extern const size_t sim_quota_code_count;

#define SIM_RAISES_MAX 20 /* open at once: the account's limit, facts/aws.md 7.2 */

/* Somebody has asked for more of a quota. */
struct sim_raise {
	const struct sim_quota_code *quota;
	double desired;
	bool support_case; /* one may be opened for it */
	int64_t at_ms;
	char id[40];
};

/* Those that are open: neither granted nor refused yet. */
struct sim_raises {
	struct sim_raise open[SIM_RAISES_MAX];
	size_t count;
	uint64_t asked; /* so far, for their ids */
};

struct sim_region;
struct sim_call;

/* GetServiceQuota, GetAWSDefaultServiceQuota, RequestServiceQuotaIncrease. */
bool sim_quotas_get(struct sim_region *region, const struct sim_call *call, struct err *err);
bool sim_quotas_get_default(struct sim_region *region, const struct sim_call *call,
			    struct err *err);
bool sim_quotas_request_increase(struct sim_region *region, const struct sim_call *call,
				 struct err *err);

/* POST /_sim/quota {"instance_type", "kind", "value"}: the account's own value, null for none: then
 * the default holds. Requests for no more than the value are granted by it. */
bool sim_quotas_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			struct err *err);
/* For /_sim/state: the quotas of which something is used and who uses them, and the raises. */
void sim_quotas_emit_state(const struct sim_region *region, struct buf *out);

/* Gives the pools their quotas at the start. */
void sim_quotas_init(struct sim_pool *pool);

#endif
