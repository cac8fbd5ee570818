/* W: the view that has the keys, written to a file. Its name's ending says in which format. */
#ifndef GPUQ_WRITING_H
#define GPUQ_WRITING_H

#include "views/pane.h"
#include "views/text/report.h"

/* Asks for the file's name; it is written by the disk's thread, mode 0600, and over no other file
 * without asking. Says why not where nothing of the view can be written. */
void writing_begin(struct ui *ui);

/* The answer to draft_intents.write_file. */
void writing_told(struct ui *ui, const char *path, const struct err *err);

/* Forgets what is being written; it is written all the same. */
void writing_forget(struct ui *ui);

/*
 * Appends a text of the format that a name ends in, of those that writes names (struct pane_ops):
 * as the view reports it, in Markdown under its title with place and time, the text in a fence.
 * False: it is none of them, and nothing is appended.
 */
bool writing_make(const struct ui *ui, const struct pane_ops *ops, const void *state,
		  const char *name, struct buf *out);

#endif
