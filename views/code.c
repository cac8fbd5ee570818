/*
 * The code of an MFA device, asked for a role that wants one. What was typed before it opened is
 * thrown away and keys are ignored for a moment, as with a question that changes AWS: digits on
 * their way to something else are no code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/ask.h"
#include "views/pane.h"
#include "views/words.h"

#define CODE_DIGITS 6

#define BOX_COLUMNS  64
#define FRAMED_LINES 6 /* lower, the frame's lines go to the text */

struct code {
	struct ui *ui;
	char *profile, *serial; /* owned */
	void (*answered)(void *ctx, const char *code);
	void *ctx;
	char digits[CODE_DIGITS + 1];
	size_t count;
	struct ask ask; /* for its deaf time */
};

static void open_code(void *state, struct ui *ui, const void *argument)
{
	const struct code_argument *wanted = argument;
	struct code *code = state;

	code->ui = ui;
	code->profile = mem_copy_text(wanted->profile);
	code->serial = mem_copy_text(wanted->serial);
	code->answered = wanted->answered;
	code->ctx = wanted->ctx;
	ask_start(&code->ask, ui->env, true, NULL);
}

static void close_code(void *state)
{
	struct code *code = state;

	explicit_bzero(code->digits, sizeof(code->digits));
	free(code->profile);
	free(code->serial);
	ask_release(&code->ask);
}

static void add_digit(struct code *code, char digit)
{
	if (digit < '0' || digit > '9' || code->count >= CODE_DIGITS)
		return;
	code->digits[code->count++] = digit;
	code->digits[code->count] = '\0';
}

/* Gone before it is answered: the answer may bring another question. */
static void answer(struct code *code, const char *text)
{
	code->ui->pop(code->ui);
	code->answered(code->ctx, text);
}

static void send(void *state)
{
	struct code *code = state;
	char missing[64];

	if (code->count == CODE_DIGITS) {
		answer(code, code->digits);
		return;
	}
	if (snprintf(missing, sizeof(missing), "a code has six digits; these are %zu",
		     code->count) > 0)
		code->ui->say(code->ui, STYLE_WARNING, missing);
}

static void give_up(void *state)
{
	answer(state, NULL);
}

static void erase(void *state)
{
	struct code *code = state;

	if (code->count > 0)
		code->digits[--code->count] = '\0';
}

/* A paste fills the field ("123 456" too), but never sends it. */
static bool feed_code(void *state, struct key key, const char *paste)
{
	struct code *code = state;

	if (ask_is_deaf(&code->ask))
		return true;
	if (!paste && keys_find(code_scope.bindings, key, false))
		return false;
	for (; paste && *paste; paste++)
		add_digit(code, *paste);
	if (key.mods == 0 && key.code < 0x80)
		add_digit(code, (char)key.code);
	return true;
}

static const struct key_binding code_keys[] = {
	{ .keys = "Enter",
	  .action = "code-send",
	  .help = "send the code, once it has six digits",
	  .brief = "send",
	  .flags = KEY_FOOTER,
	  .run = send },
	{ .keys = "Backspace", .action = "code-erase", .help = "erase a digit", .run = erase },
	{ .keys = "Esc C-c C-g",
	  .action = "code-give-up",
	  .help = "give up; r asks for it again",
	  .brief = "give up",
	  .flags = KEY_FOOTER,
	  .run = give_up },
	{ 0 },
};

const struct key_scope code_scope = { .name = "Code of an MFA device", .bindings = code_keys };

/* --- picture --- */

/* The digits themselves are nobody's business, as at a shell's prompt. */
static void add_field(const struct code *code, struct buf *out)
{
	buf_add_text(out, "code: ");
	for (size_t i = 0; i < CODE_DIGITS; i++)
		buf_add_char(out, i < code->count ? '*' : '_');
	buf_addf(out, "   %s",
		 ask_is_deaf(&code->ask)      ? "(one moment)"
		 : code->count == CODE_DIGITS ? "Enter sends it"
					      : "");
}

static void draw_code(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct code *code = state;
	bool framed = at.h >= FRAMED_LINES;
	int side = framed ? 2 : 0, edge = framed ? 1 : 0;
	struct rect box = ask_box(at, BOX_COLUMNS, at.h);
	struct buf text, field;

	buf_init(&text, WORDS_MAX);
	buf_init(&field, WORDS_MAX);
	buf_addf(&text, "Profile %s asks for the code of its MFA device %s.", code->profile,
		 code->serial);
	add_field(code, &field);
	int lines = draw_wrapped(out, (struct rect){ .w = box.w - 2 * side }, STYLE_TEXT,
				 buf_text(&text));
	box = ask_box(at, BOX_COLUMNS, lines + 2 + 2 * edge);
	struct rect inner = { box.x + side, box.y + edge, box.w - 2 * side, box.h - 2 * edge };
	struct rect line = { inner.x, inner.y + inner.h - 1, inner.w, 1 };
	draw_clear(out, box);
	inner.h--;
	if (inner.h > 0)
		draw_wrapped(out, inner, STYLE_TEXT, buf_text(&text));
	draw_text(out, line, STYLE_QUESTION, buf_text(&field));
	draw_cursor(out, line.x + (int)strlen("code: ") + (int)code->count, line.y);
	if (framed)
		draw_frame(out, box, "MFA", "", focused);
	buf_release(&text);
	buf_wipe(&field);
	buf_release(&field);
}

const struct pane_ops code_pane = {
	.name = "code",
	.title = "MFA",
	.scope = &code_scope,
	.state_size = sizeof(struct code),
	.modal = true,
	.open = open_code,
	.close = close_code,
	.feed = feed_code,
	.draw = draw_code,
};
