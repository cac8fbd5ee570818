#include "views/text/command.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "model/base/io.h"
#include "model/base/text.h"

#define MESSAGE_MAX  (4u * ERR_TEXT_MAX)
#define MESSAGES_MAX (1u << 20)

static const struct command *const commands[] = {
	&command_jobs,       &command_show,     &command_explain, &command_check,
	&command_submit,     &command_stop,     &command_requeue, &command_wait,
	&command_watch,      &command_plain,    &command_plans,   &command_quotas,
	&command_history,    &command_forecast, &command_types,   &command_prices,
	&command_actions,    &command_doctor,   &command_config,  &command_iam_policy,
	&command_completion, &command_man,
};

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

void command_add_problems(struct buf *messages, const struct config *config, bool warnings)
{
	struct buf text;
	buf_init(&text, MESSAGES_MAX);
	for (size_t i = 0; i < config->problem_count; i++) {
		if (config->problems[i].is_warning != warnings)
			continue;
		buf_add_text(&text, "gpuq: ");
		config_add_described(config, &config->problems[i], &text);
		buf_add_char(&text, '\n');
	}
	if (warnings && config->problems_left_out > 0)
		buf_addf(&text, "gpuq: %s: and %zu more\n", config->path,
			 config->problems_left_out);
	command_add_outside(messages, &text);
	buf_release(&text);
}

void command_add_first_warning(struct buf *out, const struct config *config)
{
	const struct config_problem *first;
	size_t count = config_warnings(config, &first) + config->problems_left_out;
	if (!first)
		return;
	buf_add_text(out, "config: ");
	if (count > 1)
		buf_addf(out, "%zu warnings, gpuq config has them all; ", count);
	buf_add_text(out, first->text);
}

bool command_is_ascii(const struct command_run *run)
{
	return run->options->ascii || (run->columns > 0 && !run->terminal.is_utf8);
}

struct report_context command_context(const struct command_run *run)
{
	return (struct report_context){
		.format = run->options->format,
		.region = run->region,
		.prices = &run->store->prices,
		.now_ms = store_now_ms(run->store, run->clock),
		.utc = run->options->utc,
		.ascii = command_is_ascii(run),
		.columns = run->columns,
	};
}

void command_message(struct buf *messages, const struct err *err)
{
	struct buf text;
	buf_init(&text, MESSAGE_MAX);
	buf_add_text(&text, "gpuq: ");
	if (err->subject[0])
		buf_addf(&text, "%s: ", err->subject);
	buf_add(&text, err_text(err), err_told_len(err));
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

static void add_unwritten(struct buf *messages, const char *why)
{
	struct err err = { 0 };
	err_set(&err, ERR_IO, "cannot be written: %s", why);
	err_subject(&err, "standard output");
	command_message(messages, &err);
	err_clear(&err);
}

int command_finish(const struct buf *out, struct buf *messages, int status)
{
	bool ok = !out->failed;
	if (!ok) {
		add_unwritten(messages, "it is too large");
	} else if (!io_write_all(STDOUT_FILENO, out)) {
		add_unwritten(messages, strerror(errno));
		ok = false;
	}
	(void)!io_write_all(STDERR_FILENO, messages);
	return ok || status ? status : 1;
}
