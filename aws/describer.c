#include "aws/describer.h"

#include <stdlib.h>
#include <string.h>

#include "aws/lister.h"
#include "aws/sagemaker_jobs.h"
#include "model/base/mem.h"

/* After so many live jobs in turn, one ended one: a long queue does not shut them out. */
#define TURNS_FOR_ENDED 1
/* So many failures in a row are no longer about single jobs. */
#define FAILURES_OF_ALL 3

/* For so long after a pause others go before the job that failed. */
#define OTHERS_FIRST_MS 2000

enum rank {
	RANK_SELECTED,
	RANK_CHANGED,  /* described before, its state is another now */
	RANK_NEW_LIVE, /* never described */
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
	/* Ends a pause after failures; the pace itself is the client's too. */
	if (describer->failures > 0)
		describer->due_ms = now_ms;
}

static bool is_in_flight(const struct describer *describer, const char *arn)
{
	for (size_t i = 0; i < DESCRIBER_FLIGHTS; i++) {
		if (describer->flights[i].call && strcmp(describer->flights[i].arn, arn) == 0)
			return true;
	}
	return false;
}

/* While answers are failing one at a time has to do. */
static struct describer_flight *free_flight(struct describer *describer)
{
	struct describer_flight *found = NULL;

	for (size_t i = 0; i < DESCRIBER_FLIGHTS; i++) {
		if (!describer->flights[i].call)
			found = &describer->flights[i];
		else if (describer->failures > 0)
			return NULL;
	}
	return found;
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
static void note_trouble(struct describer *describer, const char *arn, int64_t retry_ms)
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
	describer->troubles[at] = (struct describer_trouble){ mem_copy_text(arn), retry_ms };
}

static bool is_wanted(const struct describer *describer, const struct job *job)
{
	const struct sync_options *options = describer->options;

	return is_selected(describer, job) || !options->want || options->want(options->ctx, job);
}

/* The rank of a job that may be asked about now; else RANK_NONE, with *next_ms lowered to the time
 * when it may be, where that is known. */
static enum rank rank_of(const struct describer *describer, const struct job *job, int64_t now_ms,
			 int64_t *next_ms)
{
	bool selected = is_selected(describer, job), live = job_is_live(job);
	bool hurry = selected && describer->hurry;
	size_t trouble = find_trouble(describer, job->arn);
	int64_t due = INT64_MIN;

	if (is_in_flight(describer, job->arn) || (job->described && !live) ||
	    !is_wanted(describer, job))
		return RANK_NONE;
	if (job->described && !hurry)
		due = job->described_mono_ms + describer->options->refresh_ms;
	if (!hurry && trouble < describer->trouble_count &&
	    describer->troubles[trouble].retry_ms > due)
		due = describer->troubles[trouble].retry_ms;
	if (due > now_ms) {
		*next_ms = due < *next_ms ? due : *next_ms;
		return RANK_NONE;
	}
	if (selected)
		return RANK_SELECTED;
	if (job->described)
		return RANK_TURN;
	if (job_has_details(job))
		return RANK_CHANGED;
	return live ? RANK_NEW_LIVE : RANK_ENDED;
}

/* Of two of one rank: those in turn by their age, the others in the store's order (newest first).
 */
static bool is_before(enum rank rank, const struct job *a, const struct job *b)
{
	return !b || (rank == RANK_TURN && a->described_mono_ms < b->described_mono_ms);
}

static const struct job *pick(struct describer *describer, int64_t now_ms, int64_t *next_ms)
{
	const struct store *store = describer->options->store;
	const struct job *best[RANK_NONE] = { NULL };

	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store_at(store, i);
		enum rank rank = rank_of(describer, job, now_ms, next_ms);

		if (rank != RANK_NONE && is_before(rank, job, best[rank]))
			best[rank] = job;
	}
	for (enum rank rank = RANK_SELECTED; rank < RANK_TURN; rank++) {
		if (best[rank])
			return best[rank];
	}
	if (best[RANK_TURN] && (!best[RANK_ENDED] || describer->picks < TURNS_FOR_ENDED)) {
		describer->picks++;
		return best[RANK_TURN];
	}
	describer->picks = 0;
	return best[RANK_ENDED];
}

static void took(struct describer *describer, struct job *job, int64_t now_ms)
{
	struct store *store = describer->options->store;

	describer->failures = 0;
	drop_trouble(describer, job->arn);
	job->described_mono_ms = now_ms;
	store_take_described(store, job);
	store_note_loaded(store, SOURCE_DESCRIBE, now_ms);
}

static bool is_of_all(const struct describer *describer, enum err_code code)
{
	return code == ERR_NET || code == ERR_TIMEOUT || code == ERR_AUTH ||
	       code == ERR_THROTTLED || describer->failures >= FAILURES_OF_ALL;
}

static void failed(struct describer *describer, const char *arn, const struct err *err,
		   int64_t now_ms)
{
	struct store *store = describer->options->store;
	int64_t pause;

	if (err->code == ERR_NOT_FOUND) {
		drop_trouble(describer, arn);
		store_forget(store, arn);
		return;
	}
	describer->failures++;
	pause = sync_backoff_ms(describer->options->refresh_ms, describer->failures);
	if (is_of_all(describer, err->code)) {
		describer->due_ms = now_ms + pause;
		/* Another job is the next to try: perhaps it was this one after all. */
		note_trouble(describer, arn, now_ms + pause + OTHERS_FIRST_MS);
	} else {
		/* About this job alone, as far as is known: the others go on. */
		pause = SYNC_BACKOFF_MAX_MS;
		note_trouble(describer, arn, now_ms + pause);
	}
	store_note_failed(store, SOURCE_DESCRIBE, err, now_ms + pause);
}

static void answered(void *ctx, struct job *job, const struct err *err)
{
	struct describer_flight *flight = ctx;
	struct describer *describer = flight->describer;
	int64_t now_ms = clock_mono_ms(describer->options->clock);
	char *arn = flight->arn;

	*flight = (struct describer_flight){ 0 };
	/* A name can come back with another ARN only if the answer is somebody else's. */
	if (job && strcmp(job->arn, arn) == 0) {
		took(describer, job, now_ms);
	} else if (job) {
		struct err other = { 0 };

		err_set(&other, ERR_PARSE, "the answer is about %s", job->arn);
		failed(describer, arn, &other, now_ms);
		err_clear(&other);
	} else {
		failed(describer, arn, err, now_ms);
	}
	free(arn);
	describer->moved(describer->ctx);
}

static void start(struct describer *describer, struct describer_flight *flight,
		  const struct job *job, int64_t now_ms)
{
	if (is_selected(describer, job))
		describer->hurry = false;
	describer->due_ms = now_ms + (describer->options->unpaced ? 0 : DESCRIBER_PACE_MS);
	flight->describer = describer;
	flight->arn = mem_copy_text(job->arn);
	store_note_asked(describer->options->store, SOURCE_DESCRIBE);
	flight->call =
		jobs_describe(describer->options->client, job->kind, job->name, answered, flight);
}

int64_t describer_turn(struct describer *describer, int64_t now_ms)
{
	struct describer_flight *flight = free_flight(describer);
	int64_t next_ms = INT64_MAX;
	const struct job *job;

	if (!flight)
		return INT64_MAX;
	if (now_ms < describer->due_ms)
		return describer->due_ms;
	job = pick(describer, now_ms, &next_ms);
	if (!job)
		return next_ms;
	start(describer, flight, job, now_ms);
	return describer->due_ms;
}

bool describer_is_settled(const struct describer *describer)
{
	const struct store *store = describer->options->store;

	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store_at(store, i);

		if (!job->described && is_wanted(describer, job) &&
		    find_trouble(describer, job->arn) == describer->trouble_count &&
		    describer->failures < FAILURES_OF_ALL)
			return false;
	}
	return true;
}
