/* Shared by the files of views/text/report only. */
#ifndef GPUQ_REPORT_PARTS_H
#define GPUQ_REPORT_PARTS_H

#include "views/text/plain.h"
#include "views/text/report.h"

/* One object, without a line break. */
void report_job_json(struct buf *out, const struct report_context *context, const struct job *job);
void report_findings_json(struct buf *out, const enum job_kind *kind,
			  const struct findings *findings);

/* A number in whole units with as many decimals as it needs: 98.32, 0, 0.000001. */
void report_add_amount(struct buf *out, int64_t micro);

void report_jobs_csv(struct buf *out, const struct report_context *context,
		     const struct job *const *jobs, size_t count);
void report_findings_csv(struct buf *out, const struct findings *findings);

/* Members of an object: the comma, the name and the value. NULL and what is not set are null. */
void report_add_json_name(struct buf *out, const char *name); /* without a value */
void report_add_json_string(struct buf *out, const char *name, const char *value);
void report_add_json_integer(struct buf *out, const char *name, bool known, int64_t value);
void report_add_json_time(struct buf *out, const char *name, struct opt_ms time);
void report_add_json_money(struct buf *out, const char *name, struct money money);
void report_add_json_selected(struct buf *out, const struct selected *selected);

/* Fields of a line of CSV: the comma and the value. NULL and what is not set are empty. */
void report_add_csv_text(struct buf *out, const char *text); /* from outside: made harmless */
void report_add_csv_integer(struct buf *out, bool known, int64_t value);
void report_add_csv_time(struct buf *out, struct opt_ms time);
void report_add_csv_money(struct buf *out, struct money money);

/* What a job costs, with what it is likely to. */
struct cost report_cost(const struct report_context *context, const struct job *job);

/* What lies behind a forecast: what was seen of its types, in paragraphs and as a member. */
void report_outlook_table(struct buf *out, const struct report_context *context,
			  const struct report_forecast *report);
void report_outlook_json(struct buf *out, const struct report_forecast *report);

/* One job in words, section by section. */
void report_job_table(struct buf *out, const struct report_context *context, const struct job *job);

#endif
