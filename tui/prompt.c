#include "tui/prompt.h"

#include <stdio.h>
#include <string.h>

#include "model/base/text.h"

/* editing */

/* A character that may stand in a line: no controls, nothing that turns the writing direction. */
static bool is_typed(uint32_t code)
{
	return code >= 0x20 && !(code >= 0x7f && code < 0xa0) && code != TEXT_BAD &&
	       code != 0x061c && code != 0x200e && code != 0x200f &&
	       !(code >= 0x2028 && code <= 0x202e) && !(code >= 0x2066 && code <= 0x2069) &&
	       code < KEY_CODE_FIRST;
}

static bool insert(struct prompt *prompt, const char *bytes, size_t len)
{
	if (len >= sizeof(prompt->text) - prompt->len)
		return false;
	memmove(prompt->text + prompt->cursor + len, prompt->text + prompt->cursor,
		prompt->len - prompt->cursor + 1);
	memcpy(prompt->text + prompt->cursor, bytes, len);
	prompt->len += len;
	prompt->cursor += len;
	return true;
}

static void insert_text(struct prompt *prompt, const char *text)
{
	size_t len = strlen(text), at = 0;

	while (at < len) {
		uint32_t code;
		size_t used = text_decode(text + at, len - at, &code);
		/* What does not fit is left out from there on, never from the middle. */
		if (is_typed(code) && !insert(prompt, text + at, used))
			return;
		at += used;
	}
}

static void insert_code(struct prompt *prompt, uint32_t code)
{
	char bytes[4];
	size_t len = key_encode(code, bytes);

	if (is_typed(code))
		(void)insert(prompt, bytes, len);
}

/* Where the character before or after a place begins; combining marks go with their base. */
static size_t before(const struct prompt *prompt, size_t at)
{
	uint32_t code = 0;

	while (at > 0) {
		at--;
		if (((unsigned char)prompt->text[at] & 0xc0) == 0x80)
			continue; /* within a character */
		(void)text_decode(prompt->text + at, prompt->len - at, &code);
		if (text_code_width(code) != 0)
			break;
	}
	return at;
}

static size_t after(const struct prompt *prompt, size_t at)
{
	uint32_t code;

	if (at < prompt->len)
		at += text_decode(prompt->text + at, prompt->len - at, &code);
	while (at < prompt->len) {
		size_t used = text_decode(prompt->text + at, prompt->len - at, &code);
		if (text_code_width(code) != 0)
			break;
		at += used;
	}
	return at;
}

static size_t word_before(const struct prompt *prompt, size_t at)
{
	while (at > 0 && prompt->text[at - 1] == ' ')
		at--;
	while (at > 0 && prompt->text[at - 1] != ' ')
		at--;
	return at;
}

static size_t word_after(const struct prompt *prompt, size_t at)
{
	while (at < prompt->len && prompt->text[at] == ' ')
		at++;
	while (at < prompt->len && prompt->text[at] != ' ')
		at++;
	return at;
}

static void cut(struct prompt *prompt, size_t from, size_t to)
{
	memmove(prompt->text + from, prompt->text + to, prompt->len - to + 1);
	prompt->len -= to - from;
	prompt->cursor = from;
}

void prompt_start(struct prompt *prompt, const char *label, const char *initial)
{
	*prompt = (struct prompt){ 0 };
	insert_text(prompt, label); /* through the same door: whole characters, no controls */
	size_t len = prompt->len < sizeof(prompt->label) ? prompt->len : sizeof(prompt->label) - 1;
	while (len > 0 && ((unsigned char)prompt->text[len] & 0xc0) == 0x80)
		len--;
	memcpy(prompt->label, prompt->text, len);
	cut(prompt, 0, prompt->len);
	insert_text(prompt, initial ? initial : "");
}

void prompt_set(struct prompt *prompt, const char *text)
{
	cut(prompt, 0, prompt->len);
	insert_text(prompt, text ? text : "");
}

/* A key with Ctrl; false if it is none of ours. */
static enum prompt_result feed_control(struct prompt *prompt, uint32_t code)
{
	switch (code) {
	case 'c':
	case 'g':
		return PROMPT_CANCEL;
	case 'e':
		prompt->cursor = prompt->len;
		break;
	case 'w':
		cut(prompt, word_before(prompt, prompt->cursor), prompt->cursor);
		break;
	case 'u':
		cut(prompt, 0, prompt->cursor);
		break;
	case 'k':
		cut(prompt, prompt->cursor, prompt->len);
		break;
	default:
		break;
	}
	return PROMPT_MORE;
}

static enum prompt_result feed_special(struct prompt *prompt, uint32_t code)
{
	switch (code) {
	case KEY_CODE_ENTER:
		return PROMPT_DONE;
	case KEY_CODE_ESC:
		return PROMPT_CANCEL;
	case KEY_CODE_LEFT:
		prompt->cursor = before(prompt, prompt->cursor);
		break;
	case KEY_CODE_RIGHT:
		prompt->cursor = after(prompt, prompt->cursor);
		break;
	case KEY_CODE_HOME:
		prompt->cursor = 0;
		break;
	case KEY_CODE_END:
		prompt->cursor = prompt->len;
		break;
	case KEY_CODE_BACKSPACE:
		cut(prompt, before(prompt, prompt->cursor), prompt->cursor);
		break;
	case KEY_CODE_DELETE:
		cut(prompt, prompt->cursor, after(prompt, prompt->cursor));
		break;
	default:
		break;
	}
	return PROMPT_MORE;
}

/* By words; false if it is no key for that. */
static bool feed_word(struct prompt *prompt, struct key key)
{
	bool alt = key.mods == KEY_ALT, ctrl = key.mods == KEY_CTRL;

	if ((alt && key.code == 'b') || (ctrl && key.code == KEY_CODE_LEFT))
		prompt->cursor = word_before(prompt, prompt->cursor);
	else if ((alt && key.code == 'f') || (ctrl && key.code == KEY_CODE_RIGHT))
		prompt->cursor = word_after(prompt, prompt->cursor);
	else
		return false;
	return true;
}

enum prompt_result prompt_feed(struct prompt *prompt, struct key key, const char *paste)
{
	if (key.code == KEY_CODE_PASTE) {
		insert_text(prompt, paste ? paste : "");
		return PROMPT_MORE;
	}
	if (key.mods == KEY_CTRL && key.code < KEY_CODE_FIRST)
		return feed_control(prompt, key.code);
	if (feed_word(prompt, key))
		return PROMPT_MORE;
	if (key.mods != 0)
		return PROMPT_MORE;
	if (key.code >= KEY_CODE_FIRST)
		return feed_special(prompt, key.code);
	insert_code(prompt, key.code);
	return PROMPT_MORE;
}

/* drawing */

/* Columns of the text between two places, as draw_text will show it. */
static int columns_between(const struct prompt *prompt, size_t from, size_t to, bool ascii)
{
	struct buf part;

	buf_init(&part, sizeof(prompt->text) * 4);
	text_sanitise(&part, prompt->text + from, to - from, TEXT_CELL, ascii);
	int columns = text_width(buf_text(&part));
	buf_release(&part);
	return columns;
}

/* From where the line shows the text. What is missing at its end has a cell behind it. */
static void draw_wrong(const struct prompt *prompt, struct surface *out, struct rect line,
		       size_t from)
{
	bool ascii = draw_is_ascii(out);
	size_t at = prompt->wrong_at < prompt->len ? prompt->wrong_at : prompt->len;
	size_t end = prompt->wrong_len < prompt->len - at ? at + prompt->wrong_len : prompt->len;
	if (prompt->wrong_len == 0 || at < from)
		return;
	int x = columns_between(prompt, from, at, ascii);
	int width = columns_between(prompt, at, end, ascii);
	width = width > 0 ? width : 1;
	if (x >= line.w)
		return;
	draw_highlight(out,
		       (struct rect){ line.x + x, line.y, width < line.w - x ? width : line.w - x,
				      1 },
		       STYLE_ERROR);
}

void prompt_draw(const struct prompt *prompt, struct surface *out, struct rect at)
{
	int label = text_width(prompt->label);
	bool ascii = draw_is_ascii(out);
	size_t from = 0;

	at = layout_row(at, 0);
	if (at.w <= 0)
		return;
	/* On a narrow line the typed text matters more than its label. */
	if (label > at.w / 2)
		label = at.w / 2;
	draw_text(out, (struct rect){ at.x, at.y, label, 1 }, STYLE_TITLE_FOCUS, prompt->label);
	struct rect line = { at.x + label, at.y, at.w - label, 1 };
	/* Scrolled by as little as keeps the cursor on the line. */
	while (from < prompt->cursor &&
	       columns_between(prompt, from, prompt->cursor, ascii) >= line.w)
		from = after(prompt, from);
	draw_text(out, line, STYLE_TEXT, prompt->text + from);
	draw_wrong(prompt, out, line, from);
	draw_cursor(out, line.x + columns_between(prompt, from, prompt->cursor, ascii), line.y);
}
