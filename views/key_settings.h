/* [keys] of the config: "action = keys", over the key tables of the whole program. */
#ifndef GPUQ_KEY_SETTINGS_H
#define GPUQ_KEY_SETTINGS_H

#include "model/config.h"
#include "tui/keymap.h"

/* Makes the map; what does not count becomes a problem of the config, with the line. Release
 * it. */
void key_settings_read(struct keymap *keys, struct config *config);

#endif
