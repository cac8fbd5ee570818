/* What the sections of the config file are, and what is wrong with them. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/shellwords.h"
#include "model/base/text.h"
#include "model/config_parts.h"
#include "model/config_rules.h"

#define PROBLEM_MAX 4096
#define SHOWN_MAX   120 /* bytes of a section's name */
#define NEAR_MAX    2   /* slips of a key */

/* A key of a section that is no setting. */
struct key_row {
	const char *name;
	struct value_rule rule;
	bool is_needed;
};

#define RUN_MAX_S (3650 * 86400)

static const struct key_row list_keys[] = {
	{ "prefs", { VALUE_PREFS, 0, 0, NULL }, true },
	{ 0 },
};

static const struct key_row certified_keys[] = {
	{ "type", { VALUE_TYPE, 0, 0, NULL }, true },
	{ "count", { VALUE_COUNT, 1, 100000, NULL }, false },
	{ "run_time", { VALUE_DURATION, 1, RUN_MAX_S, NULL }, false },
	{ "stems", { VALUE_WORDS, 0, 0, NULL }, false },
	{ 0 },
};

static const struct key_row rule_keys[] = {
	{ "on", { VALUE_TEXT, 0, 0, NULL }, true },
	{ "do", { VALUE_TEXT, 0, 0, NULL }, true },
	{ "quiet", { VALUE_TEXT, 0, 0, NULL }, false },
	{ "jobs", { VALUE_TEXT, 0, 0, NULL }, false },
	{ 0 },
};

struct section_form {
	const char *word;
	bool is_named; /* [WORD NAME], else [WORD] */
	enum section_kind kind;
	const struct key_row *keys; /* NULL: settings, or of [keys] actions that others know */
};

static const struct section_form forms[] = {
	{ "profile", true, SECTION_PROFILE, NULL },
	{ "list", true, SECTION_OTHER, list_keys },
	{ "certified", true, SECTION_OTHER, certified_keys },
	{ "rule", true, SECTION_RULE, rule_keys },
	{ "keys", false, SECTION_OTHER, NULL },
};

/* --- problems --- */

void config_add_problem(struct config *config, bool is_warning, const struct ini_section *section,
			size_t line, const char *key, struct buf *text)
{
	struct buf whole;
	buf_init(&whole, PROBLEM_MAX);
	if (line > 0)
		buf_addf(&whole, "line %zu", line);
	if (section && section->name[0])
		buf_addf(&whole, ", [%.*s]", SHOWN_MAX, section->name);
	if (key[0])
		buf_addf(&whole, "%s %s", section && section->name[0] ? "" : ",", key);
	buf_addf(&whole, "%s%s", whole.len > 0 ? ": " : "", buf_text(text));
	buf_release(text);
	if (config->problem_count == CONFIG_PROBLEMS_MAX) {
		config->problems_left_out++;
		buf_release(&whole);
		return;
	}
	config->problems = mem_grow(config->problems, &config->problem_capacity,
				    config->problem_count + 1, sizeof(*config->problems));
	config->problems[config->problem_count++] =
		(struct config_problem){ is_warning, line, buf_take(&whole) };
}

/* About a key, or about a section where key is NULL. */
static void say(struct config *config, bool is_warning, const struct ini_section *section,
		const struct ini_key *key, const char *words)
{
	struct buf text;
	buf_init(&text, PROBLEM_MAX);
	buf_add_text(&text, words);
	config_add_problem(config, is_warning, section, key ? key->line : section->line,
			   key ? ini_shown_key(key->name) : "", &text);
}

/* Short names have fewer slips. */
bool config_is_near(const char *written, const char *name)
{
	unsigned slips = text_distance(written, name, NEAR_MAX);
	return slips <= NEAR_MAX && 2 * (size_t)slips <= strlen(name);
}

static void add_near(struct buf *text, const char *name)
{
	buf_addf(text, "%s%s", strstr(text->data, "did you mean") ? " or " : "; did you mean ",
		 name);
}

/* --- keys --- */

static void check_value(struct config *config, const struct ini_section *section,
			const struct ini_key *key, const struct value_rule *rule)
{
	struct buf wrong;
	int64_t number;
	buf_init(&wrong, PROBLEM_MAX);
	if (value_read(rule, key->value, &number, &wrong))
		buf_release(&wrong);
	else
		config_add_problem(config, true, section, key->line, key->name, &wrong);
}

static void refuse_key(struct config *config, const struct ini_section *section,
		       const struct ini_key *key, struct buf *text)
{
	if (strstr(buf_text(text), "did you mean"))
		buf_add_char(text, '?');
	config_add_problem(config, true, section, key->line, ini_shown_key(key->name), text);
}

static void refuse_setting(struct config *config, const struct ini_section *section,
			   const struct ini_key *key)
{
	struct buf text;
	buf_init(&text, PROBLEM_MAX);
	buf_add_text(&text, "there is no such setting");
	for (int i = 0; i < SETTING_COUNT; i++)
		if (config_is_near(key->name, setting_rows[i].name))
			add_near(&text, setting_rows[i].name);
	refuse_key(config, section, key, &text);
}

static const struct setting_row *find_setting(const char *name)
{
	for (int i = 0; i < SETTING_COUNT; i++)
		if (strcmp(setting_rows[i].name, name) == 0)
			return &setting_rows[i];
	return NULL;
}

static void check_setting(struct config *config, const struct ini_section *section,
			  const struct ini_key *key)
{
	const struct setting_row *row = find_setting(key->name);
	if (!row) {
		refuse_setting(config, section, key);
		return;
	}
	check_value(config, section, key, &row->rule);
	if (row == &setting_rows[SETTING_PROFILE] && section->name[0])
		say(config, true, section, key, "does not count inside of a profile's section");
	if (row->effect != EFFECT_NOW)
		say(config, false, section, key, "is read, but has no effect in this version");
}

static const struct key_row *find_row(const struct key_row *rows, const char *name)
{
	for (; rows->name; rows++)
		if (strcmp(rows->name, name) == 0)
			return rows;
	return NULL;
}

static void check_key(struct config *config, const struct ini_section *section,
		      const struct ini_key *key, const struct key_row *rows)
{
	const struct key_row *row = find_row(rows, key->name);
	struct buf text;
	if (row) {
		check_value(config, section, key, &row->rule);
		return;
	}
	buf_init(&text, PROBLEM_MAX);
	buf_add_text(&text, "there is no such key in this kind of section");
	for (row = rows; row->name; row++)
		if (config_is_near(key->name, row->name))
			add_near(&text, row->name);
	refuse_key(config, section, key, &text);
}

static void check_rows(struct config *config, const struct ini_section *section,
		       const struct key_row *rows)
{
	for (size_t i = 0; i < section->count; i++)
		check_key(config, section, &section->keys[i], rows);
	for (const struct key_row *row = rows; row->name; row++) {
		struct buf text;
		if (!row->is_needed || ini_find_key(section, row->name))
			continue;
		buf_init(&text, PROBLEM_MAX);
		buf_addf(&text, "needs the key %s", row->name);
		config_add_problem(config, true, section, section->line, "", &text);
	}
}

/* --- sections --- */

const struct ini_section *config_section(const struct config *config, const char *name)
{
	for (size_t i = 0; i < config->ini.count; i++)
		if (config->sections[i].kind == SECTION_OTHER &&
		    strcmp(config->ini.sections[i].name, name) == 0)
			return &config->ini.sections[i];
	return NULL;
}

void config_warn_key(struct config *config, const struct ini_section *section,
		     const struct ini_key *key, const char *why)
{
	say(config, true, section, key, why);
}

void config_add_keys(struct config *config, const struct config_keys *keys)
{
	config->keys = mem_grow(config->keys, &config->key_capacity, config->key_count + 1,
				sizeof(*config->keys));
	config->keys[config->key_count] = *keys;
	config->keys[config->key_count++].keys = mem_copy_text(keys->keys);
}

static const struct section_form *find_form(const struct shellwords *words)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if (words->count == (forms[i].is_named ? 2u : 1u) &&
		    strcmp(words->items[0], forms[i].word) == 0)
			return &forms[i];
	return NULL;
}

static void refuse_section(struct config *config, const struct ini_section *section)
{
	struct buf text;
	buf_init(&text, PROBLEM_MAX);
	buf_add_text(&text, "there is no such section; write ");
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		buf_addf(&text, "%s[%s%s]",
			 i == 0                     ? ""
			 : i + 1 < ARRAY_LEN(forms) ? ", "
						    : " or ",
			 forms[i].word, forms[i].is_named ? " NAME" : "");
	buf_add_text(&text, ", with quotes around a name that holds blanks");
	config_add_problem(config, true, section, section->line, "", &text);
}

struct rule_check {
	struct config *config;
	const struct ini_section *section;
};

static void refuse_rule(void *ctx, const struct ini_key *key, struct buf *text)
{
	const struct rule_check *check = ctx;
	config_add_problem(check->config, true, check->section,
			   key ? key->line : check->section->line, key ? key->name : "", text);
}

static void check_rule(struct config *config, const struct ini_section *section, const char *name)
{
	struct rule_check check = { config, section };
	struct rule rule;
	struct buf text;
	bool ok = config_read_rule(&rule, name, section, refuse_rule, &check);
	if (ok && config->distrust && (rule.acts & (RULE_RUN | RULE_STOP))) {
		buf_init(&text, PROBLEM_MAX);
		buf_addf(&text, "%s nothing: %s", rule.acts & RULE_RUN ? "runs" : "stops",
			 config->distrust);
		refuse_rule(&check, ini_find_key(section, "do"), &text);
	}
	rule_release(&rule);
}

static void check_sections_keys(struct config *config, const struct ini_section *section,
				const struct section_form *form)
{
	if (form->keys)
		check_rows(config, section, form->keys);
	for (size_t i = 0; form->kind == SECTION_PROFILE && i < section->count; i++)
		check_setting(config, section, &section->keys[i]);
}

static void take_form(struct config *config, size_t i, const struct section_form *form,
		      const char *name)
{
	const struct ini_section *section = &config->ini.sections[i];
	if (form->kind == SECTION_PROFILE && config_find_profile(config, name)) {
		say(config, true, section, NULL,
		    "does not count: a section above is the same profile's");
		return;
	}
	config->sections[i] = (struct config_section){ form->kind, mem_copy_text(name) };
	check_sections_keys(config, section, form);
	if (form->kind == SECTION_RULE)
		check_rule(config, section, name);
}

static void read_header(struct config *config, size_t i)
{
	const struct ini_section *section = &config->ini.sections[i];
	struct shellwords words;
	struct err err = { 0 };
	const struct section_form *form =
		shellwords_split(&words, section->name, &err) ? find_form(&words) : NULL;
	if (form)
		take_form(config, i, form, form->is_named ? words.items[1] : "");
	else
		refuse_section(config, section);
	shellwords_release(&words);
	err_clear(&err);
}

static void check_section(struct config *config, size_t i)
{
	const struct ini_section *section = &config->ini.sections[i];
	/* A header without its end was named already; what it meant is anybody's guess. */
	if (section->name[0] && section->damage.line == section->line)
		return;
	if (section->name[0]) {
		read_header(config, i);
		return;
	}
	config->sections[i] = (struct config_section){ SECTION_GENERAL, NULL };
	for (size_t at = 0; at < section->count; at++)
		check_setting(config, section, &section->keys[at]);
}

static void take_ini_problems(struct config *config)
{
	for (size_t i = 0; i < config->ini.problem_count; i++) {
		const struct ini_problem *problem = &config->ini.problems[i];
		const struct ini_section section = { .name = problem->section };
		struct buf text;
		buf_init(&text, PROBLEM_MAX);
		buf_add_text(&text, problem->text);
		config_add_problem(config, true, &section, problem->line, problem->key, &text);
	}
}

void config_check(struct config *config)
{
	take_ini_problems(config);
	config->sections = mem_new(config->ini.count + 1, sizeof(*config->sections));
	for (size_t i = 0; i < config->ini.count; i++)
		check_section(config, i);
}
