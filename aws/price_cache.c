#include "aws/price_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/access.h"
#include "aws/json.h"
#include "aws/setup.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define VERSION    1
#define AHEAD_MOST INT64_C(3600000) /* a clock may have been put right since */

static void find_endpoint(struct session *session, char url[ENDPOINT_URL_SIZE])
{
	struct access *access = session_access(session);
	struct endpoint endpoint;
	struct err ignored = { 0 };
	url[0] = '\0';
	if (access &&
	    setup_endpoint(access_setup(access), SERVICE_PRICING, session_region(session),
			   &endpoint, &ignored) &&
	    !endpoint_is_aws(endpoint.host))
		snprintf(url, ENDPOINT_URL_SIZE, "%s", endpoint.url);
	err_clear(&ignored);
}

bool price_cache_add_path(struct session *session, struct buf *out, struct err *err)
{
	char url[ENDPOINT_URL_SIZE];
	const struct state_place place = { "prices", session_region(session), url };
	const char *of_demo = session_state_home(session);
	find_endpoint(session, url);
	if (!(of_demo ? state_root(of_demo, NULL, out, err)
		      : state_root(setup_env("XDG_STATE_HOME"), setup_env("HOME"), out, err)))
		return false;
	buf_add_char(out, '/');
	state_folder_add_name(out, &place);
	buf_add_text(out, "/prices.json");
	return true;
}

/* --- write --- */

static void add_list(struct buf *out, const struct price_list *list, enum job_kind kind)
{
	buf_addf(out, "%s\"%s\":{\"read_at_ms\":%" PRId64 ",\"rows\":[",
		 kind == JOB_TRAINING ? "" : ",", job_kind_word(kind), list->read_at.ms);
	for (size_t i = 0; i < list->count; i++) {
		buf_addf(out, "%s\n[", i > 0 ? "," : "");
		text_add_json(out, list->rows[i].instance_type);
		buf_addf(out, ",%" PRId64 ",", list->rows[i].per_hour_micro);
		text_add_json(out, list->rows[i].currency);
		buf_add_char(out, ']');
	}
	buf_add_text(out, "]}");
}

void price_cache_write(struct buf *out, const struct price_book *book)
{
	buf_addf(out, "{\"version\":%d,\"region\":", VERSION);
	text_add_json(out, book->region);
	buf_add_text(out, ",\"lists\":{");
	size_t start = out->len;
	for (size_t i = 0; i < JOB_KIND_COUNT; i++) {
		if (!book->lists[i].told)
			continue;
		add_list(out, &book->lists[i], (enum job_kind)i);
		if (i > 0 && out->data[start] == ',') /* it is the only one */
			out->data[start] = ' ';
	}
	buf_add_text(out, "}}\n");
}

/* --- read --- */

void kept_prices_release(struct kept_prices kept[JOB_KIND_COUNT])
{
	for (size_t i = 0; i < JOB_KIND_COUNT; i++) {
		free(kept[i].rows);
		kept[i] = (struct kept_prices){ 0 };
	}
}

static bool take_text(const struct json_value *value, char *out, size_t size)
{
	const char *text = json_as_text(value);
	if (!text || !text[0] || strlen(text) >= size)
		return false;
	snprintf(out, size, "%s", text);
	return true;
}

static bool read_row(const struct json_value *row, struct listed_price *price)
{
	const struct json_value *type = json_first(row);
	const struct json_value *micro = type ? json_next(type) : NULL;
	const struct json_value *currency = micro ? json_next(micro) : NULL;
	*price = (struct listed_price){ 0 };
	return currency && take_text(type, price->instance_type, sizeof(price->instance_type)) &&
	       json_as_integer(micro, &price->per_hour_micro) &&
	       take_text(currency, price->currency, sizeof(price->currency)) &&
	       listed_price_is_valid(price);
}

/* A list that is there must be whole: what a gap would say is another thing. */
static bool read_list(const struct json_value *list, int64_t now_ms, struct kept_prices *kept)
{
	const struct json_value *rows = json_array(list, "rows");
	size_t count = json_length(rows);
	if (!rows || count > PRICE_LIST_MAX ||
	    !json_integer(list, "read_at_ms", &kept->read_at_ms) || kept->read_at_ms < 0 ||
	    kept->read_at_ms > now_ms + AHEAD_MOST)
		return false;
	kept->rows = mem_new(count + 1, sizeof(*kept->rows));
	for (const struct json_value *at = json_first(rows); at; at = json_next(at))
		if (!read_row(at, &kept->rows[kept->count++]))
			return false;
	kept->told = true;
	return true;
}

static bool read_lists(const struct json_value *document, const char *region, int64_t now_ms,
		       struct kept_prices kept[JOB_KIND_COUNT])
{
	const struct json_value *lists = json_object(document, "lists");
	const char *of = json_text(document, "region");
	int64_t version = 0;
	if (!lists || !of || strcmp(of, region) != 0 ||
	    !json_integer(document, "version", &version) || version != VERSION)
		return false;
	for (size_t i = 0; i < JOB_KIND_COUNT; i++) {
		const struct json_value *list = json_member(lists, job_kind_word((enum job_kind)i));
		if (list && !read_list(list, now_ms, &kept[i]))
			return false;
	}
	return true;
}

bool price_cache_read(const char *text, size_t len, const char *region, int64_t now_ms,
		      struct kept_prices kept[JOB_KIND_COUNT], struct err *err)
{
	struct json_value *document = json_parse(text, len, err);
	memset(kept, 0, JOB_KIND_COUNT * sizeof(*kept));
	bool ok = document && read_lists(document, region, now_ms, kept);
	if (!ok) {
		kept_prices_release(kept);
		if (document)
			err_set(err, ERR_PARSE, "is no list of prices of %s", region);
	}
	json_free(document);
	return ok;
}
