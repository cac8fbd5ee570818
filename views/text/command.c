#include "views/text/command.h"

#include <string.h>

#include "model/base/text.h"

#define MESSAGE_MAX (4u * ERR_TEXT_MAX)

static const struct command *const commands[] = { &command_jobs, &command_show, &command_submit,
						  &command_plans };

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

void command_add_outside(struct buf *out, const struct buf *text)
{
	text_sanitise(out, buf_text(text), text->len, TEXT_FILE, false);
}

void command_message(struct buf *messages, const struct err *err)
{
	struct buf text;
	buf_init(&text, MESSAGE_MAX);
	buf_add_text(&text, "gpuq: ");
	if (err->subject[0])
		buf_addf(&text, "%s: ", err->subject);
	buf_add_text(&text, err_text(err));
	if (err->aws_code[0])
		buf_addf(&text, " (%s%s%s)", err->aws_code, err->request_id[0] ? ", request " : "",
			 err->request_id);
	const char *next = err_hint_text(err->hint);
	if (next[0])
		buf_addf(&text, "\ngpuq: %s", next);
	buf_add_char(&text, '\n');
	command_add_outside(messages, &text);
	buf_release(&text);
}
