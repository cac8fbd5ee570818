/*
 * When to send again, after how long, and out of which budget: the standard mode of the AWS SDKs
 * with its numbers of 2026 (facts/aws.md section 6).
 */
#ifndef GPUQ_RETRY_H
#define GPUQ_RETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aws/services.h"
#include "model/base/attr.h"
#include "model/base/err.h"

#define RETRY_QUOTA_MAX      500
#define RETRY_TRIES_STANDARD 3
#define RETRY_TRIES_MAX      100 /* the quota pays for no more, whatever a setting asks for */

enum retry_kind {
	RETRY_NOT,
	RETRY_TRANSIENT,
	RETRY_TIMED_OUT, /* no answer in time: transient, at a price of its own */
	RETRY_THROTTLED,
	RETRY_KINDS
};

/*
 * By the answer's status and its error code ("" = none). Some codes are modelled as retryable by
 * one service alone.
 */
enum retry_kind retry_classify(enum aws_service service, int status, const char *code);
/* Of an answer that never came, by what the transport says of it. */
enum retry_kind retry_classify_silence(enum err_code code);

/* The numbers of a mode. */
struct retry_rules {
	struct {
		double base_s; /* bound of the first pause */
		unsigned cost;
	} kinds[RETRY_KINDS];
	double pause_max_s;
	bool takes_hint; /* x-amz-retry-after counts */
};
extern const struct retry_rules retry_rules_standard;

/*
 * Seconds before retry number retry (0 = the first): full jitter by random in [0, 1] under a
 * doubling bound. hint_ms is x-amz-retry-after, or -1; it counts within 5 s of the pause.
 */
double retry_delay_s(const struct retry_rules *rules, enum retry_kind kind, unsigned retry,
		     double random, int64_t hint_ms);

/* Shared by all calls of a client, so that a service in trouble is not hammered. */
struct retry_quota {
	unsigned left;
};
void retry_quota_init(struct retry_quota *quota);
/* Pays for a retry; false if the quota is too low. cost is what was paid. */
bool retry_quota_take(struct retry_quota *quota, const struct retry_rules *rules,
		      enum retry_kind kind, unsigned *cost) MUST_CHECK;
/* After a success: gives back the last cost paid, or 1 for a call that needed no retry. */
void retry_quota_refund(struct retry_quota *quota, unsigned last_cost);

/* What the user has set. */

enum retry_mode { RETRY_MODE_STANDARD, RETRY_MODE_LEGACY, RETRY_MODE_ADAPTIVE };

/* The texts of one place (environment, profile) as they stand there; NULL = not set there. */
struct retry_texts {
	const char *mode;         /* AWS_RETRY_MODE, retry_mode */
	const char *max_attempts; /* AWS_MAX_ATTEMPTS, max_attempts: all tries, the first too */
};

struct retry_settings {
	enum retry_mode mode; /* as asked for: all of them run as standard, see retry_mode_note */
	unsigned max_tries;   /* 1 to RETRY_TRIES_MAX */
};

/*
 * Of several places, each setting from the first that has it; standard and 3 tries (as the AWS CLI)
 * where none has. False with err (ERR_CONFIG) on a mode that does not exist and on a number that is
 * none or below 1, an empty text included, as the AWS CLI does.
 */
bool retry_settings_of(const struct retry_texts *places, size_t count, struct retry_settings *out,
		       struct err *err) MUST_CHECK;

/* What to say of a mode that runs as standard though another was asked for; NULL for standard. */
const char *retry_mode_note(enum retry_mode mode);

#endif
