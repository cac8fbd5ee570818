#include "model/search_fill.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

void search_fill_release(struct search_fill *fill)
{
	free(fill->token);
	*fill = (struct search_fill){ 0 };
}

void search_fill_set(struct search_fill *fill, bool whole, int64_t from_ms, int64_t to_ms,
		     const char *token)
{
	fill->known = true;
	fill->whole = whole;
	fill->from_ms = from_ms;
	fill->to_ms = to_ms;
	mem_set_text(&fill->token, token);
}

void search_fill_write(const struct search_fill *fill, char *out)
{
	const char *token = fill->token ? fill->token : "";

	out[0] = '\0';
	if (fill->known && strlen(token) < SEARCH_FILL_TOKEN_SIZE)
		(void)snprintf(out, SEARCH_FILL_TEXT_SIZE, "%s %" PRId64 " %" PRId64 " %s",
			       fill->whole ? "whole" : "part", fill->from_ms, fill->to_ms, token);
}

bool search_fill_read(struct search_fill *fill, const char *text)
{
	bool whole = strncmp(text, "whole ", 6) == 0;
	char *end;
	int64_t from_ms, to_ms;

	if (!whole && strncmp(text, "part ", 5) != 0)
		return false;
	from_ms = strtoll(text + (whole ? 6 : 5), &end, 10);
	if (*end != ' ')
		return false;
	to_ms = strtoll(end + 1, &end, 10);
	if (*end != ' ' || from_ms <= 0 || to_ms < from_ms || (!whole && !end[1]))
		return false;
	search_fill_set(fill, whole, from_ms, to_ms, end[1] ? end + 1 : NULL);
	return true;
}
