/* What a job's hosts publish: GPU, GPU memory, CPU, memory and disk, each host a row of sparklines,
 * the one at the cursor as a line over time; and the metrics that the job ended with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "tui/chart.h"
#include "views/fresh.h"
#include "views/pane.h"
#include "views/words.h"

#define HOST_COLUMNS  11 /* algo-100 behind the cursor */
#define VALUE_COLUMNS 6  /* "100 % " */
#define SPARK_LEAST   3  /* columns; below there is none */
#define AXIS_COLUMNS  6  /* "100 % " */
#define PLOT_LINES    4  /* at least, with its title and its times */
#define FINAL_LINES   3
#define OLD_MS        INT64_C(180000) /* minutes come one by one */

struct metrics_view {
	struct ui *ui;
	char *arn;  /* owned; of the job, whichever is selected meanwhile */
	size_t row; /* 0: the mean of all hosts, where there are several */
	enum metric metric;
	enum metric_span span;
};

static const struct job_metrics *data_of(const struct metrics_view *view)
{
	return &view->ui->env->store->metrics;
}

static const struct job *job_of(const struct metrics_view *view)
{
	return view->arn ? store_find(view->ui->env->store, view->arn) : NULL;
}

/* What has come is of this job. */
static bool is_loaded(const struct metrics_view *view)
{
	const struct job_metrics *data = data_of(view);
	return data->arn && view->arn && strcmp(data->arn, view->arn) == 0 && data->fresh.loaded &&
	       data->host_count > 0;
}

static size_t rows_of(const struct metrics_view *view)
{
	size_t hosts = is_loaded(view) ? data_of(view)->host_count : 0;
	return hosts > 1 ? hosts + 1 : hosts;
}

/* The host of a row; NULL: the row is of all. */
static const struct metric_host *host_at(const struct metrics_view *view, size_t row)
{
	const struct job_metrics *data = data_of(view);
	if (data->host_count == 1)
		return &data->hosts[0];
	return row == 0 ? NULL : &data->hosts[row - 1];
}

static void series_at(const struct metrics_view *view, size_t row, enum metric metric,
		      struct metric_series *series)
{
	const struct metric_host *host = host_at(view, row);
	if (host)
		*series = host->series[metric];
	else
		metrics_mean(data_of(view), metric, series);
}

/* --- table --- */

static struct rect cell(struct rect line, int x, int columns)
{
	struct rect part = { line.x + x, line.y, columns, line.h };
	if (x + columns > line.w)
		part.w = line.w - x;
	return part;
}

static int metric_columns(struct rect at)
{
	return (at.w - HOST_COLUMNS) / METRICS;
}

static void draw_heads(const struct metrics_view *view, struct surface *out, struct rect line)
{
	int columns = metric_columns(line);
	draw_text(out, cell(line, 2, HOST_COLUMNS - 2), STYLE_COLUMN, "HOST");
	for (int metric = 0; metric < METRICS; metric++) {
		bool here = (enum metric)metric == view->metric;
		draw_textf(out, cell(line, HOST_COLUMNS + metric * columns, columns - 1),
			   here ? STYLE_TITLE_FOCUS : STYLE_COLUMN, here ? "[%s]" : "%s",
			   metric_word((enum metric)metric));
	}
}

static void draw_row(const struct metrics_view *view, size_t row, struct surface *out,
		     struct rect line)
{
	const struct metric_host *host = host_at(view, row);
	bool here = row == view->row;
	int columns = metric_columns(line), spark = columns - VALUE_COLUMNS - 1;
	draw_text(out, cell(line, 0, 2), STYLE_TITLE, here ? draw_glyph(out, GLYPH_CURSOR) : "");
	draw_text(out, cell(line, 2, HOST_COLUMNS - 3), here ? STYLE_TITLE : STYLE_TEXT,
		  host ? host->name : "mean");
	for (int metric = 0; metric < METRICS; metric++) {
		struct metric_series series;
		int x = HOST_COLUMNS + metric * columns;
		series_at(view, row, (enum metric)metric, &series);
		struct metric_sum sum = metrics_sum(&series);
		if (sum.count == 0) {
			draw_text(out, cell(line, x, VALUE_COLUMNS), STYLE_DIM, "–");
			continue;
		}
		draw_textf(out, cell(line, x, VALUE_COLUMNS), STYLE_TEXT, "%3d %%",
			   (sum.now + 5) / 10);
		if (spark >= SPARK_LEAST)
			chart_sparkline(out, cell(line, x + VALUE_COLUMNS, spark), series.permille,
					METRIC_SLOTS);
	}
}

/* As many rows as leave room for the line; the cursor's is one of them. */
static int draw_table(const struct metrics_view *view, struct surface *out, struct rect at)
{
	size_t rows = rows_of(view), first = 0;
	int most = at.h - 1 - PLOT_LINES - 2;
	int shown = most < 1 ? 1 : most < (int)rows ? most : (int)rows;
	if (view->row >= (size_t)shown)
		first = view->row + 1 - (size_t)shown;
	draw_heads(view, out, layout_row(at, 0));
	for (int i = 0; i < shown && first + (size_t)i < rows; i++)
		draw_row(view, first + (size_t)i, out, layout_row(at, i + 1));
	return shown + 1;
}

/* --- line --- */

static void add_slots(struct buf *out, const struct metric_window *window, size_t holes)
{
	int64_t minutes = window->period_ms / 60000;
	if (holes == 0)
		return;
	buf_addf(out, ", %zu", holes);
	if (minutes == 1)
		buf_addf(out, " minute%s", holes == 1 ? "" : "s");
	else
		buf_addf(out, " times %lld minutes", (long long)minutes);
	buf_add_text(out, " not published");
}

static void add_title(struct buf *out, const struct metrics_view *view,
		      const struct metric_sum *sum)
{
	const struct metric_host *host = host_at(view, view->row);
	buf_addf(out, "%s, %s: ", metric_word(view->metric),
		 host ? host->name : "mean of all hosts");
	if (sum->count == 0) {
		buf_add_text(out, "nothing published");
		if (host && !metric_is_of(view->metric, host->instance_type))
			buf_addf(out, " (%s has none)", host->instance_type);
		return;
	}
	buf_addf(out, "last %d %%, least %d, mean %d, most %d", (sum->now + 5) / 10,
		 (sum->least + 5) / 10, (sum->mean + 5) / 10, (sum->most + 5) / 10);
	add_slots(out, &data_of(view)->window, sum->holes);
}

static void draw_times(const struct metrics_view *view, struct surface *out, struct rect line)
{
	const struct metric_window *window = &data_of(view)->window;
	const struct ui *ui = view->ui;
	int64_t end_ms = window->start_ms + METRIC_SLOTS * window->period_ms;
	int64_t now_ms = ui_now_ms(ui);
	struct buf text;
	buf_init(&text, WORDS_MAX);
	words_time(&text, window->start_ms, now_ms, ui->env->utc);
	draw_text(out, line, STYLE_DIM, buf_text(&text));
	buf_clear(&text);
	words_time(&text, end_ms < now_ms ? end_ms : now_ms, now_ms, ui->env->utc);
	int columns = text_width(buf_text(&text));
	if (columns < line.w)
		draw_text(out, cell(line, line.w - columns, columns), STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

static void draw_plot(const struct metrics_view *view, struct surface *out, struct rect at)
{
	struct rect plot = { at.x + AXIS_COLUMNS, at.y + 1, at.w - AXIS_COLUMNS, at.h - 2 };
	struct metric_series series;
	struct buf text;
	series_at(view, view->row, view->metric, &series);
	struct metric_sum sum = metrics_sum(&series);
	buf_init(&text, WORDS_MAX);
	add_title(&text, view, &sum);
	draw_text(out, layout_row(at, 0), STYLE_TITLE, buf_text(&text));
	buf_release(&text);
	if (plot.h < 1 || plot.w < 1 || sum.count == 0)
		return;
	draw_text(out, (struct rect){ at.x, plot.y, AXIS_COLUMNS, 1 }, STYLE_DIM, "100 %");
	if (plot.h > 2)
		draw_text(out, (struct rect){ at.x, plot.y + plot.h / 2, AXIS_COLUMNS, 1 },
			  STYLE_DIM, " 50 %");
	if (plot.h > 1)
		draw_text(out, (struct rect){ at.x, plot.y + plot.h - 1, AXIS_COLUMNS, 1 },
			  STYLE_DIM, "  0 %");
	chart_plot(out, plot, STYLE_BAR, series.permille, METRIC_SLOTS);
	draw_times(view, out, (struct rect){ plot.x, plot.y + plot.h, plot.w, 1 });
}

/* --- the whole --- */

static int draw_final(const struct job *job, struct surface *out, struct rect at)
{
	struct final_metrics final;
	struct buf text;
	int lines = 0;
	final_metrics_read(job, &final);
	buf_init(&text, WORDS_MAX * FINAL_METRICS_MAX);
	for (size_t i = 0; i < final.count; i++) {
		buf_add_text(&text, i == 0 ? "final: " : ", ");
		words_first_line(&text, final.items[i].name);
		buf_add_char(&text, ' ');
		words_first_line(&text, final.items[i].value);
	}
	if (final.count > 0) {
		int room = at.h / 4 < FINAL_LINES ? at.h / 4 : FINAL_LINES;
		struct rect none = { at.x, at.y, at.w, 0 };
		lines = draw_wrapped(out, none, STYLE_TEXT, buf_text(&text));
		lines = lines < room ? lines : room;
		(void)draw_wrapped(out, (struct rect){ at.x, at.y + at.h - lines, at.w, lines },
				   STYLE_TEXT, buf_text(&text));
	}
	buf_release(&text);
	final_metrics_release(&final);
	return lines;
}

static int draw_idle(const struct metrics_view *view, const struct job *job, struct surface *out,
		     struct rect at)
{
	const struct ui *ui = view->ui;
	const struct gpu_use *use = gpu_watch_idle(&ui->env->store->gpus, job, ui_now_ms(ui));
	struct buf text;
	if (!use)
		return 0;
	buf_init(&text, WORDS_MAX);
	buf_add_text(&text, "! ");
	words_idle_gpus(&text, use);
	draw_text(out, layout_row(at, 0), STYLE_WARNING, buf_text(&text));
	buf_release(&text);
	return 1;
}

static const char *why_nothing(const struct metrics_view *view, const struct job *job)
{
	const char *type = NULL;
	if (!job)
		return "This job is not listed any more.";
	if (metrics_hosts(job, 0, &type) == 0 && job_never_started(job))
		return "It never had an instance: there is nothing to measure.";
	if (metrics_hosts(job, 0, &type) == 0)
		return "Its instances are not known (yet): metrics begin with them.";
	return data_of(view)->fresh.failing ? "" : "The metrics are being read.";
}

static void draw_loaded(const struct metrics_view *view, const struct job *job, struct surface *out,
			struct rect at)
{
	int lines = job ? draw_idle(view, job, out, at) : 0;
	at.y += lines;
	at.h -= lines;
	at.h -= job ? draw_final(job, out, at) : 0;
	lines = draw_table(view, out, at);
	struct rect plot = { at.x, at.y + lines + 1, at.w, at.h - lines - 1 };
	if (plot.h >= 1)
		draw_plot(view, out, plot);
}

static struct fresh fresh_of(const struct metrics_view *view)
{
	const struct view_env *env = view->ui->env;
	const struct job *job = job_of(view);
	const char *type = NULL;
	struct fresh fresh = { .state = FRESH_CURRENT };
	if (job && metrics_hosts(job, 0, &type) > 0)
		fresh = freshness_state(&data_of(view)->fresh, OLD_MS, clock_mono_ms(env->clock));
	fresh.resource = "";
	return fresh;
}

static void add_note(const struct metrics_view *view, struct buf *out)
{
	const struct job_metrics *data = data_of(view);
	const struct job *job = job_of(view);
	const char *type = NULL;
	size_t hosts = job ? metrics_hosts(job, 0, &type) : 0;
	if (hosts > 0 && !job->has_groups)
		buf_addf(out, "%s ×%zu, ", type, hosts);
	if (is_loaded(view) && data->hosts_in_all > data->host_count)
		buf_addf(out, "the first %zu hosts, ", data->host_count);
	buf_add_text(out, metric_span_word(view->span));
}

static void draw_metrics(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct metrics_view *view = state;
	const struct job *job = job_of(view);
	struct fresh fresh = fresh_of(view);
	struct fresh_pane pane = { .shown = FRESH_SHOWS_NOTHING };
	struct rect inner = layout_inset(at, 1);
	struct buf title, note;
	draw_clear(out, at);
	inner = fresh_draw(&fresh, &pane, out, inner);
	if (inner.w > 0 && inner.h > 0 && is_loaded(view))
		draw_loaded(view, job, out, inner);
	else if (inner.w > 0 && inner.h > 0)
		(void)draw_wrapped(out, inner, STYLE_DIM, why_nothing(view, job));
	buf_init(&title, WORDS_MAX);
	buf_init(&note, WORDS_MAX);
	buf_addf(&title, "Metrics of %s", job ? job->name : "a job");
	add_note(view, &note);
	draw_frame(out, at, buf_text(&title), buf_text(&note), focused);
	buf_release(&title);
	buf_release(&note);
}

/* --- keys --- */

static void open_metrics(void *state, struct ui *ui, const void *argument)
{
	struct metrics_view *view = state;
	view->ui = ui;
	view->arn = mem_copy_text(argument ? argument : ui->selected_arn);
}

static void close_metrics(void *state)
{
	free(((struct metrics_view *)state)->arn);
}

static void refresh_metrics(void *state)
{
	struct metrics_view *view = state;
	size_t rows = rows_of(view);
	if (rows > 0 && view->row >= rows)
		view->row = rows - 1;
}

static void want_of_metrics(const void *state, struct wants *wants)
{
	const struct metrics_view *view = state;
	wants->metrics = view->arn;
	wants->metric_span = view->span;
}

static void host_down(void *state)
{
	struct metrics_view *view = state;
	if (view->row + 1 < rows_of(view))
		view->row++;
}

static void host_up(void *state)
{
	struct metrics_view *view = state;
	if (view->row > 0)
		view->row--;
}

static void host_first(void *state)
{
	((struct metrics_view *)state)->row = 0;
}

static void host_last(void *state)
{
	struct metrics_view *view = state;
	size_t rows = rows_of(view);
	view->row = rows > 0 ? rows - 1 : 0;
}

static void metric_next(void *state)
{
	struct metrics_view *view = state;
	view->metric = (view->metric + 1) % METRICS;
}

static void metric_before(void *state)
{
	struct metrics_view *view = state;
	view->metric = (view->metric + METRICS - 1) % METRICS;
}

static void span_longer(void *state)
{
	struct metrics_view *view = state;
	if (view->span + 1 < METRIC_SPANS)
		view->span++;
}

static void span_shorter(void *state)
{
	struct metrics_view *view = state;
	if (view->span > 0)
		view->span--;
}

static void ask_again(void *state)
{
	const struct cloud_intents *cloud = &((struct metrics_view *)state)->ui->env->cloud;
	cloud->refresh(cloud->host);
}

static void leave(void *state)
{
	struct ui *ui = ((struct metrics_view *)state)->ui;
	ui->pop(ui);
}

static const struct key_binding bindings[] = {
	{ .keys = "q Esc M C-c C-g",
	  .action = "metrics-close",
	  .help = "close",
	  .brief = "close",
	  .flags = KEY_FOOTER,
	  .run = leave },
	{ .keys = "j Down",
	  .action = "metrics-host-next",
	  .help = "the next host",
	  .brief = "host",
	  .flags = KEY_FOOTER,
	  .run = host_down },
	{ .keys = "k Up",
	  .action = "metrics-host-before",
	  .help = "the host before",
	  .run = host_up },
	{ .keys = "g Home",
	  .action = "metrics-host-first",
	  .help = "the first",
	  .run = host_first },
	{ .keys = "G End", .action = "metrics-host-last", .help = "the last", .run = host_last },
	{ .keys = "l Right Tab",
	  .action = "metrics-next",
	  .help = "the next metric",
	  .brief = "metric",
	  .flags = KEY_FOOTER,
	  .run = metric_next },
	{ .keys = "h Left S-Tab",
	  .action = "metrics-before",
	  .help = "the metric before",
	  .run = metric_before },
	{ .keys = "-",
	  .action = "metrics-span-longer",
	  .help = "further back: 3 hours, 15 hours, 7 days",
	  .brief = "further back",
	  .flags = KEY_FOOTER,
	  .run = span_longer },
	{ .keys = "+ =",
	  .action = "metrics-span-shorter",
	  .help = "closer",
	  .brief = "closer",
	  .flags = KEY_FOOTER,
	  .run = span_shorter },
	{ .keys = "r F5", .action = "metrics-refresh", .help = "ask AWS now", .run = ask_again },
	{ 0 },
};

const struct key_scope metrics_scope = { .name = "Metrics", .bindings = bindings };

const struct pane_ops metrics_pane = {
	.name = "metrics",
	.title = "Metrics",
	.scope = &metrics_scope,
	.state_size = sizeof(struct metrics_view),
	.modal = true,
	.wants = want_of_metrics,
	.open = open_metrics,
	.close = close_metrics,
	.refresh = refresh_metrics,
	.draw = draw_metrics,
};
