#include "tests/prices.h"

const struct price_book virginia = { .region = "us-east-1" };
