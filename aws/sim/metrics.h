/*
 * CloudWatch as far as jobs need it: GetMetricData of what hosts publish, by the minute. What a
 * minute brought is told 90 s after it began. Source: facts/aws.md 7.3.
 */
#ifndef GPUQ_SIM_METRICS_H
#define GPUQ_SIM_METRICS_H

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

#define SIM_METRICS_DELAY_MS INT64_C(90000)

struct sim_call;
struct sim_region;

/* The operation; the request has no shape of its own and is checked here. */
bool sim_metrics_get_data(struct sim_region *region, const struct sim_call *call,
			  struct err *err) MUST_CHECK;

/* POST /_sim/idle: see control.h. */
bool sim_metrics_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			 struct err *err) MUST_CHECK;

#endif
