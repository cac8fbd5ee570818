#include "views/text/report_news.h"

#include "views/text/report_parts.h"

static const char *text_or_null(const char *text)
{
	return text && text[0] ? text : NULL;
}

static void add_job(struct buf *out, const struct job *job, int64_t now_ms)
{
	bool final;
	struct opt_ms wait = plain_wait(job, now_ms, &final);
	report_add_json_string(out, "job", job->name);
	report_add_json_string(out, "kind", job_kind_word(job->kind));
	report_add_json_string(out, "arn", job->arn);
	report_add_json_string(out, "phase", phase_word(job_phase(job)));
	report_add_json_selected(out, &job->selected);
	report_add_json_integer(out, "wait_seconds", wait.set, wait.ms / 1000);
}

static void add_plan(struct buf *out, const struct news *news)
{
	report_add_json_string(out, "plan", news->plan->name);
	report_add_json_string(out, "arn", news->plan->arn);
	report_add_json_string(out, "instance_type", text_or_null(news->plan->instance_type));
	report_add_json_time(out, news->event == RULE_PLAN_START ? "starts_at" : "ends_at",
			     news->when);
}

void report_news(struct buf *out, const struct report_news *report)
{
	const struct news *news = report->news;
	(void)buf_add_char(out, '{');
	report_add_json_time(out, "at", (struct opt_ms){ true, report->now_ms });
	report_add_json_string(out, "event", rule_event_word(news->event));
	report_add_json_string(out, "rule", report->rule);
	report_add_json_string(out, "text", report->text);
	report_add_json_string(out, "region", text_or_null(report->region));
	report_add_json_string(out, "account", text_or_null(report->account));
	if (news->job)
		add_job(out, news->job, report->now_ms);
	if (news->plan)
		add_plan(out, news);
	(void)buf_add_text(out, "}\n");
}
