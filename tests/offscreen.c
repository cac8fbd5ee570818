#include "tests/offscreen.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "tui/input.h"

#define TEXT_MAX (8u << 20)
#define SEEN_MAX 26

struct offscreen {
	FILE *out, *in;
	SCREEN *screen;
	WINDOW *pad;
	struct surface *surface;
	int columns, lines;
	struct buf text;
};

static void *need(void *made, const char *what)
{
	if (!made) {
		(void)fprintf(stderr, "offscreen: no %s\n", what);
		exit(1);
	}
	return made;
}

struct offscreen *offscreen_open(const struct offscreen_options *options)
{
	struct offscreen *offscreen = mem_new(1, sizeof(*offscreen));
	char name[64];

	need(setlocale(LC_CTYPE, "C.UTF-8"), "locale C.UTF-8");
	if (snprintf(name, sizeof(name), "%s", options->term ? options->term : "xterm-256color") <
	    0)
		name[0] = '\0';
	offscreen->columns = options->columns;
	offscreen->lines = options->lines;
	offscreen->out = need(fopen("/dev/null", "w"), "/dev/null");
	offscreen->in = need(fopen("/dev/null", "r"), "/dev/null");
	offscreen->screen = need(newterm(name, offscreen->out, offscreen->in), "terminfo entry");
	enum theme theme = options->no_color              ? THEME_MONO
			   : options->theme == THEME_MONO ? THEME_DARK
							  : options->theme;
	theme = style_start(theme);
	offscreen->pad = need(newpad(options->lines, options->columns), "pad");
	offscreen->surface = draw_surface_new(offscreen->pad, options->ascii);
	draw_set_theme(offscreen->surface, theme);
	buf_init(&offscreen->text, TEXT_MAX);
	return offscreen;
}

struct offscreen *offscreen_new(int columns, int lines)
{
	return offscreen_open(&(struct offscreen_options){ .columns = columns, .lines = lines });
}

void offscreen_free(struct offscreen *offscreen)
{
	if (!offscreen)
		return;
	draw_surface_free(offscreen->surface);
	(void)delwin(offscreen->pad);
	(void)endwin();
	delscreen(offscreen->screen);
	(void)fclose(offscreen->out);
	(void)fclose(offscreen->in);
	buf_release(&offscreen->text);
	free(offscreen);
}

struct surface *offscreen_surface(struct offscreen *offscreen)
{
	return offscreen->surface;
}

void offscreen_clear(struct offscreen *offscreen)
{
	(void)werase(offscreen->pad);
	draw_cursor_forget(offscreen->surface);
}

/* Adds a cell's characters and returns its columns. */
static int add_cell(struct offscreen *offscreen, int x, int y)
{
	wchar_t characters[CCHARW_MAX + 1] = { 0 };
	attr_t attributes;
	short pair;
	cchar_t cell;
	char bytes[4];

	if (mvwin_wch(offscreen->pad, y, x, &cell) != OK ||
	    getcchar(&cell, characters, &attributes, &pair, NULL) != OK || !characters[0]) {
		(void)buf_add_text(&offscreen->text, "<?>");
		return 1;
	}
	for (size_t i = 0; characters[i]; i++)
		(void)buf_add(&offscreen->text, bytes, key_encode((uint32_t)characters[i], bytes));
	int width = text_code_width((uint32_t)characters[0]);
	return width > 0 ? width : 1;
}

static void add_line(struct offscreen *offscreen, int y)
{
	struct buf *text = &offscreen->text;
	size_t start = text->len;

	for (int x = 0; x < offscreen->columns;)
		x += add_cell(offscreen, x, y);
	while (text->len > start && text->data[text->len - 1] == ' ')
		text->data[--text->len] = '\0';
}

const char *offscreen_line(struct offscreen *offscreen, int y)
{
	buf_clear(&offscreen->text);
	add_line(offscreen, y);
	return buf_text(&offscreen->text);
}

const char *offscreen_text(struct offscreen *offscreen)
{
	buf_clear(&offscreen->text);
	for (int y = 0; y < offscreen->lines; y++) {
		add_line(offscreen, y);
		(void)buf_add_char(&offscreen->text, '\n');
	}
	return buf_text(&offscreen->text);
}

unsigned offscreen_attributes(const struct offscreen *offscreen, int x, int y)
{
	wchar_t characters[CCHARW_MAX + 1];
	attr_t attributes = 0;
	short pair = 0;
	cchar_t cell;

	if (mvwin_wch(offscreen->pad, y, x, &cell) != OK ||
	    getcchar(&cell, characters, &attributes, &pair, NULL) != OK)
		return 0;
	return (attributes & ~(attr_t)A_COLOR) | (unsigned)COLOR_PAIR(pair);
}

unsigned offscreen_style(const struct offscreen *offscreen, enum style style)
{
	return style_attributes(draw_theme(offscreen->surface), style);
}

struct seen {
	short front, back;
	unsigned traits;
};

static struct seen seen_at(const struct offscreen *offscreen, int x, int y)
{
	unsigned attributes = offscreen_attributes(offscreen, x, y);
	struct seen seen = { -1, -1, attributes & (unsigned)(A_BOLD | A_UNDERLINE | A_REVERSE) };
	if (PAIR_NUMBER(attributes) > 0)
		(void)pair_content((short)PAIR_NUMBER(attributes), &seen.front, &seen.back);
	return seen;
}

/* In the order in which they are met; further ones are all the last. */
static char letter_of(struct seen looks[SEEN_MAX], size_t *count, struct seen look)
{
	if (look.front < 0 && look.back < 0 && look.traits == 0)
		return '.';
	for (size_t i = 0; i < *count; i++)
		if (looks[i].front == look.front && looks[i].back == look.back &&
		    looks[i].traits == look.traits)
			return (char)('a' + i);
	if (*count == SEEN_MAX)
		return 'z';
	looks[*count] = look;
	return (char)('a' + (*count)++);
}

const char *offscreen_looks(struct offscreen *offscreen)
{
	struct buf *text = &offscreen->text;
	struct seen looks[SEEN_MAX];
	size_t count = 0;

	buf_clear(text);
	for (int y = 0; y < offscreen->lines; y++) {
		for (int x = 0; x < offscreen->columns; x++)
			(void)buf_add_char(text,
					   letter_of(looks, &count, seen_at(offscreen, x, y)));
		(void)buf_add_char(text, '\n');
	}
	for (size_t i = 0; i < count; i++)
		(void)buf_addf(text, "%c: %d on %d%s%s%s\n", (char)('a' + i), looks[i].front,
			       looks[i].back, looks[i].traits & A_BOLD ? " bold" : "",
			       looks[i].traits & A_UNDERLINE ? " underlined" : "",
			       looks[i].traits & A_REVERSE ? " reversed" : "");
	return buf_text(text);
}

bool offscreen_has_style(const struct offscreen *offscreen, int x, int y, enum style style)
{
	return offscreen_attributes(offscreen, x, y) == offscreen_style(offscreen, style);
}

bool offscreen_find(struct offscreen *offscreen, const char *text, int *x, int *y)
{
	for (int line = 0; line < offscreen->lines; line++) {
		const char *all = offscreen_line(offscreen, line);
		const char *found = strstr(all, text);
		if (!found)
			continue;
		char *front = mem_copy_bytes(all, (size_t)(found - all));
		*x = text_width(front);
		*y = line;
		free(front);
		return true;
	}
	return false;
}

bool offscreen_cursor(const struct offscreen *offscreen, int *x, int *y)
{
	return draw_cursor_at(offscreen->surface, x, y);
}
