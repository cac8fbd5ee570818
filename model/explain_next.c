/* What an explanation comes to: a sentence, and what to do. */
#include <inttypes.h>
#include <string.h>

#include "model/candidates.h"
#include "model/explain_parts.h"
#include "model/quota_refusal.h"
#include "model/reason.h"

#define TEXT_MAX 4096

const char *explain_action_word(enum explain_action action)
{
	static const char *const words[] = {
		[EXPLAIN_WAIT] = "wait",
		[EXPLAIN_REQUEUE] = "requeue",
		[EXPLAIN_RESUBMIT] = "resubmit",
		[EXPLAIN_RAISE_LIMIT] = "raise-limit",
		[EXPLAIN_ASK_QUOTA] = "ask-quota",
		[EXPLAIN_SEE_PLANS] = "see-plans",
		[EXPLAIN_OPEN_LOGS] = "open-logs",
		[EXPLAIN_DESCRIBE] = "describe",
		[EXPLAIN_EDIT_REQUEST] = "edit-request",
		[EXPLAIN_ASK_PERMISSION] = "ask-permission",
		[EXPLAIN_STOP] = "stop",
	};
	return words[action];
}

const char *explain_action_keys(enum explain_action action)
{
	static const char *const keys[] = {
		[EXPLAIN_WAIT] = "",          [EXPLAIN_REQUEUE] = "P o X",
		[EXPLAIN_RESUBMIT] = "P o X", [EXPLAIN_RAISE_LIMIT] = "P l X",
		[EXPLAIN_ASK_QUOTA] = "%",    [EXPLAIN_SEE_PLANS] = "B",
		[EXPLAIN_OPEN_LOGS] = "L",    [EXPLAIN_DESCRIBE] = "d",
		[EXPLAIN_EDIT_REQUEST] = "E", [EXPLAIN_ASK_PERMISSION] = "",
		[EXPLAIN_STOP] = "S",
	};
	return keys[action];
}

/* --- the sentence --- */

static const char *plan_name(const struct explanation *out, size_t entry)
{
	const char *arn = entry < out->entry_count ? out->entries[entry].plan_arn : "";
	const char *slash = strrchr(arn, '/');
	return slash ? slash + 1 : arn;
}

static void add_wait(struct buf *text, const struct explain_ask *ask)
{
	int64_t wait_ms;
	bool final;
	if (!job_wait_ms(ask->job, ask->now_ms, &wait_ms, &final))
		return;
	char took[TIME_TEXT_SIZE];
	duration_format(wait_ms / 1000, took);
	buf_addf(text, final ? " It waited %s." : " It has waited %s.", took);
}

/* What came of the earlier jobs of its stem. */
struct earlier {
	size_t seen, never;      /* all of them; those that never started */
	size_t tries;            /* the never started ones since the newest that started, */
	int64_t tries_wait_ms;   /* and how long they waited in all */
	int64_t newest_start_ms; /* when that one was submitted; INT64_MIN = there is none */
};

static bool is_earlier(const struct explain_ask *ask, const char *stem,
		       const struct observation *one)
{
	return one->outcome != WAIT_PENDING && one->kind == ask->job->kind &&
	       strcmp(one->stem, stem) == 0 && strcmp(one->name, ask->job->name) != 0 &&
	       (!ask->job->created.set || one->submitted_at_ms <= ask->job->created.ms);
}

static void count_earlier(const struct explain_ask *ask, const char *stem, struct earlier *earlier)
{
	const struct history *history = &ask->store->history;
	struct observation one;
	for (size_t i = 0; i < history->count; i++) {
		if (!history_observe(history, i, &one) || !is_earlier(ask, stem, &one))
			continue;
		earlier->seen++;
		earlier->never += one.outcome != WAIT_STARTED;
		if (one.outcome == WAIT_STARTED && one.submitted_at_ms > earlier->newest_start_ms)
			earlier->newest_start_ms = one.submitted_at_ms;
	}
	for (size_t i = 0; i < history->count && earlier->never > 0; i++) {
		if (!history_observe(history, i, &one) || !is_earlier(ask, stem, &one) ||
		    one.outcome == WAIT_STARTED || one.submitted_at_ms <= earlier->newest_start_ms)
			continue;
		earlier->tries++;
		if (__builtin_add_overflow(earlier->tries_wait_ms, one.wait_ms,
					   &earlier->tries_wait_ms))
			earlier->tries_wait_ms = INT64_MAX;
	}
}

/* "Of 9 earlier jobs of STEM 3 never started." (case 060), and the waits of one piece of work that
 * was submitted again and again (case 075). */
static void add_earlier(struct buf *text, const struct explain_ask *ask)
{
	struct earlier earlier = { .newest_start_ms = INT64_MIN };
	char stem[JOB_NAME_SIZE], took[TIME_TEXT_SIZE];
	int64_t wait_ms;
	bool final;
	job_stem(ask->job->name, stem);
	count_earlier(ask, stem, &earlier);
	if (earlier.seen > 0 && job_has_ended(ask->job))
		buf_addf(text, " Of %zu earlier jobs of %s %zu never started.", earlier.seen, stem,
			 earlier.never);
	if (earlier.tries == 0 || !job_wait_ms(ask->job, ask->now_ms, &wait_ms, &final) ||
	    __builtin_add_overflow(wait_ms, earlier.tries_wait_ms, &wait_ms))
		return;
	duration_format(wait_ms / 1000, took);
	buf_addf(text, " With the %zu %s before it that never started: %s in all.", earlier.tries,
		 earlier.tries == 1 ? "try" : "tries", took);
}

static void say_capacity(struct buf *text, const struct explain_ask *ask)
{
	const struct job *job = ask->job;
	if (job_phase(job) == PHASE_PENDING) {
		buf_add_text(text, job->has_groups ? "Its instance groups have not all been free "
						     "at once."
				   : job_prefs(job)->length > 1
					   ? "No entry of its list is free in its whole count."
					   : "The instances it asks for are not free.");
	} else if (job_phase(job) == PHASE_FAILED) {
		reason_add_remark(text, job);
		if (text->len > 0)
			buf_add_char(text, '.');
	} else {
		buf_add_text(text, "Its pending limit ended it: nothing it asked for was free in "
				   "that time.");
	}
	add_wait(text, ask);
	add_earlier(text, ask);
}

static void say_plan(struct buf *text, const struct explain_ask *ask,
		     const struct explain_ruling *ruling, const struct explanation *out)
{
	const struct plan *plan = out->entries[ruling->entry].plan;
	struct plan_window window;
	char at[TIME_TEXT_SIZE];
	bool known = plan && plan_current_window(plan, ask->now_ms, &window) && window.start.set;
	buf_addf(text, "Its training plan %s ", plan_name(out, ruling->entry));
	if (known)
		time_format_iso(window.start.ms, at);
	if (out->class == EXPLAIN_PLAN_FULL)
		buf_add_text(text, "is open, and other jobs have its instances.");
	else if (out->class == EXPLAIN_PLAN_BETWEEN)
		buf_addf(text, "is between two windows; the next one opens at %s.",
			 known ? at : "a time that is not told");
	else
		buf_addf(text, "has not begun; it opens at %s.",
			 known ? at : "a time that is not told");
	if (out->class != EXPLAIN_PLAN_FULL)
		buf_add_text(text, " Its pending limit does not run until then.");
}

static void say_unknown(struct buf *text, const struct explain_ask *ask,
			const struct explain_ruling *ruling)
{
	const struct job *job = ask->job;
	if (ruling->reason == REASON_NOT_READ)
		buf_add_text(text, "Its description has not been read yet.");
	else if (ruling->reason == REASON_PLAN_STATUS)
		buf_add_text(text, "No plan that it is bound to is known to open again: AWS does "
				   "not tell what it waits for.");
	else if (ruling->reason == REASON_PLAN_ROOM)
		buf_add_text(text, "Its plan has room and the job still waits: AWS does not tell "
				   "why.");
	else if (job_phase(job) == PHASE_STARTING)
		buf_add_text(text, "Its instances are being prepared: AWS does not tell for what "
				   "it waits.");
	else if (job->kind == JOB_PROCESSING)
		buf_add_text(text, "It has no instances yet; of processing jobs AWS publishes no "
				   "reason.");
	else if (job_phase(job) == PHASE_PENDING)
		buf_add_text(text, "It is being launched, which takes minutes where all is free "
				   "too: nothing tells more yet.");
	else
		buf_add_text(text, "Its status is a word that gpuq does not know.");
	if (job_phase(job) == PHASE_PENDING)
		add_wait(text, ask);
}

static void say_refused(struct buf *text, const struct explain_ask *ask, enum explain_class class)
{
	static const char *const words[EXPLAIN_CLASSES] = {
		[EXPLAIN_QUOTA] = "A quota of the account is too small for it: no wait helps.",
		[EXPLAIN_PERMISSION] = "Who signs may not submit it.",
		[EXPLAIN_UNSUPPORTED] = ("This region or endpoint does not support what it asks "
					 "for."),
		[EXPLAIN_REQUEST] = ("AWS refuses the request itself: it is never accepted as it "
				     "is."),
		[EXPLAIN_UNKNOWN] = "It was not submitted; the answer does not tell why.",
	};
	struct quota_refusal quota;
	if (class == EXPLAIN_QUOTA && quota_refusal_parse(err_text(ask->refusal->err), &quota))
		quota_refusal_say(&quota, text);
	else
		buf_add_text(text, words[class] ? words[class] : "");
}

static void say_job(struct buf *text, const struct explain_ask *ask,
		    const struct explain_ruling *ruling, const struct explanation *out)
{
	static const char *const words[EXPLAIN_CLASSES] = {
		[EXPLAIN_SPOT] = "EC2 has no spot instances for it now.",
		[EXPLAIN_IMAGE] = "It has its instances, which load the training image.",
		[EXPLAIN_DATA] = "It has its instances, which load the input data.",
		[EXPLAIN_STOPPING] = ("It is being stopped. Its instances count towards the quota "
				      "until it has ended."),
		[EXPLAIN_NEVER_STARTED] = ("It ended without ever having had an instance; nothing "
					   "was billed."),
		[EXPLAIN_LIMIT_RUNTIME] = ("It reached its run-time limit and was stopped; what it "
					   "had not saved by then is lost."),
		[EXPLAIN_FAILED] = "It ran and failed; AWS's reason stands below.",
		[EXPLAIN_STOPPED] = "It was stopped while it ran, by somebody and not by a limit.",
		[EXPLAIN_RUNNING] = "It runs.",
		[EXPLAIN_COMPLETED] = "It completed.",
	};
	if (words[out->class])
		buf_add_text(text, words[out->class]);
	if (out->class == EXPLAIN_SPOT || out->class == EXPLAIN_NEVER_STARTED)
		add_wait(text, ask);
	if (out->class == EXPLAIN_NEVER_STARTED)
		add_earlier(text, ask);
	if (out->class == EXPLAIN_CAPACITY)
		say_capacity(text, ask);
	if (out->class == EXPLAIN_UNKNOWN)
		say_unknown(text, ask, ruling);
	if (out->class >= EXPLAIN_PLAN_SCHEDULED && out->class <= EXPLAIN_PLAN_FULL)
		say_plan(text, ask, ruling, out);
}

void explain_add_text(const struct explain_ask *ask, const struct explain_ruling *ruling,
		      struct explanation *out)
{
	struct buf text;
	buf_init(&text, TEXT_MAX);
	if (ask->job)
		say_job(&text, ask, ruling, out);
	else if (ask->refusal)
		say_refused(&text, ask, out->class);
	out->text = buf_take(&text);
}

/* --- what to do --- */

/* In the order in which they help; of a class those rows count. */
static const struct {
	enum explain_class class;
	bool ended; /* of capacity: whether the job has */
	enum explain_action action;
	const char *why;
} rows[] = {
	{ EXPLAIN_CAPACITY, false, EXPLAIN_REQUEUE,
	  "a list with types that start sooner takes its place" },
	{ EXPLAIN_CAPACITY, false, EXPLAIN_RAISE_LIMIT, "a copy may wait longer" },
	{ EXPLAIN_CAPACITY, false, EXPLAIN_STOP, "it costs nothing while it waits" },
	{ EXPLAIN_CAPACITY, true, EXPLAIN_RESUBMIT, "a copy with a longer list may start" },
	{ EXPLAIN_CAPACITY, true, EXPLAIN_RAISE_LIMIT, "a copy may wait longer" },
	{ EXPLAIN_SPOT, false, EXPLAIN_WAIT, "spot comes and goes" },
	{ EXPLAIN_SPOT, false, EXPLAIN_REQUEUE, "a list on demand does not wait for spot" },
	{ EXPLAIN_SPOT, false, EXPLAIN_STOP, "it costs nothing while it waits" },
	{ EXPLAIN_PLAN_SCHEDULED, false, EXPLAIN_WAIT, "it starts when the plan opens" },
	{ EXPLAIN_PLAN_SCHEDULED, false, EXPLAIN_SEE_PLANS, "the plan's windows" },
	{ EXPLAIN_PLAN_SCHEDULED, false, EXPLAIN_REQUEUE,
	  "an entry on demand behind it could start sooner, at its price" },
	{ EXPLAIN_PLAN_BETWEEN, false, EXPLAIN_WAIT, "it starts when the next window opens" },
	{ EXPLAIN_PLAN_BETWEEN, false, EXPLAIN_SEE_PLANS, "the plan's windows" },
	{ EXPLAIN_PLAN_BETWEEN, false, EXPLAIN_REQUEUE,
	  "an entry on demand behind it could start sooner, at its price" },
	{ EXPLAIN_PLAN_FULL, false, EXPLAIN_SEE_PLANS, "how much of the plan is in use" },
	{ EXPLAIN_PLAN_FULL, false, EXPLAIN_REQUEUE,
	  "fewer instances, or an entry on demand behind it" },
	{ EXPLAIN_UNKNOWN, false, EXPLAIN_DESCRIBE, "all that AWS tells of it" },
	{ EXPLAIN_UNKNOWN, false, EXPLAIN_WAIT, "a launch takes minutes" },
	{ EXPLAIN_IMAGE, false, EXPLAIN_OPEN_LOGS, "they begin when the image runs" },
	{ EXPLAIN_IMAGE, false, EXPLAIN_STOP, "its instances are billed already" },
	{ EXPLAIN_DATA, false, EXPLAIN_OPEN_LOGS, "they begin when the image runs" },
	{ EXPLAIN_DATA, false, EXPLAIN_STOP, "its instances are billed already" },
	{ EXPLAIN_STOPPING, false, EXPLAIN_WAIT, "its end, and the quota, take 1-3 min" },
	{ EXPLAIN_STOPPING, false, EXPLAIN_OPEN_LOGS, "what the algorithm does with SIGTERM" },
	{ EXPLAIN_QUOTA, false, EXPLAIN_ASK_QUOTA, "a raise of the limit, and who holds it" },
	{ EXPLAIN_QUOTA, false, EXPLAIN_EDIT_REQUEST, "fewer instances or another type" },
	{ EXPLAIN_PERMISSION, false, EXPLAIN_ASK_PERMISSION,
	  "gpuq iam-policy has all that is needed, gpuq doctor what is missing" },
	{ EXPLAIN_UNSUPPORTED, false, EXPLAIN_EDIT_REQUEST, "one type in place of the list" },
	{ EXPLAIN_REQUEST, false, EXPLAIN_EDIT_REQUEST, "what AWS names, and what check finds" },
	{ EXPLAIN_NEVER_STARTED, true, EXPLAIN_RESUBMIT, "it was no fault of its code" },
	{ EXPLAIN_LIMIT_RUNTIME, true, EXPLAIN_EDIT_REQUEST, "a longer MaxRuntimeInSeconds" },
	{ EXPLAIN_LIMIT_RUNTIME, true, EXPLAIN_OPEN_LOGS, "how far it came" },
	{ EXPLAIN_FAILED, true, EXPLAIN_OPEN_LOGS, "the first error" },
	{ EXPLAIN_FAILED, true, EXPLAIN_DESCRIBE, "AWS's whole reason" },
	{ EXPLAIN_STOPPED, true, EXPLAIN_OPEN_LOGS, "how far it came" },
	{ EXPLAIN_RUNNING, false, EXPLAIN_OPEN_LOGS, "what it does" },
};

/* The limit of a job without one, or of processing, cannot be raised. */
static bool makes_sense(const struct explain_ask *ask, enum explain_action action)
{
	return action != EXPLAIN_RAISE_LIMIT || (ask->job && ask->job->max_pending.set);
}

/* Lists are suggested of what is certified: without that the list is edited by hand. */
static const char *keys_of(const struct explain_ask *ask, enum explain_action action)
{
	bool may_suggest = action == EXPLAIN_REQUEUE || action == EXPLAIN_RESUBMIT;
	if (may_suggest && (!ask->job || !candidates_exist(ask->known, ask->job->name)))
		return "P X";
	return explain_action_keys(action);
}

void explain_add_next(const struct explain_ask *ask, struct explanation *out)
{
	bool ended = ask->job && job_has_ended(ask->job);
	for (size_t i = 0; i < ARRAY_LEN(rows) && out->next_count < EXPLAIN_NEXT_MAX; i++) {
		if (rows[i].class != out->class || rows[i].ended != ended ||
		    !makes_sense(ask, rows[i].action))
			continue;
		out->next[out->next_count++] =
			(struct explain_next){ rows[i].action, rows[i].why,
					       keys_of(ask, rows[i].action) };
	}
}
