/*
 * The terminal's device: opened anew where possible, so that O_NONBLOCK is ours alone (the
 * descriptors that we were given share it with the shell), its modes, its size.
 */
#ifndef GPUQ_TTY_H
#define GPUQ_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "model/base/err.h"

struct tty {
	int in_fd, out_fd;          /* owned */
	bool in_blocks, out_blocks; /* could not be opened anew: duplicates of shared descriptors */
	struct termios saved;       /* as the user had it */
};

/* Opens in_fd's and out_fd's terminals and saves the modes. ERR_IO if either is no terminal. */
bool tty_open(struct tty *tty, int in_fd, int out_fd, struct err *err) MUST_CHECK;
void tty_close(struct tty *tty);

/* Every key comes at once and as it is, C-c included; C-z still stops the program and C-s C-q are
 * the user's. False if the terminal is gone. */
bool tty_raw(const struct tty *tty);
/* Output that C-s has stopped goes on: Linux starts it where flow control is taken away, until
 * tty_restore. Safe in a signal's handler. */
void tty_start(const struct tty *tty);
/* As it was. Throws away what was typed and not read: it was meant for us, not for a shell. */
void tty_restore(const struct tty *tty);

/* The window's size; false if the terminal does not know it. */
bool tty_size(const struct tty *tty, int *columns, int *lines);

enum tty_result { TTY_SOME, TTY_LATER, TTY_GONE };

/* Neither ever blocks; *done is the bytes read or written with TTY_SOME. */
enum tty_result tty_read(const struct tty *tty, char *bytes, size_t size, size_t *done);
enum tty_result tty_write(const struct tty *tty, const char *bytes, size_t len, size_t *done);

#endif
