/* What lies behind a forecast: when its types were seen free, and at which hours of the week. */
#include <inttypes.h>

#include "views/text/report_parts.h"

/* --- table --- */

/* "#1 ml.p5.48xlarge: not free 14:31, 14:02, free 11:20" */
static void write_sightings(struct buf *out, const struct report_context *context,
			    const struct report_forecast *report, size_t i)
{
	const struct sightings *seen = &report->lately[i].seen;
	if (seen->count == 0)
		return;
	buf_addf(out, "#%zu %s:", i + 1, seen->instance_type);
	for (size_t k = 0; k < seen->count; k++) {
		char time[TIME_TEXT_SIZE];
		time_format_hm(seen->newest[k].at_ms, context->utc, time);
		buf_add_text(out, k ? ", " : " ");
		if (k == 0 || seen->newest[k].free != seen->newest[k - 1].free)
			buf_add_text(out, seen->newest[k].free ? "free " : "not free ");
		buf_addf(out, "%s%s", time, context->utc ? "Z" : "");
	}
	buf_add_char(out, '\n');
}

static void write_week(struct buf *out, const struct report_context *context,
		       const struct report_forecast *report, size_t i)
{
	const struct week_pattern *week = &report->lately[i].week;
	struct week_hour now = week_hour_at(context->now_ms, context->utc);
	const struct week_cell *here = &week->cells[now.day][now.hour];
	if (week->all.tries < FORECAST_STARTS_MIN)
		return;
	buf_addf(out,
		 "\n#%zu %s: free at once %" PRIu32 " of %" PRIu32 " times, %s %zuh %" PRIu32
		 " of %" PRIu32 "; tens of %% by the hour%s:\n    0     6     12    18\n",
		 i + 1, report->lately[i].seen.instance_type, week->all.free, week->all.tries,
		 week_day_word(now.day), now.hour, here->free, here->tries,
		 context->utc ? " (UTC)" : "");
	for (size_t day = 0; day < WEEK_DAYS; day++) {
		buf_addf(out, "%s ", week_day_word(day));
		for (size_t hour = 0; hour < WEEK_HOURS; hour++)
			buf_add_char(out, week_cell_mark(week->cells[day][hour]));
		buf_add_char(out, '\n');
	}
}

void report_outlook_table(struct buf *out, const struct report_context *context,
			  const struct report_forecast *report)
{
	size_t count = 0;
	for (size_t i = 0; i < report->asked->count; i++)
		count += report->lately[i].seen.count;
	if (count)
		buf_add_text(out, "\nseen in the last 24 hours:\n");
	for (size_t i = 0; i < report->asked->count; i++)
		write_sightings(out, context, report, i);
	for (size_t i = 0; i < report->asked->count; i++)
		write_week(out, context, report, i);
}

/* --- json --- */

static void add_seen(struct buf *out, const struct sightings *seen)
{
	report_add_json_name(out, "seen");
	buf_add_char(out, '[');
	for (size_t k = 0; k < seen->count; k++) {
		buf_add_text(out, k ? ",{" : "{");
		report_add_json_time(out, "at", (struct opt_ms){ true, seen->newest[k].at_ms });
		report_add_json_name(out, "free");
		buf_add_text(out, seen->newest[k].free ? "true}" : "false}");
	}
	buf_add_char(out, ']');
}

/* The hours in which it was asked for, in UTC. */
static void add_week(struct buf *out, const struct week_pattern *week)
{
	size_t count = 0;
	report_add_json_integer(out, "tries", true, week->all.tries);
	report_add_json_integer(out, "free_at_once", true, week->all.free);
	report_add_json_name(out, "hours_of_week");
	buf_add_char(out, '[');
	for (size_t day = 0; day < WEEK_DAYS; day++) {
		for (size_t hour = 0; hour < WEEK_HOURS; hour++) {
			const struct week_cell *cell = &week->cells[day][hour];
			if (cell->tries == 0)
				continue;
			buf_add_text(out, count++ ? ",{" : "{");
			report_add_json_string(out, "day", week_day_word(day));
			report_add_json_integer(out, "hour", true, (int64_t)hour);
			report_add_json_integer(out, "tries", true, cell->tries);
			report_add_json_integer(out, "free_at_once", true, cell->free);
			buf_add_char(out, '}');
		}
	}
	buf_add_char(out, ']');
}

void report_outlook_json(struct buf *out, const struct report_forecast *report)
{
	size_t count = 0;
	report_add_json_name(out, "lately");
	buf_add_char(out, '[');
	for (size_t i = 0; i < report->asked->count; i++) {
		const struct report_lately *lately = &report->lately[i];
		if (!lately->seen.instance_type)
			continue;
		buf_add_text(out, count++ ? ",{" : "{");
		report_add_json_integer(out, "rank", true, (int64_t)i + 1);
		report_add_json_string(out, "instance_type", lately->seen.instance_type);
		add_seen(out, &lately->seen);
		add_week(out, &lately->week);
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}
