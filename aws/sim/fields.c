#include "aws/sim/fields.h"

#include <string.h>

#include "aws/sim/validate.h"

bool sim_field_need(const struct json_doc *doc, const char *name, struct err *err)
{
	if (json_doc_member(doc, 0, name) != JSON_NONE)
		return true;
	return sim_refuse(err, 400, "BadRequest", "%s is missing", name);
}

bool sim_field_integer(const struct json_doc *doc, const char *name, int64_t low, int64_t high,
		       int64_t *value, struct err *err)
{
	size_t node = json_doc_member(doc, 0, name);
	int64_t read = 0;
	if (node == JSON_NONE)
		return true;
	if (!json_doc_integer(doc, node, &read) || read < low || read > high)
		return sim_refuse(err, 400, "BadRequest",
				  "%s must be a whole number from %lld to %lld", name,
				  (long long)low, (long long)high);
	*value = read;
	return true;
}

bool sim_field_text(const struct json_doc *doc, const char *name, char *out, size_t size,
		    struct err *err)
{
	size_t node = json_doc_member(doc, 0, name);
	if (node == JSON_NONE)
		return true;
	struct buf text;
	buf_init(&text, size - 1);
	bool fine = json_doc_string(doc, node, &text) && !text.failed &&
		    strlen(buf_text(&text)) == text.len && text.len > 0;
	if (fine)
		memcpy(out, text.data, text.len + 1);
	buf_release(&text);
	if (!fine)
		return sim_refuse(err, 400, "BadRequest", "%s must be a text of 1 to %zu bytes",
				  name, size - 1);
	return true;
}

bool sim_field_true(const struct json_doc *doc, const char *name)
{
	size_t node = json_doc_member(doc, 0, name);
	return node != JSON_NONE && doc->nodes[node].kind == JSON_TRUE;
}
