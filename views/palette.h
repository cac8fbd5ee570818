/*
 * The command line (`:`): one table of commands, from which completion, help and README are made.
 * palette_pane shows it.
 */
#ifndef GPUQ_PALETTE_H
#define GPUQ_PALETTE_H

#include "views/pane.h"

enum palette_argument { ARGUMENT_NONE, ARGUMENT_PROFILE, ARGUMENT_REGION };

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

#endif
