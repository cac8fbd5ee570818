#include "aws/history_work.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "model/base/mem.h"

#define FILL_FACT "filled"

struct history_file {
	atomic_uint users;
	char *folder; /* owned */
	int lock_ms;
	struct history_db *db; /* of the thread */
};

struct history_file *history_file_new(const char *folder, int lock_ms)
{
	struct history_file *file = mem_new(1, sizeof(*file));

	atomic_init(&file->users, 1);
	file->folder = mem_copy_text(folder);
	file->lock_ms = lock_ms;
	return file;
}

/* The last one has nobody beside it: on either thread the file is its own. */
void history_file_free(struct history_file *file)
{
	if (!file || atomic_fetch_sub(&file->users, 1) != 1)
		return;
	history_db_close(file->db);
	free(file->folder);
	free(file);
}

/* --- on the thread --- */

/* Another program may have put a new file in its place, and what could not be written may be
 * writable by now. */
static bool open_file(struct history_work *work)
{
	struct history_file *file = work->file;

	if (file->db && !history_db_is_read_only(file->db) && !history_db_is_gone(file->db))
		return true;
	history_db_close(file->db);
	file->db = history_db_open(file->folder, file->lock_ms, &work->told);
	return file->db != NULL;
}

/* What can still be read of a damaged file is not worth a half-read answer: a new one is begun. */
static void renew(struct history_work *work)
{
	struct history_file *file = work->file;

	if (!file->db || !history_db_is_damaged(file->db))
		return;
	history_db_close(file->db);
	history_told_release(&work->told);
	file->db = history_db_renew(file->folder, file->lock_ms, &work->told);
}

static bool run_verb(struct history_work *work, struct err *err)
{
	struct history_db *db = work->file->db;

	switch (work->verb) {
	case HISTORY_LOAD_SINCE:
		if (work->part.skip == 0)
			work->fill = history_db_fact(db, FILL_FACT, err);
		return err->code == ERR_NONE &&
		       history_db_load_since(db, &work->part, &work->list, &work->count, err);
	case HISTORY_LOAD_ALL:
		return history_db_load_all(db, &work->history, err);
	case HISTORY_SAVE:
		return history_db_save(db, work->list, work->count, err) &&
		       history_db_save_refusals(db, work->refusals, work->refusal_count, err) &&
		       history_db_save_notes(db, work->notes, work->note_count, work->notes_ms,
					     err) &&
		       (!work->fill || history_db_set_fact(db, FILL_FACT, work->fill, err));
	}
	return false;
}

static void run(void *self, struct err *ignored)
{
	struct history_work *work = self;
	struct err err = { 0 };

	(void)ignored;
	if (!open_file(work))
		return;
	work->is_done = run_verb(work, &err);
	work->is_kept = work->is_done && !history_db_is_read_only(work->file->db);
	if (err.code != ERR_NONE) {
		err_move(&work->told.err, &err);
		renew(work);
	}
	err_clear(&err);
}

void history_work_free(struct history_work *work)
{
	recorded_free(work->list, work->count);
	history_release(&work->history);
	history_told_release(&work->told);
	free(work->fill);
	free(work->refusals);
	for (size_t i = 0; i < work->note_count; i++) {
		free(work->notes[i].name);
		free(work->notes[i].text);
	}
	free(work->notes);
	history_file_free(work->file);
	free(work);
}

static void free_work(void *self)
{
	history_work_free(self);
}

/* --- on the caller's --- */

void history_work_run(struct disk *disk, struct history_work *work, disk_done_fn *done, void *ctx)
{
	const struct disk_work errand = { .run = run, .free = free_work, .self = work };

	atomic_fetch_add(&work->file->users, 1);
	disk_run(disk, &errand, done, ctx);
}
