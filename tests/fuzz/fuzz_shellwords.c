/*
 * Any text as a command line. What is cut into words has as many when each is quoted again, and the
 * same ones; what is not says why and has none.
 */
#include <stdlib.h>
#include <string.h>

#include "model/base/shellwords.h"
#include "tests/fuzz/fuzz.h"

/* 'it'\''s': single quotes keep everything but themselves. */
static void quote(struct buf *out, const char *word)
{
	buf_add_char(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			buf_add_text(out, "'\\'");
		buf_add_char(out, *word);
	}
	buf_add_text(out, "' ");
}

static void check_again(const struct shellwords *words)
{
	struct shellwords again;
	struct err err = { 0 };
	struct buf text;

	buf_init(&text, 1u << 20);
	for (size_t i = 0; i < words->count; i++)
		quote(&text, words->items[i]);
	bool ok = shellwords_split(&again, buf_text(&text), &err);
	assert(ok && again.count == words->count);
	for (size_t i = 0; i < words->count; i++)
		assert(strcmp(again.items[i], words->items[i]) == 0);
	shellwords_release(&again);
	buf_release(&text);
	err_clear(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	struct shellwords words;
	struct err err = { 0 };

	if (shellwords_split(&words, text, &err)) {
		assert(words.count <= SHELLWORDS_MAX);
		assert(words.count == 0 || !words.items[words.count]);
		check_again(&words);
	} else {
		assert(words.count == 0 && err.code == ERR_CONFIG && err_text(&err)[0]);
	}
	shellwords_release(&words);
	err_clear(&err);
	free(text);
	return 0;
}
