#include "model/refusal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/text.h"
#include "model/quota_refusal.h"

#define NEAR_MAX  3
#define VALUE_MAX TYPE_NAME_SIZE /* of one allowed value; others are no types */
#define FAR       100
#define TEXT_MOST 280 /* of the text that is shown: an ARN at its end has to fit (case 048) */

static const char set_mark[] = "enum value set: [";

/* Where the set of allowed values begins; the text's end where there is none. */
static size_t before_set(const char *text)
{
	const char *set = strstr(text, set_mark);

	return set ? (size_t)(set - text) : strlen(text);
}

static bool is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

/* Where a type's name stands as a whole word before the end; the end where it does not. */
static size_t find_type(const char *text, size_t end, const char *type)
{
	size_t len = strlen(type);

	for (const char *at = text; len > 0 && (at = strstr(at, type)) != NULL; at++) {
		const char *after = at + len;
		bool begins = at == text || (!is_of_name(at[-1]) && at[-1] != '.');
		bool ends = !is_of_name(*after) && !(*after == '.' && is_of_name(after[1]));

		if (begins && ends && (size_t)(at - text) < end)
			return (size_t)(at - text);
	}
	return end;
}

/* By AWS's path, which counts from 1: "resourceConfig.instancePreferences.2.member.instanceType" */
static size_t entry_by_place(const char *text, const struct preferences *prefs)
{
	static const char list[] = "nstancePreferences.";
	const char *at = strstr(text, list);
	long place = at ? strtol(at + sizeof(list) - 1, NULL, 10) : 0;

	return place >= 1 && (size_t)place <= prefs->length ? (size_t)place - 1 : CHECK_NO_ENTRY;
}

/* The first of the list's types that the text names. */
static size_t entry_by_type(const char *text, const struct preferences *prefs)
{
	size_t end = before_set(text), first = end, entry = CHECK_NO_ENTRY;

	for (size_t i = 0; i < prefs->length; i++) {
		size_t at = find_type(text, end, prefs->entries[i].instance_type);

		if (at < first) {
			first = at;
			entry = i;
		}
	}
	return entry;
}

struct allowed {
	char near[NEAR_MAX][VALUE_MAX];
	unsigned far[NEAR_MAX];
	size_t count;
};

static void keep_near(struct allowed *allowed, const char *value, unsigned far)
{
	size_t at = NEAR_MAX;

	while (at > 0 && allowed->far[at - 1] > far)
		at--;
	if (at == NEAR_MAX)
		return;
	for (size_t i = NEAR_MAX - 1; i > at; i--) {
		memcpy(allowed->near[i], allowed->near[i - 1], VALUE_MAX);
		allowed->far[i] = allowed->far[i - 1];
	}
	(void)snprintf(allowed->near[at], VALUE_MAX, "%s", value);
	allowed->far[at] = far;
}

/* The allowed values, counted, with those nearest to the refused one. */
static struct allowed read_set(const char *set, const char *refused)
{
	struct allowed allowed = { .count = 0 };
	char value[VALUE_MAX];

	for (size_t i = 0; i < NEAR_MAX; i++)
		allowed.far[i] = FAR + 1;
	while (*set && *set != ']') {
		size_t len;

		set += strspn(set, " ,");
		len = strcspn(set, ",]");
		if (len > 0 && len < VALUE_MAX) {
			memcpy(value, set, len);
			value[len] = '\0';
			keep_near(&allowed, value, text_distance(refused, value, FAR));
			allowed.count++;
		}
		set += len;
	}
	return allowed;
}

static void fix_by_set(const char *text, struct buf *out, struct finding *finding)
{
	const char *set = strstr(text, set_mark), *quote = strchr(text, '\'');
	char refused[VALUE_MAX] = "";

	if (!set)
		return;
	if (quote && quote < set)
		(void)snprintf(refused, sizeof(refused), "%.*s", (int)strcspn(quote + 1, "'"),
			       quote + 1);
	const struct allowed allowed = read_set(set + sizeof(set_mark) - 1, refused);
	buf_addf(out, "%zu values are allowed; nearest:", allowed.count);
	for (size_t i = 0; i < NEAR_MAX && allowed.far[i] <= FAR; i++)
		buf_addf(out, "%s %s", i ? "," : "", allowed.near[i]);
	buf_add_char(out, '.');
	if (finding->entry == CHECK_NO_ENTRY || allowed.far[0] > FAR)
		return;
	finding->fix = FIX_SET_TYPE;
	(void)snprintf(finding->fix_value, TYPE_NAME_SIZE, "%s", allowed.near[0]);
	(void)snprintf(finding->fix_text, sizeof(finding->fix_text), "Change it to %s.",
		       allowed.near[0]);
}

/* To what the limit allows; else the entry goes, so that the others have their turn. */
static void fix_entry(int64_t limit, const struct preferences *prefs, struct finding *finding)
{
	int64_t count;

	if (finding->entry == CHECK_NO_ENTRY || finding->fix != FIX_NONE)
		return;
	if (limit >= 1 && prefs_count(prefs, finding->entry, &count) && limit < count) {
		finding->fix = FIX_SET_COUNT;
		(void)snprintf(finding->fix_value, sizeof(finding->fix_value), "%lld",
			       (long long)limit);
		(void)snprintf(finding->fix_text, sizeof(finding->fix_text),
			       "Ask for %lld instance%s.", (long long)limit, limit == 1 ? "" : "s");
	} else if (prefs->is_list && prefs->length > 1) {
		finding->fix = FIX_REMOVE_ENTRY;
		(void)snprintf(finding->fix_text, sizeof(finding->fix_text), "Drop the entry.");
	}
}

/* AWS's words without the part before them that the CLI adds. */
static const char *words_of(const char *text)
{
	static const char before[] = " operation: ";
	const char *at = strncmp(text, "An error occurred", 17) == 0 ? strstr(text, before) : NULL;

	return at ? at + sizeof(before) - 1 : text;
}

/* The first type that the text names, its length in *len; NULL where it names none. */
static const char *named_type(const char *text, size_t end, size_t *len)
{
	static const char family[] = "ml.";

	for (const char *at = text; (at = strstr(at, family)) != NULL; at++) {
		*len = sizeof(family) - 1;
		while (is_of_name(at[*len]) || (at[*len] == '.' && is_of_name(at[*len + 1])))
			(*len)++;
		bool begins = at == text || (!is_of_name(at[-1]) && at[-1] != '.');

		if (begins && *len < TYPE_NAME_SIZE)
			return (size_t)(at - text) < end ? at : NULL;
	}
	return NULL;
}

/* AWS went on naming an earlier type after another was asked for: case 043. */
static void say_other_type(const char *text, const struct preferences *prefs, struct buf *message,
			   const struct finding *finding)
{
	size_t len;
	const char *type = named_type(text, before_set(text), &len);

	if (type && prefs->length > 0 && finding->entry == CHECK_NO_ENTRY)
		buf_addf(message, " %.*s is not in this list: the answer may be stale.", (int)len,
			 type);
}

/* The text itself, cut; of a set of allowed values those that are near. */
static void say_text(const char *text, struct buf *message, struct finding *finding)
{
	size_t len = before_set(text);

	buf_addf(message, "%.*s", len < TEXT_MOST ? (int)len : TEXT_MOST, text);
	if (text[len] == '\0' && len > TEXT_MOST)
		buf_add_text(message, "...");
	fix_by_set(text, message, finding);
}

void refusal_finding(const char *text, const struct preferences *prefs, struct finding *finding)
{
	struct quota_refusal quota;
	struct buf message;

	*finding = (struct finding){ .rule = REFUSAL_RULE, .severity = SEVERITY_ERROR };
	text = words_of(text);
	finding->entry = entry_by_place(text, prefs);
	if (finding->entry == CHECK_NO_ENTRY)
		finding->entry = entry_by_type(text, prefs);
	buf_init(&message, sizeof(finding->message) - 1);
	buf_add_text(&message, "AWS refused: ");
	if (quota_refusal_parse(text, &quota))
		buf_addf(&message, "limit %lld of '%s', %lld in use, %lld asked for.",
			 (long long)quota.limit, quota.name, (long long)quota.used,
			 (long long)quota.asked);
	else
		say_text(text, &message, finding);
	say_other_type(text, prefs, &message, finding);
	fix_entry(quota.limit, prefs, finding);
	(void)snprintf(finding->message, sizeof(finding->message), "%s", buf_text(&message));
	buf_release(&message);
}
