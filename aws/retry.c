#include "aws/retry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HINT_SPAN_S 5.0
#define DOUBLINGS   30            /* more are above every ceiling */
#define ANY         SERVICE_COUNT /* service */
#define SPACES      " \t\r\n"

const struct retry_rules retry_rules_standard = {
	.kinds = { [RETRY_TRANSIENT] = { 0.05, 14 },
		   [RETRY_TIMED_OUT] = { 0.05, 14 },
		   [RETRY_THROTTLED] = { 1, 5 } },
	.pause_max_s = 20,
	.takes_hint = true,
};

static const struct {
	enum aws_service service;
	const char *code;
	enum retry_kind kind;
} codes[] = {
	{ ANY, "Throttling", RETRY_THROTTLED },
	{ ANY, "ThrottlingException", RETRY_THROTTLED },
	{ ANY, "ThrottledException", RETRY_THROTTLED },
	{ ANY, "RequestThrottledException", RETRY_THROTTLED },
	{ ANY, "TooManyRequestsException", RETRY_THROTTLED },
	{ ANY, "ProvisionedThroughputExceededException", RETRY_THROTTLED },
	{ ANY, "TransactionInProgressException", RETRY_THROTTLED },
	{ ANY, "RequestLimitExceeded", RETRY_THROTTLED },
	{ ANY, "BandwidthLimitExceeded", RETRY_THROTTLED },
	{ ANY, "LimitExceededException", RETRY_THROTTLED },
	{ ANY, "RequestThrottled", RETRY_THROTTLED },
	{ ANY, "SlowDown", RETRY_THROTTLED },
	{ ANY, "PriorRequestNotComplete", RETRY_THROTTLED },
	{ ANY, "EC2ThrottledException", RETRY_THROTTLED },
	{ ANY, "RequestTimeout", RETRY_TRANSIENT },
	{ ANY, "RequestTimeoutException", RETRY_TRANSIENT },
	{ SERVICE_PRICING, "InternalErrorException", RETRY_TRANSIENT },
	{ SERVICE_STS, "IDPCommunicationError", RETRY_TRANSIENT },
};

enum retry_kind retry_classify(enum aws_service service, int status, const char *code)
{
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		if (strcmp(codes[i].code, code) == 0 &&
		    (codes[i].service == ANY || codes[i].service == service))
			return codes[i].kind;
	}
	return status == 500 || (status >= 502 && status <= 504) ? RETRY_TRANSIENT : RETRY_NOT;
}

enum retry_kind retry_classify_silence(enum err_code code)
{
	if (code == ERR_TOO_BIG || code == ERR_CONFIG)
		return RETRY_NOT;
	return code == ERR_TIMEOUT ? RETRY_TIMED_OUT : RETRY_TRANSIENT;
}

double retry_delay_s(const struct retry_rules *rules, enum retry_kind kind, unsigned retry,
		     double random, int64_t hint_ms)
{
	double bound = ldexp(rules->kinds[kind].base_s, retry > DOUBLINGS ? DOUBLINGS : (int)retry);
	double delay = random * fmin(bound, rules->pause_max_s);

	if (!rules->takes_hint || hint_ms < 0)
		return delay;
	return fmin(fmax((double)hint_ms / 1000, delay), delay + HINT_SPAN_S);
}

void retry_quota_init(struct retry_quota *quota)
{
	quota->left = RETRY_QUOTA_MAX;
}

bool retry_quota_take(struct retry_quota *quota, const struct retry_rules *rules,
		      enum retry_kind kind, unsigned *cost)
{
	unsigned asked = rules->kinds[kind].cost;

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

static const struct {
	const char *name, *note;
} modes[] = {
	[RETRY_MODE_STANDARD] = { "standard", NULL },
	[RETRY_MODE_LEGACY] = { "legacy", "retry mode legacy is run as standard" },
	[RETRY_MODE_ADAPTIVE] = { "adaptive",
				  "retry mode adaptive is run as standard: gpuq paces its calls "
				  "itself" },
};

const char *retry_mode_note(enum retry_mode mode)
{
	return modes[mode].note;
}

static bool parse_mode(const char *text, enum retry_mode *mode, struct err *err)
{
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		if (strcmp(text, modes[i].name) == 0) {
			*mode = (enum retry_mode)i;
			return true;
		}
	}
	return err_set(err, ERR_CONFIG,
		       "the retry mode \"%s\" does not exist; it is standard, adaptive or legacy",
		       text);
}

static bool parse_tries(const char *text, unsigned *tries, struct err *err)
{
	const char *digits = text + strspn(text, SPACES);
	size_t count = strspn(digits, "0123456789");
	unsigned long value = count > 0 ? strtoul(digits, NULL, 10) : 0;

	if (value < 1 || digits[count + strspn(digits + count, SPACES)] != '\0')
		return err_set(err, ERR_CONFIG,
			       "max_attempts is \"%s\"; it is a whole number from 1 on", text);
	*tries = value > RETRY_TRIES_MAX ? RETRY_TRIES_MAX : (unsigned)value;
	return true;
}

bool retry_settings_of(const struct retry_texts *places, size_t count, struct retry_settings *out,
		       struct err *err)
{
	const char *mode = NULL, *tries = NULL;

	for (size_t i = 0; i < count; i++) {
		mode = mode ? mode : places[i].mode;
		tries = tries ? tries : places[i].max_attempts;
	}
	*out = (struct retry_settings){ RETRY_MODE_STANDARD, RETRY_TRIES_STANDARD };
	return (!mode || parse_mode(mode, &out->mode, err)) &&
	       (!tries || parse_tries(tries, &out->max_tries, err));
}
