/*
 * Any bytes through the XML reader and every getter. What parses has names without prefixes, texts
 * that end at their NUL, elements that are found by their names and no more of anything than its
 * ceiling; what does not says why.
 */
#include <string.h>

#include "aws/xml.h"
#include "tests/fuzz/fuzz.h"

/* Returns the number of elements. */
static size_t check_element(const struct xml_element *element, size_t level)
{
	size_t count = 1;

	assert(level <= XML_REPLY_LEVELS);
	assert(xml_name(element)[0] != '\0' && !strchr(xml_name(element), ':'));
	assert(xml_as_text(element) && (!xml_first(element) || xml_as_text(element)[0] == '\0'));
	(void)xml_as_time(element);
	for (const struct xml_element *at = xml_first(element); at; at = xml_next(at)) {
		assert(xml_child(element, xml_name(at)) != NULL);
		assert(xml_text(element, xml_name(at)) != NULL);
		count += check_element(at, level + 1);
	}
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { 0 };
	struct xml_element *root = xml_parse((const char *)data, size, &err);

	if (root) {
		assert(err.code == ERR_NONE);
		assert(check_element(root, 1) <= XML_REPLY_ELEMENTS);
	} else {
		assert(err.code == ERR_PARSE || err.code == ERR_TOO_BIG);
		assert(err_text(&err)[0] != '\0');
	}
	err_clear(&err);
	xml_free(root);
	return 0;
}
