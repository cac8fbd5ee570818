#include "aws/sim/args.h"

#include <math.h>
#include <stdlib.h>

#define SECONDS_MAX 1e11 /* keeps milliseconds within 64 bits */

size_t sim_arg(const struct json_doc *doc, size_t object, const char *name)
{
	size_t node = object == JSON_NONE ? JSON_NONE : json_doc_member(doc, object, name);
	return node != JSON_NONE && doc->nodes[node].kind == JSON_NULL ? JSON_NONE : node;
}

void sim_arg_text(const struct json_doc *doc, size_t object, const char *name, struct buf *out)
{
	buf_init(out, SIM_ARG_BYTES);
	size_t node = sim_arg(doc, object, name);
	if (node != JSON_NONE)
		(void)json_doc_string(doc, node, out);
}

struct opt_ms sim_arg_time(const struct json_doc *doc, const char *name)
{
	size_t node = sim_arg(doc, 0, name);
	if (node == JSON_NONE)
		return (struct opt_ms){ 0 };
	struct buf text;
	buf_init(&text, 64);
	size_t len = doc->nodes[node].end - doc->nodes[node].start;
	double seconds = buf_add(&text, doc->text + doc->nodes[node].start, len)
				 ? strtod(buf_text(&text), NULL)
				 : 0.0;
	buf_release(&text);
	if (!isfinite(seconds))
		seconds = 0.0;
	seconds = fmin(fmax(seconds, -SECONDS_MAX), SECONDS_MAX);
	return (struct opt_ms){ .set = true, .ms = (int64_t)llround(seconds * 1000.0) };
}

size_t sim_arg_page(const struct json_doc *doc)
{
	int64_t page = 0;
	size_t node = sim_arg(doc, 0, "MaxResults");
	bool given = node != JSON_NONE && json_doc_integer(doc, node, &page) && page > 0;
	return given ? (size_t)page : SIM_PAGE_STANDARD;
}
