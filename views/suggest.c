/* The best lists of the config's certified entries; one takes the place of the list. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/candidates.h"
#include "model/config_known.h"
#include "views/ask.h"
#include "views/prospect.h"
#include "views/words.h"

#define BOX_COLUMNS   78
#define LIST_COLUMN   17 /* behind the chance and the cost */
#define BOX_LINES     18
#define STEP_WORK     50000 /* about a millisecond */
#define HOUR_MS       INT64_C(3600000)
#define MICRO         1000000.0
#define BUDGET_DIGITS 32

static const int64_t deadlines[] = { 6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS, 48 * HOUR_MS,
				     7 * 24 * HOUR_MS };
#define DEADLINE_FIRST 2

/* By chance alone; else the cheapest of those with so many per cent. */
static const int least_chances[] = { 0, 50, 80, 90, 95 };

struct suggesting {
	struct ui *ui;
	struct check_known known;
	struct check_certified *certified; /* owned */
	struct candidates candidates;
	struct suggest *suggest; /* owned; NULL: the past is being read */
	bool done;
	size_t deadline, least, cursor;
	void (*chosen)(void *ctx, const char *name, const struct preferences *prefs);
	void *ctx;
};

/* Anew, with what is known now. */
static void start(struct suggesting *suggesting)
{
	const struct ui *ui = suggesting->ui;
	struct suggest_ask *ask = &suggesting->candidates.ask;
	struct wait_curves *curves = prospect_curves(ui);
	suggest_free(suggesting->suggest);
	suggesting->suggest = NULL;
	suggesting->done = false;
	suggesting->cursor = 0;
	ask->deadline_ms = deadlines[suggesting->deadline];
	ask->by = least_chances[suggesting->least] ? SUGGEST_BY_COST : SUGGEST_BY_CHANCE;
	ask->least_chance = least_chances[suggesting->least] / 100.0;
	if (curves)
		suggesting->suggest = suggest_new(curves, ask, ui_now_ms(ui));
}

static void open_suggesting(void *state, struct ui *ui, const void *argument)
{
	const struct lists_argument *wanted = argument;
	struct suggesting *suggesting = state;
	const struct job *job = ui_subject(ui);
	char stem[JOB_NAME_SIZE] = "";
	suggesting->ui = ui;
	suggesting->chosen = wanted->chosen;
	suggesting->ctx = wanted->ctx;
	suggesting->deadline = DEADLINE_FIRST;
	suggesting->certified = config_fill_known(ui->env->config, &suggesting->known);
	if (job) {
		const struct draft *draft = draft_find(ui, job->arn);
		suggesting->candidates.ask.limit = draft ? draft->max_pending : job->max_pending;
		job_stem(job->name, stem);
		suggesting->candidates.ask.kind = job->kind;
		suggesting->candidates.ask.spot = job->spot;
		suggesting->candidates.ask.most = job->spot ? 1 : PREFS_MAX; /* no lists of spot */
	}
	candidates_fill(&suggesting->candidates, &suggesting->known, stem, &ui->env->store->prices);
	start(suggesting);
}

static void close_suggesting(void *state)
{
	struct suggesting *suggesting = state;
	suggest_free(suggesting->suggest);
	free(suggesting->certified);
}

static bool idle(void *state)
{
	struct suggesting *suggesting = state;
	if (suggesting->done)
		return false;
	if (!suggesting->suggest) {
		start(suggesting);
		return suggesting->suggest != NULL;
	}
	suggesting->done = suggest_step(suggesting->suggest, STEP_WORK);
	return true;
}

static size_t found(const struct suggesting *suggesting, const struct suggestion **best)
{
	*best = NULL;
	return suggesting->suggest && suggesting->done ? suggest_best(suggesting->suggest, best)
						       : 0;
}

static void go_down(void *state)
{
	struct suggesting *suggesting = state;
	const struct suggestion *best;
	if (suggesting->cursor + 1 < found(suggesting, &best))
		suggesting->cursor++;
}

static void go_up(void *state)
{
	struct suggesting *suggesting = state;
	if (suggesting->cursor > 0)
		suggesting->cursor--;
}

static void next_deadline(void *state)
{
	struct suggesting *suggesting = state;
	suggesting->deadline = (suggesting->deadline + 1) % ARRAY_LEN(deadlines);
	start(suggesting);
}

static void next_least(void *state)
{
	struct suggesting *suggesting = state;
	suggesting->least = (suggesting->least + 1) % ARRAY_LEN(least_chances);
	start(suggesting);
}

/* Nothing at all is no budget. */
static void take_budget(void *ctx, const char *text)
{
	struct suggesting *suggesting = ctx;
	struct money budget = { 0 };
	if (text[strspn(text, " ")] && !candidates_read_budget(text, &budget)) {
		suggesting->ui->say(suggesting->ui, STYLE_WARNING,
				    "the budget is as it was: write 2500 or 99.50");
		return;
	}
	suggesting->candidates.ask.budget = budget;
	start(suggesting);
}

static void ask_budget(void *state)
{
	struct suggesting *suggesting = state;
	struct money budget = suggesting->candidates.ask.budget;
	char now[BUDGET_DIGITS] = "";
	if (budget.set)
		(void)snprintf(now, sizeof(now), "%.15g", (double)budget.micro / MICRO);
	const struct line_argument argument = { .label = "budget of the run: ",
						.initial = now,
						.help = "2500, 99.50; empty = none",
						.taken = take_budget,
						.ctx = suggesting };
	suggesting->ui->push(suggesting->ui, &line_pane, &argument);
}

static void add_list(const struct suggesting *suggesting, const struct suggestion *suggestion,
		     struct buf *out)
{
	for (size_t i = 0; i < suggestion->count; i++) {
		const struct suggest_candidate *pick =
			&suggesting->candidates.ask.candidates[suggestion->picks[i]];
		buf_addf(out, "%s%s:%lld", i ? "," : "", pick->instance_type,
			 (long long)pick->count);
	}
}

static void choose(void *state)
{
	struct suggesting *suggesting = state;
	const struct suggestion *best;
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	struct buf text;
	if (suggesting->cursor >= found(suggesting, &best))
		return;
	buf_init(&text, WORDS_MAX);
	add_list(suggesting, &best[suggesting->cursor], &text);
	bool whole = prefs_parse(&prefs, buf_text(&text), 0, &err);
	suggesting->ui->pop(suggesting->ui);
	if (whole)
		suggesting->chosen(suggesting->ctx, "as suggested", &prefs);
	else
		suggesting->ui->say(suggesting->ui, STYLE_WARNING, err_text(&err));
	err_clear(&err);
	buf_release(&text);
}

static void cancel(void *state)
{
	struct suggesting *suggesting = state;
	suggesting->ui->pop(suggesting->ui);
}

static const struct key_binding suggest_keys[] = {
	{ .keys = "j Down",
	  .action = "suggest-next",
	  .help = "the next list",
	  .brief = "next",
	  .flags = KEY_FOOTER,
	  .run = go_down },
	{ .keys = "k Up",
	  .action = "suggest-previous",
	  .help = "the list above",
	  .brief = "previous",
	  .flags = KEY_FOOTER,
	  .run = go_up },
	{ .keys = "Enter",
	  .action = "suggest-choose",
	  .help = "put it in the place of the list; u undoes it",
	  .brief = "take",
	  .flags = KEY_FOOTER,
	  .run = choose },
	{ .keys = "d",
	  .action = "suggest-deadline",
	  .help = "another time to finish in: 6h, 12h, 24h, 48h, 7d",
	  .brief = "deadline",
	  .flags = KEY_FOOTER,
	  .run = next_deadline },
	{ .keys = "b",
	  .action = "suggest-budget",
	  .help = "what the run may cost, in the price's currency",
	  .brief = "budget",
	  .flags = KEY_FOOTER,
	  .run = ask_budget },
	{ .keys = "c",
	  .action = "suggest-cheapest",
	  .help = "the cheapest with 50, 80, 90, 95 % chance; by chance alone",
	  .brief = "cheapest",
	  .flags = KEY_FOOTER,
	  .run = next_least },
	{ .keys = "Esc q C-c C-g",
	  .action = "suggest-cancel",
	  .help = "leave the list as it is",
	  .brief = "cancel",
	  .flags = KEY_FOOTER,
	  .run = cancel },
	{ 0 },
};

const struct key_scope suggest_scope = { .name = "Suggested lists", .bindings = suggest_keys };

static void add_cost(const struct suggesting *suggesting, struct money cost, struct buf *out)
{
	if (cost.set)
		words_money(out, cost.micro, suggesting->candidates.currency,
			    suggesting->candidates.is_estimate);
	else
		buf_add_text(out, "no price");
}

/* "91 %", by cost "91 % for ~$127". */
static void add_measure(const struct suggesting *suggesting, double chance, struct money cost,
			struct buf *out)
{
	buf_addf(out, "%.0f %%", chance * 100);
	if (suggesting->candidates.ask.by != SUGGEST_BY_COST)
		return;
	buf_add_text(out, " for ");
	add_cost(suggesting, cost, out);
}

/* What the best one has before the others, and what each of its entries adds. */
static void add_why(const struct suggesting *suggesting, const struct suggestion *best,
		    struct buf *out)
{
	const struct suggest_ask *ask = &suggesting->candidates.ask;
	int least = least_chances[suggesting->least];
	struct suggest_why why;
	if (!suggest_why(suggesting->suggest, &why))
		return;
	if (best->chance < ask->least_chance)
		buf_addf(out, "None has %d %%: by chance. ", least);
	if (best->count > 1) {
		buf_addf(out, "Why the first: %s alone, the best alone, has ",
			 ask->candidates[why.alone].instance_type);
		add_measure(suggesting, why.alone_chance, why.alone_cost, out);
	} else if (ask->by == SUGGEST_BY_COST && best->chance >= ask->least_chance) {
		buf_addf(out, "Why the first: no list with %d %% costs less", least);
	} else {
		buf_add_text(out, "Why the first: no entry beside it makes it likelier");
	}
	for (size_t i = 0; i < best->count && best->count > 1; i++) {
		buf_addf(out, "; it without #%zu ", i + 1);
		add_measure(suggesting, why.without[i], why.without_cost[i], out);
	}
	buf_add_text(out, ". By this account's past, not by what is free now.");
}

static void add_left_out(const struct suggesting *suggesting, struct buf *out)
{
	static const char *const words[] = {
		[SUGGEST_TOO_FEW] = "n too small",
		[SUGGEST_TOO_SLOW] = "its run takes longer",
		[SUGGEST_TOO_DEAR] = "its run costs more than the budget",
		[SUGGEST_NO_PRICE] = "no price",
	};
	size_t count = 0;
	for (size_t i = 0; i < suggesting->candidates.ask.count; i++) {
		enum suggest_left left = suggest_left(suggesting->suggest, i);
		if (left == SUGGEST_FIT)
			continue;
		buf_addf(out, "%s%s (%s)", count++ ? ", " : "Left out: ",
			 suggesting->candidates.ask.candidates[i].instance_type, words[left]);
	}
}

static void draw_row(const struct suggesting *suggesting, const struct suggestion *row, bool here,
		     struct surface *out, struct rect line)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%3.0f %%  ", row->chance * 100);
	add_cost(suggesting, row->expected_cost, &text);
	while (text_width(buf_text(&text)) < LIST_COLUMN)
		buf_add_char(&text, ' ');
	add_list(suggesting, row, &text);
	draw_text(out, line, STYLE_TEXT, here ? draw_glyph(out, GLYPH_CURSOR) : "");
	draw_text(out, (struct rect){ line.x + 2, line.y, line.w - 2, 1 }, STYLE_TEXT,
		  buf_text(&text));
	if (here)
		draw_highlight(out, line, STYLE_SELECTED);
	buf_release(&text);
}

/* What to write into the config, in this job's own words. */
static void add_example(const struct suggesting *suggesting, struct buf *out)
{
	const struct job *job = ui_subject(suggesting->ui);
	const struct preferences *prefs = job ? job_prefs(job) : NULL;
	char stem[JOB_NAME_SIZE] = "";
	int64_t count = 1;
	if (!prefs || prefs->length == 0)
		return;
	job_stem(job->name, stem);
	(void)prefs_count(prefs, 0, &count);
	buf_addf(out,
		 " One entry looks like this:\n\n[certified big]\nstems = %s\ntype = %s\n"
		 "count = %" PRId64 "\nrun_time = 6h",
		 stem, prefs->entries[0].instance_type, count);
}

/* Why there is no row. */
static const char *nothing_word(const struct suggesting *suggesting)
{
	if (!suggesting->suggest)
		return "the past is being read";
	return suggesting->done ? "none is known to finish in that time" : "searching";
}

static void draw_found(const struct suggesting *suggesting, struct surface *out, struct rect at)
{
	const struct suggestion *best;
	size_t count = found(suggesting, &best);
	struct buf text;
	buf_init(&text, WORDS_MAX);
	for (size_t i = 0; i < count && (int)i < at.h; i++)
		draw_row(suggesting, &best[i], i == suggesting->cursor, out,
			 (struct rect){ at.x, at.y + (int)i, at.w, 1 });
	at.y += (int)count;
	at.h -= (int)count;
	if (count == 0 && suggesting->candidates.ask.count == 0) {
		buf_add_text(&text, "The config certifies nothing for this job with a run time.");
		add_example(suggesting, &text);
	} else if (count == 0) {
		buf_add_text(&text, nothing_word(suggesting));
	} else {
		add_why(suggesting, &best[0], &text);
	}
	if (suggesting->suggest && suggesting->done && suggesting->candidates.ask.count) {
		buf_add_text(&text, "\n\n");
		add_left_out(suggesting, &text);
	}
	if (at.h > 0)
		draw_wrapped(out, at, STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

static void draw_suggesting(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct suggesting *suggesting = state;
	struct rect box = ask_box(at, BOX_COLUMNS, BOX_LINES);
	struct rect inner = { box.x + 2, box.y + 1, box.w - 4, box.h - 2 };
	struct buf note;
	buf_init(&note, WORDS_MAX);
	buf_add_text(&note, "finish in ");
	words_duration(&note, deadlines[suggesting->deadline]);
	if (suggesting->candidates.ask.limit.set) {
		buf_add_text(&note, ", limit ");
		words_duration(&note, suggesting->candidates.ask.limit.ms);
	}
	if (suggesting->candidates.ask.budget.set) {
		buf_add_text(&note, ", ");
		words_money(&note, suggesting->candidates.ask.budget.micro,
			    suggesting->candidates.currency, false);
	}
	if (suggesting->least)
		buf_addf(&note, ", cheapest with %d %%", least_chances[suggesting->least]);
	draw_clear(out, box);
	draw_frame(out, box, "Suggested lists", buf_text(&note), focused);
	if (inner.w > 2)
		draw_found(suggesting, out, inner);
	buf_release(&note);
}

const struct pane_ops suggest_pane = {
	.name = "suggest",
	.title = "Suggested lists",
	.scope = &suggest_scope,
	.state_size = sizeof(struct suggesting),
	.modal = true,
	.open = open_suggesting,
	.close = close_suggesting,
	.idle = idle,
	.draw = draw_suggesting,
};
