#include "model/config_known.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/config_parts.h"

static struct money limit_of(const struct config *config, enum setting_id id)
{
	const struct setting *setting = &config->settings[id];
	return (struct money){ .set = setting->text != NULL, .micro = setting->number };
}

static const char *value_of(const struct ini_section *section, const char *name)
{
	const struct ini_key *key = ini_find_key(section, name);
	return key ? key->value : NULL;
}

/* False: the section is no entry, or one of its values cannot be read. */
static bool read_entry(const struct ini_section *section, const char *name,
		       struct check_certified *entry)
{
	static const struct value_rule count_rule = { VALUE_COUNT, 1, INT32_MAX, NULL };
	static const struct value_rule run_rule = { VALUE_DURATION, 1, INT32_MAX, NULL };
	const char *count = value_of(section, "count"), *run = value_of(section, "run_time");
	*entry = (struct check_certified){ .name = name,
					   .stems = value_of(section, "stems"),
					   .instance_type = value_of(section, "type"),
					   .has_count = count != NULL };
	entry->run.set = run && value_read(&run_rule, run, &entry->run.ms, NULL);
	return section->damage.line == 0 && entry->instance_type && entry->instance_type[0] &&
	       (!count || value_read(&count_rule, count, &entry->count, NULL));
}

struct check_certified *config_fill_known(const struct config *config, struct check_known *known)
{
	static const char word[] = "certified";
	if (!config)
		return NULL;
	struct check_certified *entries = mem_new(config->ini.count + 1, sizeof(*entries));
	size_t count = 0;
	known->max_per_hour = limit_of(config, SETTING_MAX_PER_HOUR);
	known->max_worst_case = limit_of(config, SETTING_MAX_WORST_CASE);
	known->unread_limit = config->unread_limit;
	known->unread_limit_fix = config->unread_limit_fix;
	for (size_t i = 0; config->sections && i < config->ini.count; i++) {
		const struct ini_section *section = &config->ini.sections[i];
		if (config->sections[i].kind == SECTION_OTHER &&
		    strncmp(section->name, word, sizeof(word) - 1) == 0 &&
		    read_entry(section, config->sections[i].name, &entries[count]))
			count++;
	}
	known->certified = count > 0 ? entries : NULL;
	known->certified_count = count;
	return entries;
}
