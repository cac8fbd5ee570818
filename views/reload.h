/*
 * The config file, read anew while the dashboard runs. Only a file without a fault is taken: one
 * that cannot be read, or with anything to warn of, changes nothing and is told.
 */
#ifndef GPUQ_RELOAD_H
#define GPUQ_RELOAD_H

#include "model/base/disk.h"
#include "model/config.h"
#include "tui/keymap.h"
#include "tui/loop.h"

struct reload_old; /* what was in use before: texts of it are borrowed all over */

/* {0} with the first ones set. */
struct reload {
	struct loop *loop;     /* borrowed */
	struct config *config; /* in use: changed in place. Borrowed, as the next */
	struct keymap *keys;
	/* Works the settings out anew: both are the file's by now. */
	void (*taken)(void *ctx, const struct config *before);
	/* Nothing is changed, and why. */
	void (*refused)(void *ctx, const char *why);
	void *refused_ctx;
	void *ctx; /* of taken */
	/* of reload.c */
	struct disk *disk;
	struct reload_old *old;
	bool is_reading;
};

/* The owner's part of one that is {0}. */
void reload_init(struct reload *reload, struct config *config, struct keymap *keys,
		 void (*taken)(void *ctx, const struct config *before));
/* Reads the file; the answer comes later. While one is under way, and where no file was ever looked
 * for, there is no other. */
void reload_start(struct reload *reload);
/* Ends it; what was in use before goes too. */
void reload_stop(struct reload *reload);

/* Takes a text as that of the file, or refuses it. For reload_start, and for tests. */
void reload_take(struct reload *reload, const char *text, size_t len);

#endif
