#include "tests/svg.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"

#define W         SVG_CELL_WIDTH
#define H         SVG_CELL_HEIGHT
#define BASELINE  14
#define UNDERLINE 16
#define BOTTOM    14
#define FONT_SIZE 15 /* a monospaced font is six tenths as wide: W */
#define INKS_MAX  64

#define PAPER 0x15181e
#define TEXT  0xd6dbe3
#define FRAME 0x30353f

#define FONTS                                                                        \
	"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation " \
	"Mono',monospace"

/* --- colours --- */

/* The sixteen whose shades are each terminal's own choice. */
static const uint32_t own_colours[16] = { 0x15181e, 0xf0616d, 0x7bc275, 0xd9a94e,
					  0x6aa5f0, 0xc489e0, 0x55b8c4, 0xd6dbe3,
					  0x6b7280, 0xff7b85, 0x95d68f, 0xf0c674,
					  0x8dbcff, 0xd7a6ef, 0x7dd3de, 0xffffff };

/* The cube and the greys are the same everywhere (xterm, 256colres.h). */
static uint32_t colour_of(int index, uint32_t plain)
{
	static const uint32_t levels[6] = { 0, 95, 135, 175, 215, 255 };

	if (index < 0 || index > 255)
		return plain;
	if (index < 16)
		return own_colours[index];
	if (index >= 232)
		return (uint32_t)(8 + 10 * (index - 232)) * 0x010101;
	index -= 16;
	return levels[index / 36] << 16 | levels[index / 6 % 6] << 8 | levels[index % 6];
}

static uint32_t front_of(const struct pty_cell *cell)
{
	return cell->reverse ? colour_of(cell->back, PAPER) : colour_of(cell->front, TEXT);
}

static uint32_t back_of(const struct pty_cell *cell)
{
	return cell->reverse ? colour_of(cell->front, TEXT) : colour_of(cell->back, PAPER);
}

struct ink {
	uint32_t colour;
	bool bold;
};

static bool is_blank(const struct pty_cell *cell)
{
	return cell->text[0] == '\0' || strcmp(cell->text, " ") == 0;
}

static bool has_ink(const struct pty_cell *cell, const struct ink *ink)
{
	return front_of(cell) == ink->colour && cell->bold == ink->bold;
}

/* --- shapes of characters --- */

enum arm { ARM_UP = 1, ARM_DOWN = 2, ARM_LEFT = 4, ARM_RIGHT = 8 };

enum shape_kind {
	SHAPE_NONE,  /* a letter */
	SHAPE_LINES, /* arms from the middle of the cell */
	SHAPE_BLOCK, /* the cell's width, from a height down to a height */
	SHAPE_MARK,  /* a path */
};

struct shape {
	const char *text;
	enum shape_kind kind;
	unsigned arms;
	int top, bottom;
	bool faint;
	const char *path; /* from the cell's upper left corner on */
};

#define BLOCK(from, to) .kind = SHAPE_BLOCK, .top = (from), .bottom = (to)
#define LINES(mask)     .kind = SHAPE_LINES, .arms = (mask)
#define MARK(drawn)     .kind = SHAPE_MARK, .path = (drawn)

static const struct shape shapes[] = {
	{ .text = "─", LINES(ARM_LEFT | ARM_RIGHT) },
	{ .text = "│", LINES(ARM_UP | ARM_DOWN) },
	{ .text = "┌", LINES(ARM_DOWN | ARM_RIGHT) },
	{ .text = "┐", LINES(ARM_DOWN | ARM_LEFT) },
	{ .text = "└", LINES(ARM_UP | ARM_RIGHT) },
	{ .text = "┘", LINES(ARM_UP | ARM_LEFT) },
	{ .text = "├", LINES(ARM_UP | ARM_DOWN | ARM_RIGHT) },
	{ .text = "┤", LINES(ARM_UP | ARM_DOWN | ARM_LEFT) },
	{ .text = "┬", LINES(ARM_DOWN | ARM_LEFT | ARM_RIGHT) },
	{ .text = "┴", LINES(ARM_UP | ARM_LEFT | ARM_RIGHT) },
	{ .text = "┼", LINES(ARM_UP | ARM_DOWN | ARM_LEFT | ARM_RIGHT) },
	/* Bars of one row each: some air above and below keeps them apart. */
	{ .text = "▓", BLOCK(4, H - 4) },
	{ .text = "░", BLOCK(4, H - 4), .faint = true },
	{ .text = "▁", BLOCK(BOTTOM + 1, H - 1) },
	{ .text = "▂", BLOCK(BOTTOM - 1, H - 1) },
	{ .text = "▃", BLOCK(BOTTOM - 3, H - 1) },
	{ .text = "▄", BLOCK(BOTTOM - 5, H - 1) },
	{ .text = "▅", BLOCK(BOTTOM - 7, H - 1) },
	{ .text = "▆", BLOCK(BOTTOM - 9, H - 1) },
	{ .text = "▇", BLOCK(BOTTOM - 11, H - 1) },
	{ .text = "█", BLOCK(BOTTOM - 13, H - 1) },
	{ .text = "▸", MARK("m1 4v10l8-5z") },
	{ .text = "●", MARK("m1 9a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z") },
	{ .text = "○",
	  MARK("m1 9a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0zm1 0a2.5 2.5 0 1 1 5 0a2.5 "
	       "2.5 0 1 1-5 0z") },
	{ .text = "✓", MARK("m1 9.8l1.1-1.1 1.9 1.9 3.6-5.4 1.2.8-4.6 7z") },
	{ .text = "✗",
	  MARK("m1.4 6.1l1.1-1.1 2.2 2.6 2.2-2.6 1.1 1.1-2.2 2.6 2.2 2.6-1.1 1.1-2.2-"
	       "2.6-2.2 2.6-1.1-1.1 2.2-2.6z") },
};

static const struct shape *shape_of(const struct pty_cell *cell)
{
	static const struct shape letter = { .kind = SHAPE_NONE };

	for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
		if (strcmp(shapes[i].text, cell->text) == 0)
			return &shapes[i];
	return &letter;
}

/* --- walking the picture --- */

static const struct pty_cell *cell_at(const struct svg_picture *picture, int x, int y)
{
	return &picture->cells[y * picture->columns + x];
}

/* The inks of everything that is seen, in reading order. */
static size_t find_inks(const struct svg_picture *picture, struct ink inks[INKS_MAX])
{
	size_t count = 0;

	for (int i = 0; i < picture->columns * picture->lines; i++) {
		const struct pty_cell *cell = &picture->cells[i];
		size_t known = 0;
		if (is_blank(cell) && !cell->underline)
			continue;
		while (known < count && !has_ink(cell, &inks[known]))
			known++;
		if (known == count && count < INKS_MAX)
			inks[count++] = (struct ink){ front_of(cell), cell->bold };
	}
	return count;
}

static void add_box(struct buf *out, int x, int y, int w, int h)
{
	(void)buf_addf(out, "M%d %dh%dv%dh-%dz", x, y, w, h, w);
}

static void add_backs(const struct svg_picture *picture, struct buf *out)
{
	for (int y = 0; y < picture->lines; y++) {
		for (int x = 0, end; x < picture->columns; x = end) {
			uint32_t back = back_of(cell_at(picture, x, y));
			end = x + 1;
			while (end < picture->columns && back_of(cell_at(picture, end, y)) == back)
				end++;
			if (back == PAPER)
				continue;
			(void)buf_addf(out,
				       "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
				       "fill=\"#%06x\"/>\n",
				       x * W, y * H, (end - x) * W, H, back);
		}
	}
}

/* --- frames --- */

/* A number of half pixels. */
static void add_halves(struct buf *out, int halves)
{
	(void)buf_addf(out, "%d%s", halves / 2, halves % 2 ? ".5" : "");
}

/* One straight piece; all in half pixels. Vertical ones run down the column `across`. */
static void add_piece(struct buf *out, bool vertical, int across, int start, int end)
{
	if (end <= start)
		return;
	(void)buf_add_char(out, 'M');
	add_halves(out, vertical ? across : start);
	(void)buf_add_char(out, ' ');
	add_halves(out, vertical ? start : across);
	(void)buf_add_char(out, vertical ? 'V' : 'H');
	add_halves(out, end);
}

static unsigned arms_at(const struct svg_picture *picture, const struct ink *ink, int x, int y)
{
	const struct pty_cell *cell = cell_at(picture, x, y);
	const struct shape *shape = shape_of(cell);

	return shape->kind == SHAPE_LINES && has_ink(cell, ink) ? shape->arms : 0;
}

/* The pieces of one row or column, as long as they go. */
static void add_pieces(const struct svg_picture *picture, const struct ink *ink, bool vertical,
		       int across, struct buf *out)
{
	unsigned near = vertical ? ARM_UP : ARM_LEFT, far = vertical ? ARM_DOWN : ARM_RIGHT;
	int cells = vertical ? picture->lines : picture->columns, size = vertical ? H : W;
	/* In the middle of a pixel, so that a line of one pixel is sharp. */
	int middle = across * 2 * (vertical ? W : H) + (vertical ? W : H + 1);
	int start = 0, end = 0;

	for (int i = 0; i < cells; i++) {
		unsigned arms = vertical ? arms_at(picture, ink, across, i)
					 : arms_at(picture, ink, i, across);
		int from = i * 2 * size, half = vertical ? size + 1 : size;
		for (int part = 0; part < 2; part++) {
			int at = from + (part ? half : 0);
			if (!(arms & (part ? far : near)))
				continue;
			if (at != end) {
				add_piece(out, vertical, middle, start, end);
				start = at;
			}
			end = part ? from + 2 * size : at + half;
		}
	}
	add_piece(out, vertical, middle, start, end);
}

static void add_frames(const struct svg_picture *picture, const struct ink *ink, struct buf *out)
{
	struct buf path;

	buf_init(&path, out->max);
	for (int y = 0; y < picture->lines; y++)
		add_pieces(picture, ink, false, y, &path);
	for (int x = 0; x < picture->columns; x++)
		add_pieces(picture, ink, true, x, &path);
	if (path.len)
		(void)buf_addf(out,
			       "<path fill=\"none\" stroke=\"#%06x\" stroke-width=\"%s\" "
			       "stroke-linecap=\"square\" d=\"%s\"/>\n",
			       ink->colour, ink->bold ? "1.8" : "1", buf_text(&path));
	buf_release(&path);
}

/* --- bars, marks and underlines --- */

static bool same_block(const struct svg_picture *picture, const struct ink *ink,
		       const struct shape *shape, int x, int y)
{
	return x < picture->columns && shape_of(cell_at(picture, x, y)) == shape &&
	       has_ink(cell_at(picture, x, y), ink);
}

/* Blocks, faint or not, of one row; equal neighbours are one. */
static void add_row_blocks(const struct svg_picture *picture, const struct ink *ink, bool faint,
			   int y, struct buf *path)
{
	for (int x = 0, end; x < picture->columns; x = end) {
		const struct shape *shape = shape_of(cell_at(picture, x, y));
		end = x + 1;
		if (shape->faint != faint || !same_block(picture, ink, shape, x, y))
			continue;
		if (shape->kind == SHAPE_MARK)
			(void)buf_addf(path, "M%d %d%s", x * W, y * H, shape->path);
		if (shape->kind != SHAPE_BLOCK)
			continue;
		while (same_block(picture, ink, shape, end, y))
			end++;
		add_box(path, x * W, y * H + shape->top, (end - x) * W, shape->bottom - shape->top);
	}
}

static void add_row_underlines(const struct svg_picture *picture, const struct ink *ink, int y,
			       struct buf *path)
{
	for (int x = 0, end; x < picture->columns; x = end + 1) {
		end = x;
		while (end < picture->columns && cell_at(picture, end, y)->underline &&
		       has_ink(cell_at(picture, end, y), ink))
			end++;
		if (end > x)
			add_box(path, x * W, y * H + UNDERLINE, (end - x) * W, 1);
	}
}

static void add_blocks(const struct svg_picture *picture, const struct ink *ink, bool faint,
		       struct buf *out)
{
	struct buf path;

	buf_init(&path, out->max);
	for (int y = 0; y < picture->lines; y++) {
		add_row_blocks(picture, ink, faint, y, &path);
		if (!faint)
			add_row_underlines(picture, ink, y, &path);
	}
	if (path.len)
		(void)buf_addf(out, "<path%s d=\"%s\"/>\n", faint ? " fill-opacity=\".35\"" : "",
			       buf_text(&path));
	buf_release(&path);
}

/* --- text --- */

static void add_escaped(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			(void)buf_add_text(out, "&amp;");
		else if (*text == '<')
			(void)buf_add_text(out, "&lt;");
		else if (*text == '>')
			(void)buf_add_text(out, "&gt;");
		else
			(void)buf_add_char(out, *text);
	}
}

/* Whether every monospaced font has it at its own width: Latin-1, dashes and the ellipsis. */
static bool is_ordinary(const struct pty_cell *cell)
{
	const unsigned char *text = (const unsigned char *)cell->text;

	return text[0] <= 0xc3 || strcmp(cell->text, "–") == 0 || strcmp(cell->text, "…") == 0;
}

static bool is_letter(const struct svg_picture *picture, const struct ink *ink, int x, int y)
{
	const struct pty_cell *cell;

	if (x >= picture->columns)
		return false;
	cell = cell_at(picture, x, y);
	return !is_blank(cell) && has_ink(cell, ink) && shape_of(cell)->kind == SHAPE_NONE;
}

/* Where the run from x on ends: at two blanks, another ink, a shape, or around a character that
 * may come from another font. */
static int run_end(const struct svg_picture *picture, const struct ink *ink, int x, int y)
{
	int end = x + cell_at(picture, x, y)->columns;

	if (!is_ordinary(cell_at(picture, x, y)))
		return end;
	for (;;) {
		int next = end;
		if (next < picture->columns && is_blank(cell_at(picture, next, y)))
			next++;
		if (!is_letter(picture, ink, next, y) || !is_ordinary(cell_at(picture, next, y)))
			return end;
		end = next + 1;
	}
}

static void add_run(const struct svg_picture *picture, int x, int end, int y, struct buf *out)
{
	(void)buf_addf(out, "<text x=\"%d\" y=\"%d\"", x * W, y * H + BASELINE);
	if (end - x > 1)
		(void)buf_addf(out, " textLength=\"%d\"", (end - x) * W);
	(void)buf_add_char(out, '>');
	for (int i = x; i < end; i += cell_at(picture, i, y)->columns)
		add_escaped(out,
			    is_blank(cell_at(picture, i, y)) ? " " : cell_at(picture, i, y)->text);
	(void)buf_add_text(out, "</text>\n");
}

static void add_runs(const struct svg_picture *picture, const struct ink *ink, struct buf *out)
{
	for (int y = 0; y < picture->lines; y++) {
		for (int x = 0; x < picture->columns;) {
			int end = x + 1;
			if (is_letter(picture, ink, x, y)) {
				end = run_end(picture, ink, x, y);
				add_run(picture, x, end, y, out);
			}
			x = end;
		}
	}
}

/* --- the whole --- */

static void add_window(const struct svg_picture *picture, struct buf *out)
{
	int w = picture->columns * W + 2 * SVG_LEFT, h = picture->lines * H + SVG_TOP + SVG_LEFT;

	(void)buf_addf(out,
		       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		       "viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"%s\" font-size=\"%d\">\n",
		       w, h, w, h, FONTS, FONT_SIZE);
	(void)buf_add_text(out, "<title>");
	add_escaped(out, picture->title);
	(void)buf_addf(out,
		       "</title>\n<rect x=\".5\" y=\".5\" width=\"%d\" height=\"%d\" rx=\"9\" "
		       "fill=\"#%06x\" stroke=\"#%06x\"/>\n",
		       w - 1, h - 1, PAPER, FRAME);
	for (int i = 0; i < 3; i++)
		(void)buf_addf(out, "<circle cx=\"%d\" cy=\"16\" r=\"5\" fill=\"#%06x\"/>\n",
			       SVG_LEFT + 6 + 18 * i, FRAME);
}

void svg_write(const struct svg_picture *picture, struct buf *out)
{
	struct ink inks[INKS_MAX];
	size_t count = find_inks(picture, inks);

	add_window(picture, out);
	(void)buf_addf(out, "<g transform=\"translate(%d %d)\">\n", SVG_LEFT, SVG_TOP);
	add_backs(picture, out);
	if (picture->has_cursor)
		(void)buf_addf(out,
			       "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\" "
			       "fill-opacity=\".7\"/>\n",
			       picture->cursor_x * W, picture->cursor_y * H, W, H, TEXT);
	for (size_t i = 0; i < count; i++) {
		(void)buf_addf(out, "<g fill=\"#%06x\"%s>\n", inks[i].colour,
			       inks[i].bold ? " font-weight=\"bold\"" : "");
		add_frames(picture, &inks[i], out);
		add_blocks(picture, &inks[i], false, out);
		add_blocks(picture, &inks[i], true, out);
		add_runs(picture, &inks[i], out);
		(void)buf_add_text(out, "</g>\n");
	}
	(void)buf_add_text(out, "</g>\n</svg>\n");
}

void svg_write_terminal(const struct pty *pty, int columns, int lines, const char *title,
			struct buf *out)
{
	struct svg_picture picture = { .title = title, .columns = columns, .lines = lines };
	struct pty_cell *cells = mem_new((size_t)columns * (size_t)lines, sizeof(*cells));

	for (int i = 0; i < columns * lines; i++)
		cells[i] = pty_cell(pty, i % columns, i / columns);
	picture.cells = cells;
	picture.has_cursor = pty_cursor(pty, &picture.cursor_x, &picture.cursor_y);
	svg_write(&picture, out);
	free(cells);
}
