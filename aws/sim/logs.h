/*
 * CloudWatch Logs of the region: the groups and streams of its jobs, read by pages in both
 * directions. Source of names, limits and habits: facts/aws.md 7.4.
 */
#ifndef GPUQ_SIM_LOGS_H
#define GPUQ_SIM_LOGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

#define SIM_LOG_RATES_MAX 16

/* What /_sim/logs has set. */
struct sim_log_rates {
	struct sim_log_rate {
		char name[64];    /* of the job; "" = a free row */
		int64_t permille; /* lines in a thousand seconds, of each host */
	} rows[SIM_LOG_RATES_MAX];
	size_t count;
};

struct sim_region;
struct sim_call;

bool sim_logs_describe_streams(struct sim_region *region, const struct sim_call *call,
			       struct err *err);
bool sim_logs_get_events(struct sim_region *region, const struct sim_call *call, struct err *err);

/* {"name":JOB,"rate":N}: lines a second of each of its hosts, 1 to SIM_LOG_RATE_MAX. To be said
 * before the job runs: its earlier lines are others then. */
bool sim_logs_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		      struct err *err);

#endif
