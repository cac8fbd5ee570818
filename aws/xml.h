/*
 * Elements of an XML reply; the only user of expat. A document is bounded in bytes, levels and
 * elements, and may have no document type, so no entities but the five of XML itself. Prefixes
 * of names are dropped, attributes are skipped. What is absent reads as NULL all the way down.
 */
#ifndef GPUQ_XML_H
#define GPUQ_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/clock.h"
#include "model/base/err.h"

#define XML_REPLY_MAX      (8u << 20) /* bytes of a document */
#define XML_REPLY_LEVELS   64         /* nested elements; AWS's deepest has about ten */
#define XML_REPLY_ELEMENTS (1u << 16) /* a page of 1,000 capacity blocks has some 15,000 */

/* An element. The document is its root element. */
struct xml_element;

/*
 * Parses the whole of text[0..len), UTF-8; it needs no NUL. NULL with err (ERR_PARSE or
 * ERR_TOO_BIG) if it is no document. Free the root with xml_free, which wipes (a reply of STS holds
 * keys) and accepts NULL.
 */
struct xml_element *xml_parse(const char *text, size_t len, struct err *err) MUST_CHECK;
void xml_free(struct xml_element *root);

/* The name without its prefix; NULL for NULL. */
const char *xml_name(const struct xml_element *element);
/* The first element inside / the next one beside it; NULL at the end. */
const struct xml_element *xml_first(const struct xml_element *element);
const struct xml_element *xml_next(const struct xml_element *element);
/* The first element inside by its name; NULL where there is none. */
const struct xml_element *xml_child(const struct xml_element *element, const char *name);

/* The text of an element without others inside, blanks and all; "" where it has none or has others;
 * NULL for NULL. */
const char *xml_as_text(const struct xml_element *element);
/* As in json_time_of_text. Unset if it is no time. */
struct opt_ms xml_as_time(const struct xml_element *element);

/* The same of a child; NULL or unset where there is none. */
const char *xml_text(const struct xml_element *element, const char *name);
struct opt_ms xml_time(const struct xml_element *element, const char *name);

#endif
