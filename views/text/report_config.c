/* The settings with their values and where those came from: table, json, jsonl, csv. */
#include "model/base/text.h"
#include "views/text/columns.h"
#include "views/text/report_parts.h"

#define NOT_YET ", no effect yet"

struct shown {
	const struct setting_row *row;
	const struct setting *setting;
	struct buf origin, takes;
};

static void show(struct shown *shown, const struct config *config, enum setting_id id)
{
	*shown = (struct shown){ .row = setting_row(id), .setting = &config->settings[id] };
	buf_init(&shown->origin, PLAIN_MAX);
	buf_init(&shown->takes, PLAIN_MAX);
	config_add_origin(config, id, &shown->origin);
	value_add_allowed(&shown->row->rule, &shown->takes);
}

static void hide(struct shown *shown)
{
	buf_release(&shown->origin);
	buf_release(&shown->takes);
}

static bool is_of_file(const struct setting *setting)
{
	return setting->origin == ORIGIN_FILE || setting->origin == ORIGIN_CAUTION;
}

/* --- table --- */

static void add_row(struct columns *columns, struct shown *shown)
{
	if (shown->row->effect != EFFECT_NOW)
		(void)buf_add_text(&shown->origin, NOT_YET);
	columns_add(columns, shown->row->name);
	columns_add(columns, shown->setting->text);
	columns_add(columns, buf_text(&shown->origin));
	columns_add(columns, setting_default(shown->row));
	columns_add(columns, buf_text(&shown->takes));
	columns_add(columns, shown->row->help);
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
			const struct config *config)
{
	static const char *const titles[] = { "SETTING", "VALUE", "ORIGIN",
					      "DEFAULT", "TAKES", "WHAT IT DOES" };
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .ascii = context->ascii,
				   .most = context->columns };
	for (int id = 0; id < SETTING_COUNT; id++) {
		struct shown shown;
		show(&shown, config, (enum setting_id)id);
		add_row(&columns, &shown);
		hide(&shown);
	}
	columns_write(&columns, out);
	columns_release(&columns);
	add_place(out, config, context->ascii);
}

/* --- json --- */

static void add_object(struct buf *out, const struct config *config, const struct shown *shown)
{
	bool of_file = is_of_file(shown->setting);
	bool has_line = of_file && shown->setting->line > 0;
	(void)buf_add_char(out, '{');
	report_add_json_string(out, "name", shown->row->name);
	report_add_json_string(out, "value", shown->setting->text);
	report_add_json_string(out, "origin", buf_text(&shown->origin));
	report_add_json_string(out, "file", of_file ? config->path : NULL);
	report_add_json_integer(out, "line", has_line, (int64_t)shown->setting->line);
	report_add_json_string(out, "default", shown->row->standard);
	report_add_json_string(out, "takes", buf_text(&shown->takes));
	report_add_json_string(out, "help", shown->row->help);
	report_add_json_name(out, "has_effect");
	(void)buf_add_text(out, shown->row->effect == EFFECT_NOW ? "true" : "false");
	(void)buf_add_char(out, '}');
}

static void write_json(struct buf *out, const struct config *config, bool lines)
{
	(void)buf_add_text(out, lines ? "" : "[");
	for (int id = 0; id < SETTING_COUNT; id++) {
		struct shown shown;
		show(&shown, config, (enum setting_id)id);
		(void)buf_add_text(out, id > 0 && !lines ? ",\n " : "");
		add_object(out, config, &shown);
		(void)buf_add_text(out, lines ? "\n" : "");
		hide(&shown);
	}
	(void)buf_add_text(out, lines ? "" : "]\n");
}

/* --- csv --- */

static void write_csv(struct buf *out, const struct config *config)
{
	(void)buf_add_text(out, "name,value,origin,file,line,default,takes,help,has_effect\n");
	for (int id = 0; id < SETTING_COUNT; id++) {
		struct shown shown;
		show(&shown, config, (enum setting_id)id);
		const struct setting *setting = shown.setting;
		bool of_file = is_of_file(setting);
		report_add_csv_text(out, shown.row->name);
		report_add_csv_text(out, setting->text);
		report_add_csv_text(out, buf_text(&shown.origin));
		report_add_csv_text(out, of_file ? config->path : NULL);
		report_add_csv_integer(out, of_file && setting->line > 0, (int64_t)setting->line);
		report_add_csv_text(out, shown.row->standard);
		report_add_csv_text(out, buf_text(&shown.takes));
		report_add_csv_text(out, shown.row->help);
		report_add_csv_text(out, shown.row->effect == EFFECT_NOW ? "true" : "false");
		(void)buf_add_char(out, '\n');
		hide(&shown);
	}
}

void report_config(struct buf *out, const struct report_context *context,
		   const struct config *config)
{
	switch (context->format) {
	case REPORT_TABLE:
		write_table(out, context, config);
		break;
	case REPORT_JSON:
	case REPORT_JSONL:
		write_json(out, config, context->format == REPORT_JSONL);
		break;
	case REPORT_CSV:
		write_csv(out, config);
		break;
	}
}
