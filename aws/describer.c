#include "aws/describer.h"

#include <stdlib.h>
#include <string.h>

#include "aws/lister.h"
#include "aws/sagemaker_jobs.h"
#include "model/base/mem.h"
#include "model/pool.h"

/* After so many live jobs in turn, one ended one: a long queue does not shut them out. */
#define TURNS_FOR_ENDED 1
/* So many failures in a row are no longer about single jobs. */
#define FAILURES_OF_ALL 3

/* Between two turns of a processing job: its list tells of most changes within a refresh. */
#define TURN_REFRESHES 3

/* For so long after a pause others go before the job that failed. */
#define OTHERS_FIRST_MS 2000

enum rank {
	RANK_SELECTED,
	RANK_CHANGED,  /* live, described before, its state is another now, or in doubt */
	RANK_NEW_LIVE, /* never described */
	RANK_OVER,     /* ended since it was described: a list has told how */
	RANK_TURN,     /* live, described a refresh ago or more */
	RANK_ENDED,    /* ended, never described */
	RANK_NONE
};

void describer_init(struct describer *describer, const struct sync_options *options,
		    void (*moved)(void *ctx), void *ctx)
{
	*describer = (struct describer){
		.options = options,
		.moved = moved,
		.ctx = ctx,
		.due_ms = clock_mono_ms(options->clock),
	};
	budget_init(&describer->budget, options->unpaced ? 0 : DESCRIBER_PACE_MS,
		    options->unpaced ? 0 : DESCRIBER_STEADY_MS, DESCRIBER_BURST);
}

void describer_release(struct describer *describer)
{
	for (size_t i = 0; i < DESCRIBER_FLIGHTS; i++) {
		if (describer->flights[i].call)
			aws_client_cancel(describer->options->client, describer->flights[i].call);
		free(describer->flights[i].arn);
	}
	for (size_t i = 0; i < describer->trouble_count; i++)
		free(describer->troubles[i].arn);
	for (size_t i = 0; i < describer->doubt_count; i++)
		free(describer->doubts[i]);
	free(describer->selected);
	*describer = (struct describer){ 0 };
}

static bool is_selected(const struct describer *describer, const struct job *job)
{
	return describer->selected && strcmp(describer->selected, job->arn) == 0;
}

void describer_select(struct describer *describer, const char *arn)
{
	mem_set_text(&describer->selected, arn);
}

void describer_refresh(struct describer *describer, int64_t now_ms)
{
	describer->hurry = true;
	/* Ends a pause after failures; the pace stays. */
	if (describer->failures > 0)
		describer->due_ms = now_ms;
}

void describer_come_back(struct describer *describer, int64_t now_ms)
{
	size_t kept = 0;

	if (!describer->offline)
		return;
	describer->offline = false;
	describer->hurry = true; /* the selected one first, whatever its pause was */
	describer->failures = 0;
	describer->due_ms = describer->news_ms = now_ms;
	for (size_t i = 0; i < describer->trouble_count; i++) {
		if (describer->troubles[i].offline)
			free(describer->troubles[i].arn);
		else
			describer->troubles[kept++] = describer->troubles[i];
	}
	describer->trouble_count = kept;
}

static bool is_in_flight(const struct describer *describer, const char *arn)
{
	for (size_t i = 0; i < DESCRIBER_FLIGHTS; i++) {
		if (describer->flights[i].call && strcmp(describer->flights[i].arn, arn) == 0)
			return true;
	}
	return false;
}

/* While answers are failing one at a time has to do. Index of the flight, or DESCRIBER_FLIGHTS. */
static size_t free_flight(const struct describer *describer)
{
	size_t found = DESCRIBER_FLIGHTS;

	for (size_t i = 0; i < DESCRIBER_FLIGHTS; i++) {
		if (!describer->flights[i].call)
			found = i;
		else if (describer->failures > 0)
			return DESCRIBER_FLIGHTS;
	}
	return found;
}

/* Position in doubts, or doubt_count. */
static size_t find_doubt(const struct describer *describer, const char *arn)
{
	size_t i = 0;

	while (i < describer->doubt_count && strcmp(describer->doubts[i], arn) != 0)
		i++;
	return i;
}

void describer_doubt(struct describer *describer, const char *arn)
{
	if (describer->doubt_count < DESCRIBER_DOUBTS_MAX &&
	    find_doubt(describer, arn) == describer->doubt_count)
		describer->doubts[describer->doubt_count++] = mem_copy_text(arn);
}

static void drop_doubt(struct describer *describer, const char *arn)
{
	size_t i = find_doubt(describer, arn);

	if (i == describer->doubt_count)
		return;
	free(describer->doubts[i]);
	describer->doubts[i] = describer->doubts[--describer->doubt_count];
}

/* Position in troubles, or trouble_count. */
static size_t find_trouble(const struct describer *describer, const char *arn)
{
	size_t i = 0;

	while (i < describer->trouble_count && strcmp(describer->troubles[i].arn, arn) != 0)
		i++;
	return i;
}

static void drop_trouble(struct describer *describer, const char *arn)
{
	size_t i = find_trouble(describer, arn);

	if (i == describer->trouble_count)
		return;
	free(describer->troubles[i].arn);
	describer->troubles[i] = describer->troubles[--describer->trouble_count];
}

/* When the table is full the one that would be asked soonest makes room. */
static void note_trouble(struct describer *describer, const char *arn, int64_t retry_ms,
			 bool offline)
{
	size_t at;

	drop_trouble(describer, arn);
	at = describer->trouble_count;
	if (at == DESCRIBER_TROUBLES_MAX) {
		at = 0;
		for (size_t i = 1; i < DESCRIBER_TROUBLES_MAX; i++) {
			if (describer->troubles[i].retry_ms < describer->troubles[at].retry_ms)
				at = i;
		}
		free(describer->troubles[at].arn);
	} else {
		describer->trouble_count++;
	}
	describer->troubles[at] =
		(struct describer_trouble){ mem_copy_text(arn), retry_ms, offline };
}

static bool is_wanted(const struct describer *describer, const struct job *job)
{
	const struct sync_options *options = describer->options;

	return is_selected(describer, job) || !options->want || options->want(options->ctx, job);
}

/* What is known of it is not a Describe's own answer: for the selected one that is too little. */
static bool needs_description(const struct job *job)
{
	return job->indexed || !job->request_json;
}

/* The service has still to say what became of its warm pool; one that is held ends some day. */
static bool pool_can_change(const struct describer *describer, const struct job *job, bool selected)
{
	const struct sync_options *options = describer->options;

	return pool_is_awaited(job, store_now_ms(options->store, options->clock)) ||
	       (selected && pool_is_held(job));
}

/* Whether there is anything to ask about the job, now or later. */
static bool is_open(const struct describer *describer, const struct job *job)
{
	bool selected = is_selected(describer, job), training = job->kind == JOB_TRAINING;
	bool pool = pool_can_change(describer, job, selected);

	if (is_in_flight(describer, job->arn) || !is_wanted(describer, job))
		return false;
	if (selected)
		return job_is_live(job) || !job->described || needs_description(job) || pool;
	if ((training && describer->training == TRAINING_WAITS) ||
	    (describer->loading && (job->described || !job_is_live(job))))
		return false;
	return !job->described || pool ||
	       find_doubt(describer, job->arn) < describer->doubt_count ||
	       (job_is_live(job) && !(training && describer->training == TRAINING_SEARCHED));
}

/* When the job may be asked about, where it is open. */
static int64_t due_of(const struct describer *describer, const struct job *job, bool doubted)
{
	const int64_t refresh_ms = describer->options->refresh_ms;
	bool selected = is_selected(describer, job);
	bool hurry = selected && describer->hurry;
	size_t trouble = find_trouble(describer, job->arn);
	int64_t due = INT64_MIN;

	if (job->described && !hurry && !doubted && !(selected && needs_description(job))) {
		bool rare = !selected && describer->training != TRAINING_IN_TURN;

		due = job->described_mono_ms +
		      slowdown_stretch(&describer->budget.slowdown,
				       rare ? TURN_REFRESHES * refresh_ms : refresh_ms,
				       job->described_mono_ms);
	}
	if (!hurry && trouble < describer->trouble_count &&
	    describer->troubles[trouble].retry_ms > due)
		due = describer->troubles[trouble].retry_ms;
	if (!selected && describer->kinds[job->kind].due_ms > due)
		due = describer->kinds[job->kind].due_ms;
	return due;
}

/* The rank of a job that may be asked about now; else RANK_NONE, with *next_ms lowered to the time
 * when it may be, where that is known. */
static enum rank rank_of(const struct describer *describer, const struct job *job, int64_t now_ms,
			 int64_t *next_ms)
{
	bool doubted = find_doubt(describer, job->arn) < describer->doubt_count;
	int64_t due;

	if (!is_open(describer, job))
		return RANK_NONE;
	due = due_of(describer, job, doubted);
	if (due > now_ms) {
		*next_ms = due < *next_ms ? due : *next_ms;
		return RANK_NONE;
	}
	if (is_selected(describer, job))
		return RANK_SELECTED;
	if (doubted)
		return RANK_CHANGED;
	if (job->described)
		return RANK_TURN;
	if (job_has_details(job))
		return job_is_live(job) ? RANK_CHANGED : RANK_OVER;
	return job_is_live(job) ? RANK_NEW_LIVE : RANK_ENDED;
}

/* As far as a list tells: the state of a processing job in progress it does not. */
static bool may_wait(const struct job *job)
{
	enum phase phase = job_phase(job);

	return phase == PHASE_PENDING || phase == PHASE_UNKNOWN;
}

/* Of two of one rank, of which b stands before a in the store (newest first): those in turn by
 * their age, new ones by how long they may have been waiting, changed ones in the order of their
 * changes, ended ones as they stand. */
static bool is_before(enum rank rank, const struct job *a, const struct job *b)
{
	if (!b)
		return true;
	switch (rank) {
	case RANK_TURN:
		return a->described_mono_ms < b->described_mono_ms;
	case RANK_NEW_LIVE:
		return may_wait(a) != may_wait(b) ? may_wait(a) : a->created.set;
	case RANK_CHANGED:
	case RANK_OVER:
		return a->modified.set && b->modified.set && a->modified.ms < b->modified.ms;
	default:
		return false;
	}
}

struct choice {
	const struct job *job; /* or NULL: none may be asked about now */
	enum rank rank;
	int64_t next_ms; /* without a job: when one may be; INT64_MAX if that is not known */
};

/* The selected job goes first, but not twice in a row where others wait: at a quick refresh it
 * would take all that the budget has. */
static enum rank first_rank(const struct describer *describer, const struct job *const *best)
{
	const struct job *selected = best[RANK_SELECTED];
	enum rank rank = RANK_CHANGED;

	while (rank < RANK_NONE && !best[rank])
		rank++;
	if (!selected)
		return rank;
	if (describer->had_selected && selected->described && !describer->hurry && rank < RANK_NONE)
		return rank;
	return RANK_SELECTED;
}

static struct choice choose(const struct describer *describer, int64_t now_ms)
{
	const struct store *store = describer->options->store;
	const struct job *best[RANK_NONE + 1] = { NULL };
	struct choice choice = { NULL, RANK_NONE, INT64_MAX };

	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store_at(store, i);
		enum rank rank = rank_of(describer, job, now_ms, &choice.next_ms);

		if (rank != RANK_NONE && is_before(rank, job, best[rank]))
			best[rank] = job;
	}
	choice.rank = first_rank(describer, best);
	if (choice.rank == RANK_TURN && best[RANK_ENDED] && describer->picks >= TURNS_FOR_ENDED)
		choice.rank = RANK_ENDED;
	choice.job = best[choice.rank];
	return choice;
}

static bool is_denied(const struct describer *describer, enum job_kind kind)
{
	return describer->kinds[kind].denied >= FAILURES_OF_ALL;
}

static void took(struct describer *describer, struct job *job, int64_t now_ms)
{
	struct store *store = describer->options->store;

	describer->failures = 0;
	describer->offline = false;
	describer->kinds[job->kind] = (struct describer_kind){ 0 };
	drop_trouble(describer, job->arn);
	drop_doubt(describer, job->arn);
	store_note_job_read(store, job->arn);
	job->described_mono_ms = now_ms;
	store_take_described(store, job);
	/* While one kind is denied the other one's answers do not hide that. */
	if (!is_denied(describer, JOB_TRAINING) && !is_denied(describer, JOB_PROCESSING))
		store_note_loaded(store, SOURCE_DESCRIBE, now_ms);
}

static bool is_of_all(enum err_code code)
{
	return sync_is_offline(code) || code == ERR_THROTTLED;
}

/* At first it may be this job that is denied, then it is the operation. */
static void was_denied(struct describer *describer, const struct describer_flight *flight,
		       const struct err *err, int64_t now_ms)
{
	struct store *store = describer->options->store;
	struct describer_kind *kind = &describer->kinds[flight->kind];
	int64_t retry_ms = now_ms + SYNC_BACKOFF_MAX_MS;

	kind->denied++;
	describer->failures = 0; /* it is an answer */
	describer->offline = false;
	note_trouble(describer, flight->arn, retry_ms, false);
	store_note_job_failed(store, flight->arn, err, retry_ms);
	if (is_denied(describer, flight->kind)) {
		kind->due_ms = now_ms + sync_backoff_ms(describer->options->refresh_ms,
							kind->denied, SYNC_BACKOFF_MAX_MS);
		retry_ms = kind->due_ms;
	}
	store_note_failed(store, SOURCE_DESCRIBE, err, retry_ms);
}

static void failed(struct describer *describer, const struct describer_flight *flight,
		   const struct err *err, int64_t now_ms)
{
	struct store *store = describer->options->store;
	int64_t pause, retry_ms;
	bool of_all;

	drop_doubt(describer, flight->arn);
	if (err->code == ERR_NOT_FOUND) {
		drop_trouble(describer, flight->arn);
		store_forget(store, flight->arn);
		return;
	}
	if (err->code == ERR_DENIED) {
		was_denied(describer, flight, err, now_ms);
		return;
	}
	/* Those that were under way together fail as one. */
	if (is_of_all(err->code) && flight->started_ms < describer->news_ms) {
		store_note_job_failed(store, flight->arn, err, describer->due_ms);
		return;
	}
	describer->failures++;
	describer->news_ms = now_ms;
	describer->offline = sync_is_offline(err->code);
	pause = sync_backoff_ms(describer->options->refresh_ms, describer->failures,
				SYNC_BACKOFF_MAX_MS);
	of_all = is_of_all(err->code) || describer->failures >= FAILURES_OF_ALL;
	if (of_all) {
		describer->due_ms = now_ms + pause;
		/* Another job is the next to try: perhaps it was this one after all. */
		retry_ms = describer->due_ms + OTHERS_FIRST_MS;
	} else {
		/* About this job alone, as far as is known: the others go on. */
		pause = SYNC_BACKOFF_MAX_MS;
		retry_ms = now_ms + pause;
	}
	note_trouble(describer, flight->arn, retry_ms, describer->offline);
	store_note_job_failed(store, flight->arn, err, retry_ms);
	store_note_failed(store, SOURCE_DESCRIBE, err, now_ms + pause);
	if (of_all)
		store_note_pause(store, SOURCE_DESCRIBE);
}

static void answered(void *ctx, struct job *job, const struct err *err)
{
	struct describer_flight flight = *(struct describer_flight *)ctx;
	struct describer *describer = flight.describer;
	int64_t now_ms = clock_mono_ms(describer->options->clock);

	*(struct describer_flight *)ctx = (struct describer_flight){ 0 };
	/* A name can come back with another ARN only if the answer is somebody else's. */
	if (job && strcmp(job->arn, flight.arn) == 0) {
		took(describer, job, now_ms);
	} else if (job) {
		struct err other = { 0 };

		err_set(&other, ERR_PARSE, "the answer is about %s", job->arn);
		failed(describer, &flight, &other, now_ms);
		err_clear(&other);
	} else {
		failed(describer, &flight, err, now_ms);
	}
	free(flight.arn);
	describer->moved(describer->ctx);
}

void describer_start(struct describer *describer, int64_t now_ms)
{
	struct choice choice = choose(describer, now_ms);
	size_t free_one = free_flight(describer);

	if (!choice.job || free_one == DESCRIBER_FLIGHTS)
		return;
	describer->had_selected = choice.rank == RANK_SELECTED;
	if (choice.rank == RANK_SELECTED)
		describer->hurry = false;
	else if (choice.rank == RANK_TURN)
		describer->picks++;
	else if (choice.rank == RANK_ENDED)
		describer->picks = 0;
	budget_note_start(&describer->budget, now_ms);

	struct describer_flight *flight = &describer->flights[free_one];

	flight->describer = describer;
	flight->arn = mem_copy_text(choice.job->arn);
	flight->kind = choice.job->kind;
	flight->started_ms = now_ms;
	store_note_asked(describer->options->store, SOURCE_DESCRIBE);
	store_note_job_asked(describer->options->store, flight->arn);
	flight->call = jobs_describe_in_turn(describer->options->client, choice.job->kind,
					     choice.job->name, answered, flight);
}

struct sync_lane_state describer_state(const struct describer *describer, int64_t now_ms,
				       bool *selected)
{
	struct choice choice = choose(describer, now_ms);
	int64_t due_ms = choice.job ? now_ms : choice.next_ms;

	*selected = choice.job && choice.rank == RANK_SELECTED;
	return (struct sync_lane_state){
		.busy = free_flight(describer) == DESCRIBER_FLIGHTS,
		.due_ms = due_ms < describer->due_ms ? describer->due_ms : due_ms,
		.ready_ms = budget_ready_ms(&describer->budget, now_ms),
	};
}

void describer_promise(const struct describer *describer, int64_t now_ms)
{
	struct store *store = describer->options->store;
	const struct job *job = store_find(store, describer->selected);
	int64_t ready = budget_ready_ms(&describer->budget, now_ms);
	int64_t first = describer->due_ms > ready ? describer->due_ms : ready;
	int64_t due;

	if (store->sources[SOURCE_DESCRIBE].pausing)
		store_note_retry(store, SOURCE_DESCRIBE, first);
	if (!job)
		return;
	due = due_of(describer, job, find_doubt(describer, job->arn) < describer->doubt_count);
	store_note_job_retry(store, job->arn, due > first ? due : first);
}

bool describer_is_settled(const struct describer *describer)
{
	const struct store *store = describer->options->store;

	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store_at(store, i);

		if (!job->described && is_wanted(describer, job) &&
		    find_trouble(describer, job->arn) == describer->trouble_count &&
		    describer->failures < FAILURES_OF_ALL && !is_denied(describer, job->kind))
			return false;
	}
	return true;
}
