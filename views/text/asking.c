#include "views/text/asking.h"

#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "model/base/io.h"

#define ANSWER_SIZE 256

static bool has_terminal(void)
{
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

static bool refuse(struct command_run *run, const char *why, int *status)
{
	struct err err = { 0 };
	err_set(&err, ERR_USAGE, "%s", why);
	err_subject(&err, "%s", run->options->command);
	command_message(run->messages, &err);
	*status = err_exit_status(&err);
	err_clear(&err);
	return false;
}

static bool refuse_read_only(struct command_run *run, int *status)
{
	struct buf why;
	buf_init(&why, ERR_TEXT_MAX);
	buf_add_text(&why, "changes something, and read_only is on: ");
	config_add_origin(run->options->config, SETTING_READ_ONLY, &why);
	refuse(run, buf_text(&why), status);
	buf_release(&why);
	return false;
}

bool asking_may_change(struct command_run *run, int *status)
{
	if (run->options->read_only)
		return refuse_read_only(run, status);
	if (!run->options->yes && !has_terminal())
		return refuse(run, "there is no terminal to ask on; --yes does it without asking",
			      status);
	return true;
}

static bool read_line(char line[ANSWER_SIZE])
{
	if (!fgets(line, ANSWER_SIZE, stdin))
		return false;
	line[strcspn(line, "\n")] = '\0';
	return true;
}

static bool ask(struct command_run *run, const struct buf *question, const char *wanted)
{
	char line[ANSWER_SIZE] = "";
	struct buf text;
	buf_init(&text, COMMAND_TEXT_MAX);
	buf_add(&text, buf_text(run->messages), run->messages->len);
	buf_clear(run->messages);
	command_add_outside(&text, question);
	(void)tcflush(STDIN_FILENO, TCIFLUSH);
	bool agreed =
		io_write_all(STDERR_FILENO, &text) && read_line(line) && strcmp(line, wanted) == 0;
	buf_release(&text);
	return agreed;
}

bool asking_agrees(struct command_run *run, const struct buf *question, const char *typed)
{
	return run->options->yes || ask(run, question, typed);
}

bool asking_word(struct command_run *run, const struct buf *question, const char *typed)
{
	return has_terminal() && ask(run, question, typed);
}
