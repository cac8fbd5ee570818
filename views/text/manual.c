#include "views/text/manual.h"

#include <stdio.h>
#include <string.h>

#include "model/base/version.h"
#include "model/config.h"
#include "views/text/options_table.h"

/* --- text --- */

static void add_char(struct buf *out, char c)
{
	if (c == '\\')
		buf_add_text(out, "\\e");
	else if (c == '-')
		buf_add_text(out, "\\-");
	else if (c == '\'')
		buf_add_text(out, "\\(aq");
	else if (c == '`')
		buf_add_text(out, "\\(ga");
	else if (c == '^')
		buf_add_text(out, "\\(ha");
	else if (c == '~')
		buf_add_text(out, "\\(ti");
	else if (c == '"')
		buf_add_text(out, "\\(dq");
	else
		buf_add_char(out, c);
}

/* A text of the tables: what is the program's own stands for itself. */
static void add_len(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		add_char(out, text[i]);
}

static void add(struct buf *out, const char *text)
{
	add_len(out, text, strlen(text));
}

/* At the start of a line: one that begins with a dot would be a request. */
static void add_dotless(struct buf *out, const char *text)
{
	if (text[0] == '.')
		buf_add_text(out, "\\&");
	add(out, text);
}

static void add_line(struct buf *out, const char *text)
{
	add_dotless(out, text);
	buf_add_char(out, '\n');
}

/* A paragraph with a bold head. */
static void begin_item(struct buf *out)
{
	buf_add_text(out, ".TP\n\\fB");
}

static void end_head(struct buf *out)
{
	buf_add_text(out, "\\fR\n");
}

/* Words in capitals stand for something, and are set in italics. */
static void add_placeholder(struct buf *out, const char *text)
{
	if (!text[0])
		return;
	buf_add_text(out, " \\fI");
	add(out, text);
	buf_add_text(out, "\\fR");
}

/* --- sections --- */

static void add_option(struct buf *out, const struct option_row *row)
{
	begin_item(out);
	if (row->letter)
		buf_addf(out, "\\-%c\\fR, \\fB", row->letter);
	buf_add_text(out, "\\-\\-");
	add(out, row->name);
	buf_add_text(out, "\\fR");
	add_placeholder(out, row->value ? row->value : "");
	buf_add_char(out, '\n');
	add_line(out, row->help);
}

static void add_options(struct buf *out)
{
	const struct option_row *row;
	buf_add_text(out, ".SH OPTIONS\nThey stand before or behind the command.\n");
	for (size_t i = 0; (row = options_row(i)) != NULL; i++)
		if (!row->own)
			add_option(out, row);
}

static void add_examples(struct buf *out, const char *examples)
{
	buf_add_text(out, ".IP\n.nf\n");
	while (*examples) {
		size_t len = strcspn(examples, "\n");
		add_len(out, examples, len);
		buf_add_char(out, '\n');
		examples += len + (examples[len] == '\n');
	}
	buf_add_text(out, ".fi\n");
}

static void add_command(struct buf *out, const struct command *command)
{
	const struct option_row *row;
	bool any = false;
	begin_item(out);
	add(out, command->name);
	buf_add_text(out, "\\fR");
	add_placeholder(out, command->arguments);
	buf_add_char(out, '\n');
	add_line(out, command->help);
	for (size_t i = 0; (row = options_row(i)) != NULL; i++) {
		if (!row->own || !command_accepts(command, row->name))
			continue;
		buf_add_text(out, any ? "" : ".RS\n");
		add_option(out, row);
		any = true;
	}
	buf_add_text(out, any ? ".RE\n" : "");
	add_examples(out, command->example);
}

static void add_commands(struct buf *out)
{
	size_t count;
	const struct command *const *all = command_all(&count);
	buf_add_text(out, ".SH COMMANDS\n");
	for (size_t i = 0; i < count; i++)
		add_command(out, all[i]);
}

static void add_keys(struct buf *out, const struct manual_key *keys, size_t count)
{
	buf_add_text(out, ".SH KEYS\n"
			  "Lower\\-case keys never change anything at AWS. What does takes an "
			  "upper\\-case key or an F\\-key, shows what will be sent, and asks.\n");
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || strcmp(keys[i].scope, keys[i - 1].scope) != 0) {
			buf_add_text(out, ".SS ");
			add_line(out, keys[i].scope);
		}
		begin_item(out);
		add(out, keys[i].keys);
		end_head(out);
		add_dotless(out, keys[i].help);
		buf_add_text(out, keys[i].asks ? " (asks first)\n" : "\n");
	}
}

static void add_setting(struct buf *out, const struct setting_row *row)
{
	struct buf takes;
	buf_init(&takes, BUFSIZ);
	value_add_allowed(&row->rule, &takes);
	begin_item(out);
	add(out, row->name);
	end_head(out);
	add(out, row->help);
	buf_add_text(out, ".\nTakes ");
	add(out, buf_text(&takes));
	buf_add_text(out, "; default: ");
	add(out, setting_default(row));
	buf_add_text(out, ".");
	if (row->option) {
		buf_add_text(out, "\nOption: \\fB");
		add(out, row->option);
		buf_add_text(out, "\\fR.");
	}
	buf_add_char(out, '\n');
	buf_release(&takes);
}

static void add_settings(struct buf *out)
{
	buf_add_text(out,
		     ".SH CONFIGURATION\n"
		     "Settings stand above the first section of the file; those of a section\n"
		     ".B [profile NAME]\n"
		     "hold while that AWS profile is in use. What counts, first to last: the "
		     "option, the environment, the section of the profile, the keys above it, the "
		     "default.\n"
		     ".B gpuq config\n"
		     "prints every setting with its value and where that came from.\n");
	for (int id = 0; id < SETTING_COUNT; id++)
		if (setting_row((enum setting_id)id)->effect == EFFECT_NOW)
			add_setting(out, setting_row((enum setting_id)id));
}

static void add_pairs(struct buf *out, const char *const (*pairs)[2])
{
	for (; (*pairs)[0]; pairs++) {
		begin_item(out);
		add(out, (*pairs)[0]);
		end_head(out);
		add_line(out, (*pairs)[1]);
	}
}

static void add_variables(struct buf *out)
{
	static const char *const own[][2] = {
		{ "AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE", "where the AWS files lie" },
		{ "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN", "keys" },
		{ "AWS_ENDPOINT_URL_SAGEMAKER, AWS_ENDPOINT_URL", "endpoints of another place" },
		{ "AWS_CA_BUNDLE", "a file of certificates" },
		{ "HTTPS_PROXY, ALL_PROXY, NO_PROXY", "the proxy, in small letters too" },
		{ "NO_COLOR", "no colours, where it is set to anything" },
		{ "VISUAL, EDITOR", "what E opens a request in" },
		{ NULL, NULL },
	};
	buf_add_text(out, ".SH ENVIRONMENT\n");
	for (int id = 0; id < SETTING_COUNT; id++) {
		const struct setting_row *row = setting_row((enum setting_id)id);
		if (!row->variables[0] || row->effect != EFFECT_NOW)
			continue;
		begin_item(out);
		for (size_t i = 0; i < SETTING_VARIABLES && row->variables[i]; i++) {
			buf_add_text(out, i > 0 ? ", " : "");
			add(out, row->variables[i]);
		}
		end_head(out);
		add_line(out, row->help);
	}
	add_pairs(out, own);
}

static const char *const files[][2] = {
	{ "$XDG_CONFIG_HOME/gpuq/config", "settings; else ~/.config/gpuq/config" },
	{ "$XDG_STATE_HOME/gpuq/",
	  "history, drafts and the journal of submissions, in a folder "
	  "for each account, region and endpoint; else ~/.local/state/gpuq/" },
	{ "~/.aws/config, ~/.aws/credentials", "profiles, regions and keys, as the AWS CLI reads "
					       "them" },
	{ NULL, NULL },
};

static const char *const statuses[][2] = {
	{ "0", "done" },
	{ "1", "AWS or the job said no" },
	{ "2", "wrong usage" },
	{ "3", "the request breaks a rule, or is no request" },
	{ "4", "no usable credentials, or access denied" },
	{ "5", "no answer: network, time-out, or throttled to the end" },
	{ "130", "interrupted" },
	{ NULL, NULL },
};

void manual_add(struct buf *out, const struct manual_key *keys, size_t count)
{
	buf_add_text(out,
		     ".\\\" Made by gpuq man from the program's tables.\n"
		     ".TH GPUQ 1 \"" GPUQ_RELEASED "\" \"gpuq " GPUQ_VERSION
		     "\" \"User Commands\"\n"
		     ".SH NAME\n"
		     "gpuq \\- watch GPU queues on Amazon SageMaker and edit what they wait for\n"
		     ".SH SYNOPSIS\n"
		     ".B gpuq\n[\\fIOPTIONS\\fR]\n.br\n"
		     ".B gpuq\n[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n"
		     ".SH DESCRIPTION\n"
		     "Without a command\n.B gpuq\n"
		     "is a dashboard: it lists training and processing jobs, shows why a pending "
		     "job waits and for how long, which instance of its preference list it got "
		     "and what that costs, and lets one edit and reorder the list and submit it "
		     "again.\n"
		     ".PP\n"
		     "With a command it prints one result to standard output, and messages to "
		     "standard error. Credentials are found as the AWS CLI finds them.\n");
	add_options(out);
	add_commands(out);
	add_keys(out, keys, count);
	add_settings(out);
	add_variables(out);
	buf_add_text(out, ".SH FILES\n");
	add_pairs(out, files);
	buf_add_text(out, ".SH EXIT STATUS\n");
	add_pairs(out, statuses);
	buf_add_text(out, ".SH SEE ALSO\n.BR aws (1)\n");
}
