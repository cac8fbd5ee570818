#include "views/text/asking.h"

#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "model/base/io.h"

#define ANSWER_SIZE 256

/* Where answers come from: standard input, or where a request is read from there, the terminal
 * itself. NULL: nobody can be asked. */
static FILE *open_answers(const struct command_run *run)
{
	const struct options *options = run->options;
	if (!isatty(STDERR_FILENO))
		return NULL;
	if (isatty(STDIN_FILENO)) {
		int fd = dup(STDIN_FILENO);
		return fd < 0 ? NULL : fdopen(fd, "r");
	}
	bool taken = options->arg_count > 0 && strcmp(options->args[0], "-") == 0;
	return taken ? fopen("/dev/tty", "re") : NULL;
}

static bool has_terminal(const struct command_run *run)
{
	FILE *answers = open_answers(run);
	if (answers)
		(void)fclose(answers);
	return answers != NULL;
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
	if (!run->options->yes && !has_terminal(run))
		return refuse(run, "there is no terminal to ask on; --yes does it without asking",
			      status);
	return true;
}

static bool read_line(FILE *answers, char line[ANSWER_SIZE])
{
	if (!fgets(line, ANSWER_SIZE, answers))
		return false;
	line[strcspn(line, "\n")] = '\0';
	return true;
}

static bool ask(struct command_run *run, const struct buf *question, const char *wanted)
{
	FILE *answers = open_answers(run);
	char line[ANSWER_SIZE] = "";
	struct buf text;
	if (!answers)
		return false;
	buf_init(&text, COMMAND_TEXT_MAX);
	buf_add(&text, buf_text(run->messages), run->messages->len);
	buf_clear(run->messages);
	command_add_outside(&text, question);
	(void)tcflush(fileno(answers), TCIFLUSH);
	bool agreed = io_write_all(STDERR_FILENO, &text) && read_line(answers, line) &&
		      strcmp(line, wanted) == 0;
	(void)fclose(answers);
	buf_release(&text);
	return agreed;
}

bool asking_agrees(struct command_run *run, const struct buf *question, const char *typed)
{
	return run->options->yes || ask(run, question, typed);
}

bool asking_word(struct command_run *run, const struct buf *question, const char *typed)
{
	return ask(run, question, typed);
}
