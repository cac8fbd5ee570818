/*
 * The facts of the screen for scripts and pipes: table, json, jsonl, csv as interface.md promises.
 * Nothing here is coloured; text from outside is made harmless.
 */
#ifndef GPUQ_REPORT_H
#define GPUQ_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/actions.h"
#include "model/base/buf.h"
#include "model/catalog.h"
#include "model/check.h"
#include "model/config.h"
#include "model/diagnosis.h"
#include "model/explain.h"
#include "model/forecast.h"
#include "model/history_spread.h"
#include "model/history_sums.h"
#include "model/job.h"
#include "model/likely.h"
#include "model/phases.h"
#include "model/plan.h"
#include "model/price_book.h"
#include "model/quota.h"
#include "model/sightings.h"
#include "model/suggest.h"
#include "model/week_pattern.h"

enum report_format { REPORT_TABLE, REPORT_JSON, REPORT_JSONL, REPORT_CSV };

/* Reads table, json, jsonl or csv; false if it is none. */
bool report_format_parse(const char *word, enum report_format *format);

struct report_context {
	enum report_format format;
	const char *region;
	const struct price_book *prices; /* of what has prices in it, else NULL */
	int64_t now_ms;                  /* by AWS's clock */
	const struct likely_past *past;  /* of what has a likely cost in it, else NULL */
	const struct plan *plan;         /* that the job of report_job runs on, or NULL */
	const char *note; /* of the job of report_job: why its list has its order; NULL = none */
	bool utc;
	bool ascii;
	int columns; /* rows of a list are cut to it; 0 = they are whole */
};

/* A list of jobs in the order given; as a table its rows are cut to the columns of the terminal. */
void report_jobs(struct buf *out, const struct report_context *context,
		 const struct job *const *jobs, size_t count);

/* One job: in table form with its timeline, list, selection, wait and cost. */
void report_job(struct buf *out, const struct report_context *context, const struct job *job);

/* A change of phase as one line of JSON, in every format. */
void report_phase_change(struct buf *out, const struct report_context *context,
			 const struct phase_change *change);

/* What gpuq did, in the order given. */
void report_actions(struct buf *out, const struct report_context *context,
		    const struct action *const *actions, size_t count);

/* Training plans in the order given. */
void report_plans(struct buf *out, const struct report_context *context, const struct plan *plans,
		  size_t count);

/* A limit with those who hold it, the oldest first. */
struct report_quota {
	struct quota_fact fact;
	struct quota_use use;
};
/* Quotas in the order given. */
void report_quotas(struct buf *out, const struct report_context *context,
		   const struct report_quota *quotas, size_t count);

/* The groups of a history; all is borrowed. */
struct report_history {
	const struct history *history;
	const struct history_sums *sums;
	const struct history_spreads *spreads;
	enum history_by by;
	const struct plan *plans; /* as they were read from AWS */
	size_t plan_count;
};
/* In their order; a table ends with all of it in one line, and what plans cost beside it. */
void report_history(struct buf *out, const struct report_context *context,
		    const struct report_history *report);
/* Instance types in the order given, with the price of an hour. */
void report_types(struct buf *out, const struct report_context *context,
		  const struct instance_type *const *types, size_t count);

/* Prices in the order given, looked up in the context's book. */
struct report_price {
	const char *instance_type; /* borrowed */
	enum job_kind kind;
};
void report_prices(struct buf *out, const struct report_context *context,
		   const struct report_price *rows, size_t count);

/* What was seen of an entry's type: of the last 24 hours, and by the hour of the week. */
struct report_lately {
	struct sightings seen; /* without a type: the entry is on a plan */
	struct week_pattern week;
};

/* A list with its forecast, and suggestions beside it. */
struct report_forecast {
	const struct preferences *prefs;
	const struct forecast *forecast;
	const struct forecast_ask *asked;    /* what it is the answer to */
	const struct plan *plans[PREFS_MAX]; /* borrowed; NULL = none, or it was not read */
	struct money per_hour[PREFS_MAX];    /* unset of spot */
	struct opt_ms run[PREFS_MAX];        /* expected; unset = unknown */
	const char *currency;                /* NULL = no price is known */
	bool is_estimate;                    /* of the prices */
	const struct suggest *suggest;       /* NULL = not asked for; done */
	const struct suggest_ask *ask;
	const char *const *names; /* of its candidates: sections of the config */
	struct report_lately lately[PREFS_MAX];
};
void report_forecast(struct buf *out, const struct report_context *context,
		     const struct report_forecast *report);

/* Why a job is as it is; of a refused submission job is NULL, and the next two say what it was. */
struct report_explain {
	const struct job *job;
	const char *name; /* borrowed */
	enum job_kind kind;
	struct explanation *explanation; /* the caller's */
};
/* One after the other; in json one object, or an array of several. */
void report_explanations(struct buf *out, const struct report_context *context,
			 const struct report_explain *all, size_t count);

/* Findings of a request: a line each and their numbers, or the object `check` of interface.md. kind
 * NULL: it is no request. */
void report_findings(struct buf *out, const struct report_context *context,
		     const enum job_kind *kind, const struct findings *findings);

/* What `gpuq doctor` has found, in its order. */
void report_diagnosis(struct buf *out, const struct report_context *context,
		      const struct diagnosis *diagnosis);

/* All settings, in the order of their table, then as "keys.ACTION" the keys that are not those of
 * the program's own tables. */
void report_config(struct buf *out, const struct report_context *context,
		   const struct config *config);

#endif
