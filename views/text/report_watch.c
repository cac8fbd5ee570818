/* Changes of phase as `gpuq watch` writes them: interface.md, JSON. */
#include "views/text/report_parts.h"

void report_phase_change(struct buf *out, const struct report_context *context,
			 const struct phase_change *change)
{
	const struct job *job = change->job;
	const struct opt_ms now = { true, context->now_ms };
	bool final;
	struct opt_ms wait = plain_wait(job, context->now_ms, &final);
	(void)buf_add_char(out, '{');
	report_add_json_time(out, "at", now);
	report_add_json_string(out, "job", job->name);
	report_add_json_string(out, "kind", job_kind_word(job->kind));
	report_add_json_string(out, "from", change->has_from ? phase_word(change->from) : NULL);
	report_add_json_string(out, "to", phase_word(change->to));
	report_add_json_selected(out, &job->selected);
	report_add_json_integer(out, "wait_seconds", wait.set, wait.ms / 1000);
	(void)buf_add_text(out, "}\n");
}
