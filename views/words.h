/*
 * Facts about a job in the few words that panes show. Everything appends to a buffer; text from
 * outside goes in as it came (the pen makes it harmless). Unknown is said as unknown.
 */
#ifndef GPUQ_WORDS_H
#define GPUQ_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"
#include "model/job.h"
#include "model/price.h"
#include "model/store.h"
#include "tui/style.h"

#define WORDS_MAX 4096 /* ceiling of a buffer that words are appended to */

/* Pending, Running, ...; a status that no list knows as AWS sent it. Borrowed from the job. */
const char *words_phase(const struct job *job);
enum style words_phase_style(enum phase phase);

/* 1h42m, or "?" while it is not known. */
void words_wait(struct buf *out, const struct job *job, int64_t now_ms);
/* A duration in milliseconds: 42s, 4m, 1h42m. */
void words_duration(struct buf *out, int64_t ms);
/* A quantile of waits: a duration, "at once", or "unknown" where the past does not reach it. */
void words_usual(struct buf *out, struct opt_ms wait);
/* Time from a to b, 0 when b is earlier; hostile times do not overflow. */
int64_t words_span_ms(int64_t from_ms, int64_t to_ms);
/* Pending time as AWS counts it against the pending limit in permille (0 to 1,000); negative = no
 * limit, not pending or not known. */
int words_limit_permille(const struct store *store, const struct job *job, int64_t now_ms);

/* 14:02 of local time or 14:02Z of UTC, with the date before it when it is not today's. */
void words_time(struct buf *out, int64_t wall_ms, int64_t now_ms, bool utc);
bool words_same_day(int64_t a_ms, int64_t b_ms, bool utc);

/* "32xA100 40G" for count instances of a type; "no accelerator"; "" for an unknown type. */
void words_hardware(struct buf *out, const char *instance_type, int64_t count);
/* "ml.p4d.24xlarge x4" of entry i of the list. */
void words_entry(struct buf *out, const struct preferences *prefs, size_t i);
/* The last part of a training plan's ARN: its name. Borrowed. */
const char *words_plan(const char *plan_arn);

/* ~$1,240 or ~$3.06: decimals below 100 where there are any; the mark only for an estimate other
 * than 0. */
void words_money(struct buf *out, int64_t micro, const char *currency, bool estimate);

/* What it costs by the hour now, or why nothing: "~$101", "nothing while pending", ... */
void words_per_hour(struct buf *out, const struct job *job, const struct cost *cost);

/* What spot saved, as AWS works it out (1 - billed / trained): "1h12m of 4h00m training, 70 %
 * saved". Only where both are known. */
bool words_has_spot(const struct job *job);
void words_spot(struct buf *out, const struct job *job);

/* What became of its warm pool, and of one that stands how much is kept until when: "Available, 4
 * instances kept until 16:40 at most". */
void words_pool(struct buf *out, const struct job *job, int64_t now_ms, bool utc);

/* "idle GPUs: under 10 % for 48m (3 %)". */
void words_idle_gpus(struct buf *out, const struct gpu_use *use);

/* The first line of text from outside; "" for NULL. */
void words_first_line(struct buf *out, const char *text);

/* Why a request failed, in a word or three: "throttled", "denied", "login expired". */
void words_reason(struct buf *out, const struct err *err);
/* What was denied, as a policy names it: "sagemaker:ListTrainingJobs". Where there is such. */
bool words_has_action(const struct err *err);
void words_action(struct buf *out, const struct err *err);
/* Both: "throttled", "denied: sagemaker:ListTrainingJobs". */
void words_failure(struct buf *out, const struct err *err);
/* "next try in 8 s", or "" when none is planned. */
void words_retry(struct buf *out, const struct fresh *fresh);
/* "8 s", "2m"; "trying again" for 0. */
void words_retry_time(struct buf *out, int64_t left_ms);
/* Milliseconds until that is written another way; left_ms is above 0. */
int64_t words_retry_next_ms(int64_t left_ms);

/* Milliseconds until a duration that grows with time is written another way. */
int64_t words_next_change_ms(int64_t duration_ms);

#endif
