#include "views/text/command.h"

#include <string.h>

static const struct command *const commands[] = { &command_jobs, &command_show, &command_submit };

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

const struct command *const *command_all(size_t *count)
{
	*count = ARRAY_LEN(commands);
	return commands;
}

void command_message(struct buf *messages, const struct err *err)
{
	buf_add_text(messages, "gpuq: ");
	if (err->subject[0])
		buf_addf(messages, "%s: ", err->subject);
	buf_add_text(messages, err_text(err));
	if (err->aws_code[0])
		buf_addf(messages, " (%s%s%s)", err->aws_code,
			 err->request_id[0] ? ", request " : "", err->request_id);
	const char *next = err_hint_text(err->hint);
	if (next[0])
		buf_addf(messages, "\ngpuq: %s", next);
	buf_add_char(messages, '\n');
}
