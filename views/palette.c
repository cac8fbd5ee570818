#include "views/palette.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/regions.h"
#include "tui/prompt.h"
#include "views/screen.h"

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

static const char *argument_noun(enum palette_argument argument)
{
	static const char *const nouns[] = { "", "profile", "region", "number" };
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

/* What the line's first word means. */
static bool entry_of(const char *line, struct palette_entry *entry)
{
	char word[PROMPT_SIZE];
	const char *from = skip_blanks(line);
	size_t len = strcspn(from, " ");
	if (len >= sizeof(word))
		return false;
	memcpy(word, from, len);
	word[len] = '\0';
	return palette_find(screen_key_scopes, word, entry);
}

/* What it takes; ARGUMENT_NONE where it is not known either. */
static enum palette_argument argument_kind(const char *line)
{
	struct palette_entry entry;
	return entry_of(line, &entry) ? entry.argument : ARGUMENT_NONE;
}

static bool is_choice(enum palette_argument argument)
{
	return argument == ARGUMENT_PROFILE || argument == ARGUMENT_REGION;
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

/* The i-th name that may be the argument. */
static const char *name_at(const struct palette *palette, enum palette_argument argument, size_t i)
{
	const struct cloud_intents *cloud = &palette->ui->env->cloud;
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

/* All the commands for no word; else what fits it best of commands and actions. */
static void collect_entries(const char *word, struct names *names)
{
	struct palette_entry entry;
	for (size_t i = 0; !word[0] && palette_commands[i].name; i++)
		add_name(names, palette_commands[i].name);
	for (unsigned fit = 0; word[0] && fit <= PALETTE_FITS_LAST && names->count == 0; fit++)
		for (size_t i = 0; palette_entry(screen_key_scopes, i, &entry); i++)
			if (palette_fit(&entry, word) == fit)
				add_name(names, entry.name);
}

/* What may stand where the line ends; the part of it that is to be completed. */
static const char *collect_for(const struct palette *palette, const char *line, struct names *names)
{
	const char *argument = argument_of(line);
	const char *word = argument ? argument : skip_blanks(line);
	if (!argument)
		collect_entries(word, names);
	else if (is_choice(argument_kind(line)))
		collect(palette, argument_kind(line), word, names);
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
	past_begin(&ui->commands);
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
		bool first = !argument_of(palette->stem);
		put_name(palette, kept, names.items[0],
			 first && is_choice(argument_kind(names.items[0])) ? " " : "");
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
static enum complaint judge(const struct palette *palette, const struct palette_entry *entry,
			    const char *argument)
{
	if (!entry)
		return COMPLAINT_COMMAND;
	if (entry->argument == ARGUMENT_NONE)
		return argument[0] ? COMPLAINT_TOO_MUCH : COMPLAINT_NONE;
	if (entry->argument == ARGUMENT_NUMBER)
		return !argument[0] || (argument[0] >= '1' && argument[0] <= '9' && !argument[1])
			       ? COMPLAINT_NONE
			       : COMPLAINT_ARGUMENT;
	if (palette->ui->env->fixed)
		return COMPLAINT_FIXED;
	if (!argument[0])
		return COMPLAINT_MISSING;
	if (is_known(palette, entry->argument, argument))
		return COMPLAINT_NONE;
	if (entry->argument == ARGUMENT_REGION && region_has_form(argument))
		return palette->complaint == COMPLAINT_STRANGE ? COMPLAINT_NONE : COMPLAINT_STRANGE;
	return COMPLAINT_ARGUMENT;
}

static void palette_run(void *state)
{
	struct palette *palette = state;
	struct ui *ui = palette->ui;
	char line[PROMPT_SIZE];
	struct palette_entry entry = { .name = "" };
	memcpy(line, palette->prompt.text, sizeof(line));
	for (size_t len = strlen(line); len > 0 && line[len - 1] == ' '; len--)
		line[len - 1] = '\0';
	bool found = entry_of(line, &entry);
	const char *argument = argument_of(line) ? argument_of(line) : "";
	if (!skip_blanks(line)[0]) {
		palette_leave(palette);
		return;
	}
	palette->chosen = 0;
	palette->complaint = judge(palette, found ? &entry : NULL, argument);
	if (palette->complaint != COMPLAINT_NONE)
		return;
	past_add(&ui->commands, skip_blanks(line));
	palette_leave(palette);
	if (entry.command)
		entry.command->run(ui, argument);
	else
		ui->act(ui, entry.scope, entry.row, argument[0] ? argument[0] : '1');
}

static void recall(struct palette *palette, enum key_code to)
{
	const struct key key = { .code = to };
	(void)past_feed(&palette->ui->commands, &palette->prompt, key);
	palette->chosen = 0;
	palette->complaint = COMPLAINT_NONE;
}

static void palette_older(void *state)
{
	recall(state, KEY_CODE_UP);
}

static void palette_newer(void *state)
{
	recall(state, KEY_CODE_DOWN);
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
	{ .keys = "Up C-p",
	  .action = "palette-older",
	  .help = "the line that was entered before",
	  .run = palette_older },
	{ .keys = "Down C-n",
	  .action = "palette-newer",
	  .help = "the line after",
	  .run = palette_newer },
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

/* What the name does: an action's keys too. */
static void put_meaning(const struct palette *palette, struct surface *out, struct rect *at,
			const char *name)
{
	struct palette_entry entry;
	const char *keys = "";
	if (!palette_find(screen_key_scopes, name, &entry))
		return;
	if (entry.row)
		keys = keymap_keys(palette->ui->env->keys, entry.row);
	put(out, at, STYLE_FOOTER_KEY, keys);
	put(out, at, STYLE_DIM, keys[0] ? " " : "");
	put(out, at, STYLE_DIM, entry.help);
	put(out, at, STYLE_DIM, "  ");
}

/* As many names as there is room for, and how many more there are; the meaning of the chosen one,
 * or of the one there is. */
static void put_names(const struct palette *palette, struct surface *out, struct rect at,
		      const struct names *names, bool of_entries)
{
	char more[16];
	size_t chosen = palette->complaint == COMPLAINT_NONE ? palette->chosen : 0;
	for (size_t i = chosen > 0 ? chosen - 1 : 0; i < names->count; i++) {
		bool last = i + 1 == names->count;
		if (text_width(names->items[i]) + 2 + (last ? 0 : MORE_COLUMNS) > at.w) {
			snprintf(more, sizeof(more), "+%zu", names->count - i);
			put(out, &at, STYLE_DIM, more);
			return;
		}
		put(out, &at, i + 1 == chosen ? STYLE_SELECTED : STYLE_DIM, names->items[i]);
		put(out, &at, STYLE_DIM, "  ");
		if (of_entries && (i + 1 == chosen || names->count == 1))
			put_meaning(palette, out, &at, names->items[i]);
	}
}

static void add_complaint(const struct palette *palette, struct buf *out)
{
	struct palette_entry entry = { .name = "" };
	bool found = entry_of(palette->prompt.text, &entry);
	const char *noun = argument_noun(found ? entry.argument : ARGUMENT_NONE);
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
		buf_addf(out, "%s takes nothing more", found ? entry.name : "");
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
	bool of_argument = argument_of(line) || palette->complaint == COMPLAINT_MISSING;
	if (palette->complaint == COMPLAINT_COMMAND || !of_argument)
		collect_entries("", names);
	else if (is_choice(argument_kind(line)))
		collect(palette, argument_kind(line), "", names);
}

static void draw_offer(const struct palette *palette, struct surface *out, struct rect at)
{
	const char *line = palette->chosen > 0 ? palette->stem : palette->prompt.text;
	struct names names = { 0 };
	struct buf complaint;
	buf_init(&complaint, PROMPT_SIZE);
	add_complaint(palette, &complaint);
	put(out, &at, STYLE_ERROR, buf_text(&complaint));
	const char *end = complaint.len > 0 ? buf_text(&complaint) + complaint.len - 1 : "";
	if (complaint.len == 0)
		(void)collect_for(palette, line, &names);
	else if (*end == ' ')
		collect_all(palette, &names);
	put_names(palette, out, at, &names, complaint.len == 0 && !argument_of(line));
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
