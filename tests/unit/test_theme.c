/* The themes: contrast by WCAG 2.1 in xterm's standard palette, and what must not look alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/config.h"
#include "tests/offscreen.h"
#include "tui/theme.h"

/* WCAG 2.1: 1.4.3 wants 4.5 (level AA), 1.4.6 wants 7 (AAA), 1.4.11 wants 3 of what is no text. The
 * first sixteen colours are the owner's: of them no more than legible is asked, in xterm's own. */
#define CONTRAST_AA    4.5
#define CONTRAST_AAA   7.0
#define CONTRAST_LEAST 3.0
#define APART_LEAST    20.0 /* of CIE 1976: ten times what is just seen */

struct rgb {
	double red, green, blue; /* linear, 0 to 1 */
};

/* --- figures --- */

static double linear(int value)
{
	double part = value / 255.0;
	return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

/* XTerm-col.ad and 256colres.h of xterm. */
static struct rgb rgb_of(short colour)
{
	static const int first[16][3] = {
		{ 0, 0, 0 },       { 205, 0, 0 },   { 0, 205, 0 },   { 205, 205, 0 },
		{ 0, 0, 238 },     { 205, 0, 205 }, { 0, 205, 205 }, { 229, 229, 229 },
		{ 127, 127, 127 }, { 255, 0, 0 },   { 0, 255, 0 },   { 255, 255, 0 },
		{ 92, 92, 255 },   { 255, 0, 255 }, { 0, 255, 255 }, { 255, 255, 255 },
	};
	static const int cube[6] = { 0, 95, 135, 175, 215, 255 };
	int red, green, blue;
	if (colour < 16) {
		red = first[colour][0];
		green = first[colour][1];
		blue = first[colour][2];
	} else if (colour < 232) {
		red = cube[(colour - 16) / 36];
		green = cube[(colour - 16) / 6 % 6];
		blue = cube[(colour - 16) % 6];
	} else {
		red = green = blue = 8 + 10 * (colour - 232);
	}
	return (struct rgb){ linear(red), linear(green), linear(blue) };
}

static double luminance(struct rgb colour)
{
	return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
}

static double contrast(short front, short back)
{
	double one = luminance(rgb_of(front)), other = luminance(rgb_of(back));
	return one > other ? (one + 0.05) / (other + 0.05) : (other + 0.05) / (one + 0.05);
}

static double lab_part(double value)
{
	return value > 216.0 / 24389 ? cbrt(value) : (24389.0 / 27 * value + 16) / 116;
}

/* CIE L*a*b* under D65. */
static void lab_of(struct rgb colour, double lab[3])
{
	double x = 0.4124 * colour.red + 0.3576 * colour.green + 0.1805 * colour.blue;
	double y = luminance(colour);
	double z = 0.0193 * colour.red + 0.1192 * colour.green + 0.9505 * colour.blue;
	x = lab_part(x / 0.9505);
	y = lab_part(y);
	z = lab_part(z / 1.089);
	lab[0] = 116 * y - 16;
	lab[1] = 500 * (x - y);
	lab[2] = 200 * (y - z);
}

/* How one sees it who has no red, no green or no blue cones: Machado, Oliveira, Fernandes 2009,
 * severity 1. */
static struct rgb seen(struct rgb colour, int eye)
{
	static const double eyes[][3][3] = {
		{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		{ { 0.152286, 1.052583, -0.204868 },
		  { 0.114503, 0.786281, 0.099216 },
		  { -0.003882, -0.048116, 1.051998 } },
		{ { 0.367322, 0.860646, -0.227968 },
		  { 0.280085, 0.672501, 0.047413 },
		  { -0.011820, 0.042940, 0.968881 } },
		{ { 1.255528, -0.076749, -0.178779 },
		  { -0.078411, 0.930809, 0.147602 },
		  { 0.004733, 0.691367, 0.303900 } },
	};
	double out[3];
	for (int i = 0; i < 3; i++)
		out[i] = fmin(1, fmax(0, eyes[eye][i][0] * colour.red +
						 eyes[eye][i][1] * colour.green +
						 eyes[eye][i][2] * colour.blue));
	return (struct rgb){ out[0], out[1], out[2] };
}

static double apart(short one, short other, int eye)
{
	double a[3], b[3], sum = 0;
	lab_of(seen(rgb_of(one), eye), a);
	lab_of(seen(rgb_of(other), eye), b);
	for (int i = 0; i < 3; i++)
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	return sqrt(sum);
}

/* Black on white, and two greys whose figures WCAG's own tools give. */
static void figures__are_those_of_wcag__where_they_are_known(void **state)
{
	(void)state;
	assert_float_equal(contrast(16, 231), 21.0, 0.001);
	assert_float_equal(contrast(15, 8), 4.004, 0.01); /* #7f7f7f on white */
	assert_float_equal(contrast(9, 15), 3.998, 0.01); /* #ff0000 on white */
	assert_float_equal(apart(16, 231, 0), 100.0, 0.05);
}

/* --- themes --- */

static double least_contrast(enum theme theme, enum depth depth)
{
	if (theme == THEME_HIGH_CONTRAST)
		return CONTRAST_AAA;
	return depth == DEPTH_256 ? CONTRAST_AA : CONTRAST_LEAST;
}

/* What is in the terminal's own colours is as its owner reads all else. */
static void check_contrast(enum theme theme, enum depth depth, enum style style)
{
	struct look look = theme_look(theme, depth, style);
	short back = look.back == COLOUR_OWN ? theme_ground(theme) : look.back;
	if (look.front == COLOUR_OWN) {
		assert_int_equal(look.back, COLOUR_OWN);
		return;
	}
	double ratio = contrast(look.front, back);
	if (ratio < least_contrast(theme, depth))
		fail_msg("%s, depth %d, style %d: %.2f of %d on %d", theme_name(theme), depth,
			 style, ratio, look.front, back);
}

static void contrast__is_enough__in_each_theme_and_depth(void **state)
{
	(void)state;
	for (int theme = 0; theme < THEME_COUNT; theme++)
		for (int depth = 0; depth < DEPTH_COUNT; depth++)
			for (int style = 0; style < STYLE_COUNT; style++)
				check_contrast((enum theme)theme, (enum depth)depth,
					       (enum style)style);
}

/* Nobody has chosen it, so that it may stand on a light terminal. */
static void dark__reads_on_white_too__in_256_colours(void **state)
{
	(void)state;
	for (int style = 0; style < STYLE_COUNT; style++) {
		struct look look = theme_look(THEME_DARK, DEPTH_256, (enum style)style);
		if (look.front == COLOUR_OWN || look.back != COLOUR_OWN)
			continue;
		if (contrast(look.front, 231) < CONTRAST_LEAST)
			fail_msg("style %d: %.2f", style, contrast(look.front, 231));
	}
}

static void depths__have_no_colour__that_they_lack(void **state)
{
	static const short most[] = { [DEPTH_8] = 8, [DEPTH_16] = 16, [DEPTH_256] = 256 };
	(void)state;
	for (int theme = 0; theme < THEME_COUNT; theme++)
		for (int depth = 0; depth < DEPTH_COUNT; depth++)
			for (int style = 0; style < STYLE_COUNT; style++) {
				struct look look = theme_look((enum theme)theme, (enum depth)depth,
							      (enum style)style);
				assert_true(look.front < most[depth] && look.back < most[depth]);
				/* The first sixteen may be anything at all. */
				if (depth == DEPTH_256 && look.front != COLOUR_OWN)
					assert_true(look.front >= 16);
				assert_int_not_equal(look.front, 8);
			}
}

static bool are_alike(enum theme theme, enum depth depth, enum style one, enum style other)
{
	struct look a = theme_look(theme, depth, one), b = theme_look(theme, depth, other);
	return a.front == b.front && a.back == b.back && a.traits == b.traits;
}

struct pair {
	enum style one, other;
};

static void check_pairs(const struct pair *pairs, size_t count, bool in_mono)
{
	for (int theme = 0; theme < THEME_COUNT; theme++)
		for (int depth = 0; depth < DEPTH_COUNT; depth++)
			for (size_t i = 0; i < count && (in_mono || theme != THEME_MONO); i++)
				if (are_alike((enum theme)theme, (enum depth)depth, pairs[i].one,
					      pairs[i].other))
					fail_msg("%s, depth %d: styles %d and %d are alike",
						 theme_name((enum theme)theme), depth, pairs[i].one,
						 pairs[i].other);
}

static void roles__differ__where_the_eye_looks_for_them(void **state)
{
	/* Whatever the colours are. */
	static const struct pair always[] = {
		{ STYLE_SELECTED, STYLE_TEXT },     { STYLE_BORDER_FOCUS, STYLE_BORDER },
		{ STYLE_TITLE_FOCUS, STYLE_TITLE }, { STYLE_FOOTER_KEY, STYLE_FOOTER },
		{ STYLE_COLUMN, STYLE_TEXT },       { STYLE_FAILED, STYLE_TEXT },
		{ STYLE_FAILED, STYLE_RUNNING },    { STYLE_WARNING, STYLE_TEXT },
		{ STYLE_WARNING, STYLE_GOOD },      { STYLE_ERROR, STYLE_TEXT },
		{ STYLE_ERROR, STYLE_WARNING },     { STYLE_DRAFT, STYLE_TEXT },
		{ STYLE_QUESTION, STYLE_TEXT },     { STYLE_HEADER, STYLE_TEXT },
		{ STYLE_PRODUCTION, STYLE_HEADER }, { STYLE_INK_STRONG, STYLE_TEXT },
		{ STYLE_FAILED, STYLE_PENDING },
	};
	/* Where there are colours; their words tell without. */
	static const struct pair coloured[] = {
		{ STYLE_PENDING, STYLE_TEXT },     { STYLE_PENDING, STYLE_RUNNING },
		{ STYLE_PENDING, STYLE_STARTING }, { STYLE_RUNNING, STYLE_TEXT },
		{ STYLE_FAILED, STYLE_STARTING },  { STYLE_GOOD, STYLE_TEXT },
		{ STYLE_RUNNING, STYLE_STOPPED },  { STYLE_PRODUCTION, STYLE_ERROR },
	};
	(void)state;
	check_pairs(always, ARRAY_LEN(always), true);
	check_pairs(coloured, ARRAY_LEN(coloured), false);
}

/* By every eye, in the theme that is made for all of them; in the others by most. */
static void phases__are_apart__for_each_eye(void **state)
{
	static const enum style phases[] = { STYLE_PENDING, STYLE_RUNNING, STYLE_FAILED };
	(void)state;
	for (int theme = THEME_DARK; theme < THEME_COUNT; theme++)
		for (int eye = 0; eye < (theme == THEME_HIGH_CONTRAST ? 4 : 1); eye++)
			for (size_t i = 0; i < ARRAY_LEN(phases); i++) {
				short one =
					theme_look((enum theme)theme, DEPTH_256, phases[i]).front;
				short other = theme_look((enum theme)theme, DEPTH_256,
							 phases[(i + 1) % ARRAY_LEN(phases)])
						      .front;
				if (apart(one, other, eye) < APART_LEAST)
					fail_msg("%s, eye %d: %d and %d are %.1f apart",
						 theme_name((enum theme)theme), eye, one, other,
						 apart(one, other, eye));
			}
}

/* --- names --- */

static void names__are_those_of_the_setting__and_auto(void **state)
{
	const struct setting_row *row = setting_row(SETTING_THEME);
	size_t count = 0;
	enum theme theme;
	(void)state;
	for (; row->rule.words[count]; count++) {
		bool found = theme_find(row->rule.words[count], &theme);
		assert_int_equal(found, strcmp(row->rule.words[count], "auto") != 0);
		if (found)
			assert_string_equal(theme_name(theme), row->rule.words[count]);
	}
	assert_int_equal(count, THEME_COUNT + 1);
	assert_string_equal(row->standard, theme_name(THEME_DARK));
	assert_true(theme_find("Light", &theme)); /* as the setting is read */
	assert_int_equal(theme, THEME_LIGHT);
}

static void guess__is_light__where_the_terminal_says_so(void **state)
{
	(void)state;
	assert_int_equal(theme_guess("0;15"), THEME_LIGHT);
	assert_int_equal(theme_guess("0;default;15"), THEME_LIGHT);
	assert_int_equal(theme_guess("0;7"), THEME_LIGHT);
	assert_int_equal(theme_guess("15;0"), THEME_DARK);
	assert_int_equal(theme_guess("7;8"), THEME_DARK);
	assert_int_equal(theme_guess("15;default"), THEME_DARK);
	assert_int_equal(theme_guess("15"), THEME_DARK);
	assert_int_equal(theme_guess(""), THEME_DARK);
	assert_int_equal(theme_guess(NULL), THEME_DARK);
}

/* --- on a screen --- */

static void screen__has_the_themes_looks__and_mono_without_colours(void **state)
{
	static const struct {
		const char *term;
		bool coloured;
	} terms[] = { { "xterm-256color", true }, { "linux", true }, { "vt100", false } };
	(void)state;
	for (size_t t = 0; t < ARRAY_LEN(terms); t++)
		for (int theme = THEME_DARK; theme < THEME_COUNT; theme++) {
			struct offscreen *off = offscreen_open(
				&(struct offscreen_options){ .columns = 10,
							     .lines = 2,
							     .term = terms[t].term,
							     .theme = (enum theme)theme });
			struct surface *out = offscreen_surface(off);
			assert_int_equal(draw_theme(out), terms[t].coloured ? theme : THEME_MONO);
			draw_text(out, (struct rect){ 0, 0, 4, 1 }, STYLE_FAILED, "abcd");
			assert_true(offscreen_has_style(off, 0, 0, STYLE_FAILED));
			assert_int_equal(offscreen_style(off, STYLE_FAILED) & 0xff00u ? 1 : 0,
					 terms[t].coloured);
			offscreen_free(off);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures__are_those_of_wcag__where_they_are_known),
		cmocka_unit_test(contrast__is_enough__in_each_theme_and_depth),
		cmocka_unit_test(dark__reads_on_white_too__in_256_colours),
		cmocka_unit_test(depths__have_no_colour__that_they_lack),
		cmocka_unit_test(roles__differ__where_the_eye_looks_for_them),
		cmocka_unit_test(phases__are_apart__for_each_eye),
		cmocka_unit_test(names__are_those_of_the_setting__and_auto),
		cmocka_unit_test(guess__is_light__where_the_terminal_says_so),
		cmocka_unit_test(screen__has_the_themes_looks__and_mono_without_colours),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
