#include "model/quota_refusal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"

#define LIMIT       "service limit "
#define IS          " is "
#define UTILIZATION "current utilization of "
#define DELTA       "request delta of "
#define TYPE_PREFIX "ml."
#define TYPE_CHARS  "abcdefghijklmnopqrstuvwxyz0123456789.-"
#define DIGITS      "0123456789"
#define DIGITS_MAX  18 /* what a 64-bit integer surely holds */

/* The whole number that text begins with; fractions are cut off. */
static bool read_number(const char *text, int64_t *number)
{
	size_t len = strspn(text, DIGITS);

	*number = 0;
	for (size_t i = 0; i < len && len <= DIGITS_MAX; i++)
		*number = 10 * *number + (text[i] - '0');
	return len > 0 && len <= DIGITS_MAX;
}

/* The number behind a text; moves on behind the text. */
static bool read_behind(const char **at, const char *text, int64_t *number)
{
	const char *found = strstr(*at, text);

	if (!found)
		return false;
	*at = found + strlen(text);
	return read_number(*at, number);
}

/* 'NAME' in quotes, or "for NAME" up to " is ". Moves on to the end of it. */
static bool read_name(const char **at, char *name, size_t size)
{
	const char *start = *at, *end;

	if (*start == '\'') {
		start++;
		end = strchr(start, '\'');
	} else if (strncmp(start, "for ", 4) == 0) {
		start += 4;
		end = strstr(start, IS);
	} else {
		return false;
	}
	if (!end || end == start)
		return false;
	size_t len = (size_t)(end - start);

	snprintf(name, size, "%.*s", (int)(len < size ? len : size - 1), start);
	*at = end;
	return true;
}

static void find_type(struct quota_refusal *refusal)
{
	const char *type = strstr(refusal->name, TYPE_PREFIX);
	size_t len = type ? strspn(type, TYPE_CHARS) : 0;

	if (len < TYPE_NAME_SIZE)
		snprintf(refusal->instance_type, sizeof(refusal->instance_type), "%.*s", (int)len,
			 type ? type : "");
}

/* The longer name of two that fit stands first: spot ends as training does. */
static void find_kind(struct quota_refusal *refusal)
{
	static const struct {
		const char *part;
		enum quota_kind kind;
	} parts[] = {
		{ "spot training job", QUOTA_SPOT },       { "spot-training-job/", QUOTA_SPOT },
		{ "training warm pool", QUOTA_WARM_POOL }, { "training job", QUOTA_TRAINING },
		{ "training-job/", QUOTA_TRAINING },       { "processing job", QUOTA_PROCESSING },
		{ "processing-job/", QUOTA_PROCESSING },
	};

	for (size_t i = 0; i < ARRAY_LEN(parts) && !refusal->has_kind; i++) {
		refusal->has_kind = strstr(refusal->name, parts[i].part) != NULL;
		refusal->kind = parts[i].kind;
	}
}

bool quota_refusal_parse(const char *text, struct quota_refusal *refusal)
{
	const char *at = text ? strstr(text, LIMIT) : NULL;

	*refusal = (struct quota_refusal){ 0 };
	if (at)
		at += strlen(LIMIT);
	if (!at || !read_name(&at, refusal->name, sizeof(refusal->name)) ||
	    !read_behind(&at, IS, &refusal->limit) ||
	    !read_behind(&at, UTILIZATION, &refusal->used) ||
	    !read_behind(&at, DELTA, &refusal->asked)) {
		*refusal = (struct quota_refusal){ 0 };
		return false;
	}
	find_type(refusal);
	find_kind(refusal);
	return true;
}

bool quota_refusal_entry(const struct quota_refusal *refusal, const struct preferences *prefs,
			 size_t *entry)
{
	for (size_t i = 0; i < prefs->length && refusal->instance_type[0]; i++) {
		if (strcmp(prefs->entries[i].instance_type, refusal->instance_type) == 0) {
			*entry = i;
			return true;
		}
	}
	return false;
}

void quota_refusal_say(const struct quota_refusal *refusal, struct buf *out)
{
	buf_addf(out, "Quota, not capacity: the limit of '%s' is %" PRId64, refusal->name,
		 refusal->limit);
	if (refusal->limit == 0)
		buf_addf(out, "%s",
			 refusal->instance_type[0] ? ": nobody may run this type yet."
						   : ": nobody may run any yet.");
	else
		buf_addf(out, ", %" PRId64 " in use, %" PRId64 " asked for.", refusal->used,
			 refusal->asked);
	buf_add_text(out,
		     refusal->limit == 0
			     ? " Ask for a raise, or drop the entry: no wait helps."
			     : " Drop the entry, lower its count, or ask for a raise; instances "
			       "in use count until their jobs have ended.");
}
