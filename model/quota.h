/*
 * Service quotas of SageMaker: which limit a request runs into, its code in Service Quotas, what
 * AWS told of it, and what the account's jobs use of it. Limits stand for an instance type and a
 * kind of use; codes are the same in every region. Sources: facts/aws.md 7.2, facts/sagemaker.md,
 * data/quotas.tsv, cases 072, 073, 082 and 083.
 */
#ifndef GPUQ_QUOTA_H
#define GPUQ_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"
#include "model/freshness.h"
#include "model/job.h"

enum quota_kind { QUOTA_TRAINING, QUOTA_SPOT, QUOTA_WARM_POOL, QUOTA_PROCESSING };
#define QUOTA_KINDS     4
#define QUOTA_CODE_SIZE 16

/* One limit. The type is borrowed. */
struct quota_key {
	const char *instance_type;
	enum quota_kind kind;
};

/* --- what is published of a quota --- */

struct quota_row {
	const char *instance_type;
	const char *code;      /* L-82E1C851 */
	int16_t default_value; /* -1 = not published */
	enum quota_kind kind;
};

/* The row of a type and kind; NULL where no code is published (the newest types). */
const struct quota_row *quota_find(const char *instance_type, enum quota_kind kind);
/* The row of a code; NULL for one that is none of these. */
const struct quota_row *quota_find_code(const char *code);

/* training, spot, warm-pool, processing: as in JSON. Static text. */
const char *quota_kind_word(enum quota_kind kind);
/* "spot training job usage": the end of the quota's name. Static text. */
const char *quota_kind_usage(enum quota_kind kind);
/* The limit that a request runs into at Create. What its KeepAlivePeriodInSeconds retains after the
 * end needs QUOTA_WARM_POOL beside it: with 0 there, there is no pool (case 082). */
enum quota_kind quota_kind_of(enum job_kind kind, bool spot);

/* --- which ones --- */

/* Sets of limits, each once; never more than max. All add behind the count that are there, and
 * return the new count. Types are borrowed from where they stand. */
#define QUOTA_KEYS_MAX 64
size_t quota_keys_add(struct quota_key *keys, size_t count, size_t max, struct quota_key key);
/* What a list runs into: its types under the kind, and where its instances are to be kept alive
 * their warm pools. */
size_t quota_keys_of_list(struct quota_key *keys, size_t count, size_t max,
			  const struct preferences *prefs, enum quota_kind kind, bool keeps_alive);
/* What the jobs that count use or wait for, by type and kind. */
size_t quota_keys_of_jobs(struct quota_key *keys, size_t count, size_t max,
			  const struct job *const *jobs, size_t job_count);
/* Every kind of a type that has a published code; of none the one of training. */
size_t quota_keys_of_type(struct quota_key *keys, size_t count, size_t max,
			  const char *instance_type);

/* --- what is used of it --- */

/* It counts towards some quota: it has not ended, or its instances are kept warm. */
bool quota_counts(const struct job *job);

/* Who holds instances of a type. The job is borrowed from the store. */
struct quota_holder {
	const struct job *job;
	int64_t count;
	bool warm_pool;      /* the job has ended, and its instances are kept */
	struct opt_ms since; /* creation; of a warm pool: the job's end */
};

/*
 * Counted from the account's jobs. A job with a selection holds its instances until it has ended:
 * Stopping counts (case 072), so that more than the limit may be in use. A warm pool that waits for
 * the next job counts twice: under its own kind, and as training (train-warm-pools-resource-limits
 * of the developer guide: "counts toward your SageMaker training resource limit").
 */
struct quota_use {
	int64_t used;
	int64_t waiting; /* beside them: asked for by jobs that wait, each at its most. Whether AWS
			    counts them is not published: "up to" */
	size_t unread;   /* jobs that go on and whose instances are not known (yet) */
	struct quota_holder *holders; /* owned; the oldest first */
	size_t holder_count, holder_capacity;
};
/* use is overwritten; release it. */
void quota_count(const struct job *const *jobs, size_t job_count, const char *instance_type,
		 enum quota_kind kind, struct quota_use *use);
void quota_use_release(struct quota_use *use);
/* Stopping, Training, ...: the API's word of what the holder does; "warm pool". Borrowed. */
const char *quota_holder_state(const struct quota_holder *holder);

/* --- what AWS told of it --- */

/* One limit that somebody has asked for. Owned by the store. */
struct quota {
	char instance_type[TYPE_NAME_SIZE];
	enum quota_kind kind;
	struct freshness fresh;
	bool told; /* the three below are */
	int64_t limit;
	bool is_default;       /* the account has no value of its own: AWS's default holds */
	struct opt_ms read_at; /* by AWS's clock */
	/* A raise that is open at AWS: to raise_to, or (0) to a value that this program does not
	 * know. */
	bool raise_open;
	int64_t raise_to;
};

/* All that a rule or a row of a table needs of a quota. Borrows from the store and from whoever
 * gave the type. */
struct quota_fact {
	const char *instance_type;
	enum quota_kind kind;
	const char *code; /* NULL: none is published, and the limit cannot be read */
	bool told;        /* limit, is_default and read_at_ms are */
	int64_t limit;
	bool is_default;
	int64_t read_at_ms;
	int64_t used;    /* counted; known even where the limit is not */
	int64_t waiting; /* as in struct quota_use */
	size_t unread;
	bool partial; /* not all jobs are known: used is the least */
	bool raise_open;
	int64_t raise_to;
	const struct err *error; /* why the newest try failed; NULL = it did not */
};

/* Counts used, waiting and unread of several at once: one walk over the jobs. */
void quota_tally(const struct job *const *jobs, size_t job_count, struct quota_fact *facts,
		 size_t fact_count);

/* The limit that count more would need beside what is used; 0 where that is not more than it, or
 * the limit is not told. */
int64_t quota_needed(const struct quota_fact *fact, int64_t count);

/* What is left of the limit: negative where more is used. Only where it is told. */
int64_t quota_left(const struct quota_fact *fact);

/* Why a limit is not told, as the end of "... is not checked: ": "no code of this quota is
 * published", "not read yet", "denied servicequotas:GetServiceQuota", "throttled". */
#define QUOTA_WHY_SIZE      96
#define QUOTA_ACTION_PREFIX "servicequotas:" /* of IAM; its actions have ServiceQuota in them */
void quota_why_untold(const struct quota_fact *fact, char out[QUOTA_WHY_SIZE]);

/* --- more of it --- */

/* What is asked of AWS for one quota. */
struct quota_raise {
	char instance_type[TYPE_NAME_SIZE];
	enum quota_kind kind;
	int64_t desired;
	bool support_case; /* AWS may open one; its own default is true, so it is always said */
};
/* What came of it. */
struct quota_raised {
	char status[32];  /* PENDING, CASE_OPENED, APPROVED, ... as sent, cut */
	char case_id[64]; /* of a support case; "" = none */
};
/* The request as it is sent: what a question shows. Only for what has a published code. */
void quota_raise_body(const struct quota_raise *raise, struct buf *body);

/* After a stop: how long the instances still count (case 072). Static text. */
#define QUOTA_FREES_TEXT "frees in about 1-3 min"

#endif
