/*
 * What the operator's own config adds to what is known when a request is checked: limits of money,
 * and the entries that are certified for a stem.
 */
#ifndef GPUQ_CONFIG_KNOWN_H
#define GPUQ_CONFIG_KNOWN_H

#include "model/check.h"
#include "model/config.h"

/*
 * Sets max_per_hour, max_worst_case (or what cannot be read of them) and the certified entries of
 * known; its texts are borrowed from the config. Returns the entries, which outlive known: free()
 * them. A section that cannot be read counts as none (it is named at each start). config NULL:
 * nothing is set.
 */
struct check_certified *config_fill_known(const struct config *config, struct check_known *known);

#endif
