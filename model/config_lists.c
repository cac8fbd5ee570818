#include "model/config_lists.h"

#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"

#define PREFIX "list "

static void read_list(struct named_list *list, const struct ini_section *section)
{
	const struct ini_key *key = ini_find_key(section, "prefs");
	struct err err = { 0 };
	list->name = section->name + strlen(PREFIX);
	list->text = key ? key->value : "";
	if (!prefs_parse(&list->prefs, list->text, 0, &err))
		(void)snprintf(list->problem, sizeof(list->problem), "%s", err_text(&err));
	err_clear(&err);
}

struct named_list *config_lists(const struct config *config, size_t *count)
{
	struct named_list *lists = NULL;
	size_t capacity = 0;
	*count = 0;
	for (size_t i = 0; config && i < config->ini.count; i++) {
		const struct ini_section *section = &config->ini.sections[i];
		if (strncmp(section->name, PREFIX, strlen(PREFIX)) != 0)
			continue;
		lists = mem_grow(lists, &capacity, *count + 1, sizeof(*lists));
		lists[*count] = (struct named_list){ 0 };
		read_list(&lists[(*count)++], section);
	}
	return lists;
}
