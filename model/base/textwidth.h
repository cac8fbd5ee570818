/* What text.c needs to know of single characters; tables made from the facts of Unicode 14. */
#ifndef GPUQ_BASE_TEXTWIDTH_H
#define GPUQ_BASE_TEXTWIDTH_H

#include <stdbool.h>
#include <stdint.h>

/* Adds nothing to the width: combining marks, joiners and other formats, inner Hangul letters. */
bool code_is_zero_width(uint32_t code);

/*
 * Terminals disagree on its width or may not show it at all: emoji, variation selectors, joiners,
 * private use, symbols of ambiguous width. Letters and the glyphs gpuq draws itself are not.
 */
bool code_is_doubtful(uint32_t code);

/*
 * Has no picture of its own, but chooses that of its neighbours or makes one of several: variation
 * selectors and the joiner. Terminals that follow UTS 51 draw those two columns wide, others as
 * wide as their parts, which is what the C library says: a line would end elsewhere than we think.
 */
bool code_is_selector(uint32_t code);

/*
 * Steers the terminal or the order of the text: C0, DEL, C1, bidirectional controls, line and
 * paragraph separators.
 */
bool code_is_control(uint32_t code);

#endif
