#include "aws/sim/prices.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/control.h"
#include "aws/sim/emit.h"
#include "aws/sim/fields.h"
#include "aws/sim/ops.h"
#include "aws/sim/token.h"
#include "aws/sim/validate.h"
#include "model/base/attr.h"
#include "model/base/text.h"

#define SERVICE_CODE   "AmazonSageMaker"
#define FORMAT         "aws_v1"
#define PAGE_MOST      100
#define STAND_IN       "us-east-1"
#define ATTRIBUTES_MAX 16
#define VALUE_SIZE     96
#define ROW_BYTES      4096
#define QUERY_BYTES    (64 * 2048)

/* --- rows --- */

struct attribute {
	const char *name;
	char value[VALUE_SIZE];
};

/* One product with its price, as the service tells it. */
struct row {
	struct attribute attributes[ATTRIBUTES_MAX];
	size_t count;
	char sku[40];
	const char *unit, *currency;
	char usd[32]; /* of the currency */
};

/* What a reader must not take: beside the hour of a few types stand a fee, HyperPod's own hour,
 * spot, and a free one. */
enum variant { HOUR, FEE, CLUSTER, SPOT, FREE, VARIANTS };

static const struct {
	const char *kind;   /* of the usage type; NULL: the component's own */
	const char *plato;  /* platoinstancetype; NULL: the component */
	const char *suffix; /* of instanceType; NULL: the component */
	bool no_component;
	const char *unit;
	int64_t percent; /* of the hour */
} variants[VARIANTS] = {
	[HOUR] = { .unit = "Hrs", .percent = 100 },
	[FEE] = { .kind = "TrainingPlanUpfrontFee",
		  .no_component = true,
		  .unit = "Quantity",
		  .percent = 54 },
	[CLUSTER] = { .kind = "Cluster",
		      .plato = "Cluster",
		      .suffix = "Cluster",
		      .unit = "Hrs",
		      .percent = 103 },
	[SPOT] = { .kind = "TrSpt", .plato = "SpotTraining", .unit = "Hrs", .percent = 30 },
	[FREE] = { .plato = "Free-Training", .unit = "Hrs", .percent = 0 },
};

static bool has_traps(const struct sim_price *price)
{
	static const char *const types[] = { "ml.p4d.24xlarge", "ml.m5.xlarge", "ml.g5.2xlarge" };
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		if (strcmp(price->component, "Training") == 0 &&
		    strcmp(price->instance_type, types[i]) == 0)
			return true;
	}
	return false;
}

static void set(struct row *row, const char *name, const char *value)
{
	struct attribute *attribute = &row->attributes[row->count++];
	attribute->name = name;
	snprintf(attribute->value, sizeof(attribute->value), "%s", value);
}

/* Usage types begin with what the region is called on a bill. */
static const char *bill_prefix(const char *region)
{
	static const struct {
		const char *region, *prefix;
	} prefixes[] = {
		{ "us-east-1", "USE1" },  { "us-east-2", "USE2" },    { "us-west-2", "USW2" },
		{ "eu-west-1", "EU" },    { "eu-central-1", "EUC1" }, { "ap-northeast-1", "APN1" },
		{ "ap-south-1", "APS3" },
	};
	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
		if (strcmp(prefixes[i].region, region) == 0)
			return prefixes[i].prefix;
	}
	return "XX1";
}

static const char *usage_kind(const char *component)
{
	static const struct {
		const char *component, *kind;
	} kinds[] = { { "Training", "Train" }, { "Hosting", "Host" } };
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (strcmp(kinds[i].component, component) == 0)
			return kinds[i].kind;
	}
	return component;
}

/* Nobody has published China's list: there, the figures of us-east-1 stand in, in yuan. */
static bool is_chinese(const struct sim_region *region, const struct sim_price *price)
{
	return strncmp(region->options.region, "cn-", strlen("cn-")) == 0 &&
	       strcmp(price->region, STAND_IN) == 0;
}

static const char *sold_in(const struct sim_region *region, const struct sim_price *price)
{
	return is_chinese(region, price) ? region->options.region : price->region;
}

static const struct sim_price_change *find_change(const struct sim_region *region,
						  const struct sim_price *price)
{
	const struct sim_price_changes *changes = &region->prices;
	for (size_t i = 0; i < changes->count; i++) {
		const struct sim_price_change *change = &changes->rows[i];
		if (strcmp(sold_in(region, price), region->options.region) == 0 &&
		    strcmp(change->instance_type, price->instance_type) == 0 &&
		    strcmp(change->component, price->component) == 0)
			return change;
	}
	return NULL;
}

/* False: it is not sold by the hour. */
static bool set_price(struct row *row, const struct sim_region *region,
		      const struct sim_price *price, enum variant variant)
{
	const struct sim_price_change *change = variant == HOUR ? find_change(region, price) : NULL;
	int64_t micro = price->micro * variants[variant].percent / 100;
	row->unit = variants[variant].unit;
	if (change)
		snprintf(row->usd, sizeof(row->usd), "%s", change->usd);
	else
		snprintf(row->usd, sizeof(row->usd), "%" PRId64 ".%06" PRId64 "0000",
			 micro / 1000000, micro % 1000000);
	return row->usd[0] != '\0';
}

static bool make_row(struct row *row, const struct sim_region *region, size_t at,
		     enum variant variant)
{
	const struct sim_price *price = &sim_prices[at];
	const char *kind = variants[variant].kind, *suffix = variants[variant].suffix;
	char text[VALUE_SIZE];
	row->count = 0;
	if (variant != HOUR && !has_traps(price))
		return false;
	set(row, "servicecode", SERVICE_CODE);
	row->currency = is_chinese(region, price) ? "CNY" : "USD";
	set(row, "regionCode", sold_in(region, price));
	set(row, "instanceName", price->instance_type);
	snprintf(text, sizeof(text), "%s-%s", price->instance_type,
		 suffix ? suffix : price->component);
	set(row, "instanceType", text);
	if (!variants[variant].no_component)
		set(row, "component", price->component);
	set(row, "platoinstancetype",
	    variants[variant].plato ? variants[variant].plato : price->component);
	snprintf(text, sizeof(text), "%s-%s:%s", bill_prefix(sold_in(region, price)),
		 kind ? kind : usage_kind(price->component), price->instance_type);
	set(row, "usagetype", text);
	set(row, "operation", "RunInstance");
	set(row, "locationType", "AWS Region");
	snprintf(row->sku, sizeof(row->sku), "SIM%012zuP%d", at, (int)variant);
	return set_price(row, region, price, variant);
}

static void emit_document(const struct row *row, struct buf *out)
{
	buf_add_text(out, "{\"product\":{");
	sim_emit_text(out, "productFamily", "ML Instance");
	sim_emit_key(out, "attributes");
	buf_add_char(out, '{');
	for (size_t i = 0; i < row->count; i++)
		sim_emit_text(out, row->attributes[i].name, row->attributes[i].value);
	buf_add_char(out, '}');
	sim_emit_text(out, "sku", row->sku);
	buf_add_text(out, "}");
	sim_emit_text(out, "serviceCode", SERVICE_CODE);
	buf_addf(out, ",\"terms\":{\"OnDemand\":{\"%s.JRTCKXETXF\":{\"priceDimensions\":{",
		 row->sku);
	buf_addf(out, "\"%s.JRTCKXETXF.6YS6EN2CT7\":{", row->sku);
	sim_emit_text(out, "unit", row->unit);
	sim_emit_text(out, "endRange", "Inf");
	sim_emit_text(out, "description", "");
	buf_add_text(out, ",\"appliesTo\":[]");
	sim_emit_text(out, "beginRange", "0");
	buf_addf(out, ",\"pricePerUnit\":{\"%s\":\"%s\"}}}", row->currency, row->usd);
	sim_emit_text(out, "sku", row->sku);
	sim_emit_text(out, "effectiveDate", "2026-08-01T00:00:00Z");
	sim_emit_text(out, "offerTermCode", "JRTCKXETXF");
	buf_add_text(out, ",\"termAttributes\":{}}}}");
	sim_emit_text(out, "version", "20260811000000");
	sim_emit_text(out, "publicationDate", "2026-08-11T00:00:00Z");
	buf_add_char(out, '}');
}

/* --- filters --- */

/* One of the words between commas. */
static bool is_among(const char *words, const char *value)
{
	size_t len = strlen(value);
	for (const char *at = words; *at;) {
		size_t word = strcspn(at, ",");
		if (word == len && strncmp(at, value, len) == 0)
			return true;
		at += word + (at[word] == ',');
	}
	return false;
}

static bool holds(const char *type, const char *wanted, const char *value)
{
	if (strcmp(type, "CONTAINS") == 0)
		return value && strstr(value, wanted) != NULL;
	if (strcmp(type, "ANY_OF") == 0)
		return value && is_among(wanted, value);
	if (strcmp(type, "NONE_OF") == 0)
		return !value || !is_among(wanted, value);
	return value && strcmp(value, wanted) == 0;
}

static const char *value_of(const struct row *row, const char *field)
{
	if (strcmp(field, "productFamily") == 0)
		return "ML Instance";
	for (size_t i = 0; i < row->count; i++) {
		if (strcmp(row->attributes[i].name, field) == 0)
			return row->attributes[i].value;
	}
	return NULL;
}

static bool passes(const struct json_doc *doc, size_t filter, const struct row *row)
{
	struct buf type, field, value;
	sim_arg_text(doc, filter, "Type", &type);
	sim_arg_text(doc, filter, "Field", &field);
	sim_arg_text(doc, filter, "Value", &value);
	bool fine = holds(buf_text(&type), buf_text(&value), value_of(row, buf_text(&field)));
	buf_release(&type);
	buf_release(&field);
	buf_release(&value);
	return fine;
}

static bool is_wanted(const struct json_doc *doc, const struct row *row)
{
	size_t filters = sim_arg(doc, 0, "Filters");
	for (size_t at = json_doc_child(doc, filters); at != JSON_NONE; at = json_doc_next(doc, at))
		if (!passes(doc, at, row))
			return false;
	return true;
}

/* --- the operation --- */

static bool is_text(const struct json_doc *doc, const char *name, const char *wanted, bool optional)
{
	struct buf text;
	sim_arg_text(doc, 0, name, &text);
	bool fine = (optional && text.len == 0) || strcmp(buf_text(&text), wanted) == 0;
	buf_release(&text);
	return fine;
}

static uint64_t fingerprint_of(const struct json_doc *doc)
{
	struct buf text;
	size_t filters = sim_arg(doc, 0, "Filters");
	buf_init(&text, QUERY_BYTES);
	if (filters != JSON_NONE)
		(void)buf_add(&text, doc->text + doc->nodes[filters].start,
			      doc->nodes[filters].end - doc->nodes[filters].start);
	uint64_t fingerprint = sim_token_fingerprint(&text);
	buf_release(&text);
	return fingerprint;
}

/* Rows are numbered through; the next one that is wanted from that number on, or their end. */
static uint64_t next_wanted(const struct sim_region *region, const struct json_doc *doc,
			    uint64_t from, struct row *row)
{
	for (; from < (uint64_t)sim_price_count * VARIANTS; from++) {
		if (make_row(row, region, (size_t)(from / VARIANTS),
			     (enum variant)(from % VARIANTS)) &&
		    is_wanted(doc, row))
			break;
	}
	return from;
}

static void emit_item(const struct row *row, struct buf *out)
{
	struct buf document;
	buf_init(&document, ROW_BYTES);
	emit_document(row, &document);
	sim_emit_comma(out);
	text_add_json(out, buf_text(&document));
	buf_release(&document);
}

static bool check_request(const struct json_doc *doc, struct err *err)
{
	if (!is_text(doc, "ServiceCode", SERVICE_CODE, false))
		return sim_refuse(err, 400, "InvalidParameterException",
				  "The service code is invalid.");
	return is_text(doc, "FormatVersion", FORMAT, true) ||
	       sim_refuse(err, 400, "InvalidParameterException",
			  "The format version is invalid: it is " FORMAT ".");
}

bool sim_prices_get_products(struct sim_region *region, const struct sim_call *call,
			     struct err *err)
{
	const struct json_doc *doc = call->doc;
	uint64_t fingerprint = fingerprint_of(doc), from = 0;
	uint64_t end = (uint64_t)sim_price_count * VARIANTS;
	bool found = false;
	struct row row;
	if (!check_request(doc, err))
		return false;
	if (!sim_token_read(doc, fingerprint, &from, 1, &found, err)) {
		snprintf(err->aws_code, sizeof(err->aws_code), "InvalidNextTokenException");
		return false;
	}
	bool given = sim_arg(doc, 0, "MaxResults") != JSON_NONE;
	size_t most = given ? sim_arg_page(doc) : PAGE_MOST;
	buf_add_char(call->out, '{');
	sim_emit_text(call->out, "FormatVersion", FORMAT);
	sim_emit_key(call->out, "PriceList");
	buf_add_char(call->out, '[');
	from = next_wanted(region, doc, found ? from : 0, &row);
	for (size_t i = 0; i < most && from < end && !call->empty_page; i++) {
		emit_item(&row, call->out);
		from = next_wanted(region, doc, from + 1, &row);
	}
	buf_add_char(call->out, ']');
	if (from < end)
		sim_token_emit(call->out, fingerprint, &from, 1);
	buf_add_char(call->out, '}');
	return true;
}

bool sim_prices_is_endpoint(const char *signing_name, const char *region)
{
	static const char *const regions[] = { "us-east-1", "eu-central-1", "ap-south-1",
					       "cn-northwest-1", "us-iso-east-1" };
	for (size_t i = 0; i < ARRAY_LEN(regions); i++) {
		if (signing_name && strcmp(signing_name, "pricing") == 0 &&
		    strcmp(regions[i], region) == 0)
			return true;
	}
	return false;
}

/* --- /_sim/ --- */

static struct sim_price_change *change_of(struct sim_price_changes *changes, const char *type,
					  const char *component)
{
	for (size_t i = 0; i < changes->count; i++) {
		if (strcmp(changes->rows[i].instance_type, type) == 0 &&
		    strcmp(changes->rows[i].component, component) == 0)
			return &changes->rows[i];
	}
	return changes->count < SIM_PRICE_CHANGES_MAX ? &changes->rows[changes->count++] : NULL;
}

bool sim_prices_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			struct err *err)
{
	char kind[32] = "training", type[64] = "", usd[24] = "";
	size_t given = json_doc_member(doc, 0, "usd");
	bool none = given != JSON_NONE && doc->nodes[given].kind == JSON_NULL;
	if (!sim_field_text(doc, "kind", kind, sizeof(kind), err) ||
	    !sim_field_need(doc, "instance_type", err) ||
	    !sim_field_text(doc, "instance_type", type, sizeof(type), err) ||
	    (!none && (!sim_field_need(doc, "usd", err) ||
		       !sim_field_text(doc, "usd", usd, sizeof(usd), err))))
		return false;
	const char *component = strcmp(kind, "training") == 0     ? "Training"
				: strcmp(kind, "processing") == 0 ? "Processing"
								  : NULL;
	if (!component || (!none && !usd[0]))
		return sim_refuse(err, 400, "BadRequest",
				  "kind must be training or processing, and usd a text or null");
	struct sim_price_change *change = change_of(&region->prices, type, component);
	if (!change)
		return sim_refuse(err, 400, "BadRequest", "no more than %d prices can be changed",
				  SIM_PRICE_CHANGES_MAX);
	*change = (struct sim_price_change){ .component = component };
	snprintf(change->instance_type, sizeof(change->instance_type), "%s", type);
	snprintf(change->usd, sizeof(change->usd), "%s", usd);
	return sim_control_done(region, out);
}
