#include "aws/requeuer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/requeuer_parts.h"
#include "model/base/hash.h"
#include "model/base/mem.h"

struct journal_now requeuer_now(const struct requeuer *requeuer)
{
	int64_t wall_ms = clock_wall_ms(requeuer->options.clock);
	struct opt_ms skew = aws_client_skew(requeuer->options.client);

	return (struct journal_now){ wall_ms + (skew.set ? skew.ms : 0), wall_ms, !skew.set };
}

void requeuer_arm(struct requeuer *requeuer)
{
	int64_t now_ms = clock_mono_ms(requeuer->options.clock), due_ms = INT64_MAX;
	struct wait_hooks hooks = requeuer->options.hooks;

	for (const struct swap *swap = requeuer->swaps; swap; swap = swap->next)
		if (swap->due_ms < due_ms)
			due_ms = swap->due_ms;
	if (due_ms == INT64_MAX)
		hooks.wake_in(hooks.host, -1);
	else
		hooks.wake_in(hooks.host, due_ms > now_ms ? due_ms - now_ms : 0);
}

struct swap *swap_new(struct requeuer *requeuer)
{
	struct swap *swap = mem_new(1, sizeof(*swap));
	struct swap **end = &requeuer->swaps;

	while (*end)
		end = &(*end)->next;
	*end = swap;
	swap->requeuer = requeuer;
	swap->due_ms = INT64_MAX;
	return swap;
}

static void release(struct swap *swap)
{
	swap_cancel(swap);
	if (swap->disk_id)
		disk_forget(swap->requeuer->options.disk, swap->disk_id);
	journal_record_release(&swap->record);
	err_clear(&swap->error);
	err_clear(&swap->tags_error);
	free(swap->new_arn);
	free(swap);
}

void swap_free(struct swap *swap)
{
	struct swap **link = &swap->requeuer->swaps;

	while (*link != swap)
		link = &(*link)->next;
	*link = swap->next;
	release(swap);
}

size_t requeuer_left(const struct requeuer *requeuer)
{
	size_t count = 0;

	for (const struct swap *swap = requeuer ? requeuer->swaps : NULL; swap; swap = swap->next)
		count += !requeue_has_ended(swap->step);
	return count;
}

void swap_tell(const struct swap *swap)
{
	const struct requeuer_options *options = &swap->requeuer->options;
	const struct journal_record *record = &swap->record;
	const struct requeue_told told = {
		.kind = record->kind,
		.old_name = record->replaces.name,
		.old_arn = record->replaces.arn,
		.new_name = record->name,
		.new_arn = swap->new_arn,
		.step = swap->step,
		.stop_first = record->replaces.stop_first,
		.old_stopped = swap->stop_sent,
		.taken_back = swap->withdrawn,
		.late = swap->late,
		.owner = swap->owner,
		.err = swap->error.code == ERR_NONE ? NULL : &swap->error,
		.tags_err = swap->tags_error.code == ERR_NONE ? NULL : &swap->tags_error,
		.text = record->request,
		.left = requeuer_left(swap->requeuer),
	};

	options->told(options->ctx, &told);
}

/* --- the owner's side --- */

struct requeuer *requeuer_new(const struct requeuer_options *options)
{
	struct requeuer *requeuer = mem_new(1, sizeof(*requeuer));

	requeuer->options = *options;
	process_self(&requeuer->self);
	return requeuer;
}

static void release_place(struct requeuer *requeuer)
{
	free(requeuer->folder);
	free((char *)requeuer->place.account);
	free((char *)requeuer->place.region);
	free((char *)requeuer->place.endpoint);
}

void requeuer_free(struct requeuer *requeuer)
{
	if (!requeuer)
		return;
	for (struct swap *swap = requeuer->swaps, *next; swap; swap = next) {
		next = swap->next;
		release(swap);
	}
	if (requeuer->list_id)
		disk_forget(requeuer->options.disk, requeuer->list_id);
	requeuer->options.hooks.wake_in(requeuer->options.hooks.host, -1);
	release_place(requeuer);
	free(requeuer);
}

static char *own_folder(const char *state_folder)
{
	struct buf path;

	buf_init(&path, 4096);
	buf_addf(&path, "%s/" REQUEUER_FOLDER, state_folder);
	return buf_take(&path);
}

void requeuer_open(struct requeuer *requeuer, const struct submitter_place *place)
{
	if (requeuer->folder && (requeuer->swaps || requeuer->list_id))
		return;
	release_place(requeuer);
	requeuer->folder = own_folder(place->folder);
	requeuer->place = (struct submitter_place){
		.account = mem_copy_text(place->account),
		.region = mem_copy_text(place->region),
		.endpoint = mem_copy_text(place->endpoint),
	};
	if (place->access_key[0])
		snprintf(requeuer->key, sizeof(requeuer->key), "%016" PRIx64,
			 hash_text(place->access_key));
	if (requeuer->resume_wanted)
		requeuer_read_list(requeuer);
	requeuer_arm(requeuer);
}

/* The first at once, each further one a pace later. */
static int64_t next_start(struct requeuer *requeuer)
{
	int64_t now_ms = clock_mono_ms(requeuer->options.clock);
	int64_t start_ms = requeuer->start_ms > now_ms ? requeuer->start_ms : now_ms;

	requeuer->start_ms = start_ms + REQUEUER_PACE_MS;
	return start_ms;
}

void requeuer_start(struct requeuer *requeuer, const struct requeue_wish *wish)
{
	struct swap *swap = swap_new(requeuer);
	struct journal_record *record = &swap->record;
	struct journal_now now = requeuer_now(requeuer);
	bool measured = aws_client_skew(requeuer->options.client).set;

	swap->step = requeue_first_step(wish->stop_first);
	swap->act = ACT_WAIT;
	swap->due_ms = next_start(requeuer);
	record->kind = wish->kind;
	snprintf(record->name, sizeof(record->name), "%s", wish->new_name);
	snprintf(record->draft, sizeof(record->draft), "%s", wish->old_name);
	record->request = mem_copy_text(wish->text);
	record->agreed = (struct journal_time){ now.aws_ms, now.wall_ms, measured };
	record->first = record->agreed;
	record->replaces.set = true;
	record->replaces.stop_first = wish->stop_first;
	record->replaces.despite_owner = wish->despite_owner;
	record->replaces.carries_tags = wish->carries_tags;
	record->replaces.kind = wish->kind;
	record->replaces.arn = mem_copy_text(wish->old_arn);
	snprintf(record->replaces.name, sizeof(record->replaces.name), "%s", wish->old_name);
	requeuer_arm(requeuer);
}

void requeuer_resume(struct requeuer *requeuer)
{
	if (requeuer->folder)
		requeuer_read_list(requeuer);
	else
		requeuer->resume_wanted = true;
}

static struct swap *find(const struct requeuer *requeuer, enum job_kind kind, const char *old_name)
{
	struct swap *swap = requeuer->swaps;

	while (swap && (swap->record.kind != kind || strcmp(swap->record.draft, old_name) != 0))
		swap = swap->next;
	return swap;
}

/* A step that is being written is taken back as soon as it is on disk, and what is not even claimed
 * when its turn comes, which is now. */
static bool withdraw(struct swap *swap)
{
	bool claimed = swap->record.replaces.step[0] != '\0';

	if (requeue_has_ended(swap->step) || swap->withdrawn)
		return false;
	if (claimed && !swap->disk_id)
		return swap_take_back(swap, true);
	swap->unwanted = true;
	if (!claimed)
		swap->due_ms = clock_mono_ms(swap->requeuer->options.clock);
	requeuer_arm(swap->requeuer);
	return true;
}

enum withdrawal requeuer_withdraw(struct requeuer *requeuer, enum job_kind kind,
				  const char *old_name)
{
	struct swap *swap = requeuer ? find(requeuer, kind, old_name) : NULL;

	if (!swap)
		return WITHDRAWN_NONE;
	return withdraw(swap) ? WITHDRAWN : WITHDRAWN_NOT;
}

size_t requeuer_withdraw_all(struct requeuer *requeuer)
{
	size_t count = 0;

	for (struct swap *swap = requeuer ? requeuer->swaps : NULL; swap; swap = swap->next)
		count += !swap->late && withdraw(swap);
	return count;
}

static struct swap *find_due(const struct requeuer *requeuer, int64_t now_ms)
{
	struct swap *swap = requeuer->swaps;

	while (swap && swap->due_ms > now_ms)
		swap = swap->next;
	return swap;
}

void requeuer_wake(struct requeuer *requeuer)
{
	int64_t now_ms = clock_mono_ms(requeuer->options.clock);

	for (struct swap *swap; requeuer->folder && (swap = find_due(requeuer, now_ms)) != NULL;) {
		swap->due_ms = INT64_MAX;
		swap_wake(swap, now_ms);
	}
	if (requeuer->folder)
		requeuer_arm(requeuer);
}
