/* The instance types with their hardware and price, and under the table the one at the cursor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/store_prices.h"
#include "model/type_match.h"
#include "tui/table.h"
#include "views/pane.h"
#include "views/text/report.h"
#include "views/words.h"
#include "views/writing.h"

#define WORDS_SIZE   64
#define DETAIL_LINES 4
#define WIDE_COLUMNS 104
#define ROWS_MOST    4096

struct types {
	struct ui *ui;
	char words[WORDS_SIZE];             /* the filter; "" = all */
	const struct instance_type **items; /* owned array of the catalog's rows */
	size_t count;
	struct table *table; /* owned; drawing writes it through a const state */
};

/* --- rows --- */

static const struct instance_type *type_at(const void *rows, size_t row)
{
	return ((const struct types *)rows)->items[row];
}

static const char *id_of_row(const void *rows, size_t row)
{
	return type_at(rows, row)->name;
}

static void refresh_types(void *state)
{
	struct types *types = state;
	size_t all;
	const struct instance_type *rows = catalog_all(&all);
	types->count = 0;
	for (size_t i = 0; i < all; i++)
		if (type_holds(&rows[i], types->words))
			types->items[types->count++] = &rows[i];
	table_settle(types->table, types->count, types, id_of_row);
}

/* --- cells --- */

static struct price price_of(const void *rows, const struct instance_type *type, enum job_kind kind)
{
	const struct types *types = rows;
	return price_find(&types->ui->env->store->prices, kind, type->name);
}

static void add_price(struct buf *out, const struct price *price)
{
	if (price->source == PRICE_NONE) {
		buf_add_text(out, "no price");
		return;
	}
	words_money(out, price->per_hour_micro, price->currency,
		    price_is_approximate(price->source));
	buf_add_text(out, "/h");
}

/* A figure that is not published is unknown; one of what is not there is none. */
static void add_figure(struct buf *out, bool there, unsigned figure, const char *unit)
{
	if (!there)
		buf_add_char(out, '-');
	else if (figure == 0)
		buf_add_char(out, '?');
	else
		buf_addf(out, "%u%s", figure, unit);
}

static void format_type(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	buf_add_text(out, type_at(rows, row)->name);
}

static void format_hardware(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct instance_type *type = type_at(rows, row);
	*style = type->accelerators > 0 ? STYLE_TEXT : STYLE_DIM;
	if (type->accelerators > 0)
		buf_addf(out, "%u×%s", type->accelerators, type->accelerator);
	else
		buf_add_char(out, '-');
}

static void format_each(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct instance_type *type = type_at(rows, row);
	(void)style;
	add_figure(out, type->accelerators > 0, type->memory_gib_each, "G");
}

static void format_all(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct instance_type *type = type_at(rows, row);
	(void)style;
	add_figure(out, type->accelerators > 0, type->memory_gib_each * type->accelerators, "G");
}

static void format_arch(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct instance_type *type = type_at(rows, row);
	(void)style;
	buf_add_text(out, type->accelerators > 0 && type->arch[0] ? type->arch : "-");
}

static void format_cuda(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const char *cuda = type_at(rows, row)->cuda;
	(void)style;
	buf_add_text(out, cuda ? cuda : "-");
}

static void format_vcpus(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	add_figure(out, true, type_at(rows, row)->vcpus, "");
}

static void format_memory(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	buf_addf(out, "%gG", type_at(rows, row)->memory_mib / 1024.0);
}

static void format_network(const void *rows, size_t row, struct buf *out, enum style *style)
{
	unsigned mbps = type_at(rows, row)->network_mbps;
	(void)style;
	if (mbps > 0)
		buf_addf(out, "%gGb", mbps / 1000.0);
	else
		buf_add_char(out, '?');
}

static void format_efa(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	buf_add_text(out, type_at(rows, row)->efa ? "yes" : "-");
}

static void format_disk(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct instance_type *type = type_at(rows, row);
	(void)style;
	add_figure(out, type->local_nvme_gb > 0, type->local_nvme_gb, "GB");
}

static void format_price(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct instance_type *type = type_at(rows, row);
	struct price price = price_of(rows, type, type->training ? JOB_TRAINING : JOB_PROCESSING);
	*style = price.source == PRICE_NONE ? STYLE_DIM : STYLE_MONEY;
	add_price(out, &price);
}

static const struct column wide[] = {
	{ .id = "type", .title = "TYPE", .minimum = 20, .weight = 1, .format = format_type },
	{ .id = "hardware", .title = "ACCELERATORS", .minimum = 14, .format = format_hardware },
	{ .id = "each", .title = "EACH", .minimum = 5, .right = true, .format = format_each },
	{ .id = "all", .title = "ALL", .minimum = 6, .right = true, .format = format_all },
	{ .id = "arch", .title = "ARCH", .minimum = 12, .format = format_arch },
	{ .id = "cuda", .title = "CUDA", .minimum = 4, .format = format_cuda },
	{ .id = "vcpu", .title = "VCPU", .minimum = 4, .right = true, .format = format_vcpus },
	{ .id = "memory", .title = "MEMORY", .minimum = 6, .right = true, .format = format_memory },
	{ .id = "net", .title = "NET", .minimum = 7, .right = true, .format = format_network },
	{ .id = "efa", .title = "EFA", .minimum = 3, .format = format_efa },
	{ .id = "disk", .title = "DISK", .minimum = 7, .right = true, .format = format_disk },
	{ .id = "price", .title = "PRICE", .minimum = 10, .right = true, .format = format_price },
};

/* What the narrow table leaves out stands below it. */
static const struct column narrow[] = {
	{ .id = "type", .title = "TYPE", .minimum = 20, .weight = 1, .format = format_type },
	{ .id = "hardware", .title = "ACCELERATORS", .minimum = 14, .format = format_hardware },
	{ .id = "all", .title = "ALL", .minimum = 6, .right = true, .format = format_all },
	{ .id = "price", .title = "PRICE", .minimum = 10, .right = true, .format = format_price },
};

/* --- life --- */

static void open_types(void *state, struct ui *ui, const void *argument)
{
	struct types *types = state;
	const char *here = argument;
	size_t all;
	(void)catalog_all(&all);
	types->ui = ui;
	types->items = mem_new(all, sizeof(const struct instance_type *));
	types->table = mem_new(1, sizeof(*types->table));
	types->table->columns = narrow;
	types->table->column_count = ARRAY_LEN(narrow);
	refresh_types(types);
	for (size_t i = 0; here && i < types->count; i++)
		if (strcmp(types->items[i]->name, here) == 0)
			table_move(types->table, (long)i, types->count, types, id_of_row);
}

static void close_types(void *state)
{
	struct types *types = state;
	table_release(types->table);
	free(types->table);
	free(types->items);
}

/* --- keys --- */

static void move(struct types *types, long by)
{
	table_move(types->table, by, types->count, types, id_of_row);
}

static void go_down(void *state)
{
	move(state, 1);
}

static void go_up(void *state)
{
	move(state, -1);
}

static void page_down(void *state)
{
	move(state, 10);
}

static void page_up(void *state)
{
	move(state, -10);
}

static void go_first(void *state)
{
	move(state, -ROWS_MOST);
}

static void go_last(void *state)
{
	move(state, ROWS_MOST);
}

static void take_words(void *ctx, const char *text)
{
	struct types *types = ctx;
	snprintf(types->words, sizeof(types->words), "%s", text);
	refresh_types(types);
}

static void ask_words(void *state)
{
	struct types *types = state;
	const struct line_argument argument = { .label = "types: ",
						.initial = types->words,
						.help = "name, accelerator or architecture",
						.taken = take_words,
						.ctx = types };
	types->ui->push(types->ui, &line_pane, &argument);
}

static void ask_again(void *state)
{
	const struct types *types = state;
	const struct cloud_intents *cloud = &types->ui->env->cloud;
	cloud->refresh(cloud->host);
}

static void leave(void *state)
{
	struct types *types = state;
	types->ui->pop(types->ui);
}

static void write_view(void *state)
{
	writing_begin(((struct types *)state)->ui);
}

static const struct key_binding bindings[] = {
	{ .keys = "q Esc C-c C-g",
	  .action = "types-close",
	  .help = "close",
	  .brief = "close",
	  .flags = KEY_FOOTER,
	  .run = leave },
	{ .keys = "j Down",
	  .action = "types-next",
	  .help = "the type below",
	  .brief = "next",
	  .flags = KEY_FOOTER,
	  .run = go_down },
	{ .keys = "k Up",
	  .action = "types-previous",
	  .help = "the type above",
	  .brief = "previous",
	  .flags = KEY_FOOTER,
	  .run = go_up },
	{ .keys = "PgDn C-d Space",
	  .action = "types-down",
	  .help = "ten types down",
	  .run = page_down },
	{ .keys = "PgUp C-u", .action = "types-up", .help = "ten types up", .run = page_up },
	{ .keys = "g Home", .action = "types-first", .help = "the first type", .run = go_first },
	{ .keys = "G End", .action = "types-last", .help = "the last type", .run = go_last },
	{ .keys = "f F4 \\",
	  .action = "types-filter",
	  .help = "only types that hold these words",
	  .brief = "filter",
	  .flags = KEY_FOOTER,
	  .run = ask_words },
	{ .keys = "r F5",
	  .action = "types-refresh",
	  .help = "ask AWS for what could not be read",
	  .brief = "refresh",
	  .flags = KEY_FOOTER,
	  .run = ask_again },
	{ .keys = "W",
	  .action = "types-write",
	  .help = "write them to a file: csv, json, jsonl, md, txt",
	  .brief = "write",
	  .run = write_view },
	{ 0 },
};

const struct key_scope types_scope = { .name = "Types", .bindings = bindings };

/* --- the one at the cursor --- */

static void add_accelerators(struct buf *out, const struct instance_type *type)
{
	buf_addf(out, "%s: for %s; ", type->name, catalog_uses(type));
	if (type->accelerators == 0) {
		buf_add_text(out, "no accelerator");
		return;
	}
	buf_addf(out, "%u×%s ", type->accelerators, type->accelerator);
	add_figure(out, true, type->memory_gib_each, " GiB each, ");
	add_figure(out, true, type->memory_gib_each * type->accelerators, " GiB in all, ");
	buf_addf(out, "%s, CUDA %s", type->arch, type->cuda ? type->cuda : "none");
}

static void add_host(struct buf *out, const struct instance_type *type)
{
	buf_addf(out, "%u vCPU %s, %g GiB, network ", type->vcpus, type->arm ? "arm64" : "x86-64",
		 type->memory_mib / 1024.0);
	if (type->network_mbps > 0)
		buf_addf(out, "%g Gb/s", type->network_mbps / 1000.0);
	else
		buf_add_text(out, "not published");
	buf_add_text(out, type->efa ? ", EFA, " : ", no EFA, ");
	if (type->local_nvme_gb > 0)
		buf_addf(out, "%u GB local disk", type->local_nvme_gb);
	else
		buf_add_text(out, "no local disk");
}

static void add_kind_price(struct buf *out, const struct types *types,
			   const struct instance_type *type, enum job_kind kind)
{
	struct price price = price_of(types, type, kind);
	const char *word = price_source_word(price.source);
	buf_addf(out, "%s%s ", out->len > 0 ? "; " : "", job_kind_word(kind));
	add_price(out, &price);
	if (word)
		buf_addf(out, " (%s%s%s)", word, price.date[0] ? " of " : "", price.date);
}

/* Why prices are not of today's list; nothing where they are. */
static void add_trouble(struct buf *out, const struct types *types)
{
	const struct store *store = types->ui->env->store;
	struct fresh fresh =
		store_prices_fresh(store, JOB_TRAINING, clock_mono_ms(types->ui->env->clock));
	if (fresh.error) {
		buf_add_text(out, "price list not read: ");
		words_reason(out, fresh.error);
		buf_add_text(out, fresh.has_retry ? ", " : "");
		words_retry(out, &fresh);
	} else if (fresh.state == FRESH_LOADING) {
		buf_add_text(out, "the price list of AWS is being read");
	} else if (store->prices.lists[JOB_TRAINING].count == 0) {
		buf_addf(out, "AWS's price list has no prices in %s", store->prices.region);
	}
}

static void draw_detail(const struct types *types, struct surface *out, struct rect at,
			const struct instance_type *type)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	add_accelerators(&text, type);
	draw_text(out, layout_row(at, 0), STYLE_TITLE, buf_text(&text));
	buf_clear(&text);
	add_host(&text, type);
	draw_text(out, layout_row(at, 1), STYLE_TEXT, buf_text(&text));
	buf_clear(&text);
	for (int kind = JOB_TRAINING; kind <= JOB_PROCESSING; kind++)
		if (catalog_allows(type->name, (enum job_kind)kind))
			add_kind_price(&text, types, type, (enum job_kind)kind);
	draw_text(out, layout_row(at, 2), STYLE_MONEY, buf_text(&text));
	buf_clear(&text);
	add_trouble(&text, types);
	draw_text(out, layout_row(at, 3), STYLE_WARNING, buf_text(&text));
	buf_release(&text);
}

/* --- picture --- */

static struct rect inside(struct rect at)
{
	return (struct rect){ at.x + 1, at.y + 1, at.w - 2, at.h - 2 };
}

static struct rect table_place(struct rect at)
{
	int below = at.h > 2 * DETAIL_LINES ? DETAIL_LINES + 1 : 0;
	return (struct rect){ at.x, at.y, at.w, at.h - below };
}

static void draw_types(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct types *types = state;
	struct rect inner = inside(at);
	bool is_wide = inner.w >= WIDE_COLUMNS;
	draw_clear(out, at);
	types->table->columns = is_wide ? wide : narrow;
	types->table->column_count = is_wide ? ARRAY_LEN(wide) : ARRAY_LEN(narrow);
	if (inner.w > 0 && inner.h > 0 && types->count == 0) {
		draw_wrapped(out, inner, STYLE_DIM, "No type holds these words. f changes them.");
	} else if (inner.w > 0 && inner.h > 0) {
		struct rect above = table_place(inner);
		struct rect below = { inner.x, above.y + above.h + 1, inner.w, DETAIL_LINES };
		table_draw(types->table, out, above, types, types->count);
		if (above.h < inner.h)
			draw_detail(types, out, below, types->items[types->table->cursor]);
	}
	draw_frame(out, at, "Types and prices", types->words, focused);
}

static bool mouse_on_types(void *state, struct rect at, const struct mouse *mouse)
{
	struct types *types = state;
	size_t row;
	if (mouse->act != MOUSE_PRESS || types->count == 0 ||
	    !table_row_at(types->table, table_place(inside(at)), mouse->y, types->count, &row))
		return false;
	move(types, (long)row - (long)types->table->cursor);
	return true;
}

static void write_types(const void *state, const struct report_context *context, struct buf *out)
{
	const struct types *types = state;
	report_types(out, context, types->items, types->count);
}

const struct pane_ops types_pane = {
	.name = "types",
	.title = "Types and prices",
	.scope = &types_scope,
	.state_size = sizeof(struct types),
	.modal = true,
	.open = open_types,
	.close = close_types,
	.refresh = refresh_types,
	.mouse = mouse_on_types,
	.draw = draw_types,
	.writes = "csv json jsonl md txt",
	.write = write_types,
};
