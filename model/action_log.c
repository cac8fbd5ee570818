#include "model/action_log.h"

#include <stdlib.h>
#include <string.h>

#include "model/action_disk.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define WAITING_MAX                                                                  \
	(256u << 10) /* of lines while the disk takes none; further ones are dropped \
		      */

static void tell(struct action_log *log, const struct err *err)
{
	if (!log->is_told && log->told)
		log->told(log->ctx, err);
	log->is_told = true;
}

static void change(const struct action_log *log)
{
	log->store->version++;
	if (log->changed)
		log->changed(log->ctx);
}

/* --- writing --- */

static void flush(struct action_log *log);

static void take_back(struct action_log *log)
{
	struct buf lines;
	buf_init(&lines, WAITING_MAX);
	buf_add_text(&lines, log->on_way);
	buf_add(&lines, buf_text(&log->waiting), log->waiting.len);
	buf_release(&log->waiting);
	log->waiting = lines;
}

/* A disk that refuses them is asked again with the next ones. */
static void on_written(void *ctx, const struct disk_result *result)
{
	struct action_log *log = ctx;
	log->write_id = 0;
	if (result->err) {
		take_back(log);
		tell(log, result->err);
	}
	free(log->on_way);
	log->on_way = NULL;
	if (!result->err)
		flush(log);
}

static void flush(struct action_log *log)
{
	if (!log->folder || log->write_id || log->waiting.len == 0)
		return;
	log->on_way = mem_copy_text(buf_text(&log->waiting));
	buf_clear(&log->waiting);
	log->write_id = action_disk_do(log->disk, log->folder, log->on_way, on_written, log);
}

void action_log_add(struct action_log *log, const struct action *action)
{
	struct action whole = *action;
	if (whole.at_ms == 0)
		whole.at_ms = store_now_ms(log->store, log->clock);
	if (!whole.by[0])
		text_copy_cut(whole.by, sizeof(whole.by), log->by);
	actions_add(&log->store->actions, &whole);
	log->added++;
	if (!log->waiting.data)
		buf_init(&log->waiting, WAITING_MAX);
	action_write(&whole, &log->waiting);
	flush(log);
	change(log);
}

/* --- reading --- */

/* What was added since the reading was asked for is not in the file yet. */
static void on_read(void *ctx, const struct disk_result *result)
{
	struct action_log *log = ctx;
	const struct action_work *work = result->work;
	struct actions *actions = &log->store->actions;
	size_t kept = log->added < actions->count ? log->added : actions->count;
	log->read_id = 0;
	log->is_read = actions->is_read = true;
	if (result->err)
		tell(log, result->err);
	else
		actions_replace(actions, work->actions.items, work->actions.count, kept);
	change(log);
}

/* Lines that the disk has refused are in no file: they would be lost to the eye. */
static void read_files(struct action_log *log)
{
	if (log->read_id || (log->is_read && (log->write_id || log->waiting.len > 0)))
		return;
	log->read_ms = clock_mono_ms(log->clock);
	log->read_id = action_disk_do(log->disk, log->folder, NULL, on_read, log);
	if (log->is_read)
		log->added = 0;
}

void action_log_look(struct action_log *log)
{
	if (log->folder && clock_mono_ms(log->clock) - log->read_ms >= ACTION_LOOK_MS)
		read_files(log);
}

/* --- the owner's side --- */

void action_log_open(struct action_log *log, struct disk *disk, const char *folder, bool passing)
{
	log->disk = disk;
	if (passing || log->folder) {
		mem_set_text(&log->passing, folder);
		return;
	}
	mem_set_text(&log->folder, folder);
	read_files(log);
	flush(log);
}

void action_log_leave(struct action_log *log)
{
	if (log->write_id)
		disk_forget(log->disk, log->write_id);
	if (log->read_id)
		disk_forget(log->disk, log->read_id);
	if (log->waiting.len > 0 && (log->folder || log->passing))
		(void)action_disk_do(log->disk, log->folder ? log->folder : log->passing,
				     buf_text(&log->waiting), NULL, NULL);
	buf_release(&log->waiting);
	free(log->on_way);
	free(log->folder);
	free(log->passing);
	log->on_way = log->folder = log->passing = NULL;
	log->write_id = log->read_id = 0;
	log->added = 0;
	log->is_read = log->is_told = false;
	log->disk = NULL;
}
