/* Instance types with their hardware and prices, and prices alone: table, json, jsonl, csv. */
#include <stdio.h>
#include <string.h>

#include "model/price.h"
#include "views/text/columns.h"
#include "views/text/report_parts.h"

#define CELL_SIZE 48

static struct money rate_of(const struct price *price)
{
	return (struct money){ .set = price->source != PRICE_NONE, .micro = price->per_hour_micro };
}

static const char *text_or_null(const char *text)
{
	return text && text[0] ? text : NULL;
}

/* The service's word for a kind, as its price list has it. */
static const char *component(enum job_kind kind)
{
	return kind == JOB_TRAINING ? "Training" : "Processing";
}

/* To the last digit: prices are compared. */
static void add_rate(struct columns *columns, const struct price *price)
{
	struct buf text;
	buf_init(&text, PLAIN_MAX);
	(void)buf_add_text(&text, price_is_approximate(price->source) ? "~" : "");
	if (price->currency && strcmp(price->currency, "USD") != 0)
		(void)buf_addf(&text, "%s ", price->currency);
	else
		(void)buf_add_char(&text, '$');
	report_add_amount(&text, price->per_hour_micro);
	columns_add(columns, price->source == PRICE_NONE ? "no price" : buf_text(&text));
	buf_release(&text);
}

/* --- types --- */

/* "?" where a figure that there must be is not published. */
static void add_figure(struct columns *columns, bool there, unsigned figure, const char *unit)
{
	char text[CELL_SIZE];
	snprintf(text, sizeof(text), "%u%s", figure, unit);
	columns_add(columns, !there ? NULL : figure == 0 ? "?" : text);
}

static void add_accelerators(struct columns *columns, const struct instance_type *type)
{
	char text[CELL_SIZE];
	bool there = type->accelerators > 0;
	unsigned each = type->memory_gib_each;
	snprintf(text, sizeof(text), "%ux%s", type->accelerators, type->accelerator);
	columns_add(columns, there ? text : NULL);
	add_figure(columns, there, each, "G");
	add_figure(columns, there, each * type->accelerators, "G");
	columns_add(columns, there ? text_or_null(type->arch) : NULL);
	columns_add(columns, type->cuda);
}

/* 3.75 GiB, 2048 GiB. */
static void add_memory(struct columns *columns, unsigned mib)
{
	char text[CELL_SIZE];
	snprintf(text, sizeof(text), "%g GiB", mib / 1024.0);
	columns_add(columns, text);
}

static void add_network(struct columns *columns, unsigned mbps)
{
	char text[CELL_SIZE];
	snprintf(text, sizeof(text), "%g Gb", mbps / 1000.0);
	columns_add(columns, mbps > 0 ? text : "?");
}

/* Of a job of the kind that the type is for; training first. */
static struct price first_price(const struct report_context *context,
				const struct instance_type *type)
{
	return price_find(context->prices, type->training ? JOB_TRAINING : JOB_PROCESSING,
			  type->name);
}

static void write_types_table(struct buf *out, const struct report_context *context,
			      const struct instance_type *const *types, size_t count)
{
	static const char *const titles[] = { "TYPE", "FOR",  "ACCELERATORS", "EACH",   "ALL",
					      "ARCH", "CUDA", "VCPU",         "MEMORY", "NETWORK",
					      "EFA",  "DISK", "PER-HOUR" };
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .ascii = context->ascii,
				   .most = context->columns };
	for (size_t i = 0; i < count; i++) {
		const struct instance_type *type = types[i];
		struct price price = first_price(context, type);
		columns_add(&columns, type->name);
		columns_add(&columns, catalog_uses(type));
		add_accelerators(&columns, type);
		add_figure(&columns, true, type->vcpus, "");
		add_memory(&columns, type->memory_mib);
		add_network(&columns, type->network_mbps);
		columns_add(&columns, type->efa ? "yes" : NULL);
		add_figure(&columns, type->local_nvme_gb > 0, type->local_nvme_gb, " GB");
		add_rate(&columns, &price);
	}
	columns_write(&columns, out);
	columns_release(&columns);
}

static void add_flag(struct buf *out, const char *name, bool value)
{
	report_add_json_name(out, name);
	(void)buf_add_text(out, value ? "true" : "false");
}

/* A number in thousandths. */
static void add_thousandths(struct buf *out, const char *name, bool known, int64_t thousandths)
{
	report_add_json_name(out, name);
	if (known)
		report_add_amount(out, thousandths * 1000);
	else
		(void)buf_add_text(out, "null");
}

static void add_price_members(struct buf *out, const struct price *price)
{
	report_add_json_money(out, "per_hour", rate_of(price));
	report_add_json_string(out, "currency", price->currency);
	report_add_json_string(out, "source", price_source_word(price->source));
	report_add_json_string(out, "date", text_or_null(price->date));
}

static void add_type_prices(struct buf *out, const struct report_context *context,
			    const struct instance_type *type)
{
	bool first = true;
	report_add_json_name(out, "prices");
	(void)buf_add_char(out, '[');
	for (int kind = JOB_TRAINING; kind <= JOB_PROCESSING; kind++) {
		if (!catalog_allows(type->name, (enum job_kind)kind))
			continue;
		struct price price = price_find(context->prices, (enum job_kind)kind, type->name);
		(void)buf_add_text(out, first ? "{" : ",{");
		report_add_json_string(out, "component", component((enum job_kind)kind));
		add_price_members(out, &price);
		(void)buf_add_char(out, '}');
		first = false;
	}
	(void)buf_add_char(out, ']');
}

static void add_type(struct buf *out, const struct report_context *context,
		     const struct instance_type *type)
{
	bool there = type->accelerators > 0, sized = there && type->memory_gib_each > 0;
	(void)buf_add_char(out, '{');
	report_add_json_string(out, "instance_type", type->name);
	report_add_json_string(out, "family", type->family);
	add_flag(out, "training", type->training);
	add_flag(out, "processing", type->processing);
	add_flag(out, "endpoint", type->endpoint);
	report_add_json_integer(out, "accelerators", true, type->accelerators);
	report_add_json_string(out, "accelerator", text_or_null(type->accelerator));
	report_add_json_integer(out, "accelerator_memory_gib", sized, type->memory_gib_each);
	report_add_json_integer(out, "accelerator_memory_total_gib", sized,
				(int64_t)type->memory_gib_each * type->accelerators);
	report_add_json_string(out, "architecture", there ? text_or_null(type->arch) : NULL);
	report_add_json_string(out, "cuda_capability", type->cuda);
	report_add_json_string(out, "host", type->arm ? "arm64" : "x86_64");
	report_add_json_integer(out, "vcpus", type->vcpus > 0, type->vcpus);
	report_add_json_integer(out, "memory_mib", type->memory_mib > 0, type->memory_mib);
	add_thousandths(out, "network_gbps", type->network_mbps > 0, type->network_mbps);
	add_flag(out, "efa", type->efa);
	report_add_json_integer(out, "local_disk_gb", true, type->local_nvme_gb);
	add_type_prices(out, context, type);
	(void)buf_add_char(out, '}');
}

static void write_types_json(struct buf *out, const struct report_context *context,
			     const struct instance_type *const *types, size_t count)
{
	bool lines = context->format == REPORT_JSONL;
	(void)buf_add_text(out, lines ? "" : "[");
	for (size_t i = 0; i < count; i++) {
		(void)buf_add_text(out, i > 0 && !lines ? ",\n " : "");
		add_type(out, context, types[i]);
		(void)buf_add_text(out, lines ? "\n" : "");
	}
	(void)buf_add_text(out, lines ? "" : "]\n");
}

static void write_types_csv(struct buf *out, const struct report_context *context,
			    const struct instance_type *const *types, size_t count)
{
	(void)buf_add_text(out, "instance_type,family,uses,accelerators,accelerator,"
				"accelerator_memory_gib,architecture,cuda_capability,vcpus,"
				"memory_mib,network_mbps,efa,local_disk_gb,per_hour,currency,"
				"source,date\n");
	for (size_t i = 0; i < count; i++) {
		const struct instance_type *type = types[i];
		struct price price = first_price(context, type);
		report_add_csv_text(out, type->name);
		report_add_csv_text(out, type->family);
		report_add_csv_text(out, catalog_uses(type));
		report_add_csv_integer(out, true, type->accelerators);
		report_add_csv_text(out, type->accelerator);
		report_add_csv_integer(out, type->memory_gib_each > 0, type->memory_gib_each);
		report_add_csv_text(out, type->accelerators > 0 ? type->arch : NULL);
		report_add_csv_text(out, type->cuda);
		report_add_csv_integer(out, type->vcpus > 0, type->vcpus);
		report_add_csv_integer(out, type->memory_mib > 0, type->memory_mib);
		report_add_csv_integer(out, type->network_mbps > 0, type->network_mbps);
		report_add_csv_text(out, type->efa ? "true" : "false");
		report_add_csv_integer(out, true, type->local_nvme_gb);
		report_add_csv_money(out, rate_of(&price));
		report_add_csv_text(out, price.currency);
		report_add_csv_text(out, price_source_word(price.source));
		report_add_csv_text(out, price.date);
		(void)buf_add_char(out, '\n');
	}
}

void report_types(struct buf *out, const struct report_context *context,
		  const struct instance_type *const *types, size_t count)
{
	switch (context->format) {
	case REPORT_TABLE:
		write_types_table(out, context, types, count);
		break;
	case REPORT_JSON:
	case REPORT_JSONL:
		write_types_json(out, context, types, count);
		break;
	case REPORT_CSV:
		write_types_csv(out, context, types, count);
		break;
	}
}

/* --- prices --- */

static void write_prices_table(struct buf *out, const struct report_context *context,
			       const struct report_price *rows, size_t count)
{
	static const char *const titles[] = { "TYPE", "COMPONENT", "PER-HOUR", "SOURCE", "DATE" };
	struct columns columns = { .width = ARRAY_LEN(titles),
				   .titles = titles,
				   .ascii = context->ascii };
	for (size_t i = 0; i < count; i++) {
		struct price price =
			price_find(context->prices, rows[i].kind, rows[i].instance_type);
		columns_add(&columns, rows[i].instance_type);
		columns_add(&columns, component(rows[i].kind));
		add_rate(&columns, &price);
		columns_add(&columns, price_source_word(price.source));
		columns_add(&columns, text_or_null(price.date));
	}
	columns_write(&columns, out);
	columns_release(&columns);
}

static void write_prices_json(struct buf *out, const struct report_context *context,
			      const struct report_price *rows, size_t count)
{
	bool lines = context->format == REPORT_JSONL;
	(void)buf_add_text(out, lines ? "" : "[");
	for (size_t i = 0; i < count; i++) {
		struct price price =
			price_find(context->prices, rows[i].kind, rows[i].instance_type);
		(void)buf_add_text(out, i > 0 && !lines ? ",\n {" : "{");
		report_add_json_string(out, "region", text_or_null(context->region));
		report_add_json_string(out, "component", component(rows[i].kind));
		report_add_json_string(out, "instance_type", rows[i].instance_type);
		add_price_members(out, &price);
		(void)buf_add_text(out, lines ? "}\n" : "}");
	}
	(void)buf_add_text(out, lines ? "" : "]\n");
}

static void write_prices_csv(struct buf *out, const struct report_context *context,
			     const struct report_price *rows, size_t count)
{
	(void)buf_add_text(out, "region,component,instance_type,per_hour,currency,source,date\n");
	for (size_t i = 0; i < count; i++) {
		struct price price =
			price_find(context->prices, rows[i].kind, rows[i].instance_type);
		report_add_csv_text(out, context->region);
		report_add_csv_text(out, component(rows[i].kind));
		report_add_csv_text(out, rows[i].instance_type);
		report_add_csv_money(out, rate_of(&price));
		report_add_csv_text(out, price.currency);
		report_add_csv_text(out, price_source_word(price.source));
		report_add_csv_text(out, price.date);
		(void)buf_add_char(out, '\n');
	}
}

void report_prices(struct buf *out, const struct report_context *context,
		   const struct report_price *rows, size_t count)
{
	switch (context->format) {
	case REPORT_TABLE:
		write_prices_table(out, context, rows, count);
		break;
	case REPORT_JSON:
	case REPORT_JSONL:
		write_prices_json(out, context, rows, count);
		break;
	case REPORT_CSV:
		write_prices_csv(out, context, rows, count);
		break;
	}
}
