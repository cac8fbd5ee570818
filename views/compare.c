#include "views/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/request.h"
#include "model/request_diff.h"
#include "views/page.h"
#include "views/words.h"

#define LABEL_COLUMNS 16
#define SIDE_LEAST    12 /* columns of a side; a page has at least as many */

struct compare {
	struct page page; /* of the first; the keys of every page know it */
	char *other_arn;  /* owned */
};

struct sides {
	const struct ui *ui;
	const struct job *a, *b;
	struct buf *out;
	int columns; /* of a side */
	size_t rows; /* that differ */
};

/* Cut or filled to so many columns: what follows stands in a column of its own. */
static void add_side(struct buf *out, const char *text, int columns)
{
	struct buf safe;
	buf_init(&safe, WORDS_MAX);
	text_sanitise(&safe, text, strlen(text), TEXT_CELL, false);
	text_fit(out, buf_text(&safe), columns, true, false);
	buf_release(&safe);
}

static void add_row(struct sides *sides, const char *label, const char *a, const char *b)
{
	if (strcmp(a, b) == 0)
		return;
	sides->rows++;
	add_side(sides->out, label, LABEL_COLUMNS);
	add_side(sides->out, a, sides->columns);
	buf_addf(sides->out, "  %s\n", b);
}

/* --- rows --- */

typedef void side_fn(const struct ui *ui, const struct job *job, struct buf *out);

static void write_kind(const struct ui *ui, const struct job *job, struct buf *out)
{
	(void)ui;
	buf_add_text(out, job_kind_word(job->kind));
}

static void write_phase(const struct ui *ui, const struct job *job, struct buf *out)
{
	(void)ui;
	words_first_line(out, words_phase(job));
}

static void write_created(const struct ui *ui, const struct job *job, struct buf *out)
{
	if (job->created.set)
		words_time(out, job->created.ms, ui_now_ms(ui), ui->env->utc);
}

static void write_wait(const struct ui *ui, const struct job *job, struct buf *out)
{
	words_wait(out, job, ui_now_ms(ui));
}

static void write_choice(const struct ui *ui, const struct job *job, struct buf *out)
{
	(void)ui;
	if (job->selected.set && job->selected.rank > 0)
		buf_addf(out, "#%zu ", job->selected.rank);
	if (job->selected.set)
		buf_addf(out, "%s ×%lld", job->selected.instance_type,
			 (long long)job->selected.count);
	else
		buf_add_text(out, "–");
}

static void write_ran(const struct ui *ui, const struct job *job, struct buf *out)
{
	int64_t end_ms = job->ended.set ? job->ended.ms : ui_now_ms(ui);
	if (job->started.set)
		words_duration(out, words_span_ms(job->started.ms, end_ms));
	else
		buf_add_text(out, "–");
}

static void write_limit(const struct ui *ui, const struct job *job, struct buf *out)
{
	(void)ui;
	if (job->max_pending.set)
		words_duration(out, job->max_pending.ms);
	else
		buf_add_text(out, "–");
}

static void write_reason(const struct ui *ui, const struct job *job, struct buf *out)
{
	(void)ui;
	words_first_line(out, job->failure_reason ? job->failure_reason : "–");
}

static const struct {
	const char *label;
	side_fn *write;
} facts[] = {
	{ "kind", write_kind },           { "phase", write_phase },
	{ "created", write_created },     { "waited", write_wait },
	{ "got", write_choice },          { "on instances", write_ran },
	{ "pending limit", write_limit }, { "why it ended", write_reason },
};

static void add_facts(struct sides *sides)
{
	struct buf a, b;
	buf_init(&a, WORDS_MAX);
	buf_init(&b, WORDS_MAX);
	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		buf_clear(&a);
		buf_clear(&b);
		facts[i].write(sides->ui, sides->a, &a);
		facts[i].write(sides->ui, sides->b, &b);
		add_row(sides, facts[i].label, buf_text(&a), buf_text(&b));
	}
	buf_release(&a);
	buf_release(&b);
}

static void write_entry(const struct job *job, size_t i, struct buf *out)
{
	if (i >= job_prefs(job)->length) {
		buf_add_text(out, "–");
		return;
	}
	words_entry(out, job_prefs(job), i);
	if (prefs_plan(job_prefs(job), i)[0])
		buf_addf(out, " %s", words_plan(prefs_plan(job_prefs(job), i)));
}

static void add_list(struct sides *sides)
{
	size_t length = job_prefs(sides->a)->length;
	char label[LABEL_COLUMNS];
	struct buf a, b;
	if (job_prefs(sides->b)->length > length)
		length = job_prefs(sides->b)->length;
	buf_init(&a, WORDS_MAX);
	buf_init(&b, WORDS_MAX);
	for (size_t i = 0; i < length; i++) {
		buf_clear(&a);
		buf_clear(&b);
		write_entry(sides->a, i, &a);
		write_entry(sides->b, i, &b);
		if (snprintf(label, sizeof(label), "#%u", (unsigned)i + 1) > 0)
			add_row(sides, label, buf_text(&a), buf_text(&b));
	}
	buf_release(&a);
	buf_release(&b);
}

/* --- requests --- */

/* What was asked for, under one name for both. */
static bool request_of(const struct job *job, struct request *request)
{
	struct err ignored = { 0 };
	bool ok = job->request_json && request_from_describe(request, job->kind, job->request_json,
							     "compared", &ignored);
	err_clear(&ignored);
	return ok;
}

static void add_unread(struct sides *sides, const struct job *job)
{
	if (!job->request_json)
		buf_addf(sides->out,
			 "What was asked for %s has not been read: select it, and wait a moment.\n",
			 job->name);
}

static void add_members(struct sides *sides, const struct request_diff *diff)
{
	for (size_t i = 0; i < diff->count; i++) {
		const struct difference *at = &diff->items[i];
		buf_addf(sides->out, "%s\n", at->path);
		add_side(sides->out, "", LABEL_COLUMNS);
		add_side(sides->out, at->before[0] ? at->before : "–", sides->columns);
		buf_addf(sides->out, "  %s\n", at->after[0] ? at->after : "–");
	}
	if (diff->count == 0)
		buf_add_text(sides->out, "Nothing: both were asked for alike.\n");
	if (diff->cut)
		buf_add_text(sides->out, "... and more.\n");
}

static void add_requests(struct sides *sides)
{
	struct request a = { 0 }, b = { 0 };
	struct request_diff *diff = mem_new(1, sizeof(*diff));
	struct err err = { 0 };
	buf_add_text(sides->out, "\nIN THE REQUESTS\n");
	if (!request_of(sides->a, &a) || !request_of(sides->b, &b)) {
		add_unread(sides, sides->a);
		add_unread(sides, sides->b);
	} else if (request_diff_find(diff, &a, &b, &err)) {
		add_members(sides, diff);
	} else {
		buf_addf(sides->out, "They cannot be compared: %s\n", err_text(&err));
	}
	err_clear(&err);
	request_release(&a);
	request_release(&b);
	free(diff);
}

/* --- the page --- */

static void write_page(struct sides *sides)
{
	add_side(sides->out, "WHAT DIFFERS", LABEL_COLUMNS);
	add_side(sides->out, sides->a->name, sides->columns);
	buf_addf(sides->out, "  %s\n", sides->b->name);
	add_facts(sides);
	add_list(sides);
	if (sides->rows == 0)
		buf_add_text(sides->out, "Nothing that is known of the jobs themselves.\n");
	add_requests(sides);
}

static void compare_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct compare *compare = state;
	const struct store *store = compare->page.ui->env->store;
	int columns = (at.w - 4 - LABEL_COLUMNS) / 2;
	struct buf text;
	buf_init(&text, PAGE_TEXT_MAX);
	struct sides sides = { .ui = compare->page.ui,
			       .a = page_job(&compare->page),
			       .b = store_find(store, compare->other_arn),
			       .out = &text,
			       .columns = columns < SIDE_LEAST ? SIDE_LEAST : columns };
	(void)focused;
	if (sides.a && sides.b)
		write_page(&sides);
	else
		buf_add_text(&text, "One of the two is not listed any more.");
	page_paint(&compare->page, out, at, buf_text(&text));
	buf_release(&text);
}

static void compare_open(void *state, struct ui *ui, const void *argument)
{
	const char *const *arns = argument;
	struct compare *compare = state;
	page_start(&compare->page, ui, "Two jobs", PAGE_ABOUT_JOB);
	page_set_job(&compare->page, arns[0]);
	compare->other_arn = mem_copy_text(arns[1]);
}

static void compare_close(void *state)
{
	free(((struct compare *)state)->other_arn);
	page_close(state);
}

static const struct pane_ops compare_pane = {
	.name = "compare",
	.title = "Two jobs",
	.scope = &pager_scope,
	.state_size = sizeof(struct compare),
	.modal = true,
	.open = compare_open,
	.close = compare_close,
	.draw = compare_draw,
};

void compare_begin(struct ui *ui)
{
	const struct marks *marks = &ui->marks;
	const char *selected = ui_on_local(ui) ? NULL : ui->selected_arn;
	const char *arns[2] = { marks->count > 0 ? marks->arns[0] : NULL,
				marks->count == 2 ? marks->arns[1] : selected };
	bool two = arns[0] && arns[1] && marks->count <= 2 && strcmp(arns[0], arns[1]) != 0;
	if (two && store_find(ui->env->store, arns[0]) && store_find(ui->env->store, arns[1]))
		ui->push(ui, &compare_pane, arns);
	else
		ui->say(ui, STYLE_DIM,
			"Space marks one job, = on another compares the two (or mark both)");
}
