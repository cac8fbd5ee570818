/*
 * The command line: one table of options and one of commands; --help is made from both. The
 * names are promised in interface.md; a row comes with the code that does what it says.
 */
#ifndef GPUQ_OPTIONS_H
#define GPUQ_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/config.h"
#include "model/job.h"
#include "views/text/report.h"

#define OPTION_ARGS_MAX  64
#define ORIGIN_TEXT_SIZE 256

struct keymap; /* tui/keymap.h */

struct options {
	/* Texts are borrowed from argv, those of settings perhaps from the config. */
	const char *endpoint_url, *config_file, *log_file;
	bool plain; /* the dashboard line by line: a command does so anyway */
	bool demo, no_color, utf8, yes, version, help, verbose;
	double pace;
	bool has_pace;
	const char *given[SETTING_COUNT]; /* the settings on the command line; NULL: not there */
	/* What counts of the settings, as options_take_config has it. */
	const struct config *config;  /* NULL: the command line and defaults alone */
	const char *profile, *region; /* NULL: what AWS's own environment and files say */
	/* Who says them, where that is the config; "" = the option. */
	char profile_origin[ORIGIN_TEXT_SIZE], region_origin[ORIGIN_TEXT_SIZE];
	const char *pace_dir; /* NULL: one of this user's own */
	const char *theme;
	struct keymap *keys; /* borrowed: of the config's [keys]; NULL = none */
	bool read_only, ascii, utc, mouse, allow_http;
	int64_t refresh_ms, since_ms, confirm_above_micro;
	enum report_format format;
	const char *command; /* NULL = the dashboard */
	const char *args[OPTION_ARGS_MAX];
	size_t arg_count;
	/* of single commands */
	const char *status, *filter, *prefs, *name;
	bool has_kind;
	enum job_kind kind;
	int64_t count; /* 0 = not given */
	struct opt_ms max_pending;
	bool dry_run;
	bool until_running; /* else until it has ended */
	struct opt_ms timeout;
	bool has_order, stop_first; /* of a requeue */
	enum history_by by;         /* of the history */
	/* of the forecast */
	bool suggest, spot;
	const char *deadline; /* a duration or a time; NULL = none */
	struct money budget;  /* unset = none */
	int64_t least_chance; /* per cent; 0 = not given */
};

/* Reads argv; false with a usage error that names the option and the fix. */
bool options_parse(struct options *options, int argc, char *const *argv,
		   struct err *err) MUST_CHECK;

/* Takes the settings that were decided for these options; the config is borrowed. */
void options_take_config(struct options *options, const struct config *config);
/* Decides them from the command line (options->given), this program's environment and the config,
 * and takes them. Again where another profile is given. */
void options_decide(struct options *options, struct config *config);

/* The same after going to a profile and a region (NULL: none was chosen); region_origin says where
 * the region comes from. Texts are borrowed. */
void options_go(struct options *options, struct config *config, const char *profile,
		const char *region, const char *region_origin);

/*
 * options_anew.c. For a dashboard whose config has been read anew: decides them from the command
 * line, the environment and the new config. What a running dashboard does not change stays: where
 * it is, and read_only, which is only ever switched on. said gets what to tell: that it is taken,
 * and what counts at the next start. before is the config until now, which outlives the options.
 * Returns read_only.
 */
bool options_anew(struct options *options, struct config *config, const struct config *before,
		  struct buf *said);

/* The text of --help: of one command, or of the program when command is NULL. */
void options_help(struct buf *out, const char *command);

#endif
