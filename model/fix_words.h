/* What the key of a fix does, in words. */
#ifndef GPUQ_FIX_WORDS_H
#define GPUQ_FIX_WORDS_H

#include "model/base/buf.h"
#include "model/check.h"

/* Appends what finding_apply or request_apply_fix makes of it, as a command without its full stop:
 * "remove #2", "set the count of #1 to 4". Of FIX_NONE nothing. */
void fix_words_add(struct buf *out, const struct finding *finding);

#endif
