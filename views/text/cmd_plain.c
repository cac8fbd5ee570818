/*
 * gpuq --plain: the dashboard line by line, for a screen reader or a terminal that cannot place its
 * cursor. Nothing is ever painted over: what changes is a new line, and so is each answer to what
 * is typed. It changes nothing at AWS.
 */
#include <string.h>

#include "model/base/text.h"
#include "views/text/past.h"
#include "views/text/plain.h"

#define MINUTE_MS INT64_C(60000)

/* 14:02 UTC, or 15:02 UTC+01:00: local times say their zone. */
static void add_now(struct buf *out, const struct command_run *run)
{
	int64_t now_ms = store_now_ms(run->store, run->clock);
	int64_t zone_ms = run->options->utc ? 0 : time_zone_ms(now_ms);
	int64_t minutes = (zone_ms < 0 ? -zone_ms : zone_ms) / MINUTE_MS;
	char text[TIME_TEXT_SIZE];
	time_format_hm(now_ms, run->options->utc, text);
	buf_addf(out, "%s UTC", text);
	if (minutes > 0)
		buf_addf(out, "%c%02d:%02d", zone_ms < 0 ? '-' : '+', (int)(minutes / 60),
			 (int)(minutes % 60));
}

static void add_line(struct command_run *run, struct buf *line)
{
	buf_add_char(line, '\n');
	text_sanitise(run->out, buf_text(line), line->len, TEXT_FILE, run->options->ascii);
	buf_release(line);
}

static void add_state(struct buf *line, const struct command_run *run, const struct job *job)
{
	bool final;
	struct opt_ms wait = plain_wait(job, store_now_ms(run->store, run->clock), &final);
	buf_addf(line, "%s, %s, %s", job->name, job_kind_word(job->kind),
		 phase_word(job_phase(job)));
	if (wait.set) {
		buf_add_text(line,
			     final || job_phase(job) != PHASE_PENDING ? ", waited " : ", waiting ");
		plain_duration(line, wait);
	}
	if (job->selected.set)
		buf_addf(line, ", on %s, choice %zu", job->selected.instance_type,
			 job->selected.rank);
}

static void tell_change(void *ctx, const struct phase_change *change)
{
	struct command_run *run = ctx;
	struct buf line;
	buf_init(&line, COMMAND_TEXT_MAX);
	add_now(&line, run);
	buf_addf(&line, ": %s: ", change->has_from ? phase_word(change->from) : "new");
	add_state(&line, run, change->job);
	add_line(run, &line);
}

/* Returns how many there are. */
static size_t tell_phase(struct command_run *run, enum phase phase)
{
	size_t count = 0;
	for (size_t i = 0; i < run->store->count; i++) {
		const struct job *job = store_at(run->store, i);
		struct buf line;
		if (job_phase(job) != phase)
			continue;
		count++;
		buf_init(&line, COMMAND_TEXT_MAX);
		add_state(&line, run, job);
		add_line(run, &line);
	}
	return count;
}

static void tell_counts(struct command_run *run)
{
	struct totals totals = store_totals(run->store, store_now_ms(run->store, run->clock));
	struct buf line;
	buf_init(&line, COMMAND_TEXT_MAX);
	add_now(&line, run);
	buf_addf(&line, ": %s: %zu pending, %zu running, %zu failed today",
		 run->region ? run->region : "no region", totals.pending, totals.running,
		 totals.failed_today);
	add_line(run, &line);
}

static void tell_help(struct command_run *run)
{
	buf_add_text(run->out,
		     "Type pending, running or failed for these jobs, counts, a job's name for "
		     "all of it,\nor quit. Changes are told as they come.\n");
}

/* True: it was a word of ours. */
static bool answer_word(struct command_run *run, const char *word)
{
	static const enum phase phases[] = { PHASE_PENDING, PHASE_RUNNING, PHASE_FAILED,
					     PHASE_STARTING, PHASE_STOPPING };
	for (size_t i = 0; i < ARRAY_LEN(phases); i++)
		if (strcmp(word, phase_word(phases[i])) == 0) {
			if (tell_phase(run, phases[i]) == 0)
				buf_addf(run->out, "no job is %s\n", word);
			return true;
		}
	if (strcmp(word, "counts") == 0)
		tell_counts(run);
	else if (strcmp(word, "help") == 0)
		tell_help(run);
	else
		return false;
	return true;
}

static void answer_job(struct command_run *run, const struct job *job)
{
	struct report_context context = command_context(run);
	struct text_past past;
	text_past_init(&past, run);
	context.past = &past.likely;
	context.plan = store_plan_of(run->store, job);
	context.note = history_note(&run->store->history, job->kind, job->name);
	report_job(run->out, &context, job);
	text_past_release(&past);
}

static void answer(struct command_run *run, const char *word)
{
	const struct job *job;
	struct buf line;
	if (answer_word(run, word))
		return;
	job = store_find_name(run->store, word);
	if (job) {
		answer_job(run, job);
		return;
	}
	buf_init(&line, COMMAND_TEXT_MAX);
	buf_addf(&line, "%s: no job and no word known here; help tells the words", word);
	add_line(run, &line);
}

static void begin(struct command_run *run)
{
	tell_counts(run);
	(void)tell_phase(run, PHASE_PENDING);
	tell_help(run);
}

static int follow_plain(struct command_run *run)
{
	bool begins = false;
	int status = follow_phases(run, tell_change, &begins);
	if (status != COMMAND_GOES_ON)
		return status;
	if (begins)
		begin(run);
	if (!run->typed || !run->typed[0])
		return COMMAND_GOES_ON;
	if (strcmp(run->typed, "quit") == 0 || strcmp(run->typed, "q") == 0)
		return 0;
	answer(run, run->typed);
	return COMMAND_GOES_ON;
}

const struct command command_plain = {
	.name = "plain",
	.arguments = "",
	.help = "the dashboard line by line, for a screen reader (also --plain)",
	.example = "gpuq plain --demo",
	.need = NEED_WATCH,
	.follow = follow_plain,
	.endless = true,
	.listens = true,
};
