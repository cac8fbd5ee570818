#include "model/base/shellwords.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"

struct cutter {
	const char *at;
	struct buf word;
	bool is_open; /* there is a word, if an empty one: '' */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void add_word(struct shellwords *words, const struct buf *word)
{
	words->items =
		mem_grow(words->items, &words->capacity, words->count + 2, sizeof(*words->items));
	words->items[words->count++] = mem_copy_text(buf_text(word));
	words->items[words->count] = NULL;
}

/* At the character behind the opening quote; to the one behind the closing quote. */
static bool take_quoted(struct cutter *cutter, char quote, struct err *err)
{
	for (; *cutter->at != quote; cutter->at++) {
		if (quote == '"' && *cutter->at == '\\' &&
		    (cutter->at[1] == '"' || cutter->at[1] == '\\'))
			cutter->at++;
		if (!*cutter->at)
			return err_set(err, ERR_CONFIG, "a quote (%c) does not end", quote);
		buf_add_char(&cutter->word, *cutter->at);
	}
	cutter->at++;
	return true;
}

static bool take_part(struct cutter *cutter, struct err *err)
{
	char c = *cutter->at++;
	cutter->is_open = true;
	if (c == '\'' || c == '"')
		return take_quoted(cutter, c, err);
	if (c == '\\')
		c = *cutter->at++;
	if (!c)
		return err_set(err, ERR_CONFIG, "a \\ stands at the end");
	buf_add_char(&cutter->word, c);
	return true;
}

static bool end_word(struct shellwords *words, struct cutter *cutter, struct err *err)
{
	if (!cutter->is_open)
		return true;
	if (words->count == SHELLWORDS_MAX)
		return err_set(err, ERR_CONFIG, "has more than %d words", SHELLWORDS_MAX);
	add_word(words, &cutter->word);
	buf_clear(&cutter->word);
	cutter->is_open = false;
	return true;
}

bool shellwords_split(struct shellwords *words, const char *text, struct err *err)
{
	struct cutter cutter = { .at = text };
	bool ok = true;
	*words = (struct shellwords){ 0 };
	buf_init(&cutter.word, strlen(text));
	while (ok && *cutter.at) {
		if (is_blank(*cutter.at)) {
			ok = end_word(words, &cutter, err);
			cutter.at++;
		} else {
			ok = take_part(&cutter, err);
		}
	}
	ok = ok && end_word(words, &cutter, err);
	buf_wipe(&cutter.word);
	if (!ok)
		shellwords_release(words);
	return ok;
}

void shellwords_release(struct shellwords *words)
{
	if (!words)
		return;
	for (size_t i = 0; i < words->count; i++) {
		explicit_bzero(words->items[i], strlen(words->items[i]));
		free(words->items[i]);
	}
	free(words->items);
	*words = (struct shellwords){ 0 };
}

void shellwords_add_quoted(struct buf *out, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./:@%+,-";
	if (text[0] && text[strspn(text, plain)] == '\0') {
		(void)buf_add_text(out, text);
		return;
	}
	(void)buf_add_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			(void)buf_add_text(out, "'\\''");
		else
			(void)buf_add_char(out, *text);
	}
	(void)buf_add_char(out, '\'');
}
