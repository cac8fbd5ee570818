#include "aws/pricing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "aws/amount.h"
#include "aws/json.h"
#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define BODY_MAX  16384u     /* a token has up to 8 KiB */
#define REPLY_MAX (4u << 20) /* a hundred rows of some 3 KiB */
#define ROW_MAX   (256u << 10)
#define TOKEN_MAX 8192

const struct aws_op op_get_products = { .name = "GetProducts",
					.service = SERVICE_PRICING,
					.describe = true,
					.resend = true,
					.timeout_ms = 10000,
					.max_reply = REPLY_MAX };
const struct aws_op *const pricing_ops[] = { &op_get_products, NULL };

/* What the service calls a kind: the attribute component, and the middle of a usage type. */
static const struct kind_words {
	const char *component, *usage;
} kinds[JOB_KIND_COUNT] = {
	[JOB_TRAINING] = { "Training", "Train" },
	[JOB_PROCESSING] = { "Processing", "Processing" },
};

void price_page_release(struct price_page *page)
{
	free(page->rows);
	free(page->next_token);
	*page = (struct price_page){ 0 };
}

/* --- which rows are prices of a job --- */

/* The attribute is that, or is not told. */
static bool is_or_untold(const struct json_value *attributes, const char *name, const char *wanted)
{
	const char *value = json_text(attributes, name);
	return !value || !value[0] || strcmp(value, wanted) == 0;
}

static bool is(const struct json_value *attributes, const char *name, const char *wanted)
{
	const char *value = json_text(attributes, name);
	return value && strcmp(value, wanted) == 0;
}

/* "USE1-Train:ml.m5.large": behind the region's prefix, which is not told everywhere, the kind, and
 * then the type. Spot (TrSpt), HyperPod (Cluster) and fees (TrainingPlanUpfrontFee) have others. */
static bool is_usage(const char *usage, const char *kind, const char *type)
{
	const char *colon = strchr(usage, ':'), *word = colon;
	while (word && word > usage && word[-1] != '-')
		word--;
	return colon && (size_t)(colon - word) == strlen(kind) &&
	       strncmp(word, kind, strlen(kind)) == 0 && strcmp(colon + 1, type) == 0;
}

/* "ml.m5.xlarge-Training", in any case, or without the component behind it. */
static bool is_type_of(const char *text, const char *type, const char *component)
{
	size_t len = strlen(type);
	if (strncmp(text, type, len) != 0)
		return false;
	return text[len] == '\0' ||
	       (text[len] == '-' && strcasecmp(text + len + 1, component) == 0);
}

/* The type that a row is about; NULL where it is not one that a job of the kind is billed by. */
static const char *billed_type(const struct json_value *product, const char *region,
			       const struct kind_words *kind)
{
	const struct json_value *attributes = json_object(product, "attributes");
	const char *type = json_text(attributes, "instanceName");
	const char *suffixed = json_text(attributes, "instanceType");
	const char *usage = json_text(attributes, "usagetype");
	bool ok = type && strlen(type) < TYPE_NAME_SIZE && is(attributes, "regionCode", region) &&
		  is(attributes, "component", kind->component) &&
		  is_or_untold(attributes, "servicecode", "AmazonSageMaker") &&
		  is_or_untold(attributes, "platoinstancetype", kind->component) &&
		  is_or_untold(attributes, "operation", "RunInstance") &&
		  is_or_untold(product, "productFamily", "ML Instance") &&
		  (!suffixed || is_type_of(suffixed, type, kind->component)) &&
		  (!usage || is_usage(usage, kind->usage, type));
	return ok ? type : NULL;
}

/* --- what it costs --- */

/* In dollars, or else in yuan; unset for none and for 0. */
static struct money amount_of(const struct json_value *dimension,
			      char currency[PRICE_CURRENCY_SIZE])
{
	static const char *const currencies[] = { "USD", "CNY" };
	const struct json_value *prices = json_object(dimension, "pricePerUnit");
	for (size_t i = 0; i < ARRAY_LEN(currencies); i++) {
		struct money money = amount_read(json_text(prices, currencies[i]));
		snprintf(currency, PRICE_CURRENCY_SIZE, "%s", currencies[i]);
		if (money.set && money.micro > 0)
			return money;
	}
	return (struct money){ 0 };
}

/* The price of an hour in one term: the only one, from the first hour on. Steps by use, which an
 * instance does not have, are not understood. */
static struct money hourly(const struct json_value *term, char currency[PRICE_CURRENCY_SIZE])
{
	const struct json_value *dimensions = json_object(term, "priceDimensions");
	const struct json_value *only = json_first(dimensions);
	if (!only || json_next(only) || !is(only, "unit", "Hrs") ||
	    !is_or_untold(only, "beginRange", "0") || !is_or_untold(only, "endRange", "Inf"))
		return (struct money){ 0 };
	return amount_of(only, currency);
}

/* Of several terms the newest holds; those from the future are not in a list of today. */
static struct money on_demand(const struct json_value *row, char currency[PRICE_CURRENCY_SIZE])
{
	const struct json_value *terms = json_object(json_object(row, "terms"), "OnDemand");
	const struct json_value *newest = json_first(terms);
	struct opt_ms since = json_time(newest, "effectiveDate");
	for (const struct json_value *at = newest ? json_next(newest) : NULL; at;
	     at = json_next(at)) {
		struct opt_ms date = json_time(at, "effectiveDate");
		if (date.set && (!since.set || date.ms > since.ms)) {
			newest = at;
			since = date;
		}
	}
	return hourly(newest, currency);
}

static void add_row(struct price_page *page, const struct json_value *row, const char *region,
		    enum job_kind kind)
{
	struct listed_price price = { 0 };
	const char *type = billed_type(json_object(row, "product"), region, &kinds[kind]);
	if (!type || !is_or_untold(row, "serviceCode", "AmazonSageMaker"))
		return;
	price.per_hour_micro = on_demand(row, price.currency).micro;
	snprintf(price.instance_type, sizeof(price.instance_type), "%s", type);
	if (!listed_price_is_valid(&price))
		return;
	page->rows = mem_grow(page->rows, &page->capacity, page->count + 1, sizeof(*page->rows));
	page->rows[page->count++] = price;
}

/* --- a page --- */

static bool not_a_page(struct err *err, const char *why)
{
	err_set(err, ERR_PARSE, "%s", why);
	err->hint = HINT_RETRY_LATER;
	return false;
}

/* Each row is a document of its own inside a string. */
static bool add_document(struct price_page *page, const struct json_value *item, const char *region,
			 enum job_kind kind, struct err *err)
{
	const char *text = json_as_text(item);
	size_t len = text ? strlen(text) : 0;
	struct err why = { 0 };
	if (!text || len > ROW_MAX)
		return not_a_page(err, "a row of PriceList is no text, or too long");
	struct json_value *row = json_parse(text, len, &why);
	err_clear(&why);
	if (json_type(row) != JSON_TYPE_OBJECT) {
		json_free(row);
		return not_a_page(err, "a row of PriceList is no JSON object");
	}
	add_row(page, row, region, kind);
	json_free(row);
	return true;
}

static bool add_documents(struct price_page *page, const struct json_value *document,
			  const char *region, enum job_kind kind, struct err *err)
{
	const struct json_value *list = json_array(document, "PriceList");
	const char *token = json_text(document, "NextToken");
	if (!list || json_length(list) > PRICING_PAGE_MAX)
		return not_a_page(err, "PriceList is no list of a page's length");
	if (token && strlen(token) > TOKEN_MAX)
		return not_a_page(err, "NextToken is too long");
	for (const struct json_value *at = json_first(list); at; at = json_next(at))
		if (!add_document(page, at, region, kind, err))
			return false;
	page->next_token = token && token[0] ? mem_copy_text(token) : NULL;
	return true;
}

bool pricing_decode_page(const char *body, size_t len, const char *region, enum job_kind kind,
			 struct price_page *page, struct err *err)
{
	struct json_value *document = json_parse(body, len, err);
	*page = (struct price_page){ 0 };
	bool ok = document && add_documents(page, document, region, kind, err);
	json_free(document);
	if (!ok)
		price_page_release(page);
	return ok;
}

/* --- the call --- */

struct pricing_call {
	struct aws_client *client;
	char region[PRICE_BOOK_REGION_SIZE];
	enum job_kind kind;
	price_page_fn *done;
	void *ctx;
};

static void answered(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct pricing_call *call = ctx;
	struct price_page page = { 0 };
	struct err bad = { 0 };
	if (err) {
		call->done(call->ctx, NULL, err);
	} else if (pricing_decode_page(reply->body, reply->body_len, call->region, call->kind,
				       &page, &bad)) {
		call->done(call->ctx, &page, NULL);
	} else {
		err_subject(&bad, "%s in %s", op_get_products.name,
			    aws_client_region(call->client));
		call->done(call->ctx, NULL, &bad);
	}
	price_page_release(&page);
	err_clear(&bad);
	free(call);
}

static void add_filter(struct buf *body, const char *field, const char *value)
{
	buf_addf(body, "{\"Type\":\"TERM_MATCH\",\"Field\":\"%s\",\"Value\":", field);
	text_add_json(body, value);
	buf_add_char(body, '}');
}

uint64_t pricing_get_products(struct aws_client *client, const char *region, enum job_kind kind,
			      const char *token, price_page_fn *done, void *ctx)
{
	struct pricing_call *call = mem_new(1, sizeof(*call));
	struct buf body;
	*call = (struct pricing_call){ .client = client, .kind = kind, .done = done, .ctx = ctx };
	snprintf(call->region, sizeof(call->region), "%s", region);
	buf_init(&body, BODY_MAX);
	buf_add_text(&body, "{\"ServiceCode\":\"AmazonSageMaker\",\"Filters\":[");
	add_filter(&body, "regionCode", region);
	buf_add_char(&body, ',');
	add_filter(&body, "component", kinds[kind].component);
	buf_addf(&body, "],\"FormatVersion\":\"aws_v1\",\"MaxResults\":%d", PRICING_PAGE_MAX);
	if (token) {
		buf_add_text(&body, ",\"NextToken\":");
		text_add_json(&body, token);
	}
	buf_add_char(&body, '}');
	uint64_t id = aws_client_call(client, &op_get_products, buf_text(&body), answered, call);
	aws_client_on_drop(client, id, free);
	buf_release(&body);
	return id;
}
