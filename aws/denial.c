#include "aws/denial.h"

#include <string.h>

#define IS_NOT   " is not authorized to perform: "
#define BLANKS   " \t\r\n"
#define USER     "User: "
#define ON       "on resource: "
#define EXPLICIT "explicit deny"

static struct denial_part next_word(const char **at)
{
	struct denial_part word = { .text = *at + strspn(*at, BLANKS) };

	word.len = strcspn(word.text, BLANKS);
	*at = word.text + word.len;
	/* The end of the sentence. */
	if (word.len > 1 && word.text[word.len - 1] == '.')
		word.len--;
	return word;
}

static struct denial_part trim(const char *text)
{
	struct denial_part part = { .text = text + strspn(text, BLANKS) };

	part.len = strlen(part.text);
	while (part.len > 0 && strchr(BLANKS, part.text[part.len - 1]))
		part.len--;
	return part;
}

bool denial_parse(struct denial *denial, const char *message)
{
	const char *is_not = strstr(message, IS_NOT), *user = strstr(message, USER);
	const char *at;

	*denial = (struct denial){ .is_explicit = false };
	if (!is_not || !user || user >= is_not)
		return false;
	user += strlen(USER);
	if (user >= is_not)
		return false;
	denial->principal = (struct denial_part){ user, (size_t)(is_not - user) };
	at = is_not + strlen(IS_NOT);
	denial->action = next_word(&at);
	if (denial->action.len == 0)
		return false;
	at += strspn(at, BLANKS);
	if (strncmp(at, ON, strlen(ON)) == 0) {
		at += strlen(ON);
		denial->resource = next_word(&at);
	}
	denial->rest = trim(at);
	denial->is_explicit = strstr(at, EXPLICIT) != NULL;
	return true;
}

static void add_line(struct buf *out, const char *label, struct denial_part part)
{
	if (part.len > 0)
		buf_addf(out, "\n%s%.*s", label, (int)part.len, part.text);
}

void denial_write(const struct denial *denial, struct buf *out)
{
	buf_addf(out, "%.*s is %s", (int)denial->action.len, denial->action.text,
		 denial->is_explicit ? "explicitly denied" : "not allowed");
	add_line(out, "principal: ", denial->principal);
	add_line(out, "resource: ", denial->resource);
	add_line(out, "", denial->rest);
}
