/* What a requeue does at AWS, one act at a time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/requeuer_parts.h"
#include "aws/sagemaker_jobs.h"
#include "aws/sagemaker_tags.h"
#include "model/base/hash.h"
#include "model/base/mem.h"
#include "model/request_compare.h"

#define DRAFT_SIZE 32
#define WHY_MAX    1024

static int64_t mono_ms(const struct swap *swap)
{
	return clock_mono_ms(swap->requeuer->options.clock);
}

static struct aws_client *client_of(const struct swap *swap)
{
	return swap->requeuer->options.client;
}

/* --- how it goes on --- */

/* A refresh, then what is to be looked at again; both may be there for two refreshes. */
static void wait(struct swap *swap)
{
	int64_t refresh_ms = swap->requeuer->options.refresh_ms;

	swap->act = requeue_look(swap->step);
	swap->due_ms = swap->act == ACT_WAIT ? INT64_MAX : mono_ms(swap) + refresh_ms;
	requeuer_arm(swap->requeuer);
}

void swap_take(struct swap *swap, enum requeue_fact fact)
{
	struct requeue_next next = requeue_next(swap->step, fact);
	bool overlapped = requeue_overlaps(swap->step);
	bool moved = next.step != swap->step;

	swap->due_ms = INT64_MAX;
	swap->step = next.step;
	swap->act = next.act;
	if (moved)
		swap->perhaps_sent = false;
	if (requeue_overlaps(swap->step) && !overlapped)
		swap->overlap_ms = mono_ms(swap);
	if (moved)
		swap_write(swap);
	else
		swap_act(swap);
}

bool swap_take_back(struct swap *swap, bool begun)
{
	enum requeue_fact fact = begun ? FACT_WITHDRAWN : FACT_WITHDRAWN_UNSENT;

	/* The old one may be stopping: the new one stays. */
	if (swap->step == REQUEUE_REPLACE && swap->stop_sent)
		return false;
	if (requeue_next(swap->step, fact).step == swap->step)
		fact = FACT_WITHDRAWN;
	if (requeue_next(swap->step, fact).step == swap->step)
		return false;
	swap->withdrawn = true;
	swap_cancel(swap);
	swap_take(swap, fact);
	return true;
}

/* Nothing of it is written down, and nothing will be. */
static void end_unclaimed(struct swap *swap)
{
	swap->step = REQUEUE_WITHDRAWN;
	swap->withdrawn = true;
	swap_tell(swap);
	swap_free(swap);
}

/* Both have been there for too long, and no stop is on its way that might end it yet. */
static bool is_late(const struct swap *swap, int64_t now_ms)
{
	int64_t most_ms = REQUEUER_OVERLAP_OF * swap->requeuer->options.refresh_ms;

	return swap->step == REQUEUE_REPLACE && !swap->stop_sent &&
	       now_ms - swap->overlap_ms >= most_ms;
}

void swap_wake(struct swap *swap, int64_t now_ms)
{
	bool claimed = swap->record.replaces.step[0] != '\0';
	if (!claimed && swap->unwanted) {
		end_unclaimed(swap);
	} else if (!claimed) {
		swap_claim(swap);
	} else if (is_late(swap, now_ms)) {
		swap_cancel(swap);
		err_set(&swap->error, ERR_TIMEOUT,
			"AWS did not say within %" PRId64 " s whether both are there",
			REQUEUER_OVERLAP_OF * swap->requeuer->options.refresh_ms / 1000);
		swap_take(swap, FACT_LATE);
	} else {
		swap_act(swap);
	}
}

void swap_cancel(struct swap *swap)
{
	if (swap->call)
		aws_client_cancel(client_of(swap), swap->call);
	swap->call = 0;
}

/* --- looking --- */

static void tell_seen(const struct swap *swap, const char *name, const struct job *job)
{
	const struct requeuer_options *options = &swap->requeuer->options;
	struct job copy = { 0 };

	if (job)
		job_copy(&copy, job);
	options->seen(options->ctx, swap->record.kind, name, job ? &copy : NULL);
	job_release(&copy);
}

static void end_owned(struct swap *swap, const struct owner *owner)
{
	swap->owner = *owner;
	swap_take(swap, FACT_STOP_REFUSED);
}

/* Nothing has been sent yet: the step that is written next has the request with them. */
static void carry_tags(struct swap *swap, const struct tag_page *page, const struct err *err)
{
	struct journal_record *record = &swap->record;
	struct request request = { record->kind, record->request };
	bool carried = false;

	if (!record->replaces.carries_tags)
		return;
	record->replaces.carries_tags = false;
	if (!page)
		err_copy(&swap->tags_error, err);
	else if (page->next_token)
		err_set(&swap->tags_error, ERR_TOO_BIG, "they are more than %d", TAGS_PAGE_MAX);
	else
		carried = request_has_tags(&request) ||
			  request_set_tags(&request, page->tags.items, page->tags.count,
					   &swap->tags_error);
	if (!carried)
		err_subject(&swap->tags_error, "%s", record->replaces.name);
	record->request = request.text;
}

/* Many may not read tags: then the name and the description have to do. */
static void on_tags(void *ctx, struct tag_page *page, const struct err *err)
{
	struct swap *swap = ctx;
	struct owner owner;

	swap->call = 0;
	swap->owner_read = true;
	if (page && owner_of_tags(page->tags.items, page->tags.count, &owner)) {
		end_owned(swap, &owner);
		return;
	}
	carry_tags(swap, page, err);
	swap_act(swap); /* again: a stop follows a look alone */
}

/* Before anything is changed. True: it is being looked at, or it belongs to somebody. */
static bool reads_owner(struct swap *swap, const struct job *job)
{
	struct owner owner;

	if (swap->owner_read || swap->record.replaces.despite_owner)
		return false;
	if (owner_of_job(job, &owner))
		end_owned(swap, &owner);
	else
		swap->call = tags_list(client_of(swap), job->arn, NULL, on_tags, swap);
	return true;
}

static void on_old(void *ctx, struct job *job, const struct err *err)
{
	struct swap *swap = ctx;
	enum requeue_fact fact;

	swap->call = 0;
	if (!job && err->code != ERR_NOT_FOUND) {
		swap_take(swap, FACT_OLD_UNKNOWN);
		return;
	}
	bool begun = requeue_has_begun(swap->step, swap->stop_sent);
	fact = requeue_fact_of_old(job, begun, swap->stop_sent);
	if (job && fact == FACT_OLD_PENDING && reads_owner(swap, job))
		return;
	tell_seen(swap, swap->record.replaces.name, job);
	swap_take(swap, fact);
}

static void on_new(void *ctx, struct job *job, const struct err *err)
{
	struct swap *swap = ctx;

	swap->call = 0;
	/* Describe may lag behind the create; what is not there at the end is not taken back. */
	if (!job && (err->code != ERR_NOT_FOUND || swap->step == REQUEUE_REPLACE)) {
		swap_take(swap, FACT_NEW_UNKNOWN);
		return;
	}
	enum requeue_fact fact = requeue_fact_of_new(job);
	tell_seen(swap, swap->record.name, job);
	swap_take(swap, fact);
}

static void look(struct swap *swap, const char *name,
		 void (*answered)(void *ctx, struct job *job, const struct err *err))
{
	/* A call that does not come back shall not keep both there for longer. */
	if (swap->step == REQUEUE_REPLACE && !swap->stop_sent)
		swap->due_ms =
			swap->overlap_ms + REQUEUER_OVERLAP_OF * swap->requeuer->options.refresh_ms;
	swap->call = jobs_describe(client_of(swap), swap->record.kind, name, answered, swap);
	requeuer_arm(swap->requeuer);
}

/* --- stopping --- */

/* Refused for good; anything else may be well the next time. */
static bool is_refusal(const struct err *err)
{
	return !err->outcome_open && (err->code == ERR_DENIED || err->code == ERR_REFUSED);
}

static void on_stopped(void *ctx, bool was_over, const struct err *err)
{
	struct swap *swap = ctx;

	swap->call = 0;
	if (!err) {
		swap_take(swap, was_over ? FACT_STOP_OVER : FACT_STOP_TAKEN);
		return;
	}
	err_copy(&swap->error, err);
	swap_take(swap, is_refusal(err) ? FACT_STOP_REFUSED : FACT_STOP_OPEN);
}

static void stop(struct swap *swap, const char *name)
{
	swap->call = jobs_stop(client_of(swap), swap->record.kind, name, on_stopped, swap);
}

/* --- creating --- */

/* A yes holds for a quarter of an hour. */
static bool is_too_old(const struct swap *swap)
{
	struct journal_now now = requeuer_now(swap->requeuer);
	struct opt_ms age = journal_age(&swap->record, &now);

	return !age.set || age.ms > JOURNAL_AGREED_MS;
}

static void set_stale(struct swap *swap)
{
	err_set(&swap->error, ERR_TIMEOUT,
		"%s was not created: what was agreed to is too long ago to send it without "
		"asking again",
		swap->record.name);
}

static void end_stale(struct swap *swap)
{
	set_stale(swap);
	swap_take(swap, FACT_CREATE_STALE);
}

/* Nothing has been changed yet: that is left to another yes. */
void swap_resume(struct swap *swap)
{
	if (!requeue_has_begun(swap->step, false) && is_too_old(swap))
		end_stale(swap);
	else
		swap_take(swap, FACT_RESUMED);
}

/* What could not be created any more once it has ended is not stopped either. */
static void stop_old(struct swap *swap)
{
	if (swap->step == REQUEUE_STOP_OLD && !swap->stop_sent && is_too_old(swap)) {
		end_stale(swap);
		return;
	}
	swap->stop_sent = true;
	stop(swap, swap->record.replaces.name);
}

/* It may have been sent by the run before, whose yes is too old to send it again. */
static void on_perhaps_sent(void *ctx, struct job *job, const struct err *err)
{
	struct swap *swap = ctx;
	struct request asked = { swap->record.kind, swap->record.request };
	struct journal_now now = requeuer_now(swap->requeuer);
	struct buf why;

	swap->call = 0;
	if (!job && err->code == ERR_NOT_FOUND) {
		end_stale(swap);
		return;
	}
	buf_init(&why, WHY_MAX);
	enum request_match match =
		job ? request_compare(&asked, job, journal_aws_ms(&swap->record.first, &now), &why)
		    : REQUEST_UNTOLD;
	if (match == REQUEST_SAME) {
		mem_set_text(&swap->new_arn, job->arn);
		swap_take(swap, FACT_CREATED);
	} else if (match == REQUEST_DIFFERENT) {
		err_set(&swap->error, ERR_CONFLICT,
			"a job named %s exists, and it is another one: %s", swap->record.name,
			buf_text(&why));
		swap_take(swap, FACT_CREATE_REFUSED);
	} else {
		swap->due_ms = mono_ms(swap) + swap->requeuer->options.refresh_ms;
		requeuer_arm(swap->requeuer);
	}
	buf_release(&why);
}

/* The same for each run, so that a requeue creates once whoever carries it on. */
static void name_draft(const struct swap *swap, char out[DRAFT_SIZE])
{
	(void)snprintf(out, DRAFT_SIZE, "requeue-%016" PRIx64, hash_text(swap->record.name));
}

static void create(struct swap *swap)
{
	const struct requeuer_options *options = &swap->requeuer->options;
	char draft[DRAFT_SIZE];
	bool too_old = is_too_old(swap);

	if (too_old && swap->perhaps_sent) {
		swap->call = jobs_describe(client_of(swap), swap->record.kind, swap->record.name,
					   on_perhaps_sent, swap);
		return;
	}
	if (too_old) {
		end_stale(swap);
		return;
	}
	name_draft(swap, draft);
	const struct order order = { .kind = swap->record.kind,
				     .name = swap->record.name,
				     .text = swap->record.request,
				     .draft = draft };
	options->create(options->ctx, &order);
}

/* An earlier run has created it, if it is this requeue's; else the name was another one's. */
static enum requeue_fact fact_of_held(const struct swap *swap, const struct submit_answer *answer)
{
	return answer->arn && swap->perhaps_sent ? FACT_CREATED_BEFORE : FACT_CREATE_REFUSED;
}

static enum requeue_fact fact_of(const struct swap *swap, const struct submit_answer *answer)
{
	switch (answer->outcome) {
	case SUBMIT_DONE:
		return FACT_CREATED;
	case SUBMIT_HELD:
		return fact_of_held(swap, answer);
	case SUBMIT_STALE:
		return FACT_CREATE_STALE;
	case SUBMIT_OPEN:
		return FACT_CREATE_OPEN;
	default:
		return FACT_CREATE_REFUSED;
	}
}

bool requeuer_submitted(struct requeuer *requeuer, const struct submit_answer *answer)
{
	struct swap *swap = requeuer ? requeuer->swaps : NULL;

	while (swap &&
	       (swap->record.kind != answer->kind || strcmp(swap->record.name, answer->name) != 0))
		swap = swap->next;
	if (!swap)
		return false;
	if (swap->act != ACT_CREATE && swap->act != ACT_WAIT)
		return true;
	enum requeue_fact fact = fact_of(swap, answer);
	err_clear(&swap->error);
	if (fact == FACT_CREATED || fact == FACT_CREATED_BEFORE)
		mem_set_text(&swap->new_arn, answer->arn);
	else if (answer->err)
		err_copy(&swap->error, answer->err);
	swap_take(swap, fact);
	return true;
}

void swap_act(struct swap *swap)
{
	switch (swap->act) {
	case ACT_WAIT:
		wait(swap);
		break;
	case ACT_LOOK_OLD:
		look(swap, swap->record.replaces.name, on_old);
		break;
	case ACT_LOOK_NEW:
		look(swap, swap->record.name, on_new);
		break;
	case ACT_STOP_OLD:
		stop_old(swap);
		break;
	case ACT_STOP_NEW:
		stop(swap, swap->record.name);
		break;
	case ACT_CREATE:
		create(swap);
		break;
	case ACT_END:
		break;
	}
}
