/* Breaks one paragraph of sanitised text into lines of at most some columns, at blanks. */
#ifndef GPUQ_WRAP_H
#define GPUQ_WRAP_H

#include <stddef.h>

/*
 * The first line of text[0..len), which holds no '\n': returns its bytes and puts where the next
 * line begins into *next (len at the end; always above 0 when len is). A word longer than the
 * line is cut; blanks at a break are dropped, those at the front are kept.
 */
size_t wrap_line(const char *text, size_t len, int columns, size_t *next);

#endif
