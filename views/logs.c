/* Screen Logs: what the hosts of one job have written, as it comes. */
#include "views/logs.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "views/fresh.h"
#include "views/words.h"
#include "views/writing.h"

#define SHIFT_COLUMNS 20

static const struct job_logs *logs_of(const struct logs *logs)
{
	const struct job_logs *found = &logs->ui->env->store->logs;
	return found->arn && strcmp(found->arn, logs->arn) == 0 ? found : NULL;
}

/* --- keys --- */

static long page_of(const struct logs *logs)
{
	return logs->pager->height > 1 ? logs->pager->height - 1 : 1;
}

static void line_down(void *state)
{
	log_pager_scroll(((struct logs *)state)->pager, 1);
}

static void line_up(void *state)
{
	log_pager_scroll(((struct logs *)state)->pager, -1);
}

static void half_down(void *state)
{
	log_pager_scroll(((struct logs *)state)->pager, (page_of(state) + 1) / 2);
}

static void half_up(void *state)
{
	log_pager_scroll(((struct logs *)state)->pager, -(page_of(state) + 1) / 2);
}

static void page_down(void *state)
{
	log_pager_scroll(((struct logs *)state)->pager, page_of(state));
}

static void page_up(void *state)
{
	log_pager_scroll(((struct logs *)state)->pager, -page_of(state));
}

static void to_start(void *state)
{
	log_pager_to_start(((struct logs *)state)->pager);
}

static void to_end(void *state)
{
	log_pager_to_end(((struct logs *)state)->pager);
}

static void follow(void *state)
{
	struct log_pager *pager = ((struct logs *)state)->pager;
	if (pager->follow)
		pager->follow = false;
	else
		log_pager_to_end(pager);
}

static void to_error(void *state)
{
	struct logs *logs = state;
	if (logs->pager->has_error)
		log_pager_to_error(logs->pager);
	else
		logs->ui->say(logs->ui, STYLE_DIM, "no line here tells of an error");
}

static void find_next(void *state)
{
	log_pager_step(((struct logs *)state)->pager, 1);
}

static void find_previous(void *state)
{
	log_pager_step(((struct logs *)state)->pager, -1);
}

static void search(void *ctx, const char *text)
{
	log_pager_find(((struct logs *)ctx)->pager, text);
}

static void ask_search(void *state)
{
	struct logs *logs = state;
	const struct line_argument line = { .label = "/",
					    .initial = logs->pager->match.find,
					    .help = "all lines stay; n, N: next, previous",
					    .taken = search,
					    .ctx = logs };
	logs->ui->push(logs->ui, &line_pane, &line);
}

static void filter(void *ctx, const char *text)
{
	log_pager_filter(((struct logs *)ctx)->pager, text);
}

static void ask_filter(void *state)
{
	struct logs *logs = state;
	const struct line_argument line = { .label = "only lines with: ",
					    .initial = logs->pager->match.filter,
					    .help = "words; !word: without",
					    .taken = filter,
					    .ctx = logs };
	logs->ui->push(logs->ui, &line_pane, &line);
}

static void show_all(void *state)
{
	log_pager_filter(((struct logs *)state)->pager, "");
}

static void toggle_wrap(void *state)
{
	struct log_pager *pager = ((struct logs *)state)->pager;
	pager->wrap = !pager->wrap;
	pager->shift = 0;
}

static void toggle_times(void *state)
{
	struct log_pager *pager = ((struct logs *)state)->pager;
	pager->times = !pager->times;
}

static void shift_right(void *state)
{
	struct log_pager *pager = ((struct logs *)state)->pager;
	pager->wrap = false;
	if (pager->shift < (int)LOG_TEXT_MAX)
		pager->shift += SHIFT_COLUMNS;
}

static void shift_left(void *state)
{
	struct log_pager *pager = ((struct logs *)state)->pager;
	pager->shift -= pager->shift < SHIFT_COLUMNS ? pager->shift : SHIFT_COLUMNS;
}

/* --- hosts --- */

static void choose_host(void *ctx, size_t stream)
{
	((struct logs *)ctx)->pager->match.stream = stream;
}

static void ask_host(void *state)
{
	struct logs *logs = state;
	const struct log_hosts_argument argument = { .stream = logs->pager->match.stream,
						     .chosen = choose_host,
						     .ctx = logs };
	logs->ui->push(logs->ui, &log_hosts_pane, &argument);
}

/* All hosts, then one after the other. */
static void step_host(struct logs *logs, size_t by)
{
	const struct job_logs *found = logs_of(logs);
	size_t *stream = &logs->pager->match.stream, count = found ? found->count : 0;
	size_t at = *stream == LOG_NONE ? count : *stream;
	at = (at + by) % (count + 1);
	*stream = at == count ? LOG_NONE : at;
}

static void next_host(void *state)
{
	step_host(state, 1);
}

static void previous_host(void *state)
{
	const struct job_logs *found = logs_of(state);
	step_host(state, found ? found->count : 0);
}

static void refresh_now(void *state)
{
	struct logs *logs = state;
	logs->ui->env->cloud.refresh(logs->ui->env->cloud.host);
}

static void leave(void *state)
{
	struct logs *logs = state;
	logs->ui->pop(logs->ui);
}

static void help(void *state)
{
	struct logs *logs = state;
	logs->ui->push(logs->ui, &help_pane, &logs_scope);
}

static void write_view(void *state)
{
	writing_begin(((struct logs *)state)->ui);
}

static const struct key_binding bindings[] = {
	{ .keys = "? F1",
	  .action = "logs-help",
	  .help = "the keys",
	  .brief = "help",
	  .flags = KEY_FOOTER,
	  .run = help },
	{ .keys = "F",
	  .action = "logs-follow",
	  .help = "follow the end, or stay here",
	  .brief = "follow",
	  .flags = KEY_FOOTER,
	  .run = follow },
	{ .keys = "/ F3",
	  .action = "logs-search",
	  .help = "search; all lines stay",
	  .brief = "search",
	  .flags = KEY_FOOTER,
	  .run = ask_search },
	{ .keys = "f F4 \\",
	  .action = "logs-filter",
	  .help = "only the lines with some words (!word: without)",
	  .brief = "filter",
	  .flags = KEY_FOOTER,
	  .run = ask_filter },
	{ .keys = "e",
	  .action = "logs-error",
	  .help = "to the first line that tells of an error",
	  .brief = "error",
	  .flags = KEY_FOOTER,
	  .run = to_error },
	{ .keys = "o",
	  .action = "logs-hosts",
	  .help = "choose a host, or all of them",
	  .brief = "host",
	  .flags = KEY_FOOTER,
	  .run = ask_host },
	{ .keys = "w",
	  .action = "logs-wrap",
	  .help = "wrap long lines, or cut them",
	  .brief = "wrap",
	  .flags = KEY_FOOTER,
	  .run = toggle_wrap },
	{ .keys = "t",
	  .action = "logs-times",
	  .help = "the time of each line, or not",
	  .brief = "times",
	  .flags = KEY_FOOTER,
	  .run = toggle_times },
	{ .keys = "q Esc C-c C-g",
	  .action = "logs-close",
	  .help = "close",
	  .brief = "close",
	  .flags = KEY_FOOTER,
	  .run = leave },
	{ .keys = "a", .action = "logs-all", .help = "all lines, no filter", .run = show_all },
	{ .keys = "n", .action = "logs-next", .help = "to the next match", .run = find_next },
	{ .keys = "N",
	  .action = "logs-previous",
	  .help = "to the previous match",
	  .run = find_previous },
	{ .keys = "Tab", .action = "logs-host-next", .help = "the next host", .run = next_host },
	{ .keys = "S-Tab",
	  .action = "logs-host-previous",
	  .help = "the previous host",
	  .run = previous_host },
	{ .keys = "j Down", .action = "logs-down", .help = "a line down", .run = line_down },
	{ .keys = "k Up", .action = "logs-up", .help = "a line up", .run = line_up },
	{ .keys = "C-d", .action = "logs-half-down", .help = "half a page down", .run = half_down },
	{ .keys = "C-u", .action = "logs-half-up", .help = "half a page up", .run = half_up },
	{ .keys = "PgDn Space",
	  .action = "logs-page-down",
	  .help = "a page down",
	  .run = page_down },
	{ .keys = "PgUp", .action = "logs-page-up", .help = "a page up", .run = page_up },
	{ .keys = "g Home", .action = "logs-start", .help = "to the first line", .run = to_start },
	{ .keys = "G End",
	  .action = "logs-end",
	  .help = "to the last line, and follow",
	  .run = to_end },
	{ .keys = "h Left",
	  .action = "logs-left",
	  .help = "to the left, while lines are cut",
	  .run = shift_left },
	{ .keys = "l Right",
	  .action = "logs-right",
	  .help = "to the right; long lines are cut then",
	  .run = shift_right },
	{ .keys = "W",
	  .action = "logs-write",
	  .help = "write the lines to a file: txt, log, md",
	  .brief = "write",
	  .run = write_view },
	{ .keys = "r F5", .action = "logs-refresh", .help = "ask AWS now", .run = refresh_now },
	{ 0 },
};

const struct key_scope logs_scope = { .name = "Logs", .bindings = bindings };

/* --- life --- */

static void logs_open(void *state, struct ui *ui, const void *argument)
{
	struct logs *logs = state;
	const struct job *job = argument ? store_find(ui->env->store, argument) : ui_selected(ui);
	logs->ui = ui;
	logs->arn = mem_copy_text(job ? job->arn : "");
	logs->name = mem_copy_text(job ? job->name : "");
	logs->pager = mem_new(1, sizeof(*logs->pager));
	log_pager_init(logs->pager);
	logs->pager->utc = ui->env->utc;
}

static void logs_close(void *state)
{
	struct logs *logs = state;
	log_pager_release(logs->pager);
	free(logs->pager);
	free(logs->arn);
	free(logs->name);
}

/* Who looks at older lines shall not see them go. */
static void logs_want(const void *state, struct wants *wants)
{
	const struct logs *logs = state;
	wants->logs = logs->arn;
	wants->logs_held = !logs->pager->follow;
}

/* --- picture --- */

static struct fresh fresh_of(const struct logs *logs, const struct job_logs *found)
{
	struct fresh fresh = { .state = FRESH_LOADING };
	if (found)
		fresh = freshness_state(&found->fresh, FRESH_LOGS_OLD_MS,
					clock_mono_ms(logs->ui->env->clock));
	fresh.resource = logs->name;
	return fresh;
}

/* "algo-1, only: loss, /nan 2 of 7" */
static void add_note(const struct logs *logs, const struct job_logs *found, struct buf *out)
{
	const struct log_pager *pager = logs->pager;
	const struct log_match *match = &pager->match;
	if (match->filter[0])
		buf_addf(out, "only: %s", match->filter);
	if (match->find[0] && pager->matches > 0)
		buf_addf(out, "%s/%s %zu of %zu", out->len ? ", " : "", match->find, pager->order,
			 pager->matches);
	else if (match->find[0])
		buf_addf(out, "%s/%s not found", out->len ? ", " : "", match->find);
	if (found && found->count > 1)
		buf_addf(out, "%s%s", out->len ? ", " : "",
			 match->stream == LOG_NONE ? "all hosts"
						   : found->streams[match->stream].label);
}

static void draw_below(const struct logs *logs, struct surface *out, struct rect line,
		       const struct fresh *fresh)
{
	struct buf text;
	if (fresh->state != FRESH_CURRENT && fresh->state != FRESH_LOADING) {
		fresh_draw_line(fresh, FRESH_SHOWS_NOTHING, out, line);
		return;
	}
	buf_init(&text, WORDS_MAX);
	logs_add_state(logs, &text);
	draw_text(out, line, STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

static void draw_inside(const struct logs *logs, struct surface *out, struct rect at,
			const struct job_logs *found)
{
	struct fresh fresh = fresh_of(logs, found);
	struct rect lines = { at.x, at.y, at.w, at.h - 1 };
	struct buf none;
	buf_init(&none, WORDS_MAX);
	logs_add_none(logs, &none);
	if (none.len > 0)
		(void)draw_wrapped(out, lines, STYLE_TEXT, buf_text(&none));
	else if (found)
		log_pager_draw(logs->pager, out, lines, found, ui_now_ms(logs->ui));
	buf_release(&none);
	draw_below(logs, out, layout_row(at, at.h - 1), &fresh);
}

static void logs_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct logs *logs = state;
	const struct job_logs *found = logs_of(logs);
	struct rect inner = layout_inset(at, 1);
	struct buf title, note;
	(void)focused;
	draw_clear(out, at);
	if (inner.w > 0 && inner.h > 1)
		draw_inside(logs, out, inner, found);
	buf_init(&title, WORDS_MAX);
	buf_init(&note, WORDS_MAX);
	buf_addf(&title, "Logs of %s%s", logs->name, logs->pager->utc ? " (UTC)" : "");
	add_note(logs, found, &note);
	draw_frame(out, at, buf_text(&title), buf_text(&note), true);
	buf_release(&title);
	buf_release(&note);
}

/* The lines that the filter and the choice of hosts let through, each with its time and host. */
static void logs_write(const void *state, const struct report_context *context, struct buf *out)
{
	const struct logs *logs = state;
	const struct job_logs *found = logs_of(logs);
	const struct log_match *match = &logs->pager->match;
	char at[TIME_TEXT_SIZE];
	(void)context;
	if (!found || found->lines.count == 0)
		return;
	for (size_t i = log_match_down(match, &found->lines, 0); i != LOG_NONE;
	     i = log_match_down(match, &found->lines, i + 1)) {
		const struct log_line *line = log_lines_at(&found->lines, i);
		time_format_iso(line->at_ms, at);
		buf_addf(out, "%s %s ", at, found->streams[line->stream].label);
		text_sanitise(out, line->text, line->len, TEXT_CELL, false);
		buf_add_char(out, '\n');
	}
}

const struct pane_ops logs_pane = {
	.name = "logs",
	.title = "Logs",
	.scope = &logs_scope,
	.state_size = sizeof(struct logs),
	.modal = true,
	.wants = logs_want,
	.open = logs_open,
	.close = logs_close,
	.draw = logs_draw,
	.writes = "txt log md",
	.write = logs_write,
};
