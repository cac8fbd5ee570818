#include "aws/query.h"

#include <stdio.h>
#include <string.h>

#define RESULT_NAME_SIZE 128

static bool is_plain(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_' || c == '.' || c == '~';
}

/* RFC 3986: what is not unreserved becomes %XX. */
static void add_encoded(struct buf *body, const char *text)
{
	for (; *text; text++) {
		if (is_plain(*text))
			buf_add_char(body, *text);
		else
			buf_addf(body, "%%%02X", (unsigned)(unsigned char)*text);
	}
}

void query_start(struct buf *body, enum aws_service service, const char *action)
{
	buf_addf(body, "Action=%s&Version=%s", action, service_row(service)->api_version);
}

void query_add(struct buf *body, const char *name, const char *value)
{
	if (!value)
		return;
	buf_add_char(body, '&');
	add_encoded(body, name);
	buf_add_char(body, '=');
	add_encoded(body, value);
}

const struct xml_element *query_result(const struct xml_element *root, const char *action)
{
	char name[RESULT_NAME_SIZE];

	snprintf(name, sizeof(name), "%sResult", action);
	return xml_child(root, name);
}
