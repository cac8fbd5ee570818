#include "views/text/options.h"

#include <string.h>

static bool is_same(const struct config *config, const struct config *before, int id)
{
	const char *now = config->settings[id].text, *old = before->settings[id].text;
	return now == old || (now && old && strcmp(now, old) == 0);
}

static void add_waiting(struct buf *said, const struct config *config, const struct config *before)
{
	size_t count = 0;
	for (int id = 0; id < SETTING_COUNT; id++)
		if (setting_row((enum setting_id)id)->at_start && !is_same(config, before, id))
			buf_addf(said, "%s%s", count++ == 0 ? "; at the next start: " : ", ",
				 setting_row((enum setting_id)id)->name);
}

bool options_anew(struct options *options, struct config *config, const struct config *before,
		  struct buf *said)
{
	bool was_read_only = options->read_only;
	options_decide(options, config);
	buf_add_text(said, "the config is taken");
	add_waiting(said, config, before);
	/* Sections of another profile are not for the one in use. */
	if (!is_same(config, before, SETTING_PROFILE)) {
		options->given[SETTING_PROFILE] = config_profile(before);
		options_decide(options, config);
	}
	if (!is_same(config, before, SETTING_REGION) && before->settings[SETTING_REGION].text) {
		options->given[SETTING_REGION] = before->settings[SETTING_REGION].text;
		options_decide(options, config);
	}
	if (was_read_only && !options->read_only)
		buf_add_text(said, "; read-only until the next start");
	else if (!was_read_only && options->read_only)
		buf_add_text(said, "; read-only from now on");
	options->read_only |= was_read_only;
	return options->read_only;
}
