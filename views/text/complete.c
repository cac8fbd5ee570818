#include "views/text/complete.h"

#include <stdio.h>
#include <string.h>

#include "model/catalog.h"
#include "model/regions.h"
#include "views/text/options_table.h"

#define WORD_MAX 512

/* What the value of an option is, where something is known of it. */
static const struct {
	const char *option;
	enum complete_what what;
	const char *words; /* of COMPLETE_WORDS, parted by blanks */
} values[] = {
	{ "profile", COMPLETE_PROFILES, NULL },
	{ "region", COMPLETE_REGIONS, NULL },
	{ "output", COMPLETE_WORDS, "table json jsonl csv" },
	{ "config", COMPLETE_FILES, NULL },
	{ "log", COMPLETE_FILES, NULL },
	{ "status", COMPLETE_WORDS,
	  "pending starting running stopping completed failed stopped InProgress Completed Failed "
	  "Stopping Stopped" },
	{ "kind", COMPLETE_WORDS, "training processing" },
	{ "prefs", COMPLETE_LIST, NULL },
	{ "order", COMPLETE_WORDS, "stop-first submit-first" },
	{ "by", COMPLETE_WORDS, "type rank stem hour tag role list" },
	{ "theme", COMPLETE_WORDS, "dark light high-contrast mono auto" },
	{ "until", COMPLETE_WORDS, "running ended" },
};

/* By the word that stands for an argument in the help, without brackets and dots. */
static const struct {
	const char *word;
	enum complete_what what;
} arguments[] = {
	{ "NAME", COMPLETE_JOBS },
	{ "FILE", COMPLETE_FILES },
	{ "TYPE", COMPLETE_TYPES },
};

struct line {
	struct buf *out;
	const struct complete_sources *sources;
	const char *profile, *region;
	const struct command *command;
	size_t args; /* of the command, before the last word */
	bool words_only;
	/* The option whose value the last word is; NULL: none waits. */
	const struct option_row *awaits;
	/* What stands before the part that is completed, and how far it must fit. */
	char before[WORD_MAX];
	const char *prefix;
	size_t given;
};

/* --- candidates --- */

static bool fits(const struct line *line, const char *word)
{
	return strncmp(word, line->prefix, strlen(line->prefix)) == 0;
}

/* A word with a control character in it would be two, or none. */
static bool is_plain(const char *word)
{
	if (!word[0])
		return false;
	for (; *word; word++)
		if ((unsigned char)*word < 0x20 || *word == 0x7F)
			return false;
	return true;
}

/* False: that is enough. */
static bool offer(struct line *line, const char *word, const char *says)
{
	if (line->given == COMPLETE_MAX)
		return false;
	if (!fits(line, word) || !is_plain(word))
		return true;
	buf_addf(line->out, "%s%s%s%s\n", line->before, word, says ? "\t" : "", says ? says : "");
	line->given++;
	return !line->out->failed;
}

static bool take_name(void *ctx, const char *name)
{
	return offer(ctx, name, NULL);
}

static void offer_words(struct line *line, const char *words, const char *parted_by)
{
	char word[64];
	while (*words) {
		size_t len = strcspn(words, parted_by);
		snprintf(word, sizeof(word), "%.*s", (int)len, words);
		(void)offer(line, word, NULL);
		words += len;
		words += strspn(words, parted_by);
	}
}

static void offer_types(struct line *line)
{
	size_t count;
	const struct instance_type *types = catalog_all(&count);
	char says[64];
	for (size_t i = 0; i < count; i++) {
		if (!types[i].training && !types[i].processing)
			continue;
		snprintf(says, sizeof(says), "%u %s", types[i].accelerators, types[i].accelerator);
		if (!offer(line, types[i].name, types[i].accelerators > 0 ? says : NULL))
			return;
	}
}

/* The last entry of a list is completed; a count or a plan is its owner's own. */
static void offer_list(struct line *line)
{
	const char *comma = strrchr(line->prefix, ',');
	const char *entry = comma ? comma + 1 : line->prefix;
	char before[WORD_MAX];
	if (entry[strcspn(entry, ":@")])
		return;
	int len = snprintf(before, sizeof(before), "%s%.*s", line->before,
			   (int)(entry - line->prefix), line->prefix);
	if (len < 0 || (size_t)len >= sizeof(before))
		return;
	memcpy(line->before, before, (size_t)len + 1);
	line->prefix = entry;
	buf_add_text(line->out, "\tmore\n");
	offer_types(line);
}

static void offer_names(struct line *line, enum complete_what what)
{
	const struct complete_ask ask = { .what = what,
					  .profile = line->profile,
					  .region = line->region,
					  .take = take_name,
					  .taker = line };
	line->sources->names(line->sources->ctx, &ask);
}

static void offer_regions(struct line *line)
{
	for (size_t i = 0; region_names[i]; i++)
		(void)offer(line, region_names[i], NULL);
}

static void offer_what(struct line *line, enum complete_what what, const char *words)
{
	switch (what) {
	case COMPLETE_NOTHING:
		break;
	case COMPLETE_FILES:
		buf_add_text(line->out, "\tfiles\n");
		break;
	case COMPLETE_WORDS:
		offer_words(line, words, " ");
		break;
	case COMPLETE_TYPES:
		offer_types(line);
		break;
	case COMPLETE_LIST:
		offer_list(line);
		break;
	case COMPLETE_REGIONS:
		offer_regions(line);
		break;
	case COMPLETE_PROFILES:
	case COMPLETE_JOBS:
	case COMPLETE_LIVE_JOBS:
		offer_names(line, what);
		break;
	}
}

static void offer_value(struct line *line, const struct option_row *row)
{
	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		if (strcmp(values[i].option, row->name) == 0)
			offer_what(line, values[i].what, values[i].words);
}

static void offer_options(struct line *line)
{
	const struct option_row *row;
	char word[80];
	for (size_t i = 0; (row = options_row(i)) != NULL; i++) {
		if (row->own && !command_accepts(line->command, row->name))
			continue;
		snprintf(word, sizeof(word), "--%s", row->name);
		(void)offer(line, word, row->help);
	}
}

static void offer_commands(struct line *line)
{
	size_t count;
	const struct command *const *all = command_all(&count);
	for (size_t i = 0; i < count; i++)
		(void)offer(line, all[i]->name, all[i]->help);
}

static void offer_argument(struct line *line)
{
	const struct command *command = line->command;
	char word[64];
	if (line->args >= command->most_args)
		return;
	const char *shown = command->arguments + strspn(command->arguments, "[");
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(shown, ".]"), shown);
	if (strchr(word, '|'))
		offer_words(line, word, "|");
	for (size_t i = 0; i < ARRAY_LEN(arguments); i++)
		if (strcmp(arguments[i].word, word) == 0)
			offer_what(line,
				   arguments[i].what == COMPLETE_JOBS && command->changes
					   ? COMPLETE_LIVE_JOBS
					   : arguments[i].what,
				   "");
}

/* --- the words before --- */

static void take_value(struct line *line, const struct option_row *row, const char *value)
{
	if (strcmp(row->name, "profile") == 0)
		line->profile = value;
	else if (strcmp(row->name, "region") == 0)
		line->region = value;
}

/* An option whose value is the next word waits for it. */
static void take_option(struct line *line, const char *word)
{
	const struct option_row *row = NULL;
	if (word[1] == '-') {
		size_t len = strcspn(word + 2, "=");
		row = options_find(word + 2, len);
		if (row && row->value && word[2 + len] == '=') {
			take_value(line, row, word + 2 + len + 1);
			return;
		}
	} else {
		for (word++; *word; word++) {
			row = options_find_letter(*word);
			if (row && row->value && word[1]) {
				take_value(line, row, word + 1);
				return;
			}
		}
	}
	line->awaits = row && row->value ? row : NULL;
}

static void take_word(struct line *line, const char *word)
{
	if (line->awaits) {
		take_value(line, line->awaits, word);
		line->awaits = NULL;
	} else if (!line->words_only && strcmp(word, "--") == 0) {
		line->words_only = true;
	} else if (!line->words_only && word[0] == '-' && word[1]) {
		take_option(line, word);
	} else if (!line->command) {
		line->command = command_find(word);
		line->args = line->command ? 0 : SIZE_MAX; /* of none, nothing is known */
	} else {
		line->args++;
	}
}

/* "--kind=tr": what stands before the value stays. */
static bool is_option_with_value(struct line *line, const char *word)
{
	const char *equals = strchr(word, '=');
	size_t len = equals ? (size_t)(equals + 1 - word) : 0;
	if (line->words_only || strncmp(word, "--", 2) != 0 || !equals ||
	    len >= sizeof(line->before))
		return false;
	const struct option_row *row = options_find(word + 2, len - 3);
	memcpy(line->before, word, len);
	line->before[len] = '\0';
	line->prefix = equals + 1;
	if (row && row->value)
		offer_value(line, row);
	return true;
}

void complete_line(struct buf *out, const char *const *words, size_t count,
		   const struct complete_sources *sources)
{
	struct line line = { .out = out, .sources = sources };
	const char *last = count > 0 ? words[count - 1] : "";
	for (size_t i = 0; i + 1 < count; i++)
		take_word(&line, words[i]);
	line.prefix = last;
	if (line.awaits)
		offer_value(&line, line.awaits);
	else if (is_option_with_value(&line, last))
		return;
	else if (!line.words_only && last[0] == '-')
		offer_options(&line);
	else if (line.command)
		offer_argument(&line);
	else if (line.args == 0)
		offer_commands(&line);
}
