#include "views/reload.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/key_settings.h"
#include "views/words.h"

#define OLD_MAX 50 /* of one run: each keeps its texts until the end */

struct reload_old {
	struct config config;
	struct keymap keys;
	struct reload_old *before;
};

static size_t count_old(const struct reload *reload)
{
	size_t count = 0;
	for (const struct reload_old *old = reload->old; old; old = old->before)
		count++;
	return count;
}

static void swap_in(struct reload *reload, struct config *config, struct keymap *keys)
{
	struct reload_old *old = mem_new(1, sizeof(*old));
	*old = (struct reload_old){ *reload->config, *reload->keys, reload->old };
	reload->old = old;
	*reload->config = *config;
	*reload->keys = *keys;
	reload->taken(reload->ctx, &old->config);
}

static void refuse(struct reload *reload, const char *why)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "config not taken, nothing changed: %s", why);
	reload->refused(reload->refused_ctx, buf_text(&text));
	buf_release(&text);
}

void reload_take(struct reload *reload, const char *text, size_t len)
{
	struct config config = { 0 };
	struct keymap keys = { 0 };
	struct err err = { 0 };
	const struct config_problem *first;
	if (!config_read(&config, reload->config->path, text, len, &err)) {
		refuse(reload, err_text(&err));
	} else {
		key_settings_read(&keys, &config);
		if (config_warnings(&config, &first) == 0) {
			swap_in(reload, &config, &keys);
			return;
		}
		refuse(reload, first->text);
	}
	keymap_release(&keys);
	config_release(&config);
	err_clear(&err);
}

static void on_read(void *ctx, const struct disk_result *result)
{
	struct reload *reload = ctx;
	reload->is_reading = false;
	if (result->err)
		refuse(reload, err_text(result->err));
	else
		reload_take(reload, result->bytes, result->len);
}

static void on_disk_ready(int fd, short events, void *ctx)
{
	struct reload *reload = ctx;
	(void)fd;
	(void)events;
	disk_ready(reload->disk);
}

void reload_init(struct reload *reload, struct config *config, struct keymap *keys,
		 void (*taken)(void *ctx, const struct config *before))
{
	reload->config = config;
	reload->keys = keys;
	reload->taken = taken;
}

void reload_start(struct reload *reload)
{
	if (!reload->config->path) {
		refuse(reload, "there is no home folder to look for one");
		return;
	}
	if (count_old(reload) >= OLD_MAX) {
		refuse(reload, "it was taken too often in this run");
		return;
	}
	if (reload->is_reading)
		return;
	if (!reload->disk) {
		reload->disk = disk_new();
		loop_watch(reload->loop, disk_fd(reload->disk), POLLIN, on_disk_ready, reload);
	}
	reload->is_reading = true;
	(void)disk_read(reload->disk, reload->config->path, INI_TEXT_MAX, on_read, reload);
}

void reload_stop(struct reload *reload)
{
	if (reload->disk)
		loop_watch(reload->loop, disk_fd(reload->disk), 0, NULL, NULL);
	disk_free(reload->disk);
	reload->disk = NULL;
	while (reload->old) {
		struct reload_old *old = reload->old;
		reload->old = old->before;
		keymap_release(&old->keys);
		config_release(&old->config);
		free(old);
	}
}
