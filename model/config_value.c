#include "model/config_value.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/clock.h"
#include "model/catalog.h"
#include "model/preferences.h"
#include "model/secret.h"

#define SHOWN_MAX      60 /* bytes of a refused value */
#define WORDS_MAX      64
#define WORD_MAX       63
#define REGION_MAX     63
#define MONEY_DECIMALS 6
#define MICRO          INT64_C(1000000)

/* --- reading --- */

static bool read_bool(const char *text, int64_t *number)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcasecmp(text, words[i]) == 0) {
			*number = (int64_t)(i % 2);
			return true;
		}
	return false;
}

static bool is_within(const struct value_rule *rule, int64_t amount, int64_t unit)
{
	return amount >= rule->least * unit && amount <= rule->most * unit;
}

static bool read_duration(const struct value_rule *rule, const char *text, int64_t *ms)
{
	int64_t seconds = 0;
	if (!duration_parse(text, &seconds) || !is_within(rule, seconds, 1))
		return false;
	*ms = seconds * 1000;
	return true;
}

/* Digits and a point alone: strtod knows more than that, and "inf" too. */
static bool read_seconds(const struct value_rule *rule, const char *text, int64_t *ms)
{
	if (text[strspn(text, "0123456789.")])
		return read_duration(rule, text, ms);
	char *end = NULL;
	double seconds = strtod(text, &end);
	if (end == text || *end || seconds > (double)rule->most)
		return false;
	*ms = llround(seconds * 1000);
	return is_within(rule, *ms, 1000);
}

static bool read_count(const struct value_rule *rule, const char *text, int64_t *number)
{
	if (!text[0] || text[strspn(text, "0123456789")])
		return false;
	errno = 0;
	*number = strtoll(text, NULL, 10);
	return errno == 0 && is_within(rule, *number, 1);
}

static bool read_money(const struct value_rule *rule, const char *text, int64_t *micro)
{
	size_t whole = strspn(text, "0123456789");
	size_t decimals = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
	size_t end = whole + (text[whole] == '.' ? decimals + 1 : 0);
	if (whole == 0 || text[end] || decimals > MONEY_DECIMALS ||
	    (text[whole] == '.' && decimals == 0))
		return false;
	errno = 0;
	int64_t units = strtoll(text, NULL, 10), unit = MICRO;
	if (errno || !is_within(rule, units, 1))
		return false;
	*micro = units * MICRO;
	for (size_t i = 0; i < decimals; i++) {
		unit /= 10;
		*micro += unit * (text[whole + 1 + i] - '0');
	}
	return is_within(rule, *micro, MICRO);
}

static bool read_word(const struct value_rule *rule, const char *text, int64_t *number)
{
	for (*number = 0; rule->words[*number]; ++*number)
		if (strcasecmp(rule->words[*number], text) == 0)
			return true;
	return false;
}

static bool is_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("-_.", text[i]))
			return false;
	return len > 0 && len <= WORD_MAX;
}

/* Blanks and line breaks may stand around a comma. */
static bool are_words(const char *text)
{
	static const char blanks[] = " \t\n";
	for (size_t count = 1; count <= WORDS_MAX; count++) {
		text += strspn(text, blanks);
		size_t len = strcspn(text, ", \t\n");
		if (!is_name(text, len))
			return false;
		text += len;
		text += strspn(text, blanks);
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
	return false;
}

/* As the endpoints want it: a label of a host that is not a number. */
static bool is_region(const char *text)
{
	size_t len = strlen(text);
	if (len == 0 || len > REGION_MAX || text[0] == '-' || text[len - 1] == '-')
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '-')
			return false;
	return strspn(text, "0123456789") != len;
}

static bool is_list(const char *text, struct buf *wrong)
{
	struct preferences prefs;
	struct err err = { 0 };
	bool ok = prefs_parse(&prefs, text, 0, &err);
	if (!ok && wrong)
		buf_add_text(wrong, err_text(&err));
	err_clear(&err);
	return ok;
}

static bool read_any(const struct value_rule *rule, const char *text, int64_t *number)
{
	switch (rule->kind) {
	case VALUE_BOOL:
		return read_bool(text, number);
	case VALUE_SECONDS:
		return read_seconds(rule, text, number);
	case VALUE_DURATION:
		return read_duration(rule, text, number);
	case VALUE_MONEY:
		return read_money(rule, text, number);
	case VALUE_COUNT:
		return read_count(rule, text, number);
	case VALUE_WORD:
		return read_word(rule, text, number);
	case VALUE_WORDS:
		return are_words(text);
	case VALUE_REGION:
		return is_region(text);
	case VALUE_FOLDER:
		return text[0] == '/' || strncmp(text, "~/", 2) == 0;
	case VALUE_TYPE:
		return catalog_find(text) != NULL;
	case VALUE_PREFS:
		return is_list(text, NULL);
	case VALUE_TEXT:
		return text[0] != '\0';
	}
	return false;
}

bool value_read(const struct value_rule *rule, const char *text, int64_t *number, struct buf *wrong)
{
	*number = 0;
	if (read_any(rule, text, number))
		return true;
	*number = 0;
	if (!wrong || (rule->kind == VALUE_PREFS && !is_list(text, wrong)))
		return false; /* the list's reader names the entry */
	buf_add_text(wrong, "takes ");
	value_add_allowed(rule, wrong);
	value_add_refused(wrong, text);
	const char *near = NULL;
	if (rule->kind == VALUE_TYPE && catalog_near(text, &near, 1) > 0)
		buf_addf(wrong, "; did you mean %s?", near);
	return false;
}

/* --- saying --- */

static void add_duration(struct buf *out, int64_t seconds)
{
	static const struct {
		int64_t seconds;
		char letter;
	} units[] = { { 86400, 'd' }, { 3600, 'h' }, { 60, 'm' }, { 1, 's' } };
	size_t i = 0;
	while (seconds % units[i].seconds)
		i++;
	buf_addf(out, "%" PRId64 "%c", seconds / units[i].seconds, units[i].letter);
}

static void add_words(struct buf *out, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		buf_addf(out, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
}

static void add_range(struct buf *out, const char *what, const struct value_rule *rule)
{
	buf_addf(out, "%s from %" PRId64 " to %" PRId64, what, rule->least, rule->most);
}

void value_add_allowed(const struct value_rule *rule, struct buf *out)
{
	static const char *const plain[] = {
		[VALUE_BOOL] = "yes or no",
		[VALUE_WORDS] = "names, parted by commas",
		[VALUE_REGION] = "the name of a region, such as us-east-1",
		[VALUE_FOLDER] = "the path of a folder that begins with / or ~/",
		[VALUE_TYPE] = "an instance type, such as ml.p5.48xlarge",
		[VALUE_PREFS] = "type[:count][@plan-arn],... in rank order",
		[VALUE_TEXT] = "a text",
	};
	switch (rule->kind) {
	case VALUE_SECONDS:
		add_range(out, "seconds", rule);
		break;
	case VALUE_DURATION:
		buf_add_text(out, "a duration from ");
		add_duration(out, rule->least);
		buf_add_text(out, " to ");
		add_duration(out, rule->most);
		buf_add_text(out, ", such as 90m, 6h or 7d");
		break;
	case VALUE_MONEY:
		add_range(out, "an amount", rule);
		buf_add_text(out, ", such as 12.50");
		break;
	case VALUE_COUNT:
		add_range(out, "a whole number", rule);
		break;
	case VALUE_WORD:
		add_words(out, rule->words);
		break;
	default:
		buf_add_text(out, plain[rule->kind]);
		break;
	}
}

void value_add_refused(struct buf *out, const char *text)
{
	if (secret_is_token(text) || secret_is_blob(text)) {
		buf_add_text(out, ", not '" SECRET_MASK "'");
		return;
	}
	size_t len = strlen(text), shown = len < SHOWN_MAX ? len : SHOWN_MAX;
	while (shown < len && shown > 0 && (text[shown] & 0xC0) == 0x80)
		shown--; /* never in the middle of a character */
	buf_addf(out, ", not '%.*s%s'", (int)shown, text, shown < len ? "..." : "");
}
