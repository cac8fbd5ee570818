/* The quotas of the types in sight: a table, and under it who holds the one at the cursor. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/pool.h"
#include "model/store_quotas.h"
#include "tui/table.h"
#include "views/fresh.h"
#include "views/pane.h"
#include "views/text/report.h"
#include "views/words.h"
#include "views/writing.h"

#define ID_SIZE       (TYPE_NAME_SIZE + 16)
#define MINUTE_MS     INT64_C(60000)
#define HEAD_LINES    1
#define CAPTION_LINES 2
#define NAME_COLUMNS  24
#define USE_COLUMNS   45 /* of a holder that stops */

/* One limit in the table. Its type is its own: jobs come and go. */
struct row {
	char instance_type[TYPE_NAME_SIZE];
	enum quota_kind kind;
	char id[ID_SIZE];
};

struct quotas {
	struct ui *ui;
	struct row rows[QUOTA_KEYS_MAX];
	size_t count;
	char typed[QUOTA_KEYS_MAX][TYPE_NAME_SIZE]; /* types that were asked for by name */
	size_t typed_count;
	struct table *table; /* owned; drawing writes it through a const state */
	size_t *skipped;     /* owned; holders above those in sight; drawing keeps it within */
};

/* What the cells are made from. */
struct look {
	const struct ui *ui;
	const struct row *rows;
	struct quota_fact facts[QUOTA_KEYS_MAX];
};

/* --- rows --- */

static const char *id_of_row(const void *rows, size_t row)
{
	return ((const struct row *)rows)[row].id;
}

/* Those of the list that is edited come first, then those of the account's jobs, then those that
 * were asked for. */
static size_t collect(const struct quotas *quotas, struct quota_key *keys)
{
	const struct store *store = quotas->ui->env->store;
	size_t count = ui_list_quotas(quotas->ui, keys, 0, QUOTA_KEYS_MAX);
	count = quota_keys_of_jobs(keys, count, QUOTA_KEYS_MAX,
				   (const struct job *const *)store->jobs, store->count);
	for (size_t i = 0; i < quotas->typed_count; i++)
		count = quota_keys_of_type(keys, count, QUOTA_KEYS_MAX, quotas->typed[i]);
	return count;
}

static void refresh_quotas(void *state)
{
	struct quotas *quotas = state;
	struct quota_key keys[QUOTA_KEYS_MAX];
	quotas->count = collect(quotas, keys);
	for (size_t i = 0; i < quotas->count; i++) {
		struct row *row = &quotas->rows[i];
		row->kind = keys[i].kind;
		snprintf(row->instance_type, sizeof(row->instance_type), "%s",
			 keys[i].instance_type);
		snprintf(row->id, sizeof(row->id), "%s %d", row->instance_type, (int)row->kind);
	}
	table_settle(quotas->table, quotas->count, quotas->rows, id_of_row);
}

static const struct row *row_here(const struct quotas *quotas)
{
	return quotas->count > 0 ? &quotas->rows[quotas->table->cursor] : NULL;
}

/* The one at the cursor is read first. */
static void want_of_quotas(const void *state, struct wants *wants)
{
	const struct quotas *quotas = state;
	const struct row *here = row_here(quotas);
	if (here)
		wants_quota(wants, (struct quota_key){ here->instance_type, here->kind });
	for (size_t i = 0; i < quotas->count; i++) {
		const struct row *row = &quotas->rows[i];
		wants_quota(wants, (struct quota_key){ row->instance_type, row->kind });
	}
}

/* --- cells --- */

static void format_type(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	buf_add_text(out, ((const struct look *)rows)->rows[row].instance_type);
}

static void format_kind(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	buf_add_text(out, quota_kind_word(((const struct look *)rows)->rows[row].kind));
}

static void format_limit(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct quota_fact *fact = &((const struct look *)rows)->facts[row];
	*style = fact->told && fact->limit > 0 ? STYLE_TEXT : STYLE_WARNING;
	if (fact->told) {
		buf_addf(out, "%" PRId64 "%s", fact->limit, fact->is_default ? " default" : "");
	} else {
		*style = fact->error ? STYLE_WARNING : STYLE_DIM;
		buf_add_char(out, '?');
	}
}

/* At least so many, while jobs are there that have not been read. */
static void format_used(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct quota_fact *fact = &((const struct look *)rows)->facts[row];
	(void)style;
	buf_addf(out, "%" PRId64 "%s", fact->used, fact->unread > 0 ? "+" : "");
}

static void format_left(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct quota_fact *fact = &((const struct look *)rows)->facts[row];
	if (!fact->told) {
		*style = STYLE_DIM;
		buf_add_char(out, '?');
		return;
	}
	*style = quota_left(fact) > 0 ? STYLE_TEXT : STYLE_WARNING;
	buf_addf(out, "%" PRId64, quota_left(fact));
}

static void add_age(struct buf *out, int64_t age_ms)
{
	if (age_ms < MINUTE_MS) {
		buf_add_text(out, "now");
		return;
	}
	words_duration(out, age_ms);
	buf_add_text(out, " ago");
}

/* How old it is, or why it is not told. */
static void format_read(const void *rows, size_t row, struct buf *out, enum style *style)
{
	const struct look *look = rows;
	const struct quota_fact *fact = &look->facts[row];
	*style = fact->error ? STYLE_WARNING : STYLE_DIM;
	if (fact->told)
		add_age(out, words_span_ms(fact->read_at_ms, ui_now_ms(look->ui)));
	if (fact->error) {
		buf_add_text(out, fact->told ? ", " : "");
		words_reason(out, fact->error);
	} else if (!fact->told) {
		buf_add_text(out, fact->code ? "reading" : "no code");
	}
	if (fact->raise_open && fact->raise_to > 0)
		buf_addf(out, ", %" PRId64 " asked", fact->raise_to);
	else if (fact->raise_open)
		buf_add_text(out, ", raise open");
}

static const struct column columns[] = {
	{ .id = "type", .title = "TYPE", .minimum = 16, .weight = 1, .format = format_type },
	{ .id = "kind", .title = "KIND", .minimum = 10, .format = format_kind },
	{ .id = "limit", .title = "LIMIT", .minimum = 10, .right = true, .format = format_limit },
	{ .id = "used", .title = "USED", .minimum = 4, .right = true, .format = format_used },
	{ .id = "left", .title = "LEFT", .minimum = 4, .right = true, .format = format_left },
	{ .id = "read", .title = "READ", .minimum = 6, .weight = 2, .format = format_read },
};

/* --- life --- */

static void open_quotas(void *state, struct ui *ui, const void *argument)
{
	struct quotas *quotas = state;
	const struct quota_key *here = argument;
	quotas->ui = ui;
	quotas->table = mem_new(1, sizeof(*quotas->table));
	quotas->skipped = mem_new(1, sizeof(*quotas->skipped));
	quotas->table->columns = columns;
	quotas->table->column_count = ARRAY_LEN(columns);
	refresh_quotas(quotas);
	for (size_t i = 0; here && i < quotas->count; i++) {
		if (quotas->rows[i].kind == here->kind &&
		    strcmp(quotas->rows[i].instance_type, here->instance_type) == 0)
			table_move(quotas->table, (long)i, quotas->count, quotas->rows, id_of_row);
	}
}

static void close_quotas(void *state)
{
	struct quotas *quotas = state;
	table_release(quotas->table);
	free(quotas->table);
	free(quotas->skipped);
}

/* --- keys --- */

static void move(struct quotas *quotas, long by)
{
	*quotas->skipped = 0;
	table_move(quotas->table, by, quotas->count, quotas->rows, id_of_row);
}

static void go_down(void *state)
{
	move(state, 1);
}

static void go_up(void *state)
{
	move(state, -1);
}

static void go_first(void *state)
{
	move(state, -QUOTA_KEYS_MAX);
}

static void go_last(void *state)
{
	move(state, QUOTA_KEYS_MAX);
}

static void holders_down(void *state)
{
	++*((struct quotas *)state)->skipped;
}

static void holders_up(void *state)
{
	struct quotas *quotas = state;
	*quotas->skipped -= *quotas->skipped > 0;
}

static void add_type(void *ctx, const char *instance_type)
{
	struct quotas *quotas = ctx;
	if (quotas->typed_count == QUOTA_KEYS_MAX)
		return;
	snprintf(quotas->typed[quotas->typed_count++], TYPE_NAME_SIZE, "%s", instance_type);
	refresh_quotas(quotas);
	for (size_t i = 0; i < quotas->count; i++) {
		if (strcmp(quotas->rows[i].instance_type, instance_type) == 0) {
			move(quotas, (long)i - (long)quotas->table->cursor);
			return;
		}
	}
}

static void pick_type(void *state)
{
	struct quotas *quotas = state;
	const struct picker_argument argument = {
		.kind = JOB_TRAINING, .title = "Quotas of a type", .chosen = add_type, .ctx = quotas
	};
	quotas->ui->push(quotas->ui, &picker_pane, &argument);
}

static void ask_raise(void *state)
{
	const struct quotas *quotas = state;
	const struct row *row = row_here(quotas);
	if (row)
		raise_begin(quotas->ui, row->instance_type, row->kind, 0);
}

static void ask_again(void *state)
{
	const struct quotas *quotas = state;
	const struct cloud_intents *cloud = &quotas->ui->env->cloud;
	cloud->refresh(cloud->host);
}

static void leave(void *state)
{
	struct quotas *quotas = state;
	quotas->ui->pop(quotas->ui);
}

/* To the job that stands first among the holders in sight: what to do about it is done there. */
static void go_to_holder(void *state)
{
	struct quotas *quotas = state;
	struct ui *ui = quotas->ui;
	const struct store *store = ui->env->store;
	const struct row *row = row_here(quotas);
	struct quota_use use = { 0 };
	if (row)
		quota_count((const struct job *const *)store->jobs, store->count,
			    row->instance_type, row->kind, &use);
	if (use.holder_count == 0) {
		ui->say(ui, STYLE_DIM, "no job holds any of it");
	} else {
		size_t last = use.holder_count - 1;
		size_t at = *quotas->skipped < last ? *quotas->skipped : last;
		leave(quotas);
		ui->select(ui, use.holders[at].job->arn);
	}
	quota_use_release(&use);
}

static void write_view(void *state)
{
	writing_begin(((struct quotas *)state)->ui);
}

static const struct key_binding bindings[] = {
	{ .keys = "q Esc C-c C-g",
	  .action = "quotas-close",
	  .help = "close",
	  .brief = "close",
	  .flags = KEY_FOOTER,
	  .run = leave },
	{ .keys = "j Down",
	  .action = "quotas-next",
	  .help = "the quota below",
	  .brief = "next",
	  .flags = KEY_FOOTER,
	  .run = go_down },
	{ .keys = "k Up",
	  .action = "quotas-previous",
	  .help = "the quota above",
	  .brief = "previous",
	  .flags = KEY_FOOTER,
	  .run = go_up },
	{ .keys = "g Home", .action = "quotas-first", .help = "the first quota", .run = go_first },
	{ .keys = "G End", .action = "quotas-last", .help = "the last quota", .run = go_last },
	{ .keys = "Enter",
	  .action = "quotas-holder",
	  .help = "to the job that stands first among its holders",
	  .brief = "to holder",
	  .flags = KEY_FOOTER,
	  .run = go_to_holder },
	{ .keys = "PgDn C-d Space",
	  .action = "holders-down",
	  .help = "further holders of it",
	  .run = holders_down },
	{ .keys = "PgUp C-u",
	  .action = "holders-up",
	  .help = "the holders before",
	  .run = holders_up },
	{ .keys = "i",
	  .action = "quotas-type",
	  .help = "the quotas of another type too",
	  .brief = "type",
	  .flags = KEY_FOOTER,
	  .run = pick_type },
	{ .keys = "R",
	  .action = "quota-raise",
	  .help = "ask AWS for more of it",
	  .brief = "raise",
	  .flags = KEY_FOOTER | KEY_CHANGES_CLOUD,
	  .run = ask_raise },
	{ .keys = "r F5",
	  .action = "quotas-refresh",
	  .help = "ask AWS now",
	  .brief = "refresh",
	  .flags = KEY_FOOTER,
	  .run = ask_again },
	{ .keys = "W",
	  .action = "quotas-write",
	  .help = "write them to a file: csv, json, jsonl, md, txt",
	  .brief = "write",
	  .run = write_view },
	{ 0 },
};

const struct key_scope quotas_scope = { .name = "Quotas", .bindings = bindings };

/* --- holders --- */

/* How many, for how long, and what it does with them. */
static void add_holder(struct buf *out, const struct ui *ui, const struct quota_holder *holder)
{
	int64_t now_ms = ui_now_ms(ui);
	struct pool_hold hold;
	const char *word = quota_holder_state(holder);
	buf_addf(out, "x%-3" PRId64 " ", holder->count);
	if (holder->since.set)
		words_duration(out, words_span_ms(holder->since.ms, now_ms));
	else
		buf_add_char(out, '?');
	buf_addf(out, "  %s", word);
	if (strcmp(word, "Stopping") == 0)
		buf_add_text(out, ", " QUOTA_FREES_TEXT);
	if (holder->warm_pool && pool_stands(holder->job, now_ms, &hold) && hold.until.set) {
		buf_add_text(out, " until ");
		words_time(out, hold.until.ms, now_ms, ui->env->utc);
	}
}

static void draw_holder(struct surface *out, struct rect line, const struct ui *ui,
			const struct quota_holder *holder)
{
	int name = line.w - USE_COLUMNS > NAME_COLUMNS ? line.w - USE_COLUMNS : NAME_COLUMNS;
	struct rect left = { line.x, line.y, name < line.w ? name : line.w, 1 };
	struct rect right = { line.x + name + 1, line.y, line.w - name - 1, 1 };
	struct buf text;
	buf_init(&text, WORDS_MAX);
	add_holder(&text, ui, holder);
	draw_text(out, left, STYLE_TEXT, holder->job->name);
	if (right.w > 0)
		draw_text(out, right, STYLE_TEXT, buf_text(&text));
	buf_release(&text);
}

/* What the limit means where it is 0. */
static void add_zero(struct buf *out, const struct quota_fact *fact)
{
	if (!fact->told || fact->limit != 0)
		return;
	buf_add_text(out, fact->kind == QUOTA_WARM_POOL ? "; 0: nothing is kept alive"
							: "; 0: nobody may run this type yet");
}

/* The name and code of the quota, and why it is not told. */
static void add_caption(struct buf *out, const struct quota_fact *fact)
{
	char why[QUOTA_WHY_SIZE];
	buf_addf(out, "%s for %s", fact->instance_type, quota_kind_usage(fact->kind));
	if (fact->code)
		buf_addf(out, ", %s", fact->code);
	if (!fact->told) {
		quota_why_untold(fact, why);
		buf_addf(out, ": %s", why);
	}
	add_zero(out, fact);
}

/* What is not in the list of holders. */
static void add_rest(struct buf *out, const struct quota_use *use, size_t unseen)
{
	const char *gap = "";
	if (unseen > 0) {
		buf_addf(out, "and %zu more", unseen);
		gap = "; ";
	}
	if (use->waiting > 0) {
		buf_addf(out, "%sjobs that wait ask for up to %" PRId64 " more", gap, use->waiting);
		gap = "; ";
	}
	if (use->unread > 0)
		buf_addf(out, "%s%zu job%s not read yet", gap, use->unread,
			 use->unread == 1 ? " is" : "s are");
	if (use->holder_count == 0 && out->len == 0)
		buf_add_text(out, "nothing of it is in use");
}

static void draw_use(const struct quotas *quotas, struct surface *out, struct rect at,
		     const struct quota_use *use)
{
	size_t lines = at.h > 1 ? (size_t)at.h - 1 : 0; /* the last one tells the rest */
	size_t most = use->holder_count > lines ? use->holder_count - lines : 0;
	size_t shown;
	struct buf text;
	if (*quotas->skipped > most)
		*quotas->skipped = most;
	shown = use->holder_count - *quotas->skipped;
	shown = shown < lines ? shown : lines;
	for (size_t i = 0; i < shown; i++)
		draw_holder(out, layout_row(at, (int)i), quotas->ui,
			    &use->holders[*quotas->skipped + i]);
	buf_init(&text, WORDS_MAX);
	add_rest(&text, use, use->holder_count - *quotas->skipped - shown);
	draw_text(out, layout_row(at, (int)shown), STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

static void draw_holders(const struct quotas *quotas, struct surface *out, struct rect at,
			 const struct quota_fact *fact)
{
	const struct store *store = quotas->ui->env->store;
	struct rect caption = { at.x, at.y, at.w, at.h < CAPTION_LINES ? at.h : CAPTION_LINES };
	struct quota_use use;
	struct buf text;
	buf_init(&text, WORDS_MAX);
	add_caption(&text, fact);
	int lines = draw_wrapped(out, caption, STYLE_TITLE, buf_text(&text));
	struct rect below = { at.x, at.y + lines, at.w, at.h - lines };
	buf_release(&text);
	quota_count((const struct job *const *)store->jobs, store->count, fact->instance_type,
		    fact->kind, &use);
	if (below.h > 0)
		draw_use(quotas, out, below, &use);
	quota_use_release(&use);
}

/* --- picture --- */

static struct look *look_new(const struct quotas *quotas)
{
	struct look *look = mem_new(1, sizeof(*look));
	look->ui = quotas->ui;
	look->rows = quotas->rows;
	for (size_t i = 0; i < quotas->count; i++) {
		look->facts[i].instance_type = quotas->rows[i].instance_type;
		look->facts[i].kind = quotas->rows[i].kind;
	}
	store_quota_facts(quotas->ui->env->store, look->facts, quotas->count);
	return look;
}

static struct rect inside(struct rect at)
{
	return (struct rect){ at.x + 1, at.y + 1, at.w - 2, at.h - 2 };
}

/* The table has what it needs, up to three parts of five; the holders have the rest. */
static struct rect table_place(const struct quotas *quotas, struct rect at)
{
	int wanted = (int)quotas->count + HEAD_LINES, most = at.h > 5 ? 3 * at.h / 5 : at.h;
	return (struct rect){ at.x, at.y, at.w, wanted < most ? wanted : most };
}

static void draw_inside(const struct quotas *quotas, struct surface *out, struct rect at)
{
	struct look *look = look_new(quotas);
	struct rect above = table_place(quotas, at);
	struct rect below = { at.x, at.y + above.h + 1, at.w, at.h - above.h - 1 };
	table_draw(quotas->table, out, above, look, quotas->count);
	if (below.h > 0)
		draw_holders(quotas, out, below, &look->facts[quotas->table->cursor]);
	free(look);
}

static void draw_quotas(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct quotas *quotas = state;
	struct rect inner = inside(at);
	draw_clear(out, at);
	if (inner.w > 0 && inner.h > 0 && quotas->count > 0)
		draw_inside(quotas, out, inner);
	else if (inner.w > 0 && inner.h > 0)
		draw_wrapped(out, inner, STYLE_DIM,
			     "No job uses or waits for an instance, and no list is edited. i looks "
			     "at a type of your choice.");
	draw_frame(out, at, "Quotas", "", focused);
}

static bool mouse_on_quotas(void *state, struct rect at, const struct mouse *mouse)
{
	struct quotas *quotas = state;
	struct rect table = table_place(quotas, inside(at));
	size_t row;
	if (mouse->act != MOUSE_PRESS || quotas->count == 0 ||
	    !table_row_at(quotas->table, table, mouse->y, quotas->count, &row))
		return false;
	move(quotas, (long)row - (long)quotas->table->cursor);
	return true;
}

static void write_quotas(const void *state, const struct report_context *context, struct buf *out)
{
	const struct quotas *quotas = state;
	const struct store *store = quotas->ui->env->store;
	struct report_quota *rows = mem_new(quotas->count + 1, sizeof(*rows));
	for (size_t i = 0; i < quotas->count; i++) {
		rows[i].fact.instance_type = quotas->rows[i].instance_type;
		rows[i].fact.kind = quotas->rows[i].kind;
		store_quota_facts(store, &rows[i].fact, 1);
		quota_count((const struct job *const *)store->jobs, store->count,
			    rows[i].fact.instance_type, rows[i].fact.kind, &rows[i].use);
	}
	report_quotas(out, context, rows, quotas->count);
	for (size_t i = 0; i < quotas->count; i++)
		quota_use_release(&rows[i].use);
	free(rows);
}

const struct pane_ops quotas_pane = {
	.name = "quotas",
	.title = "Quotas",
	.scope = &quotas_scope,
	.state_size = sizeof(struct quotas),
	.modal = true,
	.wants = want_of_quotas,
	.open = open_quotas,
	.close = close_quotas,
	.refresh = refresh_quotas,
	.mouse = mouse_on_quotas,
	.draw = draw_quotas,
	.writes = "csv json jsonl md txt",
	.write = write_quotas,
};
