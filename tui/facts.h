/* What there is to know of this process's terminal without a screen on it. */
#ifndef GPUQ_TUI_FACTS_H
#define GPUQ_TUI_FACTS_H

#include "model/base/terminal.h"

/* Asks the environment, terminfo and the tty; writes nothing. Not while a screen is open. */
void term_facts(struct terminal_facts *facts);

#endif
