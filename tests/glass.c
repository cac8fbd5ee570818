#include "tests/glass.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vterm.h>
#include <wchar.h>

#include "model/base/buf.h"
#include "model/base/clock.h"
#include "model/base/mem.h"
#include "model/base/text.h"
#include "tui/input.h"
#include "tui/term.h"

#define WHY_MAX   (1u << 20)
#define FRAME_MAX (64u << 20)
#define FRAME_MS  10000 /* a deadline for what takes milliseconds */
#define WAIT_MS   2     /* for the kernel to hand on what was written */
#define PLAIN     (-1)

#define PROBE_COLUMNS  8
#define FIRST_DOUBTFUL 0xAD

enum scan { SCAN_TEXT, SCAN_ESCAPE, SCAN_INTERMEDIATE, SCAN_CSI, SCAN_OSC, SCAN_OSC_END };

struct glass {
	int columns, lines;
	int master, slave;
	struct clock clock;
	struct loop *loop;
	struct term *term;
	VTerm *vt;
	VTermScreen *screen;
	bool cursor_shown;
	WINDOW *pad;
	struct surface *surface;
	uint64_t taken;   /* bytes read */
	struct buf frame; /* those of the frame that comes */
	/* the scanner */
	enum scan scan;
	char sequence[8]; /* the number of an OSC */
	size_t sequence_len;
	bool sequence_read; /* its number is whole */
	char character[4];  /* UTF-8 that is not whole yet */
	size_t character_len;
	unsigned long sequences;
	bool is_page;           /* lines of a pager may be shown */
	bool redraws;           /* the next frame is drawn whole */
	unsigned long doubtful; /* lines of pages that are not compared */
	struct buf why;
};

static void *need(void *made, const char *what)
{
	if (!made) {
		(void)fprintf(stderr, "glass: no %s: %s\n", what, strerror(errno));
		exit(1);
	}
	return made;
}

/* --- a terminal --- */

static void on_key(void *ctx, struct key key, const char *paste)
{
	(void)ctx;
	(void)key;
	(void)paste;
}

static void on_gone(void *ctx)
{
	(void)ctx;
	(void)fprintf(stderr, "glass: the terminal is gone\n");
	exit(1);
}

static int on_property(VTermProp property, VTermValue *value, void *user)
{
	struct glass *glass = user;

	if (property == VTERM_PROP_CURSORVISIBLE)
		glass->cursor_shown = value->boolean;
	return 1;
}

static const VTermScreenCallbacks callbacks = { .settermprop = on_property };

static void make_vterm(struct glass *glass)
{
	glass->vt = need(vterm_new(glass->lines, glass->columns), "libvterm");
	vterm_set_utf8(glass->vt, 1);
	glass->screen = vterm_obtain_screen(glass->vt);
	vterm_screen_enable_altscreen(glass->screen, 1);
	vterm_screen_set_callbacks(glass->screen, &callbacks, glass);
	glass->cursor_shown = true;
	vterm_screen_reset(glass->screen, 1);
}

static void make_term(struct glass *glass)
{
	struct err err = { 0 };
	const struct term_options options = { .in_fd = glass->slave,
					      .out_fd = glass->slave,
					      .loop = glass->loop,
					      .clock = &glass->clock,
					      .on_key = on_key,
					      .on_gone = on_gone,
					      .ctx = glass };

	glass->term = term_start(&options, &err);
	if (!glass->term) {
		(void)fprintf(stderr, "glass: %s\n", err_text(&err));
		exit(1);
	}
}

struct glass *glass_new(int columns, int lines)
{
	struct glass *glass = mem_new(1, sizeof(*glass));
	struct winsize size = { .ws_col = (unsigned short)columns,
				.ws_row = (unsigned short)lines };

	need(setlocale(LC_CTYPE, "C.UTF-8"), "locale C.UTF-8");
	(void)setenv("TERM", "xterm-256color", 1);
	glass->columns = columns;
	glass->lines = lines;
	glass->clock = clock_system();
	glass->loop = loop_new(&glass->clock);
	buf_init(&glass->why, WHY_MAX);
	buf_init(&glass->frame, FRAME_MAX);
	if (openpty(&glass->master, &glass->slave, NULL, NULL, &size) != 0 ||
	    fcntl(glass->master, F_SETFL, O_NONBLOCK) != 0)
		need(NULL, "pty");
	make_vterm(glass);
	make_term(glass);
	glass->pad = need(newpad(lines, columns), "pad");
	glass->surface = draw_surface_new(glass->pad, false);
	return glass;
}

void glass_free(struct glass *glass)
{
	if (!glass)
		return;
	draw_surface_free(glass->surface);
	(void)delwin(glass->pad);
	term_stop(glass->term);
	loop_free(glass->loop);
	vterm_free(glass->vt);
	(void)close(glass->master);
	(void)close(glass->slave);
	buf_release(&glass->why);
	buf_release(&glass->frame);
	free(glass);
}

struct surface *glass_surface(struct glass *glass)
{
	return glass->surface;
}

void glass_send(struct glass *glass, const char *bytes, size_t len)
{
	term_send(glass->term, bytes, len);
}

void glass_expect_page(struct glass *glass, bool is_page)
{
	glass->is_page = is_page;
}

unsigned long glass_doubtful(const struct glass *glass)
{
	return glass->doubtful;
}

unsigned long glass_sequences(const struct glass *glass)
{
	return glass->sequences;
}

const char *glass_why(struct glass *glass)
{
	return buf_text(&glass->why);
}

/* --- the bytes --- */

/* C1, and what turns the direction of text or ends its lines: told here once more, apart from the
 * tables of model/base/text. */
static bool steers(uint32_t code)
{
	return (code >= 0x7F && code < 0xA0) || code == 0x061C ||
	       (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
	       (code >= 0x2066 && code <= 0x2069);
}

static void complain(struct glass *glass, const char *what, unsigned code)
{
	if (glass->why.len == 0)
		(void)buf_addf(&glass->why, "%s %#x goes to the terminal\n", what, code);
}

/* The length that a first byte promises; 0: it is none. */
static size_t promised(unsigned char first)
{
	return first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
}

static void scan_high(struct glass *glass, char c)
{
	uint32_t code = 0;

	glass->character[glass->character_len++] = c;
	size_t whole = promised((unsigned char)glass->character[0]);
	if (glass->character_len < whole)
		return;
	if (whole == 0 || text_decode(glass->character, whole, &code) != whole)
		complain(glass, "the broken character", (unsigned char)c);
	else if (steers(code))
		complain(glass, "the character", code);
	glass->character_len = 0;
}

/* Of C0 curses uses the cursor's moves. */
static void scan_text(struct glass *glass, char c)
{
	unsigned char byte = (unsigned char)c;

	if (byte >= 0x80 || glass->character_len > 0)
		scan_high(glass, c);
	else if (c == '\x1b')
		glass->scan = SCAN_ESCAPE;
	else if (byte == 0x7F || (byte < 0x20 && !strchr("\b\t\r\n", c)))
		complain(glass, "the control", byte);
}

static void scan_escape(struct glass *glass, char c)
{
	glass->scan = SCAN_TEXT;
	if (c == '[')
		glass->scan = SCAN_CSI;
	else if (c == ']')
		glass->scan = SCAN_OSC;
	else if (c >= ' ' && c <= '/')
		glass->scan = SCAN_INTERMEDIATE;
	else if (c < '0' || c > '~' || strchr("PX^_", c))
		complain(glass, "the sequence ESC", (unsigned char)c);
	glass->sequence_len = 0;
	glass->sequence_read = false;
}

static void end_osc(struct glass *glass)
{
	static const char *const ours[] = { "52", "9", "777" };

	glass->sequence[glass->sequence_len] = '\0';
	glass->sequences++;
	for (size_t i = 0; i < ARRAY_LEN(ours); i++)
		if (strcmp(glass->sequence, ours[i]) == 0)
			return;
	complain(glass, "OSC", (unsigned)strtoul(glass->sequence, NULL, 10));
}

/* The number, then anything that is printed, then its end. */
static void scan_osc(struct glass *glass, char c)
{
	unsigned char byte = (unsigned char)c;

	if (c == '\a') {
		end_osc(glass);
		glass->scan = SCAN_TEXT;
	} else if (c == '\x1b') {
		end_osc(glass);
		glass->scan = SCAN_OSC_END;
	} else if (byte < ' ' || byte > '~') {
		complain(glass, "within an OSC the byte", byte);
	} else if (c == ';') {
		glass->sequence_read = true;
	} else if (!glass->sequence_read && glass->sequence_len + 1 < sizeof(glass->sequence)) {
		glass->sequence[glass->sequence_len++] = c;
	}
}

static void scan(struct glass *glass, char c)
{
	switch (glass->scan) {
	case SCAN_TEXT:
		scan_text(glass, c);
		break;
	case SCAN_ESCAPE:
		scan_escape(glass, c);
		break;
	case SCAN_INTERMEDIATE:
		glass->scan = SCAN_TEXT;
		break;
	case SCAN_CSI:
		if (c < ' ' || c > '~')
			complain(glass, "within a CSI the byte", (unsigned char)c);
		if (c < ' ' || c > '?')
			glass->scan = SCAN_TEXT;
		break;
	case SCAN_OSC:
		scan_osc(glass, c);
		break;
	case SCAN_OSC_END:
		glass->scan = SCAN_TEXT;
		if (c != '\\')
			complain(glass, "behind an OSC the byte", (unsigned char)c);
		break;
	}
}

static void take_output(struct glass *glass)
{
	char bytes[65536];
	ssize_t got;

	while ((got = read(glass->master, bytes, sizeof(bytes))) > 0) {
		glass->taken += (uint64_t)got;
		for (ssize_t i = 0; i < got; i++)
			scan(glass, bytes[i]);
		(void)buf_add(&glass->frame, bytes, (size_t)got);
	}
}

/* In one piece: libvterm loses a mark that comes alone behind the last column. */
static void show_frame(struct glass *glass)
{
	(void)vterm_input_write(glass->vt, buf_text(&glass->frame), glass->frame.len);
	buf_clear(&glass->frame);
}

/* Until the terminal has all of the frame: it takes the next one then. */
static void settle(struct glass *glass)
{
	int64_t end_ms = clock_mono_ms(&glass->clock) + FRAME_MS;

	for (;;) {
		take_output(glass);
		if (term_frame(glass->term) && glass->taken == term_bytes(glass->term)) {
			show_frame(glass);
			return;
		}
		(void)loop_turn(glass->loop, 0);
		struct pollfd polled = { .fd = glass->master, .events = POLLIN };
		(void)poll(&polled, 1, WAIT_MS);
		if (clock_mono_ms(&glass->clock) > end_ms) {
			(void)buf_addf(&glass->why, "the frame does not come\n");
			return;
		}
	}
}

/* --- the cells --- */

/* One cell as it is told of in both places. */
struct cell {
	uint32_t codes[CCHARW_MAX + 1];
	int width, front, back;
	bool bold, underline, reverse;
};

static struct cell cell_of_pad(const struct glass *glass, int x, int y)
{
	wchar_t characters[CCHARW_MAX + 1] = { 0 };
	struct cell cell = { .width = 1, .front = PLAIN, .back = PLAIN };
	attr_t attributes = 0;
	short pair = 0, front = PLAIN, back = PLAIN;
	cchar_t wide;

	if (mvwin_wch(glass->pad, y, x, &wide) != OK ||
	    getcchar(&wide, characters, &attributes, &pair, NULL) != OK)
		return cell;
	for (size_t i = 0; i < CCHARW_MAX && characters[i]; i++)
		cell.codes[i] = (uint32_t)characters[i];
	int width = wcwidth(characters[0]);
	cell.width = width > 0 ? width : 1;
	if (pair_content(pair, &front, &back) == OK) {
		cell.front = front;
		cell.back = back;
	}
	cell.bold = attributes & A_BOLD;
	cell.underline = attributes & A_UNDERLINE;
	cell.reverse = attributes & A_REVERSE;
	return cell;
}

static int colour_of(const VTermColor *colour)
{
	bool plain = VTERM_COLOR_IS_DEFAULT_FG(colour) || VTERM_COLOR_IS_DEFAULT_BG(colour) ||
		     !VTERM_COLOR_IS_INDEXED(colour);

	return plain ? PLAIN : colour->indexed.idx;
}

static struct cell cell_of_terminal(const struct glass *glass, int x, int y)
{
	VTermScreenCell shown = { .width = 1 };
	struct cell cell = { .width = 1 };

	(void)vterm_screen_get_cell(glass->screen, (VTermPos){ .row = y, .col = x }, &shown);
	for (size_t i = 0; i < CCHARW_MAX && i < VTERM_MAX_CHARS_PER_CELL && shown.chars[i]; i++)
		cell.codes[i] = shown.chars[i];
	if (!cell.codes[0])
		cell.codes[0] = ' ';
	cell.width = (unsigned char)shown.width;
	cell.front = colour_of(&shown.fg);
	cell.back = colour_of(&shown.bg);
	cell.bold = shown.attrs.bold;
	cell.underline = shown.attrs.underline != 0;
	cell.reverse = shown.attrs.reverse;
	return cell;
}

/* Of a blank nobody sees in what colour it is written, but where it is swapped with the back. */
static bool is_same(const struct cell *a, const struct cell *b)
{
	bool blank = a->codes[0] == ' ' && !a->codes[1] && !a->reverse;

	return memcmp(a->codes, b->codes, sizeof(a->codes)) == 0 && a->width == b->width &&
	       a->back == b->back && a->underline == b->underline && a->reverse == b->reverse &&
	       (blank || (a->bold == b->bold && a->front == b->front));
}

static void add_cell(struct buf *out, const struct cell *cell)
{
	char bytes[4];

	for (size_t i = 0; cell->codes[i]; i++)
		if (cell->codes[i] < KEY_CODE_FIRST)
			(void)buf_add(out, bytes, key_encode(cell->codes[i], bytes));
}

static void add_codes(struct buf *out, const char *where, const struct cell *cell)
{
	(void)buf_addf(out, "%s:", where);
	for (size_t i = 0; cell->codes[i]; i++)
		(void)buf_addf(out, " U+%04X", (unsigned)cell->codes[i]);
	(void)buf_addf(out, ", %d wide, colours %d on %d%s%s%s\n", cell->width, cell->front,
		       cell->back, cell->bold ? ", bold" : "",
		       cell->underline ? ", underlined" : "", cell->reverse ? ", reversed" : "");
}

static void tell(struct glass *glass, int x, int y)
{
	struct cell drawn = cell_of_pad(glass, x, y), shown = cell_of_terminal(glass, x, y);

	(void)buf_addf(&glass->why, "cell %d of line %d\n", x, y);
	add_codes(&glass->why, "drawn", &drawn);
	add_codes(&glass->why, "shown", &shown);
	for (int at = 0; at < glass->columns; at += drawn.width) {
		drawn = cell_of_pad(glass, at, y);
		add_cell(&glass->why, &drawn);
	}
	(void)buf_add_char(&glass->why, '\n');
	for (int at = 0; at<glass->columns; at += shown.width> 0 ? shown.width : 1) {
		shown = cell_of_terminal(glass, at, y);
		add_cell(&glass->why, &shown);
	}
	(void)buf_add_char(&glass->why, '\n');
}

/* The columns that libvterm gives to a character behind a letter. */
static int width_in_vterm(uint32_t code)
{
	VTerm *vt = need(vterm_new(1, PROBE_COLUMNS), "libvterm");
	VTermScreen *screen = vterm_obtain_screen(vt);
	VTermScreenCell cell;
	char bytes[8] = "a";
	size_t len = 1 + key_encode(code, bytes + 1);
	int x = 0;

	vterm_set_utf8(vt, 1);
	vterm_screen_reset(screen, 1);
	bytes[len++] = 'z';
	(void)vterm_input_write(vt, bytes, len);
	do
		(void)vterm_screen_get_cell(screen, (VTermPos){ .col = x++ }, &cell);
	while (cell.chars[0] != 'z' && x < PROBE_COLUMNS);
	vterm_free(vt);
	return x - 2;
}

/* The line has a character that libvterm and the C library give different widths. */
static bool line_is_doubtful(const struct glass *glass, int y)
{
	struct cell drawn;

	for (int x = 0; x < glass->columns; x += drawn.width) {
		drawn = cell_of_pad(glass, x, y);
		for (size_t i = 0; drawn.codes[i]; i++)
			if (drawn.codes[i] >= FIRST_DOUBTFUL &&
			    width_in_vterm(drawn.codes[i]) != wcwidth((wchar_t)drawn.codes[i]))
				return true;
	}
	return false;
}

static bool line_is_same(struct glass *glass, int y)
{
	struct cell drawn;

	for (int x = 0; x < glass->columns; x += drawn.width) {
		drawn = cell_of_pad(glass, x, y);
		struct cell shown = cell_of_terminal(glass, x, y);
		if (is_same(&drawn, &shown))
			continue;
		/* What is too wide for its line runs on into the next one. */
		if (glass->is_page &&
		    (line_is_doubtful(glass, y) || (y > 0 && line_is_doubtful(glass, y - 1)))) {
			glass->redraws = true;
			glass->doubtful++;
			return true;
		}
		tell(glass, x, y);
		return false;
	}
	return true;
}

static bool cursor_is_same(struct glass *glass)
{
	VTermPos shown;
	int x, y;
	bool drawn = draw_cursor_at(glass->surface, &x, &y);

	vterm_state_get_cursorpos(vterm_obtain_state(glass->vt), &shown);
	if (drawn == glass->cursor_shown && (!drawn || (shown.col == x && shown.row == y)))
		return true;
	(void)buf_addf(&glass->why, "the cursor is %s at %d, %d; drawn %s at %d, %d\n",
		       glass->cursor_shown ? "shown" : "hidden", shown.col, shown.row,
		       drawn ? "shown" : "hidden", x, y);
	return false;
}

bool glass_show(struct glass *glass, glass_draw_fn *draw, const void *ctx)
{
	struct surface *out = term_frame(glass->term);
	bool same = true;

	buf_clear(&glass->why);
	if (glass->redraws)
		term_redraw(glass->term);
	glass->redraws = false;
	draw(ctx, need(out, "frame"));
	term_show(glass->term);
	settle(glass);
	(void)werase(glass->pad);
	draw_cursor_forget(glass->surface);
	draw(ctx, glass->surface);
	for (int y = 0; y < glass->lines && same; y++)
		same = line_is_same(glass, y);
	return same && cursor_is_same(glass) && glass->why.len == 0;
}
