#include "aws/xml.h"

#include <stdlib.h>
#include <string.h>

#include <expat.h>

#include "aws/json.h"
#include "model/base/buf.h"
#include "model/base/mem.h"

struct xml_element {
	char *name;
	struct buf text;
	struct xml_element *parent, *first, *last, *next;
};

struct reading {
	XML_Parser parser;
	struct xml_element *root, *open; /* open: the innermost element that has not ended */
	size_t levels, elements;
	struct err *err; /* set here: the parser was stopped */
};

static void stop(struct reading *reading, enum err_code code, const char *why)
{
	err_set(reading->err, code, "%s", why);
	XML_StopParser(reading->parser, XML_FALSE);
}

static void on_start(void *ctx, const XML_Char *name, const XML_Char **attributes)
{
	struct reading *reading = ctx;
	const char *colon = strrchr(name, ':'), *own = colon ? colon + 1 : name;
	struct xml_element *element;

	(void)attributes;
	if (++reading->elements > XML_REPLY_ELEMENTS || ++reading->levels > XML_REPLY_LEVELS) {
		stop(reading, ERR_TOO_BIG, "XML of too many elements or levels");
		return;
	}
	if (!own[0]) {
		stop(reading, ERR_PARSE, "XML with a prefix that has no name");
		return;
	}
	element = mem_new(1, sizeof(*element));
	element->name = mem_copy_text(own);
	element->parent = reading->open;
	buf_init(&element->text, XML_REPLY_MAX);
	if (!reading->open)
		reading->root = element;
	else if (!reading->open->first)
		reading->open->first = element;
	else
		reading->open->last->next = element;
	if (reading->open)
		reading->open->last = element;
	reading->open = element;
}

static void on_end(void *ctx, const XML_Char *name)
{
	struct reading *reading = ctx;
	struct xml_element *element = reading->open;

	(void)name;
	if (reading->err->code != ERR_NONE)
		return; /* of an empty element at which the parser was stopped */
	/* Only the blanks between elements. */
	if (element->first)
		buf_wipe(&element->text);
	reading->open = element->parent;
	reading->levels--;
}

static void on_text(void *ctx, const XML_Char *text, int len)
{
	struct reading *reading = ctx;

	buf_add(&reading->open->text, text, (size_t)len);
}

/* Entities of one's own can blow up a small document, and name files: none of AWS has any. */
static void on_document_type(void *ctx, const XML_Char *name, const XML_Char *system_id,
			     const XML_Char *public_id, int has_subset)
{
	(void)name;
	(void)system_id;
	(void)public_id;
	(void)has_subset;
	stop(ctx, ERR_PARSE, "XML with a document type");
}

static bool run(struct reading *reading, const char *text, size_t len)
{
	XML_Parser parser = reading->parser;

	XML_SetUserData(parser, reading);
	XML_SetElementHandler(parser, on_start, on_end);
	XML_SetCharacterDataHandler(parser, on_text);
	XML_SetStartDoctypeDeclHandler(parser, on_document_type);
	if (XML_Parse(parser, text, (int)len, XML_TRUE) == XML_STATUS_OK)
		return true;
	if (reading->err->code == ERR_NONE)
		err_set(reading->err, ERR_PARSE, "not XML from byte %ld on: %s",
			(long)XML_GetCurrentByteIndex(parser),
			XML_ErrorString(XML_GetErrorCode(parser)));
	return false;
}

struct xml_element *xml_parse(const char *text, size_t len, struct err *err)
{
	struct reading reading = { .err = err };

	err_clear(err);
	if (len > XML_REPLY_MAX) {
		err_set(err, ERR_TOO_BIG, "XML of more than %u bytes", XML_REPLY_MAX);
		return NULL;
	}
	reading.parser = XML_ParserCreate("UTF-8");
	if (!reading.parser) {
		err_set(err, ERR_TOO_BIG, "no memory for a reader of XML");
		return NULL;
	}
	if (!run(&reading, text, len)) {
		xml_free(reading.root);
		reading.root = NULL;
	}
	XML_ParserFree(reading.parser);
	return reading.root;
}

void xml_free(struct xml_element *root)
{
	/* Children first, by the links: a stack of calls as deep as a document is not needed. */
	for (struct xml_element *at = root; at;) {
		struct xml_element *parent = at->parent;

		if (at->first) {
			struct xml_element *child = at->first;

			at->first = child->next;
			at = child;
			continue;
		}
		free(at->name);
		buf_wipe(&at->text);
		free(at);
		at = parent;
	}
}

const char *xml_name(const struct xml_element *element)
{
	return element ? element->name : NULL;
}

const struct xml_element *xml_first(const struct xml_element *element)
{
	return element ? element->first : NULL;
}

const struct xml_element *xml_next(const struct xml_element *element)
{
	return element ? element->next : NULL;
}

const struct xml_element *xml_child(const struct xml_element *element, const char *name)
{
	const struct xml_element *at = xml_first(element);

	while (at && strcmp(at->name, name) != 0)
		at = at->next;
	return at;
}

const char *xml_as_text(const struct xml_element *element)
{
	return element ? buf_text(&element->text) : NULL;
}

struct opt_ms xml_as_time(const struct xml_element *element)
{
	const char *text = xml_as_text(element);

	return text ? json_time_of_text(text) : (struct opt_ms){ 0 };
}

const char *xml_text(const struct xml_element *element, const char *name)
{
	return xml_as_text(xml_child(element, name));
}

struct opt_ms xml_time(const struct xml_element *element, const char *name)
{
	return xml_as_time(xml_child(element, name));
}
