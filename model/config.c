#include "model/config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/mem.h"
#include "model/config_parts.h"

#define STANDARD_PROFILE "default"
#define DAY_S            86400
#define YEARS_S          (3650 * DAY_S)
#define AMOUNT_MAX       1000000000
#define UNREAD_MAX       8192
#define LETTERS          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define SHOWN_MAX        120 /* bytes of a section's name */

/* Those of tui/theme.c, and one that asks the terminal. */
static const char *const themes[] = { "dark", "light", "high-contrast", "mono", "auto", NULL };

/* In the order of interface.md. */
const struct setting_row setting_rows[SETTING_COUNT] = {
	[SETTING_READ_ONLY] = { .name = "read_only",
				.rule = { VALUE_BOOL, 0, 0, NULL },
				.standard = "no",
				.option = "--read-only",
				.help = "refuse every change" },
	[SETTING_REGION] = { .name = "region",
			     .rule = { VALUE_REGION, 0, 0, NULL },
			     .without = "that of the AWS profile",
			     .option = "--region",
			     .variables = { "AWS_REGION", "AWS_DEFAULT_REGION" },
			     .of_aws = true,
			     .at_start = true,
			     .help = "AWS region" },
	[SETTING_PROFILE] = { .name = "profile",
			      .rule = { VALUE_TEXT, 0, 0, NULL },
			      .without = STANDARD_PROFILE,
			      .option = "--profile",
			      .variables = { "AWS_PROFILE", "AWS_DEFAULT_PROFILE" },
			      .of_aws = true,
			      .at_start = true,
			      .help = "AWS profile" },
	[SETTING_REFRESH] = { .name = "refresh",
			      .rule = { VALUE_SECONDS, 1, 3600, NULL },
			      .standard = "5",
			      .option = "--refresh",
			      .at_start = true,
			      .help = "pace of the refresh" },
	[SETTING_SINCE] = { .name = "since",
			    .rule = { VALUE_DURATION, 1, YEARS_S, NULL },
			    .standard = "7d",
			    .option = "--since",
			    .at_start = true,
			    .help = "how far back ended jobs are listed" },
	[SETTING_THEME] = { .name = "theme",
			    .rule = { VALUE_WORD, 0, 0, themes },
			    .standard = "dark",
			    .option = "--theme",
			    .help = "colours of the screen; auto: light where the terminal says so "
				    "(COLORFGBG)" },
	[SETTING_MOUSE] = { .name = "mouse",
			    .rule = { VALUE_BOOL, 0, 0, NULL },
			    .standard = "no",
			    .option = "--mouse",
			    .at_start = true,
			    .help = "clicks and the wheel are for gpuq, not for selecting text" },
	[SETTING_ASCII] = { .name = "ascii",
			    .rule = { VALUE_BOOL, 0, 0, NULL },
			    .standard = "no",
			    .option = "--ascii",
			    .at_start = true,
			    .help = "ASCII alone: no box drawing" },
	[SETTING_UTC] = { .name = "utc",
			  .rule = { VALUE_BOOL, 0, 0, NULL },
			  .standard = "no",
			  .help = "times in UTC, marked so, instead of local time" },
	[SETTING_COLUMNS] = { .name = "columns",
			      .rule = { VALUE_WORDS, 0, 0, NULL },
			      .without = "those that fit",
			      .help = "columns of the job list, in order (c shows all)" },
	[SETTING_MAX_PER_HOUR] = { .name = "max_per_hour",
				   .rule = { VALUE_MONEY, 0, AMOUNT_MAX, NULL },
				   .without = "no limit",
				   .help = "refuse a submission that costs more by the hour, in "
					   "the price's currency" },
	[SETTING_MAX_WORST_CASE] = { .name = "max_worst_case",
				     .rule = { VALUE_MONEY, 0, AMOUNT_MAX, NULL },
				     .without = "no limit",
				     .help = "refuse a submission whose worst case costs more" },
	[SETTING_CONFIRM_ABOVE] = { .name = "confirm_above",
				    .rule = { VALUE_MONEY, 0, AMOUNT_MAX, NULL },
				    .standard = "1000",
				    .help = "the job's name is typed, not y, where the worst case "
					    "(of a stop: an hour) costs more or is unknown" },
	[SETTING_STUCK_AFTER] = { .name = "stuck_after",
				  .rule = { VALUE_DURATION, 60, 28 * DAY_S, NULL },
				  .without = "by the waits seen",
				  .help = "a job that waits longer is marked as stuck" },
	[SETTING_TAG_JOBS] = { .name = "tag_jobs",
			       .rule = { VALUE_BOOL, 0, 0, NULL },
			       .standard = "no",
			       .help = "a draft's note goes with its job, as the tag gpuq:note" },
	[SETTING_PACE_DIR] = { .name = "pace_dir",
			       .rule = { VALUE_FOLDER, 0, 0, NULL },
			       .without = "one of your own",
			       .of_aws = true,
			       .at_start = true,
			       .help = "folder by which several users of one machine share the "
				       "pace of list calls" },
	[SETTING_ALLOW_HTTP] = { .name = "allow_http",
				 .rule = { VALUE_BOOL, 0, 0, NULL },
				 .standard = "no",
				 .of_aws = true,
				 .at_start = true,
				 .help = "endpoints by plain http on other machines too" },
	[SETTING_PRODUCTION] = { .name = "production",
				 .rule = { VALUE_BOOL, 0, 0, NULL },
				 .without = "by the profile's name: prod, prd, production, live",
				 .help = "a bar and the word PRODUCTION above all else; of a "
					 "[profile NAME]" },
};

const struct setting_row *setting_row(enum setting_id id)
{
	return &setting_rows[id];
}

const char *setting_default(const struct setting_row *row)
{
	return row->standard ? row->standard : row->without;
}

/* --- reading --- */

void config_note_absent(struct config *config, const char *path)
{
	mem_set_text(&config->path, path);
}

void config_note_distrust(struct config *config, const char *why)
{
	mem_set_text(&config->distrust, why);
}

void config_note_unread(struct config *config, const char *path, const struct err *err)
{
	struct buf text;
	buf_init(&text, ERR_TEXT_MAX);
	mem_set_text(&config->path, path);
	config->is_there = config->is_unread = true;
	buf_addf(&text, "%s; until it is mended every change is refused", err_text(err));
	config_add_problem(config, true, NULL, 0, "", &text);
}

bool config_read(struct config *config, const char *path, const char *text, size_t len,
		 struct err *err)
{
	mem_set_text(&config->path, path);
	config->is_there = true;
	if (!ini_parse(&config->ini, path, text, len, INI_KEYS_FIRST, err)) {
		config_note_unread(config, path, err);
		return false;
	}
	config_check(config);
	return true;
}

void config_release(struct config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < config->ini.count; i++)
		free(config->sections[i].name);
	free(config->sections);
	for (size_t i = 0; i < config->problem_count; i++)
		free(config->problems[i].text);
	free(config->problems);
	for (size_t i = 0; i < config->key_count; i++)
		free(config->keys[i].keys);
	free(config->keys);
	free(config->path);
	free(config->distrust);
	free(config->unread_limit);
	free(config->unread_limit_fix);
	ini_release(&config->ini);
	*config = (struct config){ 0 };
}

const struct ini_section *config_find_profile(const struct config *config, const char *name)
{
	for (size_t i = 0; i < config->ini.count; i++)
		if (config->sections[i].kind == SECTION_PROFILE &&
		    strcmp(config->sections[i].name, name) == 0)
			return &config->ini.sections[i];
	return NULL;
}

static const struct ini_section *find_general(const struct config *config)
{
	for (size_t i = 0; i < config->ini.count; i++)
		if (config->sections[i].kind == SECTION_GENERAL)
			return &config->ini.sections[i];
	return NULL;
}

/* --- deciding --- */

static bool take(struct setting *setting, const struct setting_row *row, const char *text,
		 enum setting_origin origin)
{
	int64_t number = 0;
	if (!text || !value_read(&row->rule, text, &number, NULL))
		return false;
	*setting = (struct setting){ .text = text, .number = number, .origin = origin };
	return true;
}

/* Not checked here: whoever reads the AWS settings says what is wrong with a variable. */
static bool take_variable(struct setting *setting, const struct setting_row *row,
			  const struct config_given *given)
{
	for (size_t i = 0; given->env && i < SETTING_VARIABLES && row->variables[i]; i++) {
		const char *text = given->env(given->ctx, row->variables[i]);
		if (!text || !text[strspn(text, " \t")])
			continue;
		*setting = (struct setting){ .text = text,
					     .origin = ORIGIN_ENVIRONMENT,
					     .variable = row->variables[i] };
		return true;
	}
	return false;
}

/* What cannot be read and keeps to the safe side, and what counts then. */
static const struct caution {
	enum setting_id id;
	const char *text;
	int64_t number;
	const char *then; /* what it means; NULL: the value says it */
} cautions[] = {
	{ SETTING_READ_ONLY, "yes", 1, NULL },
	{ SETTING_MAX_PER_HOUR, NULL, 0, "nothing is submitted" },
	{ SETTING_MAX_WORST_CASE, NULL, 0, "nothing is submitted" },
	{ SETTING_CONFIRM_ABOVE, "0", 0, NULL },
};

static const struct caution *find_caution(enum setting_id id)
{
	for (size_t i = 0; i < ARRAY_LEN(cautions); i++)
		if (cautions[i].id == id)
			return &cautions[i];
	return NULL;
}

/* "Nothing is submitted while max_per_hour cannot be read: config line 7 [profile ops] takes ..."
 */
static void note_unread_limit(struct config *config, enum setting_id id, size_t line,
			      const char *section, const char *wrong)
{
	struct buf text;
	if (config->unread_limit || (id != SETTING_MAX_PER_HOUR && id != SETTING_MAX_WORST_CASE))
		return;
	buf_init(&text, UNREAD_MAX);
	buf_addf(&text, "Nothing is submitted while %s cannot be read: config line %zu",
		 setting_rows[id].name, line);
	if (section[0])
		buf_addf(&text, " [%.*s]", SHOWN_MAX, section);
	buf_addf(&text, " %s.", wrong);
	config->unread_limit = buf_take(&text);
	buf_init(&text, UNREAD_MAX);
	buf_addf(&text, "Mend line %zu of %s.", line, config->path);
	config->unread_limit_fix = buf_take(&text);
}

/* What is wrong goes on from "line 7 "; it is taken. */
static void be_careful(struct config *config, const struct caution *caution, size_t line,
		       const char *section, struct buf *wrong)
{
	config->settings[caution->id] = (struct setting){ .text = caution->text,
							  .number = caution->number,
							  .origin = ORIGIN_CAUTION,
							  .section = section,
							  .line = line };
	note_unread_limit(config, caution->id, line, section, buf_text(wrong));
	buf_release(wrong);
}

/* Was it meant to set this? A limit of money was with a slip in its name too, and with other words
 * behind it before the next = or colon. */
static bool is_meant(const struct caution *caution, const char *written)
{
	const char *name = setting_rows[caution->id].name;
	char word[INI_WORD_MAX + 1] = "";
	size_t len = strcspn(written, " \t");
	if (len > INI_WORD_MAX)
		return false;
	memcpy(word, written, len);
	return strcmp(word, name) == 0 ||
	       (caution->then && (config_is_near(word, name) || config_is_near(written, name)));
}

/* Of a section: a line or a key that sets nothing, but was meant to set this. */
static bool find_slip(struct config *config, const struct caution *caution,
		      const struct ini_section *section)
{
	const struct ini *ini = &config->ini;
	struct buf wrong;
	buf_init(&wrong, UNREAD_MAX);
	for (size_t i = 0; i < ini->stray_count; i++) {
		const struct ini_stray *stray = &ini->strays[i];
		if (&ini->sections[stray->section] != section || !is_meant(caution, stray->word))
			continue;
		buf_add_text(&wrong, "is no line `key = value` of its own");
		be_careful(config, caution, stray->line, section->name, &wrong);
		return true;
	}
	for (size_t i = 0; i < section->count; i++) {
		const struct ini_key *key = &section->keys[i];
		if (strcmp(key->name, setting_rows[caution->id].name) == 0 ||
		    !is_meant(caution, key->name))
			continue;
		buf_addf(&wrong, "sets %.*s, which is no setting", SHOWN_MAX,
			 ini_shown_key(key->name)[0] ? key->name : "another name");
		be_careful(config, caution, key->line, section->name, &wrong);
		return true;
	}
	buf_release(&wrong);
	return false;
}

/* In a section that has no settings, or of which it is not known whose it is. */
static bool find_lost(struct config *config, const struct caution *caution)
{
	for (size_t i = 0; i < config->ini.count; i++) {
		const struct ini_section *section = &config->ini.sections[i];
		const struct ini_key *key = ini_find_key(section, setting_rows[caution->id].name);
		struct buf wrong;
		if (config->sections[i].kind == SECTION_GENERAL ||
		    config->sections[i].kind == SECTION_PROFILE)
			continue;
		if (find_slip(config, caution, section))
			return true;
		if (!key)
			continue;
		buf_init(&wrong, UNREAD_MAX);
		buf_add_text(&wrong, "stands in a section where it sets nothing");
		be_careful(config, caution, key->line, section->name, &wrong);
		return true;
	}
	return false;
}

static bool take_key(struct config *config, enum setting_id id, const struct ini_section *section)
{
	const struct setting_row *row = &setting_rows[id];
	struct setting *setting = &config->settings[id];
	const struct caution *caution = find_caution(id);
	const struct ini_key *key = ini_find_key(section, row->name);
	struct buf wrong;
	int64_t number;
	if (!section)
		return false;
	if (caution && find_slip(config, caution, section))
		return true;
	if (!key)
		return false;
	if (take(setting, row, key->value, ORIGIN_FILE)) {
		setting->section = section->name;
		setting->line = key->line;
		return true;
	}
	if (!caution)
		return false;
	buf_init(&wrong, UNREAD_MAX);
	if (value_read(&row->rule, key->value, &number, &wrong))
		buf_add_text(&wrong, "is not clear"); /* it was refused a moment ago */
	be_careful(config, caution, key->line, section->name, &wrong);
	return true;
}

/* By the file, if it is there and whole. */
static bool take_file(struct config *config, enum setting_id id, const struct ini_section *profile)
{
	const struct caution *caution = find_caution(id);
	struct buf none;
	buf_init(&none, UNREAD_MAX);
	if (id == SETTING_READ_ONLY && config->is_unread) {
		be_careful(config, caution, 0, "", &none);
		return true;
	}
	return (caution && find_lost(config, caution)) || take_key(config, id, profile) ||
	       take_key(config, id, find_general(config));
}

static void decide(struct config *config, const struct config_given *given, enum setting_id id,
		   const struct ini_section *profile)
{
	const struct setting_row *row = &setting_rows[id];
	struct setting *setting = &config->settings[id];
	bool is_asked = !(given->simulated && row->of_aws);
	*setting = (struct setting){ .origin = ORIGIN_DEFAULT };
	if (take(setting, row, given->options[id], ORIGIN_OPTION))
		return;
	if (!is_asked || (!take_variable(setting, row, given) && !take_file(config, id, profile)))
		take(setting, row, row->standard, ORIGIN_DEFAULT);
}

void config_decide(struct config *config, const struct config_given *given)
{
	mem_set_text(&config->unread_limit, NULL);
	mem_set_text(&config->unread_limit_fix, NULL);
	decide(config, given, SETTING_PROFILE, NULL);
	const struct ini_section *profile =
		given->simulated ? NULL : config_find_profile(config, config_profile(config));
	for (int id = 0; id < SETTING_COUNT; id++)
		if (id != SETTING_PROFILE)
			decide(config, given, (enum setting_id)id, profile);
}

const char *config_profile(const struct config *config)
{
	const char *text = config->settings[SETTING_PROFILE].text;
	return text ? text : STANDARD_PROFILE;
}

bool config_is_production(const struct config *config, const char *profile)
{
	static const char *const words[] = { "prod", "prd", "production", "live" };
	const char *end = profile ? profile : "";
	if (config && config->settings[SETTING_PRODUCTION].text)
		return config_is_on(config, SETTING_PRODUCTION);
	while (*end) {
		const char *word = end + strcspn(end, LETTERS);
		end = word + strspn(word, LETTERS);
		for (size_t i = 0; i < ARRAY_LEN(words); i++)
			if (strlen(words[i]) == (size_t)(end - word) &&
			    strncasecmp(words[i], word, (size_t)(end - word)) == 0)
				return true;
	}
	return false;
}

bool config_is_on(const struct config *config, enum setting_id id)
{
	return config->settings[id].number != 0;
}

void config_add_origin(const struct config *config, enum setting_id id, struct buf *out)
{
	const struct setting *setting = &config->settings[id];
	switch (setting->origin) {
	case ORIGIN_DEFAULT:
		buf_add_text(out, "default");
		return;
	case ORIGIN_OPTION:
		buf_addf(out, "option %s", setting_rows[id].option);
		return;
	case ORIGIN_ENVIRONMENT:
		buf_addf(out, "environment %s", setting->variable);
		return;
	case ORIGIN_FILE:
	case ORIGIN_CAUTION:
		break;
	}
	buf_add_text(out, "config");
	if (setting->line > 0)
		buf_addf(out, " line %zu", setting->line);
	if (setting->section[0])
		buf_addf(out, " [%s]", setting->section);
	if (setting->origin == ORIGIN_CAUTION)
		buf_add_text(out, ", which cannot be read");
	if (setting->origin == ORIGIN_CAUTION && find_caution(id)->then)
		buf_addf(out, ": %s", find_caution(id)->then);
}

void config_add_described(const struct config *config, const struct config_problem *problem,
			  struct buf *out)
{
	buf_addf(out, "%s%s%s", config->path, problem->line > 0 ? ", " : ": ", problem->text);
}

size_t config_warnings(const struct config *config, const struct config_problem **first)
{
	size_t count = 0;
	*first = NULL;
	for (size_t i = 0; i < config->problem_count; i++)
		if (config->problems[i].is_warning && count++ == 0)
			*first = &config->problems[i];
	return count;
}
