/* The transitions of a job: when, how long, which of them waited, and how long that was in all. */
#include <string.h>

#include "model/odd_times.h"
#include "model/stretches.h"
#include "views/sections.h"
#include "views/words.h"

#define STATUS_COLUMNS 26
#define BAR_LEAST      8
#define BAR_MOST       60 /* columns of the bar */
#define ROW_COLUMNS    70 /* of a whole row; narrower pages break it */

/* One that is over to the nearest second. */
static void add_span(struct buf *out, const struct transition *transition, int64_t end_ms)
{
	int64_t span_ms = words_span_ms(transition->start.ms, end_ms);
	words_duration(out, transition->end.set ? duration_round_ms(span_ms) : span_ms);
}

static void write_transition(const struct writer *writer, size_t i)
{
	const struct job *job = writer->job;
	const struct transition transition = job_transition(job, i);
	struct opt_ms end = job_transition_end(job, i, writer->now_ms);
	char time[TIME_TEXT_SIZE] = "?";
	struct buf took;
	if (transition.start.set)
		time_format_full(transition.start.ms, writer->ui->env->utc, time);
	buf_init(&took, WORDS_MAX);
	if (transition.start.set && end.set)
		add_span(&took, &transition, end.ms);
	if (!transition.end.set && job_is_live(job) && i + 1 == job->transition_count)
		buf_add_text(&took, " so far");
	if (stretches_waits(job, i))
		buf_add_text(&took, "  waiting");
	if (writer->columns < ROW_COLUMNS)
		buf_addf(writer->out, "  %-19s  %s\n    %s\n", time, transition.status,
			 buf_text(&took));
	else
		buf_addf(writer->out, "  %-19s  %-*s  %s\n", time, STATUS_COLUMNS,
			 transition.status, buf_text(&took));
	if (transition.message && transition.message[0]) {
		buf_add_text(writer->out, "    ");
		words_first_line(writer->out, transition.message);
		buf_add_char(writer->out, '\n');
	}
	buf_release(&took);
}

static void write_stretch(const struct writer *writer, const struct stretch *stretch)
{
	char time[TIME_TEXT_SIZE];
	time_format_full(stretch->start_ms, writer->ui->env->utc, time);
	buf_addf(writer->out, "    from %s for ", time);
	words_duration(writer->out, words_span_ms(stretch->start_ms, stretch->end_ms));
	buf_addf(writer->out, "%s\n", stretch->open ? " so far" : "");
}

/* --- the bar --- */

/* A letter for what the job did at that time; of two transitions the later one. */
static char letter_at(const struct writer *writer, int64_t at_ms)
{
	static const char letters[] = {
		[PHASE_PENDING] = 'w',  [PHASE_STARTING] = 's',  [PHASE_RUNNING] = 'r',
		[PHASE_STOPPING] = 'x', [PHASE_COMPLETED] = ' ', [PHASE_FAILED] = ' ',
		[PHASE_STOPPED] = ' ',  [PHASE_UNKNOWN] = '?',
	};
	const struct job *job = writer->job;
	char letter = '.';
	if (job_transition(job, 0).start.set && at_ms < job_transition(job, 0).start.ms)
		return 'w'; /* from its creation on it waits */
	for (size_t i = 0; i < job->transition_count; i++) {
		struct opt_ms start = job_transition(job, i).start;
		struct opt_ms end = job_transition_end(job, i, writer->now_ms);
		if (!start.set || !end.set || at_ms < start.ms || at_ms >= end.ms)
			continue;
		letter = strcmp(job_transition(job, i).status, "Stopping") == 0
				 ? 'x'
				 : letters[phase_of_secondary(job_transition(job, i).status)];
	}
	return letter;
}

/* How long the transitions of a phase took, each counted up to where it ends. */
static void add_sum(const struct writer *writer, enum phase phase, const char *word)
{
	const struct job *job = writer->job;
	int64_t sum_ms = 0;
	for (size_t i = 0; i < job->transition_count; i++) {
		struct opt_ms start = job_transition(job, i).start;
		struct opt_ms end = job_transition_end(job, i, writer->now_ms);
		if (phase_of_secondary(job_transition(job, i).status) == phase && start.set &&
		    end.set &&
		    __builtin_add_overflow(sum_ms, words_span_ms(start.ms, end.ms), &sum_ms))
			sum_ms = INT64_MAX;
	}
	if (sum_ms == 0)
		return;
	buf_addf(writer->out, "  %s ", word);
	words_duration(writer->out, sum_ms);
}

/* From the creation to the end, or now: "wwwwwssrrrrrr", and what the letters sum up to. */
static void write_bar(const struct writer *writer)
{
	const struct job *job = writer->job;
	struct opt_ms end = job_transition_end(job, job->transition_count - 1, writer->now_ms);
	int columns = writer->columns - 2 < BAR_MOST ? writer->columns - 2 : BAR_MOST;
	if (!job->created.set || !end.set || end.ms <= job->created.ms || columns < BAR_LEAST)
		return;
	double span = (double)words_span_ms(job->created.ms, end.ms);
	buf_add_text(writer->out, "  ");
	for (int i = 0; i < columns; i++)
		buf_add_char(writer->out,
			     letter_at(writer,
				       job->created.ms + (int64_t)(span * (i + 0.5) / columns)));
	buf_add_text(writer->out, "\n  w waiting ");
	words_wait(writer->out, job, writer->now_ms);
	add_sum(writer, PHASE_STARTING, "s starting");
	add_sum(writer, PHASE_RUNNING, "r running");
	buf_addf(writer->out, "%s\n", job_has_ended(job) ? "" : "  so far");
}

static void write_odd(const struct writer *writer)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	odd_times_add(&text, writer->job, writer->now_ms);
	const char *line = buf_text(&text);
	while (*line) {
		size_t len = strcspn(line, "\n");
		buf_addf(writer->out, "  odd: %.*s\n", (int)len, line);
		line += len + (line[len] == '\n');
	}
	buf_release(&text);
}

void section_timeline(const struct writer *writer)
{
	const struct job *job = writer->job;
	section_begin(writer, writer->ui->env->utc ? "TIMELINE (UTC)" : "TIMELINE (local)");
	if (job->kind == JOB_PROCESSING)
		buf_add_text(writer->out, "  processing jobs publish no transitions\n");
	else if (job->transition_count == 0)
		buf_addf(writer->out, "  %s\n", job->described ? "none" : "? (not read yet)");
	if (job->transition_count > 0)
		write_bar(writer);
	for (size_t i = 0; i < job->transition_count; i++)
		write_transition(writer, i);
	write_odd(writer);
}

void section_wait(const struct writer *writer)
{
	const struct job *job = writer->job;
	struct opt_ms deadline = job_pending_deadline(job, writer->now_ms);
	struct stretch all[STRETCHES_MAX];
	size_t count = stretches_of(job, writer->now_ms, all);
	section_begin(writer, "WAIT");
	section_label(writer, "pending in all");
	words_wait(writer->out, job, writer->now_ms);
	if (count > 1)
		buf_addf(writer->out, ", in %zu stretches", count);
	if (job_never_started(job))
		buf_add_text(writer->out, ", never started");
	buf_add_char(writer->out, '\n');
	for (size_t i = 0; count > 1 && i < count; i++)
		write_stretch(writer, &all[i]);
	if (deadline.set) {
		section_label(writer, "limit reached");
		words_time(writer->out, deadline.ms, writer->now_ms, writer->ui->env->utc);
		buf_add_char(writer->out, '\n');
	}
}

static void write_page(const struct writer *writer)
{
	section_timeline(writer);
	section_wait(writer);
}

static void timeline_open(void *state, struct ui *ui, const void *argument)
{
	const char *arn = argument ? argument : ui->selected_arn;
	const struct job *job = store_find(ui->env->store, arn);
	page_start(state, ui, job ? job->name : "", PAGE_ABOUT_JOB);
	page_set_job(state, arn);
}

static void timeline_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	(void)focused;
	sections_draw(state, out, at, write_page);
}

static void timeline_write(const void *state, const struct report_context *context, struct buf *out)
{
	(void)context;
	sections_add(state, out, write_page);
}

const struct pane_ops timeline_pane = {
	.name = "timeline",
	.title = "Timeline",
	.scope = &pager_scope,
	.state_size = sizeof(struct page),
	.modal = true,
	.open = timeline_open,
	.close = page_close,
	.draw = timeline_draw,
	.writes = "md txt",
	.write = timeline_write,
};
