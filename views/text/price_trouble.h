/* Why prices are not those of AWS's list, for stderr. */
#ifndef GPUQ_PRICE_TROUBLE_H
#define GPUQ_PRICE_TROUBLE_H

#include "views/text/command.h"

/* Each reason once; nothing where both lists were read. What is shown is marked with its source all
 * the same, so that this is no failure of the command. */
void price_trouble_tell(const struct command_run *run);

#endif
