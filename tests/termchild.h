/*
 * A small screen on the terminal layer, to be run in a pty: it shows the window's size, terminfo's
 * entry and the keys it was given. C empties them, P opens a prompt, B paints every cell anew with
 * each tick, F1 to F4 crash (a signal, abort, no stack left, no memory left), C-c twice leaves.
 */
#ifndef GPUQ_TESTS_TERMCHILD_H
#define GPUQ_TESTS_TERMCHILD_H

#define TERMCHILD_TICK_MS 20 /* the ticks so far are kept in the file that $TICKS names */

/* Words: "busy" begins with B pressed, "deaf" ignores SIGHUP and SIGCONT. Returns 0 after C-c
 * twice, 9 when the terminal has gone, 7 without a screen. */
int termchild_run(char **words);

#endif
