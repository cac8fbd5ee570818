/* The mouse: its sequences read whole, cut everywhere and made wrong on purpose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/typed.h"
#include "tui/input.h"
#include "tui/mouse.h"

static bool reads(const char *bytes, struct mouse *mouse)
{
	return mouse_read(bytes, strlen(bytes), mouse);
}

/* By XTerm Control Sequences: 0 is the left button, 32 is added for a move, 64 and 65 are the
 * wheel, M is a press and m a release; places count from 1. */
static void sequence__is_an_act_at_a_cell__as_xterm_says(void **state)
{
	static const struct {
		const char *bytes;
		enum mouse_act act;
		int x, y;
	} rows[] = {
		{ "[<0;1;1M", MOUSE_PRESS, 0, 0 },
		{ "[<0;12;5M", MOUSE_PRESS, 11, 4 },
		{ "[<0;12;5m", MOUSE_RELEASE, 11, 4 },
		{ "[<32;300;200M", MOUSE_DRAG, 299, 199 },
		{ "[<64;7;8M", MOUSE_WHEEL_UP, 6, 7 },
		{ "[<65;7;8M", MOUSE_WHEEL_DOWN, 6, 7 },
		{ "[<00;010;1M", MOUSE_PRESS, 9, 0 },
		{ "[<0;10000;10000M", MOUSE_PRESS, 9999, 9999 },
	};
	struct mouse mouse;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_true(reads(rows[i].bytes, &mouse));
		assert_int_equal(mouse.act, rows[i].act);
		assert_int_equal(mouse.x, rows[i].x);
		assert_int_equal(mouse.y, rows[i].y);
	}
}

static void sequence__is_nothing__when_it_is_another_or_broken(void **state)
{
	static const char *const rows[] = {
		"",
		"[",
		"[<",
		"[<M",
		"[<;;M",
		"[<0;M",
		"[<0;1M",
		"[<0;1;M",
		"[<0;;1M",
		"[<;1;1M",
		"[<0;1;1",
		"[<0;1;1;1M",
		"[<0;1;1;M",
		"[<0:1:1M",
		"[<-1;1;1M",
		"[<0;0;1M",
		"[<0;1;0M",
		"[<0;10001;1M",
		"[<0;1;10001M",
		"[<0;99999999999999999999;1M",
		"[<000000;1;1M",
		"[<1;1;1M",   /* the middle button */
		"[<2;1;1M",   /* the right one */
		"[<3;1;1M",   /* none */
		"[<4;1;1M",   /* with Shift: the terminal selects text */
		"[<8;1;1M",   /* with Alt */
		"[<16;1;1M",  /* with Control */
		"[<33;1;1M",  /* a move with the middle one */
		"[<35;1;1M",  /* with none */
		"[<66;1;1M",  /* a wheel to the side */
		"[<128;1;1M", /* a button of its own */
		"[<64;1;1m",  /* a wheel let go of */
		"[<32;1;1m",
		"[<0;1;1A",
		"[0;1;1M",
		"O<0;1;1M",
	};
	struct mouse mouse;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (reads(rows[i], &mouse))
			fail_msg("%s was read", rows[i]);
}

/* What comes out of the decoder, as text: keys by name, the mouse as "act@x,y". */
static void collect(struct input *input, int64_t now_ms, char *out, size_t size)
{
	struct key key;
	char name[KEY_NAME_SIZE];

	while (input_next(input, now_ms, &key)) {
		size_t used = strlen(out);
		struct mouse mouse = input_mouse(input);
		key_format(key, name);
		if (key.code == KEY_CODE_MOUSE)
			(void)snprintf(out + used, size - used, "%s%d@%d,%d", used ? " " : "",
				       (int)mouse.act, mouse.x, mouse.y);
		else
			(void)snprintf(out + used, size - used, "%s%s", used ? " " : "", name);
	}
}

static void decoder__hands_out_each_act__between_keys(void **state)
{
	struct input *input = input_new();
	char out[256] = "";

	(void)state;
	input_mouse_on(input, true);
	typed_feed(input, "j\x1b[<0;3;4Mk\x1b[<0;3;4m\x1b[<65;1;1M\x1b[<66;1;1Mq", 0);
	collect(input, 0, out, sizeof(out));
	assert_string_equal(out, "j 0@2,3 k 2@2,3 4@0,0 q");
	input_free(input);
}

static void decoder__is_silent__while_the_mouse_is_off(void **state)
{
	struct input *input = input_new();
	char out[256] = "";

	(void)state;
	typed_feed(input, "j\x1b[<0;3;4Mk", 0);
	collect(input, 0, out, sizeof(out));
	assert_string_equal(out, "j k");
	input_free(input);
}

/* A hand draws faster than a slow link paints. */
static void decoder__keeps_the_last_place__of_a_drag(void **state)
{
	struct input *input = input_new();
	char out[256] = "";

	(void)state;
	input_mouse_on(input, true);
	typed_feed(input, "\x1b[<32;1;1M\x1b[<32;1;2M\x1b[<32;1;3M\x1b[<0;1;3m\x1b[<32;9;9M", 0);
	collect(input, 0, out, sizeof(out));
	assert_string_equal(out, "1@0,2 2@0,2 1@8,8");
	input_free(input);
}

/* Cut at any byte, for a second or for twenty: never a key, but for the Esc of a lone ESC. */
static void cut__is_the_act_or_esc__at_every_byte(void **state)
{
	static const char *const samples[] = { "\x1b[<0;12;5M", "\x1b[<0;112;45m",
					       "\x1b[<32;1;9M", "\x1b[<65;80;24M",
					       "\x1b[<2;1;1M",  "\x1b[<0;1;1;5M" };
	static const char *const wanted[] = { "0@11,4", "2@111,44", "1@0,8", "4@79,23", "", "" };
	static const int gaps_ms[] = { 10, 40, 150, 1500, 20000 };

	(void)state;
	for (size_t s = 0; s < ARRAY_LEN(samples); s++)
		for (size_t cut = 1; cut < strlen(samples[s]); cut++)
			for (size_t g = 0; g < ARRAY_LEN(gaps_ms); g++) {
				struct input *input = input_new();
				char out[256] = "";
				bool lone = cut == 1 && gaps_ms[g] >= INPUT_ESC_MS;
				/* After Esc, and after ESC [, the rest is waited for no longer. */
				if ((cut == 1 && gaps_ms[g] > INPUT_LATE_MS) ||
				    (cut == 2 && gaps_ms[g] > 1500))
					goto next;
				input_mouse_on(input, true);
				input_feed(input, samples[s], cut, 0);
				collect(input, 0, out, sizeof(out));
				if (input_wait_ms(input, 0) < gaps_ms[g])
					collect(input, input_wait_ms(input, 0), out, sizeof(out));
				typed_feed(input, samples[s] + cut, gaps_ms[g]);
				typed_feed(input, "k", gaps_ms[g]);
				collect(input, gaps_ms[g], out, sizeof(out));
				char all[64];
				(void)snprintf(all, sizeof(all), "%s%sk", lone ? "Esc" : wanted[s],
					       lone || wanted[s][0] ? " " : "");
				if (strcmp(out, all) != 0)
					fail_msg("%s cut at %zu by %d ms: %s", samples[s] + 1, cut,
						 gaps_ms[g], out);
			next:
				input_free(input);
			}
}

/* A byte that cannot be there ends it, and is swallowed with it; control characters work. */
static void bytes__of_a_broken_one__are_never_keys(void **state)
{
	struct input *input = input_new();
	char out[256] = "";

	(void)state;
	input_mouse_on(input, true);
	typed_feed(input, "\x1b[<0;1X", 0);
	typed_feed(input, "\x1b[<0;1\x03", 0);
	typed_feed(input, "\x1b[<0;1;5y", 0);
	typed_feed(input, "\x1b[<0;1\x1b[<0;1;1M", 0);
	collect(input, 0, out, sizeof(out));
	assert_string_equal(out, "C-c 0@0,0");
	input_free(input);
}

/* A question that opens throws away presses too, and the rest of a half one. */
static void discard__throws_the_mouse_away__whole_and_half(void **state)
{
	struct input *input = input_new();
	char out[256] = "";

	(void)state;
	input_mouse_on(input, true);
	typed_feed(input, "\x1b[<0;1;1M\x1b[<0;1", 0);
	input_discard(input);
	typed_feed(input, ";1M", 1);
	collect(input, 1, out, sizeof(out));
	assert_string_equal(out, "");
	typed_feed(input, "\x1b[<0;1;1M", 2);
	collect(input, 2, out, sizeof(out));
	assert_string_equal(out, "0@0,0");
	input_free(input);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequence__is_an_act_at_a_cell__as_xterm_says),
		cmocka_unit_test(sequence__is_nothing__when_it_is_another_or_broken),
		cmocka_unit_test(decoder__hands_out_each_act__between_keys),
		cmocka_unit_test(decoder__is_silent__while_the_mouse_is_off),
		cmocka_unit_test(decoder__keeps_the_last_place__of_a_drag),
		cmocka_unit_test(cut__is_the_act_or_esc__at_every_byte),
		cmocka_unit_test(bytes__of_a_broken_one__are_never_keys),
		cmocka_unit_test(discard__throws_the_mouse_away__whole_and_half),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
