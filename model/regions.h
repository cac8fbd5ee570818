/*
 * The regions by name, for completion: those that AWS's endpoint rules list. A region can be newer
 * than this table, so no name is refused for not being in it.
 */
#ifndef GPUQ_REGIONS_H
#define GPUQ_REGIONS_H

#include <stdbool.h>

/* Commercial ones first, then China, GovCloud and the European sovereign cloud; NULL at the end. */
extern const char *const region_names[];

/* Whether a text has the form of a region: words parted by hyphens and a number, "us-gov-west-1".
 */
bool region_has_form(const char *text);

#endif
