/*
 * What keys do to whole drafts: cloned from a job, read from a file, edited in $EDITOR, given a
 * named list, one that is suggested, or a note. Nothing here changes AWS.
 */
#ifndef GPUQ_DRAFTING_H
#define GPUQ_DRAFTING_H

#include "views/pane.h"

void drafting_clone(struct ui *ui);
void drafting_open_file(struct ui *ui);
void drafting_edit_request(struct ui *ui);
void drafting_named_list(struct ui *ui);
void drafting_suggest(struct ui *ui);
void drafting_note(struct ui *ui);

/* Answers: what the file holds / what the editor has left; err NULL: it went well. */
void drafting_file_read(struct ui *ui, const char *path, const char *text, size_t len,
			const struct err *err);
void drafting_edited(struct ui *ui, const char *text, size_t len, const struct err *err);
/* Wipes what was handed to the editor and not taken back. */
void drafting_forget(struct ui *ui);

#endif
