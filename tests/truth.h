/* Whether the dashboard shows what the region knows: its list of jobs against the state. */
#ifndef GPUQ_TESTS_TRUTH_H
#define GPUQ_TESTS_TRUTH_H

#include <stdbool.h>

#include "model/base/buf.h"
#include "tests/region.h"
#include "tests/screen.h"

/*
 * True if the header counts the pending and running jobs that the region has, and every job that
 * has a row in sight stands there with its kind, phase, rank and type. The phases are worked out
 * here from the statuses. False with what differs first in `difference`.
 */
bool truth_is_shown(struct pty *pty, const struct region *region, struct buf *difference);

#endif
