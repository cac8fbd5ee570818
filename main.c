/* gpuq: reads the command line and runs the app. */
#include <locale.h>
#include <stdio.h>

#include "app.h"
#include "model/base/version.h"
#include "views/text/command.h"

#define HELP_MAX (64u << 10)

static int print_help(const char *command)
{
	struct buf help;
	buf_init(&help, HELP_MAX);
	options_help(&help, command);
	int status = fputs(buf_text(&help), stdout) < 0 || fflush(stdout) != 0;
	buf_release(&help);
	return status;
}

static int refuse(struct err *err)
{
	struct buf messages;
	buf_init(&messages, HELP_MAX);
	command_message(&messages, err);
	fputs(buf_text(&messages), stderr);
	buf_release(&messages);
	int status = err_exit_status(err);
	err_clear(err);
	return status;
}

int main(int argc, char **argv)
{
	struct options options;
	struct err err = { 0 };
	/* Character set alone: numbers keep their point in every locale. */
	setlocale(LC_CTYPE, "");
	if (!options_parse(&options, argc, argv, &err))
		return refuse(&err);
	if (options.version)
		return puts("gpuq " GPUQ_VERSION) < 0;
	if (options.help)
		return print_help(options.command);
	return app_run(&options);
}
