#include "aws/file_watch.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

struct watched {
	struct file_watch *watch;
	char *path;
	struct disk_stamp stamp;
	bool seen;
	uint64_t asked; /* id of the stat under way; 0 = none */
};

struct file_watch {
	struct disk *disk;
	struct waiter waiter;
	struct wait_hooks hooks;
	struct watched files[FILE_WATCH_MAX];
	size_t count;
	bool differs;
	void (*changed)(void *ctx);
	void *ctx;
};

static bool is_under_way(const struct file_watch *watch)
{
	for (size_t i = 0; i < watch->count; i++)
		if (watch->files[i].asked != 0)
			return true;
	return false;
}

/* One that is not there has the stamp of zeros: it may come. */
static void on_stat(void *ctx, const struct disk_result *result)
{
	struct watched *file = ctx;
	struct file_watch *watch = file->watch;
	file->asked = 0;
	if (file->seen && !disk_stamp_equal(&file->stamp, &result->stamp))
		watch->differs = true;
	file->seen = true;
	file->stamp = result->stamp;
	if (is_under_way(watch))
		return;
	watch->hooks.wake_in(watch->hooks.host, FILE_WATCH_MS);
	if (watch->differs) {
		watch->differs = false;
		watch->changed(watch->ctx);
	}
}

static void ask(struct watched *file)
{
	file->asked = disk_stat(file->watch->disk, file->path, on_stat, file);
}

static void on_wake(void *ctx)
{
	struct file_watch *watch = ctx;
	for (size_t i = 0; i < watch->count; i++)
		if (watch->files[i].asked == 0)
			ask(&watch->files[i]);
}

struct file_watch *file_watch_new(struct waits *waits, struct disk *disk,
				  void (*changed)(void *ctx), void *ctx)
{
	struct file_watch *watch = mem_new(1, sizeof(*watch));
	watch->disk = disk;
	watch->changed = changed;
	watch->ctx = ctx;
	watch->waiter = (struct waiter){ .wake = on_wake, .ctx = watch };
	watch->hooks = waits_add(waits, &watch->waiter);
	return watch;
}

void file_watch_add(struct file_watch *watch, const char *path)
{
	for (size_t i = 0; i < watch->count; i++)
		if (strcmp(watch->files[i].path, path) == 0)
			return;
	if (watch->count == FILE_WATCH_MAX)
		return;
	struct watched *file = &watch->files[watch->count++];
	*file = (struct watched){ .watch = watch, .path = mem_copy_text(path) };
	ask(file);
}

void file_watch_clear(struct file_watch *watch)
{
	for (size_t i = 0; i < watch->count; i++) {
		if (watch->files[i].asked != 0)
			disk_forget(watch->disk, watch->files[i].asked);
		free(watch->files[i].path);
	}
	watch->count = 0;
	watch->differs = false;
	watch->hooks.wake_in(watch->hooks.host, -1);
}

void file_watch_free(struct file_watch *watch)
{
	if (!watch)
		return;
	file_watch_clear(watch);
	waits_remove(&watch->waiter);
	free(watch);
}
