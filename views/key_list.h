/* All keys and commands of the dashboard in one list, for the manual. */
#ifndef GPUQ_KEY_LIST_H
#define GPUQ_KEY_LIST_H

#include "views/text/manual.h"

/* In the order of the help; at most max are written. Returns how many. */
size_t key_list(struct manual_key *out, size_t max);

#endif
