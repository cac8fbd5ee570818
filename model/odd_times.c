#include "model/odd_times.h"

#include <stdarg.h>

/* The lines so far, and those that are too many. */
struct lines {
	struct buf *out;
	size_t count;
};

static void add(struct lines *lines, const char *format, ...) PRINTF_LIKE(2, 3);

static void add(struct lines *lines, const char *format, ...)
{
	va_list args;
	if (lines->count++ >= ODD_TIMES_MAX)
		return;
	va_start(args, format);
	buf_vaddf(lines->out, format, args);
	va_end(args);
	buf_add_char(lines->out, '\n');
}

static void look_at(struct lines *lines, const struct job *job, size_t i, int64_t now_ms)
{
	const struct transition one = job_transition(job, i);
	bool goes_on = i + 1 < job->transition_count;
	const struct transition next = goes_on ? job_transition(job, i + 1) : one;
	const char *status = one.status;
	int64_t ahead_ms = now_ms + ODD_TIMES_AHEAD_MS;
	if (!one.start.set)
		add(lines, "%s has no start", status);
	if (one.start.set && one.end.set && one.end.ms < one.start.ms)
		add(lines, "%s ends before it begins", status);
	else if (one.end.set && goes_on && next.start.set && next.start.ms < one.end.ms)
		add(lines, "%s goes on after %s has begun", status, next.status);
	if (one.start.set && job->created.set && one.start.ms < job->created.ms)
		add(lines, "%s begins before the job was created", status);
	if ((one.start.set && one.start.ms > ahead_ms) || (one.end.set && one.end.ms > ahead_ms))
		add(lines, "%s lies ahead of AWS's clock", status);
	if (!one.end.set && (goes_on || job_has_ended(job)))
		add(lines, "%s has no end, though %s", status,
		    goes_on ? "another has begun" : "the job has ended");
}

void odd_times_add(struct buf *out, const struct job *job, int64_t now_ms)
{
	struct lines lines = { out, 0 };
	if (job->disordered)
		add(&lines, "the transitions were told out of order; they stand by their starts");
	for (size_t i = 0; i < job->transition_count; i++)
		look_at(&lines, job, i, now_ms);
	if (job->started.set && job->ended.set && job->ended.ms < job->started.ms)
		add(&lines, "the job ends before it starts");
	if (job->created.set && job->started.set && job->started.ms < job->created.ms)
		add(&lines, "the job starts before it was created");
	if (lines.count > ODD_TIMES_MAX)
		buf_addf(out, "and %zu more\n", lines.count - ODD_TIMES_MAX);
}
