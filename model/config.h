/*
 * The program's own settings: one table of them, and the file that sets them (interface.md,
 * Configuration; the ini grammar of the AWS files). Pure: a text in, settings out. What counts for
 * each, first to last: the option, the environment, [profile NAME] of the AWS profile in use, the
 * keys above the first section, the default. A value that cannot be read is named and passed over.
 *
 * read_only keeps to the safe side: changes are refused while its value cannot be read, or while
 * there is a file that cannot. So do the limits of money: while one cannot be read, or is written
 * with a slip in its name, nothing is submitted; and every name is typed while confirm_above
 * cannot.
 */
#ifndef GPUQ_CONFIG_H
#define GPUQ_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/ini.h"
#include "model/config_value.h"

enum setting_id {
	SETTING_READ_ONLY,
	SETTING_REGION,
	SETTING_PROFILE,
	SETTING_REFRESH,
	SETTING_SINCE,
	SETTING_THEME,
	SETTING_MOUSE,
	SETTING_ASCII,
	SETTING_UTC,
	SETTING_COLUMNS,
	SETTING_MAX_PER_HOUR,
	SETTING_MAX_WORST_CASE,
	SETTING_CONFIRM_ABOVE,
	SETTING_STUCK_AFTER,
	SETTING_TAG_JOBS,
	SETTING_PACE_DIR,
	SETTING_ALLOW_HTTP,
	SETTING_PRODUCTION,
	SETTING_COUNT
};

enum setting_effect {
	EFFECT_NOW,
	EFFECT_LATER, /* read and checked; what it is for is not there yet */
};

#define SETTING_VARIABLES 2

struct setting_row {
	const char *name;
	struct value_rule rule;
	const char *standard; /* the default, as in the file; NULL: `without` says what holds */
	const char *without;
	const char *option;                       /* "--region"; NULL: none */
	const char *variables[SETTING_VARIABLES]; /* of the environment, first to last; or NULL */
	bool of_aws;                              /* has no meaning on a simulated region */
	bool at_start; /* the dashboard goes by it from its start on: a reload changes nothing */
	enum setting_effect effect;
	const char *help;
};

const struct setting_row *setting_row(enum setting_id id);
/* The default in words: its value, or what holds without one. */
const char *setting_default(const struct setting_row *row);

enum setting_origin {
	ORIGIN_DEFAULT,
	ORIGIN_OPTION,
	ORIGIN_ENVIRONMENT,
	ORIGIN_FILE,
	ORIGIN_CAUTION, /* of a file or a value that cannot be read: on the safe side */
};

struct setting {
	const char *text; /* as written, or the default; NULL: not set. Borrowed */
	int64_t number;   /* by the kind of the row: 0 and 1, milliseconds, micro units */
	enum setting_origin origin;
	const char *variable; /* of ORIGIN_ENVIRONMENT */
	const char *section;  /* of the file; "" above the first one */
	size_t line;          /* of the file; 0: the file as a whole */
};

/* What the file got wrong. */
struct config_problem {
	bool is_warning; /* said at each start; else by `gpuq config` alone */
	size_t line;     /* 0: the file as a whole */
	char *text;      /* owned: "line 7, [profile ops] refresh: takes seconds from ..." */
};

#define CONFIG_PROBLEMS_MAX 100 /* the rest is counted */

/* Keys of an action that are not its table's, as others have read them from [keys]. */
struct config_keys {
	const char *action, *standard, *help; /* static: of the table */
	char *keys;                           /* owned; blank-separated */
	size_t line;                          /* 0: lines of others have taken some away */
};

struct config_section; /* config_check.c */

/* {0} is valid: no file. Release it. */
struct config {
	struct ini ini;                  /* with the sections that features read for themselves */
	char *path;                      /* owned; NULL: there was none to look at */
	bool is_there;                   /* a file of that path, read or not */
	struct config_section *sections; /* what each of ini's is, in its order */
	char *distrust;                  /* owned; who else could have written it; NULL: nobody */
	bool is_unread;                  /* there is a file, but nothing of it could be read */
	struct config_problem *problems;
	size_t problem_count, problem_capacity, problems_left_out;
	struct config_keys *keys; /* of config_add_keys */
	size_t key_count, key_capacity;
	/* Of config_decide. */
	struct setting settings[SETTING_COUNT];
	/* Owned sentences: which limit of money cannot be read and why, and what mends it. NULL:
	 * there is none such. */
	char *unread_limit, *unread_limit_fix;
};

/* Takes the text of a file. False with err (ERR_CONFIG) where it is none: then as
 * config_note_unread. */
bool config_read(struct config *config, const char *path, const char *text, size_t len,
		 struct err *err) MUST_CHECK;
/* Before config_read: others than its reader could have written the file, and how; rules of it run
 * and stop nothing. */
void config_note_distrust(struct config *config, const char *why);
/* There is no file of that path, which is as good as an empty one. */
void config_note_absent(struct config *config, const char *path);
/* There is a file, and why it could not be read. */
void config_note_unread(struct config *config, const char *path, const struct err *err);
/* NULL is accepted. */
void config_release(struct config *config);

/* A section that others read for themselves, by its whole header; NULL: there is none that counts.
 */
const struct ini_section *config_section(const struct config *config, const char *name);
/* Says of one of its keys what they found wrong, as a warning. */
void config_warn_key(struct config *config, const struct ini_section *section,
		     const struct ini_key *key, const char *why);

/* For `gpuq config`; the keys are copied. */
void config_add_keys(struct config *config, const struct config_keys *keys);

/* What stands above the file. */
struct config_given {
	/* By the command line, SETTING_COUNT of them, checked with the row's rule; NULL: not
	 * given. The texts are borrowed. */
	const char *const *options;
	/* As getenv; NULL: there is no environment. */
	const char *(*env)(void *ctx, const char *name);
	void *ctx;
	bool simulated; /* --demo: what is of AWS does not count */
};

/* Works out all settings; again when the profile in use has changed. */
void config_decide(struct config *config, const struct config_given *given);

/* The profile that config_decide went by; "default" where nobody names one. */
const char *config_profile(const struct config *config);

/* What is done under that profile is done to production: the setting says so, else its name, of
 * which prod, prd, production or live is a word. config may be NULL. */
bool config_is_production(const struct config *config, const char *profile);

bool config_is_on(const struct config *config, enum setting_id id);
/* "option --region", "environment AWS_REGION", "config line 12 [profile ops]", "default". */
void config_add_origin(const struct config *config, enum setting_id id, struct buf *out);

/* Appends "PATH, line 7, [profile ops] refresh: takes ...". */
void config_add_described(const struct config *config, const struct config_problem *problem,
			  struct buf *out);
/* How many warnings there are. The first of them is NULL where there is none. */
size_t config_warnings(const struct config *config, const struct config_problem **first);

#endif
