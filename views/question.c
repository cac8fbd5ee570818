/* A question above everything else: asked, answered once, gone. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/pager.h"
#include "views/ask.h"
#include "views/pane.h"
#include "views/words.h"

#define BOX_COLUMNS  76
#define FRAMED_LINES 5 /* lower, the frame's lines go to the text */

/* What the frames so far have shown of the text. */
struct reading {
	struct pager pager;
	bool to_end;
};

struct asked {
	struct ui *ui;
	char *title, *text; /* owned */
	void (*yes)(void *ctx);
	void (*no)(void *ctx);
	void *ctx;
	bool answered;
	struct ask ask;
	struct reading *reading; /* owned; drawing writes it through a const state */
};

static void open_question(void *state, struct ui *ui, const void *argument)
{
	const struct question *question = argument;
	struct asked *asked = state;

	asked->ui = ui;
	asked->title = mem_copy_text(question->title);
	asked->text = mem_copy_text(question->text ? question->text : "");
	asked->yes = question->yes;
	asked->no = question->no;
	asked->ctx = question->ctx;
	asked->reading = mem_new(1, sizeof(*asked->reading));
	ask_start(&asked->ask, ui->env, question->changes_cloud, question->type_name);
}

static void close_question(void *state)
{
	struct asked *asked = state;

	free(asked->title);
	free(asked->text);
	free(asked->reading);
	ask_release(&asked->ask);
}

/* Gone before its answer is carried out: that may put something else above. */
static void answer(struct asked *asked, void (*act)(void *ctx))
{
	if (asked->answered)
		return;
	asked->answered = true;
	asked->ui->pop(asked->ui);
	if (act)
		act(asked->ctx);
}

/* Where the text is longer than its box the keys that read on do not answer. */
static bool read_on(const struct asked *asked, struct key key)
{
	struct pager *pager = &asked->reading->pager;
	int page = pager->height > 1 ? pager->height - 1 : 1;

	if (pager->height < 1 || pager->lines <= (size_t)pager->height)
		return false;
	if (key_equal(key, (struct key){ .code = KEY_CODE_DOWN }))
		pager_scroll(pager, 1);
	else if (key_equal(key, (struct key){ .code = KEY_CODE_UP }))
		pager_scroll(pager, -1);
	else if (key_equal(key, (struct key){ .code = KEY_CODE_PAGE_DOWN }))
		pager_scroll(pager, page);
	else if (key_equal(key, (struct key){ .code = KEY_CODE_PAGE_UP }))
		pager_scroll(pager, -page);
	else
		return false;
	return true;
}

/* A yes is to what has been in sight, on the smallest terminal too; a typed name says as much. */
static bool is_read(const struct asked *asked)
{
	const struct reading *reading = asked->reading;

	return reading->pager.lines == 0 || reading->to_end || asked->ask.type_name;
}

static bool feed_question(void *state, struct key key, const char *paste)
{
	struct asked *asked = state;

	if (!ask_is_deaf(&asked->ask) && read_on(asked, key))
		return true;
	switch (ask_feed(&asked->ask, key, paste)) {
	case ANSWER_YES:
		if (is_read(asked))
			answer(asked, asked->yes);
		else
			asked->ui->say(asked->ui, STYLE_WARNING, "Down reads on; then y");
		break;
	case ANSWER_NO:
		answer(asked, asked->no);
		break;
	case ANSWER_NONE:
		break;
	}
	return true;
}

/* How much of the text is in sight; "" = all of it. */
static void add_note(const struct asked *asked, struct buf *out)
{
	const struct pager *pager = &asked->reading->pager;
	size_t end = pager->top + (size_t)pager->height;

	if (pager->lines > (size_t)pager->height)
		buf_addf(out, "line %zu of %zu: Down", end, pager->lines);
}

static void draw_text_part(const struct asked *asked, struct surface *out, struct rect at)
{
	struct pager *pager = &asked->reading->pager;

	pager_draw(pager, out, at, asked->text);
	if (pager->top + (size_t)pager->height >= pager->lines)
		asked->reading->to_end = true;
}

static void draw_question(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct asked *asked = state;
	bool framed = at.h >= FRAMED_LINES;
	struct rect box = ask_box(at, BOX_COLUMNS, at.h);
	int side = framed ? 2 : 0, edge = framed ? 1 : 0, columns = box.w - 2 * side;
	int asking = ask_lines(&asked->ask, out, columns, "");
	int text = draw_wrapped(out, (struct rect){ .w = columns }, STYLE_TEXT, asked->text);
	struct buf note;

	box = ask_box(at, BOX_COLUMNS, text + asking + 1 + 2 * edge);
	struct rect inner = { box.x + side, box.y + edge, columns, box.h - 2 * edge };
	asking = asking > inner.h ? inner.h : asking;
	int page = inner.h - asking < text ? inner.h - asking : text;

	draw_clear(out, box);
	draw_text_part(asked, out, (struct rect){ inner.x, inner.y, inner.w, page });
	buf_init(&note, WORDS_MAX);
	add_note(asked, &note);
	if (framed)
		draw_frame(out, box, asked->title, buf_text(&note), focused);
	buf_release(&note);
	ask_draw(&asked->ask, out,
		 (struct rect){ inner.x, inner.y + inner.h - asking, inner.w, asking }, "");
}

static void key_yes(void *state)
{
	feed_question(state, (struct key){ .code = 'y' }, NULL);
}

static void key_no(void *state)
{
	feed_question(state, (struct key){ .code = KEY_CODE_ESC }, NULL);
}

/* Every key goes through feed_question first; the rows are what footer and help say. */
static const struct key_binding question_keys[] = {
	{ .keys = "y",
	  .action = "question-yes",
	  .help = "yes, where no name is asked for",
	  .brief = "yes",
	  .flags = KEY_FOOTER,
	  .run = key_yes },
	{ .keys = "Esc Enter C-c C-g",
	  .action = "question-no",
	  .help = "no, like every other key",
	  .brief = "no",
	  .flags = KEY_FOOTER,
	  .run = key_no },
	{ 0 },
};

/* What the footer names instead where y is a letter of the name. */
static const struct key_binding naming_keys[] = {
	{ .keys = "Enter", .brief = "yes (name typed)", .flags = KEY_FOOTER, .run = key_yes },
	{ .keys = "Esc", .brief = "no", .flags = KEY_FOOTER, .run = key_no },
	{ 0 },
};
static const struct key_scope naming_scope = { .name = "Question", .bindings = naming_keys };

static const struct key_scope *footer_of_question(const void *state)
{
	const struct asked *asked = state;

	return asked->ask.type_name ? &naming_scope : NULL;
}

const struct key_scope question_scope = { .name = "Question",
					  .bindings = question_keys,
					  .answers = true };

const struct pane_ops question_pane = {
	.name = "question",
	.title = "Question",
	.scope = &question_scope,
	.state_size = sizeof(struct asked),
	.modal = true,
	.open = open_question,
	.close = close_question,
	.feed = feed_question,
	.draw = draw_question,
	.footer = footer_of_question,
};
