/* Amounts of money as AWS writes them: decimal text. */
#ifndef GPUQ_AMOUNT_H
#define GPUQ_AMOUNT_H

#include "model/price.h"

/* "41872.00" in millionths; half a millionth goes up. Unset for anything else (a sign, an exponent,
 * a group mark, NULL) and for more than fits. */
struct money amount_read(const char *text);

#endif
