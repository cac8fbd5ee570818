/* Shared by the files of views/text/report only. */
#ifndef GPUQ_REPORT_PARTS_H
#define GPUQ_REPORT_PARTS_H

#include "views/text/plain.h"
#include "views/text/report.h"

/* One object, without a line break. */
void report_job_json(struct buf *out, const struct report_context *context, const struct job *job);
void report_findings_json(struct buf *out, enum job_kind kind, const struct findings *findings);

/* A number in whole units with as many decimals as it needs: 98.32, 0, 0.000001. */
void report_add_amount(struct buf *out, int64_t micro);

void report_jobs_csv(struct buf *out, const struct report_context *context,
		     const struct job *const *jobs, size_t count);
void report_findings_csv(struct buf *out, const struct findings *findings);

/* One job in words, section by section. */
void report_job_table(struct buf *out, const struct report_context *context, const struct job *job);

#endif
