/* What the command line can run: the commands, and the actions of the key tables. */
#include "views/palette.h"

#include <string.h>

#include "model/base/text.h"

#define HELP_WORD_MIN 3 /* fewer letters stand in every help */
#define FITS_NOT      (PALETTE_FITS_LAST + 1)

/* --- commands --- */

static void run_profile(struct ui *ui, const char *argument)
{
	const struct cloud_intents *cloud = &ui->env->cloud;
	cloud->switch_to(cloud->host, argument, NULL);
}

static void run_region(struct ui *ui, const char *argument)
{
	const struct cloud_intents *cloud = &ui->env->cloud;
	cloud->switch_to(cloud->host, NULL, argument);
}

static void run_back(struct ui *ui, const char *argument)
{
	const struct cloud_intents *cloud = &ui->env->cloud;
	(void)argument;
	cloud->switch_to(cloud->host, NULL, NULL);
}

/* What a key of the whole screen does. */
static void run_action(struct ui *ui, const char *action)
{
	for (const struct key_binding *row = screen_scope.bindings; row->keys; row++)
		if (strcmp(row->action, action) == 0)
			row->run(ui->screen);
}

static void run_help(struct ui *ui, const char *argument)
{
	(void)argument;
	run_action(ui, "help");
}

static void run_mouse(struct ui *ui, const char *argument)
{
	(void)argument;
	ui->mouse = !ui->mouse;
	ui->say(ui, STYLE_TEXT,
		ui->mouse
			? "mouse on: click, wheel, drag an entry; text is selected with Shift held"
			: "mouse off: it selects text again");
}

static void run_history(struct ui *ui, const char *argument)
{
	(void)argument;
	run_action(ui, "history");
}

static void run_actions(struct ui *ui, const char *argument)
{
	(void)argument;
	run_action(ui, "actions");
}

static void run_quit(struct ui *ui, const char *argument)
{
	(void)argument;
	run_action(ui, "quit");
}

const struct palette_command palette_commands[] = {
	{ "profile", ARGUMENT_PROFILE, "another profile of the AWS files, in its own region",
	  run_profile },
	{ "region", ARGUMENT_REGION, "another region, with the same profile", run_region },
	{ "back", ARGUMENT_NONE, "to the profile and region before", run_back },
	{ "history", ARGUMENT_NONE, "waits, fallbacks and costs of the past", run_history },
	{ "actions", ARGUMENT_NONE, "what gpuq did here, or tried", run_actions },
	{ "mouse", ARGUMENT_NONE, "mouse on or off (off: it selects text)", run_mouse },
	{ "help", ARGUMENT_NONE, "the keys and these commands", run_help },
	{ "quit", ARGUMENT_NONE, "quit", run_quit },
	{ 0 },
};

const char *palette_argument_word(enum palette_argument argument)
{
	static const char *const words[] = { "", "NAME", "REGION", "N" };
	return words[argument];
}

/* --- entries --- */

static bool is_command(const char *name)
{
	for (const struct palette_command *row = palette_commands; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return true;
	return false;
}

/* Rows whose keys are numbers go by which of them is pressed. */
static enum palette_argument argument_of_row(const struct key_binding *row)
{
	return strncmp(row->keys, "1 2 ", 4) == 0 ? ARGUMENT_NUMBER : ARGUMENT_NONE;
}

static bool entry_of_scopes(const struct key_scope *const *scopes, size_t i,
			    struct palette_entry *entry)
{
	for (; *scopes; scopes++) {
		const struct key_scope *scope = *scopes;
		if (scope->answers || keys_typed_in(scope))
			continue;
		for (const struct key_binding *row = scope->bindings; row->keys; row++) {
			if (is_command(row->action) || i-- > 0)
				continue;
			*entry = (struct palette_entry){ .name = row->action,
							 .help = row->help,
							 .argument = argument_of_row(row),
							 .scope = scope,
							 .row = row };
			return true;
		}
	}
	return false;
}

bool palette_entry(const struct key_scope *const *scopes, size_t i, struct palette_entry *entry)
{
	const struct palette_command *command = palette_commands;
	for (; command->name && i > 0; i--)
		command++;
	if (!command->name)
		return entry_of_scopes(scopes, i, entry);
	*entry = (struct palette_entry){ .name = command->name,
					 .help = command->help,
					 .argument = command->argument,
					 .command = command };
	return true;
}

/* --- which is meant --- */

static bool has_letters(const char *name, const char *word)
{
	for (; *word && *name; name++)
		word += *name == *word;
	return !*word;
}

unsigned palette_fit(const struct palette_entry *entry, const char *word)
{
	if (strncmp(entry->name, word, strlen(word)) == 0)
		return 0;
	if (text_contains(entry->name, word))
		return 1;
	if (has_letters(entry->name, word))
		return 2;
	if (strlen(word) >= HELP_WORD_MIN && text_contains(entry->help, word))
		return PALETTE_FITS_LAST;
	return FITS_NOT;
}

/* A command that the word begins goes before every action. */
static unsigned rank_of(const struct palette_entry *entry, const char *word)
{
	unsigned fit = palette_fit(entry, word);
	if (strcmp(entry->name, word) == 0)
		return 0;
	return fit == 0 ? (entry->command ? 1 : 2) : fit + 2;
}

bool palette_find(const struct key_scope *const *scopes, const char *word,
		  struct palette_entry *entry)
{
	struct palette_entry seen;
	unsigned best = PALETTE_FITS_LAST + 2; /* of a help, which is no name */
	size_t count = 0;
	if (!word[0])
		return false;
	for (size_t i = 0; palette_entry(scopes, i, &seen); i++) {
		unsigned rank = rank_of(&seen, word);
		if (rank < best) {
			best = rank;
			count = 0;
			*entry = seen;
		}
		count += rank == best && best < PALETTE_FITS_LAST + 2;
	}
	return best < PALETTE_FITS_LAST + 2 && count == 1;
}
