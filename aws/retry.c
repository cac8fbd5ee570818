#include "aws/retry.h"

#include <math.h>
#include <string.h>

#define BASE_TRANSIENT_MS 50.0
#define BASE_THROTTLED_MS 1000.0
#define DELAY_MAX_MS      20000.0
#define HINT_SPAN_MS      5000
#define COST_TRANSIENT    14
#define COST_THROTTLED    5

static bool is_in(const char *code, const char *const *codes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(code, codes[i]) == 0)
			return true;
	}
	return false;
}

enum retry_kind retry_classify(int status, const char *code)
{
	static const char *const throttled[] = {
		"Throttling",
		"ThrottlingException",
		"ThrottledException",
		"RequestThrottledException",
		"TooManyRequestsException",
		"ProvisionedThroughputExceededException",
		"TransactionInProgressException",
		"RequestLimitExceeded",
		"BandwidthLimitExceeded",
		"LimitExceededException",
		"RequestThrottled",
		"SlowDown",
		"PriorRequestNotComplete",
		"EC2ThrottledException",
	};
	static const char *const transient[] = { "RequestTimeout", "RequestTimeoutException" };

	if (is_in(code, throttled, ARRAY_LEN(throttled)))
		return RETRY_THROTTLED;
	if (is_in(code, transient, ARRAY_LEN(transient)))
		return RETRY_TRANSIENT;
	return status == 500 || (status >= 502 && status <= 504) ? RETRY_TRANSIENT : RETRY_NOT;
}

int64_t retry_delay_ms(enum retry_kind kind, unsigned retry, double random, int64_t hint_ms)
{
	double base = kind == RETRY_THROTTLED ? BASE_THROTTLED_MS : BASE_TRANSIENT_MS;
	int64_t delay =
		llround(random * fmin(ldexp(base, retry > 30 ? 30 : (int)retry), DELAY_MAX_MS));

	if (hint_ms < 0 || hint_ms <= delay)
		return delay;
	return hint_ms > delay + HINT_SPAN_MS ? delay + HINT_SPAN_MS : hint_ms;
}

void retry_quota_init(struct retry_quota *quota)
{
	quota->left = RETRY_QUOTA_MAX;
}

bool retry_quota_take(struct retry_quota *quota, enum retry_kind kind, unsigned *cost)
{
	unsigned asked = kind == RETRY_THROTTLED ? COST_THROTTLED : COST_TRANSIENT;

	if (asked > quota->left)
		return false;
	quota->left -= asked;
	*cost = asked;
	return true;
}

void retry_quota_refund(struct retry_quota *quota, unsigned last_cost)
{
	quota->left += last_cost > 0 ? last_cost : 1;
	if (quota->left > RETRY_QUOTA_MAX)
		quota->left = RETRY_QUOTA_MAX;
}
