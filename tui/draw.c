#include "tui/draw.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/text.h"
#include "tui/wrap.h"

#define LINE_MAX_BYTES (256u << 10) /* of a sanitised line: 1,000 columns of long clusters */
#define TEXT_BYTES     1024         /* draw_textf */
#define BYTES_A_COLUMN 16           /* read of a text: a base and its combining marks */

struct surface {
	WINDOW *window;
	bool ascii;
	enum theme theme;
	int columns, lines;
	bool has_cursor;
	int cursor_x, cursor_y;
	struct buf safe, piece, fitted; /* scratch of one line */
};

struct twin {
	const char *wide, *ascii;
};

/* All are one column in every terminal that is not set to East Asian widths. */
static const struct twin glyphs[GLYPH_COUNT] = {
	[GLYPH_CURSOR] = { "▸", ">" },     [GLYPH_ELLIPSIS] = { "…", "~" },
	[GLYPH_DOT] = { "·", "|" },        [GLYPH_CHECK] = { "✓", "+" },
	[GLYPH_CROSS] = { "✗", "x" },      [GLYPH_ARROW_UP] = { "↑", "^" },
	[GLYPH_ARROW_DOWN] = { "↓", "v" }, [GLYPH_DASH] = { "–", "-" },
	[GLYPH_TIMES] = { "×", "x" },      [GLYPH_LIVE] = { "●", "*" },
	[GLYPH_STALE] = { "○", "o" },
};

enum rule { RULE_ACROSS, RULE_DOWN, RULE_TOP_LEFT, RULE_TOP_RIGHT, RULE_LOW_LEFT, RULE_LOW_RIGHT };
static const struct twin rules[] = {
	[RULE_ACROSS] = { "─", "-" },   [RULE_DOWN] = { "│", "|" },
	[RULE_TOP_LEFT] = { "┌", "+" }, [RULE_TOP_RIGHT] = { "┐", "+" },
	[RULE_LOW_LEFT] = { "└", "+" }, [RULE_LOW_RIGHT] = { "┘", "+" },
};

struct surface *draw_surface_new(void *window, bool ascii)
{
	struct surface *surface = mem_new(1, sizeof(*surface));

	surface->window = window;
	surface->ascii = ascii;
	surface->columns = getmaxx(surface->window);
	surface->lines = getmaxy(surface->window);
	buf_init(&surface->safe, LINE_MAX_BYTES);
	buf_init(&surface->piece, LINE_MAX_BYTES);
	buf_init(&surface->fitted, LINE_MAX_BYTES);
	return surface;
}

void draw_surface_free(struct surface *surface)
{
	if (!surface)
		return;
	buf_release(&surface->safe);
	buf_release(&surface->piece);
	buf_release(&surface->fitted);
	free(surface);
}

void draw_surface_resize(struct surface *surface, int columns, int lines)
{
	surface->columns = columns;
	surface->lines = lines;
}

struct rect draw_bounds(const struct surface *surface)
{
	return (struct rect){ 0, 0, surface->columns, surface->lines };
}

void draw_set_theme(struct surface *surface, enum theme theme)
{
	surface->theme = theme;
}

enum theme draw_theme(const struct surface *surface)
{
	return surface->theme;
}

bool draw_is_ascii(const struct surface *surface)
{
	return surface->ascii;
}

static const char *choose(const struct surface *surface, struct twin twin)
{
	return surface->ascii ? twin.ascii : twin.wide;
}

const char *draw_glyph(const struct surface *surface, enum glyph glyph)
{
	return choose(surface, glyphs[glyph]);
}

/* The pen: one cell's characters; false if curses and we would not agree on its width. */
static bool fill_cell(cchar_t *cell, const wchar_t *characters, int width, attr_t attributes)
{
	short pair = (short)PAIR_NUMBER(attributes);

	return wcwidth(characters[0]) == width &&
	       setcchar(cell, characters, attributes & ~(attr_t)A_COLOR, pair, NULL) == OK;
}

static void put_cell(struct surface *surface, int x, int y, const wchar_t *characters, int width,
		     enum style style)
{
	attr_t attributes = style_attributes(surface->theme, style);
	static const wchar_t mark[] = { L'?', 0 }, blank[] = { L' ', 0 };
	cchar_t cell;

	if (x >= 0 && x + width <= surface->columns &&
	    fill_cell(&cell, characters, width, attributes)) {
		(void)mvwadd_wchnstr(surface->window, y, x, &cell, 1);
		return;
	}
	/* A wide character over an edge leaves blanks; one that curses cannot show, marks. */
	bool cut = x < 0 || x + width > surface->columns;
	for (int i = x; i < x + width; i++)
		if (i >= 0 && i < surface->columns &&
		    fill_cell(&cell, cut ? blank : mark, 1, attributes))
			(void)mvwadd_wchnstr(surface->window, y, i, &cell, 1);
}

/* Puts sanitised text at (x, y), at most w columns of it; returns the columns used. */
static int put_line(struct surface *surface, int x, int y, int w, enum style style,
		    const char *text)
{
	size_t len = strlen(text), at = 0;
	int column = 0;

	if (y < 0 || y >= surface->lines)
		return 0;
	while (at < len) {
		wchar_t cluster[CCHARW_MAX + 1] = { 0 };
		size_t marks = 0;
		uint32_t code;
		at += text_decode(text + at, len - at, &code);
		int width = text_code_width(code);
		if (width <= 0)
			continue; /* a combining mark without a base */
		if (column + width > w)
			break;
		cluster[0] = (wchar_t)code;
		while (at < len) {
			size_t used = text_decode(text + at, len - at, &code);
			if (text_code_width(code) != 0)
				break;
			if (marks + 2 < CCHARW_MAX && wcwidth((wchar_t)code) == 0)
				cluster[++marks] = (wchar_t)code;
			at += used;
		}
		/* There curses turns wrapping off: libvterm puts a mark in the place of its base.
		 */
		if (y == surface->lines - 1 && x + column + width == surface->columns)
			cluster[1] = L'\0';
		put_cell(surface, x + column, y, cluster, width, style);
		column += width;
	}
	return column;
}

static void put_repeated(struct surface *surface, struct rect at, enum style style,
			 struct twin twin)
{
	const char *text = choose(surface, twin);

	for (int i = 0; i < at.w && at.h > 0; i++)
		(void)put_line(surface, at.x + i, at.y, 1, style, text);
}

static void put_blanks(struct surface *surface, struct rect at, enum style style)
{
	for (int line = 0; line < at.h; line++)
		for (int i = 0; i < at.w; i++)
			(void)put_line(surface, at.x + i, at.y + line, 1, style, " ");
}

/* The part of at that lies on the surface. */
static struct rect visible_part(const struct surface *surface, struct rect at)
{
	int left = at.x > 0 ? at.x : 0, top = at.y > 0 ? at.y : 0;
	long right = (long)at.x + at.w, low = (long)at.y + at.h;

	right = right < surface->columns ? right : surface->columns;
	low = low < surface->lines ? low : surface->lines;
	if (at.w <= 0 || at.h <= 0 || right <= left || low <= top)
		return (struct rect){ 0, 0, 0, 0 };
	return (struct rect){ left, top, (int)right - left, (int)low - top };
}

void draw_clear(struct surface *surface, struct rect at)
{
	put_blanks(surface, visible_part(surface, at), STYLE_TEXT);
}

/* text made safe */

/* The glyph that stands at text, or NULL. Our own marks pass the sanitiser, which doubts some of
 * their widths, and get their twins. */
static const struct twin *glyph_at(const char *text, size_t len)
{
	for (size_t i = 0; i < GLYPH_COUNT; i++) {
		size_t bytes = strlen(glyphs[i].wide);
		if (len >= bytes && memcmp(text, glyphs[i].wide, bytes) == 0)
			return &glyphs[i];
	}
	return NULL;
}

static void add_safe(const struct surface *surface, struct buf *out, const char *text, size_t len,
		     enum text_mode mode)
{
	size_t from = 0, at = 0;

	while (at < len) {
		const struct twin *twin =
			(unsigned char)text[at] < 0x80 ? NULL : glyph_at(text + at, len - at);
		if (!twin) {
			at++;
			continue;
		}
		text_sanitise(out, text + from, at - from, mode, surface->ascii);
		(void)buf_add_text(out, choose(surface, *twin));
		at += strlen(twin->wide);
		from = at;
	}
	text_sanitise(out, text + from, len - from, mode, surface->ascii);
}

void draw_safe_page(const struct surface *surface, struct buf *out, const char *text)
{
	add_safe(surface, out, text, strlen(text), TEXT_PAGE);
}

static const char *make_safe(struct surface *surface, const char *text, size_t len,
			     enum text_mode mode)
{
	buf_clear(&surface->safe);
	add_safe(surface, &surface->safe, text, len, mode);
	return buf_text(&surface->safe);
}

/* A prefix of text that is enough for w columns and ends between characters. */
static size_t enough_of(const char *text, int w)
{
	size_t limit = ((size_t)w + 4) * BYTES_A_COLUMN;
	size_t len = strnlen(text, limit);

	if (len == limit)
		while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
			len--;
	return len;
}

/* Its first line is on the surface, if only in part. */
static bool is_visible(const struct surface *surface, struct rect at)
{
	at.h = at.h > 1 ? 1 : at.h;
	return visible_part(surface, at).w > 0;
}

static void draw_safe(struct surface *surface, struct rect at, enum style style, const char *safe)
{
	if (!is_visible(surface, at))
		return;
	buf_clear(&surface->fitted);
	text_fit(&surface->fitted, safe, at.w, true, surface->ascii);
	(void)put_line(surface, at.x, at.y, at.w, style, buf_text(&surface->fitted));
}

static void draw_fitted(struct surface *surface, struct rect at, enum style style, const char *text,
			enum text_mode mode)
{
	if (is_visible(surface, at))
		draw_safe(surface, at, style,
			  make_safe(surface, text, enough_of(text, at.w), mode));
}

void draw_text(struct surface *surface, struct rect at, enum style style, const char *text)
{
	draw_fitted(surface, at, style, text, TEXT_CELL);
}

void draw_page_line(struct surface *surface, struct rect at, enum style style, const char *text)
{
	draw_fitted(surface, at, style, text, TEXT_PAGE);
}

void draw_text_right(struct surface *surface, struct rect at, enum style style, const char *text)
{
	if (!is_visible(surface, at))
		return;
	int used = text_width(make_safe(surface, text, enough_of(text, at.w), TEXT_CELL));
	int left = used < at.w ? at.w - used : 0;

	put_blanks(surface, (struct rect){ at.x, at.y, left, 1 }, style);
	draw_text(surface, (struct rect){ at.x + left, at.y, at.w - left, 1 }, style, text);
}

void draw_textf(struct surface *surface, struct rect at, enum style style, const char *format, ...)
{
	char text[TEXT_BYTES];
	va_list args;

	va_start(args, format);
	int len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (len < 0)
		return;
	if ((size_t)len >= sizeof(text)) { /* never end within a character */
		size_t end = sizeof(text) - 1;
		while (end > 0 && ((unsigned char)text[end - 1] & 0xc0) == 0x80)
			end--;
		text[end > 0 ? end - 1 : 0] = '\0';
	}
	draw_text(surface, at, style, text);
}

int draw_wrapped(struct surface *surface, struct rect at, enum style style, const char *text)
{
	int line = 0;

	while (at.w > 0 && *text) {
		size_t paragraph = strcspn(text, "\n"), from = 0, next;
		const char *safe = make_safe(surface, text, paragraph, TEXT_CELL);
		do {
			size_t used = wrap_line(safe + from, surface->safe.len - from, at.w, &next);
			buf_clear(&surface->piece);
			(void)buf_add(&surface->piece, safe + from, used);
			draw_safe(surface, layout_row(at, line++), style,
				  buf_text(&surface->piece));
			from += next;
		} while (from < surface->safe.len);
		text += paragraph + (text[paragraph] == '\n');
	}
	return line;
}

/* shapes */

static void draw_title(struct surface *surface, struct rect at, const char *title, const char *note,
		       bool focused)
{
	enum style style = focused ? STYLE_TITLE_FOCUS : STYLE_TITLE;
	int inner = at.w - 2, room = inner - 2;
	int title_w = text_width(make_safe(surface, title, strlen(title), TEXT_CELL));

	if (title_w > room)
		title_w = room;
	if (title_w <= 0)
		return;
	(void)put_line(surface, at.x + 1, at.y, 1, style, focused ? "*" : " ");
	draw_text(surface, (struct rect){ at.x + 2, at.y, title_w, 1 }, style, title);
	(void)put_line(surface, at.x + 2 + title_w, at.y, 1, style, " ");

	int note_w = note ? text_width(make_safe(surface, note, strlen(note), TEXT_CELL)) : 0;
	if (note_w == 0 || note_w > inner - (title_w + 2) - 3)
		return;
	struct rect end = { at.x + at.w - 3 - note_w, at.y, note_w + 2, 1 };
	put_blanks(surface, end, STYLE_DIM);
	draw_text(surface, (struct rect){ end.x + 1, end.y, note_w, 1 }, STYLE_DIM, note);
}

void draw_frame(struct surface *surface, struct rect at, const char *title, const char *note,
		bool focused)
{
	enum style style = focused ? STYLE_BORDER_FOCUS : STYLE_BORDER;
	int right = at.x + at.w - 1, low = at.y + at.h - 1;

	if (at.w < 2 || at.h < 2)
		return;
	put_repeated(surface, (struct rect){ at.x, at.y, at.w, 1 }, style, rules[RULE_ACROSS]);
	put_repeated(surface, (struct rect){ at.x, low, at.w, 1 }, style, rules[RULE_ACROSS]);
	for (int y = at.y + 1; y < low; y++) {
		put_repeated(surface, (struct rect){ at.x, y, 1, 1 }, style, rules[RULE_DOWN]);
		put_repeated(surface, (struct rect){ right, y, 1, 1 }, style, rules[RULE_DOWN]);
	}
	put_repeated(surface, (struct rect){ at.x, at.y, 1, 1 }, style, rules[RULE_TOP_LEFT]);
	put_repeated(surface, (struct rect){ right, at.y, 1, 1 }, style, rules[RULE_TOP_RIGHT]);
	put_repeated(surface, (struct rect){ at.x, low, 1, 1 }, style, rules[RULE_LOW_LEFT]);
	put_repeated(surface, (struct rect){ right, low, 1, 1 }, style, rules[RULE_LOW_RIGHT]);
	draw_title(surface, at, title, note, focused);
}

void draw_mark(struct surface *surface, int x, int y, enum style style, const char *mark)
{
	(void)put_line(surface, x, y, 1, style, mark);
}

void draw_highlight(struct surface *surface, struct rect at, enum style style)
{
	attr_t attributes = style_attributes(surface->theme, style);

	at.h = at.h > 1 ? 1 : at.h;
	at = visible_part(surface, at);
	if (at.w > 0)
		(void)mvwchgat(surface->window, at.y, at.x, at.w, attributes & ~(attr_t)A_COLOR,
			       (short)PAIR_NUMBER(attributes), NULL);
}

/* the cursor */

void draw_cursor(struct surface *surface, int x, int y)
{
	surface->has_cursor = x >= 0 && x < surface->columns && y >= 0 && y < surface->lines;
	surface->cursor_x = x;
	surface->cursor_y = y;
}

void draw_cursor_forget(struct surface *surface)
{
	surface->has_cursor = false;
}

bool draw_cursor_at(const struct surface *surface, int *x, int *y)
{
	*x = surface->cursor_x;
	*y = surface->cursor_y;
	return surface->has_cursor;
}
