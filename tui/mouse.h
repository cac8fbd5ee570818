/*
 * What a terminal tells of its mouse, in the SGR form (XTerm Control Sequences, "Extended
 * coordinates"). Pure: bytes in, a press, a move with the button held, a release or a turn of the
 * wheel out.
 */
#ifndef GPUQ_MOUSE_H
#define GPUQ_MOUSE_H

#include <stdbool.h>
#include <stddef.h>

enum mouse_act { MOUSE_PRESS, MOUSE_DRAG, MOUSE_RELEASE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct mouse {
	enum mouse_act act;
	int x, y; /* the cell, from 0 */
};

#define MOUSE_CELLS_MAX 10000 /* a place beyond is none */

/* Presses, moves while a button is held, the wheel; in numbers of any size. */
#define MOUSE_ON  "\x1b[?1000h\x1b[?1002h\x1b[?1006h"
#define MOUSE_OFF "\x1b[?1006l\x1b[?1002l\x1b[?1000l"

/* Reads a whole sequence, given without its ESC: "[<0;12;5M". False for every other button than the
 * left one, with a modifier (that is the terminal's own), and for what is no such sequence. */
bool mouse_read(const char *bytes, size_t len, struct mouse *mouse);

#endif
