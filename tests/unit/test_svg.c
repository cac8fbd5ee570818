/* Screens drawn as SVG: what stands where, in which style, and that no text breaks the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/svg.h"

#define COLUMNS 12
#define LINES   3

struct drawing {
	struct pty_cell cells[COLUMNS * LINES];
	struct svg_picture picture;
	struct buf svg;
};

static void begin(struct drawing *drawing)
{
	*drawing = (struct drawing){ .picture = { .title = "t",
						  .cells = drawing->cells,
						  .columns = COLUMNS,
						  .lines = LINES } };
	for (size_t i = 0; i < ARRAY_LEN(drawing->cells); i++)
		drawing->cells[i] =
			(struct pty_cell){ .columns = 1, .front = PTY_PLAIN, .back = PTY_PLAIN };
	buf_init(&drawing->svg, 1u << 16);
}

/* Puts a text cell by cell, each looking like the pattern. */
static void put(struct drawing *drawing, int x, int y, const char *text,
		const struct pty_cell *pattern)
{
	struct pty_cell *cell = &drawing->cells[y * COLUMNS + x];

	while (*text) {
		size_t len = 1;
		while (((unsigned char)text[len] & 0xc0) == 0x80)
			len++;
		*cell = *pattern;
		assert_true(snprintf(cell->text, sizeof(cell->text), "%.*s", (int)len, text) > 0);
		cell++;
		text += len;
	}
}

static void expect(struct drawing *drawing, const char *part)
{
	if (!strstr(buf_text(&drawing->svg), part))
		fail_msg("no '%s' in:\n%s", part, buf_text(&drawing->svg));
}

static void expect_not(struct drawing *drawing, const char *part)
{
	if (strstr(buf_text(&drawing->svg), part))
		fail_msg("'%s' in:\n%s", part, buf_text(&drawing->svg));
}

static void finish(struct drawing *drawing)
{
	svg_write(&drawing->picture, &drawing->svg);
	assert_false(drawing->svg.failed);
}

static const struct pty_cell plain = { .columns = 1, .front = PTY_PLAIN, .back = PTY_PLAIN };

/* 12 x 9 and 3 x 18 pixels of cells; 14 left, right and below, 32 above. */
static void file__is_one_svg__of_the_size_of_the_screen(void **state)
{
	struct drawing drawing;

	(void)state;
	begin(&drawing);
	drawing.picture.title = "a < b & c";
	finish(&drawing);
	const char *text = buf_text(&drawing.svg);
	const char *start =
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"136\" height=\"100\" "
		"viewBox=\"0 0 136 100\"";
	assert_int_equal(strncmp(text, start, strlen(start)), 0);
	assert_string_equal(text + strlen(text) - 7, "</svg>\n");
	expect(&drawing, "<title>a &lt; b &amp; c</title>");
	expect(&drawing, "<g transform=\"translate(14 32)\">");
	expect_not(&drawing, "<text");
	expect_not(&drawing, "<script");
	buf_release(&drawing.svg);
}

static void text__is_escaped_and_placed__in_runs(void **state)
{
	struct drawing drawing;

	(void)state;
	begin(&drawing);
	put(&drawing, 0, 0, "a<b &>  c", &plain);
	put(&drawing, 3, 2, "x", &plain);
	finish(&drawing);
	/* Column times 9; line times 18 and 14 to the baseline; a run's cells times 9. */
	expect(&drawing, "<text x=\"0\" y=\"14\" textLength=\"54\">a&lt;b &amp;&gt;</text>");
	expect(&drawing, "<text x=\"72\" y=\"14\">c</text>");
	expect(&drawing, "<text x=\"27\" y=\"50\">x</text>");
	buf_release(&drawing.svg);
}

static void text__of_another_style__is_a_run_of_its_own(void **state)
{
	static const struct pty_cell bold = {
		.columns = 1, .front = 31, .back = PTY_PLAIN, .bold = true
	};
	struct drawing drawing;

	(void)state;
	begin(&drawing);
	put(&drawing, 0, 1, "ab", &plain);
	put(&drawing, 2, 1, "CD", &bold);
	finish(&drawing);
	/* 31 is 16 + 15 = red 0, green 2, blue 3 of the cube's levels 0, 95, 135, 175. */
	expect(&drawing, "<g fill=\"#0087af\" font-weight=\"bold\">\n"
			 "<text x=\"18\" y=\"32\" textLength=\"18\">CD</text>\n</g>");
	expect(&drawing, "<text x=\"0\" y=\"32\" textLength=\"18\">ab</text>\n</g>");
	buf_release(&drawing.svg);
}

static void colours__of_the_256__are_those_of_xterm(void **state)
{
	static const struct {
		int index;
		const char *fill;
	} cases[] = { { 16, "#000000" },  { 28, "#008700" },  { 160, "#d70000" },
		      { 231, "#ffffff" }, { 232, "#080808" }, { 244, "#808080" },
		      { 255, "#eeeeee" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct pty_cell cell = { .columns = 1, .front = cases[i].index, .back = PTY_PLAIN };
		struct drawing drawing;
		char part[64];
		begin(&drawing);
		put(&drawing, 0, 0, "x", &cell);
		finish(&drawing);
		assert_true(snprintf(part, sizeof(part), "<g fill=\"%s\">", cases[i].fill) > 0);
		expect(&drawing, part);
		buf_release(&drawing.svg);
	}
}

static void background__is_one_box__for_equal_neighbours(void **state)
{
	static const struct pty_cell reverse = {
		.columns = 1, .front = PTY_PLAIN, .back = PTY_PLAIN, .reverse = true
	};
	static const struct pty_cell red = { .columns = 1, .front = 231, .back = 160 };
	struct drawing drawing;

	(void)state;
	begin(&drawing);
	put(&drawing, 1, 1, "ab c", &reverse);
	put(&drawing, 5, 1, "!", &red);
	finish(&drawing);
	expect(&drawing, "<rect x=\"9\" y=\"18\" width=\"36\" height=\"18\" fill=\"#d6dbe3\"/>\n"
			 "<rect x=\"45\" y=\"18\" width=\"9\" height=\"18\" fill=\"#d70000\"/>\n");
	/* Reversed text has the paper's colour. */
	expect(&drawing, "<g fill=\"#15181e\">\n<text x=\"9\" y=\"32\" textLength=\"36\">ab c<");
	expect(&drawing, "<g fill=\"#ffffff\">\n<text x=\"45\" y=\"32\">!<");
	buf_release(&drawing.svg);
}

/* Lines run from middle to middle of the corners (4.5 and 9.5 pixels into a cell), unbroken. */
static void frame__is_lines_that_meet__not_text(void **state)
{
	struct drawing drawing;

	(void)state;
	begin(&drawing);
	put(&drawing, 0, 0, "┌──┐", &plain);
	put(&drawing, 0, 1, "│ok│", &plain);
	put(&drawing, 0, 2, "└──┘", &plain);
	finish(&drawing);
	expect(&drawing, " d=\"M4.5 9.5H31.5M4.5 45.5H31.5M4.5 9.5V45.5M31.5 9.5V45.5\"/>");
	expect(&drawing, "<text x=\"9\" y=\"32\" textLength=\"18\">ok</text>");
	expect_not(&drawing, "─");
	buf_release(&drawing.svg);
}

static void frame__is_broken__by_its_title(void **state)
{
	struct drawing drawing;

	(void)state;
	begin(&drawing);
	put(&drawing, 0, 0, "┌ A ─┐", &plain);
	finish(&drawing);
	expect(&drawing, "M4.5 9.5H9M36 9.5H49.5M");
	buf_release(&drawing.svg);
}

static void bar__is_boxes__full_and_faint(void **state)
{
	struct drawing drawing;

	(void)state;
	begin(&drawing);
	put(&drawing, 0, 0, "▓▓░░░ █▁", &plain);
	finish(&drawing);
	expect(&drawing, "<path d=\"M0 4h18v10h-18zM54 1h9v16h-9zM63 15h9v2h-9z\"/>");
	expect(&drawing, "<path fill-opacity=\".35\" d=\"M18 4h27v10h-27z\"/>");
	buf_release(&drawing.svg);
}

static void underline__is_drawn__under_blanks_too(void **state)
{
	static const struct pty_cell head = {
		.columns = 1, .front = PTY_PLAIN, .back = PTY_PLAIN, .underline = true
	};
	struct drawing drawing;

	(void)state;
	begin(&drawing);
	put(&drawing, 0, 0, " NAME   ", &head);
	finish(&drawing);
	expect(&drawing, "<path d=\"M0 16h72v1h-72z\"/>");
	expect(&drawing, "<text x=\"9\" y=\"14\" textLength=\"36\">NAME</text>");
	buf_release(&drawing.svg);
}

/* Another font may draw these: they must not push their neighbours about. */
static void rare_characters__stand_alone__and_wide_ones_take_two(void **state)
{
	struct pty_cell wide = plain;
	struct drawing drawing;

	(void)state;
	begin(&drawing);
	put(&drawing, 0, 0, "a≈b ×2…", &plain);
	wide.columns = 2;
	put(&drawing, 0, 1, "训", &wide);
	put(&drawing, 2, 1, "c", &plain);
	put(&drawing, 0, 2, "▸x", &plain);
	finish(&drawing);
	expect(&drawing, "<text x=\"0\" y=\"14\">a</text>\n<text x=\"9\" y=\"14\">≈</text>\n"
			 "<text x=\"18\" y=\"14\" textLength=\"45\">b ×2…</text>");
	expect(&drawing, "<text x=\"0\" y=\"32\" textLength=\"18\">训</text>\n"
			 "<text x=\"18\" y=\"32\">c</text>");
	expect(&drawing, "<path d=\"M0 36m1 4v10l8-5z\"/>\n");
	expect(&drawing, "<text x=\"9\" y=\"50\">x</text>");
	buf_release(&drawing.svg);
}

static void cursor__is_a_box__only_where_there_is_one(void **state)
{
	struct drawing drawing;

	(void)state;
	begin(&drawing);
	finish(&drawing);
	expect_not(&drawing, "fill-opacity=\".7\"");
	buf_release(&drawing.svg);
	begin(&drawing);
	drawing.picture.has_cursor = true;
	drawing.picture.cursor_x = 2;
	drawing.picture.cursor_y = 1;
	finish(&drawing);
	expect(&drawing, "<rect x=\"18\" y=\"18\" width=\"9\" height=\"18\" fill=\"#d6dbe3\" "
			 "fill-opacity=\".7\"/>");
	buf_release(&drawing.svg);
}

/* From a program's bytes to the file. */
static void terminal__is_drawn__as_the_program_left_it(void **state)
{
	const char *const argv[] = {
		"sh", "-c", "printf '\\033[?25l\\033[4;38;5;166mT\\033[0;7mR\\033[0m>'; exec cat",
		NULL
	};
	struct pty *pty =
		pty_start(&(struct pty_options){ .argv = argv, .columns = 20, .lines = 2 });
	struct drawing drawing;

	(void)state;
	begin(&drawing);
	assert_true(pty_wait_text(pty, ">", 5000));
	svg_write_terminal(pty, 20, 2, "t", &drawing.svg);
	expect(&drawing, "<rect x=\"9\" y=\"0\" width=\"9\" height=\"18\" fill=\"#d6dbe3\"/>");
	expect(&drawing, "<g fill=\"#d75f00\">\n<path d=\"M0 16h9v1h-9z\"/>\n"
			 "<text x=\"0\" y=\"14\">T</text>");
	expect(&drawing, "<text x=\"18\" y=\"14\">&gt;</text>");
	expect_not(&drawing, "fill-opacity");
	pty_stop(pty);
	buf_release(&drawing.svg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(file__is_one_svg__of_the_size_of_the_screen),
		cmocka_unit_test(text__is_escaped_and_placed__in_runs),
		cmocka_unit_test(text__of_another_style__is_a_run_of_its_own),
		cmocka_unit_test(colours__of_the_256__are_those_of_xterm),
		cmocka_unit_test(background__is_one_box__for_equal_neighbours),
		cmocka_unit_test(frame__is_lines_that_meet__not_text),
		cmocka_unit_test(frame__is_broken__by_its_title),
		cmocka_unit_test(bar__is_boxes__full_and_faint),
		cmocka_unit_test(underline__is_drawn__under_blanks_too),
		cmocka_unit_test(rare_characters__stand_alone__and_wide_ones_take_two),
		cmocka_unit_test(cursor__is_a_box__only_where_there_is_one),
		cmocka_unit_test(terminal__is_drawn__as_the_program_left_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
