/* Shared by the files of model/config only. */
#ifndef GPUQ_CONFIG_PARTS_H
#define GPUQ_CONFIG_PARTS_H

#include "model/config.h"

/* The rows, by setting_id. */
extern const struct setting_row setting_rows[SETTING_COUNT];

enum section_kind { SECTION_NONE, SECTION_GENERAL, SECTION_PROFILE, SECTION_RULE, SECTION_OTHER };

struct config_section {
	enum section_kind kind;
	char *name; /* owned: "ops" of [profile ops]; NULL: none */
};

/* Says what each section is, and finds everything that is wrong with them. */
void config_check(struct config *config);

/* line 0: the file as a whole. key "": none. Takes text. */
void config_add_problem(struct config *config, bool is_warning, const struct ini_section *section,
			size_t line, const char *key, struct buf *text);

/* As written, it may be a slip of that name. */
bool config_is_near(const char *written, const char *name);

/* The section of the profile; NULL: there is none. */
const struct ini_section *config_find_profile(const struct config *config, const char *name);

#endif
