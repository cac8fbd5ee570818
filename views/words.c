#include "views/words.h"

#include <inttypes.h>
#include <string.h>

#include "model/base/text.h"
#include "model/catalog.h"
#include "model/pool.h"
#include "model/stuck.h"

#define MINUTE_MS   INT64_C(60000)
#define HOUR_MS     (60 * MINUTE_MS)
#define DAY_MS      (24 * HOUR_MS)
#define MICRO       INT64_C(1000000)
#define CENTS_BELOW 100 /* money under it shows two decimals */
#define DATE_LEN    10  /* YYYY-MM-DD */
#define MONTH_AT    5   /* MM-DD within it */
#define LIMIT_FULL  1000

static const struct {
	const char *word;
	enum style style;
} phases[] = {
	[PHASE_PENDING] = { "Pending", STYLE_PENDING },
	[PHASE_STARTING] = { "Starting", STYLE_STARTING },
	[PHASE_RUNNING] = { "Running", STYLE_RUNNING },
	[PHASE_STOPPING] = { "Stopping", STYLE_STOPPED },
	[PHASE_COMPLETED] = { "Completed", STYLE_DONE },
	[PHASE_FAILED] = { "Failed", STYLE_FAILED },
	[PHASE_STOPPED] = { "Stopped", STYLE_STOPPED },
	[PHASE_UNKNOWN] = { NULL, STYLE_WARNING },
};

const char *words_phase(const struct job *job)
{
	const char *word = phases[job_phase(job)].word;
	if (word)
		return word;
	if (job->secondary_status && job->secondary_status[0])
		return job->secondary_status;
	return job->status && job->status[0] ? job->status : "?";
}

enum style words_phase_style(enum phase phase)
{
	return phases[phase].style;
}

void words_duration(struct buf *out, int64_t ms)
{
	char text[TIME_TEXT_SIZE];
	duration_format(ms / 1000, text);
	buf_add_text(out, text);
}

void words_usual(struct buf *out, struct opt_ms wait)
{
	if (!wait.set)
		buf_add_text(out, "unknown");
	else if (wait.ms == 0)
		buf_add_text(out, "at once");
	else
		words_duration(out, wait.ms);
}

int64_t words_span_ms(int64_t from_ms, int64_t to_ms)
{
	int64_t span = 0;
	if (to_ms <= from_ms)
		return 0;
	return __builtin_sub_overflow(to_ms, from_ms, &span) ? INT64_MAX : span;
}

void words_wait(struct buf *out, const struct job *job, int64_t now_ms)
{
	int64_t wait_ms = 0;
	bool final = false;
	if (job_wait_ms(job, now_ms, &wait_ms, &final))
		words_duration(out, final ? duration_round_ms(wait_ms) : wait_ms);
	else
		buf_add_char(out, '?');
}

int words_limit_permille(const struct store *store, const struct job *job, int64_t now_ms)
{
	int64_t wait_ms = 0;
	bool final = false;
	if (job_phase(job) != PHASE_PENDING || !job->max_pending.set || job->max_pending.ms <= 0 ||
	    !job_wait_ms(job, now_ms, &wait_ms, &final))
		return -1;
	wait_ms = pending_clock(store, job, now_ms).counted_ms;
	if (wait_ms >= job->max_pending.ms)
		return LIMIT_FULL;
	return wait_ms > 0 ? (int)((double)wait_ms / (double)job->max_pending.ms * LIMIT_FULL) : 0;
}

bool words_same_day(int64_t a_ms, int64_t b_ms, bool utc)
{
	char a[TIME_TEXT_SIZE], b[TIME_TEXT_SIZE];
	time_format_full(a_ms, utc, a);
	time_format_full(b_ms, utc, b);
	return strncmp(a, b, DATE_LEN) == 0;
}

void words_time(struct buf *out, int64_t wall_ms, int64_t now_ms, bool utc)
{
	char text[TIME_TEXT_SIZE];
	if (!words_same_day(wall_ms, now_ms, utc)) {
		time_format_full(wall_ms, utc, text);
		buf_addf(out, "%.*s ", DATE_LEN - MONTH_AT, text + MONTH_AT);
	}
	time_format_hm(wall_ms, utc, text);
	buf_addf(out, "%s%s", text, utc ? "Z" : "");
}

void words_hardware(struct buf *out, const char *instance_type, int64_t count)
{
	const struct instance_type *type = catalog_find(instance_type);
	if (!type)
		return;
	if (type->accelerators == 0) {
		buf_addf(out, "%u vCPU, no accelerator", type->vcpus);
		return;
	}
	buf_addf(out, "%lld×%s", (long long)type->accelerators * (long long)count,
		 type->accelerator);
	if (type->memory_gib_each > 0)
		buf_addf(out, " %uG", type->memory_gib_each);
}

void words_entry(struct buf *out, const struct preferences *prefs, size_t i)
{
	int64_t count = 0;
	const char *name = prefs->entries[i].instance_type;
	buf_add_text(out, name[0] ? name : "type unknown");
	if (prefs_count(prefs, i, &count))
		buf_addf(out, " ×%lld", (long long)count);
	else
		buf_add_text(out, " ×?");
}

const char *words_plan(const char *plan_arn)
{
	const char *name = strrchr(plan_arn, '/');
	return name && name[1] ? name + 1 : plan_arn;
}

void words_money(struct buf *out, int64_t micro, const char *currency, bool estimate)
{
	bool dollars = !currency || strcmp(currency, "USD") == 0;
	int64_t size = micro < 0 ? -micro : micro;
	if (estimate && micro != 0)
		buf_add_char(out, '~');
	if (dollars)
		buf_add_char(out, '$');
	else
		buf_addf(out, "%s ", currency);
	text_add_money(out, micro, size < CENTS_BELOW * MICRO && size % MICRO != 0 ? 2 : 0);
}

void words_per_hour(struct buf *out, const struct job *job, const struct cost *cost)
{
	if (cost->plan)
		buf_add_text(out, "prepaid by the plan, nothing more");
	else if (cost->per_hour.set)
		words_money(out, cost->per_hour.micro, cost->currency,
			    price_is_approximate(cost->source));
	else if (job_phase(job) == PHASE_PENDING)
		buf_add_text(out, "nothing while pending");
	else if (job_never_started(job))
		buf_add_text(out, "nothing: it never started");
	else
		buf_add_text(out, "unknown");
}

bool words_has_spot(const struct job *job)
{
	return job->spot && job->billable.set && job->training_time.set;
}

void words_spot(struct buf *out, const struct job *job)
{
	int64_t billed_ms = job->billable.ms, trained_ms = job->training_time.ms;
	words_duration(out, billed_ms);
	buf_add_text(out, " of ");
	words_duration(out, trained_ms);
	buf_add_text(out, " training");
	if (trained_ms > 0 && billed_ms <= trained_ms)
		buf_addf(out, ", %d %% saved",
			 (int)(100 - (double)billed_ms / (double)trained_ms * 100 + 0.5));
}

void words_first_line(struct buf *out, const char *text)
{
	if (text)
		buf_add(out, text, strcspn(text, "\r\n"));
}

void words_reason(struct buf *out, const struct err *err)
{
	if (err->code == ERR_AUTH &&
	    (err->hint == HINT_LOGIN_AGAIN || err->hint == HINT_LOGIN_AS_TOLD))
		buf_add_text(out, "login expired");
	else if (err->code == ERR_AUTH && err->hint == HINT_CHECK_CLOCK)
		buf_add_text(out, "clock is off");
	else
		buf_add_text(out, err_word(err->code));
}

bool words_has_action(const struct err *err)
{
	return err->code == ERR_DENIED && err->subject[0];
}

/* Of the service whose operation it is: its name up to end has the part. */
static const char *action_prefix(const char *operation, const char *end)
{
	static const struct {
		const char *part, *prefix;
	} services[] = {
		{ "ServiceQuota", QUOTA_ACTION_PREFIX },
		{ "MetricData", "cloudwatch:" },
		{ "Log", "logs:" },
		{ "GetProducts", "pricing:" },
	};
	for (size_t i = 0; i < ARRAY_LEN(services); i++) {
		const char *at = strstr(operation, services[i].part);
		if (at && at < end)
			return services[i].prefix;
	}
	return "sagemaker:";
}

/* Without the region; a subject that is no operation stays as it is. */
void words_action(struct buf *out, const struct err *err)
{
	size_t len = strcspn(err->subject, ": /");
	const char *rest = err->subject + len;
	if (rest[0] == '\0' || strncmp(rest, " in ", 4) == 0)
		buf_addf(out, "%s%.*s", action_prefix(err->subject, rest), (int)len, err->subject);
	else
		buf_add_text(out, err->subject);
}

void words_idle_gpus(struct buf *out, const struct gpu_use *use)
{
	buf_add_text(out, "idle GPUs: under 10 % for ");
	words_duration(out, use->for_ms);
	/* It is not followed further back. */
	if (use->for_ms > GPU_WATCH_BACK_MS - GPU_IDLE_MS)
		buf_add_text(out, " or more");
	buf_addf(out, " (%d %%)", (use->permille + 5) / 10);
}

void words_pool(struct buf *out, const struct job *job, int64_t now_ms, bool utc)
{
	struct pool_hold hold;
	pool_add_words(out, job);
	if (!pool_stands(job, now_ms, &hold) || hold.instances == 0)
		return;
	buf_addf(out, ", %" PRId64 " instance%s kept", hold.instances,
		 hold.instances == 1 ? "" : "s");
	if (!hold.until.set)
		return;
	buf_add_text(out, " until ");
	words_time(out, hold.until.ms, now_ms, utc);
	buf_add_text(out, " at most");
}

void words_failure(struct buf *out, const struct err *err)
{
	words_reason(out, err);
	if (!words_has_action(err))
		return;
	buf_add_text(out, ": ");
	words_action(out, err);
}

void words_retry(struct buf *out, const struct fresh *fresh)
{
	if (!fresh->has_retry)
		return;
	if (fresh->retry_in_ms > 0)
		buf_add_text(out, "next try in ");
	words_retry_time(out, fresh->retry_in_ms);
}

void words_retry_time(struct buf *out, int64_t left_ms)
{
	if (left_ms <= 0)
		buf_add_text(out, "trying again");
	else if (left_ms > MINUTE_MS)
		words_duration(out, left_ms);
	else
		buf_addf(out, "%lld s", (long long)(left_ms + 999) / 1000); /* never "0 s" */
}

int64_t words_retry_next_ms(int64_t left_ms)
{
	/* Rounded up to a second: it changes when the next whole one is left. */
	return (left_ms - 1) % (left_ms > MINUTE_MS ? MINUTE_MS : 1000) + 1;
}

int64_t words_next_change_ms(int64_t duration_ms)
{
	int64_t unit = duration_ms < MINUTE_MS ? 1000 : duration_ms < DAY_MS ? MINUTE_MS : HOUR_MS;
	return duration_ms < 0 ? 1000 - duration_ms : unit - duration_ms % unit;
}
