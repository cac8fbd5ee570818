/*
 * A program in a terminal: a pty of a given size, libvterm on the other side. Tests type bytes,
 * wait for texts and read the screen back. Nothing sleeps blindly: every wait reads what comes
 * and ends at its deadline.
 */
#ifndef GPUQ_TESTS_SCREEN_H
#define GPUQ_TESTS_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/base/buf.h"

struct pty_options {
	const char *const *argv; /* argv[0] is looked up in PATH; ends with NULL */
	const char *const *env;  /* NAME=VALUE beside or instead of the clean ones; NULL = none */
	int columns, lines;      /* 0 = 80 x 24 */
	bool no_size;            /* the terminal says 0 x 0, as serial lines do */
};

struct pty;

/*
 * Starts a program on a terminal of its own. Its environment: PATH and the sanitizers' options as
 * they are, TERM=xterm-256color, LANG=C.UTF-8, TZ=UTC, HOME=/nonexistent, a folder for state
 * (tests/statehome.h), and options->env. Never NULL: what cannot be set up ends the test with a
 * message.
 */
struct pty *pty_start(const struct pty_options *options);
/* Hangs up, kills what is still there, frees. */
void pty_stop(struct pty *pty);

/* Types bytes at once. */
void pty_type(struct pty *pty, const char *bytes);
void pty_type_bytes(struct pty *pty, const char *bytes, size_t len);
/* Types the first `cut` bytes, reads for gap_ms, types the rest: a slow link. */
void pty_type_cut(struct pty *pty, const char *bytes, size_t cut, int gap_ms);

/* Reads for ms milliseconds. */
void pty_run(struct pty *pty, int ms);
/* Read until the text stands on the screen, or stands there no more; false after within_ms. */
bool pty_wait_text(struct pty *pty, const char *text, int within_ms);
bool pty_wait_no_text(struct pty *pty, const char *text, int within_ms);
/* Reads until more than so many bytes have come in all; false after within_ms. */
bool pty_wait_bytes(struct pty *pty, uint64_t before, int within_ms);
/* Reads until one of the texts (NULL at the end) stands on the screen: its index, the first one's
 * where there are several; -1 after within_ms. */
int pty_wait_any(struct pty *pty, const char *const *texts, int within_ms);
/* Reads until nothing has come for quiet_ms; false after within_ms. */
bool pty_wait_quiet(struct pty *pty, int quiet_ms, int within_ms);
/* Reads until the program has ended; status as of waitpid. False after within_ms. */
bool pty_wait_exit(struct pty *pty, int within_ms, int *status);

/* The screen, a line a '\n', without blanks at the ends of lines. Borrowed until the next call. */
const char *pty_text(struct pty *pty);
const char *pty_line(struct pty *pty, int y);
/* Where a text begins; false if it stands nowhere. x in columns. */
bool pty_find(struct pty *pty, const char *text, int *x, int *y);
bool pty_is_bold(const struct pty *pty, int x, int y);
bool pty_is_reverse(const struct pty *pty, int x, int y);

#define PTY_PLAIN     (-1) /* the terminal's own colour */
#define PTY_CELL_SIZE 32   /* a character with as many marks as libvterm keeps */

/* A cell as it stands on the screen. */
struct pty_cell {
	char text[PTY_CELL_SIZE]; /* UTF-8; "" = blank, or the second half of a wide one */
	int columns;              /* 1 or 2 */
	int front, back;          /* of the 256 colours, or PTY_PLAIN; not swapped by reverse */
	bool bold, underline, reverse;
};
struct pty_cell pty_cell(const struct pty *pty, int x, int y);
/* The cursor's place; false while it is hidden. */
bool pty_cursor(const struct pty *pty, int *x, int *y);
/* Whether the program is in the alternate screen. */
bool pty_is_alternate(const struct pty *pty);

void pty_resize(struct pty *pty, int columns, int lines);
/* From now on the screen stays as it is, and of the bytes the last megabytes are kept: libvterm
 * crashes where a storm of sizes meets its regions. */
void pty_blind(struct pty *pty);
/* Stops reading, as a paused or dead client does; with false reads again. */
void pty_hold(struct pty *pty, bool held);
/* Closes our end: the connection is gone. */
void pty_hang_up(struct pty *pty);
void pty_signal(struct pty *pty, int signo);

pid_t pty_pid(const struct pty *pty);
/* Bytes read so far, and the bytes themselves (the first 16 MiB). */
uint64_t pty_bytes(const struct pty *pty);
const struct buf *pty_raw(const struct pty *pty);

#endif
