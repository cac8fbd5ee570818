#include "views/key_settings.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/screen.h"

#define SECTION "keys"

struct reading {
	struct config *config;
	const struct ini_section *section;
};

static void on_refused(void *ctx, size_t index, const char *why)
{
	struct reading *reading = ctx;
	config_warn_key(reading->config, reading->section, &reading->section->keys[index], why);
}

static const struct key_binding *find_action(const char *action)
{
	for (size_t i = 0; screen_key_scopes[i]; i++)
		for (const struct key_binding *row = screen_key_scopes[i]->bindings; row->keys;
		     row++)
			if (strcmp(row->action, action) == 0)
				return row;
	return NULL;
}

static void note_row(struct config *config, const struct keymap_row *row)
{
	const struct key_binding *binding = find_action(row->action);
	const struct config_keys keys = { .action = row->action,
					  .standard = binding->keys,
					  .help = binding->help,
					  .keys = row->keys,
					  .line = row->line };
	config_add_keys(config, &keys);
}

void key_settings_read(struct keymap *keys, struct config *config)
{
	struct reading reading = { config, config_section(config, SECTION) };
	const struct ini_section *section = reading.section;
	size_t count = section ? section->count : 0;
	struct keymap_line *lines = mem_new(count + 1, sizeof(*lines));
	for (size_t i = 0; i < count; i++)
		lines[i] = (struct keymap_line){ .action = section->keys[i].name,
						 .keys = section->keys[i].value,
						 .line = section->keys[i].line };
	keymap_make(keys, screen_key_scopes, lines, count, on_refused, &reading);
	free(lines);
	for (size_t i = 0; i < keys->count; i++)
		note_row(config, &keys->rows[i]);
}
