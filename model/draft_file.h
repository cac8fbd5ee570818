/*
 * A draft as the text of its file: what is written, and a reader that takes nothing else. Pure; the
 * files themselves are draft_store's.
 */
#ifndef GPUQ_DRAFT_FILE_H
#define GPUQ_DRAFT_FILE_H

#include "model/draft.h"

#define DRAFT_FILE_VERSION 1
#define DRAFT_FILE_MAX     JSON_TEXT_MAX

/* The whole draft but its undo: what it began as, and what it is now. writer: who has written it,
 * for people. out has DRAFT_FILE_MAX as its ceiling and fails beyond it; it holds secrets. */
void draft_file_write(const struct draft *draft, const char *writer, struct buf *out);

enum draft_file_is { DRAFT_FILE_OK, DRAFT_FILE_DAMAGED, DRAFT_FILE_NEWER };
/*
 * Reads what draft_file_write wrote, and nothing else: a member too many, too few or of another
 * kind, another id than its name says, a document that is no request, and it is DAMAGED. NEWER: of
 * a version that this program does not know. Else *draft is the caller's: undo leads to what it
 * began as. err says what is wrong.
 */
enum draft_file_is draft_file_read(const char *id, const char *text, size_t len,
				   struct draft **draft, struct err *err) MUST_CHECK;

#endif
