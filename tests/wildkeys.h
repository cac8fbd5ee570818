/* Keys on the preferences pane as hands press them, by lot: moves, ranks, counts, types typed in
 * the picker, plans, limits, undo and fixes. */
#ifndef GPUQ_TESTS_WILDKEYS_H
#define GPUQ_TESTS_WILDKEYS_H

#include "tests/fakeui.h"

/* Presses what one intention takes, and closes what is left open. Returns the keys pressed. */
unsigned wildkeys_press(struct fakeui *fake, uint32_t *seed);

#endif
