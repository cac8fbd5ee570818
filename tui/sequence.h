/* What the escape sequences of terminals mean: xterm, vt220, rxvt and the Linux console. */
#ifndef GPUQ_SEQUENCE_H
#define GPUQ_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/input.h"

/* The key of a whole sequence, given without its ESC: "[1;5A", "OP", "[[A", "[3~". False if it is
 * none that we know. */
bool sequence_key(const char *bytes, size_t len, struct key *key);

#endif
