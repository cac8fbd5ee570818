#include "tui/chart.h"

#include <stdbool.h>
#include <stdlib.h>

#include "model/base/attr.h"
#include "model/base/mem.h"

struct twin {
	const char *wide, *ascii;
};

static const struct twin full = { "▓", "#" }, empty = { "░", "-" };
/* By an eighth; the lowest is that of a value of 0. */
static const struct twin sparks[] = { { " ", " " }, { "▁", "." }, { "▂", ":" },
				      { "▃", "-" }, { "▄", "=" }, { "▅", "+" },
				      { "▆", "*" }, { "▇", "#" }, { "█", "@" } };
#define SPARK_STEPS ((int)ARRAY_LEN(sparks) - 2)

static int clamp(int permille)
{
	return permille < 0 ? 0 : permille > 1000 ? 1000 : permille;
}

static void put(struct surface *surface, int x, int y, enum style style, struct twin twin)
{
	draw_mark(surface, x, y, style, draw_is_ascii(surface) ? twin.ascii : twin.wide);
}

void chart_bar(struct surface *surface, struct rect at, int permille)
{
	int filled = at.w > 0 ? (int)((long long)at.w * clamp(permille) / 1000) : 0;

	for (int i = 0; i < at.w && at.h > 0; i++)
		put(surface, at.x + i, at.y, i < filled ? STYLE_BAR : STYLE_BAR_EMPTY,
		    i < filled ? full : empty);
}

/* --- values by column --- */

/* Those that share column i of columns. */
struct share {
	int from, to;
};

static struct share share_of(int i, int columns, int count)
{
	struct share share = { (int)((long long)i * count / columns),
			       (int)((long long)(i + 1) * count / columns) };
	if (share.to == share.from)
		share.to++;
	return share;
}

static int mean_of(const int16_t *permille, struct share share)
{
	long sum = 0, known = 0;
	for (int i = share.from; i < share.to; i++) {
		if (permille[i] == CHART_HOLE)
			continue;
		sum += clamp(permille[i]);
		known++;
	}
	return known > 0 ? (int)(sum / known) : CHART_HOLE;
}

void chart_sparkline(struct surface *surface, struct rect at, const int16_t *permille, int count)
{
	int columns = count < at.w ? count : at.w;

	for (int i = 0; i < columns && at.h > 0; i++) {
		int mean = mean_of(permille, share_of(i, columns, count));
		size_t step = mean == CHART_HOLE ? 0 : (size_t)(1 + mean * SPARK_STEPS / 1000);
		put(surface, at.x + i, at.y, STYLE_BAR, sparks[step]);
	}
}

/* --- lines --- */

/* Dots, rows from above; cells[] says which of a cell's are set. */
struct canvas {
	int columns, rows; /* cells */
	int across, down;  /* dots of a cell */
	unsigned char *cells;
};

/* Bits of a cell of Braille by column and row: Unicode, U+2800. */
static const unsigned char braille[2][4] = { { 0x01, 0x02, 0x04, 0x40 },
					     { 0x08, 0x10, 0x20, 0x80 } };

/* x and y are within the canvas; unsigned, as no remainder may be below 0: it is an index. */
static void set_dot(struct canvas *canvas, unsigned x, unsigned y)
{
	unsigned across = (unsigned)canvas->across, down = (unsigned)canvas->down;
	unsigned column = x % across, row = y % down;
	size_t cell = (size_t)(y / down) * (size_t)canvas->columns + x / across;
	unsigned dot = across == 1 ? 1U << row : braille[column][row];
	canvas->cells[cell] = (unsigned char)(canvas->cells[cell] | dot);
}

/* Rows of dots that a column of the line covers; none: low above high. */
struct reach {
	int high, low; /* from above: high <= low */
};

static struct reach reach_of(const int16_t *permille, struct share share, int dots)
{
	struct reach reach = { dots, -1 };
	for (int i = share.from; i < share.to; i++) {
		if (permille[i] == CHART_HOLE)
			continue;
		int y = dots - 1 - (clamp(permille[i]) * (dots - 1) + 500) / 1000;
		reach.high = y < reach.high ? y : reach.high;
		reach.low = y > reach.low ? y : reach.low;
	}
	return reach;
}

/* The same, up to its neighbour where the two would leave a gap. */
static struct reach joined(struct reach reach, struct reach before)
{
	if (before.low < 0 || reach.low < 0)
		return reach;
	if (before.low < reach.high - 1)
		reach.high = before.low + 1;
	if (before.high > reach.low + 1)
		reach.low = before.high - 1;
	return reach;
}

static void draw_line(struct canvas *canvas, const int16_t *permille, int count)
{
	int columns = canvas->columns * canvas->across, dots = canvas->rows * canvas->down;
	struct reach before = { dots, -1 };
	for (int x = 0; x < columns; x++) {
		struct reach own = reach_of(permille, share_of(x, columns, count), dots);
		struct reach drawn = joined(own, before);
		for (int y = drawn.high; y <= drawn.low; y++)
			set_dot(canvas, (unsigned)x, (unsigned)y);
		before = own;
	}
}

static void put_cell(struct surface *surface, int x, int y, enum style style, unsigned char dots)
{
	static const char *const twins[] = { " ", "'", ".", ":" };
	char wide[4] = { (char)0xE2, (char)(0xA0 + (dots >> 6)), (char)(0x80 + (dots & 0x3F)) };
	if (draw_is_ascii(surface))
		draw_mark(surface, x, y, style, twins[dots & 3]);
	else
		draw_mark(surface, x, y, style, dots ? wide : " ");
}

void chart_plot(struct surface *surface, struct rect at, enum style style, const int16_t *permille,
		int count)
{
	bool ascii = draw_is_ascii(surface);
	struct canvas canvas = { .columns = at.w, .rows = at.h };
	if (at.w <= 0 || at.h <= 0 || count <= 0)
		return;
	canvas.across = ascii ? 1 : 2;
	canvas.down = ascii ? 2 : 4;
	canvas.cells = mem_new((size_t)at.w * (size_t)at.h, 1);
	draw_line(&canvas, permille, count);
	for (int y = 0; y < at.h; y++) {
		for (int x = 0; x < at.w; x++)
			put_cell(surface, at.x + x, at.y + y, style, canvas.cells[y * at.w + x]);
	}
	free(canvas.cells);
}
