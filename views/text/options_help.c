/* The text of --help, from the tables of commands and options. */
#include <stdio.h>
#include <string.h>

#include "views/text/options_table.h"

bool command_accepts(const struct command *command, const char *name)
{
	for (size_t i = 0; command && command->accepts && command->accepts[i]; i++)
		if (strcmp(command->accepts[i], name) == 0)
			return true;
	return false;
}

void option_show(const struct option_row *row, char out[OPTION_SHOWN_SIZE])
{
	snprintf(out, OPTION_SHOWN_SIZE, "%c%c%s--%s%s%s", row->letter ? '-' : ' ',
		 row->letter ? row->letter : ' ', row->letter ? ", " : "  ", row->name,
		 row->value ? " " : "", row->value ? row->value : "");
}

static void help_row(struct buf *out, const struct option_row *row)
{
	char left[OPTION_SHOWN_SIZE];
	option_show(row, left);
	buf_addf(out, "  %-26s %s\n", left, row->help);
}

static void help_command(struct buf *out, const struct command *command)
{
	const struct option_row *row;
	buf_addf(out, "usage: gpuq [OPTIONS] %s%s%s\n\n%s\n", command->name,
		 command->arguments[0] ? " " : "", command->arguments, command->help);
	for (size_t i = 0; (row = options_row(i)) != NULL; i++)
		if (row->own && command_accepts(command, row->name))
			help_row(out, row);
	buf_addf(out, "\nexample%s:\n", strchr(command->example, '\n') ? "s" : "");
	for (const char *line = command->example; *line; line += strspn(line, "\n")) {
		size_t len = strcspn(line, "\n");
		buf_addf(out, "  %.*s\n", (int)len, line);
		line += len;
	}
	buf_add_text(out, "\nOptions of all commands: gpuq --help\n");
}

void options_help(struct buf *out, const char *name)
{
	const struct command *command = name ? command_find(name) : NULL;
	const struct option_row *row;
	size_t count = 0;
	if (command) {
		help_command(out, command);
		return;
	}
	buf_add_text(out,
		     "gpuq: watch GPU queues on Amazon SageMaker and edit what they wait for\n\n"
		     "usage: gpuq [OPTIONS]                 the dashboard\n"
		     "       gpuq [OPTIONS] COMMAND [ARGS]  one command, no screen\n\nCommands\n");
	const struct command *const *all = command_all(&count);
	for (size_t i = 0; i < count; i++) {
		char left[64];
		snprintf(left, sizeof(left), "%s %s", all[i]->name, all[i]->arguments);
		buf_addf(out, "  %-26s %s\n", left, all[i]->help);
	}
	buf_add_text(out, "\nOptions (before or after the command)\n");
	for (size_t i = 0; (row = options_row(i)) != NULL; i++)
		if (!row->own)
			help_row(out, row);
	buf_add_text(
		out,
		"\nCredentials are found as the AWS CLI finds them: environment, profile (keys, "
		"roles,\nSSO, aws login, web identity, credential_process), container, "
		"instance.\n"
		"Exit status: 0 done, 1 AWS or the job said no, 2 wrong usage, 3 the request "
		"breaks a rule,\n"
		"4 no usable credentials or denied, 5 no answer, 130 interrupted.\n");
}
