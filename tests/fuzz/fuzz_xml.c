/*
 * Any bytes through the XML reader and every getter. What parses has names without prefixes, texts
 * that end at their NUL, elements that are found by their names and no more of anything than its
 * ceiling; what does not says why.
 * clang -fsanitize=fuzzer,address,undefined -D_DEFAULT_SOURCE -I. tests/fuzz/fuzz_xml.c aws/xml.c
 * aws/json.c model/base/[a-z]*.c -lexpat -lcjson -lm
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "aws/xml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void want(bool held)
{
	if (!held)
		abort();
}

/* Returns the number of elements. */
static size_t check_element(const struct xml_element *element, size_t level)
{
	size_t count = 1;

	want(level <= XML_REPLY_LEVELS);
	want(xml_name(element)[0] != '\0' && !strchr(xml_name(element), ':'));
	want(xml_as_text(element) && (!xml_first(element) || xml_as_text(element)[0] == '\0'));
	(void)xml_as_time(element);
	for (const struct xml_element *at = xml_first(element); at; at = xml_next(at)) {
		want(xml_child(element, xml_name(at)) != NULL);
		want(xml_text(element, xml_name(at)) != NULL);
		count += check_element(at, level + 1);
	}
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { 0 };
	/* A copy of the exact size, so that a read past the end is seen. */
	char *text = malloc(size ? size : 1);
	struct xml_element *root;

	want(text != NULL);
	if (size)
		memcpy(text, data, size);
	root = xml_parse(text, size, &err);
	free(text);
	if (root) {
		want(err.code == ERR_NONE);
		want(check_element(root, 1) <= XML_REPLY_ELEMENTS);
	} else {
		want(err.code == ERR_PARSE || err.code == ERR_TOO_BIG);
		want(err_text(&err)[0] != '\0');
	}
	err_clear(&err);
	xml_free(root);
	return 0;
}
