/*
 * The command line (`:`): one table of commands, and every action of the key tables by its name.
 * Completion, help and README are made from them. palette_pane shows it.
 */
#ifndef GPUQ_PALETTE_H
#define GPUQ_PALETTE_H

#include "views/pane.h"

enum palette_argument { ARGUMENT_NONE, ARGUMENT_PROFILE, ARGUMENT_REGION, ARGUMENT_NUMBER };

struct palette_command {
	const char *name;
	enum palette_argument argument;
	const char *help;
	/* argument is "" for ARGUMENT_NONE, else one that there is; the line is closed already. */
	void (*run)(struct ui *ui, const char *argument);
};

/* Ends with a row of NULL name. */
extern const struct palette_command palette_commands[];

/* "NAME", "REGION" or "". */
const char *palette_argument_word(enum palette_argument argument);

/* What may stand first in a line: a command, else an action. */
struct palette_entry {
	const char *name, *help;
	enum palette_argument argument;        /* ARGUMENT_NUMBER may be left out */
	const struct palette_command *command; /* NULL: the next two */
	const struct key_scope *scope;
	const struct key_binding *row;
};

/* The i-th entry of the command table and of these scopes (NULL at the end), without those where
 * text is typed or a question answered, and without actions that are called as a command is. False
 * beyond the last one. */
bool palette_entry(const struct key_scope *const *scopes, size_t i, struct palette_entry *entry);

#define PALETTE_FITS_LAST 3

/* How well a name fits a word: 0 it begins so, 1 it holds it, 2 it has its letters in their order,
 * PALETTE_FITS_LAST its help holds it, more not at all. */
unsigned palette_fit(const struct palette_entry *entry, const char *word);

/* The one entry that the word means: by its name, by a beginning that no other has (a command's
 * first), or by
 * its letters, where no other fits so well; a help alone is no name. */
bool palette_find(const struct key_scope *const *scopes, const char *word,
		  struct palette_entry *entry);

#endif
