/* The named lists of the operator's own config: [list NAME] with prefs, in the order of the file.
 */
#ifndef GPUQ_CONFIG_LISTS_H
#define GPUQ_CONFIG_LISTS_H

#include "model/config.h"
#include "model/preferences.h"

struct named_list {
	const char *name, *text;  /* borrowed from the config */
	struct preferences prefs; /* valid where problem is "" */
	char problem[256];        /* why the list cannot be used; "" = it can */
};

/* All of them, to be freed with free(); NULL and 0 where there are none. config NULL: none. */
struct named_list *config_lists(const struct config *config, size_t *count);

#endif
