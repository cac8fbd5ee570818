/* All training plans of the region: a table, and under it each one whole. */
#include <inttypes.h>
#include <string.h>

#include "model/base/text.h"
#include "views/page.h"
#include "views/plan_words.h"
#include "views/text/columns.h"
#include "views/text/report.h"
#include "views/words.h"

#define FILE_COLUMNS 100

static void add_time(struct buf *out, struct opt_ms time, bool utc)
{
	char text[TIME_TEXT_SIZE];

	if (time.set)
		time_format_full(time.ms, utc, text);
	buf_addf(out, "%s%s", time.set ? text : "a time not told", time.set && utc ? "Z" : "");
}

static void add_read_at(struct buf *out, const struct ui *ui)
{
	const struct freshness *source = &ui->env->store->sources[SOURCE_PLANS];
	int64_t age_ms = clock_mono_ms(ui->env->clock) - source->loaded_mono_ms;

	buf_add_text(out, "Read at ");
	words_time(out, ui_now_ms(ui) - age_ms, ui_now_ms(ui), ui->env->utc);
	buf_add_text(out, ".\n\n");
}

static const char *type_of(const struct plan *plan)
{
	return plan->instance_type[0] ? plan->instance_type : "type not told";
}

static void add_row(struct columns *columns, const struct plan *plan, const struct ui *ui)
{
	struct buf text;

	buf_init(&text, WORDS_MAX);
	columns_add(columns, plan->name);
	words_plan_state(&text, plan, ui_now_ms(ui));
	columns_add(columns, buf_text(&text));
	columns_add(columns, type_of(plan));
	buf_clear(&text);
	words_plan_free(&text, plan);
	columns_add(columns, buf_text(&text));
	buf_clear(&text);
	words_plan_window(&text, plan, ui);
	columns_add(columns, buf_text(&text));
	buf_release(&text);
}

static void add_table(struct buf *out, const struct ui *ui)
{
	static const char *const titles[] = { "NAME", "STATE", "TYPE", "FREE", "WINDOW" };
	const struct store *store = ui->env->store;
	struct columns columns = { .width = ARRAY_LEN(titles), .titles = titles };

	for (size_t i = 0; i < store->plan_count; i++)
		add_row(&columns, &store->plans[i], ui);
	columns_write(&columns, out);
	columns_release(&columns);
}

/* The row of a plan on a page that is too narrow for the table. */
static void add_lines(struct buf *out, const struct plan *plan, const struct ui *ui)
{
	buf_addf(out, "%s\n  ", plan->name);
	words_plan_state(out, plan, ui_now_ms(ui));
	buf_addf(out, ", %s\n  ", type_of(plan));
	words_plan_free(out, plan);
	buf_add_text(out, ", ");
	words_plan_window(out, plan, ui);
	buf_add_char(out, '\n');
}

static bool fits(const char *text, int columns)
{
	while (*text) {
		struct buf line;
		size_t len = strcspn(text, "\n");
		bool wide;

		buf_init(&line, PAGE_TEXT_MAX);
		(void)buf_add(&line, text, len);
		wide = text_width(buf_text(&line)) > columns;
		buf_release(&line);
		if (wide)
			return false;
		text += len + (text[len] == '\n');
	}
	return true;
}

static void add_overview(struct buf *out, const struct ui *ui, int columns)
{
	const struct store *store = ui->env->store;
	struct buf table;

	buf_init(&table, PAGE_TEXT_MAX);
	add_table(&table, ui);
	if (fits(buf_text(&table), columns))
		buf_add_text(out, buf_text(&table));
	else
		for (size_t i = 0; i < store->plan_count; i++)
			add_lines(out, &store->plans[i], ui);
	buf_release(&table);
}

static void add_window(struct buf *out, const struct plan_window *window, bool utc)
{
	buf_add_text(out, "  window ");
	add_time(out, window->start, utc);
	buf_add_text(out, " to ");
	add_time(out, window->end, utc);
	if (window->total.set)
		buf_addf(out, ", %" PRId64 " instances", window->total.n);
	if (window->zone[0])
		buf_addf(out, ", %s", window->zone);
	if (window->status[0])
		buf_addf(out, ", %s", window->status);
	buf_add_char(out, '\n');
}

static void add_plan(struct buf *out, const struct plan *plan, bool utc)
{
	const struct plan_window whole = { .start = plan->start, .end = plan->end };

	buf_addf(out, "\n%s\n  %s\n  status %s", plan->name, plan->arn, plan->status);
	if (plan->status_message)
		buf_addf(out, ": %s", plan->status_message);
	buf_addf(out, "\n  for %s", plan->targets_known ? plan->targets : "targets not told");
	if (plan->in_use.set)
		buf_addf(out, ", %" PRId64 " in use", plan->in_use.n);
	if (plan->fee.set) {
		buf_add_text(out, ", ");
		words_money(out, plan->fee.micro, plan->currency, false);
		buf_add_text(out, " paid up front");
	}
	buf_add_char(out, '\n');
	for (size_t i = 0; i < plan->window_count; i++)
		add_window(out, &plan->windows[i], utc);
	if (plan->window_count == 0 && (plan->start.set || plan->end.set))
		add_window(out, &whole, utc);
	else if (plan->window_count == 0)
		buf_add_text(out, "  times not told\n");
	if (plan->windows_cut)
		buf_add_text(out, "  (and more windows)\n");
}

static void write_plans(struct buf *out, const struct ui *ui, int columns)
{
	const struct view_env *env = ui->env;
	const struct store *store = env->store;

	if (!store->sources[SOURCE_PLANS].loaded) {
		buf_add_text(out, "No plan has been read yet.\n");
		return;
	}
	add_read_at(out, ui);
	if (store->plan_count == 0) {
		buf_addf(out, "There is no training plan in %s.\n", env->region);
		return;
	}
	add_overview(out, ui, columns);
	for (size_t i = 0; i < store->plan_count; i++)
		add_plan(out, &store->plans[i], env->utc);
}

static void open_plans(void *state, struct ui *ui, const void *argument)
{
	(void)argument;
	page_start(state, ui, "Training plans", PAGE_ABOUT_PLANS);
}

/* Made for each frame: windows open and close. */
static void draw_plans(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct page *page = state;
	struct buf text;

	(void)focused;
	buf_init(&text, PAGE_TEXT_MAX);
	write_plans(&text, page->ui, at.w - 2);
	page_paint(page, out, at, buf_text(&text));
	buf_release(&text);
}

static void want_plans(const void *state, struct wants *wants)
{
	(void)state;
	wants->plans = true;
}

/* The page as a text, else what `gpuq plans` tells. */
static void put_plans(const void *state, const struct report_context *context, struct buf *out)
{
	const struct ui *ui = ((const struct page *)state)->ui;
	const struct store *store = ui->env->store;

	if (!store->sources[SOURCE_PLANS].loaded)
		return;
	if (context->format == REPORT_TABLE)
		write_plans(out, ui, FILE_COLUMNS);
	else
		report_plans(out, context, store->plans, store->plan_count);
}

const struct pane_ops plans_pane = {
	.name = "plans",
	.title = "Training plans",
	.scope = &pager_scope,
	.state_size = sizeof(struct page),
	.modal = true,
	.wants = want_plans,
	.open = open_plans,
	.close = page_close,
	.draw = draw_plans,
	.writes = "csv json jsonl md txt",
	.write = put_plans,
};
