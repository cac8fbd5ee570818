/* How far money goes. */
#ifndef GPUQ_SPEND_H
#define GPUQ_SPEND_H

#include "model/price.h"

/* How long that much pays for at per_hour, in whole seconds; unset without a price, for one of 0,
 * and where it is too long to say. */
struct opt_ms spend_time(struct money budget, struct money per_hour);

#endif
