/* Prices for tests. */
#ifndef GPUQ_TESTS_PRICES_H
#define GPUQ_TESTS_PRICES_H

#include "model/price_book.h"

/* us-east-1 as the dated table has it: AWS's list has not been read. */
extern const struct price_book virginia;

#endif
