/* A question above everything else: asked, answered once, gone. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/ask.h"
#include "views/pane.h"

#define BOX_COLUMNS 76

struct asked {
	struct ui *ui;
	char *title, *text; /* owned */
	void (*yes)(void *ctx);
	void (*no)(void *ctx);
	void *ctx;
	bool answered;
	struct ask ask;
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
	ask_start(&asked->ask, ui->env, question->changes_cloud, question->type_name);
}

static void close_question(void *state)
{
	struct asked *asked = state;

	free(asked->title);
	free(asked->text);
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

static bool feed_question(void *state, struct key key, const char *paste)
{
	struct asked *asked = state;

	switch (ask_feed(&asked->ask, key, paste)) {
	case ANSWER_YES:
		answer(asked, asked->yes);
		break;
	case ANSWER_NO:
		answer(asked, asked->no);
		break;
	case ANSWER_NONE:
		break;
	}
	return true;
}

static void draw_question(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct asked *asked = state;
	struct rect box = ask_box(at, BOX_COLUMNS, at.h);
	struct rect unmeasured = { .w = box.w - 4 };
	int asking = ask_lines(&asked->ask, out, unmeasured.w, "");
	int text = draw_wrapped(out, unmeasured, STYLE_TEXT, asked->text);
	struct rect inner;

	box = ask_box(at, BOX_COLUMNS, text + asking + 3);
	draw_clear(out, box);
	draw_frame(out, box, asked->title, "", focused);
	inner = (struct rect){ box.x + 2, box.y + 1, box.w - 4, box.h - 2 };
	if (inner.h > asking)
		draw_wrapped(out, (struct rect){ inner.x, inner.y, inner.w, inner.h - asking },
			     STYLE_TEXT, asked->text);
	else
		asking = inner.h;
	inner = (struct rect){ inner.x, inner.y + inner.h - asking, inner.w, asking };
	ask_draw(&asked->ask, out, inner, "");
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

const struct key_scope question_scope = { .name = "Question", .bindings = question_keys };

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
};
