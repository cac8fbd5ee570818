#include "model/base/jsonread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_SIZE 32

bool jsonread_spoilt(const struct jsonread *reader, const char *name)
{
	if (reader->err->code == ERR_NONE)
		err_set(reader->err, ERR_PARSE, "%s is missing or is not what it should be", name);
	return false;
}

bool jsonread_is(const struct jsonread *reader, size_t node, enum json_kind kind)
{
	return node < reader->doc->count && reader->doc->nodes[node].kind == kind;
}

bool jsonread_object(const struct jsonread *reader, size_t node, size_t members, const char *name)
{
	return (jsonread_is(reader, node, JSON_OBJECT) &&
		json_doc_length(reader->doc, node) == members) ||
	       jsonread_spoilt(reader, name);
}

bool jsonread_text(const struct jsonread *reader, size_t object, const char *name, bool optional,
		   size_t most, char **value)
{
	size_t node = json_doc_member(reader->doc, object, name);
	struct buf text;

	*value = NULL;
	if (optional && jsonread_is(reader, node, JSON_NULL))
		return true;
	buf_init(&text, most);

	bool ok = json_doc_string(reader->doc, node, &text) && !text.failed && text.len > 0;

	if (ok)
		*value = buf_take(&text);
	buf_wipe(&text);
	buf_release(&text);
	return ok || jsonread_spoilt(reader, name);
}

bool jsonread_field(const struct jsonread *reader, size_t object, const char *name, bool optional,
		    char *field, size_t size)
{
	char *value;
	bool ok = jsonread_text(reader, object, name, optional, size - 1, &value);

	(void)snprintf(field, size, "%s", value ? value : "");
	free(value);
	return ok;
}

bool jsonread_word(const struct jsonread *reader, size_t object, const char *name,
		   const char *const *words, size_t count, size_t *value)
{
	char word[WORD_SIZE];
	size_t found = 0;

	*value = 0;
	if (!jsonread_field(reader, object, name, false, word, sizeof(word)))
		return false;
	while (found < count && (!words[found] || strcmp(words[found], word) != 0))
		found++;
	if (found == count)
		return jsonread_spoilt(reader, name);
	*value = found;
	return true;
}

bool jsonread_number(const struct jsonread *reader, size_t object, const char *name, bool *set,
		     int64_t least, int64_t most, int64_t *value)
{
	size_t node = json_doc_member(reader->doc, object, name);
	bool ok = json_doc_integer(reader->doc, node, value) && *value >= least && *value <= most;

	if (!ok)
		*value = 0;
	if (set)
		*set = ok;
	return ok || (set && jsonread_is(reader, node, JSON_NULL)) || jsonread_spoilt(reader, name);
}

bool jsonread_flag(const struct jsonread *reader, size_t object, const char *name, bool *value)
{
	size_t node = json_doc_member(reader->doc, object, name);

	*value = jsonread_is(reader, node, JSON_TRUE);
	return *value || jsonread_is(reader, node, JSON_FALSE) || jsonread_spoilt(reader, name);
}
