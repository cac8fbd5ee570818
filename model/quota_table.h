/* The published codes and defaults of the quotas of quota.h; quota_table.c is generated from public
 * facts. Sorted by type (byte order), then kind. */
#ifndef GPUQ_QUOTA_TABLE_H
#define GPUQ_QUOTA_TABLE_H

#include "model/quota.h"

extern const struct quota_row quota_rows[];
extern const size_t quota_row_count;

#endif
