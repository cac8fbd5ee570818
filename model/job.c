#include "model/job.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/mem.h"
#include "model/catalog.h"

#define NAME_MAX_CHARS  (JOB_NAME_SIZE - 1)
#define STAMP_CHARS     13 /* yymmdd-hhmmss */
#define STEM_COPY_CHARS (NAME_MAX_CHARS - STAMP_CHARS - 1)

static const char *const phase_words[] = {
	[PHASE_PENDING] = "pending",   [PHASE_STARTING] = "starting",   [PHASE_RUNNING] = "running",
	[PHASE_STOPPING] = "stopping", [PHASE_COMPLETED] = "completed", [PHASE_FAILED] = "failed",
	[PHASE_STOPPED] = "stopped",   [PHASE_UNKNOWN] = "unknown",
};

struct word_phase {
	const char *word;
	enum phase phase;
};

/* interface.md, JSON: what a SecondaryStatus means while the job is in progress. */
static const struct word_phase secondary_phases[] = {
	{ "Pending", PHASE_PENDING },
	{ "Starting", PHASE_PENDING },
	{ "LaunchingMLInstances", PHASE_PENDING },
	{ "Interrupted", PHASE_PENDING },
	{ "Restarting", PHASE_PENDING },
	{ "PreparingTrainingStack", PHASE_STARTING },
	{ "Downloading", PHASE_STARTING },
	{ "DownloadingTrainingImage", PHASE_STARTING },
	{ "Training", PHASE_RUNNING },
	{ "Updating", PHASE_RUNNING },
	{ "Uploading", PHASE_RUNNING },
};

/* The primary statuses that decide by themselves. */
static const struct word_phase primary_phases[] = {
	{ "Stopping", PHASE_STOPPING },   { "Deleting", PHASE_STOPPING },
	{ "Completed", PHASE_COMPLETED }, { "Failed", PHASE_FAILED },
	{ "Stopped", PHASE_STOPPED },
};

/* What a job that shares has from the store. */
static void free_repeated(struct job *job)
{
	for (size_t i = 0; i < job->transition_count; i++)
		free(job->transitions[i].words);
	free(job->status);
	free(job->secondary_status);
	free(job->status_message);
	free(job->failure_reason);
	free(job->role_arn);
	free(job->image);
	free(job->pool.status);
	free(job->prefs);
	free(job->tags);
}

void job_release(struct job *job)
{
	if (!job)
		return;
	if (!job->shares)
		free_repeated(job);
	free(job->transitions);
	free(job->arn);
	free(job->pool.reused_by);
	free(job->request_json);
	*job = (struct job){ 0 };
}

const struct preferences *job_prefs(const struct job *job)
{
	static const struct preferences none = { 0 };
	return job->prefs ? job->prefs : &none;
}

struct preferences *job_edit_prefs(struct job *job)
{
	if (!job->prefs)
		job->prefs = mem_new(1, sizeof(*job->prefs));
	return job->prefs;
}

void job_drop_texts(struct job *job)
{
	mem_set_text(&job->request_json, NULL);
	for (size_t i = 0; i < job->transition_count; i++)
		transition_drop_message(&job->transitions[i]);
}

void job_move(struct job *to, struct job *from)
{
	if (to == from)
		return;
	job_release(to);
	*to = *from;
	*from = (struct job){ 0 };
}

void job_copy(struct job *to, const struct job *from)
{
	if (to == from)
		return;
	job_release(to);
	*to = *from;
	to->shares = false;
	to->arn = mem_copy_text(from->arn);
	to->status = mem_copy_text(from->status);
	to->secondary_status = mem_copy_text(from->secondary_status);
	to->status_message = mem_copy_text(from->status_message);
	to->failure_reason = mem_copy_text(from->failure_reason);
	to->role_arn = mem_copy_text(from->role_arn);
	to->image = mem_copy_text(from->image);
	to->pool.status = mem_copy_text(from->pool.status);
	to->pool.reused_by = mem_copy_text(from->pool.reused_by);
	to->prefs = prefs_copy(from->prefs);
	to->tags = tag_list_copy(from->tags);
	to->request_json = mem_copy_text(from->request_json);
	to->transitions = NULL;
	to->transition_count = 0;
	for (size_t i = 0; i < from->transition_count; i++) {
		const struct transition one = job_transition(from, i);
		job_add_transition(to, one.status, one.message, one.start, one.end);
	}
}

void job_add_transition(struct job *job, const char *status, const char *message,
			struct opt_ms start, struct opt_ms end)
{
	size_t count = job->transition_count;
	if (count >= JOB_TRANSITIONS_MAX)
		return;
	job->transitions = mem_resize(job->transitions, count + 1, sizeof(*job->transitions));
	size_t at = count;
	while (start.set && at > 0 && job_transition(job, at - 1).start.set &&
	       job_transition(job, at - 1).start.ms > start.ms) {
		job->transitions[at] = job->transitions[at - 1];
		at--;
	}
	job->disordered |= at < count;
	job->transitions[at] = transition_keep(&(struct transition){ status, message, start, end });
	job->transition_count = (uint32_t)(count + 1);
}

struct transition job_transition(const struct job *job, size_t i)
{
	return transition_read(&job->transitions[i]);
}

/* Asked of every job at every frame: the first letter alone tells most words apart. */
static bool is_word(const char *text, const char *word)
{
	return text[0] == word[0] && strcmp(text, word) == 0;
}

static enum phase phase_in(const struct word_phase *table, size_t count, const char *word)
{
	for (size_t i = 0; word && i < count; i++) {
		if (is_word(word, table[i].word))
			return table[i].phase;
	}
	return PHASE_UNKNOWN;
}

enum phase phase_of_secondary(const char *secondary_status)
{
	return phase_in(secondary_phases, ARRAY_LEN(secondary_phases), secondary_status);
}

enum phase job_phase(const struct job *job)
{
	if (!job->status || !is_word(job->status, "InProgress"))
		return phase_in(primary_phases, ARRAY_LEN(primary_phases), job->status);
	if (job->kind == JOB_TRAINING)
		return phase_of_secondary(job->secondary_status);
	if (job->started.set)
		return PHASE_RUNNING;
	return job_has_details(job) ? PHASE_PENDING : PHASE_UNKNOWN;
}

const char *phase_word(enum phase phase)
{
	return phase_words[phase];
}

bool phase_parse(const char *word, enum phase *phase)
{
	for (size_t i = 0; i < ARRAY_LEN(phase_words); i++) {
		if (strcasecmp(phase_words[i], word) == 0) {
			*phase = (enum phase)i;
			return true;
		}
	}
	return false;
}

const char *job_kind_word(enum job_kind kind)
{
	return kind == JOB_TRAINING ? "training" : "processing";
}

bool job_has_details(const struct job *job)
{
	return job->described || job_prefs(job)->length > 0 || job->request_json;
}

bool job_has_ended(const struct job *job)
{
	enum phase phase = job_phase(job);
	return phase == PHASE_COMPLETED || phase == PHASE_FAILED || phase == PHASE_STOPPED;
}

bool job_is_live(const struct job *job)
{
	return !job_has_ended(job);
}

bool job_never_started(const struct job *job)
{
	enum phase phase = job_phase(job);
	if (!job->described || (phase != PHASE_FAILED && phase != PHASE_STOPPED))
		return false;
	bool billed = job->billable.set && job->billable.ms > 0;
	if (!job->started.set)
		return !billed;
	return phase == PHASE_STOPPED && job->billable.set && !billed;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t sooner(struct opt_ms a, struct opt_ms b)
{
	return b.set && b.ms < a.ms ? b.ms : a.ms;
}

/* b - a for a before b, else 0; a hostile reply can hold times whose difference overflows. */
static int64_t span_ms(int64_t a, int64_t b)
{
	int64_t span;
	if (b <= a)
		return 0;
	return __builtin_sub_overflow(b, a, &span) ? INT64_MAX : span;
}

/* Where an open stretch ends: now, or the end of an ended job; unset when that is not known. */
static struct opt_ms wait_limit(const struct job *job, int64_t now_ms)
{
	if (!job_has_ended(job))
		return (struct opt_ms){ .set = true, .ms = now_ms };
	return job->ended.set ? job->ended : job->modified;
}

static struct opt_ms stretch_end(const struct job *job, size_t i, struct opt_ms limit)
{
	struct opt_ms end = job_transition(job, i).end;
	if (!end.set && i + 1 < job->transition_count)
		end = job_transition(job, i + 1).start;
	return end.set ? end : limit;
}

struct opt_ms job_transition_end(const struct job *job, size_t i, int64_t now_ms)
{
	return stretch_end(job, i, wait_limit(job, now_ms));
}

static int64_t wait_of_transitions(const struct job *job, struct opt_ms limit)
{
	int64_t wait_ms = 0;
	/* Everything before it has been counted, or is no wait. */
	int64_t counted = job->created.set ? job->created.ms : INT64_MIN;
	for (size_t i = 0; i < job->transition_count; i++) {
		const struct transition one = job_transition(job, i);
		if (!one.start.set)
			continue;
		if (i == 0 && job->created.set) {
			wait_ms = span_ms(counted, sooner(one.start, limit));
			counted = later(counted, one.start.ms);
		}
		if (phase_of_secondary(one.status) != PHASE_PENDING)
			continue;
		struct opt_ms end = stretch_end(job, i, limit);
		if (!end.set)
			continue;
		counted = later(counted, one.start.ms);
		if (__builtin_add_overflow(wait_ms, span_ms(counted, end.ms), &wait_ms))
			return INT64_MAX;
		counted = later(counted, end.ms);
	}
	return wait_ms;
}

/*
 * Whether a job without transitions and start has waited since its creation. A list tells neither:
 * there the status must say that a training job waits, and not that it waits again (after an
 * interruption the time since creation holds running time too).
 */
static bool waits_since_creation(const struct job *job)
{
	switch (job_phase(job)) {
	case PHASE_PENDING:
		return job_has_details(job) || strcmp(job->secondary_status, "Pending") == 0 ||
		       strcmp(job->secondary_status, "Starting") == 0 ||
		       strcmp(job->secondary_status, "LaunchingMLInstances") == 0;
	case PHASE_STOPPING:
	case PHASE_FAILED:
	case PHASE_STOPPED:
		return job->described;
	default:
		return false;
	}
}

bool job_wait_ms(const struct job *job, int64_t now_ms, int64_t *wait_ms, bool *final)
{
	struct opt_ms limit = wait_limit(job, now_ms);
	*final = job_has_ended(job);
	*wait_ms = 0;
	if (job->transition_count > 0) {
		*wait_ms = wait_of_transitions(job, limit);
		return true;
	}
	if (!job->created.set)
		return false;
	if (job->started.set) {
		*wait_ms = span_ms(job->created.ms, job->started.ms);
		return true;
	}
	if (!limit.set || !waits_since_creation(job))
		return false;
	*wait_ms = span_ms(job->created.ms, limit.ms);
	return true;
}

static bool list_is_accelerated(const struct preferences *prefs)
{
	for (size_t i = 0; i < prefs->length; i++) {
		if (catalog_is_accelerated(prefs->entries[i].instance_type))
			return true;
	}
	return false;
}

static bool list_has_plan(const struct preferences *prefs)
{
	for (size_t i = 0; i < prefs->length; i++) {
		if (prefs->entries[i].plan_arn[0])
			return true;
	}
	return prefs->job_plan_arn[0] != '\0';
}

struct opt_ms job_pending_deadline(const struct job *job, int64_t now_ms)
{
	struct opt_ms deadline = { 0 };
	int64_t wait_ms, left_ms;
	bool final;
	if (job->kind != JOB_TRAINING || !job->max_pending.set || job_phase(job) != PHASE_PENDING ||
	    !list_is_accelerated(job_prefs(job)) || !job_wait_ms(job, now_ms, &wait_ms, &final))
		return deadline;
	if (__builtin_sub_overflow(job->max_pending.ms, wait_ms, &left_ms) ||
	    (left_ms < 0 && list_has_plan(job_prefs(job))))
		return deadline;
	deadline.set = !__builtin_add_overflow(now_ms, left_ms, &deadline.ms);
	return deadline;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_name_char(char c)
{
	return is_digit(c) || is_letter(c);
}

static size_t digits_at(const char *text, size_t len)
{
	size_t n = 0;
	while (n < len && is_digit(text[n]))
		n++;
	return n;
}

/* 20260930T2048, 260930t204808Z: a date and time in one group. */
static bool is_stamp(const char *group, size_t len)
{
	size_t date = digits_at(group, len);
	if ((date != 6 && date != 8) || date == len || (group[date] | 0x20) != 't')
		return false;
	const char *rest = group + date + 1;
	size_t left = len - date - 1;
	size_t time = digits_at(rest, left);
	if (time != 4 && time != 6)
		return false;
	return time == left || (time + 1 == left && (rest[time] | 0x20) == 'z');
}

/* A group that changes from run to run: digits, a date, or hex of four with a digit in it. */
static bool is_run_group(const char *group, size_t len)
{
	size_t digits = 0, hex = 0;
	for (size_t i = 0; i < len; i++) {
		char low = (char)(group[i] | 0x20);
		digits += is_digit(group[i]);
		hex += is_digit(group[i]) || (low >= 'a' && low <= 'f');
	}
	if (digits == len || (hex == len && len >= 4 && digits > 0))
		return true;
	return is_stamp(group, len);
}

static size_t without_dashes(const char *name, size_t len)
{
	while (len > 0 && name[len - 1] == '-')
		len--;
	return len;
}

/* The first group always stays: a name of digits alone is its own stem. */
static size_t stem_length(const char *name)
{
	size_t len = without_dashes(name, strlen(name));
	for (;;) {
		size_t start = len;
		while (start > 0 && name[start - 1] != '-')
			start--;
		size_t rest = without_dashes(name, start);
		if (rest == 0 || !is_run_group(name + start, len - start))
			return len;
		len = rest;
	}
}

void job_stem(const char *name, char out[JOB_NAME_SIZE])
{
	size_t len = stem_length(name);
	if (len > NAME_MAX_CHARS)
		len = without_dashes(name, NAME_MAX_CHARS);
	memcpy(out, name, len);
	out[len] = '\0';
}

void job_copy_name(const char *name, int64_t now_ms, char out[JOB_NAME_SIZE])
{
	char stem[JOB_NAME_SIZE], stamp[TIME_TEXT_SIZE];
	size_t len = 0;
	job_stem(name, stem);
	/* A name of SageMaker is valid already; one typed into a file need not be. */
	for (size_t i = 0; stem[i] && len < STEM_COPY_CHARS; i++) {
		if (is_name_char(stem[i]))
			out[len++] = stem[i];
		else if (len > 0)
			out[len++] = '-';
	}
	len = without_dashes(out, len);
	if (len == 0) {
		memcpy(out, "job", 3);
		len = 3;
	}
	time_format_stamp(now_ms, stamp);
	out[len++] = '-';
	memcpy(out + len, stamp, STAMP_CHARS);
	out[len + STAMP_CHARS] = '\0';
}

bool job_name_is_valid(const char *name)
{
	size_t len = 0;
	for (; name[len]; len++) {
		if (len >= NAME_MAX_CHARS || !(is_name_char(name[len]) || name[len] == '-'))
			return false;
	}
	return len > 0 && name[0] != '-' && name[len - 1] != '-';
}

static bool has_instances(const struct job *job)
{
	switch (job_phase(job)) {
	case PHASE_PENDING:
		return false;
	case PHASE_STARTING:
	case PHASE_RUNNING:
	case PHASE_COMPLETED:
		return true;
	default:
		return job->started.set;
	}
}

static void select_only_entry(struct job *job)
{
	const struct preference *only = &job_prefs(job)->entries[0];
	int64_t count;
	job->selected = (struct selected){ 0 };
	if (job->has_groups || job_prefs(job)->length != 1 || !has_instances(job) ||
	    !prefs_count(job_prefs(job), 0, &count))
		return;
	job->selected.set = true;
	memcpy(job->selected.instance_type, only->instance_type, TYPE_NAME_SIZE);
	job->selected.count = count;
	job->selected.rank = 1;
}

void job_settle_selection(struct job *job)
{
	if (!job_prefs(job)->is_list) {
		select_only_entry(job);
		return;
	}
	job->selected.rank = 0;
	for (size_t i = 0; job->selected.set && i < job_prefs(job)->length; i++) {
		if (strcmp(job_prefs(job)->entries[i].instance_type, job->selected.instance_type) ==
		    0) {
			job->selected.rank = i + 1;
			return;
		}
	}
}
