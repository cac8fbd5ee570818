/*
 * Messages for the terminal itself, which shows them beside its window: OSC 9 and OSC 777, of which
 * each terminal knows one or neither. Nothing of the text is taken for a sequence.
 */
#ifndef GPUQ_OSC_H
#define GPUQ_OSC_H

#include "model/base/buf.h"

#define OSC_TEXT_MAX 240 /* bytes of a text that are sent */

/* ESC ] 9 ; TEXT ST. Text does not begin with a digit: 9;4 is a bar of progress to some. */
void osc_add_9(struct buf *out, const char *text);
/* ESC ] 777 ; notify ; TITLE ; TEXT ST */
void osc_add_777(struct buf *out, const char *title, const char *text);

#endif
