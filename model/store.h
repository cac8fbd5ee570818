/*
 * Everything the screen shows, by ARN. aws/ fills it, views read it; nobody keeps a pointer to a
 * job across turns (the store replaces and frees them). Each change of what is shown raises
 * `version`. {0} is an empty store.
 */
#ifndef GPUQ_STORE_H
#define GPUQ_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/actions.h"
#include "model/base/err.h"
#include "model/freshness.h"
#include "model/gpu_watch.h"
#include "model/history.h"
#include "model/job.h"
#include "model/job_logs.h"
#include "model/job_shares.h"
#include "model/name_look.h"
#include "model/plan.h"
#include "model/price.h"
#include "model/quota.h"
#include "model/search_fill.h"

#include "model/tags.h"

enum source_id {
	SOURCE_TRAINING,
	SOURCE_PROCESSING,
	SOURCE_DESCRIBE,
	SOURCE_SEARCH,
	SOURCE_PLANS,
	SOURCE_COUNT
};

struct store {
	struct job **jobs; /* owned, each too; newest first by creation, then by name */
	size_t count, capacity;
	struct job **index;       /* owned table of borrowed jobs, by the hash of the ARN */
	size_t index_size;        /* a power of two, or 0 */
	struct job_shares shares; /* of all jobs */
	struct plan *plans;       /* owned, as the service lists them */
	size_t plan_count;
	struct quota *quotas; /* owned, in the order in which they were asked for; store_quotas.h */
	size_t quota_count, quota_capacity;
	struct price_book prices; /* of its region; store_prices.h */
	struct freshness sources[SOURCE_COUNT];
	struct job_tags tags;               /* of the job that is looked at */
	struct job_logs logs;               /* the same of its logs; logs_feed.h */
	struct name_look name;              /* of the job that is about to be submitted */
	struct job_metrics metrics;         /* of the job that is looked at */
	struct gpu_watch gpus;              /* of the running jobs */
	struct job_readings readings;       /* Describes under way or failed, by ARN */
	struct history history;             /* of this place; history_feed.h */
	struct actions actions;             /* of this program here; action_log.h */
	struct search_fill fill;            /* of this run; `kept_fill`: of the one before */
	struct search_fill kept_fill;       /* taken up by the first search */
	bool filling;                       /* that one goes on, and has come so far: */
	int64_t fill_done_ms, fill_span_ms; /* back in time, of how much */

	struct opt_ms recorded_at; /* the newest sight of a job that came from the history */
	struct store_open *open;   /* owned: store_totals.c; what store_open_jobs found last */
	uint64_t version;
	bool clock_known;        /* a reply's Date has been seen */
	int64_t clock_offset_ms; /* AWS's wall clock minus our monotonic clock */
};

void store_release(struct store *store);

/* The job at a position below count; borrowed until the next change. */
static inline const struct job *store_at(const struct store *store, size_t i)
{
	return store->jobs[i];
}

/* The job, or NULL. Borrowed until the next change. */
const struct job *store_find(const struct store *store, const char *arn);
/* Its position; false if unknown. */
bool store_place(const struct store *store, const char *arn, size_t *at);
/* By name (training first); NULL if unknown. */
const struct job *store_find_name(const struct store *store, const char *name);

/* A ceiling for what an account, or whoever answers in its name, can make us keep: further jobs are
 * dropped, those known go on being followed. */
#define STORE_JOBS_MAX 100000

/*
 * Takes a job of a list (job is left {0}; one without an ARN is dropped). Known details stay, for
 * display. Where the summary tells of something newer than them `described` becomes false, so that
 * the job is described again, and the figures that go on changing are dropped. A summary older
 * than what is known (LastModifiedTime) is ignored: replies overtake each other.
 */
void store_take_summary(struct store *store, struct job *job);
/* Takes a described job whole (job is left {0}; one without an ARN is dropped). One without a
 * request_json (a record of Search) gets that of the known job: requests do not change. */
void store_take_described(struct store *store, struct job *job);
/* Takes a job of an earlier run (job is left {0}), unless more is known of it by now: last seen at
 * seen_ms, by AWS's clock. Of one that a list has told of meanwhile, the details of its end. */
void store_take_recorded(struct store *store, struct job *job, int64_t seen_ms);
/* Each job counts as changed. */
void store_touch_all(struct store *store);
/* Forgets a job (AWS says there is none). */
void store_forget(struct store *store, const char *arn);
/* Forgets jobs that ended before that time (those without an end: were modified), but for the one
 * that is kept (NULL: none). */
void store_drop_ended(struct store *store, int64_t before_ms, const char *kept_arn);
/* Drops the texts (job_drop_texts) of ended jobs that were described before that monotonic time,
 * but for the one that is kept: thousands of them are megabytes. */
void store_drop_texts(struct store *store, int64_t before_mono_ms, const char *kept_arn);

/* Takes a whole list of training plans in place of the last one; the array becomes the store's. */
void store_take_plans(struct store *store, struct plan *plans, size_t count);
/* The plan, or NULL. Borrowed until the next change. */
const struct plan *store_find_plan(const struct store *store, const char *arn);
/* The plan that the job was given; NULL: none, or it was not read. Borrowed in the same way. */
const struct plan *store_plan_of(const struct store *store, const struct job *job);
/* What the rules of check need of the plans: an array of plan_count to free, NULL while no list has
 * come. It borrows from the store. */
struct plan_fact *store_plan_facts(const struct store *store, int64_t now_ms);

void store_note_asked(struct store *store, enum source_id source);
void store_note_loaded(struct store *store, enum source_id source, int64_t mono_ms);
void store_note_failed(struct store *store, enum source_id source, const struct err *err,
		       int64_t retry_mono_ms);
/* The failure just noted is not about one request alone: nothing of the kind is asked before the
 * retry. Until the next answer. */
void store_note_pause(struct store *store, enum source_id source);
/* The next try, if there was a failure, comes at another time than was noted. */
void store_note_retry(struct store *store, enum source_id source, int64_t retry_mono_ms);

/* The Describe of one job: sent, answered well, failed. */
void store_note_job_asked(struct store *store, const char *arn);
void store_note_job_read(struct store *store, const char *arn);
void store_note_job_failed(struct store *store, const char *arn, const struct err *err,
			   int64_t retry_mono_ms);
/* Its next try has another time now; nothing where it has not failed. */
void store_note_job_retry(struct store *store, const char *arn, int64_t retry_mono_ms);

/* The selected job is read again each refresh, a list each few seconds, plans each minute and tags
 * each five while they are looked at: what is older has been kept waiting. */
#define FRESH_OLD_MS       INT64_C(30000)
#define FRESH_PLANS_OLD_MS INT64_C(120000)
#define FRESH_TAGS_OLD_MS  INT64_C(600000)
#define FRESH_LOGS_OLD_MS  INT64_C(150000) /* those of an ended job are looked at each minute */
/* How fresh the details of a job are. */
struct fresh store_job_fresh(const struct store *store, const struct job *job, int64_t mono_ms);
/* How it is with the text of a job that has no request_json: FRESH_LOADING or FRESH_MISSING. */
struct fresh store_text_fresh(const struct store *store, const struct job *job, int64_t mono_ms);
/* How fresh the lists are: of the two the one that is worst off (failing before loading before
 * well, the older of two equals). */
enum source_id store_worst_list(const struct store *store);

/* AWS's Date of a reply, and the monotonic time when it came. */
void store_note_date(struct store *store, int64_t date_ms, int64_t mono_ms);
/* Now by AWS's clock: Date of the last reply + monotonic time since; wall clock before any. A Date
 * has whole seconds only: one that is less than a second behind does not turn the clock back. */
int64_t store_now_ms(const struct store *store, const struct clock *clock);

/*
 * Those of the jobs that are not simply over: live ones, failed ones, and those that keep a warm
 * pool; the others are most of many thousands. Found anew once the store has changed; borrowed
 * until then.
 */
const struct job *const *store_open_jobs(const struct store *store, size_t *count);
struct store_open *store_open_new(void);
void store_open_free(struct store_open *open); /* NULL is accepted */

struct totals {
	size_t pending, starting, running, stopping, failed, unknown;
	size_t failed_today; /* of failed: ended on the UTC day of now */
	size_t pools;        /* warm ones that stand ready, and cost */
	int64_t kept_warm;   /* instances of them */
	bool has_oldest;
	int64_t oldest_wait_ms; /* of the pending ones */
	struct money_sum {
		bool set;     /* at least one price known */
		bool partial; /* at least one price missing */
		int64_t micro;
		const char *currency;
		enum price_source source; /* the least certain one */
	} per_hour; /* of everything on instances: starting, running, stopping, warm pools */
};
struct totals store_totals(const struct store *store, int64_t now_ms);

#endif
