/* What the key decoder makes of bytes, as names to compare with. */
#ifndef GPUQ_TESTS_TYPED_H
#define GPUQ_TESTS_TYPED_H

#include <stdint.h>

#include "tui/input.h"

#define ESC "\x1b"

/* The names of all keys that are ready at now_ms, blank-separated, a paste as "Paste(text)".
 * Static memory, until the next call. */
const char *typed_names(struct input *input, int64_t now_ms);

/* Feeds a string. */
void typed_feed(struct input *input, const char *bytes, int64_t now_ms);

#endif
