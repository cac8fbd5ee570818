/*
 * Any bytes as JSON with comments or a Python literal, and as YAML; then through the search for
 * requests in what comes of it. What is read is JSON (but for what JSON is too strict for: a key
 * that stands twice, a level too many), its places are those of its values, and each request that
 * is found is JSON by itself, whose values have places in the document.
 */
#include <stdlib.h>
#include <string.h>

#include "aws/yaml.h"
#include "model/wrapped.h"
#include "tests/fuzz/fuzz.h"

typedef bool read_fn(struct loose *loose, const char *text, size_t len, struct err *err);

/* Each value of the JSON begins at a place of its own, in their order. */
static void want_places(const struct loose *loose, const struct json_doc *doc, size_t size)
{
	assert(loose->count == doc->count);
	for (size_t i = 0; i < doc->count; i++) {
		const struct loose_place *place = &loose->places[i];
		assert(place->at == doc->nodes[i].start);
		assert(place->line >= 1 && place->line <= size + 1);
		assert(place->column >= 1 && place->column <= size + 1);
		assert(loose_place_of(loose, place->at) == place);
		if (place->is_unknown)
			assert(strncmp(doc->text + place->at, LOOSE_UNKNOWN,
				       strlen(LOOSE_UNKNOWN)) == 0);
	}
}

static bool is_told_apart(const char *why)
{
	return strstr(why, "stands twice") || strstr(why, "nested deeper") ||
	       strstr(why, "more than");
}

static bool parse(struct json_doc *doc, const struct loose *loose)
{
	struct err err = { 0 };
	bool ok = json_doc_parse(doc, buf_text(&loose->json), loose->json.len, &err);
	assert(ok || is_told_apart(err_text(&err)));
	err_clear(&err);
	return ok;
}

static void look_inside(const struct loose *loose, size_t size)
{
	struct json_doc doc = { 0 }, inside = { 0 };
	struct wrapped_list list;
	if (parse(&doc, loose)) {
		want_places(loose, &doc, size);
		wrapped_find(&list, &doc, loose);
		assert(list.count <= WRAPPED_MAX);
		for (size_t i = 0; i < list.count; i++) {
			if (parse(&inside, &list.items[i].request))
				want_places(&list.items[i].request, &inside, size);
			json_doc_release(&inside);
		}
		wrapped_release(&list);
	}
	json_doc_release(&doc);
}

static void read_by(read_fn *read, const char *text, size_t size)
{
	struct loose loose;
	struct err err = { 0 };
	loose_init(&loose);
	if (read(&loose, text, size, &err))
		look_inside(&loose, size);
	else
		assert(err.code == ERR_PARSE && strncmp(err_text(&err), "line ", 5) == 0);
	err_clear(&err);
	loose_release(&loose);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	read_by(loose_read_literal, text, size);
	read_by(yaml_read, text, size);
	free(text);
	return 0;
}
