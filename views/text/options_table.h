/*
 * The rows of the command line's options, for what is made from them: help, manual, completions.
 */
#ifndef GPUQ_OPTIONS_TABLE_H
#define GPUQ_OPTIONS_TABLE_H

#include "views/text/command.h"

struct option_row {
	int id;      /* of options.c */
	char letter; /* 0 = none */
	const char *name;
	const char *value; /* what it takes, NULL = nothing */
	bool own;          /* of single commands: shown in their help */
	const char *help;
};

/* The row at a place, in the order of the help; NULL behind the last. Static. */
const struct option_row *options_row(size_t i);
/* By its long name, which need not end there, or by its letter; NULL: there is none. */
const struct option_row *options_find(const char *name, size_t len);
const struct option_row *options_find_letter(char letter);

/* Whether a command has an option of its own by that name. command NULL: none has. */
bool command_accepts(const struct command *command, const char *name);

/* "-o, --output FORMAT" as the help shows it, with blanks in the place of a missing letter. */
#define OPTION_SHOWN_SIZE 64
void option_show(const struct option_row *row, char out[OPTION_SHOWN_SIZE]);

#endif
