#include "model/draft_store.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/draft_disk.h"
#include "model/draft_file.h"

#define TEXT_MAX 1024
#define END_TRIES \
	10 /* of END_WAIT_MS: the end of the program waits so long for what is under way */
#define END_WAIT_MS 50

/* What is known of one draft's file. */
struct kept {
	char id[DRAFT_ID_SIZE];
	struct draft *draft;     /* borrowed; NULL: dropped, the file is to go */
	char *folder;            /* owned; NULL: the place is not known yet */
	struct disk_stamp stamp; /* of the file as this program knows it; all 0: none */
	char *old_folder;        /* owned; where a file lies that is to go once this one is there */
	struct disk_stamp old_stamp;
	uint64_t saved;     /* the edition on disk */
	uint64_t writing;   /* the one under way */
	struct opt_ms due;  /* when it is written; monotonic */
	uint64_t request;   /* of the disk; 0 = none */
	int64_t started_ms; /* when that began */
	struct draft_store *store;
	struct kept *next;
};

struct draft_store {
	struct draft_store_options options; /* writer is owned */
	struct disk *disk;
	char *folder; /* owned */
	bool passing;
	uint64_t loading;
	struct kept *kept; /* owned */
	unsigned parted;   /* for new ids */
	char *trouble;     /* owned; what was told */
	bool ending;
};

static int64_t now_ms(const struct draft_store *store)
{
	return clock_mono_ms(store->options.clock);
}

static void say(const struct draft_store *store, const char *format, ...) PRINTF_LIKE(2, 3);
static void say(const struct draft_store *store, const char *format, ...)
{
	struct buf text;
	va_list args;
	buf_init(&text, TEXT_MAX);
	va_start(args, format);
	buf_vaddf(&text, format, args);
	va_end(args);
	if (!store->ending)
		store->options.said(store->options.ctx, buf_text(&text));
	buf_release(&text);
}

static void set_trouble(struct draft_store *store, const char *why)
{
	bool same =
		why && store->trouble ? strcmp(why, store->trouble) == 0 : !why == !store->trouble;
	if (same || store->ending)
		return;
	mem_set_text(&store->trouble, why);
	store->options.trouble(store->options.ctx, why);
}

/* --- files known --- */

static bool has_file(const struct disk_stamp *stamp)
{
	return stamp->inode != 0 || stamp->changed_ns != 0;
}

static struct kept *find(const struct draft_store *store, const struct draft *draft)
{
	struct kept *kept = store->kept;
	while (kept && kept->draft != draft)
		kept = kept->next;
	return kept;
}

static bool knows_id(const struct draft_store *store, const char *id)
{
	struct kept *kept = store->kept;
	while (kept && strcmp(kept->id, id) != 0)
		kept = kept->next;
	return kept != NULL;
}

static struct kept *add(struct draft_store *store, struct draft *draft)
{
	struct kept *kept = mem_new(1, sizeof(*kept));
	memcpy(kept->id, draft->id, sizeof(kept->id));
	kept->draft = draft;
	kept->folder = mem_copy_text(store->folder);
	kept->store = store;
	kept->next = store->kept;
	store->kept = kept;
	return kept;
}

static void forget(struct draft_store *store, struct kept *gone)
{
	struct kept **link = &store->kept;
	while (*link != gone)
		link = &(*link)->next;
	*link = gone->next;
	free(gone->folder);
	free(gone->old_folder);
	free(gone);
}

/* --- time --- */

static bool is_dirty(const struct kept *kept)
{
	return kept->draft && kept->draft->edition != kept->saved;
}

static void make_due(struct kept *kept, int64_t in_ms)
{
	if (!kept->due.set)
		kept->due = (struct opt_ms){ true, now_ms(kept->store) + in_ms };
}

/* The next moment at which something is to be done. */
static void arm(struct draft_store *store)
{
	int64_t next = INT64_MAX, now = now_ms(store);
	for (const struct kept *kept = store->kept; kept; kept = kept->next) {
		int64_t at = INT64_MAX;
		if (kept->request && !store->trouble)
			at = kept->started_ms + DRAFT_HANGS_MS;
		else if (!kept->request && kept->due.set && kept->folder)
			at = kept->due.ms;
		next = at < next ? at : next;
	}
	if (next == INT64_MAX)
		store->options.wake_in(store->options.host, -1);
	else
		store->options.wake_in(store->options.host, next > now ? next - now : 0);
}

/* --- writing --- */

static void on_done(void *ctx, const struct disk_result *result);

static void start(struct kept *kept, struct draft_work *work, const struct disk_stamp *expected)
{
	work->expected = *expected;
	kept->due.set = false;
	kept->started_ms = now_ms(kept->store);
	kept->request = draft_disk_do(kept->store->disk, work, on_done, kept);
}

static void start_save(struct kept *kept)
{
	struct draft_store *store = kept->store;
	struct draft_work *work;
	struct buf text;
	buf_init(&text, DRAFT_FILE_MAX);
	draft_file_write(kept->draft, store->options.writer, &text);
	kept->writing = kept->draft->edition;
	if (text.failed) {
		kept->saved = kept->writing; /* nothing will make it smaller but an edit */
		kept->due.set = false;
		say(store, "the draft %s is too large to be kept on disk",
		    kept->draft->name[0] ? kept->draft->name : kept->draft->source_name);
		buf_wipe(&text);
		buf_release(&text);
		return;
	}
	work = draft_disk_work(DRAFT_DISK_SAVE, kept->folder, kept->id);
	work->len = text.len;
	work->bytes = buf_take(&text);
	start(kept, work, &kept->stamp);
}

/* What is to be done about a file now; false: nothing, and it may be forgotten. */
static bool step(struct kept *kept)
{
	if (kept->request || (kept->draft && !kept->due.set))
		return true;
	if (kept->draft && !is_dirty(kept) && kept->old_folder) {
		start(kept, draft_disk_work(DRAFT_DISK_REMOVE, kept->old_folder, kept->id),
		      &kept->old_stamp);
		return true;
	}
	if (kept->draft) {
		if (kept->folder && is_dirty(kept))
			start_save(kept);
		return true;
	}
	if (!kept->folder || !has_file(&kept->stamp))
		return false;
	start(kept, draft_disk_work(DRAFT_DISK_REMOVE, kept->folder, kept->id), &kept->stamp);
	return true;
}

static void step_due(struct draft_store *store)
{
	struct kept *next;
	int64_t now = now_ms(store);
	for (struct kept *kept = store->kept; kept; kept = next) {
		next = kept->next;
		if ((!kept->due.set || kept->due.ms <= now) && !step(kept))
			forget(store, kept);
	}
}

/* Another program has written the file: it keeps it, and this draft goes on as another one. */
static void part(struct kept *kept)
{
	struct draft_store *store = kept->store;
	char id[DRAFT_ID_SIZE];
	kept->stamp = (struct disk_stamp){ 0 };
	if (!kept->draft)
		return;
	draft_make_id(clock_wall_ms(store->options.clock), 1000 + store->parted++, id);
	memcpy(kept->id, id, sizeof(kept->id));
	store->options.parted(store->options.ctx, kept->draft, id);
	say(store, "another gpuq has changed the draft of %s: both are kept, this one beside it",
	    kept->draft->job.name);
	kept->saved = kept->draft->edition - 1;
	make_due(kept, 0);
}

static void note_failure(struct kept *kept, const struct err *err)
{
	struct buf why;
	buf_init(&why, TEXT_MAX);
	buf_addf(&why, "drafts are not kept on disk: %s: %s", err->subject, err_text(err));
	set_trouble(kept->store, buf_text(&why));
	buf_release(&why);
	make_due(kept, DRAFT_RETRY_MS);
}

static void note_saved(struct kept *kept, const struct draft_work *work)
{
	kept->stamp = work->stamp;
	kept->saved = kept->writing;
	set_trouble(kept->store, NULL);
	if (is_dirty(kept))
		make_due(kept, DRAFT_SAVE_MS);
	else if (kept->old_folder)
		make_due(kept, 0);
}

/* The place has become known meanwhile: it lies where it is to go. */
static void note_passed(struct kept *kept, const struct draft_work *work)
{
	mem_set_text(&kept->old_folder, work->folder);
	kept->old_stamp = work->stamp;
	make_due(kept, 0);
}

static void note_removed(struct kept *kept, const struct disk_result *result)
{
	const struct draft_work *work = result->work;
	if (kept->old_folder && strcmp(kept->old_folder, work->folder) == 0) {
		mem_set_text(&kept->old_folder, NULL);
		if (is_dirty(kept))
			make_due(kept, 0);
		return;
	}
	kept->stamp = (struct disk_stamp){ 0 };
	if (result->err)
		say(kept->store, "a dropped draft will be offered again: %s: %s",
		    result->err->subject, err_text(result->err));
	else if (work->conflict)
		say(kept->store, "a dropped draft stays on disk: another gpuq has changed it");
}

static void note_write(struct kept *kept, const struct disk_result *result)
{
	const struct draft_work *work = result->work;
	if (result->err)
		note_failure(kept, result->err);
	else if (work->conflict)
		part(kept);
	else if (strcmp(kept->folder, work->folder) != 0)
		note_passed(kept, work);
	else
		note_saved(kept, work);
}

static void on_done(void *ctx, const struct disk_result *result)
{
	struct kept *kept = ctx;
	struct draft_store *store = kept->store;
	kept->request = 0;
	if (((struct draft_work *)result->work)->verb == DRAFT_DISK_SAVE)
		note_write(kept, result);
	else
		note_removed(kept, result);
	if (!kept->draft && !step(kept))
		forget(store, kept);
	arm(store);
}

/* --- reading --- */

static void tell_damage(struct draft_store *store, const struct draft_found *found,
			const struct err *err, bool aside)
{
	say(store, "the draft %s/%s.json %s: it %s", store->folder, found->id, err_text(err),
	    aside ? "is set aside as .json.damaged" : "is left as it is");
}

static void set_aside(struct draft_store *store, const struct draft_found *found)
{
	struct draft_work *work = draft_disk_work(DRAFT_DISK_SET_ASIDE, store->folder, found->id);
	work->expected = found->stamp;
	(void)draft_disk_do(store->disk, work, NULL, NULL);
}

static void offer(struct draft_store *store, const struct draft_found *found)
{
	struct draft *draft = NULL;
	struct err err = { 0 };
	enum draft_file_is is = DRAFT_FILE_DAMAGED;
	if (knows_id(store, found->id))
		return;
	if (!found->bytes) {
		tell_damage(store, found, &found->err, false);
		return;
	}
	is = draft_file_read(found->id, found->bytes, found->len, &draft, &err);
	if (is == DRAFT_FILE_OK) {
		struct kept *kept = add(store, draft);
		kept->stamp = found->stamp;
		kept->saved = draft->edition;
		store->options.found(store->options.ctx, draft);
	} else {
		tell_damage(store, found, &err, is == DRAFT_FILE_DAMAGED);
		if (is == DRAFT_FILE_DAMAGED)
			set_aside(store, found);
	}
	err_clear(&err);
}

static void on_loaded(void *ctx, const struct disk_result *result)
{
	struct draft_store *store = ctx;
	const struct draft_work *work = result->work;
	store->loading = 0;
	if (result->err)
		say(store, "drafts of earlier starts cannot be read: %s %s", result->err->subject,
		    err_text(result->err));
	if (work->left_over)
		say(store, "%s holds %zu drafts too many: they are left there", work->folder,
		    work->left_over);
	for (size_t i = 0; i < work->found_count; i++)
		offer(store, &work->found[i]);
	arm(store);
}

/* --- face --- */

struct draft_store *draft_store_new(const struct draft_store_options *options)
{
	struct draft_store *store = mem_new(1, sizeof(*store));
	store->options = *options;
	store->options.writer = mem_copy_text(options->writer);
	store->disk = disk_new();
	options->watch(options->host, disk_fd(store->disk), POLLIN);
	return store;
}

static bool is_writing(const struct draft_store *store)
{
	const struct kept *kept = store->kept;
	while (kept && !kept->request)
		kept = kept->next;
	return kept != NULL;
}

/* What is under way says which version is on disk, and the last write has to know. */
static void wait_for_writes(struct draft_store *store)
{
	struct pollfd ready = { .fd = disk_fd(store->disk), .events = POLLIN };
	for (int i = 0; i < END_TRIES && is_writing(store); i++)
		if (poll(&ready, 1, END_WAIT_MS) > 0)
			disk_ready(store->disk);
}

void draft_store_free(struct draft_store *store)
{
	if (!store)
		return;
	store->ending = true;
	wait_for_writes(store);
	for (struct kept *kept = store->kept; kept; kept = kept->next) {
		if (kept->request)
			disk_forget(store->disk, kept->request);
		else if (is_dirty(kept) && kept->folder)
			start_save(kept);
	}
	store->options.watch(store->options.host, disk_fd(store->disk), 0);
	store->options.wake_in(store->options.host, -1);
	disk_free(store->disk);
	while (store->kept)
		forget(store, store->kept);
	free((char *)store->options.writer);
	free(store->folder);
	free(store->trouble);
	free(store);
}

/* What waits for a place has one now; what lies in a passing one goes with the program. */
static void settle(struct draft_store *store, const char *folder)
{
	for (struct kept *kept = store->kept; kept; kept = kept->next) {
		bool passing = kept->folder && store->passing && store->folder &&
			       strcmp(kept->folder, store->folder) == 0 && kept->draft;
		if (kept->folder && !passing)
			continue;
		if (passing && has_file(&kept->stamp)) {
			mem_set_text(&kept->old_folder, kept->folder);
			kept->old_stamp = kept->stamp;
		}
		mem_set_text(&kept->folder, folder);
		kept->stamp = (struct disk_stamp){ 0 };
		if (kept->draft) {
			kept->saved = kept->draft->edition - 1;
			make_due(kept, 0);
		}
	}
}

void draft_store_open(struct draft_store *store, const char *folder, bool passing)
{
	if (store->folder && strcmp(store->folder, folder) == 0)
		return;
	settle(store, folder);
	mem_set_text(&store->folder, folder);
	store->passing = passing;
	if (store->loading)
		disk_forget(store->disk, store->loading);
	store->loading = draft_disk_do(store->disk, draft_disk_work(DRAFT_DISK_LOAD, folder, NULL),
				       on_loaded, store);
	arm(store);
}

void draft_store_changed(struct draft_store *store, struct draft *draft)
{
	struct kept *kept = find(store, draft);
	if (!kept) {
		kept = add(store, draft);
		kept->saved = draft->edition - 1;
	}
	if (is_dirty(kept) && !kept->request)
		make_due(kept, DRAFT_SAVE_MS);
	arm(store);
}

void draft_store_dropped(struct draft_store *store, const struct draft *draft)
{
	struct kept *kept = find(store, draft);
	if (!kept)
		return;
	kept->draft = NULL;
	kept->due.set = false;
	if (!step(kept))
		forget(store, kept);
	arm(store);
}

bool draft_store_is_here(const struct draft_store *store, const struct draft *draft)
{
	const struct kept *kept = find(store, draft);
	return !kept || !kept->folder || !store->folder || strcmp(kept->folder, store->folder) == 0;
}

size_t draft_store_unsaved(const struct draft_store *store)
{
	size_t count = 0;
	for (const struct kept *kept = store->kept; kept; kept = kept->next)
		count += is_dirty(kept);
	return count;
}

void draft_store_ready(struct draft_store *store)
{
	disk_ready(store->disk);
}

void draft_store_wake(struct draft_store *store)
{
	int64_t now = now_ms(store);
	for (const struct kept *kept = store->kept; kept; kept = kept->next)
		if (kept->request && now - kept->started_ms >= DRAFT_HANGS_MS)
			set_trouble(store,
				    "drafts are not kept on disk: it does not answer; what was "
				    "edited stays in memory");
	step_due(store);
	arm(store);
}
