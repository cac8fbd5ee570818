/* gpuq: reads the command line and the config, and runs the app. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app.h"
#include "aws/config_files.h"
#include "aws/kept_names.h"
#include "aws/log.h"
#include "model/base/disk.h"
#include "model/base/mem.h"
#include "model/base/version.h"
#include "views/key_settings.h"
#include "views/text/command.h"
#include "views/text/complete.h"

#define HELP_MAX       (64u << 10)
#define CANDIDATES_MAX (1u << 20)
#define PATH_SIZE      4096
#define CONFIG_WAIT_MS 10000 /* that the start waits for a home folder */

static int print_help(const char *command)
{
	struct buf help, messages;
	buf_init(&help, HELP_MAX);
	buf_init(&messages, HELP_MAX);
	options_help(&help, command);
	int status = command_finish(&help, &messages, 0);
	buf_release(&help);
	buf_release(&messages);
	return status;
}

static void complete_names(void *ctx, const struct complete_ask *ask)
{
	(void)ctx;
	if (ask->what == COMPLETE_PROFILES)
		kept_profiles(ask->take, ask->taker);
	else
		kept_jobs(ask->profile, ask->region, ask->what == COMPLETE_LIVE_JOBS, ask->take,
			  ask->taker);
}

/* A shell asks what may come next: the words are no command line yet. */
static int print_candidates(int argc, char *const *argv)
{
	const struct complete_sources sources = { .names = complete_names };
	struct buf out, messages;
	buf_init(&out, CANDIDATES_MAX);
	buf_init(&messages, HELP_MAX);
	complete_line(&out, (const char *const *)argv, (size_t)argc, &sources);
	int status = command_finish(&out, &messages, 0);
	buf_release(&out);
	buf_release(&messages);
	return status;
}

static int print_version(void)
{
	struct buf version, messages;
	buf_init(&version, HELP_MAX);
	buf_init(&messages, HELP_MAX);
	buf_add_text(&version, "gpuq " GPUQ_VERSION "\n");
	int status = command_finish(&version, &messages, 0);
	buf_release(&version);
	buf_release(&messages);
	return status;
}

static int refuse(struct err *err)
{
	struct buf none, messages;
	buf_init(&none, 0);
	buf_init(&messages, HELP_MAX);
	command_message(&messages, err);
	int status = command_finish(&none, &messages, err_exit_status(err));
	buf_release(&none);
	buf_release(&messages);
	err_clear(err);
	return status;
}

/* $XDG_CONFIG_HOME/gpuq/config, else ~/.config/gpuq/config. */
static char *standard_path(void)
{
	struct buf path;
	const char *folder = getenv("XDG_CONFIG_HOME");
	if (!folder || folder[0] != '/') /* a relative one does not count, by its specification */
		return config_path_expand("~/.config/gpuq/config");
	buf_init(&path, PATH_SIZE);
	buf_addf(&path, "%s/gpuq/config", folder);
	return buf_take(&path);
}

/* Whoever may write a folder may put another file in the place of one there; a sticky one keeps
 * each to his own. */
static bool is_open_to_others(const char *folder)
{
	struct stat status;
	if (stat(folder, &status) != 0)
		return true;
	mode_t others = S_IWOTH | (status.st_gid == getegid() ? 0 : S_IWGRP);
	return (status.st_uid != geteuid() && status.st_uid != 0) ||
	       ((status.st_mode & others) && !(status.st_mode & S_ISVTX));
}

/* The first of the folders above path that is open to others, else "". path is cut to it. */
static const char *open_folder_above(char *path)
{
	for (char *slash = strrchr(path, '/'); slash && path[1]; slash = strrchr(path, '/')) {
		slash[slash == path] = '\0';
		if (is_open_to_others(path))
			return path;
	}
	return "";
}

/* A rule that runs something is as good as the word of whoever could have written it. */
static void note_trust(struct config *config, const char *path, const struct disk_stamp *stamp)
{
	char *real = realpath(path, NULL);
	struct buf why;
	buf_init(&why, PATH_SIZE + HELP_MAX);
	if (stamp->owner != (uint64_t)geteuid())
		buf_add_text(&why, "the file is another user's");
	else if (stamp->mode & (S_IWGRP | S_IWOTH))
		buf_addf(&why, "others may write the file; chmod go-w %s", path);
	const char *folder = why.len == 0 && real ? open_folder_above(real) : "";
	if (folder[0])
		buf_addf(&why, "others may write its folder; chmod go-w %s", folder);
	free(real);
	if (why.len > 0)
		config_note_distrust(config, buf_text(&why));
	buf_release(&why);
}

/* A file that was named has to be there and to be one; else the program goes on and says it. */
static bool take_text(struct config *config, const char *path, bool named, struct err *err)
{
	struct disk_stamp stamp;
	struct buf text;
	buf_init(&text, INI_TEXT_MAX);
	bool was_read = disk_read_now(path, INI_TEXT_MAX, CONFIG_WAIT_MS, &text, &stamp, err);
	if (was_read)
		note_trust(config, path, &stamp);
	bool ok = was_read && config_read(config, path, buf_text(&text), text.len, err);
	if (!was_read && !named && err->code == ERR_NOT_FOUND)
		config_note_absent(config, path);
	else if (!was_read && !named)
		config_note_unread(config, path, err);
	if (!ok && named) {
		err->code = ERR_CONFIG;
		err->hint = was_read ? HINT_CORRECT_FILE : HINT_NONE;
	}
	buf_release(&text);
	return ok || !named;
}

static bool load_config(struct config *config, const struct options *options, struct err *err)
{
	bool named = options->config_file != NULL;
	char *path = named ? mem_copy_text(options->config_file) : standard_path();
	bool ok = true;
	if (strcmp(path, "/dev/null") == 0)
		config_note_absent(config, path); /* so that a script can do without one */
	else
		ok = take_text(config, path, named, err);
	if (!named)
		err_clear(err);
	free(path);
	return ok;
}

/* What the program runs with: the first question to a log. */
static void log_settings(struct log *log, const struct options *options)
{
	log_line(log, "%s%s", options->command ? "command " : "dashboard",
		 options->command ? options->command : "");
	for (int id = 0; log_is_detailed(log) && id < SETTING_COUNT; id++) {
		const struct setting *setting = &options->config->settings[id];
		struct buf origin;
		buf_init(&origin, PATH_SIZE);
		config_add_origin(options->config, (enum setting_id)id, &origin);
		log_line(log, "setting %s: %s, %s", setting_row((enum setting_id)id)->name,
			 setting->text ? setting->text : "not set", buf_text(&origin));
		buf_release(&origin);
	}
}

static void say_log_ended(const struct log *log)
{
	struct buf none, messages;
	if (!log_error(log))
		return;
	buf_init(&none, 0);
	buf_init(&messages, HELP_MAX);
	command_message(&messages, log_error(log));
	command_finish(&none, &messages, 0);
	buf_release(&none);
	buf_release(&messages);
}

static int run_logged(struct options *options, struct config *config)
{
	struct err err = { 0 };
	struct log *log = NULL;
	const struct clock clock = clock_system();
	if (options->log_file)
		log = log_open(options->log_file, options->verbose, &clock, &err);
	if (options->log_file && !log)
		return refuse(&err);
	log_settings(log, options);
	int status = app_run(options, config, log);
	log_line(log, "ends with status %d", status);
	say_log_ended(log);
	log_close(log);
	return status;
}

/* `doctor` goes on: that the config is none is what it has to say. */
static bool goes_on_without(struct config *config, const struct options *options, struct err *err)
{
	if (!options->command || strcmp(options->command, "doctor") != 0)
		return false;
	if (!config->is_unread)
		config_note_unread(config, options->config_file, err);
	err_clear(err);
	return true;
}

/* keys are those of options, still to be filled. */
static int run(struct options *options, struct keymap *keys)
{
	struct config config = { 0 };
	struct err err = { 0 };
	int status;
	if (load_config(&config, options, &err) || goes_on_without(&config, options, &err)) {
		options_decide(options, &config);
		key_settings_read(keys, &config);
		status = run_logged(options, &config);
	} else {
		status = refuse(&err);
	}
	config_release(&config);
	return status;
}

int main(int argc, char **argv)
{
	struct options options;
	struct err err = { 0 };
	/* Character set alone: numbers keep their point in every locale. */
	setlocale(LC_CTYPE, "");
	if (argc > 1 && strcmp(argv[1], COMPLETE_COMMAND) == 0)
		return print_candidates(argc - 2, argv + 2);
	if (!options_parse(&options, argc, argv, &err))
		return refuse(&err);
	/* Of a system without that locale the one that is set stays, and with it ASCII. */
	if (options.utf8)
		(void)setlocale(LC_CTYPE, "C.UTF-8");
	if (options.version)
		return print_version();
	if (options.help)
		return print_help(options.command);
	struct keymap keys = { 0 };
	options.keys = &keys;
	int status = run(&options, &keys);
	keymap_release(&keys);
	return status;
}
