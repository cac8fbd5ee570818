/*
 * The terminal's last way out: when the program crashes or runs out of memory, a string that was
 * made before is written and the old modes are set. Safe in a signal handler. One per process.
 */
#ifndef GPUQ_RESCUE_H
#define GPUQ_RESCUE_H

#include <stddef.h>

#include "tui/tty.h"

#define RESCUE_BYTES 512

/* Arms it: from now on SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL and SIGQUIT put the terminal
 * right and then do what they did before. Copies everything; may be called again. */
void rescue_arm(const struct tty *tty, const char *restore, size_t len);

/* Gives the signals back. */
void rescue_disarm(void);

/* Puts the terminal right, once; nothing if it is not armed. For mem_on_exhausted. */
void rescue_now(void);

#endif
