#include "views/palette.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/regions.h"
#include "tui/prompt.h"

#define NAMES_MAX     2000 /* of an argument; further ones are not offered */
#define NAMES_COLUMNS 16   /* fewer are no room for names */
#define MORE_COLUMNS  6    /* " +1999" */

/* What is wrong with the line. */
enum complaint {
	COMPLAINT_NONE,
	COMPLAINT_COMMAND,
	COMPLAINT_ARGUMENT,
	COMPLAINT_MISSING,
	COMPLAINT_TOO_MUCH,
	COMPLAINT_NO_MATCH,
	COMPLAINT_STRANGE, /* a region that may be newer than the program: Enter again takes it */
	COMPLAINT_FIXED,
};

struct palette {
	struct ui *ui;
	struct prompt prompt;
	char stem[PROMPT_SIZE]; /* what was typed before Tab chose */
	size_t chosen;          /* of the names for the stem, from 1; 0: none, the stem stands */
	enum complaint complaint;
};

/* Borrowed names. */
struct names {
	const char **items; /* owned */
	size_t count, capacity;
};

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
	static const char *const words[] = { "", "NAME", "REGION" };
	return words[argument];
}

static const char *argument_noun(enum palette_argument argument)
{
	static const char *const nouns[] = { "", "profile", "region" };
	return nouns[argument];
}

/* --- the parts of a line --- */

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " ");
}

/* Where the argument begins: behind the command and its blanks; NULL while there is none. */
static const char *argument_of(const char *line)
{
	const char *command = skip_blanks(line);
	size_t len = strcspn(command, " ");
	return command[len] ? skip_blanks(command + len) : NULL;
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && strncmp(text, word, len) == 0;
}

/* The command of a line: by its name, or by a beginning that no other has. */
static const struct palette_command *command_of(const char *line)
{
	const char *word = skip_blanks(line);
	size_t len = strcspn(word, " ");
	const struct palette_command *found = NULL;
	for (const struct palette_command *row = palette_commands; row->name; row++) {
		if (is_word(word, len, row->name))
			return row;
		if (len == 0 || strncmp(word, row->name, len) != 0)
			continue;
		if (found)
			return NULL;
		found = row;
	}
	return found;
}

/* --- names --- */

static void add_name(struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->items[i], name) == 0)
			return;
	names->items =
		mem_grow(names->items, &names->capacity, names->count + 1, sizeof(*names->items));
	names->items[names->count++] = name;
}

static bool fits(const char *name, const char *word, bool begins)
{
	return begins ? strncmp(name, word, strlen(word)) == 0 : text_contains(name, word);
}

/* The i-th name that may stand there. */
static const char *name_at(const struct palette *palette, enum palette_argument argument, size_t i)
{
	const struct cloud_intents *cloud = &palette->ui->env->cloud;
	if (argument == ARGUMENT_NONE)
		return palette_commands[i].name;
	return cloud->name_at(cloud->host,
			      argument == ARGUMENT_PROFILE ? PLACE_PROFILE : PLACE_REGION, i);
}

static void collect_fitting(const struct palette *palette, enum palette_argument argument,
			    const char *word, bool begins, struct names *names)
{
	const char *name;
	for (size_t i = 0;
	     names->count < NAMES_MAX && (name = name_at(palette, argument, i)) != NULL; i++)
		if (fits(name, word, begins))
			add_name(names, name);
}

/* Those that begin with the word, else those that hold it. */
static void collect(const struct palette *palette, enum palette_argument argument, const char *word,
		    struct names *names)
{
	collect_fitting(palette, argument, word, true, names);
	if (names->count == 0)
		collect_fitting(palette, argument, word, false, names);
}

/* What may stand where the line ends; the part of it that is to be completed. */
static const char *collect_for(const struct palette *palette, const char *line, struct names *names)
{
	const char *argument = argument_of(line);
	const struct palette_command *command = argument ? command_of(line) : NULL;
	const char *word = argument ? argument : skip_blanks(line);
	if (!argument)
		collect(palette, ARGUMENT_NONE, word, names);
	else if (command && command->argument != ARGUMENT_NONE)
		collect(palette, command->argument, word, names);
	return word;
}

/* Where the name is one, the name there is no doubt of. */
static bool is_known(const struct palette *palette, enum palette_argument argument,
		     const char *name)
{
	const char *known;
	for (size_t i = 0; (known = name_at(palette, argument, i)) != NULL; i++)
		if (strcmp(known, name) == 0)
			return true;
	return false;
}

/* --- keys --- */

static void palette_open(void *state, struct ui *ui, const void *argument)
{
	struct palette *palette = state;
	(void)argument;
	palette->ui = ui;
	prompt_start(&palette->prompt, ":", "");
}

static void palette_leave(void *state)
{
	struct palette *palette = state;
	palette->ui->pop(palette->ui);
}

/* The line with its last word replaced. */
static void put_name(struct palette *palette, size_t kept, const char *name, const char *end)
{
	char line[PROMPT_SIZE];
	int len = snprintf(line, sizeof(line), "%.*s%s%s", (int)kept, palette->stem, name, end);
	if (len > 0 && (size_t)len < sizeof(line))
		prompt_start(&palette->prompt, ":", line);
}

/* Through the names that fit what was typed, and back to that. */
static void complete(struct palette *palette, bool forward)
{
	struct names names = { 0 };
	if (palette->chosen == 0)
		memcpy(palette->stem, palette->prompt.text, sizeof(palette->stem));
	const char *word = collect_for(palette, palette->stem, &names);
	size_t kept = (size_t)(word - palette->stem), turns = names.count + 1;
	palette->complaint = names.count == 0 ? COMPLAINT_NO_MATCH : COMPLAINT_NONE;
	palette->chosen = (palette->chosen + (forward ? 1 : turns - 1)) % turns;
	if (names.count == 1) {
		/* It is the one: what follows it is next. */
		bool command = !argument_of(palette->stem);
		put_name(palette, kept, names.items[0],
			 command && command_of(names.items[0])->argument != ARGUMENT_NONE ? " "
											  : "");
		palette->chosen = 0;
	} else if (names.count > 0) {
		put_name(palette, kept, palette->chosen ? names.items[palette->chosen - 1] : word,
			 "");
	}
	free(names.items);
}

static void palette_next(void *state)
{
	complete(state, true);
}

static void palette_previous(void *state)
{
	complete(state, false);
}

/* What speaks against running the line. */
static enum complaint judge(const struct palette *palette, const struct palette_command *command,
			    const char *argument)
{
	if (!command)
		return COMPLAINT_COMMAND;
	if (command->argument == ARGUMENT_NONE)
		return argument[0] ? COMPLAINT_TOO_MUCH : COMPLAINT_NONE;
	if (palette->ui->env->fixed)
		return COMPLAINT_FIXED;
	if (!argument[0])
		return COMPLAINT_MISSING;
	if (is_known(palette, command->argument, argument))
		return COMPLAINT_NONE;
	if (command->argument == ARGUMENT_REGION && region_has_form(argument))
		return palette->complaint == COMPLAINT_STRANGE ? COMPLAINT_NONE : COMPLAINT_STRANGE;
	return COMPLAINT_ARGUMENT;
}

static void palette_run(void *state)
{
	struct palette *palette = state;
	char line[PROMPT_SIZE];
	memcpy(line, palette->prompt.text, sizeof(line));
	for (size_t len = strlen(line); len > 0 && line[len - 1] == ' '; len--)
		line[len - 1] = '\0';
	const struct palette_command *command = command_of(line);
	const char *argument = argument_of(line);
	if (!skip_blanks(line)[0]) {
		palette_leave(palette);
		return;
	}
	palette->chosen = 0;
	palette->complaint = judge(palette, command, argument ? argument : "");
	if (palette->complaint != COMPLAINT_NONE)
		return;
	palette_leave(palette);
	command->run(palette->ui, argument ? argument : "");
}

static bool palette_feed(void *state, struct key key, const char *paste)
{
	struct palette *palette = state;
	if (!paste && keys_find(palette_scope.bindings, key, false))
		return false;
	(void)prompt_feed(&palette->prompt, key, paste);
	palette->chosen = 0;
	palette->complaint = COMPLAINT_NONE;
	return true;
}

static const struct key_binding bindings[] = {
	{ .keys = "Enter", .action = "palette-run", .help = "run the command", .run = palette_run },
	{ .keys = "Tab",
	  .action = "palette-next",
	  .help = "complete; again: the next name that fits",
	  .run = palette_next },
	{ .keys = "S-Tab",
	  .action = "palette-previous",
	  .help = "the name before",
	  .run = palette_previous },
	{ .keys = "Esc C-c C-g",
	  .action = "palette-leave",
	  .help = "leave without a command",
	  .run = palette_leave },
	{ 0 },
};

const struct key_scope palette_scope = { .name = "Command line", .bindings = bindings };

/* --- picture --- */

static void put(struct surface *out, struct rect *at, enum style style, const char *text)
{
	int columns = text_width(text);
	struct rect part = { at->x, at->y, columns < at->w ? columns : at->w, 1 };
	if (part.w <= 0)
		return;
	draw_text(out, part, style, text);
	at->x += part.w;
	at->w -= part.w;
}

/* As many names as there is room for, and how many more there are. */
static void put_names(struct surface *out, struct rect at, const struct names *names, size_t chosen)
{
	char more[16];
	for (size_t i = chosen > 0 ? chosen - 1 : 0; i < names->count; i++) {
		bool last = i + 1 == names->count;
		if (text_width(names->items[i]) + 2 + (last ? 0 : MORE_COLUMNS) > at.w) {
			snprintf(more, sizeof(more), "+%zu", names->count - i);
			put(out, &at, STYLE_DIM, more);
			return;
		}
		put(out, &at, i + 1 == chosen ? STYLE_SELECTED : STYLE_DIM, names->items[i]);
		put(out, &at, STYLE_DIM, "  ");
	}
}

static void add_complaint(const struct palette *palette, struct buf *out)
{
	const struct palette_command *command = command_of(palette->prompt.text);
	const char *noun = command ? argument_noun(command->argument) : "";
	switch (palette->complaint) {
	case COMPLAINT_NONE:
		break;
	case COMPLAINT_COMMAND:
		buf_add_text(out, "no such command: ");
		break;
	case COMPLAINT_ARGUMENT:
		buf_addf(out, "no such %s: ", noun);
		break;
	case COMPLAINT_MISSING:
		buf_addf(out, "which %s? ", noun);
		break;
	case COMPLAINT_TOO_MUCH:
		buf_addf(out, "%s takes nothing more", command ? command->name : "");
		break;
	case COMPLAINT_NO_MATCH:
		buf_add_text(out, "nothing fits: ");
		break;
	case COMPLAINT_STRANGE:
		buf_add_text(out, "no region known here; Enter again tries it");
		break;
	case COMPLAINT_FIXED:
		buf_add_text(out, palette->ui->env->fixed);
		break;
	}
}

/* All that there is, where something is not. */
static void collect_all(const struct palette *palette, struct names *names)
{
	const char *line = palette->prompt.text;
	const struct palette_command *command = command_of(line);
	bool of_argument = argument_of(line) || palette->complaint == COMPLAINT_MISSING;
	if (palette->complaint == COMPLAINT_COMMAND || !of_argument)
		collect(palette, ARGUMENT_NONE, "", names);
	else if (command && command->argument != ARGUMENT_NONE)
		collect(palette, command->argument, "", names);
}

static void draw_offer(const struct palette *palette, struct surface *out, struct rect at)
{
	struct names names = { 0 };
	struct buf complaint;
	buf_init(&complaint, PROMPT_SIZE);
	add_complaint(palette, &complaint);
	put(out, &at, STYLE_ERROR, buf_text(&complaint));
	const char *end = complaint.len > 0 ? buf_text(&complaint) + complaint.len - 1 : "";
	if (complaint.len == 0)
		(void)collect_for(palette,
				  palette->chosen > 0 ? palette->stem : palette->prompt.text,
				  &names);
	else if (*end == ' ')
		collect_all(palette, &names);
	put_names(out, at, &names, palette->chosen);
	free(names.items);
	buf_release(&complaint);
}

static void palette_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct palette *palette = state;
	int typed = 1 + text_width(palette->prompt.text) + 1; /* with the colon and the cursor */
	struct rect offer = { at.x + typed + 2, at.y, at.w - typed - 2, 1 };
	(void)focused;
	draw_clear(out, at);
	if (offer.w >= NAMES_COLUMNS) {
		draw_offer(palette, out, offer);
		at.w = typed;
	}
	prompt_draw(&palette->prompt, out, at);
}

const struct pane_ops palette_pane = {
	.name = "palette",
	.title = "Command line",
	.scope = &palette_scope,
	.state_size = sizeof(struct palette),
	.modal = true,
	.line = true,
	.open = palette_open,
	.feed = palette_feed,
	.draw = palette_draw,
};
