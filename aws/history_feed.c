#include "aws/history_feed.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/history_work.h"
#include "model/base/hash.h"
#include "model/base/mem.h"

#define BATCH_MAX 500 /* jobs of one write: a copy of each is made */
#define PART_MAX  300 /* jobs that are handed over at once: no key waits for the rest */
#define SHOW_MS   200
#define TEXT_MAX  1024

struct history_feed {
	struct history_feed_options options;
	struct disk *disk;
	struct history_file *file; /* NULL: the folder is not known yet, or there is none */
	bool is_open, is_homeless;
	bool is_loading;  /* what was kept is being read */
	int64_t shown_ms; /* monotonic: when a part of it was last told of */
	int64_t since_ms; /* wall: ended jobs before it are left out */
	bool is_saving;
	bool is_hurried;       /* the next write waits for nothing */
	bool is_failing;       /* the last write has failed */
	uint64_t saved;        /* the revision up to which jobs are written */
	uint64_t saving;       /* that of the write under way */
	int64_t tags_saved_ms; /* monotonic: tags read later are not written yet */
	int64_t tags_saving_ms;
	uint64_t notes_saved; /* the revision up to which notes are written */
	uint64_t notes_saving;
	bool fill_whole; /* as last written: whole, its end, its token */
	int64_t fill_to_ms;
	uint64_t fill_key;
	int64_t sighted_ms; /* wall: when it was last noted what is not free */

	int64_t due_ms; /* monotonic, of the next write; INT64_MAX = none */
};

struct history_feed *history_feed_new(const struct history_feed_options *options)
{
	struct history_feed *feed = mem_new(1, sizeof(*feed));

	feed->options = *options;
	feed->due_ms = INT64_MAX;
	feed->tags_saved_ms = INT64_MIN;
	feed->disk = disk_new();
	options->hooks.watch(options->hooks.host, disk_fd(feed->disk), POLLIN);
	return feed;
}

static void arm(struct history_feed *feed)
{
	const struct wait_hooks *hooks = &feed->options.hooks;
	int64_t in_ms = feed->due_ms - clock_mono_ms(feed->options.clock);

	if (feed->due_ms == INT64_MAX || feed->is_loading || feed->is_saving)
		hooks->wake_in(hooks->host, -1);
	else
		hooks->wake_in(hooks->host, in_ms > 0 ? in_ms : 0);
}

static void changed(const struct history_feed *feed)
{
	if (feed->options.on_change)
		feed->options.on_change(feed->options.ctx);
}

/* --- what there is to say --- */

/* Each state once. */
static void say(struct history_feed *feed, const char *text)
{
	char **known = &feed->options.store->history.trouble;
	bool is_same = *known && text && strcmp(*known, text) == 0;

	if (is_same || (!*known && !text))
		return;
	mem_set_text(known, text);
	if (feed->options.said)
		feed->options.said(feed->options.ctx,
				   text ? text : "the history is kept on disk again");
	changed(feed);
}

/* The new file has nothing of what is in memory. */
static void tell_aside(struct history_feed *feed, const struct history_work *work)
{
	struct history *history = &feed->options.store->history;
	struct buf text;

	buf_init(&text, TEXT_MAX);
	buf_addf(&text, "the history was damaged and is kept as %s; a new one is begun",
		 work->told.aside);
	mem_set_text(&feed->options.store->history.notice, buf_text(&text));
	if (feed->options.said)
		feed->options.said(feed->options.ctx, buf_text(&text));
	buf_release(&text);
	store_touch_all(feed->options.store);
	for (size_t i = 0; i < history->note_count; i++)
		history->notes[i].revision = ++history->version;
}

static void tell(struct history_feed *feed, const struct history_work *work,
		 const struct err *refused)
{
	const struct err *err = refused ? refused : &work->told.err;
	struct buf text;

	buf_init(&text, TEXT_MAX);
	if (work->told.aside[0])
		tell_aside(feed, work);
	else if (!work->is_kept)
		buf_addf(&text, "the history is kept in memory alone: %s: %s", err->subject,
			 err_text(err));
	say(feed, text.len > 0 ? buf_text(&text) : NULL);
	buf_release(&text);
}

/* --- writing --- */

static const struct job_tags *tags_of(const struct history_feed *feed, const struct job *job)
{
	const struct job_tags *tags = &feed->options.store->tags;

	return tags->arn && tags->fresh.loaded && strcmp(tags->arn, job->arn) == 0 ? tags : NULL;
}

static bool is_unsaved(const struct history_feed *feed, const struct job *job)
{
	const struct job_tags *tags;

	if (job->revision > feed->saved)
		return true;
	tags = tags_of(feed, job);
	return tags && tags->fresh.loaded_mono_ms > feed->tags_saved_ms;
}

/* Search may lag: of the job that is looked at, the tags that were read for it are newer. */
static void record(struct history_feed *feed, const struct job *job, int64_t now_ms,
		   struct recorded *recorded)
{
	struct store *store = feed->options.store;
	const struct job_tags *looked_at = tags_of(feed, job);

	*recorded = (struct recorded){ .seen_ms = now_ms };
	history_figures(job, &store->prices, now_ms, &recorded->figures);
	recorded_set_job(recorded, job);
	if (looked_at) {
		free(recorded->job.tags);
		recorded->job.tags = tag_list_new(looked_at->items, looked_at->count);
		feed->tags_saving_ms = looked_at->fresh.loaded_mono_ms;
	}
	history_take(&store->history, &recorded->job, &recorded->figures);
}

static int compare_revisions(const void *a, const void *b)
{
	uint64_t x = (*(const struct job *const *)a)->revision;
	uint64_t y = (*(const struct job *const *)b)->revision;

	return x < y ? -1 : x > y;
}

/* In the order in which they have changed, so that one number tells what is written. */
static size_t collect(const struct history_feed *feed, const struct job ***out)
{
	const struct store *store = feed->options.store;
	const struct job **jobs = NULL;
	size_t count = 0, capacity = 0;

	for (size_t i = 0; i < store->count; i++) {
		if (!is_unsaved(feed, store_at(store, i)))
			continue;
		jobs = mem_grow(jobs, &capacity, count + 1, sizeof(const struct job *));
		jobs[count++] = store_at(store, i);
	}
	if (count > 1)
		qsort(jobs, count, sizeof(const struct job *), compare_revisions);
	*out = jobs;
	return count;
}

static void on_saved(void *ctx, const struct disk_result *result);

static void note_saved(struct history_feed *feed)
{
	feed->notes_saved = feed->notes_saving;
	if (feed->saving > feed->saved)
		feed->saved = feed->saving;
	feed->tags_saved_ms = feed->tags_saving_ms;
}

/* Types that a job waits for on demand are not free now: known of jobs that this run has read. Each
 * minute is often enough for stretches of ten. False: none waits. */
static bool sight(struct history_feed *feed, int64_t now_ms)
{
	struct store *store = feed->options.store;
	bool any = false;

	feed->sighted_ms = now_ms;
	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store_at(store, i);

		if (!job->described || job_phase(job) != PHASE_PENDING || job->spot ||
		    prefs_has_unplaced_plan(job_prefs(job)))
			continue;
		for (size_t k = 0; k < job_prefs(job)->length; k++) {
			if (prefs_plan(job_prefs(job), k)[0])
				continue;
			history_refuse(&store->history, job_prefs(job)->entries[k].instance_type,
				       now_ms);
			any = true;
		}
	}
	return any;
}

/* Those that have grown since the last write. */
static void add_refusals(const struct history_feed *feed, struct history_work *work)
{
	const struct history *history = &feed->options.store->history;

	work->refusals = mem_new(history->refusal_count + 1, sizeof(*work->refusals));
	for (size_t i = 0; i < history->refusal_count; i++) {
		const struct history_refusal *refusal = &history->refusals[i];
		struct recorded_refusal *out = &work->refusals[work->refusal_count];

		if (refusal->until_ms != feed->sighted_ms)
			continue;
		(void)snprintf(out->instance_type, sizeof(out->instance_type), "%s",
			       texts_at(&history->texts, refusal->type));
		out->since_ms = refusal->since_ms;
		out->until_ms = refusal->until_ms;
		work->refusal_count++;
	}
}

static bool is_unsaved_note(const struct history_feed *feed, const struct history_note *note)
{
	return note->revision > feed->notes_saved;
}

static size_t unsaved_notes(const struct history_feed *feed)
{
	const struct history *history = &feed->options.store->history;
	size_t count = 0;

	for (size_t i = 0; i < history->note_count; i++)
		count += is_unsaved_note(feed, &history->notes[i]);
	return count;
}

static void add_notes(struct history_feed *feed, struct history_work *work)
{
	const struct history *history = &feed->options.store->history;

	work->notes = mem_new(unsaved_notes(feed) + 1, sizeof(*work->notes));
	for (size_t i = 0; i < history->note_count; i++) {
		const struct history_note *note = &history->notes[i];

		if (is_unsaved_note(feed, note))
			work->notes[work->note_count++] = (struct recorded_note){
				.kind = note->kind,
				.name = mem_copy_text(texts_at(&history->texts, note->name)),
				.text = mem_copy_text(texts_at(&history->texts, note->text)),
			};
	}
	feed->notes_saving = history->version;
}

/* Once all jobs that it speaks of are in the same write. Of a look that is whole only its end
 * moves, which is not worth a write each refresh. */
static char *fill_to_save(struct history_feed *feed)
{
	const struct search_fill *fill = &feed->options.store->fill;
	char *text;

	if (!fill->known ||
	    (fill->whole && feed->fill_whole && fill->to_ms - feed->fill_to_ms < HISTORY_FILL_MS) ||
	    (!fill->whole && feed->fill_key == hash_text(fill->token ? fill->token : "")))
		return NULL;
	text = mem_new(SEARCH_FILL_TEXT_SIZE, 1);
	search_fill_write(fill, text);
	feed->fill_whole = fill->whole;
	feed->fill_to_ms = fill->to_ms;
	feed->fill_key = hash_text(fill->token ? fill->token : "");
	return text;
}

/* False: there is nothing to write. */
static bool save(struct history_feed *feed)
{
	int64_t now_ms = store_now_ms(feed->options.store, feed->options.clock);
	struct history_work *work;
	const struct job **jobs;
	size_t count = collect(feed, &jobs);
	char *fill;

	feed->due_ms = INT64_MAX;
	fill = count <= BATCH_MAX ? fill_to_save(feed) : NULL;
	bool sights = now_ms - feed->sighted_ms >= HISTORY_SIGHT_MS && sight(feed, now_ms);

	if (count == 0 && !fill && !sights && unsaved_notes(feed) == 0) {
		feed->is_hurried = false;
		return false;
	}
	work = mem_new(1, sizeof(*work));
	work->verb = HISTORY_SAVE;
	work->file = feed->file;
	work->count = count < BATCH_MAX ? count : BATCH_MAX;
	work->list = mem_new(work->count + 1, sizeof(*work->list));
	feed->tags_saving_ms = feed->tags_saved_ms;
	for (size_t i = 0; i < work->count; i++)
		record(feed, jobs[i], now_ms, &work->list[i]);
	if (work->count > 0)
		feed->saving = jobs[work->count - 1]->revision;
	work->fill = fill;
	if (sights)
		add_refusals(feed, work);
	work->notes_ms = now_ms;
	add_notes(feed, work);
	free(jobs);
	if (feed->is_homeless) {
		history_work_free(work);
		note_saved(feed);
		feed->due_ms = clock_mono_ms(feed->options.clock);
		return true;
	}
	feed->is_saving = true;
	history_work_run(feed->disk, work, on_saved, feed);
	return true;
}

/* What failed is tried again as a whole; meanwhile it is in the store's memory. */
static void on_saved(void *ctx, const struct disk_result *result)
{
	struct history_feed *feed = ctx;
	const struct history_work *work = result->work;
	int64_t now_ms = clock_mono_ms(feed->options.clock);
	bool ok = work->is_kept;

	feed->is_saving = false;
	feed->is_failing = !ok && !work->told.aside[0];
	if (ok)
		note_saved(feed);
	feed->due_ms = feed->is_failing ? now_ms + HISTORY_RETRY_MS : now_ms;
	if (feed->is_failing) {
		feed->is_hurried = feed->fill_whole = false;
		feed->fill_key = 0;
	}
	tell(feed, work, result->err);
	arm(feed);
	changed(feed);
}

void history_feed_note(struct history_feed *feed)
{
	int64_t due_ms = clock_mono_ms(feed->options.clock) + HISTORY_SAVE_MS;

	if (!feed->is_open || feed->is_failing || feed->due_ms <= due_ms)
		return;
	feed->due_ms = due_ms;
	arm(feed);
}

void history_feed_flush(struct history_feed *feed)
{
	if (!feed->is_open)
		return;
	feed->is_hurried = true;
	feed->due_ms = clock_mono_ms(feed->options.clock);
	arm(feed);
}

void history_feed_keep_note(struct history_feed *feed, enum job_kind kind, const char *name,
			    const char *text)
{
	history_set_note(&feed->options.store->history, kind, name, text);
	history_feed_note(feed);
}

bool history_feed_is_settled(const struct history_feed *feed)
{
	return feed->is_open && !feed->is_loading && !feed->is_saving && !feed->is_hurried;
}

/* --- reading --- */

static struct history_work *new_work(struct history_feed *feed, enum history_verb verb)
{
	struct history_work *work = mem_new(1, sizeof(*work));

	work->file = feed->file;
	work->verb = verb;
	return work;
}

/* What has come to be known meanwhile is newer than what was kept. */
static void take_history(struct history_feed *feed, struct history *kept)
{
	struct history *history = &feed->options.store->history;
	char *trouble = history->trouble, *notice = history->notice;
	bool lost = history->lost;
	uint64_t version = history->version;

	for (size_t i = 0; i < history->note_count; i++)
		history_set_note(kept, history->notes[i].kind,
				 texts_at(&history->texts, history->notes[i].name),
				 texts_at(&history->texts, history->notes[i].text));
	history->trouble = history->notice = NULL;
	history_release(history);
	*history = *kept;
	*kept = (struct history){ 0 };
	history->trouble = trouble;
	history->notice = notice;
	history->lost = lost;
	history->version += version + 1;
	history->loaded = true;
}

static void note_lost(struct history_feed *feed, const struct history_work *work)
{
	if (!work->is_done || work->told.aside[0])
		feed->options.store->history.lost = true;
}

static void on_all_loaded(void *ctx, const struct disk_result *result)
{
	struct history_feed *feed = ctx;
	struct history_work *work = result->work;

	feed->is_loading = false;
	take_history(feed, &work->history);
	note_lost(feed, work);
	if (result->err || work->told.err.code != ERR_NONE || work->told.aside[0])
		tell(feed, work, result->err);
	feed->due_ms = clock_mono_ms(feed->options.clock);
	arm(feed);
	changed(feed);
}

static void on_since_loaded(void *ctx, const struct disk_result *result);

static void load_part(struct history_feed *feed, size_t skip)
{
	struct history_work *work = new_work(feed, HISTORY_LOAD_SINCE);

	work->part =
		(struct history_part){ .since_ms = feed->since_ms, .skip = skip, .most = PART_MAX };
	history_work_run(feed->disk, work, on_since_loaded, feed);
}

/* The first part at once. A list of 100,000 is not put in order anew for each of the others. */
static void show_part(struct history_feed *feed, const struct history_work *work)
{
	int64_t now_ms = clock_mono_ms(feed->options.clock);

	if (work->part.skip > 0 && work->count == PART_MAX && now_ms - feed->shown_ms < SHOW_MS)
		return;
	feed->shown_ms = now_ms;
	changed(feed);
}

static void on_since_loaded(void *ctx, const struct disk_result *result)
{
	struct history_feed *feed = ctx;
	struct history_work *work = result->work;

	if (work->fill)
		(void)search_fill_read(&feed->options.store->kept_fill, work->fill);
	for (size_t i = 0; i < work->count; i++)
		store_take_recorded(feed->options.store, &work->list[i].job, work->list[i].seen_ms);
	note_lost(feed, work);
	tell(feed, work, result->err);
	show_part(feed, work);
	if (work->count == PART_MAX && work->part.skip < STORE_JOBS_MAX)
		load_part(feed, work->part.skip + PART_MAX);
	else
		history_work_run(feed->disk, new_work(feed, HISTORY_LOAD_ALL), on_all_loaded, feed);
}

void history_feed_open(struct history_feed *feed, const char *folder)
{
	if (feed->is_open)
		return;
	feed->is_open = true;
	feed->is_homeless = folder == NULL;
	if (feed->is_homeless) {
		feed->options.store->history.loaded = true;
		feed->options.store->history.lost = true;
		say(feed, "the history is kept in memory alone: there is no folder for state");
		return;
	}
	feed->file = history_file_new(folder, HISTORY_LOCK_MS);
	feed->is_loading = true;
	feed->since_ms =
		store_now_ms(feed->options.store, feed->options.clock) - feed->options.since_ms;
	load_part(feed, 0);
}

/* --- life --- */

void history_feed_ready(struct history_feed *feed)
{
	disk_ready(feed->disk);
}

void history_feed_wake(struct history_feed *feed)
{
	if (!feed->is_loading && !feed->is_saving &&
	    feed->due_ms <= clock_mono_ms(feed->options.clock))
		save(feed);
	arm(feed);
}

/* A write under way is not waited for: what it writes is not in the next one but where it has
 * failed, and then the next one would as well. */
void history_feed_free(struct history_feed *feed)
{
	if (!feed)
		return;
	if (feed->is_saving)
		note_saved(feed);
	while (feed->file && !feed->is_loading && !feed->is_failing && save(feed))
		note_saved(feed);
	feed->options.hooks.watch(feed->options.hooks.host, disk_fd(feed->disk), 0);
	feed->options.hooks.wake_in(feed->options.hooks.host, -1);
	disk_free(feed->disk);
	history_file_free(feed->file);
	free(feed);
}
