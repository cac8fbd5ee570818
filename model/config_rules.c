#include "model/config_rules.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/config_parts.h"

#define WRONG_MAX 4096
#define WORD_SIZE 64
#define DAY_S     86400

struct reading {
	struct rule *rule;
	rule_wrong_fn *wrong;
	void *ctx;
	bool is_wrong;
};

static void refuse(struct reading *reading, const struct ini_key *key, struct buf *text)
{
	reading->is_wrong = true;
	if (reading->wrong)
		reading->wrong(reading->ctx, key, text);
	else
		buf_release(text);
}

static void refuse_text(struct reading *reading, const struct ini_key *key, const char *why)
{
	struct buf text;
	buf_init(&text, WRONG_MAX);
	buf_add_text(&text, why);
	refuse(reading, key, &text);
}

/* --- words of a list --- */

/* The next item of a list that is parted by commas and line breaks, without the blanks around it;
 * false: there is none. */
static bool next_item(const char **at, const char **item, size_t *len)
{
	*at += strspn(*at, " \t\n,");
	*item = *at;
	*len = strcspn(*at, ",\n");
	*at += *len;
	while (*len > 0 && strchr(" \t", (*item)[*len - 1]))
		(*len)--;
	return *len > 0;
}

/* A word that a table does not have, and those of it that are near. */
static void refuse_word(struct reading *reading, const struct ini_key *key, const char *word,
			const char *(*name_at)(size_t i))
{
	struct buf text;
	bool is_near = false;
	buf_init(&text, WRONG_MAX);
	buf_add_text(&text, "takes ");
	for (size_t i = 0; name_at(i); i++)
		buf_addf(&text, "%s%s", i > 0 ? ", " : "", name_at(i));
	value_add_refused(&text, word);
	for (size_t i = 0; name_at(i); i++) {
		if (!config_is_near(word, name_at(i)))
			continue;
		buf_addf(&text, "%s%s", is_near ? " or " : "; did you mean ", name_at(i));
		is_near = true;
	}
	buf_add_text(&text, is_near ? "?" : "");
	refuse(reading, key, &text);
}

static void copy_word(char word[WORD_SIZE], const char *item, size_t len)
{
	size_t most = len < WORD_SIZE - 1 ? len : WORD_SIZE - 1;
	memcpy(word, item, most);
	word[most] = '\0';
}

/* --- on --- */

static const char *event_at(size_t i)
{
	return i < RULE_EVENTS ? rule_event_word((enum rule_event)i) : NULL;
}

static void read_events(struct reading *reading, const struct ini_key *key)
{
	const char *at = key->value, *item;
	size_t len;
	while (next_item(&at, &item, &len)) {
		char word[WORD_SIZE];
		enum rule_event event;
		copy_word(word, item, len);
		if (rule_event_parse(word, &event))
			reading->rule->events |= 1u << event;
		else
			refuse_word(reading, key, word, event_at);
	}
}

/* --- do --- */

static const struct {
	const char *word;
	unsigned acts;
} act_words[] = {
	{ "bell", RULE_BELL }, { "notify", RULE_OSC9 | RULE_OSC777 },
	{ "osc9", RULE_OSC9 }, { "osc777", RULE_OSC777 },
	{ "tmux", RULE_TMUX },
};

static const char *act_at(size_t i)
{
	static const char *const more[] = { "run COMMAND", "stop after DURATION" };
	size_t plain = ARRAY_LEN(act_words);
	if (i < plain)
		return act_words[i].word;
	return i - plain < ARRAY_LEN(more) ? more[i - plain] : NULL;
}

/* The rest of the line after a word and a blank; NULL: it is another word. */
static const char *after_word(const char *item, const char *word)
{
	size_t len = strlen(word);
	return strncmp(item, word, len) == 0 && (item[len] == ' ' || item[len] == '\t')
		       ? item + len + 1
		       : NULL;
}

/* To the end of its line: what is run may have commas in its arguments. */
static const char *read_command(struct reading *reading, const struct ini_key *key,
				const char *rest)
{
	struct rule *rule = reading->rule;
	size_t len = strcspn(rest, "\n");
	char *line = mem_copy_bytes(rest, len);
	struct err err = { 0 };
	if (rule->acts & RULE_RUN) {
		refuse_text(reading, key, "has more than one command; write a rule for each");
	} else if (!shellwords_split(&rule->command, line, &err)) {
		refuse_text(reading, key, err_text(&err));
	} else if (rule->command.count == 0 || (rule->command.items[0][0] != '/' &&
						strncmp(rule->command.items[0], "~/", 2) != 0)) {
		refuse_text(reading, key,
			    "run takes the path of a program that begins with / or ~/, and its "
			    "arguments");
	}
	rule->acts |= RULE_RUN;
	err_clear(&err);
	free(line);
	return rest + len;
}

static void read_stop(struct reading *reading, const struct ini_key *key, const char *after)
{
	static const struct value_rule rule = { VALUE_DURATION, 600, 28 * DAY_S, NULL };
	struct buf wrong;
	buf_init(&wrong, WRONG_MAX);
	buf_add_text(&wrong, "stop after ");
	if (value_read(&rule, after, &reading->rule->stop_after_ms, &wrong))
		buf_release(&wrong);
	else
		refuse(reading, key, &wrong);
	reading->rule->acts |= RULE_STOP;
}

static void read_act(struct reading *reading, const struct ini_key *key, const char *word)
{
	const char *stop = after_word(word, "stop");
	const char *after = stop ? after_word(stop + strspn(stop, " \t"), "after") : NULL;
	if (after) {
		read_stop(reading, key, after + strspn(after, " \t"));
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(act_words); i++) {
		if (strcmp(word, act_words[i].word) != 0)
			continue;
		reading->rule->acts |= act_words[i].acts;
		return;
	}
	refuse_word(reading, key, word, act_at);
}

static void read_acts(struct reading *reading, const struct ini_key *key)
{
	const char *at = key->value, *item;
	size_t len;
	while (next_item(&at, &item, &len)) {
		char word[WORD_SIZE];
		const char *command = after_word(item, "run");
		copy_word(word, item, len);
		if (command)
			at = read_command(reading, key, command);
		else
			read_act(reading, key, word);
	}
}

/* --- quiet --- */

static bool read_minutes(const char **at, int *minutes)
{
	const char *t = *at;
	if (strspn(t, "0123456789") != 2 || t[2] != ':' || strspn(t + 3, "0123456789") < 2)
		return false;
	int hour = (t[0] - '0') * 10 + (t[1] - '0'), minute = (t[3] - '0') * 10 + (t[4] - '0');
	*minutes = hour * 60 + minute;
	*at += 5;
	return hour < 24 && minute < 60;
}

static void read_quiet(struct reading *reading, const struct ini_key *key)
{
	struct rule *rule = reading->rule;
	const char *at = key->value;
	bool ok = read_minutes(&at, &rule->quiet_from) && *at == '-';
	at += ok ? 1 : 0;
	ok = ok && read_minutes(&at, &rule->quiet_to) && !*at && rule->quiet_from != rule->quiet_to;
	rule->has_quiet = ok;
	if (ok)
		return;
	struct buf text;
	buf_init(&text, WRONG_MAX);
	buf_add_text(&text, "takes the hours of a day, such as 22:00-07:00");
	value_add_refused(&text, key->value);
	refuse(reading, key, &text);
}

/* --- jobs --- */

/* A term that is wrong would be left out, and the rule be for more jobs than was meant. */
static void read_jobs(struct reading *reading, const struct ini_key *key)
{
	struct rule *rule = reading->rule;
	rule->jobs = key->value;
	rule->filter = filter_new(key->value);
	const struct filter_wrong *wrong = filter_wrong(rule->filter);
	if (wrong)
		refuse_text(reading, key, wrong->text);
}

/* --- the whole --- */

/* The operator's rule is the consent to a stop: it says exactly which jobs it may be. */
static void check_stop(struct reading *reading, const struct ini_key *on, const struct ini_key *act)
{
	const struct rule *rule = reading->rule;
	bool stops = rule->acts & RULE_STOP;
	bool is_for_stop = rule->events & 1u << RULE_PROCESSING_PENDING;
	if (stops && rule->acts != RULE_STOP)
		refuse_text(reading, act, "stop after stands alone; write a rule for the rest");
	if (stops && rule->events != 1u << RULE_PROCESSING_PENDING)
		refuse_text(reading, on, "a rule that stops takes processing-pending alone");
	if (!stops && is_for_stop)
		refuse_text(reading, on, "processing-pending goes with do = stop after D alone");
	if (stops && (!rule->jobs || !filter_names_jobs(rule->filter)))
		refuse_text(reading, NULL,
			    "a rule that stops needs the key jobs: words that say which jobs");
}

bool config_read_rule(struct rule *rule, const char *name, const struct ini_section *section,
		      rule_wrong_fn *wrong, void *ctx)
{
	const struct ini_key *on = ini_find_key(section, "on"), *act = ini_find_key(section, "do");
	const struct ini_key *quiet = ini_find_key(section, "quiet");
	const struct ini_key *jobs = ini_find_key(section, "jobs");
	struct reading reading = { .rule = rule, .wrong = wrong, .ctx = ctx };
	*rule = (struct rule){ .name = name, .line = section->line };
	if (on)
		read_events(&reading, on);
	if (act)
		read_acts(&reading, act);
	if (quiet)
		read_quiet(&reading, quiet);
	if (jobs && jobs->value[0])
		read_jobs(&reading, jobs);
	if (on && act && !reading.is_wrong)
		check_stop(&reading, on, act);
	return !reading.is_wrong && rule->events && rule->acts && section->damage.line == 0;
}

/* Keys that nobody knows may have been meant to narrow it. */
static bool has_unknown_key(const struct ini_section *section)
{
	static const char *const known[] = { "on", "do", "quiet", "jobs" };
	for (size_t i = 0; i < section->count; i++) {
		size_t k = 0;
		while (k < ARRAY_LEN(known) && strcmp(section->keys[i].name, known[k]) != 0)
			k++;
		if (k == ARRAY_LEN(known))
			return true;
	}
	return false;
}

void config_rules(const struct config *config, struct rules *rules)
{
	*rules = (struct rules){ 0 };
	size_t capacity = 0;
	for (size_t i = 0; config && config->sections && i < config->ini.count; i++) {
		const struct ini_section *section = &config->ini.sections[i];
		struct rule rule;
		if (config->sections[i].kind != SECTION_RULE)
			continue;
		bool ok = config_read_rule(&rule, config->sections[i].name, section, NULL, NULL) &&
			  !has_unknown_key(section);
		if (config->distrust)
			rule.acts &= ~(unsigned)(RULE_RUN | RULE_STOP);
		if (!ok || !rule.acts) {
			rule_release(&rule);
			continue;
		}
		rules->items = mem_grow(rules->items, &capacity, rules->count + 1, sizeof(rule));
		rules->items[rules->count++] = rule;
	}
}

void rules_release(struct rules *rules)
{
	if (!rules)
		return;
	for (size_t i = 0; i < rules->count; i++)
		rule_release(&rules->items[i]);
	free(rules->items);
	*rules = (struct rules){ 0 };
}

unsigned rules_events(const struct rules *rules)
{
	unsigned events = 0;
	for (size_t i = 0; i < rules->count; i++)
		events |= rules->items[i].events;
	return events;
}
