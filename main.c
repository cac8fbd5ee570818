/* gpuq: reads the command line and runs the app. */
#include <locale.h>

#include "app.h"
#include "model/base/version.h"
#include "views/text/command.h"

#define HELP_MAX (64u << 10)

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

int main(int argc, char **argv)
{
	struct options options;
	struct err err = { 0 };
	/* Character set alone: numbers keep their point in every locale. */
	setlocale(LC_CTYPE, "");
	if (!options_parse(&options, argc, argv, &err))
		return refuse(&err);
	if (options.version)
		return print_version();
	if (options.help)
		return print_help(options.command);
	return app_run(&options);
}
