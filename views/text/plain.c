#include "views/text/plain.h"

#include <inttypes.h>
#include <string.h>

#include "model/base/text.h"

#define CENTS_BELOW INT64_C(100000000) /* amounts under 100 show two decimals */

void plain_money(struct buf *out, struct money money, const char *currency, bool estimate)
{
	if (!money.set) {
		(void)buf_add_text(out, "unknown");
		return;
	}
	if (estimate && money.micro != 0)
		(void)buf_add_char(out, '~');
	if (!currency || strcmp(currency, "USD") == 0)
		(void)buf_add_char(out, '$');
	else
		(void)buf_addf(out, "%s ", currency);
	bool small = money.micro != 0 && money.micro < CENTS_BELOW && money.micro > -CENTS_BELOW;
	text_add_money(out, money.micro, small ? 2 : 0);
}

void plain_duration(struct buf *out, struct opt_ms duration)
{
	char text[TIME_TEXT_SIZE] = "unknown";
	if (duration.set)
		duration_format(duration.ms / 1000, text);
	(void)buf_add_text(out, text);
}

void plain_time(struct buf *out, struct opt_ms time, bool utc)
{
	char text[TIME_TEXT_SIZE] = "-";
	if (time.set)
		time_format_full(time.ms, utc, text);
	(void)buf_addf(out, "%s%s", text, time.set && utc ? " UTC" : "");
}

void plain_instances(struct buf *out, const char *instance_type, bool has_count, int64_t count)
{
	(void)buf_add_text(out, instance_type[0] ? instance_type : "type unknown");
	if (has_count)
		(void)buf_addf(out, " x%" PRId64, count);
	else
		(void)buf_add_text(out, " x?");
}

const char *plain_plan(const char *plan_arn)
{
	const char *name = strrchr(plan_arn, '/');
	return name && name[1] ? name + 1 : plan_arn;
}

struct opt_ms plain_wait(const struct job *job, int64_t now_ms, bool *final)
{
	struct opt_ms wait = { 0 };
	*final = false;
	wait.set = job_wait_ms(job, now_ms, &wait.ms, final);
	if (*final)
		wait.ms = duration_round_ms(wait.ms);
	return wait;
}
