/* The settings with their values and where those came from: table, json, jsonl, csv. */
#include "model/base/text.h"
#include "model/config_rules.h"
#include "views/text/columns.h"
#include "views/text/report_parts.h"

#define NOT_YET ", no effect yet"

struct shown {
	const char *value, *standard, *without, *help;
	const char *file; /* NULL: it is from none */
	size_t line;      /* 0: of none */
	bool has_effect;
	struct buf name, origin, takes, rule;
};

static void init(struct shown *shown)
{
	*shown = (struct shown){ .has_effect = true };
	buf_init(&shown->name, PLAIN_MAX);
	buf_init(&shown->origin, PLAIN_MAX);
	buf_init(&shown->takes, PLAIN_MAX);
	buf_init(&shown->rule, PLAIN_MAX);
}

static void show_setting(struct shown *shown, const struct config *config, enum setting_id id)
{
	const struct setting_row *row = setting_row(id);
	const struct setting *setting = &config->settings[id];
	bool of_file = setting->origin == ORIGIN_FILE || setting->origin == ORIGIN_CAUTION;
	(void)buf_add_text(&shown->name, row->name);
	config_add_origin(config, id, &shown->origin);
	value_add_allowed(&row->rule, &shown->takes);
	shown->value = setting->text;
	shown->standard = row->standard;
	shown->without = row->without;
	shown->help = row->help;
	shown->file = of_file ? config->path : NULL;
	shown->line = of_file ? setting->line : 0;
	shown->has_effect = row->effect == EFFECT_NOW;
}

static void show_keys(struct shown *shown, const struct config *config,
		      const struct config_keys *keys)
{
	(void)buf_addf(&shown->name, "keys.%s", keys->action);
	if (keys->line > 0)
		(void)buf_addf(&shown->origin, "config line %zu [keys]", keys->line);
	else
		(void)buf_add_text(&shown->origin,
				   "config [keys], which gives others of them away");
	(void)buf_add_text(&shown->takes, "names of keys, parted by blanks");
	shown->value = keys->keys;
	shown->standard = keys->standard;
	shown->help = keys->help;
	shown->file = config->path;
	shown->line = keys->line;
}

/* What it does is its value. */
static void show_rule(struct shown *shown, const struct config *config, const struct rule *rule)
{
	(void)buf_addf(&shown->name, "rule.%s", rule->name);
	(void)buf_addf(&shown->origin, "config line %zu [rule %s]", rule->line, rule->name);
	rule_describe(rule, &shown->rule);
	shown->value = buf_text(&shown->rule);
	shown->help = "on events: what is done";
	shown->file = config->path;
	shown->line = rule->line;
}

static void hide(struct shown *shown)
{
	buf_release(&shown->name);
	buf_release(&shown->origin);
	buf_release(&shown->takes);
	buf_release(&shown->rule);
}

/* The settings, then the keys, then the rules; false at the end. */
static bool show(struct shown *shown, const struct config *config, const struct rules *rules,
		 size_t i)
{
	size_t keys = SETTING_COUNT + config->key_count;
	if (i >= keys + rules->count)
		return false;
	init(shown);
	if (i < SETTING_COUNT)
		show_setting(shown, config, (enum setting_id)i);
	else if (i < keys)
		show_keys(shown, config, &config->keys[i - SETTING_COUNT]);
	else
		show_rule(shown, config, &rules->items[i - keys]);
	return true;
}

/* --- table --- */

static void add_row(struct columns *columns, struct shown *shown)
{
	if (!shown->has_effect)
		(void)buf_add_text(&shown->origin, NOT_YET);
	columns_add(columns, buf_text(&shown->name));
	columns_add(columns, shown->value);
	columns_add(columns, buf_text(&shown->origin));
	columns_add(columns, shown->standard ? shown->standard : shown->without);
	columns_add(columns, buf_text(&shown->takes));
	columns_add(columns, shown->help);
}

static void add_place(struct buf *out, const struct config *config, bool ascii)
{
	struct buf line;
	buf_init(&line, PLAIN_MAX);
	if (!config->path)
		(void)buf_add_text(&line, "config: none, for want of a home folder");
	else
		(void)buf_addf(&line, "config: %s%s", config->path,
			       config->is_there ? "" : " (there is none)");
	(void)buf_add_char(out, '\n');
	text_sanitise(out, buf_text(&line), line.len, TEXT_CELL, ascii);
	(void)buf_add_char(out, '\n');
	buf_release(&line);
}

static void write_table(struct buf *out, const struct report_context *context,
			const struct config *config, const struct rules *rules)
{
	static const char *const titles[] = { "SETTING", "VALUE", "ORIGIN",
					      "DEFAULT", "TAKES", "WHAT IT DOES" };
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .ascii = context->ascii,
				   .most = context->columns };
	struct shown shown;
	for (size_t i = 0; show(&shown, config, rules, i); i++) {
		add_row(&columns, &shown);
		hide(&shown);
	}
	columns_write(&columns, out);
	columns_release(&columns);
	add_place(out, config, context->ascii);
}

/* --- json --- */

static void add_object(struct buf *out, const struct shown *shown)
{
	(void)buf_add_char(out, '{');
	report_add_json_string(out, "name", buf_text(&shown->name));
	report_add_json_string(out, "value", shown->value);
	report_add_json_string(out, "origin", buf_text(&shown->origin));
	report_add_json_string(out, "file", shown->file);
	report_add_json_integer(out, "line", shown->line > 0, (int64_t)shown->line);
	report_add_json_string(out, "default", shown->standard);
	report_add_json_string(out, "takes", buf_text(&shown->takes));
	report_add_json_string(out, "help", shown->help);
	report_add_json_name(out, "has_effect");
	(void)buf_add_text(out, shown->has_effect ? "true" : "false");
	(void)buf_add_char(out, '}');
}

static void write_json(struct buf *out, const struct config *config, const struct rules *rules,
		       bool lines)
{
	struct shown shown;
	(void)buf_add_text(out, lines ? "" : "[");
	for (size_t i = 0; show(&shown, config, rules, i); i++) {
		(void)buf_add_text(out, i > 0 && !lines ? ",\n " : "");
		add_object(out, &shown);
		(void)buf_add_text(out, lines ? "\n" : "");
		hide(&shown);
	}
	(void)buf_add_text(out, lines ? "" : "]\n");
}

/* --- csv --- */

static void write_csv(struct buf *out, const struct config *config, const struct rules *rules)
{
	struct shown shown;
	(void)buf_add_text(out, "name,value,origin,file,line,default,takes,help,has_effect\n");
	for (size_t i = 0; show(&shown, config, rules, i); i++) {
		report_add_csv_text(out, buf_text(&shown.name));
		report_add_csv_text(out, shown.value);
		report_add_csv_text(out, buf_text(&shown.origin));
		report_add_csv_text(out, shown.file);
		report_add_csv_integer(out, shown.line > 0, (int64_t)shown.line);
		report_add_csv_text(out, shown.standard);
		report_add_csv_text(out, buf_text(&shown.takes));
		report_add_csv_text(out, shown.help);
		report_add_csv_text(out, shown.has_effect ? "true" : "false");
		(void)buf_add_char(out, '\n');
		hide(&shown);
	}
}

void report_config(struct buf *out, const struct report_context *context,
		   const struct config *config)
{
	struct rules rules;
	config_rules(config, &rules);
	switch (context->format) {
	case REPORT_TABLE:
		write_table(out, context, config, &rules);
		break;
	case REPORT_JSON:
	case REPORT_JSONL:
		write_json(out, config, &rules, context->format == REPORT_JSONL);
		break;
	case REPORT_CSV:
		write_csv(out, config, &rules);
		break;
	}
	rules_release(&rules);
}
