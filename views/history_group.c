/* The group at the cursor of the history, in lines, sparklines and bars. */
#include "views/history_group.h"

#include "model/history_fees.h"
#include "tui/chart.h"
#include "views/words.h"

#define BAR_COLUMNS   20
#define LABEL_COLUMNS 12
#define HOURS         24

void history_add_share(struct buf *out, size_t part, size_t of)
{
	if (of > 0)
		buf_addf(out, "%zu%%", (part * 100 + of / 2) / of);
	else
		buf_add_char(out, '-');
}

void history_add_wait(struct buf *out, const struct history_sum *sum, struct opt_ms wait)
{
	if (sum->started < HISTORY_STARTS_MIN)
		buf_addf(out, "n=%zu", sum->started);
	else if (wait.set)
		words_duration(out, wait.ms);
	else
		buf_add_text(out, "longer");
}

size_t history_ended(const struct history_sum *sum)
{
	return sum->completed + sum->failed + sum->stopped;
}

const char *history_currency(const struct history_sum *sum)
{
	return sum->currency[0] ? sum->currency : NULL;
}

void history_add_cost(struct buf *out, const struct history_sum *sum)
{
	if (!sum->has_cost)
		buf_add_char(out, '?');
	else
		words_money(out, sum->cost_micro, history_currency(sum), sum->cost_is_estimate);
	if (sum->has_cost && sum->cost_is_partial)
		buf_add_char(out, '+');
}

/* --- lines --- */

struct lines {
	struct surface *out;
	struct rect at; /* what is left */
};

/* The next line, or an empty one below the pane. */
static struct rect next_line(struct lines *lines)
{
	struct rect line = layout_row(lines->at, 0);
	if (lines->at.h <= 0)
		line.w = 0;
	lines->at.y++;
	lines->at.h--;
	return line;
}

static void put(struct lines *lines, enum style style, const struct buf *text)
{
	struct rect line = next_line(lines);
	if (line.w > 0)
		draw_text(lines->out, line, style, buf_text(text));
}

static void put_bar(struct lines *lines, const char *label, size_t part, size_t of)
{
	struct rect line = next_line(lines);
	struct rect bar = { line.x + LABEL_COLUMNS, line.y, BAR_COLUMNS, 1 };
	struct rect rest = { bar.x + bar.w + 1, line.y, line.w - LABEL_COLUMNS - BAR_COLUMNS - 1,
			     1 };
	if (line.w <= 0)
		return;
	draw_text(lines->out, line, STYLE_TEXT, label);
	if (rest.w <= 0)
		return;
	chart_bar(lines->out, bar, of > 0 ? (int)(part * 1000 / of) : 0);
	draw_textf(lines->out, rest, STYLE_TEXT, "%zu of %zu", part, of);
}

/* How many started after a wait of each length. */
static void put_waits(struct lines *lines, const struct history_sum *sum)
{
	int16_t permille[HISTORY_BUCKETS];
	struct rect line = next_line(lines);
	struct rect spark = { line.x + LABEL_COLUMNS, line.y, HISTORY_BUCKETS, 1 };
	struct rect rest = { spark.x + spark.w + 1, line.y,
			     line.w - LABEL_COLUMNS - HISTORY_BUCKETS - 1, 1 };
	uint32_t most = 1;
	for (size_t i = 0; i < HISTORY_BUCKETS; i++)
		most = sum->buckets[i] > most ? sum->buckets[i] : most;
	for (size_t i = 0; i < HISTORY_BUCKETS; i++) {
		uint64_t share = (uint64_t)sum->buckets[i] * 1000 / most;
		permille[i] = sum->buckets[i] > 0 ? (int16_t)share : CHART_HOLE;
	}
	if (line.w <= 0)
		return;
	draw_text(lines->out, line, STYLE_TEXT, "waits");
	if (rest.w <= 0)
		return;
	chart_sparkline(lines->out, spark, permille, HISTORY_BUCKETS);
	draw_text(lines->out, rest, STYLE_DIM, "<1m 5m 15m 30m 1h 2h 4h 8h 1d 2d 7d, longer");
}

static void add_waits(struct buf *out, const char *label, const struct history_sum *sum)
{
	buf_addf(out, "%s p50 ", label);
	history_add_wait(out, sum, sum->wait_p50);
	buf_add_text(out, " p90 ");
	history_add_wait(out, sum, sum->wait_p90);
	if (sum->started >= HISTORY_STARTS_MIN)
		buf_addf(out, " (n=%zu)", sum->started);
}

static void add_run(struct buf *out, const struct history_sum *sum)
{
	buf_add_text(out, "runs ");
	if (!sum->run_p50.set) {
		buf_add_text(out, "none completed");
	} else {
		buf_add_text(out, "p50 ");
		words_duration(out, sum->run_p50.ms);
		buf_add_text(out, " p90 ");
		words_duration(out, sum->run_p90.ms);
	}
	buf_add_text(out, ", cost without storage ");
	history_add_cost(out, sum);
	if (sum->has_cost && sum->costs > 0) {
		buf_add_text(out, ", a start ");
		words_money(out, sum->cost_micro / (int64_t)sum->costs, history_currency(sum),
			    sum->cost_is_estimate);
	}
}

/* "1.32x": a factor to the hundredth. */
static void add_factor(struct buf *out, int64_t thousandths)
{
	int64_t hundredths = (thousandths + 5) / 10;
	buf_addf(out, "%lld.%02lldx", (long long)(hundredths / 100), (long long)(hundredths % 100));
}

void history_add_ratio(struct buf *out, const struct history_ratio *ratio)
{
	if (ratio->count > 0)
		add_factor(out, ratio->p50);
	else
		buf_add_char(out, '-');
}

static void add_spread(struct buf *out, const char *label, const struct history_ratio *ratio)
{
	buf_addf(out, "%s ", label);
	add_factor(out, ratio->p50);
	buf_add_text(out, ", p90 ");
	add_factor(out, ratio->p90);
	buf_addf(out, " (n=%zu)", ratio->count);
}

/* "on training plans: 5 starts, 1 plan, fee $98,000, paid apart" */
static void put_fees(struct lines *lines, const struct history_past *past,
		     const struct history_sum *sum)
{
	const struct store *store = past->store;
	struct history_fees fees;
	struct buf text;
	if (sum->plan_count == 0)
		return;
	history_fees_make(&store->history, sum, store->plans, store->plan_count, &fees);
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "on training plans: %zu starts on %zu plan%s, whole fees ", fees.starts,
		 fees.plans, fees.plans == 1 ? "" : "s");
	if (fees.sum.set)
		words_money(&text, fees.sum.micro, fees.currency, false);
	else
		buf_add_text(&text, "unknown");
	if (fees.sum.set && fees.unread > 0)
		buf_add_text(&text, " + unknown");
	buf_add_text(&text, ", paid apart");
	put(lines, STYLE_MONEY, &text);
	buf_release(&text);
}

/* Is the fallback really equivalent? */
static void put_firsts(struct lines *lines, const struct history_spread *spread)
{
	struct buf text;
	if (spread->run_to_first.count == 0)
		return;
	buf_init(&text, WORDS_MAX);
	add_spread(&text, "fallbacks, to #1 of the same stem: run p50", &spread->run_to_first);
	put(lines, STYLE_TEXT, &text);
	buf_clear(&text);
	if (spread->cost_to_first.count > 0) {
		add_spread(&text, "                                  cost p50",
			   &spread->cost_to_first);
		put(lines, STYLE_TEXT, &text);
	}
	buf_release(&text);
}

static void put_certified(struct lines *lines, const struct history_spread *spread)
{
	struct buf text;
	if (spread->run_to_certified.count == 0)
		return;
	buf_init(&text, WORDS_MAX);
	add_spread(&text, "to the certified run time:         run p50", &spread->run_to_certified);
	put(lines, STYLE_TEXT, &text);
	buf_release(&text);
}

/* The day at a glance: how many were submitted in each hour. */
static void put_hours(struct lines *lines, const struct history_sums *sums)
{
	int16_t permille[HOURS];
	struct rect line = next_line(lines);
	struct rect spark = { line.x + LABEL_COLUMNS, line.y, HOURS, 1 };
	struct rect rest = { spark.x + HOURS + 1, line.y, line.w - LABEL_COLUMNS - HOURS - 1, 1 };
	size_t most = 1;
	for (size_t i = 0; i < sums->count; i++)
		most = sums->rows[i].jobs > most ? sums->rows[i].jobs : most;
	for (size_t i = 0; i < HOURS; i++)
		permille[i] = CHART_HOLE;
	for (size_t i = 0; i < sums->count; i++) {
		const char *key = sums->rows[i].key;
		int hour = (key[0] - '0') * 10 + key[1] - '0';
		permille[hour] = (int16_t)(sums->rows[i].jobs * 1000 / most);
	}
	if (line.w <= 0)
		return;
	draw_text(lines->out, line, STYLE_TEXT, "submitted");
	if (rest.w <= 0)
		return;
	chart_sparkline(lines->out, spark, permille, HOURS);
	draw_text(lines->out, rest, STYLE_DIM, "by hour, 00 to 23 (UTC)");
}

void history_draw_group(const struct history_past *past, size_t row, struct surface *out,
			struct rect at)
{
	const struct history_sums *sums = past->sums;
	const struct history_sum *sum = &sums->rows[row];
	const struct history_spread *spread = history_spreads_of(past->spreads, sum->key);
	struct lines lines = { out, at };
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%s: %zu jobs, %zu waits, %zu started, %zu timed out", sum->key, sum->jobs,
		 sum->waits, sum->started, sum->timeouts);
	put(&lines, STYLE_TITLE, &text);
	put_waits(&lines, sum);
	put_bar(&lines, "fell back", sum->fallback.part, sum->fallback.of);
	put_bar(&lines, "completed", sum->completed, history_ended(sum));
	put_bar(&lines, "failed", sum->failed, history_ended(sum));
	buf_clear(&text);
	add_run(&text, sum);
	put(&lines, STYLE_TEXT, &text);
	put_fees(&lines, past, sum);
	put_firsts(&lines, spread);
	put_certified(&lines, spread);
	if (past->by == HISTORY_BY_HOUR)
		put_hours(&lines, sums);
	buf_clear(&text);
	add_waits(&text, "all lists", &sums->lists);
	add_waits(&text, "; jobs of one type", &sums->singles);
	put(&lines, STYLE_DIM, &text);
	buf_release(&text);
}
