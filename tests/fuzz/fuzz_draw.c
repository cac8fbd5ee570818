/*
 * Any text drawn by every function of the pen, in a rectangle that the first bytes tell, on a page
 * of '#'. Whatever the text: no cell holds a control or what turns the direction, and no cell
 * outside the rectangle changes.
 */
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/fuzz/fuzz.h"
#include "tests/offscreen.h"
#include "tui/prompt.h"

#define COLUMNS 40
#define LINES   6
#define WAYS    7

static void fill(struct surface *surface)
{
	char line[COLUMNS + 1];

	memset(line, '#', COLUMNS);
	line[COLUMNS] = '\0';
	for (int y = 0; y < LINES; y++)
		draw_text(surface, (struct rect){ 0, y, COLUMNS, 1 }, STYLE_TEXT, line);
}

static int bound(int value, int least, int most)
{
	return value < least ? least : value > most ? most : value;
}

static void check_line(const char *line, int left, int right)
{
	size_t len = strlen(line), behind = (size_t)(COLUMNS - right);

	fuzz_want_harmless(line, len, "");
	assert(strspn(line, "#") >= (size_t)left && len >= behind);
	assert(strspn(line + len - behind, "#") == behind);
}

static void check(struct offscreen *offscreen, struct rect at)
{
	int left = bound(at.x, 0, COLUMNS), right = bound(at.x + at.w, left, COLUMNS);

	for (int y = 0; y < LINES; y++) {
		bool inside = y >= at.y && y < at.y + at.h && left < right;

		check_line(offscreen_line(offscreen, y), inside ? left : COLUMNS,
			   inside ? right : COLUMNS);
	}
}

static void draw(struct surface *surface, int how, struct rect at, const char *text)
{
	struct prompt prompt;

	switch (how) {
	case 0:
		draw_text(surface, at, STYLE_TEXT, text);
		break;
	case 1:
		draw_text_right(surface, at, STYLE_TEXT, text);
		break;
	case 2:
		draw_page_line(surface, at, STYLE_TEXT, text);
		break;
	case 3:
		draw_textf(surface, at, STYLE_TEXT, "%s%s", text, text);
		break;
	case 4:
		(void)draw_wrapped(surface, at, STYLE_TEXT, text);
		break;
	case 5:
		draw_frame(surface, at, text, text, strlen(text) % 2);
		break;
	default:
		prompt_start(&prompt, text, text);
		prompt_draw(&prompt, surface, at);
	}
}

static struct rect take_rect(struct fuzz_bytes *bytes)
{
	int x = (int)(fuzz_byte(bytes) % (COLUMNS + 8)) - 4;
	int y = (int)(fuzz_byte(bytes) % (LINES + 4)) - 2;
	int w = (int)(fuzz_byte(bytes) % (COLUMNS + 8)) - 4;
	int h = (int)(fuzz_byte(bytes) % (LINES + 4)) - 2;

	return (struct rect){ x, y, w, h };
}

/* Curses starts once. */
static struct offscreen *offscreen;

static void stop(void)
{
	offscreen_free(offscreen);
}

static void start(void)
{
	if (offscreen)
		return;
	offscreen = offscreen_new(COLUMNS, LINES);
	int registered = atexit(stop);
	assert(registered == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes bytes = { data, size };
	struct rect at = take_rect(&bytes);
	char *text = fuzz_copy(bytes.at, bytes.left);

	start();
	for (int how = 0; how < WAYS; how++) {
		fill(offscreen_surface(offscreen));
		draw(offscreen_surface(offscreen), how, at, text);
		check(offscreen, at);
	}
	free(text);
	return 0;
}
