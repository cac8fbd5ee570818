/*
 * One command without a screen: what the app must gather first, then a function that writes the
 * result. Commands never talk to AWS; the app does, and fills the store.
 */
#ifndef GPUQ_COMMAND_H
#define GPUQ_COMMAND_H

#include "model/base/clock.h"
#include "model/need.h"
#include "model/diagnosis.h"
#include "model/request.h"
#include "model/store.h"
#include "views/text/options.h"

struct command_run {
	const struct options *options;
	const struct store *store;
	const struct clock *clock;
	const char *region;
	int columns; /* of the terminal that stdout is; 0 = it is none */
	struct terminal_facts terminal;
	struct diagnosis *diagnosis; /* of NEED_DIAGNOSIS; what is no matter of AWS is not in it */
	struct buf *out;             /* stdout */
	struct buf *messages;        /* stderr */
	struct request *request;     /* filled by a command that wants it submitted */
	bool submit;                 /* the app is to submit request (asked first unless --yes) */
};

struct command {
	const char *name;
	const char *arguments; /* "NAME" */
	const char *help;      /* one line */
	const char *example;
	size_t least_args, most_args;
	enum need need;
	const char *const *accepts; /* long names of its own options, NULL at the end */
	/* Returns the exit status. */
	int (*run)(struct command_run *run);
};

/* The command, or NULL. */
const struct command *command_find(const char *name);
/* All commands, in the order of the help. */
const struct command *const *command_all(size_t *count);

/* cmd_config.c, cmd_doctor.c, cmd_jobs.c, cmd_plans.c, cmd_show.c, cmd_submit.c */
extern const struct command command_config, command_doctor, command_jobs, command_plans,
	command_show, command_submit;

/*
 * Shows the request and asks on the terminal, unless --yes. False: nothing is to be sent; status
 * is then the exit status, and messages say why. --read-only refuses.
 */
bool command_may_submit(struct command_run *run, int *status);

/* What the config file got wrong, for stderr: the warnings, or what is no more than a note. */
void command_add_problems(struct buf *messages, const struct config *config, bool warnings);

/* The first warning in one line for a screen, and how many more there are; nothing for none. */
void command_add_first_warning(struct buf *out, const struct config *config);

/* Appends text that came, in part, from a file or from AWS, harmless for a terminal; its line
 * breaks and tabs stay. */
void command_add_outside(struct buf *out, const struct buf *text);

/* Writes out to stdout and messages to stderr; returns the exit status, which says so where the
 * result could not be written. */
int command_finish(const struct buf *out, struct buf *messages, int status);

/* "gpuq: what to what: text. next" for stderr, harmless for a terminal. */
void command_message(struct buf *messages, const struct err *err);

#endif
