/*
 * Facts about a job in plain words for tables and pipes: ASCII but for text from outside, which is
 * appended as it came. Unknown is said as unknown.
 */
#ifndef GPUQ_PLAIN_H
#define GPUQ_PLAIN_H

#include "model/base/buf.h"
#include "model/job.h"
#include "model/price.h"

#define PLAIN_MAX (16u << 20) /* ceiling of a report's buffers */

/* ~$1,240 or ~$3.06; CNY 12.00; "unknown" where unset. No mark where it is exact: 0. */
void plain_money(struct buf *out, struct money money, const char *currency, bool estimate);

/* 1h42m, or "unknown". */
void plain_duration(struct buf *out, struct opt_ms duration);

/* YYYY-MM-DD HH:MM:SS, with " UTC" if it is; "-" where unset. */
void plain_time(struct buf *out, struct opt_ms time, bool utc);

/* "ml.p4d.24xlarge x4". */
void plain_instances(struct buf *out, const char *instance_type, bool has_count, int64_t count);

/* The last part of a training plan's ARN: its name. Borrowed. */
const char *plain_plan(const char *plan_arn);

/* The job's wait until now; unset while it is not known. */
struct opt_ms plain_wait(const struct job *job, int64_t now_ms, bool *final);

#endif
