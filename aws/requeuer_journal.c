/* What the requeuer has the disk's thread do: records claimed, steps written, the journal read. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/journal_files.h"
#include "aws/requeuer_parts.h"
#include "model/base/mem.h"

/* --- work on the disk's thread: it owns what it works on --- */

struct record_work {
	char *folder;
	struct journal_record record;
	struct journal_found found; /* of a claim */
	atomic_bool cancelled;
};

static void run_claim(void *self, struct err *err)
{
	struct record_work *work = self;
	bool ok = journal_files_claim(work->folder, &work->record, &work->cancelled, &work->found,
				      err);

	(void)ok; /* err says the same */
}

static void run_write(void *self, struct err *err)
{
	const struct record_work *work = self;
	bool ok = journal_files_write(work->folder, &work->record, err);

	(void)ok; /* err says the same */
}

static void run_remove(void *self, struct err *err)
{
	const struct record_work *work = self;
	bool ok = journal_files_remove(work->folder, &work->record, err);

	(void)ok; /* err says the same */
}

static void free_record(void *self)
{
	struct record_work *work = self;

	journal_record_release(&work->record);
	journal_found_release(&work->found);
	free(work->folder);
	free(work);
}

static uint64_t run_record(struct swap *swap, void (*run)(void *self, struct err *err),
			   disk_done_fn *done)
{
	struct requeuer *requeuer = swap->requeuer;
	struct record_work *work = mem_new(1, sizeof(*work));
	const struct disk_work job = { run, free_record, work };

	snprintf(swap->record.replaces.step, sizeof(swap->record.replaces.step), "%s",
		 requeue_step_word(swap->step));
	work->folder = mem_copy_text(requeuer->folder);
	journal_record_copy(&work->record, &swap->record);
	return disk_run(requeuer->options.disk, &job, done, swap);
}

/* --- the first record --- */

static void add_holder(struct buf *out, const struct journal_found *found)
{
	const struct journal_record *other = &found->record;
	char since[TIME_TEXT_SIZE];

	time_format_iso(other->agreed.wall_ms, since);
	buf_addf(out, " (process %" PRId64 " on %s, since %s)", other->holder.pid,
		 other->holder.host, since);
	if (found->claim == CLAIM_ELSEWHERE)
		buf_addf(out, ". If that one is gone for good, remove %s", found->path);
}

/* Nothing is changed: another program requeues it. */
static void end_held(struct swap *swap, const struct journal_found *found)
{
	const struct journal_record *other = &found->record;
	struct buf text;

	buf_init(&text, ERR_TEXT_MAX);
	buf_addf(&text, "%s is being requeued already, as %s", swap->record.replaces.name,
		 other->name);
	add_holder(&text, found);
	err_set(&swap->error, ERR_CONFLICT, "%s", buf_text(&text));
	buf_release(&text);
	swap->step = REQUEUE_UNSTOPPED;
	swap_tell(swap);
	swap_free(swap);
}

static void on_claimed(void *ctx, const struct disk_result *result)
{
	struct swap *swap = ctx;
	const struct record_work *work = result->work;

	swap->disk_id = 0;
	if (result->err) {
		err_copy(&swap->error, result->err);
		swap->step = REQUEUE_UNSTOPPED;
		swap_tell(swap);
		swap_free(swap);
	} else if (work->found.claim == CLAIM_FREE) {
		if (!swap->unwanted || !swap_take_back(swap, false))
			swap_take(swap, FACT_AGREED);
	} else {
		end_held(swap, &work->found);
	}
}

void swap_claim(struct swap *swap)
{
	const struct requeuer *requeuer = swap->requeuer;
	struct journal_record *record = &swap->record;

	snprintf(record->account, sizeof(record->account), "%s", requeuer->place.account);
	snprintf(record->region, sizeof(record->region), "%s", requeuer->place.region);
	mem_set_text(&record->endpoint, requeuer->place.endpoint);
	memcpy(record->key, requeuer->key, sizeof(record->key));
	record->holder = requeuer->self;
	swap->disk_id = run_record(swap, run_claim, on_claimed);
}

/* --- the steps --- */

/* That a step could not be written down holds nothing up: who finds the one before comes to the
 * same by looking, and the creation has an intent of its own. */
static void on_written(void *ctx, const struct disk_result *result)
{
	struct swap *swap = ctx;
	const struct requeuer_options *options = &swap->requeuer->options;

	swap->disk_id = 0;
	if (result->err)
		options->trouble(options->ctx, result->err);
	swap_tell(swap);
	if (requeue_has_ended(swap->step))
		swap_free(swap);
	else if (!swap->unwanted || !swap_take_back(swap, swap->perhaps_sent))
		swap_act(swap);
}

/* What has ended has nothing to be gone on with, and holds no secrets any more. */
void swap_write(struct swap *swap)
{
	bool ended = requeue_has_ended(swap->step);

	swap->disk_id = run_record(swap, ended ? run_remove : run_write, on_written);
}

/* --- what earlier runs left --- */

struct list_work {
	char *folder, *key;
	int64_t wall_ms;
	struct journal_list list;
};

static void run_list(void *self, struct err *err)
{
	struct list_work *work = self;
	const struct journal_query query = { .signed_by = work->key, .wall_ms = work->wall_ms };
	bool ok = journal_files_list(work->folder, &query, &work->list, err);

	(void)ok; /* err says the same */
}

static void free_list(void *self)
{
	struct list_work *work = self;

	journal_list_release(&work->list);
	free(work->folder);
	free(work->key);
	free(work);
}

static bool is_under_way(const struct requeuer *requeuer, const struct journal_record *record)
{
	const struct swap *swap = requeuer->swaps;

	while (swap && strcmp(swap->record.draft, record->draft) != 0)
		swap = swap->next;
	return swap != NULL;
}

/* Read-only: it is not gone on with, but nobody may think that nothing is under way. */
static void tell_left(const struct requeuer *requeuer, const struct journal_record *record)
{
	const struct requeuer_options *options = &requeuer->options;
	struct err err = { 0 };

	err_set(&err, ERR_CONFLICT,
		"the requeue of %s as %s has not come to its end, and is not gone on with, since "
		"this is read-only: the next gpuq that is not does",
		record->replaces.name, record->name);
	options->trouble(options->ctx, &err);
	err_clear(&err);
}

/* Own ones too: this program has been in this place before. */
static void take_up(struct requeuer *requeuer, const struct journal_item *item)
{
	const struct journal_record *record = &item->record;
	enum requeue_step step;
	struct swap *swap;

	if ((item->claim != CLAIM_LEFT && item->claim != CLAIM_OWN) || !record->replaces.set ||
	    !requeue_step_parse(record->replaces.step, &step) || requeue_has_ended(step) ||
	    is_under_way(requeuer, record))
		return;
	if (requeuer->options.looks_only) {
		tell_left(requeuer, record);
		return;
	}
	swap = swap_new(requeuer);
	journal_record_copy(&swap->record, &item->record);
	swap->step = step;
	swap->late = swap->perhaps_sent = swap->stop_sent = true;
	/* Before anything is changed it may be that nobody has looked whose the job is. */
	swap->owner_read = requeue_has_begun(step, false);
	swap->overlap_ms = clock_mono_ms(requeuer->options.clock);
	swap_tell(swap);
	swap_resume(swap);
}

static void on_listed(void *ctx, const struct disk_result *result)
{
	struct requeuer *requeuer = ctx;
	const struct requeuer_options *options = &requeuer->options;
	const struct list_work *work = result->work;

	requeuer->list_id = 0;
	if (result->err)
		options->trouble(options->ctx, result->err);
	for (size_t i = 0; i < work->list.trouble_count; i++)
		options->trouble(options->ctx, &work->list.troubles[i]);
	for (size_t i = 0; i < work->list.count; i++)
		take_up(requeuer, &work->list.items[i]);
	if (options->resumed)
		options->resumed(options->ctx);
}

void requeuer_read_list(struct requeuer *requeuer)
{
	struct list_work *work;

	if (requeuer->list_id)
		return;
	requeuer->resume_wanted = false;
	work = mem_new(1, sizeof(*work));
	const struct disk_work job = { run_list, free_list, work };
	work->folder = mem_copy_text(requeuer->folder);
	work->key = mem_copy_text(requeuer->key[0] ? requeuer->key : NULL);
	work->wall_ms = requeuer_now(requeuer).aws_ms;
	requeuer->list_id = disk_run(requeuer->options.disk, &job, on_listed, requeuer);
}
