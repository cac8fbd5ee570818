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
#include "model/job.h"
#include "views/text/report.h"

#define OPTION_ARGS_MAX 64

struct options {
	/* Texts are borrowed from argv. */
	const char *region, *endpoint_url;
	bool demo, read_only, no_color, ascii, yes, version, help;
	int64_t refresh_ms;
	double pace;
	bool has_pace;
	int64_t since_ms;
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
};

/* Reads argv; false with a usage error that names the option and the fix. */
bool options_parse(struct options *options, int argc, char *const *argv,
		   struct err *err) MUST_CHECK;

/* The text of --help: of one command, or of the program when command is NULL. */
void options_help(struct buf *out, const char *command);

#endif
