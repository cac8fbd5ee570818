#include "views/text/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/text.h"
#include "model/candidates.h"
#include "views/text/options_table.h"

#define PACE_MIN  0.001
#define PACE_MAX  10.0
#define WRONG_MAX 1024

enum option_id {
	OPTION_SETTING, /* one that the config file knows too */
	OPTION_ENDPOINT_URL,
	OPTION_PACE,
	OPTION_OUTPUT,
	OPTION_DEMO,
	OPTION_NO_COLOR,
	OPTION_PLAIN,
	OPTION_UTF8,
	OPTION_CONFIG,
	OPTION_LOG,
	OPTION_VERBOSE,
	OPTION_YES,
	OPTION_VERSION,
	OPTION_HELP,
	OPTION_STATUS,
	OPTION_KIND,
	OPTION_FILTER,
	OPTION_PREFS,
	OPTION_COUNT,
	OPTION_NAME,
	OPTION_MAX_PENDING,
	OPTION_DRY_RUN,
	OPTION_ORDER,
	OPTION_BY,
	OPTION_SPOT,
	OPTION_SUGGEST,
	OPTION_DEADLINE,
	OPTION_BUDGET,
	OPTION_LEAST_CHANCE,
	OPTION_UNTIL,
	OPTION_TIMEOUT,
};

static const struct option_row rows[] = {
	{ OPTION_SETTING, 'p', "profile", "NAME", false, "AWS profile (else AWS_PROFILE)" },
	{ OPTION_SETTING, 'r', "region", "REGION", false,
	  "AWS region (else AWS_REGION, the profile's)" },
	{ OPTION_ENDPOINT_URL, 0, "endpoint-url", "URL", false,
	  "use this endpoint (else AWS_ENDPOINT_URL_SAGEMAKER, AWS_ENDPOINT_URL)" },
	{ OPTION_DEMO, 0, "demo", NULL, false, "start on a simulated region; needs no account" },
	{ OPTION_SETTING, 0, "read-only", NULL, false, "refuse every change" },
	{ OPTION_SETTING, 0, "refresh", "SECONDS", false, "pace of the refresh (default 5)" },
	{ OPTION_PACE, 0, "pace", "N", false,
	  "list starts a second of one operation (default 1; 0 = no limit, only beside "
	  "--endpoint-url or --demo)" },
	{ OPTION_SETTING, 0, "since", "DURATION", false,
	  "how far back ended jobs are listed (default 7d; 90m, 6h)" },
	{ OPTION_OUTPUT, 'o', "output", "FORMAT", false, "table (default), json, jsonl, csv" },
	{ OPTION_NO_COLOR, 0, "no-color", NULL, false, "no colours (also NO_COLOR)" },
	{ OPTION_SETTING, 0, "theme", "NAME", false,
	  "dark (default), light, high-contrast, mono, auto" },
	{ OPTION_SETTING, 0, "ascii", NULL, false, "ASCII alone: no box drawing" },
	{ OPTION_UTF8, 0, "utf8", NULL, false,
	  "UTF-8, whatever the locale says (a terminal behind ssh often has it)" },
	{ OPTION_SETTING, 0, "mouse", NULL, false,
	  "click, wheel and drag (else the mouse selects text)" },
	{ OPTION_PLAIN, 0, "plain", NULL, false,
	  "line by line, nothing painted over: for a screen reader" },
	{ OPTION_CONFIG, 0, "config", "FILE", false,
	  "settings (default ~/.config/gpuq/config; see: gpuq config)" },
	{ OPTION_LOG, 0, "log", "FILE", false, "write a debug log, secrets masked" },
	{ OPTION_VERBOSE, 'v', "verbose", NULL, false, "more detail in the log" },
	{ OPTION_YES, 'y', "yes", NULL, false, "do not ask" },
	{ OPTION_VERSION, 'V', "version", NULL, false, "print the version" },
	{ OPTION_HELP, 'h', "help", NULL, false, "print this help, or a command's" },
	{ OPTION_STATUS, 0, "status", "S", true, "a phase or a primary status, in any case" },
	{ OPTION_KIND, 0, "kind", "KIND", true, "training or processing" },
	{ OPTION_FILTER, 0, "filter", "EXPR", true,
	  "words, /re/, wait>2h, cost>100, type~p5, status:Failed; all hold, ! negates" },
	{ OPTION_PREFS, 0, "prefs", "LIST", true,
	  "preference list: type[:count][@plan-arn],... in rank order" },
	{ OPTION_COUNT, 0, "count", "N", true, "one count for all entries of --prefs" },
	{ OPTION_NAME, 0, "name", "NAME", true,
	  "the job's name; of a forecast: that of jobs like it" },
	{ OPTION_MAX_PENDING, 0, "max-pending", "DURATION", true,
	  "stop the job when it has waited so long (2h to 28d)" },
	{ OPTION_ORDER, 0, "order", "ORDER", true,
	  "stop-first or submit-first (else by quotas and cost)" },
	{ OPTION_BY, 0, "by", "WHAT", true, "type (default), rank, stem, hour, tag, role or list" },
	{ OPTION_SPOT, 0, "spot", NULL, true, "on managed spot instances: one type, no list" },
	{ OPTION_SUGGEST, 0, "suggest", NULL, true,
	  "rank the best lists of what the config certifies" },
	{ OPTION_DEADLINE, 0, "deadline", "WHEN", true,
	  "start, or with --suggest finish, by then: 6h, or a time as in ISO 8601" },
	{ OPTION_BUDGET, 0, "budget", "AMOUNT", true,
	  "with --suggest: what the run may cost, in the price's currency" },
	{ OPTION_LEAST_CHANCE, 0, "least-chance", "PERCENT", true,
	  "with --suggest: the cheapest lists with at least that chance" },
	{ OPTION_DRY_RUN, 0, "dry-run", NULL, true, "check and show; change nothing" },
	{ OPTION_UNTIL, 0, "until", "PHASE", true, "running, or ended (default)" },
	{ OPTION_TIMEOUT, 0, "timeout", "DURATION", true,
	  "give up after so long (90m, 6h); else it waits for as long as it takes" },
};

static bool fail(struct err *err, const char *subject, const char *text)
{
	err_set(err, ERR_USAGE, "%s", text);
	err->hint = HINT_SEE_HELP;
	return err_subject(err, "%s", subject);
}

const struct option_row *options_row(size_t i)
{
	return i < ARRAY_LEN(rows) ? &rows[i] : NULL;
}

const struct option_row *options_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strlen(rows[i].name) == len && strncmp(rows[i].name, name, len) == 0)
			return &rows[i];
	return NULL;
}

const struct option_row *options_find_letter(char letter)
{
	for (size_t i = 0; letter && i < ARRAY_LEN(rows); i++)
		if (rows[i].letter == letter)
			return &rows[i];
	return NULL;
}

static bool parse_number(const char *text, double least, double most, double *value)
{
	char *end = NULL;
	errno = 0;
	*value = strtod(text, &end);
	return errno == 0 && end != text && *end == '\0' && *value >= least && *value <= most;
}

static bool take_duration(const char *text, int64_t *ms)
{
	int64_t seconds = 0;
	if (!duration_parse(text, &seconds) || seconds < 1 || seconds > INT64_C(4000000000))
		return false;
	*ms = seconds * 1000;
	return true;
}

static bool take_kind(struct options *options, const char *value)
{
	options->has_kind = true;
	for (int kind = JOB_TRAINING; kind <= JOB_PROCESSING; kind++)
		if (strcmp(value, job_kind_word((enum job_kind)kind)) == 0) {
			options->kind = (enum job_kind)kind;
			return true;
		}
	return false;
}

/* A phase, or a primary status of the API's two kinds of jobs. */
static bool take_status(struct options *options, const char *value)
{
	static const char *const primary[] = { "InProgress", "Completed", "Failed",
					       "Stopping",   "Stopped",   "Deleting" };
	enum phase phase;
	options->status = value;
	for (size_t i = 0; i < ARRAY_LEN(primary); i++)
		if (strcasecmp(value, primary[i]) == 0)
			return true;
	return phase_parse(value, &phase);
}

/* Options with a number, a duration or a word in them; NULL, or what the value should have been. */
static const char *apply_measured(struct options *options, enum option_id id, const char *value)
{
	double number = 0;
	switch (id) {
	case OPTION_PACE:
		/* 0 has no limit; what is nearly 0 would never start. */
		if (!parse_number(value, 0, PACE_MAX, &number) || (number > 0 && number < PACE_MIN))
			return "takes 0, or a number from 0.001 to 10";
		options->pace = number;
		options->has_pace = true;
		return NULL;
	case OPTION_MAX_PENDING:
		options->max_pending.set = true;
		return take_duration(value, &options->max_pending.ms)
			       ? NULL
			       : "takes a duration: 2h, 36h, 7d";
	case OPTION_ORDER:
		options->has_order = true;
		options->stop_first = strcmp(value, "stop-first") == 0;
		return options->stop_first || strcmp(value, "submit-first") == 0
			       ? NULL
			       : "takes stop-first or submit-first";
	case OPTION_UNTIL:
		options->until_running = strcmp(value, "running") == 0;
		return options->until_running || strcmp(value, "ended") == 0
			       ? NULL
			       : "takes running or ended";
	case OPTION_TIMEOUT:
		options->timeout.set = true;
		return take_duration(value, &options->timeout.ms)
			       ? NULL
			       : "takes a duration: 90s, 90m, 6h";
	case OPTION_BY:
		return history_by_parse(value, &options->by)
			       ? NULL
			       : "takes type, rank, stem, hour, tag, role or list";
	case OPTION_BUDGET:
		return candidates_read_budget(value, &options->budget)
			       ? NULL
			       : "takes an amount: 2500, 99.50";
	case OPTION_LEAST_CHANCE:
		if (!parse_number(value, 1, 99, &number) || number != (double)(int64_t)number)
			return "takes a whole number from 1 to 99";
		options->least_chance = (int64_t)number;
		return NULL;
	case OPTION_OUTPUT:
		return report_format_parse(value, &options->format)
			       ? NULL
			       : "takes table, json, jsonl or csv";
	case OPTION_KIND:
		return take_kind(options, value) ? NULL : "takes training or processing";
	case OPTION_COUNT:
		if (!parse_number(value, 1, 1000000, &number) || number != (double)(int64_t)number)
			return "takes a whole number from 1 on";
		options->count = (int64_t)number;
		return NULL;
	default:
		return "is no option with a value";
	}
}

/* NULL, or what the value should have been. */
static const char *apply(struct options *options, enum option_id id, const char *value)
{
	switch (id) {
	case OPTION_ENDPOINT_URL:
		options->endpoint_url = value;
		return NULL;
	case OPTION_STATUS:
		return take_status(options, value)
			       ? NULL
			       : "takes a phase (pending, running, ...) or InProgress, Completed, "
				 "Failed, Stopping, Stopped, Deleting";
	case OPTION_FILTER:
		options->filter = value;
		return NULL;
	case OPTION_PREFS:
		options->prefs = value;
		return NULL;
	case OPTION_NAME:
		options->name = value;
		return NULL;
	case OPTION_SPOT:
		options->spot = true;
		return NULL;
	case OPTION_SUGGEST:
		options->suggest = true;
		return NULL;
	case OPTION_DEADLINE:
		options->deadline = value;
		return NULL;
	case OPTION_DEMO:
		options->demo = true;
		return NULL;
	case OPTION_PLAIN:
		options->plain = true;
		return NULL;
	case OPTION_NO_COLOR:
		options->no_color = true;
		return NULL;
	case OPTION_UTF8:
		options->utf8 = true;
		return NULL;
	case OPTION_CONFIG:
		options->config_file = value;
		return value[0] ? NULL : "takes the path of a file";
	case OPTION_LOG:
		options->log_file = value;
		return value[0] ? NULL : "takes the path of a file";
	case OPTION_VERBOSE:
		options->verbose = true;
		return NULL;
	case OPTION_YES:
		options->yes = true;
		return NULL;
	case OPTION_VERSION:
		options->version = true;
		return NULL;
	case OPTION_HELP:
		options->help = true;
		return NULL;
	case OPTION_DRY_RUN:
		options->dry_run = true;
		return NULL;
	default:
		return apply_measured(options, id, value);
	}
}

/* A walk over argv: at is the next word, seen marks each option given (by row). */
struct walk {
	int argc, at;
	char *const *argv;
	bool seen[ARRAY_LEN(rows)];
};

/* The setting that names the option as its own. */
static enum setting_id setting_of(const char *shown)
{
	int id = 0;
	while (!setting_row((enum setting_id)id)->option ||
	       strcmp(setting_row((enum setting_id)id)->option, shown) != 0)
		id++;
	return (enum setting_id)id;
}

/* Says so where the value is none of the setting. */
static bool take_setting(struct options *options, const char *shown, const char *value,
			 struct err *err)
{
	enum setting_id id = setting_of(shown);
	struct buf wrong;
	int64_t number;
	buf_init(&wrong, WRONG_MAX);
	bool ok = value_read(&setting_row(id)->rule, value, &number, &wrong);
	options->given[id] = value;
	if (!ok) {
		err_set(err, ERR_USAGE, "%s", buf_text(&wrong));
		err->hint = HINT_SEE_HELP;
		err_subject(err, "%s", shown);
	}
	buf_release(&wrong);
	return ok;
}

static bool take(struct options *options, struct walk *walk, const struct option_row *row,
		 const char *value, struct err *err)
{
	char shown[64];
	snprintf(shown, sizeof(shown), "--%s", row->name);
	if (row->value && !value) {
		if (walk->at >= walk->argc)
			return fail(err, shown, "needs a value");
		value = walk->argv[walk->at++];
	}
	walk->seen[row - rows] = true;
	if (row->id == OPTION_SETTING) /* one without a value switches it on */
		return take_setting(options, shown, value ? value : "yes", err);
	const char *wrong = apply(options, (enum option_id)row->id, value ? value : "");
	if (!wrong)
		return true;
	err_set(err, ERR_USAGE, "%s, not '%s'", wrong, value ? value : "");
	err->hint = HINT_SEE_HELP;
	return err_subject(err, "%s", shown);
}

static bool take_long(struct options *options, struct walk *walk, const char *word, struct err *err)
{
	const char *equals = strchr(word, '=');
	size_t len = equals ? (size_t)(equals - word) : strlen(word);
	const struct option_row *row = options_find(word, len);
	if (row && equals && !row->value)
		return fail(err, word, "takes no value");
	if (row)
		return take(options, walk, row, equals ? equals + 1 : NULL, err);
	const char *near = NULL;
	for (size_t i = 0; i < ARRAY_LEN(rows) && !near; i++)
		if (text_distance(rows[i].name, word, 2) <= 2)
			near = rows[i].name;
	err_set(err, ERR_USAGE,
		near ? "there is no such option; did you mean --%s?" : "there is no such option%s",
		near ? near : "");
	err->hint = HINT_SEE_HELP;
	return err_subject(err, "--%.*s", (int)len, word);
}

static bool take_letters(struct options *options, struct walk *walk, const char *word,
			 struct err *err)
{
	for (; *word; word++) {
		const struct option_row *row = options_find_letter(*word);
		if (!row) {
			char shown[3] = { '-', *word, '\0' };
			return fail(err, shown, "there is no such option");
		}
		const char *value = row->value && word[1] ? word + 1 : NULL;
		if (!take(options, walk, row, value, err))
			return false;
		if (row->value)
			break;
	}
	return true;
}

static bool take_word(struct options *options, const char *word, struct err *err)
{
	if (!options->command) {
		options->command = word;
		return true;
	}
	if (options->arg_count == OPTION_ARGS_MAX)
		return fail(err, word, "too many arguments");
	options->args[options->arg_count++] = word;
	return true;
}

/* What can be said only when the whole line is known. */
static bool check_whole(const struct options *options, const struct walk *walk, struct err *err)
{
	const struct command *command = options->command ? command_find(options->command) : NULL;
	if (options->version || options->help)
		return true;
	if (options->command && !command)
		return fail(err, options->command, "there is no such command");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (walk->seen[i] && rows[i].own && !command_accepts(command, rows[i].name)) {
			char shown[64];
			snprintf(shown, sizeof(shown), "--%s", rows[i].name);
			return fail(err, shown,
				    command ? "is not an option of this command"
					    : "goes with a command");
		}
	if (command && options->arg_count < command->least_args)
		return fail(err, command->name, "needs an argument");
	if (command && options->arg_count > command->most_args)
		return fail(err, options->args[command->most_args], "is one argument too many");
	if (options->has_pace && options->pace == 0 && !options->endpoint_url && !options->demo)
		return fail(err, "--pace",
			    "0 would use up the account's list rate; it works beside "
			    "--endpoint-url or --demo alone");
	if (options->demo && options->endpoint_url)
		return fail(err, "--demo", "has an endpoint of its own; leave out --endpoint-url");
	if (options->verbose && !options->log_file)
		return fail(err, "--verbose", "is about the log; it goes with --log FILE");
	return true;
}

/* What the environment says is left to whoever reads it for AWS. */
static const char *text_of(const struct config *config, enum setting_id id)
{
	const struct setting *setting = &config->settings[id];
	return setting->origin == ORIGIN_ENVIRONMENT ? NULL : setting->text;
}

static void take_origin(char out[ORIGIN_TEXT_SIZE], const struct config *config, enum setting_id id)
{
	struct buf text;
	out[0] = '\0';
	if (config->settings[id].origin != ORIGIN_FILE)
		return;
	buf_init(&text, WRONG_MAX);
	config_add_origin(config, id, &text);
	snprintf(out, ORIGIN_TEXT_SIZE, "gpuq's %s", buf_text(&text)); /* cut is good enough */
	buf_release(&text);
}

void options_take_config(struct options *options, const struct config *config)
{
	take_origin(options->profile_origin, config, SETTING_PROFILE);
	take_origin(options->region_origin, config, SETTING_REGION);
	options->config = config;
	options->profile = text_of(config, SETTING_PROFILE);
	options->region = text_of(config, SETTING_REGION);
	options->pace_dir = text_of(config, SETTING_PACE_DIR);
	options->theme = text_of(config, SETTING_THEME);
	options->read_only = config_is_on(config, SETTING_READ_ONLY);
	options->ascii = config_is_on(config, SETTING_ASCII);
	options->mouse = config_is_on(config, SETTING_MOUSE);
	options->utc = config_is_on(config, SETTING_UTC);
	options->allow_http = config_is_on(config, SETTING_ALLOW_HTTP);
	options->refresh_ms = config->settings[SETTING_REFRESH].number;
	options->since_ms = config->settings[SETTING_SINCE].number;
	options->confirm_above_micro = config->settings[SETTING_CONFIRM_ABOVE].number;
}

static const char *read_env(void *ctx, const char *name)
{
	(void)ctx;
	return getenv(name);
}

void options_decide(struct options *options, struct config *config)
{
	const struct config_given given = { .options = options->given,
					    .env = read_env,
					    .simulated = options->demo };
	config_decide(config, &given);
	options_take_config(options, config);
}

void options_go(struct options *options, struct config *config, const char *profile,
		const char *region, const char *region_origin)
{
	options->given[SETTING_PROFILE] = profile;
	options->given[SETTING_REGION] = region;
	options_decide(options, config);
	if (profile)
		snprintf(options->profile_origin, sizeof(options->profile_origin), ":profile");
	if (region)
		snprintf(options->region_origin, sizeof(options->region_origin), "%s",
			 region_origin);
}

/* Without a file: the command line and the defaults. */
static void take_given(struct options *options)
{
	struct config none = { 0 };
	const struct config_given given = { .options = options->given, .simulated = options->demo };
	config_decide(&none, &given);
	options_take_config(options, &none);
	options->config = NULL;
}

bool options_parse(struct options *options, int argc, char *const *argv, struct err *err)
{
	*options = (struct options){ .pace = 1 };
	struct walk walk = { .argc = argc, .at = 1, .argv = argv };
	bool words_only = false;
	while (walk.at < argc) {
		const char *word = argv[walk.at++];
		bool ok = true;
		if (!words_only && strcmp(word, "--") == 0)
			words_only = true;
		else if (!words_only && strncmp(word, "--", 2) == 0)
			ok = take_long(options, &walk, word + 2, err);
		else if (!words_only && word[0] == '-' && word[1] != '\0')
			ok = take_letters(options, &walk, word + 1, err);
		else
			ok = take_word(options, word, err);
		if (!ok)
			return false;
	}
	if (options->plain && !options->command)
		options->command = "plain";
	take_given(options);
	return check_whole(options, &walk, err);
}
