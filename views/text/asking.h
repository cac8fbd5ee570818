/* What is asked on the terminal before a command changes something, and where that is refused. */
#ifndef GPUQ_ASKING_H
#define GPUQ_ASKING_H

#include "views/text/command.h"

/* Before anything else: --read-only, or no terminal to ask on and no --yes (status 2, and messages
 * say why). */
bool asking_may_change(struct command_run *run, int *status);

/*
 * Writes what has been said so far and the question to the terminal, and waits for a line: only
 * the words of typed ("y", or a name) are a yes. What was typed before does not answer. With --yes
 * it is true at once.
 */
bool asking_agrees(struct command_run *run, const struct buf *question, const char *typed);
/* The same for what --yes does not answer; false without a terminal. */
bool asking_word(struct command_run *run, const struct buf *question, const char *typed);

#endif
