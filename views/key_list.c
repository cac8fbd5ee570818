#include "views/key_list.h"

#include "views/palette.h"
#include "views/screen.h"

size_t key_list(struct manual_key *out, size_t max)
{
	size_t count = 0;
	for (size_t i = 0; screen_key_scopes[i]; i++) {
		const struct key_scope *scope = screen_key_scopes[i];
		for (const struct key_binding *row = scope->bindings; row->keys; row++)
			if (!(row->flags & KEY_HIDDEN) && count < max)
				out[count++] = (struct manual_key){
					.scope = scope->name,
					.keys = row->keys,
					.help = row->help,
					.asks = row->flags & KEY_CHANGES_CLOUD,
				};
	}
	for (const struct palette_command *row = palette_commands; row->name && count < max; row++)
		out[count++] = (struct manual_key){ .scope = "The command line, behind a colon",
						    .keys = row->name,
						    .help = row->help };
	return count;
}
