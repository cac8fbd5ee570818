/* The generated rows behind model/catalog.h; nothing else includes it. */
#ifndef GPUQ_CATALOG_TABLE_H
#define GPUQ_CATALOG_TABLE_H

#include "model/catalog.h"

extern const struct instance_type catalog_rows[];   /* in catalog order */
extern const unsigned short catalog_rows_by_name[]; /* their indices, sorted by name */
extern const size_t catalog_row_count;

#endif
