/*
 * Runs one command: what it needs of AWS is gathered by the host, then it writes its result. The
 * host talks to AWS; this knows the order of things, and what is asked before a change.
 */
#ifndef GPUQ_RUNNER_H
#define GPUQ_RUNNER_H

#include "model/order.h"
#include "model/intents.h"
#include "model/journal.h"
#include "views/text/command.h"

struct runner_host {
	/* Gathers what the command needs; then runner_gathered. */
	void (*gather)(void *host, enum need need);
	/* What changes AWS; then runner_created, runner_stopped for each, runner_requeued at each
	 * step. */
	struct cloud_intents cloud;
	/* The command goes on: runner_look now and with each change; what it writes goes out as it
	 * comes. */
	void (*follow)(void *host);
	/* It is over, with that exit status. */
	void (*end)(void *host, int status);
	void *host;
};

/* run is filled by the owner but for what a command fills; released by the owner. */
struct runner {
	const struct command *command;
	struct command_run run;
	struct runner_host host;
	struct err failure; /* why it failed; the owner tells and clears it */
	int status;
};

/* What the command has filled but for the request. */
void runner_release(struct runner *runner);
/* False: it is over without AWS, status says how. True: connect. */
bool runner_start(struct runner *runner);
/* The command has a request to be sent; key: of its record in the journal. */
bool runner_submits(const struct runner *runner, char key[JOURNAL_KEY_SIZE]);
/* There is a connection, or none and why. */
void runner_connected(struct runner *runner);
/* What takes its time, told at once where stderr is a terminal. */
void runner_progress(const char *text);
void runner_failed(struct runner *runner, const struct err *err);
/* Answers to the host's doing; err NULL: it went well. */
void runner_gathered(struct runner *runner, const struct err *err);
void runner_created(struct runner *runner, const char *arn, const struct err *err);
/* Of one that an earlier run began, too. */
void runner_requeued(struct runner *runner, const struct requeue_told *told);
/* C-c, and what is under way may be at AWS. */
void runner_interrupted(struct runner *runner);
void runner_stopped(struct runner *runner, const struct stop_result *result);
/* The job is to be described: a live one, one that uses a quota, or of a command that goes on for
 * ever one whose end is to be told with what it got. */
bool runner_wants(const struct runner *runner, const struct job *job);
/* Lets a command that goes on look at the store. False: it has ended by that. */
bool runner_look(struct runner *runner);

/* The dashboard (without a command) and the commands that tell of it. */
static inline bool runner_reads_history(const struct runner *runner)
{
	enum need need = runner->command ? runner->command->need : NEED_HISTORY;
	return need == NEED_HISTORY || need == NEED_HISTORY_FEES || need == NEED_JOBS ||
	       need == NEED_WATCH || need == NEED_JOB_HISTORY || need == NEED_EXPLAIN;
}

/* The commands that say at their end what has become of the history's file. */
static inline bool runner_tells_history(const struct runner *runner)
{
	enum need need = runner->command ? runner->command->need : NEED_NOTHING;
	return need == NEED_HISTORY || need == NEED_HISTORY_FEES || need == NEED_EXPLAIN;
}

/* Who goes by who signs: what is kept lies in a folder of the account. */
static inline bool runner_wants_identity(const struct runner *runner)
{
	return runner_reads_history(runner) || runner->command->submits ||
	       runner->command->changes || runner->command->need == NEED_ACTIONS;
}

#endif
