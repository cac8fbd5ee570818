/*
 * Keeps the screen's drafts: on disk (model/draft_store), from files, and in the hands of $EDITOR.
 * Binds the three to the loop.
 */
#ifndef GPUQ_KEEPER_H
#define GPUQ_KEEPER_H

#include "model/draft_store.h"
#include "tui/errand.h"
#include "views/painter.h"

/* {0} with the first three set. */
struct keeper {
	struct loop *loop;         /* borrowed */
	const struct clock *clock; /* borrowed */
	struct painter *painter;   /* borrowed; open before the rest is called */
	/* of keeper.c */
	struct draft_store *store;
	struct disk *disk; /* of the files that people name, and of $EDITOR's */
	struct timer timer;
	char *folder; /* owned; where the state of this place lies; NULL: not known yet */
	struct errand errand;
	char *scratch; /* owned; the folder of the file that is being edited */
	int lock;      /* on it, while scratch is set; -1 = none */
	unsigned edits;
	bool homeless; /* there is no folder for state: it was said */
	char *path;    /* owned; the file that is being read for A */
	char *written; /* owned; the one that is being written for W */
};

/* What a screen asks of it; before keeper_start. */
struct draft_intents keeper_intents(struct keeper *keeper);
void keeper_start(struct keeper *keeper);
/* Where the state of the place lies; passing: as of draft_store_open. NULL: nowhere, and why, which
 * is said once. Nothing before keeper_start. */
void keeper_open(struct keeper *keeper, const char *folder, bool passing, const struct err *err);
/* The terminal is an editor's: what its keys send is not meant for the program. */
bool keeper_has_lent(const struct keeper *keeper);
/* Writes what is not written; before the screen goes. */
void keeper_stop(struct keeper *keeper);

#endif
