/* The streams of a job's logs, one for each host and start: one is chosen, or all of them. */
#include <inttypes.h>

#include "model/base/text.h"
#include "views/ask.h"
#include "views/logs.h"
#include "views/words.h"

#define BOX_COLUMNS  64
#define BOX_LINES    20
#define NAME_COLUMNS 22
#define PAGE_ROWS    10

struct log_hosts {
	struct ui *ui;
	size_t cursor; /* 0 = all, then the streams */
	void (*chosen)(void *ctx, size_t stream);
	void *ctx;
};

static void open_hosts(void *state, struct ui *ui, const void *argument)
{
	const struct log_hosts_argument *wanted = argument;
	struct log_hosts *hosts = state;
	hosts->ui = ui;
	hosts->chosen = wanted->chosen;
	hosts->ctx = wanted->ctx;
	hosts->cursor = wanted->stream == LOG_NONE ? 0 : wanted->stream + 1;
}

static void move(struct log_hosts *hosts, long rows)
{
	long last = (long)hosts->ui->env->store->logs.count, at = (long)hosts->cursor + rows;
	at = at > last ? last : at;
	hosts->cursor = at > 0 ? (size_t)at : 0;
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
	move(state, PAGE_ROWS);
}

static void page_up(void *state)
{
	move(state, -PAGE_ROWS);
}

static void choose(void *state)
{
	struct log_hosts *hosts = state;
	size_t stream = hosts->cursor == 0 ? LOG_NONE : hosts->cursor - 1;
	hosts->ui->pop(hosts->ui);
	hosts->chosen(hosts->ctx, stream);
}

static void cancel(void *state)
{
	struct log_hosts *hosts = state;
	hosts->ui->pop(hosts->ui);
}

static const struct key_binding bindings[] = {
	{ .keys = "j Down",
	  .action = "log-host-down",
	  .help = "the next host",
	  .brief = "next",
	  .flags = KEY_FOOTER,
	  .run = go_down },
	{ .keys = "k Up",
	  .action = "log-host-up",
	  .help = "the host above",
	  .brief = "previous",
	  .flags = KEY_FOOTER,
	  .run = go_up },
	{ .keys = "PgDn C-d",
	  .action = "log-host-page-down",
	  .help = "some hosts on",
	  .run = page_down },
	{ .keys = "PgUp C-u",
	  .action = "log-host-page-up",
	  .help = "some hosts back",
	  .run = page_up },
	{ .keys = "Enter",
	  .action = "log-host-choose",
	  .help = "show its lines",
	  .brief = "show",
	  .flags = KEY_FOOTER,
	  .run = choose },
	{ .keys = "Esc q C-c C-g",
	  .action = "log-host-cancel",
	  .help = "leave it as it was",
	  .brief = "cancel",
	  .flags = KEY_FOOTER,
	  .run = cancel },
	{ 0 },
};

const struct key_scope log_hosts_scope = { .name = "Hosts of a log", .bindings = bindings };

/* "1,240 lines, the last 20:48Z" */
static void add_stream(const struct log_hosts *hosts, const struct log_stream *stream,
		       struct buf *out)
{
	if (stream->gone) {
		buf_add_text(out, "is not there any more");
		return;
	}
	buf_addf(out, "%" PRIu64 " line%s read", stream->lines, stream->lines == 1 ? "" : "s");
	if (stream->newest_ms > 0) {
		buf_add_text(out, ", the last ");
		words_time(out, stream->newest_ms, ui_now_ms(hosts->ui), hosts->ui->env->utc);
	}
}

static void draw_row(const struct log_hosts *hosts, struct surface *out, struct rect line,
		     size_t row)
{
	const struct job_logs *logs = &hosts->ui->env->store->logs;
	struct rect name = { line.x + 2, line.y, NAME_COLUMNS, 1 };
	struct rect rest = { name.x + NAME_COLUMNS, line.y, line.w - NAME_COLUMNS - 2, 1 };
	struct buf text;
	buf_init(&text, WORDS_MAX);
	if (row == 0)
		buf_addf(&text, "%zu", logs->count);
	else
		add_stream(hosts, &logs->streams[row - 1], &text);
	draw_text(out, line, STYLE_TEXT, row == hosts->cursor ? draw_glyph(out, GLYPH_CURSOR) : "");
	draw_text(out, name, STYLE_TEXT, row == 0 ? "all" : logs->streams[row - 1].label);
	if (rest.w > 0)
		draw_text(out, rest, STYLE_DIM, buf_text(&text));
	if (row == hosts->cursor)
		draw_highlight(out, line, STYLE_SELECTED);
	buf_release(&text);
}

static void draw_hosts(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct log_hosts *hosts = state;
	size_t rows = hosts->ui->env->store->logs.count + 1;
	int wanted = rows + 2 < BOX_LINES ? (int)rows + 2 : BOX_LINES;
	struct rect box = ask_box(at, BOX_COLUMNS, wanted);
	struct rect inner = { box.x + 2, box.y + 1, box.w - 4, box.h - 2 };
	size_t height = inner.h > 0 ? (size_t)inner.h : 1;
	size_t top = hosts->cursor >= height ? hosts->cursor - height + 1 : 0;
	draw_clear(out, box);
	draw_frame(out, box, "Hosts", "", focused);
	for (size_t i = 0; inner.w > NAME_COLUMNS && i < height && top + i < rows; i++)
		draw_row(hosts, out, (struct rect){ inner.x, inner.y + (int)i, inner.w, 1 },
			 top + i);
}

const struct pane_ops log_hosts_pane = {
	.name = "log-hosts",
	.title = "Hosts",
	.scope = &log_hosts_scope,
	.state_size = sizeof(struct log_hosts),
	.modal = true,
	.open = open_hosts,
	.draw = draw_hosts,
};
