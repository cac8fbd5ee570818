#include "model/loose.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/jsontext.h"
#include "model/base/mem.h"
#include "model/base/text.h"

void loose_init(struct loose *loose)
{
	*loose = (struct loose){ 0 };
	buf_init(&loose->json, JSON_TEXT_MAX);
}

void loose_release(struct loose *loose)
{
	if (!loose)
		return;
	buf_wipe(&loose->json);
	buf_release(&loose->json);
	free(loose->places);
	*loose = (struct loose){ 0 };
}

bool loose_note(struct loose *loose, size_t line, size_t column, bool is_unknown)
{
	if (loose->count == JSON_NODES_MAX)
		return false;
	loose->places =
		mem_grow(loose->places, &loose->capacity, loose->count + 1, sizeof(*loose->places));
	loose->places[loose->count++] = (struct loose_place){
		.at = loose->json.len, .line = line, .column = column, .is_unknown = is_unknown
	};
	return true;
}

const struct loose_place *loose_place_of(const struct loose *loose, size_t offset)
{
	size_t low = 0, high = loose->count; /* the first behind it */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (loose->places[middle].at <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &loose->places[low - 1] : NULL;
}

void loose_unwrap(struct loose *loose)
{
	buf_drop(&loose->json, 1);
	loose_take_back(loose, loose->json.len - 1, loose->count - 1);
	for (size_t i = 0; i < loose->count; i++) {
		loose->places[i] = loose->places[i + 1];
		loose->places[i].at--;
	}
}

void loose_take_back(struct loose *loose, size_t len, size_t count)
{
	if (loose->json.len > len) {
		loose->json.len = len;
		loose->json.data[len] = '\0';
	}
	loose->count = count;
}

bool loose_add_string(struct loose *loose, const char *bytes, size_t len)
{
	bool ok = true;
	buf_add_char(&loose->json, '"');
	for (size_t at = 0; ok && at < len;) {
		uint32_t code;
		size_t used = text_decode(bytes + at, len - at, &code);
		unsigned char c = (unsigned char)bytes[at];
		ok = c != 0 && !(code == TEXT_BAD && used == 1);
		if (c == '"' || c == '\\')
			buf_addf(&loose->json, "\\%c", c);
		else if (c < 0x20)
			buf_addf(&loose->json, "\\u%04x", c);
		else
			buf_add(&loose->json, bytes + at, used);
		at += used;
	}
	buf_add_char(&loose->json, '"');
	return ok && !loose->json.failed;
}

bool loose_add_number(struct loose *loose, const char *text, size_t len)
{
	struct json_doc doc = { 0 };
	struct err ignored = { 0 };
	bool ok = json_doc_parse(&doc, text, len, &ignored) && doc.nodes[0].kind == JSON_NUMBER &&
		  doc.nodes[0].start == 0 && doc.nodes[0].end == len;
	if (ok)
		buf_add(&loose->json, text, len);
	json_doc_release(&doc);
	err_clear(&ignored);
	return ok && !loose->json.failed;
}
